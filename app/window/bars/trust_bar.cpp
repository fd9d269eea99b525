// Drawing the question.
#include "app/window/bars/trust_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/view/targets.h"
#include "app/window/bars/question.h"

namespace ts::ui {

float trust_bar_height() { return question_height(); }

void draw_trust_bar(const Rect& area, const Document& document, CommandQueue& out) {
  const std::string words =
      fmt::format("{} is C++: to debug it, its code is compiled and runs here, with your rights.", document.name);
  put_question(area, words, 0.7f);
  if (ImGui::Button("Run it, and files of its folder")) out.push("runCode");
  if (targets_wanted()) note_target("trust/run", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

}  // namespace ts::ui
