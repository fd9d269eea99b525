// Masked scores in C++: the same kernel as masked_scores.pto. From the scores of an attention layer to its weights. 36 new
// tokens look at 100, themselves and the 64 before them, in 3 heads. A token sees no later one: token r, which is number
// 64 + r of all, sees keys 0 to 64 + r. What it does not see gets a very small number, and the rest is a softmax over each row.
//
//   seen[r][c]     c <= 64 + r
//   scaled[r][c]   seen[r][c] ? scores[r][c] / 8 : the lowest number          8 is the root of a head's 64 dimensions
//   weights[r][c]  exp(scaled[r][c] - largest of the row) / (sum of these exponentials over the row)
//
// What to look at: no mask is loaded. `ahead` holds how many places key c stands ahead of row r of a tile, and is made once;
// compared with a single number, which is C++'s own arithmetic and no step, it gives the mask of any 16 rows.
// show: --step 31 --cell masked[2,67]
// list: 411 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kHeads = 3, kTokens = 36, kKeys = 100, kBefore = 64, kTileRows = 16;
// 100 columns are 12.5 blocks of 32 bytes, so tiles are 104 columns wide. A row of the mask has 13 bytes.
constexpr int kTileCols = 104, kMaskBytes = 13;

using Block = Tile<TileType::Vec, float, kTileRows, kTileCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Mask = Tile<TileType::Vec, uint8_t, kTileRows, 32, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using Column = Tile<TileType::Vec, float, kTileRows, 1, BLayout::ColMajor, DYNAMIC, DYNAMIC>;
using Part = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, kKeys>,
                          Stride<kTokens * kKeys, kTokens * kKeys, kTokens * kKeys, kKeys, 1>>;

AICORE inline int smaller(int a, int b) { return a < b ? a : b; }

extern "C" __global__ AICORE void masked_scores(__gm__ float* scores, __gm__ float* weights) {
  Block some(kTileRows, kKeys), scaled(kTileRows, kKeys), masked(kTileRows, kKeys), exps(kTileRows, kKeys);
  Block out(kTileRows, kKeys), ahead(kTileRows, kTileCols);
  Mask seen(kTileRows, kMaskBytes);
  Column largest(kTileRows, 1), sum(kTileRows, 1);
  // a2a3 works with these; a5 leaves them alone.
  Tile<TileType::Vec, float, kTileRows, kTileCols> tmp;
  Tile<TileType::Vec, float, 1, 8> tmp_one;
  Tile<TileType::Vec, int32_t, 1, kTileCols> key_numbers;
  Tile<TileType::Vec, float, 1, kTileCols> keys;
  Tile<TileType::Vec, int32_t, 1, kTileRows> row_numbers;
  Tile<TileType::Vec, float, 1, kTileRows> row_line;
  Tile<TileType::Vec, float, kTileRows, 1, BLayout::ColMajor> row_column;
  TASSIGN(some, 0x0000);
  TASSIGN(scaled, 0x1a00);
  TASSIGN(masked, 0x3400);
  TASSIGN(exps, 0x4e00);
  TASSIGN(out, 0x6800);
  TASSIGN(ahead, 0x8200);
  TASSIGN(tmp, 0x9c00);
  TASSIGN(seen, 0xb600);
  TASSIGN(largest, 0xb800);
  TASSIGN(sum, 0xb840);
  TASSIGN(tmp_one, 0xb880);
  TASSIGN(key_numbers, 0xb8a0);
  TASSIGN(keys, 0xba40);
  TASSIGN(row_numbers, 0xbbe0);
  TASSIGN(row_line, 0xbc20);
  TRESHAPE(row_column, row_line);

  // Key numbers in every row, less row numbers: ahead[r][c] = c - r, over the whole width of the tile. They are counted as
  // integers, because a5 counts nothing else.
  TCI<decltype(key_numbers), int32_t, 0>(key_numbers, 0);
  TCVT(keys, key_numbers, RoundMode::CAST_RINT);
  TCI<decltype(row_numbers), int32_t, 0>(row_numbers, 0);
  TCVT(row_line, row_numbers, RoundMode::CAST_RINT);
  TCOLEXPAND(ahead, keys);
  TROWEXPANDSUB(ahead, ahead, row_column, tmp);

  // Both say that a tile is free: some for a load, out for new results.
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  for (int row = 0; row < kTokens; row += kTileRows) {
    const int rows = smaller(kTokens - row, kTileRows);
    for (Block* block : {&some, &scaled, &masked, &exps, &out, &ahead}) block->SetValidShape(rows, kKeys);
    seen.SetValidShape(rows, kMaskBytes);
    for (Column* column : {&largest, &sum}) column->SetValidShape(rows, 1);

    // Row r of this tile is token 64 + row + r: it sees keys that are up to 64 + row ahead.
    TCMPS(seen, ahead, static_cast<float>(kBefore + row), CmpMode::LE);

    for (int head = 0; head < kHeads; ++head) {
      const int first = (head * kTokens + row) * kKeys;
      Part scores_now(scores + first, {rows}), weights_now(weights + first, {rows});
      wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
      TLOAD(some, scores_now);
      set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      TMULS(scaled, some, 0.125f);
      // From here on the next scores may be loaded.
      set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);

      TSELS(masked, seen, scaled, tmp_one, -3.4028234663852886e38f);
      TROWMAX(largest, masked, tmp);
      TROWEXPANDEXPDIF(exps, masked, largest, tmp);
      TROWSUM(sum, exps, tmp);

      wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
      TROWEXPANDDIV(out, exps, sum, tmp);
      set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
      wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
      TSTORE(weights_now, out);
      set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    }
  }
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
}
