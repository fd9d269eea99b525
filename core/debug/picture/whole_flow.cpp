// Asking the data flow of a step for all elements of its results, and joining the answers into bands.
#include "core/debug/picture/whole_flow.h"

#include <algorithm>
#include <map>

#include "core/debug/elements/elements.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

// The bytes that a step wrote, as runs.
class WrittenRuns {
 public:
  WrittenRuns(const Recording& recording, std::uint32_t step) {
    for (const WritePattern& pattern : recording.writes(step))
      for_runs(pattern, [&](Flat base, std::uint32_t size) { runs_.emplace_back(base, base + size); });
    std::ranges::sort(runs_);
    std::size_t kept = 0;
    for (const auto& run : runs_) {
      if (kept > 0 && run.first <= runs_[kept - 1].second)
        runs_[kept - 1].second = std::max(runs_[kept - 1].second, run.second);
      else runs_[kept++] = run;
    }
    runs_.resize(kept);
  }
  bool touches(Flat begin, Flat end) const {
    const auto after = std::ranges::upper_bound(runs_, begin, {}, &std::pair<Flat, Flat>::second);
    return after != runs_.end() && after->first < end;
  }

 private:
  std::vector<std::pair<Flat, Flat>> runs_;
};

// The elements of a result that a step can make: of a tile the valid region, of a view its matrix.
class Made {
 public:
  Made(const Program& program, const Bound& bound, int operand)
      : program_(program), bound_(bound), operand_(operand), what_(bound.operands[static_cast<std::size_t>(operand)]) {}
  std::uint32_t rows() const { return tile() ? what_.tile.valid_rows : what_.global.rows(); }
  std::uint32_t cols() const { return tile() ? what_.tile.valid_cols : what_.global.cols(); }
  StepElement at(std::uint32_t row, std::uint32_t col) const {
    if (tile()) return {operand_, row, col};
    const GlobalRef& view = what_.global;
    return in_shape(program_, bound_, operand_, 0,
                    static_cast<std::uint32_t>(elements_in(view.dtype, view.address - view.buffer_begin) +
                                               view.number_of(row, col)));
  }

 private:
  bool tile() const { return what_.spec->kind == OperandKind::Tile; }

  const Program& program_;
  const Bound& bound_;
  int operand_;
  const Operand& what_;
};

Window around(const Window& window, std::uint32_t row, std::uint32_t col) {
  if (window.rows == 0) return {row, col, 1, 1};
  const std::uint32_t first_row = std::min(window.row, row), first_col = std::min(window.col, col);
  return {first_row, first_col, std::max(window.row + window.rows, row + 1) - first_row,
          std::max(window.col + window.cols, col + 1) - first_col};
}

// What one part of a result was made of.
struct Part {
  Window result;
  std::map<std::pair<int, bool>, Window> sources = {};  // by operand, and whether it decided
};

class WholeFlowMaker {
 public:
  WholeFlowMaker(const Recording& recording, std::uint32_t step, const Flow& flow, const std::function<bool()>& go_on,
                 std::size_t most)
      : program_(recording.program()),
        bound_(recording.bound(step)),
        flow_(flow),
        go_on_(go_on),
        most_(most),
        written_(recording, step) {}

  WholeFlow make() {
    whole_.lattice = lattice();
    for (std::size_t i = 0; i < bound_.operands.size(); ++i) {
      const OperandSpec& spec = *bound_.operands[i].spec;
      if (spec.role == Role::Out && spec.kind != OperandKind::Scalar) add_result(static_cast<int>(i));
    }
    return std::move(whole_);
  }

 private:
  std::vector<Source> sources_of(const StepElement& element) const {
    const ByteRange place = place_of(program_, bound_, element);
    if (place.size == 0) return {};
    const Flat begin = flow_.before().map().flat(place);
    return written_.touches(begin, begin + place.size) ? flow_.sources_of_bytes(place) : std::vector<Source>{};
  }

  // From how many sources a few elements have.
  std::uint32_t lattice() const {
    std::size_t elements = 0, asked = 0, sources = 0;
    for (std::size_t i = 0; i < bound_.operands.size(); ++i) {
      const OperandSpec& spec = *bound_.operands[i].spec;
      if (spec.role != Role::Out || spec.kind == OperandKind::Scalar) continue;
      const Made made(program_, bound_, static_cast<int>(i));
      elements += std::size_t{made.rows()} * made.cols();
      constexpr std::uint32_t kAsked = 3;
      for (std::uint32_t row = 0; row < std::min(made.rows(), kAsked); ++row)
        for (std::uint32_t col = 0; col < std::min(made.cols(), kAsked); ++col, ++asked)
          sources += sources_of(made.at(made.rows() * row / kAsked, made.cols() * col / kAsked)).size();
    }
    if (asked == 0) return 1;
    const std::size_t all = elements * std::max<std::size_t>(1, sources / asked);
    std::uint32_t lattice = 1;
    while (all / (std::size_t{lattice} * lattice) > most_) ++lattice;
    return lattice;
  }

