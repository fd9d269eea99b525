// MTE_L0C_GM, MTE_L0C_L1, MTE_L0C_UB: sums through the fixpipe, as rows or as columns of what they go to.
#include <fmt/format.h>

#include "core/instructions/pointers/pointed.h"

namespace ts {
namespace {

using namespace pointed;

enum Layout : std::uint8_t { kUnsaid, kRows, kColumns };
enum Halves : std::uint8_t { kWhole, kByRows, kByColumns };

// Rows of boxes of 16 sums; from one column of boxes to the next as many rows as `src_stride` says.
TileType sums_type(DType type, const PointerUse& use) {
  TileType sums = in_columns_of_boxes(TileLoc::Acc, type, size_of(use, "m"), size_of(use, "n"));
  sums.rows = std::max(sums.rows, rounded_up(size_of(use, "src_stride"), 16));
  return sums;
}
TileType lines_type(TileLoc loc, DType type, const PointerUse& use) {
  std::uint32_t rows = size_of(use, "m"), cols = size_of(use, "n");
  if (loc == TileLoc::Vec && use.attribute("dst_mode") == kByRows) rows /= 2;
  if (loc == TileLoc::Vec && use.attribute("dst_mode") == kByColumns) cols /= 2;
  rows = std::max(rows, 1u), cols = std::max(cols, 1u);
  TileType lines = vec_tile(type, rows, cols, static_cast<std::int32_t>(rows), static_cast<std::int32_t>(cols));
  lines.loc = loc;
  if (use.attribute("layout") == kColumns) lines.blayout = BoxOrder::ColMajor;
  const std::uint32_t length = lines.row_major() ? cols : rows,
                      pitch =
                          static_cast<std::uint32_t>(std::clamp<std::int64_t>(use.number("dst_stride"), 0, 1 << 20));
  if (pitch > length) lines.pitch = pitch;
  return lines;
}
// What factors of columns are: the table has 64 bits for each.
template <TileLoc loc>
TileType result_type(std::string_view operand, DType type, const PointerUse& use) {
  if (operand == "src") return sums_type(type, use);
  if (operand == "payload") return one_row(TileLoc::Scaling, DType::U64, size_of(use, "n"));
  return lines_type(loc, type, use);
}

std::vector<PointedDimension> view_of_rows(const PointerUse& use) {
  const bool columns = use.attribute("layout") == kColumns;
  return {{"m", columns ? "" : "dst_stride"}, {"n", columns ? "dst_stride" : ""}};
}

// A number among the operands, of whatever type it comes in, as one of this type.
LaneScalar number_as(const Bound& bound, const char* name, DType type) {
  const Operand& operand = *bound.find(name);
  const std::uint64_t bits = scalar_of(type, to_double(operand.scalar.dtype, operand.scalar.bits)).bits;
  return {bits, type, static_cast<std::uint32_t>(&operand - bound.operands.data()) + 1};
}
// Factors are 64 bits, the lower ones of which are an f32.
LaneScalar scale_of(const Bound& bound) {
  LaneScalar scale = number_as(bound, "payload", DType::F32);
  scale.dtype = DType::U64;
  return scale;
}

Fixpipe how_of(const Bound& bound, DType to) {
  Fixpipe how{.to = to, .relu = bound.attribute("pre_relu") == 1};
  if (bound.has("slope")) how.slope = number_as(bound, "slope", DType::F32);
  if (bound.has("clip")) how.limit = number_as(bound, "clip", to);
  if (bound.has("payload")) {
    if (bound.find("payload")->spec->kind == OperandKind::Scalar) how.parameter = scale_of(bound);
    else how.of_columns = bound.tile("payload");
  }
  switch (bound.attribute("overflow")) {
    case 1: how.overflow = Overflow::ClampAll; break;
    case 2: how.overflow = Overflow::Wrap; break;
    default: break;
  }
  return how;
}

void to_gm(CubeMachine& m, const Bound& bound) {
  const GlobalRef& dst = bound.global("dst");
  Fixpipe how = how_of(bound, dst.dtype);
  how.adding = bound.attribute("atomic") != 0;
  m.l0c_to_gm(dst, bound.tile("src"), how);
}

void to_l1(CubeMachine& m, const Bound& bound) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  m.l0c_to_tile(dst, src, {.rows = src.valid_rows, .cols = src.valid_cols}, how_of(bound, dst.type.dtype));
}

// To one of the vector cores, or half of the rows or columns to each.
void to_ub(CubeMachine& m, const Bound& bound) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  const Fixpipe how = how_of(bound, dst.type.dtype);
  Window window{.rows = src.valid_rows, .cols = src.valid_cols};
  const std::uint8_t halves = bound.attribute("dst_mode");
  if (halves == kWhole) {
    const bool second = bound.has("mode") && bound.scalar("mode").bits == 1;
    return m.l0c_to_tile(dst, src, window, how, second ? kSecondUb : Space::Ub);
  }
  const bool by_rows = halves == kByRows;
  (by_rows ? window.rows : window.cols) /= 2;
  m.l0c_to_tile(dst, src, window, how, Space::Ub);
  if (by_rows) window.from_row = window.rows, window.rows = src.valid_rows - window.rows;
  else window.from_col = window.cols, window.cols = src.valid_cols - window.cols;
  m.l0c_to_tile(dst, src, window, how, kSecondUb);
}

// --- rules ------------------------------------------------------------------------------------------------------------

bool goes_to_ub(const Bound& bound) {
  const OperandSpec& dst = *bound.find("dst")->spec;
  return dst.kind == OperandKind::Tile && dst.loc == TileLoc::Vec;
}
DType result_of(const Bound& bound) {
  const Operand& dst = *bound.find("dst");
  return dst.spec->kind == OperandKind::Global ? dst.global.dtype : dst.tile.type.dtype;
}

