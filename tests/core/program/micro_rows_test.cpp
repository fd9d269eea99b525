// Micro-instructions beyond lanes of registers: masks in streams, sorting by pointers, pointers that move on, casts that
// loops hand on, regions that see their arguments alone; and what is refused of masks, streams and scalar loads.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/check/check.h"
#include "core/record/recording.h"
#include "tests/support/random.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kInBytes = 4096;  // in UB from 0 on; results go behind them

// %in, %out: ui32 in UB; %c<n>: index; %n<n>: i32; %l<n>: i64.
std::string kernel_of(const std::string& region, const std::string& before = "", const std::string& behind = "",
                      const char* header = "pto.vecscope {") {
  std::string text =
      "module attributes {pto.target_arch = \"a5\"} {\n  func.func @k(%src: !pto.ptr<ui32, gm>, %dst: !pto.ptr<ui32, gm>) {\n";
  for (const int n : {0, 1, 2, 3, 4, 8, 16, 64, 128, 256})
    text += fmt::format("    %c{} = arith.constant {} : index\n", n, n);
  for (const int n : {0, 1, 3, 5, 7, 8, 13, 127}) text += fmt::format("    %n{} = arith.constant {} : i32\n", n, n);
  for (const int n : {0, 1, 2048, 4096, 8192, 16384}) text += fmt::format("    %l{} = arith.constant {} : i64\n", n, n);
  text +=
      "    %in = pto.castptr %l0 : i64 -> !pto.ptr<ui32, ub>\n    %out = pto.castptr %l4096 : i64 -> !pto.ptr<ui32, ub>\n"
      "    pto.mte_gm_ub %src, %in, %l0, %l4096 nburst(%l1, %l4096, %l4096) : !pto.ptr<ui32, gm>, !pto.ptr<ui32, ub>, i64, "
      "i64, i64, i64, i64\n    pto.barrier <PIPE_ALL>\n" +
      before;
  if (!region.empty())
    text += std::string("    ") + header + "\n" + region + (header == std::string("pto.vecscope {") ? "    }\n" : "");
  return text + "    pto.barrier <PIPE_ALL>\n" + behind + "    return\n  }\n}\n";
}

struct Ran {
  std::shared_ptr<Recording> recording;
  std::string told;
  bool found(std::string_view text) const { return told.find(text) != std::string::npos; }
  std::uint32_t word(std::uint32_t at) const {
    return static_cast<std::uint32_t>(recording->final_memory().element(Space::Ub, at, 4));
  }
  std::vector<std::uint8_t> bytes(std::uint32_t at, std::uint32_t count) const {
    const auto of = recording->final_memory().bytes(Space::Ub, at, count);
    std::vector<std::uint8_t> out(count);
    std::memcpy(out.data(), of.data(), count);
    return out;
  }
};

Ran run_kernel(const std::string& text, const std::vector<std::uint32_t>& in = {}) {
  OpenRequest request;
  std::vector<std::byte> bytes(kInBytes);
  for (std::uint32_t i = 0; i < kInBytes / 4; ++i) {
    const std::uint32_t word = i < in.size() ? in[i] : 1000 + i;
    std::memcpy(bytes.data() + std::size_t{4} * i, &word, 4);
  }
  request.inputs.data["src"] = bytes;
  OpenedText opened = open_text(text, Target::A5, request);
  Ran ran;
  for (const Diagnostic& one : opened.diagnostics) ran.told += one.format() + "\n  " + one.hint + "\n";
  if (!opened.opened) return ran;
  ran.recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{16} << 20});
  for (const Finding& one : ran.recording->findings())
    ran.told += one.diagnostic.format() + "\n  " + one.diagnostic.hint + "\n";
  return ran;
}
Ran runs_to_end(const std::string& text, const std::vector<std::uint32_t>& in = {}) {
  Ran ran = run_kernel(text, in);
  CAPTURE(text);
  CAPTURE(ran.told);
  REQUIRE(ran.recording != nullptr);
  CHECK(ran.recording->stop_reason() == StopReason::End);
  return ran;
}
void refuses_kernel(const std::string& text, std::string_view rule, std::string_view says) {
  const Ran ran = run_kernel(text);
  CAPTURE(text);
  CAPTURE(ran.told);
  CHECK(ran.found(rule));
  CHECK(ran.found(says));
  CHECK((ran.recording == nullptr || ran.recording->stop_reason() != StopReason::End));
}

