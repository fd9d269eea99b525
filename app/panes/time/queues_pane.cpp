// The cores of a block, who waits for whom, and the queues between them as rings of slots, where the session stands.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/draw/boxes.h"
#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/draw/shapes.h"
#include "app/draw/text.h"
#include "app/panes/pane.h"
#include "app/panes/parts/empty.h"
#include "core/debug/elements/cell_text.h"
#include "core/debug/session/line_text.h"
#include "core/debug/session/queue_history.h"

namespace ts::ui {
namespace {

constexpr std::size_t kMostBlocks = 64;  // chips of blocks; the others are reached through their steps

class QueuesPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  void forget() override { chosen_.reset(); }

 private:
  // What is drawn in this frame.
  struct Frame {
    DebugView& view;
    CommandQueue& out;
    const Recording& recording;
    const QueueHistory& queues;
    const CoreHistory& cores;
    std::uint32_t position, block;
    const Program& program() const { return recording.program(); }
    CoreId first_core() const { return static_cast<CoreId>(block * program().cores.size()); }
    std::string name_of(std::size_t core_of_block) const {
      const std::string name = core_name(recording, static_cast<CoreId>(first_core() + core_of_block));
      const std::size_t blank = name.rfind(' ');
      return blank == std::string::npos ? name : name.substr(blank + 1);
    }
    std::string line_of(SourcePos pos) const { return line_text(view.sources(), program(), pos); }
    std::string act_of(std::uint32_t step) const {
      return fmt::format("{}  {}", line_of(recording.bound(step).pos), recording.bound(step).row->name);
    }
  };

  void draw_blocks(const Frame& frame, Column& page);
  void draw_cores(const Frame& frame, Column& page);
  static void draw_core(const Frame& frame, std::size_t core, const CoreAtPosition& now, const Rect& box);
  static void draw_waits(const Frame& frame, const std::vector<CoreAtPosition>& now, const std::vector<Rect>& boxes);
  static void draw_end(const Frame& frame, Column& page);
  void draw_queue(const Frame& frame, std::uint32_t queue, Column& page);
  static std::string first_values(const Frame& frame, const Operand& place);
  static void draw_slot(const Frame& frame, const QueueAtPosition& queue, std::uint32_t slot, const Rect& box);
  static std::string counts_text(const Frame& frame, const QueueAtPosition& queue);

