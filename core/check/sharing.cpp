// Tiles and scratch in bytes that somebody else still needs.
//
// Every byte of the core's memories has an owner: the tile (with its aliases) that it was written as last. Who writes
// it as something else destroys the owner's value; that is told once somebody reads it as the old owner, with no write
// as that one between.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/check/sharing_operands.h"
#include "core/check/sharing_runs.h"
#include "core/check/walk.h"
#include "core/debug/origins/lifetimes.h"
#include "core/debug/origins/step_index.h"

namespace ts {
namespace {

// Owners that are no tile. Of bytes that are anybody's nothing is told.
constexpr std::uint32_t kNobody = ~0u, kAnybody = ~0u - 1;

// By tile, as alias_roots; what only running tells, an alias of a tile that goes through a loop or a branch, is
// anybody.
std::vector<std::uint32_t> owners_of_tiles(const Program& program) {
  std::vector<std::uint32_t> roots = alias_roots(program);
  std::vector<char> unknown(roots.size(), 0);
  for (const CodeOp& op : program.code) {
    if (op.kind != CodeKind::Window && op.kind != CodeKind::Alias) continue;
    if (program.slots[program.code_slots[op.slots]].kind != ValueKind::Tile) unknown[op.data] = 1;
  }
  for (std::uint32_t& root : roots)
    if (unknown[root]) root = kAnybody;
  return roots;
}

bool has_offsets(const Bound& bound) {
  return std::ranges::any_of(bound.operands, [](const Operand& o) { return o.spec->role == Role::Offsets; });
}

bool is_tile_of_core(const Operand& operand) {
  return operand.spec->kind == OperandKind::Tile && is_core_memory(operand.tile.space());
}

// The first of the bytes that took part in a result.
std::optional<Flat> first_used(const Flow& flow, const MemoryMap& map, Flat begin, Flat end) {
  const auto used = [&](Flat from, Flat to) { return !flow.reached_by(map.locate(from, to - from)).empty(); };
  if (!used(begin, end)) return {};
  while (end - begin > 1) {
    const Flat middle = begin + (end - begin) / 2;
    used(begin, middle) ? end = middle : begin = middle;
  }
  return begin;
}

class SharingExaminer : public Examiner {
 public:
  explicit SharingExaminer(const Recording& recording)
      : recording_(recording),
        map_(recording.map()),
        owner_of_(owners_of_tiles(recording.program())),
        destroyed_(owner_of_.size()),
        made_of_(owner_of_.size()),
        place_(owner_of_.size(), kNowhere),
        listed_(owner_of_.size(), 0) {
    own_inputs();
  }

  void look(CheckedStep& step, FindingSink& sink) override {
    const Bound& bound = step.bound();
    own_edits(step.number());
    if (bound.row->effect == Effect::StartsBlock) return forget();
    if (bound.row->effect == Effect::BindsAddress) return;
    for (const Operand& operand : bound.operands)
      if (is_read(operand) && is_tile_of_core(operand)) look_at_read(step, operand, sink);
    if (!step.writes().empty()) follow_writes(step);
    if (pieces_ > kMostPieces) forget();
  }

 private:
  // So many pieces of values are no program's, and would fill the memory: what happened until then is forgotten.
  static constexpr std::size_t kMostPieces = 4'000'000;

  // No place; and from so many owners on nobody asks what a value was made of.
  static constexpr Flat kNowhere = ~Flat{0};
  static constexpr std::size_t kMostSources = 64;

  // A value that is lost: the step that wrote over it, where it began, and how many of its bytes a reader still wants.
  struct Loss {
    std::uint32_t step;
    Flat at;
    std::uint64_t bytes;
  };

  // --- what is read ---

  void look_at_read(CheckedStep& step, const Operand& operand, FindingSink& sink) {
    const std::uint32_t owner = owner_of_[operand.id];
    if (owner == kAnybody || destroyed_[owner].empty()) return;
    runs_.clear();
    add_meant_reads(map_, step.bound(), operand, runs_);
    std::optional<Flow> flow;
    if (has_offsets(step.bound())) flow = step.flow();
    losses_.clear();
    for (const FlatRange& run : runs_)
      destroyed_[owner].visit(run.begin, run.end,
                              [&](Flat begin, Flat end, std::uint32_t by) { add_loss(by, begin, end, flow); });
    for (const Loss& loss : losses_)
      if (told_.insert(std::uint64_t{loss.step} << 32 | owner).second) tell(step, operand, loss, sink);
  }

