// Seeking, and re-running single steps on the trace and tag machines.
#include "core/record/inspector.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "core/program/inputs.h"
#include "core/record/operand_place.h"
#include "core/record/tag_fold.h"

namespace ts {

namespace {

constexpr std::uint32_t kNoVersion = Timeline::kNoVersion;

// What was read of a place that is half a byte.
void keep_part(const ByteRange& place, std::span<std::byte> out) {
  if (place.part != BytePart::Whole)
    out[0] = static_cast<std::byte>(bits_in(std::to_integer<std::uint64_t>(out[0]), place.part));
}

}  // namespace

void copy_bytes(const Memory& memory, ByteRange place, std::span<std::byte> out, std::span<Definedness> worth) {
  const Flat begin = memory.map().flat(place), end = begin + place.size;
  std::memcpy(out.data(), memory.at(begin, place.size).data(), place.size);
  for (Flat at = begin; at < end;) {
    const Flat page_end = std::min(end, (at / kPageBytes + 1) * kPageBytes);
    const auto part = worth.subspan(at - begin, page_end - at);
    if (memory.page_is_whole(at / kPageBytes)) std::ranges::fill(part, Definedness::Written);
    else std::ranges::generate(part, [&, next = at]() mutable { return memory.definedness(next++); });
    at = page_end;
  }
}

Inspector::Inspector(const Recording& recording)
    : recording_(recording),
      memory_(recording.program().memory_map()),
      runner_(memory_, recording.options().limits.plans),
      version_(recording.map().pages(), 0) {
  memory_.make_late(late_inputs(recording.program()));
  load(0);
}

std::size_t Inspector::held_bytes() const {
  constexpr std::size_t kBytesOfPage = 16;  // what is known of each page: here, in the memory, in the step runner
  const Timeline& timeline = recording_.timeline();
  // A tag for each byte of a memory, in four planes.
  const std::size_t tags = tags_ ? 4 * timeline.memory_bytes() + tags_->arena.held_bytes() : 0;
  return timeline.memory_bytes() + memory_.late_bytes() + timeline.pages() * kBytesOfPage + tags + left_.capacity() +
         runner_.held_bytes();
}

void Inspector::go(std::uint32_t position) {
  // So few steps are made sooner than all pages are looked at.
  constexpr std::uint32_t kFewSteps = 4;
  const std::uint32_t keyframe = recording_.thinning().keyframe(position);
  // Going on from here is right in any case, and shorter unless the keyframe lies well between. What is no position is no
  // place to go on from.
  const bool behind = off_position_ || position_ > position;
  if (behind || (position_ < keyframe && position - position_ > kFewSteps)) load(keyframe);
  while (position_ < position) {
    run_step();
    arrive();
  }
}

// Goes to a position that the timeline can load.
void Inspector::load(std::uint32_t position) {
  const Timeline& timeline = recording_.timeline();
  if (thinned_times_ != timeline.thinning().times) std::ranges::fill(version_, kNoVersion);
  thinned_times_ = timeline.thinning().times;
  timeline.load_all(memory_, position, version_);
  position_ = position;
  off_position_ = false;
}

// The step that starts here ran.
void Inspector::keep_step() {
  runner_.mark_definedness();
  for (const TouchedPage& touched : runner_.pages()) version_[touched.page] = kNoVersion;
}

void Inspector::run_step() { runner_.execute(recording_.bound(position_), recording_.step(position_).bound); }

// To the position behind a step that ran.
void Inspector::arrive() {
  keep_step();
  ++position_;
  std::vector<TouchedPage> edited;
  recording_.apply_edits(position_, memory_, &edited);
  for (const TouchedPage& touched : edited) version_[touched.page] = kNoVersion;
}

const Memory& Inspector::at(std::uint32_t position) {
  go(std::min(position, recording_.count()));
  return memory_;
}

const Memory& Inspector::in_step(std::uint32_t step, const Trace& trace, std::uint32_t micro) {
  go(step);
  for (std::uint32_t i = 0; i < std::min<std::size_t>(micro, trace.steps.size()); ++i) {
    for (const TraceAccess& write : trace.steps[i].writes) {
      if (write.size == 0) continue;
      const Flat begin = memory_.map().flat(write.place()), end = begin + write.size;
      std::memcpy(memory_.at(begin, write.size).data(), trace.bytes.data() + write.after, write.size);
      memory_.mark(begin, write.size, Definedness::Written);
      for (std::uint32_t page = begin / kPageBytes; page <= (end - 1) / kPageBytes; ++page) version_[page] = kNoVersion;
      off_position_ = true;
    }
  }
  return memory_;
}

Definedness Inspector::peek(std::uint32_t position, ByteRange place, std::span<std::byte> out) {
  const Timeline& timeline = recording_.timeline();
  const Flat begin = memory_.map().flat(place);
  if (timeline.thinning().keyframe(position) == position) {
    timeline.read(position, begin, out);
    keep_part(place, out);
    return timeline.worst_definedness(position, begin, place.size);
  }
  go(position);
  return copy(place, out);
}

void Inspector::peek_each(std::uint32_t position, ByteRange place, std::span<std::byte> out,
                          std::span<Definedness> worth) {
  const Timeline& timeline = recording_.timeline();
  const Flat begin = memory_.map().flat(place);
  if (timeline.thinning().keyframe(position) == position) {
    timeline.read(position, begin, out);
    timeline.read_worth(position, begin, worth);
    return;
  }
  go(position);
  copy_bytes(memory_, place, out, worth);
}

Definedness Inspector::copy(ByteRange place, std::span<std::byte> out) const {
  const Flat begin = memory_.map().flat(place);
  std::memcpy(out.data(), memory_.at(begin, place.size).data(), out.size());
  keep_part(place, out);
  return memory_.worst_definedness(begin, place.size);
}

const Memory& Inspector::unedited(std::uint32_t position) {
  if (position > 0) {
    go(position - 1);
    run_step();
    keep_step();
  } else {
    for (std::uint32_t page = kFirstFlat / kPageBytes; page < memory_.map().pages(); ++page) memory_.make_fresh(page);
    recording_.load_start(memory_);
    std::ranges::fill(version_, kNoVersion);
    position_ = 0;
  }
  off_position_ = true;
  return memory_;
}

Definedness Inspector::peek_unedited(std::uint32_t position, ByteRange place, std::span<std::byte> out) {
  if (!recording_.is_edited(position, place)) return peek(position, place, out);
  unedited(position);
  return copy(place, out);
}

Trace Inspector::trace(std::uint32_t step) {
  go(step);
  Trace trace;
  runner_.context().trace = &trace;
  runner_.execute_on(recording_.bound(step), machines_for(recording_.bound(step)).trace);
  arrive();
  runner_.context().trace = nullptr;
  return trace;
}

Flow Inspector::flow(std::uint32_t step, const ShadowMemory* shadows) {
  go(step);
  const Bound& bound = recording_.bound(step);
  if (!tags_) tags_.emplace(recording_.map());
  tags_->begin_step();
  tags_->shadows = shadows;
  left_.clear();
  // Synchronisation moves nothing.
  if (machines_for(bound).run == nullptr) return {bound, {}, memory_, *tags_, left_};
  const auto for_written = [&](auto f) {
    for (const WritePattern& pattern : recording_.writes(step)) for_runs(pattern, f);
  };
  const auto copy_written = [&](std::vector<std::byte>& out) {
    for_written([&](Flat base, std::uint32_t size) {
      const auto bytes = memory_.at(base, size);
      out.insert(out.end(), bytes.begin(), bytes.end());
    });
  };
  std::vector<std::byte> before;
  copy_written(before);
  runner_.context().tags = &*tags_;
  runner_.execute_on(bound, machines_for(bound).tag);
  runner_.context().tags = nullptr;
  copy_written(left_);
  // Sources are shown as they were before the step.
  const std::byte* kept = before.data();
  for_written([&](Flat base, std::uint32_t size) {
    std::memcpy(memory_.at(base, size).data(), kept, size);
    kept += size;
  });
  return {bound, recording_.writes(step), memory_, *tags_, left_};
}

// Walks the nodes below a tag and collects the bytes, bits and scalars at the leaves.
struct Flow::Collector {
  const TagArena& arena;
  std::set<std::tuple<bool, Flat, BytePart>> bytes;      // decided, byte, what of it
  std::set<std::tuple<Flat, std::uint32_t, bool>> bits;  // byte, bit, decided
  std::set<std::pair<Tag, bool>> scalars;
  std::set<std::pair<std::string, bool>> unspecified;
  std::set<std::pair<Tag, bool>> seen;

