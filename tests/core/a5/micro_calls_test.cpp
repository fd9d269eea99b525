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
#include "tests/support/engine/micro_cases.h"
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

// The call between loads of all it may take and stores of all it made.
const MicroCallCase* current = nullptr;
std::uint32_t count_left = 0;
void around_call(AnyCore& core, const Bound& bound, DType) {
  const MicroCallCase& c = *current;
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
  for (std::uint32_t k = 0; k < 2; ++k) core.store_span(store, Space::Ub, kMadeRegs + 256 * k, call.made[k], VL);
  for (std::uint32_t k = 0; k < 2; ++k)
    core.store_predicate(PredStore::Norm, store, Space::Ub, kMadePreds + 32 * k, 32, call.made_pred[k]);
}

// --- what the machines do ---------------------------------------------------------------------------------------------

class AllMachines {
 public:
  AllMachines() : memory_(Target::A5, 0), context_(memory_), tags_(memory_.map()) { bound_.options = &options_; }

  void check(const MicroCallCase& c) {
    INFO(c.label());
    current = &c;
    const MicroExpected expected(c, memory_.map().origin(Space::Ub));
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
  void run(const MicroCallCase& c, Machine machine) {
    std::memcpy(memory_.bytes(Space::Ub, 0, kEnd).data(), c.memory.data(), kEnd);
    context_.fault = {};
    machine(context_, bound_, c.type, around_call);
    CHECK_MESSAGE(!context_.fault, context_.fault.text());
  }
  std::uint8_t at(std::uint32_t address) const {
    return std::to_integer<std::uint8_t>(memory_.base()[memory_.map().flat(Space::Ub, address)]);
  }
  void compare(const char* what, const MicroExpected& expected) const {
    for (std::uint32_t k = 0; k < kEnd; ++k) {
      const std::uint8_t value = expected.after(k).value;
      if (at(k) == value) continue;
      FAIL_CHECK(fmt::format("{}: byte 0x{:x}: expected 0x{:02x}, got 0x{:02x}", what, k, value, at(k)));
      return;
    }
  }
  // One micro-step, which shows the results and no values on the way to them.
  Trace check_trace(const MicroCallCase& c, const MicroExpected& expected) {
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
      const std::uint32_t from = is_register ? kMadeRegs + VL * static_cast<std::uint32_t>(k)
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
  void check_links(const MicroCallCase& c, const Trace& trace) const {
    const bool logic = c.is("pand") || c.is("por") || c.is("pxor") || c.is("pnot");
    const std::string wrong = first_wrong_link(trace, memory_.map(), tags_, logic), untrue = first_false_move(trace);
    CHECK_MESSAGE(wrong.empty(), wrong);
    CHECK_MESSAGE(untrue.empty(), untrue);
  }
  void check_tags(const MicroCallCase& c, const MicroExpected& expected) {
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

}  // namespace

TEST_CASE("micro-operations by name: every word and type does what the ISA says, and knows where it came from") {
  AllMachines machines;
  Random random(91);
  const int all = rounds(1, 1, 40);
  for (const MicroRow& row : a5::micro_rows()) {
    if (is_part_of_stream(row.name) || row.name == "vcvt") continue;
    for (const DType type : kMicroTypes) {
      if (!row.types.contains(type)) continue;
      for (const std::string_view word : words_of(row)) {
        if (kSanitized && !random.one_in(16)) continue;  // most of the time would go into the oracle
        for (int round = 0; round < all; ++round) machines.check(random_micro_case(random, row, type, word));
      }
    }
  }
}

TEST_CASE("micro-operations by name: conversions take the lanes of their part") {
  AllMachines machines;
  Random random(92);
  const MicroRow& row = *a5::find_micro_row("vcvt");
  for (const MicroPair& pair : micro_conversions()) {
    for (const DType to : kMicroTypes) {
      if (!pair.to.contains(to)) continue;
      const std::uint32_t from_size = size_bytes(pair.from), to_size = size_bytes(to),
                          parts = std::max(from_size, to_size) / std::min(from_size, to_size);
      for (int round = 0; round < rounds(1, 6, 80); ++round) {
        MicroCallCase c = random_micro_case(random, row, pair.from, "");
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

TEST_CASE("micro-operations by name: all that programs spell") {
  const std::set<std::string_view> kNoLanes{"vecscope", "vbitcast", "pbitcast", "vbitsort", "vmrgsort4"};
  for (const text::OpRow& row : text::op_rows()) {
    std::string name(row.name.substr(row.name.find('.') + 1));
    if (row.group != text::OpGroup::Micro || (name[0] != 'v' && name[0] != 'p') || !row.current.empty() ||
        kNoLanes.contains(name))
      continue;
    CAPTURE(name);
    if (const std::size_t width = name.rfind("_b"); width != std::string::npos && name[0] == 'p') name.resize(width);
    CHECK(a5::find_micro_row(name) != nullptr);
  }
}

}  // namespace ts
