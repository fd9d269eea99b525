// The rows of bindings: each says all of itself, its example runs, and what is misspelt or misused is told.
#include "scripting/binding/object_type.h"

#include <doctest/doctest.h>

#include <set>

#include "scripting/binding/docs.h"
#include "scripting/binding/signature.h"
#include "tests/support/scripting/run_script.h"

namespace ts::test {
namespace {

using scripting::Binding;
using scripting::ObjectType;
using scripting::Signature;

const std::set<std::string_view> kKeywords{"and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
                                           "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
                                           "repeat",   "return", "then", "true", "until",  "while"};

}  // namespace

TEST_CASE("lua rows: each has name, signature, help and example") {
  for (const ObjectType* type : scripting::object_types()) {
    CAPTURE(type->name);
    CHECK(!type->help.empty());
    for (const Binding& row : type->bindings) {
      CAPTURE(row.name);
      CHECK(bool(row.function));
      CHECK(!row.help.empty());
      CHECK(row.help.ends_with('.'));
      CHECK(!row.example.empty());
      const Signature signature = scripting::parse_signature(row.signature);
      CHECK(signature.owner == type->owner);
      CHECK(signature.name == row.name);
      CHECK(signature.callable == (row.kind != Binding::Kind::Field));
      CHECK(signature.separator == (row.kind == Binding::Kind::Method ? ':' : '.'));
      if (row.kind == Binding::Kind::Field) CHECK(!signature.result.empty());
      if (type->is_table) CHECK(row.kind != Binding::Kind::Method);
    }
  }
}

TEST_CASE("lua rows: each type has a place of its own in the manual") {
  CHECK(!scripting::ListedType::has_equal_places());
}

TEST_CASE("lua rows: names are unique and no keywords of Lua") {
  std::set<std::string_view> types;
  for (const ObjectType* type : scripting::object_types()) {
    CHECK(types.insert(type->name).second);
    std::set<std::string_view> names;
    for (const Binding& row : type->bindings) {
      CAPTURE(row.name);
      CHECK(names.insert(row.name).second);
      CHECK(!kKeywords.contains(row.name));
    }
  }
}

TEST_CASE("lua rows: every example runs and passes") {
  for (const ObjectType* type : scripting::object_types()) {
    for (const Binding& row : type->bindings) {
      const ScriptRun run = run_script(row.example);
      CAPTURE(row.signature);
      CAPTURE(run.complained);
      CHECK(run.status == 0);
    }
  }
}

TEST_CASE("lua rows: signatures taken apart") {
  const Signature seek =
      scripting::parse_signature("rec:seek(position: integer, micro?: table<string, integer>, ...) -> rec | nil");
  CHECK(seek.owner == "rec");
  CHECK(seek.name == "seek");
  CHECK(seek.separator == ':');
  CHECK(seek.any_number);
  REQUIRE(seek.parameters.size() == 2);
  CHECK(seek.parameters[1].name == "micro");
  CHECK(seek.parameters[1].type == "table<string, integer>");
  CHECK(seek.parameters[1].optional);
  CHECK(seek.result == "rec | nil");
  const Signature options = scripting::parse_signature("rec:find{op=, nth=} -> function");
  REQUIRE(options.parameters.size() == 1);
  CHECK(options.parameters[0].name == "options");
  CHECK(options.result == "function");
  CHECK(!scripting::parse_signature("rec.pos -> integer").callable);
  CHECK(scripting::parse_signature("pto.on.write -> string").owner == "pto.on");
}

TEST_CASE("lua: names that are not there are told, with what is near") {
  CHECK(script_error("pto.hlep()") == "pto has no 'hlep'; did you mean help?");
  CHECK(script_error("pto.on.wriet = 1") == "a pto.on can only be read; the text 'wriet' cannot be set");
  CHECK(script_error("local x = pto.rng(1).zzzzzz") == "rng has no 'zzzzzz' (pto.help('rng') lists what it has)");
  CHECK(script_error("local x = pto[7]") == "pto has no the number 7 (pto.help('pto') lists what it has)");
}

TEST_CASE("lua: arguments are checked by name") {
  CHECK(script_error("pto.rng('x')") == "pto.rng: seed: wanted an integer, got the text 'x'");
  CHECK(script_error("pto.rng(1.5)") == "pto.rng: seed: wanted an integer, got the number 1.5");
  CHECK(script_error("pto.rng()") == "pto.rng: seed: wanted an integer, got nothing");
  CHECK(script_error("pto.rng(1, 2)") == "pto.rng: takes 1 argument, got 2 (pto.rng(seed: integer) -> rng)");
  CHECK(script_error("pto.rng(1).int(1, 6)") ==
        "rng:int is asked of a rng, not of the number 1 (with a colon: rng:int(least: integer, most: integer) -> "
        "integer)");
  CHECK(script_error("pto.rng(1):int(6, 1)") == "rng:int: no integer lies from 6 to 1");
  CHECK(script_error("pto.nextTick(3)") == "pto.nextTick: action: wanted a function, got the number 3");
  CHECK(script_error("pto.quit(256)") == "pto.quit: code: wanted an integer from 0 to 255, got the number 256");
}

TEST_CASE("lua: metatables are out of reach") {
  CHECK(run_script("assert(getmetatable(pto) == 'pto') assert(not pcall(setmetatable, pto, {}))").status == 0);
}

TEST_CASE("lua docs: help, manual and stubs come from the rows") {
  CHECK(scripting::help_text("rng:int")->starts_with(
      "rng:int(least: integer, most: integer) -> integer\nAn integer from"));
  CHECK(scripting::help_text("rng")->find("rng:real() -> number") != std::string::npos);
  CHECK(scripting::help_text("")->find("pto.on") != std::string::npos);
  CHECK(!scripting::help_text("nothing"));
  const std::string stubs = scripting::editor_stubs();
  CHECK(stubs.find("---@class rng\n") != std::string::npos);
  CHECK(stubs.find(
            "---@param least integer\n---@param most integer\n---@return integer\nfunction rng:int(least, most) end") !=
        std::string::npos);
  CHECK(stubs.find("---@field available boolean Whether there is a window.") != std::string::npos);
  CHECK(scripting::manual_pages().size() == scripting::object_types().size());
}

}  // namespace ts::test
