// Matrix products by pointers: random shapes, orders and ways out, against plain loops that know no boxes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "core/record/recording.h"
#include "core/record/recording_file.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

std::uint32_t to_multiple(std::uint32_t value, std::uint32_t of) { return (value + of - 1) / of * of; }

// A statement of constants, which all numbers of the text are; or arguments, of which only a run tells what they are.
class Constants {
 public:
  explicit Constants(bool open = false) : open_(open) {}

  std::string operator()(std::int64_t value) {
    values_.insert(value);
    return fmt::format("%c{}", value);
  }
  std::string text() const {
    std::string text;
    if (!open_)
      for (const std::int64_t value : values_) text += fmt::format("    %c{0} = arith.constant {0} : i64\n", value);
    return text;
  }
  std::string arguments() const {
    std::string text;
    if (open_)
      for (const std::int64_t value : values_) text += fmt::format(", %c{}: i64", value);
    return text;
  }
  void give(OpenRequest& request) const {
    if (open_)
      for (const std::int64_t value : values_)
        request.inputs.numbers[fmt::format("c{}", value)] = fmt::format("{}", value);
  }

 private:
  bool open_;
  std::set<std::int64_t> values_;
};

enum class Start { None, Sums, Biases };
enum class Way { Rows, Columns };
enum class Relu { None, Usual, Slope };
enum class Scale { None, One, OfColumns };

struct ProductCase {
  DType type = DType::F16, result = DType::F32;
  std::uint32_t m = 1, k = 1, n = 1;
  bool left_turned = false, right_turned = true;  // [k][m]; [k][n]
  Start start = Start::None;
  Way way = Way::Rows;
  Relu relu = Relu::None;
  bool says_matrix = true;
  bool open = false;       // its sizes are arguments
  bool exponents = false;  // shared by 32 terms of a row and of a column
  Scale scale = Scale::None;
  bool adding = false, limited = false;
  std::uint32_t gap = 0;  // elements between lines of the result
};

DType sum_type(const ProductCase& one) { return one.type == DType::I8 ? DType::I32 : DType::F32; }

// As programs spell it.
const char* spelled(DType type) {
  switch (type) {
    case DType::F8E4M3: return "f8E4M3FN";
    case DType::F8E5M2: return "f8E5M2";
    case DType::E8M0: return "f8E8M0FNU";
    default: return name(type);
  }
}
std::string pointer(DType type, const char* space) { return fmt::format("!pto.ptr<{}, {}>", spelled(type), space); }

// A matrix of global memory, rows x cols, to L1 in runs of 32 bytes.
std::string load(Constants& number, const char* from, std::uint32_t to, DType type, std::uint32_t rows,
                 std::uint32_t cols) {
  return fmt::format(
      "    %l1_{0} = pto.castptr {1} : i64 -> {2}\n"
      "    pto.mte_gm_l1_frac %{0}, %l1_{0}, nd2nz, shape({3}, {4}), src_layout({5}), dst_group({6}, {6}, {7}, {8}), "
      "ctrl({8}, %no) : {9}, {2}, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1\n",
      from, number(to), pointer(type, "l1"), number(rows), number(cols), number(cols * size_bytes(type)), number(1),
      number(to_multiple(rows, 16)), number(0), pointer(type, "gm"));
}

std::string relu_text(const ProductCase& one) {
  const char* limit = one.limited ? ", clip = %most" : "";
  switch (one.relu) {
    case Relu::Usual: return fmt::format(", pre_relu(mode = normal_relu{})", limit);
    case Relu::Slope: return fmt::format(", pre_relu(%slope, mode = scalar_relu{})", limit);
    case Relu::None: break;
  }
  return one.limited ? fmt::format(", pre_relu(mode = no_relu{})", limit) : "";
}

const char* scale_text(Scale scale) {
  switch (scale) {
    case Scale::One: return ", pre_quant(%scale, mode = qf322f16_pre_scalar)";
    case Scale::OfColumns: return ", pre_quant(%scales, mode = qf322f16_pre_vec)";
    case Scale::None: break;
  }
  return "";
}

