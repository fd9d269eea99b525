// What became different between two positions of a recording: tiles, registers and buffers, element by element.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ts {

class Questions;

struct ChangedElement {
  std::uint32_t row = 0, col = 0;
  std::string before = {}, after = {};  // ".." where nobody wrote
};

// A tile, a register (which is a tile in the registers), or a buffer.
struct ChangedThing {
  bool is_tile = true, is_register = false;
  std::uint32_t id = 0;
  std::uint32_t changed = 0, all = 0;         // elements
  std::vector<ChangedElement> elements = {};  // the first ones, row by row
  std::string moved = {};                     // "ub 0x100, before ub 0x0": it stands elsewhere; else empty
};

// In the order of the program; only what changed. An element changed when its bits did, or what they are worth. Of each
// thing the first `most` elements are listed. `go_on` is asked now and then; false ends it early.
std::vector<ChangedThing> what_changed(Questions& questions, std::uint32_t from, std::uint32_t to,
                                       const std::function<bool()>& go_on = {}, std::size_t most = 20);

}  // namespace ts
