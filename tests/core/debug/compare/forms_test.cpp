// The same computation in tile instructions and in micro-instructions: the same bytes, and where they part if something is
// wrong in one of them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>

#include "core/debug/compare/compare_forms.h"
#include "core/debug/compare/compare_runs.h"
#include "tests/support/random.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

// A matrix in global memory, and the tile in UB that it is loaded to or stored from.
struct Matrix {
  const char* name;
  const char* type;
  std::uint32_t rows, cols, size, pitch, address;  // size of an element and pitch in bytes
  std::string tile() const {
    return fmt::format("!pto.tile_buf<vec, {}x{}x{}, valid={}x{}>", rows, pitch / size, type, rows, cols);
  }
  std::uint32_t bytes() const { return rows * cols * size; }
};

struct Computation {
  const char* name;  // of the instruction
  std::vector<Matrix> from;
  Matrix to;
  const char* micro;            // the body of the region; %name_ub are the pointers, %i<n> indices, %n<n> i32
  const char *right, *planted;  // what is wrong when it is planted
};

const std::vector<Computation>& computations() {
  static const std::vector<Computation> all = {
      {"tadd",
       {{"x", "f32", 4, 72, 4, 288, 0}, {"y", "f32", 4, 72, 4, 288, 2048}},
       {"out", "f32", 4, 72, 4, 288, 4096},
       R"(
      scf.for %r = %i0 to %i4 step %i1 {
        %first = arith.muli %r, %i72 : index
        %none = scf.for %c = %i0 to %i72 step %i64 iter_args(%left = %n72) -> (i32) {
          %at = arith.addi %first, %c : index
          %m, %rest = pto.plt_b32 %left : i32 -> !pto.mask<b32>, i32
          %a = pto.vlds %x_ub[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
          %b = pto.vlds %y_ub[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
          %s = pto.vadd %a, %b, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
          pto.vsts %s, %out_ub[%at], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
          scf.yield %rest : i32
        }
      })",
       "vadd %a, %b",
       "vmax %a, %b"},
      {"trowmax",
       {{"x", "f32", 4, 72, 4, 288, 0}},
       {"out", "f32", 4, 1, 4, 32, 4096},
       R"(
      %one = pto.pset_b32 "PAT_VL1" : !pto.mask<b32>
      scf.for %r = %i0 to %i4 step %i1 {
        %first = arith.muli %r, %i72 : index
        %low = pto.vbr %lowest : f32 -> !pto.vreg<64xf32>
        %max, %none = scf.for %c = %i0 to %i72 step %i64 iter_args(%so_far = %low, %left = %n72) -> (!pto.vreg<64xf32>, i32) {
          %at = arith.addi %first, %c : index
          %m, %rest = pto.plt_b32 %left : i32 -> !pto.mask<b32>, i32
          %a = pto.vlds %x_ub[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
          %of = pto.vcmax %a, %m : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
          %new = pto.vmax %so_far, %of, %one : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
          scf.yield %new, %rest : !pto.vreg<64xf32>, i32
        }
        %to = arith.muli %r, %i8 : index
        pto.vsts %max, %out_ub[%to], %one {dist = "1PT_B32"} : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
      })",
       "%low = pto.vbr %lowest",
       "%low = pto.vbr %nothing"},
      {"tcvt",
       {{"x", "f32", 4, 80, 4, 320, 0}},
       {"out", "f16", 4, 80, 2, 160, 4096},
       R"(
      scf.for %r = %i0 to %i4 step %i1 {
        %first = arith.muli %r, %i80 : index
        %none = scf.for %c = %i0 to %i80 step %i64 iter_args(%left = %n80) -> (i32) {
          %at = arith.addi %first, %c : index
          %m, %rest = pto.plt_b32 %left : i32 -> !pto.mask<b32>, i32
          %a = pto.vlds %x_ub[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
          %h = pto.vcvt %a, %m {rnd = "R", sat = "SAT", part = "EVEN"} : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<128xf16>
          pto.vsts %h, %out_ub[%at], %m {dist = "PK_B32"} : !pto.vreg<128xf16>, !pto.ptr<f16, ub>, !pto.mask<b32>
          scf.yield %rest : i32
        }
      })",
       "rnd = \"R\"",
       "rnd = \"Z\""},
      {"tsel",
       {{"bits", "ui8", 4, 8, 1, 32, 0}, {"x", "f32", 4, 64, 4, 256, 1024}, {"y", "f32", 4, 64, 4, 256, 2048}},
       {"out", "f32", 4, 64, 4, 256, 4096},
       R"(
      %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
      scf.for %r = %i0 to %i4 step %i1 {
        %at_bits = arith.muli %r, %i32 : index
        %at = arith.muli %r, %i64 : index
        %half = pto.plds %bits_ub[%at_bits], "US" : !pto.ptr<ui8, ub>, index -> !pto.mask<b16>
        %m = pto.punpack %half, "LOWER" : !pto.mask<b16> -> !pto.mask<b32>
        %a = pto.vlds %x_ub[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
        %b = pto.vlds %y_ub[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
        %s = pto.vsel %a, %b, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
        pto.vsts %s, %out_ub[%at], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
      })",
       "\"LOWER\"",
       "\"HIGHER\""},
      {"tgatherb",
       {{"x", "f32", 32, 8, 4, 32, 0}, {"at", "ui32", 4, 8, 4, 32, 2048}},
       {"out", "f32", 4, 64, 4, 256, 4096},
       R"(
      %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
      %eight = pto.pset_b32 "PAT_VL8" : !pto.mask<b32>
      scf.for %r = %i0 to %i4 step %i1 {
        %from = arith.muli %r, %i8 : index
        %to = arith.muli %r, %i64 : index
        %o = pto.vlds %at_ub[%from] : !pto.ptr<ui32, ub> -> !pto.vreg<64xui32>
        %v = pto.vgatherb %x_ub, %o, %eight : !pto.ptr<f32, ub>, !pto.vreg<64xui32>, !pto.mask<b32> -> !pto.vreg<64xf32>
        pto.vsts %v, %out_ub[%to], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
      })",
       "PAT_VL8",
       "PAT_VL4"},
      {"ttrans",
       {{"x", "f32", 16, 8, 4, 32, 0}},
       {"out", "f32", 8, 16, 4, 64, 4096},
       R"(
      %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
      %sixteen = pto.pset_b32 "PAT_VL16" : !pto.mask<b32>
      %lanes = pto.vci %n0 {order = "ASC"} : i32 -> !pto.vreg<64xi32>
      %rows = pto.vmins %lanes, %n15, %all : !pto.vreg<64xi32>, i32, !pto.mask<b32> -> !pto.vreg<64xi32>
      %starts = pto.vmuls %rows, %n8, %all : !pto.vreg<64xi32>, i32, !pto.mask<b32> -> !pto.vreg<64xi32>
      scf.for %c = %i0 to %i8 step %i1 {
        %col = arith.index_cast %c : index to i32
        %at = pto.vadds %starts, %col, %all : !pto.vreg<64xi32>, i32, !pto.mask<b32> -> !pto.vreg<64xi32>
        %v = pto.vgather2 %x_ub, %at, %sixteen : !pto.ptr<f32, ub>, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xf32>
        %to = arith.muli %c, %i16 : index
        pto.vsts %v, %out_ub[%to], %sixteen : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
      })",
       "vmins %lanes, %n15",
       "vmins %lanes, %n8"},
  };
  return all;
}

