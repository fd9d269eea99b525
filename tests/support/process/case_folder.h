// A case in a folder: z = x + y of 64x64 floats, as kAddRows has it, of no target and with lines of Python.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/npy.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {

inline constexpr std::uint32_t kCaseRows = 64, kCaseCols = 64;
extern const char* const kCasePython;

std::string add_text();
data::Array case_array(const std::vector<float>& values, std::vector<std::uint64_t> shape = {kCaseRows, kCaseCols});
void put_case_array(const std::string& path, const std::vector<float>& values,
                    std::vector<std::uint64_t> shape = {kCaseRows, kCaseCols});

const std::vector<float>& case_x();
const std::vector<float>& case_y();
const std::vector<float>& case_z();
// With one wrong element, [54,3], in the loop's 7th turn: rows 48 to 55.
std::vector<float> wrong_golden();

struct CaseFolder : TempFolder {
  explicit CaseFolder(const std::vector<float>& golden = case_z());
  void manifest(const std::string& text) const;
  void without(const std::string& name) const;
};

}  // namespace ts::test
