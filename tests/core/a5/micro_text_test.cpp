// Every A5 vector micro-operation as a line of a program, for every type and every word it may have: what the program leaves
// in memory is what the oracle says, on each SIMD level; and where it came from.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/record/inspector.h"
#include "core/record/recording.h"
#include "core/text/ops/signature.h"
#include "tests/support/engine/micro_cases.h"
#include "tests/support/engine/simd_levels.h"
#include "tests/support/record/by_plans.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts {
namespace {

using namespace test;
using a5::MicroRow;

const char* spelled(DType type) {
  switch (type) {
    case DType::I8: return "i8";
    case DType::U8: return "ui8";
    case DType::I16: return "i16";
    case DType::U16: return "ui16";
    case DType::I32: return "i32";
    case DType::U32: return "ui32";
    case DType::I64: return "i64";
    case DType::U64: return "ui64";
    case DType::F16: return "f16";
    case DType::BF16: return "bf16";
    default: return "f32";
  }
}
std::string vreg(DType type) { return fmt::format("!pto.vreg<{}x{}>", VL / size_bytes(type), spelled(type)); }
std::string mask_of(DType type) { return fmt::format("!pto.mask<b{}>", std::min(8 * size_bytes(type), 32u)); }
std::string pointer_to(DType type) { return fmt::format("!pto.ptr<{}, ub>", spelled(type)); }
DType as_wide_as(DType type, std::uint32_t bytes) {
  const bool is_signed = type == DType::I8 || type == DType::I16 || type == DType::I32;
  return bytes == 1   ? (is_signed ? DType::I8 : DType::U8)
         : bytes == 2 ? (is_signed ? DType::I16 : DType::U16)
                      : (is_signed ? DType::I32 : DType::U32);
}

// A program around one call: it copies memory to UB, loads registers and masks from there, makes the call, stores what it
// made, and copies all back.
class CallText {
 public:
  explicit CallText(const MicroCallCase& c) : case_(c), row_(text::op_row(text::find_op(operation_name()))) {
    line("%zero = arith.constant 0 : i64");
    line("%one = arith.constant 1 : i64");
    line("%length = arith.constant {} : i64", kEnd);
    line("%none = arith.constant 0 : index");
    line("%base = pto.castptr %zero : i64 -> !pto.ptr<ui8, ub>");
    line(
        "pto.mte_gm_ub %in, %base, %zero, %length nburst(%one, %length, %length) : !pto.ptr<ui8, gm>, !pto.ptr<ui8, ub>, i64, "
        "i64, i64, i64, i64");
    line("pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"]");
    line("pto.wait_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"]");
    line("pto.vecscope {{");
    line("%all = pto.pset_b8 \"PAT_ALL\" : !pto.mask<b8>");
    call();
    line("}}");
    line("pto.set_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]");
    line("pto.wait_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]");
    line(
        "pto.mte_ub_gm %base, %out, %length nburst(%one, %length, %length) : !pto.ptr<ui8, ub>, !pto.ptr<ui8, gm>, i64, i64, "
        "i64, i64");
  }

  std::string text() const {
    return "module attributes {pto.target_arch = \"a5\"} {\n  func.func @call(%in: !pto.ptr<ui8, gm>, %out: !pto.ptr<ui8, gm>) "
           "attributes {pto.aicore} {\n" +
           lines_ + "    return\n  }\n}\n";
  }

  // The name of the call, without the dialect.
  std::string_view called() const { return row_.name.substr(row_.name.find('.') + 1); }

