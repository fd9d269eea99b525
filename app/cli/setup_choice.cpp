// From a setup to arguments.
#include "app/cli/setup_choice.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>

#include "app/cli/program_file.h"
#include "app/cli/saved_recording.h"
#include "core/cases/setup_file.h"
#include "core/text/count.h"

namespace ts {
namespace {

template <class Count>
void count_below(const std::string& said, std::optional<Count>& out) {
  Count count = 0;
  if (!out && !said.empty() && text::parse_count(said, count)) out = count;
}

void word_below(const std::string& said, std::string& out) {
  if (out.empty()) out = said;
}

// Inputs that the command line speaks of: of them the setup says nothing.
std::set<std::string> said_inputs(const RunArguments& arguments) {
  std::set<std::string> names;
  for (const auto* texts : {&arguments.in, &arguments.set, &arguments.make})
    for (const std::string& text : *texts) {
      const std::string name = text.substr(0, text.find('='));
      names.insert(name.starts_with('%') ? name.substr(1) : name);
    }
  return names;
}

// What comes later is put over what came before.
void pairs_below(const std::map<std::string, std::string>& said, const std::set<std::string>& without,
                 std::vector<std::string>& out) {
  std::vector<std::string> all;
  for (const auto& [name, value] : said)
    if (!without.contains(name)) all.push_back(fmt::format("{}={}", name, value));
  all.insert(all.end(), out.begin(), out.end());
  out = std::move(all);
}

void put_below(const cases::Setup& setup, RunArguments& arguments) {
  word_below(setup.entry, arguments.entry), word_below(setup.target, arguments.target);
  word_below(setup.order, arguments.order), word_below(setup.comm, arguments.comm);
  word_below(setup.standard, arguments.standard);
  for (std::string& folder : cases::include_folders(setup)) arguments.include.push_back(std::move(folder));
  // A compiler takes the last that is said of a macro.
  std::vector<std::string> macros = cases::macros(setup);
  arguments.define.insert(arguments.define.begin(), macros.begin(), macros.end());
  count_below(setup.blocks, arguments.blocks), count_below(setup.seed, arguments.seed);
  count_below(setup.max_steps, arguments.most_steps);
  arguments.private_slots = arguments.private_slots || setup.private_slots == "on";
  if (arguments.budget_mb == 0) arguments.budget_mb = cases::budget_bytes(setup) >> 20;
  const std::set<std::string> said = said_inputs(arguments);
  pairs_below(setup.options, {}, arguments.options), pairs_below(setup.sizes, {}, arguments.size);
  pairs_below(setup.arrays, said, arguments.in), pairs_below(setup.numbers, said, arguments.set);
  pairs_below(setup.args, {}, arguments.arg);
  pairs_below(setup.raw, said, arguments.raw), pairs_below(setup.made, said, arguments.make);
}

}  // namespace

bool take_setup(RunArguments& arguments) {
  if (arguments.setup.empty()) return true;
  const std::string program = arguments.files.empty() ? "" : arguments.files.front();
  const auto told = [](const data::Error& error) {
    fail(error.text, error.hint);
    return false;
  };
  std::error_code missing;
  if (takes_recording(arguments))
    return told({fmt::format("--setup {}: {} is a recording, which is not run again", arguments.setup, program), ""});
  if (!std::filesystem::is_regular_file(program, missing))
    return told({fmt::format("--setup {}: setups stand beside a program's file", arguments.setup),
                 "a sample has no file; of a lesson its program is run as it says"});
  auto loaded = cases::load_setup(program, arguments.setup);
  if (const auto* error = std::get_if<data::Error>(&loaded)) return told(*error);
  auto& found = std::get<cases::LoadedSetup>(loaded);
  for (const std::string& note : found.notes) fmt::print(stderr, "tilescope: {}\n", note);
  auto setup = cases::with_paths(std::move(found.setup), program,
                                 arguments.setup_outside ? cases::SetupFiles::Anywhere : cases::SetupFiles::Below);
  if (auto* error = std::get_if<data::Error>(&setup)) {
    if (error->text.find("outside of") != std::string::npos) error->hint += ": --setup-outside";
    return told(*error);
  }
  put_below(std::get<cases::Setup>(setup), arguments);
  return true;
}

}  // namespace ts
