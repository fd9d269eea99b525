// Counting beats, and finding the elements that a trace's accesses touch.
#include "core/debug/picture/step_order.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace ts {
namespace {

bool takes_no_time(const MicroStep& step) { return std::string_view(step.op->name) == "emu.unspecified"; }

std::uint32_t beats_of(const MicroStep& step) {
  if (takes_no_time(step)) return 0;
  const std::size_t pieces =
      step.repeats.size() > 1 ? step.repeats.size() : std::max(step.reads.size(), step.writes.size());
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, pieces));
}

// The part of a micro-operation that its nth read or write belongs to.
std::uint32_t part_of(const MicroStep& step, std::size_t nth, bool write, std::uint32_t beats) {
  if (beats <= 1) return 0;
  if (step.repeats.size() > 1) {
    const auto begins = write ? &TraceRepeat::writes : &TraceRepeat::reads;
    const auto after = std::ranges::upper_bound(step.repeats, static_cast<std::uint32_t>(nth), {}, begins);
    return after == step.repeats.begin() ? 0 : static_cast<std::uint32_t>(after - step.repeats.begin()) - 1;
  }
  // Of few pieces each takes several beats: it is read when they begin, and written when they end.
  if (write) return static_cast<std::uint32_t>((nth + 1) * beats / step.writes.size()) - 1;
  return static_cast<std::uint32_t>(nth * beats / step.reads.size());
}

// The elements of an operand by where they stand.
class ElementPlaces {
 public:
  ElementPlaces(const Program& program, const Bound& bound, int operand, std::uint32_t rows, std::uint32_t cols,
                const MemoryMap& map) {
    places_.reserve(std::size_t{rows} * cols);
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t col = 0; col < cols; ++col) {
        const ByteRange place = place_of(program, bound, {operand, row, col});
        if (place.size == 0) continue;
        size_ = place.size;
        places_.emplace_back(map.flat(place), static_cast<std::uint32_t>(std::size_t{row} * cols + col));
      }
    if (!std::ranges::is_sorted(places_)) std::ranges::sort(places_);
  }
  // Those of which bytes [begin, end) have a part.
  template <class F>
  void for_touched(Flat begin, Flat end, F f) const {
    const Flat from = begin >= size_ - 1 ? begin - (size_ - 1) : 0;
    for (auto at = std::ranges::lower_bound(places_, from, {}, &std::pair<Flat, std::uint32_t>::first);
         at != places_.end() && at->first < end; ++at)
      f(at->second);
  }

 private:
  std::vector<std::pair<Flat, std::uint32_t>> places_;
  std::uint32_t size_ = 1;
};

class OrderMaker {
 public:
  OrderMaker(const Trace& trace, const MemoryMap& map, const std::function<bool()>& go_on)
      : trace_(trace), map_(map), go_on_(go_on) {}

  StepOrder make(const Program& program, const Bound& bound, std::size_t most) {
    for (const MicroStep& step : trace_.steps) {
      order_.micros.push_back(step.op);
      order_.first_beat.push_back(order_.beats);
      order_.beats_of.push_back(beats_of(step));
      order_.beats += order_.beats_of.back();
    }
    for (std::size_t i = 0; i < bound.operands.size(); ++i) {
      if (bound.operands[i].spec->kind == OperandKind::Scalar) continue;
      const auto [rows, cols] = shape_of_operand(program, bound.operands[i]);
      if (std::uint64_t{rows} * cols > most) continue;
      const auto operand = static_cast<int>(i);
      add(ElementPlaces(program, bound, operand, rows, cols, map_), operand, rows, cols);
    }
    return std::move(order_);
  }

