// Reading and writing the header of a .npy file.
//
//   \x93NUMPY  major minor  length  {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }  spaces  \n
//
// The length is that of everything behind it; it has 2 bytes in version 1.0 and 4 bytes in 2.0 and 3.0. The data follow.
// The reader knows this one dict and no other Python, so a header can hold nothing that runs, nests or grows.
#include "core/data/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace ts::data {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionBytes = 2;
constexpr std::size_t kAlign = 64;           // NumPy begins the data at a multiple, so that they can be mapped
constexpr std::size_t kMostDimensions = 64;  // NumPy's own limit
// NumPy counts bytes in a signed word; sizes below it cannot overflow when others multiply them by a few bytes.
constexpr std::uint64_t kMostDataBytes = std::numeric_limits<std::int64_t>::max();

struct TypeRow {
  std::string_view name;
  std::uint32_t item_bytes;
};
constexpr TypeRow kTypes[] = {
    {"b1", 1}, {"i1", 1}, {"u1", 1}, {"V1", 1}, {"i2", 2}, {"u2", 2}, {"f2", 2},
    {"V2", 2}, {"i4", 4}, {"u4", 4}, {"f4", 4}, {"i8", 8}, {"u8", 8}, {"f8", 8},
};
constexpr const char* kUseNumpy = "write the file with numpy.save";
constexpr const char* kCutShort = "the file was cut short";
constexpr const char* kTypeList =
    "b1, i1, u1, i2, u2, i4, u4, i8, u8, f2, f4, f8, V2 for bfloat16, and V1 for ml_dtypes' types of 8 bits and less";
// Those of a byte, as ml_dtypes calls them; those of 4 bits have a byte to themselves there.
constexpr std::string_view kByteNames[] = {"float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu",
                                           "float4_e2m1fn", "int4",        "uint4"};

// Bytes of a file as a message may hold them: short, and printable whatever they are.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out = "\"";
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    out += byte >= 0x20 && byte < 0x7F ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out + (text.size() > kMost ? "...\"" : "\"");
}

