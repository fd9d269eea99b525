// What a key is for at the moment.
#include "app/window/shell/key_input.h"

#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/draw/focus.h"
#include "app/window/commands/window_commands.h"

namespace ts::ui {
namespace {

// Shows the state before the step for as long as its key is down.
constexpr std::string_view kHeld = "showBefore";

bool is_open_popup() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

// Keys that ImGui would move the focus by, whatever is held with them.
bool moves_focus(const Chord& chord) {
  constexpr int kMoving[] = {GLFW_KEY_LEFT, GLFW_KEY_RIGHT, GLFW_KEY_UP, GLFW_KEY_DOWN, GLFW_KEY_TAB, GLFW_KEY_ENTER};
  return std::ranges::find(kMoving, chord.key) != std::end(kMoving);
}

}  // namespace

void KeyInput::press(const Chord& chord) {
  if (takers_.keys_dialog.wants_key()) return takers_.keys_dialog.take_key(chord, map_);
  keys_.push_back(chord);
  if (pending_.empty() && map_.command_of({chord}) == kHeld && !ImGui::GetIO().WantTextInput && !is_covered()) {
    takers_.walk.hold_before(true);
    held_key_ = chord.key;
  }
}

// Something is open above the panes.
bool KeyInput::is_covered() const {
  return takers_.palette.is_open() || takers_.chooser.is_open() || takers_.keys_dialog.is_open() ||
         takers_.help_card.is_open() || !takers_.menu_bar.open_menu().empty() || takers_.legend.is_open() ||
         takers_.tour.is_open();
}

void KeyInput::release(const Chord& chord) {
  if (held_key_ == 0 || chord.key != held_key_) return;
  takers_.walk.hold_before(false);
  held_key_ = 0;
}

void KeyInput::guide_focus() {
  ImGuiIO& io = ImGui::GetIO();
  tabbed_ = false;
  if (io.WantTextInput) return;
  const bool held = io.KeyCtrl || io.KeyAlt;
  for (std::size_t i = guided_; i < keys_.size(); ++i) {
    const Chord& chord = keys_[i];
    if (chord.alt) forget_alt();
    // From menu to menu they lead by themselves.
    if (!takers_.menu_bar.open_menu().empty() && (chord.key == GLFW_KEY_LEFT || chord.key == GLFW_KEY_RIGHT))
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

void KeyInput::take() {
  while (!keys_.empty() && !caret_is_coming()) {
    const Chord chord = keys_.front();
    keys_.pop_front();
    // The field sees its Enter when it is drawn: what was pressed behind it comes behind it.
    if (chord.key == GLFW_KEY_ENTER && ImGui::GetIO().WantTextInput) expect_caret();
    take_key(chord);
  }
  guided_ = keys_.size();
}

void KeyInput::take_key(const Chord& chord) {
  // Half of a chord.
  if (chord.key >= GLFW_KEY_LEFT_SHIFT && chord.key <= GLFW_KEY_RIGHT_SUPER) return;
  if (belongs_to_others(chord)) return;
  // Inside a text field, copying and selecting text are the field's.
  const bool edits = chord.ctrl && !chord.alt && !chord.shift &&
                     std::string_view("ACVXZY").find(static_cast<char>(chord.key)) != std::string_view::npos;
  if (ImGui::GetIO().WantTextInput && edits) return;
  if (chord.alt && !chord.ctrl && !chord.shift)
    for (const Menu& menu : menus())
      if (menu.letter == chord.key) return takers_.menu_bar.open(menu.name);
  take_command_key(chord);
}

// What is open above the panes, a text field, the start page.
bool KeyInput::belongs_to_others(const Chord& chord) {
  const bool typing = ImGui::GetIO().WantTextInput, over = is_open_popup(), covered = takers_.help_card.is_open();
  if (takers_.palette.is_open() || takers_.chooser.is_open() || takers_.keys_dialog.is_open()) return true;
  if (!takers_.menu_bar.open_menu().empty() && (chord.key == GLFW_KEY_LEFT || chord.key == GLFW_KEY_RIGHT)) {
    takers_.menu_bar.step(chord.key == GLFW_KEY_LEFT ? -1 : 1);
    return true;
  }
  if (chord == Chord{.key = GLFW_KEY_ESCAPE} && !typing && !over && takers_.legend.is_open() && !covered) {
    takers_.legend.close();
    return true;
  }
  if (chord == Chord{.key = GLFW_KEY_ESCAPE} && !typing && !over && takers_.run_sheet.is_open() && !covered) {
    takers_.run_sheet.close();
    return true;
  }
  if (!typing && !over && !covered && takers_.tour.press(chord, takers_.queue)) return true;
  if (pending_.empty() && (typing || over) && chord.types()) return true;
  // On the start page, with the focus nowhere, Enter presses the button that is meant for newcomers.
  if (chord == Chord{.key = GLFW_KEY_ENTER} && !typing && !over && takers_.walk.view().document() == nullptr &&
      !shows_focus()) {
    takers_.queue.push("tour");
    return true;
  }
  return false;
}

void KeyInput::take_command_key(const Chord& chord) {
  Keys pressed = pending_;
  pressed.push_back(chord);
  pending_.clear();
  if (const std::string command = map_.command_of(pressed); !command.empty()) {
    if (command != kHeld) takers_.queue.push(command);
  } else if (map_.begins(pressed)) {
    pending_ = pressed;
  } else if (pressed.size() > 1) {
    takers_.walk.tell(text_of(pressed) + " is no command", "View > Keys shows all keys");
  }
}

}  // namespace ts::ui
