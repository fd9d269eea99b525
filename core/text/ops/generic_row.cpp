// The table of generic forms; where an operation has no row there, its signature says the same.
#include "core/text/ops/generic_row.h"

#include <algorithm>
#include <cassert>

#include "core/text/ops/signature.h"

namespace ts::text {
namespace {

// What stands in a row:
//   x  x?  x*        a value; one that may be left out; any number of them
//   x>               a destination
//   x=  x=?  x=[]    a clause, x = %v or x = [%v, %w]
//   x[]              indices of the value before it
//   x()              a clause in the parentheses, x(%v, %w)
//   #x  #x?          an attribute whose value stands among the operands
//   #x=[]            an attribute of numbers, a list
//   ~x               an attribute that stays one
//   ?                whether this is all that there may be is not known
//   ^                the value may be the last operand, and stands first
//   (                operands stand in parentheses;  ins: in ins(...);  : types of the results alone
// Names and order of the operands are those of the operations' definitions as far as text shows them, else (unverified).
struct GenericRow {
  std::string_view name, shape;
};
// clang-format off
constexpr GenericRow kRows[] = {
    {"pto.make_tensor_view",   "ptr shape=[] strides=[] ~layout ~pto.inferred_layout :"},
    {"pto.partition_view",     "source offsets=[] sizes=[]"},
    {"pto.subset",             "source offsets[] #sizes=[] :"},
    {"pto.subview",            "source offsets[] #sizes=[] valid=[]"},
    {"pto.alloc_tile",         "addr=? valid_row=? valid_col=? :"},
    {"pto.alloc_multi_tile",   "addr=? valid_row=? valid_col=? ~count :"},
    {"pto.multi_tile_get",     "source slot[]"},
    {"memref.alloc",           "dynamic_sizes* symbols* ~alignment :"},
    {"pto.load_scalar",        "ptr offset[]"},
    {"pto.load",               "ptr offset[]"},
    {"pto.store_scalar",       "^ value ptr offset[]"},
    {"pto.store",              "^ value ptr offset[]"},
    {"pto.local_array_set",    "^ value array indices[]"},
    {"pto.struct_set",         "^ value record field[]"},
    {"pto.local_array_get",    "array indices[]"},
    {"pto.struct_get",         "record field[]"},
    {"pto.eventid_array_set",  "^ event events index[]"},
    {"pto.eventid_array_get",  "events index[]"},
    {"pto.tgetval",            "ins src offset :"},
    {"pto.tprint",             "ins src"},
    {"pto.tload",              "? ins src dst> pad_value=? left_padding_num=? right_padding_num=? init_condition=?"},
    {"pto.tassign",            "tile address"},
    {"pto.print",              "#format value"},
    {"pto.set_flag",           "#src_pipe #dst_pipe #event_id"},
    {"pto.wait_flag",          "#src_pipe #dst_pipe #event_id"},
    {"pto.set_flag_dyn",       "#src_pipe #dst_pipe event_id"},
    {"pto.wait_flag_dyn",      "#src_pipe #dst_pipe event_id"},
    {"pto.record_event",       "#src_op #dst_op #event_id"},
    {"pto.wait_event",         "#src_op #dst_op #event_id"},
    {"pto.sync.set",           "#pipe #event_id ~ffts_mode"},
    {"pto.sync.wait",          "#pipe #event_id"},
    {"pto.syncall",            "? ( workspace? cores? ~mode ~core_type"},
    {"pto.comm.tput",          "? ( dst src buf() ~atomicType"},
    {"pto.comm.tget",          "? ( dst src buf()"},
    {"pto.comm.tbroadcast",    "? ( src recv() group() ~root"},
    {"pto.comm.tgather",       "? ( dst recv() group() ~root"},
    {"pto.comm.tscatter",      "? ( src recv() group() ~root"},
    {"pto.comm.treduce",       "? ( dst acc recv() group() ~reduceOp ~root"},
    {"pto.barrier",            "#pipe"},
    {"pto.pipe_barrier",       "#pipe"},
    {"pto.barrier_sync",       "#op_type"},
    {"pto.get_buf",            "#op_type #buf_id ~mode"},
    {"pto.rls_buf",            "#op_type #buf_id ~mode"},
    {"pto.fence.barrier_all",  "#scope"},
    {"pto.cmo.cacheinvalid",   "addr? ~space ~mode"},
    {"scf.yield",              "results*"},
    {"scf.condition",          "condition args*"},
    {"func.return",            "operands*"},
    {"func.call",              "( #callee operands*"},
    {"pto.aic_initialize_pipe", "? ( gm_slot_buffer=? c2v_consumer_buf=? v2c_consumer_buf=?"},
    {"pto.aiv_initialize_pipe", "? ( gm_slot_buffer=? c2v_consumer_buf=? v2c_consumer_buf=?"},
};
// clang-format on

bool take_end(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

std::optional<GenericPart> parse_part(std::string_view text) {
  GenericPart part;
  if (text.starts_with('~')) {
    part.place = GenericPlace::Hint;
    part.optional = true;
    text.remove_prefix(1);
  } else if (text.starts_with('#')) {
    text.remove_prefix(1);
    part.place = take_end(text, "=[]") ? GenericPlace::Numbers : GenericPlace::Attribute;
    part.optional = take_end(text, "?");
  } else if (take_end(text, "=[]")) {
    part.place = GenericPlace::List;
    part.repeated = true;
  } else if (take_end(text, "[]")) {
    part.place = GenericPlace::Index;
    part.repeated = true;
  } else if (take_end(text, "()")) {
    part.place = GenericPlace::Group;
    part.repeated = true;
  } else if (take_end(text, ">")) {
    part.place = GenericPlace::Out;
  } else {
    part.optional = take_end(text, "?");
    part.repeated = take_end(text, "*");
    if (take_end(text, "=")) part.place = GenericPlace::Clause;
  }
  if (text.empty() || text.find_first_of("~#=[]()>?*:") != std::string_view::npos) return {};
  part.name = text;
  return part;
}

// An operand of a signature: a pointer with an index in brackets is two here.
bool add_part(const SignatureOperand& operand, GenericShape& shape) {
  if (operand.sort == OperandSort::Clause) return false;
  GenericPart part{operand.name, GenericPlace::Value, operand.optional, operand.repeated};
  if (operand.sort == OperandSort::Word) part.place = GenericPlace::Attribute;
  shape.parts.push_back(part);
  if (operand.sort == OperandSort::Element)
    shape.parts.push_back({.name = "index", .place = GenericPlace::Index, .repeated = true});
  return true;
}

// Nothing: the signature does not tell.
std::optional<GenericShape> from_signature(OpCode code) {
  const Signature& its = signature(code);
  if (its.own_form || its.forms.size() != 1) return {};
  GenericShape shape;
  const OpRow& row = op_row(code);
  if (row.group == OpGroup::Shared) shape.types = GenericTypes::Both;
  for (const SignatureOperand& operand : its.forms.front().operands) {
    const bool parentheses = operand.sort == OperandSort::Clause && operand.name.empty();
    shape.in_parentheses = shape.in_parentheses || parentheses;
    if (!parentheses) {
      if (!add_part(operand, shape)) return {};
      continue;
    }
    for (const SignatureOperand& inside : operand.operands)
      if (!add_part(inside, shape)) return {};
  }
  return shape;
}

// Which operands of a tile operation are its destinations depends on how many there are.
bool is_of_tiles(const OpRow& row) { return row.group <= OpGroup::TileCube; }

std::vector<std::optional<GenericShape>> all_shapes() {
  std::vector<std::optional<GenericShape>> all;
  for (std::size_t code = 0; code < op_rows().size(); ++code) {
    const OpRow& row = op_rows()[code];
    const auto* listed = std::ranges::find(kRows, row.name, &GenericRow::name);
    if (listed == std::end(kRows)) {
      all.push_back(is_of_tiles(row) ? std::nullopt : from_signature(static_cast<OpCode>(code)));
      continue;
    }
    std::optional<GenericShape> shape = parse_generic_shape(listed->shape);
    assert(shape && "a row of the table of generic forms cannot be read");
    if (row.group == OpGroup::Shared && !signature(static_cast<OpCode>(code)).own_form)
      shape->types = GenericTypes::Both;
    all.push_back(std::move(shape));
  }
  return all;
}

}  // namespace

std::optional<GenericShape> parse_generic_shape(std::string_view text) {
  GenericShape shape;
  shape.certain = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word == "(") shape.in_parentheses = true;
    else if (word == "?") shape.certain = false;
    else if (word == "^") shape.value_moves = true;
    else if (word == "ins") shape.as_ins = true;
    else if (word == ":") shape.types = GenericTypes::Results;
    else if (const auto part = parse_part(word)) shape.parts.push_back(*part);
    else return {};
  }
  return shape;
}

const GenericShape* generic_shape(OpCode code) {
  static const std::vector<std::optional<GenericShape>> shapes = all_shapes();
  return code == kUnknownOp || !shapes[code] ? nullptr : &*shapes[code];
}

}  // namespace ts::text
