// Calling what draws, and handing over what was drawn.
#include "scripting/gui/gui_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "scripting/binding/object.h"
#include "scripting/objects/values/cell.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {
namespace {

constexpr std::size_t kMostMarkBytes = 12, kMostLiveBytes = 64;

struct PanelCall {
  const LuaValue& draw;
};

// Leaves the script so many steps that a function which draws may take.
void leave_few_steps(lua_State* L) {
  const std::uint64_t all = Sandbox::of(L).limits().steps;
  if (all > GuiLive::kDrawSteps) Sandbox::charge(L, all - GuiLive::kDrawSteps);
}

int call_panel(lua_State* L) {
  const auto& call = *static_cast<const PanelCall*>(lua_touserdata(L, 1));
  leave_few_steps(L);
  call.draw.push(L);
  push_table(L, ui_type());
  lua_call(L, 1, 0);
  return 0;
}

// --- colours ---

constexpr struct {
  const char* name;
  std::int32_t color;
} kColors[] = {{"black", 0x000000}, {"white", 0xFFFFFF}, {"grey", 0x999999},   {"red", 0xD55E00},
               {"green", 0x009E73}, {"blue", 0x0072B2},  {"orange", 0xE69F00}, {"purple", 0xCC79A7},
               {"sky", 0x56B4E9},   {"yellow", 0xF0E442}};

// At the index: nil, 0xRRGGBB, "#RRGGBB", or a name.
std::int32_t check_color(lua_State* L, int index) {
  if (lua_isnil(L, index) || (lua_isboolean(L, index) && lua_toboolean(L, index) == 0)) return -1;
  if (lua_isinteger(L, index)) {
    const lua_Integer color = lua_tointeger(L, index);
    if (color >= 0 && color <= 0xFFFFFF) return static_cast<std::int32_t>(color);
  } else if (lua_type(L, index) == LUA_TSTRING) {
    const std::string_view text = lua_tostring(L, index);
    for (const auto& color : kColors)
      if (text == color.name) return color.color;
    std::int32_t color = 0;
    if (text.size() == 7 && text[0] == '#') {
      const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 7, color, 16);
      if (error == std::errc{} && end == text.data() + 7 && color >= 0) return color;
    }
  }
  raise(L, fmt::format("{} is no colour", describe(L, index)),
        "colours are \"#RRGGBB\", 0xRRGGBB, or red, orange, yellow, green, sky, blue, purple, grey, black, white");
}

// Whole characters, with marks of a terminal left out.
std::string short_text(std::string_view text, std::size_t most) {
  std::size_t size = std::min(text.size(), most);
  while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  std::string out(text.substr(0, size));
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return out;
}

// --- cells ---

struct OverlayCall {
  const LuaValue& color;
  Overlay& overlay;
};

int call_overlay(lua_State* L) {
  const auto& call = *static_cast<const OverlayCall*>(lua_touserdata(L, 1));
  Overlay& overlay = call.overlay;
  leave_few_steps(L);
  call.color.push(L);
  for (std::uint32_t row = 0; row < overlay.rows; ++row)
    for (std::uint32_t col = 0; col < overlay.cols; ++col) {
      lua_pushvalue(L, 2);
      lua_pushinteger(L, row);
      lua_pushinteger(L, col);
      lua_call(L, 2, 2);
      const std::size_t at = std::size_t{row} * overlay.cols + col;
      overlay.colors[at] = check_color(L, -2);
      if (!lua_isnil(L, -1)) {
        if (overlay.marks.empty()) overlay.marks.resize(overlay.colors.size());
        overlay.marks[at] = short_text(Sandbox::push_text(L, -1), kMostMarkBytes);
        lua_pop(L, 1);
      }
      lua_pop(L, 2);
    }
  return 0;
}

struct TextsCall {
  const LuaValue& text;
  CellTexts& texts;
  Place place;
};

int call_texts(lua_State* L) {
  auto& call = *static_cast<TextsCall*>(lua_touserdata(L, 1));
  leave_few_steps(L);
  call.text.push(L);
  for (std::uint32_t row = 0; row < call.texts.rows; ++row)
    for (std::uint32_t col = 0; col < call.texts.cols; ++col) {
      lua_pushvalue(L, 2);
      make_object<CellObject>(L, CellObject{call.place, row, col, read_element(L, call.place, row, col)});
      lua_call(L, 1, 1);
      if (!lua_isnil(L, -1)) {
        call.texts.texts[std::size_t{row} * call.texts.cols + col] =
            short_text(Sandbox::push_text(L, -1), kMostLiveBytes);
        lua_pop(L, 1);
      }
      lua_pop(L, 1);
    }
  return 0;
}

std::uint64_t next_number() {
  static std::uint64_t made = 0;
  return ++made;
}

