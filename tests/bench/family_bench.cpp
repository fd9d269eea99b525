// One step of every instruction on full tiles, alone on its memory.
#include "tests/bench/family_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>

#include "core/catalogue/catalogue.h"
#include "core/record/inspector.h"
#include "core/record/recording.h"
#include "tests/support/instructions/vector_plan.h"

namespace ts::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Family {
  const char* name;
  std::initializer_list<std::string_view> begins;
};
// The first that fits; what fits none goes element by element.
constexpr std::string_view kElementByElement = "element by element";
const Family kFamilies[] = {
    {"a row's or a column's value for all", {"trowexpand", "tcolexpand"}},
    {"rows to one", {"trow"}},
    {"columns to one", {"tcol"}},
    {"comparisons", {"tcmp"}},
    {"conversion", {"tcvt"}},
    {"parts", {"tpart"}},
    {"made from numbers", {"tci", "ttri", "trandom", "thistogram"}},
    {"moves and padding", {"tmov", "treshape", "tfillpad"}},
};
std::string_view family_of(std::string_view name) {
  for (const Family& family : kFamilies)
    if (std::ranges::any_of(family.begins, [&](std::string_view begin) { return name.starts_with(begin); }))
      return family.name;
  return kElementByElement;
}

template <class F>
double fastest_of_some(const F& work) {
  constexpr int kRounds = 5;
  constexpr auto kLong = std::chrono::microseconds(500);
  double best = 1;
  for (int round = 0; round < kRounds; ++round) {
    int calls = 0;
    const auto begin = Clock::now();
    do {
      work();
      ++calls;
    } while (Clock::now() - begin < kLong);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count() / calls);
  }
  return best;
}

// The instruction on tiles of 8192 elements, or of fewer where they would not fit into UB.
Program program_of(const InstructionRow& row, Target target, DType type) {
  constexpr std::uint32_t kMostBytes = 150 * 1024, kCols = 128;
  const auto tiles =
      static_cast<std::uint32_t>(std::ranges::count(row.forms.back().operands, OperandKind::Tile, &OperandSpec::kind));
  std::uint32_t rows = 64;
  while (rows * kCols * std::max(size_bytes(type), 4u) * tiles > kMostBytes) rows /= 2;
  test::Random random(5);
  ProgramBuilder builder(target, "bench");
  test::add_full_vector(builder, random, target, row, type, {rows, kCols});
  Diagnostics diagnostics;
  Program program = builder.build(diagnostics);
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Error) fmt::print(stderr, "{}\n", diagnostic.format());
  return program;
}

void fill_with_numbers(Memory& memory, const Program& program) {
  test::Random random(6);
  for (const TileDecl& tile : program.tiles) {
    const std::uint32_t size = size_bytes(tile.type.dtype);
    for (std::uint32_t at = 0; at < tile.type.size_bytes(); at += size)
      memory.set_element(Space::Ub, tile.address + at, size,
                         test::random_element(random, tile.type.dtype, test::Values::Plain));
    memory.mark(memory.map().flat(Space::Ub, tile.address), static_cast<std::uint32_t>(tile.type.size_bytes()),
                Definedness::Written);
  }
}

// Of copying the largest tile's valid bytes; nothing where the instruction did not run.
std::optional<double> cost(const InstructionRow& row, Target target, DType type) {
  const Program program = program_of(row, target, type);
  const auto recording = Recording::run(program, {.budget_bytes = std::size_t{8} << 20, .initial = [&](Memory& memory) {
                                                    fill_with_numbers(memory, program);
                                                  }});
  if (recording->count() == 0) return {};
  const Bound& bound = recording->bound(0);
  std::size_t bytes = 0;
  for (const Operand& operand : bound.operands)
    if (operand.spec->kind == OperandKind::Tile && operand.spec->role != Role::Tmp)
      bytes = std::max<std::size_t>(
          bytes, std::size_t{operand.tile.valid_rows} * operand.tile.valid_cols * operand.tile.elem_bytes());
  Inspector inspector(*recording);
  Memory memory(target, 0);
  const Memory& before = inspector.at(0);
  std::memcpy(memory.base(), before.base(), before.map().end());
  StepContext context(memory);
  const Lowering lowering = row.machines.run().of(bound);
  const std::vector<std::byte> from(bytes, std::byte{1});
  std::vector<std::byte> to(bytes, std::byte{2});
  const double copy = fastest_of_some([&] {
    std::memcpy(to.data(), from.data(), bytes);
    asm volatile("" : : "r"(to.data()) : "memory");
  });
  return fastest_of_some([&] { lowering(context, bound); }) / copy;
}

void sort_rows(std::vector<FamilyRow>& rows) {
  std::ranges::sort(rows, {}, [](const FamilyRow& row) { return std::pair(row.family, -row.value); });
}

}  // namespace

std::vector<FamilyRow> all_of_families(std::string_view begin) {
  std::vector<FamilyRow> rows;
  for (const InstructionRow* row : test::vector_instructions()) {
    if (!std::string_view(row->name).starts_with(begin)) continue;
    for (const Target target : {Target::A5, Target::A2A3}) {
      for (int t = 0; t < kDTypes; ++t) {
        const auto type = static_cast<DType>(t);
        if (!row->types(target, {}).contains(type)) continue;
        if (const auto its = cost(*row, target, type))
          rows.push_back({std::string(family_of(row->name)), target,
                          fmt::format("{} {} {}", row->name, name(type), name(target)), *its});
      }
    }
  }
  sort_rows(rows);
  return rows;
}

std::vector<FamilyRow> slowest_of_families() {
  std::map<std::pair<std::string, Target>, FamilyRow> slowest;
  for (const FamilyRow& row : all_of_families(""))
    slowest.emplace(std::pair(row.family, row.target), row);  // the slowest comes first
  std::vector<FamilyRow> rows;
  for (auto& [key, row] : slowest) rows.push_back(std::move(row));
  return rows;
}

}  // namespace ts::bench
