// How a target moves the element in focus: the micro-operation that does it.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/stage/micro/micro_parts.h"
#include "app/stage/parts/parts.h"
#include "core/debug/origins/micro_links.h"
#include "core/debug/picture/step_map.h"

namespace ts::ui {
namespace {

// The one asked for last, and how it is looked at. Found again when the focus is another one: there may be many accesses
// to look through.
struct KeptMover {
  std::optional<std::pair<std::uint32_t, StageCell>> asked;
  std::optional<MicroMover> mover, followed;
  MicroLook look;
};

const std::optional<MicroMover>& find_mover(StageStep& step, KeptMover& kept, const Trace& trace,
                                            const MicroIndex& index) {
  const std::pair question{step.step, *step.focus};
  if (kept.asked == question) return kept.mover;
  kept.asked = question;
  kept.mover = mover_of(trace, index, place_of(step.program(), step.bound, *step.focus));
  return kept.mover;
}

}  // namespace

void draw_mover(StageStep& step, const Rect& area) {
  const Theme& theme = *look().theme;
  const auto say = [&](const std::string& text) {
    put_text_wrapped(area.min, area.width(), text, theme.text_quiet, look().fonts.text);
  };
  if (!step.focus) return say("Point at an element of the result to see the micro-operation that moves it.");
  const MicroIndex& index = micro_index(step.view, step.step);
  const Trace& trace = step.view.questions().trace(step.step);
  auto& kept = step.view.kept().of<KeptMover>();
  const std::optional<MicroMover> mover = find_mover(step, kept, trace, index);
  if (!mover) return say("No micro-operation of this step writes the element in focus. Point at another one.");
  ImGui::SetCursorScreenPos(area.min);
  ImGui::BeginChild("mover", {area.width(), area.height()});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  MicroCanvas canvas{at.x, std::max(look().px(120), ImGui::GetContentRegionAvail().x - look().px(4)), at.y};
  const std::string count =
      fmt::format("micro-operation {} of {} moves the element in focus:", mover->micro, trace.steps.size());
  canvas.y +=
      put_text_wrapped({canvas.x, canvas.y}, canvas.width, count, theme.text_quiet, look().fonts.small) + look().px(2);
  canvas.y += put_text_wrapped({canvas.x, canvas.y}, canvas.width, trace.describe(trace.steps[mover->micro]),
                               theme.text, look().fonts.mono);
  canvas.y += put_text_wrapped({canvas.x, canvas.y}, canvas.width, trace.steps[mover->micro].op->summary,
                               theme.text_quiet, look().fonts.small) +
              look().px(8);
  if (kept.followed != mover) {
    kept.look.first_byte = mover->byte.value_or(0) / 64 * 64;
    kept.look.repeat = mover->repeat;
    kept.followed = mover;
  }
  draw_micro({step.view, trace, index, step.step, mover->micro, step.made, mover->byte}, kept.look, canvas);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({canvas.width, canvas.y - at.y});
  ImGui::EndChild();
}

}  // namespace ts::ui
