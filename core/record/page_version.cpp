// Reading what stands in pieces.
#include "core/record/page_version.h"

#include <algorithm>
#include <cstring>

namespace ts {

std::array<const std::byte*, kPiecesOfPage> pieces_of(const std::byte* page) {
  std::array<const std::byte*, kPiecesOfPage> pieces;
  for (std::uint32_t i = 0; i < kPiecesOfPage; ++i) pieces[i] = page + i * kPieceBytes;
  return pieces;
}

std::span<const std::byte> PageContent::bytes_at(std::uint32_t first, std::size_t most) const {
  std::uint32_t piece = first / kPieceBytes;
  const std::byte* begin = pieces[piece] + first % kPieceBytes;
  std::size_t size = kPieceBytes - first % kPieceBytes;
  for (; size < most && piece + 1 < kPiecesOfPage && pieces[piece + 1] == pieces[piece] + kPieceBytes; ++piece)
    size += kPieceBytes;
  return {begin, std::min(size, most)};
}

void PageContent::read(std::uint32_t first, std::span<std::byte> out) const {
  for (std::size_t done = 0; done < out.size();) {
    const auto next = bytes_at(first + static_cast<std::uint32_t>(done), out.size() - done);
    std::memcpy(out.data() + done, next.data(), next.size());
    done += next.size();
  }
}

}  // namespace ts
