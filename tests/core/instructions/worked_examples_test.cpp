// The worked examples of the instruction pages, micro-step by micro-step, with the pages' values.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/a2a3/micro_ops.h"
#include "core/record/inspector.h"
#include "tests/support/instructions/stage.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kSrc0 = 0x1000, kSrc1 = 0x2000, kDst0 = 0x3000, kDst1 = 0x4000, kMask = 0x5000, kTmp = 0x6000;

// A program of one instruction, recorded on a given start, and its trace.
struct WorkedExample {
  template <class Fill>
  WorkedExample(ProgramBuilder builder, Fill fill)
      : recording(Recording::run(build(builder), {.budget_bytes = 1 << 20,
                                                  .initial =
                                                      [&](Memory& memory) {
                                                        fill(memory);
                                                        memory.mark(memory.map().origin(Space::Ub),
                                                                    memory.map().size(Space::Ub), Definedness::Written);
                                                      }})),
        inspector(*recording) {
    REQUIRE(recording->count() == 1);
    trace = inspector.trace(0);
  }

  // All micro-steps, "vlds, vlds, vdintlv"; without the start of store streams, which the pages do not list.
  std::string names() const {
    std::string out;
    for (const MicroStep& step : trace.steps)
      if (step.op->name != std::string_view("init_align")) out += std::string(out.empty() ? "" : ", ") + step.op->name;
    return out;
  }
  // The n-th micro-step of this name.
  const MicroStep& step(std::string_view name, int n = 0) const {
    for (const MicroStep& step : trace.steps)
      if (name == step.op->name && n-- == 0) return step;
    FAIL("no such micro-step: " << std::string(name));
    return trace.steps[0];
  }
  // The first words of the i-th value that a micro-step made.
  std::uint32_t word(const MicroStep& step, std::size_t i, std::size_t word) const {
    std::uint32_t bits;
    std::memcpy(&bits, trace.values[step.made.at(i)].bytes.data() + 4 * word, 4);
    return bits;
  }
  std::uint32_t ub_word(std::uint32_t address) const {
    return static_cast<std::uint32_t>(recording->final_memory().element(Space::Ub, address, 4));
  }

  std::unique_ptr<Recording> recording;
  Inspector inspector;
  Trace trace;
};

// Pairs a0 b0 a1 b1 ...: the word of a is 0xA0 + its number, that of b 0xB0 + its number, src1 going on where src0 ends.
WorkedExample deinterleave(std::uint32_t cols) {
  ProgramBuilder builder(Target::A5, "pairs");
  const TileType type = vec_tile(DType::F32, 1, cols < 8 ? 8 : cols, 1, static_cast<std::int32_t>(cols));
  const TileId dst0 = builder.tile("dst0", type, {.address = kDst0}),
               dst1 = builder.tile("dst1", type, {.address = kDst1});
  const TileId src0 = builder.tile("src0", type, {.address = kSrc0}),
               src1 = builder.tile("src1", type, {.address = kSrc1});
  builder.add("tdeinterleave", {src0, src1}, {dst0, dst1});
  return WorkedExample(std::move(builder), [cols](Memory& memory) {
    for (std::uint32_t k = 0; k < cols / 2; ++k) {
      memory.set_element(Space::Ub, kSrc0 + 8 * k, 4, 0xA0 + k);
      memory.set_element(Space::Ub, kSrc0 + 8 * k + 4, 4, 0xB0 + k);
      memory.set_element(Space::Ub, kSrc1 + 8 * k, 4, 0xA0 + cols / 2 + k);
      memory.set_element(Space::Ub, kSrc1 + 8 * k + 4, 4, 0xB0 + cols / 2 + k);
    }
  });
}

std::uint32_t bytes_written(const MicroStep& step, std::uint32_t from, std::uint32_t to) {
  std::uint32_t bytes = 0;
  for (const TraceAccess& write : step.writes) {
    CHECK(write.address >= from);
    CHECK(write.address + write.size <= to);
    bytes += write.size;
  }
  return bytes;
}

