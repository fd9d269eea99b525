// Bytes that hold a copy of something undefined without being a result: the run counts them as written.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/memory/memory.h"

namespace ts {

class Taint {
 public:
  // Where the undefined byte stood first, and the step that copied it here. Of a mask byte only some bits may be made of it.
  struct Origin {
    Flat byte = 0;
    std::uint32_t step = 0;
    std::uint8_t bits = 0xFF;
  };

  explicit Taint(const MemoryMap& map) : map_(map), pages_(map.pages()) {}

  bool any(Flat begin, std::uint32_t size) const;
  const Origin* at(Flat flat) const;  // null: clean
  void set(Flat flat, const Origin& origin);
  void clear(Flat begin, std::uint32_t size);
  // A block begins: its core's own memories hold nothing.
  void forget_core();

 private:
  struct Page {
    std::uint32_t count = 0;
    Origin origin[kPageBytes];  // byte 0: clean
  };

  MemoryMap map_;
  std::vector<std::unique_ptr<Page>> pages_;  // null: clean
  std::uint64_t count_ = 0;
};

}  // namespace ts
