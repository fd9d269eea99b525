// Kernels in C++ on the command line.
#include <doctest/doctest.h>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {

TEST_CASE("cli cpp: a kernel is run, and told of by its lines") {
  const auto ran = tilescope({"run", "samples/cpp/row_loop.cpp", "--target", "a5"});
  CHECK(ran.status == 0);
  CHECK(ran.out.find("TADD(b, a, b)") != std::string::npos);
  CHECK(ran.out.find("row_loop.cpp:39") != std::string::npos);
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

}  // namespace ts::test
