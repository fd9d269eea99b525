// Access by addresses that lanes or lists hold: lanes gathered and scattered, blocks gathered, blocks turned over.
// Value functions like those of vector-inl.h: they move bytes and nothing else.
#if defined(TS_ENGINE_GATHER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_GATHER_INL_H
#undef TS_ENGINE_GATHER_INL_H
#else
#define TS_ENGINE_GATHER_INL_H
#endif

#include <algorithm>

#include "core/engine/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class T, int... I>
TS_INLINE std::uint64_t max_lane(const VReg& v, std::integer_sequence<int, I...>) {
  const Lanes<T> d;
  auto most = hn::Zero(d);
  ((most = hn::Max(most, hn::BitCast(d, v.part[I]))), ...);
  return hn::GetLane(hn::MaxOfLanes(d, most));
}
template <class T>
TS_INLINE std::uint64_t max_lane(const VReg& v) {
  return max_lane<T>(v, PartIndices());
}

// Lane i = the element at base + index[i] * kScale, zero-extended to the index's width. All of them may be read.
template <class Element, class Idx, int kScale>
struct GatherLanes {
  TS_INLINE VReg operator()(const std::uint8_t* base, const VReg& index) const {
#if HWY_TARGET <= HWY_AVX2
    if constexpr (sizeof(Element) == 4) return make_register<HostPart>(base, index);
#endif
    return one_by_one(base, index);
  }

 private:
  struct HostPart {
    template <int I>
    static TS_INLINE Part part(const std::uint8_t* base, const VReg& index) {
      const Lanes<std::uint32_t> d;
      const hn::RebindToSigned<decltype(d)> signed_lanes;
      const auto* from = reinterpret_cast<const std::uint32_t*>(base);
      const auto at = hn::BitCast(signed_lanes, index.part[I]);
      if constexpr (kScale == 4) {
        return hn::BitCast(Bytes(), hn::GatherIndex(d, from, at));
      } else {
        return hn::BitCast(Bytes(), hn::GatherOffset(d, from, at));
      }
    }
  };
  static TS_INLINE VReg one_by_one(const std::uint8_t* base, const VReg& index) {
    alignas(64) Idx at[EPR<Idx>], out[EPR<Idx>];
    store_register(index, reinterpret_cast<std::uint8_t*>(at));
    for (std::uint32_t i = 0; i < EPR<Idx>; ++i) {
      Element value;
      std::memcpy(&value, base + std::size_t{at[i]} * kScale, sizeof value);
      out[i] = value;
    }
    return load_register(reinterpret_cast<const std::uint8_t*>(out));
  }
};

// Eight blocks, each from a place of its own.
struct GatherBlocks {
  TS_INLINE VReg operator()(const std::uint8_t* const* block) const { return make_register<BlockPart>(block); }

 private:
  struct BlockPart {
    template <int I>
    static TS_INLINE Part part(const std::uint8_t* const* block) {
      if constexpr (kPartBytes == 64) {
        const hn::Half<Bytes> half;
        return hn::Combine(Bytes(), hn::LoadU(half, block[2 * I + 1]), hn::LoadU(half, block[2 * I]));
      } else if constexpr (kPartBytes == 32) {
        return hn::LoadU(Bytes(), block[I]);
      } else {
        return hn::LoadU(Bytes(), block[I / 2] + I % 2 * kPartBytes);
      }
    }
  };
};

// --- matrices of 16 blocks turned over (vnchwconv) -------------------------------------------------------------------
// All sources are read before anything is written. `to` and `from` are bytes behind the listed addresses.

// Rows of as many elements as there are rows, in each 128 bits: element k of row r to element r of row k.
// Loops over vectors are unrolled, or the vectors would live in memory.
template <class D, std::size_t kRows>
TS_INLINE void turn_within_128_bits(D d, hn::VFromD<D> (&row)[kRows]) {
  hn::VFromD<D> next[kRows];
  constexpr std::size_t kHalf = kRows / 2;
#pragma GCC unroll 4
  for (std::size_t round = 1; round < kRows; round *= 2) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kHalf; ++i) {
      next[2 * i] = hn::InterleaveLower(d, row[i], row[i + kHalf]);
      next[2 * i + 1] = hn::InterleaveUpper(d, row[i], row[i + kHalf]);
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) row[i] = next[i];
  }
}

