// Lessons as a learner takes them: every question with a wrong and then a right answer, by keys and mouse.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "app/files/files.h"
#include "app/files/script_host.h"
#include "scripting/objects/lesson/lesson_file.h"
#include "tests/support/process/cli.h"
#include "tests/support/window/window.h"
#include "tests/window/smooth.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;
using scripting::LessonFile;

std::shared_ptr<LessonFile> open_lesson(const std::string& name) {
  const ProgramText text = lesson_text(name);
  auto opened = LessonFile::open(lesson_host(text.name), text.text, text.name);
  REQUIRE(std::holds_alternative<std::shared_ptr<LessonFile>>(opened));
  return std::get<std::shared_ptr<LessonFile>>(opened);
}

// The words for what is no value have short forms.
std::string typed(const std::string& answer) {
  if (answer == "undefined") return "..";
  if (answer == "unchanged") return "old";
  return answer == "unspecified" ? "?" : answer;
}

class Learner {
 public:
  Learner(Window& window, const std::string& name) : window_(window), file_(open_lesson(name)) {}

  // From the first page to the last.
  void walk() {
    const std::size_t count = file_->lesson().pages.size();
    for (page_ = 0; page_ < count; ++page_) {
      CAPTURE(page_);
      window_.wait("the page",
                   [&](const Json& state) { return state["lesson"]["step"] == page_ + 1 && state["ready"]; });
      if (page().asks()) answer();
      if (page_ + 1 < count) window_.press("ctrl+Page_Down");
    }
    window_.wait("all answered",
                 [&](const Json& state) { return state["lesson"]["answered"] == file_->lesson().questions(); });
  }

 private:
  const learn::Page& page() const { return file_->lesson().pages[page_]; }

  void wait_judged(bool right) {
    window_.wait(right ? "a right answer" : "a wrong answer", [&](const Json& state) {
      const Json& lesson = state["lesson"];
      return right ? lesson["done"] == true : lesson["judged"] == true && lesson["right"] == false;
    });
  }

  void answer() {
    const std::vector<std::string> right = file_->solution(page_);
    REQUIRE(!right.empty());
    if (const auto* ask = std::get_if<learn::Ask>(&page().question)) {
      if (ask->choices.empty()) type_answers({"x"}, right);
      else choose(*ask, right.front());
    } else if (page().predict() != nullptr) {
      predict(right);
    } else {
      find(right.front());
    }
    CHECK(window_.state()["lesson"]["told"] == false);
  }

  // The wrong one with the mouse, the right one with its digit.
  void choose(const learn::Ask& ask, const std::string& right) {
    const auto at = static_cast<std::size_t>(std::ranges::find(ask.choices, right) - ask.choices.begin());
    REQUIRE(at < ask.choices.size());
    window_.click_on(fmt::format("lesson/choice {}", at == 0 ? 2 : 1));
    wait_judged(false);
    window_.press(std::to_string(at + 1));
    wait_judged(true);
  }

  // The page goes to the field that has the caret, some frames later, and others may be out of sight then. Steps that are
  // out of sight below are no places at all.
  void click_field(std::size_t index) { click_in_page(fmt::format("lesson/field {}", index)); }
  void click_in_page(const std::string& name) {
    for (;;) {
      const Point at = window_.has_target(name) ? window_.target(name) : Point{0, 1e6};
      const auto pane = window_.state()["panes"]["lesson"].get<std::vector<double>>();
      const double head = 40, foot = 60, middle = pane[1] + pane[3] / 2;
      if (at.y < pane[1] + head || at.y > pane[1] + pane[3] - foot) {
        window_.wheel({pane[0] + pane[2] / 2, middle}, at.y < middle ? 1 : -1);
        continue;
      }
      for (const double beside : {0.0, 1.0, 2.0, 0.0}) window_.move({at.x + beside, at.y});
      const Point now = window_.target(name);
      if (now.x == at.x && now.y == at.y) return window_.click(at);
    }
  }

