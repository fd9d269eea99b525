// Collects the rows that panes register at start-up.
#include "app/panes/pane_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ts::ui {
namespace {

std::vector<const PaneRow*>& rows() {
  static std::vector<const PaneRow*> all;
  return all;
}

constexpr const char* kManualHead =
    "# The panes\n\nWhat each pane shows and what can be done in it. F1 over a pane shows its part of this page.\n";

}  // namespace

RegisteredPane::RegisteredPane(PaneRow row) : row_(std::move(row)) {
  rows().insert(std::ranges::upper_bound(rows(), row_.order, {}, &PaneRow::order), &row_);
}

const std::vector<const PaneRow*>& pane_rows() { return rows(); }

std::vector<std::string> panes_at(std::string_view layout, std::string_view spot) {
  std::vector<std::pair<int, std::string>> found;
  for (const PaneRow* row : rows())
    for (const PanePlace& place : row->places)
      if (place.layout == layout && place.spot == spot) found.emplace_back(place.tab, row->id);
  std::ranges::sort(found);
  std::vector<std::string> ids;
  for (auto& [tab, id] : found) ids.push_back(std::move(id));
  return ids;
}

std::string panes_manual() {
  std::string text = kManualHead;
  for (const PaneRow* row : rows()) text += fmt::format("\n## {}\n\n{}\n", row->title, row->manual);
  return text;
}

}  // namespace ts::ui
