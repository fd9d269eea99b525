// Following names in quotes.
#include "core/cpp/includes.h"

#include <filesystem>
#include <set>
#include <string_view>

#include "core/data/file.h"

namespace ts::cpp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 200, kMostBytes = std::size_t{16} << 20;

// What a line includes in quotes; "": nothing.
std::string_view included_name(std::string_view line) {
  const auto skip = [&] {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  };
  skip();
  for (const std::string_view word : {"#", "include", "\""}) {
    if (!line.starts_with(word)) return {};
    line.remove_prefix(word.size());
    if (word != "\"") skip();
  }
  const std::size_t end = line.find('"');
  return end == line.npos ? std::string_view() : line.substr(0, end);
}

class Follower {
 public:
  explicit Follower(const std::vector<std::string>& folders) : folders_(folders) {}

  void follow(const fs::path& path, std::string_view text) {
    all_ += text;
    all_ += '\n';
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (const std::string_view name = included_name(line); !name.empty()) include(path.parent_path(), name);
    }
  }
  Included take() { return {std::move(all_), {seen_.begin(), seen_.end()}}; }

 private:
  void include(const fs::path& beside, std::string_view name) {
    std::error_code missing;
    for (std::size_t i = 0; i <= folders_.size(); ++i) {
      const fs::path file = (i == 0 ? beside : fs::path(folders_[i - 1])) / name;
      if (!fs::is_regular_file(file, missing)) continue;
      if (seen_.size() >= kMostFiles || !seen_.insert(fs::weakly_canonical(file, missing).string()).second) return;
      const auto read = data::read_file(file.string(), kMostBytes);
      const auto* bytes = std::get_if<std::vector<std::byte>>(&read);
      if (bytes == nullptr || all_.size() + bytes->size() > kMostBytes) return;
      const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
      return follow(file, text);
    }
  }

  const std::vector<std::string>& folders_;
  std::set<std::string> seen_;
  std::string all_;
};

}  // namespace

Included with_included(const std::string& path, const std::string& text, const std::vector<std::string>& folders) {
  Follower follower(folders);
  follower.follow(path, text);
  return follower.take();
}

}  // namespace ts::cpp
