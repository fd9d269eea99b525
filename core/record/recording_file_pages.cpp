// Snapshots in a recording's file: one row a version of a page, read when somebody looks at it.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/record/recording_file_format.h"

namespace ts::recording_file {
namespace {

constexpr std::size_t kMostContent = kPageBytes + kPlanesBytes;

// Calls f(version's number, from 1) for those of a page that are kept.
template <class F>
void for_kept(const Timeline& timeline, std::uint32_t page, const Thinning& thinning, F f) {
  const auto versions = timeline.versions(page);
  for (std::size_t i = 0; i < versions.size(); ++i)
    if (stays(versions[i], i + 1 < versions.size() ? versions[i + 1].position : ~0ull, thinning))
      f(static_cast<std::uint32_t>(i + 1));
}

}  // namespace

std::uint64_t versions_to_keep(const Recording& recording, const Thinning& thinning) {
  std::uint64_t count = 0;
  for (std::uint32_t page = 0; page < recording.timeline().pages(); ++page)
    for_kept(recording.timeline(), page, thinning, [&](std::uint32_t) { ++count; });
  return count;
}

// Page after page, so that a page's versions have numbers in a row.
void save_pages(data::Database& file, const Recording& recording, const Thinning& thinning,
                const std::function<bool(std::uint64_t)>& go_on) {
  constexpr std::uint64_t kAskEvery = 256;
  const Timeline& timeline = recording.timeline();
  data::Statement kept(file, "INSERT INTO kept_pages VALUES(?,?,?,?,?)");
  data::Statement version_row(file, "INSERT INTO page_versions VALUES(?,?,?)");
  data::Statement data_row(file, "INSERT INTO page_data VALUES(?,?)");
  data::Compressor compressor;
  std::array<std::byte, kMostContent> content;
  std::uint64_t saved = 0;
  bool more = true;
  for (std::uint32_t page = 0; page < timeline.pages() && more && !file.failed(); ++page) {
    const std::uint64_t first = saved;
    for_kept(timeline, page, thinning, [&](std::uint32_t number) {
      if (saved % kAskEvery == 0) more = more && go_on(saved);
      if (!more) return;
      const PageContent version = timeline.content(page, number);
      version.read(0, std::span(content).first(kPageBytes));
      if (!version.planes.empty())
        std::memcpy(content.data() + kPageBytes, version.planes.data(), version.planes.size());
      version_row.put(saved, page, timeline.versions(page)[number - 1].position);
      data_row.put(saved, compressor.compress(std::span(content).first(kPageBytes + version.planes.size())));
      ++saved;
    });
    if (saved == first) continue;
    const ByteRange place = recording.map().locate(page * kPageBytes);
    kept.put(page, place_word(place.space, place.core), place.address, first, saved - first);
  }
}

PageList load_page_list(data::Database& file, const MemoryMap& map, std::uint64_t versions, std::uint64_t pages) {
  PageList list;
  list.by_page.resize(map.pages());
  Rows rows(file, "kept_pages", "SELECT page, space, address, first, count FROM kept_pages ORDER BY page");
  std::uint64_t first = 0;
  std::uint32_t least = kFirstFlat / kPageBytes;
  while (rows.next()) {
    const std::uint32_t number = rows.word32();
    const MemoryOfCore memory = rows.memory(map);
    const std::uint32_t address = rows.word32();
    if (address >= map.size(memory.space, memory.core) || address % kPageBytes != 0)
      rows.wrong("no page of a memory begins there");
    const std::uint32_t page = map.flat(memory.space, address, memory.core) / kPageBytes;
    if (page < least) rows.wrong("pages that do not follow each other");
    if (rows.word32() != first) rows.wrong("versions that do not follow each other");
    const std::uint32_t count = rows.word32();
    if (count == 0 || first + count > versions) rows.wrong("more versions than there are");
    if (file.failed()) return {};
    list.by_page[page] = {static_cast<std::uint32_t>(first), count, number};
    first += count;
    least = page + 1;
  }
  if (first != versions || rows.row() != pages) rows.wrong("fewer pages than the file says");
  return list;
}

namespace {

class FilePages : public PageSource {
 public:
  FilePages(std::unique_ptr<data::Database> file, PageList list, std::uint32_t steps)
      : file_(std::move(file)),
        list_(std::move(list)),
        steps_(steps),
        content_(*file_, "SELECT content FROM page_data WHERE id = ?"),
        positions_(*file_, "SELECT id, page, position FROM page_versions WHERE id >= ? ORDER BY id") {}

  std::optional<std::vector<std::uint32_t>> positions(std::uint32_t page) override {
    const auto [first, count, number] = list_.by_page[page];
    std::vector<std::uint32_t> found;
    if (count == 0) return found;
    begin(count);
    positions_.bind(1, first);
    for (std::uint32_t i = 0; i < count && positions_.next(); ++i) {
      const auto id = positions_.integer(0), its_page = positions_.integer(1), position = positions_.integer(2);
      const std::int64_t least = found.empty() ? 0 : std::int64_t{found.back()} + 1;
      if (id != std::int64_t{first} + i || its_page != number || !position || *position < least || *position > steps_)
        break;
      found.push_back(static_cast<std::uint32_t>(*position));
    }
    positions_.reset();
    if (found.size() != count) return {};
    return found;
  }

  Read read(std::uint32_t page, std::uint32_t version, std::span<std::byte> bytes,
            std::span<std::byte> planes) override {
    begin(1);
    content_.bind(1, list_.by_page[page].first + version);
    Read how = Read::Damaged;
    if (content_.next()) how = take(content_.blob(0), bytes, planes);
    content_.reset();
    return how;
  }

 private:
  // What could not be read before is no reason not to read this; and a damaged tree of pages may have circles.
  void begin(std::uint64_t rows) {
    file_->forget_failure();
    file_->allow_work(1000 + rows);
  }

  Read take(std::optional<std::span<const std::byte>> frame, std::span<std::byte> bytes, std::span<std::byte> planes) {
    if (!frame) return Read::Damaged;
    const bool whole = data::Decompressor::size_of(*frame) == kPageBytes;
    std::array<std::byte, kMostContent> content;
    if (!decompressor_.decompress(*frame, std::span(content).first(whole ? kPageBytes : kMostContent)))
      return Read::Damaged;
    std::memcpy(bytes.data(), content.data(), bytes.size());
    if (!whole) std::memcpy(planes.data(), content.data() + kPageBytes, planes.size());
    return whole ? Read::Whole : Read::WithPlanes;
  }

  std::unique_ptr<data::Database> file_;
  PageList list_;
  std::uint32_t steps_;
  data::Statement content_, positions_;
  data::Decompressor decompressor_;
};

}  // namespace

std::unique_ptr<PageSource> page_source(std::unique_ptr<data::Database> file, PageList list, std::uint32_t steps) {
  return std::make_unique<FilePages>(std::move(file), std::move(list), steps);
}

}  // namespace ts::recording_file
