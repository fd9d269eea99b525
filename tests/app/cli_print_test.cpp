// Tiles printed without a change of the program: run --print, and what the program itself prints.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

struct PrintFolder : TempFolder {
  explicit PrintFolder(std::string text = std::string(kAddRows)) { put_text(*this / "k.pto", text); }
  ProcessResult run(std::vector<std::string> more) const {
    std::vector<std::string> command{"run", *this / "k.pto", "--set", "rows=16"};
    command.insert(command.end(), more.begin(), more.end());
    return tilescope(command);
  }
};

}  // namespace

TEST_CASE("cli print: a tile after every step of a line, its numbers as they are") {
  const PrintFolder folder;
  const nlohmann::json json = json_of(folder.run({"--json", "--print", "%c@20", "--print", "x", "--print", "y"}));
  const auto& printed = json["printed"];
  REQUIRE(printed.size() == 4);
  const auto &x = printed[2], &y = printed[3];
  CHECK(x["name"] == "x");
  CHECK(x["rows"] == 16);
  for (std::size_t turn = 0; turn < 2; ++turn) {
    const auto& tile = printed[turn];
    CHECK(tile["name"] == "c");
    CHECK(tile["step"] == 2 + 4 * turn);
    CHECK(tile["line"] == 20);
    CHECK(tile["type"] == "f32");
    CHECK(tile["valid"] == nlohmann::json{8, 64});
    for (std::size_t row = 0; row < 8; ++row)
      for (std::size_t col = 0; col < 64; ++col) {
        const auto number = [&](const nlohmann::json& buffer) {
          return buffer["values"][turn * 8 + row][col].get<float>();
        };
        CHECK(tile["values"][row][col].get<float>() == number(x) + number(y));
      }
  }
}

TEST_CASE("cli print: as text, at the end without a line, and what was never written is dots") {
  const PrintFolder folder;
  const ProcessResult two = folder.run({"--print", "c@20"});
  CHECK(two.status == kOk);
  CHECK(times(two.out, "\n%c: vec 8x64 f32 row_major") == 2);
  CHECK(has(two.out, ", after step 6 (tadd, line 20)\n"));
  const ProcessResult end = folder.run({"--print", "c"});
  CHECK(has(end.out, ", after step 7 (tstore, line 21)\n"));
  const ProcessResult before = folder.run({"--print", "c@18"});
  CHECK(times(before.out, "\n%c: ") == 2);
  CHECK(has(before.out, " .. .. .. "));
}

TEST_CASE("cli print: by the line that somebody wrote, after each visit") {
  const ProcessResult run = tilescope({"run", "from_python", "--print", "exps_inline0@from_python.py:7"});
  CHECK(run.status == kOk);
  CHECK(has(run.out, "\n%exps_inline0: vec 16x128 f32 row_major"));
  CHECK(has(run.out, ", after step 3 (texp, line "));
}

TEST_CASE("cli print: what can be nowhere is refused, with what to do, and the rest is there") {
  const PrintFolder folder;
  const auto refused = [&](const std::string& wish, const std::string& says) {
    CAPTURE(wish);
    const ProcessResult run = folder.run({"--print", wish});
    CHECK(run.status == kCannotRun);
    CAPTURE(run.err);
    CHECK(has(run.err, says));
  };
  refused("nobody@20", "--print nobody@20: add has no tile or buffer nobody");
  refused("c@3", "--print c@3: no step of the run stands in line 3");
  refused("c@other.py:3", "--print c@other.py:3: the program came from no file other.py");
  refused("@20", "wanted NAME, NAME@LINE or NAME@FILE:LINE");
  refused("c@", "wanted NAME, NAME@LINE or NAME@FILE:LINE");
  refused("c@-1", "wanted NAME, NAME@LINE or NAME@FILE:LINE");
  CHECK(has(folder.run({"--print", "nobody", "--print", "c"}).out, "\n%c: vec 8x64"));
}

TEST_CASE("cli print: a loop of many turns is printed a hundred times") {
  const PrintFolder folder;
  const ProcessResult run =
      tilescope({"run", folder / "k.pto", "--set", "rows=1600", "--print", "c@20", "--size", "x=409600"});
  CHECK(times(run.out, "\n%c: vec") == 100);
  CHECK(has(run.out, "%c: the first 100 of 200 times"));
}

TEST_CASE("cli print: pto.tprint shows its tile where it stands") {
  std::string text(kAddRows);
  const std::size_t at = text.find("      pto.tstore");
  REQUIRE(at != std::string::npos);
  text.insert(at, "      pto.tprint ins(%c : !pto.tile_buf<vec, 8x64xf32>)\n");
  const PrintFolder folder(text);
  const ProcessResult run = folder.run({});
  CHECK(run.status == kOk);
  CHECK(times(run.out, "\n%c: vec 8x64 f32 row_major") == 2);
  CHECK(has(run.out, ", after step 3 (print, line 21)\n"));
}

TEST_CASE("cli print: pto.print shows its number in the place that the text gives it, also from a file of the run") {
  std::string text(kAddRows);
  const std::size_t at = text.find("      pto.tstore");
  REQUIRE(at != std::string::npos);
  text.insert(at,
              "      %eighth = arith.constant 0.125 : f32\n"
              "      pto.print ins(\"row %5d of 100%%\\n\", %rows : index)\n"
              "      pto.print ins(\"eighth\", %eighth : f32)\n");
  const PrintFolder folder(text);
  const ProcessResult run = folder.run({"--record", folder / "k.ptorec"});
  CAPTURE(run.out);
  CAPTURE(run.err);
  CHECK(run.status == kOk);
  CHECK(has(run.out, "\nrow 16 of 100%, at step 3 (print, line 22)\n"));
  CHECK(times(run.out, "\neighth 0.125, at step ") == 2);
  const ProcessResult again = tilescope({"run", folder / "k.ptorec"});
  CHECK(times(again.out, "\neighth 0.125, at step ") == 2);
  CHECK(tilescope({"info", folder / "k.ptorec", "--verify"}).status == kOk);
}

}  // namespace ts::test
