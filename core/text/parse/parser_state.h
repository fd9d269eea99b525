// The parser while it works: statements (parser.cpp), and operations with regions and a grammar of their own
// (parse_regions.cpp).
#pragma once

#include <string_view>

#include "core/text/parse/item_reader.h"
#include "core/text/parse/location_reader.h"

namespace ts::text {

class Parser final : ItemReader {
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
  enum class Read : std::uint8_t { Operation, Nothing, Failed };

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
  bool location(std::uint32_t& written);

  // Operations with a grammar of their own.
  bool module();
  bool function();
  bool parameters();
  bool parameter();
  bool for_loop();
  bool while_loop();
  bool initial_values();
  bool region() override;
  BlockId blocks();
  bool block_label(Block& block);
  void tell_unclosed(SourceRange open);

  LocationReader locations_;
  std::vector<Item> meant_;           // of the generic form that was read last
  bool lines_end_statements_ = true;  // of the statement at hand
  bool told_unclosed_ = false;
};

}  // namespace ts::text
