// Running a program step by step and keeping what it did.
#include "core/record/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/catalogue/rules.h"
#include "core/memory/host_memory.h"
#include "core/program/cores/schedule.h"
#include "core/program/inputs.h"
#include "core/program/kernel.h"
#include "core/program/pointing.h"
#include "core/record/ahead_choice.h"
#include "core/record/blocks_ahead.h"

namespace ts {
namespace {

// The element that a message means, in the operand that it names.
std::optional<FoundElement> found_element(const Bound& bound, const Diagnostic& diagnostic) {
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& operand = bound.operands[i];
    if (operand.spec->name != diagnostic.operand || operand.spec->kind != OperandKind::Tile) continue;
    const auto [row, col] = *diagnostic.element;
    return FoundElement{static_cast<int>(i), row, col, operand.tile.place_of(row, col)};
  }
  return {};
}

// What the memory and the step runner know of each page.
constexpr std::size_t kBytesOfPage = 8;

// With its texts, and its place in a list.
std::size_t bytes_of(const Finding& finding) {
  const Diagnostic& told = finding.diagnostic;
  return sizeof finding + told.rule.capacity() + told.operand.capacity() + told.text.capacity() + told.hint.capacity() +
         told.expected.capacity() + told.notes.size() * (sizeof(DiagnosticNote) + 100);
}

std::unique_ptr<StepSource> steps_of(Program& program, const Memory& memory, const WalkLimits& limits) {
  if (program.kernel != nullptr) return program.kernel->start(program, memory, limits);
  return std::make_unique<Schedule>(program, &memory, limits);
}

// A list that is full has twice the room after its next entry, and until then both.
template <class T>
std::size_t bytes_of_list(const std::vector<T>& list) {
  return (list.size() == list.capacity() ? 2 * list.size() : list.capacity()) * sizeof(T);
}

}  // namespace

std::size_t default_budget_bytes() {
  const std::size_t wanted = std::min(installed_host_bytes() / 4, spare_host_bytes() / 2);
  return std::clamp<std::size_t>(wanted, std::size_t{16} << 20, std::size_t{4} << 30);
}

const char* name(StopReason reason) {
  switch (reason) {
    case StopReason::End: return "end of the program";
    case StopReason::Error: return "error";
    case StopReason::NotEmulated: return "an operation that is not emulated yet";
    case StopReason::Limit: return "step limit";
    case StopReason::Interrupted: return "interrupted";
    case StopReason::Budget: break;
  }
  return "memory budget used up";
}

std::unique_ptr<Recording> Recording::run(Program program, const RecordOptions& options) {
  std::unique_ptr<Recording> recording(new Recording(std::move(program), options));
  StepSource& source = *recording->source_;
  if (recording->program_.listed && recording->program_.kernel == nullptr) recording->tell_no_kernel();
  // What the program reads on its way to the next step is what the edits made of it.
  while (recording->stop_ == StopReason::End && recording->edit() && source.next() && recording->take_host_writes())
    recording->record(source.instruction());
  recording->ahead_.reset();
  recording->choice_.reset();
  if (recording->stop_ == StopReason::End) recording->stop_by(source.stop());
  recording->settle_places();
  recording->timeline_.settle();
  recording->options_.limits.go_on = {};  // whoever asked is gone by the time these options are used again
  return recording;
}

// The program came to its end, or cannot go on.
void Recording::stop_by(WalkStop stop) {
  for (Diagnostic& diagnostic : source_->take_warnings()) find(count(), std::move(diagnostic));
  for (Diagnostic& diagnostic : source_->uneven()) find(count(), std::move(diagnostic));
  if (source_->problem()) find(count(), *source_->problem());
  if (stop == WalkStop::Error) stop_ = StopReason::Error;
  if (stop == WalkStop::Missing) stop_ = StopReason::NotEmulated;
  if (stop == WalkStop::Limit) stop_ = StopReason::Limit;
  if (stop == WalkStop::Interrupted) stop_ = StopReason::Interrupted;
  if (stop == WalkStop::End)
    for (Diagnostic& diagnostic : source_->leftovers()) find(count(), std::move(diagnostic));
}

