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
// All sources are read before anything is written.

// Rows of kLanes elements, interleaved log2(kLanes) times: in each 128 bits, element k of row r to element r of row k.
template <class D, std::size_t kRows>
TS_INLINE void turn_within_128_bits(D d, hn::VFromD<D> (&row)[kRows]) {
  hn::VFromD<D> next[kRows];
  for (std::size_t half = kRows / 2, round = 1; round < kRows; round *= 2) {
    for (std::size_t i = 0; i < half; ++i) {
      next[2 * i] = hn::InterleaveLower(d, row[i], row[i + half]);
      next[2 * i + 1] = hn::InterleaveUpper(d, row[i], row[i + half]);
    }
    for (std::size_t i = 0; i < kRows; ++i) row[i] = next[i];
  }
}

// dst[e][k] = src[k][e] of 16-bit elements.
struct TurnBlocks16 {
  static constexpr std::uint32_t kBytes = 32;
  TS_INLINE void operator()(std::uint8_t* const* dst, const std::uint8_t* const* src) const {
    const hn::FixedTag<std::uint16_t, 8> d;
    hn::VFromD<decltype(d)> quarter[4][8];  // [half of the columns + 2 * half of the rows]
    for (int q = 0; q < 4; ++q) {
      for (int r = 0; r < 8; ++r) quarter[q][r] = hn::LoadU(d, reinterpret_cast<const std::uint16_t*>(src[q / 2 * 8 + r] + q % 2 * 16));
      turn_within_128_bits(d, quarter[q]);
    }
    for (int q = 0; q < 4; ++q)
      for (int e = 0; e < 8; ++e) hn::StoreU(quarter[q][e], d, reinterpret_cast<std::uint16_t*>(dst[q % 2 * 8 + e] + q / 2 * 16));
  }
};

// dst[2t][k] = src[k][t], dst[2t + 1][k] = src[8 + k][t] of 32-bit elements.
struct TurnBlocks32 {
  static constexpr std::uint32_t kBytes = 32;
  TS_INLINE void operator()(std::uint8_t* const* dst, const std::uint8_t* const* src) const {
    const hn::FixedTag<std::uint32_t, 4> d;
    hn::VFromD<decltype(d)> square[8][4];  // [half of the columns + 2 * quarter of the rows]
    for (int q = 0; q < 8; ++q) {
      for (int r = 0; r < 4; ++r) square[q][r] = hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(src[q / 2 * 4 + r] + q % 2 * 16));
      turn_within_128_bits(d, square[q]);
    }
    for (int q = 0; q < 8; ++q)
      for (int t = 0; t < 4; ++t)
        hn::StoreU(square[q][t], d, reinterpret_cast<std::uint32_t*>(dst[2 * (q % 2 * 4 + t) + q / 4] + q / 2 % 2 * 16));
  }
};

// dst[e][k] = src[k][e] of bytes, on half blocks.
struct TurnBlocks8 {
  static constexpr std::uint32_t kBytes = 16;
  TS_INLINE void operator()(std::uint8_t* const* dst, const std::uint8_t* const* src) const {
    const hn::FixedTag<std::uint8_t, 16> d;
    hn::VFromD<decltype(d)> row[16];
    for (int r = 0; r < 16; ++r) row[r] = hn::LoadU(d, src[r]);
    turn_within_128_bits(d, row);
    for (int e = 0; e < 16; ++e) hn::StoreU(row[e], d, dst[e]);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
