// The loop.
#include "app/window/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <memory>
#include <sstream>
#include <variant>

#include "app/draw/look.h"
#include "app/files/files.h"
#include "app/remote/listener.h"
#include "app/settings/settings.h"
#include "app/view/targets.h"
#include "app/window/commands/window_commands.h"
#include "app/window/desk/remote_desk.h"
#include "app/window/dialogs/palette_search.h"
#include "app/window/film/film_maker.h"
#include "app/window/shell/own_display.h"
#include "app/window/shell/settings_keeper.h"
#include "app/window/shell/shell.h"
#include "app/window/state_file.h"
#include "core/data/file.h"

namespace ts::ui {
namespace {

constexpr double kIdleSeconds = 0.5;  // between frames when nothing happens
constexpr double kMotionSeconds = 1.0 / 60;
constexpr double kBusySeconds = 0.05;   // while the session is busy
constexpr double kBesideSeconds = 0.2;  // while something runs that nobody waits for
constexpr int kFramesAfterInput = 3;    // widgets take a frame or two to settle

int fail(const std::string& text, const std::string& hint) {
  std::fprintf(stderr, "tilescope: %s\n  hint: %s\n", text.c_str(), hint.c_str());
  return 4;
}

constexpr int kStopped = 5;

constexpr const char* kNoScreenHint =
    "the command line works without a display: tilescope run FILE; or start it with xvfb-run -a";

constexpr const char* kNoXvfbHint = "apt-get install xvfb libgl1-mesa-dri";

std::string settings_path() {
  const std::string folder = config_folder();
  return folder.empty() ? "" : folder + "/settings.json";
}

void say_if_slow(std::uint64_t frame, const FrameTime& took) {
  if (is_slow(frame, took))
    fmt::print(stderr, "tilescope: frame {} took {:.0f} ms, {:.0f} ms of them working\n", frame, took.wall_ms,
               took.cpu_ms);
}

ShellFacts facts_of(const Shell& shell, const Screen& screen, const std::string& popup, int frames) {
  ShellFacts facts{.ready = frames <= 1 && !shell.desk().busy(),
                   .layout = shell.panes().layout_name(),
                   .theme = look().theme->name,
                   .focus = shell.panes().focused(),
                   .popup = popup,
                   .pen_lines = shell.presenter().lines(),
                   .says = shell.says(),
                   .motion = name_of(shell.appearance().motion()),
                   .zoom = shell.appearance().zoomed()};
  facts.panes.insert(shell.panes().places().begin(), shell.panes().places().end());
  facts.notices = shell.notices();
  facts.typing = ImGui::GetIO().WantTextInput;
  facts.inputs = screen.inputs();
  const RunSettings& settings = shell.desk().settings();
  facts.settings = {{"running", cases::short_text(settings.running())},
                    {"draft", cases::short_text(settings.draft())},
                    {"loaded", settings.loaded()},
                    {"looked", settings.check() != nullptr},
                    {"fits", settings.check() != nullptr && settings.check()->fits()}};
  facts.mouse = ImGui::GetMousePos();
  return facts;
}

}  // namespace

int run_window(const WindowRequest& request) {
  std::string problem;
  const auto screen = Screen::open({}, problem);
  if (screen == nullptr) return fail(problem, kNoScreenHint);
  Desk desk(Screen::wake, state_folder());
  Shell shell(*screen, desk);
  SettingsKeeper settings(shell, desk, settings_path());
  shell.keeps_more = [&] { settings.keep(); };
  if (!request.layout.empty()) shell.ask_for_layout(request.layout);
  if (!request.theme.empty()) shell.appearance().set_theme(request.theme);
  if (request.launch && is_script_file(request.launch->name)) desk.scripts().run_file(request.launch->name);
  else if (request.launch) desk.open(*request.launch);
  if (request.launch && desk.cut_off() != nullptr)
    desk.tell("TileScope ended while it recorded another run",
              "File > The run that was cut off opens what there was of it");
  std::optional<StateFile> state;
  if (!request.state_path.empty()) state.emplace(request.state_path);
  want_targets(state.has_value());
  std::uint64_t number = 0;
  std::unique_ptr<remote::Listener> listener;
  if (request.listen) {
    auto started =
        remote::Listener::start(request.listen->empty() ? remote::usual_socket_path() : *request.listen, Screen::wake);
    if (const auto* error = std::get_if<data::Error>(&started)) return fail(error->text, error->hint);
    listener = std::move(std::get<std::unique_ptr<remote::Listener>>(started));
    fmt::print("{{\"socket\": {}, \"token\": {}}}\n", nlohmann::json(listener->path()).dump(),
               nlohmann::json(listener->token()).dump());
    std::fflush(stdout);
  }
  bool was_busy = true;
  std::string popup;
  for (int frames = kFramesAfterInput; !screen->wants_to_close() && !request.stopped();) {
    // Where nothing happens, nothing is drawn.
    if (frames > 0 || shell.moves() || desk.works_beside()) {
      const bool goes_on = shell.frame();
      // The text field of one that opens has the keyboard some frames later.
      std::string open = shell.popup();
      if (goes_on || open != popup) frames = kFramesAfterInput;
      popup = std::move(open);
      --frames;
      say_if_slow(++number, shell.last_frame());
      if (state) state->end_frame(state_of(desk.view(), facts_of(shell, *screen, popup, frames)), shell.last_frame());
    }
    const bool moving = desk.view().moving();
    screen->wait((frames > 0 && !moving) || shell.film() != nullptr ? 0
                 : moving                                           ? kMotionSeconds
                 : desk.busy()                                      ? kBusySeconds
                 : desk.works_beside()                              ? kBesideSeconds
                                                                    : kIdleSeconds);
    if (listener != nullptr && RemoteDesk(desk, *listener).take_in()) frames = kFramesAfterInput;
    const bool happened = shell.look_around() || screen->had_input() || desk.has_news();
    if (happened || desk.busy() != was_busy) frames = kFramesAfterInput;
    was_busy = desk.busy();
  }
  desk.keep_work();
  settings.keep();
  return 0;
}

namespace {

// The shell, and the frame that took longest.
struct Drawn {
  Shell& shell;
  const std::function<bool()>& stopped;
  double slowest_ms = 0;

