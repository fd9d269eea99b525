// Finding loops and their turns in one pass over the steps.
#include "core/debug/session/loop_index.h"

#include <algorithm>

#include "core/isa/stop_question.h"

namespace ts {

class LoopIndex::Maker {
 public:
  Maker(LoopIndex& index, const Recording& recording) : index_(index), recording_(recording) {}

  void take(std::uint32_t step) {
    // Steps of the same turns share one copy of them.
    const Step& now = recording_.step(step);
    if (step > 0 && now.loops == last_.loops && now.loop_count == last_.loop_count) return;
    last_ = now;
    const auto turns = recording_.loops(step);
    std::size_t same = 0;
    while (same < open_.size() && same < turns.size() && open_[same].entry == turns[same].entry &&
           open_[same].turn == turns[same].turn)
      ++same;
    const bool next_turn = same < open_.size() && same < turns.size() && open_[same].entry == turns[same].entry;
    close(next_turn ? same + 1 : same, step);
    for (std::size_t level = same; level < turns.size(); ++level) {
      if (level >= open_.size()) enter(level, step, turns[level]);
      open_[level].turn = turns[level].turn;
      index_.levels_[level].turns.push_back(step);
    }
  }
  // Ends the loops from a level on.
  void close(std::size_t level, std::uint32_t step) {
    for (; open_.size() > level; open_.pop_back()) index_.levels_[open_.size() - 1].loops.back().end = step;
  }

 private:
  void enter(std::size_t level, std::uint32_t step, const LoopTurn& turn) {
    if (index_.levels_.size() == level) index_.levels_.emplace_back();
    Level& in = index_.levels_[level];
    const std::uint32_t outer = level == 0 ? 0 : index_.levels_[level - 1].turns.back();
    const bool has_brother = !in.loops.empty() && in.loops.back().first >= outer;
    const std::uint32_t item = has_brother ? in.loops.back().item + 1 + (step - in.loops.back().end) : step - outer;
    in.loops.push_back({step, step, static_cast<std::uint32_t>(in.turns.size()), item});
    open_.push_back(turn);
  }

  LoopIndex& index_;
  const Recording& recording_;
  std::vector<LoopTurn> open_;
  Step last_;
};

LoopIndex::LoopIndex(const Recording& recording, const std::function<bool()>& go_on) {
  StopQuestion question(go_on);
  Maker maker(*this, recording);
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    if (question.stops()) return;
    maker.take(step);
  }
  steps_ = recording.count();
  maker.close(0, steps_);
  complete_ = true;
}

std::uint32_t LoopIndex::turn_count(std::size_t level, std::size_t loop) const {
  const Level& in = levels_[level];
  const std::size_t end = loop + 1 < in.loops.size() ? in.loops[loop + 1].first_turn : in.turns.size();
  return static_cast<std::uint32_t>(end) - in.loops[loop].first_turn;
}

std::size_t LoopIndex::loop_of_turn(std::size_t level, std::size_t turn) const {
  const auto& loops = levels_[level].loops;
  const auto after = std::ranges::upper_bound(loops, turn, {}, &Loop::first_turn);
  return static_cast<std::size_t>(after - loops.begin()) - 1;
}

std::uint32_t LoopIndex::end_of_turn(std::size_t level, std::size_t turn) const {
  const Level& in = levels_[level];
  const Loop& loop = in.loops[loop_of_turn(level, turn)];
  return turn + 1 < in.turns.size() && in.turns[turn + 1] < loop.end ? in.turns[turn + 1] : loop.end;
}

std::size_t LoopIndex::turn_at(std::size_t level, std::size_t loop, std::uint32_t step) const {
  const auto& turns = levels_[level].turns;
  const auto first = turns.begin() + levels_[level].loops[loop].first_turn;
  const auto after = std::upper_bound(first, first + turn_count(level, loop), step);
  return static_cast<std::size_t>(after - turns.begin()) - 1;
}

std::uint32_t LoopIndex::next_turn(std::size_t level, std::uint32_t step) const {
  const auto& loops = levels_[level].loops;
  const auto after = std::ranges::upper_bound(loops, step, {}, &Loop::first);
  return end_of_turn(level, turn_at(level, static_cast<std::size_t>(after - loops.begin()) - 1, step));
}

std::ptrdiff_t LoopIndex::loop_at(const Container& in, std::uint32_t step) const {
  if (in.inner >= levels_.size()) return -1;
  const auto& loops = levels_[in.inner].loops;
  const auto after = std::ranges::upper_bound(loops, step, {}, &Loop::first);
  if (after == loops.begin() || (after - 1)->first < in.first || step >= (after - 1)->end) return -1;
  return after - 1 - loops.begin();
}

std::uint32_t LoopIndex::items(const Container& in) const {
  return in.first == in.end ? 0 : item_of(in, in.end - 1) + 1;
}

std::uint32_t LoopIndex::item_of(const Container& in, std::uint32_t step) const {
  if (in.inner >= levels_.size()) return step - in.first;
  const auto& loops = levels_[in.inner].loops;
  const auto after = std::ranges::upper_bound(loops, step, {}, &Loop::first);
  if (after == loops.begin() || (after - 1)->first < in.first) return step - in.first;
  const Loop& last = *(after - 1);
  return step < last.end ? last.item : last.item + 1 + (step - last.end);
}

std::size_t LoopIndex::bytes() const {
  std::size_t bytes = 0;
  for (const Level& level : levels_)
    bytes += level.loops.capacity() * sizeof(Loop) + level.turns.capacity() * sizeof(std::uint32_t);
  return bytes;
}

LoopIndex::Item LoopIndex::item(const Container& in, std::uint32_t number) const {
  if (in.inner >= levels_.size()) return {.step = in.first + number};
  const auto& loops = levels_[in.inner].loops;
  const auto begin = std::ranges::lower_bound(loops, in.first, {}, &Loop::first);
  const auto end = std::ranges::lower_bound(begin, loops.end(), in.end, {}, &Loop::first);
  const auto after =
      std::upper_bound(begin, end, number, [](std::uint32_t n, const Loop& loop) { return n < loop.item; });
  if (after == begin) return {.step = in.first + number};
  const Loop& last = *(after - 1);
  if (last.item == number)
    return {.is_loop = true, .loop = static_cast<std::size_t>(after - 1 - loops.begin()), .step = last.first};
  return {.step = last.end + (number - last.item - 1)};
}

}  // namespace ts
