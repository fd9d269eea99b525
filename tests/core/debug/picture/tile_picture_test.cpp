// Pictures of tiles and buffers against plain loops over the bytes of memories.
#include "core/debug/picture/tile_picture.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/debug/session/session.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

// The memories at a moment and what they are compared with, byte by byte.
struct Bytes {
  std::vector<std::byte> bytes;
  std::vector<Definedness> worth;
  explicit Bytes(const Memory& memory) : bytes(memory.base(), memory.base() + memory.map().end()), worth(bytes.size()) {
    for (Flat at = kFirstFlat; at < memory.map().end(); ++at) worth[at] = memory.definedness(at);
  }
};

struct Expected {
  std::uint64_t bits = 0;
  Definedness worth = Definedness::Written;
  bool changed = false, written = false;
};

struct Oracle {
  Bytes before, now;
  std::vector<bool> written;

  Oracle(const Memory& before_, const Memory& now_) : before(before_), now(now_), written(now.bytes.size()) {}

  Expected element(Flat at, const ByteRange& place) const {
    Expected found = element(at, place.size);
    if (place.part == BytePart::Whole) return found;
    const auto half = [&](std::uint64_t byte) { return place.part == BytePart::Low ? byte % 16 : byte / 16; };
    found.bits = half(found.bits);
    found.changed =
        before.worth[at] != now.worth[at] || half(std::to_integer<std::uint64_t>(before.bytes[at])) != found.bits;
    return found;
  }
  Expected element(Flat at, std::uint32_t size) const {
    Expected found;
    bool never = false, unspecified = false;
    for (std::uint32_t i = 0; i < size; ++i) {
      found.bits |= static_cast<std::uint64_t>(now.bytes[at + i]) << 8 * i;
      found.changed =
          found.changed || now.bytes[at + i] != before.bytes[at + i] || now.worth[at + i] != before.worth[at + i];
      never = never || now.worth[at + i] == Definedness::Never;
      unspecified = unspecified || now.worth[at + i] == Definedness::Unspecified;
      found.written = found.written || written[at + i];
    }
    found.worth = never ? Definedness::Never : unspecified ? Definedness::Unspecified : Definedness::Written;
    return found;
  }
};

// What the oracle needs of a moment, from a session of its own.
Oracle oracle_at(const SharedRecording& recording, Moment moment) {
  Session session(recording);
  const std::uint32_t before = moment.micro > 0 ? moment.position : moment.position - std::min(1u, moment.position);
  Oracle oracle(session.memory_at(before), session.memory_at(before));
  const MemoryMap& map = recording->map();
  if (moment.micro > 0) {
    const Trace& trace = session.trace(moment.position);
    for (std::uint32_t i = 0; i < moment.micro; ++i) {
      for (const TraceAccess& write : trace.steps[i].writes) {
        for (std::uint32_t j = 0; j < write.size; ++j) {
          const Flat at = map.flat(write.place()) + j;
          oracle.now.bytes[at] = static_cast<std::byte>(trace.bytes[write.after + j]);
          oracle.now.worth[at] = Definedness::Written;
          oracle.written[at] = true;
        }
      }
    }
    return oracle;
  }
  oracle.now = Bytes(session.memory_at(moment.position));
  if (moment.position == 0) return oracle;
  for (const WritePattern& pattern : recording->writes(moment.position - 1))
    for (std::uint32_t run = 0; run < pattern.count; ++run)
      for (std::uint32_t i = 0; i < pattern.size; ++i) oracle.written[pattern.base + run * pattern.stride + i] = true;
  return oracle;
}

void check_element(const TilePicture& picture, std::uint32_t row, std::uint32_t col, const Expected& expected) {
  const std::size_t at = picture.elements.index(row, col);
  const bool same = picture.elements.bits[at] == expected.bits && picture.elements.worth[at] == expected.worth &&
                    (picture.changed[at] != 0) == expected.changed && (picture.written[at] != 0) == expected.written;
  if (same) return;
  CAPTURE(row);
  CAPTURE(col);
  CHECK(picture.elements.bits[at] == expected.bits);
  CHECK(picture.elements.worth[at] == expected.worth);
  CHECK((picture.changed[at] != 0) == expected.changed);
  CHECK((picture.written[at] != 0) == expected.written);
}

void check_tile(Session& session, const Oracle& oracle, const TileRef& tile, Moment moment) {
  CAPTURE(tile.type.describe());
  CAPTURE(moment.position);
  CAPTURE(moment.micro);
  const TilePicture picture = picture_of(session, tile, moment);
  REQUIRE(picture.elements.bits.size() == std::size_t{tile.rows()} * tile.cols());
  CHECK(picture.is_whole());
  for (std::uint32_t row = 0; row < tile.rows(); ++row)
    for (std::uint32_t col = 0; col < tile.cols(); ++col)
      check_element(
          picture, row, col,
          oracle.element(session.recording().map().flat(tile.space(), tile.at(row, col)), tile.place_of(row, col)));
  const Statistics statistics = statistics_of(picture.elements, Region::Valid);
  CHECK(statistics.undefined == picture.statistics.undefined);
  CHECK(statistics.min_bits == picture.statistics.min_bits);
}

