// The instructions of a program as text.
#include <fmt/format.h>

#include <algorithm>

#include "core/program/execution.h"
#include "core/program/pointing.h"
#include "core/text/ops/op_table.h"
#include "core/text/printer.h"

namespace ts {

std::string Program::operand_name(const Operand& operand) const {
  switch (operand.spec->kind) {
    case OperandKind::Tile: return "%" + tiles[operand.id].name;
    case OperandKind::Global: return "%" + buffers[operand.id].name;
    case OperandKind::Scalar: break;
  }
  if (operand.spec->role == Role::Address) return fmt::format("0x{:x}", operand.scalar.bits);
  return format_value(operand.scalar.dtype, operand.scalar.bits);
}

namespace {

// Of an operation of a queue or between devices: what goes in, or what comes out; and which of its steps this is.
std::string queue_text(const text::Tree& tree, const text::Op& op, std::string_view row) {
  std::string_view name = tree.name_of(op);
  name.remove_prefix(std::min(name.find('.') + 1, name.size()));
  std::string text;
  for (const text::Item& result : tree.results(op)) text += fmt::format("{} = ", tree.text(result));
  text += name;
  if (const text::Item* group = tree.find(op, text::ItemKind::Group))
    for (const text::Item& item : tree.children(*group))
      if (item.kind == text::ItemKind::Use) text += fmt::format(" {}", tree.text(item));
  if (row != name) text += fmt::format(": {}", row);
  return text;
}

// "%v = vlds %p[%i]": the line without its dialect and its types.
std::string micro_text(std::string line) {
  line.resize(std::min(line.find(" : "), line.size()));
  constexpr std::string_view kDialect = "pto.";
  if (const std::size_t at = line.find(kDialect); at != std::string::npos) line.erase(at, kDialect.size());
  return line;
}

}  // namespace

std::string Program::short_text(std::size_t index) const {
  const Instruction& instruction = instructions[index];
  if (listed && tree != nullptr && instruction.op != text::kNoId) {
    // A call as its source has it stands behind the line.
    constexpr std::string_view kBehind = "  // ";
    const std::string_view line = tree->source->line(instruction.pos.line);
    if (const std::size_t at = line.rfind(kBehind); at != std::string_view::npos)
      return std::string(line.substr(at + kBehind.size()));
  }
  if (instruction.row->micro && tree != nullptr) return micro_text(text(index));
  if (tree != nullptr && instruction.op != text::kNoId &&
      text::op_row(tree->ops[instruction.op].code).group == text::OpGroup::Fifo)
    return queue_text(*tree, tree->ops[instruction.op], instruction.row->name);
  if (tree == nullptr || instruction.op == text::kNoId || instruction.row->forms.front().operands.empty())
    return text(index);
  TypeMismatch ignored;
  const Statement statement = read_instruction(*tree, instruction, ignored);
  const auto names = [&](const std::vector<StatementOperand>& operands) {
    std::string out;
    for (const StatementOperand& operand : operands)
      out += fmt::format("{}{}", out.empty() ? "" : ", ", tree->text(*operand.item));
    return out;
  };
  return fmt::format("{} ins({}) outs({})", statement.mnemonic, names(statement.ins), names(statement.outs));
}

std::string Program::text(std::size_t index) const {
  const Instruction& instruction = instructions[index];
  if (tree != nullptr && instruction.op != text::kNoId) return text::print_line(*tree, instruction.op);
  std::string ins, outs;
  for (const Operand& operand : bind_at_start(*this, index).operands) {
    if (operand.implicit || operand.spec->by_attribute) continue;
    std::string& list = operand.spec->role == Role::Out ? outs : ins;
    list += (list.empty() ? "" : ", ") + operand_name(operand);
  }
  std::string attributes;
  for (const Operand& operand : bind_at_start(*this, index).operands)
    if (operand.spec->by_attribute && operand.scalar.bits != 0)
      attributes +=
          fmt::format("{}{} = {}", attributes.empty() ? " {" : ", ", operand.spec->name, operand_name(operand));
  for (std::size_t i = 0; i < instruction.attributes.size(); ++i) {
    const AttributeSpec& spec = instruction.row->attributes[i];
    if (instruction.attributes[i] == 0) continue;
    attributes += fmt::format("{}{} = {}", attributes.empty() ? " {" : ", ", spec.name,
                              value_name(spec.values, instruction.attributes[i]));
  }
  if (!attributes.empty()) attributes += "}";
  if (ins.empty() && outs.empty()) return fmt::format("pto.{}{}", instruction.row->name, attributes);
  return fmt::format("pto.{} ins({}) outs({}){}", instruction.row->name, ins, outs, attributes);
}

}  // namespace ts
