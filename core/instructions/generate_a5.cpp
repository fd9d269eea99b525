// What only A5 has. TRANDOM: blocks of four words of Philox 4x32 from a key and a counter. THISTOGRAM: dst[r][b] = how many
// chosen elements of row r of src have at most b in the byte that is looked at.
#include <fmt/format.h>

#include <array>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

// --- TRANDOM

constexpr AnyLane kWord{DType::U32};

LaneScalar word(std::uint32_t bits) { return {bits, DType::U32, 0}; }

// 64 counters and what the rounds make of them: word w of lane n goes to column 4n + w.
class Philox {
 public:
  Philox(A5& m, const Bound& bound)
      : m_(m),
        rounds_(bound.attribute("rounds") == 0 ? 10 : 7),
        all_(m.pset_all(kWord)),
        factors_{m.vdup(kWord, word(0xD2511F53), all_), m.vdup(kWord, word(0xCD9E8D57), all_)} {
    constexpr const char* kCounter[] = {"counter0", "counter1", "counter2", "counter3"};
    for (std::size_t i = 0; i < 4; ++i) counter_[i] = scalar_word(bound, kCounter[i]);
    key_[0] = scalar_word(bound, "key0");
    key_[1] = scalar_word(bound, "key1");
  }

  std::array<Reg, 4> block() {
    std::array<Reg, 4> c = counters();
    Reg k = m_.vdup(kWord, key_[0], all_), l = m_.vdup(kWord, key_[1], all_);
    for (int round = 0; round < rounds_; ++round) {
      const Words p = m_.vmull(kWord, c[0], factors_[0], all_), q = m_.vmull(kWord, c[2], factors_[1], all_);
      c[0] = mixed(q.hi, c[1], k);
      c[2] = mixed(p.hi, c[3], l);
      c[1] = q.lo;
      c[3] = p.lo;
      k = m_.vadds(kWord, k, word(0x9E3779B9), all_);
      l = m_.vadds(kWord, l, word(0xBB67AE85), all_);
    }
    const Words even = m_.vintlv<std::uint32_t>(c[0], c[2]), odd = m_.vintlv<std::uint32_t>(c[1], c[3]);
    const Words low = m_.vintlv<std::uint32_t>(even.lo, odd.lo), high = m_.vintlv<std::uint32_t>(even.hi, odd.hi);
    return {low.lo, low.hi, high.lo, high.hi};
  }
  // The scalar pipe keeps the counter, one number of 128 bits.
  void move_on(std::uint64_t by) {
    for (LaneScalar& its : counter_) {
      by += its.bits;
      its.bits = by & 0xFFFFFFFF;
      by >>= 32;
    }
  }

 private:
  static LaneScalar scalar_word(const Bound& bound, const char* name) {
    const LaneScalar scalar = lane_scalar(bound, name);
    return {scalar.bits & 0xFFFFFFFF, DType::U32, scalar.origin};
  }
  Reg mixed(const Reg& product, const Reg& counter, const Reg& key) {
    return m_.vxor(kWord, m_.vxor(kWord, product, counter, all_), key, all_);
  }
  // Lane n: the counter + n.
  std::array<Reg, 4> counters() {
    std::array<Reg, 4> c;
    const Reg zero = m_.vdup(kWord, word(0), all_);
    AnySum sum = m_.vaddc(m_.vdup(kWord, counter_[0], all_), m_.vci<std::uint32_t>(0), all_);
    c[0] = sum.sum;
    for (std::size_t i = 1; i < 4; ++i) {
      sum = m_.vaddcs(m_.vdup(kWord, counter_[i], all_), zero, sum.carry, all_);
      c[i] = sum.sum;
    }
    return c;
  }

  A5& m_;
  const int rounds_;
  const Pred all_;
  const Reg factors_[2];
  LaneScalar counter_[4], key_[2];
};

