// Undefined and foreign bytes on their way into results: each kind of finding in a small program that has it, and none
// in a neighbour that differs in one thing.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/check/check.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

bool is_ours(FindingKind kind) {
  return kind == FindingKind::Defined || kind == FindingKind::Overread || kind == FindingKind::Mask;
}

std::vector<Finding> ours(const Recording& recording) {
  CheckReport report = check(recording);
  CHECK(report.complete);
  std::erase_if(report.findings, [](const Finding& finding) { return !is_ours(finding.kind()); });
  return report.findings;
}

std::string text_of(const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& finding : findings)
    all += fmt::format("{} step {} line {}: {}\n", finding.diagnostic.rule, finding.step, finding.diagnostic.pos.line,
                       finding.diagnostic.text);
  return all;
}

void check_silent(const SmallText& text, const RecordOptions& options = {.budget_bytes = kPlentyOfBytes}) {
  CAPTURE(text.text());
  CHECK(text_of(ours(*record_text(text.text(), {}, options))) == "");
}

// The only finding of a program.
Finding only_finding(const Recording& recording) {
  const std::vector<Finding> found = ours(recording);
  CAPTURE(text_of(found));
  REQUIRE(found.size() == 1);
  return found.front();
}

struct Expected {
  const char* rule;
  std::uint32_t step, line;
  std::string operand;
  std::uint32_t row, col;
  std::string text;
};

void check_found(const SmallText& text, const Expected& expected,
                 const RecordOptions& options = {.budget_bytes = kPlentyOfBytes}) {
  CAPTURE(text.text());
  const auto recording = record_text(text.text(), {}, options);
  const Finding found = only_finding(*recording);
  CHECK(found.diagnostic.rule == expected.rule);
  CHECK(found.step == expected.step);
  CHECK(found.diagnostic.pos.line == expected.line);
  CHECK(found.diagnostic.operand == expected.operand);
  REQUIRE(found.element.has_value());
  CHECK(found.element->row == expected.row);
  CHECK(found.element->col == expected.col);
  CHECK(found.diagnostic.text == expected.text);
  CHECK(!found.diagnostic.hint.empty());
}

// 128 bytes come into UB, and a whole register of 256 is loaded from there: its upper lanes are nobody's.
std::string half_loaded(std::string_view lanes_stored, std::string_view added) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
  func.func @half(%in: !pto.ptr<f32, gm>, %out: !pto.ptr<f32, gm>) attributes {{pto.aicore}} {{
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %bytes = arith.constant 128 : i64
    %none = arith.constant 0 : index
    %far = arith.constant 1024 : i64
    %from = pto.castptr %zero : i64 -> !pto.ptr<f32, ub>
    %to = pto.castptr %far : i64 -> !pto.ptr<f32, ub>
    pto.mte_gm_ub %in, %from, %zero, %bytes nburst(%one, %bytes, %bytes)
      : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
    pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
    pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
    pto.vecscope {{
      %half = pto.pset_b32 "PAT_VL32" : !pto.mask<b32>
      %stored = pto.pset_b32 "{}" : !pto.mask<b32>
      %a = pto.vlds %from[%none] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
      %b = pto.vadd %a, %a, %{} : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
      pto.vsts %b, %to[%none], %stored : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    }}
    return
  }}
}}
)",
                     lanes_stored, added);
}

}  // namespace

TEST_CASE("check flow: a tile that nobody wrote, and one that somebody filled") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    const auto sum = [&](bool filled, std::uint32_t& line) {
      SmallText text(target);
      text.buffer("x", "f32", 4, 8).buffer("out", "f32", 4, 8).scalar("zero", "f32", "0.0");
      text.tile("a", "4x8xf32", 0x100).tile("b", "4x8xf32", 0x400).tile("sum", "4x8xf32", 0x800);
      text.step("tload", {"x"}, {"a"});
      if (filled) text.step("texpands", {"zero"}, {"b"});
      line = text.step("tadd", {"a", "b"}, {"sum"});
      text.step("tstore", {"sum"}, {"out"});
      return text;
    };
    std::uint32_t line = 0;
    check_silent(sum(true, line));
    const SmallText bad = sum(false, line);
    // The store moves what is told of already.
    check_found(bad, {"CHK-DEFINED", 1, line, "src1", 0, 0,
                      "tadd: src1 %b[0,0] (ub 0x400) was never written and reaches dst %sum[0,0]; 32 of 32 elements of "
                      "dst are made of such bytes"});
    CHECK(only_finding(*record_text(bad.text())).diagnostic.hint ==
          "no step ever writes ub 0x400; load or fill it before");
    CHECK(only_finding(*record_text(bad.text())).diagnostic.severity == Severity::Error);
  }
}

