// Writing lines, and putting them together.
#include "app/window/desk/journal_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/debug/session/stop_text.h"
#include "core/memory/place_word.h"
#include "core/report/escape.h"

namespace ts::ui {
namespace {

using Kind = JournalLine::Kind;

// When there are more, the journal begins anew where it stands.
constexpr std::size_t kMostJournalLines = 20'000;

std::string lua_value(const CommandValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  return lua_string(std::get<std::string>(value));
}

std::string lua_values(const std::vector<CommandValue>& values) {
  std::string text;
  for (const CommandValue& value : values) text += (text.empty() ? "" : ", ") + lua_value(value);
  return text;
}

// The parameters that are given, by their names; an empty text is none.
std::string lua_fields(const CommandRow& row, const std::vector<CommandValue>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), row.parameters.size()); ++i)
    if (values[i] != CommandValue(""))
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", row.parameters[i].name, lua_value(values[i]));
  return text;
}

std::string lua_bytes(const ByteRange& bytes) {
  return lua_string(
      fmt::format("{}[0x{:x},0x{:x})", place_word(bytes.space, bytes.core), bytes.address, bytes.address + bytes.size));
}

std::string lua_watched(const Watched& watched) {
  std::vector<std::string> ranges;
  for (const ByteRange& bytes : watched.bytes) ranges.push_back(lua_bytes(bytes));
  const std::string all = fmt::format("{}", fmt::join(ranges, ", "));
  return fmt::format("{}s={}", name(watched.touch), ranges.size() == 1 ? all : "{" + all + "}");
}

bool same_rule(const StopRule& a, const StopRule& b) { return lua_of(a) == lua_of(b); }

std::string seek_line(Moment moment) {
  if (moment.micro == 0) return fmt::format("rec:seek({})", moment.position);
  return fmt::format("rec:seek({}, {})", moment.position, moment.micro);
}

std::string unset_note(Note note) {
  note.text.clear();
  return lua_of(note);
}

const StopEntry* find(const std::vector<StopEntry>& stops, StopId id) {
  const auto found = std::ranges::find(stops, id, &StopEntry::id);
  return found == stops.end() ? nullptr : &*found;
}

// Behind what a person would not recognise, what it is called in the window.
std::string with_words(const StopRule& rule, const std::string& lua) {
  return rule.watch && !rule.watch->text.empty() ? lua + "  -- " + rule.watch->text.substr(0, 80) : lua;
}

std::string element_call(const JournalEnd& end, const char* method) {
  return fmt::format("{}:{}({}, {})", end.element, method, end.row, end.col);
}

// One line of a script, with a loop around what was done several times.
std::string repeated(const JournalLine& line) {
  if (line.times <= 1) return line.lua + "\n";
  return fmt::format("for _ = 1, {} do {} end\n", line.times, line.lua);
}

}  // namespace

std::string lua_of(const CommandRow& row, const std::vector<CommandValue>& values) {
  using Form = JournalForm::Kind;
  switch (row.journal.kind) {
    case Form::Outcome:
    case Form::Nothing: return "";
    case Form::Name: return fmt::format("{}{}({})", row.run != nullptr ? "rec:" : "gui.", row.name, lua_values(values));
    case Form::Fields: return fmt::format("rec:{}{{{}}}", row.name, lua_fields(row, values));
    case Form::Line: break;
  }
  const std::string_view form = row.journal.line;
  if (form.find('$') != std::string_view::npos && values.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '$' || i + 1 == form.size()) {
      text += form[i];
      continue;
    }
    const char what = form[++i];
    const auto index = static_cast<std::size_t>(what - '1');
    text += what == '*' ? lua_values(values) : index < values.size() ? lua_value(values[index]) : "nil";
  }
  return text;
}

std::optional<std::string> lua_of(const StopRule& rule) {
  if (rule.when || rule.differs) return {};
  std::vector<std::string> parts;
  if (rule.step) parts.push_back(fmt::format("step={}", *rule.step));
  if (rule.line) parts.push_back(fmt::format("line={}", *rule.line));
  if (rule.source) parts.push_back("line=" + lua_string(describe(*rule.source)));
  if (!rule.op.empty()) parts.push_back("op=" + lua_string(rule.op));
  if (rule.core) parts.push_back("core=" + lua_string(rule.core->text));
  if (rule.watch) parts.push_back(lua_watched(*rule.watch));
  if (rule.nan) parts.emplace_back("nan=true");
  if (rule.inf) parts.emplace_back("inf=true");
  if (rule.finding) parts.emplace_back("finding=true");
  if (rule.ignore != 0) parts.push_back(fmt::format("ignore={}", rule.ignore));
  if (rule.once) parts.emplace_back("once=true");
  if (!rule.log.empty()) parts.push_back("log=" + lua_string(rule.log));
  return fmt::format("rec:addBreakpoint{{{}}}", fmt::join(parts, ", "));
}

