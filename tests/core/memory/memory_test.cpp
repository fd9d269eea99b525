// The memories: where spaces stand, elements, and two bits of definedness for every byte.
#include "core/memory/memory.h"

#include <doctest/doctest.h>

#include <fstream>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace ts::test {

TEST_CASE("memory: capacities are those of the pages") {
  struct Row {
    Space space;
    std::uint32_t a2a3, a5;
  };
  const Row rows[] = {{Space::Ub, 196608, 262144}, {Space::L1, 524288, 524288},  {Space::L0a, 65536, 65536},
                      {Space::L0b, 65536, 65536},  {Space::L0c, 131072, 262144}, {Space::Bias, 1024, 4096},
                      {Space::Fixpipe, 2048, 4096}};
  for (const Row& row : rows) {
    CAPTURE(std::string(name(row.space)));
    CHECK(capacity_bytes(Target::A2A3, row.space) == row.a2a3);
    CHECK(capacity_bytes(Target::A5, row.space) == row.a5);
  }
}

TEST_CASE("memory: spaces do not overlap, and every byte knows its space") {
  for (const Target target : kBothTargets) {
    for (const std::uint32_t gm_bytes : {0u, 1u, 512u, 5000u}) {
      const MemoryMap map(target, gm_bytes);
      Flat end = kFirstFlat;
      for (int i = 0; i < kSpaces; ++i) {
        const auto space = static_cast<Space>(i);
        CAPTURE(std::string(name(space)));
        CHECK(map.origin(space) >= end);
        CHECK(map.origin(space) % kPageBytes == 0);
        CHECK(map.size(space) == (space == Space::Gm ? gm_bytes : capacity_bytes(target, space)));
        end = map.origin(space) + map.size(space);
        if (map.size(space) == 0) continue;
        for (const std::uint32_t address : {0u, map.size(space) / 2, map.size(space) - 1}) {
          CHECK(map.locate(map.flat(space, address)) == ByteRange{space, address, 1});
          CHECK(map.locate(map.flat(space, address), 7) == ByteRange{space, address, 7});
        }
      }
      CHECK(map.end() >= end);
      CHECK(map.pages() * kPageBytes >= map.end());
    }
  }
}

TEST_CASE("memory: elements are little-endian, at any address") {
  Memory memory(Target::A5, 64);
  memory.set_element(Space::Gm, 3, 4, 0x11223344);
  const auto bytes = memory.bytes(Space::Gm, 3, 4);
  CHECK(bytes[0] == std::byte{0x44});
  CHECK(bytes[3] == std::byte{0x11});
  CHECK(memory.element(Space::Gm, 3, 4) == 0x11223344);
  CHECK(memory.element(Space::Gm, 4, 2) == 0x2233);
  memory.set_element(Space::Gm, 56, 8, 0x8877665544332211);
  CHECK(memory.element(Space::Gm, 56, 8) == 0x8877665544332211);
  memory.set_element(Space::Gm, 4, 1, 0xFFFFFF99);
  CHECK(memory.element(Space::Gm, 3, 4) == 0x11229944);
}

TEST_CASE("memory: on-chip bytes start as poison, global ones as zero, and nobody wrote any") {
  for (const Target target : kBothTargets) {
    const Memory memory(target, 4096);
    for (const Space space : {Space::Ub, Space::L1, Space::L0c, Space::Spr, Space::Gm}) {
      CAPTURE(std::string(name(space)));
      const std::uint32_t last = memory.map().size(space) - 1;
      for (const std::uint32_t address : {0u, last}) {
        CHECK(memory.element(space, address, 1) == (space == Space::Gm ? 0 : 0xCD));
        CHECK(memory.definedness(memory.map().flat(space, address)) == Definedness::Never);
      }
    }
  }
}