// kRows rows of a block each, turned over; column e of them is half a block.
template <class T, std::size_t kRows>
struct TurnedRows {
#if HWY_TARGET <= HWY_AVX2
  using D = hn::FixedTag<T, 2 * kRows>;
  hn::VFromD<D> row[kRows];
  TS_INLINE void load(const std::uint8_t* const* src, std::size_t from) {
    const D d;
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) row[r] = hn::LoadU(d, reinterpret_cast<const T*>(src[r] + from));
    turn_within_128_bits(d, row);
  }
  // The upper half of a destination block comes from the rows below.
  template <std::size_t kColumn>
  TS_INLINE void store(const TurnedRows& below, std::uint8_t* dst) const {
    const D d;
    if constexpr (kColumn < kRows) {
      hn::StoreU(hn::ConcatLowerLower(d, below.row[kColumn], row[kColumn]), d, reinterpret_cast<T*>(dst));
    } else {
      hn::StoreU(hn::ConcatUpperUpper(d, below.row[kColumn - kRows], row[kColumn - kRows]), d,
                 reinterpret_cast<T*>(dst));
    }
  }
#else
  using D = hn::FixedTag<T, kRows>;
  hn::VFromD<D> left[kRows], right[kRows];
  // One that g++ makes by itself is none of this level, and NEON's vectors are not made in it.
  TS_INLINE TurnedRows() {}
  TS_INLINE void load(const std::uint8_t* const* src, std::size_t from) {
    const D d;
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) {
      left[r] = hn::LoadU(d, reinterpret_cast<const T*>(src[r] + from));
      right[r] = hn::LoadU(d, reinterpret_cast<const T*>(src[r] + from + BLK / 2));
    }
    turn_within_128_bits(d, left);
    turn_within_128_bits(d, right);
  }
  template <std::size_t kColumn>
  TS_INLINE void store(const TurnedRows& below, std::uint8_t* dst) const {
    const D d;
    constexpr std::size_t kAt = kColumn % kRows;
    hn::StoreU(kColumn < kRows ? left[kAt] : right[kAt], d, reinterpret_cast<T*>(dst));
    hn::StoreU(kColumn < kRows ? below.left[kAt] : below.right[kAt], d, reinterpret_cast<T*>(dst + BLK / 2));
  }
#endif
};

// dst[e][k] = src[k][e] of 16-bit elements.
struct TurnBlocks16 {
  static constexpr std::uint32_t kBytes = 32;
  TS_INLINE void operator()(std::uint8_t* const* dst, std::size_t to, const std::uint8_t* const* src,
                            std::size_t from) const {
    TurnedRows<std::uint16_t, 8> upper, lower;
    upper.load(src, from);
    lower.load(src + 8, from);
    store(upper, lower, dst, to, std::make_index_sequence<16>());
  }

 private:
  template <std::size_t... E>
  static TS_INLINE void store(const TurnedRows<std::uint16_t, 8>& upper, const TurnedRows<std::uint16_t, 8>& lower,
                              std::uint8_t* const* dst, std::size_t to, std::index_sequence<E...>) {
    (upper.store<E>(lower, dst[E] + to), ...);
  }
};

// dst[2t][k] = src[k][t], dst[2t + 1][k] = src[8 + k][t] of 32-bit elements.
struct TurnBlocks32 {
  static constexpr std::uint32_t kBytes = 32;
  TS_INLINE void operator()(std::uint8_t* const* dst, std::size_t to, const std::uint8_t* const* src,
                            std::size_t from) const {
    TurnedRows<std::uint32_t, 4> quarter[4];
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) quarter[q].load(src + 4 * q, from);
    store(quarter, dst, to, std::make_index_sequence<8>());
  }

 private:
  template <std::size_t... E>
  static TS_INLINE void store(const TurnedRows<std::uint32_t, 4>* quarter, std::uint8_t* const* dst, std::size_t to,
                              std::index_sequence<E...>) {
    (quarter[0].store<E>(quarter[1], dst[2 * E] + to), ...);
    (quarter[2].store<E>(quarter[3], dst[2 * E + 1] + to), ...);
  }
};

// dst[e][k] = src[k][e] of bytes, on half blocks.
struct TurnBlocks8 {
  static constexpr std::uint32_t kBytes = 16;
  TS_INLINE void operator()(std::uint8_t* const* dst, std::size_t to, const std::uint8_t* const* src,
                            std::size_t from) const {
    const hn::FixedTag<std::uint8_t, 16> d;
    hn::VFromD<decltype(d)> row[16];
#pragma GCC unroll 16
    for (int r = 0; r < 16; ++r) row[r] = hn::LoadU(d, src[r] + from);
    turn_within_128_bits(d, row);
#pragma GCC unroll 16
    for (int e = 0; e < 16; ++e) hn::StoreU(row[e], d, dst[e] + to);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
