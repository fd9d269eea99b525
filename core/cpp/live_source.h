// A run of compiled code as a source of steps: each call is one. Its instructions are the places that calls stand at.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/cpp/call.h"
#include "core/cpp/call_names.h"
#include "core/cpp/child.h"
#include "core/cpp/kernel_failure.h"
#include "core/cpp/loops.h"
#include "core/program/cores/deadlock.h"
#include "core/program/cores/flags.h"
#include "core/program/step_source.h"

namespace ts::cpp {

// A place in the source.
struct Site {
  std::string op, file, function;
  std::uint32_t line = 0, column = 0;
  ts_border::SiteChain chain{};
};

// What a launch is given, of the program's inputs.
Launch launch_of(const Program& program, std::uint32_t entry);
// The texts of a record of that kind; false: it is none.
bool read_site(const ChildRecord& record, Site& site);

class LiveSource : public StepSource {
 public:
  // `program_file` is the compiled kernel.
  LiveSource(Program& program, const Memory& memory, const WalkLimits& limits, std::string program_file,
             const Launch& launch);

  bool next() override;
  std::uint32_t instruction() const override { return instruction_; }
  CoreId core() const override { return 0; }
  std::uint32_t block() const override { return block_; }
  std::span<const LoopTurn> loops() const override { return {}; }
  std::uint32_t environment_version() const override { return state_.environment.version; }
  std::optional<Bound> bind(std::size_t) const override { return bound_; }
  void ran(const Bound& bound, std::span<const WritePattern> writes) override;
  std::vector<HostWrite> take_host_writes() override;

  void set_number(Slot slot, std::uint64_t bits) override;
  Diagnostics take_warnings() override { return std::exchange(state_.warnings, {}); }
  WalkStop stop() const override { return stop_; }
  const std::optional<Diagnostic>& problem() const override { return problem_; }
  const std::vector<CoreWait>& waits() const override { return waits_; }
  Diagnostics leftovers() const override { return flags_.leftovers(state_); }
  Diagnostics uneven() const override;
  Environment::TileState place_of(std::uint32_t tile) const override;
  Finished finish() override;

 private:
  bool take(const ChildRecord& record);
  bool take_call(const ChildRecord& record);
  bool run_again(std::uint32_t site, std::span<const ts_border::Operand> given);
  void know(std::uint32_t site, std::span<const ts_border::Operand> given);
  bool step();
  bool answer_get(const ChildRecord& record);
  bool begin_block(std::uint32_t number);
  void open_memory();
  void look_for_host_writes();
  bool host_writes_differ(Space space, std::uint32_t address, const std::byte* theirs, std::uint32_t size);
  void copy_out(Flat begin, std::uint32_t size);
  void put_pending(ByteRange place, std::byte* bytes) const;
  bool take_host_call(const ChildRecord& record);
  bool take_wrong(const ChildRecord& record);
  bool fail(std::string rule, std::string text, std::string hint);
  bool fail_at(const Site& site, std::string rule, std::string text, std::string hint);
  bool end(Child::State state);
  bool kernel_failed(const ChildRecord& record);
  bool called_nothing();
  std::string printed_line() const;

  std::uint32_t instruction_of(std::uint32_t site, const Call& call);
  std::uint32_t tile_of(const Site& site, const ts_border::Operand& given, std::size_t argument, const TileRef& tile);
  void place_tile(const Operand& operand);
  bool has_place(const Site& site, const ts_border::Operand& given, const Operand& operand);
  bool place_view(const Site& site, CallOperand& operand);
  Bound frame(const Call& call) const;
  std::vector<CallChain> call_chains() const;

  Program& program_;
  const Memory& memory_;
  WalkLimits limits_;
  std::string program_file_;
  std::shared_ptr<const text::Tree> stub_;  // the entry without a body, which the listing takes the place of
  WalkState state_;
  Flags flags_;
  Child child_;
  ChildRecord record_;  // the last one; kept for its room
  CallNames names_;

  std::vector<Site> sites_ = {{}};  // by number, from 1
  // Places by site, row and form.
  std::map<std::tuple<std::uint32_t, const InstructionRow*, std::uint8_t>, std::uint32_t> instructions_;
  std::vector<std::uint32_t> site_of_;                 // by instruction
  std::vector<std::optional<Bound>> first_;            // by instruction: how it was bound first
  std::deque<CodeOp> codes_;                           // by instruction, for what is told once of a place
  std::map<std::uint64_t, std::string> object_names_;  // of tiles, as they were called first
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> tiles_of_name_;
  // What calls from a place came to, by what they were given.
  struct KnownCall {
    std::vector<ts_border::Operand> given;
    std::uint32_t instruction = 0;
    Bound bound;
  };
  struct KnownCalls {
    std::uint32_t calls = 0;
    std::vector<KnownCall> last;
  };
  std::vector<KnownCalls> known_ = {{}};  // by site
  std::optional<Bound> bound_;
  std::uint32_t instruction_ = 0, block_ = 0, last_site_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<HostWrite> host_writes_;
  std::optional<std::uint32_t> begin_block_;  // its instruction
  bool called_ = false;                       // something
  bool assigned_ = false;                     // a tile, by TASSIGN
  std::set<std::string> placed_;              // tiles that we placed
  bool undone_ = false;                       // the record of the last step was not answered yet
  WalkStop stop_ = WalkStop::None;
  std::optional<Diagnostic> problem_;
  std::vector<CoreWait> waits_;
};

}  // namespace ts::cpp
