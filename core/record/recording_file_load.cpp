// Opening a recording's file. It may come from anybody: every number is checked against what it counts, and the operands
// of its steps against the rules that a run asks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>

#include "core/catalogue/on_pointers.h"
#include "core/catalogue/rules.h"
#include "core/data/fields.h"
#include "core/data/utf8.h"
#include "core/program/sync.h"
#include "core/record/operand_place.h"
#include "core/record/recording_file_format.h"

namespace ts::recording_file {

// --- rows ---

void Rows::wrong(const std::string& what) {
  file_.fail(fmt::format("it is damaged: table {}, row {}: {}", table_, row(), what));
}

std::int64_t Rows::number(std::int64_t least, std::int64_t most) {
  const int column = at_++;
  if (file_.failed()) return least;
  const auto value = statement_.integer(column);
  if (value && *value >= least && *value <= most) return *value;
  wrong(value ? fmt::format("column {} is {}, expected {} to {}", column, *value, least, most)
              : fmt::format("column {} is no number", column));
  return least;
}

std::optional<std::uint32_t> Rows::maybe32() {
  if (skip_null()) return {};
  return word32();
}

std::string Rows::text() {
  const int column = at_++;
  if (file_.failed()) return {};
  const auto value = statement_.text(column);
  if (value) return std::string(*value);
  wrong(fmt::format("column {} is no text", column));
  return {};
}

MemoryOfCore Rows::memory(const MemoryMap& map) {
  const std::string given = text();
  const auto memory = memory_of_word(given);
  if (file_.failed()) return {};
  if (!memory || memory->core >= map.cores()) return wrong("the word '" + given.substr(0, 40) + "'"), MemoryOfCore{};
  return *memory;
}

std::string Rows::shown() { return data::shown(text()); }

std::span<const std::byte> Rows::blob() {
  const int column = at_++;
  if (file_.failed()) return {};
  const auto value = statement_.blob(column);
  if (value) return *value;
  wrong(fmt::format("column {} is no data", column));
  return {};
}

bool Rows::skip_null() {
  if (file_.failed() || !statement_.is_null(at_)) return false;
  ++at_;
  return true;
}

void Rows::counts(std::uint64_t first) {
  const auto wanted = static_cast<std::int64_t>(first + row());
  number(wanted, wanted);
}

namespace {

// --- what the file says of itself ---

class Meta {
 public:
  explicit Meta(data::Database& file) : file_(file) {
    constexpr std::size_t kMostKeys = 100;
    data::Statement rows(file, "SELECT key, value FROM meta");
    while (rows.next() && texts_.size() + numbers_.size() < kMostKeys) {
      const std::string key(rows.text(0).value_or(""));
      if (const auto number = rows.integer(1)) numbers_[key] = *number;
      else texts_[key] = std::string(rows.text(1).value_or(""));
    }
  }
  bool has(const std::string& key) const { return numbers_.contains(key); }
  // Sums of files by their names.
  std::map<std::string, std::string> sources() {
    if (!texts_.contains("sources")) return {};
    auto read = data::parse_object(text("sources", kMostSourcesBytes));
    const auto* all = std::get_if<nlohmann::json>(&read);
    std::map<std::string, std::string> out;
    if (all != nullptr)
      for (const auto& [name, sum] : all->items())
        if (sum.is_string()) out[name] = sum.get<std::string>();
    if (all == nullptr || out.size() != all->size())
      file_.fail("it is damaged: table meta: sources are no names with sums");
    return out;
  }
  std::uint64_t number(const std::string& key, std::uint64_t most) {
    const auto found = numbers_.find(key);
    if (found != numbers_.end() && found->second >= 0 && static_cast<std::uint64_t>(found->second) <= most)
      return static_cast<std::uint64_t>(found->second);
    file_.fail(fmt::format("it is damaged: table meta: {} is not 0 to {}", key, most));
    return 0;
  }
  bool has_text(const std::string& key) const { return texts_.contains(key); }
  std::string text(const std::string& key, std::size_t most_bytes) {
    const auto found = texts_.find(key);
    const auto odd = [](char c) { return c < 0x20 || c > 0x7E; };
    if (found != texts_.end() && found->second.size() <= most_bytes && std::ranges::none_of(found->second, odd))
      return found->second;
    file_.fail(fmt::format("it is damaged: table meta: {} is no text of up to {} letters", key, most_bytes));
    return "";
  }

