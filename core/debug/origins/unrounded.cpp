// The way of an element back through stores, loads and conversions.
#include "core/debug/origins/unrounded.h"

#include <algorithm>

namespace ts {

const std::vector<MicroMove>& UnroundedElements::moves(std::uint32_t micro) {
  const auto [known, is_new] = moves_.try_emplace(micro);
  if (is_new) known->second = moves_of(trace_, micro);
  return known->second;
}

Unrounded::Value UnroundedElements::lane(const MicroPlace& place, DType type) const {
  const auto byte = static_cast<std::uint32_t>(place.bit / 8);
  if (is_packed(type)) return {type, lane_bits(trace_.values[place.value], DType::U8, byte) >> place.bit % 8 & 0xF};
  return {type, lane_bits(trace_.values[place.value], type, byte / size_bytes(type))};
}

// The register that a value was converted from, and what its lanes are: the first that the micro-operation was given, or,
// where it goes from memory to memory, the one that it loaded just before. Nothing where the lanes of both are of one type: it
// was computed. What was moved as bits has the type of no number: then the micro-operation says what it takes them for.
std::optional<UnroundedElements::Lanes> UnroundedElements::converted_from(std::uint32_t value) const {
  const MicroStep& step = trace_.steps[index_.value(value).maker];
  const auto is_register = [&](std::uint32_t id) { return trace_.values[id].kind == TraceValue::Kind::Register; };
  std::optional<std::uint32_t> from;
  for (const TraceArg& arg : step.args)
    if (!from && arg.kind == TraceArg::Kind::Value && is_register(arg.value_id)) from = arg.value_id;
  for (const std::uint32_t made : step.made)
    if (step.writes.size() != 0 && made < value && is_register(made)) from = made;
  if (!from) return {};
  const auto is_number = [](DType type) { return is_float(type) || is_signed_int(type); };
  DType type = trace_.values[*from].type;
  if (!is_number(type) && is_float(step.type) && size_bytes(type) == size_bytes(step.type)) type = step.type;
  if (!is_number(type) || type == trace_.values[value].type) return {};
  return Lanes{*from, type};
}

namespace {

// Conversions leave a lane in its place, in the slots of the wider type; those of two lanes that become a byte, in the slot of
// both.
std::uint64_t bit_before(std::uint64_t bit, DType from) {
  const std::uint64_t lane = size_bits(from), pair = bit / (2 * lane), high = bit % 8 / 4;
  return (2 * pair + high) * lane;
}

}  // namespace

std::optional<Unrounded> UnroundedElements::of(ByteRange element) {
  std::optional<MicroWriter> writer = writer_of(trace_, trace_.steps.size(), element.space, element.address);
  if (!writer) return {};
  std::uint32_t micro = writer->micro;
  MicroPlace place{.memory = true, .space = element.space, .bit = 8 * std::uint64_t{element.address}};
  if (element.part == BytePart::High) place.bit += 4;
  std::optional<Unrounded> found;
  while (true) {
    if (const std::optional<MicroPlace> from = moved_from(micro, place)) {
      place = *from;
      if (place.memory) {
        writer = writer_of(trace_, micro, place.space, place.bit / 8);
        if (!writer) return found;
        micro = writer->micro;
      } else {
        micro = index_.value(place.value).maker;
      }
      continue;
    }
    if (place.memory) return found;
    const std::optional<Lanes> source = converted_from(place.value);
    if (!source) return found;
    const bool half = element.part != BytePart::Whole && !found;
    const Unrounded::Value made = lane(place, half ? DType::U4 : trace_.values[place.value].type);
    place.value = source->value;
    if (half) place.bit = bit_before(place.bit, source->type);
    found = Unrounded{lane(place, source->type), made};
    micro = index_.value(place.value).maker;
  }
}

}  // namespace ts
