// The jobs that compare, and going from difference to difference.
#include "app/window/desk/other_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/cases/open.h"
#include "core/data/array_file.h"
#include "core/data/npy.h"
#include "core/debug/compare/padding_cause.h"

namespace ts::ui {
namespace {

Target other_target(Target target) { return target == Target::A5 ? Target::A2A3 : Target::A5; }

std::string title_of(const Document& document) {
  return fmt::format("{} on {}", document.name, name(document.recording->program().target));
}

// What made a program end before it had a step, as it is said of the one that was asked for.
Refusal why_not(const Document& document) {
  for (const Diagnostic& said : document.diagnostics)
    if (said.severity == Severity::Error)
      return {fmt::format("{} cannot run there: line {}: [{}] {}", document.name, said.pos.line, said.rule, said.text),
              said.hint};
  return {fmt::format("{} did not run", document.name), "open it by itself to see why"};
}

// The first elements that differ, row by row.
std::vector<Difference> differing(const Elements& a, const Elements& b, const CompareOptions& options) {
  std::vector<Difference> out;
  const auto made = Comparing::make(a, b, options);
  const auto* comparing = std::get_if<Comparing>(&made);
  if (comparing == nullptr) return out;
  for (auto found = comparing->next(0); found && out.size() < kMostListed;
       found = comparing->next(comparing->index_of(*found) + 1))
    out.push_back(*found);
  return out;
}

std::variant<Against, Refusal> against_array(Session& session, const Owner& owner, const std::string& called,
                                             std::uint32_t position, const std::string& path,
                                             const CompareRunsOptions& options, const std::function<bool()>& go_on) {
  const auto read = data::read_array(path);
  if (const auto* wrong = std::get_if<data::Error>(&read)) return Refusal{wrong->text, wrong->hint};
  auto elements = elements_of(std::get<data::Array>(read));
  if (const auto* no = std::get_if<Refusal>(&elements)) return *no;
  Against made{.mine = called,
               .title = std::filesystem::path(path).filename(),
               .options = options,
               .owner = owner,
               .position = position,
               .path = path,
               .array = std::get<Elements>(std::move(elements))};
  const Elements mine = owner.kind == Owner::Kind::Tile
                            ? elements_of(session.memory_at(position), session.tile_at(owner.id, position))
                            : elements_of(session.memory_at(position), session.recording().program().buffers[owner.id]);
  const auto comparing = Comparing::make(mine, made.array, options.values);
  if (const auto* no = std::get_if<Refusal>(&comparing)) return *no;
  made.comparison = std::get<Comparing>(comparing).all(go_on);
  if (!go_on()) return made;
  made.elements = differing(mine, made.array, options.values);
  return made;
}

}  // namespace

void OtherSide::take(std::shared_ptr<const Against> against, std::shared_ptr<Session> other) {
  state_.comparing_with.clear();
  state_.against = std::move(against);
  state_.other_questions = std::move(other);
  ++state_.number;
  state_.difference.reset();
}

void OtherSide::begin() {
  beside_.cancel();
  take(nullptr, nullptr);
}

void OtherSide::cancel() {
  if (beside_.busy()) walk_.tell("comparing was ended", "the Compare menu begins again");
  state_.comparing_with.clear();
  beside_.cancel();
}

void OtherSide::stop() { begin(); }

bool OtherSide::has_recording() {
  if (view_.recording() != nullptr) return true;
  walk_.tell("nothing is open that could be compared", "open a program first");
  return false;
}

void OtherSide::compare(std::string mine, std::string title, Launch other, std::shared_ptr<const Document> opened,
                        bool goes_there) {
  const auto recording = view_.document()->recording;
  state_.comparing_with = title;
  beside_.start([this, recording, goes_there, title, mine = std::move(mine), other = std::move(other),
                 opened = std::move(opened), options = options_](const Beside::GoOn& go_on) -> Beside::Reply {
    const auto refuse = [this](Refusal no) -> Beside::Reply {
      return [this, no = std::move(no)] {
        state_.comparing_with.clear();
        walk_.tell(no.text, no.hint, true);
      };
    };
    std::shared_ptr<const Document> there = opened;
    if (there == nullptr) {
      const auto on = [&go_on](std::uint64_t) { return go_on(0); };
      auto asked = with_case(other, on);
      if (auto* no = std::get_if<Refusal>(&asked)) return refuse(*no);
      auto made = open_document(std::get<CaseLaunch>(asked).launch, on);
      if (auto* no = std::get_if<Refusal>(&made)) return refuse(*no);
      there = std::get<std::shared_ptr<const Document>>(std::move(made));
    }
    if (there->recording == nullptr) return refuse(why_not(*there));
    Session here(recording);
    auto questions = std::make_shared<Session>(there->recording);
    questions->index();
    auto against = std::make_shared<Against>(
        Against{.mine = mine, .title = opened != nullptr ? title : title_of(*there), .options = options});
    against->other = there;
    const auto on = [&go_on](std::uint32_t steps) { return go_on(steps); };
    against->found = compare_runs(here, *questions, options, on);
    against->padding = padding_cause(here, *questions, against->found, options, on);
    return [this, recording, against, questions, goes_there] {
      if (view_.recording() != recording.get()) return;
      take(against, questions);
      if (goes_there) go_to_first();
    };
  });
}

void OtherSide::go_to_first() {
  const RunDifferences& found = state_.against->found;
  if (!found.differences.empty()) return show_difference(0);
  if (found.parted)
    return walk_.tell("no result differs, but the runs part: other steps are made", "the Compare pane says where");
  if (state_.against->padding)
    return walk_.tell(fmt::format("only padding differs, from step {} on: no valid element of any result does",
                                  state_.against->padding->step_a),
                      "the Compare pane leads there");
  walk_.tell("no step's result differs from the run without the change",
             "no step read what was changed, or it made no difference; the history of the element names the change");
}

void OtherSide::compare_fork(const std::string& name, std::shared_ptr<const Document> base) {
  walk_.wish({.what = Wish::What::ComparePane});
  compare(name, "the run without the change", {}, std::move(base), true);
}

void OtherSide::compare_targets() {
  if (!has_recording()) return;
  Launch other = launch_;
  other.open.target = other_target(view_.recording()->program().target);
  compare(title_of(*view_.document()), fmt::format("{}", name(*other.open.target)), std::move(other), nullptr);
}

void OtherSide::compare_with(const std::string& path) {
  if (!has_recording()) return;
  Launch other = launch_;
  other.name = path;
  other.entry.clear();
  other.goldens = nullptr;  // of the program that is open
  // A case brings what it is run with.
  if (cases::is_folder(path)) {
    other.open.inputs = InputValues();
    other.open.inputs.seed = launch_.open.inputs.seed;
    other.array_files.clear();
  }
  compare(title_of(*view_.document()), std::filesystem::path(path).filename(), std::move(other), nullptr);
}

void OtherSide::compare_array(const std::string& called, const std::string& path) {
  if (!has_recording()) return;
  const std::uint32_t position = view_.moment().position;
  Session& questions = view_.questions();
  Owner owner;
  if (const auto tile = questions.find_tile(called, position)) {
    owner = {Owner::Kind::Tile, *tile};
  } else if (const auto buffer = questions.find_buffer(called)) {
    owner = {Owner::Kind::Buffer, *buffer};
  } else {
    return walk_.tell(fmt::format("there is no tile or buffer {}", called), "name one as the program does", true);
  }
  const auto recording = view_.document()->recording;
  state_.comparing_with = std::filesystem::path(path).filename();
  beside_.start(
      [this, recording, owner, called, position, path, options = options_](const Beside::GoOn& go_on) -> Beside::Reply {
        Session session(recording);
        auto made = against_array(session, owner, called, position, path, options, [&go_on] { return go_on(0); });
        return [this, recording, made = std::move(made)] {
          if (view_.recording() != recording.get()) return;
          state_.comparing_with.clear();
          if (const auto* no = std::get_if<Refusal>(&made)) return walk_.tell(no->text, no->hint, true);
          take(std::make_shared<const Against>(std::get<Against>(made)), nullptr);
        };
      });
}

void OtherSide::compare_again(const CompareOptions& options) {
  options_.values = options;
  const std::shared_ptr<const Against> before = state_.against;
  if (before == nullptr) return;
  if (before->is_run()) return compare(before->mine, before->title, {}, before->other);
  compare_array(before->mine, before->path);
}

// From the one that was shown, or from where one stands.
void OtherSide::to_difference(Direction direction) {
  const Against* against = view_.against();
  if (against == nullptr)
    return walk_.tell("nothing is compared",
                      "the Compare menu compares with the other target, another program, or a file");
  const bool forward = direction == Direction::Forward;
  const char* none = find_command(forward ? "nextDifference" : "previousDifference")->none;
  std::size_t next = 0;
  if (state_.difference) {
    if (!forward && *state_.difference == 0) return walk_.tell(none);
    next = forward ? *state_.difference + 1 : *state_.difference - 1;
  } else if (against->is_run()) {
    const auto& all = against->found.differences;
    const std::uint32_t here = view_.moment().position;
    const auto place = [&](const ResultDifference& difference) { return view_.position_showing(difference.step_a); };
    const auto first = std::ranges::partition_point(
        all, [&](const auto& one) { return forward ? place(one) < here : place(one) <= here; });
    if (!forward && first == all.begin()) return walk_.tell(none);
    next = static_cast<std::size_t>(first - all.begin()) - (forward ? 0 : 1);
  }
  if (next >= against->count()) return walk_.tell(against->count() == 0 ? "nothing differs" : none);
  show_difference(next);
}

void OtherSide::show_difference(std::size_t index) {
  const Against* against = view_.against();
  if (against == nullptr || index >= against->count()) return;
  std::uint32_t position = against->position;
  std::optional<Element> element;
  if (against->is_run()) {
    const ResultDifference& difference = against->found.differences[index];
    position = view_.position_showing(difference.step_a);
    if (difference.comparison.first) element = element_in(*view_.recording(), difference, *difference.comparison.first);
  } else {
    element = Element{against->owner, against->elements[index].row, against->elements[index].col};
  }
  walk_.driver().post("going there", [this, position, index, element, number = state_.number](LiveSession& live) {
    if (live.session == nullptr) return;
    live.session->seek({position, 0});
    walk_.publish(live, {.step = position});
    walk_.driver().reply([this, index, element, number] {
      if (state_.number != number) return;
      state_.difference = index;
      if (element) walk_.select(element);
    });
  });
}

}  // namespace ts::ui
