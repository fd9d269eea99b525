// The stage and the layouts as pictures, held against those that were looked at and kept.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/process/cli.h"
#include "tests/support/scale.h"
#include "tests/window/goldens.h"

namespace ts::test {
namespace {

constexpr std::uintmax_t kMostBytes = 22'000'000;
// Where pictures that differ are explained: kept, now, and the difference.
const std::string kExplained = "build/pictures";

void check_picture(const Golden& golden) {
  CAPTURE(golden.name);
  std::string problem;
  const auto now = render(golden, problem);
  REQUIRE_MESSAGE(now, problem);
  // A window that drew nothing would otherwise be kept as such.
  CHECK(now->colors(20) == 20);
  const auto kept = read_png(golden_path(golden));
  REQUIRE_MESSAGE(kept, "there is no picture yet; `./dev pictures` draws it");
  const Comparison result = compare(*kept, *now);
  if (result.same) return;
  const std::string path = kExplained + "/" + golden.name + ".png";
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  write_png(path, result.explained);
  FAIL_CHECK(result.text << "; kept, now and the difference: " << path);
}

void check_pictures(const std::string& first_words) {
  std::size_t count = 0;
  for (const Golden& golden : goldens()) {
    if (!golden.name.starts_with(first_words)) continue;
    check_picture(golden);
    ++count;
  }
  CHECK(count > 0);
}

// A quarter of the sheets, each of which is nine pictures: the small light ones, and in the full run all.
void check_families(std::size_t part) {
  std::size_t count = 0;
  for (const Golden& golden : goldens())
    if (golden.sheet && (in_full() || golden.sheet->theme == "light") && count++ % 4 == part) check_picture(golden);
}

}  // namespace

TEST_CASE("pictures: the layouts look as they did") { check_pictures("layouts/"); }
TEST_CASE("pictures: lessons") { check_pictures("lessons/"); }
TEST_CASE("pictures: the start page, the legend, the tour, the keys") { check_pictures("window/"); }
TEST_CASE("pictures: findings and differences") { check_pictures("panes/"); }
TEST_CASE("pictures: interleave and de-interleave") { check_pictures("stage/interleave/"); }
TEST_CASE("pictures: select") { check_pictures("stage/select/"); }
TEST_CASE("pictures: transpose") { check_pictures("stage/transpose/"); }
TEST_CASE("pictures: gather") { check_pictures("stage/gather/"); }
TEST_CASE("pictures: scatter") { check_pictures("stage/scatter/"); }
TEST_CASE("pictures: sorts") { check_pictures("stage/sort/"); }
TEST_CASE("pictures: quantisation") { check_pictures("stage/quantise/"); }
TEST_CASE("pictures: tables in global memory") { check_pictures("stage/table/"); }
TEST_CASE("pictures: fill and lanes") {
  check_pictures("stage/fill/");
  check_pictures("stage/elementwise/");
}
TEST_CASE("pictures: products") { check_pictures("stage/product/"); }
TEST_CASE("pictures: reductions") { check_pictures("stage/reduce/"); }
TEST_CASE("pictures: spread values, comparisons, padding") {
  check_pictures("stage/broadcast/");
  check_pictures("stage/compare/");
  check_pictures("stage/pad/");
}
TEST_CASE("pictures: transfers, and steps without a drawing") {
  check_pictures("stage/transfer/");
  check_pictures("stage/general/");
}
TEST_CASE("pictures: windows of maps") { check_pictures("stage/windows/"); }
TEST_CASE("pictures: micro-steps") { check_pictures("stage/micro/"); }

TEST_CASE("pictures: families in motion, first part") { check_families(0); }
TEST_CASE("pictures: families in motion, second part") { check_families(1); }
TEST_CASE("pictures: families in motion, third part") { check_families(2); }
TEST_CASE("pictures: families in motion, fourth part") { check_families(3); }

TEST_CASE("pictures: those that are kept are those of the table, small enough, and on the sheet") {
  const std::string sheet = get_text(kGoldenFolder + "/README.md");
  for (const Golden& golden : goldens()) {
    CAPTURE(golden.name);
    CHECK(has(sheet, golden.name + ".png"));
  }
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kGoldenFolder)) {
    if (!entry.is_regular_file()) continue;
    bytes += entry.file_size();
    if (entry.path().extension() != ".png") continue;
    const auto name = std::filesystem::relative(entry.path(), kGoldenFolder).replace_extension().generic_string();
    CAPTURE(name);
    CHECK(std::ranges::count(goldens(), name, &Golden::name) == 1);
  }
  CHECK(bytes <= kMostBytes);
}

}  // namespace ts::test
