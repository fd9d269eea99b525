// Operations that nobody emulates yet are still held to their signatures, as far as shapes tell.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/program/compiler_impl.h"
#include "core/text/signature.h"

namespace ts {

using text::ItemKind;
using text::TypeKind;

namespace {

constexpr std::string_view kCompare = "eq ne lt le gt ge";

std::string operand_list(const text::SignatureForm& form) {
  std::string out;
  for (const text::SignatureOperand& operand : form.operands) {
    if (operand.sort == text::OperandSort::Clause) continue;
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", operand.name,
                       operand.optional   ? "?"
                       : operand.repeated ? "..."
                                          : "");
  }
  return out.empty() ? "no operands" : out;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// Micro-instructions that change what a lane is, so that predicate and lanes differ in width.
bool changes_width(std::string_view name) {
  static constexpr std::string_view kNames[] = {"pto.vcvt",     "pto.vgather2", "pto.vgather2_bc",
                                                "pto.vgatherb", "pto.vscatter", "pto.vmull"};
  return name.starts_with("pto.p") || name.find("pack") != std::string_view::npos ||
         std::ranges::find(kNames, name) != std::end(kNames);
}

}  // namespace

void Compiler::verify_signature(const Op& op) {
  const text::OpRow& row = text::op_rows()[op.code];
  if (!verify_words(op)) return;
  if (row.group == text::OpGroup::Fifo) return void(verify_fifo(op));
  if (text::signature(op.code).own_form) return;
  if (!verify_counts(op)) return;
  if (row.group == text::OpGroup::Micro) verify_types(op);
}

// #pto<cmp lt> and the like: words of a closed list.
bool Compiler::verify_words(const Op& op) {
  const auto check = [&](auto&& self, const Item& item) -> bool {
    if (item.kind == ItemKind::Enum && item.count == 2) {
      const auto words = tree_.children(item);
      const std::string_view word = text(words[1]);
      // The manual prints long words, too.
      constexpr std::string_view kLong = "equal not_equal less_than less_equal greater_than greater_equal";
      const bool known = fmt::format(" {} {} ", kCompare, kLong).find(fmt::format(" {} ", lower_case(word))) != std::string::npos;
      if (text(words[0]) == "cmp" && !known) {
        const std::string prefix(word.substr(0, std::min<std::size_t>(word.size(), 1)));
        error(words[1].range, "E-ATTRIBUTE", fmt::format("unknown compare '{}'", word), std::string(kCompare),
              prefix == "l"   ? "lt or le"
              : prefix == "g" ? "gt or ge"
              : prefix == "n" ? "ne"
                              : "eq");
        return false;
      }
      return true;
    }
    const bool nests = item.kind == ItemKind::Group || item.kind == ItemKind::Dict || item.kind == ItemKind::Named;
    if (nests)
      for (const Item& child : tree_.children(item))
        if (!self(self, child)) return false;
    return true;
  };
  return std::ranges::all_of(tree_.op_items(op), [&](const Item& item) { return check(check, item); });
}

bool Compiler::in_cube_kernel() const {
  if (function_ == nullptr) return false;
  for (const Item& item : tree_.op_items(*function_->op)) {
    if (item.kind != ItemKind::Dict) continue;
    for (const Item& entry : tree_.children(item))
      if (tree_.name_of(entry) == "pto.kernel_kind" && entry.count != 0)
        return word_of(tree_, tree_.children(entry).front()) == "cube";
  }
  return false;
}

// Queues between the cores: who may use which end, and what their storage needs.
bool Compiler::verify_fifo(const Op& op) {
  const std::string_view name = text::op_rows()[op.code].name;
  const bool vector_only = name == "pto.tpush_to_aic" || name == "pto.tpop_from_aic" || name == "pto.tfree_from_aic";
  if (vector_only && in_cube_kernel()) {
    error(op.name, "E-SCOPE", fmt::format("{} only in vector kernels", name.substr(4)))
        .notes.push_back({position(function_->op->name), "this function is kernel_kind<cube>"});
    return false;
  }
  const Item* group = find(op, ItemKind::Group);
  const TypeId result = only_type(find(op, ItemKind::Arrow));
  if (name.starts_with("pto.tpop_from") && group != nullptr && result != kNoType &&
      type(result).kind == TypeKind::Tile) {
    const TileType& tile = type(result).tile;
    if (tile.valid_rows == kDynamic && tile.valid_cols == kDynamic) return true;
    error(tree_.children(*group).front().range, "E-TILE", "valid_row/valid_col operands need a result with valid=?x?",
          "!pto.tile_buf<..., valid=?x?>");
    return false;
  }
  const Item *automatic = find(op, "auto"), *base = find(op, "base");
  if (name != "pto.reserve_buffer" || automatic == nullptr || base == nullptr || automatic->count == 0 ||
      text(tree_.children(*automatic).front()) != "true")
    return true;
  error(base->range, "E-ATTRIBUTE", "base must be absent when auto is true", "", "drop base, or write auto = false");
  return false;
}

// Operands of the cube stand in memories of their own.
bool Compiler::verify_locations(const Op& op, const Statement& statement) {
  struct Row {
    std::string_view operand;
    TileLoc loc;
  };
  static constexpr Row kRows[] = {
      {"lhs", TileLoc::Left}, {"rhs", TileLoc::Right}, {"acc", TileLoc::Acc}, {"bias", TileLoc::Bias}};
  if (text::op_rows()[op.code].group != text::OpGroup::TileCube) return true;
  const auto& operands = text::signature(op.code).forms.front().operands;
  for (std::size_t i = 0; i < std::min(operands.size(), statement.ins.size()); ++i) {
    const TypeId id = statement.ins[i].type;
    const auto* row = std::ranges::find(kRows, operands[i].name, &Row::operand);
    if (row == std::end(kRows) || id == kNoType || type(id).kind != TypeKind::Tile || type(id).tile.loc == row->loc)
      continue;
    error(statement.ins[i].type_range, "E-TYPE",
          fmt::format("{} must be loc={}, is {}", row->operand, ts::name(row->loc), ts::name(type(id).tile.loc)), "",
          fmt::format("insert pto.tmov vec->mat->{}", ts::name(row->loc)));
    return false;
  }
  return true;
}

// The results' types as far as they are written, and what the others would be.
std::string Compiler::result_types(const Op& op, const Item* arrow, const text::Signature& signature) const {
  std::string out;
  const auto given = types_of(arrow);
  for (std::size_t i = 0; i < op.result_count; ++i) {
    const auto& results =
        signature.forms.empty() ? std::vector<text::SignatureOperand>{} : signature.forms.front().results;
    const std::string kind = i < results.size() && results[i].sort == text::OperandSort::Integer ? "i32"
                             : i < results.size() ? text::name(results[i].sort)
                                                  : "a type";
    out += fmt::format("{}{}", out.empty() ? "" : ", ", i < given.size() ? type_text(given[i]) : kind);
  }
  return out;
}

bool Compiler::verify_counts(const Op& op) {
  const text::Signature& signature = text::signature(op.code);
  const text::OpRow& row = text::op_rows()[op.code];
  Statement statement;
  const bool tile = row.group <= text::OpGroup::TileCube;
  if (tile) {
    if (!statement_of(op, {}, statement)) return false;
    for (const StatementOperand& operand : statement.ins)
      if (operand.type != kNoType && type(operand.type).kind == TypeKind::Elided) return elided_type(operand), false;
  } else {
    TypeMismatch ignored;
    statement = read_statement(tree_, op, {}, ignored);
  }
  const std::size_t got = statement.ins.size();
  const bool fits = std::ranges::any_of(signature.forms, [&](const text::SignatureForm& form) {
    return got >= form.least_operands && got <= form.most_operands;
  });
  if (!fits && !signature.forms.empty()) {
    const text::SignatureForm& form = signature.forms.front();
    // A warning: the run stops at it anyway, and what stands before it is worth seeing.
    tell(Severity::Warning, statement.operands_end, "E-OPERANDS",
         fmt::format("{} has {} operand{}, needs {}", statement.mnemonic, got, got == 1 ? "" : "s",
                     std::max(form.least_operands, std::min(got, form.most_operands))),
         operand_list(form), "");
    return false;
  }
  if (tile && !verify_locations(op, statement)) return false;
  // A clause that must be there.
  for (const text::SignatureOperand& operand :
       signature.forms.empty() ? std::vector<text::SignatureOperand>{} : signature.forms.front().operands) {
    if (operand.sort != text::OperandSort::Clause || operand.optional || operand.repeated ||
        signature.forms.size() > 1 || find(op, operand.name) != nullptr)
      continue;
    std::string inside;
    for (const text::SignatureOperand& part : operand.operands)
      inside += fmt::format("{}{}", inside.empty() ? "" : ", ", part.name);
    error(statement.operands_end, "E-OPERANDS", fmt::format("{}({}) is required", operand.name, inside));
    return false;
  }
  const Item* arrow = find(op, ItemKind::Arrow);
  const std::size_t types = types_of(arrow).size();
  if (arrow == nullptr || statement.destinations || types == op.result_count || op.result_count == 0) return true;
  error(tree_.children(*arrow).front().range, "E-TYPES",
        fmt::format("op has {} result{}, {} type{} given", op.result_count, op.result_count == 1 ? "" : "s", types,
                    types == 1 ? "" : "s"),
        result_types(op, arrow, signature));
  return false;
}

void Compiler::verify_types(const Op& op) {
  const std::string_view name = text::op_rows()[op.code].name;
  std::uint32_t lane_bits = 0;
  const char* lanes = "";
  std::vector<const Item*> types;
  for (const Item& item : tree_.op_items(op)) {
    if (item.kind != ItemKind::Types && item.kind != ItemKind::Arrow) continue;
    for (const Item& child : tree_.children(item))
      if (child.kind == ItemKind::Type) types.push_back(&child);
  }
  for (const Item* item : types)
    if (type(item->first).kind == TypeKind::Vreg && lane_bits == 0)
      lane_bits = text::bits(type(item->first).scalar), lanes = text::name(type(item->first).scalar);
  const std::size_t suffix = name.rfind("_b");
  const std::uint32_t named_bits =
      suffix == std::string_view::npos || !name.starts_with("pto.p")
          ? 0
          : static_cast<std::uint32_t>(std::atoi(std::string(name.substr(suffix + 2)).c_str()));
  for (const Item* item : types) {
    const text::Type& its = type(item->first);
    if (its.kind == TypeKind::Mask && named_bits != 0 && its.mask_bits != named_bits) {
      error(part_of(item->range, fmt::format("b{}", its.mask_bits)), "E-TYPE",
            fmt::format("{} makes a b{} mask, not b{}", name.substr(4), named_bits, its.mask_bits),
            fmt::format("!pto.mask<b{}>", named_bits));
      return;
    }
    if (its.kind == TypeKind::Mask && lane_bits != 0 && its.mask_bits != lane_bits && lane_bits <= 32 &&
        !changes_width(name)) {
      error(part_of(item->range, fmt::format("b{}", its.mask_bits)), "E-TYPE",
            fmt::format("mask granularity b{} does not fit {} lanes (needs b{})", its.mask_bits, lanes, lane_bits),
            fmt::format("!pto.mask<b{}>", lane_bits));
      return;
    }
    const bool on_vectors = name.starts_with("pto.v") || name.starts_with("pto.plds") || name.starts_with("pto.psts");
    if (its.kind == TypeKind::Ptr && its.word == "gm" && on_vectors) {
      error(part_of(item->range, "gm"), "E-TYPE", fmt::format("{} needs a ub pointer, is gm", name.substr(4)), "ub",
            "DMA first: pto.mte_gm_ub");
      return;
    }
  }
}

}  // namespace ts
