// What the command line can be asked. Each returns the process's exit status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/files/files.h"
#include "core/cases/manifest.h"

namespace ts {

// 0 ok, also with warnings; 2 stopped at a step, or runs differ; 4 cannot read or run, found before the first step; 5 a limit was reached.
// Of scripts also: 1 an assertion failed, 3 the script is wrong (scripting/script.h).
enum Exit : int { kOk = 0, kStopped = 2, kCannotRun = 4, kLimit = 5 };

struct TextArguments {
  std::vector<std::string> files;
  std::string target, entry;
  std::vector<std::string> options;  // NAME=VALUE
  std::string placement;             // of tiles; empty: as the option is
  std::uint64_t most_bytes = kMostTextBytes;
  bool json = false;
  // Of a kernel in C++: its compiler, and what that is told.
  std::string cxx, standard;  // empty: as the setup has it, or C++20
  std::vector<std::string> include, define;
  std::vector<std::string> more;  // other files of it, then what its main is told
  std::string folder;             // that its main runs in
};

struct RunArguments : TextArguments {
  std::vector<std::string> in, set, out, size;  // NAME=PATH, NAME=VALUE, NAME=PATH, NAME=BYTES
  std::vector<std::string> raw, make, arg;      // NAME=TYPE:SHAPE, NAME=KIND, NAME=TYPE[SHAPE]
  std::string step_by = "instruction";  // or source: all that one line of a file made which the program came from
  std::vector<std::string> sources;     // folders where files that the program came from may stand
  std::vector<std::string> edit;        // what is changed by hand: t2[1,5]=3@12
  std::string setup;                    // by its name, out of the file beside the program; empty: none
  bool setup_outside = false;           // which may name files outside of the program's folder
  // What nobody says is as the setup or the case has it, or usual.
  std::optional<std::uint64_t> seed = {}, most_steps = {};
  std::optional<std::uint32_t> blocks = {};
  std::string order, comm;
  bool private_slots = false;
  bool no_plans = false;
  std::uint32_t threads = 0;  // that steps run on; 0: as many as pay
  std::uint64_t budget_mb = 0;
  int step = -1;
  std::string cell;
  std::vector<std::string> print;  // NAME@LINE
  bool trace = false, digest = false;
  // Of `run`: what is written beside the report.
  bool whole = false, hex = false;  // of --out
  std::string trace_json, html;     // paths
  int finding = -1;
  std::string record;  // where the recording goes; empty: nowhere
  bool full = false;   // with every snapshot
  // Of a case: only its outputs are told of; how far they may be from its goldens.
  bool golden = false;
  bool exact = false;    // beside itself in double precision
  bool profile = false;  // where the time of the emulation goes
  cases::Tolerance tolerance = {};
};

struct CheckArguments : RunArguments {
  bool run = false;
  std::vector<std::string> levels;  // KIND=LEVEL
};

struct InfoArguments {
  std::string file;
  bool json = false, verify = false;
};

struct ScriptArguments {
  std::string file;                // a .lua file, or a sample script's name
  std::string junit;               // where results go
  std::vector<std::string> allow;  // "io", "read"
  std::uint64_t steps = 100'000'000;
  std::string memory = "256MiB", disk = "256MiB";
  double total_seconds = 60;           // in all; 0: no limit
  double seconds = 5;                  // in one call
  std::vector<std::string> arguments;  // for the script
};

struct CompareArguments : RunArguments {
  double abs = 0, rel = 0;
  std::uint64_t ulp = 0;
  std::string tile;  // of compare: what is compared of the first file; empty: all steps
};

struct WhyArguments : RunArguments {
  std::string file, element;  // NAME[ROW,COLUMN]
};
int why_command(const WhyArguments& arguments);

struct WindowArguments : RunArguments {
  std::string layout, theme;  // empty: what the user had
  bool start_page = false;
  bool listens = false;
  std::string listen;  // at this path; empty: where sockets usually are
  std::string state;   // where tests read how the window stands
};

struct ShotArguments : WindowArguments {
  std::string picture = "tilescope.png";
  std::string at;  // "5" or "5.3"
  std::string select, pane, command;
  std::string extent = "1600x1000";
  std::string progress;  // of the step: "0.4"
  float scale = 1;
  int bench_frames = 0;
};

struct FilmArguments : ShotArguments {
  std::string steps;  // "3..9"
  std::uint32_t frames = 12, fps = 12;
  std::string captions = "on";
};

struct LessonArguments : WindowArguments {
  std::string lesson;  // its name, or a file; empty: all are listed
  bool check = false, print = false;
};
int lesson_command(const LessonArguments& arguments);

// Why the window cannot be opened; empty: it can.
std::string why_no_window();
int window_command(const WindowArguments& arguments);
int shot_command(const ShotArguments& arguments);
int film_command(const FilmArguments& arguments);
int run_command(const RunArguments& arguments);
int info_command(const InfoArguments& arguments);
int script_command(const ScriptArguments& arguments);
int lockstep_command(const CompareArguments& arguments);
int compare_command(const CompareArguments& arguments);
int repl_command(const RunArguments& arguments);
int check_command(const CheckArguments& arguments);

struct FormatArguments {
  std::string file;
  bool write = false, check = false, without_locations = false, compact_types = false;
};
int format_command(const FormatArguments& arguments);
int explain_command(const std::string& mnemonic, const std::string& target);
int list_command();
// What scripts can ask for, in Markdown; or as declarations for an editor.
int manual_command(bool stubs);
// The window's commands and keys, its panes, what its marks mean; a theme as a file that can be changed.
// How programs are written, line by line.
int print_language();
int print_keys();
int print_panes();
int print_legend();
int print_theme(const std::string& name);
int options_command();

struct CensusArguments {
  std::string folder, target;
  std::uint64_t most_bytes = kMostTextBytes;
  bool json = false;
};
int census_command(const CensusArguments& arguments);
// Instruction by target and element type: emulated, drawn, documented.
int coverage_command(bool json);

struct CppArguments {
  std::string file;
  bool include_dir = false;
};
int cpp_command(const CppArguments& arguments);

}  // namespace ts
