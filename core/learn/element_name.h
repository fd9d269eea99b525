// Elements as learners name them: "src1[3,5]", "%re[0, 5]", and "src1[5]" where the row is known.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/debug/picture/step_map.h"
#include "core/debug/session/session.h"
#include "core/learn/lesson.h"

namespace ts::learn {

struct TypedElement {
  std::string owner;
  std::optional<std::uint32_t> row = {};  // nothing: only a column was typed
  std::uint32_t col = 0;
};
// Nothing: it is not of that form.
std::optional<TypedElement> read_element(std::string_view text);

// The operand that goes by this name: the tile's or buffer's of the program, else the one that the instruction's page
// uses (`src0`). Of several operands with one name a result, or an input, as wanted. -1: none.
int find_operand(const Program& program, const Bound& bound, std::string_view name, bool result);
// "re[0,5]", by the name in the program; where two operands share it, by the operand's own.
std::string name_of(const Program& program, const Bound& bound, const StepElement& element);
// All names that operands of a step go by: "re (src0), im (src1)".
std::string operand_names(const Program& program, const Bound& bound, bool results);

// Rows and columns of a tile or buffer of this name; nothing: there is none.
std::optional<std::pair<std::uint32_t, std::uint32_t>> shape_of_named(Session& session, const std::string& name,
                                                                      std::uint32_t position);

}  // namespace ts::learn
