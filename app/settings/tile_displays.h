// How each tile is shown, by its name: kept as long as a program is open, and with what was set in it. Knows no ImGui.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace ts::ui {

// What a tile is shown as.
enum class TileMode : std::uint8_t { Numbers, Heat, Hex, Bits, Exact, Histogram };
inline constexpr int kTileModes = 6;
const char* name_of(TileMode mode);  // "hex"

struct TileDisplay {
  TileMode mode = TileMode::Numbers;
  bool auto_range = true;  // of the heat's colours; else from low to high
  double low = 0, high = 1;
  bool bytes = false;                       // also in the order of memory
  bool boxes = false;                       // the boxes it stands in, over its cells
  std::optional<std::uint32_t> slice = {};  // of what has more than two dimensions; nothing: all of it
  // The part that was seen last: the size of a cell (0: as large as there is room for), and its first row and column.
  float zoom = 0;
  double row = 0, col = 0;
  bool operator==(const TileDisplay&) const = default;
};

class TileDisplays {
 public:
  // As it is at first, where nothing was set.
  TileDisplay& of(const std::string& tile) { return tiles_[tile]; }
  const std::map<std::string, TileDisplay>& all() const { return tiles_; }
  void clear() { tiles_.clear(); }

  // Only what the user set: where a tile was scrolled to is part of it where its cells were made larger or smaller.
  nlohmann::json save() const;
  // Instead of what was there. What makes no sense is left out.
  void load(const nlohmann::json& saved);

 private:
  std::map<std::string, TileDisplay> tiles_;
};

}  // namespace ts::ui
