// A tile or buffer as it stands at a moment, ready to be drawn: its elements, what they are worth, what the step before
// changed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/debug/elements.h"
#include "core/debug/moment.h"
#include "core/debug/statistics.h"
#include "core/isa/element.h"

namespace ts {

class Session;

struct TilePicture {
  std::optional<TileRef> tile;  // nothing: of a buffer
  ByteRange place;              // all its bytes
  Moment moment;
  Elements elements;
  // By element: the step before the moment (or the micro-steps of the one it stands in) gave its bytes other bits or
  // another worth.
  std::vector<std::uint8_t> changed;
  // The same, written, whether the bits changed or not.
  std::vector<std::uint8_t> written;
  Statistics statistics;  // of the valid region

  bool is_valid(std::uint32_t row, std::uint32_t col) const { return row < elements.valid_rows && col < elements.valid_cols; }
};

// Moves the session there.
TilePicture picture_of(Session& session, const TileRef& tile, Moment moment);
TilePicture picture_of(Session& session, const BufferDecl& buffer, Moment moment);

}  // namespace ts
