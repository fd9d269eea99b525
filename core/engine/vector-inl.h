// Values of vector registers and predicates on host SIMD: 256 bytes and 256 bits, and the ways bytes move through them.
// Everything here is a value function: the three machines share it, and none of it knows which machine runs.
// Compiled once per SIMD level.
#if defined(TS_ENGINE_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_VECTOR_INL_H
#undef TS_ENGINE_VECTOR_INL_H
#else
#define TS_ENGINE_VECTOR_INL_H
#endif

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/engine/registers.h"
#include "core/isa/target.h"
#include "hwy/highway.h"

// The machines must dissolve in their lowerings, or registers go through memory. Under the sanitizers nobody waits for
// speed, and everything inlined into everything takes the compiler ten minutes a file.
#if defined(__SANITIZE_ADDRESS__)
#define TS_INLINE inline
#define TS_INLINE_LAMBDA HWY_ATTR
#else
#define TS_INLINE HWY_INLINE
#define TS_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))
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
// A register is made of its parts by a pack of indices: part I is F::part<I>(args...). Never by a loop or a lambda: with an
// index that varies, or an address that a closure holds, even for as long as the compiler needs to see through it, the
// register would live in memory. For the same reason registers and predicates are never const locals: g++ 12 does not
// take a const aggregate apart.
using PartIndices = std::make_integer_sequence<int, kParts>;

template <class F, int... I, class... Args>
TS_INLINE VReg make_register(std::integer_sequence<int, I...>, const Args&... args) {
  return {{F::template part<I>(args...)...}};
}
template <class F, class... Args>
TS_INLINE VReg make_register(const Args&... args) {
  return make_register<F>(PartIndices(), args...);
}

template <class T>
using Lanes = hn::ScalableTag<BitsOf<T>>;
template <class T>
inline constexpr std::uint32_t EPR = VL / sizeof(T);

// --- predicates ---------------------------------------------------------------------------------------------------

// Every lane's lowest bit, for lanes of S bytes.
template <int S>
inline constexpr std::uint64_t kLaneBits = S == 1   ? ~0ull
                                           : S == 2 ? 0x5555555555555555ull
                                           : S == 4 ? 0x1111111111111111ull
                                                    : 0x0101010101010101ull;

TS_INLINE std::uint64_t low_bits(std::uint32_t count) { return count >= 64 ? ~0ull : (1ull << count) - 1; }

