// Puts the rows of all operations together and finds them by name.
#include "core/text/ops/op_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <utility>

#include "core/catalogue/catalogue.h"
#include "core/text/near.h"
#include "core/text/ops/op_rows.h"

namespace ts::text {
namespace {

constexpr std::string_view kDialect = "pto.";

// Names of the shared dialects that text may write without their dialect.
struct Short {
  std::string_view name, full;
};
constexpr Short kShorts[] = {{"module", "builtin.module"}, {"call", "func.call"}, {"return", "func.return"}};

// Other names of instructions, for their forms with factors.
struct OtherName {
  std::string_view name, instruction;
};
constexpr OtherName kOtherNames[] = {{"pto.tstore_fp", "tstore"},
                                     {"pto.tmov.fp", "tmov"},
                                     {"pto.textract_fp", "textract"},
                                     {"pto.tinsert_fp", "tinsert"}};

bool moves_data(const InstructionRow& row) {
  return row.effect == Effect::BindsAddress || row.pipe == Pipe::Mte1 || row.pipe == Pipe::Mte2 ||
         row.pipe == Pipe::Mte3;
}

// A tile stands elsewhere from now on: at an address, or where another tile stands.
OpKind kind_of(const InstructionRow& row) {
  if (row.effect != Effect::BindsAddress || row.address_of != nullptr) return OpKind::Other;
  const auto& operands = row.forms.front().operands;
  const bool at_address =
      std::ranges::any_of(operands, [](const OperandSpec& operand) { return operand.role == Role::Address; });
  return at_address ? OpKind::AssignTile : OpKind::AliasTile;
}

bool has_bare_name(const OpRow& row) { return row.name.starts_with(kDialect) && row.group <= OpGroup::View; }

std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = name.size();
  while (name.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, name.data(), 8);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 32;
    name.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  if (!name.empty()) std::memcpy(&rest, name.data(), name.size());
  hash = (hash ^ rest) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 32);
}

// Names to codes: open addressing, half empty at least, so that a lookup reads a slot or two.
class NameIndex {
 public:
  void reserve(std::size_t names) { slots_.assign(std::bit_ceil(2 * names + 2), Slot{}); }

  void add(std::string_view name, OpCode code) {
    std::size_t at = hash_of(name) & (slots_.size() - 1);
    while (slots_[at].code != kUnknownOp) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {name, code};
  }

  OpCode find(std::string_view name) const {
    std::size_t at = hash_of(name) & (slots_.size() - 1);
    while (slots_[at].code != kUnknownOp && slots_[at].name != name) at = (at + 1) & (slots_.size() - 1);
    return slots_[at].code;
  }

 private:
  struct Slot {
    std::string_view name;
    OpCode code = kUnknownOp;
  };
  std::vector<Slot> slots_;
};

struct Table {
  std::deque<std::string> catalogue_names;  // "pto.tadd": the catalogue has "tadd"
  std::vector<OpRow> rows;
  NameIndex full, bare;
};

// Of the catalogue's instructions, which are emulated for the vector core.
bool is_on_cube_path(std::string_view name) {
  constexpr std::string_view kNames[] = {"tload", "tstore", "tmov", "tfillpad"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

OpGroup group_of(const InstructionRow& row) {
  if (row.pipe == Pipe::M) return OpGroup::TileCube;
  return moves_data(row) ? OpGroup::TileMove : OpGroup::TileVector;
}

OpRow row_for(std::string_view name, const InstructionRow& row) {
  return {.name = name,
          .group = group_of(row),
          .signature = {},
          .meaning = row.summary,
          .kind = kind_of(row),
          .cube_path = is_on_cube_path(row.name),
          .instruction = &row};
}

void add_catalogue(Table& table) {
  for (const InstructionRow* row : catalogue())
    table.rows.push_back(row_for(table.catalogue_names.emplace_back(std::string(kDialect) + row->name), *row));
  for (const OtherName& other : kOtherNames)
    if (const InstructionRow* row = find_instruction(other.instruction))
      table.rows.push_back(row_for(other.name, *row));
}

void build_indices(Table& table) {
  table.full.reserve(table.rows.size() + std::size(kShorts));
  table.bare.reserve(table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const OpRow& row = table.rows[i];
    table.full.add(row.name, static_cast<OpCode>(i));
    if (has_bare_name(row)) table.bare.add(row.name.substr(kDialect.size()), static_cast<OpCode>(i));
  }
  for (const Short& entry : kShorts) table.full.add(entry.name, table.full.find(entry.full));
}

// Made on first use: instructions put themselves into the catalogue before main() begins, in no order.
const Table& table() {
  static const Table made = [] {
    Table table;
    add_catalogue(table);
    for (const auto rows : {tile_op_rows(), view_op_rows(), micro_op_rows(), shared_op_rows()})
      table.rows.insert(table.rows.end(), rows.begin(), rows.end());
    build_indices(table);
    return table;
  }();
  return made;
}

std::string_view dialect_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot + 1);
}

// The names that `name` may be a slip of: bare ones for a bare name, else those of its dialect, or all when no dialect
// is called so. Old names are not suggested.
std::vector<std::string_view> candidates(std::string_view name) {
  const std::string_view dialect = dialect_of(name);
  std::vector<std::string_view> all, same;
  for (const OpRow& row : op_rows()) {
    if (!row.current.empty()) continue;
    if (dialect.empty()) {
      if (has_bare_name(row)) same.push_back(row.name.substr(kDialect.size()));
      continue;
    }
    all.push_back(row.name);
    if (row.name.starts_with(dialect)) same.push_back(row.name);
  }
  return same.empty() ? all : same;
}

}  // namespace

const char* name(OpGroup group) {
  constexpr std::array kNames{"tile operations of the vector core",
                              "moving tiles",
                              "tile operations of the cube core",
                              "views, tiles and pointers",
                              "synchronisation",
                              "queues and asynchronous copies",
                              "micro-instructions",
                              "numbers and control flow"};
  return kNames[static_cast<std::size_t>(group)];
}

std::span<const OpRow> op_rows() { return table().rows; }

const OpRow& op_row(OpCode code) {
  static constexpr OpRow kUnknown{};
  return code == kUnknownOp ? kUnknown : table().rows[code];
}

OpCode find_op(std::string_view name) { return table().full.find(name); }

OpCode find_bare_op(std::string_view mnemonic) { return table().bare.find(mnemonic); }

std::vector<std::string> similar_ops(std::string_view name) { return near_names(name, candidates(name)); }

}  // namespace ts::text