// The eight bytes of the mask of section 3.7 in front, anything behind them.
WorkedExample select(Target target, std::uint32_t cols) {
  ProgramBuilder builder(target, "select");
  const TileType type = vec_tile(DType::F32, 1, (cols + 7) / 8 * 8, 1, static_cast<std::int32_t>(cols));
  const TileId dst = builder.tile("dst", type, {.address = kDst0}), src = builder.tile("src", type, {.address = kSrc0});
  const TileId mask = builder.tile("mask", vec_tile(DType::U8, 1, 32), {.address = kMask});
  std::vector<BuildOperand> inputs{mask, src};
  if (target == Target::A2A3) inputs.push_back(builder.tile("tmp", vec_tile(DType::F32, 1, 8), {.address = kTmp}));
  inputs.push_back(Scalar{DType::F32, 0x5CA1A5});
  builder.add("tsels", inputs, {dst});
  return WorkedExample(std::move(builder), [cols](Memory& memory) {
    for (std::uint32_t k = 0; k < cols; ++k) memory.set_element(Space::Ub, kSrc0 + 4 * k, 4, 0x100 + k);
    memory.set_element(Space::Ub, kMask, 8, 0xB1);
  });
}

void check_selected(const WorkedExample& example) {
  const std::uint32_t s = 0x5CA1A5, expected[8] = {0x100, s, s, s, 0x104, 0x105, s, 0x107};
  for (std::uint32_t k = 0; k < 8; ++k) {
    CAPTURE(k);
    CHECK(example.ub_word(kDst0 + 4 * k) == expected[k]);
  }
}

}  // namespace

TEST_CASE("worked example: tdeinterleave f32 1x8, whose second half does not start at a block") {
  const WorkedExample example = deinterleave(8);
  CHECK(example.names() == "vlds, vlds, vdintlv, plt, vsts, vsts, vlds, vlds, vdintlv, vstus, vstas, vstus, vstas");

  for (std::uint32_t k = 0; k < 4; ++k) {
    CAPTURE(k);
    CHECK(example.word(example.step("vdintlv", 0), 0, k) == 0xA0 + k);
    CHECK(example.word(example.step("vdintlv", 0), 1, k) == 0xB0 + k);
    CHECK(example.word(example.step("vdintlv", 1), 0, k) == 0xA4 + k);
    CHECK(example.word(example.step("vdintlv", 1), 1, k) == 0xB4 + k);
  }
  // plt_b32(4): bits 0, 4, 8 and 12.
  CHECK(example.word(example.step("plt"), 0, 0) == 0x00001111);
  for (std::size_t w = 1; w < 8; ++w) CHECK(example.word(example.step("plt"), 0, w) == 0);

  CHECK(example.step("vlds", 0).reads.at(0).address == kSrc0);
  CHECK(example.step("vlds", 1).reads.at(0).address == kSrc0 + 256);
  CHECK(example.step("vlds", 2).reads.at(0).address == kSrc1);
  CHECK(bytes_written(example.step("vsts", 0), kDst0, kDst0 + 16) == 16);
  CHECK(bytes_written(example.step("vsts", 1), kDst1, kDst1 + 16) == 16);
  for (int stream = 0; stream < 2; ++stream) {
    const std::uint32_t dst = stream == 0 ? kDst0 : kDst1;
    CHECK(bytes_written(example.step("vstus", stream), dst + 16, dst + 32) +
              bytes_written(example.step("vstas", stream), dst + 16, dst + 32) ==
          16);
    for (std::uint32_t k = 0; k < 8; ++k) {
      CAPTURE(k);
      CHECK(example.ub_word(dst + 4 * k) == (stream == 0 ? 0xA0 : 0xB0) + k);
    }
    CHECK(example.ub_word(dst + 32) == 0xCDCDCDCD);
  }
  // What was there before each store is in the trace too.
  const TraceAccess& store = example.step("vsts", 0).writes.at(0);
  CHECK(example.trace.bytes.at(store.before) == 0xCD);
  CHECK(example.trace.bytes.at(store.after) == 0xA0);
}

