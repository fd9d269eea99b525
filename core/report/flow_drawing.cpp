// Grids, marks and lines as SVG. Everything stands below each other; lines run in gutters between rows and in a channel
// on the right, so that none of them crosses a value.
#include "core/report/flow_drawing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/debug/elements/cell_text.h"
#include "core/debug/origins/source_text.h"
#include "core/record/operand_place.h"
#include "core/report/escape.h"
#include "core/report/flow_panels.h"

namespace ts {
namespace {

constexpr int kLeft = 48;  // for the numbers of rows
constexpr int kCellHeight = 22;
constexpr int kGutter = 9;  // where lines run
constexpr int kTitle = 36, kNumbers = 14, kBelow = 18;
constexpr double kCharacter = 7.3;
constexpr std::size_t kMostOtherBytes = 6;

// What lines begin and end at.
struct Port {
  int x = 0, gutter = 0;  // the middle of the cell, and where the line turns
  int edge = 0;           // of the cell
};

class FlowPicture {
 public:
  FlowPicture(Session& session, const ReportSubject& subject)
      : session_(session),
        subject_(subject),
        program_(session.recording().program()),
        bound_(session.recording().bound(subject.step)) {}

  FlowDrawing draw() {
    if (machines_for(bound_).run == nullptr || bound_.row->effect != Effect::None) return {};
    FlowPanels shown = flow_panels(session_, subject_);
    panels_ = std::move(shown.panels);
    strips_ = std::move(shown.strips);
    sources_ = std::move(shown.sources);
    place_panels();
    FlowDrawing out;
    for (Panel& panel : panels_) draw_panel(panel);
    draw_others();
    draw_lines();
    const int width = channel_ + 10 + 7 * static_cast<int>(buses_.size());
    out.svg = fmt::format(
        "<svg class=\"flow\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
        "aria-label=\"the operands of the step, and where the element came from\">{2}{3}{4}</svg>\n",
        width, height_, kPatterns, lines_, svg_);
    out.signs.assign(signs_.begin(), signs_.end());
    out.sources = std::move(sources_);
    out.wrote = shown.wrote;
    return out;
  }

 private:
  static constexpr const char* kPatterns =
      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path class=\"p\" d=\"M-1 "
      "7L7 -1\"/>"
      "</pattern><pattern id=\"cross\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\"><path class=\"p\" "
      "d=\"M-1 8L8 -1M-1 -1L8 8\"/></pattern></defs>\n";

  bool is_scalar(const Operand& operand) const { return operand.spec->kind == OperandKind::Scalar; }

  // --- where everything goes ---
  void place_panels() {
    int y = 4;
    channel_ = 0;
    for (Panel& panel : panels_) {
      panel.y = y;
      if (is_scalar(*panel.what)) {
        panel.width = 150;
        panel.row_y = {y + kTitle};
        y += kTitle + kCellHeight + kGutter + kBelow;
      } else {
        y = place_rows(panel, y + kTitle + kNumbers);
        for (MaskStrip& strip : strips_) {
          if (strip.operand != panel.operand) continue;
          strip.y = y + 22;
          y += 22 + kCellHeight + kGutter + 6;
        }
        y += kBelow;
      }
      channel_ = std::max(channel_, kLeft + panel.width + 16);
    }
    channel_ = std::max(channel_, 640);
    for (const Source& source : sources_)
      if (source.operand < 0 && others_.size() < kMostOtherBytes) others_.push_back(source);
    others_y_ = y;
    if (!others_.empty()) y += kTitle + static_cast<int>(others_.size()) * 24 + kBelow;
    height_ = y;
  }
  // A gutter where a line leaves or arrives.
  static int place_rows(Panel& panel, int y) {
    panel.width = static_cast<int>(panel.shown_cols.count) * cell_width(*panel.what);
    for (std::uint32_t row = 0; row < panel.shown_rows.count; ++row) {
      bool leaves = false, arrives = false;
      for (std::uint32_t col = 0; col < panel.shown_cols.count; ++col) {
        const GridCell& cell = panel.cells[std::size_t{row} * panel.shown_cols.count + col];
        leaves = leaves || cell.source;
        arrives = arrives || (cell.explained && panel.result);
      }
      if (arrives) y += kGutter + 5;
      panel.row_y.push_back(y);
      y += kCellHeight + (leaves ? kGutter : 0);
    }
    return y;
  }

