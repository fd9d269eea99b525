// TQUANT.MX: groups of 32 elements of a row (grpAxis 1) or of a column (0); the last one may be smaller. m: the largest
// magnitude of a group, NaN if one is. Its exponent e, as e8m0 has it, and its scale, an f32:
//   OCP  E: the exponent field of m. E <= 8: e = 0, else e = E - 8.
//   NV   d = m * f32(1 / 448), of fields E and F. d infinite: e = 254. Else e = E, and one more where F is not 0, but for
//        E = 254, and for E = 0 with F at most half of what it can be.
//   scale = 2^(127 - e), a denormal number for e = 254. NaN: e = 255, and the default NaN.
// dst = x * scale in f32, then the nearest f8e4m3fn, ties to even, at most 448. max and scaling get m and the scale of each
// group, exponents e; interleaved, those of two groups in turn, the second of which is 0 where there is none.
// To f4e2m1fn: 2 in the place of 8, 1 / 6 in that of 1 / 448, at most 6, NaN is 7; with an odd number of columns there is a 0
// behind each row.
// From bf16 and f16: max has that type, its NaN is the default one, scaling is bf16. OCP cuts the magnitudes of f16 off to bf16,
// which max has then. The product of bf16 is rounded to bf16. The scale of NaN is 7F81 for f8e4m3fn. The columns of src behind
// its valid ones become 0.
#include <bit>
#include <cmath>

#include "tests/oracle/number.h"
#include "tests/oracle/small_float.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

constexpr DType kWide = DType::F32;

struct Group {
  Value largest, exponent, scale;
};

class Mx {
 public:
  Mx(const Bound& bound, const Before& before)
      : src_(bound.tile("src")),
        work_(bound, before),
        type_(src_.type.dtype),
        fp4_(work_.attribute("quant_type") == "mxfp4_e2m1"),
        down_(work_.attribute("grpAxis") == "0"),
        nv_(work_.attribute("quantScaleAlg") == "nv") {}

