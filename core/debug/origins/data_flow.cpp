// Following values from step to step.
#include "core/debug/origins/data_flow.h"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace ts {
namespace {

// What `pattern` covers of `run` is taken out of it; what stays goes to `rest`.
void cut(const WritePattern& pattern, FlatRange run, std::vector<FlatRange>& covered, std::vector<FlatRange>& rest) {
  for_runs(pattern, [&](Flat base, std::uint32_t size) {
    const Flat begin = std::max(base, run.begin), end = std::min(base + size, run.end);
    if (begin >= end) return;
    if (run.begin < begin) rest.push_back({run.begin, begin});
    covered.push_back({begin, end});
    run.begin = end;
  });
  if (run.begin < run.end) rest.push_back(run);
}

// The same with several patterns, which do not overlap.
void cut(std::span<const WritePattern> patterns, FlatRange run, std::vector<FlatRange>& covered,
         std::vector<FlatRange>& rest) {
  std::vector<FlatRange> open{run};
  for (const WritePattern& pattern : patterns) {
    std::vector<FlatRange> still_open;
    for (const FlatRange& part : open) cut(pattern, part, covered, still_open);
    open = std::move(still_open);
  }
  rest.insert(rest.end(), open.begin(), open.end());
}

// What the patterns overwrite is alive no more.
void bury(std::vector<FlatRange>& alive, std::span<const WritePattern> patterns) {
  const auto written = [&](const FlatRange& run) { return touch(patterns, run.begin, run.end); };
  if (!std::ranges::any_of(alive, written)) return;
  std::vector<FlatRange> covered, rest;
  for (const FlatRange& run : alive) cut(patterns, run, covered, rest);
  alive = std::move(rest);
}

}  // namespace

// --- makers --------------------------------------------------------------------------------------------------------

namespace {

// By address; neighbours that have the same maker are one part.
std::vector<Made> joined(std::vector<Made> parts) {
  std::ranges::sort(parts, {}, [](const Made& made) { return made.bytes.address; });
  std::vector<Made> out;
  for (const Made& part : parts) {
    const bool same = !out.empty() && out.back().maker == part.maker && out.back().step == part.step;
    if (same) out.back().bytes.size += part.bytes.size;
    else out.push_back(part);
  }
  return out;
}

}  // namespace

// The newest maker of any of the bytes; Nobody also stands for bytes that were there before the first step.
Made DataFlow::newest(Flat begin, Flat end, std::uint32_t position) const {
  const ByteRange all = recording_.map().locate(begin, end - begin);
  Made made{.bytes = all};
  std::uint32_t newest_since = 0;
  const auto newer = [&](Maker maker, std::uint32_t step, std::uint32_t since) {
    if (since < newest_since) return;
    newest_since = since;
    made.maker = maker;
    made.step = step;
  };
  if (is_core_memory(all.space))
    if (const auto block = index_.block_start(position)) newer(Maker::Block, *block, *block + 1);
  if (const auto step = index_.last_write(begin, end, position)) newer(Maker::Step, *step, *step + 1);
  for (const Edit& edit : recording_.edits()) {
    const Flat first = recording_.map().flat(edit.place()), last = first + edit.place().size;
    if (edit.position <= position && first < end && begin < last) newer(Maker::Edit, edit.position, edit.position);
  }
  return made;
}

std::vector<Made> DataFlow::makers(ByteRange range, std::uint32_t position) const {
  const MemoryMap& map = recording_.map();
  std::vector<Made> parts;
  std::vector<FlatRange> open{{map.flat(range), map.flat(range) + range.size}};
  while (!open.empty()) {
    const FlatRange run = open.back();
    open.pop_back();
    const Made made = newest(run.begin, run.end, position);
    std::vector<FlatRange> covered;
    if (made.maker == Maker::Step) cut(recording_.writes(made.step), run, covered, open);
    else if (made.maker == Maker::Edit) cut(edit_patterns(made.step), run, covered, open);
    else if (made.maker == Maker::Block) covered.push_back(run);
    else add_given(run, parts);
    for (const FlatRange& part : covered)
      parts.push_back({map.locate(part.begin, part.end - part.begin), made.maker, made.step});
  }
  for (Made& part : parts) part.bytes.part = range.part;
  return joined(std::move(parts));
}

