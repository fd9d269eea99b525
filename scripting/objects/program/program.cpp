// Programs as scripts see them, and recording them.
#include "scripting/objects/program/program.h"

#include <fmt/format.h>

#include "core/data/byte_size.h"
#include "core/program/arrays.h"
#include "scripting/binding/fields.h"
#include "scripting/binding/object.h"
#include "scripting/objects/values/array.h"
#include "scripting/objects/values/elements.h"
#include "scripting/run/open_recording.h"
#include "scripting/run/pto.h"
#include "scripting/run/recording_memory.h"

namespace ts::scripting {
namespace {

const LoadedProgram& own_program(lua_State* L) { return *check_self<ProgramObject>(L).loaded; }

int pto_load(lua_State* L) {
  const std::string name = check_text(L, 1, "name");
  const OptionTable options(
      L, 2, "options",
      {"target", "inputs", "size", "entry", "seed", "blocks", "options", "private_slots", "make", "setup"});
  make_object<ProgramObject>(L, load_program(L, name, options));
  return 1;
}

int pto_current(lua_State* L) {
  Engine& engine = Engine::of(L);
  if (engine.slot<Recordings>().current() == nullptr && engine.host().current == nullptr) lua_pushnil(L);
  else push_recording(L, check_current(L));
  return 1;
}

// "2GiB", "512MiB", or a number of bytes.
std::size_t check_budget(const OptionTable& options) {
  lua_State* L = options.state();
  const int type = options.push("budget");
  lua_pop(L, 1);
  if (type == LUA_TNIL) return Engine::of(L).host().budget_bytes;
  if (type != LUA_TSTRING) return static_cast<std::size_t>(*options.integer("budget", 1, std::int64_t{1} << 48));
  const std::string text = *options.text("budget");
  const std::optional<std::uint64_t> bytes = data::parse_byte_size(text);
  if (!bytes || *bytes == 0 || *bytes > std::uint64_t{1} << 48)
    options.wrong("budget", "bytes, or as in \"512MiB\" or \"2GiB\"");
  return static_cast<std::size_t>(*bytes);
}

int program_record(lua_State* L) {
  const std::shared_ptr<const LoadedProgram> loaded = check_self<ProgramObject>(L).loaded;
  const OptionTable options(L, 2, "options", {"budget", "stop_on", "max_steps", "order", "comm"});
  options.word("stop_on", {"error"});          // what is always done, and may be said
  WalkLimits limits = loaded->request.limits;  // a setup's
  limits.most_steps = static_cast<std::uint64_t>(
      options.integer("max_steps", 1, std::int64_t{1} << 31).value_or(static_cast<std::int64_t>(limits.most_steps)));
  if (const auto order = options.text("order")) {
    const auto found = find_order(*order);
    if (!found) options.wrong("order", "\"usual\", \"reverse\", or \"seed:N\" with a number");
    limits.order = *found;
  }
  limits.strict_signals = options.word("comm", {"alone", "strict"}).value_or(limits.strict_signals ? 1 : 0) != 0;
  push_recording(L, record_program(L, *loaded, check_budget(options), limits));
  return 1;
}

int program_name(lua_State* L) {
  push_text(L, own_program(L).program.name);
  return 1;
}

int program_target(lua_State* L) {
  lua_pushstring(L, name(own_program(L).program.target));
  return 1;
}

int program_file(lua_State* L) {
  push_text(L, own_program(L).file);
  return 1;
}

int program_text(lua_State* L) {
  const LoadedProgram& own = own_program(L);
  push_text(L, own.kernel_text.empty() ? own.program.tree->source->text() : own.kernel_text);
  return 1;
}

int program_inputs(lua_State* L) {
  lua_newtable(L);
  for (const InputSource& input : own_program(L).inputs) {
    append(L, [&] {
      lua_newtable(L);
      set_field(L, "name", input.name);
      set_field(L, "text", input.text);
    });
  }
  return 1;
}

int program_warnings(lua_State* L) {
  lua_newtable(L);
  for (const std::string& warning : own_program(L).warnings) append(L, [&] { push_text(L, warning); });
  return 1;
}

int program_goldens(lua_State* L) {
  const std::shared_ptr<const LoadedProgram> loaded = check_self<ProgramObject>(L).loaded;
  lua_newtable(L);
  for (const cases::Golden& golden : *loaded->goldens) {
    Sandbox::need_memory(L, bytes_of_elements(golden.array.bytes.size()));
    const auto output = find_array(loaded->program, golden.name);
    auto elements = output ? elements_of(golden.array, output->dtype) : elements_of(golden.array);
    if (const auto* refusal = std::get_if<Refusal>(&elements))
      raise(L, {fmt::format("{}: {}", golden.from, refusal->text), refusal->hint});
    push_array(L, std::get<Elements>(std::move(elements)), golden.array.shape, golden.from);
    lua_setfield(L, -2, golden.name.c_str());
  }
  return 1;
}

int program_to_text(lua_State* L) {
  push_text(L, fmt::format("program {} on {}", own_program(L).program.name, name(own_program(L).program.target)));
  return 1;
}

constexpr char kProgramExample[] = R"(local prog = pto.load("row_loop")
)";

constexpr RowMaker kProgramRow{"prog", kProgramExample};

std::vector<Binding> program_rows() {
  return {
      {"load", Binding::Kind::Function, pto_load, "pto.load(name: string, options?: table) -> program",
       "Opens a program: a file, a sample by its name, or a case's folder with its arrays. Options: target, inputs (by name: a path of .npy or raw "
       "bytes, an array, a list of numbers, a number), size "
       "(bytes of buffers), entry, seed, blocks, private_slots (true: blocks that share a buffer of slots get some of "
       "their own), options (as `tilescope options` lists them), make (by name, what buffers and tiles that nobody gives are "
       "made of: seeded, ramp, zeros, ones, normal, edge), setup (a name in PROGRAM.tilescope beside the program's file, as "
       "--setup; its order, signals and most steps hold for record). They go before what a setup or a case says. What "
       "nobody gives is seeded. A kernel in C++ is compiled, and runs with your rights, where that was allowed: `tilescope "
       "script --allow kernels`; folders of headers and macros come from its setup.",
       R"(local prog = pto.load("masked_sum", {target="a5", seed=7})
assert(prog.target == "a5")
local ok, message = pcall(pto.load, "masked_sum", {taget="a5"})
assert(not ok and message:find("did you mean target", 1, true)))"},
      {"current", Binding::Kind::Function, pto_current, "pto.current() -> recording | nil",
       "The recording that was made or opened last, or the window's. Breakpoints that name none are of this one.",
       R"(assert(pto.current() == nil)
local rec = pto.load("row_loop"):record()
assert(pto.current() == rec))"},
  };
}

const ListedRows kProgramRows{10, {pto_type, program_rows}};
const ListedType kProgramType{20, ProgramObject::type};

}  // namespace

