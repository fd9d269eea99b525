// Drawing a lesson's page, and taking answers by keys and mouse.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/draw/boxes.h"
#include "app/draw/cells.h"
#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/markdown.h"
#include "app/draw/text.h"
#include "app/files/files.h"
#include "app/panes/pane.h"
#include "app/panes/parts/text_field.h"
#include "app/view/key_hints.h"
#include "app/view/shown_lesson.h"
#include "app/view/targets.h"
#include "core/debug/session/step_text.h"
#include "core/learn/element_name.h"

namespace ts::ui {
namespace {

// Of the program's steps, where one of them is asked for.
constexpr std::uint32_t kMostSteps = 200;

class LessonPane : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;

 private:
  void draw_all(const DebugView& view, CommandQueue& out);
  void draw_lesson(const DebugView& view, CommandQueue& out, const Sample& lesson, std::size_t number, Column& pen);
  void draw_families(const std::map<std::string, learn::Score>& families, Column& pen) const;
  void draw_page(DebugView& view, CommandQueue& out, const ShownLesson& lesson);
  void draw_head(const ShownLesson& lesson, Column& pen) const;
  void draw_question(DebugView& view, CommandQueue& out, const ShownLesson& lesson, Column& pen);
  void draw_choices(CommandQueue& out, const ShownLesson& lesson, const learn::Ask& ask, Column& pen) const;
  void draw_field(CommandQueue& out, const ShownLesson& lesson, std::size_t index, const std::string& label,
                  const char* hint, Column& pen);
  void draw_steps(DebugView& view, CommandQueue& out, const ShownLesson& lesson, Column& pen) const;
  void draw_said(const ShownLesson& lesson, Column& pen) const;
  void draw_buttons(CommandQueue& out, const ShownLesson& lesson, const Rect& bar);
  void take_digit(CommandQueue& out, const ShownLesson& lesson) const;

  bool all_ = false;  // the list of all lessons instead of the page
  // Of the page that is shown.
  std::uint64_t visit_ = 0;
  std::vector<MarkdownBlock> blocks_;
  std::vector<std::string> typed_;  // by field
  std::vector<std::string> known_;  // what is filled in, as the field knows it
  std::vector<int> refilled_;       // how often it was filled in from outside
  bool wants_caret_ = false;        // the first field takes it
  std::size_t caret_in_ = 0;
  bool to_top_ = false;
};

// --- small parts ---

void put_box(const Rect& box, Color edge, double strength) {
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(box.min, box.max, ink(mix(look().theme->pane, edge, strength)), look().px(4));
  canvas.AddRectFilled(box.min, {box.min.x + look().px(3), box.max.y}, ink(edge), look().px(2));
}

// A tick or a cross, so that nobody needs the colour.
void draw_sign(ImVec2 at, bool right, float side) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float thick = look().px(2);
  if (right) {
    canvas.AddLine({at.x, at.y + side * 0.55f}, {at.x + side * 0.38f, at.y + side * 0.9f}, ink(theme.good), thick);
    canvas.AddLine({at.x + side * 0.38f, at.y + side * 0.9f}, {at.x + side, at.y + side * 0.1f}, ink(theme.good),
                   thick);
    return;
  }
  canvas.AddLine({at.x + side * 0.1f, at.y + side * 0.1f}, {at.x + side * 0.9f, at.y + side * 0.9f}, ink(theme.finding),
                 thick);
  canvas.AddLine({at.x + side * 0.9f, at.y + side * 0.1f}, {at.x + side * 0.1f, at.y + side * 0.9f}, ink(theme.finding),
                 thick);
}

// A page's few sentences in a box; gives the height. The box is as high as its text, which is drawn first.
template <class Sign>
float draw_boxed(ImVec2 at, float width, float in, Color edge, double strength, const std::string& text, Sign sign) {
  const float pad = look().px(8);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.ChannelsSplit(2);
  canvas.ChannelsSetCurrent(1);
  // Behind a paragraph there is room for the next one.
  const std::vector<MarkdownBlock> blocks = read_markdown(text);
  const float high =
      draw_markdown({at.x + in, at.y + pad}, width - in - pad, blocks) - (blocks.empty() ? 0 : look().px(9));
  sign();
  canvas.ChannelsSetCurrent(0);
  put_box({at, {at.x + width, at.y + high + 2 * pad}}, edge, strength);
  canvas.ChannelsMerge();
  return high + 2 * pad;
}

