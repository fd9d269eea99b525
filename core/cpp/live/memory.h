// What kernels do to memory by themselves: once one looks, its file holds what the memories hold, and what it wrote there is
// found between its calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cpp/live/child.h"
#include "core/engine/write_log.h"
#include "core/memory/memory.h"
#include "core/program/program.h"
#include "core/program/step_source.h"

namespace ts::cpp {

// The memories that kernels know by these numbers.
inline constexpr Space kSpaceOf[] = {Space::Ub,  Space::L1,   Space::L0a,    Space::L0b,
                                     Space::L0c, Space::Bias, Space::Fixpipe};

class LiveMemory {
 public:
  LiveMemory(const Program& program, const Memory& memory, SharedFile& file)
      : program_(program), memory_(memory), file_(file) {}

  // The process of this core looks at memory from now on.
  void open(Child& child, CoreId core);
  // It is gone.
  void forget(const Child& child);
  // A step wrote this.
  void follow(std::span<const WritePattern> writes);
  // Of a main: it copied into a buffer, or wants to copy out of one; what lies there in the file is what there is.
  void written_by_main(ByteRange place, std::byte* there);
  void wanted_by_main(ByteRange place, std::byte* there);
  // Compares the pages that a process wrote to with what the steps left there. A line on what it changed; "": nothing.
  std::string find_changes(const Child& child, CoreId core);
  // Those that were found, and are in memory from the next step on.
  std::vector<HostWrite> take() { return std::exchange(pending_, {}); }

 private:
  struct Open {
    Child* child;
    CoreId core;
  };
  void copy_out(Flat begin, std::uint32_t size);
  void copy_buffer_out(const ByteRange& place, const std::byte* from);
  void put_pending(const ByteRange& place, std::byte* bytes) const;
  void compare(const ByteRange& place, const std::byte* theirs);
  void compare_page(std::uint64_t offset, const Child& child, CoreId core);

  const Program& program_;
  const Memory& memory_;
  SharedFile& file_;
  std::vector<Open> open_;
  std::vector<HostWrite> pending_;
};

}  // namespace ts::cpp