// A scale for each column goes through L1 to the fixpipe's table.
std::string load_scales(Constants& number, std::uint32_t columns) {
  const std::string zero = number(0), one = number(1), bytes = number(columns * 8);
  return fmt::format(
      "    %l1_s = pto.castptr {} : i64 -> {}\n    %scales = pto.castptr {} : i64 -> {}\n"
      "    pto.mte_gm_l1 %s, %l1_s, {} nburst({}, {}, {}) : {}, {}, i64, i64, i64, i64\n"
      "    pto.mte_l1_fb %l1_s, %scales, {} nburst({}, {}, {}) : {}, {}, i64, i64, i64, i64\n",
      number(0x78000), pointer(DType::U64, "l1"), zero, pointer(DType::U64, "fb"), bytes, one, zero, zero,
      pointer(DType::U64, "gm"), pointer(DType::U64, "l1"), number(to_multiple(columns * 8, 64) / 64), one, zero, zero,
      pointer(DType::U64, "l1"), pointer(DType::U64, "fb"));
}

std::uint32_t groups(const ProductCase& one) { return (one.k + 31) / 32; }
// Bytes of the exponents of so many rows, or columns.
std::uint32_t exponent_bytes(const ProductCase& one, std::uint32_t lines) {
  return to_multiple(groups(one), 2) / 2 * to_multiple(lines, 16) * 2;
}
std::uint32_t exponent_place(std::uint32_t lines, std::uint32_t line, std::uint32_t group) {
  return group / 2 * to_multiple(lines, 16) * 2 + line * 2 + group % 2;
}

// They come as they are to stand beside the operands.
std::string load_exponents(Constants& number, const ProductCase& one) {
  const std::string zero = number(0), single = number(1);
  const auto load = [&](const char* buffer, std::uint32_t to, std::uint32_t lines, const char* what,
                        const char* operand, const std::string& sizes) {
    const std::string bytes = number(exponent_bytes(one, lines));
    return fmt::format(
        "    %l1_{0} = pto.castptr {1} : i64 -> {2}\n"
        "    pto.mte_gm_l1 %{0}, %l1_{0}, {3} nburst({4}, {5}, {5}) : {6}, {2}, i64, i64, i64, i64\n"
        "    pto.{7} %l1_{0}, %{8}, {9} : {2}, {10}, i64, i64\n",
        buffer, number(to), pointer(DType::E8M0, "l1"), bytes, single, zero, pointer(DType::E8M0, "gm"), what, operand,
        sizes, pointer(one.type, operand));
  };
  return load("ex", 0x60000, one.m, "mte_l1_l0a_mx", "l0a", number(one.m) + ", " + number(one.k)) +
         load("ew", 0x68000, one.n, "mte_l1_l0b_mx", "l0b", number(one.k) + ", " + number(one.n));
}