Recording::Recording(Program program, const RecordOptions& options)
    : program_(std::move(program)),
      options_(options),
      memory_(program_.memory_map()),
      runner_(memory_, options_.limits.plans),
      given_(given_bytes(program_)),
      budget_(reservable_bytes(options.budget_bytes != 0 ? options.budget_bytes : default_budget_bytes())),
      timeline_(memory_.map(), budget_),
      source_(steps_of(program_, memory_, options.limits)),
      bounds_(program_) {
  if (budget_ < options_.budget_bytes) tell_small_budget();
  program_bytes_ = program_.held_bytes();
  std::erase_if(options_.edits, [](const Edit& edit) { return edit.bytes.empty() || edit.by_kernel; });
  std::ranges::stable_sort(options_.edits, {}, &Edit::position);
  timeline_.begin_late(late_inputs(program_));
  load_start(memory_);
  apply_edits(0, memory_);
  if (inputs_bytes() > room_for_inputs() || !timeline_.commit_start(memory_)) tell_large_inputs();
  if (may_run_ahead()) choice_ = std::make_unique<AheadChoice>(options_.limits.ahead == WalkLimits::Ahead::Early);
}

Recording::~Recording() = default;

// What somebody changes by hand is in one memory only; and whoever bounds all that the run takes means one. A second copy
// of large inputs would be taken from somebody.
bool Recording::may_run_ahead() const {
  constexpr std::size_t kSmallPart = 8;
  using enum WalkLimits::Ahead;
  if (options_.limits.ahead == Never || (options_.limits.ahead == WherePays && std::thread::hardware_concurrency() < 2))
    return false;
  if (given_ > budget_ / kSmallPart) return false;
  return options_.edits.empty() && options_.number_edits.empty() && !options_.initial && options_.most_bytes == 0 &&
         BlocksAhead::may_run(program_, options_.limits);
}

void Recording::begin_ahead() {
  choice_.reset();
  try {
    ahead_ = std::make_unique<BlocksAhead>(program_, options_.limits, unmade_->block,
                                           [this](Memory& memory) { load_start(memory); });
  } catch (const std::exception&) {
    return;  // no memory, or no thread: one goes on alone
  }
  for (std::uint32_t step = 0; step < count(); ++step)
    ahead_->made_before(steps_[step].block, steps_[step].instruction, bound(step), writes(step));
}

std::size_t Recording::inputs_bytes() const {
  // Less is little beside what any program takes.
  constexpr std::size_t kMuch = std::size_t{16} << 20;
  // The program has what it was given, and so have its memories.
  return memory_.late_bytes() + (given_ > kMuch ? 2 * given_ : 0);
}

void Recording::tell_large_inputs() {
  const auto bytes = [&](const ProgramInput& input) {
    if (input.kind == ProgramInput::Kind::Scalar) return std::size_t{0};
    const bool buffer = input.kind == ProgramInput::Kind::Buffer;
    return buffer ? program_.buffers[input.id].data.size() : program_.tiles[input.id].data.size();
  };
  const auto largest = std::ranges::max_element(program_.inputs, {}, bytes);
  const bool named = largest != program_.inputs.end();
  stop_ = StopReason::Budget;
  find(0, {.rule = "E-BUDGET",
           .severity = Severity::Error,
           .pos = named ? largest->pos : SourcePos{},
           .operand = {},
           .text =
               fmt::format("the program is given {} bytes{}, which take up to three times as much while it runs; "
                           "the budget is {} bytes",
                           given_, named ? fmt::format(", %{} alone {}", largest->name, bytes(*largest)) : "", budget_),
           .hint = "--budget MB allows more"});
}

// What a step looked at is kept by nobody else, and may leave too little for the steps.
bool Recording::check_late_inputs(const Bound& bound) {
  if (inputs_bytes() <= room_for_inputs()) return true;
  stop_ = StopReason::Budget;
  find(count(),
       {.rule = "E-BUDGET",
        .severity = Severity::Error,
        .pos = bound.pos,
        .operand = {},
        .text = fmt::format("{}: with it the inputs that the program looked at take {} MiB; of the budget of {} "
                            "MiB they may take {}",
                            bound.row->name, inputs_bytes() >> 20, budget_ >> 20, room_for_inputs() >> 20),
        .hint = "--budget MB allows more; --size NAME=BYTES makes an input smaller"});
  return false;
}

void Recording::tell_small_budget() {
  find(0, {.rule = "E-BUDGET",
           .severity = Severity::Note,
           .pos = {},
           .operand = {},
           .text = fmt::format("{} MiB for snapshots were asked for, {} MiB could be had", options_.budget_bytes >> 20,
                               budget_ >> 20),
           .hint = "the recording is the same; going to a position may take longer"});
}

