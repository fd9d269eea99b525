// The run machine for registers in memory: each operation is the hot machine's primitive between a load and a store of its
// registers, or a value function of a table.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/block_core.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/engine/level_functions-inl.h"
#include "core/engine/run-inl.h"

#include <cstdlib>
#include <new>

#include "core/engine/block_core.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// Bytes that are in memory already go to where they belong without passing through a register.
class RunCoreOfBlocks : public RunCore {
 public:
  explicit TS_INLINE RunCoreOfBlocks(StepContext& context) : RunCore(context) {}
  TS_INLINE RunCoreOfBlocks(StepContext& context, std::uint8_t* memory, WriteLog::Cursor cursor)
      : RunCore(context, memory, cursor) {}
  TS_INLINE void store_bytes(const MicroOp& op, Space space, std::uint64_t address, const std::uint8_t* from,
                             std::uint32_t size) {
    if (size == 0 || !reachable(op, space, address, size, 1)) return;
    if (size == VL) std::memcpy(host(space, address), from, VL);
    else std::memcpy(host(space, address), from, size);
    log_write(flat(space, address), size);
  }
};

class RunBlocks final : public BlockCore {
 public:
  explicit RunBlocks(StepContext& context) : core_(context) {}
  RunBlocks(StepContext& context, std::uint8_t* memory, WritePattern* scratch, std::size_t scratch_size)
      : core_(context, memory, {scratch, scratch + scratch_size}), scratch_{scratch, scratch + scratch_size} {}

  void finish() override { core_.finish(); }
  std::size_t logged() override { return core_.logged(); }
  void forget_log() override { core_.forget_log(scratch_); }