  // --- drawing ---
  void sign(const char* one) { signs_.insert(one); }
  void add(std::string text) { svg_ += std::move(text) + "\n"; }
  static std::string rect(const char* style, int x, int y, int w, int h) {
    return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", style, x, y, w, h);
  }
  static std::string words(const char* style, int x, int y, std::string_view text, const char* anchor = "start") {
    return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>", style, x, y, anchor,
                       html_text(text));
  }

  void draw_panel(Panel& panel) {
    draw_title(panel);
    if (is_scalar(*panel.what)) return draw_scalar(panel);
    const int width = cell_width(*panel.what);
    for (std::uint32_t col = 0; col < panel.shown_cols.count; ++col)
      add(words("n", kLeft + static_cast<int>(col) * width + width / 2, panel.y + kTitle + kNumbers - 4,
                fmt::format("{}", panel.shown_cols.first + col), "middle"));
    for (std::uint32_t row = 0; row < panel.shown_rows.count; ++row) {
      const int y = panel.row_y[row];
      add(words("n", kLeft - 6, y + 15, fmt::format("{}", panel.shown_rows.first + row), "end"));
      for (std::uint32_t col = 0; col < panel.shown_cols.count; ++col)
        draw_cell(panel, panel.cells[std::size_t{row} * panel.shown_cols.count + col],
                  kLeft + static_cast<int>(col) * width, y, width);
    }
    for (const MaskStrip& strip : strips_)
      if (strip.operand == panel.operand) draw_strip(strip);
  }

  void draw_title(const Panel& panel) {
    const Operand& operand = *panel.what;
    const int y = panel.y + 13;
    add(rect(("k f-" + panel.role).c_str(), 2, panel.y, 18, 18));
    add(words(("b ink-" + panel.role).c_str(), 11, y, badge(panel), "middle"));
    const std::string name = is_scalar(operand) ? "" : program_.operand_name(operand);
    const char* when = panel.result                      ? "after the step"
                       : operand.spec->role == Role::Tmp ? "scratch, after the step"
                                                         : "before the step";
    add(fmt::format(
        "<text class=\"t\" x=\"28\" y=\"{}\">{} <tspan class=\"m\">{}</tspan><tspan class=\"q\">  {}</tspan></text>", y,
        html_text(operand.spec->name), html_text(name), is_scalar(operand) ? "a scalar" : when));
    if (!is_scalar(operand)) add(words("q", 28, y + 15, facts(panel)));
  }
  static std::string badge(const Panel& panel) {
    if (panel.letter != 0) return std::string(1, panel.letter);
    switch (panel.what->spec->role) {
      case Role::Mask: return "m";
      case Role::Offsets: return "o";
      case Role::Tmp: return "t";
      case Role::Address: return "@";
      default: return "=";
    }
  }
  std::string facts(const Panel& panel) const {
    const Operand& operand = *panel.what;
    std::string text = operand_text(program_, operand);
    text.erase(0, std::min(program_.operand_name(operand).size() + 1, text.size()));
    if (panel.shown_rows.count < panel.rows)
      text += fmt::format("; rows {} to {} of {}", panel.shown_rows.first, panel.shown_rows.end() - 1, panel.rows);
    if (panel.shown_cols.count < panel.cols)
      text += fmt::format("; columns {} to {} of {}", panel.shown_cols.first, panel.shown_cols.end() - 1, panel.cols);
    if (panel.hidden != 0) text += fmt::format("; {} more sources are outside of this part", panel.hidden);
    return text;
  }

  void draw_scalar(const Panel& panel) {
    const Scalar& scalar = panel.what->scalar;
    const ElementFormat& format = element_format(scalar.dtype);
    const bool source = std::ranges::any_of(sources_, [&](const Source& one) { return one.operand == panel.operand; });
    const int y = panel.row_y.front() - 14;
    add(rect(source ? ("c f-" + panel.role).c_str() : "c", kLeft, y, panel.width, kCellHeight));
    add(words(source ? ("v ink-" + panel.role).c_str() : "v", kLeft + panel.width / 2, y + 15,
              fitted_text(format, scalar.bits, Definedness::Written, NumberStyle::Decimal, 18), "middle"));
    add(words("q", kLeft + panel.width + 12, y + 15, fmt::format("{} {}", format.name, hex_text(format, scalar.bits))));
    if (source) ports_[panel.operand].push_back({kLeft + panel.width / 2, y + kCellHeight + 5, y + kCellHeight});
  }

