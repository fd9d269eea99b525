// Slots for values, and the code that reads and writes them.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/compile/messages.h"
#include "core/program/program.h"
#include "core/program/statement.h"

namespace ts {

class CodeWriter {
 public:
  CodeWriter(Program& program, const Messages& messages) : program_(program), messages_(messages) {}

  // Slots. One that no code writes keeps the value it starts with.
  Slot new_slot(text::TypeId type, Value value = {});
  Slot new_variable(text::TypeId type);  // written by what the code does not show: a call, the caller of the kernel
  Slot constant(std::int64_t value);     // an index
  text::TypeId type_of(Slot slot) const { return types_[slot]; }
  // Of a view whose type the text leaves out: only its element type is known.
  void leave_shape_open(Slot slot) { open_shapes_.insert(slot); }
  bool has_open_shape(Slot slot) const { return open_shapes_.contains(slot); }
  void set_type(Slot slot, text::TypeId type) { types_[slot] = type; }
  const Value& value(Slot slot) const { return program_.slots[slot]; }
  void set_value(Slot slot, Value value) { program_.slots[slot] = value; }
  void set_variable(Slot slot) { variable_[slot] = 1; }
  bool is_variable(Slot slot) const { return variable_[slot] != 0; }
  bool is_constant(Slot slot) const { return !is_variable(slot) && value(slot).known(); }

  // Code, in the order in which it runs.
  CodeOp& emit(CodeKind kind, text::SourceRange where, const std::vector<Slot>& ins = {},
               const std::vector<Slot>& outs = {}, std::uint32_t data = 0);
  void emit_move(text::SourceRange where, const std::vector<Slot>& from, const std::vector<Slot>& to);
  void emit_step(text::SourceRange where, Instruction instruction);  // the instruction, and the step that runs it
  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code.size()); }
  void set_target(std::uint32_t code, std::uint32_t to) { program_.code[code].data = to; }  // of a jump

 private:
  Program& program_;
  const Messages& messages_;
  std::vector<text::TypeId> types_;  // by slot
  std::vector<char> variable_;       // by slot: code writes it
  std::unordered_map<std::int64_t, Slot> constants_;
  std::unordered_set<Slot> open_shapes_;
};

// Whether one of the slots could not be made, which was told.
bool any_missing(const std::vector<Slot>& slots);

}  // namespace ts
