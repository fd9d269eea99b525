// Copies a part of all things at the one position, and holds it against the other.
#include "core/debug/compare/what_changed.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/debug/elements/cell_text.h"
#include "core/debug/elements/elements.h"
#include "core/debug/origins/questions.h"

namespace ts {
namespace {

// So many elements are copied at once.
constexpr std::size_t kMostCopied = 4u << 20;

struct Thing {
  bool is_tile;
  std::uint32_t id;
};

std::size_t elements_in(const Program& program, const Thing& thing) {
  if (!thing.is_tile) return program.buffers[thing.id].elements;
  const TileDecl& tile = program.tiles[thing.id];
  return std::size_t{tile.type.rows} * tile.type.cols;
}

Elements at_position(Questions& questions, const Thing& thing, std::uint32_t position) {
  if (!thing.is_tile)
    return elements_of(questions.memory_at(position), questions.recording().program().buffers[thing.id]);
  return elements_of(questions.memory_at(position), questions.tile_at(thing.id, position));
}

// Rows and columns beyond the valid region count too: what stands there is seen.
ChangedThing held_against(const Thing& thing, const Elements& before, const Elements& after, std::size_t most) {
  ChangedThing made{.is_tile = thing.is_tile, .id = thing.id};
  const std::uint32_t rows = std::min(before.rows, after.rows), cols = std::min(before.cols, after.cols);
  made.all = rows * cols;
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t col = 0; col < cols; ++col) {
      const std::uint64_t one = before.at(row, col), other = after.at(row, col);
      const Definedness was = before.worth_at(row, col), is = after.worth_at(row, col);
      if (one == other && was == is) continue;
      if (++made.changed > most) continue;
      made.elements.push_back({row, col, cell_text(*before.format, one, was, NumberStyle::Decimal),
                               cell_text(*after.format, other, is, NumberStyle::Decimal)});
    }
  return made;
}

std::string moved_text(Questions& questions, const Thing& thing, std::uint32_t from, std::uint32_t to) {
  if (!thing.is_tile) return {};
  const TileRef was = questions.tile_at(thing.id, from), is = questions.tile_at(thing.id, to);
  if (was.address == is.address) return {};
  return fmt::format("{} 0x{:x}, before 0x{:x}", name(is.space()), is.address, was.address);
}

}  // namespace

std::vector<ChangedThing> what_changed(Questions& questions, std::uint32_t from, std::uint32_t to,
                                       const std::function<bool()>& go_on, std::size_t most) {
  const Program& program = questions.recording().program();
  std::vector<Thing> things;
  for (std::uint32_t id = 0; id < program.tiles.size(); ++id) things.push_back({true, id});
  for (std::uint32_t id = 0; id < program.buffers.size(); ++id) things.push_back({false, id});
  std::vector<ChangedThing> changed;
  for (std::size_t begin = 0; begin < things.size();) {
    if (go_on && !go_on()) return changed;
    std::vector<Elements> before;
    std::size_t end = begin;
    for (std::size_t copied = 0; end < things.size() && (end == begin || copied < kMostCopied); ++end) {
      before.push_back(at_position(questions, things[end], from));
      copied += elements_in(program, things[end]);
    }
    for (std::size_t i = begin; i < end; ++i) {
      ChangedThing made = held_against(things[i], before[i - begin], at_position(questions, things[i], to), most);
      made.is_register = things[i].is_tile && questions.tile_at(things[i].id, to).space() == Space::Reg;
      made.moved = moved_text(questions, things[i], from, to);
      if (made.changed > 0 || !made.moved.empty()) changed.push_back(std::move(made));
    }
    begin = end;
  }
  return changed;
}

}  // namespace ts
