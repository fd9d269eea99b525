// What an instruction does, as its page states it: which elements it writes, with which bits, made of what. An oracle
// reads the memories of before and loops over (row, column); it knows no register, no mask, no machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "core/catalogue/row.h"

namespace ts::oracle {

// The memories before the instruction, one behind the other as their map says.
struct Before {
  std::span<const std::byte> all;
  const MemoryMap* map;
  std::uint64_t read(const ByteRange& place) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, all.data() + map->flat(place), place.size);
    if (place.part == BytePart::Whole) return bits;
    return place.part == BytePart::Low ? bits % 16 : bits / 16;
  }
};

// A part of a result: an element, one that decided which, a mask bit that decided, a scalar operand, or one that decided.
struct Origin {
  enum class Kind : std::uint8_t { Element, Decider, MaskBit, Scalar, ScalarDecider };
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
  std::vector<Origin> from;

  void made_of(const Origin& origin) { from.push_back(origin); }
};

// A special register that an instruction leaves something in, where its page tells.
struct SpecialWrite {
  ByteRange place;
  std::uint64_t bits = 0;
};

struct Effects {
  std::vector<Element> written;
  std::vector<SpecialWrite> registers = {};
  std::vector<ByteRange> unspecified;           // no page says what these elements hold; they may have been written
  std::vector<std::uint64_t> unspecified_bits;  // for whoever compares: what they were found to hold
  std::vector<ByteRange> kept;                  // unspecified by the page, yet the emulator promises the old bytes
};

// So many elements fill 32 bytes.
std::uint32_t elements_a_block(DType type);
// Number `index` of elements that stand behind each other from an address on. Of 4 bits: the even ones in the lower halves of
// bytes.
ByteRange numbered_place(Space space, std::uint32_t begin, DType type, std::uint32_t index);
// What moves bytes moves the element that shares one with the last, too.
std::uint32_t whole_bytes(DType type, std::uint32_t elements);
// Element (row, col) of a tile, whatever its layout.
ByteRange element_place(const TileRef& tile, std::uint32_t row, std::uint32_t col);
inline Origin element_origin(const char* operand, const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  return {Origin::Kind::Element, operand, row, col, element_place(tile, row, col), 0};
}
// What makes the bit of a packed mask that governs (row, col): bit col % 8 of byte col / 8 of a row `pitch` bytes long.
Origin mask_bit_origin(const TileRef& mask, std::uint32_t pitch, std::uint32_t row, std::uint32_t col);
// Element (row, col) of a result, as a copy of the bits at `from`.
Element copied(const Before& before, const char* operand, const TileRef& tile, std::uint32_t row, std::uint32_t col,
               const Origin& from);

// The effects of a bound instruction; aborts for one without an oracle.
Effects effects_of(const Bound& bound, const Before& before);

// The oracles of a file, by the names of their instructions: `const Oracles tadd_oracles{{"tadd", tadd}, ...};`.
struct OracleRow {
  std::string_view name;
  Effects (*oracle)(const Bound&, const Before&);
};
struct Oracles {
  Oracles(std::initializer_list<OracleRow> rows);
};
bool has_oracle(std::string_view instruction);
std::vector<std::string_view> oracle_names();

}  // namespace ts::oracle
