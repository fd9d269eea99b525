// A bug that text cannot have: an event that is computed, and the wrong one is waited for. A vector of 4096 floats is doubled in
// tiles that take turns in two places; while one is worked on, the next is loaded.
//
//   z[i] = 2 x[i]
//
// What is wrong: the run ends at a wait. The load of a turn raises the flag of its place, and the wait asks for that of the
// next one: `1 - now` where `now` belongs. The first turn waits for EVENT_ID1, which nobody raises before the second load, and
// that load stands behind the wait.
// show: --step 3
// list: 360 Find the bug: each has one planted
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kCount = 4096, kTileCols = 1024;

using Row = Tile<TileType::Vec, float, 1, kTileCols>;
using Part = GlobalTensor<float, Shape<1, 1, 1, 1, kTileCols>, Stride<kCount, kCount, kCount, kCount, 1>>;

extern "C" __global__ AICORE void twice(__gm__ float* x, __gm__ float* z) {
  Row rows[2];
  TASSIGN(rows[0], 0x0000);
  TASSIGN(rows[1], 0x1000);
  for (int first = 0, turn = 0; first < kCount; first += kTileCols, ++turn) {
    const int now = turn % 2;
    Part x_now(x + first), z_now(z + first);
    TLOAD(rows[now], x_now);
    set_flag(PIPE_MTE2, PIPE_V, static_cast<event_t>(now));
    wait_flag(PIPE_MTE2, PIPE_V, static_cast<event_t>(1 - now));
    TMULS(rows[now], rows[now], 2.0f);
    set_flag(PIPE_V, PIPE_MTE3, static_cast<event_t>(now));
    wait_flag(PIPE_V, PIPE_MTE3, static_cast<event_t>(now));
    TSTORE(z_now, rows[now]);
    pipe_barrier(PIPE_ALL);
  }
}
