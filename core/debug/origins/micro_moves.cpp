// Which bits a micro-step moved, by the kinds of micro-operations. A test compares the bits on both sides.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/debug/origins/micro_view.h"

namespace ts {
namespace {

MicroPlace in_memory(Space space, std::uint64_t address) {
  return {.memory = true, .space = space, .bit = 8 * address};
}
MicroPlace in_value(std::uint32_t value, std::uint64_t bit) {
  return {.value = value, .bit = bit};
}

class Mover {
 public:
  Mover(const Trace& trace, std::uint32_t micro)
      : trace_(trace),
        micro_(micro),
        step_(trace.steps[micro]),
        name_(step_.op->name),
        bits_(8 * size_bytes(step_.type)) {
    for (const TraceArg& arg : step_.args) {
      if (arg.kind == TraceArg::Kind::Value) values_.push_back(arg.value_id);
      if (arg.kind == TraceArg::Kind::Address) addresses_.push_back(&arg);
    }
  }

  std::vector<MicroMove> find() {
    if (step_.op->flow == FlowKind::Load)
      load();
    else if (step_.op->flow == FlowKind::Store)
      store();
    else if (name_ == "emu.plds")
      load_bits();
    else if (name_ == "emu.vsts_intlv")
      store_words();
    else if (name_ == "vintlv")
      interleave(values_[0], values_[1], step_.made[0], step_.made[1], bits_);
    else if (name_ == "vdintlv")
      interleave(step_.made[0], step_.made[1], values_[0], values_[1], bits_, true);
    else if (name_ == "pintlv_b16")
      interleave(values_[0], values_[1], step_.made[0], step_.made[1], 2);
    else if (name_ == "punpack")
      spread(values_[0], step_.made[0]);
    else if (name_ == "vsel")
      select();
    else if (name_ == "vnchwconv")
      turn_blocks();
    return std::move(moves_);
  }

 private:
  void add(const MicroPlace& from, const MicroPlace& to, std::uint32_t bits) {
    if (!moves_.empty() && follows(moves_.back().from, from) && follows(moves_.back().to, to))
      moves_.back().bits += bits;
    else
      moves_.push_back({from, to, bits});
  }
  bool follows(MicroPlace last, const MicroPlace& next) const {
    last.bit += moves_.back().bits;
    return last == next;
  }
  MicroPlace read(std::size_t access, std::uint32_t byte = 0) const {
    return in_memory(step_.reads[access].space, std::uint64_t{step_.reads[access].address} + byte);
  }

  void load() {
    if (step_.made.empty() || step_.reads.empty()) return;
    if (name_ == "vlds.DINTLV_B32")
      load_pairs();
    else if (name_ == "vlds.UNPK_B8")
      spread_lanes(8, 16);
    else if (name_.starts_with("plds"))
      load_bits();
    else if (name_ == "vgather2")
      gather();
    else if (name_ == "vgatherb")
      gather_blocks();
    else
      add(read(0), in_value(step_.made[0], 0), 8 * std::min(step_.reads[0].size, VL));
  }
  void load_pairs() {
    for (std::uint32_t word = 0; word < VL / 2; ++word)
      add(read(0, 4 * word), in_value(step_.made[word % 2], std::uint64_t{word / 2} * 32), 32);
  }
  void spread_lanes(std::uint32_t bits, std::uint32_t lane) {
    for (std::uint32_t i = 0; i < 8 * VL / lane; ++i)
      add(read(0, i * bits / 8), in_value(step_.made[0], std::uint64_t{i} * lane), bits);
  }
  // Half as many bits as a predicate has go into two each.
  void load_bits() {
    const std::uint32_t bits = 8 * step_.reads[0].size, copies = 8 * VL / 8 / bits;
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      for (std::uint32_t copy = 0; copy < copies; ++copy) {
        MicroPlace from = read(0);
        from.bit += bit;
        add(from, in_value(step_.made[0], std::uint64_t{bit} * copies + copy), 1);
      }
    }
  }

  // Indices have 32 bits for elements of 32, else 16. Only active lanes are read, in their order.
  DType index_type() const { return bits_ == 32 ? DType::U32 : DType::U16; }
  void gather() {
    std::size_t access = 0;
    const TraceValue& active = trace_.values[values_[1]];
    for (std::uint32_t lane = 0; lane < lane_count(index_type()) && access < step_.reads.size(); ++lane)
      if (lane_is_on(active, index_type(), lane))
        add(read(access++), in_value(step_.made[0], std::uint64_t{lane} * 8 * size_bytes(index_type())), bits_);
  }
  void gather_blocks() {
    for (std::uint32_t k = 0; k < step_.reads.size(); ++k)
      add(read(k), in_value(step_.made[0], std::uint64_t{k} * 8 * BLK), 8 * BLK);
  }

