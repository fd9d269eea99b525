// Programs from C++: tiles, buffers and instructions by name, placed and checked when they are built.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/program/program.h"

namespace ts {

struct TileId {
  std::uint32_t index;
};
struct BufferId {
  std::uint32_t index;
};

// A matrix in a buffer.
struct View {
  BufferId buffer;
  std::uint32_t rows, cols;
  std::uint32_t pitch = 0;   // elements from row to row (nd) or column to column (dn); 0: dense
  std::uint32_t offset = 0;  // elements before the first one
  GlobalLayout layout = GlobalLayout::ND;
};

// Any view: five dimensions, strides in elements.
struct View5 {
  BufferId buffer;
  std::array<std::uint32_t, 5> shape, stride;
  std::uint32_t offset = 0;
  GlobalLayout layout = GlobalLayout::ND;
};

using BuildOperand = std::variant<TileId, View, View5, Scalar>;

struct BuildAttribute {
  std::string name, value;
};

struct TileOptions {
  std::optional<std::uint32_t> address = {};                      // given: manual placement; else the next free place
  std::optional<std::uint32_t> valid_rows = {}, valid_cols = {};  // for dynamic dimensions; else the whole tile
};

class ProgramBuilder {
 public:
  ProgramBuilder(Target target, std::string name);

  Options& options() { return program_.options; }
  BufferId buffer(std::string name, DType dtype, std::uint32_t elements, std::vector<std::byte> data = {});
  // A buffer whose elements are these numbers, rounded to the type.
  BufferId buffer(std::string name, DType dtype, const std::vector<double>& values);
  TileId tile(std::string name, const TileType& type, const TileOptions& options = {});
  // One instruction: inputs and results in text order. Lines count from 1, one each.
  void add(std::string_view instruction, std::vector<BuildOperand> inputs, std::vector<BuildOperand> outputs,
           std::vector<BuildAttribute> attributes = {});

  // Places what has no address and checks every rule that needs no execution. The program is whole only when no error
  // is among the diagnostics.
  Program build(Diagnostics& diagnostics);

 private:
  struct Draft {
    std::string name;
    std::vector<BuildOperand> inputs, outputs;
    std::vector<BuildAttribute> attributes;
  };
  bool resolve(const Draft& draft, std::uint32_t line, Diagnostics& diagnostics);
  bool set_attributes(const Draft& draft, Instruction& instruction, Diagnostics& diagnostics) const;
  View5 five_dimensions(const View& view) const;
  OperandUse use_of(const BuildOperand& operand, const OperandSpec& spec);
  Slot new_slot(Value value);
  void place_by(const Instruction& assign);
  void add_scratch(Instruction& instruction);

  Program program_;
  std::vector<Draft> drafts_;
  std::vector<char> placed_;  // by tile: has an address
};

}  // namespace ts
