// Pages taken apart: what kinds of blocks there are, and that nothing of any page is lost.
#include <doctest/doctest.h>

#include <string_view>
#include <vector>

#include "app/cli/op_name.h"
#include "app/files/files.h"
#include "app/files/markdown.h"
#include "core/catalogue/catalogue.h"
#include "core/compile/has_meaning.h"

namespace ts {
namespace {

using BlockKind = MarkdownBlock::Kind;

std::string plain(const MarkdownLine& line) {
  std::string out;
  for (const MarkdownSpan& span : line) out += span.text;
  return out;
}

}  // namespace

TEST_CASE("markdown: blocks, rows, code and what is not proven") {
  const auto blocks = read_markdown(
      "# TADD\nAdds `a` and\n`b`.\n\n- one: two\n- three\n\n| a | b |\n|---|---|\n| `x|y` | z |\n\n```\n  code # "
      "here\n```\n"
      "Sure. The best known is this. Sure again.\n");
  REQUIRE(blocks.size() == 7);
  CHECK(blocks[0].kind == BlockKind::Heading);
  CHECK(blocks[0].level == 1);
  CHECK(plain(blocks[1].line) == "Adds a and b.");
  CHECK(blocks[1].line[1] == MarkdownSpan{"a", true, false});
  CHECK(blocks[2].kind == BlockKind::Item);
  CHECK(plain(blocks[2].line) == "one: two");
  CHECK(plain(blocks[3].line) == "three");
  REQUIRE(blocks[4].rows.size() == 2);
  CHECK(plain(blocks[4].rows[1][0]) == "x|y");
  CHECK(plain(blocks[4].rows[1][1]) == "z");
  CHECK(blocks[5].code == "  code # here\n");
  REQUIRE(blocks[6].line.size() == 3);
  CHECK_FALSE(blocks[6].line[0].uncertain);
  CHECK(blocks[6].line[1].uncertain);
  CHECK_FALSE(blocks[6].line[2].uncertain);
}

TEST_CASE("markdown: stressed words, and stars that are none") {
  const MarkdownLine line = read_markdown("An *odd place* is (*not*) 2 * 3, `*p`, nor a*b*c.").front().line;
  std::string stressed;
  for (const MarkdownSpan& span : line)
    if (span.strong) stressed += "[" + span.text + "]";
  CHECK(stressed == "[odd place][not]");
  CHECK(plain(line) == "An odd place is (not) 2 * 3, *p, nor a*b*c.");
}

TEST_CASE("markdown: every page of an instruction or a micro-operation has its blocks") {
  std::vector<std::string_view> names;
  for (const InstructionRow* row : catalogue()) names.push_back(row->name);
  for (const text::OpRow& row : text::op_rows())
    if (!micro_types(text::find_op(row.name)).empty()) names.push_back(bare_name(row));
  CHECK(instruction_page("pset_b16") == instruction_page("pset_b32"));
  for (const std::string_view name : names) {
    const auto page = instruction_page(name);
    if (!page) continue;
    CAPTURE(name);
    int headings = 0;
    for (const MarkdownBlock& block : read_markdown(*page)) {
      headings += block.kind == BlockKind::Heading;
      if (block.kind != BlockKind::Table) continue;
      REQUIRE(block.rows.size() > 1);
      for (const auto& cells : block.rows) CHECK(cells.size() == block.rows[0].size());
    }
    CHECK(headings >= 5);
  }
}

}  // namespace ts
