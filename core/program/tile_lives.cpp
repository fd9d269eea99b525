// Liveness of tiles over the code between and of the steps.
#include "core/program/tile_lives.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "core/catalogue/whole.h"

namespace ts {
namespace {

// More operations than a compiler may look at, all tiles together; then each tile has a place of its own.
constexpr std::uint64_t kMostLooks = 40'000'000;
constexpr std::size_t kMostTiles = 2048;

using TileSet = std::vector<std::uint32_t>;  // ascending

bool add_all(TileSet& to, const TileSet& from) {
  const std::size_t before = to.size();
  TileSet joined;
  std::ranges::set_union(to, from, std::back_inserter(joined));
  to = std::move(joined);
  return to.size() != before;
}

// Which tiles a slot may hold, and on whose bytes a tile may stand.
class TileNames {
 public:
  explicit TileNames(const Program& program)
      : program_(program), held_(program.slots.size()), on_(program.tiles.size()) {
    for (std::size_t slot = 0; slot < held_.size(); ++slot)
      if (program.slots[slot].kind == ValueKind::Tile)
        held_[slot] = {static_cast<std::uint32_t>(program.slots[slot].bits)};
    for (std::uint32_t tile = 0; tile < on_.size(); ++tile) on_[tile] = {tile};
    while (follow_code() || follow_instructions()) {
    }
  }

  const TileSet& held(Slot slot) const {
    static const TileSet kNone;
    return slot < held_.size() ? held_[slot] : kNone;
  }
  const TileSet& on(std::uint32_t tile) const { return on_[tile]; }

 private:
  Slot in(const CodeOp& op, std::size_t i) const { return program_.code_slots[op.slots + i]; }
  Slot out(const CodeOp& op, std::size_t i) const { return program_.code_slots[op.slots + op.ins + i]; }

  bool follow_code() {
    bool more = false;
    for (const CodeOp& op : program_.code) {
      switch (op.kind) {
        case CodeKind::Move:
          for (std::size_t i = 0; i < std::min(op.ins, op.outs); ++i) more |= give(out(op, i), held(in(op, i)));
          break;
        case CodeKind::PickTile:
          for (const std::uint32_t first : TileSet(held(in(op, 0))))
            for (std::uint32_t i = 0; i < op.data; ++i) more |= give(out(op, 0), {first + i});
          break;
        case CodeKind::Window:
        case CodeKind::Alias:
        case CodeKind::Rebase:
          for (const std::uint32_t tile : held(in(op, 0))) more |= add_all(on_[op.data], on_[tile]);
          break;
        default: break;
      }
    }
    return more;
  }

  // An instruction may put its result where a source stands, unless it gives it another place.
  bool follow_instructions() {
    bool more = false;
    for (const Instruction& instruction : program_.instructions) {
      if (instruction.row->effect != Effect::BindsAddress || instruction.row->address_of != nullptr) continue;
      for (const OperandUse& to : instruction.operands)
        for (const OperandUse& from : instruction.operands)
          if (to.spec->role == Role::Out && from.spec->role == Role::In)
            for (const std::uint32_t tile : held(to.slot))
              for (const std::uint32_t source : held(from.slot)) more |= add_all(on_[tile], on_[source]);
    }
    return more;
  }

  bool give(Slot slot, const TileSet& tiles) {
    return slot < held_.size() && !tiles.empty() && add_all(held_[slot], tiles);
  }

  const Program& program_;
  std::vector<TileSet> held_, on_;
};

enum class Access : std::uint8_t { Read, Write, WriteAll };
struct TileAccess {
  std::uint32_t op;
  Access access;
  bool result;  // a result of an instruction, not scratch
};

// By tile: what the code does to its bytes, in the order of the code.
class Accesses {
 public:
  Accesses(const Program& program, const TileNames& names, bool padding)
      : program_(program), names_(names), padding_(padding), of_(program.tiles.size()), open_(program.tiles.size(), 0) {
    for (const CodeOp& op : program.code)
      if (op.kind == CodeKind::SetValid) mark(op, resized_);
    for (std::uint32_t i = 0; i < program.code.size(); ++i) add(i, program.code[i]);
  }

  const std::vector<TileAccess>& of(std::uint32_t tile) const { return of_[tile]; }
  // Its bytes may be touched by what is not seen here.
  bool is_open(std::uint32_t tile) const { return open_[tile] != 0; }

