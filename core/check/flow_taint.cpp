// The shadow of copied undefined bytes, page by page.
#include "core/check/flow_taint.h"

#include <algorithm>

namespace ts {

const Taint::Origin* Taint::at(Flat flat) const {
  const Page* page = count_ == 0 ? nullptr : pages_[flat / kPageBytes].get();
  if (page == nullptr || page->count == 0) return nullptr;
  const Origin& origin = page->origin[flat % kPageBytes];
  return origin.byte == 0 ? nullptr : &origin;
}

bool Taint::any(Flat begin, std::uint32_t size) const {
  for (Flat at = begin; count_ != 0 && at < begin + size;) {
    const Page* page = pages_[at / kPageBytes].get();
    const Flat end = std::min(begin + size, (at / kPageBytes + 1) * kPageBytes);
    for (; page != nullptr && page->count != 0 && at < end; ++at)
      if (page->origin[at % kPageBytes].byte != 0) return true;
    at = end;
  }
  return false;
}

void Taint::set(Flat flat, const Origin& origin) {
  std::unique_ptr<Page>& page = pages_[flat / kPageBytes];
  if (!page) page = std::make_unique<Page>();
  Origin& here = page->origin[flat % kPageBytes];
  if (here.byte == 0) ++page->count, ++count_;
  here = origin;
}

void Taint::clear(Flat begin, std::uint32_t size) {
  for (Flat at = begin; count_ != 0 && at < begin + size;) {
    Page* page = pages_[at / kPageBytes].get();
    const Flat end = std::min(begin + size, (at / kPageBytes + 1) * kPageBytes);
    for (; page != nullptr && page->count != 0 && at < end; ++at) {
      Origin& here = page->origin[at % kPageBytes];
      if (here.byte == 0) continue;
      here = {};
      --page->count, --count_;
    }
    at = end;
  }
}

void Taint::forget_core() {
  const Flat begin = map_.origin(Space::Ub);
  clear(begin, map_.origin(Space::Spr) - begin);
}

}  // namespace ts
