// How long work takes.
#pragma once

#include <algorithm>
#include <chrono>

namespace ts::bench {

template <class F>
double seconds_of(const F& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
template <class F>
double fastest(const F& work, int rounds) {
  double best = seconds_of(work);
  for (int round = 1; round < rounds; ++round) best = std::min(best, seconds_of(work));
  return best;
}

}  // namespace ts::bench
