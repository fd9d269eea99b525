// Speed, as ratios against memcpy (or memset) of the destination bytes on the same core in the same run, and as times where
// people wait. Prints a table, each row with its limit for this machine; the exit status is 1 where a row could not be
// measured.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/benches.h"
#include "tests/bench/guarded.h"
#include "tests/support/engine/simd_levels.h"

namespace {

using namespace ts::bench;

struct Section {
  const char* name;
  const char* about;
  void (*run)(Table&);  // null: the hot instructions, which are chosen one by one
};
constexpr Section kSections[] = {
    {"hot", "the dozen instructions that kernels are made of", nullptr},
    {"families", "the slowest instruction of each family, and the mean of all", bench_families},
    {"seek", "to any position of 100,000 steps", bench_seeks},
    {"compare", "two recordings", bench_comparison},
    {"debug", "histories, stops and slices over a million steps; the timeline", bench_debug},
    {"check", "checks over 100,000 steps", bench_checks},
    {"script", "scripts over a million steps", bench_scripts},
    {"product", "matrix products, of OpenBLAS's where that is installed", bench_products},
    {"micro", "vector micro-instructions from text, alone and recorded", bench_micro},
    {"cpp", "kernels in C++", bench_cpp},
    {"kernel", "kernels of the size that people have", bench_kernels},
    {"file", "recordings saved and opened", bench_files},
    {"frame", "frames of the window, on a screen that nobody sees", bench_frames},
};

// False: nothing is called so.
bool run_sections(Table& table, const std::string& only) {
  bool any = false;
  for (const Section& section : kSections) {
    const bool chosen = std::string_view(section.name).find(only) != std::string_view::npos;
    const std::size_t before = table.rows().size();
    if (section.run == nullptr) bench_hot(table, chosen ? "" : only);
    else if (chosen) guarded(table, section.name, [&] { section.run(table); });
    any = any || chosen || table.rows().size() != before;
  }
  return any;
}

std::string sections_text() {
  std::string text = "sections:\n";
  for (const Section& section : kSections) text += fmt::format("  {:<10} {}\n", section.name, section.about);
  return text;
}

std::vector<std::string> level_names() {
  std::vector<std::string> names;
  for (const std::int64_t level : ts::test::simd_levels()) names.emplace_back(ts::test::simd_level_name(level));
  return names;
}
std::int64_t level_called(const std::string& name) {
  const std::vector<std::string> names = level_names();
  return ts::test::simd_levels()[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures TileScope, as ratios and times of one run.", "bench");
  bool json = false;
  std::string only, every, against, simd;
  app.add_flag("--json", json, "prints the rows as JSON, and nothing else");
  app.add_option("--only", only, "a part of a section's name, or of a hot instruction's row")->option_text("TEXT");
  app.add_option("--every", every,
                 "each instruction of the families whose name begins so, and nothing else; all: every one")
      ->option_text("BEGIN");
  app.add_option("--against", against, "what an earlier run printed with --json: which rows moved beyond their spread")
      ->option_text("FILE")
      ->check(CLI::ExistingFile);
  app.add_option("--simd", simd, "on this level of those that the processor has; its limits are those of the level")
      ->check(CLI::IsMember(level_names()));
  app.footer(sections_text());
  CLI11_PARSE(app, argc, argv);
  std::optional<std::vector<Row>> before;
  if (!against.empty() && !(before = read_rows(against))) return 2;
  std::optional<ts::test::OnSimdLevel> level;
  if (!simd.empty()) level.emplace(level_called(simd));
  Table table(!json);
  if (!every.empty()) {
    bench_every(table, every == "all" ? "" : every);
  } else if (!run_sections(table, only)) {
    fmt::print(stderr, "bench: nothing is called '{}'\n{}", only, sections_text());
    return 2;
  }
  if (json) fmt::print("{}\n", table.json());
  else if (before) print_against(table.rows(), *before);
  return table.failed() ? 1 : 0;
}