// Bit S*i of x to bit i; and back.
template <int S>
TS_INLINE std::uint64_t pack_lane_bits(std::uint64_t x) {
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
TS_INLINE std::uint64_t spread_lane_bits(std::uint64_t x) {
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
TS_INLINE std::uint64_t double_bits(std::uint64_t x) {
  const std::uint64_t spread = spread_lane_bits<2>(x);
  return spread | spread << 1;
}

TS_INLINE std::uint32_t above(std::uint32_t value, std::uint32_t start) { return value > start ? value - start : 0; }

// Lane i on iff i < count.
template <class T>
TS_INLINE VPred first_lanes(std::uint32_t count) {
  constexpr std::uint64_t lanes = kLaneBits<sizeof(T)>;
  if (HWY_LIKELY(count >= EPR<T>)) return {{lanes, lanes, lanes, lanes}};
  const std::uint32_t bits = count * static_cast<std::uint32_t>(sizeof(T));
  return {{lanes & low_bits(bits), lanes & low_bits(above(bits, 64)), lanes & low_bits(above(bits, 128)),
           lanes & low_bits(above(bits, 192))}};
}

TS_INLINE VPred and_predicates(const VPred& a, const VPred& b) {
  return {{a.word[0] & b.word[0], a.word[1] & b.word[1], a.word[2] & b.word[2], a.word[3] & b.word[3]}};
}

template <class T>
TS_INLINE bool all_lanes_on(const VPred& pred) {
  constexpr std::uint64_t lanes = kLaneBits<sizeof(T)>;
  return (pred.word[0] & pred.word[1] & pred.word[2] & pred.word[3] & lanes) == lanes;
}

// One bit per byte that belongs to an active lane.
template <class T>
TS_INLINE VPred active_bytes(const VPred& pred) {
  constexpr std::uint64_t fill = sizeof(T) == 1 ? 1 : (1ull << sizeof(T)) - 1;
  constexpr std::uint64_t lanes = kLaneBits<sizeof(T)>;
  return {{(pred.word[0] & lanes) * fill, (pred.word[1] & lanes) * fill, (pred.word[2] & lanes) * fill,
           (pred.word[3] & lanes) * fill}};
}

template <class T, int part>
TS_INLINE auto packed_lane_mask(const VPred& pred) {
  std::uint64_t raw = pred.word[part * kPartBytes / 64] >> (part * kPartBytes % 64);
  if constexpr (kPartBytes < 64) raw &= low_bits(kPartBytes);
  const std::uint64_t bits = pack_lane_bits<sizeof(T)>(raw);
  return hn::LoadMaskBits(Lanes<T>(), reinterpret_cast<const std::uint8_t*>(&bits));
}

// Of a part of 32 bytes: each lane asks for its own bit where it stands, so that nobody has to bring them together.
template <class T>
TS_INLINE auto mask_of_bits(std::uint32_t bits) {
  using Lane = BitsOf<T>;
  constexpr int kWidth = sizeof(T), kCount = 32 / kWidth;
  // Lanes narrower than these bits look at those of their own group.
  constexpr int kGroup = kWidth >= 4 ? kCount : 8;
  alignas(32) static constexpr auto kOwn = [] {
    std::array<Lane, kCount> own{};
    for (int k = 0; k < kCount; ++k)
      own[static_cast<std::size_t>(k)] = static_cast<Lane>(Lane{1} << k % kGroup * kWidth);
    return own;
  }();
  const Lanes<T> d;
  const auto own = hn::Load(d, kOwn.data());
  if constexpr (kWidth >= 4) {
    return hn::TestBit(hn::Set(d, static_cast<Lane>(bits)), own);
  } else {
    alignas(32) static constexpr auto kGroups = [] {
      std::array<std::uint8_t, 32> groups{};
      for (int k = 0; k < 32; ++k)
        groups[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(k / kWidth / kGroup * kWidth + k % kWidth);
      return groups;
    }();
    const auto all = hn::BitCast(Bytes(), hn::Set(hn::ScalableTag<std::uint32_t>(), bits));
    return hn::TestBit(hn::BitCast(d, hn::TableLookupBytes(all, hn::Load(Bytes(), kGroups.data()))), own);
  }
}

// The predicate's lanes for one part, as the host's mask type.
template <class T, int part>
TS_INLINE auto lane_mask(const VPred& pred) {
  if constexpr (kPartBytes == 32) {
    return mask_of_bits<T>(static_cast<std::uint32_t>(pred.word[part / 2] >> part % 2 * 32));
  } else {
    return packed_lane_mask<T, part>(pred);
  }
}

// --- registers ----------------------------------------------------------------------------------------------------

struct ZeroPart {
  template <int I>
  static TS_INLINE Part part() {
    return hn::Zero(Bytes());
  }
};
TS_INLINE VReg zero_register() { return make_register<ZeroPart>(); }

struct LoadPart {
  template <int I>
  static TS_INLINE Part part(const std::uint8_t* from) {
    return hn::LoadU(Bytes(), from + I * kPartBytes);
  }
};
TS_INLINE VReg load_register(const std::uint8_t* from) { return make_register<LoadPart>(from); }

// Its first block only.
template <int... I>
TS_INLINE void store_first_block(const VReg& v, std::uint8_t* to, std::integer_sequence<int, I...>) {
  ((I * kPartBytes < static_cast<int>(BLK) ? hn::StoreU(v.part[I], Bytes(), to + I * kPartBytes) : void()), ...);
}

template <int... I>
TS_INLINE void store_register(const VReg& v, std::uint8_t* to, std::integer_sequence<int, I...>) {
  (hn::StoreU(v.part[I], Bytes(), to + I * kPartBytes), ...);
}
TS_INLINE void store_register(const VReg& v, std::uint8_t* to) { store_register(v, to, PartIndices()); }

// Active lanes to their places; every other byte keeps its value.
template <class T, int... I>
TS_INLINE void store_lanes(const VReg& v, const VPred& pred, std::uint8_t* to, std::integer_sequence<int, I...>) {
  const Lanes<T> d;
  (hn::BlendedStore(hn::BitCast(d, v.part[I]), lane_mask<T, I>(pred), d,
                    reinterpret_cast<BitsOf<T>*>(to + I * kPartBytes)),
   ...);
}
template <class T>
TS_INLINE void store_lanes(const VReg& v, const VPred& pred, std::uint8_t* to) {
  store_lanes<T>(v, pred, to, PartIndices());
}

template <class T>
struct ZeroInactivePart {
  template <int I>
  static TS_INLINE Part part(const VReg& v, const VPred& pred) {
    const Lanes<T> d;
    return hn::BitCast(Bytes(), hn::IfThenElseZero(lane_mask<T, I>(pred), hn::BitCast(d, v.part[I])));
  }
};

// Rare cases stand alone, as functions that are not inlined. Registers and predicates go to them in pieces, for the same
// reason: handed over whole, they would live in memory in the hot loop too.
template <class T, class... Parts>
HWY_NOINLINE VReg zero_some_lanes(std::uint64_t w0, std::uint64_t w1, std::uint64_t w2, std::uint64_t w3,
                                  Parts... parts) {
  return make_register<ZeroInactivePart<T>>(VReg{{parts...}}, VPred{{w0, w1, w2, w3}});
}
template <class T, int... I>
TS_INLINE VReg zero_inactive(const VReg& v, const VPred& pred, std::integer_sequence<int, I...>) {
  if (HWY_LIKELY(all_lanes_on<T>(pred))) return v;
  return zero_some_lanes<T>(pred.word[0], pred.word[1], pred.word[2], pred.word[3], v.part[I]...);
}
template <class T>
TS_INLINE VReg zero_inactive(const VReg& v, const VPred& pred) {
  return zero_inactive<T>(v, pred, PartIndices());
}

template <class T>
struct BroadcastPart {
  template <int I>
  static TS_INLINE Part part(std::uint64_t bits) {
    return hn::BitCast(Bytes(), hn::Set(Lanes<T>(), static_cast<BitsOf<T>>(bits)));
  }
};
template <class T>
TS_INLINE VReg broadcast(std::uint64_t bits) {
  return make_register<BroadcastPart<T>>(bits);
}

// --- value functions of permutations and selects -------------------------------------------------------------------
// The tag machine runs these on the planes of its tags too, so they must move bytes and nothing else.

// kInPlace: byte k of memory is byte k of the register, as far as anybody looks at it.
struct LoadNorm {
  static constexpr bool kInPlace = true;
  TS_INLINE VReg operator()(const std::uint8_t* from) const { return load_register(from); }
};

// The element at `from` in every lane.
template <class T>
struct LoadBroadcast {
  static constexpr std::uint32_t kElementBytes = sizeof(T);
  TS_INLINE VReg operator()(const std::uint8_t* from) const {
    BitsOf<T> bits;
    std::memcpy(&bits, from, sizeof(T));
    return broadcast<T>(bits);
  }
};

// s = a followed by b: even lanes of s, odd lanes of s.
template <class T>
struct Deinterleave {
  TS_INLINE VPair operator()(const VReg& a, const VReg& b) const {
    return {make_register<EvenPart>(a, b), make_register<OddPart>(a, b)};
  }

 private:
  // Part n of a followed by b.
  template <int n>
  static TS_INLINE auto of_both(const VReg& a, const VReg& b) {
    if constexpr (n < kParts) {
      return hn::BitCast(Lanes<T>(), a.part[n]);
    } else {
      return hn::BitCast(Lanes<T>(), b.part[n - kParts]);
    }
  }
  struct EvenPart {
    template <int I>
    static TS_INLINE Part part(const VReg& a, const VReg& b) {
      return hn::BitCast(Bytes(), hn::ConcatEven(Lanes<T>(), of_both<2 * I + 1>(a, b), of_both<2 * I>(a, b)));
    }
  };
  struct OddPart {
    template <int I>
    static TS_INLINE Part part(const VReg& a, const VReg& b) {
      return hn::BitCast(Bytes(), hn::ConcatOdd(Lanes<T>(), of_both<2 * I + 1>(a, b), of_both<2 * I>(a, b)));
    }
  };
};

// lo = a0 b0 a1 b1 ..., hi goes on with the upper halves.
template <class T>
struct Interleave {
  TS_INLINE VPair operator()(const VReg& a, const VReg& b) const {
    return {make_register<HalfPart<0>>(a, b), make_register<HalfPart<kParts / 2>>(a, b)};
  }
  struct TwoParts {
    Part first, second;
  };
  // Two result parts come from one part of each source. The host interleaves within 128 bits: so 64 bits 0, 1, 2, ... of
  // the lower half go to the lower halves of those first, and the others to the upper ones. Of two such halves it is less to
  // put them together afterwards.
  static TS_INLINE TwoParts of_parts(Part a, Part b) {
    const Lanes<T> d;
    if constexpr (kPartBytes == 32) {
      const auto lower = hn::InterleaveLower(d, hn::BitCast(d, a), hn::BitCast(d, b)),
                 upper = hn::InterleaveUpper(d, hn::BitCast(d, a), hn::BitCast(d, b));
      return {hn::BitCast(Bytes(), hn::ConcatLowerLower(d, upper, lower)),
              hn::BitCast(Bytes(), hn::ConcatUpperUpper(d, upper, lower))};
    }
    const auto x = hn::BitCast(d, spread_quarters(a)), y = hn::BitCast(d, spread_quarters(b));
    return {hn::BitCast(Bytes(), hn::InterleaveLower(d, x, y)), hn::BitCast(Bytes(), hn::InterleaveUpper(d, x, y))};
  }

 private:
  template <int first>
  struct HalfPart {
    template <int I>
    static TS_INLINE Part part(const VReg& a, const VReg& b) {
      const TwoParts two = of_parts(a.part[first + I / 2], b.part[first + I / 2]);
      return I % 2 == 0 ? two.first : two.second;
    }
  };
  static TS_INLINE Part spread_quarters(Part v) {
    if constexpr (kPartBytes == 16) return v;
    const hn::ScalableTag<std::uint64_t> d;
    constexpr int kWords = kPartBytes / 8;
    alignas(64) static constexpr auto kOrder = [] {
      std::array<std::int64_t, kWords> order{};
      for (int k = 0; k < kWords; ++k) order[static_cast<std::size_t>(k)] = k % 2 * (kWords / 2) + k / 2;
      return order;
    }();
    return hn::BitCast(Bytes(), hn::TableLookupLanes(hn::BitCast(d, v), hn::SetTableIndices(d, kOrder.data())));
  }
};

// 128 bytes, each zero-extended to 16 bits.
struct LoadUnpack8 {
  TS_INLINE VReg operator()(const std::uint8_t* from) const { return make_register<WidePart>(from); }

 private:
  struct WidePart {
    template <int I>
    static TS_INLINE Part part(const std::uint8_t* from) {
      const hn::ScalableTag<std::uint16_t> d;
      return hn::BitCast(
          Bytes(), hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, decltype(d)>(), from + I * kPartBytes / 2)));
    }
  };
};

// 64 halves, each zero-extended to 32 bits.
struct LoadUnpack16 {
  TS_INLINE VReg operator()(const std::uint8_t* from) const { return make_register<WidePart>(from); }

 private:
  struct WidePart {
    template <int I>
    static TS_INLINE Part part(const std::uint8_t* from) {
      const hn::ScalableTag<std::uint32_t> d;
      const auto* halves = reinterpret_cast<const std::uint16_t*>(from + I * kPartBytes / 2);
      return hn::BitCast(Bytes(), hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint16_t, decltype(d)>(), halves)));
    }
  };
};

