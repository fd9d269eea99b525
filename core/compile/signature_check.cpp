// Counts, words and types against the table's signatures.
#include "core/compile/signature_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/compile/clauses.h"
#include "core/compile/statements.h"
#include "core/program/literal.h"
#include "core/program/sync.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OperandSort;
using text::OpKind;
using text::TypeId;
using text::TypeKind;

namespace {

std::string_view short_name(const text::OpRow& row) { return row.name.substr(row.name.find('.') + 1); }

// --- how many ------------------------------------------------------------------------------------------------------

std::string operand_list(const std::vector<text::SignatureOperand>& operands) {
  std::string out;
  for (const text::SignatureOperand& operand : operands) {
    if (operand.sort == OperandSort::Clause) continue;
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", operand.name,
                       operand.optional   ? "?"
                       : operand.repeated ? "..."
                                          : "");
  }
  return out.empty() ? "no operands" : out;
}

bool check_operand_count(Compilation& c, const Statement& statement, const text::Signature& signature) {
  // The generic form has what stands in clauses among the others.
  const auto has_clause = [](const text::SignatureForm& form) {
    return std::ranges::find(form.operands, OperandSort::Clause, &text::SignatureOperand::sort) != form.operands.end();
  };
  if (statement.op->form == text::OpForm::Generic && std::ranges::any_of(signature.forms, has_clause)) return true;
  // Between memories of the cube core a scale, or a tile of scales, may follow.
  const std::size_t got = statement.ins.size(), more = text::op_row(statement.op->code).cube_path ? 1 : 0;
  const bool fits = std::ranges::any_of(signature.forms, [&](const text::SignatureForm& form) {
    return got >= form.least_operands && got <= form.most_operands + more;
  });
  if (fits || signature.forms.empty()) return true;
  const text::SignatureForm& form = signature.forms.front();
  const bool no_mask =
      got < form.least_operands &&
      std::ranges::find(form.operands, OperandSort::Mask, &text::SignatureOperand::sort) != form.operands.end();
  // Elsewhere a warning: the run stops at it anyway, and what stands before it is worth seeing.
  c.messages.tell(
      no_mask ? Severity::Error : Severity::Warning, statement.operands_end, "E-OPERANDS",
      fmt::format("{} has {} operand{}, needs {}", statement.mnemonic, got, plural(got),
                  std::max(form.least_operands, std::min(got, form.most_operands))),
      operand_list(form.operands),
      no_mask ? "a mask says which lanes take part; for all of them: pto.pset_b32 \"PAT_ALL\", or b16, b8" : "");
  return false;
}

// How many results stand in outs(...).
bool check_destination_count(Compilation& c, const Statement& statement, const text::Signature& signature) {
  const std::size_t got = statement.outs.size();
  const bool fits = std::ranges::any_of(signature.forms, [&](const text::SignatureForm& form) {
    return got >= form.least_results && got <= form.most_results;
  });
  if (fits || !statement.destinations || signature.forms.empty()) return true;
  const text::SignatureForm& form = signature.forms.front();
  c.messages.tell(Severity::Warning, statement.op->range, "E-OPERANDS",
                  fmt::format("{} has {} result{}, needs {}", statement.mnemonic, got, plural(got),
                              std::max(form.least_results, std::min(got, form.most_results))),
                  operand_list(form.results), "");
  return false;
}

// A clause that must be there.
bool check_clauses(Compilation& c, const Statement& statement, const text::Signature& signature) {
  if (signature.forms.size() != 1 || statement.op->form == text::OpForm::Generic) return true;
  for (const text::SignatureOperand& operand : signature.forms.front().operands) {
    if (operand.sort != OperandSort::Clause || operand.optional || operand.repeated ||
        c.tree.find(*statement.op, operand.name) != nullptr)
      continue;
    std::string inside;
    for (const text::SignatureOperand& part : operand.operands)
      inside += fmt::format("{}{}", inside.empty() ? "" : ", ", part.name);
    c.messages.error(statement.operands_end, "E-OPERANDS", fmt::format("{}({}) is required", operand.name, inside));
    return false;
  }
  return true;
}

// The results' types as far as they are written, and what the others would be.
std::string result_types(const Compilation& c, const Op& op, const std::vector<TypeId>& given,
                         const text::Signature& signature) {
  std::string out;
  for (std::size_t i = 0; i < op.result_count; ++i) {
    const auto& results =
        signature.forms.empty() ? std::vector<text::SignatureOperand>{} : signature.forms.front().results;
    const std::string kind = i >= results.size()                       ? "a type"
                             : results[i].sort == OperandSort::Integer ? "i32"
                                                                       : text::name(results[i].sort);
    out += fmt::format("{}{}", out.empty() ? "" : ", ", i < given.size() ? c.tree.type_text(given[i]) : kind);
  }
  return out;
}

