// The one table of commands: names, keys, help.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "app/settings/keys.h"
#include "app/window/commands/window_commands.h"
#include "app/window/dialogs/palette_search.h"
#include "scripting/binding/object_type.h"

using namespace ts;
using namespace ts::ui;

TEST_CASE("commands: names are said once, and every row has a title and a sentence") {
  std::set<std::string> names;
  for (const CommandRow* row : all_commands()) {
    CAPTURE(row->name);
    CHECK(names.insert(row->name).second);
    CHECK(std::string(row->title) != "");
    CHECK(std::ranges::find(menus(), std::string_view(row->menu), &Menu::name) != menus().end());
    const std::string help = row->help;
    CHECK(help.ends_with('.'));
    CHECK(find_any_command(row->name) == row);
  }
  CHECK(find_any_command("nothing") == nullptr);
}

TEST_CASE("commands: each can be reached, and something does it") {
  std::set<std::string> functions;
  for (const scripting::ObjectType* type : scripting::object_types())
    for (const scripting::Binding& row : type->bindings) functions.insert(std::string(row.called()));
  // Rows of the sheet that says how a program runs.
  const std::set<std::string> by_sheet{"setSetting", "bindArray", "chooseArray",
                                       "saveSetup",  "loadSetup", "deleteSetup"};
  for (const CommandRow* row : all_commands()) {
    CAPTURE(row->name);
    const bool by_hand = stands_alone(*row) || by_sheet.contains(row->name);  // menu, palette, keys
    const std::string name = row->name;
    CHECK((by_hand || functions.contains("gui." + name) || functions.contains("rec:" + name)));
    const int acts = (desk_act_of(*row) != nullptr ? 1 : 0) + (shell_act_of(*row) != nullptr ? 1 : 0) +
                     (pane_act_of(*row) != nullptr ? 1 : 0);
    CHECK((acts == 1 || (acts == 0 && row->run != nullptr)));
    // What may be left out stands last, so that the first that is missing is the end.
    CHECK(std::ranges::is_sorted(row->parameters, {}, &CommandParameter::given));
  }
}

TEST_CASE("commands: every key exists, reads back, and belongs to one command") {
  std::map<std::string, std::string> owners;
  for (const CommandRow* row : all_commands()) {
    if (*row->keys == 0) continue;
    CAPTURE(row->name);
    const auto chord = chord_from_name(row->keys);
    REQUIRE(chord.has_value());
    CHECK(name_of(*chord) == row->keys);
    CHECK_MESSAGE(owners.emplace(name_of(*chord), row->name).second, owners[name_of(*chord)]);
    CHECK(stands_alone(*row));
  }
}

TEST_CASE("keys: names and their kinds") {
  CHECK(chord_from_name("Ctrl+Shift+F11") == Chord{.key = 300, .ctrl = true, .shift = true});
  CHECK(chord_from_name("b") == chord_from_name("B"));
  for (const char* wrong : {"", "Ctrl+", "F0", "F25", "Fx", "Hyper+A", "AB", "Ctrl+Ctrl"}) {
    CAPTURE(wrong);
    CHECK_FALSE(chord_from_name(wrong).has_value());
  }
  // What a text field needs stays with it; function keys and keys with Ctrl act everywhere.
  for (const char* types : {"B", ",", "Space", "Left", "Enter", "Shift+A"}) CHECK(chord_from_name(types)->types());
  for (const char* acts : {"F10", "Shift+F10", "Ctrl+B", "Alt+Left"}) CHECK_FALSE(chord_from_name(acts)->types());
}

TEST_CASE("palette: places by what they are called") {
  const auto is = [](const std::string& text, const std::string& name, const std::vector<CommandValue>& values) {
    const Command command = place_command(text);
    CAPTURE(text);
    CHECK(command.name == name);
    CHECK(command.values == values);
  };
  is("@42", "seek", {std::int64_t{42}});
  is(" 42 ", "seek", {std::int64_t{42}});
  is("42.3", "seek", {std::int64_t{42}, std::int64_t{3}});
  is("t2[1,5]", "select", {std::string("t2"), std::int64_t{1}, std::int64_t{5}});
  is("%t2[1, 5]", "select", {std::string("t2"), std::int64_t{1}, std::int64_t{5}});
  is("t2[0x1,5]", "select", {std::string("t2"), std::int64_t{1}, std::int64_t{5}});
  is("ub+0x440", "selectAddress", {std::string("ub"), std::int64_t{0x440}});
  is("ub+16", "selectAddress", {std::string("ub"), std::int64_t{16}});
  for (const char* wrong : {"", "@", "t2[1", "t2[,]", "zz+0x10", "ub+", "99999999999999999999", "-1", "4.x"})
    is(wrong, "", {});
}
