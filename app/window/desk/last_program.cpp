// Saving and loading how a program was open.
#include "app/window/desk/last_program.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/data/array_file.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMost = ~std::uint64_t{0};

// A file by its whole path, from wherever it was named; what is none stays.
std::string whole_path(const std::string& name) {
  std::error_code failed;
  if (!std::filesystem::exists(name, failed)) return name;
  const auto whole = std::filesystem::absolute(name, failed);
  return failed ? name : whole.string();
}

}  // namespace

nlohmann::json save_program(const Launch& launch, const DebugView& view) {
  json saved{{"name", whole_path(launch.name)},
             {"seed", launch.open.inputs.seed},
             {"blocks", launch.open.blocks},
             {"position", view.moment().position}};
  if (!launch.entry.empty()) saved["entry"] = launch.entry;
  if (launch.open.target) saved["target"] = name(*launch.open.target);
  if (!launch.open.inputs.numbers.empty()) saved["numbers"] = launch.open.inputs.numbers;
  if (!launch.open.inputs.size_bytes.empty()) saved["sizes"] = launch.open.inputs.size_bytes;
  for (const auto& [input, file] : launch.array_files) saved["arrays"][input] = whole_path(file);
  if (const auto& selected = view.selected())
    saved["selected"] = {{"name", view.name_of(selected->owner)}, {"row", selected->row}, {"col", selected->col}};
  return saved;
}

std::variant<Launch, Refusal> load_program(const data::Fields& saved, std::vector<std::string>& problems) {
  Launch launch;
  launch.name = saved.text("name").value_or("");
  if (launch.name.empty()) return Refusal{"no program was open before", "File > Open opens one"};
  launch.entry = saved.text("entry").value_or("");
  for (const Target target : {Target::A2A3, Target::A5})
    if (saved.text("target").value_or("") == name(target)) launch.open.target = target;
  launch.open.blocks = static_cast<std::uint32_t>(saved.count("blocks", 65535).value_or(1));
  launch.open.inputs.seed = saved.count("seed", kMost).value_or(1);
  const data::Fields numbers = saved.below("numbers"), sizes = saved.below("sizes"), arrays = saved.below("arrays");
  for (const auto& [input, number] : numbers.all().items())
    if (number.is_string()) launch.open.inputs.numbers[input] = number.get<std::string>();
  for (const auto& [input, size] : sizes.all().items())
    if (const auto bytes = sizes.count(input, kMost)) launch.open.inputs.size_bytes[input] = *bytes;
  for (const auto& [input, path] : arrays.all().items()) {
    if (!path.is_string()) continue;
    auto read = data::read_array(path.get<std::string>());
    if (const auto* error = std::get_if<data::Error>(&read)) {
      problems.push_back(error->text);
      continue;
    }
    auto& array = std::get<data::Array>(read);
    launch.open.inputs.data[input] = std::move(array.bytes);
    launch.open.inputs.data_types[input] = array.type;
    launch.array_files[input] = path.get<std::string>();
  }
  ShowHint at;
  if (const auto position = saved.number32("position"); position && *position > 0) at.step = *position - 1;
  const data::Fields selected = saved.below("selected");
  if (const auto owner = selected.text("name"))
    at.cell = CellName{*owner, selected.number32("row").value_or(0), selected.number32("col").value_or(0)};
  launch.at = at;
  return launch;
}

}  // namespace ts::ui
