// What panes keep, and for how long: drawn without a window.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string_view>

#include "app/stage/drawing.h"
#include "core/catalogue/catalogue.h"
#include "core/data/fields.h"
#include "tests/support/process/cli.h"
#include "tests/support/window/drawn.h"
#include "tests/support/window/open_desk.h"

using namespace ts;
using namespace ts::ui;
using nlohmann::json;
using ts::test::DrawnPanes;
using ts::test::OpenDesk;

namespace {

Pane& find(const std::vector<std::unique_ptr<Pane>>& panes, std::string_view id) {
  return **std::ranges::find_if(panes, [&](const auto& pane) { return id == pane->id(); });
}

// Answers that take longer have come in the second round.
void draw_all(DrawnPanes& drawn, const std::vector<std::unique_ptr<Pane>>& panes, OpenDesk& desk) {
  for (int round = 0; round < 2; ++round) {
    for (const auto& pane : panes) drawn.draw(*pane, desk.view());
    desk.settle();
  }
}

json settings_of(const Pane& pane) {
  json settings = json::object();
  pane.save(settings);
  return settings;
}

}  // namespace

TEST_CASE("panes: a closed recording is freed, whatever was drawn of it and whoever is seen no more") {
  DrawnPanes drawn;
  OpenDesk desk;
  // Gathers, transposes, sums, and in the middle of a step on both targets: registers, repeats, lists.
  for (const char* sample : {"table_lookup", "transpose", "complex_split"}) {
    CAPTURE(std::string(sample));
    desk.open(sample);
    std::weak_ptr<const Recording> closed = desk.view().document()->recording;
    REQUIRE(!closed.expired());
    const auto panes = make_panes();
    const json modes{{"modes", {{"transpose", "how"}, {"gather", "how"}}}};
    for (auto& pane : panes) pane->load(data::Fields(modes));
    for (std::uint32_t step = 0; step < desk.view().recording()->count(); ++step) {
      desk.give("seek", {std::int64_t{step}});
      find(panes, "stage").forget();
      drawn.draw(find(panes, "stage"), desk.view());
    }
    draw_all(drawn, panes, desk);
    desk.give("overBack");
    desk.give("into");
    draw_all(drawn, panes, desk);
    desk.open("masked_sum");
    for (const auto& pane : panes) pane->forget();
    CHECK(closed.expired());
  }
}

TEST_CASE("panes: how a drawing shows its steps is kept from step to step, and with the settings") {
  DrawnPanes drawn;
  OpenDesk desk;
  desk.open("transpose");
  desk.give("seek", {std::int64_t{4}});
  REQUIRE(desk.view().recording()->bound(*desk.view().shown_step()).row->name == std::string_view("ttrans"));
  const auto panes = make_panes();
  Pane& stage = find(panes, "stage");
  CHECK(settings_of(stage).value("modes", json::object()).value("transpose", "") == "");
  // The buttons stand at the top left.
  const json grids = {{"transpose", "grids"}};
  for (float x = 10; x < 300 && settings_of(stage).value("modes", grids)["transpose"] != "bytes"; x += 8)
    for (float y = 36; y < 90 && settings_of(stage).value("modes", grids)["transpose"] != "bytes"; y += 6)
      drawn.click(stage, desk.view(), {x, y});
  REQUIRE(settings_of(stage)["modes"]["transpose"] == "bytes");
  desk.give("over");
  drawn.draw(stage, desk.view());
  desk.open("transpose");
  stage.forget();
  drawn.draw(stage, desk.view());
  CHECK(settings_of(stage)["modes"]["transpose"] == "bytes");
  // The next start of the window.
  const auto later = make_panes();
  const json kept = settings_of(stage);
  find(later, "stage").load(data::Fields(kept));
  drawn.draw(find(later, "stage"), desk.view());
  CHECK(settings_of(find(later, "stage")) == settings_of(stage));
}

TEST_CASE("panes: all can be drawn in little room") {
  DrawnPanes drawn;
  OpenDesk desk;
  for (const char* sample : {"complex_split", "zip"}) {
    desk.open(sample);
    const auto panes = make_panes();
    draw_all(drawn, panes, desk);
    for (const ImVec2 size : {ImVec2{300, 200}, ImVec2{300, 40}, ImVec2{70, 300}, ImVec2{40, 40}, ImVec2{17, 13}}) {
      CAPTURE(size.x);
      CAPTURE(size.y);
      drawn.resize(size);
      draw_all(drawn, panes, desk);
    }
  }
}

// Of all that is kept, only the lists of what registered itself belong to the process.
TEST_CASE("panes: neither panes nor drawings keep anything in statics") {
  const std::regex kept(R"(^\s*(static|thread_local) (?!const |constexpr )[^()]*(;|=|\{).*)");
  for (const char* folder : {"app/panes", "app/stage"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string path = entry.path().generic_string();
      if (!path.ends_with(".cpp") || path == "app/panes/pane_row.cpp" || path == "app/stage/drawings.cpp") continue;
      std::istringstream lines(test::get_text(path));
      for (std::string line; std::getline(lines, line);)
        CHECK_MESSAGE(!std::regex_match(line, kept), path << ": " << line);
    }
}

TEST_CASE("panes: every kind of drawing that an instruction names is drawn by a family") {
  for (const InstructionRow* row : catalogue()) {
    CAPTURE(std::string(row->name));
    CHECK((drawing_of(row->draw) == draw_general) == (row->draw == Drawing::None));
  }
}

TEST_CASE("panes: damaged settings of the stage choose nothing") {
  const auto panes = make_panes();
  for (const char* text : {R"({"modes": 3})", R"({"modes": {"transpose": 3}})", R"({"modes": null})"}) {
    CAPTURE(std::string(text));
    const json damaged = json::parse(text);
    find(panes, "stage").load(data::Fields(damaged));
    CHECK(settings_of(find(panes, "stage")).empty());
  }
}
