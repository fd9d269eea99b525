// The rules that every instruction shares.
#include "core/catalogue/rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/nothing.h"

namespace ts {
namespace {

// Global element type rule: the row names the operand whose type decides.
bool check_type(RuleCheck& check) {
  const Bound& bound = check.bound();
  const InstructionRow& row = *bound.row;
  const DTypeSet legal = row.types(bound.target, *bound.options);
  if (legal.empty()) {
    check.error(absent_rule(row), "", fmt::format("{} has no {} implementation", row.name, name(bound.target)),
                row.absent_hint);
    return false;
  }
  if (row.typed_by.empty()) return true;
  const DType type = bound.dtype();
  if (legal.contains(type)) return true;
  check.error(type_rule(row, bound.target), row.typed_by,
              fmt::format("element type {} not supported on {}", name(type), name(bound.target)),
              fmt::format("{} takes {}", row.name, legal.list()));
  return false;
}

const char* how_to_reach(TileLoc loc) {
  switch (loc) {
    case TileLoc::Vec:
      return "the vector unit reaches vec alone: declare the tile with loc=vec, and load or move it there";
    case TileLoc::Left:
    case TileLoc::Right:
    case TileLoc::Bias: return "load it into a mat tile, then move it there with pto.tmov or pto.textract";
    case TileLoc::Acc: return "products are made in acc: declare the tile with loc=acc";
    case TileLoc::Mat:
    case TileLoc::Scaling:
    case TileLoc::Register: break;
  }
  return "declare the tile there";
}

void check_place(RuleCheck& check, const Operand& operand) {
  const TileRef& tile = operand.tile;
  const std::string_view who = operand.spec->name;
  if (!operand.spec->any_loc && tile.type.loc != operand.spec->loc) {
    check.error("G1", who,
                fmt::format("{}: operand {} is in {}, needs {}", check.bound().row->name, who, name(tile.type.loc),
                            name(operand.spec->loc)),
                how_to_reach(operand.spec->loc));
    check.about(FindingKind::Reach);
  }
  // Static valid sizes are the tile type's own rule.
  const bool too_high = tile.type.valid_rows == kDynamic && tile.valid_rows > tile.rows();
  const bool too_wide = tile.type.valid_cols == kDynamic && tile.valid_cols > tile.cols();
  if (too_high || too_wide) {
    check.error("G2", who,
                fmt::format("{}: {} valid {}x{} exceeds static {}x{}", check.bound().row->name, who, tile.valid_rows,
                            tile.valid_cols, tile.rows(), tile.cols()),
                "make the valid shape no larger than the tile");
  }
  const std::uint32_t capacity = capacity_bytes(check.target(), tile.space());
  const std::uint64_t size = tile.type.size_bytes();
  if (tile.address % BLK != 0) {
    check.error("G3", who,
                fmt::format("{}: {} at 0x{:x} is not {}-byte aligned", check.bound().row->name, who, tile.address, BLK),
                fmt::format("place it at 0x{:x}", (tile.address + BLK - 1) / BLK * BLK));
    check.about(FindingKind::Align);
  } else if (tile.address + size > capacity) {
    check.error(
        "G3", who,
        fmt::format("{}: {} at 0x{:x}+{} outside {} of {}", check.bound().row->name, who, tile.address, size,
                    name(tile.space()), capacity),
        fmt::format("the last address it fits at is 0x{:x}", size > capacity ? 0 : (capacity - size) / BLK * BLK));
    check.about(FindingKind::Bounds);
  }
}

}  // namespace

void RuleCheck::add(std::string_view rule, Severity severity, std::string_view operand, std::string text,
                    std::string hint) {
  out_.push_back({std::string(rule), severity, bound_.pos, std::string(operand), std::move(text), std::move(hint)});
}

void RuleCheck::need_row_major(std::string_view rule, std::string_view operand) {
  const TileType& type = tile(operand).type;
  if (!type.row_major())
    error(rule, operand, fmt::format("{} is {}, needs row_major", operand, type.layout_name()),
          fmt::format("declare {} row_major, without boxes", operand));
}

void RuleCheck::need_same_type(std::string_view rule, std::string_view operand, std::string_view as) {
  const DType a = tile(as).type.dtype, b = tile(operand).type.dtype;
  if (a != b)
    error(rule, operand, fmt::format("{} {} != {} {}", as, name(a), operand, name(b)), "convert with tcvt first");
}

void RuleCheck::need_same_valid(std::string_view rule, std::string_view operand, std::string_view as) {
  const TileRef &a = tile(operand), &b = tile(as);
  if (a.valid_rows != b.valid_rows || a.valid_cols != b.valid_cols) {
    error(rule, operand,
          fmt::format("{} valid {}x{} != {} valid {}x{}", operand, a.valid_rows, a.valid_cols, as, b.valid_rows,
                      b.valid_cols),
          fmt::format("set the valid shape of {} to {}x{}", operand, b.valid_rows, b.valid_cols));
  }
}

void RuleCheck::warn_overlap(std::string_view written, std::string_view other, bool same_place_ok,
                             std::string_view rule) {
  if (!bound_.has(written) || !bound_.has(other)) return;
  const TileRef &a = tile(written), &b = tile(other);
  const std::uint64_t a_end = a.address + a.type.size_bytes(), b_end = b.address + b.type.size_bytes();
  if (!a.range().overlaps(b.range())) return;
  const bool in_place = a.address == b.address && a.pitch_bytes() == b.pitch_bytes() &&
                        size_bits(a.type.dtype) == size_bits(b.type.dtype);
  if (in_place && same_place_ok) return;
  warn(rule, written,
       fmt::format("{} [0x{:x}..0x{:x}) overlaps {} [0x{:x}..0x{:x}); result depends on order", written, a.address,
                   a_end, other, b.address, b_end),
       "give them bytes of their own");
  about(FindingKind::Order);
}

namespace {

// Also where a comparison makes it, and on its way from and to global memory.
bool may_be_packed_mask(const InstructionRow& row, const Operand& operand) {
  if (size_bits(operand.tile.type.dtype) != 8 || is_float(operand.tile.type.dtype)) return false;
  const Role role = operand.spec->role;
  return role == Role::Mask || (role == Role::Out && row.draw == Drawing::Compare) ||
         (row.draw == Drawing::Transfer && operand.tile.type.dtype == DType::U8);
}

bool is_empty(const Operand& operand) {
  switch (operand.spec->kind) {
    case OperandKind::Tile: return operand.tile.valid_rows == 0 || operand.tile.valid_cols == 0;
    case OperandKind::Global: return std::ranges::find(operand.global.shape, 0u) != operand.global.shape.end();
    case OperandKind::Scalar: break;
  }
  return false;
}

// Of an instruction that does nothing only what no sizes decide is told, and that it is so.
bool is_said_of_nothing(const Bound& bound, const Diagnostic& told) {
  for (const char* number : {"R0", "R1", "R2", "R3"})
    if (told.rule == own_rule(*bound.row, number)) return true;
  return told.rule == own_rule(*bound.row, "R5") && told.severity == Severity::Warning &&
         told.text.ends_with("is empty");
}

bool looks_at_no_valid_region(const Bound& bound) {
  return bound.row->ignores_valid != nullptr && bound.row->ignores_valid(bound);
}

}  // namespace

bool does_nothing(const Bound& bound) {
  // What writes single elements by their place looks at no valid region.
  const Operand* offset = bound.find("offset");
  const bool single = offset != nullptr && !offset->spec->by_attribute;
  if (bound.row->effect != Effect::None || single || looks_at_no_valid_region(bound)) return false;
  bool writes = false, writes_something = false, reads = false, reads_something = false;
  for (const Operand& operand : bound.operands) {
    if (operand.spec->kind == OperandKind::Scalar) continue;
    const bool something = !is_empty(operand);
    if (operand.spec->role == Role::Out) writes = true, writes_something = writes_something || something;
    if (operand.spec->role == Role::In) reads = true, reads_something = reads_something || something;
  }
  return (writes && !writes_something) || (reads && !reads_something);
}

void check_rules(const Bound& bound, Diagnostics& out) {
  RuleCheck check(bound, out);
  const std::size_t before = out.size();
  if (bound.operands.empty()) return;  // synchronisation
  if (!check_type(check)) return;
  for (const Operand& operand : bound.operands) {
    if (operand.spec->kind != OperandKind::Tile || bound.row->micro) continue;
    const std::size_t told = out.size();
    check_tile_type(operand.tile.type, std::string(operand.spec->name), bound.pos, out);
    // Packed masks of rows that are no whole blocks stand in programs that run.
    if (may_be_packed_mask(*bound.row, operand))
      for (std::size_t i = told; i < out.size(); ++i)
        if (out[i].rule == "TILE-R2") out[i].severity = Severity::Warning;
    check_place(check, operand);
  }
  if (has_error(Diagnostics(out.begin() + static_cast<std::ptrdiff_t>(before), out.end()))) return;
  if (bound.row->rules == nullptr) return;
  if (!does_nothing(bound)) return bound.row->rules(check);
  Diagnostics told;
  RuleCheck of_nothing(bound, told);
  bound.row->rules(of_nothing);
  for (Diagnostic& diagnostic : told)
    if (is_said_of_nothing(bound, diagnostic)) out.push_back(std::move(diagnostic));
}

}  // namespace ts