std::unique_ptr<Recording> Recording::restore(RecordingParts parts) {
  return std::unique_ptr<Recording>(new Recording(std::move(parts)));
}

Recording::Recording(RecordingParts parts)
    : program_(std::move(parts.program)),
      options_(std::move(parts.options)),
      memory_(program_.memory_map()),
      runner_(memory_, options_.limits.plans),
      given_(given_bytes(program_)),
      budget_(options_.budget_bytes != 0 ? options_.budget_bytes : default_budget_bytes()),
      timeline_(memory_.map(), parts.thinning, std::move(parts.pages)),
      steps_(std::move(parts.steps)),
      bounds_(program_, std::move(parts.bounds)),
      writes_(std::move(parts.writes)),
      loops_(std::move(parts.loops)),
      findings_(std::move(parts.findings)),
      stop_(parts.stop),
      unmade_(parts.unmade),
      restored_(true),
      waits_(std::move(parts.waits)),
      tiles_at_end_(std::move(parts.tiles_at_end)) {
  const std::shared_ptr<const LatePages> late = late_inputs(program_);
  timeline_.begin_late(late);
  memory_.make_late(late);
  program_bytes_ = program_.held_bytes();
  for (const Finding& finding : findings_) finding_bytes_ += bytes_of(finding);
  for (Bound& bound : bounds_.all()) bound.options = &program_.options;
  bounds_.count_bytes();
}

const Memory& Recording::final_memory() const {
  if (restored_)
    std::call_once(final_memory_loaded_, [&] {
      for (std::uint32_t page = 0; page < timeline_.pages(); ++page)
        if (const std::uint32_t version = timeline_.version_at(page, count()); version != 0)
          timeline_.load(memory_, page, version);
    });
  return memory_;
}

void Recording::load_start(Memory& memory) const {
  load_inputs(program_, memory);
  set_special_registers(memory);
  if (options_.initial) options_.initial(memory);
}

std::span<const Edit> Recording::edits_at(std::uint32_t position) const {
  const std::vector<Edit>& all = options_.edits;
  const auto first = std::ranges::lower_bound(all, position, {}, &Edit::position);
  return {first, std::ranges::upper_bound(first, all.end(), position, {}, &Edit::position)};
}

bool Recording::is_edited(std::uint32_t position, ByteRange place) const {
  return std::ranges::any_of(edits_at(position), [&](const Edit& edit) {
    return edit.place().in_same_memory(place) && edit.address < place.address + place.size &&
           place.address < edit.address + edit.bytes.size();
  });
}

void Recording::apply_edits(std::uint32_t position, Memory& memory, std::vector<TouchedPage>* pages) const {
  for (const Edit& edit : edits_at(position)) {
    const Flat begin = memory.map().flat(edit.place()), end = begin + edit.place().size;
    std::memcpy(memory.at(begin, end - begin).data(), edit.bytes.data(), edit.bytes.size());
    memory.mark(begin, edit.place().size, Definedness::Written);
    for (std::uint32_t page = begin / kPageBytes; pages != nullptr && page <= (end - 1) / kPageBytes; ++page)
      pages->push_back({page});
  }
}

// Makes the edits of this position, when it has any; false: there is no room to keep them.
bool Recording::edit() {
  for (const NumberEdit& edit : options_.number_edits)
    if (edit.position == count()) source_->set_number(edit.slot, edit.bits);
  if (options_.edits.empty() || count() == 0) return true;
  std::vector<TouchedPage> pages;
  apply_edits(count(), memory_, &pages);
  std::ranges::sort(pages, {}, &TouchedPage::page);
  const auto same = [](const TouchedPage& a, const TouchedPage& b) { return a.page == b.page; };
  pages.erase(std::unique(pages.begin(), pages.end(), same), pages.end());
  if (pages.empty() || timeline_.commit(memory_, count(), pages)) return true;
  for (const TouchedPage& touched : pages) timeline_.restore_last(memory_, touched.page);
  stop_ = StopReason::Budget;
  return false;
}

