// What a program takes.
#include "core/program/program.h"

namespace ts {

std::size_t Program::held_bytes() const {
  std::size_t bytes = sizeof *this + instructions.capacity() * sizeof(Instruction) + slots.capacity() * sizeof(Value) +
                      views.capacity() * sizeof(ViewValue) + code.capacity() * sizeof(CodeOp) +
                      code_slots.capacity() * sizeof(Slot) + inputs.capacity() * sizeof(ProgramInput);
  for (const Instruction& one : instructions)
    bytes += one.operands.capacity() * sizeof(OperandUse) + one.attributes.capacity();
  for (const TileDecl& tile : tiles) bytes += sizeof tile + tile.name.capacity() + tile.data.capacity();
  for (const BufferDecl& buffer : buffers) bytes += sizeof buffer + buffer.name.capacity() + buffer.data.capacity();
  return bytes;
}

std::uint64_t Program::cores_end() const {
  std::vector<CoreKind> kinds;
  for (const CoreDecl& core : cores) kinds.push_back(core.kind);
  return std::uint64_t{MemoryMap(target, 0, kinds, reg_bytes).end()} * blocks_at_once();
}

MemoryMap Program::memory_map() const {
  std::vector<CoreKind> kinds;
  for (std::uint32_t i = 0; i < cores_at_once(); ++i) kinds.push_back(cores[i % cores.size()].kind);
  return {target, gm_bytes, kinds, reg_bytes};
}

std::string name_of_core(const Program& program, CoreId core) {
  if (!program.together()) return "core";
  const std::size_t in_block = core % program.cores.size(), block = core / program.cores.size();
  std::string text = program.blocks > 1 ? "block " + std::to_string(block) + " " : "";
  text += name(program.cores[in_block].kind);
  if (program.cores[in_block].kind == CoreKind::Vector) text += std::to_string(in_block - 1);
  return text;
}

}  // namespace ts
