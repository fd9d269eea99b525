// Archives of arrays: as NumPy writes them, and as a stranger may.
#include "core/data/npz.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/data/array_file.h"
#include "core/data/utf8.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/python.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

using data::Array;
using data::Error;
using data::Npz;

// False: there is no NumPy here to write them.
bool write_archives(const TempFolder& folder) {
  const std::string python = python_with_numpy();
  if (python.empty()) MESSAGE("skipped: no python3 with numpy here");
  if (python.empty()) return false;
  const ProcessResult made = run_process({python, "tests/support/data/npz_archives.py", folder.path()});
  REQUIRE_MESSAGE(made.status == 0, made.err);
  return true;
}

Npz opened(const std::string& path) {
  auto npz = Npz::open(path);
  if (const auto* error = std::get_if<Error>(&npz)) FAIL(error->text);
  return std::move(std::get<Npz>(npz));
}

std::string why_not_opened(const std::string& path) {
  const auto npz = Npz::open(path);
  return std::holds_alternative<Error>(npz) ? std::get<Error>(npz).text : "it was opened";
}

std::string why_not(const std::variant<Array, Error>& read) {
  return std::holds_alternative<Error>(read) ? std::get<Error>(read).text : "it was read";
}

bool has_part(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("npz: what NumPy saves, stored and compressed") {
  const TempFolder folder;
  if (!write_archives(folder)) return;
  for (const char* name : {"saved.npz", "small.npz"}) {
    CAPTURE(name);
    const Npz npz = opened(folder / name);
    CHECK(npz.names() == std::vector<std::string>{"x", "w"});
    const auto x = std::get<Array>(npz.read("x")), w = std::get<Array>(npz.read("w"));
    CHECK(x.type == "f4");
    CHECK(x.shape == std::vector<std::uint64_t>{3, 4});
    float value = 0;
    std::memcpy(&value, x.bytes.data() + 4 * 7, 4);
    CHECK(value == 7);
    CHECK(w.type == "i2");
    std::int16_t small = 0;
    std::memcpy(&small, w.bytes.data() + 2, 2);
    CHECK(small == -2);
  }
  CHECK(opened(folder / "order.npz").names() == std::vector<std::string>{"arr_0", "arr_1"});
  CHECK(opened(folder / "empty.npz").names().empty());
}

TEST_CASE("npz: an array of an archive by its path") {
  const TempFolder folder;
  if (!write_archives(folder)) return;
  CHECK(std::get<Array>(data::read_array(folder / "saved.npz:w")).type == "i2");
  CHECK(std::get<Array>(data::read_array(folder / "one.npz")).type == "f4");
  CHECK(has_part(why_not(data::read_array(folder / "saved.npz")), "holds 2 arrays; which one is meant?"));
  const auto wrong = std::get<Error>(data::read_array(folder / "saved.npz:y"));
  CHECK(has_part(wrong.text, "saved.npz:y: the archive has no such array"));
  CHECK(wrong.hint == "it has x, w");
  CHECK(has_part(why_not(data::read_array(folder / "none.npz")), "cannot be read"));
}

TEST_CASE("npz: what is wrong with an archive is told") {
  const TempFolder folder;
  if (!write_archives(folder)) return;
  CHECK(has_part(why_not_opened(folder / "doubled.npz"), "holds the array x twice"));
  CHECK(has_part(why_not_opened(folder / "many.npz"), "has more than 4096 members"));
  CHECK(has_part(why_not_opened(folder / "cut.npz"), "it is no .npz archive"));
  CHECK(has_part(why_not_opened(folder / "no_zip.npz"), "it is no .npz archive"));
  CHECK(has_part(why_not(opened(folder / "broken.npz").read("x")), "cannot be unpacked"));
  CHECK(has_part(why_not(opened(folder / "locked.npz").read("x")), "cannot be unpacked"));
  CHECK(has_part(why_not(opened(folder / "pickled.npz").read("x")), "descr is"));
}

TEST_CASE("npz: a member's name is a name and no path") {
  const TempFolder folder;
  if (!write_archives(folder)) return;
  const Npz npz = opened(folder / "paths.npz");
  CHECK(npz.names() == std::vector<std::string>{"../../outside", "/etc/passwd", "x"});
  CHECK(std::holds_alternative<Array>(npz.read("../../outside")));
  CHECK(folder.entries() == 15);  // nothing was unpacked into the folder
}

TEST_CASE("npz: unpacking ends where it is told to, whatever the archive says of its size") {
  const TempFolder folder;
  if (!write_archives(folder)) return;
  const std::uint64_t most = 1 << 20;
  CHECK(has_part(why_not(data::read_array(folder / "bomb.npz", most)), "unpacks to more than 1048576 bytes"));
  CHECK(std::holds_alternative<Array>(opened(folder / "bomb.npz").read("x")));
  const auto lying = Npz::open(folder / "lying.npz");
  if (const auto* npz = std::get_if<Npz>(&lying)) static_cast<void>(npz->read("x", most));
}

TEST_CASE("npz: names that would write to a terminal are shown, and only some of very many") {
  const TempFolder folder;
  std::string bytes = get_text("tests/fuzz/corpus/case/stored").substr(1);
  const std::string good = "f4_columns", bad = "f4\x1b[31m\xffns";
  REQUIRE(good.size() == bad.size());
  for (std::size_t at = bytes.find(good); at != bytes.npos; at = bytes.find(good)) bytes.replace(at, good.size(), bad);
  put_text(folder / "odd.npz", bytes);
  const Npz npz = opened(folder / "odd.npz");
  CHECK(npz.names().front() == bad);
  const auto read = npz.read("x\x07");
  const auto* error = std::get_if<Error>(&read);
  REQUIRE(error != nullptr);
  CHECK(error->text.ends_with("odd.npz:x\\x07: the archive has no such array"));
  CHECK(error->hint == "it has f4\\x1b[31m\\xffns, u1_cube_columns, b1_scalar");
  std::vector<std::string> names;
  for (int i = 0; i < 4000; ++i) names.push_back(std::to_string(i));
  CHECK(data::shown_name("a\nb\tc\x1b") == "a\\x0ab\\x09c\\x1b");
  CHECK(data::some_of(names) == "0, 1, 2, 3, 4, 5, 6, 7, ...");
}

}  // namespace ts::test
