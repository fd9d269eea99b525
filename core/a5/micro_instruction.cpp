// A step takes its operands out of the registers, makes the call, and puts back what it made.
#include "core/a5/micro_instruction.h"

#include <algorithm>
#include <deque>
#include <string>

#include <fmt/format.h>

#include "core/a5/micro_calls.h"
#include "core/catalogue/beside.h"
#include "core/catalogue/rules.h"
#include "core/engine/any_machines.h"
#include "core/isa/special_registers.h"

namespace ts::a5 {
namespace {

constexpr MicroOp kTake{"read register", FlowKind::Emulator, "reg = %v", "what the register holds that the text names"};
constexpr MicroOp kGive{"write register", FlowKind::Emulator, "%v = reg", "the register that the text names holds it"};

// What an operand of a call is, by its name: found once, since a program makes the call millions of times.
enum class Taken : std::uint8_t { Other, Indices, Ar, BlockStride, RepeatStride, Half, Offset };
Taken taken_by(std::string_view name) {
  constexpr std::pair<std::string_view, Taken> kNames[] = {
      {"indices", Taken::Indices},           {"offsets", Taken::Indices}, {kAr, Taken::Ar},
      {"block_stride", Taken::BlockStride},  {"half", Taken::Half},       {"offset", Taken::Offset},
      {"repeat_stride", Taken::RepeatStride}};
  const auto* found = std::ranges::find(kNames, name, &std::pair<std::string_view, Taken>::first);
  return found == std::end(kNames) ? Taken::Other : found->second;
}

struct MicroInstruction : InstructionRow {
  const MicroRow* does = nullptr;
  DType mask_lanes = DType::U8;
  std::string word, words;  // what its word is called, and all of them, as the attribute has them
  bool converts = false;
  std::vector<std::vector<Taken>> taken = {};  // by form, by its operands
  std::vector<std::size_t> typed = {};         // by form: which operand has the lanes of the call

