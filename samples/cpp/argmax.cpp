// Argmax in C++: the same kernel as argmax.pto. The largest element of each row, and where it stands. Each tile of 128 columns
// has a winner of its own, and TPARTARGMAX lets it compete with the winner of the tiles before it.
//
//   value[r] = the largest of x[r][..]          index[r] = the first c with x[r][c] = value[r]
//
// What to look at: the `if` of the kernel is C++, so each turn makes the calls of one branch: the first turn of a row copies its
// winners, the others let them compete.
// show: --step 29 --cell index_line[0,3]
// list: 404 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 50, kCols = 300, kTileRows = 16, kTileCols = 128;

using Block = Tile<TileType::Vec, float, kTileRows, kTileCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
template <class T>
using Column = Tile<TileType::Vec, T, kTileRows, 1, BLayout::ColMajor, DYNAMIC, DYNAMIC>;
template <class T>
using Line = Tile<TileType::Vec, T, 1, kTileRows, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Part = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>,
                          Stride<kRows * kCols, kRows * kCols, kRows * kCols, kCols, 1>>;
template <class T>
using Winners = GlobalTensor<T, Shape<1, 1, 1, 1, DYNAMIC>, Stride<kRows, kRows, kRows, kRows, 1>>;

AICORE inline int smaller(int a, int b) { return a < b ? a : b; }

extern "C" __global__ AICORE void argmax(__gm__ float* x, __gm__ float* value, __gm__ int32_t* index) {
  Block some(kTileRows, kTileCols);
  Tile<TileType::Vec, float, kTileRows, kTileCols> tmp;
  // The winners of one tile, as columns with one for each row, and the same bytes as lines; the winners so far.
  Column<float> tile_value(kTileRows, 1);
  Column<int32_t> tile_index(kTileRows, 1);
  Line<float> tile_value_line(1, kTileRows), value_line(1, kTileRows);
  Line<int32_t> tile_index_line(1, kTileRows), index_line(1, kTileRows);
  TASSIGN(some, 0x0000);
  TASSIGN(tmp, 0x2000);
  TASSIGN(tile_value, 0x4000);
  TASSIGN(tile_index, 0x4040);
  TASSIGN(value_line, 0x4080);
  TASSIGN(index_line, 0x40c0);
  TRESHAPE(tile_value_line, tile_value);
  TRESHAPE(tile_index_line, tile_index);

  // Both say that tiles are free: some for a load, the winners for the next rows.
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  for (int row = 0; row < kRows; row += kTileRows) {
    const int rows = smaller(kRows - row, kTileRows);
    Winners<float> value_now(value + row, {rows});
    Winners<int32_t> index_now(index + row, {rows});
    tile_value.SetValidRow(rows);
    tile_index.SetValidRow(rows);
    for (Line<float>* line : {&tile_value_line, &value_line}) line->SetValidCol(rows);
    for (Line<int32_t>* line : {&tile_index_line, &index_line}) line->SetValidCol(rows);

    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    for (int col = 0; col < kCols; col += kTileCols) {
      const int cols = smaller(kCols - col, kTileCols);
      Part x_now(x + row * kCols + col, {rows, cols});
      some.SetValidShape(rows, cols);
      wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      TLOAD(some, x_now);
      set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      TROWMAX(tile_value, some, tmp);
      TROWARGMAX(tile_index, some, tmp);
      // From here on the next tile may be loaded.
      set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      TADDS(tile_index_line, tile_index_line, col);
      if (col == 0) {
        TMOV(value_line, tile_value_line);
        TMOV(index_line, tile_index_line);
      } else {
        TPARTARGMAX(value_line, value_line, tile_value_line, index_line, index_line, tile_index_line);
      }
    }
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(value_now, value_line);
    TSTORE(index_now, index_line);
    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  }
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
}
