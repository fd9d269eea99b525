// Starting a kernel's process, and reading its ring.
#include "core/cpp/live/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

extern char** environ;

namespace ts::cpp {
namespace {

namespace border = ts_border;

constexpr std::uint64_t kGuard = 1 << 20;  // pages that nobody may touch, between buffers
constexpr auto kLongestSilence = std::chrono::seconds(10);

std::uint32_t load(const std::uint32_t* word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
void store(std::uint32_t* word, std::uint32_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }
std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + border::kPage - 1) / border::kPage * border::kPage; }

}  // namespace

std::span<const ts_border::Operand> ChildRecord::operands() const {
  const std::size_t fit = payload.size() / sizeof(border::Operand);
  return {reinterpret_cast<const border::Operand*>(payload.data()), std::min<std::size_t>(head.count, fit)};
}

void Child::end() {
  if (process_ <= 0 || gone_) return;
  kill(-process_, SIGKILL);
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  gone_ = true;
}

Child::~Child() {
  end();
  if (output_ >= 0) close(output_);
}

SharedFile::~SharedFile() {
  if (bytes_ != nullptr) munmap(bytes_, all_bytes_);
  if (number_ >= 0) close(number_);
}

std::string SharedFile::make(const Launch& launch, std::uint32_t processes) {
  if (launch.buffers.size() > border::kMostBuffers || launch.arguments.size() > border::kMostArguments)
    return fmt::format("the entry has {} parameters; at most {} can be given", launch.arguments.size(),
                       border::kMostArguments);
  part_bytes_ = whole_pages(sizeof(border::Shared));
  for (std::uint32_t i = 0; i < border::kSpaces; ++i) {
    space_offset_[i] = part_bytes_;
    part_bytes_ += whole_pages(launch.space_bytes[i]);
  }
  std::uint64_t at = processes * part_bytes_;
  std::uint64_t pointer = border::kGlobalBase;
  for (const ChildBuffer& buffer : launch.buffers) {
    border::Buffer one{};
    const std::uint64_t room = std::max(buffer.bytes, buffer.reserved), bytes = (room + 31) / 32 * 32;
    one.bytes = room;
    one.page_bytes = std::max<std::uint64_t>(whole_pages(bytes), border::kPage);
    one.page_pointer = pointer;
    one.page_offset = at;
    // Its end is at that of its last page, so that one step too far is seen.
    one.pointer = pointer + one.page_bytes - bytes;
    one.file_offset = at + one.page_bytes - bytes;
    layout_.push_back(one);
    at += one.page_bytes;
    pointer = (pointer + one.page_bytes + kGuard + kGuard - 1) / kGuard * kGuard;
  }
  number_ = memfd_create("tilescope-kernel", MFD_ALLOW_SEALING);
  // A kernel that made it shorter would take our pages away.
  const bool made = number_ >= 0 && ftruncate(number_, static_cast<off_t>(at)) == 0 &&
                    fcntl(number_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
  void* mapped = made ? mmap(nullptr, at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, number_, 0) : MAP_FAILED;
  if (mapped == MAP_FAILED) return fmt::format("no memory for the kernel's buffers: {}", std::strerror(errno));
  bytes_ = static_cast<std::byte*>(mapped);
  all_bytes_ = at;
  return {};
}

void SharedFile::give_back(std::uint32_t process) {
  const std::uint64_t kept = whole_pages(offsetof(border::Shared, ring));
  fallocate(number_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(part(process) + kept),
            static_cast<off_t>(part_bytes_ - kept));
}

Seat whole_launch(const Launch& launch) { return {.blocks = launch.blocks}; }

std::string Child::start(const std::string& program, const Launch& launch, SharedFile& file, const Seat& seat) {
  file_ = &file;
  seat_ = seat;
  shared_ = reinterpret_cast<border::Shared*>(file.bytes() + file.part(seat.process));
  say_launch(launch);
  return spawn(program, launch);
}

void Child::say_launch(const Launch& launch) {
  const std::vector<border::Buffer>& layout = file_->layout();
  shared_->magic = border::kMagic;
  shared_->version = border::kVersion;
  shared_->header_bytes = sizeof(border::Shared);
  shared_->entry = launch.entry;
  shared_->blocks = launch.blocks;
  shared_->first_block = seat_.first_block;
  shared_->own_blocks = seat_.blocks;
  shared_->core = seat_.core;
  shared_->sub_core = seat_.sub_core;
  shared_->sub_cores = seat_.sub_cores;
  shared_->together = seat_.together ? 1 : 0;
  shared_->sizing = launch.sizing ? 1 : 0;
  shared_->buffers = static_cast<std::uint32_t>(layout.size());
  shared_->arguments = static_cast<std::uint32_t>(launch.arguments.size());
  std::ranges::copy(launch.space_bytes, shared_->space_bytes);
  for (std::uint32_t i = 0; i < border::kSpaces; ++i) shared_->space_offset[i] = space_offset(i);
  std::ranges::copy(layout, shared_->buffer);
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    shared_->argument[i] =
        launch.arguments[i].is_buffer ? layout[launch.arguments[i].value].pointer : launch.arguments[i].value;
}

std::string Child::spawn(const std::string& program, const Launch& launch) {
  output_ = memfd_create("tilescope-kernel-output", 0);
  constexpr int kFileThere = 10;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output_, 1);
  posix_spawn_file_actions_adddup2(&actions, output_, 2);
  posix_spawn_file_actions_adddup2(&actions, file_->number(), kFileThere);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const std::string number = fmt::format("{}:{}", kFileThere, file_->part(seat_.process));
  if (!launch.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, launch.folder.c_str());
  std::vector<char*> arguments = {const_cast<char*>(program.c_str()), const_cast<char*>(number.c_str())};
  for (const std::string& word : launch.words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int failed = posix_spawn(&process_, program.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed == 0) return {};
  process_ = -1;
  return fmt::format("the compiled kernel could not be started: {}", std::strerror(failed));
}

bool Child::is_gone() {
  if (gone_ || process_ <= 0) return true;
  siginfo_t ended{};
  if (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0)
    return false;
  // What it started ends with it; as long as nobody waited for it, its number is nobody else's.
  kill(-process_, SIGKILL);
  int status = 0;
  waitpid(process_, &status, 0);
  gone_ = true;
  signal_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return true;
}

Child::State Child::next(ChildRecord& record, const std::function<bool()>& go_on) {
  const auto since = std::chrono::steady_clock::now();
  std::uint32_t written = load(&shared_->written);
  for (int spins = 0; written == at_; written = load(&shared_->written)) {
    if (++spins < border::kSpins) continue;
    store(&shared_->host_sleeps, 1);
    if (load(&shared_->written) == at_) {
      const timespec some{0, 20000000};
      syscall(SYS_futex, &shared_->written, FUTEX_WAIT, at_, &some, nullptr, 0);
    }
    store(&shared_->host_sleeps, 0);
    if (load(&shared_->written) != at_) continue;
    if (is_gone()) return load(&shared_->written) == at_ ? State::Gone : State::Broken;
    if (go_on && !go_on()) return State::Stopped;
    if (std::chrono::steady_clock::now() - since > kLongestSilence) return State::Silent;
  }
  const std::uint32_t there = written - at_;
  const auto copy = [&](std::uint32_t from, void* to, std::size_t size) {
    for (std::size_t i = 0; i < size;) {
      const std::uint32_t place = (from + static_cast<std::uint32_t>(i)) % border::kRing;
      const std::size_t part = std::min<std::size_t>(size - i, border::kRing - place);
      std::memcpy(static_cast<std::byte*>(to) + i, shared_->ring + place, part);
      i += part;
    }
  };
  if (there > border::kRing || there < sizeof(border::Record)) return State::Broken;
  copy(at_, &record.head, sizeof record.head);
  const std::uint32_t bytes = record.head.bytes;
  if (bytes < sizeof(border::Record) || bytes > there || bytes % 8 != 0) return State::Broken;
  record.payload.resize(bytes - sizeof(border::Record));
  copy(at_ + sizeof(border::Record), record.payload.data(), record.payload.size());
  record_bytes_ = bytes;
  return State::Record;
}

void Child::done() {
  if (record_bytes_ == 0) return;
  at_ += record_bytes_;
  record_bytes_ = 0;
  store(&shared_->done, at_);
  const bool enough = static_cast<std::int32_t>(at_ - load(&shared_->kernel_wants)) >= 0;
  if (enough && load(&shared_->kernel_sleeps) != 0)
    syscall(SYS_futex, &shared_->done, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

std::optional<std::size_t> SharedFile::buffer_at(std::uint64_t pointer) const {
  const auto found = std::ranges::find_if(
      layout_, [&](const border::Buffer& one) { return pointer >= one.pointer && pointer <= one.pointer + one.bytes; });
  if (found == layout_.end()) return {};
  return static_cast<std::size_t>(found - layout_.begin());
}

std::vector<std::uint32_t> Child::dirty() const {
  const std::uint32_t count = std::min(load(&shared_->dirty_count), border::kMostDirty);
  return {shared_->dirty, shared_->dirty + count};
}

bool Child::asked_blocks() const { return shared_ != nullptr && load(&shared_->asked_blocks) == 1; }

std::string Child::printed() const {
  if (output_ < 0) return {};
  std::string text(4096, '\0');
  const ssize_t got = pread(output_, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace ts::cpp
