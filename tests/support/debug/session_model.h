// What a session should do, by brute force: facts of every step found without pages or indexes, and a session that
// walks over them with plain lists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/debug/session/session.h"
#include "tests/support/record/straight.h"

namespace ts::test {

inline constexpr auto kForward = Direction::Forward, kBackward = Direction::Backward;

// All that stops ask of a step.
struct StepFacts {
  std::string op, text;
  std::uint32_t line = 0;
  std::uint32_t micros = 0;
  std::vector<Straight::Run> written, read;
  std::vector<Flat> changed;
  std::optional<std::size_t> finding;
};

class Facts {
 public:
  explicit Facts(const Recording& recording);

  const Recording& recording() const { return recording_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(steps_.size()); }
  const StepFacts& step(std::uint32_t step) const { return steps_[step]; }
  // Positions before and behind the steps of a loop, from the innermost to the outermost; then of the block, then of
  // all.
  struct Span {
    std::uint32_t first, end;
  };
  std::vector<Span> spans(std::uint32_t step) const;
  bool touches(std::uint32_t step, Touch touch, Flat at) const;
  // The element of an operand that a byte belongs to: of a result before all others, or behind them.
  Cell cell(std::uint32_t step, ByteRange byte, bool results_first) const;
  // Whether a rule without nan and inf holds of a step, and what of it.
  bool fits(const StopRule& rule, std::uint32_t step, Stopped& stop) const;

 private:
  const Recording& recording_;
  std::vector<StepFacts> steps_;
};

// Moves as a session does, and says where it gets to.
class ModelSession {
 public:
  explicit ModelSession(const Facts& facts) : facts_(facts) {}

  Moment moment() const { return at_; }
  void seek(Moment moment);
  Stopped steps(std::uint32_t count, Direction direction);
  Stopped into(Direction direction);
  Stopped out(Direction direction);
  Stopped run(Direction direction, const std::vector<StopRule>& extra = {});
  std::optional<Stopped> run_to(const RunTarget& target, Direction direction);
  std::optional<Stopped> to_write(ByteRange place, Direction direction);
  std::optional<Stopped> to_finding(Direction direction);
  bool visit(int by);
  std::vector<StopEntry>& stops() { return stops_; }
  std::vector<std::string> said;  // by log points

 private:
  std::uint32_t count() const { return facts_.count(); }
  Stopped move(Moment moment, Stopped stop);
  Stopped at_end(Direction direction) const;
  Stopped go(std::uint32_t target, Direction direction, const std::vector<StopRule>& extra);
  std::optional<Stopped> look(std::uint32_t step, bool made, Moment there, const std::vector<StopRule>& extra);
  void say(const StopEntry& entry, std::uint32_t step, Moment there);

  const Facts& facts_;
  Moment at_;
  std::optional<std::size_t> shown_;  // the finding that it was brought here for
  bool due_ = true;                   // what stands before the step here has not been told
  std::vector<StopEntry> stops_;
  std::vector<Moment> visited_{Moment{}};
  std::size_t visit_ = 0;
};

// "" when they say the same; else both.
std::string difference(const Stopped& expected, const Stopped& got);

}  // namespace ts::test
