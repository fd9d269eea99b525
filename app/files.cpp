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

// The first line of a text's first comment, without its marks.
std::string_view first_comment(std::string_view text) {
  const std::size_t start = text.find_first_not_of("/# ");
  return start == std::string_view::npos ? std::string_view{} : text.substr(start, text.find('\n', start) - start);
}

}  // namespace

std::vector<Sample> samples() {
  std::vector<Sample> all;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(kSamples)) continue;
    const std::string_view name = file.path.substr(kSamples.size(), file.path.size() - kSamples.size() - kText.size());
    all.push_back({name, first_comment(file.text), file.text});
  }
  return all;
}

ProgramText program_text(const std::string& name, std::uint64_t most_bytes) {
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored)) {
    const std::string_view wanted = std::string_view(name).substr(0, name.ends_with(kText) ? name.size() - kText.size() : name.size());
    std::string names;
    for (const Sample& sample : samples()) {
      if (sample.name == wanted) return {fmt::format("{}{}", sample.name, kText), std::string(sample.text), "", ""};
      names += fmt::format("{}{}", names.empty() ? "" : ", ", sample.name);
    }
    return {name, "", fmt::format("{}: no such file", name), "samples are " + names};
  }
  const auto read = data::read_file(name, most_bytes);
  if (const auto* error = std::get_if<data::Error>(&read)) return {name, "", error->text, error->hint.empty() ? "--max-size raises the limit" : error->hint};
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
