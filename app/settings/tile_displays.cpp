// Keeping how tiles are shown.
#include "app/settings/tile_displays.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/data/fields.h"

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
    if (display.boxes) one["boxes"] = true;
    if (display.slice) one["slice"] = *display.slice;
    if (display.zoom != 0) one["scroll"] = {display.zoom, display.row, display.col};
    if (!one.empty()) saved[tile] = std::move(one);
  }
  return saved;
}

void TileDisplays::load(const nlohmann::json& saved) {
  tiles_.clear();
  const data::Fields tiles(saved);
  for (const auto& [tile, one] : tiles.all().items()) {
    if (!one.is_object() || tiles_.size() >= kMostTiles || tile.size() > kLongestName) continue;
    const data::Fields fields(one);
    TileDisplay display;
    const std::string mode = fields.text("mode").value_or("");
    for (int i = 0; i < kTileModes; ++i)
      if (mode == kNames[i]) display.mode = static_cast<TileMode>(i);
    if (const auto range = fields.numbers("range", 2); range && (*range)[0] <= (*range)[1]) {
      display.auto_range = false;
      display.low = (*range)[0];
      display.high = (*range)[1];
    }
    display.bytes = fields.truth("bytes").value_or(display.bytes);
    display.boxes = fields.truth("boxes").value_or(display.boxes);
    display.slice = fields.number32("slice");
    if (const auto scroll = fields.numbers("scroll", 3)) {
      const auto at = [&](std::size_t i) { return std::clamp((*scroll)[i], 0.0, 4294967295.0); };
      display.zoom = static_cast<float>(std::min(at(0), 400.0));
      display.row = at(1);
      display.col = at(2);
    }
    tiles_[tile] = display;
  }
}

}  // namespace ts::ui
