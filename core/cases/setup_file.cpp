// Reading and writing the file of setups.
#include "core/cases/setup_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/data/file.h"
#include "core/data/npz.h"
#include "core/data/utf8.h"

namespace ts::cases {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMostFileBytes = 4 << 20;
constexpr std::size_t kMostSetups = 500, kMostLetters = 60;

const char* const kNewer = "a newer TileScope may read it; the file stays as it is";

fs::path folder_of(const std::string& program) {
  const fs::path folder = fs::path(program).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

// What is wrong with the file as a whole.
std::optional<data::Error> wrong_file(const std::string& path, const json& all) {
  const auto version = all.find("version");
  if (version == all.end() || !version->is_number_integer())
    return data::Error{fmt::format("{}: it has no version", path),
                       fmt::format("a file of setups begins with \"version\": {}", kSetupVersion)};
  if (*version != kSetupVersion)
    return data::Error{fmt::format("{}: it is of version {}, and this is TileScope with version {}", path,
                                   data::json_text(*version), kSetupVersion),
                       kNewer};
  const auto setups = all.find("setups");
  if (setups == all.end() || !setups->is_object())
    return data::Error{fmt::format("{}: \"setups\" is no object of setups by name", path), ""};
  return {};
}

// The file's object; of no file an empty one of this version.
std::variant<json, data::Error> read_all(const std::string& program) {
  const std::string path = setup_file_of(program);
  std::error_code failed;
  if (fs::is_symlink(path, failed))
    return data::Error{path + ": it is a link, and setups stand in a file of their own", "remove the link"};
  if (!fs::exists(path, failed)) return json{{"version", kSetupVersion}, {"setups", json::object()}};
  const auto file = data::read_file(path, kMostFileBytes);
  if (const auto* error = std::get_if<data::Error>(&file)) return *error;
  const auto& bytes = std::get<std::vector<std::byte>>(file);
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  auto parsed = data::parse_object(text);
  if (const auto* error = std::get_if<data::Error>(&parsed)) return data::Error{path + ": " + error->text, error->hint};
  if (const auto twice = data::repeated_name(text))
    return data::Error{fmt::format("{}: {} is there twice in one object", path, data::shown_name(*twice)),
                       "remove one of them"};
  json all = std::move(std::get<json>(parsed));
  if (auto wrong = wrong_file(path, all)) return std::move(*wrong);
  return all;
}

data::Error write_all(const std::string& program, const json& all) {
  const std::string text = data::json_text(all, 2) + "\n";
  if (text.size() > kMostFileBytes)
    return {fmt::format("{}: it would be larger than {} bytes", setup_file_of(program), kMostFileBytes),
            "delete some of its setups"};
  return data::write_file(setup_file_of(program), {std::as_bytes(std::span(text))});
}

std::vector<std::string> names_in(const json& all) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : all["setups"].items()) names.push_back(name);
  return names;
}

std::string some_names(const json& all) {
  std::vector<std::string> names = names_in(all);
  if (names.empty()) return "it has none";
  for (std::string& name : names) name = data::shown_name(name);
  return fmt::format("it has {}", data::some_of(names));
}

// The path of a file in an archive is that of the archive.
std::string file_of(const std::string& path) {
  const auto place = data::place_in_npz(path);
  return place ? place->archive : path;
}

