// Looking through the steps for writes of a range.
#include "core/debug/origins/history.h"

#include <algorithm>

#include "core/debug/origins/step_index.h"

namespace ts {
namespace {

Definedness worst_of(std::span<const Definedness> all) {
  const auto has = [&](Definedness what) { return std::ranges::find(all, what) != all.end(); };
  if (has(Definedness::Never)) return Definedness::Never;
  return has(Definedness::Unspecified) ? Definedness::Unspecified : Definedness::Written;
}

}  // namespace

History::History(const Recording& recording, Inspector& inspector, ByteRange range)
    : recording_(recording),
      inspector_(inspector),
      range_(range),
      begin_(recording.map().flat(range)),
      end_(begin_ + range.size) {}

bool History::look_on(std::uint32_t steps) {
  for (; steps > 0 && !complete(); --steps) {
    const std::uint32_t step = next_step_++;
    if (!recording_.edits().empty()) edits_at(step);
    if (step == recording_.count()) break;
    if (recording_.bound(step).row->effect == Effect::StartsBlock && is_core_memory(range_.space))
      add(Maker::Block, step);
    if (touch(recording_.writes(step), begin_, end_)) add(Maker::Step, step);
  }
  return !complete();
}

// Edits of one position one after the other: each is the next one's `before`.
void History::edits_at(std::uint32_t position) {
  if (!recording_.is_edited(position, range_)) return;
  const auto in_part = [this](std::vector<std::byte> bytes) {
    if (range_.part != BytePart::Whole)
      bytes[0] = static_cast<std::byte>(bits_in(std::to_integer<std::uint64_t>(bytes[0]), range_.part));
    return bytes;
  };
  const Memory& memory = inspector_.unedited(position);
  const auto there = memory.at(begin_, range_.size);
  std::vector<std::byte> bytes(there.begin(), there.end());
  std::vector<Definedness> defined(range_.size);
  for (std::uint32_t i = 0; i < range_.size; ++i) defined[i] = memory.definedness(begin_ + i);
  for (const Edit& edit : recording_.edits_at(position)) {
    const Flat first = recording_.map().flat(edit.place());
    const Flat begin = std::max(begin_, first), end = std::min(end_, first + edit.place().size);
    if (begin >= end) continue;
    HistoryRow row{.maker = Maker::Edit, .step = position, .defined_before = worst_of(defined)};
    add_bytes(in_part(bytes));
    std::copy_n(edit.bytes.begin() + (begin - first), end - begin, bytes.begin() + (begin - begin_));
    std::fill_n(defined.begin() + (begin - begin_), end - begin, Definedness::Written);
    add_bytes(in_part(bytes));
    row.defined_after = worst_of(defined);
    rows_.push_back(row);
  }
}

void History::add(Maker maker, std::uint32_t step) {
  HistoryRow row{.maker = maker, .step = step};
  std::vector<std::byte> bytes(range_.size);
  row.defined_before = inspector_.peek(step, range_, bytes);
  add_bytes(bytes);
  row.defined_after = inspector_.peek_unedited(step + 1, range_, bytes);
  add_bytes(bytes);
  rows_.push_back(row);
}

}  // namespace ts
