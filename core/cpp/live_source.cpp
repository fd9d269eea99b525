// From records to steps.
#include "core/cpp/live_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "core/cpp/listing.h"
#include "core/cpp/scan.h"
#include "core/cpp/source_lines.h"
#include "core/program/sync.h"
#include "core/text/tree.h"

namespace ts::cpp {
namespace {

namespace border = ts_border;
using border::RecordKind;

constexpr std::uint32_t kMostSites = 1'000'000, kMostBlocks = 65535;
// A tile that is made anew in each turn, at another place each time, is many tiles up to here, and then one that moves.
constexpr std::size_t kMostPlacesOfName = 64;
// How many calls of a place are remembered: as many as there are buffers that take turns.
constexpr std::size_t kMostKnownCalls = 4;

// The memories that kernels know by these numbers.
constexpr Space kSpaceOf[] = {Space::Ub, Space::L1, Space::L0a, Space::L0b, Space::L0c, Space::Bias, Space::Fixpipe};

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string told(const Site& site) { return fmt::format("{}:{}", file_name(site.file), site.line); }

}  // namespace

Launch launch_of(const Program& program, std::uint32_t entry) {
  Launch launch;
  launch.entry = entry;
  launch.blocks = program.blocks;
  const MemoryMap map = program.memory_map();
  for (std::size_t i = 0; i < std::size(kSpaceOf); ++i) launch.space_bytes[i] = map.size(kSpaceOf[i]);
  for (const BufferDecl& buffer : program.buffers) launch.buffers.push_back({buffer.size(), 0});
  for (const ProgramInput& input : program.inputs) {
    const bool buffer = input.kind == ProgramInput::Kind::Buffer;
    launch.arguments.push_back({buffer, buffer ? input.id : program.slots[input.id].bits});
  }
  return launch;
}

bool read_site(const ChildRecord& record, Site& site) {
  if (record.payload.size() < sizeof site.chain) return false;
  std::memcpy(&site.chain, record.payload.data(), sizeof site.chain);
  std::string_view text(reinterpret_cast<const char*>(record.payload.data()) + sizeof site.chain,
                        std::min<std::size_t>(record.head.count, record.payload.size() - sizeof site.chain));
  for (std::string* part : {&site.op, &site.file, &site.function}) {
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) return false;
    *part = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  site.line = record.head.line;
  site.column = record.head.column;
  return true;
}

LiveSource::LiveSource(Program& program, const Memory& memory, const WalkLimits& limits, std::string program_file,
                       const Launch& launch)
    : program_(program),
      memory_(memory),
      limits_(limits),
      program_file_(std::move(program_file)),
      state_(program, &memory, false) {
  // What an earlier run of the same program came to.
  program_.tiles.clear();
  program_.instructions.clear();
  program_.code.clear();
  stub_ = std::move(program_.tree);
  program_.listed = true;
  if (program_file_.empty()) {
    fail("E-CPP-COMPILE", fmt::format("the kernel does not compile for {}", name(program.target)),
         "run it with this target to see the compiler's errors");
    return;
  }
  const std::string wrong = child_.start(program_file_, launch);
  if (!wrong.empty()) fail("E-CPP-CRASH", wrong, "");
}

bool LiveSource::fail(std::string rule, std::string text, std::string hint) {
  problem_ = Diagnostic{std::move(rule), Severity::Error, {}, "", std::move(text), std::move(hint)};
  // The last call shows where.
  if (steps_ > 0) problem_->pos = {instruction_ + 1, 1};
  stop_ = problem_->rule == "E-EMULATE" ? WalkStop::Missing : WalkStop::Error;
  return false;
}

bool LiveSource::fail_at(const Site& site, std::string rule, std::string text, std::string hint) {
  fail(std::move(rule), fmt::format("{}: {}", told(site), text), std::move(hint));
  problem_->pos = {};
  return false;
}

bool LiveSource::end(Child::State state) {
  const std::string last = last_site_ == 0 ? "before its first call" : "after the call at " + told(sites_[last_site_]);
  switch (state) {
    case Child::State::Silent:
      return fail("E-CPP-TIME", fmt::format("the kernel called nothing for 10 s, {}", last), "a loop that never ends?");
    case Child::State::Stopped: return stop_ = WalkStop::Interrupted, false;
    case Child::State::Broken:
      return fail("E-CPP-CRASH", fmt::format("the kernel wrote over what it shares with TileScope, {}", last),
                  "a pointer that goes astray?");
    default: break;
  }
  return fail("E-CPP-CRASH", fmt::format("the kernel's process ended by signal {}, {}", child_.signal(), last),
              "what it did up to there is recorded");
}

bool LiveSource::next() {
  if (stop_ != WalkStop::None) return false;
  if (undone_) child_.done();
  undone_ = false;
  const auto go_on = [&] { return !limits_.go_on || limits_.go_on(steps_); };
  for (;;) {
    if (const Child::State state = child_.next(record_, go_on); state != Child::State::Record) return end(state);
    // What the kernel wrote by itself came before what it asks for now.
    if (child_.open() && record_.head.kind != RecordKind::Site && record_.head.kind != RecordKind::Written)
      look_for_host_writes();
    if (take(record_)) {
      undone_ = true;
      if (++steps_ > limits_.most_steps) stop_ = WalkStop::Limit;
      return stop_ == WalkStop::None;
    }
    child_.done();
    if (stop_ != WalkStop::None) return false;
  }
}

// True: there is a step.
bool LiveSource::take(const ChildRecord& record) {
  switch (record.head.kind) {
    case RecordKind::Site: {
      Site site;
      if (record.head.site != sites_.size() || sites_.size() > kMostSites || !read_site(record, site))
        return end(Child::State::Broken);
      sites_.push_back(std::move(site));
      known_.emplace_back();
      return false;
    }
    case RecordKind::Call: return take_call(record);
    case RecordKind::Get: return answer_get(record);
    case RecordKind::Open: open_memory(); return false;
    case RecordKind::Block: return begin_block(record.head.site);
    case RecordKind::Failed: return kernel_failed(record);
    case RecordKind::Done: return called_ ? (stop_ = WalkStop::End, false) : called_nothing();
    case RecordKind::Written:
    case RecordKind::Wanted: return take_host_call(record);
    case RecordKind::Wrong: return take_wrong(record);
    case RecordKind::Allocated: break;  // only where nothing is computed
  }
  return end(Child::State::Broken);
}

// A main copied into a buffer, or wants to copy out of one.
bool LiveSource::take_host_call(const ChildRecord& record) {
  border::DeviceRange range{};
  if (record.payload.size() < sizeof range || record.head.site >= sites_.size()) return end(Child::State::Broken);
  std::memcpy(&range, record.payload.data(), sizeof range);
  last_site_ = record.head.site;
  const auto number = child_.buffer_at(range.pointer);
  if (!number) return end(Child::State::Broken);
  const BufferDecl& buffer = program_.buffers[*number];
  const std::uint64_t offset = range.pointer - child_.layout()[*number].pointer;
  if (range.bytes > buffer.size() || offset > buffer.size() - range.bytes) return end(Child::State::Broken);
  const auto address = static_cast<std::uint32_t>(buffer.address + offset),
             size = static_cast<std::uint32_t>(range.bytes);
  std::byte* const there = child_.buffer(*number) + offset;
  if (record.head.kind == RecordKind::Written) {
    host_writes_.push_back({{Space::Gm, address, size}, {there, there + size}});
  } else {
    copy_out(memory_.map().flat(Space::Gm, address), size);
    put_pending({Space::Gm, address, size}, there);
  }
  return false;
}

// What a main's tests found wrong, or what it did wrong itself. It goes on.
bool LiveSource::take_wrong(const ChildRecord& record) {
  constexpr const char* kRules[] = {"E-CPP-HOST", "E-CPP-EXPECT", "E-CPP-MAIN"};
  constexpr std::size_t kLongest = 500;
  if (record.head.count >= std::size(kRules) || record.head.site >= sites_.size()) return end(Child::State::Broken);
  std::string text(reinterpret_cast<const char*>(record.payload.data()), record.payload.size());
  text = text.substr(0, std::min(text.find('\0'), kLongest));
  const Site& site = sites_[record.head.site];
  if (record.head.count == 0) text = fmt::format("{}: {}", site.op, text);
  if (record.head.site != 0) text = fmt::format("{}: {}", told(site), text);
  state_.warnings.push_back({kRules[record.head.count], Severity::Error, {}, "", std::move(text), ""});
  return false;
}

bool LiveSource::kernel_failed(const ChildRecord& record) {
  border::Failure failure{};
  if (record.payload.size() < sizeof failure) return end(Child::State::Broken);
  std::memcpy(&failure, record.payload.data(), sizeof failure);
  const FailureText text =
      describe_failure(failure, program_, child_, program_file_, last_site_ == 0 ? "" : told(sites_[last_site_]));
  return fail(text.rule, text.text, text.hint);
}

// Conditions that depend on the core may hide all of a kernel's code.
bool LiveSource::called_nothing() {
  const std::string file = stub_ == nullptr ? "" : stub_->source->name();
  const std::string condition = hiding_condition(names_.text(file));
  return fail("E-CPP-EMPTY", "the kernel called no instruction",
              condition.empty() ? "is all of its code behind a condition?"
                                : fmt::format("{} {}: is it false? -D defines a macro", file_name(file), condition));
}

// Which flag, which pipe: a place may say another each time.
Bound LiveSource::frame(const Call& call) const {
  Bound bound = bind_frame(program_, instruction_);
  bound.attributes = call.attributes;
  bound.pipe = sync_pipe(*call.row, call.attributes);
  return bound;
}

// The instruction of a call; a new one where nobody called this from there.
std::uint32_t LiveSource::instruction_of(std::uint32_t site, const Call& call) {
  const auto [it, made] =
      instructions_.try_emplace({site, call.row, call.form}, static_cast<std::uint32_t>(program_.instructions.size()));
  if (!made) return it->second;
  Instruction instruction{.row = call.row, .form = call.form, .fixed = false, .pos = {it->second + 1, 1}};
  instruction.attributes = call.attributes;
  for (const CallOperand& one : call.operands)
    instruction.operands.push_back({one.operand.spec, kNoSlot, one.operand.scalar.dtype});
  program_.instructions.push_back(std::move(instruction));
  site_of_.push_back(site);
  first_.emplace_back();
  codes_.push_back({.kind = CodeKind::Step, .data = it->second, .pos = {it->second + 1, 1}});
  return it->second;
}

// --- tiles and views ---

std::uint32_t LiveSource::tile_of(const Site& site, const border::Operand& given, std::size_t argument,
                                  const TileRef& tile) {
  std::string& object = object_names_[given.object];
  if (object.empty()) {
    const std::vector<std::string>& names = names_.arguments(site.file, site.op, site.line, site.column);
    object = argument < names.size() ? names[argument] : "";
    if (object.empty()) object = "tile";
  }
  std::vector<std::uint32_t>& those = tiles_of_name_[object];
  std::uint32_t same_type = kNoTile;
  for (const std::uint32_t one : those) {
    if (!(program_.tiles[one].type == tile.type)) continue;
    if (state_.environment.tiles[one].address == tile.address) return one;
    same_type = one;
  }
  if (those.size() >= kMostPlacesOfName && same_type != kNoTile) return same_type;
  const auto number = static_cast<std::uint32_t>(program_.tiles.size());
  TileDecl decl{.name = those.empty() ? object : fmt::format("{}_{}", object, those.size() + 1), .type = tile.type};
  while (std::ranges::find(program_.tiles, decl.name, &TileDecl::name) != program_.tiles.end() ||
         std::ranges::find(program_.inputs, decl.name, &ProgramInput::name) != program_.inputs.end())
    decl.name += "_";
  decl.address = tile.address;
  decl.valid_rows = tile.valid_rows;
  decl.valid_cols = tile.valid_cols;
  decl.placed = true;
  program_.tiles.push_back(std::move(decl));
  state_.environment.tiles.push_back({tile.address, tile.valid_rows, tile.valid_cols, true});
  those.push_back(number);
  return number;
}

// A kernel that places tiles by itself places all of them; of another one all are placed.
bool LiveSource::has_place(const Site& site, const border::Operand& given, const Operand& operand) {
  const std::string& name = program_.tiles[operand.id].name;
  if (given.place == 1) assigned_ = assigned_ || site.op == "TASSIGN";
  if (given.place == 2) placed_.insert(name);
  if (given.place != 0) return true;
  if (assigned_)
    return fail_at(site, "E-CPP-PLACE", fmt::format("{}: {} stands nowhere", site.op, name),
                   "TASSIGN gives it a place; only where a kernel has no TASSIGN all tiles are placed for it");
  return fail_at(site, "E-CPP-PLACE",
                 fmt::format("{}: no room for {}, {} bytes in {}, beside the tiles that are there", site.op, name,
                             operand.tile.type.size_bytes(), ts::name(operand.tile.type.space())),
                 "tiles hold their places as long as they live: end their scopes earlier, or place them with TASSIGN");
}

// Finds the buffer that a view's pointer is in.
bool LiveSource::place_view(const Site& site, CallOperand& operand) {
  const auto number = child_.buffer_at(operand.pointer);
  if (!number)
    return fail_at(
        site, "E-CPP-POINTER",
        operand.pointer < 65536
            ? fmt::format("{}: the global tensor begins at a null pointer", site.op)
            : fmt::format("{}: the global tensor begins at 0x{:x}, which is in no buffer", site.op, operand.pointer),
        "global tensors begin at a parameter of the entry");
  const BufferDecl& buffer = program_.buffers[*number];
  GlobalRef& view = operand.operand.global;
  operand.operand.id = static_cast<std::uint32_t>(*number);
  view.address = static_cast<std::uint32_t>(buffer.address + (operand.pointer - child_.layout()[*number].pointer));
  view.buffer_begin = buffer.address;
  view.buffer_end = buffer.address + buffer.size();
  std::ranges::transform(operand.shape, view.shape.begin(), clamped);
  std::ranges::transform(operand.stride, view.stride.begin(), clamped);
  for (std::size_t d = 0; d < view.shape.size(); ++d)
    if (operand.shape[d] < 0 || operand.stride[d] < 0)
      return fail_at(site, "E-CPP-DYNAMIC",
                     fmt::format("{}: dimension {} of the global tensor has {} elements, {} apart", site.op, d,
                                 operand.shape[d], operand.stride[d]),
                     "a size of DYNAMIC is given to the constructor");
  return true;
}

// Kernels call from the same places with the same tiles, again and again: what that means is found once. False: not known.
bool LiveSource::run_again(std::uint32_t site, std::span<const border::Operand> given) {
  const std::vector<KnownCall>& last = known_[site].last;
  const auto known = std::ranges::find_if(last, [&](const KnownCall& one) {
    return one.given.size() == given.size() && std::memcmp(one.given.data(), given.data(), given.size_bytes()) == 0;
  });
  if (known == last.end()) return false;
  instruction_ = known->instruction;
  bound_ = known->bound;
  for (const Operand& one : bound_->operands)
    if (one.spec->kind == OperandKind::Tile) place_tile(one);
  return true;
}

// Not of the first call of a place, which may be its only one, and not where the place of a tile changes.
void LiveSource::know(std::uint32_t site, std::span<const border::Operand> given) {
  KnownCalls& known = known_[site];
  if (++known.calls < 2 || bound_->row->effect != Effect::None) return;
  KnownCall call{{given.begin(), given.end()}, instruction_, *bound_};
  if (known.last.size() < kMostKnownCalls) {
    known.last.push_back(std::move(call));
  } else {
    known.last[known.calls % kMostKnownCalls] = std::move(call);
  }
}

void LiveSource::place_tile(const Operand& operand) {
  const Environment::TileState now{operand.tile.address, operand.tile.valid_rows, operand.tile.valid_cols, true};
  if (!(state_.environment.tiles[operand.id] == now)) state_.set_tile(operand.id, now);
}

bool LiveSource::step() {
  if (flags_.step(state_, *bound_, codes_[instruction_])) return true;
  problem_ = state_.problem;
  stop_ = WalkStop::Error;
  return false;
}

bool LiveSource::take_call(const ChildRecord& record) {
  if (record.head.site == 0 || record.head.site >= sites_.size()) return end(Child::State::Broken);
  called_ = true;
  const Site& site = sites_[last_site_ = record.head.site];
  const std::span<const border::Operand> given = record.operands();
  if (run_again(last_site_, given)) return step();
  if (std::ranges::any_of(given, [](const border::Operand& one) { return one.kind > border::OperandKind::Address; }))
    return end(Child::State::Broken);
  CallResult understood = understand(site.op, given, program_.target, program_.options);
  if (!understood.call) return fail_at(site, understood.problem.rule, understood.problem.text, understood.problem.hint);
  Call& call = *understood.call;
  // Options of the template before the first argument are none of the arguments.
  std::size_t leading = 0;
  while (leading < given.size() && given[leading].kind == border::OperandKind::Option) ++leading;
  for (CallOperand& one : call.operands) {
    if (one.operand.spec->kind == OperandKind::Tile) {
      const border::Operand& tile = given[one.argument];
      if (tile.valid_rows < 0 || tile.valid_cols < 0 || tile.valid_rows > tile.rows || tile.valid_cols > tile.cols)
        return fail_at(site, "E-CPP-DYNAMIC",
                       fmt::format("{}: {} has {} x {} valid elements, of {} x {}", site.op, one.operand.spec->name,
                                   tile.valid_rows, tile.valid_cols, tile.rows, tile.cols),
                       tile.valid_rows == -1 || tile.valid_cols == -1
                           ? "was -1 meant as DYNAMIC? A size that is DYNAMIC is given to the constructor"
                           : "");
      one.operand.id = tile_of(site, tile, one.argument - leading, one.operand.tile);
      if (!has_place(site, tile, one.operand)) return false;
      place_tile(one.operand);
    } else if (one.operand.spec->kind == OperandKind::Global && !place_view(site, one)) {
      return false;
    }
  }
  instruction_ = instruction_of(record.head.site, call);
  Bound bound = frame(call);
  for (CallOperand& one : call.operands) bound.operands.push_back(std::move(one.operand));
  settle_bound(bound);
  if (!first_[instruction_]) first_[instruction_] = bound;
  bound_ = std::move(bound);
  know(last_site_, given);
  return step();
}

bool LiveSource::begin_block(std::uint32_t number) {
  if (number >= kMostBlocks)
    return fail("E-CPP-ARG", fmt::format("the launch has more than {} blocks", kMostBlocks), "start it with fewer");
  block_ = number;
  // Of a launch in the source only that says how many there are.
  program_.blocks = std::max(program_.blocks, number + 1);
  flags_.start_block(state_);
  Call call;
  call.row = &kBeginBlock;
  begin_block_ = instruction_ = instruction_of(0, call);
  bound_ = frame(call);
  first_[instruction_] = bound_;
  return true;
}

bool LiveSource::answer_get(const ChildRecord& record) {
  const auto given = record.operands();
  if (given.size() != 2) return end(Child::State::Broken);
  const auto type = tile_type(given[0], program_.target, program_.options);
  if (!type) return end(Child::State::Broken);
  if (record.head.site > 0 && record.head.site < sites_.size()) last_site_ = record.head.site;
  const ByteRange place = element_place(type->space(), given[0].bits, type->dtype, given[1].bits);
  const std::uint64_t size = memory_.map().size(place.space);
  if (given[1].bits >= std::uint64_t{type->rows} * type->cols || place.address + std::uint64_t{place.size} > size)
    return fail_at(sites_[last_site_], "E-CPP-ARG",
                   fmt::format("GetValue({}) of a tile of {} x {} elements", static_cast<std::int64_t>(given[1].bits),
                               type->rows, type->cols),
                   "the index counts elements of the storage");
  child_.answer(memory_.element(place));
  return false;
}

// --- what the kernel does to memory by itself ---

// From now on the shared file holds what the memories hold.
void LiveSource::open_memory() {
  child_.set_open();
  const MemoryMap& map = memory_.map();
  for (std::size_t i = 0; i < std::size(kSpaceOf); ++i) copy_out(map.flat(kSpaceOf[i], 0), map.size(kSpaceOf[i]));
  for (const BufferDecl& buffer : program_.buffers) copy_out(map.flat(Space::Gm, buffer.address), buffer.size());
}

void LiveSource::copy_out(Flat begin, std::uint32_t size) {
  if (size == 0) return;
  const ByteRange place = memory_.map().locate(begin, size);
  const std::byte* from = memory_.at(begin, size).data();
  if (place.space != Space::Gm) {
    const auto* space = std::ranges::find(kSpaceOf, place.space);
    if (space != std::end(kSpaceOf))
      std::memcpy(child_.space(static_cast<std::uint32_t>(space - kSpaceOf)) + place.address, from, size);
    return;
  }
  for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
    const BufferDecl& buffer = program_.buffers[i];
    const std::uint32_t first = std::max(buffer.address, place.address);
    const std::uint32_t last = std::min(buffer.address + buffer.size(), place.address + size);
    if (first < last)
      std::memcpy(child_.buffer(i) + (first - buffer.address), from + (first - place.address), last - first);
  }
}

