// The run machine behind an interface: registers are blocks in memory, element types are asked at run time. One
// implementation per SIMD level (block_core.cpp); any_core.h is what lowerings see of it.
#pragma once

#include <cstddef>
#include <optional>

#include "core/engine/address.h"
#include "core/engine/registers.h"
#include "core/engine/step_context.h"
#include "core/engine/value_kinds.h"

namespace ts {

class BlockCore {
 public:
  virtual void finish() = 0;
  // The write log so far: entries, with what is still being joined; and a log of nobody, to start again.
  virtual std::size_t logged() = 0;
  virtual void forget_log() = 0;

  // --- memory
  virtual void load(Block& out, LoadKind kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
                    std::uint32_t size, std::uint32_t align, std::uint32_t param) = 0;
  virtual void load2(Block& lo, Block& hi, DType type, const MicroOp& op, Space space, std::uint64_t address,
                     std::uint32_t size, std::uint32_t align) = 0;
  virtual void load_blocks(Block& out, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes,
                           const VPred& needed) = 0;
  virtual VPred load_predicate(PredLoad kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
                               std::uint32_t align) = 0;
  virtual void store_lanes(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t align, const Block& v,
                           const VPred& pred) = 0;
  virtual void store_blocks(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes,
                            const Block& v, const VPred& pred) = 0;
  virtual void store_pairs(const MicroOp& op, std::uint64_t address, const Block& lo, const Block& hi,
                           const VPred& pred) = 0;
  virtual void store_span(const MicroOp& op, Space space, std::uint64_t address, const Block& v,
                          std::uint32_t size) = 0;
  virtual void gather(Block& out, DType element, DType index, int scale, const MicroOp& op, const Indexed& where,
                      const Block& idx, const VPred& pred) = 0;
  virtual void scatter(DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const Block& idx,
                       const Block& v, const VPred& pred) = 0;
  virtual void gather_blocks(Block& out, DType type, const MicroOp& op, const Indexed& where, const Block& offsets,
                             std::uint32_t needed) = 0;
  virtual void turn_blocks(TurnKind kind, const MicroOp& op, const BlockList& dst, const BlockList& src,
                           std::uint32_t repeats, std::uint32_t dst_step, std::uint32_t src_step) = 0;
  virtual void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                            const LaneScalar& scalar) = 0;
  virtual void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from,
                    std::uint32_t size) = 0;
  virtual void copy_elements(const MicroOp& op, const SpacedElements& to, const SpacedElements& from,
                             std::uint32_t elem_bytes, std::uint32_t count) = 0;
  virtual void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes,
                    std::uint32_t count, const LaneScalar& scalar) = 0;
  virtual void watch_bits(const Block& offsets, const VPred& pred, std::uint32_t forbidden) = 0;
  virtual void unspecified(Space space, std::uint64_t address, std::uint32_t size) = 0;

  // --- values; they know no memory
  virtual void lanewise(Block& out, LaneOp op, DType type, const VPred& pred, const Block& a, const Block& b,
                        const Block& c) = 0;
  virtual void compare(VPred& out, CompareOp op, DType type, const VPred& seed, const Block& a, const Block& b) = 0;
  virtual void reduce(Block& out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const VPred& pred,
                      const Block& a) = 0;
  virtual void convert(Block& out, DType to, DType from, const Conversion& how, const VPred& pred, const Block& a) = 0;
  virtual void add_with_carry(Block& sum, VPred& carry, bool subtract, const Block& a, const Block& b,
                              const VPred& carry_in, const VPred& pred) = 0;
  virtual void select(Block& out, DType type, const VPred& pred, const Block& on, const Block& off) = 0;
  virtual void broadcast(Block& out, DType type, std::uint64_t bits, const VPred& pred) = 0;
  virtual void move(Block& out, Move kind, DType type, std::uint32_t param, const Block& a, const Block& b) = 0;
  virtual void move2(Block& lo, Block& hi, Move2 kind, DType type, const Block& a, const Block& b) = 0;
  virtual void zero_inactive(Block& v, DType type, const VPred& pred) = 0;
  virtual VPred pred_of_bytes(PredLoad kind, DType type, const std::uint8_t* from) = 0;

 protected:
  ~BlockCore() = default;
};

// A block core of the best SIMD level, in a place of its own: it lives as long as the place does.
struct BlockCorePlace {
  alignas(64) std::byte bytes[512];
};
BlockCore& make_block_core(BlockCorePlace& place, StepContext& context);
// One whose memory is elsewhere, and whose log nobody reads.
BlockCore& make_block_core(BlockCorePlace& place, StepContext& context, std::uint8_t* memory, WritePattern* scratch,
                           std::size_t scratch_size);

// One lane by itself: bits from bits. A type without the operation gives nothing.
std::optional<std::uint64_t> compute_lane(LaneOp op, DType type, std::uint64_t a, std::uint64_t b);

// Predicates have no need of SIMD.
VPred move_predicate(PredMove kind, const VPred& a);
VPredPair move_predicates(PredMove2 kind, const VPred& a, const VPred& b);
VPred combine_predicates(PredLogic kind, const VPred& a, const VPred& b, const VPred& mask);
// Bytes in memory, and how many of the predicate's bits make one of memory's.
std::uint32_t stored_bytes(PredStore kind);
std::uint32_t stored_step(PredStore kind);
void predicate_bytes(PredStore kind, const VPred& pred, std::uint8_t* to);
std::uint32_t loaded_bytes(PredLoad kind, DType type);

}  // namespace ts
