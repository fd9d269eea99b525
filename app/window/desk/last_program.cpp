// Saving and loading how a program was open.
#include "app/window/desk/last_program.h"

#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/window/desk/run_settings.h"
#include "core/cases/setup_check.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

using nlohmann::json;

// A file by its whole path, from wherever it was named; what is none stays.
std::string whole_path(const std::string& name) {
  std::error_code failed;
  if (!std::filesystem::exists(name, failed)) return name;
  const auto whole = std::filesystem::absolute(name, failed);
  return failed ? name : whole.string();
}

}  // namespace

nlohmann::json save_settings(const Launch& launch) {
  cases::Setup setup = setup_of(launch);
  for (auto& [input, file] : setup.arrays) file = whole_path(file);
  json saved = cases::to_json(setup);
  saved["name"] = whole_path(launch.name);
  if (launch.host.is_said())
    saved["main"] = {{"with", launch.host.with}, {"words", launch.host.words}, {"folder", launch.host.folder}};
  return saved;
}

nlohmann::json save_program(const Launch& launch, const DebugView& view) {
  json saved = save_settings(launch);
  saved["position"] = view.moment().position;
  if (const auto& selected = view.selected())
    saved["selected"] = {{"name", view.name_of(selected->owner)}, {"row", selected->row}, {"col", selected->col}};
  return saved;
}

std::variant<Launch, Refusal> load_program(const data::Fields& saved, std::vector<std::string>& problems) {
  Launch launch;
  launch.name = saved.text("name").value_or("");
  if (launch.name.empty()) return Refusal{"no program was open before", "File > Open opens one"};
  const data::Fields host = saved.below("main");
  launch.host = {host.texts("with"), host.texts("words"), host.text("folder").value_or("")};
  std::vector<std::string> wrong, unknown;  // of settings that somebody changed by hand: the usual ones are taken
  cases::Setup setup = cases::setup_from(saved, wrong, unknown);
  if (!cases::problems_of(setup).empty()) setup.made.clear(), setup.raw.clear();
  for (auto file = setup.arrays.begin(); file != setup.arrays.end();) {
    const auto read = cases::read_setup_array(setup, file->first);
    const auto* error = std::get_if<data::Error>(&read);
    if (error != nullptr) problems.push_back(error->text), setup.raw.erase(file->first);
    file = error != nullptr ? setup.arrays.erase(file) : std::next(file);
  }
  auto given = launch_with(launch, setup);
  if (auto* refused = std::get_if<Refusal>(&given)) return std::move(*refused);
  launch = std::move(std::get<Launch>(given));
  const auto position = saved.number32("position");
  if (!position) return launch;
  ShowHint at;
  if (*position > 0) at.step = *position - 1;
  const data::Fields selected = saved.below("selected");
  if (const auto owner = selected.text("name"))
    at.cell = CellName{*owner, selected.number32("row").value_or(0), selected.number32("col").value_or(0)};
  launch.at = at;
  return launch;
}

}  // namespace ts::ui
