// Row loop in C++: two matrices of 50 x 100 are added 16 rows at a time. The same kernel as row_loop.pto; here the two sets
// of tiles are arrays, and which one a turn takes is `turn % 2`.
//
// What to look at: the tiles of a turn, a_set and b_set, have two places. In the last turn 2 of their 16 rows are valid.
// show: --step 41 --cell b_set[1,99]
// list: 401 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 50, kCols = 100, kTileRows = 16, kTileCols = 104;

using Rows = Tile<TileType::Vec, float, kTileRows, kTileCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Part =
    GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, kCols>, Stride<kRows * kCols, kRows * kCols, kRows * kCols, kCols, 1>>;

extern "C" __global__ AICORE void row_loop(__gm__ float* x, __gm__ float* y, __gm__ float* result) {
  Rows a_set[2], b_set[2];
  constexpr int kBytes = kTileRows * kTileCols * sizeof(float);
  for (int i = 0; i < 2; ++i) {
    TASSIGN(a_set[i], 2 * i * kBytes);
    TASSIGN(b_set[i], (2 * i + 1) * kBytes);
  }
  // Both sets are free.
  set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
  set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);
  for (int row = 0, turn = 0; row < kRows; row += kTileRows, ++turn) {
    const int rows = kRows - row < kTileRows ? kRows - row : kTileRows;
    const auto id = static_cast<event_t>(turn % 2);
    Rows &a = a_set[turn % 2], &b = b_set[turn % 2];
    const Shape<1, 1, 1, DYNAMIC, kCols> shape(rows);
    Part x_now(x + row * kCols, shape), y_now(y + row * kCols, shape), result_now(result + row * kCols, shape);

    wait_flag(PIPE_MTE3, PIPE_MTE2, id);
    a.SetValidShape(rows, kCols);
    b.SetValidShape(rows, kCols);
    TLOAD(a, x_now);
    TLOAD(b, y_now);
    set_flag(PIPE_MTE2, PIPE_V, id);
    wait_flag(PIPE_MTE2, PIPE_V, id);
    TADD(b, a, b);
    set_flag(PIPE_V, PIPE_MTE3, id);
    wait_flag(PIPE_V, PIPE_MTE3, id);
    TSTORE(result_now, b);
    set_flag(PIPE_MTE3, PIPE_MTE2, id);
  }
  wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);
}
