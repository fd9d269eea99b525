// Ways, windows and the conversions of the fixpipe.
#include "core/instructions/cube/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ts {
namespace {

bool has(const Path& path, Target target) { return target == Target::A5 || path.a2a3; }

LaneScalar lanes_of(const Bound& bound, const char* name) {
  const Operand* operand = bound.find(name);
  const auto origin = static_cast<std::uint32_t>(operand - bound.operands.data()) + 1;
  return {operand->scalar.bits, operand->scalar.dtype, origin};
}

}  // namespace

const Path* path_of(std::span<const Path> paths, const Bound& bound) {
  const TileLoc from = bound.tile("src").type.loc, to = bound.tile("dst").type.loc;
  const bool scales = to == TileLoc::Scaling && bound.tile("dst").type.in_scale_boxes();
  const auto found = std::ranges::find_if(paths, [&](const Path& path) {
    return path.from == from && path.to == to && path.scales == scales && has(path, bound.target);
  });
  return found == paths.end() ? nullptr : &*found;
}

std::string paths_text(std::span<const Path> paths, Target target) {
  std::string text;
  const Path* last = nullptr;
  for (const Path& path : paths) {
    if (!has(path, target) || (last != nullptr && last->from == path.from && last->to == path.to)) continue;
    if (last != nullptr && last->from == path.from) text += fmt::format(", {}", name(path.to));
    else text += fmt::format("{}{} to {}", last == nullptr ? "" : "; ", name(path.from), name(path.to));
    last = &path;
  }
  return text;
}

// --- windows

std::uint32_t index_of(const Bound& bound, const char* name) {
  if (!bound.has(name)) return 0;
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min(),
                         kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::uint32_t>(std::clamp(static_cast<std::int64_t>(bound.scalar(name).bits), kLeast, kMost));
}

Window moved_window(const Bound& bound) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  return {.rows = std::min(dst.valid_rows, src.valid_rows), .cols = std::min(dst.valid_cols, src.valid_cols)};
}
Window source_window(const Bound& bound) {
  const TileRef& src = bound.tile("src");
  return {.rows = src.valid_rows, .cols = src.valid_cols};
}
Window extracted_window(const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  return {.rows = dst.valid_rows,
          .cols = dst.valid_cols,
          .from_row = index_of(bound, "row"),
          .from_col = index_of(bound, "col")};
}
Window inserted_window(const Bound& bound) {
  const TileRef& src = bound.tile("src");
  return {.rows = src.valid_rows,
          .cols = src.valid_cols,
          .to_row = index_of(bound, "row"),
          .to_col = index_of(bound, "col")};
}
Window whole_window(const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  return {
      .rows = dst.rows(), .cols = dst.cols(), .from_row = index_of(bound, "row"), .from_col = index_of(bound, "col")};
}

bool check_window_inside(RuleCheck& check, const Window& window, std::string_view rule) {
  const bool inserts = window.to_row != 0 || window.to_col != 0;
  const char* outer = inserts ? "dst" : "src";
  const auto fits = [&](const char* tile, std::uint32_t row, std::uint32_t col) {
    const TileRef& ref = check.tile(tile);
    if (std::uint64_t{row} + window.rows <= ref.rows() && std::uint64_t{col} + window.cols <= ref.cols()) return true;
    check.error(
        rule, tile,
        fmt::format("the window {}x{} at ({}, {}) leaves {} {}x{}", window.rows, window.cols,
                    static_cast<std::int32_t>(row), static_cast<std::int32_t>(col), tile, ref.rows(), ref.cols()),
        tile == std::string_view(outer) ? "make the window smaller, or begin it earlier"
                                        : fmt::format("declare {} as large as the window", tile));
    check.about(FindingKind::Bounds);
    return false;
  };
  return fits("src", window.from_row, window.from_col) && fits("dst", window.to_row, window.to_col);
}

// --- the fixpipe

Fixpipe fixpipe_of(const Bound& bound, DType to) {
  Fixpipe how{.to = to, .relu = bound.attribute("reluPreMode") != 0};
  if (bound.has("factor")) how.parameter = lanes_of(bound, "factor");
  if (bound.has("fp")) how.of_columns = bound.tile("fp");
  return how;
}

