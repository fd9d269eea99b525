// Running a step's lowering, and finding out from its log what it touched.
#include "core/record/step_runner.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/catalogue/nothing.h"
#include "core/engine/plan/plan.h"

namespace ts {

StepRunner::StepRunner(Memory& memory, bool with_plans)
    : memory_(memory), context_(memory), place_(memory.map().pages(), 0) {
  if (with_plans) context_.plans = (plans_ = std::make_unique<Plans>()).get();
}

StepRunner::~StepRunner() = default;

std::size_t StepRunner::held_bytes() const { return plans_ == nullptr ? 0 : plans_->held_bytes(); }

bool StepRunner::run(const Bound& bound, std::uint32_t plan) {
  if (!execute(bound, plan)) return false;
  mark_definedness();
  return true;
}

bool StepRunner::execute(const Bound& bound, std::uint32_t plan) {
  begin(bound, plan);
  return ran_by_plan(context_) ? settle() : execute_by(bound, machines_for(bound).run);
}

bool StepRunner::execute_on(const Bound& bound, const LoweringTable& (*machine)()) {
  begin(bound, kNoPlan);
  return execute_by(bound, machine);
}

void StepRunner::begin(const Bound& bound, std::uint32_t plan) {
  context_.plan = plan;
  context_.fault = {};
  context_.core = bound.core;
  context_.odd_data = false;
  memory_.begin_core(bound.core);
}

bool StepRunner::execute_by(const Bound& bound, const LoweringTable& (*machine)()) {
  if (machine == nullptr || does_nothing(bound)) {  // synchronisation moves nothing
    context_.log.finish(context_.log.start());
    writes_.clear();
    pages_.clear();
    if (bound.row->effect == Effect::StartsBlock) forget_core(bound.core);
    return true;
  }
  machine().of(bound)(context_, bound);
  return settle();
}

// What it touched.
bool StepRunner::settle() {
  join(context_.log.begin(), context_.log.end(), writes_);
  collect_pages();
  return !context_.fault;
}

void StepRunner::leave(StepTrail& trail) const {
  trail.writes = writes_;
  trail.unspecified = context_.log.unspecified_ranges();
  trail.pages = pages_;
  std::size_t size = 0;
  for (const WritePattern& pattern : writes_) size += std::size_t{pattern.size} * pattern.count;
  trail.bytes.resize(size);
  std::byte* next = trail.bytes.data();
  for (const WritePattern& pattern : writes_)
    for_runs(pattern, [&](Flat base, std::uint32_t run) {
      std::memcpy(next, std::as_const(memory_).at(base, run).data(), run);
      next += run;
    });
}

void StepRunner::follow(const Bound& bound, const StepTrail& trail) {
  begin(bound, kNoPlan);
  const std::byte* next = trail.bytes.data();
  for (const WritePattern& pattern : trail.writes)
    for_runs(pattern, [&](Flat base, std::uint32_t size) {
      std::memcpy(memory_.at(base, size).data(), next, size);
      next += size;
    });
  context_.log.assign(trail.writes);
  for (const WritePattern& range : trail.unspecified) context_.log.unspecified(range.base, range.size);
  writes_ = trail.writes;
  pages_ = trail.pages;
}

// A block runs on a core of its own, which holds nothing of the block before it.
void StepRunner::forget_core(CoreId core) {
  const MemoryMap& map = memory_.map();
  const std::uint32_t end = map.origin(Space::Spr, core) / kPageBytes;
  for (std::uint32_t page = map.begin_of(core) / kPageBytes; page < end; ++page) {
    if (memory_.untouched(page)) continue;
    memory_.make_fresh(page);
    touch(page, 0, kPageBytes);
  }
}

// The pages that the step's log touches, each once, with the hull of the bytes written in it.
void StepRunner::collect_pages() {
  pages_.clear();
  for (const WritePattern& pattern : writes_) {
    for_runs(pattern, [&](Flat base, std::uint32_t size) {
      const Flat end = base + size;
      for (std::uint32_t page = base / kPageBytes; page <= (end - 1) / kPageBytes; ++page) {
        const Flat page_begin = page * kPageBytes;
        touch(page, std::max(base, page_begin) - page_begin, std::min(end - page_begin, kPageBytes));
      }
    });
  }
  for (const WritePattern& pattern : context_.log.unspecified_ranges()) {
    for_runs(pattern, [&](Flat base, std::uint32_t size) {
      for (std::uint32_t page = base / kPageBytes; page <= (base + size - 1) / kPageBytes; ++page) touch(page, 0, 0);
    });
  }
}

void StepRunner::touch(std::uint32_t page, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t place = place_[page];
  if (place >= pages_.size() || pages_[place].page != page) {
    place_[page] = static_cast<std::uint32_t>(pages_.size());
    pages_.push_back({page, begin, end});
    return;
  }
  pages_[place].begin = std::min(pages_[place].begin, begin);
  pages_[place].end = std::max(pages_[place].end, end);
}

void StepRunner::mark_definedness() {
  // A page that is whole stays whole under writes, and most pages of a running program are.
  const bool all_whole =
      std::ranges::all_of(pages_, [&](const TouchedPage& touched) { return memory_.page_is_whole(touched.page); });
  if (!all_whole)
    for (const WritePattern& pattern : writes_)
      for_runs(pattern, [&](Flat base, std::uint32_t size) { memory_.mark(base, size, Definedness::Written); });
  for (const WritePattern& pattern : context_.log.unspecified_ranges())
    for_runs(pattern, [&](Flat base, std::uint32_t size) { memory_.mark(base, size, Definedness::Unspecified); });
}

}  // namespace ts
