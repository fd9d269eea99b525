// What an AnyCore does itself: constants, control registers, and running a lowering.
#include "core/engine/any_core.h"

#include <cstring>

namespace ts {
namespace {

template <class T>
bool has_zero(const std::uint8_t* lanes, const VPred& pred) {
  T lane[VL / sizeof(T)];
  std::memcpy(lane, lanes, VL);
  bool any = false;
  for (const T one : lane) any |= one == 0;
  if (!any) return false;
  for (std::uint32_t i = 0; i < VL / sizeof(T); ++i)
    if (lane[i] == 0 && lane_is_on(pred, i * sizeof(T))) return true;
  return false;
}

}  // namespace

AnyReg AnyCore::constant_of(DType type, std::uint64_t first, std::int64_t step) {
  Reg out;
  const std::uint32_t width = size_bytes(type);
  std::uint64_t value = first;
  for (std::uint32_t at = 0; at < VL; at += width, value += static_cast<std::uint64_t>(step)) std::memcpy(out.bytes + at, &value, width);
  if (watcher_ != nullptr) watcher_->made(out);
  return out;
}

std::uint64_t AnyCore::peek(Space space, std::uint64_t address) const {
  std::uint64_t bits;
  std::memcpy(&bits, memory_->base() + memory_->map().origin(space) + address, 8);
  return bits;
}

void AnyCore::odd_data() {
  Block ones;
  std::memset(ones.bytes, 0xFF, VL);
  run_.watch_bits(ones, first_lanes_of(4, VL), 1);
}

void AnyCore::watch_zero(DType type, const Reg& v, const Pred& pred) {
  const auto found = [&] {
    switch (size_bytes(type)) {
      case 1: return has_zero<std::uint8_t>(v.bytes, pred.p);
      case 2: return has_zero<std::uint16_t>(v.bytes, pred.p);
      case 4: return has_zero<std::uint32_t>(v.bytes, pred.p);
      default: return has_zero<std::uint64_t>(v.bytes, pred.p);
    }
  };
  if (found()) odd_data();
}

void AnyCore::watch_zeros(const TileRef& tile) {
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row)
    for (std::uint32_t col = 0; col < tile.valid_cols; ++col)
      if (memory_->element(tile.space(), tile.at(row, col), tile.elem_bytes()) == 0) return odd_data();
}

void AnyCore::watch_block(DType type, std::uint64_t address) {
  const std::byte* block = memory_->base() + memory_->map().origin(Space::Ub) + address;
  const std::uint32_t width = size_bytes(type);
  if (std::memcmp(block, block + width, BLK - width) != 0) odd_data();
}

void count_bytes(Block& out, std::uint32_t first, bool cumulative, const Block& bytes, const VPred& pred) {
  std::uint16_t counts[256] = {};
  for (std::uint32_t lane = 0; lane < VL; ++lane)
    if (lane_is_on(pred, lane)) ++counts[bytes.bytes[lane]];
  for (std::uint32_t bin = 1; cumulative && bin < 256; ++bin) counts[bin] = static_cast<std::uint16_t>(counts[bin] + counts[bin - 1]);
  std::memcpy(out.bytes, counts + first, VL);
}

void run_any(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering) {
  BlockCorePlace place;
  BlockCore& run = make_block_core(place, context);
  AnyCore core(context, run, nullptr);
  lowering(core, bound, lanes);
  run.finish();
}

}  // namespace ts
