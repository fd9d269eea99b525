// Values, tiles and messages of a walk.
#include "core/program/walk_state.h"

namespace ts {

WalkState::WalkState(const Program& of, const Memory* with, bool only_check)
    : program(of), memory(with), checking(only_check), extents(of.buffers.size(), 0) {}

void WalkState::start_block() {
  slots = program.slots;
  views = program.views;
  view_of_slot_.clear();
  arrays.assign(program.arrays.size(), {});
  queue_ends.assign(program.queues.size(), {});
  environment.tiles.clear();
  for (const TileDecl& tile : program.tiles)
    environment.tiles.push_back({tile.address, tile.valid_rows, tile.valid_cols, !tile.unset});
  ++environment.version;
}

bool WalkState::all_known(const CodeOp& op) const {
  for (std::size_t i = 0; i < op.ins; ++i)
    if (!value_in(op, i).known()) return false;
  return true;
}

void WalkState::set_out(const CodeOp& op, Value value) {
  if (value.kind == ValueKind::View) return set_view(out(op), views[value.bits]);
  slots[out(op)] = value;
}

// Each slot has views of its own: one that a loop carries on must not change when the next is made.
void WalkState::set_view(Slot slot, ViewValue view) {
  const auto [it, made] = view_of_slot_.try_emplace(slot, static_cast<std::uint32_t>(views.size()));
  if (made) views.push_back(view);
  views[it->second] = view;
  slots[slot] = view_value(it->second);
}

void WalkState::set_tile(std::uint32_t tile, const Environment::TileState& state) {
  if (environment.tiles[tile] == state) return;
  environment.tiles[tile] = state;
  ++environment.version;
}

void WalkState::forget_outs(const CodeOp& op) {
  for (std::size_t i = 0; i < op.outs; ++i) slots[out(op, i)] = {};
}

// What is yielded may be the loop's own variables in another order.
void WalkState::move(const CodeOp& op) {
  moved_.clear();
  moved_views_.clear();
  for (std::size_t i = 0; i < op.ins; ++i) {
    moved_.push_back(value_in(op, i));
    if (moved_.back().kind == ValueKind::View) moved_views_.push_back(views[moved_.back().bits]);
  }
  std::size_t next_view = 0;
  for (std::size_t i = 0; i < op.ins; ++i) {
    if (moved_[i].kind == ValueKind::View) {
      set_view(out(op, i), moved_views_[next_view++]);
    } else {
      slots[out(op, i)] = moved_[i];
    }
  }
}

bool WalkState::fail(SourcePos pos, std::string rule, std::string text, std::string hint) {
  stop = WalkStop::Error;
  problem = {std::move(rule), Severity::Error, pos, "", std::move(text), std::move(hint)};
  return false;
}

bool WalkState::fail_about(FindingKind kind, SourcePos pos, std::string rule, std::string text, std::string hint) {
  fail(pos, std::move(rule), std::move(text), std::move(hint));
  problem->kind = kind;
  return false;
}

// A check keeps what is told until its end, and a loop would say the same in every turn.
void WalkState::warn(const CodeOp& op, FindingKind kind, std::string rule, std::string text, std::string hint) {
  if (checking && !warned_.insert(&op).second) return;
  warnings.push_back({std::move(rule), Severity::Warning, op.pos, "", std::move(text), std::move(hint)});
  warnings.back().kind = kind;
}

}  // namespace ts