std::string text_of(const ProductCase& one, Constants& number) {
  const DType sums = sum_type(one);
  std::string body;
  body += load(number, "x", 0, one.type, one.left_turned ? one.k : one.m, one.left_turned ? one.m : one.k);
  body += load(number, "w", 0x40000, one.type, one.right_turned ? one.k : one.n, one.right_turned ? one.n : one.k);
  const std::string zero = number(0), m = number(one.m), k = number(one.k), n = number(one.n);
  const auto cast = [&](const char* as, DType type, const char* space) {
    body += fmt::format("    %{} = pto.castptr {} : i64 -> {}\n", as, zero, pointer(type, space));
  };
  cast("l0a", one.type, "l0a");
  cast("l0b", one.type, "l0b");
  cast("l0c", sums, "l0c");
  const auto turned = [](bool is) { return is ? " {transpose = true}" : ""; };
  body += fmt::format("    pto.mte_l1_l0a %l1_x, %l0a, {}, {}{} : {}, {}, i64, i64\n", m, k, turned(one.left_turned),
                      pointer(one.type, "l1"), pointer(one.type, "l0a"));
  body += fmt::format("    pto.mte_l1_l0b %l1_w, %l0b, {}, {}{} : {}, {}, i64, i64\n", k, n, turned(one.right_turned),
                      pointer(one.type, "l1"), pointer(one.type, "l0b"));
  if (one.exponents) body += load_exponents(number, one);
  const std::string places =
      fmt::format("{}, {}, {}", pointer(one.type, "l0a"), pointer(one.type, "l0b"), pointer(sums, "l0c"));
  // A row vector stands in one piece, which the boxes of such a load are not, unless one run holds it.
  const bool fits = one.m != 1 || one.k * size_bytes(one.type) <= 32;
  const char* as_matrix = one.says_matrix || !fits ? " disable_gemv" : "";
  const char* scaled = one.exponents ? "_mx" : "";
  const auto product = [&](const char* what) {
    body += fmt::format("    pto.mad{}{} %l0a, %l0b, %l0c, {}, {}, {}{} : {}, i64, i64, i64\n", scaled, what, m, n, k,
                        as_matrix, places);
  };
  if (one.start == Start::Biases) {
    const std::string at = number(0x70000), length = number(to_multiple(one.n * 4, 32));
    cast("bt", sums, "bt");
    body += fmt::format(
        "    %l1_b = pto.castptr {} : i64 -> {}\n"
        "    pto.mte_gm_l1 %b, %l1_b, {} nburst({}, {}, {}) : {}, {}, i64, i64, i64, i64\n"
        "    pto.mte_l1_bt %l1_b, %bt, {} nburst({}, {}, {}) : {}, {}, i64, i64, i64, i64\n"
        "    pto.mad{}_bias %l0a, %l0b, %l0c, %bt, {}, {}, {}{} : {}, {}, i64, i64, i64\n",
        at, pointer(sums, "l1"), number(one.n * 4), number(1), zero, zero, pointer(sums, "gm"), pointer(sums, "l1"),
        number(to_multiple(one.n * 4, 32) / 32), number(1), zero, zero, pointer(sums, "l1"), pointer(sums, "bt"),
        scaled, m, n, k, as_matrix, places, pointer(sums, "bt"));
  } else {
    product("");
    if (one.start == Start::Sums) product("_acc");
  }
  if (one.scale == Scale::OfColumns) body += load_scales(number, one.n);
  const std::uint32_t apart = (one.way == Way::Rows ? one.n : one.m) + one.gap;
  body += fmt::format(
      "    pto.mte_l0c_gm %l0c, %y, {}, {}, {}, {}, {}, {}{}{}{}{} : {}, {}, i64, i64, i64, i64, i64, i64\n", m, n,
      number(to_multiple(one.m, 16)), number(apart), zero, zero, scale_text(one.scale), relu_text(one),
      one.way == Way::Rows ? ", nz2nd" : fmt::format(", nz2dn({})", number(1)),
      one.adding ? ", atomic(type = f32, op = add)" : "", pointer(sums, "l0c"), pointer(one.result, "gm"));
  return fmt::format(
      "module attributes {{pto.target_arch = \"a5\"}} {{\n"
      "  func.func @product(%x: {0}, %w: {0}, %b: {1}, %s: {5}, %ex: {6}, %ew: {6}, %y: {2}{7}) attributes {{pto.kernel_kind = "
      "#pto.kernel_kind<cube>}} {{\n"
      "    %no = arith.constant false\n    %scale = arith.constant 0.5 : f32\n    %slope = arith.constant 0.25 : f32\n    "
      "%most = arith.constant 12.0 : f32\n{3}{4}    return\n  }}\n}}\n",
      pointer(one.type, "gm"), pointer(sums, "gm"), pointer(one.result, "gm"), number.text(), body,
      pointer(DType::U64, "gm"), pointer(DType::E8M0, "gm"), number.arguments());
}

// --- what it must be --------------------------------------------------------------------------------------------------

struct Data {
  std::vector<std::byte> bytes;
  std::vector<double> values;
};
Data whole_numbers(Random& random, DType type, std::size_t count) {
  Data data{std::vector<std::byte>(count * size_bytes(type)), {}};
  for (std::size_t i = 0; i < count; ++i) {
    const double value = static_cast<double>(random.below(9)) - 4;
    const std::uint64_t bits = scalar_of(type, value).bits;
    std::memcpy(data.bytes.data() + i * size_bytes(type), &bits, size_bytes(type));
    data.values.push_back(value);
  }
  return data;
}