// --- the two texts ----------------------------------------------------------------------------------------------------

constexpr const char* kLoaded =
    "    pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"]\n    pto.wait_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"]\n";
constexpr const char* kComputed =
    "    pto.set_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n    pto.wait_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n";

std::string begin(const Computation& c) {
  std::string parameters;
  for (const Matrix& one : c.from) parameters += fmt::format("%{}: !pto.ptr<{}, gm>, ", one.name, one.type);
  std::string text = fmt::format(
      "module attributes {{pto.target_arch = \"a5\"}} {{\n  func.func @k({}%{}: !pto.ptr<{}, gm>) attributes {{pto.aicore}} {{\n",
      parameters, c.to.name, c.to.type);
  for (const int i : {0, 1, 4, 8, 16, 32, 64, 72, 80})
    text += fmt::format("    %i{} = arith.constant {} : index\n", i, i);
  for (const int n : {0, 8, 15, 72, 80}) text += fmt::format("    %n{} = arith.constant {} : i32\n", n, n);
  return text + "    %lowest = arith.constant 0xFF800000 : f32\n    %nothing = arith.constant 0.0 : f32\n";
}

std::string in_tiles(const Computation& c) {
  std::string text = begin(c), names, types;
  const auto declare = [&](const Matrix& one) {
    text += fmt::format(
        "    %{0}_r = arith.constant {1} : index\n    %{0}_c = arith.constant {2} : index\n    %{0}_at = arith.constant {3} : i64\n"
        "    %{0}_all = pto.make_tensor_view %{0}, shape = [%{0}_r, %{0}_c], strides = [%{0}_c, %i1] : "
        "!pto.tensor_view<{1}x{2}x{4}>\n    %{0}_view = pto.partition_view %{0}_all, offsets = [%i0, %i0], sizes = [%{0}_r, "
        "%{0}_c] : !pto.tensor_view<{1}x{2}x{4}> -> !pto.partition_tensor_view<{1}x{2}x{4}>\n"
        "    %{0}_tile = pto.alloc_tile addr = %{0}_at : {5}\n",
        one.name, one.rows, one.cols, one.address, one.type, one.tile());
  };
  for (const Matrix& one : c.from) {
    declare(one);
    text +=
        fmt::format("    pto.tload ins(%{0}_view : !pto.partition_tensor_view<{1}x{2}x{3}>) outs(%{0}_tile : {4})\n",
                    one.name, one.rows, one.cols, one.type, one.tile());
    names += fmt::format("{}%{}_tile", names.empty() ? "" : ", ", one.name);
    types += (types.empty() ? "" : ", ") + one.tile();
  }
  declare(c.to);
  text += kLoaded +
          fmt::format("    pto.{} ins({} : {}) outs(%{}_tile : {})\n", c.name, names, types, c.to.name, c.to.tile());
  return text + kComputed +
         fmt::format("    pto.tstore ins(%{0}_tile : {4}) outs(%{0}_view : !pto.partition_tensor_view<{1}x{2}x{3}>)\n",
                     c.to.name, c.to.rows, c.to.cols, c.to.type, c.to.tile()) +
         "    return\n  }\n}\n";
}

