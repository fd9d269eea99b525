// What the case says, and over it what is said beside it.
#include "core/cases/open.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace ts::cases {
namespace {

bool has_arrays(const Folder& folder) {
  return !folder.inputs.empty() || !folder.goldens.empty() || !folder.manifest.inputs.all.empty() ||
         !folder.manifest.goldens.all.empty();
}

// What is given beside the case stays as it is.
void add_case(Case found, OpenedCase& out) {
  InputValues& inputs = out.open.inputs;
  for (auto& [name, bytes] : found.inputs.data) inputs.data.emplace(name, std::move(bytes));
  for (const auto& [name, number] : found.inputs.numbers) inputs.numbers.emplace(name, number);
  for (const auto& [name, size] : found.inputs.size_bytes) inputs.size_bytes.emplace(name, size);
  for (auto& [name, file] : found.files) out.files.emplace(name, std::move(file));
  out.goldens = std::move(found.goldens);
  out.notes = std::move(found.notes);
}

}  // namespace

bool is_folder(const std::string& name) {
  std::error_code wrong;
  return std::filesystem::is_directory(name, wrong);
}

std::variant<std::string, data::Error> entry_of(const Folder& folder, const std::vector<EntryPoint>& entries,
                                                const std::string& wanted) {
  const std::string& name = wanted.empty() ? folder.manifest.entry : wanted;
  std::vector<std::string> names;
  for (const EntryPoint& entry : entries) names.push_back(entry.name);
  if (entries.empty())
    return data::Error{fmt::format("{} has no function to start", folder.program),
                       "an entry point is a func.func with a body that returns nothing"};
  if (!name.empty() && std::ranges::find(names, name) == names.end())
    return data::Error{fmt::format("no entry point is called {}", name),
                       fmt::format("{} has {}", folder.program, fmt::join(names, ", "))};
  if (!name.empty() || !has_arrays(folder)) return name;
  if (entries.size() == 1) return names.front();
  return data::Error{
      fmt::format("{} has {} entry points; which one are the arrays for?", folder.program, entries.size()),
      fmt::format("--entry NAME, or \"entry\" in case.json, one of {}", fmt::join(names, ", "))};
}

OpenRequest request_of(const Folder& folder) {
  OpenRequest request;
  request.options = folder.manifest.options;
  if (!folder.manifest.target.empty()) request.target = folder.manifest.target == "a5" ? Target::A5 : Target::A2A3;
  request.blocks = folder.manifest.blocks.value_or(1);
  return request;
}

std::variant<OpenedCase, data::Error> open_case(const Folder& folder, std::shared_ptr<const text::Tree> tree,
                                                const std::vector<EntryPoint>& entries, Beside beside) {
  OpenedCase out{.entry = {}, .open = std::move(beside.open), .files = std::move(beside.files)};
  auto entry = entry_of(folder, entries, beside.entry);
  if (auto* error = std::get_if<data::Error>(&entry)) return std::move(*error);
  out.entry = std::move(std::get<std::string>(entry));
  if (!has_arrays(folder) && beside.types.empty()) return out;
  BindRequest request{.types = std::move(beside.types), .go_on = std::move(beside.go_on)};
  for (const auto& [name, bytes] : out.open.inputs.data) request.given.insert(name);
  for (const auto& [name, kind] : out.open.inputs.made) request.given.insert(name);
  // The arrays themselves are not asked for, and there is no need of them twice.
  auto given = std::exchange(out.open.inputs.data, {});
  request.open = out.open;
  out.open.inputs.data = std::move(given);
  const auto meant = out.entry.empty() ? entries.begin() : std::ranges::find(entries, out.entry, &EntryPoint::name);
  auto found = bind_case(folder, std::move(tree), *meant, request);
  if (auto* error = std::get_if<data::Error>(&found)) return std::move(*error);
  add_case(std::move(std::get<Case>(found)), out);
  return out;
}

}  // namespace ts::cases
