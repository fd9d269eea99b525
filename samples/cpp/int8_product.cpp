// Int8 product in C++, as cube/int8_product.pto has it in text. A 64 x 128 matrix of bytes times a 128 x 64 one. The sums are
// whole numbers, exact; on the way out through the fixpipe each becomes a half, with a scale of its column.
//
//   sum[i][j] = sum over k of a[i][k] * b[k][j]          out[i][j] = sum[i][j] * factor[j], the nearest f16
//   factor[j] = 2^-8 * (1 + j mod 8)
//
// What to look at: the words for the fixpipe are made by the kernel itself, through a pointer, before its first load. That is
// no step; the notes say what it wrote. Both halves of k have places of their own in L0A and L0B, so that the second one is
// moved while the first one is multiplied: it waits for no flag of the first.
// show: --step 18 --cell c[1,7]
// list: 413 Kernels in C++
//   a  64 x 128 i8     b  128 x 64 i8     words  64 i64, made here     out  64 x 64 f16
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kSide = 64, kDepth = 128, kPart = 64;

template <class E, int R, int C>
using Matrix = GlobalTensor<E, Shape<1, 1, 1, R, C>, Stride<R * C, R * C, R * C, C, 1>>;
template <int R, int C>
using Boxes = Tile<TileType::Mat, int8_t, R, C, BLayout::ColMajor, R, C, SLayout::RowMajor>;

// The fixpipe takes the bits of a float as a word of 64.
AICORE inline void make_words(__gm__ int64_t* words) {
  for (int j = 0; j < kSide; ++j) {
    const float factor = (1 + j % 8) / 256.0f;
    uint32_t bits;
    __builtin_memcpy(&bits, &factor, sizeof bits);
    words[j] = bits;
  }
}

extern "C" __global__ AICORE void int8_product(__gm__ int8_t* a_at, __gm__ int8_t* b_at, __gm__ int64_t* words_at,
                                               __gm__ half* out_at) {
  Boxes<kSide, kDepth> a;
  Boxes<kDepth, kSide> b;
  Tile<TileType::Mat, int64_t, 1, kSide> words;
  TileLeft<int8_t, kSide, kPart> l[2];
  TileRight<int8_t, kPart, kSide> r[2];
  Tile<TileType::Scaling, int64_t, 1, kSide> factors;
  TileAcc<int32_t, kSide, kSide> c;
  TASSIGN(a, 0x0);
  TASSIGN(b, 0x2000);
  TASSIGN(words, 0x4000);
  TASSIGN(factors, 0x0);
  TASSIGN(c, 0x0);
  for (int i = 0; i < 2; ++i) {
    TASSIGN(l[i], i * 0x1000);
    TASSIGN(r[i], i * 0x1000);
  }
  make_words(words_at);

  TLOAD(a, Matrix<int8_t, kSide, kDepth>(a_at));
  TLOAD(b, Matrix<int8_t, kDepth, kSide>(b_at));
  TLOAD(words, Matrix<int64_t, 1, kSide>(words_at));
  set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  set_flag(PIPE_MTE2, PIPE_FIX, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_FIX, EVENT_ID0);
  TMOV(factors, words);
  for (int i = 0; i < 2; ++i) {
    const event_t turn = i == 0 ? EVENT_ID0 : EVENT_ID1;
    TEXTRACT(l[i], a, 0, i * kPart);
    TEXTRACT(r[i], b, i * kPart, 0);
    set_flag(PIPE_MTE1, PIPE_M, turn);
    wait_flag(PIPE_MTE1, PIPE_M, turn);
    if (i == 0) TMATMUL(c, l[i], r[i]);
    else TMATMUL_ACC(c, c, l[i], r[i]);
  }
  set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
  wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
  Matrix<half, kSide, kSide> out(out_at);
  TSTORE_FP(out, c, factors);
}
