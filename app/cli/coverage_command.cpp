// What is there of each instruction: by target and element type, from the rows and the pages.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/catalogue/catalogue.h"

namespace ts {
namespace {

struct Coverage {
  const InstructionRow* row;
  Target target;
  DTypeSet types;  // emulated
  bool drawn, documented;
};

std::vector<Coverage> all_coverage() {
  std::vector<Coverage> out;
  for (const InstructionRow* row : catalogue())
    for (const Target target : kBothTargets)
      out.push_back({row, target, row->types(target, Options{}), row->draw != Drawing::None,
                     instruction_page(row->name).has_value()});
  return out;
}

void print_json(const std::vector<Coverage>& all) {
  auto list = nlohmann::ordered_json::array();
  for (const Coverage& one : all)
    for (int i = 0; i < kDTypes; ++i) {
      const auto type = static_cast<DType>(i);
      list.push_back({{"instruction", one.row->name},
                      {"target", name(one.target)},
                      {"type", name(type)},
                      {"emulated", one.types.contains(type)},
                      {"drawn", one.drawn},
                      {"documented", one.documented}});
    }
  fmt::print("{}\n", list.dump(1));
}

void print_table(const std::vector<Coverage>& all) {
  fmt::print("{:<18} {:<5} {:<6} {:<6} {}\n", "instruction", "on", "drawn", "page", "element types");
  std::size_t gaps = 0;
  for (const Coverage& one : all) {
    if (one.types.empty()) {
      fmt::print("{:<18} {:<5} {:<6} {:<6} {}\n", one.row->name, name(one.target), "", "", "not on this target");
      continue;
    }
    // A drawing of its own is a nicety; a page is a promise.
    if (!one.documented) ++gaps;
    fmt::print("{:<18} {:<5} {:<6} {:<6} {}\n", one.row->name, name(one.target), one.drawn ? "yes" : "plain",
               one.documented ? "yes" : "NO", one.types.list());
  }
  fmt::print("\n{} instructions, {} without a page\n", catalogue().size(), gaps);
}

}  // namespace

int coverage_command(bool json) {
  const std::vector<Coverage> all = all_coverage();
  json ? print_json(all) : print_table(all);
  return kOk;
}

}  // namespace ts
