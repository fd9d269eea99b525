// All types but tiles, and the cursor. Dimension lists are read character by character: in 0x10 the x is a cross.
#include "core/text/parse/type_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "core/text/parse/lexer.h"

namespace ts::text {
namespace {

constexpr std::uint32_t kMostSpelledBytes = 4096;
constexpr std::uint32_t kVregBits = 8 * VL;

constexpr std::string_view kSimpleTypes[] = {"align", "pipe",           "async_session",         "async_event",
                                             "event", "fmatrix_config", "prefetch_async_context"};

// Names of a pointer's memory: as printed, and as tiles call it.
// clang-format off
constexpr std::pair<std::string_view, std::string_view> kSpaces[] = {
    {"gm", "gm"},    {"ub", "vec"},  {"l1", "mat"},     {"l0a", "left"}, {"l0b", "right"},
    {"l0c", "acc"},  {"bt", "bias"}, {"fb", "scaling"}, {"zero", "zero"}};

// Words of documents in the place of a scalar type.
bool is_placeholder(std::string_view word) { return word == "dtype" || word == "T"; }

// One blank for each stretch of blanks and line breaks.
std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!space) line += c;
    if (space && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}
// clang-format on

std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ull;
  std::uint64_t hash = text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, text.data(), 8);
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 32;
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, text.data(), text.size());
  hash = (hash ^ rest) * kOdd;
  return hash ^ hash >> 32;
}

}  // namespace

const SpellingIndex::Entry* SpellingIndex::find(std::string_view spelled) const {
  const std::uint64_t hash = hash_of(spelled);
  for (std::size_t at = hash & (slots_.size() - 1); !slots_[at].spelled.empty(); at = (at + 1) & (slots_.size() - 1))
    if (slots_[at].hash == hash && slots_[at].spelled == spelled) return &slots_[at].entry;
  return nullptr;
}

void SpellingIndex::add(std::string_view spelled, Entry entry) {
  if (2 * ++used_ > slots_.size()) {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : old)
      if (!slot.spelled.empty()) insert(slot);
  }
  insert({spelled, hash_of(spelled), entry});
}

void SpellingIndex::insert(const Slot& slot) {
  std::size_t at = slot.hash & (slots_.size() - 1);
  while (!slots_[at].spelled.empty()) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = slot;
}

bool TypeReader::is_type_word(std::string_view word) {
  return word == "memref" || word == "vector" || word == "none" || is_placeholder(word) ||
         scalar_kind(word).has_value();
}

std::optional<TypeReader::Found> TypeReader::read(std::uint32_t offset) {
  const std::uint32_t end = spelled_end(offset);
  const std::string_view spelled = text_.substr(offset, end > offset ? end - offset : 0);
  if (!spelled.empty()) {
    if (const SpellingIndex::Entry* known = known_.find(spelled)) return Found{known->type, end, known->spelling};
  }
  at_ = offset;
  spelling_ = TypeSpelling::Compact;
  const Maybe id = type();
  if (!id) return std::nullopt;
  if (at_ == end) known_.add(spelled, {*id, spelling_});
  return Found{*id, at_, spelling_};
}

std::uint32_t TypeReader::spelled_end(std::uint32_t offset) const {
  std::uint32_t end = offset;
  if (end < text_.size() && text_[end] == '!') ++end;
  while (end < text_.size() && is_word(text_[end])) ++end;
  if (end >= text_.size() || text_[end] != '<') return end;
  return end_of_angles(text_, end, kMostSpelledBytes, Angles::OneLine);
}

TypeReader::Maybe TypeReader::type() {
  skip_space();
  switch (peek()) {
    case '!': return dialect_type();
    case '(': return function_type();
    case '<': return type_without_name();
    default: return word_type();
  }
}

TypeReader::Maybe TypeReader::word_type() {
  const std::uint32_t begin = at_;
  const std::string_view name = word();
  if (name.empty()) return no_type(here(), {.text = "expected a type"});
  if (name == "none") return table_.add({});
  if (name == "memref") return memref();
  if (name == "vector") return vector();
  if (is_placeholder(name)) return table_.add({.kind = TypeKind::Elided, .word = std::string(name)});
  const auto kind = scalar_kind(name);
  if (!kind) {
    return no_type(since(begin),
                   {.text = fmt::format("unknown type '{}'", name),
                    .expected = "f16, bf16, f32, i8 to i64, ui8 to ui64, index, or a type that begins with !pto."});
  }
  return table_.add({.kind = TypeKind::Scalar, .scalar = *kind});
}

