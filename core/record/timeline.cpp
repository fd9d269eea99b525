// Page versions: taking them, finding them, putting them back.
#include "core/record/timeline.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "core/memory/late_pages.h"
#include "core/record/page_cache.h"
#include "core/record/used_units.h"

namespace ts {

namespace {

// Where the pieces of a page stand is told in so many bytes.
constexpr std::uint32_t kTableBytes = Timeline::kUnit;
static_assert(kPiecesOfPage * sizeof(std::uint32_t) <= kTableBytes && kPieceBytes % Timeline::kUnit == 0);
constexpr std::uint32_t kNoPieces = ~0u;

// Of a page of which a step wrote more, copying all is as quick, and reading it later is quicker.
bool touches_little(const TouchedPage& touched) {
  return touched.end <= touched.begin || (touched.end - 1) / kPieceBytes - touched.begin / kPieceBytes < 3;
}

constexpr std::uint32_t kPagesInBigPage = HostPages::kBigPage / kPageBytes;

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

// What one more version of the page can take.
std::size_t most_bytes(const Memory& memory, std::uint32_t page) {
  return sizeof(PageVersion) + kPageBytes + (memory.page_is_whole(page) ? 0 : kPlanesBytes);
}

// What the bytes from number `first` of a page on are worth, by their bits in its two planes.
void expand_worth(std::span<const std::byte> planes, std::uint32_t first, std::span<Definedness> out) {
  const std::byte *written = planes.data(), *unspecified = written + kPlanesBytes / 2;
  const auto bit = [](const std::byte* plane, std::size_t i) {
    return (std::to_integer<unsigned>(plane[i / 8]) >> i % 8 & 1) != 0;
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t at = first + i;
    out[i] = bit(unspecified, at) ? Definedness::Unspecified
             : bit(written, at)   ? Definedness::Written
                                  : Definedness::Never;
  }
}

// What is read of a list when it is asked whether a version is the one of a position.
void fetch(const std::vector<PageVersion>& versions, std::uint32_t version) {
  if (!versions.empty()) __builtin_prefetch(versions.data() + std::min<std::size_t>(version, versions.size() - 1));
}

void fetch_page(const PageContent& content) {
  constexpr std::size_t kLine = 64;
  for (const std::byte* piece : content.pieces)
    for (std::size_t at = 0; at < kPieceBytes; at += kLine) __builtin_prefetch(piece + at);
}

std::uint64_t next_position(const std::vector<PageVersion>& versions, std::size_t i) {
  return i + 1 < versions.size() ? versions[i + 1].position : ~0ull;
}

}  // namespace

bool stays(const PageVersion& version, std::uint64_t next, const Thinning& thinning) {
  if (next > thinning.dense_start) return true;
  const std::uint64_t interval = thinning.interval;
  return (version.position + interval - 1) / interval * interval < next;
}

Timeline::Timeline(const MemoryMap& map, std::size_t budget_bytes)
    : map_(map),
      arena_(budget_bytes),
      budget_(budget_bytes),
      versions_(map.pages()),
      touched_(map.pages() / kPagesInBigPage + 1, false),
      sample_(map.pages(), 0) {
  // A fresh memory has poison in all but the global one.
  for (std::uint32_t page = 0; page * kPageBytes < map_.origin(Space::Gm); ++page) touch(page);
}

Timeline::Timeline(const MemoryMap& map, const Thinning& thinning, PagesElsewhere pages)
    : map_(map),
      arena_(0),
      budget_(0),
      touched_count_(pages.pages + 1),  // and those of the core's own
      thinning_(thinning),
      elsewhere_(std::make_unique<PageCache>(map.pages(), std::move(pages.source), pages.cache_bytes)),
      // Lists grow by doubling.
      elsewhere_bytes_(pages.cache_bytes + 2 * pages.versions * sizeof(PageVersion)) {}

Timeline::~Timeline() = default;

bool Timeline::starts_late(std::uint32_t page) const { return late_ != nullptr && late_->holds(page); }

const std::vector<PageVersion>& Timeline::list(std::uint32_t page) const {
  return elsewhere_ ? elsewhere_->versions(page) : versions_[page];
}

PageContent Timeline::content(std::uint32_t page, std::uint32_t version) const {
  if (elsewhere_) return elsewhere_->content(page, version);
  const PageVersion& wanted = versions_[page][version - 1];
  if (!wanted.in_pieces) return {pieces_of(at(wanted.bytes)), planes(wanted)};
  PageContent content{.planes = planes(wanted)};
  std::ranges::transform(places(wanted), content.pieces.begin(), [&](std::uint32_t place) { return at(place); });
  return content;
}

bool Timeline::is_damaged() const { return elsewhere_ && elsewhere_->is_damaged(); }

std::size_t Timeline::used_bytes() const {
  return elsewhere_ ? elsewhere_->used_bytes() : arena_.used() + version_count_ * sizeof(PageVersion);
}

std::size_t Timeline::held_bytes() const {
  if (elsewhere_) return elsewhere_bytes_ + map_.pages() * sizeof(versions_[0]);
  const std::size_t lists = versions_.size() * (sizeof(versions_[0]) + sizeof(sample_[0]));
  return lists + arena_.used() + 2 * version_count_ * sizeof(PageVersion);  // lists grow by doubling
}

std::size_t Timeline::memory_bytes() const {
  constexpr std::size_t kPlanes = 4;  // bytes of memory for one of the planes
  // The planes of pages that lie far apart are far apart as well: two more big pages.
  const std::size_t touched = touched_count_ * HostPages::kBigPage, all = map_.end();
  const std::size_t bytes = std::min(touched, all);
  return bytes + std::min(bytes / kPlanes + 2 * HostPages::kBigPage, all / kPlanes);
}

bool Timeline::commit(Memory& memory, std::uint32_t position, std::span<const TouchedPage> pages) {
  // Room for the worst case, so that nothing has to be taken back in the middle.
  std::size_t room = 0;
  for (const TouchedPage& touched : pages) room += most_bytes(memory, touched.page);
  if (used_bytes() + room > budget_ && !thin(position - 1, room)) return false;
  keep(memory, position, pages);
  return true;
}

bool Timeline::commit_start(Memory& memory) {
  std::vector<TouchedPage> pages;
  std::size_t room = 0;
  for (std::uint32_t page = 0; page < this->pages(); ++page) {
    if (memory.waits(page) || memory.untouched(page)) continue;
    pages.push_back({page});
    room += most_bytes(memory, page);
  }
  if (room > budget_) return false;
  keep(memory, 0, pages);
  return true;
}

void Timeline::keep(Memory& memory, std::uint32_t position, std::span<const TouchedPage> pages) {
  for (std::size_t i = 0; i < pages.size();) {
    std::size_t end = i + 1;
    while (end < pages.size() && pages[end].page == pages[end - 1].page + 1) ++end;
    keep_run(memory, position, pages.subspan(i, end - i));
    i = end;
  }
}

// Consecutive pages that get bytes of their own are copied at once: one long copy runs faster than many short ones.
void Timeline::keep_run(Memory& memory, std::uint32_t position, std::span<const TouchedPage> run) {
  for (std::size_t i = 0; i < run.size(); ++i) {
    const std::size_t first = i;
    while (i < run.size() && is_new(memory, run[i])) ++i;
    if (i > first) keep_pages(memory, position, run.subspan(first, i - first));
    if (i < run.size()) keep_rest(memory, position, run[i]);
  }
}

void Timeline::keep_pages(Memory& memory, std::uint32_t position, std::span<const TouchedPage> run) {
  const std::size_t size = run.size() * kPageBytes;
  std::byte* place = arena_.take(size);
  std::memcpy(place, memory.base() + std::size_t{run.front().page} * kPageBytes, size);
  for (const TouchedPage& touched : run) {
    add_version(touched.page, {position, unit_of(place), keep_planes(memory, touched.page)});
    place += kPageBytes;
  }
}

// Of a page that shares bytes with its last version.
void Timeline::keep_rest(Memory& memory, std::uint32_t position, const TouchedPage& touched) {
  const PageVersion last = versions_[touched.page].back();
  PageVersion version = last;
  version.position = position;
  // Where a step wrote more, nothing changed: else the page would be new.
  const std::uint32_t pieces = touches_little(touched) ? keep_pieces(memory, touched, last) : kNoPieces;
  if (pieces != kNoPieces) {
    version.bytes = pieces;
    version.in_pieces = true;
    sample_[touched.page] = sample_of(memory.base() + std::size_t{touched.page} * kPageBytes);
  }
  version.planes = keep_planes(memory, touched.page);
  if (!version.same_bytes(last) || version.planes != last.planes) add_version(touched.page, version);
}

// Copies the pieces that changed. Where the page's pieces are told now; kNoPieces: where they were.
std::uint32_t Timeline::keep_pieces(const Memory& memory, const TouchedPage& touched, const PageVersion& last) {
  const std::byte* now = memory.base() + std::size_t{touched.page} * kPageBytes;
  Places pieces = places(last);
  std::uint32_t changed[kPiecesOfPage], count = 0;
  for (std::uint32_t begin = touched.begin; begin < touched.end;) {
    const std::uint32_t piece = begin / kPieceBytes, end = std::min(touched.end, (piece + 1) * kPieceBytes);
    if (std::memcmp(now + begin, at(pieces[piece]) + begin % kPieceBytes, end - begin) != 0) changed[count++] = piece;
    begin = end;
  }
  if (count == 0) return kNoPieces;
  std::byte* table = arena_.take(kTableBytes + count * kPieceBytes);
  std::byte* place = table + kTableBytes;
  for (std::uint32_t i = 0; i < count; ++i, place += kPieceBytes) {
    std::memcpy(place, now + changed[i] * kPieceBytes, kPieceBytes);
    pieces[changed[i]] = unit_of(place);
  }
  std::memcpy(table, pieces.data(), sizeof pieces);
  return unit_of(table);
}

Timeline::Places Timeline::places(const PageVersion& version) const {
  Places places;
  if (version.in_pieces) {
    std::memcpy(places.data(), at(version.bytes), sizeof places);
  } else {
    for (std::uint32_t i = 0; i < kPiecesOfPage; ++i) places[i] = version.bytes + i * (kPieceBytes / kUnit);
  }
  return places;
}

void Timeline::add_version(std::uint32_t page, const PageVersion& version) {
  if (versions_[page].empty()) touch(page);
  versions_[page].push_back(version);
  ++version_count_;
}

void Timeline::touch(std::uint32_t page) {
  const std::uint32_t big = page / kPagesInBigPage;
  if (!touched_[big]) ++touched_count_;
  touched_[big] = true;
}

// Whether the page needs bytes of its own as a whole; its sample is noted then.
bool Timeline::is_new(const Memory& memory, const TouchedPage& touched) {
  const std::vector<PageVersion>& versions = versions_[touched.page];
  if (!versions.empty() && touches_little(touched)) return false;
  const std::byte* now = memory.base() + std::size_t{touched.page} * kPageBytes;
  const std::uint64_t last_sample = std::exchange(sample_[touched.page], sample_of(now));
  if (versions.empty() || sample_[touched.page] != last_sample) return true;
  // The last version is cold: only what the step wrote is worth reading of it.
  const PageContent last = content(touched.page, static_cast<std::uint32_t>(versions.size()));
  for (std::uint32_t at = touched.begin; at < touched.end;) {
    const auto kept = last.bytes_at(at, touched.end - at);
    if (std::memcmp(now + at, kept.data(), kept.size()) != 0) return true;
    at += static_cast<std::uint32_t>(kept.size());
  }
  return false;
}

// The planes of a page's next version: whole, the last version's, or a new snapshot.
std::uint32_t Timeline::keep_planes(Memory& memory, std::uint32_t page) {
  const bool changed = memory.planes_changed(page);
  memory.planes_kept(page);
  if (memory.page_is_whole(page)) return kWhole;
  const auto written = memory.written_plane(page), unspecified = memory.unspecified_plane(page);
  if (!versions_[page].empty()) {
    const PageVersion& last = versions_[page].back();
    if (!changed) return last.planes;
    const auto kept = planes(last);
    if (!kept.empty() && std::memcmp(kept.data(), written.data(), kPlanesBytes / 2) == 0 &&
        std::memcmp(kept.data() + kPlanesBytes / 2, unspecified.data(), kPlanesBytes / 2) == 0) {
      return last.planes;
    }
  }
  std::byte* place = arena_.take(kPlanesBytes);
  std::memcpy(place, written.data(), kPlanesBytes / 2);
  std::memcpy(place + kPlanesBytes / 2, unspecified.data(), kPlanesBytes / 2);
  return unit_of(place);
}

std::span<const std::byte> Timeline::planes(const PageVersion& version) const {
  if (version.planes == kWhole) return {};
  return {at(version.planes), kPlanesBytes};
}

std::uint32_t Timeline::version_at(std::uint32_t page, std::uint32_t position) const {
  const auto& versions = list(page);
  const auto after = std::ranges::upper_bound(versions, position, {}, &PageVersion::position);
  return static_cast<std::uint32_t>(after - versions.begin());
}

bool Timeline::is_version_at(std::uint32_t page, std::uint32_t version, std::uint32_t position) const {
  const auto& versions = list(page);
  return (version == 0 || versions[version - 1].position <= position) &&
         (version == versions.size() || versions[version].position > position);
}

void Timeline::load(Memory& memory, std::uint32_t page, std::uint32_t version) const {
  if (version == 0) return memory.make_fresh(page);
  const PageContent wanted = content(page, version);
  std::span<const std::byte> bytes = wanted.bytes_at(0);
  std::array<std::byte, kPageBytes> joined;
  if (bytes.size() < kPageBytes) {
    wanted.read(0, joined);
    bytes = joined;
  }
  memory.put_page(page, bytes, wanted.planes);
  memory.planes_kept(page);
}

void Timeline::load_all(Memory& memory, std::uint32_t position, std::span<std::uint32_t> held) const {
  // Lists and snapshots have long left the caches: those to come are asked for ahead.
  constexpr std::uint32_t kAhead = 16;
  std::vector<std::uint32_t> others;
  for (std::uint32_t page = 0; page < pages(); ++page) {
    if (!elsewhere_ && page + kAhead < pages()) fetch(versions_[page + kAhead], held[page + kAhead]);
    if (held[page] != kNoVersion && is_version_at(page, held[page], position)) continue;
    held[page] = version_at(page, position);
    others.push_back(page);
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!elsewhere_ && i + 1 < others.size() && held[others[i + 1]] != 0)
      fetch_page(content(others[i + 1], held[others[i + 1]]));
    load(memory, others[i], held[others[i]]);
  }
}

