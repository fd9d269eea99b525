// TAP and JUnit texts: whole ones for usual results, and nothing broken by odd names and messages.
#include "scripting/run/test_report.h"

#include <doctest/doctest.h>

#include <string>

namespace ts::scripting {
namespace {

using Kind = TestResult::Kind;

TEST_CASE("test report: usual results") {
  TestReport report;
  report.add({"softmax", Kind::Passed});
  report.add({"rows & columns", Kind::Failed, "3 of 32 differ\nfirst [0,1]: 2 < 3"});
  report.add({"loads", Kind::Error, "k.lua:3: no \"x\""});
  CHECK(report.failed() == 2);
  CHECK(report.tap(0) == "ok 1 - softmax\n");
  CHECK(report.tap(1) == "not ok 2 - rows & columns\n# 3 of 32 differ\n# first [0,1]: 2 < 3\n");
  CHECK(report.tap_plan() == "1..3");
  CHECK(report.junit("k.lua") ==
        R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="1">
  <testsuite name="k.lua" tests="3" failures="1" errors="1">
    <testcase name="softmax" classname="k.lua"/>
    <testcase name="rows &amp; columns" classname="k.lua">
      <failure message="3 of 32 differ">3 of 32 differ
first [0,1]: 2 &lt; 3</failure>
    </testcase>
    <testcase name="loads" classname="k.lua">
      <error message="k.lua:3: no &quot;x&quot;">k.lua:3: no "x"</error>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST_CASE("test report: no results") {
  CHECK(TestReport{}.tap_plan() == "1..0");
  CHECK(TestReport{}.failed() == 0);
}

TEST_CASE("test report: names and messages of any bytes") {
  TestReport report;
  report.add({"a\nb # skip \\ \x1B[31m\x01", Kind::Failed, "]]> \xFF\xC3 \xEF\xBF\xBF ok \xC3\xA9 \r\n\n"});
  CHECK(report.tap(0) == "not ok 1 - a b \\# skip \\\\ [31m\n# ]]> ?? ??? ok \xC3\xA9 \n# \n# \n");
  const std::string xml = report.junit("s\"<");
  CHECK(xml.find("name=\"a&#10;b # skip \\ [31m\"") != std::string::npos);
  CHECK(xml.find("]]&gt; ?? ??? ok \xC3\xA9 ") != std::string::npos);
  CHECK(xml.find("s&quot;&lt;") != std::string::npos);
  // Surrogates, overlong forms and what lies beyond the last character are none.
  TestReport odd;
  odd.add({"\xED\xA0\x80 \xC0\xAF \xF4\x90\x80\x80 \xC2\x85 \xF0\x9F\x99\x82", Kind::Passed});
  CHECK(odd.tap(0) == "ok 1 - ??? ?? ???? ?? \xF0\x9F\x99\x82\n");
}

}  // namespace
}  // namespace ts::scripting
