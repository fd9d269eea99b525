// Views of global memory, tiles and their aliases, pointers.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/program/compiler_impl.h"
#include "core/program/literal.h"

namespace ts {

using text::ItemKind;
using text::OpId;
using text::ScalarKind;
using text::TypeKind;

namespace {

constexpr std::size_t kMostRank = 5;

// Of `layout = #pto.layout<nd>`: 0 none, else the layout's number + 1.
std::uint8_t layout_hint(std::string_view word) {
  if (word == "nd") return 1;
  if (word == "dn") return 2;
  return word == "nz" ? 3 : 0;
}

// The memory that `memref<..., #pto.address_space<vec>>` names; nothing: global memory.
std::optional<TileLoc> memref_location(const text::Type& memref) {
  constexpr std::string_view kMark = "address_space<";
  const std::size_t at = memref.word.find(kMark);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(memref.word).substr(at + kMark.size());
  for (const TileLoc loc : {TileLoc::Vec, TileLoc::Mat, TileLoc::Left, TileLoc::Right, TileLoc::Acc, TileLoc::Bias, TileLoc::Scaling})
    if (rest.starts_with(name(loc))) return loc;
  return {};
}

}  // namespace

// --- views ---------------------------------------------------------------------------------------------------------

// The slots of `name = [...]`; it must have `rank` entries (0: any number up to five).
std::vector<Slot> Compiler::index_list(const Op& op, std::string_view name, std::size_t rank, SourceRange* where) {
  const Item* named = find(op, name);
  const auto values = named == nullptr ? std::span<const Item>{} : tree_.children(*named);
  if (values.empty() || values.front().kind != ItemKind::List) {
    error({op.range.end, op.range.end}, "E-SYNTAX", fmt::format("{} needs {} = [...]", tree_.name_of(op), name),
          fmt::format("{} = [...]", name));
    return {};
  }
  const Item& list = values.front();
  if (where != nullptr) *where = list.range;
  const auto entries = tree_.children(list);
  if ((rank != 0 && entries.size() != rank) || entries.size() > kMostRank || entries.empty()) {
    const std::string_view one = entries.size() == 1 ? name.substr(0, name.size() - 1) : name;
    error(list.range, "E-VIEW",
          rank != 0 ? fmt::format("{} {} for rank {}", entries.size(), one, rank)
                    : fmt::format("{} dimensions; a view has one to five", entries.size()),
          rank != 0 ? fmt::format("{} values separated by ','", rank) : "");
    return {};
  }
  std::vector<Slot> slots;
  for (const Item& entry : entries) slots.push_back(use_or_integer(entry));
  if (std::ranges::count(slots, kNoSlot) != 0) slots.clear();
  return slots;
}

bool Compiler::needs_kind(const Item& item, Slot slot, TypeKind kind, const char* what) {
  if (slot == kNoSlot) return false;
  if (slot_types_[slot] != kNoType && type(slot_types_[slot]).kind == kind) return true;
  error(item.range, "E-TYPE", fmt::format("{} is {}, needs {}", text(item), type_text(slot_types_[slot]), what));
  return false;
}

void Compiler::make_view(const Op& op) {
  const Item* source = find(op, ItemKind::Use);
  const TypeId id = only_type(find(op, ItemKind::Types));
  if (source == nullptr || id == kNoType || op.result_count != 1) return;
  const Slot pointer = use(*source);
  if (pointer == kNoSlot) return;
  const TypeKind kind = slot_types_[pointer] == kNoType ? TypeKind::None : type(slot_types_[pointer]).kind;
  const bool memref = kind == TypeKind::Memref && kind_of(slot_types_[pointer]) == OperandKind::Global;
  if (kind != TypeKind::Ptr && !memref) {
    error(source->range, "E-TYPE",
          fmt::format("{} is {}, needs a pointer", text(*source), type_text(slot_types_[pointer])));
    return;
  }
  SourceRange shape_range;
  const std::vector<Slot> shape = index_list(op, "shape", 0, &shape_range);
  if (shape.empty()) return;
  const std::vector<Slot> strides = index_list(op, "strides", shape.size(), nullptr);
  if (strides.empty()) return;
  const text::Type& view = type(id);
  if (view.dims.size() != shape.size()) {
    error(tree_.children(*find(op, ItemKind::Types)).front().range, "E-VIEW",
          fmt::format("the type has {} dimensions, the shape {}", view.dims.size(), shape.size()));
    return;
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (view.dims[i] < 0 || !is_constant(shape[i]) || program_.slots[shape[i]].number() == view.dims[i]) continue;
    error(
        shape_range, "E-VIEW",
        fmt::format("dimension {} is {} here and {} in the type", i, program_.slots[shape[i]].number(), view.dims[i]));
    return;
  }
  const auto dtype = text::dtype(type(slot_types_[pointer]).scalar);
  const Slot out = bind_result(op, 0, id);
  if (!dtype || text::dtype(view.scalar) != dtype) {
    if (dtype && text::dtype(view.scalar))
      error(source->range, "E-TYPE",
            fmt::format("the pointer is to {}, the view of {}", text::name(type(slot_types_[pointer]).scalar),
                        text::name(view.scalar)));
    else
      emit(CodeKind::Missing, op.range, {}, {out}, op_id_);
    return;
  }
  std::vector<Slot> ins{pointer};
  ins.insert(ins.end(), shape.begin(), shape.end());
  ins.insert(ins.end(), strides.begin(), strides.end());
  const Item* layout = find(op, "layout");
  CodeOp& code = emit(CodeKind::MakeView, op.range, ins, {out}, static_cast<std::uint32_t>(*dtype));
  code.type = static_cast<std::uint8_t>(shape.size());
  if (layout != nullptr && layout->count != 0) code.to = layout_hint(word_of(tree_, tree_.children(*layout).front()));
}

void Compiler::partition(const Op& op) {
  const Item* source = find(op, ItemKind::Use);
  if (source == nullptr || op.result_count != 1) return;
  const Slot view = use(*source);
  if (view == kNoSlot) return;
  const TypeKind kind = slot_types_[view] == kNoType ? TypeKind::None : type(slot_types_[view]).kind;
  if (kind != TypeKind::TensorView && kind != TypeKind::PartitionView) {
    error(source->range, "E-TYPE", fmt::format("{} is {}, needs a view", text(*source), type_text(slot_types_[view])));
    return;
  }
  const text::Type whole = type(slot_types_[view]);
  SourceRange where;
  const std::vector<Slot> offsets = index_list(op, "offsets", whole.dims.size(), &where);
  if (offsets.empty()) return;
  const std::vector<Slot> sizes = index_list(op, "sizes", whole.dims.size(), &where);
  const TypeId id = only_type(find(op, ItemKind::Arrow));
  if (sizes.empty() || id == kNoType) return;
  const text::Type& part = type(id);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!is_constant(sizes[i])) continue;
    const std::int64_t size = program_.slots[sizes[i]].number();
    if (i < part.dims.size() && part.dims[i] >= 0 && part.dims[i] != size)
      return void(
          error(where, "E-VIEW", fmt::format("dimension {} is {} here and {} in the type", i, size, part.dims[i])));
    if (!is_constant(offsets[i]) || whole.dims[i] < 0) continue;
    const std::int64_t offset = program_.slots[offsets[i]].number();
    if (offset >= 0 && size > 0 && offset + size <= whole.dims[i]) continue;
    error(where, "E-VIEW", fmt::format("dimension {}: elements {}..{} of {}", i, offset, offset + size, whole.dims[i]),
          fmt::format("offset + size <= {}", whole.dims[i]), "the part reaches beyond the view");
    return;
  }
  std::vector<Slot> ins{view};
  ins.insert(ins.end(), offsets.begin(), offsets.end());
  ins.insert(ins.end(), sizes.begin(), sizes.end());
  const Slot out = bind_result(op, 0, id);
  emit(CodeKind::Partition, op.range, ins, {out}).type = static_cast<std::uint8_t>(offsets.size());
}