void Timeline::read(std::uint32_t position, Flat begin, std::span<std::byte> out) const {
  for (std::size_t done = 0; done < out.size();) {
    const Flat at = begin + static_cast<Flat>(done);
    const std::uint32_t page = at / kPageBytes, in_page = at % kPageBytes;
    const std::size_t size = std::min<std::size_t>(out.size() - done, kPageBytes - in_page);
    const std::uint32_t version = version_at(page, position);
    if (version == 0) read_fresh(page, in_page, out.subspan(done, size));
    else content(page, version).read(in_page, out.subspan(done, size));
    done += size;
  }
}

void Timeline::read_fresh(std::uint32_t page, std::uint32_t first, std::span<std::byte> out) const {
  if (starts_late(page)) {
    std::array<std::byte, kPageBytes> made;
    late_->make(page, made);
    std::memcpy(out.data(), made.data() + first, out.size());
    return;
  }
  std::memset(out.data(), page < map_.origin(Space::Gm) / kPageBytes ? kPoison : 0, out.size());
}

Definedness Timeline::worst_definedness(std::uint32_t position, Flat begin, std::uint32_t size) const {
  const auto bit = [](std::span<const std::byte> plane, std::uint32_t i) {
    return (std::to_integer<unsigned>(plane[i / 8]) >> i % 8 & 1) != 0;
  };
  Definedness worst = Definedness::Written;
  for (Flat at = begin; at < begin + size;) {
    const std::uint32_t page = at / kPageBytes;
    const Flat page_end = std::min((page + 1) * kPageBytes, begin + size);
    const std::uint32_t version = version_at(page, position);
    if (version == 0 && !starts_late(page)) return Definedness::Never;
    const PageContent found = version == 0 ? PageContent{} : content(page, version);
    const auto kept = found.planes;
    if (kept.empty()) at = page_end;
    for (; at < page_end; ++at) {
      if (bit(kept.subspan(kPlanesBytes / 2), at % kPageBytes)) worst = Definedness::Unspecified;
      else if (!bit(kept.first(kPlanesBytes / 2), at % kPageBytes)) return Definedness::Never;
    }
  }
  return worst;
}