 private:
  std::string operation_name() const {
    const std::string name = "pto." + std::string(case_.row->name);
    const bool by_width = case_.row->types.contains(DType::U8) && text::find_op(name) == text::kUnknownOp;
    return by_width ? fmt::format("{}_b{}", name, 8 * size_bytes(case_.type)) : name;
  }
  bool is(std::string_view name) const { return case_.row->name == name; }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    lines_ += "    " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  std::string constant(std::uint64_t bits, DType type) {
    const std::string name = fmt::format("%c{}", ++names_);
    if (is_float(type)) line("{} = arith.constant 0x{:0{}X} : {}", name, bits, 2 * size_bytes(type), spelled(type));
    else line("{} = arith.constant {} : {}", name, signed_value(bits, type), spelled(type));
    return name;
  }
  static std::string signed_value(std::uint64_t bits, DType type) {
    const bool is_signed = type == DType::I8 || type == DType::I16 || type == DType::I32 || type == DType::I64;
    const std::uint32_t unused = 64 - 8 * size_bytes(type);
    const auto value = static_cast<std::int64_t>(bits << unused) >> unused;
    return is_signed ? fmt::format("{}", value) : fmt::format("{}", (bits << unused) >> unused);
  }
  std::string index(std::uint64_t value) {
    const std::string name = fmt::format("%c{}", ++names_);
    line("{} = arith.constant {} : index", name, value);
    return name;
  }
  std::string pointer(std::uint32_t address, DType type) {
    const std::string name = fmt::format("%p{}", ++names_);
    line("{} = pto.castptr {} : i64 -> {}", name, constant(address, DType::I64), pointer_to(type));
    return name;
  }

  // The type of a register that the call takes or makes.
  DType taken_type(std::size_t number) const {
    const bool indices = is("vgather2") || is("vgather2_bc") || is("vgatherb") || (is("vscatter") && number == 1);
    if (is("vgatherb")) return DType::U32;
    if (is("vselr") && number == 1) return as_wide_as(DType::U8, size_bytes(case_.type));
    return indices ? case_.other : case_.type;
  }
  DType made_type() const {
    const std::uint32_t size = size_bytes(case_.type);
    if (is("vcvt")) return case_.other;
    if (is("vgather2") && size == 1) return as_wide_as(case_.type, 2);
    if (is("vgather2_bc") && size < 4) return DType::U32;
    if (is("vpack")) return as_wide_as(DType::U8, size / 2);
    if (is("vsunpack") || is("vzunpack")) return as_wide_as(case_.type, 2 * size);
    return case_.type;
  }

  void call() {
    const text::SignatureForm& form = text::signature(text::find_op(row_.name)).forms.front();
    if (is("vstus")) return stream();
    for (const text::SignatureOperand& operand : form.operands) take(operand);
    std::string results, made_types;
    for (const text::SignatureOperand& result : form.results)
      if (result.sort != text::OperandSort::Pointer) make(result, results, made_types);
    std::string attributes;
    if (is("vcvt")) attributes = conversion();
    else if (!case_.word.empty() && !said_) attributes = fmt::format(" {{{} = \"{}\"}}", word_name(), case_.word);
    line("{}{} {}{} : {}{}{}", results.empty() ? "" : results + " = ", row_.name, operands_, attributes, types_,
         types_.empty() || made_types.empty() ? "" : " -> ", made_types);
    store();
  }

