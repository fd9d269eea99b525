// A recording's program in its file: the text and what it was given, from which it is compiled again.
#include <fmt/format.h>

#include <algorithm>

#include "core/compile/check_program.h"
#include "core/compile/open.h"
#include "core/data/seeded.h"
#include "core/program/inputs.h"
#include "core/program/scalar_ops.h"
#include "core/record/recording_file_format.h"
#include "core/tile/tile_type.h"
#include "version.h"

namespace ts::recording_file {
namespace {

using Kind = ProgramInput::Kind;

// Among the options, where blocks have slots of their own.
constexpr const char *kSlots = "slots", *kPrivate = "private";
// The same, where the text is the list of calls that compiled code made, and no order of steps.
constexpr const char *kText = "text", *kCalls = "calls";
// The same, where one block begins with a step, as otherwise only several do.
constexpr const char *kBlocks = "blocks", *kBegun = "begun";

const char* kind_word(int kind) {
  constexpr const char* kWords[] = {"buffer", "tile", "number"};
  return kWords[kind];
}

std::string number_text(text::ScalarKind kind, std::uint64_t bits) {
  return fmt::format("{}", scalar_number(kind, bits));
}

}  // namespace

std::string not_savable(const Recording& recording) {
  const Program& program = recording.program();
  if (program.tree == nullptr)
    return "its program was built by code and has no text that it could be compiled from again";
  if (!recording.options().number_edits.empty())
    return "a number of its program was changed by hand, and no file can hold that; save the run that it came from, with its forks";
  if (recording.options().initial) return "code changed its memories before the first step, and no file can hold that";
  return {};
}

// --- saving ---

int format_of(const Program& program) {
  const auto is_late = [](const BufferDecl& buffer) { return buffer.late != nullptr; };
  if (program.together()) return kFormat;
  if (program.target == Target::A5) return kFormatScales;
  return std::ranges::any_of(program.buffers, is_late) ? kFormatLate : kFormatSealed;
}

namespace {

void save_inputs(data::Database& file, const Program& program) {
  data::Statement input(file, "INSERT INTO inputs VALUES(?,?,?,?,?,?,?,?)");
  data::Statement dimension(file, "INSERT INTO input_shapes VALUES(?,?,?)");
  data::Compressor compressor;
  std::uint32_t dimensions = 0;
  for (std::uint32_t i = 0; i < program.inputs.size(); ++i) {
    const ProgramInput& one = program.inputs[i];
    std::optional<std::string> type, value;
    std::optional<std::uint64_t> elements, bits;
    std::optional<std::span<const std::byte>> data;
    if (one.kind == Kind::Scalar) {
      type = text::name(one.scalar);
      if (const Value given = program.slots[one.id]; given.known()) bits = given.bits;
      if (bits) value = number_text(one.scalar, *bits);
    } else if (one.kind == Kind::Buffer) {
      const BufferDecl& buffer = program.buffers[one.id];
      type = name(buffer.dtype);
      elements = buffer.elements;
      if (!buffer.data.empty()) data = compressor.compress(buffer.data);
      if (buffer.late != nullptr) bits = buffer.late->seed();
      for (const std::uint32_t size : buffer.view_shape) dimension.put(dimensions++, i, size);
    } else {
      const TileDecl& tile = program.tiles[one.id];
      type = name(tile.type.dtype);
      elements = std::uint64_t{tile.valid_rows} * tile.valid_cols;
      if (!tile.data.empty()) data = compressor.compress(tile.data);
    }
    input.put(i, one.name, kind_word(static_cast<int>(one.kind)), type, elements, bits, value, data);
  }
}

void save_instructions(data::Database& file, const Program& program) {
  data::Statement row(file, "INSERT INTO instructions VALUES(?,?,?,?,?,?)");
  data::Statement operand(file, "INSERT INTO instruction_operands VALUES(?,?,?,?,?)");
  constexpr const char* kKinds[] = {"tile", "view", "number"};
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const Bound frame = bind_frame(program, i);
    row.put(i, frame.pos.line, frame.pos.column, frame.row->name, name(frame.pipe), program.text(i));
    const std::vector<OperandUse>& uses = program.instructions[i].operands;
    for (std::uint32_t number = 0; number < uses.size(); ++number)
      operand.put(i, number, uses[number].spec->name, name(uses[number].spec->role),
                  kKinds[static_cast<int>(uses[number].spec->kind)]);
  }
}

void save_places(data::Database& file, const Recording& recording) {
  const Program& program = recording.program();
  data::Statement tile(file, "INSERT INTO tiles VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)");
  for (std::uint32_t i = 0; i < program.tiles.size(); ++i) {
    const TileDecl& one = program.tiles[i];
    const Environment::TileState end = recording.place_at_end(i);
    tile.put(i, one.name, one.type.describe(), name(one.type.space()), name(one.type.dtype), one.type.rows,
             one.type.cols, one.type.size_bytes(), one.address, end.address, end.valid_rows, end.valid_cols, end.known);
  }
  data::Statement buffer(file, "INSERT INTO buffers VALUES(?,?,?,?,?)");
  for (std::uint32_t i = 0; i < program.buffers.size(); ++i) {
    const BufferDecl& one = program.buffers[i];
    buffer.put(i, one.name, name(one.dtype), one.elements, one.address);
  }
}

}  // namespace