void Timeline::read_worth(std::uint32_t position, Flat begin, std::span<Definedness> out) const {
  for (std::size_t done = 0; done < out.size();) {
    const Flat at = begin + static_cast<Flat>(done);
    const std::uint32_t page = at / kPageBytes, in_page = at % kPageBytes;
    const auto part = out.subspan(done, std::min<std::size_t>(out.size() - done, kPageBytes - in_page));
    const std::uint32_t version = version_at(page, position);
    const PageContent found = version == 0 ? PageContent{} : content(page, version);
    const auto kept = found.planes;
    if (!kept.empty()) expand_worth(kept, in_page, part);
    else std::ranges::fill(part, version == 0 && !starts_late(page) ? Definedness::Never : Definedness::Written);
    done += part.size();
  }
}

void Timeline::restore_last(Memory& memory, std::uint32_t page) const {
  load(memory, page, static_cast<std::uint32_t>(list(page).size()));
}

// Makes room by dropping older versions. The newest position always stays, and position 0.
bool Timeline::thin(std::uint32_t newest, std::size_t room) {
  constexpr std::uint32_t kFirstInterval = 64;
  // So far, running the steps from a keyframe on takes no time that a person would notice.
  constexpr std::uint32_t kGoodInterval = 4096;
  struct Aim {
    std::size_t dense, all;  // how much the newest part may take, and how much may stay altogether
    std::uint32_t most_interval;
  };
  // The first aim that can be met is taken. All but the last free so much that thinning costs less than recording did.
  const Aim aims[] = {
      {budget_ / 4, budget_ / 2, kGoodInterval},
      {budget_ / 16, budget_ / 4 * 3, kGoodInterval},
      {budget_ / 16, budget_ / 4 * 3, newest},
      {0, budget_, newest},
  };
  for (const Aim& aim : aims) {
    Thinning next{.interval = std::max(thinning_.interval, kFirstInterval),
                  .dense_start = dense_start_for(aim.dense, newest),
                  .times = thinning_.times + 1};
    while (true) {
      const std::size_t kept = bytes_of(
          [&](const PageVersion& version, std::uint64_t following) { return stays(version, following, next); });
      if (kept + room <= aim.all) {
        drop_versions(next);
        compact();
        thinning_ = next;
        return true;
      }
      if (next.interval >= aim.most_interval) break;
      next.interval *= 2;  // so that every keyframe was one before
    }
  }
  return false;
}

