// The filter line over the steps, and the search that goes on behind it.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/boxes.h"
#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/panes/parts/text_field.h"
#include "app/panes/program/step_list.h"
#include "app/panes/time/step_axis.h"
#include "app/view/targets.h"

namespace ts::ui {

void StepList::set_filter(std::string text) { filter_ = std::move(text); }

void StepList::read_filter_line(const Recording& recording) {
  if (read_filter_ == filter_) return;
  read_filter_ = filter_;
  query_.reset();
  wrong_.reset();
  hits_.clear();
  searched_ = 0;
  followed_ = {~0u, 0};
  scroll_.to_start();
  if (filter_.find_first_not_of(" \t") == std::string::npos) return;
  auto read = read_filter(filter_, recording);
  if (auto* wrong = std::get_if<WrongFilter>(&read)) wrong_ = std::move(*wrong);
  else query_ = std::move(std::get<StepQuery>(read));
}

// Takes in the piece that was found, and asks for the next one at once.
void StepList::search_on(DebugView& view) {
  while (filters() && searched_ < view.recording()->count()) {
    const auto find = [query = *query_, first = searched_](Session& session, const std::function<bool()>& go_on) {
      return find_steps(session, query, first, go_on);
    };
    const StepsFound* part =
        found_.get(view.answerer(), fmt::format("{} {} {}", generation_, searched_, filter_), find);
    if (part == nullptr || part->next == searched_) return;
    hits_.insert(hits_.end(), part->steps.begin(), part->steps.end());
    searched_ = part->next;
  }
}

std::string StepList::search_status(const Recording& recording) const {
  if (!filters()) return fmt::format("{} step{}", grouped(recording.count()), recording.count() == 1 ? "" : "s");
  if (searched_ < recording.count())
    return fmt::format("{} so far, {} %", grouped(hits_.size()), std::uint64_t{searched_} * 100 / recording.count());
  if (hits_.empty()) return "no step fits";
  return fmt::format("{} of {} steps", grouped(hits_.size()), grouped(recording.count()));
}

void StepList::draw_filter(DebugView& view, const Rect& area) {
  const Theme& theme = *look().theme;
  const Recording& recording = *view.recording();
  read_filter_line(recording);
  search_on(view);
  const std::string status = search_status(recording);
  WithFont small(look().fonts.small);
  const float room = ImGui::CalcTextSize(status.c_str()).x + look().px(14);
  ImGui::SetCursorScreenPos({area.min.x + look().px(6), area.min.y + look().px(3)});
  ImGui::SetNextItemWidth(std::max(look().px(80), area.width() - room - look().px(12)));
  if (wants_focus_) give_caret();
  wants_focus_ = false;
  {
    WithFont mono(look().fonts.mono);
    text_field("##filter", "filter: op:tadd  writes:t2  nan", filter_);
  }
  if (targets_wanted()) note_target("program/filter", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) draw_filter_help();
  if (ImGui::IsItemActive() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) filter_.clear();
  const float y = area.min.y + look().px(7);
  ImGui::GetWindowDrawList()->AddText({area.max.x - room + look().px(4), y}, ink(theme.text_quiet), status.c_str());
  if (!wrong_) return;
  // The word that is wrong, as in a compiler's message, and what would be right.
  ImGui::SetCursorScreenPos({area.min.x + look().px(8), area.max.y});
  const std::string word = filter_.substr(wrong_->begin, wrong_->end - wrong_->begin);
  const Rect sign = Room(Room(rest_of_window()).top(ImGui::GetFontSize())).left(look().px(14));
  draw_severity(*ImGui::GetWindowDrawList(), sign, Severity::Error);
  ImGui::SetCursorScreenPos({sign.max.x + look().px(5), sign.min.y});
  ImGui::TextColored(tint(theme.finding), "%s: %s", word.c_str(), wrong_->refusal.text.c_str());
  ImGui::SetCursorScreenPos({sign.max.x + look().px(5), sign.max.y + look().px(3)});
  ImGui::TextColored(tint(theme.text_quiet), "%s", wrong_->refusal.hint.c_str());
}

void StepList::draw_filter_help() const {
  ImGui::BeginTooltip();
  ImGui::TextUnformatted("Shows the steps that are all of this:");
  for (const FilterWord& word : filter_words()) {
    {
      WithFont mono(look().fonts.mono);
      ImGui::TextUnformatted(word.example);
    }
    ImGui::SameLine(look().px(130));
    ImGui::TextColored(tint(look().theme->text_quiet), "%s", word.meaning);
  }
  ImGui::TextColored(tint(look().theme->text_quiet), "Any other word has to be in the step's text.");
  ImGui::EndTooltip();
}

}  // namespace ts::ui
