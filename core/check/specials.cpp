// The first NaN or infinity.
#include <fmt/format.h>

#include <cmath>

#include "core/check/flow_text.h"
#include "core/check/walk.h"
#include "core/debug/origins/produced.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

class SpecialsExaminer : public Examiner {
 public:
  explicit SpecialsExaminer(const Recording& recording) : recording_(recording) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    const Specials any{.nan = sink.wants(FindingKind::Nan), .inf = sink.wants(FindingKind::Inf)};
    if (!wrote_specials(recording_, step.inspector(), step.number(), any)) return;
    look_for(FindingKind::Nan, {.nan = true}, step, sink);
    look_for(FindingKind::Inf, {.inf = true}, step, sink);
  }

 private:
  void look_for(FindingKind kind, Specials wanted, CheckedStep& step, FindingSink& sink) {
    if (!sink.wants(kind)) return;
    const auto made = [&](ByteRange place, std::uint32_t before) {
      return made_before(place, before, step.inspector());
    };
    const auto cell = first_special(recording_, step.inspector(), step.number(), wanted, made);
    if (cell) tell(kind, *cell, step, sink);
  }

  bool made_before(ByteRange place, std::uint32_t step, Inspector& inspector) {
    if (!index_) index_.emplace(recording_);
    StepReads reads(recording_, inspector);
    return made_by_step(DataFlow(recording_, inspector, *index_, reads), place, step);
  }

  void tell(FindingKind kind, const Cell& cell, CheckedStep& step, FindingSink& sink) {
    const Operand* from = brought_by(step.bound(), kind);
    // Who writes down an infinity, as a running maximum begins with, means it.
    if (kind == FindingKind::Inf && from != nullptr && from->spec->kind == OperandKind::Scalar) return;
    if (!sink.takes(kind, step.number())) return;
    const Operand& result = step.bound().operands[static_cast<std::size_t>(cell.operand)];
    const DType type = element_type(result);
    std::uint64_t bits = 0;
    const auto bytes = std::as_writable_bytes(std::span(&bits, 1)).first(cell.place.size);
    step.inspector().peek_unedited(step.number() + 1, cell.place, bytes);
    const std::string what =
        fmt::format("{}: {} ({} 0x{:x}) is {} (0x{:0{}x})", step.bound().row->name,
                    element_text(recording_, step.bound(), cell.operand, cell.row, cell.col), name(cell.place.space),
                    cell.place.address, format_value(type, bits), bits, 2 * cell.place.size);
    const std::string_view noun = kind == FindingKind::Nan ? "NaN" : "infinity";
    if (from != nullptr)
      sink.add(kind, step.number(),
               fmt::format("{}, brought in from outside by {}", what, recording_.program().operand_name(*from)),
               "the program was given it; look at its inputs", found(cell));
    else
      sink.add(
          kind, step.number(),
          fmt::format("{}; nothing it was made of is {}", what, kind == FindingKind::Nan ? "a NaN" : "an infinity"),
          fmt::format("it is the first {} on its way: look at the sources of this element", noun), found(cell));
  }

  static FoundElement found(const Cell& cell) { return {cell.operand, cell.row, cell.col, cell.place}; }

  static bool is_one(const Scalar& scalar, FindingKind kind) {
    if (!is_float(scalar.dtype)) return false;
    const double value = to_double(scalar.dtype, scalar.bits);
    return kind == FindingKind::Nan ? std::isnan(value) : std::isinf(value);
  }

  // The view that a step loads from, or a number that is one itself.
  static const Operand* brought_by(const Bound& bound, FindingKind kind) {
    for (const Operand& operand : bound.operands) {
      if (operand.spec->role == Role::In && operand.spec->kind == OperandKind::Global) return &operand;
      if (operand.spec->kind == OperandKind::Scalar && is_one(operand.scalar, kind)) return &operand;
    }
    return nullptr;
  }

  const Recording& recording_;
  std::optional<StepIndex> index_;
};

}  // namespace

std::unique_ptr<Examiner> examine_specials(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Nan) == Level::Off && options.of(FindingKind::Inf) == Level::Off) return nullptr;
  return std::make_unique<SpecialsExaminer>(recording);
}

}  // namespace ts
