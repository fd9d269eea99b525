// Texts from strangers on their way into files of other formats: nothing in them means anything there, and all of them
// are UTF-8 afterwards.
#pragma once

#include <string>
#include <string_view>

namespace ts {

// With its quotes.
std::string json_string(std::string_view text);
// For text and for attributes in double quotes; what neither HTML nor XML may hold is replaced.
std::string html_text(std::string_view text);
// As one word of a shell's command line: 'im[1,7]'.
std::string shell_word(std::string_view text);
// As a literal of Lua, with its quotes.
std::string lua_string(std::string_view text);

}  // namespace ts
