// MTE_L1_L0A, MTE_L1_L0B: matrices from L1 to where the cube core reads them. MAD and its kin: their product.
// MTE_L1_BT: biases; MTE_L1_FB: what the fixpipe multiplies columns by.
#include <fmt/format.h>

#include "core/engine/product.h"
#include "core/instructions/pointers/pointed.h"

namespace ts {

namespace pointed {

bool check_numbers(RuleCheck& check, std::string_view rule, std::initializer_list<const char*> names,
                   std::uint64_t least, std::uint64_t most, const std::string& hint) {
  for (const char* name : names) {
    const std::uint64_t value = check.bound().scalar(name).bits;
    if (value >= least && value <= most) continue;
    check.error(rule, name, fmt::format("{} is {}", name, static_cast<std::int64_t>(value)), hint);
    check.about(FindingKind::Bounds);
    return false;
  }
  return true;
}

void check_sizes(RuleCheck& check, std::initializer_list<const char*> names) {
  check_numbers(check, check.own("R2"), names, 1, kMostSize, fmt::format("1 to {}", kMostSize));
}

}  // namespace pointed

namespace {

using namespace pointed;

constexpr DTypeSet kOperands{DType::I8, DType::F16, DType::BF16, DType::F32, DType::F8E4M3, DType::F8E5M2, DType::HIF8};
DTypeSet operand_types(Target target, const Options&) { return target == Target::A5 ? kOperands : DTypeSet{}; }

// --- loads of operands ------------------------------------------------------------------------------------------------

// A matrix of L1 is packed into runs of 32 bytes along its rows, or, turned over, along its columns.
TileType left_type(std::string_view operand, DType type, const PointerUse& use) {
  const std::uint32_t m = size_of(use, "m"), k = size_of(use, "k");
  if (operand == "dst") return in_columns_of_boxes(TileLoc::Left, type, m, k);
  return use.attribute("transpose") != 0 ? in_rows_of_boxes(TileLoc::Mat, type, m, k)
                                         : in_columns_of_boxes(TileLoc::Mat, type, m, k);
}
TileType right_type(std::string_view operand, DType type, const PointerUse& use) {
  const std::uint32_t k = size_of(use, "k"), n = size_of(use, "n");
  if (operand == "dst") return in_rows_of_boxes(TileLoc::Right, type, k, n);
  return use.attribute("transpose") != 0 ? in_columns_of_boxes(TileLoc::Mat, type, k, n)
                                         : in_rows_of_boxes(TileLoc::Mat, type, k, n);
}

void load_operand(CubeMachine& m, const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  m.l1_to_operand(dst, bound.tile("src"), {.rows = dst.valid_rows, .cols = dst.valid_cols});
}

void left_rules(RuleCheck& check) {
  check_sizes(check, {"m", "k"});
  check.need_same_type(check.own("R3"), "src", "dst");
}
void right_rules(RuleCheck& check) {
  check_sizes(check, {"k", "n"});
  check.need_same_type(check.own("R3"), "src", "dst");
  const Bound& bound = check.bound();
  if (check.tile("dst").elem_bytes() != 1 || bound.attribute("transpose") == 0) return;
  for (const char* name : {"k", "n"})
    if (bound.scalar(name).bits % 32 != 0)
      check.warn(
          check.own("W1"), name,
          fmt::format("{} is {}; elements of 8 bits are turned over in squares of 32", name, bound.scalar(name).bits),
          "what is moved of other sizes is unverified");
}

constexpr AttributeSpec kTranspose{"transpose", "off|on"};

InstructionRow operand_row(const char* name, const char* summary, TileLoc loc, const char* rows, const char* cols,
                           void (*rules)(RuleCheck&), Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in_at("src", TileLoc::Mat), scalar(rows), scalar(cols), out_at("dst", loc)}, ""}},
          .attributes = {kTranspose},
          .typed_by = "dst",
          .types = operand_types,
          .pipe = Pipe::Mte1,
          .draw = Drawing::Transfer,
          .rules = rules,
          .micro = true,
          .moves = true,
          .machines = machines};
}
const InstructionRow left_row = operand_row("mte_l1_l0a", "Copies a left operand from L1 to L0A.", TileLoc::Left, "m",
                                            "k", left_rules, cube_machines<load_operand>());
const InstructionRow right_row = operand_row("mte_l1_l0b", "Copies a right operand from L1 to L0B.", TileLoc::Right,
                                             "k", "n", right_rules, cube_machines<load_operand>());
const RegisteredOnPointers registered_left({&left_row, left_type}), registered_right({&right_row, right_type});

// --- scales of operands -----------------------------------------------------------------------------------------------

std::uint32_t groups(std::uint32_t terms) { return (terms + kTermsPerScale - 1) / kTermsPerScale; }

