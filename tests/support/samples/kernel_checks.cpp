// What is right of the kernels among the samples, in plain loops over their inputs in double precision. All made-up floats
// are eighths from -8 to 7.875.
#include "tests/support/samples/kernel_checks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ts::test::kernels {
namespace {

// Right but for `part` of `size`: of the number itself, or of the numbers that cancel in it.
bool is_near(double left, double right, double part, double size) {
  return std::abs(left - right) <= part * std::abs(size);
}
// A half's own rounding is 2^-11 of the number, or 2^-25 where it is subnormal; the f32 steps before it do not show.
bool is_half_of(double left, double right) { return std::abs(left - right) <= 0.00049 * std::abs(right) + 0x1p-25; }
// A row of x: its mean, and the sum of what its elements are from there, squared.
struct Spread {
  double mean = 0, squares = 0;
};
Spread spread_of(const SampleRun& run, std::uint32_t row, std::uint32_t cols) {
  Spread its;
  for (std::uint32_t col = 0; col < cols; ++col) its.mean += run.in("x", row * cols + col) / cols;
  for (std::uint32_t col = 0; col < cols; ++col) its.squares += std::pow(run.in("x", row * cols + col) - its.mean, 2);
  return its;
}
// A 0 has to be met exactly.
void check_close(double left, double right, double part) { CHECK(is_near(left, right, part, right)); }

}  // namespace

// Both softmax kernels. How the tolerance comes about is in samples/scripts/softmax.lua.
void softmax(const SampleRun& run) {
  for (std::uint32_t row = 0; row < 40; ++row) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::uint32_t col = 0; col < 300; ++col) largest = std::max(largest, run.in("x", row * 300 + col));
    for (std::uint32_t col = 0; col < 300; ++col) sum += std::exp(run.in("x", row * 300 + col) - largest);
    for (std::uint32_t col = 0; col < 300; ++col) {
      const std::uint32_t i = row * 300 + col;
      check_close(run.left("result", i), std::exp(run.in("x", i) - largest) / sum, 2.5e-6);
    }
  }
}

void masked_scores(const SampleRun& run) {
  for (std::uint32_t row = 0; row < 108; ++row) {
    const std::uint32_t keys = 65 + row % 36;  // so many are seen; all are 100
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::uint32_t key = 0; key < keys; ++key) largest = std::max(largest, run.in("scores", row * 100 + key) / 8);
    for (std::uint32_t key = 0; key < keys; ++key) sum += std::exp(run.in("scores", row * 100 + key) / 8 - largest);
    for (std::uint32_t key = 0; key < 100; ++key) {
      const std::uint32_t i = row * 100 + key;
      check_close(run.left("weights", i), key < keys ? std::exp(run.in("scores", i) / 8 - largest) / sum : 0.0, 1.7e-6);
    }
  }
}

// The first of the largest, also across tiles of 128 columns.
void argmax(const SampleRun& run) {
  bool ties = false;
  for (std::uint32_t row = 0; row < 50; ++row) {
    std::uint32_t first = 0;
    for (std::uint32_t col = 1; col < 300; ++col) {
      const double element = run.in("x", row * 300 + col), best = run.in("x", row * 300 + first);
      ties = ties || (element == best && first / 128 != col / 128);
      if (element > best) first = col;
    }
    CHECK(run.left("value", row) == run.in("x", row * 300 + first));
    CHECK(run.left("index", row) == first);
  }
  CHECK(ties);
}

void rms_norm(const SampleRun& run) {
  for (std::uint32_t row = 0; row < 50; ++row) {
    double squares = 0;
    for (std::uint32_t col = 0; col < 200; ++col)
      squares += run.in("x", row * 200 + col) * run.in("x", row * 200 + col);
    const double root = std::sqrt(squares / 200 + 0.00001);
    for (std::uint32_t col = 0; col < 200; ++col) {
      const std::uint32_t i = row * 200 + col;
      CHECK(is_half_of(run.left("result", i), run.in("x", i) / root * run.in("weight", col)));
    }
  }
}

void layer_norm(const SampleRun& run) {
  for (std::uint32_t row = 0; row < 37; ++row) {
    const auto [mean, squares] = spread_of(run, row, 300);
    const double deviation = std::sqrt(squares / 300 + 0.00001);
    for (std::uint32_t col = 0; col < 300; ++col) {
      const double x = run.in("x", row * 300 + col), weight = run.in("weight", col), bias = run.in("bias", col);
      const double size = (std::abs(x) + std::abs(mean)) / deviation * std::abs(weight) + std::abs(bias);
      CHECK(is_near(run.left("result", row * 300 + col), (x - mean) / deviation * weight + bias, 0.000001, size));
    }
  }
}