  void take(const text::SignatureOperand& operand) {
    using enum text::OperandSort;
    const auto add = [&](const std::string& what, const std::string& type) {
      operands_ += (operands_.empty() ? "" : ", ") + what;
      if (!type.empty()) types_ += (types_.empty() ? "" : ", ") + type;
    };
    switch (operand.sort) {
      case Vector: {
        const std::string name = load(registers_);
        return add(name, vreg(taken_type(registers_ - 1)));
      }
      case Any:
        return case_.word.empty() ? add(constant(case_.scalar.bits, case_.type), spelled(case_.type))
                                  : add(load(registers_), vreg(case_.type));
      case Mask: return add(load_mask(), mask_type());
      case Scalar: return add(constant(case_.scalar.bits, case_.type), spelled(case_.type));
      case Element: {
        const bool mask = row_.name.starts_with("pto.p");
        const DType type = mask ? DType::U8 : case_.type;
        // Half of the place is the pointer's, half the index's.
        const std::uint32_t at = kData + case_.address, ahead = at % 512 / size_bytes(type);
        const std::string type_text = pointer_to(type);
        const bool index_type = mask || row_.name.ends_with("x2");
        return add(fmt::format("{}[{}]", pointer(at - ahead * size_bytes(type), type), index(ahead)),
                   index_type ? type_text + ", index" : type_text);
      }
      case Pointer: return add(pointer(kData + case_.address, case_.type), pointer_to(case_.type));
      case Align: {
        line("%stream = pto.vldas {} : {} -> !pto.align", operands_, types_);
        return add("%stream", "!pto.align");
      }
      case Word: said_ = true; return add(fmt::format("\"{}\"", case_.word), "");
      case Integer: return number(operand, add);
      default: return;
    }
  }
  template <class Add>
  void number(const text::SignatureOperand& operand, Add add) {
    if (operand.name == "block_stride" || operand.name == "repeat_stride")
      return add(constant(case_.stride[operand.name == "block_stride" ? 0 : 1], DType::I16), "i16");
    if (operand.name == "half") {
      said_ = true;
      return add(index(case_.word == "1" ? 1 : 0), "index");
    }
    if (is("plt")) return add(constant(case_.count, DType::I32), "i32");
    if (is("vshls") || is("vshrs")) return add(constant(case_.scalar.bits, DType::I16), "i16");
  }

  std::string load(std::size_t number) {
    const std::string name = fmt::format("%r{}", number);
    const DType type = taken_type(number);
    line("{} = pto.vlds {}[%none] : {} -> {}", name, pointer(kRegs + VL * static_cast<std::uint32_t>(number), type),
         pointer_to(type), vreg(type));
    ++registers_;
    return name;
  }
  std::string mask_type() const {
    if (is("vgatherb")) return "!pto.mask<b32>";
    if (is("vsts") && case_.word.starts_with("PK")) return case_.word == "PK_B16" ? "!pto.mask<b16>" : "!pto.mask<b32>";
    if (is("vgather2") || is("vscatter") || is("vgather2_bc")) return mask_of(case_.other);
    return mask_of(case_.type);
  }
  std::string load_mask() {
    const std::string name = fmt::format("%m{}", masks_);
    line("{} = pto.plds {}[%none], \"NORM\" : !pto.ptr<ui8, ub>, index -> {}", name,
         pointer(kPreds + 32 * masks_, DType::U8), mask_type());
    ++masks_;
    return name;
  }

  void make(const text::SignatureOperand& result, std::string& results, std::string& types) {
    const bool vector = result.sort == text::OperandSort::Vector, mask = result.sort == text::OperandSort::Mask;
    const std::string name = vector ? fmt::format("%made{}", made_++)
                             : mask ? fmt::format("%mask{}", made_masks_++)
                                    : fmt::format("%rest{}", ++names_);
    results += (results.empty() ? "" : ", ") + name;
    types += (types.empty() ? "" : ", ") + (vector                                    ? vreg(made_type())
                                            : mask                                    ? mask_of(case_.type)
                                            : result.sort == text::OperandSort::Align ? "!pto.align"
                                                                                      : "i32");
  }
  std::string_view word_name() const { return is("vdup") ? "position" : is("vci") ? "order" : "dist"; }
  std::string conversion() const {
    const std::uint32_t a = size_bytes(case_.type), b = size_bytes(case_.other),
                        ratio = std::max(a, b) / std::min(a, b);
    const std::string part = ratio == 1   ? ""
                             : ratio == 2 ? fmt::format(", part = \"{}\"", case_.how.part == 0 ? "EVEN" : "ODD")
                                          : fmt::format(", part = \"P{}\"", case_.how.part);
    return fmt::format(" {{rnd = \"{}\", sat = \"{}\"{}}}",
                       std::string("RAFCZO")[static_cast<std::size_t>(case_.how.rounding)],
                       case_.how.overflow == Overflow::Wrap ? "NOSAT" : "SAT", part);
  }

