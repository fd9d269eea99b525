// Checks of diagnostics.
#include "tests/support/diagnose.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/record/recording.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kStartTiles = 0x2F000;  // in the UB of both targets
constexpr std::uint32_t kTwo = 0x40000000;      // 2.0f

}  // namespace

ProgramBuilder builder_with_a_start(Target target) {
  ProgramBuilder builder(target, "rules");
  const TileId one = builder.tile("one", vec_tile(DType::F32, 1, 8), {.address = kStartTiles});
  const TileId two = builder.tile("two", vec_tile(DType::F32, 1, 8), {.address = kStartTiles + 0x100});
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
    const auto it = std::ranges::find_if(diagnostics, [&](const Diagnostic& d) { return d.rule == wanted.rule && d.operand == wanted.operand; });
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
                                                    for (std::uint32_t i = 0; i < 8; ++i) memory.set_element(Space::Ub, kStartTiles + 4 * i, 4, 0x3F800000);
                                                    memory.mark(memory.map().flat(Space::Ub, kStartTiles), 32, Definedness::Written);
                                                  }});
  CHECK(recording->count() == (refused ? 1 : 2));
  CHECK(recording->stop_reason() == (refused ? StopReason::Error : StopReason::End));
  CHECK(recording->findings().size() == diagnostics.size());
  for (const Finding& finding : recording->findings()) CHECK(finding.step == 1);
  if (!refused) return;
  const Memory& memory = recording->final_memory();
  for (std::uint32_t at = 0; at < memory.map().size(Space::Ub); ++at) {
    const bool start = at >= kStartTiles && at < kStartTiles + 32, sum = at >= kStartTiles + 0x100 && at < kStartTiles + 0x120;
    const Definedness expected = start || sum ? Definedness::Written : Definedness::Never;
    const auto byte = std::to_integer<std::uint32_t>(memory.bytes(Space::Ub, at, 1)[0]);
    const std::uint32_t wanted = sum ? kTwo >> (8 * (at % 4)) & 0xFF : start ? 0x3F800000u >> (8 * (at % 4)) & 0xFF : kPoison;
    if (byte == wanted && memory.definedness(memory.map().flat(Space::Ub, at)) == expected) continue;
    CAPTURE(at);
    FAIL_CHECK("a refused instruction changed a byte");
    return;
  }
}

void check_told(ProgramBuilder builder, const Told& told) { check_told(std::move(builder), {told}); }

}  // namespace ts::test
