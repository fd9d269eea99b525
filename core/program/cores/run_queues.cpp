// Entries of the queues between the cores: whether there is one, where it stands, how much of it is valid.
#include <fmt/format.h>

#include <algorithm>

#include "core/program/cores/queue_steps.h"
#include "core/program/cores/together.h"
#include "core/program/run_code.h"

namespace ts {
namespace {

// An entry as one core sees it.
class Entry {
 public:
  Entry(WalkState& state, const CodeOp& op)
      : state_(state),
        op_(op),
        use_(state.program.queue_uses[op.data]),
        queue_(state.program.queues[use_.queue]),
        end_(state.queue_ends[use_.queue]) {}

  // Of what is pushed the source's valid part; of what is popped what the statement says, or all of the tile.
  bool push() {
    const Value tile = state_.value_in(op_, 0);
    if (!tile.known()) return forget();
    const Environment::TileState from = state_.environment.tiles[tile.bits];
    if (!from.known) return forget();
    if (!take_turn()) return false;
    rows_ = from.valid_rows, cols_ = from.valid_cols;
    // What only the first vector core puts in is nothing on the second one.
    const bool takes_part = state_.together == nullptr || state_.together->queues.puts(use_.queue, use_.split, core());
    const bool kept = takes_part && !(state_.core_of_block > 1 && use_.split == 0);
    if (!kept && rows_ * cols_ != 0)
      state_.warn(op_, FindingKind::Order, "MK-02",
                  fmt::format("{} pushes {}x{} with split = 0; only AIV0's data is kept",
                              name_of_core(state_.program, state_.core), rows_, cols_),
                  "split the push, or let only the first vector core push");
    if (!kept) rows_ = cols_ = 0;
    if (!fits_slot(whole_rows(), whole_cols()) || (on_a5() && !is_reserved(queue_.slots))) return false;
    remember();
    state_.set_tile(use_.tile, {from.address, rows_, cols_, true});
    return on_a5() ? place_slots() : make_view(whole_row_stride());
  }

  bool pop() {
    const TileType& type = state_.program.tiles[use_.tile].type;
    const auto size = [&](std::size_t i, std::int32_t fixed, std::uint32_t all) -> std::optional<std::uint32_t> {
      if (state_.in(op_, i) == kNoSlot) return fixed == kDynamic ? all : static_cast<std::uint32_t>(fixed);
      const Value given = state_.value_in(op_, i);
      if (!given.known()) return {};
      return static_cast<std::uint32_t>(std::clamp<std::int64_t>(given.number(), 0, all));
    };
    const auto rows = size(0, type.valid_rows, type.rows), cols = size(1, type.valid_cols, type.cols);
    if (!rows || !cols) return forget();
    if (!take_turn()) return false;
    rows_ = *rows, cols_ = *cols;
    if (state_.together != nullptr && !is_what_was_pushed()) return false;
    const std::uint32_t slots = on_a5() ? queue_.slots : queue_.local_slots;
    if (!is_reserved(slots)) return false;
    const auto address = static_cast<std::uint32_t>(end_.local.bits + in_ring(slots));
    state_.set_tile(use_.tile, {address, rows_, cols_, end_.local.known()});
    return on_a5() || make_view(popped_row_stride());
  }

  // The slot as a view, which the program stores to.
  bool allocate() {
    if (!take_turn()) return false;
    return show_slot();
  }
  bool signal() {
    if (!take_turn()) return false;
    if (state_.together != nullptr && half() == 0)
      state_.together->queues.entry(state_.block, use_.queue, number_) = {use_.split, 0, 0, use_.dtype, op_.pos, {}};
    return true;
  }
  bool show() {
    if (!take_turn()) return false;
    if (state_.together != nullptr)
      state_.together->queues.entry(state_.block, use_.queue, number_).popped[core()] = op_.pos;
    return show_slot();
  }

  bool free() {
    if (state_.together == nullptr) return true;
    QueueCounts& counts = its_counts();
    if (counts.freed < counts.popped) return ++counts.freed, true;
    return state_.fail(
        op_.pos, "MK-12",
        fmt::format("tfree: no entry of pipe {} is open on {}", queue_.id, name_of_core(state_.program, state_.core)),
        "free once for each entry that was popped");
  }

 private:
  bool on_a5() const { return state_.program.target == Target::A5; }
  std::uint32_t core() const { return state_.core_of_block; }
  // Which half of a split entry is this core's.
  std::uint32_t half() const { return core() > 1 ? 1 : 0; }
  QueueCounts& its_counts() { return state_.together->queues.of(state_.block, use_.queue).of[core()]; }
  std::uint32_t bytes(std::uint64_t elements) const {
    return static_cast<std::uint32_t>(bytes_for(use_.dtype, elements));
  }

