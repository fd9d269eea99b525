// TPREFETCH: announces a load. What comes into dst, and in which order, no document promises.
#include <fmt/format.h>

#include "core/instructions/transfer.h"
#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

template <class M>
void leave_unspecified(M& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  m.emu_unspecified(dst.ub(), static_cast<std::uint32_t>(dst.type.size_bytes()),
                    "a prefetch fills it in an order of its own");
}

void tprefetch_rules(RuleCheck& check) {
  const DType to = check.tile("dst").type.dtype, from = check.bound().global("src").dtype;
  if (to != from)
    check.warn(check.own("W1"), "dst", fmt::format("dst is {}, src {}", name(to), name(from)),
               "no document tells what a prefetch between types does; give the tile the view's type");
}

const InstructionRow tprefetch{
    .name = "tprefetch",
    .summary = "Announces a load; what dst holds afterwards is not defined.",
    .forms = {{"", {global_in("src"), out("dst")}, "TPREFETCH(dst, src)"}},
    .typed_by = "dst",
    .types = every_type,
    .pipe = Pipe::Mte2,
    .rules = tprefetch_rules,
    .machines = machines_of<leave_unspecified<A5>, leave_unspecified<A2A3>>(),
};
const Registered registered(tprefetch);

}  // namespace
}  // namespace ts
