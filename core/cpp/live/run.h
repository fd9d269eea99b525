// What the processes of a run share: the program, which grows as they call, the places in the source that they call from,
// and the memory that all of them map.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/cpp/call.h"
#include "core/cpp/call_names.h"
#include "core/cpp/live/memory.h"
#include "core/program/execution.h"
#include "core/program/step_source.h"

namespace ts::cpp {

// A place in the source.
struct Site {
  std::string op, file, function;
  std::uint32_t line = 0, column = 0;
  ts_border::SiteChain chain{};
  CoreKind kind = CoreKind::Joint;  // of the program whose addresses the chain has
  std::string told() const;         // "kernel.cpp:29"
};
// What orders launches is called, which stands nowhere in the source.
inline constexpr const char* kLaunchOver = "launch over";
// The texts of a record of that kind; false: it is none.
bool read_site(const ChildRecord& record, Site& site);
std::string file_name(const std::string& path);

// The compiled kernel, for the kinds of cores that it has parts for.
using ProgramFiles = std::map<CoreKind, std::string>;

// What a launch is given, of the program's inputs.
Launch launch_of(const Program& program, std::uint32_t entry);

// The process that runs a core, or all blocks of a kernel that has one kind of them.
Seat seat_of(const Program& program, const Launch& launch, CoreId core);

struct LiveRun {
  LiveRun(Program& of, const Memory& with, const WalkLimits& most, ProgramFiles files, Launch what)
      : program(of), memory(with), limits(most), program_files(std::move(files)), launch(std::move(what)) {}

  // Its number; the same for all cores of a kind.
  std::uint32_t number_of(Site site);
  // The instruction of a call; a new one where nobody called this from there.
  std::uint32_t instruction_of(std::uint32_t site, const Call& call);
  std::uint32_t add_instruction(std::uint32_t site, Instruction instruction);
  // A tile by what it is called, on cores of this kind; `stands`: whether one of that number is where it should be.
  std::uint32_t tile_of(const std::string& object, CoreKind kind, const TileRef& tile,
                        const std::function<bool(std::uint32_t)>& stands);
  // Scratch that an instruction was not given, and whether it is new.
  std::pair<std::uint32_t, bool> scratch_of(std::uint32_t instruction, const OperandSpec& spec, CoreKind kind,
                                            const TileRef& tile);
  // What a queue gives out under this name: it is what the name stands for wherever it stands.
  std::uint32_t add_popped(const std::string& object, CoreKind kind, const TileType& type);

  Program& program;
  const Memory& memory;
  WalkLimits limits;
  ProgramFiles program_files;
  Launch launch;
  SharedFile file;
  LiveMemory changes{program, memory, file};
  CallNames names;

  std::vector<Site> sites = {{}};  // by number, from 1
  // By instruction.
  std::vector<std::uint32_t> site_of;
  std::vector<std::optional<Bound>> first;   // how it was bound first
  std::deque<CodeOp> codes;                  // for what is told once of a place
  std::optional<std::uint32_t> begin_block;  // its instruction
  bool called = false;                       // something
  bool assigned = false;                     // a tile, by TASSIGN
  std::set<std::string> placed;              // tiles that we placed
  std::vector<const Child*> children;        // processes that run
  std::string printed;                       // by those that are gone
  bool asked_blocks = false;                 // one of those asked of how many blocks it is, and nobody said
  // A main that runs in several processes: how often each of them, by core, came to where it waits for all.
  std::vector<std::uint32_t> meetings;
  std::string all_printed() const;
  bool blocks_were_asked() const;

 private:
  std::uint32_t add_tile(TileDecl decl);

  using SiteKey = std::tuple<CoreKind, std::string, std::string, std::uint32_t, std::uint32_t, std::string>;
  std::map<SiteKey, std::uint32_t> known_sites_;
  // Places by site, row and form.
  std::map<std::tuple<std::uint32_t, const InstructionRow*, std::uint8_t>, std::uint32_t> instructions_;
  std::map<std::pair<CoreKind, std::string>, std::vector<std::uint32_t>> tiles_of_name_;
  std::map<std::pair<std::uint32_t, const OperandSpec*>, std::uint32_t> scratch_;
};

}  // namespace ts::cpp
