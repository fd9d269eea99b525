// The walk through a program's code.
#include "core/program/execution.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/program/scalar_ops.h"
#include "core/program/sync.h"
#include "core/text/tree.h"

namespace ts {
namespace {

using text::ScalarKind;

std::uint32_t clamped(std::int64_t value) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, 0xFFFFFFFF));
}

// Elements or bytes: more than any buffer has. Numbers of a program may be anything, and what is made of them must not wrap.
constexpr std::int64_t kBeyond = std::int64_t{1} << 40;

// Of numbers that are not negative.
std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kBeyond : std::min(result, kBeyond);
}

// Where the strides say so: rows or columns beside each other, or boxes. What is one line is rows.
GlobalLayout layout_of(const ViewValue& view) {
  const std::int64_t lanes = BLK / size_bytes(view.dtype);
  const auto& stride = view.stride;
  if (view.rank == 5 && view.shape[3] == 16 && view.shape[4] == lanes && stride[4] == 1 && stride[3] == lanes &&
      stride[2] == 16 * lanes && view.shape[1] > 1 && stride[1] == view.shape[2] * 16 * lanes)
    return GlobalLayout::NZ;
  if (stride[4] == 1 || view.rank < 2) return GlobalLayout::ND;
  return stride[3] == 1 ? GlobalLayout::DN : GlobalLayout::ND;
}

GlobalRef placed(const ViewValue& view, const BufferDecl& buffer) {
  GlobalRef ref{.dtype = view.dtype,
                .layout = view.layout,
                // What does not fit 32 bits is beyond every buffer, and the rules say so.
                .address = clamped(std::int64_t{buffer.address} + view.offset),
                .shape = {},
                .stride = {},
                .buffer_begin = buffer.address,
                .buffer_end = buffer.address + buffer.size()};
  std::ranges::transform(view.shape, ref.shape.begin(), clamped);
  std::ranges::transform(view.stride, ref.stride.begin(), clamped);
  return ref;
}

std::string flag_text(const InstructionRow& row, std::uint32_t key) {
  const auto word = [&](std::size_t i, std::uint32_t shift) {
    return value_name(row.attributes[i].values, static_cast<std::uint8_t>(key >> shift));
  };
  return fmt::format("({}, {}, {})", word(0, 16), word(1, 8), word(2, 0));
}

}  // namespace

Execution::Execution(const Program& program, const Memory* memory, Kind kind, const WalkLimits& limits)
    : program_(program), memory_(memory), kind_(kind), limits_(limits), extents_(program.buffers.size(), 0) {
  start_block();
}

void Execution::start_block() {
  // Flags are a core's own.
  left_raised_ = leftovers();
  flags_.clear();
  flag_pos_.clear();
  slots_ = program_.slots;
  views_ = program_.views;
  view_of_slot_.clear();
  environment_.tiles.clear();
  for (const TileDecl& tile : program_.tiles)
    environment_.tiles.push_back({tile.address, tile.valid_rows, tile.valid_cols, !tile.unset});
  ++environment_.version;
  loops_.clear();
  turns_.clear();
  calls_.clear();
  forks_.clear();
  pc_ = 0;
}

bool Execution::next() {
  if (stop_ != Stop::None) return false;
  if (!program_.code.empty()) return run_code();
  if (pc_ < program_.instructions.size()) return step_at(pc_++);
  stop_ = Stop::End;
  return false;
}

bool Execution::step_at(std::uint32_t instruction) {
  constexpr std::uint64_t kAskEvery = 256;
  instruction_ = instruction;
  ops_ = 0;
  if (steps_ % kAskEvery == 0 && !may_go_on()) return false;
  if (++steps_ <= limits_.most_steps) return check_flags(instruction);
  if (kind_ == Kind::Run)
    fail(program_.instructions[instruction].pos, "E-LIMIT",
         fmt::format("the limit of {} steps is reached", limits_.most_steps), "raise it with --max-steps");
  stop_ = Stop::Limit;
  return false;
}

bool Execution::may_go_on() {
  if (!limits_.go_on || limits_.go_on(steps_)) return true;
  stop_ = Stop::Interrupted;
  return false;
}

