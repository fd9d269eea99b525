// What the open recording is compared with: another recording, or an array for one of its tiles.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/view/document.h"
#include "app/view/element.h"
#include "core/debug/compare/compare_runs.h"
#include "core/debug/picture/tile_picture.h"

namespace ts::ui {

// What was compared, and what came out. Never changed: comparing again makes another.
struct Against {
  std::string mine, title;  // "complex_split on a5", and what it is compared with
  CompareRunsOptions options = {};
  // --- another recording ---
  std::shared_ptr<const Document> other = {};  // null: an array
  RunDifferences found = {};
  std::optional<ResultDifference> padding = {};  // what began in padding alone (padding_cause.h)
  // --- an array ---
  Owner owner = {};
  std::uint32_t position = 0;  // where the tile was compared
  std::string path = {};
  Elements array = {};
  Comparison comparison = {};
  std::vector<Difference> elements = {};  // the first ones that differ, row by row

  bool is_run() const { return other != nullptr; }
  std::size_t count() const { return is_run() ? found.differences.size() : elements.size(); }
};

// Elements listed of a comparison with an array.
inline constexpr std::size_t kMostListed = 10'000;

// An element of a result: of a buffer, which is compared as one row, the row and column of its shape.
Element element_in(const Recording& recording, const ResultDifference& result, const Difference& difference);

// Where the other recording stands when this one stands at a position: as far behind the last difference before it.
std::uint32_t other_position(const Against& against, std::uint32_t position);

// A picture of the open recording beside what the other side has for it.
struct SideBySide {
  std::optional<Refusal> refused = {};     // then there is nothing else
  TilePicture other = {};                  // as large as the open recording's
  std::vector<std::uint8_t> differs = {};  // by element
  Comparison comparison = {};
  std::uint64_t number = 0;  // no other has it
};

// `session` is over the other recording; null for an array. Elements that only one side promises are not compared.
SideBySide side_by_side(const Against& against, Session* session, const Owner& owner, const std::string& name,
                        const TilePicture& mine);

// How far the sides are apart, as a picture of its own: |a - b|, or the elements between them.
TilePicture picture_of_difference(const TilePicture& mine, const SideBySide& sides, bool ulps);

}  // namespace ts::ui