  void add_loss(std::uint32_t by, Flat begin, Flat end, const std::optional<Flow>& flow) {
    auto loss = std::ranges::find(losses_, by, &Loss::step);
    if (loss != losses_.end()) {
      if (!flow) loss->bytes += end - begin;
      return;
    }
    if (flow) {
      if (const auto used = first_used(*flow, map_, begin, end)) losses_.push_back({by, *used, 0});
    } else {
      losses_.push_back({by, begin, end - begin});
    }
  }

  // At the step that wrote over the value; `reader` is of the one that wants it.
  void tell(const CheckedStep& step, const Operand& reader, const Loss& loss, FindingSink& sink) const {
    const Program& program = recording_.program();
    const Bound& bound = recording_.bound(loss.step);
    const int operand = written_operand(map_, bound, loss.at);
    const FoundElement written = found_at(map_, bound, operand, loss.at);
    const auto reading = static_cast<int>(&reader - step.bound().operands.data());
    const std::string lost = element_name(program, step.bound(), found_at(map_, step.bound(), reading, loss.at));
    const std::string victim = program.operand_name(reader),
                      late = fmt::format("{} (step {})", step.bound().row->name, step.number());
    const Operand* by = operand < 0 ? nullptr : &bound.operands[static_cast<std::size_t>(operand)];
    const bool scratch = by != nullptr && by->spec->role == Role::Tmp;
    std::string text = fmt::format("{}{} stands on {}, which {} still reads", scratch ? "scratch " : "",
                                   element_name(program, bound, written), lost, late);
    if (loss.bytes != 0) text += fmt::format(": {} bytes of {} are lost", loss.bytes, victim);
    sink.add(scratch ? FindingKind::Scratch : FindingKind::Alias, loss.step, std::move(text),
             hint_of(program, by, victim, scratch), written,
             {{step.bound().pos, fmt::format("{} reads what is left of {}", late, victim)}});
  }

  static std::string hint_of(const Program& program, const Operand* by, const std::string& victim, bool scratch) {
    if (by == nullptr) return fmt::format("place {} further away", victim);
    const std::string writer = program.operand_name(*by);
    if (scratch) return fmt::format("give {} bytes of its own: what it held before is gone after the step", writer);
    return fmt::format(
        "place {} elsewhere, or read {} before this step; where both are meant to be the same bytes, make "
        "one an alias of the other (pto.treshape, pto.bitcast, pto.subset)",
        writer, victim);
  }

  // --- what is written ---

  // A result or scratch of the step.
  struct Holder {
    Flat begin, end;
    std::uint32_t owner;
    bool scratch;
  };

  void follow_writes(const CheckedStep& step) {
    holders_.clear();
    for (const Operand& operand : step.bound().operands) {
      const Role role = operand.spec->role;
      if ((role != Role::Out && role != Role::Tmp) || !is_tile_of_core(operand)) continue;
      const ByteRange all = operand.tile.range();
      const Flat begin = map_.flat(all);
      holders_.push_back({begin, begin + all.size, owner_of_[operand.id], role == Role::Tmp});
    }
    follow_sources(step.bound());
    // The special registers are nobody's, and buffers have names of their own.
    const Flat core_end = map_.origin(Space::Spr);
    for (const WritePattern& pattern : step.writes())
      if (pattern.base < core_end)
        for_runs(pattern, [&](Flat begin, std::uint32_t size) { split_write(step.number(), begin, begin + size); });
  }

  // What the results of this step are made of: the owners of what it reads, and what those were made of.
  void follow_sources(const Bound& bound) {
    sources_.clear();
    for (const Operand& operand : bound.operands) {
      if (!is_tile_of_core(operand) || owner_of_[operand.id] == kAnybody) continue;
      const std::uint32_t owner = owner_of_[operand.id];
      place_[owner] = map_.flat(operand.tile.range());
      if (!is_read(operand)) continue;
      sources_.push_back(owner);
      sources_.insert(sources_.end(), made_of_[owner].begin(), made_of_[owner].end());
    }
    std::ranges::sort(sources_);
    sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
    if (sources_.size() > kMostSources) sources_.clear();
    for (const Holder& holder : holders_)
      if (!holder.scratch && holder.owner != kAnybody) made_of_[holder.owner] = sources_;
  }

  // Two names of one place, the value of one made of that of the other: an update in place, also over the turns of a loop.
  bool goes_on_as(std::uint32_t owner, const Holder& holder) const {
    return place_[owner] == holder.begin && std::ranges::binary_search(sources_, owner);
  }

  // Joined patterns run over tiles that lie side by side.
  void split_write(std::uint32_t step, Flat begin, Flat end) {
    while (begin < end) {
      Flat piece_end = end;
      for (const Holder& holder : holders_) {
        if (holder.begin > begin) piece_end = std::min(piece_end, holder.begin);
        else if (holder.end > begin) piece_end = std::min(piece_end, holder.end);
      }
      write(step, begin, piece_end);
      begin = piece_end;
    }
  }