bool Execution::run_code() {
  constexpr std::uint64_t kAskEvery = 1 << 16;
  for (;;) {
    if (!forks_.empty()) join_forks();
    const CodeOp& op = program_.code[pc_++];
    if (op.kind == CodeKind::Step) return step_at(op.data);
    if (op.kind == CodeKind::End) {
      if (block_ + 1 >= program_.blocks) {
        stop_ = Stop::End;
        return false;
      }
      ++block_;
      start_block();
      continue;
    }
    if (!run_op(op)) return false;
    if (++ops_ % kAskEvery == 0 && !may_go_on()) return false;
    if (ops_ > limits_.most_code) {
      if (kind_ == Kind::Run)
        fail(op.pos, "E-LIMIT", fmt::format("{} operations and no step: does the loop ever end?", limits_.most_code));
      stop_ = Stop::Limit;
      return false;
    }
  }
}

bool Execution::run_op(const CodeOp& op) {
  switch (op.kind) {
    case CodeKind::Compute:
      return compute(op);
    case CodeKind::Move:
      move(op);
      return true;
    case CodeKind::Jump:
      pc_ = op.data;
      return true;
    case CodeKind::BranchUnless:
    case CodeKind::WhileTest:
      branch(op);
      return true;
    case CodeKind::LoopEnter:
      return enter_loop(op);
    case CodeKind::LoopNext:
      next_turn(op);
      return true;
    case CodeKind::WhileEnter:
      push_loop(op, {0, 1, true}, 0);
      return true;
    case CodeKind::WhileNext:
      ++turns_.back().variable;
      ++turns_.back().turn;
      pc_ = op.data;
      return true;
    case CodeKind::Call:
      calls_.push_back(pc_);
      pc_ = op.data;
      return true;
    case CodeKind::Return:
      pc_ = calls_.back();
      calls_.pop_back();
      return true;
    case CodeKind::MakeView:
      return make_view(op);
    case CodeKind::Partition:
      return partition(op);
    case CodeKind::PlaceTile:
      return place_tile(op);
    case CodeKind::SetValid:
      return set_valid(op);
    case CodeKind::Window:
      return window(op);
    case CodeKind::Alias:
    case CodeKind::Rebase:
      alias(op);
      return true;
    case CodeKind::AddPointer: {
      Value pointer = slots_[in(op, 0)];
      const Value count = slots_[in(op, 1)];
      const std::uint32_t size = (text::bits(static_cast<ScalarKind>(op.type)) + 7) / 8;
      pointer.bits += count.bits * size;
      set_out(op, pointer.known() && count.known() ? pointer : Value{});
      return true;
    }
    case CodeKind::PointerCast: {
      Value value = slots_[in(op, 0)];
      if (value.known() && op.data == 0) value = scalar_value(value.bits);
      if (value.kind == ValueKind::Scalar && op.data == 1) value = {value.bits, kNoSlot, ValueKind::Pointer};
      set_out(op, value);
      return true;
    }
    case CodeKind::LoadScalar:
      return load_scalar(op);
    case CodeKind::Query:
      query(op);
      return true;
    case CodeKind::Missing:
      return missing(op);
    case CodeKind::Step:
    case CodeKind::End:
      break;
  }
  return true;
}

// --- control flow --------------------------------------------------------------------------------------------------

void Execution::join_forks() {
  while (!forks_.empty()) {
    Fork& fork = forks_.back();
    if (!fork.in_second && pc_ == fork.first_end) {
      fork.in_second = true;
      pc_ = fork.second;
      environment_.tiles.swap(fork.tiles);
      ++environment_.version;
    }
    if (!fork.in_second || pc_ != fork.end) return;
    forget_difference(fork.tiles);
    forget_outs(*fork.op);
    forks_.pop_back();
  }
}

// Tiles stand as they do now, or as they did there; nobody knows which.
void Execution::forget_difference(const std::vector<Environment::Place>& other) {
  for (std::size_t i = 0; i < other.size(); ++i)
    if (environment_.tiles[i] != other[i]) environment_.tiles[i].known = false;
  ++environment_.version;
}