float draw_told(ImVec2 at, float width, bool right, const std::string& text) {
  const Theme& theme = *look().theme;
  const float pad = look().px(8), side = look().fonts.text->FontSize * 0.8f;
  return draw_boxed(at, width, pad + side + look().px(8), right ? theme.good : theme.finding, 0.14, text, [&] {
    draw_sign({at.x + pad, at.y + pad + look().px(1)}, right, side);
  });
}

float draw_quiet_box(ImVec2 at, float width, const std::string& text) {
  return draw_boxed(at, width, look().px(16), look().theme->accent, 0.12, text, [] {});
}

// A tip of a row of buttons stands above the row: beside the mouse it would cover the next button.
void tip_above(const Rect& bar, const Rect& part, const char* words) {
  const float along = bar.width() > part.width() ? (part.min.x - bar.min.x) / (bar.width() - part.width()) : 0;
  const ImVec2 foot{part.min.x + along * part.width(), bar.min.y - look().px(6)};
  ImGui::SetNextWindowPos(foot, ImGuiCond_Always, {along, 1});
  ImGui::SetTooltip("%s", words);
}

bool button(const char* id, const char* label, const Rect& bar, const Rect& rect, bool strong, bool enabled,
            const char* tip) {
  const Theme& theme = *look().theme;
  ImGui::SetCursorScreenPos(rect.min);
  const bool pressed = ImGui::InvisibleButton(id, {std::max(1.0f, rect.width()), std::max(1.0f, rect.height())});
  const bool hovered = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
  if (ImGui::IsItemHovered() && *tip != 0) tip_above(bar, rect, tip);
  const Color ground = !enabled ? theme.pane : strong ? theme.accent : hovered ? theme.hovered : theme.raised;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(rect.min, rect.max, ink(ground), look().px(4));
  if (hovered && enabled) canvas.AddRect(rect.min, rect.max, ink(theme.text), look().px(4));
  draw_text_in(canvas, rect, label,
               ink(!enabled ? theme.text_quiet
                   : strong ? theme.accent_text
                            : theme.text),
               look().fonts.text);
  if (targets_wanted() && enabled) note_target(std::string("lesson/") + id, rect);
  return pressed && enabled;
}

// At the right end of the room, with a tick where all was answered.
void draw_score(const learn::Score& score, const Rect& room) {
  const bool all = score.answered == score.questions;
  const std::string note = learn::score_text(score);
  const float wide = text_width(note, look().fonts.small), side = look().fonts.small->FontSize;
  const float right = room.max.x - (all ? side + look().px(6) : 0);
  if (right - wide > room.min.x)
    put_text({right - wide, room.min.y + look().px(1)}, note, look().theme->text_quiet, look().fonts.small);
  if (all) draw_sign({room.max.x - side, room.min.y}, true, side);
}

std::string cell_name(const DebugView& view, const learn::Predict& predict, std::size_t cell) {
  return learn::name_of(view.recording()->program(), view.recording()->bound(predict.step), predict.element(cell));
}

// --- all lessons ---

void LessonPane::draw_all(const DebugView& view, CommandQueue& out) {
  const Theme& theme = *look().theme;
  ImGui::BeginChild("all lessons");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Column pen({at.x + look().px(14), at.y + look().px(12)}, ImGui::GetContentRegionAvail().x - look().px(28));
  put_text(pen.at(), "Lessons", theme.text, look().fonts.heading);
  pen.skip(line_step(look().fonts.heading) + look().px(4));
  pen.text(
      "Each takes some minutes: a program that runs, and questions that its run answers. The order is a "
      "good one, and none needs the others.",
      theme.text_quiet, look().fonts.text, look().px(8));
  // Made once: they come with the program.
  static const std::vector<Sample> lessons_brought = lessons();
  for (std::size_t i = 0; i < lessons_brought.size(); ++i) draw_lesson(view, out, lessons_brought[i], i + 1, pen);
  if (!view.lesson_scores().families.empty()) draw_families(view.lesson_scores().families, pen);
  pen.fill_window(at, look().px(10));
  ImGui::EndChild();
}

