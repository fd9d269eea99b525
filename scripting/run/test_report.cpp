// Test results as TAP and as JUnit XML, whatever names and messages hold.
#include "scripting/run/test_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/data/utf8.h"

namespace ts::scripting {
namespace {

// The bytes of the character at the front, 0 where it is none of UTF-8's, or one that XML does not allow.
std::size_t character_bytes(std::string_view text) {
  const data::Character found = data::character_at(text, 0);
  return data::is_control(found.code) || (found.code & 0xFFFE) == 0xFFFE ? 0 : found.bytes;
}

// What every reader of text takes: UTF-8 without control characters; '?' stands for what is none.
std::string clean(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character_bytes(text);
    if (size != 0) {
      out += text.substr(0, size);
    } else if (static_cast<unsigned char>(text.front()) >= 0x80) {
      out += '?';
    }
    text.remove_prefix(std::max<std::size_t>(1, size));
  }
  return out;
}

std::string escaped(std::string_view text, bool attribute) {
  std::string out;
  for (const char c : clean(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += attribute ? "&quot;" : "\""; break;
      case '\n': out += attribute ? "&#10;" : "\n"; break;
      case '\t': out += attribute ? "&#9;" : "\t"; break;
      default: out += c;
    }
  }
  return out;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

// On one line; a # would begin a directive such as "# skip".
std::string tap_name(std::string_view name) {
  std::string out;
  for (const char c : clean(name)) {
    if (c == '#' || c == '\\') out += '\\';
    out += c == '\n' || c == '\t' ? ' ' : c;
  }
  return out;
}

std::size_t count_of(const std::vector<TestResult>& results, TestResult::Kind kind) {
  return static_cast<std::size_t>(std::ranges::count(results, kind, &TestResult::kind));
}

std::string junit_case(const TestResult& result, std::string_view suite) {
  const std::string head =
      fmt::format("    <testcase name=\"{}\" classname=\"{}\"", escaped(result.name, true), escaped(suite, true));
  if (result.kind == TestResult::Kind::Passed) return head + "/>\n";
  const char* element = result.kind == TestResult::Kind::Failed ? "failure" : "error";
  return fmt::format("{}>\n      <{} message=\"{}\">{}</{}>\n    </testcase>\n", head, element,
                     escaped(first_line(result.message), true), escaped(result.message, false), element);
}

}  // namespace

std::size_t TestReport::failed() const { return results_.size() - count_of(results_, TestResult::Kind::Passed); }

std::string TestReport::tap(std::size_t index) const {
  const TestResult& result = results_[index];
  const bool passed = result.kind == TestResult::Kind::Passed;
  std::string text = fmt::format("{} {} - {}\n", passed ? "ok" : "not ok", index + 1, tap_name(result.name));
  if (passed) return text;
  const std::string message = clean(result.message);
  for (std::string_view rest = message;;) {
    const std::string_view line = first_line(rest);
    text += fmt::format("# {}\n", line);
    if (line.size() == rest.size()) return text;
    rest.remove_prefix(line.size() + 1);
  }
}

std::string TestReport::tap_plan() const { return fmt::format("1..{}", results_.size()); }

std::string TestReport::junit(std::string_view suite) const {
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", results_.size(),
                  count_of(results_, TestResult::Kind::Failed), count_of(results_, TestResult::Kind::Error));
  std::string text =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite name=\"{}\" {}>\n", counts,
                  escaped(suite, true), counts);
  for (const TestResult& result : results_) text += junit_case(result, suite);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace ts::scripting
