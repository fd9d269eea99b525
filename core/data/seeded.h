// Data for inputs that nobody gave: the same for a seed, a name and a type, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/isa/dtype.h"

namespace ts::data {

// Small numbers that people can read and that differ from their neighbours: floats are multiples of 1/8 in [-8, 8), integers
// lie in [-100, 100) or [0, 200) and fit the type.
std::vector<std::byte> seeded(std::uint64_t seed, std::string_view name, DType dtype, std::uint64_t elements);

// The generator behind it: where it begins for an input, and its numbers from there on.
std::uint64_t seeded_state(std::uint64_t seed, std::string_view name, DType dtype);
std::uint64_t seeded_number(std::uint64_t state, std::uint64_t index);

// The same, of which any part is made when it is asked for.
class Seeded {
 public:
  // Goes through all elements once, in some nanoseconds each; null: `go_on` said no.
  static std::shared_ptr<const Seeded> plan(std::uint64_t seed, std::string_view name, DType dtype,
                                            std::uint64_t elements, const std::function<bool()>& go_on = {});
  // Writes the bytes from `first` on; beyond the last element they stay as they are.
  void make(std::uint64_t first, std::span<std::byte> out) const;
  std::uint64_t seed() const { return seed_; }

 private:
  Seeded() = default;

  static constexpr std::uint64_t kEvery = 512;  // elements
  std::uint64_t seed_ = 0, state_ = 0, elements_ = 0;
  DType dtype_ = DType::U8;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint8_t> at_;  // which value every so many elements is
};

}  // namespace ts::data