void save_program(data::Database& file, const Recording& recording) {
  const Program& program = recording.program();
  const text::Source& source = *program.tree->source;
  data::Statement(file, "INSERT INTO program VALUES(?,?,?,?,?)")
      .put(source.name(), program.name, name(program.target), program.blocks, source.text());
  data::Statement option(file, "INSERT INTO options VALUES(?,?)");
  for (int i = 0; i < kOptionCount; ++i)
    option.put(kOptions[i].name, value_name(kOptions[i].values, program.options.*kOptions[i].value));
  if (program.private_slots) option.put(kSlots, kPrivate);
  if (program.listed) option.put(kText, kCalls);
  if (program.blocks == 1 && begins_block(program)) option.put(kBlocks, kBegun);
  save_inputs(file, program);
  save_instructions(file, program);
  save_places(file, recording);
}

// --- loading ---

namespace {

struct SavedProgram {
  std::string name, entry, text;
  bool listed = false;
  CompileRequest request;
};

std::optional<SavedProgram> read_saved(data::Database& file) {
  constexpr std::int64_t kMostBlocks = 65535;
  SavedProgram saved;
  Rows rows(file, "program", "SELECT name, entry, target, blocks, text FROM program");
  if (!rows.next()) {
    file.fail("it holds no program");
    return {};
  }
  saved.name = rows.shown();
  saved.entry = rows.text();
  saved.request.target = kBothTargets[rows.word(kTargets, [](int i) { return name(kBothTargets[i]); })];
  saved.request.blocks = static_cast<std::uint32_t>(rows.number(1, kMostBlocks));
  saved.text = rows.text();
  // What files do not name was so before they could.
  saved.request.options.placement_keep = saved.request.options.a5_fused = 1;
  Rows options(file, "options", "SELECT name, value FROM options");
  while (options.next()) {
    const std::string option = options.text(), value = options.text();
    if (option == kSlots && value == kPrivate) saved.request.private_slots = true;
    else if (option == kText && value == kCalls) saved.listed = true;
    else if (option == kBlocks && value == kBegun) saved.request.begins_block = true;
    else if (!set_option(saved.request.options, option, value))
      options.wrong("option " + option.substr(0, 40) + " = " + value.substr(0, 40));
  }
  if (file.failed()) return {};
  return saved;
}

void say_errors(data::Database& file, const Diagnostics& told) {
  for (const Diagnostic& one : told) {
    if (one.severity != Severity::Error) continue;
    file.fail(one.rule == "E-STOPPED" ? "it was stopped" : "its program does not compile: " + one.format());
  }
}

std::optional<Program> compile_again(data::Database& file, SavedProgram saved) {
  Diagnostics told;
  text::ParseLimits limits;
  limits.go_on = saved.request.go_on = file.question();
  const auto tree = read_program(std::move(saved.name), std::move(saved.text), told, limits);
  const std::vector<EntryPoint> entries =
      has_error(told) ? std::vector<EntryPoint>() : entry_points(*tree, told, limits.go_on);
  const auto fits = [&](const EntryPoint& entry) {
    return entry.name == saved.entry && (!entry.target || entry.target == saved.request.target);
  };
  auto entry = std::ranges::find_if(entries, fits);
  if (entry == entries.end()) entry = std::ranges::find(entries, saved.entry, &EntryPoint::name);
  say_errors(file, told);
  if (entry == entries.end()) file.fail("its program has no entry point " + saved.entry.substr(0, 80));
  if (file.failed()) return {};
  Program program = compile(tree, *entry, saved.request, told);
  say_errors(file, told);
  if (file.failed()) return {};
  return program;
}

// The instructions are those that ran, or else everything that goes by their numbers would lie.
void compare_instructions(data::Database& file, const Program& program, const std::string& made_by) {
  Rows rows(file, "instructions", "SELECT id, text FROM instructions ORDER BY id");
  while (rows.next()) {
    rows.counts();
    const std::string text = rows.text();
    if (file.failed()) return;
    if (rows.row() < program.instructions.size() && program.text(rows.row()) == text) continue;
    file.fail(
        fmt::format("this version ({}) compiles its program to other instructions than version {}, which saved it: "
                    "number {} was '{}'",
                    kVersion, made_by, rows.row(), text.substr(0, 200)));
    return;
  }
  if (!file.failed() && rows.row() != program.instructions.size())
    file.fail(
        fmt::format("this version ({}) compiles its program to {} instructions; version {}, which saved it, to {}",
                    kVersion, program.instructions.size(), made_by, rows.row()));
}

class InputLoader {
 public:
  InputLoader(data::Database& file, Program& program, std::uint64_t most_bytes, const std::function<bool()>& go_on)
      : file_(file), program_(program), left_(most_bytes), go_on_(go_on) {}

