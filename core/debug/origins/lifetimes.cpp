// Lives of tiles: two passes over the steps, one for the places that are used and one for the times.
#include "core/debug/origins/lifetimes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/debug/origins/step_index.h"

namespace ts {
namespace {

// Tiles that the author put on the very same bytes, of one element type and in another shape or order: that is how front
// ends see a column as a row, and a matrix as its transpose. They are one value under several names. Tiles of one type at
// one place are not: those take turns. Of tiles whose address only running tells nothing is known.
void join_spellings(const Program& program, std::vector<std::uint32_t>& parents) {
  std::map<std::tuple<Space, std::uint32_t, std::uint64_t, DType>, std::vector<std::uint32_t>> groups;
  for (std::uint32_t i = 0; i < program.tiles.size(); ++i) {
    const TileDecl& tile = program.tiles[i];
    if (tile.alias || tile.implicit || tile.open_address) continue;
    groups[{tile.type.space(), tile.address, tile.type.size_bytes(), tile.type.dtype}].push_back(i);
  }
  const auto same_shape = [&](std::uint32_t a, std::uint32_t b) {
    const TileType &x = program.tiles[a].type, &y = program.tiles[b].type;
    return x.rows == y.rows && x.cols == y.cols && x.blayout == y.blayout && x.slayout == y.slayout;
  };
  for (const auto& place_and_group : groups) {
    const auto& group = place_and_group.second;
    const auto like_first = [&](std::uint32_t tile) { return same_shape(tile, group.front()); };
    if (std::ranges::all_of(group, like_first)) continue;
    for (const std::uint32_t tile : group) parents[tile] = group.front();
  }
}

}  // namespace

std::vector<std::uint32_t> alias_roots(const Program& program) {
  std::vector<std::uint32_t> parents(program.tiles.size());
  std::iota(parents.begin(), parents.end(), 0u);
  for (const CodeOp& op : program.code) {
    if (op.kind != CodeKind::Window && op.kind != CodeKind::Alias) continue;
    const Value parent = program.slots[program.code_slots[op.slots]];
    if (parent.kind == ValueKind::Tile) parents[op.data] = static_cast<std::uint32_t>(parent.bits);
  }
  join_spellings(program, parents);
  for (std::uint32_t& parent : parents)
    while (parents[parent] != parent) parent = parents[parent];
  return parents;
}

std::size_t first_ending_behind(std::span<const HalfSteps> times, std::uint32_t half) {
  const auto at = std::ranges::upper_bound(times, half, {}, &HalfSteps::end);
  return static_cast<std::size_t>(at - times.begin());
}

namespace {

constexpr std::uint32_t kAskEvery = 1 << 14;
constexpr std::uint32_t kUnseen = ~0u;

// A place that a bound step works on.
struct PlaceUse {
  std::uint32_t place = 0;
  bool reads = false, writes = false, scratch = false;
};

// The bytes between two neighbouring borders of places, and who used them last: the newest use, and the newest of
// somebody else.
struct LifeCell {
  std::uint64_t begin, end;
  std::uint32_t root = kUnseen, half = 0, other_half = 0;
  bool has_other = false;

  void touch(std::uint32_t by, std::uint32_t at) {
    if (root != by && root != kUnseen) has_other = true, other_half = half;
    root = by;
    half = at;
  }
  bool touched_behind(std::uint32_t at, std::uint32_t but_by) const {
    if (root != kUnseen && root != but_by) return half > at;
    return has_other && other_half > at;
  }
};

}  // namespace

struct Lifetimes::Maker {
  Lifetimes& out;
  const Recording& recording;
  const std::function<bool()>& go_on;

  struct Place {
    std::uint32_t tile;
    ByteRange bytes;
    Flat begin;
    std::uint32_t first_cell = 0, end_cell = 0;
    bool alive = false;  // its newest life may still go on
    std::vector<HalfSteps> lives = {};
  };
  std::vector<Place> places = {};
  std::map<std::tuple<std::uint32_t, std::uint32_t, CoreId>, std::uint32_t> place_numbers =
      {};  // of tile, address and core
  // By bound: its part of `uses`. kUnseen: no step had it.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> uses_of = {};
  std::vector<PlaceUse> uses = {};
  std::vector<LifeCell> cells = {};

  bool may_go_on(std::uint32_t step) const { return step % kAskEvery != 0 || !go_on || go_on(); }

  bool make() {
    out.roots_ = alias_roots(recording.program());
    if (!find_places()) return false;
    cut_cells();
    if (!follow_steps()) return false;
    keep_places();
    return find_overlaps() && sum_up();
  }

