// Softmax of attention scores on three cores, in C++: the same kernel as mixed/scores_softmax.pto. The cube core multiplies
// queries by keys, 16 rows at a time, and both vector cores of its block make each row positive numbers that add up to 1.
//
//   scores[i][j] = (sum over d of queries[i][d] * keys[j][d]) / 8
//   result[i][j] = exp(scores[i][j] - largest of row i) / (sum of those exponentials over row i)
//
// What to look at: the file is compiled twice, once for each kind of core, and __DAV_CUBE__ says for which. Three processes
// run it, and each goes on until it has to wait: the cube core fills both slots of the queue, and its third push comes when
// both vector cores have given back the first. TILE_UP_DOWN makes two halves of 8 rows of each strip. On a5 a push puts them
// into the UB of the vector cores, and x is the slot itself; on a2a3 they go through the argument slots, and a pop loads them.
// show: --step 18 --cell c[2,3]
// list: 414 Kernels in C++
//   queries  64 x 64 f16     keys  128 x 64 f16     slots  2 x 16 x 128 f32 (a2a3)     result  64 x 128 f32
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 64, kDepth = 64, kKeys = 128, kStrip = 16, kMine = kStrip / 2;

using Scores = TPipe<0, Direction::DIR_C2V, kStrip * kKeys * sizeof(float), 2>;
constexpr auto kHalves = TileSplitAxis::TILE_UP_DOWN;

template <class E, int R, int C>
using Matrix = GlobalTensor<E, Shape<1, 1, 1, R, C>, Stride<R * C, R * C, R * C, C, 1>>;
// Rows of keys are columns of what is multiplied.
using Keys = GlobalTensor<half, Shape<1, 1, 1, kDepth, kKeys>,
                          Stride<kDepth * kKeys, kDepth * kKeys, kDepth * kKeys, 1, kDepth>, Layout::DN>;

#ifdef __DAV_CUBE__

AICORE void multiply(__gm__ half* queries, __gm__ half* keys, Scores& scores) {
  Tile<TileType::Mat, half, kStrip, kDepth, BLayout::ColMajor, kStrip, kDepth, SLayout::RowMajor> q;
  Tile<TileType::Mat, half, kDepth, kKeys, BLayout::RowMajor, kDepth, kKeys, SLayout::ColMajor> k;
  TileLeft<half, kStrip, kDepth> l;
  TileRight<half, kDepth, kKeys> r;
  TileAcc<float, kStrip, kKeys> c;
  TASSIGN(q, 0x0);
  TASSIGN(k, 0x1000);
  TASSIGN(l, 0x0);
  TASSIGN(r, 0x0);
  TASSIGN(c, 0x0);

  // All keys stay where they are multiplied from.
  TLOAD(k, Keys(keys));
  set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  TMOV(r, k);
  for (int row = 0; row < kRows; row += kStrip) {
    TLOAD(q, Matrix<half, kStrip, kDepth>(queries + row * kDepth));
    set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    TMOV(l, q);
    set_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
    wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
    TMATMUL(c, l, r);
    set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
    wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
    TPUSH<Scores, decltype(c), kHalves>(scores, c);
    // The next strip goes where this one was.
    set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    wait_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    set_flag(PIPE_M, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID0);
    set_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID0);
  }
}

#else

AICORE void make_softmax(__gm__ float* result, Scores& scores) {
  using Part = Tile<TileType::Vec, float, kMine, kKeys>;
  using Column = Tile<TileType::Vec, float, kMine, 1, BLayout::ColMajor>;
  Part x, scaled, exps, out, tmp;
  Column largest, sum;
  // The slots stand before them: 2 x 8192 bytes.
  TASSIGN(scaled, 0x4000);
  TASSIGN(exps, 0x5000);
  TASSIGN(out, 0x6000);
  TASSIGN(tmp, 0x7000);
  TASSIGN(largest, 0x8000);
  TASSIGN(sum, 0x8020);

  const int mine = get_subblockid() * kMine;
  for (int row = 0; row < kRows; row += kStrip) {
    TPOP<Scores, Part, kHalves>(scores, x);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TMULS(scaled, x, 0.125f);
    // x is not read any more: the cube core may have its slot.
    TFREE<Scores, kHalves>(scores);
    TROWMAX(largest, scaled, tmp);
    TROWEXPANDEXPDIF(exps, scaled, largest, tmp);
    TROWSUM(sum, exps, tmp);
    TROWEXPANDDIV(out, exps, sum, tmp);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    Matrix<float, kMine, kKeys> rows(result + (row + mine) * kKeys);
    TSTORE(rows, out);
    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  }
}

#endif

extern "C" __global__ AICORE void scores_softmax(__gm__ half* queries, __gm__ half* keys, __gm__ float* slots,
                                                 __gm__ float* result) {
  Scores scores(slots, 0x0, 0x0);
#ifdef __DAV_CUBE__
  multiply(queries, keys, scores);
#else
  make_softmax(result, scores);
#endif
}
