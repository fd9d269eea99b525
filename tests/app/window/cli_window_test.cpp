// What the command line says of the window, and with it.
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/process/terminal_child.h"

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

TEST_CASE("cli film: a step as a GIF and as a folder; what cannot be is said before anything is drawn") {
  const TempFolder folder;
  const ProcessResult made = tilescope(
      {"film", "complex_merge", "--steps", "4", "--frames", "3", "--size", "400x300", "-o", folder / "x.gif"});
  CHECK(made.status == kOk);
  CHECK(has(made.out, "4 pictures"));
  CHECK(get_text(folder / "x.gif").starts_with("GIF89a"));
  CHECK(tilescope({"film", "complex_merge", "--steps", "3..4", "--frames", "2", "--size", "400x300", "--captions",
                   "off", "-o", folder / "pictures"})
            .status == kOk);
  // One of the step that moves nothing, three of the other.
  CHECK(std::filesystem::exists(folder / "pictures/frame-00004.png"));
  CHECK_FALSE(std::filesystem::exists(folder / "pictures/frame-00005.png"));
  const ProcessResult beyond = tilescope({"film", "complex_merge", "--steps", "3..99", "-o", folder / "y.gif"});
  CHECK(beyond.status == kCannotRun);
  CHECK(has(beyond.err, "steps 0 to 8"));
  CHECK(tilescope({"film", "complex_merge", "-o", folder / "y.mov"}).status == kCannotRun);
  CHECK(tilescope({"shot", "complex_merge", "--step", "4", "--progress", "1.5"}).status == kCannotRun);
  CHECK(folder.entries() == 2);
}

TEST_CASE("cli film: Ctrl+C gives up a film of thousands of pictures, and nothing is left of it") {
  const TempFolder folder;
  const std::string program = program_path(), path = folder / "long.gif";
  TerminalChild child(100, [&] {
    ::execl(program.c_str(), program.c_str(), "film", "complex_merge", "--frames", "2000", "--size", "400x300", "-o",
            path.c_str(), nullptr);
  });
  // Into the middle of its work.
  CHECK(child.prints("pictures in"));
  child.press(kCtrlC);
  const std::string output = child.all_output();
  const int status = child.end_status();
  CHECK(WIFEXITED(status));
  CHECK_MESSAGE(WEXITSTATUS(status) == kLimit, output);
  CHECK(folder.entries() == 0);
}

TEST_CASE("cli shot: without a display it draws on a screen of its own, and says so; progress changes the picture") {
  const TempFolder folder;
  const char* display = std::getenv("DISPLAY");
  const std::string usual = display != nullptr ? display : "";
  ::unsetenv("DISPLAY");
  const auto shot = [&](const char* progress, const char* name) {
    return tilescope({"shot", "complex_merge", "--step", "4", "--progress", progress, "--pane", "stage", "--size",
                      "500x400", "-o", folder / name});
  };
  const ProcessResult made = shot("0.4", "a.png");
  CHECK(made.status == kOk);
  CHECK(has(made.err, "Xvfb of its own"));
  CHECK(shot("0.4", "b.png").status == kOk);
  CHECK(shot("0.7", "c.png").status == kOk);
  if (!usual.empty()) ::setenv("DISPLAY", usual.c_str(), 1);
  CHECK(get_text(folder / "a.png") == get_text(folder / "b.png"));
  CHECK(get_text(folder / "a.png") != get_text(folder / "c.png"));
}

TEST_CASE("window: its menu saves a picture and a film of the stage, and copies the picture") {
  const TempFolder folder;
  // An xclip that keeps what it is given.
  put_text(folder / "xclip", "#!/bin/sh\nexec /bin/cat > " + folder / "copied.png" + "\n");
  std::filesystem::permissions(folder / "xclip", std::filesystem::perms::owner_all);
  const std::string usual = std::getenv("PATH");
  ::setenv("PATH", (folder.path() + ":" + usual).c_str(), 1);
  const ProcessResult made = tilescope({"shot", "complex_merge", "--size", "700x500", "--step", "4", "--command",
                                        "savePicture " + folder / "a.png" + "; copyPicture; saveFilm " +
                                            folder / "a.gif" + " 4; saveFilm " + folder / "none.gif" + " 70",
                                        "-o", folder / "window.png"});
  ::setenv("PATH", usual.c_str(), 1);
  CHECK(made.status == kOk);
  CHECK(get_text(folder / "a.png").size() > 1000);
  CHECK(get_text(folder / "copied.png") == get_text(folder / "a.png"));
  CHECK(get_text(folder / "a.gif").starts_with("GIF89a"));
  CHECK_FALSE(std::filesystem::exists(folder / "none.gif"));
}

}  // namespace
}  // namespace ts::test