TEST_CASE("worked example: tdeinterleave f32 1x16, whose second half starts at a block") {
  const WorkedExample example = deinterleave(16);
  CHECK(example.names() == "vlds, vlds, vdintlv, plt, vsts, vsts, vlds, vlds, vdintlv, plt, vsts, vsts");
  CHECK(bytes_written(example.step("vsts", 2), kDst0 + 32, kDst0 + 64) == 32);
  CHECK(bytes_written(example.step("vsts", 3), kDst1 + 32, kDst1 + 64) == 32);
  // The store's address is shown as base and element offset.
  bool shown = false;
  for (const TraceArg& arg : example.step("vsts", 2).args)
    shown =
        shown || (arg.kind == TraceArg::Kind::Address && arg.base == kDst0 && arg.offset == 8 && arg.elem_bytes == 4);
  CHECK(shown);
}

TEST_CASE("worked example: an unaligned stream of three elements writes twelve bytes and nothing else") {
  const WorkedExample example = deinterleave(6);
  CHECK(bytes_written(example.step("vstus"), kDst0 + 12, kDst0 + 24) +
            bytes_written(example.step("vstas"), kDst0 + 12, kDst0 + 24) ==
        12);
  for (std::uint32_t k = 0; k < 6; ++k) CHECK(example.ub_word(kDst0 + 4 * k) == 0xA0 + k);
  CHECK(example.ub_word(kDst0 + 24) == 0xCDCDCDCD);
}

TEST_CASE("worked example: tsels a5 f32 1x8 under the mask byte 0xB1") {
  const WorkedExample example = select(Target::A5, 8);
  check_selected(example);
  CHECK(example.ub_word(kDst0 + 32) == 0xCDCDCDCD);

  // The fill first, then the last odd register: mask, source, select, store, in the page's order.
  CHECK(example.names() == "plt, vdup, pset, plds.US, punpack, vlds, vsel, plt, vsts");
  CHECK(example.word(example.step("plt", 0), 0, 0) == 0x11111111);
  CHECK(example.word(example.step("plds.US"), 0, 0) == 0xCF03);
  CHECK(example.word(example.step("punpack"), 0, 0) == 0x50550005);
  for (std::size_t w = 1; w < 8; ++w) CHECK(example.word(example.step("punpack"), 0, w) == 0);
  for (std::size_t lane = 0; lane < 64; ++lane)
    CHECK(example.word(example.step("vdup"), 0, lane) == (lane < 8 ? 0x5CA1A5 : 0));
  CHECK(example.word(example.step("plt", 1), 0, 0) == 0x11111111);
  CHECK(example.step("plds.US").reads.at(0).size == 16);
}

TEST_CASE("worked example: tsels a5 f32 of two registers: pairs") {
  const WorkedExample example = select(Target::A5, 128);
  check_selected(example);
  CHECK(example.names() == "plt, vdup, pset, plds.US, pintlv_b16, vlds, vlds, vsel, vsel, plt, vsts, plt, vsts");
  // Both bits of a group travel.
  CHECK(example.word(example.step("pintlv_b16"), 0, 0) == 0x74774447);
}

TEST_CASE("worked example: tsels a2a3 f32 1x8 under the mask byte 0xB1") {
  const WorkedExample example = select(Target::A2A3, 8);
  check_selected(example);
  CHECK(
      example.names() ==
      "scalar store, set_mask_count, set_vector_mask, set_flag/wait_flag, set_cmpmask, pipe_barrier, vsel.mode1, set_mask_norm, set_vector_mask");
  CHECK(example.ub_word(kTmp) == 0x5CA1A5);
  CHECK(example.ub_word(kTmp + 4) == 0xCDCDCDCD);
  const Memory& memory = example.recording->final_memory();
  CHECK(memory.element(Space::Spr, a2a3::kCmpMask, 4) == 0x5CA1A5);
  CHECK(memory.element(Space::Spr, a2a3::kMask, 8) == ~0ull);
  CHECK(memory.element(Space::Spr, a2a3::kMaskMode, 8) == 0);
  CHECK(bytes_written(example.step("vsel.mode1"), kDst0, kDst0 + 32) == 32);
  const MicroStep& mask = example.step("set_vector_mask", 0);
  CHECK(mask.args.at(0).base == 0);
  CHECK(mask.args.at(1).base == 8);
}

