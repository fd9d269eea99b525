// What is there of each instruction: by target and element type, from the rows and the pages.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/op_name.h"
#include "core/catalogue/catalogue.h"
#include "core/compile/has_meaning.h"
#include "core/text/ops/op_table.h"

namespace ts {
namespace {

constexpr std::string_view kWaits = "legal, not emulated yet";

struct Coverage {
  std::string_view name;
  Target target;
  DTypeSet types = {};  // emulated
  bool drawn = false, documented = false;
  std::string why = {};  // there are none
};

Coverage of_instruction(const InstructionRow& row, Target target) {
  const DTypeSet types = row.types(target, Options{});
  return {.name = row.name,
          .target = target,
          .types = types,
          .drawn = row.draw != Drawing::None,
          .documented = instruction_page(row.name).has_value(),
          .why = types.empty() ? fmt::format("not on this target: {}", absent_rule(row)) : ""};
}

// Of a tile operation that text may hold and the catalogue does not: the scalar unit does it, or nobody emulates it yet.
Coverage of_operation(const text::OpRow& row, Target target) {
  const bool there = row.only.empty() || row.only == name(target);
  return {.name = bare_name(row),
          .target = target,
          .why = !there                            ? "not on this target"
                 : row.kind != text::OpKind::Other ? "by the scalar unit, in any type"
                                                   : std::string(kWaits)};
}

// A part of a tile is a name for its bytes, of any type that a tile has.
Coverage of_window(const text::OpRow& row, Target target) {
  return {.name = bare_name(row),
          .target = target,
          .types = find_instruction("tassign")->types(target, Options{}),
          .documented = instruction_page(row.name).has_value()};
}
bool is_window(const text::OpRow& row) { return row.kind == text::OpKind::Subset || row.kind == text::OpKind::Subview; }

// What programs of A5 are written in below tile instructions; some of it has no lanes: barriers, regions, other names of bits.
Coverage of_micro(const text::OpRow& row, text::OpCode code) {
  const DTypeSet types = micro_types(code);
  return {.name = bare_name(row),
          .target = Target::A5,
          .types = types,
          .drawn = !types.empty(),
          .documented = instruction_page(row.name).has_value(),
          .why = !types.empty()      ? ""
                 : has_meaning(code) ? "it has no element type"
                                     : std::string(kWaits)};
}
bool is_current_micro(const text::OpRow& row) { return row.group == text::OpGroup::Micro && row.current.empty(); }

bool is_current_tile_operation(const text::OpRow& row) {
  using enum text::OpGroup;
  return row.instruction == nullptr && row.current.empty() &&
         (row.group == TileVector || row.group == TileMove || row.group == TileCube);
}

std::vector<Coverage> all_coverage() {
  std::vector<Coverage> out;
  for (const InstructionRow* row : catalogue())
    for (const Target target : kBothTargets) out.push_back(of_instruction(*row, target));
  for (const text::OpRow& row : text::op_rows()) {
    if (is_current_micro(row)) out.push_back(of_micro(row, text::find_op(row.name)));
    for (const Target target : kBothTargets)
      if (is_current_tile_operation(row)) out.push_back(of_operation(row, target));
      else if (is_window(row)) out.push_back(of_window(row, target));
  }
  std::ranges::stable_sort(out, {}, &Coverage::name);
  return out;
}

void print_json(const std::vector<Coverage>& all) {
  auto list = nlohmann::ordered_json::array();
  for (const Coverage& one : all)
    for (int i = 0; i < kDTypes; ++i) {
      const auto type = static_cast<DType>(i);
      list.push_back({{"instruction", one.name},
                      {"target", name(one.target)},
                      {"type", name(type)},
                      {"emulated", one.types.contains(type)},
                      {"drawn", one.drawn},
                      {"documented", one.documented}});
      if (!one.why.empty()) list.back()["why"] = one.why;
    }
  fmt::print("{}\n", list.dump(1));
}

void print_table(const std::vector<Coverage>& all) {
  constexpr const char* kLine = "{:<18} {:<5} {:<6} {:<6} {}\n";
  fmt::print(kLine, "instruction", "on", "drawn", "page", "element types");
  std::size_t gaps = 0, waiting = 0;
  for (const Coverage& one : all) {
    if (one.types.empty()) {
      if (one.why == kWaits) ++waiting;
      fmt::print(kLine, one.name, name(one.target), "", "", one.why);
      continue;
    }
    // A drawing of its own is a nicety; a page is a promise.
    if (!one.documented) ++gaps;
    fmt::print(kLine, one.name, name(one.target), one.drawn ? "yes" : "plain", one.documented ? "yes" : "NO",
               one.types.list());
  }
  const auto micro = std::ranges::count_if(
      text::op_rows(), [](const text::OpRow& row) { return !micro_types(text::find_op(row.name)).empty(); });
  fmt::print("\n{} instructions and {} micro-operations, {} without a page; {} that wait for a target's emulation\n",
             catalogue().size(), micro, gaps, waiting);
}

}  // namespace

int coverage_command(bool json) {
  const std::vector<Coverage> all = all_coverage();
  json ? print_json(all) : print_table(all);
  return kOk;
}

}  // namespace ts
