// The tree of a program's text. One shape serves every form: an operation is a name, results, and a row of items in text
// order, so that operations nobody gave a meaning yet load, show and print like the others.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/location.h"
#include "core/text/ops/op_table.h"
#include "core/text/source.h"
#include "core/text/type.h"

namespace ts {
class Kernel;
}

namespace ts::text {

using OpId = std::uint32_t;
using BlockId = std::uint32_t;
inline constexpr std::uint32_t kNoId = 0xFFFFFFFFu;

enum class ItemKind : std::uint8_t {
  Use,  // %x, or %x#1 of a pack; the range is %x alone
  Def,  // %x where it is made: a result, perhaps a pack %x:2, a loop variable, a block argument; the range is %x alone
  Element,  // %p[%i, 3]: children: the use, then the indices
  Int,      // 5, -1, 0xFF
  Float,    // 1.0, -2.5e-3
  Bool,     // true, false
  String,   // "PIPE_V"; the range includes the quotes
  Word,     // to, lt, nz2nd, position names: any bare word
  Symbol,   // @name; the range includes the @
  Address,  // @tile(0x1000) or @tile(slot): child Int or Word
  Enum,  // <PIPE_V>; #pto.pipe<PIPE_V>; #pto<cmp lt>; #pto.layout<nd>: children: Word family (when there is one), Word value
  Attr,   // any other #attribute, dense<...>, array<...>: the text as it stands
  List,   // [a, b]: children; a Type without a comma before it belongs to the value before it: [1 : i32]
  Dict,   // {a = b, c}: children Named; style Properties: the <{...}> of a generic operation
  Named,  // name = value, or name alone in a dict: children: the value, if any, and its Type where one is written.
          // The name is `name_of`, without quotes, and empty in `%x = %y`. Style Colon: `name: value`
  Group,  // word(...): ins(...), outs(...), nburst(...), iter_args(...); with an empty name: (...). Children in order
  Types,  // `: T, T` children Type, and Word for decorations such as `loop`; style To: `T to T`; style Parentheses: `(T, T)`
  Arrow,   // `-> T` or `-> (T, T)`; children Type; style Parentheses where they stand
  Type,    // first = TypeId; its spelling
  Param,   // %x: T {attrs}: children Def, Type, and a Dict where there is one; of a declared function the Type alone
  Region,  // { ... }: first = its first block (kNoId: empty)
};
// What stands for a value: in ins(...), in an argument list.
bool is_operand(ItemKind kind);

// How an item is written, where its kind leaves a choice (see there).
// Implied: a name or a word that the text does not hold, see implied_word; a Symbol without its @ and its quotes.
enum class ItemStyle : std::uint8_t { Usual, Properties, Colon, To, Parentheses, Keyed, Bare, KeyedBare, Implied };

// Words that the generic form leaves out, by number. Those that are asked for must be known.
std::string_view implied_word(std::uint32_t number);
std::uint32_t find_implied_word(std::string_view word);

// A type's item keeps how the type is written.
constexpr ItemStyle style_of(TypeSpelling spelling) {
  constexpr ItemStyle kStyles[] = {ItemStyle::Usual, ItemStyle::Keyed, ItemStyle::Bare, ItemStyle::KeyedBare};
  return kStyles[static_cast<int>(spelling)];
}
constexpr TypeSpelling spelling_of(ItemStyle style) {
  switch (style) {
    case ItemStyle::Keyed: return TypeSpelling::Keyed;
    case ItemStyle::Bare: return TypeSpelling::Bare;
    case ItemStyle::KeyedBare: return TypeSpelling::KeyedBare;
    default: return TypeSpelling::Compact;
  }
}

// 24 bytes: files of 200 MB have many of them.
struct Item {
  ItemKind kind;
  bool comma_before = false;
  ItemStyle style = ItemStyle::Usual;
  SourceRange range;
  std::uint32_t name_end = 0;  // Named, Group: the name is [range.begin, name_end), see Implied; Param: see location
  std::uint32_t first = 0;     // first child in Tree::items; Type: TypeId; Region: BlockId; Use, Def: see pack
  std::uint32_t count = 0;     // children

  bool is_named() const { return kind == ItemKind::Group || kind == ItemKind::Named; }

