// Tile types: the current spelling and the older ones.
//   compact      <vec, 16x64xf32, valid=?x1, blayout=col_major, slayout=row_major, fractal=1024, pad=2, compact=1>
//   keyed        <loc=vec, dtype=f16, rows=32, cols=32, v_row=?, v_col=?, blayout=row_major, ...>
//   of the convolution unit, which is TileScope's own: <mat, 1x2x8x8x16xf16, layout=nc1hwc0>
//   positional   <loc=vec, f32, 16, 16, RowMajor, NoneBox, None, Zero>, also without loc=, and with two valid sizes
//   dtype first  <f32, 16, 16>
//   shape first  <16x16xf16>, <32x64xf32, strided<...>, #pto.address_space<vec>>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/text/parse/lexer.h"
#include "core/text/parse/type_reader.h"

namespace ts::text {

// A tile type while it is read, and where its parts stand.
struct TypeReader::TileDraft {
  Type type{.kind = TypeKind::Tile};
  bool has_loc = false, has_valid_rows = false, has_valid_cols = false;
  std::uint32_t slots = 0;  // of several tiles in one
  bool takes_slots = false;
  SourceRange slots_at;
  SourceRange shape_at, valid_rows_at, valid_cols_at;
  std::vector<std::uint32_t> dims;  // of the compact spelling
  SourceRange third_at;             // where the third of them stands
  ConvLayout conv = ConvLayout::None;
};

namespace {

constexpr std::string_view kLocs[] = {"vec", "mat", "left", "right", "acc", "bias", "scaling"};
constexpr const char* kLocList = "one of vec mat left right acc bias scaling";

// Names of the hardware's memories, and the tile location that lies there.
struct Hardware {
  std::string_view name, loc, known_as;
};
constexpr Hardware kHardware[] = {
    {"ub", "vec", "UB"},   {"ubuf", "vec", "UB"},        {"l1", "mat", "L1"},
    {"cbuf", "mat", "L1"}, {"l0a", "left", "L0A"},       {"l0b", "right", "L0B"},
    {"l0c", "acc", "L0C"}, {"bt", "bias", "bias table"}, {"fb", "scaling", "FIXPIPE buffer"}};

// The order of the keyed spelling.
constexpr std::string_view kKeys[] = {"loc",     "dtype",   "rows",    "cols", "v_row",  "v_col",
                                      "blayout", "slayout", "fractal", "pad",  "compact"};
constexpr const char* kKeyOrder = "order loc, dtype, rows, cols, v_row, v_col, blayout, slayout, fractal, pad, compact";
constexpr int kNeededKeys = 4;  // loc to cols

constexpr const char* kPads[] = {"null", "zero", "max", "min"};
constexpr const char* kCompacts[] = {"null", "normal", "row_plus_one"};

int index_of(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// row_major, RowMajor and "row_major" are one word.
std::string layout_key(std::string_view text) {
  std::string out = lower(text);
  std::erase_if(out, [](char c) { return c == '_' || c == '"'; });
  return out;
}

// The element type that has this one's size, for the rules of layout. Sizes below a byte are the caller's matter.
DType dtype_of_size(ScalarKind scalar) {
  if (const auto known = dtype(scalar)) return *known;
  switch (bits(scalar)) {
    case 16: return DType::U16;
    case 32: return DType::U32;
    case 64: return DType::U64;
    default: return DType::U8;
  }
}

}  // namespace

// Behind the name, or at the '<' where there is none.
TypeReader::Maybe TypeReader::tile(std::uint32_t begin, TileName called) {
  if (!expect('<', "before the tile's parameters")) return std::nullopt;
  const bool short_name = called == TileName::Tile;
  skip_space();
  if (called == TileName::MultiTileBuf && peek() == '!') return multi_tile_of(begin);
  if (accept_text("..."))
    return accept('>') ? elided(begin, short_name) : no_type(here(), {.text = "expected '>' after '...'"});
  TileDraft draft;
  draft.takes_slots = called == TileName::MultiTileBuf;
  spelling_ = called == TileName::None ? TypeSpelling::Bare : TypeSpelling::Compact;
  const bool digits = is_digit(peek()) || peek() == '?';
  const std::uint32_t first_at = at_;
  const std::string_view first = digits ? std::string_view{} : word();
  const bool key = !digits && accept('=');
  const bool comma = !digits && accept(',');
  skip_space();
  const bool shape_follows = is_digit(peek()) || peek() == '?';
  at_ = first_at;
  bool read = false;
  if (digits) {
    read = shape_first_tile(draft);
  } else if (key) {
    read = keyed_tile(draft);
  } else if (index_of(kLocs, first) >= 0) {
    read = comma && !shape_follows ? positional_tile(draft) : compact_tile(draft);
  } else if (comma && (first == "predicate" || scalar_kind(first))) {
    read = dtype_first_tile(draft);
  } else if (!comma && first.find('x') != std::string_view::npos && first[0] >= 'A' && first[0] <= 'Z') {
    at_ += static_cast<std::uint32_t>(first.size());  // RxCxi32
    return expect('>', "after the shape") ? elided(begin, short_name) : Maybe{};
  } else {
    location(draft);  // says what a location is
  }
  if (!read || !expect('>', "or ',' in the tile's parameters")) return std::nullopt;
  draft.type.short_tile = short_name && !draft.has_loc;
  return finish_tile(draft, begin);
}

// !pto.multi_tile_buf<!pto.tile_buf<...>, count=2>
TypeReader::Maybe TypeReader::multi_tile_of(std::uint32_t begin) {
  const SourceRange at = here();
  const Maybe one = type();
  if (!one) return std::nullopt;
  if (table_[*one].kind != TypeKind::Tile || table_[*one].short_tile)
    return no_type(at, {.text = "several of what is no tile", .expected = "!pto.tile_buf<...>"});
  TileDraft draft;
  draft.type = table_[*one];
  draft.has_valid_rows = draft.has_valid_cols = draft.takes_slots = true;
  if (!expect(',', "and count=N")) return std::nullopt;
  skip_space();
  if (!accept_text("count")) return no_type(here(), {.text = "expected count=N"});
  if (!expect('=', "after the key") || !slots(draft) || !expect('>', "after the count")) return std::nullopt;
  return finish_tile(draft, begin);
}

// How many tiles a !pto.multi_tile_buf has.
bool TypeReader::slots(TileDraft& draft) {
  constexpr std::uint64_t kLeast = 2, kMost = 16;
  skip_space();
  draft.slots_at = here();
  std::uint64_t count = 0;
  if (!number(count)) return fail(draft.slots_at, {.text = "expected the number of slots", .expected = "2 to 16"});
  if (count < kLeast || count > kMost)
    return mistakes_.error("V60-21", draft.slots_at,
                           {.text = fmt::format("count {} outside {}..{}", count, kLeast, kMost),
                            .hint = "one tile needs no slots; more than 16 do not fit into the type"});
  draft.slots = static_cast<std::uint32_t>(count);
  return true;
}

TypeReader::Maybe TypeReader::elided(std::uint32_t begin, bool short_name) {
  spelling_ = TypeSpelling::Compact;
  const std::string_view spelled = source_.text(since(begin));
  std::string word(spelled[0] == '<' ? "!pto.tile_buf" : "");
  for (const char c : spelled)
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') word += c;
  return table_.add({.kind = TypeKind::Elided, .short_tile = short_name, .word = std::move(word)});
}

bool TypeReader::location(TileDraft& draft) {
  skip_space();
  const SourceRange at = here();
  const std::string_view name = word();
  const int loc = index_of(kLocs, name);
  if (loc >= 0) {
    draft.type.tile.loc = static_cast<TileLoc>(loc);
    draft.has_loc = true;
    return true;
  }
  const auto hardware =
      std::ranges::find(kHardware, lower(name), [](const Hardware& h) { return std::string(h.name); });
  return fail(at, {.text = fmt::format("unknown loc '{}'", source_.text(at)),
                   .expected = kLocList,
                   .hint = hardware == std::end(kHardware)
                               ? ""
                               : fmt::format("did you mean {} ({})?", hardware->loc, hardware->known_as)});
}

bool TypeReader::tile_dtype(TileDraft& draft) {
  skip_space();
  if (peek_word() == "predicate") {
    word();
    draft.type.scalar = ScalarKind::I1;
    return true;
  }
  const auto kind = scalar();
  if (kind) draft.type.scalar = *kind;
  return kind.has_value();
}

bool TypeReader::compact_tile(TileDraft& draft) {
  if (!location(draft) || !expect(',', "after the location") || !compact_shape(draft)) return false;
  std::vector<std::string_view> seen;
  while (accept(',')) {
    skip_space();
    const SourceRange at = here();
    const std::string_view key = word();
    if (std::ranges::find(seen, key) != seen.end())
      return fail(at, {.text = fmt::format("key '{}' is given twice", key)});
    seen.push_back(key);
    if (draft.takes_slots && key == "count") {
      if (!expect('=', "after the key") || !slots(draft)) return false;
      continue;
    }
    const bool known = key == "valid" || key == "layout" || index_of(kKeys, key) >= 6;
    if (!known) {
      return fail(at, {.text = fmt::format("unknown key '{}'", source_.text(at)),
                       .expected = "one of valid blayout slayout fractal pad compact"});
    }
    if (!expect('=', "after the key") || !(key == "layout" ? conv_layout(draft) : key_value(draft, key, at)))
      return false;
  }
  return conv_shape(draft, seen.size());
}

bool TypeReader::conv_layout(TileDraft& draft) {
  skip_space();
  const SourceRange at = here();
  const std::string layout = lower(word());
  for (const ConvLayout one : kConvLayouts)
    if (layout == name(one)) draft.conv = one;
  if (draft.conv != ConvLayout::None) return true;
  return fail(at, {.text = fmt::format("unknown layout '{}'", source_.text(at)),
                   .expected = "nc1hwc0, ndc1hwc0, fractal_z or fractal_z_3d",
                   .hint = "of other tiles blayout says whether rows or columns lie together"});
}

// More than two dimensions are those of a tile of the convolution unit.
bool TypeReader::conv_shape(TileDraft& draft, std::size_t keys) {
  if (draft.conv == ConvLayout::None) {
    if (draft.dims.size() <= 2) return true;
    return fail(draft.third_at, {.text = "a tile has two dimensions",
                                 .expected = "a shape such as 16x64xf32",
                                 .hint = "one of the convolution unit says layout=nc1hwc0, or the like"});
  }
  if (keys > 1)
    return fail(draft.shape_at, {.text = fmt::format("a tile of layout {} has no other key", name(draft.conv)),
                                 .hint = "all of it is valid, without boxes and padding"});
  std::uint64_t elements = 1;
  for (const std::uint32_t dim : draft.dims) elements = std::min<std::uint64_t>(elements * dim, std::uint64_t{1} << 32);
  if (elements == 0 || elements > 0x7FFFFFFF)
    return fail(draft.shape_at, {.text = elements == 0 ? "a dimension is 0" : "the tile is too large"});
  if (draft.type.tile.loc != TileLoc::Mat)
    return mistakes_.error(
        "E-EMULATE", draft.shape_at,
        {.text = fmt::format("{} tiles of layout {} are not emulated yet", name(draft.type.tile.loc), name(draft.conv)),
         .expected = "mat"});
  draft.type.tile = conv_tile(draft.type.tile.dtype, draft.conv, draft.dims);
  draft.has_valid_rows = draft.has_valid_cols = true;
  return true;
}

// 16x64xf32: two dimensions, numbers both; more of them for the convolution unit.
bool TypeReader::compact_shape(TileDraft& draft) {
  skip_space();
  Type shape_type;
  constexpr const char* kNames[] = {"rows", "columns"};
  constexpr const char* kHints[] = {"use valid=?x64 for a run-time row count",
                                    "use valid=16x? for a run-time column count"};
  const std::uint32_t begin = at_;
  for (int i = 0; i < 2; ++i) {
    if (peek() == '?')
      return fail(
          here(),
          {.text = fmt::format("physical {} must be a number", kNames[i]), .expected = "integer", .hint = kHints[i]});
    SourceRange at;
    std::uint32_t& size = i == 0 ? draft.type.tile.rows : draft.type.tile.cols;
    if (!physical(size, at, kNames[i])) return false;
    draft.dims.push_back(size);
    draft.shape_at = since(begin);
    if (!accept_text("x"))
      return fail(here(), {.text = fmt::format("expected 'x' after the physical {}", kNames[i]),
                           .expected = "a shape such as 16x64xf32"});
  }
  draft.third_at = here();
  while (is_digit(peek()) && draft.dims.size() < std::size(draft.type.tile.conv_dims)) {
    SourceRange at;
    if (!physical(draft.dims.emplace_back(), at, "dimensions")) return false;
    draft.shape_at = since(begin);
    if (!accept_text("x")) return fail(here(), {.text = "expected 'x' after the dimension"});
  }
  if (is_digit(peek()) || peek() == '?')
    return fail(draft.third_at, {.text = "a tile has two dimensions", .expected = "a shape such as 16x64xf32"});
  return tile_dtype(draft);
}

bool TypeReader::physical(std::uint32_t& size, SourceRange& at, const char* what) {
  skip_space();
  const std::uint32_t begin = at_;
  std::uint64_t value = 0;
  if (!number(value))
    return fail(here(), {.text = fmt::format("physical {} must be a number", what), .expected = "integer"});
  at = since(begin);
  if (value > 0x7FFFFFFF) return fail(at, {.text = fmt::format("{} {} are too many", source_.text(at), what)});
  size = static_cast<std::uint32_t>(value);
  return true;
}

// `?`, -1 (the same) or a number.
bool TypeReader::valid_size(std::int32_t& size, SourceRange& at) {
  skip_space();
  const std::uint32_t begin = at_;
  if (accept_text("?")) {
    at = since(begin);
    size = kDynamic;
    return true;
  }
  const bool minus = accept_text("-");
  std::uint64_t value = 0;
  if (!number(value)) return fail(here(), {.text = "expected a valid size", .expected = "a number or '?'"});
  at = since(begin);
  if (value > 0x7FFFFFFF || (minus && value != 1))
    return fail(
        at, {.text = fmt::format("valid size {} is out of range", source_.text(at)), .expected = "a number or '?'"});
  size = minus ? kDynamic : static_cast<std::int32_t>(value);
  return true;
}

bool TypeReader::valid_pair(TileDraft& draft) {
  if (!valid_size(draft.type.tile.valid_rows, draft.valid_rows_at)) return false;
  if (!accept_text("x")) return fail(here(), {.text = "valid takes two sizes", .expected = "valid=RxC"});
  if (!valid_size(draft.type.tile.valid_cols, draft.valid_cols_at)) return false;
  draft.has_valid_rows = draft.has_valid_cols = true;
  return true;
}

bool TypeReader::keyed_tile(TileDraft& draft) {
  std::vector<std::pair<int, SourceRange>> keys;
  do {
    skip_space();
    const SourceRange at = here();
    const std::string_view name = word();
    if (keys.size() == 1 && keys[0].first == 0 && (name == "predicate" || scalar_kind(name))) {
      at_ = at.begin;
      return positional_tile(draft);  // loc=vec, f32, ...
    }
    if (draft.takes_slots && name == "count" && draft.slots == 0) {
      if (!expect('=', "after the key") || !slots(draft)) return false;
      continue;
    }
    const int key = index_of(kKeys, name);
    if (key < 0) return fail(at, {.text = fmt::format("unknown key '{}'", source_.text(at)), .expected = kKeyOrder});
    if (std::ranges::any_of(keys, [&](const auto& k) { return k.first == key; }))
      return fail(at, {.text = fmt::format("key '{}' is given twice", name)});
    keys.emplace_back(key, at);
    if (!expect('=', "after the key") || !key_value(draft, name, at)) return false;
  } while (accept(','));
  for (int key = 0; key < kNeededKeys; ++key) {
    if (std::ranges::none_of(keys, [&](const auto& k) { return k.first == key; }))
      return fail(here(), {.text = fmt::format("key '{}' is missing", kKeys[key]), .expected = kKeyOrder});
  }
  check_key_order(keys);
  spelling_ = spelling_ == TypeSpelling::Bare ? TypeSpelling::KeyedBare : TypeSpelling::Keyed;
  return true;
}

void TypeReader::check_key_order(const std::vector<std::pair<int, SourceRange>>& keys) {
  for (auto key = keys.begin(); key != keys.end(); ++key) {
    const int wanted =
        std::min_element(key, keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; })->first;
    if (key->first == wanted) continue;
    mistakes_.remark("W-TYPE", Severity::Warning, key->second,
                     {.text = fmt::format("keys out of order (`{}` expected)", kKeys[wanted]),
                      .expected = kKeyOrder,
                      .hint = "it is accepted, and printed in that order"});
    return;
  }
}

bool TypeReader::key_value(TileDraft& draft, std::string_view key, SourceRange key_at) {
  TileType& tile = draft.type.tile;
  SourceRange at;
  if (key == "valid") return valid_pair(draft);
  if (key == "loc") return location(draft);
  if (key == "dtype") return tile_dtype(draft);
  if (key == "rows") {
    if (!physical(tile.rows, at, "rows")) return false;
    if (draft.shape_at.end == 0) draft.shape_at = at;
    return true;
  }
  if (key == "cols") {
    if (!physical(tile.cols, at, "columns")) return false;
    draft.shape_at = at;
    return true;
  }
  if (key == "v_row") {
    draft.has_valid_rows = true;
    return valid_size(tile.valid_rows, draft.valid_rows_at);
  }
  if (key == "v_col") {
    draft.has_valid_cols = true;
    return valid_size(tile.valid_cols, draft.valid_cols_at);
  }
  if (key == "blayout" || key == "slayout") return layout_word(draft, key);
  if (key == "fractal") return fractal(draft);
  if (key == "compact") return small_number(key, kCompacts, draft.type.compact);
  if (key == "pad") {
    std::uint8_t pad = 0;
    if (!small_number(key, kPads, pad)) return false;
    tile.pad = static_cast<PadKind>(pad);
    return true;
  }
  return fail(key_at, {.text = fmt::format("unknown key '{}'", key)});
}

bool TypeReader::layout_word(TileDraft& draft, std::string_view key) {
  skip_space();
  const bool quoted = accept_text("\"");
  const SourceRange at = here();
  const std::string name = layout_key(word());
  if (quoted && !accept_text("\"")) return fail(at, {.text = "expected a word in quotes"});
  const bool row = name == "rowmajor", col = name == "colmajor";
  if (key == "blayout" && (row || col)) {
    draft.type.tile.blayout = row ? BoxOrder::RowMajor : BoxOrder::ColMajor;
    return true;
  }
  if (key == "slayout" && (row || col || name == "nonebox")) {
    draft.type.tile.slayout = row ? InnerOrder::RowMajor : col ? InnerOrder::ColMajor : InnerOrder::None;
    return true;
  }
  return fail(at, {.text = fmt::format("unknown {} '{}'", key, source_.text(at)),
                   .expected = key == "blayout" ? "row_major or col_major" : "none_box, row_major or col_major"});
}

// pad and compact: a number here; their words are accepted, with a note.
bool TypeReader::small_number(std::string_view key, std::span<const char* const> names, std::uint8_t& value) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) list += fmt::format("{}{} {}", i == 0 ? "" : " ", i, names[i]);
  skip_space();
  const SourceRange at = here();
  std::uint64_t given = names.size();
  if (is_digit(peek())) {
    number(given);
  } else if (const auto found = std::ranges::find(names, lower(peek_word())); found != names.end()) {
    word();
    given = static_cast<std::uint64_t>(found - names.begin());
    std::string hint = fmt::format("write {}={}", key, given);
    mistakes_.remark("W-TYPE", Severity::Note, at,
                     {.text = fmt::format("{} takes an integer here", key), .expected = list, .hint = std::move(hint)});
  }
  if (given >= names.size())
    return fail(at, {.text = fmt::format("unknown {} '{}'", key, source_.text(at)), .expected = list});
  value = static_cast<std::uint8_t>(given);
  return true;
}

