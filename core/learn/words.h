// What learners type, before anybody reads it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace ts::learn {

// Without blanks at its ends.
std::string trimmed(std::string_view text);
std::string lower(std::string text);
bool is_one_of(std::string_view word, std::initializer_list<const char*> words);

}  // namespace ts::learn
