// TCI: dst[0][k] = start + k, or start - k when descending, over dst's valid columns, whatever its valid rows. On A2A3 with
// tmp, option quirks.tci gives -(start + k).
// TTRI: dst[r][c] = 1 where c <= r + diagonal, else 0; upper: 0 where c < r + diagonal, else 1. Option quirks.ttri: the
// A5 library fills the part before the diagonal last, up to whole registers whatever the valid columns.
// TRANDOM: blocks of four words of Philox4x32, a key and a counter that goes up by one for each block of a row of lanes.
// THISTOGRAM: dst[r][b] = how many of the chosen elements of row r of src have at most b in the byte that is looked at
// (option thistogram.counts = plain: exactly b). Chosen: all, or those whose higher bytes are the filter's. Rows of dst are
// 256 words long.
#include <algorithm>
#include <array>
#include <iterator>

#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

// start + k or start - k. Floats count in f32.
std::uint64_t counted(DType type, std::uint64_t start, std::uint32_t k, bool down) {
  if (!is_float(type)) return low_bits(type, down ? start - k : start + k);
  if (is_nan(type, start)) return quieted(type, start);
  const std::uint64_t wide_start = convert(DType::F32, type, start, Rounding::NearestEven, Overflow::Wrap);
  const std::uint64_t wide_k = nearest_float(DType::F32, k);
  const std::uint64_t sum = down ? sub(DType::F32, wide_start, wide_k) : add(DType::F32, wide_start, wide_k);
  return type == DType::F32 ? sum : convert(type, DType::F32, sum, Rounding::NearestEven, Overflow::Wrap);
}

Effects tci(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  const DType type = dst.type.dtype;
  Work work(bound, before);
  const bool down = work.attribute("descending") == "true", vectors = work.on(Target::A2A3) && bound.has("tmp");
  const Value start = work.scalar("start");
  for (std::uint32_t k = 0; k < dst.valid_cols; ++k) {
    const bool negated = down && vectors && bound.options->quirk_tci;
    const std::uint64_t up = counted(type, start.bits, k, false);
    work.put("dst", 0, k, {negated ? neg(type, up) : counted(type, start.bits, k, down), start.from});
  }
  work.leave_scratch();
  return work.take();
}

// Ones on one side of a diagonal, zeros on the other.
class Triangle {
 public:
  Triangle(const Bound& bound, const Before& before) : bound_(bound), work_(bound, before) {}

  Effects run() {
    for (std::uint32_t row = 0; row < dst_.valid_rows; ++row)
      for (std::uint32_t col = 0; col < work_.done_columns(type_, dst_.valid_cols); ++col)
        work_.put("dst", row, col, {col < prefix(row) ? first_ : one(type_) - first_, {}});
    Effects effects = work_.take();
    if (work_.on(Target::A5) && bound_.options->quirk_ttri && size_bytes(type_) < 8 && dst_.valid_cols > 0)
      spill(effects);
    return effects;
  }

 private:
  // How many elements of a row are before the diagonal, or on it where it counts as before.
  std::int64_t prefix(std::uint32_t row) const {
    const Scalar& diagonal = bound_.scalar("diagonal");
    return std::max<std::int64_t>(
        0, row + static_cast<std::int64_t>(extended(diagonal.dtype, diagonal.bits)) + (upper_ ? 0 : 1));
  }

  // Prefixes as long as whole registers reach behind the valid columns, into later rows too.
  void spill(Effects& effects) const {
    const std::uint32_t size = size_bytes(type_), pitch = dst_.type.cols;
    for (std::uint32_t row = 0; row < dst_.valid_rows; ++row) {
      const auto end =
          static_cast<std::uint32_t>(std::min<std::int64_t>(prefix(row), rounded_up(dst_.valid_cols, 256 / size)));
      for (std::uint32_t col = dst_.valid_cols; col < end; ++col) {
        const std::uint32_t index = row * pitch + col, to_row = index / pitch, to_col = index % pitch;
        if (to_row < dst_.valid_rows && to_col < dst_.valid_cols) {
          effects.written[to_row * dst_.valid_cols + to_col].bits = first_;
        } else {
          const char* operand = to_row < dst_.type.rows ? "dst" : "";
          effects.written.push_back({.place = {Space::Ub, dst_.address + index * size, size},
                                     .bits = first_,
                                     .operand = operand,
                                     .row = to_row,
                                     .col = to_col,
                                     .from = {}});
        }
      }
    }
  }

