// Convolution as a product: the kernel of convolution.pto in C++. A map of 8 x 8 points with 16 channels, and 16 filters of
// 3 x 3 places; what a filter sees at each place becomes a row of the left operand.
//
// What to look at: the map's tile knows its filter and what is around it, and the call takes that along.
// show: --step 8 --cell l[9,20]
// list: 412 Kernels in C++
#include <pto/pto-inst.hpp>

using namespace pto;

extern "C" __global__ AICORE void convolution(__gm__ half* map_at, __gm__ half* filter_at, __gm__ float* out_at) {
  ConvTile<TileType::Mat, half, 1024, Layout::NC1HWC0, ConvTileShape<1, 1, 8, 8, 16>> x;
  ConvTile<TileType::Mat, half, 2304, Layout::FRACTAL_Z, ConvTileShape<9, 1, 16, 16>> w;
  // The same bytes as the right operand has them.
  Tile<TileType::Mat, half, 144, 16, BLayout::RowMajor, 144, 16, SLayout::ColMajor> w_zn;
  TileLeft<half, 64, 144> l;
  TileRight<half, 144, 16> r;
  TileAcc<float, 64, 16> c;
  TASSIGN(x, 0);
  TASSIGN(w, 4096);
  TASSIGN(w_zn, 4096);
  TASSIGN(l, 0);
  TASSIGN(r, 0);
  TASSIGN(c, 0);
  x.SetFilterH(3);
  x.SetFilterW(3);
  for (int side = 0; side < 4; ++side) x.SetPadList(side, 1);

  GlobalTensor<half, Shape<1, 1, 8, 8, 16>, Stride<1024, 1024, 128, 16, 1>, Layout::NC1HWC0> gx(map_at);
  GlobalTensor<half, Shape<1, 9, 1, 16, 16>, Stride<2304, 256, 256, 16, 1>, Layout::FRACTAL_Z> gw(filter_at);
  GlobalTensor<float, Shape<1, 1, 1, 64, 16>, Stride<1024, 1024, 1024, 16, 1>> gz(out_at);
  TLOAD(x, gx);
  TLOAD(w, gw);
  TIMG2COL(l, x);
  TMOV(r, w_zn);
  TMATMUL(c, l, r);
  TSTORE(gz, c);
}
