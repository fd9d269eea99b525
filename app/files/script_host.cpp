// The terminal's side of scripts.
#include "app/files/script_host.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "app/files/files.h"
#include "core/data/file.h"

namespace ts {
namespace {

void write_whole(std::FILE* out, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);  // so that what is said on both comes in its order
}

}  // namespace

scripting::ScriptHost script_host(std::vector<std::string> arguments) {
  scripting::ScriptHost host;
  host.open_program = [](const std::string& name) {
    ProgramText text = program_text(name, kMostTextBytes);
    return scripting::ProgramSource{std::move(text.name), std::move(text.text), std::move(text.error),
                                    std::move(text.hint)};
  };
  host.open_lesson = [](const std::string& name) {
    ProgramText text = lesson_text(name);
    return scripting::ProgramSource{std::move(text.name), std::move(text.text), std::move(text.error),
                                    std::move(text.hint)};
  };
  host.read_array = [](const std::string& path) { return data::read_array(path); };
  host.open_recording = [](const std::string& path, std::size_t budget) { return open_recording(path, budget); };
  host.new_file = [](const std::string& path, std::initializer_list<std::string_view> endings) {
    return data::new_file_below(".", path, endings);
  };
  host.print = [](std::string_view text) { write_whole(stdout, text); };
  host.complain = [](std::string_view text) { write_whole(stderr, text); };
  host.arguments = std::move(arguments);
  return host;
}

scripting::ScriptHost lesson_host(const std::string& lesson_path) {
  scripting::ScriptHost host = script_host({});
  // Its programs are small, and its answers may record them again.
  host.budget_bytes = std::size_t{256} << 20;
  const std::filesystem::path folder = std::filesystem::path(lesson_path).parent_path();
  if (folder.empty()) return host;
  const auto beside = [folder](const std::string& name) {
    std::error_code wrong;
    const std::filesystem::path there = folder / name;
    return std::filesystem::path(name).is_relative() && std::filesystem::is_regular_file(there, wrong) ? there.string()
                                                                                                       : name;
  };
  host.open_program = [open = host.open_program, beside](const std::string& name) { return open(beside(name)); };
  host.open_recording = [open = host.open_recording, beside](const std::string& path, std::size_t budget) {
    return open(beside(path), budget);
  };
  return host;
}

}  // namespace ts