std::string in_micro(const Computation& c, bool planted) {
  std::string text = begin(c) + "    %one_l = arith.constant 0 : i64\n";
  const auto numbers = [&](const Matrix& one) {
    text += fmt::format(
        "    %{0}_n = arith.constant {1} : i64\n    %{0}_len = arith.constant {2} : i64\n    %{0}_pitch = arith.constant {3} : i64\n"
        "    %{0}_at = arith.constant {4} : i64\n    %{0}_ub = pto.castptr %{0}_at : i64 -> !pto.ptr<{5}, ub>\n",
        one.name, one.rows, one.cols * one.size, one.pitch, one.address, one.type);
  };
  for (const Matrix& one : c.from) {
    numbers(one);
    text += fmt::format(
        "    pto.mte_gm_ub %{0}, %{0}_ub, %one_l, %{0}_len nburst(%{0}_n, %{0}_len, %{0}_pitch) : !pto.ptr<{1}, gm>, "
        "!pto.ptr<{1}, ub>, i64, i64, i64, i64, i64\n",
        one.name, one.type);
  }
  numbers(c.to);
  std::string body = c.micro;
  if (planted) body.replace(body.find(c.right), std::strlen(c.right), c.planted);
  text += kLoaded + std::string("    pto.vecscope {") + body + "\n    }\n" + kComputed;
  return text +
         fmt::format(
             "    pto.mte_ub_gm %{0}_ub, %{0}, %{0}_len nburst(%{0}_n, %{0}_pitch, %{0}_len) : !pto.ptr<{1}, ub>, "
             "!pto.ptr<{1}, gm>, i64, i64, i64, i64\n    return\n  }}\n}}\n",
             c.to.name, c.to.type);
}

std::vector<std::byte> bytes_for_matrix(const Matrix& one, Random& random) {
  std::vector<std::byte> bytes(one.bytes());
  for (std::uint32_t i = 0; i < one.rows * one.cols; ++i) {
    const std::uint32_t row = i / one.cols;
    // Row 2 is negative, and no number is a half.
    const float value = (static_cast<float>(random.below(100'000)) - (row == 2 ? 100'001.0f : 50'000.0f)) / 7.0f;
    std::uint32_t bits = std::string_view(one.name) == "at" ? 32 * random.below(32) : random.below(256);
    if (std::string_view(one.type) == "f32") std::memcpy(&bits, &value, 4);
    std::memcpy(bytes.data() + std::size_t{i} * one.size, &bits, one.size);
  }
  return bytes;
}

std::shared_ptr<const Recording> run_form(const Computation& c, const std::string& text) {
  OpenRequest request;
  Random random(29);
  for (const Matrix& one : c.from) request.inputs.data[one.name] = bytes_for_matrix(one, random);
  OpenedText opened = open_text(text, Target::A5, request);
  std::string told;
  for (const Diagnostic& one : opened.diagnostics) told += one.format() + "\n";
  CAPTURE(told);
  CAPTURE(text);
  REQUIRE(opened.opened);
  std::shared_ptr<const Recording> recording =
      Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{32} << 20});
  for (const Finding& one : recording->findings()) told += one.diagnostic.format() + "\n";
  CHECK_MESSAGE(recording->stop_reason() == StopReason::End, told);
  return recording;
}

std::vector<std::byte> result_of(const Recording& recording, const Computation& c) {
  for (const BufferDecl& buffer : recording.program().buffers)
    if (buffer.name == c.to.name) {
      const auto bytes = recording.final_memory().bytes(Space::Gm, buffer.address, c.to.bytes());
      return {bytes.begin(), bytes.end()};
    }
  return {};
}

}  // namespace