  bool frame() {
    const bool moves = shell.frame();
    slowest_ms = std::max(slowest_ms, shell.last_frame().cpu_ms);
    return moves;
  }
  // The first frames make fonts and start the driver, which is not measured.
  void warm_up() {
    for (int i = 0; i < 5; ++i) shell.frame();
  }
};

// Frames until all that was asked for is there and nothing moves any more.
void settle(Drawn& drawn, Desk& desk) {
  for (int quiet = 0; quiet < 6 && !drawn.stopped();) {
    desk.wait(drawn.stopped);
    const bool moves = drawn.frame() || desk.busy() || desk.works_beside() || desk.scripts().picture_wish();
    quiet = moves ? 0 : quiet + 1;
  }
}

// In any case, as other choices on the command line.
const CommandRow* row_called(const std::string& name) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  for (const CommandRow* row : all_commands())
    if (std::ranges::equal(std::string_view(row->name), name, same)) return row;
  return nullptr;
}

// "compareWith other.pto": a name and its arguments, with blanks between them.
Command command_of(const std::string& text) {
  std::istringstream words(text);
  Command command;
  words >> command.name;
  const CommandRow* row = row_called(command.name);
  if (row != nullptr) command.name = row->name;
  for (std::string word; words >> word;) {
    const std::size_t at = command.values.size();
    const bool is_text = row != nullptr && at < row->parameters.size() && row->parameters[at].wants_text();
    const bool number = word.find_first_not_of("0123456789") == std::string::npos && word.size() < 10;
    command.values.push_back(number && !is_text ? CommandValue(std::int64_t{std::stoi(word)}) : CommandValue(word));
  }
  return command;
}

// Several stand behind each other with semicolons between them.
void carry_out(const std::string& commands, Drawn& drawn, Desk& desk) {
  std::istringstream texts(commands);
  for (std::string text; std::getline(texts, text, ';') && !drawn.stopped();) {
    const Command command = command_of(text);
    if (command.name.empty()) continue;
    drawn.shell.carry_out(command);
    settle(drawn, desk);
  }
}

void go_there(const ShotRequest& request, Drawn& drawn, Desk& desk) {
  if (request.position) {
    drawn.shell.carry_out({"seek", {std::int64_t{*request.position}, std::int64_t{request.micro.value_or(0)}}});
    settle(drawn, desk);
  }
  if (!request.select.empty()) {
    const Command select = place_command(request.select);
    drawn.shell.carry_out(select.name.empty() ? Command{"select", {request.select}} : select);
  }
  carry_out(request.command, drawn, desk);
  if (!request.progress.empty()) drawn.shell.carry_out({"progress", {request.progress}});
  if (!request.pane.empty()) {
    drawn.shell.show_pane(request.pane);
    drawn.shell.panes().maximise(request.pane);
  }
  settle(drawn, desk);
}

void bench(Drawn& drawn, int frames) {
  double all = 0;
  for (int i = 0; i < frames; ++i) {
    drawn.frame();
    all += drawn.shell.last_frame().cpu_ms;
  }
  fmt::print("{{\"frames\": {}, \"cpu_ms\": {:.3f}, \"slowest_cpu_ms\": {:.3f}}}\n", frames, all / frames,
             drawn.slowest_ms);
}

}  // namespace

