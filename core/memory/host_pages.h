// A range of host memory straight from the system: zero until touched, given back whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ts {

// Big pages make first touches some ten times cheaper; small ones cost less where a byte is touched here and there.
enum class Paging : std::uint8_t { Big, Small };

class HostPages {
 public:
  // What the system may give at once where one byte is touched.
  static constexpr std::size_t kBigPage = std::size_t{2} << 20;

  HostPages() = default;
  explicit HostPages(std::size_t bytes, Paging paging = Paging::Big);
  ~HostPages();
  HostPages(HostPages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  HostPages& operator=(HostPages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  // Gives the memory from `offset` on back; it is zero again when touched next.
  void release_from(std::size_t offset);
  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ts
