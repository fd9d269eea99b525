// The buffer map's layout and what the mouse and the keys do in it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/draw/shapes.h"
#include "app/draw/text.h"
#include "app/panes/pane.h"
#include "app/panes/parts/empty.h"
#include "app/panes/time/buffer_map_draw.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

class BufferMapPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override {
    const Rect all = rest_of_window();
    if (say_nothing_to_show(view, "its tiles in memory")) return;
    const Made* made = lifetimes_of(view);
    if (made == nullptr || !made->lifetimes) return say_empty("Following the tiles through the steps ...", "");
    if (made->lifetimes->memories().empty())
      return say_empty("No step of this program uses a tile.", "Tiles stand here from when they are used.");
    if (all.width() < look().px(160) || all.height() < look().px(60)) return;
    draw_memory(view, out, *made->lifetimes, all);
  }

  void save(nlohmann::json& settings) const override { settings["memory"] = name(space_); }
  void load(const data::Fields& settings) override {
    space_ = space_from_name(settings.text("memory").value_or("ub")).value_or(Space::Ub);
  }
  void forget() override {
    made_ = {};
    core_ = 0;
  }

 private:
  struct Made {
    std::shared_ptr<const Recording> recording;
    std::optional<Lifetimes> lifetimes;
  };
  const Made* lifetimes_of(DebugView& view) {
    const auto recording = view.document()->recording;
    return made_.get(view.answerer(), std::string("lives"), [recording](Session&, const std::function<bool()>& go_on) {
      return Made{recording, Lifetimes::make(*recording, go_on)};
    });
  }

  static MapLayout layout_in(const Rect& all) {
    Room room(all);
    MapLayout layout;
    layout.all = all;
    layout.header = room.top(look().px(26));
    Room gutter(room.left(look().px(66)));
    room.right(look().px(8));
    layout.ruler = room.top(look().px(20));
    room.bottom(look().px(6));
    layout.map = room.rest();
    gutter.top(look().px(20));
    gutter.bottom(look().px(6));
    layout.addresses = gutter.rest();
    return layout;
  }

  void draw_memory(DebugView& view, CommandQueue& out, const Lifetimes& lifetimes, const Rect& all) {
    const MemoryUse* memory = lifetimes.memory(space_, core_);
    if (memory == nullptr) memory = first_of_block(view, lifetimes);
    const MapLayout layout = layout_in(all);
    steps_.begin(view, layout.map.min.x, layout.map.max.x);
    begin_addresses(view.opening(), *memory, layout);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    MapFrame frame{lifetimes, *memory, *view.recording(), steps_, bytes_, layout, list, view.shown_step(), {}};
    const ImVec2 mouse = ImGui::GetMousePos();
    // Also in the frame in which a button is let go: the map below the mouse is what it was pressed on.
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && layout.map.holds(mouse))
      frame.hovered = life_at(frame, mouse);
    draw_header(frame);
    take_mouse(frame, view, out);
    steps_.take_keys(view, out);
    steps_.draw_ruler(list, layout.ruler);
    draw_map(frame, view);
    steps_.draw_now(list, layout.ruler, layout.map.max.y);
    steps_.end(view, out);
  }

  // Of the memory that was chosen, or else the first, in the block of the shown step.
  const MemoryUse* first_of_block(const DebugView& view, const Lifetimes& lifetimes) {
    const std::optional<std::uint32_t> step = view.shown_step();
    const auto cores = static_cast<CoreId>(view.recording()->program().cores.size());
    const auto first = static_cast<CoreId>(
        step && *step < view.recording()->count() ? view.recording()->bound(*step).core / cores * cores : 0);
    for (CoreId core = first; core < first + cores; ++core)
      if (const MemoryUse* memory = lifetimes.memory(space_, core)) return memory;
    return &lifetimes.memories().front();
  }

  // Another program or memory: what is used of it fills the pane.
  void begin_addresses(std::uint64_t opening, const MemoryUse& memory, const MapLayout& layout) {
    const double end = static_cast<double>(std::max<std::uint64_t>(memory.capacity, memory.highest_end));
    bytes_.set_pixels(layout.map.min.y, layout.map.max.y);
    bytes_.set_least(256);
    bytes_.set_whole(0, end * 1.03);
    const std::tuple now{opening, memory.space, memory.core};
    if (std::exchange(shown_, now) != now) show_used(memory);
  }

  void show_used(const MemoryUse& memory) {
    const auto used = static_cast<double>(memory.highest_end);
    if (used > 0.6 * memory.capacity) bytes_.show_all();
    else bytes_.show(0, used * 1.08);
  }

  static void draw_map(const MapFrame& frame, DebugView& view) {
    const Rect& map = frame.layout.map;
    frame.out.PushClipRect(frame.layout.addresses.min, map.max, true);
    draw_addresses(frame);
    frame.out.PopClipRect();
    frame.out.PushClipRect(map.min, map.max, true);
    draw_lives(frame);
    draw_overlaps(frame);
    draw_names(frame);
    draw_accesses(frame);
    if (view.hovered_bytes()) draw_pointed_bytes(frame, *view.hovered_bytes());
    if (view.hovered()) draw_pointed_bytes(frame, view.place_of(*view.hovered(), view.moment().position));
    frame.out.PopClipRect();
    frame.out.AddRect(map.min, map.max, ink(look().theme->line));
  }

  // --- the header: memories, and how full the one that is shown is ---

  void draw_header(const MapFrame& frame) {
    const WithFont small(look().fonts.small);
    const Theme& theme = *look().theme;
    const Rect& rect = frame.layout.header;
    ImGui::SetCursorScreenPos({rect.min.x + look().px(8), rect.min.y + look().px(3)});
    const Program& program = frame.recording.program();
    const std::size_t block = frame.memory.core / program.cores.size();
    for (const MemoryUse& memory : frame.lifetimes.memories()) {
      // Of many blocks those of one.
      if (memory.core / program.cores.size() != block) continue;
      const bool current = &memory == &frame.memory;
      const std::string label =
          program.cores.size() > 1 && program.cores[memory.core % program.cores.size()].kind == CoreKind::Vector
              ? fmt::format("{} {}", name(memory.space), memory.core % program.cores.size() - 1)
              : name(memory.space);
      ImGui::PushStyleColor(ImGuiCol_Button, tint(current ? theme.accent : theme.raised));
      ImGui::PushStyleColor(ImGuiCol_Text, tint(current ? theme.accent_text : theme.text));
      if (ImGui::SmallButton(label.c_str())) space_ = memory.space, core_ = memory.core;
      ImGui::PopStyleColor(2);
      ImGui::SameLine(0, look().px(4));
    }
    draw_fullness(frame, ImGui::GetCursorScreenPos().x + look().px(8));
  }

  void draw_fullness(const MapFrame& frame, float x) {
    const Theme& theme = *look().theme;
    const MemoryUse& memory = frame.memory;
    const Rect& rect = frame.layout.header;
    const float middle = rect.center().y, wide = look().px(70), half = look().px(4);
    // The bar goes first where there is no room for both.
    if (rect.max.x - x > look().px(300)) {
      const float share = static_cast<float>(memory.used) / static_cast<float>(std::max(1u, memory.capacity));
      frame.out.AddRectFilled({x, middle - half}, {x + wide * std::min(1.0f, share), middle + half}, ink(theme.accent));
      frame.out.AddRect({x, middle - half}, {x + wide, middle + half}, ink(theme.text_quiet));
      x += wide + look().px(8);
    }
    std::string text = fmt::format("{} of {}", byte_words(memory.used), byte_words(memory.capacity));
    if (rect.max.x - x > look().px(200)) text += " used";
    if (memory.most_live < memory.used && rect.max.x - x > look().px(330))
      text += fmt::format(", at most {} at once", byte_words(memory.most_live));
    x = put(frame, x, theme.text, text);
    const std::size_t overlaps = frame.lifetimes.overlaps(memory).size();
    if (overlaps > 0) {
      const float side = look().px(12);
      x += look().px(10);
      hatch(frame.out, {{x, middle - side / 2}, {x + side, middle + side / 2}}, ink(theme.finding), look().px(4), true);
      frame.out.AddRect({x, middle - side / 2}, {x + side, middle + side / 2}, ink(theme.finding));
      const char* more = frame.lifetimes.complete() ? "" : "at least ";
      x = put(frame, x + side + look().px(5), theme.text,
              fmt::format("{}{} overlap{}", more, overlaps, overlaps == 1 ? "" : "s"));
    }
    if (memory.over_capacity()) put(frame, x + look().px(10), theme.finding, "! past the end of the memory");
    draw_fit_button(memory, rect, x);
  }

  // Behind what was put.
  static float put(const MapFrame& frame, float x, Color color, const std::string& text) {
    ImFont* font = look().fonts.small;
    frame.out.AddText(font, font->FontSize, {x, frame.layout.header.center().y - font->FontSize / 2}, ink(color),
                      text.c_str());
    return x + font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str()).x;
  }

  void draw_fit_button(const MemoryUse& memory, const Rect& header, float left) {
    const bool all = bytes_.shows_all() && steps_.axis().shows_all();
    const char* label = all ? "Used part" : "Whole memory";
    const float x = header.max.x - ImGui::CalcTextSize(label).x - look().px(16);
    if (x < left + look().px(10)) return;
    ImGui::SetCursorScreenPos({x, header.min.y + look().px(3)});
    if (!ImGui::SmallButton(label)) return;
    steps_.axis().show_all();
    if (all) show_used(memory);
    else bytes_.show_all();
  }

  // --- the mouse ---

  void take_mouse(const MapFrame& frame, DebugView& view, CommandQueue& out) {
    const MapLayout& layout = frame.layout;
    constexpr auto kButtons = ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle;
    ImGui::SetCursorScreenPos(layout.ruler.min);
    ImGui::InvisibleButton("ruler", {layout.ruler.width(), layout.ruler.height()}, kButtons);
    steps_.take_wheel();
    if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) steps_.scrub(ImGui::GetMousePos().x);
    StepAxis::explain_ruler();

    ImGui::SetCursorScreenPos(layout.addresses.min);
    ImGui::InvisibleButton("addresses", {layout.addresses.width(), layout.addresses.height()}, kButtons);
    take_address_wheel(ImGui::IsItemHovered());
    if (ImGui::IsItemActive()) bytes_.pan(-ImGui::GetIO().MouseDelta.y * bytes_.per_px());

    ImGui::SetCursorScreenPos(layout.map.min);
    ImGui::InvisibleButton("map", {layout.map.width(), layout.map.height()}, kButtons);
    const bool hovered = ImGui::IsItemHovered(), addresses = ImGui::GetIO().KeyCtrl;
    if (addresses) take_address_wheel(hovered);
    else steps_.take_wheel();
    drag_map();
    if (!frame.hovered || !hovered) return;
    const TilePlace& place = frame.lifetimes.places()[frame.hovered->place];
    view.hover(place.bytes);
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      const std::uint32_t begin = frame.life(*frame.hovered).begin;
      out.push("seek", {static_cast<std::int64_t>((begin + 1) / 2)});
    } else if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !moved_) {
      out.push("showTile", {frame.name_of(place)});
    }
    if (!ImGui::IsItemActive()) explain(frame, *frame.hovered);
  }

  void take_address_wheel(bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    if (hovered && io.MouseWheel != 0) bytes_.zoom(io.MousePos.y, std::pow(0.8, io.MouseWheel));
  }

  // With either button, once it went further than a click does.
  void drag_map() {
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActivated()) moved_ = false;
    if (!ImGui::IsItemActive()) return;
    const bool left = ImGui::IsMouseDragging(ImGuiMouseButton_Left);
    moved_ |= left || ImGui::IsMouseDragging(ImGuiMouseButton_Middle);
    if (!moved_) return;
    if (left) steps_.axis().pan(-io.MouseDelta.x * steps_.axis().per_px());  // the other one is done with the wheel
    bytes_.pan(-io.MouseDelta.y * bytes_.per_px());
  }

  // --- what is under the mouse ---

  static void quiet(const std::string& text) { ImGui::TextColored(tint(look().theme->text_quiet), "%s", text.c_str()); }

  static void explain(const MapFrame& frame, const LifeAt& at) {
    const TilePlace& place = frame.lifetimes.places()[at.place];
    const TileDecl& tile = frame.recording.program().tiles[place.tile];
    const HalfSteps& life = frame.life(at);
    ImGui::BeginTooltip();
    ImGui::Text("%s  %s", tile.name.c_str(), tile.type.describe().c_str());
    {
      const WithFont mono(look().fonts.mono_small);
      ImGui::TextUnformatted(fmt::format("{} {:#x} to {:#x}, {}", name(place.bytes.space), place.bytes.address,
                                         place.bytes.address + place.bytes.size - 1, byte_words(place.bytes.size))
                                 .c_str());
    }
    quiet(fmt::format("{} by step {}, last {} by step {}", life.begin % 2 == 0 ? "first read" : "written",
                      grouped(life.first_step()), life.end % 2 == 1 ? "read" : "written", grouped(life.last_step())));
    if (place.life_count > 1)
      quiet(fmt::format("life {} of {} here: other tiles use its bytes in between", grouped(at.life + 1),
                        grouped(place.life_count)));
    if (const std::uint32_t root = frame.lifetimes.root(place.tile); root != place.tile)
      quiet(fmt::format("stands in the bytes of {}", frame.recording.program().tiles[root].name));
    explain_overlaps(frame, at, life);
    quiet("click: show the tile; double-click: go to where this life begins");
    ImGui::EndTooltip();
  }

  static void explain_overlaps(const MapFrame& frame, const LifeAt& at, const HalfSteps& life) {
    constexpr int kMost = 4;
    int told = 0;
    for (const Overlap& overlap : frame.lifetimes.overlaps(frame.memory)) {
      if (overlap.a != at.place && overlap.b != at.place) continue;
      const auto times = frame.lifetimes.times(overlap);
      const std::size_t time = first_ending_behind(times, life.begin);
      if (time == times.size() || times[time].begin >= life.end) continue;
      if (told++ == kMost) return quiet("and more");
      const TilePlace& other = frame.lifetimes.places()[overlap.a == at.place ? overlap.b : overlap.a];
      const std::string text = fmt::format("{} uses {:#x} to {:#x} too, from step {} to step {}", frame.name_of(other),
                                           overlap.bytes.address, overlap.bytes.address + overlap.bytes.size - 1,
                                           grouped(times[time].first_step()), grouped(times[time].last_step()));
      ImGui::TextColored(tint(look().theme->finding), "! %s", text.c_str());
    }
  }

  Later<Made> made_;
  StepAxis steps_;
  Axis bytes_;
  Space space_ = Space::Ub;
  CoreId core_ = 0;
  std::tuple<std::uint64_t, Space, CoreId> shown_{0, Space::Ub, 0};
  bool moved_ = false;
};

const RegisteredPane kBufferMapPane({
    .id = "buffermap",
    .title = "Buffer map",
    .help = "Which tile uses which bytes of a memory, and when; overlaps; how full it is.",
    .order = 200,
    .places = {{"debug", "below middle", 1}},
    .manual =
        R"(One memory: addresses from top to bottom, steps from left to right, a rectangle for every tile as long as its data is
needed. Tiles without an address share bytes that they do not need at the same time; `--placement keep` gives each its
own. Two that are needed at the same bytes at once are hatched. The line is where the memory of the target ends.)",
    .make = make_pane<BufferMapPane>,
});

}  // namespace
}  // namespace ts::ui
