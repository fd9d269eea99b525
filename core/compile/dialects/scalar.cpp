// The scalar unit: single elements of tiles and of global memory, arrays and records of its own; and what is only announced.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/beside.h"
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
using text::TypeId;
using text::TypeKind;

namespace {

Instruction step_of(Compilation& c, OpId id, const Op& op, const InstructionRow& row) {
  return {.row = &row, .fixed = false, .pos = c.messages.position(op.name), .op = id, .operands = {}, .attributes = {}};
}

// A type that instructions know; nothing: nobody emulates it.
std::optional<DType> known_dtype(const Compilation& c, TypeId type) {
  return type == kNoType ? std::nullopt : text::dtype(c.tree.type(type).scalar);
}

// --- global memory -------------------------------------------------------------------------------------------------

// pto.store_scalar %v, %p[%i] : !pto.ptr<S>, S
void store_scalar(Compilation& c, OpId id, const Op& op) {
  const Item *element = c.tree.find(op, ItemKind::Element), *value = c.tree.first_operand(op);
  if (element == nullptr || value == nullptr || c.tree.children(*element).size() != 2) {
    c.messages.error(op.name, "E-SYNTAX", "pto.store_scalar takes a value, and a pointer with an index",
                     "%v, %p[%i] : !pto.ptr<f32>, f32");
    return;
  }
  const auto parts = c.tree.children(*element);
  const std::vector<Slot> slots{c.names.use(*value), c.names.use(parts[0]), c.names.use_or_integer(parts[1])};
  if (any_missing(slots) || !needs_kind(c, parts[0], slots[1], TypeKind::Ptr, "a pointer")) return;
  const text::Type& pointer = c.tree.type(c.code.type_of(slots[1]));
  if (!same_scalar(c, *value, slots[0], pointer.scalar, "the pointer")) return;
  const auto dtype = text::dtype(pointer.scalar);
  if (dtype && pointer.word == "ub") {
    const Slot tile =
        c.tiles.add_pointed(op.range, c.tree.text(*element), vec_tile(*dtype, 1, 1), {slots[1], slots[2]});
    const InstructionRow& row = *find_beside("store_scalar.ub");
    Instruction step = step_of(c, id, op, row);
    const auto& operands = row.forms.front().operands;
    step.operands = {
        {&operands[0], c.code.constant(0), DType::I64}, {&operands[1], slots[0], *dtype}, {&operands[2], tile, *dtype}};
    return c.code.emit_step(op.range, std::move(step));
  }
  if (!dtype || pointer.word != "gm") return void(c.code.emit(CodeKind::Missing, op.range, {}, {}, id));
  const Slot place = c.code.new_slot(kNoType);
  c.code.emit(CodeKind::ElementView, op.range, {slots[1], slots[2]}, {place}, static_cast<std::uint32_t>(*dtype));
  const InstructionRow& row = *find_beside("store_scalar");
  Instruction step = step_of(c, id, op, row);
  const auto& operands = row.forms.front().operands;
  step.operands = {{&operands[0], slots[0], *dtype}, {&operands[1], place, *dtype}};
  c.code.emit_step(op.range, std::move(step));
}

// --- elements of tiles ---------------------------------------------------------------------------------------------

// Of what a group names: the first operands and their slots.
struct Group {
  std::vector<const Item*> items;
  std::vector<Slot> slots;
};
Group group_of(Compilation& c, const Op& op, std::string_view name) {
  Group group;
  const Item* found = c.tree.find(op, name);
  if (found == nullptr || found->kind != ItemKind::Group) return group;
  for (const Item& item : c.tree.children(*found)) {
    if (item.kind != ItemKind::Use && item.kind != ItemKind::Int) continue;
    group.items.push_back(&item);
    group.slots.push_back(c.names.use_or_integer(item));
  }
  return group;
}

// A place in the storage of a vec tile, as far as constants tell.
bool is_place(Compilation& c, const Op& op, const Item& tile_item, Slot tile, const Item& place_item, Slot place) {
  if (!needs_kind(c, tile_item, tile, TypeKind::Tile, "a tile")) return false;
  const Value known = c.code.value(tile);
  const TileType type =
      known.kind == ValueKind::Tile ? c.tiles[known.bits].type : c.tiles.type_of(c.code.type_of(tile));
  if (type.loc != TileLoc::Vec) {
    c.messages.error(tile_item.range, "V60-35",
                     fmt::format("{} reads vec tiles only; {} is in {}", c.tree.tree().name_of(op),
                                 c.tree.text(tile_item), name(type.loc)),
                     "a tile of loc=vec", "the scalar unit reaches vec alone: move the data there");
    return false;
  }
  const auto elements = static_cast<std::int64_t>(elements_in(type.dtype, type.size_bytes()));
  if (!c.code.is_constant(place)) return true;
  const std::int64_t at = c.code.value(place).number();
  if (at >= 0 && at < elements) return true;
  c.messages.error(place_item.range, "V60-34",
                   fmt::format("offset {} outside the {}x{} tile", at, type.rows, type.cols),
                   fmt::format("0 to {}", elements - 1), fmt::format("the offset is row * {} + column", type.cols));
  return false;
}

// %v = pto.tgetval ins(%t, %i : T, index) outs : S
void get_element(Compilation& c, OpId, const Op& op) {
  const Group in = group_of(c, op, "ins");
  if (!same_count(c, op, in.slots.size(), 2, "operands") || any_missing(in.slots) ||
      !same_count(c, op, op.result_count, 1, "results") ||
      !is_place(c, op, *in.items[0], in.slots[0], *in.items[1], in.slots[1]))
    return;
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Types));
  const text::Type& tile = c.tree.type(c.code.type_of(in.slots[0]));
  if (type != kNoType &&
      (c.tree.type(type).kind != TypeKind::Scalar || !same_elements(c.tree.type(type).scalar, tile.scalar))) {
    c.messages.error(c.tree.find(op, ItemKind::Types)->range, "E-TYPE",
                     fmt::format("the result is {}, {} has {}", c.tree.type_text(type), c.tree.text(*in.items[0]),
                                 text::name(tile.scalar)),
                     fmt::format("outs : {}", text::name(tile.scalar)));
    return;
  }
  c.tiles.touch(in.slots[0]);
  const Slot out = c.names.bind_result(op, 0, type);
  c.code.emit(CodeKind::GetElement, op.range, in.slots, {out});
}

