// Opening a line in an editor: which one, and the words that start it.
#include "app/files/editor.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

namespace ts::test {
namespace {

using Words = std::vector<std::string>;

// On a machine that has these programs.
FindProgram machine_with(std::set<std::string> programs) {
  return [programs = std::move(programs)](const std::string& name) {
    return programs.contains(name) ? std::optional<std::string>("/usr/bin/" + name) : std::nullopt;
  };
}

Words words_for(const std::string& command, const std::string& file, const FindProgram& find) {
  const auto made = editor_words(command, file, 12, find);
  const auto* words = std::get_if<Words>(&made);
  return words != nullptr ? *words : Words{"refused: " + std::get<Refusal>(made).text};
}

}  // namespace

TEST_CASE("editor: a file's name is one word, whatever it is called") {
  const FindProgram find = machine_with({"code", "vim", "xterm"});
  for (const char* hostile : {"/k/a b.pto", "/k/$(touch x);`id` & \"q\" 'r'.pto", "/k/-c !sh.pto",
                              "/k/{line}{file}.pto", "/k/new\nline.pto", "/k/{terminal}"}) {
    CAPTURE(hostile);
    const std::string file = hostile;
    CHECK(words_for("code --goto {file}:{line}", file, find) == Words{"/usr/bin/code", "--goto", file + ":12"});
    CHECK(words_for("{terminal} vim +{line} {file}", file, find) == Words{"/usr/bin/xterm", "-e", "vim", "+12", file});
    // A command that names no file gets it as its last word.
    CHECK(words_for("vim", file, find) == Words{"/usr/bin/vim", file});
  }
  // A relative name can look like an option: it is not handed on as it is.
  const Words words = words_for("code {file}", "--install-extension", find);
  REQUIRE(words.size() == 2);
  CHECK(words[1].starts_with('/'));
  CHECK(words[1].ends_with("/--install-extension"));
}

TEST_CASE("editor: words of a command, and what is refused") {
  const FindProgram find = machine_with({"my editor", "vim"});
  CHECK(words_for("'my editor' \"--at {line}\" {file}", "/k.pto", find) ==
        Words{"/usr/bin/my editor", "--at 12", "/k.pto"});
  CHECK(words_for("/opt/ed {file} ; rm -rf / | x > y", "/k.pto", find) ==
        Words{"/opt/ed", "/k.pto", ";", "rm", "-rf", "/", "|", "x", ">", "y"});
  CHECK(words_for("code {file}", "/k.pto", find) == Words{"refused: there is no program code"});
  CHECK(words_for("{terminal} vim {file}", "/k.pto", find) ==
        Words{"refused: no terminal was found that the editor could run in"});
  CHECK(words_for("", "/k.pto", find) == Words{"refused: no editor is known here"});
}

TEST_CASE("editor: the usual one is what VISUAL or EDITOR say, or the first that is there") {
  const FindProgram find = machine_with({"vim", "emacs", "xterm"});
  CHECK(usual_editor(find, "code", "vim") == "code --goto {file}:{line}");
  CHECK(usual_editor(find, "", "/usr/bin/emacs") == "emacs +{line} {file}");
  CHECK(usual_editor(find, nullptr, "joe -nobackups") == "{terminal} joe -nobackups +{line} {file}");
  CHECK(usual_editor(find, nullptr, nullptr) == "emacs +{line} {file}");
  CHECK(usual_editor(machine_with({}), nullptr, nullptr).empty());
  for (const EditorRow& row : editors()) {
    CAPTURE(row.name);
    const Words words = words_for(row.command, "/k.pto", machine_with({row.program, "x-terminal-emulator"}));
    CHECK(words.size() >= 2);
    CHECK_FALSE(words[0].starts_with("refused"));
    CHECK(std::string(row.command).find("{line}") != std::string::npos);
  }
}

}  // namespace ts::test