void check_buffer(Session& session, const Oracle& oracle, const BufferDecl& buffer, Moment moment,
                  std::optional<Window> window) {
  CAPTURE(buffer.name);
  const TilePicture picture = picture_of(session, buffer, moment, window);
  const BufferShape shape = shape_of(buffer);
  const Window part = window.value_or(Window{0, 0, shape.rows, shape.cols});
  REQUIRE(picture.window == part);
  for (std::uint32_t row = 0; row < part.rows; ++row) {
    for (std::uint32_t col = 0; col < part.cols; ++col) {
      const std::uint32_t index = (part.row + row) * shape.cols + part.col + col, size = size_bytes(buffer.dtype);
      check_element(picture, row, col,
                    oracle.element(session.recording().map().flat(Space::Gm, buffer.address + index * size), size));
    }
  }
}

// Tiles of every layout, anywhere in the part of ub that programs of tests work on.
TileRef any_tile(Random& random) {
  TileType type =
      vec_tile(static_cast<DType>(random.below(kDTypes)), 16 * (1 + random.below(3)), 64 * (1 + random.below(2)));
  type.blayout = random.below(2) == 0 ? BoxOrder::RowMajor : BoxOrder::ColMajor;
  type.slayout = static_cast<InnerOrder>(random.below(3));
  if (!type.boxed() && random.below(3) == 0)
    type.pitch = (type.row_major() ? type.cols : type.rows) + 8 * random.below(4);
  if (random.below(4) == 0) type.rows = 1 + random.below(16);
  if (type.boxed() && type.rows % box_of(type).rows != 0) type.slayout = InnerOrder::RowMajor;
  return {type, 32 * random.below(512), random.below(type.rows + 1), random.below(type.cols + 1)};
}

TEST_CASE("tile picture: elements, worth and changes at positions of all kinds of recordings") {
  Random random(41);
  for (const Recorded& recorded : some_recordings(3)) {
    CAPTURE(recorded.name);
    Session session(recorded.recording);
    const Program& program = recorded.recording->program();
    for (int round = 0; round < rounds(1, 3, 30); ++round) {
      const Moment moment{random.below(recorded.recording->count() + 1), 0};
      const Oracle oracle = oracle_at(recorded.recording, moment);
      for (int i = 0; i < 6; ++i) check_tile(session, oracle, any_tile(random), moment);
      for (std::uint32_t tile = 0; tile < program.tiles.size(); ++tile)
        check_tile(session, oracle, session.tile_at(tile, moment.position), moment);
      for (const BufferDecl& buffer : program.buffers) check_buffer(session, oracle, buffer, moment, {});
    }
  }
}

TEST_CASE("tile picture: the middle of a step is compared with its start") {
  Random random(42);
  for (const Recorded& recorded : some_recordings(4)) {
    CAPTURE(recorded.name);
    if (recorded.recording->count() == 0) continue;
    Session session(recorded.recording);
    for (int round = 0; round < 3; ++round) {
      const std::uint32_t step = random.below(recorded.recording->count());
      const auto micros = static_cast<std::uint32_t>(session.trace(step).steps.size());
      if (micros < 2) continue;
      const Moment moment{step, 1 + random.below(micros - 1)};
      const Oracle oracle = oracle_at(recorded.recording, moment);
      for (const Operand& operand : recorded.recording->bound(step).operands)
        if (operand.spec->kind == OperandKind::Tile) check_tile(session, oracle, operand.tile, moment);
      for (int i = 0; i < 3; ++i) check_tile(session, oracle, any_tile(random), moment);
    }
  }
}

TEST_CASE("tile picture: windows of buffers") {
  Random random(43);
  const SharedRecording recording = record_sample("complex_split");
  Session session(recording);
  const Moment end{recording->count(), 0};
  const Oracle oracle = oracle_at(recording, end);
  for (const BufferDecl& buffer : recording->program().buffers) {
    const BufferShape shape = shape_of(buffer);
    for (int round = 0; round < 8; ++round) {
      Window window{random.below(shape.rows), random.below(shape.cols), 0, 0};
      window.rows = 1 + random.below(shape.rows - window.row);
      window.cols = 1 + random.below(shape.cols - window.col);
      check_buffer(session, oracle, buffer, end, window);
    }
    // What lies beyond the buffer is cut off.
    const TilePicture cut = picture_of(session, buffer, end, Window{shape.rows - 1, 0, 100, 1000});
    CHECK(cut.window == Window{shape.rows - 1, 0, 1, shape.cols});
    CHECK(picture_of(session, buffer, end, Window{shape.rows + 5, 0, 1, 1}).elements.bits.empty());
  }
}

TEST_CASE("tile picture: the windows that cover a buffer") {
  CHECK(window_at({4, 12}, 3, 11) == Window{0, 0, 4, 12});
  CHECK(window_at({0, 0}, 0, 0) == Window{});
  CHECK(window_at({1'000'000, 64}, 0, 5) == Window{0, 0, kMostPictured / 64, 64});
  CHECK(window_at({1'000'000, 64}, 999'999, 5) == Window{1'000'000 - kMostPictured / 64, 0, kMostPictured / 64, 64});
  CHECK(window_at({1, 1u << 28}, 0, 1000) == Window{0, 1000, 1, kMostPictured});
  CHECK(window_at({1, 1u << 28}, 0, (1u << 28) - 1) == Window{0, (1u << 28) - kMostPictured, 1, kMostPictured});
}

}  // namespace
}  // namespace ts::test
