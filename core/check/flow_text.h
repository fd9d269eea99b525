// Findings about undefined and foreign bytes, in words: what they are, where they come from, what to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/check/flow_taint.h"
#include "core/check/walk.h"
#include "core/debug/origins/step_index.h"
#include "core/record/operand_place.h"

namespace ts {

// "src1 %b[3,5]"; of buffers "src x[17]".
std::string element_text(const Recording& recording, const Bound& bound, int operand, std::uint32_t row,
                         std::uint32_t col);

// What a step has to be told of, for one kind of finding.
struct FlowFault {
  FindingKind kind = FindingKind::Defined;
  Tag cause = kNoTag;                        // the byte or bit
  std::optional<Taint::Origin> origin = {};  // where that is a copy
  OperandElement result = {};                // the first element that it reaches
  int operand = -1;                          // of the result
  std::uint32_t count = 0, of = 0;           // so many elements of that operand, of so many
};

class FlowTeller {
 public:
  explicit FlowTeller(const Recording& recording) : recording_(recording) {}
  void tell(const FlowFault& fault, std::uint32_t step, const Flow& flow, FindingSink& sink);

 private:
  std::string cause_text(const FlowFault& fault, const Bound& bound, const Source& source) const;
  std::string worth_text(const FlowFault& fault, const Source& source) const;
  std::string reach_text(const FlowFault& fault, const Bound& bound, const Source& source) const;
  void advise(const FlowFault& fault, std::uint32_t step, const Source& source, std::string& hint,
              std::vector<DiagnosticNote>& notes);
  std::string step_text(std::uint32_t step) const;
  std::string place_text(const ByteRange& place) const;
  const StepIndex& index();

  const Recording& recording_;
  std::optional<StepIndex> index_;
};

}  // namespace ts
