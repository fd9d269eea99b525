// Writing elements for other languages.
#include "core/debug/elements/copy_elements.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "core/debug/elements/cell_text.h"

namespace ts {
namespace {

constexpr std::uint32_t kPlainNanF32 = 0x7FC00000;

bool is_plain_nan(const ElementFormat& format, std::uint64_t bits) {
  return bits == element_bits(format, std::nan("")) || (format.dtype == DType::F32 && bits == kPlainNanF32);
}

// A decimal that gives the same element again also where it is first read as a double.
std::string decimal(const ElementFormat& format, std::uint64_t bits) {
  std::string text = short_text(format, bits);
  if (!format.is_float()) return text;
  if (element_bits(format, std::strtod(text.c_str(), nullptr)) != (bits & format.mask()))
    text = fmt::format("{}", number(format, bits));
  // So that it is read as a float.
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// How a language writes what is not a usual number.
struct Words {
  const char *nan, *inf, *minus_inf;
};

std::string special_or_decimal(const ElementFormat& format, std::uint64_t bits, const Words& words) {
  switch (classify(format, bits)) {
    case ElementClass::Nan: return words.nan;
    case ElementClass::Infinite: return number(format, bits) > 0 ? words.inf : words.minus_inf;
    case ElementClass::Normal:
    case ElementClass::Zero:
    case ElementClass::Denormal: break;
  }
  return decimal(format, bits);
}

// Rows of values; `value(row, col)` writes one.
template <class Value>
std::string rows_of(const CopyPart& part, const char* open, const char* close, const char* between, const char* line,
                    Value value) {
  std::string text;
  for (std::uint32_t row = 0; row < part.rows; ++row) {
    text += open;
    for (std::uint32_t col = 0; col < part.cols; ++col) {
      if (col != 0) text += between;
      text += value(part.row + row, part.col + col);
    }
    text += close;
    if (row + 1 < part.rows) text += line;
  }
  return text;
}

std::string identifier(const std::string& called) {
  std::string text;
  for (const char c : called)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') text += c;
  return text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0 ? "v" + text : text;
}

// A sentence about elements that are no data, in a comment; empty where all are.
std::string undefined_note(const Elements& elements, const CopyPart& part, const char* begin, const char* end) {
  std::uint64_t count = 0;
  for (std::uint32_t row = 0; row < part.rows; ++row)
    for (std::uint32_t col = 0; col < part.cols; ++col)
      count += elements.worth_at(part.row + row, part.col + col) != Definedness::Written ? 1 : 0;
  if (count == 0) return {};
  return fmt::format("{}{} of these elements {} undefined{}", begin, count, count == 1 ? "is" : "are", end);
}

std::string as_text(const Elements& elements, const CopyPart& part) {
  return rows_of(part, "", "", "\t", "\n", [&](std::uint32_t row, std::uint32_t col) -> std::string {
    if (elements.worth_at(row, col) == Definedness::Never) return kUndefinedText;
    return short_text(*elements.format, elements.at(row, col));
  });
}

std::string c_value(const ElementFormat& format, std::uint64_t bits) {
  if (format.dtype == DType::F32) {
    const std::string text = special_or_decimal(format, bits, {"NAN", "INFINITY", "-INFINITY"});
    return text.find_first_of("NI") == std::string::npos ? text + "f" : text;
  }
  if (format.is_float() && format.size_bits == 64)
    return special_or_decimal(format, bits, {"NAN", "INFINITY", "-INFINITY"});
  if (format.is_float()) return hex_text(format, bits);
  if (format.size_bits < 64) return fmt::format("{}", integer(format, bits));
  if (format.kind == NumberKind::Unsigned) return fmt::format("{}u", bits);
  // C has no literal of the smallest integer.
  const std::int64_t value = integer(format, bits);
  return value == INT64_MIN ? "-9223372036854775807 - 1" : fmt::format("{}", value);
}

std::string c_type(const ElementFormat& format) {
  if (format.dtype == DType::F32) return "float";
  if (format.is_float() && format.size_bits == 64) return "double";
  return fmt::format("{}int{}_t", format.kind == NumberKind::Signed ? "" : "u", 8 * format.size_bytes());
}

std::string as_c(const Elements& elements, const CopyPart& part, const std::string& called) {
  const ElementFormat& format = *elements.format;
  const bool by_bits = format.is_float() && format.size_bits < 32;
  std::string text = undefined_note(elements, part, "// ", "\n");
  if (by_bits) text += fmt::format("// the bits of {}\n", format.name);
  text += fmt::format("const {} {}[{}][{}] = {{\n", c_type(format), identifier(called), part.rows, part.cols);
  text += rows_of(part, "  {", "},", ", ", "\n",
                  [&](std::uint32_t row, std::uint32_t col) { return c_value(format, elements.at(row, col)); });
  return text + "\n};\n";
}

std::string lua_value(const ElementFormat& format, std::uint64_t bits) {
  if (format.is_float()) return special_or_decimal(format, bits, {"(0/0)", "math.huge", "-math.huge"});
  // Hexadecimal wraps around where decimal would become a float.
  const bool wraps = format.size_bits == 64 && (bits >> 63) != 0;
  return wraps ? hex_text(format, bits) : fmt::format("{}", integer(format, bits));
}

std::string as_lua(const Elements& elements, const CopyPart& part) {
  return undefined_note(elements, part, "-- ", "\n") + "{\n" +
         rows_of(
             part, "  {", "},", ", ", "\n",
             [&](std::uint32_t row, std::uint32_t col) { return lua_value(*elements.format, elements.at(row, col)); }) +
         "\n}\n";
}

// NumPy's name of the type, or nothing where it has none.
std::string numpy_type(const ElementFormat& format) {
  const std::string_view name = format.name;
  if (format.is_float() && format.size_bits >= 16 && name != "bf16") return fmt::format("np.float{}", format.size_bits);
  if (format.is_float()) return {};
  return fmt::format("np.{}int{}", format.kind == NumberKind::Signed ? "" : "u", 8 * format.size_bytes());
}

bool has_odd_nan(const Elements& elements, const CopyPart& part) {
  for (std::uint32_t row = part.row; row < part.row + part.rows; ++row)
    for (std::uint32_t col = part.col; col < part.col + part.cols; ++col)
      if (classify(*elements.format, elements.at(row, col)) == ElementClass::Nan &&
          !is_plain_nan(*elements.format, elements.at(row, col)))
        return true;
  return false;
}

std::string as_numpy(const Elements& elements, const CopyPart& part) {
  const ElementFormat& format = *elements.format;
  const std::string type = numpy_type(format);
  const bool by_bits = type.empty() || has_odd_nan(elements, part);
  std::string text = undefined_note(elements, part, "# ", "\n") + "np.array([\n";
  text += rows_of(part, "  [", "],", ", ", "\n", [&](std::uint32_t row, std::uint32_t col) {
    const std::uint64_t bits = elements.at(row, col);
    if (by_bits) return hex_text(format, bits);
    if (format.kind == NumberKind::Unsigned && format.size_bits == 64) return fmt::format("{}", bits);
    if (!format.is_float()) return fmt::format("{}", integer(format, bits));
    return special_or_decimal(format, bits, {"np.nan", "np.inf", "-np.inf"});
  });
  if (!by_bits) return text + fmt::format("\n], dtype={})\n", type);
  text += fmt::format("\n], dtype=np.uint{})", 8 * format.size_bytes());
  return text + (type.empty() ? fmt::format("  # the bits of {}\n", format.name) : fmt::format(".view({})\n", type));
}

}  // namespace

const char* name(CopyAs form) {
  constexpr const char* kNames[kCopyForms] = {"text", "C initialiser", "Lua table", "NumPy expression"};
  return kNames[static_cast<int>(form)];
}

std::string copy_text(const Elements& elements, const CopyPart& part, CopyAs form, const std::string& called) {
  switch (form) {
    case CopyAs::C: return as_c(elements, part, called);
    case CopyAs::Lua: return as_lua(elements, part);
    case CopyAs::NumPy: return as_numpy(elements, part);
    case CopyAs::Text: break;
  }
  return as_text(elements, part);
}

}  // namespace ts
