// Cases on the command line: a program, its arrays and its goldens in a folder, right and wrong.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "core/cases/manifest.h"
#include "core/data/array_file.h"
#include "core/data/npy.h"
#include "tests/support/process/case_folder.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/python.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

namespace fs = std::filesystem;

ProcessResult run_golden(const TempFolder& folder, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"run", folder.path(), "--golden"});
  return tilescope(std::move(more));
}

void check_refused(const ProcessResult& result, std::string_view text, std::string_view hint) {
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.status == kCannotRun);
  CHECK(has(result.err, text));
  CHECK(has(result.err, hint));
}

void check_right(const ProcessResult& result) {
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.status == kOk);
  CHECK(has(result.out, "%z: all 4096 elements are right (f32, within 0.0001 absolute or 0.0001 relative)"));
}

}  // namespace

TEST_CASE("cli case: a right one, on both targets") {
  const CaseFolder folder;
  for (const char* target : {"a5", "a2a3"}) check_right(run_golden(folder, {"--target", target}));
  const ProcessResult report = tilescope({"run", folder.path()});
  CHECK(report.status == kOk);
  CHECK(has(report.out, "add on a2a3: 32 steps"));
  CHECK(has(report.out, "%z: all 4096 elements are right"));
}

TEST_CASE("cli case: a wrong element of the 7th turn leads to its step, its lines and its inputs") {
  const CaseFolder folder(wrong_golden());
  for (const char* target : {"a5", "a2a3"}) {
    CAPTURE(target);
    const ProcessResult result = run_golden(folder, {"--target", target});
    CAPTURE(result.out);
    CHECK(result.status == kStopped);
    CHECK(has(result.out, "%z: 1 of 4096 elements is wrong"));
    CHECK(has(result.out, "  first   [54,3]: "));
    CHECK(has(result.out, "  step    26 tadd, turn [48]: %c[6,3]; brought there by step 27 tstore"));
    CHECK(has(result.out, "  line    20: pto.tadd ins(%a, %b"));
    CHECK(has(result.out, "  source  add.py:3: z[row] = x[row] + y[row]"));
    const std::size_t at = (54 * kCaseCols + 3) % 97;
    CHECK(has(result.out, fmt::format("  inputs  %x[54,3] = {:g}; %y[54,3] = {:g}", 1 + 0.5 * static_cast<double>(at),
                                      -3 + 0.25 * static_cast<double>(at))));
    const char* order[] = {"elements is wrong", "  worst ", "  first ", "  step ", "  line ", "  source ", "  inputs "};
    std::size_t before = 0;
    for (const char* part : order) {
      CHECK(result.out.find(part) > before);
      before = result.out.find(part);
    }
  }
}

TEST_CASE("cli case: the same as JSON, in the whole report, and in check --run") {
  const CaseFolder folder(wrong_golden());
  const ProcessResult result = run_golden(folder, {"--json"});
  CHECK(result.status == kStopped);
  const nlohmann::json json = json_of(result);
  REQUIRE(json["goldens"].size() == 1);
  const nlohmann::json& z = json["goldens"][0];
  CHECK(json["right"] == false);
  CHECK(z["output"] == "z");
  CHECK(z["wrong"] == 1);
  CHECK(z["step"] == 26);
  CHECK(z["stored"] == 27);
  CHECK(z["line"] == 20);
  CHECK(z["source"][0]["file"] == "add.py");
  CHECK(z["source"][0]["line"] == 3);
  CHECK(z["first"]["row"] == 54);
  CHECK(z["inputs"][0]["name"] == "x");
  CHECK(z["inputs"][0]["rows"] == nlohmann::json({54, 54}));
  const nlohmann::json whole = json_of(tilescope({"run", folder.path(), "--json"}));
  CHECK(whole["goldens"][0]["step"] == 26);
  CHECK(whole["steps"].size() == 32);
  CHECK(tilescope({"check", folder.path()}).status == kOk);
  const ProcessResult checked = tilescope({"check", "--run", folder.path(), "--target", "a5"});
  CHECK(checked.status == kStopped);
  CHECK(has(checked.out, "  step    26 tadd"));
  const nlohmann::json found = json_of(tilescope({"check", "--run", folder.path(), "--target", "a5", "--json"}));
  bool told = false;
  for (const nlohmann::json& one : found)
    told = told || (one["rule"] == "GOLDEN" && one["step"] == 26 && one["line"] == 20);
  CHECK(told);
}