  std::string role_of(int operand) const {
    const auto panel = std::ranges::find(panels_, operand, &Panel::operand);
    return panel == panels_.end() ? "tmp" : panel->role;
  }
  char letter_of(int operand) const {
    const auto panel = std::ranges::find(panels_, operand, &Panel::operand);
    return panel == panels_.end() ? '\0' : panel->letter;
  }

  void draw_cell(Panel& panel, const GridCell& cell, int x, int y, int width) {
    const ElementFormat& format = element_format(element_type(*panel.what));
    const bool marked = cell.source || cell.explained || cell.found || cell.written;
    const std::string fill = cell.source ? "c f-" + panel.role : "c";
    add(fmt::format("<g{}><title>{}</title>", cell.in_view ? "" : " class=\"faded\"",
                    html_text(cell_title(panel, cell))));
    add(rect(fill.c_str(), x, y, width, kCellHeight));
    if (!cell.in_view) sign("faded");
    if (!cell.valid) add(rect(marked ? "cross weak" : "cross", x, y, width, kCellHeight)), sign("cross");
    const bool told = cell.valid || marked;
    if (told && cell.worth == Definedness::Never) add(rect("hatch", x, y, width, kCellHeight)), sign("hatch");
    if (told && cell.worth == Definedness::Unspecified) sign("unspecified");
    const int letter_room = draw_origin(cell, x, y, width);
    if (told) {
      const auto most = static_cast<std::size_t>((width - 8 - letter_room) / kCharacter);
      const std::string text = cell.worth == Definedness::Never
                                   ? "··"
                                   : fitted_text(format, cell.bits, cell.worth, NumberStyle::Decimal, most);
      add(words(cell.source ? ("v ink-" + panel.role).c_str() : "v", x + (width + letter_room) / 2, y + 15, text,
                "middle"));
    }
    if (cell.written) {
      add(fmt::format("<path class=\"w\" d=\"M{} {}h8v8z\"/>", x + width - 9, y + 1));
      sign("written");
    }
    if (cell.found) {
      add(rect("bad", x + 1, y + 1, width - 2, kCellHeight - 2) +
          rect("bad", x + 4, y + 4, width - 8, kCellHeight - 8) + words("bang", x + width - 10, y + 17, "!"));
      sign("bad");
    }
    if (cell.explained) add(rect("ring", x + 1, y + 1, width - 2, kCellHeight - 2)), sign("ring");
    add("</g>");
    if (cell.source) {
      sign("source");
      // A bit of a mask has a line of its own.
      if (!has_strip(cell)) ports_[panel.operand].push_back({x + width / 2, y + kCellHeight + 5, y + kCellHeight});
    }
    if (cell.explained && panel.result) arrival_ = Port{x + width / 2, y - kGutter, y};
  }
  // The edge in the colour of where the value came from, and its letter. Returns how much room the letter took.
  int draw_origin(const GridCell& cell, int x, int y, int width) {
    if (cell.origin < 0 || (!cell.valid && !cell.written)) return 0;
    const std::string role = role_of(cell.origin);
    const char letter = letter_of(cell.origin);
    const bool right = letter == 'b';
    add(rect(("f-" + role).c_str(), right ? x + width - 4 : x + 1, y + 1, 3, kCellHeight - 2));
    sign("origin");
    if (letter == 0 || width < 60) return 0;
    add(words(cell.source ? ("l ink-" + role).c_str() : "l", x + 6, y + 9, std::string(1, letter)));
    return 8;
  }
  bool has_strip(const GridCell& cell) const {
    return std::ranges::any_of(strips_, [&](const MaskStrip& strip) {
      return strip.operand == cell.element.operand && strip.address >= cell.place.address &&
             strip.address < cell.place.address + cell.place.size;
    });
  }
  std::string cell_title(const Panel& panel, const GridCell& cell) const {
    const ElementFormat& format = element_format(element_type(*panel.what));
    return fmt::format("{}[{},{}] = {} ({}) at {}{}{}{}", program_.operand_name(*panel.what), cell.element.row,
                       cell.element.col, cell_text(format, cell.bits, cell.worth, NumberStyle::Decimal),
                       hex_text(format, cell.bits), place_text(cell.place),
                       cell.valid ? "" : ", outside the valid region", cell.in_view ? "" : ", not in the view",
                       cell.written ? ", written by the step" : "");
  }