  void store() {
    if (values_.empty() || addresses_.empty()) return;
    if (name_ == "vscatter")
      scatter();
    else if (name_ == "vsts.PK_B16")
      store_low_bytes();
    else
      store_straight(addresses_[0], values_[0]);
  }
  // What stands before the address belongs to a stream, and came with earlier micro-steps.
  void store_straight(const TraceArg* to, std::uint32_t value) {
    const std::uint64_t base = address_of(*to);
    if (name_ == "vstas") return;
    for (const TraceAccess& write : step_.writes)
      if (write.address >= base)
        add(in_value(value, 8 * (write.address - base)), in_memory(write.space, write.address), 8 * write.size);
  }
  void store_low_bytes() {
    const std::uint64_t base = address_of(*addresses_[0]);
    for (const TraceAccess& write : step_.writes)
      for (std::uint32_t i = 0; i < write.size; ++i)
        add(in_value(values_[0], 16 * (write.address + i - base)),
            in_memory(write.space, std::uint64_t{write.address} + i), 8);
  }
  void scatter() {
    const TraceValue &index = trace_.values[values_[1]], &active = trace_.values[values_[2]];
    const std::uint32_t lane_width = 8 * size_bytes(index_type());
    for (std::uint32_t lane = 0; lane < lane_count(index_type()); ++lane) {
      if (!lane_is_on(active, index_type(), lane)) continue;
      const std::uint64_t to = address_of(*addresses_[0]) + lane_bits(index, index_type(), lane) * (bits_ / 8);
      add(in_value(values_[0], std::uint64_t{lane} * lane_width), in_memory(addresses_[0]->space, to), bits_);
    }
  }
  // Words of two registers, alternating in memory.
  void store_words() {
    const std::uint64_t base = address_of(*addresses_[0]);
    for (const TraceAccess& write : step_.writes) {
      for (std::uint32_t byte = 0; byte < write.size; byte += 4) {
        const std::uint64_t word = (write.address + byte - base) / 4;
        add(in_value(values_[word % 2], word / 2 * 32), in_memory(write.space, std::uint64_t{write.address} + byte),
            32);
      }
    }
  }

  // Lanes of a and b alternate in lo followed by hi; `reverse`: they come from there.
  void interleave(std::uint32_t a, std::uint32_t b, std::uint32_t lo, std::uint32_t hi, std::uint32_t width,
                  bool reverse = false) {
    const bool predicates = trace_.values[a].kind == TraceValue::Kind::Predicate;
    const std::uint32_t lanes = (predicates ? VL : 8 * VL) / width;
    for (std::uint32_t i = 0; i < 2 * lanes; ++i) {
      const MicroPlace one = in_value(i % 2 == 0 ? a : b, std::uint64_t{i / 2} * width);
      const MicroPlace other = in_value(i < lanes ? lo : hi, std::uint64_t{i % lanes} * width);
      if (reverse)
        add(other, one, width);
      else
        add(one, other, width);
    }
  }
  void spread(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t bit = 0; bit < VL / 2; ++bit) add(in_value(from, bit), in_value(to, 2 * std::uint64_t{bit}), 1);
  }
  void select() {
    const TraceValue& chosen = trace_.values[values_[2]];
    for (std::uint32_t lane = 0; lane < lane_count(step_.type); ++lane) {
      const std::uint64_t bit = std::uint64_t{lane} * bits_;
      add(in_value(values_[lane_is_on(chosen, step_.type, lane) ? 0 : 1], bit), in_value(step_.made[0], bit), bits_);
    }
  }

  // --- A2A3: 16 blocks turned over ---

  // The addresses that the last set_va_reg with this first address gave; the instruction names the first one only.
  const MicroStep* addresses_from(std::uint64_t first) const {
    for (std::uint32_t back = micro_; back-- > 0;) {
      const MicroStep& step = trace_.steps[back];
      if (std::string_view(step.op->name) == "set_va_reg" && step.args[1].base == first) return &step;
      if (micro_ - back > 12) return nullptr;  // a sequence is eight long
    }
    return nullptr;
  }
  std::uint64_t count(std::string_view wanted) const {
    for (const TraceArg& arg : step_.args)
      if (arg.kind == TraceArg::Kind::Count && wanted == arg.name) return arg.base;
    return 0;
  }
  void turn_blocks() {
    const MicroStep* to = addresses_from(addresses_[0]->base);
    if (to == nullptr) return;
    const std::uint32_t size = bits_ / 8, cols = size == 1 ? BLK / 2 : BLK / size;
    for (std::uint32_t access = 0; access < step_.reads.size(); ++access) {
      const std::uint64_t repeat = access / 16, row = access % 16, step = repeat * count("ds") * BLK;
      for (std::uint32_t col = 0; col < cols; ++col) {
        // Blocks of 32-bit elements are two a column: one for the first eight rows, one for the others.
        const std::uint64_t block = size == 4 ? 2 * col + row / 8 : col, place = size == 4 ? row % 8 : row;
        const std::uint64_t half = size == 1 ? count("dst half") * (BLK / 2) : 0;
        add(read(access, col * size), in_memory(Space::Ub, to->args[1 + block].base + half + step + place * size),
            bits_);
      }
    }
  }

