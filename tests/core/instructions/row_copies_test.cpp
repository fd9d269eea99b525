// Copies of rows by pointers, with loops and padding, in the form of today and the old one, against plain loops over bytes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/record/recording.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kLocal = 1 << 16;
constexpr int kUnknown = -1;

struct CopyLevel {
  std::uint32_t count = 1, global = 0, local = 0;
};
struct RowCopy {
  std::uint32_t element = 4, length = 0, left = 0, right = 0;
  bool padded = false;
  std::vector<CopyLevel> levels;  // the innermost first

  template <class F>
  void for_rows(F f) const {
    std::vector<std::uint32_t> at(levels.size(), 0);
    for (const CopyLevel& level : levels)
      if (level.count == 0) return;
    while (true) {
      std::uint32_t global = 0, local = 0;
      for (std::size_t i = 0; i < levels.size(); ++i)
        global += at[i] * levels[i].global, local += at[i] * levels[i].local;
      f(global, local);
      std::size_t i = 0;
      while (i < levels.size() && ++at[i] == levels[i].count) at[i++] = 0;
      if (i == levels.size()) return;
    }
  }
  std::uint32_t reach() const {
    std::uint32_t end = 0;
    for_rows([&](std::uint32_t global, std::uint32_t) { end = std::max(end, global + length); });
    return end;
  }
};

RowCopy random_copy(Random& random, bool loads, std::size_t loops) {
  RowCopy copy;
  copy.length = copy.element * random.between(1, 40);
  copy.padded = loads && random.one_in(3);
  if (copy.padded) copy.left = random.below(9), copy.right = random.below(9);
  const std::uint32_t row = ((copy.left + copy.right) * copy.element + copy.length + 31) / 32 * 32;
  std::uint32_t global = copy.length, local = row;
  for (std::size_t i = 0; i <= loops; ++i) {
    CopyLevel level{random.between(1, 4), global + copy.element * random.below(5), local + 32 * random.below(3)};
    global = level.count * level.global, local = level.count * level.local;
    copy.levels.push_back(level);
  }
  return copy;
}

std::string loading_text(const RowCopy& copy, bool old_form) {
  std::string constants, loops, types, sets;
  int names = 0;
  const auto number = [&](std::uint64_t value) {
    constants += fmt::format("    %n{} = arith.constant {} : i64\n", names, value);
    return fmt::format("%n{}", names++);
  };
  const CopyLevel& burst = copy.levels[0];
  const std::string zero = number(0), length = number(copy.length), count = number(burst.count),
                    global = number(burst.global), local = number(burst.local);
  std::string copying;
  if (old_form) {
    const CopyLevel one, &inner = copy.levels.size() > 1 ? copy.levels[1] : one,
                         &outer = copy.levels.size() > 2 ? copy.levels[2] : one;
    sets =
        fmt::format("    pto.set_loop_size_outtoub {}, {} : i64, i64\n", number(inner.count), number(outer.count)) +
        fmt::format("    pto.set_loop1_stride_outtoub {}, {} : i64, i64\n", number(inner.global), number(inner.local)) +
        fmt::format("    pto.set_loop2_stride_outtoub {}, {} : i64, i64\n", number(outer.global), number(outer.local));
    copying = fmt::format(
        "    pto.copy_gm_to_ubuf %src, %ub, {0}, {1}, {2}, {0}, {0}, %no, {0}, {3}, {4} : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, "
        "i64, i64, i64, i64, i64, i1, i64, i64, i64\n",
        zero, count, length, global, local);
  } else {
    for (std::size_t i = 1; i < copy.levels.size(); ++i) {
      loops += fmt::format(" loop({}, {}, {})", number(copy.levels[i].count), number(copy.levels[i].global),
                           number(copy.levels[i].local));
      types += ", loop i64, i64, i64";
    }
    if (copy.padded) {
      loops += fmt::format(" pad(%value, {}, {})", number(copy.left), number(copy.right));
      types += ", pad i32, i64, i64";
    }
    copying = fmt::format(
        "    pto.mte_gm_ub %src, %ub, {}, {} nburst({}, {}, {}){} : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64{}\n",
        zero, length, count, global, local, loops, types);
  }
  return "module attributes {pto.target_arch = \"a5\"} {\n  func.func @k(%src: !pto.ptr<i32, gm>) {\n    %no = arith.constant false\n"
         "    %value = arith.constant 77 : i32\n" +
         constants + fmt::format("    %ub = pto.castptr {} : i64 -> !pto.ptr<i32, ub>\n", zero) + sets + copying +
         "    return\n  }\n}\n";
}

