// The terminal's side of scripts.
#include "app/files/script_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "app/files/files.h"
#include "core/cases/open.h"
#include "core/cpp/cpp_kernel.h"
#include "core/data/array_file.h"
#include "core/data/file.h"
#include "core/record/recording.h"

namespace ts {
namespace {

constexpr const char* kMoreMemory = "the script holds too much already, or --script-mem SIZE allows more";

void write_whole(std::FILE* out, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);  // so that what is said on both comes in its order
}

}  // namespace

data::ReadingPlaces places_of_person() { return {.everywhere = true}; }

data::ReadingPlaces places_of_script(const std::string& path, const std::vector<std::string>& given) {
  std::error_code wrong;
  if (!std::filesystem::exists(path, wrong)) return {.everywhere = true};
  const std::string folder = std::filesystem::path(path).parent_path().string();
  data::ReadingPlaces places{.paths = {folder.empty() ? "." : folder},
                             .hint =
                                 "put the file there, or start the script with the file as an argument, or with "
                                 "--allow read"};
  for (const std::string& one : given)
    if (std::filesystem::exists(one, wrong)) places.paths.push_back(one);
  return places;
}

scripting::ScriptHost script_host(data::ReadingPlaces places, std::vector<std::string> arguments) {
  scripting::ScriptHost host;
  // Calls `open` with the path, or says why not.
  const auto within = [places = std::move(places)](const std::string& name, auto open, auto refuse) {
    const auto path = data::readable_path(places, name);
    if (const auto* error = std::get_if<data::Error>(&path)) return refuse(*error);
    return open(std::get<std::string>(path));
  };
  using scripting::ProgramSource;
  const auto no_source = [](const data::Error& error) { return ProgramSource{"", "", error.text, error.hint}; };
  const auto source_of = [](ProgramText text) {
    return ProgramSource{std::move(text.name), std::move(text.text), std::move(text.error), std::move(text.hint)};
  };
  host.open_program = [=](const std::string& name, std::uint64_t most_bytes) {
    return within(
        name,
        [&](const std::string& path) {
          std::shared_ptr<const cases::Folder> folder;
          if (cases::is_folder(path)) {
            auto opened = cases::open_folder(path);
            if (const auto* error = std::get_if<data::Error>(&opened)) return no_source(*error);
            folder = std::make_shared<const cases::Folder>(std::move(std::get<cases::Folder>(opened)));
          }
          const std::string& program = folder != nullptr ? folder->program : path;
          ProgramText text = program_text(program, std::min(most_bytes, kMostTextBytes));
          if (!text.error.empty() && most_bytes < data::size_of(program)) text.hint = kMoreMemory;
          ProgramSource source = source_of(std::move(text));
          source.is_kernel = cpp::is_cpp_name(program);
          source.folder = std::move(folder);
          return source;
        },
        no_source);
  };
  host.open_lesson = [=](const std::string& name) {
    return within(
        name, [&](const std::string& path) { return source_of(lesson_text(path)); }, no_source);
  };
  host.read_array = [=](const std::string& name, std::uint64_t most_bytes) {
    using Read = std::variant<data::Array, data::Error>;
    return within(
        name,
        [&](const std::string& path) {
          Read read = data::read_array(path, std::min(most_bytes, data::kMostArrayBytes));
          if (auto* error = std::get_if<data::Error>(&read); error != nullptr && most_bytes < data::size_of(path))
            error->hint = kMoreMemory;
          return read;
        },
        [](const data::Error& e) { return Read(e); });
  };
  host.open_recording = [=](const std::string& name, std::size_t budget, const std::function<bool()>& go_on) {
    using OpenedFile = std::variant<RecordingFile, data::Error>;
    return within(
        name, [&](const std::string& path) { return open_recording(path, budget, go_on); },
        [](const data::Error& e) { return OpenedFile(e); });
  };
  host.new_file = [](const std::string& path, std::initializer_list<std::string_view> endings) {
    return data::new_file_below(".", path, endings);
  };
  host.print = [](std::string_view text) { write_whole(stdout, text); };
  host.complain = [](std::string_view text) { write_whole(stderr, text); };
  host.arguments = std::move(arguments);
  return host;
}

void allow_kernels(scripting::ScriptHost& host) {
  host.read_kernel = [](const scripting::KernelWish& wish, Diagnostics& out, const std::function<bool()>& go_on) {
    cpp::KernelRequest request{.entry = wish.entry, .target = wish.target};
    if (!wish.standard.empty()) request.build.standard = wish.standard;
    request.build.include = wish.include;
    request.build.define = wish.define;
    request.build.go_on = go_on;
    return cpp::read_kernel(kernel_file(wish.path), request, out);
  };
}

scripting::SandboxLimits person_limits() {
  scripting::SandboxLimits limits;
  limits.memory_bytes = std::max(limits.memory_bytes, default_budget_bytes());
  return limits;
}

scripting::ScriptHost lesson_host(const std::string& lesson_path) {
  scripting::ScriptHost host = script_host(places_of_script(lesson_path));
  // Its programs are small, and its answers may record them again.
  host.budget_bytes = std::size_t{256} << 20;
  return host;
}

}  // namespace ts
