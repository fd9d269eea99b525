// A program is a list of nodes; each knows its text and what it does. Printing them gives the program, running them
// gives its steps.
#include "tests/support/text/text_program.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "core/catalogue/catalogue.h"
#include "core/program/builder.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kMostSteps = 300;
// Where tiles with an address stand; automatic ones come from below.
constexpr std::uint32_t kManualBegin = 96 << 10, kManualEnd = 180 << 10;

std::string type_name(DType dtype) {
  const std::string plain = name(dtype);
  return plain[0] == 'u' ? "ui" + plain.substr(1) : plain;
}

// --- running --------------------------------------------------------------------------------------------------------

struct LiveTile {
  TileType type;
  std::uint32_t address = 0, valid_rows = 0, valid_cols = 0;
};

// The straight line while it is drawn.
class Line {
 public:
  Line(Target target, const Program& compiled, const std::map<std::string, std::vector<std::byte>>& data)
      : builder(target, "straight"), compiled_(compiled) {
    builder.options().pad_float = target == Target::A5 ? 2 : 1;  // as text has it
    for (const BufferDecl& buffer : compiled.buffers)
      buffers_[buffer.name] = builder.buffer(buffer.name, buffer.dtype, buffer.elements, data.at(buffer.name));
  }

  // "%x", or a number.
  std::int64_t number(const std::string& value) const {
    return value[0] == '%' ? numbers.at(value) : std::stoll(value);
  }
  std::uint32_t small(const std::string& value) const { return static_cast<std::uint32_t>(number(value)); }
  BufferId buffer(const std::string& name) const { return buffers_.at(name.substr(1)); }
  std::uint32_t placed(const std::string& tile) const {
    const auto decl = std::ranges::find(compiled_.tiles, tile.substr(1), &TileDecl::name);
    REQUIRE((decl != compiled_.tiles.end()));
    return decl->address;
  }
  TileId tile(const LiveTile& live) {
    TileType type = live.type;
    type.valid_rows = type.valid_cols = kDynamic;
    return builder.tile("t", type,
                        {.address = live.address, .valid_rows = live.valid_rows, .valid_cols = live.valid_cols});
  }
  // The scratch that the compiler added to the instruction of this line, if it did.
  const TileDecl* scratch(std::uint32_t line) const {
    for (const Instruction& instruction : compiled_.instructions) {
      if (instruction.pos.line != line) continue;
      for (const OperandUse& use : instruction.operands)
        if (const TileDecl& decl = compiled_.tiles[compiled_.slots[use.slot].bits];
            use.spec->role == Role::Tmp && decl.implicit)
          return &decl;
    }
    return nullptr;
  }

  ProgramBuilder builder;
  std::map<std::string, std::int64_t> numbers;
  std::map<std::string, LiveTile> tiles;
  std::map<std::string, View5> views;
  std::map<std::string, std::vector<std::int64_t>> arrays;  // of the scalar unit, and tiles whose elements it knows
  std::uint32_t steps = 0;

 private:
  const Program& compiled_;
  std::map<std::string, BufferId> buffers_;
};

// --- the text -------------------------------------------------------------------------------------------------------

struct Node {
  using Run = std::function<void(Line&, const Node&)>;
  std::string text = {};
  Run run = {};
  std::vector<Node> body = {};
  std::string middle = {};  // between the two regions
  std::vector<Node> other = {};
  std::string close = {};
  std::uint32_t line = 0;
};
using Nodes = std::vector<Node>;

void run_all(Line& line, const Nodes& nodes) {
  for (const Node& node : nodes)
    if (node.run && line.steps < kMostSteps) node.run(line, node);
}

class Printer {
 public:
  std::string print(Nodes& nodes) {
    all(nodes, 0);
    return std::move(out_);
  }

 private:
  void put(const std::string& text, int indent) {
    out_.append(static_cast<std::size_t>(indent), ' ');
    out_ += text + "\n";
    line_ += 1 + static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
  }
  void all(Nodes& nodes, int indent) {
    for (Node& node : nodes) {
      node.line = line_;
      if (!node.text.empty()) put(node.text, indent);
      all(node.body, indent + 2);
      if (!node.middle.empty()) put(node.middle, indent);
      all(node.other, indent + 2);
      if (!node.close.empty()) put(node.close, indent);
    }
  }

  std::string out_;
  std::uint32_t line_ = 1;
};

// --- drawing --------------------------------------------------------------------------------------------------------

struct NumberOp {
  const char* name;
  std::int64_t (*run)(std::int64_t, std::int64_t);
};
using U = std::uint64_t;
constexpr NumberOp kNumberOps[] = {
    {"addi", [](std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(U(a) + U(b)); }},
    {"subi", [](std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(U(a) - U(b)); }},
    {"muli", [](std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(U(a) * U(b)); }},
    {"xori", [](std::int64_t a, std::int64_t b) { return a ^ b; }},
    {"andi", [](std::int64_t a, std::int64_t b) { return a & b; }},
    {"ori", [](std::int64_t a, std::int64_t b) { return a | b; }},
    {"maxsi", [](std::int64_t a, std::int64_t b) { return a > b ? a : b; }},
    {"minsi", [](std::int64_t a, std::int64_t b) { return a < b ? a : b; }},
    {"maxui", [](std::int64_t a, std::int64_t b) { return U(a) > U(b) ? a : b; }},
    {"minui", [](std::int64_t a, std::int64_t b) { return U(a) < U(b) ? a : b; }},
};
struct Comparison {
  const char* name;
  bool (*run)(std::int64_t, std::int64_t);
};
constexpr Comparison kComparisons[] = {
    {"eq", [](std::int64_t a, std::int64_t b) { return a == b; }},
    {"ne", [](std::int64_t a, std::int64_t b) { return a != b; }},
    {"slt", [](std::int64_t a, std::int64_t b) { return a < b; }},
    {"sge", [](std::int64_t a, std::int64_t b) { return a >= b; }},
    {"ult", [](std::int64_t a, std::int64_t b) { return U(a) < U(b); }},
    {"ugt", [](std::int64_t a, std::int64_t b) { return U(a) > U(b); }},
};

struct Tile {
  std::string name;
  TileType type;  // valid dimensions that change are kDynamic
  std::string spelled;
};

// Tiles whose valid regions are the same at any moment, of one element type.
struct Family {
  DType dtype;
  std::uint32_t most_rows, most_cols;
  std::string rows, cols;  // numbers, or names of values
  bool dynamic_rows, dynamic_cols;
  int depth;  // of the region that owns it
  std::vector<Tile> tiles;
};

struct Buffer {
  std::string name;
  DType dtype;
  std::uint32_t elements;
  std::vector<std::byte> data;  // where it cannot be anything
};

class Drawer {
 public:
  Drawer(Random& random, Target target) : random_(random), target_(target) {}

