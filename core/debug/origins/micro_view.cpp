// Lanes, makers and users, and the special registers.
#include "core/debug/origins/micro_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/isa/special_registers.h"

namespace ts {

// --- lanes ---

std::uint64_t lane_bits(const TraceValue& value, DType type, std::uint32_t lane) {
  const std::uint32_t size = size_bytes(type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, value.bytes.data() + std::size_t{lane} * size, size);
  return bits;
}

bool lane_is_on(const TraceValue& value, DType type, std::uint32_t lane) {
  const std::uint32_t bit = lane * size_bytes(type);
  return value.bytes[bit / 8] >> (bit % 8) & 1;
}

std::uint32_t lanes_on(const TraceValue& value, DType type) {
  std::uint32_t on = 0;
  for (std::uint32_t lane = 0; lane < lane_count(type); ++lane) on += lane_is_on(value, type, lane);
  return on;
}

std::string value_name(const Trace& trace, std::uint32_t value) {
  return fmt::format("{}{}", trace.values[value].kind == TraceValue::Kind::Register ? "v" : "p", value);
}

std::vector<LaneRun> lane_runs(const TraceValue& value, DType type) {
  const bool predicate = value.kind == TraceValue::Kind::Predicate;
  const auto bits = [&](std::uint32_t lane) {
    return predicate ? std::uint64_t{lane_is_on(value, type, lane)} : lane_bits(value, type, lane);
  };
  std::vector<LaneRun> runs;
  for (std::uint32_t lane = 0; lane < lane_count(type); ++lane) {
    if (!runs.empty() && bits(runs.back().first) == bits(lane)) runs.back().end = lane + 1;
    else runs.push_back({lane, lane + 1});
  }
  return runs;
}

// --- registers ---

MicroIndex::MicroIndex(const Trace& trace, const Bound* bound) : values_(trace.values.size()) {
  if (bound != nullptr)
    for (const Operand& operand : bound->operands)
      if (operand.spec->kind == OperandKind::Tile) operands_.push_back({operand.tile.range(), operand.tile.type.dtype});
  first_made_.reserve(trace.steps.size() + 1);
  for (std::uint32_t micro = 0; micro < trace.steps.size(); ++micro) take(trace, micro);
  first_made_.push_back(
      trace.steps.empty() ? 0 : first_made_.back() + static_cast<std::uint32_t>(trace.steps.back().made.size()));
}

void MicroIndex::take(const Trace& trace, std::uint32_t micro) {
  const MicroStep& step = trace.steps[micro];
  const auto before = static_cast<std::uint32_t>(micro == 0 ? 0 : trace.steps[micro - 1].made.size());
  first_made_.push_back(micro == 0 ? 0 : first_made_.back() + before);
  for (const std::uint32_t id : step.made) values_[id] = {micro, micro, made_type(trace, step, id)};
  types_.push_back(step_type(trace, step));
  const auto use = [&](std::uint32_t id) {
    if (values_[id].maker != micro) values_[id].last_user = micro;
  };
  for (const TraceArg& arg : step.args)
    if (arg.kind == TraceArg::Kind::Value) use(arg.value_id);
  for (const TraceMove& move : step.moves)
    if (!move.from.memory) use(move.from.of);
  if (step.op->names_blocks) va_steps_.push_back(micro);
}

// Of elements that were moved: what they were where they came from.
DType MicroIndex::made_type(const Trace& trace, const MicroStep& step, std::uint32_t id) const {
  const TraceValue& value = trace.values[id];
  if (value.kind == TraceValue::Kind::Predicate) return value.type;
  const auto leads_here = [&](const TraceMove& move) { return !move.to.memory && move.to.of == id; };
  const auto move = std::ranges::find_if(step.moves, leads_here);
  if (move == step.moves.end()) return value.type;
  if (!move->from.memory) {
    const DType type = values_[move->from.of].type;
    return size_bytes(type) == size_bytes(value.type) ? type : value.type;
  }
  const TraceAccess& read = step.reads[move->from.of];
  return type_there(read.space, read.address, value.type);
}

DType MicroIndex::step_type(const Trace& trace, const MicroStep& step) const {
  if (step.op->flow == FlowKind::Control || step.op->flow == FlowKind::Predicate) return step.type;
  for (const std::uint32_t id : step.made)
    if (trace.values[id].kind == TraceValue::Kind::Register) return values_[id].type;
  return step.writes.empty() ? step.type : type_of(step.writes.front());
}

// An operand's that stands there, if its elements are as wide: in lanes of bytes there are two of 4 bits, no element.
DType MicroIndex::type_there(Space space, std::uint64_t address, DType type) const {
  for (const Place& operand : operands_) {
    const bool inside = operand.range.space == space && address >= operand.range.address &&
                        address < std::uint64_t{operand.range.address} + operand.range.size;
    if (inside && size_bits(operand.type) == 8 * size_bytes(type)) return operand.type;
  }
  return type;
}

std::uint32_t MicroIndex::made_before(std::uint32_t micro) const {
  if (first_made_.empty()) return 0;
  return first_made_[std::min<std::size_t>(micro, first_made_.size() - 1)];
}

std::vector<std::uint32_t> MicroIndex::va_before(std::uint32_t micro, const Trace& trace) const {
  std::vector<std::uint32_t> last;
  // A sequence sets four pairs at most; the ones before it have been overwritten.
  constexpr std::size_t kLookBack = 8;
  const auto end = std::lower_bound(va_steps_.begin(), va_steps_.end(), micro);
  const auto begin = end - static_cast<std::ptrdiff_t>(std::min<std::size_t>(kLookBack, end - va_steps_.begin()));
  for (auto at = end; at != begin;) {
    const std::string_view pair = trace.steps[*--at].args[0].name;
    const auto known = [&](std::uint32_t other) { return pair == trace.steps[other].args[0].name; };
    if (std::ranges::none_of(last, known)) last.push_back(*at);
  }
  std::ranges::sort(last, {}, [&](std::uint32_t step) { return std::string_view(trace.steps[step].args[0].name); });
  return last;
}

// --- memory ---

std::uint64_t address_of(const TraceArg& arg) {
  return arg.base + static_cast<std::uint64_t>(arg.offset * std::int64_t{arg.elem_bytes});
}

std::uint32_t changed_bytes(const Trace& trace, const TraceAccess& write) {
  std::uint32_t changed = 0;
  for (std::uint32_t i = 0; i < write.size; ++i)
    changed += trace.bytes[write.before + i] != trace.bytes[write.after + i];
  return changed;
}

std::optional<ByteRange> reach_of(const std::vector<TraceAccess>& accesses, std::size_t first, std::size_t count) {
  if (count == 0 || first >= accesses.size()) return {};
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  for (std::size_t i = first; i < std::min(first + count, accesses.size()); ++i) {
    if (accesses[i].space != accesses[first].space || accesses[i].core != accesses[first].core) continue;
    begin = std::min<std::uint64_t>(begin, accesses[i].address);
    end = std::max<std::uint64_t>(end, std::uint64_t{accesses[i].address} + accesses[i].size);
  }
  return ByteRange{accesses[first].space, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin),
                   BytePart::Whole, accesses[first].core};
}

// --- special registers ---

SpecialRegisters special_registers(const Memory& memory, CoreId core) {
  SpecialRegisters out;
  const auto words = [&](std::uint32_t at, std::uint64_t* to) {
    to[0] = memory.element(Space::Spr, at, 8, core);
    to[1] = memory.element(Space::Spr, at + 8, 8, core);
  };
  const auto worth = [&](std::uint32_t at, std::uint32_t size) {
    return memory.worst_definedness(memory.map().flat(Space::Spr, at, core), size);
  };
  words(a2a3::kMask, out.mask);
  words(a2a3::kCmpMask, out.cmpmask);
  out.counting = memory.element(Space::Spr, a2a3::kMaskMode, 8, core) != 0;
  out.mask_worth = worth(a2a3::kMask, 16);
  out.mode_worth = worth(a2a3::kMaskMode, 8);
  out.cmpmask_worth = worth(a2a3::kCmpMask, 16);
  for (std::uint32_t list = 0; list < 4; ++list)
    out.taken[list] = static_cast<std::uint16_t>(memory.element(Space::Spr, kVms4Sr + 2 * list, 2, core));
  out.taken_worth = worth(kVms4Sr, 8);
  return out;
}

}  // namespace ts
