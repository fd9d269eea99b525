// From a text to bytes at their places.
#include "core/debug/edits/edit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>

#include "core/debug/elements/cell_text.h"
#include "core/debug/elements/elements.h"
#include "core/memory/place_word.h"
#include "core/program/pointing.h"
#include "core/text/tree.h"

namespace ts {
namespace {

constexpr const char* kForms = kEditForms;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

// Tabs stay: at an end, they stand beside an empty cell.
std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \r\n";
  const std::size_t first = text.find_first_not_of(kBlanks), last = text.find_last_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

// Decimal, or hexadecimal with 0x; all of the text.
std::optional<std::uint32_t> whole_number(std::string_view text) {
  text = trimmed(text);
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint32_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return text.empty() || wrong != std::errc() || end != text.data() + text.size() ? std::nullopt
                                                                                  : std::optional(number);
}

// "3", or "0..3", both ends of which belong to it.
struct Span {
  std::uint32_t first = 0, last = 0;
  std::uint64_t count() const { return std::uint64_t{last} - first + 1; }
};
std::optional<Span> read_span(std::string_view text) {
  const std::size_t dots = text.find("..");
  const auto first = whole_number(text.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : whole_number(text.substr(dots + 2));
  return !first || !last || *last < *first ? std::nullopt : std::optional(Span{*first, *last});
}

// The parts of "NAME[A,B]=VALUE@12".
struct Parts {
  std::string_view name, index, value;  // no index: a number of the program
  bool has_index = false, half_open = false;
  std::optional<std::uint32_t> position = {};
};
std::variant<Parts, Refusal> parts_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return Refusal{fmt::format("'{}' changes nothing: there is no =", text), kForms};
  Parts parts{.name = trimmed(text.substr(0, equals)), .index = {}, .value = without_blanks(text.substr(equals + 1))};
  if (const std::size_t at = parts.value.rfind('@'); at != std::string_view::npos) {
    parts.position = whole_number(parts.value.substr(at + 1));
    if (!parts.position)
      return Refusal{fmt::format("'{}' is no step", parts.value.substr(at + 1)),
                     "behind @ stands a step's number: @12"};
    parts.value = without_blanks(parts.value.substr(0, at));
  }
  if (const std::size_t open = parts.name.find('['); open != std::string_view::npos) {
    parts.half_open = parts.name.ends_with(')');
    if (!parts.half_open && !parts.name.ends_with(']'))
      return Refusal{fmt::format("'{}' has no ] at its end", parts.name), kForms};
    parts.index = parts.name.substr(open + 1, parts.name.size() - open - 2);
    parts.name = trimmed(parts.name.substr(0, open));
    parts.has_index = true;
  }
  if (parts.name.starts_with('%')) parts.name.remove_prefix(1);
  if (parts.name.empty()) return Refusal{fmt::format("'{}' names nothing", text), kForms};
  if (parts.value.empty()) return Refusal{fmt::format("'{}' gives no value", text), kForms};
  return parts;
}

// Rows of words. Of a spreadsheet, tabs are between them, and an empty cell leaves its element as it is; else blanks or commas.
std::vector<std::vector<std::string_view>> table_of(std::string_view text) {
  std::vector<std::vector<std::string_view>> rows;
  const bool tabs = text.find('\t') != std::string_view::npos;
  while (true) {
    const std::size_t end = text.find_first_of(";\n");
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::vector<std::string_view> row;
    while (!line.empty()) {
      const std::size_t stop = line.find_first_of(tabs ? "\t" : " ,");
      const std::string_view word = trimmed(line.substr(0, stop));
      if (!word.empty() || tabs) row.push_back(word.empty() ? kUndefinedText : word);
      if (stop == std::string_view::npos) break;
      line.remove_prefix(stop + 1);
      if (line.empty() && tabs) row.push_back(kUndefinedText);
    }
    if (!row.empty()) rows.push_back(std::move(row));
    if (end == std::string_view::npos) return rows;
    text.remove_prefix(end + 1);
  }
}

// Bytes that are changed, one by one; in the end they are runs.
class ChangedBytes {
 public:
  ChangedBytes(Questions& run, std::uint32_t position, Space space, CoreId core)
      : run_(run), position_(position), space_(space), core_(core) {}

