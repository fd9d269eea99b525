// Lanes that are computed: one by one, across lanes, into other types.
#include <algorithm>
#include <map>

#include "tests/oracle/micro.h"

namespace ts::oracle {

Sources joined(const Sources& a, const Sources& b) {
  Sources out;
  std::ranges::set_union(a, b, std::back_inserter(out));
  return out;
}
LaneValue lane(const Register& reg, DType type, std::uint32_t i) {
  LaneValue out;
  for (std::uint32_t k = 0, size = size_bytes(type); k < size; ++k) {
    const Byte& byte = reg[i * size + k];
    out.bits |= std::uint64_t{byte.value} << (8 * k);
    out.from = joined(out.from, byte.from);
  }
  return out;
}
void set_lane(Register& reg, DType type, std::uint32_t i, const LaneValue& value) {
  for (std::uint32_t k = 0, size = size_bytes(type); k < size; ++k)
    reg[i * size + k] = {static_cast<std::uint8_t>(value.bits >> (8 * k)), value.from};
}

namespace {

using Bits = std::uint64_t;
using One = Bits (*)(DType, Bits);
using Two = Bits (*)(DType, Bits, Bits);
using Three = Bits (*)(DType, Bits, Bits, Bits);

bool is_int(DType type) { return !is_float(type); }
Bits negative_slope(DType type, Bits a, Bits slope) {
  return !is_nan(type, a) && !less(type, a, 0) ? a : mul(type, a, slope);
}
Bits divide(DType type, Bits a, Bits b) { return div(type, a, b); }
Bits left_shifted(DType type, Bits a, Bits count) { return shift_left(type, a, count); }
Bits exponential(DType type, Bits a) { return exp(type, a); }
Bits rectified(DType type, Bits a) { return relu(type, a, false); }
Bits inverted(DType type, Bits a) { return low_bits(type, ~a); }

const std::map<std::string_view, One> kOnes{{"vabs", abs},
                                            {"vneg", [](DType type, Bits a) { return is_float(type) ? a ^ sign_bit(type) : neg(type, a); }},
                                            {"vexp", exponential},
                                            {"vln", log},
                                            {"vsqrt", sqrt},
                                            {"vrelu", rectified},
                                            {"vnot", inverted}};
const std::map<std::string_view, Two> kTwos{
    {"vadd", add},
    {"vsub", sub},
    {"vmul", mul},
    {"vdiv", divide},
    {"vmax", max},
    {"vmin", min},
    {"vand", [](DType, Bits a, Bits b) { return a & b; }},
    {"vor", [](DType, Bits a, Bits b) { return a | b; }},
    {"vxor", [](DType, Bits a, Bits b) { return a ^ b; }},
    {"vshl", left_shifted},
    {"vshr", shift_right},
    {"vprelu", negative_slope},
};
const std::map<std::string_view, Two> kScaled{
    {"vadds", add},          {"vmuls", mul},        {"vmaxs", max}, {"vmins", min}, {"vlrelu", negative_slope},
    {"vshls", left_shifted}, {"vshrs", shift_right}};

// Lane i of `type` from lanes i, where the predicate is on; the bit is one of the sources.
template <class F>
Register each_lane(const MicroWork& w, DType made, F f) {
  Register out;
  for (std::uint32_t i = 0; i < lanes(w.type); ++i) {
    if (!w.on(i)) continue;
    LaneValue value = f(i);
    value.from = joined(value.from, w.bit(i).from);
    set_lane(out, made, i, value);
  }
  return out;
}
LaneValue of(const MicroWork& w, std::size_t reg, std::uint32_t i) { return lane(w.reg[reg], w.type, i); }
LaneValue computed_lane(Bits bits, const LaneValue& a, const LaneValue& b) { return {bits, joined(a.from, b.from)}; }

// --- with carry -------------------------------------------------------------------------------------------------------

void carry(MicroWork& w, bool subtract, bool takes_carry) {
  Register sums;
  Predicate carries;
  const int mask = takes_carry ? 1 : 0;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const LaneValue a = of(w, 0, i), b = of(w, 1, i);
    Sources from = joined(a.from, b.from);
    const Bit in = takes_carry ? w.bit(i, 0) : Bit{subtract, {}};
    from = joined(joined(from, in.from), w.bit(i, mask).from);
    carries[4 * i].from = from;
    if (!w.on(i, mask)) continue;
    const Bits taken = b.bits + (in.on ? 0 : 1), sum = a.bits + b.bits + (in.on ? 1 : 0);
    set_lane(sums, DType::U32, i, {low_bits(DType::U32, subtract ? a.bits - taken : sum), from});
    carries[4 * i].on = subtract ? a.bits >= taken : sum >> 32 != 0;
  }
  w.made = {sums};
  w.made_pred = {carries};
}
void vmull(MicroWork& w) {
  for (const int shift : {0, 32})
    w.made.push_back(each_lane(w, w.type, [&](std::uint32_t i) {
      const LaneValue a = of(w, 0, i), b = of(w, 1, i);
      return computed_lane(low_bits(DType::U32, extended(w.type, a.bits) * extended(w.type, b.bits) >> shift), a, b);
    }));
}

// --- comparing --------------------------------------------------------------------------------------------------------

bool holds(DType type, std::string_view mode, Bits a, Bits b) {
  const bool unordered = is_nan(type, a) || is_nan(type, b), below = less(type, a, b), above = less(type, b, a);
  if (mode == "ne") return unordered || below || above;
  if (unordered) return false;
  return mode == "eq" ? !below && !above : mode == "lt" ? below : mode == "le" ? !above : mode == "gt" ? above : !below;
}
void compare(MicroWork& w, bool with_scalar) {
  Predicate out;
  for (std::uint32_t i = 0; i < lanes(w.type); ++i) {
    const LaneValue a = of(w, 0, i), b = with_scalar ? w.scalar : of(w, 1, i);
    Bit& bit = out[i * size_bytes(w.type)];
    bit.on = w.on(i) && holds(w.type, w.word, a.bits, b.bits);
    bit.from = joined(joined(a.from, b.from), w.bit(i).from);
  }
  w.made_pred = {out};
}

// --- across lanes -----------------------------------------------------------------------------------------------------

// Lanes that are off count as nothing, because of their bits.
LaneValue or_nothing(const MicroWork& w, std::uint32_t i, Bits nothing) {
  LaneValue value = of(w, 0, i);
  return w.on(i) ? LaneValue{value.bits, joined(value.from, w.bit(i).from)} : LaneValue{nothing, w.bit(i).from};
}
LaneValue sum_of(const MicroWork& w, DType type, std::uint32_t first, std::uint32_t count) {
  std::vector<LaneValue> level;
  for (std::uint32_t i = first; i < first + count; ++i) {
    LaneValue value = or_nothing(w, i, 0);
    if (type != w.type) value.bits = low_bits(type, extended(w.type, value.bits));
    level.push_back(value);
  }
  for (; level.size() > 1; level.resize(level.size() / 2))
    for (std::size_t i = 0; i < level.size() / 2; ++i)
      level[i] = computed_lane(add(type, level[2 * i].bits, level[2 * i + 1].bits), level[2 * i], level[2 * i + 1]);
  return level[0];
}
DType widened(DType type) {
  constexpr std::pair<DType, DType> kWide[] = {
      {DType::I8, DType::I16}, {DType::U8, DType::U16}, {DType::I16, DType::I32}, {DType::U16, DType::U32}};
  const auto* it = std::ranges::find(kWide, type, &std::pair<DType, DType>::first);
  return it == std::end(kWide) ? type : it->second;
}
struct Extremum {
  LaneValue value;
  std::uint32_t index = 0;
};
Extremum extremum_of(const MicroWork& w, bool largest, std::uint32_t first, std::uint32_t count) {
  const Bits worst = is_float(w.type) ? infinity(w.type) | (largest ? sign_bit(w.type) : 0)
                     : largest        ? (lowest(w.type))
                                      : low_bits(w.type, ~lowest(w.type));
  Extremum best{{worst, {}}, 0};
  bool any = false;
  for (std::uint32_t i = first; i < first + count; ++i) {
    const LaneValue here = or_nothing(w, i, worst);
    const Sources from = joined(best.value.from, here.from);
    if (w.on(i)) {
      const bool nan = any && is_nan(w.type, best.value.bits);
      const bool better =
          !any || (!nan && (is_nan(w.type, here.bits) || (largest ? less(w.type, best.value.bits, here.bits)
                                                                  : less(w.type, here.bits, best.value.bits))));
      // Of equal zeros the number is the first one's, the value that of the smaller or larger one.
      const Bits joint = nan       ? best.value.bits
                         : !any    ? here.bits
                         : largest ? max(w.type, best.value.bits, here.bits)
                                   : min(w.type, best.value.bits, here.bits);
      if (better) best.index = i;
      best.value.bits = is_nan(w.type, here.bits) && !nan ? quieted(w.type, here.bits) : joint;
      any = true;
    }
    best.value.from = from;
  }
  return best;
}
void reduce(MicroWork& w, std::string_view name) {
  Register out;
  const std::uint32_t count = lanes(w.type);
  if (name == "vcadd") {
    set_lane(out, widened(w.type), 0, sum_of(w, widened(w.type), 0, count));
  } else if (name == "vcpadd") {
    for (std::uint32_t i = 0; i < count / 2; ++i) set_lane(out, w.type, i, sum_of(w, w.type, 2 * i, 2));
  } else if (name == "vcmax" || name == "vcmin") {
    const Extremum best = extremum_of(w, name == "vcmax", 0, count);
    set_lane(out, w.type, 0, best.value);
    set_lane(out, w.type, 1, {best.index, best.value.from});
  } else {
    for (std::uint32_t group = 0; group < 8; ++group) {
      const std::uint32_t first = group * count / 8;
      set_lane(out, w.type, group,
               name == "vcgadd" ? sum_of(w, w.type, first, count / 8)
                                : extremum_of(w, name == "vcgmax", first, count / 8).value);
    }
  }
  w.made = {out};
}

// --- other types ------------------------------------------------------------------------------------------------------

// Where lane i of the wider type stands among the narrower one's lanes.
void vcvt(MicroWork& w) {
  Register out;
  const std::uint32_t from = size_bytes(w.type), to = size_bytes(w.other),
                      ratio = std::max(from, to) / std::min(from, to);
  for (std::uint32_t i = 0; i < 256 / std::max(from, to); ++i) {
    const std::uint32_t source = from < to ? i * ratio + w.part : i, result = to < from ? i * ratio + w.part : i;
    if (!w.on(source)) continue;
    const LaneValue value = of(w, 0, source);
    const Bits made = is_float(w.type) && is_float(w.other)
                          ? narrowed(w.other, w.type, value.bits, w.rounding, infinity(w.other))
                          : convert(w.other, w.type, value.bits, w.rounding,
                                    w.type == DType::I16 && w.other == DType::U32 ? Overflow::Saturate : w.overflow);
    set_lane(out, w.other, result, {made, joined(value.from, w.bit(source).from)});
  }
  w.made = {out};
}
void vsunpack(MicroWork& w) {
  Register out;
  const DType to = size_bytes(w.type) == 1 ? DType::I16 : DType::I32,
              from = size_bytes(w.type) == 1 ? DType::I8 : DType::I16;
  for (std::uint32_t i = 0; i < lanes(to); ++i) {
    const LaneValue value = of(w, 0, (w.word == "1" ? lanes(to) : 0) + i);
    set_lane(out, to, i, {low_bits(to, extended(from, value.bits)), value.from});
  }
  w.made = {out};
}
void vtrc(MicroWork& w) {
  constexpr std::string_view kWords = "RAFCZ";
  constexpr Rounding kRoundings[] = {Rounding::NearestEven, Rounding::NearestAway, Rounding::Down, Rounding::Up,
                                     Rounding::TowardZero};
  const Rounding rounding = kRoundings[kWords.find(w.word)];
  w.made = {each_lane(w, w.type, [&](std::uint32_t i) {
    return LaneValue{integral(w.type, of(w, 0, i).bits, rounding), of(w, 0, i).from};
  })};
}
void vexpdif(MicroWork& w) {
  Register out;
  const std::uint32_t step = w.type == DType::F16 ? 2 : 1, part = step == 2 && w.word == "ODD" ? 1 : 0;
  const auto wide = [&](Bits bits) {
    return w.type == DType::F32 ? bits : convert(DType::F32, w.type, bits, Rounding::NearestEven, Overflow::Wrap);
  };
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t source = i * step + part;
    if (!w.on(source)) continue;
    const LaneValue x = of(w, 0, source), m = of(w, 1, source);
    LaneValue value = computed_lane(exp(DType::F32, sub(DType::F32, wide(x.bits), wide(m.bits))), x, m);
    value.from = joined(value.from, w.bit(source).from);
    set_lane(out, DType::F32, i, value);
  }
  w.made = {out};
}
void vci(MicroWork& w) {
  Register out;
  for (std::uint32_t i = 0; i < lanes(w.type); ++i) {
    const Bits number = is_int(w.type) ? low_bits(w.type, i) : nearest_float(w.type, i);
    set_lane(
        out, w.type, i,
        {w.word == "DESC" ? sub(w.type, w.scalar.bits, number) : add(w.type, w.scalar.bits, number), w.scalar.from});
  }
  w.made = {out};
}
void vmula(MicroWork& w, bool scaled) {
  w.made = {each_lane(w, w.type, [&](std::uint32_t i) {
    const LaneValue a = of(w, scaled ? 0 : 1, i), b = scaled ? w.scalar : of(w, 2, i), c = of(w, scaled ? 1 : 0, i);
    return LaneValue{fma(w.type, a.bits, b.bits, c.bits), joined(joined(a.from, b.from), c.from)};
  })};
}

