// Kernels that are started by a main on the host: with acl calls, and with tests.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/record/recording_file.h"
#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

constexpr const char* kKernel = R"(#include <pto/pto-inst.hpp>
using namespace pto;

template <typename T>
AICORE void twice_rows(__gm__ T* x, __gm__ T* z, int first, int end) {
  using G = GlobalTensor<T, Shape<1, 1, 1, 1, 64>, Stride<64, 64, 64, 64, 1>>;
  Tile<TileType::Vec, T, 1, 64> a;
  TASSIGN(a, 0);
  for (int i = first; i < end; i += 64) {
    G gx(x + i), gz(z + i);
    TLOAD(a, gx);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TADD(a, a, a);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(gz, a);
    pipe_barrier(PIPE_ALL);
  }
}

__global__ AICORE void by_blocks(__gm__ float* x, __gm__ float* z) {
  twice_rows(x, z, get_block_idx() * 64, get_block_idx() * 64 + 64);
}

template <typename T>
void LaunchTwice(T* x, T* z, int n, void*) {
  twice_rows(x, z, 0, n);
}
template void LaunchTwice<float>(float*, float*, int, void*);

void launch_blocks(float* x, float* z, int blocks, void* stream) { by_blocks<<<blocks, nullptr, stream>>>(x, z); }
)";

constexpr const char* kMain = R"(#include <cstdio>
#include <cstring>
#include "acl/acl.h"

void launch_blocks(float* x, float* z, int blocks, void* stream);

