// Every instruction of every type stepped into: what its micro-operations moved, all together, is what the tag machine says
// of the step. No row of micro-operations is left out that lowerings use.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>

#include "core/a2a3/micro_ops.h"
#include "core/a5/micro_calls.h"
#include "core/a5/micro_ops.h"
#include "core/catalogue/catalogue.h"
#include "core/engine/shared_ops.h"
#include "core/record/inspector.h"
#include "tests/support/engine/micro_links.h"
#include "tests/support/instructions/index_data.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/instructions/vector_plan.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

using Met = std::set<const MicroOp*>;

std::vector<std::byte> random_bytes(Random& random, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next() >> 56);
  return bytes;
}

// UB as the instruction may find it: elements of a type everywhere.
std::unique_ptr<Recording> run_on(const Program& program, Random& random, DType type) {
  const auto fill = [&](Memory& memory) {
    const std::uint32_t size = memory.map().size(Space::Ub);
    for (std::uint32_t at = 0; at < size; at += size_bytes(type)) {
      const std::uint64_t bits = random_element(random, type, Values::Plain);
      std::memcpy(memory.bytes(Space::Ub, at, size_bytes(type)).data(), &bits, size_bytes(type));
    }
    draw_indices(program, random, [&](const ByteRange& place, std::uint64_t bits) {
      memory.set_element(place.space, place.address, place.size, bits);
    });
    memory.mark(memory.map().origin(Space::Ub), size, Definedness::Written);
  };
  return Recording::run(program, {.budget_bytes = std::size_t{8} << 20, .initial = fill});
}

void check_steps(const Recording& recording, Met& met) {
  Inspector inspector(recording);
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    const Bound& bound = recording.bound(step);
    if (bound.row->machines.trace == nullptr) continue;
    INFO(label_of(bound));
    const Trace trace = inspector.trace(step);
    for (const MicroStep& micro : trace.steps) met.insert(micro.op);
    const bool predicates_are_computed = recording.program().target == Target::A5;
    const std::string wrong = first_wrong_link(trace, recording.map(), inspector.flow(step).tags(),
                                               predicates_are_computed),
                      untrue = first_false_move(trace);
    CHECK_MESSAGE(wrong.empty(), wrong);
    CHECK_MESSAGE(untrue.empty(), untrue);
  }
}

// --- the vector families ----------------------------------------------------------------------------------------------

void draw_options(Options& options, Random& random) {
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionRow& option = kOptions[i];
    if (option.value == &Options::library_types || option.value == &Options::strict) continue;
    const auto values = static_cast<std::uint32_t>(1 + std::ranges::count(std::string_view(option.values), '|'));
    options.*option.value = static_cast<std::uint8_t>(random.below(values));
  }
}

void check_vectors(Target target, Met& met) {
  Random random(311);
  int turn = 0;
  for (const InstructionRow* row : vector_instructions())
    for (int type = 0; type < kDTypes; ++type) {
      if (!row->types(target, {}).contains(static_cast<DType>(type))) continue;
      if (kSanitized && ++turn % 12 != 0) continue;
      for (const bool options : {false, true}) {
        ProgramBuilder builder(target, row->name);
        if (options) draw_options(builder.options(), random);
        for (int k = 0; k < (takes_indices(*row) ? 1 : rounds(1, 2, 8)); ++k)
          add_random_vector(builder, random, target, *row, static_cast<DType>(type));
        check_steps(*run_on(build(builder), random, static_cast<DType>(type)), met);
      }
    }
}

// --- the instructions that move ---------------------------------------------------------------------------------------

class Movers {
 public:
  Movers(Random& random, Target target, DType type)
      : random_(random), target_(target), type_(type), size_(size_bytes(type)), builder_(target, "movers") {}

  // Whole tiles, tails, and rows that are no whole registers.
  Program program(std::uint32_t rows, std::uint32_t cols, std::uint32_t valid_rows, std::uint32_t valid_cols) {
    const TileType type = vec_tile(type_, rows, cols, valid_rows, valid_cols);
    const TileId a = builder_.tile("a", type), b = builder_.tile("b", type);
    const View view{builder_.buffer("x", type_, rows * cols, random_bytes(random_, rows * cols * size_)), valid_rows,
                    valid_cols};
    builder_.add("tload", {view}, {a});
    builder_.add("tload", {view}, {b});
    const auto fresh = [&](const char* name) { return builder_.tile(name, type); };
    const Scalar scalar{type_, random_element(random_, type_, Values::Plain)};
    if (has("texpands")) builder_.add("texpands", {scalar}, {fresh("filled")});
    const TileId mask = builder_.tile("mask", vec_tile(DType::U8, rows, 32));
    builder_.add("tload",
                 {View{builder_.buffer("bits", DType::U8, rows * 32, random_bytes(random_, rows * 32)), rows, 32}},
                 {mask});
    if (has("tsels")) builder_.add("tsels", {mask, a, scalar}, {fresh("chosen")});
    if (has("tsel")) builder_.add("tsel", {mask, a, b}, {fresh("between")});
    if (has("tinterleave") && valid_cols % 2 == 0)
      builder_.add("tinterleave", {a, b}, {fresh("first"), fresh("second")});
    if (has("tdeinterleave") && valid_cols % 2 == 0)
      builder_.add("tdeinterleave", {a, b}, {fresh("even"), fresh("odd")});
    if (has("tgatherb")) gathers(a, rows, cols, type);
    builder_.add("tstore", {a}, {view});
    return build(builder_);
  }
  Program transposed(std::uint32_t rows, std::uint32_t cols, std::uint32_t valid_rows, std::uint32_t valid_cols) {
    builder_.add("ttrans", {builder_.tile("a", vec_tile(type_, rows, cols, valid_rows, valid_cols))},
                 {builder_.tile("d", vec_tile(type_, cols, rows, valid_cols, valid_rows))});
    return build(builder_);
  }

