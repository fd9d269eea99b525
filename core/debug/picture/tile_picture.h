// A tile or buffer as it stands at a moment, ready to be drawn: its elements, what they are worth, what the step before
// changed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/debug/elements/elements.h"
#include "core/debug/elements/statistics.h"
#include "core/debug/session/moment.h"
#include "core/isa/element.h"

namespace ts {

class Session;

// A part of a tile or buffer, in elements.
struct Window {
  std::uint32_t row = 0, col = 0, rows = 0, cols = 0;
  bool operator==(const Window&) const = default;
};

struct TilePicture {
  std::uint64_t number = 0;     // no other picture has it: for whoever keeps something made of it
  std::optional<TileRef> tile;  // nothing: of a buffer
  ByteRange place;              // all bytes of the tile or buffer
  Moment moment;
  BufferShape shape = {0, 0};  // of the tile or buffer
  // What the picture is of: a tile is always seen as a whole, of a buffer that is too large a part. Rows and columns of
  // `elements` count from its corner.
  Window window;
  Elements elements;
  // By element: the step before the moment (or the micro-steps of the one it stands in) gave its bytes other bits or
  // made them worth something else.
  std::vector<std::uint8_t> changed;
  // The same, written, whether the bits changed or not.
  std::vector<std::uint8_t> written;
  Statistics statistics;  // of the valid region in the window

  bool is_whole() const { return window.rows == shape.rows && window.cols == shape.cols; }
  bool is_valid(std::uint32_t row, std::uint32_t col) const {
    return row < elements.valid_rows && col < elements.valid_cols;
  }
};

// So many elements of a buffer are seen at once, at most.
inline constexpr std::uint32_t kMostPictured = 1u << 18;
// The part of a buffer that begins with an element, as large as pictures may be: whole rows where that is possible,
// else a part of one row. The last part has the buffer's last rows.
Window window_at(BufferShape shape, std::uint32_t row, std::uint32_t col);

// May move the session there.
TilePicture picture_of(Session& session, const TileRef& tile, Moment moment);
// Of the window's elements that the buffer has; without a window: the first ones.
TilePicture picture_of(Session& session, const BufferDecl& buffer, Moment moment, std::optional<Window> window = {});

}  // namespace ts