bool check_result_types(Compilation& c, const Statement& statement, const text::Signature& signature) {
  const Op& op = *statement.op;
  const Item* arrow = c.tree.find(op, ItemKind::Arrow);
  const std::vector<TypeId> types = c.tree.types_of(arrow);
  if (arrow == nullptr || statement.destinations || types.size() == op.result_count || op.result_count == 0)
    return true;
  c.messages.error(c.tree.children(*arrow).front().range, "E-TYPES",
                   fmt::format("op has {} result{}, {} type{} given", op.result_count, plural(op.result_count),
                               types.size(), plural(types.size())),
                   result_types(c, op, types, signature));
  return false;
}

// Operands of the cube stand in memories of their own.
bool check_location(Compilation& c, const StatementOperand& given, std::string_view name) {
  struct Row {
    std::string_view operand;
    TileLoc loc;
    const char* hint = "";
  };
  static constexpr Row kRows[] = {{"lhs", TileLoc::Left, "insert pto.tmov vec->mat->left"},
                                  {"rhs", TileLoc::Right, "insert pto.tmov vec->mat->right"},
                                  {"acc", TileLoc::Acc, "insert pto.tmov vec->mat->acc"},
                                  {"bias", TileLoc::Bias, "insert pto.tmov vec->mat->bias"},
                                  {"lhs_scale", TileLoc::Scaling, "pto.tget_scale_addr ins(%lhs) outs(%scale)"},
                                  {"rhs_scale", TileLoc::Scaling, "pto.tget_scale_addr ins(%rhs) outs(%scale)"}};
  const auto* row = std::ranges::find(kRows, name, &Row::operand);
  if (row == std::end(kRows) || given.type == kNoType) return true;
  const text::Type& type = c.tree.type(given.type);
  if (type.kind != TypeKind::Tile || type.tile.loc == row->loc) return true;
  c.messages.error(given.type_range, "E-TYPE",
                   fmt::format("{} must be loc={}, is {}", name, ts::name(row->loc), ts::name(type.tile.loc)), "",
                   row->hint);
  return false;
}

// A pipe's name, where one is written.
bool check_pipe(Compilation& c, const Statement& statement, const text::Signature& signature) {
  const auto& operands = signature.forms.front().operands;
  for (std::size_t i = 0; i < std::min(operands.size(), statement.ins.size()); ++i) {
    const Item& item = *statement.ins[i].item;
    const std::string_view word = word_of(c.tree.tree(), item);
    const bool named = item.kind == ItemKind::Enum || item.kind == ItemKind::String;
    if (operands[i].name != "pipe" || !named || sync_value(kBarrier.attributes[0], word) >= 0) continue;
    c.messages.error(item.range, "E-SYNC", fmt::format("unknown pipe {}", word), kBarrier.attributes[0].values);
    return false;
  }
  return true;
}

bool check_counts(Compilation& c, const Op& op, const text::OpRow& row) {
  const text::Signature& signature = text::signature(op.code);
  Statement statement;
  if (row.group <= text::OpGroup::TileCube) {
    if (!read_statement(c, op, {}, statement)) return false;
    for (const StatementOperand& operand : statement.ins)
      if (operand.type != kNoType && c.tree.type(operand.type).kind == TypeKind::Elided)
        return refuse_elided(c, operand), false;
  } else {
    TypeMismatch ignored;
    statement = read_statement(c.tree.tree(), op, {}, ignored);
  }
  if (!check_operand_count(c, statement, signature) || !check_destination_count(c, statement, signature)) return false;
  if (row.group == text::OpGroup::TileCube && !check_locations(c, statement, signature)) return false;
  if (!signature.forms.empty() && !check_pipe(c, statement, signature)) return false;
  return check_clauses(c, statement, signature) && check_result_types(c, statement, signature);
}

// --- types of micro-instructions -----------------------------------------------------------------------------------

struct Lanes {
  std::uint32_t bits = 0;
  std::string called = {};  // for messages
};

