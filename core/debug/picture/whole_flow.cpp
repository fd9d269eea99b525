// Asking the data flow of a step for all elements of its results, and joining the answers into bands.
#include "core/debug/picture/whole_flow.h"

#include <algorithm>
#include <map>

#include "core/debug/picture/result_sources.h"

namespace ts {
namespace {

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
        sources_(recording, step, flow),
        go_on_(go_on),
        most_(most) {}

  WholeFlow make() {
    whole_.lattice = sources_.lattice(most_);
    for (const MadeElements& made : sources_.results()) add_result(made);
    return std::move(whole_);
  }

 private:
  void add_result(const MadeElements& made) {
    const auto [rows, cols] = shape_of_operand(program_, bound_.operands[static_cast<std::size_t>(made.operand())]);
    WholeOrigins& origins = whole_.results.emplace_back(WholeOrigins{made.operand(), rows, cols});
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
    add_bands(made.operand(), parts);
  }

  void ask(const MadeElements& made, std::uint32_t row, std::uint32_t col, WholeOrigins& origins, Part& part) {
    std::int8_t from = WholeOrigins::kNothing;
    StepElement first;
    for (const Source& source : sources_.of(made.at(row, col))) {
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
  ResultSources sources_;
  const std::function<bool()>& go_on_;
  std::size_t most_;
  WholeFlow whole_;
};

}  // namespace

WholeFlow whole_flow(const Recording& recording, std::uint32_t step, const Flow& flow,
                     const std::function<bool()>& go_on, std::size_t most) {
  return WholeFlowMaker(recording, step, flow, go_on, most).make();
}

}  // namespace ts
