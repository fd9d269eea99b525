// Pairs of pictures.
#include "app/view/against.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "app/view/operand_element.h"
#include "core/debug/session/session.h"

namespace ts::ui {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> made = std::uint64_t{1} << 40;
  return ++made;
}

// An array's elements where the picture's stand: it has the tile's shape, or that of the valid region, or is one row.
Elements spread(const Elements& like, const Elements& array, Region region) {
  Elements out = like;
  out.format = array.format;
  std::ranges::fill(out.bits, 0);
  out.worth.assign(out.bits.size(), Definedness::Never);
  const bool whole = array.rows == like.rows && array.cols == like.cols;
  const std::uint32_t rows = whole ? like.rows : like.rows_of(region), cols = whole ? like.cols : like.cols_of(region);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t col = 0; col < cols; ++col) {
      const std::size_t from = std::size_t{row} * cols + col;
      if (from >= array.bits.size()) return out;
      out.bits[out.index(row, col)] = array.bits[from];
      out.worth[out.index(row, col)] = Definedness::Written;
    }
  return out;
}

// The other recording's tile or buffer of this name, as it stands where that one stands.
std::optional<TilePicture> picture_there(Session& session, const Owner& owner, const std::string& name,
                                         const TilePicture& mine, std::uint32_t position) {
  if (owner.kind == Owner::Kind::Buffer) {
    const auto buffer = session.find_buffer(name);
    if (!buffer) return {};
    return picture_of(session, session.recording().program().buffers[*buffer], {position, 0}, mine.window);
  }
  const auto tile = session.find_tile(name, position);
  if (!tile) return {};
  return picture_of(session, session.tile_at(*tile, position), {position, 0});
}

void mark_differences(const TilePicture& mine, const CompareOptions& options, SideBySide& out) {
  const auto made = Comparing::make(mine.elements, out.other.elements, options);
  if (const auto* no = std::get_if<Refusal>(&made)) {
    out.refused = *no;
    return;
  }
  const Comparing& comparing = std::get<Comparing>(made);
  out.differs.assign(mine.elements.bits.size(), 0);
  for (auto found = comparing.next(0); found; found = comparing.next(comparing.index_of(*found) + 1))
    if (!found->undefined) {
      out.differs[mine.elements.index(found->row, found->col)] = 1;
      ++out.comparison.count;
    }
  out.comparison.compared = comparing.count();
}

}  // namespace

Element element_in(const Recording& recording, const ResultDifference& result, const Difference& difference) {
  return element_of_operand(recording.program(), recording.bound(result.step_a), result.operand_a, difference.row,
                            difference.col);
}

std::uint32_t other_position(const Against& against, std::uint32_t position) {
  const auto& all = against.found.differences;
  const auto behind = std::ranges::partition_point(
      all, [&](const ResultDifference& difference) { return difference.step_a < position; });
  if (behind == all.begin()) return std::min(position, against.other->recording->count());
  const ResultDifference& last = *(behind - 1);
  return std::min(last.step_b + (position - last.step_a), against.other->recording->count());
}

SideBySide side_by_side(const Against& against, Session* session, const Owner& owner, const std::string& name,
                        const TilePicture& mine) {
  SideBySide out{.number = next_number()};
  if (against.is_run()) {
    auto there = mine.moment.micro > 0
                     ? std::nullopt
                     : picture_there(*session, owner, name, mine, other_position(against, mine.moment.position));
    if (!there) {
      out.refused = mine.moment.micro > 0
                        ? Refusal{"in the middle of a step nothing is compared", "step out of it: Shift+F11"}
                        : Refusal{fmt::format("the other run has no {}", name), "other tiles may be in both"};
      return out;
    }
    out.other = std::move(*there);
  } else {
    if (owner != against.owner) {
      out.refused = Refusal{"the array is compared with another tile", "choose that tile above"};
      return out;
    }
    out.other = mine;
    out.other.elements = spread(mine.elements, against.array, against.options.values.region);
    out.other.changed.assign(mine.elements.bits.size(), 0);
    out.other.written = out.other.changed;
    out.other.statistics = statistics_of(out.other.elements, Region::Valid);
    out.other.number = next_number();
  }
  mark_differences(mine, against.options.values, out);
  return out;
}

TilePicture picture_of_difference(const TilePicture& mine, const SideBySide& sides, bool ulps) {
  TilePicture out = mine;
  out.number = next_number();
  out.changed.assign(mine.elements.bits.size(), 0);
  out.written = out.changed;
  out.elements.format = &element_format(ulps ? DType::U32 : DType::F32);
  out.elements.worth.assign(mine.elements.bits.size(), Definedness::Written);
  std::ranges::fill(out.elements.bits, 0);
  const auto made = Comparing::make(mine.elements, sides.other.elements, {.region = Region::All});
  const auto* comparing = std::get_if<Comparing>(&made);
  if (comparing == nullptr) return out;
  constexpr std::uint64_t kFurthest = std::numeric_limits<std::uint32_t>::max();
  for (auto found = comparing->next(0); found; found = comparing->next(comparing->index_of(*found) + 1)) {
    const std::size_t at = out.elements.index(found->row, found->col);
    if (found->undefined) {
      out.elements.worth[at] = Definedness::Never;
      continue;
    }
    const auto apart = static_cast<float>(found->absolute);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &apart, sizeof bits);
    out.elements.bits[at] = ulps ? std::min(found->ulps.value_or(kFurthest), kFurthest) : bits;
  }
  out.statistics = statistics_of(out.elements, Region::Valid);
  return out;
}

}  // namespace ts::ui