  Effects run(const TileRef& max) {
    const std::uint32_t rows = down_ ? ceil_div(src_.valid_rows, 32) : src_.valid_rows,
                        cols = down_ ? src_.valid_cols : ceil_div(src_.valid_cols, 32);
    const bool in_turn = work_.attribute("interleave") == "true", flat = !down_ && max.valid_rows == 1;
    if (src_.valid_rows == 0 || src_.valid_cols == 0) return {};
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t col = 0; col < cols; ++col) {
        const Group group = group_at(row, col);
        const std::uint32_t r = flat ? 0 : row, c = flat ? row * cols + col : col;
        work_.put("max", r, c, group.largest);
        work_.put("scaling", r, c, group.scale);
        if (!in_turn) work_.put("exponents", r, c, group.exponent);
        else work_.put("exponents", row / 2, 2 * col + row % 2, group.exponent);
        if (in_turn && row % 2 == 0 && row + 1 == rows) work_.put("exponents", row / 2, 2 * col + 1, {});
        put_elements(row, col, group.scale);
      }
    for (std::uint32_t row = 0; row < src_.valid_rows; ++row) {
      if (fp4_ && src_.valid_cols % 2 == 1) work_.put("dst", row, src_.valid_cols, {});
      for (std::uint32_t col = src_.valid_cols; col < src_.type.cols && is_short(); ++col)
        work_.put("src", row, col, {});
    }
    return work_.take();
  }

 private:
  bool is_short() const { return type_ != DType::F32; }
  bool cuts() const { return type_ == DType::F16 && !nv_; }
  DType type_of_max() const { return cuts() ? DType::BF16 : type_; }
  static std::uint64_t widened(DType type, std::uint64_t bits) {
    return type == kWide ? bits : convert(kWide, type, bits, Rounding::NearestEven, Overflow::Wrap);
  }
  // As its tile has it: a number of the source's type, or one of the upper half of an f32.
  std::uint64_t stored_max(std::uint64_t m) const {
    const DType type = type_of_max();
    if (type == kWide) return m;
    if (is_nan(kWide, m)) return default_nan(type);
    return convert(type, kWide, m, Rounding::NearestEven, Overflow::Wrap);
  }
  template <class F>
  void each(std::uint32_t row, std::uint32_t col, F f) const {
    const std::uint32_t first = 32 * (down_ ? row : col),
                        end = std::min(first + 32, down_ ? src_.valid_rows : src_.valid_cols);
    for (std::uint32_t i = first; i < end; ++i) f(down_ ? i : row, down_ ? col : i);
  }

  Group group_at(std::uint32_t row, std::uint32_t col) const {
    Group group;
    bool is_first = true;
    // Along a row a register's lanes begin with -infinity, down a column with the first element.
    if (!down_) group.largest.bits = sign_bit(kWide) | infinity(kWide), is_first = false;
    each(row, col, [&](std::uint32_t r, std::uint32_t c) {
      const Value x = work_.element("src", r, c);
      std::uint64_t size = abs(kWide, widened(type_, x.bits));
      if (cuts()) size = size / 65536 * 65536;
      group.largest = computed(is_first ? size : max(kWide, group.largest.bits, size), group.largest, x);
      is_first = false;
    });
    group.largest.bits = stored_max(group.largest.bits);
    share(group);
    return group;
  }

  void share(Group& group) const {
    const std::uint64_t m = widened(type_of_max(), group.largest.bits);
    const float part = fp4_ ? 1.0f / 6.0f : 1.0f / 448.0f;
    const std::uint64_t d = nv_ ? mul(kWide, m, std::bit_cast<std::uint32_t>(part)) : m;
    std::vector<Origin> from;
    std::uint64_t exponent = 255, scale = is_short() && !fp4_ ? 0x7F810000 : default_nan(kWide);
    if (!is_nan(kWide, d)) {
      exponent = nv_ ? nv_exponent(d) : ocp_exponent(d);
      scale = std::bit_cast<std::uint32_t>(static_cast<float>(std::ldexp(1.0, 127 - static_cast<int>(exponent))));
      from = group.largest.from;
    }
    // Whether it is NaN, and with NV whether it is rounded up, the elements decide.
    for (Origin decider : group.largest.from) {
      decider.kind = Origin::Kind::Decider;
      from.push_back(decider);
    }
    group.exponent = {exponent, from};
    group.scale = {is_short() ? scale / 65536 : scale, from};
  }
  std::uint64_t ocp_exponent(std::uint64_t m) const {
    const std::uint64_t field = m >> 23, least = fp4_ ? 2 : 8;
    return field <= least ? 0 : field - least;
  }
  // By numbers: the power of two that is not below, of what is not tiny.
  static std::uint64_t nv_exponent(std::uint64_t d) {
    if (is_infinite(kWide, d)) return 254;
    const double value = float_value(kWide, d);
    if (value <= 0x1p-127) return 0;
    int power = 0;
    const double part = std::frexp(value, &power);  // 0.5 <= part < 1
    const int above = part == 0.5 ? power - 1 : power;
    return static_cast<std::uint64_t>(std::min(above + 127, 254));
  }

  void put_elements(std::uint32_t row, std::uint32_t col, const Value& scale) {
    each(row, col, [&](std::uint32_t r, std::uint32_t c) {
      const Value x = work_.element("src", r, c);
      const DType made = type_ == DType::BF16 ? DType::BF16 : kWide;
      const std::uint64_t product =
          made == DType::BF16 ? mul(made, x.bits, scale.bits)
                              : mul(made, widened(type_, x.bits), is_short() ? scale.bits * 65536 : scale.bits);
      const double value = is_nan(made, product) ? std::nan("") : float_value(made, product);
      const DType to = fp4_ ? DType::E2M1 : DType::F8E4M3;
      work_.put("dst", r, c, computed(small_element(to, value, Rounding::NearestEven, true), x, scale));
    });
  }

  const TileRef& src_;
  Work work_;
  const DType type_;
  const bool fp4_, down_, nv_;
};

Effects tquant_mx(const Bound& bound, const Before& before) { return Mx(bound, before).run(bound.tile("max")); }

const Oracles quantise_mx_oracles{{"tquant.mx", tquant_mx}};

}  // namespace
}  // namespace ts::oracle
