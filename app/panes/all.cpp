// The list of panes: one line each gives a pane its menu entry, its key and its remembered place.
#include "app/panes/all.h"

#include "app/panes/breakpoints_pane.h"
#include "app/panes/buffer_map_pane.h"
#include "app/panes/compare_pane.h"
#include "app/panes/console_pane.h"
#include "app/panes/findings_pane.h"
#include "app/panes/history_pane.h"
#include "app/panes/inspector_pane.h"
#include "app/panes/journal_pane.h"
#include "app/panes/lesson_pane.h"
#include "app/panes/notes_pane.h"
#include "app/panes/other_pane.h"
#include "app/panes/page_pane.h"
#include "app/panes/panels_pane.h"
#include "app/panes/program_pane.h"
#include "app/panes/registers_pane.h"
#include "app/panes/stage_pane.h"
#include "app/panes/tiles_pane.h"
#include "app/panes/timeline_pane.h"
#include "app/panes/watch_pane.h"

namespace ts::ui {

std::vector<std::unique_ptr<Pane>> make_panes() {
  std::vector<std::unique_ptr<Pane>> panes;
  panes.push_back(std::make_unique<ProgramPane>());
  panes.push_back(std::make_unique<WatchPane>());
  panes.push_back(std::make_unique<BreakpointsPane>());
  panes.push_back(std::make_unique<ConsolePane>());
  panes.push_back(std::make_unique<FindingsPane>());
  panes.push_back(std::make_unique<JournalPane>());
  panes.push_back(std::make_unique<NotesPane>());
  panes.push_back(std::make_unique<PanelsPane>());
  panes.push_back(std::make_unique<ComparePane>());
  panes.push_back(make_lesson_pane());
  panes.push_back(make_stage_pane());
  panes.push_back(std::make_unique<TilesPane>());
  panes.push_back(std::make_unique<OtherPane>(OtherPane::Shows::Other));
  panes.push_back(std::make_unique<OtherPane>(OtherPane::Shows::Apart));
  panes.push_back(std::make_unique<InspectorPane>());
  panes.push_back(std::make_unique<HistoryPane>());
  panes.push_back(make_registers_pane());
  panes.push_back(make_page_pane());
  panes.push_back(make_timeline_pane());
  panes.push_back(make_buffer_map_pane());
  return panes;
}

}  // namespace ts::ui
