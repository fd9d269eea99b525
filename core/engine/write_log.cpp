// Joining of write patterns.
#include "core/engine/write_log.h"

#include <algorithm>
#include <cstddef>

namespace ts {
namespace {

bool continues(const WritePattern& open, const WritePattern& next) {
  return open.count == 1 && next.count == 1 && open.base + open.size == next.base;
}

// Instructions write in a few ascending sweeps, a column of registers each; merging those costs less than sorting.
void sort_by_base(std::vector<WritePattern>& patterns) {
  constexpr int kMostSweeps = 8;
  auto sorted_end = std::ranges::is_sorted_until(patterns, {}, &WritePattern::base);
  for (int sweep = 1; sorted_end != patterns.end(); ++sweep) {
    if (sweep > kMostSweeps) {
      std::ranges::sort(patterns, {}, &WritePattern::base);
      return;
    }
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