TEST_CASE("worked example: tinterleave f32 1x4, whose second half does not start at a block") {
  ProgramBuilder builder(Target::A5, "streams");
  const TileType type = vec_tile(DType::F32, 1, 8, 1, 4);
  const TileId dst0 = builder.tile("dst0", type, {.address = kDst0}),
               dst1 = builder.tile("dst1", type, {.address = kDst1});
  const TileId src0 = builder.tile("src0", type, {.address = kSrc0}),
               src1 = builder.tile("src1", type, {.address = kSrc1});
  builder.add("tinterleave", {src0, src1}, {dst0, dst1});
  const WorkedExample example(std::move(builder), [](Memory& memory) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      memory.set_element(Space::Ub, kSrc0 + 4 * k, 4, 0xA0 + k);
      memory.set_element(Space::Ub, kSrc1 + 4 * k, 4, 0xB0 + k);
    }
  });
  CHECK(example.names() == "vlds, vlds, vintlv, plt, vsts, vldas, vldus, vldas, vldus, vintlv, plt, vsts");
  const std::uint32_t words[2][4] = {{0xA0, 0xB0, 0xA1, 0xB1}, {0xA2, 0xB2, 0xA3, 0xB3}};
  for (int half = 0; half < 2; ++half) {
    const std::uint32_t dst = half == 0 ? kDst0 : kDst1;
    for (std::uint32_t k = 0; k < 4; ++k) {
      CHECK(example.word(example.step("vintlv", half), 0, k) == words[half][k]);
      CHECK(example.ub_word(dst + 4 * k) == words[half][k]);
    }
    CHECK(example.word(example.step("plt", half), 0, 0) == 0x1111);
    CHECK(bytes_written(example.step("vsts", half), dst, dst + 16) == 16);
  }
}

TEST_CASE("worked example: texpands i8 2x5 of 2x32, and f32 2x40") {
  const auto fill = [](Target target, const TileType& type, std::uint64_t bits, Valid valid) {
    ProgramBuilder builder(target, "fill");
    builder.add("texpands", {Scalar{type.dtype, bits}},
                {builder.tile("dst", type, {.address = kDst0, .valid_rows = valid.rows, .valid_cols = valid.cols})});
    return WorkedExample(std::move(builder), [](Memory&) {});
  };
  const TileType bytes = vec_tile(DType::I8, 2, 32, kDynamic, kDynamic), words = vec_tile(DType::F32, 2, 40);
  const WorkedExample pairs = fill(Target::A2A3, bytes, 0x7B, {2, 5});
  CHECK(pairs.names() == "set_mask_count, set_vector_mask, vector_dup, vector_dup, set_mask_norm, set_vector_mask");
  CHECK(pairs.step("set_vector_mask").args.at(1).base == 3);
  for (int row = 0; row < 2; ++row)
    CHECK(bytes_written(pairs.step("vector_dup", row), kDst0 + 32 * row, kDst0 + 32 * row + 6) == 6);

  const WorkedExample lanes = fill(Target::A5, bytes, 0x7B, {2, 5});
  CHECK(lanes.word(lanes.step("plt"), 0, 0) == 0x1F);
  for (int row = 0; row < 2; ++row)
    CHECK(bytes_written(lanes.step("vsts", row), kDst0 + 32 * row, kDst0 + 32 * row + 5) == 5);

  const WorkedExample run = fill(Target::A5, words, 0x40400000, {2, 40});
  CHECK(bytes_written(run.step("vsts", 0), kDst0, kDst0 + 256) == 256);
  CHECK(bytes_written(run.step("vsts", 1), kDst0 + 256, kDst0 + 320) == 64);
  const WorkedExample repeats = fill(Target::A2A3, words, 0x40400000, {2, 40});
  CHECK(repeats.names() == "set_mask_count, set_vector_mask, vector_dup, set_mask_norm, set_vector_mask");
  CHECK(repeats.step("set_vector_mask").args.at(1).base == 80);
  CHECK(bytes_written(repeats.step("vector_dup"), kDst0, kDst0 + 320) == 320);
}

