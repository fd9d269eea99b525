// Seeded data: a table of the values a type may take, walked by a generator of our own, since the library's differ.
#include "core/data/seeded.h"

#include <cstring>

namespace ts::data {
namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, std::string_view name, DType dtype) : state_(seed) {
    absorb(name);
    absorb({"\0", 1});  // so that no name with a type's name behind it is another name
    absorb(ts::name(dtype));
  }
  // 0 .. n-1
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }

 private:
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
  }
  void absorb(std::string_view text) {
    for (const char c : text) {
      state_ ^= static_cast<unsigned char>(c);
      state_ = next();
    }
  }
  std::uint64_t state_;
};

// The bits of all values that may appear, from low to high.
std::vector<std::uint64_t> values_of(DType dtype) {
  const bool whole = !is_float(dtype);
  const bool negative = !whole || is_signed_int(dtype);
  const int count = whole ? 200 : 128, first = negative ? -count / 2 : 0;
  std::vector<std::uint64_t> values;
  for (int i = first; i < first + count; ++i) values.push_back(from_double(dtype, whole ? i : i / 8.0));
  return values;
}

}  // namespace

std::vector<std::byte> seeded(std::uint64_t seed, std::string_view name, DType dtype, std::uint64_t elements) {
  const std::vector<std::uint64_t> values = values_of(dtype);
  const auto count = static_cast<std::uint32_t>(values.size());
  const std::size_t size = size_bytes(dtype);
  std::vector<std::byte> bytes(elements * size);
  Generator generator(seed, name, dtype);
  std::uint32_t at = generator.below(count);
  for (std::uint64_t i = 0; i < elements; ++i) {
    std::memcpy(bytes.data() + i * size, &values[at], size);
    at = (at + 1 + generator.below(count - 1)) % count;  // any value but this one
  }
  return bytes;
}

}  // namespace ts::data