TEST_CASE("cli case: of several wrong values the one that was made first") {
  std::vector<float> both = case_z();
  both[0 * kCaseCols + 5] += 3;  // the first turn, and the larger difference
  both[54 * kCaseCols + 3] += 1;
  const CaseFolder folder(both);
  const ProcessResult result = run_golden(folder);
  CAPTURE(result.out);
  CHECK(has(result.out, "%z: 2 of 4096 elements are wrong"));
  CHECK(has(result.out, "  worst   [0,5]: "));
  CHECK(has(result.out, "  first   [0,5]: "));
  CHECK(has(result.out, "  step    2 tadd, turn [0]: %c[0,5]"));
}

TEST_CASE("cli case: how far an output may be from its golden") {
  std::vector<float> near = case_z();
  near[100] += 0.01f;
  const CaseFolder folder(near);
  CHECK(run_golden(folder).status == kStopped);
  CHECK(run_golden(folder, {"--abs", "0.02"}).status == kOk);
  CHECK(run_golden(folder, {"--abs", "0"}).status == kStopped);
  folder.manifest(R"({"inputs": {"x": "x.npy", "y": "y.npy", "rows": 64},
                      "goldens": {"z": {"file": "golden_z.npy", "abs": 0.02}}})");
  CHECK(run_golden(folder).status == kOk);
  CHECK(run_golden(folder, {"--ulp", "1"}).status == kStopped);  // the command line goes before the case
  folder.manifest(R"({"inputs": {"x": "x.npy", "y": "y.npy", "rows": 64},
                      "goldens": {"z": "golden_z.npy"}, "tolerance": {"abs": 0.02}})");
  CHECK(run_golden(folder).status == kOk);
}

TEST_CASE("cli case: without a manifest, by the names of the files") {
  const CaseFolder folder;
  folder.without("case.json");
  check_right(run_golden(folder, {"--set", "rows=64"}));
  fs::rename(folder / "golden_z.npy", folder / "z.npy");  // called as what the program only writes
  check_right(run_golden(folder, {"--set", "rows=64"}));
  fs::rename(folder / "z.npy", folder / "golden.npy");
  check_right(run_golden(folder, {"--set", "rows=64"}));
  fs::rename(folder / "x.npy", folder / "input0.npy");
  fs::rename(folder / "y.npy", folder / "input1.npy");
  const ProcessResult in_order = run_golden(folder, {"--set", "rows=64"});
  check_right(in_order);
  CHECK(has(in_order.err, "/input1.npy is given for %y, by its place"));
}

TEST_CASE("cli case: inputs in their order, and of a .npz") {
  const CaseFolder folder;
  folder.manifest(R"({"inputs": ["x.npy", "y.npy", null, 64], "goldens": ["golden_z.npy"]})");
  check_right(run_golden(folder));
  const std::string python = python_with_numpy();
  if (python.empty()) {
    MESSAGE("skipped: no python3 with numpy here");
    return;
  }
  const ProcessResult made = run_process(
      {python, "-c",
       "import numpy, sys\nd = sys.argv[1]\nload = lambda n: numpy.load(d + '/' + n)\n"
       "numpy.savez_compressed(d + '/all.npz', x=load('x.npy'), y=load('y.npy'), golden_z=load('golden_z.npy'))\n",
       folder.path()});
  REQUIRE(made.status == 0);
  for (const char* name : {"x.npy", "y.npy", "golden_z.npy"}) folder.without(name);
  folder.manifest(R"({"inputs": {"x": "all.npz:x", "y": {"file": "all.npz", "array": "y"}, "rows": 64},
                      "goldens": {"z": "all.npz:golden_z"}})");
  check_right(run_golden(folder));
  folder.without("case.json");
  check_right(run_golden(folder, {"--set", "rows=64"}));
  CHECK(tilescope({"run", folder / "add.pto", "--in", "x=" + (folder / "all.npz:x"), "--set", "rows=64"}).status ==
        kOk);
}

