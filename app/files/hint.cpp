// Reading hints.
#include "app/files/hint.h"

#include <algorithm>
#include <cstdio>

#include "core/text/count.h"

namespace ts {
std::optional<CellName> parse_cell(std::string_view text) {
  if (text.starts_with('%')) text.remove_prefix(1);
  const std::size_t open = text.find('['), comma = text.find(',', open);
  if (open == 0 || open == std::string_view::npos || comma == std::string_view::npos || text.back() != ']') return {};
  std::string_view col = text.substr(comma + 1, text.size() - comma - 2);
  if (col.starts_with(' ')) col.remove_prefix(1);
  CellName cell{.tile = std::string(text.substr(0, open))};
  if (!text::parse_count(text.substr(open + 1, comma - open - 1), cell.row) || !text::parse_count(col, cell.col))
    return {};
  return cell;
}

namespace {

std::optional<ShowHint> hint_in(const std::string& comment) {
  const std::size_t at = comment.find("show: --step ");
  if (at == std::string::npos) return {};
  unsigned step = 0;
  char cell[64] = "";
  const int read = std::sscanf(comment.c_str() + at, "show: --step %u --cell %63s", &step, cell);
  if (read < 1) return {};
  return ShowHint{step, read == 2 ? parse_cell(cell) : std::nullopt};
}

}  // namespace

ShowHint read_hint(const text::Tree& tree) {
  for (const text::Comment& comment : tree.comments)
    if (const auto hint = hint_in(std::string(tree.text(comment.range)))) return *hint;
  return {};
}

ShowHint read_cpp_hint(std::string_view source) {
  for (; !source.empty(); source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1))
    if (source.starts_with("//"))
      if (const auto hint = hint_in(std::string(source.substr(0, source.find('\n'))))) return *hint;
  return {};
}

}  // namespace ts
