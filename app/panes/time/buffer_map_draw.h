// What the buffer map draws: lives of tiles as rectangles of address and time, and where they get in each other's way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/panes/time/step_axis.h"
#include "core/debug/origins/lifetimes.h"

namespace ts::ui {

struct MapLayout {
  Rect all, header, ruler, addresses, map;
};

// A life of a tile.
struct LifeAt {
  std::uint32_t place = 0;  // in all places
  std::size_t life = 0;     // of the place
  bool operator==(const LifeAt&) const = default;
};

struct MapFrame {
  const Lifetimes& lifetimes;
  const MemoryUse& memory;
  const Recording& recording;
  const StepAxis& steps;
  const Axis& bytes;  // from the top down
  const MapLayout& layout;
  ImDrawList& out;
  std::optional<std::uint32_t> shown;  // step
  std::optional<LifeAt> hovered;

  const std::string& name_of(const TilePlace& place) const { return recording.program().tiles[place.tile].name; }
  Rect rect_of(const ByteRange& range, HalfSteps time) const;
  // Of a core that reaches the memory of another one, it is the latter's.
  bool is_in_memory(const ByteRange& range) const {
    const MemoryMap& map = recording.map();
    return range.space == memory.space && map.locate(map.origin(range.space, range.core)).core == memory.core;
  }
  const HalfSteps& life(const LifeAt& at) const { return lifetimes.lives(lifetimes.places()[at.place])[at.life]; }
};

void draw_addresses(const MapFrame& frame);
void draw_lives(const MapFrame& frame);
// The names of what draw_lives drew.
void draw_names(const MapFrame& frame);
void draw_overlaps(const MapFrame& frame);
// What the shown step reads and writes.
void draw_accesses(const MapFrame& frame);
// Bytes that are pointed at somewhere, over all time.
void draw_pointed_bytes(const MapFrame& frame, const ByteRange& bytes);
// The life under a point; of several the smallest tile.
std::optional<LifeAt> life_at(const MapFrame& frame, ImVec2 point);

// "96 KiB", "1.5 KiB", "40 bytes"; exact.
std::string byte_words(std::uint64_t bytes);

}  // namespace ts::ui
