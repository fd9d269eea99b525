// What has the focus of the keyboard, and making things reachable by it.
#pragma once

#include "app/draw/rect.h"

namespace ts::ui {

// Keys, not the mouse, were used last: then the focus is shown.
bool shows_focus();
// The mouse was moved after the last key that moved the focus: what it points at is meant, though the focus is shown.
bool mouse_came_last();
// From now on it is shown.
void show_focus();
// Something has it, shown or not.
bool has_focus();
// A ring around it, above everything else; once a frame, when all is drawn. The rectangle; empty: none is shown.
Rect draw_focus_ring();

// Something that only the mouse could reach, such as a row of a list, can be reached by keys: true when Enter was
// pressed on it. The mouse does not notice.
bool focus_stop(const char* name, const Rect& rect);
// It is where the focus is, and the focus is shown.
bool last_item_has_focus();
// Up and Down, a page up and down in the last item, which has the focus: so many rows. The focus stays.
int rows_by_keys(int page);
// Enter was pressed on the last item.
bool last_item_entered();

// Tab goes on along the row, and from its end to the next one. In a frame in which an arrow key is pressed for it.
void wrap_focus();
// The focus goes to the first thing of the window that is being drawn, or to where it was.
void focus_first();
// A menu of the menu bar that is being drawn is opened by a key: the arrows go on from it.
void focus_menu(const char* name, const Rect& rect);
// Alt went down for a key with Alt: it does not open the menu bar when it comes up.
void forget_alt();

// The caret goes to the field that is drawn next. It is there two frames later, whatever else asked for the focus in
// between; what opens meanwhile would be closed by it.
void give_caret();
// Enter was pressed in a field: it may ask for the caret again in the next frame.
void expect_caret();
// A field is about to get it: a key that opens something waits.
bool caret_is_coming();

// Behind a dialog it is dark at once: ImGui would fade, whatever the user wants of motion.
void dim_at_once();

}  // namespace ts::ui
