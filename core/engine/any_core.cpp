// What an AnyCore does itself: constants, control registers, and what data rules look at.
#include "core/engine/any_core.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace ts {

void copy_widely(void* to, const void* from, std::size_t size) { std::memcpy(to, from, size); }

namespace {

// f(a zero of the unsigned type that is so wide)
template <class F>
auto by_width(std::uint32_t width, F f) {
  switch (width) {
    case 1: return f(std::uint8_t{0});
    case 2: return f(std::uint16_t{0});
    case 4: return f(std::uint32_t{0});
    default: return f(std::uint64_t{0});
  }
}

bool has_zero(const std::uint8_t* elements, std::uint32_t count, std::uint32_t elem_bytes) {
  return by_width(elem_bytes, [&]<class T>(T element) {
    bool any = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::memcpy(&element, elements + i * sizeof(T), sizeof element);
      any |= element == 0;
    }
    return any;
  });
}

void count_lanes(std::uint8_t* out, std::uint32_t width, std::uint64_t first, std::int64_t step) {
  by_width(width, [&]<class T>(T) {
    alignas(64) T lanes[VL / sizeof(T)];
    for (std::uint32_t i = 0; i < VL / sizeof(T); ++i)
      lanes[i] = static_cast<T>(static_cast<T>(first) + static_cast<T>(step) * static_cast<T>(i));
    std::memcpy(out, lanes, VL);
  });
}

}  // namespace

AnyReg AnyCore::constant_of(DType type, std::uint64_t first, std::int64_t step) {
  Reg out;
  if (first == 0 && step == 0) std::memset(out.bytes, 0, VL);
  else count_lanes(out.bytes, size_bytes(type), first, step);
  if (watcher_ != nullptr) watcher_->made(out, type);
  return out;
}

std::uint64_t AnyCore::peek(Space space, std::uint64_t address) const {
  std::uint64_t bits;
  std::memcpy(&bits, memory_->base() + memory_->map().origin(space, core_) + address, 8);
  if (watcher_ != nullptr) watcher_->looked(space, address, bits);
  return bits;
}

void AnyCore::odd_data() {
  Block ones;
  std::memset(ones.bytes, 0xFF, VL);
  run_.watch_bits(ones, first_lanes_of(4, VL), 1);
}

// Reading the first and the last byte finds what cannot be read.
bool AnyCore::can_read(const MicroOp& op, const ByteRange& range) {
  Block unused;
  const std::uint64_t first = range.address, last = first + range.size - 1;
  for (const std::uint64_t at : {first, last})
    run_.load(unused, LoadKind::Some, DType::U8, op, range.space, at, 1, 1, 1);
  return last < memory_->map().size(range.space, core_);
}

void AnyCore::move_ordered(const MicroOp& op, const OrderedMoves& order) {
  if (order.odd) odd_data();
  for (const ByteRange& read : order.reads) can_read(op, read);
  if (watcher_ != nullptr) [[unlikely]]
    return watcher_->move_ordered(op, order);
  ts::move_ordered(run_, {*memory_, core_}, op, order);
}

namespace {

void store_side_by_side(BlockCore& run, const MicroOp& op, std::uint32_t to, std::span<const std::uint8_t> bytes) {
  for (std::size_t done = 0; done < bytes.size(); done += VL) {
    const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size() - done, VL));
    Block block;
    std::memcpy(block.bytes, bytes.data() + done, size);
    run.store_span(op, Space::Ub, to + done, block, size);
  }
}

}  // namespace

void AnyCore::sort_block(const MicroOp& op, DType type, std::uint32_t to, std::uint32_t scores, std::uint32_t indices) {
  Block sorted;
  bool odd = false;
  if (watcher_ == nullptr && sort_at_once({*memory_, core_}, type, scores, indices, sorted, odd)) {
    if (odd) odd_data();
    return run_.store_span(op, Space::Ub, to, sorted, VL);
  }
  move_ordered(op, sorted_block({*memory_, core_}, type, to, scores, indices));
}

RecordCounts AnyCore::merge_lists(const MicroOp& op, DType type, std::uint32_t to, const RecordLists& lists,
                                  bool exhausted) {
  MergedRecords merged;
  if (watcher_ == nullptr && merge_at_once({*memory_, core_}, type, lists, exhausted, merged)) {
    if (merged.odd) odd_data();
    store_side_by_side(
        run_, op, to,
        {reinterpret_cast<const std::uint8_t*>(merged.records.data()), merged.records.size() * kRecordBytes});
    return merged.taken;
  }
  RecordCounts taken{};
  move_ordered(op, merged_lists({*memory_, core_}, type, to, lists, exhausted, taken));
  return taken;
}

