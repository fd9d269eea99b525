// Inputs of a program.
#include "core/compile/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/program/scalar_ops.h"

namespace ts {

using text::Item;
using text::TypeKind;

namespace {

bool has_open_extent(const text::Type& type) {
  return type.kind != TypeKind::Memref && type.dims.size() <= 5 &&
         std::ranges::find(type.dims, std::int64_t{kDynamic}) != type.dims.end();
}

}  // namespace

void Arguments::add_input(const Item& def, ProgramInput::Kind kind, std::uint32_t id, text::ScalarKind scalar) {
  program_.inputs.push_back({std::string(tree_.value_name(def)), kind, id, scalar, messages_.position(def.range)});
}

// The code of each core takes the same arguments.
const ProgramInput* Arguments::known(const Item& def, ProgramInput::Kind kind) const {
  const std::string_view name = tree_.value_name(def);
  const auto found = std::ranges::find_if(
      program_.inputs, [&](const ProgramInput& input) { return input.name == name && input.kind == kind; });
  return found == program_.inputs.end() ? nullptr : &*found;
}

// What pypto adds to every kernel's arguments.
bool Arguments::bind_hidden(const Item& def, text::TypeId id) {
  struct Row {
    std::string_view name;
    Query query;
  };
  static constexpr Row kRows[] = {{"__pypto_spmd_block_idx", Query::BlockIdx},
                                  {"__pypto_spmd_block_num", Query::BlockNum},
                                  {"__pypto_spmd_subblock_idx", Query::SubblockIdx}};
  const std::string_view name = tree_.value_name(def);
  const auto* row = std::ranges::find(kRows, name, &Row::name);
  if (row == std::end(kRows) || tree_.type(id).kind != TypeKind::Scalar) return false;
  const auto before = std::ranges::find(program_.hidden_inputs, name, &HiddenInput::name);
  const bool is_new = before == program_.hidden_inputs.end();
  const Slot given = is_new ? code_.new_variable(id) : before->slot, value = code_.new_variable(id);
  code_.emit(CodeKind::Query, def.range, {given}, {value}, static_cast<std::uint32_t>(row->query));
  names_.bind(def, value);
  if (is_new)
    program_.hidden_inputs.push_back({std::string(name), given, tree_.type(id).scalar, messages_.position(def.range)});
  return true;
}

// A dense view whose extents `?` are numbers from outside: `src.0` of %src.
void Arguments::bind_open_view(const Item& def, text::TypeId id, const text::Type& type) {
  const std::string_view name = tree_.value_name(def);
  const DType dtype = text::dtype(type.scalar).value_or(DType::U8);
  const auto buffer = static_cast<std::uint32_t>(program_.buffers.size());
  program_.buffers.push_back({.name = std::string(name), .dtype = dtype});
  add_input(def, ProgramInput::Kind::Buffer, buffer, type.scalar);
  std::vector<Slot> shape, strides(type.dims.size(), code_.constant(1));
  for (std::size_t dim = 0; dim < type.dims.size(); ++dim) {
    const bool open = type.dims[dim] == kDynamic;
    shape.push_back(open ? code_.new_variable(kNoType) : code_.constant(type.dims[dim]));
    if (open)
      program_.inputs.push_back({fmt::format("{}.{}", name, dim), ProgramInput::Kind::Scalar, shape.back(),
                                 text::ScalarKind::Index, messages_.position(def.range)});
  }
  const auto times = static_cast<std::uint32_t>(find_scalar_op("arith.muli"));
  for (std::size_t dim = type.dims.size(); dim-- > 1;) {
    strides[dim - 1] = code_.new_variable(kNoType);
    CodeOp& product = code_.emit(CodeKind::Compute, def.range, {strides[dim], shape[dim]}, {strides[dim - 1]}, times);
    product.type = product.to = static_cast<std::uint8_t>(text::ScalarKind::Index);
  }
  std::vector<Slot> ins{code_.new_slot(kNoType, {0, buffer, ValueKind::Pointer})};
  ins.insert(ins.end(), shape.begin(), shape.end());
  ins.insert(ins.end(), strides.begin(), strides.end());
  const Slot view = code_.new_variable(id);
  code_.emit(CodeKind::MakeView, def.range, ins, {view}, static_cast<std::uint32_t>(dtype)).type =
      static_cast<std::uint8_t>(type.dims.size());
  names_.bind(def, view);
}

void Arguments::bind_parameter(const Item& param) {
  const Item &def = tree_.children(param)[0], &type_item = tree_.children(param)[1];
  const text::TypeId id = type_item.first;
  const text::Type& type = tree_.type(id);
  if (bind_hidden(def, id)) return;
  if (type.kind == TypeKind::Ptr) {
    if (const ProgramInput* before = known(def, ProgramInput::Kind::Buffer))
      return void(names_.bind(def, code_.new_slot(id, {0, before->id, ValueKind::Pointer})));
    const std::string_view name = tree_.value_name(def);
    const auto buffer = static_cast<std::uint32_t>(program_.buffers.size());
    program_.buffers.push_back({.name = std::string(name), .dtype = text::dtype(type.scalar).value_or(DType::U8)});
    names_.bind(def, code_.new_slot(id, {0, buffer, ValueKind::Pointer}));
    add_input(def, ProgramInput::Kind::Buffer, buffer, type.scalar);
  } else if (type.kind == TypeKind::Scalar) {
    bind(def, ProgramInput::Kind::Scalar, id, type);
  } else if (tiles_.kind_of(id) == OperandKind::Global && has_open_extent(type)) {
    bind_open_view(def, id, type);
  } else if (tiles_.kind_of(id) == OperandKind::Global) {
    bind(def, ProgramInput::Kind::Buffer, id, type);
  } else if (tiles_.kind_of(id) == OperandKind::Tile) {
    bind(def, ProgramInput::Kind::Tile, id, type);
  } else {
    messages_.warn(type_item.range, "E-ENTRY",
                   fmt::format("nothing can be bound to an argument of type {}", tree_.type_text(id)));
    names_.bind(def, code_.new_slot(id));
  }
}

// A name whose value comes from outside: a number, a view with a buffer of its own, a tile's contents.
Slot Arguments::bind(const Item& def, ProgramInput::Kind kind, text::TypeId id, const text::Type& its) {
  const std::string_view name = tree_.value_name(def);
  Slot slot = kNoSlot;
  std::uint32_t number = 0;
  if (const ProgramInput* before = known(def, kind); before != nullptr && kind != ProgramInput::Kind::Tile) {
    slot = kind == ProgramInput::Kind::Scalar ? before->id : code_.new_slot(id, view_of(before->id));
    names_.bind(def, slot);
    return slot;
  }
  switch (kind) {
    case ProgramInput::Kind::Tile:
      number = tiles_.add(name, id);
      slot = code_.new_slot(id, tile_value(number));
      break;
    case ProgramInput::Kind::Buffer:
      number = static_cast<std::uint32_t>(program_.buffers.size());
      slot = code_.new_slot(id, host_view(its, name, number));
      break;
    case ProgramInput::Kind::Scalar: number = slot = code_.new_variable(id); break;
  }
  names_.bind(def, slot);
  add_input(def, kind, number, its.scalar);
  return slot;
}

// The whole of a buffer that the host made.
Value Arguments::view_of(std::uint32_t buffer) const {
  const auto view = std::ranges::find(program_.views, buffer, &ViewValue::buffer);
  return view == program_.views.end() ? Value{} : view_value(static_cast<std::uint32_t>(view - program_.views.begin()));
}

Value Arguments::host_view(const text::Type& its, std::string_view name, std::uint32_t buffer) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 28;
  ViewValue view{.buffer = buffer,
                 .dtype = text::dtype(its.scalar).value_or(DType::U8),
                 .rank = static_cast<std::uint8_t>(std::min<std::size_t>(its.dims.size(), 5))};
  std::int64_t elements = 1;
  for (std::size_t dim = 5; dim-- > 0;) {
    const std::size_t front = 5 - std::min<std::size_t>(its.dims.size(), 5);
    if (dim >= front) view.shape[dim] = std::max<std::int64_t>(its.dims[dim - front], 1);
    view.stride[dim] = elements;
    elements = std::min(elements * view.shape[dim], kMostElements);
  }
  program_.buffers.push_back(
      {.name = std::string(name), .dtype = view.dtype, .elements = static_cast<std::uint32_t>(elements)});
  program_.views.push_back(view);
  return view_value(static_cast<std::uint32_t>(program_.views.size() - 1));
}

Slot Arguments::bind_free_name(const Item& item, text::TypeId id, std::optional<text::ScalarKind> element) {
  text::Type its;
  if (id != kNoType) its = tree_.type(id);
  if (id == kNoType && element) its.kind = TypeKind::Scalar, its.scalar = *element;
  if (its.kind == TypeKind::Tile) return bind(item, ProgramInput::Kind::Tile, id, its);
  if (its.kind == TypeKind::Scalar) return bind(item, ProgramInput::Kind::Scalar, id, its);
  if (its.kind == TypeKind::PartitionView || its.kind == TypeKind::TensorView)
    return bind(item, ProgramInput::Kind::Buffer, id, its);
  return names_.use(item);  // tells that it is undefined
}

}  // namespace ts
