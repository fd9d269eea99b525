// Tiles that stand on others, and tiles that nobody placed.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

// A kernel over x and z, of these lines.
KernelRun run_lines(const std::string& lines, Target target = Target::A2A3) {
  TempFolder folder;
  const std::string path = folder.path() + "/kernel.cpp";
  put_text(path,
           "#include <pto/pto-inst.hpp>\nusing namespace pto;\n"
           "template <class E, int R, int C>\n"
           "using View = GlobalTensor<E, Shape<1, 1, 1, R, C>, Stride<R * C, R * C, R * C, C, 1>>;\n"
           "template <class E, int R, int C, int VC = C>\n"
           "using Vec = Tile<TileType::Vec, E, R, C, BLayout::RowMajor, R, VC>;\n"
           "extern \"C\" __global__ AICORE void k(__gm__ float* x, __gm__ float* z) {\n" +
               lines + "\n}\n");
  std::vector<float> x(1024);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  OpenRequest request{.target = target};
  request.inputs.data["x"] = bytes_of(x);
  Diagnostics told;
  const auto tree = compiled(path, target, told);
  return run_entry(tree, "k", request, told);
}

std::string problem_of(const KernelRun& run) {
  if (run.recording == nullptr) return run.told.empty() ? "" : run.told.front().format();
  for (const Finding& one : run.recording->findings())
    if (one.diagnostic.severity == Severity::Error) return one.diagnostic.format();
  return "";
}

std::vector<std::uint32_t> addresses_of(const KernelRun& run) {
  std::vector<std::uint32_t> out;
  for (const TileDecl& tile : run.recording->program().tiles) out.push_back(tile.address);
  return out;
}

constexpr const char* kBarrier = "pipe_barrier(PIPE_ALL);";

}  // namespace

TEST_CASE("cpp places: a window is a tile on the bytes of another") {
  for (const Target target : {Target::A2A3, Target::A5}) {
    const KernelRun run = run_lines(
        std::string(
            "Vec<float, 16, 64> a; Vec<float, 4, 64, 16> part; View<float, 16, 64> gx(x); View<float, 4, 16> gz(z);\n"
            "TASSIGN(a, 0x400);\nTLOAD(a, gx);\n") +
            kBarrier + "\nTSUBVIEW(part, a, 8, 32);\nTADDS(part, part, 1.0f);\n" + kBarrier + "\nTSTORE(gz, part);",
        target);
    REQUIRE_MESSAGE(run.recording != nullptr, problem_of(run));
    CHECK(problem_of(run) == "");
    const std::vector<float> z = run.floats("z");
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t col = 0; col < 16; ++col)
        CHECK(z[row * 16 + col] == static_cast<float>((8 + row) * 64 + 32 + col) + 1);
    CHECK(addresses_of(run) == std::vector<std::uint32_t>{0x400, 0x400 + (8 * 64 + 32) * 4});
    CHECK(std::ranges::count(run.steps(), std::string("tassign")) == 2);
  }
}

TEST_CASE("cpp places: what is no window") {
  const struct {
    const char *lines, *words;
  } kCases[] = {
      {"Vec<float, 16, 64> a; Vec<float, 4, 64> part;\nTSUBVIEW(part, a, 13, 0);",
       "a window of 4 x 64 from [13, 0] on"},
      {"Vec<float, 16, 64> a; Vec<float, 4, 64, 16> part;\nTSUBVIEW(part, a, 0, 56);", "of a tile of 16 x 64"},
      {"Vec<float, 16, 64> a; Vec<float, 4, 32> part;\nTSUBVIEW(part, a, 0, 0);", "as many columns as the tile"},
      {"Vec<float, 16, 64> a; Vec<int32_t, 4, 64> part;\nTSUBVIEW(part, a, 0, 0);", "reads bytes as another type"},
      {"Tile<TileType::Mat, half, 64, 64, BLayout::ColMajor, 64, 64, SLayout::RowMajor> a;\n"
       "Tile<TileType::Mat, half, 64, 16, BLayout::ColMajor, 32, 16, SLayout::RowMajor> part;\nTSUBVIEW(part, a, 8, 16);",
       "[8, 16] is inside of a box of 16 x 16"},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.lines);
    const KernelRun run = run_lines(one.lines);
    CHECK_MESSAGE(problem_of(run).find(one.words) != std::string::npos, problem_of(run));
  }
}

TEST_CASE("cpp places: tiles without TASSIGN get places, the first that are free, for as long as they live") {
  const KernelRun run = run_lines(R"(
  View<float, 1, 64> gx(x), gz(z);
  Vec<float, 1, 64> a;
  TLOAD(a, gx);
  pipe_barrier(PIPE_ALL);
  for (int i = 0; i < 3; ++i) {
    Vec<float, 1, 64> b;
    Vec<float, 1, 8> c;
    TADDS(b, a, 1.0f);
    TEXPANDS(c, 0.0f);
    TADDS(a, b, 1.0f);
  }
  Vec<float, 2, 64> wide;
  TEXPANDS(wide, 0.0f);
  pipe_barrier(PIPE_ALL);
  TSTORE(gz, a);)");
  REQUIRE_MESSAGE(run.recording != nullptr, problem_of(run));
  CHECK(problem_of(run) == "");
  CHECK(run.floats("z")[5] == 5.0f + 6.0f);
  CHECK(addresses_of(run) == std::vector<std::uint32_t>{0, 256, 512, 256});
  const Diagnostic* placed = run.finding("W-CPP-PLACED");
  REQUIRE(placed != nullptr);
  CHECK(placed->text == "without a TASSIGN, so placed for the run: a, b, c, wide");
}

TEST_CASE("cpp places: a copy and a moved tile stand where the tile stood") {
  const KernelRun run = run_lines(R"(
  View<float, 1, 64> gx(x), gz(z);
  const auto made = [&] { Vec<float, 1, 64> a; TLOAD(a, gx); return a; };
  auto a = made();
  auto b = a;
  pipe_barrier(PIPE_ALL);
  TADDS(b, b, 1.0f);
  Vec<float, 1, 64> c;
  TEXPANDS(c, 0.0f);
  pipe_barrier(PIPE_ALL);
  TSTORE(gz, a);)");
  REQUIRE_MESSAGE(run.recording != nullptr, problem_of(run));
  CHECK(problem_of(run) == "");
  CHECK(run.floats("z")[5] == 6.0f);
}

TEST_CASE("cpp places: a tile without a place, and no room") {
  const KernelRun forgotten =
      run_lines("Vec<float, 1, 64> a, b; View<float, 1, 64> gx(x);\nTASSIGN(a, 0);\nTLOAD(a, gx);\nTLOAD(b, gx);");
  CHECK(problem_of(forgotten).find("E-CPP-PLACE") != std::string::npos);
  CHECK(problem_of(forgotten).find("kernel.cpp:11: TLOAD: b stands nowhere") != std::string::npos);
  const KernelRun full = run_lines("Vec<float, 128, 256> a, b;\nTEXPANDS(a, 0.0f);\nTEXPANDS(b, 0.0f);");
  CHECK_MESSAGE(problem_of(full).find("no room for b, 131072 bytes in ub") != std::string::npos, problem_of(full));
}

}  // namespace ts::test
