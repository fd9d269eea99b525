// Lines, as they come.
#include "app/window/desk/journal_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "app/window/commands/window_commands.h"
#include "app/window/desk/open_document.h"
#include "core/debug/elements/cell_text.h"
#include "core/report/escape.h"
#include "core/report/reproduce.h"

namespace ts::ui {
namespace {

using Kind = JournalLine::Kind;

// How scripts find a tile or buffer where the session stands; empty: by no name.
std::string script_name(Session& session, const Owner& owner, const std::string& name, std::uint32_t position) {
  if (owner.kind == Owner::Kind::Buffer)
    return session.find_buffer(name) == owner.id ? fmt::format("rec:buffer({})", lua_string(name)) : "";
  return session.find_tile(name, position) == owner.id ? fmt::format("rec:tile({})", lua_string(name)) : "";
}

bool usual_levels(const CheckOptions& options) {
  const CheckOptions usual;
  return std::ranges::equal(options.level, usual.level);
}

// Of commands that act on the pane with the focus.
bool is_about_focus(const std::string& command) { return command == "maximisePane" || command == "closePane"; }

// Everything of it that is not the one before.
std::string show_line(const std::string& owner, bool heat, int numbers) {
  return fmt::format("gui.show({}, {{as=\"{}\", format=\"{}\"}})", lua_string(owner), heat ? "heat" : "numbers",
                     name(static_cast<NumberStyle>(std::clamp(numbers, 0, kNumberStyles - 1))));
}

}  // namespace

std::string JournalKeeper::selected_line() {
  if (view_.recording() == nullptr) return "";
  if (!view_.selected()) return "gui.selectNone()";
  return lua_of(*view_.selected(), view_.name_of(view_.selected()->owner));
}

void JournalKeeper::begin() {
  noted_looks_.clear();
  noted_owner_.reset();
  noted_next_ = view_.prefers_next();
  noted_pane_.clear();
  // No script opens the program of a lesson.
  if (view_.recording() == nullptr || view_.lesson() != nullptr) return journal_.end();
  const Document& shown = *view_.document();
  const Document& document = shown.base != nullptr ? *shown.base : shown;
  const bool is_file = document.file.has_value();
  std::string load = is_file ? fmt::format("local rec = pto.open({})", lua_string(launch_.name))
                             : lua_load_line(*document.recording, reproducible(launch_));
  for (const std::string& edit : shown.edits) load += fmt::format("\nrec = rec:fork{{edit={}}}", lua_string(edit));
  journal_.begin(load, shown.base == nullptr && is_file && !document.file->notes.empty(), view_.standing(),
                 selected_line());
}

void JournalKeeper::begin_frame() {
  note_selected();
  note_look();
}

void JournalKeeper::arrive(const Standing& standing, const std::string& lua, bool whole) {
  note_selected();
  journal_.arrive(standing, lua, whole);
}

void JournalKeeper::note_selected() {
  if (view_.recording() == nullptr || !journal_.is_open()) return;
  journal_.select(selected_line());
  if (noted_next_ == view_.prefers_next()) return;
  noted_next_ = view_.prefers_next();
  journal_.add(Kind::Window, fmt::format("gui.showNext({})", noted_next_ ? 1 : 0), "showNext");
}

// The Tiles pane says in every frame how it shows its tile.
void JournalKeeper::note_look() {
  const TilesLook& look = view_.tiles_look();
  if (view_.recording() == nullptr || !look.owner) return;
  const std::pair<bool, int> shown{look.heat, look.numbers};
  const std::string name = view_.name_of(*look.owner);
  // Usually the pane follows the selection.
  const bool chosen = look.owner != noted_owner_ && view_.selected() && view_.selected()->owner != *look.owner;
  if (chosen && noted_owner_) journal_.add(Kind::Window, fmt::format("gui.show({})", lua_string(name)), "show");
  noted_owner_ = look.owner;
  const auto [known, is_new] = noted_looks_.try_emplace({static_cast<int>(look.owner->kind), look.owner->id}, shown);
  if (is_new || known->second == shown) return;
  known->second = shown;
  journal_.add(Kind::Window, show_line(name, shown.first, shown.second), "show " + name);
}

void JournalKeeper::note_shown(const ShownLook& shown, bool quiet) {
  if (quiet) noted_ = shown;
  if (noted_shown_ && shown.layout != noted_.layout)
    journal_.add(Kind::Window, fmt::format("gui.layout({})", lua_string(shown.layout)), "layout");
  if (noted_shown_ && shown.theme != noted_.theme)
    journal_.add(Kind::Window, fmt::format("gui.theme({})", lua_string(shown.theme)), "theme");
  noted_ = shown;
  noted_shown_ = true;
}

void JournalKeeper::note_command(const Command& command, const std::string& pane, bool by_pane) {
  const CommandRow* row = find_any_command(command.name);
  if (row == nullptr || find_command(command.name) != nullptr) return;
  // What becomes of the others is seen when they are done.
  const bool is_comment = std::string_view(row->journal.line).starts_with("-- ");
  if (row->journal.kind != JournalForm::Kind::Name && !is_comment) return;
  const std::string line = lua_of(*row, command.values);
  if (line.empty()) return;
  note_selected();
  if ((by_pane || is_about_focus(command.name)) && pane != noted_pane_ && !pane.empty()) {
    journal_.add(Kind::Window, fmt::format("gui.focusPane({})", lua_string(pane)), "focus");
    noted_pane_ = pane;
  }
  journal_.add(is_comment ? Kind::Comment : Kind::Window, line);
}

JournalEnd JournalKeeper::end() {
  JournalEnd end{.moment = view_.moment(), .count = view_.recording()->count()};
  if (view_.finding() && usual_levels(view_.checking().options)) {
    const Finding& finding = view_.findings()[*view_.finding()];
    if (finding.step < end.count) end.finding = {finding.step, name(finding.kind())};
  }
  // In the middle of a step the memories are those of its micro-steps, and the place says enough.
  if (!view_.selected() || end.moment.micro != 0) return end;
  Session& session = view_.questions();
  const Element& element = *view_.selected();
  end.element = script_name(session, element.owner, view_.name_of(element.owner), end.moment.position);
  end.row = element.row;
  end.col = element.col;
  const ByteRange place = view_.place_of(element, end.moment.position);
  std::array<std::byte, 8> bytes{};
  if (place.size > bytes.size()) end.element.clear();
  if (end.element.empty()) return end;
  const Definedness worth = session.peek(end.moment.position, place, std::span(bytes).first(place.size));
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), sizeof bits);
  if (worth == Definedness::Written) end.bits = bits;
  return end;
}

std::string JournalKeeper::script() {
  note_selected();
  return journal_.is_open() ? journal_.script(end()) : "";
}

std::string JournalKeeper::take_script() {
  const std::string script = this->script();
  if (script.empty()) walk_.tell("nothing is open, so nothing was done", "open a program first");
  else walk_.tell("the journal is on the clipboard as a script", "tilescope script FILE runs it as a test");
  return script;
}

void JournalKeeper::save(const std::string& path) {
  const std::string script = this->script();
  const data::Error error = data::write_file(path, {std::as_bytes(std::span(script))});
  if (error.text.empty()) walk_.tell(path + " is written", "tilescope script " + path + " runs it as a test");
  else walk_.tell(error.text, error.hint, true);
}

void JournalKeeper::clear() {
  note_selected();
  journal_.clear(view_.standing(), selected_line());
}

void JournalKeeper::add_comment(const std::string& text) { journal_.add(Kind::Comment, as_comment(text)); }

void JournalKeeper::put_back(Journal::Kept kept) {
  if (view_.recording() != nullptr) journal_.put_back(std::move(kept), view_.standing(), selected_line());
}

}  // namespace ts::ui
