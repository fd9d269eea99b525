// A shadow of every float element in double precision: the steps in which an element gets far from its own, while all
// that it was made of is near.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "core/check/walk.h"
#include "core/debug/origins/shadow_walk.h"
#include "core/isa/element.h"
#include "core/record/operand_place.h"
#include "core/record/tag_fold.h"
#include "core/text/count.h"

namespace ts {
namespace {

// Elements between this one and its shadow; nothing where one of them is no finite number of the type.
std::optional<std::uint64_t> ulps_off(std::uint64_t bits, const Shadow& shadow) {
  const ElementFormat& format = element_format(shadow.type);
  return ulp_distance(format, bits, *element_bits(format, shadow.value));
}

// Whether an element that something was made of was far from its shadow before the step.
struct MadeOfFar {
  const ShadowMemory& shadows;
  bool leaf(Tag tag) const { return is_byte_tag(tag) && shadows.at(tag).far; }
  static bool joined(bool a, bool b) { return a || b; }
  static bool node(NodeKind kind, bool a, bool b) { return a || (b && kind == NodeKind::Combine); }
};

// The elements that some bytes are made of.
std::vector<Source> source_elements(const Flow& flow, const ByteRange& place) {
  std::vector<Source> sources = flow.sources_of_bytes(place);
  std::erase_if(sources, [](const Source& source) { return source.decided || source.kind != Source::Kind::Element; });
  return sources;
}

class Precision : public Examiner {
 public:
  Precision(const Recording& recording, std::uint64_t most_ulp)
      : recording_(recording), most_ulp_(most_ulp), walk_(recording) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    auto looked = walk_.look(step.inspector(), step.number());
    if (!looked) return walk_.leave(step.number(), {});
    for (MadeElement& one : looked->made) {
      const auto ulps = ulps_off(one.bits, one.shadow);
      one.shadow.far = !ulps || *ulps > most_ulp_;
    }
    tell(step, looked->flow, looked->made, sink);
    walk_.leave(step.number(), looked->made);
  }

 private:
  void tell(CheckedStep& step, const Flow& flow, const std::vector<MadeElement>& made, FindingSink& sink) const;
  std::string sources_text(const Bound& bound, const std::vector<Source>& sources) const;
  std::string source_text(const Bound& bound, const Source& source) const;
  std::string element_text(const Operand& operand, std::uint32_t row, std::uint32_t col, std::uint64_t bits) const;

  const Recording& recording_;
  std::uint64_t most_ulp_;
  ShadowWalk walk_;
};

void Precision::tell(CheckedStep& step, const Flow& flow, const std::vector<MadeElement>& made,
                     FindingSink& sink) const {
  const Bound& bound = step.bound();
  std::optional<FoundElement> worst;
  MadeElement worst_made;
  std::uint64_t worst_ulps = 0, count = 0;
  const MadeOfFar rule{walk_.shadows()};
  std::optional<TagFold<bool, MadeOfFar>> made_of_far;  // most steps never ask
  for (const MadeElement& one : made) {
    if (!one.shadow.far) continue;
    const auto ulps = ulps_off(one.bits, one.shadow);
    if (!ulps) continue;
    const auto element = walk_.result(step.number(), one);
    if (!element) continue;
    if (!made_of_far) made_of_far.emplace(flow.tags().arena, rule);
    if (made_of_far->of(flow.tags().tag(one.at))) continue;
    ++count;
    if (worst && (*ulps < worst_ulps || (*ulps == worst_ulps && one.at > worst_made.at))) continue;
    worst = element;
    worst_made = one;
    worst_ulps = *ulps;
  }
  if (!worst) return;
  const Operand& operand = bound.operands[static_cast<std::size_t>(worst->operand)];
  const char* type = name(worst_made.shadow.type);
  const std::vector<Source> sources = source_elements(flow, worst->place);
  std::string text = fmt::format(
      "{}, and {} in double precision, {} ulp of {} away; none of what it is made of is more than {} ulp off: {}",
      element_text(operand, worst->row, worst->col, worst_made.bits), worst_made.shadow.value,
      text::grouped(worst_ulps), type, most_ulp_, sources_text(bound, sources));
  if (count > 1) text += fmt::format("; {} more like it", text::grouped(count - 1));
  std::string hint =
      sources.size() == 1
          ? "the step makes what its operand was rounded by this much larger, as a square does, and the "
            "exponential of a large number: make the operand more exact, or smaller as softmax does"
          : "the error jumps in this step: do the same in another order, so that what cancels meets before it is rounded";
  if (worst_made.shadow.type != DType::F32) hint += fmt::format(", or in f32 with one rounding to {} at the end", type);
  sink.add(FindingKind::Precision, step.number(), std::move(text), std::move(hint), worst);
}

std::string Precision::sources_text(const Bound& bound, const std::vector<Source>& sources) const {
  constexpr std::size_t kMostTold = 4;
  std::vector<std::string> told;
  std::size_t left_out = 0;
  for (const Source& source : sources) {
    if (told.size() < kMostTold) told.push_back(source_text(bound, source));
    else ++left_out;
  }
  if (left_out > 0) told.push_back(fmt::format("{} more", text::grouped(left_out)));
  return fmt::format("{}", fmt::join(told, ", "));
}

std::string Precision::source_text(const Bound& bound, const Source& source) const {
  const Operand& operand = bound.operands[static_cast<std::size_t>(source.operand)];
  const std::string element = element_text(operand, source.row, source.col, source.bits);
  const Shadow shadow = walk_.at(source.place);
  if (!shadow || shadow.type != element_type(operand)) return element + " (exact)";
  const std::uint64_t ulps = ulps_off(source.bits, shadow).value_or(0);
  return ulps == 0 ? fmt::format("{} (rounded from {})", element, shadow.value)
                   : fmt::format("{} ({} ulp from {})", element, ulps, shadow.value);
}

std::string Precision::element_text(const Operand& operand, std::uint32_t row, std::uint32_t col,
                                    std::uint64_t bits) const {
  const std::string who = recording_.program().operand_name(operand), value = format_value(element_type(operand), bits);
  return operand.spec->kind == OperandKind::Global ? fmt::format("{}[{}] = {}", who, col, value)
                                                   : fmt::format("{}[{},{}] = {}", who, row, col, value);
}

}  // namespace

std::unique_ptr<Examiner> examine_precision(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Precision) == Level::Off) return nullptr;
  return std::make_unique<Precision>(recording, options.most_ulp);
}

}  // namespace ts
