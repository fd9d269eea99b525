// What every instruction asks of its element type and of each of its tiles.
#include <algorithm>

#include "tests/support/instructions/breach_changes.h"

namespace ts::test {
namespace {

// The last of those with the most operands.
std::size_t largest_form(const InstructionRow& row) {
  std::size_t largest = 0;
  for (std::size_t form = 1; form < row.forms.size(); ++form)
    if (row.forms[form].operands.size() >= row.forms[largest].operands.size()) largest = form;
  return largest;
}
std::string tiles_of(const InstructionRow& row, bool any_loc) {
  std::string names;
  for (const OperandSpec& spec : row.forms[largest_form(row)].operands)
    if (spec.kind == OperandKind::Tile && spec.role != Role::Tmp && (any_loc || !spec.any_loc))
      names += std::string(names.empty() ? "" : " ") + std::string(spec.name);
  return names;
}

void in_mat(Sample&, Part& it) { it.type.loc = TileLoc::Mat; }
void too_many_valid_rows(Sample&, Part& it) {
  it.type.valid_rows = kDynamic;
  it.valid.rows = it.type.rows + 1;
}
void too_many_static_cols(Sample&, Part& it) {
  it.valid.cols = it.type.cols + 1;
  it.type.valid_cols = static_cast<std::int32_t>(it.valid.cols);
}
void misaligned(Sample&, Part& it) { it.address += BLK / 2; }
void behind_the_end(Sample& sample, Part& it) { it.address = capacity_bytes(sample.target, Space::Ub); }
void no_rows_at_all(Sample&, Part& it) {
  it.type.rows = 0;
  it.set_valid(0, it.valid.cols);
}
void half_a_block(Sample&, Part& it) { (it.type.row_major() ? it.type.cols : it.type.rows) += 1; }
// Of bytes; with wider elements it is an error, as everywhere.
void narrow_mask(Sample&, Part& it) {
  it.type.dtype = DType::U8;
  it.type.cols = 48;
  it.set_valid(it.valid.rows, 5);
}
void half_a_box(Sample& sample, Part& it) {
  boxed_layout(sample, it);
  it.type.cols += 1;
}

DTypeSet last_of(DTypeSet types) {
  DTypeSet last;
  for (int type = 0; type < kDTypes; ++type)
    if (types.contains(static_cast<DType>(type))) last = DTypeSet{static_cast<DType>(type)};
  return last;
}
// Every type that the target has not.
std::vector<Breach> illegal_types(const InstructionRow& row) {
  std::vector<Breach> breaches;
  for (const Target target : kBothTargets) {
    for (int t = 0; t < kDTypes; ++t) {
      const DType type = static_cast<DType>(t);
      const DTypeSet legal = row.types(target, {});
      if (legal.empty() || legal.contains(type)) continue;
      breaches.push_back({"R1",
                          std::string(row.typed_by),
                          to_type(type),
                          {name(type), name(target), "not supported"},
                          {.target = target, .types = last_of(legal)}});
    }
  }
  return breaches;
}

}  // namespace

std::vector<Breach> common_breaches(const InstructionRow& row) {
  const std::string tiles = tiles_of(row, true), vec_tiles = tiles_of(row, false);
  // A result that only gets another name stands where its source does.
  const bool renames = row.effect == Effect::BindsAddress;
  const std::string placed = renames ? "src" : tiles;
  const std::vector<std::string> follows = renames ? std::vector<std::string>{"G3 dst"} : std::vector<std::string>{};
  // Rows of a packed mask may be no whole blocks.
  const bool makes_mask = row.draw == Drawing::Compare;
  std::string whole_blocks = tiles;
  if (makes_mask) whole_blocks.erase(whole_blocks.find(" dst"), 4);
  std::vector<Breach> breaches = illegal_types(row);
  if (!vec_tiles.empty()) breaches.push_back({"G1", vec_tiles, in_mat, {row.name, "{it}", "mat", "vec"}});
  const std::vector<Breach> of_tiles{
      {"G2", tiles, too_many_valid_rows, {"{it}", "{it.valid}", "{it.shape}"}},
      {"G2", tiles, too_many_static_cols, {"{it}", "{it.all_cols}"}},
      {.rule = "G3", .operands = placed, .change = misaligned, .says = {"{it}", "{it.at}", "32"}, .also = follows},
      {.rule = "G3",
       .operands = placed,
       .change = behind_the_end,
       .says = {"{it}", "{it.at}+{it.bytes}", "outside ub"},
       .also = follows},
      {"TILE-R1", tiles, no_rows_at_all, {"{it}", "{it.shape}"}},
      {"TILE-R2", whole_blocks, half_a_block, {"{it}", "32"}},
      {"TILE-R3", tiles, half_a_box, {"{it}", "{it.shape}", "boxes"}},
  };
  breaches = breaches + of_tiles;
  if (makes_mask)
    breaches.push_back({.rule = "TILE-R2",
                        .operands = "dst",
                        .change = narrow_mask,
                        .says = {"{it}", "48 bytes", "32"},
                        .severity = Severity::Warning});
  for (Breach& breach : breaches) {
    breach.common = true;
    breach.from.form = static_cast<int>(largest_form(row));
  }
  return breaches;
}

}  // namespace ts::test
