// Shadows over a whole run, and what they say at its end.
#include "core/debug/exact/exact_run.h"

#include <bit>
#include <set>
#include <utility>

#include "core/debug/origins/shadow_walk.h"
#include "core/isa/element.h"

namespace ts {
namespace {

const ElementFormat& doubles() {
  static const ElementFormat& format = *find_element_format("f64");
  return format;
}

class Exact {
 public:
  Exact(Questions& questions, const cases::Tolerance& said)
      : questions_(questions), recording_(questions.recording()), said_(said), walk_(recording_) {}

  ExactRun run(const std::function<bool()>& go_on) {
    ExactRun out;
    Inspector inspector(recording_);
    std::optional<std::pair<std::uint32_t, MadeElement>> first;
    for (std::uint32_t step = 0; step < recording_.count(); ++step) {
      if (go_on && !go_on()) {
        out.complete = false;
        return out;
      }
      note_outputs(step);
      const auto looked = walk_.look(inspector, step);
      if (looked && !first)
        if (const auto away = first_away(step, looked->made)) first.emplace(step, *away);
      walk_.leave(step, looked ? std::span<const MadeElement>(looked->made) : std::span<const MadeElement>());
    }
    if (first) out.first = told(first->first, first->second, go_on);
    for (const std::uint32_t buffer : written_) add_output(recording_.program().buffers[buffer], out, go_on);
    return out;
  }

 private:
  void note_outputs(std::uint32_t step) {
    for (const Operand& operand : recording_.bound(step).operands)
      if (operand.spec->kind == OperandKind::Global && operand.spec->role == Role::Out) written_.insert(operand.id);
  }

  CompareOptions tolerance(DType type) const { return tolerance_for(type, said_); }

  std::optional<MadeElement> first_away(std::uint32_t step, const std::vector<MadeElement>& made) const {
    for (const MadeElement& one : made) {
      const auto exact = std::bit_cast<std::uint64_t>(one.shadow.value);
      const DType type = one.shadow.type;
      if (difference_of(element_format(type), one.bits, doubles(), exact, tolerance(type)) && walk_.result(step, one))
        return one;
    }
    return {};
  }

  RoundedAway told(std::uint32_t step, const MadeElement& away, const std::function<bool()>& go_on) {
    const ByteRange place = recording_.map().locate(away.at, size_bytes(away.shadow.type));
    return {.type = away.shadow.type,
            .bits = away.bits,
            .exact = away.shadow.value,
            .tolerance = tolerance(away.shadow.type),
            .made = trace_value(questions_, place, step + 1, go_on)};
  }

  void add_output(const BufferDecl& buffer, ExactRun& out, const std::function<bool()>& go_on) {
    if (!is_float(buffer.dtype)) return;
    auto named = elements_called(questions_, buffer.name, recording_.count());
    if (!named || named->buffer == nullptr) return;
    ExactOutput one{.name = buffer.name, .tolerance = tolerance(buffer.dtype)};
    one.exact = named->elements;
    one.exact.format = &doubles();
    for (std::uint32_t row = 0; row < one.exact.rows; ++row)
      for (std::uint32_t col = 0; col < one.exact.cols; ++col) {
        std::uint64_t& bits = one.exact.bits[one.exact.index(row, col)];
        const Shadow shadow = walk_.at(named->place(row, col));
        const bool is_its_own = !shadow || shadow.type != buffer.dtype;
        bits = std::bit_cast<std::uint64_t>(is_its_own ? to_double(buffer.dtype, bits) : shadow.value);
      }
    one.output = std::move(named->elements);
    const auto comparing = Comparing::make(one.output, one.exact, one.tolerance);
    one.comparison = std::get<Comparing>(comparing).all(go_on);
    const auto to_the_last_bit = Comparing::make(one.output, one.exact, {});
    one.rounded = std::get<Comparing>(to_the_last_bit).all(go_on);
    out.outputs.push_back(std::move(one));
  }

  Questions& questions_;
  const Recording& recording_;
  const cases::Tolerance& said_;
  ShadowWalk walk_;
  std::set<std::uint32_t> written_;  // buffers
};

}  // namespace

ExactRun run_exactly(Questions& questions, const cases::Tolerance& said, const std::function<bool()>& go_on) {
  return Exact(questions, said).run(go_on);
}

std::optional<GoldenVerdict> verdict_on(const ExactRun& run, const GoldenResult& result) {
  if (result.right()) return {};
  for (const ExactOutput& output : run.outputs) {
    if (output.name != result.name) continue;
    const auto made = Comparing::make(result.output, result.golden, result.tolerance);
    const auto exact = Comparing::make(output.exact, result.golden, result.tolerance);
    if (!std::holds_alternative<Comparing>(made) || !std::holds_alternative<Comparing>(exact)) return {};
    const auto &wrong = std::get<Comparing>(made), &still_wrong = std::get<Comparing>(exact);
    GoldenVerdict verdict{.output = result.name, .golden = result.from};
    for (std::uint64_t index = 0; index < wrong.count(); ++index) {
      if (!wrong.difference(index)) continue;
      ++verdict.wrong;
      if (!still_wrong.difference(index)) ++verdict.rounding;
    }
    return verdict;
  }
  return {};
}

}  // namespace ts
