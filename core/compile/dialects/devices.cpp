// Copies and signals between devices. There is one here: what its peers have stands in its own global memory, and who
// copies to them copies from a view to another one, through a tile.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/beside.h"
#include "core/compile/dialects.h"
#include "core/compile/dialects/chunks.h"
#include "core/compile/walk.h"
#include "core/program/sync.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;
using text::TypeKind;

namespace {

struct Named {
  std::vector<const Item*> items;
  std::vector<Slot> slots;
  std::size_t size() const { return slots.size(); }
};

Named values_of(Compilation& c, const Item* group) {
  Named out;
  if (group == nullptr) return out;
  for (const Item& item : c.tree.children(*group)) {
    if (item.kind != ItemKind::Use && item.kind != ItemKind::Int) continue;
    out.items.push_back(&item);
    out.slots.push_back(c.names.use_or_integer(item));
  }
  return out;
}
// In the parentheses, and in a clause of theirs.
Named values_of(Compilation& c, const Op& op) { return values_of(c, c.tree.find(op, ItemKind::Group)); }
Named values_of(Compilation& c, const Op& op, std::string_view clause) {
  const Item* group = c.tree.find(op, ItemKind::Group);
  if (group == nullptr) return {};
  const auto all = c.tree.children(*group);
  const auto found = std::ranges::find_if(
      all, [&](const Item& item) { return item.kind == ItemKind::Group && c.tree.tree().name_of(item) == clause; });
  return found == all.end() ? Named{} : values_of(c, &*found);
}

void leave_out(Compilation& c, OpId id, const Op& op) {
  std::vector<Slot> outs;
  if (op.result_count != 0)
    outs.push_back(c.names.bind_result(op, 0, c.tree.only_type(c.tree.find(op, ItemKind::Arrow))));
  c.code.emit(CodeKind::Missing, op.range, {}, outs, id);
}

const text::Type* view_type(const Compilation& c, Slot slot) {
  if (slot == kNoSlot || c.code.type_of(slot) == kNoType) return nullptr;
  const text::Type& type = c.tree.type(c.code.type_of(slot));
  return type.kind == TypeKind::TensorView || type.kind == TypeKind::PartitionView ? &type : nullptr;
}
bool is_tile(const Compilation& c, Slot slot) { return slot != kNoSlot && c.code.value(slot).kind == ValueKind::Tile; }

std::string shape_text(const text::Type& type) {
  std::string out;
  for (const std::int64_t size : type.dims)
    out += fmt::format("{}{}", out.empty() ? "" : "x", size < 0 ? "?" : std::to_string(size));
  return out;
}

// False, and told: one is not copied to the other.
bool same_views(Compilation& c, const Item& to_item, Slot to, Slot from) {
  const text::Type &a = *view_type(c, to), &b = *view_type(c, from);
  const auto differ = [](std::int64_t x, std::int64_t y) { return x >= 0 && y >= 0 && x != y; };
  const bool open = c.code.has_open_shape(to) || c.code.has_open_shape(from);
  if (a.dims.size() != b.dims.size() || (!open && !std::ranges::equal(a.dims, b.dims, std::not_fn(differ)))) {
    c.messages.error(to_item.range, "COMM-R2", fmt::format("the views are {} and {}", shape_text(a), shape_text(b)), "",
                     "what is copied has the shape of where it goes");
    return false;
  }
  return same_elements(a.scalar, b.scalar) ||
         (c.messages.error(to_item.range, "E-TYPE",
                           fmt::format("a view of {} takes {}", text::name(a.scalar), text::name(b.scalar)), "",
                           "nothing is converted on the way"),
          false);
}

// All are views, of one shape and type. False: told, or not emulated.
bool views_fit(Compilation& c, OpId id, const Op& op, const Named& views) {
  for (const Slot slot : views.slots)
    if (view_type(c, slot) == nullptr) return leave_out(c, id, op), false;
  for (std::size_t i = 1; i < views.size(); ++i) {
    if (!same_views(c, *views.items[i], views.slots[0], views.slots[i])) return false;
    c.code.emit(CodeKind::SameExtents, op.range, {views.slots[0], views.slots[i]});
  }
  return true;
}

const TileType& type_of_tile(Compilation& c, Slot tile) { return c.tiles[c.code.value(tile).bits].type; }

// pto.comm.tput(%dst, %src, buf(%a[, %b]) : V, V, T[, T]) {atomicType = ..}, and pto.comm.tget
void copy(Compilation& c, OpId id, const Op& op) {
  const Named views = values_of(c, op), tiles = values_of(c, op, "buf");
  if (views.size() != 2 || tiles.size() == 0 || !is_tile(c, tiles.slots[0])) return leave_out(c, id, op);
  if (!views_fit(c, id, op, views)) return;
  c.tiles.touch(tiles.slots[0]);
  const bool adds = c.tree.word(op, "atomicType").find("atomic_add") != std::string_view::npos;
  Chunks chunks(c, id, op, views.slots[0], type_of_tile(c, tiles.slots[0]));
  chunks.begin();
  const Slot from = chunks.part_of_view(views.slots[1]), to = chunks.part_of_view(views.slots[0]),
             through = chunks.part_of_tile(tiles.slots[0]);
  chunks.step("tload", {from, through});
  chunks.step("tstore", {through, to}, "atomicType", adds ? 1 : 0);
  chunks.end();
}

// Of a group: the memory of its members is this device's, and so are all of them.
void note_group(Compilation& c, const Op& op, std::size_t members) {
  c.messages.tell(Severity::Note, op.name, "COMM-N2",
                  fmt::format("one device: the group is {} view{} of the same memory", members, plural(members)), "",
                  "each member's part is where its view says");
}

// pto.comm.tbroadcast(%src, recv(%a), group(%g0, %g1) : ..) {root = 0}: every member gets it.
void broadcast(Compilation& c, OpId id, const Op& op) {
  Named views = values_of(c, op);
  const Named tiles = values_of(c, op, "recv"), members = values_of(c, op, "group");
  if (views.size() != 1 || tiles.size() == 0 || !is_tile(c, tiles.slots[0])) return leave_out(c, id, op);
  views.items.insert(views.items.end(), members.items.begin(), members.items.end());
  views.slots.insert(views.slots.end(), members.slots.begin(), members.slots.end());
  if (!views_fit(c, id, op, views)) return;
  note_group(c, op, members.size());
  c.tiles.touch(tiles.slots[0]);
  Chunks chunks(c, id, op, views.slots[0], type_of_tile(c, tiles.slots[0]));
  chunks.begin();
  const Slot from = chunks.part_of_view(views.slots[0]), through = chunks.part_of_tile(tiles.slots[0]);
  chunks.step("tload", {from, through});
  for (const Slot member : members.slots) chunks.step("tstore", {through, chunks.part_of_view(member)});
  chunks.end();
}

// Only running tells how large it is.
bool is_open(const Compilation& c, Slot view) {
  return c.code.has_open_shape(view) ||
         std::ranges::any_of(c.tree.type(c.code.type_of(view)).dims, [](std::int64_t size) { return size < 0; });
}

// Along which dimension the members' pieces lie behind each other in the whole: the one that is as many times as long.
// Nothing: there is none.
std::optional<std::size_t> dimension_of_pieces(const Compilation& c, Slot whole, Slot piece, std::size_t members) {
  const std::vector<std::int64_t>&all = c.tree.type(c.code.type_of(whole)).dims,
        &one = c.tree.type(c.code.type_of(piece)).dims;
  std::optional<std::size_t> along;
  if (all.size() != one.size()) return {};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == one[i] && (all[i] != 0)) continue;
    if (along || all[i] != one[i] * static_cast<std::int64_t>(members)) return {};
    along = i;
  }
  return members == 1 ? std::optional<std::size_t>(0) : along;
}