  const Bound& bound_;
  const TileRef& dst_ = bound_.tile("dst");
  const DType type_ = dst_.type.dtype;
  Work work_;
  const bool upper_ = work_.attribute("upperOrLower") == "1";
  const std::uint64_t first_ = upper_ ? 0 : one(type_);  // before the diagonal
};

Effects ttri(const Bound& bound, const Before& before) { return Triangle(bound, before).run(); }

using Words = std::array<std::uint32_t, 4>;

Words philox(Words counter, std::uint32_t key0, std::uint32_t key1, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0], b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key0, static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key1, static_cast<std::uint32_t>(a)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

// The counter as one number of 128 bits, the lowest word first.
Words moved_on(Words counter, std::uint32_t by) {
  std::uint64_t carry = by;
  for (std::uint32_t& word : counter) {
    carry += word;
    word = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return counter;
}

Effects trandom(const Bound& bound, const Before& before) {
  constexpr const char* kScalars[] = {"key0", "key1", "counter0", "counter1", "counter2", "counter3"};
  const TileRef& dst = bound.tile("dst");
  Work work(bound, before);
  std::array<std::uint32_t, 6> given;
  std::vector<Origin> from;
  for (std::size_t i = 0; i < std::size(kScalars); ++i) {
    const Value scalar = work.scalar(kScalars[i]);
    given[i] = static_cast<std::uint32_t>(scalar.bits);
    from.push_back(scalar.from[0]);
  }
  const int rounds = work.attribute("rounds") == "7" ? 7 : 10;
  const std::uint32_t rows = dst.valid_rows, cols = dst.valid_cols;
  Words counter{given[2], given[3], given[4], given[5]};
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t begin = 0; begin < cols; begin += 256) {
      for (std::uint32_t col = begin; col < std::min(begin + 256, cols); ++col) {
        const Words words = philox(moved_on(counter, (col - begin) / 4), given[0], given[1], rounds);
        work.put("dst", row, col, {words[col % 4], from});
      }
      counter = moved_on(counter, begin + 256 < cols ? 64 : (cols - 1) % 64 + 1);
    }
  }
  return work.take();
}

class Histogram {
 public:
  Histogram(const Bound& bound, const Before& before) : bound_(bound), work_(bound, before), byte_(byte_to_count()) {}

  Effects run() {
    if (src_.valid_cols == 0) return {};
    for (std::uint32_t row = 0; row < src_.valid_rows; ++row) count_row(row);
    return work_.take();
  }

 private:
  // 0 is the lowest byte.
  std::uint32_t byte_to_count() const {
    const std::string_view byte = work_.attribute("byte");
    if (!byte.empty() && byte != "auto") return static_cast<std::uint32_t>(byte[0] - '0');
    return work_.attribute("isMSB") == "false" ? 0 : top_;
  }

  // What byte `byte` of an element has to be to count: one for each row of 16-bit elements, one for all rows of others.
  Value filter(std::uint32_t row, std::uint32_t byte) const {
    return work_.element("filter", top_ == 1 ? row : top_ - byte, 0);
  }

  void count_row(std::uint32_t row) {
    std::array<std::uint32_t, 256> bins{};
    Value all;
    for (std::uint32_t byte = byte_ + 1; byte <= top_; ++byte) all = computed(0, all, filter(row, byte));
    for (std::uint32_t col = 0; col < src_.valid_cols; ++col) {
      const Value element = work_.element("src", row, col);
      all = computed(0, all, element);
      bool chosen = true;
      for (std::uint32_t byte = byte_ + 1; byte <= top_; ++byte)
        chosen &= (element.bits >> 8 * byte & 0xFF) == filter(row, byte).bits;
      if (chosen) ++bins[element.bits >> 8 * byte_ & 0xFF];
    }
    std::uint32_t below = 0;
    for (std::uint32_t bin = 0; bin < 256; ++bin) {
      below += bins[bin];
      const std::uint32_t index = 256 * row + bin;
      const ByteRange place{Space::Ub, dst_.address + 4 * index, 4};
      work_.put_at(place, "dst", index / dst_.type.cols, index % dst_.type.cols,
                   {bound_.options->histogram_plain ? bins[bin] : below, all.from});
    }
  }

  const Bound& bound_;
  const TileRef &src_ = bound_.tile("src"), &dst_ = bound_.tile("dst");
  const std::uint32_t top_ = size_bytes(src_.type.dtype) - 1;
  Work work_;
  const std::uint32_t byte_;
};

Effects thistogram(const Bound& bound, const Before& before) { return Histogram(bound, before).run(); }

const Oracles generate_oracles{{"tci", tci}, {"ttri", ttri}, {"trandom", trandom}, {"thistogram", thistogram}};

}  // namespace
}  // namespace ts::oracle