const ObjectType& ProgramObject::type() {
  static const ObjectType made{
      .name = "program",
      .owner = "prog",
      .help = "A program with its inputs, checked and ready to run.",
      .bindings =
          {
              {"record", Binding::Kind::Method, program_record,
               "prog:record{budget=, comm=, max_steps=, order=, stop_on=} -> recording",
               "Runs it to its end, or to the step that cannot be made, and keeps every step. budget bounds memory "
               "(\"2GiB\" or bytes; never more than half of what the script has left): past it, going to old "
               "positions gets slower. order is the one in which cores are asked whether they can go on: \"usual\", "
               "\"reverse\" or \"seed:7\"; a program whose cores wait for each other does the same in each. "
               "comm=\"strict\" waits for signals that only another device could give; otherwise they are taken for "
               "given where no core can go on. "
               "stop_on=\"error\" may be said and is always so.",
               std::string(kProgramExample) + R"(local rec = prog:record{budget="64MiB"}
assert(rec.stopReason == "end"))"},
              kProgramRow.field("name", program_name, "string", "The entry point's name.",
                                R"(assert(prog.name == "row_loop"))"),
              kProgramRow.field("target", program_target, "string", "a2a3 or a5.", R"(assert(prog.target == "a5"))"),
              kProgramRow.field("file", program_file, "string", "Where its text came from.",
                                R"(assert(prog.file:find("row_loop")))"),
              kProgramRow.field("text", program_text, "string", "Its text.",
                                R"(assert(prog.text:find("func.func @row_loop")))"),
              kProgramRow.field("inputs", program_inputs, "{name: string, text: string}[]",
                                "What it takes from outside, and where each got its value from.",
                                R"(assert(prog.inputs[1].name == "x" and prog.inputs[1].text:find("seeded")))"),
              kProgramRow.field("warnings", program_warnings, "string[]", "What is odd in its text, but runs.",
                                "assert(#prog.warnings == 0)"),
              kProgramRow.field("goldens", program_goldens, "table<string, array>",
                                "Of a case what its outputs have to be, by their names; made anew each time it is "
                                "asked for.",
                                R"(local rec = prog:record()
for name, golden in pairs(prog.goldens) do
  assert(pto.compare(rec:buffer(name, {step=rec.count}), golden, {rel=1e-4}).ok)
end
assert(next(prog.goldens) == nil))"),
          },
      .to_text = guarded<program_to_text>};
  return made;
}

std::shared_ptr<OpenRecording> record_program(lua_State* L, const LoadedProgram& loaded, std::size_t budget_bytes,
                                              WalkLimits limits) {
  const RecordingMemory memory(L, loaded.program, budget_bytes);
  RecordOptions options = memory.options();
  options.limits = std::move(limits);
  std::shared_ptr<const Recording> recording;
  {
    Sandbox::CallWatch watch(L);
    options.limits.go_on = [&](std::uint64_t) { return watch.go_on(); };
    recording = Recording::run(loaded.program, options);
    if (watch.is_late()) watch.raise("recording the program");
  }
  recording = memory.weigh(L, std::move(recording));
  return open_session(L, std::make_shared<Session>(std::move(recording)), loaded.launch);
}

}  // namespace ts::scripting