  TextProgram program() {
    Nodes body;
    for (int i = 0; i < 2; ++i) number(body);
    for (std::uint32_t i = random_.between(1, 3); i > 0; --i) family(body);
    statements(body, random_.between(4, 12));
    store(body);
    body.push_back({.text = "return"});

    std::string arguments;
    for (const Buffer& buffer : buffers_)
      arguments +=
          fmt::format("{}{}: !pto.ptr<{}>", arguments.empty() ? "" : ", ", buffer.name, type_name(buffer.dtype));
    Nodes functions = std::move(helpers_);
    functions.insert(random_.one_in(2) ? functions.end() : functions.begin(),
                     {.text = fmt::format("func.func @main({}) {{", arguments),
                      .run = run_body,
                      .body = std::move(body),
                      .close = "}"});
    auto module = std::make_shared<Nodes>();
    module->push_back({.text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{", name(target_)),
                       .run = run_main,
                       .body = std::move(functions),
                       .close = "}"});
    TextProgram out{.target = target_, .text = Printer().print(*module), .data = fill(), .straight = {}};
    out.straight = [target = target_, module, data = out.data](const Program& compiled) {
      Line line(target, compiled, data);
      run_all(line, *module);
      Diagnostics diagnostics;
      Program program = line.builder.build(diagnostics);
      for (const Diagnostic& diagnostic : diagnostics)
        if (diagnostic.severity == Severity::Error) FAIL(diagnostic.format());
      return program;
    };
    return out;
  }

 private:
  // --- names and numbers

  std::string fresh(const char* stem) { return fmt::format("%{}{}", stem, next_name_++); }
  bool one_in(std::uint32_t n) { return random_.one_in(n); }
  template <class T>
  const T& any(const std::vector<T>& list) {
    return list[random_.below(static_cast<std::uint32_t>(list.size()))];
  }

  static void run_body(Line& line, const Node& node) { run_all(line, node.body); }
  // Helpers run where they are called.
  static void run_main(Line& line, const Node& node) {
    for (const Node& function : node.body)
      if (function.text.starts_with("func.func @main")) run_all(line, function.body);
  }

  void add(Nodes& out, std::string text, Node::Run run = {}) {
    if (one_in(12)) out.push_back({.text = fmt::format("// note {}", next_name_)});
    if (one_in(20)) text += "  // as it is";
    out.push_back({.text = std::move(text), .run = std::move(run)});
  }

  std::string constant(Nodes& out, std::int64_t value) {
    const std::string name = fresh("c");
    add(out,
        one_in(8) && value >= 0 ? fmt::format("{} = arith.constant 0x{:x} : index", name, value)
                                : fmt::format("{} = arith.constant {} : index", name, value),
        [=](Line& line, const Node&) { line.numbers[name] = value; });
    return name;
  }

  std::string define(Nodes& out, const NumberOp& op, const std::string& a, const std::string& b,
                     const char* as = nullptr) {
    const std::string name = fresh("n");
    add(out, fmt::format("{} = arith.{} {}, {} : index", name, as == nullptr ? op.name : as, a, b),
        [=](Line& line, const Node&) { line.numbers[name] = op.run(line.number(a), line.number(b)); });
    return name;
  }

  // Any number at all.
  std::string number(Nodes& out) {
    if (numbers_.empty() || one_in(4))
      return numbers_.emplace_back(
          constant(out, one_in(3) ? static_cast<std::int64_t>(random_.next()) : random_.below(100)));
    const std::string a = any(numbers_), b = any(numbers_);
    if (one_in(5)) return numbers_.emplace_back(selected(out, a, b));
    if (one_in(5)) return numbers_.emplace_back(through_i32(out, a));
    return numbers_.emplace_back(define(out, kNumberOps[random_.below(std::size(kNumberOps))], a, b));
  }

  std::string condition(Nodes& out) {
    const Comparison& comparison = kComparisons[random_.below(std::size(kComparisons))];
    const std::string name = fresh("b"), a = any(numbers_), b = any(numbers_);
    add(out, fmt::format("{} = arith.cmpi {}, {}, {} : index", name, comparison.name, a, b),
        [=](Line& line, const Node&) { line.numbers[name] = comparison.run(line.number(a), line.number(b)) ? 1 : 0; });
    return name;
  }

  std::string selected(Nodes& out, const std::string& a, const std::string& b) {
    const std::string test = condition(out), name = fresh("n");
    add(out, fmt::format("{} = arith.select {}, {}, {} : index", name, test, a, b),
        [=](Line& line, const Node&) { line.numbers[name] = line.number(line.number(test) != 0 ? a : b); });
    return name;
  }

  std::string through_i32(Nodes& out, const std::string& a) {
    const std::string narrow = fresh("n"), name = fresh("n");
    add(out, fmt::format("{} = arith.index_cast {} : index to i32", narrow, a));
    add(out, fmt::format("{} = arith.index_cast {} : i32 to index", name, narrow), [=](Line& line, const Node&) {
      line.numbers[name] = static_cast<std::int32_t>(static_cast<U>(line.number(a)));
    });
    return name;
  }

  // A value of 0 .. most.
  std::string limited(Nodes& out, std::uint32_t most) {
    static constexpr NumberOp kRemainder{
        "remui", [](std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(U(a) % U(b)); }};
    if (most == 0 || one_in(3))
      return one_in(2) ? std::to_string(random_.below(most + 1)) : constant(out, random_.below(most + 1));
    return define(out, kRemainder, any(numbers_), constant(out, std::int64_t{most} + 1));
  }
  // A value of 1 .. most that is computed.
  std::string size(Nodes& out, std::uint32_t most) {
    return define(
        out, kNumberOps[0],
        define(out, {"remui", [](std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(U(a) % U(b)); }},
               any(numbers_), constant(out, most)),
        constant(out, 1));
  }
  static bool is_name(const std::string& value) { return value[0] == '%'; }
  std::string name_for(Nodes& out, const std::string& value) {
    return is_name(value) ? value : constant(out, std::stoll(value));
  }
  static std::string in_type(const std::string& value) { return is_name(value) ? "?" : value; }

  // --- tiles

  std::string spelled(const TileType& type) const {
    std::string text = fmt::format("!pto.tile_buf<vec, {}x{}x{}", type.rows, type.cols, type_name(type.dtype));
    const auto valid = [](std::int32_t n) { return n == kDynamic ? std::string("?") : std::to_string(n); };
    const bool whole = type.valid_rows == static_cast<std::int32_t>(type.rows) &&
                       type.valid_cols == static_cast<std::int32_t>(type.cols);
    if (!whole) text += fmt::format(", valid={}x{}", valid(type.valid_rows), valid(type.valid_cols));
    return text + (type.col_major() ? ", blayout=col_major>" : ">");
  }

  Family& family(Nodes& out) {
    DType dtype;
    do dtype = static_cast<DType>(random_.below(kDTypes));
    while (!find_instruction("tadd")->types(target_, {}).contains(dtype) &&
           !find_instruction("tsels")->types(target_, {}).contains(dtype));
    const std::uint32_t lanes = BLK / size_bytes(dtype);
    Family made{dtype,
                random_.between(1, 9),
                one_in(3) ? random_.between(1, 9 * lanes) : random_.between(1, 3 * lanes),
                {},
                {},
                one_in(3),
                one_in(3),
                depth_,
                {}};
    made.rows = made.dynamic_rows ? size(out, made.most_rows) : std::to_string(made.most_rows);
    made.cols = made.dynamic_cols ? size(out, made.most_cols) : std::to_string(made.most_cols);
    families_.push_back(std::move(made));
    for (std::uint32_t i = random_.between(1, 3); i > 0; --i) tile(out, families_.back());
    return families_.back();
  }
  Family& some_family(Nodes& out) {
    return families_.empty() || one_in(6) ? family(out)
                                          : families_[random_.below(static_cast<std::uint32_t>(families_.size()))];
  }

  TileType type_for(const Family& family) {
    const std::uint32_t lanes = BLK / size_bytes(family.dtype);
    TileType type = vec_tile(family.dtype, family.most_rows + random_.below(3),
                             rounded_up(family.most_cols, lanes) + lanes * random_.below(3));
    if (!one_in(3)) type.rows = family.most_rows, type.cols = rounded_up(family.most_cols, lanes);
    type.valid_rows = family.dynamic_rows ? kDynamic : static_cast<std::int32_t>(family.most_rows);
    type.valid_cols = family.dynamic_cols ? kDynamic : static_cast<std::int32_t>(family.most_cols);
    return type;
  }

  // One more tile of the family, of this type or any; sometimes in a place of its own.
  const Tile& tile(Nodes& out, Family& family) {
    return family.tiles.emplace_back(alloc(out, type_for(family), family.rows, family.cols));
  }

  std::uint32_t manual_place(std::uint32_t bytes) {
    const std::uint32_t size = rounded_up(bytes, BLK), at = next_manual_;
    if (at + size > kManualEnd) return kManualBegin;
    next_manual_ += size;
    return at;
  }

  Tile alloc(Nodes& out, const TileType& type, const std::string& rows, const std::string& cols) {
    const Tile made{fresh("t"), type, spelled(type)};
    std::string clauses;
    std::int64_t address = -1;
    if (one_in(5)) {
      address = manual_place(static_cast<std::uint32_t>(type.size_bytes()));
      const std::string at = fresh("a");
      add(out, fmt::format("{} = arith.constant {} : i64", at, address));
      clauses += " addr = " + at;
    }
    if (type.valid_rows == kDynamic) clauses += " valid_row = " + name_for(out, rows);
    if (type.valid_cols == kDynamic) clauses += " valid_col = " + name_for(out, cols);
    add(out, fmt::format("{} = pto.alloc_tile{} : {}", made.name, clauses, made.spelled), [=](Line& line, const Node&) {
      line.tiles[made.name] = {type, address < 0 ? line.placed(made.name) : static_cast<std::uint32_t>(address),
                               line.small(rows), line.small(cols)};
    });
    return made;
  }
  Tile alloc_static(Nodes& out, DType dtype, std::uint32_t rows, std::uint32_t cols, std::uint32_t valid_rows,
                    std::uint32_t valid_cols) {
    return alloc(
        out, vec_tile(dtype, rows, cols, static_cast<std::int32_t>(valid_rows), static_cast<std::int32_t>(valid_cols)),
        std::to_string(valid_rows), std::to_string(valid_cols));
  }

  // A tile of the family that is none of these.
  Tile another(Nodes& out, Family& family, const std::vector<Tile>& than) {
    std::vector<Tile> left;
    for (const Tile& candidate : family.tiles)
      if (std::ranges::find(than, candidate.name, &Tile::name) == than.end()) left.push_back(candidate);
    return left.empty() || one_in(8) ? tile(out, family) : any(left);
  }
  Tile some(Nodes& out, Family& family) { return another(out, family, {}); }

  void set_validshape(Nodes& out) {
    for (Family& family : families_) {
      if (family.depth != depth_ || !family.dynamic_rows || !family.dynamic_cols) continue;
      family.rows = size(out, family.most_rows);
      family.cols = size(out, family.most_cols);
      const std::string rows = family.rows, cols = family.cols;
      for (const Tile& tile : family.tiles)
        add(out, fmt::format("pto.set_validshape {}, {}, {} : {}", tile.name, rows, cols, tile.spelled),
            [=, name = tile.name](Line& line, const Node&) {
              line.tiles.at(name).valid_rows = line.small(rows);
              line.tiles.at(name).valid_cols = line.small(cols);
            });
      return;
    }
  }

  // --- global memory

  Buffer& buffer(DType dtype, std::uint32_t elements) {
    for (Buffer& candidate : buffers_)
      if (candidate.dtype == dtype && candidate.data.empty() && one_in(2)) {
        candidate.elements = std::max(candidate.elements, elements);
        return candidate;
      }
    return buffers_.emplace_back(Buffer{fresh("g"), dtype, elements, {}});
  }

  std::string list(const std::vector<std::string>& values) const {
    return fmt::format("[{}]", fmt::join(values, ", "));
  }

  // A window of the family's valid size on some view. Gives its name and type.
  std::pair<std::string, std::string> window(Nodes& out, DType dtype, const std::string& rows, const std::string& cols,
                                             std::uint32_t most_rows, std::uint32_t most_cols,
                                             const std::vector<std::byte>& data = {}, bool by_columns = false) {
    const bool deep = data.empty() && one_in(2);
    const std::size_t rank = deep ? 5 : 2;
    std::vector<std::uint32_t> shape(rank), stride(rank);
    for (std::size_t i = 0; i < rank; ++i)
      shape[i] = i + 2 == rank   ? most_rows + (data.empty() ? random_.below(4) : 0)
                 : i + 1 == rank ? most_cols + (data.empty() ? random_.below(7) : 0)
                                 : random_.between(1, 3);
    // Boxes of 16 rows and 32 bytes would be taken for the fractal layout.
    if (deep && shape[3] == 16 && shape[4] * size_bytes(dtype) == BLK) ++shape[4];
    std::uint32_t next = 1;
    for (std::size_t k = rank; k-- > 0;) {
      const std::size_t i = by_columns && k + 2 >= rank ? 2 * rank - 3 - k : k;  // the last two change places
      stride[i] = next;
      next = next * shape[i] + (data.empty() && one_in(3) ? random_.below(5) : 0);
    }
    std::string source;
    // The view may begin some elements behind the pointer.
    const std::uint32_t room = data.empty() && one_in(4) ? random_.between(1, 8) : 0;
    if (data.empty()) {
      source = buffer(dtype, next + room).name;
    } else {
      source = buffers_.emplace_back(Buffer{fresh("g"), dtype, next, data}).name;
    }
    std::vector<std::string> dims, steps, offsets, sizes;
    std::string whole_type = "!pto.tensor_view<", part_type = "!pto.partition_tensor_view<";
    for (std::size_t i = 0; i < rank; ++i) {
      dims.push_back(one_in(2) ? std::to_string(shape[i]) : constant(out, shape[i]));
      steps.push_back(one_in(2) ? std::to_string(stride[i]) : constant(out, stride[i]));
      sizes.push_back(i + 2 == rank ? rows : i + 1 == rank ? cols : "1");
      const std::uint32_t beside = i + 2 == rank   ? shape[i] - most_rows
                                   : i + 1 == rank ? shape[i] - most_cols
                                                   : shape[i] - 1;
      offsets.push_back(limited(out, beside));
      whole_type += fmt::format("{}x", shape[i]);
      part_type += in_type(sizes[i]) + "x";
    }
    whole_type += type_name(dtype) + ">";
    part_type += type_name(dtype) + ">";
    const std::string skip = room == 0 ? "0" : name_for(out, limited(out, room));
    const std::string from = room == 0 ? source : moved(out, source, dtype, skip);
    const std::string view = fresh("v"), part = fresh("p");
    add(out, fmt::format("{} = pto.make_tensor_view {}, shape = {}, strides = {} : {}", view, from, list(dims),
                         list(steps), whole_type));
    add(out,
        fmt::format("{} = pto.partition_view {}, offsets = {}, sizes = {} : {} -> {}", part, view, list(offsets),
                    list(sizes), whole_type, part_type),
        [=](Line& line, const Node&) {
          View5 made{.buffer = line.buffer(source),
                     .shape = {1, 1, 1, 1, 1},
                     .stride = {1, 1, 1, 1, 1},
                     .offset = line.small(skip),
                     .layout = by_columns ? GlobalLayout::DN : GlobalLayout::ND};
          for (std::size_t i = 0; i < rank; ++i) {
            made.shape[5 - rank + i] = line.small(sizes[i]);
            made.stride[5 - rank + i] = stride[i];
            made.offset += line.small(offsets[i]) * stride[i];
          }
          line.views[part] = made;
        });
    return {part, part_type};
  }

  // The pointer to the element this many behind it.
  std::string moved(Nodes& out, const std::string& pointer, DType dtype, const std::string& elements) {
    const std::string name = fresh("q"), type = fmt::format("!pto.ptr<{}>", type_name(dtype));
    add(out, fmt::format("{} = pto.addptr {}, {} : {} -> {}", name, pointer, elements, type, type));
    return name;
  }

  void transfer(Nodes& out, bool load, const Tile& tile, const std::string& rows, const std::string& cols,
                std::uint32_t most_rows, std::uint32_t most_cols, const std::vector<std::byte>& data = {}) {
    const auto [part, type] =
        window(out, tile.type.dtype, rows, cols, most_rows, most_cols, data, tile.type.col_major());
    sync(out, load ? "PIPE_MTE3" : "PIPE_V", load ? "PIPE_MTE2" : "PIPE_MTE3");
    const std::string name = tile.name, view = part;  // clang 14 captures no structured bindings
    const std::string a = load ? view : name, b = load ? name : view, a_type = load ? type : tile.spelled,
                      b_type = load ? tile.spelled : type;
    add(out, fmt::format("pto.{} ins({} : {}) outs({} : {})", load ? "tload" : "tstore", a, a_type, b, b_type),
        [=](Line& line, const Node&) {
          ++line.steps;
          const TileId id = line.tile(line.tiles.at(name));
          if (load) line.builder.add("tload", {line.views.at(view)}, {id});
          if (!load) line.builder.add("tstore", {id}, {line.views.at(view)});
        });
  }
  void load(Nodes& out) {
    Family& family = some_family(out);
    transfer(out, true, some(out, family), family.rows, family.cols, family.most_rows, family.most_cols);
  }
  void store(Nodes& out) {
    Family& family = some_family(out);
    transfer(out, false, some(out, family), family.rows, family.cols, family.most_rows, family.most_cols);
  }

  // Through a tile of columns, from columns to columns.
  void columns(Nodes& out) {
    const DType dtype = some_family(out).dtype;
    const std::uint32_t rows = BLK / size_bytes(dtype) * random_.between(1, 2), cols = random_.between(1, 9),
                        valid_rows = random_.between(rows / 2, rows);
    TileType type =
        col_major(vec_tile(dtype, rows, cols, static_cast<std::int32_t>(valid_rows), static_cast<std::int32_t>(cols)));
    const Tile made = alloc(out, type, std::to_string(valid_rows), std::to_string(cols));
    transfer(out, true, made, std::to_string(valid_rows), std::to_string(cols), valid_rows, cols);
    transfer(out, false, made, std::to_string(valid_rows), std::to_string(cols), valid_rows, cols);
  }

  void sync(Nodes& out, const char* from, const char* to) {
    if (!one_in(3)) return;
    const std::uint32_t event = random_.below(8);
    const auto flag = [&](const char* what) {
      if (one_in(2)) return fmt::format("pto.{} [<{}>, <{}>, <EVENT_ID{}>]", what, from, to, event);
      return fmt::format("pto.{}[\"{}\", \"{}\", \"EVENT_ID{}\"]", what, from, to, event);
    };
    add(out, flag("set_flag"));
    add(out, flag("wait_flag"));
    if (one_in(4)) add(out, "pto.barrier <PIPE_ALL>");
  }

  // --- instructions

  struct Operands {
    std::vector<Tile> ins;
    std::vector<Tile> outs;
    std::string scalar = {};  // the last input
    Scalar value = {};
  };

  // In the ins/outs form; a statement of values makes its own result, and `result_family` gets that.
  void instruction(Nodes& out, const std::string& name, const Operands& operands, const std::string& attribute = "",
                   Family* result_family = nullptr) {
    std::vector<std::string> in_names, in_types, out_names, out_types;
    for (const Tile& in : operands.ins) in_names.push_back(in.name), in_types.push_back(in.spelled);
    if (!operands.scalar.empty())
      in_names.push_back(operands.scalar), in_types.push_back(type_name(operands.value.dtype));
    for (const Tile& to : operands.outs) out_names.push_back(to.name), out_types.push_back(to.spelled);
    const auto words = [](const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, ", ")); };
    const bool values = result_family != nullptr;
    const std::string attributes = attribute.empty() ? "" : fmt::format(" {{granularity = \"{}\"}}", attribute);
    const std::string text = values ? fmt::format("{} = pto.{} {} : ({}) -> {}", words(out_names), name,
                                                  words(in_names), words(in_types), words(out_types))
                                    : fmt::format("pto.{} ins({} : {}) outs({} : {}){}", name, words(in_names),
                                                  words(in_types), words(out_names), words(out_types), attributes);
    add(out, text, [=](Line& line, const Node& node) {
      ++line.steps;
      std::vector<BuildOperand> ins, outs;
      const auto place = [&](const Tile& tile) {
        if (values)
          line.tiles[tile.name] = {tile.type, line.placed(tile.name), static_cast<std::uint32_t>(tile.type.valid_rows),
                                   static_cast<std::uint32_t>(tile.type.valid_cols)};
      };
      for (const Tile& tile : operands.outs) place(tile);
      for (const Tile& tile : operands.ins) ins.push_back(line.tile(line.tiles.at(tile.name)));
      if (const TileDecl* scratch = line.scratch(node.line))
        ins.push_back(line.tile({scratch->type, scratch->address, scratch->valid_rows, scratch->valid_cols}));
      if (!operands.scalar.empty()) ins.push_back(operands.value);
      for (const Tile& tile : operands.outs) outs.push_back(line.tile(line.tiles.at(tile.name)));
      std::vector<BuildAttribute> given;
      if (!attribute.empty()) given.push_back({"granularity", attribute});
      line.builder.add(name, ins, outs, given);
    });
    if (values) result_family->tiles.push_back(operands.outs.front());
  }

  bool legal(const char* instruction, DType dtype) const {
    return find_instruction(instruction)->types(target_, {}).contains(dtype);
  }

  // A number of this type, as a constant.
  void scalar(Nodes& out, DType dtype, Operands& operands) {
    operands.scalar = fresh("s");
    const double value = is_float(dtype) ? random_.below(64) / 8.0 : random_.below(100);
    operands.value = scalar_of(dtype, value);
    add(out, is_float(dtype)
                 ? fmt::format("{} = arith.constant {:.3f} : {}", operands.scalar, value, type_name(dtype))
                 : fmt::format("{} = arith.constant {:.0f} : {}", operands.scalar, value, type_name(dtype)));
  }

  Tile mask(Nodes& out, const Family& family) {
    const std::uint32_t cols = rounded_up((family.most_cols + 7) / 8, BLK);
    const Tile made =
        alloc_static(out, DType::U8, family.most_rows, cols, family.most_rows, (family.most_cols + 7) / 8);
    if (!one_in(4))
      transfer(out, true, made, std::to_string(made.type.valid_rows), std::to_string(made.type.valid_cols),
               family.most_rows, (family.most_cols + 7) / 8);
    return made;
  }
  void maybe_tmp(Nodes& out, DType dtype, std::uint32_t bytes, Operands& operands) {
    const std::uint32_t lanes = BLK / size_bytes(dtype), rows = (bytes + BLK - 1) / BLK;
    if (one_in(2)) operands.ins.push_back(alloc_static(out, dtype, rows, lanes, rows, lanes));
  }

  // The result of a statement of values is a new tile, whose type says all.
  bool can_be_value(const Family& family) { return !family.dynamic_rows && !family.dynamic_cols && one_in(5); }
  Tile value_of(const Family& family) {
    const TileType type = type_for(family);
    return {fresh("t"), type, spelled(type)};
  }

  void compute(Nodes& out) {
    Family& family = some_family(out);
    const DType dtype = family.dtype;
    switch (random_.below(8)) {
      case 0:
        if (legal("tadd", dtype)) return add_tiles(out, family);
        [[fallthrough]];
      case 1:
        if (legal("tsels", dtype)) return select(out, family, true);
        [[fallthrough]];
      case 2:
        if (legal("tsel", dtype)) return select(out, family, false);
        [[fallthrough]];
      case 3:
        if (legal("texpands", dtype)) return fill_tile(out, family);
        [[fallthrough]];
      case 4:
        if (legal("ttrans", dtype)) return transpose(out, family);
        [[fallthrough]];
      case 5:
        if (legal("tgatherb", dtype)) return gather(out, family);
        [[fallthrough]];
      case 6:
        if (legal("tdeinterleave", dtype)) return pairs(out, family, one_in(2) ? "tdeinterleave" : "tinterleave");
        [[fallthrough]];
      default: return load(out);
    }
  }

  void add_tiles(Nodes& out, Family& family) {
    Operands operands{{some(out, family), some(out, family)}, {}};
    const bool values = can_be_value(family);
    operands.outs = {values ? value_of(family) : some(out, family)};
    instruction(out, "tadd", operands, "", values ? &family : nullptr);
  }
  void select(Nodes& out, Family& family, bool by_scalar) {
    Operands operands{{mask(out, family), some(out, family)}, {}};
    if (!by_scalar) operands.ins.push_back(some(out, family));
    const bool values = can_be_value(family);
    operands.outs = {values ? value_of(family) : some(out, family)};
    maybe_tmp(out, family.dtype, BLK, operands);
    if (by_scalar) scalar(out, family.dtype, operands);
    instruction(out, by_scalar ? "tsels" : "tsel", operands, "", values ? &family : nullptr);
  }
  void fill_tile(Nodes& out, Family& family) {
    const bool values = can_be_value(family);
    Operands operands{{}, {values ? value_of(family) : some(out, family)}};
    scalar(out, family.dtype, operands);
    instruction(out, "texpands", operands, "", values ? &family : nullptr);
  }
  void transpose(Nodes& out, Family& family) {
    const Tile src = some(out, family);
    const std::uint32_t size = size_bytes(family.dtype), rows = rounded_up(src.type.rows, 32), cols = src.type.cols;
    TileType type = vec_tile(family.dtype, rounded_up(cols, 32), rows);
    type.valid_rows = src.type.valid_cols;
    type.valid_cols = src.type.valid_rows;
    Operands operands{{src}, {alloc(out, type, family.cols, family.rows)}};
    maybe_tmp(out, family.dtype, rounded_up(cols, 32) * rows * size, operands);
    instruction(out, "ttrans", operands);
    if (one_in(2)) transfer(out, false, operands.outs[0], family.cols, family.rows, family.most_cols, family.most_rows);
  }
  // The offsets are loaded from a buffer that nothing else is in.
  void gather(Nodes& out, Family& family) {
    const bool blocks = one_in(2);
    const std::uint32_t size = size_bytes(family.dtype), unit = blocks ? BLK : size;
    const std::uint32_t count = blocks ? (family.most_cols * size + BLK - 1) / BLK : family.most_cols;
    const Tile src = some(out, family), to = another(out, family, {src});
    std::vector<std::byte> data(std::size_t{family.most_rows} * count * 4);
    for (std::size_t at = 0; at < data.size(); at += 4) {
      const std::uint32_t offset = random_.below(static_cast<std::uint32_t>(src.type.size_bytes()) / unit) * unit;
      std::memcpy(data.data() + at, &offset, 4);
    }
    const Tile offsets = alloc_static(out, DType::U32, family.most_rows, rounded_up(count, 8), family.most_rows, count);
    transfer(out, true, offsets, std::to_string(family.most_rows), std::to_string(count), family.most_rows, count,
             data);
    instruction(out, "tgatherb", {{src, offsets}, {to}}, blocks ? "block" : "element");
  }
  void pairs(Nodes& out, Family& family, const char* name) {
    if (family.dynamic_cols || family.most_cols % 2 != 0) return;
    const Tile a = some(out, family), b = another(out, family, {a}), c = another(out, family, {a, b}),
               d = another(out, family, {a, b, c});
    instruction(out, name, {{a, b}, {c, d}});
  }

  // --- aliases

  void alias(Nodes& out) {
    Family& family = some_family(out);
    switch (random_.below(5)) {
      case 4: return columns(out);
      case 0: return subset(out, family);
      case 1: return reshape(out, family);
      case 2: return rebase(out, family);
      default: return move(out, family);
    }
  }

  // A part of a tile that is valid as a whole, and a tile to add to it.
  void subset(Nodes& out, const Family& like) {
    const DType dtype = like.dtype;
    if (!legal("tadd", dtype)) return;
    const std::uint32_t lanes = BLK / size_bytes(dtype), rows = random_.between(1, 6),
                        cols = lanes * random_.between(1, 3);
    const Tile whole = alloc_static(out, dtype, rows + random_.below(4), cols + lanes * random_.below(3), 0, 0);
    const Tile parent = alloc_static(out, dtype, whole.type.rows, whole.type.cols, whole.type.rows, whole.type.cols);
    const std::string row = limited(out, parent.type.rows - rows),
                      col = std::to_string(lanes * random_.below((parent.type.cols - cols) / lanes + 1));
    const std::string at_col = one_in(2) ? col : name_for(out, col);
    Tile part{fresh("t"), vec_tile(dtype, rows, cols), {}};
    part.spelled = spelled(vec_tile(dtype, rows, cols, kDynamic, kDynamic));
    add(out,
        fmt::format("{} = pto.subset {}[{}, {}] sizes [{}, {}] : {}", part.name, parent.name, row, at_col, rows, cols,
                    parent.spelled),
        [=](Line& line, const Node&) {
          const LiveTile& from = line.tiles.at(parent.name);
          LiveTile live{vec_tile(dtype, rows, cols), from.address, rows, cols};
          live.address += (line.small(row) * parent.type.cols + line.small(at_col)) * size_bytes(dtype);
          live.type.pitch = rows == 1 ? 0 : parent.type.cols;
          line.tiles[part.name] = live;
        });
    const Tile other = alloc_static(out, dtype, rows, cols, rows, cols);
    if (one_in(2)) transfer(out, true, part, std::to_string(rows), std::to_string(cols), rows, cols);
    instruction(out, "tadd", one_in(2) ? Operands{{part, other}, {other}} : Operands{{other, part}, {part}});
  }

  // The same with sizes of its own, which may pass the end of the whole as long as the valid part stays inside.
  void subview(Nodes& out, const Family& like) {
    const DType dtype = like.dtype;
    if (!legal("tadd", dtype)) return;
    const std::uint32_t lanes = BLK / size_bytes(dtype), valid_rows = random_.between(1, 5),
                        valid_cols = random_.between(1, 2 * lanes);
    const std::uint32_t rows = valid_rows + random_.below(3),
                        cols = rounded_up(valid_cols, lanes) + lanes * random_.below(2);
    const std::uint32_t all_rows = valid_rows + random_.below(4),
                        all_cols = rounded_up(valid_cols, lanes) + lanes * random_.below(3);
    const Tile parent = alloc_static(out, dtype, all_rows, all_cols, all_rows, all_cols);
    const bool open = one_in(2);  // its valid sizes are operands
    const std::string row = limited(out, all_rows - valid_rows),
                      col =
                          std::to_string(lanes * random_.below((all_cols - rounded_up(valid_cols, lanes)) / lanes + 1)),
                      at_col = one_in(2) ? col : name_for(out, col);
    std::string vr = std::to_string(valid_rows), vc = std::to_string(valid_cols);
    if (open) vr = size(out, valid_rows), vc = size(out, valid_cols);
    TileType type =
        vec_tile(dtype, rows, cols, static_cast<std::int32_t>(valid_rows), static_cast<std::int32_t>(valid_cols));
    if (open) type.valid_rows = type.valid_cols = kDynamic;
    const Tile part{fresh("t"), type, spelled(type)};
    add(out,
        fmt::format("{} = pto.subview {}[{}, {}] sizes [{}, {}]{} : {} -> {}", part.name, parent.name, row, at_col,
                    rows, cols, open ? fmt::format(" valid [{}, {}]", vr, vc) : "", parent.spelled, part.spelled),
        [=](Line& line, const Node&) {
          const LiveTile& from = line.tiles.at(parent.name);
          LiveTile live{vec_tile(dtype, rows, cols), from.address, line.small(vr), line.small(vc)};
          live.address += (line.small(row) * all_cols + line.small(at_col)) * size_bytes(dtype);
          live.type.pitch = rows == 1 ? 0 : all_cols;
          line.tiles[part.name] = live;
        });
    TileType alike = type;
    alike.rows = rows, alike.cols = cols;
    const Tile other = alloc(out, alike, vr, vc);
    if (one_in(2)) transfer(out, true, part, vr, vc, valid_rows, valid_cols);
    instruction(out, "tadd", one_in(2) ? Operands{{part, other}, {other}} : Operands{{other, part}, {part}});
  }

  // One of several tiles that lie behind each other.
  void one_of_several(Nodes& out, Family& like) {
    const DType dtype = like.dtype;
    if (!legal("texpands", dtype)) return;
    const std::uint32_t lanes = BLK / size_bytes(dtype), count = random_.between(2, 4);
    const TileType type = vec_tile(dtype, random_.between(1, 4), lanes * random_.between(1, 2));
    const auto bytes = static_cast<std::uint32_t>(type.size_bytes());
    const std::string body = fmt::format("vec, {}x{}x{}", type.rows, type.cols, type_name(dtype)), all = fresh("m"),
                      all_type = fmt::format("!pto.multi_tile_buf<{}, count={}>", body, count);
    std::string clause;
    std::int64_t address = -1;
    if (one_in(2)) {
      address = manual_place(count * bytes);
      const std::string at = fresh("a");
      add(out, fmt::format("{} = arith.constant {} : i64", at, address));
      clause = " addr = " + at;
    }
    add(out, fmt::format("{} = pto.alloc_multi_tile{} : {}", all, clause, all_type));
    for (std::uint32_t i = random_.between(1, 2); i > 0; --i) {
      const std::string place = limited(out, count - 1);
      const Tile one{fresh("t"), type, fmt::format("!pto.tile_buf<{}>", body)};
      add(out, fmt::format("{} = pto.multi_tile_get {}[{}] : {} -> {}", one.name, all, place, all_type, one.spelled),
          [=](Line& line, const Node&) {
            const std::uint32_t slot = line.small(place);
            const std::uint32_t at = address < 0 ? line.placed(fmt::format("{}.{}", all, slot))
                                                 : static_cast<std::uint32_t>(address) + slot * bytes;
            line.tiles[one.name] = {type, at, type.rows, type.cols};
          });
      Operands operands{{}, {one}};
      scalar(out, dtype, operands);
      instruction(out, "texpands", operands);
      if (one_in(2))
        transfer(out, false, one, std::to_string(type.rows), std::to_string(type.cols), type.rows, type.cols);
    }
  }

  // --- the scalar unit

  void scalar_unit(Nodes& out) {
    switch (random_.below(6)) {
      case 0: return load_number(out);
      case 1: return store_number(out);
      case 2: return local_array(out);
      case 3: return elements(out);
      case 4: return subview(out, some_family(out));
      default: return one_of_several(out, some_family(out));
    }
  }

  // Random numbers of i32, as data and one by one.
  std::vector<std::byte> random_words(std::uint32_t count, std::vector<std::int64_t>& values) {
    std::vector<std::byte> data(std::size_t{count} * 4);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(random_.next()));
      std::memcpy(data.data() + std::size_t{i} * 4, &value, 4);
      values.push_back(value);
    }
    return data;
  }

  // A number that the program got as i32 is one as index as well.
  void widen(Nodes& out, const std::string& narrow) {
    const std::string name = fresh("n");
    add(out, fmt::format("{} = arith.index_cast {} : i32 to index", name, narrow),
        [=](Line& line, const Node&) { line.numbers[name] = line.number(narrow); });
    numbers_.push_back(name);
  }

  // From a buffer that nothing else is in.
  void load_number(Nodes& out) {
    const std::uint32_t count = random_.between(2, 12), before = random_.below(count);
    std::vector<std::int64_t> values;
    const std::string source =
        buffers_.emplace_back(Buffer{fresh("g"), DType::I32, count, random_words(count, values)}).name;
    const bool moves = one_in(2);
    const std::string skip = moves ? name_for(out, limited(out, before)) : "0",
                      pointer = moves ? moved(out, source, DType::I32, skip) : source,
                      index = limited(out, count - 1 - before), narrow = fresh("s");
    add(out, fmt::format("{} = pto.load_scalar {}[{}] : !pto.ptr<i32> -> i32", narrow, pointer, index),
        [=](Line& line, const Node&) {
          line.numbers[narrow] = values.at(static_cast<std::size_t>(line.number(skip) + line.number(index)));
        });
    widen(out, narrow);
  }

  void store_number(Nodes& out) {
    const DType dtype = some_family(out).dtype;
    const std::uint32_t count = random_.between(1, 12);
    const std::string target = buffer(dtype, count + 4).name, skip = limited(out, 4), index = limited(out, count - 1);
    const bool moves = one_in(2);
    const std::string pointer = moves ? moved(out, target, dtype, name_for(out, skip)) : target;
    Operands operands;
    scalar(out, dtype, operands);
    add(out,
        fmt::format("pto.store_scalar {}, {}[{}] : !pto.ptr<{}>, {}", operands.scalar, pointer, index, type_name(dtype),
                    type_name(dtype)),
        [=, value = operands.value](Line& line, const Node&) {
          ++line.steps;
          const std::uint32_t offset = line.small(index) + (moves ? line.small(skip) : 0);
          line.builder.add("store_scalar", {value},
                           {View5{.buffer = line.buffer(target),
                                  .shape = {1, 1, 1, 1, 1},
                                  .stride = {1, 1, 1, 1, 1},
                                  .offset = offset}});
        });
  }

  // One or two dimensions; every element is written before one is read.
  void local_array(Nodes& out) {
    const std::uint32_t rows = random_.between(1, 3), cols = random_.between(1, 4);
    const bool flat = rows == 1;
    const std::string array = fresh("l"), type = flat ? fmt::format("!pto.local_array<{}xindex>", cols)
                                                      : fmt::format("!pto.local_array<{}x{}xindex>", rows, cols);
    add(out, fmt::format("{} = pto.declare_local_array -> {}", array, type),
        [=](Line& line, const Node&) { line.arrays[array].assign(std::size_t{rows} * cols, 0); });
    const auto place = [=](const Line& line, const std::string& row, const std::string& col) {
      return static_cast<std::size_t>(line.number(row) * cols + line.number(col));
    };
    const auto element = [&](const std::string& row, const std::string& col) {
      return flat ? fmt::format("{}[{}]", array, col) : fmt::format("{}[{}, {}]", array, row, col);
    };
    const auto set = [&](const std::string& row, const std::string& col) {
      const std::string value = any(numbers_);
      add(out, fmt::format("pto.local_array_set {}, {} : {}, index", element(row, col), value, type),
          [=](Line& line, const Node&) { line.arrays.at(array)[place(line, row, col)] = line.number(value); });
    };
    for (std::uint32_t i = 0; i < rows * cols; ++i) set(std::to_string(i / cols), std::to_string(i % cols));
    const auto some_row = [&] { return flat ? std::string("0") : limited(out, rows - 1); };
    if (one_in(2)) {
      const std::string row = some_row();
      set(row, limited(out, cols - 1));
    }
    const std::string row = some_row(), col = limited(out, cols - 1), name = fresh("n");
    add(out, fmt::format("{} = pto.local_array_get {} : {} -> index", name, element(row, col), type),
        [=](Line& line, const Node&) { line.numbers[name] = line.arrays.at(array)[place(line, row, col)]; });
    numbers_.push_back(name);
  }

  // Elements of a tile that is loaded with known numbers.
  void elements(Nodes& out) {
    const std::uint32_t rows = random_.between(1, 3), cols = 8 * random_.between(1, 2), count = rows * cols;
    std::vector<std::int64_t> values;
    const std::vector<std::byte> data = random_words(count, values);
    const Tile tile = alloc_static(out, DType::I32, rows, cols, rows, cols);
    transfer(out, true, tile, std::to_string(rows), std::to_string(cols), rows, cols, data);
    out.push_back({.run = [=](Line& line, const Node&) { line.arrays[tile.name] = values; }});
    if (one_in(2)) {
      const std::string place = limited(out, count - 1), at = name_for(out, place);
      Operands operands;
      scalar(out, DType::I32, operands);
      add(out,
          fmt::format("pto.tsetval ins({}, {} : index, i32) outs({} : {})", at, operands.scalar, tile.name,
                      tile.spelled),
          [=, value = operands.value](Line& line, const Node&) {
            ++line.steps;
            const std::int64_t offset = line.number(at);
            line.arrays.at(tile.name)[static_cast<std::size_t>(offset)] = static_cast<std::int32_t>(value.bits);
            line.builder.add("tsetval", {Scalar{DType::I64, static_cast<std::uint64_t>(offset)}, value},
                             {line.tile(line.tiles.at(tile.name))});
          });
    }
    const std::string at = name_for(out, limited(out, count - 1)), narrow = fresh("s");
    add(out, fmt::format("{} = pto.tgetval ins({}, {} : {}, index) outs : i32", narrow, tile.name, at, tile.spelled),
        [=](Line& line, const Node&) {
          line.numbers[narrow] = line.arrays.at(tile.name)[static_cast<std::size_t>(line.number(at))];
        });
    widen(out, narrow);
  }

  // The same bytes as one row.
  void reshape(Nodes& out, Family& family) {
    if (!legal("texpands", family.dtype)) return;
    const Tile from = some(out, family);
    const TileType type = vec_tile(family.dtype, 1, from.type.rows * from.type.cols, 1,
                                   static_cast<std::int32_t>(from.type.rows * from.type.cols));
    const Tile made{fresh("t"), type, spelled(type)};
    add(out, fmt::format("{} = pto.treshape {} : {} -> {}", made.name, from.name, from.spelled, made.spelled),
        [=](Line& line, const Node&) {
          line.tiles[made.name] = {type, line.tiles.at(from.name).address, 1, type.cols};
        });
    Operands operands{{}, {made}};
    scalar(out, family.dtype, operands);
    instruction(out, "texpands", operands);
  }

  std::pair<std::string, std::uint32_t> address(Nodes& out, const TileType& type) {
    const std::uint32_t at = manual_place(static_cast<std::uint32_t>(type.size_bytes()));
    const std::string name = fresh("a");
    add(out, fmt::format("{} = arith.constant {} : i64", name, at));
    return {name, at};
  }

  // The same type elsewhere: one more tile of its family.
  void rebase(Nodes& out, Family& family) {
    const Tile from = some(out, family);
    const auto [operand, place] = address(out, from.type);
    const Tile made{fresh("t"), from.type, from.spelled};
    const std::uint32_t at = place;
    add(out,
        fmt::format("{} = pto.tassign {}, {} : {} -> {}", made.name, from.name, operand, from.spelled, made.spelled),
        [=](Line& line, const Node&) {
          line.tiles[made.name] = line.tiles.at(from.name);
          line.tiles[made.name].address = at;
        });
    family.tiles.push_back(made);
  }

  // The tile itself goes elsewhere.
  void move(Nodes& out, Family& family) {
    const Tile tile = some(out, family);
    const auto [operand, place] = address(out, tile.type);
    const std::uint32_t at = place;
    add(out, fmt::format("pto.tassign {}, {} : {}, i64", tile.name, operand, tile.spelled),
        [=](Line& line, const Node&) { line.tiles.at(tile.name).address = at; });
  }

  // --- control flow

  // What is drawn in a region is forgotten behind it.
  Nodes region(std::uint32_t count) {
    const std::size_t numbers = numbers_.size(), families = families_.size();
    std::vector<std::size_t> tiles;
    for (const Family& family : families_) tiles.push_back(family.tiles.size());
    ++depth_;
    Nodes out;
    statements(out, count);
    --depth_;
    results_ = {numbers_.back(), any(numbers_)};
    numbers_.resize(numbers);
    families_.resize(families);
    for (std::size_t i = 0; i < families; ++i) families_[i].tiles.resize(tiles[i]);
    return out;
  }

  void statements(Nodes& out, std::uint32_t count) {
    for (; count > 0; --count) {
      const std::uint32_t kind = random_.below(24);
      if (kind < 2) number(out);
      else if (kind < 4) load(out);
      else if (kind < 6) store(out);
      else if (kind < 12) compute(out);
      else if (kind < 13) set_validshape(out);
      else if (kind < 15) alias(out);
      else if (kind < 16 && depth_ < 2) for_loop(out);
      else if (kind < 17 && depth_ < 3) branch(out);
      else if (kind < 18 && depth_ < 2) while_loop(out);
      else if (kind >= 20) scalar_unit(out);
      else call(out);
    }
  }

  void for_loop(Nodes& out) {
    const std::string i = fresh("i"), a = fresh("n"), b = fresh("n"), result = fresh("r"), x = any(numbers_),
                      y = any(numbers_);
    const std::string lower = constant(out, random_.below(3)), upper = name_for(out, limited(out, 6)),
                      step = constant(out, random_.between(1, 3));
    const bool carries = one_in(2);
    numbers_.push_back(i);
    if (carries) numbers_.insert(numbers_.end(), {a, b});
    Nodes body = region(random_.between(1, 5));
    const std::array<std::string, 2> yields = results_;
    numbers_.resize(numbers_.size() - (carries ? 3 : 1));
    if (carries) body.push_back({.text = fmt::format("scf.yield {}, {} : index, index", yields[0], yields[1])});
    const std::string head =
        carries ? fmt::format("{}:2 = scf.for {} = {} to {} step {} iter_args({} = {}, {} = {}) -> (index, index) {{",
                              result, i, lower, upper, step, a, x, b, y)
                : fmt::format("scf.for {} = {} to {} step {} {{", i, lower, upper, step);
    out.push_back({.text = head,
                   .run =
                       [=](Line& line, const Node& node) {
                         std::int64_t first = line.number(x), second = line.number(y);
                         for (std::int64_t turn = line.number(lower), end = line.number(upper), by = line.number(step);
                              turn < end; turn += by) {
                           line.numbers[i] = turn;
                           line.numbers[a] = first;
                           line.numbers[b] = second;
                           run_all(line, node.body);
                           if (line.steps >= kMostSteps) return;
                           if (carries) first = line.number(yields[0]), second = line.number(yields[1]);
                         }
                         line.numbers[result + "#0"] = first;
                         line.numbers[result + "#1"] = second;
                       },
                   .body = std::move(body),
                   .close = "}"});
    if (carries) numbers_.insert(numbers_.end(), {result + "#0", result + "#1"});
  }

  void branch(Nodes& out) {
    const std::string test = condition(out), result = fresh("r");
    const bool gives = one_in(2), both = gives || one_in(2);
    Nodes first = region(random_.between(1, 4));
    const std::string one = results_[0];
    Nodes second = both ? region(random_.between(1, 3)) : Nodes{};
    const std::string two = results_[1];
    if (gives) {
      first.push_back({.text = fmt::format("scf.yield {} : index", one)});
      second.push_back({.text = fmt::format("scf.yield {} : index", two)});
    }
    out.push_back(
        {.text = fmt::format("{}scf.if {}{} {{", gives ? result + " = " : "", test, gives ? " -> (index)" : ""),
         .run =
             [=](Line& line, const Node& node) {
               const bool yes = line.number(test) != 0;
               run_all(line, yes ? node.body : node.other);
               if (gives && line.steps < kMostSteps) line.numbers[result] = line.number(yes ? one : two);
             },
         .body = std::move(first),
         .middle = both ? "} else {" : "",
         .other = std::move(second),
         .close = "}"});
    if (gives) numbers_.push_back(result);
  }

  // Counts from a small number up to another one; carries one more number.
  void while_loop(Nodes& out) {
    const std::string start = name_for(out, limited(out, 2)), end = name_for(out, limited(out, 4)),
                      one = constant(out, 1), x = any(numbers_);
    const std::string a = fresh("n"), carried = fresh("n"), test = fresh("b"), p = fresh("n"), q = fresh("n"),
                      next = fresh("n"), result = fresh("r");
    numbers_.insert(numbers_.end(), {p, q});
    Nodes body = region(random_.between(1, 3));
    const std::string yield = results_[0];
    numbers_.resize(numbers_.size() - 2);
    body.push_back({.text = fmt::format("{} = arith.addi {}, {} : index", next, p, one)});
    body.push_back({.text = fmt::format("scf.yield {}, {} : index, index", next, yield)});
    Nodes before;
    before.push_back({.text = fmt::format("{} = arith.cmpi slt, {}, {} : index", test, a, end)});
    before.push_back({.text = fmt::format("scf.condition({}) {}, {} : index, index", test, a, carried)});
    out.push_back({.text = fmt::format("{}:2 = scf.while ({} = {}, {} = {}) : (index, index) -> (index, index) {{",
                                       result, a, start, carried, x),
                   .run =
                       [=](Line& line, const Node& node) {
                         std::int64_t count = line.number(start), other = line.number(x);
                         for (; count < line.number(end); ++count) {
                           line.numbers[p] = count;
                           line.numbers[q] = other;
                           run_all(line, node.other);
                           if (line.steps >= kMostSteps) return;
                           other = line.number(yield);
                         }
                         line.numbers[result + "#0"] = count;
                         line.numbers[result + "#1"] = other;
                       },
                   .body = std::move(before),
                   .middle = fmt::format("}} do {{\n    ^bb0({}: index, {}: index):", p, q),
                   .other = std::move(body),
                   .close = "}"});
    numbers_.insert(numbers_.end(), {result + "#0", result + "#1"});
  }

  // --- functions

  void call(Nodes& out) { one_in(2) ? call_number(out) : call_tiles(out); }

  // A function of two numbers that gives two; called again now and then.
  void call_number(Nodes& out) {
    const std::string result = fresh("r"), x = any(numbers_), y = any(numbers_);
    if (number_helper_.name.empty()) {
      const std::string p = fresh("n"), q = fresh("n");
      const auto callers_numbers = std::exchange(numbers_, {p, q});
      Nodes body;
      for (int i = 0; i < 3; ++i) number(body);
      number_helper_ = {fmt::format("@numbers{}", next_name_++),
                        {p, q},
                        {numbers_.back(), any(numbers_)},
                        std::make_shared<Nodes>(body)};
      numbers_ = callers_numbers;
      body.push_back(
          {.text = fmt::format("return {}, {} : index, index", number_helper_.results[0], number_helper_.results[1])});
      helpers_.push_back({.text = fmt::format("func.func private {}({}: index, {}: index) -> (index, index) {{",
                                              number_helper_.name, p, q),
                          .body = std::move(body),
                          .close = "}"});
    }
    add(out,
        fmt::format("{}:2 = {} {}({}, {}) : (index, index) -> (index, index)", result, one_in(2) ? "func.call" : "call",
                    number_helper_.name, x, y),
        [=, helper = number_helper_](Line& line, const Node&) {
          const std::int64_t first = line.number(x), second = line.number(y);
          line.numbers[helper.params[0]] = first;
          line.numbers[helper.params[1]] = second;
          run_all(line, *helper.body);
          line.numbers[result + "#0"] = line.number(helper.results[0]);
          line.numbers[result + "#1"] = line.number(helper.results[1]);
        });
    numbers_.insert(numbers_.end(), {result + "#0", result + "#1"});
  }

  // A function that adds two tiles, by a tile of its own in between.
  void call_tiles(Nodes& out) {
    Family& family = some_family(out);
    if (!legal("tadd", family.dtype) || family.dynamic_rows || family.dynamic_cols) return;
    const Tile a = some(out, family), b = some(out, family), to = some(out, family);
    Tile p{fresh("t"), a.type, a.spelled}, q{fresh("t"), b.type, b.spelled}, r{fresh("t"), to.type, to.spelled};
    Nodes body;
    const Tile inner = alloc(body, a.type, family.rows, family.cols);
    instruction(body, "tadd", {{p, q}, {inner}});
    instruction(body, "tadd", {{inner, p}, {r}});
    const std::string name = fmt::format("@sum{}", next_name_++);
    Node helper{.text = fmt::format("func.func private {}({}: {}, {}: {}, {}: {}) {{", name, p.name, p.spelled, q.name,
                                    q.spelled, r.name, r.spelled),
                .body = std::move(body),
                .close = "}"};
    helper.body.push_back({.text = "return"});
    const auto runs = std::make_shared<Nodes>(helper.body);
    helpers_.push_back(std::move(helper));
    for (int times = one_in(3) ? 2 : 1; times > 0; --times)
      add(out,
          fmt::format("{} {}({}, {}, {}) : ({}, {}, {}) -> ()", one_in(2) ? "func.call" : "call", name, a.name, b.name,
                      to.name, a.spelled, b.spelled, to.spelled),
          [=](Line& line, const Node&) {
            const LiveTile first = line.tiles.at(a.name), second = line.tiles.at(b.name),
                           third = line.tiles.at(to.name);
            line.tiles[p.name] = first;
            line.tiles[q.name] = second;
            line.tiles[r.name] = third;
            run_all(line, *runs);
          });
  }

  std::map<std::string, std::vector<std::byte>> fill() {
    std::map<std::string, std::vector<std::byte>> data;
    for (const Buffer& buffer : buffers_) {
      std::vector<std::byte>& bytes = data[buffer.name.substr(1)];
      bytes = buffer.data;
      if (!bytes.empty()) continue;
      bytes.resize(std::size_t{buffer.elements} * size_bytes(buffer.dtype));
      for (std::size_t at = 0; at < bytes.size(); at += 8) {
        const std::uint64_t bits = random_.next();
        std::memcpy(bytes.data() + at, &bits, std::min<std::size_t>(8, bytes.size() - at));
      }
    }
    return data;
  }

  struct NumberHelper {
    std::string name;
    std::array<std::string, 2> params, results;
    std::shared_ptr<Nodes> body;
  };

  Random& random_;
  Target target_;
  int depth_ = 0;
  std::uint32_t next_name_ = 0, next_manual_ = kManualBegin;
  std::vector<std::string> numbers_;
  std::array<std::string, 2> results_;  // numbers of the region drawn last, as it ends
  std::vector<Family> families_;
  std::vector<Buffer> buffers_;
  Nodes helpers_;
  NumberHelper number_helper_;
};

}  // namespace

TextProgram random_text_program(Random& random, Target target) { return Drawer(random, target).program(); }

}  // namespace ts::test
