// Pictures of tiles and buffers: the bytes at two positions, compared.
#include "core/debug/picture/tile_picture.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/debug/session/session.h"

namespace ts {
namespace {

// --- bytes before and now ---

// The part of a range that its memory has.
ByteRange inside(const MemoryMap& map, ByteRange place) {
  const std::uint32_t size = map.size(place.space);
  place.size = place.address < size ? std::min(place.size, size - place.address) : 0;
  return place;
}

CopiedBytes bytes_at(Session& session, std::uint32_t position, ByteRange place) {
  CopiedBytes copied(place);
  session.peek_each(position, place, copied.bytes, copied.worth);
  return copied;
}

CopiedBytes bytes_now(Session& session, ByteRange place) {
  if (session.moment().micro > 0) return copy_of(session.memory(), place);
  return bytes_at(session, session.moment().position, place);
}

// The position that the moment is compared with; the start has none.
std::optional<std::uint32_t> position_before(Moment moment) {
  if (moment.micro > 0) return moment.position;
  return moment.position > 0 ? std::optional(moment.position - 1) : std::nullopt;
}

// --- which were written ---

// Calls f(begin, end) for the runs of flat bytes that led to the moment.
template <class F>
void for_written_runs(Session& session, F f) {
  const auto [position, micro] = session.moment();
  if (micro > 0) {
    const Trace& trace = session.trace(position);
    for (std::uint32_t i = 0; i < micro; ++i)
      for (const TraceAccess& write : trace.steps[i].writes) {
        const Flat begin = session.recording().map().flat(write.place());
        f(begin, begin + write.size);
      }
  } else if (position > 0) {
    for (const WritePattern& pattern : session.recording().writes(position - 1))
      for_runs(pattern, [&](Flat base, std::uint32_t size) { f(base, base + size); });
  }
}

// Of the lower half of a byte, and in the upper half of the mark of its upper half.
constexpr std::byte kChanged{0x11}, kWritten{0x22};

// Calls f(0) to f(size - 1), most of them in blocks of a length that compilers make vectors of.
template <class F>
void for_blocks(std::size_t size, F f) {
  constexpr std::size_t kBlock = 64;
  std::size_t i = 0;
  for (; i + kBlock <= size; i += kBlock)
    for (std::size_t j = 0; j < kBlock; ++j) f(i + j);
  for (; i < size; ++i) f(i);
}

// By byte of the place, what led to the moment did to it; empty: nothing to any of them.
std::vector<std::byte> marks_of(Session& session, const CopiedBytes& now) {
  std::vector<std::byte> marks;
  const auto before = position_before(session.moment());
  if (!before) return marks;
  const CopiedBytes then = bytes_at(session, *before, now.place);
  const std::size_t size = now.bytes.size();
  if (then.bytes != now.bytes || then.worth != now.worth) {
    marks.resize(size);
    for_blocks(size, [&](std::size_t i) {
      // Without a branch, so that it runs over many bytes at once.
      const unsigned other = std::to_integer<unsigned>(then.bytes[i] ^ now.bytes[i]),
                     halves = unsigned{(other & 0x0F) != 0} | unsigned{(other & 0xF0) != 0} << 4;
      marks[i] = then.worth[i] == now.worth[i] ? static_cast<std::byte>(halves) : kChanged;
    });
  }
  const Flat begin = session.recording().map().flat(now.place), end = begin + now.place.size;
  for_written_runs(session, [&](Flat first, Flat last) {
    first = std::max(first, begin);
    last = std::min(last, end);
    if (first >= last) return;
    marks.resize(size);
    std::byte* const run = marks.data() + (first - begin);
    for_blocks(last - first, [&](std::size_t i) { run[i] |= kWritten; });
  });
  return marks;
}

// --- the picture ---

// Fills all but what the picture is of. `elements_in(bytes)` makes elements of bytes of the place.
template <class ElementsIn>
void paint(TilePicture& picture, Session& session, ByteRange place, ElementsIn elements_in) {
  static std::atomic<std::uint64_t> made = 0;
  picture.number = ++made;
  CopiedBytes bytes = bytes_now(session, inside(session.recording().map(), place));
  picture.elements = elements_in(bytes);
  picture.statistics = statistics_of(picture.elements, Region::Valid);
  picture.changed.assign(picture.elements.bits.size(), 0);
  picture.written.assign(picture.elements.bits.size(), 0);
  std::vector<std::byte> marks = marks_of(session, bytes);
  if (marks.empty()) return;
  // Marks are gathered as the elements themselves are: an element has the marks of all its bytes, or of its half.
  bytes.bytes = std::move(marks);
  const Elements marked = elements_in(bytes);
  constexpr std::uint64_t kEveryByte = 0x0101010101010101;
  for (std::size_t i = 0; i < marked.bits.size(); ++i) {
    picture.changed[i] = (marked.bits[i] & kEveryByte * std::to_integer<std::uint64_t>(kChanged)) != 0 ? 1 : 0;
    picture.written[i] = (marked.bits[i] & kEveryByte * std::to_integer<std::uint64_t>(kWritten)) != 0 ? 1 : 0;
  }
}

}  // namespace

Window window_at(BufferShape shape, std::uint32_t row, std::uint32_t col) {
  if (shape.rows == 0 || shape.cols == 0) return {};
  const auto first = [](std::uint32_t wanted, std::uint32_t count, std::uint32_t all) {
    return std::min(wanted, all - count);
  };
  const std::uint32_t cols = std::min(shape.cols, kMostPictured);
  const std::uint32_t rows = std::min(shape.rows, kMostPictured / cols);
  return {first(row, rows, shape.rows), first(col, cols, shape.cols), rows, cols};
}

TilePicture picture_of(Session& session, const TileRef& tile, Moment moment) {
  session.seek(moment);
  const BufferShape shape{tile.rows(), tile.cols()};
  TilePicture picture{.number = 0,
                      .tile = tile,
                      .place = tile.range(),
                      .moment = session.moment(),
                      .shape = shape,
                      .window = {0, 0, shape.rows, shape.cols},
                      .elements = {},
                      .changed = {},
                      .written = {},
                      .statistics = {}};
  paint(picture, session, extent_of(tile), [&](const CopiedBytes& bytes) { return elements_of(bytes, tile); });
  return picture;
}

TilePicture picture_of(Session& session, const BufferDecl& buffer, Moment moment, std::optional<Window> window) {
  session.seek(moment);
  const BufferShape shape = shape_of(buffer);
  Window part = window.value_or(window_at(shape, 0, 0));
  part.row = std::min(part.row, shape.rows);
  part.col = std::min(part.col, shape.cols);
  part.rows = std::min(part.rows, shape.rows - part.row);
  part.cols = std::min(part.cols, shape.cols - part.col);
  TilePicture picture{.number = 0,
                      .tile = {},
                      .place = {Space::Gm, buffer.address, buffer.size()},
                      .moment = session.moment(),
                      .shape = shape,
                      .window = part,
                      .elements = {},
                      .changed = {},
                      .written = {},
                      .statistics = {}};
  // Narrower windows of several rows stand apart in memory: all that lies between is read with them.
  const std::uint64_t pitch = shape.cols, first = std::uint64_t{part.row} * pitch + part.col;
  const std::uint64_t count = part.rows == 0 || part.cols == 0 ? 0 : (part.rows - 1) * pitch + part.cols;
  ByteRange place = element_place(Space::Gm, buffer.address, buffer.dtype, first);
  const std::uint32_t before = place.part == BytePart::High ? 1 : 0;  // the one that shares the first one's byte
  place = {Space::Gm, place.address, static_cast<std::uint32_t>(bytes_for(buffer.dtype, count + before))};
  paint(picture, session, place, [&](const CopiedBytes& bytes) {
    return elements_of(bytes, buffer.dtype, part.rows, part.cols, shape.cols, before);
  });
  return picture;
}

}  // namespace ts
