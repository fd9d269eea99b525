// The history of bytes against a straight run that looks at them after every step.
#include "core/debug/origins/history.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/debug/session/session.h"
#include "tests/support/record/recorded.h"
#include "tests/support/record/straight.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

struct Row {
  Maker maker;
  std::uint32_t step;
  Definedness defined_before, defined_after;
  std::vector<std::byte> before, after;
};

std::string text_of(const Row& row) {
  std::string text = fmt::format("{} {} {} {}:", static_cast<int>(row.maker), row.step,
                                 static_cast<int>(row.defined_before), static_cast<int>(row.defined_after));
  for (const auto* bytes : {&row.before, &row.after}) {
    text += " ";
    for (const std::byte byte : *bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  }
  return text;
}

// The state of one range while the steps go by.
struct Range {
  ByteRange place;
  Flat begin;
  std::vector<std::byte> bytes = {};
  std::vector<Definedness> defined = {};
  std::vector<Row> rows = {};

  static Definedness worst(const std::vector<Definedness>& all) {
    Definedness worst = Definedness::Written;
    for (const Definedness one : all) {
      if (one == Definedness::Never) return one;
      if (one == Definedness::Unspecified) worst = one;
    }
    return worst;
  }
  void change(Maker maker, std::uint32_t step, std::vector<std::byte> now, std::vector<Definedness> now_defined) {
    rows.push_back({maker, step, worst(defined), worst(now_defined), bytes, now});
    bytes = std::move(now);
    defined = std::move(now_defined);
  }
  void edit(const Edit& edit, Flat at) {
    std::vector<std::byte> now = bytes;
    std::vector<Definedness> now_defined = defined;
    bool any = false;
    for (std::uint32_t i = 0; i < edit.bytes.size(); ++i) {
      if (at + i < begin || at + i >= begin + place.size) continue;
      now[at + i - begin] = edit.bytes[i];
      now_defined[at + i - begin] = Definedness::Written;
      any = true;
    }
    if (any) change(Maker::Edit, edit.position, now, now_defined);
  }
};

// Makes the rows of all ranges at once. The recording has its edits; the run that is looked at makes them itself.
void fill_rows(const Recording& recording, std::vector<Range>& ranges) {
  RecordOptions options = recording.options();
  options.edits.clear();
  Straight run(recording);
  const auto edits_at = [&](std::uint32_t position) {
    for (const Edit& edit : recording.options().edits)
      if (edit.position == position)
        for (Range& range : ranges) range.edit(edit, recording.map().flat(edit.place()));
  };
  const auto start = Recording::run(recording.program(), options);
  const Straight unedited(*start);
  for (Range& range : ranges) {
    range.bytes.assign(unedited.bytes() + range.begin, unedited.bytes() + range.begin + range.place.size);
    for (std::uint32_t i = 0; i < range.place.size; ++i) range.defined.push_back(unedited.defined(range.begin + i));
  }
  edits_at(0);
  while (run.position() < recording.count()) {
    const std::uint32_t step = run.position();
    run.step();
    for (Range& range : ranges) {
      const bool lost = run.begins_block() && range.place.space != Space::Gm && range.place.space != Space::Spr;
      const bool written = std::ranges::any_of(run.written(), [&](const Straight::Run& w) {
        return w.begin < range.begin + range.place.size && range.begin < w.end;
      });
      if (!lost && !written) continue;
      std::vector<std::byte> now(run.bytes() + range.begin, run.bytes() + range.begin + range.place.size);
      std::vector<Definedness> defined;
      for (std::uint32_t i = 0; i < range.place.size; ++i) defined.push_back(run.defined_before_edits(range.begin + i));
      for (auto edited = run.before_edits().rbegin(); edited != run.before_edits().rend(); ++edited)
        if (edited->at >= range.begin && edited->at < range.begin + range.place.size)
          now[edited->at - range.begin] = edited->byte;
      range.change(lost ? Maker::Block : Maker::Step, step, now, defined);
    }
    edits_at(run.position());
  }
}

std::vector<Row> rows_of(Session& session, ByteRange place, Random& random) {
  History history = session.history(place);
  while (history.look_on(random.between(1, 50))) CHECK(!history.complete());
  CHECK(history.complete());
  std::vector<Row> rows;
  for (std::size_t i = 0; i < history.rows().size(); ++i) {
    const HistoryRow& row = history.rows()[i];
    const auto before = history.before(i), after = history.after(i);
    rows.push_back({row.maker,
                    row.step,
                    row.defined_before,
                    row.defined_after,
                    {before.begin(), before.end()},
                    {after.begin(), after.end()}});
  }
  return rows;
}

// Around what the steps work on, and around the borders of pages.
Range any_range(const Recording& recording, Random& random) {
  ByteRange place{Space::Ub, random.below(64 << 10), random.between(1, 64)};
  const Bound& bound = recording.bound(random.below(recording.count()));
  if (!bound.operands.empty()) {
    const Operand& operand = bound.operands[random.below(static_cast<std::uint32_t>(bound.operands.size()))];
    if (operand.spec->kind == OperandKind::Tile)
      place = {operand.tile.space(), operand.tile.address + random.below(operand.tile.range().size),
               random.between(1, 64)};
    if (operand.spec->kind == OperandKind::Global)
      place = {Space::Gm,
               operand.global.buffer_begin + random.below(operand.global.buffer_end - operand.global.buffer_begin),
               random.between(1, 64)};
  }
  if (random.one_in(4)) place.address = place.address / kPageBytes * kPageBytes + kPageBytes - random.between(1, 8);
  if (random.one_in(10)) place = {Space::Spr, random.below(64), random.between(1, 16)};
  const std::uint32_t size = recording.map().size(place.space);
  place.address = std::min(place.address, size - 1);
  place.size = std::min(place.size, size - place.address);
  return {.place = place, .begin = recording.map().flat(place)};
}

void check_histories(const SharedRecording& recording, Random& random, std::vector<Range> ranges = {}) {
  while (ranges.size() < 60) ranges.push_back(any_range(*recording, random));
  fill_rows(*recording, ranges);
  Session session(recording);
  for (const Range& range : ranges) {
    const std::vector<Row> got = rows_of(session, range.place, random);
    std::vector<std::string> expected_text, got_text;
    for (const Row& row : range.rows) expected_text.push_back(text_of(row));
    for (const Row& row : got) got_text.push_back(text_of(row));
    INFO(fmt::format("{} {:#x}+{}\n{}\n--\n{}", name(range.place.space), range.place.address, range.place.size,
                     fmt::join(expected_text, "\n"), fmt::join(got_text, "\n")));
    CHECK(expected_text == got_text);
  }
}

std::vector<Edit> any_edits(const Recording& recording, std::vector<Range>& ranges, Random& random) {
  std::vector<Edit> edits;
  for (int i = 0; i < 12; ++i) {
    Range range = any_range(recording, random);
    while (range.place.space == Space::Spr) range = any_range(recording, random);
    Edit edit{random.pick({0u, recording.count(), random.below(recording.count() + 1)}),
              range.place.space,
              range.place.address,
              {}};
    for (std::uint32_t k = 0; k < range.place.size; ++k) edit.bytes.push_back(static_cast<std::byte>(random.next()));
    edits.push_back(edit);
    ranges.push_back({.place = range.place, .begin = range.begin});
    // Once more at the same position, over a part of it and of its neighbours.
    if (random.one_in(2) && edit.address >= 2) {
      edit.address -= 2;
      edit.bytes.resize(random.between(1, static_cast<std::uint32_t>(edit.bytes.size())));
      edits.push_back(edit);
    }
  }
  return edits;
}

}  // namespace