std::string mask_stream(int bits, int first, int second, const char* base) {
  const char* type = bits == 16 ? "ui16" : "ui32";
  return fmt::format(
      "      %m, %r = pto.plt_b{0} %n{1} : i32 -> !pto.mask<b{0}>, i32\n"
      "      %k, %s = pto.plt_b{0} %n{2} : i32 -> !pto.mask<b{0}>, i32\n"
      "      %e = pto.init_align : !pto.align\n"
      "      %at = pto.castptr {4} : !pto.ptr<ui32, ub> -> !pto.ptr<{3}, ub>\n"
      "      %a, %p = pto.pstu %e, %m, %at : !pto.align, !pto.mask<b{0}>, !pto.ptr<{3}, ub> -> !pto.align, !pto.ptr<{3}, ub>\n"
      "      %b, %q = pto.pstu %a, %k, %p : !pto.align, !pto.mask<b{0}>, !pto.ptr<{3}, ub> -> !pto.align, !pto.ptr<{3}, ub>\n"
      "      pto.vstas %b, %q, %n0 : !pto.align, !pto.ptr<{3}, ub>, i32\n",
      bits, first, second, type, base);
}

// --- sorting ----------------------------------------------------------------------------------------------------------

struct SortRecord {
  float score;
  std::uint32_t index;
};
std::uint32_t bits_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

}  // namespace

TEST_CASE("micro rows: pstu packs a bit for each lane behind each other") {
  using Bytes = std::vector<std::uint8_t>;
  Bytes narrow(16, 0);
  narrow[0] = 0xFF, narrow[1] = 0x1F, narrow[8] = 0x7F;
  CHECK(runs_to_end(kernel_of(mask_stream(32, 13, 7, "%out"))).bytes(4096, 16) == narrow);
  Bytes wide(32, 0);
  wide[0] = 1;
  std::fill(wide.begin() + 16, wide.end() - 1, 0xFF);
  wide[31] = 0x7F;
  CHECK(runs_to_end(kernel_of(mask_stream(16, 1, 127, "%out"))).bytes(4096, 32) == wide);
  // From a place inside of a block on; what stands before it stays.
  const Ran inside =
      runs_to_end(kernel_of("      %later = pto.addptr %in, %c4 : !pto.ptr<ui32, ub> -> !pto.ptr<ui32, ub>\n" +
                            mask_stream(32, 13, 7, "%later")));
  CHECK(inside.bytes(16, 16) == narrow);
  CHECK(inside.word(12) == 1003);
  CHECK(inside.word(32) == 1008);
}

