// Walking back to where a value came from.
#include <algorithm>

#include "app/window/desk.h"

namespace ts::ui {
namespace {

// Where a value came from: the step that made it, the first element that the step made it of, and who made that.
struct Origin {
  std::optional<std::uint32_t> step = {};
  std::optional<ByteRange> source = {};
  std::optional<std::uint32_t> source_step = {};
};

std::optional<std::uint32_t> maker_of(const DataFlow& flow, ByteRange place, std::uint32_t position) {
  const std::vector<Made> makers = flow.makers(place, position);
  const auto made = std::ranges::find(makers, Maker::Step, &Made::maker);
  return made == makers.end() ? std::nullopt : std::optional(made->step);
}

bool stands_somewhere(const SourceUse& use) {
  return use.source.kind == Source::Kind::Element || use.source.kind == Source::Kind::MaskBit;
}

Origin origin_of(Session& session, ByteRange place, std::uint32_t position) {
  DataFlow flow = session.flow();
  Origin origin{.step = maker_of(flow, place, position)};
  if (!origin.step) return origin;
  const std::vector<SourceUse> uses = flow.sources(place, position);
  // What the value is made of, before what only chose it.
  auto first =
      std::ranges::find_if(uses, [](const SourceUse& use) { return stands_somewhere(use) && !use.source.decided; });
  if (first == uses.end()) first = std::ranges::find_if(uses, stands_somewhere);
  if (first == uses.end()) return origin;
  origin.source = first->source.place;
  origin.source_step = maker_of(flow, first->source.place, first->step);
  return origin;
}

}  // namespace

void Desk::go_behind(std::uint32_t step) {
  view_.show_next_ = false;
  move("going there", [step](Session& session) {
    session.seek({step + 1, 0});
    return Stopped{.step = step};
  });
}

// First to the step that made the selected value; from there on to its first source, and the step that made that.
void Desk::follow() {
  if (!view_.selected_) {
    tell("nothing is selected", "click an element first");
    return;
  }
  const std::uint32_t position = view_.moment().position;
  const ByteRange place = view_.place_of(*view_.selected_, position);
  driver_.post("looking for the source", [this, place, position](Bench& bench) {
    if (bench.session == nullptr) return;
    const Origin origin = origin_of(*bench.session, place, position);
    driver_.reply([this, position, origin] {
      if (!view_.selected_ || view_.recording() == nullptr) return;
      if (view_.trail_.empty()) view_.trail_.push_back({*view_.selected_, position, origin.step});
      if (!origin.step) {
        tell("the program was given this value", "it was there before the first step");
      } else if (view_.in_step() || view_.shown_step() != origin.step || view_.shows_next()) {
        go_behind(*origin.step);
      } else if (!origin.source) {
        tell("this value was made of no element", "a scalar or the instruction itself gave it");
      } else if (const auto element = view_.element_at(*origin.source, *origin.step)) {
        view_.selected_ = element;
        view_.trail_.push_back({*element, *origin.step, origin.source_step});
        if (origin.source_step) go_behind(*origin.source_step);
      }
    });
  });
}

void Desk::follow_to(std::optional<Element> source) {
  const std::optional<std::uint32_t> step = view_.shown_step();
  if (!source || !step) return;
  const ByteRange place = view_.place_of(*source, *step);
  driver_.post("looking for the source", [this, place, source = *source, step = *step](Bench& bench) {
    if (bench.session == nullptr) return;
    const std::optional<std::uint32_t> maker = maker_of(bench.session->flow(), place, step);
    driver_.reply([this, source, step, maker] {
      if (view_.recording() == nullptr) return;
      if (view_.trail_.empty() && view_.selected_) view_.trail_.push_back({*view_.selected_, step + 1, step});
      view_.selected_ = source;
      view_.trail_.push_back({source, step, maker});
      if (maker)
        go_behind(*maker);
      else
        tell("the program was given this value", "it was there before the first step");
    });
  });
}

void Desk::trail_to(std::size_t index) {
  if (index >= view_.trail_.size()) return;
  const TrailStop stop = view_.trail_[index];
  view_.trail_.resize(index + 1);
  view_.selected_ = stop.element;
  if (stop.step) go_behind(*stop.step);
}

}  // namespace ts::ui
