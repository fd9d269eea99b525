// Matrix products. TMATMUL: dst[i][j] = sum over k of lhs[i][k] * rhs[k][j]. TMATMUL.ACC adds that to an accumulator, and
// TMATMUL.BIAS to a row of biases. TGEMV and its kin: the same of one row. Their MX kin: the operands of a term are first
// multiplied by the scales of the 32 terms that it is one of; and where a tile of scales belongs.
#include <fmt/format.h>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/rules.h"
#include "core/cube/cube_machine.h"

namespace ts {
namespace {

constexpr std::uint32_t kMost = 4095;

bool of_one_row(const Bound& bound) { return std::string_view(bound.row->name).starts_with("tgemv"); }
bool with_scales(const Bound& bound) { return bound.has("lhs_scale"); }
// What the sums begin with: an accumulator or biases, or nothing.
const char* start_of(const Bound& bound) { return bound.has("acc") ? "acc" : bound.has("bias") ? "bias" : nullptr; }

Product product_of(const Bound& bound) {
  const TileRef &left = bound.tile("lhs"), &right = bound.tile("rhs");
  Product product{.left = left, .right = right, .acc = bound.tile("dst")};
  const bool one_row = of_one_row(bound);
  product.m = one_row ? 1 : left.valid_rows;
  product.k = one_row && !with_scales(bound) ? right.valid_rows : left.valid_cols;
  if (with_scales(bound)) {
    product.left_scales = bound.tile("lhs_scale");
    product.right_scales = bound.tile("rhs_scale");
  }
  product.n = right.valid_cols;
  if (const char* start = start_of(bound)) product.start = bound.tile(start);
  product.one_start_row = bound.has("bias");
  product.order = static_cast<ProductOrder>(bound.options->product_order);
  return product;
}

void matmul(CubeMachine& m, const Bound& bound) { m.mad(product_of(bound)); }

// --- rules

constexpr DTypeSet kLeftA2A3{DType::I8, DType::F16, DType::BF16, DType::F32};
constexpr DTypeSet kLeftA5 = kLeftA2A3 | DTypeSet{DType::F8E4M3, DType::F8E5M2, DType::HIF8};
DTypeSet left_types(Target target, const Options&) { return target == Target::A5 ? kLeftA5 : kLeftA2A3; }

constexpr DTypeSet kFp8{DType::F8E4M3, DType::F8E5M2};
DTypeSet scaled_types(Target target, const Options&) { return target == Target::A5 ? kFp8 | kFloats4 : DTypeSet{}; }

bool go_together(DType left, DType right) {
  return left == right || (kFp8.contains(left) && kFp8.contains(right)) ||
         (kFloats4.contains(left) && kFloats4.contains(right));
}

void check_types(RuleCheck& check) {
  const DType left = check.tile("lhs").type.dtype, right = check.tile("rhs").type.dtype,
              sum = left == DType::I8 ? DType::I32 : DType::F32;
  if (!go_together(left, right))
    check.error(check.own("R2"), "rhs", fmt::format("lhs is {}, rhs {}", name(left), name(right)),
                kFp8.contains(left)       ? fmt::format("f8 goes with {}", kFp8.list())
                : kFloats4.contains(left) ? fmt::format("4 bits go with {}", kFloats4.list())
                                          : "both have one type");
  for (const char* tile : {"dst", "acc", "bias"})
    if (check.bound().has(tile) && check.tile(tile).type.dtype != sum)
      check.error(check.own("R3"), tile,
                  fmt::format("{} is {}, needs {}", tile, name(check.tile(tile).type.dtype), name(sum)),
                  fmt::format("sums of {} are {}", name(left), name(sum)));
}

// What the unit reads of an operand is laid out as it takes it.
void check_layouts(RuleCheck& check) {
  const bool a5 = check.target() == Target::A5;
  const auto need = [&](const char* tile, std::string_view layout, std::uint32_t fractal) {
    if (!check.bound().has(tile)) return;
    const TileType& type = check.tile(tile).type;
    if (type.layout_name() == layout && type.fractal == fractal) return;
    check.error(check.own("R4"), tile,
                fmt::format("{} is {} with boxes of {} bytes, needs {} with {}", tile, type.layout_name(), type.fractal,
                            layout, fractal),
                "the cube core reads its operands in boxes of its own");
  };
  need("lhs", a5 ? "nz" : "zz", 512);
  need("rhs", "zn", 512);
  need("dst", "nz", 1024);
  need("acc", "nz", 1024);
  if (!check.bound().has("bias")) return;
  const TileRef& bias = check.tile("bias");
  if (bias.rows() != 1 || (a5 && !bias.type.row_major()))
    check.error(check.own("R6"), "bias",
                fmt::format("bias is {}x{} {}", bias.rows(), bias.cols(), bias.type.layout_name()),
                "biases are one row, row_major");
  const std::uint32_t sums = check.tile("rhs").valid_cols;
  if (bias.cols() < sums)
    check.error(check.own("R6"), "bias", fmt::format("bias has {} columns, rhs {}", bias.cols(), sums),
                "a bias for each column");
}

void check_shapes(RuleCheck& check) {
  const Product product = product_of(check.bound());
  const bool one_row = of_one_row(check.bound()), terms_of_right = one_row && !with_scales(check.bound());
  const std::pair<const char*, std::uint32_t> sizes[] = {{"m", product.m}, {"k", product.k}, {"n", product.n}};
  for (const auto& [what, size] : sizes)
    if (size > kMost)
      check.error(check.own("R5"), *what == 'n' ? "rhs" : "lhs", fmt::format("{} is {}, at most {}", what, size, kMost),
                  "make several products of it");
  const TileRef &left = check.tile("lhs"), &right = check.tile("rhs");
  if (one_row && left.valid_rows != 1)
    check.error(check.own("R9"), "lhs", fmt::format("lhs has {} valid rows", left.valid_rows),
                "a row vector has one; use tmatmul");
  if (left.valid_cols != right.valid_rows)
    check.warn(
        check.own("W1"), "rhs",
        fmt::format("lhs has {} columns, rhs {} rows; {} are summed", left.valid_cols, right.valid_rows, product.k),
        "a tail of k that one side lacks is the usual reason");
  for (const char* tile : {"dst", "acc"})
    if (check.bound().has(tile) && (product.m > check.tile(tile).rows() || product.n > check.tile(tile).cols()))
      check.error(check.own("R7"), tile,
                  fmt::format("{}x{} sums do not fit {} {}x{}", product.m, product.n, tile, check.tile(tile).rows(),
                              check.tile(tile).cols()),
                  fmt::format("declare {} as large as the product", tile));
  if (!terms_of_right && product.k > right.rows())
    check.error(check.own("R8"), "rhs",
                fmt::format("{} terms are read of rhs {}x{}", product.k, right.rows(), right.cols()),
                "make rhs as many rows as lhs has columns");
  if (terms_of_right && product.k > left.cols())
    check.error(check.own("R8"), "lhs",
                fmt::format("{} terms are read of lhs {}x{}", product.k, left.rows(), left.cols()),
                "make lhs as many columns as rhs has rows");
}

// The hardware adds to what stands in dst, whatever accumulator is named.
void check_accumulator(RuleCheck& check) {
  if (!check.bound().has("acc")) return;
  const TileRef &acc = check.tile("acc"), &dst = check.tile("dst");
  if (acc.address != dst.address)
    check.warn(check.own("W2"), "acc",
               fmt::format("acc is at 0x{:x}, dst at 0x{:x}: the hardware adds to what stands in dst", acc.address,
                           dst.address),
               "the documents' acc + lhs * rhs is computed here; use one tile for both");
}

// The place of an operand's scales, in a memory of their own.
std::uint32_t scale_address(const TileRef& operand) { return operand.address / 16; }

void check_scales(RuleCheck& check, const char* scales, const char* operand, Extent needed) {
  const TileRef &tile = check.tile(scales), &of = check.tile(operand);
  const bool left = of.type.loc == TileLoc::Left;
  const Space space = left ? Space::L0aScales : Space::L0bScales;
  const char* layout = left ? "zz" : "nn";
  if (tile.type.dtype != DType::E8M0)
    check.error(check.own("R10"), scales, fmt::format("{} is {}", scales, name(tile.type.dtype)),
                fmt::format("scales are exponents of 8 bits: {}", name(DType::E8M0)));
  if (tile.space() != space || tile.type.layout_name() != layout)
    return check.error(check.own("R10"), scales,
                       fmt::format("{} is {} with boxes of {} bytes, needs {} with 32", scales, tile.type.layout_name(),
                                   tile.type.fractal, layout),
                       "scales of left operands are zz, those of right ones nn");
  if (tile.rows() < needed.rows || tile.cols() < needed.cols)
    check.error(check.own("R11"), scales,
                fmt::format("{} is {}x{}, needs {}x{}", scales, tile.rows(), tile.cols(), needed.rows, needed.cols),
                fmt::format("a scale for each {} terms of a {}", kTermsPerScale, left ? "row" : "column"));
  if (tile.address != scale_address(of))
    check.warn(check.own("W3"), scales,
               fmt::format("{} is at 0x{:x}; the scales of {} at 0x{:x} belong at 0x{:x}", scales, tile.address,
                           operand, of.address, scale_address(of)),
               "the hardware reads them there, and those that are named here: pto.tget_scale_addr places them");
}

void check_both_scales(RuleCheck& check) {
  if (!with_scales(check.bound())) return;
  const Product product = product_of(check.bound());
  const std::uint32_t groups = (product.k + kTermsPerScale - 1) / kTermsPerScale;
  check_scales(check, "lhs_scale", "lhs", {product.m, groups});
  check_scales(check, "rhs_scale", "rhs", {groups, product.n});
  if (check.tile("lhs").cols() % 64 != 0)
    check.error(check.own("R12"), "lhs", fmt::format("lhs has {} columns, no multiple of 64", check.tile("lhs").cols()),
                "declare it wider; its valid columns are what is multiplied");
}

void matmul_rules(RuleCheck& check) {
  check_types(check);
  check_layouts(check);
  check_shapes(check);
  check_accumulator(check);
  check_both_scales(check);
}

void tget_scale_addr_rules(RuleCheck& check) {
  const TileType &dst = check.tile("scale").type, &src = check.tile("src").type;
  if (src.loc != TileLoc::Left && src.loc != TileLoc::Right)
    return check.error(check.own("R2"), "src", fmt::format("src is in {}", name(src.loc)),
                       "operands in left and right have scales");
  const Space space = src.loc == TileLoc::Left ? Space::L0aScales : Space::L0bScales;
  if (dst.space() != space)
    check.error(check.own("R3"), "scale",
                fmt::format("scale is {} with boxes of {} bytes, needs {} with 32", dst.layout_name(), dst.fractal,
                            src.loc == TileLoc::Left ? "zz" : "nn"),
                "scales of left operands are zz, those of right ones nn");
}
std::uint32_t address_of_scales(const Bound& bound) { return scale_address(bound.tile("src")); }
void nothing(CubeMachine&, const Bound&) {}

DTypeSet exponents(Target target, const Options&) { return target == Target::A5 ? DTypeSet{DType::E8M0} : DTypeSet{}; }

InstructionRow row(const char* name, const char* summary, std::vector<OperandSpec> operands, const char* cpp) {
  return {
      .name = name,
      .summary = summary,
      .forms = {{"", std::move(operands), cpp}},
      .attributes = {{"accPhase", "unspecified|partial|final"}},
      .typed_by = "lhs",
      .types = left_types,
      .pipe = Pipe::M,
      .draw = Drawing::Product,
      .rules = matmul_rules,
      .product = product_of,
      .machines = cube_machines<matmul>(),
  };
}

InstructionRow scaled(const char* name, const char* summary, std::vector<OperandSpec> operands, const char* cpp) {
  InstructionRow made = row(name, summary, std::move(operands), cpp);
  made.types = scaled_types;
  made.absent_hint = "multiply in a type that the target has, and scale the sums";
  return made;
}

constexpr OperandSpec kLeft = in_at("lhs", TileLoc::Left), kRight = in_at("rhs", TileLoc::Right),
                      kAcc = in_at("acc", TileLoc::Acc), kBias = in_at("bias", TileLoc::Bias),
                      kLeftScale = in_at("lhs_scale", TileLoc::Scaling),
                      kRightScale = in_at("rhs_scale", TileLoc::Scaling), kDst = out_at("dst", TileLoc::Acc);

const InstructionRow tmatmul =
                         row("tmatmul", "Multiplies two matrices.", {kLeft, kRight, kDst}, "TMATMUL(dst, lhs, rhs)"),
                     tmatmul_acc = row("tmatmul.acc", "Multiplies two matrices and adds the product to an accumulator.",
                                       {kAcc, kLeft, kRight, kDst}, "TMATMUL_ACC(dst, acc, lhs, rhs)"),
                     tmatmul_bias = row("tmatmul.bias", "Multiplies two matrices and adds a row of biases.",
                                        {kLeft, kRight, kBias, kDst}, "TMATMUL_BIAS(dst, lhs, rhs, bias)"),
                     tgemv =
                         row("tgemv", "Multiplies a row by a matrix.", {kLeft, kRight, kDst}, "TGEMV(dst, lhs, rhs)"),
                     tgemv_acc =
                         row("tgemv.acc", "Multiplies a row by a matrix and adds the product to an accumulator.",
                             {kAcc, kLeft, kRight, kDst}, "TGEMV_ACC(dst, acc, lhs, rhs)"),
                     tgemv_bias = row("tgemv.bias", "Multiplies a row by a matrix and adds a row of biases.",
                                      {kLeft, kRight, kBias, kDst}, "TGEMV_BIAS(dst, lhs, rhs, bias)");
const InstructionRow
    tmatmul_mx =
        scaled("tmatmul.mx", "Multiplies two matrices of elements with shared exponents.",
               {kLeft, kLeftScale, kRight, kRightScale, kDst}, "TMATMUL_MX(dst, lhs, lhsScale, rhs, rhsScale)"),
    tmatmul_mx_acc = scaled(
        "tmatmul.mx.acc",
        "Multiplies two matrices of elements with shared exponents and adds the product to an accumulator.",
        {kAcc, kLeft, kLeftScale, kRight, kRightScale, kDst}, "TMATMUL_MX(dst, acc, lhs, lhsScale, rhs, rhsScale)"),
    tmatmul_mx_bias = scaled(
        "tmatmul.mx.bias", "Multiplies two matrices of elements with shared exponents and adds a row of biases.",
        {kLeft, kLeftScale, kRight, kRightScale, kBias, kDst}, "TMATMUL_MX(dst, lhs, lhsScale, rhs, rhsScale, bias)"),
    tgemv_mx = scaled("tgemv.mx", "Multiplies a row by a matrix, both of elements with shared exponents.",
                      {kLeft, kLeftScale, kRight, kRightScale, kDst}, "TGEMV_MX(dst, lhs, lhsScale, rhs, rhsScale)"),
    tgemv_mx_acc = scaled(
        "tgemv.mx.acc",
        "Multiplies a row by a matrix, both of elements with shared exponents, and adds the product to an accumulator.",
        {kAcc, kLeft, kLeftScale, kRight, kRightScale, kDst}, "TGEMV_MX(dst, acc, lhs, lhsScale, rhs, rhsScale)"),
    tgemv_mx_bias = scaled(
        "tgemv.mx.bias",
        "Multiplies a row by a matrix, both of elements with shared exponents, and adds a row of biases.",
        {kLeft, kLeftScale, kRight, kRightScale, kBias, kDst}, "TGEMV_MX(dst, lhs, lhsScale, rhs, rhsScale, bias)");
const InstructionRow tget_scale_addr{
    .name = "tget_scale_addr",
    .summary = "Places a tile of scales where those of an operand belong. No byte moves.",
    .forms = {{"", {any_in("src"), out_at("scale", TileLoc::Scaling)}, "TGET_SCALE_ADDR(scale, src)"}},
    .typed_by = "scale",
    .types = exponents,
    .absent_hint = "products of shared exponents need a5",
    .pipe = Pipe::None,
    .effect = Effect::BindsAddress,
    .address_of = address_of_scales,
    .rules = tget_scale_addr_rules,
    .machines = cube_machines<nothing>(),
};
const Registered registered[] = {Registered(tmatmul),        Registered(tmatmul_acc),    Registered(tmatmul_bias),
                                 Registered(tgemv),          Registered(tgemv_acc),      Registered(tgemv_bias),
                                 Registered(tmatmul_mx),     Registered(tmatmul_mx_acc), Registered(tmatmul_mx_bias),
                                 Registered(tgemv_mx),       Registered(tgemv_mx_acc),   Registered(tgemv_mx_bias),
                                 Registered(tget_scale_addr)};

}  // namespace
}  // namespace ts
