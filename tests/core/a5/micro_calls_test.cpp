// Every A5 vector micro-operation, called by its name for every type and every word it may have, on random registers,
// predicates and memory: what it makes and writes, on each SIMD level; what its trace shows; and where all of it came from.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include "core/a5/micro_calls.h"
#include "core/a5/micro_ops.h"
#include "core/catalogue/row.h"
#include "core/engine/tag/tag.h"
#include "core/text/ops/op_table.h"
#include "tests/oracle/micro.h"
#include "tests/support/engine/micro_links.h"
#include "tests/support/engine/simd_levels.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace ts {
namespace {

using namespace test;
using a5::MicroCall;
using a5::MicroRow;
using oracle::MicroWork;

// Where things stand in UB: registers and predicates before the call, memory that it may reach, what it made.
constexpr std::uint32_t kRegs = 0, kPreds = 0x400, kData = 0x2000, kDataBytes = 0x2000, kMade = 0x4000,
                        kMadePreds = 0x4200, kEnd = 0x4300;
constexpr std::uint64_t kScalarSource = std::uint64_t{1} << 41;
constexpr DType kAll[] = {DType::I8,  DType::U8,  DType::I16, DType::U16,  DType::I32, DType::U32,
                          DType::I64, DType::U64, DType::F16, DType::BF16, DType::F32};

struct Case {
  const MicroRow* row = nullptr;
  std::string word;
  DType type = DType::U8, other = DType::U8;
  Conversion how;
  LaneScalar scalar{};
  std::uint32_t address = 0, count = 0;  // address: in the data
  std::array<std::uint32_t, 2> stride{};
  std::vector<std::uint8_t> memory;  // up to kEnd

  bool is(std::string_view name) const { return row->name == name; }
  std::string label() const { return fmt::format("{} {} {} {}", row->name, name(type), name(other), word); }
};

// The call between loads of all it may take and stores of all it made.
const Case* current = nullptr;
std::uint32_t count_left = 0;
void around_call(AnyCore& core, const Bound& bound, DType) {
  const Case& c = *current;
  MicroCall call;
  call.type = c.type, call.other = c.other, call.word = c.word, call.how = c.how, call.scalar = c.scalar;
  call.address = kData + c.address, call.count = c.count, call.stride = c.stride;
  const MicroOp &load = a5::op("vlds"), &store = a5::op("vsts");
  for (AnyReg& made : call.made) std::memset(made.bytes, 0, VL);
  core.micro(load, DType::U8);
  for (std::uint32_t k = 0; k < 3; ++k)
    call.reg[k] = core.load<LoadKind::Norm>(DType::U8, load, Space::Ub, kRegs + 256 * k, VL, BLK);
  for (std::uint32_t k = 0; k < 3; ++k)
    call.pred[k] = core.load_predicate<PredLoad::Norm>(DType::U8, load, Space::Ub, kPreds + 32 * k, BLK);
  if (c.is("vstus")) a5::find_micro_row("init_align")->run(core, *bound.options, call);
  c.row->run(core, *bound.options, call);
  count_left = call.count;
  if (c.is("vstus")) {
    call.address += c.count * size_bytes(c.type);
    a5::find_micro_row("vstas")->run(core, *bound.options, call);
  }
  core.micro(store, DType::U8);
  for (std::uint32_t k = 0; k < 2; ++k) core.store_span(store, Space::Ub, kMade + 256 * k, call.made[k], VL);
  for (std::uint32_t k = 0; k < 2; ++k)
    core.store_predicate(PredStore::Norm, store, Space::Ub, kMadePreds + 32 * k, 32, call.made_pred[k]);
}

// --- what the oracle expects ------------------------------------------------------------------------------------------

class Expected {
 public:
  Expected(const Case& c, Flat ub) : case_(c), ub_(ub) {
    work.type = c.type;
    work.other = c.other;
    work.word = c.word;
    for (std::uint32_t k = 0; k < 3 * VL; ++k) work.reg[k / VL][k % VL] = byte(kRegs + k);
    for (std::uint32_t k = 0; k < 3 * VL; ++k)
      work.pred[k / VL][k % VL] = {(c.memory[kPreds + k / 8] >> (k % 8) & 1) != 0,
                                   {oracle::bit_source(ub_ + kPreds + k / 8, k % 8)}};
    work.scalar = {c.scalar.bits, {kScalarSource}};
    for (std::uint32_t k = 0; k < kDataBytes; ++k) work.memory.push_back(byte(kData + k));
    work.address = c.address;
    work.count = c.count;
    work.stride = c.stride;
    work.rounding = static_cast<oracle::Rounding>(c.how.rounding);
    work.overflow = c.how.overflow == Overflow::Wrap ? oracle::Overflow::Wrap : oracle::Overflow::Saturate;
    work.part = c.how.part;
    known = oracle::micro(c.row->name, work);
    registers = work.made.size();
    predicates = work.made_pred.size();
    work.made.resize(2);
    work.made_pred.resize(2);
  }
  // Byte `at` of UB afterwards.
  oracle::Byte after(std::uint32_t at) const {
    if (at >= kData && at < kData + kDataBytes) return work.memory[at - kData];
    if (at >= kMade && at < kMade + 2 * VL) return work.made[(at - kMade) / VL][(at - kMade) % VL];
    if (at < kMadePreds || at >= kMadePreds + 64) return byte(at);
    oracle::Byte out;
    for (std::uint32_t k = 0; k < 8; ++k) {
      const std::uint32_t bit = 8 * (at - kMadePreds) + k;
      const oracle::Bit& made = work.made_pred[bit / VL][bit % VL];
      out.value = static_cast<std::uint8_t>(out.value | made.on << k);
      out.from = oracle::joined(out.from, made.from);
    }
    return out;
  }

