// How one element is written: short, whole, as digits, as bits; and what stands for values that are no numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/isa/element.h"
#include "core/memory/memory.h"

namespace ts {

enum class NumberStyle : std::uint8_t { Decimal, Hex, Bits, Exact };
inline constexpr int kNumberStyles = 4;
const char* name(NumberStyle style);  // "decimal", "hex", ...

inline constexpr const char* kUndefinedText = "..";
// The end of a number of which not all digits are there.
inline constexpr const char* kCutMark = "…";

// The element, whole: "2.5", "NaN", "+inf", "1e-40·d" (denormal), ".." (never written), "2.5?" (unspecified). Decimal
// has as many digits as the element needs; Hex has no "0x".
std::string cell_text(const ElementFormat& format, std::uint64_t bits, Definedness worth, NumberStyle style);
// The same in at most so many characters: of decimals fewer digits, marked as cut ("3.14…"), of the others the last
// ones
// ("…3f80"). Empty where nothing true fits.
std::string fitted_text(const ElementFormat& format, std::uint64_t bits, Definedness worth, NumberStyle style,
                        std::size_t most);
// With so many significant digits, "1.23e7…"; without the mark where that is all of it.
std::string rounded_text(const ElementFormat& format, std::uint64_t bits, int digits);
// The number of characters, however many bytes they take.
std::size_t characters(const std::string& text);

// What an element is worth and is like, in words: "a denormal number", "never written: the byte pattern is what the
// memory started with".
std::string class_words(const ElementFormat& format, std::uint64_t bits);
const char* worth_words(Definedness worth);

}  // namespace ts
