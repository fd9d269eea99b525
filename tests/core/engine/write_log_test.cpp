// Joining of write patterns keeps the set of bytes, sorts, and really joins what instructions make.
#include "core/engine/write_log.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/support/random.h"

namespace ts::test {
namespace {

std::vector<WritePattern> joined(const std::vector<WritePattern>& patterns) {
  std::vector<WritePattern> out{{1, 2, 3, 4}};  // must be overwritten
  join(patterns.data(), patterns.data() + patterns.size(), out);
  return out;
}

WritePattern run(Flat base, std::uint32_t size) { return {base, size, size, 1}; }

std::set<Flat> bytes_of(const std::vector<WritePattern>& patterns) {
  std::set<Flat> bytes;
  for (const WritePattern& pattern : patterns)
    for_runs(pattern, [&](Flat base, std::uint32_t size) {
      for (Flat at = base; at < base + size; ++at) bytes.insert(at);
    });
  return bytes;
}

}  // namespace

TEST_CASE("write log: patterns of every kind keep their bytes when joined") {
  Random random(41);
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    std::vector<WritePattern> patterns;
    const std::uint32_t count = random.below(30);
    const bool spread = random.one_in(2);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t size = random.pick({1u, 4u, 8u, 32u, random.between(1, 40)});
      const Flat base = 4096 + (spread ? random.below(4000) : random.below(200) * 4);
      if (!patterns.empty() && random.one_in(3)) {
        // Right behind another one, or at the same distance again.
        const WritePattern& other = patterns[random.below(static_cast<std::uint32_t>(patterns.size()))];
        patterns.push_back(run(other.base + (random.one_in(2) ? other.size : 64), other.size));
      } else if (random.one_in(6)) {
        patterns.push_back({base, size, size + random.below(50), random.between(1, 5)});
      } else {
        patterns.push_back(run(base, size));
      }
    }
    const auto out = joined(patterns);
    CHECK((bytes_of(out) == bytes_of(patterns)));
    CHECK(out.size() <= patterns.size());
    CHECK(std::ranges::is_sorted(out, {}, &WritePattern::base));
    for (const WritePattern& pattern : out) CHECK((pattern.size > 0 && pattern.count > 0));
  }
}

TEST_CASE("write log: adjacent and evenly spaced runs become one") {
  CHECK(joined({}).empty());
  CHECK((joined({run(5000, 7)}) == std::vector<WritePattern>{run(5000, 7)}));
  // One destination, register after register.
  CHECK((joined({run(5000, 256), run(5256, 256), run(5512, 100)}) == std::vector<WritePattern>{run(5000, 612)}));
  // Two destinations alternating.
  CHECK((joined({run(5000, 256), run(9000, 256), run(5256, 256), run(9256, 256)}) ==
         std::vector<WritePattern>{run(5000, 512), run(9000, 512)}));
  // Rows with gaps.
  CHECK((joined({run(5000, 24), run(5064, 24), run(5128, 24)}) == std::vector<WritePattern>{{5000, 24, 64, 3}}));
  // Rows of two parts, of which the first is written again.
  CHECK((joined({run(5000, 16), run(5064, 16), run(5128, 16), run(5016, 8), run(5080, 8), run(5144, 8),
                 run(5000, 16)}) == std::vector<WritePattern>{{5000, 24, 64, 3}}));
  // In any order.
  CHECK((joined({run(5128, 24), run(5000, 24), run(5064, 24)}) == std::vector<WritePattern>{{5000, 24, 64, 3}}));
}

TEST_CASE("write log: blocks in any order are what they are in theirs") {
  Random random(43);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    // Lines of a few blocks, some of them missing, some written again.
    std::vector<WritePattern> sorted;
    const std::uint32_t gap = random.below(3);
    for (std::uint32_t i = 0; i < 200; ++i)
      if (!random.one_in(1 + random.below(8))) sorted.push_back(run(4096 + i * 32 * (1 + gap), 32));
    std::vector<WritePattern> shuffled = sorted;
    for (std::size_t i = shuffled.size(); i > 1; --i)
      std::swap(shuffled[i - 1], shuffled[random.below(static_cast<std::uint32_t>(i))]);
    for (std::uint32_t i = random.below(4); i > 0 && !sorted.empty(); --i) shuffled.push_back(sorted[0]);
    CHECK((joined(shuffled) == joined(sorted)));
  }
}

TEST_CASE("write log: a machine may log more than was expected") {
  WriteLog log;
  WriteLog::Cursor cursor = log.start();
  constexpr std::uint32_t kCount = 10000;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (cursor.next == cursor.end) cursor = log.grow();
    *cursor.next++ = run(4096 + 8 * i, 4);
  }
  log.unspecified(99999, 3);
  log.finish(cursor);
  REQUIRE(log.end() - log.begin() == kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) CHECK(log.begin()[i].base == 4096 + 8 * i);
  CHECK(log.unspecified_ranges().size() == 1);
  log.finish(log.start());
  CHECK(log.begin() == log.end());
  CHECK(log.unspecified_ranges().empty());
}

}  // namespace ts::test
