// Collects the rows that families register at start-up.
#include "core/catalogue/catalogue.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "core/catalogue/beside.h"
#include "core/catalogue/shared_scale.h"

namespace ts {
namespace {

std::vector<const InstructionRow*>& rows() {
  static std::vector<const InstructionRow*> all;
  return all;
}

std::vector<std::pair<std::string_view, const InstructionRow*>>& rows_beside() {
  static std::vector<std::pair<std::string_view, const InstructionRow*>> all;
  return all;
}

struct ScaleRow {
  const InstructionRow* row;
  std::string_view of;
  ScaleOf scale;
};
std::vector<ScaleRow>& scales() {
  static std::vector<ScaleRow> all;
  return all;
}

}  // namespace

RegisteredScale::RegisteredScale(const InstructionRow& row, std::string_view of, ScaleOf scale) {
  scales().push_back({&row, of, scale});
}

std::optional<SharedScale> shared_scale(const Bound& bound, std::string_view of, std::uint32_t row, std::uint32_t col) {
  for (const ScaleRow& one : scales())
    if (one.row == bound.row && one.of == of) return one.scale(bound, row, col);
  return {};
}

Registered::Registered(const InstructionRow& row) {
  auto& all = rows();
  const auto by_name = [](const InstructionRow* a, const InstructionRow* b) {
    return std::string_view(a->name) < b->name;
  };
  all.insert(std::ranges::lower_bound(all, &row, by_name), &row);
}

RegisteredBeside::RegisteredBeside(const InstructionRow& row, std::string_view called) {
  rows_beside().emplace_back(called.empty() ? std::string_view(row.name) : called, &row);
}

const InstructionRow* find_beside(std::string_view name) {
  const auto& all = rows_beside();
  const auto it = std::ranges::find_if(all, [&](const auto& one) { return name == one.first; });
  return it == all.end() ? nullptr : it->second;
}

const std::vector<const InstructionRow*>& catalogue() { return rows(); }

const InstructionRow* find_instruction(std::string_view name) {
  if (name.starts_with("pto.")) name.remove_prefix(4);
  std::string wanted(name);
  std::ranges::transform(wanted, wanted.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto& all = rows();
  const auto it = std::ranges::find_if(all, [&](const InstructionRow* row) { return wanted == row->name; });
  return it == all.end() ? nullptr : *it;
}

}  // namespace ts
