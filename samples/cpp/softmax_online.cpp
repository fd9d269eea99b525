// Online softmax in C++: the same kernel as softmax_online.pto. The largest element and the sum of the exponentials of a row
// are found in one pass over its tiles; where a later tile holds a larger element, the sum so far is multiplied by
//
//   factor = exp(largest before this tile - largest now), and 1 where nothing larger came
//
// What to look at: factor_line after each TEXP. In the first turn it is 0; later it is 1 in most rows, and smaller in those
// whose largest element grew. Columns of numbers and the lines on the same bytes are two tiles at one address: TRESHAPE.
// show: --step 41 --cell factor_line[0,14]
// list: 410 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 40, kCols = 300, kTileRows = 16, kTileCols = 96;

using Block = Tile<TileType::Vec, float, kTileRows, kTileCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Whole = Tile<TileType::Vec, float, kTileRows, kTileCols>;
using Column = Tile<TileType::Vec, float, kTileRows, 1, BLayout::ColMajor, DYNAMIC, DYNAMIC>;
using Line = Tile<TileType::Vec, float, 1, kTileRows, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Part = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>,
                          Stride<kRows * kCols, kRows * kCols, kRows * kCols, kCols, 1>>;

AICORE inline int smaller(int a, int b) { return a < b ? a : b; }

extern "C" __global__ AICORE void softmax_online(__gm__ float* x, __gm__ float* result) {
  Block some(kTileRows, kTileCols), exps(kTileRows, kTileCols), out(kTileRows, kTileCols);
  Whole tmp;
  Column largest(kTileRows, 1), tile_largest(kTileRows, 1), sum(kTileRows, 1), tile_sum(kTileRows, 1);
  Line largest_line(1, kTileRows), tile_largest_line(1, kTileRows), sum_line(1, kTileRows), tile_sum_line(1, kTileRows);
  Line before_line(1, kTileRows), factor_line(1, kTileRows);
  TASSIGN(some, 0x0000);
  TASSIGN(exps, 0x1800);
  TASSIGN(out, 0x3000);
  TASSIGN(tmp, 0x4800);
  TASSIGN(largest, 0x6000);
  TASSIGN(tile_largest, 0x6040);
  TASSIGN(sum, 0x6080);
  TASSIGN(tile_sum, 0x60c0);
  TASSIGN(before_line, 0x6100);
  TASSIGN(factor_line, 0x6140);
  TRESHAPE(largest_line, largest);
  TRESHAPE(tile_largest_line, tile_largest);
  TRESHAPE(sum_line, sum);
  TRESHAPE(tile_sum_line, tile_sum);

  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  for (int row = 0; row < kRows; row += kTileRows) {
    const int rows = smaller(kRows - row, kTileRows);
    for (Column* column : {&largest, &tile_largest, &sum, &tile_sum}) column->SetValidShape(rows, 1);
    for (Line* line : {&largest_line, &tile_largest_line, &sum_line, &tile_sum_line, &before_line, &factor_line})
      line->SetValidShape(1, rows);

    // First pass: the largest element and the sum, both so far.
    TEXPANDS(largest_line, -3.4028234663852886e38f);
    TEXPANDS(sum_line, 0.0f);
    for (int col = 0; col < kCols; col += kTileCols) {
      const int cols = smaller(kCols - col, kTileCols);
      Part x_now(x + row * kCols + col, {rows, cols});
      some.SetValidShape(rows, cols);
      exps.SetValidShape(rows, cols);
      wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      TLOAD(some, x_now);
      set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      TROWMAX(tile_largest, some, tmp);
      // What it was before this tile, then what it is now.
      TMOV(before_line, largest_line);
      TMAX(largest_line, largest_line, tile_largest_line);
      TSUB(factor_line, before_line, largest_line);
      TEXP(factor_line, factor_line);
      TMUL(sum_line, sum_line, factor_line);
      TROWEXPANDEXPDIF(exps, some, largest, tmp);
      set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      TROWSUM(tile_sum, exps, tmp);
      TADD(sum_line, sum_line, tile_sum_line);
    }

    // Second pass: the exponentials with the largest element of the whole row, divided by the sum.
    for (int col = 0; col < kCols; col += kTileCols) {
      const int cols = smaller(kCols - col, kTileCols);
      Part x_now(x + row * kCols + col, {rows, cols}), result_now(result + row * kCols + col, {rows, cols});
      some.SetValidShape(rows, cols);
      exps.SetValidShape(rows, cols);
      out.SetValidShape(rows, cols);
      wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      TLOAD(some, x_now);
      set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      TROWEXPANDEXPDIF(exps, some, largest, tmp);
      set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
      TROWEXPANDDIV(out, exps, sum, tmp);
      set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
      wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
      TSTORE(result_now, out);
      set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    }
  }
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
}
