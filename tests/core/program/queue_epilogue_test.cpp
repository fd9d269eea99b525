// Sums that a queue converts on their way to the vector cores: narrower floats, negative ones dropped, quantised by one factor
// or by one of each column.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/check/check.h"
#include "core/record/recording.h"
#include "tests/support/text/mixed_program.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

struct EpilogueCase {
  Target target;
  const char* quant;
  bool relu = false;
  DType out = DType::F16;
};

// out[r][c] = converted(sum over k of a[r][k] * b[k][c])
std::string text_of(const EpilogueCase& one) {
  const std::string words =
                        fmt::format("acc_push_epilogue = #pto.acc_push_epilogue<layout = nz2nd, quant = {}, relu = {}>",
                                    one.quant, one.relu ? "normal_relu" : "no_relu"),
                    type = name(one.out),
                    pipe = fmt::format(
                        "{{id = 0, dir_mask = 1, slot_size = 4096, slot_num = 2, {}}} "
                        "(gm_slot_buffer = %slots : !pto.ptr<f32>, c2v_consumer_buf = "
                        "%storage : i32)",
                        words);
  const std::string_view quant = one.quant;
  std::string set;
  if (quant.ends_with("_scalar")) set = "    pto.set_quant_scalar(%factor : f32) {id = 0}\n";
  const std::string scales = "!pto.tile_buf<scaling, 1x64xf16>", mat = "!pto.tile_buf<mat, 1x64xf16>";
  if (quant.ends_with("_vec"))
    set = fmt::format(
        "    %sv = pto.make_tensor_view %scales, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<1x64xf16>\n"
        "    %sp = pto.partition_view %sv, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<1x64xf16> -> "
        "!pto.partition_tensor_view<1x64xf16>\n"
        "    %sm = pto.alloc_tile : {0}\n    %sf = pto.alloc_tile : {1}\n"
        "    pto.tload ins(%sp : !pto.partition_tensor_view<1x64xf16>) outs(%sm : {0})\n"
        "    pto.tmov ins(%sm : {0}) outs(%sf : {1})\n    pto.set_quant_vector(%sf : {1}) {{id = 0}}\n",
        mat, scales);
  const char* arguments =
      "%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %scales: !pto.ptr<f16>, %slots: !pto.ptr<f32>, %factor: f32";
  std::string numbers;
  for (const int number : {0, 1, 16, 32, 64})
    numbers += fmt::format("    %c{0} = arith.constant {0} : index\n", number);
  std::string text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n", name(one.target));
  text += fmt::format(
      "  func.func @q_aic({}, %out: !pto.ptr<{}>) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{\n",
      arguments, type);
  text += numbers + "    %storage = pto.import_reserved_buffer {name = \"q\", peer_func = @q_aiv} -> i32\n";
  text += "    pto.aic_initialize_pipe " + pipe + "\n" + set;
  text += fmt::format(
      "    %av = pto.make_tensor_view %a, shape = [%c16, %c32], strides = [%c32, %c1] : !pto.tensor_view<16x32xf16>\n"
      "    %ap = pto.partition_view %av, offsets = [%c0, %c0], sizes = [%c16, %c32] : !pto.tensor_view<16x32xf16> -> "
      "!pto.partition_tensor_view<16x32xf16>\n"
      "    %bv = pto.make_tensor_view %b, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf16>\n"
      "    %bp = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%c32, %c64] : !pto.tensor_view<32x64xf16> -> "
      "!pto.partition_tensor_view<32x64xf16>\n"
      "    %am = pto.alloc_tile : {0}\n    %bm = pto.alloc_tile : {1}\n    %l = pto.alloc_tile : {2}\n"
      "    %r = pto.alloc_tile : {3}\n    %acc = pto.alloc_tile : {4}\n"
      "    pto.tload ins(%ap : !pto.partition_tensor_view<16x32xf16>) outs(%am : {0})\n"
      "    pto.tload ins(%bp : !pto.partition_tensor_view<32x64xf16>) outs(%bm : {1})\n"
      "    pto.tmov ins(%am : {0}) outs(%l : {2})\n    pto.tmov ins(%bm : {1}) outs(%r : {3})\n"
      "    pto.tmatmul ins(%l, %r : {2}, {3}) outs(%acc : {4})\n"
      "    pto.tpush_to_aiv(%acc : {4}) {{id = 0, split = 0}}\n    return\n  }}\n",
      kMixedMatA, kMixedMatB, kMixedLeft, kMixedRight, kMixedAcc);
  text += fmt::format(
      "  func.func @q_aiv({}, %out: !pto.ptr<{}>) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n",
      arguments, type);
  text +=
      numbers +
      "    %storage = pto.reserve_buffer {name = \"q\", size = 8192, location = #pto.address_space<vec>, auto = true} "
      "-> i32\n";
  text += "    pto.aiv_initialize_pipe " + pipe + "\n";
  text +=
      one.target == Target::A5 ? "    %which = arith.constant 0 : i64\n" : "    %which = pto.get_subblock_idx -> i64\n";
  text +=
      "    %which_index = arith.index_cast %which : i64 to index\n    %first = arith.cmpi eq, %which_index, %c0 : index\n";
  const std::string vec = fmt::format("!pto.tile_buf<vec, 16x64x{}>", type), part = fmt::format("16x64x{}", type);
  text += fmt::format("    %x = pto.tpop_from_aic {{id = 0, split = 0}} -> {}\n    scf.if %first {{\n", vec);
  text += fmt::format(
      "    %ov = pto.make_tensor_view %out, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<{0}>\n"
      "    %op = pto.partition_view %ov, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<{0}> -> "
      "!pto.partition_tensor_view<{0}>\n"
      "    pto.tstore ins(%x : {1}) outs(%op : !pto.partition_tensor_view<{0}>)\n    }}\n",
      part, vec);
  return text + "    pto.tfree_from_aic {id = 0, split = 0}\n    return\n  }\n}\n";
}