void Execution::forget_outs(const CodeOp& op) {
  for (std::size_t i = 0; i < op.outs; ++i) slots_[out(op, i)] = {};
}

void Execution::branch(const CodeOp& op) {
  const Value condition = slots_[in(op, 0)];
  exact_ = exact_ && condition.known();
  if (op.kind == CodeKind::WhileTest) {
    if (condition.known() && condition.bits != 0) return;
    if (!condition.known()) forget_outs(op);
    pop_loop();
    pc_ = op.data;
    return;
  }
  if (condition.known()) {
    if (condition.bits == 0) pc_ = op.data;
    return;
  }
  // The jump over the second way stands right before it.
  forks_.push_back({op.data - 1, op.data, program_.code[op.data - 1].data, false, &op, environment_.tiles});
}

void Execution::push_loop(const CodeOp& op, Loop loop, std::int64_t variable) {
  loops_.push_back(std::move(loop));
  turns_.push_back({variable, 0, entries_++, op.pos});
}

void Execution::pop_loop() {
  loops_.pop_back();
  turns_.pop_back();
}

bool Execution::enter_loop(const CodeOp& op) {
  const bool is_unsigned = op.to != 0;
  const auto number = [&](std::size_t i) {
    const Value value = slots_[in(op, i)];
    return is_unsigned ? value.number() : sign_extended(static_cast<ScalarKind>(op.type), value.bits);
  };
  if (!all_known(op)) {
    exact_ = false;
    push_loop(op, {0, 1, false, environment_.tiles}, 0);
    forget_outs(op);
    return true;
  }
  const std::int64_t lower = number(0), upper = number(1), step = number(2);
  if (is_unsigned ? step == 0 : step <= 0)
    return fail(op.pos, "E-LOOP", fmt::format("step must be positive; it is {}", step));
  if (is_unsigned ? static_cast<std::uint64_t>(lower) >= static_cast<std::uint64_t>(upper) : lower >= upper) {
    pc_ = op.data;
    return true;
  }
  push_loop(op, {upper, step, true}, lower);
  set_out(op, scalar_value(cut_to(static_cast<ScalarKind>(op.type), static_cast<std::uint64_t>(lower))));
  return true;
}

void Execution::next_turn(const CodeOp& op) {
  const Loop& loop = loops_.back();
  std::int64_t& value = turns_.back().variable;
  // The distance, which is not negative, may need all 64 bits.
  const auto left = static_cast<std::uint64_t>(loop.upper) - static_cast<std::uint64_t>(value);
  if (loop.known && left > static_cast<std::uint64_t>(loop.step)) {
    value += loop.step;
    ++turns_.back().turn;
    set_out(op, scalar_value(cut_to(static_cast<ScalarKind>(op.type), static_cast<std::uint64_t>(value))));
    pc_ = op.data;
    return;
  }
  if (!loop.known) {
    forget_difference(loop.tiles);
    forget_outs(op);
  }
  pop_loop();
}

void Execution::move(const CodeOp& op) {
  // All at once: what is yielded may be the loop's own variables in another order.
  moved_.clear();
  moved_views_.clear();
  for (std::size_t i = 0; i < op.ins; ++i) {
    moved_.push_back(slots_[in(op, i)]);
    if (moved_.back().kind == ValueKind::View) moved_views_.push_back(views_[moved_.back().bits]);
  }
  std::size_t next_view = 0;
  for (std::size_t i = 0; i < op.ins; ++i) {
    if (moved_[i].kind == ValueKind::View) {
      set_view(out(op, i), moved_views_[next_view++]);
    } else {
      slots_[out(op, i)] = moved_[i];
    }
  }
}

bool Execution::missing(const CodeOp& op) {
  if (kind_ == Kind::Check) {
    for (std::size_t i = 0; i < op.outs; ++i) slots_[out(op, i)] = {};
    exact_ = false;
    return true;
  }
  const text::Op& source = program_.tree->ops[op.data];
  fail(op.pos, "E-EMULATE",
       fmt::format("not emulated on {} yet: {}", name(program_.target), program_.tree->name_of(source)));
  stop_ = Stop::Missing;
  return false;
}

