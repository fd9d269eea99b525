// Asking the data flow of a step for elements, once each.
#include "core/debug/picture/step_map.h"

#include <algorithm>

#include "core/debug/elements/elements.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

// Of a picture; more is not kept, so that scrolling through a large tile does not grow without end.
constexpr std::size_t kMostKept = 1u << 16;

}  // namespace

StepElement in_shape(const Program& program, const Bound& bound, int operand, std::uint32_t row, std::uint32_t col) {
  const Operand& what = bound.operands[static_cast<std::size_t>(operand)];
  if (what.spec->kind != OperandKind::Global) return {operand, row, col};
  const std::uint32_t cols = std::max(shape_of(program.buffers[what.id]).cols, 1u);
  return {operand, col / cols, col % cols};
}

std::pair<std::uint32_t, std::uint32_t> shape_of_operand(const Program& program, const Operand& operand) {
  if (operand.spec->kind == OperandKind::Tile) return {operand.tile.rows(), operand.tile.cols()};
  if (operand.spec->kind == OperandKind::Scalar) return {0, 0};
  const BufferShape shape = shape_of(program.buffers[operand.id]);
  return {shape.rows, shape.cols};
}

ByteRange place_of(const Program& program, const Bound& bound, const StepElement& element) {
  const Operand& operand = bound.operands[static_cast<std::size_t>(element.operand)];
  if (operand.spec->kind == OperandKind::Scalar) return {};
  if (operand.spec->kind == OperandKind::Tile) return operand.tile.place_of(element.row, element.col);
  return ts::place_of(operand, 0, element.row * shape_of(program.buffers[operand.id]).cols + element.col);
}

std::optional<StepElement> element_of_source(const Program& program, const Bound& bound, const Source& source) {
  if (source.operand < 0 || (source.kind != Source::Kind::Element && source.kind != Source::Kind::MaskBit))
    return std::nullopt;
  const Operand& operand = bound.operands[static_cast<std::size_t>(source.operand)];
  if (source.kind == Source::Kind::Element) return in_shape(program, bound, source.operand, source.row, source.col);
  const OperandElement element = element_of(operand, source.place.address);
  return in_shape(program, bound, source.operand, element.row, element.col);
}

void StepMap::look_at(std::uint32_t step) {
  if (step == step_ && sources_.size() < kMostKept && reached_.size() < kMostKept) return;
  step_ = step;
  sources_.clear();
  reached_.clear();
}

const std::vector<Source>& StepMap::sources(const Recording& recording, const Flow& flow, const StepElement& element) {
  const auto [known, is_new] = sources_.try_emplace(element);
  if (!is_new) return known->second;
  const ByteRange place = place_of(recording.program(), recording.bound(step_), element);
  if (place.size != 0 && flow.wrote(place)) known->second = flow.sources_of_bytes(place);
  return known->second;
}

const std::vector<StepElement>& StepMap::reached_by(const Recording& recording, const Flow& flow,
                                                    const StepElement& element) {
  const auto known = reached_.find(element);
  if (known != reached_.end()) return known->second;
  const Bound& bound = recording.bound(step_);
  std::vector<StepElement>& reached = reached_[element];
  const ByteRange place = place_of(recording.program(), bound, element);
  if (place.size == 0) return reached;
  for (const Flow::Reached& one : flow.reached_by(place))
    if (one.operand >= 0) reached.push_back(in_shape(recording.program(), bound, one.operand, one.row, one.col));
  return reached;
}

}  // namespace ts
