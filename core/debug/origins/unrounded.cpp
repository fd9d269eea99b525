// The way of an element back through stores, loads and conversions.
#include "core/debug/origins/unrounded.h"

#include <algorithm>

namespace ts {

const std::vector<MicroMove>& UnroundedElements::moves(std::uint32_t micro) {
  const auto [known, is_new] = moves_.try_emplace(micro);
  if (is_new) known->second = moves_of(trace_, micro);
  return known->second;
}

Unrounded::Value UnroundedElements::lane(const MicroPlace& place) const {
  const TraceValue& value = trace_.values[place.value];
  const auto number = static_cast<std::uint32_t>(place.bit / 8 / size_bytes(value.type));
  return {value.type, lane_bits(value, value.type, number)};
}

// The register that a value was converted from: the first that the micro-operation was given, or, where it goes from memory
// to memory, the one that it loaded just before. Nothing where the lanes of both are of one type: it was computed. What was
// loaded as bits has the type of no number.
std::optional<std::uint32_t> UnroundedElements::converted_from(std::uint32_t value) const {
  const MicroStep& step = trace_.steps[index_.value(value).maker];
  const auto is_register = [&](std::uint32_t id) { return trace_.values[id].kind == TraceValue::Kind::Register; };
  std::optional<std::uint32_t> from;
  for (const TraceArg& arg : step.args)
    if (!from && arg.kind == TraceArg::Kind::Value && is_register(arg.value_id)) from = arg.value_id;
  for (const std::uint32_t made : step.made)
    if (step.writes.size() != 0 && made < value && is_register(made)) from = made;
  if (!from) return {};
  const DType type = trace_.values[*from].type;
  const bool number = is_float(type) || is_signed_int(type);
  return number && type != trace_.values[value].type ? from : std::nullopt;
}

std::optional<Unrounded> UnroundedElements::of(ByteRange element) {
  std::optional<MicroWriter> writer = writer_of(trace_, trace_.steps.size(), element.space, element.address);
  if (!writer) return {};
  std::uint32_t micro = writer->micro;
  MicroPlace place{.memory = true, .space = element.space, .bit = 8 * std::uint64_t{element.address}};
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
    const std::optional<std::uint32_t> source = converted_from(place.value);
    if (!source) return found;
    // Conversions leave a lane in its place, in the slots of the wider type.
    const Unrounded::Value made = lane(place);
    place.value = *source;
    found = Unrounded{lane(place), made};
    micro = index_.value(place.value).maker;
  }
}

}  // namespace ts
