// A walk with bounds: folders may be deep, and files many.
#include "core/data/files_below.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace ts::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100'000, kMostEntries = 2'000'000;
constexpr int kDeepestFolder = 64;

struct OpenFolder {
  fs::path path;
  int depth;
};

}  // namespace

std::variant<FilesBelow, Error> files_below(const std::string& folder, std::string_view ending,
                                            const std::function<bool()>& go_on) {
  FilesBelow out;
  std::size_t entries = 0;
  std::vector<OpenFolder> open{{folder, 0}};
  while (!open.empty() && out.complete) {
    const OpenFolder now = std::move(open.back());
    open.pop_back();
    std::error_code wrong;
    fs::directory_iterator at(now.path, wrong);
    if (wrong && now.depth == 0)
      return Error{fmt::format("{}: cannot be read: {}", folder, wrong.message()), "name a folder"};
    if (wrong) out.closed.push_back(now.path.string());
    for (; !wrong && at != fs::directory_iterator(); at.increment(wrong)) {
      if (++entries > kMostEntries || out.files.size() >= kMostFiles || (go_on && !go_on())) {
        out.complete = false;
        break;
      }
      std::error_code unknown;
      const fs::file_status status = at->symlink_status(unknown);
      const bool wanted = at->path().native().ends_with(ending);
      if (status.type() == fs::file_type::symlink) {
        if (wanted || fs::is_directory(at->status(unknown))) ++out.links;
      } else if (status.type() == fs::file_type::directory) {
        if (now.depth == kDeepestFolder) out.complete = false;
        else open.push_back({at->path(), now.depth + 1});
      } else if (wanted) {
        out.files.push_back(at->path().string());
      }
    }
  }
  std::ranges::sort(out.files);
  return out;
}

}  // namespace ts::data
