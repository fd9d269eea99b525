// From letters to words.
#include "core/cpp/words.h"

#include <algorithm>
#include <cctype>

namespace ts::cpp {
namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

bool is_name(std::string_view word) {
  return !word.empty() && is_letter(word.front()) && std::isdigit(static_cast<unsigned char>(word.front())) == 0;
}

std::vector<Word> directive_words_of(std::string_view text) {
  std::vector<Word> out;
  bool goes_on = false;  // the line before ended in a backslash
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    const bool wanted = goes_on || line.substr(first).starts_with('#');
    goes_on = wanted && line.ends_with('\\');
    if (!wanted) continue;
    line = line.substr(0, line.find("//"));
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (!is_letter(line[at])) continue;
      std::size_t end = at;
      while (end < line.size() && is_letter(line[end])) ++end;
      out.push_back({line.substr(at, end - at), number, static_cast<std::uint32_t>(at + 1)});
      at = end;
    }
  }
  return out;
}

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> out;
  std::uint32_t line = 1;
  std::size_t line_start = 0;
  bool line_begins = true;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::string_view rest = text.substr(at);
    const auto skip_to = [&](std::size_t end) {
      end = std::min(end, text.size());
      for (; at < end; ++at)
        if (text[at] == '\n') ++line, line_start = at + 1;
    };
    const auto column = static_cast<std::uint32_t>(at - line_start + 1);
    if (c == '\n') line_begins = true;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      skip_to(at + 1);
      continue;
    }
    if (rest.starts_with("//") || (c == '#' && line_begins)) {
      std::size_t end = at;
      do end = text.find('\n', end + 1);
      while (end != std::string_view::npos && c == '#' && text[end - 1] == '\\');
      skip_to(end == std::string_view::npos ? text.size() : end);
      continue;
    }
    line_begins = false;
    if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", at + 2);
      skip_to(end == std::string_view::npos ? text.size() : end + 2);
      continue;
    }
    if (c == '"' || c == '\'') {
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != c && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      out.push_back({text.substr(at, 1), line, column});
      skip_to(end + 1);
      continue;
    }
    std::size_t end = at + 1;
    if (is_letter(c))
      while (end < text.size() && is_letter(text[end])) ++end;
    else if (rest.starts_with("::")) end = at + 2;
    out.push_back({text.substr(at, end - at), line, column});
    at = end;
  }
  return out;
}

}  // namespace ts::cpp
