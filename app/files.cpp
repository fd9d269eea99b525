// Files and samples by name.
#include "app/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/embedded.h"
#include "core/data/file.h"

namespace ts {
namespace {

constexpr std::string_view kSamples = "samples/", kText = ".pto", kPages = "assets/instructions/", kPage = ".md";

// The first sentence of a text's first comment, as one line.
std::string first_sentence(std::string_view text) {
  std::string out;
  while (text.starts_with("//")) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(2, end - 2);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) break;
    out += (out.empty() ? "" : " ") + std::string(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const std::size_t stop = out.find(". ");
  return stop == std::string::npos ? out : out.substr(0, stop + 1);
}

}  // namespace

std::vector<Sample> samples() {
  std::vector<Sample> all;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(kSamples)) continue;
    const std::string_view name = file.path.substr(kSamples.size(), file.path.size() - kSamples.size() - kText.size());
    all.push_back({name, first_sentence(file.text), file.text});
  }
  return all;
}

namespace {

ProgramText sample_text(const std::string& name) {
  const std::string_view wanted = std::string_view(name).substr(0, name.ends_with(kText) ? name.size() - kText.size() : name.size());
  std::string names;
  for (const Sample& sample : samples()) {
    if (sample.name == wanted) return {fmt::format("{}{}", sample.name, kText), std::string(sample.text), "", ""};
    names += fmt::format("{}{}", names.empty() ? "" : ", ", sample.name);
  }
  return {name, "", fmt::format("{}: no such file", name), "samples are " + names};
}

}  // namespace

ProgramText program_text(const std::string& name, std::uint64_t most_bytes) {
  std::error_code wrong;
  const auto kind = std::filesystem::status(name, wrong).type();
  if (kind == std::filesystem::file_type::not_found) return sample_text(name);
  if (kind == std::filesystem::file_type::directory) return {name, "", fmt::format("{}: is a folder", name), "name the .pto file in it"};
  const auto read = data::read_file(name, most_bytes);
  if (const auto* error = std::get_if<data::Error>(&read)) {
    const bool too_large = kind == std::filesystem::file_type::regular && std::filesystem::file_size(name, wrong) > most_bytes;
    return {name, "", error->text, too_large ? "--max-size raises the limit" : "programs are read from files only"};
  }
  const auto& bytes = std::get<std::vector<std::byte>>(read);
  return {name, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "", ""};
}

std::optional<std::string_view> instruction_page(std::string_view mnemonic) {
  const std::string path = fmt::format("{}{}{}", kPages, mnemonic, kPage);
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return file.text;
  return {};
}

}  // namespace ts
