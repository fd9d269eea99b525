// Single elements that the scalar unit writes. TSETVAL: storage of dst [offset] = value. STORE_SCALAR: *dst = value, in
// global memory. COMM.TNOTIFY: the same to all cells of a signal, or adds to them. They stand beside the catalogue: they are no instructions on tiles.
#include <fmt/format.h>

#include "core/catalogue/beside.h"
#include "core/catalogue/rules.h"
#include "core/engine/any_machines.h"
#include "core/instructions/transfer.h"

namespace ts {
namespace {

constexpr MicroOp kStore{"scalar store", FlowKind::Fill, "*d = s", "the scalar pipe writes one element"};

void write_element(AnyCore& core, const Bound& bound, DType type) {
  const Operand& value = *bound.find("value");
  const auto origin = static_cast<std::uint32_t>(&value - bound.operands.data()) + 1;
  const bool tile = bound.has("offset");
  const Space space = tile ? bound.tile("dst").space() : Space::Gm;
  const std::uint32_t size = size_bytes(type), base = tile ? bound.tile("dst").address : bound.global("dst").address,
                      offset = tile ? static_cast<std::uint32_t>(bound.scalar("offset").bits) * size : 0;
  const LaneScalar scalar{value.scalar.bits, type, origin};
  core.micro(kStore, type, AddressArg{space, base, offset, size}, scalar);
  core.store_scalar(kStore, space, std::uint64_t{base} + offset, size, scalar);
}

constexpr MicroOp kAdd{"atomic add", FlowKind::LaneWise, "*d += s", "global memory adds to one element"};

// Every cell of the view becomes the value, or more by it.
void write_signal(AnyCore& core, const Bound& bound, DType type) {
  const Operand& value = *bound.find("value");
  const GlobalRef& cells = bound.global("signal");
  const std::uint32_t size = size_bytes(type);
  const LaneScalar scalar{value.scalar.bits, type, 1};
  const bool adds = bound.attribute("notifyOp") != 0;
  for (std::uint32_t row = 0; row < cells.rows(); ++row)
    for (std::uint32_t col = 0; col < cells.cols(); ++col) {
      const auto at = static_cast<std::uint32_t>(cells.at(row, col));
      const MicroOp& op = adds ? kAdd : kStore;
      core.micro(op, type, AddressArg{Space::Gm, cells.address, at - cells.address, size}, scalar);
      if (!adds) {
        core.store_scalar(op, Space::Gm, at, size, scalar);
        continue;
      }
      const auto on = core.predicate(first_lanes_of(size, 1));
      const auto before = core.load<LoadKind::Some>(type, op, Space::Gm, at, size, size, size);
      core.store_span(op, Space::Gm, at,
                      core.lanewise(LaneOp::Add, type, on, before, core.scalar_lanes(type, scalar, on)), size);
    }
}

void set_element_rules(RuleCheck& check) {
  const TileRef& dst = check.tile("dst");
  const auto offset = static_cast<std::int64_t>(check.bound().scalar("offset").bits);
  const auto elements = static_cast<std::int64_t>(dst.type.size_bytes() / dst.elem_bytes());
  if (offset >= 0 && offset < elements) return;
  check.error("V60-34", "dst", fmt::format("offset {} outside the {}x{} tile", offset, dst.rows(), dst.cols()),
              fmt::format("the offset is row * {} + column, at most {}", dst.cols(), elements - 1));
  check.about(FindingKind::Bounds);
}

void signal_rules(RuleCheck& check) {
  const GlobalRef& cells = check.bound().global("signal");
  if (cells.dtype != DType::I32)
    return check.error("COMM-R1", "signal", fmt::format("signals are cells of i32; these are {}", name(cells.dtype)),
                       "a view of !pto.ptr<i32>");
  if (std::uint64_t{cells.rows()} * cells.cols() > kMostSignalCells)
    return check.error("COMM-R1", "signal", fmt::format("a signal of more than {} cells", kMostSignalCells),
                       "give each cell by itself");
  check_inside_buffer(check, "signal", {cells.rows(), cells.cols()}, "V60-30");
}

DTypeSet any_type(Target, const Options&) { return kAllTypes; }

InstructionRow scalar_row(const char* name, const char* summary, std::vector<OperandSpec> operands,
                          void (*rules)(RuleCheck&), const char* typed_by = "dst",
                          Machines machines = any_machines<write_element>()) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", std::move(operands), ""}},
          .typed_by = typed_by,
          .types = any_type,
          .pipe = Pipe::S,
          .rules = rules,
          .machines = machines};
}
InstructionRow signal_row() {
  InstructionRow row =
      scalar_row("comm.tnotify", "Sets a signal, or adds to it.", {scalar("value"), global_out("signal")}, signal_rules,
                 "signal", any_machines<write_signal>());
  row.attributes = {{"notifyOp", "set|atomic_add"}};
  return row;
}

const InstructionRow set_element = scalar_row("tsetval", "Writes one element by its place in storage.",
                                              {scalar("offset"), scalar("value"), out("dst")}, set_element_rules);
const InstructionRow store_scalar =
    scalar_row("store_scalar", "Writes one element through a pointer.", {scalar("value"), global_out("dst")}, nullptr);
// The same in UB, by a pointer: its element is a tile of its own.
InstructionRow local_row() {
  InstructionRow row = scalar_row("store_scalar", "Writes one element of UB through a pointer.",
                                  {scalar("offset"), scalar("value"), out("dst")}, nullptr);
  row.micro = true;
  return row;
}
const InstructionRow store_local = local_row();
const InstructionRow notify = signal_row();
const RegisteredBeside registered[] = {RegisteredBeside(set_element), RegisteredBeside(store_scalar),
                                       RegisteredBeside(store_local, "store_scalar.ub"), RegisteredBeside(notify)};

}  // namespace
}  // namespace ts