// Half to even.
double rounded(double x) { return std::nearbyint(x); }

void check_epilogue(const EpilogueCase& one) {
  CAPTURE(name(one.target));
  CAPTURE(one.quant);
  const std::string text = text_of(one);
  CAPTURE(text);
  Diagnostics said;
  const auto tree = read_program("epilogue.pto", text, said);
  const std::vector<EntryPoint> entries = entry_points(*tree, said);
  REQUIRE(entries.size() == 1);
  OpenRequest request;
  request.inputs.data["a"] = mixed_halves(kMixedRows * kMixedK, 1);
  request.inputs.data["b"] = mixed_halves(kMixedK * kMixedCols, 5);
  request.inputs.data["scales"] = mixed_halves(kMixedCols, 2, 0.25);
  request.inputs.numbers["factor"] = "0.375";
  auto opened = open_program(tree, entries.front(), request, said);
  for (const Diagnostic& diagnostic : said)
    if (diagnostic.severity == Severity::Error) FAIL_CHECK(diagnostic.format());
  REQUIRE(opened);
  const auto recording = Recording::run(std::move(opened->program));
  for (const Finding& finding : recording->findings())
    if (finding.diagnostic.severity == Severity::Error) FAIL_CHECK(finding.diagnostic.format());
  REQUIRE(recording->stop_reason() == StopReason::End);
  const auto& buffers = recording->program().buffers;
  const auto out = std::ranges::find(buffers, "out", &BufferDecl::name);
  REQUIRE(out != buffers.end());
  const std::string_view quant = one.quant;
  int wrong = 0;
  for (std::uint32_t row = 0; row < kMixedRows; ++row)
    for (std::uint32_t col = 0; col < kMixedCols; ++col) {
      double sum = 0;
      for (std::uint32_t k = 0; k < kMixedK; ++k)
        sum += mixed_number(row * kMixedK + k, 1) * mixed_number(k * kMixedCols + col, 5);
      if (quant.ends_with("_scalar")) sum *= 0.375;
      if (quant.ends_with("_vec")) sum *= mixed_number(col, 2) * 0.25;
      if (one.relu) sum = std::max(sum, 0.0);
      if (one.out == DType::I8) sum = std::clamp(rounded(sum), -128.0, 127.0);
      else sum = to_double(one.out, from_double(one.out, sum));
      const std::uint32_t size = size_bytes(one.out);
      const double got = to_double(
          one.out, recording->final_memory().element(Space::Gm, out->address + (row * kMixedCols + col) * size, size));
      wrong += got != sum ? 1 : 0;
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("queue epilogues: what is pushed is converted on its way") {
  for (const Target target : kBothTargets) {
    check_epilogue({target, "no_convert", false, DType::F32});
    check_epilogue({target, "no_convert", true, DType::F32});
    check_epilogue({target, "f32_f16", false, DType::F16});
    check_epilogue({target, "f32_f16", true, DType::F16});
    check_epilogue({target, "f32_bf16", false, DType::BF16});
    check_epilogue({target, "qf322b8_pre_scalar", false, DType::I8});
    check_epilogue({target, "qf322b8_pre_vec", true, DType::I8});
  }
  check_epilogue({Target::A5, "qf322f16_pre_scalar", false, DType::F16});
  check_epilogue({Target::A5, "qf322f16_pre_vec", false, DType::F16});
  check_epilogue({Target::A5, "qf322bf16_pre_vec", true, DType::BF16});
}

namespace {

// a2a3: the program stores to slots and loads from them; four entries go through two slots.
constexpr const char* kByViews = R"(module attributes {pto.target_arch = "a2a3"} {
  func.func @v_aic(%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %slots: !pto.ptr<f32>, %out: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
NUMBERS    %slot = pto.make_tensor_view %slots, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
    pto.aic_initialize_pipe {id = 0, dir_mask = 1, slot_size = 4096, slot_num = 2} (gm_slot_tensor = %slot : !pto.tensor_view<16x64xf32>)
    %av = pto.make_tensor_view %a, shape = [%c64, %c32], strides = [%c32, %c1] : !pto.tensor_view<64x32xf16>
    %bv = pto.make_tensor_view %b, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf16>
    %bp = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%c32, %c64] : !pto.tensor_view<32x64xf16> -> !pto.partition_tensor_view<32x64xf16>
    %am = pto.alloc_tile : MATA
    %bm = pto.alloc_tile : MATB
    %l = pto.alloc_tile : LEFT
    %r = pto.alloc_tile : RIGHT
    %acc = pto.alloc_tile : ACC
    pto.tload ins(%bp : !pto.partition_tensor_view<32x64xf16>) outs(%bm : MATB)
    pto.tmov ins(%bm : MATB) outs(%r : RIGHT)
    scf.for %i = %c0 to %c4 step %c1 {
      %row = arith.muli %i, %c16 : index
      %ap = pto.partition_view %av, offsets = [%row, %c0], sizes = [%c16, %c32] : !pto.tensor_view<64x32xf16> -> !pto.partition_tensor_view<16x32xf16>
      pto.tload ins(%ap : !pto.partition_tensor_view<16x32xf16>) outs(%am : MATA)
      pto.tmov ins(%am : MATA) outs(%l : LEFT)
      pto.tmatmul ins(%l, %r : LEFT, RIGHT) outs(%acc : ACC)
      %e = pto.talloc_to_aiv {id = 0, split = 0} -> !pto.tensor_view<16x64xf32>
      %ep = pto.partition_view %e, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
      pto.tstore ins(%acc : ACC) outs(%ep : !pto.partition_tensor_view<16x64xf32>)
      pto.tpush_to_aiv(%e : !pto.tensor_view<16x64xf32>) {id = 0, split = 0}
    }
    return
  }
  func.func @v_aiv(%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %slots: !pto.ptr<f32>, %out: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
NUMBERS    %slot = pto.make_tensor_view %slots, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
    pto.aiv_initialize_pipe {id = 0, dir_mask = 1, slot_size = 4096, slot_num = 2} (gm_slot_tensor = %slot : !pto.tensor_view<16x64xf32>)
    %ov = pto.make_tensor_view %out, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
    %which = pto.get_subblock_idx -> i64
    %which_index = arith.index_cast %which : i64 to index
    %first = arith.cmpi eq, %which_index, %c0 : index
    %x = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      %row = arith.muli %i, %c16 : index
      %e = pto.tpop_from_aic {id = 0, split = 0} -> !pto.tensor_view<16x64xf32>
      %ep = pto.partition_view %e, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
      pto.tload ins(%ep : !pto.partition_tensor_view<16x64xf32>) outs(%x : !pto.tile_buf<vec, 16x64xf32>)
FREE      scf.if %first {
        %op = pto.partition_view %ov, offsets = [%row, %c0], sizes = [%c16, %c64] : !pto.tensor_view<64x64xf32> -> !pto.partition_tensor_view<16x64xf32>
        pto.tstore ins(%x : !pto.tile_buf<vec, 16x64xf32>) outs(%op : !pto.partition_tensor_view<16x64xf32>)
      }
    }
    return
  }
}
)";

