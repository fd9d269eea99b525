// Writing of listings.
#include "core/cpp/live/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

#include "core/compile/open.h"
#include "core/cpp/call.h"
#include "core/program/sync.h"
#include "core/text/highlight.h"
#include "core/text/ops/op_table.h"
#include "core/text/type.h"

namespace ts::cpp {
namespace {

constexpr std::string_view kEnding = ".calls.pto", kLocation = " loc(";

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  std::string write(const std::vector<ListedCall>& calls, std::vector<StepLoops::Loop>& loops,
                    const PipesOfCores& pipes) {
    add("// The calls that a compiled kernel made, in the order in which each place called first.");
    for (StepLoops::Loop& loop : loops) {
      const std::string file = loop.file.substr(loop.file.rfind('/') + 1);
      add(fmt::format("{}{}:{}", text::kListedLoop, file, loop.at.begin));
      loop.told = {lines_, 1};
    }
    add(fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{", name(program_.target)));
    std::string arguments;
    for (const ProgramInput& input : program_.inputs) {
      const bool buffer = input.kind == ProgramInput::Kind::Buffer;
      const std::string type = buffer ? pointer_type(program_.buffers[input.id].dtype) : text::name(input.scalar);
      arguments += fmt::format("{}%{}: {}", arguments.empty() ? "" : ", ", input.name, type);
    }
    add(fmt::format("  func.func @\"{}\"({}) {{", program_.name, arguments));
    for (const CoreKind kind : kinds_of(program_)) {
      if (kind != CoreKind::Joint)
        add(fmt::format("    pto.section.{} {{", kind == CoreKind::Cube ? "cube" : "vector"));
      write_core(calls, kind, pipes);
      if (kind != CoreKind::Joint) add("    }");
    }
    add("    return");
    add("  }");
    add("}");
    return std::move(out_);
  }

  // In the order in which the text has their code.
  static std::vector<CoreKind> kinds_of(const Program& program) {
    if (program.cores.size() == 1) return {program.cores.front().kind};
    return {CoreKind::Cube, CoreKind::Vector};
  }

 private:
  void write_core(const std::vector<ListedCall>& calls, CoreKind kind, const PipesOfCores& pipes) {
    // On a5 this makes it two vector cores.
    if (kind == CoreKind::Vector && program_.cores.size() > 2) add("    %which = pto.get_subblock_idx -> i64");
    for (const TileDecl& tile : program_.tiles)
      if (!tile.alias && !tile.implicit && tile.kind == kind) declare(tile);
    if (const auto ends = pipes.find(kind); ends != pipes.end())
      for (const QueueEnds& one : ends->second) set_up(one, kind);
    for (const ListedCall& call : calls) {
      // A block begins where its code begins: no line of it says so.
      if (call.kind != kind || call.instruction->row == &kBeginBlock) continue;
      const std::string line = statement(call);
      add(fmt::format("    {}{}{}", line, location(call.at), call.text.empty() ? "" : "  // " + call.text));
    }
  }

  void add(std::string_view line) {
    out_ += line;
    out_ += '\n';
    ++lines_;
  }

  static std::string place_text(const ListedCall::Place& at) {
    std::string file;
    for (const char c : at.file) file += c == '"' || c == '\\' ? '_' : c;
    return fmt::format("\"{}\":{}:{}", file, at.line, at.column);
  }
  // loc("a":1:2), or loc(callsite("a":1:2 at callsite("b":3:4 at "c":5:6)))
  static std::string location(const std::vector<ListedCall::Place>& at) {
    if (at.empty() || at.front().file.empty()) return {};
    std::string text = place_text(at.back());
    for (std::size_t i = at.size() - 1; i-- > 0;) text = fmt::format("callsite({} at {})", place_text(at[i]), text);
    return fmt::format("{}{})", kLocation, text);
  }

  static std::string pointer_type(DType dtype) {
    return fmt::format("!pto.ptr<{}>", text::name(scalar_kind_of(dtype)));
  }
  std::string tile_type(const TileType& type) const {
    text::Type spelled;
    spelled.kind = text::TypeKind::Tile;
    spelled.tile = type;
    spelled.scalar = scalar_kind_of(type.dtype);
    return types_.print(spelled);
  }

  std::string constant(std::string_view type, std::string_view value) {
    const std::string name = fmt::format("%k{}", next_++);
    add(fmt::format("    {} = arith.constant {} : {}", name, value, type));
    return name;
  }
  std::string index(std::uint64_t value) { return constant("index", std::to_string(value)); }

  void declare(const TileDecl& tile) {
    // A place that no tile can have was refused, and is told of.
    const bool fits = tile.address % BLK == 0 &&
                      tile.address + tile.type.size_bytes() <= capacity_bytes(program_.target, tile.type.space());
    std::string clauses = " addr = " + constant("i64", std::to_string(fits ? tile.address : 0));
    if (tile.type.valid_rows == kDynamic) clauses += " valid_row = " + index(tile.valid_rows);
    if (tile.type.valid_cols == kDynamic) clauses += " valid_col = " + index(tile.valid_cols);
    add(fmt::format("    %{} = pto.alloc_tile{} : {}", tile.name, clauses, tile_type(tile.type)));
  }

  struct Spelled {
    std::string name, type;
  };

  // A pointer so many bytes behind the beginning of a buffer; `moved`: what it is called where it is not the buffer's own.
  std::string pointer_into(const BufferDecl& buffer, std::uint64_t bytes, const std::string& moved) {
    if (bytes == 0) return "%" + buffer.name;
    const std::string type = pointer_type(buffer.dtype);
    add(fmt::format("    {} = pto.addptr %{}, {} : {} -> {}", moved, buffer.name,
                    index(bytes / std::max(1u, size_bytes(buffer.dtype))), type, type));
    return moved;
  }

  // Where the slots of a queue begin, and how one looks to a program that fills it by itself.
  Spelled slots_of(const QueueEnds& ends) {
    const BufferDecl& buffer = program_.buffers[*ends.buffer];
    const std::string pointer = pointer_into(buffer, ends.offset, fmt::format("%p{}", next_++));
    const bool by_views = std::ranges::any_of(
        program_.queues, [&](const QueueDecl& queue) { return queue.id == ends.flag && queue.by_views; });
    if (!by_views) return {"gm_slot_buffer = " + pointer, pointer_type(buffer.dtype)};
    const std::uint64_t elements = ends.slot_bytes / std::max(1u, size_bytes(buffer.dtype));
    slot_type_ = fmt::format("!pto.tensor_view<1x{}x{}>", elements, text::name(scalar_kind_of(buffer.dtype)));
    const std::string view = fmt::format("%g{}", next_++), all = index(elements), one = index(1);
    add(fmt::format("    {} = pto.make_tensor_view {}, shape = [{}, {}], strides = [{}, {}] : {}", view, pointer, one,
                    all, all, one, slot_type_));
    return {"gm_slot_tensor = " + view, slot_type_};
  }

  void set_up(const QueueEnds& ends, CoreKind kind) {
    std::string given;
    const auto give = [&](const std::string& what, const std::string& type) {
      given += fmt::format("{}{} : {}", given.empty() ? "" : ", ", what, type);
    };
    if (ends.buffer) {
      const Spelled slots = slots_of(ends);
      give(slots.name, slots.type);
    }
    if ((ends.directions & 1u) != 0)
      give("c2v_consumer_buf = " + constant("i32", std::to_string(ends.c2v_base)), "i32");
    if ((ends.directions & 2u) != 0)
      give("v2c_consumer_buf = " + constant("i32", std::to_string(ends.v2c_base)), "i32");
    const std::string local =
        program_.target == Target::A2A3 ? fmt::format(", local_slot_num = {}", ends.local_slots) : "";
    add(fmt::format("    pto.{}_initialize_pipe {{id = {}, dir_mask = {}, slot_size = {}, slot_num = {}{}}} ({})",
                    kind == CoreKind::Cube ? "aic" : "aiv", ends.flag, ends.directions, ends.slot_bytes, ends.slots,
                    local, given));
  }

  std::string queue_statement(const ListedCall& call) {
    const QueueUse& use = program_.queue_uses[call.instruction->queue_use];
    const QueueDecl& queue = program_.queues[use.queue];
    const std::string how = fmt::format("{{id = {}, split = {}}}", queue.id, use.split),
                      name(call.instruction->row->name);
    if (queue.by_views) {
      const std::string slot = fmt::format("%slot{}", next_++);
      if (use.act == QueueAct::Alloc || use.act == QueueAct::Pop) {
        shown_[use.queue] = slot;
        return fmt::format("{} = pto.{} {} -> {}", slot, name, how, slot_type_);
      }
      return fmt::format("pto.{}({} : {}) {}", name, shown_[use.queue], slot_type_, how);
    }
    if (use.act == QueueAct::Free) return fmt::format("pto.{} {}", name, how);
    const TileDecl& tile = program_.tiles[use.tile];
    if (use.act == QueueAct::Push)
      return fmt::format("pto.{}(%{} : {}) {}", name, tile.name, tile_type(tile.type), how);
    std::string sizes;
    if (tile.type.valid_rows == kDynamic || tile.type.valid_cols == kDynamic) {
      // Whoever waits to the end took nothing.
      const bool took = call.bound != nullptr;
      sizes = fmt::format("({}, {})", index(took ? call.bound->operands.back().tile.valid_rows : tile.type.rows),
                          index(took ? call.bound->operands.back().tile.valid_cols : tile.type.cols));
    }
    return fmt::format("%{} = pto.{}{} {} -> {}", tile.name, name, sizes, how, tile_type(tile.type));
  }

  static std::string core_flag(const InstructionRow& row, const Bound& bound) {
    const std::string mode =
        &row == &kSetCoreFlag ? fmt::format(" {{ffts_mode = {} : i32}}", word(row, bound, kFlagMode)) : "";
    return fmt::format("pto.{} #pto.pipe<{}>, {}{}", row.name, word(row, bound, 0),
                       value_name(row.attributes.back().values, bound.attributes.back()), mode);
  }

  Spelled view(const Operand& operand) {
    const GlobalRef& ref = operand.global;
    const BufferDecl& buffer = program_.buffers[operand.id];
    const std::string moved = fmt::format("%p{}", next_++), name = fmt::format("%g{}", next_++);
    const std::string pointer = pointer_into(buffer, ref.address - ref.buffer_begin, moved);
    std::string shape, strides, dims;
    for (std::size_t i = 0; i < ref.shape.size(); ++i) {
      shape += (i == 0 ? "" : ", ") + index(ref.shape[i]);
      strides += (i == 0 ? "" : ", ") + index(ref.stride[i]);
      dims += fmt::format("{}x", ref.shape[i]);
    }
    const std::string type = fmt::format("!pto.tensor_view<{}{}>", dims, text::name(scalar_kind_of(ref.dtype)));
    const std::string zero = index(0);
    add(fmt::format("    {} = pto.make_tensor_view {}, shape = [{}], strides = [{}] {{layout = #pto.layout<{}>}} : {}",
                    name, pointer, shape, strides, ts::name(ref.layout), type));
    const std::string part = fmt::format("%v{}", next_++);
    const std::string part_type =
        fmt::format("!pto.partition_tensor_view<{}{}>", dims, text::name(scalar_kind_of(ref.dtype)));
    add(fmt::format("    {} = pto.partition_view {}, offsets = [{}], sizes = [{}] : {} -> {}", part, name,
                    fmt::format("{0}, {0}, {0}, {0}, {0}", zero), shape, type, part_type));
    return {part, part_type};
  }

  Spelled spell(const Operand& operand) {
    switch (operand.spec->kind) {
      case OperandKind::Tile: {
        const TileDecl& tile = program_.tiles[operand.id];
        return {"%" + tile.name, tile_type(tile.type)};
      }
      case OperandKind::Global: return view(operand);
      case OperandKind::Scalar: break;
    }
    const Scalar& scalar = operand.scalar;
    if (is_count(operand.spec->name)) return {constant("index", format_value(scalar.dtype, scalar.bits)), "index"};
    const std::string type = text::name(scalar_kind_of(scalar.dtype));
    if (!is_float(scalar.dtype)) return {constant(type, format_value(scalar.dtype, scalar.bits)), type};
    const double value = to_double(scalar.dtype, scalar.bits);
    std::string spelled = fmt::format("{:.9g}", value);
    if (value != value || value - value != 0) spelled = fmt::format("0x{:X}", scalar.bits);
    else if (spelled.find_first_of(".e") == std::string::npos) spelled += ".0";
    return {constant(type, spelled), type};
  }

  // "%a, %b {attributes} : T, U"
  static std::string listed(const std::vector<Spelled>& operands, const std::string& attributes = "") {
    std::string names, types;
    for (const Spelled& one : operands) {
      names += (names.empty() ? "" : ", ") + one.name;
      types += (types.empty() ? "" : ", ") + one.type;
    }
    return names + attributes + " : " + types;
  }

  std::string statement(const ListedCall& call) {
    const InstructionRow& row = *call.instruction->row;
    if (call.instruction->queue_use != kNoQueueUse) return queue_statement(call);
    const Bound& bound = *call.bound;
    if (&row == &kSetFlag || &row == &kWaitFlag)
      return fmt::format("pto.{}[<{}>, <{}>, <{}>]", row.name, word(row, bound, 0), word(row, bound, 1),
                         word(row, bound, 2));
    if (&row == &kBarrier) return fmt::format("pto.barrier <{}>", word(row, bound, 0));
    if (&row == &kSetCoreFlag || &row == &kWaitCoreFlag) return core_flag(row, bound);
    if (&row == &kMeet)
      return fmt::format("pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<{}>",
                         word(row, bound, kMeetingCores));
    std::vector<Spelled> ins, outs;
    std::string attributes;
    for (const Operand& operand : bound.operands) {
      if (operand.implicit || (operand.spec->by_attribute && operand.scalar.bits == 0)) continue;
      if (operand.spec->by_attribute)
        attributes += fmt::format("{}{} = {}", attributes.empty() ? "" : ", ", operand.spec->name,
                                  format_value(operand.scalar.dtype, operand.scalar.bits));
      else (operand.spec->role == Role::Out ? outs : ins).push_back(spell(operand));
    }
    for (std::size_t i = 0; i < row.attributes.size(); ++i)
      if (bound.attributes[i] != 0)
        attributes += fmt::format("{}{} = {}", attributes.empty() ? "" : ", ", row.attributes[i].name,
                                  value_name(row.attributes[i].values, bound.attributes[i]));
    if (!attributes.empty()) attributes = " {" + attributes + "}";
    if (row.effect == Effect::BindsAddress && !outs.empty() && !ins.empty())
      return fmt::format("pto.{} {}, {} : {}, {}", row.name, outs[0].name, ins[0].name, outs[0].type, ins[0].type);
    if (outs.empty()) return fmt::format("pto.{} ins({})", row.name, listed(ins, attributes));
    return fmt::format("pto.{} ins({}) outs({})", row.name, listed(ins, attributes), listed(outs));
  }
  static std::string_view word(const InstructionRow& row, const Bound& bound, std::size_t attribute) {
    return value_name(row.attributes[attribute].values, bound.attributes[attribute]);
  }

  const Program& program_;
  text::TypeTable types_;
  std::string out_;
  std::uint32_t lines_ = 0, next_ = 0;
  std::string slot_type_;
  std::map<std::uint32_t, std::string> shown_;  // by queue: the slot that was shown last
};

// What a text's compiler made of a listing, beside what ran.
class Match {
 public:
  Match(const Program& ran, const Program& listed, const std::vector<ListedCall>& calls)
      : ran_(ran), listed_(listed), calls_(calls) {
    for (const CoreKind kind : Writer::kinds_of(ran))
      for (std::uint32_t i = 0; i < calls.size(); ++i)
        if (calls[i].kind == kind) order_.push_back(i);
  }

  // False: the text is not what ran.
  bool find(Listing& out) {
    if (!same_cores() || order_.size() != ran_.instructions.size() || listed_.instructions.size() != order_.size() ||
        listed_.tiles.size() < ran_.tiles.size())
      return false;
    out.instructions.resize(order_.size());
    for (std::uint32_t now = 0; now < order_.size(); ++now) {
      if (listed_.instructions[now].row != ran_.instructions[order_[now]].row) return false;
      out.instructions[order_[now]] = now;
    }
    out.tiles.assign(ran_.tiles.size(), kNoTile);
    match_declared(out.tiles);
    match_entries(out);
    match_scratch(out);
    return std::ranges::find(out.tiles, kNoTile) == out.tiles.end();
  }

 private:
  bool same_cores() const {
    const auto kind = [](const CoreDecl& core) { return core.kind; };
    return std::ranges::equal(ran_.cores, listed_.cores, {}, kind, kind) && ran_.together() == listed_.together();
  }
  void match_declared(std::vector<std::uint32_t>& tiles) const {
    for (std::uint32_t i = 0; i < ran_.tiles.size(); ++i) {
      if (ran_.tiles[i].alias || ran_.tiles[i].implicit) continue;
      const auto same = std::ranges::find_if(listed_.tiles, [&](const TileDecl& one) {
        return !one.alias && one.kind == ran_.tiles[i].kind && one.is_called(ran_.tiles[i].name);
      });
      if (same != listed_.tiles.end()) tiles[i] = static_cast<std::uint32_t>(same - listed_.tiles.begin());
    }
  }
  // Tiles that go through queues.
  void match_entries(Listing& out) const {
    for (std::uint32_t i = 0; i < ran_.instructions.size(); ++i) {
      const std::uint32_t use = ran_.instructions[i].queue_use,
                          same = listed_.instructions[out.instructions[i]].queue_use;
      if (use == kNoQueueUse || same == kNoQueueUse) continue;
      const QueueUse &a = ran_.queue_uses[use], &b = listed_.queue_uses[same];
      for (const auto& [from, to] : {std::pair{a.tile, b.tile}, {a.first, b.first}, {a.second, b.second}})
        if (from != kNoTile) out.tiles[from] = to;
    }
  }

  // Scratch that no call names, nor does the text.
  void match_scratch(Listing& out) const {
    for (std::uint32_t i = 0; i < calls_.size(); ++i)
      for (std::size_t o = 0; calls_[i].bound != nullptr && o < calls_[i].bound->operands.size(); ++o) {
        const Operand& ran = calls_[i].bound->operands[o];
        if (!ran.implicit) continue;
        for (const OperandUse& use : listed_.instructions[out.instructions[i]].operands)
          if (use.spec == ran.spec) out.tiles[ran.id] = static_cast<std::uint32_t>(listed_.slots[use.slot].bits);
      }
  }

  const Program &ran_, &listed_;
  const std::vector<ListedCall>& calls_;
  std::vector<std::uint32_t> order_;  // by instruction of the text
};

}  // namespace

text::ScalarKind scalar_kind_of(DType dtype) {
  for (int i = 0; i <= static_cast<int>(text::ScalarKind::BF16X2); ++i)
    if (text::dtype(static_cast<text::ScalarKind>(i)) == dtype) return static_cast<text::ScalarKind>(i);
  return text::ScalarKind::UI8;
}

bool is_listing_name(std::string_view name) { return name.ends_with(kEnding); }

std::string source_of_listing(const std::string& name) {
  return is_listing_name(name) ? name.substr(0, name.size() - kEnding.size()) : name;
}

std::optional<ListedCall::Place> place_of_call(const text::Source& listing, std::uint32_t number) {
  if (number == 0 || number > listing.lines()) return {};
  const std::string line(listing.line(number));
  const std::size_t at = line.rfind(kLocation);
  if (at == std::string::npos) return {};
  // The innermost place is the first that has a name.
  const std::size_t file = line.find('"', at) + 1, quote = file == 0 ? std::string::npos : line.find('"', file);
  ListedCall::Place place;
  if (quote == std::string::npos) return {};
  place.file = line.substr(file, quote - file);
  if (std::sscanf(line.c_str() + quote, "\":%u:%u", &place.line, &place.column) != 2) return {};
  if (place.column == 0) place.column = 1;
  return place;
}

Listing make_listing(Program& program, const std::vector<ListedCall>& calls, std::vector<StepLoops::Loop>& loops,
                     const PipesOfCores& pipes) {
  Listing out{std::vector<SourcePos>(calls.size()), {}, {}};
  Diagnostics told;
  const bool named = !calls.empty() && !calls.back().at.empty();
  const std::string file =
      named ? std::filesystem::path(calls.back().at.back().file).filename().string() + std::string(kEnding)
            : program.name;
  const auto tree = read_program(file, Writer(program).write(calls, loops, pipes), told);
  const std::vector<EntryPoint> entries = has_error(told) ? std::vector<EntryPoint>() : entry_points(*tree, told);
  if (entries.empty()) return out;
  // A main that launches one block begins it with a step.
  const CompileRequest request{.target = program.target,
                               .options = program.options,
                               .blocks = program.blocks,
                               .begins_block = begins_block(program)};
  Program listed = compile(tree, entries.front(), request, told);
  if (Listing found = out; has_error(told) || !Match(program, listed, calls).find(found)) return out;
  else out = std::move(found);
  for (std::size_t i = 0; i < calls.size(); ++i) out.places[i] = listed.instructions[out.instructions[i]].pos;
  // What the run knew better stays: where tiles stand, what buffers hold, what was given.
  program.tree = tree;
  for (std::size_t i = 0; i < program.tiles.size(); ++i) listed.tiles[out.tiles[i]] = std::move(program.tiles[i]);
  program.tiles = std::move(listed.tiles);
  program.queues = std::move(listed.queues);
  program.queue_uses = std::move(listed.queue_uses);
  program.cores = std::move(listed.cores);
  program.meets = listed.meets;
  program.code = std::move(listed.code);
  program.code_slots = std::move(listed.code_slots);
  program.instructions = std::move(listed.instructions);
  program.views = std::move(listed.views);
  for (const ProgramInput& input : listed.inputs) {
    const auto given = std::ranges::find(program.inputs, input.name, &ProgramInput::name);
    if (given != program.inputs.end() && input.kind == ProgramInput::Kind::Scalar)
      listed.slots[input.id] = program.slots[given->id];
  }
  program.slots = std::move(listed.slots);
  program.inputs = std::move(listed.inputs);
  return out;
}

}  // namespace ts::cpp
