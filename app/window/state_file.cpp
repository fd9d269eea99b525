// The state as JSON, and its file.
#include "app/window/state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "app/view/shown_lesson.h"
#include "app/view/targets.h"
#include "core/data/fields.h"
#include "core/debug/session/condition.h"
#include "core/debug/session/stop_text.h"
#include "scripting/run/gui_items.h"

namespace ts::ui {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLastLines = 20;

Json json_of(const Rect& rect) {
  const auto whole = [](float number) { return std::lround(number); };
  return {whole(rect.min.x), whole(rect.min.y), whole(rect.width()), whole(rect.height())};
}

Json json_of(const std::map<std::string, Rect>& places) {
  Json json = Json::object();
  for (const auto& [name, rect] : places) json[name] = json_of(rect);
  return json;
}

Json element_json(const DebugView& view, const std::optional<Element>& element) {
  if (!element || view.document() == nullptr) return nullptr;
  return view.name_of(*element);
}

std::string rule_text(const StopRule& rule) {
  std::string text = rule.once ? "once " : "";
  const auto add = [&](const std::string& part) { text += (text.empty() || text.back() == ' ' ? "" : " ") + part; };
  if (rule.line) add("line " + std::to_string(*rule.line));
  if (rule.step) add("step " + std::to_string(*rule.step));
  if (rule.source) add(describe(*rule.source));
  if (!rule.op.empty()) add(rule.op);
  if (rule.core) add("on " + rule.core->text);
  if (rule.watch) add(std::string(name(rule.watch->touch)) + " " + rule.watch->text);
  if (rule.nan) add("nan");
  if (rule.inf) add("inf");
  if (rule.finding) add("finding");
  if (rule.differs) add("differs");
  if (const Condition* condition = condition_of(rule)) add("when " + condition->text);
  return text;
}

Json stops_json(const std::vector<StopEntry>& stops) {
  Json json = Json::array();
  for (const StopEntry& stop : stops)
    json.push_back({{"id", stop.id}, {"text", rule_text(stop.rule)}, {"enabled", stop.enabled}, {"hits", stop.hits}});
  return json;
}

Json console_json(const std::vector<ConsoleLine>& lines) {
  Json json = Json::array();
  for (std::size_t i = lines.size() > kLastLines ? lines.size() - kLastLines : 0; i < lines.size(); ++i)
    json.push_back(lines[i].text);
  return json;
}

Json journal_json(const std::vector<JournalLine>& lines) {
  Json json = Json::array();
  for (std::size_t i = lines.size() > kLastLines ? lines.size() - kLastLines : 0; i < lines.size(); ++i)
    json.push_back(lines[i].times > 1 ? fmt::format("{} x{}", lines[i].lua, lines[i].times) : lines[i].lua);
  return json;
}

Json notes_json(const std::vector<Note>& notes) {
  Json json = Json::array();
  for (const Note& note : notes) {
    if (json.size() == kLastLines) break;
    json.push_back(note_place(note) + ": " + note.text);
  }
  return json;
}

Json broken_json(const Broken* broken) {
  return broken == nullptr ? Json() : Json{{"line", broken->line}, {"text", broken->text}};
}

Json followed_json(const std::vector<FollowedMark>& marks) {
  Json json = Json::array();
  for (const FollowedMark& mark : marks) json.push_back(describe(mark.mark) + ": " + describe(mark));
  return json;
}

Json panels_json(const scripting::GuiItems& items) {
  Json json = Json::array();
  for (const scripting::Panel& panel : items.panels) {
    Json texts = Json::array();
    for (const scripting::PanelItem& item : panel.items) texts.push_back(item.label + item.text);
    json.push_back({{"title", panel.title}, {"items", std::move(texts)}, {"error", panel.error}});
  }
  return json;
}

Json problems_json(const Document* document) {
  Json json = Json::array();
  if (document == nullptr) return json;
  for (const Diagnostic& diagnostic : document->diagnostics) {
    if (json.size() == kLastLines) break;
    json.push_back(diagnostic.text);
  }
  return json;
}

Json findings_json(const DebugView& view) {
  constexpr const char* kStates[] = {"waiting", "running", "done", "ended"};
  const auto count = [&](Severity severity) {
    return std::ranges::count(view.findings(), severity, [](const Finding& one) { return one.diagnostic.severity; });
  };
  return {{"count", view.findings().size()},
          {"errors", count(Severity::Error)},
          {"warnings", count(Severity::Warning)},
          {"state", kStates[static_cast<int>(view.checking().state)]},
          {"chosen", view.finding() ? Json(*view.finding()) : Json()}};
}

Json lesson_json(const DebugView& view) {
  const ShownLesson* lesson = view.lesson();
  if (lesson == nullptr) return nullptr;
  const bool judged = lesson->judged.has_value();
  return {{"name", lesson->name},
          {"step", lesson->page + 1},
          {"steps", lesson->lesson->pages.size()},
          {"kind", learn::kind_of(lesson->now())},
          {"fills", lesson->fills},
          {"field", lesson->current},
          {"done", lesson->done},
          {"told", lesson->told},
          {"hint", lesson->hint},
          {"held", lesson->held},
          {"judged", judged},
          {"right", judged && lesson->judged->right},
          {"unread", judged && lesson->judged->unread},
          {"said", judged ? lesson->judged->text : ""},
          {"answered", lesson->progress.answered()},
          {"hidden", view.hidden_step() ? Json(*view.hidden_step()) : Json()}};
}

Json compare_json(const DebugView& view) {
  const Against* against = view.against();
  const bool running = !view.comparing_with().empty();
  if (against == nullptr) return running ? Json{{"running", true}} : Json();
  const auto causes = std::ranges::count(against->found.differences, false, &ResultDifference::inherited);
  return {{"title", against->title},
          {"running", running},
          {"differences", against->count()},
          {"causes", causes},
          {"chosen", view.difference() ? Json(*view.difference()) : Json()},
          {"padding", against->padding ? Json(against->padding->step_a) : Json()},
          {"parted", against->found.parted ? Json(against->found.parted->text) : Json()}};
}

Json forks_json(const DebugView& view) {
  Json names = Json::array();
  for (const KeptFork& fork : view.standing().forks) names.push_back(fork.name);
  return {{"shown", view.fork()}, {"names", std::move(names)}};
}

}  // namespace

