// A checked program: its tiles, buffers and instructions, and what an instruction is bound to when it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/isa/row.h"

namespace ts {

struct TileDecl {
  std::string name;
  TileType type;
  std::uint32_t address = 0;
  std::uint32_t valid_rows = 0, valid_cols = 0;
  bool implicit = false;  // scratch that the text does not name
};

// A global buffer. Bytes that `data` does not cover start as never written.
struct BufferDecl {
  std::string name;
  DType dtype = DType::F32;
  std::uint32_t elements = 0;
  std::vector<std::byte> data;
  std::uint32_t address = 0;  // in gm
  std::uint32_t size() const { return elements * size_bytes(dtype); }
};

struct OperandUse {
  const OperandSpec* spec = nullptr;
  std::uint32_t id = 0;  // tile or buffer number
  GlobalRef view;
  Scalar scalar;
};

struct Instruction {
  const InstructionRow* row = nullptr;
  std::uint8_t form = 0;
  SourcePos pos;
  std::vector<OperandUse> operands;
  std::vector<std::uint8_t> attributes;  // by the row's attributes
};

// What instructions change besides the memories: where tiles stand, and how much of them is valid.
struct Environment {
  struct Place {
    std::uint32_t address, valid_rows, valid_cols;
    bool operator==(const Place&) const = default;
  };
  std::vector<Place> tiles;
  std::uint32_t version = 0;  // counts changes
};

class Program {
 public:
  std::string name;
  Target target = Target::A5;
  Options options;
  std::vector<TileDecl> tiles;
  std::vector<BufferDecl> buffers;
  std::vector<Instruction> instructions;
  std::uint32_t gm_bytes = 0;

  Environment initial_environment() const;
  // The instruction with its operands as they stand in this environment.
  Bound bind(std::size_t instruction, const Environment& environment) const;
  // Lets the instruction change the environment (tassign).
  void apply_effect(const Bound& bound, Environment& environment) const;
  std::string text(std::size_t instruction) const;  // one line
  std::string operand_name(const Operand& operand) const;
};

}  // namespace ts