std::string lua_of(const Note& note) {
  std::string text = "rec:note{text=" + lua_string(note.text);
  if (note.step) text += fmt::format(", step={}", *note.step);
  if (note.element)
    text +=
        fmt::format(", tile={}, row={}, col={}", lua_string(note.element->owner), note.element->row, note.element->col);
  return text + "}";
}

std::string lua_of(const Element& element, const std::string& owner) {
  return fmt::format("gui.select({}, {}, {})", lua_string(owner), element.row, element.col);
}

std::string typed_as_line(const std::string& ran) {
  const bool own = ran.find("local") != std::string::npos || ran.find("return") != std::string::npos ||
                   ran.find("goto") != std::string::npos || ran.find("::") != std::string::npos ||
                   ran.find('\n') != std::string::npos || ran.find("--") != std::string::npos || ran.starts_with('(');
  return own ? "do local function typed()\n" + ran + "\nend typed() end" : ran;
}

std::string as_comment(const std::string& text) {
  std::string out = "-- ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "-- ";
  }
  return out;
}

// --- what happens ---

void Journal::put(JournalLine line) {
  ++number_;
  line.moment = moment_;
  JournalLine* last = lines_.empty() ? nullptr : &lines_.back();
  if (last != nullptr && !line.key.empty() && last->key == line.key) {
    *last = std::move(line);
    return;
  }
  const bool again = last != nullptr && line.kind == Kind::Move && last->kind == Kind::Move && line.key.empty() &&
                     last->key.empty() && last->lua == line.lua;
  if (again) {
    ++last->times;
    last->moment = line.moment;
    return;
  }
  lines_.push_back(std::move(line));
}

void Journal::add(JournalLine::Kind kind, const std::string& lua, const std::string& key) {
  if (!open_ || lua.empty()) return;
  put({.kind = kind, .lua = lua, .key = key});
}

void Journal::note_state(const Standing& standing) {
  moment_ = standing.moment;
  stops_ = standing.stops;
  watches_.clear();
  for (const WatchLine& watch : standing.watches) watches_.push_back(watch.expression);
  bookmarks_ = standing.bookmarks;
  notes_ = standing.notes;
}

void Journal::begin(std::string load, bool clears, const Standing& standing, const std::string& selected) {
  open_ = true;
  load_ = std::move(load);
  clears_ = clears;
  note_state(standing);
  put({.kind = Kind::Opened, .lua = load_});
  begin_ = standing;
  begin_selected_ = selected_ = selected;
  scripted_.clear();
  for (const StopEntry& stop : standing.stops)
    if (lua_of(stop.rule)) scripted_.push_back({stop.id, stop.hits});
}

void Journal::end() { open_ = false; }

void Journal::clear(const Standing& standing, const std::string& selected) {
  lines_.clear();
  ++number_;
  if (open_) begin(load_, clears_, standing, selected);
}

void Journal::put_back(Kept kept, const Standing& standing, const std::string& selected) {
  lines_ = std::move(kept.lines);
  begin_ = std::move(kept.begin);
  begin_selected_ = std::move(kept.begin_selected);
  selected_ = selected;
  ++number_;
  note_state(standing);
  scripted_.clear();
  for (const StopEntry& stop : standing.stops)
    if (lua_of(stop.rule)) scripted_.push_back({stop.id, 0});
}

void Journal::select(const std::string& line) {
  if (!open_ || line == selected_) return;
  selected_ = line;
  put({.kind = Kind::Window, .lua = line, .key = "select"});
}

// The stop's place in the list of the script, from 1; 0: the script has none of it.
std::size_t Journal::number_of(StopId id) const {
  const auto found = std::ranges::find(scripted_, id, &Scripted::id);
  return found == scripted_.end() ? 0 : static_cast<std::size_t>(found - scripted_.begin()) + 1;
}