// In boxes of 32 bytes, sixteen scales of two groups each; columns of boxes after each other, or rows of them.
TileType scales_type(TileLoc loc, bool left, std::uint32_t rows, std::uint32_t cols) {
  return {.loc = loc,
          .dtype = DType::E8M0,
          .rows = rounded_up(rows, left ? 16 : 2),
          .cols = rounded_up(cols, left ? 2 : 16),
          .valid_rows = static_cast<std::int32_t>(rows),
          .valid_cols = static_cast<std::int32_t>(cols),
          .blayout = left ? BoxOrder::ColMajor : BoxOrder::RowMajor,
          .slayout = left ? InnerOrder::RowMajor : InnerOrder::ColMajor,
          .fractal = 32};
}
TileType left_scales_type(std::string_view operand, DType, const PointerUse& use) {
  return scales_type(operand == "dst" ? TileLoc::Scaling : TileLoc::Mat, true, size_of(use, "m"),
                     groups(size_of(use, "k")));
}
TileType right_scales_type(std::string_view operand, DType, const PointerUse& use) {
  return scales_type(operand == "dst" ? TileLoc::Scaling : TileLoc::Mat, false, groups(size_of(use, "k")),
                     size_of(use, "n"));
}
void load_scales(CubeMachine& m, const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  m.l1_to_scales(dst, bound.tile("src"), {.rows = dst.valid_rows, .cols = dst.valid_cols});
}
DTypeSet scale_types(Target target, const Options&) {
  return target == Target::A5 ? DTypeSet{DType::E8M0} : DTypeSet{};
}
InstructionRow scales_row(const char* name, const char* summary, const char* rows, const char* cols,
                          void (*rules)(RuleCheck&), Machines machines) {
  InstructionRow row = operand_row(name, summary, TileLoc::Scaling, rows, cols, rules, machines);
  row.attributes.clear();
  row.types = scale_types;
  return row;
}
constexpr ScalesOf kMovedScales[] = {{"dst", "dst"}};
const InstructionRow left_scales = scales_row(
    "mte_l1_l0a_mx", "Copies the left operand's scales.", "m", "k",
    [](RuleCheck& check) {
      check_sizes(check, {"m", "k"});
    },
    cube_machines<load_scales>());
const InstructionRow right_scales = scales_row(
    "mte_l1_l0b_mx", "Copies the right operand's scales.", "k", "n",
    [](RuleCheck& check) {
      check_sizes(check, {"k", "n"});
    },
    cube_machines<load_scales>());
const RegisteredOnPointers registered_left_scales({&left_scales, left_scales_type, nullptr, {}, kMovedScales}),
    registered_right_scales({&right_scales, right_scales_type, nullptr, {}, kMovedScales});

// --- products ---------------------------------------------------------------------------------------------------------

bool is_one_row(const PointerUse& use) { return use.number("m") == 1 && use.attribute("disable_gemv") == 0; }
DType sum_of(DType operand) { return operand == DType::I8 ? DType::I32 : DType::F32; }

TileType product_type(std::string_view operand, DType type, const PointerUse& use) {
  const std::uint32_t m = size_of(use, "m"), n = size_of(use, "n"), k = size_of(use, "k");
  if (operand == "rhs") return in_rows_of_boxes(TileLoc::Right, type, k, n);
  if (operand == "dst") return in_columns_of_boxes(TileLoc::Acc, type, m, n);
  if (operand == "lhs_scale") return scales_type(TileLoc::Scaling, true, m, groups(k));
  if (operand == "rhs_scale") return scales_type(TileLoc::Scaling, false, groups(k), n);
  if (operand == "bias") return one_row(TileLoc::Bias, type, n);
  // A vector stands in one piece.
  return is_one_row(use) ? one_row(TileLoc::Left, type, k) : in_columns_of_boxes(TileLoc::Left, type, m, k);
}

Product product_of(const Bound& bound) {
  Product product{.left = bound.tile("lhs"), .right = bound.tile("rhs"), .acc = bound.tile("dst")};
  product.m = product.acc.valid_rows;
  product.n = product.acc.valid_cols;
  product.k = product.right.valid_rows;
  if (bound.find("dst")->spec->reads) product.start = product.acc;
  if (bound.has("bias")) product.start = bound.tile("bias");
  product.one_start_row = bound.has("bias");
  if (bound.has("lhs_scale")) {
    product.left_scales = bound.tile("lhs_scale");
    product.right_scales = bound.tile("rhs_scale");
  }
  product.order = static_cast<ProductOrder>(bound.options->product_order);
  return product;
}

void multiply(CubeMachine& m, const Bound& bound) { m.mad(product_of(bound)); }

