// why on the command line, and the page for scripts and agents: its commands give what it says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

struct WhyFolder : TempFolder {
  WhyFolder() { put_text(*this / "k.pto", kAddRows); }
  ProcessResult why(const std::string& element, std::vector<std::string> more = {}) const {
    std::vector<std::string> command{"why", *this / "k.pto", element, "--set", "rows=16"};
    command.insert(command.end(), more.begin(), more.end());
    return tilescope(command);
  }
};

// The commands in the table of the page.
std::vector<std::string> commands_of_page(const std::string& page) {
  static const std::regex kCommand("\\| `(tilescope [^`]*--json)` \\|");
  std::vector<std::string> found;
  for (std::sregex_iterator at(page.begin(), page.end(), kCommand), end; at != end; ++at) found.push_back((*at)[1]);
  return found;
}

// The names in backquotes of the row's last column, up to a bracket.
std::vector<std::string> fields_of(const std::string& page, const std::string& command) {
  const std::size_t at = page.find("`" + command + "` |") + command.size() + 4;
  const std::string cell = page.substr(at, page.find('\n', at) - at);
  static const std::regex kField("`([a-z_]+)");
  std::vector<std::string> found;
  for (std::sregex_iterator field(cell.begin(), cell.end(), kField), end; field != end; ++field)
    found.push_back((*field)[1]);
  return found;
}

}  // namespace

TEST_CASE("cli why: the step that computed a value, and what it came from, on both targets") {
  const WhyFolder folder;
  for (const char* target : {"a5", "a2a3"}) {
    CAPTURE(target);
    const ProcessResult result = folder.why("z[9,3]", {"--target", target});
    CAPTURE(result.out);
    CHECK(result.status == kOk);
    CHECK(result.out.starts_with("%z[9,3] = "));
    CHECK(has(result.out, "  step    6 tadd, turn [8]: %c[1,3]; brought there by step 7 tstore"));
    CHECK(has(result.out, "  line    20: pto.tadd"));
    CHECK(has(result.out, "  inputs  %x[9,3] = "));
    CHECK(has(result.out, "; %y[9,3] = "));
    CHECK(has(result.out, "  made    from %a[1,3] = "));
    CHECK(has(result.out, "from %b[1,3] = "));
  }
}

TEST_CASE("cli why: as JSON, after a step, of an input and of what nobody wrote") {
  const WhyFolder folder;
  const nlohmann::json json = json_of(folder.why("z[9,3]", {"--json"}));
  CHECK(json["step"] == 6);
  CHECK(json["stored"] == 7);
  CHECK(json["element"] == "%c[1,3]");
  CHECK(json["made_of"].size() == 2);
  CHECK(json["made_of"][0]["name"] == "%a");
  CHECK(json["inputs"][1]["name"] == "y");
  const nlohmann::json before = json_of(folder.why("z[9,3]", {"--json", "--step", "3"}));
  CHECK(before["defined"] == false);
  CHECK(before["step"].is_null());
  CHECK(before["position"] == 4);
  CHECK(has(folder.why("z[9,3]", {"--step", "3"}).out, "%z[9,3] = never written\n  step    none: no step wrote it"));
  CHECK(has(folder.why("x[0,0]").out, "none: no step wrote it"));
  CHECK(json_of(folder.why("a[0,0]", {"--json", "--step", "0"}))["only_moved"] == true);
}

TEST_CASE("cli why: what is no element") {
  const WhyFolder folder;
  const auto refused = [&](const ProcessResult& result, std::string_view text, std::string_view hint) {
    CAPTURE(result.err);
    CHECK(result.status == kCannotRun);
    CHECK(has(result.err, text));
    CHECK(has(result.err, hint));
  };
  refused(folder.why("z"), "z: wanted NAME[ROW,COLUMN]", "quotes");
  refused(folder.why("q[0,0]"), "add has no buffer or tile q", "it has a, b, c, x, y, z");
  refused(folder.why("z[16,0]"), "z[16,0]: %z is 16x64", "count from 0");
  refused(folder.why("z[0,0]", {"--step", "8"}), "--step 8: the run has 8 steps", "");
  CHECK(tilescope({"why", folder / "none.pto", "z[0,0]"}).status == kCannotRun);
  REQUIRE(tilescope({"run", folder / "k.pto", "--set", "rows=16", "--record", folder / "k.ptorec"}).status == kOk);
  CHECK(has(tilescope({"why", folder / "k.ptorec", "z[9,3]"}).out, "  step    6 tadd"));
}

TEST_CASE("agents: every command of the page gives the fields that it names") {
  const TempFolder folder;
  put_text(folder / "k.pto", kAddRows);
  const std::string page = get_text("assets/agents/README.md");
  const auto commands = commands_of_page(page);
  REQUIRE(commands.size() >= 8);
  const auto put = [](std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    return at == text.npos ? text : text.replace(at, what.size(), by);
  };
  for (const std::string& command : commands) {
    if (has(command, " CASE ")) continue;  // cli_case_test asks for all of that
    CAPTURE(command);
    std::string line = put(put(command, "DIR", folder.path()), "FILE OTHER", "row_loop row_loop");
    line = put(put(line, "'NAME[ROW,COLUMN]'", "y_even[0,0]"), "NAME@LINE", "y_even@45");
    line = put(line, "FILE", has(command, "--step-by") ? "from_python" : "row_loop");
    std::vector<std::string> words;
    std::istringstream text(line.substr(std::string("tilescope ").size()));
    for (std::string word; text >> word;) words.push_back(word);
    const ProcessResult result = tilescope(words);
    CHECK(result.status != kCannotRun);
    const nlohmann::json json = json_of(result);
    CHECK(!json.is_null());
    if (json.is_object())
      for (const std::string& field : fields_of(page, command)) {
        const auto in_first = [&](const char* list) { return json.contains(list) && json[list][0].contains(field); };
        const bool there = json.contains(field) || in_first("steps") || in_first("visits") || in_first("printed");
        CHECK_MESSAGE(there, field);
      }
  }
}

}  // namespace ts::test
