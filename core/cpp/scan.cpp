// A walk over a source's words: enough to find functions, no parser.
#include "core/cpp/scan.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/cpp/words.h"

namespace ts::cpp {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : words_(words_of(text)) {}

  SourceScan scan() {
    read("");
    SourceScan out;
    out.templates = std::move(templates_);
    out.has_main = has_main_;
    for (auto* those : {&globals_, &externs_, &cores_, &plain_})
      if (out.entries.empty()) out.entries = std::move(*those);
    return out;
  }

 private:
  std::string_view word(std::size_t at) const { return at < words_.size() ? words_[at].text : std::string_view(); }

  // Behind the bracket that closes what opens at `at`.
  std::size_t behind(std::size_t at, std::string_view open, std::string_view close) const {
    int depth = 0;
    for (; at < words_.size(); ++at) {
      if (words_[at].text == open) ++depth;
      if (words_[at].text == close && --depth == 0) return at + 1;
    }
    return words_.size();
  }

  // Declarations, up to the end of the file or of this namespace.
  void read(const std::string& scope) {
    std::size_t begin = at_;
    while (at_ < words_.size()) {
      const std::string_view now = word(at_);
      if (now == "}") {
        ++at_;
        return;
      }
      if (now == ";") {
        begin = ++at_;
      } else if (now == "(") {
        at_ = behind(at_, "(", ")");
      } else if (now == "{") {
        open(scope, begin);
        begin = at_;
      } else {
        ++at_;
      }
    }
  }

  bool has(std::size_t begin, std::size_t end, std::string_view wanted) const {
    return std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(begin),
                       words_.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const Word& one) { return one.text == wanted; });
  }

  // What begins at a brace: a namespace, a function, or something else.
  void open(const std::string& scope, std::size_t begin) {
    const std::size_t brace = at_;
    if (has(begin, brace, "namespace")) {
      std::string inner = scope;
      for (std::size_t i = begin; i < brace; ++i)
        if (is_name(word(i)) && word(i) != "namespace" && word(i) != "inline") inner += std::string(word(i)) + "::";
      ++at_;
      return read(has(begin, brace, "(") ? scope : inner);
    }
    // extern "C" {
    if (brace >= 2 && word(brace - 1) == "\"" && word(brace - 2) == "extern") {
      ++at_;
      const bool before = in_extern_;
      in_extern_ = true;
      read(scope);
      in_extern_ = before;
      return;
    }
    at_ = behind(brace, "{", "}");
    function(scope, begin, brace);
  }

  void function(const std::string& scope, std::size_t begin, std::size_t brace) {
    std::size_t first = begin;
    bool is_template = false;
    while (word(first) == "template") {
      is_template = true;
      first = behind(first + 1, "<", ">");
    }
    for (const char* other : {"class", "struct", "enum", "union"})
      if (word(first) == other) return;
    std::size_t bracket = first;
    // `extern "C"` has quotes, __attribute__((..)) and alignas brackets of their own.
    for (; bracket < brace; ++bracket) {
      if (word(bracket) != "(") continue;
      if (bracket > first && is_name(word(bracket - 1)) && !word(bracket - 1).starts_with("__attribute")) break;
      bracket = behind(bracket, "(", ")") - 1;
    }
    if (bracket >= brace || bracket == first || has(first, bracket, "=") || has(first, bracket, "operator")) return;
    SourceEntry entry;
    entry.name = scope + std::string(word(bracket - 1));
    entry.line = words_[bracket - 1].line;
    const std::size_t end = behind(bracket, "(", ")") - 1;
    entry.parameters = parameters(bracket + 1, end);
    const bool quiet = has(first, bracket, "static") || word(bracket - 1) == "main";
    has_main_ = has_main_ || entry.name == "main";
    if (is_template) templates_.push_back(std::move(entry));
    else if (has(first, bracket, "__global__")) globals_.push_back(std::move(entry));
    else if (!quiet && (in_extern_ || has(first, bracket, "extern"))) externs_.push_back(std::move(entry));
    else if (has(first, bracket, "AICORE") || has(first, bracket, "__aicore__")) cores_.push_back(std::move(entry));
    else if (!quiet && has(bracket, end, "*")) plain_.push_back(std::move(entry));
  }

  std::vector<std::string> parameters(std::size_t begin, std::size_t end) const {
    std::vector<std::string> out;
    std::string_view name;
    bool any = false, over = false;
    int depth = 0;
    const auto close = [&] {
      if (any) out.push_back(name.empty() ? fmt::format("p{}", out.size()) : std::string(name));
      name = {};
      any = over = false;
    };
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view now = word(i);
      if (now == "(" || now == "<" || now == "[") ++depth;
      if (now == ")" || now == ">" || now == "]") --depth;
      if (now == "," && depth == 0) {
        close();
        continue;
      }
      if (now == "=") over = true;
      any = true;
      // The last name, when it is not the only one, which is the type.
      if (!over && depth == 0 && is_name(now)) name = now;
    }
    if (end == begin + 1 && word(begin) == "void") return {};
    close();
    return out;
  }

  std::vector<Word> words_;
  std::size_t at_ = 0;
  bool in_extern_ = false, has_main_ = false;
  std::vector<SourceEntry> globals_, externs_, cores_, plain_, templates_;
};

}  // namespace

