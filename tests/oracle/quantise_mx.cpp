// TQUANT.MX: groups of 32 elements of a row (grpAxis 1) or of a column (0); the last one may be smaller. m: the largest
// magnitude of a group, NaN if one is. Its exponent e, as e8m0 has it, and its scale, an f32:
//   OCP  E: the exponent field of m. E <= 8: e = 0, else e = E - 8.
//   NV   d = m * f32(1 / 448), of fields E and F. d infinite: e = 254. Else e = E, and one more where F is not 0, but for
//        E = 254, and for E = 0 with F at most half of what it can be.
//   scale = 2^(127 - e), a denormal number for e = 254. NaN: e = 255, and the default NaN.
// dst = x * scale in f32, then the nearest f8e4m3fn, ties to even, at most 448. max and scaling get m and the scale of each
// group, exponents e; interleaved, those of two groups in turn, the second of which is 0 where there is none.
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
    return work_.take();
  }

 private:
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
      const std::uint64_t size = abs(kWide, x.bits);
      group.largest = computed(is_first ? size : max(kWide, group.largest.bits, size), group.largest, x);
      is_first = false;
    });
    share(group);
    return group;
  }

  void share(Group& group) const {
    const std::uint64_t d =
        nv_ ? mul(kWide, group.largest.bits, std::bit_cast<std::uint32_t>(1.0f / 448.0f)) : group.largest.bits;
    std::vector<Origin> from;
    std::uint64_t exponent = 255, scale = default_nan(kWide);
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
    group.scale = {scale, from};
  }
  static std::uint64_t ocp_exponent(std::uint64_t m) {
    const std::uint64_t field = m >> 23;
    return field <= 8 ? 0 : field - 8;
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
      const std::uint64_t product = mul(kWide, x.bits, scale.bits);
      const double value = is_nan(kWide, product) ? std::nan("") : float_value(kWide, product);
      work_.put("dst", r, c, computed(small_element(DType::F8E4M3, value, Rounding::NearestEven, true), x, scale));
    });
  }

  const TileRef& src_;
  Work work_;
  const bool down_, nv_;
};

Effects tquant_mx(const Bound& bound, const Before& before) { return Mx(bound, before).run(bound.tile("max")); }

const Oracles quantise_mx_oracles{{"tquant.mx", tquant_mx}};

}  // namespace
}  // namespace ts::oracle