// Bytes that compiled code changed by itself are edits of this position; false: there is no room to keep them.
bool Recording::take_host_writes() {
  std::vector<HostWrite> changed = source_->take_host_writes();
  if (changed.empty()) return true;
  for (HostWrite& one : changed)
    options_.edits.push_back({count(), one.place.space, one.place.address, std::move(one.bytes), one.place.core, true});
  std::ranges::stable_sort(options_.edits, {}, &Edit::position);
  return edit();
}

// A list of calls is no program: run from top to bottom it would do something, and something else.
void Recording::tell_no_kernel() {
  stop_ = StopReason::Error;
  find(0, {.rule = "E-CPP-RECORDED",
           .severity = Severity::Error,
           .pos = {},
           .operand = {},
           .text = "what was recorded came from compiled code, which a recording does not hold",
           .hint = "open the .cpp file to run it again"});
}

// Of a program whose text was made when its run was over: where each of its instructions stands in it.
void Recording::settle_places() {
  const StepSource::Finished finished = source_->finish();
  if (finished.places.empty()) return;
  for (Step& step : steps_) keep_loops(step, finished.loops(step.instruction, bounds_[step.bound].core));
  const auto settle = [&](SourcePos& pos) {
    if (pos.line > 0 && pos.line <= finished.places.size()) pos = finished.places[pos.line - 1];
  };
  const auto renumber = [](std::uint32_t& number, const std::vector<std::uint32_t>& now) {
    if (number < now.size()) number = now[number];
  };
  for (Step& step : steps_) renumber(step.instruction, finished.instructions);
  if (unmade_) renumber(unmade_->instruction, finished.instructions);
  for (Bound& bound : bounds_.all()) {
    settle(bound.pos);
    for (Operand& operand : bound.operands)
      if (operand.spec->kind == OperandKind::Tile) renumber(operand.id, finished.tiles);
  }
  for (Finding& finding : findings_) {
    settle(finding.diagnostic.pos);
    for (DiagnosticNote& note : finding.diagnostic.notes) settle(note.pos);
  }
  program_bytes_ = program_.held_bytes();
}

std::optional<std::uint32_t> Recording::bind(std::size_t index) {
  const std::optional<std::uint32_t> number = bounds_.bind(*source_, index);
  if (!number || *number < bound_findings_.size()) return number;
  const Bound& bound = bounds_[*number];
  Diagnostics& found = bound_findings_.emplace_back();
  check_rules(bound, found);
  for (Diagnostic& diagnostic : found) point_at_operand(program_, index, diagnostic);
  for (const Diagnostic& diagnostic : found) finding_bytes_ += bytes_of({0, diagnostic, {}});
  return number;
}

void Recording::keep_finding(std::uint32_t step, Diagnostic diagnostic, const Bound* bound) {
  Finding finding{step, std::move(diagnostic), {}};
  if (bound != nullptr && finding.diagnostic.element) finding.element = found_element(*bound, finding.diagnostic);
  finding_bytes_ += bytes_of(finding);
  findings_.push_back(std::move(finding));
}

// A loop may say the same of every turn, for millions of turns.
void Recording::find(std::uint32_t step, Diagnostic diagnostic, const Bound* bound) {
  std::uint32_t& times = found_[{diagnostic.rule, diagnostic.pos.line, diagnostic.pos.column}];
  if (diagnostic.severity == Severity::Error || times < kMostFindingsAPlace)
    keep_finding(step, std::move(diagnostic), bound);
  ++times;
}

const Bound* Recording::bound_of(const Finding& finding) const {
  if (finding.step < count()) return &bound(finding.step);
  return unmade_ ? &bound(*unmade_) : nullptr;
}

bool Recording::execute(std::size_t index) { return !restored_ && stop_ == StopReason::End && record(index); }

