// Opening.
#include "app/window/desk/open_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/files/script_host.h"
#include "app/settings/lesson_progress.h"
#include "core/cases/open.h"
#include "core/cpp/cpp_kernel.h"
#include "core/debug/goldens/golden_check.h"
#include "scripting/objects/program/program.h"

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

// Where an output and its golden cannot be compared, the run is looked at as the program's text says.
void look_at_first_wrong(Document& made, const Launch& launch, const std::function<bool(std::uint64_t)>& go_on) {
  Questions questions(made.recording);
  const auto results = check_goldens(questions, *launch.goldens, launch.tolerance,
                                     [&] { return !go_on || go_on(made.recording->count()); });
  const auto* found = std::get_if<std::vector<GoldenResult>>(&results);
  const TracedValue* first = found == nullptr ? nullptr : first_made(*found);
  if (first == nullptr) return;
  made.hint = {.step = first->step};
  if (!first->tile.empty()) made.hint.cell = CellName{first->tile, first->row, first->col};
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
  if (launch.goldens != nullptr && !launch.goldens->empty()) look_at_first_wrong(made, launch, go_on);
}

std::variant<std::shared_ptr<const Document>, Refusal> open_saved(const Launch& launch,
                                                                  const std::function<bool(std::uint64_t)>& go_on) {
  auto opened = open_recording(launch.name, launch.budget_bytes, [&] { return !go_on || go_on(0); });
  if (const auto* error = std::get_if<data::Error>(&opened)) return Refusal{error->text, error->hint};
  auto made = std::make_shared<Document>();
  made->file = std::move(std::get<RecordingFile>(opened));
  made->recording = made->file->recording;
  made->path = launch.name;
  made->name = std::filesystem::path(launch.name).filename();
  made->tree = made->recording->program().tree;
  made->entry = made->recording->program().name;
  made->entries = {made->entry};
  made->hint = launch.at ? *launch.at : read_hint(*made->tree);
  return made;
}

cpp::KernelRequest kernel_request(const Launch& launch, const text::ParseLimits& limits) {
  cpp::KernelRequest request{.build = launch.build, .entry = launch.entry, .host = launch.host};
  request.target = launch.open.target;
  request.build.go_on = limits.go_on;
  return request;
}

// The functions of questions stay with the file: they belong to one thread.
std::shared_ptr<const learn::Lesson> without_functions(learn::Lesson lesson) {
  for (learn::Page& page : lesson.pages)
    if (auto* ask = std::get_if<learn::Ask>(&page.question)) ask->judge = nullptr;
  return std::make_shared<const learn::Lesson>(std::move(lesson));
}

// The program of a lesson once more, on the other target: to be compared with.
std::variant<std::shared_ptr<const Document>, Refusal> on_other_target(
    Document made, const scripting::LoadedProgram* program, const Launch& launch,
    const std::function<bool(std::uint64_t)>& go_on) {
  if (program == nullptr)
    return Refusal{"the lesson is about a recording, and its program does not run again", "open the program itself"};
  OpenRequest request = program->request;
  request.target = launch.open.target;
  request.limits.go_on = go_on;
  made.recording = nullptr;
  std::optional<Opened> opened = open_program(program->program.tree, program->entry, request, made.diagnostics);
  if (opened) {
    RecordOptions options{.budget_bytes = launch.budget_bytes};
    options.limits = request.limits;
    made.recording = Recording::run(std::move(opened->program), options);
  }
  return std::make_shared<const Document>(std::move(made));
}

std::variant<std::shared_ptr<const Document>, Refusal> open_lesson(const Launch& launch,
                                                                   const std::function<bool(std::uint64_t)>& go_on,
                                                                   std::shared_ptr<scripting::LessonFile>* lesson) {
  const ProgramText text = lesson_text(launch.name);
  if (!text.error.empty()) return Refusal{text.error, text.hint};
  scripting::SandboxLimits limits = scripting::kLessonLimits;
  if (go_on) limits.stopped = [go_on] { return !go_on(0); };
  auto opened = scripting::LessonFile::open(lesson_host(text.name), text.text, text.name, limits);
  if (const auto* failed = std::get_if<scripting::LessonFile::Failure>(&opened))
    return Refusal{failed->text, failed->hint};
  const auto file = std::get<std::shared_ptr<scripting::LessonFile>>(std::move(opened));
  auto made = std::make_shared<Document>();
  std::error_code missing;
  if (std::filesystem::is_regular_file(launch.name, missing)) made->path = launch.name;
  made->name = std::filesystem::path(text.name).filename();
  made->recording = file->session()->shared_recording();
  made->tree = made->recording->program().tree;
  made->entry = made->recording->program().name;
  made->entries = {made->entry};
  made->lesson = without_functions(file->lesson());
  made->lesson_hash = lesson_hash(text.text);
  // A lesson has its own target; another one is only asked for beside it.
  if (lesson == nullptr && launch.open.target && *launch.open.target != made->recording->program().target)
    return on_other_target(*made, file->program(), launch, go_on);
  if (lesson != nullptr) *lesson = file;
  return made;
}

}  // namespace

ProgramText source_text(const Launch& launch) {
  // The compiler reads the file of a kernel in C++ itself.
  if (launch.cut_off && !cpp::is_cpp_name(launch.name))
    return {.name = launch.name, .text = launch.cut_off->text, .error = {}, .hint = {}};
  return program_text(launch.name, launch.most_text_bytes);
}

