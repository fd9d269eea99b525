// The window, and pictures of it.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/cli/cases/case_run.h"
#include "app/cli/commands.h"
#include "app/cli/output_paths.h"
#include "app/cli/program_file.h"
#include "app/cli/request.h"
#include "app/cli/terminal/terminal.h"
#include "app/files/files.h"
#include "app/window/run.h"

namespace ts {
namespace {

// Of a main, so that it is found from wherever it runs.
cpp::HostMain whole_main(const RunArguments& arguments) {
  cpp::HostMain host = host_main_of(arguments);
  std::error_code failed;
  for (std::string& file : host.with) file = std::filesystem::absolute(file, failed).string();
  if (!host.folder.empty()) host.folder = std::filesystem::absolute(host.folder, failed).string();
  return host;
}

std::optional<ui::Launch> launch_of(const RunArguments& given) {
  if (!may_have_main(given, "the window")) return {};
  std::optional<CaseRun> asked = read_case(given);
  if (!asked) return {};
  const RunArguments& arguments = asked->arguments;
  Request* request = &asked->request;
  ui::Launch launch;
  launch.name = arguments.files.empty() ? std::string(samples().front().name) : arguments.files.front();
  launch.entry = arguments.entry;
  launch.build.compiler = arguments.cxx;
  if (!arguments.standard.empty()) launch.build.standard = arguments.standard;
  launch.build.include = arguments.include;
  launch.build.define = arguments.define;
  launch.host = whole_main(arguments);
  launch.may_compile = true;  // whoever names a file in a command means it
  launch.open = std::move(request->open);
  for (const auto& [input, file] : request->files) launch.array_files[input] = file.path;
  for (const std::string& text : arguments.raw) {
    const std::size_t begin = text.starts_with('%') ? 1 : 0, equals = text.find('=');
    const std::string input = text.substr(begin, equals - begin);
    if (request->files.contains(input)) launch.raw_types[input] = text.substr(equals + 1);
  }
  for (const std::string& folder : arguments.sources) {
    std::error_code error;
    launch.source_folders.push_back(std::filesystem::absolute(folder, error).string());
  }
  launch.setup = given.setup;
  launch.edits = arguments.edit;
  launch.budget_bytes = arguments.budget_mb << 20;
  launch.most_text_bytes = arguments.most_bytes;
  launch.goldens = asked->goldens;
  launch.tolerance = arguments.tolerance;
  return launch;
}

// "5" or "5.3".
bool read_step(const std::string& text, ui::ShotRequest& out) {
  unsigned step = 0, micro = 0;
  char rest = 0;
  const int read = std::sscanf(text.c_str(), "%u.%u%c", &step, &micro, &rest);
  if (read == 2) {
    out.position = step;
    out.micro = micro;
    return true;
  }
  if (std::sscanf(text.c_str(), "%u%c", &step, &rest) != 1) return false;
  // The state behind it: the stage shows the step with its results.
  out.position = step + 1;
  return true;
}

// "im,1,7" or "im[1,7]".
std::string as_cell(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || text.find('[') != std::string::npos) return text;
  return text.substr(0, comma) + "[" + text.substr(comma + 1) + "]";
}

}  // namespace

std::string why_no_window() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != 0;
  };
  return set("DISPLAY") || set("WAYLAND_DISPLAY") ? "" : "no display, so no window";
}

int window_command(const WindowArguments& arguments) {
  ui::WindowRequest request;
  request.layout = arguments.layout;
  request.theme = arguments.theme;
  request.state_path = arguments.state;
  if (arguments.listens || !arguments.listen.empty()) request.listen = arguments.listen;
  request.stopped = interrupted;
  if (!arguments.start_page && !arguments.files.empty()) {
    request.launch = launch_of(arguments);
    if (!request.launch) return kCannotRun;
  }
  return ui::run_window(request);
}

namespace {

// What pictures and films have in common. False: it cannot be, and was said.
bool fill_request(const ShotArguments& arguments, ui::ShotRequest& request) {
  request.stopped = interrupted;
  request.start_page = arguments.start_page;
  if (!arguments.start_page) {
    const auto launch = launch_of(arguments);
    if (!launch) return false;
    request.launch = *launch;
  }
  constexpr int kLeastSide = 64, kMostSide = 8192;
  if (std::sscanf(arguments.extent.c_str(), "%dx%d", &request.width, &request.height) != 2 ||
      request.width < kLeastSide || request.height < kLeastSide || request.width > kMostSide ||
      request.height > kMostSide) {
    fail(fmt::format("--size {}: wanted WIDTHxHEIGHT, each {} to {}", arguments.extent, kLeastSide, kMostSide),
         "1600x1000");
    return false;
  }
  if (!outputs_are_free({arguments.picture}, arguments.files)) return false;
  request.out = arguments.picture;
  if (!arguments.layout.empty()) request.layout = arguments.layout;
  if (!arguments.theme.empty()) request.theme = arguments.theme;
  request.select = as_cell(arguments.select);
  request.pane = arguments.pane;
  request.command = arguments.command;
  request.scale = arguments.scale;
  return true;
}

}  // namespace

int shot_command(const ShotArguments& arguments) {
  ui::ShotRequest request;
  if (!fill_request(arguments, request)) return kCannotRun;
  if (!arguments.at.empty() && !read_step(arguments.at, request))
    return fail(fmt::format("--step {}: wanted N or N.M", arguments.at),
                "5 is the state just after step 5, 5.3 is micro-step 3 of it");
  request.progress = arguments.progress;
  request.bench_frames = arguments.bench_frames;
  return ui::take_shot(request);
}

int film_command(const FilmArguments& arguments) {
  ui::FilmRequest request;
  if (!fill_request(arguments, request)) return kCannotRun;
  request.steps = arguments.steps;
  request.frames = arguments.frames;
  request.fps = arguments.fps;
  request.captions = arguments.captions != "off";
  const Watch watch(fmt::format("filming {}", request.launch.name), "pictures");
  request.taken = watch.question();
  return ui::take_film(request);
}

}  // namespace ts