// --- numbers -------------------------------------------------------------------------------------------------------

bool Execution::compute(const CodeOp& op) {
  const int number = static_cast<int>(op.data & 0xFFFF);
  if (op.ins == 3) {
    select(op);
    return true;
  }
  ScalarArguments arguments{
      static_cast<ScalarKind>(op.type), static_cast<ScalarKind>(op.to), {}, static_cast<int>(op.data >> 16)};
  for (std::size_t i = 0; i < op.ins; ++i) arguments.in[i] = slots_[in(op, i)].bits;
  std::uint64_t results[2] = {};
  const bool known = all_known(op);
  if (known && !evaluate(number, arguments, results))
    return fail(
        op.pos, "E-ARITH",
        fmt::format("no result for {} and {}: a division by zero, or a number too large for its type",
                    sign_extended(arguments.type, arguments.in[0]), sign_extended(arguments.type, arguments.in[1])));
  for (std::size_t i = 0; i < op.outs; ++i) slots_[out(op, i)] = known ? scalar_value(results[i]) : Value{};
  return true;
}

// Of whatever kind of value.
void Execution::select(const CodeOp& op) {
  const Value condition = slots_[in(op, 0)];
  const Value chosen = slots_[in(op, condition.bits != 0 ? 1 : 2)];
  if (!condition.known()) {
    slots_[out(op)] = {};
  } else if (chosen.kind == ValueKind::View) {
    set_view(out(op), views_[chosen.bits]);
  } else {
    slots_[out(op)] = chosen;
  }
}

void Execution::query(const CodeOp& op) {
  const std::uint64_t values[] = {block_, program_.blocks, 0, 1};
  set_out(op, scalar_value(values[op.data]));
}

bool Execution::load_scalar(const CodeOp& op) {
  const Value pointer = slots_[in(op, 0)], index = slots_[in(op, 1)];
  const auto kind = static_cast<ScalarKind>(op.type);
  const std::uint32_t size = (text::bits(kind) + 7) / 8;
  if (pointer.known() && pointer.buffer < program_.buffers.size() && kind_ == Kind::Check &&
      std::ranges::find(loaded_, pointer.buffer) == loaded_.end())
    loaded_.push_back(pointer.buffer);
  if (memory_ == nullptr || !pointer.known() || !index.known() || pointer.buffer >= program_.buffers.size()) {
    if (kind_ == Kind::Run)
      return fail(op.pos, "E-EMULATE", "loading a scalar from on-chip memory is not emulated yet");
    set_out(op, {});
    return true;
  }
  const BufferDecl& buffer = program_.buffers[pointer.buffer];
  const std::int64_t offset = pointer.number() + index.number() * size;
  if (offset < 0 || offset + size > buffer.size())
    return fail_about(FindingKind::Bounds, op.pos, "MEM-BOUNDS",
                      fmt::format("byte {} of %{}, which has {}", offset, buffer.name, buffer.size()));
  const auto address = static_cast<std::uint32_t>(buffer.address + offset);
  if (memory_->worst_definedness(memory_->map().flat(Space::Gm, address), size) != Definedness::Written)
    warn(op, FindingKind::Defined, "MEM-UNDEFINED", fmt::format("loads byte {} of %{}, which nobody wrote", offset, buffer.name));
  set_out(op, scalar_value(memory_->element(Space::Gm, address, size)));
  return true;
}

// --- views and tiles -----------------------------------------------------------------------------------------------