// Of the first register among the types of the operands. What goes by indices has as many lanes as there are of those.
Lanes lanes_of(const Compilation& c, const Op& op) {
  const bool by_indices = text::op_row(op.code).changes_width;
  Lanes lanes;
  const Item* operands = c.tree.find(op, ItemKind::Types);
  for (const TypeId id : c.tree.types_of(operands != nullptr ? operands : c.tree.find(op, ItemKind::Arrow))) {
    const text::Type& type = c.tree.type(id);
    if (type.kind != TypeKind::Vreg || (lanes.bits != 0 && !by_indices)) continue;
    lanes = {text::bits(type.scalar), fmt::format("{} lanes", text::name(type.scalar))};
  }
  return lanes;
}

// A store that packs goes by the lanes that its word packs, whatever the register is called.
Lanes packed_lanes(std::string_view dist) { return {dist.ends_with("_B16") ? 16u : 32u, std::string(dist)}; }

bool check_mask(Compilation& c, const Item& item, const text::OpRow& row, const Lanes& lanes) {
  const std::uint32_t bits = c.tree.type(item.first).mask_bits;
  if (bits == 0) {
    const std::uint32_t meant = row.mask_bits != 0 ? row.mask_bits : lanes.bits;
    c.messages.tell(Severity::Note, item.range, "V60-08",
                    meant == 0
                        ? "!pto.mask says no granularity; it is that of what makes the mask"
                        : fmt::format("!pto.mask is taken for !pto.mask<b{}>, as {} has it", meant, short_name(row)),
                    meant == 0 ? "" : fmt::format("!pto.mask<b{}>", meant), "");
    return true;
  }
  const auto wrong = [&](std::string text, std::uint32_t wanted) {
    c.messages.error(c.tree.part_of(item.range, fmt::format("b{}", bits)), "E-TYPE", std::move(text),
                     fmt::format("!pto.mask<b{}>", wanted));
    return false;
  };
  if (row.mask_bits != 0 && bits != row.mask_bits)
    return wrong(fmt::format("{} makes a b{} mask, not b{}", short_name(row), row.mask_bits, bits), row.mask_bits);
  // Lanes of 64 bits go by masks of 32.
  const std::uint32_t wanted = std::min(lanes.bits, 32u);
  if (wanted != 0 && bits != wanted)
    return wrong(fmt::format("mask granularity b{} does not fit {} (needs b{})", bits, lanes.called, wanted), wanted);
  return true;
}

// Operations on masks alone take and make those of one width; packing halves it or leaves it, unpacking the other way.
bool masks_agree(Compilation& c, const std::vector<const Item*>& types, const text::OpRow& row) {
  std::vector<const Item*> masks;
  for (const Item* item : types) {
    const text::Type& type = c.tree.type(item->first);
    if (type.kind == TypeKind::Vreg || type.kind == TypeKind::Ptr) return true;
    if (type.kind == TypeKind::Mask && type.mask_bits != 0) masks.push_back(item);
  }
  if (row.kind == text::OpKind::CastRegister || masks.size() < 2) return true;
  const std::uint32_t first = c.tree.type(masks.front()->first).mask_bits;
  for (const Item* mask : masks) {
    const std::uint32_t bits = c.tree.type(mask->first).mask_bits;
    const bool packs = short_name(row) == "ppack" && bits == first / 2,
               unpacks = short_name(row) == "punpack" && bits == 2 * first;
    if (bits == first || packs || unpacks) continue;
    c.messages.error(
        c.tree.part_of(mask->range, fmt::format("b{}", bits)), "E-TYPE",
        fmt::format("{} takes and makes masks of one width, not b{} and b{}", short_name(row), first, bits),
        fmt::format("!pto.mask<b{}>", first), "pto.pbitcast gives a mask's bits another width");
    return false;
  }
  return true;
}

void check_micro_types(Compilation& c, const Op& op, const text::OpRow& row) {
  std::vector<const Item*> types;
  for (const Item& item : c.tree.items(op)) {
    if (item.kind != ItemKind::Types && item.kind != ItemKind::Arrow) continue;
    for (const Item& child : c.tree.children(item))
      if (child.kind == ItemKind::Type) types.push_back(&child);
  }
  const std::string_view dist = c.tree.first_word(c.tree.attribute(op, "dist"));
  const Lanes lanes = dist.starts_with("PK") ? packed_lanes(dist) : lanes_of(c, op);
  if (!masks_agree(c, types, row)) return;
  for (const Item* item : types) {
    const text::Type& type = c.tree.type(item->first);
    if (type.kind == TypeKind::Mask && !check_mask(c, *item, row, lanes)) return;
    if (type.kind != TypeKind::Ptr || type.word != "gm" || !row.needs_ub) continue;
    c.messages.error(c.tree.part_of(item->range, "gm"), "E-TYPE",
                     fmt::format("{} needs a ub pointer, is gm", short_name(row)), "ub", "DMA first: pto.mte_gm_ub");
    return;
  }
}

