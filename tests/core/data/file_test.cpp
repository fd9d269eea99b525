// Files that are written piece by piece, and where scripts may write.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "core/data/file.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

std::string refusal(const TempFolder& folder, const std::string& path) {
  const auto allowed = data::new_file_below(folder.path(), path, {".csv", ".npy"});
  const auto* error = std::get_if<data::Error>(&allowed);
  return error != nullptr ? error->text : "";
}

}  // namespace

TEST_CASE("file writer: nothing is there before the end, and nothing is left when it is not reached") {
  const TempFolder folder;
  const std::string path = folder / "x.txt";
  std::string want;
  {
    data::FileWriter file(path);
    for (int i = 0; i < 100'000; ++i) file.write("0123456789"), want += "0123456789";
    file.write(std::string(1 << 20, 'x'));
    want += std::string(1 << 20, 'x');
    CHECK(!std::filesystem::exists(path));
    CHECK(file.finish().text.empty());
  }
  CHECK(get_text(path) == want);
  {
    data::FileWriter file(path);
    file.write("half");
  }
  CHECK(get_text(path) == want);
  CHECK(folder.entries() == 1);
}

TEST_CASE("file writer: an old file stays where it must not be replaced") {
  const TempFolder folder;
  const std::string path = folder / "x.txt";
  put_text(path, "old");
  data::FileWriter late(folder / "y.txt", data::Replace::No);
  late.write("new");
  put_text(folder / "y.txt", "somebody was faster");
  CHECK(late.finish().text == folder / "y.txt" + ": there is such a file already");
  CHECK(get_text(folder / "y.txt") == "somebody was faster");
  data::FileWriter file(path, data::Replace::No);
  CHECK(!file.good());
  file.write("new");
  CHECK(file.finish().text == path + ": there is such a file already");
  CHECK(get_text(path) == "old");
  CHECK(folder.entries() == 2);
}

TEST_CASE("file writer: all who share room write no more than there is") {
  const TempFolder folder;
  data::Room room{.left = 1'000'000, .hint = "ask for more"};
  data::WriteRules rules(data::Replace::No);
  rules.room = &room;
  data::FileWriter first(folder / "a.txt", rules);
  first.write(std::string(900'000, 'a'));
  CHECK(first.finish().text == "");
  data::FileWriter second(folder / "b.txt", rules);
  second.write(std::string(90'000, 'b'));
  second.write(std::string(20'000, 'b'));
  second.write("b");
  const data::Error error = second.finish();
  CHECK(error.text == folder / "b.txt" + ": it has more than the 100000 bytes that may still be written");
  CHECK(error.hint == "ask for more");
  CHECK(folder.entries() == 1);
}

TEST_CASE("scripts write new files below a folder and nowhere else") {
  const TempFolder folder, other;
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink(other.path(), folder / "out");
  std::filesystem::create_symlink(other / "target.csv", folder / "link.csv");
  put_text(folder / "old.csv", "1");
  CHECK(refusal(folder, "new.csv").empty());
  CHECK(refusal(folder, "sub/new.npy").empty());
  CHECK(has(refusal(folder, "old.csv"), "there is such a file already"));
  CHECK(has(refusal(folder, "link.csv"), "there is such a file already"));
  CHECK(has(refusal(folder, "out/new.csv"), "a link in the path leads out"));
  CHECK(has(refusal(folder, "/tmp/new.csv"), "begins at the root"));
  CHECK(has(refusal(folder, "../new.csv"), "begins with a dot"));
  CHECK(has(refusal(folder, "sub/../../new.csv"), "begins with a dot"));
  CHECK(has(refusal(folder, ".new.csv"), "begins with a dot"));
  CHECK(has(refusal(folder, "sub/.csv"), "begins with a dot"));
  CHECK(has(refusal(folder, "none/new.csv"), "no such folder"));
  CHECK(has(refusal(folder, "new.lua"), "ends in .csv or .npy"));
  CHECK(has(refusal(folder, "new"), "ends in .csv or .npy"));
  CHECK(has(refusal(folder, ""), "empty"));
  CHECK(has(refusal(folder, std::string("a\0.csv", 6)), "zero byte"));
}

}  // namespace ts::test
