// What lists of marks say of those that were put elsewhere when the program's text was edited, and rows for those that are gone.
#pragma once

#include <cstddef>
#include <vector>

#include "app/panes/parts/list_row.h"
#include "app/view/command.h"
#include "core/debug/session/followed.h"

namespace ts::ui {

// Its number among the marks that were followed; nothing: it is simply where it was set.
std::optional<std::size_t> find_followed(const std::vector<FollowedMark>& marks, const Mark& mark);
// "moved from line 40"; of a doubtful one a click says that it is right as it is.
void put_followed(ListRow& row, const std::vector<FollowedMark>& marks, const Mark& mark, CommandQueue& out);
// Of those that are gone: breakpoints, or bookmarks and notes.
std::vector<std::size_t> gone_of(const std::vector<FollowedMark>& marks, bool stops);
void draw_gone_row(const std::vector<FollowedMark>& marks, std::size_t number, int id, CommandQueue& out);

}  // namespace ts::ui
