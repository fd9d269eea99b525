// Frames, keys, settings.
#include "app/window/shell.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/files/files.h"
#include "app/theme/theme_files.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "app/window/settings.h"
#include "app/window/commands/window_commands.h"
#include "core/data/file.h"
#include "core/data/png.h"

namespace ts::ui {
namespace {

constexpr std::size_t kMostRecent = 12;
constexpr double kLookSeconds = 0.5;  // how often the open file is looked at

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of this thread.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Levels that are not the usual ones.
nlohmann::json save_checking(const Checking& checking) {
  nlohmann::json levels = nlohmann::json::object();
  for (const CheckRow& row : checks())
    if (checking.options.of(row.kind) != row.level) levels[name(row.kind)] = name(checking.options.of(row.kind));
  return {{"automatic", checking.automatic}, {"levels", levels}};
}

long long time_of(const std::string& path) {
  std::error_code failed;
  const auto time = std::filesystem::last_write_time(path, failed);
  return failed ? 0 : time.time_since_epoch().count();
}

}  // namespace

Shell::Shell(Screen& screen, Desk& desk) : screen_(screen), desk_(desk), panes_(make_panes()) {
  for (const NamedLayout& layout : named_layouts()) layouts_.emplace_back(layout.name, usual_layout(layout));
  screen_.on_key = [this](const Chord& chord, bool repeated) { press(chord, repeated); };
  screen_.on_key_up = [this](const Chord& chord) { release(chord); };
  screen_.on_drop = [this](const std::vector<std::string>& paths) { drop(paths); };
  screen_.before_frame = [this] { guide_focus(); };
  set_key_hints([this](std::string_view command) { return key_map_.text_of(command); });
  read_themes(false);
  desk_.set_takes_pictures(true);
}

Shell::~Shell() {
  screen_.on_key = nullptr;
  screen_.on_key_up = nullptr;
  screen_.on_drop = nullptr;
  screen_.before_frame = nullptr;
  set_key_hints(nullptr);
  desk_.set_takes_pictures(false);
}

// --- what the user set ---

void Shell::load(const nlohmann::json& settings) {
  const auto known = [this](const std::string& id) { return find_pane(id) != nullptr; };
  if (const auto saved = settings.find("layouts"); saved != settings.end() && saved->is_object())
    for (auto& [name, layout] : layouts_)
      if (saved->contains(name))
        if (auto read = Layout::load((*saved)[name], known)) layout = std::move(*read);
  load_look(settings);
  if (const auto keys = settings.find("keys"); keys != settings.end()) {
    std::vector<std::string> problems;
    key_map_.load(*keys, problems);
    for (const std::string& problem : problems) desk_.tell(problem, "View > Keys shows and changes all keys");
  }
  if (const auto recent = settings.find("recent"); recent != settings.end() && recent->is_array())
    for (const auto& path : *recent)
      if (path.is_string() && recent_.size() < kMostRecent) recent_.push_back(path);
  if (const auto check = settings.find("check"); check != settings.end() && check->is_object()) load_checking(*check);
  if (const auto panes = settings.find("panes"); panes != settings.end() && panes->is_object())
    for (const auto& pane : panes_)
      if (panes->contains(pane->id()) && (*panes)[pane->id()].is_object()) pane->load((*panes)[pane->id()]);
}

void Shell::load_checking(const nlohmann::json& saved) {
  Checking checking;
  checking.automatic = !saved.contains("automatic") || saved["automatic"] != false;
  if (const auto levels = saved.find("levels"); levels != saved.end() && levels->is_object())
    for (const auto& [kind, level] : levels->items()) {
      const auto known = find_finding_kind(kind);
      const auto chosen = level.is_string() ? find_level(level.get<std::string>()) : std::nullopt;
      if (known && chosen) checking.options.set(*known, *chosen);
    }
  desk_.set_checking(checking.automatic, checking.options);
}

nlohmann::json Shell::save() const {
  nlohmann::json settings{{"version", 1},
                          {"theme", follows_desktop_ ? "system" : theme_name_},
                          {"zoom", zoom_},
                          {"motion", name_of(motion_)},
                          {"recent", recent_}};
  settings["keys"] = key_map_.save();
  for (const auto& [name, layout] : layouts_) settings["layouts"][name] = layout.save();
  settings["check"] = save_checking(desk_.view().checking());
  for (const auto& pane : panes_) {
    nlohmann::json own = nlohmann::json::object();
    pane->save(own);
    if (!own.empty()) settings["panes"][pane->id()] = std::move(own);
  }
  return settings;
}

void Shell::set_layout(const std::string& name) {
  const auto& all = named_layouts();
  if (std::ranges::any_of(all, [&](const NamedLayout& layout) { return name == layout.name; }))
    layout_name_ = name;
  else
    desk_.tell("there is no layout " + name, "the View menu has all", true);
}

void Shell::ask_for_layout(const std::string& name) {
  set_layout(name);
  layout_asked_ = true;
}

Layout Shell::usual_layout(const NamedLayout& named) {
  Layout made(named.make());
  made.keep_only([this](const std::string& id) { return find_pane(id) != nullptr; });
  return made;
}

void Shell::reset_layout() {
  for (const NamedLayout& named : named_layouts())
    if (layout_name_ == named.name) layout() = usual_layout(named);
}

Layout& Shell::layout() {
  return std::ranges::find(layouts_, layout_name_, &std::pair<std::string, Layout>::first)->second;
}

Pane* Shell::find_pane(const std::string& id) {
  const auto found = std::ranges::find_if(panes_, [&](const auto& pane) { return id == pane->id(); });
  return found == panes_.end() ? nullptr : found->get();
}

// Also those that nobody sees: a recording that was closed must not live on in what they keep.
void Shell::forget_what_was_open() {
  if (panes_opening_ == desk_.view().opening()) return;
  panes_opening_ = desk_.view().opening();
  for (const auto& pane : panes_) pane->forget();
}

void Shell::show_pane(const std::string& id) {
  if (find_pane(id) == nullptr) {
    desk_.tell("there is no pane " + id, "the View menu has all", true);
    return;
  }
  const auto& named = *std::ranges::find(named_layouts(), layout_name_, &NamedLayout::name);
  const Layout usual = usual_layout(named);
  layout().show(id, &usual);
  wants_focus_ = id;
  focused_ = id;
}

void Shell::maximise(const std::string& id) {
  if (layout().is_open(id)) layout().toggle_maximised(id);
}

std::string Shell::popup() const {
  if (palette_.is_open()) return "palette";
  if (chooser_.is_open()) return "chooser";
  if (keys_dialog_.is_open()) return "keys";
  if (help_card_.is_open()) return "help";
  if (!open_menu_.empty()) return open_menu_;
  if (legend_.is_open()) return "legend";
  return tour_.is_open() ? "tour" : "";
}

std::vector<std::string> Shell::notices() const {
  std::vector<std::string> texts;
  for (const Shown& shown : notices_) texts.push_back(shown.notice.text);
  return texts;
}

// --- opening ---

void Shell::open(const std::string& name) {
  if (is_script_file(name)) return desk_.run_script(name);
  open_program(name);
}

void Shell::open_program(const std::string& name) {
  Launch launch;
  launch.name = name;
  launch.open = desk_.launch().open;
  // What was bound belongs to the program before.
  launch.open.inputs.data.clear();
  launch.open.inputs.numbers.clear();
  launch.open.inputs.size_bytes.clear();
  desk_.open(std::move(launch));
}

void Shell::drop(const std::vector<std::string>& paths) {
  if (!paths.empty()) open(paths.front());
}

void Shell::note_recent() {
  const Document* document = desk_.view().document();
  const std::string title = document == nullptr ? "TileScope" : document->name + " - TileScope";
  if (title != titled_) screen_.set_title(title);
  titled_ = title;
  if (document == nullptr || document->path.empty()) {
    watched_path_.clear();
    return;
  }
  if (document->path == watched_path_) return;
  watched_path_ = document->path;
  watched_time_ = time_of(watched_path_);
  std::error_code failed;
  const std::string whole = std::filesystem::weakly_canonical(watched_path_, failed).string();
  std::erase(recent_, whole);
  recent_.insert(recent_.begin(), whole);
  if (recent_.size() > kMostRecent) recent_.resize(kMostRecent);
}

// A file that somebody saved is run again, with the place and the breakpoints kept.
bool Shell::look_around() {
  const double now = seconds_now();
  if (now < next_look_) return false;
  next_look_ = now + kLookSeconds;
  desk_.keep_work();
  if (const std::string stamp = theme_folder_stamp(themes_folder()); stamp != theme_stamp_) read_themes(true);
  if (watched_path_.empty()) return false;
  const long long time = time_of(watched_path_);
  if (time == 0 || time == watched_time_) return false;
  watched_time_ = time;
  desk_.tell(desk_.view().document()->name + " changed and was run again");
  desk_.reload();
  return true;
}

// --- commands ---

void Shell::take_commands() {
  for (const Command& command : queue_.take()) {
    carry_out(command);
    tour_.carried_out(command.name, queue_);
  }
  if (const auto text = queue_.take_copied()) screen_.set_clipboard(*text);
  if (const auto line = queue_.take_completing()) desk_.show_guesses(*line);
  // What scripts asked for.
  for (const Desk::Asked& asked : desk_.take_asked()) {
    carry_out(asked.command, asked.quiet);
    if (asked.quiet) desk_.note_shown({layout_name_, theme_name_}, true);
  }
}

// Of the desk: how the panes stand when a lesson is opened or its page is turned.
void Shell::take_wishes() {
  for (const Command& wish : desk_.take_wishes()) {
    if (wish.name == "lessonLayout") {
      if (!layout_asked_) set_layout("learn");
    } else if (wish.name == "stageFront") {
      if (layout().is_open("stage")) layout().show("stage");
    } else {
      carry_out(wish);
    }
  }
}

void Shell::carry_out(const Command& command, bool quiet) {
  const std::string focused = focused_;
  const auto done = [&](bool by_pane) {
    if (!quiet) desk_.note_command(command, focused, by_pane);
  };
  if (Pane* pane = find_pane(focused_); pane != nullptr && pane->act(command, desk_.view(), queue_)) return done(true);
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
  for (const auto& pane : panes_) {
    if (pane->id() == focused_ || !pane->act(command, desk_.view(), queue_)) continue;
    if (of_panes != nullptr && of_panes->front) layout().show(pane->id());
    return true;
  }
  return false;
}

bool Shell::asks_file(const Command& command, const char* title, const char* ending) {
  const Recording* recording = desk_.view().recording();
  if (recording == nullptr)
    desk_.tell("nothing is open that could be written", "open a program first");
  else if (command.text(0).empty())
    chooser_.open({title, {ending}, {command.name}, recording->program().name + ending});
  else
    return false;
  return true;
}

// --- pictures that scripts wish for ---

// Drawn apart for some frames, until everything has settled.
void Shell::take_wished_picture() {
  constexpr int kFrames = 6;
  const auto& wish = desk_.picture_wish();
  if (!wish) {
    if (screen_.apart_scale() > 0) screen_.draw_apart(0);
    picture_frames_ = 0;
    return;
  }
  if (++picture_frames_ == 1) return screen_.draw_apart(static_cast<float>(wish->scale));
  if (picture_frames_ < kFrames) return;
  const std::vector<std::byte> picture = data::format_png(screen_.picture());
  data::FileWriter file(wish->path, data::Replace::No);
  file.write(picture);
  data::Error error = file.finish();
  screen_.draw_apart(0);
  picture_frames_ = 0;
  desk_.picture_taken(std::move(error));
}

// --- a frame ---

bool Shell::frame() {
  const double start = seconds_now(), start_cpu = cpu_seconds();
  apply_look();
  screen_.begin_frame();
  const bool news = desk_.begin_frame();
  take_keys();
  take_commands();
  // Most commands take less than a frame: then this one shows where they led.
  if (desk_.busy()) {
    desk_.wait_a_moment();
    desk_.take_in();
  }
  take_wishes();
  forget_what_was_open();
  note_recent();
  desk_.note_shown({layout_name_, theme_name_});
  places_.clear();
  begin_targets();
  const ImGuiViewport& view = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(view.Pos);
  ImGui::SetNextWindowSize(view.Size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("shell", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus |
                   (presents() ? 0 : ImGuiWindowFlags_MenuBar));
  ImGui::PopStyleVar();
  if (!presents())
    draw_menus();
  else
    opening_menu_.clear(), open_menu_.clear();
  draw_toolbar();
  const float status = look().px(24), margin = look().px(6);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const Rect all{{view.Pos.x + margin, top.y}, {view.Pos.x + view.Size.x - margin, view.Pos.y + view.Size.y - status}};
  if (desk_.view().document() == nullptr)
    draw_start_page(*this, all);
  else
    draw_layout(all);
  draw_status({{view.Pos.x, all.max.y}, {view.Pos.x + view.Size.x, view.Pos.y + view.Size.y}});
  ImGui::End();
  palette_.draw(queue_);
  chooser_.draw(queue_);
  keys_dialog_.draw(key_map_);
  legend_.draw();
  help_card_.draw();
  tour_.draw(desk_.view(), places_, queue_);
  draw_notices(all);
  if (tabbed_) wrap_focus();
  if (const Rect ring = draw_focus_ring(); targets_wanted() && ring.width() > 0) note_target("focus", ring);
  finish_explaining();
  typing_ = ImGui::GetIO().WantTextInput;
  const Color ground = look().theme->window;
  dim_at_once();
  ImGui::Render();
  note_view();
  last_frame_ = {(cpu_seconds() - start_cpu) * 1e3, (seconds_now() - start) * 1e3};
  screen_.end_frame(static_cast<std::uint32_t>(ground.r << 16 | ground.g << 8 | ground.b));
  take_wished_picture();
  return news || desk_.busy() || !queue_.empty() || explaining_ != Explaining::No;
}

}  // namespace ts::ui