TEST_CASE("cli case: raw bytes, from a manifest, from the command line, and of nobody's type") {
  const CaseFolder folder;
  for (const char* name : {"x", "y", "golden_z"}) {
    const auto array = std::get<data::Array>(data::read_array(folder / fmt::format("{}.npy", name)));
    put_text(folder / fmt::format("{}.bin", name),
             {reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()});
    folder.without(fmt::format("{}.npy", name));
  }
  folder.manifest(R"({"inputs": {"x": {"file": "x.bin", "type": "f32", "shape": [64, 64]},
                                 "y": {"file": "y.bin", "type": "f32"}, "rows": 64},
                      "goldens": {"z": {"file": "golden_z.bin", "type": "f32", "shape": [64, 64]}}})");
  check_right(run_golden(folder));
  folder.manifest(
      R"({"inputs": {"x": {"file": "x.bin", "type": "f32", "shape": [64, 63]}, "y": "y.bin", "rows": 64}})");
  check_refused(run_golden(folder), "x.bin: has 4096 elements of f32 in 16384 bytes, 64x63 takes 4032",
                "another type or shape");
  folder.manifest(R"({"inputs": {"x": {"file": "x.bin", "type": "f16"}, "y": "y.bin", "rows": 64}})");
  check_refused(run_golden(folder), "x.bin: holds f2, %x is f32", "");
  folder.without("case.json");
  check_right(run_golden(folder, {"--set", "rows=64"}));
  const std::string x = "x=" + (folder / "x.bin");
  CHECK(tilescope({"run", folder / "add.pto", "--set", "rows=64", "--in", x, "--raw", "x=f32:64x64"}).status == kOk);
  const ProcessResult wrong =
      tilescope({"run", folder / "add.pto", "--set", "rows=64", "--in", x, "--raw", "x=f16:64x64"});
  check_refused(wrong, "has 8192 elements of f16 in 16384 bytes, 64x64 takes 4096", "another type or shape");
  check_refused(tilescope({"run", folder / "add.pto", "--in", x, "--raw", "y=f32"}),
                "--raw y=f32: no file is given for %y", "--in y=PATH");
  check_refused(tilescope({"run", folder / "add.pto", "--in", x, "--raw", "x=f31:3"}), "--raw x=f31:3: wanted TYPE",
                "");
}

TEST_CASE("cli case: missing, doubled and strange arrays") {
  const CaseFolder folder;
  folder.without("y.npy");
  check_refused(run_golden(folder), "/y.npy: there is no such file", "");
  folder.manifest(R"({"inputs": {"x": "x.npy", "rows": 64}, "goldens": {"z": "golden_z.npy"}})");
  check_refused(run_golden(folder), "no array for %y, which add reads", "--in y=PATH");
  put_case_array(folder / "else.npy", case_y());
  check_right(run_golden(folder, {"--in", "y=" + (folder / "else.npy")}));
  folder.manifest(R"({"inputs": {"x": "x.npy", "q": "x.npy", "rows": 64}})");
  check_refused(run_golden(folder), "case.json gives q, and add has no such input", "it has x, y, z, rows");
  folder.manifest(R"({"inputs": {"x": "x.npy", "y": "else.npy", "rows": "x.npy"}})");
  check_refused(run_golden(folder), "case.json gives the array x.npy for %rows, which is a number", "");
  folder.manifest(R"({"inputs": {"x": "x.npy", "y": 3, "rows": 64}})");
  check_refused(run_golden(folder), "case.json gives the number 3 for %y, which is a buffer", "");
  folder.manifest(R"({"inputs": {"x": "x.npy", "x": "else.npy"}})");
  check_refused(run_golden(folder), "\"x\" stands there twice", "one of them would be lost");
  folder.manifest(R"({"inputs": ["x.npy", "else.npy", null, 64, 5]})");
  check_refused(run_golden(folder), "case.json gives 5 inputs, and add takes 4: x, y, z, rows",
                "in the order of the arguments");
  folder.manifest(R"({"inputs": {"x": "x.npy", "y": "else.npy", "rows": 64}, "goldens": {"zz": "golden_z.npy"}})");
  check_refused(run_golden(folder), "golden_z.npy is the golden of zz, and add has no such buffer or tile",
                "it writes z");
  folder.without("case.json");
  fs::rename(folder / "else.npy", folder / "y.npy");
  put_text(folder / "x.bin", "1234");
  check_refused(run_golden(folder), "the array x is there twice: x.bin and x.npy", "case.json");
  folder.without("x.bin");
  put_case_array(folder / "other.npy", case_x());
  const ProcessResult strange = run_golden(folder, {"--set", "rows=64"});
  check_right(strange);
  CHECK(has(strange.err, "/other.npy is not used: add has no input of that name"));
}

