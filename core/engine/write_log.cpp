// Joining of write patterns.
#include "core/engine/write_log.h"

#include <algorithm>
#include <cstddef>

namespace ts {
namespace {

bool continues(const WritePattern& open, const WritePattern& next) {
  return open.count == 1 && next.count == 1 && open.base + open.size == next.base;
}

// Evenly spaced runs of one size, sorted by base, become one pattern.
std::vector<WritePattern> joined_strides(const std::vector<WritePattern>& sorted) {
  std::vector<WritePattern> out;
  for (const WritePattern& next : sorted) {
    if (!out.empty() && next.count == 1) {
      WritePattern& open = out.back();
      if (continues(open, next)) {
        open.size += next.size;
        open.stride = open.size;
        continue;
      }
      const std::uint32_t step = next.base - open.base;
      if (open.size == next.size && open.count == 1 && step > open.size) {
        open.stride = step;
        open.count = 2;
        continue;
      }
      if (open.size == next.size && open.count > 1 && step == open.count * open.stride) {
        ++open.count;
        continue;
      }
    }
    out.push_back(next);
  }
  return out;
}

}  // namespace

std::vector<WritePattern> joined(const WritePattern* begin, const WritePattern* end) {
  // An instruction with two destinations alternates between them, so the last few patterns stay open.
  constexpr std::size_t kOpen = 4;
  std::vector<WritePattern> out;
  for (const WritePattern* entry = begin; entry != end; ++entry) {
    const std::size_t first_open = out.size() > kOpen ? out.size() - kOpen : 0;
    const auto open = std::find_if(out.begin() + static_cast<std::ptrdiff_t>(first_open), out.end(),
                                   [&](const WritePattern& pattern) { return continues(pattern, *entry); });
    if (open == out.end()) {
      out.push_back(*entry);
    } else {
      open->size += entry->size;
      open->stride = open->size;
    }
  }
  if (out.size() < 2) return out;
  std::ranges::sort(out, {}, &WritePattern::base);
  return joined_strides(out);
}

}  // namespace ts