  // The first field has the caret.
  void type_answers(const std::vector<std::string>& wrong, const std::vector<std::string>& right) {
    for (const auto* answers : {&wrong, &right}) {
      for (std::size_t i = 0; i < answers->size(); ++i) {
        click_field(i);
        window_.press("ctrl+a");
        window_.type((*answers)[i]);
        window_.wait("what was typed", [&](const Json& state) { return state["lesson"]["fills"][i] == (*answers)[i]; });
      }
      window_.type("\n");
      wait_judged(answers == &right);
    }
  }

  // Wrong ones are typed; of the right ones those that are sources in sight are clicked.
  void predict(const std::vector<std::string>& right) {
    const std::uint32_t step = page().predict()->step;
    CHECK(window_.state()["lesson"]["hidden"] == step);
    CHECK(window_.state()["position"] == step);
    // The step is not to be looked at: stepping on stays where it is.
    window_.press("F10");
    window_.wait("it to be held back", [](const Json& state) { return state["lesson"]["held"] == true; });
    window_.wait_for("position", step);
    for (std::size_t i = 0; i < right.size(); ++i) {
      click_field(i);
      window_.type(right[i] == "unspecified" ? ".." : "?");
    }
    window_.type("\n");
    wait_judged(false);
    CHECK(window_.state()["position"] == step);
    for (std::size_t i = 0; i < right.size(); ++i) {
      click_field(i);
      window_.wait("the field", [&](const Json& state) { return state["lesson"]["field"] == i; });
      if (window_.has_target("stage/" + right[i])) {
        window_.click_on("stage/" + right[i]);
      } else {
        window_.press("ctrl+a");
        window_.type(typed(right[i]));
      }
      window_.wait("the answer", [&](const Json& state) { return state["lesson"]["fills"][i] == typed(right[i]); });
    }
    window_.click_on("lesson/answer");
    wait_judged(true);
    // And the move is played.
    window_.wait_for("position", step + 1);
    CHECK(window_.state()["lesson"]["hidden"] != step);
  }

  void find(const std::string& right) {
    const bool step = std::get<learn::Find>(page().question).what == learn::Find::What::Step;
    CHECK(window_.state()["findings"]["count"] == 0);
    const std::string wrong = step ? "step 0" : right.substr(0, right.find('[')) + "[0,0]";
    for (const std::string& answer : {wrong, right}) {
      if (step) click_in_page("lesson/" + answer);
      else window_.click_on("stage/" + answer);
      window_.wait("it to be named", [&](const Json& state) { return state["lesson"]["fills"][0] == answer; });
      window_.click_on("lesson/answer");
      wait_judged(answer == right);
    }
  }

  Window& window_;
  std::shared_ptr<LessonFile> file_;
  std::size_t page_ = 0;
};

void walk(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    CAPTURE(name);
    Window window({.arguments = {name}, .width = 1100, .height = 720, .pixels = true});
    window.wait_for("layout", "learn");
    window.wait_for("document", std::string(name) + ".lua");
    Learner(window, name).walk();
    CHECK(window.draws());
    check_smooth(window);
  }
}

}  // namespace

TEST_CASE("window: lessons zip, unzip and turn, to their ends") { walk({"zip", "unzip", "turn"}); }
TEST_CASE("window: lessons select, fill and targets, to their ends") { walk({"select", "fill", "targets"}); }
TEST_CASE("window: lessons gather, ungather and layouts, to their ends") { walk({"gather", "ungather", "layouts"}); }
TEST_CASE("window: lessons with bugs to be found, to their ends") {
  walk({"bug_nothing", "bug_shared", "bug_deadlock"});
}

TEST_CASE("window: lessons of the cube core, to their ends") { walk({"rows_to_fractals", "product_by_hand"}); }

TEST_CASE("window: the lesson of two cores, to its end") { walk({"two_cores"}); }

TEST_CASE("window: what was answered in a lesson is there again") {
  const TempFolder home;
  {
    Window window({.arguments = {"zip"}, .home = home.path()});
    window.wait("the lesson", [](const Json& state) { return state["lesson"]["step"] == 1; });
    window.click_on("lesson/next");
    window.wait("the question", [](const Json& state) { return state["lesson"]["step"] == 2; });
    window.click_on("lesson/field 0");
    window.press("ctrl+a");
    window.type("16\n");
    window.wait("the answer", [](const Json& state) { return state["lesson"]["done"] == true; });
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  }
  Window again({.arguments = {"zip"}, .home = home.path()});
  again.wait("the same page, answered",
             [](const Json& state) { return state["lesson"]["step"] == 2 && state["lesson"]["answered"] == 1; });
}

