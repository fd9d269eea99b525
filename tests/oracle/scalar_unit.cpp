// What the scalar unit writes. TSETVAL: element `offset` of dst's storage = value. STORE_SCALAR: *dst = value.
#include "tests/oracle/effects.h"

namespace ts::oracle {
namespace {

Effects one_element(const Bound& bound, const ByteRange& place, std::uint32_t row, std::uint32_t col) {
  std::uint64_t bits = bound.scalar("value").bits;
  if (place.size < 8) bits &= (1ull << 8 * place.size) - 1;
  Element element{.place = place, .bits = bits, .operand = "dst", .row = row, .col = col, .from = {}};
  element.made_of({.kind = Origin::Kind::Scalar, .operand = "value", .place = {}});
  Effects effects;
  effects.written.push_back(element);
  return effects;
}

Effects tsetval(const Bound& bound, const Before&) {
  const TileRef& dst = bound.tile("dst");
  const auto offset = static_cast<std::uint32_t>(bound.scalar("offset").bits);
  const std::uint32_t size = size_bytes(dst.type.dtype);
  return one_element(bound, {Space::Ub, dst.address + offset * size, size}, offset / dst.type.cols,
                     offset % dst.type.cols);
}

Effects store_scalar(const Bound& bound, const Before&) {
  const GlobalRef& dst = bound.global("dst");
  return one_element(bound, {Space::Gm, dst.address, size_bytes(dst.dtype)}, 0, 0);
}

const Oracles scalar_unit_oracles{{"tsetval", tsetval}, {"store_scalar", store_scalar}};

}  // namespace
}  // namespace ts::oracle
