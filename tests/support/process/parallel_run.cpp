// Tests one by one, as the processes that run them are free.
#include "tests/support/process/parallel_run.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/process/progress.h"

namespace ts::test {
namespace {

constexpr int kMostJobs = 64;
constexpr std::size_t kMostFinished = 1 << 14;
constexpr unsigned kMostAgain = 8;  // where more fail it is no chance

// What all processes count together. It lies in memory that they share.
struct Counts {
  std::atomic<unsigned> next = 0;  // the first test that nobody has taken
  std::atomic<unsigned> ran = 0, done = 0, failed = 0, assertions = 0, failed_assertions = 0;
  RunningTest running[kMostJobs] = {};
  FinishedTest finished[kMostFinished] = {};
  std::atomic<unsigned> wrong = 0;  // tests that failed, by their numbers
  unsigned wrong_tests[kMostAgain] = {};
};

Counts* counts = nullptr;
unsigned chosen_tests = 0;

// Of all tests each `of`-th, from number `first` on: --part=1/3 is the first third. Neighbours are alike, so parts are too.
struct Part {
  unsigned first = 0, of = 1;
  unsigned size() const { return chosen_tests > first ? (chosen_tests - first - 1) / of + 1 : 0; }
};
Part wanted;
RunningTest* own = nullptr;  // of this process

// Hears what doctest says to its reporters.
struct Listener : doctest::IReporter {
  explicit Listener(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData& query) override {
    if (query.run_stats) chosen_tests = query.run_stats->numTestCasesPassingFilters;
  }
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    counts->failed += stats.numTestCasesFailed;
    counts->assertions += static_cast<unsigned>(stats.numAsserts);
    counts->failed_assertions += static_cast<unsigned>(stats.numAssertsFailed);
  }
  void test_case_start(const doctest::TestCaseData& test) override {
    ++counts->ran;
    own->begin(test.m_name);
  }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {
    const unsigned place = counts->done++;
    if (place < kMostFinished) counts->finished[place] = own->finished();
    own->end();
  }
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& data) override {
    if (data.m_failed) ProgressLine::make_room();
  }
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("parallel", 1, Listener);

// A process of its own with what it has printed, which is shown in one piece: two failures side by side stay readable.
struct Worker {
  pid_t process = 0;
  std::FILE* output = nullptr;
};

void show(std::FILE* output) {
  std::rewind(output);
  char part[4096];
  bool first = true;
  while (const std::size_t size = std::fread(part, 1, sizeof part, output)) {
    if (std::exchange(first, false)) ProgressLine::make_room();
    std::fwrite(part, 1, size, stdout);
  }
  std::fflush(stdout);
}

// The test with this number, and no other; whether it passed.
bool run_one(int argc, char** argv, unsigned number) {
  doctest::Context context(argc, argv);
  context.setOption("first", static_cast<int>(number + 1));
  context.setOption("last", static_cast<int>(number + 1));
  context.setOption("minimal", true);
  return context.run() == 0;
}

void work(int argc, char** argv, std::FILE* output) {
  const int shown = ::dup(STDOUT_FILENO);
  for (;;) {
    // One at a time: of several that take long, the last process would do all while the others have nothing left.
    const unsigned taken = counts->next.fetch_add(1);
    if (taken >= wanted.size()) return;
    const unsigned next = wanted.first + taken * wanted.of;
    std::rewind(output);
    ::dup2(::fileno(output), STDOUT_FILENO);
    if (!run_one(argc, argv, next))
      if (const unsigned place = counts->wrong++; place < kMostAgain) counts->wrong_tests[place] = next;
    std::fflush(stdout);
    ::dup2(shown, STDOUT_FILENO);
    show(output);
    if (::ftruncate(::fileno(output), 0) != 0) return;
  }
}

unsigned count_chosen(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  char count[] = "--count";
  arguments.push_back(count);
  std::ostringstream unread;
  doctest::Context context(argc + 1, arguments.data());
  context.setCout(&unread);
  context.run();
  return chosen_tests;
}

bool wants(int argc, char** argv, std::string_view option) {
  return std::any_of(argv, argv + argc, [&](const char* argument) { return argument == option; });
}

// The text behind an option of ours, such as 4 of --jobs=4.
std::string_view option_of(int argc, char** argv, std::string_view name) {
  for (std::string_view argument : std::span(argv, static_cast<std::size_t>(argc)))
    if (argument.starts_with(name)) return argument.substr(name.size());
  return {};
}

int jobs_of(int argc, char** argv) {
  int jobs = 1;
  const std::string_view text = option_of(argc, argv, "--jobs=");
  std::from_chars(text.begin(), text.end(), jobs);
  return std::clamp(jobs, 1, kMostJobs);
}

// Whether what stands behind --part= is a part.
bool read_part(std::string_view text) {
  if (text.empty()) return true;
  unsigned number = 0, of = 0;
  const auto slash = std::from_chars(text.begin(), text.end(), number);
  if (slash.ptr == text.end() || *slash.ptr != '/') return false;
  const auto end = std::from_chars(slash.ptr + 1, text.end(), of);
  if (end.ptr != text.end() || number < 1 || number > of) return false;
  wanted = {number - 1, of};
  return true;
}

// What failed runs once more, alone: what then passes fails by chance. It is told, and counts as passed.
void run_again(int argc, char** argv) {
  const unsigned wrong = counts->wrong;
  for (unsigned i = 0; i < wrong && wrong <= kMostAgain; ++i) {
    const unsigned ran = counts->ran, failed = counts->failed, failed_assertions = counts->failed_assertions;
    std::fflush(stdout);
    const pid_t process = ::fork();
    if (process == 0) std::exit(run_one(argc, argv, counts->wrong_tests[i]) ? 0 : 1);
    int status = 1;
    if (process > 0) ::waitpid(process, &status, 0);
    counts->ran = ran, counts->failed = failed, counts->failed_assertions = failed_assertions;
    if (status != 0) continue;
    --counts->failed;
    fmt::print("unsteady: failed beside others, and passed alone: {}\n", own->name());
  }
}

int run_side_by_side(int argc, char** argv, int jobs) {
  std::vector<Worker> workers;
  for (int i = 0; i < jobs; ++i) {
    Worker worker{.output = std::tmpfile()};
    if (!worker.output || (worker.process = ::fork()) < 0) return 1;
    if (worker.process == 0) {
      own = &counts->running[i];
      work(argc, argv, worker.output);
      // Not _exit: the leak checker looks at the end.
      std::exit(0);
    }
    workers.push_back(worker);
  }
  for (const Worker& worker : workers) {
    int status = 0;
    ::waitpid(worker.process, &status, 0);
    if (status == 0) continue;
    show(worker.output);
    fmt::print("a process with tests ended early, with status {}\n", status);
    ++counts->failed;
  }
  if (wants(argc, argv, "--again")) run_again(argc, argv);
  return counts->failed > 0 || counts->ran < wanted.size() ? 1 : 0;
}

// The line that continuous integration adds up.
void print_summary() {
  const unsigned ran = counts->ran, failed = counts->failed, assertions = counts->assertions;
  fmt::print("tests: {} passed, {} failed; assertions: {}, of them {} failed\n", ran - std::min(ran, failed), failed,
             assertions, counts->failed_assertions.load());
}

}  // namespace

int run_tests(int argc, char** argv) {
  doctest::Context context(argc, argv);
  // What only asks, for the names of tests or for help, runs none.
  if (context.shouldExit()) return context.run();
  void* shared = ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  counts = new (shared) Counts;
  own = &counts->running[0];
  const int jobs = jobs_of(argc, argv);
  if (!read_part(option_of(argc, argv, "--part="))) {
    fmt::print(stderr, "--part= takes a part of the tests, such as 1/3\n");
    return 2;
  }
  if (count_chosen(argc, argv) == 0) {
    print_summary();
    return 0;
  }
  const ProgressLine line(
      wants(argc, argv, "--progress"),
      {.done = counts->done, .all = wanted.size(), .running = {counts->running, std::size_t(jobs)}});
  const int status = jobs == 1 && wanted.of == 1 ? context.run() : run_side_by_side(argc, argv, jobs);
  line.end();
  if (wants(argc, argv, "--progress"))
    print_slowest({counts->finished, std::min<std::size_t>(counts->done, kMostFinished)});
  print_summary();
  return status;
}

}  // namespace ts::test