 private:
  // f(beat, begin, end) for all of them in their order.
  template <class F>
  void for_accesses(bool writes, F f) const {
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      if (i % 1024 == 0 && go_on_ && !go_on_()) return;
      const MicroStep& step = trace_.steps[i];
      const std::vector<TraceAccess>& accesses = writes ? step.writes : step.reads;
      const std::uint32_t beats = order_.beats_of[i], first = order_.first_beat[i];
      for (std::size_t k = 0; k < accesses.size(); ++k) {
        if (accesses[k].size == 0) continue;
        const Flat begin = map_.flat(accesses[k].place());
        const std::uint32_t beat = beats == 0 ? first - (first > 0 ? 1 : 0) : first + part_of(step, k, writes, beats);
        f(beat, begin, begin + accesses[k].size);
      }
    }
  }

  void add(const ElementPlaces& places, int operand, std::uint32_t rows, std::uint32_t cols) {
    ElementTimes& times = order_.operands.emplace_back(ElementTimes{operand, rows, cols});
    const std::size_t all = std::size_t{rows} * cols;
    times.written.assign(all, StepOrder::kNever);
    for_accesses(true, [&](std::uint32_t beat, Flat begin, Flat end) {
      places.for_touched(begin, end, [&](std::uint32_t element) { times.written[element] = beat; });
    });
    // Counted, then put where they belong.
    times.first_read.assign(all + 1, 0);
    const auto counts = [&](std::uint32_t, Flat begin, Flat end) {
      places.for_touched(begin, end, [&](std::uint32_t element) { ++times.first_read[element + 1]; });
    };
    for_accesses(false, counts);
    for (std::size_t i = 0; i < all; ++i) times.first_read[i + 1] += times.first_read[i];
    times.reads.resize(times.first_read[all]);
    std::vector<std::uint32_t> next(times.first_read.begin(), times.first_read.end() - 1);
    for_accesses(false, [&](std::uint32_t beat, Flat begin, Flat end) {
      places.for_touched(begin, end, [&](std::uint32_t element) {
        if (next[element] < times.first_read[element + 1]) times.reads[next[element]++] = beat;
      });
    });
  }

  const Trace& trace_;
  const MemoryMap& map_;
  const std::function<bool()>& go_on_;
  StepOrder order_;
};

std::span<const std::uint32_t> reads_of(const StepOrder& order, const StepElement& element) {
  const ElementTimes* times = order.of(element.operand);
  if (times == nullptr || element.row >= times->rows || element.col >= times->cols) return {};
  const std::size_t at = times->index(element.row, element.col);
  return std::span(times->reads).subspan(times->first_read[at], times->first_read[at + 1] - times->first_read[at]);
}

}  // namespace

Beat StepOrder::at(std::uint32_t beat) const {
  if (first_beat.empty()) return {};
  auto micro = static_cast<std::uint32_t>(std::ranges::upper_bound(first_beat, beat) - first_beat.begin());
  for (micro -= micro > 0 ? 1 : 0; micro > 0 && beats_of[micro] == 0;) --micro;
  const std::uint32_t parts = std::max(1u, beats_of[micro]);
  return {micro, std::min(beat - std::min(beat, first_beat[micro]), parts - 1), parts};
}

const ElementTimes* StepOrder::of(int operand) const {
  const auto found = std::ranges::find(operands, operand, &ElementTimes::operand);
  return found == operands.end() ? nullptr : &*found;
}

std::uint32_t StepOrder::written(const StepElement& element) const {
  const ElementTimes* times = of(element.operand);
  if (times == nullptr || element.row >= times->rows || element.col >= times->cols) return kNever;
  return times->written[times->index(element.row, element.col)];
}

std::uint32_t StepOrder::first_read(const StepElement& element) const {
  const auto reads = reads_of(*this, element);
  return reads.empty() ? kNever : reads.front();
}

std::uint32_t StepOrder::read_before(const StepElement& element, std::uint32_t written) const {
  const auto reads = reads_of(*this, element);
  const auto after = std::ranges::upper_bound(reads, written);
  if (after != reads.begin()) return *(after - 1);
  const Beat now = at(written);
  const bool same = after != reads.end() && at(*after).micro == now.micro;
  return same ? written - now.part : kNever;
}

StepOrder step_order(const Recording& recording, std::uint32_t step, const Trace& trace, const MemoryMap& map,
                     const std::function<bool()>& go_on, std::size_t most) {
  return OrderMaker(trace, map, go_on).make(recording.program(), recording.bound(step), most);
}

}  // namespace ts
