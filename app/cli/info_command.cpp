// info: what the file of a recording holds.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/digest.h"
#include "app/cli/program_file.h"
#include "app/cli/saved_recording.h"
#include "app/cli/terminal/terminal.h"
#include "core/data/fields.h"

namespace ts {
namespace {

using nlohmann::json;

// Saved, and whether a replay comes to the same; empty: nobody asked.
std::string verified_text(const RecordingFile& file, bool verify) {
  if (!verify) return "";
  const std::string digest = digest_of(*file.recording);
  if (file.recording->timeline().is_damaged()) return "snapshots are damaged";
  return digest == file.facts.digest ? "verified" : "made again: " + digest;
}

template <class Items, class Key>
std::map<std::string, std::uint64_t> counted(const Items& items, Key key) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& item : items) ++counts[key(item)];
  return counts;
}

std::map<std::string, std::uint64_t> findings_by_kind(const RecordingFile& file) {
  return counted(file.findings, [](const Finding& finding) { return std::string(name(finding.kind())); });
}
std::map<std::string, std::uint64_t> notes_by_kind(const RecordingFile& file) {
  return counted(file.notes, [](const RecordingNote& note) { return note.kind; });
}

std::string list_text(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [kind, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text.empty() ? "none" : text;
}

std::string snapshots_text(const RecordingFile& file) {
  const Thinning& thinning = file.recording->thinning();
  const std::string pages = fmt::format("{} versions of {} pages", file.facts.page_versions, file.facts.pages);
  if (!thinning) return fmt::format("after every step: {}", pages);
  if (thinning.dense_start == file.recording->count())
    return fmt::format("every {} steps, and the newest: {}", thinning.interval, pages);
  return fmt::format("every {} steps, and all from {} on: {}", thinning.interval, thinning.dense_start, pages);
}

void print_text(const std::string& path, const RecordingFile& file, const std::string& verified) {
  const Recording& recording = *file.recording;
  const Program& program = recording.program();
  const auto line = [](const char* what, const std::string& text) { fmt::print("{:<11} {}\n", what, text); };
  line("file", fmt::format("{}, {} bytes", path, file.facts.file_bytes));
  line("format", fmt::format("{}, saved by TileScope {}", file.facts.format, file.facts.program_version));
  line("program", fmt::format("{} of {}", program.name, program.tree->source->name()));
  line("target",
       fmt::format("{}{}", name(program.target), program.blocks > 1 ? fmt::format(", {} blocks", program.blocks) : ""));
  line("steps", fmt::format("{}, {}", recording.count(), name(recording.stop_reason())));
  if (!recording.edits().empty()) line("edits", fmt::format("{}", recording.edits().size()));
  line("findings", list_text(findings_by_kind(file)));
  line("notes", list_text(notes_by_kind(file)));
  line("snapshots", snapshots_text(file));
  line("digest", fmt::format("{}{}{}", file.facts.digest, verified.empty() ? "" : "  ", verified));
  for (const InputSource& input : saved_inputs(program))
    line("input", fmt::format("%{:<12} {}", input.name, input.text));
}

void print_json(const std::string& path, const RecordingFile& file, const std::string& verified) {
  const Recording& recording = *file.recording;
  const Program& program = recording.program();
  const Thinning& thinning = recording.thinning();
  json inputs = json::array();
  for (const InputSource& input : saved_inputs(program)) inputs.push_back({{"name", input.name}, {"text", input.text}});
  json told{{"file", path},
            {"bytes", file.facts.file_bytes},
            {"format", file.facts.format},
            {"version", file.facts.program_version},
            {"program", program.name},
            {"source", program.tree->source->name()},
            {"target", name(program.target)},
            {"blocks", program.blocks},
            {"steps", recording.count()},
            {"stop", name(recording.stop_reason())},
            {"edits", recording.edits().size()},
            {"findings", findings_by_kind(file)},
            {"notes", notes_by_kind(file)},
            {"snapshots",
             {{"full", file.facts.full},
              {"interval", thinning.interval},
              {"dense_start", thinning.dense_start},
              {"pages", file.facts.pages},
              {"versions", file.facts.page_versions}}},
            {"digest", file.facts.digest},
            {"inputs", inputs}};
  if (!verified.empty()) told["verified"] = verified == "verified";
  fmt::print("{}\n", data::json_text(told, 2));
}

}  // namespace

int info_command(const InfoArguments& arguments) {
  RunArguments open;
  open.files = {arguments.file};
  const std::optional<RecordingFile> file = open_saved(open);
  if (!file) return kCannotRun;
  const std::string verified = verified_text(*file, arguments.verify);
  if (interrupted()) return kLimit;
  if (arguments.json) print_json(arguments.file, *file, verified);
  else print_text(arguments.file, *file, verified);
  if (verified.empty() || verified == "verified") return kOk;
  return fail(
      fmt::format("{}: its steps do not come to the results that it was saved with: {}", arguments.file, verified),
      "another version of the emulator may compute otherwise; run the program again with this one");
}

}  // namespace ts