RunOrigin reproducible(const Launch& launch) {
  RunOrigin out{.file = launch.name, .entry = launch.entry, .seed = launch.open.inputs.seed};
  for (const auto& [name, number] : launch.open.inputs.numbers)
    out.inputs.push_back({name, GivenInput::Kind::Number, number});
  for (const auto& [name, size] : launch.open.inputs.size_bytes)
    out.inputs.push_back({name, GivenInput::Kind::Size, std::to_string(size)});
  for (const auto& [name, file] : launch.array_files) out.inputs.push_back({name, GivenInput::Kind::File, file});
  for (const auto& [name, type] : launch.raw_types) out.inputs.push_back({name, GivenInput::Kind::Raw, type});
  for (const auto& [name, kind] : launch.open.inputs.made)
    out.inputs.push_back({name, GivenInput::Kind::Made, data::name(kind)});
  if (!(launch.open.limits.order == RunOrder{})) out.order = name(launch.open.limits.order);
  if (launch.open.limits.strict_signals) out.comm = "strict";
  out.private_slots = launch.open.private_slots;
  return out;
}

std::variant<CaseLaunch, Refusal> with_case(Launch launch, const std::function<bool(std::uint64_t)>& go_on) {
  if (!cases::is_folder(launch.name)) return CaseLaunch{std::move(launch)};
  auto folder = cases::open_folder(launch.name);
  if (const auto* error = std::get_if<data::Error>(&folder)) return Refusal{error->text, error->hint};
  const auto& found = std::get<cases::Folder>(folder);
  ProgramText text = program_text(found.program, launch.most_text_bytes);
  if (!text.error.empty()) return Refusal{text.error, text.hint};
  launch.name = found.program;
  text::ParseLimits limits;
  if (go_on) limits.go_on = [&] { return go_on(0); };
  Diagnostics said;
  const auto tree = read_program(std::move(text.name), std::move(text.text), said, limits);
  const std::vector<EntryPoint> entries = entry_points(*tree, said, limits.go_on);
  // What is wrong with a text is shown with it.
  if (has_error(said)) return CaseLaunch{std::move(launch), found.notes};
  cases::Beside beside{.entry = launch.entry, .open = cases::request_of(found), .go_on = limits.go_on};
  if (!beside.open.target) beside.open.target = launch.open.target;
  beside.open.inputs = std::move(launch.open.inputs);
  beside.open.limits = launch.open.limits;
  auto opened = cases::open_case(found, tree, entries, std::move(beside));
  if (const auto* error = std::get_if<data::Error>(&opened)) return Refusal{error->text, error->hint};
  auto& ready = std::get<cases::OpenedCase>(opened);
  launch.entry = std::move(ready.entry);
  launch.open = std::move(ready.open);
  for (const auto& [input, file] : ready.files) launch.array_files[input] = file.path;
  launch.goldens = std::make_shared<const std::vector<cases::Golden>>(std::move(ready.goldens));
  CaseLaunch out{std::move(launch), found.notes};
  out.notes.insert(out.notes.end(), ready.notes.begin(), ready.notes.end());
  return out;
}

std::variant<std::shared_ptr<const Document>, Refusal> open_document(const Launch& launch,
                                                                     const std::function<bool(std::uint64_t)>& go_on,
                                                                     std::shared_ptr<scripting::LessonFile>* lesson) {
  if (is_lesson_name(launch.name)) return open_lesson(launch, go_on, lesson);
  if (is_recording_file(launch.name)) return open_saved(launch, go_on);
  ProgramText text = source_text(launch);
  if (!text.error.empty()) return Refusal{text.error, text.hint};
  auto made = std::make_shared<Document>();
  std::error_code missing;
  if (std::filesystem::is_regular_file(launch.name, missing)) made->path = launch.name;
  made->name = std::filesystem::path(text.name).filename();
  if (cpp::is_cpp_name(launch.name) && !launch.may_compile) {
    made->asks_to_run = true;
    made->tree = cpp::source_tree(launch.name, std::move(text.text));
    return made;
  }
  if (launch.cut_off) made->cut_off = program_text(launch.name, launch.most_text_bytes).text != launch.cut_off->text;
  const bool is_cpp = cpp::is_cpp_name(launch.name);
  if (is_cpp) made->hint = read_cpp_hint(text.text);
  text::ParseLimits limits;
  if (go_on) limits.go_on = [&] { return go_on(0); };
  made->tree = is_cpp ? cpp::read_kernel(kernel_file(launch.name), kernel_request(launch, limits), made->diagnostics,
                                         &made->made_of)
                      : read_program(text.name, std::move(text.text), made->diagnostics, limits);
  if (launch.at) made->hint = *launch.at;
  else if (!is_cpp) made->hint = read_hint(*made->tree);
  if (has_error(made->diagnostics)) return made;
  const std::vector<EntryPoint> entries = entry_points(*made->tree, made->diagnostics, limits.go_on);
  for (const EntryPoint& entry : entries) made->entries.push_back(entry.name);
  if (has_error(made->diagnostics)) return made;
  const EntryPoint* entry = chosen(entries, launch.entry);
  if (entry == nullptr) {
    say_no_entry(entries, launch.entry, made->diagnostics);
    return made;
  }
  made->entry = entry->name;
  record(*made, *entry, launch, go_on);
  // Of a kernel the calls that it made are the text.
  if (made->recording != nullptr && made->recording->program().listed) made->tree = made->recording->program().tree;
  return made;
}

}  // namespace ts::ui