TEST_CASE("history: every write of a range, with what it held before and after") {
  for (const std::uint64_t seed : {401, 402}) {
    if (kSanitized && seed != 401) continue;
    Random random(seed);
    for (const Recorded& recorded : some_recordings(seed)) {
      CAPTURE(recorded.name);
      check_histories(recorded.recording, random);
    }
  }
}

TEST_CASE("history: edits are changes too, at the start, after steps and at the end") {
  Random random(411);
  for (const Recorded& recorded : some_recordings(411)) {
    CAPTURE(recorded.name);
    std::vector<Range> ranges;
    RecordOptions options = recorded.recording->options();
    options.edits = any_edits(*recorded.recording, ranges, random);
    const SharedRecording edited = Recording::run(recorded.recording->program(), options);
    check_histories(edited, random, ranges);
  }
}

TEST_CASE("history: it is found piece by piece") {
  const SharedRecording recording = record_random(421, Target::A5, 50);
  Session session(recording);
  const TileRef tile = recording->bound(20).operands.back().spec->kind == OperandKind::Tile
                           ? recording->bound(20).operands.back().tile
                           : session.tile_at(0, 0);
  History history = session.history({tile.space(), tile.address, 4});
  CHECK(!history.complete());
  CHECK(history.rows().empty());
  CHECK(history.look_on(20));
  CHECK(history.looked_at() == 20);
  const std::size_t first = history.rows().size();
  CHECK(history.look_on(0));
  CHECK(history.looked_at() == 20);
  CHECK(!history.look_on(1000));
  CHECK(history.complete());
  CHECK(history.rows().size() >= first);
  CHECK(!history.look_on(1));
  CHECK(history.range() == ByteRange{tile.space(), tile.address, 4});
}

}  // namespace ts::test
