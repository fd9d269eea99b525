// Predicates: 256 bits that move, and how they stand in memory.
#include <cstring>

#include "core/engine/block_core.h"

namespace ts {
namespace {

bool bit(const VPred& p, std::uint32_t k) { return p.word[k / 64] >> (k % 64) & 1; }

// Groups of `width` bits of a and b, alternating.
VPredPair interleaved(const VPred& a, const VPred& b, std::uint32_t width) {
  VPredPair out{};
  for (std::uint32_t k = 0; k < 256; ++k) {
    const std::uint32_t group = k / width;
    for (int second = 0; second < 2; ++second) {
      if (!bit(second ? b : a, k)) continue;
      const std::uint32_t to = (2 * group + second) * width + k % width;
      set_bit(to < 256 ? out.lo : out.hi, to % 256);
    }
  }
  return out;
}
VPredPair deinterleaved(const VPred& a, const VPred& b, std::uint32_t width) {
  VPredPair out{};
  for (std::uint32_t k = 0; k < 512; ++k) {
    if (!bit(k < 256 ? a : b, k % 256)) continue;
    const std::uint32_t group = k / width;
    set_bit(group % 2 == 0 ? out.lo : out.hi, group / 2 * width + k % width);
  }
  return out;
}

}  // namespace

VPred move_predicate(PredMove kind, const VPred& a) {
  VPred out{};
  for (std::uint32_t k = 0; k < 128; ++k) {
    const bool unpack = kind == PredMove::UnpackLower;
    if (bit(a, unpack ? k : 2 * k)) set_bit(out, unpack ? 2 * k : k);
  }
  return out;
}

VPredPair move_predicates(PredMove2 kind, const VPred& a, const VPred& b) {
  switch (kind) {
    case PredMove2::Interleave8: return interleaved(a, b, 1);
    case PredMove2::Interleave16: return interleaved(a, b, 2);
    case PredMove2::Interleave32: return interleaved(a, b, 4);
    case PredMove2::Deinterleave8: return deinterleaved(a, b, 1);
    case PredMove2::Deinterleave16: return deinterleaved(a, b, 2);
    case PredMove2::Deinterleave32: break;
  }
  return deinterleaved(a, b, 4);
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
    }
  }
  return out;
}

std::uint32_t stored_step(PredStore kind) { return kind == PredStore::Norm ? 1 : kind == PredStore::Pack ? 2 : 4; }
std::uint32_t stored_bytes(PredStore kind) { return VL / 8 / stored_step(kind); }

void predicate_bytes(PredStore kind, const VPred& pred, std::uint8_t* to) {
  VPred image = pred;
  for (std::uint32_t step = stored_step(kind); step > 1; step /= 2) image = move_predicate(PredMove::PackLower, image);
  std::memcpy(to, image.word, stored_bytes(kind));
}

std::uint32_t loaded_bytes(PredLoad kind, DType type) {
  return kind == PredLoad::Norm ? 32 : kind == PredLoad::Unpacked ? 16 : VL / size_bytes(type) / 8;
}

}  // namespace ts
