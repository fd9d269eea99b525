// Finding the oracle of an instruction.
#include "tests/oracle/effects.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace ts::oracle {

Effects effects_of(const Bound& bound, const Before& before) {
  struct Row {
    std::string_view name;
    Effects (*oracle)(const Bound&, const Before&);
  };
  static constexpr Row kRows[] = {
      {"tadd", tadd}, {"tsels", tsels}, {"tdeinterleave", tdeinterleave}, {"tload", tload}, {"tstore", tstore},
  };
  for (const Row& row : kRows)
    if (row.name == bound.row->name) return row.oracle(bound, before);
  std::fprintf(stderr, "no oracle for %s\n", bound.row->name);
  std::abort();
}

}  // namespace ts::oracle
