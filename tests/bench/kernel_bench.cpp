// Flash attention, and a file as front ends write them.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "core/compile/open.h"
#include "core/record/inspector.h"
#include "core/record/recording.h"
#include "tests/bench/benches.h"
#include "tests/bench/seconds.h"

namespace ts::bench {
namespace {

constexpr const char* kFlash = "samples/mixed/flash_attention.pto";

// The sample with other sizes: numbers of shapes and constants, and the bytes of its queue.
std::string resized(const std::string& text, const std::map<std::string, std::string>& sizes) {
  std::string out;
  const auto part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string number = text.substr(at, end - at);
    const bool before = at > 0 && text[at - 1] == 'x', behind = end < text.size() && text[end] == 'x',
               alone = at == 0 || !part_of_name(text[at - 1]);
    const auto size = sizes.find(number);
    out += size != sizes.end() && (alone || (before && behind)) ? size->second : number;
    at = end;
  }
  return out;
}

std::optional<Program> open(const std::string& name, const std::string& text, std::uint32_t blocks) {
  Diagnostics told;
  const auto tree = read_program(name, text, told);
  const std::vector<EntryPoint> entries = entry_points(*tree, told);
  OpenRequest request;
  request.blocks = blocks;
  auto opened = entries.empty() ? std::nullopt : open_program(tree, entries.front(), request, told);
  for (const Diagnostic& one : told)
    if (one.severity == Severity::Error) throw std::runtime_error(one.format());
  if (!opened) return {};
  return std::move(opened->program);
}

// 16 blocks of 64 queries look at 1,024 keys of 128 elements, 64 at a time.
void add_flash(Table& table) {
  std::ifstream file(kFlash);
  const std::string sample{std::istreambuf_iterator<char>(file), {}};
  const std::string text = resized(
      sample, {{"16", "64"}, {"32", "64"}, {"64", "128"}, {"128", "1024"}, {"4096", "32768"}, {"8192", "65536"}});
  const auto program = open("flash_attention.pto", text, 16);
  if (!program) return;
  std::shared_ptr<Recording> recording;
  const double seconds = seconds_of([&] { recording = Recording::run(*program, {}); });
  if (recording->stop_reason() != StopReason::End) return table.fail(kFlash, "it stops");
  table.add("flash attention 1024 x 128: record", seconds, {1, 2}, "s");
  add_seeks(table, "flash attention 1024 x 128", *recording);
}

// As front ends write it: types by keys, addresses that are used again, long names, arguments that a launch fills in.
std::string generated(std::uint32_t groups) {
  std::string text =
      "module attributes {pto.target_arch = \"a2a3\"} {\n  func.func @generated_kernel(%arg0: !pto.ptr<f32>, %arg1: "
      "!pto.ptr<f32>, %__pypto_spmd_block_idx: i32, %__pypto_spmd_block_num: i32) {\n"
      "    %c0_index = arith.constant 0 : index\n    %c1_index = arith.constant 1 : index\n"
      "    %c16_index = arith.constant 16 : index\n    %c64_index = arith.constant 64 : index\n"
      "    %c0_i64 = arith.constant 0 : i64\n    %c4096_i64 = arith.constant 4096 : i64\n";
  const std::string tile =
      "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, "
      "fractal=512, pad=0>";
  for (std::uint32_t i = 0; i < groups; ++i) {
    const std::string name = fmt::format("hidden_states_projection_inline{}__ssa_v{}", i, i % 7);
    text += fmt::format(
        "    %{0}__view = pto.make_tensor_view %arg0, shape = [%c16_index, %c64_index], strides = [%c64_index, "
        "%c1_index] {{layout = #pto.layout<nd>}} : !pto.tensor_view<?x?xf32>\n"
        "    %{0}__pview = pto.partition_view %{0}__view, offsets = [%c0_index, %c0_index], sizes = [%c16_index, "
        "%c64_index] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>\n"
        "    %{0}__out = pto.make_tensor_view %arg1, shape = [%c16_index, %c64_index], strides = [%c64_index, "
        "%c1_index] {{layout = #pto.layout<nd>}} : !pto.tensor_view<?x?xf32>\n"
        "    %{0}__pout = pto.partition_view %{0}__out, offsets = [%c0_index, %c0_index], sizes = [%c16_index, "
        "%c64_index] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>\n"
        "    %{0}__tile = pto.alloc_tile addr = %c0_i64 : {1}\n"
        "    %{0}__next = pto.alloc_tile addr = %c4096_i64 : {1}\n"
        "    pto.tload ins(%{0}__pview : !pto.partition_tensor_view<16x64xf32>) outs(%{0}__tile : {1})\n"
        "    pto.tadd ins(%{0}__tile, %{0}__tile : {1}, {1}) outs(%{0}__next : {1})\n"
        "    pto.texp ins(%{0}__next : {1}) outs(%{0}__tile : {1})\n"
        "    pto.tstore ins(%{0}__tile : {1}) outs(%{0}__pout : !pto.partition_tensor_view<16x64xf32>)\n",
        name, tile);
  }
  return text + "    return\n  }\n}\n";
}

void add_generated(Table& table) {
  const std::string text = generated(100);  // 1,000 lines and a few
  if (!open("generated.pto", text, 1)) return;
  const double seconds = fastest([&] { open("generated.pto", text, 1); }, 5);
  table.add("open 1,000 generated lines", seconds * 1e3, Limit::both(100), "ms");
}

}  // namespace

void bench_kernels(Table& table) {
  add_flash(table);
  add_generated(table);
}

}  // namespace ts::bench