  void settle_names() {
    for (const FormRow& form : forms) {
      std::vector<Taken>& mine = taken.emplace_back();
      for (const OperandSpec& spec : form.operands) mine.push_back(taken_by(spec.name));
      const auto lanes = std::ranges::find(form.operands, typed_by, &OperandSpec::name);
      typed.push_back(static_cast<std::size_t>(lanes - form.operands.begin()));
    }
  }
};

const MicroInstruction& instruction_of(const InstructionRow& row) { return static_cast<const MicroInstruction&>(row); }

// --- words ------------------------------------------------------------------------------------------------------------

constexpr AttributeSpec kConversion[] = {
    {"rnd", "R|A|F|C|Z|O", "ROUND_R=R|ROUND_A=A|ROUND_F=F|ROUND_C=C|ROUND_Z=Z|ROUND_O=O"},
    {"sat", "NOSAT|SAT", "RS_DISABLE=NOSAT|RS_ENABLE=SAT"},
    {"part", "EVEN|ODD|P0|P1|P2|P3", "PART_EVEN=EVEN|PART_ODD=ODD|PART_P0=P0|PART_P1=P1|PART_P2=P2|PART_P3=P3"},
};

// The pairs of types that vcvt has.
struct Pair {
  DType from;
  DTypeSet to;
};
constexpr Pair kPairs[] = {
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
DTypeSet results_of(DType from) {
  const auto* pair = std::ranges::find(kPairs, from, &Pair::from);
  return pair == std::end(kPairs) ? DTypeSet{} : pair->to;
}

Conversion conversion_of(const Bound& bound, DType from, DType to, std::uint64_t ctrl) {
  constexpr Rounding kRoundings[] = {Rounding::Even, Rounding::Away, Rounding::Down,
                                     Rounding::Up,   Rounding::Zero, Rounding::Odd};
  const std::uint8_t part = bound.attributes[2];
  const auto is_set = [&](std::uint32_t bit) { return (ctrl >> bit & 1) != 0; };
  const bool saturates = is_set(kCtrlDecides) ? !is_set(kCtrlKeepsLowBits) : bound.attributes[1] != 0;
  // Floats that saturate become finite, and NaN becomes 0.
  const Overflow clamp = is_float(from) && is_float(to) ? Overflow::ClampAll : Overflow::Clamp;
  return {.rounding = kRoundings[bound.attributes[0]],
          .overflow = saturates ? clamp : Overflow::Wrap,
          .part = static_cast<std::uint8_t>(part < 2 ? part : part - 2)};
}

// --- taking and giving ------------------------------------------------------------------------------------------------

bool is_register(const TileRef& tile) { return tile.type.loc == TileLoc::Register; }
bool is_vector(const TileRef& tile) { return is_register(tile) && tile.type.size_bytes() == VL; }

// Where a stream of loads goes on: the block of the next address.
constexpr std::uint32_t kStreamAt = kHeldBytes + 8;
bool goes_on(std::uint64_t stream_at, std::uint32_t address) { return stream_at == address / BLK * BLK; }

// The operands of one call, kind by kind, in the order of the text.
class Taking {
 public:
  Taking(AnyCore& core, const Bound& bound)
      : core_(core),
        bound_(bound),
        instruction_(instruction_of(*bound.row)),
        specs_(bound.row->forms[bound.form].operands),
        taken_(instruction_.taken[bound.form]) {
    const TileRef& lanes = typed();
    call_.type = is_register(lanes) && !is_vector(lanes) ? instruction_.mask_lanes : lanes.type.dtype;
    // What repeats a scalar, in the other form a lane, takes no lane of a register.
    const bool of_scalar = bound.row->forms.size() > 1 && bound.operands.front().spec->kind == OperandKind::Scalar;
    if (has_word(bound.attributes) && !of_scalar) call_.word = instruction_.does->words[bound.attributes.front()];
  }

  MicroCall& all() {
    for (const Operand& operand : bound_.operands) take(operand);
    if (instruction_.converts) {
      call_.other = bound_.tile("dst").type.dtype;
      call_.how = conversion_of(bound_, call_.type, call_.other, core_.peek(Space::Spr, kCtrl));
    }
    return call_;
  }

 private:
  bool has_word(std::span<const std::uint8_t> attributes) const {
    return !attributes.empty() && !instruction_.does->words.empty();
  }

  const TileRef& typed() const {
    const OperandSpec* spec = &specs_[instruction_.typed[bound_.form]];
    return std::ranges::find(bound_.operands, spec, &Operand::spec)->tile;
  }
  Taken taken(const Operand& operand) const { return taken_[static_cast<std::size_t>(operand.spec - specs_.data())]; }

  void take(const Operand& operand) {
    if (operand.spec->kind == OperandKind::Scalar) return number(operand);
    if (!is_register(operand.tile)) {
      call_.address = operand.tile.address;
    } else if (operand.spec->role != Role::Out || operand.spec->reads) {
      in_register(operand);
    } else if (operand.tile.type.size_bytes() == kStreamBytes) {
      call_.staging = operand.tile.address;
    }
  }

  void number(const Operand& operand) {
    const auto value = static_cast<std::uint32_t>(operand.scalar.bits);
    const auto origin = static_cast<std::uint32_t>(&operand - bound_.operands.data()) + 1;
    switch (taken(operand)) {
      case Taken::BlockStride: call_.stride[0] = value & 0xFFFF; break;
      case Taken::RepeatStride: call_.stride[1] = value & 0xFFFF; break;
      case Taken::Half: call_.word = instruction_.does->words[value & 1]; break;
      case Taken::Offset: call_.address += value * size_bytes(call_.type); break;
      default: call_.count = value; break;
    }
    call_.scalar = {operand.scalar.bits, call_.type, origin};
  }

  void in_register(const Operand& operand) {
    const TileRef& tile = operand.tile;
    const auto size = static_cast<std::uint32_t>(tile.type.size_bytes());
    core_.micro(kTake, tile.type.dtype, AddressArg{Space::Reg, tile.address, 0, tile.elem_bytes()});
    if (size == VL) {
      call_.reg[vectors_++] = core_.load<LoadKind::Norm>(tile.type.dtype, kTake, Space::Reg, tile.address, VL, BLK);
      if (taken(operand) == Taken::Indices) call_.other = tile.type.dtype;
    } else if (size == kCounterBytes) {
      (taken(operand) == Taken::Ar ? call_.ar : call_.squeezed) =
          static_cast<std::uint32_t>(core_.peek(Space::Reg, tile.address));
    } else if (size == kMaskBytes) {
      call_.pred[masks_++] = core_.load_predicate<PredLoad::Norm>(DType::U8, kTake, Space::Reg, tile.address, BLK);
    } else {
      call_.held = core_.load<LoadKind::Block>(DType::U8, kTake, Space::Reg, tile.address, BLK, BLK);
      call_.held_bytes = static_cast<std::uint32_t>(core_.peek(Space::Reg, tile.address + kHeldBytes));
      if (instruction_.data_rules != nullptr &&
          !goes_on(core_.peek(Space::Reg, tile.address + kStreamAt), call_.address))
        core_.watch_data();
    }
  }

  AnyCore& core_;
  const Bound& bound_;
  const MicroInstruction& instruction_;
  const std::vector<OperandSpec>& specs_;
  const std::vector<Taken>& taken_;
  MicroCall call_;
  std::size_t vectors_ = 0, masks_ = 0;
};

// A stream of loads holds the block that it read last.
AnyReg block_at(AnyCore& core, std::uint32_t address) {
  return core.load<LoadKind::Block>(DType::U8, kGive, Space::Ub, address / BLK * BLK, BLK, BLK);
}

void give_stream(AnyCore& core, const Bound& bound, const MicroCall& call, std::uint32_t address) {
  const bool loads =
      bound.has("src") && bound.find("src")->spec->kind == OperandKind::Tile && !is_register(bound.tile("src"));
  core.micro(kGive, DType::U8, AddressArg{Space::Reg, address, 0, 1});
  const AnyReg held = loads ? block_at(core, call.address + (bound.has("next_align") ? VL - 1 : 0)) : call.held;
  core.store_span(kGive, Space::Reg, address, held, kHeldBytes);
  const std::uint64_t count = loads ? kHeldBytes : call.held_bytes;
  core.store_scalar(kGive, Space::Reg, address + kHeldBytes, 8, LaneScalar{count, DType::U64, 0});
  const std::uint32_t next = call.address + (bound.has("next_align") ? VL : 0);
  if (loads) core.store_scalar(kGive, Space::Reg, address + kStreamAt, 8, LaneScalar{next / BLK * BLK, DType::U64, 0});
}

void give(AnyCore& core, const Bound& bound, const MicroCall& call) {
  std::size_t vectors = 0, masks = 0;
  for (const Operand& operand : bound.operands) {
    if (operand.spec->role != Role::Out || !is_register(operand.tile)) continue;
    const TileRef& tile = operand.tile;
    const auto size = static_cast<std::uint32_t>(tile.type.size_bytes());
    const DType type = tile.type.dtype;
    if (size == VL) {
      core.micro(kGive, type, call.made[vectors], AddressArg{Space::Reg, tile.address, 0, tile.elem_bytes()});
      core.store_span(kGive, Space::Reg, tile.address, call.made[vectors++], VL);
    } else if (size == kMaskBytes) {
      core.micro(kGive, type, call.made_pred[masks], AddressArg{Space::Reg, tile.address, 0, 1});
      core.store_predicate(PredStore::Norm, kGive, Space::Reg, tile.address, kMaskBytes, call.made_pred[masks++]);
    } else if (size == kCounterBytes) {
      const std::uint64_t count = operand.spec->name == kAr ? call.ar : call.squeezed;
      core.micro(kGive, type, AddressArg{Space::Reg, tile.address, 0, size});
      core.store_scalar(kGive, Space::Reg, tile.address, size, LaneScalar{count, DType::U64, 0});
    } else {
      give_stream(core, bound, call, tile.address);
    }
  }
}

void micro_step(AnyCore& core, const Bound& bound, DType) {
  Taking taking(core, bound);
  MicroCall& call = taking.all();
  instruction_of(*bound.row).does->run(core, *bound.options, call);
  give(core, bound, call);
}

// --- rows -------------------------------------------------------------------------------------------------------------

DTypeSet every_type(Target target, const Options&) { return target == Target::A5 ? kAllTypes : DTypeSet{}; }

// Which types a conversion goes between, and which of the wider register's lanes it takes or makes.
void conversion_rules(RuleCheck& check) {
  const DType from = check.tile("src").type.dtype, to = check.tile("dst").type.dtype;
  const DTypeSet all = results_of(from);
  if (!all.contains(to)) {
    check.error(check.own("R1"), "dst", fmt::format("vcvt has no way from {} to {}", name(from), name(to)),
                all.empty() ? fmt::format("nothing is converted from {}", name(from))
                            : fmt::format("from {} it goes to {}", name(from), all.list()));
    return;
  }
  const std::uint32_t a = size_bytes(from), b = size_bytes(to), ratio = std::max(a, b) / std::min(a, b);
  const std::uint8_t word = check.bound().attributes[2];
  const bool fits = word == 0 || (ratio == 2 && word < 2) || (ratio == 4 && word >= 2);
  if (!fits)
    check.error(check.own("R2"), "", fmt::format("from {} to {} there is no such part", name(from), name(to)),
                ratio == 1   ? "leave part out: lanes are as wide as before"
                : ratio == 2 ? "part is EVEN or ODD"
                             : "part is P0, P1, P2 or P3");
}

void lane_rules(RuleCheck& check) {
  const MicroInstruction& instruction = instruction_of(*check.bound().row);
  const TileRef& tile = check.tile(instruction.typed_by);
  if (is_register(tile) && !is_vector(tile)) return;
  if (instruction.converts) return conversion_rules(check);
  if (instruction.does->types.contains(tile.type.dtype)) return;
  check.error(check.own("R1"), instruction.typed_by,
              fmt::format("{} has no lanes of {}", instruction.name, name(tile.type.dtype)),
              fmt::format("it has lanes of {}", instruction.does->types.list()));
}

// What a stream of loads holds was read when it was begun, or by the load before.
void stream_rules(RuleCheck& check, const Memory& before) {
  ByteRange at = check.tile("align").range();
  at = at.with(at.address + kStreamAt, 8);
  const std::uint64_t stream = before.element(at);
  const std::uint32_t address = check.tile("src").address;
  if (goes_on(stream, address)) return;
  check.warn(
      "STREAM-ADDRESS", "src",
      fmt::format("vldus reads from 0x{:x}; the stream goes on at the block of 0x{:x}", address, stream),
      "the core joins the block that it holds to others: begin the stream there with pto.vldas, or read 256 bytes on");
}

OperandSpec counter(std::string_view name, bool reads) {
  return {.name = name, .role = Role::Out, .loc = TileLoc::Register, .reads = reads};
}

}  // namespace

bool counts_stored(const InstructionRow& row) {
  const Counting counting = instruction_of(row).does->counting;
  return counting == Counting::Stores || counting == Counting::Flushes;
}
bool may_count(const InstructionRow& row) { return instruction_of(row).does->counting == Counting::Squeezes; }

DTypeSet lane_types(const InstructionRow& row) {
  const MicroInstruction& instruction = instruction_of(row);
  if (instruction.name != instruction.does->name) return {instruction.mask_lanes};
  if (!instruction.converts) return instruction.does->types;
  DTypeSet from;
  for (const Pair& pair : kPairs) from = from | DTypeSet{pair.from};
  return from;
}

std::uint8_t usual_word(const InstructionRow& row, DType type) {
  // Stores name the width of the lanes that they store.
  const std::span<const std::string_view> words = instruction_of(row).does->words;
  const std::string_view first = words.empty() ? "" : words.front();
  if (first != "NORM_B8") return 0;
  return size_bytes(type) == 1 ? 0 : size_bytes(type) == 2 ? 1 : 2;
}

std::uint32_t moved_bytes(const InstructionRow& row, DType type) {
  const std::string_view name = instruction_of(row).does->name;
  return name == "pstu" ? VL / 8 / size_bytes(type) : name == "vsldb" || name == "vsstb" ? BLK : 0;
}

std::uint32_t reached_bytes(const InstructionRow& row, std::span<const std::uint8_t> attributes, DType type) {
  const MicroRow& does = *instruction_of(row).does;
  if (does.name == "pstu") return VL / 8 / size_bytes(type);
  const std::uint32_t known =
      reach_of(does, does.words.empty() || attributes.empty() ? "" : does.words[attributes.front()]);
  return known != 0 ? known : size_bytes(type);
}

const InstructionRow* make_micro_instruction(MicroText text) {
  const MicroRow* does = find_micro_row(text.name);
  if (does == nullptr) return nullptr;
  static std::deque<MicroInstruction> all;
  MicroInstruction& made = all.emplace_back();
  made.name = text.spelled;
  made.summary = text.summary;
  made.forms = std::move(text.forms);
  made.typed_by = text.typed_by;
  made.types = every_type;
  made.pipe = Pipe::V;
  made.draw = Drawing::Lanes;
  made.rules = lane_rules;
  made.micro = true;
  if (does->name == "vldus") made.data_rules = stream_rules;
  made.machines = any_machines<micro_step>();
  made.does = does;
  made.mask_lanes = text.mask_lanes;
  for (const std::string_view word : does->words) made.words += (made.words.empty() ? "" : "|") + std::string(word);
  made.converts = does->run == find_micro_row("vcvt")->run;
  if (made.converts) made.attributes.assign(std::begin(kConversion), std::end(kConversion));
  if (does->counting == Counting::Squeezes) {  // a second form, which says how much it kept
    FormRow form = made.forms.front();
    form.operands.push_back(counter(kSqueezed, false));
    made.forms.push_back(std::move(form));
  } else if (does->counting != Counting::None) {
    std::vector<OperandSpec>& operands = made.forms.front().operands;
    const auto results = std::ranges::find(operands, Role::Out, &OperandSpec::role);
    const auto at =
        std::ranges::find_if(results, operands.end(), [](const auto& one) { return one.loc == TileLoc::Register; });
    const auto behind = operands.insert(at, counter(kAr, true));
    if (does->counting == Counting::Stores) operands.insert(behind, in_at(kSqueezed, TileLoc::Register));
  }
  made.word = text.word;
  if (!made.word.empty() && !made.words.empty()) made.attributes = {{made.word.c_str(), made.words.c_str()}};
  made.settle_names();
  return &made;
}

// --- the control register ---------------------------------------------------------------------------------------------

namespace {

constexpr MicroOp kSetControl{"set_ctrl", FlowKind::Control, "CTRL = s", "the scalar pipe sets the core's modes"};

void write_control(AnyCore& core, const Bound& bound, DType) {
  const LaneScalar scalar{bound.scalar("value").bits, DType::U64, 1};
  core.micro(kSetControl, DType::U64, scalar);
  core.store_scalar(kSetControl, Space::Spr, kCtrl, sizeof(std::uint64_t), scalar);
}

const InstructionRow set_control = [] {
  InstructionRow row{.name = "set_ctrl",
                     .summary = "Writes the control register.",
                     .forms = {{"", {scalar("value")}, ""}},
                     .typed_by = "value",
                     .types = every_type,
                     .pipe = Pipe::S,
                     .machines = any_machines<write_control>()};
  row.micro = true;
  return row;
}();
const RegisteredBeside registered(set_control);

}  // namespace

}  // namespace ts::a5
