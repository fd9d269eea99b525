// Page versions: taking them, finding them, putting them back.
#include "core/record/timeline.h"

#include <algorithm>
#include <cstring>

namespace ts {

namespace {

// A few words of a page. Where they differ from the last version's, the pages differ, and the last version, which has
// long left the caches, need not be read to know it.
std::uint64_t sample_of(const std::byte* page) {
  std::uint64_t mix = 0;
  for (std::size_t at : {std::size_t{0}, std::size_t{680}, std::size_t{1368}, std::size_t{kPageBytes - 8}}) {
    std::uint64_t word;
    std::memcpy(&word, page + at, sizeof word);
    mix = (mix ^ word) * 0x9E3779B97F4A7C15ull;
  }
  return mix;
}

}  // namespace

Timeline::Timeline(const MemoryMap& map, std::size_t budget_bytes)
    : map_(map), arena_(budget_bytes), versions_(map.pages()), sample_(map.pages(), 0) {}

bool Timeline::commit(Memory& memory, std::uint32_t position, std::span<const std::uint32_t> pages) {
  for (std::size_t i = 0; i < pages.size();) {
    std::size_t end = i + 1;
    while (end < pages.size() && pages[end] == pages[end - 1] + 1) ++end;
    if (!commit_run(memory, position, pages[i], static_cast<std::uint32_t>(end - i))) {
      forget(position, pages);
      return false;
    }
    i = end;
  }
  return true;
}

// Takes back what an unfinished commit has already kept.
void Timeline::forget(std::uint32_t position, std::span<const std::uint32_t> pages) {
  for (std::uint32_t page : pages) {
    std::vector<PageVersion>& versions = versions_[page];
    if (versions.empty() || versions.back().position != position) continue;
    versions.pop_back();
    if (!versions.empty()) sample_[page] = sample_of(bytes(versions.back()).data());
  }
}

bool Timeline::commit_start(Memory& memory) {
  for (std::uint32_t page = 0; page < pages(); ++page) {
    const auto is_zero = [](std::uint64_t word) { return word == 0; };
    if (std::ranges::all_of(memory.written_plane(page), is_zero) && std::ranges::all_of(memory.unspecified_plane(page), is_zero)) continue;
    if (!commit_run(memory, 0, page, 1)) return false;
  }
  return true;
}

// Consecutive pages whose bytes all changed are copied at once: one long copy runs faster than many short ones.
bool Timeline::commit_run(Memory& memory, std::uint32_t position, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t page = first, end = first + count; page < end;) {
    if (same_bytes_as_last(memory, page)) {
      PageVersion next{position, versions_[page].back().bytes, kWhole};
      if (!keep_planes(memory, page, next)) return false;
      if (next.planes != versions_[page].back().planes) versions_[page].push_back(next);
      ++page;
      continue;
    }
    std::uint32_t changed_end = page + 1;
    while (changed_end < end && !same_bytes_as_last(memory, changed_end)) ++changed_end;
    const std::size_t size = std::size_t{changed_end - page} * kPageBytes;
    std::byte* place = arena_.take(size);
    if (place == nullptr) return false;
    std::memcpy(place, memory.base() + std::size_t{page} * kPageBytes, size);
    for (; page < changed_end; ++page, place += kPageBytes) {
      PageVersion next{position, static_cast<std::uint32_t>(arena_.offset(place) / kUnit), kWhole};
      if (!keep_planes(memory, page, next)) return false;
      versions_[page].push_back(next);
      sample_[page] = sample_of(memory.base() + std::size_t{page} * kPageBytes);
    }
  }
  return true;
}

bool Timeline::same_bytes_as_last(const Memory& memory, std::uint32_t page) const {
  if (versions_[page].empty()) return false;
  const std::byte* now = memory.base() + std::size_t{page} * kPageBytes;
  return sample_of(now) == sample_[page] && std::memcmp(now, bytes(versions_[page].back()).data(), kPageBytes) == 0;
}

// Sets version.planes: whole, the last version's, or a new snapshot. False when the budget is used up.
bool Timeline::keep_planes(Memory& memory, std::uint32_t page, PageVersion& version) {
  version.planes = kWhole;
  if (memory.page_is_whole(page)) return true;
  const auto written = memory.written_plane(page), unspecified = memory.unspecified_plane(page);
  if (!versions_[page].empty() && versions_[page].back().planes != kWhole) {
    const std::byte* kept = planes(versions_[page].back()).data();
    if (std::memcmp(kept, written.data(), kPlanesBytes / 2) == 0 &&
        std::memcmp(kept + kPlanesBytes / 2, unspecified.data(), kPlanesBytes / 2) == 0) {
      version.planes = versions_[page].back().planes;
      return true;
    }
  }
  std::byte* place = arena_.take(kPlanesBytes);
  if (place == nullptr) return false;
  std::memcpy(place, written.data(), kPlanesBytes / 2);
  std::memcpy(place + kPlanesBytes / 2, unspecified.data(), kPlanesBytes / 2);
  version.planes = static_cast<std::uint32_t>(arena_.offset(place) / kUnit);
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
  memory.planes_edited(page);
}

void Timeline::restore_last(Memory& memory, std::uint32_t page) const {
  load(memory, page, static_cast<std::uint32_t>(versions_[page].size()));
}

void Timeline::make_fresh(Memory& memory, std::uint32_t page) const {
  const bool on_chip = page * kPageBytes < map_.origin(Space::Gm);
  std::memset(memory.base() + std::size_t{page} * kPageBytes, on_chip ? kPoison : 0, kPageBytes);
  std::ranges::fill(memory.written_plane(page), 0);
  std::ranges::fill(memory.unspecified_plane(page), 0);
  memory.planes_edited(page);
}

}  // namespace ts
