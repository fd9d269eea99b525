// One step of every family that the stage draws, on tiles of any size: for pictures, and for what is checked of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/isa/target.h"

namespace ts::test {

struct SizedFamily {
  const char* name;         // "zip"
  const char* what;         // a sentence for the sheet of pictures
  const char* instruction;  // "tinterleave"
  // "name:type" each; of types {full}, {row} and others are known (Types, in sized_step.cpp). They are loaded, but for "?name:type",
  // which nobody writes. "name=3" is a number, "@name:type" a view of a buffer, "#name:type" has places of elements in it,
  // no two the same, "#32name:type" every 32nd.
  const char *ins, *outs;
  const char* attributes = "";
  const char *type = "f32", *large_type = "i8";  // {t}, and that of the largest tiles, which have to fit in the buffers
  std::uint32_t large_rows = 256, large_cols = 256;
  Target target = Target::A5;
};

std::span<const SizedFamily> sized_families();

struct SizedStep {
  std::string text;
  std::uint32_t step = 0;  // its number: loads come before
  // Of the inputs that are not made up.
  std::map<std::string, std::vector<std::byte>> data = {};
  std::map<std::string, std::string> data_types = {};  // "i32:4x8"
};
SizedStep sized_step(const SizedFamily& family, std::uint32_t rows, std::uint32_t cols, const char* type);

}  // namespace ts::test
