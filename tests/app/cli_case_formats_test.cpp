// Cases in each format: a wrong value leads to the same place; what raw bytes are said to hold; the sources that come along.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "core/data/array_file.h"
#include "core/data/checksum.h"
#include "tests/support/process/case_folder.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/python.h"

namespace ts::test {
namespace {

namespace fs = std::filesystem;

// In place of its .npy file.
void make_raw(const CaseFolder& folder, const std::string& name) {
  const auto array = std::get<data::Array>(data::read_array(folder / (name + ".npy")));
  put_text(folder / (name + ".bin"), {reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()});
  folder.without(name + ".npy");
}

void make_npz(const CaseFolder& folder, const std::string& python) {
  const char* const script =
      "import numpy, sys\nd = sys.argv[1]\nload = lambda n: numpy.load(d + '/' + n)\n"
      "numpy.savez_compressed(d + '/all.npz', x=load('x.npy'), y=load('y.npy'), golden_z=load('golden_z.npy'))\n";
  REQUIRE(run_process({python, "-c", script, folder.path()}).status == 0);
  for (const char* name : {"x.npy", "y.npy", "golden_z.npy"}) folder.without(name);
}

// The one wrong element of `wrong_golden`, on both targets.
void check_leads_there(const CaseFolder& folder, const std::vector<std::string>& more = {}) {
  for (const char* target : {"a5", "a2a3"}) {
    std::vector<std::string> command{"run", folder.path(), "--golden", "--target", target};
    command.insert(command.end(), more.begin(), more.end());
    const ProcessResult result = tilescope(command);
    CAPTURE(target);
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(result.status == kStopped);
    CHECK(has(result.out, "%z: 1 of 4096 elements is wrong (f32"));
    CHECK(has(result.out, "  first   [54,3]: "));
    CHECK(has(result.out, "  step    26 tadd, turn [48]: %c[6,3]; brought there by step 27 tstore"));
    CHECK(has(result.out, "  line    20: pto.tadd"));
    CHECK(has(result.out, "  source  add.py:3: z[row] = x[row] + y[row]"));
  }
}

ProcessResult run_case(const TempFolder& folder, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"run", folder.path(), "--golden"});
  return tilescope(more);
}

}  // namespace

TEST_CASE("case formats: one wrong element of the 7th turn, in .npy, raw bytes and .npz, leads to its step and line") {
  const CaseFolder npy(wrong_golden());
  check_leads_there(npy);
  npy.without("case.json");
  check_leads_there(npy, {"--set", "rows=64"});
  const CaseFolder raw(wrong_golden());
  for (const char* name : {"x", "y", "golden_z"}) make_raw(raw, name);
  raw.manifest(R"({"inputs": {"x": {"file": "x.bin", "type": "f32", "shape": [64, 64]}, "y": "y.bin", "rows": 64},
                   "goldens": {"z": {"file": "golden_z.bin", "type": "f32"}}})");
  check_leads_there(raw);
  raw.without("case.json");
  check_leads_there(raw, {"--set", "rows=64", "--raw", "x=f32:64x64", "--raw", "z=f32:64x64"});
  const std::string python = python_with_numpy();
  if (python.empty()) {
    MESSAGE("skipped: no python3 with numpy here");
    return;
  }
  const CaseFolder npz(wrong_golden());
  make_npz(npz, python);
  npz.manifest(R"({"inputs": {"x": "all.npz:x", "y": "all.npz:y", "rows": 64}, "goldens": {"z": "all.npz:golden_z"}})");
  check_leads_there(npz);
  npz.without("case.json");
  check_leads_there(npz, {"--set", "rows=64"});
}

TEST_CASE("case formats: what --raw says of a case's own file goes before the case") {
  const CaseFolder folder;
  for (const char* name : {"x", "golden_z"}) make_raw(folder, name);
  folder.manifest(R"({"inputs": {"x": {"file": "x.bin", "type": "f16"}, "y": "y.npy", "rows": 64},
                      "goldens": {"z": {"file": "golden_z.bin", "type": "i32"}}})");
  CHECK(run_case(folder).status == kCannotRun);
  const ProcessResult right = run_case(folder, {"--raw", "x=f32:64x64", "--raw", "%z=f32"});
  CAPTURE(right.err);
  CHECK(right.status == kOk);
  folder.manifest(R"({"inputs": {"x": "x.bin", "y": "y.npy", "rows": 64}, "goldens": {"z": "golden_z.bin"}})");
  const auto refused = [&](const std::string& said, std::string_view text) {
    const ProcessResult result = run_case(folder, {"--raw", "x=f32", "--raw", said});
    CAPTURE(result.err);
    CHECK(result.status == kCannotRun);
    CHECK(has(result.err, text));
  };
  refused("z=f16:64x64", "golden_z.bin: has 8192 elements of f16 in 16384 bytes, 64x64 takes 4096");
  refused("z=i32", "golden_z.bin: holds i4, %z is f32");
  refused("y=f16", "/y.npy: holds f4, and f16 is said of it");
  refused("q=f32", "a type is said of %q, and there is no array for it");
  refused("z=f31", "--raw z=f31: wanted TYPE or TYPE:ROWSxCOLUMNS");
}

