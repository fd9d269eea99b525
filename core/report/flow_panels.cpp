// Choosing parts of operands, and reading what is in them.
#include "core/report/flow_panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/record/operand_place.h"
#include "core/report/page_style.h"

namespace ts {
namespace {

constexpr int kWide = 850;  // for the cells of a row
constexpr std::uint32_t kMostCols = 16, kMostRows = 10, kFewRows = 8, kScratchRows = 3;

class PanelMaker {
 public:
  PanelMaker(Session& session, const ReportSubject& subject)
      : session_(session),
        subject_(subject),
        program_(session.recording().program()),
        bound_(session.recording().bound(subject.step)) {}

  FlowPanels make() {
    ask_flow();
    make_panels();
    read_cells();
    return std::move(out_);
  }

 private:
  void ask_flow() {
    if (!subject_.explained) return;
    const Flow flow = session_.flow_of(subject_.step);
    const ByteRange place = place_of(program_, bound_, *subject_.explained);
    out_.wrote = flow.wrote(place);
    if (out_.wrote) out_.sources = flow.sources_of_bytes(place);
  }

  // --- which operands, and which part of each ---
  void make_panels() {
    std::size_t values = 0;
    for (std::size_t i = 0; i < bound_.operands.size(); ++i) {
      const Operand& operand = bound_.operands[i];
      Panel panel{
          .operand = static_cast<int>(i), .what = &operand, .result = operand.spec->role == Role::Out, .role = {}};
      name_role(panel, values);
      if (operand.spec->kind != OperandKind::Scalar) show_part(panel);
      out_.panels.push_back(std::move(panel));
    }
    std::ranges::stable_sort(out_.panels, {}, [](const Panel& panel) { return panel.result ? 1 : 0; });
  }
  static void name_role(Panel& panel, std::size_t& values) {
    const std::size_t before = values;
    panel.role = role_style(panel.what->spec->role, values);
    if (values != before) panel.letter = static_cast<char>('a' + std::min<std::size_t>(before, 25));
  }
  void show_part(Panel& panel) const {
    std::tie(panel.rows, panel.cols) = shape_of_operand(program_, *panel.what);
    std::vector<StepElement> mine;
    for (const Source& source : out_.sources)
      if (const auto element = element_of_source(program_, bound_, source);
          element && element->operand == panel.operand)
        mine.push_back(*element);
    StepElement focus = subject_.explained.value_or(StepElement{});
    if (panel.operand != focus.operand && !mine.empty() && !panel.result) focus = mine.front();
    if (subject_.pointed && subject_.pointed->operand == panel.operand) focus = *subject_.pointed;
    const auto width = static_cast<std::uint32_t>(kWide / cell_width(*panel.what));
    const bool scratch = panel.what->spec->role == Role::Tmp;
    const std::uint32_t rows = scratch ? kScratchRows : panel.rows <= kMostRows ? kMostRows : kFewRows;
    panel.shown_rows = part_with(panel.rows, rows, focus.row);
    panel.shown_cols = part_with(panel.cols, std::min(width, kMostCols), focus.col);
    for (const StepElement& element : mine)
      if (!panel.result && !inside(panel, element)) ++panel.hidden;
  }
  // From the beginning on where that is enough, so that panels stand in line.
  static Shown part_with(std::uint32_t total, std::uint32_t room, std::uint32_t focus) {
    return focus < room ? shown_part(total, room, 0) : shown_around(total, room, std::min(focus, total - 1));
  }
  static bool inside(const Panel& panel, const StepElement& element) {
    return panel.shown_rows.holds(element.row) && panel.shown_cols.holds(element.col);
  }

