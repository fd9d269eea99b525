// Registers and predicates as lowerings hold them that are compiled once for all element types, and the interface of what
// does such a lowering's operations in another way: the trace and the tag machine.
#pragma once

#include <initializer_list>
#include <memory>

#include "core/engine/block_core.h"
#include "core/engine/ordered.h"
#include "core/engine/product.h"
#include "core/engine/tag/tag.h"
#include "core/engine/trace/trace.h"

namespace ts {

// The tags of a register's bytes, byte 0 to 3 of each tag.
struct TagPlanes {
  Block plane[4];
};
// Ruled: byte k has the tag first + ((k & mask) >> shift), as plain loads (mask 255, shift 0), fresh nodes (mask 255,
// 2^shift: the lane's width), broadcasts of an element (mask: width - 1) and of a scalar (mask 0) make it; most registers
// never need their planes.
struct RegTags {
  enum class Origin : std::uint8_t { None, Ruled, Planes } origin = Origin::None;
  std::uint8_t mask = 0, shift = 0;
  Tag first = kNoTag;
  std::shared_ptr<const TagPlanes> planes;
};
// The tags of a predicate's bits. Mapped: bit k has the tag first + map[k]. Listed: each bit its own.
struct PredTags {
  enum class Kind : std::uint8_t { None, Mapped, Listed } kind = Kind::None;
  Tag first = kNoTag;
  const BitMap* map = nullptr;
  std::shared_ptr<const std::array<Tag, 256>> list;

  bool any() const { return kind != Kind::None; }
  Tag tag(std::size_t bit) const {
    if (kind == Kind::Listed) return (*list)[bit];
    return kind == Kind::None || (*map)[bit] < 0 ? kNoTag : first + static_cast<Tag>((*map)[bit]);
  }
};

// What the machine that made a value keeps beside it: the trace machine its number, the tag machine its tags.
struct AnyReg : Block {
  std::uint32_t id = 0;
  RegTags tags;
};
struct AnyPred {
  VPred p{};
  std::uint32_t id = 0;
  PredTags tags;
};
struct AnyRegPair {
  AnyReg lo, hi;
};
struct AnyPredPair {
  AnyPred lo, hi;
};
struct AnySum {
  AnyReg sum;
  AnyPred carry;
};

// 128 counts of 16 bits: how many active bytes are first + i, or (cumulative) at most that.
void count_bytes(Block& out, std::uint32_t first, bool cumulative, const Block& bytes, const VPred& pred);
// Lane i is the lane of a that index i names, modulo the number of lanes.
void pick_lanes(Block& out, std::uint32_t width, const Block& a, const Block& indices);
// The active lanes in front, zeros behind them.
void squeeze_lanes(Block& out, std::uint32_t width, const Block& a, const VPred& pred);
// Lane i is how many lanes before it are active.
void rank_lanes(Block& out, std::uint32_t width, const VPred& pred);

class CoreWatcher {
 public:
  virtual void micro(const MicroOp& op, DType type, std::initializer_list<TraceArg> args) = 0;

  virtual void load(AnyReg& out, LoadKind kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
                    std::uint32_t size, std::uint32_t align, std::uint32_t param) = 0;
  virtual void load2(AnyRegPair& out, DType type, const MicroOp& op, Space space, std::uint64_t address,
                     std::uint32_t size, std::uint32_t align) = 0;
  virtual void load_blocks(AnyReg& out, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes,
                           const AnyPred& needed) = 0;
  virtual void load_predicate(AnyPred& out, PredLoad kind, DType type, const MicroOp& op, Space space,
                              std::uint64_t address, std::uint32_t align) = 0;
  virtual void store_lanes(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t align, const AnyReg& v,
                           const AnyPred& pred) = 0;
  virtual void store_blocks(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes,
                            const AnyReg& v, const AnyPred& pred) = 0;
  virtual void store_pairs(const MicroOp& op, std::uint64_t address, const AnyReg& lo, const AnyReg& hi,
                           const AnyPred& pred) = 0;
  virtual void store_span(const MicroOp& op, Space space, std::uint64_t address, const AnyReg& v,
                          std::uint32_t size) = 0;
  virtual void store_predicate(PredStore kind, const MicroOp& op, Space space, std::uint64_t address,
                               std::uint32_t bytes, const AnyPred& pred) = 0;
  virtual void gather(AnyReg& out, DType element, DType index, int scale, const MicroOp& op, const Indexed& where,
                      const AnyReg& idx, const AnyPred& pred) = 0;
  virtual void scatter(DType element, DType index, int scale, const MicroOp& op, const Indexed& where,
                       const AnyReg& idx, const AnyReg& v, const AnyPred& pred) = 0;
  virtual void gather_blocks(AnyReg& out, DType type, const MicroOp& op, const Indexed& where, const AnyReg& offsets,
                             std::uint32_t needed) = 0;
  virtual void turn_blocks(TurnKind kind, const MicroOp& op, const BlockList& dst, const BlockList& src,
                           std::uint32_t repeats, std::uint32_t dst_step, std::uint32_t src_step) = 0;

