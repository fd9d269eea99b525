// Flash attention, and a file as front ends write them.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "core/compile/open.h"
#include "core/record/inspector.h"
#include "core/record/recording.h"
#include "tests/bench/benches.h"
#include "tests/bench/guarded.h"
#include "tests/bench/measure.h"
#include "tests/bench/seconds.h"

namespace ts::bench {
namespace {

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
    const bool before = at > 0 && text[at - 1] == 'x',
               behind = end < text.size() && (text[end] == 'x' || text[end] == '>'),
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

// What NumPy takes for the same, on one thread, and whose products it has; nothing where there is none.
struct NumPy {
  double seconds = 0;
  bool has_openblas = false;
};
std::optional<NumPy> numpy_time(const std::string& made, const std::string& computed) {
  const std::string script = fmt::format(
      "import time, numpy as np\n"
      "rng = np.random.default_rng(1)\n"
      "random = lambda *shape: rng.standard_normal(shape, dtype=np.float32)\n"
      "{}\n"
      "def work():\n  {}\n"
      "def timed():\n  begin = time.perf_counter(); work(); return time.perf_counter() - begin\n"
      "print(min(timed() for _ in range(3)), int('openblas' in open('/proc/self/maps').read()))\n",
      made, computed);
  const std::string command =
      "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 /usr/bin/python3 - 2>/dev/null <<'END'\n" + script + "END\n";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  NumPy numpy;
  int openblas = 0;
  if (pipe == nullptr || std::fscanf(pipe.get(), "%lf %d", &numpy.seconds, &openblas) != 2) return {};
  numpy.has_openblas = openblas != 0;
  return numpy;
}

// A kernel of the size that people have, recorded from its first step to its last.
struct Kernel {
  std::string name;
  std::string text;
  std::uint32_t blocks = 1;
  std::string made, computed;  // the same for NumPy
  Limit seconds = {}, two_threads = {};
};

// Recorded by two threads, of one; where the kernel has blocks.
void add_two_threads(Table& table, const Kernel& kernel, const Program& program) {
  constexpr int kRounds = 7;
  std::vector<double> rounds;
  std::uint64_t taken = 0, steps = 0;
  for (int i = 0; i < kRounds; ++i) {
    RecordOptions alone;
    alone.limits.ahead = WalkLimits::Ahead::Never;
    std::shared_ptr<Recording> recording;
    const double one = seconds_of([&] { Recording::run(program, alone); });
    const double two = seconds_of([&] { recording = Recording::run(program, {}); });
    rounds.push_back(two / one);
    taken = recording->taken_steps();
    steps = recording->count();
  }
  const Ratio ratio = ratio_of_rounds(std::move(rounds));
  table.add(Row{.what = fmt::format("{}: two threads, of one ({} of {} steps taken)", kernel.name, taken, steps),
                .value = ratio.value,
                .limit = kernel.two_threads,
                .spread = ratio.spread});
}

std::shared_ptr<Recording> add_kernel(Table& table, const Kernel& kernel) {
  const auto program = open(kernel.name + ".pto", kernel.text, kernel.blocks);
  if (!program) {
    table.fail(kernel.name, "it does not open");
    return nullptr;
  }
  std::shared_ptr<Recording> recording;
  const double seconds = seconds_of([&] { recording = Recording::run(*program, {}); });
  if (recording->stop_reason() != StopReason::End) {
    table.fail(kernel.name, name(recording->stop_reason()));
    return nullptr;
  }
  constexpr double kMebibyte = 1024.0 * 1024.0;
  table.add(kernel.name + ": record", seconds, kernel.seconds, "s");
  table.add(fmt::format("{}: each of {} steps", kernel.name, recording->count()), seconds * 1e6 / recording->count(),
            {}, "us");
  table.add(kernel.name + ": memory", static_cast<double>(recording->held_bytes()) / kMebibyte, {}, "MiB");
  if (const auto numpy = numpy_time(kernel.made, kernel.computed))
    table.add(
        fmt::format("{}: of NumPy on one thread, {} OpenBLAS", kernel.name, numpy->has_openblas ? "with" : "without"),
        seconds / numpy->seconds, {});
  if (kernel.blocks > 1) add_two_threads(table, kernel, *program);
  return recording;
}

std::string sample(const char* path, const std::map<std::string, std::string>& sizes) {
  std::ifstream file(path);
  return resized({std::istreambuf_iterator<char>(file), {}}, sizes);
}

// 1,024 x 1,024 x 1,024 in pieces of 128; each block has every so many-th strip of rows.
std::string matmul_text() {
  const std::string mat = "!pto.tile_buf<mat, 128x128xf16, blayout=col_major, slayout=row_major>",
                    left = "!pto.tile_buf<left, 128x128xf16, blayout=col_major, slayout=row_major>",
                    right = "!pto.tile_buf<right, 128x128xf16, slayout=col_major>",
                    acc = "!pto.tile_buf<acc, 128x128xf32, blayout=col_major, slayout=row_major, fractal=1024>";
  std::string text =
      "module attributes {pto.target_arch = \"a5\"} {\n"
      "  func.func @matmul(%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %out: !pto.ptr<f16>) {\n"
      "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
      "    %c128 = arith.constant 128 : index\n    %c1024 = arith.constant 1024 : index\n"
      "    %block_i64 = pto.get_block_idx -> i64\n    %blocks_i64 = pto.get_block_num -> i64\n"
      "    %block = arith.index_cast %block_i64 : i64 to index\n"
      "    %blocks = arith.index_cast %blocks_i64 : i64 to index\n"
      "    %first_row = arith.muli %block, %c128 : index\n    %next_rows = arith.muli %blocks, %c128 : index\n";
  for (const char* name : {"a", "b", "out"})
    text += fmt::format(
        "    %{0}_all = pto.make_tensor_view %{0}, shape = [%c1024, %c1024], strides = [%c1024, %c1] : "
        "!pto.tensor_view<1024x1024xf16>\n",
        name);
  for (const auto& [name, type] : {std::pair("ma", mat), {"mb", mat}, {"l", left}, {"r", right}, {"c", acc}})
    text += fmt::format("    %{} = pto.alloc_tile : {}\n", name, type);
  const auto part = [](const char* name, const char* all, const char* row, const char* col) {
    return fmt::format(
        "    %{} = pto.partition_view %{}_all, offsets = [%{}, %{}], sizes = [%c128, %c128] : "
        "!pto.tensor_view<1024x1024xf16> -> !pto.partition_tensor_view<128x128xf16>\n",
        name, all, row, col);
  };
  const auto loop = [](const char* index, const char* first, const char* step) {
    return fmt::format("    scf.for %{} = %{} to %c1024 step %{} {{\n", index, first, step);
  };
  text += loop("i", "first_row", "next_rows") + loop("j", "c0", "c128") + loop("k", "c0", "c128") +
          part("pa", "a", "i", "k") + part("pb", "b", "k", "j");
  for (const auto& [view, tile] : {std::pair("pa", "ma"), {"pb", "mb"}})
    text += fmt::format("    pto.tload ins(%{} : !pto.partition_tensor_view<128x128xf16>) outs(%{} : {})\n", view, tile,
                        mat);
  text += fmt::format("    pto.textract ins(%ma, %c0, %c0 : {}, index, index) outs(%l : {})\n", mat, left) +
          fmt::format("    pto.textract ins(%mb, %c0, %c0 : {}, index, index) outs(%r : {})\n", mat, right) +
          "    %first = arith.cmpi eq, %k, %c0 : index\n    scf.if %first {\n" +
          fmt::format("    pto.tmatmul ins(%l, %r : {}, {}) outs(%c : {})\n", left, right, acc) + "    } else {\n" +
          fmt::format("    pto.tmatmul.acc ins(%c, %l, %r : {2}, {0}, {1}) outs(%c : {2})\n", left, right, acc) +
          "    }\n    }\n" + part("po", "out", "i", "j") +
          fmt::format("    pto.tstore ins(%c : {}) outs(%po : !pto.partition_tensor_view<128x128xf16>)\n", acc);
  return text + "    }\n    }\n    return\n  }\n}\n";
}

std::vector<Kernel> kernels() {
  return {
      {.name = "softmax 4096 x 4096",
       .text = sample("samples/softmax_online.pto", {{"40", "4096"}, {"300", "4096"}, {"96", "512"}}),
       .made = "x = random(4096, 4096)",
       .computed = "e = np.exp(x - x.max(1, keepdims=True)); e /= e.sum(1, keepdims=True)"},
      {.name = "RMS norm 16384 x 1024",
       .text = sample("samples/rms_norm.pto", {{"50", "16384"}, {"16", "8"}, {"200", "1024"}, {"208", "1024"}}),
       .made = "x = random(16384, 1024).astype(np.float16); w = random(1024)",
       .computed = "f = x.astype(np.float32); "
                   "(f / np.sqrt((f * f).mean(1, keepdims=True) + 1e-5) * w).astype(np.float16)"},
      {.name = "rotary 4096 x 8 x 128",
       .text = sample(
           "samples/rope.pto",
           {{"50", "4096"}, {"3", "8"}, {"72", "128"}, {"36", "64"}, {"40", "64"}, {"216", "1024"}, {"16", "64"}}),
       .made = "x = random(4096, 8, 128); cos = random(4096, 1, 64); sin = random(4096, 1, 64)",
       .computed = "a, b = x[..., :64], x[..., 64:]; np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)"},
      {.name = "top 8 of 4096 x 256",
       .text = sample("samples/top_k.pto", {{"12", "4096"}}),
       .made = "x = random(4096, 256)",
       .computed = "i = np.argsort(-x, 1, kind='stable')[:, :8]; np.take_along_axis(x, i, 1)"},
      {.name = "matmul 1024 x 1024 x 1024",
       .text = matmul_text(),
       .blocks = 8,
       .made = "a = random(1024, 1024); b = random(1024, 1024)",
       .computed = "(a @ b).astype(np.float16)",
       .two_threads = Limit::both(1 / 1.7)},
  };
}

// 16 blocks of 64 queries look at 1,024 keys of 128 elements, 64 at a time.
void add_flash(Table& table) {
  const auto recording = add_kernel(
      table, {.name = "flash attention 1024 x 128",
              .text = sample(
                  "samples/mixed/flash_attention.pto",
                  {{"16", "64"}, {"32", "64"}, {"64", "128"}, {"128", "1024"}, {"4096", "32768"}, {"8192", "65536"}}),
              .blocks = 16,
              .made = "q = random(1024, 128); k = random(1024, 128); v = random(1024, 128)",
              .computed = "s = q @ k.T; e = np.exp(s - s.max(1, keepdims=True)); (e / e.sum(1, keepdims=True)) @ v",
              .seconds = {1, 2}});
  if (recording != nullptr) add_seeks(table, "flash attention 1024 x 128", *recording);
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
  for (const Kernel& kernel : kernels()) guarded(table, kernel.name, [&] { add_kernel(table, kernel); });
  add_generated(table);
}

}  // namespace ts::bench
