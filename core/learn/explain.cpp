// Sentences from the data flow.
#include "core/learn/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/debug/elements/cell_text.h"
#include "core/learn/element_name.h"
#include "core/learn/typed_value.h"
#include "core/record/operand_place.h"

namespace ts::learn {
namespace {

// Of inputs larger than this nobody looks for a value that a learner may have had in mind.
constexpr std::uint64_t kMostSearched = 1u << 16;
// Elements that one went to, and sources, that are named; of more it is said how many.
constexpr std::size_t kMostNamed = 3;

std::uint64_t bits_of(std::span<const std::byte> bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof bits));
  return bits;
}

void add_once(std::vector<StepElement>& all, const StepElement& element) {
  if (std::ranges::find(all, element) == all.end()) all.push_back(element);
}

std::string named(const Program& program, const Bound& bound, const std::vector<StepElement>& elements,
                  const char* last) {
  std::string text;
  const std::size_t shown = std::min(elements.size(), kMostNamed);
  for (std::size_t i = 0; i < shown; ++i)
    text += fmt::format("{}{}",
                        i == 0                                       ? ""
                        : i + 1 == shown && shown == elements.size() ? fmt::format(" {} ", last)
                                                                     : ", ",
                        name_of(program, bound, elements[i]));
  if (shown < elements.size()) text += fmt::format(" {} {} more", last, elements.size() - shown);
  return text;
}

// "chosen by bit 3 of mask[0,0], which is 0"; empty where nothing chose.
std::string choice_text(const Recording& recording, const Truth& truth) {
  const Program& program = recording.program();
  const Bound& bound = recording.bound(truth.step);
  for (const Source& source : truth.sources) {
    if (!source.decided) continue;
    const auto element = element_of_source(program, bound, source);
    if (!element) continue;
    const std::string who = name_of(program, bound, *element);
    if (source.kind == Source::Kind::MaskBit)
      return fmt::format("chosen by bit {} of {}, which is {}", source.bit, who, source.bits);
    const Operand& operand = bound.operands[static_cast<std::size_t>(source.operand)];
    return fmt::format("chosen by {}, which is {}", who, format_value(element_type(operand), source.bits));
  }
  return "";
}

bool is_input(const Operand& operand) {
  return operand.spec != nullptr && operand.spec->role != Role::Out && operand.spec->kind != OperandKind::Scalar;
}

}  // namespace

std::vector<StepElement> Truth::elements(const Program& program, const Bound& bound) const {
  std::vector<StepElement> all;
  for (const Source& source : sources) {
    if (source.decided || source.kind != Source::Kind::Element) continue;
    if (const auto element_found = element_of_source(program, bound, source)) add_once(all, *element_found);
  }
  return all;
}

const Source* Truth::scalar() const {
  const auto found = std::ranges::find_if(
      sources, [](const Source& source) { return !source.decided && source.kind == Source::Kind::Scalar; });
  return found == sources.end() ? nullptr : &*found;
}

Truth truth_of(Session& session, std::uint32_t step, const StepElement& element) {
  const Recording& recording = session.recording();
  const Bound& bound = recording.bound(step);
  Truth truth{.step = step, .element = element};
  const ByteRange place = place_of(recording.program(), bound, element);
  truth.format = &element_format(element_type(bound.operands[static_cast<std::size_t>(element.operand)]));
  std::vector<std::byte> bytes(place.size);
  truth.worth_before = session.peek(step, place, bytes);
  truth.before = bits_of(bytes);
  truth.worth_after = session.peek(step + 1, place, bytes);
  truth.after = bits_of(bytes);
  const Flow flow = session.flow_of(step);
  truth.wrote = flow.wrote(place);
  if (truth.wrote) truth.sources = flow.sources_of_bytes(place);
  return truth;
}

