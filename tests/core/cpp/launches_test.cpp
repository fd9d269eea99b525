// Launches of the form `kernel<<<...>>>(...)`: found, rewritten, and run.
#include "core/cpp/launches.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/cpp/cpp_kernel.h"
#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {

TEST_CASE("cpp launches: rewritten on their lines, and nothing else is") {
  const struct {
    const char *source, *rewritten;
  } kCases[] = {
      {"add<<<20, nullptr, stream>>>(x, y);", "::tilescope::Grid(20, nullptr, stream) << [&]() { add(x, y); };"},
      {"ns::add<float, (4 > 3)><<<f(a, b)>>>(x);",
       "::tilescope::Grid(f(a, b)) << [&]() { ns::add<float, (4 > 3)>(x); };"},
      {"::add <<< n,\n  0 >>> (g(x),\n y)", "::tilescope::Grid( n,\n  0 ) << [&]() { ::add(g(x),\n y); }"},
      {"k<T<A<B>>><<<1>>>(x); j<<<2>>>(y);",
       "::tilescope::Grid(1) << [&]() { k<T<A<B>>>(x); }; ::tilescope::Grid(2) << [&]() { j(y); };"},
      {"// add<<<1>>>(x)\n/* add<<<1>>>(x) */ s = \"add<<<1>>>(x)\";", nullptr},
      {"T<A<B<C>>>(x) << 3; a << b <<c;", nullptr},
      {"add<<<1>>>;", nullptr},
      {"add<<<1>>(x);", nullptr},
      {"<<<1>>>(x)", nullptr},
      {"add<<<", nullptr},
      {"add<<<1>>>(x", nullptr},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.source);
    CHECK(cpp::has_launch(one.source) == (one.rewritten != nullptr));
    CHECK(cpp::with_launches_called(one.source) == (one.rewritten != nullptr ? one.rewritten : one.source));
  }
}

namespace {

constexpr const char* kLaunched = R"(#include <pto/pto-inst.hpp>
#include "rows.h"
using namespace pto;

template <typename T>
__global__ AICORE void twice(__gm__ T* x, __gm__ T* z) {
  Tile<TileType::Vec, T, 1, kCols> a;
  using G = GlobalTensor<T, Shape<1, 1, 1, 1, kCols>, Stride<kCols, kCols, kCols, kCols, 1>>;
  TASSIGN(a, 0);
  G gx(x + get_block_idx() * kCols), gz(z + get_block_idx() * kCols);
  TLOAD(a, gx);
  TMULS(a, a, static_cast<float>(get_block_num()));
  TSTORE(gz, a);
}

extern "C" void call_twice(uint8_t* x, uint8_t* z, uint32_t blocks, void* stream) {
  twice<half><<<blocks, nullptr, stream>>>((half*)x, (half*)z);
}

extern "C" void call_again(GM_ADDR x, GM_ADDR z, void* stream) {
  twice<float><<<2, nullptr, stream>>>((__gm__ float*)x, (__gm__ float*)z);
  twice<float><<<1, nullptr, stream>>>((__gm__ float*)z,
                                       (__gm__ float*)x);
}
)";

// The launcher of that name, of a file that includes one beside it.
KernelRun run_launcher(const TempFolder& folder, const std::string& name, const OpenRequest& request) {
  const std::string path = folder.path() + "/kernel.cpp";
  put_text(path, kLaunched);
  put_text(folder.path() + "/rows.h", "constexpr int kCols = 64;\n");
  Diagnostics told;
  return run_entry(compiled(path, Target::A2A3, told, name), name, request, told);
}

}  // namespace

TEST_CASE("cpp launches: a launcher runs its blocks, and untyped pointers are what views make of them") {
  TempFolder folder;
  OpenRequest request;
  request.inputs.numbers["blocks"] = "3";
  const KernelRun run = run_launcher(folder, "call_twice", request);
  REQUIRE(run.recording != nullptr);
  const Recording& recording = *run.recording;
  CHECK(recording.stop_reason() == StopReason::End);
  for (const Finding& one : recording.findings()) CHECK_MESSAGE(false, one.diagnostic.format());
  CHECK(recording.program().blocks == 3);
  // A begin, a place, a load, a product, a store; by block.
  CHECK(recording.count() == 3 * 5);
  CHECK(recording.step(0).block == 0);
  CHECK(recording.step(14).block == 2);
  REQUIRE(recording.program().buffers.size() == 3);  // the last is the stream, which nobody looks at
  for (int i = 0; i < 2; ++i) {
    CHECK(recording.program().buffers[i].dtype == DType::F16);
    CHECK(recording.program().buffers[i].elements == 3 * 64);
  }
}

TEST_CASE("cpp launches: one after the other, each with memories of its own") {
  TempFolder folder;
  OpenRequest request;
  std::vector<float> x(128);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  request.inputs.data["x"] = bytes_of(x);
  const KernelRun run = run_launcher(folder, "call_again", request);
  REQUIRE(run.recording != nullptr);
  CHECK(run.recording->stop_reason() == StopReason::End);
  CHECK(run.recording->count() == 3 * 5);
  const std::vector<float> after = run.floats("x"), z = run.floats("z");
  REQUIRE(after.size() == 128);
  REQUIRE(z.size() == 128);
  for (std::size_t i = 0; i < 128; ++i) CHECK(z[i] == 2 * x[i]);
  for (std::size_t i = 0; i < 128; ++i) CHECK(after[i] == (i < 64 ? 2 * x[i] : x[i]));
}

TEST_CASE("cpp launches: what a pointer points to may be said, and not otherwise than the kernel has it") {
  TempFolder folder;
  OpenRequest request;
  request.inputs.numbers["blocks"] = "1";
  request.inputs.element_types["x"] = DType::F16;
  request.inputs.size_bytes["x"] = 4096;
  const KernelRun run = run_launcher(folder, "call_twice", request);
  REQUIRE(run.recording != nullptr);
  CHECK(run.recording->program().buffers.front().elements == 2048);
  request.inputs.element_types["blocks"] = DType::F16;
  const KernelRun wrong = run_launcher(folder, "call_twice", request);
  CHECK(std::ranges::any_of(wrong.told, [](const Diagnostic& one) { return one.rule == "E-INPUT"; }));
}

}  // namespace ts::test
