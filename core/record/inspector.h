// Looking into a recording: the memories at any position, the micro-steps of any step, where any element came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/tag/tag.h"
#include "core/engine/trace/trace.h"
#include "core/record/recording.h"

namespace ts {

// Where one element (or byte, or mask bit) of an instruction's inputs took part in a result.
struct Source {
  enum class Kind : std::uint8_t {
    Element,      // of a tile or view operand; of 4 bits: half a byte
    MaskBit,      // of a tile operand
    Scalar,       // operand
    Bytes,        // of no operand: read past a tile, or from a special register
    Unspecified,  // the value is promised by nobody; `why` says so
  };
  Kind kind = Kind::Element;
  bool decided = false;  // it chose the value, instead of being (part of) it
  int operand = -1;      // index into the bound operands
  std::uint32_t row = 0,
                col =
                    0;  // the element; for MaskBit the lane that the bit governs; for views: col = index in the buffer
  ByteRange place;      // the bytes
  std::uint32_t bit = 0;
  Definedness definedness = Definedness::Written;  // the worst of the bytes, before the step
  std::uint64_t bits = 0;                          // the element's bits, the mask bit, or the scalar's bits
  std::string why;
  bool operator==(const Source&) const = default;
};

// What an element of a result was made of. Valid until the inspector's next call.
class Flow {
 public:
  Flow(const Bound& bound, std::span<const WritePattern> writes, const Memory& before, const TagMemory& tags,
       std::span<const std::byte> left)
      : bound_(&bound), writes_(writes), before_(&before), tags_(&tags), left_(left) {}
  // All sources of element (row, col) of the tile operand, in the order of operands and addresses.
  std::vector<Source> sources(int operand, std::uint32_t row, std::uint32_t col) const;
  std::vector<Source> sources_of_bytes(ByteRange bytes) const;
  // The elements of the results that these bytes took part in, in the order of operands and addresses.
  struct Reached {
    int operand = -1;
    std::uint32_t row = 0, col = 0;  // of a view: col is the index in the buffer
    ByteRange place;
    bool decided = false;  // the bytes chose the value, and are no part of it
  };
  std::vector<Reached> reached_by(ByteRange bytes) const;
  // False when the step wrote none of these bytes.
  bool wrote(ByteRange bytes) const;
  // What it left in the bytes that it wrote, run by run of its writes.
  std::span<const std::byte> left() const { return left_; }

  // For whoever looks at all results at once: what every byte that the step wrote stands for, and the source behind a tag
  // of a byte, bit or scalar.
  const TagMemory& tags() const { return *tags_; }
  Source source_of(Tag leaf, bool decided) const;
  const Memory& before() const { return *before_; }

 private:
  struct Collector;
  std::vector<BytePart> parts_meant(Flat flat, BytePart part) const;
  const Bound* bound_;
  std::span<const WritePattern> writes_;
  const Memory* before_;
  const TagMemory* tags_;
  std::span<const std::byte> left_;
};

// The bytes of a place, and what each of them is worth.
void copy_bytes(const Memory& memory, ByteRange place, std::span<std::byte> out, std::span<Definedness> worth);

class Inspector {
 public:
  explicit Inspector(const Recording& recording);

  // The memories at a position, 0..count. Valid until the next call of any method. Where snapshots were thinned, the
  // steps since the keyframe before the position, or since where the inspector stands, are run again.
  const Memory& at(std::uint32_t position);
  std::uint32_t position() const { return position_; }
  // What it takes of the host at most.
  std::size_t held_bytes() const;
  // The memories in the middle of a step, after so many of its micro-steps. Valid as above.
  const Memory& in_step(std::uint32_t step, const Trace& trace, std::uint32_t micro);
  // The memories as the step before a position left them, and as the program was given them at position 0: without what
  // the position's edits changed. Valid as above.
  const Memory& unedited(std::uint32_t position);
  // The bytes of a place at a position, and the worst definedness among them; of half a byte that half alone. Where the position has snapshots, nothing
  // else is loaded.
  Definedness peek(std::uint32_t position, ByteRange place, std::span<std::byte> out);
  // The same, and what each byte is worth.
  void peek_each(std::uint32_t position, ByteRange place, std::span<std::byte> out, std::span<Definedness> worth);
  // `peek` without the edits of the position.
  Definedness peek_unedited(std::uint32_t position, ByteRange place, std::span<std::byte> out);

  // The micro-steps of a step; afterwards the memories stand at step + 1.
  Trace trace(std::uint32_t step);
  // The data flow of a step; with the shadows of elements before it, its tags have those of its results. Valid until the
  // next call of any method.
  Flow flow(std::uint32_t step, const ShadowMemory* shadows = nullptr);

 private:
  void go(std::uint32_t position);
  void load(std::uint32_t position);
  void keep_step();
  void run_step();
  void arrive();
  Definedness copy(ByteRange place, std::span<std::byte> out) const;

  const Recording& recording_;
  Memory memory_;
  StepRunner runner_;
  std::vector<std::uint32_t> version_;  // by page: which version `memory_` holds, or kNoVersion where a step ran on it
  std::uint32_t thinned_times_ = 0;     // the versions' numbers are those after that many thinnings
  std::uint32_t position_ = 0;
  bool off_position_ = false;  // more has been done, or less: some micro-steps were made, or the edits were not
  std::optional<TagMemory> tags_;
  std::vector<std::byte> left_;  // by the step of the last flow
};

}  // namespace ts
