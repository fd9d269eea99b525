// The checks of programs, instruction by instruction.
#include "tests/support/instructions/stage.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/a2a3/micro_ops.h"
#include "core/catalogue/whole.h"
#include "core/engine/plan/plan.h"
#include "core/engine/trace/trace.h"
#include "tests/support/engine/simd_levels.h"
#include "tests/support/record/flow_check.h"

namespace ts::test {
namespace {

constexpr std::size_t kPool = std::size_t{1} << 20;
// The name and element of the operand that a byte belongs to.
std::string owner_of(const Bound& bound, const ByteRange& byte) {
  for (const Operand& operand : bound.operands) {
    if (operand.spec->kind != OperandKind::Tile) continue;
    const ByteRange range = operand.tile.range();
    if (range.space != byte.space || byte.address < range.address || byte.address >= range.address + range.size)
      continue;
    const std::uint32_t offset = byte.address - range.address, size = operand.tile.elem_bytes();
    const auto [row, col] = element_at(operand.tile.type, elements_in(operand.tile.type.dtype, offset));
    return fmt::format("{} [{}, {}] byte {}", operand.spec->name, row, col, offset % size);
  }
  return "no operand";
}

// Whose CMPMASK the oracle's page tells; the others leave there what they like.
bool keeps_cmpmask(const Bound& bound) {
  const std::string_view name = bound.row->name;
  return name == "tsels" || name == "tsel";
}

// Of half a byte the other half stays.
void put_bits(std::byte* at, const ByteRange& place, std::uint64_t bits) {
  const auto there = std::to_integer<std::uint64_t>(*at);
  if (place.part == BytePart::Low) bits = there / 16 * 16 + bits % 16;
  if (place.part == BytePart::High) bits = there % 16 + bits % 16 * 16;
  std::memcpy(at, &bits, place.size);
}

std::string place_text(const ByteRange& place) { return fmt::format("{} 0x{:x}", name(place.space), place.address); }

}  // namespace

Program build(ProgramBuilder& builder) {
  Diagnostics diagnostics;
  Program program = builder.build(diagnostics);
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Error) FAIL(diagnostic.format());
  return program;
}

Bound bound_of(const Program& program, std::size_t instruction) { return bind_at_start(program, instruction); }

std::string label_of(const Bound& bound) {
  std::string label = fmt::format("{} {}", bound.row->name, name(bound.target));
  for (const Operand& operand : bound.operands) {
    label += fmt::format("\n    {}: ", operand.spec->name);
    if (operand.spec->kind == OperandKind::Tile) {
      label += fmt::format("{} at 0x{:x}, valid {}x{}", operand.tile.type.describe(), operand.tile.address,
                           operand.tile.valid_rows, operand.tile.valid_cols);
    } else if (operand.spec->kind == OperandKind::Scalar) {
      label += fmt::format("{} 0x{:x}", name(operand.scalar.dtype), operand.scalar.bits);
    } else {
      const auto& [d0, d1, d2, d3, d4] = operand.global.shape;
      label += fmt::format("{} {} at 0x{:x}, shape {}x{}x{}x{}x{}", name(operand.global.dtype),
                           name(operand.global.layout), operand.global.address, d0, d1, d2, d3, d4);
    }
  }
  return label;
}

std::string first_difference(const Bound& bound, const MemoryMap& map, std::span<const std::byte> expected,
                             std::span<const std::byte> got) {
  const std::size_t size = std::min(expected.size(), got.size());
  if (std::memcmp(expected.data(), got.data(), size) == 0) return "";
  std::size_t at = 0;
  while (expected[at] == got[at]) ++at;
  const ByteRange place = map.locate(static_cast<Flat>(at));
  return fmt::format("{} ({}): expected 0x{:02x}, got 0x{:02x}", place_text(place), owner_of(bound, place),
                     std::to_integer<int>(expected[at]), std::to_integer<int>(got[at]));
}

Stage::Stage(Target target, std::uint32_t gm_bytes)
    : target_(target),
      live_{Space::Ub, Space::Spr, Space::Gm},
      work_(target, gm_bytes),
      context_(work_),
      pool_(kPool),
      start_(work_.base(), work_.base() + work_.map().end()),
      before_(start_),
      expected_(start_),
      defined_(start_.size(), Definedness::Never) {
  Random random(static_cast<std::uint64_t>(target) + 1);
  for (std::size_t i = 0; i < kPool; i += 8) {
    const std::uint64_t bits = random.next();
    std::memcpy(pool_.data() + i, &bits, 8);
  }
}

