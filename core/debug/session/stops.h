// What makes a run through a recording stop: breakpoints, watchpoints, the first NaN, with conditions and counts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/debug/origins/cell.h"
#include "core/debug/session/core_choice.h"
#include "core/isa/refusal.h"
#include "core/memory/memory.h"

namespace ts {

enum class Touch : std::uint8_t { Write, Change, Read };
const char* name(Touch touch);

// Bytes to watch, and how the user calls them.
struct Watched {
  std::vector<ByteRange> bytes;
  Touch touch = Touch::Write;
  std::string text;
};

// A line that somebody wrote: the first step of each visit to it, or to a call from it. The file is named as people type it
// (SourceMap::find_file); its number is for the session to find.
struct SourceStop {
  std::string file;
  std::uint32_t line = 0;
  std::optional<std::uint32_t> number = {};
};

// What a stop waits for. All that is given has to hold of the same step. Without watch, nan, inf, finding and differs it
// stops before the step; with one of them, when the step has been made or, backwards, undone.
struct StopRule {
  std::optional<std::uint32_t> step = {};
  std::optional<std::uint32_t> line = {};
  std::optional<SourceStop> source = {};
  std::string op = {};                  // the mnemonic, without pto.
  std::optional<CoreChoice> core = {};  // by its text; the rest is for the session to find
  std::optional<Watched> watch = {};
  bool nan = false, inf = false;  // produced: its results hold one that nothing it was made of held
  bool finding = false;           // something was found in it
  bool differs = false;           // its results are not those of the session's reference
  std::uint64_t ignore = 0;       // so many hits pass by
  std::string log = {};           // said instead of stopping, with {step}, {op}, {line}, {hits}, {position}, {%tile}
  bool once = false;              // gone after it stopped
  // Asked when all else holds, with the session standing where it would stop.
  enum class Answer : std::uint8_t { Yes, No, Remove, Failed };
  std::function<Answer(std::uint32_t step)> when = {};
};

// A mnemonic as rows call it: TADD and pto.tadd are tadd.
std::string plain_op(std::string op);

using StopId = std::uint32_t;

struct StopEntry {
  StopId id = 0;
  StopRule rule;
  bool enabled = true;
  std::uint64_t hits = 0;
};

struct Stopped {
  enum class Reason : std::uint8_t {
    Rule,         // a stop of the user's
    End,          // the recording's end: the program came to its own
    Start,        // backwards: the first position
    Error,        // the recording's end: the program could not go on
    Interrupted,  // whoever asked said so
    Failed,       // a condition could not be answered
    Done,         // stepped as asked
  };
  Reason reason = Reason::Done;
  StopId stop = 0;                          // of Rule and Failed
  std::uint32_t step = 0;                   // that it is about; of Start, End and Error the one next to it
  std::optional<Cell> cell = {};            // of watch, nan, inf and differs: the first that counts
  std::optional<std::size_t> finding = {};  // index in the findings of the session
};
const char* name(Stopped::Reason reason);

}  // namespace ts