  void stream() {
    const std::string held = load(0), at = pointer(kData + case_.address, case_.type),
                      count = constant(case_.count, DType::I32);
    line("%empty = pto.init_align : !pto.align");
    line("%waits = pto.vstus %empty, {}, {}, {} : !pto.align, i32, {}, {} -> !pto.align", count, held, at,
         vreg(case_.type), pointer_to(case_.type));
    line("pto.vstas %waits, {}, {} : !pto.align, {}, i32", at, count, pointer_to(case_.type));
  }

  void store() {
    for (std::size_t k = 0; k < made_; ++k) {
      line("%bits{} = pto.vbitcast %made{} : {} -> !pto.vreg<256xui8>", k, k, vreg(made_type()));
      line("pto.vsts %bits{}, {}[%none], %all : !pto.vreg<256xui8>, !pto.ptr<ui8, ub>, !pto.mask<b8>", k,
           pointer(kMadeRegs + VL * static_cast<std::uint32_t>(k), DType::U8));
    }
    for (std::size_t k = 0; k < made_masks_; ++k)
      line("pto.psts %mask{}, {}[%none], \"NORM\" : {}, !pto.ptr<ui8, ub>, index", k,
           pointer(kMadePreds + 32 * static_cast<std::uint32_t>(k), DType::U8), mask_of(case_.type));
  }

  const MicroCallCase& case_;
  std::string lines_;
  const text::OpRow& row_;
  std::string operands_, types_;
  int names_ = 0;
  std::size_t registers_ = 0, made_ = 0, made_masks_ = 0;
  std::uint32_t masks_ = 0;
  bool said_ = false;
};

std::string told(const Diagnostics& all) {
  std::string out;
  for (const Diagnostic& one : all) out += one.format() + "\n";
  return out;
}

// A store of f16 lanes, with a mask of so many bits a lane.
std::string told_of_store(std::string_view dist, int bits) {
  const std::string text = fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
  func.func @store() attributes {{pto.aicore}} {{
    %zero = arith.constant 0 : i64
    %none = arith.constant 0 : index
    %to = pto.castptr %zero : i64 -> !pto.ptr<f16, ub>
    pto.vecscope {{
      %one = arith.constant 1.0 : f16
      %m = pto.pset_b{1} "PAT_ALL" : !pto.mask<b{1}>
      %v = pto.vbr %one : f16 -> !pto.vreg<128xf16>
      pto.vsts %v, %to[%none], %m {{dist = "{0}"}} : !pto.vreg<128xf16>, !pto.ptr<f16, ub>, !pto.mask<b{1}>
    }}
    return
  }}
}}
)",
                                       dist, bits);
  return told(open_text(text, Target::A5, {}).diagnostics);
}

std::shared_ptr<Recording> recorded(const std::string& text, const std::vector<std::uint8_t>& memory) {
  OpenRequest request;
  std::vector<std::byte> bytes(memory.size());
  std::memcpy(bytes.data(), memory.data(), memory.size());
  request.inputs.data["in"] = std::move(bytes);
  OpenedText opened = open_text(text, Target::A5, request);
  const std::string messages = told(opened.diagnostics);
  CAPTURE(text);
  CAPTURE(messages);
  REQUIRE(opened.opened);
  auto recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{16} << 20});
  std::string findings;
  for (const Finding& one : recording->findings()) findings += one.diagnostic.format() + "\n";
  CHECK_MESSAGE(recording->stop_reason() == StopReason::End, findings);
  return recording;
}

