// Drawing the card.
#include "app/panes/lists/stop_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/panes/parts/text_field.h"
#include "app/view/targets.h"
#include "core/debug/session/condition.h"
#include "core/debug/session/stop_text.h"

namespace ts::ui {
namespace {

constexpr const char* kPopup = "change breakpoint";
constexpr std::size_t kMostGuesses = 8;

// Not before it stands where it fits: its first frame, which nobody sees, only measures it.
void noted(const char* name) {
  if (targets_wanted() && !ImGui::IsWindowAppearing())
    note_target(name, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

// Nothing: it is no count.
std::optional<std::int64_t> count_of(const std::string& text) {
  if (text.empty()) return 0;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

}  // namespace

void StopEditor::open(const StopEntry& stop) {
  id_ = stop.id;
  const Condition* condition = condition_of(stop.rule);
  condition_ = condition != nullptr ? condition->text : "";
  log_ = stop.rule.log;
  ignore_ = stop.rule.ignore > stop.hits ? std::to_string(stop.rule.ignore - stop.hits) : "";
  wanted_.clear();
  guesses_ = {};
  opens_ = caret_ = true;
}

int StopEditor::on_condition(ImGuiInputTextCallbackData* data) {
  if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && !takes_.empty()) {
    const int from = std::min(static_cast<int>(from_), data->BufTextLen);
    data->DeleteChars(from, data->BufTextLen - from);
    data->InsertChars(from, takes_.c_str());
    takes_.clear();
    guesses_ = {};
  }
  if (data->EventFlag == ImGuiInputTextFlags_CallbackEdit) guesses_ = {};
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
    if (!guesses_.names.empty()) takes_ = guesses_.names.front(), from_ = guesses_.begin;
    else wanted_.assign(data->Buf, static_cast<std::size_t>(data->CursorPos));
  }
  return 0;
}

void StopEditor::draw_condition(DebugView& view, CommandQueue& out) {
  ImGui::TextUnformatted("Only when");
  ImGui::SetNextItemWidth(look().px(380));
  if (std::exchange(caret_, false)) give_caret();
  {
    WithFont mono(look().fonts.mono);
    const bool asked = !wanted_.empty();
    text_field(
        "##condition", "t2[1,5] > 3; Tab completes", condition_,
        ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackEdit,
        [](ImGuiInputTextCallbackData* data) { return static_cast<StopEditor*>(data->UserData)->on_condition(data); },
        this);
    if (!asked && !wanted_.empty()) out.complete(wanted_);
  }
  noted("stop/condition");
  if (const Guesses& told = view.guesses(); !wanted_.empty() && told.line == wanted_) {
    if (condition_ == wanted_) guesses_ = told;
    wanted_.clear();
  }
  draw_guesses(view);
}

// Names that it may go on with, and the selected element: what most conditions are about.
void StopEditor::draw_guesses(const DebugView& view) {
  for (std::size_t i = 0; i < std::min(guesses_.names.size(), kMostGuesses); ++i) {
    if (i > 0) ImGui::SameLine();
    if (ImGui::SmallButton(guesses_.names[i].c_str())) {
      condition_ = condition_.substr(0, guesses_.begin) + guesses_.names[i];
      guesses_ = {};
      caret_ = true;
      return;
    }
  }
  if (!view.selected()) return;
  const std::string element = view.name_of(*view.selected());
  if (ImGui::SmallButton(("insert " + element).c_str())) {
    condition_ += element;
    caret_ = true;
  }
  noted("stop/insert");
}

void StopEditor::draw(DebugView& view, CommandQueue& out) {
  if (std::exchange(opens_, false)) ImGui::OpenPopup(kPopup);
  if (!ImGui::BeginPopup(kPopup)) return;
  const auto& stops = view.standing().stops;
  const auto stop = std::ranges::find(stops, id_, &StopEntry::id);
  if (stop == stops.end()) {
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return;
  }
  {
    const WithFont bold(look().fonts.bold);
    ImGui::TextUnformatted(describe(stop->rule).c_str());
  }
  ImGui::TextDisabled("%s", fmt::format("hit {} times", stop->hits).c_str());
  draw_condition(view, out);
  ImGui::TextUnformatted("Let so many hits pass first");
  ImGui::SetNextItemWidth(look().px(120));
  text_field("##ignore", "0", ignore_);
  noted("stop/ignore");
  ImGui::TextUnformatted("Say this instead of stopping");
  ImGui::SetNextItemWidth(look().px(380));
  text_field("##log", "{step} {op}: {%t2} at line {line}, hit {hits}", log_);
  noted("stop/log");
  const auto ignore = count_of(ignore_);
  if (!ignore) ImGui::TextColored(tint(look().theme->finding), "%s", "the number of hits is a count, 0 or more");
  const bool set = ImGui::Button("Set");
  noted("stop/set");
  ImGui::SameLine();
  const bool away = ImGui::Button("Cancel");
  if (set && ignore) out.push("editStop", {std::int64_t{id_}, condition_, *ignore, log_});
  if ((set && ignore) || away) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace ts::ui
