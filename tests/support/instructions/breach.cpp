// Legal instructions for breaches to start from, and texts with their values.
#include "tests/support/instructions/breach.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace ts::test {
namespace {

std::uint32_t whole_blocks(std::uint32_t elements, DType type) {
  const std::uint32_t lanes = block_elements(type);
  return (elements + lanes - 1) / lanes * lanes;
}

TileType wide_scratch(DType type) { return vec_tile(type, 1, 8192 / size_bytes(type)); }

// Large enough by the instruction's page.
TileType scratch_of(const Sample& sample) {
  const std::string_view name = sample.row->name;
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  const TileType& dst = sample["dst"].type;
  if (is({"txor", "txors", "tpow", "tpows", "trems", "trsqrt"})) return dst;
  if (is({"tquant"})) return sample["src"].type;
  if (is({"tadddeqrelu"})) return sample["src0"].type;
  if (is({"tgather"}))
    return vec_tile(sample["indices"].type.dtype, std::max(dst.rows, sample["indices"].valid.rows),
                    std::max(dst.cols, whole_blocks(sample["indices"].valid.cols, DType::I32)));
  if (name.starts_with("trowexpand") || name == "trem") return wide_scratch(dst.dtype);
  if (is({"tci", "tcvt"})) return wide_scratch(DType::I32);
  if (name.starts_with("tcolarg")) return wide_scratch(sample["src"].type.dtype);
  if (name != "tprelu") return sample["src"].type;
  const std::uint32_t lanes = VL / size_bytes(dst.dtype), cols = sample["dst"].valid.cols;
  return vec_tile(DType::U8, sample["dst"].valid.rows + 1,
                  whole_blocks((cols + lanes - 1) / lanes * lanes / 8, DType::U8));
}

using Field = std::string (*)(const Part&);
const std::map<std::string_view, Field>& fields() {
  static const std::map<std::string_view, Field> all{
      {"", [](const Part& p) { return p.name; }},
      {"type", [](const Part& p) { return std::string(name(p.is_scalar ? p.scalar.dtype : p.type.dtype)); }},
      {"valid", [](const Part& p) { return fmt::format("{}x{}", p.valid.rows, p.valid.cols); }},
      {"rows", [](const Part& p) { return std::to_string(p.valid.rows); }},
      {"cols", [](const Part& p) { return std::to_string(p.valid.cols); }},
      {"shape", [](const Part& p) { return fmt::format("{}x{}", p.type.rows, p.type.cols); }},
      {"all_rows", [](const Part& p) { return std::to_string(p.type.rows); }},
      {"all_cols", [](const Part& p) { return std::to_string(p.type.cols); }},
      {"bytes", [](const Part& p) { return std::to_string(p.type.size_bytes()); }},
      {"pitch", [](const Part& p) { return std::to_string(p.type.line_pitch()); }},
      {"pitch_bytes", [](const Part& p) { return std::to_string(p.type.line_pitch() * size_bytes(p.type.dtype)); }},
      {"at", [](const Part& p) { return fmt::format("0x{:x}", p.address); }},
      {"layout", [](const Part& p) { return p.type.layout_name(); }},
      {"loc", [](const Part& p) { return std::string(name(p.type.loc)); }},
  };
  return all;
}

}  // namespace

void Part::set_valid(std::uint32_t rows, std::uint32_t cols) {
  valid = {rows, cols};
  if (type.valid_rows != kDynamic) type.valid_rows = static_cast<std::int32_t>(rows);
  if (type.valid_cols != kDynamic) type.valid_cols = static_cast<std::int32_t>(cols);
}

void Part::make_room() {
  type.rows = std::max(type.rows, valid.rows);
  type.cols = std::max(type.cols, valid.cols);
  if (type.row_major()) type.cols = whole_blocks(type.cols, type.dtype);
  if (type.col_major()) type.rows = whole_blocks(type.rows, type.dtype);
}

bool Sample::has(std::string_view name) const {
  return std::ranges::any_of(parts, [&](const Part& part) { return part.name == name || part.alias == name; });
}

Part& Sample::operator[](std::string_view name) {
  const auto found =
      std::ranges::find_if(parts, [&](const Part& part) { return part.name == name || part.alias == name; });
  REQUIRE_MESSAGE(found != parts.end(), std::string(row->name) << " has no operand " << std::string(name));
  return *found;
}

void Sample::set(std::string_view attribute, std::string_view value) {
  std::erase_if(attributes, [&](const BuildAttribute& has) { return has.name == attribute; });
  attributes.push_back({std::string(attribute), std::string(value)});
}

void Sample::add_scratch() {
  const auto specs = [&](const FormRow& form) {
    return std::ranges::find(form.operands, Role::Tmp, &OperandSpec::role) - form.operands.begin();
  };
  const auto place = specs(row->forms[0]);
  REQUIRE(place < std::ssize(row->forms[0].operands));
  Part tmp{.name = "tmp",
           .alias = {},
           .role = Role::Tmp,
           .type = scratch_of(*this),
           .valid = {},
           .address = 0x28000,
           .scalar = {}};
  tmp.valid = {tmp.type.rows, tmp.type.cols};
  // Like a tile whose valid region is smaller.
  if (tmp.type.rows == (*this)["dst"].type.rows && tmp.type.cols == (*this)["dst"].type.cols)
    tmp.valid = (*this)["dst"].valid;
  if (has("indices")) tmp.valid = (*this)["indices"].valid;
  tmp.type.valid_rows = tmp.type.valid_cols = kDynamic;
  parts.insert(parts.begin() + place, std::move(tmp));
}

std::vector<Breach> operator+(std::vector<Breach> a, const std::vector<Breach>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

std::string filled(std::string_view pattern, const Sample& sample, const Part& it) {
  std::string out;
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    out += pattern.substr(0, open);
    if (open == pattern.size()) break;
    const std::size_t close = pattern.find('}');
    const std::string_view inside = pattern.substr(open + 1, close - open - 1),
                           operand = inside.substr(0, inside.find('.'));
    const std::string_view field = operand.size() == inside.size() ? "" : inside.substr(operand.size() + 1);
    const auto found = fields().find(field);
    REQUIRE_MESSAGE(found != fields().end(), "nothing is called " << std::string(inside));
    out += found->second(operand == "it" ? it : sample[operand]);
    pattern.remove_prefix(close + 1);
  }
  return out;
}

std::vector<Target> targets_of(const Breach& breach, const InstructionRow& row) {
  std::vector<Target> targets;
  for (const Target target : kBothTargets)
    if (breach.from.target.value_or(target) == target && !row.types(target, {}).empty()) targets.push_back(target);
  return targets;
}

}  // namespace ts::test
