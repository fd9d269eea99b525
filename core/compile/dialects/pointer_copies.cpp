// Copies between memories by pointers.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/beside.h"
#include "core/compile/clauses.h"
#include "core/compile/dialects.h"
#include "core/compile/walk.h"
#include "core/program/scalar_ops.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::TypeKind;

namespace {

// Counts and strides in bytes, from the innermost level outwards: of a burst, and of the loops around it.
using Level = CopyLoop;

// Between global memory and which memory of the core.
struct Way {
  const char* row;
  bool loads;
  TileLoc local;
  std::size_t plain;         // operands before those of the burst; the last one is the length
  std::size_t paddings = 0;  // forms with padding follow as many without it: 1
  const char* space() const { return local == TileLoc::Mat ? "l1" : "ub"; }
};
constexpr Way kToUb{"mte_gm_ub", true, TileLoc::Vec, 4, 1}, kFromUb{"mte_ub_gm", false, TileLoc::Vec, 3},
    kToL1{"mte_gm_l1", true, TileLoc::Mat, 3};

class Copying {
 public:
  Copying(Compilation& c, OpId id, const Op& op, const Way& way)
      : c_(c), op_(op), id_(id), way_(way), loads_(way.loads) {}

  void compile() {
    if (read()) emit();
  }
  // The old form has its numbers in a row, and its loops in registers.
  void compile_old() {
    std::vector<Slot> slots;
    for (const Item& item : c_.tree.items(op_))
      if (item.kind == ItemKind::Use || item.kind == ItemKind::Int) slots.push_back(c_.names.use_or_integer(item));
    if (any_missing(slots) || slots.size() < (loads_ ? 11u : 8u)) return;
    const Slot padded = loads_ ? slots[7] : kNoSlot;
    if (loads_ && !(c_.code.is_constant(padded) && c_.code.value(padded).number() == 0))
      return known_by_signature(c_, id_, op_);
    from_ = slots[0], to_ = slots[1], length_ = slots[4];
    if (!is_pointer(from_, loads_) || !is_pointer(to_, !loads_)) return;
    levels_.push_back(loads_ ? Level{slots[3], slots[9], slots[10]} : Level{slots[3], slots[7], slots[6]});
    const CopyLoops& loops = loads_ ? c_.loops_in : c_.loops_out;
    for (const Level& level : {loops.inner, loops.outer})
      if (level.count != kNoSlot) levels_.push_back(level);
    emit();
  }

 private:
  void emit() {
    const Slot global = loads_ ? from_ : to_, local = loads_ ? to_ : from_;
    const auto dtype = text::dtype(c_.tree.type(c_.code.type_of(local)).scalar);
    const InstructionRow& row = *find_beside(way_.row);
    // The row has a form for each number of levels; of some, another one with padding.
    const std::size_t most_levels = row.forms.size() / (1 + way_.paddings);
    if (!dtype || is_packed(*dtype) || levels_.size() > most_levels) return known_by_signature(c_, id_, op_);
    type_ = *dtype;
    const std::size_t form = levels_.size() - 1 + (pad_.empty() ? 0 : most_levels);
    Instruction step{.row = &row,
                     .form = static_cast<std::uint8_t>(form),
                     .fixed = false,
                     .pos = c_.messages.position(op_.name),
                     .op = id_,
                     .operands = {},
                     .attributes = {}};
    const Slot view = make_view(global), tile = make_tile(local);
    std::vector<Slot> slots{loads_ ? view : tile, loads_ ? tile : view, length_};
    for (const Level& level : levels_) slots.insert(slots.end(), {level.count, level.from_step, level.to_step});
    slots.insert(slots.end(), pad_.begin(), pad_.end());
    for (std::size_t i = 0; i < slots.size(); ++i)
      step.operands.push_back({&row.forms[form].operands[i], slots[i], i < 2 ? type_ : DType::I64});
    c_.code.emit_step(op_.range, std::move(step));
  }

  bool read() {
    std::vector<Slot> direct;
    for (const Item& item : c_.tree.items(op_)) {
      if (item.kind == ItemKind::Use || item.kind == ItemKind::Int) direct.push_back(c_.names.use_or_integer(item));
      if (item.kind == ItemKind::Group && !group(item)) return false;
    }
    if (any_missing(direct)) return false;
    const std::size_t plain = way_.plain;
    if (levels_.empty()) take_row(direct, plain);
    if (direct.size() < plain || levels_.empty()) {
      c_.messages.error(op_.range, "E-OPERANDS", fmt::format("{} says no rows to copy", c_.tree.tree().name_of(op_)),
                        "nburst(%count, %src_stride, %dst_stride)");
      return false;
    }
    from_ = direct[0], to_ = direct[1], length_ = direct[plain - 1];
    return is_pointer(from_, loads_) && is_pointer(to_, !loads_);
  }

