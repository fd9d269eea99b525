// Random program texts print and parse to themselves, and do step by step what the straight line of their steps does.
#include "tests/support/text/text_program.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/catalogue/catalogue.h"
#include "core/record/inspector.h"
#include "core/text/printer.h"
#include "core/text/render.h"
#include "core/text/same_tree.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

int round_trips() { return rounds(500, 1500, 10000); }
constexpr int kRuns = kSanitized ? 30 : 300;

std::string rendered(const Diagnostics& diagnostics, const text::Tree& tree) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Error) out += text::render(diagnostic, *tree.source);
  return out;
}

bool moves_data(const Bound& bound) { return !bound.operands.empty() && bound.row->effect == Effect::None; }

bool same_tile(const TileRef& a, const TileRef& b) {
  const auto plain = [](TileType type) {
    type.valid_rows = type.valid_cols = kDynamic;
    return type;
  };
  return plain(a.type) == plain(b.type) && a.address == b.address && a.valid_rows == b.valid_rows &&
         a.valid_cols == b.valid_cols;
}

// Strides of dimensions of one mean nothing.
bool same_view(const GlobalRef& a, const GlobalRef& b) {
  for (std::size_t i = 0; i < 5; ++i)
    if (a.shape[i] > 1 && a.stride[i] != b.stride[i]) return false;
  return a.dtype == b.dtype && a.layout == b.layout && a.address == b.address && a.shape == b.shape &&
         a.buffer_begin == b.buffer_begin && a.buffer_end == b.buffer_end;
}

bool same_operands(const Bound& a, const Bound& b) {
  if (a.row != b.row || a.form != b.form || a.attributes != b.attributes || a.operands.size() != b.operands.size())
    return false;
  for (const Operand& operand : a.operands) {
    const Operand* other = b.find(operand.spec->name);
    if (other == nullptr) return false;
    if (operand.spec->kind == OperandKind::Tile && !same_tile(operand.tile, other->tile)) return false;
    if (operand.spec->kind == OperandKind::Global && !same_view(operand.global, other->global)) return false;
    if (operand.spec->kind == OperandKind::Scalar && !(operand.scalar == other->scalar)) return false;
  }
  return true;
}

bool same_writes(std::span<const WritePattern> a, std::span<const WritePattern> b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

std::string memory_difference(const Bound& bound, const Memory& expected, const Memory& got) {
  const MemoryMap& map = expected.map();
  for (const Space space : {Space::Ub, Space::Spr, Space::Gm}) {
    const Flat begin = map.origin(space), end = begin + map.size(space);
    if (std::memcmp(expected.base() + begin, got.base() + begin, map.size(space)) == 0) continue;
    return first_difference(bound, map, {expected.base(), end}, {got.base(), end});
  }
  return "";
}

// No two tiles that the compiler places itself share a byte; all are aligned.
void check_places(const Program& program) {
  for (const TileDecl& tile : program.tiles) {
    if (tile.alias) continue;
    CHECK(tile.address % BLK == 0);
    CHECK(tile.address + tile.type.size_bytes() <= capacity_bytes(program.target, tile.type.space()));
  }
}

void compare(const Recording& text, const Recording& straight) {
  Inspector text_at(text), straight_at(straight);
  std::uint32_t step = 0;
  for (std::uint32_t next = 0; next < text.count(); ++next) {
    const Bound& bound = text.bound(next);
    if (!moves_data(bound)) continue;
    INFO("line " << bound.pos.line << ", " << label_of(bound));
    REQUIRE(step < straight.count());
    const Bound& expected = straight.bound(step);
    INFO("straight: " << label_of(expected));
    REQUIRE(same_operands(bound, expected));
    REQUIRE(same_writes(text.writes(next), straight.writes(step)));
    const std::string difference = memory_difference(bound, straight_at.at(step + 1), text_at.at(next + 1));
    REQUIRE_MESSAGE(difference.empty(), difference);
    ++step;
  }
  CHECK(step == straight.count());
}

// What a program does, for the list of what was tried: "a5 tadd f32".
void collect(const Recording& recording, std::set<std::string>& done) {
  for (std::uint32_t step = 0; step < recording.count(); ++step)
    done.insert(fmt::format("{} {}", name(recording.program().target), recording.bound(step).row->name));
}

// Runs a program both ways. False: it is longer than the straight line was drawn.
bool check_run(const TextProgram& program, std::set<std::string>& done) {
  CAPTURE(program.text);
  OpenRequest request;
  request.inputs.data = program.data;
  OpenedText text = open_text(program.text, program.target, request);
  if (!text.opened) FAIL(rendered(text.diagnostics, *text.tree) << program.text);
  check_places(text.opened->program);
  const Program straight_program = program.straight(text.opened->program);
  if (straight_program.instructions.size() >= 300) return false;
  const RecordOptions options{.budget_bytes = std::size_t{2} << 20};
  const auto recording = Recording::run(std::move(text.opened->program), options),
             straight = Recording::run(straight_program, options);
  for (const Finding& finding : recording->findings())
    CHECK_MESSAGE(finding.diagnostic.severity != Severity::Error, finding.diagnostic.format());
  REQUIRE(recording->stop_reason() == StopReason::End);
  REQUIRE(straight->stop_reason() == StopReason::End);
  compare(*recording, *straight);
  collect(*recording, done);
  return true;
}

Target target_of(int i) { return i % 2 == 0 ? Target::A5 : Target::A2A3; }

}  // namespace

