// What kernels of the size that people have cost: to open their text, to record them, to go to a position.
#pragma once

#include "core/record/recording.h"
#include "tests/bench/product_bench.h"

namespace ts::bench {

// To any position from the beginning, and the flow of any step: the slowest of many.
void add_seeks(std::vector<ProductRow>& rows, const std::string& what, const Recording& recording);
std::vector<ProductRow> kernel_rows();

}  // namespace ts::bench