bool Execution::make_view(const CodeOp& op) {
  if (!all_known(op)) {
    set_out(op, {});
    return true;
  }
  const std::size_t rank = op.type;
  const Value pointer = slots_[in(op, 0)];
  const bool memref = pointer.kind == ValueKind::View;
  const ViewValue base =
      memref ? views_[pointer.bits] : ViewValue{.buffer = pointer.buffer, .offset = pointer.number()};
  ViewValue view{.buffer = base.buffer,
                 .dtype = static_cast<DType>(op.data),
                 .rank = op.type,
                 .offset = std::clamp(base.offset, -kBeyond, kBeyond)};
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t shape = slots_[in(op, 1 + i)].number(), stride = slots_[in(op, 1 + rank + i)].number();
    view.shape[5 - rank + i] = shape;
    view.stride[5 - rank + i] = stride;
    if (shape < 0 || stride < 0)
      return fail(op.pos, "E-VIEW",
                  fmt::format("dimension {} has {} elements, {} apart; neither may be negative", i, shape, stride));
    if (shape >= kBeyond || stride >= kBeyond)
      return fail(op.pos, "E-VIEW",
                  fmt::format("dimension {} has {} elements, {} apart; global memory ends before", i, shape, stride));
  }
  // Dimensions of one in front: as far apart as all that is behind them.
  for (std::size_t i = 5 - rank; i-- > 0;) view.stride[i] = product(view.shape[i + 1], view.stride[i + 1]);
  view.layout = op.to == 0 ? layout_of(view) : static_cast<GlobalLayout>(op.to - 1);
  if (view.buffer < program_.buffers.size()) reach(view);
  set_view(out(op), view);
  return true;
}

bool Execution::partition(const CodeOp& op) {
  if (!all_known(op)) {
    set_out(op, {});
    return true;
  }
  const std::size_t rank = op.type;
  ViewValue view = views_[slots_[in(op, 0)].bits];
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t dim = 5 - rank + i;
    const std::int64_t offset = slots_[in(op, 1 + i)].number(), size = slots_[in(op, 1 + rank + i)].number();
    if (offset < 0 || size <= 0)
      return fail(op.pos, "E-VIEW", fmt::format("dimension {}: offset {}, size {}; an offset is at least 0, a size at least 1", i, offset, size));
    if (offset >= kBeyond || size >= kBeyond)
      return fail(op.pos, "E-VIEW", fmt::format("dimension {}: offset {}, size {}; global memory ends before", i, offset, size));
    if (offset + size > view.shape[dim])
      warn(op, FindingKind::Bounds, "E-VIEW", fmt::format("dimension {}: elements {}..{} of {}", i, offset, offset + size, view.shape[dim]),
           "the part reaches beyond the view; use what is left as its size");
    view.offset = std::min(view.offset + product(product(offset, view.stride[dim]), size_bytes(view.dtype)), kBeyond);
    view.shape[dim] = size;
  }
  set_view(out(op), view);
  return true;
}

// Grows what the buffer must have, where its size is not given.
void Execution::reach(const ViewValue& view) {
  if (kind_ == Kind::Check && !view_shapes_.contains(view.buffer)) {
    std::vector<std::uint32_t>& shape = view_shapes_[view.buffer];
    for (std::size_t i = 5 - view.rank; i < 5; ++i) shape.push_back(clamped(view.shape[i]));
  }
  std::uint64_t elements = 1;
  for (std::size_t i = 0; i < 5; ++i) {
    if (view.shape[i] == 0) return;
    elements += static_cast<std::uint64_t>(product(view.shape[i] - 1, view.stride[i]));
  }
  std::uint64_t& extent = extents_[view.buffer];
  extent = std::max(
      extent, static_cast<std::uint64_t>(std::max<std::int64_t>(view.offset, 0)) + elements * size_bytes(view.dtype));
}

bool Execution::place_tile(const CodeOp& op) {
  const TileDecl& tile = program_.tiles[op.data];
  Environment::Place place{tile.address, tile.valid_rows, tile.valid_cols, true};
  std::uint32_t* const fields[] = {&place.address, &place.valid_rows, &place.valid_cols};
  for (std::size_t i = 0; i < 3; ++i) {
    if (in(op, i) == kNoSlot) continue;
    const Value value = slots_[in(op, i)];
    if (!value.known()) {
      place.known = false;
      continue;
    }
    if (value.number() < 0 || value.number() > 0x7FFFFFFF)
      return fail(op.pos, "E-TILE",
                  fmt::format("%{}: {} is {}", tile.name,
                              i == 0   ? "its address"
                              : i == 1 ? "valid_row"
                                       : "valid_col",
                              value.number()));
    *fields[i] = static_cast<std::uint32_t>(value.bits);
  }
  set_place(op.data, place);
  return true;
}

