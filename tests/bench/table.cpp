// Printing rows, and rows beside those of another run.
#include "tests/bench/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "hwy/targets.h"

namespace ts::bench {
namespace {

// Of this machine; nothing where nobody said what it may be.
std::optional<double> limit_of(const Row& row) {
  static const auto targets = hwy::SupportedTargets();
  if ((targets & HWY_AVX3) != 0) return row.limit.avx512;
  if ((targets & HWY_AVX2) != 0) return row.limit.avx2;
  return {};
}

std::string verdict(const Row& row) {
  if (!row.error.empty()) return "failed";
  const auto limit = limit_of(row);
  return !limit ? "no limit here" : row.value <= *limit ? "ok" : "over target";
}

// What was measured once is thought to be as uncertain as this.
constexpr double kOnce = 0.1;
double spread_of(const Row& row) { return row.spread == 0 ? kOnce : row.spread; }

}  // namespace

void Table::add(Row row) {
  if (!std::isfinite(row.value) || row.value < 0) row.error = fmt::format("{} is no measurement", row.value);
  rows_.push_back(row);
  if (!prints_) return;
  if (!row.error.empty()) {
    fmt::print("{:<76} failed: {}\n", row.what, row.error);
  } else {
    const auto limit = limit_of(row);
    fmt::print("{:<76} {:>9.3f} {:<8} {:<8} {:<16} {}\n", row.what, row.value, row.unit,
               row.spread == 0 ? "" : fmt::format("+-{:.0f} %", 100 * row.spread),
               limit ? fmt::format("(<= {:g} {})", *limit, row.unit) : "", verdict(row));
  }
  std::fflush(stdout);
}

bool Table::failed() const {
  return std::ranges::any_of(rows_, [](const Row& row) { return !row.error.empty(); });
}

std::string Table::json() const {
  nlohmann::json out = nlohmann::json::array();
  for (const Row& row : rows_) {
    nlohmann::json one{{"work", row.what},
                       {"value", row.value},
                       {"unit", row.unit},
                       {"spread", row.spread},
                       {"verdict", verdict(row)}};
    if (const auto limit = limit_of(row)) one["target"] = *limit;
    if (!row.error.empty()) one["error"] = row.error;
    out.push_back(std::move(one));
  }
  return out.dump(2);
}

std::optional<std::vector<Row>> read_rows(const std::string& path) {
  std::ifstream file(path);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_array()) {
    fmt::print(stderr, "bench: {} is no output of `./dev bench --json`\n", path);
    return {};
  }
  std::vector<Row> rows;
  for (const nlohmann::json& one : json) {
    if (!one.is_object() || one.contains("error")) continue;
    Row row;
    row.what = one.value("work", "");
    row.value = one.value("value", 0.0);
    row.spread = one.value("spread", 0.0);
    rows.push_back(std::move(row));
  }
  return rows;
}

void print_against(const std::vector<Row>& now, const std::vector<Row>& before) {
  std::map<std::string, const Row*> old;
  for (const Row& row : before) old[row.what] = &row;
  std::size_t same = 0, missing = 0;
  for (const Row& row : now) {
    const auto found = old.find(row.what);
    if (!row.error.empty() || found == old.end() || found->second->value <= 0) {
      ++missing;
      continue;
    }
    const double times = row.value / found->second->value,
                 apart = std::hypot(spread_of(row), spread_of(*found->second)) + 0.02;
    if (std::abs(times - 1) <= apart) {
      ++same;
      continue;
    }
    fmt::print("{:<76} {:>9.3f} -> {:>9.3f} {:<8} {:.2f} times{}\n", row.what, found->second->value, row.value,
               row.unit, times, times < 1 ? ", better" : ", worse");
  }
  fmt::print("{} rows are as they were, within what rounds are apart; {} are not in both runs\n", same, missing);
}

}  // namespace ts::bench
