// Joining of write patterns.
#include "core/engine/write_log.h"

#include <algorithm>
#include <cstddef>

namespace ts {
namespace {

bool continues(const WritePattern& open, const WritePattern& next) {
  return open.count == 1 && next.count == 1 && open.base + open.size == next.base;
}

// Runs of whole blocks in any order, as blocks of a box are written line by line: a bit for each block says it all at once.
// False, and nothing is done: they are others, or far apart.
bool join_blocks(std::vector<WritePattern>& patterns) {
  constexpr std::size_t kBlocksForEach = 16;
  Flat begin = patterns.front().base, end = begin;
  for (const WritePattern& one : patterns) {
    if (one.count != 1 || one.base % BLK != 0 || one.size % BLK != 0) return false;
    begin = std::min(begin, one.base);
    end = std::max(end, one.base + one.size);
  }
  const std::uint32_t blocks = (end - begin) / BLK;
  if (blocks > kBlocksForEach * patterns.size()) return false;
  std::vector<bool> written(blocks + 1, false);
  for (const WritePattern& one : patterns)
    for (std::uint32_t i = 0; i < one.size / BLK; ++i) written[(one.base - begin) / BLK + i] = true;
  patterns.clear();
  for (std::uint32_t first = 0; first < blocks; ++first) {
    if (!written[first]) continue;
    std::uint32_t last = first;
    while (written[last]) ++last;
    const std::uint32_t size = (last - first) * BLK;
    patterns.push_back({begin + first * BLK, size, size, 1});
    first = last;
  }
  return true;
}

// Instructions write in a few ascending sweeps, a column of registers each; merging those costs less than sorting.
void sort_by_base(std::vector<WritePattern>& patterns) {
  constexpr int kMostSweeps = 8;
  const auto descends = [](const WritePattern& a, const WritePattern& b) { return b.base < a.base; };
  int sweeps = 1;
  for (std::size_t i = 1; i < patterns.size(); ++i) sweeps += descends(patterns[i - 1], patterns[i]) ? 1 : 0;
  if (sweeps > kMostSweeps) {
    if (!join_blocks(patterns)) std::ranges::sort(patterns, {}, &WritePattern::base);
    return;
  }
  for (auto sorted_end = std::ranges::is_sorted_until(patterns, {}, &WritePattern::base);
       sorted_end != patterns.end();) {
    const auto sweep_end = std::ranges::is_sorted_until(sorted_end, patterns.end(), {}, &WritePattern::base);
    std::ranges::inplace_merge(patterns.begin(), sorted_end, sweep_end, {}, &WritePattern::base);
    sorted_end = sweep_end;
  }
}

// Runs that touch each other, or write the same bytes again, become one, in place.
void join_touching(std::vector<WritePattern>& sorted) {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    WritePattern& open = sorted[kept];
    const WritePattern next = sorted[i];
    if (open.count == 1 && next.count == 1 && next.base <= open.base + open.size) {
      open.size = std::max(open.size, next.base - open.base + next.size);
      open.stride = open.size;
    } else {
      sorted[++kept] = next;
    }
  }
  sorted.resize(kept + 1);
}
// Three and more evenly spaced runs of one size become one pattern, in place. Two would say more than is there.
void join_strides(std::vector<WritePattern>& sorted) {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    WritePattern& open = sorted[kept];
    const WritePattern next = sorted[i];
    const std::uint32_t step = next.base - open.base;
    const bool alike = next.count == 1 && open.size == next.size;
    if (alike && open.count == 1 && step > open.size && i + 1 < sorted.size() && sorted[i + 1].count == 1 &&
        sorted[i + 1].size == next.size && sorted[i + 1].base == next.base + step) {
      open.stride = step;
      open.count = 2;
    } else if (alike && open.count > 1 && step == open.count * open.stride) {
      ++open.count;
    } else {
      sorted[++kept] = next;
    }
  }
  sorted.resize(kept + 1);
}

}  // namespace

void join(const WritePattern* begin, const WritePattern* end, std::vector<WritePattern>& out) {
  out.clear();
  // An instruction with two destinations alternates between them, so the last few patterns stay open.
  constexpr std::size_t kOpen = 4;
  for (const WritePattern* entry = begin; entry != end; ++entry) {
    const std::size_t first_open = out.size() > kOpen ? out.size() - kOpen : 0;
    std::size_t open = out.size();
    while (open > first_open && !continues(out[open - 1], *entry)) --open;
    if (open == first_open) {
      out.push_back(*entry);
    } else {
      out[open - 1].size += entry->size;
      out[open - 1].stride = out[open - 1].size;
    }
  }
  if (out.size() < 2) return;
  sort_by_base(out);
  join_touching(out);
  join_strides(out);
}

}  // namespace ts
