// The element that is selected, or else under the mouse: its value in every way, where it stands, who made it and of
// what.
#pragma once

#include <string>
#include <vector>

#include "app/panes/pane.h"
#include "app/view/later.h"
#include "core/debug/origins/data_flow.h"

namespace ts::ui {

class InspectorPane final : public Pane {
 public:
  InspectorPane();
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;

 private:
  // Where the value came from: who made its bytes, and of what.
  struct Origin {
    std::vector<Made> makers;
    std::vector<SourceUse> sources;
  };
  struct Seen;
  Seen look_at(DebugView& view, const Element& element) const;
  void draw_value(const Seen& seen);
  void draw_bits(const Seen& seen);
  void draw_readings(const Seen& seen);
  void draw_place(const Seen& seen);
  void draw_origin(DebugView& view, CommandQueue& out, const Seen& seen);
  void draw_source(DebugView& view, CommandQueue& out, const SourceUse& use, int id);
  void draw_readers(DebugView& view, CommandQueue& out, const Seen& seen);

  Later<Origin> origin_;
  Later<std::vector<Reader>> readers_;
};

}  // namespace ts::ui