// pto.comm.tgather(%dst, recv(%a), group(%g0, %g1) : ..) {root = 0}: the members' data, one behind the other; tscatter does
// the opposite. Along which dimension is read off the shapes (unverified).
void copy_pieces(Compilation& c, OpId id, const Op& op, bool gathers) {
  const Named given = values_of(c, op), tiles = values_of(c, op, "recv"), members = values_of(c, op, "group");
  if (given.size() != 1 || members.size() == 0 || tiles.size() == 0 || !is_tile(c, tiles.slots[0]) ||
      view_type(c, given.slots[0]) == nullptr)
    return leave_out(c, id, op);
  if (!views_fit(c, id, op, members)) return;
  const Slot whole = given.slots[0], piece = members.slots[0];
  const text::Type &all = *view_type(c, whole), &one = *view_type(c, piece);
  if (is_open(c, whole) || is_open(c, piece)) return leave_out(c, id, op);
  const auto along = dimension_of_pieces(c, whole, piece, members.size());
  if (!along || !same_elements(all.scalar, one.scalar)) {
    c.messages.error(given.items[0]->range, "COMM-R2",
                     fmt::format("the whole is {} of {}, and each of {} members {} of {}", shape_text(all),
                                 text::name(all.scalar), members.size(), shape_text(one), text::name(one.scalar)),
                     "", "one dimension of the whole is as long as those of all members together");
    return;
  }
  note_group(c, op, members.size());
  c.tiles.touch(tiles.slots[0]);
  Chunks chunks(c, id, op, piece, type_of_tile(c, tiles.slots[0]));
  chunks.begin();
  const Slot through = chunks.part_of_tile(tiles.slots[0]);
  const std::int64_t length = one.dims.empty() ? 0 : one.dims[*along];
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Slot member = chunks.part_of_view(members.slots[i]),
               in_whole = chunks.part_of_piece(whole, *along, static_cast<std::int64_t>(i) * length);
    chunks.step("tload", {gathers ? member : in_whole, through});
    chunks.step("tstore", {through, gathers ? in_whole : member});
  }
  chunks.end();
}
void gather(Compilation& c, OpId id, const Op& op) { copy_pieces(c, id, op, true); }
void scatter(Compilation& c, OpId id, const Op& op) { copy_pieces(c, id, op, false); }

