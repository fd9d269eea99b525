// Views of global memory, and pointers.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/beside.h"
#include "core/compile/clauses.h"
#include "core/compile/dialects.h"
#include "core/compile/statements.h"
#include "core/compile/walk.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;
using text::TypeId;
using text::TypeKind;

namespace {

constexpr std::size_t kMostRank = 5;

// Of `layout = #pto.layout<nd>`: 0 none, else the layout's number + 1.
std::uint8_t layout_hint(std::string_view word) {
  for (const GlobalLayout layout : kGlobalLayouts)
    if (word == name(layout)) return static_cast<std::uint8_t>(static_cast<int>(layout) + 1);
  return 0;
}

TypeKind kind_of_slot(const Compilation& c, Slot slot) {
  return c.code.type_of(slot) == kNoType ? TypeKind::None : c.tree.type(c.code.type_of(slot)).kind;
}

// The slots of `name = [...]`; it must have `rank` entries (0: any number up to five).
std::vector<Slot> index_list(Compilation& c, const Op& op, std::string_view name, std::size_t rank,
                             text::SourceRange* where = nullptr) {
  const Item* named = c.tree.find(op, name);
  const auto values = named == nullptr ? std::span<const Item>{} : c.tree.children(*named);
  if (values.empty() || values.front().kind != ItemKind::List) {
    c.messages.error({op.range.end, op.range.end}, "E-SYNTAX",
                     fmt::format("{} needs {} = [...]", c.tree.tree().name_of(op), name),
                     fmt::format("{} = [...]", name));
    return {};
  }
  const Item& list = values.front();
  if (where != nullptr) *where = list.range;
  const auto entries = c.tree.children(list);
  if ((rank != 0 && entries.size() != rank) || entries.size() > kMostRank || entries.empty()) {
    const std::string_view one = entries.size() == 1 ? name.substr(0, name.size() - 1) : name;
    c.messages.error(list.range, "E-VIEW",
                     rank != 0 ? fmt::format("{} {} for rank {}", entries.size(), one, rank)
                               : fmt::format("{} dimensions; a view has one to five", entries.size()),
                     rank != 0 ? fmt::format("{} values separated by ','", rank) : "");
    return {};
  }
  std::vector<Slot> slots;
  for (const Item& entry : entries) slots.push_back(c.names.use_or_integer(entry));
  if (any_missing(slots)) slots.clear();
  return slots;
}

std::vector<Slot> joined(std::vector<Slot> first, const std::vector<Slot>& second, const std::vector<Slot>& third) {
  first.insert(first.end(), second.begin(), second.end());
  first.insert(first.end(), third.begin(), third.end());
  return first;
}

// --- views ---------------------------------------------------------------------------------------------------------

// The pointer, or the buffer of a memref; kNoSlot: told why.
Slot view_source(Compilation& c, const Item& source) {
  const Slot pointer = c.names.use(source);
  if (pointer == kNoSlot) return kNoSlot;
  const TypeKind kind = kind_of_slot(c, pointer);
  const bool memref = kind == TypeKind::Memref && c.tiles.kind_of(c.code.type_of(pointer)) == OperandKind::Global;
  if (kind == TypeKind::Ptr || memref) return pointer;
  c.messages.error(
      source.range, "E-TYPE",
      fmt::format("{} is {}, needs a pointer", c.tree.text(source), c.tree.type_text(c.code.type_of(pointer))));
  return kNoSlot;
}

// Whether a view's type says what its operands say.
bool shape_fits(Compilation& c, const Op& op, const text::Type& view, const std::vector<Slot>& shape,
                text::SourceRange where) {
  if (view.dims.size() != shape.size()) {
    c.messages.error(c.tree.children(*c.tree.find(op, ItemKind::Types)).front().range, "E-VIEW",
                     fmt::format("the type has {} dimensions, the shape {}", view.dims.size(), shape.size()));
    return false;
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t size = c.code.value(shape[i]).number();
    if (view.dims[i] < 0 || !c.code.is_constant(shape[i]) || size == view.dims[i]) continue;
    c.messages.error(where, "E-VIEW", fmt::format("dimension {} is {} here and {} in the type", i, size, view.dims[i]));
    return false;
  }
  return true;
}

void make_view(Compilation& c, OpId id, const Op& op) {
  const Item* source = c.tree.find(op, ItemKind::Use);
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Types));
  if (source == nullptr || type == kNoType || op.result_count != 1) return;
  const Slot pointer = view_source(c, *source);
  if (pointer == kNoSlot) return;
  text::SourceRange shape_range;
  const std::vector<Slot> shape = index_list(c, op, "shape", 0, &shape_range);
  if (shape.empty()) return;
  const std::vector<Slot> strides = index_list(c, op, "strides", shape.size());
  if (strides.empty()) return;
  const text::Type& view = c.tree.type(type);
  if (!shape_fits(c, op, view, shape, shape_range)) return;
  const text::ScalarKind pointee = c.tree.type(c.code.type_of(pointer)).scalar;
  const auto dtype = text::dtype(pointee), viewed = text::dtype(view.scalar);
  const Slot out = c.names.bind_result(op, 0, type);
  if (dtype && viewed && dtype != viewed) {
    c.messages.error(source->range, "E-TYPE",
                     fmt::format("the pointer is to {}, the view of {}", text::name(pointee), text::name(view.scalar)));
    return;
  }
  if (!dtype || !viewed) {  // of elements that nobody emulates
    c.code.emit(CodeKind::Missing, op.range, {}, {out}, id);
    return;
  }
  const Item* layout = c.tree.find(op, "layout");
  CodeOp& code = c.code.emit(CodeKind::MakeView, op.range, joined({pointer}, shape, strides), {out},
                             static_cast<std::uint32_t>(*dtype));
  code.type = static_cast<std::uint8_t>(shape.size());
  if (layout != nullptr && layout->count != 0)
    code.to = layout_hint(word_of(c.tree.tree(), c.tree.children(*layout).front()));
}