  void span(TagSpan tags, bool decided) {
    for (std::uint32_t i = 0; i < tags.count; ++i) tag(tags.first + i, decided);
  }
  void tag(Tag first, bool first_decided) {
    // An explicit stack: chains of nodes are as long as a program makes them.
    std::vector<std::pair<Tag, bool>> open{{first, first_decided}};
    const auto push = [&](TagSpan span, bool decided) {
      for (std::uint32_t i = 0; i < span.count; ++i) open.push_back({span.first + i, decided});
    };
    while (!open.empty()) {
      const auto [tag, decided] = open.back();
      open.pop_back();
      if (tag == kNoTag) continue;
      if (is_scalar_tag(tag)) {
        scalars.insert({tag, decided});
      } else if (is_byte_tag(tag) || is_half_tag(tag)) {
        bytes.insert({decided, byte_of(tag), part_of(tag)});
      } else if (is_bit_tag(tag)) {
        const std::uint32_t bit = tag - kFirstBitTag;
        bits.insert({bit / 8, bit % 8, decided});
      } else if (seen.insert({tag, decided}).second) {
        node(tag, decided, push);
      }
    }
  }
  template <class Push>
  void node(Tag tag, bool decided, Push push) {
    switch (arena.kind(tag)) {
      case NodeKind::Combine:
      case NodeKind::Halves:
        push(arena.a(tag), decided);
        push(arena.b(tag), decided);
        break;
      case NodeKind::Chosen:
        push(arena.a(tag), decided);
        push(arena.b(tag), true);
        break;
      case NodeKind::BitOf:
      case NodeKind::HalfOf:
      case NodeKind::Bits: push(arena.a(tag), decided); break;
      case NodeKind::Unspecified: unspecified.insert({arena.reason(tag), decided}); break;
    }
  }
};

namespace {

int result_at(const Bound& bound, const ByteRange& place) { return operand_holding(bound, place, true); }

// Inputs first.
int operand_at(const Bound& bound, const ByteRange& place) {
  const int input = operand_holding(bound, place, false);
  return input >= 0 ? input : result_at(bound, place);
}

// Several bytes of one element give equal sources.
Source element_source(const Bound& bound, const Memory& before, Flat flat, BytePart part, bool decided) {
  Source source;
  source.decided = decided;
  source.place = before.map().locate(flat);
  source.operand = operand_at(bound, source.place);
  if (source.operand < 0) {
    source.kind = Source::Kind::Bytes;
  } else {
    const OperandElement element =
        element_of(bound.operands[static_cast<std::size_t>(source.operand)], source.place.address, part);
    source.row = element.row;
    source.col = element.col;
    source.place = element.place;
  }
  source.bits = before.element(source.place);
  source.definedness = before.worst_definedness(before.map().flat(source.place), source.place.size);
  return source;
}

Source bit_source(const Bound& bound, const Memory& before, Flat flat, std::uint32_t bit, bool decided) {
  Source source;
  source.decided = decided;
  source.kind = Source::Kind::MaskBit;
  source.bit = bit;
  source.place = before.map().locate(flat);
  source.operand = operand_at(bound, source.place);
  source.bits = static_cast<std::uint64_t>(before.at(flat, 1)[0]) >> bit & 1;
  source.definedness = before.definedness(flat);
  if (source.operand < 0) return source;
  const TileRef& mask = bound.operands[static_cast<std::size_t>(source.operand)].tile;
  const std::uint32_t offset = source.place.address - mask.address;
  source.row = offset / mask.pitch_bytes();
  source.col = offset % mask.pitch_bytes() * 8 + bit;
  // A mask that a program names has a bit for each byte of a lane.
  if (bound.row->micro) source.col /= size_bytes(bound.dtype());
  return source;
}

}  // namespace

bool Flow::wrote(ByteRange bytes) const {
  const Flat begin = before_->map().flat(bytes), end = begin + bytes.size;
  bool touched = false;
  for (const WritePattern& pattern : writes_)
    for_runs(pattern, [&](Flat base, std::uint32_t size) { touched = touched || (base < end && begin < base + size); });
  return touched;
}

namespace {

// Whether bytes of [begin, end) took part in what tags stand for.
struct Reach {
  enum How : std::uint8_t { kNone = 0, kDecided = 1, kPart = 2 };  // part of it: it may have decided, too

