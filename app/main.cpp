// tilescope: the command line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "app/commands.h"

namespace {

using namespace ts;

constexpr const char* kRunExamples =
    "examples:\n"
    "  tilescope run complex_split --step 4\n"
    "  tilescope run kernel.pto --target a5 --in x=x.npy --set rows=37 --out y=y.npy\n"
    "  tilescope run masked_sum --step 4 --cell 'out[0,4]'\n"
    "  tilescope run kernel.pto --entry softmax --trace --json > steps.json";

void add_text_options(CLI::App& command, TextArguments& arguments) {
  command.add_option("--target", arguments.target, "a5 or a2a3; without it the module's own, else a2a3")->check(CLI::IsMember({"a5", "a2a3"}));
  command.add_option("--entry", arguments.entry, "the function to start");
  command.add_option("--option", arguments.options, "NAME=VALUE, see `tilescope options`");
  command.add_option("--max-size", arguments.most_bytes, "the largest text to read, in bytes")->capture_default_str();
  command.add_flag("--json", arguments.json, "for programs");
}

void add_run_options(CLI::App& command, RunArguments& arguments) {
  command.add_option("file", arguments.files, "a .pto file or a sample's name; without it the first sample")->expected(0, 1);
  add_text_options(command, arguments);
  command.add_option("--in", arguments.in, "NAME=PATH: contents of a buffer or tile, .npy or raw bytes");
  command.add_option("--set", arguments.set, "NAME=VALUE: a number");
  command.add_option("--out", arguments.out, "NAME=PATH: writes a buffer, or a tile's valid region, after the run");
  command.add_option("--size", arguments.size, "NAME=BYTES: size of a buffer");
  command.add_option("--seed", arguments.seed, "of data for inputs that are not given")->capture_default_str();
  command.add_option("--blocks", arguments.blocks, "blocks of the launch")->capture_default_str()->check(CLI::Range(1, 65535));
  command.add_option("--max-steps", arguments.most_steps, "stops after so many steps")->capture_default_str();
  command.add_option("--budget", arguments.budget_mb, "MiB for the recording; 0: a quarter of memory");
  command.add_option("--step", arguments.step, "the step to show in depth")->check(CLI::NonNegativeNumber);
  command.add_option("--cell", arguments.cell, "the element whose sources are listed: TILE[ROW,COLUMN]");
  command.add_flag("--trace", arguments.trace, "every step with its micro-operations, registers and predicates");
  command.add_flag("--digest", arguments.digest, "print the recording's digest and nothing else");
  command.footer(kRunExamples);
}

int command(int argc, char** argv) {
  CLI::App app("TileScope: step through PTO tile programs and see every tile, mask and address.");
  app.footer("examples:\n  tilescope\n  tilescope check kernel.pto\n  tilescope explain tsels --target a5\n"
             "exit status: 0 ok; 2 stopped at a step; 4 cannot read or run; 5 a limit was reached");
  RunArguments run;
  TextArguments check;
  FormatArguments format;
  std::string mnemonic, target;
  CLI::App* run_app = app.add_subcommand("run", "record a program and print what it did");
  add_run_options(*run_app, run);
  CLI::App* check_app = app.add_subcommand("check", "check programs without running them");
  check_app->add_option("files", check.files, "program files")->required();
  add_text_options(*check_app, check);
  CLI::App* format_app = app.add_subcommand("fmt", "print a program in the current spelling");
  format_app->add_option("file", format.file, "a program file")->required();
  format_app->add_flag("--write", format.write, "replace the file");
  format_app->add_flag("--check", format.check, "only say whether it would change");
  CLI::App* explain_app = app.add_subcommand("explain", "what an operation is: operands, meaning, rules, micro-operations");
  explain_app->add_option("mnemonic", mnemonic, "its name, with or without pto.")->required();
  explain_app->add_option("--target", target, "a5 or a2a3")->check(CLI::IsMember({"a5", "a2a3"}));
  CLI::App* list_app = app.add_subcommand("list", "list samples and instructions");
  CLI::App* options_app = app.add_subcommand("options", "list the choices where documents and hardware differ");
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kCannotRun;
  }
  if (check_app->parsed()) return check_command(check);
  if (format_app->parsed()) return format_command(format);
  if (explain_app->parsed()) return explain_command(mnemonic, target);
  if (list_app->parsed()) return list_command();
  if (options_app->parsed()) return options_command();
  return run_command(run);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return command(argc, argv);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "tilescope: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "tilescope: {}\n", error.what());
  }
  return kLimit;
}
