// A bug that text cannot have: places of tiles that are computed, and one that is computed wrong. The sum of two vectors of
// 4096 floats, in four tiles that take turns in two pairs of places.
//
//   z[i] = x[i] + y[i]
//
// What is wrong: every other tile of the result is 2 y. The places count in tiles: pair i has x at 2 i and y behind it, at
// 2 i + 1. The kernel says i + 1. For pair 0 that is the same; the y of pair 1 stands where its x does, and is loaded over it.
// Who wrote a tile last is said by the history of its elements.
// show: --step 16 --cell b_i_2[0,3]
// list: 350 Find the bug: each has one planted
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kCount = 4096, kTileCols = 1024, kTileBytes = kTileCols * sizeof(float);

using Row = Tile<TileType::Vec, float, 1, kTileCols>;
using Part = GlobalTensor<float, Shape<1, 1, 1, 1, kTileCols>, Stride<kCount, kCount, kCount, kCount, 1>>;

extern "C" __global__ AICORE void add(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
  Row a[2], b[2], sum[2];
  for (int i = 0; i < 2; ++i) {
    TASSIGN(a[i], 2 * i * kTileBytes);
    TASSIGN(b[i], (i + 1) * kTileBytes);
    TASSIGN(sum[i], (4 + i) * kTileBytes);
  }
  for (int first = 0, turn = 0; first < kCount; first += kTileCols, ++turn) {
    const int now = turn % 2;
    const event_t event = now == 0 ? EVENT_ID0 : EVENT_ID1;
    Part x_now(x + first), y_now(y + first), z_now(z + first);
    TLOAD(a[now], x_now);
    TLOAD(b[now], y_now);
    set_flag(PIPE_MTE2, PIPE_V, event);
    wait_flag(PIPE_MTE2, PIPE_V, event);
    TADD(sum[now], a[now], b[now]);
    set_flag(PIPE_V, PIPE_MTE3, event);
    wait_flag(PIPE_V, PIPE_MTE3, event);
    TSTORE(z_now, sum[now]);
    pipe_barrier(PIPE_ALL);
  }
}
