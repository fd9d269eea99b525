// Micro-operations whose lanes find their elements by indices, in global memory too, those that keep some lanes close
// together, and those that sort records: what both targets' machines share of them. Only lowerings that are compiled once
// for all element types use these.
#if defined(TS_ENGINE_INDEXED_OPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_INDEXED_OPS_INL_H
#undef TS_ENGINE_INDEXED_OPS_INL_H
#else
#define TS_ENGINE_INDEXED_OPS_INL_H
#endif

#include <algorithm>

#include "core/engine/indexed.h"
#include "core/engine/ordered.h"
#include "core/engine/shared_ops-inl.h"
#include "core/isa/special_registers.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class T>
class IndexedOps : public SharedOps<Core, T> {
  using Base = SharedOps<Core, T>;
  using Reg = typename Core::Reg;
  using Pred = typename Core::Pred;

 protected:
  using Base::core_;
  TS_INLINE IndexedOps(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

 public:
  // Not the hardware's: what the instruction's rules on data are to look at.
  void watch_indices(const IndexList& list, std::uint64_t limit, bool distinct) {
    core_.watch_indices(list, limit, distinct);
  }
  void watch_data() { core_.watch_data(); }

  // --- global memory by indices: one row of a tile ------------------------------------------------------------------

  // Every element of the row from where its index says: each its own, or one for all.
  void gm_gather(const GmTable& table, const TileRef& dst, std::uint32_t row, const RowIndices& indices) {
    const MicroOp& op = indices.one_for_all ? shared::op("gm.gather.row") : shared::op("gm.gather.elem");
    tell_gm(op, table, dst, row, indices);
    each_part(dst, [&](std::uint32_t col, std::uint32_t n) {
      const Pred on = hidden(core_.predicate(first_lanes_of(4, n)));
      const Found found = find(op, table, indices, col, on);
      Reg value = hidden(core_.gather(bits_of(dst.type.dtype), kIndexLane, static_cast<int>(dst.elem_bytes()), op,
                                      table.place, found.number, found.inside));
      if (dst.elem_bytes() == 2) value = hidden(core_.template move<Move::PackHalf>(kIndexLane, 0, value, value));
      if (dst.elem_bytes() == 1) value = hidden(core_.template move<Move::PackByte>(kIndexLane, 0, value, value));
      core_.store_span(op, dst.space(), dst.at(row, col), value, n * dst.elem_bytes());
    });
  }
  // The other way. Where several lanes mean one element they come one after the other.
  void gm_scatter(const GmTable& table, const TileRef& src, std::uint32_t row, const RowIndices& indices, GmJoin join) {
    const MicroOp& op = indices.one_for_all ? shared::op("gm.scatter.row") : shared::op("gm.scatter.elem");
    tell_gm(op, table, src, row, indices);
    const int size = static_cast<int>(src.elem_bytes());
    const AnyLane bits = bits_of(AnyLane{src.type.dtype});
    each_part(src, [&](std::uint32_t col, std::uint32_t n) {
      const Pred on = hidden(core_.predicate(first_lanes_of(4, n)));
      const Found found = find(op, table, indices, col, on);
      Reg value = load_part(op, src.type.dtype, src.space(), src.at(row, col), n);
      for (AnyLane lane = bits; lane.bytes() < 4; lane = {lane.bytes() == 1 ? DType::U16 : DType::U32})
        value = hidden(core_.template move<Move::WidenZero>(lane, 0, value, value));
      if (join == GmJoin::Replace)
        return core_.scatter(bits, kIndexLane, size, op, table.place, found.number, value, found.inside);
      constexpr LaneOp kOps[] = {LaneOp::Add, LaneOp::Add, LaneOp::Max, LaneOp::Min};
      for (std::uint32_t lane = 0; lane < n; ++lane) {
        VPred one{};
        set_bit(one, 4 * lane);
        const Pred this_one = hidden(core_.predicate(one));
        const Pred there = hidden(core_.combine_predicates(PredLogic::And, found.inside, this_one, this_one));
        const Reg held = hidden(core_.gather(bits, kIndexLane, size, op, table.place, found.number, there));
        const Reg joined =
            hidden(core_.lanewise(kOps[static_cast<int>(join)], AnyLane{src.type.dtype}, there, held, value));
        core_.scatter(bits, kIndexLane, size, op, table.place, found.number, joined, there);
      }
    });
  }

  // --- rows of two tiles, as long as numbers in memory say ------------------------------------------------------------

  // A row of dst: the first elements of that row of `first`, and behind them those of `second`, as far as dst reaches. The
  // first element of each row of the counts says how many they are, in bytes of its own type; that of `made_count`, if there
  // is one, how many dst got.
  void emu_concat(const TileRef& dst, const TileRef& first, const TileRef& second, const TileRef& first_count,
                  const TileRef& second_count, const TileRef* made_count, std::uint32_t row) {
    const MicroOp& op = shared::op("emu.concat");
    const auto place = [&](const TileRef& tile) {
      return AddressArg{Space::Ub, tile.at(row, 0), 0, tile.elem_bytes()};
    };
    core_.micro(op, dst.type.dtype, place(dst), place(first), place(second), place(first_count), place(second_count));
    const Reg most = words(dst.valid_cols), from_first = word_op(LaneOp::Min, count_at(op, first_count, row), most),
              left = word_op(LaneOp::Sub, most, from_first),
              all = word_op(LaneOp::Add, from_first, word_op(LaneOp::Min, count_at(op, second_count, row), left));
    const int size = static_cast<int>(dst.elem_bytes());
    const AnyLane bits = bits_of(AnyLane{dst.type.dtype});
    const auto row_of = [&](const TileRef& tile) {
      return Indexed{tile.at(row, 0),
                     tile.address + static_cast<std::uint32_t>(tile.type.size_bytes()) - tile.at(row, 0)};
    };
    // What comes from `first` is not for the other number to decide.
    each_part(dst, [&](std::uint32_t col, std::uint32_t n) {
      const Reg lane = hidden(core_.counting(kIndexLane, col));
      const Pred on = hidden(core_.predicate(first_lanes_of(4, n))),
                 in_first = hidden(core_.compare(CompareOp::Lt, kIndexLane, on, lane, from_first)),
                 there = hidden(core_.compare(CompareOp::Lt, kIndexLane, on, lane, all)),
                 in_second = hidden(core_.compare(CompareOp::Ge, kIndexLane, there, lane, from_first));
      const auto put = [&](const TileRef& source, const Reg& number, const Pred& some) {
        const Reg found = hidden(core_.gather(bits, kIndexLane, size, op, row_of(source), number, some));
        core_.scatter(bits, kIndexLane, size, op, row_of(dst), lane, found, some);
      };
      put(first, lane, in_first);
      put(second, word_op(LaneOp::Sub, lane, from_first), in_second);
    });
    if (made_count == nullptr) return;
    const std::uint32_t bytes = made_count->elem_bytes();
    core_.store_span(op, Space::Ub, made_count->at(row, 0), word_op(LaneOp::Shl, all, words(bytes / 2)), bytes);
  }

  // --- sorting in UB ------------------------------------------------------------------------------------------------

  // A repeat makes a block of 32 records: strides are those of what it takes and makes.
  void vbitsort(Ub to, Ub scores, Ub indices, std::uint32_t repeats) {
    const MicroOp& op = shared::op("vbitsort");
    const DType type = this->ty();
    core_.micro(op, type, AddressArg{Space::Ub, to.address, 0, kRecordBytes},
                AddressArg{Space::Ub, scores.address, 0, size_bytes(type)},
                AddressArg{Space::Ub, indices.address, 0, 4}, CountArg{"rep", repeats});
    for (std::uint32_t r = 0; r < repeats; ++r) {
      const std::uint32_t first = r * kRecordsSorted;
      core_.repeat();
      core_.sort_block(op, type, to.address + first * kRecordBytes, scores.address + first * size_bytes(type),
                       indices.address + first * 4);
    }
  }
  // A repeat goes on behind all four lists. Exhausted: VMS4_SR then tells how many records of each list were taken; what it
  // tells of other merges is not known (unverified), and it stays as it is.
  void vmrgsort4(Ub to, RecordLists lists, std::uint32_t repeats, bool exhausted) {
    const MicroOp& op = shared::op("vmrgsort4");
    const DType type = this->ty();
    const auto list = [&](std::uint32_t i) { return AddressArg{Space::Ub, lists.address[i], 0, kRecordBytes}; };
    std::uint64_t counts = 0;
    for (std::uint32_t i = 0; i < lists.count; ++i) counts |= std::uint64_t{lists.records[i] & 0xFFFF} << (16 * i);
    core_.micro(op, type, AddressArg{Space::Ub, to.address, 0, kRecordBytes}, list(0), list(1), list(2), list(3),
                CountArg{"count", counts},
                CountArg{"config", repeats | ((1u << lists.count) - 1) << 8 | (exhausted ? 1u << 12 : 0)});
    for (std::uint32_t r = 0; r < repeats; ++r) {
      core_.repeat();
      const RecordCounts taken = core_.merge_lists(op, type, to.address, lists, exhausted);
      if (exhausted) tell_taken(op, taken);
      std::uint32_t all = 0;
      for (const std::uint32_t records : lists.records) all += records;
      to.address += all * kRecordBytes;
      for (std::uint32_t& address : lists.address) address += all * kRecordBytes;
    }
  }

 protected:
  static constexpr AnyLane kIndexLane{DType::U32};

  void tell_taken(const MicroOp& op, const RecordCounts& taken) {
    std::uint64_t counts = 0;
    for (std::size_t i = 0; i < taken.size(); ++i) counts |= std::uint64_t{taken[i] & 0xFFFF} << (16 * i);
    core_.store_scalar(op, Space::Spr, kVms4Sr, 8, LaneScalar{counts, DType::U64, 0});
  }

  // Active 32-bit lanes to a stream of words from `base` on, behind the `stored` ones, which are counted on.
  void append(const MicroOp& op, const Reg& v, const Pred& kept, std::uint32_t base, Reg& stored) {
    const Reg rank = hidden(core_.rank(kIndexLane, kept));
    core_.scatter(kIndexLane, kIndexLane, 4, op, {base, UINT32_MAX - base}, word_op(LaneOp::Add, rank, stored), v,
                  kept);
    const Reg ones = hidden(core_.select(kIndexLane, kept, words(1), words(0)));
    const Reg sum =
        hidden(core_.reduce(ReduceOp::Sum, ReduceScope::All, SumOrder::Tree, kIndexLane, all_words(), ones));
    stored = word_op(LaneOp::Add, stored, hidden(core_.template move<Move::Lowest>(kIndexLane, 0, sum, sum)));
  }

  // Values on the way to a result, which the trace does not show.
  template <class Value>
  Value hidden(Value value) {
    core_.hide(value);
    return value;
  }
  Pred all_words() { return hidden(core_.predicate(first_lanes_of(4, VL))); }
  Reg words(std::uint64_t value) { return hidden(core_.counting(kIndexLane, value, 0)); }
  Reg word_op(LaneOp op, const Reg& a, const Reg& b) {
    return hidden(core_.lanewise(op, kIndexLane, all_words(), a, b));
  }
  // A number of elements that stands in bytes, in every lane.
  Reg count_at(const MicroOp& op, const TileRef& counts, std::uint32_t row) {
    const std::uint32_t size = counts.elem_bytes();
    const AnyLane lane{size == 2 ? DType::U16 : DType::U32};
    Reg count = hidden(core_.template load<LoadKind::Broadcast>(lane, op, Space::Ub, counts.at(row, 0), size, size));
    if (size == 2) count = hidden(core_.template move<Move::WidenZero>(lane, 0, count, count));
    return word_op(LaneOp::Shr, count, words(size / 2));
  }
  Reg load_part(const MicroOp& op, DType type, Space space, std::uint64_t address, std::uint32_t count) {
    const std::uint32_t size = count * size_bytes(type);
    return hidden(core_.template load<LoadKind::Some>(AnyLane{type}, op, space, address, size, size_bytes(type), size));
  }

 private:
  // The number of the element that each lane's index means, and which lanes have one.
  struct Found {
    Reg number;
    Pred inside;
  };

  void tell_gm(const MicroOp& op, const GmTable& table, const TileRef& tile, std::uint32_t row,
               const RowIndices& indices) {
    constexpr const char* kOutside[] = {"undefined", "clamp", "wrap", "left out"};
    core_.micro(op, tile.type.dtype, AddressArg{tile.space(), tile.at(row, 0), 0, tile.elem_bytes()},
                AddressArg{Space::Gm, table.place.address, 0, tile.elem_bytes()},
                AddressArg{indices.space, indices.address, 0, 4}, CountArg{"elements", tile.valid_cols},
                TextArg{kOutside[static_cast<int>(table.outside)]});
  }
  // Columns that stand together in a row, at most as many as there are indices in a register.
  template <class F>
  static void each_part(const TileRef& tile, F f) {
    const std::uint32_t most = tile.type.boxed() ? BLK / tile.elem_bytes() : kIndexLane.lanes();
    for (std::uint32_t col = 0; col < tile.valid_cols; col += most) f(col, std::min(most, tile.valid_cols - col));
  }
  Found find(const MicroOp& op, const GmTable& table, const RowIndices& indices, std::uint32_t col, const Pred& on) {
    Reg index =
        indices.one_for_all
            ? hidden(core_.template load<LoadKind::Broadcast>(kIndexLane, op, indices.space, indices.address, 4, 4))
            : load_part(op, DType::U32, indices.space, indices.address + 4 * col, leading_lanes(image_of(on), 4));
    Pred inside = on;
    switch (table.outside) {
      case GmOutside::Undefined: break;
      case GmOutside::Clamp: index = word_op(LaneOp::Min, index, words(table.capacity - 1)); break;
      case GmOutside::Wrap: index = word_op(LaneOp::TruncMod, index, words(table.capacity)); break;
      case GmOutside::Dropped:
        inside = hidden(core_.compare(CompareOp::Lt, kIndexLane, on, index, words(table.capacity)));
        break;
    }
    if (table.boxes) return {in_boxes(*table.boxes, indices.one_for_all, index, col), inside};
    if (!indices.one_for_all) return {index, inside};
    const Reg first = word_op(LaneOp::Mul, index, words(table.row_elements));
    return {word_op(LaneOp::Add, first, hidden(core_.counting(kIndexLane, col))), inside};
  }
  // Row and column of the matrix that boxes hold, and where they stand.
  Reg in_boxes(const GmBoxes& boxes, bool rows, const Reg& index, std::uint32_t first_col) {
    const Reg row = rows ? index : word_op(LaneOp::Div, index, words(boxes.cols)),
              col = rows ? hidden(core_.counting(kIndexLane, first_col))
                         : word_op(LaneOp::TruncMod, index, words(boxes.cols));
    const Reg group = word_op(LaneOp::Div, col, words(boxes.lanes));
    const std::pair<Reg, std::uint32_t> parts[] = {
        {word_op(LaneOp::Div, group, words(boxes.shape1)), boxes.stride[0]},
        {word_op(LaneOp::TruncMod, group, words(boxes.shape1)), boxes.stride[1]},
        {word_op(LaneOp::Div, row, words(16)), boxes.stride[2]},
        {word_op(LaneOp::TruncMod, row, words(16)), boxes.stride[3]},
        {word_op(LaneOp::TruncMod, col, words(boxes.lanes)), boxes.stride[4]}};
    Reg number = words(0);
    for (const auto& [part, stride] : parts)
      number = word_op(LaneOp::Add, number, word_op(LaneOp::Mul, part, words(stride)));
    return number;
  }
  template <class P>
  static const VPred& image_of(const P& pred) {
    return pred.p;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