TEST_CASE("micro rows: vbitsort and vmrgsort4 sort as a stable sort does, and tell what they took") {
  Random random(28);
  std::vector<std::uint32_t> in(1024);
  std::vector<SortRecord> lists[4];
  for (std::uint32_t i = 0; i < 128; ++i) {
    const SortRecord record{static_cast<float>(random.below(40)) - 20, 5000 + i};
    in[i] = bits_of_float(record.score), in[128 + i] = record.index;
    lists[i / 32].push_back(record);
  }
  const auto greater = [](const SortRecord& a, const SortRecord& b) { return a.score > b.score; };
  std::vector<SortRecord> all;
  for (auto& list : lists) {
    std::ranges::stable_sort(list, greater);
    all.insert(all.end(), list.begin(), list.end());
  }
  std::ranges::stable_sort(all, greater);
  const std::string pointers =
      "    %f = pto.castptr %l0 : i64 -> !pto.ptr<f32, ub>\n    %i = pto.addptr %in, %c128 : !pto.ptr<ui32, ub> -> !pto.ptr<ui32, ub>\n"
      "    %s0 = pto.castptr %l4096 : i64 -> !pto.ptr<f32, ub>\n    %s1 = pto.addptr %s0, %c64 : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>\n"
      "    %s2 = pto.addptr %s1, %c64 : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>\n    %s3 = pto.addptr %s2, %c64 : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>\n"
      "    %d = pto.castptr %l8192 : i64 -> !pto.ptr<f32, ub>\n";
  const std::string sort =
      "    pto.vbitsort %out, %f, %i, %c4 : !pto.ptr<ui32, ub>, !pto.ptr<f32, ub>, !pto.ptr<ui32, ub>, index\n    pto.barrier <PIPE_ALL>\n";
  const auto merge = [&](std::uint64_t counts, std::uint32_t config) {
    return fmt::format(
        "    %counts = arith.constant {} : i64\n    %config = arith.constant {} : i64\n"
        "    pto.vmrgsort4 %d, %s0, %s1, %s2, %s3, %counts, %config : !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, "
        "!pto.ptr<f32, ub>, !pto.ptr<f32, ub>, i64, i64\n    pto.barrier <PIPE_ALL>\n",
        counts, config);
  };
  const Ran sorted = runs_to_end(kernel_of("", "", pointers + sort + merge(0x0020002000200020, 0xF01)), in);
  for (std::uint32_t i = 0; i < 128; ++i) {
    CAPTURE(i);
    CHECK(sorted.word(4096 + 8 * i) == bits_of_float(lists[i / 32][i % 32].score));
    CHECK(sorted.word(4096 + 8 * i + 4) == lists[i / 32][i % 32].index);
    CHECK(sorted.word(8192 + 8 * i) == bits_of_float(all[i].score));
    CHECK(sorted.word(8192 + 8 * i + 4) == all[i].index);
  }
  // Lists of one record: the first that is empty ends it.
  std::vector<std::uint32_t> four(1024);
  const float scores[] = {9, 7, 8, 6};
  for (std::uint32_t i = 0; i < 4; ++i) four[64 * i] = bits_of_float(scores[i]), four[64 * i + 1] = 90 - i;
  const std::string stored =
      "    %t0, %t1, %t2, %t3 = pto.get_vms4_sr : i16, i16, i16, i16\n    %to = pto.castptr %l16384 : i64 -> !pto.ptr<i16, ub>\n"
      "    pto.store_scalar %t0, %to[%c0] : !pto.ptr<i16, ub>, i16\n    pto.store_scalar %t1, %to[%c1] : !pto.ptr<i16, ub>, i16\n"
      "    pto.store_scalar %t2, %to[%c2] : !pto.ptr<i16, ub>, i16\n    pto.store_scalar %t3, %to[%c3] : !pto.ptr<i16, ub>, i16\n";
  std::string from_in = pointers;
  from_in.replace(from_in.find("%s0 = pto.castptr %l4096"), 24, "%s0 = pto.castptr %l0");
  const Ran early = runs_to_end(kernel_of("", "", from_in + merge(0x0001000100010001, 0x1F01) + stored), four);
  CHECK(early.word(8192) == bits_of_float(9));
  CHECK(early.word(8196) == 90);
  const Memory& memory = early.recording->final_memory();
  CHECK(memory.definedness(memory.map().flat(Space::Ub, 8200)) == Definedness::Never);
  CHECK(early.word(16384) == 1);
  CHECK(early.word(16388) == 0);
  refuses_kernel(kernel_of("", "", pointers + merge(0x0001000100010001, 0x0101)), "VMRGSORT4-R2", "0001");
  refuses_kernel(kernel_of("", "", pointers + merge(0x0002000100010001, 0x0F02)), "VMRGSORT4-R3",
                 "no four of one length");
  std::string none = sort;
  none.replace(none.find("%c4"), 3, "%c0");
  refuses_kernel(kernel_of("", "", pointers + none), "VBITSORT-R2", "1 to 255");
}

