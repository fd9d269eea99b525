// The tiles and the steps that benchmarks go through.
#include "tests/bench/work.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>

#include "core/program/builder.h"

namespace ts::bench {

std::vector<std::byte> random_bytes(std::size_t size) {
  std::mt19937_64 random(7);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

Program built(ProgramBuilder& builder) {
  Diagnostics diagnostics;
  Program program = builder.build(diagnostics);
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Error) throw std::runtime_error(diagnostic.format());
  return program;
}

namespace {

// The tiles of a work, and two variants of its inputs: alternating them, every run really changes the destination.
class Workpiece {
 public:
  explicit Workpiece(const Work& work) : work_(work), builder_(work.target, work.name) {}

  Program program(int repeats) {
    make_operands();
    std::vector<BuildAttribute> attributes;
    if (!work_.granularity.empty()) attributes.push_back({"granularity", work_.granularity});
    for (int i = 0; i < repeats; ++i) builder_.add(work_.instruction, inputs_[i % 2], outputs_, attributes);
    return built(builder_);
  }

 private:
  void make_operands() {
    const TileType type = vec_tile(work_.type, work_.rows, work_.cols);
    outputs_.push_back(
        builder_.tile("dst0", work_.instruction == "ttrans" ? vec_tile(work_.type, work_.cols, work_.rows) : type));
    if (work_.instruction == "tsels") {
      const TileId mask = loaded("mask", vec_tile(DType::U8, work_.rows, std::max(32u, work_.cols / 8)),
                                 random_bytes(work_.rows * std::max(32u, work_.cols / 8)));
      const TileId tmp = builder_.tile("tmp", vec_tile(work_.type, 1, BLK / size_bytes(work_.type)));
      for (int k = 0; k < 2; ++k) inputs_[k] = {mask, numbers(k), tmp, scalar_of(work_.type, 3)};
    } else if (work_.instruction == "ttrans") {
      const TileId tmp = builder_.tile("tmp", vec_tile(work_.type, work_.cols, work_.rows));
      for (int k = 0; k < 2; ++k) inputs_[k] = {numbers(k), tmp};
    } else if (work_.instruction == "tgatherb") {
      const TileId offsets = random_offsets();
      for (int k = 0; k < 2; ++k) inputs_[k] = {numbers(k), offsets};
    } else if (work_.instruction == "texpands") {
      for (int k = 0; k < 2; ++k) inputs_[k] = {scalar_of(work_.type, k + 1)};
    } else if (work_.instruction == "texp" || work_.instruction == "trowsum") {
      if (work_.instruction == "trowsum") outputs_[0] = builder_.tile("sums", column_tile());
      for (int k = 0; k < 2; ++k) inputs_[k] = {numbers(k)};
    } else {
      const TileId a = numbers(0), b = numbers(1), c = numbers(2);
      inputs_[0] = {a, b};
      inputs_[1] = {b, c};
      if (work_.instruction != "tadd") outputs_.push_back(builder_.tile("dst1", type));
    }
  }
  TileType column_tile() const {
    TileType type = vec_tile(work_.type, work_.rows, 1);
    type.blayout = BoxOrder::ColMajor;
    return type;
  }
  TileId loaded(const std::string& name, const TileType& type, std::vector<std::byte> data) {
    const TileId tile = builder_.tile(name, type);
    builder_.add(
        "tload",
        {View{builder_.buffer(name + "_in", type.dtype, type.rows * type.cols, std::move(data)), type.rows, type.cols}},
        {tile});
    return tile;
  }
  TileId numbers(int k) {
    const TileType type = vec_tile(work_.type, work_.rows, work_.cols);
    const double scale = work_.instruction == "texp" ? 64 : 1;  // most results are neither infinite nor 0
    std::vector<std::byte> data(type.size_bytes());
    for (std::uint32_t i = 0; i < type.rows * type.cols; ++i) {
      const std::uint64_t bits = from_double(type.dtype, (k + 1) * ((i * 37) % 101) / scale);
      std::memcpy(data.data() + i * size_bytes(type.dtype), &bits, size_bytes(type.dtype));
    }
    return loaded("src" + std::to_string(k), type, std::move(data));
  }
  TileId random_offsets() {
    const bool block = work_.granularity == "block";
    const std::uint32_t unit = block ? BLK : size_bytes(work_.type),
                        units = work_.rows * work_.cols * size_bytes(work_.type) / unit;
    const TileType type =
        vec_tile(DType::U32, work_.rows, block ? work_.cols * size_bytes(work_.type) / BLK : work_.cols);
    std::vector<std::byte> data(type.size_bytes());
    std::mt19937 random(11);
    for (std::size_t at = 0; at < data.size(); at += 4) {
      const auto offset = static_cast<std::uint32_t>(random() % units * unit);
      std::memcpy(data.data() + at, &offset, 4);
    }
    return loaded("offsets", type, std::move(data));
  }

  const Work& work_;
  ProgramBuilder builder_;
  std::vector<BuildOperand> inputs_[2], outputs_;
};

}  // namespace

Program program_of(const Work& work, int repeats) { return Workpiece(work).program(repeats); }

std::unique_ptr<Recording> loop_of(const Work& work, std::uint32_t steps, std::size_t budget_bytes) {
  Program program = program_of(work, 2);
  const std::size_t setup = program.instructions.size() - 2;
  auto recording = Recording::run(std::move(program), {.budget_bytes = budget_bytes});
  while (recording->count() < steps) recording->execute(setup + recording->count() % 2);
  return recording;
}

LongLoop::LongLoop(std::uint32_t steps, std::uint32_t cols) {
  ProgramBuilder builder(Target::A5, "loop");
  const TileType type = vec_tile(DType::F32, 4, cols);
  const TileId a = builder.tile("a", type), b = builder.tile("b", type);
  const BufferId ones = builder.buffer("ones", DType::F32, std::vector<double>(4 * cols, 1));
  builder.add("tload", {View{ones, 4, cols}}, {a});
  builder.add("tload", {View{ones, 4, cols}}, {b});
  builder.add("tadd", {a, b}, {a});
  builder.add("tadd", {b, a}, {a});
  auto made = Recording::run(built(builder), {.budget_bytes = std::size_t{256} << 20});
  while (made->count() < steps) made->execute(2 + made->count() % 2);
  changed = made->bound(2).operands.back().tile.range();
  kept = made->bound(1).operands.back().tile.range();
  recording = std::move(made);
}

}  // namespace ts::bench
