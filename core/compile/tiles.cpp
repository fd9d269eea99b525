// Tiles: types, declarations, addresses.
#include "core/compile/tiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/program/literal.h"
#include "core/program/placement.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::TypeKind;

namespace {

// A memref's elements, row behind row.
TileType tile_of_memref(const text::Type& memref) {
  constexpr std::uint64_t kMostRows = 1 << 20;
  const auto size = [](std::int64_t dim) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(dim, 1, kMostRows));
  };
  std::uint64_t rows = 1;
  for (std::size_t i = 0; i + 1 < memref.dims.size(); ++i) rows = std::min(rows * size(memref.dims[i]), kMostRows);
  TileType tile = vec_tile(text::dtype(memref.scalar).value_or(DType::U8), static_cast<std::uint32_t>(rows),
                           memref.dims.empty() ? 1 : size(memref.dims.back()));
  tile.loc = memref_location(memref).value_or(TileLoc::Vec);
  return tile;
}

}  // namespace

std::optional<TileLoc> memref_location(const text::Type& memref) {
  constexpr std::string_view kMark = "address_space<";
  const std::size_t at = memref.word.find(kMark);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(memref.word).substr(at + kMark.size());
  for (const TileLoc loc :
       {TileLoc::Vec, TileLoc::Mat, TileLoc::Left, TileLoc::Right, TileLoc::Acc, TileLoc::Bias, TileLoc::Scaling})
    if (rest.starts_with(name(loc))) return loc;
  return {};
}

// The goldens of text programs for A5 have finite numbers (unverified).
bool pads_with_finite(Target target, const Options& options) {
  constexpr std::uint8_t kInfinite = 1, kFinite = 2;
  return options.pad_float == kFinite || (options.pad_float != kInfinite && target == Target::A5);
}

// The target decides how left operands of the cube lie, and what floats are padded with.
TileType Tiles::type_of(text::TypeId id) const {
  const text::Type& type = tree_.type(id);
  TileType tile = type.kind == TypeKind::Memref ? tile_of_memref(type) : type.tile;
  tile.finite_pad = pads_with_finite(program_.target, program_.options);
  if (tile.loc == TileLoc::Left && tile.boxed())
    tile.blayout = program_.target == Target::A5 ? BoxOrder::ColMajor : BoxOrder::RowMajor;
  return tile;
}

OperandKind Tiles::kind_of(text::TypeId id) const {
  if (id == kNoType) return OperandKind::Scalar;
  switch (tree_.type(id).kind) {
    case TypeKind::Tile:
    case TypeKind::Elided: return OperandKind::Tile;
    case TypeKind::TensorView:
    case TypeKind::PartitionView: return OperandKind::Global;
    case TypeKind::Memref: return memref_location(tree_.type(id)) ? OperandKind::Tile : OperandKind::Global;
    default: return OperandKind::Scalar;
  }
}

std::uint32_t Tiles::declare(TileDecl decl) {
  decl.valid_rows = decl.type.widest_rows();
  decl.valid_cols = decl.type.widest_cols();
  decl.kind = kind_;
  program_.tiles.push_back(std::move(decl));
  placed_.push_back(0);
  touched_.push_back(0);
  return static_cast<std::uint32_t>(program_.tiles.size() - 1);
}

std::uint32_t Tiles::add(std::string_view name, text::TypeId id) {
  const TileType tile = type_of(id);
  const std::uint32_t number = declare({.name = std::string(name), .type = tile});
  if (const auto assigned = assigns_.find(name); assigned != assigns_.end()) {
    const auto& [address, where, used] = assigned->second;
    assigned->second.used = true;
    if (check_address(where, tile, address, tree_.text(where))) program_.tiles[number].address = address;
    placed_[number] = 1;
  }
  return number;
}

std::uint32_t Tiles::add_alias(std::string_view name, text::TypeId type, bool valid_is_open) {
  const std::uint32_t number = add(name, type);
  program_.tiles[number].alias = true;
  program_.tiles[number].unset = valid_is_open;
  placed_[number] = touched_[number] = 1;
  return number;
}

std::uint32_t Tiles::declare_alias(TileDecl decl) {
  decl.alias = decl.unset = true;
  const std::uint32_t number = declare(std::move(decl));
  placed_[number] = touched_[number] = 1;
  return number;
}

