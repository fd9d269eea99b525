// Tests of a main: as much of googletest's names as tests of kernels use. Written for TileScope: what fails becomes a
// finding, with its line; `tilescope run kernel.cpp main.cpp -- CASE` runs the cases that are called so.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../tilescope/call.h"
#include "../tilescope/host.h"

namespace testing {

class Test {
 public:
  virtual ~Test() = default;
  static void SetUpTestSuite() {}
  static void TearDownTestSuite() {}
  static void SetUpTestCase() {}
  static void TearDownTestCase() {}
  virtual void SetUp() {}
  virtual void TearDown() {}
  virtual void TestBody() = 0;
  static bool HasFailure();
  static bool HasFatalFailure();
};

class TestInfo {
 public:
  TestInfo(const char* suite, const char* name) : suite_(suite), name_(name) {}
  const char* name() const { return name_; }
  const char* test_suite_name() const { return suite_; }
  const char* test_case_name() const { return suite_; }

 private:
  const char *suite_, *name_;
};

class UnitTest {
 public:
  static UnitTest* GetInstance() {
    static UnitTest one;
    return &one;
  }
  const TestInfo* current_test_info() const { return current; }
  const TestInfo* current = nullptr;
};

}  // namespace testing

namespace tilescope {

struct TestCase {
  testing::TestInfo info;
  testing::Test* (*make)();
  void (*begin_suite)();
  void (*end_suite)();
};
struct TestState {
  std::vector<TestCase> cases;
  std::vector<std::string> wanted;  // patterns; none: all
  bool failed = false, fatal = false, skipped = false;
};
inline TestState& tests() {
  static TestState one;
  return one;
}

// `*` stands for any letters, `?` for one.
inline bool matches(const char* pattern, const char* name) {
  if (*pattern == '\0') return *name == '\0';
  if (*pattern == '*') return matches(pattern + 1, name) || (*name != '\0' && matches(pattern, name + 1));
  return *name != '\0' && (*pattern == '?' || *pattern == *name) && matches(pattern + 1, name + 1);
}
// A pattern is one of the whole name or of the case's own.
inline bool is_wanted(const testing::TestInfo& info) {
  const std::vector<std::string>& wanted = tests().wanted;
  bool any = false, all_exclude = true;
  const std::string whole = std::string(info.test_suite_name()) + "." + info.name();
  for (const std::string& one : wanted) {
    const bool excludes = !one.empty() && one[0] == '-';
    const char* pattern = one.c_str() + (excludes ? 1 : 0);
    const bool fits = matches(pattern, whole.c_str()) || matches(pattern, info.name());
    if (fits && excludes) return false;
    all_exclude = all_exclude && excludes;
    any = any || fits;
  }
  return any || all_exclude;
}
// "A.*:B.?-A.slow", each part a pattern; what comes behind the minus is left out.
inline void want(const std::string& filter) {
  std::string part;
  bool excludes = false;
  const auto close = [&] {
    if (!part.empty()) tests().wanted.push_back((excludes ? "-" : "") + part);
    part.clear();
  };
  for (const char c : filter) {
    if (c != ':' && c != '-') part += c;
    else close();
    excludes = excludes || c == '-';
  }
  close();
}

class Message {
 public:
  template <class T>
  Message& operator<<(const T& value) {
    text_ << value;
    return *this;
  }
  Message& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
    text_ << manipulator;
    return *this;
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

template <class T, class = void>
struct IsPrinted : std::false_type {};
template <class T>
struct IsPrinted<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>> : std::true_type {
};
template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out.precision(9);
  if constexpr (std::is_enum<T>::value) out << static_cast<long long>(value);
  else if constexpr (std::is_same<T, std::nullptr_t>::value) out << "nullptr";
  else if constexpr (IsPrinted<T>::value) out << value;
  else out << "(" << sizeof(T) << " bytes)";
  return out.str();
}

// What a check came to; the text says why it is no.
struct Verdict {
  bool good;
  std::string text;
  explicit operator bool() const { return good; }
};
template <class A, class B, class Compare>
Verdict compared(const char* sign, const A& a, const B& b, Compare compare) {
  if (compare(a, b)) return {true, {}};
  return {false, printed(a) + " " + sign + " " + printed(b) + " is not so"};
}
template <class A>
Verdict is(bool wanted, const A& value) {
  return {static_cast<bool>(value) == wanted, wanted ? "it is false" : "it is true"};
}
template <class F>
Verdict near_in_ulps(F a, F b) {
  if (a == b) return {true, {}};
  constexpr int kMost = 4;
  F step = b;
  for (int i = 0; i < kMost; ++i) {
    step = std::nextafter(step, a);
    if (step == a) return {true, {}};
  }
  return {false, printed(a) + " and " + printed(b) + " are more than 4 steps apart"};
}
inline Verdict same_words(bool wanted, const char* a, const char* b) {
  const bool same = a == nullptr || b == nullptr ? a == b : std::strcmp(a, b) == 0;
  return {same == wanted, "'" + std::string(a == nullptr ? "null" : a) + "' and '" +
                              std::string(b == nullptr ? "null" : b) + (wanted ? "' differ" : "' are the same")};
}

struct Failed {
  const char *check, *arguments, *file;
  std::uint32_t line;
  bool fatal;
  std::string text;
  void operator=(const Message& message) const {
    tests().failed = true;
    tests().fatal = tests().fatal || fatal;
    const std::string said = message.text();
    const std::string whole = std::string(check) + "(" + arguments + "): " + text + (said.empty() ? "" : "; " + said);
    ts_wrong(ts_border::WrongKind::Test, ts_site("EXPECT", file, "", line, 0), whole.c_str());
  }
};
struct Skipped {
  void operator=(const Message&) const { tests().skipped = true; }
};

template <class T>
int add_test(const char* suite, const char* name) {
  tests().cases.push_back({{suite, name}, [] { return static_cast<testing::Test*>(new T); }, T::ts_begin, T::ts_end});
  return 0;
}

// True: nothing of it failed.
inline bool run_test(const TestCase& one) {
  TestState& state = tests();
  state.failed = state.fatal = state.skipped = false;
  testing::UnitTest::GetInstance()->current = &one.info;
  ts_synchronise();
  testing::Test* test = one.make();
  test->SetUp();
  if (!state.fatal && !state.skipped) test->TestBody();
  test->TearDown();
  delete test;
  testing::UnitTest::GetInstance()->current = nullptr;
  return !state.failed;
}

inline int run_all_tests() {
  const TestState& state = tests();
  int ran = 0, good = 0;
  std::string names;
  const TestCase* before = nullptr;
  for (const TestCase& one : state.cases) {
    names += std::string(names.empty() ? "" : ", ") + one.info.test_suite_name() + "." + one.info.name();
    if (!is_wanted(one.info)) continue;
    const bool new_suite =
        before == nullptr || std::strcmp(before->info.test_suite_name(), one.info.test_suite_name()) != 0;
    if (new_suite && before != nullptr) before->end_suite();
    if (new_suite) one.begin_suite();
    before = &one;
    ++ran;
    if (run_test(one)) ++good;
    else std::printf("%s.%s failed\n", one.info.test_suite_name(), one.info.name());
  }
  if (before != nullptr) before->end_suite();
  if (ran == 0) ts_wrong(ts_border::WrongKind::Test, 0, ("no test case is called so; there are: " + names).c_str());
  else std::printf("%d of %d test cases are right\n", good, ran);
  std::fflush(stdout);
  return ran > 0 && good == ran ? 0 : 1;
}

}  // namespace tilescope

