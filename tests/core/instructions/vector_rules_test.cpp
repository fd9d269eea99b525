// Every rule of every instruction of the vector families, on each of its targets: a program that breaks it is told so,
// of the right operand and with the values, and of nothing else; it is refused with the memories as they were, or runs
// where it is only warned of. Which rules there are, the pages say.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/catalogue/catalogue.h"
#include "tests/support/instructions/breach_changes.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/page_rules.h"
#include "tests/support/instructions/vector_plan.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

const std::map<std::string, RuleSet>& rule_sets() {
  static const std::map<std::string, RuleSet> all = [] {
    std::map<std::string, RuleSet> out;
    for (const auto make :
         {elementwise_rule_sets, scalar_rule_sets, reduction_rule_sets, expansion_rule_sets, comparison_rule_sets,
          other_rule_sets, indexed_rule_sets, sort_rule_sets, quantising_rule_sets})
      for (const RuleSet& set : make())
        for (const std::string& name : words(set.names))
          CHECK_MESSAGE(out.emplace(name, set).second, name << " is in two sets of rules");
    return out;
  }();
  return all;
}

bool takes_every_type(const InstructionRow& row, Target target) {
  for (int type = 0; type < kDTypes; ++type)
    if (!row.types(target, {}).contains(static_cast<DType>(type))) return false;
  return true;
}
// In rules_cube_moves_test, which has the memories of the cube core.
bool is_broken_elsewhere(std::string_view id) {
  constexpr std::string_view kMoves[] = {"TMOV-R6",  "TMOV-R16", "TMOV-R17", "TMOV-R18",
                                         "TMOV-R19", "TMOV-R20", "TMOV-W3"};
  return std::ranges::find(kMoves, id) != std::end(kMoves);
}
// What a page says of a rule that holds for whatever there is today.
bool says_it_cannot_speak(const PageRule& rule) { return rule.advice.starts_with("cannot speak"); }
// A type rule where the target takes every type.
bool cannot_speak(const InstructionRow& row, const PageRule& rule) {
  return rule.id == type_rule(row, rule.target) && takes_every_type(row, rule.target);
}

std::set<std::string> broken_by(const std::vector<Breach>& breaches, const InstructionRow& row, Target target) {
  std::set<std::string> ids;
  for (const Breach& breach : breaches) {
    if (std::ranges::count(targets_of(breach, row), target) == 0) continue;
    const bool own = breach.rule[0] != 'G' && !breach.rule.starts_with("TILE");
    ids.insert(own ? own_rule(row, breach.rule) : breach.rule);
  }
  return ids;
}

void check_rule_sets(std::vector<RuleSet> (*make)()) {
  int programs = 0;
  for (const RuleSet& set : make())
    for (const std::string& name : words(set.names))
      for (const Breach& breach : set.breaches) programs += check_breach(set, breach, *find_instruction(name));
  CHECK(programs != 0);
}

}  // namespace

TEST_CASE("vector rules: every instruction has programs that break them") {
  for (const InstructionRow* row : vector_instructions())
    CHECK_MESSAGE(rule_sets().contains(row->name), std::string(row->name) << " has none");
  for (const auto& set : rule_sets())
    CHECK_MESSAGE(find_instruction(set.first) != nullptr, set.first << " is no instruction");
}

TEST_CASE("vector rules: every rule of a page is broken, and every rule that is broken is on the page") {
  for (const InstructionRow* row : vector_instructions()) {
    const auto set = rule_sets().find(row->name);
    if (set == rule_sets().end()) continue;  // the first test says so
    const std::vector<PageRule> page = page_rules(*row);
    for (const Target target : kBothTargets) {
      if (row->types(target, {}).empty()) continue;
      const std::set<std::string> broken = broken_by(set->second.breaches + common_breaches(*row), *row, target);
      std::set<std::string> listed, silent;
      for (const PageRule& rule : page)
        if (rule.target == target) (cannot_speak(*row, rule) ? silent : listed).insert(rule.id);
      for (const std::string& id : listed)
        CHECK_MESSAGE((broken.contains(id) || is_broken_elsewhere(id)),
                      std::string(row->name) << ": no program breaks " << id << " on " << std::string(name(target)));
      for (const std::string& id : broken)
        CHECK_MESSAGE((listed.contains(id) || silent.contains(id)), std::string(row->name)
                                                                        << ": its page does not have " << id << " on "
                                                                        << std::string(name(target)));
    }
  }
}

