// The draft, and the file of setups.
#include "app/window/desk/run_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/data/array_file.h"

namespace ts::ui {

using cases::Setup;

namespace {

const std::string kUsualStandard = cpp::BuildRequest().standard;

void put_build(const cpp::BuildRequest& build, Setup& setup) {
  if (build.standard != kUsualStandard) setup.standard = build.standard;
  cases::set_include_folders(build.include, setup);
  cases::set_macros(build.define, setup);
}

void take_build(const Setup& setup, cpp::BuildRequest& build) {
  build.standard = setup.standard.empty() ? kUsualStandard : setup.standard;
  build.include = cases::include_folders(setup);
  build.define = cases::macros(setup);
}

}  // namespace

Setup setup_of(const Launch& launch) {
  Setup setup = cases::setup_of(launch.open);
  setup.entry = launch.entry;
  if (launch.budget_bytes != 0) setup.budget = std::to_string(launch.budget_bytes >> 20);
  setup.arrays = launch.array_files;
  setup.raw = launch.raw_types;
  put_build(launch.build, setup);
  return setup;
}

std::variant<Launch, Refusal> launch_with(const Launch& base, const Setup& setup, const std::function<bool()>& go_on) {
  if (const auto problems = cases::problems_of(setup); !problems.empty())
    return Refusal{problems.front().text, problems.front().hint};
  Launch launch = base;
  InputValues& inputs = launch.open.inputs;
  auto data = std::exchange(inputs.data, {});
  auto types = std::exchange(inputs.data_types, {});
  launch.entry = setup.entry;
  launch.budget_bytes = cases::budget_bytes(setup);
  launch.array_files = setup.arrays;
  launch.raw_types = setup.raw;
  take_build(setup, launch.build);
  cases::put_into(setup, launch.open);
  for (const auto& [input, path] : setup.arrays) {
    if (go_on && !go_on()) return Refusal{"reading the arrays was ended", "the program runs as before"};
    // A case says itself what its files hold.
    const auto before = base.array_files.find(input);
    if (base.goldens != nullptr && before != base.array_files.end() && before->second == path && data.contains(input)) {
      inputs.data[input] = std::move(data[input]);
      inputs.data_types[input] = types[input];
      continue;
    }
    auto read = cases::read_setup_array(setup, input);
    if (const auto* error = std::get_if<data::Error>(&read))
      return Refusal{fmt::format("{}: {}", input, error->text), error->hint};
    auto& array = std::get<data::Array>(read);
    inputs.data[input] = std::move(array.bytes);
    inputs.data_types[input] = array.type;
  }
  return launch;
}

void RunSettings::begin(bool runs, bool again) {
  beside_.cancel();
  const Setup now = runs ? setup_of(launch_) : Setup{};
  if (!again || !(now == running_)) draft_ = now;
  runs_ = runs;
  running_ = now;
  checked_.reset(), names_.reset();
  waiting_file_.clear(), outside_.clear();
  if (!runs) loaded_.clear();
  else if (!again) loaded_ = launch_.setup;
  if (!runs_) return;
  const Recording* recording = walk_.view().recording();
  if (recording == nullptr) return look();
  checked_ = {running_, cases::known_of(recording->program())};
  if (changed()) look();
}

void RunSettings::set(Setup draft) {
  draft_ = std::move(draft);
  look();
}

std::optional<Refusal> RunSettings::set(const std::string& key, const std::string& name, const std::string& value) {
  if (!runs_) return Refusal{"there is no program that could be run in another way", "open a program first"};
  Setup draft = draft_;
  for (const cases::SetupRow& row : cases::setup_rows()) {
    if (key != row.key) continue;
    if (const std::string wanted = cases::wrong_value(row, value); !wanted.empty())
      return Refusal{fmt::format("{}: wanted {}, it is {}", row.title, wanted, value), ""};
    draft.*row.field = value;
    return set(std::move(draft)), std::nullopt;
  }
  for (const cases::SetupPairs& pairs : cases::setup_pairs()) {
    if (key != pairs.key) continue;
    auto& all = draft.*pairs.field;
    if (value.empty()) all.erase(name);
    else if (const std::string wanted = cases::wrong_value(pairs, name, value); !wanted.empty())
      return Refusal{fmt::format("{}.{}: wanted {}, it is {}", key, name, wanted, value), ""};
    else all[name] = value;
    // An input has one source.
    if (pairs.field == &Setup::arrays) draft.raw.erase(name);
    if (pairs.field == &Setup::arrays && !value.empty()) draft.made.erase(name);
    if (pairs.field == &Setup::made && !value.empty()) draft.arrays.erase(name), draft.raw.erase(name);
    return set(std::move(draft)), std::nullopt;
  }
  return Refusal{fmt::format("no setting is called {}", key), ""};
}

std::optional<Refusal> RunSettings::bind_file(const std::string& path, std::string name) {
  if (!runs_) return Refusal{fmt::format("{}: no program is open that could take it", path), "open a program first"};
  waiting_file_.clear();
  const cases::SetupCheck* known = last_check();
  const auto is_array = [](const cases::InputForm& form) { return form.kind != ProgramInput::Kind::Scalar; };
  if (name.empty() && known != nullptr) {
    std::vector<std::string> arrays;
    const std::string stem = std::filesystem::path(path).stem().string();
    for (const cases::InputForm& form : known->inputs) {
      if (!is_array(form)) continue;
      arrays.push_back(form.name);
      if (form.name == stem) name = form.name;
    }
    if (name.empty() && arrays.size() == 1) name = arrays.front();
  }
  if (!name.empty()) return set("arrays", name, path);
  waiting_file_ = path;
  return Refusal{fmt::format("which input is {} for?", std::filesystem::path(path).filename().string()),
                 "a button beside each input takes it"};
}

// Compiles the program and reads the arrays in a thread of its own.
void RunSettings::look() {
  const Document* document = walk_.view().document();
  if (document == nullptr || document->tree == nullptr || document->entries.empty()) return;
  beside_.start([this, tree = document->tree, setup = draft_](const Beside::GoOn& go_on) -> Beside::Reply {
    Diagnostics said;
    const std::vector<EntryPoint> entries = entry_points(*tree, said);
    auto found =
        std::make_shared<cases::SetupCheck>(cases::check_setup(tree, entries, setup, [&] { return go_on(0); }));
    return [this, setup, found] { checked_ = {setup, std::move(*found)}; };
  });
}

// --- setups beside the program ---

bool RunSettings::tell(const data::Error& error) {
  if (error.text.empty()) return false;
  walk_.tell(error.text, error.hint, true);
  return true;
}

bool RunSettings::has_file() {
  const bool has = runs_ && !program().empty();
  if (!has)
    walk_.tell("setups stand beside a program's file, and this one has none", "a sample that is copied has", true);
  return has;
}

const std::vector<std::string>& RunSettings::names() {
  if (names_) return *names_;
  names_.emplace();
  if (!runs_ || program().empty()) return *names_;
  auto found = cases::setup_names(program());
  if (const auto* error = std::get_if<data::Error>(&found)) tell(*error);
  else names_ = std::move(std::get<std::vector<std::string>>(found));
  return *names_;
}

void RunSettings::load(const std::string& name, cases::SetupFiles files) {
  if (!has_file()) return;
  names_.reset();
  outside_.clear();
  auto loaded = cases::load_setup(program(), name);
  if (const auto* error = std::get_if<data::Error>(&loaded)) return void(tell(*error));
  auto& found = std::get<cases::LoadedSetup>(loaded);
  for (const std::string& note : found.notes) walk_.tell(note);
  auto setup = cases::with_paths(std::move(found.setup), program(), files);
  if (const auto* error = std::get_if<data::Error>(&setup)) {
    outside_ = name;
    return void(tell(*error));
  }
  set(std::move(std::get<Setup>(setup)));
  loaded_ = name;
}

void RunSettings::save(const std::string& name) {
  if (!has_file()) return;
  names_.reset();
  if (tell(cases::save_setup(program(), name, draft_))) return;
  loaded_ = name;
  walk_.tell(fmt::format("setup {} is saved in {}", name, cases::setup_file_of(program())));
}

void RunSettings::remove(const std::string& name) {
  if (!has_file()) return;
  names_.reset();
  if (tell(cases::delete_setup(program(), name))) return;
  if (loaded_ == name) loaded_.clear();
  walk_.tell(fmt::format("setup {} is deleted", name));
}

}  // namespace ts::ui