namespace testing {

inline bool Test::HasFailure() { return tilescope::tests().failed; }
inline bool Test::HasFatalFailure() { return tilescope::tests().fatal; }

// Words of the command line are names of cases, or --gtest_filter=PATTERNS.
inline void InitGoogleTest(int* count, char** words) {
  constexpr char kFilter[] = "--gtest_filter=";
  for (int i = 1; count != nullptr && i < *count; ++i) {
    if (std::strncmp(words[i], kFilter, sizeof kFilter - 1) == 0) tilescope::want(words[i] + sizeof kFilter - 1);
    else if (words[i][0] != '-') tilescope::want(words[i]);
  }
}
inline void InitGoogleTest() {}

}  // namespace testing

inline int RUN_ALL_TESTS() { return tilescope::run_all_tests(); }

#define TS_TEST(SUITE, NAME, BASE)                                                                     \
  class SUITE##_##NAME##_Test : public BASE {                                                          \
   public:                                                                                             \
    void TestBody() override;                                                                          \
    static void ts_begin() {                                                                           \
      SetUpTestCase();                                                                                 \
      SetUpTestSuite();                                                                                \
    }                                                                                                  \
    static void ts_end() {                                                                             \
      TearDownTestSuite();                                                                             \
      TearDownTestCase();                                                                              \
    }                                                                                                  \
  };                                                                                                   \
  static const int SUITE##_##NAME##_added = tilescope::add_test<SUITE##_##NAME##_Test>(#SUITE, #NAME); \
  void SUITE##_##NAME##_Test::TestBody()
#define TEST(SUITE, NAME) TS_TEST(SUITE, NAME, ::testing::Test)
#define TEST_F(SUITE, NAME) TS_TEST(SUITE, NAME, SUITE)

#define TS_CHECK(CHECK, ARGUMENTS, FATAL, LEAVE, VERDICT)                   \
  switch (0)                                                                \
  case 0:                                                                   \
  default:                                                                  \
    if (const ::tilescope::Verdict ts_verdict = (VERDICT); ts_verdict.good) \
      ;                                                                     \
    else                                                                    \
      LEAVE ::tilescope::Failed{CHECK, ARGUMENTS, __FILE__, __LINE__, FATAL, ts_verdict.text} = ::tilescope::Message()

