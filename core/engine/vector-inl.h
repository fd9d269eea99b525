// Values of vector registers and predicates on host SIMD: 256 bytes and 256 bits, and the ways bytes move through them.
// Everything here is a value function: the three machines share it, and none of it knows which machine runs.
// Compiled once per SIMD level.
#if defined(TS_ENGINE_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_VECTOR_INL_H
#undef TS_ENGINE_VECTOR_INL_H
#else
#define TS_ENGINE_VECTOR_INL_H
#endif

#include <cstdint>
#include <cstring>

#include "core/engine/lane_types.h"
#include "core/isa/target.h"
#include "hwy/highway.h"

// The sub-vector loops must be unrolled, or registers live in memory; -O2 does not do it by itself.
#if defined(__clang__)
#define TS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TS_UNROLL _Pragma("GCC unroll 16")
#endif

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::ScalableTag<std::uint8_t>;
using Part = hn::VFromD<Bytes>;  // as much of a register as one host vector holds
inline constexpr int kPartBytes = static_cast<int>(hn::MaxLanes(Bytes()));
inline constexpr int kParts = static_cast<int>(VL) / kPartBytes;

struct VReg {
  Part part[kParts];
};
struct VPair {
  VReg lo, hi;
};
// Raw image: one bit per byte of a register. A lane of s bytes is on iff the lowest of its s bits is.
struct VPred {
  std::uint64_t word[4];
};
struct VPredPair {
  VPred lo, hi;
};

template <class T>
using Lanes = hn::ScalableTag<BitsOf<T>>;
template <class T>
inline constexpr std::uint32_t EPR = VL / sizeof(T);

// --- predicates ---------------------------------------------------------------------------------------------------

// Every lane's lowest bit, for lanes of S bytes.
template <int S>
inline constexpr std::uint64_t kLaneBits =
    S == 1 ? ~0ull : S == 2 ? 0x5555555555555555ull : S == 4 ? 0x1111111111111111ull : 0x0101010101010101ull;

HWY_INLINE std::uint64_t low_bits(std::uint32_t count) { return count >= 64 ? ~0ull : (1ull << count) - 1; }

// Bit S*i of x to bit i; and back.
template <int S>
HWY_INLINE std::uint64_t pack_lane_bits(std::uint64_t x) {
#if HWY_TARGET <= HWY_AVX2
  return S == 1 ? x : _pext_u64(x, kLaneBits<S>);
#else
  x &= kLaneBits<S>;
  if constexpr (S == 2) {
    x = (x | x >> 1) & 0x3333333333333333ull;
    x = (x | x >> 2) & 0x0F0F0F0F0F0F0F0Full;
    x = (x | x >> 4) & 0x00FF00FF00FF00FFull;
    x = (x | x >> 8) & 0x0000FFFF0000FFFFull;
    x = (x | x >> 16) & 0x00000000FFFFFFFFull;
  } else if constexpr (S == 4) {
    x = (x | x >> 3) & 0x0303030303030303ull;
    x = (x | x >> 6) & 0x000F000F000F000Full;
    x = (x | x >> 12) & 0x000000FF000000FFull;
    x = (x | x >> 24) & 0x000000000000FFFFull;
  } else if constexpr (S == 8) {
    x = x * 0x0102040810204080ull >> 56;
  }
  return x;
#endif
}

template <int S>
HWY_INLINE std::uint64_t spread_lane_bits(std::uint64_t x) {
#if HWY_TARGET <= HWY_AVX2
  return S == 1 ? x : _pdep_u64(x, kLaneBits<S>);
#else
  if constexpr (S == 2) {
    x &= 0x00000000FFFFFFFFull;
    x = (x | x << 16) & 0x0000FFFF0000FFFFull;
    x = (x | x << 8) & 0x00FF00FF00FF00FFull;
    x = (x | x << 4) & 0x0F0F0F0F0F0F0F0Full;
    x = (x | x << 2) & 0x3333333333333333ull;
    x = (x | x << 1) & 0x5555555555555555ull;
  } else if constexpr (S == 4) {
    x &= 0x000000000000FFFFull;
    x = (x | x << 24) & 0x000000FF000000FFull;
    x = (x | x << 12) & 0x000F000F000F000Full;
    x = (x | x << 6) & 0x0303030303030303ull;
    x = (x | x << 3) & 0x1111111111111111ull;
  } else if constexpr (S == 8) {
    x &= 0xFF;
    x = (x | x << 28) & 0x0000000F0000000Full;
    x = (x | x << 14) & 0x0003000300030003ull;
    x = (x | x << 7) & 0x0101010101010101ull;
  }
  return x;
#endif
}

// Every bit twice: bit k of x (32 bits) to bits 2k and 2k+1.
HWY_INLINE std::uint64_t double_bits(std::uint64_t x) {
  const std::uint64_t spread = spread_lane_bits<2>(x);
  return spread | spread << 1;
}