namespace {

// Behind the statement that begins at a word: a block, or up to its semicolon.
std::size_t behind_statement(const std::vector<Word>& words, std::size_t at) {
  int depth = 0;
  for (bool block = false; at < words.size(); ++at) {
    const std::string_view word = words[at].text;
    if (word == "(" || word == "{" || word == "[") ++depth;
    if (depth == 1 && word == "{") block = true;
    if (word == ")" || word == "}" || word == "]") {
      if (--depth == 0 && block && word == "}") return at + 1;
      if (depth < 0) return at;
    }
    if (depth == 0 && word == ";") return at + 1;
  }
  return words.size();
}

}  // namespace

std::vector<SourceLoop> scan_loops(std::string_view text) {
  const std::vector<Word> words = words_of(text);
  std::vector<SourceLoop> out;
  std::vector<std::size_t> tails;  // `while` of a do
  const auto word = [&](std::size_t at) { return at < words.size() ? words[at].text : std::string_view(); };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_do = words[i].text == "do";
    if (!is_do && words[i].text != "for" && words[i].text != "while") continue;
    if (std::ranges::find(tails, i) != tails.end()) continue;
    std::size_t body = i + 1;
    if (!is_do) {
      if (word(body) != "(") continue;
      int depth = 0;
      for (; body < words.size(); ++body) {
        if (word(body) == "(") ++depth;
        if (word(body) == ")" && --depth == 0) break;
      }
      ++body;
    }
    std::size_t end = behind_statement(words, body);
    if (is_do && word(end) == "while") {
      tails.push_back(end);
      end = behind_statement(words, end);
    }
    if (end == 0 || end > words.size()) continue;
    out.push_back({words[i].line, words[end - 1].line, words[i].column});
  }
  return out;
}

SourceScan scan_source(std::string_view text) { return Scanner(text).scan(); }

std::optional<Target> target_of_source(std::string_view text) {
  constexpr std::string_view kMark = "// target: ";
  while (text.starts_with("//")) {
    const std::string_view line = text.substr(0, text.find('\n'));
    for (const Target target : kBothTargets)
      if (line.starts_with(kMark) && line.substr(kMark.size()) == name(target)) return target;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

std::string hiding_condition(std::string_view text) {
  constexpr std::string_view kCores[] = {"__DAV_", "DAV_VEC", "DAV_CUBE", "__CCE_AICORE__", "__PTO_AUTO__", "__NPU"};
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool asks = line.starts_with("#if") || line.starts_with("#elif");
    if (asks && std::ranges::any_of(kCores, [&](std::string_view one) { return line.find(one) != line.npos; }))
      return fmt::format("line {}, {}", number, line.substr(0, 100));
  }
  return {};
}

}  // namespace ts::cpp