// Half, one or two, of a group of a line.
int exponent(std::uint32_t line, std::uint32_t group, bool left) {
  return static_cast<int>((line * 5 + group + (left ? 1 : 0)) % 3) - 1;
}
std::vector<std::byte> exponents(const ProductCase& one, std::uint32_t lines, bool left) {
  std::vector<std::byte> bytes(exponent_bytes(one, lines));
  for (std::uint32_t line = 0; line < lines; ++line)
    for (std::uint32_t group = 0; group < groups(one); ++group)
      bytes[exponent_place(lines, line, group)] = static_cast<std::byte>(127 + exponent(line, group, left));
  return bytes;
}

std::unique_ptr<Recording> run(const std::string& text, const OpenRequest& request) {
  OpenedText opened = open_text(text, {}, request);
  for (const Diagnostic& diagnostic : opened.diagnostics)
    if (diagnostic.severity == Severity::Error) FAIL_CHECK(diagnostic.format());
  REQUIRE(opened.opened);
  auto recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{16} << 20});
  for (const Finding& finding : recording->findings())
    if (finding.diagnostic.severity == Severity::Error) FAIL_CHECK(finding.diagnostic.format());
  REQUIRE(recording->stop_reason() == StopReason::End);
  return recording;
}

// Powers of two, of which an entry has the bits of an f32, and others that no scale has.
double scale_of_column(std::uint32_t col) { return col % 3 == 0 ? 0.25 : col % 3 == 1 ? 1 : 0.5; }
std::vector<std::byte> scales(std::uint32_t columns) {
  std::vector<std::byte> bytes(std::size_t{columns} * 8);
  for (std::uint32_t col = 0; col < columns; ++col) {
    const std::uint64_t entry = scalar_of(DType::F32, scale_of_column(col)).bits | 0x1FFF;
    std::memcpy(bytes.data() + std::size_t{col} * 8, &entry, 8);
  }
  return bytes;
}

// What the steps' operands are said to be: all of the product, also where only running tells its sizes.
void check_tiles(const ProductCase& one, const Recording& recording) {
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    const Bound& bound = recording.bound(step);
    if (!std::string_view(bound.row->name).starts_with("mad")) continue;
    CHECK(bound.tile("dst").valid_rows == one.m);
    CHECK(bound.tile("dst").valid_cols == one.n);
    CHECK(bound.tile("rhs").valid_rows == one.k);
  }
}

void check(const ProductCase& one, Random& random) {
  Constants number(one.open);
  const std::string text = text_of(one, number);
  CAPTURE(text);
  const DType sums = sum_type(one);
  const Data x = whole_numbers(random, one.type, std::size_t{one.m} * one.k),
             w = whole_numbers(random, one.type, std::size_t{one.k} * one.n), b = whole_numbers(random, sums, one.n);
  const std::uint32_t lines = one.way == Way::Rows ? one.m : one.n,
                      apart = (one.way == Way::Rows ? one.n : one.m) + one.gap;
  const Data before = whole_numbers(random, one.result, std::size_t{lines} * apart);
  OpenRequest request;
  request.inputs.data = {{"x", x.bytes},
                         {"w", w.bytes},
                         {"b", b.bytes},
                         {"s", scales(one.n)},
                         {"ex", exponents(one, one.m, true)},
                         {"ew", exponents(one, one.n, false)},
                         {"y", before.bytes}};
  number.give(request);
  const auto recording = run(text, request);
  check_tiles(one, *recording);
  const auto& buffers = recording->program().buffers;
  const auto y = std::ranges::find(buffers, "y", &BufferDecl::name);
  REQUIRE(y != buffers.end());
  std::size_t wrong = 0;
  for (std::uint32_t i = 0; i < lines; ++i)
    for (std::uint32_t j = 0; j < apart; ++j) {
      const std::uint32_t row = one.way == Way::Rows ? i : j, col = one.way == Way::Rows ? j : i;
      const std::size_t at = std::size_t{i} * apart + j;
      double wanted = before.values[at];
      if (row < one.m && col < one.n) {
        double sum = one.start == Start::Biases ? b.values[col] : 0;
        for (std::uint32_t k = 0; k < one.k; ++k) {
          const double left = x.values[one.left_turned ? std::size_t{k} * one.m + row : std::size_t{row} * one.k + k];
          const double right = w.values[one.right_turned ? std::size_t{k} * one.n + col : std::size_t{col} * one.k + k];
          const int scale = one.exponents ? exponent(row, k / 32, true) + exponent(col, k / 32, false) : 0;
          sum += std::ldexp(left * right, scale) * (one.start == Start::Sums ? 2 : 1);
        }
        if (one.scale != Scale::None) sum *= one.scale == Scale::One ? 0.5 : scale_of_column(col);
        if (one.relu != Relu::None && sum < 0) sum = one.relu == Relu::Usual ? 0 : sum * 0.25;
        if (one.limited) sum = std::min(sum, 12.0);
        wanted = (one.adding ? wanted : 0) + sum;
      }
      const std::uint32_t size = size_bytes(one.result);
      const double found = to_double(
          one.result,
          recording->final_memory().element(Space::Gm, static_cast<std::uint32_t>(y->address + at * size), size));
      if (found == wanted || ++wrong > 3) continue;
      CAPTURE(row);
      CAPTURE(col);
      CHECK(found == wanted);
    }
}

