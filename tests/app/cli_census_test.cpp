// census on the command line: folders of programs, right and hostile.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "core/text/ops/op_table.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {

namespace fs = std::filesystem;

TEST_CASE("cli census: the samples run, and every row is of the table of operations") {
  const ProcessResult result = tilescope({"census", "samples"});
  CAPTURE(result.err);
  CHECK(result.status == kOk);
  CHECK(has(result.out, " run, 0 hold operations that are not emulated yet, 0 are refused"));
  const nlohmann::json json = json_of(tilescope({"census", "samples", "--json"}));
  CHECK(json["files"] == json["runs"]);
  CHECK(json["complete"] == true);
  CHECK(json["by_file"].size() == json["files"]);
  REQUIRE(json["operations"].size() > 20);
  for (const nlohmann::json& row : json["operations"])
    CHECK(text::find_op(row["operation"].get<std::string>()) != text::kUnknownOp);
}

TEST_CASE("cli census: folders in folders, what is missing, and what is refused") {
  const TempFolder folder;
  fs::create_directories(folder / "one/two");
  put_text(folder / "add.pto", kAddRows);
  put_text(folder / "one/two/again.pto", kAddRows);
  put_text(folder / "one/broken.pto", "func.func @f( {\n");
  put_text(folder / "one/notes.txt", "no program");
  put_text(folder / "images.pto",
           "func.func @f() {\n  %a = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf16>\n"
           "  %b = pto.alloc_tile : !pto.tile_buf<left, 16x16xf16>\n"
           "  pto.tsetfmatrix ins(%a : !pto.tile_buf<mat, 16x16xf16>) outs(%b : !pto.tile_buf<left, 16x16xf16>)\n"
           "  return\n}\n");
  const ProcessResult result = tilescope({"census", folder.path()});
  CAPTURE(result.out);
  CHECK(result.status == kOk);
  CHECK(has(result.out, "4 files: 2 run, 1 hold operations that are not emulated yet, 1 are refused"));
  CHECK(has(result.out, "       1      1         3  pto.tsetfmatrix"));
  const nlohmann::json json = json_of(tilescope({"census", folder.path(), "--json"}));
  CHECK(json["missing"][0]["operation"] == "pto.tsetfmatrix");
  CHECK(json["missing"][0]["run_then"] == 3);
  CHECK(json["refusals"][0]["files"] == 1);
  CHECK(json["by_file"][2]["file"] == (folder / "one/broken.pto"));
  CHECK(json["by_file"][2]["verdict"] == "refused");
  CHECK(json["by_file"][2]["line"] == 1);
}

TEST_CASE("cli census: links are not followed, pipes not waited for, names may be anything") {
  const TempFolder folder, outside;
  put_text(outside / "secret.pto", kAddRows);
  put_text(folder / "\xff\x1b[31m.pto", kAddRows);
  fs::create_symlink(outside.path(), folder / "out");
  fs::create_symlink(outside / "secret.pto", folder / "link.pto");
  fs::create_symlink(".", folder / "circle");
  REQUIRE(::mkfifo((folder / "pipe.pto").c_str(), 0600) == 0);
  fs::create_directory(folder / "folder.pto");
  put_text(folder / "huge.pto", "");
  fs::resize_file(folder / "huge.pto", std::uint64_t{1} << 33);
  const ProcessResult result = tilescope({"census", folder.path()});
  CAPTURE(result.out);
  CHECK(result.status == kOk);
  CHECK(has(result.out, "1 file: 1 runs, "));
  CHECK(has(result.out, "pipe.pto: it is a pipe"));
  CHECK(has(result.out, "huge.pto: it has 8589934592 bytes"));
  CHECK(has(result.out, "3 links not followed"));
  CHECK(result.peak_bytes < std::size_t{1} << 29);
  CHECK(json_of(tilescope({"census", folder.path(), "--json"}))["unread"].size() == 2);
}

TEST_CASE("cli census: folders that are none") {
  const TempFolder folder;
  const ProcessResult empty = tilescope({"census", folder.path()});
  CHECK(empty.status == kCannotRun);
  CHECK(has(empty.err, "no .pto file in it, nor below it"));
  const ProcessResult none = tilescope({"census", folder / "nowhere"});
  CHECK(none.status == kCannotRun);
  CHECK(has(none.err, "cannot be read"));
  put_text(folder / "file.pto", kAddRows);
  CHECK(tilescope({"census", folder / "file.pto"}).status == kCannotRun);
}

TEST_CASE("cli census: folders deeper than anybody means are not gone into") {
  const TempFolder folder;
  std::string deep = folder.path();
  for (int i = 0; i < 80; ++i) deep += "/d";
  fs::create_directories(deep);
  put_text(deep + "/deep.pto", kAddRows);
  put_text(folder / "top.pto", kAddRows);
  const ProcessResult result = tilescope({"census", folder.path()});
  CHECK(result.status == kLimit);
  CHECK(has(result.out, "1 file: 1 runs"));
  CHECK(has(result.out, "there is more than could be listed"));
}

}  // namespace ts::test
