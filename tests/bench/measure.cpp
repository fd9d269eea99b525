// Turns, rounds, medians.
#include "tests/bench/measure.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "tests/bench/seconds.h"

namespace ts::bench {
namespace {

constexpr double kRoundSeconds = 2e-3;  // long enough for the clock
constexpr int kRounds = 31;
constexpr std::size_t kPage = 4096;

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

Yardstick::Yardstick(std::size_t bytes) : bytes_(bytes), room_(2 * bytes + 4 * kPage, std::byte{1}) {
  const auto next_page = [](std::byte* at) {
    return at + (kPage - reinterpret_cast<std::uintptr_t>(at) % kPage) % kPage;
  };
  from_ = next_page(room_.data());
  to_ = next_page(from_ + bytes) + kPage / 2;
}

void Yardstick::copy() {
  std::memcpy(to_, from_, bytes_);
  asm volatile("" : : "r"(to_) : "memory");
}

void Yardstick::fill() {
  std::memset(to_, 1, bytes_);
  asm volatile("" : : "r"(to_) : "memory");
}

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
