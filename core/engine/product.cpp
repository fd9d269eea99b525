// Matrix products: operands laid out for vectors, and the sums. A column of sixteen results is what a box of an accumulator
// has of a row, at every SIMD level.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/product.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/engine/level_functions-inl.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "core/engine/product.h"
#include "core/isa/element.h"
#include "hwy/highway.h"

#ifndef TS_ENGINE_PRODUCT_PANELS
#define TS_ENGINE_PRODUCT_PANELS
namespace ts {
namespace {

inline constexpr std::size_t kPanel = 16;  // columns
inline constexpr std::uint32_t kCanonicalNan = 0x7FC00000;

// Room that the products of a thread use one after the other: asking for it in each would cost as much as the sums.
enum class Use : std::uint8_t { Left, Right, Sums, Wide };
template <class T>
T* room(Use use, std::size_t count) {
  static_assert(sizeof(T) == 4);
  thread_local std::vector<std::uint32_t> rooms[4];
  std::vector<std::uint32_t>& mine = rooms[static_cast<std::size_t>(use)];
  if (mine.size() < count) mine.resize(count);
  return reinterpret_cast<T*>(mine.data());
}

// The sums so far, and what is added: left by rows, right in panels of sixteen columns with k ascending.
template <class T, class Sum>
struct Panels {
  std::size_t m, panels, k;
  T* left = room<T>(Use::Left, m* k);
  T* right = room<T>(Use::Right, panels* k* kPanel);
  std::span<Sum> sums{room<Sum>(Use::Sums, m* panels* kPanel), m* panels* kPanel};  // rows of whole panels
  Sum* row_of(std::size_t row, std::size_t panel) const { return sums.data() + (row * panels + panel) * kPanel; }
};
using FloatPanels = Panels<float, float>;
// Two neighbours along k in one number, the first in its low half.
using PairPanels = Panels<std::uint32_t, std::int32_t>;

}  // namespace
}  // namespace ts
#endif

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A term is added with one rounding. Without the instruction for that, where the product itself is no exact float, the
// library's function does it.
template <int kRows>
HWY_INLINE void add_float_rows(const FloatPanels& p, const float* left, const float* right, float* sums,
                               bool exact_terms) {
  const hn::CappedTag<float, kPanel> d;
  using Vec = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = hn::MaxLanes(d), kParts = kPanel / kLanes;
  const std::size_t stride = p.panels * kPanel;
#if !HWY_NATIVE_FMA
  if (!exact_terms) {
    for (std::size_t row = 0; row < kRows; ++row)
      for (std::size_t k = 0; k < p.k; ++k)
        for (std::size_t col = 0; col < kPanel; ++col)
          sums[row * stride + col] = std::fma(left[row * p.k + k], right[k * kPanel + col], sums[row * stride + col]);
    return;
  }
#endif
  (void)exact_terms;
  Vec sum[kRows][kParts];
#pragma GCC unroll 16
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part)
      sum[row][part] = hn::LoadU(d, sums + row * stride + part * kLanes);
  for (std::size_t k = 0; k < p.k; ++k) {
    Vec b[kParts];
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part) b[part] = hn::LoadU(d, right + k * kPanel + part * kLanes);
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kRows; ++row) {
      const Vec a = hn::Set(d, left[row * p.k + k]);
#pragma GCC unroll 4
      for (std::size_t part = 0; part < kParts; ++part) sum[row][part] = hn::MulAdd(a, b[part], sum[row][part]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part)
      hn::StoreU(sum[row][part], d, sums + row * stride + part * kLanes);
}

