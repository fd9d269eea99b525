// Mains on the host whose kernels have parts for cube cores and vector cores: each core runs all of it, in step.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "core/check/check.h"
#include "core/record/recording_file.h"
#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

// The kernels are in a file that the source includes, and so are the parts for each kind of core.
std::string kernel_text() {
  return "#include \"" + std::filesystem::absolute("tests/support/cpp/cores.cce").string() + "\"\n" + R"(
__global__ AICORE void twice(__gm__ float* x) {
  if constexpr (DAV_VEC) {
    if (get_subblockid() != 0) return;
    Part t;
    TASSIGN(t, 0x6000);
    Global<float> there(x + get_block_idx() * kSide * kSide);
    TLOAD(t, there);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TADD(t, t, t);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(there, t);
    pipe_barrier(PIPE_ALL);
  }
}
// The same flag, and one slot only.
using Small = TPipe<0, Direction::DIR_C2V, kSide * kSide * 4, 1>;
__global__ AICORE void halves(__gm__ half* a, __gm__ half* b, __gm__ float* slots, __gm__ float* out) {
  Small pipe(slots, 0x8000, 0x0);
  if constexpr (DAV_CUBE) {
    Sums c;
    load_and_multiply(c, a, b);
    TPUSH<Small, Sums, TileSplitAxis::TILE_UP_DOWN>(pipe, c);
  } else {
    Tile<TileType::Vec, float, kSide / 2, kSide> x;
    TPOP<Small, decltype(x), TileSplitAxis::TILE_UP_DOWN>(pipe, x);
    Global<float, kSide / 2> rows(out + get_subblockid() * kSide * kSide / 2);
    TSTORE(rows, x);
    TFREE<Small, TileSplitAxis::TILE_UP_DOWN>(pipe);
  }
}
void launch_halves(half* a, half* b, float* slots, float* out) { halves<<<1, nullptr, nullptr>>>(a, b, slots, out); }
void launch_product(half* a, half* b, float* slots, float* out) { product<<<1, nullptr, nullptr>>>(a, b, slots, out); }
void launch_too_few(half* a, half* b, float* slots) { too_few<<<1, nullptr, nullptr>>>(a, b, slots); }
void launch_twice(int blocks, float* x) { twice<<<blocks, nullptr, nullptr>>>(x); }
void call_twice(float* x) { twice(x); }
void launch_meeting(int blocks, float* said, float* heard) { meeting<<<blocks, nullptr, nullptr>>>(said, heard); }
)";
}

// Four products of 16 x 16, what a launch and a call do to the results, and what the host finds.
std::string product_main(const std::string& behind) {
  return R"(#include <cstdio>
#include <vector>
#include <pto/pto-inst.hpp>
#include "acl/acl.h"
void launch_product(half* a, half* b, float* slots, float* out);
void launch_halves(half* a, half* b, float* slots, float* out);
void launch_too_few(half* a, half* b, float* slots);
void launch_twice(int blocks, float* x);
void call_twice(float* x);
void launch_meeting(int blocks, float* said, float* heard);
template <class T>
T* on_device(const std::vector<T>& values) {
  T* device;
  aclrtMalloc((void**)&device, values.size() * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(device, values.size() * sizeof(T), values.data(), values.size() * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE);
  return device;
}
template <class T>
void fetch(std::vector<T>& to, T* from) {
  aclrtMemcpy(to.data(), to.size() * sizeof(T), from, to.size() * sizeof(T), ACL_MEMCPY_DEVICE_TO_HOST);
}
int main() {
  constexpr int kArea = 256;
  std::vector<half> a(4 * kArea), b(kArea);
  std::vector<float> out(4 * kArea), expected(4 * kArea), slots(2 * kArea);
  for (size_t i = 0; i < a.size(); ++i) a[i] = half(float(i * 7 % 5) - 2);
  for (size_t i = 0; i < b.size(); ++i) b[i] = half(float(i * 3 % 7) - 3);
  for (int row = 0; row < 64; ++row)
    for (int col = 0; col < 16; ++col) {
      expected[row * 16 + col] = 1;
      for (int k = 0; k < 16; ++k) expected[row * 16 + col] += float(a[row * 16 + k]) * float(b[k * 16 + col]);
    }
  half *a_there = on_device(a), *b_there = on_device(b);
  float *slots_there = on_device(slots), *out_there = on_device(out);
  int wrong = 0;
  const auto count_wrong = [&] {
    fetch(out, out_there);
    for (size_t i = 0; i < out.size(); ++i) wrong += out[i] != expected[i];
  };
)" + behind +
         R"(
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
)";
}

