// Starting the program to draw.
#include "tests/support/window/drawn_by_program.h"

#include <fmt/format.h>

#include "tests/support/process/child.h"
#include "tests/support/process/cli.h"
#include "tests/support/window/screen.h"

namespace ts::test {
namespace {

constexpr double kDrawSeconds = 60;

}  // namespace

bool draw_by_program(const std::vector<std::string>& arguments, const TempFolder& folder, std::string& problem) {
  std::vector<std::string> environment = Screen::get()->environment(), command = {program_path()};
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
    environment.push_back(fmt::format("{}={}", name, folder.path()));
  command.insert(command.end(), arguments.begin(), arguments.end());
  Child program({.command = command, .environment = environment, .log = folder / "log"});
  const auto status = program.end(kDrawSeconds);
  if (status == 0) return true;
  problem = fmt::format("{}: {}\n{}", fmt::join(arguments, " "), status ? fmt::format("status {}", *status) : "no end",
                        get_text(folder / "log"));
  return false;
}

}  // namespace ts::test
