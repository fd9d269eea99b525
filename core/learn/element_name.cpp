// Taking names apart, and finding what they mean.
#include "core/learn/element_name.h"

#include <fmt/format.h>

#include "core/debug/elements/elements.h"
#include "core/learn/words.h"
#include "core/text/count.h"

namespace ts::learn {
namespace {

std::string_view bare(std::string_view name) { return name.starts_with('%') ? name.substr(1) : name; }

std::string operand_name(const Program& program, const Operand& operand) {
  return std::string(bare(program.operand_name(operand)));
}

}  // namespace

std::optional<TypedElement> read_element(std::string_view typed) {
  const std::string text = trimmed(typed);
  const std::size_t open = text.find('['), comma = text.find(',', open);
  if (open == std::string::npos || open == 0 || text.back() != ']') return {};
  const auto number = [&](std::size_t from, std::size_t to) -> std::optional<std::uint32_t> {
    std::uint32_t value = 0;
    if (!text::parse_count(trimmed(std::string_view(text).substr(from, to - from)), value)) return {};
    return value;
  };
  TypedElement made{.owner = trimmed(bare(trimmed(std::string_view(text).substr(0, open))))};
  const bool only_col = comma == std::string::npos;
  const auto col = number(only_col ? open + 1 : comma + 1, text.size() - 1);
  if (!only_col) made.row = number(open + 1, comma);
  if (made.owner.empty() || !col || (!only_col && !made.row)) return {};
  made.col = *col;
  return made;
}

int find_operand(const Program& program, const Bound& bound, std::string_view name, bool result) {
  const std::string_view wanted = bare(name);
  int found = -1;
  const auto look = [&](auto called) {
    for (std::size_t i = 0; i < bound.operands.size() && found < 0; ++i)
      if (called(bound.operands[i]) == wanted && (bound.operands[i].spec->role == Role::Out) == result)
        found = static_cast<int>(i);
    for (std::size_t i = 0; i < bound.operands.size() && found < 0; ++i)
      if (called(bound.operands[i]) == wanted) found = static_cast<int>(i);
  };
  look([&](const Operand& operand) { return operand_name(program, operand); });
  look([&](const Operand& operand) { return std::string(operand.spec->name); });
  return found;
}

std::string name_of(const Program& program, const Bound& bound, const StepElement& element) {
  const Operand& operand = bound.operands[static_cast<std::size_t>(element.operand)];
  std::string called = operand_name(program, operand);
  // Scopes have names of their own: of two tiles of one name it is the operand that is meant.
  for (const Operand& other : bound.operands)
    if (!(other.id == operand.id && other.spec->kind == operand.spec->kind) && operand_name(program, other) == called)
      called = std::string(operand.spec->name);
  return fmt::format("{}[{},{}]", called, element.row, element.col);
}

std::string operand_names(const Program& program, const Bound& bound, bool results) {
  std::string text;
  for (const Operand& operand : bound.operands) {
    if ((operand.spec->role == Role::Out) != results) continue;
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", operand_name(program, operand), operand.spec->name);
  }
  return text.empty() ? "none" : text;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> shape_of_named(Session& session, const std::string& name,
                                                                      std::uint32_t position) {
  const std::string wanted(bare(name));
  if (const auto tile = session.find_tile(wanted, position)) {
    const TileRef where = session.tile_at(*tile, position);
    return std::pair{where.rows(), where.cols()};
  }
  if (const auto buffer = session.find_buffer(wanted)) {
    const BufferShape shape = shape_of(session.recording().program().buffers[*buffer]);
    return std::pair{shape.rows, shape.cols};
  }
  return {};
}

}  // namespace ts::learn