void AnyCore::multiply(const MicroOp& op, const Product& product) {
  bool readable = can_read(op, product.left.range()) && can_read(op, product.right.range());
  for (const auto& tile : {product.start, product.left_scales, product.right_scales})
    readable = readable && (!tile || can_read(op, tile->range()));
  if (!readable) return;
  const std::vector<std::uint32_t> bits = multiplied(*memory_, product);
  if (watcher_ != nullptr) [[unlikely]]
    return watcher_->multiply(op, product, bits);
  store_product(run_, op, product, bits);
}

template <class F>
void AnyCore::watch(F is_odd) {
  if (is_odd(*memory_)) odd_data();
  if (watcher_ != nullptr) [[unlikely]]
    watcher_->watched(is_odd);
}

void AnyCore::watch_data() {
  watch([](const Memory&) { return true; });
}

void AnyCore::watch_zeros(const TileRef& tile) {
  watch([tile, core = core_](const Memory& memory) {
    const bool columns = tile.type.col_major();
    const std::uint32_t lines = columns ? tile.valid_cols : tile.valid_rows,
                        count = columns ? tile.valid_rows : tile.valid_cols;
    for (std::uint32_t line = 0; line < lines; ++line) {
      const std::uint32_t address = columns ? tile.at(0, line) : tile.at(line, 0);
      const auto* elements =
          reinterpret_cast<const std::uint8_t*>(memory.base()) + memory.map().flat(tile.space(), address, core);
      if (has_zero(elements, count, tile.elem_bytes())) return true;
    }
    return false;
  });
}

void AnyCore::watch_factors(const TileRef& tile, bool zeros) {
  watch([tile, zeros](const Memory& memory) {
    constexpr std::uint64_t kMagnitude = 0x7FFFFFFF, kInfinity = 0x7F800000;
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row)
      for (std::uint32_t col = 0; col < tile.valid_cols; ++col) {
        const std::uint64_t bits = memory.element(tile.place_of(row, col)) & kMagnitude;
        if (bits >= kInfinity || (zeros && bits == 0)) return true;
      }
    return false;
  });
}

void AnyCore::watch_indices(const IndexList& list, std::uint64_t limit, bool distinct) {
  watch([list, limit, distinct](const Memory& memory) {
    std::vector<bool> met;
    bool odd = false;
    for_indices(list, memory, [&](std::uint32_t, std::uint32_t, std::uint64_t index) {
      odd = odd || index >= limit;
      if (odd || !distinct) return;
      if (index >= met.size()) met.resize(static_cast<std::size_t>(std::min(limit, 2 * index + 64)));
      odd = met[static_cast<std::size_t>(index)];
      met[static_cast<std::size_t>(index)] = true;
    });
    return odd;
  });
}

void AnyCore::watch_block(DType type, std::uint64_t address) {
  watch([at = memory_->map().origin(Space::Ub, core_) + address, width = size_bytes(type)](const Memory& memory) {
    const std::byte* block = memory.base() + at;
    return std::memcmp(block, block + width, BLK - width) != 0;
  });
}

void count_bytes(Block& out, std::uint32_t first, bool cumulative, const Block& bytes, const VPred& pred) {
  std::uint16_t counts[256] = {};
  for (std::uint32_t lane = 0; lane < VL; ++lane)
    if (lane_is_on(pred, lane)) ++counts[bytes.bytes[lane]];
  for (std::uint32_t bin = 1; cumulative && bin < 256; ++bin)
    counts[bin] = static_cast<std::uint16_t>(counts[bin] + counts[bin - 1]);
  std::memcpy(out.bytes, counts + first, VL);
}

void pick_lanes(Block& out, std::uint32_t width, const Block& a, const Block& indices) {
  Block picked;
  for (std::uint32_t at = 0; at < VL; at += width) {
    std::uint32_t index = 0;
    std::memcpy(&index, indices.bytes + at, std::min(width, 4u));
    std::memcpy(picked.bytes + at, a.bytes + index % (VL / width) * width, width);
  }
  std::memcpy(out.bytes, picked.bytes, VL);
}

void squeeze_lanes(Block& out, std::uint32_t width, const Block& a, const VPred& pred) {
  Block squeezed;
  std::memset(squeezed.bytes, 0, VL);
  std::uint32_t to = 0;
  for (std::uint32_t at = 0; at < VL; at += width) {
    if (!lane_is_on(pred, at)) continue;
    std::memcpy(squeezed.bytes + to, a.bytes + at, width);
    to += width;
  }
  std::memcpy(out.bytes, squeezed.bytes, VL);
}

void rank_lanes(Block& out, std::uint32_t width, const VPred& pred) {
  std::uint32_t before = 0;
  for (std::uint32_t at = 0; at < VL; at += width) {
    std::memcpy(out.bytes + at, &before, width);
    before += lane_is_on(pred, at) ? 1 : 0;
  }
}

}  // namespace ts