// One block, in all eight places.
struct LoadBlockAll {
  TS_INLINE VReg operator()(const std::uint8_t* from) const {
    alignas(64) std::uint8_t copies[VL];
    for (std::uint32_t k = 0; k < VL; k += BLK) std::memcpy(copies + k, from, BLK);
    return load_register(copies);
  }
};

// The first bytes only; the rest of the register is zero.
struct LoadSome {
  std::uint32_t bytes;
  TS_INLINE VReg operator()(const std::uint8_t* from) const {
#if HWY_TARGET <= HWY_AVX3
    return make_register<SomePart>(from, bytes);
#else  // a host that would read what is behind them, too
    alignas(64) std::uint8_t copy[VL] = {};
    std::memcpy(copy, from, bytes);
    return load_register(copy);
#endif
  }

 private:
  struct SomePart {
    template <int I>
    static TS_INLINE Part part(const std::uint8_t* from, std::uint32_t count) {
      const Bytes d;
      return hn::MaskedLoad(hn::FirstN(d, count > I * kPartBytes ? count - I * kPartBytes : 0), d,
                            from + I * kPartBytes);
    }
  };
};
// A list of eight words: what is behind them is nobody's.
struct LoadBlock {
  static constexpr bool kInPlace = true;
  TS_INLINE VReg operator()(const std::uint8_t* from) const { return make_register<BlockPart>(from); }