  void set(ByteRange place, std::uint64_t bits) {
    if (place.part == BytePart::Whole) {
      for (std::uint32_t i = 0; i < place.size; ++i)
        bytes_[place.address + i] = static_cast<std::uint8_t>(i < 8 ? bits >> (8 * i) : 0);
      return;
    }
    const std::uint8_t low = place.part == BytePart::Low ? 0x0F : 0xF0;
    merge(place.address, low, static_cast<std::uint8_t>(place.part == BytePart::Low ? bits & 0xF : (bits & 0xF) << 4));
  }
  void set_bit(std::uint32_t address, unsigned bit, bool on) {
    merge(address, static_cast<std::uint8_t>(1u << bit), static_cast<std::uint8_t>((on ? 1u : 0u) << bit));
  }
  std::vector<Edit> take() {
    std::vector<Edit> edits;
    for (const auto& [address, byte] : bytes_) {
      if (edits.empty() || edits.back().address + edits.back().bytes.size() != address)
        edits.push_back({position_, space_, address, {}, core_});
      edits.back().bytes.push_back(static_cast<std::byte>(byte));
    }
    return edits;
  }

 private:
  // The bits outside of `mask` stay what they are.
  void merge(std::uint32_t address, std::uint8_t mask, std::uint8_t bits) {
    auto known = bytes_.find(address);
    if (known == bytes_.end()) {
      std::byte now{};
      run_.peek(position_, {space_, address, 1, BytePart::Whole, core_}, std::span(&now, 1));
      known = bytes_.emplace(address, std::to_integer<std::uint8_t>(now)).first;
    }
    known->second = static_cast<std::uint8_t>((known->second & ~mask) | (bits & mask));
  }

  Questions& run_;
  std::uint32_t position_;
  Space space_;
  CoreId core_;
  std::map<std::uint32_t, std::uint8_t> bytes_;
};

// A tile, or a buffer as rows of the last dimension of its first view.
struct Table {
  std::string name;
  std::uint32_t rows = 0, cols = 0;
  const ElementFormat* format = nullptr;
  std::optional<TileRef> tile = {};
  const BufferDecl* buffer = nullptr;