#define TS_COMPARED(SIGN, A, B) \
  ::tilescope::compared(#SIGN, A, B, [](const auto& ts_a, const auto& ts_b) { return ts_a SIGN ts_b; })
#define TS_NEAR(A, B, MOST)                                                            \
  ::tilescope::compared("about", A, B, [&](const auto& ts_a, const auto& ts_b) {       \
    return std::fabs(static_cast<double>(ts_a) - static_cast<double>(ts_b)) <= (MOST); \
  })

#define EXPECT_TRUE(A) TS_CHECK("EXPECT_TRUE", #A, false, , ::tilescope::is(true, A))
#define EXPECT_FALSE(A) TS_CHECK("EXPECT_FALSE", #A, false, , ::tilescope::is(false, A))
#define EXPECT_EQ(A, B) TS_CHECK("EXPECT_EQ", #A ", " #B, false, , TS_COMPARED(==, A, B))
#define EXPECT_NE(A, B) TS_CHECK("EXPECT_NE", #A ", " #B, false, , TS_COMPARED(!=, A, B))
#define EXPECT_LT(A, B) TS_CHECK("EXPECT_LT", #A ", " #B, false, , TS_COMPARED(<, A, B))
#define EXPECT_LE(A, B) TS_CHECK("EXPECT_LE", #A ", " #B, false, , TS_COMPARED(<=, A, B))
#define EXPECT_GT(A, B) TS_CHECK("EXPECT_GT", #A ", " #B, false, , TS_COMPARED(>, A, B))
#define EXPECT_GE(A, B) TS_CHECK("EXPECT_GE", #A ", " #B, false, , TS_COMPARED(>=, A, B))
#define EXPECT_NEAR(A, B, MOST) TS_CHECK("EXPECT_NEAR", #A ", " #B ", " #MOST, false, , TS_NEAR(A, B, MOST))
#define EXPECT_FLOAT_EQ(A, B) TS_CHECK("EXPECT_FLOAT_EQ", #A ", " #B, false, , ::tilescope::near_in_ulps<float>(A, B))
#define EXPECT_DOUBLE_EQ(A, B) \
  TS_CHECK("EXPECT_DOUBLE_EQ", #A ", " #B, false, , ::tilescope::near_in_ulps<double>(A, B))
#define EXPECT_STREQ(A, B) TS_CHECK("EXPECT_STREQ", #A ", " #B, false, , ::tilescope::same_words(true, A, B))
#define EXPECT_STRNE(A, B) TS_CHECK("EXPECT_STRNE", #A ", " #B, false, , ::tilescope::same_words(false, A, B))

#define ASSERT_TRUE(A) TS_CHECK("ASSERT_TRUE", #A, true, return, ::tilescope::is(true, A))
#define ASSERT_FALSE(A) TS_CHECK("ASSERT_FALSE", #A, true, return, ::tilescope::is(false, A))
#define ASSERT_EQ(A, B) TS_CHECK("ASSERT_EQ", #A ", " #B, true, return, TS_COMPARED(==, A, B))
#define ASSERT_NE(A, B) TS_CHECK("ASSERT_NE", #A ", " #B, true, return, TS_COMPARED(!=, A, B))
#define ASSERT_LT(A, B) TS_CHECK("ASSERT_LT", #A ", " #B, true, return, TS_COMPARED(<, A, B))
#define ASSERT_LE(A, B) TS_CHECK("ASSERT_LE", #A ", " #B, true, return, TS_COMPARED(<=, A, B))
#define ASSERT_GT(A, B) TS_CHECK("ASSERT_GT", #A ", " #B, true, return, TS_COMPARED(>, A, B))
#define ASSERT_GE(A, B) TS_CHECK("ASSERT_GE", #A ", " #B, true, return, TS_COMPARED(>=, A, B))
#define ASSERT_NEAR(A, B, MOST) TS_CHECK("ASSERT_NEAR", #A ", " #B ", " #MOST, true, return, TS_NEAR(A, B, MOST))
#define ASSERT_FLOAT_EQ(A, B) \
  TS_CHECK("ASSERT_FLOAT_EQ", #A ", " #B, true, return, ::tilescope::near_in_ulps<float>(A, B))
#define ASSERT_DOUBLE_EQ(A, B) \
  TS_CHECK("ASSERT_DOUBLE_EQ", #A ", " #B, true, return, ::tilescope::near_in_ulps<double>(A, B))
#define ASSERT_STREQ(A, B) TS_CHECK("ASSERT_STREQ", #A ", " #B, true, return, ::tilescope::same_words(true, A, B))
#define ASSERT_STRNE(A, B) TS_CHECK("ASSERT_STRNE", #A ", " #B, true, return, ::tilescope::same_words(false, A, B))

#define TS_FAILED(CHECK, FATAL) \
  ::tilescope::Failed{CHECK, "", __FILE__, __LINE__, FATAL, "failed"} = ::tilescope::Message()
#define ADD_FAILURE() TS_FAILED("ADD_FAILURE", false)
#define FAIL() return TS_FAILED("FAIL", true)
#define SUCCEED() ::tilescope::Message()
#define GTEST_SKIP() return ::tilescope::Skipped{} = ::tilescope::Message()