bool Execution::set_valid(const CodeOp& op) {
  const Value tile = slots_[in(op, 0)], rows = slots_[in(op, 1)], cols = slots_[in(op, 2)];
  if (!tile.known()) return true;
  Environment::Place place = environment_.tiles[tile.bits];
  place.known = rows.known() && cols.known();
  const TileDecl& decl = program_.tiles[tile.bits];
  if (place.known) {
    if (rows.number() < 0 || rows.number() > decl.type.rows || cols.number() < 0 || cols.number() > decl.type.cols)
      return fail(op.pos, "E-TILE",
                  fmt::format("%{}: {}x{} of a tile of {}x{} cannot be valid", decl.name, rows.number(), cols.number(),
                              decl.type.rows, decl.type.cols));
    place.valid_rows = static_cast<std::uint32_t>(rows.bits);
    place.valid_cols = static_cast<std::uint32_t>(cols.bits);
  }
  set_place(static_cast<std::uint32_t>(tile.bits), place);
  return true;
}

// A part of a tile: its valid region is what the part has of the tile's.
bool Execution::window(const CodeOp& op) {
  if (!all_known(op)) {
    set_place(op.data, {0, 0, 0, false});
    return true;
  }
  const auto parent = static_cast<std::uint32_t>(slots_[in(op, 0)].bits);
  const TileType &whole = program_.tiles[parent].type, &part = program_.tiles[op.data].type;
  const std::int64_t row = slots_[in(op, 1)].number(), col = slots_[in(op, 2)].number();
  if (row < 0 || col < 0 || row > std::int64_t{whole.rows} - part.rows || col > std::int64_t{whole.cols} - part.cols)
    return fail(op.pos, "E-TILE", fmt::format("{}x{} at [{}, {}] is not inside %{}, which is {}x{}", part.rows, part.cols, row, col, program_.tiles[parent].name,
                                              whole.rows, whole.cols));
  const Environment::Place& from = environment_.tiles[parent];
  const auto left = [](std::uint32_t valid, std::int64_t offset, std::uint32_t size) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::int64_t{valid} - offset, 0, size));
  };
  const TileRef parent_tile{whole, from.address, from.valid_rows, from.valid_cols};
  set_place(op.data, {parent_tile.at(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col)),
                      left(from.valid_rows, row, part.rows), left(from.valid_cols, col, part.cols), from.known});
  return true;
}

namespace {

// What the type of an alias leaves open is as in `from`. Beside a fixed dimension of another shape it is what makes as
// many valid elements: a column of ten seen as a line is a line of ten.
void take_valid_shape(const TileType& type, const TileType& parent, const Environment::Place& from, Environment::Place& place) {
  const bool rows_fixed = type.valid_rows != kDynamic, cols_fixed = type.valid_cols != kDynamic;
  if (!rows_fixed) place.valid_rows = from.valid_rows;
  if (!cols_fixed) place.valid_cols = from.valid_cols;
  if (rows_fixed == cols_fixed || (type.rows == parent.rows && type.cols == parent.cols)) return;
  std::uint32_t& open = rows_fixed ? place.valid_cols : place.valid_rows;
  const std::uint32_t fixed = rows_fixed ? place.valid_rows : place.valid_cols, most = rows_fixed ? type.cols : type.rows;
  const std::uint64_t elements = std::uint64_t{from.valid_rows} * from.valid_cols;
  open = fixed == 0 ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>((elements + fixed - 1) / fixed, most));
}

}  // namespace

// The same bytes under another type, or the same type at other bytes.
void Execution::alias(const CodeOp& op) {
  const Value parent = slots_[in(op, 0)];
  const TileDecl& decl = program_.tiles[op.data];
  Environment::Place place{0, decl.valid_rows, decl.valid_cols, parent.known()};
  if (parent.known()) {
    const Environment::Place& from = environment_.tiles[parent.bits];
    place.address = from.address;
    place.known = from.known;
    if (decl.unset) take_valid_shape(decl.type, program_.tiles[parent.bits].type, from, place);
  }
  if (op.kind == CodeKind::Rebase) {
    const Value address = slots_[in(op, 1)];
    place.known = place.known && address.known();
    place.address = clamped(address.number());
  }
  set_place(op.data, place);
}