// pto.tsetval ins(%i, %v : index, S) outs(%t : T)
void set_element(Compilation& c, OpId id, const Op& op) {
  const Group in = group_of(c, op, "ins"), out = group_of(c, op, "outs");
  if (!same_count(c, op, in.slots.size(), 2, "operands") || !same_count(c, op, out.slots.size(), 1, "results") ||
      any_missing(in.slots) || any_missing(out.slots) ||
      !is_place(c, op, *out.items[0], out.slots[0], *in.items[0], in.slots[0]))
    return;
  const TypeId type = c.code.type_of(out.slots[0]);
  if (!same_scalar(c, *in.items[1], in.slots[1], c.tree.type(type).scalar, "the tile")) return;
  const auto dtype = known_dtype(c, type);
  if (!dtype) return void(c.code.emit(CodeKind::Missing, op.range, {}, {}, id));
  c.tiles.touch(out.slots[0]);
  const InstructionRow& row = *find_beside("tsetval");
  Instruction step = step_of(c, id, op, row);
  const auto& operands = row.forms.front().operands;
  step.operands = {{&operands[0], in.slots[0], DType::I64},
                   {&operands[1], in.slots[1], *dtype},
                   {&operands[2], out.slots[0], *dtype}};
  c.code.emit_step(op.range, std::move(step));
}

// --- arrays and records --------------------------------------------------------------------------------------------

bool is_array(TypeKind kind) { return kind == TypeKind::LocalArray || kind == TypeKind::EventArray; }

// A new array for values of this type, and those inside it; kNoSlot: told that it is too large.
Slot new_array(Compilation& c, const Op& op, const std::string& name, TypeId type) {
  constexpr std::int64_t kMostElements = 1 << 20;
  const text::Type& its = c.tree.type(type);
  std::vector<std::int64_t> dims = its.dims;
  if (its.kind == TypeKind::Struct) dims = {static_cast<std::int64_t>(its.inputs.size())};
  std::int64_t elements = 1;
  for (const std::int64_t size : dims) elements = std::min(elements, kMostElements) * std::min(size, kMostElements);
  if (elements > kMostElements) {
    c.messages.error(op.range, "E-LIMIT",
                     fmt::format("{} has more than {} elements", c.tree.type_text(type), kMostElements));
    return kNoSlot;
  }
  const auto number = static_cast<std::uint32_t>(c.program.arrays.size());
  c.program.arrays.push_back({name, std::move(dims)});
  const Slot array = c.code.new_slot(type);
  c.code.emit(CodeKind::DeclareArray, op.range, {}, {array}, number);
  for (std::size_t i = 0; its.kind == TypeKind::Struct && i < its.inputs.size(); ++i) {
    if (c.tree.type(its.inputs[i]).kind != TypeKind::Struct) continue;
    const Slot inner = new_array(c, op, fmt::format("{}[{}]", name, i), its.inputs[i]);
    if (inner == kNoSlot) return kNoSlot;
    c.code.emit(CodeKind::ArraySet, op.range, {array, c.code.constant(static_cast<std::int64_t>(i)), inner});
  }
  return array;
}

