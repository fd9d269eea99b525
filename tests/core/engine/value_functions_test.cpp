// The value functions of registers and predicates, on every SIMD level: against loops over bits and lanes, against the
// test vectors of the A5 pages, and all arithmetic against the plain one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "tests/oracle/number.h"
#include "tests/support/engine/simd_levels.h"
#include "tests/support/engine/value_table.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr int kRounds = 200;

template <class F>
void on_every_level(F f) {
  for (const std::int64_t level : simd_levels()) {
    const OnSimdLevel on(level);
    CAPTURE(std::string(simd_level_name(level)));
    f(value_table());
  }
}

bool bit(const PredWords& p, std::uint32_t k) { return p.word[k / 64] >> (k % 64) & 1; }
void set_bit(PredWords& p, std::uint32_t k, bool on) { p.word[k / 64] |= std::uint64_t{on} << (k % 64); }

PredWords random_pred(Random& random) {
  switch (random.below(4)) {
    case 0: return {{0, 0, 0, 0}};
    case 1: return {{~0ull, ~0ull, ~0ull, ~0ull}};
    default: return {{random.next(), random.next(), random.next(), random.next()}};
  }
}
RegBytes random_reg(Random& random) {
  RegBytes bytes;
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
  return bytes;
}

// A predicate from the documents' way to write it: eight 32-bit words.
PredWords words(std::array<std::uint32_t, 8> w) {
  PredWords p{};
  for (std::uint32_t i = 0; i < 8; ++i) p.word[i / 2] |= std::uint64_t{w[i]} << (i % 2 * 32);
  return p;
}
PredWords repeated(std::uint32_t first, std::uint32_t rest) {
  return words({first, rest, rest, rest, rest, rest, rest, rest});
}

std::uint64_t lane(const RegBytes& v, std::uint32_t i, std::uint32_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, v.data() + i * size, size);
  return bits;
}

}  // namespace

TEST_CASE("simd levels: dynamic dispatch really switches") {
  std::vector<const void*> tables, lowerings;
  const InstructionRow* tadd = find_instruction("tadd");
  REQUIRE(tadd != nullptr);
  on_every_level([&](const ValueTable& table) {
    tables.push_back(&table);
    lowerings.push_back(reinterpret_cast<const void*>(tadd->machines.run().at(Target::A5, DType::F16)));
  });
  for (auto* seen : {&tables, &lowerings}) {
    std::ranges::sort(*seen);
    CHECK(std::ranges::adjacent_find(*seen) == seen->end());
    CHECK(seen->size() == simd_levels().size());
  }
}

TEST_CASE("predicates: the first lanes") {
  on_every_level([](const ValueTable& table) {
    for (std::uint32_t s = 0; s < 4; ++s) {
      const std::uint32_t size = 1u << s;
      for (std::uint32_t count : {0u,  1u,  2u,  7u,   8u,   9u,   13u,  15u,  16u,  17u,  31u,     32u,        33u,
                                  63u, 64u, 65u, 100u, 127u, 128u, 129u, 255u, 256u, 257u, 100000u, 0xFFFFFFFFu}) {
        CAPTURE(size);
        CAPTURE(count);
        PredWords expected{};
        for (std::uint32_t i = 0; i < VL / size; ++i) set_bit(expected, i * size, i < count);
        CHECK((table.lanes[s].first_lanes(count) == expected));
        CHECK(table.lanes[s].all_lanes_on(expected) == (count >= VL / size));
      }
    }
    // The images of the A5 pages.
    CHECK((table.lanes[2].first_lanes(13) == words({0x11111111, 0x00011111, 0, 0, 0, 0, 0, 0})));
    CHECK((table.lanes[2].first_lanes(4) == words({0x00001111, 0, 0, 0, 0, 0, 0, 0})));
    CHECK((table.lanes[1].first_lanes(64) == words({0x55555555, 0x55555555, 0x55555555, 0x55555555, 0, 0, 0, 0})));
    CHECK((table.lanes[2].first_lanes(64) == repeated(0x11111111, 0x11111111)));
  });
}

