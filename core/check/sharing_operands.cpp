// The bytes of operands.
#include "core/check/sharing_operands.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/debug/picture/step_map.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

// Collects runs of one space; those that touch become one, and what is beyond the space's end is left out.
class RunList {
 public:
  RunList(const MemoryMap& map, const ByteRange& in, std::vector<FlatRange>& out)
      : origin_(map.origin(in.space, in.core)), size_(map.size(in.space, in.core)), first_(out.size()), out_(out) {}

  void add(std::uint64_t address, std::uint64_t size) {
    const std::uint64_t end = std::min<std::uint64_t>(address + size, size_);
    if (address >= end) return;
    const Flat from = origin_ + static_cast<Flat>(address), to = origin_ + static_cast<Flat>(end);
    if (out_.size() > first_ && out_.back().end == from) out_.back().end = to;
    else out_.push_back({from, to});
  }

 private:
  Flat origin_;
  std::uint64_t size_;
  std::size_t first_;
  std::vector<FlatRange>& out_;
};

const Operand* first_tile(const Bound& bound, bool result) {
  const auto found = std::ranges::find_if(bound.operands, [&](const Operand& operand) {
    return operand.spec->kind == OperandKind::Tile && (operand.spec->role == Role::Out) == result;
  });
  return found == bound.operands.end() ? nullptr : &*found;
}

// In boxes, elements stand side by side along the inner order as far as a box is wide.
void add_boxes(const TileRef& tile, RunList& runs) {
  const Box box = box_of(tile.type);
  const bool by_rows = tile.type.slayout == InnerOrder::RowMajor;
  const std::uint32_t lines = by_rows ? tile.valid_rows : tile.valid_cols,
                      along = by_rows ? tile.valid_cols : tile.valid_rows, step = by_rows ? box.cols : box.rows;
  for (std::uint32_t at = 0; at < along; at += step)
    for (std::uint32_t line = 0; line < lines; ++line)
      runs.add(by_rows ? tile.at(line, at) : tile.at(at, line), bytes_for(tile.type.dtype, std::min(step, along - at)));
}

void add_tile(const TileRef& tile, RunList& runs) {
  if (tile.valid_rows == 0 || tile.valid_cols == 0) return;
  if (tile.type.boxed()) return add_boxes(tile, runs);
  const bool rows = tile.type.row_major();
  const std::uint32_t lines = rows ? tile.valid_rows : tile.valid_cols;
  const std::uint64_t size = bytes_for(tile.type.dtype, rows ? tile.valid_cols : tile.valid_rows),
                      pitch = tile.pitch_bytes();
  if (size == pitch) return runs.add(tile.address, lines * size);
  for (std::uint32_t line = 0; line < lines; ++line) runs.add(tile.address + line * pitch, size);
}

void add_mask(const TileRef& mask, const TileRef& result, RunList& runs) {
  const std::uint32_t rows = std::min(mask.valid_rows, result.valid_rows),
                      bytes = std::min(mask.valid_cols * mask.elem_bytes(), (result.valid_cols + 7) / 8);
  for (std::uint32_t row = 0; row < rows; ++row) runs.add(mask.mask_byte_at(row, 0), bytes);
}

void add_view(const GlobalRef& view, Extent extent, RunList& runs) {
  const bool columns = view.layout == GlobalLayout::DN;
  const std::uint32_t lines = columns ? extent.cols : extent.rows, along = columns ? extent.rows : extent.cols;
  std::uint32_t step = view.stride[columns ? 3 : 4] == 1 ? along : 1;
  if (view.layout == GlobalLayout::NZ) step = std::min(step, std::max(view.shape[4], 1u));
  // Channels of a map stand apart, or in groups.
  if (is_map(view.layout) && view.layout != GlobalLayout::NHWC) step = std::min(step, std::max(view.group(), 1u));
  if (step == 0) return;
  // Boxes stand below each other, so that their lines are gone through first.
  for (std::uint32_t at = 0; at < along; at += step)
    for (std::uint32_t line = 0; line < lines; ++line)
      runs.add(columns ? view.at(at, line) : view.at(line, at), bytes_for(view.dtype, std::min(step, along - at)));
}

// The first one that a byte is part of.
bool has_element(const Operand& operand, std::uint32_t address) {
  if (operand.spec->kind != OperandKind::Tile) return true;
  const OperandElement element = element_of(operand, address);
  return element.row < operand.tile.rows() && element.col < operand.tile.cols();
}

}  // namespace

bool is_adding(const Bound& bound) {
  for (std::size_t i = 0; i < bound.attributes.size(); ++i)
    if (std::string_view(bound.row->attributes[i].name) == "atomicType") return bound.attributes[i] != 0;
  return false;
}

bool is_read(const Operand& operand) {
  const Role role = operand.spec->role;
  return operand.spec->kind != OperandKind::Scalar &&
         (role == Role::In || role == Role::Mask || role == Role::Offsets || operand.spec->reads);
}

void add_meant_reads(const MemoryMap& map, const Bound& bound, const Operand& operand, std::vector<FlatRange>& out) {
  if (operand.spec->kind == OperandKind::Scalar) return;
  RunList runs(map, bytes_of(operand), out);
  const Operand* result = first_tile(bound, true);
  if (operand.spec->kind == OperandKind::Global) {
    if (bound.row->reads_of != nullptr) add_view(operand.global, bound.row->reads_of(bound, operand), runs);
    return;
  }
  if (operand.spec->role == Role::Mask && result != nullptr) return add_mask(operand.tile, result->tile, runs);
  add_tile(operand.tile, runs);
}

int written_operand(const MemoryMap& map, const Bound& bound, Flat at) {
  const ByteRange byte = map.locate(at);
  int best = -1, best_worth = 0;
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& operand = bound.operands[i];
    const Role role = operand.spec->role;
    if (role != Role::Out && role != Role::Tmp) continue;
    const ByteRange all = bytes_of(operand);
    if (!all.in_same_memory(byte) || byte.address < all.address || byte.address - all.address >= all.size) continue;
    // Between the lines of a part of a tile stand the elements of others.
    const int worth = (role == Role::Out ? 2 : 0) + (has_element(operand, byte.address) ? 2 : 1);
    if (worth > best_worth) best = static_cast<int>(i), best_worth = worth;
  }
  return best;
}

FoundElement found_at(const MemoryMap& map, const Bound& bound, int operand, Flat at) {
  const ByteRange byte = map.locate(at);
  if (operand < 0) return {.place = byte};
  const OperandElement element = element_of(bound.operands[static_cast<std::size_t>(operand)], byte.address);
  return {operand, element.row, element.col, element.place};
}

std::string element_name(const Program& program, const Bound& bound, const FoundElement& element) {
  if (element.operand < 0) return fmt::format("{} 0x{:x}", name(element.place.space), element.place.address);
  const Operand& operand = bound.operands[static_cast<std::size_t>(element.operand)];
  std::uint32_t row = element.row, col = element.col;
  if (operand.spec->kind == OperandKind::Global) {
    const std::uint32_t cols = std::max(shape_of_operand(program, operand).second, 1u);
    row = col / cols;
    col %= cols;
  }
  return fmt::format("{}[{},{}]", program.operand_name(operand), row, col);
}

}  // namespace ts