// --- queues between the cores --------------------------------------------------------------------------------------

// Who may use which end of a queue.
void check_end(Compilation& c, const Op& op, const text::OpRow& row, bool of_vector) {
  const Function* at = c.functions.current();
  if (at == nullptr || c.tree.may_run_on(*at->op, of_vector)) return;
  const Op& function = *at->op;
  const std::string_view kind = c.tree.kernel_kind(function);
  c.messages
      .error(op.name, "V60-43",
             fmt::format("{} only in {} kernels; @{} is a {} function", short_name(row), core_name(of_vector),
                         c.tree.symbol_name(function), kind))
      .notes.push_back({c.messages.position(function.name), fmt::format("this function is kernel_kind<{}>", kind)});
}

// What an operation that uses a queue says of how it is cut between the vector cores.
void check_split(Compilation& c, const Op& op) {
  constexpr std::string_view kSplits = "01234";
  const Item* split = c.tree.find(op, "split");
  const std::string_view word = c.tree.word(op, "split");
  if (word.size() == 1 && kSplits.find(word) != std::string_view::npos) return;
  c.messages.error(split == nullptr ? op.name : split->range, "E-ATTRIBUTE",
                   "split must be 0 (whole), 1 (by rows), 2 (by columns), 3 or 4 (the same, of an odd number)",
                   "split = 0, 1, 2, 3 or 4", split == nullptr ? "it is missing" : fmt::format("it is {}", word));
}

void check_use(Compilation& c, const Op& op, const text::OpRow& row, bool of_vector) {
  check_end(c, op, row, of_vector);
  check_split(c, op);
}

// The storage that a queue names.
void check_storage(Compilation& c, const Op& op) {
  struct Row {
    std::string_view name;
    OperandSort sort;
    std::string_view only;  // the target that has it
  };
  static constexpr Row kRows[] = {{"gm_slot_buffer", OperandSort::Pointer, ""},
                                  {"gm_slot_tensor", OperandSort::View, "a2a3"},
                                  {"c2v_consumer_buf", OperandSort::Integer, ""},
                                  {"v2c_consumer_buf", OperandSort::Integer, ""}};
  const Item* group = c.tree.find(op, ItemKind::Group);
  if (group == nullptr) return;
  const bool a5 = c.program.target == Target::A5;
  for (const Item& item : c.tree.children(*group)) {
    if (item.kind != ItemKind::Named) continue;
    const std::string_view name = c.tree.tree().name_of(item);
    const auto* row = std::ranges::find(kRows, name, &Row::name);
    const text::SourceRange word{item.range.begin, item.name_end};
    if (row == std::end(kRows)) {
      c.messages.error(word, "E-OPERANDS", fmt::format("a queue has no storage called {}", name),
                       "gm_slot_buffer, gm_slot_tensor, c2v_consumer_buf or v2c_consumer_buf");
      return;
    }
    if (a5 && row->only == "a2a3") {
      c.messages.error(word, "E-TARGET", fmt::format("{} is only supported on A2A3", name), "",
                       "the target is a5, where slots are in the consumer's own memory");
      return;
    }
    const Item& value = c.tree.children(item).front();
    if (value.kind == ItemKind::Use && !has_sort(c, value, row->sort)) return;
    if (a5 && row->sort == OperandSort::Pointer)
      c.messages.tell(Severity::Note, word, "V60-49", fmt::format("{} is not used on a5", name), "", "");
  }
}

void check_init(Compilation& c, const Op& op, const text::OpRow& row, bool of_vector) {
  check_end(c, op, row, of_vector);
  if (c.tree.find(op, "slot_size") == nullptr)
    c.messages.error(op.name, "E-ATTRIBUTE", "slot_size is missing", "slot_size = 1024",
                     "it is the bytes of one whole entry, before it is split");
  const Item* mask = c.tree.find(op, "dir_mask");
  const std::string_view word = c.tree.word(op, "dir_mask");
  if (word != "1" && word != "2" && word != "3")
    c.messages.error(mask == nullptr ? op.name : mask->range, "V60-40",
                     "dir_mask must be 1 (cube to vector), 2 (vector to cube) or 3", "dir_mask = 1, 2 or 3",
                     word.empty() ? "it is missing" : fmt::format("it is {}", word));
  if (const Item* local = c.tree.find(op, "local_slot_num"); local != nullptr && c.program.target == Target::A5)
    c.messages.error(local->range, "V60-49", "local_slot_num is for a2a3 only", "", "drop it, or build for a2a3");
  check_storage(c, op);
}

