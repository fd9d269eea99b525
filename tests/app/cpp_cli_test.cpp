// Kernels in C++ on the command line.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/scale.h"

namespace ts::test {

TEST_CASE("cli cpp: a kernel is run, and told of by its lines") {
  const auto ran = tilescope({"run", "samples/cpp/row_loop.cpp", "--target", "a5"});
  CHECK(ran.status == 0);
  CHECK(ran.out.find("TADD(b, a, b)") != std::string::npos);
  CHECK(ran.out.find("row_loop.cpp:39") != std::string::npos);
}

TEST_CASE("cli cpp: samples go by their names, from any folder") {
  const TempFolder folder;
  const auto there = [&](const char* name) {
    return run_process({"/bin/sh", "-c", "cd $0 && exec $1 run $2 --digest", folder.path(), program_path(), name});
  };
  const ProcessResult ran = there("block_lookup.cpp");
  CHECK_MESSAGE(ran.status == 0, ran.err);
  CHECK(ran.out == tilescope({"run", "samples/cpp/block_lookup.cpp", "--digest", "--target", "a5"}).out);
  CHECK(has(tilescope({"list"}).out, "  scores_softmax.cpp "));
  const ProcessResult none = there("block_lookdown.cpp");
  CHECK(none.status == 4);
  CHECK_MESSAGE(has(none.err, "block_lookdown.cpp: no such file"), none.err);
  CHECK(has(none.err, "block_lookup.cpp"));
}

TEST_CASE("cli cpp: every sample in C++ has a session beside it, which finds what it says") {
  int sessions = 0;
  for (const auto& entry : std::filesystem::directory_iterator("samples/cpp")) {
    if (entry.path().extension() != ".cpp") continue;
    if (++sessions % 6 != 0 && kSanitized) continue;
    const std::string script = std::filesystem::path(entry.path()).replace_extension(".lua");
    CAPTURE(script);
    const ProcessResult result = tilescope({"script", script, "--allow", "kernels", "--script-steps", "4000000000"});
    CHECK_MESSAGE(result.status == kOk, result.out, result.err);
    CHECK(has(result.out, "ok 1 - "));
    CHECK(!has(result.out, "not ok"));
  }
  CHECK(sessions >= 17);
}

TEST_CASE("cli cpp: compiler errors stand at the lines of the source") {
  TempFolder folder;
  const std::string path = folder.path() + "/bad.cpp";
  put_text(path, "#include <pto/pto-inst.hpp>\nextern \"C\" __global__ void k(float* x) {\n  TNOSUCH(x);\n}\n");
  const auto ran = tilescope({"run", path});
  CHECK(ran.status == 4);
  CHECK(ran.err.find("bad.cpp:3:3: error: [E-CPP-NAME]") != std::string::npos);
}

TEST_CASE("cli cpp: entries are listed, and text is no C++") {
  const auto listed = tilescope({"cpp", "tests/support/cpp/kernels.cce"});
  CHECK(listed.status == 0);
  CHECK(listed.out.find("blocks(x, z, cols)") != std::string::npos);
  TempFolder folder;
  const std::string path = folder.path() + "/kernel.cpp";
  put_text(path, "extern \"C\" void k(float* x) {}\n");
  const auto formed = tilescope({"fmt", path, "--write"});
  CHECK(formed.status == 4);
  CHECK(get_text(path) == "extern \"C\" void k(float* x) {}\n");
}

TEST_CASE("cli cpp: a recording of a kernel opens, and says that it cannot run again") {
  TempFolder folder;
  const std::string path = folder.path() + "/k.ptorec";
  CHECK(tilescope({"run", "samples/cpp/row_loop.cpp", "--record", path}).status == 0);
  const auto again = tilescope({"run", path});
  CHECK(again.status == 0);
  CHECK(again.out.find("TADD(b, a, b)") != std::string::npos);
}

TEST_CASE("cli cpp: a main in a second file, one of its tests, and the folder that it runs in") {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "case");
  put_text(folder / "case/by.txt", "3");
  put_text(
      folder / "kernel.cpp",
      "#include <pto/pto-inst.hpp>\nusing namespace pto;\n"
      "AICORE void fill(__gm__ float* z, float by) {\n"
      "  GlobalTensor<float, Shape<1, 1, 1, 1, 64>, Stride<64, 64, 64, 64, 1>> gz(z);\n"
      "  Tile<TileType::Vec, float, 1, 64> a;\n  TEXPANDS(a, by);\n  pipe_barrier(PIPE_ALL);\n  TSTORE(gz, a);\n}\n"
      "void launch(float* z, float by) { fill(z, by); }\n");
  put_text(folder / "main.cpp",
           "#include <fstream>\n#include <gtest/gtest.h>\n#include \"acl/acl.h\"\nvoid launch(float* z, float by);\n"
           "float run() {\n  float by = 0, got = 0, *z;\n  std::ifstream(\"by.txt\") >> by;\n"
           "  aclrtMalloc((void**)&z, 256, ACL_MEM_MALLOC_HUGE_FIRST);\n  launch(z, by);\n"
           "  aclrtMemcpy(&got, 4, z + 63, 4, ACL_MEMCPY_DEVICE_TO_HOST);\n  return got;\n}\n"
           "TEST(Fill, right) { EXPECT_EQ(run(), 3); }\nTEST(Fill, wrong) { EXPECT_EQ(run(), 4); }\n");
  const std::vector<std::string> words = {"run",  folder / "kernel.cpp", folder / "main.cpp",
                                          "--cd", folder / "case",       "--"};
  const auto with = [&](const char* word) {
    std::vector<std::string> all = words;
    all.emplace_back(word);
    return tilescope(all);
  };
  const ProcessResult right = with("right"), wrong = with("wrong");
  CHECK_MESSAGE(right.status == kOk, right.out, right.err);
  CHECK(has(right.out, "1 of 1 test cases are right"));
  CHECK(wrong.status == kStopped);
  CHECK_MESSAGE(has(wrong.out, "main.cpp:14: EXPECT_EQ(run(), 4): 3 == 4 is not so"), wrong.out);
  // One block that begins with a step is one in the file, too.
  const std::string file = folder / "main.ptorec";
  const ProcessResult kept = tilescope({"run", folder / "kernel.cpp", folder / "main.cpp", "--cd", folder / "case",
                                        "--record", file, "--digest", "--", "right"});
  const ProcessResult opened = tilescope({"run", file, "--digest"});
  CHECK_MESSAGE(opened.status == kOk, opened.err);
  CHECK(kept.out == opened.out);
  const ProcessResult text = tilescope({"run", "row_loop", "more"});
  CHECK(text.status == kCannotRun);
  CHECK(has(text.err, "more is for a kernel in C++ that has a main"));
}

