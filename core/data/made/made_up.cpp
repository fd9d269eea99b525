// The kinds. Whole numbers and exact sums only, so that no library's logarithm makes a difference between machines.
#include "core/data/made/made_up.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/data/seeded.h"

namespace ts::data {
namespace {

constexpr MadeUpRow kKinds[] = {
    {"seeded", "small numbers that differ from their neighbours, by the seed", MadeUp::Seeded},
    {"ramp", "0, 1, 2, ..., again from 0 where the type does not have every number any more", MadeUp::Ramp},
    {"zeros", "0 everywhere", MadeUp::Zeros},
    {"ones", "1 everywhere", MadeUp::Ones},
    {"normal", "by the bell curve: mean 0, deviation 1; integers have deviation 30, unsigned ones around 100",
     MadeUp::Normal},
    {"edge", "the type's edge values: zeros, ones, smallest, largest, infinities, NaN, subnormals", MadeUp::Edge},
};

// How far a ramp goes: the numbers from 0 on that the type has without a gap.
std::uint64_t ramp_length(DType dtype) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 24, kMostOf16 = std::uint64_t{1} << 16;
  if (size_bytes(dtype) > 2) return kMost;
  std::uint64_t length = 0;
  while (length < kMostOf16) {
    const auto number = static_cast<double>(length);
    if (to_double(dtype, from_double(dtype, number)) != number) break;
    ++length;
  }
  return std::max<std::uint64_t>(length, 1);
}

// Of E8M0, which has no 0 and of whole numbers only powers of two: those.
std::uint64_t ramp_at(DType dtype, std::uint64_t place) {
  return dtype == DType::E8M0 ? from_double(dtype, std::ldexp(1.0, static_cast<int>(place % 8)))
                              : from_double(dtype, static_cast<double>(place));
}

// Twelve even numbers, added: as near to the bell curve as anybody can see, never beyond 6, and exact.
double normal_at(std::uint64_t state, std::uint64_t element) {
  std::uint64_t sum = 0;
  for (std::uint64_t part = 0; part < 3; ++part) {
    const std::uint64_t number = seeded_number(state, element * 3 + part);
    for (int shift = 0; shift < 64; shift += 16) sum += number >> shift & 0xFFFF;
  }
  return (static_cast<double>(sum) - 6.0 * 0xFFFF) / 65536.0;
}

std::uint64_t normal_bits(DType dtype, double value) {
  if (dtype == DType::E8M0) return from_double(dtype, std::ldexp(1.0, static_cast<int>(std::round(value))));
  if (is_float(dtype)) return from_double(dtype, value);
  const bool packed = is_packed(dtype), sign = is_signed_int(dtype);
  const double deviation = packed ? 3 : 30, middle = sign ? 0 : packed ? 8 : 100;
  const double least = !sign ? 0 : packed ? -8 : -128, most = packed ? (sign ? 7 : 15) : sign ? 127 : 255;
  return from_double(dtype, std::clamp(std::round(middle + deviation * value), least, most));
}

int mantissa_bits(DType dtype) { return dtype == DType::F16 ? 10 : dtype == DType::BF16 ? 7 : 23; }

// The bits of all edge values. Of a type of 8 bits and less that is no integer of a byte: all that it has.
std::vector<std::uint64_t> edges_of(DType dtype) {
  const unsigned bits = size_bits(dtype);
  if (is_packed(dtype) || is_small_float(dtype)) {
    std::vector<std::uint64_t> codes(std::size_t{1} << bits);
    std::iota(codes.begin(), codes.end(), 0);
    return codes;
  }
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1), all = sign | (sign - 1);
  if (is_signed_int(dtype)) return {0, 1, all, sign - 1, sign, sign - 2, sign + 1};
  if (!is_float(dtype)) return {0, 1, all, all - 1, sign, sign - 1, 2};
  const std::uint64_t one = from_double(dtype, 1), infinite = from_double(dtype, INFINITY),
                      normal = std::uint64_t{1} << mantissa_bits(dtype);
  return {0,
          sign,
          one,
          sign | one,
          one + 1,
          1,
          normal - 1,
          normal,
          infinite - 1,
          infinite,
          sign | infinite,
          sign | (infinite - 1),
          infinite | normal >> 1};
}

}  // namespace

std::span<const MadeUpRow> made_up_kinds() { return kKinds; }

const char* name(MadeUp kind) { return std::ranges::find(kKinds, kind, &MadeUpRow::kind)->word; }

std::optional<MadeUp> find_made_up(std::string_view word) {
  const auto found = std::ranges::find(kKinds, word, [](const MadeUpRow& row) { return std::string_view(row.word); });
  return found == std::end(kKinds) ? std::nullopt : std::optional(found->kind);
}

std::string made_up_words() {
  std::string words;
  for (const MadeUpRow& row : kKinds) words += (words.empty() ? "" : ", ") + std::string(row.word);
  return words;
}

std::vector<std::byte> made_up(MadeUp kind, std::uint64_t seed, std::string_view name, DType dtype,
                               std::uint64_t elements) {
  if (kind == MadeUp::Seeded) return seeded(seed, name, dtype, elements);
  std::vector<std::byte> bytes(bytes_for(dtype, elements));
  const std::uint64_t state = seeded_state(seed, name, dtype);
  const std::vector<std::uint64_t> edges = edges_of(dtype);
  const std::uint64_t length = kind == MadeUp::Ramp ? ramp_length(dtype) : 1,
                      all = from_double(dtype, kind == MadeUp::Ones);
  for (std::uint64_t i = 0; i < elements; ++i) {
    std::uint64_t value = all;
    if (kind == MadeUp::Ramp) value = ramp_at(dtype, dtype == DType::E8M0 ? i : i % length);
    if (kind == MadeUp::Normal) value = normal_bits(dtype, normal_at(state, i));
    // Each round has all of them and begins elsewhere, so that two inputs do not always have the same pairs.
    const std::uint64_t round = i / edges.size(), turned = i + seeded_number(state, round) % edges.size();
    if (kind == MadeUp::Edge) value = edges[turned % edges.size()];
    store_element(bytes.data(), dtype, i, value);
  }
  return bytes;
}

}  // namespace ts::data
