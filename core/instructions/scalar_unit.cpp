// Single elements that the scalar unit writes. TSETVAL: storage of dst [offset] = value. STORE_SCALAR: *dst = value, in
// global memory. They stand beside the catalogue: they are no instructions on tiles.
#include <fmt/format.h>

#include "core/catalogue/beside.h"
#include "core/catalogue/rules.h"
#include "core/engine/any_core.h"

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

enum class On : std::uint8_t { Run, Trace, Tag };
template <On machine>
void enter_write(StepContext& context, const Bound& bound) {
  constexpr auto kEnter = machine == On::Trace ? trace_any : machine == On::Tag ? tag_any : run_any;
  kEnter(context, bound, bound.dtype(), write_element);
}
template <On machine>
const LoweringTable& write_table() {
  static const LoweringTable made = [] {
    LoweringTable table;
    for (auto& target : table.entry)
      for (Lowering& entry : target) entry = enter_write<machine>;
    return table;
  }();
  return made;
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

DTypeSet any_type(Target, const Options&) { return kAllTypes; }

InstructionRow scalar_row(const char* name, const char* summary, std::vector<OperandSpec> operands,
                          void (*rules)(RuleCheck&)) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", std::move(operands), ""}},
          .typed_by = "dst",
          .types = any_type,
          .pipe = Pipe::S,
          .rules = rules,
          .machines = {write_table<On::Run>, write_table<On::Trace>, write_table<On::Tag>}};
}

const InstructionRow set_element = scalar_row("tsetval", "Writes one element by its place in storage.",
                                              {scalar("offset"), scalar("value"), out("dst")}, set_element_rules);
const InstructionRow store_scalar =
    scalar_row("store_scalar", "Writes one element through a pointer.", {scalar("value"), global_out("dst")}, nullptr);
const RegisteredBeside registered[] = {RegisteredBeside(set_element), RegisteredBeside(store_scalar)};

}  // namespace
}  // namespace ts