bool TypeReader::fractal(TileDraft& draft) {
  skip_space();
  const SourceRange at = here();
  std::uint64_t given = 0;
  const bool is_number = number(given);
  if (!is_number || (given != 16 && given != 32 && given != 512 && given != 1024)) {
    return fail(
        at, {.text = fmt::format("unsupported fractal {}", source_.text(at)), .expected = "32, 512, 1024 (16 old)"});
  }
  draft.type.tile.fractal = static_cast<std::uint32_t>(given);
  return true;
}

// From the location, or from the dtype where the location was read.
bool TypeReader::positional_tile(TileDraft& draft) {
  if (!draft.has_loc && !(location(draft) && expect(',', "after the location"))) return false;
  if (!dtype_first_tile(draft)) return false;
  return positional_words(draft);
}

// f32, 16, 16
bool TypeReader::dtype_first_tile(TileDraft& draft) {
  SourceRange at;
  if (!tile_dtype(draft) || !expect(',', "after the element type")) return false;
  skip_space();
  const std::uint32_t begin = at_;
  if (!physical(draft.type.tile.rows, at, "rows") || !expect(',', "after the rows")) return false;
  if (!physical(draft.type.tile.cols, at, "columns")) return false;
  draft.shape_at = since(begin);
  return true;
}