// A lesson to be opened: its name and what it is about, and how far one has come in it.
void LessonPane::draw_lesson(const DebugView& view, CommandQueue& out, const Sample& lesson, std::size_t number,
                             Column& pen) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float pad = look().px(8), width = pen.width() - 2 * pad;
  const float high = line_step(look().fonts.bold) +
                     put_text_wrapped({0, 0}, width, lesson.summary, theme.text, look().fonts.small, false) + 2 * pad;
  const Rect box = pen.take(high, look().px(6)), inner = box.shrunk(pad);
  ImGui::SetCursorScreenPos(box.min);
  const std::string id(lesson.name);
  if (ImGui::InvisibleButton(id.c_str(), {std::max(1.0f, box.width()), high})) {
    all_ = false;
    out.push("openLesson", {id});
  }
  const bool hovered = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
  const bool here = view.lesson() != nullptr && view.lesson()->name == id + ".lua";
  canvas.AddRectFilled(box.min, box.max, ink(hovered ? theme.hovered : theme.raised), look().px(4));
  if (here) canvas.AddRect(box.min, box.max, ink(theme.accent), look().px(4));
  if (targets_wanted()) note_target("lesson/open " + id, box);
  const float named = put_text_cut(inner.min, width, fmt::format("{}  {}", number, id), theme.text, look().fonts.bold);
  if (const auto& scores = view.lesson_scores().lessons; scores.contains(id + ".lua"))
    draw_score(scores.at(id + ".lua"), {{inner.min.x + named + look().px(12), inner.min.y}, inner.max});
  put_text_wrapped({inner.min.x, inner.min.y + line_step(look().fonts.bold)}, width, lesson.summary, theme.text_quiet,
                   look().fonts.small);
}

void LessonPane::draw_families(const std::map<std::string, learn::Score>& families, Column& pen) const {
  const Theme& theme = *look().theme;
  put_text({pen.x(), pen.y() + look().px(6)}, "By family of instructions", theme.text, look().fonts.bold);
  pen.skip(line_step(look().fonts.bold) + look().px(8));
  for (const auto& [family, score] : families) {
    Room line(pen.take(line_step(look().fonts.small)));
    const Rect name = line.left(pen.width() * 0.4f), rest = line.rest();
    put_text_cut(name.min, name.width(), family, theme.text, look().fonts.small);
    put_text_cut(rest.min, rest.width(), learn::score_text(score), theme.text_quiet, look().fonts.small);
  }
}

// --- a page ---

// "Zip", and below it a dot for every page: filled where one has been, with a tick where a question was answered.
void LessonPane::draw_head(const ShownLesson& lesson, Column& pen) const {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  pen.text(lesson.lesson->title, theme.text, look().fonts.heading, look().px(2));
  const std::size_t count = lesson.lesson->pages.size();
  const std::string words = fmt::format("step {} of {}", lesson.page + 1, count);
  put_text(pen.at(), words, theme.text_quiet, look().fonts.small);
  const float radius = look().px(4), step = std::min(look().px(15), (pen.width() * 0.7f) / static_cast<float>(count));
  float x = pen.x() + text_width(words, look().fonts.small) + look().px(16);
  const float middle = pen.y() + look().fonts.small->FontSize / 2;
  for (std::size_t i = 0; i < count; ++i, x += step) {
    const learn::PageProgress done =
        i < lesson.progress.pages.size() ? lesson.progress.pages[i] : learn::PageProgress{};
    const bool asks = lesson.lesson->pages[i].asks();
    if (done.right) draw_sign({x - radius, middle - radius}, true, radius * 2);
    else if (asks)
      canvas.AddRect({x - radius, middle - radius}, {x + radius, middle + radius}, ink(theme.text_quiet), 0, 0,
                     look().px(1.5f));
    else canvas.AddCircleFilled({x, middle}, radius * 0.6f, ink(theme.text_quiet));
    if (i == lesson.page)
      canvas.AddLine({x - radius, middle + radius + look().px(3)}, {x + radius, middle + radius + look().px(3)},
                     ink(theme.accent), look().px(2));
  }
  pen.skip(line_step(look().fonts.small) + look().px(10));
}

