// The index over a recording's steps.
#include "core/debug/origins/step_index.h"

#include <algorithm>
#include <utility>

namespace ts {

bool touches(const WritePattern& pattern, Flat begin, Flat end) {
  if (pattern.count == 0 || pattern.size == 0 || end <= pattern.base) return false;
  // The first run that ends behind `begin`.
  std::uint64_t run = 0;
  if (begin >= pattern.base + pattern.size) {
    if (pattern.stride == 0) return false;
    run = (begin - pattern.base - pattern.size) / pattern.stride + 1;
  }
  return run < pattern.count && pattern.base + run * pattern.stride < end;
}

bool touch(std::span<const WritePattern> patterns, Flat begin, Flat end) {
  return std::ranges::any_of(patterns, [&](const WritePattern& pattern) { return touches(pattern, begin, end); });
}

bool writes_to(const Recording& recording, std::uint32_t step, ByteRange place) {
  const Flat begin = recording.map().flat(place);
  return touch(recording.writes(step), begin, begin + place.size);
}

StepIndex::StepIndex(const Recording& recording) : recording_(recording) {
  index_writes();
  index_tiles();
}

std::size_t StepIndex::held_bytes() const {
  constexpr std::size_t kKnown = sizeof(std::pair<const std::pair<Flat, Flat>, LastWrite>) + 48;  // in a tree
  return first_writer_.size() * sizeof(first_writer_[0]) + writers_.size() * sizeof(writers_[0]) +
         block_starts_.size() * sizeof(block_starts_[0]) + uses_.size() * sizeof(uses_[0]) +
         2 * use_count_ * sizeof(TileUse) + known_.size() * kKnown;
}

namespace {

// Calls f(page) for every page that a step wrote, each once. `seen` holds, by page, the last step that was told of it.
template <class F>
void for_written_pages(const Recording& recording, std::uint32_t step, std::vector<std::uint32_t>& seen, F f) {
  for (const WritePattern& pattern : recording.writes(step)) {
    for_runs(pattern, [&](Flat base, std::uint32_t size) {
      if (size == 0) return;
      for (std::uint32_t page = base / kPageBytes; page <= (base + size - 1) / kPageBytes; ++page)
        if (std::exchange(seen[page], step) != step) f(page);
    });
  }
}

}  // namespace

// Twice over the steps: how many write each page, then which.
void StepIndex::index_writes() {
  const std::uint32_t pages = recording_.map().pages();
  first_writer_.assign(pages + 1, 0);
  std::vector<std::uint32_t> seen(pages, ~0u);
  for (std::uint32_t step = 0; step < recording_.count(); ++step)
    for_written_pages(recording_, step, seen, [&](std::uint32_t page) { ++first_writer_[page + 1]; });
  for (std::uint32_t page = 0; page < pages; ++page) first_writer_[page + 1] += first_writer_[page];
  writers_.resize(first_writer_[pages]);
  std::vector<std::uint64_t> next(first_writer_.begin(), first_writer_.end() - 1);
  std::ranges::fill(seen, ~0u);
  for (std::uint32_t step = 0; step < recording_.count(); ++step)
    for_written_pages(recording_, step, seen, [&](std::uint32_t page) { writers_[next[page]++] = step; });
}

void StepIndex::index_tiles() {
  uses_.resize(recording_.program().tiles.size());
  for (std::uint32_t step = 0; step < recording_.count(); ++step) {
    const Bound& bound = recording_.bound(step);
    if (bound.row->effect == Effect::StartsBlock) begin_block(step);
    for (const Operand& operand : bound.operands) {
      if (operand.spec->kind != OperandKind::Tile) continue;
      const bool moves = bound.row->effect == Effect::BindsAddress && operand.spec->role == Role::Out;
      if (moves && uses_[operand.id].empty()) use(operand.id, 0, declared(operand.id));
      use(operand.id, step + (moves ? 1 : 0), operand.tile);
    }
  }
}

TileRef StepIndex::declared(std::uint32_t tile) const {
  const TileDecl& decl = recording_.program().tiles[tile];
  return {decl.type, decl.address, decl.valid_rows, decl.valid_cols};
}

void StepIndex::use(std::uint32_t tile, std::uint32_t position, const TileRef& place) {
  std::vector<TileUse>& uses = uses_[tile];
  if (!uses.empty() && uses.back().tile == place) return;
  uses.push_back({position, place});
  ++use_count_;
}

// In a new block tiles stand where they were declared.
void StepIndex::begin_block(std::uint32_t step) {
  block_starts_.push_back(step);
  for (std::uint32_t tile = 0; tile < uses_.size(); ++tile)
    if (!uses_[tile].empty() && uses_[tile].back().tile.address != declared(tile).address)
      use(tile, step + 1, declared(tile));
}

// Pages are shared: many steps may write beside the bytes that are asked for. Whoever follows values asks for the same
// bytes at one position after the other, and the answer holds over all positions that were passed.
std::optional<std::uint32_t> StepIndex::last_write(Flat begin, Flat end, std::uint32_t position) const {
  if (known_.size() > kMostKnown) known_.clear();
  const auto [at, is_new] = known_.try_emplace({begin, end});
  LastWrite& known = at->second;
  if (!is_new && known.from <= position && position <= known.until) return known.step;
  const bool further = !is_new && position > known.until;
  std::optional<std::uint32_t> last = scan_back(begin, end, further ? known.until : 0, position);
  if (further && !last) last = known.step;
  known = {last, last ? *last + 1 : 0, position};
  return last;
}

// The last step of [first, position) that wrote one of these bytes.
std::optional<std::uint32_t> StepIndex::scan_back(Flat begin, Flat end, std::uint32_t first,
                                                  std::uint32_t position) const {
  std::optional<std::uint32_t> last;
  for (std::uint32_t page = begin / kPageBytes; page <= (end - 1) / kPageBytes; ++page) {
    const auto steps = writers(page);
    auto it = std::ranges::lower_bound(steps, position);
    while (it != steps.begin() && *(it - 1) >= first && (!last || *(it - 1) > *last)) {
      --it;
      if (touch(recording_.writes(*it), begin, end)) last = *it;
    }
  }
  return last;
}

std::optional<std::uint32_t> StepIndex::next_write(Flat begin, Flat end, std::uint32_t position) const {
  std::optional<std::uint32_t> next;
  for (std::uint32_t page = begin / kPageBytes; page <= (end - 1) / kPageBytes; ++page) {
    const auto steps = writers(page);
    for (auto it = std::ranges::lower_bound(steps, position); it != steps.end() && (!next || *it < *next); ++it)
      if (touch(recording_.writes(*it), begin, end)) next = *it;
  }
  return next;
}

std::optional<std::uint32_t> StepIndex::block_start(std::uint32_t position) const {
  const auto after = std::ranges::lower_bound(block_starts_, position);
  if (after == block_starts_.begin()) return {};
  return *(after - 1);
}

}  // namespace ts
