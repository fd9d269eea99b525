// The case's program, arrays and manifest.
#include "tests/support/process/case_folder.h"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>

#include "core/data/array_file.h"
#include "tests/support/process/cli.h"

namespace ts::test {
namespace {

std::vector<float> case_numbers(float first, float step) {
  std::vector<float> out;
  for (std::uint32_t i = 0; i < kCaseRows * kCaseCols; ++i) out.push_back(first + step * static_cast<float>(i % 97));
  return out;
}

}  // namespace

const char* const kCasePython = "def add(x, y):\n  for row in range(0, rows, 8):\n    z[row] = x[row] + y[row]\n";

std::string add_text() {
  std::string text(kAddRows);
  const auto put = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  put(" attributes {pto.target_arch = \"a5\"}", "");
  put("outs(%c : !pto.tile_buf<vec, 8x64xf32>)", "outs(%c : !pto.tile_buf<vec, 8x64xf32>) loc(\"add.py\":3:7)");
  return text;
}

data::Array case_array(const std::vector<float>& values, std::vector<std::uint64_t> shape) {
  data::Array array{"f4", std::move(shape), std::vector<std::byte>(4 * values.size())};
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

void put_case_array(const std::string& path, const std::vector<float>& values, std::vector<std::uint64_t> shape) {
  REQUIRE(data::write_array(path, case_array(values, std::move(shape))).text.empty());
}

const std::vector<float>& case_x() {
  static const std::vector<float> x = case_numbers(1, 0.5f);
  return x;
}

const std::vector<float>& case_y() {
  static const std::vector<float> y = case_numbers(-3, 0.25f);
  return y;
}

const std::vector<float>& case_z() {
  static const std::vector<float> z = [] {
    std::vector<float> sum;
    for (std::size_t i = 0; i < case_x().size(); ++i) sum.push_back(case_x()[i] + case_y()[i]);
    return sum;
  }();
  return z;
}

std::vector<float> wrong_golden() {
  std::vector<float> golden = case_z();
  golden[54 * kCaseCols + 3] += 1;
  return golden;
}

CaseFolder::CaseFolder(const std::vector<float>& golden) {
  put_text(*this / "add.py", kCasePython);
  put_text(*this / "add.pto", add_text());
  put_case_array(*this / "x.npy", case_x());
  put_case_array(*this / "y.npy", case_y());
  put_case_array(*this / "golden_z.npy", golden);
  manifest(R"({"inputs": {"x": "x.npy", "y": "y.npy", "rows": 64}, "goldens": {"z": "golden_z.npy"}})");
}

void CaseFolder::manifest(const std::string& text) const { put_text(*this / "case.json", text); }

void CaseFolder::without(const std::string& name) const { std::filesystem::remove(*this / name); }

}  // namespace ts::test