std::unique_ptr<Recording> run_by_views(bool frees, const RunOrder& order = {}) {
  std::string text = kByViews;
  const auto replace = [&](const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
      text.replace(at, what.size(), with);
  };
  std::string numbers;
  for (const int number : {0, 1, 4, 16, 32, 64})
    numbers += fmt::format("    %c{0} = arith.constant {0} : index\n", number);
  replace("NUMBERS", numbers);
  replace("MATA", kMixedMatA);
  replace("MATB", kMixedMatB);
  replace("LEFT", kMixedLeft);
  replace("RIGHT", kMixedRight);
  replace("ACC", kMixedAcc);
  replace("FREE", frees ? "      pto.tfree_from_aic(%e : !pto.tensor_view<16x64xf32>) {id = 0, split = 0}\n" : "");
  Diagnostics said;
  const auto tree = read_program("views.pto", text, said);
  OpenRequest request;
  request.inputs.data["a"] = mixed_halves(4 * kMixedRows * kMixedK, 1);
  request.inputs.data["b"] = mixed_halves(kMixedK * kMixedCols, 5);
  auto opened = open_program(tree, entry_points(*tree, said).front(), request, said);
  for (const Diagnostic& diagnostic : said)
    if (diagnostic.severity == Severity::Error) FAIL_CHECK(diagnostic.format());
  REQUIRE(opened);
  RecordOptions options;
  options.limits.order = order;
  return Recording::run(std::move(opened->program), options);
}

}  // namespace

