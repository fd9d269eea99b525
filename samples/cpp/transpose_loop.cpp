// Transpose in tiles, in C++: the same kernel as transpose_loop.pto. A matrix of 40 x 24 halves is turned over in tiles of
// 16 x 16; tile (r, c) of the source becomes tile (c, r) of the result. 40 is 2.5 tiles and 24 is 1.5.
//
// What to look at: each turn makes its tiles anew, at the same places and with the valid region that is left. Follow one number
// from its place in the source to its place in the result: row and column change twice, of the tiles and inside them.
// show: --step 17 --cell dst[3,5]
// list: 402 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 40, kCols = 24, kTile = 16;

using Square = Tile<TileType::Vec, half, kTile, kTile, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
template <int Rows, int Cols>
using Part =
    GlobalTensor<half, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<kRows * kCols, kRows * kCols, kRows * kCols, Cols, 1>>;

AICORE inline int smaller(int a, int b) { return a < b ? a : b; }

extern "C" __global__ AICORE void transpose_loop(__gm__ half* matrix, __gm__ half* result) {
  for (int row = 0; row < kRows; row += kTile) {
    const int rows = smaller(kRows - row, kTile);
    for (int col = 0; col < kCols; col += kTile) {
      const int cols = smaller(kCols - col, kTile);
      Part<kRows, kCols> from(matrix + row * kCols + col, {rows, cols});
      Part<kCols, kRows> to(result + col * kRows + row, {cols, rows});
      Square src(rows, cols), dst(cols, rows);
      Tile<TileType::Vec, half, kTile, kTile> tmp;
      TASSIGN(src, 0x000);
      TASSIGN(dst, 0x200);
      TASSIGN(tmp, 0x400);

      TLOAD(src, from);
      set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      TTRANS(dst, src, tmp);
      set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
      wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
      TSTORE(to, dst);
      // The next turn's tiles stand in the same place.
      pipe_barrier(PIPE_ALL);
    }
  }
}