// Sums of two products each. Integers wrap, so that their order is nobody's business.
template <int kRows>
HWY_INLINE void add_pair_rows(const PairPanels& p, const std::uint32_t* left, const std::uint32_t* right,
                              std::int32_t* sums) {
  const std::size_t stride = p.panels * kPanel;
#if HWY_ARCH_X86
  const hn::CappedTag<std::int32_t, kPanel> d;
  const hn::Repartition<std::int16_t, decltype(d)> d16;
  using Vec = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = hn::MaxLanes(d), kParts = kPanel / kLanes;
  Vec sum[kRows][kParts];
  Vec unused = hn::Zero(d);
#pragma GCC unroll 16
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part)
      sum[row][part] = hn::LoadU(d, sums + row * stride + part * kLanes);
  for (std::size_t k = 0; k < p.k; ++k) {
    hn::Vec<decltype(d16)> b[kParts];
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part)
      b[part] = hn::LoadU(d16, reinterpret_cast<const std::int16_t*>(right + k * kPanel + part * kLanes));
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto a = hn::BitCast(d16, hn::Set(d, static_cast<std::int32_t>(left[row * p.k + k])));
#pragma GCC unroll 4
      for (std::size_t part = 0; part < kParts; ++part)
        sum[row][part] = hn::ReorderWidenMulAccumulate(d, a, b[part], sum[row][part], unused);
    }
  }
#pragma GCC unroll 16
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part)
      hn::StoreU(sum[row][part], d, sums + row * stride + part * kLanes);
#else
  const auto low = [](std::uint32_t pair) { return static_cast<std::int16_t>(pair); };
  const auto high = [](std::uint32_t pair) { return static_cast<std::int16_t>(pair >> 16); };
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t k = 0; k < p.k; ++k)
      for (std::size_t col = 0; col < kPanel; ++col) {
        const std::uint32_t a = left[row * p.k + k], b = right[k * kPanel + col];
        auto& sum = sums[row * stride + col];
        sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) +
                                        static_cast<std::uint32_t>(low(a) * low(b) + high(a) * high(b)));
      }
#endif
}

// f(a count of rows as a type, the first row, the panel): so many rows at once as there are registers for, and what is left
// in as few turns: with few sums at a time each waits for its own last term.
template <class P, class F>
HWY_INLINE void for_row_blocks(const P& p, F f) {
  constexpr std::size_t kLanes = hn::MaxLanes(hn::CappedTag<float, kPanel>()), kParts = kPanel / kLanes;
  constexpr int kMost = kParts == 1 ? 12 : kParts == 2 ? 6 : 2;
  for (std::size_t panel = 0; panel < p.panels; ++panel) {
    std::size_t row = 0;
    const auto go = [&](auto rows) HWY_ATTR {
      if constexpr (decltype(rows)::value <= kMost)
        for (; row + decltype(rows)::value <= p.m; row += decltype(rows)::value) f(rows, row, panel);
    };
    go(std::integral_constant<int, kMost>());
    go(std::integral_constant<int, 8>());
    go(std::integral_constant<int, 4>());
    go(std::integral_constant<int, 2>());
    go(std::integral_constant<int, 1>());
  }
}

}  // namespace

void widen_elements(const std::uint8_t* in, DType type, std::size_t count, float* out) {
  if (size_bytes(type) == 1) {
    const std::span<const double> values = small_float_values(type);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(values[in[i]]);
    return;
  }
  if (type == DType::F32) return static_cast<void>(std::memcpy(out, in, count * sizeof(float)));
  constexpr std::size_t kAtOnce = VL / 2;
  for (std::size_t at = 0; at < count; at += kAtOnce)
    convert_lanes(reinterpret_cast<std::uint8_t*>(out + at), DType::F32, in + at * 2, type,
                  static_cast<std::uint32_t>(std::min(kAtOnce, count - at)), Rounding::Even, Overflow::Clamp);
}

