// What the command line says of the window, and with it.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

TEST_CASE("manual: the pages are what the program and its window say of themselves") {
  CHECK_MESSAGE(tilescope({"manual"}).out == get_text("assets/manual/reference.md"),
                "./dev run manual > assets/manual/reference.md makes it anew");
  CHECK_MESSAGE(tilescope({"manual", "--keys"}).out == get_text("assets/manual/keys.md"),
                "./dev run manual --keys > assets/manual/keys.md makes it anew");
  CHECK_MESSAGE(tilescope({"manual", "--panes"}).out == get_text("assets/manual/panes.md"),
                "./dev run manual --panes > assets/manual/panes.md makes it anew");
}

TEST_CASE("cli shot: a picture is not written over the program, by whatever path") {
  const TempFolder folder;
  const std::string path = folder / "kernel.pto", link = folder / "link.pto";
  put_text(path, kAddRows);
  std::filesystem::create_symlink(path, link);
  const ProcessResult refused = tilescope({"shot", path, "-o", link});
  CHECK(refused.status == kCannotRun);
  CHECK(has(refused.err, "it is read"));
  CHECK(get_text(path) == kAddRows);
}

}  // namespace
}  // namespace ts::test