oracle::Before Stage::now() const { return {.all = before_, .map = &work_.map()}; }

std::vector<Space> Stage::live_memories() const {
  std::vector<Space> memories = live_;
  std::erase(memories, Space::Spr);
  return memories;
}

void Stage::restore(Memory& memory, const std::vector<std::byte>& image) const {
  for (const Space space : live_) {
    const std::uint32_t size = memory.map().size(space);
    std::memcpy(memory.bytes(space, 0, size).data(), image.data() + memory.map().origin(space), size);
  }
}

void Stage::set_element(const TileRef& tile, std::uint32_t row, std::uint32_t col, std::uint64_t bits) {
  set_bits(oracle::element_place(tile, row, col), bits);
}

void Stage::set_bytes(const TileRef& tile, int byte) {
  std::memset(start_.data() + work_.map().flat(tile.range()), byte, tile.range().size);
}

void Stage::set_bits(const ByteRange& place, std::uint64_t bits) {
  put_bits(start_.data() + work_.map().flat(place), place, bits);
}

void Stage::fill(const Program& program, Random& random, Values values) {
  const MemoryMap& map = work_.map();
  for (const TileDecl& tile : program.tiles)
    if (std::ranges::count(live_, tile.type.space()) == 0) live_.push_back(tile.type.space());
  const auto cut = [&](Space space, std::uint32_t address, std::uint32_t size) {
    std::memcpy(start_.data() + map.flat(space, address),
                pool_.data() + random.below(static_cast<std::uint32_t>(kPool) - size), size);
  };
  for (const Space space : live_memories()) cut(space, 0, map.size(space));
  const DType type = bound_of(program, 0).dtype();
  if (is_float(type) && !is_packed(type))
    for (std::uint32_t at = 0; at < map.size(Space::Ub); at += size_bytes(type))
      set_bits({Space::Ub, at, size_bytes(type)}, random_element(random, type, values));
  for (const Operand& operand : bound_of(program, 0).operands)
    if (operand.spec->kind == OperandKind::Tile && operand.tile.space() != Space::Ub &&
        is_float(operand.tile.type.dtype))
      for (std::uint32_t row = 0; row < operand.tile.rows(); ++row)
        for (std::uint32_t col = 0; col < operand.tile.cols(); ++col)
          set_element(operand.tile, row, col, random_element(random, operand.tile.type.dtype, values));
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    for (const Operand& operand : bound_of(program, i).operands)
      if (operand.spec->role == Role::Mask) cut(Space::Ub, operand.tile.address, operand.tile.range().size);
  if (target_ == Target::A2A3) {
    // Between instructions: normal mode, every lane on; CMPMASK is anything.
    cut(Space::Spr, a2a3::kCmpMask, 16);
    std::memset(start_.data() + map.flat(Space::Spr, a2a3::kMask), 0xFF, 16);
    std::memset(start_.data() + map.flat(Space::Spr, a2a3::kMaskMode), 0, 8);
  } else {
    std::memset(start_.data() + map.flat(Space::Spr, a5::kCtrl), 0, 8);
  }
}

// The memories after the instruction, by its oracle.
void Stage::expect(const Bound& bound, oracle::Effects& effects) {
  const MemoryMap& map = work_.map();
  for (const Space space : live_)
    std::memcpy(expected_.data() + map.origin(space), before_.data() + map.origin(space), map.size(space));
  for (const oracle::Element& element : effects.written)
    put_bits(expected_.data() + map.flat(element.place), element.place, element.bits);
  for (const auto& [place, bits] : effects.registers)
    std::memcpy(expected_.data() + map.flat(place), &bits, place.size);
  for (std::size_t i = 0; i < effects.unspecified_bits.size(); ++i)
    std::memcpy(expected_.data() + map.flat(effects.unspecified[i]), &effects.unspecified_bits[i],
                effects.unspecified[i].size);
  if (keeps_cmpmask(bound) && target_ == Target::A2A3 && !effects.written.empty()) {
    // CMPMASK keeps what it was loaded with last: 16 bytes from tmp on.
    std::memcpy(expected_.data() + map.flat(Space::Spr, a2a3::kCmpMask),
                expected_.data() + map.flat(Space::Ub, bound.tile("tmp").address), 16);
  }
}

