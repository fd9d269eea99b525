// What is no mistake of a rule, and often one of a kernel: waits that nobody wrote, rows of an output that nobody wrote,
// columns that are left out.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "core/check/walk.h"
#include "core/record/operand_place.h"
#include "core/text/count.h"

namespace ts {
namespace {

// --- rows that nobody wrote ---

// A buffer that somebody gave no data, as rows of the first view of it.
struct OutputRows {
  const BufferDecl* buffer = nullptr;
  std::uint32_t row_bytes = 0;
  std::vector<bool> written = {};
  std::uint32_t last_step = 0;
  int operand = -1;  // of that step
};

class RowsExaminer : public Examiner {
 public:
  RowsExaminer(const Recording& recording, const CheckOptions& options) : recording_(recording), options_(options) {
    for (const BufferDecl& buffer : recording.program().buffers) {
      const std::vector<std::uint32_t>& shape = buffer.view_shape;
      const std::uint64_t all =
          std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<std::uint64_t>());
      const bool given = !buffer.data.empty() || buffer.late != nullptr;
      if (given || shape.size() < 2 || all == 0 || all != buffer.elements) continue;
      const std::uint32_t rows = static_cast<std::uint32_t>(all / shape.back());
      outputs_.push_back({&buffer, buffer.size() / rows, std::vector<bool>(rows)});
    }
  }

  void look(CheckedStep& step, FindingSink&) override {
    if (outputs_.empty()) return;
    const Bound& bound = step.bound();
    for (std::size_t i = 0; i < bound.operands.size(); ++i) {
      const Operand& operand = bound.operands[i];
      if (operand.spec == nullptr || operand.spec->kind != OperandKind::Global || operand.spec->role != Role::Out)
        continue;
      for (OutputRows& output : outputs_)
        if (operand.global.buffer_begin == output.buffer->address) note(output, step, static_cast<int>(i));
    }
  }

  void end(FindingSink& sink) override {
    if (recording_.stop_reason() != StopReason::End) return;
    for (const OutputRows& output : outputs_) {
      const auto missing = std::ranges::count(output.written, false);
      const auto rows = static_cast<std::ptrdiff_t>(output.written.size());
      if (output.row_bytes == 0 || missing == 0 || missing == rows) continue;
      const auto first = std::ranges::find(output.written, false) - output.written.begin();
      tell_as(
          sink.add(FindingKind::Rule, output.last_step,
                   fmt::format("{} of the {} rows of %{} were written by nobody; the first is row {}",
                               text::grouped(static_cast<std::uint64_t>(missing)),
                               text::grouped(static_cast<std::uint64_t>(rows)), output.buffer->name, first),
                   "a loop that ends before the last rows, or fewer blocks than the kernel is for (--blocks)",
                   FoundElement{output.operand, static_cast<std::uint32_t>(first), 0,
                                ByteRange{Space::Gm,
                                          output.buffer->address + static_cast<std::uint32_t>(first) * output.row_bytes,
                                          output.row_bytes}}),
          options_, FindingKind::Rule, "CHK-UNWRITTEN", Severity::Warning);
    }
  }

 private:
  void note(OutputRows& output, const CheckedStep& step, int operand) {
    output.last_step = step.number();
    output.operand = operand;
    const Flat begin = recording_.map().flat(Space::Gm, output.buffer->address), end = begin + output.buffer->size();
    for (const WritePattern& pattern : step.writes())
      for_runs(pattern, [&](Flat base, std::uint32_t size) {
        const Flat from = std::max(base, begin), to = std::min(base + size, end);
        if (from >= to) return;
        for (Flat row = (from - begin) / output.row_bytes; row <= (to - 1 - begin) / output.row_bytes; ++row)
          output.written[row] = true;
      });
  }

  const Recording& recording_;
  const CheckOptions& options_;
  std::vector<OutputRows> outputs_;
};

// --- columns that are left out ---

// By tile: how many columns the last step that wrote it made valid.
struct WrittenColumns {
  std::uint32_t cols = 0, step = 0;
};

bool is_tile_in(const Operand& operand, Role role) {
  return operand.spec != nullptr && operand.spec->kind == OperandKind::Tile && operand.spec->role == role;
}

// Whether it makes less of its source than there is: what it leaves out is lost.
bool uses_up(const Bound& bound) {
  return bound.row->draw == Drawing::Reduce || std::ranges::any_of(bound.operands, [](const Operand& operand) {
           return operand.spec != nullptr && operand.spec->kind == OperandKind::Global &&
                  operand.spec->role == Role::Out;
         });
}

class ColumnsExaminer : public Examiner {
 public:
  ColumnsExaminer(const Recording& recording, const CheckOptions& options) : recording_(recording), options_(options) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    const Bound& bound = step.bound();
    if (uses_up(bound))
      for (std::size_t i = 0; i < bound.operands.size(); ++i)
        if (is_tile_in(bound.operands[i], Role::In)) compare(step, static_cast<int>(i), sink);
    for (const Operand& operand : bound.operands)
      if (is_tile_in(operand, Role::Out)) written_[operand.id] = {operand.tile.valid_cols, step.number()};
  }

 private:
  void compare(CheckedStep& step, int number, FindingSink& sink) {
    const Operand& operand = step.bound().operands[static_cast<std::size_t>(number)];
    const auto last = written_.find(operand.id);
    const std::uint32_t cols = operand.tile.valid_cols;
    if (last == written_.end() || cols == 0 || cols >= last->second.cols) return;
    const auto& [had, writer] = last->second;
    const Bound& before = recording_.bound(writer);
    tell_as(sink.add(FindingKind::Rule, step.number(),
                     fmt::format("{} takes {} of the {} columns of {} that {} (step {}) wrote", step.bound().row->name,
                                 cols, had, recording_.program().operand_name(operand), before.row->name, writer),
                     "right where the rest is padding; else set the valid columns to what was written",
                     FoundElement{number, 0, cols, place_of(operand, 0, cols)}, {{before.pos, "it is written here"}}),
            options_, FindingKind::Rule, "CHK-NARROWED", Severity::Note);
  }

  const Recording& recording_;
  const CheckOptions& options_;
  std::map<std::uint32_t, WrittenColumns> written_;
};

}  // namespace

std::unique_ptr<Examiner> examine_rows(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Rule) == Level::Off) return nullptr;
  return std::make_unique<RowsExaminer>(recording, options);
}

std::unique_ptr<Examiner> examine_columns(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Rule) == Level::Off) return nullptr;
  return std::make_unique<ColumnsExaminer>(recording, options);
}

}  // namespace ts
