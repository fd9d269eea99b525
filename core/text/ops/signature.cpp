// Reads signatures, and makes those of the catalogue's instructions.
#include "core/text/ops/signature.h"

#include <algorithm>
#include <cassert>

#include "core/catalogue/catalogue.h"

namespace ts::text {
namespace {

struct SortRow {
  std::string_view spelling;
  const char* name;
};
// By OperandSort. The spelling of a clause is its parentheses.
// clang-format off
constexpr SortRow kSorts[] = {
    {"T", "tile"},        {"S", "scalar"},          {"I", "integer"},     {"P", "pointer"},      {"W", "partition view"},
    {"TV", "tensor view"}, {"V", "vector register"}, {"M", "mask"},        {"A", "align"},        {"X", "pointer with an index"},
    {"N", "word"},        {"E", "event"},           {"?", "value"},       {{}, "clause"},
};
// clang-format on

std::optional<OperandSort> sort_from(std::string_view spelling) {
  for (std::size_t i = 0; i < std::size(kSorts); ++i)
    if (!spelling.empty() && kSorts[i].spelling == spelling) return static_cast<OperandSort>(i);
  return std::nullopt;
}

bool is_name(std::string_view text) {
  const auto is_name_char = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && std::ranges::all_of(text, is_name_char);
}

// Reads one alternative from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<SignatureForm> form() {
    SignatureForm form;
    if (!list(form.operands, "")) return std::nullopt;
    if (take("->")) {
      if (!list(form.results, "") || form.results.empty()) return std::nullopt;
    }
    skip_spaces();
    return text_.empty() ? std::optional(form) : std::nullopt;
  }

 private:
  void skip_spaces() {
    while (text_.starts_with(' ')) text_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  std::string_view word(std::string_view ends) {
    skip_spaces();
    const std::string_view found = text_.substr(0, text_.find_first_of(ends));
    text_.remove_prefix(found.size());
    return found;
  }

  // Operands up to the end, an arrow, or `close`, which is taken.
  bool list(std::vector<SignatureOperand>& out, std::string_view close) {
    while (true) {
      skip_spaces();
      if (!close.empty() && take(close)) return true;
      if (text_.empty() || text_.starts_with("->")) return close.empty();
      SignatureOperand operand;
      if (!read(operand)) return false;
      out.push_back(std::move(operand));
    }
  }

  bool read(SignatureOperand& operand) {
    operand.name = word(":( ");
    if (!is_name(operand.name) && !(operand.name.empty() && text_.starts_with('('))) return false;
    if (take("(")) {
      operand.sort = OperandSort::Clause;
      if (!list(operand.operands, ")")) return false;
    } else {
      if (!take(":")) return false;
      // The kind may be a question mark, so it is at least one character.
      const std::size_t size = text_.starts_with('?') ? 1 : text_.find_first_of("?* )");
      const auto sort = sort_from(text_.substr(0, size));
      if (!sort) return false;
      operand.sort = *sort;
      text_.remove_prefix(std::min(size, text_.size()));
    }
    if (text_.starts_with('?')) {
      operand.optional = true;
      text_.remove_prefix(1);
    } else if (text_.starts_with('*')) {
      operand.repeated = true;
      text_.remove_prefix(1);
    }
    return text_.empty() || text_.starts_with(' ') || text_.starts_with(')');
  }

  std::string_view text_;
};

void count(const std::vector<SignatureOperand>& operands, std::size_t& least, std::size_t& most) {
  for (const SignatureOperand& operand : operands) {
    if (operand.sort == OperandSort::Clause) continue;
    if (operand.repeated) {
      most = kUnlimited;
    } else {
      if (!operand.optional) ++least;
      if (most != kUnlimited) ++most;
    }
  }
}

void count(SignatureForm& form) {
  count(form.operands, form.least_operands, form.most_operands);
  count(form.results, form.least_results, form.most_results);
}

OperandSort sort_of(OperandKind kind) {
  switch (kind) {
    case OperandKind::Tile: return OperandSort::Tile;
    case OperandKind::Global: return OperandSort::Partition;
    case OperandKind::Scalar: return OperandSort::Scalar;
  }
  return OperandSort::Any;
}

Signature from_catalogue(const InstructionRow& row) {
  Signature signature;
  for (const FormRow& form : row.forms) {
    SignatureForm& made = signature.forms.emplace_back();
    for (const OperandSpec& spec : form.operands) {
      if (spec.by_attribute) continue;
      auto& side = spec.role == Role::Out ? made.results : made.operands;
      side.push_back({.name = spec.name,
                      .sort = sort_of(spec.kind),
                      .optional = spec.optional,
                      .repeated = false,
                      .operands = {}});
    }
    count(made);
  }
  return signature;
}

std::vector<Signature> all_signatures() {
  std::vector<Signature> all;
  const auto rows = op_rows();
  for (std::size_t code = 0; code < rows.size(); ++code) {
    if (rows[code].instruction != nullptr) {
      all.push_back(from_catalogue(*rows[code].instruction));
      continue;
    }
    auto parsed = parse_signature(rows[code].signature);
    assert(parsed && "a signature of the table cannot be read");
    all.push_back(parsed ? std::move(*parsed) : Signature{.own_form = true, .forms = {}});
  }
  return all;
}

}  // namespace

const char* name(OperandSort sort) { return kSorts[static_cast<std::size_t>(sort)].name; }

const Signature& signature(OpCode code) {
  static const std::vector<Signature> all = all_signatures();
  assert(code < all.size());
  return all[code];
}

std::optional<Signature> parse_signature(std::string_view text) {
  Signature signature;
  if (text == "!") {
    signature.own_form = true;
    return signature;
  }
  constexpr std::string_view kOr = " | ";
  while (true) {
    const std::size_t end = text.find(kOr);
    auto form = Reader(text.substr(0, end)).form();
    if (!form) return std::nullopt;
    count(*form);
    signature.forms.push_back(std::move(*form));
    if (end == std::string_view::npos) return signature;
    text.remove_prefix(end + kOr.size());
  }
}

}  // namespace ts::text