// [, v_row, v_col] {, word}: blayout, slayout, fractal, pad. Older pages write 16, ? or v_row=?, and RowMajor, NZ, Null.
bool TypeReader::positional_words(TileDraft& draft) {
  int place = 0;
  while (accept(',')) {
    skip_space();
    const std::string_view next = peek_word();
    const bool is_size = next == "v_row" || next == "v_col" || (next.empty() && place < 2 && peek() != '"');
    if (is_size) {
      if (!next.empty()) {
        word();
        if (!expect('=', "after the key")) return false;
      }
      const bool rows = next == "v_row" || (next.empty() && !draft.has_valid_rows);
      TileType& tile = draft.type.tile;
      if (!(rows ? valid_size(tile.valid_rows, draft.valid_rows_at) : valid_size(tile.valid_cols, draft.valid_cols_at)))
        return false;
      (rows ? draft.has_valid_rows : draft.has_valid_cols) = true;
      continue;
    }
    const SourceRange at = here();
    switch (place++) {
      case 0:
        if (!layout_word(draft, "blayout")) return false;
        break;
      case 1:
        if (!layout_word(draft, "slayout")) return false;
        break;
      case 2: {
        if (next.empty()) {
          if (!fractal(draft)) return false;
          break;
        }
        constexpr std::string_view kFractals[] = {"None", "NZ", "ZN", "FR", "RN"};
        if (index_of(kFractals, word()) < 0)
          return fail(at, {.text = fmt::format("unknown fractal '{}'", source_.text(at)),
                           .expected = "None, NZ, ZN, FR or RN"});
        if (draft.type.tile.loc == TileLoc::Acc && next != "None") draft.type.tile.fractal = 1024;
        break;
      }
      case 3: {
        const auto pad = std::ranges::find(kPads, lower(word()));
        if (pad == std::end(kPads) && next != "Invalid")
          return fail(
              at, {.text = fmt::format("unknown pad '{}'", source_.text(at)), .expected = "Null, Zero, Max or Min"});
        draft.type.tile.pad = next == "Invalid" ? PadKind::Null : static_cast<PadKind>(pad - std::begin(kPads));
        break;
      }
      default: return fail(at, {.text = "too many parameters", .expected = "'>'"});
    }
  }
  return true;
}

