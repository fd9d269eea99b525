// Flags, events, barriers: steps that move no data.
#include <fmt/format.h>

#include "core/compile/dialects.h"
#include "core/compile/statements.h"
#include "core/compile/walk.h"
#include "core/program/sync.h"
#include "core/text/count.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;

namespace {

// The operands, in brackets or without.
std::vector<const Item*> words_of(const Compilation& c, const Op& op) {
  std::vector<const Item*> words;
  for (const Item& item : c.tree.items(op)) {
    switch (item.kind) {
      case ItemKind::List:
        for (const Item& entry : c.tree.children(item)) words.push_back(&entry);
        break;
      case ItemKind::Enum:
      case ItemKind::String:
      case ItemKind::Use:
      case ItemKind::Word:
      case ItemKind::Attr: words.push_back(&item); break;
      default: break;
    }
  }
  return words;
}

void unknown_word(Compilation& c, const Item& item, const InstructionRow& row, std::size_t index) {
  const std::string_view values = row.attributes[index].values;
  const bool event = values.starts_with("EVENT_ID0");
  const char* what = &row == &kMemoryBarrier                   ? "order"
                     : event                                   ? "event"
                     : row.attributes.size() == 1 || index < 2 ? "pipe"
                                                               : "class";
  const bool quoted = item.kind == ItemKind::String;
  c.messages.error(quoted ? text::SourceRange{item.range.begin + 1, item.range.end - 1} : item.range, "E-SYNC",
                   fmt::format("unknown {} {}", what, word_of(c.tree.tree(), item)),
                   event ? "EVENT_ID0..EVENT_ID7" : std::string(values));
}

// pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>], pto.barrier <PIPE_ALL>
void synchronise(Compilation& c, OpId id, const Op& op) {
  const InstructionRow& row = *sync_row(text::kind_of(op.code));
  const std::vector<const Item*> words = words_of(c, op);
  if (!same_count(c, op, words.size(), row.attributes.size(), "operands")) return;
  Instruction instruction{.row = &row, .pos = c.messages.position(op.name), .op = id, .operands = {}, .attributes = {}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Item& item = *words[i];
    if (item.kind == ItemKind::Use) {
      const Slot slot = c.names.use(item);
      if (slot == kNoSlot) return;
      instruction.operands.push_back({.spec = &kEventOperand, .slot = slot, .dtype = DType::I64});
      instruction.attributes.push_back(0);
      continue;
    }
    const std::string_view word = word_of(c.tree.tree(), item);
    int number = sync_value(row.attributes[i], word);
    if (number < 0 && text::kind_of(op.code) == OpKind::Barrier) number = pipe_of_class(word);
    if (number < 0) return unknown_word(c, item, row, i);
    instruction.attributes.push_back(static_cast<std::uint8_t>(number));
  }
  c.code.emit_step(op.range, std::move(instruction));
}

// The operands, numbers among them.
std::vector<const Item*> operands_of(const Compilation& c, const Op& op) {
  std::vector<const Item*> out;
  for (const Item& item : c.tree.items(op))
    if (item.kind != ItemKind::Dict && item.kind != ItemKind::Types) out.push_back(&item);
  return out;
}

// What stands for a number: one that is written, or of a value that never changes.
std::optional<std::uint64_t> fixed_number(const Compilation& c, const Item& item, Slot slot) {
  std::uint64_t number = 0;
  if (item.kind != ItemKind::Use)
    return text::parse_count(c.tree.text(item), number) ? std::optional(number) : std::nullopt;
  const Value& value = c.program.slots[slot];
  return value.kind == ValueKind::Scalar ? std::optional(value.bits) : std::nullopt;
}

// In whatever order: the pipe, and the buffer's number before the mode.
struct BufferWords {
  const Item* pipe = nullptr;
  std::vector<const Item*> numbers = {};