 private:
  void add(std::uint32_t at, const CodeOp& op) {
    switch (op.kind) {
      case CodeKind::Step: return add_step(at, program_.instructions[op.data]);
      case CodeKind::GetElement:
        return for_tiles(op, [&](std::uint32_t tile) { of_[tile].push_back({at, Access::Read, false}); });
      case CodeKind::Move:
      case CodeKind::PickTile:
      case CodeKind::Window:
      case CodeKind::Alias:
      case CodeKind::Rebase:
      case CodeKind::SetValid:
      case CodeKind::GetValid:
      case CodeKind::PlaceTile: return;
      default: for_tiles(op, [&](std::uint32_t tile) { open_[tile] = 1; });
    }
  }

  void add_step(std::uint32_t at, const Instruction& instruction) {
    for (const OperandUse& use : instruction.operands) {
      const TileSet& tiles = names_.held(use.slot);
      const bool result = use.spec->role == Role::Out, scratch = use.spec->role == Role::Tmp;
      for (const std::uint32_t tile : tiles) {
        const bool alone = tiles.size() == 1 && names_.on(tile).size() == 1 && names_.on(tile)[0] == tile;
        const bool all = result && alone && !use.spec->reads &&
                         writes_whole_results(*instruction.row, program_.options) && !leaves_some(tile) &&
                         instruction.row->effect == Effect::None;
        for (const std::uint32_t root : names_.on(tile)) {
          if ((!result && !scratch) || use.spec->reads) of_[root].push_back({at, Access::Read, false});
          if (result || scratch) of_[root].push_back({at, all ? Access::WriteAll : Access::Write, result});
        }
      }
    }
  }

  // Its valid region may be less than what is read of it.
  bool leaves_some(std::uint32_t tile) const {
    const TileType& type = program_.tiles[tile].type;
    const bool all = type.valid_rows == static_cast<std::int32_t>(type.rows) &&
                     type.valid_cols == static_cast<std::int32_t>(type.cols);
    return resized_.contains(tile) || (padding_ && !all);
  }

  template <class F>
  void for_tiles(const CodeOp& op, F f) const {
    for (std::size_t i = 0; i < op.ins; ++i)
      for (const std::uint32_t tile : names_.held(program_.code_slots[op.slots + i]))
        for (const std::uint32_t root : names_.on(tile)) f(root);
  }
  void mark(const CodeOp& op, std::set<std::uint32_t>& tiles) const {
    for (const std::uint32_t tile : names_.held(program_.code_slots[op.slots])) tiles.insert(tile);
  }

  const Program& program_;
  const TileNames& names_;
  const bool padding_;
  std::vector<std::vector<TileAccess>> of_;
  std::vector<char> open_;
  std::set<std::uint32_t> resized_;  // their valid shape changes while they hold something
};

// From which operations each operation is reached.
class Paths {
 public:
  explicit Paths(const Program& program) {
    const std::vector<CodeOp>& code = program.code;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // to, from
    std::vector<std::pair<std::uint32_t, std::uint32_t>> calls;  // function, behind the call
    for (std::uint32_t i = 0; i < code.size(); ++i)
      if (code[i].kind == CodeKind::Call) calls.emplace_back(code[i].data, i + 1);
    std::ranges::sort(calls);
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      const auto go = [&](std::uint32_t to) {
        if (to < code.size()) edges.emplace_back(to, i);
      };
      switch (code[i].kind) {
        case CodeKind::End: break;
        case CodeKind::Jump:
        case CodeKind::WhileNext:
        case CodeKind::Call: go(code[i].data); break;
        case CodeKind::Return: return_to_callers(calls, i, go); break;
        case CodeKind::BranchUnless:
        case CodeKind::LoopEnter:
        case CodeKind::LoopNext:
        case CodeKind::WhileTest: go(code[i].data); [[fallthrough]];
        default: go(i + 1);
      }
    }
    std::ranges::sort(edges);
    first_.resize(code.size() + 1);
    for (const auto& [to, from] : edges) {
      ++first_[to + 1];
      from_.push_back(from);
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  }

  std::span<const std::uint32_t> before(std::uint32_t op) const {
    return std::span(from_).subspan(first_[op], first_[op + 1] - first_[op]);
  }