void LiveSource::ran(const Bound& bound, std::span<const WritePattern> writes) {
  apply_effect(state_, bound);
  if (!child_.open()) return;
  for (const WritePattern& pattern : writes)
    for_runs(pattern, [&](Flat begin, std::uint32_t size) { copy_out(begin, size); });
}

// What a kernel was given it has.
void LiveSource::set_number(Slot, std::uint64_t) {
  state_.warnings.push_back({"E-CPP-ARG",
                             Severity::Warning,
                             {},
                             "",
                             "a number of a compiled kernel is given when it starts, and is not changed later",
                             "run it again with --set"});
}

// What stands before the first step is the program's; that step says where a tile stands, or that a block begins.
std::vector<HostWrite> LiveSource::take_host_writes() {
  return steps_ <= 1 ? std::vector<HostWrite>() : std::exchange(host_writes_, {});
}

// What was written between steps, and is in memory from the next one on.
void LiveSource::put_pending(ByteRange place, std::byte* bytes) const {
  for (const HostWrite& one : host_writes_) {
    if (one.place.space != place.space) continue;
    const std::uint32_t first = std::max(one.place.address, place.address);
    const std::uint32_t last = std::min(one.place.address + one.place.size, place.address + place.size);
    if (first < last)
      std::memcpy(bytes + (first - place.address), one.bytes.data() + (first - one.place.address), last - first);
  }
}

