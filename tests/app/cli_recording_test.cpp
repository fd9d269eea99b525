// Recordings in files, from the command line: saved by run, told by info, opened by run and repl.
#include <doctest/doctest.h>

#include <filesystem>

#include "core/data/seal.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

struct Saved {
  TempFolder folder;
  std::string path = folder / "out.ptorec";
  ProcessResult run;
  explicit Saved(const std::string& program, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"run", program, "--record", path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    run = tilescope(arguments);
  }
};

}  // namespace

TEST_CASE("cli record: run keeps the recording, and says the same of the file") {
  const Saved saved("row_loop");
  CHECK(saved.run.status == kOk);
  CHECK(saved.run.err == "");
  const ProcessResult plain = tilescope({"run", "row_loop"}), again = tilescope({"run", saved.path});
  CHECK(saved.run.out == plain.out);
  CHECK(again.status == kOk);
  const std::string steps = plain.out.substr(plain.out.find("   step  line")),
                    steps_again = again.out.substr(again.out.find("   step  line"));
  CHECK(steps == steps_again);
  CHECK(has(again.out, "as recorded"));
  CHECK(tilescope({"run", saved.path, "--digest"}).out == tilescope({"run", "row_loop", "--digest"}).out);
  CHECK(tilescope({"run", saved.path, "--cell", "y_odd[1,9]"}).status == kOk);
  CHECK(saved.folder.entries() == 1);
}

TEST_CASE("cli record: a program that stops at an error is kept, with its status") {
  const Saved saved("bug_mask_pitch");
  const ProcessResult plain = tilescope({"run", "bug_mask_pitch"});
  CHECK(saved.run.status == plain.status);
  CHECK(tilescope({"run", saved.path}).status == plain.status);
}

TEST_CASE("cli info: what is in a file, for people and as JSON") {
  const Saved saved("row_loop", {"--full", "--blocks", "2", "--seed", "7"});
  const ProcessResult text = tilescope({"info", saved.path});
  CHECK(text.status == kOk);
  for (const char* part :
       {"row_loop", "a5, 2 blocks", "end of the program", "after every step", "saved by TileScope", "%x"})
    CHECK(has(text.out, part));
  const auto json = json_of(tilescope({"info", saved.path, "--json", "--verify"}));
  CHECK(json["format"] == 4);
  CHECK(json["blocks"] == 2);
  CHECK(json["verified"] == true);
  CHECK(json["snapshots"]["full"] == true);
  CHECK(json["bytes"] == std::filesystem::file_size(saved.path));
  const ProcessResult digest = tilescope({"run", "row_loop", "--blocks", "2", "--seed", "7", "--digest"});
  CHECK(digest.out == json["digest"].get<std::string>() + "\n");
  CHECK(json["inputs"].size() == 3);
}

TEST_CASE("cli info: what is no recording, and a digest that is another") {
  const TempFolder folder;
  put_text(folder / "text.ptorec", "module {}");
  const ProcessResult text = tilescope({"info", folder / "text.ptorec"});
  CHECK(text.status == kCannotRun);
  CHECK(has(text.err, "this is not a recording"));
  CHECK(tilescope({"info", folder / "none.ptorec"}).status == kCannotRun);
  const Saved saved("row_loop");
  std::string bytes = get_text(saved.path);
  const std::string digest = json_of(tilescope({"info", saved.path, "--json"}))["digest"];
  const std::size_t at = bytes.find(digest);
  REQUIRE(at != std::string::npos);
  bytes[at] = bytes[at] == '0' ? '1' : '0';
  put_text(saved.path, bytes);
  CHECK(has(tilescope({"info", saved.path}).err, "it is damaged"));
  REQUIRE(data::seal(saved.path).text == "");
  CHECK(tilescope({"info", saved.path}).status == kOk);
  const ProcessResult other = tilescope({"info", saved.path, "--verify"});
  CHECK(other.status == kCannotRun);
  CHECK(has(other.err, "do not come to the results"));
}

TEST_CASE("cli repl: a file is opened, saved, and opened again with what was set") {
  const Saved saved("row_loop");
  const ProcessResult first = tilescope_fed(
      {"repl", saved.path},
      "rec:bookmark('here', 4)\nrec:addBreakpoint{op='tadd'}\nprint(rec:continue().op)\nprint(rec.pos, rec.count)\n");
  CHECK(first.status == kOk);
  CHECK(first.err == "");
  CHECK(has(first.out, "tadd"));
}

TEST_CASE("cli record: what makes no sense is refused") {
  const Saved saved("row_loop");
  const auto refused = [](const std::vector<std::string>& arguments, std::string_view part) {
    const ProcessResult result = tilescope(arguments);
    CAPTURE(result.err);
    CHECK(result.status == kCannotRun);
    CHECK(has(result.err, part));
  };
  refused({"run", "row_loop", "--full"}, "--record PATH says where");
  refused({"run", saved.path, "--seed", "3", "--set", "n=3"}, "--set is for programs that are run");
  refused({"repl", saved.path, "--target", "a5"}, "--target is for programs");
  refused({"run", "row_loop", "--record", saved.folder / "none/x.ptorec"}, "cannot be written");
  refused({"run", saved.folder / "none.ptorec"}, "No such file");
  const ProcessResult usage = tilescope({saved.path});
  CHECK(has(usage.err, "tilescope info"));
}

}  // namespace ts::test
