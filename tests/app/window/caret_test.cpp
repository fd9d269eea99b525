// A caret that is on its way closes what has opened in between; what waits until it is there stays.
#include <doctest/doctest.h>
#include <imgui.h>

#include <string>

#include "app/draw/focus.h"
#include "app/panes/parts/text_field.h"
#include "tests/support/window/drawn.h"

namespace ts::test {
namespace {

// A line to type into, which asks for the caret again behind Enter, as that of the console; above it a card that a key opens.
class LineAndCard {
 public:
  void frame(bool enter, bool opens) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyMap[ImGuiKey_Enter] = kEnter;
    io.KeysDown[kEnter] = enter;
    ImGui::NewFrame();
    ImGui::Begin("above");
    if (opens) ImGui::OpenPopup("card");
    card_ = ImGui::BeginPopup("card");
    if (card_) ImGui::EndPopup();
    ImGui::End();
    ImGui::Begin("below");
    if (again_) ui::give_caret();
    again_ = ui::text_field("##line", "", text_, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::End();
    ImGui::Render();
  }
  void start() {
    again_ = true;
    for (int i = 0; i < 4; ++i) frame(false, false);
  }
  bool card() const { return card_; }

 private:
  static constexpr int kEnter = 257;
  std::string text_;
  bool again_ = false, card_ = false;
};

// Whether a card is there in the end that was asked for so many frames behind Enter.
bool card_stays(int frames_behind, bool waits) {
  DrawnPanes drawn;
  LineAndCard both;
  both.start();
  both.frame(true, false);
  bool asked = false;
  for (int i = 1; i < 12; ++i) {
    const bool opens = !asked && i >= frames_behind && !(waits && ui::caret_is_coming());
    asked = asked || opens;
    both.frame(false, opens);
  }
  return both.card();
}

}  // namespace

TEST_CASE("a card that a key opens behind Enter stays, whenever the key comes") {
  for (int frames = 1; frames < 6; ++frames) {
    CAPTURE(frames);
    CHECK(card_stays(frames, true));
  }
  // Why keys wait: opened at once, one of them is closed by the caret.
  bool all = true;
  for (int frames = 1; frames < 6; ++frames) all = all && card_stays(frames, false);
  CHECK_FALSE(all);
}

}  // namespace ts::test
