// Lanes, makers and users, and the special registers.
#include "core/debug/origins/micro_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "core/a2a3/micro_ops.h"
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
    if (!runs.empty() && bits(runs.back().first) == bits(lane))
      runs.back().end = lane + 1;
    else
      runs.push_back({lane, lane + 1});
  }
  return runs;
}

// --- registers ---

MicroIndex::MicroIndex(const Trace& trace, const Bound* bound) : values_(trace.values.size()) {
  first_made_.reserve(trace.steps.size() + 1);
  std::uint32_t made = 0;
  for (std::uint32_t micro = 0; micro < trace.steps.size(); ++micro) {
    const MicroStep& step = trace.steps[micro];
    first_made_.push_back(made);
    types_.push_back(bound != nullptr ? type_by_operands(trace, step, *bound) : step.type);
    for (const std::uint32_t id : step.made) {
      values_[id] = {micro, micro, types_.back()};
      made = std::max(made, id + 1);
    }
    for (const TraceArg& arg : step.args)
      if (arg.kind == TraceArg::Kind::Value) values_[arg.value_id].last_user = micro;
    if (std::string_view(step.op->name) == a2a3::op("set_va_reg").name) va_steps_.push_back(micro);
  }
  first_made_.push_back(made);
}

namespace {

std::optional<DType> type_at(const Bound& bound, Space space, std::uint64_t address) {
  for (const Operand& operand : bound.operands) {
    if (operand.spec->kind != OperandKind::Tile || operand.tile.space() != space) continue;
    const ByteRange place = operand.tile.range();
    if (address >= place.address && address < std::uint64_t{place.address} + place.size) return operand.tile.type.dtype;
  }
  return {};
}

// What makes numbers of lanes; their type is the index's.
bool counts_lanes(const MicroStep& step) {
  const std::string_view op = step.op->name;
  return op == "vci" || op == "vmins" || op == "vmuls" || op == "vadds" || op == "vshrs";
}

}  // namespace

// The type that the registers it takes have, or else the one of the operand at its address.
DType MicroIndex::type_by_operands(const Trace& trace, const MicroStep& step, const Bound& bound) const {
  if (counts_lanes(step) || step.op->flow == FlowKind::Control || step.op->flow == FlowKind::Predicate)
    return step.type;
  const auto fits = [&](DType type) { return size_bytes(type) == size_bytes(step.type); };
  const bool fetches = step.op->flow == FlowKind::Load;  // a register it takes says where
  for (const TraceArg& arg : step.args) {
    if (arg.kind == TraceArg::Kind::Value && !fetches &&
        trace.values[arg.value_id].kind == TraceValue::Kind::Register && fits(values_[arg.value_id].type))
      return values_[arg.value_id].type;
    if (arg.kind != TraceArg::Kind::Address) continue;
    const std::optional<DType> type = type_at(bound, arg.space, address_of(arg));
    if (type && fits(*type)) return *type;
  }
  return step.type;
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
    if (accesses[i].space != accesses[first].space) continue;
    begin = std::min<std::uint64_t>(begin, accesses[i].address);
    end = std::max<std::uint64_t>(end, std::uint64_t{accesses[i].address} + accesses[i].size);
  }
  return ByteRange{accesses[first].space, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
}

// --- special registers ---

SpecialRegisters special_registers(const Memory& memory) {
  SpecialRegisters out;
  const auto words = [&](std::uint32_t at, std::uint64_t* to) {
    to[0] = memory.element(Space::Spr, at, 8);
    to[1] = memory.element(Space::Spr, at + 8, 8);
  };
  const auto worth = [&](std::uint32_t at, std::uint32_t size) {
    return memory.worst_definedness(memory.map().flat(Space::Spr, at), size);
  };
  words(a2a3::kMask, out.mask);
  words(a2a3::kCmpMask, out.cmpmask);
  out.counting = memory.element(Space::Spr, a2a3::kMaskMode, 8) != 0;
  out.mask_worth = worth(a2a3::kMask, 16);
  out.mode_worth = worth(a2a3::kMaskMode, 8);
  out.cmpmask_worth = worth(a2a3::kCmpMask, 16);
  return out;
}

}  // namespace ts