TEST_CASE("check flow: a tile that is written in part, or too late") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    SmallText part(target);
    part.buffer("x", "f32", 4, 8).buffer("y", "f32", 2, 8);
    part.tile("a", "4x8xf32", 0)
        .tile("b", "4x8xf32", 0x400)
        .tile("upper", "2x8xf32", 0x400)
        .tile("sum", "4x8xf32", 0x800);
    part.step("tload", {"x"}, {"a"});
    part.step("tload", {"y"}, {"upper"});
    const std::uint32_t line = part.step("tadd", {"a", "b"}, {"sum"});
    const std::uint32_t late = part.step("tload", {"x"}, {"b"});
    check_found(part, {"CHK-DEFINED", 2, line, "src1", 2, 0,
                       "tadd: src1 %b[2,0] (ub 0x440) was never written and reaches dst %sum[2,0]; 16 of 32 elements "
                       "of dst are made of such bytes"});
    const Finding found = only_finding(*record_text(part.text()));
    CHECK(found.diagnostic.hint == "step 3 (tload) writes ub 0x440 first; that would have to come before");
    REQUIRE(found.diagnostic.notes.size() == 1);
    CHECK(found.diagnostic.notes[0].pos.line == late);
  }
}

TEST_CASE("check flow: undefined elements outside the valid region are nobody's business until they are valid") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    // Loads of 6 columns; the other 2 of the tile are padding. The result's valid columns are 6 or 8.
    const auto program = [&](const char* valid) {
      SmallText text(target);
      text.buffer("x", "i32", 4, 6).buffer("out", "i32", 4, 6);
      text.tile("a", std::string("4x8xi32, valid=") + valid, 0).tile("load", "4x8xi32, valid=4x6", 0);
      text.tile("sum", std::string("4x8xi32, valid=") + valid, 0x400).tile("store", "4x8xi32, valid=4x6", 0x400);
      text.step("tload", {"x"}, {"load"});
      text.step("tadd", {"a", "a"}, {"sum"});
      text.step("tstore", {"store"}, {"out"});
      return text;
    };
    check_silent(program("4x6"));
    const std::vector<Finding> found = ours(*record_text(program("4x8").text()));
    REQUIRE(found.size() == 1);
    CHECK(found[0].step == 1);
    CHECK(found[0].element->col == 6);
  }
}

TEST_CASE(
    "check flow: bytes that an instruction leaves unspecified are told of when they are used, not when they are left") {
  const auto program = [](const char* valid) {
    SmallText text(Target::A5);
    text.buffer("x", "f32", 2, 16)
        .tile("src", "2x128xf32, valid=2x16", 0)
        .tile("even", "2x16xf32", 0x400)
        .tile("odd", "2x16xf32", 0x800);
    text.tile("used", std::string("2x16xf32, valid=") + valid, 0x400)
        .tile("sum", std::string("2x16xf32, valid=") + valid, 0xc00);
    text.step("tload", {"x"}, {"src"});
    text.step("tdeinterleave", {"src"}, {"odd", "even"});
    text.step("tadd", {"used", "used"}, {"sum"});
    return text;
  };
  const SharedRecording both = record_text(program("2x16").text());
  const std::vector<Finding> found = ours(*both);
  CAPTURE(text_of(found));
  // 8 of 16 columns are results.
  check_silent(program("2x8"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].step == 2);
  CHECK(found[0].element->col == 8);
  CHECK(found[0].diagnostic.text.find("is unspecified and reaches dst %sum[0,8]; 16 of 32 elements") !=
        std::string::npos);
}

