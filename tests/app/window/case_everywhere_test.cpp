// A case's folder wherever a program may be named: compared, run on both targets, typed at, loaded by scripts, dropped on
// the window. One piece opens it, so what is wrong with one is said in the same words everywhere.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/process/case_folder.h"
#include "tests/support/process/cli.h"
#include "tests/support/window/open_desk.h"

namespace ts::test {
namespace {

namespace fs = std::filesystem;

std::string loaded(const std::string& name, const std::string& options = "{}") {
  return fmt::format("local prog = pto.load([[{}]], {})\nlocal rec = prog:record()\n", name, options);
}

ProcessResult script_of(const TempFolder& folder, const std::string& text) {
  put_text(folder / "test.lua", text);
  return tilescope({"script", folder / "test.lua"});
}

void check_ok(const ProcessResult& result) {
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.status == kOk);
}

}  // namespace

TEST_CASE("case everywhere: compare takes it, and gives its arrays to a program beside it") {
  const CaseFolder folder, other;
  check_ok(tilescope({"compare", folder.path(), other.path()}));
  check_ok(tilescope({"compare", folder.path(), folder / "add.pto"}));
  check_ok(tilescope({"compare", folder / "add.pto", folder.path()}));
  check_ok(tilescope({"compare", folder.path(), other / "add.pto"}));
  std::vector<float> odd = case_x();
  odd[0] += 1;
  put_case_array(other / "x.npy", odd);
  const ProcessResult differs = tilescope({"compare", folder.path(), other.path(), "--json"});
  CHECK(differs.status == kStopped);
  CHECK(json_of(differs)["same"] == false);
  check_ok(tilescope({"compare", folder.path(), folder / "golden_z.npy", "--tile", "z"}));
  CHECK(tilescope({"compare", folder.path(), folder / "x.npy", "--tile", "z"}).status == kStopped);
}

TEST_CASE("case everywhere: lockstep takes it, also where it names a target") {
  const CaseFolder folder;
  for (const char* target : {"", R"("target": "a5", )"}) {
    folder.manifest(fmt::format(R"({{{}"inputs": {{"x": "x.npy", "y": "y.npy", "rows": 64}}}})", target));
    const ProcessResult same = tilescope({"lockstep", folder.path()});
    check_ok(same);
    CHECK(has(same.out, "32 steps compared"));  // 8 turns: the number of rows is the case's
  }
  CHECK(tilescope({"lockstep", folder.path(), "--target", "a5"}).status == kCannotRun);
}

TEST_CASE("case everywhere: repl says how the outputs are, and stands where the first wrong value was made") {
  const CaseFolder right;
  const ProcessResult all = tilescope_fed({"repl", right.path()}, "print(rec.pos)\n");
  check_ok(all);
  CHECK(has(all.out, "%z: all 4096 elements are right"));
  CHECK(has(all.out, "\n0\n"));
  const CaseFolder wrong(wrong_golden());
  const ProcessResult one = tilescope_fed({"repl", wrong.path(), "--target", "a5"}, "print(rec.pos)\n");
  check_ok(one);
  CHECK(has(one.out, "%z: 1 of 4096 elements is wrong"));
  CHECK(has(one.out, "  source  add.py:3: z[row] = x[row] + y[row]"));
  CHECK(has(one.out, "\n27\n"));
}