bool LiveSource::host_writes_differ(Space space, std::uint32_t address, const std::byte* theirs, std::uint32_t size) {
  const auto known = memory_.bytes(space, address, size);
  std::vector<std::byte> ours(known.begin(), known.end());
  put_pending({space, address, size}, ours.data());
  std::uint32_t first = 0, end = size;
  while (first < end && ours[first] == theirs[first]) ++first;
  while (end > first && ours[end - 1] == theirs[end - 1]) --end;
  if (first == end) return false;
  host_writes_.push_back({{space, address + first, end - first}, {theirs + first, theirs + end}});
  return true;
}

// Pages that the kernel wrote to are compared with what the steps left there.
void LiveSource::look_for_host_writes() {
  const std::vector<std::uint32_t> dirty = child_.dirty();
  const std::size_t pending = host_writes_.size();
  for (const std::uint32_t page : dirty) {
    const std::uint64_t offset = std::uint64_t{page} * border::kPage;
    for (std::size_t i = 0; i < std::size(kSpaceOf); ++i) {
      const std::uint64_t size = memory_.map().size(kSpaceOf[i]),
                          begin = child_.space_offset(static_cast<std::uint32_t>(i));
      if (offset < begin || offset >= begin + size) continue;
      const auto address = static_cast<std::uint32_t>(offset - begin);
      host_writes_differ(kSpaceOf[i], address, child_.space(static_cast<std::uint32_t>(i)) + address,
                         static_cast<std::uint32_t>(std::min<std::uint64_t>(border::kPage, size - address)));
    }
    for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
      const border::Buffer& there = child_.layout()[i];
      const BufferDecl& buffer = program_.buffers[i];
      const std::uint64_t first = std::max(offset, there.file_offset);
      const std::uint64_t last = std::min(offset + border::kPage, there.file_offset + buffer.size());
      if (first < last)
        host_writes_differ(Space::Gm, static_cast<std::uint32_t>(buffer.address + (first - there.file_offset)),
                           child_.buffer(i) + (first - there.file_offset), static_cast<std::uint32_t>(last - first));
    }
  }
  if (host_writes_.size() == pending || last_site_ == 0) return;
  Diagnostic note{"W-CPP-HOST",
                  Severity::Note,
                  {},
                  "",
                  fmt::format("the kernel itself wrote {} bytes of {} between two calls, after {}",
                              host_writes_[pending].bytes.size(), name(host_writes_[pending].place.space),
                              told(sites_[last_site_])),
                  ""};
  state_.warnings.push_back(std::move(note));
}