  // A Def may make a pack of values under one name, %x:2; a Use may name one of them, %x#1.
  bool has_pack() const { return first != 0; }                              // a number stands behind the name
  std::uint32_t pack_size() const { return has_pack() ? first : 1; }        // of a Def
  std::uint32_t pack_number() const { return has_pack() ? first - 1 : 0; }  // of a Use
  void set_pack_size(std::uint32_t size) { first = size; }
  void set_pack_number(std::uint32_t number) { first = number + 1; }
  // Of a Param, in Locations::written; kNoId: none.
  std::uint32_t location() const { return name_end - 1; }
  void set_location(std::uint32_t written) { name_end = written + 1; }
};
static_assert(sizeof(Item) == 24);

enum class OpForm : std::uint8_t {
  Dialect,      // pto.tadd ..., arith.addi ..., func.func ..., module, return, call
  Bare,         // F1 and F9: %d = tadd %a, %b : T
  Destination,  // F8: tadd %d, %a, %b : T
  Directive,    // F9: .arg, .const
  Generic,      // "pto.tadd"(%a) ... : (T) -> T
};

struct Op {
  OpForm form = OpForm::Dialect;
  bool in_place = true;      // false: of the generic form, and nobody knows which of its operands is which
  OpCode code = kUnknownOp;  // row of the op table; the name as written is `name`
  SourceRange range, name;   // the whole statement; the name alone (for Generic without its quotes)
  std::uint32_t first_result = 0, result_count = 0;  // Def items in Tree::items
  std::uint32_t first_item = 0, item_count = 0;
  std::uint32_t meant_count = kNoId;  // of the generic form: items behind those written, see meaning
  OpId next = kNoId;                  // in its block
  std::uint32_t location = kNoId;     // in Locations::written
};

struct Block {
  SourceRange label;                           // ^bb0, empty for the entry block without one
  std::uint32_t first_arg = 0, arg_count = 0;  // Param items
  OpId first_op = kNoId;
  BlockId next = kNoId;  // in its region
};

// A comment, which means nothing to the program and is printed back where it stood.
struct Comment {
  SourceRange range;         // with its // or #, without its line break
  bool own_line = false;     // nothing stands before it on its line
  bool is_location = false;  // #loc3 = loc(...)
};

// Normal forms, whatever the spelling:
//   module @x attributes {...} {...}   items: Symbol?, Dict?, Region
//   func.func private @f(...) -> T attributes {...} {...}
//                                      items: Word private?, Symbol, Group "" of Param, Arrow?, Dict?, Region?
//   scf.for unsigned %i = %a to %b step %c iter_args(%x = %y) -> (T) : i32 {...}
//                                      items: Word unsigned?, Def, Use, Use, Use, Group iter_args of Named(Def, Use)?, Arrow?, Types?,
//                                      Region
//   scf.if %c -> (T) {...} else {...}  items: Use, Arrow?, Region, Region?
//   scf.while (%a = %x) : (T) -> (U) {...} do {...}
//                                      items: Group "" of Named, Types, Arrow, Region, Region
//   pto.vecscope {...}                 items: Region
//   %a, %b = tload %x : T -> T         items: Use, Types, Arrow
//   .const %c = 5 : index              result %c; items: Int, Types          .arg %a : T   result %a; items: Types
//   the generic form                   items as they are written: Group "" of operands, Dict, Group "" of Region, Types, Arrow;
//                                      their meaning: what the operation's own form holds
struct Tree {
  std::shared_ptr<const Source> source;
  TypeTable types;
  std::vector<Item> items;
  std::vector<Op> ops;
  std::vector<Block> blocks;
  std::vector<Comment> comments;  // in text order
  Locations locations;
  OpId first_op = kNoId;                 // of the file
  std::shared_ptr<const Kernel> kernel;  // what its functions stand for, where that is compiled code and not their text

  std::span<const Item> children(const Item& item) const { return {items.data() + item.first, item.count}; }
  std::span<const Item> op_items(const Op& op) const { return {items.data() + op.first_item, op.item_count}; }
  // What an operation says, in the normal form above: of the generic form not what is written, but the items that the
  // operation's own form would have.
  std::span<const Item> meaning(const Op& op) const {
    if (op.meant_count == kNoId) return op_items(op);
    return {items.data() + op.first_item + op.item_count, op.meant_count};
  }
  std::span<const Item> results(const Op& op) const { return {items.data() + op.first_result, op.result_count}; }
  std::span<const Item> args(const Block& block) const { return {items.data() + block.first_arg, block.arg_count}; }
  std::string_view text(SourceRange range) const { return source->text(range); }
  std::string_view text(const Item& item) const {
    const bool implied = item.style == ItemStyle::Implied && item.kind == ItemKind::Word;
    return implied ? implied_word(item.first) : source->text(item.range);
  }
  SourceRange name_range(const Item& item) const {
    return item.style == ItemStyle::Implied ? item.range : SourceRange{item.range.begin, item.name_end};
  }
  std::string_view name_of(const Item& item) const {
    return item.style == ItemStyle::Implied ? implied_word(item.name_end) : source->text(name_range(item));
  }
  std::string_view name_of(const Op& op) const { return source->text(op.name); }
  // `loc(...)` as it is written behind an operation or argument; empty: there is none.
  std::string_view location_text(std::uint32_t written) const {
    return written == kNoId ? std::string_view{} : text(locations.written[written].range);
  }
  // Where an operation came from.
  SourceOrigin origin_of(OpId op) const;
  // In what the operation means: the first item of a kind; with a name: first Group or Named of that name (a Named inside a dict counts). Null: none.
  const Item* find(const Op& op, ItemKind kind) const;
  const Item* find(const Op& op, std::string_view name) const;
  std::size_t memory_bytes() const;
};

}  // namespace ts::text
