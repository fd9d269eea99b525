// Moves from tags.
#include "core/engine/trace/trace_recorder.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ts {
namespace {

// So many of the last moves may be parts of patterns: bits of several registers, taken in turn.
constexpr std::size_t kOpenMoves = 8;

bool same_holder(const TracePlace& a, const TracePlace& b) { return a.memory == b.memory && a.of == b.of; }

}  // namespace

MicroStep& TraceRecorder::step() {
  if (trace_.steps.empty()) trace_.steps.emplace_back();
  return trace_.steps.back();
}

void TraceRecorder::begin(const MicroOp& op, DType type, std::initializer_list<TraceArg> args) {
  trace_.steps.emplace_back();
  MicroStep& now = step();
  now.op = &op;
  now.type = type;
  now.args.assign(args.begin(), args.end());
  for (TraceArg& arg : now.args)
    if (arg.kind == TraceArg::Kind::Value)
      arg.value_id =
          arg.value_id < values_.size() && values_[arg.value_id].id != kNoValue ? values_[arg.value_id].id : 0;
  made_.clear();
  first_move_ = 0;
  begin_reads();
}

void TraceRecorder::begin_repeat() {
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  step().repeats.push_back({count(step().made), count(step().reads), count(step().writes)});
}

void TraceRecorder::read(Space space, std::uint64_t address, std::uint32_t size, DType type) {
  if (address + size > memory_.map().size(space, core_)) return;  // the run machine reports it
  const ByteRange place =
      memory_.map().locate(memory_.map().flat(space, static_cast<std::uint32_t>(address), core_), size);
  const auto* from = reinterpret_cast<const std::uint8_t*>(memory_.bytes(place).data());
  step().reads.push_back({place.space, place.address, size, 0, trace_.keep_bytes(from, size), type, place.core});
}

// --- values -----------------------------------------------------------------------------------------------------------

// What is made before the first micro-operation belongs to none.
std::uint32_t TraceRecorder::keep(const TraceValue& value, const ByteTags* tags, std::uint32_t unit) {
  const auto id = static_cast<std::uint32_t>(trace_.values.size());
  const auto number = static_cast<std::uint32_t>(values_.size());
  trace_.values.push_back(value);
  values_.push_back({id, value.type});
  if (trace_.steps.empty()) return number;
  made_.push_back({number, step().moves.size(), first_read_, {}});
  step().made.push_back(id);
  if (tags == nullptr) return number;
  made_.back().tags = *tags;
  move_all({false, id, 0}, VL, unit, [&](std::uint32_t at) { return (*tags)[at]; });
  return number;
}

std::uint32_t TraceRecorder::make(const Block& value, DType type, const ByteTags* tags) {
  TraceValue kept{.type = type};
  std::memcpy(kept.bytes.data(), value.bytes, VL);
  const std::uint32_t number = keep(kept, tags, 8);
  if (tags != nullptr && !made_.empty())
    trace_.values.back().type = values_.back().type = moved_type(type, made_.back().moves);
  return number;
}

std::uint32_t TraceRecorder::make(const VPred& value, const ByteTags* tags, bool constant) {
  TraceValue kept{.kind = TraceValue::Kind::Predicate};
  if (!trace_.steps.empty()) kept.type = step().type;
  std::memcpy(kept.bytes.data(), value.word, sizeof value.word);
  const std::uint32_t number = keep(kept, tags, 1);
  if (constant && !trace_.steps.empty() && !step().repeats.empty() && step().repeats.back().lanes == kNoValue)
    step().repeats.back().lanes = values_[number].id;
  return number;
}

void TraceRecorder::hide(std::uint32_t number) {
  if (trace_.steps.empty() || number >= values_.size()) return;
  MicroStep& now = step();
  if (values_[number].id + 1 != trace_.values.size() || now.made.empty()) return;
  const auto made = std::ranges::find(made_, number, &Made::number);
  if (made == made_.end()) return;
  now.moves.resize(made->moves);
  now.made.pop_back();
  trace_.values.pop_back();
  values_[number].id = kNoValue;
}

// Of which type lanes are that were moved in pieces smaller than themselves.
DType TraceRecorder::moved_type(DType type, std::size_t first_move) const {
  std::uint32_t bits = 8 * size_bytes(type);
  const std::vector<TraceMove>& moves = trace_.steps.back().moves;
  for (std::size_t k = first_move; k < moves.size(); ++k)
    bits |= moves[k].bits | moves[k].from.bit | moves[k].to.bit |
            static_cast<std::uint32_t>(moves[k].from_step | moves[k].to_step);
  const std::uint32_t size = (1u << std::countr_zero(bits)) / 8;
  if (size >= size_bytes(type)) return type;
  return size == 1 ? DType::U8 : size == 2 ? DType::U16 : DType::U32;
}

// --- moves ------------------------------------------------------------------------------------------------------------

