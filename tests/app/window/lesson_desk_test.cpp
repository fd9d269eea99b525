// Lessons on the desk, without a window: pages, answers, what is hidden, what is kept.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/files/files.h"
#include "app/settings/lesson_progress.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/open_desk.h"

namespace ts::test {
namespace {

using namespace ts::ui;

struct LessonDesk : ProgramDesk {
  using ProgramDesk::ProgramDesk;
  void page(int number) { give("lessonPage", {std::int64_t{number}}); }
  const ShownLesson& lesson() { return *desk.view().lesson(); }
  bool wished(Wish::What what) { return std::ranges::count(desk.take_wishes(), what, &Wish::what) > 0; }
  bool wished(const std::string& command) {
    const std::vector<Wish> wishes = desk.take_wishes();
    return std::ranges::any_of(wishes, [&](const Wish& wish) { return wish.command.name == command; });
  }
};

}  // namespace

TEST_CASE("desk: a lesson opens at its first page, in its layout") {
  LessonDesk f("zip");
  REQUIRE(f.desk.view().lesson() != nullptr);
  CHECK(f.wished(Wish::What::LessonLayout));
  CHECK(f.lesson().page == 0);
  CHECK(f.position() == 0);
  CHECK(f.desk.view().shows_next());
  CHECK(f.desk.view().name_of(*f.desk.view().selected()) == "src0[0,0]");
  // What a later page asks for is hidden from the start.
  CHECK(f.desk.view().hidden_step() == 0);
  f.give("lessonNext");
  CHECK(f.lesson().page == 1);
  f.give("lessonBack");
  f.give("lessonBack");
  CHECK(f.lesson().page == 0);
  CHECK(f.desk.take_notices().back().text == "this is the lesson's first step");
  f.page(99);
  CHECK(f.lesson().page == 0);
}

TEST_CASE("desk: a lesson is asked about while another one opens") {
  LessonDesk f("zip");
  // Nobody waits: behind the last page the next lesson opens, and what is asked then is of the page before.
  for (int i = 0; i < 40; ++i)
    for (const char* name : {"lessonTell", "lessonAnswer", "lessonNext"}) f.desk.carry_out({name, {}});
  f.settle();
  REQUIRE(f.desk.view().lesson() != nullptr);
  CHECK(f.desk.view().lesson()->page < f.desk.view().lesson()->lesson->pages.size());
}

TEST_CASE("desk: a prediction hides its step until it is answered") {
  LessonDesk f("zip");
  f.page(3);
  REQUIRE(f.lesson().predicting() != nullptr);
  CHECK(f.lesson().fills.size() == 3);
  for (const char* on : {"over", "into", "continue", "last"}) {
    CAPTURE(on);
    f.give(on);
    CHECK(f.position() == 0);
    CHECK(f.desk.view().moment().micro == 0);
    CHECK(f.lesson().held);
    CHECK(f.desk.take_notices().empty());
  }
  f.give("seek", {std::int64_t{2}});
  CHECK(f.position() == 0);
  f.give("console", {std::string("rec:seek(1)")});
  CHECK(f.position() == 0);
  // Clicks fill the fields one after the other; a click on a predicted cell chooses it.
  f.give("select", {std::string("src0"), std::int64_t{0}, std::int64_t{0}});
  CHECK(f.lesson().fills[0] == "src0[0,0]");
  CHECK(f.lesson().current == 1);
  f.give("select", {std::string("dst0"), std::int64_t{0}, std::int64_t{2}});
  CHECK(f.lesson().current == 2);
  f.give("select", {std::string("src0"), std::int64_t{0}, std::int64_t{2}});
  f.give("lessonAnswer");
  CHECK(f.lesson().judged->unread);
  CHECK(f.lesson().progress.pages[2].tries == 0);
  f.give("lessonDrop", {std::int64_t{1}, std::string("src1[0,0]")});
  f.give("lessonAnswer");
  CHECK(!f.lesson().judged->right);
  CHECK(f.lesson().judged->parts[2].said == "dst0[0,2] does not come from src0[0,2], which goes to dst0[0,4]");
  CHECK(f.lesson().progress.pages[2].tries == 1);
  CHECK(f.position() == 0);
  f.give("lessonFill", {std::int64_t{2}, std::string("src0[0,1]")});
  f.give("lessonAnswer");
  CHECK(f.lesson().done);
  CHECK(f.position() == 1);
  CHECK(!f.desk.view().shows_next());
  CHECK(f.wished("playMove"));
  // The next prediction's step is hidden still.
  CHECK(f.desk.view().hidden_step() == 1);
  f.give("last");
  CHECK(f.position() == 1);
  CHECK(f.lesson().progress.pages[2] == learn::PageProgress{.tries = 2, .right = true});
}

TEST_CASE("desk: an answer that is shown is no answer of the learner's") {
  LessonDesk f("zip");
  f.page(2);
  f.give("lessonTell");
  CHECK(f.lesson().done);
  CHECK(f.lesson().told);
  CHECK(f.lesson().fills[0] == "16");
  CHECK(f.lesson().progress.answered() == 0);
  CHECK(f.lesson().progress.pages[1].shown);
  f.page(5);
  f.give("lessonChoose", {std::int64_t{2}});
  CHECK(!f.lesson().judged->right);
  CHECK(has(f.lesson().judged->text, "that would be no zip"));
  f.give("lessonHint");
  CHECK(f.lesson().hint);
  f.give("lessonChoose", {std::int64_t{3}});
  CHECK(f.lesson().done);
}

TEST_CASE("desk: bugs that are to be found are not told by the findings") {
  LessonDesk f("bug_nothing");
  f.settle();
  CHECK(f.desk.view().findings().empty());
  // The timeline and the marks beside the text are made of these.
  CHECK(f.desk.view().shared_findings()->empty());
  CHECK(!f.desk.view().worst_finding());
  f.give("nextFinding");
  CHECK(f.desk.take_notices().back().text == "the lesson wants the bug to be found by hand");
  f.page(3);
  f.give("lessonFill", {std::int64_t{0}, std::string("step 3")});
  f.give("lessonAnswer");
  CHECK(f.lesson().done);
  CHECK(f.desk.view().findings().empty());
  f.page(4);
  f.give("lessonFill", {std::int64_t{0}, std::string("step 1")});
  f.give("lessonAnswer");
  CHECK(f.lesson().done);
  CHECK(!f.desk.view().findings().empty());
  CHECK(!f.desk.view().shared_findings()->empty());
}

TEST_CASE("desk: progress is kept by the hash of a lesson's text") {
  const TempFolder state;
  {
    LessonDesk f("zip", state.path());
    f.page(2);
    f.give("lessonFill", {std::int64_t{0}, std::string("15")});
    f.give("lessonAnswer");
    f.give("lessonFill", {std::int64_t{0}, std::string("16")});
    f.give("lessonAnswer");
  }
  {
    LessonDesk f("zip", state.path());
    CHECK(f.lesson().page == 1);
    CHECK(f.lesson().progress.pages[1] == learn::PageProgress{.tries = 2, .right = true});
    f.page(5);
    f.give("lessonChoose", {std::int64_t{3}});
  }
  {
    // The list of lessons tells how far one has come, whatever is open.
    ProgramDesk f("complex_split", state.path());
    REQUIRE(f.desk.view().lesson_scores().lessons.contains("zip.lua"));
    CHECK(learn::score_text(f.desk.view().lesson_scores().lessons.at("zip.lua")) == "2 of 5 answered, 1 at once");
  }
  const auto kept = load_lesson_progress(state.path());
  REQUIRE(kept.size() == 1);
  CHECK(kept.begin()->first == lesson_hash(lesson_text("zip").text));
  CHECK(learn::score_text(scores_of(kept).at("interleave")) == "2 of 5 answered, 1 at once");
  put_text(state / "lessons.json", "{\"a\": 1, \"b\": {\"pages\": [1, {\"tries\": -1}], \"page\": \"x\"}}");
  CHECK(load_lesson_progress(state.path()).size() == 1);
  put_text(state / "lessons.json", "nonsense");
  CHECK(load_lesson_progress(state.path()).empty());
}

TEST_CASE("desk: the program of a lesson is compared with the other target") {
  LessonDesk f("targets");
  f.page(7);
  REQUIRE(f.desk.view().recording()->program().target == Target::A2A3);
  f.give("compareTargets");
  REQUIRE(f.desk.view().against() != nullptr);
  CHECK(f.desk.view().against()->other->recording->program().target == Target::A5);
}

TEST_CASE("desk: a wrong lesson is told and leaves what is open") {
  const TempFolder folder;
  put_text(folder / "wrong.lua", "return pto.lesson{}");
  LessonDesk f("zip");
  Launch launch;
  launch.name = folder / "wrong.lua";
  f.desk.open(launch);
  f.settle();
  CHECK(f.lesson().name == "zip.lua");
  const auto notices = f.desk.take_notices();
  CHECK(has(notices.back().text, "pto.lesson: title: wanted one line of text, got nil"));
  CHECK(notices.back().is_error);
}

}  // namespace ts::test
