// Queues between the cores of a block: their storage, their ends, and what goes in and comes out.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/compile/dialects.h"
#include "core/compile/queue_rules.h"
#include "core/compile/walk.h"
#include "core/program/scalar_ops.h"
#include "core/text/count.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;
using text::TypeId;
using text::TypeKind;

namespace {

std::uint32_t queue_number(const Compilation& c, const Op& op, std::string_view name, std::uint32_t otherwise) {
  std::uint64_t value = 0;
  return text::parse_count(c.tree.word(op, name), value) && value <= 0xFFFFFFFF ? static_cast<std::uint32_t>(value)
                                                                                : otherwise;
}

std::string function_name(const Compilation& c) {
  const Function* function = c.functions.current();
  return function == nullptr ? "" : std::string(c.tree.symbol_name(*function->op));
}

// The end of a queue belongs to a core; a core that does both sides' work has none.
bool runs_on_one_side(const Compilation& c) { return c.kind != CoreKind::Joint; }
void not_emulated(Compilation& c, OpId id, const Op& op, const std::vector<Slot>& outs = {}) {
  c.code.emit(CodeKind::Missing, op.range, {}, outs, id);
}

// --- storage -------------------------------------------------------------------------------------------------------

// pto.reserve_buffer {name = "f", size = 4096, location = #pto.address_space<vec>, auto = true} -> i32
void reserve_storage(Compilation& c, OpId, const Op& op) {
  const bool mat = c.tree.word(op, "location").find("mat") != std::string_view::npos;
  const std::string name(unquoted(c.tree.word(op, "name")));
  constexpr std::uint32_t kMost = 1u << 20;
  const std::uint32_t size = std::clamp((queue_number(c, op, "size", 0) + BLK - 1) / BLK * BLK, BLK, kMost);
  TileType type = vec_tile(DType::U8, 1, size);
  if (mat) type.loc = TileLoc::Mat;
  const std::uint32_t tile = c.tiles.declare({.name = name.empty() ? "queue" : name, .type = type});
  c.tiles.set_touched(tile);
  const TypeId result = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  const Slot slot = c.names.bind_result(op, 0, result);
  const std::uint32_t base = queue_number(c, op, "base", 0xFFFFFFFF);
  if (base != 0xFFFFFFFF) {
    c.tiles.set_placed(tile);
    c.tiles[tile].address = base;
    c.tiles[tile].placed = true;
  }
  c.queues.reserved.push_back({name, function_name(c), tile, slot});
}

// pto.import_reserved_buffer {name = "f", peer_func = @k_aiv} -> i32
void import_storage(Compilation& c, OpId, const Op& op) {
  const TypeId result = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  const Slot slot = c.names.bind_result(op, 0, result);
  const std::string_view peer = c.tree.word(op, "peer_func");
  c.queues.imported.push_back({std::string(unquoted(c.tree.word(op, "name"))),
                               peer.size() < 2 ? "" : std::string(unquoted(peer.substr(1))), 0, slot});
}

// --- ends ----------------------------------------------------------------------------------------------------------

// The value under a name in the parentheses.
Slot given_storage(Compilation& c, const Op& op, std::string_view name) {
  const Item* group = c.tree.find(op, ItemKind::Group);
  if (group == nullptr) return kNoSlot;
  for (const Item& item : c.tree.children(*group))
    if (item.kind == ItemKind::Named && c.tree.tree().name_of(item) == name && item.count != 0)
      return c.names.use(c.tree.children(item).front());
  return kNoSlot;
}

const Item* used_value(const Compilation& c, const Op& op) {
  const Item* group = c.tree.find(op, ItemKind::Group);
  if (group == nullptr || group->count == 0) return nullptr;
  const Item& first = c.tree.children(*group).front();
  return first.kind == ItemKind::Use ? &first : nullptr;
}

struct QuantRow {
  std::string_view word;
  std::optional<DType> to;
};
// Words without "_scalar" and "_vec", which say where the factor comes from. Whether "b8" is signed nobody says; devices
// take i8 (unverified).
constexpr QuantRow kQuants[] = {
    {"no_convert", {}},
    {"f32_f16", DType::F16},
    {"f32_bf16", DType::BF16},
    {"deqf16", DType::F16},
    {"req8", DType::I8},
    {"qf322f16_pre", DType::F16},
    {"qf322bf16_pre", DType::BF16},
    {"qs322bf16_pre", DType::BF16},
    {"qf322b8_pre", DType::I8},
    {"qf322fp8_pre", DType::F8E4M3},
    {"qf322hif8_pre", DType::HIF8},
};

// Nothing: it has one that is not emulated.
std::optional<QueueEpilogue> epilogue_of(const Compilation& c, const Op& op) {
  QueueEpilogue out;
  if (c.tree.find(op, "acc_push_epilogue") == nullptr) return out;
  const auto word = [&](std::string_view part, std::string_view usual) {
    const std::string_view given = epilogue_word(c.tree, op, part);
    return given.empty() ? usual : given;
  };
  std::string_view quant = word("quant", "no_convert");
  for (const auto& [end, factor] : {std::pair{"_scalar", SumFactor::One}, {"_vec", SumFactor::Columns}}) {
    if (!quant.ends_with(end)) continue;
    quant.remove_suffix(std::string_view(end).size());
    out.factor = factor;
  }
  const auto* row = std::ranges::find(kQuants, quant, &QuantRow::word);
  if (word("layout", "nz2nd") != "nz2nd" || row == std::end(kQuants)) return {};
  out.to = row->to;
  out.relu = word("relu", "no_relu") == "normal_relu";
  return out;
}

// pto.set_quant_scalar(%one : f32) {id = 0}, pto.set_quant_vector(%scales : T) {id = 0}: for the pushes from here on.
void set_factor(Compilation& c, OpId, const Op& op) {
  const Item* used = used_value(c, op);
  const Slot given = used == nullptr ? kNoSlot : c.names.use(*used);
  if (given == kNoSlot) return;
  auto& all = text::kind_of(op.code) == OpKind::SetQuantScalar ? c.queues.factors : c.queues.columns;
  Slot& kept = all.try_emplace(queue_number(c, op, "id", 0), kNoSlot).first->second;
  if (kept == kNoSlot) kept = c.code.new_variable(c.code.type_of(given));
  c.code.emit_move(op.range, {given}, {kept});
}

// The factor of a push as the fixpipe takes it: a scale, and whether results are signed. Nothing: none was set, which was
// told.
std::optional<Slot> factor_of(Compilation& c, const Op& op, const QueueEpilogue& epilogue) {
  const auto& all = epilogue.factor == SumFactor::One ? c.queues.factors : c.queues.columns;
  const auto found = all.find(queue_number(c, op, "id", 0));
  if (found == all.end()) return {};
  if (epilogue.factor == SumFactor::Columns || epilogue.to != DType::I8) return found->second;
  constexpr std::int64_t kSigned = std::int64_t{1} << 46;
  const Slot word = c.code.new_variable(kNoType);
  CodeOp& both = c.code.emit(CodeKind::Compute, op.range, {found->second, c.code.constant(kSigned)}, {word},
                             static_cast<std::uint32_t>(find_scalar_op("arith.ori")));
  both.type = both.to = static_cast<std::uint8_t>(text::ScalarKind::I64);
  return word;
}

std::uint32_t declare_queue(Compilation& c, const Op& op, bool to_vector) {
  const bool both_ways = queue_number(c, op, "dir_mask", 0) == 3;
  const std::uint32_t id = queue_number(c, op, "id", 0),
                      slots = clamped(static_cast<std::int64_t>(queue_slots(c.tree, op)));
  std::vector<QueueDecl>& all = c.program.queues;
  const auto same =
      std::ranges::find_if(all, [&](const QueueDecl& queue) { return queue.id == id && queue.to_vector == to_vector; });
  if (same != all.end()) return static_cast<std::uint32_t>(same - all.begin());
  QueueDecl queue{.id = id,
                  .to_vector = to_vector,
                  .slot_bytes = queue_number(c, op, "slot_size", 0),
                  .slots = slots,
                  .local_slots = queue_number(c, op, "local_slot_num", slots),
                  .pos = c.messages.position(op.name)};
  // Both directions of one queue share a buffer in global memory, one ring behind the other.
  if (both_ways && !to_vector) queue.first_slot = slots * queue.slot_bytes;
  all.push_back(queue);
  return static_cast<std::uint32_t>(all.size() - 1);
}

// pto.aic_initialize_pipe {id = 0, dir_mask = 1, slot_size = 4096} (gm_slot_buffer = %b : .., c2v_consumer_buf = %c : i32)
void set_up_end(Compilation& c, OpId id, const Op& op) {
  if (!runs_on_one_side(c)) return not_emulated(c, id, op);
  const std::uint32_t directions = queue_number(c, op, "dir_mask", 0);
  const Slot gm = given_storage(c, op, "gm_slot_buffer");
  const std::optional<QueueEpilogue> epilogue = epilogue_of(c, op);
  const Slot slot_view = given_storage(c, op, "gm_slot_tensor");
  if (!epilogue || (slot_view != kNoSlot && c.program.target != Target::A2A3)) return not_emulated(c, id, op);
  for (const bool to_vector : {true, false}) {
    if ((directions & (to_vector ? 1u : 2u)) == 0) continue;
    if (c.program.target == Target::A2A3 && gm == kNoSlot && slot_view == kNoSlot && op.form != text::OpForm::Generic)
      c.messages.error(op.name, "E-OPERANDS",
                       "a2a3 hands entries over in global memory, and there is no gm_slot_buffer",
                       "(gm_slot_buffer = %slots : !pto.ptr<f32>, ...)",
                       fmt::format("give it a pointer to {} x {} bytes", queue_slots(c.tree, op),
                                   queue_number(c, op, "slot_size", 0)));
    const std::uint32_t queue = declare_queue(c, op, to_vector);
    c.program.queues[queue].sums = epilogue->to;
    if (to_vector) c.queues.epilogues[queue] = *epilogue;
    const Slot local = given_storage(c, op, to_vector ? "c2v_consumer_buf" : "v2c_consumer_buf");
    c.queues.ends.push_back({queue, local});
    c.program.queues[queue].by_views = slot_view != kNoSlot;
    c.code.emit(CodeKind::BeginQueue, op.range, {slot_view != kNoSlot ? slot_view : gm, local}, {}, queue);
  }
}

// --- entries -------------------------------------------------------------------------------------------------------

// The queue that an operation uses; nothing: none was set up, which was told.
std::optional<std::uint32_t> queue_of(const Compilation& c, const Op& op, bool to_vector) {
  const std::uint32_t id = queue_number(c, op, "id", 0);
  for (std::uint32_t i = 0; i < c.program.queues.size(); ++i)
    if (c.program.queues[i].id == id && c.program.queues[i].to_vector == to_vector) return i;
  return {};
}

std::uint8_t split_of(const Compilation& c, const Op& op) {
  return static_cast<std::uint8_t>(std::min(queue_number(c, op, "split", 0), 4u));
}

std::uint32_t add_queue_use(Compilation& c, QueueUse use) {
  c.queues.splits = c.queues.splits || use.split != 0;
  c.program.queue_uses.push_back(use);
  return static_cast<std::uint32_t>(c.program.queue_uses.size() - 1);
}

Instruction& emit_row(Compilation& c, OpId id, const Op& op, const InstructionRow& row, std::uint8_t form,
                      const std::vector<Slot>& slots) {
  Instruction step{.row = &row, .form = form, .fixed = false, .pos = c.messages.position(op.name), .op = id};
  step.queue_use = static_cast<std::uint32_t>(c.program.queue_uses.size() - 1);  // it was made for this step
  step.attributes.resize(row.attributes.size(), 0);
  for (std::size_t i = 0; i < slots.size(); ++i)
    step.operands.push_back({.spec = &row.forms[form].operands[i], .slot = slots[i], .dtype = DType::U64});
  c.code.emit_step(op.range, std::move(step));
  return c.program.instructions.back();
}
// The step that the last use is of; `form`: which of its row's forms it takes.
Instruction& emit_use(Compilation& c, OpId id, const Op& op, std::uint8_t form, const std::vector<Slot>& slots) {
  const QueueUse& use = c.program.queue_uses.back();
  const QueueDecl& queue = c.program.queues[use.queue];
  return emit_row(c, id, op, *row_of_queue(use.act, queue.to_vector, queue.by_views), form, slots);
}

Slot slot_of_tile(Compilation& c, std::uint32_t tile) { return c.code.new_slot(kNoType, tile_value(tile)); }

// With what the queue does to sums.
void settle_push(Instruction& step, const QueueEpilogue& epilogue, std::uint8_t split) {
  constexpr std::size_t kRelu = 1;
  step.attributes[kRelu] = epilogue.relu ? 1 : 0;
  step.attributes.back() = split;
}

void push_on_a5(Compilation& c, OpId id, const Op& op, Slot tile, QueueUse use, const QueueEpilogue& epilogue,
                const std::optional<Slot>& factor) {
  const TileType from = c.tiles.type_of(c.code.type_of(tile));
  std::vector<Slot> slots{slot_of_tile(c, use.tile)};
  if (factor) slots.push_back(*factor);
  const std::vector<SlotTile> filled = slots_of_push(c.program.queues[use.queue], from, use);
  for (const SlotTile& slot : filled) {
    std::uint32_t& number = use.first == kNoTile ? use.first : use.second;
    number = c.tiles.declare_alias({.name = slot.name, .type = slot.type, .whose = slot.whose});
    slots.push_back(slot_of_tile(c, number));
  }
  c.code.emit(CodeKind::UseQueue, op.range, {tile}, {}, add_queue_use(c, use));
  settle_push(emit_use(c, id, op, form_of_push(Target::A5, filled.size(), epilogue.factor), slots), epilogue,
              use.split);
}

// What has to do with a slot that the program itself stores to or loads from: a step without operands.
void use_by_view(Compilation& c, OpId id, const Op& op, QueueUse use, const std::vector<Slot>& outs) {
  c.code.emit(CodeKind::UseQueue, op.range, {}, outs, add_queue_use(c, use));
  emit_use(c, id, op, 0, {});
}

bool is_by_views(const Compilation& c, const std::optional<std::uint32_t>& queue) {
  return queue && c.program.queues[*queue].by_views;
}

// %e = pto.talloc_to_aiv {id = 0, split = 0} -> !pto.tensor_view<16x16xf32>
void allocate_entry(Compilation& c, OpId id, const Op& op) {
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  const auto queue = queue_of(c, op, text::kind_of(op.code) == OpKind::AllocToVector);
  const Slot view = c.names.bind_result(op, 0, type);
  if (!runs_on_one_side(c) || !is_by_views(c, queue) || split_of(c, op) != 0) return not_emulated(c, id, op, {view});
  use_by_view(c, id, op, {.act = QueueAct::Alloc, .queue = *queue}, {view});
}

void push_entry(Compilation& c, OpId id, const Op& op) {
  const bool to_vector = text::kind_of(op.code) == OpKind::PushToVector;
  const Item* used = used_value(c, op);
  const Slot tile = used == nullptr ? kNoSlot : c.names.use(*used);
  if (tile == kNoSlot) return;
  const TypeId type = c.code.type_of(tile);
  const auto queue = queue_of(c, op, to_vector);
  const bool is_tile = type != kNoType && c.tree.type(type).kind == TypeKind::Tile;
  const std::uint8_t split = split_of(c, op);
  const bool a5 = c.program.target == Target::A5;
  if (is_by_views(c, queue) && runs_on_one_side(c) && !is_tile && split == 0)
    return use_by_view(c, id, op, {.act = QueueAct::Push, .queue = *queue}, {});
  if (!runs_on_one_side(c) || !queue || is_by_views(c, queue) || !is_tile || (split > 2 && (a5 || !to_vector)))
    return not_emulated(c, id, op);
  const TileType from = c.tiles.type_of(type);
  QueueUse use{.act = QueueAct::Push, .split = split, .queue = *queue, .dtype = from.dtype};
  const QueueEpilogue epilogue = to_vector ? c.queues.epilogues[*queue] : QueueEpilogue{};
  if (epilogue.to) use.dtype = *epilogue.to;
  std::optional<Slot> factor;
  if (epilogue.factor != SumFactor::None) {
    factor = factor_of(c, op, epilogue);
    if (!factor) return not_emulated(c, id, op);
  }
  use.tile = c.tiles.declare_alias({.name = std::string(c.tree.value_name(*used)), .type = from});
  if (a5) return push_on_a5(c, id, op, tile, use, epilogue, factor);
  const Slot view = c.code.new_variable(kNoType);
  c.code.emit(CodeKind::UseQueue, op.range, {tile}, {view}, add_queue_use(c, use));
  std::vector<Slot> slots{slot_of_tile(c, use.tile)};
  if (factor) slots.push_back(*factor);
  slots.push_back(view);
  settle_push(emit_use(c, id, op, form_of_push(Target::A2A3, 0, epilogue.factor), slots), epilogue, 0);
}

void pop_entry(Compilation& c, OpId id, const Op& op) {
  const bool from_cube = text::kind_of(op.code) == OpKind::PopFromCube;
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  const auto queue = queue_of(c, op, from_cube);
  const bool is_tile = type != kNoType && c.tree.type(type).kind == TypeKind::Tile;
  const std::uint8_t split = split_of(c, op);
  const bool a5 = c.program.target == Target::A5;
  if (is_by_views(c, queue) && runs_on_one_side(c) && !is_tile && split == 0)
    return use_by_view(c, id, op, {.act = QueueAct::Pop, .queue = *queue}, {c.names.bind_result(op, 0, type)});
  if (!runs_on_one_side(c) || !queue || is_by_views(c, queue) || !is_tile || (split > 2 && (a5 || !from_cube)))
    return not_emulated(c, id, op, {c.names.bind_result(op, 0, type)});
  std::vector<Slot> sizes{kNoSlot, kNoSlot};
  if (const Item* group = c.tree.find(op, ItemKind::Group)) {
    const auto given = c.tree.children(*group);
    for (std::size_t i = 0; i < std::min<std::size_t>(2, given.size()); ++i)
      sizes[i] = c.names.use_or_integer(given[i]);
    if (any_missing(sizes)) return;
  }
  QueueUse use{.act = QueueAct::Pop, .split = split, .queue = *queue, .dtype = c.tiles.type_of(type).dtype};
  use.tile = c.tiles.add_alias(c.tree.value_name(c.tree.results(op).front()), type, true);
  const Slot tile = c.names.bind_result(op, 0, type, tile_value(use.tile));
  if (a5) {
    c.code.emit(CodeKind::UseQueue, op.range, sizes, {}, add_queue_use(c, use));
    emit_use(c, id, op, form_of_pop(Target::A5), {tile});
    return;
  }
  const Slot view = c.code.new_variable(kNoType);
  c.code.emit(CodeKind::UseQueue, op.range, sizes, {view}, add_queue_use(c, use));
  emit_use(c, id, op, form_of_pop(Target::A2A3), {view, tile});
}

void give_back(Compilation& c, OpId id, const Op& op) {
  const bool from_cube = text::kind_of(op.code) == OpKind::FreeFromCube;
  const auto queue = queue_of(c, op, from_cube);
  if (!runs_on_one_side(c) || !queue || (used_value(c, op) != nullptr) != is_by_views(c, queue))
    return not_emulated(c, id, op);
  const QueueUse use{.act = QueueAct::Free, .split = split_of(c, op), .queue = *queue};
  c.code.emit(CodeKind::UseQueue, op.range, {}, {}, add_queue_use(c, use));
  emit_use(c, id, op, 0, {});
}

}  // namespace

