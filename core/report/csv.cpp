// Elements as text tables and arrays.
#include "core/report/csv.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <span>

#include "core/data/npy_header.h"
#include "core/program/arrays.h"

namespace ts {
namespace {

Cells::Cell cell_at(const Memory& memory, ByteRange place) {
  return {memory.element(place), memory.worst_definedness(memory.map().flat(place), place.size)};
}

// Whether somebody who reads the text as a double, and rounds that, has the element again.
bool reads_back(const ElementFormat& format, std::uint64_t bits, const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return element_bits(format, value) == (bits & format.mask());
}

std::string shortest_float(const ElementFormat& format, std::uint64_t bits) {
  const double value = number(format, bits);
  if (format.size_bits == 64) return fmt::format("{}", value);
  if (format.size_bits == 32) {
    std::string text = fmt::format("{}", static_cast<float>(value));
    return reads_back(format, bits, text) ? text : fmt::format("{}", value);
  }
  // Ten digits are enough for anything of 16 bits.
  for (int digits = 1; digits < 10; ++digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    if (reads_back(format, bits, text)) return text;
  }
  return fmt::format("{}", value);
}

bool ends_with_word(std::string_view path, std::string_view small, std::string_view large) {
  return path.ends_with(small) || path.ends_with(large);
}

std::string npy_header(const Cells& cells) {
  std::vector<std::uint64_t> shape = cells.shape;
  if (shape.empty()) shape = {cells.rows, cells.cols};
  return data::format_npy_header(npy_type(*cells.format->dtype), shape);
}

// As memory has them: two elements of 4 bits a byte.
void write_packed(const Cells& cells, data::FileWriter& file) {
  std::uint64_t byte = 0, count = 0;
  const auto put = [&] { file.write(std::as_bytes(std::span(&byte, 1)).first(1)); };
  for (std::uint32_t row = 0; row < cells.rows && file.good(); ++row) {
    for (std::uint32_t col = 0; col < cells.cols; ++col, ++count) {
      const std::uint64_t bits = cells.at(row, col).bits & cells.format->mask();
      byte = count % 2 == 0 ? bits : byte | bits << 4;
      if (count % 2 == 1) put();
    }
  }
  if (count % 2 == 1) put();
}

void write_bytes(const Cells& cells, data::FileWriter& file) {
  for (std::uint32_t row = 0; row < cells.rows && file.good(); ++row) {
    for (std::uint32_t col = 0; col < cells.cols; ++col) {
      const std::uint64_t bits = cells.at(row, col).bits;
      file.write(std::as_bytes(std::span(&bits, 1)).first(cells.format->size_bytes()));
    }
  }
}

}  // namespace

Cells cells_of(const Memory& memory, const TileRef& tile, Region region) {
  const bool all = region == Region::All;
  return {
      .format = &element_format(tile.type.dtype),
      .rows = all ? tile.rows() : tile.valid_rows,
      .cols = all ? tile.cols() : tile.valid_cols,
      .at = [&memory, tile](std::uint32_t row, std::uint32_t col) { return cell_at(memory, tile.place_of(row, col)); }};
}

Cells cells_of(const Memory& memory, const BufferDecl& buffer) {
  const BufferShape shape = shape_of(buffer);
  const std::uint32_t address = buffer.address, cols = shape.cols;
  const DType type = buffer.dtype;
  return {.format = &element_format(buffer.dtype),
          .rows = shape.rows,
          .cols = cols,
          .at = [&memory, address, cols, type](std::uint32_t row, std::uint32_t col) {
            return cell_at(memory, element_place(Space::Gm, address, type, row * cols + col));
          }};
}

Cells cells_of(const Elements& elements, Region region) {
  return {.format = elements.format,
          .rows = elements.rows_of(region),
          .cols = elements.cols_of(region),
          .at = [&elements](std::uint32_t row, std::uint32_t col) {
            return Cells::Cell{elements.at(row, col), elements.worth_at(row, col)};
          }};
}

std::string csv_number(const ElementFormat& format, std::uint64_t bits) {
  if (!format.is_float()) {
    const std::int64_t value = integer(format, bits);
    return format.kind == NumberKind::Signed ? fmt::format("{}", value)
                                             : fmt::format("{}", static_cast<std::uint64_t>(value));
  }
  const double value = number(format, bits);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return shortest_float(format, bits);
}

void format_csv(const Cells& cells, const CsvOptions& options, const std::function<bool(std::string_view)>& out) {
  constexpr std::size_t kPortion = 1 << 16;
  std::string text;
  bool wanted = true;
  const auto add_row = [&](std::uint32_t row, bool hex) {
    for (std::uint32_t col = 0; col < cells.cols && wanted; ++col) {
      const Cells::Cell cell = cells.at(row, col);
      if (col != 0 || hex) text += ',';
      if (cell.worth == Definedness::Written)
        text += hex ? hex_text(*cells.format, cell.bits) : csv_number(*cells.format, cell.bits);
      if (text.size() < kPortion) continue;
      wanted = out(text);
      text.clear();
    }
  };
  for (std::uint32_t row = 0; row < cells.rows && wanted; ++row) {
    // An empty line would be no row to most readers.
    const bool lone = cells.cols == 1 && !options.hex;
    if (lone && cells.at(row, 0).worth != Definedness::Written) text += "\"\"";
    add_row(row, false);
    if (options.hex) add_row(row, true);
    text += '\n';
  }
  if (wanted) out(text);
}

data::Error write_cells(const Cells& cells, const std::string& path, const CsvOptions& options,
                        const data::WriteRules& rules) {
  data::FileWriter file(path, rules);
  if (ends_with_word(path, ".csv", ".CSV")) {
    format_csv(cells, options, [&](std::string_view text) {
      file.write(text);
      return file.good();
    });
  } else {
    const bool npy = ends_with_word(path, ".npy", ".NPY");
    if (npy) file.write(npy_header(cells));
    if (!npy && cells.format->size_bits < 8) write_packed(cells, file);
    else write_bytes(cells, file);
  }
  return file.finish();
}

}  // namespace ts