 private:
  data::Database& file_;
  std::map<std::string, std::int64_t> numbers_;
  std::map<std::string, std::string> texts_;
};

// Nothing of it runs when it is read, whoever made it: it is what this version makes, to the letter.
void check_schema(data::Database& file, int format) {
  const std::vector<SchemaRow> wanted = schema(format);
  data::Statement rows(file, "SELECT type, name, sql FROM sqlite_schema ORDER BY rowid");
  std::size_t at = 0;
  for (; rows.next(); ++at) {
    const std::string what(rows.text(1).value_or("?"));
    if (at < wanted.size() && rows.text(0) == wanted[at].type && what == wanted[at].name &&
        rows.text(2) == wanted[at].sql)
      continue;
    file.fail(
        fmt::format("this is not a recording as TileScope writes it: {} is not as it should be", what.substr(0, 80)));
  }
  if (!file.failed() && at != wanted.size())
    file.fail("this is not a recording: it lacks the table " + std::string(wanted[at].name));
}

// --- steps ---

class Loader {
 public:
  Loader(data::Database& file, Meta& meta, Program program, std::uint64_t file_bytes, std::uint64_t most_bytes)
      : file_(file), meta_(meta), rows_most_(file_bytes), left_(most_bytes), map_(program.memory_map()) {
    parts_.program = std::move(program);
  }

  RecordingParts& parts() { return parts_; }
  const MemoryMap& map() const { return map_; }
  std::uint32_t steps() const { return steps_; }
  std::vector<Finding>& findings() { return kept_findings_; }

  void load() {
    // In this order, because each looks at those before.
    void (Loader::*const parts[])() = {&Loader::load_counts,       &Loader::load_waits,  &Loader::load_edits,
                                       &Loader::load_places,       &Loader::load_bounds, &Loader::load_turns,
                                       &Loader::load_steps,        &Loader::load_writes, &Loader::load_findings,
                                       &Loader::load_finding_notes};
    for (const auto part : parts)
      if (!file_.failed()) (this->*part)();
    for (auto& [finding, by] : findings_) {
      if (by != FoundBy::RunDropped) kept_findings_.push_back(finding);
      if (by != FoundBy::Check) parts_.findings.push_back(std::move(finding));
    }
  }

  std::vector<RecordingNote> load_notes() {
    std::vector<RecordingNote> notes;
    Rows rows(file_, "notes", "SELECT id, kind, position, text FROM notes ORDER BY id");
    while (rows.next()) {
      rows.counts();
      RecordingNote note;
      note.kind = rows.shown();
      note.position = rows.index(std::uint64_t{steps_} + 1);
      note.text = rows.text();
      charge(sizeof note + note.kind.size() + note.text.size());
      if (file_.failed()) return {};
      notes.push_back(std::move(note));
    }
    complete(rows, meta_.number("notes", rows_most_));
    return notes;
  }

 private:
  // A list of so many rows, each of which takes `bytes` in memory, is about to be read.
  std::uint64_t rows_of(const char* key, std::uint64_t bytes) {
    // No row takes less than five bytes of the file.
    const std::uint64_t count = meta_.number(key, std::min<std::uint64_t>(rows_most_ / 5, 0xFFFFFFF0u));
    charge(count * bytes);
    return file_.failed() ? 0 : count;
  }
  void charge(std::uint64_t bytes) {
    if (bytes > left_) file_.fail("it needs more memory than it may take; a larger budget allows more");
    left_ -= std::min(bytes, left_);
  }
  void complete(Rows& rows, std::uint64_t count) {
    if (!file_.failed() && rows.row() != count)
      rows.wrong(fmt::format("the table ends here; there should be {} rows", count));
  }
  void check_place(Rows& rows, const ByteRange& place) {
    const std::uint64_t size = map_.size(place.space, place.core);
    if (std::uint64_t{place.address} + place.size > size)
      rows.wrong(
          fmt::format("{} 0x{:x}+{} is outside its {} bytes", name(place.space), place.address, place.size, size));
  }

