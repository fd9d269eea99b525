// Arrays of files and scripts, and the buffers and tiles of a program that they are meant for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/data/npy.h"
#include "core/program/program.h"

namespace ts {

// What a program has under a name.
struct NamedArray {
  DType dtype = DType::F32;
  std::vector<std::uint64_t> shape;  // empty: only the number of elements is known
  const BufferDecl* buffer = nullptr;
  std::vector<std::uint32_t> tiles;  // of that name, in the text's order
};
std::optional<NamedArray> find_array(const Program& program, const std::string& name);

// The element type as NumPy names it.
std::string npy_type(DType type);

// An array given for an input; its bytes have gone to the program.
struct ArrayFile {
  std::string path, type;  // NumPy's type; empty: raw bytes
  std::vector<std::uint64_t> shape;
};
// The same of the bytes that memory has: packed elements are no type of NumPy's, which has them one a byte.
std::string memory_type(DType type);
// Makes what memory has of packed elements that a file holds one a byte ("V1" or "i1"), or as bytes ("u1"); its shape counts
// elements. Other arrays stay as they are.
void pack_array(DType type, data::Array& array);
// And back: one a byte, as npy_type says.
void unpack_array(DType type, data::Array& array);
// Whether type and shape of a .npy file are what the program reads; else the message. Raw bytes are taken as they are.
std::optional<data::Error> misfit(const Program& program, const std::string& name, const ArrayFile& file);

}  // namespace ts
