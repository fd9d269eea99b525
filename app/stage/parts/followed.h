// What a drawing finds out about its step beside the window.
#pragma once

#include <fmt/format.h>

#include <string>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/stage/drawing.h"

namespace ts::ui {

// The answer about this step; null, and `waiting` stands in the area: it is still being found. `find` is that of Later.
template <class Answer, class Find>
const Answer* followed(StageStep& step, const Rect& area, const std::string& waiting, Find find) {
  const Answer* answer =
      step.view.kept().of<Later<Answer>>().get(step.view.answerer(), fmt::format("{}", step.step), find);
  if (answer != nullptr) return answer;
  if (step.memory.measured) step.memory.measured->answered = false;
  put_text_cut({area.min.x, area.min.y + look().px(40)}, area.width(), waiting, look().theme->text_quiet,
               look().fonts.text);
  // The focus has not been shown yet.
  step.memory.kept_focus.reset();
  return nullptr;
}

}  // namespace ts::ui