  void load_counts() {
    steps_ = static_cast<std::uint32_t>(rows_of("steps", sizeof(Step)));
    const std::string stop = meta_.text("stop", 20);
    int reason = 0;
    while (reason < kStopReasons && stop != stop_word(static_cast<StopReason>(reason))) ++reason;
    if (reason == kStopReasons) file_.fail("it is damaged: table meta: stop is no reason to stop: " + stop);
    else parts_.stop = static_cast<StopReason>(reason);
    WalkLimits& limits = parts_.options.limits;
    limits.most_steps = meta_.number("most_steps", INT64_MAX);
    limits.most_code = meta_.number("most_code", INT64_MAX);
    if (meta_.has_text("order")) {
      const auto order = find_order(meta_.text("order", 40));
      if (order) limits.order = *order;
      else file_.fail("it is damaged: table meta: order is none of turns");
    }
    limits.strict_signals = meta_.has_text("signals");
    parts_.thinning.times = static_cast<std::uint32_t>(meta_.number("thinned", 1));
    parts_.thinning.interval = std::max(1u, static_cast<std::uint32_t>(meta_.number("interval", 0xFFFFFFFF)));
    parts_.thinning.dense_start = static_cast<std::uint32_t>(meta_.number("dense_start", steps_));
    const bool all_there = parts_.thinning.interval == 1 && parts_.thinning.dense_start == 0;
    if (!parts_.thinning && !all_there)
      file_.fail("it is damaged: table meta: thinned is 0, but interval and dense_start are not 1 and 0");
  }

  void load_waits() {
    if (!parts_.program.together()) return;
    const std::uint64_t count = rows_of("waits", 2 * sizeof(CoreWait));
    Rows rows(file_, "waits", "SELECT id, core, line, col, rule, text, hint FROM waits ORDER BY id");
    while (rows.next()) {
      rows.counts();
      CoreWait wait;
      wait.core = static_cast<CoreId>(rows.index(map_.cores()));
      wait.pos = {rows.word32(), rows.word32()};
      for (std::string* text : {&wait.rule, &wait.text, &wait.hint}) *text = rows.shown();
      charge(2 * (wait.rule.size() + wait.text.size() + wait.hint.size()));
      if (rows.row() >= count) rows.wrong("more rows than the file says");
      if (file_.failed()) return;
      parts_.waits.push_back(std::move(wait));
    }
    complete(rows, count);
    Rows others(file_, "awaited", "SELECT id, wait, core, act, state FROM awaited ORDER BY id");
    while (others.next()) {
      others.counts();
      const std::uint32_t wait = others.index(parts_.waits.size());
      AwaitedCore other;
      other.core = static_cast<CoreId>(others.index(map_.cores()));
      other.act = others.shown();
      other.state = others.shown();
      charge(2 * (sizeof other + other.act.size() + other.state.size()));
      if (file_.failed()) return;
      parts_.waits[wait].on.push_back(std::move(other));
    }
  }

  void load_edits() {
    const std::uint64_t count = rows_of("edits", sizeof(Edit));
    Rows rows(file_, "edits", "SELECT id, position, space, address, bytes FROM edits ORDER BY id");
    std::vector<Edit>& edits = parts_.options.edits;
    while (rows.next()) {
      rows.counts();
      Edit edit;
      edit.position = static_cast<std::uint32_t>(rows.number(edits.empty() ? 0 : edits.back().position, 0xFFFFFFFF));
      const MemoryOfCore memory = rows.memory(map_);
      edit.space = memory.space, edit.core = memory.core;
      edit.address = rows.word32();
      const auto bytes = rows.blob();
      edit.bytes.assign(bytes.begin(), bytes.end());
      charge(bytes.size());
      if (bytes.empty()) rows.wrong("an edit of nothing");
      check_place(rows, edit.place());
      if (file_.failed()) return;
      edits.push_back(std::move(edit));
    }
    complete(rows, count);
  }

  void load_places() {
    const std::vector<TileDecl>& tiles = parts_.program.tiles;
    Rows rows(file_, "tiles",
              "SELECT id, end_address, end_valid_rows, end_valid_cols, end_known FROM tiles ORDER BY id");
    while (rows.next()) {
      rows.counts();
      if (rows.row() >= tiles.size()) return rows.wrong("more tiles than the program has");
      const TileDecl& tile = tiles[rows.row()];
      Environment::TileState end{};
      end.address = rows.word32();
      end.valid_rows = rows.word32();
      end.valid_cols = rows.word32();
      end.known = rows.number(0, 1) != 0;
      // What the program leaves as it was may stand anywhere.
      const bool as_it_was = end == Environment::TileState{tile.address, tile.valid_rows, tile.valid_cols, !tile.unset};
      const bool inside = end.address + tile.type.size_bytes() <= capacity_bytes(map_.target(), tile.type.space()) &&
                          end.valid_rows <= tile.type.rows && end.valid_cols <= tile.type.cols;
      if (!as_it_was && !inside) rows.wrong("a tile that ends outside its memory");
      if (file_.failed()) return;
      parts_.tiles_at_end.push_back(end);
    }
    complete(rows, tiles.size());
  }

  // --- operands ---

