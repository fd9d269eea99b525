// Where NaN and infinities were made: the step that made one of numbers, or that brought it in from outside.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/program/builder.h"
#include "tests/support/debug/session_model.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/dependence.h"
#include "tests/support/record/flow_program.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

bool wanted(DType type, std::uint64_t bits, bool nan, bool inf) {
  if (!is_float(type)) return false;
  const double value = to_double(type, bits);
  return (nan && std::isnan(value)) || (inf && std::isinf(value));
}

DType type_of(const Operand& operand) {
  return operand.spec->kind == OperandKind::Global ? operand.global.dtype : operand.tile.type.dtype;
}

// The first element of the first result that is wanted and was handed on by nothing; by what the oracle says of the
// step.
std::optional<Cell> produced(const Recording& recording, const Dependence& before, const oracle::Effects& effects,
                             std::uint32_t step, bool nan, bool inf) {
  const Bound& bound = recording.bound(step);
  const MemoryMap& map = recording.map();
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& result = bound.operands[i];
    if (result.spec->role != Role::Out || result.spec->kind == OperandKind::Scalar) continue;
    std::optional<Cell> first;
    for (const oracle::Element& element : effects.written) {
      if (result.spec->name != element.operand || !wanted(type_of(result), element.bits, nan, inf)) continue;
      const bool tile = result.spec->kind == OperandKind::Tile;
      if (tile && (element.row >= result.tile.valid_rows || element.col >= result.tile.valid_cols)) continue;
      bool handed_on = false;
      for (const oracle::Origin& origin : element.from) {
        if (origin.kind != oracle::Origin::Kind::Element) continue;
        const Operand& source = *bound.find(origin.operand);
        if (!wanted(type_of(source), before.bits(origin.place), nan, inf)) continue;
        bool inside = source.spec->kind == OperandKind::Tile;
        const Flat begin = map.flat(origin.place);
        for (Flat at = begin; at < begin + origin.place.size; ++at) inside = inside || !before.leaf(at);
        handed_on = handed_on || inside;
      }
      if (handed_on || (first && first->place.address <= element.place.address)) continue;
      first = Cell{static_cast<int>(i), element.row, element.col, element.place};
      if (!tile) first->row = 0, first->col = (element.place.address - result.global.buffer_begin) / element.place.size;
    }
    if (first) return first;
  }
  return {};
}

std::string text_of(const std::optional<Cell>& cell) {
  if (!cell) return "none";
  return fmt::format("{} [{}, {}] {} {:#x}+{}", cell->operand, cell->row, cell->col, name(cell->place.space),
                     cell->place.address, cell->place.size);
}

std::vector<std::byte> floats(std::initializer_list<double> values) {
  std::vector<std::byte> bytes;
  for (const double value : values) {
    const std::uint64_t bits = from_double(DType::F32, value);
    bytes.resize(bytes.size() + 4);
    std::memcpy(bytes.data() + bytes.size() - 4, &bits, 4);
  }
  return bytes;
}

}  // namespace

