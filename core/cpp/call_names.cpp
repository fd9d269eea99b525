// Reading calls in a source.
#include "core/cpp/call_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>

namespace ts::cpp {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Behind the brackets that open here; npos: they do not close.
std::size_t behind_brackets(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '<' || text[at] == '(' || text[at] == '[' || text[at] == '{') ++depth;
    if (text[at] == '>' || text[at] == ')' || text[at] == ']' || text[at] == '}')
      if (--depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

std::size_t find_call(std::string_view text, std::string_view op, std::size_t from) {
  for (std::size_t at = text.find(op, from); at != std::string_view::npos; at = text.find(op, at + 1)) {
    const std::size_t end = at + op.size();
    if ((at == 0 || !is_word(text[at - 1])) && end < text.size() && !is_word(text[end])) return end;
  }
  return std::string_view::npos;
}

// Where a call begins, its bracket, and behind it; nothing: there is none.
struct CallSpan {
  std::size_t begin, bracket, end;
};
std::optional<CallSpan> find_span(std::string_view text, std::string_view op, std::uint32_t column) {
  // The compiler's column is that of the call's name or of its bracket.
  const std::size_t guess = column > op.size() + 1 ? column - 1 - op.size() : 0;
  std::size_t at = find_call(text, op, std::min(guess, text.size()));
  if (at == std::string_view::npos) at = find_call(text, op, 0);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at - op.size();
  const auto skip_blanks = [&] {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  };
  skip_blanks();
  if (at < text.size() && text[at] == '<') at = behind_brackets(text, at);
  if (at == std::string_view::npos) return {};
  skip_blanks();
  if (at >= text.size() || text[at] != '(') return {};
  int depth = 0;
  for (std::size_t end = at; end < text.size(); ++end) {
    if (text[end] == '(') ++depth;
    if (text[end] == ')' && --depth == 0) return CallSpan{begin, at, end + 1};
  }
  return {};
}

}  // namespace

std::vector<std::string> read_arguments(std::string_view text, std::string_view op, std::uint32_t column) {
  const auto span = find_span(text, op, column);
  if (!span) return {};
  std::vector<std::string> out;
  std::string one;
  int depth = 0;
  for (std::size_t at = span->bracket + 1; at < span->end; ++at) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || c == ')')) {
      if (!one.empty() || c == ',') out.push_back(one);
      one.clear();
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (std::isspace(static_cast<unsigned char>(c)) == 0) one += c;
  }
  return out;
}

std::string read_call_text(std::string_view text, std::string_view op, std::uint32_t column) {
  const auto span = find_span(text, op, column);
  if (!span) return {};
  std::string out;
  for (const char c : text.substr(span->begin, span->end - span->begin)) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank) out += c;
    else if (!out.empty() && out.back() != ' ' && out.back() != '(') out += ' ';
  }
  constexpr std::size_t kLongest = 200;
  if (out.size() > kLongest) out = out.substr(0, kLongest) + "...";
  return out;
}

std::string as_name(std::string_view spelled) {
  std::string out;
  for (const char c : spelled)
    if (is_word(c)) out += c;
    else if (!out.empty() && out.back() != '_') out += '_';
  while (!out.empty() && out.back() == '_') out.pop_back();
  constexpr std::size_t kLongest = 40;
  if (out.size() > kLongest) out.resize(kLongest);
  if (!out.empty() && std::isdigit(static_cast<unsigned char>(out.front())) != 0) out.insert(out.begin(), '_');
  return out;
}

const std::vector<std::string>& CallNames::lines_of(const std::string& file) {
  const auto [it, made] = files_.try_emplace(file);
  if (!made) return it->second;
  constexpr std::size_t kMostLines = 1'000'000;
  std::ifstream in(file);
  for (std::string line; it->second.size() < kMostLines && std::getline(in, line);) it->second.push_back(line);
  return it->second;
}

std::string CallNames::text(const std::string& file) {
  std::string out;
  for (const std::string& line : lines_of(file)) out += line + "\n";
  return out;
}

std::string CallNames::text_from(const std::string& file, std::uint32_t line) {
  constexpr std::uint32_t kMostLines = 12;  // that one call goes over
  const std::vector<std::string>& lines = lines_of(file);
  std::string text;
  for (std::uint32_t i = line; i >= 1 && i <= lines.size() && i < line + kMostLines; ++i) text += lines[i - 1] + "\n";
  return text;
}

std::string CallNames::call(const std::string& file, std::string_view op, std::uint32_t line, std::uint32_t column) {
  return read_call_text(text_from(file, line), op, column);
}

std::string CallNames::pointee(const std::string& file, std::string_view op, std::uint32_t line, std::uint32_t column) {
  const std::vector<std::string> arguments = read_arguments(text_from(file, line), op, column);
  if (arguments.empty()) return {};
  const std::string& one = arguments.front();
  std::size_t at = one.rfind('&');
  if (at == std::string::npos) at = one.rfind(')', one.size() - 2);
  return as_name(std::string_view(one).substr(at == std::string::npos ? 0 : at + 1));
}

const std::vector<std::string>& CallNames::arguments(const std::string& file, std::string_view op, std::uint32_t line,
                                                     std::uint32_t column) {
  const auto [it, made] = known_.try_emplace(fmt::format("{}:{}:{}:{}", file, line, column, op));
  if (!made) return it->second;
  for (const std::string& one : read_arguments(text_from(file, line), op, column)) it->second.push_back(as_name(one));
  return it->second;
}

}  // namespace ts::cpp