TEST_CASE("predicates: bytes of active lanes; lane bits packed and spread") {
  on_every_level([](const ValueTable& table) {
    Random random(1);
    for (int round = 0; round < kRounds; ++round) {
      const PredWords p = random_pred(random);
      for (std::uint32_t s = 0; s < 4; ++s) {
        const std::uint32_t size = 1u << s;
        CAPTURE(size);
        PredWords bytes{};
        bool all = true;
        for (std::uint32_t k = 0; k < 256; ++k) set_bit(bytes, k, bit(p, k / size * size));
        for (std::uint32_t i = 0; i < VL / size; ++i) all = all && bit(p, i * size);
        CHECK((table.lanes[s].active_bytes(p) == bytes));
        CHECK(table.lanes[s].all_lanes_on(p) == all);
        std::uint64_t packed = 0, spread = 0;
        const std::uint64_t x = random.next();
        for (std::uint32_t i = 0; i < 64 / size; ++i) {
          packed |= (x >> (i * size) & 1) << i;
          spread |= (x >> i & 1) << (i * size);
        }
        CHECK(table.lanes[s].pack(x) == packed);
        CHECK(table.lanes[s].spread(x) == spread);
        if (table.lanes[s].load_lane_bits == nullptr) continue;
        std::uint8_t memory[32];
        for (std::uint8_t& byte : memory) byte = static_cast<std::uint8_t>(random.next());
        PredWords loaded{};
        for (std::uint32_t i = 0; i < VL / size; ++i) set_bit(loaded, i * size, memory[i / 8] >> (i % 8) & 1);
        CHECK((table.lanes[s].load_lane_bits(memory) == loaded));
      }
    }
  });
}

TEST_CASE("predicates: plds NORM and US, punpack LOWER, pintlv_b16") {
  on_every_level([](const ValueTable& table) {
    Random random(2);
    for (int round = 0; round < kRounds; ++round) {
      const PredWords a = random_pred(random), b = random_pred(random);
      std::uint8_t memory[32];
      std::memcpy(memory, a.word, 32);
      CHECK((table.load_pred(memory) == a));
      PredWords doubled{}, unpacked{}, low{}, high{};
      for (std::uint32_t k = 0; k < 128; ++k) {
        set_bit(doubled, 2 * k, bit(a, k));
        set_bit(doubled, 2 * k + 1, bit(a, k));
        set_bit(unpacked, 2 * k, bit(a, k));
      }
      // Groups of two bits, alternating; the halves of the result.
      for (std::uint32_t group = 0; group < 256; ++group) {
        const PredWords& from = group % 2 == 0 ? a : b;
        for (std::uint32_t i = 0; i < 2; ++i)
          set_bit(group < 128 ? low : high, group % 128 * 2 + i, bit(from, group / 2 * 2 + i));
      }
      CHECK((table.load_pred_us(memory) == doubled));
      CHECK((table.unpack_lower(a) == unpacked));
      const PredPairWords pair = table.interleave16(a, b);
      CHECK((pair.lo == low));
      CHECK((pair.hi == high));
    }
  });
}

TEST_CASE("predicates: the test vectors of the A5 pages") {
  on_every_level([](const ValueTable& table) {
    // pintlv_b16(PAT_VL8, PAT_M4)
    const PredPairWords pair = table.interleave16(table.lanes[1].first_lanes(8), repeated(0x01010101, 0x01010101));
    CHECK((pair.lo == repeated(0x11151115, 0x00040004)));
    CHECK((pair.hi == repeated(0x00040004, 0x00040004)));
    // ppack(pset_b32 PAT_M4, LOWER) = 01010101 x4, 0 x4; then punpack LOWER
    CHECK((table.unpack_lower(words({0x01010101, 0x01010101, 0x01010101, 0x01010101, 0, 0, 0, 0})) ==
           repeated(0x00010001, 0x00010001)));
    // ppack(b32 all, LOWER) = 55555555 x4, 0 x4; unpacked again it is b32 all
    CHECK((table.unpack_lower(words({0x55555555, 0x55555555, 0x55555555, 0x55555555, 0, 0, 0, 0})) ==
           repeated(0x11111111, 0x11111111)));
    // The mask byte of the worked example of TSELS.
    std::uint8_t memory[32] = {0xB1};
    const PredWords bits = table.load_pred_us(memory);
    CHECK((bits == words({0xCF03, 0, 0, 0, 0, 0, 0, 0})));
    CHECK((table.unpack_lower(bits) == words({0x50550005, 0, 0, 0, 0, 0, 0, 0})));
    // psts PK then plds US of a b8 prefix n: bit k = src[2 * (k / 2)]
    for (const std::uint32_t n : {1u, 2u, 3u, 145u, 256u}) {
      const PredWords source = table.lanes[0].first_lanes(n);
      std::uint8_t packed[16] = {};
      for (std::uint32_t k = 0; k < 128; ++k)
        packed[k / 8] = static_cast<std::uint8_t>(packed[k / 8] | bit(source, 2 * k) << (k % 8));
      PredWords expected{};
      for (std::uint32_t k = 0; k < 256; ++k) set_bit(expected, k, bit(source, k / 2 * 2));
      CHECK((table.load_pred_us(packed) == expected));
    }
  });
}