// The first position from which on all versions together take no more than `dense_bytes`.
std::uint32_t Timeline::dense_start_for(std::size_t dense_bytes, std::uint32_t newest) const {
  std::uint32_t low = thinning_.dense_start, high = newest;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    const std::size_t after =
        bytes_of([&](const PageVersion& version, std::uint64_t) { return version.position > middle; });
    if (after <= dense_bytes) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// What the versions that keep(version, position of the page's next version) says take. Neighbours may share snapshots.
template <class Keep>
std::size_t Timeline::bytes_of(Keep keep) const {
  std::size_t total = 0;
  for (const std::vector<PageVersion>& versions : versions_) {
    const PageVersion* last = nullptr;
    Places held{};
    for (std::size_t i = 0; i < versions.size(); ++i) {
      const PageVersion& version = versions[i];
      if (!keep(version, next_position(versions, i))) continue;
      total += sizeof(PageVersion);
      if (last == nullptr || !last->same_bytes(version)) {
        const Places now = places(version);
        if (version.in_pieces) total += kTableBytes;
        for (std::uint32_t piece = 0; piece < kPiecesOfPage; ++piece)
          if (last == nullptr || now[piece] != held[piece]) total += kPieceBytes;
        held = now;
      }
      if (version.planes != kWhole && (last == nullptr || last->planes != version.planes)) total += kPlanesBytes;
      last = &version;
    }
  }
  return total;
}

void Timeline::drop_versions(const Thinning& thinning) {
  version_count_ = 0;
  for (std::vector<PageVersion>& versions : versions_) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < versions.size(); ++i)
      if (stays(versions[i], next_position(versions, i), thinning)) versions[kept++] = versions[i];
    versions.resize(kept);
    version_count_ += kept;
  }
}

