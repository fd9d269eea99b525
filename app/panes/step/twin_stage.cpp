// A view of its own onto the other recording, which follows the open one.
#include "app/panes/step/twin_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/draw/boxes.h"
#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/stage/motion/motion.h"
#include "app/stage/parts/parts.h"
#include "app/stage/stage_step.h"
#include "app/stage/whole/whole.h"
#include "app/view/thread_answerer.h"
#include "scripting/run/gui_items.h"

namespace ts::ui {

class TwinStage::Shown {
 public:
  explicit Shown(std::shared_ptr<const Document> document)
      : answerer_(document->recording), view_(answerer_, state_, journal_) {
    state_.opened = {document, std::make_shared<Session>(document->recording)};
    state_.walk.standing.findings = std::make_shared<const std::vector<Finding>>();
    state_.scripts.items = std::make_shared<const scripting::GuiItems>();
  }
  const Document* document() const { return state_.opened.document.get(); }

  void draw(DebugView& mine, const StageMemory& memory, const Rect& area) {
    if (answerer_.deliver()) mine.keep_moving();
    follow(mine, memory);
    view_.begin_frame();
    ImGui::PushID("twin");
    if (auto step = stage_step(view_, out_, memory_)) {
      Room room(area);
      draw_twin_title(*step, room.top(header_height(), look().px(4)));
      ImGui::PushClipRect(room.rest().min, room.rest().max, true);
      draw_stage_step(*step, room.rest());
      draw_travellers(*step);
      ImGui::PopClipRect();
    }
    ImGui::PopID();
    // What is clicked here is nothing that the open program could go to.
    out_ = {};
  }

 private:
  void follow(DebugView& mine, const StageMemory& memory) {
    state_.walk.prefers_next = mine.prefers_next();
    const std::uint32_t position = other_position(*mine.against(), mine.moment().position);
    state_.walk.standing.moment = {std::min(position, document()->recording->count()), 0};
    state_.walk.selected = same_element(mine);
    memory_.progress = memory.progress;
    memory_.plays = memory.plays;
    memory_.modes = memory.modes;
  }
  // What is selected, by its tile's name.
  std::optional<Element> same_element(DebugView& mine) const {
    if (!mine.selected()) return std::nullopt;
    const std::string name = mine.name_of(mine.selected()->owner);
    const Program& program = document()->recording->program();
    Element element = *mine.selected();
    const auto find = [&](const auto& all) {
      const auto found = std::ranges::find_if(all, [&](const auto& one) { return one.name == name; });
      element.owner.id = static_cast<std::uint32_t>(found - all.begin());
      return found != all.end();
    };
    const bool tile = element.owner.kind == Owner::Kind::Tile;
    return (tile ? find(program.tiles) : find(program.buffers)) ? std::optional(element) : std::nullopt;
  }

  DeskState state_;
  std::vector<JournalLine> journal_;
  ThreadAnswerer answerer_;
  DebugView view_;
  CommandQueue out_;
  StageMemory memory_;
};

TwinStage::TwinStage() = default;
TwinStage::~TwinStage() = default;

bool TwinStage::is_possible(const DebugView& view) {
  return view.against() != nullptr && view.against()->is_run() && view.against()->other->recording != nullptr;
}

void TwinStage::draw(DebugView& view, const StageMemory& memory, const Rect& area) {
  const std::shared_ptr<const Document>& other = view.against()->other;
  if (shown_ == nullptr || shown_->document() != other.get()) shown_ = std::make_unique<Shown>(other);
  shown_->draw(view, memory, area);
}

void TwinStage::forget() { shown_.reset(); }

void draw_twin_title(const StageStep& step, const Rect& line) {
  TextLine text(line.min, line.max.x);
  text.put(step.bound.target == Target::A5 ? "A5" : "A2A3", look().theme->accent, look().fonts.bold, look().px(8));
  text.put(fmt::format("step {}: {}", step.step, step.bound.row->name), look().theme->text, look().fonts.small,
           look().px(12));
  if (step.move) text.put(micro_text(*step.move), look().theme->text_quiet, look().fonts.mono_small);
}

}  // namespace ts::ui