  static constexpr std::int64_t kEvents = 32, kNoEvent = -1;

  void load_bounds() {
    const std::uint64_t count = rows_of("bounds", sizeof(Bound) + sizeof(std::uint32_t)),
                        operands = rows_of("operands", sizeof(Operand));
    if (file_.failed()) return;
    Rows rows(file_, "bounds", "SELECT id, instruction, event FROM bounds ORDER BY id");
    Rows its(
        file_, "operands",
        "SELECT bound, number, tile, buffer, address, valid_rows, valid_cols, dtype, layout, shape0, shape1, shape2, shape3, "
        "shape4, stride0, stride1, stride2, stride3, stride4, bits FROM operands ORDER BY id");
    std::optional<Rows> cores;
    if (parts_.program.together()) cores.emplace(file_, "bound_cores", "SELECT id, core FROM bound_cores ORDER BY id");
    Diagnostics told;
    while (rows.next()) {
      rows.counts();
      const std::uint32_t instruction = rows.index(parts_.program.instructions.size());
      const std::int64_t event = rows.skip_null() ? kNoEvent : rows.number(0, kEvents - 1);
      if (rows.row() >= count) rows.wrong("more rows than the file says");
      if (file_.failed()) return;
      Bound bound = bind_frame(parts_.program, instruction);
      if (cores) bound.core = load_core(*cores, parts_.program.instructions[instruction]);
      load_operands(rows, its, bound, instruction, event);
      if (file_.failed()) return;
      settle_pipe(bound);
      settle_pointed(bound);
      told.clear();
      check_rules(bound, told);
      for (const Diagnostic& one : told)
        if (one.severity == Severity::Error)
          broken_.emplace(static_cast<std::uint32_t>(parts_.bounds.size()), one.format());
      instruction_of_.push_back(instruction);
      parts_.bounds.push_back(std::move(bound));
    }
    complete(rows, count);
    if (cores && cores->next()) cores->wrong("a core of no step");
    if (its.next()) its.wrong("an operand of no step");
    complete_operands(its, operands);
  }
  // One that has what the instruction works on.
  CoreId load_core(Rows& cores, const Instruction& instruction) {
    if (!cores.next()) return cores.wrong("a core is missing"), CoreId{0};
    cores.counts();
    const auto core = static_cast<CoreId>(cores.index(map_.cores()));
    if (instruction.queue_use == kNoQueueUse || file_.failed()) return core;
    const QueueUse& use = parts_.program.queue_uses[instruction.queue_use];
    const bool puts = use.act == QueueAct::Push || use.act == QueueAct::Alloc;
    const bool at_cube = parts_.program.queues[use.queue].to_vector == puts;
    if (at_cube != (map_.kind(core) == CoreKind::Cube)) cores.wrong("a step at the other end of its queue");
    return core;
  }
  void complete_operands(Rows& its, std::uint64_t count) {
    if (!file_.failed() && its.row() != count) its.wrong("other operands than the file says");
  }

  void load_operands(Rows& bounds, Rows& its, Bound& bound, std::uint32_t instruction, std::int64_t event) {
    const std::vector<OperandUse>& uses = parts_.program.instructions[instruction].operands;
    bound.operands.reserve(uses.size());
    std::uint32_t number = 0;
    for (const OperandUse& use : uses) {
      if (use.spec == &kEventOperand || use.spec == &kFlagOperand) {
        if (event == kNoEvent || bound.attributes.empty()) return bounds.wrong("no event where there should be one");
        bound.attributes.back() = static_cast<std::uint8_t>(event);
        event = kNoEvent;
        continue;
      }
      if (!its.next()) return its.wrong("an operand is missing");
      its.number(static_cast<std::int64_t>(bounds.row()), static_cast<std::int64_t>(bounds.row()));
      its.number(number, number);
      ++number;
      bound.operands.push_back(load_operand(its, use, bound));
      if (file_.failed()) return;
    }
    if (event != kNoEvent) bounds.wrong("an event of an instruction that has none");
  }

  Operand load_operand(Rows& its, const OperandUse& use, const Bound& bound) {
    Operand operand;
    operand.spec = use.spec;
    if (use.spec->kind == OperandKind::Tile) load_tile(its, use, bound, operand);
    if (use.spec->kind == OperandKind::Global) load_view(its, operand);
    if (use.spec->kind == OperandKind::Scalar) load_number(its, use, operand);
    return operand;
  }

