// Registers by name.
#include "core/debug/origins/named_registers.h"

#include <algorithm>

#include "core/isa/mask_lanes.h"
#include "core/record/inspector.h"

namespace ts {
namespace {

// The region that a step stands in; null: in none.
const LoopTurn* region_of(const Recording& recording, std::uint32_t step) {
  if (step >= recording.count()) return nullptr;
  const auto turns = recording.loops(step);
  const auto region = std::ranges::find_if(turns, &LoopTurn::is_region);
  return region == turns.end() ? nullptr : &*region;
}

DType lanes_of(const TileDecl& tile) { return tile.mask_bits == 0 ? tile.type.dtype : mask_lanes(tile.mask_bits); }

}  // namespace

std::vector<NamedRegister> named_registers(const Recording& recording, const StepIndex& index, const Memory& memory,
                                           std::uint32_t position) {
  const Program& program = recording.program();
  // Behind the last step of a region what it made is still to be seen.
  const LoopTurn* region = region_of(recording, position);
  if (region == nullptr && position > 0) region = region_of(recording, position - 1);
  if (region == nullptr) return {};
  const CoreId core =
      recording
          .bound(position == recording.count() || region_of(recording, position) == nullptr ? position - 1 : position)
          .core;
  std::vector<NamedRegister> registers;
  for (std::uint32_t i = 0; i < program.tiles.size(); ++i) {
    const TileDecl& tile = program.tiles[i];
    if (tile.type.loc != TileLoc::Register || tile.alias) continue;
    ByteRange place{Space::Reg, tile.address, static_cast<std::uint32_t>(tile.type.size_bytes()), BytePart::Whole,
                    core};
    const Flat begin = memory.map().flat(place);
    const auto writer = index.last_write(begin, begin + place.size, position);
    if (!writer) continue;
    const LoopTurn* made_in = region_of(recording, *writer);
    if (made_in == nullptr || made_in->entry != region->entry) continue;
    NamedRegister& one = registers.emplace_back();
    one.tile = i, one.lanes = lanes_of(tile), one.writer = *writer;
    one.value.kind = tile.mask_bits != 0 ? TraceValue::Kind::Predicate : TraceValue::Kind::Register;
    one.value.type = one.lanes;
    std::array<std::byte, VL> bytes{};
    copy_bytes(memory, place, std::span(bytes).first(place.size), std::span(one.worth).first(place.size));
    std::ranges::transform(bytes, one.value.bytes.begin(),
                           [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
  }
  std::ranges::stable_sort(registers, std::greater{}, &NamedRegister::writer);
  return registers;
}

}  // namespace ts