TEST_CASE("registers: lanes selected, zeroed, stored, split, broadcast") {
  on_every_level([](const ValueTable& table) {
    Random random(3);
    for (int round = 0; round < kRounds; ++round) {
      const RegBytes a = random_reg(random), b = random_reg(random);
      const PredWords p = random_pred(random);
      for (std::uint32_t s = 0; s < 4; ++s) {
        const std::uint32_t size = 1u << s;
        CAPTURE(size);
        RegBytes selected, zeroed;
        std::vector<std::uint8_t> memory(VL + 128, 0x5A), stored(memory);
        for (std::uint32_t k = 0; k < VL; ++k) {
          const bool on = bit(p, k / size * size);
          selected[k] = on ? a[k] : b[k];
          zeroed[k] = on ? a[k] : 0;
          if (on) stored[64 + k] = a[k];
        }
        const LaneFunctions& f = table.lanes[s];
        CHECK((f.select(p, a, b) == selected));
        CHECK((f.zero_inactive(a, p) == zeroed));
        f.store_lanes(a, p, memory.data() + 64);
        CHECK((memory == stored));
        const std::uint64_t bits = random.next();
        RegBytes filled;
        for (std::uint32_t k = 0; k < VL; ++k) filled[k] = static_cast<std::uint8_t>(bits >> (8 * (k % size)));
        CHECK((f.broadcast(bits) == filled));
        if (f.deinterleave == nullptr) continue;
        RegPairBytes split;
        for (std::uint32_t i = 0; i < 2 * VL / size; ++i) {
          const RegBytes& from = i < VL / size ? a : b;
          std::memcpy((i % 2 == 0 ? split.lo : split.hi).data() + i / 2 * size, from.data() + i % (VL / size) * size,
                      size);
        }
        const RegPairBytes got = f.deinterleave(a, b);
        CHECK((got.lo == split.lo));
        CHECK((got.hi == split.hi));
      }
    }
  });
}

TEST_CASE("registers: splicing and dropping of bytes, for unaligned stores") {
  on_every_level([](const ValueTable& table) {
    Random random(4);
    for (std::uint32_t count = 0; count < 32; ++count) {
      CAPTURE(count);
      const RegBytes a = random_reg(random), b = random_reg(random);
      RegBytes spliced;
      for (std::uint32_t k = 0; k < VL; ++k) spliced[k] = k < count ? a[k] : b[k - count];
      CHECK((table.splice(a, b, count) == spliced));
    }
    for (std::uint32_t from = 0; from <= VL; ++from) {
      CAPTURE(from);
      const RegBytes a = random_reg(random), got = table.drop(a, from);
      // What follows the kept bytes is of no use to anybody.
      CHECK(std::equal(a.begin() + from, a.end(), got.begin()));
    }
  });
}