bool Recording::record(std::size_t index) {
  const std::optional<std::uint32_t> bound_index = bind(index);
  if (!bound_index) {
    report_unbound(index);
    return false;
  }
  const Bound& bound = bounds_[*bound_index];
  const std::uint32_t step = count();
  unmade_ = Step{.instruction = static_cast<std::uint32_t>(index),
                 .bound = *bound_index,
                 .block = static_cast<std::uint16_t>(source_->block())};
  for (Diagnostic& diagnostic : source_->take_warnings()) find(step, std::move(diagnostic));
  for (const Diagnostic& diagnostic : bound_findings_[*bound_index]) {
    find(step, diagnostic, &bound);
    if (diagnostic.severity == Severity::Error) stop_ = StopReason::Error;
  }
  if (stop_ == StopReason::Error) return false;

  if (!run_or_take(bound, *bound_index)) return false;
  runner_.mark_definedness();
  if (!check_late_inputs(bound)) {
    undo_step();
    return false;
  }
  timeline_.limit(std::max(budget_ / 4, budget_ - std::min(budget_, step_bytes() + inputs_bytes())));
  if (is_full() || !timeline_.commit(memory_, step + 1, runner_.pages())) {
    undo_step();
    stop_ = StopReason::Budget;
    return false;
  }
  report_stray_writes(bound);
  const auto writes = runner_.writes();
  steps_.push_back({static_cast<std::uint32_t>(index), *bound_index, static_cast<std::uint32_t>(writes_.size()),
                    static_cast<std::uint32_t>(writes.size()), 0, static_cast<std::uint16_t>(source_->block()), 0});
  unmade_.reset();
  writes_.insert(writes_.end(), writes.begin(), writes.end());
  keep_loops(steps_.back(), source_->loops());
  source_->ran(bound, writes);
  if (ahead_ != nullptr) ahead_->made(source_->block(), writes);
  return true;
}

bool Recording::run_or_take(const Bound& bound, std::uint32_t number) {
  if (choice_ != nullptr && choice_->times(count())) {
    if (choice_->pays()) begin_ahead();
    else choice_->begin_run();
  }
  const StepTrail* trail = nullptr;
  if (ahead_ != nullptr) trail = ahead_->next(unmade_->block, unmade_->instruction, bound, memory_);
  if (trail != nullptr) {
    runner_.follow(bound, *trail);
    ++taken_steps_;
    return true;
  }
  const bool ran = run_step(bound, number);
  if (choice_ != nullptr && choice_->times(count())) choice_->end_run();
  return ran;
}

bool Recording::run_step(const Bound& bound, std::uint32_t number) {
  bool ran = runner_.execute(bound, number);
  if (runner_.context().odd_data && bound.row->data_rules != nullptr) {
    // What is odd is told of the memories as they were before; then the step runs as if nothing had been said.
    undo_step();
    if (!check_data(bound, count())) return false;
    ran = runner_.execute(bound, number);
  }
  if (ran) return true;
  report_fault(bound);
  undo_step();
  stop_ = StopReason::Error;
  return false;
}

// Steps of the same turn share one copy.
void Recording::keep_loops(Step& step, std::span<const LoopTurn> now) {
  if (now.empty()) return;
  if (loops_.size() < now.size() ||
      !std::equal(now.begin(), now.end(), loops_.end() - static_cast<std::ptrdiff_t>(now.size())))
    loops_.insert(loops_.end(), now.begin(), now.end());
  step.loops = static_cast<std::uint32_t>(loops_.size() - now.size());
  step.loop_count = static_cast<std::uint16_t>(now.size());
}

TileRef Recording::tile_at_end(std::uint32_t tile) const {
  const Environment::TileState place = place_at_end(tile);
  return {program_.tiles[tile].type, place.address, place.valid_rows, place.valid_cols};
}

bool Recording::check_data(const Bound& bound, std::uint32_t step) {
  Diagnostics found;
  RuleCheck check(bound, found);
  bound.row->data_rules(check, memory_);
  for (const Diagnostic& diagnostic : found) find(step, diagnostic, &bound);
  if (!has_error(found)) return true;
  stop_ = StopReason::Error;
  return false;
}

std::size_t Recording::step_bytes() const {
  return steps_.size() * sizeof(Step) + writes_.size() * sizeof(WritePattern) + loops_.size() * sizeof(LoopTurn) +
         bounds_.bytes();
}

std::size_t Recording::held_bytes() const {
  const std::size_t lists = bytes_of_list(steps_) + bytes_of_list(writes_) + bytes_of_list(loops_) +
                            bytes_of_list(findings_) + bytes_of_list(bound_findings_);
  return program_bytes_ + lists + bounds_.bytes() + bounds_.table_bytes() + finding_bytes_ + timeline_.held_bytes() +
         timeline_.memory_bytes() + runner_.held_bytes() + memory_.late_bytes() + timeline_.pages() * kBytesOfPage;
}

