// The Check menu.
#include <fmt/format.h>

#include "app/window/commands/rows.h"
#include "app/window/shell/shell.h"

namespace ts::ui {
namespace {

void check_now(Desk& desk, const Command&) {
  if (desk.view().recording() == nullptr)
    return desk.tell("nothing runs that could be checked", "open a program first");
  desk.checks().check_now();
}

void check_by_itself(Desk& desk, const Command& command) {
  const Checking& now = desk.view().checking();
  desk.checks().set(command.number(0, now.automatic ? 0 : 1) != 0, now.options);
}

void show_levels(Shell& shell, const Command&) {
  shell.show_pane("findings");
  if (Pane* pane = shell.panes().find("findings")) pane->act({"levels"}, shell.desk().view(), shell.queue());
}

void check_level(Desk& desk, const Command& command) {
  CheckOptions options = desk.view().checking().options;
  const auto kind = find_finding_kind(command.text(0));
  const auto level = find_level(command.text(1));
  if (!kind || !level)
    return desk.tell(fmt::format("{} cannot be {}", command.text(0), command.text(1)),
                     "a kind such as nan, and off, note, warn, error or own", true);
  options.set(*kind, *level);
  desk.checks().set(desk.view().checking().automatic, options);
}

void usual_levels(Desk& desk, const Command&) { desk.checks().set(desk.view().checking().automatic, {}); }

}  // namespace

std::vector<CommandRow> check_rows() {
  // clang-format off
  return {
      {.name = "checkNow", .menu = "Check", .title = "Check now", .words = "lint, analyse, verify, validate",
       .help = "Looks through the whole recording for what is wrong in it.",
       .act = DeskAct{check_now}},
      {.name = "checkByItself", .menu = "Check", .title = "Check every program that is opened",
       .help = "Turns the looking for findings after every opening on or off.",
       .parameters = {{"on", kFlag, kMaybe}},
       .act = DeskAct{check_by_itself}},
      {.name = "findings", .menu = "Check", .title = "Findings", .words = "errors, problems, warnings, issues",
       .help = "Shows the list of what was found.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.show_pane("findings"); }}},
      {.name = "levels", .menu = "Check", .title = "Levels...", .words = "severity, warnings as errors, disable check",
       .help = "What is looked for, and how grave it is.",
       .act = ShellAct{show_levels}},
      {.name = "checkLevel", .menu = "Check", .title = "Level of a kind",
       .help = "How grave findings of a kind are.",
       .parameters = {{"kind", kText}, {"level", kText}},
       .act = DeskAct{check_level}},
      {.name = "usualLevels", .menu = "Check", .title = "Usual levels",
       .help = "All kinds as grave as they are at first.",
       .act = DeskAct{usual_levels}},
      {.name = "showFinding", .menu = "Check", .title = "Go to a finding",
       .help = "Goes to a finding by its number in the list.",
       .parameters = {{"index", kInteger}},
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.checks().show_finding(command.count(0)); }}},
  };
  // clang-format on
}

}  // namespace ts::ui