  std::optional<std::uint32_t> chosen_;  // a block; nothing: that of the shown step
};

// A place that can be clicked, which goes to a step.
bool clicked(const char* id, const Rect& box) {
  ImGui::SetCursorScreenPos(box.min);
  return ImGui::InvisibleButton(id, {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
}

Color state_color(CoreState state) {
  const Theme& theme = *look().theme;
  switch (state) {
    case CoreState::Goes: return theme.good;
    case CoreState::Waits: return theme.finding;
    case CoreState::NotBegun:
    case CoreState::Ended: break;
  }
  return theme.text_quiet;
}

// --- blocks ---

void QueuesPane::draw_blocks(const Frame& frame, Column& page) {
  const std::uint32_t blocks = frame.program().blocks;
  if (blocks == 1) return;
  const Theme& theme = *look().theme;
  const float side = look().px(22);
  WrappedRow row(page, side, look().px(4));
  const auto shown = std::min<std::size_t>(blocks, kMostBlocks);
  for (std::uint32_t block = 0; block < shown; ++block) {
    const std::string label = fmt::format("{}", block);
    const float width = std::max(side, text_width(label, look().fonts.small) + look().px(10));
    const ImVec2 at = row.at(width);
    const Rect box{at, {at.x + width, at.y + side}};
    bool waits = true, over = true;
    for (std::size_t core = 0; core < frame.program().cores.size(); ++core) {
      const CoreState state =
          frame.cores.at(static_cast<CoreId>(block * frame.program().cores.size() + core), frame.position).state;
      waits = waits && (state == CoreState::Waits || state == CoreState::Ended);
      over = over && state == CoreState::Ended;
    }
    const CoreState worst = over ? CoreState::Ended : waits ? CoreState::Waits : CoreState::Goes;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(box.min, box.max, ink(block == frame.block ? theme.raised : theme.cell), look().px(3));
    list.AddRect(box.min, box.max, ink(block == frame.block ? theme.select : theme.line), look().px(3), 0,
                 block == frame.block ? 2.0f : 1.0f);
    list.AddRectFilled({box.min.x + 2, box.max.y - look().px(4)}, {box.max.x - 2, box.max.y - 1},
                       ink(state_color(worst)));
    put_text({box.center().x - text_width(label, look().fonts.small) / 2, box.min.y + look().px(2)}, label, theme.text,
             look().fonts.small);
    if (clicked(fmt::format("block{}", block).c_str(), box)) chosen_ = block;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("block %u: %s", block, over ? "ended" : waits ? "waits" : "goes on");
    row.go_on(box.max.x + look().px(4));
  }
  row.end(look().px(8));
}

// --- cores and who waits for whom ---

void QueuesPane::draw_core(const Frame& frame, std::size_t core, const CoreAtPosition& now, const Rect& box) {
  const Theme& theme = *look().theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool here =
      frame.view.shown_step() && core_of(frame.recording, *frame.view.shown_step()) == frame.first_core() + core;
  list.AddRectFilled(box.min, box.max, ink(theme.raised), look().px(4));
  list.AddRect(box.min, box.max, ink(here ? theme.accent : theme.line), look().px(4), 0, here ? 2.0f : 1.0f);
  list.AddRectFilled(box.min, {box.min.x + look().px(4), box.max.y}, ink(state_color(now.state)), look().px(4));
  const auto number = static_cast<CoreId>(frame.first_core() + core);
  const bool followed = frame.view.standing().followed == number;
  const float x = box.min.x + look().px(10), room = box.width() - look().px(14), line = line_step(look().fonts.small);
  TextLine title({x, box.min.y + look().px(4)}, box.max.x - look().px(4));
  title.put(frame.name_of(core), theme.text, look().fonts.bold, look().px(8));
  title.down(look().px(2));
  title.put(name(now.state), state_color(now.state), look().fonts.small, look().px(8));
  if (followed) title.put("followed", theme.accent, look().fonts.small);
  float y = box.min.y + look().px(8) + look().fonts.bold->FontSize;
  // At an end where nobody can go on it is the operation that waits.
  const bool operation = now.waits_for.find(": ") != std::string::npos;
  put_text_cut({x, y}, room, now.waits_for.empty() || operation ? now.waits_for : "for " + now.waits_for, theme.text,
               look().fonts.small);
  y += line;
  const std::optional<std::uint32_t> step = now.next ? now.next : now.last;
  if (step)
    put_text_cut({x, y}, room, (now.next ? "next: " : "last: ") + frame.act_of(*step), theme.text_quiet,
                 look().fonts.small);
  if (clicked(fmt::format("core{}", core).c_str(), box) && step)
    frame.out.push("seek", {static_cast<std::int64_t>(now.next ? *step : *step + 1)});
  if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right))
    frame.out.push("followCore", {followed ? std::int64_t{-1} : std::int64_t{number}});
  if (ImGui::IsItemHovered() && step)
    ImGui::SetTooltip("%s: %zu steps in all; a click goes to its %s one, step %u; the right button follows it",
                      frame.name_of(core).c_str(),
                      frame.cores.steps_of(static_cast<CoreId>(frame.first_core() + core)).size(),
                      now.next ? "next" : "last", *step);
}

// An arrow from who waits to who should do something, below the boxes, each at a height of its own.
void QueuesPane::draw_waits(const Frame& frame, const std::vector<CoreAtPosition>& now,
                            const std::vector<Rect>& boxes) {
  const Theme& theme = *look().theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool stuck = frame.position == frame.recording.count() && !frame.recording.waits().empty();
  int nth = 0;
  for (std::size_t from = 0; from < now.size(); ++from)
    for (const CoreId on : now[from].on) {
      const auto to = static_cast<std::size_t>(on - frame.first_core());
      if (on < frame.first_core() || to >= boxes.size() || to == from) continue;
      const float shift = look().px(10) * (from < to ? 1.0f : -1.0f),
                  y = boxes[from].max.y + look().px(12) + look().px(13) * static_cast<float>(nth++);
      const ImVec2 begin{boxes[from].center().x + shift, boxes[from].max.y},
          end{boxes[to].center().x + shift, boxes[to].max.y};
      const ImU32 color = ink(stuck ? theme.finding : theme.text_quiet);
      list.AddLine(begin, {begin.x, y}, color, 1.5f);
      list.AddLine({begin.x, y}, {end.x, y}, color, 1.5f);
      list.AddLine({end.x, y}, end, color, 1.5f);
      const float tip = look().px(4);
      list.AddTriangleFilled(end, {end.x - tip, end.y + 2 * tip}, {end.x + tip, end.y + 2 * tip}, color);
    }
}

void QueuesPane::draw_cores(const Frame& frame, Column& page) {
  const std::size_t count = frame.program().cores.size();
  std::vector<CoreAtPosition> now;
  std::size_t arrows = 0;
  for (std::size_t core = 0; core < count; ++core) {
    now.push_back(frame.cores.at(static_cast<CoreId>(frame.first_core() + core), frame.position));
    arrows += now.back().on.size();
  }
  const float high = look().px(16) + look().fonts.bold->FontSize + 2 * line_step(look().fonts.small);
  const Rect row = page.take(high);
  std::vector<Rect> boxes;
  for (std::size_t core = 0; core < count; ++core) {
    Rect box = share_of(row, static_cast<int>(core), static_cast<int>(count), look().px(12));
    box.max.x = std::min(box.max.x, box.min.x + look().px(300));
    boxes.push_back(box);
    draw_core(frame, core, now[core], box);
  }
  draw_waits(frame, now, boxes);
  page.skip(arrows == 0 ? look().px(10) : look().px(18) + look().px(13) * static_cast<float>(arrows));
}

// Where nobody can go on: what to do about it.
void QueuesPane::draw_end(const Frame& frame, Column& page) {
  if (frame.position != frame.recording.count() || frame.recording.waits().empty()) return;
  const Theme& theme = *look().theme;
  page.text("Nobody can go on", theme.finding, look().fonts.bold, look().px(2));
  for (const CoreWait& wait : frame.recording.waits()) {
    if (wait.core / frame.program().cores.size() != frame.block) continue;
    page.text(fmt::format("{}, {}: {}", core_name(frame.recording, wait.core), frame.line_of(wait.pos),
                          wait.whole(frame.program())),
              theme.text, look().fonts.small, look().px(2));
  }
  for (const Finding& finding : frame.view.findings())
    if (finding.step == frame.recording.count() && finding.diagnostic.severity == Severity::Error)
      page.text(finding.diagnostic.hint, theme.good, look().fonts.text, look().px(2));
  page.skip(look().px(8));
}

// --- queues ---

std::string QueuesPane::counts_text(const Frame& frame, const QueueAtPosition& queue) {
  std::string text;
  const auto add = [&](const char* word, std::uint32_t QueueCounts::*count, bool cube) {
    std::string numbers;
    for (std::size_t core = 0; core < frame.program().cores.size(); ++core)
      if ((frame.program().cores[core].kind == CoreKind::Cube) == cube)
        numbers += fmt::format("{}{}", numbers.empty() ? "" : " / ", queue.counts[core].*count);
    text += fmt::format("{}{} {}", text.empty() ? "" : "   ", word, numbers);
  };
  const bool to_vector = frame.program().queues[queue.queue].to_vector;
  add("pushed", &QueueCounts::pushed, to_vector);
  add("popped", &QueueCounts::popped, !to_vector);
  add("freed", &QueueCounts::freed, !to_vector);
  return text;
}

// The step that a slot's look comes from: the newest that had to do with its entry.
std::optional<std::uint32_t> newest_step(const QueueSlot& slot) {
  std::optional<std::uint32_t> newest;
  for (const auto* steps : {&slot.pushed, &slot.popped, &slot.freed})
    for (const auto& step : *steps)
      if (step && (!newest || *step > *newest)) newest = step;
  return newest;
}

// What stands in a slot: the begin of its first row.
std::string QueuesPane::first_values(const Frame& frame, const Operand& place) {
  const bool view = place.spec->kind == OperandKind::Global;
  const DType type = view ? place.global.dtype : place.tile.type.dtype;
  const std::uint32_t cols = view ? place.global.cols() : place.tile.valid_cols,
                      rows = view ? place.global.rows() : place.tile.valid_rows;
  std::string text;
  for (std::uint32_t col = 0; rows != 0 && col < std::min(cols, 3u); ++col) {
    const ByteRange element =
        view ? ByteRange{Space::Gm, static_cast<std::uint32_t>(place.global.at(0, col)), size_bytes(type)}
             : place.tile.place_of(0, col);
    std::array<std::byte, 8> bytes{};
    const Definedness worth =
        frame.view.questions().peek(frame.position, element, std::span(bytes).first(element.size));
    const std::string number =
        fitted_text(element_format(type), std::bit_cast<std::uint64_t>(bytes), worth, NumberStyle::Decimal, 6);
    text += fmt::format("{}{}", text.empty() ? "" : " ", number.empty() ? kCutMark : number);
  }
  return rows == 0 || cols == 0 ? "nothing" : cols > 3 ? text + " …" : text;
}

void QueuesPane::draw_slot(const Frame& frame, const QueueAtPosition& queue, std::uint32_t number, const Rect& box) {
  const Theme& theme = *look().theme;
  const QueueSlot& slot = queue.slots[number];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool full = slot.state == SlotState::Full, taken = slot.state == SlotState::Taken,
             filling = slot.state == SlotState::Filling;
  list.AddRectFilled(box.min, box.max, ink(full ? theme.accent : theme.cell), look().px(3));
  // Beside the words, so that they can be read.
  if (taken || filling)
    hatch(list, {{box.max.x - look().px(14), box.min.y + 1}, {box.max.x - 1, box.max.y - 1}},
          ink(taken ? theme.read : theme.written), look().px(5), taken);
  const std::optional<std::uint32_t> newest = newest_step(slot);
  const bool just = newest && *newest + 1 == frame.position;
  list.AddRect(box.min, box.max, ink(just ? theme.written : theme.line), look().px(3), 0, just ? 2.0f : 1.0f);
  const Color color = full ? theme.accent_text : theme.text, quiet = full ? theme.accent_text : theme.text_quiet;
  const float x = box.min.x + look().px(6), room = box.width() - look().px(22), line = line_step(look().fonts.small);
  float y = box.min.y + look().px(4);
  put_text_cut({x, y}, room, slot.entry ? fmt::format("entry {}", *slot.entry) : "empty", color, look().fonts.bold);
  y += look().fonts.bold->FontSize + look().px(2);
  put_text_cut({x, y}, room, name(slot.state), quiet, look().fonts.small);
  std::string tip = fmt::format("slot {}: {}", number, name(slot.state));
  for (std::size_t core = 0; core < kMostCores; ++core) {
    const auto tell = [&](const char* word, const std::optional<std::uint32_t>& step) {
      if (step)
        tip += fmt::format("\n{} by {}, step {}, {}", word, frame.name_of(core), *step,
                           frame.line_of(frame.recording.bound(*step).pos));
    };
    tell("pushed", slot.pushed[core]);
    tell("popped", slot.popped[core]);
    tell("freed", slot.freed[core]);
  }
  const auto pushed = std::ranges::find_if(slot.pushed, [](const auto& step) { return step.has_value(); });
  if (pushed != slot.pushed.end()) {
    y += line;
    const Bound& bound = frame.recording.bound(**pushed);
    const Operand& what = bound.operands.front();
    const std::string shape =
        fmt::format("{}x{} {}", what.tile.valid_rows, what.tile.valid_cols, name(what.tile.type.dtype));
    put_text_cut({x, y}, room, shape, quiet, look().fonts.mono_small);
    put_text_cut({x, y + line}, room, frame.line_of(bound.pos), quiet, look().fonts.small);
    if (const Operand* place = frame.queues.entry_operand(**pushed)) {
      if (ImGui::IsRectVisible(box.min, box.max))
        put_text_cut({x, y + 2 * line}, box.width() - look().px(12), first_values(frame, *place), color,
                     look().fonts.mono_small);
      const bool view = place->spec->kind == OperandKind::Global;
      tip += fmt::format("\n{} of {} at {} 0x{:x}, {}", shape, frame.program().operand_name(what),
                         view ? "gm" : name(place->tile.type.space()),
                         view ? place->global.address : place->tile.address, frame.queues.part_of(**pushed));
    }
  }
  if (clicked(fmt::format("slot{}-{}", queue.queue, number).c_str(), box) && newest)
    frame.out.push("seek", {static_cast<std::int64_t>(*newest + 1)});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tip.c_str());
}

