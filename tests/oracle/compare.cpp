// TCMP: bit(r, c) = src0[r][c] mode src1[r][c]; TCMPS: the second one is a scalar, or element (0, 0) of a tile. Over the
// valid region of the first source; bit (r, c) is bit c % 8 of the byte at dst + r * (static row of dst in bytes) + c / 8.
// A row gets whole groups of bytes. A5 has zeros there behind the last column; A2A3 compares on, so that the bits up to a
// whole byte are those of padding, and nobody promises the other bytes; its ne inverts equal over all bytes of the rows.
// TCMPS on A5 writes one stream of bits instead where dst has as many valid columns as src (option tcmps.pack).
#include <map>

#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

enum class Mode : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge };

bool holds(DType type, std::uint64_t a, std::uint64_t b, Mode mode) {
  const bool below = less(type, a, b), above = less(type, b, a);
  const bool equal = !below && !above && !is_nan(type, a) && !is_nan(type, b);
  switch (mode) {
    case Mode::Eq: return equal;
    case Mode::Ne: return !equal;
    case Mode::Lt: return below;
    case Mode::Le: return below || equal;
    case Mode::Gt: return above;
    case Mode::Ge: return above || equal;
  }
  return false;
}

class Comparison {
 public:
  Comparison(const Bound& bound, const Before& before, const char* first, bool element_by_element)
      : bound_(bound),
        first_(first),
        element_by_element_(element_by_element),
        src_(bound.tile(first)),
        work_(bound, before),
        mode_(static_cast<Mode>(bound.attribute("cmpMode"))) {
    mixes_pitches_ = element_by_element && work_.on(Target::A5) && bound.options->quirk_tcmp && size_bytes(type_) == 4;
    if (!work_.on(Target::A2A3)) return;
    if (type_ == DType::I32 && mode_ != Mode::Ne) mode_ = Mode::Eq;
    if (bound.options->quirk_compare && (type_ == DType::I16 || type_ == DType::U16)) type_ = DType::F16;
  }

  Effects run() {
    if (rows_ == 0 || cols_ == 0) return {};
    if (writes_stream()) {
      stream();
    } else {
      rows_at_pitch();
    }
    const std::uint32_t size = size_bytes(dst_.type.dtype);
    for (const auto& [offset, value] : bytes_)
      work_.put_at({Space::Ub, dst_.address + offset, 1}, "dst", offset / size / dst_.type.cols,
                   offset / size % dst_.type.cols, value);
    return work_.take();
  }

 private:
  bool writes_stream() const {
    if (!work_.on(Target::A5) || element_by_element_ || size_bytes(type_) == 8) return false;
    // 0: by the shape of dst, and only against a scalar; 1: never; 2: always.
    if (bound_.options->tcmps_pack == 0) return bound_.has("scalar") && dst_.valid_cols == cols_;
    return bound_.options->tcmps_pack == 2;
  }

  Value first(std::uint32_t row, std::uint32_t col) const {
    return mixes_pitches_ && col / 64 % 2 == 1 ? at_pitch_of("src1", first_, row, col)
                                               : work_.element(first_, row, col);
  }
  Value second(std::uint32_t row, std::uint32_t col) const {
    if (bound_.has("scalar")) return work_.scalar("scalar");
    if (!element_by_element_) return work_.element("src1", 0, 0);
    return mixes_pitches_ && col / 64 % 2 == 0 ? at_pitch_of(first_, "src1", row, col)
                                               : work_.element("src1", row, col);
  }
  // The library's steps for 32 bits on A5 (option quirks.tcmp) read the even registers of src1 and the odd ones of src0
  // with the other one's pitch.
  Value at_pitch_of(const char* other, const char* operand, std::uint32_t row, std::uint32_t col) const {
    const TileRef& tile = bound_.tile(operand);
    const std::uint32_t index = row * bound_.tile(other).type.cols + col;
    return work_.at({Origin::Kind::Element,
                     operand,
                     index / tile.type.cols,
                     index % tile.type.cols,
                     {Space::Ub, tile.address + index * 4, 4},
                     0});
  }

  // The answer for an element, in the bit of the byte at `offset` from dst on.
  void answer(std::uint32_t row, std::uint32_t col, std::uint32_t offset, std::uint32_t bit) {
    const Value a = first(row, col), b = second(row, col);
    const std::uint64_t yes = holds(type_, a.bits, b.bits, mode_) ? 1 : 0;
    Value& byte = bytes_[offset];
    byte = computed(byte.bits | yes << bit, byte, computed(0, a, b));
  }

  std::uint32_t bytes_in_row() const {
    const std::uint32_t size = size_bytes(type_);
    if (work_.on(Target::A2A3)) return size == 2 ? 16 * ceil_div(cols_, 128) : 8 * ceil_div(cols_, 64);
    return size == 2 || size == 4 ? 16 * ceil_div(cols_, 128) : 32 * ceil_div(cols_, 256);
  }

  void rows_at_pitch() {
    const std::uint32_t pitch = dst_.type.cols * size_bytes(dst_.type.dtype), promised = ceil_div(cols_, 8);
    for (std::uint32_t row = 0; row < rows_; ++row) {
      const std::uint32_t begin = row * pitch;
      if (work_.on(Target::A5)) {
        for (std::uint32_t at = 0; at < bytes_in_row(); ++at) bytes_[begin + at];
        for (std::uint32_t col = 0; col < work_.done_columns(type_, cols_); ++col)
          answer(row, col, begin + col / 8, col % 8);
      } else {
        for (std::uint32_t col = 0; col < 8 * promised; ++col) answer(row, col, begin + col / 8, col % 8);
        const std::uint32_t touched = mode_ == Mode::Ne ? pitch : bytes_in_row();
        work_.leave_open({Space::Ub, dst_.address + begin + promised, touched - promised});
      }
    }
  }

  // Rows of 32-bit elements follow each other bit by bit, those of narrower ones in whole registers.
  void stream() {
    const std::uint32_t size = size_bytes(type_), lanes = 256 / size,
                        row_bits = size == 4 ? cols_ : rounded_up(cols_, lanes);
    for (std::uint32_t at = 0; at < rounded_up(rows_ * row_bits, 128) / 8; ++at) bytes_[at];
    for (std::uint32_t row = 0; row < rows_; ++row)
      for (std::uint32_t col = 0, bit = row * row_bits; col < cols_; ++col, ++bit) answer(row, col, bit / 8, bit % 8);
  }

  const Bound& bound_;
  const char* first_;
  const bool element_by_element_;  // tcmp; else one element or scalar serves all
  const TileRef &src_, &dst_ = bound_.tile("dst");
  const std::uint32_t rows_ = src_.valid_rows, cols_ = src_.valid_cols;
  DType type_ = src_.type.dtype;
  Work work_;
  Mode mode_;
  bool mixes_pitches_ = false;
  std::map<std::uint32_t, Value> bytes_;  // by their distance from dst
};

Effects tcmp(const Bound& bound, const Before& before) { return Comparison(bound, before, "src0", true).run(); }
Effects tcmps(const Bound& bound, const Before& before) { return Comparison(bound, before, "src", false).run(); }

const Oracles compare_oracles{{"tcmp", tcmp}, {"tcmps", tcmps}};

}  // namespace
}  // namespace ts::oracle
