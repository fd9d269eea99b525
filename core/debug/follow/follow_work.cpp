// Following marks.
#include "core/debug/follow/follow_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/data/fields.h"

namespace ts {
namespace {

using nlohmann::json;
using Fate = FollowedMark::Fate;

constexpr std::size_t kMostTurns = 64;
constexpr const char* kOperationGone = "its operation is no longer there";
constexpr const char *kForkDoubtful = " (doubtful)", *kForkGone = " (its step is gone)";

StepSite site_of(const Recording& recording, std::uint32_t position) {
  if (position >= recording.count()) return {.at_end = true};
  StepSite site{recording.bound(position).pos.line, recording.step(position).block};
  for (const LoopTurn& turn : recording.loops(position)) site.turns.push_back(turn.turn);
  return site;
}

// Steps of a recording by their sites; those of lines that somebody asks for.
class SiteFinder {
 public:
  SiteFinder(const Recording& recording, const std::set<std::uint32_t>& lines) {
    for (std::uint32_t step = 0; step < recording.count(); ++step) {
      const std::uint32_t line = recording.bound(step).pos.line;
      if (!lines.contains(line)) continue;
      StepSite site = site_of(recording, step);
      last_[{line, site.block}] = step;
      exact_.emplace(hash(site), step);
    }
  }

  std::optional<std::uint32_t> exact(const StepSite& site) const {
    const auto found = exact_.find(hash(site));
    return found == exact_.end() ? std::nullopt : std::optional(found->second);
  }
  // Of the same operation, whatever the turn.
  std::optional<std::uint32_t> last(const StepSite& site) const {
    const auto found = last_.find({site.line, site.block});
    return found == last_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  static std::uint64_t hash(const StepSite& site) {
    std::uint64_t sum = site.line;
    const auto mix = [&](std::uint64_t value) {
      sum = (sum ^ value) * 0x9E3779B97F4A7C15u;
      sum ^= sum >> 29;
    };
    mix(site.block);
    for (const std::uint32_t turn : site.turns) mix(turn + std::uint64_t{1});
    return sum;
  }

  std::unordered_map<std::uint64_t, std::uint32_t> exact_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last_;
};

// Where something is now.
struct Place {
  std::uint32_t at = 0;  // a line, or a position
  bool same = true;      // what stands there says the same, in the same turn
};

class Follower {
 public:
  Follower(const LeftWork& left, const Recording& now)
      : left_(left), now_(now), shape_(shape_of(*now.program().tree)), matches_(match_shapes(left.shape, shape_)) {
    std::set<std::uint32_t> lines;
    for (const auto& [position, site] : left.sites)
      if (const auto line = line_now(site.line)) lines.insert(line->at);
    for (const FollowedMark& mark : left.work.followed_marks)
      if (const auto op = find(mark.anchor)) lines.insert(shape_.ops[*op].line);
    sites_.emplace(now, lines);
  }

  KeptWork follow() {
    KeptWork out{.watches = left_.work.watches, .by_source = left_.work.by_source, .left_out = left_.work.left_out};
    out.moment.position = std::min(left_.work.moment.position, now_.count());
    if (const auto place = position_now(left_.work.moment.position)) out.moment.position = place->at;
    for (const StopEntry& stop : left_.work.stops) put(out, stop);
    for (const auto& [name, position] : left_.work.bookmarks) put(out, Bookmark{name, position});
    for (const Note& note : left_.work.notes) put(out, note);
    for (const FollowedMark& mark : left_.work.followed_marks)
      if (mark.fate == Fate::Gone) put_back(out, mark);
    for (const KeptFork& fork : left_.work.forks) out.forks.push_back(fork_now(fork));
    return out;
  }

 private:
  // Its name says where it is doubtful whether it still changes what it did.
  KeptFork fork_now(KeptFork fork) const {
    bool same = true, gone = false;
    for (std::string& edit : fork.edits) {
      const auto position = position_in_edit(edit);
      const auto place = position ? position_now(*position) : std::nullopt;
      if (!position) continue;
      if (place) edit = edit_at(edit, place->at);
      same = same && (!place || place->same);
      gone = gone || !place;
    }
    const char* word = gone ? kForkGone : same ? "" : kForkDoubtful;
    if (*word != 0 && !fork.name.ends_with(word)) fork.name += word;
    return fork;
  }