  bool known = false;
  std::size_t registers = 0, predicates = 0;
  MicroWork work;

 private:
  oracle::Byte byte(std::uint32_t at) const { return {case_.memory[at], {ub_ + at}}; }
  const Case& case_;
  Flat ub_;
};

// --- what the machines do ---------------------------------------------------------------------------------------------

class AllMachines {
 public:
  AllMachines() : memory_(Target::A5, 0), context_(memory_), tags_(memory_.map()) { bound_.options = &options_; }

  void check(const Case& c) {
    INFO(c.label());
    current = &c;
    const Expected expected(c, memory_.map().origin(Space::Ub));
    CHECK(expected.known);
    for (const std::int64_t level : simd_levels()) {
      const OnSimdLevel on(level);
      run(c, run_any);
      compare("run", expected);
    }
    const Trace trace = check_trace(c, expected);
    check_tags(c, expected);
    check_links(c, trace);
    if (c.is("plt")) CHECK(count_left == expected.work.count);
  }

 private:
  using Machine = void (*)(StepContext&, const Bound&, DType, AnyLowering);
  void run(const Case& c, Machine machine) {
    std::memcpy(memory_.bytes(Space::Ub, 0, kEnd).data(), c.memory.data(), kEnd);
    context_.fault = {};
    machine(context_, bound_, c.type, around_call);
    CHECK_MESSAGE(!context_.fault, context_.fault.text());
  }
  std::uint8_t at(std::uint32_t address) const {
    return std::to_integer<std::uint8_t>(memory_.base()[memory_.map().flat(Space::Ub, address)]);
  }
  void compare(const char* what, const Expected& expected) const {
    for (std::uint32_t k = 0; k < kEnd; ++k) {
      const std::uint8_t value = expected.after(k).value;
      if (at(k) == value) continue;
      FAIL_CHECK(fmt::format("{}: byte 0x{:x}: expected 0x{:02x}, got 0x{:02x}", what, k, value, at(k)));
      return;
    }
  }
  // One micro-step, which shows the results and no values on the way to them.
  Trace check_trace(const Case& c, const Expected& expected) {
    Trace trace;
    context_.trace = &trace;
    run(c, trace_any);
    context_.trace = nullptr;
    compare("trace", expected);
    if (c.is("vstus")) return trace;
    REQUIRE(trace.steps.size() == 3);
    std::vector<const TraceValue*> made;
    for (const std::uint32_t id : trace.steps[1].made) made.push_back(&trace.values[id]);
    CHECK(made.size() == expected.registers + expected.predicates);
    if (made.size() != expected.registers + expected.predicates) return trace;
    for (std::size_t k = 0; k < made.size(); ++k) {
      const bool is_register = k < expected.registers;
      const std::uint32_t from = is_register ? kMade + VL * static_cast<std::uint32_t>(k)
                                             : kMadePreds + 32 * static_cast<std::uint32_t>(k - expected.registers);
      CHECK((made[k]->kind == TraceValue::Kind::Register) == is_register);
      bool same = true;
      for (std::uint32_t byte = 0; byte < (is_register ? VL : 32); ++byte)
        same = same && made[k]->bytes[byte] == at(from + byte);
      CHECK(same);
    }
    return trace;
  }
  // The moves that step into draws are those that the tag machine knows, bit for bit.
  void check_links(const Case& c, const Trace& trace) const {
    const bool logic = c.is("pand") || c.is("por") || c.is("pxor") || c.is("pnot");
    const std::string wrong = first_wrong_link(trace, memory_.map(), tags_, logic), untrue = first_false_move(trace);
    CHECK_MESSAGE(wrong.empty(), wrong);
    CHECK_MESSAGE(untrue.empty(), untrue);
  }
  void check_tags(const Case& c, const Expected& expected) {
    tags_.begin_step();
    context_.tags = &tags_;
    run(c, tag_any);
    context_.tags = nullptr;
    compare("tag", expected);
    for (std::uint32_t k = kData; k < kEnd; ++k) {
      oracle::Sources got;
      collect(tags_.tag(memory_.map().flat(Space::Ub, k)), got);
      std::ranges::sort(got);
      got.erase(std::unique(got.begin(), got.end()), got.end());
      const oracle::Sources from = expected.after(k).from;
      if (got == from) continue;
      FAIL_CHECK(fmt::format("sources of byte 0x{:x}: expected {}, got {}", k, list(from), list(got)));
      return;
    }
  }
  void collect(TagSpan span, oracle::Sources& out) const {
    for (std::uint32_t k = 0; k < span.count; ++k) collect(span.first == kNoTag ? kNoTag : span.first + k, out);
  }
  void collect(Tag tag, oracle::Sources& out) const {
    if (tag == kNoTag) return;
    if (is_scalar_tag(tag)) return out.push_back(kScalarSource);
    if (is_byte_tag(tag)) return out.push_back(tag);
    if (is_bit_tag(tag)) return out.push_back(oracle::bit_source((tag - kFirstBitTag) / 8, (tag - kFirstBitTag) % 8));
    collect(tags_.arena.a(tag), out);
    if (tags_.arena.kind(tag) == NodeKind::Combine || tags_.arena.kind(tag) == NodeKind::Chosen)
      collect(tags_.arena.b(tag), out);
  }
  static std::string list(const oracle::Sources& sources) {
    std::string out;
    for (const std::uint64_t source : sources) {
      if (source == kScalarSource) out += " scalar";
      else if (source >= oracle::kFirstBitSource)
        out += fmt::format(" 0x{:x}.{}", (source - oracle::kFirstBitSource) / 8, source % 8);
      else out += fmt::format(" 0x{:x}", source);
    }
    return out;
  }