ProductCase random_case(Random& random) {
  ProductCase one;
  one.type = random.pick<DType>({DType::F16, DType::BF16, DType::F32, DType::I8, DType::F8E4M3, DType::F8E5M2});
  one.exponents = size_bytes(one.type) == 1 && one.type != DType::I8 && random.one_in(2);
  const auto size = [&] { return random.one_in(6) ? 16 * (1 + random.below(3)) : 1 + random.below(48); };
  one.m = size(), one.k = size(), one.n = size();
  if (random.one_in(10)) one.m = 1, one.k = 1 + random.below(8);
  one.says_matrix = random.one_in(2);
  one.open = random.one_in(3);
  one.left_turned = random.one_in(3);
  one.right_turned = !random.one_in(3);
  one.start = random.pick<Start>({Start::None, Start::Sums, Start::Biases});
  one.way = random.one_in(3) ? Way::Columns : Way::Rows;
  one.gap = random.one_in(2) ? 0 : random.below(20);
  one.result = sum_type(one);
  one.relu = random.pick<Relu>({Relu::None, Relu::Usual, one.result == DType::F32 ? Relu::Slope : Relu::None});
  one.limited = one.result == DType::F32 && random.one_in(4);
  if (one.result == DType::F32 && !one.exponents && random.one_in(3)) {
    one.result = DType::F16;
    one.scale = random.pick<Scale>({Scale::None, Scale::One, Scale::OfColumns});
  }
  one.adding = one.result == DType::F32 && random.one_in(4);
  return one;
}

// --- blocks -----------------------------------------------------------------------------------------------------------

struct Blocks {
  std::uint32_t length, count, from_gap, to_gap;  // blocks of 32 bytes
  std::uint32_t source_bytes() const { return 32 * (count * length + (count - 1) * from_gap); }
  std::uint32_t result_bytes() const { return 32 * (count * length + (count - 1) * to_gap); }
};
std::string copy(Constants& number, const char* what, const char* from, const char* to, const Blocks& blocks,
                 const char* from_space, const char* to_space) {
  return fmt::format("    pto.{} {}, {}, {} nburst({}, {}, {}) : {}, {}, i64, i64, i64, i64\n", what, from, to,
                     number(blocks.length), number(blocks.count), number(blocks.from_gap), number(blocks.to_gap),
                     pointer(DType::U8, from_space), pointer(DType::U8, to_space));
}
std::vector<std::byte> moved(const std::vector<std::byte>& from, std::vector<std::byte> to, const Blocks& blocks) {
  for (std::uint32_t i = 0; i < blocks.count; ++i)
    std::memcpy(to.data() + std::size_t{i} * 32 * (blocks.length + blocks.to_gap),
                from.data() + std::size_t{i} * 32 * (blocks.length + blocks.from_gap), std::size_t{32} * blocks.length);
  return to;
}

