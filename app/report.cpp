// The terminal report.
#include "app/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ts {
namespace {

constexpr std::uint32_t kMostRows = 6;
constexpr std::size_t kLineWidth = 116;
constexpr std::size_t kMostMicroSteps = 24, kMostFindings = 40;
constexpr std::uint32_t kFirstSteps = 200, kLastSteps = 50;  // of a long list
constexpr std::uint32_t kDigestSteps = 20'000;               // more would take as long again as the run

std::string element_text(const Memory& memory, const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  const std::uint32_t address = tile.at(row, col);
  std::string text = format_value(tile.type.dtype, memory.element(tile.space(), address, tile.elem_bytes()));
  const Definedness worth = memory.worst_definedness(memory.map().flat(tile.space(), address), tile.elem_bytes());
  if (worth == Definedness::Never) text = "..";
  if (worth == Definedness::Unspecified) text += "?";
  const bool valid = row < tile.valid_rows && col < tile.valid_cols;
  return valid ? text : "[" + text + "]";
}

std::string write_text(const MemoryMap& map, const WritePattern& pattern) {
  const ByteRange place = map.locate(pattern.base);
  std::string text = fmt::format("{} 0x{:x}+{}", name(place.space), place.address, pattern.size);
  if (pattern.count > 1) text += fmt::format(" x{} every {}", pattern.count, pattern.stride);
  return text;
}

std::string writes_text(const Recording& recording, std::uint32_t step) {
  std::string text;
  for (const WritePattern& pattern : recording.writes(step)) text += (text.empty() ? "" : ", ") + write_text(recording.map(), pattern);
  return text.empty() ? "nothing" : text;
}

// The address arithmetic of an element of a tile, spelled out.
std::string address_text(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  if (tile.type.row_major())
    return fmt::format("0x{:x} + ({}*{} + {})*{} = 0x{:x}", tile.address, row, tile.cols(), col, tile.elem_bytes(), tile.at(row, col));
  if (tile.type.col_major())
    return fmt::format("0x{:x} + ({}*{} + {})*{} = 0x{:x}", tile.address, col, tile.rows(), row, tile.elem_bytes(), tile.at(row, col));
  return fmt::format("0x{:x}", tile.at(row, col));
}

std::string source_text(const Recording& recording, const Bound& bound, const Source& source) {
  const std::string why = source.decided ? "chosen by " : "from ";
  const char* worth = source.definedness == Definedness::Never         ? "  (never written!)"
                      : source.definedness == Definedness::Unspecified ? "  (unspecified)"
                                                                       : "";
  if (source.kind == Source::Kind::Unspecified) return "unspecified: " + source.why;
  if (source.kind == Source::Kind::Bytes || source.operand < 0)
    return fmt::format("{}{} 0x{:x}, a byte of no operand{}", why, name(source.place.space), source.place.address, worth);
  const Operand& operand = bound.operands[static_cast<std::size_t>(source.operand)];
  const std::string who = recording.program().operand_name(operand);
  switch (source.kind) {
    case Source::Kind::Scalar: return fmt::format("{}the scalar {} (0x{:x})", why, who, source.bits);
    case Source::Kind::MaskBit:
      return fmt::format("{}bit {} of byte 0x{:x} of {} = {}, which governs row {} column {}{}", why, source.bit, source.place.address, who,
                         source.bits, source.row, source.col, worth);
    default: break;
  }
  if (operand.spec->kind == OperandKind::Global)
    return fmt::format("{}{}[{}] = {}{}", why, who, source.col, format_value(operand.global.dtype, source.bits), worth);
  return fmt::format("{}{}[{},{}] = {}  at {}{}", why, who, source.row, source.col, format_value(operand.tile.type.dtype, source.bits),
                     address_text(operand.tile, source.row, source.col), worth);
}

std::string tile_section(const Recording& recording, const Memory& memory, const Operand& operand) {
  return fmt::format("  {:<8} {} = {} at {} 0x{:x}{}\n{}", operand.spec->name, recording.program().operand_name(operand),
                     operand.tile.type.describe(), name(operand.tile.space()), operand.tile.address,
                     operand.implicit ? ", scratch the text does not name" : "", tile_table(memory, operand.tile));
}

std::string thinning_text(const Recording& recording) {
  const Thinning& thinning = recording.thinning();
  if (!thinning) return "";
  return fmt::format("snapshots before step {0} are thinned to one every {1} steps; going there replays up to {1} steps\n\n",
                     thinning.dense_start, std::min(thinning.interval, thinning.dense_start));
}

// The lanes of a register as numbers, or how many lanes of a predicate are on.
std::string made_text(const Trace& trace, const MicroStep& micro, std::uint32_t id) {
  const TraceValue& value = trace.values[id];
  const std::uint32_t size = size_bytes(micro.type);
  std::string lanes;
  if (value.kind == TraceValue::Kind::Predicate) {
    std::uint32_t on = 0;
    for (std::uint32_t lane = 0; lane < VL / size; ++lane) {
      const bool bit = value.bytes[lane * size / 8] >> (lane * size % 8) & 1;
      lanes += bit ? '1' : '.';
      on += bit ? 1 : 0;
    }
    return fmt::format("          p{}: {} of {} lanes  {}\n", id, on, VL / size, lanes);
  }
  for (std::uint32_t at = 0; at < VL; at += size) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, value.bytes.data() + at, size);
    lanes += " " + format_value(micro.type, bits);
  }
  return fmt::format("          v{}:{}\n", id, lanes);
}

