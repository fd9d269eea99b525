// The depth view of a step.
#include "app/cli/report/step_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/report/source_line.h"
#include "app/cli/report/trace_text.h"
#include "core/debug/elements/printed_elements.h"
#include "core/debug/origins/printed_at.h"
#include "core/debug/origins/source_text.h"

namespace ts {
namespace {

constexpr std::uint32_t kMostTileRows = 6;
constexpr std::size_t kLineWidth = 116;
constexpr std::size_t kMostMicroSteps = 24;

std::string element_text(const Memory& memory, const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  const ByteRange place = tile.place_of(row, col);
  const Definedness worth = memory.worst_definedness(memory.map().flat(place), place.size);
  const std::string text = printed(format_of(tile.type), memory.element(place), worth);
  const bool valid = row < tile.valid_rows && col < tile.valid_cols;
  return valid ? text : "[" + text + "]";
}

std::string tile_section(const Recording& recording, const Memory& memory, const Operand& operand,
                         const ReportOptions& options) {
  return fmt::format("  {:<8} {} = {} at {} 0x{:x}{}\n{}", operand.spec->name,
                     recording.program().operand_name(operand), type_now(operand.tile).describe(),
                     name(operand.tile.space()), operand.tile.address,
                     operand.implicit ? ", scratch the text does not name" : "",
                     tile_table(memory, operand.tile, options.row, options.col));
}

void print_tiles(std::FILE* out, const Recording& recording, const Memory& memory, const Bound& bound, bool results,
                 const ReportOptions& options) {
  for (const Operand& operand : bound.operands)
    if (operand.spec->kind == OperandKind::Tile && (operand.spec->role == Role::Out) == results)
      fmt::print(out, "{}", tile_section(recording, memory, operand, options));
}

// Where a window of `shown` out of `all` begins, so that `wanted` is in it.
std::uint32_t window_begin(std::uint32_t wanted, std::uint32_t shown, std::uint32_t all) {
  if (wanted < shown || wanted >= all) return 0;
  return std::min(wanted - shown / 2, all - shown);
}

// The result whose element is followed: the one that is asked for, else the first; -1: the step has none.
int followed_result(const Program& program, const Bound& bound, const std::string& tile) {
  int chosen = -1;
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& operand = bound.operands[i];
    if (operand.spec->kind != OperandKind::Tile || operand.spec->role != Role::Out) continue;
    if (program.tiles[operand.id].is_called(tile)) return static_cast<int>(i);
    if (chosen < 0) chosen = static_cast<int>(i);
  }
  return chosen;
}

// The line that it came from, and those that called it.
void print_origin(std::FILE* out, const Recording& recording, std::uint32_t step, const SourceMap& map,
                  SourceTexts& sources) {
  const char* how = "from";
  for (const SourceLine at : map.lines(map.origin_of(recording.step(step).instruction))) {
    const std::string& file = map.files()[at.file];
    fmt::print(out, "        {} {}:{}", how, file, at.line);
    if (const auto line = original_line(sources, file, at.line)) fmt::print(out, "  {}", *line);
    fmt::print(out, "\n");
    how = "called from";
  }
}

void print_sources(std::FILE* out, const Recording& recording, Inspector& inspector, const ReportOptions& options,
                   int result) {
  const auto step = static_cast<std::uint32_t>(options.step);
  const Bound& bound = recording.bound(step);
  const Operand& operand = bound.operands[static_cast<std::size_t>(result)];
  const std::string who = recording.program().operand_name(operand);
  const ByteRange place = operand.tile.place_of(options.row, options.col);
  const std::uint64_t bits = inspector.at(step + 1).element(place);
  fmt::print(out, "\n where {}[{},{}] = {} ({}) came from\n", who, options.row, options.col,
             format_value(operand.tile.type.dtype, bits), hex_text(element_format(operand.tile.type.dtype), bits));
  const Flow flow = inspector.flow(step);
  if (!flow.wrote(place)) {
    fmt::print(out, "   this step did not write it\n");
    return;
  }
  for (const Source& source : flow.sources(result, options.row, options.col))
    fmt::print(out, "   {}\n", source_text(recording, bound, source));
}

}  // namespace

std::string tile_table(const Memory& memory, const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  const std::uint32_t rows = std::min(tile.rows(), kMostTileRows), first_row = window_begin(row, rows, tile.rows());
  const auto most_cols = static_cast<std::uint32_t>(std::min<std::size_t>(tile.cols(), kLineWidth / 2));
  const std::uint32_t from = window_begin(col, most_cols, tile.cols());
  std::vector<std::vector<std::string>> cells(rows);
  std::size_t width = std::max<std::size_t>(2, std::to_string(from + most_cols - 1).size());
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = 0; c < most_cols; ++c) {
      cells[r].push_back(element_text(memory, tile, first_row + r, from + c));
      width = std::max(width, cells[r].back().size());
    }
  }
  const std::uint32_t cols = std::min(most_cols, static_cast<std::uint32_t>((kLineWidth - 8) / (width + 1)));
  const std::uint32_t first_col = from + (col < tile.cols() ? window_begin(col - from, cols, most_cols) : 0);
  std::string out = fmt::format("    {:>4}", "");
  for (std::uint32_t c = 0; c < cols; ++c) out += fmt::format(" {:>{}}", first_col + c, width);
  out += cols < tile.cols() ? fmt::format("  ... {} columns\n", tile.cols()) : "\n";
  for (std::uint32_t r = 0; r < rows; ++r) {
    out += fmt::format("    {:>4}", first_row + r);
    for (std::uint32_t c = 0; c < cols; ++c) out += fmt::format(" {:>{}}", cells[r][first_col - from + c], width);
    out += "\n";
  }
  if (rows < tile.rows()) out += fmt::format("     ... {} rows\n", tile.rows());
  return out;
}

void print_step(std::FILE* out, const Recording& recording, Inspector& inspector, const SourceMap& map,
                SourceTexts& sources, const ReportOptions& options) {
  const auto step = static_cast<std::uint32_t>(options.step);
  const Bound& bound = recording.bound(step);
  fmt::print(out, "\nSTEP {}  {}\n        {}\n", step, recording.program().text(recording.step(step).instruction),
             bound.row->summary);
  print_origin(out, recording, step, map, sources);
  const auto tiles =
      std::ranges::count(bound.operands, OperandKind::Tile, [](const Operand& operand) { return operand.spec->kind; });
  if (tiles != 0) {
    fmt::print(out, "\n before\n");
    print_tiles(out, recording, inspector.at(step), bound, false, options);
    fmt::print(out, " after\n");
    print_tiles(out, recording, inspector.at(step + 1), bound, true, options);
  }
  const int result = followed_result(recording.program(), bound, options.tile);
  if (result >= 0 && machines_for(bound).run != nullptr) print_sources(out, recording, inspector, options, result);
  fmt::print(out, "\n");
  if (!options.trace_all) print_trace(out, recording, inspector, step, kMostMicroSteps, false);
}

}  // namespace ts
