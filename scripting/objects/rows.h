// The rows of types that several files contribute to, and the types that have no C++ object behind them.
#pragma once

#include <vector>

#include "scripting/binding/binding.h"

namespace ts::scripting {

// --- of `pto` ---
std::vector<Binding> basic_rows();       // pto.cpp: help, quit, rng, nextTick, ...
std::vector<Binding> program_rows();     // program.cpp: load, current
std::vector<Binding> breakpoint_rows();  // breakpoint.cpp: addBreakpoint, addMemoryCallback
std::vector<Binding> listener_rows();    // listeners.cpp: addEventListener, scope
std::vector<Binding> check_rows();       // checks.cpp: check
std::vector<Binding> value_rows();       // values.cpp: arrays, assertions, tests
std::vector<Binding> recording_file_rows();  // recording_file.cpp: open
std::vector<Binding> run_comparison_rows();  // run_comparison.cpp: compareRuns, lockstep
std::vector<Binding> lesson_rows();      // lesson.cpp: lesson

// --- of recordings ---
std::vector<Binding> recording_value_rows();  // values.cpp: tile, mask, reg, mem
std::vector<Binding> recording_export_rows();  // exports.cpp: exportTrace, report
std::vector<Binding> recording_save_rows();   // recording_file.cpp: save
std::vector<Binding> recording_mark_rows();   // marks.cpp: bookmarks, notes, watches, breakpoints

const ObjectType& pto_type();
const ObjectType& on_type();   // pto.on
const ObjectType& gui_type();  // gui
const ObjectType& ui_type();   // what panels are drawn with: gui_panel.cpp

// The rows of several files as one list.
std::vector<Binding> joined(std::initializer_list<std::vector<Binding>> parts);

}  // namespace ts::scripting
