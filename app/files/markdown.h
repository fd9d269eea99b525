// The few things that our pages are written in, taken apart: headings, paragraphs, lists, tables, code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ts {

struct MarkdownSpan {
  std::string text;
  bool code = false;
  bool uncertain = false;  // of a sentence that says itself that it is not proven
  bool strong = false;     // *stressed*
  bool operator==(const MarkdownSpan&) const = default;
};
using MarkdownLine = std::vector<MarkdownSpan>;

struct MarkdownBlock {
  enum class Kind { Heading, Paragraph, Item, Table, Code };
  Kind kind = Kind::Paragraph;
  int level = 0;                                     // of a heading
  MarkdownLine line = {};                            // of headings, paragraphs and items
  std::vector<std::vector<MarkdownLine>> rows = {};  // of tables; the first one is the head
  std::string code = {};                             // its lines
};

std::vector<MarkdownBlock> read_markdown(std::string_view text);

}  // namespace ts
