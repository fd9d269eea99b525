// The table of scalar operations. Integers wrap; floats round each result to their type, to nearest even.
#include "core/program/scalar_ops.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "core/isa/float_format.h"

namespace ts {
namespace {

using text::ScalarKind;
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

// What a row computes with: the arguments as bits, as signed numbers, as floats.
struct Args {
  const ScalarArguments& given;
  std::uint64_t a, b;
  std::int64_t sa, sb;
  std::uint32_t width() const { return text::bits(given.type); }
  double fa() const { return scalar_number(given.type, a); }
  double fb() const { return scalar_number(given.type, b); }
};
using Function = bool (*)(const Args&, std::uint64_t*);

std::uint64_t unsigned_of(std::int64_t value) { return static_cast<std::uint64_t>(value); }

// Division that C++ leaves undefined.
bool divides(const Args& x) { return x.sb != 0 && !(x.sb == -1 && x.a == std::uint64_t{1} << (x.width() - 1)); }

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + ((a % b != 0 && (a < 0) == (b < 0)) ? 1 : 0); }

double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}
double maximum(double a, double b) { return -minimum(-a, -b); }

bool compare_integers(const Args& x, std::uint64_t* out) {
  const bool results[] = {
      x.a == x.b, x.a != x.b, x.sa<x.sb, x.sa <= x.sb, x.sa> x.sb, x.sa >= x.sb, x.a<x.b, x.a <= x.b, x.a> x.b,
      x.a >= x.b};
  *out = results[x.given.predicate];
  return true;
}
constexpr const char* kIntegerPredicates[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};