  void load() {
    Rows rows(file_, "inputs", "SELECT id, name, kind, elements, bits, data FROM inputs ORDER BY id");
    while (rows.next()) {
      rows.counts();
      if (rows.row() >= program_.inputs.size()) return rows.wrong("more inputs than the program has");
      const ProgramInput& input = program_.inputs[rows.row()];
      if (rows.text() != input.name) rows.wrong("the name of an input");
      if (static_cast<Kind>(rows.word(3, kind_word)) != input.kind) rows.wrong("the kind of an input");
      if (file_.failed()) return;
      take(rows, input);
    }
    if (file_.failed()) return;
    if (rows.row() != program_.inputs.size()) return rows.wrong("fewer inputs than the program has");
    shapes();
    if (!file_.failed() && !place_buffers(program_)) file_.fail("its buffers take more than global memory has");
    make_up();
  }

 private:
  // Columns elements, bits, data.
  void take(Rows& rows, const ProgramInput& input) {
    if (input.kind == Kind::Scalar) {
      rows.skip_null();
      if (rows.skip_null()) return;
      const std::uint64_t bits = rows.bits();
      if (bits != cut_to(input.scalar, bits)) return rows.wrong("a number that is too large");
      program_.slots[input.id] = scalar_value(bits);
      return;
    }
    if (input.kind == Kind::Buffer) {
      BufferDecl& buffer = program_.buffers[input.id];
      buffer.elements =
          static_cast<std::uint32_t>(rows.number(0, static_cast<std::int64_t>(elements_in(buffer.dtype, kFlatLimit))));
      if (!rows.skip_null()) seeds_.push_back({&input, rows.bits()});
      buffer.data = unpack(rows, buffer.size(), false);
      return;
    }
    TileDecl& tile = program_.tiles[input.id];
    const std::uint64_t elements = std::uint64_t{tile.valid_rows} * tile.valid_cols;
    if (static_cast<std::uint64_t>(rows.number(0, 0xFFFFFFFF)) != elements) rows.wrong("the elements of a tile");
    rows.skip_null();
    tile.data = unpack(rows, bytes_for(tile.type.dtype, elements), true);
    // It is put into memory before any rule is asked.
    Diagnostics told;
    check_tile_type(tile.type, tile.name, {}, told);
    const std::uint64_t end = tile.address + tile.type.size_bytes();
    const bool fits = tile.valid_rows <= tile.type.rows && tile.valid_cols <= tile.type.cols &&
                      end <= capacity_bytes(program_.target, tile.type.space());
    if (!tile.data.empty() && (!fits || has_error(told))) rows.wrong("a tile outside its memory");
  }