// What no step, edit or block made: it was there before the first step, or never was.
void DataFlow::add_given(FlatRange run, std::vector<Made>& parts) const {
  for (Flat at = run.begin; at < run.end; ++at) {
    const bool given = recording_.timeline().worst_definedness(0, at, 1) != Definedness::Never;
    parts.push_back({recording_.map().locate(at), given ? Maker::Input : Maker::Nobody, 0});
  }
}

std::vector<WritePattern> DataFlow::edit_patterns(std::uint32_t position) const {
  std::vector<WritePattern> patterns, made;
  for (const Edit& edit : recording_.edits_at(position))
    patterns.push_back({recording_.map().flat(edit.place()), edit.place().size, edit.place().size, 1});
  join(patterns.data(), patterns.data() + patterns.size(), made);
  return made;
}

// --- sources and readers -------------------------------------------------------------------------------------------

std::vector<SourceUse> DataFlow::sources(ByteRange range, std::uint32_t position) {
  std::vector<SourceUse> found;
  for (const Made& made : makers(range, position)) {
    if (made.maker != Maker::Step) continue;
    for (Source& source : inspector_.flow(made.step).sources_of_bytes(made.bytes)) {
      const bool known = std::ranges::any_of(
          found, [&](const SourceUse& use) { return use.step == made.step && use.source == source; });
      if (!known) found.push_back({made.step, std::move(source)});
    }
  }
  return found;
}

std::vector<Reader> DataFlow::readers(ByteRange range, std::uint32_t position, std::size_t most,
                                      const std::function<bool()>& go_on) {
  constexpr std::uint32_t kAskEvery = 4096;
  const MemoryMap& map = recording_.map();
  const Flat first = map.flat(range);
  std::vector<FlatRange> alive{{first, first + range.size}};
  std::vector<Reader> found;
  for (std::uint32_t step = position; step < recording_.count() && !alive.empty() && found.size() < most; ++step) {
    if (go_on && step % kAskEvery == 0 && !go_on()) break;
    const Bound& bound = recording_.bound(step);
    if (bound.row->effect == Effect::StartsBlock && is_core_memory(range.space)) break;
    const auto reads = [&](const FlatRange& run) {
      return reads_.may_read(step, map.locate(run.begin, run.end - run.begin));
    };
    if (!recording_.writes(step).empty() && std::ranges::any_of(alive, reads)) {
      if (go_on && !go_on()) break;
      const std::vector<Reader> of_step = readers_of_step(step, alive, range.part);
      found.insert(found.end(), of_step.begin(), of_step.end());
    }
    bury(alive, recording_.writes(step));
    if (!recording_.edits().empty()) bury(alive, edit_patterns(step + 1));
  }
  if (found.size() > most) found.resize(most);
  return found;
}

// In the order of operands and addresses. What one run decided, another may have become part of.
std::vector<Reader> DataFlow::readers_of_step(std::uint32_t step, std::span<const FlatRange> alive, BytePart part) {
  const Flow flow = inspector_.flow(step);
  std::vector<Reader> found;
  for (const FlatRange& run : alive) {
    ByteRange place = recording_.map().locate(run.begin, run.end - run.begin);
    place.part = part;
    for (const Flow::Reached& to : flow.reached_by(place))
      found.push_back({step, to.operand, to.row, to.col, to.place, to.decided});
  }
  const auto key = [](const Reader& reader) {
    return std::tuple(reader.operand, reader.place.core, reader.place.space, reader.place.address, reader.place.part,
                      reader.decided);
  };
  std::ranges::sort(found, {}, key);
  const auto same = [](const Reader& a, const Reader& b) { return a.operand == b.operand && a.place == b.place; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

}  // namespace ts