// What is quantised by: one f32, or a tile of factors, one a column.
void check_scale(Compilation& c, const Op& op, bool vector) {
  const Item& used = c.tree.children(*c.tree.find(op, ItemKind::Group)).front();
  const Names::Binding* known = used.kind == ItemKind::Use ? c.names.find(used) : nullptr;
  const TypeId type = known == nullptr || known->slot == kNoSlot ? kNoType : c.code.type_of(known->slot);
  if (type == kNoType) return;
  const text::ScalarKind element = c.tree.type(type).scalar;
  if (!vector && element != text::ScalarKind::F32)
    c.messages.error(used.range, "E-TYPE",
                     fmt::format("{} is {}, needs f32", c.tree.text(used), c.tree.type_text(type)), "f32");
  // Plain factors in f16, or 64-bit words of the fixpipe.
  else if (vector && element != text::ScalarKind::F16 && text::bits(element) != 64)
    c.messages.warn(used.range, "E-TYPE",
                    fmt::format("unverified: {} holds {}; known are factors of f16 and words of 64 bits",
                                c.tree.text(used), text::name(element)));
}

// Sizes of the valid region only where the result leaves both open.
void check_popped(Compilation& c, const Op& op) {
  const Item* group = c.tree.find(op, ItemKind::Group);
  const TypeId result = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  if (group == nullptr || result == kNoType || c.tree.type(result).kind != TypeKind::Tile) return;
  const TileType& tile = c.tree.type(result).tile;
  if (tile.valid_rows == kDynamic && tile.valid_cols == kDynamic) return;
  c.messages.error(c.tree.children(*group).front().range, "E-TILE",
                   "valid_row/valid_col operands need a result with valid=?x?", "!pto.tile_buf<..., valid=?x?>");
}

// What the storage of a queue needs.
void check_reserved(Compilation& c, const Op& op) {
  const Item* base = c.tree.find(op, "base");
  const std::string_view automatic = c.tree.word(op, "auto"), location = c.tree.word(op, "location");
  if (automatic == "true" && base != nullptr)
    c.messages.error(base->range, "V60-45", "base must be absent when auto is true", "",
                     "drop base, or write auto = false");
  else if (automatic == "false" && base == nullptr)
    c.messages.error(op.name, "V60-45", "base is required when auto is false", "base = 0",
                     "give it, or write auto = true");
  else if (!location.empty() && location.find("vec") == std::string_view::npos &&
           location.find("mat") == std::string_view::npos)
    c.messages.error(c.tree.find(op, "location")->range, "V60-47",
                     fmt::format("C2V buffers lie in vec, V2C buffers in mat; this one in {}", location), "vec or mat");
}

// The function whose storage is imported.
void check_imported(Compilation& c, const Op& op) {
  const std::string_view peer = c.tree.word(op, "peer_func");
  if (peer.empty() || c.functions.find(unquoted(peer.substr(1))) != nullptr) return;
  c.messages.error(c.tree.find(op, "peer_func")->range, "V60-46", fmt::format("peer_func {} does not exist", peer), "",
                   "name the function of this file that reserves the storage");
}

// Of what goes from or to a group: the member at its root, counted from 0.
bool check_root(Compilation& c, const Op& op) {
  const Item *group = c.tree.find(op, ItemKind::Group), *root = c.tree.find(op, "root");
  if (group == nullptr || root == nullptr) return true;
  const auto inner = c.tree.children(*group);
  const auto members = std::ranges::find_if(
      inner, [&](const Item& item) { return item.kind == ItemKind::Group && c.tree.tree().name_of(item) == "group"; });
  if (members == inner.end()) return true;
  const auto number = parse_integer(c.tree.first_word(root));
  const auto count = std::ranges::count(c.tree.children(*members), ItemKind::Use, &Item::kind);
  if (number && *number >= 0 && *number < count) return true;
  c.messages.error(root->range, "E-ATTRIBUTE",
                   fmt::format("root {} is none of the {} member{} of the group", c.tree.first_word(root), count,
                               plural(static_cast<std::size_t>(count))),
                   count == 1 ? "0" : fmt::format("0 to {}", count - 1), "it is a place in group(...)");
  return false;
}

