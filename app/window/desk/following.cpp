// Walking back to where a value came from.
#include "app/window/desk/following.h"

#include <algorithm>

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

void go_on_to(Walk& walk, std::uint32_t position, const Origin& origin) {
  DebugView& view = walk.view();
  if (!view.selected() || view.recording() == nullptr) return;
  if (view.trail().empty()) walk.trail().push_back({*view.selected(), position, origin.step});
  if (!origin.step) {
    walk.tell("the program was given this value", "it was there before the first step");
  } else if (view.in_step() || view.shown_step() != origin.step || view.shows_next()) {
    walk.go_after(*origin.step);
  } else if (!origin.source) {
    walk.tell("this value was made of no element", "a scalar or the instruction itself gave it");
  } else if (const auto element = view.element_at(*origin.source, *origin.step)) {
    walk.point_at(element);
    walk.trail().push_back({*element, *origin.step, origin.source_step});
    if (origin.source_step) walk.go_after(*origin.source_step);
  }
}

}  // namespace

void follow(Walk& walk) {
  const DebugView& view = walk.view();
  if (!view.selected()) return walk.tell("nothing is selected", "click an element first");
  const std::uint32_t position = view.moment().position;
  const ByteRange place = walk.view().place_of(*view.selected(), position);
  walk.driver().post("looking for the source", [&walk, place, position](LiveSession& live) {
    if (live.session == nullptr) return;
    const Origin origin = origin_of(*live.session, place, position);
    walk.driver().reply([&walk, position, origin] { go_on_to(walk, position, origin); });
  });
}

void follow_to(Walk& walk, std::optional<Element> source) {
  const std::optional<std::uint32_t> step = walk.view().shown_step();
  if (!source || !step) return;
  const ByteRange place = walk.view().place_of(*source, *step);
  walk.driver().post("looking for the source", [&walk, place, source = *source, step = *step](LiveSession& live) {
    if (live.session == nullptr) return;
    const std::optional<std::uint32_t> maker = maker_of(live.session->flow(), place, step);
    walk.driver().reply([&walk, source, step, maker] {
      const DebugView& view = walk.view();
      if (view.recording() == nullptr) return;
      if (view.trail().empty() && view.selected()) walk.trail().push_back({*view.selected(), step + 1, step});
      walk.point_at(source);
      walk.trail().push_back({source, step, maker});
      if (maker) walk.go_after(*maker);
      else walk.tell("the program was given this value", "it was there before the first step");
    });
  });
}

void trail_to(Walk& walk, std::size_t index) {
  if (index >= walk.trail().size()) return;
  const TrailStop stop = walk.trail()[index];
  walk.trail().resize(index + 1);
  walk.point_at(stop.element);
  if (stop.step) walk.go_after(*stop.step);
}

}  // namespace ts::ui
