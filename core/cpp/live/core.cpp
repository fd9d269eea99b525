// From records to steps.
#include "core/cpp/live/core.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/catalogue/left_out.h"
#include "core/cpp/live/kernel_failure.h"
#include "core/program/bind.h"
#include "core/program/run_code.h"
#include "core/program/sync.h"

namespace ts::cpp {
namespace {

namespace border = ts_border;
using border::RecordKind;

constexpr std::uint32_t kMostSites = 1'000'000, kMostBlocks = 65535;
constexpr std::size_t kMostProcesses = 1000;
// Split, queue, which argument the entry is, the entry.
constexpr std::size_t kEntry = 3;
// How many calls of a place are remembered: as many as there are buffers that take turns.
constexpr std::size_t kMostKnownCalls = 4;
// More meetings than there can be: one that ended keeps nobody waiting.
constexpr std::uint32_t kGone = ~0u;

}  // namespace

LiveCore::LiveCore(LiveRun& run, LiveQueues& queues, CoreId core, Together& together)
    : run_(run),
      queues_(queues),
      core_(core),
      kind_(run.program.cores[core % run.program.cores.size()].kind),
      state_(run.program, &run.memory, false) {
  const auto cores = static_cast<CoreId>(run.program.cores.size());
  state_.core = core;
  state_.core_of_block = core % cores;
  state_.block = block_ = run.program.together() ? core / cores : 0;
  state_.together = &together;
  state_.slots = run.program.slots;
  state_.views = run.program.views;
  run_.children.push_back(&child_);
  if (run_.children.size() > kMostProcesses) {
    fail("E-CPP-ARG", fmt::format("more than {} cores wait for each other, each a process", kMostProcesses),
         "start it with fewer blocks");
    return;
  }
  const std::string wrong = child_.start(program_file(), run.launch, run.file, seat_of(run.program, run.launch, core));
  if (!wrong.empty()) fail("E-CPP-CRASH", wrong, "");
}

LiveCore::~LiveCore() { forget(); }

void LiveCore::forget() {
  run_.changes.forget(child_);
  std::erase(run_.children, &child_);
}

// The process is at its end; what it printed is kept.
void LiveCore::leave() {
  run_.printed += child_.printed();
  run_.asked_blocks = run_.asked_blocks || child_.asked_blocks();
  forget();
  // Who waits for it does so no longer.
  if (std::exchange(run_.meetings[core_], kGone) > 0) state_.together->go_on_together = true;
  child_.end();
  if (run_.program.together()) run_.file.give_back(core_);
}

std::string LiveCore::last_place() const { return last_site_ == 0 ? "" : run_.sites[last_site_].told(); }

std::string LiveCore::line_text(SourcePos pos) const {
  const bool is_call = pos.line > 0 && pos.line <= run_.site_of.size();
  return is_call ? run_.sites[run_.site_of[pos.line - 1]].told() : "its first call";
}

LiveCore::Taken LiveCore::fail(std::string rule, std::string text, std::string hint) {
  problem_ = Diagnostic{std::move(rule), Severity::Error, {}, "", std::move(text), std::move(hint)};
  // The last call shows where.
  if (steps_ > 0) problem_->pos = {instruction_ + 1, 1};
  stop_ = problem_->rule == "E-EMULATE" ? WalkStop::Missing : WalkStop::Error;
  return Taken::Nothing;
}

LiveCore::Taken LiveCore::fail_at(const Site& site, std::string rule, std::string text, std::string hint) {
  fail(std::move(rule), fmt::format("{}: {}", site.told(), text), std::move(hint));
  problem_->pos = {};
  return Taken::Nothing;
}

LiveCore::Taken LiveCore::end(Child::State state) {
  const std::string last = last_site_ == 0 ? "before its first call" : "after the call at " + last_place();
  switch (state) {
    case Child::State::Silent:
      return fail("E-CPP-TIME", fmt::format("the kernel called nothing for 10 s, {}", last), "a loop that never ends?");
    case Child::State::Stopped: return stop_ = WalkStop::Interrupted, Taken::Nothing;
    case Child::State::Broken:
      return fail("E-CPP-CRASH", fmt::format("the kernel wrote over what it shares with TileScope, {}", last),
                  "a pointer that goes astray?");
    default: break;
  }
  return fail("E-CPP-CRASH", fmt::format("the kernel's process ended by signal {}, {}", child_.signal(), last),
              "what it did up to there is recorded");
}

// What another core's calls added is there for this one, too.
void LiveCore::grow() {
  const Program& program = run_.program;
  for (std::size_t i = state_.environment.tiles.size(); i < program.tiles.size(); ++i) {
    const TileDecl& tile = program.tiles[i];
    state_.environment.tiles.push_back({tile.address, tile.valid_rows, tile.valid_cols, !tile.unset});
  }
  for (std::size_t i = state_.slots.size(); i < program.slots.size(); ++i) state_.slots.push_back(program.slots[i]);
  state_.queue_ends.resize(program.queues.size());
}

// Whoever waited tries again what the record in hand asks for.
bool LiveCore::next() {
  if (stop_ != WalkStop::None) return false;
  const bool waited = std::exchange(state_.waits, nullptr) != nullptr;
  if (undone_) child_.done();
  undone_ = false;
  const auto go_on = [&] { return !run_.limits.go_on || run_.limits.go_on(steps_); };
  Taken taken = Taken::Nothing;
  if (waited && waiting_ != Waiting::Poll) {
    grow();
    taken = attempt();
    if (stop_ != WalkStop::None) return false;
    if (taken == Taken::Nothing) child_.done();
  } else if (waited) {
    child_.done();
  }
  while (taken == Taken::Nothing) {
    if (const Child::State state = child_.next(record_, go_on); state != Child::State::Record) return end(state), false;
    // What the kernel wrote by itself came before what it asks for now.
    if (child_.open() && record_.head.kind != RecordKind::Site && record_.head.kind != RecordKind::Written)
      find_changes();
    taken = take(record_);
    if (taken == Taken::Nothing) child_.done();
    if (stop_ != WalkStop::None) return false;
  }
  if (taken == Taken::Wait) return false;
  undone_ = true;
  ++steps_;
  return true;
}

LiveCore::Taken LiveCore::take(const ChildRecord& record) {
  const RecordKind kind = record.head.kind;
  if (sits_out_ && (kind == RecordKind::Call || kind == RecordKind::Get || kind == RecordKind::Poll))
    return Taken::Nothing;
  switch (kind) {
    case RecordKind::Site: return take_site(record);
    case RecordKind::Call: return take_call(record);
    case RecordKind::Get: return answer_get(record);
    case RecordKind::Open: return run_.changes.open(child_, core_), Taken::Nothing;
    case RecordKind::Poll: waiting_ = Waiting::Poll; return wait_between_calls();
    case RecordKind::Block: return begin_block(record.head.site);
    case RecordKind::Failed: return kernel_failed(record);
    case RecordKind::Done: return leave(), stop_ = WalkStop::End, Taken::Nothing;
    case RecordKind::Written:
    case RecordKind::Wanted: return take_host_call(record);
    case RecordKind::Wrong: return take_wrong(record);
    case RecordKind::Meet:
      if (record.head.count > static_cast<std::uint32_t>(border::MeetKind::Synchronise)) break;
      return come_to_meeting(static_cast<border::MeetKind>(record.head.count));
    case RecordKind::Allocated: break;  // only where nothing is computed
  }
  return end(Child::State::Broken);
}

LiveCore::Taken LiveCore::take_site(const ChildRecord& record) {
  Site site;
  site.kind = kind_;
  if (record.head.site != sites_.size() || sites_.size() > kMostSites || !read_site(record, site))
    return end(Child::State::Broken);
  sites_.push_back(run_.number_of(std::move(site)));
  known_.emplace_back();
  return Taken::Nothing;
}

// A main copied into a buffer, or wants to copy out of one.
LiveCore::Taken LiveCore::take_host_call(const ChildRecord& record) {
  border::DeviceRange range{};
  if (record.payload.size() < sizeof range || record.head.site >= sites_.size()) return end(Child::State::Broken);
  std::memcpy(&range, record.payload.data(), sizeof range);
  last_site_ = sites_[record.head.site];
  const auto number = run_.file.buffer_at(range.pointer);
  if (!number) return end(Child::State::Broken);
  const BufferDecl& buffer = run_.program.buffers[*number];
  const std::uint64_t offset = range.pointer - run_.file.layout()[*number].pointer;
  if (range.bytes > buffer.size() || offset > buffer.size() - range.bytes) return end(Child::State::Broken);
  const ByteRange place{Space::Gm, static_cast<std::uint32_t>(buffer.address + offset),
                        static_cast<std::uint32_t>(range.bytes)};
  std::byte* const there = run_.file.buffer(*number) + offset;
  if (record.head.kind == RecordKind::Written) run_.changes.written_by_main(place, there);
  else run_.changes.wanted_by_main(place, there);
  return Taken::Nothing;
}

// What a main's tests found wrong, or what it did wrong itself. It goes on.
LiveCore::Taken LiveCore::take_wrong(const ChildRecord& record) {
  constexpr const char* kRules[] = {"E-CPP-HOST", "E-CPP-EXPECT", "E-CPP-MAIN"};
  constexpr std::size_t kLongest = 500;
  if (record.head.count >= std::size(kRules) || record.head.site >= sites_.size()) return end(Child::State::Broken);
  std::string text(reinterpret_cast<const char*>(record.payload.data()), record.payload.size());
  text = text.substr(0, std::min(text.find('\0'), kLongest));
  const Site& site = run_.sites[sites_[record.head.site]];
  if (record.head.count == 0) text = fmt::format("{}: {}", site.op, text);
  if (record.head.site != 0) text = fmt::format("{}: {}", site.told(), text);
  state_.warnings.push_back({kRules[record.head.count], Severity::Error, {}, "", std::move(text), ""});
  return Taken::Nothing;
}

LiveCore::Taken LiveCore::kernel_failed(const ChildRecord& record) {
  border::Failure failure{};
  if (record.payload.size() < sizeof failure) return end(Child::State::Broken);
  std::memcpy(&failure, record.payload.data(), sizeof failure);
  const FailureText text =
      describe_failure(failure, run_.program, run_.file.layout(), child_.printed(), program_file(), last_place());
  return fail(text.rule, text.text, text.hint);
}

// Which flag, which pipe: a place may say another each time.
Bound LiveCore::frame(const Call& call) const {
  Bound bound = bind_frame(run_.program, instruction_);
  bound.core = core_;
  bound.attributes = call.attributes;
  bound.pipe = sync_pipe(*call.row, call.attributes);
  return bound;
}

// --- tiles and views ---

std::string LiveCore::name_of(const Site& site, const border::Operand& given, std::size_t argument) {
  std::string& object = object_names_[given.object];
  if (!object.empty()) return object;
  const std::vector<std::string>& names = run_.names.arguments(site.file, site.op, site.line, site.column);
  object = argument < names.size() ? names[argument] : "";
  if (object.empty()) object = "tile";
  return object;
}

std::uint32_t LiveCore::tile_of(const Site& site, const border::Operand& given, std::size_t argument,
                                const TileRef& tile) {
  const auto stands = [&](std::uint32_t one) {
    const Environment::TileState& there = state_.environment.tiles[one];
    return there.known && there.address == tile.address;
  };
  const std::uint32_t number = run_.tile_of(name_of(site, given, argument), kind_, tile, stands);
  grow();
  return number;
}

// A kernel that places tiles by itself places all of them; of another one all are placed.
bool LiveCore::has_place(const Site& site, const border::Operand& given, const Operand& operand) {
  const std::string& name = run_.program.tiles[operand.id].name;
  if (given.place == 1) run_.assigned = run_.assigned || site.op == "TASSIGN";
  if (given.place == 2) run_.placed.insert(name);
  if (given.place != 0) return true;
  if (run_.assigned) {
    fail_at(site, "E-CPP-PLACE", fmt::format("{}: {} stands nowhere", site.op, name),
            "TASSIGN gives it a place; only where a kernel has no TASSIGN all tiles are placed for it");
  } else {
    fail_at(site, "E-CPP-PLACE",
            fmt::format("{}: no room for {}, {} bytes in {}, beside the tiles that are there", site.op, name,
                        operand.tile.type.size_bytes(), ts::name(operand.tile.type.space())),
            "tiles hold their places as long as they live: end their scopes earlier, or place them with TASSIGN");
  }
  return false;
}

// Finds the buffer that a view's pointer is in.
bool LiveCore::place_view(const Site& site, CallOperand& operand) {
  const auto number = run_.file.buffer_at(operand.pointer);
  const auto wrong = [&](const char* rule, const std::string& text, const char* hint) {
    fail_at(site, rule, fmt::format("{}: {}", site.op, text), hint);
    return false;
  };
  if (!number)
    return wrong("E-CPP-POINTER",
                 operand.pointer < 65536
                     ? "the global tensor begins at a null pointer"
                     : fmt::format("the global tensor begins at 0x{:x}, which is in no buffer", operand.pointer),
                 "global tensors begin at a parameter of the entry");
  const BufferDecl& buffer = run_.program.buffers[*number];
  GlobalRef& view = operand.operand.global;
  operand.operand.id = static_cast<std::uint32_t>(*number);
  view.address = static_cast<std::uint32_t>(buffer.address + (operand.pointer - run_.file.layout()[*number].pointer));
  view.buffer_begin = buffer.address;
  view.buffer_end = buffer.address + buffer.size();
  std::ranges::transform(operand.shape, view.shape.begin(), clamped);
  std::ranges::transform(operand.stride, view.stride.begin(), clamped);
  for (std::size_t d = 0; d < view.shape.size(); ++d)
    if (operand.shape[d] < 0 || operand.stride[d] < 0)
      return wrong("E-CPP-DYNAMIC",
                   fmt::format("dimension {} of the global tensor has {} elements, {} apart", d, operand.shape[d],
                               operand.stride[d]),
                   "a size of DYNAMIC is given to the constructor");
  return true;
}

bool LiveCore::place_tile(const Site& site, const border::Operand& given, CallOperand& one, std::size_t leading) {
  if (given.valid_rows < 0 || given.valid_cols < 0 || given.valid_rows > given.rows || given.valid_cols > given.cols) {
    fail_at(site, "E-CPP-DYNAMIC",
            fmt::format("{}: {} has {} x {} valid elements, of {} x {}", site.op, one.operand.spec->name,
                        given.valid_rows, given.valid_cols, given.rows, given.cols),
            given.valid_rows == -1 || given.valid_cols == -1
                ? "was -1 meant as DYNAMIC? A size that is DYNAMIC is given to the constructor"
                : "");
    return false;
  }
  one.operand.id = tile_of(site, given, one.argument - leading, one.operand.tile);
  one.operand.tile.core = core_;
  if (!has_place(site, given, one.operand)) return false;
  stand(one.operand);
  return true;
}

void LiveCore::stand(const Operand& operand) {
  const Environment::TileState now{operand.tile.address, operand.tile.valid_rows, operand.tile.valid_cols, true};
  if (!(state_.environment.tiles[operand.id] == now)) state_.set_tile(operand.id, now);
}

// --- calls ---

// Kernels call from the same places with the same tiles, again and again: what that means is found once.
const LiveCore::KnownCall* LiveCore::find_known(std::uint32_t site, std::span<const border::Operand> given) const {
  const std::vector<KnownCall>& last = known_[site].last;
  const auto known = std::ranges::find_if(last, [&](const KnownCall& one) {
    return one.given.size() == given.size() && std::memcmp(one.given.data(), given.data(), given.size_bytes()) == 0;
  });
  return known == last.end() ? nullptr : &*known;
}

LiveCore::Taken LiveCore::run_again(const KnownCall& call) {
  instruction_ = call.instruction;
  bound_ = call.bound;
  for (const Operand& one : bound_->operands)
    if (one.spec->kind == OperandKind::Tile) stand(one);
  return attempt();
}

// Not the first call of a place, which may be its only one.
void LiveCore::know(std::uint32_t site, KnownCall call) {
  KnownCalls& known = known_[site];
  if (++known.calls < 2) return;
  if (known.last.size() < kMostKnownCalls) {
    known.last.push_back(std::move(call));
  } else {
    known.last[known.calls % kMostKnownCalls] = std::move(call);
  }
}

// Flags may stand for other queues from now on.
void LiveCore::forget_known() {
  for (KnownCalls& known : known_) known.last.clear();
}

// The step of the record in hand, where it need not wait.
LiveCore::Taken LiveCore::attempt() {
  if (waiting_ == Waiting::Queue) return use_queue_now();
  if (waiting_ == Waiting::Main) return meet();
  const bool may = flags_.step(state_, *bound_, run_.codes[instruction_]) &&
                   step_with_others(state_, *bound_, &run_.codes[instruction_]);
  if (may) return Taken::Step;
  waiting_ = Waiting::Others;
  if (state_.waits != nullptr) return Taken::Wait;
  problem_ = state_.problem;
  stop_ = WalkStop::Error;
  return Taken::Nothing;
}

LiveCore::Taken LiveCore::wait_between_calls() {
  state_.waits = &between_;
  between_.pos = {instruction_ + 1, 1};
  return Taken::Wait;
}

// A main that runs in several processes, where all wait for each other. Whoever comes last goes on in its turn only.
LiveCore::Taken LiveCore::come_to_meeting(border::MeetKind kind) {
  waiting_ = Waiting::Main;
  meeting_ = kind;
  ++run_.meetings[core_];
  sits_out_ = used_queue_ = false;
  if (std::ranges::min(run_.meetings) >= run_.meetings[core_]) state_.together->go_on_together = true;
  return wait_between_calls();
}

LiveCore::Taken LiveCore::meet() {
  if (std::ranges::min(run_.meetings) < run_.meetings[core_]) return wait_between_calls();
  state_.together->go_on_together = true;
  return meeting_ == border::MeetKind::Copy ? Taken::Nothing : order_launches();
}

// What a launch did is done before the next one begins, on all cores: a meeting says so to whoever looks at the steps.
LiveCore::Taken LiveCore::order_launches() {
  const bool launches = meeting_ == border::MeetKind::Launch;
  const bool orders = unordered_ || (!launches && !launches_);
  unordered_ = launches;
  launches_ = launches_ || launches;
  if (!orders) return Taken::Nothing;
  Call call;
  call.row = &kMeet;
  call.attributes.resize(kMeet.attributes.size(), 0);
  call.attributes[kMeetingCores] = static_cast<std::uint8_t>(MeetingOf::All);
  Site site;
  site.op = kLaunchOver;
  site.kind = kind_;
  instruction_ = run_.instruction_of(run_.number_of(std::move(site)), call);
  bound_ = frame(call);
  if (!run_.first[instruction_]) run_.first[instruction_] = bound_;
  waiting_ = Waiting::Others;
  return attempt();
}

LiveCore::Taken LiveCore::use_queue_now() {
  instruction_ = queue_call_->instruction;
  if (!use_queue(state_, queue_call_->op)) {
    if (state_.waits != nullptr) return Taken::Wait;
    problem_ = state_.problem;
    stop_ = WalkStop::Error;
    return Taken::Nothing;
  }
  bound_ = ts::bind(state_, instruction_);
  if (!bound_) return fail("E-CPP-ARG", "an operand of the queue is not known", "");
  if (queue_call_->tile != kNoTile && state_.environment.tiles[queue_call_->tile].address != popped_at_)
    return fail("E-CPP-ARG",
                fmt::format("TPOP: entries of this queue stand at {} here, and at {} for the pipe that took it",
                            state_.environment.tiles[queue_call_->tile].address, popped_at_),
                "each core has one TPipe for a queue");
  if (!run_.first[instruction_]) run_.first[instruction_] = bound_;
  return Taken::Step;
}

// a5: entries that are not split are for the first vector core. A kernel that has no others is for one: the second one, which
// would wait for ever, is none of its cores.
bool LiveCore::takes_no_part(std::span<const border::Operand> given) const {
  return run_.program.target == Target::A5 && state_.core_of_block > 1 && !used_queue_ && !given.empty() &&
         given[0].bits == 0;
}

// Of a main it has to be there for the next launch.
LiveCore::Taken LiveCore::sit_out() {
  sits_out_ = run_.meetings[core_] > 0;
  if (!sits_out_) leave(), stop_ = WalkStop::End;
  return Taken::Nothing;
}

LiveCore::Taken LiveCore::take_queue_call(const ChildRecord& record) {
  const Site& site = run_.sites[last_site_];
  const std::span<const border::Operand> given = record.operands();
  KnownCall call{.given = {given.begin(), given.end()}};
  if (given.size() > kEntry && given[kEntry].kind == border::OperandKind::Tile) {
    const border::Operand& entry = given[kEntry];
    const auto type = tile_type(entry, run_.program.target, run_.program.options);
    if (!type) return fail_at(site, "E-CPP-ARG", fmt::format("{}: no tile that there can be", site.op), "");
    CallOperand operand;
    static constexpr OperandSpec kSpec = any_in("entry");
    operand.operand.spec = &kSpec;
    operand.operand.tile = {*type, static_cast<std::uint32_t>(entry.bits), clamped(entry.valid_rows),
                            clamped(entry.valid_cols)};
    operand.argument = given[kEntry - 1].bits;
    call.popped_at = entry.bits;
    const bool pushes = site.op == "TPUSH";
    if (pushes && !place_tile(site, entry, operand, 0)) return Taken::Nothing;
    if (pushes) call.pushed = operand.operand;
    const std::string name =
        pushes ? run_.program.tiles[operand.operand.id].name : name_of(site, entry, operand.argument);
    call.tile = LiveQueues::Tile{operand.operand.tile, operand.operand.id, name};
  }
  CallProblem problem;
  call.queue = queues_.call(last_site_, kind_, given, call.tile, problem);
  if (call.queue == nullptr) return fail_at(site, problem.rule, problem.text, problem.hint);
  grow();
  know(record.head.site, call);
  return use_queue_of(call);
}

LiveCore::Taken LiveCore::use_queue_of(const KnownCall& call) {
  if (call.pushed) stand(*call.pushed);
  if (call.tile) popped_at_ = call.popped_at;
  queue_call_ = call.queue;
  LiveQueues::give(state_, *queue_call_, call.tile);
  waiting_ = Waiting::Queue;
  return attempt();
}

LiveCore::Taken LiveCore::take_call(const ChildRecord& record) {
  if (record.head.site == 0 || record.head.site >= sites_.size()) return end(Child::State::Broken);
  run_.called = true;
  waiting_ = Waiting::Nothing;
  grow();
  last_site_ = sites_[record.head.site];
  const Site& site = run_.sites[last_site_];
  const std::span<const border::Operand> given = record.operands();
  const KnownCall* known = find_known(record.head.site, given);
  if (known != nullptr && known->queue == nullptr) return run_again(*known);
  if (std::ranges::any_of(given, [](const border::Operand& one) { return one.kind > border::OperandKind::Address; }))
    return end(Child::State::Broken);
  if (site.op == "TPipe") {
    forget_known();
    const CallProblem wrong = queues_.begin(state_, kind_, given);
    if (!wrong.rule.empty()) return fail_at(site, wrong.rule, wrong.text, wrong.hint);
    return Taken::Nothing;
  }
  if (LiveQueues::is_queue_call(site.op)) {
    if (takes_no_part(given)) return sit_out();
    used_queue_ = true;
    return known != nullptr ? use_queue_of(*known) : take_queue_call(record);
  }
  CallResult understood = understand(site.op, given, run_.program.target, run_.program.options);
  if (!understood.call) return fail_at(site, understood.problem.rule, understood.problem.text, understood.problem.hint);
  Call& call = *understood.call;
  // Options of the template before the first argument are none of the arguments.
  std::size_t leading = 0;
  while (leading < given.size() && given[leading].kind == border::OperandKind::Option) ++leading;
  for (CallOperand& one : call.operands) {
    if (one.operand.spec->kind == OperandKind::Tile && !place_tile(site, given[one.argument], one, leading))
      return Taken::Nothing;
    if (one.operand.spec->kind == OperandKind::Global && !place_view(site, one)) return Taken::Nothing;
  }
  instruction_ = run_.instruction_of(last_site_, call);
  Bound bound = frame(call);
  for (CallOperand& one : call.operands) bound.operands.push_back(std::move(one.operand));
  add_scratch(site, bound);
  settle_bound(bound);
  if (!run_.first[instruction_]) run_.first[instruction_] = bound;
  bound_ = std::move(bound);
  // Not where the place of a tile changes.
  if (bound_->row->effect == Effect::None)
    know(record.head.site, {.given = {given.begin(), given.end()}, .instruction = instruction_, .bound = *bound_});
  return attempt();
}

// Scratch that a call does not name: the library takes the end of UB for it.
void LiveCore::add_scratch(const Site& site, Bound& bound) {
  constexpr std::uint64_t kReserved = 8192;
  if (bound.row->scratch == nullptr) return;
  Bound widest = bound;
  for (Operand& one : widest.operands)
    if (one.spec->kind == OperandKind::Tile)
      one.tile.valid_rows = one.tile.type.widest_rows(), one.tile.valid_cols = one.tile.type.widest_cols();
  for (const auto& [spec, type] : scratch_left_out(widest)) {
    const std::uint32_t end = capacity_bytes(run_.program.target, Space::Ub);
    const auto begin =
        static_cast<std::uint32_t>(end - std::min<std::uint64_t>(end, std::max(kReserved, type.size_bytes())));
    Operand scratch;
    scratch.spec = spec;
    scratch.implicit = true;
    scratch.tile = {type, begin, type.widest_rows(), type.widest_cols()};
    scratch.tile.core = core_;
    const auto [number, is_new] = run_.scratch_of(instruction_, *spec, kind_, scratch.tile);
    scratch.id = number;
    grow();
    if (is_new) tell_scratch(site, scratch.tile);
    bound.operands.push_back(scratch);
  }
}

// What stands there is gone with the call.
void LiveCore::tell_scratch(const Site& site, const TileRef& scratch) {
  const std::uint64_t end = scratch.address + scratch.type.size_bytes();
  for (std::size_t i = 0; i < run_.program.tiles.size(); ++i) {
    const TileDecl& tile = run_.program.tiles[i];
    const Environment::TileState& there = state_.environment.tiles[i];
    if (tile.implicit || tile.kind != kind_ || !there.known || tile.type.space() != Space::Ub) continue;
    if (there.address >= end || there.address + tile.type.size_bytes() <= scratch.address) continue;
    state_.warnings.push_back({"W-CPP-SCRATCH",
                               Severity::Warning,
                               {instruction_ + 1, 1},
                               "",
                               fmt::format("{} without tmp takes ub 0x{:x} to 0x{:x} for itself, where {} stands",
                                           site.op, scratch.address, end, tile.name),
                               "give it a tmp, or place the tile elsewhere"});
    return;
  }
}

LiveCore::Taken LiveCore::begin_block(std::uint32_t number) {
  if (number >= kMostBlocks)
    return fail("E-CPP-ARG", fmt::format("the launch has more than {} blocks", kMostBlocks), "start it with fewer");
  // Where all blocks are there at once, each has cores of its own.
  if (run_.program.together()) return Taken::Nothing;
  block_ = number;
  // Of a launch in the source only that says how many there are.
  run_.program.blocks = std::max(run_.program.blocks, number + 1);
  flags_.start_block(state_);
  Call call;
  call.row = &kBeginBlock;
  instruction_ = run_.instruction_of(0, call);
  run_.begin_block = instruction_;
  bound_ = frame(call);
  run_.first[instruction_] = bound_;
  return Taken::Step;
}

LiveCore::Taken LiveCore::answer_get(const ChildRecord& record) {
  const auto given = record.operands();
  if (given.size() != 2) return end(Child::State::Broken);
  const auto type = tile_type(given[0], run_.program.target, run_.program.options);
  if (!type) return end(Child::State::Broken);
  if (record.head.site > 0 && record.head.site < sites_.size()) last_site_ = sites_[record.head.site];
  ByteRange place = element_place(type->space(), given[0].bits, type->dtype, given[1].bits);
  place.core = core_;
  const std::uint64_t size = run_.memory.map().size(place.space, core_);
  if (given[1].bits >= std::uint64_t{type->rows} * type->cols || place.address + std::uint64_t{place.size} > size)
    return fail_at(run_.sites[last_site_], "E-CPP-ARG",
                   fmt::format("GetValue({}) of a tile of {} x {} elements", static_cast<std::int64_t>(given[1].bits),
                               type->rows, type->cols),
                   "the index counts elements of the storage");
  child_.answer(run_.memory.element(place));
  return Taken::Nothing;
}

void LiveCore::ran(const Bound& bound, std::span<const WritePattern> writes) {
  apply_effect(state_, bound);
  run_.changes.follow(writes);
}

// What a kernel was given it has.
void LiveCore::set_number(Slot, std::uint64_t) {
  state_.warnings.push_back({"E-CPP-ARG",
                             Severity::Warning,
                             {},
                             "",
                             "a number of a compiled kernel is given when it starts, and is not changed later",
                             "run it again with --set"});
}

void LiveCore::find_changes() {
  const std::string changed = run_.changes.find_changes(child_, core_);
  if (changed.empty() || last_site_ == 0) return;
  state_.warnings.push_back(
      {"W-CPP-HOST", Severity::Note, {}, "", fmt::format("{}, after {}", changed, last_place()), ""});
}

}  // namespace ts::cpp
