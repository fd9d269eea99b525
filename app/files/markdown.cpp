// Reading pages line by line.
#include "app/files/markdown.h"

#include <algorithm>
#include <optional>

namespace ts {
namespace {

using Kind = MarkdownBlock::Kind;

// The words that pages say it with.
bool is_uncertain(std::string_view sentence) {
  for (const std::string_view words : {"best known", "unverified", "not proven"})
    if (sentence.find(words) != sentence.npos) return true;
  return false;
}

// Behind the full stop or colon that ends the sentence which starts at `from`.
std::size_t sentence_end(std::string_view text, std::size_t from) {
  const std::size_t stop = std::min(text.find(". ", from), text.find(": ", from));
  return stop == text.npos ? text.size() : stop + 2;
}

// Whether the star at `at` begins stressed words, or ends them: it stands at the edge of a word, other than in 2 * 3.
bool is_stress(std::string_view text, std::size_t at, bool ends) {
  const char before = at == 0 ? ' ' : text[at - 1], behind = at + 1 == text.size() ? ' ' : text[at + 1];
  if (ends) return before != ' ';
  return (before == ' ' || before == '(') && behind != ' ' && text.find('*', at + 1) != text.npos;
}

MarkdownLine read_line(std::string_view text) {
  MarkdownLine line;
  bool code = false, strong = false;
  std::size_t sentence = 0;
  while (sentence < text.size()) {
    const std::size_t end = sentence_end(text, sentence);
    const bool uncertain = is_uncertain(text.substr(sentence, end - sentence));
    std::string piece;
    const auto close = [&] {
      if (!piece.empty()) line.push_back({std::move(piece), code, uncertain, strong && !code});
      piece.clear();
    };
    for (std::size_t i = sentence; i < end; ++i) {
      if (text[i] == '`') {
        close();
        code = !code;
      } else if (text[i] == '*' && !code && is_stress(text, i, strong)) {
        close();
        strong = !strong;
      } else {
        piece += text[i];
      }
    }
    close();
    sentence = end;
  }
  return line;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// "| a | b |"; bars inside code do not end a cell.
std::vector<MarkdownLine> read_row(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('|')) text.remove_prefix(1);
  if (text.ends_with('|')) text.remove_suffix(1);
  std::vector<MarkdownLine> cells;
  std::size_t begin = 0;
  bool code = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '`') code = !code;
    if (i < text.size() && (text[i] != '|' || code)) continue;
    cells.push_back(read_line(trimmed(text.substr(begin, i - begin))));
    begin = i + 1;
  }
  return cells;
}
bool is_rule(std::string_view text) { return text.starts_with('|') && text.find_first_not_of("|-: ") == text.npos; }

class Reader {
 public:
  std::vector<MarkdownBlock> read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      take(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    close();
    return std::move(blocks_);
  }

 private:
  void take(std::string_view raw) {
    const std::string_view line = trimmed(raw);
    if (line.starts_with("```")) {
      const bool ends = open_ && open_->kind == Kind::Code;
      close();
      if (!ends) open_ = MarkdownBlock{.kind = Kind::Code};
    } else if (open_ && open_->kind == Kind::Code) {
      open_->code += std::string(raw) + "\n";
    } else if (line.empty()) {
      close();
    } else if (line.starts_with('#')) {
      take_heading(line);
    } else if (line.starts_with('|')) {
      if (!open_ || open_->kind != Kind::Table) close(), open_ = MarkdownBlock{.kind = Kind::Table};
      if (!is_rule(line)) open_->rows.push_back(read_row(line));
    } else if (line.starts_with("- ")) {
      close();
      open_ = MarkdownBlock{.kind = Kind::Item};
      words_ = line.substr(2);
    } else {
      if (!open_ || open_->kind == Kind::Table) close(), open_ = MarkdownBlock{};
      words_ += (words_.empty() ? "" : " ") + std::string(line);
    }
  }
  void take_heading(std::string_view line) {
    close();
    const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
    blocks_.push_back(
        {.kind = Kind::Heading, .level = static_cast<int>(level), .line = read_line(trimmed(line.substr(level)))});
  }
  void close() {
    if (!open_) return;
    if (!words_.empty()) open_->line = read_line(words_);
    words_.clear();
    blocks_.push_back(std::move(*open_));
    open_.reset();
  }

  std::vector<MarkdownBlock> blocks_;
  std::optional<MarkdownBlock> open_;
  std::string words_;
};

}  // namespace

std::vector<MarkdownBlock> read_markdown(std::string_view text) { return Reader().read(text); }

}  // namespace ts