constexpr DTypeSet kFp8{DType::F8E4M3, DType::F8E5M2};
void product_rules(RuleCheck& check) {
  check_sizes(check, {"m", "n", "k"});
  const DType left = check.tile("lhs").type.dtype, right = check.tile("rhs").type.dtype, sum = sum_of(left);
  if (left != right && !(kFp8.contains(left) && kFp8.contains(right)))
    check.error(check.own("R3"), "rhs", fmt::format("lhs is {}, rhs {}", name(left), name(right)),
                kFp8.contains(left) ? fmt::format("f8 goes with {}", kFp8.list()) : "both have one type");
  for (const char* sums : {"dst", "bias"})
    if (check.bound().has(sums) && check.tile(sums).type.dtype != sum)
      check.error(check.own("R4"), sums,
                  fmt::format("{} is {}, needs {}", sums, name(check.tile(sums).type.dtype), name(sum)),
                  fmt::format("sums of {} are {}", name(left), name(sum)));
}

DTypeSet scaled_types(Target target, const Options&) { return target == Target::A5 ? kFp8 : DTypeSet{}; }

InstructionRow product_row(const char* name, const char* summary, bool adding, bool bias, bool scaled = false) {
  FormRow form{"", {in_at("lhs", TileLoc::Left), in_at("rhs", TileLoc::Right)}, ""};
  if (scaled)
    for (const char* scales : {"lhs_scale", "rhs_scale"}) form.operands.push_back(in_at(scales, TileLoc::Scaling));
  if (bias) form.operands.push_back(in_at("bias", TileLoc::Bias));
  for (const char* size : {"m", "n", "k"}) form.operands.push_back(scalar(size));
  form.operands.push_back(out_at("dst", TileLoc::Acc));
  form.operands.back().reads = adding;
  return {.name = name,
          .summary = summary,
          .forms = {std::move(form)},
          // Infinities and NaN are kept. With `sat`, and of parts of f32, nobody has told enough.
          .attributes = {{"disable_gemv", "off|on"}, {"overflow", "unsaid|nosat"}},
          .typed_by = "lhs",
          .types = scaled ? scaled_types : operand_types,
          .pipe = Pipe::M,
          .draw = Drawing::Product,
          .rules = product_rules,
          .product = product_of,
          .micro = true,
          .machines = cube_machines<multiply>()};
}
const InstructionRow mad = product_row("mad", "dst = lhs x rhs.", false, false),
                     mad_acc = product_row("mad_acc", "dst += lhs x rhs.", true, false),
                     mad_bias = product_row("mad_bias", "dst = lhs x rhs + bias.", false, true);
const InstructionRow mad_mx = product_row("mad_mx", "dst = lhs x rhs, with shared exponents.", false, false, true),
                     mad_mx_acc =
                         product_row("mad_mx_acc", "dst += lhs x rhs, with shared exponents.", true, false, true),
                     mad_mx_bias = product_row("mad_mx_bias", "dst = lhs x rhs + bias, with shared exponents.", false,
                                               true, true);
constexpr ScalesOf kScales[] = {{"lhs_scale", "lhs"}, {"rhs_scale", "rhs"}};
constexpr std::string_view kIdleOfProducts = "unit_flag n_dir";
const RegisteredOnPointers registered_mad({&mad, product_type, nullptr, kIdleOfProducts}),
    registered_acc({&mad_acc, product_type, nullptr, kIdleOfProducts}),
    registered_bias({&mad_bias, product_type, nullptr, kIdleOfProducts}),
    registered_mx({&mad_mx, product_type, nullptr, kIdleOfProducts, kScales}),
    registered_mx_acc({&mad_mx_acc, product_type, nullptr, kIdleOfProducts, kScales}),
    registered_mx_bias({&mad_mx_bias, product_type, nullptr, kIdleOfProducts, kScales});

// --- tables -----------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kBiasUnit = 32, kFactorUnit = 64;  // bytes of the source that a length counts

// `count` rows with gaps between them, from end to start, on both sides.
struct Bursts {
  std::uint32_t count, bytes, from_step, to_step;
};
Bursts bursts_of(const Bound& bound, std::uint32_t unit, std::uint32_t widened) {
  const auto number = [&](const char* name) { return static_cast<std::uint32_t>(bound.scalar(name).bits); };
  const std::uint32_t bytes = number("length") * unit;
  return {number("count"), bytes, bytes + number("src_gap") * unit, (bytes + number("dst_gap") * unit) * widened};
}

