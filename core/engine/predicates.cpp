// Predicates: 256 bits that move, and how they stand in memory.
#include <bit>
#include <cstring>

#include "core/engine/best_functions.h"
#include "core/engine/block_core.h"

namespace ts {
namespace {

// Bits in groups of `width`, every second group of a word: kEvery[log2(width)].
constexpr std::uint64_t kEvery[] = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                    0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
constexpr std::uint64_t every_second(std::uint32_t width) { return kEvery[std::countr_zero(width)]; }

// The lower half of a word, its groups apart by as much as they are wide.
template <std::uint32_t width>
std::uint64_t spread(std::uint64_t half) {
  std::uint64_t x = half & kEvery[5];
#pragma GCC unroll 5
  for (std::uint32_t step = 16; step >= width; step /= 2) x = (x | x << step) & every_second(step);
  return x;
}
// Every second group of a word, close together.
template <std::uint32_t width>
std::uint64_t close_up(std::uint64_t word) {
  std::uint64_t x = word & every_second(width);
#pragma GCC unroll 5
  for (std::uint32_t step = width; step <= 16; step *= 2) x = (x | x >> step) & every_second(2 * step);
  return x;
}
std::uint64_t half_word(const VPred& p, int k) { return p.word[k / 2] >> (32 * (k % 2)); }

// Groups of `width` bits of a and b, alternating.
template <std::uint32_t width>
VPredPair interleaved(const VPred& a, const VPred& b) {
  VPredPair out{};
  for (int k = 0; k < 8; ++k)
    (k < 4 ? out.lo : out.hi).word[k % 4] = spread<width>(half_word(a, k)) | spread<width>(half_word(b, k)) << width;
  return out;
}
template <std::uint32_t width>
VPredPair deinterleaved(const VPred& a, const VPred& b) {
  VPredPair out{};
  for (int k = 0; k < 8; ++k) {
    const std::uint64_t word = (k < 4 ? a : b).word[k % 4];
    out.lo.word[k / 2] |= close_up<width>(word) << (32 * (k % 2));
    out.hi.word[k / 2] |= close_up<width>(word >> width) << (32 * (k % 2));
  }
  return out;
}

}  // namespace

VPred move_predicate(PredMove kind, const VPred& a) {
  VPred out{};
  const bool upper = kind == PredMove::UnpackUpper || kind == PredMove::PackUpper;
  if (kind == PredMove::UnpackLower || kind == PredMove::UnpackUpper) {
    for (int k = 0; k < 4; ++k) out.word[k] = spread<1>(half_word(a, upper ? k + 4 : k));
  } else {
    for (int k = 0; k < 2; ++k)
      out.word[upper ? k + 2 : k] = close_up<1>(a.word[2 * k]) | close_up<1>(a.word[2 * k + 1]) << 32;
  }
  return out;
}

VPredPair move_predicates(PredMove2 kind, const VPred& a, const VPred& b) {
  switch (kind) {
    case PredMove2::Interleave8: return interleaved<1>(a, b);
    case PredMove2::Interleave16: return interleaved<2>(a, b);
    case PredMove2::Interleave32: return interleaved<4>(a, b);
    case PredMove2::Deinterleave8: return deinterleaved<1>(a, b);
    case PredMove2::Deinterleave16: return deinterleaved<2>(a, b);
    case PredMove2::Deinterleave32: break;
  }
  return deinterleaved<4>(a, b);
}

VPred combine_predicates(PredLogic kind, const VPred& a, const VPred& b, const VPred& mask) {
  VPred out;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t x = a.word[i], y = b.word[i], m = mask.word[i];
    switch (kind) {
      case PredLogic::And: out.word[i] = x & y & m; break;
      case PredLogic::Or: out.word[i] = (x | y) & m; break;
      case PredLogic::Xor: out.word[i] = (x ^ y) & m; break;
      case PredLogic::Not: out.word[i] = ~x & m; break;
      case PredLogic::Select: out.word[i] = (x & m) | (y & ~m); break;
    }
  }
  return out;
}

std::uint32_t stored_step(PredStore kind) { return kind == PredStore::Norm ? 1 : kind == PredStore::Pack ? 2 : 4; }
std::uint32_t stored_bytes(PredStore kind) { return VL / 8 / stored_step(kind); }

void predicate_bytes(PredStore kind, const VPred& pred, std::uint8_t* to) {
  best_store_function(kind)(to, pred, nullptr, nullptr);
}

std::uint32_t loaded_bytes(PredLoad kind, DType type) {
  switch (kind) {
    case PredLoad::Norm: return 32;
    case PredLoad::Unpacked: return 16;
    case PredLoad::Thinned: return 64;
    case PredLoad::LaneBits: break;
  }
  return VL / size_bytes(type) / 8;
}

}  // namespace ts