// --- steps ---------------------------------------------------------------------------------------------------------

Bound Execution::frame(const Program& program, std::size_t index) {
  const Instruction& instruction = program.instructions[index];
  return {.row = instruction.row,
          .form = instruction.form,
          .target = program.target,
          .options = &program.options,
          .pipe = sync_pipe(*instruction.row, instruction.attributes),
          .pos = instruction.pos,
          .operands = {},
          .attributes = instruction.attributes};
}

std::optional<Bound> Execution::bind(std::size_t index) const {
  const Instruction& instruction = program_.instructions[index];
  Bound bound = frame(program_, index);
  // A recording keeps as many of these as the program has different steps.
  bound.operands.reserve(instruction.operands.size());
  for (const OperandUse& use : instruction.operands) {
    const Value value = slots_[use.slot];
    const OperandKind wanted = use.spec->kind;
    const bool fits = wanted == OperandKind::Tile     ? value.kind == ValueKind::Tile
                      : wanted == OperandKind::Global ? value.kind == ValueKind::View
                                                      : value.kind == ValueKind::Scalar;
    if (!fits) return {};
    Operand operand;
    operand.spec = use.spec;
    switch (value.kind) {
      case ValueKind::Tile: {
        operand.id = static_cast<std::uint32_t>(value.bits);
        const Environment::Place& place = environment_.tiles[operand.id];
        if (!place.known) return {};
        operand.tile = {program_.tiles[operand.id].type, place.address, place.valid_rows, place.valid_cols};
        operand.implicit = program_.tiles[operand.id].implicit;
        break;
      }
      case ValueKind::View:
        operand.id = views_[value.bits].buffer;
        if (operand.id >= program_.buffers.size()) return {};  // of a pointer that is only a number
        operand.global = placed(views_[value.bits], program_.buffers[operand.id]);
        break;
      default:
        operand.scalar = {use.dtype, value.bits};
        break;
    }
    if (use.spec == &kEventOperand) {
      bound.attributes.back() = static_cast<std::uint8_t>(value.bits & 7);
      continue;
    }
    bound.operands.push_back(operand);
  }
  // Rules and steps look at the tile where this instruction puts it.
  if (instruction.row->effect == Effect::BindsAddress)
    for (Operand& operand : bound.operands)
      if (operand.spec->role == Role::Out)
        operand.tile.address = bound.has("address") ? static_cast<std::uint32_t>(std::min<std::uint64_t>(bound.scalar("address").bits, 0xFFFFFFFF))
                                                    : bound.tile("src").address;
  return bound;
}

void Execution::apply_effect(const Bound& bound) {
  if (bound.row->effect != Effect::BindsAddress) return;
  for (const Operand& operand : bound.operands) {
    if (operand.spec->role != Role::Out) continue;
    Environment::Place place = environment_.tiles[operand.id];
    place.address = operand.tile.address;
    set_place(operand.id, place);
  }
}

