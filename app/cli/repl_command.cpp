// repl: a program's recording, and Lua typed line by line.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/cli/cases/case_run.h"
#include "app/cli/cases/golden_report.h"
#include "app/cli/commands.h"
#include "app/cli/record_entry.h"
#include "app/cli/saved_recording.h"
#include "app/cli/terminal/line_reader.h"
#include "app/cli/terminal/terminal.h"
#include "app/cli/told.h"
#include "app/files/script_host.h"
#include "app/settings/settings.h"
#include "core/debug/session/kept_work.h"
#include "scripting/console/console.h"

namespace ts {
namespace {

// "  12  line 37  tadd ins(%a, %b) outs(%out)": the step that comes next.
std::string place_text(Session& session) {
  const auto [position, micro] = session.moment();
  if (position == session.count()) return fmt::format("{:>6}  the end", position);
  const Recording& recording = session.recording();
  std::string text = fmt::format("{:>6}  {}  {}", position, session.line_text(position),
                                 recording.program().short_text(recording.step(position).instruction));
  if (micro > 0)
    text += fmt::format("\n        micro {}  {}", micro,
                        session.trace(position).describe(session.trace(position).steps[micro]));
  return text;
}

std::string prompt_of(const Session& session) {
  const auto [position, micro] = session.moment();
  return micro > 0 ? fmt::format("{}.{}/{}> ", position, micro, session.count())
                   : fmt::format("{}/{}> ", position, session.count());
}

int talk(scripting::Script& script, const std::shared_ptr<Session>& session) {
  scripting::Console console(script);
  const std::string folder = ui::state_folder();
  LineReader reader(folder.empty() ? "" : folder + "/repl_history", [&](const std::string& line) {
    const auto guesses = console.guess(line);
    return Completions{guesses.begin, guesses.names};
  });
  if (reader.at_terminal())
    fmt::print("{}\nover, into, back 3, continue, ? t[1,5] ... or Lua; help explains, Tab completes, quit ends.\n",
               place_text(*session));
  for (bool more = false;;) {
    const LineReader::Line line = reader.read(more ? "... " : prompt_of(*session));
    if (line.kind == LineReader::Line::Kind::End) break;
    if (line.kind == LineReader::Line::Kind::Cancelled) {
      console.forget();
      more = false;
      fmt::print("\n");
      continue;
    }
    const Moment before = session->moment();
    install_interrupt();  // so that one Ctrl+C while it works does not end it all
    const auto fed = console.feed(line.text);
    if (fed == scripting::Console::Fed::Quit) return console.quit_code();
    if (session->moment() != before || console.commanded()) fmt::print("{}\n", place_text(*session));
    more = fed == scripting::Console::Fed::More;
  }
  if (reader.at_terminal()) fmt::print("\n");
  return kOk;
}

// Of a case what its outputs are, and the session to where the first wrong value was made. False: an output and its
// golden cannot be compared, and stderr says why.
bool go_to_first_wrong(Session& session, const CaseRun& asked) {
  if (asked.goldens == nullptr || asked.goldens->empty() || interrupted()) return true;
  const auto results = check_goldens(session.shared_recording(), *asked.goldens, asked.arguments.tolerance);
  if (!results) return false;
  SourceTexts sources(asked.arguments.files.front(), asked.arguments.sources);
  print_goldens(stdout, session.recording(), *results, sources);
  if (const TracedValue* first = first_made(*results)) session.seek({*first->step + 1, 0});
  return true;
}

// The program's recording, or the one in a file; null: there is none, and stderr says why.
std::shared_ptr<Session> start(const RunArguments& given) {
  if (takes_recording(given)) {
    const std::optional<RecordingFile> file = open_saved(given);
    if (!file) return nullptr;
    print_findings(stdout, file->findings, *file->recording->program().tree->source, {});
    std::vector<std::string> lost;
    auto session = session_of(*file, lost);
    for (const std::string& text : lost) fmt::print(stderr, "tilescope: {}\n", text);
    return session;
  }
  const std::optional<CaseRun> asked = read_case(given);
  if (!asked) return nullptr;
  const RunArguments& arguments = asked->arguments;
  const std::optional<ProgramFile> file = open_file(arguments.files.front(), arguments);
  if (!file) return nullptr;
  print_diagnostics(file->diagnostics, *file->tree->source);
  if (has_error(file->diagnostics)) return nullptr;
  const std::vector<EntryPoint> entries = chosen_entries(*file, arguments);
  if (entries.empty()) return nullptr;
  std::optional<RecordedEntry> recorded = record_entry(*file, entries.front(), asked->request, arguments);
  if (!recorded) return nullptr;
  print_findings(stdout, recorded->recording->findings(), *file->tree->source, recorded->told);
  auto session = std::make_shared<Session>(std::move(recorded->recording));
  return go_to_first_wrong(*session, *asked) ? session : nullptr;
}

}  // namespace

int repl_command(const RunArguments& arguments) {
  install_interrupt();
  const std::shared_ptr<Session> session = start(arguments);
  if (session == nullptr) return interrupted() ? kLimit : kCannotRun;
  if (const auto refused = session->step_by_source(arguments.step_by == "source"))
    return fail(refused->text, refused->hint);
  install_interrupt();
  scripting::ScriptHost host = script_host(places_of_person());
  host.current = session;
  allow_kernels(host);
  scripting::SandboxLimits limits = person_limits();
  limits.stopped = interrupted;
  scripting::Script script(std::move(host), limits);
  script.run("rec = pto.current()", "start");
  return talk(script, session);
}

}  // namespace ts
