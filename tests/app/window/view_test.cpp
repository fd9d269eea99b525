// Going back in the view, how tiles are shown, how much moves, what is explained.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "app/draw/cells.h"
#include "app/draw/motion.h"
#include "app/draw/texture.h"
#include "app/files/files.h"
#include "app/panes/pane_row.h"
#include "app/settings/tile_displays.h"
#include "app/window/commands/window_commands.h"
#include "app/window/help/explain.h"
#include "app/window/help/legend.h"
#include "app/window/help/tour.h"
#include "app/window/shell/appearance_history.h"
#include "core/debug/session/line_text.h"
#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"

using namespace ts;
using namespace ts::ui;
using nlohmann::json;

namespace {

json state(const char* theme, int active = 0, double zoom = 1) {
  return {{"theme", theme}, {"zoom", zoom}, {"layouts", {{"debug", {{"panes", {"a", "b"}}, {"active", active}}}}}};
}

}  // namespace

TEST_CASE("view: a place is told by the line that somebody wrote") {
  Diagnostics told;
  const auto kernel = test::compiled("tests/support/cpp/cores.cce", Target::A5, told);
  const test::KernelRun run = test::run_entry(kernel, "too_few", {}, told);
  REQUIRE(run.recording != nullptr);
  REQUIRE(run.recording->waits().size() == 1);
  const Program& program = run.recording->program();
  const SourceMap sources(program);
  CHECK(line_text(sources, program, run.recording->waits().front().pos) == "cores.cce:89");
  // No call stands in the first line of the list of calls.
  CHECK(line_text(sources, program, {1, 1}) == "line 1");
}

TEST_CASE("view history: back and again, and a new change ends what could be done again") {
  AppearanceHistory history;
  CHECK_FALSE(history.undo().has_value());
  history.note(state("dark"));
  CHECK_FALSE(history.can_undo());
  history.note(state("light"));
  history.note(state("light"));
  history.note(state("contrast"));
  CHECK(history.undo() == state("light"));
  CHECK(history.undo() == state("dark"));
  CHECK_FALSE(history.undo().has_value());
  CHECK(history.redo() == state("light"));
  history.settle(state("light"));
  CHECK(history.can_redo());
  history.note(state("light", 0, 1.5));
  CHECK_FALSE(history.can_redo());
  CHECK(history.undo() == state("light"));
}

TEST_CASE("view history: which tab is in front is no change, but is kept") {
  AppearanceHistory history;
  history.note(state("dark", 0));
  history.note(state("dark", 1));
  CHECK_FALSE(history.can_undo());
  history.note(state("light", 1));
  CHECK(history.undo() == state("dark", 1));
}

TEST_CASE("view history: what came of showing a state is no change of its own") {
  AppearanceHistory history;
  history.note(state("dark"));
  history.note(state("light"));
  REQUIRE(history.undo().has_value());
  // Shares of a layout are rounded when they are loaded.
  history.settle(state("dark", 0, 1.0000001));
  history.note(state("dark", 0, 1.0000001));
  CHECK(history.can_redo());
  CHECK(history.redo() == state("light"));
}

TEST_CASE("view history: it is bounded, and names what differs") {
  AppearanceHistory history;
  for (int i = 0; i < 1000; ++i) history.note(state("dark", 0, i));
  std::size_t count = 0;
  while (history.undo()) ++count;
  CHECK(count == AppearanceHistory::kMostKept);
  CHECK(AppearanceHistory::what_differs(state("dark", 0), state("light", 1)) == "theme");
  CHECK(AppearanceHistory::what_differs(state("dark"), state("dark", 1)) == "");
}

TEST_CASE("tile memory: what the user set comes back, and nothing else is kept") {
  TileDisplays memory;
  memory.of("untouched");
  CHECK(memory.save().empty());
  memory.of("t2") = {.mode = TileMode::Hex, .bytes = true, .boxes = true};
  memory.of("heat") = {.mode = TileMode::Heat, .auto_range = false, .low = -2, .high = 3.5};
  memory.of("large") = {.zoom = 24, .row = 100.5, .col = 7};
  // Scrolled to by following the selection: nobody set it.
  memory.of("scrolled") = {.row = 12};
  TileDisplays again;
  again.load(json::parse(memory.save().dump()));
  CHECK(again.of("t2") == memory.of("t2"));
  CHECK(again.of("heat") == memory.of("heat"));
  CHECK(again.of("large") == memory.of("large"));
  CHECK(again.of("scrolled") == TileDisplay{});
}

