// Counting flags.
#include "core/program/cores/flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/program/bind.h"
#include "core/program/sync.h"

namespace ts {
namespace {

// The key of an event, as against a flag's.
constexpr std::uint32_t kEventKey = 1u << 24;

bool raises(const InstructionRow* row) { return row == &kSetFlag || row == &kRecordEvent; }
bool waits(const InstructionRow* row) { return row == &kWaitFlag || row == &kWaitEvent; }
bool is_event(const InstructionRow* row) { return row == &kRecordEvent || row == &kWaitEvent; }

std::uint32_t key_of(const Bound& bound) {
  return (is_event(bound.row) ? kEventKey : 0u) | bound.attributes[0] << 16 | bound.attributes[1] << 8 |
         bound.attributes[2];
}

std::string flag_text(const InstructionRow& row, std::uint32_t key) {
  const auto word = [&](std::size_t i, std::uint32_t shift) {
    return value_name(row.attributes[i].values, static_cast<std::uint8_t>(key >> shift));
  };
  return fmt::format("({}, {}, {})", word(0, 16), word(1, 8), word(2, 0));
}

}  // namespace

bool Flags::step(WalkState& state, std::uint32_t index, const CodeOp* code) {
  const InstructionRow* row = state.program.instructions[index].row;
  if (!raises(row) && !waits(row) && !is_of_buffer(row)) return true;
  const std::optional<Bound> bound = bind(state, index);
  if (!bound) {
    state.exact = false;
    return true;
  }
  return step(state, *bound, *code);
}

bool Flags::step(WalkState& state, const Bound& bound, const CodeOp& code) {
  if (waits(bound.row)) return wait(state, bound, key_of(bound));
  if (raises(bound.row)) raise(state, bound, key_of(bound), &code);
  if (is_of_buffer(bound.row)) use_buffer(state, bound, code);
  return true;
}

// Steps come in the order of the program, in which whoever waits for a number has it already; so all there is to tell is who
// takes what it has, and who gives back what it has not.
void Flags::use_buffer(WalkState& state, const Bound& bound, const CodeOp& code) {
  const std::uint32_t key = bound.attributes[0] << 8 | bound.attributes[kBufferNumber];
  const std::string text = fmt::format("buffer {} for {}", bound.attributes[kBufferNumber],
                                       value_name(bound.row->attributes[0].values, bound.attributes[0]));
  const std::size_t told = state.warnings.size();
  if (bound.row == &kReleaseBuffer) {
    if (held_.erase(key) == 0 && state.exact)
      state.warn(code, FindingKind::Flags, "SYNC-R6", fmt::format("rls_buf of {}, which nobody took", text),
                 "take it first: pto.get_buf with the same pipe and number");
    return;
  }
  const auto [held, taken] = held_.try_emplace(key, bound.pos);
  if (!taken && state.exact)
    state.warn(code, FindingKind::Flags, "SYNC-R5", fmt::format("get_buf of {}, which is taken already", text),
               "give it back first: pto.rls_buf with the same pipe and number");
  if (state.warnings.size() > told) state.warnings.back().notes.push_back({held->second, "it was taken here"});
}

// The pages call a second raise an error as well as an overwrite that is to be reported; the run can go on, and counts.
void Flags::raise(WalkState& state, const Bound& bound, std::uint32_t key, const CodeOp* code) {
  const std::size_t told = state.warnings.size();
  if (++raised_[key] > 1 && state.exact)
    state.warn(*code, FindingKind::Flags, "SYNC-R3",
               fmt::format("{} of {} is raised while it still is", bound.row->name, flag_text(*bound.row, key)),
               "a flag holds one signal: wait for it first, or take another event");
  if (state.warnings.size() > told) state.warnings.back().notes.push_back({raised_at_.at(key), "it was raised here"});
  raised_at_[key] = bound.pos;
}

bool Flags::wait(WalkState& state, const Bound& bound, std::uint32_t key) {
  if (--raised_[key] >= 0 || !state.exact) return true;
  const char* raiser = is_event(bound.row) ? "record_event" : "set_flag";
  state.fail_about(FindingKind::Flags, bound.pos, "SYNC-R1",
                   fmt::format("deadlock: no {} of {} reaches this wait", raiser, flag_text(*bound.row, key)),
                   fmt::format("raise it first: pto.{} with the same pipes and event", raiser));
  for (const auto& [other, pos] : raised_at_)
    if (other >> 8 == key >> 8)
      state.problem->notes.push_back({pos, fmt::format("the nearest one is {}", flag_text(*bound.row, other))});
  return false;
}

void Flags::start_block(const WalkState& state) {
  left_raised_ = leftovers(state);
  raised_.clear();
  raised_at_.clear();
  held_.clear();
}

Diagnostics Flags::leftovers(const WalkState& state) const {
  if (!state.exact) return {};
  Diagnostics out = left_raised_;
  for (const auto& [key, raised] : raised_) {
    if (raised <= 0) continue;
    const InstructionRow& row = key >= kEventKey ? kRecordEvent : kSetFlag;
    Diagnostic left{
        "SYNC-R2",
        Severity::Warning,
        raised_at_.at(key),
        "",
        fmt::format("{} of {} is raised {} times more than it is waited for", row.name, flag_text(row, key), raised),
        "the next kernel on this core finds it raised"};
    left.kind = FindingKind::Flags;
    const auto told = [&](const Diagnostic& other) { return other.pos == left.pos && other.text == left.text; };
    if (std::ranges::none_of(out, told)) out.push_back(std::move(left));
  }
  std::ranges::sort(out, {}, [](const Diagnostic& d) { return std::pair{d.pos.line, d.pos.column}; });
  return out;
}

}  // namespace ts