// Of several reads of one byte the one whose turn it is: reads are in the order of what they bring.
std::optional<TracePlace> TraceRecorder::place_in_reads(Flat flat, std::uint32_t bit, std::size_t first_read) const {
  const std::vector<TraceAccess>& reads = trace_.steps.back().reads;
  const auto byte_in = [&](std::size_t k) { return flat - memory_.map().flat(reads[k].place()); };
  const auto holds = [&](std::size_t k) { return k >= first_read && k < reads.size() && byte_in(k) < reads[k].size; };
  const auto there = [&](std::size_t k) {
    found_ = k;
    next_byte_ = byte_in(k) + 1;
    return TracePlace{true, static_cast<std::uint32_t>(k), 8 * byte_in(k) + bit};
  };
  if (holds(found_) && (byte_in(found_) == next_byte_ || byte_in(found_) + 1 == next_byte_)) return there(found_);
  for (std::size_t k = found_ + 1; k < found_ + 3; ++k)
    if (holds(k)) return there(k);
  for (std::size_t k = reads.size(); k-- > first_read;)
    if (holds(k)) return there(k);
  return {};
}

std::optional<TracePlace> TraceRecorder::place_of(Tag tag, std::size_t first_read) const {
  if (is_byte_tag(tag)) return place_in_reads(tag, 0, first_read);
  if (is_bit_tag(tag)) return place_in_reads((tag - kFirstBitTag) / 8, (tag - kFirstBitTag) % 8, first_read);
  // A bit that stands in a byte with others.
  if (is_node_tag(tag) && arena_.kind(tag) == NodeKind::Combine && arena_.b(tag).first == kNoTag)
    return place_of(arena_.a(tag).first, first_read);
  if (!is_value_tag(tag)) return {};
  const std::uint32_t number = (tag - kFirstValueTag) / VL, part = (tag - kFirstValueTag) % VL;
  if (values_[number].id == kNoValue) {
    const auto made = std::ranges::find(made_, number, &Made::number);
    return made == made_.end() || !made->tags ? std::nullopt : place_of((*made->tags)[part], made->first_read);
  }
  const bool predicate = trace_.values[values_[number].id].kind == TraceValue::Kind::Predicate;
  return TracePlace{false, values_[number].id, predicate ? part : 8 * part};
}

// So many parts, with this one, stand in one place behind each other whose tags follow each other.
std::uint32_t TraceRecorder::parts_from(Tag tag, const TracePlace& place) const {
  if (is_byte_tag(tag)) return trace_.steps.back().reads[place.of].size - place.bit / 8;
  if (!is_value_tag(tag) || values_[(tag - kFirstValueTag) / VL].id == kNoValue) return 1;
  return VL - (tag - kFirstValueTag) % VL;
}

// A byte that was put together of bits.
void TraceRecorder::move_bits(Tag tag, const TracePlace& to) {
  const Tag bit = arena_.first_bit(tag);
  for (std::uint32_t k = 0; bit != kNoTag && k < 8; ++k)
    if (const auto from = place_of(bit + k, first_read_)) move(*from, {to.memory, to.of, to.bit + k}, 1);
}

void TraceRecorder::move(const TracePlace& from, const TracePlace& to, std::uint32_t bits) {
  std::vector<TraceMove>& moves = step().moves;
  if (moves.size() > first_move_) {
    TraceMove& last = moves.back();
    const bool goes_on = last.count == 1 && last.from.bit + last.bits == from.bit && last.to.bit + last.bits == to.bit;
    if (goes_on && same_holder(last.from, from) && same_holder(last.to, to)) {
      last.bits += bits;
      return;
    }
    fold_last();
  }
  moves.push_back({from, to, bits});
}

// The last move may be the next piece of one before it.
void TraceRecorder::fold_last() {
  std::vector<TraceMove>& moves = step().moves;
  if (moves.size() < first_move_ + 2) return;
  const TraceMove last = moves.back();
  const std::size_t oldest = moves.size() - 1 - std::min(kOpenMoves, moves.size() - 1 - first_move_);
  for (std::size_t k = moves.size() - 1; k-- > oldest;) {
    TraceMove& open = moves[k];
    if (open.bits != last.bits || !same_holder(open.from, last.from) || !same_holder(open.to, last.to)) continue;
    const auto from = static_cast<std::int32_t>(last.from.bit - open.from.bit),
               to = static_cast<std::int32_t>(last.to.bit - open.to.bit);
    if (open.count == 1) open.from_step = from, open.to_step = to;
    const auto pieces = static_cast<std::int32_t>(open.count);
    if (from != pieces * open.from_step || to != pieces * open.to_step) continue;
    ++open.count;
    moves.pop_back();
    return;
  }
}

// --- what decided -----------------------------------------------------------------------------------------------------

void TraceRecorder::point(std::uint32_t number, DType type, const VPred& on, bool finds) {
  if (number >= values_.size() || values_[number].id == kNoValue) return;
  TraceIndex index{.value = values_[number].id, .type = type};
  if (finds) index.found = static_cast<std::uint32_t>(trace_.values.size());
  for (std::uint32_t at = 0; at < VL; at += size_bytes(type))
    if (lane_is_on(on, at)) index.used[at / 64] |= std::uint64_t{1} << (at % 64);
  step().indices.push_back(index);
}

void TraceRecorder::decide(DType type, std::uint32_t number, Tag first, Tag second) {
  const auto made = std::ranges::find(made_, number, &Made::number);
  if (made != made_.end() && values_[number].id != kNoValue) trace_.values[values_[number].id].type = type;
  const auto a = place_of(first, first_read_), b = place_of(second, first_read_);
  if (!a || !b || a->memory || b->memory || a->of != b->of || b->bit <= a->bit || step().lane_bytes != 0) return;
  step().lane_bytes = b->bit - a->bit;
}

}  // namespace ts
