// Values that quantising cuts off at the ends of their type, as the trace of the step has them before that; and sums that the
// fixpipe does, as the stations of its step have them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check/walk.h"
#include "core/debug/origins/unrounded.h"
#include "core/isa/dtype.h"
#include "core/record/operand_place.h"
#include "core/text/count.h"

namespace ts {
namespace {

// Elements of a result that the range of its type cuts off.
struct Clipped {
  std::uint64_t count = 0;
  DiagnosticElement first = {};
  double unclipped = 0;  // what that would be
};

// Whether an integer is an end of its type: nothing else stands for what is beyond.
bool is_end(DType type, std::uint64_t bits) {
  const std::uint64_t all = (std::uint64_t{1} << (8 * size_bytes(type) - 1)) * 2 - 1,
                      most = is_signed_int(type) ? all >> 1 : all;
  return bits == most || bits == ((most + 1) & all);
}

// Of NaN nothing is cut off: it becomes 0.
Clipped clipped_by(CheckedStep& step, const TileRef& dst) {
  const DType type = dst.type.dtype;
  std::vector<DiagnosticElement> ends;
  const Memory& after = step.after();
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col)
      if (is_end(type, after.element(dst.place_of(row, col)))) ends.push_back({row, col});
  Clipped found;
  if (ends.empty()) return found;
  const Trace trace = step.inspector().trace(step.number());
  UnroundedElements unrounded(trace);
  for (const DiagnosticElement& end : ends) {
    const ByteRange place = dst.range().with(dst.at(end.row, end.col), dst.elem_bytes());
    const auto before = unrounded.of(place);
    if (!before || before->first.number() == to_double(type, step.after().element(place))) continue;
    if (found.count++ == 0) found.first = end, found.unclipped = before->value.number();
  }
  return found;
}

// --- results as the instruction counts them

// Of a view as much as src fills.
Extent result_size(const Bound& bound) {
  const Operand& dst = *bound.find("dst");
  const TileRef& valid = dst.spec->kind == OperandKind::Global ? bound.tile("src") : dst.tile;
  return {valid.valid_rows, valid.valid_cols};
}
ByteRange result_place(const Operand& dst, std::uint32_t row, std::uint32_t col) {
  if (dst.spec->kind == OperandKind::Tile) return dst.tile.place_of(row, col);
  return {Space::Gm, static_cast<std::uint32_t>(dst.global.at(row, col)), size_bytes(dst.global.dtype)};
}

// --- sums on their way through the fixpipe

// The largest number of a float, and the least that does not round to it.
struct FloatEnd {
  DType type;
  double largest, beyond;
};
constexpr FloatEnd kFloatEnds[] = {
    {DType::F16, 65504, 65520}, {DType::BF16, 0x1.FEp127, 0x1.FFp127}, {DType::F8E4M3, 448, 464}};

// What a result would be without its type's limits: of bytes and their like the scaled sum and its offset, rounded.
double unclipped(const std::vector<Station>& stations) {
  double value = to_double(stations.front().dtype, stations.front().bits);
  for (const Station& station : stations) {
    const std::string_view name = station.name;
    const double number = to_double(station.dtype, station.bits);
    if (name == "times the scale" || name == "shifted") value = number;
    if (name == "offset") value = std::nearbyint(value) + number;
    if (name == "relu") value = std::max(value, 0.0);
  }
  return value;
}
bool is_cut_off(DType type, double result, double was) {
  if (!is_float(type)) return result < 0 ? was < result : was > result;
  const auto* end = std::ranges::find(kFloatEnds, type, &FloatEnd::type);
  return end != std::end(kFloatEnds) && std::abs(result) == end->largest && std::isfinite(was) &&
         std::abs(was) >= end->beyond;
}
bool may_be_cut_off(DType type, std::uint64_t bits) {
  if (!is_float(type)) return size_bytes(type) < 4 && is_end(type, bits);
  const auto* end = std::ranges::find(kFloatEnds, type, &FloatEnd::type);
  return end != std::end(kFloatEnds) && std::abs(to_double(type, bits)) == end->largest;
}

Clipped clipped_on_the_way(CheckedStep& step) {
  const Bound& bound = step.bound();
  const Operand& dst = *bound.find("dst");
  const DType type = element_type(dst);
  const Extent size = result_size(bound);
  std::vector<std::pair<DiagnosticElement, std::uint64_t>> ends;
  const Memory& after = step.after();
  for (std::uint32_t row = 0; row < size.rows; ++row)
    for (std::uint32_t col = 0; col < size.cols; ++col) {
      const std::uint64_t bits = after.element(result_place(dst, row, col));
      if (may_be_cut_off(type, bits)) ends.push_back({{row, col}, bits});
    }
  Clipped found;
  if (ends.empty()) return found;
  const Memory& before = step.before();
  for (const auto& [element, bits] : ends) {
    const std::vector<Station> stations = bound.row->stations(bound, before, element.row, element.col);
    if (stations.empty()) continue;
    const double was = unclipped(stations);
    if (!is_cut_off(type, to_double(type, bits), was)) continue;
    if (found.count++ == 0) found.first = element, found.unclipped = was;
  }
  return found;
}

class ClipExaminer : public Examiner {
 public:
  ClipExaminer(const Recording& recording, std::uint64_t most) : recording_(recording), most_(most) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    const Bound& bound = step.bound();
    const bool on_the_way = bound.row->stations != nullptr;
    if ((!bound.row->clips && !on_the_way) || !sink.takes(FindingKind::Clip, step.number())) return;
    const Operand& dst = *bound.find("dst");
    const Clipped clipped = on_the_way ? clipped_on_the_way(step) : clipped_by(step, dst.tile);
    if (clipped.count == 0 || clipped.count <= most_) return;
    const auto [row, col] = clipped.first;
    const Extent size = result_size(bound);
    const std::uint64_t bits = step.after().element(result_place(dst, row, col));
    const auto number = static_cast<int>(&dst - bound.operands.data());
    sink.add(
        FindingKind::Clip, step.number(),
        fmt::format("{} of {} values were clipped; the first is {}[{},{}] = {}, and {} unclipped",
                    text::grouped(clipped.count), text::grouped(std::uint64_t{size.rows} * size.cols),
                    recording_.program().operand_name(dst), row, col, format_value(element_type(dst), bits),
                    clipped.unclipped),
        on_the_way
            ? "a smaller factor clips nothing; clip.elements=N lets N be clipped"
            : "a scale by the largest magnitude of what it is for clips nothing; clip.elements=N lets N be clipped",
        FoundElement{number, row, col, result_place(dst, row, col)});
  }

 private:
  const Recording& recording_;
  std::uint64_t most_;
};

}  // namespace

std::unique_ptr<Examiner> examine_clip(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Clip) == Level::Off) return nullptr;
  return std::make_unique<ClipExaminer>(recording, options.most_clipped);
}

}  // namespace ts