// --- tiles ---------------------------------------------------------------------------------------------------------

// The type as this target has it: it decides how left operands of the cube lie, and what floats are padded with (the
// goldens of text programs for A5 have finite numbers; unverified).
TileType Compiler::tile_type(TypeId id) const {
  constexpr std::uint8_t kInfinite = 1, kFinite = 2;
  TileType tile = type(id).tile;
  if (type(id).kind == TypeKind::Memref) {
    const auto& dims = type(id).dims;
    const auto size = [](std::int64_t dim) { return static_cast<std::uint32_t>(std::clamp<std::int64_t>(dim, 1, 1 << 20)); };
    std::uint64_t rows = 1;
    for (std::size_t i = 0; i + 1 < dims.size(); ++i) rows = std::min<std::uint64_t>(rows * size(dims[i]), 1 << 20);
    tile = vec_tile(text::dtype(type(id).scalar).value_or(DType::U8), static_cast<std::uint32_t>(rows),
                    dims.empty() ? 1 : size(dims.back()));
    tile.loc = memref_location(type(id)).value_or(TileLoc::Vec);
  }
  tile.finite_pad = request_.options.pad_float == kFinite ||
                    (request_.options.pad_float != kInfinite && request_.target == Target::A5);
  if (tile.loc == TileLoc::Left && tile.boxed())
    tile.blayout = request_.target == Target::A5 ? BoxOrder::ColMajor : BoxOrder::RowMajor;
  return tile;
}

