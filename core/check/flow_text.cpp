// Wording findings about undefined and foreign bytes.
#include "core/check/flow_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {
namespace {

const Operand* mask_of(const Bound& bound) {
  const auto mask =
      std::ranges::find_if(bound.operands, [](const Operand& operand) { return operand.spec->role == Role::Mask; });
  return mask == bound.operands.end() ? nullptr : &*mask;
}

bool is_padding(const Operand& operand, const Source& source) {
  return operand.spec->kind == OperandKind::Tile && source.kind == Source::Kind::Element &&
         (source.row >= operand.tile.valid_rows || source.col >= operand.tile.valid_cols);
}

}  // namespace

std::string element_text(const Recording& recording, const Bound& bound, int number, std::uint32_t row,
                         std::uint32_t col) {
  const Operand& operand = bound.operands[static_cast<std::size_t>(number)];
  const std::string who = fmt::format("{} {}", operand.spec->name, recording.program().operand_name(operand));
  return operand.spec->kind == OperandKind::Global ? fmt::format("{}[{}]", who, col)
                                                   : fmt::format("{}[{},{}]", who, row, col);
}

const StepIndex& FlowTeller::index() {
  if (!index_) index_.emplace(recording_);
  return *index_;
}

std::string FlowTeller::step_text(std::uint32_t step) const {
  return fmt::format("step {} ({})", step, recording_.bound(step).row->name);
}

std::string FlowTeller::place_text(const ByteRange& place) const {
  return fmt::format("{} 0x{:x}", name(place.space), place.address);
}

std::string FlowTeller::cause_text(const FlowFault& fault, const Bound& bound, const Source& source) const {
  if (!is_bit_tag(fault.cause)) {
    if (source.operand < 0) return fmt::format("the byte at {}", place_text(source.place));
    return fmt::format("{} ({})", element_text(recording_, bound, source.operand, source.row, source.col),
                       place_text(source.place));
  }
  if (source.operand < 0) return fmt::format("bit {} of the byte at {}", source.bit, place_text(source.place));
  const TileRef& mask = bound.operands[static_cast<std::size_t>(source.operand)].tile;
  const std::uint32_t width = 8 * mask.elem_bytes();
  return fmt::format("bit {} of {} ({}, lane [{},{}])", source.col % width,
                     element_text(recording_, bound, source.operand, source.row, source.col / width),
                     place_text(source.place), source.row, source.col);
}

std::string FlowTeller::worth_text(const FlowFault& fault, const Source& source) const {
  if (fault.kind == FindingKind::Overread) return "is in none of the operands";
  if (fault.origin) {
    const Flat from = fault.origin->byte;
    return fmt::format("is a copy of {}, which was undefined, made by {}", place_text(recording_.map().locate(from)),
                       step_text(fault.origin->step));
  }
  return source.definedness == Definedness::Unspecified ? "is unspecified" : "was never written";
}

std::string FlowTeller::reach_text(const FlowFault& fault, const Bound& bound, const Source& source) const {
  const bool bit = is_bit_tag(fault.cause);
  const bool chose =
      source.operand >= 0 && bound.operands[static_cast<std::size_t>(source.operand)].spec->role == Role::Offsets;
  const std::string_view result = bound.operands[static_cast<std::size_t>(fault.operand)].spec->name;
  return fmt::format("{} {}; {} of {} elements of {} are {} such {}",
                     bit     ? "decides"
                     : chose ? "chooses"
                             : "reaches",
                     element_text(recording_, bound, fault.operand, fault.result.row, fault.result.col), fault.count,
                     fault.of, result,
                     bit     ? "decided by"
                     : chose ? "chosen by"
                             : "made of",
                     bit ? "bits" : "bytes");
}

void FlowTeller::advise(const FlowFault& fault, std::uint32_t step, const Source& source, std::string& hint,
                        std::vector<DiagnosticNote>& notes) {
  const Bound& bound = recording_.bound(step);
  if (fault.kind == FindingKind::Overread) {
    const Operand* mask = is_bit_tag(fault.cause) ? mask_of(bound) : nullptr;
    hint = mask == nullptr
               ? "make the tile that is read larger, or the result's valid region smaller"
               : fmt::format("{} has {} rows of {} bits: make it larger, or the result's valid region smaller",
                             recording_.program().operand_name(*mask), mask->tile.rows(), 8 * mask->tile.pitch_bytes());
    return;
  }
  const Flat root = fault.origin ? fault.origin->byte : byte_of(fault.cause);
  const ByteRange place = recording_.map().locate(root);
  if (fault.origin)
    notes.push_back(
        {recording_.bound(fault.origin->step).pos, fmt::format("{} copied it", step_text(fault.origin->step))});
  const std::uint32_t asked_at = fault.origin ? fault.origin->step : step;
  const auto earlier = index().last_write(root, root + 1, asked_at);
  if (earlier && source.definedness == Definedness::Unspecified && !fault.origin) {
    hint = fmt::format("{} wrote here last and promises nothing of what it left; write it anew, or leave it out",
                       step_text(*earlier));
    notes.push_back({recording_.bound(*earlier).pos, "left unspecified here"});
    return;
  }
  const auto later = index().next_write(root, root + 1, asked_at);
  if (earlier && is_core_memory(place.space)) {
    hint =
        fmt::format("what {} wrote there was lost when this block began; write it in every block", step_text(*earlier));
    notes.push_back({recording_.bound(*earlier).pos, "written here, in an earlier block"});
  } else if (later == asked_at && bound.row->product != nullptr) {
    hint = "no product has started these sums: the first one is tmatmul (or .bias), those after it are tmatmul.acc";
  } else if (later == asked_at) {
    hint =
        fmt::format("{} is the first that writes {}; load or fill it before", step_text(asked_at), place_text(place));
  } else if (later) {
    hint = fmt::format("{} writes {} first; that would have to come before", step_text(*later), place_text(place));
    notes.push_back({recording_.bound(*later).pos, "written here only"});
  } else if (place.space == Space::Gm) {
    hint = "give the buffer contents, or write it first";
  } else {
    hint = fmt::format("no step ever writes {}; load or fill it before", place_text(place));
  }
  if (source.operand < 0) return;
  const Operand& operand = bound.operands[static_cast<std::size_t>(source.operand)];
  if (is_padding(operand, source))
    hint += fmt::format("; the element is outside the valid {}x{} of {}", operand.tile.valid_rows,
                        operand.tile.valid_cols, recording_.program().operand_name(operand));
}

void FlowTeller::tell(const FlowFault& fault, std::uint32_t step, const Flow& flow, FindingSink& sink) {
  if (!sink.takes(fault.kind, step)) return;
  const Bound& bound = recording_.bound(step);
  const Source source = flow.source_of(fault.cause, false);
  std::string hint;
  std::vector<DiagnosticNote> notes;
  advise(fault, step, source, hint, notes);
  sink.add(fault.kind, step,
           fmt::format("{}: {} {} and {}", bound.row->name, cause_text(fault, bound, source), worth_text(fault, source),
                       reach_text(fault, bound, source)),
           std::move(hint), FoundElement{source.operand, source.row, source.col, source.place}, std::move(notes));
}

}  // namespace ts
