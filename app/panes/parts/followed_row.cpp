// Drawing what became of marks.
#include "app/panes/parts/followed_row.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

using Fate = FollowedMark::Fate;

bool same_mark(const Mark& a, const Mark& b) {
  if (a.index() != b.index()) return false;
  if (const auto* stop = std::get_if<StopEntry>(&a)) return stop->id == std::get<StopEntry>(b).id;
  if (const auto* bookmark = std::get_if<Bookmark>(&a)) return *bookmark == std::get<Bookmark>(b);
  const Note &x = std::get<Note>(a), &y = std::get<Note>(b);
  return x.step == y.step && x.element == y.element;
}

}  // namespace

std::optional<std::size_t> find_followed(const std::vector<FollowedMark>& marks, const Mark& mark) {
  const auto found = std::ranges::find_if(
      marks, [&](const FollowedMark& one) { return one.fate != Fate::Gone && same_mark(one.mark, mark); });
  if (found == marks.end()) return {};
  return static_cast<std::size_t>(found - marks.begin());
}

void put_followed(ListRow& row, const std::vector<FollowedMark>& marks, const Mark& mark, CommandQueue& out) {
  const auto found = find_followed(marks, mark);
  if (!found) return;
  const FollowedMark& followed = marks[*found];
  if (followed.fate == Fate::Moved) return row.more(describe(followed));
  const bool right = row.sign(
      [&](ImDrawList& list, const Rect& rect) { draw_severity(list, rect.shrunk(look().px(3)), Severity::Warning); },
      "What stood here was edited. Click where this is still the right place.");
  row.more(describe(followed));
  if (right) out.push("forgetMark", {static_cast<std::int64_t>(*found)});
}

std::vector<std::size_t> gone_of(const std::vector<FollowedMark>& marks, bool stops) {
  std::vector<std::size_t> gone;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i].fate == Fate::Gone && std::holds_alternative<StopEntry>(marks[i].mark) == stops) gone.push_back(i);
  return gone;
}

void draw_gone_row(const std::vector<FollowedMark>& marks, std::size_t number, int id, CommandQueue& out) {
  const Theme& theme = *look().theme;
  const FollowedMark& gone = marks[number];
  ListRow row(id);
  row.sign(
      [&](ImDrawList& list, const Rect& rect) { draw_severity(list, rect.shrunk(look().px(3)), Severity::Warning); },
      "It comes back with its operation.");
  if (row.remove("Take it away for good")) out.push("forgetMark", {static_cast<std::int64_t>(number)});
  row.text(describe(gone.mark), theme.text_quiet);
  row.more(describe(gone));
  if (targets_wanted()) note_target(fmt::format("gone/{}", number), row.rect());
}

}  // namespace ts::ui
