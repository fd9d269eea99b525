// The printer: one statement a line, two blanks a level, names as they are today; of types the text's own spelling.
#include "core/text/printer.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "core/text/parse/lexer.h"
#include "core/text/spelling.h"

namespace ts::text {
namespace {

// Where `else` and `do` stand, and what follows a name in parentheses.
enum class Layout : std::uint8_t { Plain, If, For, While, Function, Module };

Layout layout_of(OpKind kind) {
  switch (kind) {
    case OpKind::If: return Layout::If;
    case OpKind::For: return Layout::For;
    case OpKind::While: return Layout::While;
    case OpKind::Function: return Layout::Function;
    case OpKind::Module: return Layout::Module;
    default: return Layout::Plain;
  }
}

bool is_plain_name(std::string_view name) {
  if (name.empty() || !is_word_start(name[0])) return false;
  for (const char c : name)
    if (!is_word(c)) return false;
  return true;
}

class Printer {
 public:
  Printer(const Tree& tree, bool with_regions, const PrintOptions& options)
      : tree_(tree),
        with_regions_(with_regions),
        with_locations_(options.locations),
        compact_types_(options.compact_types) {}

  std::string file() {
    out_.reserve(tree_.source->text().size());
    const auto end = static_cast<std::uint32_t>(tree_.source->text().size());
    statements(tree_.first_op, end);
    own_line_comments(end + 1);
    return std::move(out_);
  }

  std::string line(OpId op) {
    operation(tree_.ops[op]);
    return std::move(out_);
  }

 private:
  void statements(OpId op, std::uint32_t end) {
    for (; op != kNoId; op = tree_.ops[op].next) {
      const Op& now = tree_.ops[op];
      own_line_comments(now.range.begin);
      blank_line_before(now.range.begin);
      own_line_comments(header_end(now));
      indent();
      operation(now);
      location(now.location);
      trailing_comment(now.next == kNoId ? end : tree_.ops[now.next].range.begin);
      out_ += '\n';
    }
  }

  void location(std::uint32_t written) {
    if (with_locations_ && written != kNoId) out_ += fmt::format(" {}", tree_.location_text(written));
  }

  void operation(const Op& op) {
    for (const Item& result : tree_.results(op)) {
      if (op.form == OpForm::Directive) break;
      if (result.comma_before) out_ += ", ";
      item(result);
    }
    if (op.result_count != 0 && op.form != OpForm::Directive) out_ += " = ";
    const std::string_view name = current_name(tree_, op);
    if (op.form == OpForm::Generic) return out_ += fmt::format("\"{}\"", name), items(tree_.op_items(op), Tight::Yes);
    out_ += name;
    if (op.form == OpForm::Directive) return directive(op);
    switch (layout_of(kind_of(op.code))) {
      case Layout::Plain: return items(tree_.op_items(op), Tight::Yes);
      case Layout::If: return if_then_else(op);
      case Layout::For: return for_loop(op);
      case Layout::While: return while_loop(op);
      case Layout::Function:
      case Layout::Module: return with_attributes(op);
    }
  }

  void directive(const Op& op) {
    out_ += ' ';
    item(tree_.results(op)[0]);
    if (name_is(op, ".const")) out_ += " =";
    items(tree_.op_items(op), Tight::No);
  }

  void if_then_else(const Op& op) {
    const Item* before = nullptr;
    for (const Item& now : tree_.op_items(op)) {
      if (before != nullptr && before->kind == ItemKind::Region && now.kind == ItemKind::Region && with_regions_)
        out_ += " else";
      separate(before, now, Tight::Yes);
      item(now);
      before = &now;
    }
  }

  void for_loop(const Op& op) {
    const auto all = tree_.op_items(op);
    std::size_t at = 0;
    const auto next = [&](const char* before) {
      out_ += before;
      item(all[at++]);
    };
    if (all[0].kind == ItemKind::Word) next(" ");
    next(" ");
    next(" = ");
    next(" to ");
    next(" step ");
    if (all[at].kind == ItemKind::Group) next(" ");
    items(all.subspan(at), Tight::No);
  }

  void while_loop(const Op& op) {
    const Item* before = nullptr;
    for (const Item& now : tree_.op_items(op)) {
      if (before != nullptr && before->kind == ItemKind::Region && with_regions_) out_ += " do";
      separate(before, now, Tight::No);
      item(now);
      before = &now;
    }
  }

  void with_attributes(const Op& op) {
    const Item* before = nullptr;
    for (const Item& now : tree_.op_items(op)) {
      if (now.kind == ItemKind::Dict) out_ += " attributes";
      separate(before, now, Tight::No);
      item(now);
      before = &now;
    }
  }

  // Whether a list or parentheses follow the name without a blank.
  enum class Tight : bool { No, Yes };

  void items(std::span<const Item> all, Tight first) {
    const Item* before = nullptr;
    for (const Item& now : all) {
      separate(before, now, first);
      item(now);
      before = &now;
    }
  }