void Journal::stop_lines(const std::vector<StopEntry>& now) {
  for (const StopEntry& old : stops_) {
    const StopEntry* still = find(now, old.id);
    if (still != nullptr && same_rule(still->rule, old.rule)) continue;
    if (const std::size_t number = number_of(old.id)) {
      // What goes away by itself does so in a script too.
      if (!old.rule.once) put({.kind = Kind::Set, .lua = fmt::format("rec:breakpoints()[{}]:remove()", number)});
      scripted_.erase(scripted_.begin() + static_cast<std::ptrdiff_t>(number) - 1);
    }
  }
  for (const StopEntry& stop : now) {
    const StopEntry* old = find(stops_, stop.id);
    if (old == nullptr || !same_rule(stop.rule, old->rule)) {
      const auto lua = lua_of(stop.rule);
      if (!lua) {
        put({.kind = Kind::Comment, .lua = "-- a breakpoint that only the window can set"});
        continue;
      }
      put({.kind = Kind::Set, .lua = with_words(stop.rule, *lua)});
      scripted_.push_back({stop.id, stop.hits});
    }
    const std::size_t number = number_of(stop.id);
    const bool was_enabled = old == nullptr || old->enabled;
    if (number != 0 && stop.enabled != was_enabled)
      put({.kind = Kind::Set,
           .lua = fmt::format("rec:breakpoints()[{}]:{}()", number, stop.enabled ? "enable" : "disable")});
  }
}

// What was set, as the difference to what was set before.
void Journal::set_lines(const Standing& standing) {
  stop_lines(standing.stops);
  std::vector<std::string> watches;
  for (const WatchLine& watch : standing.watches) watches.push_back(watch.expression);
  const std::size_t common = static_cast<std::size_t>(std::ranges::mismatch(watches_, watches).in1 - watches_.begin());
  // From the first that differs on they are watched anew: their order is part of what is seen.
  for (std::size_t i = common; i < watches_.size(); ++i)
    if (std::find(watches_.begin() + static_cast<std::ptrdiff_t>(common),
                  watches_.begin() + static_cast<std::ptrdiff_t>(i),
                  watches_[i]) == watches_.begin() + static_cast<std::ptrdiff_t>(i))
      put({.kind = Kind::Set, .lua = fmt::format("rec:unwatch({})", lua_string(watches_[i]))});
  for (std::size_t i = common; i < watches.size(); ++i)
    put({.kind = Kind::Set, .lua = fmt::format("rec:watch({})", lua_string(watches[i]))});
  for (const auto& [name, position] : bookmarks_)
    if (!standing.bookmarks.contains(name))
      put({.kind = Kind::Set, .lua = fmt::format("rec:removeBookmark({})", lua_string(name))});
  for (const auto& [name, position] : standing.bookmarks) {
    const auto old = bookmarks_.find(name);
    if (old == bookmarks_.end() || old->second != position)
      put({.kind = Kind::Set, .lua = fmt::format("rec:bookmark({}, {})", lua_string(name), position)});
  }
  const auto about = [](const std::vector<Note>& notes, const Note& note) {
    return std::ranges::find_if(
        notes, [&](const Note& other) { return other.step == note.step && other.element == note.element; });
  };
  for (const Note& note : notes_)
    if (about(standing.notes, note) == standing.notes.end()) put({.kind = Kind::Set, .lua = unset_note(note)});
  for (const Note& note : standing.notes)
    if (const auto old = about(notes_, note); old == notes_.end() || old->text != note.text)
      put({.kind = Kind::Set, .lua = lua_of(note)});
}