void Stage::take_cmpmask(const Bound& bound, const Memory& memory) {
  if (target_ != Target::A2A3 || keeps_cmpmask(bound)) return;
  const Flat at = memory.map().flat(Space::Spr, a2a3::kCmpMask);
  std::memcpy(expected_.data() + at, memory.base() + at, 16);
}

void Stage::check_machine(const char* what, const Bound& bound, oracle::Effects& effects, const LoweringTable& table,
                          bool whole) {
  const MemoryMap& map = work_.map();
  restore(work_, before_);
  context_.fault = {};
  const Lowering lowering = table.of(bound);
  REQUIRE((lowering != nullptr));
  lowering(context_, bound);
  INFO(std::string(what));
  CHECK_MESSAGE(!context_.fault, context_.fault.text());
  take_cmpmask(bound, work_);
  if (effects.unspecified_bits.size() != effects.unspecified.size()) {
    // Nobody promises these bytes: what the first run leaves there is as good as anything, the others must agree.
    for (const ByteRange& place : effects.unspecified) {
      effects.unspecified_bits.push_back(work_.element(place.space, place.address, place.size));
      std::memcpy(expected_.data() + map.flat(place), &effects.unspecified_bits.back(), place.size);
    }
  }
  if (whole) {
    const std::string difference = first_difference(bound, map, expected_, {work_.base(), map.end()});
    CHECK_MESSAGE(difference.empty(), difference);
    return;
  }
  for (const Space space : live_) {
    const std::span<const std::byte> expected(expected_.data() + map.origin(space), map.size(space));
    if (std::memcmp(expected.data(), work_.base() + map.origin(space), expected.size()) == 0) continue;
    const std::string difference = first_difference(bound, map, expected_, {work_.base(), map.end()});
    CHECK_MESSAGE(difference.empty(), difference);
  }
}

std::vector<WritePattern> Stage::written() const {
  std::vector<WritePattern> out;
  join(context_.log.begin(), context_.log.end(), out);
  return out;
}

// Written down on other data, where that can be, a lowering leaves the same.
void Stage::check_plan(const Bound& bound, oracle::Effects& effects, Random& random, bool whole) {
  const LoweringTable& table = machines_for(bound).run();
  const std::vector<WritePattern> plainly = written();
  Plans plans(0);
  context_.plans = &plans;
  context_.plan = 0;
  restore(work_, before_);
  for (const Space space : live_memories()) {
    const std::span<std::byte> bytes = work_.bytes(space, 0, work_.map().size(space));
    const std::size_t from =
        random.below(static_cast<std::uint32_t>(pool_.size() - std::min(pool_.size(), bytes.size()) + 1));
    std::memcpy(bytes.data(), pool_.data() + from, std::min(pool_.size() - from, bytes.size()));
  }
  table.of(bound)(context_, bound);
  if (plans.empty()) context_.plan = 1;
  check_machine("as its plan is made", bound, effects, table, false);
  check_machine("by its plan", bound, effects, table, whole);
  CHECK(written() == plainly);
  context_.plans = nullptr;
}

void Stage::check(const Program& program, Random& random) {
  const std::size_t count = program.instructions.size();
  effects_.clear();
  before_ = start_;
  for (std::size_t i = 0; i < count; ++i) {
    const Bound bound = bound_of(program, i);
    INFO(label_of(bound));
    effects_.push_back(oracle::effects_of(bound, now()));
    expect(bound, effects_.back());
    // The other memories are compared once per program: they can only get wrong and stay so.
    const bool last = i + 1 == count;
    for (const std::int64_t level : simd_levels()) {
      const OnSimdLevel on(level);
      check_machine(simd_level_name(level), bound, effects_.back(), machines_for(bound).run(), last);
      check_plan(bound, effects_.back(), random, last);
    }
    Trace trace;
    context_.trace = &trace;
    check_machine("trace machine", bound, effects_.back(), machines_for(bound).trace(), last);
    context_.trace = nullptr;
    CHECK((effects_.back().written.empty() || !trace.steps.empty()));
    before_.swap(expected_);
  }
  check_recording(program, random);
}

