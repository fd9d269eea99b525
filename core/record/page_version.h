// What a page held from a position on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/memory/memory.h"

namespace ts {

inline constexpr std::uint32_t kPlanesBytes =
    2 * kPageBytes / 8;  // of a page: which bytes were written, which are unspecified

// A page that changed little has new bytes for some of its pieces only, and shares the others with the version before it.
inline constexpr std::uint32_t kPieceBytes = 256;
inline constexpr std::uint32_t kPiecesOfPage = kPageBytes / kPieceBytes;

// A page as it is from `position` on. Position p is the state after p steps.
struct PageVersion {
  std::uint32_t position;
  std::uint32_t bytes;     // arena offset / kUnit: of the page, or of the places of its pieces
  std::uint32_t planes;    // the same, of the definedness planes; or kWhole
  bool in_pieces = false;  // which of the two `bytes` is
  bool same_bytes(const PageVersion& other) const { return bytes == other.bytes && in_pieces == other.in_pieces; }
};

// What a version of a page holds.
struct PageContent {
  std::array<const std::byte*, kPiecesOfPage> pieces{};
  std::span<const std::byte> planes = {};  // written before unspecified; empty when the page is whole
  std::shared_ptr<const void> hold = {};   // of what is read from elsewhere

  // From byte `first` on, up to `most` that stand side by side.
  std::span<const std::byte> bytes_at(std::uint32_t first, std::size_t most = kPageBytes) const;
  void read(std::uint32_t first, std::span<std::byte> out) const;
};
// Of a page that stands in one place.
std::array<const std::byte*, kPiecesOfPage> pieces_of(const std::byte* page);

}  // namespace ts