TypeReader::Maybe TypeReader::dialect_type() {
  const std::uint32_t begin = at_++;
  const std::string_view full = word();
  if (const auto alias = aliases_.find(full); alias != aliases_.end()) {
    spelling_ = alias->second.spelling;
    return alias->second.type;
  }
  const std::string_view name = full.starts_with("pto.") ? full.substr(4) : std::string_view{};
  if (name == "tile_buf" || name == "tile") return tile(begin, name == "tile" ? TileName::Tile : TileName::TileBuf);
  if (name == "multi_tile_buf") return tile(begin, TileName::MultiTileBuf);
  if (name == "tensor_view") return view(TypeKind::TensorView);
  if (name == "partition_tensor_view" || name == "tile_view") return view(TypeKind::PartitionView);
  if (name == "ptr") return accept('<') ? pointer() : no_type(here(), {.text = "expected '<' after !pto.ptr"});
  if (name == "vreg") return vreg();
  if (name == "mask") return mask();
  if (name == "eventid_array") return event_array();
  if (name == "local_array") return local_array();
  if (name == "struct") return structure();
  if (const auto kind = scalar_kind("!" + std::string(full)))
    return table_.add({.kind = TypeKind::Scalar, .scalar = *kind});
  if (std::ranges::find(kSimpleTypes, name) != std::end(kSimpleTypes))
    return table_.add({.kind = TypeKind::Simple, .word = std::string(name)});
  return no_type(
      since(begin),
      {.text = fmt::format("unknown type '!{}'", full),
       .expected = "!pto.tile_buf, tile, multi_tile_buf, tensor_view, partition_tensor_view, ptr, vreg, mask, "
                   "align, local_array, struct, eventid_array, pipe, event, async_session, async_event, "
                   "prefetch_async_context or fmatrix_config"});
}

// Where the operation knows what stands there: a tile, or a pointer <f32, ub>.
TypeReader::Maybe TypeReader::type_without_name() {
  const std::uint32_t begin = at_;
  accept('<');
  const std::uint32_t inside = at_;
  const bool scalar_first = scalar_kind(word()).has_value();
  const bool space_or_end = accept('>') || (accept(',') && !is_digit((skip_space(), peek())));
  at_ = inside;
  if (scalar_first && space_or_end) return pointer();
  at_ = begin;
  return tile(begin, TileName::None);
}

TypeReader::Maybe TypeReader::types_in_parentheses(std::vector<TypeId>& list) {
  accept('(');
  if (accept(')')) return TypeId{0};
  do {
    const Maybe one = type();
    if (!one) return std::nullopt;
    list.push_back(*one);
  } while (accept(','));
  if (!expect(')', "after the types")) return std::nullopt;
  return TypeId{0};
}

TypeReader::Maybe TypeReader::function_type() {
  if (depth_ >= most_depth_) {
    mistakes_.error("E-DEPTH", here(), {.text = fmt::format("types nest deeper than {}", most_depth_)});
    return std::nullopt;
  }
  ++depth_;
  Type made{.kind = TypeKind::Function};
  const Maybe read = [&]() -> Maybe {
    if (!types_in_parentheses(made.inputs)) return std::nullopt;
    skip_space();
    if (!accept_text("->")) return no_type(here(), {.text = "expected '->' after the types in parentheses"});
    skip_space();
    if (peek() == '(') return types_in_parentheses(made.results);
    const Maybe result = type();
    if (result) made.results.push_back(*result);
    return result;
  }();
  --depth_;
  spelling_ = TypeSpelling::Compact;  // that of the types inside is not kept
  if (!read) return std::nullopt;
  return table_.add(made);
}

TypeReader::Maybe TypeReader::view(TypeKind kind) {
  if (!expect('<', "before the shape")) return std::nullopt;
  Type made{.kind = kind};
  SourceRange at;
  if (!shape(made, at) || !expect('>', "after the shape")) return std::nullopt;
  return table_.add(made);
}