void check_text(const MicroCallCase& c) {
  INFO(c.label());
  const CallText written(c);
  const MicroExpected expected(c, 0);
  for (const std::int64_t level : simd_levels()) {
    const OnSimdLevel on(level);
    const auto recording = recorded(written.text(), c.memory);
    check_by_plans(*recording);
    const Memory& memory = recording->final_memory();
    const auto at = [&](std::uint32_t place) {
      return std::to_integer<std::uint8_t>(memory.bytes(Space::Ub, place, 1)[0]);
    };
    for (std::uint32_t k = 0; k < kEnd; ++k) {
      if (k >= kMadeRegs && !(k < kMadeRegs + VL * expected.registers) &&
          !(k >= kMadePreds && k < kMadePreds + 32 * expected.predicates))
        continue;  // nothing was made there
      const std::uint8_t value = expected.after(k).value;
      if (at(k) == value) continue;
      FAIL_CHECK(fmt::format("byte 0x{:x}: expected 0x{:02x}, got 0x{:02x}\n{}", k, value, at(k), written.text()));
      return;
    }
  }
}

// --- sources ----------------------------------------------------------------------------------------------------------

// Where the results of the call's step came from, in the numbers that the oracle has: of UB as the program found it.
class StepSources {
 public:
  StepSources(const Recording& recording, std::string_view called) : recording_(recording), inspector_(recording) {
    for (std::uint32_t step = 0; step < recording.count(); ++step)
      if (recording.bound(step).row->name == called) step_ = step;
    flow_.emplace(inspector_.flow(step_));
    std::uint32_t registers = 0, masks = 0;
    for (const Operand& operand : recording.bound(step_).operands) {
      if (operand.spec->kind == OperandKind::Scalar || operand.tile.space() != Space::Reg) continue;
      const Flat at = recording.map().flat(operand.tile.range());
      const bool vector = operand.tile.range().size == VL;
      if (operand.spec->role == Role::Out) (vector ? made_ : made_masks_).push_back(at);
      else if (vector) taken_.push_back({at, kRegs + VL * registers++, VL});
      else taken_.push_back({at, kPreds + 32 * masks++, 32});
    }
  }

  // What is wrong with them; "": nothing.
  std::string differ_from(const MicroExpected& expected) {
    for (std::uint32_t k = 0; k < made_.size() * VL; ++k)
      if (const auto wrong = of(made_[k / VL] + k % VL, expected, kMadeRegs + k); !wrong.empty()) return wrong;
    for (std::uint32_t k = 0; k < made_masks_.size() * 32; ++k)
      if (const auto wrong = of(made_masks_[k / 32] + k % 32, expected, kMadePreds + k); !wrong.empty()) return wrong;
    const Flat ub = recording_.map().origin(Space::Ub);
    for (std::uint32_t k = kData; k < kData + kDataBytes; ++k)
      if (flow_->wrote({Space::Ub, k, 1}))
        if (const auto wrong = of(ub + k, expected, k); !wrong.empty()) return wrong;
    return "";
  }

 private:
  struct Taken {
    Flat at;
    std::uint32_t place, size;
  };
  std::string of(Flat at, const MicroExpected& expected, std::uint32_t place) {
    oracle::Sources got;
    collect(TagSpan{flow_->tags().tag(at), 1}, got);
    std::ranges::sort(got);
    got.erase(std::unique(got.begin(), got.end()), got.end());
    const oracle::Sources from = expected.after(place).from;
    if (got == from) return "";
    return fmt::format("byte 0x{:x}: {} sources, the first {:x}; wanted {}, the first {:x}", place, got.size(),
                       got.empty() ? 0 : got.front(), from.size(), from.empty() ? 0 : from.front());
  }
  void collect(TagSpan span, oracle::Sources& out) {
    for (std::uint32_t k = 0; k < span.count; ++k) collect(span.first == kNoTag ? kNoTag : span.first + k, out);
  }
  void collect(Tag tag, oracle::Sources& out) {
    const TagArena& arena = flow_->tags().arena;
    if (tag == kNoTag) return;
    if (is_scalar_tag(tag)) return out.push_back(kScalarSource);
    if (is_byte_tag(tag)) return out.push_back(in_ub(tag));
    if (is_bit_tag(tag))
      return out.push_back(oracle::bit_source(in_ub((tag - kFirstBitTag) / 8), (tag - kFirstBitTag) % 8));
    collect(arena.a(tag), out);
    if (arena.kind(tag) == NodeKind::Combine || arena.kind(tag) == NodeKind::Chosen) collect(arena.b(tag), out);
  }
  std::uint64_t in_ub(Flat at) const {
    for (const Taken& one : taken_)
      if (at >= one.at && at < one.at + one.size) return one.place + (at - one.at);
    return at - recording_.map().origin(Space::Ub);
  }