// Ordered ones are false for a NaN, unordered ones true.
bool compare_floats(const Args& x, std::uint64_t* out) {
  const double a = x.fa(), b = x.fb();
  const bool nan = std::isnan(a) || std::isnan(b);
  const bool results[] = {false,          a == b,        a > b,         a >= b,       a < b,         a <= b,
                          !nan && a != b, !nan,          nan || a == b, nan || a > b, nan || a >= b, nan || a < b,
                          nan || a <= b,  nan || a != b, nan,           true};
  *out = results[x.given.predicate];
  return true;
}
constexpr const char* kFloatPredicates[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                            "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};

bool float_to_integer(const Args& x, bool is_signed, std::uint64_t* out) {
  const double value = std::trunc(x.fa());
  const int width = static_cast<int>(text::bits(x.given.to));
  const double low = is_signed ? -std::ldexp(1.0, width - 1) : 0, high = std::ldexp(1.0, is_signed ? width - 1 : width);
  if (!(value >= low && value < high)) return false;
  *out = is_signed ? unsigned_of(static_cast<std::int64_t>(value)) : static_cast<std::uint64_t>(value);
  return true;
}

// One rounding only.
std::uint64_t rounded(ScalarKind to, bool negative, std::uint64_t magnitude) {
  const double value = to == ScalarKind::F64 ? static_cast<double>(magnitude) : roundable_double(magnitude);
  return scalar_bits(to, negative ? -value : value);
}

struct Row {
  const char* name;
  ScalarOpShape shape;
  Function function;
};

#define TS_ONE(expression) \
  [](const Args& x, std::uint64_t* out) { return *out = (expression), static_cast<void>(x), true; }
constexpr ScalarOpShape kBinary{2, 1, false, false}, kUnary{1, 1, false, false}, kCast{1, 1, true, false},
    kCompare{2, 1, false, true}, kTwo{2, 2, false, false};

// clang-format off
const Row kRows[] = {
    {"arith.addi", kBinary, TS_ONE(x.a + x.b)},
    {"arith.subi", kBinary, TS_ONE(x.a - x.b)},
    {"arith.muli", kBinary, TS_ONE(x.a * x.b)},
    {"arith.andi", kBinary, TS_ONE(x.a & x.b)},
    {"arith.ori", kBinary, TS_ONE(x.a | x.b)},
    {"pto.sbitset1", kBinary, TS_ONE(x.a | std::uint64_t{1} << (x.b & 63))},
    {"arith.xori", kBinary, TS_ONE(x.a ^ x.b)},
    {"arith.shli", kBinary, TS_ONE(x.b < x.width() ? x.a << x.b : 0)},
    {"arith.shrui", kBinary, TS_ONE(x.b < x.width() ? x.a >> x.b : 0)},
    {"arith.shrsi", kBinary, TS_ONE(unsigned_of(x.sa >> std::min<std::uint64_t>(x.b, 63)))},
    {"arith.divsi", kBinary, [](const Args& x, std::uint64_t* out) { return divides(x) && (*out = unsigned_of(x.sa / x.sb), true); }},
    {"arith.remsi", kBinary, [](const Args& x, std::uint64_t* out) { return x.sb != 0 && (*out = x.sb == -1 ? 0 : unsigned_of(x.sa % x.sb), true); }},
    {"arith.divui", kBinary, [](const Args& x, std::uint64_t* out) { return x.b != 0 && (*out = x.a / x.b, true); }},
    {"arith.remui", kBinary, [](const Args& x, std::uint64_t* out) { return x.b != 0 && (*out = x.a % x.b, true); }},
    {"arith.ceildivsi", kBinary, [](const Args& x, std::uint64_t* out) { return divides(x) && (*out = unsigned_of(ceil_div(x.sa, x.sb)), true); }},
    {"arith.floordivsi", kBinary, [](const Args& x, std::uint64_t* out) { return divides(x) && (*out = unsigned_of(floor_div(x.sa, x.sb)), true); }},
    {"arith.ceildivui", kBinary, [](const Args& x, std::uint64_t* out) { return x.b != 0 && (*out = x.a / x.b + (x.a % x.b != 0), true); }},
    {"arith.maxsi", kBinary, TS_ONE(unsigned_of(std::max(x.sa, x.sb)))},
    {"arith.minsi", kBinary, TS_ONE(unsigned_of(std::min(x.sa, x.sb)))},
    {"arith.maxui", kBinary, TS_ONE(std::max(x.a, x.b))},
    {"arith.minui", kBinary, TS_ONE(std::min(x.a, x.b))},
    {"arith.cmpi", kCompare, compare_integers},
    {"arith.cmpf", kCompare, compare_floats},
    {"arith.select", {3, 1, false, false}, TS_ONE(x.a != 0 ? x.b : x.given.in[2])},
    {"arith.index_cast", kCast, TS_ONE(unsigned_of(x.sa))},
    {"arith.index_castui", kCast, TS_ONE(x.a)},
    {"arith.extsi", kCast, TS_ONE(unsigned_of(x.sa))},
    {"arith.extui", kCast, TS_ONE(x.a)},
    {"arith.trunci", kCast, TS_ONE(x.a)},
    {"arith.bitcast", kCast, TS_ONE(x.a)},
    {"builtin.unrealized_conversion_cast", kCast, TS_ONE(x.a)},
    {"arith.sitofp", kCast, TS_ONE(rounded(x.given.to, x.sa < 0, x.sa < 0 ? 0 - unsigned_of(x.sa) : unsigned_of(x.sa)))},
    {"arith.uitofp", kCast, TS_ONE(rounded(x.given.to, false, x.a))},
    {"arith.fptosi", kCast, [](const Args& x, std::uint64_t* out) { return float_to_integer(x, true, out); }},
    {"arith.fptoui", kCast, [](const Args& x, std::uint64_t* out) { return float_to_integer(x, false, out); }},
    {"arith.extf", kCast, TS_ONE(scalar_bits(x.given.to, x.fa()))},
    {"arith.truncf", kCast, TS_ONE(scalar_bits(x.given.to, x.fa()))},
    {"arith.addf", kBinary, TS_ONE(scalar_bits(x.given.type, x.fa() + x.fb()))},
    {"arith.subf", kBinary, TS_ONE(scalar_bits(x.given.type, x.fa() - x.fb()))},
    {"arith.mulf", kBinary, TS_ONE(scalar_bits(x.given.type, x.fa() * x.fb()))},
    {"arith.divf", kBinary, TS_ONE(scalar_bits(x.given.type, x.fa() / x.fb()))},
    {"arith.remf", kBinary, TS_ONE(scalar_bits(x.given.type, std::fmod(x.fa(), x.fb())))},
    {"arith.negf", kUnary, TS_ONE(x.a ^ (std::uint64_t{1} << (x.width() - 1)))},
    {"arith.maximumf", kBinary, TS_ONE(scalar_bits(x.given.type, maximum(x.fa(), x.fb())))},
    {"arith.minimumf", kBinary, TS_ONE(scalar_bits(x.given.type, minimum(x.fa(), x.fb())))},
    {"arith.maxnumf", kBinary, TS_ONE(scalar_bits(x.given.type, std::fmax(x.fa(), x.fb())))},
    {"arith.minnumf", kBinary, TS_ONE(scalar_bits(x.given.type, std::fmin(x.fa(), x.fb())))},
    {"arith.addui_extended", kTwo, [](const Args& x, std::uint64_t* out) {
       out[0] = cut_to(x.given.type, x.a + x.b);
       out[1] = out[0] < x.a;
       return true;
     }},
    {"arith.mului_extended", kTwo, [](const Args& x, std::uint64_t* out) {
       const auto product = static_cast<UnsignedWide>(x.a) * x.b;
       out[0] = static_cast<std::uint64_t>(product), out[1] = static_cast<std::uint64_t>(product >> x.width());
       return true;
     }},
    {"arith.mulsi_extended", kTwo, [](const Args& x, std::uint64_t* out) {
       const auto product = static_cast<Wide>(x.sa) * x.sb;
       out[0] = static_cast<std::uint64_t>(product), out[1] = static_cast<std::uint64_t>(product >> x.width());
       return true;
     }},
};
// clang-format on
#undef TS_ONE

}  // namespace