TEST_CASE("micro rows: a strict region sees its arguments, and nothing else") {
  const std::string body =
      "    ^bb0(%p: !pto.ptr<ui32, ub>, %q: !pto.ptr<ui32, ub>, %o: index):\n"
      "      %all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n"
      "      %v = pto.vlds {}[%o] : !pto.ptr<ui32, ub> -> !pto.vreg<64xui32>\n"
      "      pto.vsts %v, %q[%o], %all : !pto.vreg<64xui32>, !pto.ptr<ui32, ub>, !pto.mask<b32>\n"
      "    }} : (!pto.ptr<ui32, ub>, !pto.ptr<ui32, ub>, index) -> ()\n";
  const char* header = "pto.strict_vecscope(%in, %out, %c64) {";
  const Ran ran = runs_to_end(kernel_of(fmt::format(fmt::runtime(body), "%p"), "", "", header));
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(ran.word(4096 + 256 + 4 * i) == 1064 + i);
  refuses_kernel(kernel_of(fmt::format(fmt::runtime(body), "%in"), "", "", header), "E-NAME", "%in");
  refuses_kernel(kernel_of(fmt::format(fmt::runtime(body), "%p"), "", "", "pto.strict_vecscope(%in, %out) {"),
                 "E-OPERANDS", "needs 3");
}

TEST_CASE("micro rows: pointers that move on by what the operation itself says") {
  const Ran ran = runs_to_end(kernel_of(
      "      %all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n"
      // Loads on: 64 elements from element 3, then from element 67.
      "      %from = pto.addptr %in, %c3 : !pto.ptr<ui32, ub> -> !pto.ptr<ui32, ub>\n"
      "      %l = pto.vldas %from : !pto.ptr<ui32, ub> -> !pto.align\n"
      "      %v, %l1x, %p1 = pto.vldus %from, %l, %c64 : !pto.ptr<ui32, ub>, !pto.align, index -> !pto.vreg<64xui32>, !pto.align, !pto.ptr<ui32, ub>\n"
      "      %w, %l2x, %p2 = pto.vldus %p1, %l1x, %c64 : !pto.ptr<ui32, ub>, !pto.align, index -> !pto.vreg<64xui32>, !pto.align, !pto.ptr<ui32, ub>\n"
      // Stores on: 5 elements, then 7 behind them.
      "      %e = pto.init_align : !pto.align\n"
      "      %s1, %q1 = pto.vstus %e, %n5, %v, %out : !pto.align, i32, !pto.vreg<64xui32>, !pto.ptr<ui32, ub> -> !pto.align, !pto.ptr<ui32, ub>\n"
      "      %s2, %q2 = pto.vstus %s1, %n7, %w, %q1 : !pto.align, i32, !pto.vreg<64xui32>, !pto.ptr<ui32, ub> -> !pto.align, !pto.ptr<ui32, ub>\n"
      "      pto.vstas %s2, %q2, %n0 : !pto.align, !pto.ptr<ui32, ub>, i32\n"
      // Blocks: a repeat is two blocks, and the access is at the pointer itself.
      "      %two = arith.constant 2 : i16\n      %one = arith.constant 1 : i16\n"
      "      %b, %r1 = pto.vsldb %in, %one, %two, %all : !pto.ptr<ui32, ub>, i16, i16, !pto.mask<b32> -> !pto.vreg<64xui32>, !pto.ptr<ui32, ub>\n"
      "      %c, %r2 = pto.vsldb %r1, %one, %two, %all : !pto.ptr<ui32, ub>, i16, i16, !pto.mask<b32> -> !pto.vreg<64xui32>, !pto.ptr<ui32, ub>\n"
      "      pto.vsts %b, %out[%c64], %all : !pto.vreg<64xui32>, !pto.ptr<ui32, ub>, !pto.mask<b32>\n"
      "      pto.vsts %c, %out[%c128], %all : !pto.vreg<64xui32>, !pto.ptr<ui32, ub>, !pto.mask<b32>\n"));
  CHECK(!ran.found("STREAM-ADDRESS"));
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(ran.word(4096 + 4 * i) == 1003 + i);
  for (std::uint32_t i = 0; i < 7; ++i) CHECK(ran.word(4096 + 20 + 4 * i) == 1067 + i);
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(ran.word(4096 + 256 + 4 * i) == 1000 + i);
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(ran.word(4096 + 512 + 4 * i) == 1016 + i);
}