// --- what is copied on ---

namespace {

// Padding of %a, which nobody wrote, is moved twice by whole tiles that overlap it, and then becomes valid.
struct Moved {
  SmallText text{Target::A5};
  std::uint32_t line = 0;
  explicit Moved(bool overwritten) {
    // TTRANS on A5 moves the whole source tile, its padding too.
    text.buffer("x", "f32", 5, 8).buffer("out", "f32", 8, 8).scalar("one", "f32", "1.0");
    text.tile("a", "8x8xf32, valid=5x8", 0)
        .tile("b", "8x8xf32, valid=8x5", 0x400)
        .tile("c", "8x8xf32, valid=5x8", 0x800);
    text.tile("whole", "8x8xf32", 0x800).tile("lower", "3x8xf32", 0x8a0);
    text.step("tload", {"x"}, {"a"});
    text.step("ttrans", {"a"}, {"b"});
    text.step("ttrans", {"b"}, {"c"});
    if (overwritten) text.step("texpands", {"one"}, {"lower"});
    line = text.step("tstore", {"whole"}, {"out"});
    text.step("tload", {"out"}, {"whole"});
  }
};

}  // namespace

TEST_CASE("check flow: undefined padding that is moved twice is found where it becomes valid") {
  const Moved bad(false);
  check_found(
      bad.text,
      {"CHK-DEFINED", 3, bad.line, "src", 5, 0,
       "tstore: src %whole[5,0] (ub 0x8a0) is a copy of ub 0xa0, which was undefined, made by step 2 (ttrans) and "
       "reaches dst %out[40]; 24 of 64 elements of dst are made of such bytes"});
  check_silent(Moved(true).text);
}

TEST_CASE("check flow: bytes that somebody edited are theirs") {
  const Moved bad(false);
  const auto recording = record_text(bad.text.text());
  const ByteRange lower{Space::Ub, 0x8a0, 96};
  const auto findings_with = [&](std::uint32_t position) {
    return ours(*record_text(bad.text.text(), {},
                             {.budget_bytes = kPlentyOfBytes,
                              .edits = {{position, lower.space, lower.address, std::vector<std::byte>(lower.size)}}}));
  };
  // Before the move that overwrites them, and between it and the store.
  CHECK(text_of(findings_with(2)) == text_of(ours(*recording)));
  CHECK(text_of(findings_with(3)) == "");
}

TEST_CASE("check flow: what is told once is not told of what is made of it") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    SmallText text(target);
    text.buffer("out", "f32", 4, 8).tile("a", "4x8xf32").tile("b", "4x8xf32").tile("c", "4x8xf32");
    const std::uint32_t line = text.step("tadd", {"a", "a"}, {"b"});
    text.step("tadd", {"b", "b"}, {"c"});
    text.step("tstore", {"c"}, {"out"});
    CAPTURE(text.text());
    CHECK(only_finding(*record_text(text.text())).diagnostic.pos.line == line);
  }
}

TEST_CASE("check flow: a block holds nothing of the block before it") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    // Only the first block fills the tile; every block uses it.
    const std::string text = fmt::format(R"(module attributes {{pto.target_arch = "{}"}} {{
  func.func @blocks(%out: !pto.ptr<f32>) {{
    %c0 = arith.constant 0 : i64
    %one = arith.constant 1.0 : f32
    %block = pto.get_block_idx
    %first = arith.cmpi eq, %block, %c0 : i64
    %a = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
    scf.if %first {{
      pto.texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 4x8xf32>)
    }}
    pto.tadd ins(%a, %a : !pto.tile_buf<vec, 4x8xf32>, !pto.tile_buf<vec, 4x8xf32>) outs(%b : !pto.tile_buf<vec, 4x8xf32>)
    return
  }}
}}
)",
                                         name(target));
    OpenRequest request;
    CHECK(text_of(ours(*record_text(text, request))) == "");
    request.blocks = 2;
    const auto recording = record_text(text, request);
    const std::vector<Finding> found = ours(*recording);
    CAPTURE(text_of(found));
    REQUIRE(found.size() == 1);
    CHECK(recording->step(found[0].step).block == 1);
    CHECK(found[0].diagnostic.hint.find("was lost when this block began") != std::string::npos);
  }
}

