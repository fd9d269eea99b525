// Old words and what they are called now.
#include "core/text/spelling.h"

#include <algorithm>
#include <iterator>

namespace ts::text {
namespace {

constexpr std::string_view kInside[] = {
    "cmp",           "round_mode", "saturation_mode", "precision_mode",    "st_phase",       "atomic_type",
    "relu_pre_mode", "gather_oob", "scatter_oob",     "scatter_atomic_op", "quant_type",     "acc_phase",
    "notify_op",     "wait_cmp",   "reduce_op",       "mx_group_axis",     "quant_scale_alg"};

// A name may be exchanged only where the rest of the statement stays as it is: same group, same signature. Of operations
// with a form of their own that is known where both are of one kind.
bool differ_in_name_only(const OpRow& old_row, const OpRow& now) {
  if (old_row.group != now.group || old_row.signature != now.signature) return false;
  return old_row.signature != "!" || old_row.kind == now.kind;
}

}  // namespace

std::string_view current_name(const Tree& tree, const Op& op) {
  const std::string_view written = tree.name_of(op);
  if (op.code == kUnknownOp) return written;
  const OpRow& row = op_row(op.code);
  // Of a view it is an old name; of a tile the name of today.
  if (row.kind == OpKind::Subview && op.form == OpForm::Dialect && tree.find(op, ItemKind::Element) == nullptr)
    return "pto.partition_view";
  if (row.current.empty()) return written;
  const OpCode now = find_op(row.current);
  if (now == kUnknownOp || !differ_in_name_only(row, op_row(now))) return written;
  const bool bare = written.find('.') == std::string_view::npos;
  return bare ? row.current.substr(row.current.find('.') + 1) : row.current;
}

std::string_view current_family(std::string_view family) {
  return family == "sync_op_type" ? "pipe_event_type" : family;
}

bool family_stands_inside(std::string_view family) {
  return family.ends_with("_precision") || std::ranges::find(kInside, family) != std::end(kInside);
}

std::string attribute_text(std::string_view text) {
  std::string line;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool space = !quoted && (c == ' ' || c == '\t' || c == '\r' || c == '\n');
    if (!space) line += c;
    if (space && line.back() != ' ') line += ' ';
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\' && i + 1 < text.size()) line += text[++i];
  }
  return line;
}

}  // namespace ts::text