std::size_t Recording::least_bytes(const Program& program) {
  // What it is given stands in the program, in the memory and in its snapshot; for everything else see held_bytes.
  const MemoryMap map = program.memory_map();
  const std::size_t core = map.origin(Space::Gm);
  return 4 * program.held_bytes() + 2 * core + map.pages() * (kBytesOfPage + sizeof(std::vector<PageVersion>) + 8);
}

// An operand that has no value the emulator knows: a pointer made of a number, a vector constant.
void Recording::report_unbound(std::size_t index) {
  keep_finding(count(), {"E-VALUE", Severity::Error, program_.instructions[index].pos, "",
                         fmt::format("{}: an operand has no value that the emulator knows",
                                     program_.instructions[index].row->name),
                         program_.instructions[index].row->micro
                             ? "pointers start at an argument of the function, or at a number: pto.castptr"
                             : "views start at an argument of the function"});
  stop_ = StopReason::Error;
}

void Recording::report_fault(const Bound& bound) {
  const Fault& fault = runner_.fault();
  Diagnostic told{fault.rule(),
                  Severity::Error,
                  bound.pos,
                  "",
                  fmt::format("{}: {}", bound.row->name, fault.text()),
                  fault.misaligned ? ""
                  : bound.row->micro
                      ? "mend the pointer or its index; loads have no mask, and reach as far as their word says"
                      : "move the tile away from the end of its memory, or make it smaller"};
  told.kind = fault.misaligned ? FindingKind::Align : FindingKind::Bounds;
  keep_finding(count(), std::move(told));
}

// The end of the range of `bound`'s results or scratch that holds `at`; `at` itself when none does.
Flat Recording::own_range_end(const Bound& bound, Flat at) const {
  const MemoryMap& map = memory_.map();
  const auto end_if_inside = [&](Flat begin, std::uint64_t size) {
    return at >= begin && at < begin + size ? static_cast<Flat>(begin + size) : at;
  };
  // The special registers are nobody's.
  Flat end = end_if_inside(map.origin(Space::Spr, bound.core), map.size(Space::Spr));
  for (const Operand& operand : bound.operands) {
    if (operand.spec->role != Role::Out && operand.spec->role != Role::Tmp && !operand.spec->overwritten) continue;
    if (operand.spec->kind == OperandKind::Tile)
      end = std::max(end, end_if_inside(map.flat(operand.tile.range()), operand.tile.type.size_bytes()));
    if (operand.spec->kind == OperandKind::Global)
      end = std::max(end, end_if_inside(map.flat(Space::Gm, operand.global.buffer_begin),
                                        operand.global.buffer_end - operand.global.buffer_begin));
  }
  return end;
}

// G4: what an instruction writes must lie in its results or its scratch.
void Recording::report_stray_writes(const Bound& bound) {
  // How far one goes from its pointer on is said by counts, strides and streams, not by a tile.
  if (bound.row->micro) return;
  // Joined patterns run over tiles that lie side by side, so a run may need several of them.
  const auto first_stray = [&](Flat begin, Flat end) {
    while (begin < end) {
      const Flat next = own_range_end(bound, begin);
      if (next == begin) break;
      begin = next;
    }
    return std::min(begin, end);
  };
  for (const WritePattern& pattern : runner_.writes()) {
    const Flat all_end = pattern.base + (pattern.count - 1) * pattern.stride + pattern.size;
    if (first_stray(pattern.base, all_end) == all_end) continue;
    for (std::uint32_t i = 0; i < pattern.count; ++i) {
      const Flat begin = pattern.base + i * pattern.stride, end = begin + pattern.size, stray = first_stray(begin, end);
      if (stray == end) continue;
      const ByteRange place = memory_.map().locate(stray);
      Diagnostic told{"G4",
                      Severity::Warning,
                      bound.pos,
                      "",
                      fmt::format("{}: writes {} 0x{:x}..0x{:x} outside its result tiles", bound.row->name,
                                  name(place.space), place.address, place.address + (end - stray)),
                      "make the tile large enough for what the instruction stores"};
      told.kind = FindingKind::Bounds;
      find(count(), std::move(told));
      return;
    }
  }
}

void Recording::undo_step() {
  for (const TouchedPage& touched : runner_.pages()) timeline_.restore_last(memory_, touched.page);
}

std::span<const WritePattern> Recording::writes(std::uint32_t step) const {
  return {writes_.data() + steps_[step].first_write, steps_[step].write_count};
}

}  // namespace ts