TEST_CASE("case formats: a source has changed where its content has, and by its time only where nobody kept a sum") {
  const CaseFolder folder(wrong_golden());
  const auto is_marked = [&] { return has(run_case(folder).out, "(the file changed since)"); };
  const auto with_sum = [&](const std::string& text) {
    const std::string sum = data::checksum_of({reinterpret_cast<const std::byte*>(text.data()), text.size()});
    folder.manifest(fmt::format(R"({{"inputs": {{"x": "x.npy", "y": "y.npy", "rows": 64}},
                                    "goldens": {{"z": "golden_z.npy"}}, "sources": {{"add.py": "{}"}}}})",
                                sum));
  };
  const auto made = fs::last_write_time(folder / "add.pto");
  fs::last_write_time(folder / "add.py", made + std::chrono::hours(1));
  CHECK(is_marked());  // nobody kept a sum: it is newer
  with_sum(kCasePython);
  CHECK(!is_marked());  // newer, and the same: copied, or checked out anew
  with_sum("def add(x, y):\n");
  CHECK(is_marked());
  fs::last_write_time(folder / "add.py", made - std::chrono::hours(1));
  CHECK(is_marked());  // older, and another one
  const nlohmann::json json = json_of(run_case(folder, {"--json"}));
  CHECK(json["goldens"][0]["source"][0]["changed"] == true);
  CHECK(json["goldens"][0]["source"][0]["text"] == "z[row] = x[row] + y[row]");
  folder.manifest(R"({"sources": {"add.py": 7}})");
  CHECK(has(run_case(folder).err, "sources.add.py: wanted the sum of the file"));
}

TEST_CASE("case formats: a recording keeps the sums of its sources, and is shown by them wherever it is opened") {
  const CaseFolder folder;
  const std::string file = folder / "k.ptorec", saved_again = folder / "again.ptorec";
  const auto made = fs::last_write_time(folder / "add.pto");
  fs::last_write_time(folder / "add.py", made - std::chrono::hours(1));
  const auto record = [&] { REQUIRE(tilescope({"run", folder.path(), "--record", file}).status == kOk); };
  const auto is_marked = [&](const std::string& path) {
    const std::string by_lines = tilescope({"run", path, "--step-by", "source"}).out;
    CHECK(has(by_lines, "z[row] = x[row] + y[row]"));
    const bool why = has(tilescope({"why", path, "z[9,3]"}).out, "(the file changed since)");
    const nlohmann::json json = json_of(tilescope({"run", path, "--step-by", "source", "--json"}));
    bool listed = false;
    for (const nlohmann::json& visit : json["visits"])
      for (const nlohmann::json& line : visit["source"]) listed = listed || line["changed"] == true;
    CHECK(why == listed);
    CHECK(why == has(by_lines, "(changed since)"));
    return why;
  };
  record();
  fs::last_write_time(folder / "add.py", made + std::chrono::hours(1));
  CHECK_FALSE(is_marked(file));  // newer, and the same
  const std::string other = std::string("# one line more behind it\n").insert(0, kCasePython);
  put_text(folder / "add.py", other);
  fs::last_write_time(folder / "add.py", made - std::chrono::hours(1));
  CHECK(is_marked(file));  // older, and another one
  REQUIRE(tilescope({"run", file, "--record", saved_again}).status == kOk);
  CHECK(is_marked(saved_again));  // the sums go along
  fs::last_write_time(folder / "add.py", fs::last_write_time(folder / "add.pto") + std::chrono::hours(1));
  record();  // had changed before: nobody knows what it was, and that does not get better by waiting
  fs::last_write_time(folder / "add.py", made - std::chrono::hours(1));
  CHECK(is_marked(file));
}

TEST_CASE("case formats: the Python script copies the sources, so that nobody has to say where they are") {
  const std::string python = python_with_numpy();
  if (python.empty()) {
    MESSAGE("skipped: no python3 with numpy here");
    return;
  }
  const CaseFolder from(wrong_golden());
  const TempFolder elsewhere, target;
  std::string text = add_text();
  text.replace(text.find("\"add.py\""), 8, "\"/home/nobody/kernels/add.py\"");
  put_text(from / "add.pto", text);
  fs::create_directory(elsewhere / "kernels");
  fs::rename(from / "add.py", elsewhere / "kernels/add.py");
  const char* const script = R"(
import sys, numpy
sys.path.insert(0, "assets/python")
sys.dont_write_bytecode = True
from write_case import write_case
d, e, t = sys.argv[1:]
load = lambda name: numpy.load(d + "/" + name)
write_case(t + "/case", d + "/add.pto", {"x": load("x.npy"), "y": load("y.npy"), "rows": 64}, {"z": load("golden_z.npy")},
           sources=[e])
write_case(t + "/none", d + "/add.pto", {"x": load("x.npy"), "y": load("y.npy"), "rows": 64}, {"z": load("golden_z.npy")})
)";
  const ProcessResult made = run_process({python, "-c", script, from.path(), elsewhere.path(), target.path()});
  REQUIRE_MESSAGE(made.status == 0, made.err);
  const nlohmann::json manifest = nlohmann::json::parse(get_text(target / "case/case.json"));
  const std::string source = get_text(target / "case/add.py");
  CHECK(source == kCasePython);
  CHECK(manifest["sources"]["add.py"] ==
        data::checksum_of({reinterpret_cast<const std::byte*>(source.data()), source.size()}));
  fs::remove_all(elsewhere / "kernels");
  const ProcessResult run = tilescope({"run", target / "case", "--golden"});
  CAPTURE(run.err);
  CHECK(has(run.out, "  source  /home/nobody/kernels/add.py:3: z[row] = x[row] + y[row]\n"));
  const ProcessResult without = tilescope({"run", target / "none", "--golden"});
  CHECK(without.status == kStopped);
  CHECK(has(without.out, "  source  /home/nobody/kernels/add.py:3\n"));
}

}  // namespace ts::test