void rules(RuleCheck& check) {
  check_sizes(check, {"m", "n"});
  const Bound& bound = check.bound();
  const std::uint64_t pitch = bound.scalar("src_stride").bits, m = bound.scalar("m").bits;
  if (pitch < m || pitch > kMostSize || pitch % 16 != 0) {
    check.error(check.own("R4"), "src_stride",
                fmt::format("src_stride is {}, m {}", static_cast<std::int64_t>(pitch), m),
                fmt::format("mad leaves columns of 16 sums {} rows apart", (m + 15) / 16 * 16));
    return check.about(FindingKind::Bounds);
  }
  const bool columns = bound.attribute("layout") == kColumns;
  const std::uint64_t apart = bound.scalar("dst_stride").bits;
  std::uint64_t length = bound.scalar(columns ? "m" : "n").bits;
  if (goes_to_ub(bound) && bound.attribute("dst_mode") == (columns ? kByRows : kByColumns)) length = (length + 1) / 2;
  if (apart < length || apart > 1 << 20) {
    check.error(check.own("R5"), "dst_stride",
                fmt::format("{} of {} elements are {} apart", columns ? "columns" : "rows", length,
                            static_cast<std::int64_t>(apart)),
                "dst_stride counts elements of the result");
    check.about(FindingKind::Bounds);
  }
  const DType from = check.tile("src").type.dtype, to = result_of(bound);
  const bool scaled = bound.has("payload");
  const bool fits = from == to || (from == DType::F32 && (to == DType::F16 || to == DType::BF16));
  if (!fits || (scaled && to != DType::F16))
    check.error(check.own("R3"), "dst",
                fmt::format("{} do not become {}{}", name(from), name(to), scaled ? ", scaled" : ""),
                scaled ? "scales of qf322f16 go with f16" : "f32 to f32, f16, bf16; i32 to i32");
  if (bound.has("mode") && bound.scalar("mode").bits > 1)
    check.error(
        check.own("R6"), "mode",
        fmt::format("there is no vector core {} in a block", static_cast<std::int64_t>(bound.scalar("mode").bits)),
        "0 or 1");
}

// --- rows of the table ------------------------------------------------------------------------------------------------

DTypeSet sums(Target target, const Options&) {
  return target == Target::A5 ? DTypeSet{DType::F32, DType::I32} : DTypeSet{};
}

// Each with and without a factor, or factors of columns; a slope; a limit; to UB also with the number of a vector core.
std::vector<FormRow> forms_of(const OperandSpec& dst, bool to_vector_cores) {
  std::vector<FormRow> forms;
  for (const int payload : {0, 1, 2})
    for (const bool slope : {false, true})
      for (const bool clip : {false, true})
        for (const bool core : {false, true}) {
          if (core && !to_vector_cores) continue;
          FormRow form{"", {in_at("src", TileLoc::Acc)}, ""};
          for (const char* number : {"m", "n", "src_stride", "dst_stride"}) form.operands.push_back(scalar(number));
          if (payload == 1) form.operands.push_back(scalar("payload"));
          if (payload == 2) form.operands.push_back(in_at("payload", TileLoc::Scaling));
          if (slope) form.operands.push_back(scalar("slope"));
          if (clip) form.operands.push_back(scalar("clip"));
          if (core) form.operands.push_back(scalar("mode"));
          form.operands.push_back(dst);
          forms.push_back(std::move(form));
        }
  return forms;
}

InstructionRow row_of(const char* name, const char* summary, const OperandSpec& dst, std::vector<AttributeSpec> more,
                      Machines machines) {
  const bool to_vector_cores = dst.kind == OperandKind::Tile && dst.loc == TileLoc::Vec;
  more.insert(more.end(), {{"layout", "unsaid|nz2nd|nz2dn"},
                           {"pre_quant", "none|qf322f16_pre_scalar|qf322f16_pre_vec"},
                           {"pre_relu", "no_relu|normal_relu|scalar_relu"},
                           {"overflow", "unsaid|sat|nosat"}});
  return {.name = name,
          .summary = summary,
          .forms = forms_of(dst, to_vector_cores),
          .attributes = std::move(more),
          .typed_by = "src",
          .types = sums,
          .pipe = Pipe::Fix,
          .draw = Drawing::Transfer,
          .rules = rules,
          .micro = true,
          .machines = machines};
}

// Nobody has told what other strides, counts (of loop3) and layouts do.
bool waits(const PointerUse& use) {
  return use.attribute("layout") == kUnsaid || use.number("count") > 1 || use.number("stride") > 1;
}

const InstructionRow gm_row = row_of("mte_l0c_gm", "Copies results from L0C to global memory, converting on the way.",
                                     global_out("dst"), {{"atomic", "none|add"}}, cube_machines<to_gm>());
const InstructionRow l1_row = row_of("mte_l0c_l1", "Copies results from L0C to L1, converting on the way.",
                                     out_at("dst", TileLoc::Mat), {}, cube_machines<to_l1>());
const InstructionRow ub_row = row_of("mte_l0c_ub", "Copies results from L0C to UB, converting on the way.", out("dst"),
                                     {{"dst_mode", "one|split_m|split_n"}}, cube_machines<to_ub>());
constexpr std::string_view kIdle = "unit_flag loop3";
const RegisteredOnPointers registered_gm({&gm_row, result_type<TileLoc::Vec>, view_of_rows, kIdle, {}, waits}),
    registered_l1({&l1_row, result_type<TileLoc::Mat>, nullptr, kIdle, {}, waits}),
    registered_ub({&ub_row, result_type<TileLoc::Vec>, nullptr, kIdle, {}, waits});

}  // namespace
}  // namespace ts