TEST_CASE("cli case: wrong shapes and types, with the values") {
  const CaseFolder folder;
  put_case_array(folder / "x.npy", std::vector<float>(case_x().begin(), case_x().begin() + 100), {10, 10});
  check_refused(run_golden(folder), "/x.npy: is 10x10, %x is 64x64", "reshape it");
  put_case_array(folder / "x.npy", case_x(), {32, 128});
  check_refused(run_golden(folder), "/x.npy: is 32x128, %x is 64x64", "reshape it");
  data::Array doubles{"f8", {64, 64}, std::vector<std::byte>(8 * 4096)};
  REQUIRE(data::write_array(folder / "x.npy", doubles).text.empty());
  check_refused(run_golden(folder), "/x.npy: holds f8, %x is f32", "astype(np.float32)");
  put_case_array(folder / "x.npy", case_x());
  put_case_array(folder / "golden_z.npy", std::vector<float>(case_z().begin(), case_z().begin() + 64), {64});
  check_refused(run_golden(folder), "the golden has 64 elements, %z is 64x64 of f32: 4096", "");
  data::Array whole{"i4", {64, 64}, std::vector<std::byte>(4 * 4096)};
  REQUIRE(data::write_array(folder / "golden_z.npy", whole).text.empty());
  check_refused(run_golden(folder), "golden_z.npy: holds i4, %z is f32", "");
}

TEST_CASE("cli case: a golden in double is one of f32, and bf16 comes as bits") {
  const CaseFolder folder;
  data::Array doubles{"f8", {64, 64}, std::vector<std::byte>(8 * case_z().size())};
  for (std::size_t i = 0; i < case_z().size(); ++i) {
    const double value = case_z()[i];
    std::memcpy(doubles.bytes.data() + 8 * i, &value, 8);
  }
  REQUIRE(data::write_array(folder / "golden_z.npy", doubles).text.empty());
  check_right(run_golden(folder));

  const TempFolder small;
  const std::string tile = "!pto.tile_buf<vec, 1x16xbf16>";
  put_text(small / "copy.pto", fmt::format("%d = tmuls %a, 2.0 : {0}\n", tile));
  put_text(small / "a.bin", std::string(32, '\x40'));  // 3.0 as bf16: 0x4040
  put_text(small / "golden_d.bin", std::string("\xC0\x40", 2) + std::string(30, '\0'));
  const ProcessResult result = run_golden(small, {"--target", "a5"});
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.status == kStopped);
  CHECK(has(result.out, "%d: 15 of 16 elements are wrong (bf16, within 0.01 absolute or 0.01 relative)"));
  CHECK(has(result.out, "  first   [0,1]: 6 (0x40c0) is not 0 (0x0000)"));
}

TEST_CASE("cli case: what the Python script writes, of NumPy's arrays and of Torch's") {
  const std::string python = python_with_numpy();
  if (python.empty()) {
    MESSAGE("skipped: no python3 with numpy here");
    return;
  }
  const CaseFolder folder;
  // A tensor as the script sees one: what Torch itself would do is not asked here.
  const std::string script = R"(
import sys, types, numpy
sys.path.insert(0, "assets/python")
sys.dont_write_bytecode = True
from write_case import write_case
torch = types.ModuleType("torch")
torch.int16 = numpy.int16
sys.modules["torch"] = torch
class Tensor:
    def __init__(self, array, dtype): self.array, self.dtype = array, dtype
    def detach(self): return self
    def cpu(self): return self
    def contiguous(self): return self
    def view(self, dtype): return Tensor(self.array.view(dtype), dtype)
    def numpy(self): return self.array
d = sys.argv[1]
load = lambda name: numpy.load(d + "/" + name)
z = Tensor(load("golden_z.npy"), "torch.float32")
write_case(d + "/dict", d + "/add.pto", {"x": load("x.npy"), "y": load("y.npy"), "rows": 64}, {"z": z}, target="a5")
write_case(d + "/list", d + "/add.pto", [load("x.npy"), load("y.npy"), None, 64], [z])
with open(d + "/half.pto", "w") as file:
    file.write("%d = tmuls %a, 2.0 : !pto.tile_buf<vec, 2x16xbf16>\n")
threes = Tensor(numpy.full((2, 16), 0x4040, "u2"), "torch.bfloat16")
sixes = Tensor(numpy.full((2, 16), 0x40C0, "u2"), "torch.bfloat16")
write_case(d + "/half", d + "/half.pto", {"a": threes}, {"d": sixes})
)";
  const ProcessResult made = run_process({python, "-c", script, folder.path()});
  REQUIRE_MESSAGE(made.status == 0, made.err);
  for (const char* name : {"dict", "list"}) check_right(tilescope({"run", folder / name, "--golden"}));
  const ProcessResult half = tilescope({"run", folder / "half", "--golden", "--target", "a5"});
  CAPTURE(half.err);
  CHECK(half.status == kOk);
  CHECK(has(half.out, "%d: all 32 elements are right (bf16"));
}