void LessonPane::draw_choices(CommandQueue& out, const ShownLesson& lesson, const learn::Ask& ask, Column& pen) const {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float pad = look().px(8), digit = look().px(26);
  for (std::size_t i = 0; i < ask.choices.size(); ++i) {
    const float room = pen.width() - digit - 2 * pad;
    const float high =
        put_text_wrapped({0, 0}, room, ask.choices[i], theme.text, look().fonts.text, false) + 2 * look().px(6);
    const Rect box = pen.take(high, look().px(5));
    ImGui::SetCursorScreenPos(box.min);
    ImGui::PushID(static_cast<int>(i));
    const bool pressed = ImGui::InvisibleButton("choice", {std::max(1.0f, box.width()), box.height()});
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
    if (pressed && lesson.asks()) out.push("lessonChoose", {static_cast<std::int64_t>(i + 1)});
    const bool chosen = !lesson.fills.empty() && lesson.fills[0] == ask.choices[i];
    const bool judged = chosen && lesson.judged && !lesson.judged->unread;
    const bool right = judged && (lesson.judged->right || lesson.told);
    Color ground = hovered && lesson.asks() ? theme.hovered : theme.raised;
    if (judged) ground = mix(theme.pane, right ? theme.good : theme.finding, 0.22);
    canvas.AddRectFilled(box.min, box.max, ink(ground), look().px(4));
    if (chosen) canvas.AddRect(box.min, box.max, ink(judged && right ? theme.good : theme.accent), look().px(4));
    const float y = box.min.y + look().px(6);
    put_text({box.min.x + pad, y}, std::to_string(i + 1), theme.text_quiet, look().fonts.mono);
    put_text_wrapped({box.min.x + digit, y}, room, ask.choices[i], theme.text, look().fonts.text);
    if (judged) draw_sign({box.max.x - look().px(22), y}, right, look().fonts.text->FontSize * 0.8f);
    if (targets_wanted()) note_target(fmt::format("lesson/choice {}", i + 1), box);
  }
}

