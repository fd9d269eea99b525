// A value's whole way: the step that computed it, the one that brought it to where it is, and the inputs that it came from.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/debug/elements/elements.h"
#include "core/debug/origins/questions.h"

namespace ts {

// A buffer, or a tile, as it stands at a position.
struct NamedElements {
  DType dtype = DType::F32;
  Elements elements = {};
  const BufferDecl* buffer = nullptr;  // null: it is a tile
  TileRef tile = {};

  ByteRange place(std::uint32_t row, std::uint32_t col) const;
};
bool has_elements(const Program& program, std::string_view name);
// Nothing: the program has none of that name.
std::optional<NamedElements> elements_called(Questions& questions, const std::string& name, std::uint32_t position);

// Elements of an input that a value came from: a rectangle around them.
struct InputPart {
  std::string name;
  std::uint32_t first_row = 0, last_row = 0, first_col = 0, last_col = 0;
  std::uint64_t count = 0;
  std::string first_value = {};  // of the first of them
  bool decided = false;          // they only chose values
};

struct TracedValue {
  std::optional<std::uint32_t> step = {};    // that made it; nothing: no step wrote it
  std::optional<std::uint32_t> stored = {};  // that brought it to where it is, when that is another one
  bool only_moved = false;                   // no step computed it: an input's value got there
  ByteRange place = {};                      // where `step` left it
  std::string element = {};                  // the same: "%c[6,3]"
  std::string tile = {};                     // of a tile its name alone, and the element; empty: it is a buffer
  std::uint32_t row = 0, col = 0;
  std::vector<InputPart> inputs = {};  // in the order of the program's inputs; what only chose comes last
  std::vector<std::string> odd = {};   // values that it came from and nobody gave: "never written: ..."
  bool complete = true;                // false: there was more than could be looked through
};

// The step that made the newest of the bytes as they stand at a position; nothing: no step did.
std::optional<std::uint32_t> maker_of(Questions& questions, ByteRange place, std::uint32_t position);
TracedValue trace_value(Questions& questions, ByteRange place, std::uint32_t position,
                        const std::function<bool()>& go_on = {});

}  // namespace ts
