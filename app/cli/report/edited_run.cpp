// Forking a run on the command line.
#include "app/cli/report/edited_run.h"

#include <fmt/format.h>

#include "app/cli/program_file.h"
#include "app/cli/terminal/terminal.h"
#include "app/cli/told.h"
#include "core/debug/compare/compare_runs.h"
#include "core/debug/edits/fork.h"

namespace ts {
namespace {

// "step 14 tadd, line 12: %t3[0,1] is 5 (0x40a00000), and was 2 (0x40000000) without the change"
std::string difference_to_base(const Recording& edited, const ResultDifference& found) {
  const Bound& bound = edited.bound(found.step_b);
  const Operand& result = bound.operands[static_cast<std::size_t>(found.operand_b)];
  const ElementFormat& format =
      element_format(result.spec->kind == OperandKind::Tile ? result.tile.type.dtype : result.global.dtype);
  const Difference& first = *found.comparison.first;
  const std::string element = result.spec->kind == OperandKind::Tile ? fmt::format("{},{}", first.row, first.col)
                                                                     : fmt::format("{}", first.col);
  const auto value = [&](std::uint64_t bits) {
    return fmt::format("{} ({})", short_text(format, bits), hex_text(format, bits));
  };
  return fmt::format("step {} {}, line {}: %{}[{}] is {}, and {} without the change; {} elements differ there",
                     found.step_b, bound.row->name, bound.pos.line, found.name, element, value(first.b), value(first.a),
                     found.comparison.count);
}

}  // namespace

std::optional<EditedRun> run_with_edits(const std::shared_ptr<const Recording>& run,
                                        const std::vector<std::string>& edits) {
  const Watch watch("running with the change");
  auto made = fork_by_text(run, edits, {}, watch.question());
  if (const auto* no = std::get_if<Refusal>(&made)) {
    fail("--edit: " + no->text, no->hint);
    return {};
  }
  auto& forked = std::get<Forked>(made);
  EditedRun out{std::move(forked.recording), std::move(forked.edits)};
  const RunDifferences found =
      compare_runs(*run, *out.recording, {.most = 1}, [](std::uint32_t) { return !interrupted(); });
  for (const std::string& edit : out.edits) out.text += fmt::format("changed by hand: {}\n", edit);
  if (!found.differences.empty()) {
    out.differs = found.differences.front().step_b;
    out.text += fmt::format("first difference: {}\n", difference_to_base(*out.recording, found.differences.front()));
  } else if (found.parted) {
    out.text += "no result differs before the runs part: other steps are made\n";
  } else {
    out.text += "no step's result differs from the run without the change\n";
  }
  return out;
}

}  // namespace ts