  // The generic form has all numbers in a row: those of the burst, of its loops, and at the end of a padding.
  void take_row(const std::vector<Slot>& slots, std::size_t at) {
    for (; at + 3 <= slots.size(); at += 3) levels_.push_back({slots[at], slots[at + 1], slots[at + 2]});
    pad_.assign(slots.begin() + static_cast<std::ptrdiff_t>(std::min(at, slots.size())), slots.end());
    if (!pad_.empty()) pad_.resize(3, c_.code.constant(0));
  }

  bool group(const Item& item) {
    std::vector<Slot> slots;
    for (const Item& child : c_.tree.children(item))
      if (child.kind == ItemKind::Use || child.kind == ItemKind::Int) slots.push_back(c_.names.use_or_integer(child));
    if (any_missing(slots)) return false;
    const std::string_view name = c_.tree.tree().name_of(item);
    if (name == "pad") {
      pad_ = std::move(slots);
      pad_.resize(3, c_.code.constant(0));
    } else if (slots.size() == 3) {
      levels_.push_back({slots[0], slots[1], slots[2]});
    }
    return true;
  }

  bool is_pointer(Slot slot, bool global) {
    const Item& item = *c_.tree.first_operand(op_);
    if (!needs_kind(c_, item, slot, TypeKind::Ptr, "a pointer")) return false;
    const std::string_view space = c_.tree.type(c_.code.type_of(slot)).word;
    if (global ? space == "gm" : space == way_.space() || (way_.local == TileLoc::Vec && space == "vec")) return true;
    c_.messages.error(op_.range, "E-TYPE",
                      fmt::format("{} goes from {} to {}; one of its pointers is to {}", c_.tree.tree().name_of(op_),
                                  loads_ ? "gm" : way_.space(), loads_ ? way_.space() : "gm", space));
    return false;
  }

  Slot elements(Slot bytes) { return quotient_of(c_, op_.range, bytes, size_bytes(type_)); }

  // The rows in global memory, the outermost loop first.
  Slot make_view(Slot pointer) {
    std::vector<Slot> shape, strides;
    for (std::size_t i = levels_.size(); i-- > 0;) {
      shape.push_back(levels_[i].count);
      strides.push_back(elements(loads_ ? levels_[i].from_step : levels_[i].to_step));
    }
    shape.push_back(elements(length_));
    strides.push_back(c_.code.constant(1));
    return pointed_view(c_, op_.range, pointer, shape, strides, type_);
  }

  // The rows in UB as far as constants tell: one tile where they are evenly spaced, else all that lies between the first
  // and the last byte.
  TileType tile_type() const {
    const std::int64_t size = size_bytes(type_);
    const auto known = [&](Slot slot) { return c_.code.is_constant(slot) ? c_.code.value(slot).number() : -1; };
    constexpr std::int64_t kMost = 1 << 18;
    std::int64_t rows = 1, pitch = 0, bytes = known(length_);
    bool even = true;
    for (const Level& level : levels_) {
      const std::int64_t count = known(level.count), step = known(loads_ ? level.to_step : level.from_step);
      if (count < 0 || step < 0 || bytes < 0 || count * step > kMost) return vec_tile(type_, 1, 1);
      if (count <= 1) continue;
      if (rows == 1) pitch = step;
      else even = even && step == rows * pitch;
      rows *= count;
      bytes += (count - 1) * step;
    }
    const std::int64_t length = known(length_);
    if (bytes <= 0 || bytes > kMost) return vec_tile(type_, 1, 1);
    if (!even || pitch % size != 0 || pitch < length || length % size != 0 || rows == 1)
      return vec_tile(type_, 1, static_cast<std::uint32_t>((bytes + size - 1) / size));
    TileType type = vec_tile(type_, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(length / size));
    if (pitch != length) type.pitch = static_cast<std::uint32_t>(pitch / size);
    return type;
  }

  Slot make_tile(Slot pointer) {
    const Item& spelled = c_.tree.items(op_)[loads_ ? 1 : 0];
    TileType type = tile_type();
    type.loc = way_.local;
    return c_.tiles.add_pointed(op_.range, c_.tree.text(spelled), type, {pointer});
  }

