// Finding what is meant.
#include "app/window/shell/explainer.h"

#include <imgui.h>

#include "app/draw/focus.h"
#include "app/draw/subjects.h"
#include "app/window/desk/walk.h"

namespace ts::ui {

void Explainer::ask() {
  if (state_ == State::No) state_ = State::Asked;
}

void Explainer::finish(const PaneArea& panes, Legend& legend, HelpCard& card, CommandQueue& queue, Walk& walk) {
  if (state_ == State::Asked) {
    want_subjects(true);
    state_ = State::Looking;
    return;
  }
  if (state_ != State::Looking) return;
  state_ = State::No;
  // By keys only what has the focus is meant, wherever the mouse lies; unless it was moved since.
  const bool by_keys = shows_focus() && !mouse_came_last();
  std::vector<Subject> meant = subjects();
  want_subjects(false);
  if (by_keys) std::erase_if(meant, [](const Subject& subject) { return subject.kind != Subject::Kind::Command; });
  ImVec2 at = ImGui::GetIO().MousePos;
  std::string pane = panes.focused();
  for (const auto& [id, area] : panes.places()) {
    if (!by_keys && area.holds(ImGui::GetIO().MousePos)) pane = id;
    if (by_keys && id == pane) at = area.min;
  }
  const Explanation explained = explanation_of(meant, pane);
  switch (explained.kind) {
    case Explanation::Kind::Legend: legend.show(explained.names); break;
    case Explanation::Kind::Page: queue.push("page", {explained.names.front()}); break;
    case Explanation::Kind::Command: card.show_command(explained.names.front(), at); break;
    case Explanation::Kind::Pane:
      if (const Pane* of = panes.find(explained.names.front())) card.show_pane(*of, at);
      break;
    case Explanation::Kind::Nothing:
      walk.tell("there is nothing here to explain", "point at a pane, a mark, a button or a command, and ask again");
      break;
  }
}

}  // namespace ts::ui
