// Writes the forms: one draft of operands per case, and one writer per form.
#include "tests/support/instructions/seed_forms.h"

#include <fmt/format.h>

#include <utility>

#include "core/catalogue/catalogue.h"

namespace ts::test {
namespace {

struct Tile {
  std::string name;
  DType dtype;
  std::uint32_t rows, cols, valid_rows, valid_cols;
  bool whole() const { return valid_rows == rows && valid_cols == cols; }
};

// An instruction with its operands. A scalar, where there is one, is the last input.
struct Draft {
  std::string instruction, what;  // what is special: "one source, tail"
  std::vector<Tile> inputs;
  bool scalar = false;
  std::vector<Tile> outputs;
};

Tile full_tile(std::string name, DType dtype, std::uint32_t rows, std::uint32_t cols) {
  return {std::move(name), dtype, rows, cols, rows, cols};
}

// Spellings ---------------------------------------------------------------------------------------------------------------

std::string type_name(DType dtype) {
  const std::string plain = name(dtype);
  return plain[0] == 'u' ? "ui" + plain.substr(1) : plain;
}

std::string buffer_type(const Tile& tile) {
  const std::string shape = fmt::format("!pto.tile_buf<vec, {}x{}x{}", tile.rows, tile.cols, type_name(tile.dtype));
  return tile.whole() ? shape + ">" : fmt::format("{}, valid={}x{}>", shape, tile.valid_rows, tile.valid_cols);
}

std::string dynamic_type(const Tile& tile) {
  return fmt::format("!pto.tile_buf<vec, {}x{}x{}, valid=?x?>", tile.rows, tile.cols, type_name(tile.dtype));
}

// The short type has no valid region; what needs one is spelled as a buffer.
std::string tile_type(const Tile& tile) {
  return tile.whole() ? fmt::format("!pto.tile<{}x{}x{}>", tile.rows, tile.cols, type_name(tile.dtype))
                      : buffer_type(tile);
}

std::string scalar_type_name(const Draft& draft) { return type_name(draft.outputs[0].dtype); }

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::vector<std::string> names(const std::vector<Tile>& tiles) {
  std::vector<std::string> words;
  for (const Tile& tile : tiles) words.push_back("%" + tile.name);
  return words;
}

std::string input_names(const Draft& draft) {
  std::vector<std::string> words = names(draft.inputs);
  if (draft.scalar) words.push_back("%scalar");
  return joined(words);
}

template <class Spell>
std::vector<std::string> types(const std::vector<Tile>& tiles, Spell spell) {
  std::vector<std::string> words;
  for (const Tile& tile : tiles) words.push_back(spell(tile));
  return words;
}

template <class Spell>
std::string input_types(const Draft& draft, Spell spell) {
  std::vector<std::string> words = types(draft.inputs, spell);
  if (draft.scalar) words.push_back(scalar_type_name(draft));
  return joined(words);
}

// Forms -------------------------------------------------------------------------------------------------------------------

// One type for all tiles; or the sources' and the result's; or the scalar's and the result's.
std::string synchronous(const Draft& draft) {
  const std::string result = tile_type(draft.outputs[0]);
  std::string tail = result;
  if (draft.instruction == "texpands") tail = scalar_type_name(draft) + ", " + result;
  if (draft.instruction == "ttrans" || draft.instruction == "tgatherb")
    tail = tile_type(draft.inputs[0]) + " -> " + result;
  return fmt::format("{} = {} {} : {}\n", joined(names(draft.outputs)), draft.instruction, input_names(draft), tail);
}

// The documents leave out the parentheses where one type stands, but not for tdeinterleave.
std::string ssa(const Draft& draft) {
  const std::string inputs = input_types(draft, tile_type), outputs = joined(types(draft.outputs, tile_type));
  const bool bare = draft.instruction == "ttrans" || draft.instruction == "texpands";
  return fmt::format("{} = pto.{} {} : {} -> {}\n", joined(names(draft.outputs)), draft.instruction, input_names(draft),
                     bare ? inputs : "(" + inputs + ")", draft.outputs.size() == 1 ? outputs : "(" + outputs + ")");
}

template <class Spell>
std::string destination_passing(const Draft& draft, Spell spell) {
  return fmt::format("pto.{} ins({} : {}) outs({} : {})\n", draft.instruction, input_names(draft),
                     input_types(draft, spell), joined(names(draft.outputs)), joined(types(draft.outputs, spell)));
}

std::string placed(const Draft& draft) {
  std::string text = "# Every tile has a place before it is used.\n";
  std::uint32_t address = 0x1000;
  for (const auto& tiles : {draft.inputs, draft.outputs}) {
    for (const Tile& tile : tiles) {
      text += fmt::format("pto.tassign %{}, @tile(0x{:x})\n", tile.name, address);
      address += 0x1000;
    }
  }
  return text + ssa(draft);
}

std::string view_type(const Tile& tile, const char* kind) {
  return fmt::format("!pto.{}<{}x{}x{}>", kind, tile.valid_rows, tile.valid_cols, type_name(tile.dtype));
}

// The tile, and a dense view of the argument that it is loaded from or stored to.
std::string tile_and_view(const Tile& tile) {
  using namespace fmt::literals;
  return fmt::format(
      "    %{t}_rows = arith.constant {rows} : index\n"
      "    %{t}_cols = arith.constant {cols} : index\n"
      "    %{t} = pto.alloc_tile valid_row = %{t}_rows valid_col = %{t}_cols : {type}\n"
      "    %{t}_all = pto.make_tensor_view %{t}_gm, shape = [%{t}_rows, %{t}_cols], strides = [%{t}_cols, %c1] : {view}\n"
      "    %{t}_view = pto.partition_view %{t}_all, offsets = [%c0, %c0], sizes = [%{t}_rows, %{t}_cols]"
      " : {view} -> {part}\n",
      "t"_a = tile.name, "rows"_a = tile.valid_rows, "cols"_a = tile.valid_cols, "type"_a = dynamic_type(tile),
      "view"_a = view_type(tile, "tensor_view"), "part"_a = view_type(tile, "partition_tensor_view"));
}

std::string transfer(const char* instruction, const std::string& from, const std::string& from_type,
                     const std::string& to, const std::string& to_type) {
  return fmt::format("    pto.{} ins(%{} : {}) outs(%{} : {})\n", instruction, from, from_type, to, to_type);
}

std::string whole_module(const Draft& draft, Target target) {
  std::vector<std::string> arguments;
  std::string places, loads, stores;
  for (const auto& tiles : {draft.inputs, draft.outputs}) {
    for (const Tile& tile : tiles) {
      arguments.push_back(fmt::format("%{}_gm: !pto.ptr<{}>", tile.name, type_name(tile.dtype)));
      places += tile_and_view(tile);
    }
  }
  if (draft.scalar) arguments.push_back("%scalar: " + scalar_type_name(draft));
  const auto view_of = [](const Tile& tile) { return view_type(tile, "partition_tensor_view"); };
  for (const Tile& tile : draft.inputs)
    loads += transfer("tload", tile.name + "_view", view_of(tile), tile.name, dynamic_type(tile));
  for (const Tile& tile : draft.outputs)
    stores += transfer("tstore", tile.name, dynamic_type(tile), tile.name + "_view", view_of(tile));
  return fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n  func.func @kernel({}) {{\n", name(target),
                     joined(arguments)) +
         "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n" + places + loads + "    " +
         destination_passing(draft, dynamic_type) + stores + "    return\n  }\n}\n";
}

// Drafts ------------------------------------------------------------------------------------------------------------------

// Elements of a block of 32 bytes and of a register of 256.
std::uint32_t in_block(DType dtype) { return BLK / size_bytes(dtype); }
std::uint32_t in_register(DType dtype) { return VL / size_bytes(dtype); }

// Every tile the same, but for its name.
Draft draft_of_one_type(std::string instruction, std::string what, const Tile& like, std::vector<std::string> inputs,
                        std::vector<std::string> outputs) {
  Draft draft{std::move(instruction), std::move(what), {}, false, {}};
  const auto named = [&](std::string& name) {
    Tile tile = like;
    tile.name = std::move(name);
    return tile;
  };
  for (std::string& name : inputs) draft.inputs.push_back(named(name));
  for (std::string& name : outputs) draft.outputs.push_back(named(name));
  return draft;
}

Draft with_valid(Draft draft, std::uint32_t rows, std::uint32_t cols) {
  for (auto* tiles : {&draft.inputs, &draft.outputs})
    for (Tile& tile : *tiles) tile.valid_rows = rows, tile.valid_cols = cols;
  draft.what += draft.what.empty() ? "tail" : ", tail";
  return draft;
}

// The first input as a mask: packed bits, a row of them in 32 bytes.
Draft with_mask(Draft draft) {
  Tile& mask = draft.inputs[0];
  const std::uint32_t used = draft.outputs[0].whole() ? BLK : (mask.valid_cols + 7) / 8;
  mask = {mask.name, DType::U8, mask.rows, BLK, mask.valid_rows, used};
  return draft;
}

class Forms {
 public:
  Forms(Target target, DType dtype) : target_(target), dtype_(dtype) {}

  std::vector<SeedForm> all() {
    if (legal("tdeinterleave")) tdeinterleave();
    if (legal("tsels")) tsels();
    if (legal("ttrans")) ttrans();
    if (legal("tgatherb")) tgatherb();
    if (legal("texpands")) texpands();
    return std::move(forms_);
  }

 private:
  bool legal(const char* instruction) const {
    return find_instruction(instruction)->types(target_, Options{}).contains(dtype_);
  }

  void add(const Draft& draft, const char* form, std::string text, bool module = false) {
    std::string name = draft.instruction + " " + form;
    if (!draft.what.empty()) name += ", " + draft.what;
    if (module) name += ", module";
    forms_.push_back({std::move(name), draft.instruction, form, module, std::move(text)});
  }
  void add_documents(const Draft& draft) {
    add(draft, "F2", ssa(draft));
    add(draft, "F3", destination_passing(draft, buffer_type));
    add(draft, "F5", placed(draft));
  }
  // The headings of the older pages.
  void add_older(const Draft& draft) {
    add(draft, "IR1", ssa(draft));
    add(draft, "IR2", destination_passing(draft, buffer_type));
  }
  void add_module(const Draft& draft) { add(draft, "F3", whole_module(draft, target_), true); }

  void tdeinterleave() {
    const std::uint32_t cols = 2 * in_block(dtype_), wide = 2 * in_register(dtype_);
    const Draft two = draft_of_one_type("tdeinterleave", "two sources", full_tile("", dtype_, 3, cols),
                                        {"src0", "src1"}, {"dst0", "dst1"});
    const Draft two_tail = with_valid(two, 2, cols - 2);
    for (const Draft& draft : {two, two_tail}) {
      add(draft, "F1", synchronous(draft));
      add_documents(draft);
    }
    add_module(two_tail);

    // With one type for all, the results are as wide as the source, and half of them stays as it was.
    const Draft one =
        draft_of_one_type("tdeinterleave", "one source", full_tile("", dtype_, 3, wide), {"src"}, {"dst0", "dst1"});
    add(one, "F1", synchronous(one));
    Draft half = one;
    for (Tile& dst : half.outputs) dst = full_tile(dst.name, dtype_, 3, wide / 2);
    add_documents(half);
    Draft half_tail = with_valid(half, 2, wide - 6);
    for (Tile& dst : half_tail.outputs) dst.valid_cols = wide / 2 - 3;
    add_documents(half_tail);
    add_module(half_tail);
  }

  void tsels() {
    const std::uint32_t cols = 2 * in_block(dtype_);
    Draft all_one = draft_of_one_type("tsels", "", full_tile("", dtype_, 3, cols), {"mask", "src"}, {"dst"});
    all_one.scalar = true;
    add(all_one, "F1", synchronous(all_one));  // a mask of the sources' type: its bytes count
    const Draft tail = with_mask(with_valid(all_one, 2, cols - 3));
    for (const Draft& draft : {with_mask(all_one), tail}) {
      add_documents(draft);
      Draft older = draft;
      older.inputs[0].name = "src0";
      older.inputs[1].name = "src1";
      add_older(older);
    }
    add_module(tail);
  }

  void ttrans() {
    const std::uint32_t rows = in_block(dtype_), cols = 2 * in_block(dtype_);
    const Draft whole{
        "ttrans", "", {full_tile("src", dtype_, rows, cols)}, false, {full_tile("dst", dtype_, cols, rows)}};
    Draft tail = with_valid(whole, rows - 3, cols - 5);
    std::swap(tail.outputs[0].valid_rows, tail.outputs[0].valid_cols);
    // On a5 the whole source is transposed, and dst has room for it outside its valid region.
    for (const Draft& draft : {whole, tail}) {
      add(draft, "F1", synchronous(draft));
      add_documents(draft);
      add_older(draft);
    }
    add_module(tail);
  }

  void tgatherb() {
    const std::uint32_t cols = 2 * in_block(dtype_), wide = in_register(dtype_);
    const Tile dst = full_tile("dst", dtype_, 2, cols), table = full_tile("src", dtype_, 4, cols);
    const Tile offsets = full_tile("offsets", DType::U32, 2, cols);
    // One type for both sources: the table is read as bytes, whatever its elements are.
    const Draft same{"tgatherb", "element", {full_tile("src", DType::U32, 2, cols), offsets}, false, {dst}};
    add(same, "F1", synchronous(same));
    const Draft element{"tgatherb", "element", {table, offsets}, false, {dst}};
    Draft tail = with_valid(element, 2, cols - 3);
    tail.inputs[0] = table;
    add_documents(element);
    add_documents(tail);
    add_module(tail);
    // 256 bytes a row: 8 blocks.
    const Tile blocks = full_tile("offsets", DType::U32, 2, 8);
    const Draft block{
        "tgatherb", "block", {full_tile("src", dtype_, 4, wide), blocks}, false, {full_tile("dst", dtype_, 2, wide)}};
    add_documents(block);
  }

  void texpands() {
    const std::uint32_t cols = 2 * in_block(dtype_);
    Draft whole{"texpands", "", {}, true, {full_tile("dst", dtype_, 3, cols)}};
    const Draft tail = with_valid(whole, 2, cols - 3);
    for (const Draft& draft : {whole, tail}) {
      add(draft, "F1", synchronous(draft));
      add_documents(draft);
      add_older(draft);
    }
    add_module(tail);
  }

  Target target_;
  DType dtype_;
  std::vector<SeedForm> forms_;
};

}  // namespace

std::vector<SeedForm> seed_forms(Target target, DType dtype) { return Forms(target, dtype).all(); }

}  // namespace ts::test
