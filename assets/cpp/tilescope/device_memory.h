// The device's memory as a main sees it: what it allocated, and the bytes of it. Of runtime.cpp.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>

#include "border.h"

namespace {

using namespace ts_border;

// A part of the shared file, mapped for a moment: where a kernel's own mapping may be closed.
class FileBytes {
 public:
  FileBytes(int file, std::uint64_t offset, std::uint64_t bytes) : skipped_(offset % kPage), bytes_(bytes + skipped_) {
    if (file < 0) return;
    void* const mapped =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset - skipped_));
    if (mapped != MAP_FAILED) mapped_ = static_cast<char*>(mapped);
  }
  ~FileBytes() {
    if (mapped_ != nullptr) munmap(mapped_, bytes_);
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  void* data() const { return mapped_ == nullptr ? nullptr : mapped_ + skipped_; }

 private:
  std::uint64_t skipped_, bytes_;
  char* mapped_ = nullptr;
};

// Memory of the device that a main allocated, in its order.
struct Device {
  DeviceRange ranges[kMostBuffers];
  bool freed[kMostBuffers];
  std::uint32_t count;
  std::uint64_t reserved;

  // In a run that computes nothing, where no buffers stand ready.
  void* reserve(std::uint64_t bytes) {
    if (bytes > std::uint64_t{4} << 30) return nullptr;
    const std::uint64_t whole = (bytes + kPage - 1) / kPage * kPage;
    void* const wanted = reinterpret_cast<void*>(kGlobalBase + reserved);
    reserved += whole + kPage;
    void* const made = mmap(wanted, whole, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return made == wanted ? made : nullptr;
  }
  // The buffer that holds all of this; null: none does.
  const DeviceRange* find(const void* pointer, std::uint64_t bytes) const {
    const auto first = reinterpret_cast<std::uint64_t>(pointer);
    for (std::uint32_t i = 0; i < count; ++i)
      if (!freed[i] && first >= ranges[i].pointer && first - ranges[i].pointer < ranges[i].bytes &&
          bytes <= ranges[i].bytes - (first - ranges[i].pointer))
        return &ranges[i];
    return nullptr;
  }
  void explain(const void* pointer, std::uint64_t bytes, char* text, std::size_t room) const {
    const auto first = reinterpret_cast<std::uint64_t>(pointer);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (first < ranges[i].pointer || first - ranges[i].pointer >= ranges[i].bytes) continue;
      std::snprintf(
          text, room,
          freed[i] ? "the device's memory was freed before" : "%llu bytes from byte %llu on, of memory that has %llu",
          static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(first - ranges[i].pointer),
          static_cast<unsigned long long>(ranges[i].bytes));
      return;
    }
    std::snprintf(text, room, "the pointer %p is to no memory of the device", pointer);
  }
};

}  // namespace
