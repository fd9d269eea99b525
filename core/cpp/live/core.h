// One process of a run as a core's walk: from records to steps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/cpp/live/queues.h"
#include "core/cpp/live/run.h"
#include "core/program/cores/core_walk.h"
#include "core/program/cores/flags.h"
#include "core/program/cores/together.h"

namespace ts::cpp {

class LiveCore : public CoreWalk {
 public:
  LiveCore(LiveRun& run, LiveQueues& queues, CoreId core, Together& together);
  ~LiveCore() override;

  bool next() override;
  const CodeOp* waits() const override { return state_.waits; }
  bool polls() const override { return waiting_ == Waiting::Poll && state_.waits != nullptr; }
  bool is_through() const override { return waiting_ == Waiting::Main && state_.waits != nullptr; }
  std::uint32_t instruction() const override { return instruction_; }
  std::uint32_t block() const override { return block_; }
  std::span<const LoopTurn> loops() const override { return {}; }
  const Environment& environment() const override { return state_.environment; }
  std::optional<Bound> bind(std::size_t) const override { return bound_; }
  void ran(const Bound& bound, std::span<const WritePattern> writes) override;
  void set_number(Slot slot, std::uint64_t bits) override;
  WalkStop stop() const override { return stop_; }
  const std::optional<Diagnostic>& problem() const override { return problem_; }
  Diagnostics take_warnings() override { return std::exchange(state_.warnings, {}); }
  Diagnostics leftovers() const override { return flags_.leftovers(state_); }
  std::string line_text(SourcePos pos) const override;

 private:
  struct KnownCall;
  // What a record came to.
  enum class Taken : std::uint8_t { Nothing, Step, Wait };
  // What stands between a record and its step.
  enum class Waiting : std::uint8_t { Nothing, Queue, Others, Poll, Main };

  const std::string& program_file() const { return run_.program_files.at(kind_); }
  std::string last_place() const;
  Taken take(const ChildRecord& record);
  Taken take_call(const ChildRecord& record);
  Taken sit_out();
  bool takes_no_part(std::span<const ts_border::Operand> given) const;
  Taken take_queue_call(const ChildRecord& record);
  Taken use_queue_of(const KnownCall& call);
  Taken take_site(const ChildRecord& record);
  const KnownCall* find_known(std::uint32_t site, std::span<const ts_border::Operand> given) const;
  Taken run_again(const KnownCall& call);
  void know(std::uint32_t site, KnownCall call);
  void forget_known();
  Taken attempt();
  Taken come_to_meeting(ts_border::MeetKind kind);
  Taken meet();
  Taken order_launches();
  Taken wait_between_calls();
  Taken use_queue_now();
  Taken answer_get(const ChildRecord& record);
  Taken begin_block(std::uint32_t number);
  void find_changes();
  Taken take_host_call(const ChildRecord& record);
  Taken take_wrong(const ChildRecord& record);
  Taken fail(std::string rule, std::string text, std::string hint);
  Taken fail_at(const Site& site, std::string rule, std::string text, std::string hint);
  Taken end(Child::State state);
  Taken kernel_failed(const ChildRecord& record);
  void leave();
  void forget();

  void grow();
  // The tile that an argument of a call is.
  std::uint32_t tile_of(const Site& site, const ts_border::Operand& given, std::size_t argument, const TileRef& tile);
  std::string name_of(const Site& site, const ts_border::Operand& given, std::size_t argument);
  bool place_tile(const Site& site, const ts_border::Operand& given, CallOperand& operand, std::size_t leading);
  void stand(const Operand& operand);
  bool has_place(const Site& site, const ts_border::Operand& given, const Operand& operand);
  bool place_view(const Site& site, CallOperand& operand);
  Bound frame(const Call& call) const;
  void add_scratch(const Site& site, Bound& bound);
  void tell_scratch(const Site& site, const TileRef& scratch);

  LiveRun& run_;
  LiveQueues& queues_;
  CoreId core_;
  CoreKind kind_;
  WalkState state_;
  Flags flags_;
  Child child_;
  ChildRecord record_;  // the last one; kept for its room

  std::vector<std::uint32_t> sites_ = {0};             // of the run, by the process's numbers
  std::map<std::uint64_t, std::string> object_names_;  // of tiles, as they were called first
  // What calls from a place came to, by what they were given.
  struct KnownCall {
    std::vector<ts_border::Operand> given;
    std::uint32_t instruction = 0;
    Bound bound = {};  // of a queue: without operands, which it knows better
    const QueueCall* queue = nullptr;
    std::optional<LiveQueues::Tile> tile = {};
    std::optional<Operand> pushed = {};
    std::uint64_t popped_at = 0;  // where the kernel takes it that a popped tile stands
  };
  struct KnownCalls {
    std::uint32_t calls = 0;
    std::vector<KnownCall> last;
  };
  std::vector<KnownCalls> known_ = {{}};  // by the process's sites
  const QueueCall* queue_call_ = nullptr;
  bool used_queue_ = false, sits_out_ = false;  // in this launch
  std::uint64_t popped_at_ = 0;                 // where the kernel takes it that a popped tile stands
  std::optional<Bound> bound_;
  std::uint32_t instruction_ = 0, block_ = 0;
  std::uint32_t last_site_ = 0;  // of the run
  std::uint64_t steps_ = 0;
  Waiting waiting_ = Waiting::Nothing;
  CodeOp between_{.kind = CodeKind::Jump};  // what is waited for between calls, which is no step
  // Of a main that runs in several processes: where it meets the others now, whether it launched before at all, and whether
  // it did since what came before was ordered last.
  ts_border::MeetKind meeting_{};
  bool launches_ = false, unordered_ = false;
  bool undone_ = false;  // the record of the last step was not answered yet
  WalkStop stop_ = WalkStop::None;
  std::optional<Diagnostic> problem_;
};

}  // namespace ts::cpp
