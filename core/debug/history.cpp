// Looking through the steps for writes of a range.
#include "core/debug/history.h"

#include <algorithm>
#include <cstring>

#include "core/debug/step_index.h"

namespace ts {
namespace {

// What [begin, end) and an edit have in common.
struct Overlap {
  Flat begin, end;
  explicit operator bool() const { return begin < end; }
};
Overlap overlap(const MemoryMap& map, const Edit& edit, Flat begin, Flat end) {
  const Flat first = map.flat(edit.space, edit.address);
  return {std::max(begin, first), std::min(end, first + edit.place().size)};
}

}  // namespace

History::History(const Recording& recording, Inspector& inspector, ByteRange range)
    : recording_(recording),
      inspector_(inspector),
      range_(range),
      begin_(recording.map().flat(range.space, range.address)),
      end_(begin_ + range.size) {}

bool History::look_on(std::uint32_t steps) {
  for (; steps > 0 && !complete(); --steps) {
    const std::uint32_t step = next_step_++;
    if (!recording_.edits().empty()) edits_at(step);
    if (step == recording_.count()) break;
    if (recording_.bound(step).row->effect == Effect::StartsBlock && range_.space != Space::Gm && range_.space != Space::Spr)
      add(Maker::Block, step);
    const auto writes = recording_.writes(step);
    if (std::ranges::any_of(writes, [&](const WritePattern& pattern) { return touches(pattern, begin_, end_); }))
      add(Maker::Step, step);
  }
  return !complete();
}

// Edits of one position one after the other: each is the next one's `before`.
void History::edits_at(std::uint32_t position) {
  for (const Edit& edit : recording_.edits()) {
    const Overlap common = overlap(recording_.map(), edit, begin_, end_);
    if (edit.position != position || !common) continue;
    const bool first = rows_.empty() || rows_.back().maker != Maker::Edit || rows_.back().step != position;
    HistoryRow row{.maker = Maker::Edit, .step = position};
    std::vector<std::byte> bytes(range_.size);
    if (first) row.defined_before = before_edits(position, bytes);
    else std::ranges::copy(after(rows_.size() - 1), bytes.begin()), row.defined_before = rows_.back().defined_after;
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    const Flat edited = recording_.map().flat(edit.space, edit.address);
    std::memcpy(bytes.data() + (common.begin - begin_), edit.bytes.data() + (common.begin - edited), common.end - common.begin);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    row.defined_after = common.begin == begin_ && common.end == end_ ? Definedness::Written : row.defined_before;
    rows_.push_back(row);
  }
}

bool History::is_edited(std::uint32_t position) const {
  return std::ranges::any_of(recording_.edits(), [&](const Edit& edit) {
    return edit.position == position && overlap(recording_.map(), edit, begin_, end_);
  });
}

// The bytes as the step before the position left them. What the program was given is edited before anybody sees it.
Definedness History::before_edits(std::uint32_t position, std::span<std::byte> out) {
  if (position == 0 || !is_edited(position)) return inspector_.peek(position, range_, out);
  const Trace trace = inspector_.trace(position - 1);
  const Memory& memory = inspector_.in_step(position - 1, trace, static_cast<std::uint32_t>(trace.steps.size()));
  std::memcpy(out.data(), memory.base() + begin_, range_.size);
  return memory.worst_definedness(begin_, range_.size);
}

void History::add(Maker maker, std::uint32_t step) {
  HistoryRow row{.maker = maker, .step = step};
  const std::size_t at = bytes_.size();
  bytes_.resize(at + 2 * std::size_t{range_.size});
  row.defined_before = inspector_.peek(step, range_, {bytes_.data() + at, range_.size});
  row.defined_after = before_edits(step + 1, {bytes_.data() + at + range_.size, range_.size});
  rows_.push_back(row);
}

}  // namespace ts
