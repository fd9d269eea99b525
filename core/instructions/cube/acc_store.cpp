// TSTORE from an accumulator: through the fixpipe, which converts each sum on its way to global memory.
#include <fmt/format.h>

#include "core/cube/cube_machine.h"
#include "core/instructions/cube/cube_moves.h"

namespace ts {
namespace {

void store(CubeMachine& m, const Bound& bound) {
  const GlobalRef& dst = bound.global("dst");
  m.l0c_to_gm(
      dst, bound.tile("src"),
      {.to = dst.dtype, .relu = bound.attribute("reluPreMode") != 0, .adding = bound.attribute("atomicType") != 0});
}

void check_conversion(RuleCheck& check) {
  constexpr DTypeSet kOfFloats{DType::F32, DType::F16, DType::BF16};
  const DType from = check.tile("src").type.dtype, to = check.bound().global("dst").dtype;
  const bool fits = from == DType::F32 ? kOfFloats.contains(to) : from == DType::I32 && to == DType::I32;
  if (fits) return;
  check.error("TSTORE-R7", "src", fmt::format("sums of {} do not become {} without a factor", name(from), name(to)),
              "f32 becomes f32, f16 or bf16; i32 stays i32");
}

void check_shape(RuleCheck& check) {
  const TileRef& src = check.tile("src");
  const GlobalRef& view = check.bound().global("dst");
  if (src.type.layout_name() != "nz" || src.type.fractal != 1024)
    check.error(
        "TSTORE-R2", "src",
        fmt::format("src is {} with boxes of {} bytes, needs nz with 1024", src.type.layout_name(), src.type.fractal),
        "sums stand in boxes of 16x16");
  if (view.layout == GlobalLayout::DN)
    return check.error("TSTORE-R2", "dst", "a dn view and an acc tile do not go together",
                       "sums go to nd and nz views");
  if (view.layout == GlobalLayout::NZ) {
    const std::uint32_t width = view.shape[4], of_blocks = BLK / size_bytes(view.dtype);
    if (view.shape[3] != 16 || (width != of_blocks && !(width == 16 && size_bytes(view.dtype) == 4)))
      check.error("TSTORE-R2", "dst",
                  fmt::format("nz view boxes are {}x{}, need 16x{}", view.shape[3], width, of_blocks));
  }
  if (view.rows() < src.valid_rows || view.cols() < src.valid_cols)
    return check.error("TSTORE-R4", "dst",
                       fmt::format("dst {}x{} is smaller than src valid {}x{}", view.rows(), view.cols(),
                                   src.valid_rows, src.valid_cols),
                       "make the view at least as large as the valid region");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  const std::uint64_t end = view.at(src.valid_rows - 1, src.valid_cols - 1) + size_bytes(view.dtype);
  if (end > view.buffer_end || view.address < view.buffer_begin)
    check.error("TSTORE-R5", "dst",
                fmt::format("dst reaches byte {} of a buffer of {}", end - view.buffer_begin,
                            view.buffer_end - view.buffer_begin),
                "check the offsets and strides of the view");
}

}  // namespace

const Machines* tstore_from_acc(const Bound& bound) {
  static const Machines machines = cube_machines<store>();
  return bound.tile("src").type.loc == TileLoc::Acc ? &machines : nullptr;
}

Pipe tstore_pipe(const Bound& bound) { return bound.tile("src").type.loc == TileLoc::Acc ? Pipe::Fix : Pipe::Mte3; }

void tstore_from_acc_rules(RuleCheck& check) {
  check_conversion(check);
  check_shape(check);
}

}  // namespace ts