// Lane i on iff i < count.
template <class T>
HWY_INLINE VPred first_lanes(std::uint32_t count) {
  constexpr std::uint64_t lanes = kLaneBits<sizeof(T)>;
  if (HWY_LIKELY(count >= EPR<T>)) return {{lanes, lanes, lanes, lanes}};
  const std::uint32_t bits = count * static_cast<std::uint32_t>(sizeof(T));
  VPred pred;
  for (std::uint32_t i = 0; i < 4; ++i) pred.word[i] = lanes & low_bits(bits > 64 * i ? bits - 64 * i : 0);
  return pred;
}

template <class T>
HWY_INLINE bool all_lanes_on(const VPred& pred) {
  constexpr std::uint64_t lanes = kLaneBits<sizeof(T)>;
  return (pred.word[0] & pred.word[1] & pred.word[2] & pred.word[3] & lanes) == lanes;
}

// One bit per byte that belongs to an active lane.
template <class T>
HWY_INLINE VPred active_bytes(const VPred& pred) {
  constexpr std::uint64_t fill = sizeof(T) == 1 ? 1 : (1ull << sizeof(T)) - 1;
  VPred bytes;
  for (int i = 0; i < 4; ++i) bytes.word[i] = (pred.word[i] & kLaneBits<sizeof(T)>) * fill;
  return bytes;
}

// The predicate's lanes for one part, as the host's mask type.
template <class T>
HWY_INLINE hn::MFromD<Lanes<T>> lane_mask(const VPred& pred, int part) {
  std::uint64_t raw;
  if constexpr (kPartBytes == 64) {
    raw = pred.word[part];
  } else {
    raw = pred.word[part * kPartBytes / 64] >> (part * kPartBytes % 64) & low_bits(kPartBytes);
  }
  const std::uint64_t bits = pack_lane_bits<sizeof(T)>(raw);
  return hn::LoadMaskBits(Lanes<T>(), reinterpret_cast<const std::uint8_t*>(&bits));
}

// --- registers ----------------------------------------------------------------------------------------------------

HWY_INLINE VReg zero_register() {
  VReg out;
  TS_UNROLL for (int i = 0; i < kParts; ++i) out.part[i] = hn::Zero(Bytes());
  return out;
}

HWY_INLINE VReg load_register(const std::uint8_t* from) {
  VReg out;
  TS_UNROLL for (int i = 0; i < kParts; ++i) out.part[i] = hn::LoadU(Bytes(), from + i * kPartBytes);
  return out;
}

HWY_INLINE void store_register(const VReg& v, std::uint8_t* to) {
  TS_UNROLL for (int i = 0; i < kParts; ++i) hn::StoreU(v.part[i], Bytes(), to + i * kPartBytes);
}

// Active lanes to their places; every other byte keeps its value.
template <class T>
HWY_INLINE void store_lanes(const VReg& v, const VPred& pred, std::uint8_t* to) {
  TS_UNROLL for (int i = 0; i < kParts; ++i) {
    const Lanes<T> d;
    hn::BlendedStore(hn::BitCast(d, v.part[i]), lane_mask<T>(pred, i), d, reinterpret_cast<BitsOf<T>*>(to + i * kPartBytes));
  }
}

// The rare case stands alone, and works on a copy: the register itself must not get an address in the hot loop.
template <class T>
HWY_NOINLINE VReg zero_some_lanes(const VReg& v, const VPred& pred) {
  VReg out;
  TS_UNROLL for (int i = 0; i < kParts; ++i) {
    const Lanes<T> d;
    out.part[i] = hn::BitCast(Bytes(), hn::IfThenElseZero(lane_mask<T>(pred, i), hn::BitCast(d, v.part[i])));
  }
  return out;
}
template <class T>
HWY_INLINE VReg zero_inactive(const VReg& v, const VPred& pred) {
  if (HWY_LIKELY(all_lanes_on<T>(pred))) return v;
  const VReg copy = v;
  const VPred lanes = pred;
  return zero_some_lanes<T>(copy, lanes);
}

template <class T>
HWY_INLINE VReg broadcast(std::uint64_t bits) {
  VReg out;
  const Lanes<T> d;
  const auto lane = hn::BitCast(Bytes(), hn::Set(d, static_cast<BitsOf<T>>(bits)));
  TS_UNROLL for (int i = 0; i < kParts; ++i) out.part[i] = lane;
  return out;
}

// --- value functions of permutations and selects -------------------------------------------------------------------
// The tag machine runs these on the planes of its tags too, so they must move bytes and nothing else.

struct LoadNorm {
  HWY_INLINE VReg operator()(const std::uint8_t* from) const { return load_register(from); }
};

// The element at `from` in every lane.
template <class T>
struct LoadBroadcast {
  HWY_INLINE VReg operator()(const std::uint8_t* from) const {
    BitsOf<T> bits;
    std::memcpy(&bits, from, sizeof(T));
    return broadcast<T>(bits);
  }
};

