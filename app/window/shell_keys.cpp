// From keys to commands, and from pane to pane.
#include <algorithm>

#include <GLFW/glfw3.h>

#include "app/draw/focus.h"
#include "app/window/shell.h"
#include "app/window/commands/window_commands.h"

namespace ts::ui {
namespace {

// Shows the state before the step for as long as its key is down.
constexpr std::string_view kHeld = "showBefore";

// Keys that ImGui would move the focus by, whatever is held with them.
bool moves_focus(const Chord& chord) {
  constexpr int kMoving[] = {GLFW_KEY_LEFT, GLFW_KEY_RIGHT, GLFW_KEY_UP, GLFW_KEY_DOWN, GLFW_KEY_TAB, GLFW_KEY_ENTER};
  return std::ranges::find(kMoving, chord.key) != std::end(kMoving);
}

}  // namespace

void Shell::press(const Chord& chord, bool) {
  if (keys_dialog_.wants_key()) return keys_dialog_.take_key(chord, key_map_);
  keys_.push_back(chord);
  if (pending_.empty() && key_map_.command_of({chord}) == kHeld && !ImGui::GetIO().WantTextInput && popup().empty()) {
    desk_.hold_before(true);
    held_key_ = chord.key;
  }
}

void Shell::release(const Chord& chord) {
  if (held_key_ == 0 || chord.key != held_key_) return;
  desk_.hold_before(false);
  held_key_ = 0;
}

// Before ImGui looks at the keys: those of commands move no focus, and Tab moves it along the row.
void Shell::guide_focus() {
  ImGuiIO& io = ImGui::GetIO();
  tabbed_ = false;
  if (io.WantTextInput) return;
  const bool held = io.KeyCtrl || io.KeyAlt;
  for (const Chord& chord : keys_) {
    if (chord.alt) forget_alt();
    // From menu to menu they lead by themselves.
    if (!open_menu_.empty() && (chord.key == GLFW_KEY_LEFT || chord.key == GLFW_KEY_RIGHT))
      io.KeysDown[chord.key] = false;
    const bool tab = chord.key == GLFW_KEY_TAB && !chord.ctrl && !chord.alt;
    // The first one only shows where the focus is.
    if (tab && !shows_focus() && has_focus()) {
      show_focus();
    } else if (tab) {
      io.NavInputs[chord.shift ? ImGuiNavInput_KeyLeft_ : ImGuiNavInput_KeyRight_] = 1;
      tabbed_ = true;
    }
    if (tab || ((chord.ctrl || chord.alt) && moves_focus(chord))) io.KeysDown[chord.key] = false;
  }
  if (!held) return;
  for (const int key : {GLFW_KEY_LEFT, GLFW_KEY_RIGHT, GLFW_KEY_UP, GLFW_KEY_DOWN, GLFW_KEY_TAB, GLFW_KEY_ENTER})
    io.KeysDown[key] = false;
}

void Shell::take_keys() {
  for (; !keys_.empty(); keys_.pop_front()) take_key(keys_.front());
}

void Shell::take_key(const Chord& chord) {
  // Half of a chord.
  if (chord.key >= GLFW_KEY_LEFT_SHIFT && chord.key <= GLFW_KEY_RIGHT_SUPER) return;
  const bool typing = ImGui::GetIO().WantTextInput;
  if (palette_.is_open() || chooser_.is_open() || keys_dialog_.is_open()) return;
  const bool over = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (!open_menu_.empty() && (chord.key == GLFW_KEY_LEFT || chord.key == GLFW_KEY_RIGHT))
    return step_menu(chord.key == GLFW_KEY_LEFT ? -1 : 1);
  if (chord == Chord{.key = GLFW_KEY_ESCAPE} && !typing && !over && legend_.is_open() && !help_card_.is_open())
    return legend_.close();
  if (!typing && !over && !help_card_.is_open() && tour_.press(chord, queue_)) return;
  if (pending_.empty() && (typing || over) && chord.types()) return;
  // On the start page, with the focus nowhere, Enter presses the button that is meant for newcomers.
  if (chord == Chord{.key = GLFW_KEY_ENTER} && !typing && !over && desk_.view().document() == nullptr && !shows_focus())
    return queue_.push("tour");
  // Inside a text field, copying and selecting text are the field's.
  const bool edits = chord.ctrl && !chord.alt && !chord.shift &&
                     std::string_view("ACVXZY").find(static_cast<char>(chord.key)) != std::string_view::npos;
  if (typing && edits) return;
  if (chord.alt && !chord.ctrl && !chord.shift)
    for (const Menu& menu : menus())
      if (menu.letter == chord.key) return open_menu(menu.name);
  Keys pressed = pending_;
  pressed.push_back(chord);
  pending_.clear();
  if (const std::string command = key_map_.command_of(pressed); !command.empty()) {
    if (command != kHeld) queue_.push(command);
  } else if (key_map_.begins(pressed)) {
    pending_ = pressed;
  } else if (pressed.size() > 1) {
    desk_.tell(text_of(pressed) + " is no command", "View > Keys shows all keys");
  }
}

void Shell::focus_pane(int by) {
  if (places_.empty()) return;
  const auto count = static_cast<int>(places_.size());
  const auto now = std::ranges::find(places_, focused_, &std::pair<std::string, Rect>::first);
  const int at = now == places_.end() ? (by > 0 ? -1 : 0) : static_cast<int>(now - places_.begin());
  wants_focus_ = places_[static_cast<std::size_t>(((at + by) % count + count) % count)].first;
  focus_by_keys_ = true;
}

void Shell::focus_tab(int by) {
  std::vector<Layout::Placed> leaves;
  std::vector<Layout::Gap> gaps;
  layout().place({{0, 0}, {1000, 1000}}, 0, leaves, gaps);
  for (const Layout::Placed& placed : leaves) {
    const auto& panes = placed.leaf->panes;
    if (std::ranges::find(panes, focused_) == panes.end()) continue;
    const auto count = static_cast<int>(panes.size());
    show_pane(panes[static_cast<std::size_t>((static_cast<int>(placed.leaf->active) + by + count) % count)]);
    focus_by_keys_ = true;
    return;
  }
}

}  // namespace ts::ui
