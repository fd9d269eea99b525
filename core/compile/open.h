// From a file's text to a program ready to run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/compile/compiler.h"
#include "core/program/inputs.h"
#include "core/text/parse/parse_limits.h"

namespace ts {

// The text's tree; what is wrong with it is in `out`.
std::shared_ptr<const text::Tree> read_program(std::string name, std::string text, Diagnostics& out,
                                               const text::ParseLimits& limits = {});

struct OpenRequest {
  std::optional<Target> target;  // else the module's own, else A2A3, the assembler's default
  Options options = {};
  std::uint32_t blocks = 1;
  bool private_slots = false;
  InputValues inputs = {};
  WalkLimits limits = {};
};

struct Opened {
  Program program;
  std::vector<InputSource> inputs;
};

// Compiles, binds inputs, and asks the rules that need no execution. Nothing when an error is told in `out`.
std::optional<Opened> open_program(std::shared_ptr<const text::Tree> tree, const EntryPoint& entry,
                                   const OpenRequest& request, Diagnostics& out);

}  // namespace ts
