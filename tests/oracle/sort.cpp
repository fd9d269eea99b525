// TSORT32: of each valid row of dst, each 32 elements of that row of src become 32 records: the element (of 16 bits with 16
// zeros behind it), then the index in its column. Larger elements first, NaNs last, equal ones as they stood. With tmp the
// last block is filled up with NaNs, whose indices stand behind the valid ones.
// TMRGSORT: records of sorted lists: always the first record that is left in one of them, the one with the largest key, of
// equal ones that of the first list. It depends on the keys that were compared up to it; the last list that is left is
// compared with none. Of lists in tiles of their own as many columns as dst has, and behind the records what stood in tmp.
#include <algorithm>
#include <array>

#include "core/isa/special_registers.h"
#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

std::uint32_t columns_of_record(const TileRef& tile) { return 8 / size_bytes(tile.type.dtype); }

bool precedes(DType type, std::uint64_t a, std::uint64_t b) {
  if (is_nan(type, a) || is_nan(type, b)) return !is_nan(type, a);
  return less(type, b, a);
}

// By the columns of dst: a key, 16 bits of nothing behind one of 16 bits, and an index.
using Record = std::vector<Value>;

// Its part of a number of 32 bits.
Value part_of(const Value& number, DType type, std::uint32_t part) {
  return {low_bits(type, number.bits >> (16 * part)), number.from};
}
void decide(Record& record, const std::vector<Origin>& deciders) {
  for (Value& value : record)
    if (!value.from.empty() || &value == &record.front())
      value.from.insert(value.from.end(), deciders.begin(), deciders.end());
}

Effects tsort32(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src"), &indices = bound.tile("indices");
  const DType type = src.type.dtype;
  const bool fills = bound.has("tmp") && src.valid_cols % 32 != 0;
  const std::uint32_t blocks = src.valid_cols / 32 + (fills ? 1 : 0), cols = columns_of_record(dst);
  Work work(bound, before);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t block = 0; block < blocks; ++block) {
      std::vector<Record> records;
      std::vector<Origin> deciders;
      for (std::uint32_t col = 32 * block; col < 32 * block + 32; ++col) {
        Record record{col < src.valid_cols ? work.element("src", row, col)
                                           : Value{type == DType::F16 ? 0xFE00u : 0xFFC00000u, {}}};
        if (cols == 4) record.push_back({});
        const Value index = work.element("indices", indices.valid_rows == 1 ? 0 : row, col);
        for (std::uint32_t part = 0; part < cols / 2; ++part) record.push_back(part_of(index, type, part));
        for (Origin origin : record.front().from) {
          origin.kind = Origin::Kind::Decider;
          deciders.push_back(origin);
        }
        records.push_back(record);
      }
      std::ranges::stable_sort(
          records, [&](const Record& a, const Record& b) { return precedes(type, a.front().bits, b.front().bits); });
      for (std::uint32_t i = 0; i < 32; ++i) {
        decide(records[i], deciders);
        for (std::uint32_t col = 0; col < cols; ++col)
          work.put("dst", row, (32 * block + i) * cols + col, records[i][col]);
      }
    }
  if (fills) work.leave_scratch(true);
  return work.take();
}

struct List {
  const char* operand;
  std::uint32_t first_col, records;
  std::uint32_t taken = 0, compared = 0;
};
bool is_left(const List& list) { return list.taken < list.records; }

class Merger {
 public:
  Merger(const Bound& bound, const Work& work, std::vector<List> lists)
      : bound_(bound), work_(work), lists_(std::move(lists)) {}

  std::vector<Record> all(bool until_one_ends) {
    std::vector<Record> merged;
    while (std::ranges::any_of(lists_, is_left)) {
      List& list = next();
      const std::uint32_t step = columns_of_record(bound_.tile(list.operand)), col = list.first_col + list.taken * step;
      Record record;
      for (std::uint32_t part = 0; part < step; ++part) record.push_back(work_.element(list.operand, 0, col + part));
      decide(record, deciders_);
      merged.push_back(record);
      if (++list.taken == list.records && until_one_ends) break;
    }
    return merged;
  }
  std::uint64_t counts() const {
    std::uint64_t counts = 0;
    for (std::size_t i = 0; i < lists_.size(); ++i) counts |= std::uint64_t{lists_[i].taken} << (16 * i);
    return counts;
  }

 private:
  Value key(const List& list) const {
    return work_.element(list.operand, 0, list.first_col + list.taken * columns_of_record(bound_.tile(list.operand)));
  }
  List& next() {
    const bool several = std::ranges::count_if(lists_, is_left) > 1;
    List* best = nullptr;
    for (List& list : lists_) {
      if (!is_left(list)) continue;
      if (several && list.compared == list.taken) {
        list.compared = list.taken + 1;
        Origin origin = key(list).from.front();
        origin.kind = Origin::Kind::Decider;
        deciders_.push_back(origin);
      }
      const DType type = bound_.tile(list.operand).type.dtype;
      if (best == nullptr || precedes(type, key(list).bits, key(*best).bits)) best = &list;
    }
    return *best;
  }

  const Bound& bound_;
  const Work& work_;
  std::vector<List> lists_;
  std::vector<Origin> deciders_;
};

void put_records(Work& work, const TileRef& dst, std::uint32_t first_col, const std::vector<Record>& records,
                 std::uint32_t cols) {
  const std::uint32_t step = columns_of_record(dst);
  for (std::uint32_t col = 0; col < cols; ++col) work.put("dst", 0, first_col + col, records[col / step][col % step]);
}

Effects merged_blocks(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  const auto block = static_cast<std::uint32_t>(bound.scalar("block_len").bits);
  const std::uint32_t records = block / columns_of_record(src);
  Work work(bound, before);
  for (std::uint32_t col = 0; col < src.valid_cols; col += 4 * block) {
    std::vector<List> lists;
    for (std::uint32_t i = 0; i < 4; ++i) lists.push_back({"src", col + i * block, records});
    put_records(work, dst, col, Merger(bound, work, lists).all(false), 4 * block);
  }
  return work.take();
}

Effects tmrgsort(const Bound& bound, const Before& before) {
  if (bound.has("src")) return merged_blocks(bound, before);
  const TileRef& dst = bound.tile("dst");
  Work work(bound, before);
  std::vector<List> lists;
  for (const char* name : {"src0", "src1", "src2", "src3"})
    if (bound.has(name)) lists.push_back({name, 0, bound.tile(name).valid_cols / columns_of_record(dst)});
  const bool until_one_ends = work.attribute("exhausted") == "true";
  Merger merger(bound, work, lists);
  const std::vector<Record> records = merger.all(until_one_ends);
  const std::uint32_t block = 32 / size_bytes(dst.type.dtype),
                      copied = work.on(Target::A2A3) && bound.options->quirk_blocks ? rounded_up(dst.valid_cols, block)
                                                                                    : dst.valid_cols,
                      merged = std::min<std::uint32_t>(
                          copied, static_cast<std::uint32_t>(records.size()) * columns_of_record(dst));
  put_records(work, dst, 0, records, merged);
  for (std::uint32_t col = merged; col < copied; ++col) work.put("dst", 0, col, work.element("tmp", 0, col));
  work.leave_scratch(true);
  Effects effects = work.take();
  if (until_one_ends) effects.registers.push_back({{Space::Spr, kVms4Sr, 8}, merger.counts()});
  return effects;
}

const Oracles sort_oracles{{"tsort32", tsort32}, {"tmrgsort", tmrgsort}};

}  // namespace
}  // namespace ts::oracle
