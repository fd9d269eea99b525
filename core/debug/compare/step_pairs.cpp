// Finding the steps that correspond.
#include "core/debug/compare/step_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "core/text/tree.h"

namespace ts {
namespace {

// --- what steps are known by ---

// The same text, on whatever target; of programs that were built, the same instructions.
bool same_program(const Program& a, const Program& b) {
  if (a.tree != nullptr && b.tree != nullptr)
    return a.name == b.name && (a.tree == b.tree || a.tree->source->text() == b.tree->source->text());
  const auto same_operand = [](const OperandUse& x, const OperandUse& y) {
    return x.slot == y.slot && x.spec == y.spec;
  };
  return a.tree == b.tree &&
         std::ranges::equal(a.instructions, b.instructions, [&](const Instruction& x, const Instruction& y) {
           return x.row == y.row && x.form == y.form && x.attributes == y.attributes &&
                  std::ranges::equal(x.operands, y.operands, same_operand);
         });
}

// An instruction's mnemonic and results; all of it where it has none.
std::string key_text(const Program& program, std::size_t instruction) {
  const std::string text = program.short_text(instruction);
  const std::size_t results = text.rfind(" outs(");
  return results == std::string::npos ? text : program.instructions[instruction].row->name + text.substr(results);
}

// The same number for the same key.
using KeyNumbers = std::unordered_map<std::string, std::uint32_t>;
std::vector<std::uint32_t> keys_of(const Program& program, KeyNumbers& numbers) {
  std::vector<std::uint32_t> keys;
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    keys.push_back(numbers.emplace(key_text(program, i), numbers.size()).first->second);
  return keys;
}

bool same_turns(const Recording& a, std::uint32_t step_a, const Recording& b, std::uint32_t step_b) {
  return std::ranges::equal(a.loops(step_a), b.loops(step_b),
                            [](const LoopTurn& x, const LoopTurn& y) { return x.turn == y.turn && x.pos == y.pos; });
}

// --- where two part ---

std::string doing(const Recording& recording, std::uint32_t step, const std::string& name) {
  if (step < recording.count()) {
    const Bound& bound = recording.bound(step);
    std::string text = fmt::format("{} runs {} at line {}", name, bound.row->name, bound.pos.line);
    if (!recording.loops(step).empty()) {
      const LoopTurn& turn = recording.loops(step).back();
      text +=
          fmt::format(" after {} turn{} of the loop at line {}", turn.turn, turn.turn == 1 ? "" : "s", turn.pos.line);
    }
    return text;
  }
  if (recording.stop_reason() == StopReason::End) return name + " is at its end";
  std::string text = fmt::format("{} cannot go on ({})", name, ts::name(recording.stop_reason()));
  const auto& findings = recording.findings();
  if (findings.empty() || findings.back().step < recording.count()) return text;
  const Diagnostic& last = findings.back().diagnostic;
  return text + fmt::format(": [{}] {}, line {}", last.rule, last.text, last.pos.line);
}

Parting parting_at(const Recording& a, std::uint32_t step_a, const Recording& b, std::uint32_t step_b) {
  const auto [name_a, name_b] = side_names(a, b);
  return {step_a, step_b, fmt::format("{}; {}", doing(a, step_a, name_a), doing(b, step_b, name_b))};
}

}  // namespace

std::optional<Parting> parting_at_ends(const Recording& a, const Recording& b) {
  if (a.stop_reason() == b.stop_reason()) return {};
  return parting_at(a, a.count(), b, b.count());
}

namespace {

// --- one program ---

StepPairs pair_in_order(const Recording& a, const Recording& b) {
  const bool has_text = a.program().tree != nullptr;
  const auto correspond = [&](std::uint32_t step) {
    const Step &x = a.step(step), &y = b.step(step);
    const Instruction& of_a = a.program().instructions[x.instruction];
    const Instruction& of_b = b.program().instructions[y.instruction];
    return of_a.row == of_b.row && of_a.pos == of_b.pos && (has_text || x.instruction == y.instruction) &&
           x.block == y.block && same_turns(a, step, b, step);
  };
  StepPairs pairs{.same_program = true};
  const std::uint32_t both = std::min(a.count(), b.count());
  std::uint32_t step = 0;
  while (step < both && correspond(step)) ++step;
  if (step > 0) pairs.runs.push_back({0, 0, step});
  const bool at_ends = step == a.count() && step == b.count();
  pairs.parted = at_ends ? parting_at_ends(a, b) : parting_at(a, step, b, step);
  return pairs;
}

// --- different programs ---

// A step as its instruction, its block and the turns of its loops make it, as one number.
struct StepIdentity {
  std::uint64_t hash;
  std::uint32_t step;
  auto operator<=>(const StepIdentity&) const = default;
};

constexpr std::uint32_t kNone = ~0u;

// Sorted. `number`: what stands for each instruction, kNone where its steps are left out.
std::vector<StepIdentity> identities(const Recording& recording, const std::vector<std::uint32_t>& number) {
  std::vector<StepIdentity> all;
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    const std::uint32_t instruction = number[recording.step(step).instruction];
    if (instruction == kNone) continue;
    std::uint64_t hash = 0;
    const auto mix = [&](std::uint64_t value) {
      hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 29;
    };
    mix(instruction + std::uint64_t{1});
    mix(recording.step(step).block);
    for (const LoopTurn& turn : recording.loops(step)) mix(turn.turn);
    all.push_back({hash, step});
  }
  std::ranges::sort(all);
  return all;
}

struct Pair {
  std::uint32_t a, b;
};

// The first of a's steps of an identity with the first of b's, and so on.
std::vector<Pair> joined(const std::vector<StepIdentity>& a, const std::vector<StepIdentity>& b) {
  std::vector<Pair> pairs;
  auto of_b = b.begin();
  for (const StepIdentity& of_a : a) {
    while (of_b != b.end() && of_b->hash < of_a.hash) ++of_b;
    if (of_b == b.end() || of_b->hash != of_a.hash) continue;
    pairs.push_back({of_a.step, of_b->step});
    ++of_b;
  }
  std::ranges::sort(pairs, {}, &Pair::a);
  return pairs;
}

// As many of them as stand in the same order in both.
std::vector<Pair> longest_in_order(const std::vector<Pair>& pairs) {
  if (std::ranges::is_sorted(pairs, {}, &Pair::b)) return pairs;
  std::vector<std::uint32_t> last_of_length, before(pairs.size(), kNone);  // indices of pairs
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const auto place =
        std::ranges::lower_bound(last_of_length, pairs[i].b, {}, [&](std::uint32_t at) { return pairs[at].b; });
    if (place != last_of_length.begin()) before[i] = *(place - 1);
    if (place == last_of_length.end()) last_of_length.push_back(i);
    else *place = i;
  }
  std::vector<Pair> longest;
  for (std::uint32_t at = last_of_length.empty() ? kNone : last_of_length.back(); at != kNone; at = before[at])
    longest.push_back(pairs[at]);
  std::ranges::reverse(longest);
  return longest;
}