// What the kernel printed, in a line; "": nothing.
std::string LiveSource::printed_line() const {
  constexpr std::size_t kMostShown = 5;
  const std::string printed = child_.printed();
  std::vector<std::string_view> lines;
  for (std::string_view left = printed; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    if (!line.empty()) lines.push_back(line.substr(0, 200));
  }
  const bool more = lines.size() > kMostShown;
  if (more) lines.resize(kMostShown);
  return fmt::format("{}{}", fmt::join(lines, " | "), more ? " | ..." : "");
}

Diagnostics LiveSource::uneven() const {
  Diagnostics out;
  const auto note = [&](const char* rule, std::string text, const char* hint) {
    Diagnostic one{rule, Severity::Note, {}, "", std::move(text), hint};
    out.push_back(std::move(one));
  };
  if (const std::string printed = printed_line(); !printed.empty())
    note("W-CPP-OUTPUT", "the kernel printed: " + printed, "");
  if (!placed_.empty()) {
    constexpr std::size_t kMostShown = 8;
    std::vector<std::string> names(placed_.begin(), placed_.end());
    const std::string more = names.size() > kMostShown ? ", ..." : "";
    names.resize(std::min(names.size(), kMostShown));
    note("W-CPP-PLACED", fmt::format("without a TASSIGN, so placed for the run: {}{}", fmt::join(names, ", "), more),
         "on the device the compiler or a TASSIGN says where tiles stand");
  }
  if (child_.asked_blocks() && program_.blocks == 1)
    note("W-CPP-BLOCKS", "the kernel asked for the number of blocks; it ran as one", "--blocks N runs more");
  return out;
}