TEST_CASE("cli case: folders that are none") {
  const TempFolder empty;
  check_refused(tilescope({"run", empty.path()}), "is a folder without a .pto file", "it is empty");
  const CaseFolder folder;
  put_text(folder / "other.pto", add_text());
  check_refused(run_golden(folder), "has 2 programs: add.pto, other.pto", "{\"program\": \"add.pto\"}");
  folder.manifest(R"({"program": "other.pto", "inputs": {"x": "x.npy", "y": "y.npy", "rows": 64}})");
  check_refused(run_golden(folder), "there are no goldens to compare with", "golden_NAME.npy");
  CHECK(tilescope({"run", folder.path()}).status == kOk);
  folder.without("other.pto");
  check_refused(run_golden(folder), "/other.pto: there is no such file", "");
  std::string two = add_text();
  two.insert(two.rfind('}'), "  func.func @second(%p: !pto.ptr<f32>) {\n    return\n  }\n");
  put_text(folder / "add.pto", two);
  folder.manifest(R"({"inputs": {"x": "x.npy", "y": "y.npy", "rows": 64}, "goldens": {"z": "golden_z.npy"}})");
  check_refused(run_golden(folder), "has 2 entry points; which one are the arrays for?", "\"entry\" in case.json");
  check_right(run_golden(folder, {"--entry", "add"}));
  folder.manifest(R"({"entry": "add", "target": "a5", "inputs": {"x": "x.npy", "y": "y.npy", "rows": 64},
                      "goldens": {"z": "golden_z.npy"}})");
  check_right(run_golden(folder));
}

