// Entries found in sources, and the names of arguments.
#include <doctest/doctest.h>

#include "core/cpp/call_names.h"
#include "core/cpp/scan.h"

namespace ts::test {

using cpp::as_name;
using cpp::read_arguments;
using cpp::scan_source;

TEST_CASE("cpp scan: kernels, with their parameters' names") {
  const auto scan = scan_source(R"(
#include <pto/pto-inst.hpp>
#define NOT_ME(x) extern "C" void macro(int x) { }
// extern "C" __global__ void comment(float* a) {}
const char* text = "extern \"C\" void string(int a) {";
static int helper(int a, int b) { return a + b; }
namespace kernels {
template <typename T, int N> AICORE void scaled(__gm__ T* x, T factor) { if (x) { } }
extern "C" __global__ AICORE void add_custom(__gm__ half* x, GM_ADDR y, __gm__ float (*z), const uint32_t total = 4, int) {
  auto inner = [](int k) { return k; };
}
}
struct Tiling { int rows; void method(int q) { } };
)");
  REQUIRE(scan.entries.size() == 1);
  CHECK(scan.entries[0].name == "kernels::add_custom");
  CHECK(scan.entries[0].line == 9);
  REQUIRE(scan.entries[0].parameters.size() == 5);
  CHECK(scan.entries[0].parameters[0] == "x");
  CHECK(scan.entries[0].parameters[1] == "y");
  CHECK(scan.entries[0].parameters[3] == "total");
  REQUIRE(scan.templates.size() == 1);
  CHECK(scan.templates[0].name == "kernels::scaled");
  CHECK(scan.templates[0].line == 8);
}

TEST_CASE("cpp scan: without marks, plain functions that take pointers") {
  const auto scan =
      scan_source("void helper(int a) {}\nvoid kernel(float* x, float* y) { x[0] = y[0]; }\nint main() { return 0; }");
  REQUIRE(scan.entries.size() == 1);
  CHECK(scan.entries[0].name == "kernel");
  CHECK(scan.entries[0].parameters == std::vector<std::string>{"x", "y"});
  CHECK(scan_source("").entries.empty());
  CHECK(scan_source("extern \"C\" { void broken(float* x {").entries.empty());
}

TEST_CASE("cpp names: arguments as a call spells them") {
  CHECK(read_arguments("  TADD(c, a, b);", "TADD", 3) == std::vector<std::string>{"c", "a", "b"});
  CHECK(read_arguments("pto::TADDS<T, U>(tiles[i % 2], f(x, y), 3);", "TADDS", 6) ==
        std::vector<std::string>{"tiles[i%2]", "f(x,y)", "3"});
  CHECK(read_arguments("TLOAD(a,\n      gx);", "TLOAD", 0) == std::vector<std::string>{"a", "gx"});
  CHECK(read_arguments("TEXP(a, b); TEXP(c, d);", "TEXP", 13) == std::vector<std::string>{"c", "d"});
  CHECK(read_arguments("MY_MACRO(a)", "TEXP", 1).empty());
  CHECK(as_name("tiles[i % 2]") == "tiles_i_2");
  CHECK(as_name("*this->dst") == "this_dst");
  CHECK(as_name("0") == "_0");
}

}  // namespace ts::test