std::string storing_text(const RowCopy& copy, bool old_form) {
  std::string constants, loops, types, sets, storing;
  int names = 0;
  const auto number = [&](std::uint64_t value) {
    constants += fmt::format("    %n{} = arith.constant {} : i64\n", names, value);
    return fmt::format("%n{}", names++);
  };
  const CopyLevel& burst = copy.levels[0];
  const std::string zero = number(0), one = number(1), all = number(kLocal / 2), length = number(copy.length),
                    count = number(burst.count), global = number(burst.global), local = number(burst.local);
  if (old_form) {
    const CopyLevel single, &inner = copy.levels.size() > 1 ? copy.levels[1] : single,
                            &outer = copy.levels.size() > 2 ? copy.levels[2] : single;
    sets =
        fmt::format("    pto.set_loop_size_ubtoout {}, {} : i64, i64\n", number(inner.count), number(outer.count)) +
        fmt::format("    pto.set_loop1_stride_ubtoout {}, {} : i64, i64\n", number(inner.local), number(inner.global)) +
        fmt::format("    pto.set_loop2_stride_ubtoout {}, {} : i64, i64\n", number(outer.local), number(outer.global));
    storing = fmt::format(
        "    pto.copy_ubuf_to_gm %ub, %dst, {0}, {1}, {2}, {0}, {3}, {4} : !pto.ptr<i32, ub>, !pto.ptr<i32, gm>, i64, i64, "
        "i64, i64, i64, i64\n",
        zero, count, length, global, local);
  } else {
    for (std::size_t i = 1; i < copy.levels.size(); ++i) {
      loops += fmt::format(" loop({}, {}, {})", number(copy.levels[i].count), number(copy.levels[i].local),
                           number(copy.levels[i].global));
      types += ", loop i64, i64, i64";
    }
    storing = fmt::format(
        "    pto.mte_ub_gm %ub, %dst, {} nburst({}, {}, {}){} : !pto.ptr<i32, ub>, !pto.ptr<i32, gm>, i64, i64, i64, i64{}\n",
        length, count, local, global, loops, types);
  }
  return "module attributes {pto.target_arch = \"a5\"} {\n  func.func @k(%src: !pto.ptr<i32, gm>, %dst: !pto.ptr<i32, gm>) {\n" +
         constants + fmt::format("    %ub = pto.castptr {} : i64 -> !pto.ptr<i32, ub>\n", zero) +
         fmt::format(
             "    pto.mte_gm_ub %src, %ub, {0}, {1} nburst({2}, {1}, {1}) : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64\n",
             zero, all, one) +
         "    pto.barrier <PIPE_ALL>\n" + sets + storing + "    return\n  }\n}\n";
}

std::vector<std::byte> noise(Random& random, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::byte& one : bytes) one = static_cast<std::byte>(random.next() >> 56);
  return bytes;
}

std::unique_ptr<Recording> run_copy(const std::string& text, const std::vector<std::byte>& data) {
  OpenRequest request;
  request.inputs.data["src"] = data;
  OpenedText opened = open_text(text, Target::A5, request);
  std::string told;
  for (const Diagnostic& one : opened.diagnostics) told += one.format() + "\n";
  CAPTURE(text);
  CAPTURE(told);
  REQUIRE(opened.opened);
  auto recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{16} << 20});
  for (const Finding& one : recording->findings()) told += one.diagnostic.format() + "\n";
  CHECK_MESSAGE(recording->stop_reason() == StopReason::End, told);
  return recording;
}

}  // namespace

