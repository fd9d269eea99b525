// Expressions and what they are worth where the session stands.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/panes/pane.h"
#include "app/panes/parts/empty.h"
#include "app/panes/parts/list_row.h"
#include "app/panes/parts/text_field.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

class WatchPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;

 private:
  void draw_line(const WatchLine& watch, std::size_t index, CommandQueue& out);
  void draw_editing(std::size_t index, CommandQueue& out);
  void draw_adding(CommandQueue& out);
  void draw_examples(DebugView& view, CommandQueue& out);

  std::string text_, edited_;
  std::optional<std::size_t> editing_;
  bool again_ = false, editing_begins_ = false;
};

void draw_value(ListRow& row, const WatchLine& watch) {
  const Theme& theme = *look().theme;
  if (!watch.ok) row.text(watch.value, theme.finding, false);
  else row.text(watch.value, watch.changed ? theme.written : theme.text);
}

// A tile of the step that is shown, so that the examples can be tried.
std::string some_tile(DebugView& view) {
  if (const auto step = view.shown_step())
    for (const Operand& operand : view.recording()->bound(*step).operands)
      if (operand.spec != nullptr && operand.spec->kind == OperandKind::Tile && !operand.implicit)
        return view.recording()->program().tiles[operand.id].name;
  for (const TileDecl& tile : view.recording()->program().tiles)
    if (!tile.implicit) return tile.name;
  return "";
}

}  // namespace

void WatchPane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr) {
    say_empty("Nothing to watch.", "Open a program that runs.");
    return;
  }
  draw_adding(out);
  const std::vector<WatchLine>& watches = view.standing().watches;
  if (editing_ && *editing_ >= watches.size()) editing_.reset();
  if (watches.empty()) {
    draw_examples(view, out);
    return;
  }
  ImGui::BeginChild("watches", {0, 0});
  for (std::size_t i = 0; i < watches.size(); ++i) {
    if (editing_ == i) draw_editing(i, out);
    else draw_line(watches[i], i, out);
  }
  ImGui::EndChild();
}

void WatchPane::draw_line(const WatchLine& watch, std::size_t index, CommandQueue& out) {
  const Theme& theme = *look().theme;
  ListRow row(static_cast<int>(index));
  row.sign(
      [&](ImDrawList& list, const Rect& rect) {
        if (!watch.ok) draw_severity(list, rect, Severity::Error);
        else if (watch.changed) draw_changed(list, rect, ink(theme.written));
      },
      !watch.ok       ? "It cannot be worked out here."
      : watch.changed ? "Changed by the last move."
                      : "The same as before.");
  if (row.remove("Remove")) out.push("unwatch", {static_cast<std::int64_t>(index)});
  row.text(watch.expression, mix(theme.text, theme.src0, 0.55));
  row.tab(0.4f);
  draw_value(row, watch);
  if (row.double_clicked()) {
    editing_ = index;
    edited_ = watch.expression;
    editing_begins_ = true;
  }
}

void WatchPane::draw_editing(std::size_t index, CommandQueue& out) {
  ImGui::PushID(static_cast<int>(index));
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - look().px(8));
  if (editing_begins_) give_caret();
  WithFont mono(look().fonts.mono);
  const bool entered = text_field("##edit", "", edited_, ImGuiInputTextFlags_EnterReturnsTrue);
  if (entered) {
    if (edited_.empty()) out.push("unwatch", {static_cast<std::int64_t>(index)});
    else out.push("editWatch", {static_cast<std::int64_t>(index), edited_});
  }
  if (entered || (!editing_begins_ && ImGui::IsItemDeactivated())) editing_.reset();
  editing_begins_ = false;
  ImGui::PopID();
}

void WatchPane::draw_adding(CommandQueue& out) {
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look().px(6));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look().px(4));
  ImGui::SetNextItemWidth(std::max(look().px(80), ImGui::GetContentRegionAvail().x - look().px(8)));
  if (again_) give_caret();
  again_ = false;
  WithFont mono(look().fonts.mono);
  const bool entered =
      text_field("##watch", "watch: t2[1,5]  t2:stats().max", text_, ImGuiInputTextFlags_EnterReturnsTrue);
  if (targets_wanted()) note_target("watch/add", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  again_ = entered;
  if (entered && !text_.empty()) {
    out.push("watch", {text_});
    text_.clear();
  }
  ImGui::Dummy({1, look().px(2)});
}

void WatchPane::draw_examples(DebugView& view, CommandQueue& out) {
  const std::string tile = some_tile(view);
  say_empty("Nothing is watched.",
            tile.empty() ? "Type an expression of Lua above." : "Type an expression above, or click one of these:");
  if (tile.empty()) return;
  struct Example {
    std::string text;
    const char* meaning;
  };
  const Example examples[] = {{tile + "[0,0]", "an element"},
                              {tile + "[0,0],x", "its bits"},
                              {tile + ":stats().max", "the largest of its valid elements"},
                              {tile, "the tile in short"}};
  int id = 0;
  for (const Example& example : examples) {
    ListRow row(id++);
    row.text(example.text, mix(look().theme->text, look().theme->src0, 0.55));
    row.tab(0.4f);
    row.more(example.meaning);
    if (row.clicked()) out.push("watch", {example.text});
  }
}

namespace {

const RegisteredPane kWatchPane({
    .id = "watch",
    .title = "Watch",
    .help = "Expressions, and their values where you stand.",
    .order = 20,
    .places = {{"debug", "left below", 1}},
    .manual =
        R"(Expressions in Lua that are shown wherever the session stands, such as `rec:tile("t2"):get(1,5)`. Type one into the line;
`,x` behind it shows it in hexadecimal, `,b` in bits. One whose value changed with the last move has a diamond.)",
    .make = make_pane<WatchPane>,
});

}  // namespace
}  // namespace ts::ui
