// Keeping how tiles are shown.
#include "app/view/tile_displays.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace ts::ui {
namespace {

constexpr const char* kNames[kTileModes] = {"numbers", "heat", "hex", "bits", "exact", "histogram"};
constexpr std::size_t kMostTiles = 10000, kLongestName = 200;

}  // namespace

const char* name_of(TileMode mode) { return kNames[static_cast<int>(mode)]; }

nlohmann::json TileDisplays::save() const {
  nlohmann::json saved = nlohmann::json::object();
  for (const auto& [tile, display] : tiles_) {
    const TileDisplay usual;
    nlohmann::json one = nlohmann::json::object();
    if (display.mode != usual.mode) one["mode"] = name_of(display.mode);
    if (!display.auto_range) one["range"] = {display.low, display.high};
    if (display.bytes) one["bytes"] = true;
    if (display.zoom != 0) one["scroll"] = {display.zoom, display.row, display.col};
    if (!one.empty()) saved[tile] = std::move(one);
  }
  return saved;
}

void TileDisplays::load(const nlohmann::json& saved) {
  tiles_.clear();
  if (!saved.is_object()) return;
  for (const auto& [tile, one] : saved.items()) {
    if (!one.is_object() || tiles_.size() >= kMostTiles || tile.size() > kLongestName) continue;
    TileDisplay display;
    if (const auto mode = one.find("mode"); mode != one.end() && mode->is_string())
      for (int i = 0; i < kTileModes; ++i)
        if (*mode == kNames[i]) display.mode = static_cast<TileMode>(i);
    if (const auto range = one.find("range"); range != one.end() && range->is_array() && range->size() == 2 &&
                                              (*range)[0].is_number() && (*range)[1].is_number()) {
      const double low = (*range)[0].get<double>(), high = (*range)[1].get<double>();
      if (std::isfinite(low) && std::isfinite(high) && low <= high) {
        display.auto_range = false;
        display.low = low;
        display.high = high;
      }
    }
    if (const auto bytes = one.find("bytes"); bytes != one.end() && bytes->is_boolean()) display.bytes = *bytes;
    if (const auto scroll = one.find("scroll"); scroll != one.end() && scroll->is_array() && scroll->size() == 3) {
      const auto at = [&](std::size_t i) {
        const double value = (*scroll)[i].is_number() ? (*scroll)[i].get<double>() : 0;
        return std::isfinite(value) ? std::clamp(value, 0.0, 4294967295.0) : 0.0;
      };
      display.zoom = static_cast<float>(std::min(at(0), 400.0));
      display.row = at(1);
      display.col = at(2);
    }
    tiles_[tile] = display;
  }
}

}  // namespace ts::ui
