// Why the value of an element is what it is, and where a wrongly named one went: sentences from the data flow.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/debug/picture/step_map.h"
#include "core/debug/session/session.h"
#include "core/isa/element.h"

namespace ts::learn {

// What became of an element of a step's results, read from the recording once.
struct Truth {
  std::uint32_t step = 0;
  StepElement element;
  const ElementFormat* format = nullptr;
  bool wrote = false;
  std::uint64_t before = 0, after = 0;
  Definedness worth_before = Definedness::Never, worth_after = Definedness::Never;
  std::vector<Source> sources = {};  // of the value and of what decided it

  // The elements that the value was moved from or made of.
  std::vector<StepElement> elements(const Program& program, const Bound& bound) const;
  // A scalar that it is; null: none.
  const Source* scalar() const;
};
Truth truth_of(Session& session, std::uint32_t step, const StepElement& element);

// "out[0,3] is 6".
std::string value_sentence(const Recording& recording, const Truth& truth);
// "it comes from src1[0,5], chosen by bit 3 of mask[0,0], which is 0".
std::string origin_sentence(const Recording& recording, const Truth& truth);
// "re[0,3] goes to dst0[0,6]".
std::string way_sentence(Session& session, std::uint32_t step, const StepElement& input);
// The only element of the inputs that holds this value; nothing: none does, or several do.
std::optional<StepElement> only_input_with(Session& session, std::uint32_t step, const ElementFormat& format,
                                           std::uint64_t bits);

}  // namespace ts::learn
