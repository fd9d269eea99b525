// The run as a whole: whose turn it is, and what is said of it when it is over.
#include "core/cpp/live/source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/cpp/live/core.h"
#include "core/cpp/live/listing.h"
#include "core/cpp/live/source_lines.h"
#include "core/cpp/scan.h"
#include "core/text/tree.h"

namespace ts::cpp {

LiveSource::LiveSource(Program& program, const Memory& memory, const WalkLimits& limits, ProgramFiles files,
                       const Launch& launch)
    : run_(program, memory, limits, std::move(files), launch) {
  // What an earlier run of the same program came to.
  program.tiles.clear();
  program.instructions.clear();
  program.code.clear();
  program.queues.clear();
  program.queue_uses.clear();
  program.code_slots.clear();
  stub_ = std::move(program.tree);
  program.listed = true;
  const bool compiled = std::ranges::none_of(run_.program_files, [](const auto& one) { return one.second.empty(); });
  if (!compiled) {
    fail("E-CPP-COMPILE", fmt::format("the kernel does not compile for {}", name(program.target)),
         "run it with this target to see the compiler's errors");
    return;
  }
  if (const std::string wrong = run_.file.make(launch, program.cores_at_once()); !wrong.empty()) {
    fail("E-CPP-CRASH", wrong, "");
    return;
  }
  run_.meetings.resize(program.cores_at_once());
  schedule_.emplace(program, limits, [this](CoreId core, Together& together) {
    return std::make_unique<LiveCore>(run_, queues_, core, together);
  });
}

bool LiveSource::fail(std::string rule, std::string text, std::string hint) {
  problem_ = Diagnostic{std::move(rule), Severity::Error, {}, "", std::move(text), std::move(hint)};
  return false;
}

bool LiveSource::next() {
  if (problem_) return false;
  if (schedule_->next()) return ++steps_, true;
  waits_ = schedule_->waits();
  return schedule_->stop() == WalkStop::End && !run_.called ? called_nothing() : false;
}

// Conditions that depend on the core may hide all of a kernel's code.
bool LiveSource::called_nothing() {
  const std::string file = stub_ == nullptr ? "" : stub_->source->name();
  const std::string condition = hiding_condition(run_.names.text(file));
  return fail("E-CPP-EMPTY", "the kernel called no instruction",
              condition.empty() ? "is all of its code behind a condition?"
                                : fmt::format("{} {}: is it false? -D defines a macro", file_name(file), condition));
}

// What stands before the first step is the program's; that step says where a tile stands, or that a block begins.
std::vector<HostWrite> LiveSource::take_host_writes() {
  return steps_ <= 1 ? std::vector<HostWrite>() : run_.changes.take();
}

// What the kernel printed, in a line; "": nothing.
std::string LiveSource::printed_line() const {
  constexpr std::size_t kMostShown = 5;
  const std::string printed = run_.all_printed();
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
  Diagnostics out = schedule_ ? schedule_->uneven() : Diagnostics{};
  const auto note = [&](const char* rule, std::string text, const char* hint) {
    Diagnostic one{rule, Severity::Note, {}, "", std::move(text), hint};
    out.push_back(std::move(one));
  };
  if (const std::string printed = printed_line(); !printed.empty())
    note("W-CPP-OUTPUT", "the kernel printed: " + printed, "");
  if (!run_.placed.empty()) {
    constexpr std::size_t kMostShown = 8;
    std::vector<std::string> names(run_.placed.begin(), run_.placed.end());
    const std::string more = names.size() > kMostShown ? ", ..." : "";
    names.resize(std::min(names.size(), kMostShown));
    note("W-CPP-PLACED", fmt::format("without a TASSIGN, so placed for the run: {}{}", fmt::join(names, ", "), more),
         "on the device the compiler or a TASSIGN says where tiles stand");
  }
  if (run_.blocks_were_asked() && run_.program.blocks == 1)
    note("W-CPP-BLOCKS", "the kernel asked for the number of blocks; it ran as one", "--blocks N runs more");
  return out;
}

Environment::TileState LiveSource::place_of(std::uint32_t tile) const {
  if (tile < places_.size()) return places_[tile];
  // The text's own, which no call used.
  const TileDecl& decl = run_.program.tiles[tile];
  return {decl.address, decl.valid_rows, decl.valid_cols, true};
}

// By instruction, from the entry to the call.
std::vector<CallChain> LiveSource::call_chains() const {
  std::map<CoreKind, std::vector<std::uint64_t>> addresses;
  for (const std::uint32_t number : run_.site_of)
    for (const std::uint64_t address : run_.sites[number].chain.address)
      if (address != 0) addresses[run_.sites[number].kind].push_back(address - 1);
  std::map<CoreKind, SourceLines> lines;
  for (const auto& [kind, those] : addresses) lines[kind] = lines_of_addresses(run_.program_files.at(kind), those);
  std::vector<CallChain> out;
  for (const std::uint32_t number : run_.site_of) {
    const Site& site = run_.sites[number];
    CallChain& chain = out.emplace_back();
    if (site.file.empty()) continue;
    for (const std::uint64_t address : site.chain.address)
      if (address != 0)
        for (const ChainPlace& place : lines[site.kind].at(address - 1)) chain.push_back(place);
    // The compiler knows the call's own line, with its column.
    const ChainPlace own{site.file, site.line, site.column};
    if (chain.empty() || chain.front().line != own.line || file_name(chain.front().file) != file_name(own.file))
      chain.insert(chain.begin(), own);
    chain.front() = own;
    std::ranges::reverse(chain);
  }
  return out;
}

// Where tiles stand at the end, by their numbers in the text.
void LiveSource::keep_places(std::vector<Environment::TileState> there, const std::vector<std::uint32_t>& tiles) {
  places_ = there;
  for (std::uint32_t tile = 0; tile < tiles.size(); ++tile) {
    if (tiles[tile] >= places_.size()) places_.resize(tiles[tile] + 1);
    places_[tiles[tile]] = there[tile];
  }
}

namespace {

// A slot that nothing is known of.
Slot unknown_slot(Program& program) {
  const auto unknown = std::ranges::find_if(program.slots, [](const Value& value) { return !value.known(); });
  if (unknown != program.slots.end()) return static_cast<Slot>(unknown - program.slots.begin());
  program.slots.emplace_back();
  return static_cast<Slot>(program.slots.size() - 1);
}

}  // namespace

StepSource::Finished LiveSource::finish() {
  Program& program = run_.program;
  const std::vector<CallChain> chains = call_chains();
  std::vector<ListedCall> calls;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Site& site = run_.sites[run_.site_of[i]];
    std::vector<ListedCall::Place> places;
    for (auto place = chains[i].rbegin(); place != chains[i].rend(); ++place)
      places.push_back({place->file, place->line, place->column});
    calls.push_back({site.kind, &program.instructions[i], run_.first[i] ? &*run_.first[i] : nullptr, std::move(places),
                     site.file.empty() && site.op == kLaunchOver
                         ? "all that was launched is done"
                         : run_.names.call(site.file, site.op, site.line, site.column)});
  }
  const auto loops = std::make_shared<StepLoops>(
      chains, [this](const std::string& file) { return scan_loops(run_.names.text(file)); });
  std::vector<Environment::TileState> there;
  for (std::uint32_t tile = 0; schedule_ && tile < program.tiles.size(); ++tile)
    there.push_back(schedule_->place_of(tile));
  Listing listing = make_listing(program, calls, loops->all(), queues_.ends());
  keep_places(there, listing.tiles);
  for (CoreWait& wait : waits_)
    if (wait.pos.line > 0 && wait.pos.line <= listing.places.size()) wait.pos = listing.places[wait.pos.line - 1];
  if (program.tree == nullptr) program.tree = stub_;
  // Without a list that compiles, the numbers of its calls are unknown.
  for (Instruction& instruction : program.instructions)
    for (OperandUse& use : instruction.operands)
      if (use.slot == kNoSlot) use.slot = unknown_slot(program);
  Finished out{std::move(listing.places), std::move(listing.instructions), std::move(listing.tiles), {}};
  out.loops = [loops, begin = run_.begin_block](std::uint32_t instruction, CoreId core) -> std::span<const LoopTurn> {
    if (begin && instruction == *begin) {
      loops->begin_block(core);
      return {};
    }
    return loops->next(instruction, core);
  };
  return out;
}

}  // namespace ts::cpp
