// What a page held from a position on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/memory/memory.h"

namespace ts {

inline constexpr std::uint32_t kPlanesBytes =
    2 * kPageBytes / 8;  // of a page: which bytes were written, which are unspecified

// A page as it is from `position` on. Position p is the state after p steps.
struct PageVersion {
  std::uint32_t position;
  std::uint32_t bytes;   // arena offset / kUnit
  std::uint32_t planes;  // the same, of the definedness planes; or kWhole
};

// What a version of a page holds. The planes, written before unspecified, are empty when the page is whole.
struct PageContent {
  std::span<const std::byte> bytes, planes;
  std::shared_ptr<const void> hold = {};  // of what is read from elsewhere
};

}  // namespace ts
