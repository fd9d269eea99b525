// Slices of what has more than two dimensions: which one is shown, and choosing another.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/panes/tiles/tiles_pane.h"
#include "app/view/targets.h"

namespace ts::ui {

Slices TilesPane::slices(const DebugView& view) const {
  const Program& program = view.recording()->program();
  return owner_->kind == Owner::Kind::Tile ? slices_of(program.tiles[owner_->id].type)
                                           : slices_of(program.buffers[owner_->id]);
}

// Its rows; nothing: all of it is shown. A program that was edited may have fewer.
std::optional<Window> TilesPane::slice_shown(DebugView& view) {
  const auto& set = setting(view).slice;
  if (!set) return {};
  const Slices all = slices(view);
  if (all.count() == 0) return {};
  return Window{std::min(*set, all.count() - 1) * all.rows(), 0, all.rows(), all.dims.back()};
}

// Where a slice is shown, the one that has a row.
void TilesPane::slice_at(DebugView& view, std::uint32_t row) {
  auto& set = setting(view).slice;
  if (!set) return;
  if (const Slices all = slices(view); all.count() > 0) set = std::min(all.of_row(row), all.count() - 1);
}

// showSlice(first, second, ...): without an index all of it. False: it has no slices.
bool TilesPane::show_slice(const Command& command, DebugView& view) {
  const Slices all = slices(view);
  if (all.count() == 0) return false;
  auto& set = setting(view).slice;
  const std::uint32_t count = all.count(), now = std::min(set.value_or(count - 1), count - 1);
  if (command.name == "nextSlice") {
    set = (now + 1) % count;
  } else if (command.name == "previousSlice") {
    set = set ? (now + count - 1) % count : now;
  } else if (command.values.empty()) {
    set.reset();
  } else {
    std::vector<std::uint32_t> index;
    for (std::size_t i = 0; i < command.values.size(); ++i) index.push_back(clamped(command.number(i)));
    set = all.at(index);
  }
  return true;
}

// A line of its own, where there are slices: a box for all of it, a number for each dimension that chooses.
void TilesPane::draw_slices(DebugView& view) {
  const Slices all = slices(view);
  if (all.count() == 0) return;
  const WithFont font(look().fonts.small);
  auto& set = setting(view).slice;
  const std::uint32_t slice = std::min(set.value_or(0), all.count() - 1);
  const auto note = [](const std::string& name) {
    if (targets_wanted()) note_target("tiles/slice " + name, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  };
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("slice");
  ImGui::SameLine();
  bool whole = !set;
  if (ImGui::Checkbox("all", &whole)) set = whole ? std::nullopt : std::optional(slice);
  note("all");
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("All %u slices, below each other in their order in memory", all.count());
  const std::vector<std::uint32_t> index = all.index_of(slice);
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (all.dims[i] == 1) continue;
    same_line_if_fits(look().px(120));
    ImGui::PushID(static_cast<int>(i));
    ImGui::SetNextItemWidth(look().px(90));
    int at = static_cast<int>(index[i]);
    if (ImGui::InputInt("##index", &at)) {
      const auto last = static_cast<std::int64_t>(all.dims[i]) - 1;
      set = all.with(slice, i, static_cast<std::uint32_t>(std::clamp<std::int64_t>(at, 0, last)));
    }
    note(fmt::format("{}", i));
    if (targets_wanted()) {
      const ImVec2 end = ImGui::GetItemRectMax();
      note_target(fmt::format("tiles/slice {} on", i),
                  {{end.x - ImGui::GetFrameHeight(), end.y - ImGui::GetFrameHeight()}, end});
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Dimension %zu of %zu: 0 to %u", i, all.dims.size(), all.dims[i] - 1);
    ImGui::SameLine(0, look().px(4));
    ImGui::TextDisabled("of %u", all.dims[i]);
    ImGui::PopID();
  }
  same_line_if_fits(look().px(120));
  ImGui::TextDisabled("%s", fmt::format("rows 0 .. {}, columns 0 .. {}", all.rows() - 1, all.dims.back() - 1).c_str());
}

}  // namespace ts::ui
