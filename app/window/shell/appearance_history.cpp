// Going back in the view.
#include "app/window/shell/appearance_history.h"

#include <string_view>
#include <utility>

namespace ts::ui {

nlohmann::json without_passing(const nlohmann::json& state) {
  if (state.is_array()) {
    nlohmann::json kept = nlohmann::json::array();
    for (const nlohmann::json& one : state) kept.push_back(without_passing(one));
    return kept;
  }
  if (!state.is_object()) return state;
  nlohmann::json kept = nlohmann::json::object();
  for (const auto& [name, value] : state.items())
    if (name != "active" && name != "scroll" && name != "front") kept[name] = without_passing(value);
  return kept;
}

void AppearanceHistory::note(nlohmann::json state) {
  if (now_ && state == *now_) return;
  if (now_ && without_passing(*now_) != without_passing(state)) {
    before_.push_back(std::move(*now_));
    if (before_.size() > kMostKept) before_.pop_front();
    after_.clear();
  }
  now_ = std::move(state);
}

void AppearanceHistory::settle(nlohmann::json state) { now_ = std::move(state); }

std::optional<nlohmann::json> AppearanceHistory::undo() {
  if (before_.empty() || !now_) return {};
  after_.push_back(std::move(*now_));
  now_ = std::move(before_.back());
  before_.pop_back();
  return now_;
}

std::optional<nlohmann::json> AppearanceHistory::redo() {
  if (after_.empty() || !now_) return {};
  before_.push_back(std::move(*now_));
  now_ = std::move(after_.back());
  after_.pop_back();
  return now_;
}

std::string AppearanceHistory::what_differs(const nlohmann::json& a, const nlohmann::json& b) {
  std::string names;
  if (!a.is_object() || !b.is_object()) return names;
  const nlohmann::json kept = without_passing(b);
  for (const auto& [name, value] : kept.items()) {
    const auto other = a.find(name);
    if (other != a.end() && without_passing(*other) == without_passing(value)) continue;
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

}  // namespace ts::ui
