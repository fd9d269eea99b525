// The words and signs of a C++ source, for whoever looks for a shape among them. No parser.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ts::cpp {

struct Word {
  std::string_view text;  // a part of the source
  std::uint32_t line;
  std::uint32_t column = 0;  // from 1
};

bool is_name(std::string_view word);
// Without comments, preprocessor lines and what stands in strings.
std::vector<Word> words_of(std::string_view text);
// The names in preprocessor lines.
std::vector<Word> directive_words_of(std::string_view text);

}  // namespace ts::cpp
