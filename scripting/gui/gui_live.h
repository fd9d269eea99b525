// What a script shows in the window for as long as the script is there: panels, colours over cells, formats of its own.
// Its functions are called whenever the session stands elsewhere, with few steps each; what they show goes to the
// window as data.
#pragma once

#include <lua.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scripting/gui/gui_panel.h"
#include "scripting/objects/values/place.h"
#include "scripting/run/engine.h"
#include "scripting/run/gui_host.h"

namespace ts::scripting {

// A tile or buffer of the recording that the window shows, by the program's number.
struct GuiOwner {
  bool is_buffer = false;
  std::uint32_t id = 0;
  bool operator==(const GuiOwner&) const = default;
};

// A slot of the script's engine.
class GuiLive {
 public:
  explicit GuiLive(Engine& engine) : engine_(engine), sandbox_(engine.sandbox()), drawn_(engine.slot<DrawnPanel>()) {}

  static constexpr std::size_t kMostPanels = 16, kMostOverlays = 64, kMostFormats = 64;
  static constexpr std::uint64_t kMostCells = 1u << 16;   // of an overlay or a format
  static constexpr std::uint64_t kDrawSteps = 5'000'000;  // of one function, each time

  // --- what the script sets: in place of what had the same name or tile; false: there are too many ---
  bool set_panel(const std::string& title, LuaValue draw);
  bool remove_panel(const std::string& title);
  bool set_format(const std::string& name, LuaValue text);
  bool has_format(const std::string& name) const;
  bool set_overlay(GuiOwner owner, LuaValue color);
  bool remove_overlay(GuiOwner owner);
  // Shows a tile in one of the script's formats; an empty name: in none.
  void show_as(GuiOwner owner, const std::string& format);

  // Calls all functions and gives the window what they show. They change nothing: neither the session moves, nor is the
  // window asked for anything.
  void refresh();
  // Calls a panel's function with one of its buttons pressed: then it may do all that scripts may. To be followed by
  // `refresh`.
  void press(const std::string& panel, const std::string& button);

 private:
  struct LivePanel {
    Panel shown;
    std::shared_ptr<LuaValue> draw;
  };
  struct LiveFormat {
    std::string name;
    std::shared_ptr<LuaValue> text;
  };
  struct LiveOverlay {
    GuiOwner owner;
    std::shared_ptr<LuaValue> color;
  };
  Outcome draw(lua_CFunction function, void* argument);
  void draw_panel(const std::string& title);
  void follow_window();
  void add_overlay(const LiveOverlay& overlay, GuiItems& items);
  void add_texts(GuiOwner owner, const std::string& format, GuiItems& items);
  void fail(const std::string& what, const Outcome& outcome, GuiItems& items);

  Engine& engine_;
  Sandbox& sandbox_;
  DrawnPanel& drawn_;
  std::vector<LivePanel> panels_;
  std::vector<LiveFormat> formats_;
  std::vector<LiveOverlay> overlays_;
  std::vector<std::pair<GuiOwner, std::string>> shown_as_;
  std::weak_ptr<Session> of_;  // whose tiles the overlays and formats are on
  std::string front_;
  std::string failed_press_;  // the panel whose function failed when a button was pressed: it shows why
  bool drawing_ = false, had_items_ = false;
};

// The recording that the window shows, as scripts share it; raises when there is none.
std::shared_ptr<OpenRecording> shown_recording(lua_State* L);
// Where its tile or buffer stands now.
Place place_of(const std::shared_ptr<OpenRecording>& recording, GuiOwner owner);

}  // namespace ts::scripting