  // What stands between two items of a statement; `before` is null for the first one behind the name.
  void separate(const Item* before, const Item& now, Tight first) {
    if (hidden(now)) return;
    if (now.comma_before) {
      out_ += ", ";
      return;
    }
    const bool unnamed = now.kind == ItemKind::Group && now.name_end == now.range.begin;
    if (before == nullptr && first == Tight::Yes && (now.kind == ItemKind::List || unnamed)) return;
    if (before != nullptr && before->kind == ItemKind::Symbol && unnamed) return;
    if (before != nullptr && unnamed && tree_.text(*before).starts_with('^')) return;  // ^bb1(%x : T)
    out_ += now.kind == ItemKind::Types ? " : " : " ";
  }

  // A region, or the regions of a generic operation, where only a line is wanted.
  bool hidden(const Item& now) const {
    if (with_regions_) return false;
    return now.kind == ItemKind::Region ||
           (now.kind == ItemKind::Group && now.count != 0 && hidden(tree_.children(now)[0]));
  }

  void item(const Item& now) {
    if (hidden(now)) return;
    switch (now.kind) {
      case ItemKind::Use:
        out_ += tree_.text(now);
        if (now.has_pack()) out_ += fmt::format("#{}", now.pack_number());
        break;
      case ItemKind::Def:
        out_ += tree_.text(now);
        if (now.has_pack()) out_ += fmt::format(":{}", now.pack_size());
        break;
      case ItemKind::Int:
      case ItemKind::Float:
      case ItemKind::Bool:
      case ItemKind::String:
      case ItemKind::Word:
      case ItemKind::Symbol: out_ += tree_.text(now); break;
      case ItemKind::Attr: out_ += attribute_text(tree_.text(now)); break;
      case ItemKind::Element: element(now); break;
      case ItemKind::Address:
        out_ += "@tile(";
        item(tree_.children(now)[0]);
        out_ += ')';
        break;
      case ItemKind::Enum: enumeration(now); break;
      case ItemKind::List: enclosed(now, "[", "]"); break;
      case ItemKind::Dict:
        if (now.style == ItemStyle::Properties) enclosed(now, "<{", "}>");
        else enclosed(now, "{", "}");
        break;
      case ItemKind::Named: named(now); break;
      case ItemKind::Group:
        out_ += tree_.name_of(now);
        enclosed(now, "(", ")");
        break;
      case ItemKind::Types: types(now); break;
      case ItemKind::Arrow:
        out_ += "-> ";
        if (now.style == ItemStyle::Parentheses) enclosed(now, "(", ")");
        else inside(now);
        break;
      case ItemKind::Type: out_ += type_text(now.first, compact_types_ ? ItemStyle::Usual : now.style); break;
      case ItemKind::Param: parameter(now); break;
      case ItemKind::Region: region(now); break;
    }
  }

  void element(const Item& now) {
    const auto parts = tree_.children(now);
    item(parts[0]);
    out_ += '[';
    for (const Item& index : parts.subspan(1)) {
      if (index.comma_before) out_ += ", ";
      item(index);
    }
    out_ += ']';
  }

  void enumeration(const Item& now) {
    const auto words = tree_.children(now);
    const std::string_view value = tree_.text(words.back());
    if (words.size() == 1) {
      out_ += fmt::format("<{}>", value);
      return;
    }
    const std::string_view family = current_family(tree_.text(words[0]));
    out_ += family_stands_inside(family) ? fmt::format("#pto<{} {}>", family, value)
                                         : fmt::format("#pto.{}<{}>", family, value);
  }

  void enclosed(const Item& now, const char* begin, const char* end) {
    out_ += begin;
    inside(now);
    out_ += end;
  }

  // A type without a comma is that of the value before it.
  void inside(const Item& now) {
    const Item* before = nullptr;
    for (const Item& child : tree_.children(now)) {
      const bool of_value =
          now.kind == ItemKind::List && child.kind == ItemKind::Type && !child.comma_before && before != nullptr;
      if (child.comma_before) out_ += ", ";
      else if (of_value || child.kind == ItemKind::Types) out_ += before == nullptr ? ": " : " : ";
      else if (before != nullptr) out_ += ' ';
      item(child);
      before = &child;
    }
  }

  void named(const Item& now) {
    const auto parts = tree_.children(now);
    const std::string_view name = tree_.name_of(now);
    if (name.empty()) {  // %a = %x
      item(parts[0]);
      out_ += " = ";
      item(parts[1]);
      return;
    }
    if (is_plain_name(name)) out_ += name;
    else out_ += fmt::format("\"{}\"", name);
    if (parts.empty()) return;
    out_ += now.style == ItemStyle::Colon ? ": " : " = ";
    item(parts[0]);
    if (parts.size() < 2) return;
    out_ += " : ";
    item(parts[1]);
  }

  void types(const Item& now) {
    if (now.style == ItemStyle::Parentheses) return enclosed(now, "(", ")");
    const auto list = tree_.children(now);
    for (const Item& one : list) {
      const bool last = &one == &list.back();
      if (one.comma_before) out_ += ", ";
      else if (&one != &list.front()) out_ += now.style == ItemStyle::To && last ? " to " : " ";
      item(one);
    }
  }