  // All of the bytes belong to the same results.
  void write(std::uint32_t step, Flat begin, Flat end) {
    const auto holds = [&](const Holder& holder) {
      return !holder.scratch && holder.begin <= begin && begin < holder.end;
    };
    const auto is_result = [&](std::uint32_t owner) {
      return std::ranges::any_of(holders_,
                                 [&](const Holder& holder) { return holds(holder) && holder.owner == owner; });
    };
    if (is_result(kAnybody)) return give_to_anybody(begin, end);
    const auto goes_on = [&](std::uint32_t owner) {
      return std::ranges::any_of(holders_,
                                 [&](const Holder& holder) { return holds(holder) && goes_on_as(owner, holder); });
    };
    owners_.visit(begin, end, [&](Flat from, Flat to, std::uint32_t owner) {
      if (owner != kNobody && owner != kAnybody && !is_result(owner) && !goes_on(owner)) destroy(owner, from, to, step);
    });
    for (const std::uint32_t owner : sources_)
      if (goes_on(owner)) restore(owner, begin, end);
    std::uint32_t owner = kNobody;
    for (const Holder& holder : holders_) {
      if (!holds(holder)) continue;
      restore(holder.owner, begin, end);
      if (owner == kNobody) owner = holder.owner;
    }
    owners_.set(begin, end, owner);
  }

  void destroy(std::uint32_t owner, Flat begin, Flat end, std::uint32_t step) {
    if (std::exchange(listed_[owner], 1) == 0) with_losses_.push_back(owner);
    pieces_ -= destroyed_[owner].size();
    destroyed_[owner].set(begin, end, step);
    pieces_ += destroyed_[owner].size();
  }

  void restore(std::uint32_t owner, Flat begin, Flat end) {
    pieces_ -= destroyed_[owner].size();
    destroyed_[owner].erase(begin, end);
    pieces_ += destroyed_[owner].size();
  }

  void give_to_anybody(Flat begin, Flat end) {
    for (const std::uint32_t owner : with_losses_) restore(owner, begin, end);
    owners_.set(begin, end, kAnybody);
  }

  // --- what no step wrote ---

  void own_inputs() {
    const std::vector<TileDecl>& tiles = recording_.program().tiles;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (tiles[i].data.empty()) continue;
      static constexpr OperandSpec kInput = in("input");
      Operand operand;
      operand.spec = &kInput;
      operand.tile = {tiles[i].type, tiles[i].address, tiles[i].valid_rows, tiles[i].valid_cols};
      runs_.clear();
      add_meant_reads(map_, {}, operand, runs_);
      for (const FlatRange& run : runs_) owners_.set(run.begin, run.end, owner_of_[i]);
    }
  }

  // Bytes that were changed by hand are what everybody is meant to read there.
  void own_edits(std::uint32_t position) {
    for (const Edit& edit : recording_.edits_at(position)) {
      if (!is_core_memory(edit.space)) continue;
      const Flat begin = map_.flat(edit.place());
      give_to_anybody(begin, begin + edit.place().size);
    }
  }

  void forget() {
    owners_.clear();
    for (const std::uint32_t owner : with_losses_) destroyed_[owner].clear(), listed_[owner] = 0;
    for (auto& sources : made_of_) sources.clear();
    with_losses_.clear();
    pieces_ = 0;
  }

  const Recording& recording_;
  const MemoryMap& map_;
  std::vector<std::uint32_t> owner_of_;  // by tile
  ByteRuns<std::uint32_t> owners_;
  // By owner: which of its bytes were written over, and by which step.
  std::vector<ByteRuns<std::uint32_t>> destroyed_;
  std::vector<std::vector<std::uint32_t>> made_of_;  // by owner: those whose values went into its own, ascending
  std::vector<Flat> place_;                          // by owner: where it stood last
  std::vector<std::uint32_t> sources_;               // of the step that is looked at
  std::vector<std::uint32_t> with_losses_;           // owners that have some, or had
  std::vector<char> listed_;                         // by owner: is in with_losses_
  std::size_t pieces_ = 0;                           // of all in destroyed_
  std::unordered_set<std::uint64_t> told_;           // steps and owners
  std::vector<FlatRange> runs_;                      // while a step is looked at
  std::vector<Loss> losses_;
  std::vector<Holder> holders_;
};

}  // namespace

std::unique_ptr<Examiner> examine_sharing(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Alias) == Level::Off && options.of(FindingKind::Scratch) == Level::Off) return nullptr;
  return std::make_unique<SharingExaminer>(recording);
}

}  // namespace ts