void add_run(std::vector<PairedRun>& runs, PairedRun run) {
  if (!runs.empty() && runs.back().a + runs.back().count == run.a && runs.back().b + runs.back().count == run.b)
    runs.back().count += run.count;
  else runs.push_back(run);
}

// Steps between two pairs, which the turns of loops did not bring together: by their keys alone.
class Gaps {
 public:
  Gaps(const Recording& a, const Recording& b, const std::vector<std::uint32_t>& keys_a,
       const std::vector<std::uint32_t>& keys_b)
      : a_(a), b_(b), keys_a_(keys_a), keys_b_(keys_b) {}

  void fill(StepRange in_a, StepRange in_b, std::vector<PairedRun>& runs) const {
    constexpr std::uint64_t kMostWork = 50'000'000, kMostEdits = 1000;
    if (in_a.first == in_a.end || in_b.first == in_b.end) return;
    const auto of_a = keys(a_, keys_a_, in_a), of_b = keys(b_, keys_b_, in_b);
    const std::uint64_t edits = std::min(kMostEdits, kMostWork / (of_a.size() + of_b.size()));
    for (const PairedRun& run : common_runs(of_a, of_b, static_cast<std::uint32_t>(edits)))
      add_run(runs, {in_a.first + run.a, in_b.first + run.b, run.count});
  }

