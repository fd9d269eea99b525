// Asking the data flow of a step for every element of a result.
#include "core/debug/origins/element_map.h"

#include <algorithm>

namespace ts {
namespace {

ByteRange joined(const ByteRange& a, const ByteRange& b) {
  if (a.size == 0) return b;
  const std::uint32_t begin = std::min(a.address, b.address), end = std::max(a.address + a.size, b.address + b.size);
  return a.with(begin, end - begin);
}

void take_chooser(const Source& source, ElementOrigin& origin) {
  if (origin.chosen_by >= 0 || source.kind != Source::Kind::Element) return;
  origin.chosen_by = source.operand;
  origin.chosen_row = source.row;
  origin.chosen_col = source.col;
  origin.chosen_bits = source.bits;
}

void take_part(const Source& source, ElementOrigin& origin) {
  using Kind = ElementOrigin::Kind;
  switch (source.kind) {
    case Source::Kind::Element:
      origin.kind = origin.kind == Kind::Untouched ? Kind::Element : Kind::Several;
      origin.operand = source.operand;
      origin.row = source.row;
      origin.col = source.col;
      origin.place = joined(origin.place, source.place);
      return;
    case Source::Kind::Bytes:  // one for each byte
      if (origin.kind == Kind::Untouched) origin.kind = Kind::Elsewhere;
      else if (origin.kind != Kind::Elsewhere) origin.kind = Kind::Several;
      origin.place = joined(origin.place, source.place);
      return;
    default: origin.kind = Kind::Several; return;
  }
}

ElementOrigin origin_of(const std::vector<Source>& sources) {
  ElementOrigin origin;
  bool unspecified = false;
  for (const Source& source : sources) {
    if (source.kind == Source::Kind::Unspecified) unspecified = true;
    else if (source.decided) take_chooser(source, origin);
    else take_part(source, origin);
  }
  if (unspecified || sources.empty()) origin.kind = ElementOrigin::Kind::Unspecified;
  return origin;
}

}  // namespace

ElementMap element_map(const Flow& flow, const Bound& bound, int operand, const std::function<bool()>& go_on) {
  const TileRef& tile = bound.operands[static_cast<std::size_t>(operand)].tile;
  ElementMap map{operand, tile.rows(), tile.cols()};
  map.origins.resize(std::size_t{map.rows} * map.cols);
  for (std::uint32_t row = 0; row < map.rows; ++row) {
    if (go_on && !go_on()) return map;
    for (std::uint32_t col = 0; col < map.cols; ++col) {
      if (!flow.wrote(tile.place_of(row, col))) continue;
      map.origins[std::size_t{row} * map.cols + col] = origin_of(flow.sources(operand, row, col));
    }
  }
  return map;
}

std::vector<GatherWindow> gather_windows(const ElementMap& map) {
  std::vector<GatherWindow> windows;
  for (std::uint32_t row = 0; row < map.rows; ++row) {
    for (std::uint32_t col = 0; col < map.cols; ++col) {
      const ElementOrigin& origin = map.at(row, col);
      if (origin.chosen_by < 0) continue;
      const auto goes_on = [&](const GatherWindow& last) {
        return last.row == row && last.col + last.cols == col && last.origin.chosen_row == origin.chosen_row &&
               last.origin.chosen_col == origin.chosen_col;
      };
      if (windows.empty() || !goes_on(windows.back())) windows.push_back({row, col, 0, origin, {}});
      ++windows.back().cols;
      windows.back().place = joined(windows.back().place, origin.place);
    }
  }
  return windows;
}

GatherCoverage coverage_of(const std::vector<GatherWindow>& windows, const ByteRange& source) {
  GatherCoverage coverage;
  std::vector<std::int32_t> begins(std::size_t{source.size} +
                                   1);  // windows that begin at a byte, less those that end there
  const std::uint64_t end = std::uint64_t{source.address} + source.size;
  for (const GatherWindow& window : windows) {
    const std::uint64_t first = window.place.address, last = first + window.place.size;
    const bool elsewhere = !window.place.in_same_memory(source);
    if (elsewhere || first < source.address || last > end) ++coverage.outside;
    if (elsewhere || last <= source.address || first >= end) continue;
    ++begins[std::max<std::uint64_t>(first, source.address) - source.address];
    --begins[std::min(last, end) - source.address];
  }
  std::int32_t over = 0;
  for (std::uint32_t byte = 0; byte < source.size; ++byte) {
    over += begins[byte];
    coverage.read += over > 0;
    coverage.shared += over > 1;
    coverage.gaps += over == 0;
  }
  return coverage;
}

}  // namespace ts