TEST_CASE("memory: definedness of random ranges, byte for byte, and pages that are whole") {
  Memory memory(Target::A5, 3 * kPageBytes);
  const Flat begin = memory.map().origin(Space::Ub);
  constexpr std::uint32_t kBytes = 4 * kPageBytes;
  std::vector<Definedness> expected(kBytes, Definedness::Never);
  Random random(61);
  for (int round = 0; round < 1500; ++round) {
    std::uint32_t at = random.below(kBytes),
                  size = random.below(std::min(random.pick({2u, 70u, 300u, 5000u}), kBytes - at + 1));
    // Whole pages now and then, so that there are some.
    if (random.one_in(20)) at = random.below(4) * kPageBytes, size = kPageBytes;
    const Definedness what = random.pick({Definedness::Never, Definedness::Written, Definedness::Written,
                                          Definedness::Written, Definedness::Unspecified});
    memory.mark(begin + at, size, what);
    std::fill_n(expected.begin() + at, size, what);
    if (round % 25 != 0) continue;
    CAPTURE(round);
    for (std::uint32_t i = 0; i < kBytes; ++i) {
      if (memory.definedness(begin + i) == expected[i]) continue;
      CAPTURE(i);
      FAIL("another definedness");
    }
    for (std::uint32_t page = 0; page < 4; ++page) {
      const auto* from = expected.data() + page * kPageBytes;
      CHECK(memory.page_is_whole(begin / kPageBytes + page) ==
            std::all_of(from, from + kPageBytes, [](Definedness d) { return d == Definedness::Written; }));
    }
  }
  // Its neighbours were not touched.
  CHECK(memory.definedness(begin + kBytes) == Definedness::Never);
  CHECK(memory.definedness(begin - 1) == Definedness::Never);
}

TEST_CASE("memory: only marks that change something are noted") {
  Memory memory(Target::A5, 0);
  const Flat begin = memory.map().origin(Space::Ub);
  const std::uint32_t page = begin / kPageBytes;
  CHECK(!memory.planes_changed(page));
  memory.mark(begin + 100, 7, Definedness::Written);
  CHECK(memory.planes_changed(page));
  CHECK(!memory.planes_changed(page + 1));
  for (const Definedness what : {Definedness::Written, Definedness::Unspecified, Definedness::Never}) {
    memory.mark(begin + 100, 7, what);
    memory.planes_kept(page);
    memory.mark(begin + 100, 7, what);
    CHECK(!memory.planes_changed(page));
    memory.mark(begin + 200, 9, what);
    CHECK(memory.planes_changed(page));
  }
  // A whole page, and one byte of it.
  memory.mark(begin, kPageBytes, Definedness::Written);
  memory.planes_kept(page);
  memory.mark(begin + 5, 1, Definedness::Written);
  CHECK(!memory.planes_changed(page));
  memory.mark(begin + 5, 1, Definedness::Unspecified);
  CHECK(memory.planes_changed(page));
}

TEST_CASE("memory: asking for untouched pages takes no memory of the host") {
  // Where the system gives each page that is read a place of its own, looking at the planes would.
  const auto resident = [] {
    std::ifstream statm("/proc/self/statm");
    std::size_t all = 0, held = 0;
    statm >> all >> held;
    return held * 4096;
  };
  Memory memory(Target::A5, 1u << 30);
  const std::uint32_t first = memory.map().origin(Space::Gm) / kPageBytes;
  memory.mark(memory.map().origin(Space::Gm) + 5 * kPageBytes, 1, Definedness::Written);
  const std::size_t before = resident();
  for (std::uint32_t page = first; page < memory.map().pages(); ++page)
    CHECK(memory.untouched(page) == (page != first + 5));
  CHECK(resident() < before + (std::size_t{16} << 20));
}

TEST_CASE("memory: a range over two pages marks both") {
  Memory memory(Target::A2A3, 0);
  const Flat edge = memory.map().origin(Space::Ub) + kPageBytes;
  memory.mark(edge - 3, 6, Definedness::Written);
  for (int i = -5; i < 5; ++i) {
    CAPTURE(i);
    CHECK(memory.definedness(edge + static_cast<Flat>(i)) ==
          (i >= -3 && i < 3 ? Definedness::Written : Definedness::Never));
  }
  memory.mark(edge, 0, Definedness::Unspecified);
  CHECK(memory.definedness(edge) == Definedness::Written);
}

}  // namespace ts::test