KernelRun run_cores_main(const TempFolder& folder, const std::string& behind, Target target,
                         const char* order = "usual") {
  put_text(folder.path() + "/kernel.cpp", kernel_text());
  put_text(folder.path() + "/main.cpp", product_main(behind));
  const cpp::KernelRequest request{.target = target,
                                   .host = {.with = {folder.path() + "/main.cpp"}, .folder = folder.path()}};
  Diagnostics told;
  const auto tree = compiled(folder.path() + "/kernel.cpp", request, told);
  OpenRequest open{.target = target};
  open.limits.order = *find_order(order);
  return run_entry(tree, "", open, std::move(told));
}

constexpr const char* kThreeLaunches = R"(
  launch_product(a_there, b_there, slots_there, out_there);
  aclrtSynchronizeStream(nullptr);
  count_wrong();
  launch_twice(4, out_there);
  aclrtSynchronizeStream(nullptr);
  launch_twice(0, out_there);
  call_twice(out_there);
  aclrtSynchronizeStream(nullptr);
  for (size_t i = 0; i < expected.size(); ++i) expected[i] *= i < kArea ? 4 : 2;
  count_wrong();
)";

}  // namespace

TEST_CASE("cpp main of cores: launches, calls and copies in their order, whoever is asked first") {
  const TempFolder folder;  // one: what was compiled for a target is the same
  for (const Target target : {Target::A2A3, Target::A5})
    for (const char* order : {"usual", "reverse", "seed:1", "seed:2"}) {
      CAPTURE(std::string(name(target)));
      CAPTURE(order);
      const KernelRun run = run_cores_main(folder, kThreeLaunches, target, order);
      REQUIRE_MESSAGE(run.recording != nullptr, run.words());
      CHECK(run.recording->stop_reason() == StopReason::End);
      // Printed by one of twelve, and nothing else is told: what comes in the next launch comes behind.
      CHECK_MESSAGE(run.recording->findings().size() == 1, run.words());
      const std::vector<Finding> checked = check(*run.recording).findings;
      const auto races = [](const Finding& one) { return one.diagnostic.rule == "MK-33"; };
      CHECK(std::ranges::none_of(checked, races));
      REQUIRE(run.finding("W-CPP-OUTPUT") != nullptr);
      CHECK(run.finding("W-CPP-OUTPUT")->text == "the kernel printed: 0 wrong");
      const Program& program = run.recording->program();
      CHECK(program.blocks == 4);
      CHECK(program.cores.size() == 3);
      std::vector<std::string> names;
      for (const BufferDecl& buffer : program.buffers) names.push_back(buffer.name);
      CHECK(names == std::vector<std::string>{"device", "device_2", "device_3", "device_4"});
      CHECK(std::ranges::count(run.steps(), std::string("tmatmul")) == 4);
      CHECK(std::ranges::count(run.steps(), std::string("tadd")) == 5);
    }
}

TEST_CASE("cpp main of cores: its recording is a file like any other") {
  const TempFolder folder;
  const KernelRun run = run_cores_main(folder, kThreeLaunches, Target::A2A3);
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  const std::string path = folder.path() + "/main.ptorec";
  REQUIRE(save_recording(*run.recording, run.recording->findings(), {}, path).text.empty());
  auto opened = open_recording(path);
  REQUIRE(std::holds_alternative<RecordingFile>(opened));
  CHECK(std::get<RecordingFile>(opened).recording->digest() == run.recording->digest());
}

