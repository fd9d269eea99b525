// Checks over generated programs: what is undefined is found exactly where the oracles' own account has it, and what is
// legal and defined is left in peace.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/check/check.h"
#include "core/record/operand_place.h"
#include "tests/oracle/effects.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/flow_program.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"
#include "tests/support/text/text_program.h"

namespace ts::test {
namespace {

// --- the account of the oracles ---

// Which bytes are undefined, by what the pages say that instructions write and from what.
class Account {
 public:
  explicit Account(const Recording& recording)
      : recording_(recording), inspector_(recording), bad_(recording.map().end()) {
    const Memory& start = inspector_.at(0);
    for (Flat at = kFirstFlat; at < bad_.size(); ++at) bad_[at] = start.definedness(at) != Definedness::Written;
  }

  // What is to be told of the next step: by kind, how many elements of the first result that has any.
  std::map<FindingKind, std::uint32_t> step() {
    const Bound& bound = recording_.bound(step_);
    const Memory& before = inspector_.at(step_);
    before.need(before.map().origin(Space::Gm), before.map().size(Space::Gm));
    const oracle::Effects effects =
        oracle::effects_of(bound, {.all = {before.base(), before.map().end()}, .map = &before.map()});
    std::map<FindingKind, std::map<std::size_t, std::uint32_t>> told;
    std::vector<char> bad_after;
    for (const oracle::Element& element : effects.written) {
      bool values = false, bits = false;
      for (const oracle::Origin& origin : element.from) {
        if (origin.kind == oracle::Origin::Kind::Scalar || !any_bad(origin.place)) continue;
        (origin.kind == oracle::Origin::Kind::MaskBit ? bits : values) = true;
      }
      const bool result = is_result(bound, element);
      const auto operand = static_cast<std::size_t>(bound.find(element.operand) - bound.operands.data());
      if (result && values) ++told[FindingKind::Defined][operand];
      if (result && bits) ++told[FindingKind::Mask][operand];
      bad_after.push_back(!result && (values || bits));
    }
    for (std::size_t i = 0; i < bad_after.size(); ++i) set(effects.written[i].place, bad_after[i] != 0);
    ++step_;
    // Written, and promised by nobody.
    const Memory& after = inspector_.at(step_);
    for (const auto* places : {&effects.unspecified, &effects.kept})
      for (const ByteRange& place : *places) {
        const Flat begin = after.map().flat(place);
        if (after.worst_definedness(begin, place.size) == Definedness::Unspecified) set(place, true);
      }
    std::map<FindingKind, std::uint32_t> first;
    for (const auto& [kind, operands] : told) first[kind] = operands.begin()->second;
    return first;
  }

 private:
  static bool is_result(const Bound& bound, const oracle::Element& element) {
    const Operand* operand = bound.find(element.operand);
    if (operand == nullptr || operand->spec->role != Role::Out) return false;
    return operand->spec->kind == OperandKind::Global ||
           (element.row < operand->tile.valid_rows && element.col < operand->tile.valid_cols);
  }
  bool any_bad(const ByteRange& place) const {
    const Flat begin = recording_.map().flat(place);
    return std::any_of(bad_.begin() + begin, bad_.begin() + begin + place.size, [](char bad) { return bad != 0; });
  }
  void set(const ByteRange& place, bool bad) {
    std::fill_n(bad_.begin() + recording_.map().flat(place), place.size, bad);
  }