void QueuesPane::draw_queue(const Frame& frame, std::uint32_t number, Column& page) {
  const Theme& theme = *look().theme;
  const QueueDecl& decl = frame.program().queues[number];
  const QueueAtPosition queue = frame.queues.at(number, frame.block, frame.position);
  TextLine title(page.at(), page.end_x());
  title.put(fmt::format("pipe {}", decl.id), theme.text, look().fonts.bold, look().px(8));
  title.down(look().px(2));
  title.put(decl.to_vector ? "AIC to the vector cores" : "vector cores to AIC", theme.text, look().fonts.small,
            look().px(10));
  title.put(counts_text(frame, queue), theme.text, look().fonts.mono_small, look().px(10));
  title.put(fmt::format("slots of {} bytes", decl.slot_bytes), theme.text_quiet, look().fonts.small);
  page.skip(look().fonts.bold->FontSize + look().px(6));
  const float wide = look().px(124),
              high = look().px(14) + look().fonts.bold->FontSize + 4 * line_step(look().fonts.small);
  WrappedRow row(page, high, look().px(6));
  for (std::uint32_t slot = 0; slot < queue.slots.size(); ++slot) {
    const ImVec2 at = row.at(wide);
    draw_slot(frame, queue, slot, {at, {at.x + wide, at.y + high}});
    row.go_on(at.x + wide + look().px(6));
  }
  row.end(look().px(10));
}

