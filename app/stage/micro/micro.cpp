// The middle of a step: its micro-operations in a list, and one of them as a picture.
#include "app/stage/micro/micro.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/draw/boxes.h"
#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/stage/micro/micro_parts.h"

namespace ts::ui {
namespace {

constexpr const char *kComesNext = "comes next", *kJustMade = "just made";

// "17 of 96, comes next:  v5 = vadd_b32 v3, v4, p0", what it does, and its form.
void draw_head(const MicroScene& scene, std::string& mode, bool has_next, MicroCanvas& canvas) {
  const Theme& theme = *look().theme;
  float x = canvas.x;
  const int clicked = choose("which", {x, canvas.y}, {kComesNext, kJustMade}, scene.made ? 1 : 0, &x);
  if (clicked >= 0) mode = clicked == 1 ? kJustMade : kComesNext;
  const std::string place = fmt::format("micro-step {} of {}{}", scene.micro, scene.trace.steps.size(),
                                        !has_next && scene.made ? "; none is left in this step" : "");
  put_text_cut({x + look().px(8), canvas.y + look().px(3)}, canvas.x + canvas.width - x - look().px(8), place,
               theme.text_quiet, look().fonts.small);
  canvas.y += chip_height() + look().px(10);
  ImFont* big = look().fonts.mono;
  canvas.y += put_text_wrapped({canvas.x, canvas.y}, canvas.width, scene.trace.describe(scene.op()), theme.text, big);
  std::string summary = scene.op().op->summary;
  if (is_emulator_step(scene.op())) summary = "emulator step, not in the hardware's sequence: " + summary;
  // Operands are named by one letter, and stay as they are.
  if (summary.size() > 1 && summary[1] != ' ')
    summary[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(summary[0])));
  canvas.y += put_text_wrapped({canvas.x, canvas.y}, canvas.width, summary + ".",
                               is_emulator_step(scene.op()) ? theme.scratch : theme.text, look().fonts.text);
  canvas.y += put_text_wrapped({canvas.x, canvas.y}, canvas.width,
                               fmt::format("{}   ({})", scene.op().op->form, name(scene.op().op->flow)),
                               theme.text_quiet, look().fonts.mono_small);
  canvas.y += look().px(10);
}

void draw_picture(const MicroScene& scene, std::string& mode, bool has_next, const Rect& area) {
  ImGui::SetCursorScreenPos(area.min);
  ImGui::BeginChild("micro picture", {area.width(), area.height()});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  MicroCanvas canvas{at.x, std::max(look().px(120), ImGui::GetContentRegionAvail().x - look().px(4)), at.y};
  draw_head(scene, mode, has_next, canvas);
  draw_micro(scene, scene.view.kept().of<MicroLook>(), canvas);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({canvas.width, canvas.y - at.y});
  ImGui::EndChild();
}

}  // namespace

void draw_micro(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas) {
  if (!draw_turned_blocks(scene, state, canvas) && !draw_micro_repeats(scene, state, canvas))
    draw_micro_registers(scene, state, canvas);
}

void draw_micro_step(StageStep& step, const Rect& area) {
  DebugView& view = step.view;
  std::string& mode = step.memory.modes["micro"];
  const Moment moment = view.moment();
  const MicroIndex& index = micro_index(view, moment.position);
  const Trace& trace = view.questions().trace(moment.position);
  if (trace.steps.empty() || moment.micro == 0) return;
  const auto count = static_cast<std::uint32_t>(trace.steps.size());
  const bool has_next = moment.micro < count, made = !has_next || mode == kJustMade;
  const std::uint32_t shown = made ? std::min(moment.micro, count) - 1 : moment.micro;
  const float list = std::clamp(area.width() * 0.3f, look().px(150), look().px(340)), gap = look().px(10);
  const bool narrow = area.width() < look().px(420);
  Room room(area);
  const Rect list_area = narrow ? room.top(area.height() * 0.3f, gap) : room.left(list, gap);
  draw_micro_list({.id = "micro list", .step = moment.position, .made = moment.micro, .shown = shown}, trace, step.out,
                  list_area);
  const Color line = look().theme->line;
  if (!narrow)
    ImGui::GetWindowDrawList()->AddLine({list_area.max.x + gap / 2, area.min.y},
                                        {list_area.max.x + gap / 2, area.max.y}, ink(line));
  draw_picture({view, trace, index, moment.position, shown, made}, mode, has_next, room.rest());
}

}  // namespace ts::ui
