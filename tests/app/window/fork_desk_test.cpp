// Forks without a window: what is shown, names, what is kept, lessons.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/open_desk.h"

namespace ts::test {
namespace {

std::vector<std::string> names_of_forks(OpenDesk& f) {
  std::vector<std::string> names;
  for (const KeptFork& fork : f.view().standing().forks) names.push_back(fork.name);
  return names;
}

}  // namespace

TEST_CASE("forks: a change is shown beside the run that it came from, on the first step that differs") {
  ProgramDesk f("masked_sum");
  const Recording* run = f.view().recording();
  f.give("seek", {std::int64_t{5}});
  f.give("edit", {std::string("a[1,3]=1000")});
  REQUIRE(f.view().recording() != run);
  CHECK(f.view().fork() == "a[1,3]=1000@5");
  REQUIRE(f.view().against() != nullptr);
  CHECK(f.view().against()->title == "the run without the change");
  REQUIRE(f.view().against()->count() > 0);
  CHECK(f.view().against()->found.differences.front().step_a == 5);
  CHECK(f.view().shown_step() == 5);
  CHECK(f.selected() == "sum[1,3]");
  // Another change on top of it; then back.
  f.give("edit", {std::string("minus_one=7@6")});
  CHECK(f.view().fork() == "a[1,3]=1000@5, minus_one=7@6");
  CHECK(names_of_forks(f).size() == 2);
  f.give("showFork");
  CHECK(f.view().recording() == run);
  CHECK(f.view().against() == nullptr);
  CHECK(names_of_forks(f).size() == 2);
  f.give("showFork", {std::string("a[1,3]=1000@5")});
  CHECK(f.view().recording() != run);
  CHECK(f.view().recording()->edits().size() == 1);
  CHECK(f.view().document()->edits == std::vector<std::string>{"a[1,3]=1000@5"});
}

TEST_CASE("forks: names, and closing without a question") {
  ProgramDesk f("masked_sum");
  f.give("edit", {std::string("a[1,3]=1000@5")});
  f.give("renameFork", {std::string("a[1,3]=1000@5"), std::string("loud")});
  CHECK(f.view().fork() == "loud");
  CHECK(names_of_forks(f) == std::vector<std::string>{"loud"});
  f.give("edit", {std::string("a[1,3]=1@5")});
  f.give("renameFork", {f.view().fork(), std::string("loud")});
  CHECK(f.last_notice() == "there is a fork loud already");
  f.give("closeFork");
  CHECK(f.view().fork().empty());
  CHECK(names_of_forks(f) == std::vector<std::string>{"loud"});
  f.give("closeFork", {std::string("loud")});
  CHECK(names_of_forks(f).empty());
  f.give("closeFork");
  CHECK(f.last_notice() == "no fork is shown");
}

TEST_CASE("forks: what cannot be leaves everything as it was") {
  ProgramDesk f("masked_sum");
  const Recording* run = f.view().recording();
  const std::uint32_t position = f.position();
  for (const char* wrong : {"a[9,9]=1@5", "a[0,0]=x@5", "a[0,0]=1@99", "sum[0,0]=1@0", "", "=", "nothing[0,0]=1"}) {
    CAPTURE(wrong);
    f.give("edit", {std::string(wrong)});
    CHECK(f.last_notice() != "");
    CHECK(f.view().recording() == run);
    CHECK(f.position() == position);
    CHECK(names_of_forks(f).empty());
  }
  f.give("showFork", {std::string("none")});
  CHECK(f.last_notice() == "there is no fork none");
}

TEST_CASE("forks: a change that nothing reads is told, and the history names it") {
  ProgramDesk f("masked_sum");
  f.give("edit", {std::string("a[1,3]=1000@10")});
  CHECK(f.view().fork() == "a[1,3]=1000@10");
  CHECK(f.last_notice() == "no step's result differs from the run without the change");
}

TEST_CASE("forks: they are there again in the next session, in a saved recording, and follow an edited text") {
  const TempFolder folder;
  const std::string path = folder / "k.pto", saved = folder / "k.ptorec";
  const std::string text = get_text("samples/masked_sum.pto");
  put_text(path, text);
  {
    ProgramDesk f(path, folder / "state");
    f.give("edit", {std::string("a[1,3]=1000@5")});
    f.give("showFork");
    f.give("saveRecording", {saved});
    f.desk.keep_work();
  }
  {
    ProgramDesk f(path, folder / "state");
    CHECK(names_of_forks(f) == std::vector<std::string>{"a[1,3]=1000@5"});
    f.give("showFork", {std::string("a[1,3]=1000@5")});
    CHECK(f.view().shown_step() == 5);
  }
  {
    ProgramDesk f(saved);
    CHECK(names_of_forks(f) == std::vector<std::string>{"a[1,3]=1000@5"});
    f.give("showFork", {std::string("a[1,3]=1000@5")});
    CHECK(f.view().fork() == "a[1,3]=1000@5");
  }
  // A step before it: the change is where its operation is now.
  const std::size_t add = text.find("    pto.tadd");
  put_text(path, text.substr(0, add) +
                     "    pto.texpands ins(%minus_one : f32) outs(%out : !pto.tile_buf<vec, 2x8xf32>)\n" +
                     text.substr(add));
  ProgramDesk f(path, folder / "state");
  REQUIRE(f.view().standing().forks.size() == 1);
  CHECK(f.view().standing().forks[0].edits == std::vector<std::string>{"a[1,3]=1000@6"});
}

TEST_CASE("forks: numbers of a run that was opened from a file are changed like others, and stay in the file") {
  const TempFolder folder;
  const std::string saved = folder / "k.ptorec", again = folder / "again.ptorec";
  {
    ProgramDesk f("masked_sum");
    f.give("saveRecording", {saved});
  }
  std::string digest;
  {
    ProgramDesk f(saved);
    f.give("edit", {std::string("a[1,3]=1000@5")});
    f.give("showFork");
    f.give("edit", {std::string("minus_one=7@6")});
    REQUIRE(f.view().fork() == "minus_one=7@6");
    CHECK(f.view().against()->count() > 0);
    digest = f.view().recording()->digest({});
    // While it is shown: what is saved is the run, with both.
    f.give("saveRecording", {again});
    CHECK(has(f.last_notice(), "is written"));
    CHECK(f.view().fork() == "minus_one=7@6");
  }
  ProgramDesk f(again);
  CHECK(f.view().recording()->edits().empty());
  CHECK(names_of_forks(f) == std::vector<std::string>{"a[1,3]=1000@5", "minus_one=7@6"});
  f.give("showFork", {std::string("minus_one=7@6")});
  CHECK(f.view().recording()->digest({}) == digest);
  f.give("showFork", {std::string("a[1,3]=1000@5")});
  CHECK(f.view().recording()->edits().size() == 1);
}

TEST_CASE("forks: the one that is shown is shown again when the text was edited and runs anew") {
  const TempFolder folder;
  const std::string path = folder / "k.pto", text = get_text("samples/masked_sum.pto");
  put_text(path, text);
  ProgramDesk f(path, folder / "state");
  f.give("edit", {std::string("a[1,3]=1000@5")});
  REQUIRE(f.view().fork() == "a[1,3]=1000@5");
  const auto before = f.view().document()->recording;  // kept, so that no other one stands in its place
  put_text(path, "// a line more\n" + text);
  f.desk.reload(true);
  f.desk.wait();
  CHECK(f.view().recording() != before.get());
  CHECK(f.view().fork() == "a[1,3]=1000@5");
  CHECK(f.view().recording()->edits().size() == 1);
  CHECK(f.view().document()->tree->source->line(1) == "// a line more");
  // Without the operation there is nothing to show it by.
  const std::size_t add = text.find("    pto.tadd"), end = text.find("\n    pto.", add + 1);
  put_text(path, text.substr(0, add) + text.substr(end + 1));
  f.desk.reload(true);
  f.desk.wait();
  CHECK(f.view().fork().empty());
  CHECK(names_of_forks(f).size() == 1);
}

TEST_CASE("forks: in a lesson, where the lesson allows it") {
  const TempFolder folder;
  const std::string lesson = R"(return pto.lesson{title="T", teaches="x", family="arithmetic", file="masked_sum", EDITS
    steps={{say="Change it.", at=5}, {ask="What?", answer="one"}}})";
  const auto with = [&](const std::string& edits) {
    std::string made = lesson;
    return made.replace(made.find("EDITS"), 5, edits);
  };
  put_text(folder / "fixed.lua", with(""));
  put_text(folder / "free.lua", with("edits=true,"));
  ProgramDesk fixed(folder / "fixed.lua");
  REQUIRE(fixed.view().lesson() != nullptr);
  fixed.give("edit", {std::string("a[1,3]=1000@5")});
  CHECK(fixed.last_notice() == "this lesson is about its values as they are");
  CHECK(fixed.view().fork().empty());
  ProgramDesk free(folder / "free.lua");
  free.give("edit", {std::string("a[1,3]=1000@5")});
  CHECK(free.view().fork() == "a[1,3]=1000@5");
  CHECK(free.view().lesson() != nullptr);
}

}  // namespace ts::test
