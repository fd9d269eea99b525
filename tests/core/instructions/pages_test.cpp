// The pages of the instruction set in assets/instructions: each row of the catalogue has one, with the headings that
// the program looks for, every operand and every C++ call. What a page says of results is checked by the worked
// examples. And the pages of micro-operations, which are shorter: below assets/instructions/micro.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/a5/micro_calls.h"
#include "core/catalogue/catalogue.h"
#include "core/compile/has_meaning.h"
#include "core/text/ops/op_table.h"
#include "core/text/ops/signature.h"
#include "tests/support/instructions/page_rules.h"

namespace ts::test {
namespace {

constexpr std::size_t kLongestLine = 140;

struct Page {
  std::string file, text;
  std::vector<std::string> lines;
};

std::optional<Page> read_page(const std::string& path) {
  std::ifstream in(path);
  if (!in) return std::nullopt;
  Page page{.file = path, .text = {}, .lines = {}};
  for (std::string line; std::getline(in, line);) {
    page.text += line + "\n";
    page.lines.push_back(line);
  }
  return page;
}

// The toys of toy_instruction_test.cpp are rows of this program's catalogue and of no other.
std::vector<const InstructionRow*> rows_with_a_page() {
  std::vector<const InstructionRow*> rows;
  for (const InstructionRow* row : catalogue())
    if (row->name != std::string_view("ttwice") && row->name != std::string_view("tspill")) rows.push_back(row);
  return rows;
}

// The file of a family, in core/instructions or a folder of it; of operations that the compiler does, in core/compile.
std::string source_of(const std::string& family) {
  for (const char* folder : {"core/instructions", "core/compile"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().filename() == family + ".cpp") return entry.path().generic_string();
  return "";
}
// What only names bytes is in no catalogue.
bool is_done_by_compiler(const std::string& name) {
  const text::OpCode code = text::find_op("pto." + name);
  return code != text::kUnknownOp && text::op_row(code).group == text::OpGroup::View;
}

bool is_micro_page(const std::string& path) { return path.starts_with("assets/instructions/micro/"); }
bool is_micro_that_runs(const text::OpRow& row) {
  return row.group == text::OpGroup::Micro && !micro_types(text::find_op(row.name)).empty();
}
// Without the width of a mask's lanes: pset_b8, pset_b16 and pset_b32 share a page.
std::string micro_page_name(const text::OpRow& row) {
  const std::string name(row.name.substr(row.name.find('.') + 1));
  return row.mask_bits == 0 ? name : name.substr(0, name.rfind("_b"));
}
std::optional<Page> micro_page(const text::OpRow& row) {
  const std::string ending = "/" + micro_page_name(row) + ".md";
  for (const std::string& path : page_paths())
    if (is_micro_page(path) && path.ends_with(ending)) return read_page(path);
  return std::nullopt;
}

std::vector<Page> all_pages() {
  std::vector<Page> pages;
  for (const std::string& path : page_paths())
    if (auto page = read_page(path)) pages.push_back(std::move(*page));
  return pages;
}

std::vector<std::string> wanted_micro_headings(const std::string& title) {
  return {"# " + title, "## Operands", "## Meaning", "## Rules", "## Example", "## Traps"};
}
std::vector<std::string> wanted_headings(const std::string& title) {
  return {"# " + title, "## Operands", "## Meaning", "## Rules", "## On A2A3", "## On A5", "## Example", "## Traps"};
}

// Headings outside code fences, where a line may start with a hash for reasons of its own.
std::vector<std::string> headings_of(const Page& page) {
  std::vector<std::string> headings;
  bool fenced = false;
  for (const std::string& line : page.lines) {
    if (line.starts_with("```")) fenced = !fenced;
    if (!fenced && line.starts_with('#')) headings.push_back(line);
  }
  return headings;
}

std::string in_capitals(std::string_view name) {
  std::string capitals(name);
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return capitals;
}

// UTF-8 characters, not bytes.
std::size_t width_of(std::string_view line) {
  std::size_t width = 0;
  for (const char c : line) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return width;
}

}  // namespace

TEST_CASE("pages: every instruction has one, with all headings in order") {
  for (const InstructionRow* row : rows_with_a_page()) {
    const auto page = read_page(page_path(*row));
    CHECK_MESSAGE(
        page.has_value(), std::string(row->name)
                              << " has no page below assets/instructions; tests look from the project's root");
    if (!page) continue;
    const std::vector<std::string> wanted = wanted_headings(in_capitals(row->name)), found = headings_of(*page);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::string here = i < found.size() ? found[i] : "nothing";
      CHECK_MESSAGE(here == wanted[i],
                    page->file << ": heading " << i << " is \"" << here << "\", needs \"" << wanted[i] << "\"");
    }
    CHECK_MESSAGE(found.size() <= wanted.size(), page->file << ": has more than the " << wanted.size() << " headings");
    const bool one_sentence = page->lines.size() > 1 && page->lines[1].ends_with('.');
    CHECK_MESSAGE(one_sentence,
                  page->file << ": the line below the title is not a sentence that says what the instruction does");
  }
}

TEST_CASE("pages: those of parts of tiles have all headings too") {
  for (const std::string& path : page_paths()) {
    const std::string name = std::filesystem::path(path).stem();
    if (!is_done_by_compiler(name)) continue;
    const auto page = read_page(path);
    REQUIRE(page.has_value());
    CHECK(headings_of(*page) == wanted_headings(in_capitals(name)));
  }
}

TEST_CASE("pages: each names every operand and the C++ call of every form") {
  for (const InstructionRow* row : rows_with_a_page()) {
    const auto page = read_page(page_path(*row));
    if (!page) continue;  // the first test says so
    for (const FormRow& form : row->forms) {
      CHECK_MESSAGE(page->text.find(form.cpp) != std::string::npos,
                    page->file << ": the C++ call " << std::string(form.cpp) << " is missing");
      for (const OperandSpec& operand : form.operands) {
        const std::string quoted = "`" + std::string(operand.name) + "`";
        CHECK_MESSAGE(page->text.find(quoted) != std::string::npos,
                      page->file << ": operand " << quoted << " is missing");
      }
    }
  }
}

TEST_CASE("pages: each lies in the folder of its family, and belongs to a row of it") {
  for (const std::string& path : page_paths()) {
    if (is_micro_page(path)) continue;
    const std::filesystem::path page(path);
    const std::string family = page.parent_path().filename(), source = source_of(family);
    CAPTURE(path);
    const auto text = read_page(source);
    CHECK_MESSAGE(text.has_value(), family << ".cpp is missing: the folder of a page is called as its family's file");
    const std::string name = page.stem().string();
    if (text) CHECK((text->text.find("\"" + name + "\"") != std::string::npos || is_done_by_compiler(name)));
  }
}

TEST_CASE("pages: every micro-operation that runs has one, with its headings, its call, its operands and its words") {
  std::size_t pages = 0;
  for (const text::OpRow& row : text::op_rows()) {
    if (!is_micro_that_runs(row)) continue;
    CAPTURE(row.name);
    const auto page = micro_page(row);
    CHECK_MESSAGE(page.has_value(), "has no page below assets/instructions/micro");
    if (!page) continue;
    ++pages;
    CHECK(headings_of(*page) == wanted_micro_headings(in_capitals(micro_page_name(row))));
    CHECK(page->lines[1].ends_with('.'));
    CHECK(page->text.find(std::string(row.name) + " ") != std::string::npos);
    const auto names = [&](const text::SignatureOperand& operand) {
      const std::string quoted = "`" + std::string(operand.name) + "`";
      CHECK_MESSAGE(page->text.find(quoted) != std::string::npos, page->file << ": " << quoted << " is missing");
    };
    for (const text::SignatureForm& form : text::signature(text::find_op(row.name)).forms) {
      for (const text::SignatureOperand& operand : form.operands) {
        names(operand);
        for (const text::SignatureOperand& inner : operand.operands) names(inner);
      }
      for (const text::SignatureOperand& result : form.results) names(result);
    }
    if (const a5::MicroRow* does = a5::find_micro_row(micro_page_name(row)))
      for (const std::string_view word : does->words)
        CHECK_MESSAGE(page->text.find(word) != std::string::npos, page->file << ": the word " << word << " is missing");
  }
  CHECK(pages > 90);
}

TEST_CASE("pages: the element types that one of a micro-operation lists are those that it has") {
  for (const text::OpRow& row : text::op_rows()) {
    const auto page = is_micro_that_runs(row) ? micro_page(row) : std::nullopt;
    // Conversions have a table of pairs.
    if (!page || page->text.find("\nElement types: ") == std::string::npos || row.name == "pto.vcvt") continue;
    const std::string name = micro_page_name(row);
    InstructionRow called;
    called.name = name.c_str();
    const DTypeSet said = page_types(called, Target::A5).value_or(DTypeSet{});
    CHECK_MESSAGE(said.list() == micro_types(text::find_op(row.name)).list(), page->file);
  }
}

TEST_CASE("pages: those of micro-operations each belong to one, and lie in folders that can be looked through") {
  std::map<std::string, int> in_folder;
  std::set<std::string> wanted;
  for (const text::OpRow& row : text::op_rows())
    if (is_micro_that_runs(row)) wanted.insert(micro_page_name(row));
  for (const std::string& path : page_paths()) {
    if (!is_micro_page(path)) continue;
    const std::filesystem::path page(path);
    CHECK_MESSAGE(wanted.contains(page.stem().string()), path);
    ++in_folder[page.parent_path().string()];
  }
  CHECK(in_folder.size() > 1);
  for (const auto& folder : in_folder) CHECK_MESSAGE(folder.second <= 45, folder.first);
}

TEST_CASE("pages: lines fit the pane, and hold no tab") {
  const std::vector<Page> pages = all_pages();
  CHECK_MESSAGE(!pages.empty(), "assets/instructions has no page; tests look for it from the project's root");
  for (const Page& page : pages) {
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
      const std::size_t width = width_of(page.lines[i]);
      CHECK_MESSAGE(width <= kLongestLine,
                    page.file << ":" << i + 1 << ": " << width << " characters, at most " << kLongestLine);
      CHECK_MESSAGE(page.lines[i].find('\t') == std::string::npos, page.file << ":" << i + 1 << ": a tab");
    }
  }
}

}  // namespace ts::test