// The micro-operations of a step; with `values` also what each made.
std::string trace_section(const Recording& recording, Inspector& inspector, std::uint32_t step, std::size_t most, bool values) {
  if (recording.bound(step).row->machines.trace == nullptr) return "";
  const Trace trace = inspector.trace(step);
  std::string out = fmt::format("\n {} micro-operations on {}\n", trace.steps.size(), name(recording.program().target));
  for (std::size_t i = 0; i < std::min(most, trace.steps.size()); ++i) {
    const MicroStep& micro = trace.steps[i];
    std::string touched;
    for (const TraceAccess& access : micro.writes) touched += fmt::format("  -> {} 0x{:x}+{}", name(access.space), access.address, access.size);
    if (micro.op->flow == FlowKind::Emulator) touched += "  (emulator step)";
    out += fmt::format("  {:>4}  {}{}\n", i, trace.describe(micro), touched);
    if (values)
      for (const std::uint32_t id : micro.made) out += made_text(trace, micro, id);
  }
  if (trace.steps.size() > most) out += fmt::format("        ... and {} more\n", trace.steps.size() - most);
  return out;
}

std::string step_section(const Recording& recording, Inspector& inspector, const ReportOptions& options) {
  const auto step = static_cast<std::uint32_t>(options.step);
  const Bound& bound = recording.bound(step);
  std::string out = fmt::format("\nSTEP {}  {}\n        {}\n\n", step, recording.program().text(recording.step(step).instruction), bound.row->summary);

  int chosen = -1;
  out += " before\n";
  for (const Operand& operand : bound.operands)
    if (operand.spec->kind == OperandKind::Tile && operand.spec->role != Role::Out) out += tile_section(recording, inspector.at(step), operand);
  out += " after\n";
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& operand = bound.operands[i];
    if (operand.spec->kind != OperandKind::Tile || operand.spec->role != Role::Out) continue;
    out += tile_section(recording, inspector.at(step + 1), operand);
    if (chosen < 0 || recording.program().tiles[operand.id].name == options.tile) chosen = static_cast<int>(i);
  }

  if (chosen >= 0 && bound.row->machines.tag != nullptr) {
    const Operand& operand = bound.operands[static_cast<std::size_t>(chosen)];
    const std::uint32_t row = std::min(options.row, operand.tile.rows() - 1), col = std::min(options.col, operand.tile.cols() - 1);
    const std::uint64_t bits = inspector.at(step + 1).element(operand.tile.space(), operand.tile.at(row, col), operand.tile.elem_bytes());
    out += fmt::format("\n where {}[{},{}] = {} (0x{:0{}x}) came from\n", recording.program().operand_name(operand), row, col,
                       format_value(operand.tile.type.dtype, bits), bits, 2 * operand.tile.elem_bytes());
    const Flow flow = inspector.flow(step);
    const ByteRange place{operand.tile.space(), operand.tile.at(row, col), operand.tile.elem_bytes()};
    if (!flow.wrote(place)) out += "   this step did not write it\n";
    if (flow.wrote(place))
      for (const Source& source : flow.sources(chosen, row, col)) out += "   " + source_text(recording, bound, source) + "\n";
  }

  if (options.micro_steps) out += trace_section(recording, inspector, step, kMostMicroSteps, false);
  return out;
}