// Behind the '<'.
TypeReader::Maybe TypeReader::pointer() {
  Type made{.kind = TypeKind::Ptr, .word = "gm"};
  const auto element = scalar();
  if (!element) return std::nullopt;
  made.scalar = *element;
  if (accept(',')) {
    skip_space();
    const bool attribute = accept_text("#pto.address_space<");
    const SourceRange at = here();
    const std::string_view name = word();
    const auto space =
        std::ranges::find_if(kSpaces, [&](const auto& s) { return name == s.first || name == s.second; });
    if (space == std::end(kSpaces))
      return no_type(at, {.text = fmt::format("unknown memory '{}'", source_.text(at)),
                          .expected = "gm ub l1 l0a l0b l0c bt or fb"});
    made.word = space->first;
    if (attribute && !expect('>', "after the memory's name")) return std::nullopt;
  }
  if (!expect('>', "after the pointer's type")) return std::nullopt;
  return table_.add(made);
}

TypeReader::Maybe TypeReader::vreg() {
  if (!expect('<', "before the lanes")) return std::nullopt;
  Type made{.kind = TypeKind::Vreg};
  SourceRange at;
  if (!shape(made, at)) return std::nullopt;
  const std::uint32_t lane_bits = bits(made.scalar);
  const std::string wanted = fmt::format("!pto.vreg<{}x{}>", kVregBits / lane_bits, name(made.scalar));
  if (made.dims.size() != 1 || made.dims[0] == kDynamic)
    return no_type(at, {.text = "a vreg has one number of lanes", .expected = wanted});
  if (made.dims[0] != kVregBits / lane_bits) {
    const auto lanes = static_cast<std::uint64_t>(made.dims[0]);
    std::string text =
        fmt::format("{} lanes x {} bits = {} bits, a vreg has {}", lanes, lane_bits, lanes * lane_bits, kVregBits);
    if (lanes > 0xFFFFFFFFu) text = fmt::format("{} lanes are too many, a vreg has {} bits", lanes, kVregBits);
    return no_type(at, {.text = std::move(text), .expected = wanted});
  }
  if (!expect('>', "after the lanes' type")) return std::nullopt;
  return table_.add(made);
}

TypeReader::Maybe TypeReader::mask() {
  if (peek() != '<') return table_.add({.kind = TypeKind::Mask});
  accept('<');
  const SourceRange at = here();
  const std::string_view name = word();
  Type made{.kind = TypeKind::Mask};
  if (name == "b8" || name == "b16" || name == "b32") {
    made.mask_bits = name == "b8" ? 8 : name == "b16" ? 16 : 32;
  } else {
    return no_type(
        at, {.text = fmt::format("unknown mask granularity '{}'", source_.text(at)), .expected = "b8, b16 or b32"});
  }
  if (!expect('>', "after the mask's granularity")) return std::nullopt;
  return table_.add(made);
}

TypeReader::Maybe TypeReader::event_array() {
  if (!expect('<', "before the number of events")) return std::nullopt;
  skip_space();
  const SourceRange at = here();
  std::uint64_t count = 0;
  if (!number(count)) return no_type(at, {.text = "expected the number of events"});
  if (!expect('>', "after the number of events")) return std::nullopt;
  return table_.add({.kind = TypeKind::EventArray, .dims = {static_cast<std::int64_t>(count)}});
}

TypeReader::Maybe TypeReader::local_array() {
  if (!expect('<', "before the array's shape")) return std::nullopt;
  Type made{.kind = TypeKind::LocalArray};
  SourceRange at;
  if (!shape(made, at)) return std::nullopt;
  if (made.dims.empty() || std::ranges::any_of(made.dims, [](std::int64_t size) { return size <= 0; }))
    return no_type(at,
                   {.text = "a local array has dimensions, numbers above 0", .expected = "!pto.local_array<32xi32>"});
  if (!expect('>', "after the array's shape")) return std::nullopt;
  return table_.add(made);
}

TypeReader::Maybe TypeReader::structure() {
  if (depth_ >= most_depth_) {
    mistakes_.error("E-DEPTH", here(), {.text = fmt::format("types nest deeper than {}", most_depth_)});
    return std::nullopt;
  }
  if (!expect('<', "before the types of its fields")) return std::nullopt;
  Type made{.kind = TypeKind::Struct};
  ++depth_;
  const bool read = [&] {
    do {
      const Maybe field = type();
      if (!field) return false;
      made.inputs.push_back(*field);
    } while (accept(','));
    return expect('>', "after the types of its fields");
  }();
  --depth_;
  spelling_ = TypeSpelling::Compact;
  if (!read) return std::nullopt;
  return table_.add(made);
}

