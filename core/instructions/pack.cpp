// TPACK (A5): dst[r][c] = the low bits of src[r][c].
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

void tpack_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
      const Cell cell{row, col};
      const Pred active = m.plt(left);
      const Reg v = m.vlds(src.ub(), cell.in(src));
      store_close(m, AnyLane{dst.type.dtype}, m.bytes(), v, dst, cell, active);
    }
  }
}

void tpack_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  row_major(check, {"dst", "src"});
  same_valid(check, {"src"});
  may_be_in_place(check, {"src"});
  if (dst.elem_bytes() < src.elem_bytes()) return;
  check.error(check.own("R8"), "dst",
              fmt::format("dst is {}, and elements of src are {} of {} bytes", name(dst.type.dtype),
                          name(src.type.dtype), src.elem_bytes()),
              "4 bytes become 2 or 1, and 2 become 1");
}

constexpr DTypeSet kPacked{DType::I16, DType::U16, DType::F16, DType::BF16, DType::I32, DType::U32, DType::F32},
    kNone{};

const InstructionRow tpack{
    .name = "tpack",
    .summary = "Keeps the low bits of each element in a narrower one.",
    .forms = {{"", {in("src"), out("dst")}, "TPACK(dst, src)"}},
    .typed_by = "src",
    .types = types_of<kPacked, kNone>,
    .absent_hint = "convert with tcvt",
    .draw = Drawing::Lanes,
    .rules = tpack_rules,
    .machines = machines_of<tpack_a5, nullptr>(),
};
const Registered registered(tpack);

}  // namespace
}  // namespace ts
