// What a walk through a program's code knows, and what it says: values in slots, views, where tiles stand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/memory/memory.h"
#include "core/program/environment.h"
#include "core/program/program.h"

namespace ts {

enum class WalkStop : std::uint8_t { None, End, Error, Missing, Limit, Interrupted };

struct Together;

// Where a core finds the slots of a queue.
struct QueueEnd {
  Value gm, local;
};

struct WalkState {
  // `memory` serves loads of scalars; without it they are unknown. `checking`: what depends on unknown values is passed over.
  WalkState(const Program& program, const Memory* memory, bool checking);

  // Everything as the program declares it.
  void start_block();

  // Operands of a piece of code.
  Slot in(const CodeOp& op, std::size_t i) const { return program.code_slots[op.slots + i]; }
  Slot out(const CodeOp& op, std::size_t i = 0) const { return program.code_slots[op.slots + op.ins + i]; }
  const Value& value_in(const CodeOp& op, std::size_t i) const { return slots[in(op, i)]; }
  bool all_known(const CodeOp& op) const;
  void set_out(const CodeOp& op, Value value);
  void set_view(Slot slot, ViewValue view);
  void set_tile(std::uint32_t tile, const Environment::TileState& state);
  void forget_outs(const CodeOp& op);
  void move(const CodeOp& op);  // outs = ins, all at once

  // The walk ends here; returns false.
  bool fail(SourcePos pos, std::string rule, std::string text, std::string hint = "");
  bool fail_about(FindingKind kind, SourcePos pos, std::string rule, std::string text, std::string hint = "");
  // The walk goes on.
  void warn(const CodeOp& op, FindingKind kind, std::string rule, std::string text, std::string hint = "");

  const Program& program;
  const Memory* memory;
  bool checking;
  std::vector<Value> slots;
  std::vector<ViewValue> views;
  Environment environment;
  std::vector<std::vector<Value>> arrays;  // by ArrayDecl, elements in a row; unknown: nothing was written
  std::uint32_t block = 0;
  CoreId core = 0;  // of all that there are at once
  std::uint32_t core_of_block = 0;
  Together* together = nullptr;  // with the other cores; null: nobody is there
  std::vector<QueueEnd> queue_ends;
  const CodeOp* waits = nullptr;  // an operation that cannot go on before another core did something
  bool exact = true;              // nothing unknown decided anything so far

  // By buffer: the bytes that views reach, and, while checking, the shape of the first view made of it.
  std::vector<std::uint64_t> extents;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> view_shapes;
  std::vector<std::uint32_t> loaded;  // while checking: buffers that scalars were loaded from
  // The same: buffers that a launch clears, of signals, and of where other devices are.
  std::vector<std::uint32_t> cleared;

  WalkStop stop = WalkStop::None;
  std::optional<Diagnostic> problem;
  Diagnostics warnings;

 private:
  std::unordered_map<Slot, std::uint32_t> view_of_slot_;
  std::unordered_set<const CodeOp*> warned_;
  std::vector<Value> moved_;  // while values move
  std::vector<ViewValue> moved_views_;
};

}  // namespace ts
