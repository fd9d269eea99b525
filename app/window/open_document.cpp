// Opening.
#include "app/window/open_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace ts::ui {
namespace {

const EntryPoint* chosen(const std::vector<EntryPoint>& entries, const std::string& wanted) {
  if (wanted.empty()) return entries.empty() ? nullptr : &entries.front();
  const auto found = std::ranges::find(entries, wanted, &EntryPoint::name);
  return found == entries.end() ? nullptr : &*found;
}

void say_no_entry(const std::vector<EntryPoint>& entries, const std::string& wanted, Diagnostics& out) {
  std::string names;
  for (const EntryPoint& entry : entries) names += (names.empty() ? "" : ", ") + entry.name;
  Diagnostic said;
  said.rule = "E-ENTRY";
  said.pos = {1, 1};
  said.text =
      entries.empty() ? "the program has no function to start" : fmt::format("no entry point is called {}", wanted);
  said.hint = entries.empty() ? "an entry point is a func.func with a body that returns nothing"
                              : fmt::format("there is {}", names);
  out.push_back(std::move(said));
}

void record(Document& made, const EntryPoint& entry, const Launch& launch,
            const std::function<bool(std::uint64_t)>& go_on) {
  OpenRequest request = launch.open;
  request.limits.go_on = go_on;
  std::optional<Opened> opened = open_program(made.tree, entry, request, made.diagnostics);
  if (!opened) return;
  RecordOptions options{.budget_bytes = launch.budget_bytes};
  options.limits = request.limits;
  made.recording = Recording::run(std::move(opened->program), options);
}

std::variant<std::shared_ptr<const Document>, Refusal> open_saved(const Launch& launch) {
  auto opened = open_recording(launch.name, launch.budget_bytes);
  if (const auto* error = std::get_if<data::Error>(&opened)) return Refusal{error->text, error->hint};
  auto made = std::make_shared<Document>();
  made->file = std::move(std::get<RecordingFile>(opened));
  made->recording = made->file->recording;
  made->path = launch.name;
  made->name = std::filesystem::path(launch.name).filename();
  made->tree = made->recording->program().tree;
  made->entry = made->recording->program().name;
  made->entries = {made->entry};
  made->hint = read_hint(*made->tree);
  return made;
}

}  // namespace

std::variant<std::shared_ptr<const Document>, Refusal> open_document(const Launch& launch,
                                                                     const std::function<bool(std::uint64_t)>& go_on) {
  if (is_recording_file(launch.name)) return open_saved(launch);
  ProgramText text = program_text(launch.name, launch.most_text_bytes);
  if (!text.error.empty()) return Refusal{text.error, text.hint};
  auto made = std::make_shared<Document>();
  std::error_code missing;
  if (std::filesystem::is_regular_file(launch.name, missing)) made->path = launch.name;
  made->name = std::filesystem::path(text.name).filename();
  made->tree = read_program(text.name, std::move(text.text), made->diagnostics);
  made->hint = read_hint(*made->tree);
  if (has_error(made->diagnostics)) return made;
  const std::vector<EntryPoint> entries = entry_points(*made->tree, made->diagnostics);
  for (const EntryPoint& entry : entries) made->entries.push_back(entry.name);
  const EntryPoint* entry = chosen(entries, launch.entry);
  if (entry == nullptr) {
    say_no_entry(entries, launch.entry, made->diagnostics);
    return made;
  }
  made->entry = entry->name;
  record(*made, *entry, launch, go_on);
  return made;
}

}  // namespace ts::ui