  const Recording& recording_;
  Inspector inspector_;
  std::vector<char> bad_;
  std::uint32_t step_ = 0;
};

// "Defined 12 of"
std::string line(std::uint32_t step, FindingKind kind, std::uint32_t count) {
  return fmt::format("{} {} {}\n", step, name(kind), count);
}

std::string found_in(const Recording& recording) {
  std::set<std::tuple<std::uint32_t, FindingKind, std::uint32_t>> lines;
  for (const Finding& finding : check(recording).findings) {
    if (finding.kind() != FindingKind::Defined && finding.kind() != FindingKind::Mask) continue;
    // "...; 12 of 32 elements"
    const std::string& text = finding.diagnostic.text;
    lines.insert(
        {finding.step, finding.kind(), static_cast<std::uint32_t>(std::stoul(text.substr(text.rfind(';') + 2)))});
  }
  std::string all;
  for (const auto& [step, kind, count] : lines) all += line(step, kind, count);
  return all;
}

}  // namespace

TEST_CASE("check random: undefined bytes are found where the oracles' account has them") {
  std::uint32_t found = 0;
  for (const Target target : kBothTargets) {
    for (std::uint64_t seed = 0; seed < rounds(10u, 100u, 300u); ++seed) {
      CAPTURE(name(target));
      CAPTURE(seed);
      Random random(seed);
      const auto recording =
          Recording::run(random_flow_program(random, target, 30), {.budget_bytes = std::size_t{16} << 20});
      Account account(*recording);
      std::string expected;
      for (std::uint32_t step = 0; step < recording->count(); ++step)
        for (const auto& [kind, count] : account.step()) expected += line(step, kind, count), ++found;
      CHECK(found_in(*recording) == expected);
    }
  }
  CHECK(found > 50);
}

// --- legal programs ---

namespace {

struct Allowed {
  const char* rule;
  const char* why;
};
// What the generators draw although the programs are legal.
const Allowed kAllowed[] = {
    {"CHK-ALIAS", "tiles stand on each other, and results are overwritten unread"},
    {"CHK-SCRATCH", "scratch stands wherever there is room"},
    {"CHK-SYNC", "flags are drawn without thinking of who needs them"},
    {"CHK-NAN", "the bits of floats in buffers are any bits"},
    {"TLOAD-R4", "views are larger than what is loaded"},
    {"TSTORE-R4", "views are larger than what is stored"},
    {"TXS-W1", "fills of regions that the library fills otherwise"},
    {"TGB-R7", "block tails on a2a3"},
    {"TSL-R4", "scratch of any type"},
    {"TSL-W1", "masks of wider types on a5"},
    {"TSS-R8", "scratch of any type"},
    {"G5", "results over sources"},
};

bool is_allowed(const Diagnostic& told) {
  if (told.severity == Severity::Warning)
    return std::ranges::any_of(kAllowed, [&](const Allowed& row) { return told.rule == row.rule; });
  // Elements that an instruction leaves unspecified are drawn as operands of others; that those findings are right is
  // what the account of the oracles is for.
  return told.rule == "CHK-DEFINED" && (told.text.find("is unspecified") != std::string::npos ||
                                        told.text.find("which was undefined") != std::string::npos);
}

// The core's memory holds something up to there, and the global memory.
std::function<void(Memory&)> filled_up_to(std::uint32_t ub_bytes) {
  return [=](Memory& memory) {
    const MemoryMap& map = memory.map();
    for (const ByteRange& range : {ByteRange{Space::Ub, 0, ub_bytes}, ByteRange{Space::Gm, 0, map.size(Space::Gm)}}) {
      const Flat begin = map.flat(range);
      for (Flat at = begin; at < begin + range.size; ++at)
        if (memory.definedness(at) != Definedness::Written) memory.base()[at] = std::byte{0x11};
      memory.mark(begin, range.size, Definedness::Written);
    }
  };
}

void check_peace(const Recording& recording) {
  for (const Finding& finding : check(recording).findings) {
    const Diagnostic& told = finding.diagnostic;
    if (told.severity != Severity::Note && !is_allowed(told)) FAIL_CHECK(told.format());
  }
}

}  // namespace

TEST_CASE("check random: legal programs on defined memories give no errors, and no warnings but the listed ones") {
  const RecordOptions small{.budget_bytes = std::size_t{4} << 20, .initial = filled_up_to(0x2000)};
  const RecordOptions large{.budget_bytes = std::size_t{16} << 20, .initial = filled_up_to(180 << 10)};
  for (std::uint64_t seed = 0; seed < rounds(50u, 750u, 2250u); ++seed) {
    for (const Target target : kBothTargets) {
      CAPTURE(name(target));
      CAPTURE(seed);
      Random random(seed);
      check_peace(*Recording::run(random_flow_program(random, target, 12), small));
      if (seed % 9 == 0) check_peace(*record_random_text(seed, target, large));
    }
  }
}

}  // namespace ts::test