// 16x16xf16 [, strided<...>] [, #pto.address_space<vec>]
bool TypeReader::shape_first_tile(TileDraft& draft) {
  Type shape_type;
  if (!shape(shape_type, draft.shape_at)) return false;
  std::uint64_t rows = 1;
  for (std::size_t i = 0; i < shape_type.dims.size(); ++i) {
    const std::int64_t size = shape_type.dims[i];
    if (size == kDynamic)
      return fail(draft.shape_at,
                  {.text = "a tile's physical shape must be numbers", .expected = "a shape such as 16x64xf32"});
    if (size > 0x7FFFFFFF ||
        (rows *= i + 1 < shape_type.dims.size() ? static_cast<std::uint64_t>(size) : 1) > 0x7FFFFFFF)
      return fail(draft.shape_at, {.text = "the tile is too large"});
  }
  draft.type.scalar = shape_type.scalar;
  draft.type.tile.rows = static_cast<std::uint32_t>(rows);
  draft.type.tile.cols = static_cast<std::uint32_t>(shape_type.dims.back());
  if (shape_type.dims.size() != 2) draft.type.dims = shape_type.dims;
  if (accept(',')) {
    if (peek_word() == "strided") {
      word();
      const std::uint32_t end = end_of_angles(text_, at_, 4096, Angles::Type);
      if (end == 0) return fail(here(), {.text = "expected '<...>' after strided"});
      at_ = end;
      if (!accept(',')) return true;
    }
    return memory_space(draft);
  }
  return true;
}