  void draw_strip(const MaskStrip& strip) {
    const Operand& mask = bound_.operands[static_cast<std::size_t>(strip.operand)];
    add(words("q", kLeft, strip.y - 6,
              fmt::format("byte {} of it, at 0x{:x}, is {}: its bits from 0 on; {}",
                          strip.address - bytes_of(mask).address, strip.address,
                          strip.worth == Definedness::Never ? "never written" : fmt::format("0x{:02x}", strip.bits),
                          fmt::format("{}", fmt::join(strip.texts, ", ")))));
    constexpr int kBitWidth = 26;
    for (int bit = 0; bit < 8; ++bit) {
      const bool decided = (strip.decided >> bit & 1) != 0;
      const int x = kLeft + bit * kBitWidth;
      add(rect(decided ? "c f-mask" : "c", x, strip.y, kBitWidth, kCellHeight));
      if (strip.worth == Definedness::Never) add(rect("hatch", x, strip.y, kBitWidth, kCellHeight));
      add(words(decided ? "v ink-mask" : "v", x + kBitWidth / 2, strip.y + 15,
                strip.worth == Definedness::Never ? "·"
                : (strip.bits >> bit & 1) != 0    ? "1"
                                                  : "0",
                "middle"));
      if (decided)
        ports_[strip.operand].push_back({x + kBitWidth / 2, strip.y + kCellHeight + 5, strip.y + kCellHeight});
    }
  }

  // Bytes of no operand, and values that nobody promises.
  void draw_others() {
    if (others_.empty()) return;
    int y = others_y_;
    add(rect("k f-bad", 2, y, 18, 18) + words("b ink-bad", 11, y + 13, "!", "middle") +
        words("t", 28, y + 13, "from outside of its operands"));
    y += kTitle - 8;
    for (const Source& source : others_) {
      const std::string text = source_text(session_.recording(), bound_, source);
      const int width = static_cast<int>(kCharacter * static_cast<double>(text.size())) + 16;
      add(rect("c", kLeft, y, width, kCellHeight) + rect("bad", kLeft + 1, y + 1, width - 2, kCellHeight - 2) +
          words("v", kLeft + 8, y + 15, text));
      y += 24;
    }
  }

  bool decided_by(int operand) const {
    return std::ranges::any_of(sources_, [&](const Source& one) { return one.operand == operand && one.decided; });
  }
  // From every source down into the gutter below it, to the right, along the channel, and above the element into it.
  void draw_lines() {
    if (!arrival_) return;
    constexpr std::size_t kMostPorts = 64;
    int lane = 0;
    const int lanes = static_cast<int>(ports_.size());
    for (const auto& [operand, ports] : ports_) {
      const bool decides = decided_by(operand);
      const std::string style = fmt::format("line s-{}{}", role_of(operand), decides ? " decides" : "");
      const int x = channel_ + 7 * lane, turn = arrival_->gutter + 3 * lane;
      const int into = arrival_->x + 9 * lane - 9 * (lanes - 1) / 2;
      int top = turn, bottom = turn;
      std::set<int> gutters;
      for (std::size_t i = 0; i < std::min(ports.size(), kMostPorts); ++i) {
        const Port& port = ports[i];
        top = std::min(top, port.gutter);
        bottom = std::max(bottom, port.gutter);
        lines_ += fmt::format(
            "<path class=\"{}\" d=\"M{} {}V{}H{}\"/><circle class=\"f-{}\" cx=\"{}\" cy=\"{}\" r=\"2.5\"/>\n", style,
            port.x, port.edge, port.gutter, x, role_of(operand), port.x, port.edge);
      }
      lines_ += fmt::format(
          "<path class=\"{}\" d=\"M{} {}V{}\"/><path class=\"{}\" d=\"M{} {}H{}V{}\"/>"
          "<path class=\"f-{}\" d=\"M{} {}l-3.5 -6h7z\"/>\n",
          style, x, top, bottom, style, x, turn, into, arrival_->edge - 4, role_of(operand), into, arrival_->edge);
      buses_.push_back(operand);
      if (decides) sign("decides");
      ++lane;
    }
  }