// A line to type an answer into; Enter goes to the next empty one, or answers.
void LessonPane::draw_field(CommandQueue& out, const ShownLesson& lesson, std::size_t index, const std::string& label,
                            const char* hint, Column& pen) {
  const Theme& theme = *look().theme;
  if (typed_.size() <= index) typed_.resize(index + 1);
  std::string& text = typed_[index];
  // Clicks fill it in as well. The field that has the caret goes on with its own text, so it becomes another one.
  if (known_.size() <= index) {
    known_.resize(index + 1);
    refilled_.resize(index + 1);
  }
  if (lesson.fills[index] != known_[index]) {
    text = known_[index] = lesson.fills[index];
    ++refilled_[index];
  }
  const float wide = label.empty() ? 0 : std::min(pen.width() * 0.42f, look().px(150));
  const float high = ImGui::GetFrameHeight();
  if (!label.empty())
    put_text_cut({pen.x(), pen.y() + (high - look().fonts.mono->FontSize) / 2}, wide - look().px(6), label,
                 lesson.current == index && lesson.asks() ? theme.text : theme.text_quiet, look().fonts.mono);
  const float sign = look().px(24);
  ImGui::SetCursorScreenPos({pen.x() + wide, pen.y()});
  ImGui::SetNextItemWidth(pen.width() - wide - sign);
  ImGui::PushID(static_cast<int>(index));
  ImGui::PushID(refilled_[index]);
  if (wants_caret_ && caret_in_ == index) {
    give_caret();
    wants_caret_ = false;
  }
  const std::string before = text;
  const ImGuiInputTextFlags flags =
      ImGuiInputTextFlags_EnterReturnsTrue | (lesson.asks() ? ImGuiInputTextFlags_None : ImGuiInputTextFlags_ReadOnly);
  const bool entered = text_field("##answer", hint, text, flags);
  const Rect box{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  const bool chosen = ImGui::IsItemActivated() && lesson.current != index;
  ImGui::PopID();
  ImGui::PopID();
  if (lesson.asks() && (chosen || text != before)) {
    known_[index] = text;
    out.push("lessonFill", {static_cast<std::int64_t>(index), text});
  }
  if (targets_wanted()) note_target(fmt::format("lesson/field {}", index), box);
  const bool judged = lesson.judged && index < lesson.judged->parts.size();
  if (judged && !lesson.judged->unread)
    draw_sign({box.max.x + look().px(7), box.min.y + look().px(5)}, lesson.judged->parts[index].right || lesson.told,
              high - look().px(10));
  if (entered && lesson.asks()) {
    std::size_t next = typed_.size();
    for (std::size_t i = 0; i < lesson.fills.size() && next == typed_.size(); ++i)
      if (i != index && i < typed_.size() && typed_[i].empty()) next = i;
    if (next < typed_.size() && !text.empty()) {
      caret_in_ = next;
      wants_caret_ = true;
    } else {
      out.push("lessonAnswer");
      caret_in_ = index;
      wants_caret_ = true;
    }
  }
  pen.skip(high + look().px(4));
  if (!judged || lesson.now().predict() == nullptr || lesson.judged->parts[index].said.empty()) return;
  pen.skip(put_text_wrapped({pen.x() + look().px(8), pen.y()}, pen.width() - look().px(8),
                            lesson.judged->parts[index].said, theme.text, look().fonts.small) +
           look().px(6));
}

// The program's steps, of which one is to be named.
void LessonPane::draw_steps(DebugView& view, CommandQueue& out, const ShownLesson& lesson, Column& pen) const {
  const Theme& theme = *look().theme;
  const Recording& recording = *view.recording();
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  ImFont* font = look().fonts.mono;
  const auto shown = view.shown_step();
  const float high = line_step(font) + look().px(5);
  const std::uint32_t count = std::min(recording.count(), kMostSteps);
  for (std::uint32_t step = 0; step < count; ++step) {
    const Rect row = pen.take(high);
    const bool named = !lesson.fills.empty() && lesson.fills[0] == fmt::format("step {}", step);
    ImGui::SetCursorScreenPos(row.min);
    ImGui::PushID(static_cast<int>(step));
    if (ImGui::InvisibleButton("step", {std::max(1.0f, pen.width()), high})) {
      out.push("showNext", {std::int64_t{0}});
      out.push("seek", {std::int64_t{step} + 1});
      if (lesson.asks()) out.push("lessonFill", {std::int64_t{0}, fmt::format("step {}", step)});
    }
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
    if (!ImGui::IsRectVisible(row.min, row.max)) continue;
    if (named || hovered)
      canvas.AddRectFilled(row.min, row.max, ink(named ? mix(theme.pane, theme.accent, 0.3) : theme.hovered),
                           look().px(3));
    if (shown == step)
      canvas.AddTriangleFilled({row.min.x + look().px(2), row.center().y - look().px(4)},
                               {row.min.x + look().px(2), row.center().y + look().px(4)},
                               {row.min.x + look().px(9), row.center().y}, ink(theme.accent));
    const ShortStep what = short_step(recording, step);
    std::string text = fmt::format("{:>3}  {}", step, what.op);
    if (!what.results.empty()) text += "  " + what.results;
    if (!what.inputs.empty()) text += fmt::format("  from {}", what.inputs);
    put_text_cut({row.min.x + look().px(14), row.center().y - font->FontSize / 2}, pen.width() - look().px(18), text,
                 theme.text, font);
    if (targets_wanted()) note_target(fmt::format("lesson/step {}", step), row);
  }
  if (recording.count() > count)
    pen.text(fmt::format("and {} more: type the number of one", recording.count() - count), theme.text_quiet,
             look().fonts.small);
  pen.skip(look().px(6));
}

void LessonPane::draw_question(DebugView& view, CommandQueue& out, const ShownLesson& lesson, Column& pen) {
  const Theme& theme = *look().theme;
  const learn::Page& page = lesson.now();
  const auto title = [&](const std::string& text) {
    const std::vector<MarkdownBlock> blocks = read_markdown(text);
    if (!blocks.empty()) pen.skip(draw_markdown_line(pen.at(), pen.width(), blocks.front().line, look().fonts.bold));
    pen.skip(look().px(6));
  };
  if (const auto* ask = std::get_if<learn::Ask>(&page.question)) {
    title(ask->text);
    if (ask->choices.empty()) draw_field(out, lesson, 0, "", "your answer, then Enter", pen);
    else draw_choices(out, lesson, *ask, pen);
  }
  if (const learn::Predict* predict = page.predict()) {
    title(predict->cells.size() == 1 ? "What stands here after this step?"
                                     : "What stands in these cells after this step?");
    const char* hint = predict->by == learn::Predict::By::Value    ? "a value"
                       : predict->by == learn::Predict::By::Source ? "a source, such as src0[0,3]"
                                                                   : "a value, or a source such as src0[0,3]";
    for (std::size_t i = 0; i < predict->cells.size(); ++i)
      draw_field(out, lesson, i, cell_name(view, *predict, i), hint, pen);
    pen.text(
        "unchanged: the step leaves it; undefined: nobody ever wrote it; unspecified: nobody "
        "promises what stands there.",
        theme.text_quiet, look().fonts.small, look().px(6));
  }
  if (const auto* find = std::get_if<learn::Find>(&page.question)) {
    if (find->what == learn::Find::What::Step) {
      title("Which step is it? Click through them, and answer with the one you mean.");
      draw_steps(view, out, lesson, pen);
    } else {
      title("Which cell is it? Click it, and answer.");
    }
    draw_field(out, lesson, 0, "", find->what == learn::Find::What::Step ? "step 3" : "out[0,3]", pen);
  }
}

// What came of the answer, and of being asked for help.
void LessonPane::draw_said(const ShownLesson& lesson, Column& pen) const {
  if (lesson.hint && !lesson.now().hint.empty())
    pen.skip(draw_quiet_box(pen.at(), pen.width(), lesson.now().hint) + look().px(6));
  if (lesson.judged) {
    const learn::Judgement& judged = *lesson.judged;
    std::string text = judged.text;
    if (lesson.told) text = "This is the answer. " + (lesson.now().predict() != nullptr ? std::string() : judged.text);
    else if (judged.unread && lesson.now().predict() != nullptr)
      text = "Not everything can be judged yet: see below each field.";
    else if (judged.right) text = text.empty() ? "Right." : "Right: " + text;
    else if (text.empty()) text = "No. Try again, take the hint, or let it be shown.";
    else if (lesson.now().predict() != nullptr)
      text += ". Correct the others and answer again; \"Show me\" tells where each value comes from.";
    const bool good = judged.right || lesson.told;
    const float high =
        judged.unread ? draw_quiet_box(pen.at(), pen.width(), text) : draw_told(pen.at(), pen.width(), good, text);
    pen.skip(high + look().px(6));
  }
  if (lesson.held && !lesson.done) {
    const char* words = lesson.asks() && lesson.now().predict() != nullptr
                            ? "The lesson asks what this step does: it is made when you have answered. \"Show me\" "
                              "answers for you, \"Skip\" passes it over."
                            : "A question about the next step is still to come: turn the page first.";
    pen.skip(draw_quiet_box(pen.at(), pen.width(), words) + look().px(6));
  }
  if (lesson.done && !lesson.now().why.empty())
    pen.skip(draw_quiet_box(pen.at(), pen.width(), lesson.now().why) + look().px(6));
}

void LessonPane::draw_buttons(CommandQueue& out, const ShownLesson& lesson, const Rect& bar) {
  const auto place = [&](int number) { return share_of(bar, number, 5, look().px(6)); };
  const bool asks = lesson.asks(), last = lesson.page + 1 == lesson.lesson->pages.size();
  const bool chosen = asks && std::holds_alternative<learn::Ask>(lesson.now().question) &&
                      !std::get<learn::Ask>(lesson.now().question).choices.empty();
  if (button("back", "Back", bar, place(0), false, lesson.page > 0, with_key("The step before", "lessonBack").c_str()))
    out.push("lessonBack");
  if (button("hint", "Hint", bar, place(1), false, asks && !lesson.now().hint.empty(),
             with_key("A word that helps", "lessonHint").c_str()))
    out.push("lessonHint");
  if (button("tell", "Show me", bar, place(2), false, asks, "Shows the answer; it does not count as yours"))
    out.push("lessonTell");
  if (button("answer", "Answer", bar, place(3), asks && !chosen, asks && !chosen, "Enter in a field answers too"))
    out.push("lessonAnswer");
  if (last && !asks) {
    if (button("all", "Lessons", bar, place(4), true, true, "All lessons")) all_ = true;
  } else if (button("next", asks ? "Skip" : "Next", bar, place(4), !asks, !last,
                    with_key("The next step", "lessonNext").c_str())) {
    out.push("lessonNext");
  }
}

// A digit is a choice, while nobody types. Characters, because a key that goes down and up between two frames is lost.
void LessonPane::take_digit(CommandQueue& out, const ShownLesson& lesson) const {
  const ImGuiIO& io = ImGui::GetIO();
  const auto* ask = std::get_if<learn::Ask>(&lesson.now().question);
  if (ask == nullptr || !lesson.asks() || io.WantTextInput) return;
  for (const ImWchar letter : io.InputQueueCharacters)
    if (letter >= '1' && letter <= '9' && static_cast<std::size_t>(letter - '1') < ask->choices.size())
      return out.push("lessonChoose", {static_cast<std::int64_t>(letter - '0')});
}

void LessonPane::draw_page(DebugView& view, CommandQueue& out, const ShownLesson& lesson) {
  if (visit_ != lesson.visit) {
    visit_ = lesson.visit;
    blocks_ = read_markdown(lesson.now().say);
    typed_ = known_ = lesson.fills;
    refilled_.resize(known_.size());
    for (int& times : refilled_) ++times;
    to_top_ = true;
    const auto* ask = std::get_if<learn::Ask>(&lesson.now().question);
    wants_caret_ = lesson.now().predict() != nullptr || (ask != nullptr && ask->choices.empty());
    caret_in_ = 0;
  }
  Room room(rest_of_window());
  const float margin = look().px(14);
  const Rect foot = room.bottom(look().px(44));
  ImGui::BeginChild("lesson page", {room.rest().width(), std::max(1.0f, room.rest().height())});
  if (std::exchange(to_top_, false)) ImGui::SetScrollY(0);
  const ImVec2 inside = ImGui::GetCursorScreenPos();
  Column pen({inside.x + margin, inside.y + look().px(12)},
             std::max(look().px(120), ImGui::GetContentRegionAvail().x - 2 * margin));
  draw_head(lesson, pen);
  if (!blocks_.empty()) pen.skip(draw_markdown(pen.at(), pen.width(), blocks_) + look().px(8));
  if (lesson.now().asks()) draw_question(view, out, lesson, pen);
  draw_said(lesson, pen);
  pen.fill_window(inside, look().px(12));
  ImGui::EndChild();
  Room buttons(foot);
  buttons.top(look().px(6));
  buttons.bottom(look().px(8));
  buttons.left(margin);
  buttons.right(margin);
  draw_buttons(out, lesson, buttons.rest());
  take_digit(out, lesson);
}

void LessonPane::draw(DebugView& view, CommandQueue& out) {
  const ShownLesson* lesson = view.lesson();
  // Whoever turns a page wants to see it.
  if (lesson != nullptr && lesson->visit != visit_) all_ = false;
  if (lesson == nullptr || all_ || view.recording() == nullptr) return draw_all(view, out);
  draw_page(view, out, *lesson);
}

bool LessonPane::act(const Command& command, DebugView&, CommandQueue&) {
  if (command.name != "lessons") return false;
  all_ = true;
  return true;
}

const RegisteredPane kLessonPane({
    .id = "lesson",
    .title = "Lesson",
    .help = "A lesson's text, its questions, and what was answered.",
    .order = 100,
    .places = {{"learn", "text", 1}},
    .manual =
        R"(The text of a lesson and its questions. What it points at lights up in the other panes. An answer is filled in, chosen, or
dragged in from the stage; a hint helps, and the answer can be shown.)",
    .make = make_pane<LessonPane>,
});

}  // namespace
}  // namespace ts::ui
