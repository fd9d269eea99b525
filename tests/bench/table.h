// The rows of a run of the benchmark: what was measured, how far rounds were apart, and what it may be.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ts::bench {

// What a row may be on a processor with AVX-512, and with AVX2. Nothing: nobody said.
struct Limit {
  std::optional<double> avx512 = {}, avx2 = {};
  static Limit both(double value) { return {value, value}; }
};

struct Row {
  std::string what;
  double value = 0;
  Limit limit = {};
  std::string unit = "x";
  double spread = 0;       // of the rounds, as a share of the value: half of the way between their quartiles
  std::string error = {};  // it could not be measured
};

class Table {
 public:
  explicit Table(bool prints) : prints_(prints) {}

  void add(Row row);
  void add(std::string what, double value, Limit limit, std::string unit = "x") {
    add(Row{std::move(what), value, limit, std::move(unit)});
  }
  void fail(std::string what, std::string why) { add(Row{.what = std::move(what), .error = std::move(why)}); }

  const std::vector<Row>& rows() const { return rows_; }
  bool failed() const;
  std::string json() const;

 private:
  bool prints_;
  std::vector<Row> rows_;
};

// What an earlier run's --json holds; nothing, and told on stderr: it cannot be read.
std::optional<std::vector<Row>> read_rows(const std::string& path);
// Row by row: what is faster or slower by more than both runs' rounds were apart.
void print_against(const std::vector<Row>& now, const std::vector<Row>& before);

}  // namespace ts::bench
