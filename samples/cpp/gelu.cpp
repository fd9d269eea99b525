// GELU in C++: the same kernel as gelu.pto. A vector of 9999 floats is worked through in tiles of 2048; the last one has 1807
// elements, and so ends in the middle of a block.
//
//   gelu(x) = x / (1 + exp(-2 u))  with u = 0.7978846 * (x + 0.044715 * x^3)
//
// What to look at: count is a number of C++, and no step. The tiles' valid columns follow from it, and the call that uses a
// tile shows how many there are: 2048 in all turns but the last.
// show: --step 17 --cell out[0,3]
// list: 405 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kCount = 9999, kTileCols = 2048;

using Row = Tile<TileType::Vec, float, 1, kTileCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Part = GlobalTensor<float, Shape<1, 1, 1, 1, DYNAMIC>, Stride<kCount, kCount, kCount, kCount, 1>>;

extern "C" __global__ AICORE void gelu(__gm__ float* x, __gm__ float* result) {
  Row in(1, kTileCols), work(1, kTileCols), out(1, kTileCols);
  TASSIGN(in, 0x0000);
  TASSIGN(work, 0x2000);
  TASSIGN(out, 0x4000);

  // Both say that a tile is free: in for a load, out for new results.
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  for (int first = 0; first < kCount; first += kTileCols) {
    const int count = kCount - first < kTileCols ? kCount - first : kTileCols;
    Part x_now(x + first, {count}), result_now(result + first, {count});
    for (Row* row : {&in, &work, &out}) row->SetValidCol(count);

    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    TLOAD(in, x_now);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);

    TMUL(work, in, in);
    TMULS(work, work, 0.044715f);
    TADDS(work, work, 1.0f);
    TMUL(work, work, in);
    // -2 times the root of 2 / pi.
    TMULS(work, work, -1.5957691f);
    TEXP(work, work);
    TADDS(work, work, 1.0f);
    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    TDIV(out, in, work);
    set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);

    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(result_now, out);
    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  }
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
}
