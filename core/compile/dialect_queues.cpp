// Queues between the cores of a block: their storage, their ends, and what goes in and comes out.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/catalogue/beside.h"
#include "core/compile/dialects.h"
#include "core/compile/queue_rules.h"
#include "core/compile/signature_check.h"
#include "core/compile/walk.h"
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

constexpr std::size_t kDialectSize = 4;  // "pto."
// Forms of pushes and pops: a2a3's by way of global memory, a5's straight.
constexpr std::uint8_t kStored = 0, kWhole = 1, kSplit = 2, kLoaded = 0, kBound = 1;

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

// What a queue does to sums on their way: nothing, or a narrower float. More needs factors.
std::optional<DType> narrowed(const Compilation& c, const Op& op, bool& known) {
  const Item* epilogue = c.tree.find(op, "acc_push_epilogue");
  if (epilogue == nullptr) return {};
  const std::string_view all = c.tree.text(*epilogue);
  const auto has = [&](std::string_view word) { return all.find(word) != std::string_view::npos; };
  const bool plain = has("layout = nz2nd") && !has("relu = normal_relu");
  if (plain && has("quant = no_convert")) return {};
  if (plain && has("quant = f32_f16")) return DType::F16;
  if (plain && has("quant = f32_bf16")) return DType::BF16;
  known = false;
  return {};
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
  bool known = true;
  const std::optional<DType> sums = narrowed(c, op, known);
  if (!known || given_storage(c, op, "gm_slot_tensor") != kNoSlot) return not_emulated(c, id, op);
  for (const bool to_vector : {true, false}) {
    if ((directions & (to_vector ? 1u : 2u)) == 0) continue;
    if (c.program.target == Target::A2A3 && gm == kNoSlot && op.form != text::OpForm::Generic)
      c.messages.error(op.name, "E-OPERANDS",
                       "a2a3 hands entries over in global memory, and there is no gm_slot_buffer",
                       "(gm_slot_buffer = %slots : !pto.ptr<f32>, ...)",
                       fmt::format("give it a pointer to {} x {} bytes", queue_slots(c.tree, op),
                                   queue_number(c, op, "slot_size", 0)));
    const std::uint32_t queue = declare_queue(c, op, to_vector);
    if (sums) c.program.queues[queue].sums = *sums;
    const Slot local = given_storage(c, op, to_vector ? "c2v_consumer_buf" : "v2c_consumer_buf");
    c.code.emit(CodeKind::BeginQueue, op.range, {gm, local}, {}, queue);
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

const Item* used_value(const Compilation& c, const Op& op) {
  const Item* group = c.tree.find(op, ItemKind::Group);
  if (group == nullptr || group->count == 0) return nullptr;
  const Item& first = c.tree.children(*group).front();
  return first.kind == ItemKind::Use ? &first : nullptr;
}

std::uint32_t add_queue_use(Compilation& c, QueueUse use) {
  c.queues.splits = c.queues.splits || use.split != 0;
  c.program.queue_uses.push_back(use);
  return static_cast<std::uint32_t>(c.program.queue_uses.size() - 1);
}

// The step, of the row that is called as the operation is; `form`: which of its forms it takes.
Instruction& emit_use(Compilation& c, OpId id, const Op& op, std::uint8_t form, const std::vector<Slot>& slots) {
  const InstructionRow& row = *find_beside(c.tree.tree().name_of(op).substr(kDialectSize));
  Instruction step{.row = &row, .form = form, .fixed = false, .pos = c.messages.position(op.name), .op = id};
  step.attributes.resize(row.attributes.size(), 0);
  for (std::size_t i = 0; i < slots.size(); ++i)
    step.operands.push_back({.spec = &row.forms[form].operands[i], .slot = slots[i]});
  c.code.emit_step(op.range, std::move(step));
  return c.program.instructions.back();
}

Slot slot_of_tile(Compilation& c, std::uint32_t tile) { return c.code.new_slot(kNoType, tile_value(tile)); }

// The tile in the other core's memory that an entry, or a core's part of it, becomes.
std::uint32_t declare_slot(Compilation& c, const QueueDecl& queue, TileType type, CoreOfBlock whose) {
  return c.tiles.declare_alias({.name = fmt::format("slot of pipe {}", queue.id), .type = type, .whose = whose});
}

void push_on_a5(Compilation& c, OpId id, const Op& op, Slot tile, QueueUse use) {
  const QueueDecl queue = c.program.queues[use.queue];
  const TileType from = c.tiles.type_of(c.code.type_of(tile));
  std::vector<Slot> slots{slot_of_tile(c, use.tile)};
  if (queue.to_vector) {
    TileType to = vec_tile(use.dtype, use.split == 1 ? from.rows / 2 : from.rows,
                           use.split == 2 ? from.cols / 2 : from.cols, kDynamic, kDynamic);
    use.first = declare_slot(c, queue, to, CoreOfBlock::Vector0);
    if (use.split != 0) use.second = declare_slot(c, queue, to, CoreOfBlock::Vector1);
  } else {
    TileType whole{.loc = TileLoc::Mat,
                   .dtype = from.dtype,
                   .rows = from.rows * (use.split == 1 ? 2 : 1),
                   .cols = from.cols * (use.split == 2 ? 2 : 1)};
    whole.blayout = BoxOrder::ColMajor;
    whole.slayout = InnerOrder::RowMajor;
    use.whole = whole;
    use.first = declare_slot(c, queue, part_of(whole, from.rows, from.cols), CoreOfBlock::Cube);
  }
  slots.push_back(slot_of_tile(c, use.first));
  if (use.second != kNoTile) slots.push_back(slot_of_tile(c, use.second));
  c.code.emit(CodeKind::UseQueue, op.range, {tile}, {}, add_queue_use(c, use));
  Instruction& step = emit_use(c, id, op, use.second != kNoTile ? kSplit : kWhole, slots);
  step.attributes.back() = use.split;
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
  if (!runs_on_one_side(c) || !queue || !is_tile || (split > 2 && (a5 || !to_vector))) return not_emulated(c, id, op);
  const TileType from = c.tiles.type_of(type);
  QueueUse use{.act = QueueAct::Push, .split = split, .queue = *queue, .dtype = from.dtype};
  if (to_vector && c.program.queues[*queue].sums) use.dtype = *c.program.queues[*queue].sums;
  use.tile = c.tiles.declare_alias({.name = std::string(c.tree.value_name(*used)), .type = from});
  if (a5) return push_on_a5(c, id, op, tile, use);
  const Slot view = c.code.new_variable(kNoType);
  c.code.emit(CodeKind::UseQueue, op.range, {tile}, {view}, add_queue_use(c, use));
  emit_use(c, id, op, kStored, {slot_of_tile(c, use.tile), view});
}

void pop_entry(Compilation& c, OpId id, const Op& op) {
  const bool from_cube = text::kind_of(op.code) == OpKind::PopFromCube;
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  const auto queue = queue_of(c, op, from_cube);
  const bool is_tile = type != kNoType && c.tree.type(type).kind == TypeKind::Tile;
  const std::uint8_t split = split_of(c, op);
  const bool a5 = c.program.target == Target::A5;
  if (!runs_on_one_side(c) || !queue || !is_tile || (split > 2 && (a5 || !from_cube)))
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
    emit_use(c, id, op, kBound, {tile});
    return;
  }
  const Slot view = c.code.new_variable(kNoType);
  c.code.emit(CodeKind::UseQueue, op.range, sizes, {view}, add_queue_use(c, use));
  emit_use(c, id, op, kLoaded, {view, tile});
}

void give_back(Compilation& c, OpId id, const Op& op) {
  const bool from_cube = text::kind_of(op.code) == OpKind::FreeFromCube;
  const auto queue = queue_of(c, op, from_cube);
  if (!runs_on_one_side(c) || !queue || used_value(c, op) != nullptr) return not_emulated(c, id, op);
  const QueueUse use{.act = QueueAct::Free, .split = split_of(c, op), .queue = *queue};
  c.code.emit(CodeKind::UseQueue, op.range, {}, {}, add_queue_use(c, use));
  emit_use(c, id, op, 0, {});
}

// Rules of one operation first; with an error the others have nothing to add.
template <Handler handle>
void checked(Compilation& c, OpId id, const Op& op) {
  const std::size_t before = c.messages.all().size();
  check_signature(c, op);
  const auto is_error = [](const Diagnostic& one) { return one.severity == Severity::Error; };
  const auto& told = c.messages.all();
  if (std::none_of(told.begin() + static_cast<std::ptrdiff_t>(before), told.end(), is_error)) handle(c, id, op);
}

}  // namespace

void settle_queues(Compilation& c) {
  for (const QueueStorage& storage : c.queues.reserved)
    c.code.set_value(storage.slot, scalar_value(c.tiles[storage.tile].address));
  for (const QueueStorage& wanted : c.queues.imported)
    for (const QueueStorage& storage : c.queues.reserved)
      if (storage.name == wanted.name && storage.function == wanted.function)
        c.code.set_value(wanted.slot, scalar_value(c.tiles[storage.tile].address));
}

std::span<const DialectRow> queue_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::ReserveBuffer, checked<reserve_storage>}, {OpKind::ImportBuffer, checked<import_storage>},
      {OpKind::InitPipeCube, checked<set_up_end>},       {OpKind::InitPipeVector, checked<set_up_end>},
      {OpKind::PushToVector, checked<push_entry>},       {OpKind::PushToCube, checked<push_entry>},
      {OpKind::PopFromCube, checked<pop_entry>},         {OpKind::PopFromVector, checked<pop_entry>},
      {OpKind::FreeFromCube, checked<give_back>},        {OpKind::FreeFromVector, checked<give_back>},
  };
  return kRows;
}

}  // namespace ts
