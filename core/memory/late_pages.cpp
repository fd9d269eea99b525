// Finding the input that a page is a part of.
#include "core/memory/late_pages.h"

#include <algorithm>

namespace ts {

const LatePages::Run* LatePages::run_of(std::uint32_t page) const {
  const auto run = std::ranges::upper_bound(runs_, page, {}, &Run::end);
  return run != runs_.end() && run->begin <= page ? &*run : nullptr;
}

void LatePages::make(std::uint32_t page, std::span<std::byte> out) const {
  const Run& run = *run_of(page);
  run.bytes(run.first + std::uint64_t{page - run.begin} * out.size(), out);
}

}  // namespace ts
