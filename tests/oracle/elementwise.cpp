// The walk over dst's valid region, and formulas that several families share.
#include "tests/oracle/elementwise.h"

#include <algorithm>
#include <string_view>

namespace ts::oracle {
namespace {

std::uint32_t written_columns(const Bound& bound, const TileRef& dst, Columns columns) {
  const std::uint32_t valid = dst.valid_cols, size = size_bytes(dst.type.dtype);
  if (columns == Columns::Pairs && bound.target == Target::A2A3 && size == 1) return valid + valid % 2;
  if (columns == Columns::OneRegister && bound.options->quirk_words64 && size == 8) return std::min(valid, 64u);
  return valid;
}

std::uint64_t count_of(const Lane& lane, DType count_type) {
  const std::uint64_t count = extended(count_type, lane.in[1]);
  const std::uint32_t width = 8 * size_bytes(lane.type);
  return width == 64 || lane.bound.options->shift_modulo ? count % width : count;
}

}  // namespace

Origin input_origin(const Bound& bound, const char* input, std::uint32_t row, std::uint32_t col) {
  const Operand* operand = bound.find(input);
  if (operand != nullptr && operand->spec->kind == OperandKind::Scalar)
    return {.kind = Origin::Kind::Scalar, .operand = input, .place = {}};
  return element_origin(input, bound.tile(input), row, col);
}

std::uint64_t input_bits(const Bound& bound, const Before& before, const Origin& origin) {
  if (origin.kind != Origin::Kind::Scalar) return before.read(origin.place);
  const Scalar& scalar = bound.scalar(origin.operand);
  return low_bits(scalar.dtype, scalar.bits);
}

Element element_with(const char* operand, const TileRef& tile, std::uint32_t row, std::uint32_t col,
                     std::uint64_t bits) {
  return {.place = element_place(tile, row, col), .bits = bits, .operand = operand, .row = row, .col = col, .from = {}};
}

Effects elementwise(const Bound& bound, const Before& before, std::span<const char* const> inputs, Formula formula,
                    Walk walk) {
  const TileRef& dst = bound.tile("dst");
  const std::uint32_t cols = written_columns(bound, dst, walk.columns);
  Effects effects;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < cols; ++col) {
      Lane lane{bound, dst.type.dtype};
      Element element = element_with("dst", dst, row, col, 0);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Origin origin = input_origin(bound, inputs[i], row, col);
        lane.in[i] = input_bits(bound, before, origin);
        element.made_of(origin);
      }
      element.bits = formula(lane);
      effects.written.push_back(element);
    }
  }
  if (walk.a2a3_scratch) leave_scratch(bound, effects);
  return effects;
}

void leave_scratch(const Bound& bound, Effects& effects, bool on_both) {
  if ((bound.target != Target::A2A3 && !on_both) || effects.written.empty() || !bound.has("tmp")) return;
  const TileRef& tmp = bound.tile("tmp");
  for (std::uint32_t row = 0; row < tmp.type.rows; ++row)
    for (std::uint32_t col = 0; col < tmp.type.cols; ++col) effects.unspecified.push_back(element_place(tmp, row, col));
}

void overwrite_source(const Bound& bound, Effects& effects, const char* operand, std::uint32_t row, std::uint32_t col,
                      std::uint64_t bits, std::span<const Origin> from) {
  Element element = element_with(operand, bound.tile(operand), row, col, bits);
  if (bound.options->keep_sources || element.place == element_place(bound.tile("dst"), row, col)) return;
  for (const Origin& origin : from) element.made_of(origin);
  effects.written.push_back(element);
}

bool high_precision(const Bound& bound) {
  const auto& attributes = bound.row->attributes;
  const bool known = std::ranges::any_of(
      attributes, [](const AttributeSpec& spec) { return std::string_view(spec.name) == "precision_mode"; });
  return bound.target == Target::A5 && known && bound.attribute("precision_mode") != 0;
}

std::uint64_t by_zero(const Lane& lane) {
  return size_bytes(lane.type) == 8 || lane.bound.options->int_div_zero ? 0 : ~0ull;
}

std::uint64_t quotient(const Lane& lane, std::uint64_t a, std::uint64_t b) {
  return div(lane.type, a, b, by_zero(lane));
}

std::uint64_t multiply_add(const Bound& bound, DType type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const bool once = bound.target == Target::A5 || bound.options->a2a3_fused;
  return once ? fma(type, a, b, c) : add(type, mul(type, a, b), c);
}

std::uint64_t multiply_add_tiles(const Bound& bound, DType type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const bool twice = bound.target == Target::A5 && type == DType::F16 && !bound.options->a5_fused;
  return twice ? add(type, mul(type, a, b), c) : multiply_add(bound, type, a, b, c);
}

std::uint64_t saturated(const Bound& bound, DType type, std::uint64_t bits, Rounding rounding) {
  if (bound.target == Target::A5 && is_nan(DType::F32, bits)) return 0;
  return convert(type, DType::F32, bits, rounding, Overflow::Saturate);
}

std::uint64_t relu_of(const Lane& lane, std::uint64_t a) {
  return relu(lane.type, a, lane.bound.options->relu_of_nan != 0);
}

std::uint64_t bit_and(DType, std::uint64_t a, std::uint64_t b) { return a & b; }
std::uint64_t bit_or(DType, std::uint64_t a, std::uint64_t b) { return a | b; }
std::uint64_t bit_xor(DType, std::uint64_t a, std::uint64_t b) { return a ^ b; }

std::uint64_t shifted_left(const Lane& lane, DType count_type) {
  const std::uint64_t count = count_of(lane, count_type), value = lane.in[0],
                      result = shift_left(lane.type, value, count);
  // Option quirks.shift64: the low word is shifted into the high one with its sign.
  const bool sign_leaks =
      lane.bound.options->quirk_shift64 && size_bytes(lane.type) == 8 && count < 32 && (value & 0x80000000) != 0;
  return sign_leaks ? result | 0xFFFFFFFFull << (32 + count) : result;
}

std::uint64_t shifted_right(const Lane& lane, DType count_type) {
  return shift_right(lane.type, lane.in[0], count_of(lane, count_type));
}

}  // namespace ts::oracle
