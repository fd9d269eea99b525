// The marks, each drawn as it is drawn where it stands.
#include <algorithm>
#include <iterator>

#include "app/draw/cells.h"
#include "app/draw/look.h"
#include "app/draw/shapes.h"
#include "app/draw/signs.h"
#include "app/draw/text.h"
#include "app/window/help/legend.h"

namespace ts::ui {
namespace {

const Theme& theme() { return *look().theme; }

// --- cells ---

template <Mark mark>
void cell(ImDrawList& out, const Rect& rect) {
  CellLook made;
  made.text = mark == Mark::Undefined ? ".." : mark == Mark::Unspecified ? "7?" : mark == Mark::Padding ? "" : "2.5";
  made.marks = mark;
  draw_cell(out, rect, made);
}

void source(ImDrawList& out, const Rect& rect, char letter, Color color, bool right) {
  CellLook made;
  made.text = "1.5";
  made.source = color;
  made.letter = letter;
  made.edge_right = right;
  draw_cell(out, rect, made);
}
void source0(ImDrawList& out, const Rect& rect) { source(out, rect, 'a', theme().src0, false); }
void source1(ImDrawList& out, const Rect& rect) { source(out, rect, 'b', theme().src1, true); }
void mask_cell(ImDrawList& out, const Rect& rect) {
  CellLook made;
  made.text = "1";
  made.source = theme().mask;
  draw_cell(out, rect, made);
}
void scratch(ImDrawList& out, const Rect& rect) {
  draw_cell(out, rect, {});
  dashed_rect(out, rect, ink(theme().scratch), look().px(4), 1.5f);
}
void words(ImDrawList& out, const Rect& rect, const char* text) {
  CellLook made;
  made.text = text;
  draw_cell(out, rect, made);
}
void nan_text(ImDrawList& out, const Rect& rect) { words(out, rect, "NaN"); }
void inf_text(ImDrawList& out, const Rect& rect) { words(out, rect, "+inf"); }
void trail(ImDrawList& out, const Rect& rect) {
  words(out, rect, "2.5");
  out.AddRect(rect.min, rect.max, ink(theme().accent), 0, 0, 2);
  draw_text_in(out, {{rect.max.x - look().px(16), rect.min.y}, {rect.max.x, rect.min.y + look().px(16)}}, "2",
               ink(theme().accent), look().fonts.small);
}
void written_frame(ImDrawList& out, const Rect& rect) {
  out.AddRectFilled(rect.min, rect.max, ink(theme().cell));
  out.AddRect(rect.min, rect.max, ink(theme().written), 0, 0, 2);
  const float side = look().px(9);
  out.AddTriangleFilled({rect.max.x - side, rect.min.y}, {rect.max.x, rect.min.y}, {rect.max.x, rect.min.y + side},
                        ink(theme().written));
}

void same(ImDrawList& out, const Rect& rect) {
  words(out, rect, "2.5");
  const float side = look().px(8);
  out.AddTriangle({rect.max.x - side - 1, rect.min.y + 1}, {rect.max.x - 1, rect.min.y + 1},
                  {rect.max.x - 1, rect.min.y + 1 + side}, ink(theme().written), look().px(1.2f));
}
void valid_region(ImDrawList& out, const Rect& rect) {
  out.AddRectFilled(rect.min, rect.max, ink(theme().cell));
  hatch(out, rect, ink(with_alpha(theme().text_quiet, 0.5)), look().px(6), true);
  const Rect inner{rect.min, {rect.max.x - rect.width() * 0.3f, rect.max.y - rect.height() * 0.3f}};
  out.AddRectFilled(inner.min, inner.max, ink(theme().cell));
  out.AddRect(inner.min, inner.max, ink(theme().text_quiet), 0, 0, look().px(1.5f));
}
void small_nan(ImDrawList& out, const Rect& rect) {
  const ImVec2 at = rect.center();
  const float half = look().px(5);
  out.AddLine({at.x - half, at.y - half}, {at.x + half, at.y + half}, ink(theme().text), 1.5f);
  out.AddLine({at.x + half, at.y - half}, {at.x - half, at.y + half}, ink(theme().text), 1.5f);
}
void small_inf(ImDrawList& out, const Rect& rect) {
  const ImVec2 at = rect.center();
  const float half = look().px(5);
  out.AddQuad({at.x, at.y - half}, {at.x + half, at.y}, {at.x, at.y + half}, {at.x - half, at.y}, ink(theme().text),
              1.5f);
}
void small_denormal(ImDrawList& out, const Rect& rect) {
  out.AddCircleFilled(rect.center(), look().px(3), ink(theme().text));
}

// --- lists and texts ---

template <Here here>
void here_sign(ImDrawList& out, const Rect& rect) {
  draw_here(out, rect, here);
}
template <StopSign sign>
void stop_sign(ImDrawList& out, const Rect& rect) {
  draw_stop(out, rect, sign);
}
template <Severity severity>
void severity_sign(ImDrawList& out, const Rect& rect) {
  draw_severity(out, rect, severity);
}
void fold_closed(ImDrawList& out, const Rect& rect) { draw_fold(out, rect, false, ink(theme().text)); }
void fold_open(ImDrawList& out, const Rect& rect) { draw_fold(out, rect, true, ink(theme().text)); }
void cross(ImDrawList& out, const Rect& rect) { draw_cross(out, rect, ink(theme().text)); }
void from(ImDrawList& out, const Rect& rect) {
  const float inset = rect.width() * 0.3f;
  draw_from(out, {{rect.min.x + inset, rect.min.y}, {rect.max.x - inset, rect.max.y}}, ink(theme().text));
}
void wave(ImDrawList& out, const Rect& rect) {
  put_text({rect.min.x + look().px(8), rect.min.y + look().px(3)}, "tadd", theme().text, look().fonts.mono);
  draw_wave(out, {rect.min.x + look().px(8), rect.max.y - look().px(6)}, text_width("tadd", look().fonts.mono),
            ink(theme().finding));
}
void changed(ImDrawList& out, const Rect& rect) { draw_changed(out, rect, ink(theme().accent)); }

// --- the stage ---

void link(ImDrawList& out, const Rect& rect) {
  out.AddLine({rect.min.x + look().px(8), rect.center().y}, {rect.max.x - look().px(8), rect.center().y},
              ink(theme().src0), look().px(2));
}
void link_decides(ImDrawList& out, const Rect& rect) {
  dashed_line(out, {rect.min.x + look().px(8), rect.center().y}, {rect.max.x - look().px(8), rect.center().y},
              ink(theme().mask), look().px(5), look().px(2));
}

// --- timeline and buffer map ---

void step_box(ImDrawList& out, const Rect& rect, bool chosen, bool found) {
  const Rect box{{rect.min.x + look().px(16), rect.min.y + look().px(5)},
                 {rect.max.x - look().px(16), rect.max.y - look().px(5)}};
  out.AddRectFilled(box.min, box.max, ink(mix(theme().pane, theme().src0, 0.6)), look().px(2));
  if (found) {
    out.AddRect(box.min, box.max, ink(theme().finding), 0, 0, 1.5f);
    out.AddRect(box.shrunk(3).min, box.shrunk(3).max, ink(theme().finding));
  }
  if (chosen) out.AddRect(box.min, box.max, ink(theme().select), 0, 0, 2);
}
void position(ImDrawList& out, const Rect& rect) {
  const float x = rect.center().x, half = look().px(8), foot = rect.min.y + look().px(14);
  out.AddRectFilled({x - half, rect.min.y + look().px(2)}, {x + half, foot}, ink(theme().accent), look().px(3));
  out.AddTriangleFilled({x - look().px(4), foot - 1}, {x + look().px(4), foot - 1}, {x, foot + look().px(4)},
                        ink(theme().accent));
  out.AddLine({x, foot}, {x, rect.max.y}, ink(theme().accent), look().px(1.5f));
}
void step_shown(ImDrawList& out, const Rect& rect) { step_box(out, rect, true, false); }
void step_found(ImDrawList& out, const Rect& rect) { step_box(out, rect, false, true); }
void merged(ImDrawList& out, const Rect& rect) {
  float x = rect.min.x + look().px(8);
  for (const float share : {0.3f, 0.8f, 0.5f, 1.0f, 0.4f, 0.7f}) {
    out.AddRectFilled({x, rect.max.y - rect.height() * 0.8f * share}, {x + look().px(7), rect.max.y},
                      ink(mix(theme().pane, theme().src0, 0.6)));
    x += look().px(8);
  }
}
void nan_line(ImDrawList& out, const Rect& rect) {
  put_text({rect.min.x + look().px(16), rect.min.y + look().px(4)}, "NaN", theme().difference, look().fonts.small);
  out.AddRectFilled({rect.min.x + look().px(8), rect.max.y - look().px(6)},
                    {rect.max.x - look().px(8), rect.max.y - look().px(4)}, ink(theme().difference));
}
void bookmark(ImDrawList& out, const Rect& rect) {
  flag_mark(out, {rect.center().x - look().px(6), rect.max.y - look().px(3)}, rect.height() - look().px(6),
            ink(theme().good));
}
void bracket(ImDrawList& out, const Rect& rect) {
  const float y = rect.min.y + look().px(10), x = rect.min.x + look().px(8), end = rect.max.x - look().px(8);
  const ImU32 color = ink(mix(theme().pane, theme().text_quiet, 0.8));
  out.AddLine({x, y}, {end, y}, color, 1);
  for (const float foot : {x, end}) out.AddLine({foot, y}, {foot, y + look().px(8)}, color, 1);
}
void life(ImDrawList& out, const Rect& rect) {
  const Rect box = rect.shrunk(look().px(5));
  out.AddRectFilled(box.min, box.max, ink(mix(theme().pane, theme().accent, 0.36)));
}
void overlap(ImDrawList& out, const Rect& rect) {
  const Rect box = rect.shrunk(look().px(5));
  out.AddRectFilled(box.min, box.max, ink(with_alpha(theme().finding, 0.25)));
  hatch(out, box, ink(theme().finding), look().px(7), true);
  out.AddRect(box.min, box.max, ink(theme().finding), 0, 0, 1.5f);
}
void capacity(ImDrawList& out, const Rect& rect) {
  const float y = rect.center().y;
  hatch(out, {{rect.min.x, y}, rect.max}, ink(theme().line), look().px(7), false);
  out.AddLine({rect.min.x, y}, {rect.max.x, y}, ink(theme().text), look().px(2));
}
void map_written(ImDrawList& out, const Rect& rect) {
  const Rect box = rect.shrunk(look().px(5));
  const float side = look().px(8);
  out.AddRect(box.min, box.max, ink(theme().written), 0, 0, 2);
  out.AddTriangleFilled({box.max.x - side, box.min.y}, {box.max.x, box.min.y}, {box.max.x, box.min.y + side},
                        ink(theme().written));
}
void map_read(ImDrawList& out, const Rect& rect) {
  dashed_rect(out, rect.shrunk(look().px(5)), ink(theme().read), look().px(2), 2);
}

constexpr const char *kCells = "Cells", *kSmall = "Cells too small for text, and counts",
                     *kLists = "Lists and program text", *kStage = "Stage", *kTime = "Timeline and buffer map";

constexpr LegendRow kRows[] = {
    {"cell-source0", kCells, "value of the first source", source0},
    {"cell-source1", kCells, "value of another source", source1},
    {"cell-mask", kCells, "bit of a mask, offset or index", mask_cell},
    {"cell-scratch", kCells, "scratch: no data of the program's", scratch},
    {"cell-written", kCells, "written by this step", cell<Mark::Written>},
    {"cell-same", kCells, "written by this step, and the same as before", same},
    {"cell-all-written", kCells, "the whole region was written by this step", written_frame},
    {"cell-read", kCells, "read by this step", cell<Mark::Read>},
    {"cell-undefined", kCells, "never written: nobody promises what is there", cell<Mark::Undefined>},
    {"cell-unspecified", kCells, "written, but no document promises the value", cell<Mark::Unspecified>},
    {"cell-padding", kCells, "outside the valid region", cell<Mark::Padding>},
    {"cell-faded", kCells, "not taken: another source was chosen", cell<Mark::Faded>},
    {"cell-finding", kCells, "something is wrong here", cell<Mark::Finding>},
    {"cell-noted", kCells, "somebody wrote a note about it", cell<Mark::Noted>},
    {"cell-different", kCells, "differs from what it is compared with", cell<Mark::Different>},
    {"cell-selected", kCells, "selected", cell<Mark::Selected>},
    {"cell-hovered", kCells, "under the mouse, here or in another pane", cell<Mark::Hovered>},
    {"cell-provenance", kCells, "a source of the element under the mouse", cell<Mark::Provenance>},
    {"cell-trail", kCells, "a stop of the trail to the source, by its number", trail},
    {"valid-region", kCells, "the valid region, inside the frame", valid_region},
    {"text-nan", kCells, "not a number", nan_text},
    {"text-inf", kCells, "infinite", inf_text},
    {"here-next", kLists, "the step that comes next", here_sign<Here::Next>},
    {"here-made", kLists, "the step just made", here_sign<Here::Made>},
    {"here-inside", kLists, "in the middle of this step", here_sign<Here::Inside>},
    {"stop-on", kLists, "breakpoint", stop_sign<StopSign::On>},
    {"stop-off", kLists, "breakpoint that rests", stop_sign<StopSign::Off>},
    {"stop-log", kLists, "breakpoint that only says something", stop_sign<StopSign::Log>},
    {"stop-offered", kLists, "a click sets a breakpoint here", stop_sign<StopSign::Offered>},
    {"severity-error", kLists, "error", severity_sign<Severity::Error>},
    {"severity-warning", kLists, "warning", severity_sign<Severity::Warning>},
    {"severity-note", kLists, "a note: nothing is wrong", severity_sign<Severity::Note>},
    {"note", kLists, "somebody wrote a note", draw_note_sign},
    {"different", kLists, "differs from what it is compared with", draw_different},
    {"fold-closed", kLists, "folded: a click shows what is inside", fold_closed},
    {"fold-open", kLists, "unfolded", fold_open},
    {"cross", kLists, "takes the row away", cross},
    {"from", kLists, "made of what stands to the right of it", from},
    {"wave", kLists, "a message is about these words", wave},
    {"changed", kLists, "changed with the last step", changed},
    {"link", kStage, "leads from a value to where it came from", link},
    {"link-decides", kStage, "decided about the value, and is no part of it", link_decides},
    {"position", kTime, "where the session stands", position},
    {"step-shown", kTime, "the shown step", step_shown},
    {"step-found", kTime, "something was found in this step", step_found},
    {"steps-merged", kTime, "many steps, as high as this pipe's share of them", merged},
    {"nan-line", kTime, "steps that left a NaN", nan_line},
    {"bookmark", kTime, "bookmark", bookmark},
    {"loop", kTime, "a loop, from its first step to its last", bracket},
    {"map-life", kTime, "a tile, for as long as its data is needed", life},
    {"map-overlap", kTime, "two tiles at the same bytes, both needed", overlap},
    {"map-capacity", kTime, "where the memory ends", capacity},
    {"map-written", kTime, "bytes that the shown step wrote", map_written},
    {"map-read", kTime, "bytes that the shown step reads", map_read},
    {"sign-nan", kSmall, "not a number", small_nan},
    {"sign-inf", kSmall, "infinite", small_inf},
    {"sign-denormal", kSmall, "denormal: very close to zero", small_denormal},
};

}  // namespace

std::span<const LegendRow> legend_rows() { return kRows; }

const LegendRow* find_legend_row(std::string_view id) {
  const auto* found = std::ranges::find(kRows, id, [](const LegendRow& row) { return std::string_view(row.id); });
  return found == std::end(kRows) ? nullptr : found;
}

}  // namespace ts::ui
