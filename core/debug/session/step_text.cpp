// Putting a step into few words.
#include "core/debug/session/step_text.h"

#include <fmt/format.h>

namespace ts {
namespace {

void add(std::string& list, std::string_view word) {
  if (!list.empty()) list += ", ";
  list += word;
}

// PIPE_V is V among pipes, EVENT_ID0 is ID0 among events.
std::string_view without_prefix(std::string_view word) {
  for (const std::string_view prefix : {"PIPE_", "EVENT_"})
    if (word.starts_with(prefix)) return word.substr(prefix.size());
  return word;
}

}  // namespace

ShortStep short_step(const Recording& recording, std::uint32_t step) {
  const Bound& bound = recording.bound(step);
  ShortStep text{.op = bound.row->name, .results = {}, .inputs = {}};
  for (const Operand& operand : bound.operands)
    if (operand.spec->by_attribute) {
      if (operand.scalar.bits != 0)
        add(text.inputs, fmt::format("{} = {}", operand.spec->name, recording.program().operand_name(operand)));
    } else if (!operand.implicit) {
      add(operand.spec->role == Role::Out ? text.results : text.inputs, recording.program().operand_name(operand));
    }
  const bool sync = bound.row->forms.front().operands.empty();
  for (std::size_t i = 0; i < bound.attributes.size(); ++i) {
    const AttributeSpec& spec = bound.row->attributes[i];
    const std::string_view value = value_name(spec.values, bound.attributes[i]);
    if (sync) add(text.inputs, without_prefix(value));
    else if (bound.attributes[i] != 0) add(text.inputs, fmt::format("{} = {}", spec.name, value));
  }
  return text;
}

}  // namespace ts