// s = a followed by b: even lanes of s, odd lanes of s.
template <class T>
struct Deinterleave {
  HWY_INLINE VPair operator()(const VReg& a, const VReg& b) const {
    VPair out;
    const Lanes<T> d;
    const auto lanes_of = [&](int i) HWY_ATTR { return hn::BitCast(d, i < kParts ? a.part[i] : b.part[i - kParts]); };
    TS_UNROLL for (int i = 0; i < kParts; ++i) {
      const auto low = lanes_of(2 * i), high = lanes_of(2 * i + 1);
      out.lo.part[i] = hn::BitCast(Bytes(), hn::ConcatEven(d, high, low));
      out.hi.part[i] = hn::BitCast(Bytes(), hn::ConcatOdd(d, high, low));
    }
    return out;
  }
};

template <class T>
struct LoadDeinterleaved {
  HWY_INLINE VPair operator()(const std::uint8_t* from) const {
    return Deinterleave<T>()(load_register(from), load_register(from + VL));
  }
};

template <class T>
struct SelectLanes {
  HWY_INLINE VReg operator()(const VPred& pred, const VReg& on, const VReg& off) const {
    VReg out;
    TS_UNROLL for (int i = 0; i < kParts; ++i) {
      const Lanes<T> d;
      out.part[i] = hn::BitCast(
          Bytes(), hn::IfThenElse(lane_mask<T>(pred, i), hn::BitCast(d, on.part[i]), hn::BitCast(d, off.part[i])));
    }
    return out;
  }
};

// The first `count` bytes of a, then b from its byte 0.
struct SpliceBytes {
  std::uint32_t count;
  HWY_INLINE VReg operator()(const VReg& a, const VReg& b) const {
    alignas(64) std::uint8_t joined[2 * VL];
    store_register(a, joined);
    store_register(b, joined + count);
    return load_register(joined);
  }
};

// Bytes [from, 256) of a to the front; what follows them is of no use to anybody.
struct DropBytes {
  std::uint32_t from;
  HWY_INLINE VReg operator()(const VReg& a) const {
    alignas(64) std::uint8_t bytes[2 * VL] = {};
    store_register(a, bytes);
    return load_register(bytes + from);
  }
};

// --- value functions of predicates ---------------------------------------------------------------------------------

struct LoadPredNorm {
  static constexpr std::uint32_t kBytes = 32;
  HWY_INLINE VPred operator()(const std::uint8_t* from) const {
    VPred out;
    std::memcpy(out.word, from, kBytes);
    return out;
  }
};

struct LoadPredUnpacked {  // "US": every bit twice
  static constexpr std::uint32_t kBytes = 16;
  HWY_INLINE VPred operator()(const std::uint8_t* from) const {
    std::uint64_t bits[2];
    std::memcpy(bits, from, kBytes);
    return {{double_bits(bits[0]), double_bits(bits[0] >> 32), double_bits(bits[1]), double_bits(bits[1] >> 32)}};
  }
};

// One bit per lane, in memory as in the A2A3 vector mask: bit i governs lane i.
template <class T>
struct LoadLaneBits {
  static constexpr std::uint32_t kBytes = EPR<T> / 8;
  HWY_INLINE VPred operator()(const std::uint8_t* from) const {
    VPred out;
    for (std::uint32_t i = 0; i < 4; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, from + i * (kBytes / 4), kBytes / 4);
      out.word[i] = spread_lane_bits<sizeof(T)>(bits);
    }
    return out;
  }
};

// Groups of two bits, alternating: Z = a0 b0 a1 b1 ...; the lower and the upper half of Z.
struct InterleavePred16 {
  HWY_INLINE VPredPair operator()(const VPred& a, const VPred& b) const {
    VPredPair out;
    for (int i = 0; i < 2; ++i) {
      out.lo.word[2 * i] = zip(a.word[i], b.word[i]);
      out.lo.word[2 * i + 1] = zip(a.word[i] >> 32, b.word[i] >> 32);
      out.hi.word[2 * i] = zip(a.word[i + 2], b.word[i + 2]);
      out.hi.word[2 * i + 1] = zip(a.word[i + 2] >> 32, b.word[i + 2] >> 32);
    }
    return out;
  }

 private:
  static HWY_INLINE std::uint64_t spread_pairs(std::uint64_t x) {
#if HWY_TARGET <= HWY_AVX2
    return _pdep_u64(x, 0x3333333333333333ull);
#else
    x &= 0x00000000FFFFFFFFull;
    x = (x | x << 16) & 0x0000FFFF0000FFFFull;
    x = (x | x << 8) & 0x00FF00FF00FF00FFull;
    x = (x | x << 4) & 0x0F0F0F0F0F0F0F0Full;
    return (x | x << 2) & 0x3333333333333333ull;
#endif
  }
  static HWY_INLINE std::uint64_t zip(std::uint64_t a, std::uint64_t b) { return spread_pairs(a) | spread_pairs(b) << 2; }
};

struct UnpackPredLower {  // bit k to bit 2k, k < 128
  HWY_INLINE VPred operator()(const VPred& a) const {
    return {{spread_lane_bits<2>(a.word[0]), spread_lane_bits<2>(a.word[0] >> 32), spread_lane_bits<2>(a.word[1]),
             spread_lane_bits<2>(a.word[1] >> 32)}};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