TEST_CASE("cli case: manifests that are none") {
  const CaseFolder folder;
  folder.manifest("{");
  check_refused(run_golden(folder), "case.json: it is no JSON", "assets/manual/cases.md");
  folder.manifest("[]");
  check_refused(run_golden(folder), "case.json: it is no JSON object", "");
  folder.manifest(R"({"prgram": "add.pto"})");
  check_refused(run_golden(folder), "prgram: is no key; there is program, entry, target", "");
  folder.manifest(
      R"({"target": "a7", "blocks": 0, "inputs": {"x": {"type": "f32"}, "y": {"file": "y.npy", "shape": [3]}}})");
  const ProcessResult all = run_golden(folder);
  check_refused(all, "target: wanted \"a5\" or \"a2a3\", it is \"a7\"", "");
  CHECK(has(all.err, "blocks: wanted 1 or more"));
  CHECK(has(all.err, "inputs.x: has no \"file\""));
  CHECK(has(all.err, "inputs.y: has a shape and no type"));
  folder.manifest(R"({"goldens": {"z": {"file": "golden_z.npy", "abs": -1}}})");
  check_refused(run_golden(folder), "goldens.z.abs: wanted 0 or more", "");
  folder.manifest(std::string(200'000, '['));
  check_refused(run_golden(folder), "case.json: it is", "");
  folder.manifest(std::string(2 << 20, ' '));
  check_refused(run_golden(folder), "expected 1048576 at most", "1 MiB");
}

TEST_CASE("cli case: nothing outside of the folder is opened, and nothing is waited for") {
  const TempFolder outside;
  put_case_array(outside / "x.npy", case_x());
  const CaseFolder folder;
  const auto refuse = [&](const std::string& file, std::string_view why) {
    folder.manifest(fmt::format(
        R"({{"inputs": {{"x": "{}", "y": "y.npy", "rows": 64}}, "goldens": {{"z": "golden_z.npy"}}}})", file));
    check_refused(run_golden(folder), why, "");
  };
  refuse(outside / "x.npy", "begins at the root");
  refuse("../" + fs::path(outside.path()).filename().string() + "/x.npy", "leads out of the case's folder");
  fs::create_symlink(outside / "x.npy", folder / "link.npy");
  refuse("link.npy", "leads out of the case's folder");
  fs::create_symlink("nowhere.npy", folder / "dangling.npy");
  refuse("dangling.npy", "cannot be read");
  fs::create_symlink("circle.npy", folder / "circle.npy");
  refuse("circle.npy", "cannot be read");
  REQUIRE(::mkfifo((folder / "pipe.npy").c_str(), 0600) == 0);
  refuse("pipe.npy", "it is a pipe");
  fs::create_directory(folder / "folder.npy");
  refuse("folder.npy", "it is a folder");
  refuse("", "names no file");
  folder.manifest(R"({"inputs": {"x": "inside.npy", "y": "y.npy", "rows": 64}, "goldens": {"z": "golden_z.npy"}})");
  fs::create_symlink("x.npy", folder / "inside.npy");
  check_right(run_golden(folder));
  folder.without("case.json");
  check_refused(run_golden(folder), "cannot be read", "");  // circle.npy comes first
  for (const char* name : {"circle.npy", "dangling.npy", "folder.npy"}) folder.without(name);
  check_refused(run_golden(folder), "link.npy: leads out of the case's folder", "copy the file into it");
  folder.without("link.npy");
  check_refused(run_golden(folder), "it is a pipe", "");
  folder.without("pipe.npy");
  fs::remove(folder / "add.pto");
  REQUIRE(::mkfifo((folder / "add.pto").c_str(), 0600) == 0);
  check_refused(run_golden(folder), "it is a pipe", "");
}

TEST_CASE("cli case: names that are no UTF-8, and files that only Torch reads") {
  const CaseFolder folder;
  folder.without("case.json");
  put_case_array(folder / "\xff\xfe\x1b[31m.npy", case_x());
  put_text(folder / "weights.pt", "not looked into");
  const ProcessResult result = run_golden(folder, {"--set", "rows=64"});
  check_right(result);
  CHECK(has(result.err, "\\xff\\xfe\\x1b[31m.npy is not used"));
  CHECK(has(result.err, "weights.pt is not read"));
  CHECK(has(result.err, "assets/python/write_case.py"));
  CHECK(json_of(run_golden(folder, {"--set", "rows=64", "--json"}))["right"] == true);
}

TEST_CASE("cli case: files that are too large are refused before they are read") {
  const CaseFolder folder;
  fs::resize_file(folder / "x.npy", std::uint64_t{3} << 30);  // a hole
  const ProcessResult result = run_golden(folder);
  check_refused(result, "expected 2147483648 at most", "");
  CHECK(result.peak_bytes < std::size_t{1} << 30);
}

TEST_CASE("cli case: a program that is wrong, and results that would go over the case") {
  const CaseFolder folder;
  put_text(folder / "add.pto", "func.func @f( {\n");
  const ProcessResult broken = run_golden(folder);
  CHECK(broken.status == kCannotRun);
  CHECK(has(broken.err, "error"));
  put_text(folder / "add.pto", add_text());
  check_refused(tilescope({"run", folder.path(), "--out", "z=" + (folder / "golden_z.npy")}),
                "it is read, so it cannot be written", "");
  check_refused(tilescope({"run", folder / "add.pto", "--golden"}), "there are no goldens", "a case is a folder");
}

TEST_CASE("cli case: a stranger's words in a manifest are shown, and cut where they have no end") {
  const auto text_of = [](const std::string& manifest) {
    const auto read = cases::parse_manifest(manifest, "case.json");
    REQUIRE(std::holds_alternative<data::Error>(read));
    return std::get<data::Error>(read).text;
  };
  CHECK(text_of(R"({"ta\u001b[31mget": "a5"})").starts_with("case.json: ta\\x1b[31mget: is no key; there is program"));
  CHECK(text_of(R"({"x\u0007": 1, "x\u0007": 2})") == "case.json: \"x\\x07\" stands there twice");
  CHECK(text_of(R"({"x\ntilescope: y": 1})").starts_with("case.json: x\\x0atilescope: y: is no key"));
  for (const char* nameless : {R"({"inputs": {"": 0.5}})", R"({"inputs": {"%": 0.5}})"})
    CHECK(text_of(nameless) == "case.json: inputs: has an entry without a name");
  const std::string endless(100'000, 'k');
  CHECK(text_of("{\"" + endless + "\": 1}").size() < 400);
}

}  // namespace ts::test