TEST_CASE("cpp main of cores: a flag is another queue's in the next launch") {
  for (const Target target : {Target::A2A3, Target::A5}) {
    const TempFolder folder;
    const KernelRun run = run_cores_main(folder, R"(
  for (int turn = 0; turn < 2; ++turn) {
    launch_product(a_there, b_there, slots_there, out_there);
    launch_halves(a_there, b_there, slots_there, out_there);
    for (int i = 0; i < kArea; ++i) expected[i] -= turn == 0 ? 1 : 0;
    count_wrong();
  }
)",
                                         target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    CHECK_MESSAGE(run.recording->findings().size() == 1, run.words());
    REQUIRE_MESSAGE(run.finding("W-CPP-OUTPUT") != nullptr, run.words());
    CHECK(run.finding("W-CPP-OUTPUT")->text == "the kernel printed: 0 wrong");
    const std::vector<QueueDecl>& queues = run.recording->program().queues;
    REQUIRE(queues.size() == 2);
    CHECK(queues[0].id == 0);
    CHECK(queues[1].id == 16);
    CHECK(queues[1].slots == 1);
  }
}

TEST_CASE("cpp main of cores: blocks of its launch meet") {
  for (const Target target : {Target::A2A3, Target::A5}) {
    const TempFolder folder;
    const KernelRun run = run_cores_main(folder, R"(
  launch_meeting(3, slots_there, out_there);
  aclrtSynchronizeStream(nullptr);
  fetch(out, out_there);
  for (int block = 0; block < 3; ++block) wrong += out[8 * block + 5] != 1.0f + (block + 1) % 3;
)",
                                         target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    REQUIRE_MESSAGE(run.finding("W-CPP-OUTPUT") != nullptr, run.words());
    CHECK(run.finding("W-CPP-OUTPUT")->text == "the kernel printed: 0 wrong");
  }
}

TEST_CASE("cpp main of cores: a launch in which nobody can go on is told, and who is through with it") {
  const TempFolder folder;
  const KernelRun run =
      run_cores_main(folder, "  launch_too_few(a_there, b_there, slots_there);\n  count_wrong();\n", Target::A2A3);
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  REQUIRE_MESSAGE(run.finding("MK-11") != nullptr, run.words());
  const std::string text = run.finding("MK-11")->text;
  CHECK_MESSAGE(text.find("it has ended") != std::string::npos, text);
  CHECK(run.recording->waits().size() == 1);
}

TEST_CASE("cpp main of cores: what it does wrong is told once") {
  const struct {
    const char *behind, *rule, *words;
  } kCases[] = {
      {"  aclrtMemset(out_there, 1 << 20, 0, 1 << 20);\n", "E-CPP-HOST", "of memory that has 4096"},
      {"  launch_twice(2, out_there);\n  return 3;\n", "E-CPP-MAIN", "main returned 3"},
      {"  launch_product(a_there, b_there, slots_there, out_there);\n  fetch(out, out_there);\n"
       "  launch_twice(out[0] == expected[0] ? 5 : 4, out_there);\n",
       "E-CPP-SIZE", "the main launches 5 blocks, and at most 4 in the first run"},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.behind);
    const TempFolder folder;
    const KernelRun run = run_cores_main(folder, one.behind, Target::A2A3);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    REQUIRE_MESSAGE(run.finding(one.rule) != nullptr, run.words());
    CHECK_MESSAGE(run.finding(one.rule)->text.find(one.words) != std::string::npos, run.words());
    CHECK(std::ranges::count(run.recording->findings(), one.rule,
                             [](const Finding& told) { return told.diagnostic.rule; }) == 1);
  }
}

TEST_CASE("cpp main of cores: a launch of more blocks than there are places in memory is refused") {
  const TempFolder folder;
  const KernelRun run = run_cores_main(folder, "  launch_twice(40000, out_there);\n", Target::A2A3);
  CHECK(run.recording == nullptr);
  CHECK_MESSAGE(run.words().find("[E-EMULATE] 40000 blocks that are there at once") != std::string::npos, run.words());
}

}  // namespace ts::test