 private:
  bool has(std::string_view name) const { return find_instruction(name)->types(target_, {}).contains(type_); }
  std::vector<std::byte> offsets(std::uint32_t count, std::uint32_t most, std::uint32_t unit) {
    std::vector<std::byte> bytes(count * 4);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t offset = random_.below(most / unit) * unit;
      std::memcpy(bytes.data() + 4 * i, &offset, 4);
    }
    return bytes;
  }
  void gathers(TileId from, std::uint32_t rows, std::uint32_t cols, const TileType& type) {
    const std::uint32_t bytes = rows * cols * size_, blocks = std::max(8u, cols * size_ / BLK);
    const TileId elements = builder_.tile("elements", vec_tile(DType::U32, rows, cols)),
                 lines = builder_.tile("blocks", vec_tile(DType::U32, rows, blocks));
    builder_.add("tload",
                 {View{builder_.buffer("o", DType::U32, rows * cols, offsets(rows * cols, bytes, size_)), rows, cols}},
                 {elements});
    builder_.add(
        "tload",
        {View{builder_.buffer("p", DType::U32, rows * blocks, offsets(rows * blocks, bytes, BLK)), rows, blocks}},
        {lines});
    builder_.add("tgatherb", {from, elements}, {builder_.tile("one by one", type)}, {{"granularity", "element"}});
    builder_.add("tgatherb", {from, lines}, {builder_.tile("in blocks", type)}, {{"granularity", "block"}});
  }

  Random& random_;
  Target target_;
  DType type_;
  std::uint32_t size_;
  ProgramBuilder builder_;
};

void check_movers(Target target, Met& met) {
  Random random(312);
  for (int number = 0; number < kDTypes; ++number) {
    const auto type = static_cast<DType>(number);
    if (is_packed(type)) continue;  // whole bytes move
    const std::uint32_t cols = 64 / size_bytes(type) * 2, wide = VL / size_bytes(type) * 2;
    if (!find_instruction("tload")->types(target, {}).contains(type)) continue;
    check_steps(*run_on(Movers(random, target, type).program(4, cols, 4, cols), random, type), met);
    check_steps(*run_on(Movers(random, target, type).program(3, wide, 3, wide - 6), random, type), met);
    if (!find_instruction("ttrans")->types(target, {}).contains(type)) continue;
    check_steps(*run_on(Movers(random, target, type).transposed(cols, cols, cols - 3, cols - 1), random, type), met);
  }
}

