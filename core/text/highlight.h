// What the words of a line of program text are, for colouring and for pointing at names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/text/tree.h"

namespace ts::text {

enum class WordKind : std::uint8_t { Plain, Comment, Name, Symbol, Op, Type, Number, String, Attribute };

// Bytes [begin, end) of the line.
struct ColoredWord {
  std::uint32_t begin = 0, end = 0;
  WordKind kind = WordKind::Plain;
  bool operator==(const ColoredWord&) const = default;
};

// In their order; what lies between them is plain. Lines count from 1. Looks at this line alone: of a type that goes
// over several lines, the part that is on the line it began in is known.
std::vector<ColoredWord> colored_words(const Tree& tree, std::uint32_t line);

// "for %row", of a loop that stands at a place in the text; "vecscope" of a region; "loop" where the text has no name
// for it.
std::string loop_title(const Tree& tree, SourcePos pos);
// What stands before the place of a loop in a list of calls, which has none itself.
// The line that people know it by: of a list of calls, that of its source. `tree` may be null.
std::uint32_t line_of_loop(const Tree* tree, SourcePos pos);
inline constexpr std::string_view kListedLoop = "// loop ";

}  // namespace ts::text