OperandKind Compiler::kind_of(TypeId id) const {
  if (id == kNoType) return OperandKind::Scalar;
  switch (type(id).kind) {
    case TypeKind::Tile:
    case TypeKind::Elided: return OperandKind::Tile;
    case TypeKind::TensorView:
    case TypeKind::PartitionView: return OperandKind::Global;
    case TypeKind::Memref: return memref_location(type(id)) ? OperandKind::Tile : OperandKind::Global;
    default: return OperandKind::Scalar;
  }
}

// The old way to make a tile: rows side by side in the memory that the type names.
void Compiler::alloc_memref(const Op& op) {
  const TypeId id = only_type(find(op, ItemKind::Types));
  if (op.result_count != 1 || id == kNoType || type(id).kind != TypeKind::Memref) return;
  if (kind_of(id) == OperandKind::Tile) {
    tile_result(tree_.results(op).front(), id);
    return;
  }
  const std::string_view name = name_of(tree_.results(op).front());
  bind_result(op, 0, id, host_view(type(id), name, static_cast<std::uint32_t>(program_.buffers.size())));
}

// As large as it can be, until the program says more.
std::uint32_t Compiler::declare_tile(TileDecl decl) {
  decl.valid_rows = decl.type.widest_rows();
  decl.valid_cols = decl.type.widest_cols();
  program_.tiles.push_back(std::move(decl));
  placed_.push_back(0);
  touched_.push_back(0);
  return static_cast<std::uint32_t>(program_.tiles.size() - 1);
}

std::uint32_t Compiler::add_tile(std::string_view name, TypeId id) {
  const TileType tile = tile_type(id);
  const std::uint32_t number = declare_tile({.name = std::string(name), .type = tile});
  if (const auto assigned = assigns_.find(name); assigned != assigns_.end()) {
    assigned->second.used = true;
    if (check_address(assigned->second.where, tile, assigned->second.address, tree_.text(assigned->second.where)))
      program_.tiles[number].address = assigned->second.address;
    placed_[number] = 1;
  }
  return number;
}

// A result of the value forms has a tile of its own.
Slot Compiler::tile_result(const Item& def, TypeId id) {
  const Slot slot = new_slot(id, tile_value(add_tile(name_of(def), id)));
  bind_name(def, slot);
  return slot;
}

bool Compiler::check_address(SourceRange where, const TileType& tile, std::int64_t address, std::string_view spelled) {
  const std::string shown = spelled.empty() ? std::to_string(address) : std::string(spelled);
  const std::uint32_t capacity = capacity_bytes(request_.target, space_of(tile.loc));
  if (address < 0 || address % BLK != 0) {
    const std::int64_t below = address / BLK * BLK;
    error(where, "G3", fmt::format("address {} is not a multiple of {} ({})", shown, BLK, name(tile.loc)),
          fmt::format("{} or {}", below, below + BLK),
          fmt::format("{} tiles are aligned to {} bytes", name(tile.loc), BLK));
    return false;
  }
  const std::int64_t end = address + static_cast<std::int64_t>(tile.size_bytes());
  if (end <= capacity) return true;
  const Target other = request_.target == Target::A5 ? Target::A2A3 : Target::A5;
  error(where, "G3",
        fmt::format("tile [{}, {}) passes the end of {} ({})", address, end, name(space_of(tile.loc)), capacity),
        fmt::format("at most {}", std::max<std::int64_t>(0, capacity - (end - address)) / BLK * BLK),
        fmt::format("{} has {}", name(other), capacity_bytes(other, space_of(tile.loc))));
  return false;
}