  // --- which places are used ---

  bool find_places() {
    for (std::uint32_t step = 0; step < recording.count(); ++step) {
      if (!may_go_on(step)) return false;
      const std::uint32_t bound = recording.step(step).bound;
      if (bound >= uses_of.size()) uses_of.resize(bound + std::size_t{1}, {kUnseen, 0});
      if (uses_of[bound].first == kUnseen) list_uses(recording.bound(step), uses_of[bound]);
    }
    return true;
  }

  void list_uses(const Bound& bound, std::pair<std::uint32_t, std::uint32_t>& part) {
    part.first = static_cast<std::uint32_t>(uses.size());
    for (const Operand& operand : bound.operands) {
      if (operand.spec->kind != OperandKind::Tile || bound.row->effect == Effect::BindsAddress) continue;
      if (!is_core_memory(operand.tile.space()) || operand.tile.range().size == 0) continue;
      const std::uint32_t place = number_of(operand);
      auto use =
          std::find_if(uses.begin() + part.first, uses.end(), [&](const PlaceUse& u) { return u.place == place; });
      if (use == uses.end()) use = uses.insert(uses.end(), {place});
      const Role role = operand.spec->role;
      (role == Role::Out ? use->writes : role == Role::Tmp ? use->scratch : use->reads) = true;
      if (operand.spec->reads) use->reads = true;
    }
    part.second = static_cast<std::uint32_t>(uses.size());
  }

  std::uint32_t number_of(const Operand& operand) {
    const auto next = static_cast<std::uint32_t>(places.size());
    ByteRange bytes = operand.tile.range();
    // Of a core that reaches the memory of another one, the latter's.
    bytes.core = recording.map().locate(recording.map().origin(bytes.space, bytes.core)).core;
    const auto [at, is_new] = place_numbers.try_emplace({operand.id, operand.tile.address, bytes.core}, next);
    if (is_new) places.push_back({operand.id, bytes, recording.map().flat(bytes)});
    return at->second;
  }

