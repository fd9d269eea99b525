// In place of the folder `window`, where TileScope is built without its window (TILESCOPE_WINDOW=OFF).
#include "app/cli/commands.h"
#include "app/cli/program_file.h"

namespace ts {
namespace {

int tell() { return fail("this TileScope was built without its window", "build it with TILESCOPE_WINDOW=ON"); }

}  // namespace

std::string why_no_window() { return "built without the window"; }
int window_command(const WindowArguments&) { return tell(); }
int shot_command(const ShotArguments&) { return tell(); }
int film_command(const FilmArguments&) { return tell(); }
int print_keys() { return tell(); }
int print_panes() { return tell(); }
int print_legend() { return tell(); }

}  // namespace ts
