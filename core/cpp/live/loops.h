// The loops around steps of compiled code: which loops of the source a call stands in is seen there, and a turn begins where
// the calls go back to something that stands before.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/cpp/scan.h"
#include "core/program/execution.h"

namespace ts::cpp {

// A line of a chain of calls.
struct ChainPlace {
  std::string file;
  std::uint32_t line = 0, column = 0;
};
// From the entry to the call.
using CallChain = std::vector<ChainPlace>;

class StepLoops {
 public:
  // `chains`: by instruction; `loops_of`: of a file.
  StepLoops(const std::vector<CallChain>& chains,
            const std::function<std::vector<SourceLoop>(const std::string&)>& loops_of);

  // All that calls stand in, each once; `told` is where a listing tells of it, and what turns get as their place.
  struct Loop {
    std::string file;
    SourceLoop at;
    SourcePos told = {};
  };
  std::vector<Loop>& all() { return loops_; }

  // The loops around the next step of a core.
  const std::vector<LoopTurn>& next(std::uint32_t instruction, CoreId core);
  void begin_block(CoreId core);

 private:
  // A loop that the path enters, or a place in it.
  struct Item {
    bool loop = false;
    std::uint32_t line = 0, column = 0;
    std::size_t number = 0;  // of a loop
    bool operator==(const Item&) const = default;
    bool before(const Item& other) const { return line < other.line || (line == other.line && column < other.column); }
  };
  using Path = std::vector<Item>;
  // Where a core is.
  struct Walk {
    const Path* last = nullptr;
    std::vector<LoopTurn> turns;
  };
  void enter(Walk& walk, const Path& path, std::size_t from);

  std::vector<Loop> loops_;
  std::vector<Path> paths_;  // by instruction
  std::map<CoreId, Walk> walks_;
  std::uint32_t entries_ = 0;
};

}  // namespace ts::cpp