TEST_CASE("queues of views: the program stores to slots and loads from them") {
  for (const RunOrder& order : {RunOrder{}, RunOrder{RunOrder::Kind::Reverse}, RunOrder{RunOrder::Kind::Random, 9}}) {
    const auto recording = run_by_views(true, order);
    REQUIRE(recording->stop_reason() == StopReason::End);
    const auto& buffers = recording->program().buffers;
    const auto out = std::ranges::find(buffers, "out", &BufferDecl::name);
    REQUIRE(out != buffers.end());
    int wrong = 0;
    for (std::uint32_t row = 0; row < 4 * kMixedRows; ++row)
      for (std::uint32_t col = 0; col < kMixedCols; ++col) {
        double sum = 0;
        for (std::uint32_t k = 0; k < kMixedK; ++k)
          sum += mixed_number(row * kMixedK + k, 1) * mixed_number(k * kMixedCols + col, 5);
        const auto bits = recording->final_memory().element(Space::Gm, out->address + (row * kMixedCols + col) * 4, 4);
        wrong += to_double(DType::F32, bits) != sum ? 1 : 0;
      }
    CHECK(wrong == 0);
    const CheckReport report = check(*recording);
    CHECK(std::ranges::none_of(report.findings, [](const Finding& one) { return one.kind() == FindingKind::Cores; }));
  }
  // Here it is tfree that gives a slot back.
  const auto stuck = run_by_views(false);
  CHECK(stuck->stop_reason() == StopReason::Error);
  REQUIRE(stuck->waits().size() == 3);
  CHECK(stuck->waits()[0].rule == "MK-11");
  CHECK(stuck->waits()[0].text.find("talloc_to_aiv, pipe 0: all 2 slots are in use") == 0);
}

}  // namespace ts::test