// Whether a part says what its type says and lies inside the whole, as far as constants tell.
bool part_fits(Compilation& c, const text::Type& whole, const text::Type& part, const std::vector<Slot>& offsets,
               const std::vector<Slot>& sizes, text::SourceRange where) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!c.code.is_constant(sizes[i])) continue;
    const std::int64_t size = c.code.value(sizes[i]).number();
    if (i < part.dims.size() && part.dims[i] >= 0 && part.dims[i] != size) {
      c.messages.error(where, "E-VIEW",
                       fmt::format("dimension {} is {} here and {} in the type", i, size, part.dims[i]));
      return false;
    }
    if (!c.code.is_constant(offsets[i]) || whole.dims[i] < 0) continue;
    const std::int64_t offset = c.code.value(offsets[i]).number();
    if (offset >= 0 && size > 0 && offset + size <= whole.dims[i]) continue;
    c.messages.error(where, "E-VIEW",
                     fmt::format("dimension {}: elements {}..{} of {}", i, offset, offset + size, whole.dims[i]),
                     fmt::format("offset + size <= {}", whole.dims[i]), "the part reaches beyond the view");
    return false;
  }
  return true;
}

// --- pointers ------------------------------------------------------------------------------------------------------

// %q = pto.addptr %p, %n : P -> P
void add_pointer(Compilation& c, OpId, const Op& op) {
  const Item* first = c.tree.first_operand(op);
  const std::vector<Slot> ins = c.names.use_operands(op);
  if (op.result_count != 1 || !same_count(c, op, ins.size(), 2, "operands") || any_missing(ins) ||
      !needs_kind(c, *first, ins[0], TypeKind::Ptr, "a pointer"))
    return;
  const TypeId type = c.code.type_of(ins[0]);
  const Slot out = c.names.bind_result(op, 0, type);
  const Item* arrow = c.tree.find(op, ItemKind::Arrow);
  const TypeId written = c.tree.only_type(arrow);
  if (written != kNoType &&
      (c.tree.type(written).kind != TypeKind::Ptr || c.tree.type(written).scalar != c.tree.type(type).scalar)) {
    c.messages.error(
        arrow->range, "E-TYPE",
        fmt::format("{} is {}, the result {}", c.tree.text(*first), c.tree.type_text(type), c.tree.type_text(written)),
        c.tree.type_text(type), "a pointer stays one to the same elements");
    return;
  }
  c.code.emit(CodeKind::AddPointer, op.range, ins, {out}).type = static_cast<std::uint8_t>(c.tree.type(type).scalar);
}

