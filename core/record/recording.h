// A program's run, kept so that every step can be looked at and every position be gone to.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/step_context.h"
#include "core/program/program.h"
#include "core/record/timeline.h"

namespace ts {

// One executed instruction. Step s leads from position s to s + 1. Everything it worked on is in the recording: its
// operands as they stood (bound), what it wrote, what was found.
struct Step {
  std::uint32_t instruction = 0;  // index in the program
  std::uint32_t bound = 0;
  std::uint32_t first_write = 0, write_count = 0;
  std::uint16_t block = 0, core = 0;
};

enum class StopReason : std::uint8_t { End, Error, Budget };
const char* name(StopReason reason);

struct Finding {
  std::uint32_t step;
  Diagnostic diagnostic;
};

struct RecordOptions {
  std::size_t budget_bytes = 0;  // 0: a quarter of the machine's memory, at most 4 GiB
  std::function<void(Memory&)> initial = {};  // changes the memories of position 0, with the inputs already in place
};

class Recording {
 public:
  static std::unique_ptr<Recording> run(Program program, const RecordOptions& options = {});

  const Program& program() const { return program_; }
  const MemoryMap& map() const { return memory_.map(); }
  const Timeline& timeline() const { return timeline_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(steps_.size()); }  // steps; positions are 0..count
  const Step& step(std::uint32_t step) const { return steps_[step]; }
  const Bound& bound(std::uint32_t step) const { return bounds_[steps_[step].bound]; }
  std::span<const WritePattern> writes(std::uint32_t step) const;
  const std::vector<Finding>& findings() const { return findings_; }
  StopReason stop_reason() const { return stop_; }
  // The memories after the last step.
  const Memory& final_memory() const { return memory_; }
  // A digest over steps and pages: the same for every run of the same program on the same inputs. 32 hex digits.
  std::string digest() const;

  // For benchmarks: executes instruction `index` once more, as the next step. False when the run stopped.
  bool execute(std::size_t index);
  Timeline& timeline() { return timeline_; }

 private:
  Recording(Program program, const RecordOptions& options);
  void load_inputs();
  std::uint32_t bind(std::size_t index);
  void run_lowering(const Bound& bound);
  bool check_data(const Bound& bound, std::uint32_t step);
  void collect_pages();
  void mark_definedness();
  Flat own_range_end(const Bound& bound, Flat at) const;
  void report_stray_writes(const Bound& bound);
  void undo_step();

  Program program_;
  Memory memory_;
  Timeline timeline_;
  Environment environment_;
  StepContext context_;

  std::vector<Step> steps_;
  std::deque<Bound> bounds_;
  std::vector<Diagnostics> bound_findings_;  // by bound: what the rules say
  struct LastBound {
    std::uint32_t index = 0, environment = ~0u;
  };
  std::vector<LastBound> last_bound_;  // by instruction
  std::vector<WritePattern> writes_;
  std::vector<Finding> findings_;
  StopReason stop_ = StopReason::End;

  // Scratch of one step, kept for its capacity.
  std::vector<WritePattern> patterns_;     // what the step wrote, joined
  std::vector<std::uint32_t> page_stamp_;  // by page: the step that last touched it, plus one
  std::vector<std::uint32_t> touched_;
};

}  // namespace ts