TEST_CASE("text programs: random ones print and parse to themselves") {
  std::vector<std::string> wanted{
      "iter_args(",     "scf.for ",      ":2 = scf.while",  "-> (index) {",    "} else {",      "pto.subset",
      "pto.treshape",   "= pto.tassign", "  pto.tassign",   "addr = %",        "valid_row = %", "valid_col = %",
      "set_validshape", "func.call @",   " call @",         "arith.select",    "5xf32>",        "?x?x",
      "= pto.tadd ",    "= pto.tsel ",   "= pto.tsels ",    "= pto.texpands ", "tdeinterleave", "tinterleave",
      "granularity",    "col_major",     "pto.barrier",     "pto.subview",     " valid [",      "pto.addptr",
      "load_scalar",    "store_scalar",  "local_array_get", "local_array_set", "tgetval",       "tsetval",
      "multi_tile_get"};
  for (int i = 0; i < round_trips(); ++i) {
    Random random(static_cast<std::uint64_t>(i));
    const TextProgram program = random_text_program(random, target_of(i));
    CAPTURE(i);
    Diagnostics diagnostics;
    const auto tree = read_program("random.pto", program.text, diagnostics);
    const std::string printed = text::print(*tree);
    const auto again = read_program("printed.pto", printed, diagnostics);
    if (!diagnostics.empty()) FAIL(rendered(diagnostics, *tree) << program.text);
    const bool same = text::same_tree(*tree, *again);
    if (!same) FAIL(program.text << "\nprinted:\n" << printed);
    CHECK(text::print(*again) == printed);
    std::erase_if(wanted, [&](const std::string& what) { return program.text.find(what) != std::string::npos; });
  }
  if (!wanted.empty()) FAIL_CHECK("never drawn: " << wanted.front());
}

TEST_CASE("text programs: random ones do what the straight line of their steps does") {
  int compared = 0;
  std::set<std::string> done;
  for (int i = 0; i < kRuns; ++i) {
    Random random(static_cast<std::uint64_t>(i) + 100'000);
    CAPTURE(i);
    compared += check_run(random_text_program(random, target_of(i)), done) ? 1 : 0;
  }
  CHECK(compared > kRuns * 9 / 10);
  if (kSanitized) return;
  for (const Target target : kBothTargets) {
    for (const char* what :
         {"tadd", "tassign", "tdeinterleave", "texpands", "tgatherb", "tinterleave", "tload", "tsel", "tsels", "tstore",
          "ttrans", "set_flag", "wait_flag", "barrier", "store_scalar", "tsetval"}) {
      const InstructionRow* row = find_instruction(what);
      CAPTURE(what);
      CHECK(done.contains(fmt::format("{} {}", name(target), what)) ==
            (row == nullptr || !row->types(target, {}).empty()));
    }
  }
}

}  // namespace ts::test
