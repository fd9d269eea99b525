// What changed between two positions: tiles, registers, buffers and their elements, each of which can be gone to.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <optional>
#include <set>

#include "app/draw/look.h"
#include "app/panes/pane.h"
#include "app/panes/parts/chip_row.h"
#include "app/panes/parts/empty.h"
#include "app/panes/parts/list_row.h"
#include "app/view/later.h"
#include "app/view/targets.h"
#include "core/debug/compare/what_changed.h"

namespace ts::ui {
namespace {

class ChangedPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;
  void forget() override { from_ = to_ = {}, open_.clear(); }

 private:
  enum class Kind : std::uint8_t { Tiles, Registers, Buffers };
  std::pair<std::uint32_t, std::uint32_t> range(const DebugView& view) const;
  void draw_ends(DebugView& view);
  void draw_end(const char* id, std::optional<std::uint32_t>& end, std::uint32_t shown, std::uint32_t count);
  void draw_list(DebugView& view, CommandQueue& out, const std::vector<ChangedThing>& changed, std::uint32_t to);
  void draw_thing(DebugView& view, CommandQueue& out, const ChangedThing& thing, std::uint32_t to);

  // Nothing: one step before where the session stands, and there.
  std::optional<std::uint32_t> from_, to_;
  std::set<std::pair<bool, std::uint32_t>> open_;  // things whose elements are listed
  Later<std::vector<ChangedThing>> changed_;
  int row_ = 0;
};

constexpr const char* kKinds[] = {"tiles", "registers", "buffers"};

}  // namespace

std::pair<std::uint32_t, std::uint32_t> ChangedPane::range(const DebugView& view) const {
  const std::uint32_t count = view.recording()->count(), now = view.moment().position;
  const std::uint32_t to = std::min(to_.value_or(now), count);
  return {std::min(from_.value_or(to - std::min(to, 1u)), count), to};
}

// changedBetween(from, to): without them the last step.
bool ChangedPane::act(const Command& command, DebugView& view, CommandQueue&) {
  if (command.name != "changedBetween" || view.recording() == nullptr) return false;
  from_.reset(), to_.reset();
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(command.number(i), 0, std::int64_t{view.recording()->count()}));
  };
  if (!command.values.empty()) from_ = at(0);
  if (command.values.size() > 1) to_ = at(1);
  return true;
}

void ChangedPane::draw_end(const char* id, std::optional<std::uint32_t>& end, std::uint32_t shown,
                           std::uint32_t count) {
  int value = static_cast<int>(shown);
  ImGui::SetNextItemWidth(look().px(100));
  if (ImGui::InputInt(id, &value)) end = static_cast<std::uint32_t>(std::clamp(value, 0, static_cast<int>(count)));
  note_target(std::string("changed/") + (id + 2), {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

void ChangedPane::draw_ends(DebugView& view) {
  const auto [from, to] = range(view);
  const std::uint32_t count = view.recording()->count();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("from");
  ImGui::SameLine();
  draw_end("##from", from_, from, count);
  ImGui::SameLine();
  ImGui::TextUnformatted("to");
  ImGui::SameLine();
  draw_end("##to", to_, to, count);
  ChipRow chips("changed");
  const bool follows = !from_ && !to_;
  if (chips.put("last step", follows, "What the last step changed, wherever one stands")) from_.reset(), to_.reset();
  if (chips.put("from here on", from_ && !to_, "Keeps where one stands as the beginning, and goes on from there"))
    from_ = view.moment().position, to_.reset();
  chips.end();
}

void ChangedPane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr) return say_empty("No program runs.", "Open one that runs, and make a step.");
  draw_ends(view);
  const auto [from, to] = range(view);
  const std::vector<ChangedThing>* changed =
      changed_.get(view.answerer(), fmt::format("{} {}", from, to),
                   [from = from, to = to](Session& session, const std::function<bool()>& go_on) {
                     return what_changed(session, from, to, go_on);
                   });
  if (changed == nullptr) return ImGui::TextDisabled("looking...");
  if (changed->empty()) return say_empty("Nothing is different.", "Choose positions that are further apart.");
  draw_list(view, out, *changed, to);
}

void ChangedPane::draw_list(DebugView& view, CommandQueue& out, const std::vector<ChangedThing>& changed,
                            std::uint32_t to) {
  ImGui::BeginChild("things", ImGui::GetContentRegionAvail());
  row_ = 0;
  for (const Kind kind : {Kind::Tiles, Kind::Registers, Kind::Buffers}) {
    const auto of_kind = [&](const ChangedThing& one) {
      return one.is_register ? kind == Kind::Registers : one.is_tile ? kind == Kind::Tiles : kind == Kind::Buffers;
    };
    const auto count = std::ranges::count_if(changed, of_kind);
    if (count == 0) continue;
    ImGui::TextDisabled("%s", fmt::format("{} {}", count, kKinds[static_cast<std::size_t>(kind)]).c_str());
    for (const ChangedThing& one : changed)
      if (of_kind(one)) draw_thing(view, out, one, to);
  }
  ImGui::EndChild();
}

void ChangedPane::draw_thing(DebugView& view, CommandQueue& out, const ChangedThing& thing, std::uint32_t to) {
  const Owner owner{thing.is_tile ? Owner::Kind::Tile : Owner::Kind::Buffer, thing.id};
  const std::string name = view.name_of(owner);
  const std::pair key{thing.is_tile, thing.id};
  const bool open = open_.contains(key);
  const auto jump = [&](std::uint32_t row, std::uint32_t col) {
    out.push("seek", {std::int64_t{to}, std::int64_t{0}});
    out.push("select", {name, std::int64_t{row}, std::int64_t{col}});
  };
  {
    ListRow row(row_++);
    row.text(name, look().theme->text);
    row.more(thing.changed == 0 ? "" : fmt::format("{} of {} elements", thing.changed, thing.all));
    if (!thing.moved.empty()) row.more("stands at " + thing.moved);
    note_target("changed/" + name, row.rect());
    if (row.clicked()) {
      if (open) open_.erase(key);
      else open_.insert(key);
      if (!open && !thing.elements.empty()) jump(thing.elements[0].row, thing.elements[0].col);
    }
  }
  if (!open) return;
  for (const ChangedElement& element : thing.elements) {
    ListRow row(row_++);
    row.tab(0.06f);
    row.text(fmt::format("[{},{}]", element.row, element.col), look().theme->text_quiet);
    row.text(fmt::format("{} became {}", element.before, element.after), look().theme->text);
    note_target(fmt::format("changed/{}[{},{}]", name, element.row, element.col), row.rect());
    if (row.clicked()) jump(element.row, element.col);
  }
  if (thing.changed > thing.elements.size())
    ImGui::TextDisabled("%s", fmt::format("    and {} more", thing.changed - thing.elements.size()).c_str());
}

namespace {

const RegisteredPane kChangedPane({
    .id = "changed",
    .title = "What changed",
    .help = "Which tiles, registers, buffers and elements are different at two positions.",
    .order = 125,
    .places = {{"debug", "middle below", 3}},
    .manual =
        R"(Which tiles, registers and buffers differ between two positions, and in which elements: of the last step, from where one
stood on, or between any two. A row opens the first elements with what they were and what they became; clicking one goes to
the later position and selects it. An element that only came to be written counts too; a tile that stands elsewhere says so.)",
    .make = make_pane<ChangedPane>,
});

}  // namespace
}  // namespace ts::ui
