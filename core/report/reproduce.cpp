// A command line and a script out of what is known of a run.
#include "core/report/reproduce.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/compile/compiler.h"
#include "core/debug/elements/elements.h"
#include "core/report/escape.h"

namespace ts {
namespace {

std::string file_of(const Program& program, const RunOrigin& launch) {
  if (!launch.file.empty()) return launch.file;
  return program.tree != nullptr ? program.tree->source->name() : program.name;
}

// The name of the entry point, where the file has several.
std::string entry_of(const Program& program, const RunOrigin& launch) {
  if (!launch.entry.empty() || program.tree == nullptr) return launch.entry;
  Diagnostics ignored;
  return entry_points(*program.tree, ignored).size() > 1 ? program.name : "";
}

// What is not as it would be anyway.
template <class F>
void for_choices(const Program& program, F f) {
  const Options usual;
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionRow& row = kOptions[i];
    if (program.options.*row.value != usual.*row.value)
      f(row.name, std::string(value_name(row.values, program.options.*row.value)));
  }
}

const char* option_of(GivenInput::Kind kind) {
  switch (kind) {
    case GivenInput::Kind::File: return "--in";
    case GivenInput::Kind::Number: return "--set";
    case GivenInput::Kind::Size: return "--size";
    case GivenInput::Kind::Made: return "--make";
    case GivenInput::Kind::Raw: return "--raw";
    case GivenInput::Kind::MadeUp: break;
  }
  return "";
}

// As a table's key; names need not be words.
std::string lua_key(const std::string& name) { return fmt::format("[{}]", lua_string(name)); }

// Files and numbers stand in one table.
std::string lua_inputs(const RunOrigin& launch, GivenInput::Kind wanted) {
  std::string out;
  for (const GivenInput& input : launch.inputs) {
    const bool size = input.kind == GivenInput::Kind::Size;
    const auto kind = input.kind == GivenInput::Kind::Number ? GivenInput::Kind::File : input.kind;
    if (kind != wanted) continue;
    // A number as it was written, which Lua need not know how to read.
    const std::string value = size ? input.value : lua_string(input.value);
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", lua_key(input.name), value);
  }
  return out;
}

}  // namespace

std::string command_line(Session& session, const ReportSubject& subject, const RunOrigin& launch) {
  const Program& program = session.recording().program();
  std::string out =
      fmt::format("tilescope run {} --target {}", shell_word(file_of(program, launch)), name(program.target));
  const auto add = [&](std::string_view option, const std::string& value) {
    out += fmt::format(" {} {}", option, shell_word(value));
  };
  if (const std::string entry = entry_of(program, launch); !entry.empty()) add("--entry", entry);
  for_choices(program,
              [&](const char* name, const std::string& value) { add("--option", fmt::format("{}={}", name, value)); });
  for (const GivenInput& input : launch.inputs)
    if (input.kind != GivenInput::Kind::MadeUp) add(option_of(input.kind), input.name + "=" + input.value);
  if (launch.seed && *launch.seed != 1) add("--seed", fmt::format("{}", *launch.seed));
  if (program.blocks != 1) add("--blocks", fmt::format("{}", program.blocks));
  if (!launch.order.empty()) add("--order", launch.order);
  if (!launch.comm.empty()) add("--comm", launch.comm);
  if (launch.private_slots) out += " --private-slots";
  if (!subject.made) return out;
  add("--step", fmt::format("{}", subject.step));
  if (!subject.explained) return out;
  const Operand& operand =
      session.recording().bound(subject.step).operands[static_cast<std::size_t>(subject.explained->operand)];
  if (operand.spec->kind == OperandKind::Tile)
    add("--cell",
        fmt::format("{}[{},{}]", plain_name(program, operand), subject.explained->row, subject.explained->col));
  return out;
}

std::string lua_load_line(const Recording& recording, const RunOrigin& launch) {
  const Program& program = recording.program();
  std::string options = fmt::format("target = \"{}\"", name(program.target));
  if (const std::string entry = entry_of(program, launch); !entry.empty())
    options += fmt::format(", entry = {}", lua_string(entry));
  std::string choices;
  for_choices(program, [&](const char* name, const std::string& value) {
    choices += fmt::format("{}{} = {}", choices.empty() ? "" : ", ", lua_key(name), lua_string(value));
  });
  if (!choices.empty()) options += fmt::format(", options = {{{}}}", choices);
  if (const std::string inputs = lua_inputs(launch, GivenInput::Kind::File); !inputs.empty())
    options += fmt::format(", inputs = {{{}}}", inputs);
  if (const std::string sizes = lua_inputs(launch, GivenInput::Kind::Size); !sizes.empty())
    options += fmt::format(", size = {{{}}}", sizes);
  if (const std::string made = lua_inputs(launch, GivenInput::Kind::Made); !made.empty())
    options += fmt::format(", make = {{{}}}", made);
  if (launch.private_slots) options += ", private_slots = true";
  if (launch.seed && *launch.seed != 1) options += fmt::format(", seed = {}", static_cast<std::int64_t>(*launch.seed));
  if (program.blocks != 1) options += fmt::format(", blocks = {}", program.blocks);
  std::string how;
  if (!launch.order.empty()) how = fmt::format("order = {}", lua_string(launch.order));
  if (!launch.comm.empty()) how += fmt::format("{}comm = {}", how.empty() ? "" : ", ", lua_string(launch.comm));
  return fmt::format("local rec = pto.load({}, {{{}}}):record({})", lua_string(file_of(program, launch)), options,
                     how.empty() ? "" : fmt::format("{{{}}}", how));
}

std::string lua_lines(Session& session, const ReportSubject& subject, const RunOrigin& launch) {
  const Recording& recording = session.recording();
  const Program& program = recording.program();
  std::string out = lua_load_line(recording, launch) + "\n";
  if (!subject.made) return out + fmt::format("pto.assert.equal(rec.count, {})\n", recording.count());
  out += fmt::format("rec:seek({})\n", subject.step + 1);
  if (!subject.explained)
    return out + fmt::format("pto.assert.equal(rec:at({}).op, \"{}\")\n", subject.step,
                             recording.bound(subject.step).row->name);
  const StepElement& element = *subject.explained;
  const Operand& operand = recording.bound(subject.step).operands[static_cast<std::size_t>(element.operand)];
  const ByteRange bytes = place_of(program, recording.bound(subject.step), element);
  const Memory& memory = session.memory_at(subject.step + 1);
  const std::uint64_t bits = memory.element(bytes);
  out += fmt::format("local t = rec:at({}).args[{}]  -- {}\n", subject.step, lua_string(operand.spec->name),
                     lua_string(plain_name(program, operand)));
  if (memory.worst_definedness(memory.map().flat(bytes), bytes.size) == Definedness::Never)
    return out + fmt::format("assert(not t:isDefined({}, {}))\n", element.row, element.col);
  return out + fmt::format("pto.assert.equal(t:bits({}, {}), 0x{:x})\n", element.row, element.col, bits);
}

}  // namespace ts