bool TypeReader::memory_space(TileDraft& draft) {
  skip_space();
  if (!accept_text("#pto.address_space<"))
    return fail(here(), {.text = "expected a memory", .expected = "#pto.address_space<vec>"});
  const auto hardware = std::ranges::find(kHardware, peek_word(), &Hardware::name);
  if (hardware == std::end(kHardware)) return location(draft) && expect('>', "after the memory's name");
  word();
  draft.type.tile.loc = static_cast<TileLoc>(index_of(kLocs, hardware->loc));
  draft.has_loc = true;
  return expect('>', "after the memory's name");
}

TypeReader::Maybe TypeReader::finish_tile(TileDraft& draft, std::uint32_t begin) {
  TileType& tile = draft.type.tile;
  if (!draft.has_valid_rows) tile.valid_rows = static_cast<std::int32_t>(tile.rows);
  if (!draft.has_valid_cols) tile.valid_cols = static_cast<std::int32_t>(tile.cols);
  tile.dtype = dtype_of_size(draft.type.scalar);
  draft.type.predicate = draft.type.scalar == ScalarKind::I1;
  // A plain name has only what it says; the rest must be printed with the location.
  if (draft.type.short_tile) {
    TileType plain = vec_tile(tile.dtype, tile.rows, tile.cols);
    draft.type.short_tile = tile == plain;
  }
  if (!draft.type.short_tile && !draft.type.dims.empty())
    return no_type(draft.shape_at, {.text = "a tile has two dimensions", .expected = "a shape such as 16x64xf32"});
  if (draft.shape_at.end == 0) draft.shape_at = since(begin);
  if (!legal(draft)) return std::nullopt;
  if (draft.type.short_tile) spelling_ = TypeSpelling::Compact;
  if (!draft.takes_slots) return table_.add(draft.type);
  if (draft.slots == 0)
    return no_type(since(begin), {.text = "how many slots is missing", .expected = "count=2, as the last key"});
  draft.type.kind = TypeKind::MultiTile;
  draft.type.dims = {draft.slots};
  return table_.add(draft.type);
}