void Compiler::alloc_tile(const Op& op) {
  const Item* types = find(op, ItemKind::Types);
  const TypeId id = only_type(types);
  if (id == kNoType || op.result_count != 1) return;
  const SourceRange type_range = tree_.children(*types).front().range;
  if (type(id).kind != TypeKind::Tile) {
    error(type_range, "E-TYPE", fmt::format("{} is no tile", type_text(id)), "!pto.tile_buf<vec, RxCxdtype>");
    return;
  }
  const TileType tile = tile_type(id);
  const char* const clauses[] = {"addr", "valid_row", "valid_col"};
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < 3; ++i) {
    const Item* clause = find(op, clauses[i]);
    const std::int32_t fixed = i == 0 ? kDynamic : i == 1 ? tile.valid_rows : tile.valid_cols;
    if (clause == nullptr) {
      if (i != 0 && fixed == kDynamic)
        return void(error(op.name, "E-TILE",
                          fmt::format("v_{0} is '?' but there is no valid_{0} operand", i == 1 ? "row" : "col"),
                          "valid_row = %r valid_col = %c", "or give numbers in valid="));
      slots.push_back(kNoSlot);
      continue;
    }
    if (fixed != kDynamic)
      return void(error({clause->range.begin, clause->name_end}, "E-TILE",
                        fmt::format("{} given but v_{} is static {}", clauses[i], i == 1 ? "row" : "col", fixed),
                        i == 1 ? fmt::format("drop the clause or use `valid=?x{}`",
                                             tile.valid_cols == kDynamic ? "?" : std::to_string(tile.valid_cols))
                               : fmt::format("drop the clause or use `valid={}x?`",
                                             tile.valid_rows == kDynamic ? "?" : std::to_string(tile.valid_rows))));
    const Slot slot = clause->count == 0 ? kNoSlot : use_or_integer(tree_.children(*clause).front());
    if (slot == kNoSlot) return;
    slots.push_back(slot);
  }
  const std::uint32_t number = add_tile(name_of(tree_.results(op).front()), id);
  TileDecl& decl = program_.tiles[number];
  bind_result(op, 0, id, tile_value(number));
  if (slots[0] != kNoSlot) placed_[number] = 1;
  if (slots[0] != kNoSlot && is_constant(slots[0])) {
    const std::int64_t address = program_.slots[slots[0]].number();
    if (check_address(tree_.children(*find(op, "addr")).front().range, tile, address, ""))
      decl.address = static_cast<std::uint32_t>(address);
    slots[0] = kNoSlot;
  }
  decl.unset = slots[1] != kNoSlot || slots[2] != kNoSlot;
  // Also where nothing is dynamic: in a loop, tassign may have moved the tile of the turn before.
  emit(CodeKind::PlaceTile, op.range, slots, {}, number);
}

void Compiler::set_validshape(const Op& op) {
  std::vector<Slot> ins;
  const Item* first = nullptr;
  for (const Item& item : tree_.op_items(op)) {
    if (item.kind != ItemKind::Use && item.kind != ItemKind::Int) continue;
    if (first == nullptr) first = &item;
    ins.push_back(use_or_integer(item));
  }
  if (!same_count(op, ins.size(), 3, "operands") || std::ranges::count(ins, kNoSlot) != 0 ||
      !needs_kind(*first, ins[0], TypeKind::Tile, "a tile"))
    return;
  const TileType& tile = type(slot_types_[ins[0]]).tile;
  if (tile.valid_rows != kDynamic || tile.valid_cols != kDynamic) {
    error(first->range, "E-TILE", fmt::format("{} has a static valid region", text(*first)), "a tile of valid=?x?");
    return;
  }
  emit(CodeKind::SetValid, op.range, ins);
}

