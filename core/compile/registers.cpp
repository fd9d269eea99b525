// Places of registers.
#include "core/compile/registers.h"

#include <fmt/format.h>

#include "core/a5/micro_instruction.h"
#include "core/compile/has_meaning.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;
using text::TypeId;
using text::TypeKind;

namespace {

// Each takes memory of the host on every core.
constexpr std::uint32_t kMostBytes = 4u << 20;

bool is_register(const text::Type& type) {
  return type.kind == TypeKind::Vreg || type.kind == TypeKind::Mask ||
         (type.kind == TypeKind::Simple && type.word == "align");
}

// A mask that says no granularity has that of most lanes.
std::uint8_t mask_bits(const text::Type& type) {
  if (type.kind != TypeKind::Mask) return 0;
  return type.mask_bits == 0 ? std::uint8_t{32} : type.mask_bits;
}

}  // namespace

std::optional<TileType> Registers::tile_of(TypeId id) const {
  if (id == kNoType || !is_register(tree_.type(id))) return {};
  const text::Type& type = tree_.type(id);
  const bool vector = type.kind == TypeKind::Vreg;
  const auto dtype = vector ? text::dtype(type.scalar) : DType::U8;
  if (!dtype || is_packed(*dtype)) return {};
  TileType tile = vec_tile(*dtype, 1,
                           vector                        ? VL / size_bytes(*dtype)
                           : type.kind == TypeKind::Mask ? a5::kMaskBytes
                                                         : a5::kStreamBytes);
  tile.loc = TileLoc::Register;
  return tile;
}

void Registers::enter_scope(const Item& region) {
  in_scope_ = true;
  first_slot_ = static_cast<Slot>(program_.slots.size());
  find_handed_on(tree_.first_op(&region));
}

void Registers::find_used(const Item& item) {
  if (item.kind == ItemKind::Use) used_.insert(tree_.value_name(item));
  if (item.kind == ItemKind::Group || item.kind == ItemKind::Element || item.kind == ItemKind::Named)
    for (const Item& child : tree_.children(item)) find_used(child);
}

// What a region yields, and what a loop begins with, may still be needed when its name is made anew.
void Registers::find_handed_on(OpId first) {
  const auto take = [&](const Item& item) {
    if (item.kind == ItemKind::Use) handed_on_.insert(tree_.value_name(item));
  };
  for_ops(tree_, first, [&](OpId, const Op& op) {
    const OpKind kind = text::kind_of(op.code);
    counts_ = counts_ || is_counted_stream(op.code);
    const bool yields = kind == OpKind::Yield || kind == OpKind::Condition;
    for (const Item& item : tree_.items(op)) {
      find_used(item);
      if (yields) take(item);
      if (item.kind == ItemKind::Region) find_handed_on(tree_.first_op(&item));
      if (item.kind != ItemKind::Group) continue;
      for (const Item& child : tree_.children(item)) {
        if (yields) take(child);
        if (child.kind == ItemKind::Named)
          for (const Item& value : tree_.children(child)) take(value);
      }
    }
  });
}

// Registers stand behind each other, each at a block of its own.
std::uint32_t Registers::place(std::string name, const TileType& type, std::uint8_t mask_bits) {
  const std::uint32_t tile = tiles_.declare(
      {.name = std::move(name), .type = type, .address = program_.reg_bytes, .placed = true, .mask_bits = mask_bits});
  tiles_.set_placed(tile);
  tiles_.set_touched(tile);
  program_.reg_bytes += (static_cast<std::uint32_t>(type.size_bytes()) + BLK - 1) / BLK * BLK;
  return tile;
}

std::uint32_t Registers::declare(std::string name, TypeId id, text::SourceRange where) {
  const std::uint32_t tile = place(std::move(name), *tile_of(id), mask_bits(tree_.type(id)));
  if (program_.reg_bytes <= kMostBytes) return tile;
  program_.reg_bytes = 0;
  if (!told_)
    messages_.error(where, "E-LIMIT",
                    fmt::format("the registers that the text names take more than {} bytes", kMostBytes));
  told_ = true;
  return tile;
}

Slot Registers::add_result(const Op& op, std::size_t index, TypeId type) {
  const std::string_view name = tree_.value_name(tree_.results(op)[index]);
  if (!is_handed_on(name)) {
    const Slot slot = names_.bind_result(op, index, type, tile_value(declare(std::string(name), type, op.range)));
    results_.insert(slot);
    return slot;
  }
  const Slot slot = names_.bind_result(op, index, type);
  results_.insert(slot);
  open_.push_back({static_cast<std::uint32_t>(program_.register_places.size()), name, type, op.range});
  program_.register_places.emplace_back();
  code_.emit(CodeKind::PickRegister, op.range, {}, {slot}, open_.back().places);
  return slot;
}

Slot Registers::counter(std::string_view name) {
  const auto [at, is_new] = counters_.try_emplace(name, kNoSlot);
  if (!is_new) return at->second;
  TileType type = vec_tile(DType::U64, 1, 1);
  type.loc = TileLoc::Register;
  const std::uint32_t tile = place(name == a5::kAr ? "AR" : "SQZN", type, 0);
  return at->second = code_.new_slot(kNoType, tile_value(tile));
}

// As many places as there are values that may still be needed, and one.
void Registers::close(const Open& open) {
  RegisterPlaces& places = program_.register_places[open.places];
  const text::Type& type = tree_.type(open.type);
  for (Slot slot = first_slot_; slot < program_.slots.size(); ++slot) {
    const TypeId other = code_.type_of(slot);
    if (other == kNoType || results_.contains(slot) || tree_.type(other).kind != type.kind) continue;
    places.handed_on.push_back(slot);
  }
  places.count = static_cast<std::uint32_t>(places.handed_on.size()) + 1;
  for (std::uint32_t i = 0; i < places.count && !told_; ++i) {
    const std::uint32_t made =
        declare(i == 0 ? std::string(open.name) : fmt::format("{}.{}", open.name, i), open.type, open.where);
    if (i == 0) places.first = made;
  }
}

void Registers::leave_scope() {
  for (const Open& open : open_) close(open);
  open_.clear();
  results_.clear();
  handed_on_.clear();
  used_.clear();
  in_scope_ = counts_ = false;
}

}  // namespace ts
