// Work on views of global memory that goes through a tile: a loop for each dimension of which more than fits.
#pragma once

#include <vector>

#include "core/compile/compilation.h"

namespace ts {

class Chunks {
 public:
  // Of all views of the operation's shape; `shape` is one of them.
  Chunks(Compilation& c, text::OpId id, const text::Op& op, Slot shape, const TileType& through);

  // The loops begin; what is emitted from here on is done for each chunk.
  void begin();
  void end();

  // The chunk at hand, of a view; of one in which such pieces lie behind each other, of that piece.
  Slot part_of_view(Slot view);
  Slot part_of_piece(Slot view, std::size_t along, std::int64_t before);
  // The place of the chunk at hand in a tile, valid as far as the chunk goes.
  Slot part_of_tile(Slot tile);
  // A step at the operation's place in the text, by the row of an instruction, its operands in the row's order.
  void step(const char* instruction, const std::vector<Slot>& operands, const char* attribute = "", int value = 0);

 private:
  struct Dimension {
    std::int64_t fixed;  // elements; negative: only running tells
    std::uint32_t most;  // of them in a chunk
    Slot offset = kNoSlot, size = kNoSlot;
    std::uint32_t enter = 0;  // the code that enters its loop
    bool loops = false;
  };
  Slot extent(std::size_t number);
  Slot compute(const char* operation, Slot a, Slot b);
  void open(std::size_t number);

  Compilation& c_;
  text::OpId id_;
  const text::Op& op_;
  Slot shape_;
  std::vector<Dimension> dims_;
};

}  // namespace ts