TEST_CASE("forms: tile instructions and micro-instructions that compute the same leave the same bytes") {
  for (const Computation& c : computations()) {
    CAPTURE(c.name);
    const auto tiles = run_form(c, in_tiles(c)), micro = run_form(c, in_micro(c, false));
    CHECK(are_two_forms(tiles->program(), micro->program()));
    CHECK(result_of(*tiles, c) == result_of(*micro, c));
    const RunDifferences found = compare_runs(*tiles, *micro, {});
    CHECK(found.same());
    CHECK(found.stored_bytes >= 2 * c.to.bytes());  // in UB and in global memory
    CHECK(compare_runs(*micro, *tiles, {}).same());
  }
}

TEST_CASE("forms: what is wrong in one of them is named by the first element, the instruction and the store") {
  for (const Computation& c : computations()) {
    CAPTURE(c.name);
    const auto tiles = run_form(c, in_tiles(c)), micro = run_form(c, in_micro(c, true));
    const std::vector<std::byte> right = result_of(*tiles, c), wrong = result_of(*micro, c);
    std::uint32_t first = 0, count = 0;
    for (std::uint32_t i = c.to.rows * c.to.cols; i-- > 0;)
      if (std::memcmp(right.data() + i * c.to.size, wrong.data() + i * c.to.size, c.to.size) != 0) first = i, ++count;
    REQUIRE(count > 0);

    const RunDifferences found = compare_runs(*tiles, *micro, {});
    REQUIRE(found.differences.size() == 2);
    CHECK(found.causes() == 1);
    const ResultDifference &cause = found.differences[0], &stored = found.differences[1];
    CHECK(tiles->bound(cause.step_a).row->name == std::string(c.name));
    CHECK(micro->bound(cause.step_b).row->name == std::string("vsts"));
    CHECK(!cause.inherited);
    CHECK(cause.comparison.count == count);
    CHECK(cause.comparison.first->row == first / c.to.cols);
    CHECK(cause.comparison.first->col == first % c.to.cols);
    CHECK(tiles->bound(stored.step_a).row->name == std::string("tstore"));
    CHECK(micro->bound(stored.step_b).row->name == std::string("mte_ub_gm"));
    CHECK(stored.inherited);
    CHECK(stored.comparison.first->col == first);

    Questions a(tiles), b(micro);
    const std::string text = difference_text(a, b, cause);
    CAPTURE(text);
    CHECK(text.find(fmt::format("%{}_tile[{},{}]", c.to.name, first / c.to.cols, first % c.to.cols)) !=
          std::string::npos);
    CHECK(text.find(" vsts, line ") != std::string::npos);
    // The other way round the store is named first.
    const RunDifferences turned = compare_runs(*micro, *tiles, {.most = 1});
    REQUIRE(turned.differences.size() == 1);
    CHECK(micro->bound(turned.differences[0].step_a).row->name == std::string("vsts"));
    CHECK(tiles->bound(turned.differences[0].step_b).row->name == std::string(c.name));
  }
}

TEST_CASE("forms: where UB is used in another way, global memory alone is compared") {
  Computation moved = computations()[0];
  const auto tiles = run_form(moved, in_tiles(moved));
  for (Matrix& one : moved.from) one.address ^= 2048;
  CHECK(compare_runs(*tiles, *run_form(moved, in_micro(moved, false)), {}).same());
  const RunDifferences found = compare_runs(*tiles, *run_form(moved, in_micro(moved, true)), {});
  REQUIRE(found.differences.size() == 1);
  CHECK(tiles->bound(found.differences[0].step_a).row->name == std::string("tstore"));
}

}  // namespace ts::test