// Takes the place of the one that `same` holds of, or the end of the list.
template <class T, class Same>
bool put(std::vector<T>& list, T one, std::size_t most, Same same) {
  const auto old = std::ranges::find_if(list, same);
  if (old != list.end()) {
    *old = std::move(one);
    return true;
  }
  if (list.size() >= most) return false;
  list.push_back(std::move(one));
  return true;
}

}  // namespace

std::shared_ptr<OpenRecording> shown_recording(lua_State* L) {
  Engine& engine = Engine::of(L);
  const std::shared_ptr<Session> shown = engine.host().gui != nullptr ? engine.host().gui->shown() : nullptr;
  if (shown == nullptr) raise(L, "the window shows no recording", "open a program first");
  if (auto known = engine.slot<Recordings>().find(*shown)) return known;
  return open_window_session(L, shown);
}

Place place_of(const std::shared_ptr<OpenRecording>& recording, GuiOwner owner) {
  Session& session = *recording->session;
  const Moment moment = session.moment();
  Place place = owner.is_buffer
                    ? buffer_place(recording, moment.position, owner.id)
                    : tile_place(recording, moment.position, owner.id, session.tile_at(owner.id, moment.position));
  place.micro = moment.micro;
  return place;
}

// --- what is set ---

bool GuiLive::set_panel(const std::string& title, LuaValue draw) {
  front_ = title;
  Panel panel;
  panel.title = title;
  return put(panels_, {panel, std::make_shared<LuaValue>(std::move(draw))}, kMostPanels,
             [&](const LivePanel& old) { return old.shown.title == title; });
}

bool GuiLive::remove_panel(const std::string& title) {
  return std::erase_if(panels_, [&](const LivePanel& panel) { return panel.shown.title == title; }) != 0;
}

bool GuiLive::set_format(const std::string& name, LuaValue text) {
  return put(formats_, {name, std::make_shared<LuaValue>(std::move(text))}, kMostFormats,
             [&](const LiveFormat& old) { return old.name == name; });
}

bool GuiLive::has_format(const std::string& name) const {
  return std::ranges::find(formats_, name, &LiveFormat::name) != formats_.end();
}

bool GuiLive::set_overlay(GuiOwner owner, LuaValue color) {
  follow_window();
  return put(overlays_, {owner, std::make_shared<LuaValue>(std::move(color))}, kMostOverlays,
             [&](const LiveOverlay& old) { return old.owner == owner; });
}

bool GuiLive::remove_overlay(GuiOwner owner) {
  return std::erase_if(overlays_, [&](const LiveOverlay& overlay) { return overlay.owner == owner; }) != 0;
}

void GuiLive::show_as(GuiOwner owner, const std::string& format) {
  follow_window();
  std::erase_if(shown_as_, [&](const auto& shown) { return shown.first == owner; });
  if (!format.empty() && shown_as_.size() < kMostOverlays) shown_as_.emplace_back(owner, format);
}

// --- drawing ---

Outcome GuiLive::draw(lua_CFunction function, void* argument) {
  lua_State* L = sandbox_.state();
  if (lua_checkstack(L, 8) == 0) return {Outcome::Kind::Error, "there is no room to draw", {}, 0};
  const Engine::Calling calling(L);
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, argument);
  return sandbox_.call(L, 1, 0);
}

void GuiLive::draw_panel(const std::string& title) {
  const auto found = std::ranges::find_if(panels_, [&](const LivePanel& one) { return one.shown.title == title; });
  if (found == panels_.end() || found->shown.stopped) return;
  Panel made;
  made.title = title;
  drawn_.panel = &made;
  drawn_.held_bytes = 0;
  // Kept: it may take its own place.
  const std::shared_ptr<LuaValue> function = found->draw;
  PanelCall call{*function};
  const Outcome outcome = draw(guarded<call_panel>, &call);
  drawn_.panel = nullptr;
  const std::string limit =
      fmt::format("the panel's function took more than {} steps, and is called no more", kDrawSteps);
  switch (outcome.kind) {
    case Outcome::Kind::Ok: break;
    case Outcome::Kind::Error:
      made.error = outcome.traceback.empty() ? outcome.message : outcome.message + "\n" + outcome.traceback;
      break;
    case Outcome::Kind::Limit:
      made.error = outcome.message.find("steps") != std::string::npos ? limit : outcome.message;
      made.stopped = true;
      break;
    case Outcome::Kind::Quit:
      made.error = "the panel's function called pto.quit, and is called no more";
      made.stopped = true;
      break;
  }
  // What was drawn may have changed which panels there are.
  for (LivePanel& one : panels_)
    if (one.draw == function) one.shown = std::move(made);
}