int main(int argc, char** argv) {
  const size_t bytes = 192 * sizeof(float);
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  float *host = nullptr, *x = nullptr, *between = nullptr, *z = nullptr;
  aclrtMallocHost((void**)(&host), bytes);
  aclrtMalloc((void**)&x, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(reinterpret_cast<void**>(&between), bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc((void**)&z, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  for (int i = 0; i < 192; ++i) host[i] = i;
  aclrtMemcpy(x, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  aclrtMemset(between, bytes, 0, bytes);
  launch_blocks(x, between, 2, stream);
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(host, bytes, between, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("first %g %g %g\n", host[0], host[100], host[191]);
  aclrtMemcpy(x, bytes, between, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE);
  launch_blocks(x, z, 3, stream);
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(host, bytes, z, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("then %g %g %g, told %d words\n", host[0], host[100], host[191], argc);
  aclrtFree(x);
  aclrtFree(between);
  aclrtFree(z);
  aclrtFreeHost(host);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
}
)";

constexpr const char* kTests = R"(#include <gtest/gtest.h>

#include "acl/acl.h"

template <typename T>
void LaunchTwice(T* x, T* z, int n, void* stream);

class Twice : public testing::Test {
 protected:
  static void SetUpTestSuite() { aclInit(nullptr); }
  static void TearDownTestSuite() { aclFinalize(); }
  void SetUp() override { aclrtCreateStream(&stream); }
  void TearDown() override { aclrtDestroyStream(stream); }

  void run(int n, float more) {
    float *host, *x, *z;
    aclrtMallocHost((void**)&host, n * 4);
    ASSERT_EQ(aclrtMalloc((void**)&x, n * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS) << "no room";
    aclrtMalloc((void**)&z, n * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
    for (int i = 0; i < n; ++i) host[i] = i;
    aclrtMemcpy(x, n * 4, host, n * 4, ACL_MEMCPY_HOST_TO_DEVICE);
    LaunchTwice(x, z, n, stream);
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(host, n * 4, z, n * 4, ACL_MEMCPY_DEVICE_TO_HOST);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(host[i], 2.0f * i, 1e-6);
    ASSERT_FLOAT_EQ(host[3], 6 + more) << "element " << 3;
    reached = true;
  }
  bool reached = false;
  aclrtStream stream = nullptr;
};

TEST_F(Twice, small) {
  run(64, 0);
  EXPECT_TRUE(reached);
  EXPECT_STREQ(testing::UnitTest::GetInstance()->current_test_info()->name(), "small");
}
TEST_F(Twice, large) { run(256, 0); }
TEST_F(Twice, wrong) {
  run(64, 1);
  EXPECT_FALSE(reached);
}
TEST(Numbers, compared) {
  EXPECT_EQ(1, 1);
  EXPECT_NE(1, 2) << "no";
  EXPECT_LT(1, 2);
  EXPECT_GE(2, 2);
  if (true) EXPECT_GT(2, 1);
  else FAIL();
  EXPECT_DOUBLE_EQ(0.1 + 0.2, 0.3);
  SUCCEED() << "fine";
}
)";

// Both files, and what main is told.
KernelRun run_main(const TempFolder& folder, const char* main, std::vector<std::string> words,
                   Target target = Target::A2A3, std::uint32_t blocks = 1) {
  put_text(folder.path() + "/kernel.cpp", kKernel);
  put_text(folder.path() + "/main.cpp", main);
  cpp::KernelRequest request{.target = target,
                             .host = {{folder.path() + "/main.cpp"}, std::move(words), folder.path()}};
  Diagnostics told;
  const auto tree = compiled(folder.path() + "/kernel.cpp", request, told);
  return run_entry(tree, "", {.target = target, .blocks = blocks}, std::move(told));
}

std::string told_of(const KernelRun& run, const std::string& rule) {
  const Diagnostic* found = run.finding(rule);
  return found == nullptr ? "" : found->text;
}

int count_of(const KernelRun& run, const std::string& rule) {
  return static_cast<int>(std::ranges::count_if(run.recording->findings(),
                                                [&](const Finding& one) { return one.diagnostic.rule == rule; }));
}

}  // namespace

TEST_CASE("cpp main: what acl calls allocate, copy and launch") {
  for (const Target target : {Target::A2A3, Target::A5}) {
    TempFolder folder;
    const KernelRun run = run_main(folder, kMain, {"a", "b"}, target);
    REQUIRE_MESSAGE(run.recording != nullptr, (run.told.empty() ? "" : run.told.front().format()));
    const Recording& recording = *run.recording;
    CHECK(recording.stop_reason() == StopReason::End);
    for (const Finding& one : recording.findings())
      CHECK_MESSAGE(one.diagnostic.rule == "W-CPP-OUTPUT", one.diagnostic.format());
    CHECK(told_of(run, "W-CPP-OUTPUT") == "the kernel printed: first 0 200 0 | then 0 400 0, told 3 words");
    std::vector<std::string> names;
    for (const BufferDecl& buffer : recording.program().buffers) {
      names.push_back(buffer.name);
      CHECK(buffer.dtype == DType::F32);
      CHECK(buffer.elements == 192);
    }
    CHECK(names == std::vector<std::string>{"x", "between", "z"});
    CHECK(std::ranges::count(run.steps(), std::string("begin_block")) == 2 + 3);
    const std::vector<float> z = run.floats("z");
    CHECK(z[100] == 400.0f);
    CHECK(z[191] == 0.0f);
  }
}

TEST_CASE("cpp main: its recording is a file like any other") {
  TempFolder folder;
  const KernelRun run = run_main(folder, kMain, {});
  REQUIRE(run.recording != nullptr);
  const std::string path = folder.path() + "/main.ptorec";
  REQUIRE(save_recording(*run.recording, run.recording->findings(), {}, path).text.empty());
  auto opened = open_recording(path);
  REQUIRE(std::holds_alternative<RecordingFile>(opened));
  CHECK(std::get<RecordingFile>(opened).recording->digest() == run.recording->digest());
}

TEST_CASE("cpp main: tests by their names") {
  TempFolder folder;
  const struct {
    std::vector<std::string> words;
    const char* printed;
    int turns, failed;
  } kCases[] = {
      {{"small"}, "1 of 1 test cases are right", 1, 0},
      {{"Twice.large"}, "1 of 1 test cases are right", 4, 0},
      {{"--gtest_filter=*small:*large-Nobody*"}, "2 of 2 test cases are right", 5, 0},
      {{"--gtest_filter=-*wrong"}, "3 of 3 test cases are right", 5, 0},
      {{}, "Twice.wrong failed | 3 of 4 test cases are right", 6, 1},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.printed);
    const KernelRun run = run_main(folder, kTests, one.words);
    REQUIRE_MESSAGE(run.recording != nullptr, (run.told.empty() ? "" : run.told.front().format()));
    CHECK(run.recording->stop_reason() == StopReason::End);
    CHECK(told_of(run, "W-CPP-OUTPUT") == std::string("the kernel printed: ") + one.printed);
    CHECK(std::ranges::count(run.steps(), std::string("tadd")) == one.turns);
    CHECK(count_of(run, "E-CPP-EXPECT") == one.failed);
    CHECK(count_of(run, "E-CPP-MAIN") == one.failed);
  }
  const KernelRun all = run_main(folder, kTests, {});
  CHECK(told_of(all, "E-CPP-EXPECT") ==
        "main.cpp:26: ASSERT_FLOAT_EQ(host[3], 6 + more): 6 and 7 are more than 4 steps apart; element 3");
  // What each of them calls is a launch.
  CHECK(std::ranges::count(all.steps(), std::string("begin_block")) == 3);
  std::vector<std::string> names;
  for (const BufferDecl& buffer : all.recording->program().buffers) names.push_back(buffer.name);
  CHECK(names == std::vector<std::string>{"x", "z", "x_2", "z_2", "x_3", "z_3"});
}

TEST_CASE("cpp main: no test of that name") {
  TempFolder folder;
  const KernelRun run = run_main(folder, kTests, {"smal"});
  REQUIRE(run.recording != nullptr);
  CHECK(told_of(run, "E-CPP-EXPECT") ==
        "no test case is called so; there are: Twice.small, Twice.large, Twice.wrong, Numbers.compared");
  CHECK(run.finding("E-CPP-EMPTY") != nullptr);
}

TEST_CASE("cpp main: files of its folder, and a main beside its kernel") {
  TempFolder folder;
  const std::string source = std::string(kKernel) + R"(
#include <fstream>
#include "acl/acl.h"
int main(int, char** argv) {
  float host[64];
  std::ifstream("x.bin", std::ios::binary).read((char*)host, sizeof host);
  void* there = nullptr;
  if (aclrtMalloc(&there, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 1;
  aclrtMemcpy(there, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE);
  LaunchTwice((float*)there, (float*)there, 64, nullptr);
  aclrtMemcpy(host, sizeof host, there, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST);
  std::ofstream(argv[1], std::ios::binary).write((const char*)host, sizeof host);
  exit(0);
}
)";
  put_text(folder.path() + "/k.cpp", source);
  const std::vector<float> x(64, 3.0f);
  put_text(folder.path() + "/x.bin", std::string(reinterpret_cast<const char*>(x.data()), 256));
  cpp::KernelRequest request{.host = {.words = {"z.bin"}, .folder = folder.path()}};
  Diagnostics told;
  const auto tree = compiled(folder.path() + "/k.cpp", request, told);
  const KernelRun run = run_entry(tree, "", {}, told);
  REQUIRE_MESSAGE(run.recording != nullptr, (told.empty() ? "" : told.front().format()));
  CHECK(run.recording->stop_reason() == StopReason::End);
  CHECK(run.recording->program().buffers.front().name == "there");
  const std::string z = get_text(folder.path() + "/z.bin");
  REQUIRE(z.size() == 256);
  CHECK(std::ranges::equal(std::span(reinterpret_cast<const float*>(z.data()), 64), std::vector<float>(64, 6.0f)));
}

TEST_CASE("cpp main: what it does wrong is told, and it goes on") {
  const struct {
    const char *body, *rule, *words;
  } kCases[] = {
      {"aclrtMemcpy(x, 1024, host, 1024, ACL_MEMCPY_HOST_TO_DEVICE);", "E-CPP-HOST",
       "main.cpp:9: aclrtMemcpy: 1024 bytes from byte 0 on, of memory that has 256"},
      {"aclrtMemcpy(host, 256, x + 8, 256, ACL_MEMCPY_DEVICE_TO_HOST);", "E-CPP-HOST",
       "256 bytes from byte 32 on, of memory that has 256"},
      {"aclrtMemcpy(x, 64, host, 256, ACL_MEMCPY_HOST_TO_DEVICE);", "E-CPP-HOST", "than there is room for"},
      {"aclrtMemcpy(host, 256, host, 256, ACL_MEMCPY_HOST_TO_DEVICE);", "E-CPP-HOST", "to no memory of the device"},
      {"aclrtFree(x); aclrtMemset(x, 256, 0, 256);", "E-CPP-HOST", "was freed before"},
      {"return 3;", "E-CPP-MAIN", "main returned 3"},
      {"exit(4);", "E-CPP-MAIN", "main returned 4"},
      {"*(int*)0 = 1;", "E-CPP-CRASH", "a null pointer"},
      {"aclrtMemcpy(host, 256, x, 256, ACL_MEMCPY_DEVICE_TO_HOST); void* y; aclrtMalloc(&y, 64 + int(host[1]));",
       "E-CPP-SIZE", "the main allocates 66 bytes"},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.body);
    TempFolder folder;
    const std::string main = std::string(
                                 "#include \"acl/acl.h\"\ntemplate <class T> void LaunchTwice(T*, T*, int, void*);\n"
                                 "int main() {\n  float host[256], *x;\n"
                                 "  aclrtMalloc((void**)&x, 256, ACL_MEM_MALLOC_HUGE_FIRST);\n"
                                 "  for (float& h : host) h = 1;\n"
                                 "  aclrtMemcpy(x, 256, host, 256, ACL_MEMCPY_HOST_TO_DEVICE);\n"
                                 "  LaunchTwice(x, x, 64, nullptr);\n  ") +
                             one.body + "\n}\n";
    const KernelRun run = run_main(folder, main.c_str(), {});
    REQUIRE_MESSAGE(run.recording != nullptr, (run.told.empty() ? "" : run.told.front().format()));
    CHECK_MESSAGE(told_of(run, one.rule).find(one.words) != std::string::npos, told_of(run, one.rule));
    CHECK(run.floats("x")[1] == 2.0f);
  }
}

TEST_CASE("cpp main: calls that are not emulated are named") {
  TempFolder folder;
  const KernelRun run = run_main(folder, "#include \"acl/acl.h\"\nint main() {\n  aclrtQueryEverything();\n}\n", {});
  REQUIRE_FALSE(run.told.empty());
  CHECK(run.told.front().rule == "E-CPP-NAME");
  CHECK(run.told.front().text.find("aclrtQueryEverything is not emulated") != std::string::npos);
}

TEST_CASE("cpp main: nobody else says how many blocks it launches") {
  TempFolder folder;
  const KernelRun run = run_main(folder, kMain, {}, Target::A5, 4);
  CHECK(run.recording == nullptr);
  REQUIRE_FALSE(run.told.empty());
  CHECK(run.told.front().rule == "E-CPP-ARG");
  CHECK(run.told.front().text.find("4 blocks") != std::string::npos);
}

TEST_CASE("cpp main: words and folders are for one that has a main") {
  Diagnostics told;
  compiled("tests/support/cpp/kernels.cce", {.entry = "add", .host = {.words = {"case"}}}, told);
  REQUIRE_FALSE(told.empty());
  CHECK(told.front().rule == "E-CPP-ARG");
}

}  // namespace ts::test
