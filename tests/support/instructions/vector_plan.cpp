// Which tiles fit which instruction.
#include "tests/support/instructions/vector_plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "core/catalogue/catalogue.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

// Everything one random instruction is made of.
struct Draw {
  Random& random;
  Target target;
  const InstructionRow& row;
  DType type;
  std::optional<Valid> wanted = {};  // the shape of the domain; else random
  bool full = false;                 // every tile is full

  Valid valid(std::uint32_t most_bytes = 3 * 1024, std::uint32_t elem_bytes = 0) const {
    if (wanted) return *wanted;
    return random_valid(random, elem_bytes != 0 ? elem_bytes : std::max(size_bytes(type), 2u),
                        random.one_in(8) ? 4 * most_bytes : most_bytes);
  }
  Valid some(std::uint32_t most_bytes = 3 * 1024) const {
    const Valid found = valid(most_bytes);
    return {std::max(found.rows, 1u), std::max(found.cols, 1u)};
  }
  TilePlan tile(const char* name, DType its, Valid shape) const {
    if (!full) return random_tile(random, name, its, shape);
    const std::uint32_t block = block_elements(its);
    return {name,
            vec_tile(its, shape.rows, (shape.cols + block - 1) / block * block, static_cast<std::int32_t>(shape.rows),
                     static_cast<std::int32_t>(shape.cols)),
            shape};
  }
  // A column of elements, as a narrow tile or as a col-major one.
  TilePlan column(const char* name, DType its, std::uint32_t rows) const {
    if (random.one_in(2)) return tile(name, its, {rows, 1});
    const std::uint32_t lanes = block_elements(its);
    return {name, col_major(vec_tile(its, (rows + lanes - 1) / lanes * lanes, 1, kDynamic, kDynamic)), {rows, 1}};
  }
  Scalar scalar(DType its) const {
    return {its, random_element(random, its, random.pick({Values::Plain, Values::AnyBits, Values::Special}))};
  }

  // Tiles in the order inputs, results.
  VectorPlan of(std::vector<TilePlan> tiles, std::size_t results, std::vector<Scalar> scalars = {},
                std::vector<BuildAttribute> attributes = {}, std::size_t form = 0) const {
    return {form, std::move(tiles), results, std::move(scalars), std::move(attributes)};
  }
};

DType type_of_scalar(std::string_view name, DType type) {
  if (name == "tshls" || name == "tshrs") return DType::I16;
  if (name == "tlrelu" || name == "tadddeqrelu") return DType::F32;
  return type;
}
Scalar scalar_for(const Draw& draw, DType type) {
  const std::string_view name = draw.row.name;
  if (name == "tshls" || name == "tshrs") return {DType::I16, draw.random.below(8 * size_bytes(type) + 3)};
  return draw.scalar(type_of_scalar(name, type));
}
std::vector<BuildAttribute> some_precision(const Draw& draw) {
  const bool known = std::ranges::any_of(
      draw.row.attributes, [](const AttributeSpec& spec) { return std::string_view(spec.name) == "precision_mode"; });
  if (!known || draw.random.one_in(2)) return {};
  return {{"precision_mode", "high_precision"}};
}

