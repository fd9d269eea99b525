// The part of the C++ header that follows from the catalogue: enumerations, and a function for each instruction.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ts::cpp {

// The call of a form, taken apart: "TCVT(dst, src, tmp, rmode, sat_mode)".
struct CppCall {
  std::string_view name;
  std::vector<std::string_view> arguments;
};
CppCall read_call(std::string_view call);

std::string options_header();       // tilescope/options.h
std::string instructions_header();  // tilescope/instructions.h

}  // namespace ts::cpp
