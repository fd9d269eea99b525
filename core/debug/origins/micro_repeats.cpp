// Telling what the registers of repeats are for, from where their bits came from and went to.
#include "core/debug/origins/micro_repeats.h"

#include <algorithm>

#include "core/debug/origins/micro_view.h"

namespace ts {
namespace {

using InputRole = RepeatInput::Role;

struct Reads {
  std::uint32_t first = 0, end = 0;
  bool any() const { return end > first; }
};

// Of operands beyond the result, in the order in which the micro-operation names them.
constexpr const char* kLetters[] = {"A", "B", "C", "E"};

class RepeatReader {
 public:
  RepeatReader(const Trace& trace, const MicroStep& step)
      : trace_(trace), step_(step), reads_(step.made.size()), stored_(step.writes.size(), kNoValue) {
    for (const TraceMove& move : step.moves) {
      if (move.from.memory && !move.to.memory) take_read(move);
      if (!move.from.memory && move.to.memory) stored_[move.to.of] = move.from.of;
    }
    for (const TraceArg& arg : step.args)
      if (arg.kind == TraceArg::Kind::Address) operands_.push_back(address_of(arg));
  }

  std::vector<MicroRepeat> find() {
    std::vector<MicroRepeat> repeats;
    const std::uint32_t made = made_in(0);
    for (std::size_t r = 0; r < step_.repeats.size(); ++r)
      if (made_in(r) != made) return {};
    name_inputs(made);
    for (std::size_t r = 0; r < step_.repeats.size(); ++r) repeats.push_back(read(r));
    return repeats;
  }

 private:
  std::uint32_t end_of(std::size_t repeat, std::uint32_t TraceRepeat::*part, std::size_t all) const {
    return repeat + 1 < step_.repeats.size() ? step_.repeats[repeat + 1].*part : static_cast<std::uint32_t>(all);
  }
  std::uint32_t made_in(std::size_t repeat) const {
    return end_of(repeat, &TraceRepeat::made, step_.made.size()) - step_.repeats[repeat].made;
  }
  // Values of a micro-step have numbers in a row.
  std::uint32_t place_of(std::uint32_t value) const { return value - step_.made.front(); }
  void take_read(const TraceMove& move) {
    Reads& reads = reads_[place_of(move.to.of)];
    if (!reads.any()) reads = {move.from.of, move.from.of + 1};
    reads.first = std::min(reads.first, move.from.of);
    reads.end = std::max(reads.end, move.from.of + 1);
  }

  // What each of a repeat's values is for, by its place in the repeat. Of some repeats no lane takes part.
  void name_inputs(std::uint32_t made) {
    for (std::uint32_t k = 0; k < made; ++k) {
      std::optional<RepeatInput> input;
      for (std::size_t r = 0; r < step_.repeats.size() && !input; ++r) {
        const std::uint32_t place = step_.repeats[r].made + k;
        if (reads_[place].any()) input = named(place);
      }
      names_.push_back(input);
    }
  }
  RepeatInput named(std::uint32_t place) {
    const std::uint32_t value = step_.made[place];
    if (trace_.values[value].kind == TraceValue::Kind::Predicate) return {InputRole::MaskBits, "mask bits"};
    for (const TraceIndex& index : step_.indices) {
      if (index.value == value) return {InputRole::Offsets, "offsets"};
      if (index.found == value) return {InputRole::Gathered, "gathered"};
    }
    return operand_at(step_.reads[reads_[place].first].address);
  }
  RepeatInput operand_at(std::uint64_t address) {
    constexpr std::uint64_t kTaken = ~std::uint64_t{0};
    const auto sources = operands_.begin() + (operands_.empty() ? 0 : 1);
    auto operand = std::find(sources, operands_.end(), address);
    if (operand == operands_.end() && (operands_.empty() || operands_.front() != address))
      operand = std::find_if(sources, operands_.end(), [](std::uint64_t at) { return at != kTaken; });
    if (operand == operands_.end()) return {InputRole::Held, "D, before"};
    *operand = kTaken;
    const auto nth = static_cast<std::size_t>(operand - sources);
    return {nth == 0 ? InputRole::Source : InputRole::Second, kLetters[std::min(nth, std::size(kLetters) - 1)]};
  }

  MicroRepeat read(std::size_t number) const {
    const TraceRepeat& from = step_.repeats[number];
    MicroRepeat repeat;
    if (from.lanes != kNoValue) repeat.lanes = from.lanes;
    repeat.first_write = from.writes;
    repeat.writes = end_of(number, &TraceRepeat::writes, step_.writes.size()) - from.writes;
    if (repeat.writes > 0 && stored_[from.writes] != kNoValue) repeat.result = stored_[from.writes];
    for (std::uint32_t place = 0; place < step_.repeats.front().made; ++place) add_shared(repeat, place);
    for (std::uint32_t k = 0; k < names_.size(); ++k)
      if (names_[k]) add(repeat, *names_[k], from.made + k);
    return repeat;
  }
  void add_shared(MicroRepeat& repeat, std::uint32_t place) const {
    const bool predicate = trace_.values[step_.made[place]].kind == TraceValue::Kind::Predicate;
    if (predicate && reads_[place].any()) add(repeat, {InputRole::MaskBits, "mask bits"}, place);
    if (!predicate && repeat.result != step_.made[place]) add(repeat, {InputRole::Shared, "scalar"}, place);
  }
  void add(MicroRepeat& repeat, RepeatInput input, std::uint32_t place) const {
    input.value = step_.made[place];
    input.first_read = reads_[place].first;
    input.reads = reads_[place].end - reads_[place].first;
    repeat.inputs.push_back(input);
  }

  const Trace& trace_;
  const MicroStep& step_;
  std::vector<Reads> reads_;                       // by place among the values of the micro-step
  std::vector<std::uint32_t> stored_;              // the value that a write took, by write
  std::vector<std::uint64_t> operands_;            // their addresses; none where one has been named by it
  std::vector<std::optional<RepeatInput>> names_;  // by place in a repeat
};

}  // namespace

std::vector<MicroRepeat> repeats_of(const Trace& trace, const MicroStep& step) {
  if (step.repeats.empty() || step.made.empty()) return {};
  return RepeatReader(trace, step).find();
}

}  // namespace ts
