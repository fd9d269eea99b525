// The parser while it works. parser.cpp reads statements, parse_items.cpp what stands in them, parse_regions.cpp the
// operations with regions and a grammar of their own.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/lexer.h"
#include "core/text/parse_limits.h"
#include "core/text/mistakes.h"
#include "core/text/tree.h"
#include "core/text/type_reader.h"

namespace ts::text {

class Parser {
 public:
  Parser(Tree& tree, Mistakes& mistakes, const ParseLimits& limits);
  void parse_file();

 private:
  // What a failed statement must be taken back to.
  struct Mark {
    std::size_t ops, items, blocks, scratch;
    std::uint32_t begin;
    int parens, braces;
    std::uint32_t depth;
  };
  // Of the statement at hand.
  struct Shape {
    bool bare = false;        // a line is a statement
    bool known = false;       // without regions, `{` begins a dictionary
    bool has_regions = false; // `{` begins a region
    bool takes_else = false;
    bool after_outs = false;  // name = value may have a type
    bool complete = false;    // types or results were read: no operand can follow
    bool words_first = false; // its first operand is a word
  };
  enum class Read : std::uint8_t { Operation, Nothing, Failed };
  enum class Where : std::uint8_t { Op, Group, List, Value };
  enum class Guess : std::uint8_t { Region, Dict };
  class Deeper;

  // Statements.
  OpId statements();  // up to the end of the block; the first operation
  OpId statement();
  Read read_statement();
  bool operation(Op& op);
  bool results(Op& op);
  bool named_operation(Op& op);
  bool generic_operation(Op& op);
  bool directive(Op& op);
  void find_code(Op& op, std::string_view name);
  bool label();
  Read alias();
  void skip_to_next_statement(const Mark& mark);
  bool block_ends() const;
  bool statement_begins();
  bool continues_line() const;
  bool results_ahead();
  bool ended(const Shape& shape);
  bool semicolon_ends();
  bool skip_location();

  // Operations with a grammar of their own.
  bool module();
  bool function();
  bool parameters();
  bool parameter();
  bool for_loop();
  bool while_loop();
  bool initial_values();
  bool region();
  BlockId blocks();
  bool block_label(Block& block);
  void tell_unclosed(SourceRange open);

  // Items. Each leaves one item on the scratch stack.
  bool op_items(Shape& shape);
  bool op_item(Shape& shape);
  bool operand(Where where);
  bool use(Where where);
  bool word(Where where);
  bool value();  // and its `: type`
  bool symbol();
  bool attribute(Where where);
  bool raw_attribute(std::uint32_t begin, std::uint32_t open);
  bool in_angles();
  bool list();
  bool dict();
  bool group(SourceRange name);
  bool types(bool in_group);
  bool types_in_parentheses();
  bool type_or_decoration();
  bool type();
  bool arrow();
  bool definition(bool pack);
  void leaf(ItemKind kind);
  bool brace_begins_dict(Guess otherwise);

  // The scratch stack: children first, then their parent takes them.
  struct Open {
    std::size_t children;
    std::uint32_t begin;
  };
  Open open() const { return {scratch_.size(), token().range.begin}; }
  Item& close(const Open& open, ItemKind kind);
  std::pair<std::uint32_t, std::uint32_t> move_to_tree(std::size_t from);

  // Tokens.
  const Token& token() const { return lexer_.token(); }
  bool at(Tok kind) const { return token().kind == kind; }
  bool at_word(std::string_view word) const { return at(Tok::Word) && lexer_.text() == word; }
  std::string_view text() const { return lexer_.text(); }
  void advance();
  bool accept(Tok kind);
  bool accept_word(std::string_view word);
  bool expect(Tok kind, const char* what);
  bool expect_word(std::string_view word);
  bool unexpected(std::string expected);
  bool syntax_error(SourceRange at, Message message);
  char char_after_blanks(std::uint32_t offset) const;
  DiagnosticNote opened(SourceRange at, const char* what) const;

  Tree& tree_;
  Mistakes& mistakes_;
  const ParseLimits& limits_;
  Lexer lexer_;
  TypeReader types_;
  std::vector<Item> scratch_;
  std::unordered_map<std::string_view, Item> attribute_aliases_;
  std::uint32_t depth_ = 0;
  int parens_ = 0, braces_ = 0;
  bool lines_end_statements_ = true, generic_ = false;  // of the statement at hand
  bool told_depth_ = false, told_unclosed_ = false;
};

// One level of nesting, as long as it lives. Where that is one too many, the error is told and `ok` is false.
class Parser::Deeper {
 public:
  explicit Deeper(Parser& parser);
  ~Deeper() { --parser_.depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  bool ok() const { return ok_; }

 private:
  Parser& parser_;
  bool ok_;
};

}  // namespace ts::text