// What ts::check_tile_type says, at its place and in the words of text.
bool TypeReader::legal(const TileDraft& draft) {
  const Type& type = draft.type;
  const TileType& tile = type.tile;
  const bool packed = bits(type.scalar) < 8;  // no whole bytes: the rules of rows and boxes do not apply
  Diagnostics found;
  check_tile_type(tile, "the tile", {}, found);
  for (const Diagnostic& d : found) {
    if (packed && (d.rule == "TILE-R2" || d.rule == "TILE-R3")) continue;
    SourceRange at = draft.shape_at;
    Message message{.text = d.text, .hint = d.hint};
    Severity severity = Severity::Error;
    if (d.rule == "G2") {
      const bool rows = tile.valid_rows > static_cast<std::int64_t>(tile.rows);
      at = rows ? draft.valid_rows_at : draft.valid_cols_at;
      message = {.text = rows ? fmt::format("valid rows {} exceed physical rows {}", tile.valid_rows, tile.rows)
                              : fmt::format("valid columns {} exceed physical columns {}", tile.valid_cols, tile.cols)};
    } else if (d.rule == "TILE-R3") {
      const Box box = box_of(tile);
      message.text = tile.cols % box.cols != 0
                         ? fmt::format("{} columns not divisible by box columns {}", tile.cols, box.cols)
                         : fmt::format("{} rows not divisible by box rows {}", tile.rows, box.rows);
    } else if (d.rule == "TILE-R2") {
      const bool row = tile.blayout == BoxOrder::RowMajor;
      const std::uint32_t size = bits(type.scalar) / 8, multiple = BLK / size, length = row ? tile.cols : tile.rows;
      const std::uint64_t whole = (std::uint64_t{length} + multiple - 1) / multiple * multiple;
      const char* what = row ? "columns" : "rows";
      message = {.text = fmt::format("{} of {} bytes is not a multiple of {}", row ? "row" : "column",
                                     std::uint64_t{length} * size, BLK),
                 .expected = fmt::format("{} multiple of {} for {}", what, multiple, name(type.scalar)),
                 .hint = fmt::format("use {} {} with valid={}x{}", whole, what, tile.rows, tile.cols)};
      // Masks of packed bits are tiles of bytes, and narrow ones are common.
      if (size == 1) severity = Severity::Warning;
    }
    if (severity == Severity::Error) return mistakes_.error(d.rule.c_str(), at, std::move(message));
    mistakes_.remark(d.rule.c_str(), severity, at, std::move(message));
  }
  return true;
}

}  // namespace ts::text
