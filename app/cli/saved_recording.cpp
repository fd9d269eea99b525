// Opening and saving recordings.
#include "app/cli/saved_recording.h"

#include <fmt/format.h>

#include <chrono>

#include "app/cli/program_file.h"
#include "app/cli/terminal/terminal.h"
#include "core/program/scalar_ops.h"

namespace ts {

bool takes_recording(const RunArguments& arguments) {
  return !arguments.files.empty() && is_recording_file(arguments.files.front());
}

std::optional<RecordingFile> open_saved(const RunArguments& arguments) {
  const std::string& path = arguments.files.front();
  const struct {
    const char* option;
    bool given;
  } of_programs[] = {{"--in", !arguments.in.empty()},
                     {"--set", !arguments.set.empty()},
                     {"--size", !arguments.size.empty()},
                     {"--make", !arguments.make.empty()},
                     {"--setup", !arguments.setup.empty()},
                     {"--entry", !arguments.entry.empty()},
                     {"--target", !arguments.target.empty()},
                     {"--option", !arguments.options.empty()},
                     {"--placement", !arguments.placement.empty()}};
  for (const auto& [option, given] : of_programs) {
    if (!given) continue;
    fail(fmt::format("{}: {} is for programs that are run; this one was", path, option),
         "run the program's text again for that");
    return {};
  }
  auto opened = open_recording(path, arguments.budget_mb << 20, [] { return !interrupted(); });
  if (const auto* error = std::get_if<data::Error>(&opened)) {
    fail(error->text, error->hint);
    return {};
  }
  return std::move(std::get<RecordingFile>(opened));
}

std::vector<InputSource> saved_inputs(const Program& program) {
  std::vector<InputSource> sources;
  for (const ProgramInput& input : program.inputs) {
    std::string text;
    if (input.kind == ProgramInput::Kind::Scalar) {
      text =
          fmt::format("{} = {}", text::name(input.scalar), scalar_number(input.scalar, program.slots[input.id].bits));
    } else if (input.kind == ProgramInput::Kind::Buffer) {
      const BufferDecl& buffer = program.buffers[input.id];
      text = fmt::format("{}, {} elements, {}", name(buffer.dtype), buffer.elements,
                         buffer.data.empty() && buffer.late == nullptr ? "written only" : "as recorded");
    } else {
      text = fmt::format("{}, as recorded", program.tiles[input.id].type.describe());
    }
    sources.push_back({input.name, std::move(text)});
  }
  return sources;
}

int save_as(const Recording& recording, const std::vector<Finding>& findings, const std::vector<RecordingNote>& notes,
            const std::map<std::string, std::string>& sources, const std::string& path, bool full) {
  const auto start = std::chrono::steady_clock::now();
  Progress progress("saving", stderr_is_terminal());
  SaveOptions options{.full = full};
  options.sources = sources;
  options.go_on = [&](std::uint32_t steps) {
    progress.update(steps, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return !interrupted();
  };
  const data::Error error = save_recording(recording, findings, notes, path, options);
  if (error.text.empty()) return kOk;
  fail(error.text, error.hint);
  return interrupted() ? kLimit : kCannotRun;
}

}  // namespace ts
