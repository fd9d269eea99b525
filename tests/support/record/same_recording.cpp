// Comparing recordings.
#include "tests/support/record/same_recording.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "core/data/seeded.h"
#include "core/record/inspector.h"
#include "core/text/tree.h"
#include "tests/support/random.h"

namespace ts::test {

bool same_state(const Memory& a, const Memory& b) {
  if (a.map().end() != b.map().end()) return false;
  for (std::uint32_t page = kFirstFlat / kPageBytes; page < a.map().pages(); ++page) {
    const Flat begin = page * kPageBytes;
    if (std::memcmp(a.at(begin, kPageBytes).data(), b.at(begin, kPageBytes).data(), kPageBytes) != 0) return false;
    if (a.page_is_whole(page) != b.page_is_whole(page) || a.untouched(page) != b.untouched(page)) return false;
    if (a.page_is_whole(page) || a.untouched(page)) continue;
    for (Flat at = begin; at < begin + kPageBytes; ++at)
      if (a.definedness(at) != b.definedness(at)) return false;
  }
  return true;
}

bool same_findings(const std::vector<Finding>& a, const std::vector<Finding>& b) {
  const auto same_notes = [](const DiagnosticNote& x, const DiagnosticNote& y) {
    return x.pos == y.pos && x.text == y.text;
  };
  const auto same = [&](const Finding& x, const Finding& y) {
    const Diagnostic &d = x.diagnostic, &e = y.diagnostic;
    if (d.element.has_value() != e.element.has_value() || x.element.has_value() != y.element.has_value()) return false;
    if (d.element && (d.element->row != e.element->row || d.element->col != e.element->col)) return false;
    if (x.element && (x.element->operand != y.element->operand || x.element->row != y.element->row ||
                      x.element->col != y.element->col || x.element->place != y.element->place))
      return false;
    return x.step == y.step && d.rule == e.rule && d.severity == e.severity && d.pos == e.pos &&
           d.operand == e.operand && d.text == e.text && d.hint == e.hint && d.span == e.span &&
           d.expected == e.expected && d.kind == e.kind && std::ranges::equal(d.notes, e.notes, same_notes);
  };
  return std::ranges::equal(a, b, same);
}

namespace {

bool same_step(const Recording& a, const Recording& b, std::uint32_t s) {
  const Step &x = a.step(s), &y = b.step(s);
  const Bound &p = a.bound(s), &q = b.bound(s);
  return x.instruction == y.instruction && x.block == y.block && std::ranges::equal(a.loops(s), b.loops(s)) &&
         std::ranges::equal(a.writes(s), b.writes(s)) && p.row == q.row && p.form == q.form && p.target == q.target &&
         *p.options == *q.options && p.pipe == q.pipe && p.pos == q.pos && p.operands == q.operands &&
         p.attributes == q.attributes;
}

std::vector<std::byte> contents(const BufferDecl& buffer) {
  if (buffer.late == nullptr) return buffer.data;
  std::vector<std::byte> bytes(buffer.size());
  buffer.late->make(0, bytes);
  return bytes;
}

void check_same_program(const Program& a, const Program& b) {
  CHECK(a.name == b.name);
  CHECK(a.target == b.target);
  CHECK(a.options == b.options);
  CHECK(a.gm_bytes == b.gm_bytes);
  CHECK(a.blocks == b.blocks);
  CHECK(a.slots == b.slots);
  CHECK(a.tree->source->text() == b.tree->source->text());
  CHECK(a.tree->source->name() == b.tree->source->name());
  REQUIRE(a.buffers.size() == b.buffers.size());
  for (std::size_t i = 0; i < a.buffers.size(); ++i) {
    const BufferDecl &x = a.buffers[i], &y = b.buffers[i];
    CHECK(x.name == y.name);
    CHECK(x.elements == y.elements);
    CHECK(x.address == y.address);
    CHECK(contents(x) == contents(y));
    CHECK(x.view_shape == y.view_shape);
  }
  REQUIRE(a.tiles.size() == b.tiles.size());
  for (std::size_t i = 0; i < a.tiles.size(); ++i) CHECK(a.tiles[i].data == b.tiles[i].data);
}

}  // namespace

void check_same_steps(const Recording& a, const Recording& b) {
  check_same_program(a.program(), b.program());
  REQUIRE(a.count() == b.count());
  std::uint32_t different = 0;
  for (std::uint32_t s = 0; s < a.count(); ++s) different += same_step(a, b, s) ? 0 : 1;
  CHECK(different == 0);
  CHECK(a.stop_reason() == b.stop_reason());
  CHECK(same_findings(a.findings(), b.findings()));
  for (std::uint32_t tile = 0; tile < a.program().tiles.size(); ++tile)
    CHECK(a.tile_at_end(tile) == b.tile_at_end(tile));
  REQUIRE(a.edits().size() == b.edits().size());
  for (std::size_t i = 0; i < a.edits().size(); ++i) {
    CHECK(a.edits()[i].position == b.edits()[i].position);
    CHECK(a.edits()[i].place() == b.edits()[i].place());
    CHECK(a.edits()[i].bytes == b.edits()[i].bytes);
  }
  CHECK(a.options().limits.most_steps == b.options().limits.most_steps);
  CHECK(a.options().limits.most_code == b.options().limits.most_code);
  CHECK(same_state(a.final_memory(), b.final_memory()));
  CHECK(a.digest() == b.digest());
}

void check_same_states(const Recording& a, const Recording& b, std::uint64_t seed, std::uint32_t every) {
  Inspector in_a(a), in_b(b);
  const auto same_at = [&](std::uint32_t position) { return same_state(in_a.at(position), in_b.at(position)); };
  for (std::uint32_t position = 0; position <= a.count(); position += every) {
    CAPTURE(position);
    REQUIRE(same_at(position));
  }
  Random random(seed);
  constexpr int kJumps = 20, kLookedInto = 5;
  for (int i = 0; i < kJumps; ++i) {
    const std::uint32_t position = random.below(a.count() + 1);
    CAPTURE(position);
    CHECK(same_at(position));
    CHECK(same_state(in_a.unedited(position), in_b.unedited(position)));
  }
  for (int i = 0; i < kLookedInto && a.count() > 0; ++i) {
    const std::uint32_t step = random.below(a.count());
    CAPTURE(step);
    // Synchronisation has nothing to trace.
    if (a.bound(step).row->machines.trace == nullptr) continue;
    const Trace x = in_a.trace(step), y = in_b.trace(step);
    CHECK(x.bytes == y.bytes);
    REQUIRE(x.steps.size() == y.steps.size());
    for (std::size_t m = 0; m < x.steps.size(); ++m) REQUIRE(x.describe(x.steps[m]) == y.describe(y.steps[m]));
    const auto writes = a.writes(step);
    if (writes.empty()) continue;
    const ByteRange first = a.map().locate(writes.front().base);
    CHECK(in_a.flow(step).sources_of_bytes(first) == in_b.flow(step).sources_of_bytes(first));
  }
  CHECK(!b.timeline().is_damaged());
}

}  // namespace ts::test