void Journal::arrive(const Standing& standing, const std::string& how, bool whole) {
  if (!open_) return;
  const Stopped::Reason reason = standing.stopped.reason;
  const bool again = reason != Stopped::Reason::Interrupted && reason != Stopped::Reason::Failed;
  const bool moved = standing.moment != moment_;
  const auto hits = [](const std::vector<StopEntry>& stops, StopId id) {
    const StopEntry* stop = find(stops, id);
    return stop == nullptr ? 0 : stop->hits;
  };
  const bool counted =
      std::ranges::any_of(stops_, [&](const StopEntry& stop) { return hits(standing.stops, stop.id) != stop.hits; });
  if (whole) {
    moment_ = standing.moment;
    put({.kind = Kind::Typed, .lua = how});
    // The stops that it made or took away are in the script's list too.
    std::erase_if(scripted_, [&](const Scripted& one) { return find(standing.stops, one.id) == nullptr; });
    for (const StopEntry& stop : standing.stops)
      if (find(stops_, stop.id) == nullptr) scripted_.push_back({stop.id, 0});
  } else {
    moment_ = standing.moment;
    if (!how.empty() && again && (moved || counted)) {
      put({.kind = Kind::Move, .lua = how});
    } else if (moved) {
      put({.kind = Kind::Move, .lua = seek_line(standing.moment), .key = "seek"});
    }
    // What was counted on a way that a script cannot go the same way.
    if (how.empty() || !again)
      for (Scripted& one : scripted_) one.uncounted += hits(standing.stops, one.id) - hits(stops_, one.id);
    set_lines(standing);
  }
  note_state(standing);
  if (lines_.size() > kMostJournalLines) {
    clear(standing, selected_);
    put({.kind = Kind::Comment, .lua = "-- the lines before were too many, and are forgotten"});
  }
}

// --- as a script ---

std::string Journal::script(const JournalEnd& end) const {
  std::string out = "-- What was done in the window of TileScope, to be done again: tilescope script FILE\n";
  out += load_ + "\n";
  if (clears_)
    out +=
        "for _, breakpoint in ipairs(rec:breakpoints()) do breakpoint:remove() end\n"
        "for _, text in ipairs(rec:watches()) do pcall(rec.unwatch, rec, text) end\n";
  for (const StopEntry& stop : begin_.stops) {
    StopRule rule = stop.rule;
    rule.ignore -= std::min(rule.ignore, stop.hits);  // those have been let pass
    const auto lua = lua_of(rule);
    if (!lua) {
      out += "-- a breakpoint that only the window can set\n";
      continue;
    }
    out += stop.enabled ? *lua : *lua + ":disable()";
    out += with_words(rule, "") + "\n";
  }
  for (const WatchLine& watch : begin_.watches) out += fmt::format("rec:watch({})\n", lua_string(watch.expression));
  for (const auto& [name, position] : begin_.bookmarks)
    out += fmt::format("rec:bookmark({}, {})\n", lua_string(name), position);
  for (const Note& note : begin_.notes) out += lua_of(note) + "\n";
  out += seek_line(begin_.moment) + "\n";
  if (!begin_selected_.empty()) out += begin_selected_ + "\n";
  std::size_t first = lines_.size();
  while (first > 0 && lines_[first - 1].kind != Kind::Opened) --first;
  out += "\n";
  for (std::size_t i = first; i < lines_.size(); ++i) out += repeated(lines_[i]);
  out += "\npto.test(\"it comes to the same\", function()\n";
  out += fmt::format("  pto.assert.equal(rec.count, {})\n", end.count);
  out += fmt::format("  pto.assert.equal(rec.pos, {})\n", end.moment.position);
  if (end.moment.micro != 0) out += fmt::format("  pto.assert.equal(rec.micro, {})\n", end.moment.micro);
  if (!end.element.empty() && end.bits)
    out += fmt::format("  pto.assert.equal({}, 0x{:x})\n", element_call(end, "bits"), *end.bits);
  else if (!end.element.empty()) out += fmt::format("  assert(not {})\n", element_call(end, "isDefined"));
  if (!scripted_.empty()) {
    out += "  local stops = rec:breakpoints()\n";
    out += fmt::format("  pto.assert.equal(#stops, {})\n", scripted_.size());
  }
  for (std::size_t i = 0; i < scripted_.size(); ++i) {
    const StopEntry* stop = find(stops_, scripted_[i].id);
    if (stop != nullptr && stop->hits >= scripted_[i].uncounted)
      out += fmt::format("  pto.assert.equal(stops[{}]:hits(), {})\n", i + 1, stop->hits - scripted_[i].uncounted);
  }
  if (end.finding)
    out += fmt::format(
        "  local found = false\n"
        "  for f in rec:findings{{kind={0}}} do found = found or f.step == {1} end\n"
        "  assert(found, \"{2} is not found at step {1}\")\n",
        lua_string(end.finding->second), end.finding->first, end.finding->second);
  return out + "end)\n";
}

}  // namespace ts::ui
