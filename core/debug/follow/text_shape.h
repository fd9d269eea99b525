// The operations of a program's text, known by what they say and not by where they stand: so that they are found again in an
// edited text, of which perhaps only the hashes were kept.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "core/text/tree.h"

namespace ts {

// Hashes of an operation without what is between its braces, without blanks, comments, locations, and without numbers that
// stand for names, which generators give anew: of all its words, of its name, of all but its name.
struct ShapedOp {
  std::uint32_t line = 0;  // where its name stands
  std::uint32_t text = 0, name = 0, rest = 0;
  bool operator==(const ShapedOp&) const = default;
};

struct TextShape {
  std::vector<ShapedOp> ops = {};  // in text order; none of a text with too many

  // The first whose name stands on the line.
  std::optional<std::size_t> at(std::uint32_t line) const;
  // Hashes of those around one; 0: there is none.
  std::uint32_t before(std::size_t op) const { return op == 0 ? 0 : ops[op - 1].text; }
  std::uint32_t after(std::size_t op) const { return op + 1 < ops.size() ? ops[op + 1].text : 0; }
};

TextShape shape_of(const text::Tree& tree);

nlohmann::json save_shape(const TextShape& shape);
TextShape load_shape(const nlohmann::json& saved);  // what cannot be read is left out

struct ShapeMatch {
  std::optional<std::size_t> op = {};  // nothing: it is not there any more
  bool same = false;                   // it says the same
};
// For each operation of `before` where it is in `now`: first what stays in its order, then what was moved as it is, then,
// between two that stay, what has the name or all the rest in common.
std::vector<ShapeMatch> match_shapes(const TextShape& before, const TextShape& now);

}  // namespace ts
