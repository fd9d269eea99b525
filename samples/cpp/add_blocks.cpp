// A vector add on 20 blocks, double buffered: each block adds its part of 40,960 halves, 512 at a time.
//
//   tilescope run add_blocks.cpp --blocks 20
//
// What to look at: `get_block_idx()` moves the pointers; the two halves of the buffers take turns, and the flags from MTE3
// to MTE2 say which of them is free.
// show: --step 20
// list: 400 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kTotal = 40960, kTile = 512;
using Piece = Tile<TileType::Vec, half, 1, kTile>;
using Global = GlobalTensor<half, Shape<1, 1, 1, 1, kTile>, Stride<kTile, kTile, kTile, kTile, 1>>;

extern "C" __global__ AICORE void add_blocks(__gm__ half* x, __gm__ half* y, __gm__ half* z) {
  const uint32_t part = kTotal / get_block_num();
  x += get_block_idx() * part;
  y += get_block_idx() * part;
  z += get_block_idx() * part;

  Piece x_piece[2], y_piece[2], z_piece[2];
  for (int i = 0; i < 2; ++i) {
    TASSIGN(x_piece[i], i * 0x1000);
    TASSIGN(y_piece[i], i * 0x1000 + 0x400);
    TASSIGN(z_piece[i], i * 0x1000 + 0x800);
  }
  for (int i = 0; i < 2; ++i) set_flag(PIPE_MTE3, PIPE_MTE2, (event_t)i);
  for (uint32_t at = 0, turn = 0; at < part; at += kTile, ++turn) {
    const int i = turn % 2;
    const event_t id = (event_t)i;
    Global x_now(x + at), y_now(y + at), z_now(z + at);
    wait_flag(PIPE_MTE3, PIPE_MTE2, id);
    TLOAD(x_piece[i], x_now);
    TLOAD(y_piece[i], y_now);
    set_flag(PIPE_MTE2, PIPE_V, id);
    wait_flag(PIPE_MTE2, PIPE_V, id);
    TADD(z_piece[i], x_piece[i], y_piece[i]);
    set_flag(PIPE_V, PIPE_MTE3, id);
    wait_flag(PIPE_V, PIPE_MTE3, id);
    TSTORE(z_now, z_piece[i]);
    set_flag(PIPE_MTE3, PIPE_MTE2, id);
  }
  for (int i = 0; i < 2; ++i) wait_flag(PIPE_MTE3, PIPE_MTE2, (event_t)i);
}
