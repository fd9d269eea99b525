// The steps of a recording as visits to lines that people wrote: what one line did between coming to it and leaving it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/isa/refusal.h"
#include "core/program/source_map.h"
#include "core/record/recording.h"

namespace ts {

// A visit goes on while steps come from the same line, called from the same lines; in the next turn of a loop it is another
// one, unless the loop itself came from that line. A step that says not where it came from goes with those before it.
class SourceVisits {
 public:
  // Both have to live as long. `go_on` is asked now and then; false: what is made is incomplete, and of no use.
  SourceVisits(const Recording& recording, const SourceMap& map, const std::function<bool()>& go_on);
  bool complete() const { return complete_; }

  // First steps of visits, ascending.
  std::span<const std::uint32_t> firsts() const { return firsts_; }
  bool begins(std::uint32_t step) const;
  std::uint32_t begin_of(std::uint32_t step) const;
  std::uint32_t end_of(std::uint32_t step) const;
  // Where a step came from; of one that says it not, what its visit is to.
  std::uint32_t origin_of(std::uint32_t step) const;
  // Whether a step is the first of a visit to a line, or of calls from it that follow each other.
  bool comes_to(SourceLine line, std::uint32_t step) const;

 private:
  const Recording* recording_;
  const SourceMap* map_;
  std::vector<std::uint32_t> firsts_;
  std::uint32_t steps_;
  bool complete_ = false;
};

// To whoever asks for lines that a program came from and that it does not tell.
Refusal no_sources();

}  // namespace ts