 private:
  // To all calls of the function that it stands in.
  template <class F>
  static void return_to_callers(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& calls, std::uint32_t at,
                                F go) {
    const auto behind = std::ranges::upper_bound(calls, at, {}, [](const auto& call) { return call.first; });
    for (auto call = behind; call != calls.begin() && std::prev(call)->first == std::prev(behind)->first; --call)
      go(std::prev(call)->second);
  }

  std::vector<std::uint32_t> first_, from_;
};

// One tile after the other.
class Liveness {
 public:
  Liveness(const Paths& paths, std::size_t ops) : paths_(paths), marks_(ops) {}

  // The operations at which the tile's bytes are needed, ascending; nothing: always.
  std::vector<std::uint32_t> needed(const std::vector<TileAccess>& accesses) {
    touched_.clear();
    for (const TileAccess& access : accesses) {
      Mark& mark = at(access.op);
      mark.touched = true;
      mark.writes_all = mark.writes_all || access.access == Access::WriteAll;
    }
    for (const TileAccess& access : accesses)
      if (access.access == Access::Read) need_before(access.op);
    follow();
    // A result that nobody reads, or that is written over before: somebody wants to look at it, or the other write may do
    // nothing.
    const bool unread = std::ranges::any_of(
        accesses, [&](const TileAccess& access) { return access.result && !marks_[access.op].needed_behind; });
    std::vector<std::uint32_t> out;
    const bool always = unread || (!touched_.empty() && marks_[0].needed_before);
    for (const std::uint32_t op : touched_) {
      if (!always && (marks_[op].touched || marks_[op].needed_behind)) out.push_back(op);
      marks_[op] = {};
    }
    std::ranges::sort(out);
    return out;
  }
  std::uint64_t looks() const { return looks_; }

 private:
  struct Mark {
    bool seen = false, touched = false, writes_all = false, needed_before = false, needed_behind = false;
  };

  Mark& at(std::uint32_t op) {
    Mark& mark = marks_[op];
    if (!mark.seen) touched_.push_back(op);
    mark.seen = true;
    return mark;
  }
  void need_before(std::uint32_t op) {
    Mark& mark = at(op);
    if (!mark.needed_before) work_.push_back(op);
    mark.needed_before = true;
  }
  void follow() {
    while (!work_.empty()) {
      const std::uint32_t op = work_.back();
      work_.pop_back();
      for (const std::uint32_t before : paths_.before(op)) {
        ++looks_;
        Mark& mark = at(before);
        mark.needed_behind = true;
        if (!mark.writes_all) need_before(before);
      }
    }
  }

  const Paths& paths_;
  std::vector<Mark> marks_;  // by operation
  std::vector<std::uint32_t> touched_, work_;
  std::uint64_t looks_ = 0;
};

}  // namespace

TileLives::TileLives(const Program& program, bool padding) {
  const auto placed_here = [](const TileDecl& tile) { return !tile.alias && !tile.placed; };
  if (program.code.empty() || std::ranges::count_if(program.tiles, placed_here) > std::ptrdiff_t{kMostTiles}) return;
  const TileNames names(program);
  const Accesses accesses(program, names, padding);
  const Paths paths(program);
  Liveness liveness(paths, program.code.size());
  ranges_.resize(program.tiles.size());
  for (std::uint32_t tile = 0; tile < program.tiles.size() && liveness.looks() < kMostLooks; ++tile) {
    if (!placed_here(program.tiles[tile]) || accesses.is_open(tile)) continue;
    for (const std::uint32_t op : liveness.needed(accesses.of(tile))) {
      std::vector<Range>& ranges = ranges_[tile];
      if (!ranges.empty() && ranges.back().end == op) ++ranges.back().end;
      else ranges.push_back({op, op + 1});
    }
  }
}

bool TileLives::may_share(std::uint32_t tile, std::uint32_t other) const {
  if (std::max(tile, other) >= ranges_.size() || ranges_[tile].empty() || ranges_[other].empty()) return false;
  auto a = ranges_[tile].begin(), b = ranges_[other].begin();
  while (a != ranges_[tile].end() && b != ranges_[other].end()) {
    if (a->begin < b->end && b->begin < a->end) return false;
    a->end <= b->end ? ++a : ++b;
  }
  return true;
}

}  // namespace ts