  ByteRange place_of(std::uint32_t row, std::uint32_t col) const {
    if (tile) return tile->place_of(row, col);
    return element_place(Space::Gm, buffer->address, buffer->dtype, std::uint64_t{row} * cols + col);
  }
  Space space() const { return tile ? tile->space() : Space::Gm; }
  CoreId core() const { return tile ? tile->core : CoreId{0}; }
};

std::optional<Table> find_table(Questions& run, std::string_view name, std::uint32_t position) {
  if (const auto id = run.find_tile(name, position)) {
    const TileRef tile = run.tile_at(*id, position);
    return Table{std::string(name), tile.rows(), tile.cols(), &format_of(tile.type), tile};
  }
  const auto id = run.find_buffer(name);
  if (!id) return {};
  const BufferDecl& buffer = run.recording().program().buffers[*id];
  const BufferShape shape = shape_of(buffer);
  return Table{std::string(name), shape.rows, shape.cols, &element_format(buffer.dtype), {}, &buffer};
}

// Of a tile none of whose bytes was written: an edit there is most likely meant for a later step.
std::optional<Refusal> not_written(Questions& run, const Table& table, std::uint32_t position) {
  if (!table.tile) return {};
  const CopiedBytes held = copy_of(run.memory_at(position), extent_of(*table.tile));
  if (std::ranges::any_of(held.worth, [](Definedness worth) { return worth != Definedness::Never; })) return {};
  const ByteRange place = extent_of(*table.tile);
  std::string hint = fmt::format("no step writes it; its bytes can be changed as {}[0x{:x}]=...",
                                 place_word(place.space, place.core), place.address);
  const Recording& recording = run.recording();
  const Flat begin = recording.map().flat(place);
  for (std::uint32_t step = position; step < recording.count(); ++step)
    for (const WritePattern& pattern : recording.writes(step)) {
      const Flat end = pattern.base + (pattern.count - 1) * pattern.stride + pattern.size;
      if (pattern.base >= begin + place.size || end <= begin) continue;
      return Refusal{fmt::format("{} was not written yet where step {} begins", table.name, position),
                     fmt::format("step {} is the first that writes there: @{} is behind it", step, step + 1)};
    }
  return Refusal{fmt::format("{} was not written yet where step {} begins", table.name, position), hint};
}

std::variant<ReadEdit, Refusal> element_edits(Questions& run, const Parts& parts, const Table& table, Span rows,
                                              Span cols, std::uint32_t position) {
  const auto values = table_of(parts.value);
  const bool fills = values.size() == 1 && values[0].size() == 1;
  const bool fits = std::ranges::all_of(values, [&](const auto& row) { return row.size() == cols.count(); });
  if (!fills && (values.size() != rows.count() || !fits))
    return Refusal{fmt::format("{} rows of {} values are given for {} rows of {}", values.size(),
                               values.empty() ? 0 : values[0].size(), rows.count(), cols.count()),
                   "one value fills a part; rows end with ; or a new line"};
  ChangedBytes changed(run, position, table.space(), table.core());
  for (std::uint32_t row = 0; row < rows.count(); ++row)
    for (std::uint32_t col = 0; col < cols.count(); ++col) {
      const std::string_view word = fills ? values[0][0] : values[row][col];
      if (word == kUndefinedText) continue;
      const auto bits = read_value(*table.format, word);
      if (const auto* no = std::get_if<Refusal>(&bits))
        return Refusal{fmt::format("{}[{},{}]: {}", table.name, rows.first + row, cols.first + col, no->text),
                       no->hint};
      changed.set(table.place_of(rows.first + row, cols.first + col), std::get<std::uint64_t>(bits));
    }
  return ReadEdit{position, changed.take()};
}

std::variant<ReadEdit, Refusal> bit_edits(Questions& run, const Parts& parts, const Table& table, Span rows, Span cols,
                                          std::uint32_t position) {
  if (parts.value != "0" && parts.value != "1")
    return Refusal{fmt::format("'{}' is no bit", parts.value), "a bit of a mask is 0 or 1"};
  ChangedBytes changed(run, position, table.space(), table.core());
  for (std::uint32_t row = rows.first; row <= rows.last; ++row)
    for (std::uint32_t col = cols.first; col <= cols.last; ++col)
      changed.set_bit(table.tile->mask_byte_at(row, col), col % 8, parts.value == "1");
  return ReadEdit{position, changed.take()};
}

std::variant<ReadEdit, Refusal> table_edit(Questions& run, const Parts& parts, std::uint32_t position) {
  constexpr std::string_view kBit = ".bit";
  std::string_view name = parts.name;
  auto table = find_table(run, name, position);
  const bool bits = !table && name.ends_with(kBit);
  if (bits) table = find_table(run, name.substr(0, name.size() - kBit.size()), position);
  if (!table)
    return Refusal{fmt::format("there is no tile or buffer {}", name),
                   "tiles and buffers go by their names in the program"};
  if (bits && (!table->tile || table->format->is_float()))
    return Refusal{fmt::format("{} is no mask", table->name), "bits are of tiles of whole numbers"};
  const std::size_t comma = parts.index.find(',');
  const auto rows = read_span(parts.index.substr(0, comma));
  const auto cols = comma == std::string_view::npos ? std::nullopt : read_span(parts.index.substr(comma + 1));
  if (parts.half_open || !rows || !cols)
    return Refusal{fmt::format("'[{}{}' is no element of {}", parts.index, parts.half_open ? ")" : "]", table->name),
                   "a row and a column, from 0 on: [1,5], [0..3,0..7]"};
  const std::uint64_t most_cols = bits ? std::uint64_t{table->tile->pitch_bytes()} * 8 : table->cols;
  if (rows->last >= table->rows || cols->last >= most_cols)
    return Refusal{fmt::format("{}[{},{}] is outside: {} has {} rows of {}{}", table->name, rows->last, cols->last,
                               table->name, table->rows, most_cols, bits ? " bits" : ""),
                   "rows and columns count from 0"};
  if (auto early = not_written(run, *table, position)) return *early;
  return bits ? bit_edits(run, parts, *table, *rows, *cols, position)
              : element_edits(run, parts, *table, *rows, *cols, position);
}

// "00ff" from one byte on, or over and over up to an end.
std::variant<ReadEdit, Refusal> byte_edit(Questions& run, const Parts& parts, MemoryOfCore memory,
                                          std::uint32_t position) {
  std::string digits;
  for (const char letter : parts.value)
    if (letter != ' ' && letter != ',') digits += letter;
  if (digits.starts_with("0x")) digits.erase(0, 2);
  const bool pairs = digits.size() % 2 == 0 && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!pairs || digits.empty())
    return Refusal{fmt::format("'{}' are no bytes", parts.value), "pairs of hexadecimal digits: 00ff10"};
  const std::size_t comma = parts.index.find(',');
  const auto begin = whole_number(parts.index.substr(0, comma));
  const auto end = comma == std::string_view::npos ? std::nullopt : whole_number(parts.index.substr(comma + 1));
  const bool range = comma != std::string_view::npos;
  if (!begin || range != parts.half_open || (range && (!end || *end <= *begin)))
    return Refusal{fmt::format("'[{}' are no bytes of {}", parts.index, parts.name),
                   fmt::format("{}[0x440] for bytes from there on, {}[0x440,0x480) to fill", parts.name, parts.name)};
  const MemoryMap& map = run.recording().map();
  const std::uint64_t size = range ? *end - *begin : digits.size() / 2;
  const bool is_core = memory.core < run.recording().program().cores_at_once();
  const std::uint32_t has = is_core ? map.size(memory.space) : 0;
  if (*begin > has || size > has - *begin)
    return Refusal{fmt::format("{} has {} bytes; 0x{:x} and {} more are beyond", parts.name, has, *begin, size),
                   "change bytes of a tile or buffer"};
  Edit edit{position, memory.space, *begin, std::vector<std::byte>(size), memory.core};
  for (std::size_t i = 0; i < size; ++i) {
    const char* pair = digits.data() + i % (digits.size() / 2) * 2;
    std::uint8_t byte = 0;
    std::from_chars(pair, pair + 2, byte, 16);
    edit.bytes[i] = static_cast<std::byte>(byte);
  }
  return ReadEdit{position, {std::move(edit)}};
}

// A number that steps or the program's start are given, by its name in the text.
struct NamedNumber {
  Slot slot = kNoSlot;
  const ElementFormat* format = nullptr;
};

const ElementFormat& format_of(text::ScalarKind kind) {
  const auto type = text::dtype(kind);
  return element_format(type ? *type : DType::I64);  // an index; of i1 its bit
}

// What stands in the text where an instruction takes a number; empty: nobody knows.
std::string_view written_operand(const Program& program, const Instruction& instruction, std::size_t operand) {
  if (instruction.op == text::kNoId || instruction.row->micro || instruction.row->forms.empty()) return {};
  TypeMismatch ignored;
  const Statement statement = read_instruction(*program.tree, instruction, ignored);
  const auto is_in = [](const OperandUse& use) { return use.spec->role != Role::Out; };
  const auto at = static_cast<std::size_t>(std::count_if(
      instruction.operands.begin(), instruction.operands.begin() + static_cast<std::ptrdiff_t>(operand), is_in));
  return at < statement.ins.size() ? program.tree->text(statement.ins[at].item->range) : std::string_view();
}

std::optional<NamedNumber> find_number(const Program& program, std::string_view name) {
  for (const ProgramInput& input : program.inputs)
    if (input.kind == ProgramInput::Kind::Scalar && input.name == name)
      return NamedNumber{input.id, &format_of(input.scalar)};
  if (program.tree == nullptr) return {};
  for (const Instruction& instruction : program.instructions)
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const OperandUse& use = instruction.operands[i];
      if (use.slot == kNoSlot || use.spec->kind != OperandKind::Scalar) continue;
      std::string_view written = written_operand(program, instruction, i);
      if (written.starts_with('%')) written.remove_prefix(1);
      if (written == name) return NamedNumber{use.slot, &element_format(use.dtype)};
    }
  return {};
}

