// Distances between names.
#include "core/text/near.h"

#include <algorithm>
#include <utility>

namespace ts::text {
namespace {

constexpr std::size_t kMostEdits = 2, kMostNear = 3;

// How many characters to insert, delete, replace, or change with their neighbour. More than kMostEdits is not told
// apart.
std::size_t edits(std::string_view a, std::string_view b) {
  const std::size_t more = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  if (more > kMostEdits) return more;
  // best[i][j]: from the first i characters of a to the first j of b.
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) best[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) best[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = best[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      best[i][j] = std::min({best[i - 1][j] + 1, best[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best[i][j] = std::min(best[i][j], best[i - 2][j - 2] + 1);
    }
  }
  return best[a.size()][b.size()];
}

}  // namespace

std::vector<std::string> near_names(std::string_view name, std::span<const std::string_view> known) {
  std::vector<std::pair<std::size_t, std::string_view>> near;  // edits, name: sorted as they are
  for (const std::string_view candidate : known) {
    const std::size_t distance = edits(name, candidate);
    if (distance <= kMostEdits) near.emplace_back(distance, candidate);
  }
  std::ranges::sort(near);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(near.size(), kMostNear); ++i) names.emplace_back(near[i].second);
  return names;
}

}  // namespace ts::text
