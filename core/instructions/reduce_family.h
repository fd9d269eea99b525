// What reductions share: what comes before all elements, and their rules.
#pragma once

#include <limits>
#include <string>

#include "core/instructions/row_result.h"
#include "core/instructions/vector_family.h"

namespace ts::vec {

// Where a search for the largest or the smallest element begins: what every element is at least as good as.
inline LaneScalar worst_of(ReduceOp what, DType type) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (is_float(type)) return {from_double(type, what == ReduceOp::Max ? -kInf : kInf), type, 0};
  const std::uint32_t bits = 8 * size_bytes(type);
  const std::uint64_t ones = ~0ull >> (64 - bits), highest = is_signed_int(type) ? ones >> 1 : ones;
  return {what == ReduceOp::Max ? ones ^ highest : highest, type, 0};
}

// Results of rows: row-major, or one column; as many valid rows as src, which is not empty.
inline void row_result_rules(RuleCheck& check, std::initializer_list<const char*> results) {
  const TileRef& src = check.tile("src");
  row_major(check, {"src"});
  for (const char* result : results) {
    const TileRef& its = check.tile(result);
    const TileType& type = its.type;
    if (!type.row_major() && !(type.col_major() && type.cols == 1))
      check.error(check.own("R3"), result,
                  std::string(result) + " is " + type.layout_name() + ", needs row_major, or col_major with one column",
                  "change the layout of its type");
    if (its.valid_rows != src.valid_rows)
      check.error(check.own("R4"), result,
                  std::string(result) + " has " + std::to_string(its.valid_rows) + " valid rows, src " +
                      std::to_string(src.valid_rows),
                  "give it a valid row for each row of src");
    check.warn_overlap(result, "src", false);
    check.warn_overlap("tmp", result, false);
  }
  check.warn_overlap("tmp", "src", false);
  not_empty(check, "src");
}
// Results of columns: row-major, as many valid columns as src.
inline void column_result_rules(RuleCheck& check, std::initializer_list<const char*> results) {
  const TileRef& src = check.tile("src");
  row_major(check, {"src"});
  row_major(check, results);
  for (const char* result : results) {
    const TileRef& its = check.tile(result);
    if (its.valid_cols != src.valid_cols)
      check.error(check.own("R4"), result,
                  std::string(result) + " has " + std::to_string(its.valid_cols) + " valid columns, src " +
                      std::to_string(src.valid_cols),
                  "give it a valid column for each column of src");
    check.warn_overlap(result, "src", false);
    check.warn_overlap("tmp", result, false);
  }
  check.warn_overlap("tmp", "src", false);
}

// R8: indices have 32 bits; where `narrow_too`, 16 as well, or only 16.
inline void index_type(RuleCheck& check, const char* index, bool narrow_too, bool wide_too) {
  DTypeSet legal;
  if (wide_too) legal = DTypeSet{DType::I32, DType::U32};
  if (narrow_too) legal = legal | DTypeSet{DType::I16, DType::U16};
  const DType type = check.tile(index).type.dtype;
  if (!legal.contains(type))
    check.error(check.own("R8"), index, std::string(index) + " is " + name(type) + ", indices are " + legal.list(),
                wide_too ? "use i32" : "use i16");
}

// A search's row, but for its rules and scratch.
inline InstructionRow search_row(const char* name, const char* summary, const char* cpp, const char* cpp_with_value,
                                 DTypeSet (*types)(Target, const Options&), Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"index", {in("src"), optional_tmp("tmp"), out("dst")}, cpp},
                    {"with_value", {in("src"), optional_tmp("tmp"), out("value"), out("dst")}, cpp_with_value}},
          .typed_by = "src",
          .types = types,
          .draw = Drawing::Reduce,
          .machines = machines};
}

}  // namespace ts::vec