  void take(const Item& item) {
    if (item.kind == ItemKind::Use || item.kind == ItemKind::Int) numbers.push_back(&item);
    else pipe = &item;
  }
};
BufferWords buffer_words(const Compilation& c, const Op& op) {
  BufferWords words;
  for (const Item* item : operands_of(c, op)) {
    if (item->kind != ItemKind::List) words.take(*item);
    else
      for (const Item& entry : c.tree.children(*item)) words.take(entry);
  }
  return words;
}

// pto.get_buf "PIPE_MTE2", 0, 0; pto.get_buf "PIPE_V", %id, %mode : i64, i64, in either order of pipe and number;
// pto.get_buf [#pto.pipe_event_type<TVEC>, 0] { mode = 0 : i32 }
void buffer_number(Compilation& c, OpId id, const Op& op) {
  const InstructionRow& row = *sync_row(text::kind_of(op.code));
  const auto [pipe_word, numbers] = buffer_words(c, op);
  if (pipe_word == nullptr || numbers.empty() || numbers.size() > 2) {
    c.messages.error(op.range, "E-SYNC", fmt::format("{} takes a pipe, a buffer's number, and a mode", row.name),
                     fmt::format("pto.{} \"PIPE_MTE2\", 0, 0", row.name));
    return;
  }
  const std::string_view word = word_of(c.tree.tree(), *pipe_word);
  const int of_class = pipe_of_class(word), pipe = of_class < 0 ? sync_value(row.attributes[0], word) : of_class;
  if (pipe < 0) return unknown_word(c, *pipe_word, row, 0);
  Instruction instruction{.row = &row, .pos = c.messages.position(op.name), .op = id, .operands = {}, .attributes = {}};
  instruction.attributes = {static_cast<std::uint8_t>(pipe), 0, 0};
  std::vector<Slot> slots;
  for (const Item* number : numbers) {
    slots.push_back(number->kind == ItemKind::Use ? c.names.use(*number) : kNoSlot);
    if (number->kind == ItemKind::Use && slots.back() == kNoSlot) return;
  }
  const auto wrong = [&](const Item& item, const char* what, const char* hint) {
    c.messages.error(item.range, "E-SYNC", fmt::format("{} is no {}", c.tree.text(item), what), hint);
  };
  const Item* word_of_mode = c.tree.find(op, "mode");
  const int written = word_of_mode == nullptr ? 0 : sync_value(row.attributes[kBufferMode], c.tree.word(op, "mode"));
  const std::uint64_t mode = numbers.size() == 2 ? fixed_number(c, *numbers[1], slots[1]).value_or(~0ull)
                                                 : static_cast<std::uint64_t>(written);
  if (mode > 1) return wrong(numbers.size() == 2 ? *numbers[1] : *word_of_mode, "mode", "0 or 1");
  instruction.attributes[kBufferMode] = static_cast<std::uint8_t>(mode);
  constexpr std::uint64_t kNumbers = 32;
  const auto buffer = fixed_number(c, *numbers[0], slots[0]);
  if (buffer && *buffer >= kNumbers) return wrong(*numbers[0], "buffer's number", "0 to 31");
  if (buffer) instruction.attributes[kBufferNumber] = static_cast<std::uint8_t>(*buffer);
  else instruction.operands.push_back({.spec = &kFlagOperand, .slot = slots[0], .dtype = DType::I64});
  c.code.emit_step(op.range, std::move(instruction));
}

// pto.mem_bar "VST_VLD"
void memory_barrier(Compilation& c, OpId id, const Op& op) {
  if (in_vecscope(c, op)) synchronise(c, id, op);
}

// pto.fence.barrier_all #pto.fence_scope<gm>: all that this core did is done before it goes on.
void fence(Compilation& c, OpId id, const Op& op) {
  const std::vector<const Item*> words = words_of(c, op);
  if (!same_count(c, op, words.size(), 1, "operands")) return;
  if (!known_word(c, *text::find_word_list("fence_scope"), *words[0])) return;
  const auto every_pipe = static_cast<std::uint8_t>(sync_value(kBarrier.attributes[0], "PIPE_ALL"));
  c.code.emit_step(
      op.range,
      {.row = &kBarrier, .pos = c.messages.position(op.name), .op = id, .operands = {}, .attributes = {every_pipe}});
}

// --- flags from core to core ---------------------------------------------------------------------------------------

bool sets_flag(const TreeReader& tree, OpId first, std::string_view id) {
  bool found = false;
  for_ops(tree, first, [&](OpId, const Op& op) {
    for (const Item& item : tree.items(op)) {
      if (item.kind == ItemKind::Region) found = found || sets_flag(tree, tree.first_op(&item), id);
      found = found ||
              (text::kind_of(op.code) == OpKind::SetCoreFlag && item.kind == ItemKind::Int && tree.text(item) == id);
    }
  });
  return found;
}

// The assembler makes of a set for the first vector core one for the second as well; kernels that were written by hand
// write both.
bool is_mirrored(const Compilation& c, const Item& id, std::string_view pipe) {
  constexpr std::uint64_t kSecondCore = 16;
  std::uint64_t number = 0;
  const Function* function = c.functions.current();
  if (c.program.target != Target::A5 || c.kind != CoreKind::Cube || pipe.find("FIX") == std::string_view::npos ||
      function == nullptr || !text::parse_count(c.tree.text(id), number) || number >= kSecondCore)
    return false;
  const Item* region = c.tree.find(*function->op, ItemKind::Region);
  return region != nullptr && !sets_flag(c.tree, c.tree.first_op(region), std::to_string(number + kSecondCore));
}

// pto.sync.set <PIPE_FIX>, 1 {ffts_mode = 2 : i32}; pto.wait_intra_core %pipe, %id : i64, i64
void core_flag(Compilation& c, OpId id, const Op& op) {
  const InstructionRow& row = *sync_row(text::kind_of(op.code));
  const std::vector<const Item*> given = operands_of(c, op);
  if (!same_count(c, op, given.size(), 2, "operands")) return;
  Instruction instruction{.row = &row, .pos = c.messages.position(op.name), .op = id, .operands = {}, .attributes = {}};
  instruction.attributes.resize(row.attributes.size(), 0);
  const std::string_view pipe = word_of(c.tree.tree(), *given[0]);
  // A number that a value holds says nothing of when the flag is set.
  const bool by_word = given[0]->kind != ItemKind::Use && given[0]->kind != ItemKind::Int;
  const int number = sync_value(row.attributes[0], by_word ? pipe : "PIPE_ALL");
  if (number < 0) return unknown_word(c, *given[0], row, 0);
  instruction.attributes[0] = static_cast<std::uint8_t>(number);
  if (given[1]->kind == ItemKind::Use) {
    const Slot slot = c.names.use(*given[1]);
    if (slot == kNoSlot) return;
    instruction.operands.push_back({.spec = &kFlagOperand, .slot = slot, .dtype = DType::I64});
  } else {
    const int flag = sync_value(row.attributes.back(), c.tree.text(*given[1]));
    if (flag < 0)
      return void(
          c.messages.error(given[1]->range, "E-SYNC", fmt::format("unknown flag {}", c.tree.text(*given[1])), "0..31"));
    instruction.attributes.back() = static_cast<std::uint8_t>(flag);
  }
  if (&row == &kSetCoreFlag) {
    const std::string_view mode = c.tree.word(op, "ffts_mode");
    const int value = mode.empty() ? 2 : sync_value(row.attributes[kFlagMode], mode);
    if (value < 0)
      return void(c.messages.error(c.tree.find(op, "ffts_mode")->range, "E-SYNC",
                                   fmt::format("unknown ffts_mode {}", mode), "0, 1 or 2"));
    instruction.attributes[kFlagMode] = static_cast<std::uint8_t>(value);
    instruction.attributes[kFlagMirrored] = is_mirrored(c, *given[1], pipe) ? 1 : 0;
  }
  c.code.emit_step(op.range, std::move(instruction));
}

// The workspace of a soft meeting is where its cores count; nobody else looks there.
bool add_workspace(Compilation& c, const Op& op, const Item& given, Instruction& meeting) {
  const Slot pointer = c.names.use(given);
  if (pointer == kNoSlot) return false;
  const text::TypeId type = c.code.type_of(pointer);
  const auto dtype = type == kNoType || c.tree.type(type).kind != text::TypeKind::Ptr
                         ? std::nullopt
                         : text::dtype(c.tree.type(type).scalar);
  if (!dtype || is_packed(*dtype)) return true;
  const Slot cells = c.code.new_variable(kNoType);
  const Slot count = c.code.constant(kWorkspaceBytes / size_bytes(*dtype));
  c.code
      .emit(CodeKind::MakeView, op.range, {pointer, count, c.code.constant(1)}, {cells},
            static_cast<std::uint32_t>(*dtype))
      .type = 1;
  meeting.operands.push_back({.spec = &kWorkspaceOperand, .slot = cells, .dtype = *dtype});
  return true;
}

// pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<mix>
void meet(Compilation& c, OpId id, const Op& op) {
  Instruction instruction{
      .row = &kMeet, .pos = c.messages.position(op.name), .op = id, .operands = {}, .attributes = {}};
  const std::string_view given[] = {c.tree.word(op, "mode"), c.tree.word(op, "core_type")};
  constexpr std::string_view kUsual[] = {"hard", "mix"};
  for (std::size_t i = 0; i < std::size(given); ++i) {
    const int word = sync_value(kMeet.attributes[i], given[i].empty() ? kUsual[i] : given[i]);
    if (word < 0) return;  // its signature told
    instruction.attributes.push_back(static_cast<std::uint8_t>(word));
  }
  std::vector<const Item*> values;
  if (const Item* group = c.tree.find(op, ItemKind::Group))
    for (const Item& item : c.tree.children(*group))
      if (item.kind == ItemKind::Use) values.push_back(&item);
  if (!values.empty() && !add_workspace(c, op, *values[0], instruction)) return;
  if (values.size() > 1) {
    const Slot cores = c.names.use(*values[1]);
    if (cores == kNoSlot) return;
    instruction.operands.push_back({.spec = &kCoresOperand, .slot = cores, .dtype = DType::I32});
  }
  c.program.meets = true;
  c.code.emit_step(op.range, std::move(instruction));
}

}  // namespace

std::span<const DialectRow> sync_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::SetFlag, synchronise},
      {OpKind::WaitFlag, synchronise},
      {OpKind::Barrier, synchronise},
      {OpKind::GetBuffer, buffer_number},
      {OpKind::ReleaseBuffer, buffer_number},
      {OpKind::RecordEvent, synchronise},
      {OpKind::WaitEvent, synchronise},
      {OpKind::MemoryBarrier, checked<memory_barrier>},
      {OpKind::Fence, fence},
      {OpKind::SetCoreFlag, checked<core_flag>},
      {OpKind::WaitCoreFlag, checked<core_flag>},
      {OpKind::SyncAll, checked<meet>},
  };
  return kRows;
}

}  // namespace ts
