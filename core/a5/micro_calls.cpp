// One row for each micro-operation: what it may be called with, and the method that does it.
#include "core/a5/micro_calls.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/a5/families-inl.h"

namespace ts::a5 {
namespace {

using M = HWY_NAMESPACE::A5Families;
using C = MicroCall;

constexpr DTypeSet kInts{DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32};
constexpr DTypeSet kAllInts = kInts | DTypeSet{DType::I64, DType::U64};
constexpr DTypeSet kFloats{DType::F16, DType::F32};
constexpr DTypeSet kAllFloats{DType::F16, DType::BF16, DType::F32};
constexpr DTypeSet kFrom16 = kFloats | DTypeSet{DType::I16, DType::U16, DType::I32, DType::U32};
constexpr DTypeSet kProducts = kFrom16 | kAllFloats;
constexpr DTypeSet kWords{DType::I32, DType::U32};
constexpr DTypeSet kSums = kInts | kFloats;
constexpr DTypeSet kRelu = kFloats | DTypeSet{DType::I32};
constexpr DTypeSet kMasks{DType::U8, DType::U16, DType::U32};
constexpr DTypeSet kLaneWords{DType::I16, DType::U16, DType::I32, DType::U32};
constexpr DTypeSet kCounted = kFloats | DTypeSet{DType::I8, DType::I16, DType::I32};

using Machine = HWY_NAMESPACE::A5Lanes<AnyCore, AnyLane>;
using One = AnyReg (Machine::*)(AnyLane, const AnyReg&, const AnyPred&);
using Two = AnyReg (Machine::*)(AnyLane, const AnyReg&, const AnyReg&, const AnyPred&);
using Three = AnyReg (Machine::*)(AnyLane, const AnyReg&, const AnyReg&, const AnyReg&, const AnyPred&);
using Scaled = AnyReg (Machine::*)(AnyLane, const AnyReg&, const LaneScalar&, const AnyPred&);
template <One method>
void one(Machine& m, C& c) {
  c.made[0] = (m.*method)(m.ty(), c.reg[0], c.pred[0]);
}
template <Two method>
void two(Machine& m, C& c) {
  c.made[0] = (m.*method)(m.ty(), c.reg[0], c.reg[1], c.pred[0]);
}
template <Three method>
void three(Machine& m, C& c) {
  c.made[0] = (m.*method)(m.ty(), c.reg[0], c.reg[1], c.reg[2], c.pred[0]);
}
template <Scaled method>
void scaled(Machine& m, C& c) {
  c.made[0] = (m.*method)(m.ty(), c.reg[0], c.scalar, c.pred[0]);
}
template <class Pair>
void put(C& c, const Pair& pair) {
  if constexpr (std::is_same_v<Pair, AnyPredPair>) {
    c.made_pred = {pair.lo, pair.hi};
  } else {
    c.made = {pair.lo, pair.hi};
  }
}
void put(C& c, const AnySum& sum) {
  c.made[0] = sum.sum;
  c.made_pred[0] = sum.carry;
}
bool upper(const C& c) { return c.word == "HIGHER" || c.word == "1"; }

// --- words ------------------------------------------------------------------------------------------------------------

constexpr std::string_view kDistributions[] = {
    "NORM",    "BRC_B8",   "BRC_B16",  "BRC_B32", "US_B8",   "US_B16",  "DS_B8",   "DS_B16",
    "UNPK_B8", "UNPK_B16", "UNPK_B32", "UNPK4",   "BRC_BLK", "E2B_B16", "E2B_B32",
};
constexpr std::string_view kPairDistributions[] = {"DINTLV_B8", "DINTLV_B16", "DINTLV_B32", "BDINTLV"};
constexpr std::string_view kStoreDistributions[] = {
    "NORM_B8", "NORM_B16", "NORM_B32", "1PT_B8", "1PT_B16", "1PT_B32", "PK_B16", "PK_B32", "PK_B64", "PK4_B32",
};
constexpr std::string_view kPairStores[] = {"INTLV_B8", "INTLV_B16", "INTLV_B32"};
constexpr std::string_view kMaskDistributions[] = {"NORM", "US", "DS"};
constexpr std::string_view kMaskStores[] = {"NORM", "PK"};
constexpr std::string_view kUpdates[] = {"NO_POST_UPDATE", "POST_UPDATE"};
constexpr std::string_view kModes[] = {"eq", "ne", "lt", "le", "gt", "ge"};
constexpr std::string_view kRoundingCodes[] = {"R", "A", "F", "C", "Z"};
constexpr std::string_view kParts[] = {"EVEN", "ODD"};
constexpr std::string_view kPositions[] = {"LOWEST", "HIGHEST"};
constexpr std::string_view kOrders[] = {"ASC", "DESC"};
constexpr std::string_view kHalves[] = {"LOWER", "HIGHER"};
constexpr std::string_view kHalfNumbers[] = {"0", "1"};
constexpr auto kPatternNames = [] {
  std::array<std::string_view, std::size(kPatterns)> names;
  std::ranges::transform(kPatterns, names.begin(), [](const Pattern& pattern) { return pattern.name; });
  return names;
}();

CompareOp mode_of(std::string_view word) {
  return static_cast<CompareOp>(std::ranges::find(kModes, word) - std::begin(kModes));
}
Rounding rounding_of(std::string_view word) {
  constexpr Rounding kRoundings[] = {Rounding::Even, Rounding::Away, Rounding::Down, Rounding::Up, Rounding::Zero};
  return kRoundings[std::ranges::find(kRoundingCodes, word) - std::begin(kRoundingCodes)];
}
// The lanes that the end of a word names: "BRC_B16".
DType lanes_in(std::string_view word) {
  return word.ends_with("_B8")    ? DType::U8
         : word.ends_with("_B16") ? DType::U16
         : word.ends_with("_B64") ? DType::U64
                                  : DType::U32;
}

// --- memory -----------------------------------------------------------------------------------------------------------

void vlds(M& m, C& c) {
  const Ub from{c.address};
  const std::string_view kind = c.word.substr(0, c.word.find('_'));
  M lanes = m.with(c.word == "NORM" ? c.type : lanes_in(c.word));
  AnyReg& out = c.made[0];
  if (c.word == "BRC_BLK") out = m.vlds_blk(from, 0);
  else if (c.word == "UNPK_B8") out = m.vlds_unpk_b8(from, 0);
  else if (c.word == "UNPK_B16") out = m.vlds_unpk_b16(from, 0);
  else if (c.word == "UNPK_B32") out = m.vlds_unpk_b32(from, 0);
  else if (c.word == "UNPK4") out = m.vlds_unpk4_b8(from, 0);
  else if (kind == "BRC") out = lanes.vlds_brc(from, 0);
  else if (kind == "US") out = lanes.vlds_us(from);
  else if (kind == "DS") out = lanes.vlds_ds(from);
  else if (kind == "E2B") out = lanes.vlds_e2b(from);
  else out = m.vlds(from, 0);
}
void vldsx2(M& m, C& c) {
  const Ub from{c.address};
  if (c.word == "BDINTLV") put(c, m.vlds_bdintlv(from));
  else if (c.word == "DINTLV_B32") put(c, m.vlds_dintlv_b32(from, 0));
  else put(c, m.vlds_dintlv({lanes_in(c.word)}, from, 0));
}
void vsts(M& m, C& c) {
  const Ub to{c.address};
  const std::string_view kind = c.word.substr(0, c.word.find('_'));
  const AnyReg& v = c.reg[0];
  if (kind == "1PT") m.vsts_1pt(AnyLane{lanes_in(c.word)}, v, to, 0);
  else if (c.word == "PK_B16") m.vsts_pk_b16(v, to, 0, c.pred[0]);
  else if (c.word == "PK_B32") m.vsts_pk_b32(v, to, 0, c.pred[0]);
  else if (c.word == "PK_B64") m.vsts_pk_b64(v, to, 0, c.pred[0]);
  else if (c.word == "PK4_B32") m.vsts_pk4_b32(v, to, 0, c.pred[0]);
  else m.vsts(AnyLane{lanes_in(c.word)}, v, to, 0, c.pred[0]);
}
void plds(M& m, C& c) {
  const Ub from{c.address};
  c.made_pred[0] = c.word == "US" ? m.plds_us(from, 0) : c.word == "DS" ? m.plds_ds(from) : m.plds(from, 0);
}
void psts(M& m, C& c) {
  if (c.word == "PK") m.psts_pk(c.pred[0], {c.address}, 0);
  else m.psts(c.pred[0], {c.address}, 0);
}
void vstus(M& m, C& c) {
  const auto [bytes, count] = m.vstus({c.held, c.held_bytes}, c.count, c.reg[0], {c.address}, 0);
  c.held = bytes;
  c.held_bytes = count;
}

void pstu(M& m, C& c) {
  const auto [bytes, count] = m.pstu({c.held, c.held_bytes}, c.pred[0], {c.address}, c.staging);
  c.held = bytes;
  c.held_bytes = count;
}

// The lanes that vsqz kept go behind what was stored before.
void vstur(M& m, C& c) {
  c.address += c.ar;
  c.count = c.squeezed / size_bytes(c.type);
  vstus(m, c);
  if (c.word == "POST_UPDATE") c.ar += c.squeezed;
}
void vsqz(M& m, C& c) {
  c.made[0] = m.vsqz(c.reg[0], c.pred[0]);
  c.squeezed = 0;
  const VPred& kept = m.bits(c.pred[0]);
  for (std::uint32_t byte = 0; byte < VL; byte += size_bytes(c.type))
    if (lane_is_on(kept, byte)) c.squeezed += size_bytes(c.type);
}

// --- the rest that is more than one line ------------------------------------------------------------------------------

void vdup(M& m, C& c) {
  c.made[0] =
      c.word.empty() ? m.vdup(m.ty(), c.scalar, c.pred[0]) : m.vdup_lane(c.word == "HIGHEST", c.reg[0], c.pred[0]);
}
void vexpdif(M& m, C& c) {
  c.made[0] = c.type == DType::F32 ? m.vexpdif(c.reg[0], c.reg[1], c.pred[0])
                                   : m.vexpdif_half(c.word == "ODD", c.reg[0], c.reg[1], c.pred[0]);
}
void pset(M& m, C& c, bool as_pge) {
  const auto* pattern = std::ranges::find(kPatterns, c.word, &Pattern::name);
  if (pattern == std::end(kPatterns)) std::abort();  // the row says which there are
  c.made_pred[0] = m.pset(*pattern, as_pge);
}

template <auto f>
void run(AnyCore& core, const Options& options, MicroCall& call) {
  M m(core, call.type, options);
  f(m, call);
}
// clang-format off
constexpr MicroRow kRows[] = {
    {"vlds", kAllTypes, kDistributions, run<vlds>},
    {"vldsx2", kTypesTo32, kPairDistributions, run<vldsx2>},
    {"vsts", kTypesTo32, kStoreDistributions, run<vsts>},
    {"vstsx2", kTypesTo32, kPairStores, run<[](M& m, C& c) { m.with(lanes_in(c.word)).vstsx2(c.reg[0], c.reg[1], {c.address}); }>},
    {"vldas", kTypesTo32, {}, run<[](M& m, C& c) { m.vldas({c.address}, 0); }>},
    {"vldus", kTypesTo32, {}, run<[](M& m, C& c) { c.made[0] = m.vldus({c.address}, 0); }>},
    {"init_align", kTypesTo32, {}, run<[](M& m, C& c) { c.held = m.init_align().bytes, c.held_bytes = 0; }>},
    {"vstus", kTypesTo32, {}, run<vstus>},
    {"vstas", kTypesTo32, {}, run<[](M& m, C& c) { m.vstas({c.held, c.held_bytes}, {c.address}, 0); }>},
    {"vstur", kTypesTo32, kUpdates, run<vstur>, Counting::Stores},
    {"vstar", kTypesTo32, {}, run<[](M& m, C& c) { m.vstas({c.held, c.held_bytes}, {c.address + c.ar}, 0); }>, Counting::Flushes},
    {"vsldb", kTypesTo32, {}, run<[](M& m, C& c) { c.made[0] = m.vsldb({c.address}, c.stride[0], c.stride[1], c.pred[0]); }>},
    {"vsstb", kTypesTo32, {}, run<[](M& m, C& c) { m.vsstb(c.reg[0], {c.address}, c.stride[0], c.stride[1], c.pred[0]); }>},
    {"vgather2", kTypesTo32, {}, run<[](M& m, C& c) { c.made[0] = m.vgather2({c.other}, {c.address}, c.reg[0], c.pred[0]); }>},
    {"vgather2_bc", kTypesTo32, {}, run<[](M& m, C& c) { c.made[0] = m.vgather2_bc({c.other}, {c.address}, c.reg[0], c.pred[0]); }>},
    {"vgatherb", kAllTypes, {}, run<[](M& m, C& c) { c.made[0] = m.vgatherb({c.address}, c.reg[0], c.pred[0]); }>},
    {"vscatter", kTypesTo32, {}, run<[](M& m, C& c) { m.vscatter({c.other}, c.reg[0], {c.address}, c.reg[1], c.pred[0]); }>},

    {"vadd", kAllInts | kAllFloats, {}, run<two<&Machine::vadd>>},
    {"vsub", kAllInts | kAllFloats, {}, run<two<&Machine::vsub>>},
    {"vmul", kProducts, {}, run<two<&Machine::vmul>>},
    {"vdiv", kFrom16, {}, run<two<&Machine::vdiv>>},
    {"vmax", kTypesTo32, {}, run<two<&Machine::vmax>>},
    {"vmin", kTypesTo32, {}, run<two<&Machine::vmin>>},
    {"vand", kAllTypes, {}, run<[](M& m, C& c) { c.made[0] = m.vand(bits_of(m.ty()), c.reg[0], c.reg[1], c.pred[0]); }>},
    {"vor", kAllTypes, {}, run<[](M& m, C& c) { c.made[0] = m.vor(bits_of(m.ty()), c.reg[0], c.reg[1], c.pred[0]); }>},
    {"vxor", kAllTypes, {}, run<[](M& m, C& c) { c.made[0] = m.vxor(bits_of(m.ty()), c.reg[0], c.reg[1], c.pred[0]); }>},
    {"vshl", kAllInts, {}, run<two<&Machine::vshl>>},
    {"vshr", kAllInts, {}, run<two<&Machine::vshr>>},
    {"vprelu", kFloats, {}, run<two<&Machine::vprelu>>},
    {"vexpdif", kFloats, kParts, run<vexpdif>},
    {"vaddc", kWords, {}, run<[](M& m, C& c) { put(c, m.vaddc(c.reg[0], c.reg[1], c.pred[0])); }>},
    {"vsubc", kWords, {}, run<[](M& m, C& c) { put(c, m.vsubc(c.reg[0], c.reg[1], c.pred[0])); }>},
    {"vaddcs", kWords, {}, run<[](M& m, C& c) { put(c, m.vaddcs(c.reg[0], c.reg[1], c.pred[0], c.pred[1])); }>},
    {"vsubcs", kWords, {}, run<[](M& m, C& c) { put(c, m.vsubcs(c.reg[0], c.reg[1], c.pred[0], c.pred[1])); }>},
    {"vmull", kWords, {}, run<[](M& m, C& c) { put(c, m.vmull(m.ty(), c.reg[0], c.reg[1], c.pred[0])); }>},
    {"vmula", kFloats | kWords, {}, run<three<&Machine::vmula>>},
    {"vaxpy", kFloats, {}, run<[](M& m, C& c) { c.made[0] = m.vaxpy(m.ty(), c.reg[0], c.reg[1], c.scalar, c.pred[0]); }>},

    {"vabs", kInts | kFloats, {}, run<one<&Machine::vabs>>},
    {"vneg", kInts | kFloats, {}, run<one<&Machine::vneg>>},
    {"vexp", kFloats, {}, run<one<&Machine::vexp>>},
    {"vln", kFloats, {}, run<one<&Machine::vln>>},
    {"vsqrt", kFloats, {}, run<one<&Machine::vsqrt>>},
    {"vrelu", kRelu, {}, run<one<&Machine::vrelu>>},
    {"vnot", kAllInts, {}, run<one<&Machine::vnot>>},
    {"vcvt", kAllTypes, {}, run<[](M& m, C& c) { c.made[0] = m.vcvt({c.other}, m.ty(), c.how, c.reg[0], c.pred[0]); }>},
    {"vtrc", kAllFloats, kRoundingCodes, run<[](M& m, C& c) { c.made[0] = m.vtrc(m.ty(), rounding_of(c.word), c.reg[0], c.pred[0]); }>},

    {"vadds", kTypesTo32, {}, run<scaled<&Machine::vadds>>},
    {"vmuls", kProducts, {}, run<scaled<&Machine::vmuls>>},
    {"vmaxs", kTypesTo32, {}, run<scaled<&Machine::vmaxs>>},
    {"vmins", kTypesTo32, {}, run<scaled<&Machine::vmins>>},
    {"vlrelu", kFloats, {}, run<scaled<&Machine::vlrelu>>},
    {"vshls", kInts, {}, run<scaled<&Machine::vshls>>},
    {"vshrs", kInts, {}, run<scaled<&Machine::vshrs>>},

    {"vcmp", kTypesTo32, kModes, run<[](M& m, C& c) { c.made_pred[0] = m.vcmp(m.ty(), mode_of(c.word), c.reg[0], c.reg[1], c.pred[0]); }>},
    {"vcmps", kTypesTo32, kModes, run<[](M& m, C& c) { c.made_pred[0] = m.vcmps(m.ty(), mode_of(c.word), c.reg[0], c.scalar, c.pred[0]); }>},
    {"vsel", kTypesTo32, {}, run<[](M& m, C& c) { c.made[0] = m.vsel(c.reg[0], c.reg[1], c.pred[0]); }>},
    {"vdup", kTypesTo32, kPositions, run<vdup>},
    {"vbr", kTypesTo32, {}, run<[](M& m, C& c) { c.made[0] = m.vbr(c.scalar); }>},
    {"vci", kCounted, kOrders, run<[](M& m, C& c) { c.made[0] = m.vci(c.scalar, c.word == "DESC"); }>},

    {"vcadd", kSums, {}, run<one<&Machine::vcadd>>},
    {"vcmax", kFrom16, {}, run<one<&Machine::vcmax>>},
    {"vcmin", kFrom16, {}, run<one<&Machine::vcmin>>},
    {"vcgadd", kFrom16, {}, run<one<&Machine::vcgadd>>},
    {"vcgmax", kFrom16, {}, run<one<&Machine::vcgmax>>},
    {"vcgmin", kFrom16, {}, run<one<&Machine::vcgmin>>},
    {"vcpadd", kFloats, {}, run<one<&Machine::vcpadd>>},

    {"vintlv", kTypesTo32, {}, run<[](M& m, C& c) { put(c, m.vintlv(c.reg[0], c.reg[1])); }>},
    {"vdintlv", kTypesTo32, {}, run<[](M& m, C& c) { put(c, m.vdintlv(c.reg[0], c.reg[1])); }>},
    {"vselr", kTypesTo32, {}, run<[](M& m, C& c) { c.made[0] = m.vselr(c.reg[0], c.reg[1]); }>},
    {"vsqz", kTypesTo32, {}, run<vsqz>, Counting::Squeezes},
    {"vusqz", {DType::I8, DType::I16, DType::I32}, {}, run<[](M& m, C& c) { c.made[0] = m.vusqz(c.pred[0]); }>},
    {"vpack", {DType::I16, DType::U16, DType::I32, DType::U32}, kHalves, run<[](M& m, C& c) { c.made[0] = m.vpack(upper(c), c.reg[0]); }>},
    {"vsunpack", {DType::I8, DType::U8, DType::I16, DType::U16}, kHalfNumbers, run<[](M& m, C& c) { c.made[0] = m.vsunpack(upper(c), c.reg[0]); }>},
    {"vzunpack", {DType::I8, DType::U8, DType::I16, DType::U16}, kHalfNumbers, run<[](M& m, C& c) { c.made[0] = m.vzunpack(upper(c), c.reg[0]); }>},

    {"pset", kMasks, kPatternNames, run<[](M& m, C& c) { pset(m, c, false); }>},
    {"pge", kMasks, kPatternNames, run<[](M& m, C& c) { pset(m, c, true); }>},
    {"plt", kMasks, {}, run<[](M& m, C& c) { c.made_pred[0] = m.plt(m.ty(), c.count); }>},
    {"pand", kMasks, {}, run<[](M& m, C& c) { c.made_pred[0] = m.pand(c.pred[0], c.pred[1], c.pred[2]); }>},
    {"por", kMasks, {}, run<[](M& m, C& c) { c.made_pred[0] = m.por(c.pred[0], c.pred[1], c.pred[2]); }>},
    {"pxor", kMasks, {}, run<[](M& m, C& c) { c.made_pred[0] = m.pxor(c.pred[0], c.pred[1], c.pred[2]); }>},
    {"pnot", kMasks, {}, run<[](M& m, C& c) { c.made_pred[0] = m.pnot(c.pred[0], c.pred[1]); }>},
    {"psel", kMasks, {}, run<[](M& m, C& c) { c.made_pred[0] = m.psel(c.pred[0], c.pred[1], c.pred[2]); }>},
    {"ppack", kMasks, kHalves, run<[](M& m, C& c) { c.made_pred[0] = m.ppack(upper(c), c.pred[0]); }>},
    {"punpack", kMasks, kHalves, run<[](M& m, C& c) { c.made_pred[0] = m.punpack(upper(c), c.pred[0]); }>},
    {"pintlv", kMasks, {}, run<[](M& m, C& c) { put(c, m.pintlv(c.pred[0], c.pred[1])); }>},
    {"pdintlv", kMasks, {}, run<[](M& m, C& c) { put(c, m.pdintlv(c.pred[0], c.pred[1])); }>},
    {"plds", kMasks, kMaskDistributions, run<plds>},
    {"pldi", kMasks, kMaskDistributions, run<plds>},
    {"psts", kMasks, kMaskStores, run<psts>},
    {"psti", kMasks, kMaskStores, run<psts>},
    {"pstu", kLaneWords, {}, run<pstu>},
};
// clang-format on

}  // namespace

std::uint32_t reach_of(const MicroRow& row, std::string_view word) {
  struct Reach {
    std::string_view begin;
    std::uint32_t bytes;
  };
  // The first that the word begins with.
  static constexpr Reach kOfRegisters[] = {
      {"NORM", 256},  {"BRC_BLK", 32}, {"BRC_B8", 1}, {"BRC_B16", 2},  {"BRC_B32", 4},  {"US", 128},
      {"DS", 512},    {"UNPK4", 64},   {"UNPK", 128}, {"E2B_B16", 16}, {"E2B_B32", 32}, {"1PT_B8", 1},
      {"1PT_B16", 2}, {"1PT_B32", 4},  {"PK4", 64},   {"PK", 128},
  };
  static constexpr Reach kOfMasks[] = {{"NORM", 32}, {"US", 16}, {"DS", 64}, {"PK", 16}};
  const auto reach = [&](std::span<const Reach> of) {
    const auto found = std::ranges::find_if(of, [&](const Reach& one) { return word.starts_with(one.begin); });
    return found == of.end() ? 0 : found->bytes;
  };
  const auto* list = row.words.data();
  if (list == std::data(kPairDistributions) || list == std::data(kPairStores)) return 2 * VL;
  if (list == std::data(kDistributions) || list == std::data(kStoreDistributions)) return reach(kOfRegisters);
  if (list == std::data(kMaskDistributions) || list == std::data(kMaskStores)) return reach(kOfMasks);
  return row.name == "vldus" ? VL : 0;
}

std::span<const MicroRow> micro_rows() { return kRows; }
const MicroRow* find_micro_row(std::string_view name) {
  const auto* row = std::ranges::find(kRows, name, &MicroRow::name);
  return row == std::end(kRows) ? nullptr : row;
}

}  // namespace ts::a5
