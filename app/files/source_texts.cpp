// Each file is read once, when its first line is wanted.
#include "app/files/source_texts.h"

#include <filesystem>

#include "core/data/file.h"
#include "core/data/source_file.h"

namespace ts {
namespace {

constexpr std::uint64_t kMostSourceBytes = std::uint64_t{16} << 20;

bool is_newer(const std::string& a, const std::string& b) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(a, error);
  if (error) return false;
  const auto other = std::filesystem::last_write_time(b, error);
  return !error && time > other;
}

}  // namespace

SourceTexts::SourceTexts(std::string program_path, std::vector<std::string> folders)
    : program_path_(std::move(program_path)), folders_(std::move(folders)) {
  std::error_code error;
  if (std::filesystem::is_regular_file(program_path_, error))
    folders_.push_back(std::filesystem::path(program_path_).parent_path().string());
}

const SourceTexts::Found& SourceTexts::find(const std::string& file) {
  const auto [at, is_new] = found_.try_emplace(file);
  if (!is_new) return at->second;
  const auto path = data::find_below(folders_, file);
  if (!path) return at->second;
  auto read = data::read_file(*path, kMostSourceBytes);
  const auto* bytes = std::get_if<std::vector<std::byte>>(&read);
  if (bytes == nullptr) return at->second;
  at->second.text.emplace(file, std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  at->second.changed_since = is_newer(*path, program_path_);
  return at->second;
}

std::optional<SourceTexts::Line> SourceTexts::line(const std::string& file, std::uint32_t number) {
  const Found& found = find(file);
  if (!found.text || number == 0 || number > found.text->lines()) return {};
  return Line{found.text->line(number), found.changed_since};
}

}  // namespace ts
