// The words that attributes of operations take, by family: `ge` of #pto<wait_cmp ge>. One row has all that is known of a family.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ts::text {

// Whether the manual names every word of a family. Of an open one, other words are unverified and not wrong.
enum class Words : std::uint8_t { Closed, Open };

struct WordList {
  std::string_view family;
  const char* what;             // for messages: "compare"
  std::string_view words;       // with blanks between them
  std::string_view other = {};  // what means the same and is not suggested
  Words kind = Words::Closed;
};

std::span<const WordList> word_lists();
const WordList* find_word_list(std::string_view family);  // null: nothing is known of its words
// Whether it knows a word, in capitals or not.
bool knows_word(const WordList& list, std::string_view word);

}  // namespace ts::text
