// Windows: parts of tiles that share their bytes.
#include <fmt/format.h>

#include <optional>

#include "core/compile/dialects.h"
#include "core/compile/walk.h"
#include "core/program/literal.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;
using text::TypeId;
using text::TypeKind;

namespace {

// The list behind a word, `sizes [R, C]`, or under a name, `sizes = [R, C]`. Null: there is none.
const Item* list_behind(const Compilation& c, const Op& op, std::string_view word) {
  if (const Item* named = c.tree.find(op, word); named != nullptr && named->count != 0)
    return &c.tree.children(*named).front();
  const auto items = c.tree.items(op);
  for (std::size_t i = 0; i + 1 < items.size(); ++i)
    if (items[i].kind == ItemKind::Word && c.tree.text(items[i]) == word && items[i + 1].kind == ItemKind::List)
      return &items[i + 1];
  return nullptr;
}

struct Sizes {
  std::uint32_t rows, cols;
};

// Two numbers; nothing: told why they are not.
std::optional<Sizes> sizes_of(Compilation& c, const TileType& whole, const Item& sizes, bool may_reach_beyond) {
  constexpr std::int64_t kMost = 1 << 24;
  const auto parts = c.tree.children(sizes);
  const auto rows = parse_integer(c.tree.text(parts[0])), cols = parse_integer(c.tree.text(parts[1]));
  const bool numbers = rows && cols && *rows > 0 && *cols > 0 && *rows <= kMost && *cols <= kMost;
  if (numbers && (may_reach_beyond || (*rows <= whole.rows && *cols <= whole.cols)))
    return Sizes{static_cast<std::uint32_t>(*rows), static_cast<std::uint32_t>(*cols)};
  c.messages.error(sizes.range, "E-TILE", fmt::format("no part of a tile of {}x{}", whole.rows, whole.cols),
                   may_reach_beyond ? "two numbers above 0" : "two numbers no larger than the tile");
  return {};
}

// Whether the boxes of a part lie in memory as those of a tile of its own would.
bool keeps_boxes(const TileType& whole, const Sizes& sizes) {
  return !whole.boxed() || (whole.blayout == BoxOrder::RowMajor ? sizes.cols == whole.cols : sizes.rows == whole.rows);
}

struct Window {
  std::vector<Slot> ins;  // tile, row, column
  TileType whole;
  std::span<const Item> parts;
  const Item* sizes = nullptr;
};

// %t[%i, %j] sizes [R, C]; nothing: told what is wrong.
std::optional<Window> read_window(Compilation& c, const Op& op) {
  Window window;
  const Item* element = c.tree.find(op, ItemKind::Element);
  window.sizes = list_behind(c, op, "sizes");
  if (window.sizes == nullptr) window.sizes = c.tree.find(op, ItemKind::List);
  if (element == nullptr || window.sizes == nullptr || c.tree.children(*element).size() != 3 ||
      window.sizes->count != 2 || op.result_count != 1) {
    c.messages.error(op.name, "E-SYNTAX",
                     fmt::format("{} needs a tile with two offsets, and two sizes", c.tree.tree().name_of(op)),
                     "%t[%i, %j] sizes [R, C]");
    return {};
  }
  window.parts = c.tree.children(*element);
  window.ins = {c.names.use(window.parts[0]), c.names.use_or_integer(window.parts[1]),
                c.names.use_or_integer(window.parts[2])};
  if (any_missing(window.ins) || !needs_kind(c, window.parts[0], window.ins[0], TypeKind::Tile, "a tile")) return {};
  // A window of a window is one of what that is, not of the type that was written first.
  const Value parent = c.code.value(window.ins[0]);
  window.whole = parent.known() ? c.tiles[parent.bits].type : c.tiles.type_of(c.code.type_of(window.ins[0]));
  return window;
}

std::string_view window_name(const Compilation& c, const Op& op) {
  return c.tree.value_name(c.tree.results(op).front());
}

// %s = pto.subset %t[%i, %j] sizes [R, C] : T
void subset(Compilation& c, OpId, const Op& op) {
  const std::optional<Window> window = read_window(c, op);
  if (!window) return;
  const std::optional<Sizes> sizes = sizes_of(c, window->whole, *window->sizes, false);
  if (!sizes) return;
  if (!keeps_boxes(window->whole, *sizes)) {
    const bool by_rows = window->whole.blayout == BoxOrder::RowMajor;
    c.messages.error(
        window->sizes->range, "E-TILE",
        fmt::format("a part of a {} tile keeps all {}", window->whole.layout_name(), by_rows ? "columns" : "rows"));
    return;
  }
  const std::uint32_t number = c.tiles.declare_alias(
      {.name = std::string(window_name(c, op)), .type = part_of(window->whole, sizes->rows, sizes->cols)});
  c.code.emit(CodeKind::Window, op.range, window->ins, {}, number);
  c.names.bind_result(op, 0, c.code.type_of(window->ins[0]), tile_value(number));
}

// --- pto.subview ---------------------------------------------------------------------------------------------------

// A size of the valid part: an operand, or what the result's type says. kNoSlot: told that neither does.
Slot valid_size(Compilation& c, const Op& op, const Item* given, std::int32_t fixed, const char* dimension) {
  if (given != nullptr) {
    const Slot slot = c.names.use_or_integer(*given);
    const bool differs =
        slot != kNoSlot && fixed != kDynamic && c.code.is_constant(slot) && c.code.value(slot).number() != fixed;
    if (!differs) return slot;
    c.messages.error(given->range, "V60-11",
                     fmt::format("valid {} given but v_{} is static {}", c.code.value(slot).number(), dimension, fixed),
                     fmt::format("v_{}=?, or {}", dimension, c.code.value(slot).number()));
    return kNoSlot;
  }
  if (fixed != kDynamic) return c.code.constant(fixed);
  c.messages.error(op.name, "V60-10", fmt::format("v_{} is '?' but there is no valid [...]", dimension),
                   "sizes [R, C] valid [%r, %c]", "or give numbers in the result's type");
  return kNoSlot;
}

// What is told of cuts through boxes. False: they must not be.
bool boxes_fit(Compilation& c, const Window& window) {
  const TileType& whole = window.whole;
  if (!whole.boxed()) return true;
  const Box box = box_of(whole);
  const std::uint32_t sides[] = {box.rows, box.cols};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!c.code.is_constant(window.ins[1 + i])) continue;
    const std::int64_t offset = c.code.value(window.ins[1 + i]).number();
    if (offset % sides[i] == 0) continue;
    c.messages.error(window.parts[1 + i].range, "V60-18",
                     fmt::format("offset {} is not a multiple of the box ({})", offset, sides[i]),
                     fmt::format("a multiple of {}", sides[i]), "elements of one box lie beside each other");
    return false;
  }
  return true;
}