TEST_CASE("micro rows: casts that loops hand on have bytes of their own") {
  const Ran ran = runs_to_end(kernel_of(
      "      %all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n"
      "      %v = pto.vlds %in[%c0] : !pto.ptr<ui32, ub> -> !pto.vreg<64xui32>\n"
      "      %start = pto.vbitcast %v : !pto.vreg<64xui32> -> !pto.vreg<64xi32>\n"
      "      %last, %mask = scf.for %t = %c0 to %c3 step %c1 iter_args(%x = %start, %m = %all) -> (!pto.vreg<64xi32>, !pto.mask<b32>) {\n"
      "        %y = pto.vadd %x, %start, %m : !pto.vreg<64xi32>, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xi32>\n"
      "        %u = pto.vbitcast %y : !pto.vreg<64xi32> -> !pto.vreg<64xui32>\n"
      "        %z = pto.vbitcast %u : !pto.vreg<64xui32> -> !pto.vreg<64xi32>\n"
      "        %h = pto.pbitcast %m : !pto.mask<b32> -> !pto.mask<b16>\n"
      "        %n = pto.pbitcast %h : !pto.mask<b16> -> !pto.mask<b32>\n"
      "        scf.yield %z, %n : !pto.vreg<64xi32>, !pto.mask<b32>\n      }\n"
      "      %r = pto.vbitcast %last : !pto.vreg<64xi32> -> !pto.vreg<64xui32>\n"
      "      pto.vsts %r, %out[%c0], %mask : !pto.vreg<64xui32>, !pto.ptr<ui32, ub>, !pto.mask<b32>\n"
      "      pto.vsts %v, %out[%c64], %all : !pto.vreg<64xui32>, !pto.ptr<ui32, ub>, !pto.mask<b32>\n"));
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(ran.word(4096 + 4 * i) == 4 * (1000 + i));
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(ran.word(4096 + 256 + 4 * i) == 1000 + i);
}

TEST_CASE("micro rows: masks of another width, and masks that are missing") {
  const std::string made =
      "      %m8 = pto.pset_b8 \"PAT_ALL\" : !pto.mask<b8>\n      %m16 = pto.pset_b16 \"PAT_ALL\" : !pto.mask<b16>\n"
      "      %m32 = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n      %v = pto.vlds %in[%c0] : !pto.ptr<ui32, ub> -> !pto.vreg<64xui32>\n"
      "      %s = pto.vbitcast %v : !pto.vreg<64xui32> -> !pto.vreg<64xf32>\n";
  const auto with = [&](const std::string& line) { return kernel_of(made + "      " + line + "\n"); };
  refuses_kernel(
      with(
          "%h = pto.vcvt %s, %m16 {rnd = \"R\", sat = \"SAT\", part = \"EVEN\"} : !pto.vreg<64xf32>, !pto.mask<b16> -> !pto.vreg<128xf16>"),
      "E-TYPE", "needs b32");
  runs_to_end(with(
      "%h = pto.vcvt %s, %m32 {rnd = \"R\", sat = \"SAT\", part = \"EVEN\"} : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<128xf16>"));
  refuses_kernel(
      with(
          "%lo, %hi = pto.vmull %v, %v, %m8 : !pto.vreg<64xui32>, !pto.vreg<64xui32>, !pto.mask<b8> -> !pto.vreg<64xui32>, !pto.vreg<64xui32>"),
      "E-TYPE", "needs b32");
  refuses_kernel(
      with("%a = pto.pand %m32, %m16, %m32 : !pto.mask<b32>, !pto.mask<b16>, !pto.mask<b32> -> !pto.mask<b32>"),
      "E-TYPE", "one width");
  refuses_kernel(with("%a = pto.ppack %m32, \"LOWER\" : !pto.mask<b32> -> !pto.mask<b8>"), "E-TYPE", "one width");
  runs_to_end(with("%a = pto.ppack %m32, \"LOWER\" : !pto.mask<b32> -> !pto.mask<b16>"));
  runs_to_end(with("%a = pto.punpack %m8, \"LOWER\" : !pto.mask<b8> -> !pto.mask<b16>"));
  runs_to_end(with("%a = pto.punpack %m16, \"HIGHER\" : !pto.mask<b16> -> !pto.mask<b16>"));
  refuses_kernel(with("%a = pto.vadd %v, %v : !pto.vreg<64xui32>, !pto.vreg<64xui32> -> !pto.vreg<64xui32>"),
                 "E-OPERANDS", "PAT_ALL");
  refuses_kernel(with("pto.vsts %v, %out[%c0] : !pto.vreg<64xui32>, !pto.ptr<ui32, ub>"), "E-OPERANDS", "PAT_ALL");
}