TEST_CASE("tile memory: damaged settings give tiles as they are at first") {
  for (const char* text : {"null", "[1]", R"({"t": 3})", R"({"t": {"mode": "sepia"}})", R"({"t": {"mode": 7}})",
                           R"({"t": {"range": [1]}})", R"({"t": {"range": [3, 1]}})", R"({"t": {"range": ["a", 1]}})",
                           R"({"t": {"scroll": [1, 2]}})", R"({"t": {"bytes": "yes"}})", R"({"t": {"boxes": 1}})",
                           R"({"t": {"scroll": ["a", {}, []]}})"}) {
    CAPTURE(text);
    TileDisplays memory;
    memory.load(json::parse(text));
    CHECK(memory.of("t") == TileDisplay{});
  }
  TileDisplays memory;
  memory.load(json::parse(R"({"t": {"scroll": [1e300, -5, 1e300]}})"));
  CHECK(memory.of("t").zoom <= 400);
  CHECK(memory.of("t").row == 0);
}

TEST_CASE("motion: a row of speeds with two ends") {
  Motion motion{Motion::Mode::Off, 1};
  std::string names = name_of(motion);
  for (int i = 0; i < 8; ++i) {
    motion = stepped(motion, 1);
    names += " " + name_of(motion);
    CHECK(motion_from_text(name_of(motion)) == motion);
  }
  CHECK(names == "off step 0.25x 0.5x 1x 2x 4x 4x 4x");
  for (int i = 0; i < 9; ++i) motion = stepped(motion, -1);
  CHECK(name_of(motion) == "off");
  CHECK(motion_from_text("2") == motion_from_text("2x"));
  CHECK(motion_from_text("on") == Motion{});
  for (const char* wrong : {"", "x", "fast", "3x", "-1", "0"}) CHECK_FALSE(motion_from_text(wrong).has_value());
}

// --- the legend ---

namespace {

// What files of the program call note_mark and its kin with.
std::set<std::string> marks_in_sources() {
  std::set<std::string> found;
  const std::regex name(R"re("((?:cell|text|sign|here|stop|severity|fold|step|map)-[a-z0-9-]+)")re"),
      noted(R"re(note_mark\("([a-z0-9-]+)")re");
  for (const char* folder : {"app/draw", "app/stage", "app/panes"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string text = test::get_text(entry.path().string());
      for (const std::regex& pattern : {name, noted})
        for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) found.insert((*at)[1]);
    }
  return found;
}

}  // namespace

TEST_CASE("legend: every mark that is drawn has a row") {
  const std::set<std::string> noted = marks_in_sources();
  CHECK(noted.size() >= 25);
  for (const std::string& mark : noted) {
    CAPTURE(mark);
    CHECK(find_legend_row(mark) != nullptr);
  }
}