  Compilation& c_;
  const Op& op_;
  OpId id_;
  const Way& way_;
  bool loads_;
  DType type_ = DType::U8;
  Slot from_ = kNoSlot, to_ = kNoSlot, length_ = kNoSlot;
  std::vector<Level> levels_;
  std::vector<Slot> pad_;
};

// Registers hold numbers that code sets; strides of loops that run once mean nothing.
void set_loop(Compilation& c, const Op& op, CopyLoops& loops, bool inner, bool sizes) {
  const std::vector<Slot> given = c.names.use_operands(op);
  if (!same_count(c, op, given.size(), 2, "operands") || any_missing(given)) return;
  for (CopyLoop* loop : {&loops.inner, &loops.outer}) {
    if (loop->count != kNoSlot) continue;
    *loop = {c.code.new_slot(kNoType, scalar_value(1)), c.code.new_slot(kNoType, scalar_value(0)),
             c.code.new_slot(kNoType, scalar_value(0))};
    for (const Slot slot : {loop->count, loop->from_step, loop->to_step}) c.code.set_variable(slot);
  }
  if (sizes) return c.code.emit_move(op.range, given, {loops.inner.count, loops.outer.count});
  CopyLoop& loop = inner ? loops.inner : loops.outer;
  c.code.emit_move(op.range, given, {loop.from_step, loop.to_step});
}
template <bool into, bool inner, bool sizes>
void set_loop(Compilation& c, OpId, const Op& op) {
  set_loop(c, op, into ? c.loops_in : c.loops_out, inner, sizes);
}

void old_copy_to_ub(Compilation& c, OpId id, const Op& op) { Copying(c, id, op, kToUb).compile_old(); }
void old_copy_from_ub(Compilation& c, OpId id, const Op& op) { Copying(c, id, op, kFromUb).compile_old(); }
void copy_to_ub(Compilation& c, OpId id, const Op& op) { Copying(c, id, op, kToUb).compile(); }
void copy_from_ub(Compilation& c, OpId id, const Op& op) { Copying(c, id, op, kFromUb).compile(); }
void copy_to_l1(Compilation& c, OpId id, const Op& op) { Copying(c, id, op, kToL1).compile(); }

}  // namespace

Slot pointed_view(Compilation& c, text::SourceRange where, Slot pointer, std::span<const Slot> shape,
                  std::span<const Slot> strides, DType type) {
  std::vector<Slot> ins{pointer};
  ins.insert(ins.end(), shape.begin(), shape.end());
  ins.insert(ins.end(), strides.begin(), strides.end());
  const Slot view = c.code.new_variable(kNoType);
  CodeOp& code = c.code.emit(CodeKind::MakeView, where, ins, {view}, static_cast<std::uint32_t>(type));
  code.type = static_cast<std::uint8_t>(shape.size());
  code.to = 1;  // rows
  return view;
}

Slot quotient_of(Compilation& c, text::SourceRange where, Slot number, std::int64_t by) {
  if (c.code.is_constant(number)) return c.code.constant((c.code.value(number).number() + by - 1) / by);
  const Slot out = c.code.new_variable(kNoType);
  CodeOp& code = c.code.emit(CodeKind::Compute, where, {number, c.code.constant(by)}, {out},
                             static_cast<std::uint32_t>(find_scalar_op("arith.ceildivsi")));
  code.type = code.to = static_cast<std::uint8_t>(text::ScalarKind::I64);
  return out;
}

std::span<const DialectRow> pointer_copy_dialect() {
  static constexpr DialectRow kRows[] = {
      {text::OpKind::CopyToUb, checked<copy_to_ub>},
      {text::OpKind::CopyFromUb, checked<copy_from_ub>},
      {text::OpKind::CopyToL1, checked<copy_to_l1>},
      {text::OpKind::OldCopyToUb, checked<old_copy_to_ub>},
      {text::OpKind::OldCopyFromUb, checked<old_copy_from_ub>},
      {text::OpKind::SetInnerLoopIn, checked<set_loop<true, true, false>>},
      {text::OpKind::SetOuterLoopIn, checked<set_loop<true, false, false>>},
      {text::OpKind::SetLoopSizesIn, checked<set_loop<true, false, true>>},
      {text::OpKind::SetInnerLoopOut, checked<set_loop<false, true, false>>},
      {text::OpKind::SetOuterLoopOut, checked<set_loop<false, false, false>>},
      {text::OpKind::SetLoopSizesOut, checked<set_loop<false, false, true>>},
  };
  return kRows;
}

}  // namespace ts