// pto.comm.treduce(%dst, %acc, recv(%a), group(%g0, %g1) : ..) {reduceOp = .., root = 0}
void reduce(Compilation& c, OpId id, const Op& op) {
  Named given = values_of(c, op);
  const Named tiles = values_of(c, op, "recv"), members = values_of(c, op, "group");
  const std::string_view word = c.tree.word(op, "reduceOp");
  const char* join = word.find("max") != std::string_view::npos   ? "tmax"
                     : word.find("min") != std::string_view::npos ? "tmin"
                                                                  : "tadd";
  if (given.size() != 2 || tiles.size() == 0 || members.size() == 0 || !is_tile(c, given.slots[1]) ||
      !is_tile(c, tiles.slots[0]))
    return leave_out(c, id, op);
  const Slot sum = given.slots[1], next = tiles.slots[0];
  Named views = members;
  views.items.insert(views.items.begin(), given.items[0]);
  views.slots.insert(views.slots.begin(), given.slots[0]);
  if (!views_fit(c, id, op, views)) return;
  note_group(c, op, members.size());
  c.tiles.touch(sum);
  c.tiles.touch(next);
  TileType both = type_of_tile(c, sum);
  both.rows = std::min(both.rows, type_of_tile(c, next).rows);
  both.cols = std::min(both.cols, type_of_tile(c, next).cols);
  Chunks chunks(c, id, op, given.slots[0], both);
  chunks.begin();
  const Slot in_sum = chunks.part_of_tile(sum), in_next = chunks.part_of_tile(next);
  for (std::size_t i = 0; i < members.size(); ++i) {
    chunks.step("tload", {chunks.part_of_view(members.slots[i]), i == 0 ? in_sum : in_next});
    if (i != 0) chunks.step(join, {in_sum, in_next, in_sum});
  }
  chunks.step("tstore", {in_sum, chunks.part_of_view(given.slots[0])});
  chunks.end();
}

// --- signals -------------------------------------------------------------------------------------------------------

// Cells and a number. False: told, or not emulated.
bool is_signal(Compilation& c, OpId id, const Op& op, const Named& given) {
  if (given.size() != 2 || any_missing(given.slots)) return false;
  const text::Type* cells = view_type(c, given.slots[0]);
  if (cells == nullptr) return leave_out(c, id, op), false;
  if (text::dtype(cells->scalar) == DType::I32) return true;
  c.messages.error(given.items[0]->range, "COMM-R1",
                   fmt::format("signals are cells of i32; these are {}", text::name(cells->scalar)), "",
                   "a view of !pto.ptr<i32>");
  return false;
}

