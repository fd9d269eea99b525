// An instruction at work, for oracles of whole families: values with what they are made of, read from operands and put
// into results.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/oracle/effects.h"

namespace ts::oracle {

struct Value {
  std::uint64_t bits = 0;
  std::vector<Origin> from;  // constants have none
};
// Bits that were computed from both.
Value computed(std::uint64_t bits, const Value& a, const Value& b);

class Work {
 public:
  Work(const Bound& bound, const Before& before) : bound_(bound), before_(before) {}

  Value element(const char* operand, std::uint32_t row, std::uint32_t col) const;
  // What stands at a place that need not be an element of the operand's valid region, nor of the operand.
  Value at(const Origin& origin) const { return {before_.read(origin.place), {origin}}; }
  Value scalar(const char* operand) const;
  // The spelling of an attribute's value, and its number; empty and 0 where the instruction has no such attribute.
  std::string_view attribute(std::string_view name) const;
  std::uint8_t attribute_number(std::string_view name) const;
  bool on(Target target) const { return bound_.target == target; }

  void put(const char* operand, std::uint32_t row, std::uint32_t col, const Value& value);
  // The same without a row and a column: bytes that are no element of the operand.
  void put_at(const ByteRange& place, const char* operand, std::uint32_t row, std::uint32_t col, const Value& value);
  // No page says what these bytes hold afterwards.
  void leave_open(const ByteRange& place);
  // The scratch tile of A2A3 (or of both targets), where there is one and something was put: what it holds depends on the steps.
  void leave_scratch(bool on_both = false);
  // Columns of `cols` that are done: of 64-bit elements the library does 64 (option quirks.words64).
  std::uint32_t done_columns(DType type, std::uint32_t cols) const;

  Effects take() { return std::move(effects_); }

 private:
  const Bound& bound_;
  const Before& before_;
  Effects effects_;
};

std::uint32_t ceil_div(std::uint32_t value, std::uint32_t by);
std::uint32_t rounded_up(std::uint32_t value, std::uint32_t to);

}  // namespace ts::oracle
