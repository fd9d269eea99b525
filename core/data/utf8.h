// Characters of texts that may hold anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ts::data {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: there is none at this place, only a byte that is no UTF-8
};

// The one that begins at `at`, which is inside of the text.
Character character_at(std::string_view text, std::size_t at);

// Whether a byte is in a character, but not its first.
inline bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Control characters, and those that change the direction of what stands around them; not the end of a line and tabs.
bool is_control(std::uint32_t code);

// A text from a stranger on its way to a terminal or into a message: controls are shown as \x1b or \u{202e}, bytes that
// are no UTF-8 as \xff. A carriage return before the end of a line goes.
std::string shown(std::string_view text);
// The same for text that comes in pieces. What may go on in the next piece is left: the bytes that were taken come back.
std::size_t append_shown(std::string& out, std::string_view text);

// A name from a stranger, which has one line: ends of lines and tabs are shown as well.
std::string shown_name(std::string_view name);
// The first of some names from a stranger, for a message.
std::string some_of(std::span<const std::string> names);

}  // namespace ts::data