void add_float_products(FloatPanels& p, bool exact_terms) {
  for_row_blocks(p, [&](auto rows, std::size_t row, std::size_t panel) HWY_ATTR {
    add_float_rows<decltype(rows)::value>(p, p.left + row * p.k, p.right + panel * p.k * kPanel, p.row_of(row, panel),
                                          exact_terms);
  });
}
// Sixteen terms of four columns each, into the panel where the first of them goes.
void turn_columns(const float* const* in, float* to) {
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<double, 2> d2;
  const auto twos = [&](auto v) HWY_ATTR { return hn::BitCast(d2, v); };
  for (std::size_t k = 0; k < kPanel; k += 4, to += 4 * kPanel) {
    const auto a = hn::LoadU(d, in[0] + k), b = hn::LoadU(d, in[1] + k), c = hn::LoadU(d, in[2] + k),
               e = hn::LoadU(d, in[3] + k);
    const auto ab_low = twos(hn::InterleaveLower(d, a, b)), ab_high = twos(hn::InterleaveUpper(d, a, b));
    const auto ce_low = twos(hn::InterleaveLower(d, c, e)), ce_high = twos(hn::InterleaveUpper(d, c, e));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d2, ab_low, ce_low)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d2, ab_low, ce_low)), d, to + kPanel);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d2, ab_high, ce_high)), d, to + 2 * kPanel);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d2, ab_high, ce_high)), d, to + 3 * kPanel);
  }
}
// Every NaN is one.
void make_nans_one(FloatPanels& p) {
  const hn::CappedTag<float, kPanel> d;
  const auto one = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<decltype(d)>(), kCanonicalNan));
  for (std::size_t i = 0; i < p.sums.size(); i += hn::Lanes(d)) {
    const auto sum = hn::LoadU(d, p.sums.data() + i);
    hn::StoreU(hn::IfThenElse(hn::IsNaN(sum), one, sum), d, p.sums.data() + i);
  }
}
void add_pair_products(PairPanels& p) {
  for_row_blocks(p, [&](auto rows, std::size_t row, std::size_t panel) HWY_ATTR {
    add_pair_rows<decltype(rows)::value>(p, p.left + row * p.k, p.right + panel * p.k * kPanel, p.row_of(row, panel));
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ts {
namespace {

HWY_EXPORT(widen_elements);
HWY_EXPORT(add_float_products);
HWY_EXPORT(turn_columns);
HWY_EXPORT(make_nans_one);
HWY_EXPORT(add_pair_products);

std::uint32_t result_bits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return std::isnan(value) ? kCanonicalNan : bits;
}

const std::uint8_t* at(const Memory& memory, const TileRef& tile, std::uint32_t address, std::size_t size) {
  return reinterpret_cast<const std::uint8_t*>(
      memory.bytes({tile.space(), address, static_cast<std::uint32_t>(size), BytePart::Whole, tile.core}).data());
}

// The operand whose rows are summed along: the left one, or the right one turned over, whose columns are rows then.
TileRef terms_of(const Product& product, bool right) {
  TileRef tile = right ? product.right : product.left;
  if (!right) return tile;
  TileType& type = tile.type;
  if (!type.in_boxes()) type.slayout = InnerOrder::None;
  std::swap(type.rows, type.cols);
  type.blayout = type.blayout == BoxOrder::RowMajor ? BoxOrder::ColMajor : BoxOrder::RowMajor;
  if (type.boxed()) type.slayout = type.slayout == InnerOrder::RowMajor ? InnerOrder::ColMajor : InnerOrder::RowMajor;
  return tile;
}

// f(elements, row, k, count): runs along k.
template <class F>
void for_runs_of_terms(const Memory& memory, const Product& product, bool right, F f) {
  const TileRef tile = terms_of(product, right);
  for_row_runs(
      tile, right ? product.n : product.m, product.k,
      [&](std::uint32_t address, std::uint32_t row, std::uint32_t k, std::uint32_t count) {
        f(at(memory, tile, address, bytes_for(tile.type.dtype, count)), row, k, count);
      },
      right ? product.first_col : product.first_row);
}
// The same of floats, which are widened as they lie.
template <class F>
void for_runs_of_floats(const Memory& memory, const Product& product, bool right, F f) {
  const TileRef tile = terms_of(product, right);
  const std::uint32_t bytes = tile.elem_bytes();
  const std::size_t count = tile.type.size_bytes() / bytes;
  const int shift = std::countr_zero(bytes);
  float* wide = room<float>(Use::Wide, count);
  HWY_DYNAMIC_DISPATCH(widen_elements)
  (at(memory, tile, tile.address, tile.type.size_bytes()), tile.type.dtype, count, wide);
  for_row_runs(
      tile, right ? product.n : product.m, product.k,
      [&](std::uint32_t address, std::uint32_t row, std::uint32_t k, std::uint32_t run) {
        f(wide + ((address - tile.address) >> shift), row, k, run);
      },
      right ? product.first_col : product.first_row);
}

// What the sums begin with.
template <class T>
void start_with(const Memory& memory, const Product& product, std::span<T> sums, std::size_t stride) {
  if (!product.start) return;
  const TileRef& from = *product.start;
  const auto put = [&](std::uint32_t address, std::uint32_t row, std::uint32_t col, std::uint32_t count) {
    std::memcpy(sums.data() + row * stride + col, at(memory, from, address, count * sizeof(T)), count * sizeof(T));
  };
  if (product.first_col != 0) {
    for (std::uint32_t row = 0; row < product.m; ++row)
      for (std::uint32_t col = 0; col < product.n; ++col)
        put(from.at(product.start_row(row), product.first_col + col), row, col, 1);
    return;
  }
  for_row_runs(
      from, product.one_start_row ? 1 : product.m, product.n,
      [&](std::uint32_t address, std::uint32_t row, std::uint32_t col, std::uint32_t count) {
        const std::uint32_t end = product.one_start_row ? product.m : row + 1;
        for (std::uint32_t same = row; same < end; ++same) put(address, same, col, count);
      },
      product.start_row(0));
}

// Columns behind the last one are nobody's, and zero.
template <class P>
P panels_for(const Product& product, std::size_t k) {
  P panels{.m = product.m, .panels = (product.n + kPanel - 1) / kPanel, .k = k};
  std::ranges::fill(panels.sums, 0);
  if (product.n % kPanel != 0) std::fill_n(panels.right + (panels.panels - 1) * k * kPanel, k * kPanel, 0);
  return panels;
}

template <class P>
std::vector<std::uint32_t> results_of(const Product& product, P& panels) {
  std::vector<std::uint32_t> bits;
  bits.reserve(std::size_t{product.m} * product.n);
  for (std::size_t row = 0; row < product.m; ++row) {
    const auto* sums = reinterpret_cast<const std::uint32_t*>(panels.row_of(row, 0));
    bits.insert(bits.end(), sums, sums + product.n);
  }
  return bits;
}

// Runs are sixteen terms long in boxes of 16 bits: a copy of known size is no call.
void copy_run(const float* in, std::uint32_t count, float* to) {
  if (count == kPanel) std::memcpy(to, in, kPanel * sizeof(float));
  else std::copy_n(in, count, to);
}

// Columns of the right operand on their way into the panels: four beside each other go together.
class RightColumns {
 public:
  explicit RightColumns(FloatPanels& panels) : panels_(panels) {}
  ~RightColumns() { put_held(); }
  void put(const float* in, std::uint32_t col, std::uint32_t k, std::uint32_t count) {
    if (count != kPanel) return put_one(in, col, k, count);
    if (held_ != 0 && (col != col_ + held_ || k != k_ || col % 4 == 0)) put_held();
    if (held_ == 0) col_ = col, k_ = k;
    in_[held_++] = in;
    if (held_ < 4) return;
    if (col_ % 4 != 0) return put_held();
    HWY_DYNAMIC_DISPATCH(turn_columns)(in_.data(), place(col_, k_));
    held_ = 0;
  }

 private:
  float* place(std::uint32_t col, std::uint32_t k) const {
    return panels_.right + (col / kPanel * panels_.k + k) * kPanel + col % kPanel;
  }
  void put_one(const float* in, std::uint32_t col, std::uint32_t k, std::uint32_t count) {
    float* to = place(col, k);
    for (std::uint32_t i = 0; i < count; ++i) to[i * kPanel] = in[i];
  }
  void put_held() {
    for (std::uint32_t i = 0; i < held_; ++i) put_one(in_[i], col_ + i, k_, kPanel);
    held_ = 0;
  }

  FloatPanels& panels_;
  std::array<const float*, 4> in_{};
  std::uint32_t held_ = 0, col_ = 0, k_ = 0;
};

std::vector<std::uint32_t> multiply_floats(const Memory& memory, const Product& product) {
  auto panels = panels_for<FloatPanels>(product, product.k);
  for_runs_of_floats(memory, product, false,
                     [&](const float* in, std::uint32_t row, std::uint32_t k, std::uint32_t count) {
                       copy_run(in, count, panels.left + row * panels.k + k);
                     });
  {
    RightColumns columns(panels);
    for_runs_of_floats(memory, product, true,
                       [&](const float* in, std::uint32_t col, std::uint32_t k, std::uint32_t count) {
                         columns.put(in, col, k, count);
                       });
  }
  const DType left = product.left.type.dtype, right = product.right.type.dtype;
  const auto exact = [](DType type) { return type == DType::F16 || is_small_float(type); };
  const bool last = product.order == ProductOrder::SumFirst;
  if (!last) start_with(memory, product, panels.sums, panels.panels * kPanel);
  HWY_DYNAMIC_DISPATCH(add_float_products)(panels, exact(left) && exact(right));
  if (last) {
    std::vector<float> start(panels.sums.size());
    start_with<float>(memory, product, start, panels.panels * kPanel);
    for (std::size_t i = 0; i < start.size(); ++i) panels.sums[i] += start[i];
  }
  HWY_DYNAMIC_DISPATCH(make_nans_one)(panels);
  return results_of(product, panels);
}

// A run's elements as pairs, `step` from one to the next; behind an odd end stands a zero. A run that begins at an odd k is
// one element: it completes the pair of the run before it.
void put_pairs(const std::uint8_t* in, std::uint32_t k, std::uint32_t count, std::uint32_t* to, std::size_t step) {
  const auto wide = [](std::uint8_t element) {
    return std::uint32_t{static_cast<std::uint16_t>(static_cast<std::int8_t>(element))};
  };
  if (k % 2 != 0) {
    *to |= wide(*in) << 16;
    return;
  }
  for (std::uint32_t i = 0; i + 1 < count; i += 2, to += step) *to = wide(in[i]) | wide(in[i + 1]) << 16;
  if (count % 2 != 0) *to = wide(in[count - 1]);
}

std::vector<std::uint32_t> multiply_bytes(const Memory& memory, const Product& product) {
  auto panels = panels_for<PairPanels>(product, (product.k + 1) / 2);
  for_runs_of_terms(memory, product, false,
                    [&](const std::uint8_t* in, std::uint32_t row, std::uint32_t k, std::uint32_t count) {
                      put_pairs(in, k, count, panels.left + row * panels.k + k / 2, 1);
                    });
  for_runs_of_terms(
      memory, product, true, [&](const std::uint8_t* in, std::uint32_t col, std::uint32_t k, std::uint32_t count) {
        put_pairs(in, k, count, panels.right + (col / kPanel * panels.k + k / 2) * kPanel + col % kPanel, kPanel);
      });
  start_with(memory, product, panels.sums, panels.panels * kPanel);
  HWY_DYNAMIC_DISPATCH(add_pair_products)(panels);
  return results_of(product, panels);
}

// 2^(e - 127) of the group that an element belongs to.
double scale_at(const Memory& memory, const std::optional<TileRef>& scales, std::uint32_t row, std::uint32_t col) {
  if (!scales) return 1;
  return to_double(DType::E8M0, memory.element(scales->place_of(row, col)));
}

// Of the elements from an even one on.
double value_at(DType type, const std::uint8_t* in, std::uint32_t i) {
  if (is_packed(type)) return to_double(type, i % 2 == 0 ? in[i / 2] & 0xFu : in[i / 2] >> 4u);
  std::uint64_t bits = 0;
  std::memcpy(&bits, in + i * size_bytes(type), size_bytes(type));
  return to_double(type, bits);
}

// Each term in double, where scales of powers of two and products of floats of 8 bits are exact.
std::vector<std::uint32_t> multiply_in_double(const Memory& memory, const Product& product) {
  const std::size_t k_count = product.k, n = product.n;
  std::vector<double> left(product.m * k_count), right(k_count * n);
  for_runs_of_terms(memory, product, false,
                    [&](const std::uint8_t* in, std::uint32_t row, std::uint32_t k, std::uint32_t count) {
                      for (std::uint32_t i = 0; i < count; ++i)
                        left[row * k_count + k + i] =
                            value_at(product.left.type.dtype, in, i) *
                            scale_at(memory, product.left_scales, product.first_row + row, (k + i) / kTermsPerScale);
                    });
  for_runs_of_terms(memory, product, true,
                    [&](const std::uint8_t* in, std::uint32_t col, std::uint32_t k, std::uint32_t count) {
                      for (std::uint32_t i = 0; i < count; ++i)
                        right[(k + i) * n + col] =
                            value_at(product.right.type.dtype, in, i) *
                            scale_at(memory, product.right_scales, (k + i) / kTermsPerScale, product.first_col + col);
                    });
  std::vector<float> start(product.m * n);
  start_with<float>(memory, product, start, n);
  const bool once = product.order == ProductOrder::Double, last = product.order == ProductOrder::SumFirst;
  std::vector<std::uint32_t> bits(product.m * n);
  std::vector<double> sums(n);
  for (std::size_t row = 0; row < product.m; ++row) {
    for (std::size_t col = 0; col < n; ++col) sums[col] = last ? 0 : double{start[row * n + col]};
    for (std::size_t k = 0; k < k_count; ++k)
      for (std::size_t col = 0; col < n; ++col) {
        const double sum = sums[col] + left[row * k_count + k] * right[k * n + col];
        sums[col] = once ? sum : double{static_cast<float>(sum)};
      }
    for (std::size_t col = 0; col < n; ++col) {
      const auto sum = static_cast<float>(sums[col]);
      bits[row * n + col] = result_bits(last ? sum + start[row * n + col] : sum);
    }
  }
  return bits;
}

}  // namespace

std::vector<std::uint32_t> multiplied(const Memory& memory, const Product& product) {
  if (product.left.type.dtype == DType::I8) return multiply_bytes(memory, product);
  if (product.left_scales || product.right_scales || product.order == ProductOrder::Double)
    return multiply_in_double(memory, product);
  return multiply_floats(memory, product);
}

std::vector<std::uint32_t> running_sums(const Memory& memory, Product product, std::uint32_t row, std::uint32_t col) {
  const std::uint32_t terms = product.k;
  product.first_row = row, product.first_col = col;
  product.m = product.n = 1;
  std::vector<std::uint32_t> sums;
  for (product.k = 0; product.k <= terms; ++product.k) sums.push_back(multiplied(memory, product).front());
  return sums;
}

void store_product(BlockCore& run, const MicroOp& op, const Product& product, std::span<const std::uint32_t> bits) {
  Block block;
  std::uint32_t begin = 0, held = 0;
  const auto flush = [&] {
    if (held != 0) run.store_span(op, product.acc.space(), begin, block, held);
    held = 0;
  };
  for_row_runs(product.acc, product.m, product.n,
               [&](std::uint32_t address, std::uint32_t row, std::uint32_t col, std::uint32_t count) {
                 for (std::uint32_t done = 0; done < count;) {
                   const std::uint32_t here = address + done * 4;
                   if (here != begin + held || held == VL) {
                     flush();
                     begin = here;
                   }
                   const std::uint32_t now = std::min(count - done, (VL - held) / 4);
                   const std::uint32_t* from = bits.data() + std::size_t{row} * product.n + col + done;
                   if (now == kPanel) std::memcpy(block.bytes + held, from, kPanel * 4);
                   else std::memcpy(block.bytes + held, from, now * 4);
                   held += now * 4;
                   done += now;
                 }
               });
  flush();
}

std::vector<ByteRange> bytes_of(const TileRef& tile, std::uint32_t rows, std::uint32_t cols) {
  std::vector<ByteRange> ranges;
  for_row_runs(tile, rows, cols, [&](std::uint32_t address, std::uint32_t, std::uint32_t, std::uint32_t count) {
    const auto size = static_cast<std::uint32_t>(bytes_for(tile.type.dtype, count));
    const bool goes_on = !ranges.empty() && ranges.back().address + ranges.back().size == address;
    if (goes_on) ranges.back().size += size;
    else ranges.push_back(tile.range().with(address, size));
  });
  return ranges;
}

}  // namespace ts
#endif
