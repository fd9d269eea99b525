// What a script may ask of the window: an interface that the program implements, and that is absent without a window.
// All calls come from the thread that scripts run in; what has to be done in the window's thread is done there later,
// in the order of the calls.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/data/file.h"
#include "scripting/run/gui_items.h"

namespace ts {
class Session;
}

namespace ts::scripting {

using GuiValue = std::variant<std::int64_t, std::string>;

// How gui.show shows a tile: what is not given stays as it is.
struct ShowWish {
  std::string as, format;  // "heat", "hex"; a format of gui.visualizer
  std::optional<double> low = {}, high = {};
};

class GuiHost {
 public:
  virtual ~GuiHost() = default;
  // The session that the window shows; null: none.
  virtual std::shared_ptr<Session> shown() = 0;
  // A command of the window's tables, by its name.
  virtual void command(const std::string& name, std::vector<GuiValue> values) = 0;
  // An element of a tile or buffer, by the program's number of it.
  virtual void select(bool is_buffer, std::uint32_t id, std::uint32_t row, std::uint32_t col) = 0;
  virtual void show(const std::string& owner, const ShowWish& wish) = 0;
  // A picture of the window as it is when all that was asked before is done. Comes back when it is written, or with why
  // it is not.
  virtual data::Error screenshot(const std::string& path, double scale) = 0;
  // What panels, overlays and formats show now: in place of what they showed before. `front`: the panel that comes to
  // the front; empty: none.
  virtual void show_items(std::shared_ptr<const GuiItems> items, const std::string& front) = 0;
};

}  // namespace ts::scripting