std::variant<ReadEdit, Refusal> number_edit(Questions& run, const Parts& parts, std::uint32_t position) {
  const auto number = find_number(run.recording().program(), parts.name);
  if (!number)
    return Refusal{fmt::format("there is no number {} that can be changed", parts.name),
                   "arguments of the function, and numbers that tile instructions are given; of a tile say which "
                   "element: NAME[0,0]=..."};
  const auto bits = read_value(*number->format, parts.value);
  if (const auto* no = std::get_if<Refusal>(&bits))
    return Refusal{fmt::format("{}: {}", parts.name, no->text), no->hint};
  return ReadEdit{position, {}, {{position, number->slot, std::get<std::uint64_t>(bits)}}};
}

}  // namespace

std::variant<std::uint64_t, Refusal> read_value(const ElementFormat& format, std::string_view given) {
  const std::string text(trimmed(given));
  const std::string hint = format.is_float() ? "a number, nan, inf, or its bits as 0x40400000"
                                             : "a whole number, or its bits as 0xff or 0b1010";
  const bool hex = text.starts_with("0x"), binary = text.starts_with("0b");
  if (hex || binary) {
    std::uint64_t bits = 0;
    const auto [end, wrong] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, hex ? 16 : 2);
    if (wrong != std::errc() || end != text.data() + text.size() || text.size() == 2)
      return Refusal{fmt::format("'{}' is no number", text), hint};
    if ((bits & ~format.mask()) != 0)
      return Refusal{fmt::format("'{}' has more than the {} bits of {}", text, format.size_bits, format.name), hint};
    return bits;
  }
  std::int64_t whole = 0;
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, wrong] = std::from_chars(first, text.data() + text.size(), whole);
  std::optional<std::uint64_t> bits;
  if (wrong == std::errc() && end == text.data() + text.size() && !text.empty()) {
    bits = element_bits(format, whole);
    if (format.is_float() && whole == 0 && text.starts_with('-')) bits = element_bits(format, -0.0);
  } else {
    char* stop = nullptr;
    const double value = std::strtod(text.c_str(), &stop);
    if (text.empty() || stop != text.c_str() + text.size())
      return Refusal{fmt::format("'{}' is no number", text), hint};
    bits = element_bits(format, value);
  }
  if (bits) return *bits & format.mask();
  return Refusal{fmt::format("'{}' does not fit {}", text, format.name), hint};
}

