// A run of compiled code as a source of steps: each call is one. Its instructions are the places that calls stand at.
#pragma once

#include <string>
#include <vector>

#include "core/cpp/live/loops.h"
#include "core/cpp/live/queues.h"
#include "core/cpp/live/run.h"
#include "core/program/cores/schedule.h"

namespace ts::cpp {

class LiveSource : public StepSource {
 public:
  LiveSource(Program& program, const Memory& memory, const WalkLimits& limits, ProgramFiles files,
             const Launch& launch);

  bool next() override;
  std::uint32_t instruction() const override { return schedule_->instruction(); }
  CoreId core() const override { return schedule_->core(); }
  std::uint32_t block() const override { return schedule_->block(); }
  std::span<const LoopTurn> loops() const override { return {}; }
  std::uint32_t environment_version() const override { return schedule_->environment_version(); }
  std::optional<Bound> bind(std::size_t instruction) const override { return schedule_->bind(instruction); }
  void ran(const Bound& bound, std::span<const WritePattern> writes) override { schedule_->ran(bound, writes); }
  std::vector<HostWrite> take_host_writes() override;

  void set_number(Slot slot, std::uint64_t bits) override { schedule_->set_number(slot, bits); }
  Diagnostics take_warnings() override { return schedule_ ? schedule_->take_warnings() : Diagnostics{}; }
  WalkStop stop() const override { return problem_ ? WalkStop::Error : schedule_->stop(); }
  const std::optional<Diagnostic>& problem() const override { return problem_ ? problem_ : schedule_->problem(); }
  const std::vector<CoreWait>& waits() const override { return waits_; }
  Diagnostics leftovers() const override { return schedule_->leftovers(); }
  Diagnostics uneven() const override;
  Environment::TileState place_of(std::uint32_t tile) const override;
  Finished finish() override;

 private:
  bool fail(std::string rule, std::string text, std::string hint);
  bool called_nothing();
  std::string printed_line() const;
  std::vector<CallChain> call_chains() const;
  void keep_places(std::vector<Environment::TileState> there, const std::vector<std::uint32_t>& tiles);

  LiveRun run_;
  LiveQueues queues_{run_};
  std::shared_ptr<const text::Tree> stub_;  // the entry without a body, which the listing takes the place of
  std::optional<Schedule> schedule_;        // none where nothing could be started
  std::uint64_t steps_ = 0;
  std::optional<Diagnostic> problem_;  // of no core
  std::vector<CoreWait> waits_;
  std::vector<Environment::TileState> places_;  // by tile, of a run that is over
};

}  // namespace ts::cpp