void declare_array(Compilation& c, OpId, const Op& op) {
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  if (type == kNoType || op.result_count != 1) return;
  const TypeKind kind = c.tree.type(type).kind;
  if (!is_array(kind) && kind != TypeKind::Struct) {
    c.messages.error(c.tree.find(op, ItemKind::Arrow)->range, "E-TYPE",
                     fmt::format("{} is neither an array nor a record", c.tree.type_text(type)),
                     "!pto.local_array<32xi32> or !pto.struct<i32, f32>");
    return;
  }
  const Item& result = c.tree.results(op).front();
  const Slot slot = new_array(c, op, std::string(c.tree.value_name(result)), type);
  if (slot != kNoSlot) c.names.bind(result, slot);
}

// The array and its indices; empty: told what is wrong.
std::vector<Slot> element_of_array(Compilation& c, const Op& op) {
  const Item* element = c.tree.find(op, ItemKind::Element);
  if (element == nullptr) {
    c.messages.error(op.name, "E-SYNTAX", fmt::format("{} takes an array with its indices", c.tree.tree().name_of(op)),
                     "%a[%i]");
    return {};
  }
  const auto parts = c.tree.children(*element);
  std::vector<Slot> slots{c.names.use(parts[0])};
  for (const Item& index : parts.subspan(1)) slots.push_back(c.names.use_or_integer(index));
  if (any_missing(slots)) return {};
  const TypeId type = c.code.type_of(slots[0]);
  const text::Type* its = type == kNoType ? nullptr : &c.tree.type(type);
  if (its == nullptr || (!is_array(its->kind) && its->kind != TypeKind::Struct)) {
    c.messages.error(
        parts[0].range, "E-TYPE",
        fmt::format("{} is {}, needs an array or a record", c.tree.text(parts[0]), c.tree.type_text(type)));
    return {};
  }
  const bool record = its->kind == TypeKind::Struct;
  const std::size_t rank = record ? 1 : its->dims.size();
  if (slots.size() != rank + 1) {
    c.messages.error(element->range, "V60-33",
                     fmt::format("{} {} for rank {}", slots.size() - 1, slots.size() == 2 ? "index" : "indices", rank),
                     fmt::format("{} separated by ','", rank), "as many indices as the array has dimensions");
    return {};
  }
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t size = record ? static_cast<std::int64_t>(its->inputs.size()) : its->dims[i];
    if (!c.code.is_constant(slots[1 + i])) continue;
    const std::int64_t at = c.code.value(slots[1 + i]).number();
    if (at >= 0 && at < size) continue;
    c.messages.error(parts[1 + i].range, "V60-32", fmt::format("index {} outside {}", at, size),
                     fmt::format("0 to {}", size - 1));
    return {};
  }
  return slots;
}

// The scalar that stands in an array, or in a record where the index is known; nothing: it is not known, or no scalar.
std::optional<text::ScalarKind> element_scalar(const Compilation& c, const std::vector<Slot>& element) {
  const text::Type& its = c.tree.type(c.code.type_of(element[0]));
  if (its.kind == TypeKind::LocalArray) return its.scalar;
  if (its.kind == TypeKind::EventArray) return text::ScalarKind::Index;
  if (!c.code.is_constant(element[1])) return {};
  const text::Type& field = c.tree.type(its.inputs[static_cast<std::size_t>(c.code.value(element[1]).number())]);
  return field.kind == TypeKind::Scalar ? std::optional(field.scalar) : std::nullopt;
}

const char* holder(const Compilation& c, const std::vector<Slot>& element) {
  return c.tree.type(c.code.type_of(element[0])).kind == TypeKind::Struct ? "the field" : "the array";
}

