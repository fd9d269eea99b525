// Keeping what was read, least recently used out first.
#include "core/record/page_cache.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ts {

struct PageCache::Kept {
  std::array<std::byte, kPageBytes> bytes;
  std::array<std::byte, kPlanesBytes> planes;
  bool whole = false;
};

PageCache::PageCache(std::uint32_t pages, std::unique_ptr<PageSource> source, std::size_t budget_bytes)
    // A seek needs one entry after the other, never two at once.
    : most_entries_(std::max<std::size_t>(budget_bytes / (sizeof(Kept) + 128), 16)),
      source_(std::move(source)),
      versions_(pages),
      listed_(std::make_unique<std::atomic<bool>[]>(pages)) {}

const std::vector<PageVersion>& PageCache::versions(std::uint32_t page) {
  if (listed_[page].load(std::memory_order_acquire)) return versions_[page];
  const std::lock_guard lock(mutex_);
  if (!listed_[page].load(std::memory_order_relaxed)) {
    const std::optional<std::vector<std::uint32_t>> positions = source_->positions(page);
    if (!positions) damaged_ = true;
    else
      for (const std::uint32_t position : *positions) versions_[page].push_back({position, 0, 0});
    listed_[page].store(true, std::memory_order_release);
  }
  return versions_[page];
}

PageContent PageCache::content(std::uint32_t page, std::uint32_t version) {
  const auto view = [](std::shared_ptr<const Kept> kept) {
    const std::span<const std::byte> planes = kept->planes;
    return PageContent{pieces_of(kept->bytes.data()), kept->whole ? planes.first(0) : planes, kept};
  };
  const Key key = Key{page} << 32 | version;
  const std::lock_guard lock(mutex_);
  if (const auto place = places_.find(key); place != places_.end()) {
    entries_.splice(entries_.begin(), entries_, place->second);
    return view(place->second->kept);
  }
  auto read = std::make_shared<Kept>();
  const PageSource::Read how = source_->read(page, version - 1, read->bytes, read->planes);
  read->whole = how == PageSource::Read::Whole;
  if (how == PageSource::Read::Damaged) {
    damaged_ = true;
    read->bytes.fill(std::byte{kPoison});
    read->planes.fill(std::byte{0});
  }
  if (entries_.size() == most_entries_) {
    places_.erase(entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({key, read});
  places_[key] = entries_.begin();
  return view(std::move(read));
}

std::size_t PageCache::used_bytes() {
  const std::lock_guard lock(mutex_);
  return entries_.size() * sizeof(Kept);
}

}  // namespace ts