 private:
  struct BlockPart {
    template <int I>
    static TS_INLINE Part part(const std::uint8_t* from) {
      if constexpr (I * kPartBytes >= static_cast<int>(BLK)) {
        return hn::Zero(Bytes());
      } else if constexpr (kPartBytes > static_cast<int>(BLK)) {
        return hn::ZeroExtendVector(Bytes(), hn::LoadU(hn::Half<Bytes>(), from));
      } else {
        return hn::LoadU(Bytes(), from + I * kPartBytes);
      }
    }
  };
};

// The lowest To bytes of every lane of From bytes, close together; zero behind them.
template <class From, class To>
struct PackLanes {
  TS_INLINE VReg operator()(const VReg& a) const {
    alignas(64) From wide[EPR<From>];
    alignas(64) To packed[VL / sizeof(To)] = {};
    store_register(a, reinterpret_cast<std::uint8_t*>(wide));
    for (std::uint32_t lane = 0; lane < EPR<From>; ++lane) packed[lane] = static_cast<To>(wide[lane]);
    return load_register(reinterpret_cast<const std::uint8_t*>(packed));
  }
};

template <class T>
struct LoadDeinterleaved {
  TS_INLINE VPair operator()(const std::uint8_t* from) const {
    return Deinterleave<T>()(load_register(from), load_register(from + VL));
  }
};