void array_get(Compilation& c, OpId, const Op& op) {
  const std::vector<Slot> ins = element_of_array(c, op);
  if (ins.empty() || !same_count(c, op, op.result_count, 1, "results")) return;
  // What an array of events holds need not be said.
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  const bool events = c.tree.type(c.code.type_of(ins[0])).kind == TypeKind::EventArray;
  if (type == kNoType && !events) return;
  const auto held = element_scalar(c, ins);
  if (held && type != kNoType &&
      (c.tree.type(type).kind != TypeKind::Scalar || !same_elements(c.tree.type(type).scalar, *held))) {
    c.messages.error(
        c.tree.find(op, ItemKind::Arrow)->range, "E-TYPE",
        fmt::format("the result is {}, {} has {}", c.tree.type_text(type), holder(c, ins), text::name(*held)),
        text::name(*held));
    return;
  }
  const Slot out = c.names.bind_result(op, 0, type);
  c.code.emit(CodeKind::ArrayGet, op.range, ins, {out});
}

void array_set(Compilation& c, OpId, const Op& op) {
  std::vector<Slot> ins = element_of_array(c, op);
  if (ins.empty()) return;
  const Item* value = c.tree.first_operand(op);
  if (value == nullptr) {
    same_count(c, op, 1, 2, "operands");
    return;
  }
  ins.push_back(c.names.use(*value));
  if (ins.back() == kNoSlot) return;
  const auto held = element_scalar(c, ins);
  if (held && !same_scalar(c, *value, ins.back(), *held, holder(c, ins))) return;
  c.code.emit(CodeKind::ArraySet, op.range, ins);
}

// --- what moves nothing --------------------------------------------------------------------------------------------

// The tile, view or number that is shown; nothing: it is none of them.
std::optional<OperandUse> printed_operand(Compilation& c, const Op& op) {
  const Group shown = group_of(c, op, "ins");
  const Slot slot = shown.slots.empty() ? kNoSlot : shown.slots.front();
  if (slot == kNoSlot || c.code.type_of(slot) == kNoType) return {};
  const TypeKind kind = c.tree.type(c.code.type_of(slot)).kind;
  if (kind == TypeKind::Tile) {
    c.tiles.touch(slot);
    return OperandUse{&kPrintedTile, slot};
  }
  if (kind == TypeKind::PartitionView) return OperandUse{&kPrintedView, slot};
  if (kind != TypeKind::Scalar) return {};
  // An index counts in 64 bits; what else no element is, is a truth value.
  return OperandUse{&kPrintedNumber, slot, known_dtype(c, c.code.type_of(slot)).value_or(DType::I64)};
}

// pto.cmo.cacheinvalid all #pto.address_space<gm>, or %x single_cache_line : P. False, and told: it is neither.
bool names_lines(Compilation& c, const Op& op) {
  const Item *word = c.tree.find(op, ItemKind::Word), *used = c.tree.first_operand(op);
  constexpr const char* kForms = "all #pto.address_space<gm>, or %p single_cache_line : !pto.ptr<T>";
  if (word == nullptr) {
    // The names of its attributes in the generic form are not known (unverified).
    if (op.meant_count != text::kNoId) return true;
    c.messages.error(op.name, "E-SYNTAX", "pto.cmo.cacheinvalid says which lines", kForms);
    return false;
  }
  if (!known_word(c, *text::find_word_list("cached_lines"), *word)) return false;
  const bool all = c.tree.text(*word) == "all";
  if (all == (used == nullptr)) return true;
  c.messages.error(all ? used->range : word->range, "E-OPERANDS",
                   all ? "all lines are of no one pointer or view" : "a line is that of a pointer or view", kForms);
  return false;
}

// Its names must mean something; it is a step that changes nothing.
void announce(Compilation& c, OpId id, const Op& op) {
  const auto use = [&](const Item& item) { return item.kind != ItemKind::Use || c.names.use(item) != kNoSlot; };
  for (const Item& item : c.tree.items(op)) {
    if (!use(item)) return;
    if (item.kind == ItemKind::Group && !std::ranges::all_of(c.tree.children(item), use)) return;
  }
  const bool prints = text::kind_of(op.code) == OpKind::Print;
  if (!prints && !names_lines(c, op)) return;
  if (!prints) return c.code.emit_step(op.range, step_of(c, id, op, kCacheInvalid));
  Instruction step = step_of(c, id, op, kPrint);
  if (const auto shown = printed_operand(c, op)) step.operands.push_back(*shown);
  c.code.emit_step(op.range, std::move(step));
}

}  // namespace

std::span<const DialectRow> scalar_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::StoreScalar, store_scalar}, {OpKind::GetElement, get_element},
      {OpKind::SetElement, set_element},   {OpKind::DeclareArray, declare_array},
      {OpKind::ArrayGet, array_get},       {OpKind::ArraySet, array_set},
      {OpKind::Print, announce},           {OpKind::CacheInvalid, announce},
  };
  return kRows;
}

}  // namespace ts