bool is_below(const fs::path& folder, const fs::path& path) {
  const auto [end, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// Both as they are on the disk, with links followed; nothing: nobody can say.
std::optional<std::pair<fs::path, fs::path>> real_places(const std::string& program, const fs::path& file) {
  std::error_code failed, failed_too;
  fs::path folder = fs::weakly_canonical(folder_of(program), failed), real = fs::weakly_canonical(file, failed_too);
  if (failed || failed_too) return {};
  return std::pair{std::move(folder), std::move(real)};
}

// Relative to the program's folder where it lies below it, else from the root.
std::string path_for_file(const std::string& program, const std::string& path) {
  const std::string file = file_of(path);
  const auto real = real_places(program, file);
  if (!real) return path;
  const std::string member = path.substr(file.size());
  if (!is_below(real->first, real->second)) return real->second.string() + member;
  return real->second.lexically_relative(real->first).string() + member;
}

}  // namespace

std::string setup_file_of(const std::string& program) { return program + ".tilescope"; }

std::string wrong_setup_name(std::string_view name) {
  if (name.empty()) return "a setup has a name";
  if (name.size() > kMostLetters) return fmt::format("a setup's name has at most {} letters", kMostLetters);
  if (data::shown_name(name) != name) return "a setup's name has no control characters";
  return "";
}

std::variant<std::vector<std::string>, data::Error> setup_names(const std::string& program) {
  const auto all = read_all(program);
  if (const auto* error = std::get_if<data::Error>(&all)) return *error;
  return names_in(std::get<json>(all));
}

std::variant<LoadedSetup, data::Error> load_setup(const std::string& program, const std::string& name) {
  const std::string path = setup_file_of(program);
  std::error_code failed;
  if (!fs::exists(path, failed))
    return data::Error{fmt::format("there is no setup {}: {} is not there", name, path),
                       "the window's run bar saves setups"};
  const auto read = read_all(program);
  if (const auto* error = std::get_if<data::Error>(&read)) return *error;
  const json& all = std::get<json>(read);
  const auto found = all["setups"].find(name);
  if (found == all["setups"].end())
    return data::Error{fmt::format("{}: there is no setup {}", path, name), some_names(all)};
  if (!found->is_object())
    return data::Error{fmt::format("{}: setup {} is no object", path, name), "it has settings by name"};
  LoadedSetup loaded;
  std::vector<std::string> problems;
  loaded.setup = setup_from(data::Fields(*found), problems, loaded.notes);
  for (std::string& note : loaded.notes) note = fmt::format("{}: setup {}: {}", path, name, data::shown_name(note));
  if (problems.empty()) return loaded;
  for (std::string& problem : problems) problem = data::shown_name(problem);
  return data::Error{fmt::format("{}: setup {}: {}", path, name, fmt::join(problems, "; ")), "nothing of it was taken"};
}

std::variant<std::string, data::Error> setup_path(const std::string& program, const std::string& path,
                                                  SetupFiles files) {
  if (path.empty() || path.find('\0') != std::string::npos)
    return data::Error{"a setup names a file without a name", ""};
  const fs::path whole = folder_of(program) / path;  // a path from the root stays one
  if (files == SetupFiles::Anywhere) return whole.lexically_normal().string();
  const auto real = real_places(program, file_of(whole.string()));
  if (real && is_below(real->first, real->second)) return whole.lexically_normal().string();
  return data::Error{
      fmt::format("{} lies outside of {}, where {} is", data::shown_name(path),
                  real ? real->first.string() : folder_of(program).string(), fs::path(program).filename().string()),
      "a setup reads files of its program's folder alone, unless you say otherwise"};
}

std::variant<Setup, data::Error> with_paths(Setup setup, const std::string& program, SetupFiles files) {
  for (auto& [input, path] : setup.arrays) {
    auto found = setup_path(program, path, files);
    if (auto* error = std::get_if<data::Error>(&found)) {
      error->text = fmt::format("{}: {}", input, error->text);
      return std::move(*error);
    }
    path = std::move(std::get<std::string>(found));
  }
  std::vector<std::string> folders = include_folders(setup);
  for (std::string& folder : folders) {
    auto found = setup_path(program, folder, files);
    if (auto* error = std::get_if<data::Error>(&found)) return std::move(*error);
    folder = std::move(std::get<std::string>(found));
  }
  set_include_folders(folders, setup);
  return setup;
}

data::Error save_setup(const std::string& program, const std::string& name, Setup setup) {
  if (std::string wrong = wrong_setup_name(name); !wrong.empty()) return {std::move(wrong), ""};
  if (auto problems = problems_of(setup); !problems.empty()) return std::move(problems.front());
  auto read = read_all(program);
  if (auto* error = std::get_if<data::Error>(&read)) return std::move(*error);
  json& all = std::get<json>(read);
  if (all["setups"].size() >= kMostSetups && !all["setups"].contains(name))
    return {fmt::format("{}: it has {} setups already", setup_file_of(program), kMostSetups), "delete some of them"};
  for (auto& [input, path] : setup.arrays) path = path_for_file(program, path);
  std::vector<std::string> folders = include_folders(setup);
  for (std::string& folder : folders) folder = path_for_file(program, folder);
  set_include_folders(folders, setup);
  json saved = to_json(setup);
  // What a newer version said of it and this one does not know.
  if (const auto before = all["setups"].find(name); before != all["setups"].end() && before->is_object()) {
    const auto is_known = [](const std::string& key) {
      return std::ranges::any_of(setup_rows(), [&](const SetupRow& row) { return key == row.key; }) ||
             std::ranges::any_of(setup_pairs(), [&](const SetupPairs& pairs) { return key == pairs.key; });
    };
    for (const auto& [key, value] : before->items())
      if (!is_known(key)) saved[key] = value;
  }
  all["setups"][name] = std::move(saved);
  return write_all(program, all);
}

data::Error delete_setup(const std::string& program, const std::string& name) {
  auto read = read_all(program);
  if (auto* error = std::get_if<data::Error>(&read)) return std::move(*error);
  json& all = std::get<json>(read);
  if (all["setups"].erase(name) == 0)
    return {fmt::format("{}: there is no setup {}", setup_file_of(program), name), some_names(all)};
  return write_all(program, all);
}

}  // namespace ts::cases
