// Writes a trace: values, accesses, and which bits went where. Moves are not told by the micro-operation but read from the
// tags of what it made and wrote. All that it is given names itself: bytes in memory, and values by numbers of their own.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/engine/any_core.h"

namespace ts {

using ByteTags = std::array<Tag, VL>;  // of a register's bytes, or a predicate's bits

class TraceRecorder {
 public:
  TraceRecorder(Trace& trace, const Memory& memory, const TagArena& arena)
      : trace_(trace), memory_(memory), arena_(arena) {}

  MicroStep& step();
  void begin(const MicroOp& op, DType type, std::initializer_list<TraceArg> args);
  void begin_repeat();
  // What is read from here on belongs to what is made next.
  void begin_reads() {
    first_read_ = step().reads.size();
    found_ = first_read_ - 1;
  }
  void read(Space space, std::uint64_t address, std::uint32_t size, DType type);
  void write(const TraceAccess& access) { step().writes.push_back(access); }
  // Where the bytes of the last write come from: tag_at(byte).
  template <class TagAt>
  void move_written(TagAt tag_at) {
    begin_moves();
    for (std::uint32_t at = 0, end = step().writes.back().size; at < end; ++at) move_byte(tag_at(at), at);
    end_moves();
  }
  // Moves of one value or write, in the order of its bits; those between these two may become patterns.
  void begin_moves() { first_move_ = step().moves.size(); }
  void end_moves() { fold_last(); }
  void move(const TracePlace& from, const TracePlace& to, std::uint32_t bits);

  // Values get numbers in the order in which they are made. Null tags: all bits were made here.
  std::uint32_t make(const Block& value, DType type, const ByteTags* tags);
  std::uint32_t make(const VPred& value, const ByteTags* tags, bool constant);
  // Takes the last value back: it was a step on the way to another, whose moves go through it.
  void hide(std::uint32_t number);
  static Tag first_tag(std::uint32_t number) { return kFirstValueTag + number * VL; }
  static bool has_tags(std::uint32_t number) { return number < (kFirstBitTag - kFirstValueTag) / VL; }
  DType type_of(std::uint32_t number) const { return number < values_.size() ? values_[number].type : DType::U8; }

  // A register's lanes said where, those that are on: where to find what is made next, or where to put what is stored.
  void point(std::uint32_t number, DType type, const VPred& on, bool finds);
  // A predicate decides over lanes of this type; the tags of the bits of the first two of them.
  void decide(DType type, std::uint32_t number, Tag first, Tag second);

 private:
  struct Value {
    std::uint32_t id = kNoValue;  // in the trace; none: hidden
    DType type = DType::U8;
  };
  // What has been made in this micro-step and may still be taken back, or has been.
  struct Made {
    std::uint32_t number;
    std::size_t moves, first_read;
    std::optional<ByteTags> tags;
  };

  std::uint32_t keep(const TraceValue& value, const ByteTags* tags, std::uint32_t unit);
  void move_value(std::uint32_t id, std::uint32_t unit, const ByteTags& tags);
  DType moved_type(DType type, std::size_t first_move) const;
  std::optional<TracePlace> place_of(Tag tag, std::size_t first_read) const;
  std::optional<TracePlace> place_in_reads(Flat flat, std::uint32_t bit, std::size_t first_read) const;
  void move_byte(Tag tag, std::uint32_t at);
  void fold_last();

  Trace& trace_;
  const Memory& memory_;
  const TagArena& arena_;
  std::vector<Value> values_;
  std::vector<Made> made_;  // of this micro-step
  std::size_t first_read_ = 0, first_move_ = 0;
  mutable std::size_t found_ = 0;  // the read that a byte was last found in, and the byte behind it
  mutable std::uint32_t next_byte_ = 0;
};

}  // namespace ts