  // Bytes from the beginning of a ring of so many slots to the entry's.
  std::uint64_t in_ring(std::uint32_t slots) const {
    return std::uint64_t{number_ % std::max(1u, slots)} * queue_.slot_bytes;
  }

  // The number of the entry; false: it is not this core's turn yet.
  bool take_turn() {
    if (state_.together == nullptr) return true;  // a check looks at the first one
    if (!state_.together->queues.may_use(state_.block, use_, core())) {
      state_.waits = &op_;
      return false;
    }
    number_ = its_counts().of(use_.act)++;
    return true;
  }

  // What nobody knows in a check.
  bool forget() {
    state_.exact = false;
    state_.set_tile(use_.tile, {0, 0, 0, false});
    state_.forget_outs(op_);
    return true;
  }

  // All of an entry that this core puts a half of.
  bool puts_half() const { return !queue_.to_vector && use_.split != 0; }
  std::uint32_t whole_rows() const { return rows_ * (puts_half() && use_.split == kSplitRows ? 2 : 1); }
  std::uint32_t whole_cols() const { return cols_ * (puts_half() && use_.split == kSplitColumns ? 2 : 1); }

  bool fits_slot(std::uint32_t rows, std::uint32_t cols) {
    const std::uint64_t size = bytes_for(use_.dtype, std::uint64_t{rows} * cols);
    if (size <= queue_.slot_bytes) return true;
    return state_.fail_about(
        FindingKind::Bounds, op_.pos, "MK-13",
        fmt::format("entry of {}x{} {} = {} bytes, slot {}", rows, cols, name(use_.dtype), size, queue_.slot_bytes),
        "slot_size is the bytes of one whole entry");
  }

  // V60-44: a slot that is used lies in the storage of its queue.
  bool is_reserved(std::uint32_t slots) {
    const std::uint64_t begin = in_ring(slots), end = begin + bytes(std::uint64_t{rows_} * cols_);
    if (queue_.reserved == 0 || state_.together == nullptr || rows_ * cols_ == 0 || end <= queue_.reserved) return true;
    return state_.fail_about(
        FindingKind::Bounds, op_.pos, "V60-44",
        fmt::format("entry {} of pipe {} stands in bytes [{}, {}) of its storage, which has {}", number_, queue_.id,
                    begin, end, queue_.reserved),
        fmt::format("reserve {} bytes, or have fewer slots", std::uint64_t{slots} * queue_.slot_bytes));
  }

  void remember() {
    if (state_.together == nullptr || half() != 0) return;
    state_.together->queues.entry(state_.block, use_.queue, number_) = {use_.split, rows_,   cols_,
                                                                        use_.dtype, op_.pos, {}};
  }

  // MK-14, MK-15: both ends mean the same.
  bool is_what_was_pushed() {
    QueueEntry& entry = state_.together->queues.entry(state_.block, use_.queue, number_);
    entry.popped[core()] = op_.pos;
    if (entry.split != use_.split) {
      state_.fail(
          op_.pos, "MK-14",
          fmt::format("entry {} was pushed with split {}, popped with split {}", number_, entry.split, use_.split),
          "both ends of a queue split an entry the same way");
      state_.problem->notes.push_back({entry.pushed, "it was pushed here"});
      return false;
    }
    const bool split = queue_.to_vector;
    const std::uint32_t rows = split && entry.split == kSplitRows    ? entry.rows / 2
                               : !split && entry.split == kSplitRows ? 2 * entry.rows
                                                                     : entry.rows,
                        cols = split && entry.split == kSplitColumns    ? entry.cols / 2
                               : !split && entry.split == kSplitColumns ? 2 * entry.cols
                                                                        : entry.cols;
    const bool odd = entry.split == kSplitOddRows || entry.split == kSplitOddColumns;
    if (rows_ * cols_ == 0 || odd ||
        (rows == rows_ && cols == cols_ && size_bits(entry.dtype) == size_bits(use_.dtype)))
      return true;
    state_.warn(
        op_, FindingKind::Order, "MK-15",
        fmt::format("pushed {}x{} {}, popped {}x{} {}", rows, cols, name(entry.dtype), rows_, cols_, name(use_.dtype)),
        rows_ * cols_ > rows * cols
            ? "legal on hardware, and usually a mistake: what is not pushed is what the slot held before"
            : "legal on hardware, and usually a mistake: what is pushed and not popped is lost");
    state_.warnings.back().notes.push_back({entry.pushed, "it was pushed here"});
    return true;
  }

  // --- a2a3: slots in global memory

