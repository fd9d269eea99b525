// Reading, combining and writing values.
#include "tests/oracle/work.h"

#include <algorithm>

#include "tests/oracle/elementwise.h"
#include "tests/oracle/number.h"

namespace ts::oracle {

Value computed(std::uint64_t bits, const Value& a, const Value& b) {
  Value value{bits, a.from};
  value.from.insert(value.from.end(), b.from.begin(), b.from.end());
  return value;
}

Value Work::element(const char* operand, std::uint32_t row, std::uint32_t col) const {
  return at(element_origin(operand, bound_.tile(operand), row, col));
}

Value Work::scalar(const char* operand) const {
  const Scalar& scalar = bound_.scalar(operand);
  return {low_bits(scalar.dtype, scalar.bits), {{.kind = Origin::Kind::Scalar, .operand = operand, .place = {}}}};
}

std::string_view Work::attribute(std::string_view name) const {
  for (const AttributeSpec& spec : bound_.row->attributes)
    if (spec.name == name) return value_name(spec.values, bound_.attribute(name));
  return "";
}

std::uint8_t Work::attribute_number(std::string_view name) const {
  for (const AttributeSpec& spec : bound_.row->attributes)
    if (spec.name == name) return bound_.attribute(name);
  return 0;
}

void Work::put(const char* operand, std::uint32_t row, std::uint32_t col, const Value& value) {
  const TileRef& tile = bound_.tile(operand);
  put_at(element_place(tile, row, col), operand, row, col, {low_bits(tile.type.dtype, value.bits), value.from});
}

void Work::put_at(const ByteRange& place, const char* operand, std::uint32_t row, std::uint32_t col,
                  const Value& value) {
  effects_.written.push_back(
      {.place = place, .bits = value.bits, .operand = operand, .row = row, .col = col, .from = value.from});
}

void Work::leave_open(const ByteRange& place) {
  for (std::uint32_t done = 0; done < place.size; done += 8)
    effects_.unspecified.push_back({place.space, place.address + done, std::min(place.size - done, 8u)});
}

void Work::leave_scratch(bool on_both) { oracle::leave_scratch(bound_, effects_, on_both); }

std::uint32_t Work::done_columns(DType type, std::uint32_t cols) const {
  const bool some = on(Target::A5) && bound_.options->quirk_words64 && size_bytes(type) == 8;
  return some ? std::min(cols, 64u) : cols;
}

std::uint32_t ceil_div(std::uint32_t value, std::uint32_t by) { return (value + by - 1) / by; }
std::uint32_t rounded_up(std::uint32_t value, std::uint32_t to) { return ceil_div(value, to) * to; }

}  // namespace ts::oracle
