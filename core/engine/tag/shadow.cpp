// Shadows by pages of the memories.
#include "core/engine/tag/shadow.h"

#include <algorithm>

namespace ts {

bool ShadowMemory::any(Flat begin, std::uint32_t size) const {
  const Flat end = begin + size;
  return std::ranges::any_of(made_, [&](std::uint32_t number) {
    const Flat page = number * kPageBytes, from = std::max(begin, page), to = std::min(end, page + kPageBytes);
    if (from >= to || pages_[number]->count == 0) return false;
    const auto first = pages_[number]->at.begin();
    return std::any_of(first + (from - page + kSlot - 1) / kSlot, first + (to - page + kSlot - 1) / kSlot,
                       [](const Shadow& shadow) { return bool{shadow}; });
  });
}

void ShadowMemory::keep(Flat first, const Shadow& shadow) {
  if (first % kSlot != 0) return;
  Page& page = page_for(first);
  Shadow& place = page.at[first % kPageBytes / kSlot];
  if (!place) ++page.count, ++count_;
  place = shadow;
}

ShadowMemory::Page& ShadowMemory::page_for(Flat at) {
  const std::uint32_t number = at / kPageBytes;
  if (pages_[number] == nullptr) {
    if (made_.size() == kMostPages) {
      count_ -= pages_[made_.front()]->count;
      pages_[made_.front()] = nullptr;
      made_.pop_front();
    }
    pages_[number] = std::make_unique<Page>();
    made_.push_back(number);
  }
  return *pages_[number];
}

void ShadowMemory::forget(Flat begin, std::uint32_t size) {
  if (empty() || size == 0) return;
  // An element of four bytes may begin before them.
  const Flat earlier = begin / kSlot * kSlot - kSlot, end = begin + size;
  if (at(earlier) && size_bytes(at(earlier).type) > kSlot)
    forget_in(earlier / kPageBytes, earlier % kPageBytes, earlier % kPageBytes + 1);
  for (Flat number = begin / kPageBytes; number <= (end - 1) / kPageBytes; ++number) {
    const Flat page = number * kPageBytes;
    forget_in(number, std::max(begin, page) - page, std::min(end - page, kPageBytes));
  }
}

void ShadowMemory::forget_in(std::uint32_t number, std::uint32_t begin, std::uint32_t end) {
  Page* page = pages_[number].get();
  if (page == nullptr || page->count == 0) return;
  for (std::uint32_t slot = begin / kSlot; slot < (end + kSlot - 1) / kSlot; ++slot) {
    if (!page->at[slot]) continue;
    page->at[slot] = {};
    --page->count;
    --count_;
  }
}

}  // namespace ts