  Flat begin, end;
  BytePart part = BytePart::Whole;  // of the one byte

  How leaf(Tag tag) const {
    if (!is_memory_tag(tag)) return kNone;
    const Flat at = byte_of(tag);
    const BytePart its = part_of(tag);
    const bool other_half = part != BytePart::Whole && its != BytePart::Whole && part != its;
    return at >= begin && at < end && !other_half ? kPart : kNone;
  }
  static How joined(How a, How b) { return std::max(a, b); }
  static How node(NodeKind kind, How a, How b) {
    return std::max(a, kind == NodeKind::Chosen ? std::min(b, kDecided) : b);
  }
};

}  // namespace

std::vector<Flow::Reached> Flow::reached_by(ByteRange bytes) const {
  const Flat begin = before_->map().flat(bytes);
  const Reach rule{begin, begin + bytes.size, bytes.part};
  const TagFold<Reach::How, Reach> reach(tags_->arena, rule);
  std::vector<Reached> reached;
  const auto add = [&](const Reached& one) {
    if (!reached.empty() && reached.back().place == one.place)
      reached.back().decided = reached.back().decided && one.decided;
    else reached.push_back(one);
  };
  const auto look_at = [&](Flat at) {
    const Tag tag = tags_->tag(at);
    if (reach.of(tag) == Reach::kNone) return;
    const ByteRange place = before_->map().locate(at);
    const int number = result_at(*bound_, place);
    if (number < 0) return add({.operand = -1, .place = place, .decided = reach.of(tag) == Reach::kDecided});
    const Operand& result = bound_->operands[static_cast<std::size_t>(number)];
    for (const BytePart part : parts_of_byte(result)) {
      const Tag its = tags_->arena.half(tag, part);
      const Reach::How how = reach.of(its);
      const bool other_half = is_byte_tag(its) && bytes.part != BytePart::Whole && part != bytes.part;
      if (how == Reach::kNone || other_half) continue;
      const OperandElement element = element_of(result, place.address, part);
      add({number, element.row, element.col, element.place, how == Reach::kDecided});
    }
  };
  for (const WritePattern& pattern : writes_)
    for_runs(pattern, [&](Flat base, std::uint32_t size) {
      for (Flat at = base; at < base + size; ++at) look_at(at);
    });
  std::ranges::stable_sort(reached, {}, &Reached::operand);
  return reached;
}

std::vector<Source> Flow::sources(int operand, std::uint32_t row, std::uint32_t col) const {
  const TileRef& tile = bound_->operands[static_cast<std::size_t>(operand)].tile;
  return sources_of_bytes(tile.place_of(row, col));
}

Source Flow::source_of(Tag leaf, bool decided) const {
  if (is_bit_tag(leaf)) return bit_source(*bound_, *before_, byte_of(leaf), (leaf - kFirstBitTag) % 8, decided);
  if (is_memory_tag(leaf)) return element_source(*bound_, *before_, byte_of(leaf), part_of(leaf), decided);
  Source source;
  source.kind = Source::Kind::Scalar;
  source.decided = decided;
  source.operand = static_cast<int>(leaf) - 1;
  source.bits = bound_->operands[leaf - 1].scalar.bits;
  return source;
}

// Of a whole byte that holds two elements both.
std::vector<BytePart> Flow::parts_meant(Flat flat, BytePart part) const {
  const int number = part == BytePart::Whole ? operand_at(*bound_, before_->map().locate(flat)) : -1;
  if (number < 0) return {part};
  const auto parts = parts_of_byte(bound_->operands[static_cast<std::size_t>(number)]);
  return {parts.begin(), parts.end()};
}

std::vector<Source> Flow::sources_of_bytes(ByteRange range) const {
  Collector found{.arena = tags_->arena, .bytes = {}, .bits = {}, .scalars = {}, .unspecified = {}, .seen = {}};
  const Flat begin = before_->map().flat(range);
  for (Flat at = begin; at < begin + range.size; ++at) {
    const Tag tag = tags_->arena.half(tags_->tag(at), range.part);
    // Halves of bytes far out in global memory have no tags of their own.
    if (is_byte_tag(tag)) found.bytes.insert({false, tag, range.part});
    else found.tag(tag, false);
  }

  std::vector<Source> sources;
  const auto add = [&](Source source) {
    if (sources.empty() || sources.back() != source) sources.push_back(std::move(source));
  };
  for (const auto& [decided, flat, part] : found.bytes)
    for (const BytePart each : parts_meant(flat, part)) add(element_source(*bound_, *before_, flat, each, decided));
  for (const auto& [flat, bit, decided] : found.bits) add(source_of(kFirstBitTag + 8 * flat + bit, decided));
  for (const auto& [tag, decided] : found.scalars) add(source_of(tag, decided));
  for (const auto& [why, decided] : found.unspecified) {
    Source source;
    source.kind = Source::Kind::Unspecified;
    source.decided = decided;
    source.definedness = Definedness::Unspecified;
    source.why = why;
    add(source);
  }
  std::ranges::stable_sort(sources, {}, [](const Source& source) { return std::pair{source.decided, source.operand}; });
  return sources;
}

}  // namespace ts