  // Columns from `tile` on.
  void load_tile(Rows& its, const OperandUse& use, const Bound& bound, Operand& operand) {
    const Program& program = parts_.program;
    operand.id = its.index(program.tiles.size());
    if (!its.skip_null()) its.wrong("a buffer where a tile belongs");
    if (file_.failed()) return;
    // A call is listed with the operands that it had first.
    const Value known = program.listed ? Value{} : program.slots[use.slot];
    if (known.kind == ValueKind::Tile && known.bits != operand.id)
      return its.wrong("another tile than the program names");
    const TileDecl& tile = program.tiles[operand.id];
    operand.tile.type = tile.type;
    operand.implicit = tile.implicit;
    operand.tile.core = core_of_tile(program, tile, bound.core);
    operand.tile.address = its.word32();
    // How large a pointed tile is, the numbers of its step say, which come behind it.
    const std::uint64_t any = tile.pointed ? kMostPointed : 0;
    operand.tile.valid_rows = its.index(std::max<std::uint64_t>({tile.type.rows, tile.type.widest_rows(), any}) + 1);
    operand.tile.valid_cols = its.index(std::max<std::uint64_t>({tile.type.cols, tile.type.widest_cols(), any}) + 1);
  }

  void load_view(Rows& its, Operand& operand) {
    const Program& program = parts_.program;
    if (!its.skip_null()) its.wrong("a tile where a view belongs");
    operand.id = its.index(program.buffers.size());
    operand.global.address = its.word32();
    if (!its.skip_null() || !its.skip_null()) its.wrong("valid sizes of a view");
    operand.global.dtype = dtype(its);
    operand.global.layout =
        static_cast<GlobalLayout>(its.word(kLayouts, [](int i) { return name(static_cast<GlobalLayout>(i)); }));
    for (std::uint32_t& size : operand.global.shape) size = its.word32();
    for (std::uint32_t& step : operand.global.stride) step = its.word32();
    if (file_.failed()) return;
    const BufferDecl& buffer = program.buffers[operand.id];
    operand.global.buffer_begin = buffer.address;
    operand.global.buffer_end = buffer.address + buffer.size();
  }

  void load_number(Rows& its, const OperandUse& use, Operand& operand) {
    constexpr int kOfTilesAndViews = 5, kOfViews = 11;
    for (int i = 0; i < kOfTilesAndViews; ++i)
      if (!its.skip_null()) its.wrong("a tile or view where a number belongs");
    if (dtype(its) != use.dtype) its.wrong("a number of another type than the program's");
    for (int i = 0; i < kOfViews; ++i)
      if (!its.skip_null()) its.wrong("a view where a number belongs");
    operand.scalar = {use.dtype, its.bits()};
    const std::uint32_t width = size_bits(use.dtype);
    if (width < 64 && operand.scalar.bits >> width != 0) its.wrong("a number that is too large for its type");
  }

  DType dtype(Rows& rows) {
    return static_cast<DType>(rows.word(kDTypes, [](int i) { return name(static_cast<DType>(i)); }));
  }

  // --- steps ---

  void load_turns() {
    const std::uint64_t count = rows_of("turns", sizeof(LoopTurn));
    Rows rows(file_, "turns", "SELECT id, variable, turn, entry, line, col FROM turns ORDER BY id");
    while (rows.next()) {
      rows.counts();
      LoopTurn turn;
      turn.variable = static_cast<std::int64_t>(rows.bits());
      turn.turn = rows.word32();
      turn.entry = rows.word32();
      turn.pos = {rows.word32(), rows.word32()};
      if (rows.row() >= count) rows.wrong("more rows than the file says");
      if (file_.failed()) return;
      parts_.loops.push_back(turn);
    }
    complete(rows, count);
  }

  void load_steps() {
    Rows rows(file_, "steps", "SELECT id, instruction, bound, block, first_turn, turns FROM steps ORDER BY id");
    parts_.steps.reserve(steps_);
    while (rows.next()) {
      rows.counts();
      Step step;
      step.instruction = rows.index(parts_.program.instructions.size());
      step.bound = rows.index(parts_.bounds.size());
      step.block = static_cast<std::uint16_t>(rows.index(parts_.program.blocks));
      step.loops = rows.index(parts_.loops.size() + 1);
      step.loop_count = static_cast<std::uint16_t>(
          rows.number(0, std::min<std::int64_t>(0xFFFF, static_cast<std::int64_t>(parts_.loops.size() - step.loops))));
      if (rows.row() >= steps_) rows.wrong("more rows than the file says");
      if (file_.failed()) return;
      if (instruction_of_[step.bound] != step.instruction) return rows.wrong("the operands of another instruction");
      const Program& program = parts_.program;
      if (program.together() && parts_.bounds[step.bound].core / program.cores.size() != step.block)
        return rows.wrong("a core of another block");
      if (const auto broken = broken_.find(step.bound); broken != broken_.end())
        return rows.wrong("operands that break a rule: " + broken->second);
      parts_.steps.push_back(step);
    }
    complete(rows, steps_);
    load_unmade();
  }