// An error that stood over Answer took the first click, and told what is to be found out.
TEST_CASE("window: no message stands over a lesson's buttons, or tells what it asks for") {
  Window window({.arguments = {"bug_deadlock"}, .width = 1100, .height = 720});
  window.wait("the lesson", [](const Json& state) { return state["lesson"]["step"] == 1; });
  CHECK(window.state()["notices"].empty());
  window.press("ctrl+Page_Up");
  window.wait("a message", [](const Json& state) { return state["notices"].size() == 1; });
  for (std::size_t page = 2; page <= 7; ++page) {
    window.press("ctrl+Page_Down");
    window.wait("the page", [&](const Json& state) { return state["lesson"]["step"] == page; });
  }
  window.click_on("lesson/step 0");
  window.wait("a step to be named", [](const Json& state) { return state["lesson"]["fills"][0] == "step 0"; });
  // A message that comes as the learner is about to answer.
  window.press("F7");
  window.wait("a message", [](const Json& state) { return !state["notices"].empty(); });
  const Point notice = window.target("notice/0"), button = window.target("lesson/answer");
  CHECK(notice.x < window.state()["panes"]["lesson"][0].get<double>());
  window.click(button);
  window.wait("the answer to be judged", [](const Json& state) { return state["lesson"]["judged"] == true; });
}

TEST_CASE("window: a source is dragged onto the cell that it goes to") {
  Window window({.arguments = {"zip"}});
  window.wait("the lesson", [](const Json& state) { return state["lesson"]["step"] == 1; });
  window.press("ctrl+Page_Down");
  window.wait("the question", [](const Json& state) { return state["lesson"]["step"] == 2; });
  window.press("ctrl+Page_Down");
  window.wait("the prediction", [](const Json& state) { return state["lesson"]["kind"] == "predict"; });
  window.drag(window.target("stage/src1[0,0]"), window.target("stage/dst0[0,1]"));
  window.wait("the source in the cell", [](const Json& state) { return state["lesson"]["fills"][1] == "src1[0,0]"; });
  CHECK(window.state()["lesson"]["fills"][0] == "");
  window.click_on("lesson/hint");
  window.wait("the hint", [](const Json& state) { return state["lesson"]["hint"] == true; });
  window.click_on("lesson/tell");
  window.wait("the answer", [](const Json& state) {
    return state["lesson"]["told"] == true && state["lesson"]["fills"][0] == "src0[0,0]" && state["position"] == 1;
  });
  CHECK(window.state()["lesson"]["answered"] == 0);
  check_smooth(window);
}

TEST_CASE("window: a lesson's file that is wrong is told, and one that changes is opened again") {
  const TempFolder folder;
  const auto put = [&](const std::string& text) {
    put_text(folder / "mine.new", text);
    std::rename((folder / "mine.new").c_str(), (folder / "mine.lua").c_str());
  };
  put("return pto.lesson{title='mine', teaches='x', family='y', file='row_loop', steps={{say='one'}, {say='two'}}}");
  Window window({.arguments = {folder / "mine.lua"}});
  window.wait("the lesson", [](const Json& state) { return state["lesson"]["steps"] == 2; });
  window.press("ctrl+Page_Down");
  window.wait("the second page", [](const Json& state) { return state["lesson"]["step"] == 2; });
  put("return pto.lesson{title='mine', teaches='x', family='y', file='row_loop', steps={{say='one'}, {sayy='two'}}}");
  window.wait("a message", [](const Json& state) {
    return std::ranges::any_of(state["notices"], [](const Json& notice) {
      return has(notice.get<std::string>(), "step 2: there is no 'sayy'; did you mean say?");
    });
  });
  put("return pto.lesson{title='mine', teaches='x', family='y', file='row_loop', "
      "steps={{say='one'}, {say='two'}, {say='three'}}}");
  window.wait("the lesson again",
              [](const Json& state) { return state["lesson"]["steps"] == 3 && state["lesson"]["step"] == 2; });
  CHECK(window.running());
}

}  // namespace ts::test