TEST_CASE("worked example: texpands i16 32x64 in L1: 128 blocks") {
  for (const Target target : kBothTargets) {
    ProgramBuilder builder(target, "fill");
    TileType type = vec_tile(DType::I16, 32, 64);
    type.loc = TileLoc::Mat;
    builder.add("texpands", {Scalar{DType::I16, 5}}, {builder.tile("dst", type, {.address = 0})});
    const WorkedExample example(std::move(builder), [](Memory&) {});
    CHECK(example.names() == "create_cbuf_matrix");
    CHECK(bytes_written(example.step("create_cbuf_matrix"), 0, 4096) == 4096);
    CHECK(example.step("create_cbuf_matrix").args.at(1).base == 0x10080);
  }
}

TEST_CASE("worked example: ttrans a2a3 f32 16x16: two columns of blocks, then sixteen bursts of two blocks") {
  ProgramBuilder builder(Target::A2A3, "transpose");
  const TileType type = vec_tile(DType::F32, 16, 16);
  const TileId src = builder.tile("src", type, {.address = kSrc0}), tmp = builder.tile("tmp", type, {.address = kTmp});
  builder.add("ttrans", {src, tmp}, {builder.tile("dst", type, {.address = kDst0})});
  const WorkedExample example(std::move(builder), [](Memory& memory) {
    for (std::uint32_t k = 0; k < 256; ++k) memory.set_element(Space::Ub, kSrc0 + 4 * k, 4, k);
  });
  // Columns 0..7 become tmp's rows 0..7, columns 8..15 its rows 8..15.
  CHECK(bytes_written(example.step("vnchwconv", 0), kTmp, kTmp + 512) == 512);
  CHECK(bytes_written(example.step("vnchwconv", 1), kTmp + 512, kTmp + 1024) == 512);
  CHECK(bytes_written(example.step("copy_ubuf_to_ubuf"), kDst0, kDst0 + 1024) == 1024);
  for (std::uint32_t c = 0; c < 16; ++c)
    for (std::uint32_t r = 0; r < 16; ++r) CHECK(example.ub_word(kDst0 + 64 * c + 4 * r) == 16 * r + c);
}

TEST_CASE("worked example: tgatherb a5 f32 1x16 by two blocks") {
  ProgramBuilder builder(Target::A5, "gather");
  const TileId src = builder.tile("src", vec_tile(DType::F32, 1, 32), {.address = kSrc0});
  const TileId offsets = builder.tile("offsets", vec_tile(DType::U32, 1, 8, 1, 2), {.address = kMask});
  builder.add("tgatherb", {src, offsets}, {builder.tile("dst", vec_tile(DType::F32, 1, 16), {.address = kDst0})});
  const WorkedExample example(std::move(builder), [](Memory& memory) {
    for (std::uint32_t k = 0; k < 32; ++k) memory.set_element(Space::Ub, kSrc0 + 4 * k, 4, k);
    for (std::uint32_t k = 0; k < 8; ++k) memory.set_element(Space::Ub, kMask + 4 * k, 4, k == 0 ? 64 : 0);
  });
  CHECK(bytes_written(example.step("vsts"), kDst0, kDst0 + 64) == 64);
  for (std::uint32_t k = 0; k < 16; ++k)
    CHECK(example.word(example.step("vgatherb"), 0, k) == (k < 8 ? 16 + k : k - 8));
  for (std::uint32_t k = 0; k < 16; ++k) CHECK(example.ub_word(kDst0 + 4 * k) == (k < 8 ? 16 + k : k - 8));
}

TEST_CASE("trace: micro-steps in words") {
  const WorkedExample example = deinterleave(8);
  CHECK(example.trace.describe(example.step("vlds", 0)) == "v0 = vlds_b32 ub[0x1000]");
  CHECK(example.trace.describe(example.step("vlds", 1)) == "v1 = vlds_b32 ub[0x1000 + 64*4]");
  CHECK(example.trace.describe(example.step("vdintlv", 0)) == "v2, v3 = vdintlv_b32 v0, v1");
  CHECK(example.trace.describe(example.step("plt", 0)) == "p4 = plt_b32 n=4");
}

}  // namespace ts::test
