// Dependence sets, step by step.
#include "tests/support/record/dependence.h"

#include <algorithm>
#include <cstring>

#include "core/record/inspector.h"

namespace ts::test {
namespace {

bool is_written(const Recording& recording, std::uint32_t step, Flat at) {
  bool written = false;
  for (const WritePattern& pattern : recording.writes(step))
    for_runs(pattern, [&](Flat base, std::uint32_t size) { written = written || (base <= at && at < base + size); });
  return written;
}

}  // namespace

Dependence::Dependence(const Recording& recording) : recording_(recording) {
  Inspector inspector(recording);
  const Memory& start = inspector.at(0);
  bytes_.assign(start.base(), start.base() + start.map().end());
}

oracle::Before Dependence::now() const { return {.all = bytes_, .map = &recording_.map()}; }

std::optional<Leaf> Dependence::leaf(Flat at) const {
  if (made_.contains(at)) return {};
  const auto since = since_.find(at);
  return Leaf{.at = at, .since = since == since_.end() ? 0 : since->second};
}

LeafSet Dependence::leaves(Flat begin, std::uint32_t size) const {
  LeafSet all;
  for (Flat at = begin; at < begin + size; ++at) {
    if (const auto one = leaf(at)) all.insert(*one);
    else all.insert(made_.at(at)->begin(), made_.at(at)->end());
  }
  return all;
}

SharedLeaves Dependence::of_element(const oracle::Element& element) const {
  LeafSet all;
  for (const oracle::Origin& origin : element.from) {
    if (origin.kind == oracle::Origin::Kind::Scalar) {
      all.insert({.kind = Leaf::Kind::Scalar,
                  .since = position_,
                  .bits = recording_.bound(position_).scalar(origin.operand).bits});
      continue;
    }
    all.merge(leaves(recording_.map().flat(origin.place), origin.place.size));
  }
  return std::make_shared<const LeafSet>(std::move(all));
}

void Dependence::step() {
  const Bound& bound = recording_.bound(position_);
  effects_ = {};
  written_.clear();
  if (bound.row->effect == Effect::StartsBlock) {
    const MemoryMap& map = recording_.map();
    for (int i = 0; i < kSpaces; ++i) {
      const auto space = static_cast<Space>(i);
      if (space == Space::Gm || space == Space::Spr) continue;
      std::fill_n(bytes_.begin() + map.origin(space), map.size(space), std::byte{kPoison});
      for (Flat at = map.origin(space); at < map.origin(space) + map.size(space); ++at)
        since_[at] = position_ + 1, made_.erase(at);
    }
  } else if (bound.row->effect == Effect::None && !bound.operands.empty()) {
    apply(bound);
  }
  ++position_;
  edit();
}

void Dependence::apply(const Bound& bound) {
  const MemoryMap& map = recording_.map();
  effects_ = oracle::effects_of(bound, now());
  std::vector<SharedLeaves> sets;
  for (const oracle::Element& element : effects_.written) sets.push_back(of_element(element));
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const oracle::Element& element = effects_.written[i];
    const Flat begin = map.flat(element.place);
    std::memcpy(bytes_.data() + begin, &element.bits, element.place.size);
    for (Flat at = begin; at < begin + element.place.size; ++at) made_[at] = sets[i], written_.insert(at);
  }
  if (effects_.unspecified.empty()) return;
  // Nobody promises these: as they were found, if they were written at all.
  Inspector inspector(recording_);
  const Memory& after = inspector.at(position_ + 1);
  const auto nobody = std::make_shared<const LeafSet>(LeafSet{{.kind = Leaf::Kind::Unspecified, .since = position_}});
  for (const ByteRange& place : effects_.unspecified) {
    for (Flat at = map.flat(place), end = at + place.size; at < end; ++at) {
      if (!is_written(recording_, position_, at)) continue;
      bytes_[at] = after.base()[at];
      made_[at] = nobody;
      written_.insert(at);
    }
  }
}

void Dependence::edit() {
  for (const Edit& edit : recording_.edits()) {
    if (edit.position != position_) continue;
    const Flat begin = recording_.map().flat(edit.place());
    for (std::uint32_t i = 0; i < edit.bytes.size(); ++i) {
      bytes_[begin + i] = edit.bytes[i];
      made_.erase(begin + i);
      written_.erase(begin + i);
      since_[begin + i] = position_;
    }
  }
}

}  // namespace ts::test
