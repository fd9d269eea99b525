// From operand names to places in the text.
#include "core/program/pointing.h"

#include <algorithm>

#include "core/text/tree.h"

namespace ts {
namespace {

// The shape inside a type, which is what rules mostly speak of; the whole type where none is written.
text::SourceRange shape_in(const text::Tree& tree, text::SourceRange type) {
  const std::string_view spelled = tree.text(type);
  const auto begins = [&](std::size_t at) {
    const char c = spelled[at], before = spelled[at - 1];
    return (c == '?' || (c >= '0' && c <= '9')) && (before == '<' || before == ' ' || before == ',');
  };
  for (std::size_t at = 1; at < spelled.size(); ++at) {
    if (!begins(at)) continue;
    const std::size_t end = std::min(spelled.find_first_of(",>", at), spelled.size());
    return {type.begin + static_cast<std::uint32_t>(at), type.begin + static_cast<std::uint32_t>(end)};
  }
  return type;
}

// A micro-operation has its operands in a row, words among them, and its results in front.
const text::Item* item_of_micro(const Statement& statement, std::size_t operand) {
  for (const StatementOperand& in : statement.ins) {
    if (in.item->kind == text::ItemKind::String || in.item->kind == text::ItemKind::Word) continue;
    if (operand-- == 0) return in.item;
  }
  return operand < statement.outs.size() ? statement.outs[operand].item : nullptr;
}

void point_at(const Program& program, text::SourceRange where, Diagnostic& diagnostic) {
  diagnostic.pos = program.tree->source->position(where.begin);
  diagnostic.span = program.tree->source->span(where);
}

}  // namespace

Statement read_instruction(const text::Tree& tree, const Instruction& instruction, TypeMismatch& mismatch) {
  const FormShape shape{.results = instruction.row->forms[instruction.form].results(), .scalar_in = {}};
  Statement statement = read_statement(tree, tree.ops[instruction.op], shape, mismatch);
  tile_goes_out(*instruction.row, statement);
  return statement;
}

void point_at_operand(const Program& program, std::size_t index, Diagnostic& diagnostic) {
  const Instruction& instruction = program.instructions[index];
  if (program.tree == nullptr || instruction.op == text::kNoId || diagnostic.operand.empty() ||
      instruction.row->forms.empty())
    return;
  TypeMismatch ignored;
  const Statement statement = read_instruction(*program.tree, instruction, ignored);
  if (instruction.row->micro) {
    const auto use = std::ranges::find_if(instruction.operands,
                                          [&](const OperandUse& one) { return one.spec->name == diagnostic.operand; });
    const text::Item* item = item_of_micro(statement, static_cast<std::size_t>(use - instruction.operands.begin()));
    if (use != instruction.operands.end() && item != nullptr) point_at(program, item->range, diagnostic);
    return;
  }
  std::size_t next_in = 0, next_out = 0;
  for (const OperandUse& use : instruction.operands) {
    const bool out = use.spec->role == Role::Out;
    const auto& operands = out ? statement.outs : statement.ins;
    const std::size_t at = out ? next_out++ : next_in++;
    if (use.spec->name != diagnostic.operand || at >= operands.size()) continue;
    const text::SourceRange where =
        operands[at].type == kNoType ? operands[at].item->range : shape_in(*program.tree, operands[at].type_range);
    return point_at(program, where, diagnostic);
  }
}

}  // namespace ts