  const Recording& recording_;
  Inspector inspector_;
  std::optional<Flow> flow_;
  std::uint32_t step_ = 0;
  std::vector<Taken> taken_;
  std::vector<Flat> made_, made_masks_;
};

}  // namespace

TEST_CASE("micro-instructions in text: where the result of a step came from is what the oracle says") {
  Random random(193);
  for (const MicroRow& row : a5::micro_rows()) {
    if (is_part_of_stream(row.name) || row.name == "vcvt" || row.name == "vstus" || row.name == "vldus") continue;
    for (const DType type : kMicroTypes) {
      const auto words = words_of(row);
      if (!row.types.contains(type) || (kSanitized && !random.one_in(16))) continue;
      const MicroCallCase c =
          random_micro_case(random, row, type, words[random.below(static_cast<std::uint32_t>(words.size()))]);
      INFO(c.label());
      const CallText written(c);
      const auto recording = recorded(written.text(), c.memory);
      const std::string wrong = StepSources(*recording, written.called()).differ_from(MicroExpected(c, 0));
      CHECK_MESSAGE(wrong.empty(), wrong);
    }
  }
}

TEST_CASE("micro-instructions in text: every row, type and word is written, runs, and leaves what the oracle says") {
  Random random(191);
  for (const MicroRow& row : a5::micro_rows()) {
    if (is_part_of_stream(row.name) || row.name == "vcvt") continue;
    for (const DType type : kMicroTypes) {
      if (!row.types.contains(type)) continue;
      for (const std::string_view word : words_of(row)) {
        if (kSanitized && !random.one_in(16)) continue;
        check_text(random_micro_case(random, row, type, word));
      }
    }
  }
}

TEST_CASE("micro-instructions in text: the mask of a store that packs is for the lanes that it packs") {
  for (const char* dist : {"PK_B32", "PK_B64", "PK4_B32"}) {
    CHECK(told_of_store(dist, 32) == "");
    CHECK(told_of_store(dist, 16).find("needs b32") != std::string::npos);
  }
  CHECK(told_of_store("PK_B16", 16) == "");
  CHECK(told_of_store("NORM_B16", 16) == "");
  CHECK(told_of_store("NORM_B16", 32).find("needs b16") != std::string::npos);
}

TEST_CASE("micro-instructions in text: conversions with their roundings, limits and parts") {
  Random random(192);
  for (const MicroPair& pair : micro_conversions()) {
    for (const DType to : kMicroTypes) {
      if (!pair.to.contains(to)) continue;
      const std::uint32_t a = size_bytes(pair.from), b = size_bytes(to), parts = std::max(a, b) / std::min(a, b);
      MicroCallCase c = random_micro_case(random, *a5::find_micro_row("vcvt"), pair.from, "");
      c.other = to;
      c.how.part = static_cast<std::uint8_t>(random.below(parts));
      c.how.rounding = random.pick({Rounding::Even, Rounding::Away, Rounding::Down, Rounding::Up, Rounding::Zero});
      const bool widens = !is_float(pair.from) && !is_float(to) && b > a;
      c.how.overflow = is_float(to) || widens || random.one_in(2) ? Overflow::Wrap : Overflow::Clamp;
      check_text(c);
    }
  }
}

}  // namespace ts
