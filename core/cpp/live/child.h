// The process that a kernel runs in, and the memory that both map. What comes from there is a stranger's: every number is
// checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tilescope/border.h"

namespace ts::cpp {

// A buffer of the launch.
struct ChildBuffer {
  std::uint64_t bytes = 0;
  std::uint64_t reserved = 0;  // as many as there is room for; at least `bytes`
};

struct Launch {
  std::uint32_t entry = 0, blocks = 1;
  bool sizing = false;  // nothing is computed, and a main says how much it allocates
  std::uint64_t space_bytes[ts_border::kSpaces] = {};
  std::vector<ChildBuffer> buffers;
  // By parameter: the number of a buffer, or bits.
  struct Argument {
    bool is_buffer = false;
    std::uint64_t value = 0;
  };
  std::vector<Argument> arguments;
  std::vector<std::string> words = {};  // of the command line, for a main
  std::string folder = {};              // that it runs in; empty: this process's
};

// The file that the kernel's processes and this one map: for each of them a part with what both say to each other and the
// memories of its core, and the buffers, which all have. Pages that nobody touches take no memory.
class SharedFile {
 public:
  SharedFile() = default;
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  // "" or what went wrong.
  std::string make(const Launch& launch, std::uint32_t processes);
  int number() const { return number_; }
  std::byte* bytes() const { return bytes_; }
  std::uint64_t part(std::uint32_t process) const { return process * part_bytes_; }
  std::uint64_t space_offset(std::uint32_t process, std::uint32_t space) const {
    return part(process) + space_offset_[space];
  }
  // Of a part whose process is gone the memories are not needed any more.
  void give_back(std::uint32_t process);
  std::byte* buffer(std::size_t buffer) const { return bytes_ + layout_[buffer].file_offset; }
  const std::vector<ts_border::Buffer>& layout() const { return layout_; }
  // The number of the buffer that a pointer of the kernel is in, or just behind.
  std::optional<std::size_t> buffer_at(std::uint64_t pointer) const;

 private:
  int number_ = -1;
  std::byte* bytes_ = nullptr;
  std::uint64_t all_bytes_ = 0, part_bytes_ = 0;
  std::uint64_t space_offset_[ts_border::kSpaces] = {};  // in a part
  std::vector<ts_border::Buffer> layout_;
};

// Which part of a launch a process runs.
struct Seat {
  std::uint32_t process = 0;
  std::uint32_t first_block = 0, blocks = 1;
  ts_border::Core core = ts_border::Core::Joint;
  std::uint32_t sub_core = 0, sub_cores = 1;
  bool together = false;  // others run beside it
};
// Of a kernel that one process runs.
Seat whole_launch(const Launch& launch);

// A record, whole, with what stands behind it.
struct ChildRecord {
  ts_border::Record head{};
  std::vector<std::byte> payload;
  std::span<const ts_border::Operand> operands() const;
};

class Child {
 public:
  enum class State : std::uint8_t {
    Record,   // there is one
    Gone,     // the process ended, and said nothing of it
    Silent,   // nothing came for too long
    Stopped,  // somebody stopped waiting
    Broken,   // what came is no record
  };

  Child() = default;
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Starts it; "" or what went wrong. The file has to live as long.
  std::string start(const std::string& program, const Launch& launch, SharedFile& file, const Seat& seat);
  // Waits for the next record. It is not done before `done`.
  State next(ChildRecord& record, const std::function<bool()>& go_on);
  // It has nothing to say any more.
  void end();
  void done();
  void answer(std::uint64_t value) { shared_->answer = value; }
  // Whether the kernel asked for the number of blocks, and nobody gave one.
  bool asked_blocks() const;
  // What the process printed, its beginning.
  std::string printed() const;
  int signal() const { return signal_; }  // that ended it; 0: none did

  bool open() const { return open_; }
  void set_open() { open_ = true; }
  std::byte* space(std::uint32_t space) { return file_->bytes() + space_offset(space); }
  std::uint64_t space_offset(std::uint32_t space) const { return file_->space_offset(seat_.process, space); }
  // Pages of the shared file that the kernel wrote by itself.
  std::vector<std::uint32_t> dirty() const;

 private:
  void say_launch(const Launch& launch);
  std::string spawn(const std::string& program, const Launch& launch);
  bool is_gone();

  SharedFile* file_ = nullptr;
  Seat seat_;
  int output_ = -1;
  int process_ = -1, signal_ = 0;
  bool open_ = false, gone_ = false;
  ts_border::Shared* shared_ = nullptr;
  std::uint32_t at_ = 0, record_bytes_ = 0;
};

}  // namespace ts::cpp