// Moves what is still used of the snapshots down to the arena's start, each unit behind those before it: whole pages stay
// whole, and versions that share bytes go on sharing them.
void Timeline::compact() {
  UsedUnits used(arena_.used() / kUnit);
  for (const std::vector<PageVersion>& versions : versions_) {
    for (const PageVersion& version : versions) {
      if (version.planes != kWhole) used.use(version.planes, kPlanesBytes / kUnit);
      if (version.in_pieces) used.use(version.bytes, kTableBytes / kUnit);
      for (const std::uint32_t piece : places(version)) used.use(piece, kPieceBytes / kUnit);
    }
  }
  used.settle();
  tell_moved(used);
  used.for_runs([&](std::size_t first, std::size_t count) {
    std::memmove(at(used.moved(static_cast<std::uint32_t>(first))), arena_.at(first * kUnit), count * kUnit);
  });
  arena_.rewind(std::size_t{used.count()} * kUnit, budget_);
}

// Versions, and what tells where pieces stand, speak of the places that these will have.
void Timeline::tell_moved(const UsedUnits& used) {
  for (std::vector<PageVersion>& versions : versions_) {
    std::optional<PageVersion> last;  // as it was
    for (PageVersion& version : versions) {
      const PageVersion before = version;
      if (version.in_pieces && !(last && last->same_bytes(version))) {
        Places pieces = places(version);
        for (std::uint32_t& piece : pieces) piece = used.moved(piece);
        std::memcpy(at(version.bytes), pieces.data(), sizeof pieces);
      }
      version.bytes = used.moved(version.bytes);
      if (version.planes != kWhole) version.planes = used.moved(version.planes);
      last = before;
    }
  }
}

}  // namespace ts
