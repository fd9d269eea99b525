// Writes a trace: values, accesses, and which bits went where. Moves are not told by the micro-operation but read from the
// tags of what it made and wrote. All that it is given names itself: bytes in memory, and values by numbers of their own.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/engine/any_core.h"

namespace ts {

using ByteTags = std::array<Tag, VL>;  // of a register's bytes, or a predicate's bits

class TraceRecorder {
 public:
  TraceRecorder(Trace& trace, const Memory& memory, CoreId core, const TagArena& arena)
      : trace_(trace), memory_(memory), core_(core), arena_(arena) {}

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
    const MicroStep& now = step();
    move_all({true, static_cast<std::uint32_t>(now.writes.size()) - 1, 0}, now.writes.back().size, 8, tag_at);
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
  static bool has_tags(std::uint32_t number) { return number < (kFirstHalfTag - kFirstValueTag) / VL; }
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
  // Moves of the parts of a value or a write, of so many bits each.
  template <class TagAt>
  void move_all(const TracePlace& to, std::uint32_t parts, std::uint32_t unit, TagAt tag_at) {
    begin_moves();
    for (std::uint32_t at = 0, run = 1; at < parts; at += run, run = 1) {
      const Tag tag = tag_at(at);
      const TracePlace there{to.memory, to.of, unit * at};
      if (to.memory && is_node_tag(tag)) {
        move_bits(tag, there);
      } else if (const auto from = place_of(tag, first_read_)) {
        const std::uint32_t most = std::min(parts - at, parts_from(tag, *from));
        while (run < most && tag_at(at + run) == tag + run) ++run;
        if (is_byte_tag(tag)) next_byte_ += run - 1;
        move(*from, there, unit * run);
      }
    }
    end_moves();
  }
  DType moved_type(DType type, std::size_t first_move) const;
  std::optional<TracePlace> place_of(Tag tag, std::size_t first_read) const;
  std::optional<TracePlace> place_in_reads(Flat flat, std::uint32_t bit, std::size_t first_read) const;
  std::uint32_t parts_from(Tag tag, const TracePlace& place) const;
  void move_bits(Tag tag, const TracePlace& to);
  void fold_last();

  Trace& trace_;
  const Memory& memory_;
  CoreId core_;
  const TagArena& arena_;
  std::vector<Value> values_;
  std::vector<Made> made_;  // of this micro-step
  std::size_t first_read_ = 0, first_move_ = 0;
  mutable std::size_t found_ = 0;  // the read that a byte was last found in, and the byte behind it
  mutable std::uint32_t next_byte_ = 0;
};

}  // namespace ts
