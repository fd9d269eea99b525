// Flags, events, barriers: steps that move no data.
#include <fmt/format.h>

#include "core/compile/dialects.h"
#include "core/compile/statements.h"
#include "core/compile/walk.h"
#include "core/program/sync.h"

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
  const char* what = event ? "event" : row.attributes.size() == 1 || index < 2 ? "pipe" : "class";
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

}  // namespace

std::span<const DialectRow> sync_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::SetFlag, synchronise},     {OpKind::WaitFlag, synchronise},  {OpKind::Barrier, synchronise},
      {OpKind::RecordEvent, synchronise}, {OpKind::WaitEvent, synchronise}, {OpKind::Fence, fence},
  };
  return kRows;
}

}  // namespace ts
