// One line for each row, as wide as the widest element.
#include "core/debug/elements/printed_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/debug/elements/cell_text.h"

namespace ts {

std::string printed(const ElementFormat& format, std::uint64_t bits, Definedness worth) {
  if (worth == Definedness::Never) return kUndefinedText;
  return short_text(format, bits) + (worth == Definedness::Unspecified ? "?" : "");
}

std::string printed(const Elements& elements, std::string_view indent, std::uint64_t most_elements) {
  const auto rows = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(elements.rows, std::max<std::uint64_t>(most_elements / std::max(elements.cols, 1u), 1)));
  std::vector<std::string> texts;
  texts.reserve(std::size_t{rows} * elements.cols);
  std::size_t width = 2;
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t col = 0; col < elements.cols; ++col) {
      texts.push_back(printed(*elements.format, elements.at(row, col), elements.worth_at(row, col)));
      width = std::max(width, texts.back().size());
    }
  std::string out;
  const bool has_bar = elements.valid_cols < elements.cols, has_line = elements.valid_rows < elements.rows;
  const auto line = [&] {
    out += fmt::format("{}{:-<{}}\n", indent, "", (width + 1) * elements.cols + (has_bar ? 2 : 0));
  };
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (has_line && row == elements.valid_rows) line();
    out += indent;
    for (std::uint32_t col = 0; col < elements.cols; ++col) {
      if (has_bar && col == elements.valid_cols) out += " |";
      out += fmt::format(" {:>{}}", texts[std::size_t{row} * elements.cols + col], width);
    }
    out += "\n";
  }
  if (rows < elements.rows) out += fmt::format("{} and {} more rows\n", indent, elements.rows - rows);
  return out;
}

}  // namespace ts
