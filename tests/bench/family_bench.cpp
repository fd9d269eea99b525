// One step of every instruction on full tiles, alone on its memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

#include "core/catalogue/catalogue.h"
#include "core/engine/plan/plan.h"
#include "core/isa/thread_time.h"
#include "core/record/inspector.h"
#include "core/record/recording.h"
#include "tests/bench/benches.h"
#include "tests/bench/guarded.h"
#include "tests/bench/measure.h"
#include "tests/support/instructions/vector_plan.h"

namespace ts::bench {
namespace {

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
  constexpr double kLong = 5e-4;
  double best = 1;
  for (int round = 0; round < kRounds; ++round) {
    int calls = 0;
    const double begin = thread_seconds();
    do {
      work();
      ++calls;
    } while (thread_seconds() - begin < kLong);
    best = std::min(best, (thread_seconds() - begin) / calls);
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
    if (diagnostic.severity == Severity::Error) throw std::runtime_error(diagnostic.format());
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
  Plans plans;
  context.plans = &plans;
  context.plan = 0;
  const Lowering lowering = row.machines.run().of(bound);
  Yardstick yardstick(bytes);
  const double copy = fastest_of_some([&] { yardstick.copy(); });
  return fastest_of_some([&] { lowering(context, bound); }) / copy;
}

// Power, remainder and division of integers, and random numbers: their documents' ways are long.
bool is_exception(std::string_view name) {
  constexpr std::string_view kBegins[] = {"tpow", "trem", "tfmod", "tdiv", "trandom"};
  return std::ranges::any_of(kBegins, [&](std::string_view begin) { return name.starts_with(begin); });
}

struct FamilyRow {
  std::string family;
  Target target;
  DType type;
  Row row;
};

std::vector<FamilyRow> all_of_families(Table& table, std::string_view begin) {
  std::vector<FamilyRow> rows;
  for (const InstructionRow* row : test::vector_instructions()) {
    if (!std::string_view(row->name).starts_with(begin)) continue;
    for (const Target target : {Target::A5, Target::A2A3})
      for (int t = 0; t < kDTypes; ++t) {
        const auto type = static_cast<DType>(t);
        if (!row->types(target, {}).contains(type)) continue;
        const Limit limit = is_exception(row->name) ? Limit{80, 150} : Limit{25, 40};
        const std::string what = fmt::format("{} {} {}", row->name, name(type), name(target));
        guarded(table, what, [&] {
          if (const auto its = cost(*row, target, type))
            rows.push_back({std::string(family_of(row->name)), target, type, {what, *its, limit}});
        });
      }
  }
  std::ranges::sort(rows, {}, [](const FamilyRow& row) { return std::pair(row.family, -row.row.value); });
  return rows;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

// Of each family, and of all: those of 32 and of 16 bits, and those of 8.
void add_means(Table& table, const std::vector<FamilyRow>& rows) {
  std::map<std::string, std::vector<double>> of_family;
  std::vector<double> wide, bytes;
  for (const FamilyRow& row : rows) {
    of_family[row.family].push_back(row.row.value);
    (size_bytes(row.type) == 1 ? bytes : wide).push_back(row.row.value);
  }
  for (const auto& [family, values] : of_family)
    table.add(fmt::format("families: {}, mean of {}", family, values.size()), geometric_mean(values), {});
  if (!wide.empty())
    table.add(fmt::format("families: all of 16 and more bits, mean of {}", wide.size()), geometric_mean(wide), {4, 6});
  if (!bytes.empty())
    table.add(fmt::format("families: all of 8 bits, mean of {}", bytes.size()), geometric_mean(bytes), {12, 16});
}

}  // namespace

void bench_every(Table& table, std::string_view begin) {
  const std::vector<FamilyRow> rows = all_of_families(table, begin);
  for (const FamilyRow& row : rows) {
    Row named = row.row;
    named.what = fmt::format("families: {}, {}", row.family, row.row.what);
    table.add(std::move(named));
  }
  add_means(table, rows);
}

void bench_families(Table& table) {
  const std::vector<FamilyRow> rows = all_of_families(table, "");
  std::map<std::pair<std::string, Target>, const FamilyRow*> slowest;  // comes first
  for (const FamilyRow& row : rows) slowest.emplace(std::pair(row.family, row.target), &row);
  for (const auto& [key, row] : slowest) {
    Row named = row->row;
    named.what = fmt::format("families: {}, {}", row->family, row->row.what);
    table.add(std::move(named));
  }
  add_means(table, rows);
}

}  // namespace ts::bench
