// Copying and comparing.
#include "core/cpp/live/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ts::cpp {

void LiveMemory::open(Child& child, CoreId core) {
  child.set_open();
  const bool first = open_.empty();
  open_.push_back({&child, core});
  const MemoryMap& map = memory_.map();
  for (std::size_t i = 0; i < std::size(kSpaceOf); ++i) {
    const Flat begin = map.flat(kSpaceOf[i], 0, core);
    if (begin >= map.begin_of(core) && begin < map.end_of(core)) copy_out(begin, map.size(kSpaceOf[i], core));
  }
  if (!first) return;
  for (const BufferDecl& buffer : program_.buffers) copy_out(map.flat(Space::Gm, buffer.address), buffer.size());
}

void LiveMemory::forget(const Child& child) {
  std::erase_if(open_, [&](const Open& one) { return one.child == &child; });
}

void LiveMemory::copy_out(Flat begin, std::uint32_t size) {
  if (size == 0) return;
  const ByteRange place = memory_.map().locate(begin, size);
  const std::byte* from = memory_.at(begin, size).data();
  if (place.space == Space::Gm) return copy_buffer_out({Space::Gm, place.address, size}, from);
  const auto* space = std::ranges::find(kSpaceOf, place.space);
  const auto open = std::ranges::find(open_, place.core, &Open::core);
  if (space != std::end(kSpaceOf) && open != open_.end())
    std::memcpy(open->child->space(static_cast<std::uint32_t>(space - kSpaceOf)) + place.address, from, size);
}

void LiveMemory::copy_buffer_out(const ByteRange& place, const std::byte* from) {
  for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
    const BufferDecl& buffer = program_.buffers[i];
    const std::uint32_t first = std::max(buffer.address, place.address);
    const std::uint32_t last = std::min(buffer.address + buffer.size(), place.address + place.size);
    if (first < last)
      std::memcpy(file_.buffer(i) + (first - buffer.address), from + (first - place.address), last - first);
  }
}

void LiveMemory::follow(std::span<const WritePattern> writes) {
  if (open_.empty()) return;
  for (const WritePattern& pattern : writes)
    for_runs(pattern, [&](Flat begin, std::uint32_t size) { copy_out(begin, size); });
}

void LiveMemory::written_by_main(ByteRange place, std::byte* there) {
  pending_.push_back({place, {there, there + place.size}});
}

void LiveMemory::wanted_by_main(ByteRange place, std::byte* there) {
  copy_out(memory_.map().flat(place), place.size);
  put_pending(place, there);
}

// What was written between steps, and is in memory from the next one on.
void LiveMemory::put_pending(const ByteRange& place, std::byte* bytes) const {
  for (const HostWrite& one : pending_) {
    if (!one.place.in_same_memory(place)) continue;
    const std::uint32_t first = std::max(one.place.address, place.address);
    const std::uint32_t last = std::min(one.place.address + one.place.size, place.address + place.size);
    if (first < last)
      std::memcpy(bytes + (first - place.address), one.bytes.data() + (first - one.place.address), last - first);
  }
}

void LiveMemory::compare(const ByteRange& place, const std::byte* theirs) {
  const auto known = memory_.bytes(place);
  std::vector<std::byte> ours(known.begin(), known.end());
  put_pending(place, ours.data());
  std::uint32_t first = 0, end = place.size;
  while (first < end && ours[first] == theirs[first]) ++first;
  while (end > first && ours[end - 1] == theirs[end - 1]) --end;
  if (first < end) pending_.push_back({place.with(place.address + first, end - first), {theirs + first, theirs + end}});
}

// A page of the file, which may hold parts of several buffers.
void LiveMemory::compare_page(std::uint64_t offset, const Child& child, CoreId core) {
  for (std::uint32_t i = 0; i < std::size(kSpaceOf); ++i) {
    const std::uint64_t size = memory_.map().size(kSpaceOf[i], core), begin = child.space_offset(i);
    if (offset < begin || offset >= begin + size) continue;
    const auto address = static_cast<std::uint32_t>(offset - begin);
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(ts_border::kPage, size - address));
    compare({kSpaceOf[i], address, bytes, BytePart::Whole, core}, file_.bytes() + offset);
  }
  for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
    const std::uint64_t begin = file_.layout()[i].file_offset;
    const BufferDecl& buffer = program_.buffers[i];
    const std::uint64_t first = std::max(offset, begin);
    const std::uint64_t last = std::min(offset + ts_border::kPage, begin + buffer.size());
    if (first < last)
      compare({Space::Gm, static_cast<std::uint32_t>(buffer.address + (first - begin)),
               static_cast<std::uint32_t>(last - first)},
              file_.buffer(i) + (first - begin));
  }
}

std::string LiveMemory::find_changes(const Child& child, CoreId core) {
  const std::size_t before = pending_.size();
  for (const std::uint32_t page : child.dirty()) compare_page(std::uint64_t{page} * ts_border::kPage, child, core);
  if (pending_.size() == before) return {};
  const HostWrite& first = pending_[before];
  return fmt::format("the kernel itself wrote {} bytes of {} between two calls", first.bytes.size(),
                     name(first.place.space));
}

}  // namespace ts::cpp