void settle_queues(Compilation& c) {
  const auto settle = [&](Slot slot, std::uint32_t tile) {
    c.code.set_value(slot, scalar_value(c.tiles[tile].address));
    for (const QueueStorageUse& end : c.queues.ends)
      if (end.slot == slot)
        c.program.queues[end.queue].reserved = static_cast<std::uint32_t>(c.tiles[tile].type.size_bytes());
  };
  for (const QueueStorage& storage : c.queues.reserved) settle(storage.slot, storage.tile);
  for (const QueueStorage& wanted : c.queues.imported)
    for (const QueueStorage& storage : c.queues.reserved)
      if (storage.name == wanted.name && storage.function == wanted.function) settle(wanted.slot, storage.tile);
}

std::span<const DialectRow> queue_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::ReserveBuffer, checked<reserve_storage>}, {OpKind::ImportBuffer, checked<import_storage>},
      {OpKind::InitPipeCube, checked<set_up_end>},       {OpKind::InitPipeVector, checked<set_up_end>},
      {OpKind::PushToVector, checked<push_entry>},       {OpKind::PushToCube, checked<push_entry>},
      {OpKind::PopFromCube, checked<pop_entry>},         {OpKind::PopFromVector, checked<pop_entry>},
      {OpKind::FreeFromCube, checked<give_back>},        {OpKind::FreeFromVector, checked<give_back>},
      {OpKind::AllocToVector, checked<allocate_entry>},  {OpKind::AllocToCube, checked<allocate_entry>},
      {OpKind::SetQuantScalar, checked<set_factor>},     {OpKind::SetQuantVector, checked<set_factor>},
  };
  return kRows;
}

}  // namespace ts
