// What the view looked like before, for going back: layouts, panes, theme, size, how tiles are shown. Knows nothing of
// what a state holds but that it is JSON. Knows no ImGui.
#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ts::ui {

class AppearanceHistory {
 public:
  static constexpr std::size_t kMostKept = 100;

  // The view looks like this now. The one before can be gone back to where they differ in more than what passes: which
  // tab is in front, where something is scrolled to.
  void note(nlohmann::json state);
  // What to show; nothing: there is no more. The state that is shown then is to be told to `settle`.
  std::optional<nlohmann::json> undo();
  std::optional<nlohmann::json> redo();
  // What came of showing a state: from then on changes are counted from here.
  void settle(nlohmann::json state);
  bool can_undo() const { return !before_.empty(); }
  bool can_redo() const { return !after_.empty(); }
  // The names of the members that differ between two states: "theme", "layouts".
  static std::string what_differs(const nlohmann::json& a, const nlohmann::json& b);

 private:
  std::optional<nlohmann::json> now_;
  std::deque<nlohmann::json> before_, after_;
};

// A state without what is not worth a step back: members called "active", "scroll", "front".
nlohmann::json without_passing(const nlohmann::json& state);

}  // namespace ts::ui