bool is_zero(const Compilation& c, Slot slot) { return c.code.is_constant(slot) && c.code.value(slot).number() == 0; }

// %s = pto.subview %t[%i, %j] sizes [R, C] valid [%r, %c] : T -> T
void subview_of_tile(Compilation& c, const Op& op) {
  std::optional<Window> window = read_window(c, op);
  if (!window) return;
  const Item *arrow = c.tree.find(op, ItemKind::Arrow), *valid = list_behind(c, op, "valid");
  const TypeId type = arrow == nullptr ? c.code.type_of(window->ins[0]) : c.tree.only_type(arrow);
  if (type == kNoType || c.tree.type(type).kind != TypeKind::Tile || (valid != nullptr && valid->count != 2)) {
    c.messages.error(op.name, "E-SYNTAX", "pto.subview of a tile gives one tile, of two valid sizes",
                     "%t[%i, %j] sizes [R, C] valid [%r, %c] : T -> T");
    return;
  }
  const std::optional<Sizes> sizes = sizes_of(c, window->whole, *window->sizes, true);
  if (!sizes || !boxes_fit(c, *window)) return;
  const text::ScalarKind whole = c.tree.type(c.code.type_of(window->ins[0])).scalar, of_part = c.tree.type(type).scalar;
  if (!same_elements(whole, of_part)) {
    c.messages.error(arrow->range, "E-TYPE",
                     fmt::format("the tile holds {}, its part {}", text::name(whole), text::name(of_part)),
                     text::name(whole), "pto.treshape reads bytes as another type");
    return;
  }
  const TileType& its = c.tree.type(type).tile;
  const auto given = [&](std::size_t i) { return valid == nullptr ? nullptr : &c.tree.children(*valid)[i]; };
  const Slot rows = valid_size(c, op, given(0), its.valid_rows, "row");
  if (rows == kNoSlot) return;
  const Slot cols = valid_size(c, op, given(1), its.valid_cols, "col");
  if (cols == kNoSlot) return;
  window->ins.push_back(rows);
  window->ins.push_back(cols);
  TileType part = part_of(window->whole, sizes->rows, sizes->cols);
  part.pad = its.pad;
  const std::uint32_t number = c.tiles.declare_alias({.name = std::string(window_name(c, op)), .type = part});
  c.names.bind_result(op, 0, type, tile_value(number));
  const bool by_rows = window->whole.boxed() && window->whole.blayout == BoxOrder::ColMajor &&
                       sizes->rows != window->whole.rows && !is_zero(c, window->ins[1]);
  if (by_rows)
    c.messages.warn(window->parts[1].range, "V60-19", "the manual lets a boxed col_major tile be cut by columns only",
                    "kernels do cut accumulators by rows all the same");
  c.code.emit(CodeKind::Window, op.range, window->ins, {}, number);
}

// Of a tile, or, in old texts, of a view.
void subview(Compilation& c, OpId id, const Op& op) {
  if (c.tree.find(op, ItemKind::Element) != nullptr) return subview_of_tile(c, op);
  partition_view(c, id, op);
}

}  // namespace

std::span<const DialectRow> window_dialect() {
  static constexpr DialectRow kRows[] = {{OpKind::Subset, subset}, {OpKind::Subview, subview}};
  return kRows;
}

}  // namespace ts