TEST_CASE("micro rows: a stream of loads that stands elsewhere, and pointers that reach too far") {
  const auto stream = [](const char* from) {
    return kernel_of(fmt::format(
        "      %there = pto.addptr %in, %c3 : !pto.ptr<ui32, ub> -> !pto.ptr<ui32, ub>\n"
        "      %far = pto.addptr %in, %c64 : !pto.ptr<ui32, ub> -> !pto.ptr<ui32, ub>\n"
        "      %l = pto.vldas %there : !pto.ptr<ui32, ub> -> !pto.align\n"
        "      %v, %next = pto.vldus {}, %l : !pto.ptr<ui32, ub>, !pto.align -> !pto.vreg<64xui32>, !pto.align\n",
        from));
  };
  CHECK(!runs_to_end(stream("%there")).found("STREAM-ADDRESS"));
  CHECK(!runs_to_end(stream("%in")).found("STREAM-ADDRESS"));  // of the same block
  const Ran wrong = runs_to_end(stream("%far"));
  CAPTURE(wrong.told);
  CHECK(wrong.found("STREAM-ADDRESS"));
  CHECK(wrong.found("reads from 0x100; the stream goes on at the block of 0x0"));
  CHECK(wrong.found("pto.vldas"));
  const Ran far = run_kernel(
      kernel_of("      %end = arith.constant 262016 : i64\n      %p = pto.castptr %end : i64 -> !pto.ptr<ui32, ub>\n"
                "      %v = pto.vlds %p[%c0] : !pto.ptr<ui32, ub> -> !pto.vreg<64xui32>\n"));
  CAPTURE(far.told);
  CHECK(far.found("MEM-BOUNDS"));
  CHECK(far.found("mend the pointer"));
}

TEST_CASE("micro rows: what the scalar unit loads in a region is seen by the check of barriers") {
  const auto kernel = [](const char* barrier) {
    return kernel_of(
        fmt::format("      %all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n"
                    "      %v = pto.vlds %in[%c0] : !pto.ptr<ui32, ub> -> !pto.vreg<64xui32>\n"
                    "      pto.vsts %v, %out[%c0], %all : !pto.vreg<64xui32>, !pto.ptr<ui32, ub>, !pto.mask<b32>\n{}"
                    "      %x = pto.load_scalar %out[%c3] : !pto.ptr<ui32, ub> -> ui32\n"
                    "      pto.store_scalar %x, %out[%c128] : !pto.ptr<ui32, ub>, ui32\n",
                    barrier));
  };
  const auto bars = [](const Ran& ran) {
    CHECK(ran.word(4096 + 512) == 1003);
    const auto findings = check(*ran.recording).findings;
    return std::ranges::count_if(findings, [](const Finding& one) { return one.diagnostic.rule == "MEM-BAR"; });
  };
  CHECK(bars(runs_to_end(kernel(""))) == 1);
  CHECK(bars(runs_to_end(kernel("      pto.mem_bar \"VST_LD\"\n"))) == 0);
}

}  // namespace ts::test