TileType table_row(std::string_view operand, DType type, const PointerUse& use, TileLoc loc, std::uint32_t unit) {
  const std::int64_t length = use.number("length") * unit, gap = use.number("src_gap") * unit,
                     count = std::max<std::int64_t>(use.number("count"), 1),
                     bytes = std::clamp<std::int64_t>(length * count + gap * (count - 1), unit, 1 << 16);
  const std::uint32_t elements = static_cast<std::uint32_t>(bytes) / size_bytes(type);
  return one_row(operand == "dst" ? loc : TileLoc::Mat, type, elements);
}
TileType bias_type(std::string_view operand, DType type, const PointerUse& use) {
  return table_row(operand, type, use, TileLoc::Bias, kBiasUnit);
}
TileType factor_type(std::string_view operand, DType type, const PointerUse& use) {
  return table_row(operand, type, use, TileLoc::Scaling, kFactorUnit);
}

void load_biases(CubeMachine& m, const Bound& bound) {
  TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const Bursts bursts = bursts_of(bound, kBiasUnit, dst.elem_bytes() / src.elem_bytes());
  const std::uint32_t elements = bursts.bytes / src.elem_bytes();
  dst.type = one_row(TileLoc::Bias, dst.type.dtype, elements);
  src.type = one_row(TileLoc::Mat, src.type.dtype, elements);
  for (std::uint32_t i = 0; i < bursts.count; ++i) {
    m.l1_to_bias(dst, src);
    dst.address += bursts.to_step, src.address += bursts.from_step;
  }
}
void load_factors(CubeMachine& m, const Bound& bound) {
  TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const Bursts bursts = bursts_of(bound, kFactorUnit, 1);
  dst.type = one_row(TileLoc::Scaling, dst.type.dtype, bursts.bytes / dst.elem_bytes());
  src.type = one_row(TileLoc::Mat, src.type.dtype, bursts.bytes / src.elem_bytes());
  for (std::uint32_t i = 0; i < bursts.count; ++i) {
    m.l1_to_fixpipe(dst, src);
    dst.address += bursts.to_step, src.address += bursts.from_step;
  }
}

void table_rules(RuleCheck& check) {
  constexpr std::uint64_t kMost = 1 << 16;
  const char* hint = "no table is so large";
  if (!check_numbers(check, check.own("R2"), {"length", "count", "src_gap", "dst_gap"}, 0, kMost, hint)) return;
  const std::uint64_t length = check.bound().scalar("length").bits;
  if (length != 0) check_numbers(check, check.own("R2"), {"count"}, 0, kMost / length, hint);
}
void bias_rules(RuleCheck& check) {
  table_rules(check);
  const DType from = check.tile("src").type.dtype, to = check.tile("dst").type.dtype;
  const bool widens = to == DType::F32 && (from == DType::F16 || from == DType::BF16);
  if (!widens && !(from == to && (to == DType::F32 || to == DType::I32)))
    check.error(check.own("R3"), "dst", fmt::format("{} does not become a bias of {}", name(from), name(to)),
                "i32 to i32; f32, f16 and bf16 to f32");
}
void factor_rules(RuleCheck& check) {
  table_rules(check);
  // The bits from 16 on choose the table.
  if (check.tile("dst").address > 0xFFFF)
    check.error("E-EMULATE", "dst",
                fmt::format("not emulated on a5 yet: table {} of the fixpipe", check.tile("dst").address >> 16));
  check.need_same_type(check.own("R3"), "src", "dst");
}

DTypeSet biases(Target target, const Options&) {
  return target == Target::A5 ? DTypeSet{DType::F32, DType::I32, DType::F16, DType::BF16} : DTypeSet{};
}

InstructionRow table_row_of(const char* name, const char* summary, TileLoc loc, Pipe pipe,
                            DTypeSet (*types)(Target, const Options&), void (*rules)(RuleCheck&), bool moves,
                            Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"",
                     {in_at("src", TileLoc::Mat), scalar("length"), scalar("count"), scalar("src_gap"),
                      scalar("dst_gap"), out_at("dst", loc)},
                     ""}},
          .typed_by = "src",
          .types = types,
          .pipe = pipe,
          .draw = Drawing::Transfer,
          .rules = rules,
          .micro = true,
          .moves = moves,
          .machines = machines};
}
const InstructionRow bias_row = table_row_of("mte_l1_bt", "Copies from L1 to the bias table.", TileLoc::Bias,
                                             Pipe::Mte1, biases, bias_rules, false, cube_machines<load_biases>());
const InstructionRow factor_row =
    table_row_of("mte_l1_fb", "Copies from L1 to the quantisation tables.", TileLoc::Scaling, Pipe::Fix, copied_types,
                 factor_rules, true, cube_machines<load_factors>());
const RegisteredOnPointers registered_biases({&bias_row, bias_type}), registered_factors({&factor_row, factor_type});

}  // namespace
}  // namespace ts