// A wait that no raised flag answers would hold the core for ever.
bool Execution::check_flags(std::uint32_t index) {
  const InstructionRow* row = program_.instructions[index].row;
  const bool raises = row == &kSetFlag || row == &kRecordEvent, waits = row == &kWaitFlag || row == &kWaitEvent;
  if (!raises && !waits) return true;
  const std::optional<Bound> bound = bind(index);
  if (!bound) {
    exact_ = false;
    return true;
  }
  const bool events = row == &kRecordEvent || row == &kWaitEvent;
  const std::uint32_t key =
      (events ? 1u << 24 : 0u) | bound->attributes[0] << 16 | bound->attributes[1] << 8 | bound->attributes[2];
  std::int64_t& raised = flags_[key];
  if (raises) {
    // The pages call it an error as well as an overwrite that is to be reported; the run can go on, and counts.
    const std::size_t told = warnings_.size();
    if (++raised > 1 && exact_)
      warn(program_.code[pc_ - 1], FindingKind::Flags, "SYNC-R3",
           fmt::format("{} of {} is raised while it still is", row->name, flag_text(*row, key)),
           "a flag holds one signal: wait for it first, or take another event");
    if (warnings_.size() > told) warnings_.back().notes.push_back({flag_pos_.at(key), "it was raised here"});
    flag_pos_[key] = bound->pos;
    return true;
  }
  if (--raised >= 0 || !exact_) return true;
  std::string hint =
      fmt::format("raise it first: pto.{} with the same pipes and event", events ? "record_event" : "set_flag");
  fail_about(FindingKind::Flags, bound->pos, "SYNC-R1",
             fmt::format("deadlock: no {} of {} reaches this wait", events ? "record_event" : "set_flag",
                         flag_text(*row, key)),
             std::move(hint));
  for (const auto& [other, pos] : flag_pos_)
    if (other >> 8 == key >> 8)
      problem_->notes.push_back({pos, fmt::format("the nearest one is {}", flag_text(*row, other))});
  return false;
}

Diagnostics Execution::leftovers() const {
  if (!exact_) return {};
  Diagnostics out = left_raised_;
  for (const auto& [key, raised] : flags_) {
    if (raised <= 0) continue;
    const InstructionRow& row = key >> 24 != 0 ? kRecordEvent : kSetFlag;
    Diagnostic left{
        "SYNC-R2",
        Severity::Warning,
        flag_pos_.at(key),
        "",
        fmt::format("{} of {} is raised {} times more than it is waited for", row.name, flag_text(row, key), raised),
        "the next kernel on this core finds it raised"};
    left.kind = FindingKind::Flags;
    const auto told = [&](const Diagnostic& other) { return other.pos == left.pos && other.text == left.text; };
    if (std::ranges::none_of(out, told)) out.push_back(std::move(left));
  }
  std::ranges::sort(out, {}, [](const Diagnostic& d) { return std::pair{d.pos.line, d.pos.column}; });
  return out;
}

// --- small things --------------------------------------------------------------------------------------------------

bool Execution::fail(SourcePos pos, std::string rule, std::string text, std::string hint) {
  stop_ = Stop::Error;
  problem_ = {std::move(rule), Severity::Error, pos, "", std::move(text), std::move(hint)};
  return false;
}

bool Execution::fail_about(FindingKind kind, SourcePos pos, std::string rule, std::string text, std::string hint) {
  fail(pos, std::move(rule), std::move(text), std::move(hint));
  problem_->kind = kind;
  return false;
}

// A check keeps what is told until its end, and a loop would say the same in every turn.
void Execution::warn(const CodeOp& op, FindingKind kind, std::string rule, std::string text, std::string hint) {
  if (kind_ == Kind::Check && !warned_.insert(&op).second) return;
  warnings_.push_back({std::move(rule), Severity::Warning, op.pos, "", std::move(text), std::move(hint)});
  warnings_.back().kind = kind;
}

bool Execution::all_known(const CodeOp& op) const {
  for (std::size_t i = 0; i < op.ins; ++i)
    if (!slots_[in(op, i)].known()) return false;
  return true;
}

void Execution::set_out(const CodeOp& op, Value value) {
  if (value.kind == ValueKind::View) return set_view(out(op), views_[value.bits]);
  slots_[out(op)] = value;
}

// Each slot has views of its own: one that a loop carries on must not change when the next is made.
void Execution::set_view(Slot slot, ViewValue view) {
  const auto [it, made] = view_of_slot_.try_emplace(slot, static_cast<std::uint32_t>(views_.size()));
  if (made) views_.push_back(view);
  views_[it->second] = view;
  slots_[slot] = view_value(it->second);
}

void Execution::set_place(std::uint32_t tile, const Environment::Place& place) {
  if (environment_.tiles[tile] == place) return;
  environment_.tiles[tile] = place;
  ++environment_.version;
}

}  // namespace ts
