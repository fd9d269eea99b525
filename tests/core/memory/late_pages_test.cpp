// Pages that are made when somebody looks: no other than pages that were there from the start.
#include "core/memory/late_pages.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "core/memory/memory.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kLate = 6;  // pages, from the second one of gm on

std::byte byte_at(std::uint64_t i) { return static_cast<std::byte>(i * 7 + i / kPageBytes); }

struct LateMemory {
  std::atomic<int> made = 0;
  Memory memory{Target::A5, 10 * kPageBytes};
  Flat begin = memory.map().origin(Space::Gm) + kPageBytes;

  LateMemory() {
    auto pages = std::make_shared<LatePages>();
    pages->add(begin / kPageBytes, begin / kPageBytes + kLate, 100,
               [this](std::uint64_t first, std::span<std::byte> out) {
                 ++made;
                 for (std::size_t i = 0; i < out.size(); ++i) out[i] = byte_at(first + i);
               });
    memory.make_late(pages);
  }
  std::byte expected(Flat at) const { return byte_at(100 + at - begin); }
};

}  // namespace

TEST_CASE("late pages: only those are made that somebody looks at") {
  LateMemory late;
  const Memory& memory = late.memory;
  CHECK(memory.late_bytes() == 0);
  CHECK(memory.worst_definedness(late.begin, kLate * kPageBytes) == Definedness::Written);
  CHECK(memory.worst_definedness(late.begin - 1, 2) == Definedness::Never);
  CHECK(memory.definedness(late.begin + 5 * kPageBytes) == Definedness::Written);
  CHECK(memory.page_is_whole(late.begin / kPageBytes));
  CHECK(late.made == 0);
  const auto across = memory.at(late.begin + kPageBytes - 3, 6);
  CHECK(late.made == 2);
  for (std::uint32_t i = 0; i < 6; ++i) CHECK(across[i] == late.expected(late.begin + kPageBytes - 3 + i));
  CHECK(memory.element(Space::Gm, 4 * kPageBytes, 1) ==
        std::to_integer<std::uint64_t>(late.expected(late.begin + 3 * kPageBytes)));
  CHECK(late.made == 3);
  CHECK(memory.at(late.begin, 1)[0] == late.expected(late.begin));
  CHECK(memory.at(late.begin + kLate * kPageBytes, 1)[0] == std::byte{0});
  CHECK(late.made == 3);
  CHECK(memory.late_bytes() >= 3 * kPageBytes);
}

TEST_CASE("late pages: what is written into one stands between what was there") {
  LateMemory late;
  late.memory.set_element(Space::Gm, kPageBytes + 10, 2, 0xABCD);
  CHECK(late.memory.at(late.begin + 9, 1)[0] == late.expected(late.begin + 9));
  CHECK(late.memory.element(Space::Gm, kPageBytes + 10, 2) == 0xABCD);
  late.memory.mark(late.begin + 2 * kPageBytes + 5, 2, Definedness::Unspecified);
  CHECK(late.memory.definedness(late.begin + 2 * kPageBytes + 4) == Definedness::Written);
  CHECK(late.memory.definedness(late.begin + 2 * kPageBytes + 6) == Definedness::Unspecified);
  CHECK(late.memory.at(late.begin + 2 * kPageBytes, 1)[0] == late.expected(late.begin + 2 * kPageBytes));
}

TEST_CASE("late pages: a page is put back to what it began with, and to what was kept of it") {
  LateMemory late;
  const std::uint32_t page = late.begin / kPageBytes;
  late.memory.set_element(Space::Gm, kPageBytes, 4, 1);
  late.memory.mark(late.begin, 4, Definedness::Unspecified);
  late.memory.make_fresh(page);
  CHECK(late.memory.waits(page));
  CHECK(late.memory.late_bytes() == 0);
  CHECK(late.memory.definedness(late.begin) == Definedness::Written);
  CHECK(late.memory.at(late.begin, 1)[0] == late.expected(late.begin));
  const std::vector<std::byte> kept(kPageBytes, std::byte{9});
  late.memory.put_page(page + 1, kept, {});
  CHECK_FALSE(late.memory.waits(page + 1));
  CHECK(late.memory.at(late.begin + kPageBytes, 1)[0] == std::byte{9});
  CHECK(late.made == 2);
}

TEST_CASE("late pages: several threads look at once, and each page is made once") {
  LateMemory late;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (std::uint32_t i = 0; i < kLate * kPageBytes; ++i)
        if (late.memory.at(late.begin + i, 1)[0] != late.expected(late.begin + i)) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(late.made == kLate);
}

}  // namespace ts::test