Slot Tiles::add_pointed(text::SourceRange where, std::string_view spelled, const TileType& type,
                        const std::vector<Slot>& ins) {
  if (spelled.starts_with('%')) spelled.remove_prefix(1);
  const std::uint32_t tile =
      declare_alias({.name = std::string(spelled), .type = type, .open_address = true, .pointed = true});
  code_.emit(CodeKind::PointTile, where, ins, {}, tile);
  return code_.new_slot(kNoType, tile_value(tile));
}

Slot Tiles::add_result(const Item& def, text::TypeId id) {
  const Slot slot = code_.new_slot(id, tile_value(add(tree_.value_name(def), id)));
  names_.bind(def, slot);
  return slot;
}

void Tiles::touch(Slot slot) {
  if (slot != kNoSlot && code_.value(slot).kind == ValueKind::Tile) touched_[code_.value(slot).bits] = 1;
}

bool Tiles::check_address(text::SourceRange where, const TileType& tile, std::int64_t address, std::string_view spelled,
                          const char* end_rule) {
  const std::string shown = spelled.empty() ? std::to_string(address) : std::string(spelled);
  const std::uint32_t capacity = capacity_bytes(program_.target, tile.space());
  if (address < 0 || address % BLK != 0) {
    const std::int64_t below = address / BLK * BLK;
    messages_.error(where, "G3", fmt::format("address {} is not a multiple of {} ({})", shown, BLK, name(tile.loc)),
                    fmt::format("{} or {}", below, below + BLK),
                    fmt::format("{} tiles are aligned to {} bytes", name(tile.loc), BLK));
    return false;
  }
  const std::int64_t end = address + static_cast<std::int64_t>(tile.size_bytes());
  if (end <= capacity) return true;
  const Target other = program_.target == Target::A5 ? Target::A2A3 : Target::A5;
  messages_.error(where, end_rule,
                  fmt::format("tile [{}, {}) passes the end of {} ({})", address, end, name(tile.space()), capacity),
                  fmt::format("at most {}", std::max<std::int64_t>(0, capacity - (end - address)) / BLK * BLK),
                  fmt::format("{} has {}", name(other), capacity_bytes(other, tile.space())));
  return false;
}

void Tiles::collect_assigns(text::OpId first) {
  for_ops(tree_, first, [&](text::OpId, const text::Op& op) {
    for (const Item& item : tree_.items(op))
      if (item.kind == ItemKind::Region) collect_assigns(tree_.first_op(&item));
    const Item *address = tree_.find(op, ItemKind::Address), *tile = tree_.find(op, ItemKind::Use);
    if (address == nullptr || tile == nullptr) return;
    const Item& number = tree_.children(*address).front();
    const auto value = parse_integer(tree_.text(number));
    if (!value || *value < 0 || *value > 0x7FFFFFFF) {
      messages_.error(number.range, "G3", fmt::format("{} is no address", tree_.text(number)),
                      "a number of bytes, such as 0x1000");
      return;
    }
    const auto [it, made] = assigns_.try_emplace(tree_.value_name(*tile),
                                                 Assigned{static_cast<std::uint32_t>(*value), number.range, false});
    if (made) return;
    const SourcePos before = messages_.position(it->second.where);
    messages_.error(tile->range, "E-NAME",
                    fmt::format("{} already bound at {}:{} to 0x{:x}", tree_.text(*tile), before.line, before.column,
                                it->second.address),
                    "", "use another tile");
  });
}

void Tiles::end_assigns() {
  for (const auto& [name, assigned] : assigns_)
    if (!assigned.used)
      messages_.warn(assigned.where, "E-NAME", fmt::format("%{} is placed and never used", name),
                     "no operation names it");
  assigns_.clear();
}

void Tiles::place() {
  // A tile that goes on under another name may be read and written there.
  for (const CodeOp& op : program_.code)
    for (std::size_t i = 0; i < op.ins; ++i) touch(program_.code_slots[op.slots + i]);
  std::vector<char> never_touched(program_.tiles.size());
  for (std::size_t i = 0; i < never_touched.size(); ++i)
    never_touched[i] = program_.target == Target::A5 && !touched_[i];
  for (std::size_t i = 0; i < placed_.size(); ++i) program_.tiles[i].placed = placed_[i] != 0;
  // Lives are known of the code of one core.
  if (program_.options.placement_keep || program_.together())
    return place_tiles(program_, {}, placed_, never_touched, messages_.all());
  // Padding that nobody wrote is seen as such, as long as there is room.
  Diagnostics no_room;
  place_tiles(program_, TileLives(program_, true), placed_, never_touched, no_room);
  if (!no_room.empty()) place_tiles(program_, TileLives(program_, false), placed_, never_touched, messages_.all());
}

}  // namespace ts
