// From a text's tree to a program that can run: names, types, control flow, placement.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program/program.h"
#include "core/text/tree.h"

namespace ts {

struct FunctionIndex;

// A function that a launch may start, or the file itself where it is a list of statements.
struct EntryPoint {
  std::string name;
  text::OpId function = text::kNoId;                         // kNoId: the file's own statements
  text::OpId peer = text::kNoId;                             // of a pair: what the vector cores run
  std::optional<Target> target = {};                         // what the module says
  std::shared_ptr<const FunctionIndex> functions = nullptr;  // of its text; null, or of another one: made when needed
};

struct CompileRequest {
  Target target = Target::A5;
  Options options = {};
  std::uint32_t blocks = 1;
  bool private_slots = false;        // see Program
  std::function<bool()> go_on = {};  // asked now and then; false: it is given up, with an error
  bool begins_block = false;         // a single block begins with a step, too, as several do
};

// Whether a step of the program says that a block begins.
bool begins_block(const Program& program);

// All entry points in the text's order. A note in `out` says why where the text marks none.
std::vector<EntryPoint> entry_points(const text::Tree& tree, Diagnostics& out, const std::function<bool()>& go_on = {});

// The program of one entry point. Names, types and signatures are checked, tiles placed; the rules that need addresses
// and sizes are check_program's. The program may run only when no error is among the diagnostics.
Program compile(std::shared_ptr<const text::Tree> tree, const EntryPoint& entry, const CompileRequest& request,
                Diagnostics& out);

}  // namespace ts
