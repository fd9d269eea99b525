// Launches as the compiler of kernels reads them, `kernel<<<blocks, nullptr, stream>>>(x, y)`, which are no C++.
#pragma once

#include <string>
#include <string_view>

namespace ts::cpp {

bool has_launch(std::string_view source);
// With calls in the place of launches, each on the lines that it was on: `::tilescope::Grid(blocks, nullptr, stream) <<
// [&]() { kernel(x, y); }`.
std::string with_launches_called(std::string_view source);

}  // namespace ts::cpp
