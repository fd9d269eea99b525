// What an instruction does, as its page states it: which elements it writes, with which bits, made of what. An oracle
// reads the memories of before and loops over (row, column); it knows no register, no mask, no machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/isa/row.h"

namespace ts::oracle {

// The memories before the instruction.
struct Before {
  std::span<const std::byte> ub, gm;
  std::uint64_t read(const ByteRange& place) const {
    const auto from = (place.space == Space::Gm ? gm : ub).subspan(place.address, place.size);
    std::uint64_t bits = 0;
    std::memcpy(&bits, from.data(), from.size());
    return bits;
  }
};

// A part of a result: an element, a mask bit that decided, or the scalar operand.
struct Origin {
  enum class Kind : std::uint8_t { Element, MaskBit, Scalar };
  Kind kind = Kind::Element;
  const char* operand = "";
  std::uint32_t row = 0, col = 0;
  ByteRange place;  // not for scalars
  std::uint32_t bit = 0;
};

struct Element {
  ByteRange place;
  std::uint64_t bits = 0;
  const char* operand = "";  // the result it belongs to
  std::uint32_t row = 0, col = 0;
  Origin from[2];
  std::uint8_t origins = 0;

  void made_of(const Origin& origin) { from[origins++] = origin; }
};

struct Effects {
  std::vector<Element> written;
  std::vector<ByteRange> unspecified;  // no page says what these elements hold; they may have been written
  std::vector<std::uint64_t> unspecified_bits;  // for whoever compares: what they were found to hold
  std::vector<ByteRange> kept;         // unspecified by the page, yet the emulator promises the old bytes
};

// Element (row, col) of a row-major or col-major tile.
inline ByteRange element_place(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  const std::uint32_t index = tile.type.blayout == BoxOrder::RowMajor ? row * tile.type.cols + col : col * tile.type.rows + row;
  const std::uint32_t size = size_bytes(tile.type.dtype);
  return {Space::Ub, tile.address + index * size, size};
}
inline Origin element_origin(const char* operand, const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  return {Origin::Kind::Element, operand, row, col, element_place(tile, row, col), 0};
}

// The effects of a bound instruction; aborts for one without an oracle.
Effects effects_of(const Bound& bound, const Before& before);

// One per instruction.
Effects tadd(const Bound& bound, const Before& before);
Effects tsels(const Bound& bound, const Before& before);
Effects tdeinterleave(const Bound& bound, const Before& before);
Effects tload(const Bound& bound, const Before& before);
Effects tstore(const Bound& bound, const Before& before);

}  // namespace ts::oracle