// From UB inside of it, to L1 and back: each time with other gaps, over bytes that stay where nothing comes.
void check_blocks(Random& random) {
  constexpr std::uint32_t kBytes = 8192;
  const auto blocks = [&] {
    return Blocks{1 + random.below(6), 1 + random.below(8), random.below(5), random.below(5)};
  };
  const Blocks inside = blocks(), out = blocks(), back = blocks();
  Constants number;
  const std::string zero = number(0), one = number(1), bytes = number(kBytes), second = number(kBytes),
                    third = number(2 * kBytes);
  std::string body = fmt::format(
      "    %a = pto.castptr {0} : i64 -> {4}\n    %b = pto.castptr {1} : i64 -> {4}\n"
      "    %c = pto.castptr {2} : i64 -> {4}\n    %l = pto.castptr {0} : i64 -> {5}\n"
      "    %g = pto.addptr %x, {3} : {6} -> {6}\n",
      zero, second, third, bytes, pointer(DType::U8, "ub"), pointer(DType::U8, "l1"), pointer(DType::U8, "gm"));
  const auto load = [&](const char* from, const char* to) {
    body += fmt::format("    pto.mte_gm_ub {}, {}, {}, {} nburst({}, {}, {}) : {}, {}, i64, i64, i64, i64, i64\n", from,
                        to, zero, bytes, one, bytes, bytes, pointer(DType::U8, "gm"), pointer(DType::U8, "ub"));
  };
  load("%x", "%a");
  load("%g", "%b");
  load("%x", "%c");
  body += fmt::format("    pto.mte_gm_l1 %g, %l, {} nburst({}, {}, {}) : {}, {}, i64, i64, i64, i64\n", bytes, one,
                      bytes, bytes, pointer(DType::U8, "gm"), pointer(DType::U8, "l1"));
  body += copy(number, "mte_ub_ub", "%a", "%b", inside, "ub", "ub") +
          copy(number, "mte_ub_l1", "%b", "%l", out, "ub", "l1") +
          copy(number, "mte_l1_ub", "%l", "%c", back, "l1", "ub");
  body += fmt::format("    pto.mte_ub_gm %c, %y, {} nburst({}, {}, {}) : {}, {}, i64, i64, i64, i64\n", bytes, one,
                      bytes, bytes, pointer(DType::U8, "ub"), pointer(DType::U8, "gm"));
  const std::string text = fmt::format(
      "module attributes {{pto.target_arch = \"a5\"}} {{\n  func.func @blocks(%x: {0}, %y: {0}) "
      "{{\n{1}{2}    return\n  }}\n}}\n",
      pointer(DType::U8, "gm"), number.text(), body);
  CAPTURE(text);
  std::vector<std::byte> given(2 * kBytes);
  for (std::byte& byte : given) byte = static_cast<std::byte>(random.below(256));
  const std::vector<std::byte> x(given.begin(), given.begin() + kBytes), g(given.begin() + kBytes, given.end());
  const std::vector<std::byte> b = moved(x, g, inside), l = moved(b, g, out), wanted = moved(l, x, back);
  OpenRequest request;
  request.inputs.data = {{"x", given}, {"y", std::vector<std::byte>(kBytes)}};
  const auto recording = run(text, request);
  const auto& buffers = recording->program().buffers;
  const auto y = std::ranges::find(buffers, "y", &BufferDecl::name);
  REQUIRE(y != buffers.end());
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < kBytes; ++i)
    wrong += recording->final_memory().element(Space::Gm, y->address + i, 1) != static_cast<std::uint64_t>(wanted[i]);
  CHECK(wrong == 0);
}

}  // namespace

// --- what is wrong ----------------------------------------------------------------------------------------------------

