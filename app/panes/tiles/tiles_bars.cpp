// The bars above the tile: which one is chosen, how it is shown, what is said of it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/panes/tiles/tiles_pane.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

constexpr const char* kModes[] = {"Numbers", "Heat", "Hex", "Bits", "Exact", "Histogram"};
constexpr const char* kModeHelp[] = {"Decimal numbers; cut ones end with an ellipsis",
                                     "Coloured by value",
                                     "The elements' bits, hexadecimal",
                                     "Sign, exponent, fraction",
                                     "All digits of the number",
                                     "How the values are spread"};

std::string place_text(const TilePicture& picture) {
  const ByteRange& place = picture.place;
  if (place.size == 0) return "no bytes";
  return fmt::format("{} 0x{:x} .. 0x{:x}", name(place.space), place.address, place.address + place.size - 1);
}

std::string type_text(const TilePicture& picture) {
  std::string text = fmt::format("{} {}x{}", picture.elements.format->name, picture.shape.rows, picture.shape.cols);
  if (!picture.tile) return text + " buffer";
  text += " " + picture.tile->type.layout_name();
  if (picture.tile->valid_rows != picture.shape.rows || picture.tile->valid_cols != picture.shape.cols)
    text += fmt::format(", valid {}x{}", picture.tile->valid_rows, picture.tile->valid_cols);
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

// A button that stays down while it is the chosen one.
bool choice_button(const char* text, bool chosen, const char* help) {
  const Theme& theme = *look().theme;
  ImGui::PushStyleColor(ImGuiCol_Button, tint(chosen ? theme.accent : theme.raised));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, tint(chosen ? theme.accent : theme.hovered));
  ImGui::PushStyleColor(ImGuiCol_Text, tint(chosen ? text_on(theme.accent) : theme.text));
  const bool pressed = ImGui::SmallButton(text);
  ImGui::PopStyleColor(3);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", help);
  return pressed;
}

// The whole name of what is under the mouse, where a shorter one is shown.
void name_tip(const DebugView& view, const Owner& owner) {
  if (!ImGui::IsItemHovered()) return;
  if (const std::string written = view.written_name(owner); !written.empty())
    ImGui::SetTooltip("in the text %%%s", written.c_str());
}

}  // namespace

void TilesPane::draw_choice(DebugView& view, const Owner& owner) {
  const Program& program = view.recording()->program();
  const std::string called = view.name_of(owner);
  std::string type;
  ByteRange place;
  if (owner.kind == Owner::Kind::Tile) {
    const TileRef tile = view.tile_at(owner.id, view.moment().position);
    type = fmt::format("{} {}x{} {}", name(tile.type.dtype), tile.rows(), tile.cols(), tile.type.layout_name());
    place = tile.range();
  } else {
    const BufferDecl& buffer = program.buffers[owner.id];
    const BufferShape shape = shape_of(buffer);
    type = fmt::format("{} {}x{} buffer", name(buffer.dtype), shape.rows, shape.cols);
    place = {Space::Gm, buffer.address, buffer.size()};
  }
  const auto step = view.shown_step();
  const Flat begin = view.recording()->map().flat(place);
  const bool written = step && !view.shows_next() && place.size != 0 &&
                       touch(view.recording()->writes(*step), begin, begin + place.size);
  ImGui::PushID(static_cast<int>(owner.id * 2 + (owner.kind == Owner::Kind::Tile ? 0 : 1)));
  if (ImGui::Selectable("##choice", owner_ == owner)) {
    show(owner);
    choosing_ = false;
    ImGui::CloseCurrentPopup();
  }
  name_tip(view, owner);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Theme& theme = *look().theme;
  const auto column = [&](float x, const std::string& text, Color color) {
    out.AddText(look().fonts.mono, look().fonts.mono->FontSize, {min.x + look().px(x), min.y}, ink(color),
                text.c_str());
  };
  const float side = look().px(8), y = (min.y + max.y - side) / 2;
  if (written)
    out.AddTriangleFilled({min.x + look().px(4), y}, {min.x + look().px(4) + side, y},
                          {min.x + look().px(4) + side, y + side}, ink(theme.written));
  column(18, called, theme.text);
  column(150, type, theme.text_quiet);
  column(400, fmt::format("{} 0x{:x}", name(place.space), place.address), theme.text_quiet);
  ImGui::PopID();
}