  // Its operands may break rules: that may be why it could not be made.
  void load_unmade() {
    if (file_.failed() || !meta_.has("unmade_bound")) return;
    if (parts_.bounds.empty()) return file_.fail("it is damaged: table meta: unmade_bound, and there are no bounds");
    Step step;
    step.bound = static_cast<std::uint32_t>(meta_.number("unmade_bound", parts_.bounds.size() - 1));
    step.block = static_cast<std::uint16_t>(meta_.number("unmade_block", parts_.program.blocks - 1));
    if (file_.failed()) return;
    step.instruction = instruction_of_[step.bound];
    parts_.unmade = step;
  }

  void load_writes() {
    const std::uint64_t count = rows_of("writes", sizeof(WritePattern));
    Rows rows(file_, "writes", "SELECT id, step, space, address, size, stride, count FROM writes ORDER BY id");
    std::uint32_t last = 0;
    std::uint64_t bytes = 0;  // that the step writes
    while (rows.next()) {
      rows.counts();
      const auto step = static_cast<std::uint32_t>(rows.number(last, std::int64_t{steps_} - 1));
      const MemoryOfCore memory = rows.memory(map_);
      const std::uint32_t address = rows.index(map_.size(memory.space, memory.core));
      WritePattern pattern{.base = map_.flat(memory.space, address, memory.core),
                           .size = rows.word32(),
                           .stride = rows.word32(),
                           .count = rows.word32()};
      if (rows.row() >= count) rows.wrong("more rows than the file says");
      if (file_.failed()) return;
      check_pattern(rows, pattern);
      bytes = (step == last ? bytes : 0) + std::uint64_t{pattern.size} * pattern.count;
      // An instruction stores most bytes once, and none for ever.
      if (bytes > 2 * std::uint64_t{map_.end()}) rows.wrong("more bytes written than there are");
      if (file_.failed()) return;
      Step& its = parts_.steps[step];
      if (its.write_count == 0) its.first_write = static_cast<std::uint32_t>(parts_.writes.size());
      ++its.write_count;
      parts_.writes.push_back(pattern);
      last = step;
    }
    complete(rows, count);
    std::uint32_t next = 0;
    for (Step& step : parts_.steps) {
      if (step.write_count == 0) step.first_write = next;
      next = step.first_write + step.write_count;
    }
  }
  void check_pattern(Rows& rows, const WritePattern& pattern) const {
    if (pattern.size == 0 || pattern.count == 0 || (pattern.count > 1 && pattern.stride < pattern.size))
      return rows.wrong("written bytes that are none, or that overlap");
    const std::uint64_t end = std::uint64_t{pattern.count - 1} * pattern.stride + pattern.size + pattern.base;
    if (end > map_.end()) rows.wrong("bytes written outside all memories");
  }

  // --- findings ---

  void load_findings() {
    const std::uint64_t count = rows_of("findings", 2 * sizeof(Finding));
    Rows rows(
        file_, "findings",
        "SELECT id, step, found_by, kind, rule, severity, line, col, span, operand, text, expected, hint, element_row, "
        "element_col, found_operand, found_row, found_col, found_space, found_address, found_bytes FROM findings ORDER BY id");
    while (rows.next()) {
      rows.counts();
      Finding finding;
      finding.step = rows.index(std::uint64_t{steps_} + 1);
      const auto by = static_cast<FoundBy>(rows.word(3, [](int i) { return found_by_word(static_cast<FoundBy>(i)); }));
      Diagnostic& said = finding.diagnostic;
      said.kind =
          static_cast<FindingKind>(rows.word(kFindingKinds, [](int i) { return name(static_cast<FindingKind>(i)); }));
      said.rule = rows.shown();
      said.severity =
          static_cast<Severity>(rows.word(kSeverities, [](int i) { return name(static_cast<Severity>(i)); }));
      said.pos = {rows.word32(), rows.word32()};
      said.span = rows.word32();
      for (std::string* text : {&said.operand, &said.text, &said.expected, &said.hint}) *text = rows.shown();
      charge(2 * (said.rule.size() + said.operand.size() + said.text.size() + said.expected.size() + said.hint.size()));
      const std::optional<std::uint32_t> row = rows.maybe32(), col = rows.maybe32();
      if (row && col) said.element = DiagnosticElement{*row, *col};
      load_element(rows, finding);
      if (rows.row() >= count) rows.wrong("more rows than the file says");
      if (file_.failed()) return;
      findings_.push_back({std::move(finding), by});
    }
    complete(rows, count);
  }

