// Paths of calls, and what changes from one to the next.
#include "core/cpp/live/loops.h"

#include <algorithm>
#include <map>

namespace ts::cpp {

StepLoops::StepLoops(const std::vector<CallChain>& chains,
                     const std::function<std::vector<SourceLoop>(const std::string&)>& loops_of) {
  std::map<std::string, std::vector<SourceLoop>> known;
  const auto number_of = [&](const std::string& file, const SourceLoop& loop) {
    const auto same = [&](const Loop& one) {
      return one.file == file && one.at.begin == loop.begin && one.at.column == loop.column;
    };
    const auto found = std::ranges::find_if(loops_, same);
    if (found != loops_.end()) return static_cast<std::size_t>(found - loops_.begin());
    loops_.push_back({file, loop});
    return loops_.size() - 1;
  };
  for (const CallChain& chain : chains) {
    Path& path = paths_.emplace_back();
    for (const ChainPlace& place : chain) {
      const auto [loops, made] = known.try_emplace(place.file);
      if (made) loops->second = loops_of(place.file);
      for (const SourceLoop& loop : loops->second)
        if (loop.holds(place.line)) path.push_back({true, loop.begin, loop.column, number_of(place.file, loop)});
      path.push_back({false, place.line, place.column, 0});
    }
  }
}

void StepLoops::begin_block(CoreId core) { walks_[core] = {}; }

// Loops of the path from there on are entered.
void StepLoops::enter(Walk& walk, const Path& path, std::size_t from) {
  for (std::size_t i = from; i < path.size(); ++i)
    if (path[i].loop)
      walk.turns.push_back({.variable = 0, .turn = 0, .entry = entries_++, .pos = loops_[path[i].number].told});
  walk.last = &path;
}

const std::vector<LoopTurn>& StepLoops::next(std::uint32_t instruction, CoreId core) {
  const Path& path = paths_[instruction];
  Walk& walk = walks_[core];
  if (walk.last == nullptr) return enter(walk, path, 0), walk.turns;
  const Path& last = *walk.last;
  std::size_t same = 0;
  while (same < path.size() && same < last.size() && path[same] == last[same]) ++same;
  const auto loops_before = [&](std::size_t end) {
    return static_cast<std::size_t>(std::count_if(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(end),
                                                  [](const Item& item) { return item.loop; }));
  };
  const bool again = same == path.size() && same == last.size();
  const bool back = again || (same < path.size() && same < last.size() && path[same].before(last[same]));
  const std::size_t kept = loops_before(same);
  walk.turns.resize(std::min(walk.turns.size(), kept));
  if (back && kept != 0) {
    // The innermost loop around both begins another turn; what it holds begins anew.
    ++walk.turns[kept - 1].turn;
    walk.turns[kept - 1].variable = walk.turns[kept - 1].turn;
  }
  enter(walk, path, same);
  return walk.turns;
}

}  // namespace ts::cpp