// As Python writes a tuple.
std::string format_shape(std::span<const std::uint64_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads the file from the front. A method that returns false has set `error`.
class HeaderReader {
 public:
  HeaderReader(std::string_view file, const std::string& name) : file_(file), name_(name) {}

  bool read() { return read_preamble() && read_dict() && check_size(); }

  NpyHeader header;
  Error error;

 private:
  bool fail(const std::string& text, std::string hint) {
    error = {fmt::format("{}: {}", name_, text), std::move(hint)};
    return false;
  }
  // At the place where the reader stands.
  bool fail_here(std::string_view expected) {
    const std::string found = at_ < end_ ? quoted(file_.substr(at_, end_ - at_)) : "its end";
    return fail(fmt::format("the header has {} at byte {} of the file, expected {}", found, at_, expected),
                "a header looks like {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }");
  }
  bool fail_in_header() {
    return fail(fmt::format("the file ends after {} bytes, inside its header", file_.size()), kCutShort);
  }

  bool read_preamble();
  bool read_dict();
  bool read_value(std::string_view key);
  bool read_descr();
  bool read_order();
  bool read_shape();
  bool read_dimension();
  bool set_type(std::string_view descr);
  bool check_size();

  bool at(char c) const { return at_ < end_ && file_[at_] == c; }
  bool skip(char c) {
    skip_spaces();
    if (!at(c)) return false;
    ++at_;
    return true;
  }
  bool skip_word(std::string_view word) {
    if (!file_.substr(at_, end_ - at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void skip_spaces() {
    while (at_ < end_ && is_space(file_[at_])) ++at_;
  }
  std::optional<std::string_view> read_string();

  std::string_view file_;
  const std::string& name_;
  std::size_t at_ = 0, end_ = 0;  // the next byte of the header, and the byte behind it
  std::string_view descr_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

bool HeaderReader::read_preamble() {
  if (!file_.starts_with(kMagic)) {
    return fail(fmt::format("the file begins with {}, expected \"\\x93NUMPY\"", quoted(file_.substr(0, kMagic.size()))),
                "write it with numpy.save; files with another extension are read as raw bytes");
  }
  const std::size_t length_offset = kMagic.size() + kVersionBytes;
  if (file_.size() < length_offset) return fail_in_header();
  const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(file_[i])}; };
  const std::uint64_t major = byte(kMagic.size()), minor = byte(kMagic.size() + 1);
  if (major < 1 || major > 3 || minor != 0)
    return fail(fmt::format("the file is of version {}.{}, expected 1.0, 2.0 or 3.0", major, minor), kUseNumpy);

  const std::size_t length_bytes = major == 1 ? 2 : 4;
  at_ = length_offset + length_bytes;
  if (file_.size() < at_) return fail_in_header();
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(length_offset + i) << 8 * i;
  if (length > file_.size() - at_)
    return fail(fmt::format("the header should have {} bytes, but the file has {} more", length, file_.size() - at_),
                kCutShort);
  end_ = at_ + static_cast<std::size_t>(length);
  header.data_offset = end_;
  return true;
}

bool HeaderReader::read_dict() {
  if (!skip('{')) return fail_here("{");
  while (!skip('}')) {
    const auto key = read_string();
    if (!key) return false;
    if (!skip(':')) return fail_here("a colon");
    skip_spaces();
    if (!read_value(*key)) return false;
    if (skip(',')) continue;
    if (!skip('}')) return fail_here("a comma or }");
    break;
  }
  skip_spaces();
  if (at_ != end_) return fail_here("spaces and a line break");
  const char* missing = !has_descr_ ? "descr" : !has_order_ ? "fortran_order" : !has_shape_ ? "shape" : nullptr;
  return missing == nullptr ||
         fail(fmt::format("the header has no '{}', expected descr, fortran_order and shape", missing), kUseNumpy);
}

bool HeaderReader::read_value(std::string_view key) {
  bool* has = key == "descr"           ? &has_descr_
              : key == "fortran_order" ? &has_order_
              : key == "shape"         ? &has_shape_
                                       : nullptr;
  if (has == nullptr)
    return fail(fmt::format("the header has a key {}, expected descr, fortran_order and shape", quoted(key)),
                kUseNumpy);
  if (*has) return fail(fmt::format("the header has '{}' twice, expected once", key), kUseNumpy);
  *has = true;
  return has == &has_descr_ ? read_descr() : has == &has_order_ ? read_order() : read_shape();
}

// Without escapes: no name that is known needs one.
std::optional<std::string_view> HeaderReader::read_string() {
  skip_spaces();
  if (!at('\'') && !at('"')) {
    fail_here("a string");
    return std::nullopt;
  }
  const std::size_t open = at_;
  const std::size_t close = file_.substr(0, end_).find(file_[open], open + 1);
  if (close == std::string_view::npos) {
    fail_here("a string that ends");
    return std::nullopt;
  }
  at_ = close + 1;
  return file_.substr(open + 1, close - open - 1);
}

bool HeaderReader::read_descr() {
  if (at('[') || at('(')) {
    return fail(fmt::format("descr is {}, a structured type; expected one of {}", quoted(file_.substr(at_, end_ - at_)),
                            kTypeList),
                "save one field: numpy.save(path, array['field'])");
  }
  const auto descr = read_string();
  return descr && set_type(*descr);
}

bool HeaderReader::set_type(std::string_view descr) {
  descr_ = descr;
  std::string_view type = descr;
  const char order =
      !type.empty() && std::string_view("<>=|").find(type.front()) != std::string_view::npos ? type.front() : '=';
  if (type.starts_with(order)) type.remove_prefix(1);
  if (type == "bfloat16") type = "V2";
  if (std::ranges::find(kByteNames, type) != std::end(kByteNames)) type = "V1";
  header.item_bytes = item_bytes(type);
  if (header.item_bytes == 0) {
    return fail(fmt::format("descr is {}, expected one of {}", quoted(descr), kTypeList),
                "convert it: numpy.save(path, array.astype('f4'))");
  }
  header.type = type;
  header.big_endian = order == '>';  // the rest is the order of this machine, or has none
  return true;
}

bool HeaderReader::read_order() {
  header.fortran_order = skip_word("True");
  return header.fortran_order || skip_word("False") || fail_here("True or False");
}

bool HeaderReader::read_shape() {
  if (!skip('(')) return fail_here("a tuple such as (3, 4)");
  bool comma = false;
  while (!skip(')')) {
    if (!header.shape.empty() && !comma) return fail_here("a comma or )");
    if (!read_dimension()) return false;
    comma = skip(',');
  }
  // Python's (3) is a number.
  if (header.shape.size() == 1 && !comma)
    return fail(fmt::format("shape is ({0}), expected a tuple: ({0},)", header.shape[0]), kUseNumpy);
  return true;
}

bool HeaderReader::read_dimension() {
  if (header.shape.size() == kMostDimensions)
    return fail(fmt::format("shape has more than {0} dimensions, expected {0} at most", kMostDimensions),
                "reshape the array first");
  skip_spaces();
  const std::size_t first = at_;
  std::uint64_t value = 0;
  for (; at_ < end_ && is_digit(file_[at_]); ++at_) {
    const auto digit = static_cast<std::uint64_t>(file_[at_] - '0');
    if (value > (kMostDataBytes - digit) / 10) {
      at_ = first;
      return fail_here(fmt::format("a dimension of at most {}", kMostDataBytes));
    }
    value = value * 10 + digit;
  }
  if (at_ == first) return fail_here("a dimension, 0 or more");
  if (at('L')) ++at_;  // Python 2 wrote long integers so
  header.shape.push_back(value);
  return true;
}

bool HeaderReader::check_size() {
  std::uint64_t bytes = header.item_bytes;
  bool empty = false;
  for (const std::uint64_t dimension : header.shape) {
    if (dimension == 0) {
      empty = true;
    } else if (bytes > kMostDataBytes / dimension) {
      const std::string shape = format_shape(header.shape);
      return fail(fmt::format("shape {} of {} takes more than {} bytes", shape, quoted(descr_), kMostDataBytes),
                  kUseNumpy);
    } else {
      bytes *= dimension;
    }
  }
  if (empty) bytes = 0;

  const std::uint64_t found = file_.size() - header.data_offset;
  if (found == bytes) return true;
  const std::string shape = format_shape(header.shape);
  return fail(
      fmt::format("shape {} of {} takes {} bytes, but {} follow the header", shape, quoted(descr_), bytes, found),
      found < bytes ? kCutShort : "a file holds one array and nothing after it");
}

std::string little_endian(std::size_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xFF);
  return text;
}

}  // namespace

std::uint32_t item_bytes(std::string_view type) {
  for (const TypeRow& row : kTypes)
    if (row.name == type) return row.item_bytes;
  return 0;
}

std::variant<NpyHeader, Error> parse_npy_header(std::span<const std::byte> file, const std::string& name) {
  HeaderReader reader({reinterpret_cast<const char*>(file.data()), file.size()}, name);
  if (!reader.read()) return std::move(reader.error);
  return std::move(reader.header);
}

std::string format_npy_header(std::string_view type, std::span<const std::uint64_t> shape) {
  assert(item_bytes(type) != 0);
  const char order = item_bytes(type) == 1 ? '|' : '<';
  std::string dict =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}", order, type, format_shape(shape));
  // Version 1.0 is what everybody reads; its length has 16 bits.
  constexpr std::size_t kMostInVersion1 = 0xFFFF - kAlign;
  const int length_bytes = dict.size() <= kMostInVersion1 ? 2 : 4;
  const std::size_t before = kMagic.size() + kVersionBytes + static_cast<std::size_t>(length_bytes);
  const std::size_t end = (before + dict.size() + 1 + kAlign - 1) / kAlign * kAlign;
  dict.append(end - before - dict.size() - 1, ' ');
  dict += '\n';
  const char version[] = {static_cast<char>(length_bytes == 2 ? 1 : 2), 0};
  return std::string(kMagic) + std::string(version, sizeof version) + little_endian(dict.size(), length_bytes) + dict;
}

}  // namespace ts::data