// A2A3 reads what it has written, so nothing may be in place.
bool needs_distinct(std::string_view name) {
  constexpr std::string_view kNames[] = {"txor",   "tprelu", "tfmod", "trecip", "tands", "tors", "txors",
                                         "tfmods", "tdivs",  "trem",  "trems",  "tpow",  "tpows"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

// All tiles of one valid shape, one type.
VectorPlan elementwise_plan(const Draw& draw) {
  const std::size_t form = draw.random.below(static_cast<std::uint32_t>(draw.row.forms.size()));
  // Scratch as large as dst, which the text does not name, has to find room between them.
  const bool has_large_scratch = std::string_view(draw.row.name).starts_with("txor");
  const bool distinct = needs_distinct(draw.row.name) || draw.target == Target::A2A3;
  const Valid shape = has_large_scratch ? draw.some(1024) : distinct ? draw.some() : draw.valid();
  DType source = draw.type, result = draw.type;
  const std::string_view name = draw.row.name;
  if (name == "taddreluconv" || name == "tsubreluconv") result = draw.type == DType::F32 ? DType::F16 : DType::I8;
  if (name == "tadddeqrelu") result = DType::F16;
  if (name == "taxpy" && draw.type == DType::F32 && draw.random.one_in(2)) source = DType::F16;
  const Valid nonempty = name.ends_with("reluconv") || name == "tadddeqrelu"
                             ? Valid{std::max(shape.rows, 1u), std::max(shape.cols, 1u)}
                             : shape;
  std::vector<TilePlan> plans;
  std::vector<Scalar> scalars;
  const bool one_shape = draw.random.one_in(2);
  for (const OperandSpec& spec : draw.row.forms[form].operands) {
    if (spec.role == Role::Out || spec.role == Role::Tmp) continue;
    if (spec.kind == OperandKind::Scalar) {
      scalars.push_back(scalar_for(draw, source));
    } else if (one_shape && !plans.empty()) {
      plans.push_back(plans[0]);
      plans.back().name = spec.name;
    } else {
      plans.push_back(draw.tile(std::string(spec.name).c_str(), source, nonempty));
    }
  }
  plans.push_back(one_shape && source == result ? plans[0] : draw.tile("dst", result, nonempty));
  plans.back().name = "dst";
  if (one_shape && source == result && !needs_distinct(name) && draw.random.one_in(4)) plans.back().in_place_of = 0;
  return draw.of(plans, 1, scalars, some_precision(draw), form);
}

// --- along rows and columns

DType index_type(const Draw& draw, bool with_value, bool columns) {
  const bool narrow = size_bytes(draw.type) == 2;
  if (!with_value || !narrow) return draw.random.pick({DType::I32, DType::U32});
  if (columns) return draw.random.pick({DType::I16, DType::U16});
  return draw.random.pick({DType::I16, DType::U16, DType::I32, DType::U32});
}
VectorPlan row_reduction(const Draw& draw) {
  const Valid shape = draw.some();
  return draw.of({draw.tile("src", draw.type, shape), draw.column("dst", draw.type, shape.rows)}, 1);
}
VectorPlan row_argument(const Draw& draw) {
  const Valid shape = draw.some();
  const bool with_value = draw.random.one_in(2);
  const DType index = index_type(draw, with_value, false);
  if (!with_value) return draw.of({draw.tile("src", draw.type, shape), draw.column("dst", index, shape.rows)}, 1);
  return draw.of({draw.tile("src", draw.type, shape), draw.column("value", draw.type, shape.rows),
                  draw.column("dst", index, shape.rows)},
                 2, {}, {}, 1);
}
VectorPlan column_reduction(const Draw& draw) {
  const Valid shape = draw.some();
  const bool sum = std::string_view(draw.row.name) == "tcolsum",
             binary = sum && size_bytes(draw.type) < 8 && draw.random.one_in(2);
  std::vector<BuildAttribute> attributes;
  if (binary) attributes = {{"isBinary", "true"}};
  return draw.of({draw.tile("src", draw.type, shape), draw.tile("dst", draw.type, {1, shape.cols})}, 1, {}, attributes);
}
VectorPlan column_argument(const Draw& draw) {
  const Valid shape = draw.some();
  const bool with_value = size_bytes(draw.type) > 1 && draw.random.one_in(2);
  const DType index = index_type(draw, with_value, true);
  if (!with_value) return draw.of({draw.tile("src", draw.type, shape), draw.tile("dst", index, {1, shape.cols})}, 1);
  return draw.of({draw.tile("src", draw.type, shape), draw.tile("value", draw.type, {1, shape.cols}),
                  draw.tile("dst", index, {1, shape.cols})},
                 2, {}, {}, 1);
}
VectorPlan row_expand(const Draw& draw) {
  const Valid shape = draw.some();
  return draw.of({draw.column("src", draw.type, shape.rows), draw.tile("dst", draw.type, shape)}, 1);
}
VectorPlan column_expand(const Draw& draw) {
  const Valid shape = draw.some();
  return draw.of({draw.tile("src", draw.type, {1, shape.cols}), draw.tile("dst", draw.type, shape)}, 1);
}
// The small operand is either source.
VectorPlan add_expanded(const Draw& draw, Valid shape, TilePlan small, std::vector<BuildAttribute> attributes = {}) {
  TilePlan full = draw.tile("full", draw.type, shape);
  const bool small_first = draw.random.one_in(3);
  std::vector<TilePlan> plans{small_first ? small : full, small_first ? full : small,
                              draw.tile("dst", draw.type, shape)};
  for (const BuildAttribute& precision : some_precision(draw)) attributes.push_back(precision);
  return draw.of(plans, 1, {}, attributes);
}
VectorPlan row_expand_binary(const Draw& draw) {
  Valid shape = draw.some();
  const std::uint32_t lanes = block_elements(draw.type);
  if (shape.cols == lanes || shape.cols == 1) ++shape.cols;  // both sources would fit
  if (draw.random.one_in(2)) {
    const std::uint32_t rows = (shape.rows + lanes - 1) / lanes * lanes;
    return add_expanded(draw, shape,
                        {"small", col_major(vec_tile(draw.type, rows, 1, kDynamic, kDynamic)), {shape.rows, 1}});
  }
  std::vector<BuildAttribute> attributes;
  if (draw.random.one_in(2)) attributes = {{"src1Col", std::to_string(draw.random.one_in(2) ? lanes : 1)}};
  return add_expanded(draw, shape,
                      {"small", vec_tile(draw.type, shape.rows, lanes, kDynamic, kDynamic), {shape.rows, lanes}},
                      attributes);
}
VectorPlan column_expand_binary(const Draw& draw) {
  Valid shape = draw.some();
  if (shape.rows == 1) shape.rows = 2;
  return add_expanded(draw, shape, draw.tile("small", draw.type, {1, shape.cols}));
}

// --- parts

// One source as large as the result, the other not larger.
std::pair<Valid, Valid> parts(const Draw& draw, Valid shape) {
  const Valid small{draw.random.one_in(2) ? shape.rows : draw.random.between(1, shape.rows),
                    draw.random.one_in(2) ? shape.cols : draw.random.between(1, shape.cols)};
  return draw.random.one_in(2) ? std::pair{shape, small} : std::pair{small, shape};
}
VectorPlan partial(const Draw& draw) {
  const Valid shape = draw.some();
  const auto [first, second] = parts(draw, shape);
  return draw.of(
      {draw.tile("src0", draw.type, first), draw.tile("src1", draw.type, second), draw.tile("dst", draw.type, shape)},
      1);
}
VectorPlan partial_argument(const Draw& draw) {
  const Valid shape = draw.some(1024);
  const auto [first, second] = parts(draw, shape);
  const DType index = size_bytes(draw.type) == 4 || draw.random.one_in(2) ? draw.random.pick({DType::I32, DType::U32})
                                                                          : draw.random.pick({DType::I16, DType::U16});
  return draw.of(
      {draw.tile("src0", draw.type, first), draw.tile("src1", draw.type, second), draw.tile("index0", index, first),
       draw.tile("index1", index, second), draw.tile("dst", draw.type, shape), draw.tile("index", index, shape)},
      2);
}

// --- made from numbers

VectorPlan count_up(const Draw& draw) {
  const std::uint32_t lanes = block_elements(draw.type), cols = draw.some().cols;
  return draw.of({{"dst", vec_tile(draw.type, 1, (cols + lanes - 1) / lanes * lanes, kDynamic, kDynamic), {1, cols}}},
                 1, {draw.scalar(draw.type)}, {{"descending", draw.random.one_in(2) ? "true" : "false"}});
}
VectorPlan triangle(const Draw& draw) {
  const Valid shape = draw.some();
  const auto diagonal = static_cast<std::int64_t>(draw.random.below(shape.rows + shape.cols + 8)) - shape.rows - 4;
  return draw.of({draw.tile("dst", draw.type, shape)}, 1, {{DType::I32, static_cast<std::uint32_t>(diagonal)}},
                 {{"upperOrLower", draw.random.one_in(2) ? "0" : "1"}});
}
VectorPlan random_words(const Draw& draw) {
  std::vector<Scalar> scalars;
  for (int i = 0; i < 6; ++i) scalars.push_back({DType::I32, draw.random.next() & 0xFFFFFFFF});
  return draw.of({draw.tile("dst", draw.type, draw.some(2 * 1024))}, 1, scalars,
                 {{"rounds", draw.random.one_in(2) ? "7" : "10"}});
}
VectorPlan histogram(const Draw& draw) {
  const Valid shape{draw.random.between(1, 4), draw.random.between(1, 300)};
  const int byte = static_cast<int>(draw.random.below(size_bytes(draw.type)));
  const TilePlan filter =
      draw.type == DType::U16
          ? TilePlan{"filter",
                     col_major(vec_tile(DType::U8, (shape.rows + 31) / 32 * 32, 1, kDynamic, kDynamic)),
                     {shape.rows, 1}}
          : TilePlan{"filter", vec_tile(DType::U8, 3, 320, kDynamic, kDynamic), {3, shape.cols}};
  return draw.of({draw.tile("src", draw.type, shape),
                  filter,
                  {"dst", vec_tile(DType::U32, shape.rows, 256, kDynamic, kDynamic), {shape.rows, 256}}},
                 1, {}, {{"byte", std::to_string(byte)}});
}

// --- compared, converted, moved

VectorPlan compare(const Draw& draw) {
  const Valid shape = draw.some();
  const bool scalar = std::string_view(draw.row.name) == "tcmps";
  const std::uint32_t bytes =
      std::max((shape.cols + 255) / 256 * 32, size_bytes(draw.type) == 8 ? 32u : 0u) + draw.random.below(3) * 32;
  const DType mask = draw.random.pick({DType::U8, DType::I8, DType::U16, DType::U32});
  const std::uint32_t cols = bytes / size_bytes(mask),
                      valid = draw.random.one_in(2)
                                  ? cols
                                  : std::max((shape.cols + 8 * size_bytes(mask) - 1) / (8 * size_bytes(mask)), 1u);
  const TilePlan dst{"dst", vec_tile(mask, shape.rows, cols, kDynamic, kDynamic), {shape.rows, valid}};
  const std::vector<BuildAttribute> mode{{"cmpMode", draw.random.pick({"eq", "ne", "lt", "le", "gt", "ge"})}};
  if (!scalar) {
    // Option quirks.tcmp reads each source at the other one's pitch.
    TilePlan src0 = draw.tile("src0", draw.type, shape), src1 = draw.tile("src1", draw.type, shape);
    src0.reserved_bytes = src1.reserved_bytes =
        std::max(src0.type.rows, src1.type.rows) * std::max(src0.type.cols, src1.type.cols) * size_bytes(draw.type);
    return draw.of({src0, src1, dst}, 1, {}, mode);
  }
  if (draw.random.one_in(3))
    return draw.of({draw.tile("src", draw.type, shape), draw.tile("src1", draw.type, {1, 1}), dst}, 1, {}, mode, 1);
  return draw.of({draw.tile("src", draw.type, shape), dst}, 1, {draw.scalar(draw.type)}, mode);
}
std::vector<DType> converted_types(Target target, DType from) {
  const bool a5 = target == Target::A5;
  switch (from) {
    case DType::F32:
      return a5 ? std::vector{DType::F16, DType::BF16,   DType::F32,    DType::I16, DType::I32,
                              DType::I64, DType::F8E4M3, DType::F8E5M2, DType::HIF8}
                : std::vector{DType::F16, DType::BF16, DType::F32, DType::I16, DType::I32, DType::I64};
    case DType::F16:
      return a5 ? std::vector{DType::F32, DType::I32, DType::I16, DType::I8, DType::U8, DType::HIF8}
                : std::vector{DType::F32, DType::I32, DType::I16, DType::I8, DType::U8, DType::I4};
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8: return {DType::F32};
    case DType::BF16:
      return a5 ? std::vector{DType::F32, DType::I32, DType::F16, DType::E2M1, DType::E1M2}
                : std::vector{DType::F32, DType::I32};
    case DType::E2M1:
    case DType::E1M2: return {DType::BF16};
    case DType::I4: return {DType::F16};
    case DType::I16:
      return a5 ? std::vector{DType::F16, DType::F32, DType::U8, DType::U32, DType::I32}
                : std::vector{DType::F16, DType::F32};
    case DType::I8: return a5 ? std::vector{DType::F16, DType::I16, DType::I32} : std::vector{DType::F16};
    case DType::U8: return a5 ? std::vector{DType::F16, DType::U16} : std::vector{DType::F16};
    case DType::I32:
      return a5 ? std::vector{DType::F32, DType::I16, DType::U16, DType::U8, DType::I64}
                : std::vector{DType::F32, DType::I16, DType::I64, DType::F16};
    case DType::U32: return {DType::U8, DType::U16, DType::I16};
    case DType::I64: return {DType::F32, DType::I32};
    default: return {};
  }
}
VectorPlan convert(const Draw& draw) {
  const Valid shape = draw.some(2 * 1024);
  const std::vector<DType> types = converted_types(draw.target, draw.type);
  const DType to = types[draw.random.below(static_cast<std::uint32_t>(types.size()))];
  std::vector<BuildAttribute> attributes;
  if (draw.random.one_in(2))
    attributes.push_back({"rmode", draw.random.pick({"rint", "round", "floor", "ceil", "trunc"})});
  if (draw.random.one_in(2)) attributes.push_back({"sat_mode", draw.random.pick({"on", "off"})});
  return draw.of({draw.tile("src", draw.type, shape), draw.tile("dst", to, shape)}, 1, {}, attributes);
}
VectorPlan same_tiles(const Draw& draw) {
  const Valid shape = draw.some();
  const TilePlan src = draw.tile("src", draw.type, shape);
  TilePlan dst = src;
  dst.name = "dst";
  return draw.of({src, dst}, 1);
}
// A second tile within UB is scratch, which nobody needs.
VectorPlan moved_tile(const Draw& draw) {
  VectorPlan plan = same_tiles(draw);
  if (draw.random.one_in(2)) return plan;
  plan.tiles.insert(plan.tiles.begin() + 1, draw.tile("fp", draw.type, plan.tiles.front().valid));
  plan.form = 2;
  return plan;
}
VectorPlan reshape(const Draw& draw) {
  const std::uint32_t lanes = block_elements(draw.type), rows = draw.random.between(1, 6),
                      cols = lanes * draw.random.between(1, 5);
  const TilePlan src{"src", vec_tile(draw.type, rows, cols), {rows, cols}};
  return draw.of(
      {src, {.name = "dst", .type = vec_tile(draw.type, 1, rows * cols), .valid = {1, rows * cols}, .in_place_of = 0}},
      1);
}
VectorPlan pad(const Draw& draw) {
  const std::string_view name = draw.row.name;
  const Valid shape = draw.some(1024);
  TilePlan src = draw.tile("src", draw.type, shape);
  TilePlan dst = src;
  dst.name = "dst";
  const std::uint32_t more = name == "tfillpad_expand" ? draw.random.below(3) : 0;
  dst.type.rows += more;
  dst.type.cols += more * (block_elements(draw.type));
  dst.type.valid_rows = dst.type.valid_cols = kDynamic;
  dst.type.pad = draw.random.pick({PadKind::Zero, PadKind::Max, PadKind::Min});
  dst.valid = {dst.type.rows, dst.type.cols};
  if (name == "tfillpad_inplace") dst.in_place_of = 0;
  return draw.of({src, dst}, 1);
}

// --- by index

const char* random_pattern(const Draw& draw) {
  return draw.random.pick({"P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"});
}
struct Every {
  std::uint32_t step, first;
  explicit Every(std::string_view pattern)
      : step(pattern == "P1111"                         ? 1
             : pattern == "P0101" || pattern == "P1010" ? 2
                                                        : 4),
        first(step == 1 ? 0 : static_cast<std::uint32_t>(pattern.size() - 1 - pattern.rfind('1'))) {}
};
DType index_of(const Draw& draw) {
  const bool short_ones = draw.target == Target::A5 && size_bytes(draw.type) < 8;
  return short_ones ? draw.random.pick({DType::I16, DType::U16, DType::I32, DType::U32})
                    : draw.random.pick({DType::I32, DType::U32});
}
VectorPlan gather_by_index(const Draw& draw) {
  const Valid shape = draw.some(1024), source{draw.random.between(1, 8), draw.random.between(1, 200)};
  return draw.of({draw.tile("src", draw.type, source), draw.tile("indices", index_of(draw), shape),
                  draw.tile("dst", draw.type, shape)},
                 1);
}
VectorPlan gather_by_pattern(const Draw& draw) {
  const char* pattern = random_pattern(draw);
  const Every every(pattern);
  const Valid shape = draw.some(1024);
  if (size_bytes(draw.type) < 8 && draw.random.one_in(2)) {
    const Valid source{(shape.rows - 1) * every.step + every.first + draw.random.between(1, 3), shape.cols};
    return draw.of({draw.tile("src", draw.type, source), draw.tile("dst", draw.type, shape)}, 1, {},
                   {{"maskPattern", pattern}, {"gatherAxis", "col"}}, 1);
  }
  const std::uint32_t cols = block_elements(draw.type) * draw.random.between(1, 5),
                      kept = shape.rows * ((shape.cols + every.step - 1) / every.step);
  TileType full = vec_tile(draw.type, kept / cols + 1, cols, kDynamic, kDynamic);
  return draw.of({draw.tile("src", draw.type, shape), whole_tile("dst", full)}, 1, {}, {{"maskPattern", pattern}}, 1);
}
VectorPlan gather_compared(const Draw& draw) {
  const Valid shape = draw.some(1024);
  const bool equal = draw.target == Target::A2A3 && draw.type == DType::I32 ? true : draw.random.one_in(2);
  const DType whole = size_bytes(draw.type) == 2 ? DType::I16 : DType::I32,
              limit = is_float(draw.type) && draw.random.one_in(2) ? whole : draw.type;
  const auto one_a_row = [&](const char* name, DType type) {
    return draw.random.one_in(2) ? draw.tile(name, type, {1, shape.rows}) : draw.column(name, type, shape.rows);
  };
  std::vector<BuildAttribute> attributes{{"cmpMode", equal ? "eq" : "gt"}};
  if (draw.random.one_in(2)) attributes.push_back({"offset", std::to_string(draw.random.below(5000))});
  std::vector<TilePlan> tiles{draw.tile("src", draw.type, shape)};
  std::vector<Scalar> scalars;
  const bool scalar = draw.random.one_in(2);
  if (scalar) scalars.push_back({limit, from_double(limit, draw.random.below(4))});
  else tiles.push_back(one_a_row("limit", limit));
  tiles.push_back(draw.tile("dst", draw.random.pick({DType::I32, DType::U32}), shape));
  tiles.push_back(one_a_row("counts", draw.random.pick({DType::I32, DType::U32})));
  return draw.of(tiles, 2, scalars, attributes, scalar ? 3 : 2);
}
VectorPlan gather(const Draw& draw) {
  const bool compares = draw.target == Target::A5
                            ? size_bytes(draw.type) % 8 / 2 != 0 && draw.type != DType::BF16
                            : draw.type == DType::F16 || draw.type == DType::F32 || draw.type == DType::I32;
  switch (draw.random.below(compares ? 4 : 2)) {
    case 0: return gather_by_index(draw);
    case 1: return gather_by_pattern(draw);
    default: return gather_compared(draw);
  }
}

VectorPlan scatter(const Draw& draw) {
  const Valid shape = draw.some(512);
  if (draw.random.one_in(2)) {
    const DType index = size_bytes(draw.type) < 4 ? draw.random.pick({DType::I16, DType::U16})
                                                  : draw.random.pick({DType::I32, DType::U32});
    return draw.of({draw.tile("src", draw.type, shape), draw.tile("indices", index, shape),
                    draw.tile("dst", draw.type, {draw.random.between(1, 8), shape.cols + draw.random.below(60)})},
                   1);
  }
  const char* pattern = random_pattern(draw);
  const std::uint32_t step = Every(pattern).step;
  const bool down = draw.random.one_in(2);
  const Valid whole{shape.rows * (down ? step : 1), shape.cols * (down ? 1 : step)};
  return draw.of({draw.tile("src", draw.type, shape), draw.tile("dst", draw.type, whole)}, 1, {},
                 {{"maskPattern", pattern}, {"scatterAxis", down ? "col" : "row"}}, 1);
}
VectorPlan pack(const Draw& draw) {
  const Valid shape = draw.valid();
  const DType half = draw.random.pick({DType::I16, DType::U16, DType::F16}),
              byte = draw.random.pick({DType::I8, DType::U8});
  const bool to_half = size_bytes(draw.type) == 4 && draw.random.one_in(2);
  return draw.of({draw.tile("src", draw.type, shape), draw.tile("dst", to_half ? half : byte, shape)}, 1);
}
VectorPlan concat(const Draw& draw) {
  const Valid first = draw.some(1024), second{first.rows, draw.random.between(1, 2 * first.cols)};
  Valid both{first.rows, first.cols + second.cols};
  TilePlan dst = draw.tile("dst", draw.type, both);
  // A2A3 asks for room only.
  if (draw.target == Target::A2A3 && dst.type.valid_cols == kDynamic) dst.valid.cols -= draw.random.below(both.cols);
  return draw.of({draw.tile("src0", draw.type, first), draw.tile("src1", draw.type, second), dst}, 1);
}
VectorPlan concat_counted(const Draw& draw) {
  const Valid first = draw.some(1024), second{first.rows, draw.random.between(1, 2 * first.cols)};
  const auto counts = [&](const char* name) {
    const DType type = draw.random.pick({DType::I16, DType::U16, DType::I32, DType::U32});
    return draw.tile(name, type, {first.rows, draw.random.between(1, 3)});
  };
  std::vector<TilePlan> tiles{
      draw.tile("src0", draw.type, first), draw.tile("src1", draw.type, second), counts("indices0"), counts("indices1"),
      draw.tile("dst", draw.type, {first.rows, draw.random.between(1, first.cols + second.cols + 20)})};
  const bool tells = draw.random.one_in(2);
  if (tells) tiles.push_back(counts("indices"));
  return draw.of(std::move(tiles), tells ? 2 : 1, {}, {}, tells ? 1 : 0);
}

// --- sorting

VectorPlan sort_blocks(const Draw& draw) {
  Valid shape = draw.some(1024);
  const bool fills_up = draw.random.one_in(2);
  const std::uint32_t whole = rounded_up(shape.cols, 32);
  if (!fills_up) shape.cols = whole;
  const std::uint32_t rows = draw.random.one_in(2) ? 1 : shape.rows;
  VectorPlan plan = draw.of(
      {draw.tile("src", draw.type, shape), random_tile(draw.random, "indices", DType::U32, {rows, shape.cols}, whole)},
      1);
  plan.names_scratch = fills_up || draw.random.one_in(4);
  if (plan.names_scratch) plan.tiles.push_back(draw.tile("tmp", draw.type, {1, whole}));
  plan.tiles.push_back(draw.tile("dst", draw.type, {shape.rows, whole * 8 / size_bytes(draw.type)}));
  return plan;
}
TilePlan list_of_records(const Draw& draw, const char* name, std::uint32_t cols) {
  TilePlan plan = draw.tile(name, draw.type, {1, cols});
  plan.type.rows = 1;
  return plan;
}
VectorPlan merge_blocks(const Draw& draw) {
  const std::uint32_t block = 64 * draw.random.between(1, 2), cols = 4 * block * draw.random.between(1, 3);
  return draw.of({list_of_records(draw, "src", cols), list_of_records(draw, "dst", cols)}, 1, {{DType::I32, block}});
}
VectorPlan merge(const Draw& draw) {
  if (draw.random.one_in(3)) return merge_blocks(draw);
  constexpr const char* kNames[] = {"src0", "src1", "src2", "src3"};
  const std::uint32_t lists = draw.random.between(2, 4), step = 8 / size_bytes(draw.type);
  VectorPlan plan = draw.of({}, 1, {}, {{"exhausted", draw.random.one_in(2) ? "true" : "false"}}, lists - 1);
  std::uint32_t tmp_cols = 0, merged = 0;
  for (std::uint32_t i = 0; i < lists; ++i) {
    const bool may_be_empty = i + 1 < lists || merged != 0;
    const std::uint32_t records = draw.wanted
                                      ? draw.wanted->cols / step
                                      : draw.random.between(may_be_empty ? 0 : 1, draw.random.one_in(4) ? 90 : 12);
    plan.tiles.push_back(list_of_records(draw, kNames[i], records * step));
    tmp_cols += plan.tiles.back().type.cols;
    merged += records * step;
  }
  const std::uint32_t block = block_elements(draw.type);
  tmp_cols += block * draw.random.below(3);
  plan.names_scratch = true;
  plan.tiles.push_back(whole_tile("tmp", vec_tile(draw.type, 1, tmp_cols, kDynamic, kDynamic)));
  const std::uint32_t most = draw.wanted || draw.random.one_in(2) ? merged : tmp_cols;
  plan.tiles.push_back(list_of_records(draw, "dst", draw.wanted ? most : draw.random.between(1, most)));
  return plan;
}

// --- quantising

// One for each row: close together on A5, with any pitch on A2A3.
TilePlan row_factors(const Draw& draw, const char* name, std::uint32_t rows) {
  if (draw.target == Target::A2A3) return draw.column(name, DType::F32, rows);
  return {name, col_major(vec_tile(DType::F32, (rows + 7) / 8 * 8, 1, kDynamic, kDynamic)), {rows, 1}};
}
VectorPlan quantise(const Draw& draw) {
  const Valid shape = draw.some(2 * 1024);
  const bool shifted = draw.random.one_in(2);
  std::vector<TilePlan> tiles{draw.tile("src", draw.type, shape), row_factors(draw, "scale", shape.rows)};
  if (shifted) tiles.push_back(row_factors(draw, "offset", shape.rows));
  tiles.push_back(draw.tile("dst", shifted ? DType::U8 : DType::I8, shape));
  std::vector<BuildAttribute> attributes;
  if (draw.random.one_in(2)) attributes = {{"quant_type", shifted ? "int8_asym" : "int8_sym"}};
  return draw.of(tiles, 1, {}, attributes, shifted ? 0 : 1);
}
VectorPlan dequantise(const Draw& draw) {
  const Valid shape = draw.some(2 * 1024);
  return draw.of({draw.tile("src", draw.type, shape), row_factors(draw, "scale", shape.rows),
                  row_factors(draw, "offset", shape.rows), draw.tile("dst", DType::F32, shape)},
                 1);
}

VectorPlan quantise_mx(const Draw& draw) {
  const bool down = draw.random.one_in(2), in_turn = down && draw.random.one_in(2),
             flat = !down && draw.random.one_in(3);
  Valid shape = draw.some(2 * 1024);
  if (down && !draw.wanted) shape = {draw.random.between(1, 140), draw.random.between(1, 90)};
  Valid groups = shape;
  (down ? groups.rows : groups.cols) = ((down ? groups.rows : groups.cols) + 31) / 32;
  const bool halves = draw.type != DType::F32, fp4 = halves && draw.random.one_in(2), nv = draw.random.one_in(2);
  const DType max = draw.type == DType::F16 && !nv ? DType::BF16 : draw.type;
  const Valid results = flat ? Valid{1, groups.rows * groups.cols} : groups,
              exponents = in_turn ? Valid{(groups.rows + 1) / 2, 2 * groups.cols} : results;
  return draw.of({draw.tile("src", draw.type, shape), draw.tile("dst", fp4 ? DType::E2M1 : DType::F8E4M3, shape),
                  draw.tile("exponents", draw.random.pick({DType::U8, DType::E8M0}), exponents),
                  draw.tile("max", max, results), draw.tile("scaling", halves ? DType::BF16 : DType::F32, results)},
                 4, {},
                 {{"quant_type", fp4 ? "mxfp4_e2m1" : "mxfp8"},
                  {"quantScaleAlg", nv ? "nv" : "ocp"},
                  {"grpAxis", down ? "0" : "1"},
                  {"interleave", in_turn ? "true" : "false"}});
}

const std::map<std::string_view, VectorPlan (*)(const Draw&)>& special_plans() {
  static const std::map<std::string_view, VectorPlan (*)(const Draw&)> plans = [] {
    std::map<std::string_view, VectorPlan (*)(const Draw&)> out;
    const auto are = [&](std::initializer_list<std::string_view> names, VectorPlan (*plan)(const Draw&)) {
      for (const std::string_view name : names) out[name] = plan;
    };
    are({"trowsum", "trowmax", "trowmin", "trowprod"}, row_reduction);
    are({"trowargmax", "trowargmin"}, row_argument);
    are({"tcolsum", "tcolmax", "tcolmin", "tcolprod"}, column_reduction);
    are({"tcolargmax", "tcolargmin"}, column_argument);
    are({"trowexpand"}, row_expand);
    are({"tcolexpand"}, column_expand);
    are({"trowexpandadd", "trowexpandsub", "trowexpandmul", "trowexpanddiv", "trowexpandmax", "trowexpandmin",
         "trowexpandexpdif"},
        row_expand_binary);
    are({"tcolexpandadd", "tcolexpandsub", "tcolexpandmul", "tcolexpanddiv", "tcolexpandmax", "tcolexpandmin",
         "tcolexpandexpdif"},
        column_expand_binary);
    are({"tpartadd", "tpartmul", "tpartmax", "tpartmin"}, partial);
    are({"tpartargmax", "tpartargmin"}, partial_argument);
    are({"tci"}, count_up);
    are({"ttri"}, triangle);
    are({"trandom"}, random_words);
    are({"thistogram"}, histogram);
    are({"tcmp", "tcmps"}, compare);
    are({"tcvt"}, convert);
    are({"tmov"}, moved_tile);
    are({"tconcat"}, concat);
    are({"tconcatidx"}, concat_counted);
    are({"tpack"}, pack);
    are({"tquant"}, quantise);
    are({"tdequant"}, dequantise);
    are({"tquant.mx"}, quantise_mx);
    are({"tgather"}, gather);
    are({"tscatter"}, scatter);
    are({"tsort32"}, sort_blocks);
    are({"tmrgsort"}, merge);
    are({"treshape"}, reshape);
    are({"tfillpad", "tfillpad_expand", "tfillpad_inplace"}, pad);
    return out;
  }();
  return plans;
}

// Rows that stood before the vector families, or are no vector instructions, have tests of their own.
bool has_own_test(std::string_view name) {
  constexpr std::string_view kNames[] = {"tload",           "tstore",
                                         "tassign",         "tsel",
                                         "tsels",           "tdeinterleave",
                                         "tinterleave",     "texpands",
                                         "ttrans",          "tgatherb",
                                         "ttwice",          "tspill",
                                         "mgather",         "mscatter",
                                         "tprefetch",       "textract",
                                         "tinsert",         "tmatmul",
                                         "tmatmul.acc",     "tmatmul.bias",
                                         "tgemv",           "tgemv.acc",
                                         "tgemv.bias",      "tmatmul.mx",
                                         "tmatmul.mx.acc",  "tmatmul.mx.bias",
                                         "tgemv.mx",        "tgemv.mx.acc",
                                         "tgemv.mx.bias",   "tget_scale_addr",
                                         "timg2col",        "setfmatrix",
                                         "set_img2col_rpt", "set_img2col_padding"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

}  // namespace

std::vector<const InstructionRow*> vector_instructions() {
  std::vector<const InstructionRow*> rows;
  for (const InstructionRow* row : catalogue())
    if (!has_own_test(row->name)) rows.push_back(row);
  return rows;
}

namespace {

VectorPlan plan_of(const Draw& draw) {
  const auto special = special_plans().find(draw.row.name);
  return special == special_plans().end() ? elementwise_plan(draw) : special->second(draw);
}

}  // namespace

void add_vector(ProgramBuilder& builder, Random& random, Target target, const InstructionRow& row,
                const VectorPlan& plan) {
  const auto ids = add_tiles(builder, random, target, plan.tiles);
  std::vector<BuildOperand> inputs, outputs;
  std::size_t next = 0, next_scalar = 0;
  for (const OperandSpec& spec : row.forms[plan.form].operands) {
    if (spec.role == Role::Out || (spec.role == Role::Tmp && !plan.names_scratch) || spec.by_attribute) continue;
    if (spec.kind == OperandKind::Scalar) {
      inputs.push_back(plan.scalars.at(next_scalar++));
    } else {
      inputs.push_back(ids.at(next++));
    }
  }
  for (std::size_t i = 0; i < plan.results; ++i) outputs.push_back(ids.at(next++));
  builder.add(row.name, inputs, outputs, plan.attributes);
}

VectorPlan plan_vector(Random& random, Target target, const InstructionRow& row, DType type,
                       std::optional<Valid> shape) {
  return plan_of({random, target, row, type, shape});
}

void add_random_vector(ProgramBuilder& builder, Random& random, Target target, const InstructionRow& row, DType type) {
  add_vector(builder, random, target, row, plan_of({random, target, row, type}));
}

void add_full_vector(ProgramBuilder& builder, Random& random, Target target, const InstructionRow& row, DType type,
                     Valid shape) {
  add_vector(builder, random, target, row, plan_of({random, target, row, type, shape, true}));
}

}  // namespace ts::test
