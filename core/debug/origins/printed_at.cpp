// Putting what is printed under a heading.
#include "core/debug/origins/printed_at.h"

#include <fmt/format.h>

#include "core/debug/elements/printed_elements.h"
#include "core/debug/origins/trace_value.h"

namespace ts {
namespace {

std::string what_it_is(const NamedElements& named) {
  if (named.buffer != nullptr)
    return fmt::format("gm {}x{} {}", named.elements.rows, named.elements.cols, name(named.dtype));
  return fmt::format("{} at {} 0x{:x}", type_now(named.tile).describe(), name(named.tile.space()), named.tile.address);
}

std::string when(const Recording& recording, std::uint32_t position) {
  if (position == 0) return "before the first step";
  const Bound& bound = recording.bound(position - 1);
  return fmt::format("after step {} ({}, line {})", position - 1, bound.row->name, bound.pos.line);
}

}  // namespace

TileType type_now(const TileRef& tile) {
  TileType type = tile.type;
  type.valid_rows = static_cast<std::int32_t>(tile.valid_rows);
  type.valid_cols = static_cast<std::int32_t>(tile.valid_cols);
  return type;
}

std::optional<std::string> printed_at(Questions& questions, const std::string& name, std::uint32_t position,
                                      std::uint64_t most_elements) {
  const auto named = elements_called(questions, name, position);
  if (!named) return {};
  return fmt::format("%{}: {}, {}\n{}", name, what_it_is(*named), when(questions.recording(), position),
                     printed(named->elements, "", most_elements));
}

}  // namespace ts