const std::map<std::string_view, void (*)(MicroWork&)> kOtherLanes{
    {"vaddc", [](MicroWork& w) { carry(w, false, false); }},
    {"vsubc", [](MicroWork& w) { carry(w, true, false); }},
    {"vaddcs", [](MicroWork& w) { carry(w, false, true); }},
    {"vsubcs", [](MicroWork& w) { carry(w, true, true); }},
    {"vmull", vmull},
    {"vmula", [](MicroWork& w) { vmula(w, false); }},
    {"vaxpy", [](MicroWork& w) { vmula(w, true); }},
    {"vcmp", [](MicroWork& w) { compare(w, false); }},
    {"vcmps", [](MicroWork& w) { compare(w, true); }},
    {"vcvt", vcvt},
    {"vsunpack", vsunpack},
    {"vtrc", vtrc},
    {"vexpdif", vexpdif},
    {"vci", vci},
};

}  // namespace

bool micro_lanes(std::string_view name, MicroWork& w) {
  if (name.starts_with("vc") && (name.ends_with("add") || name.ends_with("max") || name.ends_with("min"))) {
    reduce(w, name);
  } else if (const auto one = kOnes.find(name); one != kOnes.end()) {
    w.made = {each_lane(w, w.type, [&](std::uint32_t i) {
      return LaneValue{one->second(w.type, of(w, 0, i).bits), of(w, 0, i).from};
    })};
  } else if (const auto two = kTwos.find(name); two != kTwos.end()) {
    w.made = {each_lane(w, w.type, [&](std::uint32_t i) {
      const LaneValue a = of(w, 0, i), b = of(w, 1, i);
      return computed_lane(two->second(w.type, a.bits, b.bits), a, b);
    })};
  } else if (const auto scaled = kScaled.find(name); scaled != kScaled.end()) {
    w.made = {each_lane(w, w.type, [&](std::uint32_t i) {
      const LaneValue a = of(w, 0, i);
      return computed_lane(scaled->second(w.type, a.bits, w.scalar.bits), a, w.scalar);
    })};
  } else if (const auto other = kOtherLanes.find(name); other != kOtherLanes.end()) {
    other->second(w);
  } else {
    return false;
  }
  return true;
}

bool micro(std::string_view name, MicroWork& work) { return micro_moves(name, work) || micro_lanes(name, work); }

}  // namespace ts::oracle
