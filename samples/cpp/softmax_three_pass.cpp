// Softmax in three passes in C++: the same kernel as softmax_three_pass.pto. Every row of a matrix becomes positive numbers
// that add up to 1. A row has 300 columns, more than a tile holds, so each row is read three times, 128 columns at a time: for
// its largest element, for the sum of the exponentials, and for the result.
//
//   result[r][c] = exp(x[r][c] - largest of row r) / (sum of those exponentials over row r)
//
// What to look at: what the three passes share is a lambda, called from three places; the call chain says which of them it
// is. 300 is 2 times 128 and 44 more, 40 is 2 times 16 and 8 more: SetValidShape says how much of a tile counts.
// show: --step 57 --cell exps[2,3]
// list: 409 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 40, kCols = 300, kTileRows = 16, kTileCols = 128;

using Block = Tile<TileType::Vec, float, kTileRows, kTileCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Whole = Tile<TileType::Vec, float, kTileRows, kTileCols>;
using Column = Tile<TileType::Vec, float, kTileRows, 1, BLayout::ColMajor, DYNAMIC, DYNAMIC>;
using Line = Tile<TileType::Vec, float, 1, kTileRows, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Part = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>,
                          Stride<kRows * kCols, kRows * kCols, kRows * kCols, kCols, 1>>;

AICORE inline int smaller(int a, int b) { return a < b ? a : b; }

extern "C" __global__ AICORE void softmax_three_pass(__gm__ float* x, __gm__ float* result) {
  Block some(kTileRows, kTileCols), exps(kTileRows, kTileCols), out(kTileRows, kTileCols);
  Whole tmp;
  // Of the whole row so far, and of one tile of it; the same bytes as lines.
  Column largest(kTileRows, 1), tile_largest(kTileRows, 1), sum(kTileRows, 1), tile_sum(kTileRows, 1);
  Line largest_line(1, kTileRows), tile_largest_line(1, kTileRows), sum_line(1, kTileRows), tile_sum_line(1, kTileRows);
  TASSIGN(some, 0x0000);
  TASSIGN(exps, 0x2000);
  TASSIGN(out, 0x4000);
  TASSIGN(tmp, 0x6000);
  TASSIGN(largest, 0x8000);
  TASSIGN(tile_largest, 0x8040);
  TASSIGN(sum, 0x8080);
  TASSIGN(tile_sum, 0x80c0);
  TRESHAPE(largest_line, largest);
  TRESHAPE(tile_largest_line, tile_largest);
  TRESHAPE(sum_line, sum);
  TRESHAPE(tile_sum_line, tile_sum);

  const auto load = [&](int row, int col, int rows, int cols) {
    Part x_now(x + row * kCols + col, {rows, cols});
    some.SetValidShape(rows, cols);
    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    TLOAD(some, x_now);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  };

  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  for (int row = 0; row < kRows; row += kTileRows) {
    const int rows = smaller(kRows - row, kTileRows);
    for (Column* column : {&largest, &tile_largest, &sum, &tile_sum}) column->SetValidShape(rows, 1);
    for (Line* line : {&largest_line, &tile_largest_line, &sum_line, &tile_sum_line}) line->SetValidShape(1, rows);

    // First pass: the largest element of each row.
    TEXPANDS(largest_line, -3.4028234663852886e38f);
    for (int col = 0; col < kCols; col += kTileCols) {
      load(row, col, rows, smaller(kCols - col, kTileCols));
      TROWMAX(tile_largest, some, tmp);
      set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      TMAX(largest_line, largest_line, tile_largest_line);
    }

    // Second pass: the sum of the exponentials.
    TEXPANDS(sum_line, 0.0f);
    for (int col = 0; col < kCols; col += kTileCols) {
      const int cols = smaller(kCols - col, kTileCols);
      exps.SetValidShape(rows, cols);
      load(row, col, rows, cols);
      TROWEXPANDEXPDIF(exps, some, largest, tmp);
      set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      TROWSUM(tile_sum, exps, tmp);
      TADD(sum_line, sum_line, tile_sum_line);
    }

    // Third pass: the exponentials once more, which is cheaper than keeping them, divided by the sum.
    for (int col = 0; col < kCols; col += kTileCols) {
      const int cols = smaller(kCols - col, kTileCols);
      Part result_now(result + row * kCols + col, {rows, cols});
      exps.SetValidShape(rows, cols);
      out.SetValidShape(rows, cols);
      load(row, col, rows, cols);
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