// --- masks and foreign bytes ---

namespace {

struct Masked {
  SmallText text;
  std::uint32_t line = 0;
  // `loaded` bytes of each of 4 mask rows; the mask tile has `rows` rows.
  Masked(Target target, std::uint32_t loaded, std::uint32_t rows, std::uint32_t loaded_rows) : text(target) {
    text.buffer("x", "f32", 4, 40)
        .buffer("bits", "ui8", loaded_rows, loaded)
        .buffer("out", "f32", 4, 40)
        .scalar("zero", "f32", "0.0");
    text.tile("a", "4x40xf32", 0x1000).tile("dst", "4x40xf32", 0x2000);
    text.tile("load", fmt::format("4x32xui8, valid={}x{}", loaded_rows, loaded), 0x400)
        .tile("mask", fmt::format("{}x32xui8", rows), 0x400);
    text.step("tload", {"x"}, {"a"});
    text.step("tload", {"bits"}, {"load"});
    line = text.step("tsels", {"mask", "a", "zero"}, {"dst"});
    text.step("tstore", {"dst"}, {"out"});
  }
};

}  // namespace

TEST_CASE("check flow: mask bits that nobody wrote, and a mask behind its tile") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    check_silent(Masked(target, 5, 4, 4).text);
    check_silent(Masked(target, 32, 4, 4).text);
    const Masked few(target, 5, 4, 3);
    check_found(few.text, {"CHK-MASK", 2, few.line, "mask", 3, 0,
                           "tsels: bit 0 of mask %mask[3,0] (ub 0x460, lane [3,0]) was never written and decides dst "
                           "%dst[3,0]; 40 of 160 "
                           "elements of dst are decided by such bits"});
    const Masked small(target, 5, 3, 4);
    const auto recording = record_text(small.text.text());
    const Finding found = only_finding(*recording);
    CHECK(found.diagnostic.rule == "CHK-OVERREAD");
    CHECK(found.diagnostic.severity == Severity::Warning);
    CHECK(found.diagnostic.text ==
          "tsels: bit 0 of the byte at ub 0x460 is in none of the operands and decides dst %dst[3,0]; 40 of 160 "
          "elements of dst are decided by such bits");
    CHECK(found.diagnostic.hint ==
          "%mask has 3 rows of 256 bits: make it larger, or the result's valid region smaller");
    REQUIRE(found.element.has_value());
    CHECK(found.element->operand == -1);
    CHECK(found.element->place == ByteRange{Space::Ub, 0x460, 1});
  }
}

TEST_CASE("check flow: undefined values behind a mask's 0 reach nothing") {
  for (const Target target : kBothTargets) {
    for (const bool kept : {false, true}) {
      CAPTURE(name(target));
      CAPTURE(kept);
      SmallText text(target);
      text.buffer("bits", "ui8", 4, 4)
          .scalar("zero", "f32", "0.0")
          .tile("a", "4x8xf32", 0x1000)
          .tile("dst", "4x8xf32", 0x2000);
      text.tile("mask", "4x32xui8, valid=4x4", 0x400);
      text.step("tload", {"bits"}, {"mask"});
      text.step("tsels", {"mask", "a", "zero"}, {"dst"});
      text.step("tsels", {"mask", "a", "zero"}, {"dst"});
      OpenRequest request;
      request.inputs.data["bits"].assign(16, std::byte{0});
      if (kept) request.inputs.data["bits"][8] = std::byte{0x10};
      const std::vector<Finding> found = ours(*record_text(text.text(), request));
      CAPTURE(text_of(found));
      REQUIRE(found.size() == (kept ? 2 : 0));
      if (!kept) continue;
      CHECK(found[0].diagnostic.operand == "src");
      CHECK(found[0].element->row == 2);
      CHECK(found[0].element->col == 4);
      CHECK(found[1].step == 2);
    }
  }
}