  void add_result(int operand) {
    const auto [rows, cols] = shape_of_operand(program_, bound_.operands[static_cast<std::size_t>(operand)]);
    const Made made(program_, bound_, operand);
    WholeOrigins& origins = whole_.results.emplace_back(WholeOrigins{operand, rows, cols});
    const std::size_t all = std::size_t{rows} * cols;
    origins.from.assign(all, WholeOrigins::kNothing);
    origins.row.assign(all, 0);
    origins.col.assign(all, 0);
    // Rows share bands; where there are too few of them, columns do.
    const bool by_rows = made.rows() >= 4 || made.rows() >= made.cols();
    const std::uint32_t length = by_rows ? made.rows() : made.cols(), count = std::min(length, kMostBands);
    std::vector<Part> parts(count);
    for (std::uint32_t row = 0; row < made.rows(); row += whole_.lattice) {
      if (go_on_ && !go_on_()) break;
      for (std::uint32_t col = 0; col < made.cols(); col += whole_.lattice) {
        const std::size_t at = std::size_t{by_rows ? row : col} * count / length;
        ask(made, row, col, origins, parts[at]);
      }
    }
    add_bands(operand, parts);
  }

  void ask(const Made& made, std::uint32_t row, std::uint32_t col, WholeOrigins& origins, Part& part) {
    std::int8_t from = WholeOrigins::kNothing;
    StepElement first;
    for (const Source& source : sources_of(made.at(row, col))) {
      if (source.kind == Source::Kind::Unspecified) {
        from = WholeOrigins::kNobody;
        break;
      }
      auto element = element_of_source(program_, bound_, source);
      if (source.kind == Source::Kind::Scalar) element = StepElement{source.operand, 0, 0};
      if (element) {
        Window& box = part.sources[{source.operand, source.decided}];
        box = around(box, element->row, element->col);
      }
      if (source.decided) continue;
      const int operand = source.operand;
      if (operand < 0) continue;
      if (from == WholeOrigins::kNothing) {
        from = static_cast<std::int8_t>(operand);
        if (element) first = *element;
      } else if (from != operand) {
        from = WholeOrigins::kSeveral;
      }
    }
    // It stands for those that were not asked.
    for (std::uint32_t r = row; r < std::min(row + whole_.lattice, made.rows()); ++r)
      for (std::uint32_t c = col; c < std::min(col + whole_.lattice, made.cols()); ++c) {
        const StepElement element = made.at(r, c);
        if (element.row >= origins.rows || element.col >= origins.cols) continue;
        const std::size_t at = origins.index(element.row, element.col);
        origins.from[at] = from;
        origins.row[at] = first.row;
        origins.col[at] = first.col;
        if (from != WholeOrigins::kNothing) part.result = around(part.result, element.row, element.col);
      }
  }

  // Neighbours that were made of the same share a band.
  void add_bands(int operand, const std::vector<Part>& parts) {
    std::map<std::pair<int, bool>, std::size_t> last;
    for (const Part& part : parts)
      for (const auto& [source, box] : part.sources) {
        if (part.result.rows == 0) continue;
        const auto before = last.find(source);
        if (before != last.end() && whole_.bands[before->second].source == box) {
          Window& result = whole_.bands[before->second].result;
          result = around(around(result, part.result.row, part.result.col), part.result.row + part.result.rows - 1,
                          part.result.col + part.result.cols - 1);
          continue;
        }
        last[source] = whole_.bands.size();
        whole_.bands.push_back({source.first, operand, box, part.result, source.second});
      }
  }

  const Program& program_;
  const Bound& bound_;
  const Flow& flow_;
  const std::function<bool()>& go_on_;
  std::size_t most_;
  WrittenRuns written_;
  WholeFlow whole_;
};

}  // namespace

WholeFlow whole_flow(const Recording& recording, std::uint32_t step, const Flow& flow,
                     const std::function<bool()>& go_on, std::size_t most) {
  return WholeFlowMaker(recording, step, flow, go_on, most).make();
}

}  // namespace ts