  // --- what stands there ---
  void read_cells() {
    for (Panel& panel : out_.panels) make_cells(panel);
    ask_origins();
    for (const bool result : {false, true}) {
      const Memory& memory = session_.memory_at(subject_.step + (result ? 1 : 0));
      for (Panel& panel : out_.panels) {
        if ((panel.result || panel.what->spec->role == Role::Tmp) != result) continue;
        for (GridCell& cell : panel.cells) {
          cell.bits = memory.element(cell.place);
          cell.worth = memory.worst_definedness(memory.map().flat(cell.place), cell.place.size);
        }
      }
      if (!result) read_strips(memory);
    }
  }
  void make_cells(Panel& panel) const {
    const bool is_tile = panel.what->spec->kind == OperandKind::Tile;
    const std::vector<std::uint32_t> viewed = viewed_addresses(*panel.what);
    for (std::uint32_t row = panel.shown_rows.first; row < panel.shown_rows.end(); ++row) {
      for (std::uint32_t col = panel.shown_cols.first; col < panel.shown_cols.end(); ++col) {
        GridCell cell{.element = {panel.operand, row, col}, .place = {}};
        cell.place = place_of(program_, bound_, cell.element);
        if (is_tile) cell.valid = row < panel.what->tile.valid_rows && col < panel.what->tile.valid_cols;
        if (!viewed.empty()) cell.in_view = std::ranges::binary_search(viewed, cell.place.address);
        cell.explained = subject_.explained == cell.element;
        cell.found = is_found(cell.element);
        panel.cells.push_back(cell);
      }
    }
  }
  bool is_found(const StepElement& element) const {
    for (const Finding& finding : session_.findings_of(subject_.step)) {
      if (!finding.element || finding.element->operand != element.operand) continue;
      const ByteRange place = place_of(program_, bound_, element);
      if (finding.element->place.size != 0 ? finding.element->place.address == place.address
                                           : finding.element->row == element.row && finding.element->col == element.col)
        return true;
    }
    return false;
  }
  // Of a view that is not too large: which elements of its buffer it takes.
  static std::vector<std::uint32_t> viewed_addresses(const Operand& operand) {
    constexpr std::uint64_t kMost = 1 << 20;
    std::vector<std::uint32_t> out;
    if (operand.spec->kind != OperandKind::Global) return out;
    const GlobalRef& view = operand.global;
    if (std::uint64_t{view.rows()} * view.cols() > kMost) return out;
    for (std::uint32_t row = 0; row < view.rows(); ++row)
      for (std::uint32_t col = 0; col < view.cols(); ++col)
        out.push_back(static_cast<std::uint32_t>(view.at(row, col)));
    std::ranges::sort(out);
    return out;
  }
  // What was written, and which operand's value every element of the results is.
  void ask_origins() {
    const Flow flow = session_.flow_of(subject_.step);
    for (Panel& panel : out_.panels) {
      for (GridCell& cell : panel.cells) {
        if (panel.result || panel.what->spec->role == Role::Tmp) cell.written = flow.wrote(cell.place);
        if (panel.result && cell.written) cell.origin = origin_of(flow.sources_of_bytes(cell.place));
        if (panel.letter != 0) cell.origin = panel.operand;
      }
    }
    for (const Source& source : out_.sources) {
      if (source.kind == Source::Kind::MaskBit && source.operand >= 0) add_strip(source);
      const auto element = element_of_source(program_, bound_, source);
      if (!element) continue;
      for (Panel& panel : out_.panels)
        if (GridCell* cell = panel.result ? nullptr : panel.at(*element)) cell->source = true;
    }
  }
  // -1: of several operands, or of none.
  static int origin_of(const std::vector<Source>& sources) {
    int origin = -1;
    for (const Source& source : sources) {
      if (source.decided) continue;
      const bool moved = source.kind == Source::Kind::Element || source.kind == Source::Kind::Scalar;
      if (!moved || source.operand < 0 || (origin >= 0 && origin != source.operand)) return -1;
      origin = source.operand;
    }
    return origin;
  }
  void add_strip(const Source& source) {
    auto strip = std::ranges::find_if(out_.strips, [&](const MaskStrip& one) {
      return one.operand == source.operand && one.address == source.place.address;
    });
    if (strip == out_.strips.end()) {
      constexpr std::size_t kMostStrips = 4;
      if (out_.strips.size() == kMostStrips) return;
      out_.strips.push_back({.operand = source.operand, .address = source.place.address});
      strip = out_.strips.end() - 1;
    }
    strip->decided |= 1u << source.bit;
    strip->texts.push_back(fmt::format("bit {} governs [{},{}]", source.bit, source.row, source.col));
  }
  void read_strips(const Memory& before) {
    for (MaskStrip& strip : out_.strips) {
      ByteRange place = bytes_of(bound_.operands[static_cast<std::size_t>(strip.operand)]);
      place.address = strip.address;
      place.size = 1;
      strip.bits = static_cast<std::uint32_t>(before.element(place));
      strip.worth = before.definedness(before.map().flat(place));
    }
  }

  Session& session_;
  const ReportSubject& subject_;
  const Program& program_;
  const Bound& bound_;
  FlowPanels out_;
};

}  // namespace

FlowPanels flow_panels(Session& session, const ReportSubject& subject) { return PanelMaker(session, subject).make(); }

int cell_width(const Operand& operand) {
  const std::uint32_t bytes = size_bytes(element_type(operand));
  return bytes == 1 ? 48 : bytes == 2 ? 66 : bytes == 4 ? 70 : 96;
}

}  // namespace ts