 private:
  static std::vector<std::uint32_t> keys(const Recording& recording, const std::vector<std::uint32_t>& keys,
                                         StepRange in) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t step = in.first; step < in.end; ++step) all.push_back(keys[recording.step(step).instruction]);
    return all;
  }

  const Recording &a_, &b_;
  const std::vector<std::uint32_t>&keys_a_, &keys_b_;
};

// The steps of one side between the runs.
std::vector<StepRange> left_out(const std::vector<PairedRun>& runs, std::uint32_t PairedRun::*first,
                                std::uint32_t count) {
  std::vector<StepRange> ranges;
  std::uint32_t at = 0;
  for (const PairedRun& run : runs) {
    if (run.*first > at) ranges.push_back({at, run.*first});
    at = run.*first + run.count;
  }
  if (at < count) ranges.push_back({at, count});
  return ranges;
}

StepPairs pair_by_identity(const Recording& a, const Recording& b) {
  constexpr std::uint32_t kMostEdits = 2000;
  KeyNumbers numbers;
  const auto keys_a = keys_of(a.program(), numbers), keys_b = keys_of(b.program(), numbers);
  // Instructions of both programs that are the same one go by the number it has in b.
  std::vector<std::uint32_t> number_a(keys_a.size(), kNone), number_b(keys_b.size(), kNone);
  for (const PairedRun& run : common_runs(keys_a, keys_b, kMostEdits))
    for (std::uint32_t i = 0; i < run.count; ++i) number_a[run.a + i] = number_b[run.b + i] = run.b + i;
  const std::vector<Pair> anchors = longest_in_order(joined(identities(a, number_a), identities(b, number_b)));

  StepPairs pairs;
  const Gaps gaps(a, b, keys_a, keys_b);
  Pair next{0, 0};
  for (const Pair& anchor : anchors) {
    gaps.fill({next.a, anchor.a}, {next.b, anchor.b}, pairs.runs);
    add_run(pairs.runs, {anchor.a, anchor.b, 1});
    next = {anchor.a + 1, anchor.b + 1};
  }
  gaps.fill({next.a, a.count()}, {next.b, b.count()}, pairs.runs);
  pairs.only_a = left_out(pairs.runs, &PairedRun::a, a.count());
  pairs.only_b = left_out(pairs.runs, &PairedRun::b, b.count());
  pairs.parted = parting_at_ends(a, b);
  if (pairs.runs.empty() && !pairs.parted)
    pairs.parted = Parting{0, 0, "no step of one has a step in the other that does the same"};
  return pairs;
}

// --- two lists ---

// How far one gets in `a` on each diagonal (a - b) with so many edits, from -edits on in steps of two; kNowhere where
// that leaves a list.
using Reached = std::vector<std::int32_t>;
constexpr std::int32_t kNowhere = -1;

class Edits {
 public:
  Edits(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, PairedRun before, std::uint32_t after)
      : a_(a),
        b_(b),
        from_a_(before.count),
        from_b_(before.count),
        size_a_(static_cast<std::int32_t>(a.size() - before.count - after)),
        size_b_(static_cast<std::int32_t>(b.size() - before.count - after)) {}

  // Whether that few edits make one of the other.
  bool find(std::uint32_t most) {
    const auto most_edits = static_cast<std::int32_t>(most);
    for (std::int32_t edits = 0; edits <= most_edits; ++edits) {
      reached_.emplace_back();
      for (std::int32_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
        const std::int32_t at = slide(start(edits, diagonal), diagonal);
        reached_.back().push_back(at);
        if (diagonal == size_a_ - size_b_ && at == size_a_) return true;
      }
    }
    return false;
  }

