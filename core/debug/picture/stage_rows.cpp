// Rows of results, read off the data flow.
#include "core/debug/picture/stage_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ts {
namespace {

using StrandEnd = StepElement Strand::*;

// How often neighbours belong to different tiles.
std::size_t changes(const std::vector<Strand>& strands, StrandEnd side) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < strands.size(); ++i)
    count += (strands[i].*side).operand != (strands[i - 1].*side).operand;
  return count;
}

std::vector<Strand> strands_of_row(const StepFlow& flow, std::uint32_t row) {
  std::vector<Strand> strands;
  const Bound& bound = flow.bound();
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& operand = bound.operands[i];
    if (operand.spec->role != Role::Out || operand.spec->kind != OperandKind::Tile || row >= operand.tile.valid_rows)
      continue;
    for (std::uint32_t col = 0; col < operand.tile.valid_cols; ++col) {
      const StepElement to{static_cast<int>(i), row, col};
      for (const Source& source : flow.sources(to)) {
        const auto from = element_of_source(flow.recording.program(), bound, source);
        if (source.decided || !from) continue;
        strands.push_back({*from, to});
        break;
      }
    }
  }
  return strands;
}

}  // namespace

std::uint32_t Stream::part_of(std::uint32_t strand) const {
  const auto next = std::ranges::upper_bound(parts, strand);
  return static_cast<std::uint32_t>(next - parts.begin()) - 1;
}

Stream stream_of(const StepFlow& flow, std::uint32_t row) {
  // The strands are in the order of the results now. The order in which the other
  // side's tiles alternate more is that of the stream.
  Stream stream{.joins = true, .strands = strands_of_row(flow, row)};
  std::vector<Strand> by_inputs = stream.strands;
  std::ranges::stable_sort(by_inputs, {}, &Strand::from);
  stream.joins = changes(stream.strands, &Strand::from) >= changes(by_inputs, &Strand::to);
  if (!stream.joins) stream.strands = std::move(by_inputs);
  const StrandEnd side = stream.joins ? &Strand::to : &Strand::from;
  for (std::uint32_t i = 0; i < stream.strands.size(); ++i)
    if (i == 0 || (stream.strands[i].*side).operand != (stream.strands[i - 1].*side).operand) stream.parts.push_back(i);
  return stream;
}

std::vector<Choice> choices_of(const StepFlow& flow, int result, std::uint32_t row, Shown cols) {
  std::vector<Choice> choices;
  for (std::uint32_t col = cols.first; col < cols.end(); ++col) {
    Choice choice;
    for (const Source& source : flow.sources({result, row, col})) {
      if (source.kind == Source::Kind::MaskBit) choice.bit = source;
      else if (!source.decided && source.operand >= 0) choice.taken = source.operand;
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

std::vector<MaskByte> mask_bytes(const StepFlow& flow, const std::vector<Choice>& choices, std::uint32_t first_col,
                                 int mask, const Memory& before) {
  std::vector<MaskByte> bytes;
  const TileRef& tile = flow.bound().operands[static_cast<std::size_t>(mask)].tile;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (!choices[i].bit) continue;
    const Source& bit = *choices[i].bit;
    const std::int64_t lane_of_bit0 = static_cast<std::int64_t>(first_col + i) - bit.bit;
    if (bytes.empty() || bytes.back().address != bit.place.address || bytes.back().lane_of_bit0 != lane_of_bit0) {
      const Flat flat = before.map().flat(bit.place);
      bytes.push_back(
          {.address = bit.place.address,
           .offset = bit.place.address - tile.address,
           .bits = static_cast<std::uint32_t>(before.element(bit.place.space, bit.place.address, 1, bit.place.core)),
           .worth = before.definedness(flat),
           .lane_of_bit0 = lane_of_bit0});
    }
    bytes.back().read |= 1u << bit.bit;
  }
  return bytes;
}

std::string sign_of(std::string_view summary) {
  struct Word {
    std::string_view word, sign;
  };
  static constexpr Word kWords[] = {{"Adds", "+"},      {"Subtracts", "-"}, {"Multiplies", "*"},  {"Divides", "/"},
                                    {"larger", "max"},  {"smaller", "min"}, {"largest", "max"},   {"smallest", "min"},
                                    {"maximum", "max"}, {"minimum", "min"}, {"exclusive", "xor"}, {"Ands", "and"},
                                    {"Ors", "or"}};
  for (const Word& word : kWords)
    if (summary.find(word.word) != std::string_view::npos) return std::string(word.sign);
  return "op";
}

std::string expression_of(std::string_view summary, std::string_view a, std::string_view b) {
  const std::string second = b.starts_with('-') ? fmt::format("({})", b) : std::string(b);
  if (summary.find("exp(") != std::string_view::npos) return fmt::format("exp({} - {})", a, second);
  const std::string sign = sign_of(summary);
  if (sign == "op") return "";
  if (sign == "max" || sign == "min") return fmt::format("{}({}, {})", sign, a, b);
  return fmt::format("{} {} {}", a, sign, second);
}

std::optional<Spread> spread_of(const StepFlow& flow, int result) {
  const Bound& bound = flow.bound();
  const TileRef& dst = bound.operands[static_cast<std::size_t>(result)].tile;
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return {};
  // The last element tells most: the others may come from a first row or column by chance.
  const StepElement last{result, dst.valid_rows - 1, dst.valid_cols - 1};
  std::vector<StepElement> from;
  for (const Source& source : flow.sources(last))
    if (const auto element = element_of_source(flow.recording.program(), bound, source); element && !source.decided)
      from.push_back(*element);
  if (from.empty() || from.size() > 2) return {};
  const auto same_shape = [&](const StepElement& element) {
    const TileRef& tile = bound.operands[static_cast<std::size_t>(element.operand)].tile;
    return tile.valid_rows == dst.valid_rows && tile.valid_cols == dst.valid_cols;
  };
  const auto stays = [&](const StepElement& element) {
    return element.row == last.row && element.col == last.col && same_shape(element);
  };
  Spread spread;
  if (from.size() == 2) {
    const bool first_is_full = stays(from[0]) && (!stays(from[1]) || from[0].operand < from[1].operand);
    if (!first_is_full) std::swap(from[0], from[1]);
    spread.full = from[0].operand;
  }
  const StepElement& small = from.back();
  spread.small = small.operand;
  spread.rows = last.row > 0 ? small.row == last.row : small.col != last.col || last.col == 0;
  return spread;
}

}  // namespace ts
