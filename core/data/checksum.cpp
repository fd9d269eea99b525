// CRC-32, bit by bit in a table of bytes.
#include "core/data/checksum.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace ts::data {
namespace {

constexpr std::array<std::uint32_t, 256> kSums = [] {
  constexpr std::uint32_t kPolynomial = 0xEDB88320;
  std::array<std::uint32_t, 256> sums{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    sums[byte] = byte;
    for (int bit = 0; bit < 8; ++bit) sums[byte] = (sums[byte] >> 1) ^ ((sums[byte] & 1) != 0 ? kPolynomial : 0);
  }
  return sums;
}();

}  // namespace

std::string checksum_of(std::span<const std::byte> bytes) {
  std::uint32_t sum = ~std::uint32_t{0};
  for (const std::byte byte : bytes) sum = (sum >> 8) ^ kSums[(sum ^ std::to_integer<std::uint32_t>(byte)) & 0xFF];
  return fmt::format("crc32:{:08x}", ~sum);
}

}  // namespace ts::data