TEST_CASE("session nan: made by inf - inf, brought in by a load, handed on by copies and sums") {
  const double inf = HUGE_VAL, nan = std::nan("");
  for (const Target target : kBothTargets) {
    CAPTURE(std::string(name(target)));
    ProgramBuilder builder(target, "nan");
    const TileType type = vec_tile(DType::F32, 8, 8);
    const auto fill = [&](std::initializer_list<double> values) {
      std::vector<std::byte> data = floats(values);
      data.resize(8 * 8 * 4);
      return data;
    };
    const BufferId first = builder.buffer("first", DType::F32, 64, fill({1, inf, 2, nan}));
    const BufferId second = builder.buffer("second", DType::F32, 64, fill({1, -inf, 2, 3}));
    const BufferId out = builder.buffer("out", DType::F32, 64, std::vector<std::byte>(256));
    const TileId a = builder.tile("a", type), b = builder.tile("b", type), sum = builder.tile("sum", type),
                 turned = builder.tile("turned", type);
    builder.add("tload", {View{first, 8, 8}}, {a});   // 0: a NaN comes in at [0, 3]
    builder.add("tload", {View{second, 8, 8}}, {b});  // 1
    builder.add("tadd", {a, b}, {sum});               // 2: a NaN at [0, 1] is made, one at [0, 3] handed on
    builder.add("ttrans", {sum}, {turned});           // 3
    builder.add("tadd", {turned, sum}, {a});          // 4
    builder.add("tstore", {a}, {View{out, 8, 8}});    // 5
    builder.add("tload", {View{out, 8, 8}}, {b});     // 6: comes back, from no outside
    builder.add("texpands", {Scalar{DType::F32, from_double(DType::F32, nan)}},
                {turned});  // 7: from the program's own text
    const SharedRecording recording = Recording::run(build(builder), {.budget_bytes = kPlentyOfBytes});
    REQUIRE(recording->count() == 8);
    Session session(recording);
    StopRule rule;
    rule.nan = true;
    REQUIRE(std::holds_alternative<StopId>(session.add_stop(rule)));
    std::string stops;
    for (Stopped stop = session.run(Direction::Forward); stop.reason == Stopped::Reason::Rule;
         stop = session.run(Direction::Forward)) {
      CHECK(session.moment() == Moment{stop.step + 1, 0});
      REQUIRE(stop.cell.has_value());
      stops += fmt::format("{} [{}, {}] ", stop.step, stop.cell->row, stop.cell->col);
    }
    CHECK(stops == "0 [0, 3] 2 [0, 1] 7 [0, 0] ");
    stops.clear();
    for (Stopped stop = session.run(Direction::Backward); stop.reason == Stopped::Reason::Rule;
         stop = session.run(Direction::Backward)) {
      CHECK(session.moment() == Moment{stop.step, 0});
      stops += fmt::format("{} ", stop.step);
    }
    CHECK(stops == "7 2 0 ");
    CHECK(text_of(session.produced(1, false, true)) ==
          text_of(Cell{1, 0, 1, {Space::Ub, recording->bound(1).operands[1].tile.address + 4, 4}}));
    CHECK(!session.produced(2, false, true));
    CHECK(!session.produced(3, true, true));

    // An edit is from outside as well; of the step that is before it, it is not.
    Edit edit{2, Space::Ub, recording->bound(1).operands[1].tile.address + 8, floats({nan})};
    auto forked = session.fork({edit});
    REQUIRE(std::holds_alternative<SharedRecording>(forked));
    Session fork(std::get<SharedRecording>(forked));
    CHECK(!fork.produced(1, true, false));
    CHECK(text_of(fork.produced(2, true, false)) == text_of(session.produced(2, true, false)));
  }
}

TEST_CASE("session nan: what random programs with infinities and NaN make is what the oracles say") {
  int found = 0;
  for (const Target target : kBothTargets) {
    for (std::uint64_t seed = 900; seed < (kSanitized ? 903 : 915); ++seed) {
      CAPTURE(std::string(name(target)));
      CAPTURE(seed);
      Random random(seed);
      Program program = random_flow_program(random, target, 40);
      for (BufferDecl& buffer : program.buffers) {
        if (buffer.dtype != DType::F32) continue;
        for (std::size_t at = 0; at < buffer.data.size(); at += 4) {
          const std::uint64_t bits =
              random_element(random, DType::F32, random.one_in(3) ? Values::Special : Values::Plain);
          std::memcpy(buffer.data.data() + at, &bits, 4);
        }
      }
      const SharedRecording recording = Recording::run(program, {.budget_bytes = kPlentyOfBytes});
      Session session(recording);
      Dependence before(*recording), after(*recording);
      for (std::uint32_t step = 0; step < recording->count(); ++step) {
        CAPTURE(step);
        after.step();
        for (const bool nan : {false, true}) {
          for (const bool inf : {false, true}) {
            const auto expected = produced(*recording, before, after.effects(), step, nan, inf);
            CHECK(text_of(expected) == text_of(session.produced(step, nan, inf)));
            found += expected ? 1 : 0;
          }
        }
        before.step();
      }
    }
  }
  CHECK(found > 100);
}

}  // namespace ts::test