TEST_CASE("check flow: offsets that nobody wrote, offsets into padding, offsets outside the source") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    // 8 offsets; the table has 64 elements, of which `valid` are loaded.
    const auto gather = [&](std::uint32_t offset, std::uint32_t filled) {
      SmallText text(target);
      text.buffer("t", "f32", 1, filled).buffer("o", "ui32", 1, 8);
      text.tile("table", "1x64xf32", 0x1000).tile("load", fmt::format("1x64xf32, valid=1x{}", filled), 0x1000);
      text.tile("offsets", "1x8xui32", 0x400).tile("dst", "1x8xf32", 0x2000);
      text.step("tload", {"t"}, {"load"});
      text.step("tload", {"o"}, {"offsets"});
      text.step("tgatherb", {"load", "offsets"}, {"dst"}, " {granularity = \"element\"}");
      OpenRequest request;
      std::vector<std::byte>& bytes = request.inputs.data["o"];
      bytes.resize(32);
      std::memcpy(bytes.data() + 12, &offset, 4);
      return ours(*record_text(text.text(), request));
    };
    CHECK(text_of(gather(31 * 4, 32)) == "");
    // In the tile, outside its valid region: legal, and found only because nobody wrote there.
    const std::vector<Finding> padding = gather(40 * 4, 32);
    REQUIRE(padding.size() == 1);
    CHECK(padding[0].diagnostic.text ==
          "tgatherb: src %load[0,40] (ub 0x10a0) was never written and reaches dst %dst[0,3]; 1 of 8 elements of dst "
          "are made of such bytes");
    CHECK(padding[0].diagnostic.hint.find("outside the valid 1x32 of %load") != std::string::npos);
    // Behind the tile: the data rule tells of the offset, this check of what stands there.
    const std::vector<Finding> outside = gather(256, 64);
    REQUIRE(outside.size() == 1);
    CHECK(outside[0].diagnostic.rule == "CHK-DEFINED");
  }
  // The DMA fills the block of the 4 offsets up; nobody promises with what.
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    SmallText text(target);
    text.buffer("t", "f32", 1, 64).buffer("o", "ui32", 1, 4);
    text.tile("table", "1x64xf32", 0x1000)
        .tile("load", "1x8xui32, valid=1x4", 0x400)
        .tile("offsets", "1x8xui32", 0x400)
        .tile("dst", "1x8xf32", 0x2000);
    text.step("tload", {"t"}, {"table"});
    text.step("tload", {"o"}, {"load"});
    const std::uint32_t line = text.step("tgatherb", {"table", "offsets"}, {"dst"}, " {granularity = \"element\"}");
    OpenRequest request;
    request.inputs.data["o"].resize(16);
    const Finding found = only_finding(*record_text(text.text(), request));
    CHECK(found.diagnostic.pos.line == line);
    CHECK(found.diagnostic.text ==
          "tgatherb: offsets %offsets[0,4] (ub 0x410) is unspecified and chooses dst %dst[0,4]; 4 of 8 elements of dst "
          "are chosen by such bytes");
    CHECK(found.diagnostic.hint ==
          "step 1 (tload) wrote here last and promises nothing of what it left; write it anew, or leave it out");
  }
}

TEST_CASE("check flow: offsets outside the source onto defined bytes are told of by the data rule alone") {
  SmallText text(Target::A5);
  text.buffer("t", "f32", 1, 64)
      .buffer("o", "ui32", 1, 8)
      .tile("whole", "1x64xf32", 0x1000)
      .tile("table", "1x32xf32", 0x1000);
  text.tile("offsets", "1x8xui32", 0x400).tile("dst", "1x8xf32", 0x2000);
  text.step("tload", {"t"}, {"whole"});
  text.step("tload", {"o"}, {"offsets"});
  text.step("tgatherb", {"table", "offsets"}, {"dst"}, " {granularity = \"element\"}");
  OpenRequest request;
  std::vector<std::byte>& bytes = request.inputs.data["o"];
  bytes.resize(32);
  bytes[0] = std::byte{160};
  const auto recording = record_text(text.text(), request);
  CHECK(text_of(ours(*recording)) == "");
  CHECK(std::ranges::count(check(*recording).findings, FindingKind::Offset, &Finding::kind) == 1);
}

