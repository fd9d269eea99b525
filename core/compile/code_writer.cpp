// Slots and code.
#include "core/compile/code_writer.h"

#include <algorithm>

namespace ts {

bool any_missing(const std::vector<Slot>& slots) { return std::ranges::find(slots, kNoSlot) != slots.end(); }

Slot CodeWriter::new_slot(text::TypeId type, Value value) {
  program_.slots.push_back(value);
  types_.push_back(type);
  variable_.push_back(0);
  return static_cast<Slot>(program_.slots.size() - 1);
}

Slot CodeWriter::new_variable(text::TypeId type) {
  const Slot slot = new_slot(type);
  variable_[slot] = 1;
  return slot;
}

Slot CodeWriter::constant(std::int64_t value) {
  const auto [it, made] = constants_.try_emplace(value, kNoSlot);
  if (made) it->second = new_slot(kNoType, scalar_value(static_cast<std::uint64_t>(value)));
  return it->second;
}

CodeOp& CodeWriter::emit(CodeKind kind, text::SourceRange where, const std::vector<Slot>& ins,
                         const std::vector<Slot>& outs, std::uint32_t data) {
  CodeOp op{.kind = kind};
  op.ins = static_cast<std::uint16_t>(ins.size());
  op.outs = static_cast<std::uint16_t>(outs.size());
  op.slots = static_cast<std::uint32_t>(program_.code_slots.size());
  op.data = data;
  op.pos = messages_.position(where);
  program_.code_slots.insert(program_.code_slots.end(), ins.begin(), ins.end());
  program_.code_slots.insert(program_.code_slots.end(), outs.begin(), outs.end());
  for (const Slot slot : outs) variable_[slot] = 1;
  program_.code.push_back(op);
  return program_.code.back();
}

void CodeWriter::emit_move(text::SourceRange where, const std::vector<Slot>& from, const std::vector<Slot>& to) {
  if (!from.empty()) emit(CodeKind::Move, where, from, to);
}

void CodeWriter::emit_step(text::SourceRange where, Instruction instruction) {
  program_.instructions.push_back(std::move(instruction));
  emit(CodeKind::Step, where, {}, {}, static_cast<std::uint32_t>(program_.instructions.size() - 1));
}

}  // namespace ts