void QueuesPane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr)
    return say_empty("Open a program to see its cores and queues.",
                     "Kernels with a cube core and vector cores have some.");
  const Recording& recording = *view.recording();
  if (!recording.program().together())
    return say_empty(
        "This program runs on one core.",
        "Kernels of a cube core and vector cores have queues: see the samples under \"Cores and queues\".");
  Session& session = view.questions();
  const std::optional<std::uint32_t> step = view.shown_step();
  const auto cores = static_cast<std::uint32_t>(recording.program().cores.size());
  const std::uint32_t own = step && *step < recording.count() ? core_of(recording, *step) / cores : 0;
  // Going elsewhere shows that block again.
  const std::uint32_t block = std::min(chosen_.value_or(own), recording.program().blocks - 1);
  Frame frame{view, out, recording, session.queues(), session.cores(), view.moment().position, block};
  const ImVec2 start = ImGui::GetCursorScreenPos();
  Column page({start.x + look().px(8), start.y + look().px(8)}, rest_of_window().width() - look().px(16));
  draw_blocks(frame, page);
  draw_cores(frame, page);
  draw_end(frame, page);
  for (std::uint32_t queue = 0; queue < recording.program().queues.size(); ++queue) draw_queue(frame, queue, page);
  page.fill_window(start, look().px(8));
}

const RegisteredPane kQueuesPane({
    .id = "queues",
    .title = "Cores and queues",
    .help = "The cores of a block, who waits for whom, and what stands in the slots of their queues.",
    .order = 165,
    .places = {{"debug", "below middle", 2}},
    .manual =
        R"(The cores of one block where the session stands: what each does next, or what it waits for. An arrow leads from
who waits to who has to do something first. Below are the queues, a box for each slot: the newest entry in it, what was
pushed and where, its first values, and whether the slot is free, being filled, full, or popped and not given back yet. The slot of the
last step has a bright border. Under the mouse: the steps that pushed, popped and freed the entry, and where it stands
in memory. A click on a core goes to its next step; with the right button steps are those of that core from then on, and the others
make theirs on the way. A click on a slot goes to the last step that had to do with it. Where nobody can
go on, the end says who waits for what, and what to do. With several blocks, the numbers above choose one.)",
    .make = make_pane<QueuesPane>,
});

}  // namespace
}  // namespace ts::ui