TEST_CASE("arithmetic: 32-bit sums with carry") {
  on_every_level([](const ValueTable& table) {
    Random random(5);
    for (int round = 0; round < kRounds; ++round) {
      RegBytes a = random_reg(random), b = random_reg(random), sum{};
      // Carries that a plain random word seldom makes.
      for (std::uint32_t i = 0; i < 64; i += 3) std::memset(a.data() + 4 * i, 0xFF, 4);
      for (std::uint32_t i = 0; i < 64; i += 5) std::memset(b.data() + 4 * i, i % 2 == 0 ? 0xFF : 0, 4);
      PredWords carry_in = random_pred(random), carry{};
      for (std::uint64_t& word : carry_in.word) word &= 0x1111111111111111ull;
      table.add_with_carry(a, b, carry_in, sum, carry);
      for (std::uint32_t i = 0; i < 64; ++i) {
        CAPTURE(i);
        const std::uint64_t wide = lane(a, i, 4) + lane(b, i, 4) + bit(carry_in, 4 * i);
        CHECK(lane(sum, i, 4) == (wide & 0xFFFFFFFF));
        CHECK(bit(carry, 4 * i) == (wide >> 32 != 0));
      }
      for (std::uint32_t k = 0; k < 256; ++k) CHECK((k % 4 == 0 || !bit(carry, k)));
    }
  });
}

TEST_CASE("arithmetic: every half, widened, added to -0 and rounded, is itself") {
  on_every_level([](const ValueTable& table) {
    for (const DType type : {DType::F16, DType::BF16}) {
      CAPTURE(std::string(name(type)));
      RegBytes minus_zero, halves;
      for (std::uint32_t i = 0; i < 128; ++i) minus_zero[2 * i] = 0, minus_zero[2 * i + 1] = 0x80;
      for (std::uint32_t first = 0; first < 65536; first += 128) {
        for (std::uint32_t i = 0; i < 128; ++i) {
          const auto bits = static_cast<std::uint16_t>(first + i);
          std::memcpy(halves.data() + 2 * i, &bits, 2);
        }
        for (const bool swapped : {false, true}) {
          const RegBytes sum = swapped ? table.add[static_cast<int>(type)](minus_zero, halves)
                                       : table.add[static_cast<int>(type)](halves, minus_zero);
          for (std::uint32_t i = 0; i < 128; ++i) {
            const std::uint64_t bits = first + i, quiet = type == DType::F16 ? 0x0200 : 0x0040;
            if (lane(sum, i, 2) == (oracle::is_nan(type, bits) ? bits | quiet : bits)) continue;
            CAPTURE(bits);
            CHECK(lane(sum, i, 2) == (oracle::is_nan(type, bits) ? bits | quiet : bits));
          }
        }
      }
    }
  });
}

TEST_CASE("arithmetic: a million random pairs of each float format, and many integers") {
  for (int t = 0; t < kDTypes; ++t) {
    if (is_small_float(static_cast<DType>(t)) || is_packed(static_cast<DType>(t))) continue;  // never computed with
    const auto type = static_cast<DType>(t);
    const std::uint32_t size = size_bytes(type), lanes = VL / size;
    if (size == 8) continue;
    CAPTURE(std::string(name(type)));
    const std::uint32_t pairs = (is_float(type) ? 1u << 20 : 1u << 16) / (kSanitized ? 16 : 1);
    Random random(100 + static_cast<std::uint64_t>(t));
    std::vector<RegBytes> a(pairs / lanes), b(a.size()), expected(a.size());
    for (std::size_t r = 0; r < a.size(); ++r) {
      // Some registers without a NaN, some full of special values.
      const Values values = random.pick({Values::Plain, Values::Plain, Values::AnyBits, Values::Special});
      for (std::uint32_t i = 0; i < lanes; ++i) {
        const std::uint64_t x = random_element(random, type, values), y = random_element(random, type, values),
                            sum = oracle::add(type, x, y);
        std::memcpy(a[r].data() + i * size, &x, size);
        std::memcpy(b[r].data() + i * size, &y, size);
        std::memcpy(expected[r].data() + i * size, &sum, size);
      }
    }
    on_every_level([&](const ValueTable& table) {
      for (std::size_t r = 0; r < a.size(); ++r) {
        const RegBytes got = table.add[t](a[r], b[r]);
        if (got == expected[r]) continue;
        for (std::uint32_t i = 0; i < lanes; ++i) {
          if (lane(got, i, size) == lane(expected[r], i, size)) continue;
          CAPTURE(lane(a[r], i, size));
          CAPTURE(lane(b[r], i, size));
          CHECK(lane(got, i, size) == lane(expected[r], i, size));
          return;
        }
      }
    });
  }
}

}  // namespace ts::test
