// How long work takes: of the processor, because what else runs beside it is nobody's cost; or by the clock on the wall, where
// several threads share it.
#pragma once

#include <algorithm>
#include <chrono>

#include "core/isa/thread_time.h"

namespace ts::bench {

template <class F>
double seconds_of(const F& work) {
  const double begin = thread_seconds();
  work();
  return thread_seconds() - begin;
}
template <class F>
double wall_seconds_of(const F& work) {
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