  // Columns from `found_operand` on.
  void load_element(Rows& rows, Finding& finding) {
    constexpr int kMostOperands = 64;
    if (rows.skip_null()) return;
    FoundElement found;
    found.operand = static_cast<int>(rows.number(-1, kMostOperands));
    found.row = rows.word32();
    found.col = rows.word32();
    const MemoryOfCore memory = rows.memory(map_);
    found.place.space = memory.space, found.place.core = memory.core;
    found.place.address = rows.word32();
    found.place.size = rows.word32();
    check_place(rows, found.place);
    if (file_.failed()) return;
    const Bound* bound = finding.step < steps_ ? &parts_.bounds[parts_.steps[finding.step].bound]
                         : parts_.unmade       ? &parts_.bounds[parts_.unmade->bound]
                                               : nullptr;
    if (bound != nullptr && found.operand >= 0 && !fits(found, *bound))
      return rows.wrong("an element outside its operand");
    finding.element = found;
  }
  static bool fits(const FoundElement& found, const Bound& bound) {
    if (static_cast<std::size_t>(found.operand) >= bound.operands.size()) return false;
    const Operand& operand = bound.operands[static_cast<std::size_t>(found.operand)];
    switch (operand.spec->kind) {
      case OperandKind::Tile: return found.row < operand.tile.rows() && found.col < operand.tile.cols();
      case OperandKind::Global:
        return found.row == 0 && found.col < elements_in(element_type(operand), bytes_of(operand).size);
      case OperandKind::Scalar: break;
    }
    return true;
  }

  void load_finding_notes() {
    const std::uint64_t count = rows_of("finding_notes", 2 * sizeof(DiagnosticNote));
    Rows rows(file_, "finding_notes", "SELECT id, finding, line, col, text FROM finding_notes ORDER BY id");
    while (rows.next()) {
      rows.counts();
      const std::uint32_t finding = rows.index(findings_.size());
      DiagnosticNote note;
      note.pos = {rows.word32(), rows.word32()};
      note.text = rows.shown();
      charge(2 * note.text.size());
      if (rows.row() >= count) rows.wrong("more rows than the file says");
      if (file_.failed()) return;
      findings_[finding].first.diagnostic.notes.push_back(std::move(note));
    }
    complete(rows, count);
  }

  data::Database& file_;
  Meta& meta_;
  std::uint64_t rows_most_, left_;
  MemoryMap map_;
  RecordingParts parts_;
  std::uint32_t steps_ = 0;
  std::vector<std::uint32_t> instruction_of_;    // by bound
  std::map<std::uint32_t, std::string> broken_;  // bounds whose operands break a rule, and what the rule says
  std::vector<std::pair<Finding, FoundBy>> findings_;
  std::vector<Finding> kept_findings_;
};

// --- the file ---

std::uint32_t big_endian(std::span<const unsigned char> bytes) {
  std::uint32_t value = 0;
  for (const unsigned char byte : bytes) value = value << 8 | byte;
  return value;
}

// What its first bytes tell, before SQLite looks at it: nothing, or what is wrong.
std::optional<data::Error> wrong_header(const std::string& path, std::uint64_t& file_bytes, int& format_found) {
  if (auto error = data::unreadable(path)) return error;
  const auto says = [&](std::string text, std::string hint = "`tilescope run FILE --record out.ptorec` makes one") {
    return data::Error{fmt::format("{}: {}", path, text), std::move(hint)};
  };
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::array<unsigned char, 100> header{};
  std::ifstream in(path, std::ios::binary);
  in.read(reinterpret_cast<char*>(header.data()), header.size());
  const auto count = static_cast<std::size_t>(in.gcount());
  in.clear();
  in.seekg(0, std::ios::end);
  file_bytes = static_cast<std::uint64_t>(std::max<std::streamoff>(in.tellg(), 0));
  if (count == 0) return says("this is not a recording: the file is empty");
  if (std::memcmp(header.data(), kMagic.data(), std::min(count, kMagic.size())) != 0)
    return says("this is not a recording: it does not begin as one");
  if (count < header.size())
    return says(fmt::format("it is truncated: it has {} bytes", file_bytes), "copy it again from where it came from");
  const auto number = [&](std::size_t at, std::size_t size) { return big_endian(std::span(header).subspan(at, size)); };
  const std::uint32_t id = number(68, 4), format = number(60, 4), pages = number(28, 4);
  const std::uint64_t page_bytes = number(16, 2) == 1 ? 65536 : number(16, 2);
  if (id != kApplicationId || format == 0)
    return says("this is not a recording: it is an SQLite database of another kind");
  if (format > kFormat)
    return says(fmt::format("made by a newer TileScope (format {}; this one reads {})", format, kFormat),
                "a newer version opens it");
  format_found = static_cast<int>(format);
  if (page_bytes * pages > file_bytes)
    return says(fmt::format("it is truncated: it has {} bytes of {}", file_bytes, page_bytes * pages),
                "copy it again from where it came from");
  // A file's size is what its reading may take. A disk that compresses makes some of it, a hole all of it.
  constexpr std::uint64_t kMostCompressed = 16, kLeast = 1 << 20;
  const std::uint64_t real = data::bytes_on_disk(path);
  if (real != 0 && file_bytes > real * kMostCompressed + kLeast)
    return says(fmt::format("it is damaged: {} of its {} bytes are holes", file_bytes - real, file_bytes),
                "copy it again from where it came from");
  return {};
}

}  // namespace
}  // namespace ts::recording_file