  void load(Block& out, LoadKind kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
            std::uint32_t size, std::uint32_t align, std::uint32_t param) override {
    switch (kind) {
      case LoadKind::Norm: return put(core_.load(op, space, address, size, align, LoadNorm()), out);
      case LoadKind::Broadcast:
        return by_width(type, [&](auto lane) HWY_ATTR {
          put(core_.load(op, space, address, size, align, LoadBroadcast<TypeIn<decltype(lane)>>()), out);
        });
      case LoadKind::Unpack8: return put(core_.load(op, space, address, size, align, LoadUnpack8()), out);
      case LoadKind::Unpack16: return put(core_.load(op, space, address, size, align, LoadUnpack16()), out);
      case LoadKind::Some: return put(core_.load(op, space, address, size, align, LoadSome{param}), out);
      case LoadKind::Block: return put(core_.load(op, space, address, size, align, LoadBlock()), out);
      case LoadKind::BlockAll: return put(core_.load(op, space, address, size, align, LoadBlockAll()), out);
    }
  }
  void load2(Block& lo, Block& hi, DType type, const MicroOp& op, Space space, std::uint64_t address,
             std::uint32_t size, std::uint32_t align) override {
    by_width(type, [&](auto lane) HWY_ATTR {
      if constexpr (sizeof(TypeIn<decltype(lane)>) < 8) {
        auto pair = core_.load2(op, space, address, size, align, LoadDeinterleaved<TypeIn<decltype(lane)>>());
        put(pair.lo, lo);
        put(pair.hi, hi);
      }
    });
  }
  void load_blocks(Block& out, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes,
                   const VPred& needed) override {
    put(core_.load_blocks(op, address, stride_bytes, needed), out);
  }
  VPred load_predicate(PredLoad kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
                       std::uint32_t align) override {
    switch (kind) {
      case PredLoad::Norm: return core_.load_predicate(op, space, address, align, LoadPredNorm());
      case PredLoad::Unpacked: return core_.load_predicate(op, space, address, align, LoadPredUnpacked());
      case PredLoad::Thinned: return core_.load_predicate(op, space, address, align, LoadPredThinned());
      case PredLoad::LaneBits: break;
    }
    return by_width(type, [&](auto lane) HWY_ATTR {
      return core_.load_predicate(op, space, address, align, LoadLaneBits<TypeIn<decltype(lane)>>());
    });
  }
  VPred pred_of_bytes(PredLoad kind, DType type, const std::uint8_t* from) override {
    switch (kind) {
      case PredLoad::Norm: return LoadPredNorm()(from);
      case PredLoad::Unpacked: return LoadPredUnpacked()(from);
      case PredLoad::Thinned: return LoadPredThinned()(from);
      case PredLoad::LaneBits: break;
    }
    return by_width(type, [&](auto lane) HWY_ATTR { return LoadLaneBits<TypeIn<decltype(lane)>>()(from); });
  }
  void store_lanes(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t align, const Block& v,
                   const VPred& pred) override {
    by_width(type, [&](auto lane) HWY_ATTR {
      core_.template store_lanes<TypeIn<decltype(lane)>>(op, address, align, get(v), pred);
    });
  }
  void store_blocks(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Block& v,
                    const VPred& pred) override {
    by_width(type, [&](auto lane) HWY_ATTR {
      core_.template store_blocks<TypeIn<decltype(lane)>>(op, address, stride_bytes, get(v), pred);
    });
  }
  void store_pairs(const MicroOp& op, std::uint64_t address, const Block& lo, const Block& hi,
                   const VPred& pred) override {
    core_.store_pairs(op, address, get(lo), get(hi), pred);
  }
  void store_span(const MicroOp& op, Space space, std::uint64_t address, const Block& v, std::uint32_t size) override {
    core_.store_bytes(op, space, address, v.bytes, size);
  }
  void gather(Block& out, DType element, DType index, int scale, const MicroOp& op, const Indexed& where,
              const Block& idx, const VPred& pred) override {
    by_gather(element, index, scale, [&](auto e, auto i, auto s) HWY_ATTR {
      put(core_.template gather<TypeIn<decltype(e)>, TypeIn<decltype(i)>, decltype(s)::value>(op, where, get(idx),
                                                                                              pred),
          out);
    });
  }
  void scatter(DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const Block& idx,
               const Block& v, const VPred& pred) override {
    by_gather(element, index, scale, [&](auto e, auto i, auto s) HWY_ATTR {
      core_.template scatter<TypeIn<decltype(e)>, TypeIn<decltype(i)>, decltype(s)::value>(op, where, get(idx), get(v),
                                                                                           pred);
    });
  }
  void gather_blocks(Block& out, DType type, const MicroOp& op, const Indexed& where, const Block& offsets,
                     std::uint32_t needed) override {
    (void)type;
    put(core_.template gather_blocks<std::uint8_t>(op, where, get(offsets), needed), out);
  }
  void turn_blocks(TurnKind kind, const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats,
                   std::uint32_t dst_step, std::uint32_t src_step) override {
    switch (kind) {
      case TurnKind::Bytes: return core_.turn_blocks(op, dst, src, repeats, dst_step, src_step, TurnBlocks8());
      case TurnKind::Halves: return core_.turn_blocks(op, dst, src, repeats, dst_step, src_step, TurnBlocks16());
      case TurnKind::Words: return core_.turn_blocks(op, dst, src, repeats, dst_step, src_step, TurnBlocks32());
    }
  }
  void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                    const LaneScalar& scalar) override {
    core_.store_scalar(op, space, address, size, scalar);
  }
  void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from,
            std::uint32_t size) override {
    core_.copy(op, to_space, to, from_space, from, size);
  }
  void copy_elements(const MicroOp& op, const SpacedElements& to, const SpacedElements& from, std::uint32_t elem_bytes,
                     std::uint32_t count) override {
    core_.copy_elements(op, to, from, elem_bytes, count);
  }
  void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count,
            const LaneScalar& scalar) override {
    core_.fill(op, space, address, elem_bytes, count, scalar);
  }
  void watch_bits(const Block& offsets, const VPred& pred, std::uint32_t forbidden) override {
    core_.watch_bits(get(offsets), pred, forbidden);
  }
  void unspecified(Space space, std::uint64_t address, std::uint32_t size) override {
    core_.unspecified(space, address, size, "");
  }

  void lanewise(Block& out, LaneOp op, DType type, const VPred& pred, const Block& a, const Block& b,
                const Block& c) override {
    const LaneFunction function = lane_function(op, type);
    if (function == nullptr) std::abort();  // a lowering that asks for what its types do not have
    function(out.bytes, a.bytes, b.bytes, c.bytes, 1, {});
    zero_inactive(out, type, pred);
  }
  void compare(VPred& out, CompareOp op, DType type, const VPred& seed, const Block& a, const Block& b) override {
    const MaskedFunction function = compare_function(op, type);
    if (function == nullptr) std::abort();
    function(reinterpret_cast<std::uint8_t*>(&out), seed, a.bytes, b.bytes);
  }
  void reduce(Block& out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const VPred& pred,
              const Block& a) override {
    reduce_lanes(out.bytes, op, scope, order, type, pred, a.bytes);
  }
  void convert(Block& out, DType to, DType from, const Conversion& how, const VPred& pred, const Block& a) override {
    if (is_packed(to) || is_packed(from)) return convert_pairs(out, to, from, how, pred, a);
    if (size_bytes(to) == size_bytes(from)) {
      convert_lanes(out.bytes, to, a.bytes, from, VL / size_bytes(to), how.rounding, how.overflow);
      return zero_inactive(out, to, pred);
    }
    by_width(to, [&](auto narrow_or_wide) HWY_ATTR {
      by_width(from, [&](auto other) HWY_ATTR {
        using To = TypeIn<decltype(narrow_or_wide)>;
        using From = TypeIn<decltype(other)>;
        if constexpr (sizeof(To) != sizeof(From)) resize<To, From>(out, to, from, how, pred, a);
      });
    });
  }
  void add_with_carry(Block& sum, VPred& carry, bool subtract, const Block& a, const Block& b, const VPred& carry_in,
                      const VPred& pred) override {
    // a - b - (1 - carry) is a + ~b + carry, with the same carry out.
    Block addend = b;
    if (subtract)
      for (std::uint8_t& byte : addend.bytes) byte = static_cast<std::uint8_t>(~byte);
    auto out = core_.add_with_carry(get(a), get(addend), carry_in, pred);
    put(out.sum, sum);
    carry = out.carry;
  }
  void select(Block& out, DType type, const VPred& pred, const Block& on, const Block& off) override {
    select_function(type)(out.bytes, pred, on.bytes, off.bytes);
  }
  void broadcast(Block& out, DType type, std::uint64_t bits, const VPred& pred) override {
    by_width(type, [&](auto lane) HWY_ATTR {
      using U = TypeIn<decltype(lane)>;
      put(HWY_NAMESPACE::zero_inactive<U>(HWY_NAMESPACE::broadcast<U>(bits), pred), out);
    });
  }
  void move(Block& out, Move kind, DType type, std::uint32_t param, const Block& a, const Block& b) override {
    if (kind == Move::Splice) return put(SpliceBytes{param}(get(a), get(b)), out);
    if (kind == Move::Drop) return put(DropBytes{param}(get(a)), out);
    const LaneFunction function = move_function(kind, type);
    if (function == nullptr) std::abort();
    function(out.bytes, a.bytes, nullptr, nullptr, 1, {});
  }
  void move2(Block& lo, Block& hi, Move2 kind, DType type, const Block& a, const Block& b) override {
    by_width(type, [&](auto lane) HWY_ATTR {
      using U = TypeIn<decltype(lane)>;
      VPair pair = kind == Move2::Deinterleave ? Deinterleave<U>()(get(a), get(b)) : Interleave<U>()(get(a), get(b));
      put(pair.lo, lo);
      put(pair.hi, hi);
    });
  }
  void zero_inactive(Block& v, DType type, const VPred& pred) override {
    if (HWY_LIKELY(all_on(pred, size_bytes(type)))) return;
    zero_function(type)(v.bytes, pred, v.bytes, nullptr);
  }

 private:
  static TS_INLINE VReg get(const Block& v) { return load_register(v.bytes); }
  static TS_INLINE void put(const VReg& v, Block& out) { store_register(v, out.bytes); }
  // Conversion to lanes of another width, of which every ratio-th of the narrower ones takes part; the predicate counts
  // source lanes. Those that take part are taken and put by shifts of the wider lanes: of steps from one to the next the
  // compiler makes no vectors.
  template <class To, class From>
  static void resize(Block& out, DType to, DType from, const Conversion& how, const VPred& pred, const Block& a) {
    constexpr bool kNarrows = sizeof(To) < sizeof(From);
    using Wide = std::conditional_t<kNarrows, From, To>;
    using Low = std::conditional_t<kNarrows, To, From>;
    constexpr std::uint32_t kLanes = VL / sizeof(Wide);
    const std::uint32_t shift = 8 * sizeof(Low) * how.part;
    alignas(64) std::uint8_t source[VL];
    alignas(64) Low low[kLanes];
    store_register(HWY_NAMESPACE::zero_inactive<From>(get(a), pred), source);
    if constexpr (kNarrows) {
      convert_lanes(reinterpret_cast<std::uint8_t*>(low), to, source, from, kLanes, how.rounding, how.overflow);
      alignas(64) Wide result[kLanes];
      for (std::uint32_t i = 0; i < kLanes; ++i) result[i] = static_cast<Wide>(static_cast<Wide>(low[i]) << shift);
      std::memcpy(out.bytes, result, VL);
    } else {
      alignas(64) Wide lanes[kLanes];
      std::memcpy(lanes, source, VL);
      for (std::uint32_t i = 0; i < kLanes; ++i) low[i] = static_cast<Low>(lanes[i] >> shift);
      convert_lanes(out.bytes, to, reinterpret_cast<const std::uint8_t*>(low), from, kLanes, how.rounding,
                    how.overflow);
    }
  }
  // Two lanes of 16 bits to or from the elements of one byte, of which every fourth takes part.
  static void convert_pairs(Block& out, DType to, DType from, const Conversion& how, const VPred& pred,
                            const Block& a) {
    constexpr std::uint32_t kPairs = VL / 4;
    alignas(64) std::uint8_t codes[2 * kPairs], bytes[VL] = {};
    if (is_packed(to)) {
      alignas(64) std::uint8_t source[VL];
      store_register(HWY_NAMESPACE::zero_inactive<std::uint16_t>(get(a), pred), source);
      convert_lanes(codes, to, source, from, 2 * kPairs, how.rounding, how.overflow);
      for (std::uint32_t i = 0; i < kPairs; ++i)
        bytes[4 * i + how.part] = static_cast<std::uint8_t>(codes[2 * i] | codes[2 * i + 1] << 4);
      return copy_widely(out.bytes, bytes, VL);
    }
    store_register(HWY_NAMESPACE::zero_inactive<std::uint8_t>(get(a), pred), bytes);
    for (std::uint32_t i = 0; i < kPairs; ++i) {
      codes[2 * i] = bytes[4 * i + how.part] & 0xF;
      codes[2 * i + 1] = bytes[4 * i + how.part] >> 4;
    }
    convert_lanes(out.bytes, to, codes, from, 2 * kPairs, how.rounding, how.overflow);
  }
  // The combinations that the targets' gathers and scatters have.
  template <class F>
  static void by_gather(DType element, DType index, int scale, F f) {
    by_width(element, [&](auto e) HWY_ATTR {
      constexpr int kSize = sizeof(TypeIn<decltype(e)>);
      if constexpr (kSize <= 2) {
        if (size_bytes(index) == 2 && scale == kSize)
          return f(e, Lane<std::uint16_t>(), std::integral_constant<int, kSize>());
      }
      if constexpr (kSize <= 4) {
        if (size_bytes(index) == 4 && scale == kSize)
          return f(e, Lane<std::uint32_t>(), std::integral_constant<int, kSize>());
        if constexpr (kSize > 1) {
          if (size_bytes(index) == 4 && scale == 1)
            return f(e, Lane<std::uint32_t>(), std::integral_constant<int, 1>());
        }
      }
      std::abort();
    });
  }

  RunCoreOfBlocks core_;
  WriteLog::Cursor scratch_{};
};

BlockCore& make_run_blocks(BlockCorePlace& place, StepContext& context) {
  static_assert(sizeof(RunBlocks) <= sizeof(BlockCorePlace));
  return *new (place.bytes) RunBlocks(context);
}
BlockCore& make_plane_blocks(BlockCorePlace& place, StepContext& context, std::uint8_t* memory, WritePattern* scratch,
                             std::size_t scratch_size) {
  return *new (place.bytes) RunBlocks(context, memory, scratch, scratch_size);
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ts {

HWY_EXPORT(make_run_blocks);
HWY_EXPORT(make_plane_blocks);
BlockCore& make_block_core(BlockCorePlace& place, StepContext& context) {
  return HWY_DYNAMIC_DISPATCH(make_run_blocks)(place, context);
}
BlockCore& make_block_core(BlockCorePlace& place, StepContext& context, std::uint8_t* memory, WritePattern* scratch,
                           std::size_t scratch_size) {
  return HWY_DYNAMIC_DISPATCH(make_plane_blocks)(place, context, memory, scratch, scratch_size);
}

}  // namespace ts
#endif