Json state_of(const DebugView& view, const ShellFacts& facts) {
  const Standing& standing = view.standing();
  Json watches = Json::array();
  for (const WatchLine& watch : standing.watches)
    watches.push_back({{"expression", watch.expression}, {"value", watch.value}});
  return {{"ready", facts.ready},
          {"document", view.document() != nullptr ? Json(view.document()->name) : Json()},
          {"problems", problems_json(view.document())},
          {"broken", broken_json(view.broken())},
          {"followed", followed_json(standing.followed_marks)},
          {"bookmarks", standing.bookmarks},
          {"position", standing.moment.position},
          {"micro", standing.moment.micro},
          {"count", view.recording() != nullptr ? view.recording()->count() : 0},
          {"tiles", view.tile_displays().save()},
          {"selected", element_json(view, view.selected())},
          {"hovered", element_json(view, view.hovered())},
          {"layout", facts.layout},
          {"theme", facts.theme},
          {"focus", facts.focus},
          {"popup", facts.popup},
          {"pen_lines", facts.pen_lines},
          {"typing", facts.typing},
          {"says", facts.says},
          {"zoom", std::lround(facts.zoom * 100)},
          {"motion", facts.motion},
          {"panes", json_of(facts.panes)},
          {"targets", json_of(targets())},
          {"findings", findings_json(view)},
          {"compare", compare_json(view)},
          {"forks", forks_json(view)},
          {"lesson", lesson_json(view)},
          {"stops", stops_json(standing.stops)},
          {"watches", std::move(watches)},
          {"console", console_json(view.console())},
          {"journal", journal_json(view.journal())},
          {"notes", notes_json(view.notes())},
          {"panels", panels_json(view.script_items())},
          {"notices", facts.notices},
          {"inputs", facts.inputs},
          {"settings", facts.settings},
          {"mouse", {std::lround(facts.mouse.x), std::lround(facts.mouse.y)}}};
}

void StateFile::end_frame(Json state, const FrameTime& took) {
  ++frame_;
  if (is_slow(frame_, took))
    slow_frames_.push_back({{"frame", frame_}, {"ms", took.cpu_ms}, {"wall_ms", took.wall_ms}});
  state["slow_frames"] = slow_frames_;
  if (state == written_) return;
  written_ = state;
  state["frame"] = frame_;
  const std::string made = path_ + ".new";
  std::ofstream(made) << data::json_text(state);
  std::rename(made.c_str(), path_.c_str());
}

}  // namespace ts::ui
