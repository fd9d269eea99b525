// Telling a micro-operation's accesses and registers apart by repeat, from the order in which it makes them.
#include "core/debug/origins/micro_repeats.h"

#include <algorithm>
#include <string_view>

#include "core/debug/origins/micro_view.h"

namespace ts {
namespace {

// What is made once, and what is made in each repeat, in order. L lanes, M mask bits, S scalar, A and B inputs, O
// offsets, G gathered and stored, W gathered and packed afterwards, D result, - made on the way.
struct Order {
  std::string_view op, once, each;
};
constexpr Order kOrders[] = {
    {"vadd", "", "LABD"},    {"vector_dup", "-D", "L"},   {"vsel.mode1", "S", "LMAD"}, {"vsel.mode2", "", "LMABD"},
    {"vgatherb", "", "OGL"}, {"emu.vgatherb", "", "OGL"}, {"vgather", "", "LOG"},      {"scalar gather", "", "LOG"},
};
constexpr std::string_view kPacked = "LOWD";  // elements below 32 bits

const char* input_name(char what) {
  switch (what) {
    case 'A':
      return "A";
    case 'B':
      return "B";
    case 'O':
      return "offsets";
    case 'M':
      return "mask bits";
    case 'S':
      return "scalar";
    default:
      return "gathered";
  }
}

class Reader {
 public:
  Reader(const Trace& trace, const MicroStep& step, const Order& order)
      : trace_(trace), step_(step), once_(order.once), each_(order.each) {
    by_element_ = order.each == "LOG";
    if (by_element_ && size_bytes(step.type) < 4) each_ = kPacked;
  }

  std::vector<MicroRepeat> find() {
    MicroRepeat shared;
    read(once_, shared);
    std::vector<MicroRepeat> repeats;
    while (value_ + each_.size() <= step_.made.size()) {
      MicroRepeat repeat = shared;
      read(each_, repeat);
      take_writes(repeat);
      repeats.push_back(std::move(repeat));
    }
    return repeats;
  }

 private:
  void read(std::string_view order, MicroRepeat& repeat) {
    repeat.lane_type = by_element_ ? DType::U32 : step_.type;
    const std::size_t lanes = order.find('L');
    if (lanes != order.npos && value_ + lanes < step_.made.size()) repeat.lanes = step_.made[value_ + lanes];
    for (const char what : order) {
      if (value_ == step_.made.size()) return;
      const std::uint32_t value = step_.made[value_++];
      if (what == 'D' || what == 'G') repeat.result = value;
      if (what == 'L' || what == 'D' || what == '-') continue;
      const std::uint32_t reads = reads_of(what, repeat);
      repeat.inputs.push_back({input_name(what), value, read_, reads});
      read_ += reads;
    }
  }
  std::uint32_t reads_of(char what, const MicroRepeat& repeat) const {
    if (read_ >= step_.reads.size()) return 0;
    if (what == 'M' || what == 'S' || what == 'O') return 1;
    const std::uint32_t on = lanes_on(trace_.values[repeat.lanes], repeat.lane_type);
    if (what == 'W' || (what == 'G' && by_element_)) return on;
    if (what == 'G') return (on * size_bytes(step_.type) + BLK - 1) / BLK;
    return step_.reads[read_].size == VL ? 1 : active_blocks(repeat);
  }
  // Blocks without an active lane are not loaded.
  std::uint32_t active_blocks(const MicroRepeat& repeat) const {
    const std::uint32_t lanes = BLK / size_bytes(repeat.lane_type);
    std::uint32_t blocks = 0;
    for (std::uint32_t block = 0; block < VL / BLK; ++block) {
      bool active = false;
      for (std::uint32_t i = 0; i < lanes; ++i)
        active |= lane_is_on(trace_.values[repeat.lanes], repeat.lane_type, block * lanes + i);
      blocks += active;
    }
    return blocks;
  }
  // As many as the active lanes have bytes.
  void take_writes(MicroRepeat& repeat) {
    std::uint32_t left = lanes_on(trace_.values[repeat.lanes], repeat.lane_type) * size_bytes(step_.type);
    for (repeat.first_write = write_; left > 0 && write_ < step_.writes.size(); ++write_)
      left -= std::min(left, step_.writes[write_].size);
    repeat.writes = write_ - repeat.first_write;
  }

  const Trace& trace_;
  const MicroStep& step_;
  std::string_view once_, each_;
  bool by_element_ = false;
  std::uint32_t value_ = 0, read_ = 0, write_ = 0;
};

}  // namespace

std::vector<MicroRepeat> repeats_of(const Trace& trace, const MicroStep& step) {
  // A5's vgatherb is a load of one register.
  if (step.op->flow == FlowKind::Load) return {};
  for (const Order& order : kOrders)
    if (order.op == step.op->name && !(order.op == "vadd" && step.op->flow != FlowKind::Repeat))
      return Reader(trace, step, order).find();
  return {};
}

}  // namespace ts