template <class T>
struct SelectLanes {
  TS_INLINE VReg operator()(const VPred& pred, const VReg& on, const VReg& off) const {
    return make_register<SelectPart>(pred, on, off);
  }

 private:
  struct SelectPart {
    template <int I>
    static TS_INLINE Part part(const VPred& pred, const VReg& on, const VReg& off) {
      const Lanes<T> d;
      return hn::BitCast(
          Bytes(), hn::IfThenElse(lane_mask<T, I>(pred), hn::BitCast(d, on.part[I]), hn::BitCast(d, off.part[I])));
    }
  };
};

// The first `count` bytes of a, then b from its byte 0.
struct SpliceBytes {
  std::uint32_t count;
  TS_INLINE VReg operator()(const VReg& a, const VReg& b) const {
    alignas(64) std::uint8_t joined[2 * VL];
    store_register(a, joined);
    store_register(b, joined + count);
    return load_register(joined);
  }
};

// Bytes [from, 256) of a to the front; what follows them is of no use to anybody.
struct DropBytes {
  std::uint32_t from;
  TS_INLINE VReg operator()(const VReg& a) const {
    alignas(64) std::uint8_t bytes[2 * VL] = {};
    store_register(a, bytes);
    return load_register(bytes + from);
  }
};

// --- value functions that compute indices ---------------------------------------------------------------------------

