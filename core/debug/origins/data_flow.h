// Where values came from and where they went, across steps: the makers of bytes, the sources and readers of an element,
// and the slice, which is the sources of the sources down to what the program was given.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/debug/origins/history.h"
#include "core/debug/origins/step_index.h"
#include "core/debug/origins/step_reads.h"
#include "core/record/inspector.h"

namespace ts {

// Bytes that one maker made, as they stand at a position.
struct Made {
  ByteRange bytes;
  Maker maker = Maker::Nobody;
  std::uint32_t step = 0;  // of Step and Block; of Edit: the position
};

// A source, and the step that read it.
struct SourceUse {
  std::uint32_t step = 0;
  Source source;
};

// An element of a result that a value took part in, or that it decided.
struct Reader {
  std::uint32_t step = 0;
  int operand = -1;                // of the step
  std::uint32_t row = 0, col = 0;  // of a view: col is the index in the buffer
  ByteRange place;
  bool decided = false;
};

// A value in the tree of a slice. Values that several others came from stand there once.
struct SliceNode {
  Source::Kind kind = Source::Kind::Element;
  std::string name = {};                    // of the tile, buffer or scalar; empty for bytes of no operand
  std::uint32_t row = 0, col = 0, bit = 0;  // of a buffer: col is the index of the element
  bool in_buffer = false;
  ByteRange place;  // of elements, mask bits and bytes
  std::uint64_t bits = 0;
  Definedness definedness = Definedness::Written;
  std::string why = {};         // of Unspecified
  std::uint32_t position = 0;   // where it is as told: before the step that read it
  Maker maker = Maker::Nobody;  // of elements, mask bits and bytes; Scalar and Unspecified have none
  std::uint32_t step = 0;       // that made it
  std::uint32_t depth = 0;      // steps from the root, on the shortest way
  struct Edge {
    std::uint32_t node;
    bool decided;  // it chose the value instead of being part of it
    bool operator==(const Edge&) const = default;
  };
  std::vector<Edge> from = {};  // empty at a leaf, and where the slice was cut
};

struct SliceLimits {
  std::uint32_t depth = ~0u;  // steps
  std::uint32_t nodes = 100'000;
  std::function<bool()> go_on = {};
};

struct Slice {
  std::vector<SliceNode> nodes;  // the first is the root
  bool complete = true;          // false: cut by a limit
};

// What is pointed at: bytes, and the name they go by.
struct Pointed {
  ByteRange place;
  std::string name = {};
  std::uint32_t row = 0, col = 0;
};

class DataFlow {
 public:
  DataFlow(const Recording& recording, Inspector& inspector, const StepIndex& index, StepReads& reads)
      : recording_(recording), inspector_(inspector), index_(index), reads_(reads) {}

  // Who made the bytes that stand there at `position`; as few parts as there are makers side by side.
  std::vector<Made> makers(ByteRange range, std::uint32_t position) const;
  // What the steps that made them made them of. Nothing when no step did.
  std::vector<SourceUse> sources(ByteRange range, std::uint32_t position);
  // What became of the value that stands there at `position`, until it is overwritten. At most `most`; `go_on` may end
  // it.
  std::vector<Reader> readers(ByteRange range, std::uint32_t position, std::size_t most,
                              const std::function<bool()>& go_on = {});
  Slice slice(const Pointed& what, std::uint32_t position, const SliceLimits& limits = {});

 private:
  struct Slicer;
  Made newest(Flat begin, Flat end, std::uint32_t position) const;
  std::vector<Reader> readers_of_step(std::uint32_t step, std::span<const FlatRange> alive, BytePart part);
  void add_given(FlatRange run, std::vector<Made>& parts) const;
  std::vector<WritePattern> edit_patterns(std::uint32_t position) const;

  const Recording& recording_;
  Inspector& inspector_;
  const StepIndex& index_;
  StepReads& reads_;
};

}  // namespace ts
