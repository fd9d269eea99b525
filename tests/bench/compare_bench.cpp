// Comparing recordings.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "core/debug/compare/compare_runs.h"
#include "core/program/builder.h"
#include "tests/bench/benches.h"
#include "tests/bench/seconds.h"
#include "tests/bench/work.h"

namespace ts::bench {

// Two equal recordings of steps that each leave another tile of 64 x 64 floats, against reading all that they left.
void bench_comparison(Table& table) {
  constexpr std::uint32_t kSteps = 100'000;
  const auto record = [] {
    ProgramBuilder builder(Target::A5, "compare");
    const TileType type = vec_tile(DType::F32, 64, 64);
    const TileId a = builder.tile("a", type), b = builder.tile("b", type);
    const BufferId ones = builder.buffer("ones", DType::F32, std::vector<double>(64 * 64, 1));
    for (const TileId tile : {a, b}) builder.add("tload", {View{ones, 64, 64}}, {tile});
    builder.add("tadd", {a, b}, {a});
    auto made = Recording::run(built(builder), {.budget_bytes = std::size_t{3} << 30});
    while (made->count() < kSteps) made->execute(2);
    return made;
  };
  const auto a = record(), b = record();
  if (a->thinning()) throw std::runtime_error("the budget is too small");
  RunDifferences found;
  const auto compare = [&] { found = compare_runs(*a, *b, {}); };
  int same = 0;
  const auto read = [&] {
    for (std::uint32_t page = 0; page < a->timeline().pages(); ++page)
      for (std::uint32_t i = 1; i <= a->timeline().versions(page).size(); ++i) {
        const auto of_a = a->timeline().content(page, i).bytes_at(0), of_b = b->timeline().content(page, i).bytes_at(0);
        same += of_a.size() == of_b.size() && std::memcmp(of_a.data(), of_b.data(), of_a.size()) == 0;
      }
  };
  double mine = 1e9, rival = 1e9;
  for (int i = 0; i < 5; ++i) {
    mine = std::min(mine, seconds_of(compare));
    rival = std::min(rival, seconds_of(read));
  }
  if (!found.same() || same == 0) throw std::runtime_error("the recordings are not the same");
  table.add(fmt::format("compare {} equal steps of 64x64 f32, to reading both", kSteps), mine / rival, Limit::both(2));
}

}  // namespace ts::bench
