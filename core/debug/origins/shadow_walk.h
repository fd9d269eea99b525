// Every float element as it would be if all had been computed in double precision and nothing rounded between, kept while
// the steps of a recording are looked at in order. Which element a comparison chose, a conversion to integers and what
// integers are stay as the run had them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/tag/shadow.h"
#include "core/record/finding.h"
#include "core/record/inspector.h"

namespace ts {

// An element that a step left and that double precision makes another value of.
struct MadeElement {
  Flat at = 0;
  std::uint64_t bits = 0;
  Shadow shadow = {};
};

class ShadowWalk {
 public:
  explicit ShadowWalk(const Recording& recording) : recording_(recording), shadows_(recording.map()) {}

  struct Looked {
    Flow flow;
    std::vector<MadeElement> made;
  };
  // The first step, or that behind the one that was left last. Nothing: no shadow comes of it. Valid until the inspector
  // is asked anything else.
  std::optional<Looked> look(Inspector& inspector, std::uint32_t step);
  void leave(std::uint32_t step, std::span<const MadeElement> made);

  // Of the elements before the step that is looked at; behind the last one, of what the run left.
  const ShadowMemory& shadows() const { return shadows_; }
  Shadow at(const ByteRange& place) const { return shadows_.at(recording_.map().flat(place)); }
  // The valid element of one of the step's float results that this is.
  std::optional<FoundElement> result(std::uint32_t step, const MadeElement& made) const;

 private:
  bool concerns(const Bound& bound) const;
  void forget(const ByteRange& place);
  void forget_core(CoreId core);

  const Recording& recording_;
  ShadowMemory shadows_;
};

}  // namespace ts
