// Reading watch expressions, as far as they are not Lua.
#include "scripting/objects/values/watch_text.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace ts::scripting {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Behind a text in quotes that begins at `at`; what is not closed ends with the expression.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

// Behind a [[text]] or [==[text]==] that begins at `at`; `at` itself where none does.
std::size_t behind_long_text(std::string_view text, std::size_t at) {
  std::size_t open = at + 1;
  while (open < text.size() && text[open] == '=') ++open;
  if (open >= text.size() || text[open] != '[') return at;
  const std::string close = "]" + std::string(open - at - 1, '=') + "]";
  const std::size_t end = text.find(close, open + 1);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

// Behind the token that begins at `at`: a text, a word, or one character. Sees [[text]] only where an index cannot be.
std::size_t behind_token(std::string_view text, std::size_t at, bool after_value) {
  const char c = text[at];
  if (c == '"' || c == '\'') return behind_quotes(text, at);
  if (c == '[' && !after_value) return std::max(at + 1, behind_long_text(text, at));
  std::size_t end = at + 1;
  if (is_word(c))
    while (end < text.size() && is_word(text[end])) ++end;
  return end;
}

bool is_keyword(std::string_view word) {
  for (const char* operation : {"and", "or", "not", "return", "in"})
    if (word == operation) return true;
  return false;
}

// Whether what follows this token can be an index or a binary operator.
bool ends_value(std::string_view token) {
  const char last = token.back();
  return (is_word(last) && !is_keyword(token)) || last == ')' || last == ']' || last == '}' || last == '"' ||
         last == '\'';
}

// The parts between commas outside of all brackets and texts. `end` is where they end: at the bracket that closes what
// was opened before, or at the end of the text.
struct Parts {
  std::vector<std::string_view> parts;
  std::size_t end = 0;
};
Parts parts_from(std::string_view text, std::size_t at) {
  Parts found;
  std::size_t begin = at;
  int depth = 0;
  for (bool after_value = false; at < text.size();) {
    const std::size_t end = behind_token(text, at, after_value);
    const std::string_view token = text.substr(at, end - at);
    if (token.size() == 1 && std::string_view("([{").find(token[0]) != std::string_view::npos) ++depth;
    if (token.size() == 1 && std::string_view(")]}").find(token[0]) != std::string_view::npos && --depth < 0) break;
    if (token == "," && depth == 0) {
      found.parts.push_back(text.substr(begin, at - begin));
      begin = end;
    }
    if (!is_blank(token[0])) after_value = ends_value(token);
    at = end;
  }
  found.parts.push_back(text.substr(begin, at - begin));
  found.end = at;
  return found;
}

std::size_t behind_name(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_word(text[at]) || text[at] == '$' || text[at] == '.')) ++at;
  return at;
}

// The index that opens at `at`, and goes on behind it.
std::string rewrite_index(std::string_view text, std::size_t& at) {
  const Parts inside = parts_from(text, at + 1);
  const bool closed = inside.end < text.size() && text[inside.end] == ']';
  const bool is_cell = closed && inside.parts.size() == 2;
  std::string out = is_cell ? ":cell(" : "[";
  for (std::size_t i = 0; i < inside.parts.size(); ++i) out += (i == 0 ? "" : ",") + rewrite_cells(inside.parts[i]);
  if (closed) out += is_cell ? ")" : "]";
  at = closed ? inside.end + 1 : inside.end;
  return out;
}

}  // namespace

std::string rewrite_cells(std::string_view text) {
  std::string out;
  bool after_value = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '[' && after_value) {
      out += rewrite_index(text, at);
      continue;
    }
    if (text[at] == '%' && !after_value) {
      const std::size_t end = behind_name(text, at + 1);
      if (end > at + 1) {
        out += "named('" + std::string(text.substr(at + 1, end - at - 1)) + "')";
        after_value = true;
        at = end;
        continue;
      }
    }
    const std::size_t end = behind_token(text, at, after_value);
    const std::string_view token = text.substr(at, end - at);
    out += token;
    if (!is_blank(token[0])) after_value = ends_value(token);
    at = end;
  }
  return out;
}

WatchText read_watch(std::string_view text) {
  text = trimmed(text);
  const Parts parts = parts_from(text, 0);
  const std::string_view last = trimmed(parts.parts.back());
  const bool has_view = parts.end == text.size() && parts.parts.size() > 1 && last.size() == 1 &&
                        std::string_view("xbfh").find(last[0]) != std::string_view::npos;
  if (!has_view) return {rewrite_cells(text), WatchView::Plain};
  const auto size = static_cast<std::size_t>(parts.parts.back().data() - text.data()) - 1;
  return {rewrite_cells(trimmed(text.substr(0, size))), static_cast<WatchView>(last[0])};
}

}  // namespace ts::scripting
