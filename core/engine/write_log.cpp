// Joining of write patterns.
#include "core/engine/write_log.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace ts {
namespace {

bool continues(const WritePattern& open, const WritePattern& next) {
  return open.count == 1 && next.count == 1 && open.base + open.size == next.base;
}

// Many runs of whole blocks, close to each other, in any order, as a load writes boxes line by line: a bit for each block
// says it all at once. False, and nothing is done: they are others.
bool join_blocks(const WritePattern* begin, const WritePattern* end, std::vector<WritePattern>& out) {
  constexpr std::ptrdiff_t kMany = 64;
  constexpr std::uint32_t kBlocksForEach = 16, kBits = 64;
  if (end - begin < kMany) return false;
  Flat first = begin->base, behind = first, odd = 0;
  for (const WritePattern* one = begin; one != end; ++one) {
    odd |= (one->base | one->size) % BLK | (one->count ^ 1);
    first = std::min(first, one->base);
    behind = std::max(behind, one->base + one->size);
  }
  const std::uint32_t blocks = (behind - first) / BLK;
  if (odd != 0 || blocks / kBlocksForEach > static_cast<std::uint64_t>(end - begin)) return false;
  std::vector<std::uint64_t> written(blocks / kBits + 1, 0);
  for (const WritePattern* one = begin; one != end; ++one)
    for (std::uint32_t block = (one->base - first) / BLK, last = block + one->size / BLK; block < last; ++block)
      written[block / kBits] |= std::uint64_t{1} << block % kBits;
  for (std::uint32_t word = 0; word < written.size(); ++word)
    for (std::uint64_t bits = written[word]; bits != 0;) {
      const auto from = static_cast<std::uint32_t>(std::countr_zero(bits));
      const auto count = static_cast<std::uint32_t>(std::countr_one(bits >> from));
      const Flat base = first + (word * kBits + from) * BLK;
      if (!out.empty() && out.back().base + out.back().size == base) out.back().size += count * BLK;
      else out.push_back({base, count * BLK, 0, 1});
      out.back().stride = out.back().size;
      bits = from + count == kBits ? 0 : bits >> (from + count) << (from + count);
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
    std::ranges::sort(patterns, {}, &WritePattern::base);
    return;
  }
  for (auto sorted_end = std::ranges::is_sorted_until(patterns, {}, &WritePattern::base);
       sorted_end != patterns.end();) {
    const auto sweep_end = std::ranges::is_sorted_until(sorted_end, patterns.end(), {}, &WritePattern::base);
    std::ranges::inplace_merge(patterns.begin(), sorted_end, sweep_end, {}, &WritePattern::base);
    sorted_end = sweep_end;
  }
}

// Those that follow each other, as they come.
void join_followers(const WritePattern* begin, const WritePattern* end, std::vector<WritePattern>& out) {
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
  if (!join_blocks(begin, end, out)) {
    join_followers(begin, end, out);
    if (out.size() > 1) sort_by_base(out);
    if (out.size() > 1) join_touching(out);
  }
  if (out.size() > 1) join_strides(out);
}

}  // namespace ts