// At x = -8 the exponential is taken of 49, where a rounding of f32 misses by 2^-19, and the result by as much of itself.
void gelu(const SampleRun& run) {
  const double root = std::sqrt(2 / 3.14159265358979323846);
  for (std::uint32_t i = 0; i < 9999; ++i) {
    const double x = run.in("x", i), right = x / (1 + std::exp(-2 * root * (x + 0.044715 * x * x * x)));
    CHECK(is_near(run.left("result", i), right, 0.000015, right));
  }
}

void silu(const SampleRun& run) {
  for (std::uint32_t i = 0; i < 15000; ++i) {
    const double x = run.in("x", i);
    CHECK(is_half_of(run.left("result", i), x / (1 + std::exp(-x))));
  }
}

void rope(const SampleRun& run) {
  for (std::uint32_t token = 0; token < 50; ++token)
    for (std::uint32_t head = 0; head < 3; ++head)
      for (std::uint32_t i = 0; i < 36; ++i) {
        const std::uint32_t low = token * 216 + head * 72 + i, high = low + 36;
        const double a = run.in("x", low), b = run.in("x", high);
        const double c = run.in("cos", token * 36 + i), s = run.in("sin", token * 36 + i);
        const double size = std::abs(a * c) + std::abs(b * s), other_size = std::abs(b * c) + std::abs(a * s);
        CHECK(is_near(run.left("result", low), a * c - b * s, 0.000001, size));
        CHECK(is_near(run.left("result", high), b * c + a * s, 0.000001, other_size));
      }
}

void sum_tiles(const SampleRun& run) {
  double total = 0, total_size = 0;
  for (std::uint32_t col = 0; col < 300; ++col) {
    double sum = 0, size = 0;
    for (std::uint32_t row = 0; row < 90; ++row) {
      const double x = run.in("x", row * 300 + col);
      sum += x;
      size += std::abs(x);
    }
    CHECK(is_near(run.left("columns", col), sum, 0.000001, size));
    total += sum;
    total_size += size;
  }
  CHECK(is_near(run.left("total", 0), total, 0.000001, total_size));
}

// --- the planted bugs

// What was summed up before a larger element came is left as it is: rows whose largest element stands in their first tile
// of 64 columns add up to 1, the others to less.
void bug_softmax_rescale(const SampleRun& run) {
  bool right = false, wrong = false;
  for (std::uint32_t row = 0; row < 20; ++row) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0, first = 0, total = 0;
    for (std::uint32_t begin = 0; begin < 200; begin += 64) {
      const std::uint32_t end = std::min(begin + 64, 200u);
      for (std::uint32_t col = begin; col < end; ++col) largest = std::max(largest, run.in("x", row * 200 + col));
      for (std::uint32_t col = begin; col < end; ++col) sum += std::exp(run.in("x", row * 200 + col) - largest);
      if (begin == 0) first = largest;
    }
    for (std::uint32_t col = 0; col < 200; ++col) {
      const std::uint32_t i = row * 200 + col;
      check_close(run.left("result", i), std::exp(run.in("x", i) - largest) / sum, 2.5e-6);
      total += run.left("result", i);
    }
    CHECK((std::abs(total - 1) < 1e-5) == (first == largest));
    (first == largest ? right : wrong) = true;
  }
  CHECK(right);
  CHECK(wrong);
}

// 28 times the mean squared is in the sum of squares of every row. That shows in some rows, and in others it does not.
void bug_norm_tail(const SampleRun& run) {
  int wrong = 0;
  double last_mean = 0;  // of row 48, which row 0 of the last turn's tiles is about
  for (std::uint32_t row = 0; row < 50; ++row) {
    const auto [mean, squares] = spread_of(run, row, 100);
    const double right = std::sqrt(squares / 100 + 0.00001);
    const double deviation = std::sqrt((squares + 28 * mean * mean) / 100 + 0.00001);
    if (deviation > 1.001 * right) ++wrong;
    if (row == 48) last_mean = mean;
    for (std::uint32_t col = 0; col < 100; ++col) {
      const double x = run.in("x", row * 100 + col), size = (std::abs(x) + std::abs(mean)) / deviation;
      CHECK(is_near(run.left("result", row * 100 + col), (x - mean) / deviation, 0.000001, size));
    }
  }
  CHECK(wrong > 0);
  CHECK(wrong < 50);
  // What the zeros behind the row have become.
  const TileRef& squares = run.recording().bound(run.first_step("tmul")).tile("dst");
  for (std::uint32_t col = 100; col < 128; ++col) {
    const std::uint64_t bits = run.recording().final_memory().element(Space::Ub, squares.at(0, col), 4);
    CHECK(is_near(to_double(DType::F32, bits), last_mean * last_mean, 0.000001, last_mean * last_mean));
  }
}

}  // namespace ts::test::kernels
