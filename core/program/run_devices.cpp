// Signals of other devices: cells of global memory that somebody sets, and others wait for.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/beside.h"
#include "core/program/run_code.h"

namespace ts {
namespace {

constexpr std::uint32_t kCellBytes = 4;

enum class Compare : std::uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

bool compare(Compare cmp, std::int64_t a, std::int64_t b) {
  switch (cmp) {
    case Compare::Equal: return a == b;
    case Compare::NotEqual: return a != b;
    case Compare::Less: return a < b;
    case Compare::LessEqual: return a <= b;
    case Compare::Greater: return a > b;
    case Compare::GreaterEqual: break;
  }
  return a >= b;
}

// So many that nobody waits for them all; sizes of a view may be anything.
std::int64_t count_cells(const ViewValue& view) {
  std::int64_t count = 1;
  for (const std::int64_t size : view.shape)
    if (__builtin_mul_overflow(count, size, &count)) return kMostSignalCells + 1;
  return count;
}

// The byte behind the last cell, from the buffer's start.
std::int64_t end_of_cells(const ViewValue& view) {
  constexpr std::int64_t kBeyond = std::int64_t{1} << 50;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    std::int64_t part = 0;
    if (__builtin_mul_overflow(view.shape[i] - 1, view.stride[i], &part)) part = kBeyond;
    last = std::min(last + std::min(part, kBeyond), kBeyond);
  }
  return view.offset + (last + 1) * kCellBytes;
}

// Calls f(bytes from the buffer's start) for each cell, until one says no.
template <class F>
bool all_cells(const ViewValue& view, F f) {
  std::array<std::int64_t, 5> at{};
  for (;;) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * view.stride[i];
    if (!f(view.offset + offset * kCellBytes)) return false;
    std::size_t dim = at.size();
    while (dim > 0 && ++at[dim - 1] == view.shape[dim - 1]) at[--dim] = 0;
    if (dim == 0) return true;
  }
}

}  // namespace

std::optional<bool> signal_holds(WalkState& state, SourcePos pos, const Value& cells, std::uint8_t cmp,
                                 const Value& number) {
  if (cells.kind != ValueKind::View) return {};
  const ViewValue& view = state.views[cells.bits];
  if (view.buffer >= state.program.buffers.size()) return {};
  if (state.checking && std::ranges::find(state.cleared, view.buffer) == state.cleared.end())
    state.cleared.push_back(view.buffer);
  if (state.memory == nullptr || !number.known()) return {};
  const BufferDecl& buffer = state.program.buffers[view.buffer];
  const auto wanted = static_cast<std::int32_t>(number.bits);
  const std::int64_t count = count_cells(view);
  if (count == 0) return true;
  if (count > kMostSignalCells) {
    state.fail(pos, "COMM-R1", fmt::format("a signal of more than {} cells", kMostSignalCells),
               "wait for one cell each");
    return {};
  }
  if (const std::int64_t end = end_of_cells(view); view.offset < 0 || end > buffer.size()) {
    state.fail_about(FindingKind::Bounds, pos, "V60-30",
                     fmt::format("the signal reaches byte {} of %{}, which has {}", view.offset < 0 ? view.offset : end,
                                 buffer.name, buffer.size()),
                     fmt::format("give the buffer more room with --size {}=BYTES", buffer.name));
    return {};
  }
  return all_cells(view, [&](std::int64_t offset) {
    const std::uint64_t bits =
        state.memory->element(Space::Gm, static_cast<std::uint32_t>(buffer.address + offset), kCellBytes);
    return compare(static_cast<Compare>(cmp), static_cast<std::int32_t>(bits), wanted);
  });
}

bool test_signal(WalkState& state, const CodeOp& op) {
  const auto holds = signal_holds(state, op.pos, state.value_in(op, 0), op.type, state.value_in(op, 1));
  state.set_out(op, holds ? scalar_value(*holds ? 1 : 0) : Value{});
  if (!holds) state.exact = false;
  return state.stop == WalkStop::None;
}

}  // namespace ts