// %s = pto.subset %t[%i, %j] sizes [R, C] : T
void Compiler::subset(const Op& op) {
  const Item *element = find(op, ItemKind::Element), *sizes = find(op, ItemKind::List);
  if (const Item* named = find(op, "sizes"); sizes == nullptr && named != nullptr && named->count != 0)
    sizes = &tree_.children(*named).front();
  if (element == nullptr || sizes == nullptr || tree_.children(*element).size() != 3 || sizes->count != 2 ||
      op.result_count != 1) {
    error(op.name, "E-SYNTAX", "pto.subset needs a tile with two offsets, and two sizes", "%t[%i, %j] sizes [R, C]");
    return;
  }
  const auto parts = tree_.children(*element);
  const std::vector<Slot> ins{use(parts[0]), use_or_integer(parts[1]), use_or_integer(parts[2])};
  if (std::ranges::count(ins, kNoSlot) != 0 || !needs_kind(parts[0], ins[0], TypeKind::Tile, "a tile")) return;
  const auto rows = parse_integer(text(tree_.children(*sizes)[0])),
             cols = parse_integer(text(tree_.children(*sizes)[1]));
  // A window of a window is one of what that is, not of the type that was written first.
  const Value parent = program_.slots[ins[0]];
  const TileType whole = parent.known() ? program_.tiles[parent.bits].type : tile_type(slot_types_[ins[0]]);
  TileType part = whole;
  if (!rows || !cols || *rows <= 0 || *cols <= 0 || *rows > whole.rows || *cols > whole.cols) {
    error(sizes->range, "E-TILE", fmt::format("no part of a tile of {}x{}", whole.rows, whole.cols),
          "two numbers no larger than the tile");
    return;
  }
  const bool whole_rows = *cols == whole.cols, whole_cols = *rows == whole.rows;
  if (whole.boxed() && !(whole.blayout == BoxOrder::RowMajor ? whole_rows : whole_cols)) {
    error(sizes->range, "E-TILE",
          fmt::format("a part of a {} tile keeps all {}", whole.layout_name(),
                      whole.blayout == BoxOrder::RowMajor ? "columns" : "rows"));
    return;
  }
  part.rows = static_cast<std::uint32_t>(*rows);
  part.cols = static_cast<std::uint32_t>(*cols);
  const bool one_line = (whole.blayout == BoxOrder::RowMajor ? part.rows : part.cols) == 1;
  part.pitch = whole.boxed() || one_line ? 0 : whole.line_pitch();
  part.valid_rows = part.valid_cols = kDynamic;
  const std::uint32_t number = declare_tile(
      {.name = std::string(name_of(tree_.results(op).front())), .type = part, .alias = true, .unset = true});
  placed_[number] = touched_[number] = 1;
  emit(CodeKind::Window, op.range, ins, {}, number);
  bind_result(op, 0, slot_types_[ins[0]], tile_value(number));
}

// The same bytes as a tile of another shape (treshape) or element type (bitcast).
void Compiler::alias_tile(const Op& op) {
  const Item* source = find(op, ItemKind::Use);
  const TypeId id = only_type(find(op, ItemKind::Arrow));
  if (source == nullptr || id == kNoType || op.result_count != 1) return;
  const Slot slot = use(*source);
  if (!needs_kind(*source, slot, TypeKind::Tile, "a tile")) return;
  const SourceRange where = tree_.children(*find(op, ItemKind::Arrow)).front().range;
  if (type(id).kind != TypeKind::Tile) return void(error(where, "E-TYPE", fmt::format("{} is no tile", type_text(id))));
  const TileType from = tile_type(slot_types_[slot]), to = tile_type(id);
  if (from.size_bytes() != to.size_bytes() || from.loc != to.loc || from.boxed() != to.boxed()) {
    error(where, "E-TILE",
          fmt::format("{} of {} bytes cannot stand for {} of {}", to.describe(), to.size_bytes(), from.describe(),
                      from.size_bytes()),
          "the same location, bytes and kind of layout");
    return;
  }
  const std::uint32_t number = add_tile(name_of(tree_.results(op).front()), id);
  TileDecl& decl = program_.tiles[number];
  decl.alias = true;
  decl.unset = to.valid_rows == kDynamic || to.valid_cols == kDynamic;
  placed_[number] = touched_[number] = 1;
  emit(CodeKind::Alias, op.range, {slot}, {}, number);
  bind_result(op, 0, id, tile_value(number));
}

// Three spellings: the directive, read beforehand; `%r = pto.tassign %t, %addr : T -> T`, another tile at that address;
// `pto.tassign %t, %addr`, a step that moves the tile.
void Compiler::rebase_tile(const Op& op) {
  if (find(op, ItemKind::Address) != nullptr) return;
  if (op.result_count == 0) return instruction(op_id_, op, *find_instruction("tassign"));
  std::vector<Slot> ins;
  const Item* first = find(op, ItemKind::Use);
  for (const Item& item : tree_.op_items(op))
    if (item.kind == ItemKind::Use || item.kind == ItemKind::Int) ins.push_back(use_or_integer(item));
  if (!same_count(op, ins.size(), 2, "operands") || std::ranges::count(ins, kNoSlot) != 0 ||
      !needs_kind(*first, ins[0], TypeKind::Tile, "a tile"))
    return;
  const TypeId id = slot_types_[ins[0]];
  const std::uint32_t number = add_tile(name_of(tree_.results(op).front()), id);
  program_.tiles[number].alias = true;
  program_.tiles[number].unset = true;
  placed_[number] = touched_[number] = 1;
  if (is_constant(ins[1])) check_address(op.range, tile_type(id), program_.slots[ins[1]].number(), "");
  emit(CodeKind::Rebase, op.range, ins, {}, number);
  bind_result(op, 0, id, tile_value(number));
}