  const Trace& trace_;
  std::uint32_t micro_;
  const MicroStep& step_;
  std::string_view name_;
  std::uint32_t bits_;  // of a lane
  std::vector<std::uint32_t> values_;
  std::vector<const TraceArg*> addresses_;
  std::vector<MicroMove> moves_;
};

}  // namespace

std::vector<MicroMove> moves_of(const Trace& trace, std::uint32_t micro) {
  return Mover(trace, micro).find();
}

std::optional<MicroPlace> origin_of(const std::vector<MicroMove>& moves, const MicroPlace& place) {
  for (const MicroMove& move : moves) {
    const bool same = move.to.memory == place.memory && move.to.value == place.value && move.to.space == place.space;
    if (!same || place.bit < move.to.bit || place.bit >= move.to.bit + move.bits) continue;
    MicroPlace from = move.from;
    from.bit += place.bit - move.to.bit;
    return from;
  }
  return {};
}

// --- who moved bytes ---

namespace {

bool holds(const TraceAccess& access, Space space, std::uint64_t address) {
  return access.space == space && address >= access.address && address < std::uint64_t{access.address} + access.size;
}

// The last micro-step before `end` that wrote a byte, and which of its accesses did.
struct Writer {
  std::uint32_t micro, access;
};
std::optional<Writer> writer_of(const Trace& trace, std::size_t end, Space space, std::uint64_t address) {
  for (std::size_t micro = end; micro-- > 0;) {
    const std::vector<TraceAccess>& writes = trace.steps[micro].writes;
    for (std::uint32_t i = 0; i < writes.size(); ++i)
      if (holds(writes[i], space, address)) return Writer{static_cast<std::uint32_t>(micro), i};
  }
  return {};
}

std::uint32_t repeat_that_wrote(const Trace& trace, std::uint32_t micro, std::uint64_t address) {
  const std::vector<MicroMove> moves = moves_of(trace, micro);
  const std::uint32_t repeats = std::max(1u, static_cast<std::uint32_t>(trace.steps[micro].reads.size() / 16));
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (moves[i].to.memory && 8 * address >= moves[i].to.bit && 8 * address < moves[i].to.bit + moves[i].bits)
      return static_cast<std::uint32_t>(i * repeats / moves.size());
  return 0;
}

}  // namespace

std::optional<MicroMover> mover_of(const Trace& trace, const MicroIndex& index, ByteRange place) {
  const std::optional<Writer> writer = writer_of(trace, trace.steps.size(), place.space, place.address);
  if (!writer) return {};
  const MicroStep& step = trace.steps[writer->micro];
  if (step.op->flow == FlowKind::Store) {
    for (const MicroMove& move : moves_of(trace, writer->micro)) {
      const std::uint64_t bit = 8 * std::uint64_t{place.address};
      if (move.from.memory || !move.to.memory || bit < move.to.bit || bit >= move.to.bit + move.bits) continue;
      const std::uint32_t maker = index.value(move.from.value).maker;
      if (trace.steps[maker].op->flow != FlowKind::Load && trace.steps[maker].op->flow != FlowKind::Permutation) break;
      if (std::string_view(step.op->name) == "vscatter") break;  // it says itself where to
      return MicroMover{maker, 0, static_cast<std::uint32_t>((move.from.bit + bit - move.to.bit) / 8)};
    }
  }
  if (step.op->flow == FlowKind::Copy && step.reads.size() == step.writes.size()) {
    const TraceAccess& read = step.reads[writer->access];
    const std::uint64_t source = std::uint64_t{read.address} + place.address - step.writes[writer->access].address;
    const std::optional<Writer> before = writer_of(trace, writer->micro, read.space, source);
    if (before && std::string_view(trace.steps[before->micro].op->name) == "vnchwconv")
      return MicroMover{before->micro, repeat_that_wrote(trace, before->micro, source), {}};
  }
  return MicroMover{writer->micro, 0, {}};
}

}  // namespace ts
