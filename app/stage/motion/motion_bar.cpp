// The bar below the stage: play, the progress of the step, which micro-operation runs, in which pieces it is shown.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/draw/boxes.h"
#include "app/draw/canvas.h"
#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/stage/motion/motion.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

const std::vector<const char*> kModeChips = {"as it runs", "row by row", "at once"};

bool draw_play_button(const Rect& rect, bool plays, bool calm) {
  const Theme& theme = *look().theme;
  ImGui::SetCursorScreenPos(rect.min);
  const bool pressed = ImGui::InvisibleButton("##play", {rect.width(), rect.height()});
  const bool hovered = ImGui::IsItemHovered();
  const char* help = calm ? "On to where the next elements land" : plays ? "Pause the move" : "Play the move";
  if (hovered) ImGui::SetTooltip("%s", with_key(help, "playMove").c_str());
  canvas().AddRectFilled(rect.min, rect.max, ink(hovered ? theme.hovered : theme.raised), look().px(4));
  const ImVec2 middle = rect.center();
  const float side = look().px(5);
  if (plays) {
    canvas().AddRectFilled({middle.x - side, middle.y - side}, {middle.x - side * 0.3f, middle.y + side},
                           ink(theme.text));
    canvas().AddRectFilled({middle.x + side * 0.3f, middle.y - side}, {middle.x + side, middle.y + side},
                           ink(theme.text));
  } else {
    canvas().AddTriangleFilled({middle.x - side * 0.8f, middle.y - side}, {middle.x - side * 0.8f, middle.y + side},
                               {middle.x + side, middle.y}, ink(theme.text));
  }
  return pressed;
}

// Pulling anywhere on it goes there. Without a move it shows the step as a whole.
void draw_track(StageStep& step, const Rect& line) {
  const Theme& theme = *look().theme;
  StageMemory& memory = step.memory;
  ImGui::SetCursorScreenPos(line.min);
  ImGui::InvisibleButton("##progress", {std::max(1.0f, line.width()), std::max(1.0f, line.height())});
  note_target("progress", line);
  if (ImGui::IsItemActive()) {
    const float x = ImGui::GetIO().MousePos.x;
    memory.progress = std::clamp(static_cast<double>((x - line.min.x) / std::max(1.0f, line.width())), 0.0, 1.0);
    memory.plays = false;
  }
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
    ImGui::SetTooltip("The progress of the step, in the order in which it is made");
  const float y = line.center().y, half = look().px(2);
  canvas().AddRectFilled({line.min.x, y - half}, {line.max.x, y + half}, ink(theme.line), half);
  if (!memory.progress) return;
  const float x = line.min.x + line.width() * static_cast<float>(*memory.progress);
  canvas().AddRectFilled({line.min.x, y - half}, {x, y + half}, ink(theme.accent), half);
  // Where elements land, as long as these are apart.
  constexpr std::size_t kMostMarks = 64;
  if (step.move && step.move->motion->travels(step.move->mode).size() <= kMostMarks)
    for (const Travel& one : step.move->motion->travels(step.move->mode)) {
      const float at = line.min.x + line.width() * static_cast<float>(one.way.lands);
      canvas().AddLine({at, y - half * 2}, {at, y + half * 2}, ink(theme.text_quiet), 1);
    }
  canvas().AddCircleFilled({x, y}, look().px(6), ink(theme.accent));
}

}  // namespace

std::string micro_text(const MoveView& move) {
  const auto now = move.motion->now(move.progress);
  if (!now) return "";
  const std::vector<const MicroOp*>& all = move.motion->order().micros;
  std::string text = fmt::format("{}, {} of {}", all[now->micro]->name, now->micro + 1, all.size());
  if (now->parts > 1) text += fmt::format(", part {} of {}", now->part + 1, now->parts);
  return text;
}

float motion_bar_height() { return look().px(24); }

namespace {

void draw_mode_buttons(StageMemory& memory, Room& room, const Rect& line) {
  float wide = 0;
  for (const char* label : kModeChips) wide += text_width(label, look().fonts.small) + look().px(18);
  const Rect loop = room.right(text_width("loop", look().fonts.small) + look().px(18), look().px(4));
  const Rect modes = room.right(wide, look().px(8));
  const float down = std::max(0.0f, (line.height() - chip_height()) / 2);
  if (toggle("##loop", {loop.min.x, loop.min.y + down}, "loop", motion_loops(memory)))
    set_motion_loops(memory, !motion_loops(memory));
  const int clicked =
      choose("##mode", {modes.min.x, modes.min.y + down}, kModeChips, static_cast<int>(motion_mode(memory)));
  if (clicked >= 0) choose_motion_mode(memory, kModeChips[static_cast<std::size_t>(clicked)]);
}

}  // namespace

void draw_motion_bar(StageStep& step, const Rect& line, bool buttons) {
  StageMemory& memory = step.memory;
  const bool calm = look().motion.mode != Motion::Mode::Play;
  Room room(line);
  const float gap = look().px(8);
  if (buttons && draw_play_button(room.left(look().px(28), gap), memory.plays, calm)) {
    if (calm) walk_move(step, 1);
    else if (memory.plays) memory.plays = false;
    else play_move(memory);
  }
  if (buttons && line.width() > look().px(620)) draw_mode_buttons(memory, room, line);
  if (line.width() > look().px(360)) {
    const Rect words = room.right(std::min(look().px(230), line.width() * 0.3f), gap);
    std::string text = memory.progress ? "follows..." : "the whole step";
    if (step.move) text = micro_text(*step.move);
    put_text_cut({words.min.x, words.center().y - look().fonts.mono_small->FontSize / 2}, words.width(), text,
                 look().theme->text_quiet, look().fonts.mono_small);
  }
  draw_track(step, room.rest());
}

}  // namespace ts::ui
