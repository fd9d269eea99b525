// A kernel of kernels.cce, compiled once for all tests, and run.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/compile/open.h"
#include "core/cpp/cpp_kernel.h"
#include "core/record/recording.h"

namespace ts::test {

struct KernelRun {
  Diagnostics told;  // before the first step
  std::unique_ptr<Recording> recording;

  // The finding of this rule; null: there is none.
  const Diagnostic* finding(const std::string& rule) const;
  // All that was told, in lines.
  std::string words() const;
  // What a buffer holds at the end.
  std::vector<float> floats(const std::string& buffer) const;
  std::vector<std::int32_t> ints(const std::string& buffer) const;
  // The rows of its steps, in their order.
  std::vector<std::string> steps() const;
};

std::vector<std::byte> bytes_of(const std::vector<float>& values);
std::vector<std::byte> bytes_of(const std::vector<std::int32_t>& values);

// A C++ file, built where all tests build.
std::shared_ptr<const text::Tree> compiled(const std::string& path, Target target, Diagnostics& told,
                                           const std::string& entry = "");
std::shared_ptr<const text::Tree> compiled(const std::string& path, cpp::KernelRequest request, Diagnostics& told);
// An entry of a tree, C++ or text, run; "": the first one. `told` is what reading it told.
KernelRun run_entry(const std::shared_ptr<const text::Tree>& tree, const std::string& entry, const OpenRequest& request,
                    Diagnostics told);
KernelRun run_kernel(const std::string& entry, OpenRequest request = {}, Target target = Target::A2A3);

}  // namespace ts::test