std::variant<ReadEdit, Refusal> read_edit(Questions& run, std::string_view text, std::optional<std::uint32_t> here) {
  const auto read = parts_of(without_blanks(text));
  if (const auto* no = std::get_if<Refusal>(&read)) return *no;
  const Parts& parts = std::get<Parts>(read);
  const auto at = parts.position ? parts.position : here;
  if (!at) return Refusal{fmt::format("'{}' does not say when", text), "@12 behind it: from step 12 on"};
  const std::uint32_t position = *at;
  if (position > run.count())
    return Refusal{fmt::format("there is no step {}: the run has {}", position, run.count()),
                   fmt::format("@0 to @{}; @{} is behind the last one", run.count(), run.count())};
  const auto memory = parts.has_index ? memory_of_word(parts.name) : std::nullopt;
  const bool bytes = memory && (parts.half_open || parts.index.find(',') == std::string_view::npos);
  auto edit = !parts.has_index ? number_edit(run, parts, position)
              : bytes          ? byte_edit(run, parts, *memory, position)
                               : table_edit(run, parts, position);
  if (auto* made = std::get_if<ReadEdit>(&edit)) {
    if (made->bytes.empty() && made->numbers.empty())
      return Refusal{fmt::format("'{}' leaves everything as it is", text), kForms};
    std::string place(trimmed(text.substr(0, text.find('='))));
    std::string value(parts.value);
    std::erase(value, '\r');
    std::ranges::replace(value, '\n', ';');
    made->text = fmt::format("{}={}@{}", place, value, position);
  }
  return edit;
}

}  // namespace ts