Environment::TileState LiveSource::place_of(std::uint32_t tile) const {
  if (tile < state_.environment.tiles.size()) return state_.environment.tiles[tile];
  // The text's own, which no call used.
  const TileDecl& decl = program_.tiles[tile];
  return {decl.address, decl.valid_rows, decl.valid_cols, true};
}

// By instruction, from the entry to the call.
std::vector<CallChain> LiveSource::call_chains() const {
  std::vector<std::uint64_t> addresses;
  for (const std::uint32_t site : site_of_)
    for (const std::uint64_t address : sites_[site].chain.address)
      if (address != 0) addresses.push_back(address - 1);
  const SourceLines lines = lines_of_addresses(program_file_, addresses);
  std::vector<CallChain> out;
  for (const std::uint32_t number : site_of_) {
    const Site& site = sites_[number];
    CallChain& chain = out.emplace_back();
    if (site.file.empty()) continue;
    for (const std::uint64_t address : site.chain.address)
      if (address != 0)
        for (const ChainPlace& place : lines.at(address - 1)) chain.push_back(place);
    // The compiler knows the call's own line, with its column.
    const ChainPlace own{site.file, site.line, site.column};
    if (chain.empty() || chain.front().line != own.line || file_name(chain.front().file) != file_name(own.file))
      chain.insert(chain.begin(), own);
    chain.front() = own;
    std::ranges::reverse(chain);
  }
  return out;
}

StepSource::Finished LiveSource::finish() {
  const std::vector<CallChain> chains = call_chains();
  std::vector<ListedCall> calls;
  for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
    const Site& site = sites_[site_of_[i]];
    std::vector<ListedCall::Place> places;
    for (auto place = chains[i].rbegin(); place != chains[i].rend(); ++place)
      places.push_back({place->file, place->line, place->column});
    calls.push_back({&program_.instructions[i], first_[i] ? &*first_[i] : nullptr, std::move(places),
                     names_.call(site.file, site.op, site.line, site.column)});
  }
  const auto loops =
      std::make_shared<StepLoops>(chains, [this](const std::string& file) { return scan_loops(names_.text(file)); });
  Finished out{make_listing(program_, calls, loops->all()), {}};
  if (program_.tree == nullptr) program_.tree = stub_;
  // Without a list that compiles, the numbers of its calls are unknown, in a slot that there has to be.
  if (program_.slots.empty()) program_.slots.emplace_back();
  out.loops = [loops, begin = begin_block_](std::uint32_t instruction) -> std::span<const LoopTurn> {
    if (begin && instruction == *begin) {
      loops->begin_block();
      return {};
    }
    return loops->next(instruction);
  };
  return out;
}

}  // namespace ts::cpp
