// Block lookup in C++: the same kernel as block_lookup.pto. Each word of a text is a number, and stands for a row of 8 floats
// in a table of 256 rows. TGATHERB fetches a whole row per offset, because a row of 8 floats is exactly a block of 32 bytes.
//
// What to look at: a row of `out` is 256 bytes, one register, so it takes 8 offsets. The loop doubles the numbers five times,
// which makes 32 of 1; TADD takes unsigned numbers on a5 alone.
// show: --step 12 --cell out[3,2]
// list: 403 Kernels in C++
// target: a5
#include <pto/pto-inst.hpp>

using namespace pto;

template <class T, int R, int C>
using Matrix = GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<R * C, R * C, R * C, C, 1>>;

extern "C" __global__ AICORE void block_lookup(__gm__ uint32_t* words, __gm__ float* table, __gm__ float* result) {
  Tile<TileType::Vec, float, 256, 8> rows;
  Tile<TileType::Vec, uint32_t, 4, 8> offsets;
  Tile<TileType::Vec, float, 4, 64> out;
  TASSIGN(rows, 0x0000);
  TASSIGN(offsets, 0x2000);
  TASSIGN(out, 0x2080);
  Matrix<float, 256, 8> table_view(table);
  Matrix<uint32_t, 4, 8> words_view(words);
  Matrix<float, 4, 64> result_view(result);  // 32 rows of 8 are 4 rows of 64

  TLOAD(rows, table_view);
  TLOAD(offsets, words_view);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);

  for (int i = 0; i < 5; ++i) TADD(offsets, offsets, offsets);
  TGATHERB(out, rows, offsets);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);

  TSTORE(result_view, out);
}
