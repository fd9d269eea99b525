// What the steps of queues are made of, whoever calls them: the tiles in another core's memory that an entry becomes, and
// which form of its row a step takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program/program.h"

namespace ts {

// How the vector cores share an entry; 0: they do not.
inline constexpr std::uint8_t kSplitRows = 1, kSplitColumns = 2, kSplitOddRows = 3, kSplitOddColumns = 4;

// Where a push finds what its sums are multiplied by.
enum class SumFactor : std::uint8_t { None, One, Columns };

struct SlotTile {
  std::string name;
  TileType type;
  CoreOfBlock whose = CoreOfBlock::Own;
};
// a5: the parts of a slot that a push of such a tile fills. `use` has its queue, its split and its elements; it gets the
// whole of the slot, where the tile becomes a part of one.
std::vector<SlotTile> slots_of_push(const QueueDecl& queue, const TileType& from, QueueUse& use);

std::uint8_t form_of_push(Target target, std::size_t slots, SumFactor factor);
std::uint8_t form_of_pop(Target target);
// By the name that rows of queues have.
const InstructionRow* row_of_queue(QueueAct act, bool to_vector, bool by_views);

}  // namespace ts
