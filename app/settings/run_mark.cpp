// Marks of runs: three files, of which the one with the steps is locked by the program whose run it is.
#include "app/settings/run_mark.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <vector>

#include "app/settings/settings.h"
#include "core/data/fields.h"
#include "core/data/file.h"

namespace ts::ui {
namespace {

namespace fs = std::filesystem;

constexpr auto kWorthAMark = std::chrono::milliseconds(400), kBetweenMarks = std::chrono::milliseconds(250);
constexpr std::uint64_t kMostText = std::uint64_t{256} << 20;
constexpr std::string_view kSteps = ".steps", kText = ".text", kProgram = ".json";
constexpr int kDigits = 20;  // always as many, so that a new number replaces the old one whole

std::string marks_folder(const std::string& state_folder) { return state_folder + "/running"; }

std::string ending(const std::string& path, std::string_view which) { return path + std::string(which); }

void remove_mark(const std::string& path) {
  for (const std::string_view which : {kSteps, kText, kProgram}) ::unlink(ending(path, which).c_str());
}

// The descriptor of a mark's file, which is locked: nobody lives whose run it is. -1: somebody does, or it is none.
int lock_of_the_dead(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return -1;
  struct stat facts {};
  if (::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && ::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  ::close(file);
  return -1;
}

std::optional<std::uint64_t> read_steps(int file) {
  std::array<char, kDigits> digits{};
  if (::pread(file, digits.data(), digits.size(), 0) != kDigits) return {};
  std::uint64_t steps = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + kDigits, steps);
  if (failed != std::errc() || end != digits.data() + kDigits) return {};
  return steps;
}

std::optional<UnfinishedRun> read_mark(const std::string& path, int file) {
  const auto steps = read_steps(file);
  const auto text = data::read_file(ending(path, kText), kMostText);
  const auto* bytes = std::get_if<std::vector<std::byte>>(&text);
  nlohmann::json program = read_settings(ending(path, kProgram));
  if (!steps || bytes == nullptr || !data::Fields(program).text("name")) return {};
  return UnfinishedRun{
      {std::move(program), {reinterpret_cast<const char*>(bytes->data()), bytes->size()}}, *steps, path};
}

// Newest first. What is no mark is passed over.
std::vector<std::string> marks_in(const std::string& folder) {
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  constexpr std::size_t kMostLookedAt = 1000;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end && found.size() < kMostLookedAt;
       entry.increment(failed)) {
    std::error_code odd;
    if (entry->path().extension() != kSteps || !entry->is_regular_file(odd) || entry->is_symlink(odd)) continue;
    const std::string path = entry->path().string();
    found.emplace_back(entry->last_write_time(odd), path.substr(0, path.size() - kSteps.size()));
  }
  std::ranges::sort(found, std::greater{});
  std::vector<std::string> out;
  for (auto& [time, path] : found) out.push_back(std::move(path));
  return out;
}

}  // namespace

RunMark::RunMark(std::string state_folder, std::function<MarkedRun()> what)
    : folder_(state_folder.empty() ? "" : marks_folder(state_folder)),
      what_(std::move(what)),
      next_(Clock::now() + kWorthAMark) {}

RunMark::~RunMark() {
  if (steps_file_ < 0) return;
  remove_mark(path_);
  ::close(steps_file_);
}

void RunMark::pass(std::uint64_t steps) {
  if (folder_.empty() || Clock::now() < next_) return;
  next_ = Clock::now() + kBetweenMarks;
  if (steps_file_ < 0 && !make()) {
    folder_.clear();  // tried once
    return;
  }
  write(steps);
}

// A name that nobody has: a mark of an earlier program may have this one's number.
int RunMark::open_steps_file() {
  constexpr int kMostTried = 100;
  for (int number = 0; number < kMostTried; ++number) {
    path_ = fmt::format("{}/{}-{}", folder_, ::getpid(), number);
    const int file = ::open(ending(path_, kSteps).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

bool RunMark::make() {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  steps_file_ = open_steps_file();
  if (steps_file_ < 0) return false;
  const bool locked = ::flock(steps_file_, LOCK_EX | LOCK_NB) == 0;
  const MarkedRun run = what_();
  data::FileWriter text(ending(path_, kText));
  text.write(run.text);
  if (locked && text.finish().text.empty() && write_settings(ending(path_, kProgram), run.program)) return true;
  remove_mark(path_);
  ::close(steps_file_);
  steps_file_ = -1;
  return false;
}

void RunMark::write(std::uint64_t steps) {
  const std::string digits = fmt::format("{:0{}}", steps, kDigits);
  if (::pwrite(steps_file_, digits.data(), digits.size(), 0) != kDigits) next_ = Clock::time_point::max();
}

std::optional<UnfinishedRun> unfinished_run(const std::string& state_folder) {
  std::optional<UnfinishedRun> newest;
  if (state_folder.empty()) return newest;
  for (const std::string& path : marks_in(marks_folder(state_folder))) {
    const int file = lock_of_the_dead(ending(path, kSteps));
    if (file < 0) continue;
    if (!newest) newest = read_mark(path, file);
    if (!newest || newest->path != path) remove_mark(path);
    ::close(file);
  }
  return newest;
}

void forget_run(const UnfinishedRun& run) { remove_mark(run.path); }

}  // namespace ts::ui
