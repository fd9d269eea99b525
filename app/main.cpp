// tilescope: the command line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "app/report.h"
#include "core/isa/catalogue.h"
#include "samples/samples.h"

namespace {

using namespace ts;

// Exit statuses: 0 ok; 2 stopped at a step; 4 cannot read or run, found before the first step; 5 a limit was reached.
enum Exit { kOk = 0, kStopped = 2, kCannotRun = 4, kLimit = 5 };

struct RunArguments {
  std::string program;
  std::string target;
  int step = -1;
  std::string cell;
  std::vector<std::string> options;
  bool digest = false;
};

// "im[1,7]"; false when it is not of that form.
bool parse_cell(const std::string& text, ReportOptions& out) {
  const std::size_t open = text.find('[');
  if (open == std::string::npos || text.empty() || text.back() != ']') return false;
  out.tile = text.substr(0, open);
  if (!out.tile.empty() && out.tile.front() == '%') out.tile.erase(0, 1);
  int used = 0;
  const std::string index = text.substr(open);
  return std::sscanf(index.c_str(), "[%u,%u]%n", &out.row, &out.col, &used) == 2 && static_cast<std::size_t>(used) == index.size();
}

int fail(const std::string& text) {
  fmt::print(stderr, "tilescope: {}\n", text);
  return kCannotRun;
}

int run(const RunArguments& arguments) {
  const Sample* sample = arguments.program.empty() ? &samples().front() : find_sample(arguments.program);
  if (sample == nullptr) {
    std::string names;
    for (const Sample& each : samples()) names += std::string(names.empty() ? "" : ", ") + each.name;
    if (std::filesystem::exists(arguments.program)) return fail("reading program files is not built yet; samples: " + names);
    return fail(fmt::format("no sample is named {}; there are: {}", arguments.program, names));
  }
  const Target target = arguments.target.empty() ? sample->target : arguments.target == "a5" ? Target::A5 : Target::A2A3;
  ProgramBuilder builder(target, sample->name);
  for (const std::string& option : arguments.options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || !set_option(builder.options(), option.substr(0, equals), option.substr(equals + 1)))
      return fail(fmt::format("--option {}: unknown; `tilescope options` lists them", option));
  }
  sample->build(builder);
  Diagnostics diagnostics;
  Program program = builder.build(diagnostics);
  if (has_error(diagnostics)) {
    for (const Diagnostic& diagnostic : diagnostics) fmt::print(stderr, "{}:{}\n", sample->name, diagnostic.format());
    return kCannotRun;
  }
  ReportOptions show{.step = arguments.step >= 0 ? arguments.step : static_cast<int>(sample->step),
                     .tile = arguments.step >= 0 ? "" : sample->tile,
                     .row = arguments.step >= 0 ? 0 : sample->row,
                     .col = arguments.step >= 0 ? 0 : sample->col};
  if (!arguments.cell.empty() && !parse_cell(arguments.cell, show)) return fail("--cell wants TILE[ROW,COLUMN], such as im[1,7]");

  const auto recording = Recording::run(std::move(program));
  if (arguments.digest) {
    fmt::print("{}\n", recording->digest());
  } else {
    fmt::print("{}", report(*recording, show));
    if (arguments.program.empty())
      fmt::print("\nNext: tilescope run complex_split --step 5 --cell 'out[0,2]'     tilescope run masked_sum --target a5     tilescope list\n");
  }
  switch (recording->stop_reason()) {
    case StopReason::Error: return kStopped;
    case StopReason::Budget: return kLimit;
    case StopReason::End: break;
  }
  return kOk;
}

int list() {
  fmt::print("samples\n");
  for (const Sample& sample : samples()) fmt::print("  {:<16} {} ({})\n", sample.name, sample.summary, name(sample.target));
  fmt::print("\ninstructions\n");
  for (const InstructionRow* row : catalogue()) {
    fmt::print("  {:<16} {}\n", row->name, row->summary);
    for (Target target : kBothTargets) {
      const DTypeSet types = row->types(target, Options{});
      fmt::print("  {:<16}   {:<5} {}\n", "", name(target), types.empty() ? "not on this target" : types.list());
    }
  }
  return kOk;
}

int list_options() {
  for (int i = 0; i < kOptionCount; ++i) fmt::print("  {:<28} {:<14} {}\n", kOptions[i].name, kOptions[i].values, kOptions[i].effect);
  return kOk;
}

int command(int argc, char** argv) {
  CLI::App app("TileScope: step through PTO tile programs and see every tile, mask and address.");
  app.footer("examples:\n  tilescope\n  tilescope run complex_split --step 4\n  tilescope run masked_sum --target a5 --step 4 --cell 'out[0,4]'");
  RunArguments arguments;
  CLI::App* run_command = app.add_subcommand("run", "record a program and print what it did");
  run_command->add_option("program", arguments.program, "a sample's name; without it the first sample");
  run_command->add_option("--target", arguments.target, "a5 or a2a3; without it the sample's own")->check(CLI::IsMember({"a5", "a2a3"}));
  run_command->add_option("--step", arguments.step, "the step to show in depth")->check(CLI::NonNegativeNumber);
  run_command->add_option("--cell", arguments.cell, "the element whose sources are listed: TILE[ROW,COLUMN]");
  run_command->add_option("--option", arguments.options, "NAME=VALUE, see `tilescope options`");
  run_command->add_flag("--digest", arguments.digest, "print the recording's digest and nothing else");
  CLI::App* list_command = app.add_subcommand("list", "list samples and instructions");
  CLI::App* options_command = app.add_subcommand("options", "list the choices where documents and hardware differ");
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kCannotRun;
  }
  if (list_command->parsed()) return list();
  if (options_command->parsed()) return list_options();
  return run(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return command(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tilescope: {}\n", error.what());
    return kLimit;
  }
}