// The number of the word among the values of a row's attribute; -1: it is none that is known.
int word_in(const Compilation& c, const Op& op, const InstructionRow& row, const char* name, std::string_view usual) {
  std::string word(c.tree.word(op, name));
  if (word.empty()) word = usual;
  if (const std::size_t blank = word.find_last_of(' '); blank != std::string::npos) word.erase(0, blank + 1);
  std::ranges::transform(word, word.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return sync_value(row.attributes[0], word);
}

void emit_signal(Compilation& c, OpId id, const Op& op, const InstructionRow& row, int word,
                 std::vector<OperandUse> operands) {
  if (word < 0) return leave_out(c, id, op);
  c.code.emit_step(op.range, {.row = &row,
                              .fixed = false,
                              .pos = c.messages.position(op.name),
                              .op = id,
                              .operands = std::move(operands),
                              .attributes = {static_cast<std::uint8_t>(word)}});
}

// pto.comm.tnotify(%cells, %v : V, i32) {notifyOp = #pto<notify_op set>}
void notify(Compilation& c, OpId id, const Op& op) {
  const Named given = values_of(c, op);
  if (!is_signal(c, id, op, given)) return;
  const InstructionRow& row = *find_beside("comm.tnotify");
  const auto& specs = row.forms.front().operands;
  emit_signal(c, id, op, row, word_in(c, op, row, "notifyOp", "set"),
              {{&specs[0], given.slots[1], DType::I32}, {&specs[1], given.slots[0], DType::I32}});
}

// pto.comm.twait(%cells, %v : V, i32) {cmp = #pto<wait_cmp ge>}
void wait(Compilation& c, OpId id, const Op& op) {
  const Named given = values_of(c, op);
  if (!is_signal(c, id, op, given)) return;
  c.program.meets = true;  // another block may give it
  emit_signal(c, id, op, kWaitForDevice, word_in(c, op, kWaitForDevice, "cmp", "ge"),
              {{&kSignalOperand, given.slots[0], DType::I32}, {&kAwaitedNumber, given.slots[1], DType::I32}});
}

// %ok = pto.comm.ttest(%cells, %v : V, i32) {cmp = ..} -> i1
void test(Compilation& c, OpId id, const Op& op) {
  const Named given = values_of(c, op);
  if (!is_signal(c, id, op, given)) return;
  const int word = word_in(c, op, kWaitForDevice, "cmp", "ge");
  if (word < 0) return leave_out(c, id, op);
  const Slot out = c.names.bind_result(op, 0, c.tree.only_type(c.tree.find(op, ItemKind::Arrow)));
  c.code.emit(CodeKind::TestSignal, op.range, given.slots, {out}).type = static_cast<std::uint8_t>(word);
}

// --- loads that are announced --------------------------------------------------------------------------------------

// Nothing moves before it is needed, and what was begun is done at once.
void begin_prefetch(Compilation& c, OpId, const Op& op) {
  if (any_missing(values_of(c, op).slots)) return;
  for (std::size_t i = 0; i < op.result_count; ++i)
    c.names.bind_result(op, i, c.tree.only_type(c.tree.find(op, ItemKind::Arrow)));
}
void end_of_copy(Compilation& c, OpId, const Op& op) {
  if (op.result_count != 0)
    c.names.bind_result(op, 0, c.tree.only_type(c.tree.find(op, ItemKind::Arrow)), scalar_value(1));
}

}  // namespace

std::span<const DialectRow> device_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::DeviceCopy, checked<copy>},
      {OpKind::Broadcast, checked<broadcast>},
      {OpKind::ReduceGroup, checked<reduce>},
      {OpKind::GatherGroup, checked<gather>},
      {OpKind::ScatterGroup, checked<scatter>},
      {OpKind::NotifyDevice, checked<notify>},
      {OpKind::WaitForDevice, checked<wait>},
      {OpKind::TestDevice, checked<test>},
      {OpKind::PrefetchContext, checked<begin_prefetch>},
      {OpKind::BeginPrefetch, checked<begin_prefetch>},
      {OpKind::AsyncEvent, checked<end_of_copy>},
  };
  return kRows;
}

}  // namespace ts