// --- the walk ---

TEST_CASE("check flow: thinned recordings give the findings of whole ones; levels and stopping") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    const auto whole = record_random(77, target, kSanitized ? 100 : 400);
    const auto few = thinned(*whole);
    const std::string all = text_of(ours(*whole));
    CHECK(!all.empty());
    CHECK(text_of(ours(*few)) == all);

    CheckOptions options;
    options.set(FindingKind::Defined, Level::Off);
    options.set(FindingKind::Mask, Level::Note);
    for (const Finding& finding : check(*whole, options).findings) {
      CHECK(finding.kind() != FindingKind::Defined);
      if (finding.kind() == FindingKind::Mask) CHECK(finding.diagnostic.severity == Severity::Note);
    }
    const CheckReport stopped = check(*whole, {}, [](std::uint32_t steps) { return steps < 32; });
    CHECK(!stopped.complete);
    for (const Finding& finding : stopped.findings)
      if (is_ours(finding.kind())) CHECK(finding.step < 32);
  }
}

// --- the samples ---

namespace {

struct SampleFinding {
  const char* sample;
  FindingKind kind;
  const char* instruction;
  const char* operand;
  std::uint32_t row, col;
};
// Samples without a row have none of these kinds as warnings or errors.
const SampleFinding kBugSamples[] = {
    {"bug_mask_pitch", FindingKind::Mask, "tsels", "mask", 1, 0},
    {"bug_transposed_domain", FindingKind::Defined, "tstore", "src", 0, 5},
    {"bug_uninitialised", FindingKind::Defined, "tadd", "src0", 0, 0},
    {"bug_masked_row", FindingKind::Nan, "tadd", "dst", 4, 0},
};
const char* const kSamples[] = {"block_lookup",      "bug_loaded_once",  "bug_mask_pitch", "bug_masked_row",
                                "bug_off_by_one",    "bug_offset_units", "bug_overlap",    "bug_transposed_domain",
                                "bug_uninitialised", "complex_merge",    "complex_split",  "fill_tails",
                                "masked_select",     "masked_sum",       "padding_mask",   "row_loop",
                                "stereo_split",      "table_lookup",     "transpose",      "transpose_loop"};

}  // namespace

TEST_CASE("check flow: lanes of nobody's bytes in a register are told of where they are stored, and not before") {
  const auto found = [](const std::string& text) { return ours(*record_text(text)); };
  // As many as there are; all, of which the sum's mask made 0.
  CHECK(text_of(found(half_loaded("PAT_VL32", "stored"))) == "");
  CHECK(text_of(found(half_loaded("PAT_ALL", "half"))) == "");
  const std::vector<Finding> all = found(half_loaded("PAT_ALL", "stored"));
  REQUIRE(all.size() == 1);
  CHECK(all.front().kind() == FindingKind::Defined);
  CHECK(all.front().diagnostic.operand == "src");
  CHECK(all.front().element->col == 32);
}

TEST_CASE("check flow: samples that are bugs have their finding, the others none") {
  for (const char* sample : kSamples) {
    CAPTURE(sample);
    const auto recording = record_sample(sample);
    CheckReport report = check(*recording);
    std::erase_if(report.findings, [](const Finding& finding) {
      const bool kind =
          is_ours(finding.kind()) || finding.kind() == FindingKind::Nan || finding.kind() == FindingKind::Inf;
      return !kind || finding.diagnostic.severity == Severity::Note;
    });
    CAPTURE(text_of(report.findings));
    const auto expected =
        std::ranges::find_if(kBugSamples, [&](const SampleFinding& row) { return std::string(row.sample) == sample; });
    REQUIRE(report.findings.size() == (expected == std::end(kBugSamples) ? 0 : 1));
    if (expected == std::end(kBugSamples)) continue;
    const Finding& found = report.findings.front();
    CHECK(found.kind() == expected->kind);
    CHECK(std::string(recording->bound(found.step).row->name) == expected->instruction);
    CHECK(found.diagnostic.operand == expected->operand);
    CHECK(found.element->row == expected->row);
    CHECK(found.element->col == expected->col);
  }
}

}  // namespace ts::test
