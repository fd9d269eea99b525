// What raw bytes hold, as people say it: "bf16:16x32".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/npy.h"
#include "core/isa/dtype.h"
#include "core/program/inputs.h"

namespace ts::cases {

struct ArrayType {
  DType dtype = DType::F32;
  std::vector<std::uint64_t> shape = {};  // empty: as many elements as there are bytes for
  bool operator==(const ArrayType&) const = default;
};

// Nothing: it is none.
std::optional<ArrayType> parse_array_type(std::string_view text);
inline constexpr const char* kArrayTypeForm = "TYPE or TYPE:ROWSxCOLUMNS, such as f32 or bf16:16x32";

// What a pointer points to, as people say it: "bf16[16x32]", or as above, with a shape.
std::optional<ArrayType> parse_buffer_type(std::string_view text);
inline constexpr const char* kBufferTypeForm = "TYPE[ROWSxCOLUMNS], such as f32[1024] or bf16[16x32]";
// Says of an input what it points to.
void put_buffer(const std::string& name, const ArrayType& type, InputValues& inputs);

// "16x32"; of no dimension "a single number".
std::string shape_text(const std::vector<std::uint64_t>& shape);
// 2^64 - 1 where it is more.
std::uint64_t count_of(const std::vector<std::uint64_t>& shape);

// Raw bytes as what they are said to be, or a .npy array of which the same is said. `called` is for the message.
std::optional<data::Error> take_type(data::Array& array, const ArrayType& type, const std::string& called);

}  // namespace ts::cases