std::string value_sentence(const Recording& recording, const Truth& truth) {
  const std::string who = name_of(recording.program(), recording.bound(truth.step), truth.element);
  if (truth.worth_after == Definedness::Never) return fmt::format("{} is never written", who);
  if (truth.worth_after == Definedness::Unspecified)
    return fmt::format("{} is unspecified: nobody promises a value", who);
  if (!truth.wrote) return fmt::format("{} stays {}", who, short_text(*truth.format, truth.after));
  return fmt::format("{} is {}", who, short_text(*truth.format, truth.after));
}

std::string origin_sentence(const Recording& recording, const Truth& truth) {
  const Program& program = recording.program();
  const Bound& bound = recording.bound(truth.step);
  if (!truth.wrote)
    return truth.worth_after == Definedness::Never ? "this step does not write it, and no step before did"
                                                   : "this step does not write it";
  const std::string chosen = choice_text(recording, truth);
  const std::string behind = chosen.empty() ? "" : ", " + chosen;
  const std::vector<StepElement> elements = truth.elements(program, bound);
  if (elements.size() == 1 && truth.scalar() == nullptr)
    return fmt::format("it comes from {}{}", name_of(program, bound, elements.front()), behind);
  if (!elements.empty()) {
    std::string all = named(program, bound, elements, "and");
    if (const Source* scalar = truth.scalar())
      all += fmt::format(" and the scalar {}",
                         program.operand_name(bound.operands[static_cast<std::size_t>(scalar->operand)]));
    return fmt::format("it is made of {}{}", all, behind);
  }
  if (const Source* scalar = truth.scalar())
    return fmt::format("it is the scalar {}{}",
                       program.operand_name(bound.operands[static_cast<std::size_t>(scalar->operand)]), behind);
  for (const Source& source : truth.sources)
    if (source.kind == Source::Kind::Unspecified) return source.why;
  return chosen.empty() ? "it was made of no element" : "it was " + chosen;
}

std::string way_sentence(Session& session, std::uint32_t step, const StepElement& input) {
  const Recording& recording = session.recording();
  const Program& program = recording.program();
  const Bound& bound = recording.bound(step);
  const Flow flow = session.flow_of(step);
  std::vector<StepElement> went, decided;
  for (const Flow::Reached& reached : flow.reached_by(place_of(program, bound, input))) {
    if (reached.operand < 0) continue;
    add_once(reached.decided ? decided : went, in_shape(program, bound, reached.operand, reached.row, reached.col));
  }
  const std::string who = name_of(program, bound, input);
  if (!went.empty()) return fmt::format("{} goes to {}", who, named(program, bound, went, "and"));
  if (!decided.empty())
    return fmt::format("{} only chooses what comes to {}", who, named(program, bound, decided, "and"));
  return fmt::format("{} goes nowhere in this step", who);
}

std::optional<StepElement> only_input_with(Session& session, std::uint32_t step, const ElementFormat& format,
                                           std::uint64_t bits) {
  const Recording& recording = session.recording();
  const Bound& bound = recording.bound(step);
  const Memory& memory = session.memory_at(step);
  std::optional<StepElement> found;
  std::vector<TileRef> seen;
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& operand = bound.operands[i];
    if (!is_input(operand) || operand.spec->kind != OperandKind::Tile || operand.spec->role != Role::In) continue;
    const TileRef& tile = operand.tile;
    if (&element_format(tile.type.dtype) != &format || std::ranges::find(seen, tile) != seen.end()) continue;
    if (std::uint64_t{tile.valid_rows} * tile.valid_cols > kMostSearched) return {};
    seen.push_back(tile);
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row)
      for (std::uint32_t col = 0; col < tile.valid_cols; ++col) {
        const std::uint64_t here = memory.element(tile.place_of(row, col));
        if (!same_value(format, here, bits)) continue;
        if (found) return {};
        found = StepElement{static_cast<int>(i), row, col};
      }
  }
  return found;
}

}  // namespace ts::learn