void GuiLive::fail(const std::string& what, const Outcome& outcome, GuiItems& items) {
  const bool steps = outcome.kind == Outcome::Kind::Limit && outcome.message.find("steps") != std::string::npos;
  const std::string why = outcome.kind == Outcome::Kind::Quit ? "it called pto.quit"
                          : steps                             ? fmt::format("it took more than {} steps", kDrawSteps)
                                                              : outcome.message;
  items.problems.push_back(fmt::format("{} is not shown any more: {}", what, why));
  engine_.complain(items.problems.back());
  if (!outcome.traceback.empty()) engine_.complain(outcome.traceback);
}

void GuiLive::add_overlay(const LiveOverlay& live, GuiItems& items) {
  const auto recording = engine_.slot<Recordings>().find(*engine_.host().gui->shown());
  if (recording == nullptr) return;
  const Place place = place_of(recording, live.owner);
  if (std::uint64_t{place.rows} * place.cols > kMostCells) return;
  Overlay overlay{.is_buffer = live.owner.is_buffer,
                  .id = live.owner.id,
                  .rows = place.rows,
                  .cols = place.cols,
                  .colors = {},
                  .marks = {},
                  .number = next_number()};
  overlay.colors.assign(std::size_t{place.rows} * place.cols, -1);
  const std::shared_ptr<LuaValue> function = live.color;
  OverlayCall call{*function, overlay};
  const Outcome outcome = draw(guarded<call_overlay>, &call);
  if (outcome.kind == Outcome::Kind::Ok) items.overlays.push_back(std::move(overlay));
  else fail(fmt::format("the overlay of {}", place.name), outcome, items);
}

void GuiLive::add_texts(GuiOwner owner, const std::string& format, GuiItems& items) {
  const auto known = std::ranges::find(formats_, format, &LiveFormat::name);
  if (known == formats_.end()) return;
  const auto recording = engine_.slot<Recordings>().find(*engine_.host().gui->shown());
  if (recording == nullptr) return;
  const Place place = place_of(recording, owner);
  if (std::uint64_t{place.rows} * place.cols > kMostCells) return;
  CellTexts texts{.is_buffer = owner.is_buffer,
                  .id = owner.id,
                  .rows = place.rows,
                  .cols = place.cols,
                  .format = format,
                  .texts = {},
                  .number = next_number()};
  texts.texts.resize(std::size_t{place.rows} * place.cols);
  const std::shared_ptr<LuaValue> function = known->text;
  TextsCall call{*function, texts, place};
  const Outcome outcome = draw(guarded<call_texts>, &call);
  if (outcome.kind == Outcome::Kind::Ok) items.texts.push_back(std::move(texts));
  else fail("the format " + format, outcome, items);
}

// What was put on tiles of another recording is gone.
void GuiLive::follow_window() {
  const std::shared_ptr<Session> shown = engine_.host().gui->shown();
  if (shown == of_.lock()) return;
  of_ = shown;
  overlays_.clear();
  shown_as_.clear();
}

void GuiLive::press(const std::string& panel, const std::string& button) {
  if (engine_.host().gui == nullptr || drawing_ || button.empty()) return;
  follow_window();
  drawing_ = true;
  drawn_.pressed = button;
  draw_panel(panel);
  drawn_.pressed.clear();
  drawing_ = false;
  const auto found = std::ranges::find_if(panels_, [&](const LivePanel& one) { return one.shown.title == panel; });
  if (found != panels_.end() && !found->shown.error.empty()) failed_press_ = panel;
}

void GuiLive::refresh() {
  const auto& host = engine_.host().gui;
  if (host == nullptr || drawing_ || host->shown() == nullptr) return;
  follow_window();
  if (panels_.empty() && formats_.empty() && overlays_.empty() && !had_items_) return;
  drawing_ = engine_.only_looks = true;
  std::vector<std::string> titles;
  for (const LivePanel& one : panels_)
    if (one.shown.title != failed_press_) titles.push_back(one.shown.title);
  failed_press_.clear();
  for (const std::string& title : titles) draw_panel(title);
  auto items = std::make_shared<GuiItems>();
  for (const LivePanel& one : panels_) items->panels.push_back(one.shown);
  for (const LiveFormat& format : formats_) items->formats.push_back(format.name);
  const auto overlays = overlays_;
  for (const LiveOverlay& overlay : overlays) {
    const std::size_t before = items->problems.size();
    add_overlay(overlay, *items);
    if (items->problems.size() > before) remove_overlay(overlay.owner);
  }
  const auto shown_as = shown_as_;
  for (const auto& [owner, format] : shown_as) {
    const std::size_t before = items->problems.size();
    add_texts(owner, format, *items);
    if (items->problems.size() > before) show_as(owner, "");
  }
  drawing_ = engine_.only_looks = false;
  had_items_ = !panels_.empty() || !formats_.empty() || !overlays_.empty() || !items->problems.empty();
  host->show_items(items, std::exchange(front_, ""));
}

}  // namespace ts::scripting