// %p = pto.inttoptr %a : i64 -> P, and back, or to other elements
void cast_pointer(Compilation& c, OpId, const Op& op) {
  const Item *source = c.tree.find(op, ItemKind::Use), *arrow = c.tree.find(op, ItemKind::Arrow),
             *types = c.tree.find(op, ItemKind::Types);
  const TypeId type = c.tree.only_type(arrow), stated = c.tree.only_type(types);
  const Slot slot = source == nullptr ? kNoSlot : c.names.use(*source);
  if (slot == kNoSlot || type == kNoType || op.result_count != 1) return;
  const text::SignatureForm& form = text::signature(op.code).forms.front();
  if (!has_sort(c, *source, form.operands.front().sort)) return;
  if (types != nullptr && !has_stated_type(c, *source, stated, types->range, slot)) return;
  const text::OperandSort made = form.results.front().sort;
  if (!is_of_sort(c, made, type)) {
    c.messages.error(
        arrow->range, "E-TYPE",
        fmt::format("{} gives {} {}, not {}", c.tree.tree().name_of(op),
                    made == text::OperandSort::Integer ? "an" : "a", text::name(made), c.tree.type_text(type)));
    return;
  }
  const Slot out = c.names.bind_result(op, 0, type);
  const text::Type& its = c.tree.type(type);
  c.code.emit(CodeKind::PointerCast, op.range, {slot}, {out},
              static_cast<std::uint32_t>(its.kind != TypeKind::Ptr ? PointerMade::Number
                                         : its.word == "gm"        ? PointerMade::Global
                                                                   : PointerMade::OnChip));
}

// %n = pto.get_tensor_view_dim %v, %k : V -> index
void view_extent(Compilation& c, OpId, const Op& op) {
  const Item* first = c.tree.first_operand(op);
  const std::vector<Slot> ins = c.names.use_operands(op);
  if (!same_count(c, op, ins.size(), 2, "operands") || any_missing(ins) ||
      !same_count(c, op, op.result_count, 1, "results"))
    return;
  const TypeKind kind = kind_of_slot(c, ins[0]);
  if (kind != TypeKind::PartitionView && !needs_kind(c, *first, ins[0], TypeKind::TensorView, "a view")) return;
  const Slot out = c.names.bind_result(op, 0, c.tree.only_type(c.tree.find(op, ItemKind::Arrow)));
  c.code.emit(CodeKind::ViewExtent, op.range, ins, {out}).to = text::kind_of(op.code) == OpKind::ViewStride ? 1 : 0;
}

// How a number of one type becomes one of another.
std::string way_between(text::ScalarKind from, text::ScalarKind to) {
  const bool floats = text::is_float(from) && text::is_float(to),
             integers = !text::is_float(from) && !text::is_float(to);
  const bool narrower = text::bits(to)<text::bits(from), wider = text::bits(to)> text::bits(from);
  const bool index = from == text::ScalarKind::Index || to == text::ScalarKind::Index;
  const char* with = !narrower && !wider    ? "arith.bitcast for its bits"
                     : integers && index    ? "arith.index_cast"
                     : integers && narrower ? "arith.trunci"
                     : integers             ? "arith.extsi or arith.extui"
                     : floats && narrower   ? "arith.truncf"
                     : floats               ? "arith.extf"
                     : text::is_float(from) ? "arith.fptosi or arith.fptoui"
                                            : "arith.sitofp or arith.uitofp";
  return fmt::format("load {}, then {}", text::name(from), with);
}

// Front ends put where other devices' memory is into words that only functions of this name read.
bool asks_where_devices_are(const Compilation& c) {
  const Function* function = c.functions.current();
  return function != nullptr && c.tree.symbol_name(*function->op).starts_with("CommRemoteOffset");
}

