// A recording's steps done once more, one after the other, on memories of their own: no snapshots, no seeking, no
// pages.
#pragma once

#include <cstdint>
#include <vector>

#include "core/memory/memory.h"
#include "core/record/recording.h"

namespace ts::test {

// A number of these bytes and of those that gave `seed`.
std::uint64_t hash_of(const void* data, std::size_t size, std::uint64_t seed);

class Straight {
 public:
  explicit Straight(const Recording& recording);

  // Makes the next step, then the edits of the position it leads to.
  void step();
  std::uint32_t position() const { return position_; }
  const std::byte* bytes() const { return memory_.base(); }
  Definedness defined(Flat at) const { return defined_[at]; }
  Definedness worst(Flat begin, std::uint32_t size) const;
  // The bytes that the last step wrote, as runs; each byte in one or more of them.
  struct Run {
    Flat begin, end;
  };
  const std::vector<Run>& written() const { return written_; }
  bool wrote(Flat at) const;
  // What edits behind the last step changed, as the step had left it; the first of equal bytes counts.
  struct EditedByte {
    Flat at;
    std::byte byte;
    Definedness defined;
  };
  const std::vector<EditedByte>& before_edits() const { return before_edits_; }
  Definedness defined_before_edits(Flat at) const;
  bool begins_block() const { return begins_block_; }  // the last step did
  std::uint64_t hash() const;

 private:
  void begin_block();
  void edit();

  const Recording& recording_;
  Memory memory_;
  std::vector<Definedness> defined_;
  std::vector<Run> written_;
  std::vector<EditedByte> before_edits_;
  bool begins_block_ = false;
  std::uint32_t position_ = 0;
};

// The same number of a memory, over the bytes and definedness of ub, l1's start, the special registers and gm.
std::uint64_t state_hash(const Memory& memory);
// By position.
std::vector<std::uint64_t> straight_hashes(const Recording& recording);
// Every byte of every memory, and what it is worth.
bool same_memories(const Memory& a, const Memory& b);

}  // namespace ts::test