namespace {

// A window that nobody sees, with the program opened in it.
class HiddenWindow {
 public:
  explicit HiddenWindow(const ShotRequest& request) : request_(request) {}
  // The exit status; nothing: it is there.
  std::optional<int> open() {
    std::string problem;
    if (!has_display()) {
      display_ = OwnDisplay::start(problem);
      if (display_ == nullptr) return fail(problem, kNoXvfbHint);
      std::fprintf(stderr, "tilescope: no display; draws on an Xvfb of its own\n");
    }
    screen_ = Screen::open(
        {.width = request_.width, .height = request_.height, .hidden = true, .scale = request_.scale}, problem);
    if (screen_ == nullptr) return fail(problem, kNoScreenHint);
    desk_.emplace(Screen::wake);
    shell_.emplace(*screen_, *desk_);
    if (!request_.layout.empty()) shell_->ask_for_layout(request_.layout);
    if (find_theme(request_.theme) == nullptr)
      return fail("there is no theme " + request_.theme,
                  "themes are dark, light, contrast, and those of the files in " + themes_folder());
    shell_->appearance().set_theme(request_.theme);
    drawn_.emplace(Drawn{*shell_, request_.stopped});
    if (request_.bench_frames > 0) drawn_->warm_up();
    return open_program();
  }
  Screen& screen() { return *screen_; }
  Desk& desk() { return *desk_; }
  Shell& shell() { return *shell_; }
  Drawn& drawn() { return *drawn_; }

 private:
  std::optional<int> open_program() {
    if (is_script_file(request_.launch.name)) desk_->scripts().run_file(request_.launch.name);
    else if (!request_.start_page) desk_->open(request_.launch);
    settle(*drawn_, *desk_);
    if (request_.stopped()) return kStopped;
    if (request_.start_page || desk_->view().document() != nullptr) return std::nullopt;
    for (const Notice& notice : desk_->take_notices()) fail(notice.text, notice.hint);
    return 4;
  }

  const ShotRequest& request_;
  std::unique_ptr<OwnDisplay> display_;  // goes last
  std::unique_ptr<Screen> screen_;
  std::optional<Desk> desk_;
  std::optional<Shell> shell_;
  std::optional<Drawn> drawn_;
};

}  // namespace

int take_shot(const ShotRequest& request) {
  HiddenWindow window(request);
  if (const auto status = window.open()) return *status;
  go_there(request, window.drawn(), window.desk());
  if (request.stopped()) return kStopped;
  if (request.bench_frames > 0) bench(window.drawn(), request.bench_frames);
  const std::vector<std::byte> picture = data::format_png(window.screen().picture());
  if (const data::Error error = data::write_file(request.out, {picture}); !error.text.empty())
    return fail(error.text, error.hint);
  return 0;
}

int take_film(const FilmRequest& request) {
  auto form = data::film_form(request.out, request.fps);
  if (const auto* error = std::get_if<data::Error>(&form)) return fail(error->text, error->hint);
  HiddenWindow window(request);
  if (const auto status = window.open()) return *status;
  const Recording* recording = window.desk().view().recording();
  if (recording == nullptr) return fail(request.launch.name + " cannot run", "tilescope check says why");
  const auto steps = film_steps(request.steps, recording->count());
  if (!steps)
    return fail(fmt::format("--steps {}: the program has steps 0 to {}", request.steps, recording->count() - 1),
                "3..9, 3.., ..9 or 4");
  ShotRequest first = request;
  first.position = window.desk().view().position_showing(steps->first);
  go_there(first, window.drawn(), window.desk());
  if (request.select.empty()) window.shell().carry_out({"selectNone"});
  const FilmPlan plan{request.out, steps->first, steps->second, request.frames, request.fps};
  window.shell().begin_film(
      std::make_unique<FilmMaker>(plan, std::get<std::unique_ptr<data::FilmForm>>(std::move(form))), request.captions);
  window.desk().take_notices();
  while (window.shell().film() != nullptr && !request.stopped()) {
    request.taken(window.shell().film()->taken());
    window.drawn().frame();
  }
  if (request.stopped()) {
    window.shell().cancel_film();
    return kStopped;
  }
  for (const Notice& notice : window.desk().take_notices()) {
    if (notice.is_error) return fail(notice.text, notice.hint);
    fmt::print("{}\n", notice.text);
  }
  return 0;
}

}  // namespace ts::ui