// Forms that random shapes hardly meet.
void check_rare(Target target, Met& met) {
  Random random(313);
  ProgramBuilder builder(target, "rare");
  const TileId square = builder.tile("square", vec_tile(DType::F32, 64, 128)),
               column =
                   builder.tile("column", boxed(TileLoc::Vec, DType::F32, 64, 1, BoxOrder::ColMajor, InnerOrder::None));
  for (const char* name : {"trowsum", "trowmax", "trowmin"}) builder.add(name, {square}, {column});
  const TileId same = builder.tile("same", vec_tile(DType::F32, 4, 64));
  builder.add("tdivs", {same, Scalar{DType::F32, 0x40400000}}, {same});
  // A2A3: an emulator step, unless options or odd scratch say otherwise.
  const TileId whole = builder.tile("whole", vec_tile(DType::F32, 4, 64)),
               remainder = builder.tile("remainder", vec_tile(DType::F32, 4, 64)),
               scratch = builder.tile("scratch", vec_tile(DType::F32, 4, 128));
  if (target == Target::A2A3) builder.add("trem", {same, whole, scratch}, {remainder});
  const BufferId numbers = builder.buffer("numbers", DType::F16, 32 * 32, random_bytes(random, 32 * 32 * 2));
  const TileId plain =
                   builder.tile("plain", boxed(TileLoc::Mat, DType::F16, 32, 32, BoxOrder::RowMajor, InnerOrder::None)),
               boxes = builder.tile("boxes",
                                    boxed(TileLoc::Mat, DType::F16, 32, 32, BoxOrder::ColMajor, InnerOrder::RowMajor));
  builder.add("tload", {View{numbers, 32, 32}}, {plain});
  builder.add("tload", {View{numbers, 32, 32}}, {boxes});
  if (target == Target::A2A3) builder.add("tstore", {plain}, {View{numbers, 32, 32}});
  check_steps(*run_on(build(builder), random, DType::F32), met);
  if (target == Target::A2A3) {
    ProgramBuilder gathering(target, "gathering");
    gathering.options().gather_outside = 1;
    const TileType floats = vec_tile(DType::F32, 4, 64);
    gathering.add("tgather",
                  {gathering.tile("table", floats), gathering.tile("indices", vec_tile(DType::I32, 4, 64)),
                   gathering.tile("tmp", vec_tile(DType::I32, 4, 64))},
                  {gathering.tile("gathered", floats)});
    check_steps(*run_on(build(gathering), random, DType::F32), met);
    ProgramBuilder keeping(target, "keeping");
    keeping.options().keep_sources = 1;
    const TileType ints = vec_tile(DType::I32, 4, 64);
    keeping.add("trem", {keeping.tile("a", ints), keeping.tile("b", ints)}, {keeping.tile("rest", ints)});
    return check_steps(*run_on(build(keeping), random, DType::I32), met);
  }
  ProgramBuilder counting(target, "counts");
  counting.options().histogram_plain = 1;
  const TileId words = counting.tile("words", vec_tile(DType::U16, 32, 64)),
               chosen =
                   counting.tile("chosen", boxed(TileLoc::Vec, DType::U8, 32, 1, BoxOrder::ColMajor, InnerOrder::None)),
               counts = counting.tile("counts", vec_tile(DType::U32, 32, 256));
  counting.add("thistogram", {words, chosen}, {counts});
  check_steps(*run_on(build(counting), random, DType::U16), met);
}

// --- rows --------------------------------------------------------------------------------------------------------------

// What programs may call by name: tests/core/a5/micro_calls_test.cpp goes through all of it.
struct Call {
  const a5::MicroRow* row;
  DType type;
  std::string_view word;
};
const Call* current = nullptr;
void call_by_name(AnyCore& core, const Bound& bound, DType) {
  a5::MicroCall call;
  call.type = call.other = current->type;
  if (current->row->name == "vcvt") return;  // the tile instruction has it
  call.word = current->word;
  call.stride = {1, 1};
  if (size_bytes(current->type) == 1) call.other = DType::U16;
  for (AnyReg& reg : call.reg) std::memset(reg.bytes, 0, VL);
  std::memset(call.held.bytes, 0, VL);
  current->row->run(core, *bound.options, call);
}
void add_called(Met& met) {
  Memory memory(Target::A5, 0);
  StepContext context(memory);
  const Options options;
  Bound bound;
  bound.options = &options;
  for (const a5::MicroRow& row : a5::micro_rows())
    for (int type = 0; type < kDTypes; ++type) {
      if (!row.types.contains(static_cast<DType>(type))) continue;
      std::vector<std::string_view> words(row.words.begin(), row.words.end());
      if (words.empty() || row.name == "vdup") words.push_back("");
      for (const std::string_view word : words) {
        const Call call{&row, static_cast<DType>(type), word};
        current = &call;
        Trace trace;
        context.trace = &trace;
        trace_any(context, bound, call.type, call_by_name);
        for (const MicroStep& micro : trace.steps) met.insert(micro.op);
      }
    }
}

std::string names_of(const std::vector<const MicroOp*>& rows) {
  std::string out;
  for (const MicroOp* row : rows) out += fmt::format("{}, ", row->name);
  return out;
}
void check_met(std::span<const MicroOp> rows, const Met& met) {
  if (kSanitized) return;  // most were left out
  std::vector<const MicroOp*> left;
  for (const MicroOp& row : rows)
    if (!met.contains(&row)) left.push_back(&row);
  CHECK_MESSAGE(left.empty(), names_of(left));
}

}  // namespace

TEST_CASE("micro links: on A2A3 every micro-operation moves what the tag machine knows") {
  Met met;
  check_vectors(Target::A2A3, met);
  check_movers(Target::A2A3, met);
  check_rare(Target::A2A3, met);
  check_met(a2a3::kMicroOps, met);
}

TEST_CASE("micro links: on A5 every micro-operation moves what the tag machine knows") {
  Met met;
  check_vectors(Target::A5, met);
  check_movers(Target::A5, met);
  check_rare(Target::A5, met);
  add_called(met);
  check_met(a5::kMicroOps, met);
}

}  // namespace ts::test
