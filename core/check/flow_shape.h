// Which bytes reach the results of a step. For most steps that follows from their operands' types, wherever those stand
// and whatever they hold: so it is found once for all steps of one shape, and most steps need no tag machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/record/inspector.h"

namespace ts {

// The first result operand that has the byte at `place` in an element of its valid region, or -1: then it is padding,
// scratch or a register, also one that a program names. Of a view every byte counts.
int valid_result_at(const Bound& bound, const ByteRange& place);

// The bytes of all offsets of a step.
std::vector<std::byte> offsets_of(const Bound& bound, const Memory& before);

struct FlowShape {
  // Bytes by the operand they stand in, counted from its first element; operand -1: a special register, by its flat
  // byte.
  struct Piece {
    int operand = -1;
    std::int64_t offset = 0;
    std::uint32_t size = 0;
    Flat begin(const Bound& bound, const MemoryMap& map) const;
  };
  // Whether it depends on more than the operands' types: then the tag machine has to look at every step.
  bool open = false;
  // What offsets held: with others it is another shape.
  std::vector<std::byte> offsets = {};
  // While all of these are good, so is every result. Of a selection this is more than each step reads.
  std::vector<Piece> read = {};
  // By operand from the first of them to the last, to be asked first.
  std::vector<Piece> hulls = {};
  // Bytes that are moved into padding, scratch or registers.
  struct Copy {
    Piece to, from;
  };
  std::vector<Copy> copies = {};
};

// The shapes of a recording's steps.
class FlowShapes {
 public:
  explicit FlowShapes(const Recording& recording) : recording_(recording) {}

  // Null: none of its shape was learned yet.
  const FlowShape* find(std::uint32_t step);
  // Replaces what was known of the shape.
  void learn(std::uint32_t step, const Flow& flow);

 private:
  struct Hash {
    std::size_t operator()(const Bound& bound) const;
  };
  struct Same {
    bool operator()(const Bound& a, const Bound& b) const;
  };

  const Recording& recording_;
  std::unordered_map<Bound, FlowShape, Hash, Same> shapes_;  // by operands without their places
  std::vector<const FlowShape*> of_bound_;
};

}  // namespace ts