void Compiler::end_assigns() {
  for (const auto& [name, assigned] : assigns_)
    if (!assigned.used)
      warn(assigned.where, "E-NAME", fmt::format("%{} is placed and never used", name), "no operation names it");
  assigns_.clear();
}

// `pto.tassign %x, @tile(0x1000)` may stand before the tile it places, in the same file or function.
void Compiler::collect_assigns(OpId first) {
  for (OpId id = first; id != text::kNoId; id = tree_.ops[id].next) {
    const Op& op = tree_.ops[id];
    for (const Item& item : tree_.op_items(op))
      if (item.kind == ItemKind::Region && item.first != text::kNoId) collect_assigns(tree_.blocks[item.first].first_op);
    const Item *address = find(op, ItemKind::Address), *tile = find(op, ItemKind::Use);
    if (address == nullptr || tile == nullptr) continue;
    const Item& place = tree_.children(*address).front();
    const auto value = parse_integer(text(place));
    if (!value || *value < 0 || *value > 0x7FFFFFFF) {
      error(place.range, "G3", fmt::format("{} is no address", text(place)), "a number of bytes, such as 0x1000");
      continue;
    }
    const auto [it, made] =
        assigns_.try_emplace(name_of(*tile), Assigned{static_cast<std::uint32_t>(*value), place.range, false});
    if (made) continue;
    error(tile->range, "E-NAME",
          fmt::format("{} already bound at {}:{} to 0x{:x}", text(*tile), position(it->second.where).line,
                      position(it->second.where).column, it->second.address),
          "", "use another tile");
  }
}

// --- pointers ------------------------------------------------------------------------------------------------------

void Compiler::add_pointer(const Op& op) {
  std::vector<Slot> ins;
  const Item* first = find(op, ItemKind::Use);
  for (const Item& item : tree_.op_items(op))
    if (item.kind == ItemKind::Use || item.kind == ItemKind::Int) ins.push_back(use_or_integer(item));
  if (op.result_count != 1 || !same_count(op, ins.size(), 2, "operands") || std::ranges::count(ins, kNoSlot) != 0 ||
      !needs_kind(*first, ins[0], TypeKind::Ptr, "a pointer"))
    return;
  const TypeId id = slot_types_[ins[0]];
  const Slot out = bind_result(op, 0, id);
  emit(CodeKind::AddPointer, op.range, ins, {out}).type = static_cast<std::uint8_t>(type(id).scalar);
}

void Compiler::cast_pointer(const Op& op) {
  const Item* source = find(op, ItemKind::Use);
  const TypeId id = only_type(find(op, ItemKind::Arrow));
  const Slot slot = source == nullptr ? kNoSlot : use(*source);
  if (slot == kNoSlot || id == kNoType || op.result_count != 1) return;
  const Slot out = bind_result(op, 0, id);
  emit(CodeKind::PointerCast, op.range, {slot}, {out}, type(id).kind == TypeKind::Ptr ? 1 : 0);
}

void Compiler::load_scalar(const Op& op) {
  const Item* element = find(op, ItemKind::Element);
  const TypeId id = only_type(find(op, ItemKind::Arrow));
  if (element == nullptr || id == kNoType || op.result_count != 1 || tree_.children(*element).size() != 2) return;
  const auto parts = tree_.children(*element);
  const std::vector<Slot> ins{use(parts[0]), use_or_integer(parts[1])};
  if (std::ranges::count(ins, kNoSlot) != 0 || !needs_kind(parts[0], ins[0], TypeKind::Ptr, "a pointer")) return;
  const Slot out = bind_result(op, 0, id);
  emit(CodeKind::LoadScalar, op.range, ins, {out}).type = static_cast<std::uint8_t>(type(id).scalar);
}

}  // namespace ts
