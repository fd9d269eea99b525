// The elements that a step made, and asking its data flow for each.
#include "core/debug/picture/result_sources.h"

#include <algorithm>

#include "core/debug/elements/elements.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

std::vector<std::pair<Flat, Flat>> written_runs(const Recording& recording, std::uint32_t step) {
  std::vector<std::pair<Flat, Flat>> runs;
  for (const WritePattern& pattern : recording.writes(step))
    for_runs(pattern, [&](Flat base, std::uint32_t size) { runs.emplace_back(base, base + size); });
  std::ranges::sort(runs);
  std::size_t kept = 0;
  for (const auto& run : runs) {
    if (kept > 0 && run.first <= runs[kept - 1].second)
      runs[kept - 1].second = std::max(runs[kept - 1].second, run.second);
    else runs[kept++] = run;
  }
  runs.resize(kept);
  return runs;
}

}  // namespace

MadeElements::MadeElements(const Program& program, const Bound& bound, int operand)
    : program_(program), bound_(bound), operand_(operand), what_(bound.operands[static_cast<std::size_t>(operand)]) {}

bool MadeElements::is_tile() const { return what_.spec->kind == OperandKind::Tile; }

std::uint32_t MadeElements::rows() const { return is_tile() ? what_.tile.valid_rows : what_.global.rows(); }
std::uint32_t MadeElements::cols() const { return is_tile() ? what_.tile.valid_cols : what_.global.cols(); }

StepElement MadeElements::at(std::uint32_t row, std::uint32_t col) const {
  if (is_tile()) return {operand_, row, col};
  const GlobalRef& view = what_.global;
  return in_shape(
      program_, bound_, operand_, 0,
      static_cast<std::uint32_t>(elements_in(view.dtype, view.address - view.buffer_begin) + view.number_of(row, col)));
}

ResultSources::ResultSources(const Recording& recording, std::uint32_t step, const Flow& flow)
    : program_(recording.program()),
      bound_(recording.bound(step)),
      flow_(flow),
      written_(written_runs(recording, step)) {
  for (std::size_t i = 0; i < bound_.operands.size(); ++i) {
    const OperandSpec& spec = *bound_.operands[i].spec;
    if (spec.role == Role::Out && spec.kind != OperandKind::Scalar)
      results_.emplace_back(program_, bound_, static_cast<int>(i));
  }
}

bool ResultSources::touches(Flat begin, Flat end) const {
  const auto after = std::ranges::upper_bound(written_, begin, {}, &std::pair<Flat, Flat>::second);
  return after != written_.end() && after->first < end;
}

std::vector<Source> ResultSources::of(const StepElement& element) const {
  const ByteRange place = place_of(program_, bound_, element);
  if (place.size == 0) return {};
  const Flat begin = flow_.before().map().flat(place);
  return touches(begin, begin + place.size) ? flow_.sources_of_bytes(place) : std::vector<Source>{};
}

std::uint32_t ResultSources::lattice(std::size_t most) const {
  constexpr std::uint32_t kAsked = 3;
  std::size_t elements = 0, asked = 0, sources = 0;
  for (const MadeElements& made : results_) {
    elements += std::size_t{made.rows()} * made.cols();
    for (std::uint32_t row = 0; row < std::min(made.rows(), kAsked); ++row)
      for (std::uint32_t col = 0; col < std::min(made.cols(), kAsked); ++col, ++asked)
        sources += of(made.at(made.rows() * row / kAsked, made.cols() * col / kAsked)).size();
  }
  if (asked == 0) return 1;
  const std::size_t all = elements * std::max<std::size_t>(1, sources / asked);
  std::uint32_t lattice = 1;
  while (all / (std::size_t{lattice} * lattice) > most) ++lattice;
  return lattice;
}

}  // namespace ts
