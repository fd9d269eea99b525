// Moving, and taking in where it led.
#include "app/window/desk/walk.h"

#include <fmt/format.h>

#include "app/window/desk/journal_text.h"
#include "core/debug/session/condition.h"
#include "scripting/gui/gui_live.h"
#include "scripting/run/engine.h"

namespace ts::ui {
namespace {

std::vector<WatchLine> evaluate(LiveSession& live) {
  std::vector<WatchLine> lines;
  for (const std::string& expression : live.session->watches()) {
    scripting::WatchResult result = live.console->watch(expression);
    lines.push_back({.expression = expression, .value = std::move(result.text), .ok = result.ok});
  }
  return lines;
}

// Conditions belong to the scripts' thread: the window only sees that there is one.
std::vector<StopEntry> without_conditions(std::vector<StopEntry> stops) {
  for (StopEntry& stop : stops)
    if (const Condition* condition = condition_of(stop.rule)) stop.rule.when = Condition{condition->text};
    else if (stop.rule.when) stop.rule.when = [](std::uint32_t) { return StopRule::Answer::Yes; };
  return stops;
}

void mark_changed(const std::vector<WatchLine>& before, std::vector<WatchLine>& lines) {
  for (WatchLine& line : lines)
    for (const WatchLine& old : before)
      if (old.expression == line.expression) line.changed = old.value != line.value;
}

}  // namespace

Standing standing_of(LiveSession& live, const Stopped& stopped) {
  return {.moment = live.session->moment(),
          .stopped = stopped,
          .stops = without_conditions(live.session->stops()),
          .bookmarks = live.session->bookmarks(),
          .notes = live.session->notes(),
          .followed_marks = live.session->followed_marks(),
          .forks = live.session->forks(),
          .watches = evaluate(live),
          .findings = live.session->shared_findings(),
          .by_source = live.session->steps_by_source(),
          .followed = live.session->followed()};
}

void Walk::tell(std::string text, std::string hint, bool is_error) {
  notices_.push_back({std::move(text), std::move(hint), is_error});
}

// --- moving ---

void Walk::move(std::string what, std::function<Stopped(Session&)> go, std::string lua) {
  driver_.post(std::move(what), [this, go = std::move(go), lua = std::move(lua)](LiveSession& live) {
    if (live.session == nullptr) return;
    const Stopped stopped = go(*live.session);
    publish(live, stopped, lua);
  });
}

void Walk::change(std::string what, std::function<std::optional<Refusal>(Session&)> edit) {
  driver_.post(std::move(what), [this, edit = std::move(edit)](LiveSession& live) {
    if (live.session == nullptr) return;
    if (const auto refused = edit(*live.session))
      driver_.reply([this, refused = *refused] { tell(refused.text, refused.hint, true); });
    publish(live, {.step = live.session->moment().position});
  });
}

void Walk::run(const CommandRow& row, Command command) {
  driver_.post(row.title, [this, &row, command = std::move(command)](LiveSession& live) {
    if (live.session == nullptr) return;
    const auto answer = row.run(*live.session, command);
    if (const auto* no = std::get_if<Refusal>(&answer)) {
      driver_.reply([this, no = *no] { tell(no.text, no.hint, true); });
      return publish(live, {.step = live.session->moment().position});
    }
    const Stopped& stopped = std::get<Stopped>(answer);
    const bool nothing = stopped.reason == Stopped::Reason::End || stopped.reason == Stopped::Reason::Start;
    if (nothing && *row.none != 0) driver_.reply([this, &row] { tell(row.none); });
    else publish(live, stopped, lua_of(row, command.values));
  });
}

void Walk::to_write(Direction direction) {
  if (!state_.selected) return tell("nothing is selected", "click an element first");
  const ByteRange place = view_.place_of(*state_.selected, view_.moment().position);
  driver_.post("looking for a write", [this, place, direction](LiveSession& live) {
    if (live.session == nullptr) return;
    const std::optional<Stopped> stopped = live.session->to_write(place, direction);
    const CommandRow& row = *find_command(direction == Direction::Forward ? "nextWrite" : "previousWrite");
    const std::string bytes =
        fmt::format("{}[0x{:x},0x{:x})", name(place.space), place.address, place.address + place.size);
    if (stopped) publish(live, *stopped, lua_of(row, {bytes}));
    else driver_.reply([this, &row] { tell(row.none); });
  });
}

void Walk::go_after(std::uint32_t step) {
  state_.prefers_next = false;
  move("going there", [step](Session& session) {
    session.seek({step + 1, 0});
    return Stopped{.step = step};
  });
}

void Walk::publish(LiveSession& live, const Stopped& stopped, const std::string& lua, bool whole) {
  if (holds_back(live)) return publish(live, {.step = live.session->moment().position}, lua, whole);
  if (live.script != nullptr) live.script->engine().slot<scripting::GuiLive>().refresh();
  driver_.reply(
      [this, lua, whole, standing = standing_of(live, stopped)]() mutable { arrive(std::move(standing), lua, whole); });
}

// --- what came in ---

void Walk::arrive(Standing standing, const std::string& lua, bool whole) {
  if (view_.recording() == nullptr) return;
  before_arrival(standing, lua, whole);
  if (standing.moment != state_.standing.moment) {
    mark_changed(state_.standing.watches, standing.watches);
    state_.finding.reset();
    on_move();
  }
  if (standing.notes != state_.standing.notes) ++state_.notes_number;
  take_standing(std::move(standing));
  const Stopped& stopped = state_.standing.stopped;
  if (stopped.finding) {
    state_.finding = stopped.finding;
    if (const auto element = view_.element_of(view_.findings()[*stopped.finding])) select(element);
  }
  if (!stopped.cell) return;
  // A stop about a value points at it.
  if (const auto element = view_.element_at(stopped.cell->place, view_.moment().position)) select(element);
}

void Walk::begin(Standing standing) {
  ++state_.notes_number;
  state_.finding.reset();
  state_.selected.reset();
  state_.trail.clear();
  take_standing(std::move(standing));
}

void Walk::take_standing(Standing standing) {
  auto findings = std::move(standing.findings);
  standing.findings = state_.standing.findings;
  state_.standing = std::move(standing);
  take_findings(std::move(findings));
}

void Walk::take_findings(std::shared_ptr<const std::vector<Finding>> findings) {
  const bool others = findings.get() != state_.standing.findings.get();
  state_.standing.findings = std::move(findings);
  if (!others) return;
  take_hidden_findings();
  if (opened_.questions != nullptr && state_.standing.findings != nullptr)
    opened_.questions->set_findings(state_.standing.findings);
}

void Walk::take_hidden_findings() {
  ++state_.findings_number;
  state_.finding.reset();
}

// --- pointing ---

void Walk::select(std::optional<Element> element) {
  state_.selected = element;
  state_.trail.clear();
  if (element) on_select(*element);
}

std::optional<Element> Walk::find_element(const std::string& name, std::uint32_t row, std::uint32_t col) {
  if (view_.recording() == nullptr) return {};
  Session& session = view_.questions();
  const std::uint32_t position = view_.moment().position;
  if (const auto tile = session.find_tile(name, position)) {
    const TileRef where = session.tile_at(*tile, position);
    if (row < where.rows() && col < where.cols()) return Element{{Owner::Kind::Tile, *tile}, row, col};
  }
  if (const auto buffer = session.find_buffer(name)) {
    const BufferShape shape = shape_of(view_.recording()->program().buffers[*buffer]);
    if (row < shape.rows && col < shape.cols) return Element{{Owner::Kind::Buffer, *buffer}, row, col};
  }
  return {};
}

}  // namespace ts::ui
