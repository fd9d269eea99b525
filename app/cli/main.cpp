// tilescope: the command line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <vector>

#include "app/cli/choice.h"
#include "app/cli/commands.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/terminal.h"
#include "app/theme/theme.h"
#include "core/check/check.h"
#include "core/program/execution.h"
#include "version.h"

namespace {

using namespace ts;

constexpr const char* kExamples =
    "examples:\n"
    "  tilescope                                   opens the window on its start page\n"
    "  tilescope open kernel.pto                   opens it on a program, run on made-up data\n"
    "  tilescope shot kernel.pto --step 5 -o x.png a picture of the window\n"
    "  tilescope film kernel.pto --steps 5         a moving picture of a step\n"
    "  tilescope run kernel.pto                    prints what a program does\n"
    "  tilescope check kernel.pto\n"
    "  tilescope explain tsels --target a5\n"
    "  tilescope repl kernel.pto                   steps through it by hand\n"
    "  tilescope run case --golden --exact                of what is wrong, how much double precision would make right\n"
    "  tilescope run kernel.pto --print acc@31           the tile after each turn of the loop, without changing the program\n"
    "  tilescope run kernel.pto --record k.ptorec  keeps the recording; open, run, repl and info take it\n"
    "  tilescope script test.lua --junit out.xml   runs a Lua script that asserts\n"
    "  tilescope lesson zip                        teaches an instruction, with questions\n"
    "  tilescope lockstep kernel.pto               finds where the two targets part\n"
    "`tilescope COMMAND --help` has more.\n"
    "exit status: 0 ok, also with warnings; 1 an assertion failed; 2 stopped at a step; 3 a script is wrong; 4 cannot read or\n"
    "run; 5 a limit was reached";
constexpr const char* kRunExamples =
    "Inputs are called as the program calls them, with or without %. What is not given is made up: numbers are 1, buffers and\n"
    "tiles hold small numbers that depend on --seed.\n"
    "examples:\n"
    "  tilescope run complex_split --step 4\n"
    "  tilescope run kernel.pto --target a5 --in x=x.npy --set rows=37 --out y=y.npy\n"
    "  tilescope run masked_sum --cell 'out[0,4]'         where the element came from, in the last step that made it\n"
    "  tilescope run masked_sum --edit 'x[0,4]=100@3'     what if: another value from step 3 on; says what differs first\n"
    "  tilescope run kernel.pto --entry softmax --trace\n"
    "  tilescope run kernel.pto --report bug.html --finding 0   a page to show to somebody\n"
    "  tilescope run kernel.pto --record k.ptorec         keeps the recording; a .ptorec stands for a program everywhere\n"
    "  tilescope run kernel.pto --json > run.json         an array when there are several entry points\n"
    "  tilescope run kernel.cpp main.cpp -- case_64x64     a kernel in C++, started by its own main, or by one test\n"
    "  tilescope run case --golden                        a folder with arrays: which outputs are wrong, who made them so\n"
    "exit status: 0 ok, also with warnings; 2 stopped at a step, an error was found on the way, or an output is not as its\n"
    "golden; 4 cannot read or run; 5 a limit was reached, or Ctrl+C";
const std::string kCheckExamples =
    "Without --run only what can be said before the first step. A program that names no target is checked on both, and has\n"
    "to be legal on one. Inputs as for run; they only matter with --run.\n"
    "examples:\n"
    "  tilescope check kernels/*.pto\n"
    "  tilescope check kernel.pto --target a2a3 --json\n"
    "  tilescope check --run kernel.pto --in x=x.npy --level nan=error --level sync=off\n"
    "exit status: 0 ok, also with warnings; 2 with --run: findings of level error, or it stopped at a step; 4 a file has\n"
    "errors or cannot be read; 5 a limit was reached\n"
    "levels: off, note, warn, error, own (the one listed); all=LEVEL sets every kind; precision.ulp=N its bound;\n"
    "clip.elements=N of a step may be clipped; device.ub=BYTES how much of ub is safe; cores.caches=on looks for stored\n"
    "scalars that others read while they may stand in a cache\n"
    "kinds:\n";
constexpr const char* kFormatExamples =
    "examples:\n"
    "  tilescope fmt kernel.pto\n"
    "  tilescope fmt --write kernel.pto\n"
    "exit status: 0 ok; 2 with --check: it would change; 4 it cannot be read or has errors";
constexpr const char* kScriptExamples =
    "What follows -- goes to the script, as pto.args. A script reaches no files but those it loads by name.\n"
    "examples:\n"
    "  tilescope script who_wrote                          a sample script\n"
    "  tilescope script nightly.lua --junit results.xml\n"
    "  tilescope script find.lua -- kernel.pto 17\n"
    "exit status: what pto.quit says; else 0 ok; 1 an assertion failed; 3 the script is wrong; 4 it cannot be read; 5 a limit\n"
    "was reached";
constexpr const char* kLockstepExamples =
    "Runs a program on a2a3 and on a5 with the same inputs, and says at which step their results part. Only elements of valid\n"
    "regions that both targets promise are compared.\n"
    "examples:\n"
    "  tilescope lockstep masked_sum\n"
    "  tilescope lockstep kernel.pto --in x=x.npy --ulp 1\n"
    "  tilescope lockstep case\n"
    "  tilescope lockstep kernel.pto --json > parted.json\n"
    "exit status: 0 the same; 2 results differ, or the two do not run the same steps; 4 one of them cannot run it; 5 a limit\n"
    "was reached, or Ctrl+C";
constexpr const char* kCompareExamples =
    "Two runs: of one program step by step, of an edited one those of the same instruction in the same turn of its loops. Or a\n"
    "tile or buffer of the first run with an array, or with the one of that name of the second run. A program beside a case is\n"
    "given the arrays of the case. Tile instructions beside vector micro-instructions: bytes that both stored, in buffers of\n"
    "one name, and in UB where both load alike.\n"
    "examples:\n"
    "  tilescope compare kernel.pto edited.pto --in x=x.npy\n"
    "  tilescope compare kernel.pto golden.npy --tile out --ulp 2\n"
    "  tilescope compare yesterday.ptorec kernel.pto --in x=x.npy\n"
    "  tilescope compare kernel.pto edited.pto --tile sum --step 12\n"
    "  tilescope compare case edited.pto\n"
    "exit status: 0 the same; 2 something differs; 4 cannot read or run; 5 a limit was reached, or Ctrl+C";
constexpr const char* kWhyExamples =
    "The step that computed the value, its lines, the inputs it came from, and what that step made it of.\n"
    "examples:\n"
    "  tilescope why masked_sum 'out[0,4]'\n"
    "  tilescope why case 'z[54,3]' --json\n"
    "  tilescope why kernel.pto 't[1,5]' --step 12 --in x=x.npy\n"
    "exit status: 0 ok; 4 cannot read or run, or there is no such element";
constexpr const char* kReplExamples =
    "Records the program and stands before its first step. `over`, `into`, `back 3`, `continue` step; `? t[1,5]` shows a\n"
    "value; everything else is Lua, with the recording as rec; `help` explains. Lines from a file or a pipe are read as typed.\n"
    "Of a case it says how its outputs are, and stands where the first wrong value was made.\n"
    "examples:\n"
    "  tilescope repl masked_sum\n"
    "  tilescope repl kernel.pto --target a5 --in x=x.npy --set rows=37";
constexpr const char* kWindowExamples =
    "Runs the program and opens the window on it. F10 steps, Shift+F10 steps back, F11 goes into a step, F4 follows a value\n"
    "to its source, Ctrl+Shift+P finds any command.\n"
    "examples:\n"
    "  tilescope open kernel.pto --in x=x.npy\n"
    "  tilescope open masked_sum --target a5 --theme light";
constexpr const char* kShotExamples =
    "Draws the window without showing it. Without a display it starts an Xvfb of its own, and says so.\n"
    "examples:\n"
    "  tilescope shot complex_split --step 5 --select im,1,7 -o split.png\n"
    "  tilescope shot kernel.pto --step 5.3 --pane stage --size 900x500 --theme light -o micro.png\n"
    "  tilescope shot transpose --step 3 --progress 0.4 --pane stage -o turning.png";
constexpr const char* kFilmExamples =
    "Plays steps on the stage, in the order of their micro-operations, and writes what is seen. Without a display it starts\n"
    "an Xvfb of its own, and says so. Ctrl+C gives up, and leaves nothing.\n"
    "examples:\n"
    "  tilescope film complex_merge --steps 4 -o zip.gif\n"
    "  tilescope film kernel.pto --steps 3..9 --size 1280x720 --theme light --captions off -o kernel.webm   needs ffmpeg\n"
    "  tilescope film kernel.pto --frames 24 -o pictures        a folder of frame-00001.png and so on\n"
    "exit status: 0 ok; 4 cannot read, run or write; 5 Ctrl+C";
constexpr const char* kLessonExamples =
    "A lesson is text and questions over a program that runs. Without a name the lessons are listed, with what was answered.\n"
    "examples:\n"
    "  tilescope lesson\n"
    "  tilescope lesson zip                        opens it in the window; so does tilescope open zip\n"
    "  tilescope lesson mine.lua --check           walks it without a window: does it run, can everything be answered?\n"
    "exit status: 0 ok; 1 with --check: a question cannot be answered; 3 the lesson is wrong; 4 it cannot be read; 5 a limit\n"
    "was reached";
constexpr const char* kInfoExamples =
    "examples:\n"
    "  tilescope info kernel.ptorec\n"
    "  tilescope info kernel.ptorec --verify --json\n"
    "exit status: 0 ok; 4 it cannot be read, or its steps do not come to the digest that it was saved with";
constexpr const char* kCensusExamples =
    "Reads every .pto file below a folder and runs none. A file runs when each of its entry points is legal on the target\n"
    "that it names, or on one of both, and all of its operations are emulated.\n"
    "examples:\n"
    "  tilescope census kernels\n"
    "  tilescope census kernels --json > census.json\n"
    "exit status: 0 ok, whatever is missing; 4 the folder cannot be read, or holds no .pto file; 5 a limit was reached, or\n"
    "Ctrl+C";
constexpr const char* kManualExamples =
    "examples:\n"
    "  tilescope manual | less\n"
    "  tilescope manual --language                  how programs are written, from one instruction to a loop\n"
    "  tilescope manual --theme light > ~/.config/tilescope/themes/mine.theme\n"
    "  tilescope manual --stubs > tilescope.lua     then name the file in the editor's workspace library\n"
    "  tilescope explain rec:seek                   one page";
constexpr const char* kExplainExamples =
    "examples:\n"
    "  tilescope explain rec:seek\n"
    "  tilescope explain tsels --target a5\n"
    "  tilescope explain scf.for\n"
    "  tilescope explain pto.vadd";

// One value for each time the option is named, so that a file's name behind it is not taken for another.
CLI::Option& add_pairs(CLI::App& command, const char* option, std::vector<std::string>& values, const char* form,
                       const char* meaning) {
  return *command.add_option(option, values, meaning)->type_name(form)->allow_extra_args(false);
}

// CLI11's own ranges take nan for a number in them.
CLI::Validator number_from(double least, double most = std::numeric_limits<double>::max()) {
  const auto complaint = [=](const std::string& text) -> std::string {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (!text.empty() && *end == '\0' && std::isfinite(value) && value >= least && value <= most) return "";
    if (most < std::numeric_limits<double>::max())
      return fmt::format("{}: wanted a number from {:g} to {:g}", text, least, most);
    return fmt::format("{}: wanted a number, {:g} or more", text, least);
  };
  return CLI::Validator([complaint](std::string& text) { return complaint(text); }, "");
}

void add_json(CLI::App& command, bool& wanted, const char* meaning) {
  command.add_flag("--json", wanted, meaning)->each([](const std::string&) { output_is_data(); });
}

void add_target(CLI::App& command, std::string& target, const char* meaning) {
  add_choice(command, "--target", target, {"a5", "a2a3"}, meaning);
}

void add_program_options(CLI::App& command, TextArguments& arguments, const char* without_target) {
  add_target(command, arguments.target, without_target);
  command.add_option("--entry", arguments.entry, "one function only; without it all entry points")->option_text("NAME");
  in_small_letters(
      add_pairs(command, "--option", arguments.options, "NAME=VALUE", "a choice; `tilescope options` lists them"));
  add_choice(command, "--placement", arguments.placement, {"reuse", "keep"},
             "keep: every tile without an address has a place of its own; without it they share dead bytes");
  command.add_option("--max-size", arguments.most_bytes, "the largest text to read")
      ->option_text(fmt::format("BYTES [{}]", arguments.most_bytes));
  command.add_option("--cxx", arguments.cxx, "of a .cpp: the compiler; without it $CXX, g++ or clang++")
      ->option_text("PROGRAM");
  command.add_option("--std", arguments.standard, "of a .cpp: the standard")->option_text("c++20");
  command.add_option("-I", arguments.include, "of a .cpp: where included files are")->option_text("DIR");
  command.add_option("-D", arguments.define, "of a .cpp: a macro")->option_text("NAME=VALUE");
}

// How a program is made to run. `size` is what the option for the size of a buffer is called.
void add_launch_options(CLI::App& command, RunArguments& arguments, const char* size = "--size",
                        const char* without_target = "without it the module's own, else a2a3") {
  add_program_options(command, arguments, without_target);
  add_pairs(command, "--in", arguments.in, "NAME=PATH",
            "contents of a buffer or tile: .npy, an array of a .npz (all.npz:x), or raw bytes");
  add_pairs(command, "--raw", arguments.raw, "NAME=TYPE:SHAPE", "what raw bytes hold, such as x=bf16:16x32");
  add_pairs(command, "--make", arguments.make, "NAME=KIND",
            "what a buffer or tile without a file is made of: seeded, ramp, zeros, ones, normal, edge");
  add_pairs(command, "--set", arguments.set, "NAME=VALUE", "a number");
  add_pairs(command, size, arguments.size, "NAME=BYTES", "size of a buffer");
  add_pairs(command, "--arg", arguments.arg, "NAME=TYPE[SHAPE]", "what a pointer points to, such as x=f16[20x2048]");
  command.add_option("--seed", arguments.seed, "for data that is not given")->option_text("N [1]");
  command.add_option("--blocks", arguments.blocks, "blocks of the launch; without it as a case has it")
      ->check(CLI::Range(1, 65535))
      ->option_text("N [1]");
  command.add_option("--order", arguments.order, "in which order cores are asked to go on: usual, reverse, seed:N")
      ->option_text("ORDER [usual]");
  command
      .add_option("--comm", arguments.comm,
                  "signals that only another device could give: alone takes them for given, strict waits for them")
      ->check(CLI::IsMember({"alone", "strict"}, CLI::ignore_case))
      ->option_text("WORD [alone]");
  command.add_flag("--private-slots", arguments.private_slots,
                   "each block has slots of queues of its own behind those of the block before");
  command.add_flag("--no-plans", arguments.no_plans,
                   "runs each lowering as it is each time, instead of writing down what runs again and again");
  command
      .add_option("--threads", arguments.threads,
                  "2 runs blocks that share nothing on two threads from the first step on, 1 never; else where it pays")
      ->check(CLI::Range(1, 2))
      ->option_text("N");
  command.add_option("--max-steps", arguments.most_steps, "stops after so many steps")
      ->option_text(fmt::format("N [{}]", WalkLimits{}.most_steps));
  command.add_option("--budget", arguments.budget_mb, "for the recording; 0: a quarter of memory")
      ->option_text("MIB [0]");
  CLI::Option* setup = command
                           .add_option("--setup", arguments.setup,
                                       "all of this as PROGRAM.tilescope has it; what is said here goes before")
                           ->option_text("NAME");
  command
      .add_flag("--setup-outside", arguments.setup_outside,
                "files of the setup may lie outside of the program's folder")
      ->needs(setup);
}

// What if: of commands that show one run.
void add_edits(CLI::App& command, RunArguments& arguments) {
  add_pairs(command, "--edit", arguments.edit, "PLACE=VALUE@STEP",
            "runs on with another value from that step on: t2[1,5]=3@12, t2[0..1,0..3]=0@12, m.bit[0,17]=1@12, "
            "ub[0x440]=00ff@12, n=5@12");
}

// How far the outputs of a case may be from its goldens.
void add_golden_tolerances(CLI::App& command, cases::Tolerance& tolerance) {
  command
      .add_option("--abs", tolerance.abs,
                  "how far outputs may be from their goldens, or with --exact from double precision")
      ->check(number_from(0))
      ->option_text("X [by type]");
  command.add_option("--rel", tolerance.rel, "the same, as a part of the golden")
      ->check(number_from(0))
      ->option_text("X [by type]");
  command.add_option("--ulp", tolerance.ulp, "the same, in elements that lie between")
      ->check(number_from(0))
      ->option_text("N [0]");
}

void add_step_by(CLI::App& command, RunArguments& arguments) {
  add_choice(command, "--step-by", arguments.step_by, {"instruction", "source"},
             "what a step is: an instruction, or all that a line made which the program came from");
}

void add_source_option(CLI::App& command, RunArguments& arguments) {
  command.add_option("--source", arguments.sources, "where the files are that the program came from, by its loc(...)")
      ->allow_extra_args(false)
      ->option_text("DIR");
}

void add_main_options(CLI::App& command, TextArguments& arguments) {
  command
      .add_option("more", arguments.more, "of a .cpp with a main on the host: its other files, then what main is told")
      ->option_text("FILE.cpp... -- WORD...");
  // What stands behind -- is taken only where a positional is still empty.
  command.add_option("words", arguments.more, "")->expected(1)->allow_extra_args(false)->group("");
  command.add_option("--cd", arguments.folder, "of a .cpp with a main: the folder that it runs in")->option_text("DIR");
}

void add_run_options(CLI::App& command, RunArguments& arguments) {
  command
      .add_option("file", arguments.files,
                  "a .pto or .ptorec file, the folder of a case, or a sample's name; without it the first sample")
      ->expected(1)
      ->allow_extra_args(false)
      ->option_text(" ");
  add_main_options(command, arguments);
  add_launch_options(command, arguments);
  add_edits(command, arguments);
  add_json(command, arguments.json, "for programs");
  command.add_flag("--golden", arguments.golden, "of a case: only which outputs are wrong, and what made them so");
  command.add_flag("--exact", arguments.exact,
                   "beside itself in double precision, nothing rounded between: is it the algorithm or the rounding?");
  command.add_flag("--profile", arguments.profile,
                   "where the time of the emulation goes, by operation: all steps once more, with a clock");
  add_golden_tolerances(command, arguments.tolerance);
  add_pairs(command, "--out", arguments.out, "NAME=PATH",
            "writes a buffer, or a tile's valid region, after the run: .npy, .csv, or raw");
  command.add_flag("--whole", arguments.whole, "with --out: tiles with what is outside their valid region")
      ->needs("--out");
  command.add_flag("--hex", arguments.hex, "with --out to .csv: the bits of a row after its values")->needs("--out");
  command.add_option("--trace-json", arguments.trace_json, "writes all steps for ui.perfetto.dev")->option_text("PATH");
  command
      .add_option("--report", arguments.html,
                  "writes a page of one step: --step, --finding, or the one that a comment in the text names")
      ->option_text("PATH");
  command.add_option("--finding", arguments.finding, "with --report: the finding that the page is about")
      ->needs("--report")
      ->check(number_from(0))
      ->option_text("K");
  command.add_option("--step", arguments.step, "the step to show in depth")->check(number_from(0))->option_text("N");
  add_source_option(command, arguments);
  add_step_by(command, arguments);
  command.add_option("--cell", arguments.cell, "the element whose sources are listed")->option_text("TILE[ROW,COLUMN]");
  command
      .add_option("--print", arguments.print,
                  "prints a tile or buffer after every step of a line of the text, or of FILE:LINE that it came from; "
                  "without a line at the end")
      ->allow_extra_args(false)
      ->option_text("NAME@LINE");
  command.add_flag("--trace", arguments.trace, "every step with its micro-operations, registers and predicates");
  command.add_flag("--digest", arguments.digest, "print the recording's digest and nothing else");
  command
      .add_option("--record", arguments.record, "writes the recording to a file, which open, run, repl and info take")
      ->option_text("PATH");
  command.add_flag("--full", arguments.full, "with --record: the memories after every step, not only some");
  command.footer(kRunExamples);
}

// What can be found, as `--level` calls it.
std::string check_kinds() {
  std::string text;
  for (const CheckRow& row : checks())
    text += fmt::format("  {:<10} {:<6} {}\n", name(row.kind), name(row.level), row.summary);
  return text.substr(0, text.size() - 1);
}

void add_check_options(CLI::App& command, CheckArguments& arguments) {
  command.add_option("files", arguments.files, "program files, and folders of cases")->required()->option_text(" ");
  add_launch_options(command, arguments, "--size", "without it the module's own, else both");
  add_json(command, arguments.json, "for programs");
  command.add_flag("--run", arguments.run, "runs them, and looks through every step; of cases also the outputs");
  add_golden_tolerances(command, arguments.tolerance);
  in_small_letters(add_pairs(command, "--level", arguments.levels, "KIND=LEVEL",
                             "how grave a kind of finding is; below are the kinds"));
  command.footer(kCheckExamples + check_kinds());
}

void add_tolerances(CLI::App& command, CompareArguments& arguments) {
  command.add_option("--abs", arguments.abs, "how far apart elements may be")
      ->check(number_from(0))
      ->option_text("X [0]");
  command.add_option("--rel", arguments.rel, "the same, as a part of the second")
      ->check(number_from(0))
      ->option_text("X [0]");
  command.add_option("--ulp", arguments.ulp, "the same, in elements that lie between")
      ->check(number_from(0))
      ->option_text("N [0]");
  add_json(command, arguments.json, "for programs");
}

void add_lockstep_options(CLI::App& command, CompareArguments& arguments) {
  command.add_option("file", arguments.files, "a .pto file, the folder of a case, or a sample's name")
      ->required()
      ->expected(1)
      ->option_text(" ");
  add_launch_options(command, arguments);
  add_tolerances(command, arguments);
  command.footer(kLockstepExamples);
}

void add_compare_options(CLI::App& command, CompareArguments& arguments) {
  command
      .add_option("files", arguments.files,
                  "two .pto files, folders of cases, names of samples or recordings; the second may be a .npy file")
      ->required()
      ->expected(2)
      ->option_text(" ");
  add_launch_options(command, arguments);
  command.add_option("--tile", arguments.tile, "the tile or buffer that is compared; without it all steps are")
      ->option_text("NAME");
  command.add_option("--step", arguments.step, "as this step left it; without it as the end did")
      ->check(number_from(0))
      ->option_text("N");
  add_tolerances(command, arguments);
  command.footer(kCompareExamples);
}

void add_why_options(CLI::App& command, WhyArguments& arguments) {
  command.add_option("file", arguments.file, "a .pto or .ptorec file, the folder of a case, or a sample's name")
      ->required()
      ->option_text(" ");
  command.add_option("element", arguments.element, "of a tile or buffer: NAME[ROW,COLUMN]")
      ->required()
      ->option_text(" ");
  add_launch_options(command, arguments);
  add_edits(command, arguments);
  command.add_option("--step", arguments.step, "as this step left it; without it as the end did")
      ->check(number_from(0))
      ->option_text("N");
  command.add_option("--source", arguments.sources, "where the files are that the program came from, by its loc(...)")
      ->option_text("DIR");
  add_json(command, arguments.json, "for programs");
  command.footer(kWhyExamples);
}

void add_repl_options(CLI::App& command, RunArguments& arguments) {
  command.add_option("file", arguments.files, "a .pto or .ptorec file, the folder of a case, or a sample's name")
      ->required()
      ->expected(1)
      ->option_text(" ");
  add_launch_options(command, arguments);
  add_edits(command, arguments);
  add_step_by(command, arguments);
  command.footer(kReplExamples);
}

void add_theme_option(CLI::App& command, std::string& theme, const char* meaning = "the colours") {
  CLI::Option& option = *command.add_option("--theme", theme, meaning);
  option.type_name("")->option_text("dark|light|contrast, or one of yours");
  spell_as(option, ui::theme_names());
}

void add_look_options(CLI::App& command, WindowArguments& arguments, const char* without_file) {
  command
      .add_option(
          "file", arguments.files,
          fmt::format(
              "a .pto, .ptorec or .lua file, the folder of a case, or the name of a sample or lesson; without it {}",
              without_file))
      ->expected(1)
      ->allow_extra_args(false)
      ->option_text(" ");
  add_main_options(command, arguments);
  add_source_option(command, arguments);
  command.add_flag("--start-page", arguments.start_page, "the page that is shown while nothing is open");
  add_choice(command, "--layout", arguments.layout, {"learn", "debug", "compare", "present"}, "how the panes stand");
  add_theme_option(command, arguments.theme);
}

void add_window_options(CLI::App& command, WindowArguments& arguments) {
  add_look_options(command, arguments, "the start page");
  add_launch_options(command, arguments);
  add_edits(command, arguments);
  add_golden_tolerances(command, arguments.tolerance);
  command.add_flag(
      "--listen", arguments.listens,
      "lets other programs drive the window by a local socket; prints where it is, and the token they need");
  command.add_option("--listen-at", arguments.listen, "the same, with the socket at this path")->option_text("PATH");
  command.add_option("--state", arguments.state, "keeps a file that says how the window stands, as JSON")
      ->option_text("PATH");
  command.footer(kWindowExamples);
}

void add_lesson_options(CLI::App& command, LessonArguments& arguments) {
  command.add_option("name", arguments.lesson, "a .lua file, or a lesson's name; without it all are listed")
      ->option_text(" ");
  command.add_flag("--check", arguments.check, "walks through it without a window, and says what is wrong");
  command.add_flag("--print", arguments.print, "prints its steps and questions");
  add_theme_option(command, arguments.theme);
  command.add_option("--state", arguments.state, "keeps a file that says how the window stands, as JSON")
      ->option_text("PATH");
  command.footer(kLessonExamples);
}

// What pictures and films have in common.
void add_picture_options(CLI::App& command, ShotArguments& arguments) {
  add_look_options(command, arguments, "the first sample");
  add_launch_options(command, arguments, "--bytes");
  add_edits(command, arguments);
  command.add_option("--select", arguments.select, "the element to select")->option_text("TILE,ROW,COLUMN");
  command
      .add_option("--command", arguments.command,
                  "commands to carry out first, such as legend, or 'compareTargets; nextDifference'")
      ->option_text("NAME");
  command.add_option("--size", arguments.extent, "in pixels")
      ->option_text(fmt::format("WIDTHxHEIGHT [{}]", arguments.extent));
  command.add_option("--scale", arguments.scale, "how large everything is")
      ->check(number_from(0.5, 4))
      ->option_text("S [1]");
}

void add_film_options(CLI::App& command, FilmArguments& arguments) {
  arguments.picture = "tilescope.gif";
  arguments.extent = "1280x720";
  add_picture_options(command, arguments);
  command.add_option("-o,--out-film", arguments.picture, "the film: .gif, .webm, or a folder for .png files")
      ->option_text("PATH [tilescope.gif]");
  command.add_option("--steps", arguments.steps, "the steps to show; without it all")->option_text("A..B");
  command.add_option("--frames", arguments.frames, "pictures of each step that moves")
      ->check(CLI::Range(1, 10'000))
      ->option_text(fmt::format("N [{}]", arguments.frames));
  command.add_option("--fps", arguments.fps, "of them a second")
      ->check(CLI::Range(1, 50))
      ->option_text(fmt::format("N [{}]", arguments.fps));
  add_choice(command, "--captions", arguments.captions, {"on", "off"}, "the words around the picture");
  command.footer(kFilmExamples);
}

void add_shot_options(CLI::App& command, ShotArguments& arguments) {
  add_picture_options(command, arguments);
  command.add_option("-o,--out-picture", arguments.picture, "the picture to write")
      ->option_text("PATH [tilescope.png]");
  command.add_option("--step", arguments.at, "the step to show, or a micro-step of it")->option_text("N[.M]");
  command
      .add_option("--progress", arguments.progress,
                  "how far the step is, 0 to 1, in the order of its micro-operations; without it it is made")
      ->check(number_from(0, 1))
      ->option_text("P");
  in_small_letters(
      *command.add_option("--pane", arguments.pane, "only this pane: program, stage, tiles, ...")->option_text("NAME"));
  command.add_option("--bench", arguments.bench_frames, "draws so many frames more, and prints what they took")
      ->check(number_from(0))
      ->option_text("N");
  command.footer(kShotExamples);
}

void add_script_options(CLI::App& command, ScriptArguments& arguments) {
  command.add_option("file", arguments.file, "a .lua file or a sample script's name")->required()->option_text(" ");
  command.add_option("arguments", arguments.arguments, "for the script")->option_text(" ");
  command.add_option("--junit", arguments.junit, "writes the results of its tests")->option_text("PATH");
  command
      .add_option(
          "--allow", arguments.allow,
          "read: it may read files everywhere, not only below its own folder; io: it may use files and the system; "
          "kernels: it may compile kernels in C++ and run them")
      ->transform(CLI::IsMember(std::vector<std::string>{"io", "read", "kernels"}, CLI::ignore_case))
      ->allow_extra_args(false)
      ->type_name("")
      ->option_text("read|io|kernels");
  command.add_option("--script-steps", arguments.steps, "how much it may do")
      ->check(number_from(1))
      ->option_text(fmt::format("N [{}]", arguments.steps));
  command
      .add_option("--script-seconds", arguments.seconds,
                  "how long one call of it may take, such as recording a program")
      ->check(number_from(1e-3))
      ->option_text(fmt::format("N [{}]", arguments.seconds));
  command.add_option("--script-total-seconds", arguments.total_seconds, "how long it may take in all; 0: no limit")
      ->check(number_from(0))
      ->option_text(fmt::format("N [{}]", arguments.total_seconds));
  command.add_option("--script-mem", arguments.memory, "how much memory it may use")
      ->option_text(fmt::format("BYTES [{}]", arguments.memory));
  command.add_option("--script-disk", arguments.disk, "how much it may write into files, all together")
      ->option_text(fmt::format("BYTES [{}]", arguments.disk));
  command.footer(kScriptExamples);
}

// A file's name where a command belongs is the usual slip.
int wrong_usage(const CLI::App& app, const CLI::ParseError& error, const std::string& first) {
  std::ostringstream out, complaint;
  const int status = app.exit(error, out, complaint);
  fmt::print("{}", out.str());
  fmt::print(stderr, "{}", complaint.str());
  if (status == 0) return kOk;
  if (first.ends_with(".pto")) fmt::print(stderr, "  hint: tilescope open {0}, or tilescope run {0}\n", first);
  if (first.ends_with(".ptorec")) fmt::print(stderr, "  hint: tilescope open {0}, or tilescope info {0}\n", first);
  if (first.ends_with(".lua")) fmt::print(stderr, "  hint: tilescope script {}\n", first);
  return kCannotRun;
}

void add_format_options(CLI::App& command, FormatArguments& arguments) {
  command.add_option("file", arguments.file, "a program file")->required()->option_text(" ");
  command.add_flag("--write", arguments.write, "replace the file");
  command.add_flag("--check", arguments.check, "only say whether it would change");
  command.add_flag("--compact", arguments.compact_types,
                   "types of tiles as !pto.tile_buf<vec, 16x64xf32>, not as they are");
  command.add_flag("--no-loc", arguments.without_locations, "leave out where operations came from: loc(...)");
  command.footer(kFormatExamples);
}

struct ExplainArguments {
  std::string mnemonic, target;
};

void add_explain_options(CLI::App& command, ExplainArguments& arguments) {
  command.add_option("mnemonic", arguments.mnemonic, "its name, with or without pto.")->required()->option_text(" ");
  add_target(command, arguments.target, "without the other target's sections");
  command.footer(kExplainExamples);
}

void add_info_options(CLI::App& command, InfoArguments& arguments) {
  command.add_option("file", arguments.file, "a .ptorec file")->required()->option_text(" ");
  add_json(command, arguments.json, "for programs");
  command.add_flag("--verify", arguments.verify, "make all steps again, and compare with the digest that was saved");
  command.footer(kInfoExamples);
}

struct ManualArguments {
  bool stubs = false, keys = false, panes = false, legend = false, language = false;
  std::string theme;
};

void add_manual_options(CLI::App& command, ManualArguments& arguments) {
  command.add_flag("--stubs", arguments.stubs, "as declarations for an editor (LuaLS)");
  command.add_flag("--keys", arguments.keys, "the window's commands and keys instead");
  command.add_flag("--panes", arguments.panes, "what each pane of the window shows");
  command.add_flag("--legend", arguments.legend, "what every mark of the window means");
  command.add_flag("--language", arguments.language, "the language of programs, line by line");
  add_theme_option(command, arguments.theme, "a theme of the window as a file to change");
  command.footer(kManualExamples);
}

int print_manual(const ManualArguments& arguments) {
  if (arguments.language) return print_language();
  if (arguments.legend) return print_legend();
  if (!arguments.theme.empty()) return print_theme(arguments.theme);
  if (arguments.panes) return print_panes();
  return arguments.keys ? print_keys() : manual_command(arguments.stubs);
}

struct CoverageArguments {
  bool json = false;
};

void add_coverage_options(CLI::App& command, CoverageArguments& arguments) {
  command.footer("example:\n  tilescope coverage --json");
  add_json(command, arguments.json, "one object for each instruction, target and element type");
}

void add_census_options(CLI::App& command, CensusArguments& arguments) {
  command.add_option("folder", arguments.folder, "the folder, with all that is below it")->required()->option_text(" ");
  add_target(command, arguments.target, "without it each module's own, else either");
  add_json(command, arguments.json, "for programs");
  command.add_option("--max-size", arguments.most_bytes, "the largest text to read")
      ->option_text(fmt::format("BYTES [{}]", arguments.most_bytes));
  command.footer(kCensusExamples);
}

struct NoArguments {};

void add_list_options(CLI::App& command, NoArguments&) { command.footer("example:\n  tilescope list"); }
void add_options_options(CLI::App& command, NoArguments&) {
  command.footer("example:\n  tilescope run kernel.pto --option strict=on");
}

int tell_interrupted() {
  fmt::print(stderr,
             "tilescope: interrupted\n  hint: what is printed is what was known by then; every file is whole, or as it "
             "was before\n");
  return kLimit;
}

// Ends in order at the first Ctrl+C.
int in_order(const std::function<int()>& run) {
  install_interrupt();
  const int status = run();
  return interrupted() ? tell_interrupted() : status;
}

void add_cpp_options(CLI::App& command, CppArguments& arguments) {
  command.add_flag("--include-dir", arguments.include_dir, "print the folder, for -I and for editors");
  command.add_option("file", arguments.file, "print the functions of a .cpp that a launch may start")
      ->option_text("FILE");
  command.footer(
      "A kernel in C++ runs as a program does: tilescope run kernel.cpp --entry NAME --in x=x.npy --set n=64 --blocks 8\n"
      "assets/manual/cpp_kernels.md has the rest.");
}

// The commands, and what each does once its arguments are there.
class Commands {
 public:
  explicit Commands(CLI::App& app) : app_(app) {}

  template <class Arguments, class Run>
  void add(const char* name, const char* meaning, void (*options)(CLI::App&, Arguments&), Run run) {
    add_with_own_interrupt(name, meaning, options,
                           [run](const Arguments& arguments) { return in_order([&] { return run(arguments); }); });
  }
  // Cares for Ctrl+C itself.
  template <class Arguments, class Run>
  void add_with_own_interrupt(const char* name, const char* meaning, void (*options)(CLI::App&, Arguments&), Run run) {
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app_.add_subcommand(name, meaning);
    options(*command, *arguments);
    command->final_callback([this, arguments, run] { chosen_ = [arguments, run] { return run(*arguments); }; });
  }
  // What the user asked for; nothing: no command.
  std::optional<int> carry_out() const { return chosen_ ? std::optional(chosen_()) : std::nullopt; }

 private:
  CLI::App& app_;
  std::function<int()> chosen_;
};

void add_commands(Commands& commands) {
  commands.add("open", "open the window on a program", add_window_options, window_command);
  commands.add("shot", "draw the window into a picture", add_shot_options, shot_command);
  commands.add("film", "draw steps as a moving picture", add_film_options, film_command);
  commands.add("run", "record a program and print what it did", add_run_options, run_command);
  commands.add_with_own_interrupt("repl", "step through a program by hand, with Lua", add_repl_options, repl_command);
  commands.add("script", "run a Lua script", add_script_options, script_command);
  commands.add("lockstep", "run a program on both targets and find where they part", add_lockstep_options,
               lockstep_command);
  commands.add("compare", "compare two runs, or a tile with an array", add_compare_options, compare_command);
  commands.add("why", "where a value was made, and what it came from", add_why_options, why_command);
  commands.add("check", "find what is wrong with programs", add_check_options, check_command);
  commands.add("fmt", "print a program in the current spelling", add_format_options, format_command);
  commands.add("explain", "what an operation or a script function is", add_explain_options,
               [](const ExplainArguments& asked) { return explain_command(asked.mnemonic, asked.target); });
  commands.add("lesson", "list lessons, open one, or check one", add_lesson_options, lesson_command);
  commands.add("info", "what the file of a recording holds", add_info_options, info_command);
  commands.add("manual", "everything that scripts can ask for, with examples; the window's keys", add_manual_options,
               print_manual);
  commands.add("cpp", "kernels in C++: where the header is that they are compiled against", add_cpp_options,
               cpp_command);
  commands.add("list", "list samples and instructions", add_list_options,
               [](const NoArguments&) { return list_command(); });
  commands.add("options", "list the choices where documents and hardware differ", add_options_options,
               [](const NoArguments&) { return options_command(); });
  commands.add("census", "what a folder of programs is made of, what runs, and what is missing most",
               add_census_options, census_command);
  commands.add("coverage", "what is emulated, drawn and documented", add_coverage_options,
               [](const CoverageArguments& asked) { return coverage_command(asked.json); });
}

int command(int argc, char** argv) {
  CLI::App app("TileScope: step through PTO tile programs and see every tile, mask and address.", "tilescope");
  app.footer(kExamples);
  app.set_version_flag("--version", fmt::format("TileScope {}", kVersion));
  Commands commands(app);
  add_commands(commands);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return wrong_usage(app, error, argc > 1 ? argv[1] : "");
  }
  if (const auto status = commands.carry_out()) return *status;
  const std::string reason = why_no_window();
  if (reason.empty()) return in_order([] { return window_command({}); });
  fmt::print("{}: this is the report of the first sample\n\n", reason);
  std::fflush(stdout);
  return in_order([] { return run_command({}); });
}

int guarded_command(int argc, char** argv) {
  try {
    return command(argc, argv);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "tilescope: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "tilescope: {}\n", error.what());
  }
  return kLimit;
}

}  // namespace

int main(int argc, char** argv) {
  guard_output();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
  const int status = guarded_command(argc, argv);
  // A result that nobody can read is none.
  return finish_output() || status != kOk ? status : kCannotRun;
}
