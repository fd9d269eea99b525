// Files and samples by name.
#include "app/files/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <utility>

#include "app/files/embedded.h"
#include "core/cpp/build.h"
#include "core/cpp/cpp_kernel.h"
#include "core/data/file.h"

namespace ts {
namespace {

constexpr std::uint64_t kMostScriptBytes = std::uint64_t{16} << 20;

// Texts of one kind among the files that the program brings along, in a folder or below it; their own names are theirs.
struct BroughtKind {
  std::string_view folder, ending, comment;
  const char* called;          // by people, several of them
  std::string_view also = {};  // another ending, which names keep
};
constexpr BroughtKind kPrograms{"samples/", ".pto", "//", "samples", ".cpp"};
constexpr BroughtKind kScripts{"samples/scripts/", ".lua", "--", "sample scripts"};
constexpr BroughtKind kLessons{"assets/lessons/", ".lua", "--", "lessons"};

// The first sentence of a text's first comment, as one line.
std::string first_sentence(std::string_view text, std::string_view comment) {
  std::string out;
  while (text.starts_with(comment)) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(comment.size(), end - comment.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty() || line.starts_with("list: ")) break;
    out += (out.empty() ? "" : " ") + std::string(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const std::size_t stop = out.find(". ");
  return stop == std::string::npos ? out : out.substr(0, stop + 1);
}

// The rest of the line behind a mark in a text's first comment; empty: it is not there.
std::string_view said_in_comment(std::string_view text, std::string_view comment, std::string_view mark) {
  while (text.starts_with(comment)) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (const std::size_t at = line.find(mark); at != std::string_view::npos) return line.substr(at + mark.size());
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

// From "list: 30 Masks and selecting".
void read_place(Sample& sample, std::string_view comment) {
  sample.place = std::numeric_limits<int>::max();
  const std::string_view said = said_in_comment(sample.text, comment, " list: ");
  const auto [end, wrong] = std::from_chars(said.data(), said.data() + said.size(), sample.place);
  if (wrong != std::errc{}) return;
  const std::string_view group = said.substr(static_cast<std::size_t>(end - said.data()));
  sample.group = group.substr(std::min(group.find_first_not_of(' '), group.size()));
}

std::vector<Sample> brought_along(const BroughtKind& kind) {
  std::vector<Sample> all;
  for (const EmbeddedFile& file : embedded_files()) {
    const bool keeps_ending = !kind.also.empty() && file.path.ends_with(kind.also);
    if (!file.path.starts_with(kind.folder) || !(keeps_ending || file.path.ends_with(kind.ending))) continue;
    const std::string_view own = file.path.substr(file.path.rfind('/') + 1);
    const std::string_view name = own.substr(0, own.size() - (keeps_ending ? 0 : kind.ending.size()));
    all.push_back({.name = name, .file = own, .summary = first_sentence(file.text, kind.comment), .text = file.text});
    read_place(all.back(), kind.comment);
  }
  std::ranges::sort(all, {}, [](const Sample& sample) { return std::pair(sample.place, sample.name); });
  return all;
}

ProgramText sample_text(const std::string& name, const BroughtKind& kind) {
  const std::string_view wanted =
      std::string_view(name).substr(0, name.ends_with(kind.ending) ? name.size() - kind.ending.size() : name.size());
  std::string names;
  for (const Sample& sample : brought_along(kind)) {
    if (sample.name == wanted) return {std::string(sample.file), std::string(sample.text), "", ""};
    names += fmt::format("{}{}", names.empty() ? "" : ", ", sample.name);
  }
  return {name, "", fmt::format("{}: no such file", name), fmt::format("{} are {}", kind.called, names)};
}

// A file, or else what is brought along by that name.
ProgramText text_of(const std::string& name, const BroughtKind& kind, std::uint64_t most_bytes, const char* raise) {
  std::error_code wrong;
  const auto type = std::filesystem::status(name, wrong).type();
  if (type == std::filesystem::file_type::not_found) return sample_text(name, kind);
  if (type == std::filesystem::file_type::directory)
    return {name, "", fmt::format("{}: is a folder", name), fmt::format("name the {} file in it", kind.ending)};
  const auto read = data::read_file(name, most_bytes);
  if (const auto* error = std::get_if<data::Error>(&read)) {
    const bool too_large =
        type == std::filesystem::file_type::regular && std::filesystem::file_size(name, wrong) > most_bytes;
    return {name, "", error->text, too_large ? raise : "only regular files are read"};
  }
  const auto& bytes = std::get<std::vector<std::byte>>(read);
  return {name, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "", ""};
}

}  // namespace

std::vector<Sample> samples() { return brought_along(kPrograms); }
std::vector<Sample> sample_scripts() { return brought_along(kScripts); }

ProgramText program_text(const std::string& name, std::uint64_t most_bytes) {
  return text_of(name, kPrograms, most_bytes, "--max-size raises the limit");
}

namespace {

// The text of a sample in C++; nothing: it is a file that is meant, or no such sample.
std::optional<ProgramText> brought_kernel(const std::string& name) {
  std::error_code wrong;
  if (!cpp::is_cpp_name(name) || std::filesystem::exists(name, wrong)) return {};
  ProgramText text = sample_text(name, kPrograms);
  return text.error.empty() ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace

bool is_brought_kernel(const std::string& name) { return brought_kernel(name).has_value(); }

std::string kernel_file(const std::string& name) {
  const auto brought = brought_kernel(name);
  const std::string kept = brought ? cpp::keep_source(name, brought->text, {}) : "";
  return kept.empty() ? name : kept;
}

ProgramText script_text(const std::string& name) {
  return text_of(name, kScripts, kMostScriptBytes, "a script may have 16 MiB");
}

std::vector<Sample> lessons() { return brought_along(kLessons); }

ProgramText lesson_text(const std::string& name) {
  return text_of(name, kLessons, kMostScriptBytes, "a lesson may have 16 MiB");
}

bool is_lesson_name(const std::string& name) {
  if (name.ends_with(kLessons.ending)) return true;
  std::error_code wrong;
  if (std::filesystem::exists(name, wrong)) return false;
  const std::string path = fmt::format("{}{}{}", kLessons.folder, name, kLessons.ending);
  return std::ranges::any_of(embedded_files(), [&](const EmbeddedFile& file) { return file.path == path; });
}

bool is_script_file(const std::string& name) {
  return name.ends_with(kScripts.ending) && lesson_text(name).text.find("pto.lesson") == std::string::npos;
}

}  // namespace ts
