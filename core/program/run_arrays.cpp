// Arrays and records of the scalar unit.
#include <fmt/format.h>

#include "core/program/run_code.h"

namespace ts {
namespace {

struct ArraySlot {
  std::vector<Value>* values = nullptr;  // of an array that is known
  std::size_t at = 0;
  bool known = false;  // all indices are
};

// Where the indices point, of which `extra` ins follow. Nothing: told that it is outside.
std::optional<ArraySlot> slot_of(WalkState& state, const CodeOp& op, std::size_t extra) {
  const Value array = state.value_in(op, 0);
  if (array.kind != ValueKind::Array) return ArraySlot{};
  const ArrayDecl& decl = state.program.arrays[array.bits];
  ArraySlot slot{.values = &state.arrays[array.bits], .at = 0, .known = true};
  for (std::size_t i = 0; i < decl.dims.size() && i + 1 + extra < op.ins; ++i) {
    const Value index = state.value_in(op, 1 + i);
    slot.known = slot.known && index.known();
    if (index.known() && (index.number() < 0 || index.number() >= decl.dims[i])) {
      state.fail(op.pos, "V60-32", fmt::format("%{}: index {} outside {}", decl.name, index.number(), decl.dims[i]),
                 fmt::format("dimension {} has the elements 0 to {}", i, decl.dims[i] - 1));
      return {};
    }
    slot.at = slot.at * static_cast<std::size_t>(decl.dims[i]) + static_cast<std::size_t>(index.bits);
  }
  return slot;
}

}  // namespace

void declare_array(WalkState& state, const CodeOp& op) {
  std::size_t elements = 1;
  for (const std::int64_t size : state.program.arrays[op.data].dims) elements *= static_cast<std::size_t>(size);
  state.arrays[op.data].assign(elements, {});
  state.set_out(op, {op.data, 0, ValueKind::Array});
}

bool array_get(WalkState& state, const CodeOp& op) {
  const std::optional<ArraySlot> slot = slot_of(state, op, 0);
  if (!slot) return false;
  // While nobody knows which way the program went, nobody knows what it wrote.
  const bool sure = !state.checking || state.exact;
  const bool there = slot->values != nullptr && slot->known && slot->at < slot->values->size();
  Value value = there && sure ? (*slot->values)[slot->at] : Value{};
  if (there && sure && !value.known() && !state.checking) {
    const ArrayDecl& decl = state.program.arrays[state.value_in(op, 0).bits];
    state.warn(op, FindingKind::Defined, "V60-31",
               fmt::format("reads element {} of %{}, which nobody wrote; it is taken for 0", slot->at, decl.name),
               "write every element before it is read: nothing clears the array");
    value = scalar_value(0);
  }
  state.set_out(op, value);
  return true;
}

bool array_set(WalkState& state, const CodeOp& op) {
  const std::optional<ArraySlot> slot = slot_of(state, op, 1);
  if (!slot) return false;
  if (slot->values == nullptr) return true;
  if (!slot->known) {
    for (Value& value : *slot->values) value = {};
  } else if (slot->at < slot->values->size()) {
    (*slot->values)[slot->at] = state.value_in(op, op.ins - std::size_t{1});
  }
  return true;
}

}  // namespace ts
