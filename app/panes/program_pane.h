// The program: its text, or the steps that it made.
#pragma once

#include <memory>

#include "app/panes/pane.h"
#include "app/panes/program/source_view.h"
#include "app/panes/program/step_list.h"

namespace ts::ui {

class ProgramPane final : public Pane {
 public:
  ProgramPane();
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;
  void save(nlohmann::json& settings) const override;
  void load(const nlohmann::json& settings) override;

 private:
  void note_document(DebugView& view);
  void draw_switch(DebugView& view, const Rect& area);
  void draw_steps(DebugView& view, CommandQueue& out, const Rect& area);
  void run_to_cursor(bool back, CommandQueue& out);

  bool shows_steps_ = false;
  SourceView source_;
  StepList steps_;
  // Which document it was drawn with; without keeping it alive.
  std::weak_ptr<const text::Tree> tree_;
  std::weak_ptr<const Recording> recording_;
  std::uint64_t generation_ = 0;
};

}  // namespace ts::ui