void trandom_a5(A5& m, const Bound& bound) {
  constexpr std::uint32_t kColumns = 256;
  const TileRef dst = bound.tile("dst");
  const std::uint32_t cols = dst.valid_cols;
  if (dst.valid_rows == 0 || cols == 0) return;
  Philox philox(m, bound);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = cols;
    for (std::uint32_t begin = 0; begin < cols; begin += kColumns) {
      const std::array<Reg, 4> words = philox.block();
      for (std::uint32_t i = 0; i < 4 && left > 0; ++i) {
        const Pred active = m.plt(left);
        m.vsts(words[i], dst.ub(), row * dst.row_stride() + begin + i * m.lanes(), active);
      }
      philox.move_on(begin + kColumns < cols ? m.lanes() : (cols - 1) % m.lanes() + 1);
    }
  }
}

// --- THISTOGRAM

constexpr AnyLane kByte{DType::U8}, kHalf{DType::U16};

// 0 is the lowest byte.
std::uint32_t byte_to_count(const Bound& bound) {
  const std::uint8_t named = bound.attribute("byte");
  if (named != 0) return named - 1u;
  return bound.attribute("isMSB") != 0 ? 0 : size_bytes(bound.dtype()) - 1;
}

class Histogram {
 public:
  Histogram(A5& m, const Bound& bound)
      : m_(m),
        src_(bound.tile("src")),
        dst_(bound.tile("dst")),
        filter_(bound.tile("filter")),
        top_(src_.elem_bytes() - 1),
        byte_(byte_to_count(bound)) {}

  void run() {
    for (std::uint32_t row = 0; row < src_.valid_rows && src_.valid_cols > 0; ++row) count_row(row);
  }

 private:
  using Bytes = std::array<Reg, 4>;   // byte k of 256 elements
  using Sums = std::array<Words, 2>;  // even and odd bins of a half of the bins

  void count_row(std::uint32_t row) {
    Reg filters[4];
    for (std::uint32_t byte = byte_ + 1; byte <= top_; ++byte)
      filters[byte] =
          m_.vlds_brc<std::uint8_t>(filter_.ub(), filter_.at(top_ == 1 ? row : top_ - byte, 0) - filter_.address);
    const Pred words = m_.pset_all(kWord);
    const Reg zero = m_.vdup(kWord, word(0), words);
    Sums sums{Words{zero, zero}, Words{zero, zero}};
    std::uint32_t left = src_.valid_cols;
    for (std::uint32_t col = 0; col < src_.valid_cols; col += VL) {
      const Bytes bytes = load(row, col);
      const Pred active = m_.plt(kByte, left);
      Pred chosen = active;
      for (std::uint32_t byte = top_; byte > byte_; --byte)
        chosen = m_.pand(m_.vcmp(kByte, CompareOp::Eq, bytes[byte], filters[byte], active), chosen, active);
      for (std::uint32_t half = 0; half < 2; ++half)
        add(sums[half], m_.histv2(!m_.options().histogram_plain, 128 * half, bytes[byte_], chosen), words);
    }
    // A row of counts begins 256 words behind the last one, whatever dst's type says.
    for (std::uint32_t half = 0; half < 2; ++half)
      m_.emu_vsts_intlv(sums[half], dst_.ub(), (256 * row + 128 * half) * 4, words);
  }
  void add(Words& sums, const Reg& counts, const Pred& words) {
    const Pred halves = m_.pset_all(kHalf);
    sums.lo = m_.vadd(kWord, sums.lo, m_.vcvt(kWord, kHalf, {.part = 0}, counts, halves), words);
    sums.hi = m_.vadd(kWord, sums.hi, m_.vcvt(kWord, kHalf, {.part = 1}, counts, halves), words);
  }
  Bytes load(std::uint32_t row, std::uint32_t col) {
    const std::uint32_t at = src_.at(row, col) - src_.address;
    if (top_ == 1) {
      const Words bytes = m_.vlds_dintlv(kByte, src_.ub(), at);
      return {bytes.lo, bytes.hi, bytes.lo, bytes.hi};
    }
    const Words first = m_.vlds_dintlv(kHalf, src_.ub(), at);
    const Words second = src_.valid_cols - col > VL / 2 ? m_.vlds_dintlv(kHalf, src_.ub(), at + 2 * VL) : first;
    const Words low = m_.vdintlv<std::uint8_t>(first.lo, second.lo),
                high = m_.vdintlv<std::uint8_t>(first.hi, second.hi);
    return {low.lo, low.hi, high.lo, high.hi};
  }