  // What stays the same on the way that was found, in order.
  std::vector<PairedRun> runs() const {
    std::vector<PairedRun> found;
    std::int32_t diagonal = size_a_ - size_b_, at = size_a_;
    for (auto edits = static_cast<std::int32_t>(reached_.size()) - 1; edits >= 0; --edits) {
      const std::int32_t from = start(edits, diagonal);
      if (at > from)
        found.push_back({from_a_ + static_cast<std::uint32_t>(from),
                         from_b_ + static_cast<std::uint32_t>(from - diagonal), static_cast<std::uint32_t>(at - from)});
      if (edits == 0) break;
      const bool one_left_out_of_b = from == reached(edits - 1, diagonal + 1);
      diagonal += one_left_out_of_b ? 1 : -1;
      at = reached(edits - 1, diagonal);
    }
    std::ranges::reverse(found);
    return found;
  }

 private:
  std::int32_t reached(std::int32_t edits, std::int32_t diagonal) const {
    if (diagonal < -edits || diagonal > edits) return kNowhere;
    return reached_[static_cast<std::size_t>(edits)][static_cast<std::size_t>((diagonal + edits) / 2)];
  }

  // After the last of the edits: one element more of b, or one of a.
  std::int32_t start(std::int32_t edits, std::int32_t diagonal) const {
    if (edits == 0) return 0;
    const std::int32_t more_of_b = reached(edits - 1, diagonal + 1), before_a = reached(edits - 1, diagonal - 1);
    const std::int32_t more_of_a = before_a == kNowhere || before_a == size_a_ ? kNowhere : before_a + 1;
    const std::int32_t furthest =
        std::max(more_of_b != kNowhere && more_of_b - diagonal <= size_b_ ? more_of_b : kNowhere, more_of_a);
    return furthest;
  }

  std::int32_t slide(std::int32_t at, std::int32_t diagonal) const {
    if (at == kNowhere) return at;
    while (at < size_a_ && at - diagonal < size_b_ &&
           a_[from_a_ + static_cast<std::uint32_t>(at)] == b_[from_b_ + static_cast<std::uint32_t>(at - diagonal)])
      ++at;
    return at;
  }

  const std::vector<std::uint32_t>&a_, &b_;
  std::uint32_t from_a_, from_b_;
  std::int32_t size_a_, size_b_;
  std::vector<Reached> reached_;  // by edits
};

}  // namespace

std::vector<PairedRun> common_runs(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                                   std::uint32_t most_edits) {
  const auto size_a = static_cast<std::uint32_t>(a.size()), size_b = static_cast<std::uint32_t>(b.size());
  const std::uint32_t both = std::min(size_a, size_b);
  std::uint32_t begin = 0, end = 0;
  while (begin < both && a[begin] == b[begin]) ++begin;
  while (end < both - begin && a[size_a - 1 - end] == b[size_b - 1 - end]) ++end;
  std::vector<PairedRun> runs;
  if (begin > 0) runs.push_back({0, 0, begin});
  Edits edits(a, b, {0, 0, begin}, end);
  if (edits.find(most_edits))
    for (const PairedRun& run : edits.runs()) add_run(runs, run);
  if (end > 0) add_run(runs, {size_a - end, size_b - end, end});
  return runs;
}

std::pair<std::string, std::string> side_names(const Recording& a, const Recording& b) {
  const Target of_a = a.program().target, of_b = b.program().target;
  if (of_a != of_b) return {name(of_a), name(of_b)};
  return {"the first", "the second"};
}

StepPairs pair_steps(const Recording& a, const Recording& b) {
  return same_program(a.program(), b.program()) ? pair_in_order(a, b) : pair_by_identity(a, b);
}

}  // namespace ts
