// Commands, frames, settings.
#include "app/window/shell/shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "app/draw/canvas.h"
#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/files/files.h"
#include "app/settings/settings.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "app/window/bars/broken_bar.h"
#include "app/window/bars/entry_bar.h"
#include "app/window/bars/run_bar.h"
#include "app/window/bars/trust_bar.h"
#include "app/window/commands/window_commands.h"
#include "app/window/desk/last_program.h"
#include "app/window/shell/status_bar.h"
#include "app/window/shell/toolbar.h"
#include "core/data/array_file.h"
#include "core/data/fields.h"
#include "core/isa/thread_time.h"

namespace ts::ui {
namespace {

constexpr double kLookSeconds = 0.5;  // how often the open file is looked at

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Levels that are not the usual ones.
nlohmann::json save_checking(const Checking& checking) {
  nlohmann::json levels = nlohmann::json::object();
  for (const CheckRow& row : checks())
    if (checking.options.of(row.kind) != row.level) levels[name(row.kind)] = name(checking.options.of(row.kind));
  return {{"automatic", checking.automatic}, {"levels", levels}};
}

Checking load_checking(const data::Fields& saved) {
  Checking checking;
  checking.automatic = saved.truth("automatic").value_or(true);
  const data::Fields levels = saved.below("levels");
  for (const auto& [kind, level] : levels.all().items()) {
    const auto known = find_finding_kind(kind);
    const auto chosen = find_level(levels.text(kind).value_or(""));
    if (known && chosen) checking.options.set(*known, *chosen);
    else if (known && level.is_string()) levels.tell(kind, "off, note, warning or error");
  }
  return checking;
}

// Where messages stand: not over the buttons of a lesson, which are pressed again and again.
Rect beside_lesson(Rect area, const std::vector<std::pair<std::string, Rect>>& panes) {
  const auto lesson = std::ranges::find(panes, "lesson", &std::pair<std::string, Rect>::first);
  if (lesson == panes.end()) return area;
  const Rect& pane = lesson->second;
  const float enough = look().px(300);
  if (pane.min.x - area.min.x >= enough) area.max.x = pane.min.x;
  else if (area.max.x - pane.max.x < enough) area.max.y = pane.max.y - look().px(44);
  return area;
}

// A file with several entry points runs its first until somebody says which.
bool asks_entry(const Desk& desk) {
  const Document* document = desk.view().document();
  return document != nullptr && document->entries.size() > 1 && desk.launch().entry.empty() && !desk.made_by_script();
}

// What of the view is called what, for who goes back in it.
std::string words_for(const std::string& parts) {
  constexpr struct {
    const char *part, *words;
  } kWords[] = {{"layouts", "panes"}, {"layout", "layout"}, {"maximised", "maximised pane"}, {"theme", "theme"},
                {"zoom", "size"},     {"motion", "motion"}, {"tiles", "how tiles are shown"}};
  for (const auto& row : kWords)
    if (parts == row.part) return row.words;
  return parts;
}

}  // namespace

Shell::Shell(Screen& screen, Desk& desk)
    : screen_(screen),
      desk_(desk),
      appearance_(screen, desk.walk()),
      keys_({.walk = desk.walk(),
             .queue = queue_,
             .menu_bar = menu_bar_,
             .palette = palette_,
             .chooser = chooser_,
             .keys_dialog = keys_dialog_,
             .legend = legend_,
             .run_sheet = run_sheet_,
             .help_card = help_card_,
             .tour = tour_}) {
  screen_.on_key = [this](const Chord& chord, bool) {
    if (film_ == nullptr && panes_.presents() && popup().empty() && presenter_.press(chord, queue_)) return;
    if (film_ == nullptr) keys_.press(chord);
    else if (chord == *chord_from_name("Escape")) cancel_film();
  };
  screen_.on_key_up = [this](const Chord& chord) { keys_.release(chord); };
  screen_.on_drop = [this](const std::vector<std::string>& paths) {
    for (const std::string& path : paths)
      if (data::is_array_file(path)) queue_.push("bindArray", {path});
      else return open(path);
  };
  screen_.before_frame = [this] { keys_.guide_focus(); };
  set_key_hints([this](std::string_view command) { return keys_.map().text_of(command); });
  appearance_.read_themes(false);
  desk_.scripts().set_takes_pictures(true);
}

Shell::~Shell() {
  screen_.on_key = nullptr;
  screen_.on_key_up = nullptr;
  screen_.on_drop = nullptr;
  screen_.before_frame = nullptr;
  set_key_hints(nullptr);
  desk_.scripts().set_takes_pictures(false);
}

// --- what the user set ---

void Shell::load(const data::Fields& settings) {
  appearance_.load(settings);
  std::vector<std::string> problems;
  keys_.map().load(settings.object("keys"), problems);
  for (const std::string& problem : problems) desk_.tell(problem, "View > Keys shows and changes all keys");
  open_file_.load(settings);
  last_ = settings.object("last");
  if (!last_.is_object()) last_ = nlohmann::json::object();
  ran_ = settings.object("programs");
  if (!ran_.is_object()) ran_ = nlohmann::json::object();
  const Checking checking = load_checking(settings.below("check"));
  desk_.checks().set(checking.automatic, checking.options);
  editor_ = settings.text("editor").value_or("");
  panes_.load(settings);
}

nlohmann::json Shell::save() const {
  nlohmann::json settings{{"version", 1}, {"recent", recent()}};
  appearance_.save(settings);
  settings["keys"] = keys_.map().save();
  if (!editor_.empty()) settings["editor"] = editor_;
  settings["check"] = save_checking(desk_.view().checking());
  panes_.save(settings);
  // While it is open, and from then on.
  const DebugView& view = desk_.view();
  if (view.recording() != nullptr && view.lesson() == nullptr && !desk_.made_by_script())
    last_ = save_program(desk_.launch(), view);
  if (!last_.empty()) settings["last"] = last_;
  // Of those that were open lately.
  if (desk_.settings().can_run() && !recent().empty() && !view.document()->path.empty())
    ran_[recent().front()] = save_settings(desk_.launch());
  nlohmann::json kept = nlohmann::json::object();
  for (const std::string& path : recent())
    if (const auto ran = ran_.find(path); ran != ran_.end()) kept[path] = *ran;
  ran_ = std::move(kept);
  if (!ran_.empty()) settings["programs"] = ran_;
  return settings;
}

// A pane that has all the room has this row's too.
bool Shell::has_run_bar() {
  constexpr float kLeastWindow = 420;
  const bool has_room = ImGui::GetMainViewport()->Size.y >= look().px(kLeastWindow);
  return has_room && desk_.settings().can_run() && !panes_.presents() && panes_.layout().maximised().empty() &&
         film_ == nullptr;
}

// --- panes and files ---

void Shell::set_layout(const std::string& name) {
  const std::string looked_at = panes_.focused();
  if (!panes_.set_layout(name)) desk_.tell("there is no layout " + name, "the View menu has all", true);
  if (!panes_.presents()) return presenter_.leave();
  // Where one was.
  if (std::ranges::count(panes_.layout().panes(), looked_at) != 0) panes_.show(looked_at);
}

void Shell::take_pen(bool takes) {
  if (takes && !panes_.presents()) return desk_.tell("the pen is for layout Present", "View > Layout: Present");
  presenter_.take_pen(takes);
}

void Shell::ask_for_layout(const std::string& name) {
  set_layout(name);
  layout_asked_ = true;
}

void Shell::show_pane(const std::string& id) {
  if (!panes_.show(id)) desk_.tell("there is no pane " + id, "the View menu has all", true);
}

void Shell::open(const std::string& name) {
  if (is_script_file(name)) return desk_.scripts().run_file(name);
  open_program(name);
}

void Shell::open_program(const std::string& name) {
  std::error_code failed;
  const auto ran = ran_.find(std::filesystem::weakly_canonical(name, failed).string());
  if (!failed && ran != ran_.end() && ran->is_object()) return desk_.open_kept(*ran);
  Launch launch;
  launch.name = name;
  launch.open = desk_.launch().open;
  // What was bound belongs to the program before.
  launch.open.inputs.data.clear();
  launch.open.inputs.numbers.clear();
  launch.open.inputs.size_bytes.clear();
  launch.open.inputs.data_types.clear();
  launch.open.inputs.made.clear();
  desk_.open(std::move(launch));
}

void Shell::reopen() { desk_.open_kept(last_); }

// A file that somebody saved is run again, with the place and the breakpoints kept.
bool Shell::look_around() {
  const double now = seconds_now();
  if (now < next_look_) return false;
  next_look_ = now + kLookSeconds;
  desk_.keep_work();
  if (keeps_more) keeps_more();
  appearance_.look_at_themes();
  if (!open_file_.has_changed()) return false;
  desk_.reload(true);
  return true;
}

// --- commands ---

void Shell::take_commands() {
  for (const Command& command : queue_.take()) {
    carry_out(command);
    tour_.carried_out(command.name, queue_);
  }
  if (const auto text = queue_.take_copied()) screen_.set_clipboard(*text);
  if (const auto line = queue_.take_completing()) desk_.scripts().complete(*line);
  take_wishes();
}

// What scripts asked for, and how the panes stand when a lesson is opened or its page is turned.
void Shell::take_wishes() {
  for (const Wish& wish : desk_.take_wishes()) {
    if (wish.what == Wish::What::LessonLayout && !layout_asked_) set_layout("learn");
    if (wish.what == Wish::What::StageFront && panes_.layout().is_open("stage")) panes_.layout().show("stage");
    if (wish.what == Wish::What::ComparePane) show_pane("compare");
    if (wish.what != Wish::What::Command) continue;
    carry_out(wish.command, wish.quiet);
    if (wish.quiet) desk_.journal().note_shown({panes_.layout_name(), appearance_.theme()}, true);
  }
}

void Shell::carry_out(const Command& command, bool quiet) {
  const std::string focused = panes_.focused();
  const auto done = [&](bool by_pane) {
    if (!quiet) desk_.journal().note_command(command, focused, by_pane);
  };
  if (Pane* pane = panes_.find(focused); pane != nullptr && pane->act(command, desk_.view(), queue_)) return done(true);
  const CommandRow* row = find_any_command(command.name);
  if (row == nullptr) return desk_.tell("nothing is called " + command.name, "", true);
  if (hand_on(*row, command)) done(false);
}

// To whom its row says. True: it was carried out.
bool Shell::hand_on(const CommandRow& row, const Command& command) {
  // Without a position, the place is asked for.
  if (command.name == "seek" && command.values.empty()) {
    palette_.open(Palette::Mode::GoTo);
    return true;
  }
  if (const ShellAct act = shell_act_of(row)) {
    act(*this, command);
    return true;
  }
  if (const AskedAct* asked = asked_act_of(row)) {
    if (asked->asks(*this, command)) return true;
    if (*asked->front != 0) show_pane(asked->front);
  }
  // What a session has to be told, and nobody says, is where the cursor of a pane stands.
  const bool needs_cursor = row.journal.kind == JournalForm::Kind::Fields && command.values.empty();
  if (!needs_cursor && desk_.carry_out(command)) return true;
  // What belongs to one pane works from everywhere.
  const PaneAct* of_panes = pane_act_of(row);
  for (const auto& pane : panes_.all()) {
    if (pane->id() == panes_.focused() || !pane->act(command, desk_.view(), queue_)) continue;
    if (of_panes != nullptr && of_panes->front) panes_.layout().show(pane->id());
    return true;
  }
  return false;
}

bool Shell::asks_file(const Command& command, const char* title, const char* ending) {
  const Recording* recording = desk_.view().recording();
  if (recording == nullptr) desk_.tell("nothing is open that could be written", "open a program first");
  else if (command.text(0).empty())
    chooser_.open({title, {ending}, {command.name}, recording->program().name + ending});
  else return false;
  return true;
}

// --- a frame ---

bool Shell::moves() {
  return film_ != nullptr || pane_picture_.wished() || !notices_.empty() || typing_ || keys_.waits() ||
         desk_.scripts().picture_wish() || desk_.busy() || desk_.view().moving() || presenter_.moves();
}

bool Shell::frame() {
  const double start = seconds_now(), start_cpu = thread_seconds();
  appearance_.apply(panes_.presents());
  if (film_ != nullptr) film_->lead(desk_, [this](const Command& command) { carry_out(command, true); });
  screen_.begin_frame();
  const bool news = desk_.begin_frame();
  keys_.take();
  take_commands();
  // Most commands take less than a frame: then this one shows where they led.
  if (desk_.busy()) {
    desk_.wait_a_moment();
    desk_.take_in();
  }
  take_wishes();
  forget_what_was_open();
  open_file_.note(desk_.view().document(), screen_);
  desk_.journal().note_shown({panes_.layout_name(), appearance_.theme()});
  draw_all();
  explainer_.finish(panes_, legend_, help_card_, queue_, desk_.walk());
  typing_ = ImGui::GetIO().WantTextInput;
  const Color ground = look().theme->window;
  dim_at_once();
  ImGui::Render();
  note_view();
  last_frame_ = {(thread_seconds() - start_cpu) * 1e3, (seconds_now() - start) * 1e3};
  screen_.end_frame(static_cast<std::uint32_t>(ground.r << 16 | ground.g << 8 | ground.b));
  picture_.take(desk_.scripts(), screen_);
  if (const auto taken = pane_picture_.take(screen_, panes_)) desk_.walk().tell(*taken);
  if (film_ != nullptr) go_on_filming();
  return news || desk_.busy() || !queue_.empty() || explainer_.is_asked() || film_ != nullptr || pane_picture_.wished();
}

void Shell::forget_what_was_open() {
  if (panes_opening_ == desk_.view().opening()) return;
  panes_opening_ = desk_.view().opening();
  panes_.forget();
}

void Shell::draw_all() {
  panes_.begin_frame();
  begin_targets();
  const ImGuiViewport& view = *ImGui::GetMainViewport();
  const bool has_menus = !panes_.presents() && film_ == nullptr;
  ImGui::SetNextWindowPos(view.Pos);
  ImGui::SetNextWindowSize(view.Size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("shell", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus |
                   (has_menus ? ImGuiWindowFlags_MenuBar : 0));
  ImGui::PopStyleVar();
  if (film_ != nullptr) {
    draw_stage_alone({view.Pos, {view.Pos.x + view.Size.x, view.Pos.y + view.Size.y}});
    ImGui::End();
    return;
  }
  if (has_menus) menu_bar_.draw(desk_.view(), panes_, recent(), queue_);
  else menu_bar_.close();
  if (!panes_.presents()) draw_toolbar(desk_.view(), queue_);
  const float status = panes_.presents() ? look().px(6) : look().px(24), margin = look().px(6);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  Rect all{{view.Pos.x + margin, top.y + (panes_.presents() ? margin : 0)},
           {view.Pos.x + view.Size.x - margin, view.Pos.y + view.Size.y - status}};
  if (const Broken* broken = desk_.view().broken()) {
    const float high = broken_bar_height();
    draw_broken_bar({all.min, {all.max.x, all.min.y + high}}, *broken, queue_);
    all.min.y += high + margin;
  }
  if (has_run_bar()) {
    const float high = run_bar_height();
    draw_run_bar({all.min, {all.max.x, all.min.y + high}}, desk_, run_sheet_, queue_);
    all.min.y += high + margin;
  }
  if (ForkTabs::wanted(desk_.view())) {
    const float high = ForkTabs::height();
    fork_tabs_.draw({all.min, {all.max.x, all.min.y + high}}, desk_.view(), queue_);
    all.min.y += high + margin / 2;
  }
  if (desk_.view().broken() == nullptr && asks_entry(desk_)) {
    const float high = entry_bar_height();
    draw_entry_bar({all.min, {all.max.x, all.min.y + high}}, *desk_.view().document(), queue_);
    all.min.y += high + margin;
  }
  if (desk_.view().document() != nullptr && desk_.view().document()->asks_to_run) {
    const float high = trust_bar_height();
    draw_trust_bar({all.min, {all.max.x, all.min.y + high}}, *desk_.view().document(), queue_);
    all.min.y += high + margin;
  }
  if (desk_.view().document() == nullptr) draw_start_page(*this, all);
  else panes_.draw(all, desk_.view(), queue_);
  if (!panes_.presents())
    draw_status({{view.Pos.x, all.max.y}, {view.Pos.x + view.Size.x, view.Pos.y + view.Size.y}}, desk_.view(),
                keys_.pending(), queue_);
  ImGui::End();
  if (desk_.view().broken() != nullptr) draw_veil(all);
  draw_above(all);
}

void Shell::draw_above(const Rect& area) {
  palette_.draw(desk_.view(), recent(), queue_);
  chooser_.draw(queue_);
  keys_dialog_.draw(keys_.map());
  legend_.draw();
  if (!panes_.presents()) run_sheet_.draw(desk_, area, queue_);
  help_card_.draw();
  tour_.draw(desk_.view(), panes_.places(), queue_);
  notices_.draw(beside_lesson(area, panes_.places()), desk_.take_notices());
  if (panes_.presents() && popup().empty()) presenter_.draw();
  if (keys_.tabbed()) wrap_focus();
  if (const Rect ring = draw_focus_ring(); targets_wanted() && ring.width() > 0) note_target("focus", ring);
}

// --- films ---

void Shell::begin_film(std::unique_ptr<FilmMaker> film, bool captions) {
  film_ = std::move(film);
  filmed_from_ = desk_.view().moment();
  if (!screen_.hidden()) screen_.draw_apart(1);
  carry_out({"captions", {captions ? "words" : "off"}}, true);
}

void Shell::draw_stage_alone(const Rect& area) {
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, ink(look().theme->pane));
  panes_.draw_alone("stage", area, desk_.view(), queue_);
}

void Shell::go_on_filming() {
  film_->take(screen_);
  if (!screen_.hidden())
    screen_.set_title(fmt::format("TileScope: {} of {} pictures; Escape ends it", film_->taken(), film_->total()));
  if (!film_->done()) return;
  const data::Error error = film_->finish();
  const std::string told = fmt::format("{} is written: {} pictures", film_->plan().path, film_->taken());
  leave_film();
  if (error.text.empty()) desk_.tell(told);
  else desk_.tell(error.text, error.hint, true);
}

void Shell::cancel_film() {
  if (film_ == nullptr) return;
  leave_film();
  desk_.tell("the film was given up", "nothing of it is left");
}

// Everything is as it was before.
void Shell::leave_film() {
  film_.reset();
  if (!screen_.hidden()) screen_.draw_apart(0);
  carry_out({"captions", {"all"}}, true);
  carry_out({"progress", {}}, true);
  carry_out({"seek", {std::int64_t{filmed_from_.position}, std::int64_t{filmed_from_.micro}}}, true);
  open_file_.retitle();
}

std::string Shell::popup() const {
  if (palette_.is_open()) return "palette";
  if (chooser_.is_open()) return "chooser";
  if (keys_dialog_.is_open()) return "keys";
  if (help_card_.is_open()) return "help";
  if (!menu_bar_.open_menu().empty()) return menu_bar_.open_menu();
  if (legend_.is_open()) return "legend";
  if (run_sheet_.is_open()) return "settings";
  return tour_.is_open() ? "tour" : "";
}

std::string Shell::says() const {
  if (keys_dialog_.is_open()) return keys_dialog_.says();
  if (help_card_.is_open()) return help_card_.title();
  if (tour_.is_open()) return tour_.title();
  if (!legend_.is_open()) return "";
  std::string rows;
  for (const std::string& row : legend_.shown()) rows += (rows.empty() ? "" : " ") + row;
  return rows;
}

// --- going back in the view ---

nlohmann::json Shell::view_state() const {
  nlohmann::json state;
  appearance_.save_view(state);
  panes_.save_view(state);
  state["tiles"] = desk_.view().tile_displays().save();
  state["front"] = desk_.view().opening();  // whose tiles these are
  return state;
}

void Shell::undo_view(bool again) {
  const nlohmann::json now = view_state();
  const auto shown = again ? history_.redo() : history_.undo();
  if (!shown) return desk_.tell(again ? "there is nothing to do again in the view" : "nothing was changed in the view");
  appearance_.load_view(*shown);
  panes_.load_view(*shown);
  if ((*shown)["front"] == desk_.view().opening()) desk_.view().tile_displays().load((*shown)["tiles"]);
  view_restored_ = true;
  desk_.tell((again ? "done again: " : "taken back: ") + words_for(AppearanceHistory::what_differs(now, *shown)));
}

// What was changed counts when the mouse has let go of it.
void Shell::note_view() {
  if (ImGui::IsMouseDown(0)) return;
  // How tiles are shown belongs to the program: opening another one changes nothing that could be taken back.
  const std::uint64_t opening = desk_.view().opening();
  if (view_restored_ || opening != noted_opening_) history_.settle(view_state());
  else history_.note(view_state());
  view_restored_ = false;
  noted_opening_ = opening;
}

}  // namespace ts::ui
