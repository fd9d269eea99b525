// Walking a plan, and which plans there are.
#include "core/engine/plan/plan.h"

#include <algorithm>
#include <cstring>

namespace ts {

bool Plan::run(StepContext& context) const {
  if (context.memory->base() != memory_) return false;
  for (const Looked& looked : looked_)
    if (std::memcmp(looked.at, &looked.bits, sizeof looked.bits) != 0) return false;
  for (const WatchesData& is_odd : watches_) context.odd_data = context.odd_data || is_odd(*context.memory);
  BlockCorePlace place;
  BlockCore* core = needs_core_ ? &make_block_core(place, context) : nullptr;
  for (const Entry& entry : entries_) {
    switch (entry.kind) {
      case Entry::Kind::Lanes:
        entry.lanes(entry.out, entry.in[0], entry.in[1], entry.in[2], entry.count, entry.steps);
        break;
      case Entry::Kind::LanesUnder:
        entry.lanes(entry.out, entry.in[0], entry.in[1], entry.in[2], 1, {});
        entry.masked(entry.out, *entry.pred, entry.out, nullptr);
        break;
      case Entry::Kind::Masked: entry.masked(entry.out, *entry.pred, entry.in[0], entry.in[1]); break;
      case Entry::Kind::Pair:
        entry.pair(entry.out, entry.second, entry.in[0], entry.in[1], entry.count, entry.steps);
        break;
      case Entry::Kind::Load: entry.load(entry.out, entry.in[0]); break;
      case Entry::Kind::Bytes: copy_widely(entry.out, entry.in[0], entry.count); break;
      case Entry::Kind::Call: calls_[entry.call].run(*core, calls_[entry.call].operands); break;
    }
  }
  if (logs_itself_) {
    core->finish();
  } else {
    context.log.assign(writes_);
  }
  for (const WritePattern& range : unspecified_) context.log.unspecified(range.base, range.size);
  return true;
}

std::size_t Plan::held_bytes() const {
  return sizeof *this + entries_.capacity() * sizeof(Entry) + calls_.capacity() * (sizeof(Call) + 64) +
         watches_.capacity() * (sizeof(WatchesData) + 64) + registers_count_ * sizeof(Block) +
         predicates_.size() * sizeof(VPred) + (writes_.capacity() + unspecified_.capacity()) * sizeof(WritePattern);
}

bool Plans::run(StepContext& context) {
  // One in so many runs may have other masks.
  constexpr std::uint8_t kMiss = 8, kMost = 64;
  if (context.plan >= known_.size()) return false;
  Known& known = known_[context.plan];
  if (known.plan == nullptr) return false;
  if (known.plan->run(context)) {
    if (known.missed > 0) --known.missed;
    return true;
  }
  if (!known.plan->assumes() || (known.missed = static_cast<std::uint8_t>(known.missed + kMiss)) < kMost) return false;
  held_ -= known.plan->held_bytes();
  known = {.runs = runs_, .missed = 0, .varies = true};
  return false;
}

bool Plans::is_due(Key key) {
  if (key == kNoPlan) return false;
  if (key >= known_.size()) known_.resize(std::max<std::size_t>(key + std::size_t{1}, 2 * known_.size()));
  Known& known = known_[key];
  return known.plan == nullptr && known.runs <= runs_ && known.runs++ == runs_;
}

void Plans::keep(Key key, std::unique_ptr<Plan> plan) {
  if (plan == nullptr) return;
  const std::size_t bytes = plan->held_bytes();
  if (bytes > most_bytes_ / 4) return;
  // Those that run often are soon there again.
  if (held_ + bytes > most_bytes_) {
    for (Known& known : known_) known = {};
    held_ = 0;
  }
  held_ += bytes;
  known_[key].plan = std::move(plan);
}

}  // namespace ts
