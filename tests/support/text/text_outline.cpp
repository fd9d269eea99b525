// Outlines of trees.
#include "tests/support/text/text_outline.h"

#include <fmt/format.h>

#include <array>

#include "core/text/parse/parser.h"

namespace ts::test {
namespace {

using namespace ts::text;

constexpr std::array kKinds{"use",   "def",    "element", "int",   "float", "bool",  "string",
                            "word",  "symbol", "address", "enum",  "attr",  "list",  "dict",
                            "named", "group",  "types",   "arrow", "type",  "param", "region"};
constexpr std::array kForms{"", "bare ", "destination ", "directive ", "generic "};

class Outline {
 public:
  explicit Outline(const Tree& tree) : tree_(tree) {}

  std::string text() {
    ops(tree_.first_op, 0);
    return std::move(out_);
  }

 private:
  void ops(OpId id, std::size_t level) {
    for (; id != kNoId; id = tree_.ops[id].next) {
      const Op& op = tree_.ops[id];
      out_.append(2 * level, ' ');
      for (const Item& result : tree_.results(op)) item(result, level), out_ += ' ';
      out_ += fmt::format("{}{}", kForms[static_cast<std::size_t>(op.form)], tree_.name_of(op));
      items(tree_.op_items(op), level);
      out_ += '\n';
      for (const Item& now : tree_.op_items(op)) regions(now, level + 1);
    }
  }

  void regions(const Item& item, std::size_t level) {
    if (item.kind == ItemKind::Group)
      for (const Item& child : tree_.children(item)) regions(child, level);
    if (item.kind != ItemKind::Region) return;
    for (BlockId id = item.first; id != kNoId; id = tree_.blocks[id].next) {
      const Block& block = tree_.blocks[id];
      out_.append(2 * level, ' ');
      out_ += fmt::format("block {}", tree_.text(block.label));
      items(tree_.args(block), level);
      out_ += '\n';
      ops(block.first_op, level + 1);
    }
  }

  void items(std::span<const Item> all, std::size_t level) {
    for (const Item& one : all) {
      out_ += one.comma_before ? ", " : " ";
      item(one, level);
    }
  }

  // What tells two spellings of one kind apart: a pack's size or number, or the style.
  static std::uint32_t mark_of(const Item& now) {
    if (now.kind == ItemKind::Def) return now.has_pack() ? now.pack_size() : 0;
    if (now.kind == ItemKind::Use) return now.has_pack() ? now.pack_number() + 1 : 0;
    if (now.style == ItemStyle::Usual) return 0;
    return now.kind == ItemKind::Types && now.style == ItemStyle::Parentheses ? 2 : 1;
  }

  void item(const Item& now, std::size_t level) {
    out_ += kKinds[static_cast<std::size_t>(now.kind)];
    if (const std::uint32_t mark = mark_of(now); mark != 0) out_ += fmt::format("/{}", mark);
    switch (now.kind) {
      case ItemKind::Type: out_ += ":" + tree_.types.print(now.first); return;
      case ItemKind::Region: return;
      case ItemKind::Named:
      case ItemKind::Group: out_ += fmt::format(":{}", tree_.name_of(now)); break;
      case ItemKind::Element:
      case ItemKind::Address:
      case ItemKind::Enum:
      case ItemKind::List:
      case ItemKind::Dict:
      case ItemKind::Types:
      case ItemKind::Arrow:
      case ItemKind::Param: break;
      default: out_ += fmt::format(":{}", tree_.text(now)); return;
    }
    out_ += "[";
    items(tree_.children(now), level);
    out_ += " ]";
  }

  const Tree& tree_;
  std::string out_;
};

}  // namespace

Parsed parse_text(std::string text) {
  Parsed parsed;
  parsed.tree = text::parse(std::make_shared<text::Source>("test.pto", std::move(text)), parsed.diagnostics);
  return parsed;
}

std::string outline(const text::Tree& tree) { return Outline(tree).text(); }

std::string messages(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) {
    const char* severity = d.severity == Severity::Error ? "" : d.severity == Severity::Warning ? "warning " : "note ";
    out += fmt::format("{}:{} {}{} {}\n", d.pos.line, d.pos.column, severity, d.rule, d.text);
  }
  return out;
}

}  // namespace ts::test