namespace {

DTypeSet results_of_sums(Target target, bool to_gm, DType sums, bool with_factor) {
  const bool a5 = target == Target::A5, floats = sums == DType::F32;
  if (!floats && sums != DType::I32) return {};
  constexpr DTypeSet kBytes{DType::I8, DType::U8}, kNarrow{DType::F16, DType::BF16};
  if (!with_factor) {
    const DTypeSet same = a5 || to_gm ? DTypeSet{sums} : DTypeSet{};
    return floats ? same | kNarrow : same;
  }
  if (a5) return floats ? kBytes | kNarrow | DTypeSet{DType::HIF8, DType::F8E4M3, DType::F32} : kBytes | kNarrow;
  if (floats) return to_gm ? kBytes : DTypeSet{DType::I8};
  return to_gm ? kBytes | DTypeSet{DType::F16} : kBytes | DTypeSet{DType::F16, DType::I16};
}

void check_columns_factors(RuleCheck& check, DType to, std::uint32_t cols, const FixpipeIds& ids) {
  const TileRef& fp = check.tile("fp");
  const auto error = [&](std::string text, std::string hint) {
    check.error(ids.factors, "fp", std::move(text), std::move(hint));
  };
  if (fp.type.loc != TileLoc::Scaling)
    return error(fmt::format("fp is in {}, needs scaling", name(fp.type.loc)), "move the factors there with tmov");
  if (!kFactors.contains(fp.type.dtype))
    return error(fmt::format("fp is {}, needs {}", name(fp.type.dtype), kFactors.list()),
                 "a factor is 64 bits, or a scale in f16");
  if (to == DType::I16 && fp.type.dtype == DType::F16)
    return error("fp is f16, results are i16", "sums become i16 by a shift, which a factor of 64 bits has");
  if (fp.rows() != 1 || fp.cols() < cols)
    return error(fmt::format("fp is {}x{}, needs 1x{}", fp.rows(), fp.cols(), cols), "a factor for each column");
  if (fp.address % 128 != 0)
    error(fmt::format("fp is at 0x{:x}, no multiple of 128", fp.address),
          "the fixpipe reads its factors from there on");
}

void check_one_factor(RuleCheck& check, DType to, const FixpipeIds& ids) {
  const Scalar& parameter = check.bound().scalar("factor");
  if (parameter.dtype != DType::U64 && parameter.dtype != DType::I64)
    return check.error(ids.factors, "factor", fmt::format("factor is {}, needs i64", name(parameter.dtype)),
                       "its bits are: scale 0 to 31 as f32, offset 37 to 45, sign 46");
  const float scale = std::bit_cast<float>(static_cast<std::uint32_t>(parameter.bits));
  if (to != DType::I16 && (scale == 0 || !std::isfinite(scale)))
    check.warn(ids.odd, "factor", fmt::format("the scale of 0x{:016x} is {}", parameter.bits, scale),
               "bits 0 to 31 are an f32; a scale of 2 is 0x40000000");
  const bool is_signed = (parameter.bits & quant_parameter::kSigned) != 0;
  if ((to == DType::U8 && is_signed) || (to == DType::I8 && !is_signed))
    check.note(ids.odd, "factor",
               fmt::format("bit 46 of 0x{:016x} makes results {}, dst is {}", parameter.bits,
                           is_signed ? "-128 to 127" : "0 to 255", name(to)),
               "the bit decides; the type only says how bytes are shown");
}

}  // namespace

void check_fixpipe(RuleCheck& check, DType to, bool to_gm, std::uint32_t cols, const FixpipeIds& ids) {
  const bool factor = has_factor(check.bound());
  const DType from = check.tile("src").type.dtype;
  const DTypeSet results = results_of_sums(check.target(), to_gm, from, factor);
  if (!results.contains(to)) {
    const DTypeSet others = results_of_sums(check.target(), to_gm, from, !factor);
    const std::string become = results.empty() ? "nothing" : results.list();
    return check.error(
        ids.conversion, "src",
        fmt::format("sums of {} do not become {} {} a factor", name(from), name(to), factor ? "with" : "without"),
        fmt::format("{} becomes {}{}", name(from), become,
                    others.contains(to) ? factor ? "; leave the factor out" : "; give it a factor" : ""));
  }
  if (check.bound().has("fp")) check_columns_factors(check, to, cols, ids);
  if (check.bound().has("factor")) check_one_factor(check, to, ids);
}

void warn_odd_factors(RuleCheck& check, const Memory& before, std::uint32_t cols) {
  const TileRef& fp = check.tile("fp");
  const Operand& dst = *check.bound().find("dst");
  const DType to = dst.spec->kind == OperandKind::Global ? dst.global.dtype : dst.tile.type.dtype;
  if (fp.type.loc != TileLoc::Scaling || to == DType::I16) return;  // sums become i16 by a shift
  std::uint32_t odd = 0, first = 0;
  double scale_there = 0;
  for (std::uint32_t col = 0; col < std::min(cols, fp.cols()); ++col) {
    const std::uint64_t bits = before.element(fp.place_of(0, col));
    const double scale =
        fp.elem_bytes() == 8 ? to_double(DType::F32, bits & quant_parameter::kScale) : to_double(fp.type.dtype, bits);
    if (scale != 0 && std::isfinite(scale)) continue;
    if (odd++ == 0) first = col, scale_there = scale;
  }
  if (odd == 0) return;
  check.warn(check.own("W3"), "fp",
             fmt::format("the scale of column {} is {}{}", first, scale_there,
                         odd == 1 ? "" : fmt::format(", and {} more are 0, infinite or NaN", odd - 1)),
             "bits 0 to 31 of a factor are an f32; one of 2 bytes is the scale itself");
}

const char* stray_factor(const Bound& bound) {
  if (bound.tile("src").type.loc == TileLoc::Acc) return nullptr;
  if (bound.has("factor")) return "factor";
  return bound.has("fp") && bound.tile("fp").type.loc != TileLoc::Vec ? "fp" : nullptr;
}

void check_no_fixpipe(RuleCheck& check) {
  if (check.tile("src").type.loc == TileLoc::Acc) return;
  if (const char* factor = stray_factor(check.bound()))
    check.error(check.own("R17"), factor, "a factor is for sums on their way out of acc",
                "leave it out, or multiply with tmuls");
  if (check.bound().attribute("reluPreMode") != 0)
    check.error(check.own("R19"), "src", "relu is for sums on their way out of acc", "apply trelu to the tile");
}

void check_sums_layout(RuleCheck& check, const std::string& rule) {
  const TileType& src = check.tile("src").type;
  if (src.layout_name() != "nz" || src.fractal != 1024)
    check.error(rule, "src",
                fmt::format("src is {} with boxes of {} bytes, needs nz with 1024", src.layout_name(), src.fractal),
                "sums stand in boxes of 16x16");
}

}  // namespace ts
