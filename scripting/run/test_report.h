// The results of a script's tests: TAP lines while they run, a JUnit file at the end. The same run makes the same text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ts::scripting {

struct TestResult {
  enum class Kind : std::uint8_t {
    Passed,
    Failed,
    Error
  };  // Failed: an assertion; Error: anything else that was raised
  std::string name;
  Kind kind = Kind::Passed;
  std::string message = {};  // its first line says what; the others are the details
};

class TestReport {
 public:
  void add(TestResult result) { results_.push_back(std::move(result)); }
  const std::vector<TestResult>& results() const { return results_; }
  bool empty() const { return results_.empty(); }
  std::size_t failed() const;  // assertions and errors

  // The line of one result, and its message as comments: "not ok 2 - name".
  std::string tap(std::size_t index) const;
  // The line that follows all results: "1..2".
  std::string tap_plan() const;
  // A whole file. `suite` is how it calls the script. Times are left out, so that equal runs make equal files.
  std::string junit(std::string_view suite) const;

 private:
  std::vector<TestResult> results_;
};

}  // namespace ts::scripting
