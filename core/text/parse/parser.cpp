// Statements: where each begins and ends, what kind it is, and how reading goes on after a mistake.
#include "core/text/parse/parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/catalogue/row.h"
#include "core/text/parse/generic_form.h"
#include "core/text/parse/parser_state.h"

namespace ts::text {
namespace {

// Offsets are 32 bits wide.
constexpr std::size_t kMostBytes = 0xFFFFFFF0u;

// Operations of other dialects that text writes without their dialect.
bool is_short_name(std::string_view word) { return word == "module" || word == "call" || word == "return"; }

bool makes_a_tile(const OpRow& row) {
  const std::size_t arrow = row.signature.find("->");
  if (arrow != std::string_view::npos) return row.signature.find(":T", arrow) != std::string_view::npos;
  if (row.instruction == nullptr || row.instruction->effect == Effect::BindsAddress) return false;
  return std::ranges::any_of(row.instruction->forms[0].operands, [](const OperandSpec& operand) {
    return operand.role == Role::Out && operand.kind == OperandKind::Tile;
  });
}

bool has_regions(OpKind kind) {
  switch (kind) {
    case OpKind::If:
    case OpKind::ExecuteRegion:
    case OpKind::IndexSwitch:
    case OpKind::VectorSection:
    case OpKind::CubeSection:
    case OpKind::VecScope:
    case OpKind::StrictVecScope:
    case OpKind::OtherRegion: return true;
    default: return false;
  }
}

void parse_text(Tree& tree, Mistakes& mistakes, const ParseLimits& limits) {
  const Source& source = *tree.source;
  const std::size_t bytes = source.text().size(), most = std::min(limits.most_bytes, kMostBytes);
  if (bytes > most) {
    mistakes.error(
        "E-SIZE", {0, 0},
        {.text = fmt::format("the text has {} bytes, more than {}", bytes, most),
         .hint = most < kMostBytes ? fmt::format("--max-size {} reads it", bytes) : "split it into several files"});
    return;
  }
  if (const std::uint32_t bad = source.first_bad_utf8(); bad < bytes) {
    mistakes.error("E-UTF8", {bad, bad},
                   {.text = fmt::format("byte 0x{:02X} is not UTF-8", static_cast<unsigned char>(source.text()[bad])),
                    .hint = "save the text as UTF-8; nothing of it was read"});
    return;
  }
  Parser(tree, mistakes, limits).parse_file();
}

}  // namespace

Tree parse(std::shared_ptr<const Source> source, Diagnostics& out, const ParseLimits& limits) {
  Tree tree;
  tree.source = std::move(source);
  Mistakes mistakes(*tree.source, limits, out);
  parse_text(tree, mistakes, limits);
  mistakes.finish();
  return tree;
}

Parser::Parser(Tree& tree, Mistakes& mistakes, const ParseLimits& limits)
    : ItemReader(tree, mistakes, limits), locations_(tree, mistakes, limits.most_depth) {
  // Most texts need about this much; what is not used is never touched.
  const std::size_t bytes = tree.source->text().size();
  tree_.items.reserve(bytes / 8);
  tree_.ops.reserve(bytes / 40);
}

void Parser::parse_file() {
  OpId last = kNoId;
  while (!at(Tok::End) && !mistakes_.gives_up()) {
    const OpId first = statements();
    if (first != kNoId) (last == kNoId ? tree_.first_op : tree_.ops[last].next) = first;
    for (OpId op = first; op != kNoId; op = tree_.ops[op].next) last = op;
    if (at(Tok::End) || mistakes_.gives_up()) break;
    mistakes_.set_statement_failed(false);
    syntax_error(token().range, {.text = at(Tok::RBrace) ? "unmatched '}'" : "a block's label outside of a region"});
    advance();
  }
  locations_.finish();
}

bool Parser::block_ends() const { return at(Tok::End) || at(Tok::RBrace) || at(Tok::Caret) || mistakes_.gives_up(); }

OpId Parser::statements() {
  OpId first = kNoId, last = kNoId;
  for (;;) {
    while (accept(Tok::Semicolon)) {
    }
    if (block_ends()) return first;
    const OpId op = statement();
    if (op == kNoId) continue;
    (last == kNoId ? first : tree_.ops[last].next) = op;
    last = op;
  }
}

// The operation, or kNoId where there is none: a mistake, an alias, a comment.
OpId Parser::statement() {
  const bool outer_failed = mistakes_.statement_failed(), outer_lines = lines_end_statements_, outer_generic = generic_;
  mistakes_.set_statement_failed(false);
  lines_end_statements_ = true;
  generic_ = false;
  const Mark mark{tree_.ops.size(),
                  tree_.items.size(),
                  tree_.blocks.size(),
                  scratch_.size(),
                  token().range.begin,
                  parens_,
                  braces_,
                  depth_};
  const Read read = read_statement();
  scratch_.resize(mark.scratch);
  if (read == Read::Failed) {
    tree_.ops.resize(mark.ops);
    tree_.items.resize(mark.items);
    tree_.blocks.resize(mark.blocks);
    skip_to_next_statement(mark);
  }
  mistakes_.set_statement_failed(outer_failed);
  lines_end_statements_ = outer_lines;
  generic_ = outer_generic;
  return read == Read::Operation ? static_cast<OpId>(mark.ops) : kNoId;
}

Parser::Read Parser::read_statement() {
  if (at(Tok::Hash) || at(Tok::Bang)) return alias();
  if (at(Tok::Word) && !is_dialect_name(text()) && lexer_.at(token().range.end) == ':')
    return label() ? Read::Nothing : Read::Failed;
  if (!at(Tok::Word) && !at(Tok::Ssa) && !at(Tok::String)) {
    unexpected("an operation");
    return Read::Failed;
  }
  // Its number comes before those in its regions: operations stand in text order.
  const std::size_t id = tree_.ops.size();
  tree_.ops.emplace_back();
  Op op;
  op.range.begin = token().range.begin;
  const std::size_t first = scratch_.size();
  if (!operation(op)) return Read::Failed;
  std::tie(op.first_item, op.item_count) = move_to_tree(first);
  op.range.end = lexer_.previous_end();
  if (op.form == OpForm::Generic) {
    op.meant_count = static_cast<std::uint32_t>(meant_.size());
    tree_.items.insert(tree_.items.end(), meant_.begin(), meant_.end());
  }
  if (!location(op.location)) return Read::Failed;
  accept(Tok::Semicolon);
  tree_.ops[id] = op;
  return Read::Operation;
}

bool Parser::operation(Op& op) {
  if (at(Tok::Ssa) && !results(op)) return false;
  if (at(Tok::String)) return generic_operation(op);
  if (!at(Tok::Word)) return unexpected("an operation");
  if (text()[0] == '.') return directive(op);
  return named_operation(op);
}

// %a, %b:2 =
bool Parser::results(Op& op) {
  const std::size_t first = scratch_.size();
  do {
    const bool comma = scratch_.size() != first;
    if (!at(Tok::Ssa)) return unexpected("the name of a result");
    if (!definition(true)) return false;
    scratch_.back().comma_before = comma;
  } while (accept(Tok::Comma));
  std::tie(op.first_result, op.result_count) = move_to_tree(first);
  return expect(Tok::Equal, "'=' and an operation");
}

bool Parser::named_operation(Op& op) {
  const std::string_view name = text();
  op.name = token().range;
  Shape shape;
  shape.bare = !is_dialect_name(name) && !is_short_name(name);
  lines_end_statements_ = shape.bare;
  find_code(op, name);
  advance();
  if (shape.bare) {
    const bool first_is_destination = op.result_count == 0 && makes_a_tile(op_row(op.code));
    op.form = first_is_destination ? OpForm::Destination : OpForm::Bare;
  }
  const OpKind kind = kind_of(op.code);
  switch (kind) {
    case OpKind::Module: return module();
    case OpKind::Function: return function();
    case OpKind::For: return for_loop();
    case OpKind::While: return while_loop();
    default: break;
  }
  shape.known = op.code != kUnknownOp;
  shape.has_regions = has_regions(kind);
  shape.takes_else = kind == OpKind::If;
  shape.words_first = kind == OpKind::Compare;
  return op_items(shape);
}

void Parser::find_code(Op& op, std::string_view name) {
  const bool full = is_dialect_name(name) || is_short_name(name);
  op.code = full ? find_op(name) : find_bare_op(name);
  if (op.code != kUnknownOp) return;
  Message message{.text = fmt::format("unknown op '{}'", name)};
  const std::vector<std::string> near = similar_ops(name);
  if (!near.empty()) message.hint = fmt::format("did you mean `{}`?", fmt::join(near, "`, `"));
  mistakes_.error("E-OP", op.name, std::move(message));
}

// "pto.tadd"(%a, %b) <{...}> ({...}) {...} : (T, T) -> T
bool Parser::generic_operation(Op& op) {
  op.form = OpForm::Generic;
  op.name = {token().range.begin + 1, token().range.end - 1};
  lines_end_statements_ = false;
  generic_ = true;
  find_code(op, lexer_.text(op.name));
  advance();
  if (!at(Tok::LParen)) return unexpected("'(' and the operands");
  Shape shape;
  const std::size_t first = scratch_.size();
  if (!op_items(shape)) return false;
  op.range.end = lexer_.previous_end();
  meant_.clear();
  const std::span<const Item> written{scratch_.data() + first, scratch_.size() - first};
  return GenericForm(tree_, mistakes_, op, written).read(op, meant_);
}

// .arg %a : T          .const %c = 5 : index
bool Parser::directive(Op& op) {
  op.form = OpForm::Directive;
  op.name = token().range;
  const bool constant = text() == ".const";
  if (!constant && text() != ".arg")
    return mistakes_.error("E-OP", op.name,
                           {.text = fmt::format("unknown directive '{}'", text()), .expected = ".arg or .const"});
  if (op.result_count != 0) return syntax_error(op.name, {.text = "a directive has no result before it"});
  advance();
  const std::size_t first = scratch_.size();
  if (!at(Tok::Ssa)) return unexpected("the name of a value");
  if (!definition(false)) return false;
  std::tie(op.first_result, op.result_count) = move_to_tree(first);
  if (constant && (!expect(Tok::Equal, "'=' and a number") || !operand(Where::Value))) return false;
  if (!at(Tok::Colon)) return unexpected("':' and a type");
  return types(false);
}

// Assembly of older pages names places to jump to; nothing jumps.
bool Parser::label() {
  mistakes_.remark("W-LABEL", Severity::Warning, token().range,
                   {.text = fmt::format("label '{}' means nothing here", text())});
  advance();
  advance();
  return true;
}

// #name = attribute          !name = type
Parser::Read Parser::alias() {
  const SourceRange name = token().range;
  if (char_after_blanks(name.end) != '=') {
    if (at(Tok::Bang)) return unexpected("an operation"), Read::Failed;
    lexer_.skip_line_as_comment();
    return Read::Nothing;
  }
  const bool is_type = at(Tok::Bang);
  if (!is_type && location_behind(tree_.source->text(), name.end) != 0) {
    lexer_.skip_line_as_comment();
    return Read::Nothing;
  }
  if (braces_ != 0) return syntax_error(name, {.text = "an alias inside of a region"}), Read::Failed;
  advance();
  advance();
  const std::string_view key = lexer_.text({name.begin + 1, name.end});
  if (is_type) {
    if (!type()) return Read::Failed;
    types_.add_alias(key, scratch_.back().first, spelling_of(scratch_.back().style));
    return Read::Nothing;
  }
  if (!operand(Where::Value)) return Read::Failed;
  attribute_aliases_[key] = scratch_.back();
  lexer_.add_alias(key);
  return Read::Nothing;
}

// loc(...), where there is one.
bool Parser::location(std::uint32_t& written) {
  if (!at_word("loc") || char_after_blanks(token().range.end) != '(') return true;
  const SourceRange word = token().range;
  const std::uint32_t end = end_of_location(tree_.source->text(), word.end);
  if (end == 0)
    return syntax_error(word, {.text = "a location that is not closed", .expected = "loc(...) on one line"});
  written = locations_.read({word.begin, end});
  lexer_.advance_from(end);
  return true;
}

// Goes to where the next statement of the same block begins, or to the block's end.
void Parser::skip_to_next_statement(const Mark& mark) {
  if (token().range.begin == mark.begin) advance();
  for (; !at(Tok::End) && !mistakes_.gives_up(); advance()) {
    if (braces_ > mark.braces) continue;
    if (at(Tok::RBrace) || (at(Tok::Caret) && token().on_new_line)) break;
    const bool balanced = parens_ <= mark.parens;
    if (balanced && lines_end_statements_ && token().on_new_line && !continues_line()) break;
    if (balanced && at(Tok::Semicolon) && semicolon_ends()) break;
    if ((balanced || token().on_new_line) && statement_begins()) break;
  }
  parens_ = mark.parens;
  braces_ = mark.braces;
}

}  // namespace ts::text