namespace ts {

std::variant<RecordingFile, data::Error> open_recording(const std::string& path, std::size_t budget_bytes,
                                                        const std::function<bool()>& go_on) {
  using namespace recording_file;
  std::uint64_t file_bytes = 0;
  int format = 0;
  if (auto wrong = wrong_header(path, file_bytes, format)) return *wrong;
  const std::uint64_t budget = budget_bytes != 0 ? budget_bytes : default_budget_bytes();
  constexpr std::uint64_t kMostCache = std::uint64_t{256} << 20, kLeastText = 1 << 20;
  auto file = std::make_unique<data::Database>();
  const auto failed = [&] { return data::Error{fmt::format("{}: {}", path, file->error()), {}}; };
  if (!file->open_stranger(path, std::max(file_bytes, kLeastText))) return failed();
  // A row takes some dozen instructions and no less than five bytes.
  constexpr std::uint64_t kMostWork = 2'000'000;
  file->allow_work(std::min(file_bytes / 50 + 1000, kMostWork));
  file->ask(go_on);
  if (format >= kFormatSealed && !file->is_sealed())
    return data::Error{path + ": it is truncated, or another program changed it: its sums are missing",
                       "copy it again from where it came from, or save it again"};
  check_schema(*file, format);
  if (file->failed()) return failed();
  Meta meta(*file);
  RecordingFile opened;
  opened.facts = {.format = format,
                  .program_version = meta.text("program_version", 40),
                  .digest = meta.text("digest", 32),
                  .file_bytes = file_bytes,
                  .full = meta.number("full", 1) != 0,
                  .page_versions = meta.number("page_versions", file_bytes / 5),
                  .pages = meta.number("kept_pages", file_bytes / 5),
                  .sources = meta.sources()};
  std::optional<Program> program;
  if (!file->failed()) program = load_program(*file, opened.facts.program_version, budget / 2, go_on);
  if (!program) return failed();
  Loader loader(*file, meta, std::move(*program), file_bytes, budget);
  loader.load();
  if (!file->failed()) opened.notes = loader.load_notes();
  file->ask({});
  PageList pages;
  if (!file->failed()) pages = load_page_list(*file, loader.map(), opened.facts.page_versions, opened.facts.pages);
  if (file->failed()) return failed();
  RecordingParts& parts = loader.parts();
  parts.options.budget_bytes = budget_bytes;
  parts.pages = {.source = page_source(std::move(file), std::move(pages), loader.steps()),
                 .cache_bytes = std::min(budget / 4, kMostCache),
                 .versions = opened.facts.page_versions,
                 .pages = opened.facts.pages};
  opened.findings = std::move(loader.findings());
  opened.recording = Recording::restore(std::move(parts));
  return opened;
}

bool is_recording_file(const std::string& path) {
  if (path.ends_with(".ptorec")) return true;
  if (data::unreadable(path)) return false;
  std::string magic(15, 0);
  std::ifstream(path, std::ios::binary).read(magic.data(), static_cast<std::streamsize>(magic.size()));
  return magic == "SQLite format 3";
}

}  // namespace ts