TEST_CASE("cli cpp: a script runs a kernel where that is allowed, and not else") {
  const TempFolder folder;
  std::filesystem::copy_file("samples/cpp/block_lookup.cpp", folder / "kernel.cpp");
  put_text(folder / "test.lua",
           "local p = pto.load('kernel.cpp', {target='a5'})\nlocal r = p:record()\n"
           "print(p.name, r.count, r.stopReason, p.text:sub(1, 15))");
  const ProcessResult refused = tilescope({"script", folder / "test.lua"});
  CHECK(refused.status != kOk);
  CHECK(has(refused.err, "--allow kernels"));
  const ProcessResult ran = tilescope({"script", folder / "test.lua", "--allow", "kernels", "--script-seconds", "60"});
  CHECK_MESSAGE(ran.status == kOk, ran.err);
  CHECK_MESSAGE(ran.out.starts_with("block_lookup\t16\tend\t// Block lookup"), ran.out);
  put_text(folder / "broken.cpp", "#include <pto/pto-inst.hpp>\nextern \"C\" void k(float* x) { TNOSUCH(x); }\n");
  put_text(folder / "test.lua", "pto.load('broken.cpp')");
  const ProcessResult broken = tilescope({"script", folder / "test.lua", "--allow", "kernels"});
  CHECK(broken.status == kScriptError);
  CHECK_MESSAGE(has(broken.err, "broken.cpp:2:"), broken.err);
  CHECK(has(broken.err, "TNOSUCH is not offered"));
}

}  // namespace ts::test