  Session& session_;
  const ReportSubject& subject_;
  const Program& program_;
  const Bound& bound_;
  std::vector<Source> sources_, others_;
  std::vector<Panel> panels_;
  std::vector<MaskStrip> strips_;
  std::map<int, std::vector<Port>> ports_;  // by operand
  std::optional<Port> arrival_;
  std::vector<int> buses_;
  int channel_ = 0, height_ = 0, others_y_ = 0;
  std::string svg_, lines_;
  std::set<std::string> signs_;
};

struct SignRow {
  const char* sign;
  const char* swatch;  // 26 x 18
  const char* text;
};
constexpr SignRow kSigns[] = {
    {"ring",
     "<rect class=\"c\" x=\"0\" y=\"0\" width=\"26\" height=\"18\"/><rect class=\"ring\" x=\"1\" y=\"1\" width=\"24\" "
     "height=\"16\"/>",
     "the element that is explained"},
    {"source",
     "<rect class=\"c f-a\" x=\"0\" y=\"0\" width=\"13\" height=\"18\"/><rect class=\"c f-b\" x=\"13\" y=\"0\" "
     "width=\"13\" height=\"18\"/>",
     "what it was made of"},
    {"decides", "<path class=\"line s-mask decides\" d=\"M0 9H26\"/>", "chose it, and is no part of it"},
    {"origin",
     "<rect class=\"c\" x=\"0\" y=\"0\" width=\"26\" height=\"18\"/><rect class=\"f-a\" x=\"1\" y=\"1\" width=\"3\" "
     "height=\"16\"/><rect class=\"f-b\" x=\"22\" y=\"1\" width=\"3\" height=\"16\"/>",
     "edge and letter: the operand whose value it is"},
    {"written", "<rect class=\"c\" x=\"0\" y=\"0\" width=\"26\" height=\"18\"/><path class=\"w\" d=\"M17 1h8v8z\"/>",
     "written by the step"},
    {"bad",
     "<rect class=\"c\" x=\"0\" y=\"0\" width=\"26\" height=\"18\"/><rect class=\"bad\" x=\"1\" y=\"1\" width=\"24\" "
     "height=\"16\"/><rect class=\"bad\" x=\"4\" y=\"4\" width=\"18\" height=\"10\"/>",
     "a finding is about it"},
    {"hatch",
     "<rect class=\"c\" x=\"0\" y=\"0\" width=\"26\" height=\"18\"/><rect class=\"hatch\" x=\"0\" y=\"0\" width=\"26\" "
     "height=\"18\"/>",
     "·· never written"},
    {"unspecified",
     "<rect class=\"c\" x=\"0\" y=\"0\" width=\"26\" height=\"18\"/><text class=\"v\" x=\"13\" y=\"14\" "
     "text-anchor=\"middle\">?</text>",
     "written, with a value that nobody promises"},
    {"cross",
     "<rect class=\"c\" x=\"0\" y=\"0\" width=\"26\" height=\"18\"/><rect class=\"cross\" x=\"0\" y=\"0\" width=\"26\" "
     "height=\"18\"/>",
     "outside the valid region"},
    {"faded",
     "<g class=\"faded\"><rect class=\"c\" x=\"0\" y=\"0\" width=\"26\" height=\"18\"/><text class=\"v\" x=\"13\" "
     "y=\"14\" text-anchor=\"middle\">1</text></g>",
     "not in the step's view"},
};

}  // namespace

FlowDrawing draw_flow(Session& session, const ReportSubject& subject) {
  if (!subject.made) return {};
  return FlowPicture(session, subject).draw();
}

std::string legend_of(const std::vector<std::string>& signs) {
  std::string out;
  for (const SignRow& row : kSigns)
    if (std::ranges::find(signs, row.sign) != signs.end())
      out += fmt::format("<li><svg width=\"26\" height=\"18\" aria-hidden=\"true\">{}</svg> {}</li>", row.swatch,
                         row.text);
  return out.empty() ? "" : "<ul class=\"legend\">" + out + "</ul>\n";
}

}  // namespace ts
