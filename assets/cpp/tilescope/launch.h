// What a launch `kernel<<<blocks, nullptr, stream>>>(x)` is rewritten to: the blocks run one after the other.
#pragma once

#include <cstdint>

extern "C" {
void ts_launch(std::uint32_t blocks, void (*kernel)(void*), void* what);
}

namespace tilescope {

class Grid {
 public:
  template <class... Rest>
  explicit Grid(std::uint64_t blocks, const Rest&...) : blocks_(static_cast<std::uint32_t>(blocks)) {}

  template <class Kernel>
  void operator<<(Kernel kernel) const {
    ts_launch(
        blocks_, [](void* what) { (*static_cast<Kernel*>(what))(); }, &kernel);
  }

 private:
  std::uint32_t blocks_;
};

}  // namespace tilescope