std::string step_line(const Recording& recording, std::uint32_t step, const ReportOptions& options) {
  const Bound& bound = recording.bound(step);
  std::string where;
  if (recording.program().blocks > 1) where = fmt::format(" block {}", recording.step(step).block);
  if (!recording.loops(step).empty()) where += fmt::format(" [{}]", fmt::join(recording.loops(step), ","));
  const std::string text = recording.program().short_text(recording.step(step).instruction);
  return fmt::format(" {} {:>4}  {:<4} {:<58}{} writes {}\n", static_cast<int>(step) == options.step ? ">" : " ", step, name(bound.pipe), text, where,
                     writes_text(recording, step));
}

// Of many steps the first and the last.
bool skips(std::uint32_t step, std::uint32_t count) { return count > kFirstSteps + kLastSteps && step >= kFirstSteps && step < count - kLastSteps; }

}  // namespace

std::string tile_table(const Memory& memory, const TileRef& tile) {
  const std::uint32_t rows = std::min(tile.rows(), kMostRows);
  const auto most_cols = static_cast<std::uint32_t>(std::min<std::size_t>(tile.cols(), kLineWidth / 2));
  std::vector<std::vector<std::string>> cells(rows);
  std::size_t width = 2;
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = 0; c < most_cols; ++c) {
      cells[r].push_back(element_text(memory, tile, r, c));
      width = std::max(width, cells[r].back().size());
    }
  }
  const std::uint32_t cols = std::min(most_cols, static_cast<std::uint32_t>((kLineWidth - 8) / (width + 1)));
  std::string out = fmt::format("    {:>4}", "");
  for (std::uint32_t c = 0; c < cols; ++c) out += fmt::format(" {:>{}}", c, width);
  out += cols < tile.cols() ? fmt::format("  ... {} columns\n", tile.cols()) : "\n";
  for (std::uint32_t r = 0; r < rows; ++r) {
    out += fmt::format("    {:>4}", r);
    for (std::uint32_t c = 0; c < cols; ++c) out += fmt::format(" {:>{}}", cells[r][c], width);
    out += "\n";
  }
  if (rows < tile.rows()) out += fmt::format("     ... {} rows\n", tile.rows());
  return out;
}

std::string report(const Recording& recording, const std::vector<InputSource>& inputs, const ReportOptions& options) {
  const Program& program = recording.program();
  std::string out = fmt::format("{} on {}: {} steps, {}\n\n", program.name, name(program.target), recording.count(), name(recording.stop_reason()));
  for (const InputSource& input : inputs) out += fmt::format("  %{:<12} {}\n", input.name, input.text);
  if (!inputs.empty()) out += "\n";
  out += thinning_text(recording);
  Inspector inspector(recording);
  std::size_t finding = 0;
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    if (!options.trace_all && skips(step, recording.count())) {
      if (step == kFirstSteps) out += fmt::format("   ... {} steps ...\n", recording.count() - kFirstSteps - kLastSteps);
      continue;
    }
    out += step_line(recording, step, options);
    if (options.trace_all) out += trace_section(recording, inspector, step, ~std::size_t{0}, true);
  }
  for (; finding < recording.findings().size() && finding < kMostFindings; ++finding)
    out += fmt::format("\n step {}: {}\n", recording.findings()[finding].step, recording.findings()[finding].diagnostic.format());
  if (finding < recording.findings().size()) out += fmt::format("\n and {} findings more\n", recording.findings().size() - finding);
  if (options.step >= 0 && options.step < static_cast<int>(recording.count())) out += step_section(recording, inspector, options);
  out += "\n[x] outside the valid region   ..  never written   x?  unspecified\n";
  if (recording.count() <= kDigestSteps) out += fmt::format("digest {}\n", recording.digest());
  return out;
}

}  // namespace ts