// %v = pto.load_scalar %p[%i] : !pto.ptr<S> -> S
void load_scalar(Compilation& c, OpId id, const Op& op) {
  const Item* element = c.tree.find(op, ItemKind::Element);
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  if (element == nullptr || type == kNoType || op.result_count != 1 || c.tree.children(*element).size() != 2) return;
  const auto parts = c.tree.children(*element);
  const std::vector<Slot> ins{c.names.use(parts[0]), c.names.use_or_integer(parts[1])};
  if (any_missing(ins) || !needs_kind(c, parts[0], ins[0], TypeKind::Ptr, "a pointer")) return;
  const Slot out = c.names.bind_result(op, 0, type);
  const text::ScalarKind pointee = c.tree.type(c.code.type_of(ins[0])).scalar, loaded = c.tree.type(type).scalar;
  if (!same_elements(pointee, loaded)) {
    c.messages.error(c.tree.find(op, ItemKind::Arrow)->range, "E-TYPE",
                     fmt::format("{} points to {}, what is loaded is {}", c.tree.text(parts[0]), text::name(pointee),
                                 text::name(loaded)),
                     text::name(pointee), way_between(pointee, loaded));
    return;
  }
  const std::string_view space = c.tree.type(c.code.type_of(ins[0])).word;
  // Between the stores of a region it matters when it is done.
  if (const auto dtype = text::dtype(loaded); dtype && space == "ub" && c.registers.in_scope()) {
    const InstructionRow& row = *find_beside("load_scalar");
    const Slot tile = c.tiles.add_pointed(op.range, c.tree.text(*element), vec_tile(*dtype, 1, 1), ins);
    c.code.emit_step(op.range, {.row = &row,
                                .fixed = false,
                                .pos = c.messages.position(op.name),
                                .op = id,
                                .operands = {{&row.forms.front().operands.front(), tile, *dtype}},
                                .attributes = {}});
  }
  CodeOp& code = c.code.emit(CodeKind::LoadScalar, op.range, ins, {out}, asks_where_devices_are(c) ? 1 : 0);
  code.type = static_cast<std::uint8_t>(loaded);
  code.to = static_cast<std::uint8_t>(space == "gm"   ? PointedSpace::Global
                                      : space == "ub" ? PointedSpace::Ub
                                                      : PointedSpace::Other);
}

}  // namespace

void partition_view(Compilation& c, OpId, const Op& op) {
  const Item* source = c.tree.find(op, ItemKind::Use);
  if (source == nullptr || op.result_count != 1) return;
  const Slot view = c.names.use(*source);
  if (view == kNoSlot) return;
  const TypeKind kind = kind_of_slot(c, view);
  if (kind != TypeKind::TensorView && kind != TypeKind::PartitionView) {
    c.messages.error(
        source->range, "E-TYPE",
        fmt::format("{} is {}, needs a view", c.tree.text(*source), c.tree.type_text(c.code.type_of(view))));
    return;
  }
  const text::Type& whole = c.tree.type(c.code.type_of(view));
  text::SourceRange where;
  const std::vector<Slot> offsets = index_list(c, op, "offsets", whole.dims.size(), &where);
  if (offsets.empty()) return;
  const std::vector<Slot> sizes = index_list(c, op, "sizes", whole.dims.size(), &where);
  const Item* arrow = c.tree.find(op, ItemKind::Arrow);
  const TypeId type = arrow == nullptr ? c.code.type_of(view) : c.tree.only_type(arrow);
  if (sizes.empty() || type == kNoType) return;
  // Without a type of its own it has that of its sizes, whatever the whole is.
  const text::Type open{.kind = TypeKind::PartitionView, .scalar = whole.scalar};
  if (!part_fits(c, whole, arrow == nullptr ? open : c.tree.type(type), offsets, sizes, where)) return;
  const Slot out = c.names.bind_result(op, 0, type);
  if (arrow == nullptr) c.code.leave_shape_open(out);
  c.code.emit(CodeKind::Partition, op.range, joined({view}, offsets, sizes), {out}).type =
      static_cast<std::uint8_t>(offsets.size());
}

std::span<const DialectRow> view_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::MakeView, make_view},       {OpKind::PartitionView, partition_view}, {OpKind::AddPointer, add_pointer},
      {OpKind::CastPointer, cast_pointer}, {OpKind::LoadScalar, load_scalar},       {OpKind::ViewExtent, view_extent},
      {OpKind::ViewStride, view_extent},
  };
  return kRows;
}

}  // namespace ts
