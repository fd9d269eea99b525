// Seeded data: a table of the values a type may take, walked by a generator of our own, since the library's differ.
#include "core/data/seeded.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace ts::data {
namespace {

constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ull;

// splitmix64: the number behind a state, which goes on by kStep from number to number.
std::uint64_t number_behind(std::uint64_t state) {
  std::uint64_t z = state + kStep;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return z ^ z >> 31;
}

// 0 .. n-1
std::uint32_t below(std::uint64_t state, std::uint32_t n) {
  return static_cast<std::uint32_t>((number_behind(state) >> 32) * n >> 32);
}

// The bits of all values that may appear, from low to high.
std::vector<std::uint64_t> values_of(DType dtype) {
  if (is_packed(dtype)) {
    std::vector<std::uint64_t> codes(std::size_t{1} << size_bits(dtype));
    std::iota(codes.begin(), codes.end(), 0);
    return codes;
  }
  if (dtype == DType::E8M0) {  // 1/8 to 8; it has no sign
    std::vector<std::uint64_t> exponents(7);
    std::iota(exponents.begin(), exponents.end(), from_double(dtype, 0.125));
    return exponents;
  }
  const bool whole = !is_float(dtype);
  const bool negative = !whole || is_signed_int(dtype);
  const int count = whole ? 200 : 128, first = negative ? -count / 2 : 0;
  std::vector<std::uint64_t> values;
  for (int i = first; i < first + count; ++i) values.push_back(from_double(dtype, whole ? i : i / 8.0));
  return values;
}

// The first value is any, each one behind it any but the one before: it is as many values on as the next number says,
// and one more. So the value of an element needs the sum of all numbers before it, and no value.
class Walk {
 public:
  // At element 0, or at another where it is known: `at` is its value.
  Walk(std::uint64_t state, std::uint32_t count) : state_(state + kStep), count_(count), at_(below(state, count)) {}
  Walk(std::uint64_t state, std::uint32_t count, std::uint64_t element, std::uint32_t at)
      : state_(state + (element + 1) * kStep), count_(count), at_(at) {}
  std::uint32_t at() const { return at_; }
  void pass(std::uint64_t elements) {
    std::uint64_t sum = at_ + elements;
    for (std::uint64_t i = 0; i < elements; ++i) sum += below(state_ + i * kStep, count_ - 1);
    state_ += elements * kStep;
    at_ = static_cast<std::uint32_t>(sum % count_);
  }
  // As `pass` of one.
  void step() {
    at_ = (at_ + 1 + below(state_, count_ - 1)) % count_;
    state_ += kStep;
  }

 private:
  std::uint64_t state_;
  std::uint32_t count_, at_;
};

}  // namespace

std::uint64_t seeded_state(std::uint64_t seed, std::string_view name, DType dtype) {
  std::uint64_t state = seed;
  const auto absorb = [&](std::string_view text) {
    for (const char c : text) {
      state ^= static_cast<unsigned char>(c);
      state = number_behind(state);
    }
  };
  absorb(name);
  absorb({"\0", 1});  // so that no name with a type's name behind it is another name
  absorb(ts::name(dtype));
  return state;
}

std::uint64_t seeded_number(std::uint64_t state, std::uint64_t index) { return number_behind(state + index * kStep); }

std::vector<std::byte> seeded(std::uint64_t seed, std::string_view name, DType dtype, std::uint64_t elements) {
  const std::vector<std::uint64_t> values = values_of(dtype);
  std::vector<std::byte> bytes(bytes_for(dtype, elements));
  Walk walk(seeded_state(seed, name, dtype), static_cast<std::uint32_t>(values.size()));
  for (std::uint64_t i = 0; i < elements; ++i, walk.step()) store_element(bytes.data(), dtype, i, values[walk.at()]);
  return bytes;
}

std::shared_ptr<const Seeded> Seeded::plan(std::uint64_t seed, std::string_view name, DType dtype,
                                           std::uint64_t elements, const std::function<bool()>& go_on) {
  constexpr std::uint64_t kAskEvery = 4096;
  std::shared_ptr<Seeded> made(new Seeded);
  made->seed_ = seed;
  made->state_ = seeded_state(seed, name, dtype);
  made->elements_ = elements;
  made->dtype_ = dtype;
  made->values_ = values_of(dtype);
  const std::uint64_t parts = (elements + kEvery - 1) / kEvery;
  made->at_.reserve(parts);
  Walk walk(made->state_, static_cast<std::uint32_t>(made->values_.size()));
  for (std::uint64_t part = 0; part < parts; ++part, walk.pass(kEvery)) {
    if (part % kAskEvery == 0 && go_on && !go_on()) return nullptr;
    made->at_.push_back(static_cast<std::uint8_t>(walk.at()));
  }
  return made;
}

void Seeded::make(std::uint64_t first, std::span<std::byte> out) const {
  const std::uint64_t end = std::min(first + out.size(), bytes_for(dtype_, elements_));
  if (first >= end) return;
  const std::uint64_t begin_element = elements_in(dtype_, first), part = begin_element / kEvery;
  Walk walk(state_, static_cast<std::uint32_t>(values_.size()), part * kEvery, at_[part]);
  walk.pass(begin_element - part * kEvery);
  if (is_packed(dtype_)) {
    const std::uint64_t behind = std::min(elements_in(dtype_, end), elements_);
    std::ranges::fill(out.first(end - first), std::byte{0});
    for (std::uint64_t element = begin_element; element < behind; ++element, walk.step())
      store_element(out.data(), dtype_, element - begin_element, values_[walk.at()]);
    return;
  }
  const std::uint64_t size = size_bytes(dtype_);
  for (std::uint64_t element = begin_element; element * size < end; ++element, walk.step()) {
    // The first and the last element may reach out of what was asked for.
    const std::uint64_t here = element * size, from = std::max(here, first), to = std::min(here + size, end);
    std::memcpy(out.data() + (from - first), reinterpret_cast<const std::byte*>(&values_[walk.at()]) + (from - here),
                to - from);
  }
}

}  // namespace ts::data
