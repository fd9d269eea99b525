// Where predicates' functions take their bits from: found by running them on bit numbers.
#include "core/engine/bit_maps.h"

#include <array>

namespace ts {
namespace {

// The numbers of bits, one predicate for each binary digit.
struct BitNumberPlanes {
  static constexpr int kPlanes = 10;  // nine of a number below 512, one that tells a bit from a constant
  static bool bit(int plane, int number) { return plane == 9 || (number >> plane & 1); }
  static VPred image(int plane, int first) {
    VPred out{};
    for (int k = 0; k < 256; ++k) out.word[k / 64] |= std::uint64_t{bit(plane, first + k)} << (k % 64);
    return out;
  }
  static void add(BitMap& map, int plane, const VPred& result) {
    for (std::size_t k = 0; k < 256; ++k) {
      if (!(result.word[k / 64] >> (k % 64) & 1)) {
        if (plane == 9) map[k] = -1;
      } else if (plane < 9) {
        map[k] = static_cast<std::int16_t>(map[k] | 1 << plane);
      }
    }
  }
};

constexpr int kWidths = 4;

}  // namespace

const BitMap& bit_map_of(PredLoad kind, DType type, BlockCore& run) {
  constexpr PredLoad kKinds[] = {PredLoad::Norm, PredLoad::Unpacked, PredLoad::LaneBits, PredLoad::Thinned};
  static const auto maps = [&] {
    std::array<std::array<BitMap, kWidths>, std::size(kKinds)> out{};
    constexpr DType kTypes[kWidths] = {DType::U8, DType::U16, DType::U32, DType::U64};
    for (const PredLoad load : kKinds)
      for (const DType width : kTypes)
        for (int plane = 0; plane < BitNumberPlanes::kPlanes; ++plane) {
          std::uint8_t bytes[64] = {};
          for (int k = 0; k < static_cast<int>(loaded_bytes(load, width)) * 8; ++k)
            bytes[k / 8] = static_cast<std::uint8_t>(bytes[k / 8] | BitNumberPlanes::bit(plane, k) << (k % 8));
          BitNumberPlanes::add(out[static_cast<std::size_t>(load)][width_number(width)], plane,
                               run.pred_of_bytes(load, width, bytes));
        }
    return out;
  }();
  return maps[static_cast<std::size_t>(kind)][width_number(type)];
}
const BitMap& bit_map_of(PredMove kind) {
  static const auto maps = [] {
    std::array<BitMap, kPredMoves> out{};
    for (std::size_t move = 0; move < out.size(); ++move)
      for (int plane = 0; plane < BitNumberPlanes::kPlanes; ++plane)
        BitNumberPlanes::add(out[move], plane,
                             move_predicate(static_cast<PredMove>(move), BitNumberPlanes::image(plane, 0)));
    return out;
  }();
  return maps[static_cast<std::size_t>(kind)];
}
const std::array<BitMap, 2>& bit_maps_of(PredMove2 kind) {
  static const auto maps = [] {
    std::array<std::array<BitMap, 2>, 6> out{};
    for (std::size_t move = 0; move < out.size(); ++move)
      for (int plane = 0; plane < BitNumberPlanes::kPlanes; ++plane) {
        const VPredPair pair = move_predicates(static_cast<PredMove2>(move), BitNumberPlanes::image(plane, 0),
                                               BitNumberPlanes::image(plane, 256));
        BitNumberPlanes::add(out[move][0], plane, pair.lo);
        BitNumberPlanes::add(out[move][1], plane, pair.hi);
      }
    return out;
  }();
  return maps[static_cast<std::size_t>(kind)];
}

}  // namespace ts