TEST_CASE("case everywhere: scripts load it with its arrays, entry, target and goldens") {
  const CaseFolder folder(wrong_golden());
  folder.manifest(R"({"target": "a5", "entry": "add", "options": {"strict": "on"},
                      "inputs": {"x": "x.npy", "y": "y.npy", "rows": 64}, "goldens": {"z": "golden_z.npy"}})");
  check_ok(script_of(folder, loaded(folder.path()) + R"(
assert(prog.target == "a5" and rec.count == 32)
local d = pto.compare(rec:buffer("z", {step=rec.count}), prog.goldens.z, {rel=1e-4})
assert(d.count == 1 and d.first.row == 54 and d.first.col == 3, tostring(d))
)"));
  // Beside the script, by its name; what the script says goes before the case.
  const TempFolder outer;
  fs::copy(folder.path(), outer / "case");
  check_ok(script_of(outer, loaded("case", R"({target="a2a3", inputs={x=pto.npy("case/y.npy")}})") + R"(
assert(prog.target == "a2a3")
assert(rec:buffer("z", {step=rec.count}):get(0, 1) == 2 * rec:buffer("y"):get(0, 1))
)"));
  check_ok(script_of(outer, "assert(pto.lockstep('case', {'a2a3', 'a5'}) == nil)\n"));
  // A case that no script may read.
  const ProcessResult elsewhere = script_of(outer, loaded(folder.path()));
  CHECK(elsewhere.status == kScriptError);
  CHECK(has(elsewhere.err, "a script reads below its own folder only"));
}

TEST_CASE("case everywhere: a folder dropped on the window opens as a case") {
  const CaseFolder folder(wrong_golden());
  OpenDesk f;
  f.open(folder.path());
  CAPTURE(f.last_notice());
  REQUIRE(f.view().recording() != nullptr);
  CHECK(f.view().recording()->count() == 32);
  CHECK(f.view().document()->path == folder / "add.pto");
  CHECK(f.position() == 27);
  CHECK(f.selected() == "c[6,3]");
  CHECK(f.desk.launch().name == folder / "add.pto");
  CHECK(f.desk.launch().array_files.at("x") == folder / "x.npy");
  // The same program on the other target, and beside another case: each with what it has to be run with.
  f.give("compareTargets");
  REQUIRE(f.view().against() != nullptr);
  CHECK(f.view().against()->found.same());
  const CaseFolder other;
  std::vector<float> odd = case_x();
  odd[0] += 1;
  put_case_array(other / "x.npy", odd);
  f.give("compareWith", {other.path()});
  REQUIRE(f.view().against() != nullptr);
  CHECK(!f.view().against()->found.same());
  f.desk.reload();
  f.settle();
  CHECK(f.position() == 27);
}

TEST_CASE("case everywhere: what is wrong with one is said in the same words") {
  const CaseFolder folder;
  const auto same_everywhere = [&](const std::string& text) {
    CAPTURE(text);
    for (const std::vector<std::string>& command : {std::vector<std::string>{"run", folder.path()},
                                                    {"check", folder.path()},
                                                    {"why", folder.path(), "z[0,0]"},
                                                    {"compare", folder.path(), "row_loop"},
                                                    {"compare", "row_loop", folder.path()},
                                                    {"lockstep", folder.path()},
                                                    {"repl", folder.path()}}) {
      CAPTURE(command.front());
      const ProcessResult result = tilescope(command);
      CAPTURE(result.err);
      CHECK(result.status == kCannotRun);
      CHECK(has(result.err, text));
    }
    const ProcessResult script = script_of(folder, loaded(folder.path()));
    CAPTURE(script.err);
    CHECK(script.status == kScriptError);
    CHECK(has(script.err, text));
    OpenDesk f;
    f.open(folder.path());
    CHECK(f.view().document() == nullptr);
    CHECK(has(f.last_notice(), text));
  };
  folder.manifest(R"({"inputs": {"x": "x.npy", "rows": 64}})");
  same_everywhere("no array for %y, which add reads");
  folder.manifest(R"({"inputs": {"x": "none.npy"}})");
  same_everywhere("/none.npy: there is no such file");
  folder.manifest(R"({"entry": "mul"})");
  same_everywhere("no entry point is called mul");
  folder.manifest(R"({"options": {"stricter": "on"}})");
  same_everywhere("options.stricter: there is no such option");
  folder.manifest(R"({"options": {"strict": "perhaps"}})");
  same_everywhere("options.strict: wanted ");
  folder.manifest(R"({"program": "../add.pto"})");
  same_everywhere("add.pto");
  std::string two = add_text();
  two.insert(two.rfind('}'), "  func.func @second(%p: !pto.ptr<f32>) {\n    return\n  }\n");
  put_text(folder / "add.pto", two);
  folder.manifest(R"({"inputs": {"x": "x.npy", "y": "y.npy", "rows": 64}})");
  same_everywhere("has 2 entry points; which one are the arrays for?");
  folder.without("case.json");
  folder.without("add.pto");
  same_everywhere("is a folder without a .pto file");
}

TEST_CASE("case everywhere: the command line's number of blocks goes before the case's") {
  const CaseFolder folder;
  folder.manifest(R"({"blocks": 2, "inputs": {"x": "x.npy", "y": "y.npy", "rows": 64}})");
  CHECK(json_of(tilescope({"run", folder.path(), "--json"}))["steps"].back()["block"] == 1);
  CHECK(json_of(tilescope({"run", folder.path(), "--blocks", "1", "--json"}))["steps"].back()["block"] == 0);
}

}  // namespace ts::test