TEST_CASE("cube pointers: what is wrong is told by its rule, and what nobody emulates yet is no error of the program") {
  ProductCase good;
  good.m = 20, good.k = 32, good.n = 16;
  Constants number;
  const std::string text = text_of(good, number);
  const struct {
    const char *from, *to, *rule;
  } bad[] = {
      {"pto.mad %l0a, %l0b, %l0c, %c20", "pto.mad %l0a, %l0b, %l0c, %c0", "MAD-R2"},
      {"pto.mte_l1_l0a %l1_x, %l0a, %c20, %c32", "pto.mte_l1_l0a %l1_x, %l0a, %sixty, %c0", "MTE_L1_L0A-R2"},
      {"%l0c = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0c>", "%l0c = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0b>",
       "E-TYPE"},
      {"pto.mte_l1_l0b %l1_w, %l0b", "pto.mte_l1_l0b %l0a, %l0b", "E-TYPE"},
      {"pto.mte_l0c_gm %l0c, %y, %c20, %c16, %c32", "pto.mte_l0c_gm %l0c, %y, %c20, %c16, %c16", "MTE_L0C_GM-R4"},
      {"%c16, %c32, %c16, %c0", "%c16, %c32, %c1, %c0", "MTE_L0C_GM-R5"},
      {"shape(%c20, %c32)", "shape(%sixty, %c32)", "MTE_GM_L1_FRAC-R3"},
      {"shape(%c20, %c32)", "shape(%c0, %c32)", "MTE_GM_L1_FRAC-R2"},
      // In pieces: the pointer is past the end of L0A.
      {"%l0a = pto.castptr %c0 ", "%l0a = pto.castptr %far ", "MEM-BOUNDS"},
      {"nz2nd", "nz2nz(%c0)", "E-EMULATE"},
      {", nz2nd", "", "E-EMULATE"},
      {" disable_gemv", " sat", "E-EMULATE"},
      {" disable_gemv", " tf32_mode(round_even)", "E-EMULATE"},
      {"nd2nz, shape", "dn2nz, shape", "E-EMULATE"},
  };
  for (const auto& one : bad) {
    std::string wrong = text;
    const std::size_t at = wrong.find(one.from);
    CAPTURE(one.from);
    CAPTURE(one.to);
    REQUIRE(at != std::string::npos);
    wrong.replace(at, std::string_view(one.from).size(), one.to);
    wrong.insert(wrong.find("    %no ="),
                 "    %sixty = arith.constant 60 : i64\n    %far = arith.constant 262144 : i64\n");
    OpenRequest request;
    request.inputs.data = {{"x", std::vector<std::byte>(20 * 32 * 2)},
                           {"w", std::vector<std::byte>(32 * 16 * 2)},
                           {"y", std::vector<std::byte>(20 * 16 * 4)}};
    OpenedText opened = open_text(wrong, {}, request);
    std::string told;
    for (const Diagnostic& diagnostic : opened.diagnostics) told += diagnostic.rule + " ";
    if (opened.opened) {
      const auto recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{16} << 20});
      for (const Finding& finding : recording->findings()) told += finding.diagnostic.rule + " ";
    }
    CAPTURE(told);
    CHECK(told.find(one.rule) != std::string::npos);
  }
}

TEST_CASE("cube pointers: sizes that only running tells are those of the operands, in a file too") {
  ProductCase one;
  one.m = 40, one.k = 33, one.n = 20, one.open = true;
  Constants number(true);
  const std::string text = text_of(one, number);
  OpenRequest request;
  number.give(request);
  const auto recording = run(text, request);
  check_tiles(one, *recording);
  const TempFolder folder;
  const std::string path = folder / "product.ptorec";
  REQUIRE(save_recording(*recording, recording->findings(), {}, path).text == "");
  auto opened = open_recording(path);
  REQUIRE(std::holds_alternative<RecordingFile>(opened));
  const Recording& again = *std::get<RecordingFile>(opened).recording;
  CHECK(again.digest() == recording->digest());
  check_tiles(one, again);
  for (std::uint32_t step = 0; step < recording->count(); ++step)
    CHECK(again.bound(step).operands == recording->bound(step).operands);
}

TEST_CASE("cube pointers: blocks with gaps move inside of UB, to L1 and back") {
  Random random(28031);
  for (int i = 0; i < rounds(5, 40, 500); ++i) check_blocks(random);
}

TEST_CASE("cube pointers: products of random shapes, orders and ways out are those of plain loops") {
  Random random(28030);
  for (int i = 0; i < rounds(12, 150, 3000); ++i) check(random_case(random), random);
}

}  // namespace ts::test