TEST_CASE("legend: every sign of app/draw/signs.h and every mark of a cell has a row") {
  const std::string signs = test::get_text("app/draw/signs.h"), drawing = test::get_text("app/draw/signs.cpp");
  const std::regex function(R"(void draw_([a-z]+)[a-z_]*\()");
  int count = 0;
  for (std::sregex_iterator at(signs.begin(), signs.end(), function), end; at != end; ++at, ++count) {
    const std::string kind = (*at)[1];
    CAPTURE(kind);
    const bool has_row = std::ranges::any_of(legend_rows(), [&](const LegendRow& row) {
      const std::string id = row.id;
      return id == kind || id.starts_with(kind + "-");
    });
    CHECK(has_row);
  }
  CHECK(count >= 9);
  // What stands for the patterns of grids, which have no text.
  const std::vector<std::string> patterns = {"cell-undefined", "cell-padding",   "cell-unspecified", "sign-nan",
                                             "sign-inf",       "sign-denormal",  "cell-written",     "cell-same",
                                             "cell-finding",   "cell-different", "cell-noted"};
  CHECK(patterns.size() == static_cast<std::size_t>(kPatterns));
  for (const std::string& row : patterns) CHECK(find_legend_row(row) != nullptr);
  // The enumerators of Mark, by their names in the header.
  const std::string cells = test::get_text("app/draw/cells.h");
  const std::regex mark(R"(\n  ([A-Z][a-z]+) = 1 << )");
  for (std::sregex_iterator at(cells.begin(), cells.end(), mark), end; at != end; ++at) {
    std::string id = (*at)[1];
    std::ranges::transform(id, id.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    CAPTURE(id);
    CHECK(find_legend_row("cell-" + id) != nullptr);
  }
}

TEST_CASE("legend: rows have one name, a sentence and a drawing each; groups stand together") {
  std::set<std::string> ids, groups;
  std::string group;
  for (const LegendRow& row : legend_rows()) {
    CAPTURE(row.id);
    CHECK(ids.insert(row.id).second);
    CHECK(std::string(row.text).size() > 4);
    const bool drawn = row.draw != nullptr;
    CHECK(drawn);
    CHECK(find_legend_row(row.id) == &row);
    if (group != row.group) CHECK(groups.insert(row.group).second);
    group = row.group;
  }
  CHECK(find_legend_row("nothing") == nullptr);
}

// --- explaining ---

TEST_CASE("explain: a mark is meant rather than a command, a command rather than an instruction, and the pane last") {
  using Kind = Explanation::Kind;
  const Subject mark{Subject::Kind::Mark, "cell-written"}, other{Subject::Kind::Mark, "cell-selected"},
      command{Subject::Kind::Command, "over"}, op{Subject::Kind::Instruction, "tsel"};
  const Explanation marks = explanation_of({op, command, mark, other}, "stage");
  CHECK(marks.kind == Kind::Legend);
  CHECK(marks.names == std::vector<std::string>{"cell-written", "cell-selected"});
  CHECK(explanation_of({op, command}, "stage").kind == Kind::Command);
  CHECK(explanation_of({op}, "program").names == std::vector<std::string>{"tsel"});
  CHECK(explanation_of({}, "tiles").kind == Kind::Pane);
  CHECK(explanation_of({}, "").kind == Kind::Nothing);
}

TEST_CASE("panes: each has a name and a place of its own, a sentence for the menu, and its part of the manual") {
  std::set<std::string> titles;
  std::set<int> orders;
  for (const PaneRow* pane : pane_rows()) {
    CAPTURE(pane->id);
    CHECK(titles.insert(pane->title).second);
    CHECK(orders.insert(pane->order).second);
    CHECK(std::string_view(pane->help).ends_with('.'));
    CHECK_FALSE(read_markdown(pane->manual).empty());
    CHECK_FALSE(std::string_view(pane->manual).ends_with('\n'));
  }
  CHECK(titles.size() >= 20);
}

// --- the tour ---

TEST_CASE("tour: its stops name panes, commands and keys that there are, in a few words") {
  std::set<std::string> panes;
  for (const PaneRow* pane : pane_rows()) panes.insert(pane->id);
  CHECK(tour_stops().size() >= 5);
  CHECK(tour_stops().size() <= 6);
  for (const TourStop& stop : tour_stops()) {
    CAPTURE(stop.title);
    CHECK(panes.contains(stop.pane));
    const std::string text = stop.text;
    CHECK(text.size() < 300);
    for (const Command& command : stop.before) CHECK(find_any_command(command.name) != nullptr);
    if (*stop.press != 0) CHECK(find_any_command(stop.press) != nullptr);
    const std::regex key(R"(\{key:([A-Za-z]+)\})");
    for (std::sregex_iterator at(text.begin(), text.end(), key), end; at != end; ++at) {
      const CommandRow* row = find_any_command((*at)[1].str());
      REQUIRE(row != nullptr);
      CHECK(std::string(row->keys) != "");
    }
  }
  const auto all = samples();
  CHECK(std::ranges::any_of(all, [](const Sample& sample) { return sample.name == kTourSample; }));
}
