// The pages of operations that are no tile instructions, and the guide to the language: nothing is without a page, and what
// they show runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/embedded.h"
#include "app/files/files.h"
#include "app/files/markdown.h"
#include "app/files/pages.h"
#include "core/compile/has_meaning.h"
#include "core/record/recording.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

struct Fence {
  std::string kind, text;
};

std::vector<Fence> fences_of(std::string_view page) {
  std::vector<Fence> made;
  std::istringstream in{std::string(page)};
  bool within = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      if (!within) made.push_back({line.substr(3), ""});
      within = !within;
    } else if (within) {
      made.back().text += line + "\n";
    }
  }
  return made;
}

std::vector<std::string> words_between(std::string_view text, std::string_view gap) {
  std::vector<std::string> made;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(gap), text.size());
    if (end > 0) made.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + gap.size(), text.size()));
  }
  return made;
}

// Runs to its end, and nothing of it is an error.
void check_runs(const std::string& text) {
  OpenedText opened = open_text(text);
  for (const Diagnostic& one : opened.diagnostics)
    if (one.severity == Severity::Error) CHECK_MESSAGE(false, one.format());
  REQUIRE_MESSAGE(opened.opened, text);
  const auto recording = Recording::run(std::move(opened.opened->program), {});
  CHECK_MESSAGE(recording->stop_reason() == StopReason::End, text);
}

// Of toy_instruction_test.cpp: of this program's catalogue and of no other.
bool is_toy(std::string_view name) { return name == "pto.ttwice" || name == "pto.tspill"; }

// Every operation that a run knows, and those that other dialects share with programs.
std::vector<std::string_view> operations() {
  std::vector<std::string_view> names;
  for (const text::OpRow& row : text::op_rows())
    if ((has_meaning(text::find_op(row.name)) || row.group == text::OpGroup::Shared) && !is_toy(row.name))
      names.push_back(row.name);
  return names;
}

std::string one_blank(std::string_view text) {
  std::string made;
  for (const char letter : text)
    if (const bool blank = letter == ' ' || letter == '\n'; !blank) made += letter;
    else if (!made.empty() && made.back() != ' ') made += ' ';
  return made;
}

}  // namespace

TEST_CASE("pages: every operation that a run knows has one") {
  CHECK(operations().size() > 250);
  for (const std::string_view name : operations()) {
    CAPTURE(name);
    CHECK(instruction_page(name).has_value());
  }
  CHECK(instruction_page("return") == instruction_page("func.func"));
  CHECK(instruction_page("pto.load") == instruction_page("pto.load_scalar"));
  CHECK(instruction_page("tadd") == instruction_page("pto.tadd"));
  CHECK_FALSE(instruction_page("pto.nothing"));
}

TEST_CASE("pages: of operations that are no instructions: each once, by names that exist, and the examples run") {
  // What they need is more than a page: both kinds of cores, or text that no run takes.
  const std::set<std::string> without{"scf.execute_region",
                                      "cf.br",
                                      "pto.comm.tbroadcast",
                                      "pto.get_vms4_sr",
                                      "pto.make_prefetch_async_context",
                                      "pto.talloc_to_aiv",
                                      "pto.set_quant_scalar",
                                      "pto.sync.set"};
  std::map<std::string, int> seen;
  std::set<std::string> found_without;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("assets/operations/")) continue;
    std::string_view text = file.text;
    while (text.starts_with("# ")) {
      const std::size_t next = text.find("\n# ");
      const std::string_view page = text.substr(0, next == std::string_view::npos ? text.size() : next + 1);
      text.remove_prefix(page.size());
      const auto names = words_between(page.substr(2, page.find('\n') - 2), ", ");
      CAPTURE(names[0]);
      for (const std::string& name : names) {
        CHECK(text::find_op(name) != text::kUnknownOp);
        CHECK(++seen[name] == 1);
        CHECK(instruction_page(name) == page);
      }
      CHECK(has(page, "\n## Form\n"));
      CHECK(has(page, "\n## Meaning\n"));
      CHECK(read_markdown(page).size() >= 5);
      bool shown = false;
      for (const Fence& fence : fences_of(page)) {
        if (fence.kind != "pto") continue;
        CHECK(std::ranges::any_of(names, [&](const std::string& name) {
          return has(fence.text, name) || has(fence.text, name.substr(name.find('.') + 1));
        }));
        check_runs(fence.text);
        shown = true;
      }
      const std::size_t sample = page.find("\nSample: `");
      if (sample != std::string_view::npos) {
        const std::string_view behind = page.substr(sample + 10);
        const ProgramText of_sample = program_text(std::string(behind.substr(0, behind.find('`'))), kMostTextBytes);
        CHECK(std::ranges::any_of(names, [&](const std::string& name) { return has(of_sample.text, name); }));
        shown = true;
      }
      if (!shown) found_without.insert(names[0]);
      for (const std::string& line : words_between(page, "\n"))
        if (!line.starts_with("#")) CHECK_MESSAGE(line.size() <= 140, line);
    }
    CHECK(text.empty());
  }
  CHECK(seen.size() > 150);
  CHECK(found_without == without);
}

TEST_CASE("manual: every program of the guide to the language runs and shows what it says") {
  const TempFolder folder;
  const std::string guide(language_guide());
  CHECK(guide == get_text("assets/manual/language.md"));
  CHECK(tilescope({"manual", "--language"}).out == guide);
  CHECK(has(tilescope({"explain", "scf.for"}).out, "Counts, and runs its region"));
  std::size_t programs = 0, shown = 0;
  bool wrong = false;
  ProcessResult last;
  for (const Fence& fence : fences_of(guide)) {
    CAPTURE(fence.text);
    if (fence.kind.starts_with("pto")) {
      wrong = fence.kind == "pto-wrong";
      const std::string name = fence.text.substr(3, fence.text.find('\n') - 3);
      put_text(folder / name, fence.text);
      const ProcessResult run = tilescope({"run", folder / name});
      CHECK((run.status == kOk) != wrong);
      CHECK_FALSE(has(run.out + run.err, "warning"));
      ++programs;
    } else if (fence.kind == "sh") {
      auto words = words_between(fence.text.substr(0, fence.text.find('\n')), " ");
      CHECK(words[0] == "tilescope");
      words.erase(words.begin());
      words[1] = folder / words[1];
      last = tilescope(words);
      CHECK((last.status == kOk) != wrong);
    } else if (fence.kind == "text") {
      CHECK_MESSAGE(has(one_blank(last.out), one_blank(fence.text)), last.out);
      ++shown;
    }
  }
  CHECK(programs == 8);
  CHECK(shown == 6);
}

}  // namespace ts::test
