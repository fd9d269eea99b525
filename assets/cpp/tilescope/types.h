// Element types, tiles and global tensors of kernels, with the checks that a compiler can make.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "border.h"
#include "where.h"

// What a compiler for the device marks code and pointers with.
#define AICORE
#define __aicore__
#define __global__ __attribute__((used))
#define __gm__
#define GM_ADDR __gm__ unsigned char*
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __in__
#define __out__
#define __tf__
#define __sync_alias__
#define PTO_INST inline
#define PTO_INTERNAL inline

extern "C" {
// A free place for a tile; ~0: there is none, or the kernel places its tiles by itself.
std::uint64_t ts_place(std::uint32_t memory, std::uint64_t bytes);
void ts_leave(std::uint32_t memory, std::uint64_t address);
// Bytes that no tile may get.
void ts_hold(std::uint32_t memory, std::uint64_t address, std::uint64_t bytes);
// The kernel places its tiles by itself.
void ts_assigned(void);
}

namespace tilescope {

inline std::uint32_t bits_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Nearest, ties to even.
inline std::uint16_t to_half(float value) {
  const std::uint32_t bits = bits_of_float(value), sign = bits >> 16 & 0x8000u, rest = bits & 0x7FFFFFFFu;
  if (rest > 0x7F800000u) return static_cast<std::uint16_t>(sign | 0x7E00u);
  if (rest >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);
  if (rest < 0x33000001u) return static_cast<std::uint16_t>(sign);
  const std::uint32_t exponent = rest >> 23;
  if (exponent < 113) {
    const std::uint32_t shift = 126 - exponent, mantissa = (rest & 0x7FFFFFu) | 0x800000u;
    const std::uint32_t kept = mantissa >> shift, lost = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
    return static_cast<std::uint16_t>(sign | (kept + (lost > half || (lost == half && (kept & 1u)) ? 1 : 0)));
  }
  const std::uint32_t low = rest & 0x1FFFu, kept = (rest - 0x38000000u) >> 13;
  return static_cast<std::uint16_t>(sign | (kept + (low > 0x1000u || (low == 0x1000u && (kept & 1u)) ? 1 : 0)));
}
inline float from_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31u, mantissa = half & 0x3FFu;
  if (exponent == 31) return float_of_bits(sign | 0x7F800000u | mantissa << 13);
  if (exponent != 0) return float_of_bits(sign | (exponent + 112) << 23 | mantissa << 13);
  const float small = static_cast<float>(mantissa) * 5.9604644775390625e-8f;  // 2^-24
  return sign != 0 ? -small : small;
}
inline std::uint16_t to_bfloat16(float value) {
  const std::uint32_t bits = bits_of_float(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace tilescope

// A float of 16 bits: computed with as floats are, and rounded when it is kept.
struct half {
  std::uint16_t bits = 0;
  half() = default;
  template <class T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0>
  half(T value) : bits(tilescope::to_half(static_cast<float>(value))) {}
  operator float() const { return tilescope::from_half(bits); }
};
struct bfloat16_t {
  std::uint16_t bits = 0;
  bfloat16_t() = default;
  template <class T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0>
  bfloat16_t(T value) : bits(tilescope::to_bfloat16(static_cast<float>(value))) {}
  operator float() const { return tilescope::float_of_bits(static_cast<std::uint32_t>(bits) << 16); }
};
using aclFloat16 = half;
using float16_t = half;
// Only moved and converted.
struct hifloat8_t {
  std::uint8_t bits = 0;
};
struct float8_e4m3_t {
  std::uint8_t bits = 0;
};
struct float8_e5m2_t {
  std::uint8_t bits = 0;
};
struct float8_e8m0_t {
  std::uint8_t bits = 0;
};
// Two in a byte.
struct float4_e2m1x2_t {
  std::uint8_t bits = 0;
};
struct float4_e1m2x2_t {
  std::uint8_t bits = 0;
};
struct int4b_t {
  std::uint8_t bits = 0;
};

namespace tilescope {

template <class T>
struct TypeOf {
  static constexpr ts_border::Type value = ts_border::Type::None;
};
#define TS_TYPE(CPP, TYPE)                                          \
  template <>                                                       \
  struct TypeOf<CPP> {                                              \
    static constexpr ts_border::Type value = ts_border::Type::TYPE; \
  };
TS_TYPE(std::int8_t, I8)
TS_TYPE(char, I8)
TS_TYPE(bool, U8)
TS_TYPE(std::uint8_t, U8)
TS_TYPE(std::int16_t, I16)
TS_TYPE(std::uint16_t, U16)
TS_TYPE(std::int32_t, I32)
TS_TYPE(std::uint32_t, U32)
TS_TYPE(std::int64_t, I64)
TS_TYPE(std::uint64_t, U64)
TS_TYPE(long long, I64)
TS_TYPE(unsigned long long, U64)
TS_TYPE(half, F16)
TS_TYPE(bfloat16_t, BF16)
TS_TYPE(float, F32)
TS_TYPE(float8_e4m3_t, F8E4M3)
TS_TYPE(float8_e5m2_t, F8E5M2)
TS_TYPE(hifloat8_t, HIF8)
TS_TYPE(float8_e8m0_t, E8M0)
TS_TYPE(float4_e2m1x2_t, E2M1)
TS_TYPE(float4_e1m2x2_t, E1M2)
TS_TYPE(int4b_t, I4)
#undef TS_TYPE

// Which of all tiles that there ever were an object is: its place may be another's later.
inline std::uint64_t next_object() {
  static std::uint64_t last = 0;
  return ++last;
}

// Where a tile stands, and which of all tiles it is.
class Placed {
 public:
  enum Place : std::uint8_t { Nowhere, ByKernel, ByUs };

  Placed() = default;
  // A copy is another tile: it stands where the original stands, and may go elsewhere.
  Placed(const Placed& other) : address_(other.address_), place_(other.place_) {}
  Placed(Placed&& other) : address_(other.address_), place_(other.place_), held_(other.held_) { other.held_ = kNone; }
  Placed& operator=(const Placed& other) {
    if (this == &other) return *this;
    release();
    address_ = other.address_;
    place_ = other.place_;
    return *this;
  }
  ~Placed() { release(); }

  void place(std::uint64_t address) const {
    release();
    address_ = address & 0xFFFFFFFFu;
    place_ = ByKernel;
  }
  // A tile that nobody placed gets a place when it is used, and keeps it for its life.
  void settle(std::uint32_t memory, std::uint64_t bytes) const {
    if (place_ != Nowhere) return;
    const std::uint64_t found = ts_place(memory, bytes);
    if (found == ~std::uint64_t{0}) return;
    address_ = found;
    place_ = ByUs;
    held_ = memory;
  }
  Place placed() const { return place_; }
  std::uint64_t address() const { return address_; }
  std::uint64_t object() const { return object_; }

 protected:
  std::uint64_t pointer_in(std::uint64_t memory) const {
    return ts_border::kSpaceBase + ts_border::kSpaceDistance * memory + address_;
  }

 private:
  void release() const {
    if (held_ != kNone) ts_leave(held_, address_);
    held_ = kNone;
  }

  static constexpr std::uint32_t kNone = ~0u;
  // Calls take tiles as they come, also those that the kernel holds as constants.
  mutable std::uint64_t address_ = 0;
  mutable Place place_ = Nowhere;
  mutable std::uint32_t held_ = kNone;  // the memory in which it holds a place that we gave it
  std::uint64_t object_ = next_object();
};

}  // namespace tilescope

namespace pto {

constexpr int DYNAMIC = -1;
constexpr int BLOCK_BYTE_SIZE = 32, REPEAT_BYTE = 256, C0_SIZE_BYTE = 32, FRACTAL_NZ_ROW = 16, CUBE_BLOCK_SIZE = 512;
constexpr int NUM_1 = 1, NUM_2 = 2, NUM_4 = 4, NUM_8 = 8, NUM_16 = 16, NUM_32 = 32, NUM_64 = 64, NUM_128 = 128,
              NUM_256 = 256, NUM_512 = 512;
constexpr float F16_MAX = 65504.0f;

enum class TileType { Vec, Mat, Left, Right, Acc, Bias, Scaling, ScaleLeft, ScaleRight };
enum class BLayout { RowMajor, ColMajor };
enum class SLayout { NoneBox, RowMajor, ColMajor };
enum class PadValue { Null, Zero, Max, Min };
enum class CompactMode { Null, Normal };
enum class Layout { ND, DN, NZ, NHWC, NCHW, NCDHW, NC1HWC0, NDC1HWC0, FRACTAL_Z, FRACTAL_Z_3D };

template <TileType L, class E, int R, int C, BLayout B = BLayout::RowMajor, int VR = R, int VC = C,
          SLayout S = SLayout::NoneBox, int F = 512, PadValue P = PadValue::Null, CompactMode M = CompactMode::Null>
class Tile : public tilescope::Placed {
 public:
  using DType = E;
  using TileDType = E*;
  static constexpr TileType Loc = L;
  static constexpr int Rows = R, Cols = C, ValidRow = VR, ValidCol = VC, Numel = R * C;
  static constexpr BLayout BFractal = B;
  static constexpr SLayout SFractal = S;
  static constexpr int SFractalSize = F;
  static constexpr PadValue PadVal = P;
  static constexpr CompactMode Compact = M;
  static constexpr bool isRowMajor = B == BLayout::RowMajor, isBoxedLayout = S != SLayout::NoneBox;
  static constexpr int kElement = static_cast<int>(sizeof(E));
  static constexpr int InnerRows = !isBoxedLayout           ? 1
                                   : F == 1024              ? 16
                                   : F == 32                ? (S == SLayout::RowMajor ? 16 : 2)
                                   : S == SLayout::RowMajor ? 16
                                                            : 32 / kElement;
  static constexpr int InnerCols = !isBoxedLayout           ? 1
                                   : F == 1024              ? 16
                                   : F == 32                ? (S == SLayout::RowMajor ? 2 : 16)
                                   : S == SLayout::RowMajor ? 32 / kElement
                                                            : 16;
  static constexpr int RowStride = isRowMajor ? C : 1, ColStride = isRowMajor ? 1 : R;

  static_assert(tilescope::TypeOf<E>::value != ts_border::Type::None, "tile: the element type is none that tiles have");
  static_assert(R > 0 && C > 0, "tile: it needs at least one row and one column");
  static_assert(VR <= R && VC <= C, "tile: the valid rows and columns may not be more than the tile has");
  static_assert(isBoxedLayout || L == TileType::Bias || L == TileType::Scaling ||
                    (isRowMajor ? C : R) * kElement % BLOCK_BYTE_SIZE == 0,
                "tile: a row (a column, if column-major) is a multiple of 32 bytes: make the tile wider and give the "
                "number of columns that count as valid columns");
  static_assert(!isBoxedLayout || (R % InnerRows == 0 && C % InnerCols == 0),
                "tile: rows and columns are multiples of those of a box");

  Tile() = default;
  explicit Tile(std::int64_t one) : Tile(VR == DYNAMIC ? one : VR, VC == DYNAMIC ? one : VC) {
    static_assert(VR == DYNAMIC || VC == DYNAMIC, "tile: nothing is DYNAMIC, so the given size would be ignored");
    static_assert(VR != DYNAMIC || VC != DYNAMIC, "tile: rows and columns are DYNAMIC, so both are wanted");
  }
  Tile(std::int64_t rows, std::int64_t cols) : rows_(VR == DYNAMIC ? rows : VR), cols_(VC == DYNAMIC ? cols : VC) {
    static_assert(VR == DYNAMIC || VC == DYNAMIC, "tile: nothing is DYNAMIC, so the given sizes would be ignored");
  }

  int GetValidRow() const { return static_cast<int>(rows_); }
  int GetValidCol() const { return static_cast<int>(cols_); }
  void SetValidRow(std::int64_t rows) { rows_ = rows; }
  void SetValidCol(std::int64_t cols) { cols_ = cols; }
  void SetValidShape(std::int64_t rows, std::int64_t cols) {
    rows_ = rows;
    cols_ = cols;
  }
  E* data() const {
    settle();
    return reinterpret_cast<E*>(pointer_in(memory()));
  }
  // The index counts elements of the storage.
  E GetValue(std::uint32_t index, tilescope::Where where = tilescope::Where::here()) const;
  void SetValue(std::uint32_t index, E value, tilescope::Where where = tilescope::Where::here()) const;

  // For the calls.
  void settle() const { Placed::settle(static_cast<std::uint32_t>(memory()), std::uint64_t{sizeof(E)} * R * C); }
  static constexpr std::uint64_t memory() { return L == TileType::ScaleRight ? 7 : static_cast<std::uint64_t>(L); }

 private:
  std::int64_t rows_ = VR == DYNAMIC ? R : VR, cols_ = VC == DYNAMIC ? C : VC;
};

#if defined(PTO_NPU_ARCH_A5)
constexpr BLayout kLeftLayout = BLayout::ColMajor;
#else
constexpr BLayout kLeftLayout = BLayout::RowMajor;
#endif
template <class E, int R, int C, int VR = R, int VC = C>
using TileLeft = Tile<TileType::Left, E, R, C, kLeftLayout, VR, VC, SLayout::RowMajor, 512>;
template <class E, int R, int C, int VR = R, int VC = C>
using TileRight = Tile<TileType::Right, E, R, C, BLayout::RowMajor, VR, VC, SLayout::ColMajor, 512>;
template <class E, int R, int C, int VR = R, int VC = C>
using TileAcc = Tile<TileType::Acc, E, R, C, BLayout::ColMajor, VR, VC, SLayout::RowMajor, 1024>;
template <class E, int R, int C, int VR = R, int VC = C>
using TileLeftCompact =
    Tile<TileType::Left, E, R, C, kLeftLayout, VR, VC, SLayout::RowMajor, 512, PadValue::Null, CompactMode::Normal>;
template <class E, int R, int C, int VR = R, int VC = C>
using TileRightCompact = Tile<TileType::Right, E, R, C, BLayout::RowMajor, VR, VC, SLayout::ColMajor, 512,
                              PadValue::Null, CompactMode::Normal>;
template <class E, int R, int C, int VR = R, int VC = C>
using TileAccCompact = Tile<TileType::Acc, E, R, C, BLayout::ColMajor, VR, VC, SLayout::RowMajor, 1024, PadValue::Null,
                            CompactMode::Normal>;
template <class E, int R, int C, int VR = R, int VC = C>
using TileLeftScale = Tile<TileType::ScaleLeft, E, R, C, BLayout::RowMajor, VR, VC, SLayout::RowMajor, 32>;
template <class E, int R, int C, int VR = R, int VC = C>
using TileRightScale = Tile<TileType::ScaleRight, E, R, C, BLayout::ColMajor, VR, VC, SLayout::ColMajor, 32>;

// Five sizes; those that are DYNAMIC come by the constructor, all five or just these.
template <int N1 = DYNAMIC, int N2 = DYNAMIC, int N3 = DYNAMIC, int N4 = DYNAMIC, int N5 = DYNAMIC>
class Shape {
 public:
  static constexpr int kGiven[5] = {N1, N2, N3, N4, N5};
  static constexpr int kOpen = (N1 == DYNAMIC) + (N2 == DYNAMIC) + (N3 == DYNAMIC) + (N4 == DYNAMIC) + (N5 == DYNAMIC);
  static constexpr int staticShape[5] = {N1, N2, N3, N4, N5};
  std::int64_t shape[5];

  Shape() {
    for (int i = 0; i < 5; ++i) shape[i] = kGiven[i] == DYNAMIC ? 1 : kGiven[i];
  }
  template <class... T, std::enable_if_t<(std::is_convertible<T, std::int64_t>::value && ...), int> = 0>
  Shape(T... sizes) : Shape() {
    static_assert(sizeof...(T) == 5 || sizeof...(T) == kOpen,
                  "Shape, Stride: give all five sizes, or as many as are DYNAMIC");
    const std::int64_t given[] = {static_cast<std::int64_t>(sizes)...};
    int next = 0;
    for (int i = 0; i < 5; ++i) {
      if (sizeof...(T) == 5) shape[i] = kGiven[i] == DYNAMIC ? given[i] : kGiven[i];
      else if (kGiven[i] == DYNAMIC) shape[i] = given[next++];
    }
  }
};
template <class... T>
Shape(T...) -> Shape<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC>;

template <int N1 = DYNAMIC, int N2 = DYNAMIC, int N3 = DYNAMIC, int N4 = DYNAMIC, int N5 = DYNAMIC>
class Stride : public Shape<N1, N2, N3, N4, N5> {
 public:
  using Shape<N1, N2, N3, N4, N5>::Shape;
};
template <class... T>
Stride(T...) -> Stride<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC>;

template <class E, class S, class T, Layout L = Layout::ND>
class GlobalTensor {
 public:
  using RawDType = std::remove_cv_t<E>;
  using DType = RawDType;
  static constexpr Layout layout = L;
  static_assert(tilescope::TypeOf<RawDType>::value != ts_border::Type::None,
                "GlobalTensor: the element type is none that tensors have");

  explicit GlobalTensor(const volatile E* pointer = nullptr, const S& shape = S(), const T& stride = T())
      : pointer_(const_cast<RawDType*>(const_cast<const E*>(pointer))) {
    for (int i = 0; i < 5; ++i) {
      shape_[i] = shape.shape[i];
      stride_[i] = stride.shape[i];
    }
  }
  RawDType* data() const { return pointer_; }
  void SetData(RawDType* pointer) const { pointer_ = pointer; }
  std::int64_t GetShape(int dim) const { return shape_[dim]; }
  std::int64_t GetStride(int dim) const { return stride_[dim]; }
  template <int D>
  static constexpr int GetShape() {
    static_assert(S::staticShape[D] != DYNAMIC, "GetShape<dim>: the dimension is DYNAMIC; use GetShape(dim)");
    return S::staticShape[D];
  }
  template <int D>
  static constexpr int GetStride() {
    static_assert(T::staticShape[D] != DYNAMIC, "GetStride<dim>: the dimension is DYNAMIC; use GetStride(dim)");
    return T::staticShape[D];
  }

 private:
  mutable RawDType* pointer_;
  std::int64_t shape_[5], stride_[5];
};

// A matrix as five dimensions.
template <class E, int R, int C, Layout L = Layout::ND>
class TileShape2D : public Shape<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC> {
  using Base = Shape<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC>;
  static constexpr std::int64_t kBox = 32 / static_cast<std::int64_t>(sizeof(E));
  static Base of(std::int64_t rows, std::int64_t cols) {
    if (L == Layout::NZ) return Base(1, (cols + kBox - 1) / kBox, (rows + 15) / 16, 16, kBox);
    return Base(1, 1, 1, rows, cols);
  }

 public:
  TileShape2D() : Base(of(R, C)) {}
  TileShape2D(std::int64_t rows, std::int64_t cols) : Base(of(rows, cols)) {}
};
template <class E, int R, int C, Layout L = Layout::ND>
class BaseShape2D : public Stride<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC> {
  using Base = Stride<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC>;
  static constexpr std::int64_t kBox = 32 / static_cast<std::int64_t>(sizeof(E));
  static Base of(std::int64_t rows, std::int64_t cols) {
    if (L == Layout::NZ) return Base(cols * rows, rows * kBox, 16 * kBox, kBox, 1);
    if (L == Layout::DN) return Base(rows * cols, rows * cols, rows * cols, 1, rows);
    return Base(rows * cols, rows * cols, rows * cols, cols, 1);
  }

 public:
  BaseShape2D() : Base(of(R, C)) {}
  BaseShape2D(std::int64_t rows, std::int64_t cols) : Base(of(rows, cols)) {}
};

}  // namespace pto
