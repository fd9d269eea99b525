// Turns, rounds, medians.
#include "tests/bench/measure.h"

#include <algorithm>
#include <cmath>

#include "tests/bench/seconds.h"

namespace ts::bench {
namespace {

constexpr double kRoundSeconds = 2e-3;  // long enough for the clock
constexpr int kRounds = 31;

int calls_for(const std::function<void()>& work) {
  work();
  const double once = std::max(seconds_of(work), 1e-8);
  return std::max(1, static_cast<int>(kRoundSeconds / once));
}

double seconds_of_calls(const std::function<void()>& work, int calls) {
  return seconds_of([&] {
           for (int i = 0; i < calls; ++i) work();
         }) /
         calls;
}

}  // namespace

Ratio ratio_of_rounds(std::vector<double> rounds) {
  std::ranges::sort(rounds);
  const double median = rounds[rounds.size() / 2], apart = rounds[rounds.size() * 3 / 4] - rounds[rounds.size() / 4];
  return {.value = median, .spread = median == 0 ? 0 : apart / 2 / std::abs(median)};
}

Ratio measure(const std::function<void()>& mine, const std::function<void()>& rival) {
  const int my_calls = calls_for(mine), rival_calls = calls_for(rival);
  seconds_of_calls(mine, my_calls);
  seconds_of_calls(rival, rival_calls);
  std::vector<double> ratios, times;
  for (int round = 0; round < kRounds; ++round) {
    times.push_back(seconds_of_calls(mine, my_calls));
    ratios.push_back(times.back() / seconds_of_calls(rival, rival_calls));
  }
  Ratio ratio = ratio_of_rounds(std::move(ratios));
  ratio.mine = ratio_of_rounds(std::move(times)).value;
  return ratio;
}

}  // namespace ts::bench
