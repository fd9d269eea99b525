// Small programs in tables.
#include "tests/support/text/program_rows.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/check/check.h"

namespace ts::test {
namespace {

bool has_message(const Diagnostics& all, const IllegalRow& row) {
  return std::ranges::any_of(all, [&](const Diagnostic& one) {
    return one.rule == row.rule && one.severity == row.severity && one.text.find(row.says) != std::string::npos;
  });
}

std::string all_of(const Diagnostics& all) {
  std::string text;
  for (const Diagnostic& one : all) text += one.format() + "\n";
  return text;
}

}  // namespace

std::string row_text(const char* target, const char* statements) {
  return fmt::format(R"(module attributes {{pto.target_arch = "{}"}} {{
  func.func @k(%p: !pto.ptr<f32>, %q: !pto.ptr<f32>, %h: !pto.ptr<f16>, %m: !pto.ptr<ui8>, %n: index, %s: f32, %si: i32, %sh: f16) attributes {{pto.entry}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i64
    %two = arith.constant 2.0 : f32
{}
    return
  }}
}}
)",
                     target, statements);
}

bool names_target(const char* targets, const char* target) {
  std::istringstream in(targets);
  for (std::string one; in >> one;)
    if (one == target) return true;
  return false;
}

void check_legal(const LegalRow& row, const char* target) {
  CAPTURE(std::string(row.name));
  CAPTURE(std::string(row.page));
  CAPTURE(std::string(target));
  OpenedText text = open_text(row_text(target, row.statements));
  REQUIRE_MESSAGE(text.opened.has_value(), all_of(text.diagnostics));
  for (const Diagnostic& one : text.diagnostics)
    if (one.rule != "V60-07")  // the numbers that nobody gives
      CHECK_MESSAGE(one.severity == Severity::Note, one.format());
  const auto recording = Recording::run(std::move(text.opened->program), {.budget_bytes = kPlentyOfBytes});
  CHECK(recording->stop_reason() == (row.becomes == Becomes::Runs ? StopReason::End : StopReason::NotEmulated));
  if (row.becomes != Becomes::Runs) return;
  for (const Finding& finding : check(*recording).findings)
    CHECK_MESSAGE(finding.diagnostic.severity == Severity::Note, finding.diagnostic.format());
}

void check_illegal(const IllegalRow& row, const char* target) {
  CAPTURE(std::string(row.name));
  CAPTURE(std::string(target));
  OpenRequest request;
  request.inputs.guess = false;
  const OpenedText text = open_text(row_text(target, row.statements), {}, request);
  CHECK_MESSAGE(has_message(text.diagnostics, row), all_of(text.diagnostics));
}

}  // namespace ts::test