TEST_CASE("vector rules: the element types that a page lists are those that are taken") {
  std::string pairs;
  for (const InstructionRow* row : vector_instructions()) {
    for (const Target target : kBothTargets) {
      if (row->types(target, {}).empty()) continue;
      const std::optional<DTypeSet> listed = page_types(*row, target);
      if (!listed && target == Target::A5) pairs += std::string(" ") + row->name;
      for (int t = 0; listed && t < kDTypes; ++t) {
        const DType type = static_cast<DType>(t);
        CHECK_MESSAGE(listed->contains(type) == row->types(target, {}).contains(type),
                      std::string(row->name) << ": " << std::string(name(type)) << " on " << std::string(name(target)));
      }
    }
  }
  // They list pairs of types instead.
  CHECK(pairs == " tadddeqrelu taddreluconv taxpy tcvt tsubreluconv");
}

TEST_CASE("vector rules: those that cannot speak take every type") {
  for (const InstructionRow* row : vector_instructions())
    for (const PageRule& rule : page_rules(*row))
      if (says_it_cannot_speak(rule)) CHECK_MESSAGE(cannot_speak(*row, rule), std::string(row->name));
}

TEST_CASE("vector rules: an instruction that a target lacks is refused there, with the page's advice") {
  int programs = 0;
  for (const InstructionRow* row : vector_instructions()) {
    for (const Target target : kBothTargets) {
      if (!row->types(target, {}).empty()) continue;
      const std::vector<PageRule> page = page_rules(*row);
      const auto said = std::ranges::find_if(page, [&](const PageRule& rule) { return rule.target == target; });
      REQUIRE_MESSAGE(said != page.end(), std::string(row->name)
                                              << ": its page does not say that " << name(target) << " lacks it");
      CHECK(said->asks == "not this target");
      CHECK(std::ranges::count(page, target, &PageRule::target) == 1);
      programs += check_absent(*row, target, said->id, said->advice);
    }
  }
  CHECK(programs != 0);
}

TEST_CASE("vector rules: elementwise") { check_rule_sets(elementwise_rule_sets); }
TEST_CASE("vector rules: with a scalar") { check_rule_sets(scalar_rule_sets); }
TEST_CASE("vector rules: reductions") { check_rule_sets(reduction_rule_sets); }
TEST_CASE("vector rules: expansions") { check_rule_sets(expansion_rule_sets); }
TEST_CASE("vector rules: comparisons") { check_rule_sets(comparison_rule_sets); }
TEST_CASE("vector rules: by index") { check_rule_sets(indexed_rule_sets); }
TEST_CASE("vector rules: sorting") { check_rule_sets(sort_rule_sets); }
TEST_CASE("vector rules: quantising") { check_rule_sets(quantising_rule_sets); }
TEST_CASE("vector rules: the others") { check_rule_sets(other_rule_sets); }

TEST_CASE("vector rules: element types, places and shapes of every tile") {
  int programs = 0;
  Thinned cases(6);
  for (const auto& [name, set] : rule_sets())
    for (const Breach& breach : common_breaches(*find_instruction(name)))
      if (cases.takes()) programs += check_breach(set, breach, *find_instruction(name));
  CHECK(programs != 0);
}

TEST_CASE("TCONCATIDX: rules of the counts that it makes") {
  const auto join = [](const TileType& made, std::uint32_t at = 0x10000) {
    HandTiles tile(Target::A5);
    const TileType counts = vec_tile(DType::I32, 4, 8);
    const TileId a = tile("a", f32(4, 8), {.address = 0}), b = tile("b", f32(4, 8), {.address = 0x1000}),
                 a_counts = tile("ac", counts, {.address = 0x2000}), b_counts = tile("bc", counts, {.address = 0x3000});
    tile.builder.add("tconcatidx", {a, b, a_counts, b_counts},
                     {tile("d", f32(4, 16), {.address = 0x8000}), tile("n", made, {.address = at})});
    return std::move(tile.builder);
  };
  const auto no_columns = [](Memory& memory) {
    for (std::uint32_t at = 0x2000; at < 0x4000; at += 8) memory.set_element(Space::Ub, at, 8, 0);
  };
  const TileType good = vec_tile(DType::U16, 4, 16);
  check_told(join(good), {}, no_columns);
  check_told(join(f32(4, 8)), {"TCONCATIDX-R9", Severity::Error, "indices", {"f32", "i16"}, true});
  check_told(join(vec_tile(DType::U16, 2, 16)),
             {"TCONCATIDX-R4", Severity::Error, "indices", {"2 valid", "dst 4"}, true});
  TileType empty = good;
  empty.valid_cols = 0;
  check_told(join(empty), {"TCONCATIDX-R8", Severity::Error, "indices", {"no valid column"}, true});
  check_told(join(good, 0x8000), {{"G5", Severity::Warning, "indices", {"dst"}, true}}, no_columns);
  check_told(join(good, 0), {{"G5", Severity::Warning, "indices", {"src0"}, true}}, no_columns);
}

}  // namespace ts::test
