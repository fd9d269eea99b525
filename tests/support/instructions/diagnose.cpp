// Checks of diagnostics.
#include "tests/support/instructions/diagnose.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "core/record/recording.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kStartTiles = 0x2F000;  // in the UB of both targets
constexpr std::uint32_t kSum = kStartTiles + 0x100, kTileBytes = 32;
constexpr std::uint32_t kOne = 0x3F800000, kTwo = 0x40000000;  // 1.0f, 2.0f

std::unique_ptr<Recording> start_on(Target target, const std::function<void(Memory&)>& also) {
  const auto initial = [&](Memory& memory) {
    if (also) also(memory);
    fill_start(memory);
  };
  Diagnostics none;
  auto its = Recording::run(builder_with_a_start(target).build(none), {.budget_bytes = 4 << 20, .initial = initial});
  REQUIRE(its->count() == 1);
  return its;
}

// The memories that the first instruction alone leaves.
const Memory& after_start(Target target) {
  static std::unique_ptr<Recording> made[kTargets];
  std::unique_ptr<Recording>& its = made[static_cast<int>(target)];
  if (its == nullptr) {
    its = start_on(target, {});
    REQUIRE(its->final_memory().element(Space::Ub, kSum, 4) == kTwo);
  }
  return its->final_memory();
}

bool same_definedness(const Memory& a, const Memory& b, std::uint32_t page) {
  if (a.untouched(page) && b.untouched(page)) return true;
  for (Flat at = page * kPageBytes; at < (page + 1) * kPageBytes; ++at)
    if (a.definedness(at) != b.definedness(at)) return false;
  return true;
}

}  // namespace

void fill_start(Memory& memory) {
  for (std::uint32_t at = 0; at < kTileBytes; at += 4) memory.set_element(Space::Ub, kStartTiles + at, 4, kOne);
  memory.mark(memory.map().flat(Space::Ub, kStartTiles), kTileBytes, Definedness::Written);
}

std::string difference_from_start(const Memory& memory, const std::function<void(Memory&)>& also) {
  std::unique_ptr<Recording> its;
  if (also) its = start_on(memory.map().target(), also);
  const Memory& start = its != nullptr ? its->final_memory() : after_start(memory.map().target());
  const std::uint32_t pages = memory.map().origin(Space::Gm) / kPageBytes;
  for (std::uint32_t page = 0; page < pages; ++page) {
    const std::size_t at = std::size_t{page} * kPageBytes;
    if (std::memcmp(memory.base() + at, start.base() + at, kPageBytes) == 0 && same_definedness(memory, start, page))
      continue;
    const ByteRange where = memory.map().locate(static_cast<Flat>(at));
    return fmt::format("a byte of {} at 0x{:x} or behind has changed", name(where.space), where.address);
  }
  return {};
}

ProgramBuilder builder_with_a_start(Target target) {
  ProgramBuilder builder(target, "rules");
  const TileId one = builder.tile("one", vec_tile(DType::F32, 1, 8), {.address = kStartTiles});
  const TileId two = builder.tile("two", vec_tile(DType::F32, 1, 8), {.address = kSum});
  builder.add("tadd", {one, one}, {two});
  return builder;
}

void check_told(ProgramBuilder builder, std::initializer_list<Told> told, const std::function<void(Memory&)>& also) {
  Diagnostics diagnostics;
  const Program program = builder.build(diagnostics);
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics) all += diagnostic.format() + "\n";
  CAPTURE(all);
  CHECK(diagnostics.size() == told.size());
  for (const Told& wanted : told) {
    CAPTURE(std::string(wanted.rule));
    const auto it = std::ranges::find_if(
        diagnostics, [&](const Diagnostic& d) { return d.rule == wanted.rule && d.operand == wanted.operand; });
    if (it == diagnostics.end()) {
      FAIL_CHECK("not told");
      continue;
    }
    CHECK(it->severity == wanted.severity);
    CHECK(it->pos == SourcePos{2, 1});
    if (wanted.hinted) CHECK(!it->hint.empty());
    if (wanted.kind) CHECK(it->kind == *wanted.kind);
    for (const std::string_view part : wanted.text) {
      CAPTURE(std::string(part));
      CHECK(it->text.find(part) != std::string::npos);
    }
  }
  // A run meets the same rules again, when the operands are bound.
  const bool refused = has_error(diagnostics);
  const auto recording = Recording::run(program, {.budget_bytes = 4 << 20, .initial = [&](Memory& memory) {
                                                    if (also) also(memory);
                                                    fill_start(memory);
                                                  }});
  CHECK(recording->count() == (refused ? 1 : 2));
  CHECK(recording->stop_reason() == (refused ? StopReason::Error : StopReason::End));
  CHECK(recording->findings().size() == diagnostics.size());
  for (const Finding& finding : recording->findings()) CHECK(finding.step == 1);
  if (refused) CHECK(difference_from_start(recording->final_memory(), also) == "");
}

void check_told(ProgramBuilder builder, const Told& told) { check_told(std::move(builder), {told}); }

}  // namespace ts::test
