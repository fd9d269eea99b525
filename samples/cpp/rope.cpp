// RoPE in C++: the same kernel as rope.pto. The 72 numbers of an attention head are 36 points of a plane, each turned by an
// angle of its own that grows with the position of the token. Number i of a head and number i + 36 make a point:
//
//   result[t][h][i]      = x[t][h][i] * cos[t][i] - x[t][h][i + 36] * sin[t][i]          i < 36
//   result[t][h][i + 36] = x[t][h][i + 36] * cos[t][i] + x[t][h][i] * sin[t][i]
//
// What to look at: half_of makes a global tensor of one half of a head; its rows lie 216 floats apart in memory and 40 apart in
// a tile. No instruction has to take points apart.
// show: --step 21 --cell out_low[2,3]
// list: 408 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kTokens = 50, kHeads = 3, kHalf = 36, kToken = kHeads * 2 * kHalf;
// 36 floats are 4.5 blocks of 32 bytes, so tiles are 40 columns wide.
constexpr int kTileTokens = 16, kTileCols = 40;

using Points = Tile<TileType::Vec, float, kTileTokens, kTileCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Half = GlobalTensor<float, Shape<1, 1, DYNAMIC, 1, kHalf>,
                          Stride<kTokens * kToken, kTokens * kToken, kToken, 2 * kHalf, 1>>;
using Angles = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, kHalf>,
                            Stride<kTokens * kHalf, kTokens * kHalf, kTokens * kHalf, kHalf, 1>>;

AICORE inline Half half_of(__gm__ float* heads, int token, int head, int half, int tokens) {
  return Half(heads + token * kToken + (2 * head + half) * kHalf, {tokens});
}

extern "C" __global__ AICORE void rope(__gm__ float* x, __gm__ float* cos, __gm__ float* sin, __gm__ float* result) {
  Points low(kTileTokens, kHalf), high(kTileTokens, kHalf), cosines(kTileTokens, kHalf), sines(kTileTokens, kHalf);
  Points product(kTileTokens, kHalf), out_low(kTileTokens, kHalf), out_high(kTileTokens, kHalf);
  TASSIGN(low, 0x0000);
  TASSIGN(high, 0x0a00);
  TASSIGN(cosines, 0x1400);
  TASSIGN(sines, 0x1e00);
  TASSIGN(product, 0x2800);
  TASSIGN(out_low, 0x3200);
  TASSIGN(out_high, 0x3c00);

  // All three say that tiles are free: the halves and the angles for a load, the results for new ones.
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  for (int token = 0; token < kTokens; token += kTileTokens) {
    const int tokens = kTokens - token < kTileTokens ? kTokens - token : kTileTokens;
    for (Points* tile : {&low, &high, &cosines, &sines, &product, &out_low, &out_high}) tile->SetValidRow(tokens);
    Angles cos_now(cos + token * kHalf, {tokens}), sin_now(sin + token * kHalf, {tokens});

    // The flag that the first head's load raises stands for these too: a pipe does one thing after the other.
    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
    TLOAD(cosines, cos_now);
    TLOAD(sines, sin_now);
    for (int head = 0; head < kHeads; ++head) {
      Half x_low = half_of(x, token, head, 0, tokens), x_high = half_of(x, token, head, 1, tokens);
      Half result_low = half_of(result, token, head, 0, tokens), result_high = half_of(result, token, head, 1, tokens);
      wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      TLOAD(low, x_low);
      TLOAD(high, x_high);
      set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);

      wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
      TMUL(out_low, low, cosines);
      TMUL(product, high, sines);
      TSUB(out_low, out_low, product);
      TMUL(out_high, high, cosines);
      TMUL(product, low, sines);
      // From here on the next head may be loaded.
      set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      TADD(out_high, out_high, product);

      set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
      wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
      TSTORE(result_low, out_low);
      TSTORE(result_high, out_high);
      set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    }
    set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
  }
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
  wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
}
