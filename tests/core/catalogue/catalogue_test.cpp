// The tables of the core: names unique, every row complete, every legal type with its three lowerings.
#include "core/catalogue/catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/a2a3/micro_ops.h"
#include "core/a5/micro_ops.h"
#include "core/catalogue/beside.h"
#include "core/isa/options.h"
#include "tests/oracle/effects.h"

namespace ts::test {
namespace {

bool lower_case_word(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

// "tquant.mx", "tmatmul.mx.acc": of the dialect's operations some are forms of another one.
bool lower_case_words(std::string_view text) {
  const std::size_t dot = text.find('.');
  return lower_case_word(text.substr(0, dot)) && (dot == text.npos || lower_case_words(text.substr(dot + 1)));
}

template <std::size_t N>
void check_micro_ops(const MicroOp (&rows)[N]) {
  std::set<std::string_view> names;
  for (const MicroOp& op : rows) {
    CAPTURE(std::string(op.name));
    CHECK(names.insert(op.name).second);
    CHECK(!std::string_view(op.form).empty());
    CHECK(!std::string_view(op.summary).empty());
    CHECK((op.flow == FlowKind::Emulator) == std::string_view(op.name).starts_with("emu."));
    CHECK(name(op.flow) != std::string_view("?"));
  }
}

}  // namespace

TEST_CASE("catalogue: rows are complete, sorted and unique") {
  const auto& rows = catalogue();
  CHECK(rows.size() >= 6);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const InstructionRow& row = *rows[i];
    CAPTURE(std::string(row.name));
    CHECK(lower_case_words(row.name));
    if (i > 0) CHECK(std::string_view(rows[i - 1]->name) < row.name);
    CHECK(std::string_view(row.summary).ends_with('.'));
    REQUIRE(!row.forms.empty());
    for (const FormRow& form : row.forms) {
      CHECK((row.forms.size() == 1 || !std::string_view(form.name).empty()));
      CHECK(!std::string_view(form.cpp).empty());
      std::set<std::string_view> operands;
      bool typed = false, results_last = true, seen_result = false;
      for (const OperandSpec& spec : form.operands) {
        CHECK(lower_case_word(spec.name));
        CHECK(operands.insert(spec.name).second);
        typed = typed || std::string_view(spec.name) == row.typed_by;
        results_last = results_last && (!seen_result || spec.role == Role::Out);
        seen_result = seen_result || spec.role == Role::Out;
      }
      CHECK(typed);
      CHECK(results_last);
      // What only sets a register has no result to name.
      CHECK((seen_result || row.pipe == Pipe::S));
    }
  }
}

TEST_CASE("catalogue: every legal type has a run, a trace and a tag lowering") {
  for (const InstructionRow* row : catalogue()) {
    CAPTURE(std::string(row->name));
    bool somewhere = false;
    for (const Target target : kBothTargets) {
      CAPTURE(std::string(name(target)));
      CHECK(!type_rule(*row, target).empty());
      Options library;
      library.library_types = true;
      for (const Options& options : {Options{}, library}) {
        const DTypeSet types = row->types(target, options);
        somewhere = somewhere || !types.empty();
        if (types.empty()) CHECK(!absent_rule(*row).empty());
        for (int i = 0; i < kDTypes; ++i) {
          const auto type = static_cast<DType>(i);
          if (!types.contains(type)) continue;
          CAPTURE(std::string(name(type)));
          for (const auto* table : {&row->machines.run(), &row->machines.trace(), &row->machines.tag()})
            CHECK((table->at(target, type) != nullptr));
        }
      }
    }
    CHECK(somewhere);
  }
}

TEST_CASE("catalogue: names are found in any case, with or without the dialect") {
  for (const InstructionRow* row : catalogue()) {
    std::string capitals(row->name);
    std::ranges::transform(capitals, capitals.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    CHECK(find_instruction(row->name) == row);
    CHECK(find_instruction(capitals) == row);
    CHECK(find_instruction(std::string("pto.") + row->name) == row);
  }
  CHECK(find_instruction("TDeInterleave") == find_instruction("tdeinterleave"));
  CHECK(find_instruction("nothing") == nullptr);
  CHECK(find_instruction("") == nullptr);
  CHECK(find_instruction("pto.") == nullptr);
}

TEST_CASE("micro-operations: rows are complete and unique") {
  check_micro_ops(a5::kMicroOps);
  check_micro_ops(a2a3::kMicroOps);
}

TEST_CASE("options: each is set by name, and unknown ones are refused") {
  std::set<std::string_view> names;
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionRow& row = kOptions[i];
    CAPTURE(std::string(row.name));
    CHECK(names.insert(row.name).second);
    CHECK(!std::string_view(row.effect).empty());
    const std::string values = row.values;
    const auto count = static_cast<std::uint8_t>(1 + std::ranges::count(values, '|'));
    REQUIRE(count > 1);
    Options options;
    for (std::uint8_t number = 1; number < count; ++number) {
      CHECK(set_option(options, row.name, value_name(values, number)));
      CHECK(options.*row.value == number);
      CHECK(!(options == Options{}));
      CHECK(!set_option(options, row.name, "neither"));
      CHECK(options.*row.value == number);
    }
    CHECK(set_option(options, row.name, value_name(values, 0)));
    CHECK(options == Options{});
  }
  Options options;
  CHECK(!set_option(options, "nothing", "on"));
}

// The toys that a test makes up live in its own file, and have no page either.
TEST_CASE("catalogue: every instruction has an oracle, and every oracle an instruction") {
  for (const InstructionRow* row : catalogue()) {
    CAPTURE(std::string(row->name));
    if (!std::string_view(row->summary).ends_with("a toy of the tests.")) CHECK(oracle::has_oracle(row->name));
  }
  for (const std::string_view name : oracle::oracle_names()) {
    CAPTURE(name);
    CHECK((find_instruction(name) != nullptr || find_beside(name) != nullptr));
  }
}

}  // namespace ts::test