  std::optional<Place> line_now(std::uint32_t line) const {
    const auto op = left_.shape.at(line);
    // Whatever it was, no operation of the text: it stays where it is.
    if (!op) return Place{line};
    const ShapeMatch& match = matches_[*op];
    if (!match.op) return {};
    return Place{shape_.ops[*match.op].line, match.same};
  }

  std::optional<Place> step_now(StepSite site, bool same) const {
    if (const auto step = sites_->exact(site)) return Place{*step, same};
    if (const auto step = sites_->last(site)) return Place{*step, false};
    return {};
  }

  std::optional<Place> position_now(std::uint32_t position) const {
    const auto known = left_.sites.find(position);
    if (known == left_.sites.end()) return position <= now_.count() ? std::optional(Place{position}) : std::nullopt;
    if (known->second.at_end) return Place{now_.count()};
    const auto line = line_now(known->second.line);
    if (!line) return {};
    StepSite site = known->second;
    site.line = line->at;
    return step_now(site, line->same);
  }

  MarkAnchor anchor_of_line(std::uint32_t line) const {
    const auto op = left_.shape.at(line);
    if (!op) return {};
    return {.text = left_.shape.ops[*op].text, .before = left_.shape.before(*op), .after = left_.shape.after(*op)};
  }
  MarkAnchor anchor_of_step(std::uint32_t position) const {
    const auto known = left_.sites.find(position);
    if (known == left_.sites.end() || known->second.at_end) return {};
    MarkAnchor anchor = anchor_of_line(known->second.line);
    anchor.block = known->second.block;
    anchor.turns = known->second.turns;
    anchor.is_step = true;
    return anchor;
  }

  // The operation that the anchor means: the only one that says this, or one with a neighbour of then.
  std::optional<std::size_t> find(const MarkAnchor& anchor) const {
    if (anchor.text == 0) return {};
    std::vector<std::size_t> those;
    for (std::size_t op = 0; op < shape_.ops.size(); ++op)
      if (shape_.ops[op].text == anchor.text) those.push_back(op);
    if (those.size() == 1) return those.front();
    const auto beside = std::ranges::find_if(
        those, [&](std::size_t op) { return shape_.before(op) == anchor.before || shape_.after(op) == anchor.after; });
    return beside == those.end() ? std::nullopt : std::optional(*beside);
  }

  // --- one mark ---

  // Where in the work a mark says where it stands; null: it is not about a place.
  static std::uint32_t* line_of(Mark& mark) {
    auto* stop = std::get_if<StopEntry>(&mark);
    return stop != nullptr && stop->rule.line ? &*stop->rule.line : nullptr;
  }
  static std::uint32_t* step_of(Mark& mark) {
    if (auto* stop = std::get_if<StopEntry>(&mark)) return stop->rule.step ? &*stop->rule.step : nullptr;
    if (auto* bookmark = std::get_if<Bookmark>(&mark)) return &bookmark->position;
    Note& note = std::get<Note>(mark);
    return note.step ? &*note.step : nullptr;
  }

  static void keep(KeptWork& out, Mark mark, std::optional<FollowedMark> followed) {
    if (auto* stop = std::get_if<StopEntry>(&mark)) {
      // By its number in the work, until a session has given it its own.
      stop->id = static_cast<StopId>(out.stops.size() + 1);
      out.stops.push_back(*stop);
    } else if (const auto* bookmark = std::get_if<Bookmark>(&mark)) {
      out.bookmarks[bookmark->name] = bookmark->position;
    } else {
      put_note(out.notes, std::get<Note>(mark));
    }
    if (!followed) return;
    followed->mark = std::move(mark);
    out.followed_marks.push_back(std::move(*followed));
  }