  void cut_cells() {
    std::vector<std::uint64_t> borders;
    for (const Place& place : places) {
      borders.push_back(place.begin);
      borders.push_back(std::uint64_t{place.begin} + place.bytes.size);
    }
    std::ranges::sort(borders);
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) cells.push_back({borders[i], borders[i + 1]});
    const auto border_at = [&](std::uint64_t flat) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(borders, flat) - borders.begin());
    };
    for (Place& place : places) {
      place.first_cell = border_at(place.begin);
      place.end_cell = border_at(std::uint64_t{place.begin} + place.bytes.size);
    }
  }

  // --- when they are used ---

  enum class Use : std::uint8_t { None, GoesOn, Fresh };

  // Tiles that the program is given hold something before the first step.
  void begin_with_inputs() {
    for (Place& place : places) {
      const TileDecl& tile = recording.program().tiles[place.tile];
      if (!tile.data.empty() && tile.address == place.bytes.address) live_on(place, 0, false), touch(place, 0);
    }
  }

  bool follow_steps() {
    begin_with_inputs();
    for (std::uint32_t step = 0; step < recording.count(); ++step) {
      if (!may_go_on(step)) return false;
      const Bound& bound = recording.bound(step);
      if (bound.row->effect == Effect::StartsBlock)
        for (Place& place : places) place.alive = false;
      const auto [first, end] = uses_of[recording.step(step).bound];
      const std::span<const PlaceUse> now(uses.data() + first, end - first);
      use_all(now, 2 * step, [&](const PlaceUse& use) { return read_of(use, step); });
      use_all(now, 2 * step + 1, [&](const PlaceUse& use) { return write_of(use, step, bound); });
    }
    return true;
  }

  // Scratch is in use for the whole step, and what it held before does not matter.
  Use read_of(const PlaceUse& use, std::uint32_t step) const {
    if (use.reads) return Use::GoesOn;
    return use.scratch && written_bytes(use, step) > 0 ? Use::Fresh : Use::None;
  }

  // A result of which nothing was written is not used; one that is also read, or not written whole, goes on.
  Use write_of(const PlaceUse& use, std::uint32_t step, const Bound& bound) const {
    if (!use.writes && !use.scratch) return Use::None;
    const std::uint64_t written = written_bytes(use, step);
    if (written == 0) return Use::None;
    return !use.reads && !use.scratch && written >= valid_bytes(use, bound) ? Use::Fresh : Use::GoesOn;
  }

  std::uint64_t valid_bytes(const PlaceUse& use, const Bound& bound) const {
    std::uint64_t most = 0;
    for (const Operand& operand : bound.operands) {
      if (operand.spec->kind != OperandKind::Tile || operand.id != places[use.place].tile) continue;
      if (operand.spec->role != Role::Out) continue;
      const TileRef& tile = operand.tile;
      most = std::max(most, std::uint64_t{tile.valid_rows} * tile.valid_cols * size_bits(tile.type.dtype) / 8);
    }
    return most;
  }

  // Of the place's bytes. The patterns of a step are joined: no byte stands in two of them.
  std::uint64_t written_bytes(const PlaceUse& use, std::uint32_t step) const {
    const std::uint64_t begin = places[use.place].begin, end = begin + places[use.place].bytes.size;
    std::uint64_t sum = 0;
    for (const WritePattern& pattern : recording.writes(step)) {
      if (pattern.count == 0 || pattern.base >= end) continue;
      const std::uint64_t last = pattern.base + std::uint64_t{pattern.stride} * (pattern.count - 1) + pattern.size;
      if (last <= begin) continue;
      if (pattern.base >= begin && last <= end) {
        sum += std::uint64_t{pattern.size} * pattern.count;
        continue;
      }
      for_runs(pattern, [&](Flat base, std::uint32_t size) {
        const std::uint64_t from = std::max<std::uint64_t>(base, begin),
                            to = std::min<std::uint64_t>(base + std::uint64_t{size}, end);
        if (from < to) sum += to - from;
      });
    }
    return sum;
  }

  // Uses of one half of a step happen at once: each is judged by what was before all of them.
  template <class How>
  void use_all(std::span<const PlaceUse> now, std::uint32_t half, How how) {
    for (const PlaceUse& use : now)
      if (const Use kind = how(use); kind != Use::None) live_on(places[use.place], half, kind == Use::Fresh);
    for (const PlaceUse& use : now) {
      const Place& place = places[use.place];
      if (!place.lives.empty() && place.lives.back().end == half + 1) touch(place, half);
    }
  }

  void touch(const Place& place, std::uint32_t half) {
    for (std::uint32_t i = place.first_cell; i < place.end_cell; ++i) cells[i].touch(out.roots_[place.tile], half);
  }

  void live_on(Place& place, std::uint32_t half, bool fresh) {
    if (!place.alive || (fresh && was_disturbed(place))) place.lives.push_back({half, half});
    place.alive = true;
    place.lives.back().end = half + 1;
  }

  // By a tile that was not made to share bytes with it, since it was used last.
  bool was_disturbed(const Place& place) const {
    const std::uint32_t last = place.lives.back().end - 1, root = out.roots_[place.tile];
    return std::any_of(cells.begin() + place.first_cell, cells.begin() + place.end_cell,
                       [&](const LifeCell& cell) { return cell.touched_behind(last, root); });
  }

  // --- what comes of it ---

  void keep_places() {
    std::erase_if(places, [](const Place& place) { return place.lives.empty(); });
    std::ranges::sort(places, {}, [](const Place& place) { return std::tuple(place.begin, place.tile); });
    for (Place& place : places) {
      out.places_.push_back({place.tile, place.bytes, out.lives_.size(), place.lives.size()});
      out.lives_.insert(out.lives_.end(), place.lives.begin(), place.lives.end());
      place.lives = {};
      const bool same = !out.memories_.empty() && out.memories_.back().space == place.bytes.space &&
                        out.memories_.back().core == place.bytes.core;
      if (!same) add_memory(place.bytes);
      out.memories_.back().end_place = static_cast<std::uint32_t>(out.places_.size());
    }
  }

  void add_memory(const ByteRange& place) {
    MemoryUse& memory = out.memories_.emplace_back();
    memory.space = place.space;
    memory.core = place.core;
    memory.capacity = capacity_bytes(recording.program().target, place.space);
    memory.first_place = static_cast<std::uint32_t>(out.places_.size() - 1);
  }

  bool find_overlaps() {
    for (MemoryUse& memory : out.memories_) {
      memory.first_overlap = out.overlaps_.size();
      for (std::uint32_t a = memory.first_place; a < memory.end_place; ++a) {
        if (!may_go_on(a)) return false;
        const ByteRange& bytes = out.places_[a].bytes;
        const std::uint64_t end = std::uint64_t{bytes.address} + bytes.size;
        for (std::uint32_t b = a + 1; b < memory.end_place && out.places_[b].bytes.address < end; ++b)
          if (out.roots_[out.places_[a].tile] != out.roots_[out.places_[b].tile]) cross(a, b);
      }
      memory.end_overlap = out.overlaps_.size();
    }
    return true;
  }

  // Both lists ascend: whichever life ends first makes room for its successor.
  void cross(std::uint32_t a, std::uint32_t b) {
    const auto first = out.lives(out.places_[a]), second = out.lives(out.places_[b]);
    const std::size_t first_time = out.overlap_times_.size();
    for (std::size_t i = 0, k = 0; i < first.size() && k < second.size();) {
      const HalfSteps both{std::max(first[i].begin, second[k].begin), std::min(first[i].end, second[k].end)};
      if (both.begin < both.end) {
        if (out.overlap_times_.size() >= kMostOverlapTimes) {
          out.complete_ = false;
          break;
        }
        out.overlap_times_.push_back(both);
      }
      first[i].end <= second[k].end ? ++i : ++k;
    }
    const std::size_t count = out.overlap_times_.size() - first_time;
    if (count == 0) return;
    const ByteRange &low = out.places_[a].bytes, &high = out.places_[b].bytes;
    const std::uint64_t end = std::min(std::uint64_t{low.address} + low.size, std::uint64_t{high.address} + high.size);
    const ByteRange bytes = low.with(high.address, static_cast<std::uint32_t>(end - high.address));
    out.overlaps_.push_back({a, b, bytes, first_time, count});
  }

  bool sum_up() {
    std::uint32_t place = 0;
    std::vector<std::uint32_t> alive(cells.size(), 0);
    std::vector<char> used(cells.size(), 0);
    for (MemoryUse& memory : out.memories_) {
      for (; place < memory.end_place; ++place) {
        const ByteRange& bytes = out.places_[place].bytes;
        memory.highest_end = std::max(memory.highest_end, std::uint64_t{bytes.address} + bytes.size);
        for (std::uint32_t i = places[place].first_cell; i < places[place].end_cell; ++i)
          if (std::exchange(used[i], 1) == 0) memory.used += static_cast<std::uint32_t>(cells[i].end - cells[i].begin);
      }
      if (go_on && !go_on()) return false;
      find_most_live(memory, alive);
    }
    return true;
  }

  void find_most_live(MemoryUse& memory, std::vector<std::uint32_t>& alive) const {
    struct Event {
      std::uint32_t half, place;
      bool begins;
    };
    std::vector<Event> events;
    for (std::uint32_t i = memory.first_place; i < memory.end_place; ++i) {
      for (const HalfSteps& life : out.lives(out.places_[i])) {
        events.push_back({life.begin, i, true});
        events.push_back({life.end, i, false});
      }
    }
    // What ends at a time makes room for what begins there.
    std::ranges::sort(events, {}, [](const Event& event) { return std::tuple(event.half, event.begins); });
    std::uint32_t live = 0;
    for (const Event& event : events) {
      for (std::uint32_t i = places[event.place].first_cell; i < places[event.place].end_cell; ++i) {
        const auto size = static_cast<std::uint32_t>(cells[i].end - cells[i].begin);
        if (event.begins && alive[i]++ == 0) live += size;
        if (!event.begins && --alive[i] == 0) live -= size;
      }
      if (live > memory.most_live) memory.most_live = live, memory.most_live_step = event.half / 2;
    }
  }
};