void TilesPane::draw_chooser(DebugView& view) {
  const Program& program = view.recording()->program();
  ImGui::SetNextItemWidth(look().px(170));
  const bool open = ImGui::BeginCombo("##tile", view.name_of(*owner_).c_str(), ImGuiComboFlags_HeightLargest);
  if (!open) {
    if (targets_wanted()) note_target("tiles/choose", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
    return name_tip(view, *owner_);
  }
  if (ImGui::IsWindowAppearing()) {
    filter_.clear();
    give_caret();
  }
  char text[64] = {};
  filter_.copy(text, sizeof text - 1);
  ImGui::SetNextItemWidth(look().px(520));
  const bool entered =
      ImGui::InputTextWithHint("##filter", "name", text, sizeof text, ImGuiInputTextFlags_EnterReturnsTrue);
  filter_ = text;
  std::vector<Owner> found;
  for (std::uint32_t id = 0; id < program.tiles.size(); ++id)
    if (contains(program.tiles[id].name, filter_) || contains(program.tiles[id].written, filter_))
      found.push_back({Owner::Kind::Tile, id});
  for (std::uint32_t id = 0; id < program.buffers.size(); ++id)
    if (contains(program.buffers[id].name, filter_)) found.push_back({Owner::Kind::Buffer, id});
  if (found.empty()) ImGui::TextUnformatted("No tile or buffer has this in its name.");
  // Enter takes the first one.
  if (entered && !found.empty()) {
    show(found.front());
    ImGui::CloseCurrentPopup();
  }
  ImGuiListClipper clipper;
  ImGui::BeginChild("list", {look().px(540), std::min(look().px(360), ImGui::GetTextLineHeightWithSpacing() *
                                                                          static_cast<float>(found.size() + 1))});
  clipper.Begin(static_cast<int>(found.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      draw_choice(view, found[static_cast<std::size_t>(i)]);
  ImGui::EndChild();
  ImGui::EndCombo();
}

void TilesPane::draw_modes(DebugView& view, CommandQueue& out, bool has_boxes) {
  Setting& set = setting(view);
  static_assert(std::size(kModes) == kModeCount && std::size(kModeHelp) == kModeCount);
  for (std::size_t i = 0; i < std::size(kModes); ++i) {
    if (i != 0) same_line_if_fits(ImGui::CalcTextSize(kModes[i]).x + look().px(14));
    if (choice_button(kModes[i], set.mode == static_cast<Mode>(i), kModeHelp[i])) set.mode = static_cast<Mode>(i);
  }
  same_line_if_fits(look().px(60));
  if (choice_button("Bytes", set.bytes, "Also in the order of memory, with 32-byte blocks, boxes and gaps"))
    set.bytes = !set.bytes;
  if (has_boxes) {
    same_line_if_fits(look().px(60));
    if (choice_button("Boxes", set.boxes,
                      "The boxes it stands in, over its cells: borders, order in memory, way along the bytes"))
      set.boxes = !set.boxes;
    if (targets_wanted()) note_target("tiles/boxes", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  }
  same_line_if_fits(look().px(40));
  if (choice_button("Fit", false, "As large as there is room for. Ctrl and the wheel: larger, smaller"))
    grids_[{static_cast<int>(owner_->kind), owner_->id}].fit();
  same_line_if_fits(look().px(40));
  if (choice_button("Split", second_.is_on(),
                    "A second tile beside it: another one, at another time, or as another type"))
    out.push("splitTiles");
  same_line_if_fits(look().px(60));
  if (choice_button("Follow", follows_, "Shows the tile of whatever is selected")) follows_ = !follows_;
  if (view.against() == nullptr) return;
  same_line_if_fits(look().px(80));
  if (choice_button("Differences", view.marks_differences(), "Marks the cells that differ from what is compared"))
    out.push("markDifferences");
}

void TilesPane::draw_title(DebugView& view, const TilePicture& shown) {
  draw_chooser(view);
  const std::string text = type_text(shown) + "   " + place_text(shown);
  same_line_if_fits(
      look().fonts.mono_small->CalcTextSizeA(look().fonts.mono_small->FontSize, FLT_MAX, 0, text.c_str()).x);
  {
    const WithFont font(look().fonts.mono_small);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text.c_str());
  }
  if (!shown.is_whole()) {
    ImGui::SameLine();
    ImGui::TextDisabled("%s", fmt::format("pictured: rows {} .. {}, columns {} .. {}", shown.window.row,
                                          shown.window.row + shown.window.rows - 1, shown.window.col,
                                          shown.window.col + shown.window.cols - 1)
                                  .c_str());
  }
  if (!view.showing_before()) return;
  same_line_if_fits(look().px(120));
  ImGui::TextColored(tint(look().theme->accent), "before the step");
}

void TilesPane::draw_heat_bar(Setting& set, const TilePicture& shown) {
  const auto automatic = auto_range(shown);
  const HeatRange range = set.auto_range ? automatic.value_or(HeatRange{})
                                         : HeatRange{set.low, set.high, set.low < 0 && set.high == -set.low};
  if (!automatic && set.auto_range) {
    ImGui::TextDisabled("no defined finite elements: nothing to colour");
    return;
  }
  draw_heat_scale(range, shown, look().px(160));
  ImGui::SameLine(0, look().px(16));
  if (ImGui::Checkbox("auto range", &set.auto_range) && !set.auto_range) {
    set.low = range.low;
    set.high = range.high;
  }
  if (set.auto_range) return;
  for (double* end : {&set.low, &set.high}) {
    ImGui::SameLine();
    ImGui::SetNextItemWidth(look().px(90));
    ImGui::InputDouble(end == &set.low ? "##low" : "##high", end, 0, 0, "%.6g");
  }
  if (set.high < set.low) std::swap(set.low, set.high);
}

}  // namespace ts::ui