// Mostly written, with runs of bytes that are not; half of the runs in and around the operands.
void Stage::choose_definedness(const Bound& bound, Random& random) {
  const MemoryMap& map = work_.map();
  for (const Space space : live_memories()) {
    const Flat begin = map.origin(space), size = map.size(space);
    std::fill_n(defined_.begin() + begin, size, Definedness::Written);
    for (int run = 0; run < 12 && size > 512; ++run) {
      const Operand& operand = bound.operands[random.below(static_cast<std::uint32_t>(bound.operands.size()))];
      const bool near = random.one_in(2) && operand.spec->kind == OperandKind::Tile && operand.tile.space() == space;
      const std::uint32_t at =
          near ? operand.tile.address + random.below(operand.tile.range().size) : random.below(size);
      std::fill_n(defined_.begin() + begin + at, std::min(random.between(1, 256), size - at),
                  random.pick({Definedness::Never, Definedness::Unspecified}));
    }
  }
}

void Stage::check_recording(const Program& program, Random& random) {
  choose_definedness(bound_of(program, random.below(static_cast<std::uint32_t>(program.instructions.size()))), random);
  const auto initial = [&](Memory& memory) {
    restore(memory, start_);
    for (const Space space : live_memories()) {
      for (Flat at = memory.map().origin(space), end = at + memory.map().size(space); at < end;) {
        Flat to = at;
        while (to < end && defined_[to] == defined_[at]) ++to;
        memory.mark(at, to - at, defined_[at]);
        at = to;
      }
    }
    if (target_ == Target::A2A3) memory.mark(memory.map().flat(Space::Spr, a2a3::kCmpMask), 16, Definedness::Written);
  };
  const auto recording = Recording::run(program, {.budget_bytes = std::size_t{2} << 20, .initial = initial});
  // Only where the option asks for what the hardware does may results spill.
  const bool may_spill = program.options.quirk_tgatherb != 0 || program.options.quirk_ttri != 0;
  for (const Finding& finding : recording->findings())
    CHECK_MESSAGE((finding.diagnostic.severity != Severity::Error && (may_spill || finding.diagnostic.rule != "G4")),
                  finding.diagnostic.format());
  REQUIRE(recording->count() == program.instructions.size());

  Inspector inspector(*recording);
  const MemoryMap& map = recording->map();
  before_ = start_;
  for (std::uint32_t step = 0; step < recording->count(); ++step) {
    const Bound& bound = recording->bound(step);
    INFO(label_of(bound));
    oracle::Effects& effects = effects_[step];
    expect(bound, effects);
    check_flow(inspector.flow(step), bound, map, now(), defined_, effects, random);
    const Memory& after = inspector.at(step + 1);
    take_cmpmask(bound, after);
    for (const Space space : live_) {
      const Flat end = map.origin(space) + map.size(space);
      if (std::memcmp(expected_.data() + map.origin(space), after.base() + map.origin(space), map.size(space)) == 0)
        continue;
      const std::string difference = first_difference(bound, map, {expected_.data(), end}, {after.base(), end});
      CHECK_MESSAGE(difference.empty(), "recording: " << difference);
    }
    check_definedness(bound, after, effects);
    check_write_log(*recording, step);
    check_whole(bound, effects);
    before_.swap(expected_);
  }
}

void Stage::check_definedness(const Bound& bound, const Memory& memory, const oracle::Effects& effects) {
  static const std::vector<Definedness> whole_page(kPageBytes, Definedness::Written);
  const MemoryMap& map = memory.map();
  const auto mark = [&](const ByteRange& place, Definedness what) {
    std::fill_n(defined_.begin() + map.flat(place), place.size, what);
  };
  for (const oracle::Element& element : effects.written) mark(element.place, Definedness::Written);
  for (const ByteRange& place : effects.unspecified) mark(place, Definedness::Unspecified);
  for (const ByteRange& place : effects.kept) mark(place, Definedness::Unspecified);
  for (const Space space : live_memories()) {
    for (Flat at = map.origin(space), end = at + map.size(space); at < end; ++at) {
      // Whole pages at once, where the memory says that a page is one.
      if (at % kPageBytes == 0 && end - at >= kPageBytes && memory.page_is_whole(at / kPageBytes) &&
          std::memcmp(defined_.data() + at, whole_page.data(), kPageBytes) == 0) {
        at += kPageBytes - 1;
        continue;
      }
      if (memory.definedness(at) == defined_[at]) continue;
      const ByteRange place = map.locate(at);
      FAIL_CHECK(fmt::format("definedness of {} ({}): expected {}, got {}", place_text(place), owner_of(bound, place),
                             static_cast<int>(defined_[at]), static_cast<int>(memory.definedness(at))));
      return;
    }
  }
}

