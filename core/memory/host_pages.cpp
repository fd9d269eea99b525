// Host memory by mmap: reserved at once, paid for when touched.
#include "core/memory/host_pages.h"

#include <sys/mman.h>

#include <new>

namespace ts {

HostPages::HostPages(std::size_t bytes, Paging paging) {
  if (bytes == 0) return;
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  // Where the system refuses, nothing is lost but time or memory.
  madvise(mapped, bytes, paging == Paging::Big ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  data_ = static_cast<std::byte*>(mapped);
  bytes_ = bytes;
}

HostPages::~HostPages() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

void HostPages::release_from(std::size_t offset) {
  constexpr std::size_t kHostPage = 4096;
  const std::size_t begin = (offset + kHostPage - 1) / kHostPage * kHostPage;
  if (begin < bytes_) madvise(data_ + begin, bytes_ - begin, MADV_DONTNEED);
}

}  // namespace ts