  A5& m_;
  const TileRef src_, dst_, filter_;
  const std::uint32_t top_, byte_;
};
void thistogram_a5(A5& m, const Bound& bound) { Histogram(m, bound).run(); }

// --- rows

constexpr DTypeSet kRandom{DType::I32, DType::U32}, kUnsigned{DType::U16, DType::U32}, kNone{};

void trandom_rules(RuleCheck& check) { row_major(check, {"dst"}); }

void filter_rules(RuleCheck& check) {
  const TileRef &src = check.tile("src"), &filter = check.tile("filter");
  const std::uint32_t top = src.elem_bytes() - 1, byte = byte_to_count(check.bound());
  if (byte >= top) return;  // not read
  const std::uint32_t rows = top == 1 ? src.valid_rows : top - byte;
  const bool layout = top == 1 ? filter.type.col_major() && filter.cols() == 1 : filter.type.row_major();
  if (filter.type.dtype != DType::U8 || !layout || filter.valid_rows < rows)
    check.error(check.own("R9"), "filter", fmt::format("filter is {}", filter.type.describe()),
                top == 1 ? fmt::format("u8, col_major, one column of {} rows: a value for each row", rows)
                         : fmt::format("u8, row_major, {} rows: the higher bytes, highest first", rows));
}
void thistogram_rules(RuleCheck& check) {
  const TileRef &src = check.tile("src"), &dst = check.tile("dst");
  row_major(check, {"src", "dst"});
  if (dst.rows() < src.valid_rows)
    check.error(check.own("R4"), "dst", fmt::format("dst has {} rows, src {}", dst.rows(), src.valid_rows),
                "a row of counts for each row");
  if (dst.type.dtype != DType::U32 || dst.cols() != 256)
    check.error(check.own("R8"), "dst",
                fmt::format("dst is {} with {} columns, needs u32 with 256", name(dst.type.dtype), dst.cols()),
                "rows of counts stand 256 words apart");
  if (byte_to_count(check.bound()) >= src.elem_bytes())
    check.error(check.own("R1"), "src",
                fmt::format("{} has no byte {}", name(src.type.dtype), byte_to_count(check.bound())),
                "bytes count from the lowest, 0");
  filter_rules(check);
  for (const char* other : {"src", "filter"}) check.warn_overlap("dst", other, false);
}

const InstructionRow trandom{
    .name = "trandom",
    .summary = "Fills a tile with random words made from a key and a counter.",
    .forms = {{"",
               {scalar("key0"), scalar("key1"), scalar("counter0"), scalar("counter1"), scalar("counter2"),
                scalar("counter3"), out("dst")},
               "TRANDOM(dst, key0, key1, counter0, counter1, counter2, counter3)"}},
    .attributes = {{"rounds", "10|7"}},
    .typed_by = "dst",
    .types = types_of<kRandom, kNone>,
    .absent_hint = "make the numbers before, and load them",
    .draw = Drawing::Fill,
    .rules = trandom_rules,
    .machines = machines_of<trandom_a5, nullptr>(),
};
const InstructionRow thistogram{
    .name = "thistogram",
    .summary = "Counts byte values of each row in 256 bins, each bin including those below it.",
    .forms = {{"", {in("src"), in("filter"), out("dst")}, "THISTOGRAM(dst, src, filter)"}},
    .attributes = {{"isMSB", "true|false"}, {"byte", "auto|0|1|2|3"}},
    .typed_by = "src",
    .types = types_of<kUnsigned, kNone>,
    .absent_hint = "count on A5",
    .draw = Drawing::None,
    .rules = thistogram_rules,
    .machines = machines_of<thistogram_a5, nullptr>(),
};

const Registered registered[] = {Registered(trandom), Registered(thistogram)};

}  // namespace
}  // namespace ts
