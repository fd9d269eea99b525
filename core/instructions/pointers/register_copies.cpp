// The same bits under another type, where loops or branches hand the register on: it then has bytes of its own. And what
// the scalar unit reads of UB inside a region. They stand beside the catalogue.
#include "core/catalogue/beside.h"
#include "core/engine/any_machines.h"

namespace ts {
namespace {

constexpr MicroOp kCast{"same bits", FlowKind::Copy, "%v = %w",
                        "the register holds the same bits as lanes of another type"};
constexpr MicroOp kRead{"read element", FlowKind::Control, "s = *p", "the scalar unit reads one element"};

void copy_register(AnyCore& core, const Bound& bound, DType type) {
  const TileRef &from = bound.tile("src"), &to = bound.tile("dst");
  core.micro(kCast, type, AddressArg{Space::Reg, from.address, 0, from.elem_bytes()},
             AddressArg{Space::Reg, to.address, 0, to.elem_bytes()});
  core.copy(kCast, Space::Reg, to.address, Space::Reg, from.address,
            static_cast<std::uint32_t>(from.type.size_bytes()));
}

void read_element(AnyCore& core, const Bound& bound, DType type) {
  const TileRef& from = bound.tile("src");
  core.micro(kRead, type, AddressArg{from.space(), from.address, 0, from.elem_bytes()});
}

DTypeSet any_lanes(Target target, const Options&) { return target == Target::A5 ? kAllTypes : DTypeSet{}; }

InstructionRow cast_row(const char* name, const char* summary) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in_at("src", TileLoc::Register), out_at("dst", TileLoc::Register)}, ""}},
          .typed_by = "src",
          .types = any_lanes,
          .draw = Drawing::Lanes,
          .micro = true,
          .moves = true,
          .machines = any_machines<copy_register>()};
}

const InstructionRow vector_cast = cast_row("vbitcast", "The same bits as lanes of another type.");
const InstructionRow mask_cast = cast_row("pbitcast", "The same bits for lanes of another width.");
const InstructionRow load = {.name = "load_scalar",
                             .summary = "Reads one element through a pointer.",
                             .forms = {{"", {in("src")}, ""}},
                             .typed_by = "src",
                             .types = any_lanes,
                             .pipe = Pipe::S,
                             .micro = true,
                             .machines = any_machines<read_element>()};
const RegisteredBeside registered_vector(vector_cast), registered_mask(mask_cast), registered_load(load);

}  // namespace
}  // namespace ts
