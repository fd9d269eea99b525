// Products against OpenBLAS, where that is installed: it is looked for when this runs, so that nothing else needs it.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/program/builder.h"
#include "core/record/recording.h"
#include "hwy/targets.h"
#include "tests/bench/benches.h"
#include "tests/bench/seconds.h"
#include "tests/bench/work.h"

namespace ts::bench {
namespace {

constexpr std::uint32_t kSize = 128;

// A single-precision product of this size by the library, on one thread; nothing where it is not there.
std::optional<double> library_seconds() {
  // In a virtual machine whose processor it does not know, the library falls back to code of 2004.
  const auto levels = hwy::SupportedTargets();
  const char* kind = (levels & HWY_AVX3) != 0 ? "SkylakeX" : (levels & HWY_AVX2) != 0 ? "Haswell" : nullptr;
  if (kind != nullptr) setenv("OPENBLAS_CORETYPE", kind, 0);
  void* library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (library == nullptr) return {};
  using Multiply =
      void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
  const auto multiply = reinterpret_cast<Multiply>(dlsym(library, "cblas_sgemm"));
  const auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  if (multiply == nullptr || set_threads == nullptr) return {};
  set_threads(1);
  const std::vector<float> a(kSize * kSize, 1.5f), b(kSize * kSize, 0.25f);
  std::vector<float> c(kSize * kSize);
  constexpr int kRowMajor = 101, kAsItIs = 111, kN = static_cast<int>(kSize);
  return fastest(
      [&] { multiply(kRowMajor, kAsItIs, kAsItIs, kN, kN, kN, 1, a.data(), kN, b.data(), kN, 0, c.data(), kN); }, 300);
}

TileType boxes(TileLoc loc, DType type, Target target) {
  TileType tile{.loc = loc,
                .dtype = type,
                .rows = kSize,
                .cols = kSize,
                .valid_rows = kSize,
                .valid_cols = kSize,
                .blayout = BoxOrder::ColMajor,
                .slayout = InnerOrder::RowMajor};
  if (loc == TileLoc::Left && target == Target::A2A3) tile.blayout = BoxOrder::RowMajor;
  if (loc == TileLoc::Right) tile.blayout = BoxOrder::RowMajor, tile.slayout = InnerOrder::ColMajor;
  if (loc == TileLoc::Acc) tile.fractal = 1024;
  return tile;
}

void put_numbers(Memory& memory, const TileRef& tile) {
  for (std::uint32_t row = 0; row < tile.rows(); ++row)
    for (std::uint32_t col = 0; col < tile.cols(); ++col)
      memory.set_element(tile.space(), tile.at(row, col), tile.elem_bytes(),
                         from_double(tile.type.dtype, (row * 7 + col * 3) % 31 - 15));
}

double product_seconds(DType type) {
  ProgramBuilder builder(Target::A5, "bench");
  const DType sum = type == DType::I8 ? DType::I32 : DType::F32;
  const TileId left = builder.tile("l", boxes(TileLoc::Left, type, Target::A5)),
               right = builder.tile("r", boxes(TileLoc::Right, type, Target::A5)),
               acc = builder.tile("c", boxes(TileLoc::Acc, sum, Target::A5));
  builder.add("tmatmul", {left, right}, {acc});
  const auto recording = Recording::run(built(builder), {.budget_bytes = std::size_t{64} << 20});
  const Bound& bound = recording->bound(0);
  Memory memory(Target::A5, 4096);
  put_numbers(memory, bound.tile("lhs"));
  put_numbers(memory, bound.tile("rhs"));
  StepContext context(memory);
  return fastest([&] { machines_for(bound).run().of(bound)(context, bound); }, 300);
}

// 1,024 cubed in f16, by tiles of 128.
Program large_program() {
  constexpr std::uint32_t kTiles = 8, kWhole = kTiles * kSize;
  constexpr DType kType = DType::F16;
  ProgramBuilder builder(Target::A5, "large");
  const BufferId a = builder.buffer("a", kType, kWhole * kWhole), b = builder.buffer("b", kType, kWhole * kWhole),
                 out = builder.buffer("out", DType::F32, kWhole * kWhole);
  const TileId am = builder.tile("am", boxes(TileLoc::Mat, kType, Target::A5)),
               bm = builder.tile("bm", boxes(TileLoc::Mat, kType, Target::A5)),
               left = builder.tile("l", boxes(TileLoc::Left, kType, Target::A5)),
               right = builder.tile("r", boxes(TileLoc::Right, kType, Target::A5)),
               acc = builder.tile("c", boxes(TileLoc::Acc, DType::F32, Target::A5));
  const auto part = [&](BufferId buffer, std::uint32_t row, std::uint32_t col) {
    return View{
        .buffer = buffer, .rows = kSize, .cols = kSize, .pitch = kWhole, .offset = (row * kWhole + col) * kSize};
  };
  for (std::uint32_t row = 0; row < kTiles; ++row)
    for (std::uint32_t col = 0; col < kTiles; ++col) {
      for (std::uint32_t k = 0; k < kTiles; ++k) {
        builder.add("tload", {part(a, row, k)}, {am});
        builder.add("tload", {part(b, k, col)}, {bm});
        builder.add("tmov", {am}, {left});
        builder.add("tmov", {bm}, {right});
        if (k == 0) builder.add("tmatmul", {left, right}, {acc});
        else builder.add("tmatmul.acc", {acc, left, right}, {acc});
      }
      builder.add("tstore", {acc}, {part(out, row, col)});
    }
  return built(builder);
}

void add_large(Table& table) {
  const Program program = large_program();
  std::shared_ptr<Recording> recording;
  const double seconds = seconds_of([&] { recording = Recording::run(program, {}); });
  table.add("product 1024^3 f16 by tiles of 128: record", seconds, {3, 6}, "s");
  add_seeks(table, "product 1024^3", *recording);
}

}  // namespace

void bench_products(Table& table) {
  const double bytes = product_seconds(DType::I8), halves = product_seconds(DType::F16);
  table.add("product 128^3: i8 of f16", bytes / halves, Limit::both(1));
  if (const auto library = library_seconds()) {
    table.add("product 128^3 f16 of OpenBLAS's f32", halves / *library, Limit::both(2));
    table.add("product 128^3 bf16 of OpenBLAS's f32", product_seconds(DType::BF16) / *library, Limit::both(2));
    table.add("product 128^3 f32 of OpenBLAS's f32", product_seconds(DType::F32) / *library, Limit::both(3));
  } else {
    fmt::print(stderr, "bench: products are compared with OpenBLAS where libopenblas0 is installed\n");
  }
  add_large(table);
}

}  // namespace ts::bench