  // To where it is now, which is told if that is another place.
  static void settle(KeptWork& out, Mark mark, const Place& place) {
    std::uint32_t* line = line_of(mark);
    std::uint32_t& at = line != nullptr ? *line : *step_of(mark);
    std::optional<FollowedMark> followed;
    if (!place.same || place.at != at)
      followed = FollowedMark{.mark = mark,
                              .fate = place.same ? Fate::Moved : Fate::Doubtful,
                              .was = fmt::format("{} {}", line != nullptr ? "line" : "step", at)};
    at = place.at;
    keep(out, std::move(mark), std::move(followed));
  }

  void put(KeptWork& out, Mark mark) const {
    const std::uint32_t* line = line_of(mark);
    const std::uint32_t* step = line == nullptr ? step_of(mark) : nullptr;
    if (line == nullptr && step == nullptr) return keep(out, std::move(mark), {});
    const auto place = line != nullptr ? line_now(*line) : position_now(*step);
    if (place) return settle(out, std::move(mark), *place);
    out.followed_marks.push_back({.mark = mark,
                                  .fate = Fate::Gone,
                                  .was = kOperationGone,
                                  .anchor = line != nullptr ? anchor_of_line(*line) : anchor_of_step(*step)});
  }

  // One that was gone, where its operation is there again.
  void put_back(KeptWork& out, const FollowedMark& gone) const {
    Mark mark = gone.mark;
    // About no place: whether it fits again is for the session to say.
    if (line_of(mark) == nullptr && step_of(mark) == nullptr) return keep(out, std::move(mark), {});
    const auto op = find(gone.anchor);
    std::optional<Place> place;
    if (op && gone.anchor.is_step) place = step_now({shape_.ops[*op].line, gone.anchor.block, gone.anchor.turns}, true);
    else if (op) place = Place{shape_.ops[*op].line};
    if (place) settle(out, std::move(mark), *place);
    else out.followed_marks.push_back(gone);
  }

  const LeftWork& left_;
  const Recording& now_;
  TextShape shape_;
  std::vector<ShapeMatch> matches_;
  std::optional<SiteFinder> sites_;
};

}  // namespace

StepSites sites_of(const KeptWork& work, const Recording& recording) {
  StepSites sites;
  const auto add = [&](std::uint32_t position) {
    if (!sites.contains(position)) sites[position] = site_of(recording, position);
  };
  add(work.moment.position);
  for (const StopEntry& stop : work.stops)
    if (stop.rule.step) add(*stop.rule.step);
  for (const auto& [name, position] : work.bookmarks) add(position);
  for (const Note& note : work.notes)
    if (note.step) add(*note.step);
  for (const KeptFork& fork : work.forks)
    for (const std::string& edit : fork.edits)
      if (const auto position = position_in_edit(edit); position && *position <= recording.count()) add(*position);
  return sites;
}

nlohmann::json save_sites(const StepSites& sites) {
  json saved = json::array();
  for (const auto& [position, site] : sites) {
    json one{{"position", position}};
    if (site.at_end) one["end"] = true;
    else one.update({{"line", site.line}, {"block", site.block}, {"turns", site.turns}});
    saved.push_back(std::move(one));
  }
  return saved;
}

StepSites load_sites(const nlohmann::json& saved) {
  StepSites sites;
  if (!saved.is_array()) return sites;
  for (const json& one : saved) {
    const data::Fields fields(one);
    const auto position = fields.number32("position");
    if (!position) continue;
    StepSite site{fields.number32("line").value_or(0), fields.number32("block").value_or(0)};
    site.at_end = fields.truth("end").value_or(false);
    for (const json& turn : fields.list("turns"))
      if (turn.is_number_unsigned() && site.turns.size() < kMostTurns)
        site.turns.push_back(static_cast<std::uint32_t>(turn.get<std::uint64_t>()));
    sites[*position] = std::move(site);
  }
  return sites;
}

KeptWork follow(const LeftWork& left, const Recording& now) {
  if (now.program().tree == nullptr || left.shape.ops.empty()) return left.work;
  return Follower(left, now).follow();
}

}  // namespace ts
