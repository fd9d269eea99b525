// The first NaN or infinity of a step that nothing it was made of held.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "core/debug/session.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

struct Wanted {
  bool nan, inf;
  bool operator()(DType type, std::uint64_t bits) const {
    if (!is_float(type)) return false;
    const double value = to_double(type, bits);
    return (nan && std::isnan(value)) || (inf && std::isinf(value));
  }
};

bool is_float_result(const Operand& operand) {
  return operand.spec->role == Role::Out && operand.spec->kind != OperandKind::Scalar &&
         is_float(element_type(operand));
}

Cell cell_at(const Operand& operand, int number, std::uint32_t address) {
  const auto [row, col, place] = element_of(operand, address);
  return {number, row, col, place};
}

bool is_valid(const Operand& operand, const Cell& cell) {
  return operand.spec->kind != OperandKind::Tile ||
         (cell.row < operand.tile.valid_rows && cell.col < operand.tile.valid_cols);
}

std::uint64_t element_bits(std::span<const std::byte> bytes, std::uint32_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), size);
  return bits;
}

// Elements of a result that the step wrote and that are wanted, by address.
std::vector<Cell> wanted_cells(const Recording& recording, Inspector& inspector, std::uint32_t step, int number,
                               const Wanted& wanted) {
  const Operand& operand = recording.bound(step).operands[static_cast<std::size_t>(number)];
  const DType type = element_type(operand);
  const std::uint32_t size = size_bytes(type);
  const ByteRange all = bytes_of(operand);
  const Flat first = recording.map().flat(all.space, all.address), last = first + all.size;
  std::vector<Cell> cells;
  std::vector<std::byte> bytes;
  for (const WritePattern& pattern : recording.writes(step)) {
    for_runs(pattern, [&](Flat base, std::uint32_t count) {
      const Flat begin = first + (std::max(base, first) - first) / size * size, end = std::min(base + count, last);
      if (begin >= end) return;
      bytes.resize((end - begin + size - 1) / size * size);
      inspector.peek_unedited(step + 1, recording.map().locate(begin, static_cast<std::uint32_t>(bytes.size())), bytes);
      for (std::size_t at = 0; at < bytes.size(); at += size)
        if (wanted(type, element_bits({bytes.data() + at, size}, size)))
          cells.push_back(cell_at(operand, number, all.address + static_cast<std::uint32_t>(begin - first + at)));
    });
  }
  std::erase_if(cells, [&](const Cell& cell) { return !is_valid(operand, cell); });
  std::ranges::sort(cells, {}, [](const Cell& cell) { return cell.place.address; });
  return cells;
}

}  // namespace

// Whether a source holds what is looked for, and the value was not brought in from outside by this very step.
bool Session::hands_on(std::uint32_t step, const Source& source, bool nan, bool inf) {
  if (source.operand < 0 || source.decided || source.kind != Source::Kind::Element) return false;
  const Operand& operand = recording_->bound(step).operands[static_cast<std::size_t>(source.operand)];
  if (!Wanted{nan, inf}(element_type(operand), source.bits)) return false;
  if (operand.spec->kind != OperandKind::Global) return true;
  const std::vector<Made> made = flow().makers(source.place, step);
  return std::ranges::any_of(made, [](const Made& part) { return part.maker == Maker::Step; });
}

// Whether any result of the step holds what is wanted, wherever it came from.
bool Session::writes_wanted(std::uint32_t step, bool nan, bool inf) {
  const Bound& bound = recording_->bound(step);
  for (std::size_t i = 0; i < bound.operands.size(); ++i)
    if (is_float_result(bound.operands[i]) &&
        !wanted_cells(*recording_, inspector_, step, static_cast<int>(i), {nan, inf}).empty())
      return true;
  return false;
}

std::optional<Cell> Session::produced(std::uint32_t step, bool nan, bool inf) {
  const Bound& bound = recording_->bound(step);
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    if (!is_float_result(bound.operands[i])) continue;
    const auto cells = wanted_cells(*recording_, inspector_, step, static_cast<int>(i), {nan, inf});
    if (cells.empty()) continue;
    asked_ += kLookingInto;
    const Flow made = inspector_.flow(step);
    for (const Cell& cell : cells) {
      const auto handed_on = [&](const Source& source) { return hands_on(step, source, nan, inf); };
      if (std::ranges::none_of(made.sources_of_bytes(cell.place), handed_on)) return cell;
    }
  }
  return {};
}

}  // namespace ts
