// Reads types: all spellings of them, current and old. Each distinct spelling is read once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text/mistakes.h"
#include "core/text/source.h"
#include "core/text/type.h"

namespace ts::text {

// Spellings to types. Half empty at least, so that a lookup reads a slot or two.
class SpellingIndex {
 public:
  struct Entry {
    TypeId type = 0;
    TypeSpelling spelling = TypeSpelling::Compact;
  };
  const Entry* find(std::string_view spelled) const;
  void add(std::string_view spelled, Entry entry);

 private:
  struct Slot {
    std::string_view spelled;
    std::uint64_t hash = 0;
    Entry entry = {};
  };
  void insert(const Slot& slot);

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::size_t used_ = 0;
};

class TypeReader {
 public:
  TypeReader(const Source& source, TypeTable& table, Mistakes& mistakes, std::uint32_t most_depth)
      : source_(source), text_(source.text()), table_(table), mistakes_(mistakes), most_depth_(most_depth) {}

  struct Found {
    TypeId id;
    std::uint32_t end;  // just behind it
    TypeSpelling spelling;
  };
  // The type at `offset`, where no space stands. Nothing: the error was told.
  std::optional<Found> read(std::uint32_t offset);
  // `!name = type`
  void add_alias(std::string_view name, TypeId type, TypeSpelling spelling) { aliases_[name] = {type, spelling}; }
  // Whether a word alone is a type, or begins one.
  static bool is_type_word(std::string_view word);
  // Whether this spelling was read before.
  bool knows(std::string_view spelled) const { return known_.find(spelled) != nullptr; }

 private:
  struct TileDraft;
  using Maybe = std::optional<TypeId>;

  // Where the spelling at `offset` ends, without reading it; 0: not known.
  std::uint32_t spelled_end(std::uint32_t offset) const;

  // type_reader.cpp
  Maybe type();
  Maybe word_type();
  Maybe dialect_type();
  Maybe function_type();
  Maybe types_in_parentheses(std::vector<TypeId>& list);
  Maybe type_without_name();
  Maybe view(TypeKind kind);
  Maybe pointer();
  Maybe vreg();
  Maybe mask();
  Maybe event_array();
  Maybe local_array();
  Maybe structure();
  Maybe memref();
  Maybe vector();
  bool shape(Type& type, SourceRange& dims_at);
  std::optional<ScalarKind> scalar();

  // tile_reader.cpp
  enum class TileName : std::uint8_t { None, TileBuf, Tile, MultiTileBuf };  // !pto.tile, ...
  Maybe tile(std::uint32_t begin, TileName called);
  Maybe multi_tile_of(std::uint32_t begin);
  bool slots(TileDraft& draft);
  bool compact_tile(TileDraft& draft);
  bool keyed_tile(TileDraft& draft);
  bool positional_tile(TileDraft& draft);
  bool dtype_first_tile(TileDraft& draft);
  bool shape_first_tile(TileDraft& draft);
  bool location(TileDraft& draft);
  bool tile_dtype(TileDraft& draft);
  bool compact_shape(TileDraft& draft);
  bool conv_layout(TileDraft& draft);
  bool conv_shape(TileDraft& draft, std::size_t keys);
  bool key_value(TileDraft& draft, std::string_view key, SourceRange key_at);
  bool valid_pair(TileDraft& draft);
  bool physical(std::uint32_t& size, SourceRange& at, const char* what);
  bool valid_size(std::int32_t& size, SourceRange& at);
  bool layout_word(TileDraft& draft, std::string_view key);
  bool small_number(std::string_view key, std::span<const char* const> names, std::uint8_t& value);
  bool fractal(TileDraft& draft);
  bool positional_words(TileDraft& draft);
  bool memory_space(TileDraft& draft);
  void check_key_order(const std::vector<std::pair<int, SourceRange>>& keys);
  Maybe finish_tile(TileDraft& draft, std::uint32_t begin);
  bool legal(const TileDraft& draft);
  Maybe elided(std::uint32_t begin, bool short_name);

  // The cursor. Only blanks and line breaks may stand inside a type.
  char peek(std::uint32_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip_space();
  bool accept(char c);  // after space
  bool accept_text(std::string_view what);
  bool expect(char c, const char* where);
  std::string_view word();  // after space; empty where none stands
  std::string_view peek_word();
  bool number(std::uint64_t& value);  // digits only; too large ones stop at 2^63
  SourceRange here() const;           // the word, the number or the character at hand
  SourceRange since(std::uint32_t begin) const { return {begin, at_}; }
  bool fail(SourceRange at, Message message) { return mistakes_.error("E-TYPE", at, std::move(message)); }
  Maybe no_type(SourceRange at, Message message);

  const Source& source_;
  std::string_view text_;
  TypeTable& table_;
  Mistakes& mistakes_;
  std::uint32_t most_depth_, depth_ = 0, at_ = 0;
  SpellingIndex known_;
  std::unordered_map<std::string_view, SpellingIndex::Entry> aliases_;
  TypeSpelling spelling_ = TypeSpelling::Compact;  // of the type at hand, as far as it was read
};

}  // namespace ts::text
