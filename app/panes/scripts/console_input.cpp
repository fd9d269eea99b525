// The console's input line: history, and a list of how a word may go on.
#include <algorithm>
#include <cmath>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/panes/parts/text_field.h"
#include "app/panes/scripts/console_pane.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

constexpr std::size_t kMostHistory = 500, kMostShown = 10;

std::string common_start(const std::vector<std::string>& names) {
  std::string start = names.front();
  for (const std::string& name : names) {
    const auto differ = std::ranges::mismatch(start, name);
    start.resize(static_cast<std::size_t>(differ.in1 - start.begin()));
  }
  return start;
}

void replace_from(ImGuiInputTextCallbackData* data, std::size_t begin, const std::string& with) {
  const int at = static_cast<int>(std::min(begin, static_cast<std::size_t>(data->BufTextLen)));
  data->DeleteChars(at, data->BufTextLen - at);
  data->InsertChars(at, with.c_str());
}

}  // namespace

void ConsolePane::draw_input(DebugView& view, CommandQueue& out, const Rect& area) {
  take_guesses(view);
  const Theme& theme = *look().theme;
  ImGui::GetWindowDrawList()->AddLine(area.min, {area.max.x, area.min.y}, ink(theme.line));
  ImGui::SetCursorScreenPos({area.min.x + look().px(4), area.min.y + look().px(4)});
  ImGui::SetNextItemWidth(std::max(look().px(60), area.width() - look().px(8)));
  if (again_) give_caret();
  again_ = false;
  const auto callback = [](ImGuiInputTextCallbackData* data) {
    return static_cast<ConsolePane*>(data->UserData)->on_input(data);
  };
  WithFont mono(look().fonts.mono);
  const bool entered = text_field(
      "##input", view.recording() != nullptr ? "over, ? t[1,5], help, or Lua" : "help, or Lua", text_,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
          ImGuiInputTextFlags_CallbackHistory | ImGuiInputTextFlags_CallbackEdit | ImGuiInputTextFlags_CallbackAlways,
      callback, this);
  const Rect input{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  if (targets_wanted()) note_target("console/input", input);
  const bool typing = ImGui::IsItemActive();
  if (asks_) out.complete(wanted_);
  asks_ = false;
  if (guessing()) draw_guesses(input);
  // The list goes with the cursor, but not before a click into it was seen.
  if (!typing && !again_ && !insert_) guesses_ = {};
  if (!entered) return;
  again_ = true;
  guesses_ = {};
  scroll_.to_end();
  if (text_.empty()) return;
  if (history_.empty() || history_.back() != text_) history_.push_back(text_);
  if (history_.size() > kMostHistory) history_.erase(history_.begin());
  in_history_ = history_.size();
  out.push("console", {text_});
  text_.clear();
}

int ConsolePane::on_input(ImGuiInputTextCallbackData* data) {
  if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && insert_) {
    replace_from(data, guesses_.begin, *insert_);
    const bool is_whole = std::ranges::find(guesses_.names, *insert_) != guesses_.names.end();
    insert_.reset();
    if (is_whole) guesses_ = {};
  }
  if (data->EventFlag == ImGuiInputTextFlags_CallbackEdit && guessing()) {
    // The list goes on with what is typed, as long as it fits.
    const std::string line(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const std::string begun = line.size() >= guesses_.begin ? line.substr(guesses_.begin) : "\n";
    std::erase_if(guesses_.names, [&](const std::string& name) { return !name.starts_with(begun); });
    chosen_ = 0;
  }
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) complete(data);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) {
    const int by = data->EventKey == ImGuiKey_UpArrow ? -1 : 1;
    const std::size_t names = guesses_.names.size();
    if (guessing()) chosen_ = (chosen_ + names + static_cast<std::size_t>(by)) % names;
    else walk_history(data, by);
  }
  return 0;
}

// Tab: asks, and with the list there takes the chosen one.
void ConsolePane::complete(ImGuiInputTextCallbackData* data) {
  if (guessing()) {
    replace_from(data, guesses_.begin, guesses_.names[std::min(chosen_, guesses_.names.size() - 1)]);
    guesses_ = {};
    return;
  }
  wanted_.assign(data->Buf, static_cast<std::size_t>(data->CursorPos));
  asks_ = true;
}

// What is there fits the line as it was when it was asked for; otherwise it comes too late.
void ConsolePane::take_guesses(DebugView& view) {
  const Guesses& told = view.guesses();
  if (wanted_.empty() || told.line != wanted_) return;
  const bool fits = text_ == wanted_ && !told.names.empty();
  wanted_.clear();
  if (!fits) return;
  guesses_ = told;
  chosen_ = 0;
  // What all of them begin with goes in at once; the list stays for the rest.
  insert_ = common_start(guesses_.names);
}

void ConsolePane::walk_history(ImGuiInputTextCallbackData* data, int by) {
  in_history_ = std::min(in_history_, history_.size());
  if ((by < 0 && in_history_ == 0) || (by > 0 && in_history_ == history_.size())) return;
  if (in_history_ == history_.size()) unfinished_.assign(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  in_history_ += static_cast<std::size_t>(by);
  replace_from(data, 0, in_history_ == history_.size() ? unfinished_ : history_[in_history_]);
}

// Above the line, where the word begins; not an ImGui popup, which would take the keys from the line.
void ConsolePane::draw_guesses(const Rect& input) {
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.mono;
  const std::size_t all = guesses_.names.size(), shown = std::min(all, kMostShown);
  const std::size_t first = std::min(chosen_ >= shown ? chosen_ - shown + 1 : 0, all - shown);
  const float height = std::floor(font->FontSize * 1.4f), glyph = font->GetCharAdvance('0');
  std::size_t longest = 8;
  for (const std::string& name : guesses_.names) longest = std::max(longest, name.size());
  const float width = static_cast<float>(longest + 3) * glyph;
  const float x =
      std::min(input.min.x + look().px(8) + static_cast<float>(guesses_.begin) * glyph, input.max.x - width);
  const float rows = static_cast<float>(shown) + (all > shown ? 1.0f : 0.0f);
  const Rect box{{x, input.min.y - rows * height - look().px(8)}, {x + width, input.min.y - look().px(2)}};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(box.min, box.max, ink(theme.raised), look().px(4));
  list.AddRect(box.min, box.max, ink(theme.line), look().px(4));
  for (std::size_t i = 0; i < shown; ++i) {
    const float y = box.min.y + look().px(3) + static_cast<float>(i) * height;
    const Rect row{{box.min.x + 1, y}, {box.max.x - 1, y + height}};
    const bool chosen = first + i == chosen_;
    if (chosen) list.AddRectFilled(row.min, row.max, ink(theme.pressed));
    list.AddText(font, font->FontSize, {row.min.x + look().px(6), y + (height - font->FontSize) / 2}, ink(theme.text),
                 guesses_.names[first + i].c_str());
    if (row.holds(ImGui::GetIO().MousePos) && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      insert_ = guesses_.names[first + i];
      again_ = true;
    }
  }
  if (all > shown) {
    const std::string more = std::to_string(all - shown) + " more";
    list.AddText(look().fonts.small, look().fonts.small->FontSize, {box.min.x + look().px(7), box.max.y - height},
                 ink(theme.text_quiet), more.c_str());
  }
}

}  // namespace ts::ui
