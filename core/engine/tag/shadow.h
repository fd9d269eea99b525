// What float elements would be if everything had been computed in double precision, for those that are something else.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

#include "core/isa/dtype.h"
#include "core/memory/memory.h"

namespace ts {

struct Shadow {
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: none, the element is its own shadow
  DType type = DType::F32;                                  // of the element
  bool far = false;  // for whoever keeps it: the element is further from it than it should be
  explicit operator bool() const { return value == value; }
};

// Shadows of elements in memory, by their first byte. Elements of 2 or 4 bytes at even addresses have a place here.
class ShadowMemory {
 public:
  explicit ShadowMemory(const MemoryMap& map) : pages_(map.pages()) {}

  bool empty() const { return count_ == 0; }
  Shadow at(Flat first) const {
    const Page* page = pages_[first / kPageBytes].get();
    return page == nullptr || first % kSlot != 0 ? Shadow{} : page->at[first % kPageBytes / kSlot];
  }
  // Whether an element that begins among these bytes has one.
  bool any(Flat begin, std::uint32_t size) const;
  void keep(Flat first, const Shadow& shadow);
  // Those of all elements with one of these bytes.
  void forget(Flat begin, std::uint32_t size);

 private:
  static constexpr std::uint32_t kSlot = 2;
  // 128 MiB of shadows, whatever a program computes. Past it the oldest page is forgotten: its elements count as exact.
  static constexpr std::size_t kMostPages = 8192;
  struct Page {
    std::array<Shadow, kPageBytes / kSlot> at;
    std::uint32_t count = 0;
  };
  Page& page_for(Flat at);
  void forget_in(std::uint32_t number, std::uint32_t begin, std::uint32_t end);

  std::vector<std::unique_ptr<Page>> pages_;
  std::deque<std::uint32_t> made_;  // numbers of the pages, oldest first
  std::size_t count_ = 0;
};

}  // namespace ts