// An odd column of 4 bits that would end in the middle of a byte: no conversion of A5 writes it.
bool is_left_half(const Bound& bound, const TileRef& tile, std::uint32_t col) {
  return std::string_view(bound.row->name) == "tcvt" && is_packed(tile.type.dtype) && col + 1 == tile.valid_cols;
}

// Who is said to write all of its results does.
void Stage::check_whole(const Bound& bound, const oracle::Effects& effects) {
  if (!writes_whole_results(*bound.row, *bound.options)) return;
  std::vector<char> written(work_.map().size(Space::Ub));
  const auto mark = [&](const ByteRange& place) {
    if (place.space == Space::Ub) std::fill_n(written.begin() + place.address, place.size, 1);
  };
  for (const oracle::Element& element : effects.written) mark(element.place);
  for (const ByteRange& place : effects.unspecified) mark(place);
  for (const Operand& operand : bound.operands) {
    const TileRef& tile = operand.tile;
    if (operand.spec->role != Role::Out || operand.spec->kind != OperandKind::Tile || tile.space() != Space::Ub)
      continue;
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row)
      for (std::uint32_t col = 0; col < tile.valid_cols; ++col)
        if (!written[tile.at(row, col)] && !is_left_half(bound, tile, col)) {
          FAIL_CHECK(fmt::format("{}: {}[{},{}] is left", label_of(bound), operand.spec->name, row, col));
          return;
        }
  }
}

// The step's writes are the oracle's bytes, no more and no fewer.
void Stage::check_write_log(const Recording& recording, std::uint32_t step) {
  const MemoryMap& map = recording.map();
  std::vector<std::pair<Flat, Flat>> allowed, logged;
  const auto add = [&](const ByteRange& place) {
    const Flat begin = map.flat(place);
    allowed.push_back({begin, begin + place.size});
  };
  const auto join = [](std::vector<std::pair<Flat, Flat>>& ranges) {
    std::ranges::sort(ranges);
    std::vector<std::pair<Flat, Flat>> out;
    for (const auto& [begin, end] : ranges) {
      if (!out.empty() && begin <= out.back().second) {
        out.back().second = std::max(out.back().second, end);
      } else {
        out.push_back({begin, end});
      }
    }
    ranges = out;
  };
  for (const oracle::Element& element : effects_[step].written) add(element.place);
  std::vector<std::pair<Flat, Flat>> required = allowed;
  // Bytes that nobody promises may be written or not: fillers, scratch.
  for (const ByteRange& place : effects_[step].unspecified) add(place);
  for (const WritePattern& pattern : recording.writes(step)) {
    for_runs(pattern, [&](Flat base, std::uint32_t size) {
      if (map.locate(base).space != Space::Spr) logged.push_back({base, base + size});
    });
  }
  join(allowed);
  join(logged);
  join(required);
  const auto first_outside = [](const auto& inner, const auto& outer) {
    return std::ranges::find_if(inner, [&](const auto& range) {
      return std::ranges::none_of(
          outer, [&](const auto& around) { return around.first <= range.first && range.second <= around.second; });
    });
  };
  const auto text = [&](auto it) {
    return fmt::format("{}+{}", place_text(map.locate(it->first)), it->second - it->first);
  };
  if (const auto it = first_outside(logged, allowed); it != logged.end())
    FAIL_CHECK(fmt::format("write log: {} is not the oracle's", text(it)));
  if (const auto it = first_outside(required, logged); it != required.end())
    FAIL_CHECK(fmt::format("write log: {} is missing", text(it)));
}

}  // namespace ts::test