  void parameter(const Item& now) {
    const auto parts = tree_.children(now);
    for (const Item& part : parts) {
      if (&part != &parts.front()) out_ += part.kind == ItemKind::Type ? ": " : " ";
      item(part);
    }
    location(now.location());
  }

  void region(const Item& now) {
    out_ += '{';
    const std::uint32_t close = now.range.end;
    std::uint32_t inside = close;
    if (now.first != kNoId) inside = block_begin(tree_.blocks[now.first]);
    trailing_comment(inside);
    out_ += '\n';
    ++level_;
    for (BlockId id = now.first; id != kNoId; id = tree_.blocks[id].next) {
      const Block& block = tree_.blocks[id];
      const std::uint32_t end = block.next == kNoId ? close : block_begin(tree_.blocks[block.next]);
      label(block, block.first_op == kNoId ? end : tree_.ops[block.first_op].range.begin);
      statements(block.first_op, end);
    }
    own_line_comments(close);
    --level_;
    indent();
    out_ += '}';
  }

  void label(const Block& block, std::uint32_t first_op) {
    if (block.label.begin == block.label.end) return;
    own_line_comments(block.label.begin);
    --level_;
    indent();
    ++level_;
    out_ += tree_.text(block.label);
    if (block.arg_count != 0) {
      out_ += '(';
      for (const Item& arg : tree_.args(block)) {
        if (arg.comma_before) out_ += ", ";
        item(arg);
      }
      out_ += ')';
    }
    out_ += ':';
    trailing_comment(first_op);
    out_ += '\n';
  }

  std::uint32_t block_begin(const Block& block) const {
    if (block.label.begin != block.label.end) return block.label.begin;
    return block.first_op == kNoId ? 0 : tree_.ops[block.first_op].range.begin;
  }

  // Where the operation's own text ends, and its first region begins.
  std::uint32_t header_end(const Op& op) const {
    for (const Item& item : tree_.op_items(op)) {
      if (item.kind == ItemKind::Region) return item.range.begin;
      if (item.kind != ItemKind::Group || item.count == 0) continue;
      const Item& first = tree_.children(item).front();
      if (first.kind == ItemKind::Region) return first.range.begin;
    }
    return op.range.end;
  }

  // Comments that begin before `end` and were not printed yet, each on its line.
  void own_line_comments(std::uint32_t end) {
    for (; comment_ < tree_.comments.size() && tree_.comments[comment_].range.begin < end; ++comment_) {
      const Comment& comment = tree_.comments[comment_];
      if (comment.is_location && !with_locations_) continue;
      std::string_view text = tree_.text(comment.range);
      blank_line_before(comment.range.begin);
      indent();
      // At the beginning of a line, #x = #y would make an alias.
      if (!comment.own_line && text.size() > 1 && text[0] == '#' && text[1] != ' ') {
        out_ += "# ";
        text.remove_prefix(1);
      }
      out_ += text;
      out_ += '\n';
    }
  }

  // Blank lines divide a text into parts, and stay; several in a row become one.
  void blank_line_before(std::uint32_t begin) {
    if (out_.empty() || out_.ends_with("{\n") || out_.ends_with("\n\n")) return;
    const std::string_view text = tree_.source->text();
    int line_breaks = 0;
    for (; begin > 0 && is_char(text[begin - 1], kSpaceChar); --begin) line_breaks += text[begin - 1] == '\n' ? 1 : 0;
    if (line_breaks > 1) out_ += '\n';
  }

  // The comment behind what was just printed.
  void trailing_comment(std::uint32_t end) {
    if (comment_ >= tree_.comments.size()) return;
    const Comment& next = tree_.comments[comment_];
    if (next.own_line || next.range.begin >= end) return;
    out_ += "  ";
    out_ += tree_.text(next.range);
    ++comment_;
  }

  const std::string& type_text(TypeId id, ItemStyle style) {
    const TypeSpelling spelling = spelling_of(style);
    std::vector<std::string>& texts = types_[static_cast<std::size_t>(spelling)];
    if (texts.size() <= id) texts.resize(tree_.types.size());
    if (texts[id].empty()) texts[id] = tree_.types.print(tree_.types[id], spelling);
    return texts[id];
  }

  bool name_is(const Op& op, std::string_view name) const { return tree_.name_of(op) == name; }
  void indent() { out_.append(2 * level_, ' '); }

  const Tree& tree_;
  const bool with_regions_, with_locations_, compact_types_;
  std::string out_;
  std::array<std::vector<std::string>, 4> types_;  // by spelling and type
  std::size_t level_ = 0, comment_ = 0;
};

}  // namespace

std::string print(const Tree& tree, const PrintOptions& options) { return Printer(tree, true, options).file(); }
std::string print_line(const Tree& tree, OpId op) {
  return Printer(tree, false, {.locations = false, .compact_types = true}).line(op);
}

}  // namespace ts::text