  virtual void lanewise(AnyReg& out, LaneOp op, DType type, const AnyPred& pred,
                        std::initializer_list<const AnyReg*> operands) = 0;
  virtual void compare(AnyPred& out, CompareOp op, DType type, const AnyPred& seed, const AnyReg& a,
                       const AnyReg& b) = 0;
  virtual void reduce(AnyReg& out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const AnyPred& pred,
                      const AnyReg& a) = 0;
  virtual void convert(AnyReg& out, DType to, DType from, const Conversion& how, const AnyPred& pred,
                       const AnyReg& a) = 0;
  virtual void add_with_carry(AnySum& out, bool subtract, const AnyReg& a, const AnyReg& b, const AnyPred& carry_in,
                              const AnyPred& pred) = 0;
  virtual void select(AnyReg& out, DType type, const AnyPred& pred, const AnyReg& on, const AnyReg& off) = 0;
  virtual void move(AnyReg& out, Move kind, DType type, std::uint32_t param, const AnyReg& a, const AnyReg& b) = 0;
  virtual void move2(AnyRegPair& out, Move2 kind, DType type, const AnyReg& a, const AnyReg& b) = 0;
  virtual void move_predicate(AnyPred& out, PredMove kind, const AnyPred& a) = 0;
  virtual void move_predicates(AnyPredPair& out, PredMove2 kind, const AnyPred& a, const AnyPred& b) = 0;
  virtual void combine_predicates(AnyPred& out, PredLogic kind, const AnyPred& a, const AnyPred& b,
                                  const AnyPred& mask) = 0;
  virtual void broadcast(AnyReg& out, DType type, const LaneScalar& scalar, const AnyPred& pred) = 0;
  virtual void histogram(AnyReg& out, std::uint32_t first, bool cumulative, const AnyReg& bytes,
                         const AnyPred& pred) = 0;
  virtual void pick(AnyReg& out, DType type, const AnyReg& a, const AnyReg& indices) = 0;
  virtual void squeeze(AnyReg& out, DType type, const AnyReg& a, const AnyPred& pred) = 0;
  virtual void rank(AnyReg& out, DType type, const AnyPred& pred) = 0;
  // The micro-operation begins another of its repeats.
  virtual void repeat() = 0;
  // Values that depend on no data.
  virtual void made(AnyReg& value, DType type) = 0;
  virtual void made(AnyPred& value) = 0;
  // The value made last is no result of the micro-operation, but a step on the way.
  virtual void hide(std::uint32_t id) = 0;

  virtual void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                            const LaneScalar& scalar) = 0;
  virtual void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from,
                    std::uint32_t size) = 0;
  virtual void copy_elements(const MicroOp& op, const SpacedElements& to, const SpacedElements& from,
                             std::uint32_t elem_bytes, std::uint32_t count) = 0;
  virtual void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes,
                    std::uint32_t count, const LaneScalar& scalar) = 0;
  virtual void move_ordered(const MicroOp& op, const OrderedMoves& order) = 0;
  // `bits`: the results.
  virtual void multiply(const MicroOp& op, const Product& product, std::span<const std::uint32_t> bits) = 0;
  virtual void unspecified(Space space, std::uint64_t address, std::uint32_t size, const char* why) = 0;

  // Data for the instruction's data rules, before anything is written: whether there is something odd.
  virtual void watched(const WatchesData&) {}
  // What the lowering itself looked at: a predicate, a control register. It may do something else for others.
  virtual void looked(const AnyPred&) {}
  virtual void looked(Space, std::uint64_t, std::uint64_t) {}
  virtual void watched_bits(const AnyReg&, const AnyPred&, std::uint32_t) {}

 protected:
  ~CoreWatcher() = default;
};

}  // namespace ts
