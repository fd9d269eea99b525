// Running steps without a recorder.
#include "tests/support/record/straight.h"

#include <doctest/doctest.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "core/a2a3/micro_ops.h"
#include "core/engine/step_context.h"
#include "core/program/inputs.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kLiveL1 = 16 << 10;

template <class F>
void for_live(const MemoryMap& map, F f) {
  f(map.origin(Space::Ub), map.size(Space::Ub));
  f(map.origin(Space::L1), std::min(kLiveL1, map.size(Space::L1)));
  f(map.origin(Space::Spr), map.size(Space::Spr));
  f(map.origin(Space::Gm), map.size(Space::Gm));
}

}  // namespace

std::uint64_t hash_of(const void* data, std::size_t size, std::uint64_t seed) {
  return XXH3_64bits_withSeed(data, size, seed);
}

Straight::Straight(const Recording& recording)
    : recording_(recording),
      memory_(recording.program().memory_map()),
      defined_(memory_.map().end(), Definedness::Never) {
  load_inputs(recording.program(), memory_);
  if (memory_.map().target() == Target::A2A3) {
    memory_.set_element(Space::Spr, a2a3::kMask, 8, ~0ull);
    memory_.set_element(Space::Spr, a2a3::kMask + 8, 8, ~0ull);
    memory_.set_element(Space::Spr, a2a3::kMaskMode, 8, 0);
    memory_.mark(memory_.map().flat(Space::Spr, a2a3::kMask), 24, Definedness::Written);
  } else {
    memory_.set_element(Space::Spr, a5::kCtrl, 8, 0);
    memory_.mark(memory_.map().flat(Space::Spr, a5::kCtrl), 8, Definedness::Written);
  }
  if (recording.options().initial) recording.options().initial(memory_);
  for (Flat at = kFirstFlat; at < memory_.map().end(); ++at) defined_[at] = memory_.definedness(at);
  edit();
}

void Straight::step() {
  written_.clear();
  before_edits_.clear();
  const Bound& bound = recording_.bound(position_++);
  begins_block_ = bound.row->effect == Effect::StartsBlock;
  if (begins_block_) begin_block();
  if (machines_for(bound).run != nullptr) {
    StepContext context(memory_);
    machines_for(bound).run().of(bound)(context, bound);
    REQUIRE(!context.fault);
    for (const WritePattern& pattern : context.log)
      for_runs(pattern, [&](Flat base, std::uint32_t size) {
        written_.push_back({base, base + size});
        std::fill_n(defined_.begin() + base, size, Definedness::Written);
      });
    for (const WritePattern& pattern : context.log.unspecified_ranges())
      for_runs(pattern, [&](Flat base, std::uint32_t size) {
        std::fill_n(defined_.begin() + base, size, Definedness::Unspecified);
      });
  }
  edit();
}

// Nothing of the core is left: all that is on chip, but for the special registers.
void Straight::begin_block() {
  const MemoryMap& map = memory_.map();
  for (int i = 0; i < kSpaces; ++i) {
    const auto space = static_cast<Space>(i);
    if (space == Space::Gm || space == Space::Spr) continue;
    std::memset(memory_.base() + map.origin(space), kPoison, map.size(space));
    std::fill_n(defined_.begin() + map.origin(space), map.size(space), Definedness::Never);
  }
}

void Straight::edit() {
  for (const Edit& edit : recording_.options().edits) {
    if (edit.position != position_) continue;
    const Flat begin = memory_.map().flat(edit.place());
    for (std::uint32_t i = 0; i < edit.bytes.size(); ++i) {
      before_edits_.push_back({begin + i, memory_.base()[begin + i], defined_[begin + i]});
      memory_.base()[begin + i] = edit.bytes[i];
      defined_[begin + i] = Definedness::Written;
    }
  }
}

Definedness Straight::worst(Flat begin, std::uint32_t size) const {
  const auto holds = [&](Definedness what) {
    return std::find(defined_.begin() + begin, defined_.begin() + begin + size, what) !=
           defined_.begin() + begin + size;
  };
  return holds(Definedness::Never)         ? Definedness::Never
         : holds(Definedness::Unspecified) ? Definedness::Unspecified
                                           : Definedness::Written;
}

Definedness Straight::defined_before_edits(Flat at) const {
  const auto edited = std::ranges::find(before_edits_, at, &EditedByte::at);
  return edited == before_edits_.end() ? defined_[at] : edited->defined;
}

bool Straight::wrote(Flat at) const {
  return std::ranges::any_of(written_, [&](const Run& run) { return run.begin <= at && at < run.end; });
}

std::uint64_t Straight::hash() const {
  std::uint64_t hash = 0;
  for_live(memory_.map(), [&](Flat begin, std::uint32_t size) {
    hash = hash_of(defined_.data() + begin, size, hash_of(memory_.base() + begin, size, hash));
  });
  return hash;
}

std::uint64_t state_hash(const Memory& memory) {
  static std::vector<Definedness> defined;
  std::uint64_t hash = 0;
  for_live(memory.map(), [&](Flat begin, std::uint32_t size) {
    defined.resize(size);
    for (std::uint32_t i = 0; i < size; ++i) defined[i] = memory.definedness(begin + i);
    hash = hash_of(defined.data(), size, hash_of(memory.base() + begin, size, hash));
  });
  return hash;
}

std::vector<std::uint64_t> straight_hashes(const Recording& recording) {
  Straight run(recording);
  std::vector<std::uint64_t> hashes{run.hash()};
  while (run.position() < recording.count()) {
    run.step();
    hashes.push_back(run.hash());
  }
  return hashes;
}

bool same_memories(const Memory& a, const Memory& b) {
  if (std::memcmp(a.base() + kFirstFlat, b.base() + kFirstFlat, a.map().end() - kFirstFlat) != 0) return false;
  for (Flat at = kFirstFlat; at < a.map().end(); ++at)
    if (a.definedness(at) != b.definedness(at)) return false;
  return true;
}

}  // namespace ts::test
