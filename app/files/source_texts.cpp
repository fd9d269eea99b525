// Each file is read once, when it is first wanted.
#include "app/files/source_texts.h"

#include <algorithm>
#include <filesystem>

#include "app/files/embedded.h"
#include "core/cases/folder.h"
#include "core/data/checksum.h"
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

SourceText brought_along(const std::string& file) {
  const std::string wanted = "/" + file.substr(file.rfind('/') + 1);
  const auto at = std::ranges::find_if(embedded_files(), [&](const EmbeddedFile& brought) {
    return brought.path.starts_with("samples/") && brought.path.ends_with(wanted);
  });
  if (at == embedded_files().end()) return {};
  return {std::make_shared<const text::Source>(file, std::string(at->text))};
}

}  // namespace

SourceTexts::SourceTexts(std::string program_path, std::vector<std::string> folders,
                         std::map<std::string, std::string> sums)
    : program_path_(std::move(program_path)), folders_(std::move(folders)), sums_(std::move(sums)) {
  std::error_code error;
  is_sample_ = !std::filesystem::is_regular_file(program_path_, error);
  if (is_sample_) return;
  std::string folder = std::filesystem::path(program_path_).parent_path().string();
  if (folder.empty()) folder = ".";
  if (sums_.empty()) sums_ = cases::source_sums(folder);
  folders_.push_back(std::move(folder));
}

bool SourceTexts::has_changed(const std::string& file, const std::string& path,
                              std::span<const std::byte> bytes) const {
  const auto is_of = [](const std::string& whole, const std::string& end) {
    return whole == end || whole.ends_with("/" + end);
  };
  const std::pair<const std::string, std::string>* known = nullptr;
  for (const auto& one : sums_) {
    const bool fits = is_of(file, one.first) || is_of(path, one.first);
    if (fits && (known == nullptr || one.first.size() > known->first.size())) known = &one;
  }
  if (known != nullptr) return known->second != data::checksum_of(bytes);
  return is_newer(path, program_path_);
}

SourceText SourceTexts::look_for(const std::string& file) const {
  const auto path = data::find_below(folders_, file);
  if (!path) return is_sample_ ? brought_along(file) : SourceText{};
  auto read = data::read_file(*path, kMostSourceBytes);
  const auto* bytes = std::get_if<std::vector<std::byte>>(&read);
  if (bytes == nullptr) return {};
  std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  return {std::make_shared<const text::Source>(file, std::move(text)), has_changed(file, *path, *bytes), *path};
}

const SourceText& SourceTexts::find(const std::string& file) {
  const auto at = found_.find(file);
  return at != found_.end() ? at->second : found_.emplace(file, look_for(file)).first->second;
}

std::map<std::string, std::string> SourceTexts::sums(const std::vector<std::string>& files) {
  std::map<std::string, std::string> out;
  for (const std::string& file : files) {
    const SourceText& found = find(file);
    if (found.text == nullptr) continue;
    const std::string_view text = found.text->text();
    out[file] = found.changed_since ? "" : data::checksum_of(std::as_bytes(std::span(text)));
  }
  return out;
}

std::optional<SourceTexts::Line> SourceTexts::line(const std::string& file, std::uint32_t number) {
  const SourceText& found = find(file);
  if (found.text == nullptr || number == 0 || number > found.text->lines()) return {};
  return Line{found.text->line(number), found.changed_since};
}

}  // namespace ts