// Lane i = first + i.
template <class T>
struct CountingPart {
  template <int I>
  static TS_INLINE Part part(std::uint64_t first) {
    return hn::BitCast(Bytes(), hn::Iota(Lanes<T>(), static_cast<BitsOf<T>>(first + I * kPartBytes / sizeof(T))));
  }
};
template <class T>
TS_INLINE VReg counting_lanes(std::uint64_t first) {
  return make_register<CountingPart<T>>(first);
}

// --- value functions of predicates ---------------------------------------------------------------------------------

struct LoadPredNorm {
  static constexpr std::uint32_t kBytes = 32;
  TS_INLINE VPred operator()(const std::uint8_t* from) const {
    VPred out;
    std::memcpy(out.word, from, kBytes);
    return out;
  }
};

struct LoadPredUnpacked {  // "US": every bit twice
  static constexpr std::uint32_t kBytes = 16;
  TS_INLINE VPred operator()(const std::uint8_t* from) const {
    std::uint64_t bits[2];
    std::memcpy(bits, from, kBytes);
    return {{double_bits(bits[0]), double_bits(bits[0] >> 32), double_bits(bits[1]), double_bits(bits[1] >> 32)}};
  }
};

struct LoadPredThinned {  // "DS": every second bit
  static constexpr std::uint32_t kBytes = 64;
  TS_INLINE VPred operator()(const std::uint8_t* from) const {
    std::uint64_t bits[8];
    std::memcpy(bits, from, kBytes);
    return {{both(bits[0], bits[1]), both(bits[2], bits[3]), both(bits[4], bits[5]), both(bits[6], bits[7])}};
  }

 private:
  static TS_INLINE std::uint64_t both(std::uint64_t low, std::uint64_t high) {
    return pack_lane_bits<2>(low) | pack_lane_bits<2>(high) << 32;
  }
};

// One bit per lane, in memory as in the A2A3 vector mask: bit i governs lane i.
template <class T>
struct LoadLaneBits {
  static constexpr std::uint32_t kBytes = EPR<T> / 8;
  TS_INLINE VPred operator()(const std::uint8_t* from) const {
    return {{word(from, 0), word(from, 1), word(from, 2), word(from, 3)}};
  }

 private:
  static TS_INLINE std::uint64_t word(const std::uint8_t* from, int i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from + i * (kBytes / 4), kBytes / 4);
    return spread_lane_bits<sizeof(T)>(bits);
  }
};

// Groups of two bits, alternating: Z = a0 b0 a1 b1 ...; the lower and the upper half of Z.
struct InterleavePred16 {
  TS_INLINE VPredPair operator()(const VPred& a, const VPred& b) const {
    return {{{zip(a.word[0], b.word[0]), zip(a.word[0] >> 32, b.word[0] >> 32), zip(a.word[1], b.word[1]),
              zip(a.word[1] >> 32, b.word[1] >> 32)}},
            {{zip(a.word[2], b.word[2]), zip(a.word[2] >> 32, b.word[2] >> 32), zip(a.word[3], b.word[3]),
              zip(a.word[3] >> 32, b.word[3] >> 32)}}};
  }

 private:
  static TS_INLINE std::uint64_t spread_pairs(std::uint64_t x) {
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
  static TS_INLINE std::uint64_t zip(std::uint64_t a, std::uint64_t b) {
    return spread_pairs(a) | spread_pairs(b) << 2;
  }
};

struct PackPredLower {  // bit 2k to bit k
  TS_INLINE VPred operator()(const VPred& a) const {
    return {{pack_lane_bits<2>(a.word[0]) | pack_lane_bits<2>(a.word[1]) << 32,
             pack_lane_bits<2>(a.word[2]) | pack_lane_bits<2>(a.word[3]) << 32, 0, 0}};
  }
};

struct UnpackPredLower {  // bit k to bit 2k, k < 128
  TS_INLINE VPred operator()(const VPred& a) const {
    return {{spread_lane_bits<2>(a.word[0]), spread_lane_bits<2>(a.word[0] >> 32), spread_lane_bits<2>(a.word[1]),
             spread_lane_bits<2>(a.word[1] >> 32)}};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
