// Page versions: taking them, finding them, putting them back.
#include "core/record/timeline.h"

#include <algorithm>
#include <cstring>

namespace ts {

Timeline::Timeline(const MemoryMap& map, std::size_t budget_bytes) : map_(map), arena_(budget_bytes), versions_(map.pages()) {}

bool Timeline::commit(Memory& memory, std::uint32_t position, std::span<const std::uint32_t> pages) {
  return std::ranges::all_of(pages, [&](std::uint32_t page) { return commit_page(memory, position, page); });
}

bool Timeline::commit_start(Memory& memory) {
  for (std::uint32_t page = 0; page < pages(); ++page) {
    const auto planes = memory.written_plane(page);
    if (std::ranges::all_of(planes, [](std::uint64_t word) { return word == 0; })) continue;
    if (!commit_page(memory, 0, page)) return false;
  }
  return true;
}

bool Timeline::commit_page(Memory& memory, std::uint32_t position, std::uint32_t page) {
  std::vector<PageVersion>& versions = versions_[page];
  const std::byte* now = memory.base() + std::size_t{page} * kPageBytes;
  PageVersion next{position, 0, kWhole};

  const PageVersion* last = versions.empty() ? nullptr : &versions.back();
  // Pages that changed differ early as a rule, so the comparison is cheap where a copy follows.
  const bool same_bytes = last != nullptr && std::memcmp(now, arena_.at(std::size_t{last->bytes} * kUnit), kPageBytes) == 0;
  bool same_planes;
  if (memory.page_is_whole(page)) {
    same_planes = last != nullptr && last->planes == kWhole;
  } else {
    // Both planes of a page lie side by side in a snapshot.
    same_planes = false;
    if (last != nullptr && last->planes != kWhole) {
      const std::byte* kept = arena_.at(std::size_t{last->planes} * kUnit);
      same_planes = std::memcmp(kept, memory.written_plane(page).data(), kPlanesBytes / 2) == 0 &&
                    std::memcmp(kept + kPlanesBytes / 2, memory.unspecified_plane(page).data(), kPlanesBytes / 2) == 0;
    }
    if (same_planes) next.planes = last->planes;
  }
  if (same_bytes && same_planes) return true;

  if (same_bytes) {
    next.bytes = last->bytes;
  } else {
    std::byte* place = arena_.take(kPageBytes);
    if (place == nullptr) return false;
    std::memcpy(place, now, kPageBytes);
    next.bytes = static_cast<std::uint32_t>(arena_.offset(place) / kUnit);
  }
  if (!same_planes && !memory.page_is_whole(page)) {
    std::byte* place = arena_.take(kPlanesBytes);
    if (place == nullptr) return false;
    std::memcpy(place, memory.written_plane(page).data(), kPlanesBytes / 2);
    std::memcpy(place + kPlanesBytes / 2, memory.unspecified_plane(page).data(), kPlanesBytes / 2);
    next.planes = static_cast<std::uint32_t>(arena_.offset(place) / kUnit);
  }
  versions.push_back(next);
  return true;
}

std::span<const std::byte> Timeline::planes(const PageVersion& version) const {
  if (version.planes == kWhole) return {};
  return {arena_.at(std::size_t{version.planes} * kUnit), kPlanesBytes};
}

std::uint32_t Timeline::version_at(std::uint32_t page, std::uint32_t position) const {
  const auto& versions = versions_[page];
  const auto after = std::ranges::upper_bound(versions, position, {}, &PageVersion::position);
  return static_cast<std::uint32_t>(after - versions.begin());
}

void Timeline::load(Memory& memory, std::uint32_t page, std::uint32_t version) const {
  if (version == 0) return make_fresh(memory, page);
  const PageVersion& wanted = versions_[page][version - 1];
  std::memcpy(memory.base() + std::size_t{page} * kPageBytes, bytes(wanted).data(), kPageBytes);
  const auto kept = planes(wanted);
  const auto written = memory.written_plane(page), unspecified = memory.unspecified_plane(page);
  if (kept.empty()) {
    std::memset(written.data(), 0xFF, written.size_bytes());
    std::memset(unspecified.data(), 0, unspecified.size_bytes());
  } else {
    std::memcpy(written.data(), kept.data(), written.size_bytes());
    std::memcpy(unspecified.data(), kept.data() + written.size_bytes(), unspecified.size_bytes());
  }
  memory.refresh_whole(page);
}

void Timeline::restore_last(Memory& memory, std::uint32_t page) const {
  load(memory, page, static_cast<std::uint32_t>(versions_[page].size()));
}

void Timeline::make_fresh(Memory& memory, std::uint32_t page) const {
  const bool on_chip = page * kPageBytes < map_.origin(Space::Gm);
  std::memset(memory.base() + std::size_t{page} * kPageBytes, on_chip ? kPoison : 0, kPageBytes);
  std::ranges::fill(memory.written_plane(page), 0);
  std::ranges::fill(memory.unspecified_plane(page), 0);
  memory.refresh_whole(page);
}

}  // namespace ts
