// What an element of a result was before it was converted to its type: the lane that the first conversion on its way took,
// and what that one made of it. Read off the trace of the step, so no formula is needed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/debug/origins/micro_links.h"

namespace ts {

struct Unrounded {
  struct Value {
    DType type = DType::F32;
    std::uint64_t bits = 0;
    double number() const { return to_double(type, bits); }
  };
  Value value;  // as it was computed
  Value first;  // behind the first conversion; of 4 bits their code
};

// Of the elements of one result of a step.
class UnroundedElements {
 public:
  // The trace stays with the caller.
  explicit UnroundedElements(const Trace& trace) : trace_(trace), index_(trace) {}
  // Nothing where the step did not write it, or converted nothing.
  std::optional<Unrounded> of(ByteRange element);

 private:
  const std::vector<MicroMove>& moves(std::uint32_t micro);
  std::optional<MicroPlace> moved_from(std::uint32_t micro, const MicroPlace& place) {
    return origin_of(moves(micro), place);
  }
  struct Lanes {
    std::uint32_t value;  // a register
    DType type;
  };
  std::optional<Lanes> converted_from(std::uint32_t value) const;
  Unrounded::Value lane(const MicroPlace& place, DType type) const;

  const Trace& trace_;
  const MicroIndex index_;
  std::map<std::uint32_t, std::vector<MicroMove>> moves_;  // by micro-step
};

}  // namespace ts
