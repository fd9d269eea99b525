// The rules that vector families share.
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts::vec {

void same_types(RuleCheck& check, std::initializer_list<const char*> others, const char* as) {
  for (const char* other : others) check.need_same_type(check.own("R2"), other, as);
}
void row_major(RuleCheck& check, std::initializer_list<const char*> tiles) {
  for (const char* tile : tiles) check.need_row_major(check.own("R3"), tile);
}
void same_valid(RuleCheck& check, std::initializer_list<const char*> others, const char* as) {
  for (const char* other : others) check.need_same_valid(check.own("R4"), other, as);
}
void may_be_in_place(RuleCheck& check, std::initializer_list<const char*> sources) {
  for (const char* source : sources) check.warn_overlap("dst", source, true);
}
void elementwise_rules(RuleCheck& check, std::initializer_list<const char*> sources) {
  same_types(check, sources);
  row_major(check, {"dst"});
  row_major(check, sources);
  same_valid(check, sources);
  may_be_in_place(check, sources);
}
void two_sources(RuleCheck& check) { elementwise_rules(check, {"src0", "src1"}); }

void scalar_type(RuleCheck& check, const char* scalar, const char* as) {
  const DType type = check.bound().scalar(scalar).dtype, wanted = check.tile(as).type.dtype;
  if (type != wanted)
    check.error(check.own("R2"), scalar, fmt::format("{} {} vs {} {}", scalar, name(type), as, name(wanted)),
                fmt::format("give the scalar the type {}", name(wanted)));
}

void not_empty(RuleCheck& check, const char* tile) {
  const TileRef& its = check.tile(tile);
  if (its.valid_rows == 0 || its.valid_cols == 0)
    check.warn(check.own("R5"), tile, fmt::format("{} valid {}x{} is empty", tile, its.valid_rows, its.valid_cols),
               "it does nothing then; the library asserts that there is something to do");
}

void distinct(RuleCheck& check, const char* a, const char* b) {
  if (!check.bound().has(a) || !check.bound().has(b)) return;
  const TileRef &x = check.tile(a), &y = check.tile(b);
  if (!x.range().overlaps(y.range())) return;
  check.error(check.own("R6"), a,
              fmt::format("{} [0x{:x}..0x{:x}) shares bytes with {} [0x{:x}..0x{:x})", a, x.address,
                          x.address + x.type.size_bytes(), b, y.address, y.address + y.type.size_bytes()),
              "the first is written before the second is read for the last time: give them bytes of their own");
  check.about(FindingKind::Order);
}

void scratch_bytes(RuleCheck& check, std::uint64_t bytes, std::string_view why, const char* tmp) {
  if (!check.bound().has(tmp)) return;
  const TileRef& tile = check.tile(tmp);
  if (tile.type.size_bytes() >= bytes) return;
  check.error(check.own("R7"), tmp, fmt::format("{} has {} bytes, needs {}", tmp, tile.type.size_bytes(), bytes),
              std::string(why));
}

void scratch_like_dst(RuleCheck& check) {
  check.need_same_type(check.own("R7"), "tmp", "dst");
  check.need_row_major(check.own("R7"), "tmp");
  const TileRef &tmp = check.tile("tmp"), &dst = check.tile("dst");
  if (tmp.rows() < dst.valid_rows || tmp.cols() < dst.valid_cols)
    check.error(check.own("R7"), "tmp",
                fmt::format("tmp {}x{} is smaller than dst valid {}x{}", tmp.rows(), tmp.cols(), dst.valid_rows,
                            dst.valid_cols),
                "give it the type of dst");
}

namespace {

std::string by_zero(const RuleCheck& check, Division what, std::uint32_t elem_bytes) {
  if (what == Division::Remainder) return "what is left of an integer by it is unspecified";
  return fmt::format("an integer divided by it is {}",
                     elem_bytes == 8 || check.options().int_div_zero ? "0" : "all ones");
}
constexpr const char* kNobodySays = "no document says what the hardware gives";

}  // namespace

void warn_zero(RuleCheck& check, const Memory& before, Division what, const char* divisor, std::uint32_t rows,
               std::uint32_t columns) {
  const TileRef& tile = check.tile(divisor);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t col = 0; col < columns; ++col) {
      if (before.element(tile.place_of(row, col)) != 0) continue;
      check.warn(check.own("W2"), divisor,
                 fmt::format("{}[{},{}] is 0; {}", divisor, row, col, by_zero(check, what, tile.elem_bytes())),
                 kNobodySays);
      return check.about(FindingKind::Rule, DiagnosticElement{row, col});
    }
  }
}
void warn_zero(RuleCheck& check, const Memory& before, Division what, const char* divisor) {
  const TileRef& tile = check.tile(divisor);
  if (!is_float(tile.type.dtype)) warn_zero(check, before, what, divisor, tile.valid_rows, tile.valid_cols);
}
void warn_zero_scalar(RuleCheck& check, Division what) {
  const Scalar& divisor = check.bound().scalar("scalar");
  if (!is_float(divisor.dtype) && divisor.bits == 0)
    check.warn(check.own("W2"), "scalar",
               fmt::format("scalar is 0; {}", by_zero(check, what, size_bytes(divisor.dtype))), kNobodySays);
}

void warn_words(RuleCheck& check, const char* tile, const char* id) {
  const TileRef& its = check.tile(tile);
  if (check.target() != Target::A5 || its.elem_bytes() != 8 || its.valid_cols <= kWordStep) return;
  check.warn(
      check.own(id), tile,
      fmt::format("validCol {} of 64-bit elements; the library does {} columns", its.valid_cols, kWordStep),
      check.options().quirk_words64 ? "" : "emulator steps do the others; option quirks.words64 leaves them alone");
}

TileType like(const Bound& bound, const char* operand) {
  if (bound.target == Target::A5) return no_scratch();
  // What is wrong with the operand is told of it alone.
  const TileType& type = bound.tile(operand).type;
  const std::uint32_t lanes = BLK / size_bytes(type.dtype);
  return vec_tile(type.dtype, std::max(type.rows, 1u), std::max(ceil_div(type.cols, lanes), 1u) * lanes, kDynamic,
                  kDynamic);
}
TileType scratch_of(const Bound& bound, DType type, std::uint32_t rows, std::uint32_t bytes_a_row) {
  if (bound.target == Target::A5) return no_scratch();
  const std::uint32_t blocks = std::max((bytes_a_row + BLK - 1) / BLK, 1u);
  return vec_tile(type, std::max(rows, 1u), blocks * BLK / size_bytes(type));
}

}  // namespace ts::vec