std::optional<Lifetimes> Lifetimes::make(const Recording& recording, const std::function<bool()>& go_on) {
  Lifetimes lifetimes;
  Maker maker{lifetimes, recording, go_on};
  if (!maker.make()) return {};
  return lifetimes;
}

const MemoryUse* Lifetimes::memory(Space space, CoreId core) const {
  const auto found = std::ranges::find_if(
      memories_, [&](const MemoryUse& memory) { return memory.space == space && memory.core == core; });
  return found == memories_.end() ? nullptr : &*found;
}

const TilePlace* Lifetimes::find(std::uint32_t tile, std::uint32_t address, CoreId core) const {
  for (const MemoryUse& memory : memories_) {
    if (memory.core != core) continue;
    const auto all = places(memory);
    const auto at = std::ranges::lower_bound(all, std::pair(address, tile), {}, [](const TilePlace& place) {
      return std::pair(place.bytes.address, place.tile);
    });
    if (at != all.end() && at->tile == tile && at->bytes.address == address) return &*at;
  }
  return nullptr;
}

std::size_t Lifetimes::bytes() const {
  return places_.capacity() * sizeof(TilePlace) + overlaps_.capacity() * sizeof(Overlap) +
         (lives_.capacity() + overlap_times_.capacity()) * sizeof(HalfSteps);
}

}  // namespace ts