TEST_CASE("row copies: what is loaded by pointers, row by row, with its padding") {
  Random random(811);
  for (int round = 0; round < rounds(10, 60, 2'000); ++round) {
    const bool old_form = random.one_in(3);
    RowCopy copy = random_copy(random, true, random.below(old_form ? 3 : 4));
    if (old_form) copy.padded = false, copy.left = copy.right = 0;
    const std::vector<std::byte> data = noise(random, (copy.reach() + 3) / 4 * 4);
    std::vector<int> wanted(kLocal, kUnknown);
    copy.for_rows([&](std::uint32_t global, std::uint32_t local) {
      const std::uint32_t begin = local + copy.left * copy.element, end = begin + copy.length;
      for (std::uint32_t i = 0; i < copy.length; ++i) wanted[begin + i] = std::to_integer<int>(data[global + i]);
      const auto pad = [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t i = from; i < to; ++i) wanted[i] = (i - local) % 4 == 0 ? 77 : 0;
      };
      const std::uint32_t block_end = (end + copy.right * copy.element + 31) / 32 * 32;
      if (copy.padded) pad(local, begin), pad(end, block_end);
      else
        for (std::uint32_t i = end; i < block_end; ++i) wanted[i] = kUnknown - 1;  // nobody promises what is there
    });
    const std::string text = loading_text(copy, old_form);
    const auto recording = run_copy(text, data);
    const Memory& memory = recording->final_memory();
    CAPTURE(text);
    for (std::uint32_t i = 0; i < kLocal; ++i) {
      const Definedness worth = memory.definedness(memory.map().flat(Space::Ub, i));
      if (wanted[i] >= 0) REQUIRE(memory.element(Space::Ub, i, 1) == static_cast<std::uint64_t>(wanted[i]));
      REQUIRE(worth == (wanted[i] >= 0          ? Definedness::Written
                        : wanted[i] == kUnknown ? Definedness::Never
                                                : Definedness::Unspecified));
    }
  }
}

TEST_CASE("row copies: what is stored by pointers, row by row, and nothing beside it") {
  Random random(812);
  for (int round = 0; round < rounds(10, 60, 2'000); ++round) {
    const bool old_form = random.one_in(3);
    const RowCopy copy = random_copy(random, false, random.below(old_form ? 3 : 4));
    std::uint32_t local_end = 0;
    copy.for_rows([&](std::uint32_t, std::uint32_t local) { local_end = std::max(local_end, local + copy.length); });
    if (local_end > kLocal / 2) continue;
    const std::vector<std::byte> data = noise(random, kLocal / 2);
    std::vector<int> wanted(copy.reach(), kUnknown);
    copy.for_rows([&](std::uint32_t global, std::uint32_t local) {
      for (std::uint32_t i = 0; i < copy.length; ++i) wanted[global + i] = std::to_integer<int>(data[local + i]);
    });
    const std::string text = storing_text(copy, old_form);
    const auto recording = run_copy(text, data);
    CAPTURE(text);
    const auto& buffers = recording->program().buffers;
    const auto dst = std::ranges::find(buffers, "dst", &BufferDecl::name);
    REQUIRE(dst != buffers.end());
    const Memory& memory = recording->final_memory();
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
      const Flat at = memory.map().flat(Space::Gm, dst->address + i);
      REQUIRE((memory.definedness(at) == Definedness::Written) == (wanted[i] >= 0));
      if (wanted[i] >= 0)
        REQUIRE(memory.element(Space::Gm, dst->address + i, 1) == static_cast<std::uint64_t>(wanted[i]));
    }
  }
}

TEST_CASE(
    "row copies: behind the end of a buffer nothing is read or written, and it is said; far behind it is an error") {
  RowCopy copy;
  copy.length = 64;
  copy.levels = {{2, 64, 64}};
  const std::string text = loading_text(copy, false);
  OpenRequest request;
  request.inputs.data["src"] = std::vector<std::byte>(96, std::byte{7});
  OpenedText opened = open_text(text, Target::A5, request);
  REQUIRE(opened.opened);
  const auto recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{16} << 20});
  CHECK(recording->stop_reason() == StopReason::End);
  REQUIRE(!recording->findings().empty());
  CHECK(recording->findings()[0].diagnostic.rule == "MTE_GM_UB-R3");
  CHECK(recording->findings()[0].diagnostic.severity == Severity::Warning);
  const Memory& memory = recording->final_memory();
  CHECK(memory.element(Space::Ub, 95, 1) == 7);
  CHECK(memory.definedness(memory.map().flat(Space::Ub, 96)) == Definedness::Unspecified);
  copy.levels = {{2, 4u << 20, 64}};
  OpenedText far = open_text(loading_text(copy, false), Target::A5, request);
  const bool refused =
      std::ranges::any_of(far.diagnostics, [](const Diagnostic& one) { return one.severity == Severity::Error; });
  if (!refused && far.opened) {
    const auto stopped = Recording::run(std::move(far.opened->program), {.budget_bytes = std::size_t{16} << 20});
    CHECK(stopped->stop_reason() == StopReason::Error);
  }
}

}  // namespace ts::test
