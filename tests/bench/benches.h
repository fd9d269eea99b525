// The parts of the benchmark: each adds its rows to the table.
#pragma once

#include <string>
#include <string_view>

#include "core/record/recording.h"
#include "tests/bench/table.h"

namespace ts::bench {

// Of the hot instructions those whose name holds the text.
void bench_hot(Table& table, std::string_view only);
// Each family's slowest instruction, and the mean of all; or every instruction whose name begins so.
void bench_families(Table& table);
void bench_every(Table& table, std::string_view begin);
void bench_seeks(Table& table);
void bench_comparison(Table& table);
void bench_debug(Table& table);
void bench_checks(Table& table);
void bench_scripts(Table& table);
void bench_products(Table& table);
void bench_micro(Table& table);
void bench_cpp(Table& table);
void bench_kernels(Table& table);
void bench_files(Table& table);
void bench_frames(Table& table);

// To any position from the beginning, and the flow of any step: the slowest of many.
void add_seeks(Table& table, const std::string& what, const Recording& recording);

}  // namespace ts::bench