  Memory memory_;
  StepContext context_;
  TagMemory tags_;
  Options options_;
  Bound bound_;
};

// --- random calls -----------------------------------------------------------------------------------------------------

void set_bits(Case& c, std::uint32_t at, std::uint32_t size, std::uint64_t bits) {
  std::memcpy(c.memory.data() + at, &bits, size);
}
std::uint64_t random_of(Random& random, DType type, Values values) { return random_element(random, type, values); }

// Whose lanes choose places: those that are on reach the data, the others anything.
void choose_indices(Random& random, Case& c, std::uint32_t reg) {
  const std::uint32_t slot = size_bytes(c.other), most = 0x1000 / size_bytes(c.type);
  for (std::uint32_t i = 0; i < VL / slot; ++i) {
    const bool on = c.memory[kPreds + i * slot / 8] >> (i * slot % 8) & 1;
    set_bits(c, kRegs + VL * reg + i * slot, slot, on || random.one_in(2) ? random.below(most) : random.next());
  }
}
void choose_offsets(Random& random, Case& c) {
  for (std::uint32_t k = 0; k < 8; ++k) {
    const bool on = c.memory[kPreds + k / 2] >> (k % 2 * 4) & 1;
    set_bits(c, kRegs + 4 * k, 4, on || random.one_in(2) ? random.below(100) * BLK : random.next());
  }
}

Case random_case(Random& random, const MicroRow& row, DType type, std::string_view word) {
  Case c;
  c.row = &row, c.word = word, c.type = c.other = type;
  c.memory.resize(kEnd);
  for (std::uint8_t& byte : c.memory) byte = static_cast<std::uint8_t>(random.next() >> 56);
  const Values values = random.pick({Values::Plain, Values::AnyBits, Values::Special});
  for (std::uint32_t at = kRegs; at < kPreds; at += size_bytes(type))
    set_bits(c, at, size_bytes(type), random_of(random, type, values));
  if (random.one_in(4)) std::memset(c.memory.data() + kPreds, random.one_in(2) ? 0xFF : 0, 32);
  if (random.one_in(3)) std::memcpy(c.memory.data() + VL, c.memory.data(), VL / 2);  // lanes that are alike
  c.scalar = {random_of(random, type, values), type, 1};
  if (c.is("vshls") || c.is("vshrs")) c.scalar.bits = random.below(8 * size_bytes(type) + 4);
  if (c.is("vshl") || c.is("vshr"))
    for (std::uint32_t at = VL; at < 2 * VL; at += size_bytes(type))
      set_bits(c, at, size_bytes(type), random.below(8 * size_bytes(type) + 4));
  if (c.is("plt")) c.count = random.below(400);
  if (c.is("vstus")) c.count = random.below(VL / size_bytes(type) + 1);
  c.address = random.below(32) * 64;
  if (c.is("vstus") || c.is("vldus")) c.address += random.below(16) * size_bytes(type);
  if (c.is("vsldb") || c.is("vsstb")) c.stride = {random.below(12), random.below(6)};
  if (c.is("vsstb") && c.stride[0] == 0) c.stride[0] = 1;
  if (c.is("vgather2") || c.is("vscatter") || c.is("vgather2_bc")) {
    c.other = size_bytes(type) == 4 || c.is("vgather2_bc") ? DType::U32 : DType::U16;
    choose_indices(random, c, c.is("vscatter") ? 1 : 0);
  }
  if (c.is("vgatherb")) choose_offsets(random, c);
  return c;
}

std::vector<std::string_view> words_of(const MicroRow& row) {
  std::vector<std::string_view> words(row.words.begin(), row.words.end());
  if (words.empty() || row.name == "vdup") words.push_back("");
  return words;
}
// Parts of what only others use.
bool is_part(std::string_view name) { return name == "vldas" || name == "init_align" || name == "vstas"; }

// The pairs of the ISA's table.
struct Pair {
  DType from;
  DTypeSet to;
};
constexpr Pair kConversions[] = {
    {DType::F32, {DType::F16, DType::BF16, DType::I16, DType::I32, DType::I64}},
    {DType::F16, {DType::F32, DType::I32, DType::I16, DType::I8, DType::U8}},
    {DType::BF16, {DType::F32, DType::F16, DType::I32}},
    {DType::U8, {DType::F16, DType::U16, DType::U32}},
    {DType::I8, {DType::F16, DType::I16, DType::I32}},
    {DType::U16, {DType::U8, DType::U32}},
    {DType::I16, {DType::F16, DType::F32, DType::U8, DType::U32, DType::I32}},
    {DType::U32, {DType::U8, DType::U16, DType::I16}},
    {DType::I32, {DType::F32, DType::U8, DType::U16, DType::I16, DType::I64}},
    {DType::I64, {DType::F32, DType::I32}},
};

}  // namespace

