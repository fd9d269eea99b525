// A compilation at work: its parts, each with a state of its own. Handlers of operations (dialects.h) work on it.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "core/compile/arguments.h"
#include "core/compile/code_writer.h"
#include "core/compile/functions.h"
#include "core/compile/messages.h"
#include "core/compile/names.h"
#include "core/compile/registers.h"
#include "core/compile/tiles.h"
#include "core/compile/tree_reader.h"
#include "core/isa/stop_question.h"
#include "core/program/cores/queue_steps.h"
#include "core/program/program.h"

namespace ts {

// Storage of a queue: who reserves it or takes it over, under which name. Where it stands is known when all tiles do.
struct QueueStorage {
  std::string name, function;
  std::uint32_t tile;
  Slot slot;
};
struct QueueStorageUse {
  std::uint32_t queue;
  Slot slot;
};
// What a queue does to sums on their way out of the cube core.
struct QueueEpilogue {
  std::optional<DType> to = {};
  SumFactor factor = SumFactor::None;
  bool relu = false;
};
struct QueueBook {
  std::vector<QueueStorage> reserved, imported;
  std::vector<QueueStorageUse> ends;
  std::map<std::uint32_t, QueueEpilogue> epilogues;  // by queue
  std::map<std::uint32_t, Slot> factors, columns;    // by id: what was set last
  bool splits = false;                               // an entry is for both vector cores
};

// The registers that copies by pointers of the old kind loop by: of a direction the counts and strides of the inner and the
// outer loop, which stay until they are set anew.
struct CopyLoop {
  Slot count = kNoSlot, from_step = kNoSlot, to_step = kNoSlot;
};
struct CopyLoops {
  CopyLoop inner, outer;
};

struct Compilation {
  Compilation(const std::shared_ptr<const text::Tree>& text, Target target, const Options& options, Diagnostics& out)
      : tree(*text), messages(*text->source, out) {
    program.target = target;
    program.options = options;
    program.tree = text;
    program.kernel = text->kernel;
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  Program program;
  TreeReader tree;
  Messages messages;
  CodeWriter code{program, messages};
  Names names{tree, messages, code};
  Tiles tiles{program, tree, messages, code, names};
  Arguments arguments{program, tree, messages, code, names, tiles};
  Registers registers{program, tree, messages, code, names, tiles};
  Functions functions{tree, messages, code};

  // It was stopped, or there are so many errors that going on helps nobody.
  bool gives_up() { return stop.stops() || messages.hopeless(); }

  StopQuestion stop;
  CoreKind kind = CoreKind::Joint;  // that the code at hand is for
  QueueBook queues;
  CopyLoops loops_in, loops_out;           // into UB, out of it
  std::optional<bool> has_vector_section;  // once asked
};

}  // namespace ts
