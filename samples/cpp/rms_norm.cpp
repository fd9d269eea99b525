// RMS norm in C++: the same kernel as rms_norm.pto. Every row is divided by the root of the mean of its squares, and
// multiplied by a row of weights. 50 rows of 200 halves come 16 at a time; inside, everything is float.
//
//   result[r][c] = x[r][c] / sqrt(mean of x[r][..] squared + 0.00001) * weight[c]
//
// What to look at: squares_sum is a column of 16 numbers, one for each row, and line is the same 64 bytes as a row of 16:
// TRESHAPE moves nothing, so the column holds the factors as soon as the row does.
// show: --step 29 --cell out[2,3]
// list: 406 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

// 200 halves are 12.5 blocks of 32 bytes, so tiles are 208 columns wide.
constexpr int kRows = 50, kCols = 200, kTileRows = 16, kTileCols = 208;

template <class T>
using Rows = Tile<TileType::Vec, T, kTileRows, kTileCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
template <class T>
using OneRow = Tile<TileType::Vec, T, 1, kTileCols, BLayout::RowMajor, 1, kCols>;
using Column = Tile<TileType::Vec, float, kTileRows, 1, BLayout::ColMajor, DYNAMIC, DYNAMIC>;
using Line = Tile<TileType::Vec, float, 1, kTileRows, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Part =
    GlobalTensor<half, Shape<1, 1, 1, DYNAMIC, kCols>, Stride<kRows * kCols, kRows * kCols, kRows * kCols, kCols, 1>>;
using Weights = GlobalTensor<half, Shape<1, 1, 1, 1, kCols>, Stride<kCols, kCols, kCols, kCols, 1>>;

extern "C" __global__ AICORE void rms_norm(__gm__ half* x, __gm__ half* weight, __gm__ half* result) {
  Rows<half> x_half(kTileRows, kCols), out_half(kTileRows, kCols);
  Rows<float> x_float(kTileRows, kCols), squares(kTileRows, kCols), out(kTileRows, kCols);
  OneRow<half> weight_half;
  OneRow<float> weight_float;
  Tile<TileType::Vec, float, kTileRows, kTileCols> tmp;
  Tile<TileType::Vec, float, 1, 8> tmp_one;
  Column squares_sum(kTileRows, 1);
  Line line(1, kTileRows);
  TASSIGN(x_half, 0x0000);
  TASSIGN(x_float, 0x2000);
  TASSIGN(squares, 0x6000);
  TASSIGN(out, 0xa000);
  TASSIGN(out_half, 0xe000);
  TASSIGN(weight_half, 0x10000);
  TASSIGN(weight_float, 0x10200);
  TASSIGN(tmp, 0x11000);
  TASSIGN(tmp_one, 0x15000);
  TASSIGN(squares_sum, 0x15100);
  TRESHAPE(line, squares_sum);

  Weights weights(weight);
  TLOAD(weight_half, weights);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
  TCVT(weight_float, weight_half, RoundMode::CAST_RINT);

  // Both say that a tile is free: x_half for a load, out_half for new results.
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  for (int row = 0; row < kRows; row += kTileRows) {
    const int rows = kRows - row < kTileRows ? kRows - row : kTileRows;
    Part x_now(x + row * kCols, {rows}), result_now(result + row * kCols, {rows});
    for (Rows<half>* tile : {&x_half, &out_half}) tile->SetValidRow(rows);
    for (Rows<float>* tile : {&x_float, &squares, &out}) tile->SetValidRow(rows);
    squares_sum.SetValidShape(rows, 1);
    line.SetValidShape(1, rows);

    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    TLOAD(x_half, x_now);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TCVT(x_float, x_half, RoundMode::CAST_RINT);
    // From here on the next rows may be loaded.
    set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);

    TMUL(squares, x_float, x_float);
    TROWSUM(squares_sum, squares, tmp);
    // The sums of all rows at once: mean, epsilon, one by the root.
    TMULS(line, line, 0.005f);
    TADDS(line, line, 0.00001f);
    TRSQRT(line, line, tmp_one);
    TROWEXPANDMUL(out, x_float, squares_sum, tmp);
    TCOLEXPANDMUL(out, out, weight_float);

    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    TCVT(out_half, out, RoundMode::CAST_RINT);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(result_now, out_half);
    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  }
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
}