TEST_CASE("micro-operations by name: every word and type does what the ISA says, and knows where it came from") {
  AllMachines machines;
  Random random(91);
  const int all = rounds(1, 1, 40);
  for (const MicroRow& row : a5::micro_rows()) {
    if (is_part(row.name) || row.name == "vcvt") continue;
    for (const DType type : kAll) {
      if (!row.types.contains(type)) continue;
      for (const std::string_view word : words_of(row)) {
        if (kSanitized && !random.one_in(16)) continue;  // most of the time would go into the oracle
        for (int round = 0; round < all; ++round) machines.check(random_case(random, row, type, word));
      }
    }
  }
}

TEST_CASE("micro-operations by name: conversions take the lanes of their part") {
  AllMachines machines;
  Random random(92);
  const MicroRow& row = *a5::find_micro_row("vcvt");
  for (const Pair& pair : kConversions) {
    for (const DType to : kAll) {
      if (!pair.to.contains(to)) continue;
      const std::uint32_t from_size = size_bytes(pair.from), to_size = size_bytes(to),
                          parts = std::max(from_size, to_size) / std::min(from_size, to_size);
      for (int round = 0; round < rounds(1, 6, 80); ++round) {
        Case c = random_case(random, row, pair.from, "");
        c.other = to;
        c.how.part = static_cast<std::uint8_t>(random.below(parts));
        c.how.rounding = random.pick({Rounding::Even, Rounding::Away, Rounding::Down, Rounding::Up, Rounding::Zero});
        const bool widens = !is_float(pair.from) && !is_float(to) && to_size > from_size;
        c.how.overflow = is_float(to) || widens || random.one_in(2) ? Overflow::Wrap : Overflow::Clamp;
        machines.check(c);
      }
    }
  }
}

TEST_CASE("micro-operations by name: all that programs spell, but streams that count in a register") {
  const std::set<std::string_view> kLater{"vstur", "vstar", "pstu"};
  const std::set<std::string_view> kNoLanes{"vecscope", "vbitcast", "pbitcast", "vbitsort", "vmrgsort4"};
  for (const text::OpRow& row : text::op_rows()) {
    std::string name(row.name.substr(row.name.find('.') + 1));
    if (row.group != text::OpGroup::Micro || (name[0] != 'v' && name[0] != 'p') || !row.current.empty() ||
        kNoLanes.contains(name))
      continue;
    CAPTURE(name);
    if (const std::size_t width = name.rfind("_b"); width != std::string::npos && name[0] == 'p') name.resize(width);
    CHECK((a5::find_micro_row(name) != nullptr) == !kLater.contains(name));
  }
}

}  // namespace ts