void check_queue(Compilation& c, const Op& op, const text::OpRow& row) {
  if (!check_parentheses(c, op, row) || !check_root(c, op)) return;
  const std::size_t told = c.messages.count();
  switch (row.kind) {
    case OpKind::InitPipeCube: return check_init(c, op, row, false);
    case OpKind::InitPipeVector: return check_init(c, op, row, true);
    case OpKind::PushToCube:
    case OpKind::AllocToCube:
    case OpKind::FreeFromCube: return check_use(c, op, row, true);
    case OpKind::PushToVector:
    case OpKind::AllocToVector:
    case OpKind::FreeFromVector: return check_use(c, op, row, false);
    case OpKind::PopFromCube:
    case OpKind::PopFromVector:
      check_use(c, op, row, row.kind == OpKind::PopFromCube);
      return c.messages.count() == told ? check_popped(c, op) : void();
    case OpKind::SetQuantVector:
    case OpKind::SetQuantScalar: return check_scale(c, op, row.kind == OpKind::SetQuantVector);
    case OpKind::ReserveBuffer: return check_reserved(c, op);
    case OpKind::ImportBuffer: return check_imported(c, op);
    default: return;
  }
}

// --- all cores -----------------------------------------------------------------------------------------------------

// pto.syncall(%workspace, %n : P, i32) mode = ..<soft>, core_type = ..; the hard one needs no workspace
void check_sync_all(Compilation& c, const Op& op) {
  const Item* group = c.tree.find(op, ItemKind::Group);
  std::vector<const Item*> given;
  if (group != nullptr)
    for (const Item& item : c.tree.children(*group))
      if (item.kind == ItemKind::Use) given.push_back(&item);
  const text::SourceRange where = group == nullptr ? op.name : group->range;
  for (const std::string_view clause : {"mode", "core_type"})
    if (c.tree.find(op, clause) == nullptr)
      c.messages.tell(Severity::Warning, where, "E-ATTRIBUTE",
                      fmt::format("unverified: the manual knows no syncall without {}", clause),
                      "mode = ..., core_type = ...", "");
  const bool soft = c.tree.word(op, "mode") == "soft";
  if (soft && given.empty())
    c.messages.error(where, "E-OPERANDS", "a soft syncall needs a workspace", "pto.syncall(%workspace : !pto.ptr<i32>)",
                     "its cores count there who has come; the hard one needs none");
  else if (given.size() > 2)
    c.messages.error(where, "E-OPERANDS", fmt::format("syncall has {} operands, needs 2", given.size()),
                     "workspace, count?");
  else if (!soft && !given.empty())
    c.messages.warn(where, "E-OPERANDS", "unverified: the manual gives a workspace to the soft syncall only");
  constexpr OperandSort kSorts[] = {OperandSort::Pointer, OperandSort::Integer};
  for (std::size_t i = 0; i < std::min(given.size(), std::size(kSorts)); ++i)
    if (!has_sort(c, *given[i], kSorts[i])) return;
}

}  // namespace

bool check_locations(Compilation& c, const Statement& statement, const text::Signature& signature) {
  const text::SignatureForm& form = signature.forms.front();
  for (std::size_t i = 0; i < std::min(form.operands.size(), statement.ins.size()); ++i)
    if (!check_location(c, statement.ins[i], form.operands[i].name)) return false;
  for (std::size_t i = 0; i < std::min(form.results.size(), statement.outs.size()); ++i)
    if (!check_location(c, statement.outs[i], form.results[i].name)) return false;
  return true;
}

void check_signature(Compilation& c, const Op& op) {
  const text::OpRow& row = text::op_row(op.code);
  if (!check_words(c, op)) return;
  if (!check_stated_types(c, op)) return;
  if (row.group == text::OpGroup::Fifo) return check_queue(c, op, row);
  if (row.kind == OpKind::SyncAll) return check_sync_all(c, op);
  if (text::signature(op.code).own_form || !check_counts(c, op, row)) return;
  if (row.group == text::OpGroup::Micro) check_micro_types(c, op, row);
}

bool fits_signature(Compilation& c, const Op& op) {
  const std::size_t before = c.messages.all().size();
  check_signature(c, op);
  const auto is_error = [](const Diagnostic& one) { return one.severity == Severity::Error; };
  const auto& told = c.messages.all();
  return std::none_of(told.begin() + static_cast<std::ptrdiff_t>(before), told.end(), is_error);
}

}  // namespace ts
