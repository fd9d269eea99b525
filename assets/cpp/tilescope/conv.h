// Tiles of the convolution unit: a map, or filters, as so many dimensions; and what is known of the windows of a map. The
// names of its methods are unverified.
#pragma once

#include "types.h"

namespace pto {

template <int... D>
struct ConvTileShape {
  static_assert(sizeof...(D) >= 1 && sizeof...(D) <= 6, "ConvTileShape: one to six dimensions");
  static constexpr int rank = sizeof...(D);
  static constexpr int staticShape[6] = {D...};
};

template <TileType L, class E, int BufferSize, Layout Y, class S>
class ConvTile : public tilescope::Placed {
 public:
  using DType = E;
  using TileDType = E*;
  static constexpr TileType Loc = L;
  static constexpr Layout layout = Y;
  static constexpr int bufferSize = BufferSize, totalDimCount = S::rank;

  static_assert(tilescope::TypeOf<E>::value != ts_border::Type::None,
                "ConvTile: the element type is none that tiles have");
  static_assert(Y == Layout::NC1HWC0 || Y == Layout::NDC1HWC0 || Y == Layout::FRACTAL_Z || Y == Layout::FRACTAL_Z_3D,
                "ConvTile: the layout is NC1HWC0, NDC1HWC0, FRACTAL_Z or FRACTAL_Z_3D");
  static_assert(L == TileType::Mat, "ConvTile: tiles of the convolution unit stand in Mat here");

  ConvTile() {
    for (int i = 0; i < S::rank; ++i) shape_[i] = S::staticShape[i] == DYNAMIC ? 1 : S::staticShape[i];
  }
  // Sizes of the dimensions that are DYNAMIC, in their order.
  template <class... T>
  explicit ConvTile(T... sizes) : ConvTile() {
    SetDynamicShape(sizes...);
  }
  template <class... T>
  void SetDynamicShape(T... sizes) {
    const std::int64_t given[] = {static_cast<std::int64_t>(sizes)...};
    std::size_t next = 0;
    for (int i = 0; i < S::rank; ++i)
      if (S::staticShape[i] == DYNAMIC && next < sizeof...(T)) shape_[i] = given[next++];
  }
  std::int64_t GetShape(int dim) const { return shape_[dim]; }

  void SetFmapH(int value) { fmap_h_ = value; }
  void SetFmapW(int value) { fmap_w_ = value; }
  void SetFilterH(int value) { filter_h_ = value; }
  void SetFilterW(int value) { filter_w_ = value; }
  void SetStrideH(int value) { stride_h_ = value; }
  void SetStrideW(int value) { stride_w_ = value; }
  void SetDilationH(int value) { dilation_h_ = value; }
  void SetDilationW(int value) { dilation_w_ = value; }
  void SetChannelSize(int value) { channels_ = value; }
  void SetPadList(int side, int value) { pads_[side] = value; }  // left, right, top, bottom
  void SetPadListArray(const std::uint8_t* pads) {
    for (int i = 0; i < 4; ++i) pads_[i] = pads[i];
  }
  void SetPadValue(E value) {
    pad_value_ = 0;
    std::memcpy(&pad_value_, &value, sizeof value);
  }
  void SetRepeatStride(int value) { repeat_stride_ = value; }
  void SetRepeatTime(int value) { repeat_time_ = value; }
  void SetRepeatMode(int value) { repeat_mode_ = value; }
  void SetTranspose(bool value) { transpose_ = value; }

  E* data() const {
    settle();
    return reinterpret_cast<E*>(pointer_in(static_cast<std::uint64_t>(L)));
  }

  // For the calls.
  void settle() const { Placed::settle(static_cast<std::uint32_t>(L), BufferSize); }
  template <class Add>
  void sizes(Add add) const {
    for (const int one : {fmap_h_, fmap_w_, pads_[0], pads_[1], pads_[2], pads_[3]}) add(one);
  }
  template <class Add>
  void windows(Add add) const {
    sizes(add);
    add(pad_value_);
    for (const int one : {filter_h_, filter_w_, stride_h_, stride_w_, dilation_h_, dilation_w_, channels_, repeat_time_,
                          transpose_ ? 1 : 0})
      add(one);
  }
  template <class Add>
  void repeat(Add add) const {
    for (const int one : {repeat_stride_, repeat_time_, repeat_mode_}) add(one);
  }
  std::int32_t pad_value() const { return pad_value_; }

 private:
  std::int64_t shape_[6] = {};
  // 0: what it is unless somebody says so, which is 1 for filter, stride, dilation and repeat time.
  int fmap_h_ = 0, fmap_w_ = 0, filter_h_ = 0, filter_w_ = 0, stride_h_ = 0, stride_w_ = 0, dilation_h_ = 0,
      dilation_w_ = 0, channels_ = 0, repeat_stride_ = 0, repeat_time_ = 0, repeat_mode_ = 0;
  int pads_[4] = {};
  std::int32_t pad_value_ = 0;
  bool transpose_ = false;
};

}  // namespace pto
