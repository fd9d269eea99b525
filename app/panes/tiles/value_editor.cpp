// Drawing the card.
#include "app/panes/tiles/value_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/panes/parts/text_field.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

constexpr const char* kValuePopup = "change value";

// "t2[1,5]", "t2[0..1,0..3]".
std::string part_text(const std::string& name, const Window& part) {
  const auto span = [](std::uint32_t first, std::uint32_t count) {
    return count <= 1 ? fmt::format("{}", first) : fmt::format("{}..{}", first, first + count - 1);
  };
  return fmt::format("{}[{},{}]", name, span(part.row, part.rows), span(part.col, part.cols));
}

// Rows and columns of what spreadsheets put onto the clipboard.
Window extent_of_text(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  Window extent{0, 0, 1, 1};
  std::uint32_t cols = 1;
  for (const char letter : text) {
    if (letter == '\t') ++cols;
    extent.cols = std::max(extent.cols, cols);
    if (letter == '\n') ++extent.rows, cols = 1;
  }
  return extent;
}

void note_value_target(const char* name) {
  if (targets_wanted() && !ImGui::IsWindowAppearing())
    note_target(name, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

}  // namespace

void ValueEditor::open(std::string name, const Window& part, std::string now) {
  name_ = std::move(name);
  part_ = part;
  now_ = std::move(now);
  value_.clear();
  opens_ = true;
}

void ValueEditor::paste(const std::string& name, const Window& part, CommandQueue& out) {
  const char* clip = ImGui::GetClipboardText();
  const std::string text = clip != nullptr ? clip : "";
  Window there = extent_of_text(text);
  const bool fills = there.rows == 1 && there.cols == 1;
  there.row = part.row, there.col = part.col;
  if (fills) there = part;
  out.push("edit", {fmt::format("{}={}", part_text(name, there), text)});
}

void ValueEditor::draw(const DebugView& view, CommandQueue& out) {
  const bool appears = std::exchange(opens_, false);
  if (appears) ImGui::OpenPopup(kValuePopup);
  if (!ImGui::BeginPopup(kValuePopup)) return;
  {
    const WithFont mono(look().fonts.mono);
    ImGui::TextUnformatted(part_text(name_, part_).c_str());
  }
  ImGui::SameLine();
  ImGui::TextDisabled("from step %u on", view.moment().position);
  ImGui::SetNextItemWidth(look().px(300));
  if (appears) give_caret();
  const bool entered = text_field("##value", now_.c_str(), value_, ImGuiInputTextFlags_EnterReturnsTrue);
  note_value_target("value/field");
  // ImGui would take it for the field alone, and the card would stay.
  if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
    ImGui::CloseCurrentPopup();
  const bool several = part_.rows * part_.cols > 1;
  ImGui::TextDisabled("%s", several ? "one value fills the part; or a row of values, rows ended by ;"
                                    : "3, -1.5, nan, inf; 0x40400000 are its bits, 0b1010 too");
  ImGui::TextDisabled("Enter runs the program again from its beginning, with this from here on.");
  const bool runs = ImGui::Button("Run on") || entered;
  note_value_target("value/run");
  ImGui::SameLine();
  if (ImGui::Button("Paste")) {
    paste(name_, part_, out);
    ImGui::CloseCurrentPopup();
  }
  note_value_target("value/paste");
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) ImGui::CloseCurrentPopup();
  if (runs && !value_.empty()) {
    out.push("edit", {fmt::format("{}={}", part_text(name_, part_), value_)});
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace ts::ui
