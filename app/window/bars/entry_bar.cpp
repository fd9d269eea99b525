// Drawing the question.
#include "app/window/bars/entry_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/view/targets.h"
#include "app/window/bars/question.h"

namespace ts::ui {
namespace {

constexpr std::size_t kMostButtons = 12;  // a file may have any number; the command takes every name

}  // namespace

float entry_bar_height() { return question_height(); }

void draw_entry_bar(const Rect& area, const Document& document, CommandQueue& out) {
  const std::string words = fmt::format("{} has {} entry points. This is the first, {}. Which one do you mean?",
                                        document.name, document.entries.size(), document.entry);
  put_question(area, words, 0.6f);
  for (std::size_t i = 0; i < std::min(document.entries.size(), kMostButtons); ++i) {
    const std::string& entry = document.entries[i];
    if (ImGui::Button(fmt::format("{}##entry {}", entry, i).c_str())) out.push("entry", {entry});
    if (targets_wanted()) note_target("entry/" + entry, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
    ImGui::SameLine();
    if (ImGui::GetCursorScreenPos().x > area.max.x - look().px(60)) break;
  }
  ImGui::NewLine();
}

}  // namespace ts::ui
