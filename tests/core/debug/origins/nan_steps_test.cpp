// Steps that left a NaN, against a look at every element they wrote.
#include "core/debug/origins/nan_steps.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "core/debug/session/session.h"
#include "core/record/operand_place.h"
#include "tests/support/record/recorded.h"

using namespace ts;
using namespace ts::test;

namespace {

bool leaves_nan(const Recording& recording, const Memory& after, std::uint32_t step) {
  const std::set<Flat> written = bytes_written(recording, step);
  for (const Operand& operand : recording.bound(step).operands) {
    if (operand.spec->role != Role::Out || operand.spec->kind == OperandKind::Scalar) continue;
    const DType type = element_type(operand);
    if (!is_float(type)) continue;
    const ByteRange all = bytes_of(operand);
    for (std::uint32_t at = all.address; at < all.address + all.size; at += size_bytes(type)) {
      if (!written.contains(recording.map().flat(all.space, at))) continue;
      const OperandElement element = element_of(operand, at);
      const bool padding = operand.spec->kind == OperandKind::Tile &&
                           (element.row >= operand.tile.valid_rows || element.col >= operand.tile.valid_cols);
      if (!padding && std::isnan(to_double(type, after.element(all.space, at, size_bytes(type))))) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("nan steps: those that wrote one, whole or in pieces") {
  std::size_t found = 0;
  for (const Recorded& recorded : some_recordings(811)) {
    CAPTURE(recorded.name);
    Session session(recorded.recording), other(recorded.recording);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t step = 0; step < session.count(); ++step)
      if (leaves_nan(*recorded.recording, session.memory_at(step + 1), step)) expected.push_back(step);
    found += expected.size();
    const NanSteps whole = nan_steps(session, 0, std::chrono::hours(1));
    CHECK(whole.end == session.count());
    CHECK(whole.steps == expected);
    std::vector<std::uint32_t> pieces;
    for (std::uint32_t at = 0; at < session.count();) {
      const NanSteps piece = nan_steps(other, at, std::chrono::milliseconds(0));
      REQUIRE(piece.end > at);
      pieces.insert(pieces.end(), piece.steps.begin(), piece.steps.end());
      at = piece.end;
    }
    CHECK(pieces == expected);
  }
  CHECK(found > 0);
}

TEST_CASE("nan steps: looking ends when it is told to") {
  Session session(record_random(813, Target::A5, 60));
  CHECK(nan_steps(session, 0, std::chrono::hours(1), [] { return false; }).end == 1);
}