TypeReader::Maybe TypeReader::memref() {
  const std::uint32_t open = at_;
  if (!expect('<', "after memref")) return std::nullopt;
  const std::uint32_t end = end_of_angles(text_, open, kMostSpelledBytes, Angles::Type);
  if (end == 0) return no_type({open, open + 1}, {.text = "'<' is not closed"});
  Type made{.kind = TypeKind::Memref};
  SourceRange at;
  if (!shape(made, at)) return std::nullopt;
  skip_space();
  if (at_ + 1 != end) {
    if (!expect(',', "or '>' after the memref's shape")) return std::nullopt;
    made.word = in_one_line(text_.substr(at_, end - 1 - at_));
    if (made.word.empty()) return no_type({end - 1, end}, {.text = "expected a layout or a memory"});
  }
  at_ = end;
  return table_.add(made);
}

TypeReader::Maybe TypeReader::vector() {
  if (!expect('<', "after vector")) return std::nullopt;
  Type made{.kind = TypeKind::Vector};
  SourceRange at;
  if (!shape(made, at)) return std::nullopt;
  if (made.dims.empty()) return no_type(here(), {.text = "a vector has dimensions", .expected = "vector<4xi16>"});
  if (!expect('>', "after the vector's shape")) return std::nullopt;
  return table_.add(made);
}

// {dim x} scalar. `dims_at` gets the dimensions' place, or the scalar's where there are none.
bool TypeReader::shape(Type& type, SourceRange& dims_at) {
  skip_space();
  dims_at = here();
  while (is_digit(peek()) || peek() == '?') {
    std::uint64_t size = 0;
    if (peek() == '?') {
      ++at_;
      type.dims.push_back(kDynamic);
    } else {
      number(size);
      type.dims.push_back(static_cast<std::int64_t>(size));
    }
    dims_at.end = at_;
    if (!accept_text("x"))
      return fail(here(), {.text = "expected 'x' after a dimension", .expected = "a shape such as 16x64xf32"});
  }
  const auto element = scalar();
  if (element) type.scalar = *element;
  return element.has_value();
}

std::optional<ScalarKind> TypeReader::scalar() {
  skip_space();
  const SourceRange at = here();
  const bool dialect = accept_text("!pto.");
  const std::string_view name = word();
  if (const auto kind = dialect ? scalar_kind(fmt::format("!pto.{}", name)) : scalar_kind(name)) return kind;
  fail(at, {.text = fmt::format("unknown element type '{}'", source_.text(at)),
            .expected = "f16, bf16, f32, i8 to i64, ui8 to ui64, ..."});
  return std::nullopt;
}

void TypeReader::skip_space() {
  while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') ++at_;
}

bool TypeReader::accept(char c) {
  const std::uint32_t before = at_;
  skip_space();
  const bool found = peek() == c;
  at_ = found ? at_ + 1 : before;
  return found;
}

bool TypeReader::accept_text(std::string_view what) {
  if (text_.substr(at_, what.size()) != what) return false;
  at_ += static_cast<std::uint32_t>(what.size());
  return true;
}

bool TypeReader::expect(char c, const char* where) {
  if (accept(c)) return true;
  return fail(here(), {.text = fmt::format("expected '{}' {}", c, where)});
}

std::string_view TypeReader::word() {
  skip_space();
  const std::uint32_t begin = at_;
  if (!is_word_start(peek())) return {};
  while (is_word(peek())) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view TypeReader::peek_word() {
  const std::uint32_t before = at_;
  const std::string_view next = word();
  at_ = before;
  return next;
}

bool TypeReader::number(std::uint64_t& value) {
  constexpr std::uint64_t kMost = 0x7FFFFFFFFFFFFFFFull;
  if (!is_digit(peek())) return false;
  value = 0;
  for (; is_digit(peek()); ++at_) {
    const auto digit = static_cast<std::uint64_t>(peek() - '0');
    value = value > (kMost - digit) / 10 ? kMost : 10 * value + digit;
  }
  return true;
}

SourceRange TypeReader::here() const {
  std::uint32_t begin = at_;
  while (begin < text_.size() && (text_[begin] == ' ' || text_[begin] == '\t')) ++begin;
  std::uint32_t end = begin;
  if (end < text_.size() && text_[end] == '!') ++end;
  while (end < text_.size() && is_word(text_[end])) ++end;
  const auto size = static_cast<std::uint32_t>(text_.size());
  return {begin, std::min(size, std::max(end, begin + 1))};
}

TypeReader::Maybe TypeReader::no_type(SourceRange at, Message message) {
  fail(at, std::move(message));
  return std::nullopt;
}

}  // namespace ts::text
