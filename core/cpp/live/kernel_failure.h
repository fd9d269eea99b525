// How a kernel ended by itself, for people.
#pragma once

#include <string>
#include <vector>

#include "core/cpp/live/child.h"
#include "core/program/program.h"

namespace ts::cpp {

struct FailureText {
  std::string rule, text, hint;
};
// `printed` by it; `program_file` is the compiled kernel, which lines are found in; `calls_at` what called last,
// "kernel.cpp:41".
FailureText describe_failure(const ts_border::Failure& failure, const Program& program,
                             const std::vector<ts_border::Buffer>& layout, std::string printed,
                             const std::string& program_file, const std::string& calls_at);

}  // namespace ts::cpp
