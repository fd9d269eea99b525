// Layer norm in C++: the same kernel as layer_norm.pto. Every row is moved to mean 0 and scaled to variance 1, then
// multiplied by a row of weights, and a row of biases is added. 37 rows of 300 floats come 16 at a time.
//
//   result[r][c] = (x[r][c] - mean[r]) / sqrt(variance[r] + 0.00001) * weight[c] + bias[c]
//
// What to look at: a row is reduced twice, for the mean and, of what is left without it, for the variance. The last turn has 5
// rows; what tiles keep from the turn before stands outside of their valid region.
// show: --step 28 --cell centred[2,3]
// list: 407 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 37, kCols = 300, kTileRows = 16, kTileCols = 304;

using Rows = Tile<TileType::Vec, float, kTileRows, kTileCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using OneRow = Tile<TileType::Vec, float, 1, kTileCols, BLayout::RowMajor, 1, kCols>;
using Column = Tile<TileType::Vec, float, kTileRows, 1, BLayout::ColMajor, DYNAMIC, DYNAMIC>;
using Line = Tile<TileType::Vec, float, 1, kTileRows, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Part =
    GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, kCols>, Stride<kRows * kCols, kRows * kCols, kRows * kCols, kCols, 1>>;
using OneLine = GlobalTensor<float, Shape<1, 1, 1, 1, kCols>, Stride<kCols, kCols, kCols, kCols, 1>>;

extern "C" __global__ AICORE void layer_norm(__gm__ float* x, __gm__ float* weight, __gm__ float* bias,
                                             __gm__ float* result) {
  Rows rows_in(kTileRows, kCols), centred(kTileRows, kCols), squares(kTileRows, kCols), out(kTileRows, kCols);
  OneRow weights, biases;
  Tile<TileType::Vec, float, kTileRows, kTileCols> tmp;
  Column mean(kTileRows, 1), deviation(kTileRows, 1);
  Line mean_line(1, kTileRows), deviation_line(1, kTileRows);
  TASSIGN(rows_in, 0x0000);
  TASSIGN(centred, 0x5000);
  TASSIGN(squares, 0xa000);
  TASSIGN(out, 0xf000);
  TASSIGN(tmp, 0x14000);
  TASSIGN(weights, 0x19000);
  TASSIGN(biases, 0x19800);
  TASSIGN(mean, 0x1a000);
  TASSIGN(deviation, 0x1a040);
  TRESHAPE(mean_line, mean);
  TRESHAPE(deviation_line, deviation);

  // The rows that all turns need; the first wait of the loop sees to it that they are there.
  OneLine weight_all(weight), bias_all(bias);
  TLOAD(weights, weight_all);
  TLOAD(biases, bias_all);

  // Both say that a tile is free: rows_in for a load, out for new results.
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  for (int row = 0; row < kRows; row += kTileRows) {
    const int rows = kRows - row < kTileRows ? kRows - row : kTileRows;
    Part x_now(x + row * kCols, {rows}), result_now(result + row * kCols, {rows});
    for (Rows* tile : {&rows_in, &centred, &squares, &out}) tile->SetValidRow(rows);
    for (Column* column : {&mean, &deviation}) column->SetValidRow(rows);
    for (Line* line : {&mean_line, &deviation_line}) line->SetValidCol(rows);

    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    TLOAD(rows_in, x_now);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);

    // The mean, and what is left without it.
    TROWSUM(mean, rows_in, tmp);
    TMULS(mean_line, mean_line, 0.0033333334f);
    TROWEXPANDSUB(centred, rows_in, mean, tmp);
    // From here on the next rows may be loaded.
    set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);

    // The standard deviation, and what is left divided by it.
    TMUL(squares, centred, centred);
    TROWSUM(deviation, squares, tmp);
    TMULS(deviation_line, deviation_line, 0.0033333334f);
    TADDS(deviation_line, deviation_line, 0.00001f);
    TSQRT(deviation_line, deviation_line);
    TROWEXPANDDIV(centred, centred, deviation, tmp);
    TCOLEXPANDMUL(centred, centred, weights);

    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    TCOLEXPANDADD(out, centred, biases);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(result_now, out);
    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  }
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
}