  // What is made up again from its seed. All of it together is no more than global memory.
  void make_up() {
    for (const auto& [input, seed] : seeds_) {
      if (file_.failed()) return;
      BufferDecl& buffer = program_.buffers[input->id];
      if (!buffer.data.empty()) return file_.fail("it is damaged: table inputs: an input that is given and made up");
      buffer.late = data::Seeded::plan(seed, input->name, buffer.dtype, buffer.elements, go_on_);
      if (buffer.late == nullptr) file_.fail("interrupted while its inputs were made up");
    }
  }

  std::vector<std::byte> unpack(Rows& rows, std::uint64_t most, bool exactly) {
    if (rows.skip_null() || file_.failed()) return {};
    const std::span<const std::byte> frame = rows.blob();
    const auto size = data::Decompressor::size_of(frame);
    if (!size || *size > most || (exactly && *size != most)) {
      rows.wrong("data of another size than the input has");
      return {};
    }
    if (*size > left_) {
      file_.fail(fmt::format("its inputs take more than the {} bytes that they may", left_));
      return {};
    }
    left_ -= *size;
    std::vector<std::byte> bytes(*size);
    if (!decompressor_.decompress(frame, bytes)) rows.wrong("data that are damaged");
    return bytes;
  }

  // Of the views that people see buffers as.
  void shapes() {
    constexpr std::size_t kMostDimensions = 5;
    Rows rows(file_, "input_shapes", "SELECT id, input, elements FROM input_shapes ORDER BY id");
    while (rows.next()) {
      rows.counts();
      const std::uint32_t input = rows.index(program_.inputs.size());
      const std::uint32_t elements = rows.word32();
      if (file_.failed()) return;
      if (program_.inputs[input].kind != Kind::Buffer) return rows.wrong("the shape of what is no buffer");
      std::vector<std::uint32_t>& shape = program_.buffers[program_.inputs[input].id].view_shape;
      if (shape.size() == kMostDimensions) return rows.wrong("a shape of too many dimensions");
      shape.push_back(elements);
    }
  }

  data::Database& file_;
  Program& program_;
  std::uint64_t left_;
  const std::function<bool()>& go_on_;
  data::Decompressor decompressor_;
  struct MadeUp {
    const ProgramInput* input;
    std::uint64_t seed;
  };
  std::vector<MadeUp> seeds_;
};

}  // namespace

std::optional<Program> load_program(data::Database& file, const std::string& made_by, std::uint64_t most_input_bytes,
                                    const std::function<bool()>& go_on) {
  std::optional<SavedProgram> saved = read_saved(file);
  if (!saved) return {};
  const bool listed = saved->listed;
  std::optional<Program> program = compile_again(file, std::move(*saved));
  if (!program) return {};
  program->listed = listed;
  compare_instructions(file, *program, made_by);
  if (!file.failed()) InputLoader(file, *program, most_input_bytes, go_on).load();
  if (file.failed() || listed) return file.failed() ? std::nullopt : std::move(program);
  // The rules that need no run, of its beginning: what ran is checked step by step.
  constexpr std::uint64_t kFewSteps = 100;
  Diagnostics told;
  check_program(*program, told, kFewSteps);
  say_errors(file, told);
  if (file.failed()) return {};
  return program;
}

}  // namespace ts::recording_file