int find_scalar_op(std::string_view name) {
  const auto* row = std::ranges::find_if(kRows, [&](const Row& candidate) { return name == candidate.name; });
  return row == std::end(kRows) ? -1 : static_cast<int>(row - kRows);
}

int find_scalar_op(text::OpCode code) {
  static const std::vector<std::int16_t> by_code = [] {
    std::vector<std::int16_t> numbers;
    for (const text::OpRow& row : text::op_rows())
      numbers.push_back(static_cast<std::int16_t>(find_scalar_op(row.name)));
    return numbers;
  }();
  return code == text::kUnknownOp ? -1 : by_code[code];
}

ScalarOpShape scalar_op_shape(int op) { return kRows[op].shape; }

int find_predicate(int op, std::string_view word) {
  const auto place = [&](const auto& words) {
    const auto* found = std::ranges::find(words, word);
    return found == std::end(words) ? -1 : static_cast<int>(found - words);
  };
  return kRows[op].function == compare_integers ? place(kIntegerPredicates) : place(kFloatPredicates);
}

bool evaluate(int op, const ScalarArguments& given, std::span<std::uint64_t> out) {
  const Args args{given, given.in[0], given.in[1], sign_extended(given.type, given.in[0]),
                  sign_extended(given.type, given.in[1])};
  if (!kRows[op].function(args, out.data())) return false;
  const ScalarOpShape shape = kRows[op].shape;
  for (std::uint64_t& bits : out.first(shape.results))
    bits = cut_to(shape.cast ? given.to : shape.predicate ? ScalarKind::I1 : given.type, bits);
  return true;
}

std::uint64_t scalar_bits(ScalarKind kind, double value) {
  if (kind == ScalarKind::F64) return std::bit_cast<std::uint64_t>(value);
  if (const auto type = text::dtype(kind)) return from_double(*type, value);
  return cut_to(kind, unsigned_of(static_cast<std::int64_t>(value)));
}

double scalar_number(ScalarKind kind, std::uint64_t bits) {
  if (kind == ScalarKind::F64) return std::bit_cast<double>(bits);
  if (const auto type = text::dtype(kind)) return to_double(*type, bits);
  return static_cast<double>(sign_extended(kind, bits));
}

std::uint64_t cut_to(ScalarKind kind, std::uint64_t bits) {
  const std::uint32_t width = text::bits(kind);
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

std::int64_t sign_extended(ScalarKind kind, std::uint64_t bits) {
  const std::uint32_t unused = 64 - std::min(64u, text::bits(kind));
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace ts