  std::uint32_t whole_row_stride() const { return whole_cols(); }
  std::uint32_t popped_row_stride() const {
    if (!queue_.to_vector) return cols_;
    return use_.split == kSplitColumns      ? 2 * cols_
           : use_.split == kSplitOddColumns ? 2 * cols_ + 2 * half() - 1
                                            : cols_;
  }
  // Elements of an entry before those of this core.
  std::uint64_t before_its_own() const {
    if (use_.split == 0 || core() == 0) return 0;  // the cube core sees all of it
    const std::uint64_t s = half();
    switch (use_.split) {
      case kSplitRows: return s * rows_ * cols_;
      case kSplitColumns: return s * cols_;
      case kSplitOddRows: return s * (rows_ + s) * cols_;
      default: return s * (cols_ + s);
    }
  }
  // Where the slots begin behind the pointer: those of a queue of both directions lie behind each other.
  std::int64_t ring_of_block() const {
    std::int64_t all = 0;
    for (const QueueDecl& queue : state_.program.queues)
      if (queue.id == queue_.id)
        all = std::max(all, std::int64_t{queue.first_slot} + std::int64_t{queue.slots} * queue.slot_bytes);
    return queue_.first_slot + (state_.program.private_slots ? all * state_.block : 0);
  }

  bool make_view(std::uint32_t row_stride) {
    if (end_.gm.kind != ValueKind::Pointer || end_.gm.buffer >= state_.program.buffers.size()) {
      state_.forget_outs(op_);
      return true;
    }
    const std::int64_t ring = end_.gm.number() + ring_of_block();
    ViewValue view{.buffer = end_.gm.buffer, .dtype = use_.dtype, .rank = 2};
    view.offset = ring + static_cast<std::int64_t>(in_ring(queue_.slots) + bytes(before_its_own()));
    view.shape = {1, 1, 1, rows_, cols_};
    const std::int64_t all = std::int64_t{row_stride} * std::max(1u, rows_);
    view.stride = {all, all, all, row_stride, 1};
    std::uint64_t& reach = state_.extents[end_.gm.buffer];
    reach = std::max(reach, static_cast<std::uint64_t>(ring) + std::uint64_t{queue_.slots} * queue_.slot_bytes);
    state_.set_view(state_.out(op_), view);
    return true;
  }

  // As the view that was given to the queue describes one slot.
  bool show_slot() {
    if (end_.gm.kind != ValueKind::View) return state_.forget_outs(op_), true;
    ViewValue view = state_.views[end_.gm.bits];
    view.offset += ring_of_block() + static_cast<std::int64_t>(in_ring(queue_.slots));
    if (view.buffer < state_.program.buffers.size()) {
      std::uint64_t& reach = state_.extents[view.buffer];
      reach = std::max(reach, static_cast<std::uint64_t>(state_.views[end_.gm.bits].offset + ring_of_block()) +
                                  std::uint64_t{queue_.slots} * queue_.slot_bytes);
    }
    state_.set_view(state_.out(op_), view);
    return true;
  }

  // --- a5: slots where they are read

  bool place_slots() {
    const bool known = end_.local.known();
    const auto slot = static_cast<std::uint32_t>(end_.local.bits + in_ring(queue_.slots));
    if (!queue_.to_vector) {
      const TileType& whole = use_.whole;
      const std::uint32_t row = use_.split == kSplitRows ? half() * state_.program.tiles[use_.first].type.rows : 0,
                          col = use_.split == kSplitColumns ? half() * state_.program.tiles[use_.first].type.cols : 0;
      const TileRef all{whole, slot, 0, 0};
      state_.set_tile(use_.first, {all.at(row, col), rows_, cols_, known});
      return true;
    }
    const std::uint32_t rows = use_.split == kSplitRows ? rows_ / 2 : rows_,
                        cols = use_.split == kSplitColumns ? cols_ / 2 : cols_;
    state_.set_tile(use_.first, {slot, rows, cols, known});
    if (use_.second != kNoTile) state_.set_tile(use_.second, {slot, rows, cols, known});
    return true;
  }

  WalkState& state_;
  const CodeOp& op_;
  const QueueUse& use_;
  const QueueDecl& queue_;
  const QueueEnd& end_;
  std::uint32_t number_ = 0, rows_ = 0, cols_ = 0;
};

}  // namespace

void begin_queue(WalkState& state, const CodeOp& op) {
  QueueEnd& end = state.queue_ends[op.data];
  if (state.in(op, 0) != kNoSlot) end.gm = state.value_in(op, 0);
  if (state.in(op, 1) != kNoSlot) end.local = state.value_in(op, 1);
}

bool use_queue(WalkState& state, const CodeOp& op) {
  Entry entry(state, op);
  const QueueUse& use = state.program.queue_uses[op.data];
  const bool by_views = state.program.queues[use.queue].by_views;
  switch (use.act) {
    case QueueAct::Alloc: return entry.allocate();
    case QueueAct::Push: return by_views ? entry.signal() : entry.push();
    case QueueAct::Pop: return by_views ? entry.show() : entry.pop();
    case QueueAct::Free: break;
  }
  return entry.free();
}

}  // namespace ts
