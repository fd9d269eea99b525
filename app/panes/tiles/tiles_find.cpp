// Finding elements of the tile that is shown: by value, bits, what is no number, or address.
#include <charconv>

#include "app/panes/tiles/tiles_pane.h"
#include "core/debug/elements/element_search.h"

namespace ts::ui {
namespace {

// Of very large parts of buffers the first ones are enough.
constexpr std::size_t kMostMatches = 100'000;

// "@0x440": a byte of the tile's memory.
std::optional<std::uint32_t> address_in(std::string_view text) {
  if (!text.starts_with('@')) return {};
  text.remove_prefix(1);
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint32_t address = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), address, base);
  if (text.empty() || wrong != std::errc() || end != text.data() + text.size()) return {};
  return address;
}

}  // namespace

FindBar::Found TilesPane::find_elements(DebugView& view, const TilePicture& shown) {
  const std::string& text = find_.text();
  if (text.empty()) return {};
  const auto address = address_in(text);
  const auto search = read_element_search(text);
  if (!address && !search) return {.problem = "a value, nan, inf, .., 0x bits, @ address"};
  if (matches_of_ != std::pair(shown.number, text)) {
    matches_of_ = {shown.number, text};
    matches_.clear();
    const Elements& elements = shown.elements;
    for (std::uint32_t row = 0; row < elements.valid_rows; ++row)
      for (std::uint32_t col = 0; col < elements.valid_cols && matches_.size() < kMostMatches; ++col) {
        const GridCell cell{shown.window.row + row, shown.window.col + col};
        bool found = false;
        if (address) {
          const ByteRange place = view.place_of(Element{*owner_, cell.row, cell.col}, shown.moment.position);
          found = *address >= place.address && *address < std::uint64_t{place.address} + place.size;
        } else {
          found = search->matches(*elements.format, elements.at(row, col), elements.worth_at(row, col));
        }
        if (found) matches_.push_back(cell);
      }
  }
  FindBar::Found found{.count = matches_.size()};
  if (const auto& selected = view.selected(); selected && selected->owner == *owner_)
    for (std::size_t i = 0; i < matches_.size() && !found.current; ++i)
      if (matches_[i].row == selected->row && matches_[i].col == selected->col) found.current = i;
  return found;
}

void TilesPane::draw_find(DebugView& view, CommandQueue& out, const TilePicture& shown) {
  const FindBar::Found found = find_elements(view, shown);
  const int go = find_.draw("find: 1.5   1.5~0.01   >100   nan   0x3f800000   @0x440", found);
  if (go == 0) return;
  const GridCell& cell = matches_[next_found(found, go)];
  out.push("select", {view.name_of(*owner_), std::int64_t{cell.row}, std::int64_t{cell.col}});
}

}  // namespace ts::ui
