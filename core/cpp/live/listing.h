// The calls that a run made as a program's text: one line for each place that called, in the order in which they first did,
// with its place in the source behind it. It is compiled like any text, so that whatever reads programs reads this; what ran
// is in the recording's steps. Loops of the source have a line each, as a comment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cpp/live/loops.h"
#include "core/cpp/live/queues.h"
#include "core/program/program.h"
#include "core/text/source.h"
#include "core/text/type.h"

namespace ts::cpp {

struct ListedCall {
  CoreKind kind = CoreKind::Joint;  // of the cores that call it
  const Instruction* instruction = nullptr;
  const Bound* bound = nullptr;  // how it was bound first
  struct Place {
    std::string file;
    std::uint32_t line = 0, column = 0;
  };
  std::vector<Place> at;  // its own, then its callers
  std::string text;       // as the source has it; stands behind the line, for people
};

// How the ends of queues were set up, by the kind of core.
using PipesOfCores = std::map<CoreKind, std::vector<QueueEnds>>;

// What became of the program's instructions and tiles: the places of the former, by the numbers that they had, and the
// numbers that they have now.
struct Listing {
  std::vector<SourcePos> places;
  std::vector<std::uint32_t> instructions, tiles;
};
// Gives the program this text. A core's code stands in one place of it, so that of several cores the calls get other
// numbers. Where the text does not compile, the program stays as it is.
Listing make_listing(Program& program, const std::vector<ListedCall>& calls, std::vector<StepLoops::Loop>& loops,
                     const PipesOfCores& pipes);

// How text spells a type of elements.
text::ScalarKind scalar_kind_of(DType dtype);

// Whether a text is called as listings are.
bool is_listing_name(std::string_view name);
std::string source_of_listing(const std::string& name);
// Where the call of a listing's line stands in the source; nothing: it is no line of a call.
std::optional<ListedCall::Place> place_of_call(const text::Source& listing, std::uint32_t line);

}  // namespace ts::cpp
