// Joining elements that travel together, and looking up who is where.
#include "core/debug/picture/step_motion.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/debug/picture/result_sources.h"

namespace ts {
namespace {

// What nobody saw being read leaves so many beats before it lands.
constexpr std::uint32_t kShortWay = 2;

Window joined(const Window& a, const Window& b) {
  if (a.rows == 0) return b;
  const std::uint32_t row = std::min(a.row, b.row), col = std::min(a.col, b.col);
  return {row, col, std::max(a.row + a.rows, b.row + b.rows) - row, std::max(a.col + a.cols, b.col + b.cols) - col};
}

void join(Travel& into, const Travel& one) {
  into.source = joined(into.source, one.source);
  into.result = joined(into.result, one.result);
  into.way.departs = std::min(into.way.departs, one.way.departs);
  into.way.lands = std::max(into.way.lands, one.way.lands);
}

// Those with equal keys become one.
template <class Key>
std::vector<Travel> join_by(const std::vector<Travel>& travels, Key key) {
  std::map<decltype(key(travels.front())), Travel> joins;
  for (const Travel& one : travels) {
    const auto [at, is_new] = joins.try_emplace(key(one), one);
    if (!is_new) join(at->second, one);
  }
  std::vector<Travel> all;
  for (const auto& [of, one] : joins) all.push_back(one);
  return all;
}

void by_landing(std::vector<Travel>& travels) {
  std::ranges::stable_sort(travels, [](const Travel& a, const Travel& b) {
    return std::tie(a.way.lands, a.to, a.first.row, a.first.col) <
           std::tie(b.way.lands, b.to, b.first.row, b.first.col);
  });
}

}  // namespace

StepMotion::StepMotion(const Recording& recording, std::uint32_t step, const Trace& trace, const Flow& flow,
                       const std::function<bool()>& go_on, std::size_t most)
    : order_(step_order(recording, step, trace, flow.before().map(), go_on)) {
  const ResultSources sources(recording, step, flow);
  const std::uint32_t lattice = sources.lattice(most);
  for (std::size_t i = 0; i < sources.results().size(); ++i) add_result(recording, step, sources, i, lattice, go_on);
  std::vector<Travel>& all = travels_[0];
  all = join_by(
      all, [](const Travel& one) { return std::tuple(one.way.lands, one.to, one.from, one.decided, one.way.departs); });
  by_landing(all);
  order_rows();
  make_by_rows();
  make_at_once();
  for (std::size_t mode = 0; mode < 3; ++mode)
    for (const Travel& one : travels_[mode]) longest_[mode] = std::max(longest_[mode], one.way.lands - one.way.departs);
}

double StepMotion::in_progress(std::uint32_t beat) const {
  return order_.beats == 0 ? 0 : std::min(1.0, static_cast<double>(beat) / order_.beats);
}

// Of a row of a result the travels are joined at once: a step of many elements has few that differ.
void StepMotion::add_result(const Recording& recording, std::uint32_t step, const ResultSources& sources,
                            std::size_t result, std::uint32_t lattice, const std::function<bool()>& go_on) {
  const MadeElements& made = sources.results()[result];
  if (order_.of(made.operand()) == nullptr) return;
  const Bound& bound = recording.bound(step);
  std::map<std::tuple<double, double, int, bool>, Travel> open;
  for (std::uint32_t row = 0; row < made.rows(); row += lattice) {
    if (go_on && !go_on()) return;
    open.clear();
    for (std::uint32_t col = 0; col < made.cols(); col += lattice) {
      const StepElement element = made.at(row, col);
      const auto lands_at = lands(MotionMode::AsItRuns, element);
      if (!lands_at) continue;
      for (const Source& source : sources.of(element)) {
        auto from = element_of_source(recording.program(), bound, source);
        if (source.kind == Source::Kind::Scalar) from = StepElement{source.operand, 0, 0};
        if (!from || from->operand < 0) continue;
        const Way path = *way(MotionMode::AsItRuns, element, *from);
        const Travel one{from->operand,
                         made.operand(),
                         {from->row, from->col, 1, 1},
                         {element.row, element.col, 1, 1},
                         source.decided,
                         element,
                         path};
        const auto [at, is_new] = open.try_emplace({path.lands, path.departs, from->operand, source.decided}, one);
        if (!is_new) join(at->second, one);
      }
    }
    for (const auto& [key, one] : open) travels_[0].push_back(one);
  }
}

void StepMotion::order_rows() {
  std::map<std::pair<int, std::uint32_t>, std::uint32_t> first;
  for (const Travel& one : travels_[0])
    for (std::uint32_t row = one.result.row; row < one.result.row + one.result.rows; ++row) {
      const std::uint32_t written = static_cast<std::uint32_t>(one.way.lands * std::max(1u, order_.beats) + 0.5);
      const auto [at, is_new] = first.try_emplace({one.to, row}, written);
      if (!is_new) at->second = std::min(at->second, written);
    }
  for (const auto& [of, written] : first) rows_.push_back({of.first, of.second, written});
  std::ranges::stable_sort(rows_, {}, &Row::written);
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    auto of = std::ranges::find(place_, row.operand, &std::pair<int, std::vector<std::uint32_t>>::first);
    if (of == place_.end()) of = place_.insert(place_.end(), {row.operand, {}});
    if (of->second.size() <= row.row) of->second.resize(row.row + 1, StepOrder::kNever);
    of->second[row.row] = i;
  }
}

void StepMotion::make_by_rows() {
  std::vector<Travel> parts;
  for (const Travel& one : travels_[0]) {
    // Of what lands in several rows at once a part of the source belongs to each.
    for (std::uint32_t i = 0; i < one.result.rows; ++i) {
      Travel part = one;
      part.result.row += i;
      part.result.rows = 1;
      if (one.source.rows == one.result.rows) {
        part.source.row += i;
        part.source.rows = 1;
      }
      if (i > 0) part.first = {one.to, part.result.row, part.result.col};
      part.way = *way(MotionMode::ByRows, part.first, {});
      parts.push_back(part);
    }
  }
  travels_[1] = join_by(parts, [](const Travel& one) {
    return std::tuple(one.way.lands, one.to, one.result.row, one.from, one.decided);
  });
  by_landing(travels_[1]);
}

void StepMotion::make_at_once() {
  travels_[2] = join_by(travels_[0], [](const Travel& one) { return std::tuple(one.to, one.from, one.decided); });
  for (Travel& one : travels_[2]) one.way = {0, 1};
  by_landing(travels_[2]);
}

// --- single elements ---

std::optional<double> StepMotion::lands(MotionMode mode, const StepElement& result) const {
  const std::uint32_t written = order_.written(result);
  if (written == StepOrder::kNever) return std::nullopt;
  if (mode == MotionMode::AtOnce) return 1;
  if (mode == MotionMode::AsItRuns) return in_progress(written + 1);
  const auto of = std::ranges::find(place_, result.operand, &std::pair<int, std::vector<std::uint32_t>>::first);
  if (of == place_.end() || result.row >= of->second.size() || of->second[result.row] == StepOrder::kNever) return 1;
  return (of->second[result.row] + 1.0) / static_cast<double>(rows_.size());
}

std::optional<Way> StepMotion::way(MotionMode mode, const StepElement& result, const StepElement& source) const {
  const auto landing = lands(mode, result);
  if (!landing) return std::nullopt;
  if (mode == MotionMode::AtOnce) return Way{0, 1};
  if (mode == MotionMode::ByRows)
    return Way{rows_.empty() ? 0 : *landing - 1.0 / static_cast<double>(rows_.size()), *landing};
  const std::uint32_t written = order_.written(result), read = order_.read_before(source, written);
  if (read != StepOrder::kNever) return Way{in_progress(read), *landing};
  return Way{in_progress(written + 1 - std::min(written + 1, kShortWay)), *landing};
}

std::optional<double> StepMotion::leaves(MotionMode mode, const StepElement& source) const {
  const std::uint32_t read = order_.first_read(source);
  if (read == StepOrder::kNever) return std::nullopt;
  if (mode == MotionMode::AsItRuns) return in_progress(read);
  if (mode == MotionMode::AtOnce) return 0;
  for (const Travel& one : travels_[1])
    if (one.from == source.operand && source.row - one.source.row < one.source.rows &&
        source.col - one.source.col < one.source.cols)
      return one.way.departs;
  return std::nullopt;
}

// --- all ---

std::vector<const Travel*> StepMotion::under_way(MotionMode mode, double progress, std::size_t most) const {
  std::vector<const Travel*> found;
  const std::vector<Travel>& all = travels(mode);
  const auto lands_at = [](const Travel& one) { return one.way.lands; };
  for (auto at = std::ranges::upper_bound(all, progress, {}, lands_at); at != all.end() && found.size() < most; ++at) {
    if (at->way.lands - longest_[static_cast<std::size_t>(mode)] > progress) break;
    if (at->way.departs < progress) found.push_back(&*at);
  }
  return found;
}

const Travel* StepMotion::current(MotionMode mode, double progress) const {
  const std::vector<Travel>& all = travels(mode);
  if (all.empty()) return nullptr;
  const auto next = std::ranges::upper_bound(all, progress, {}, [](const Travel& one) { return one.way.lands; });
  return next == all.end() ? &all.back() : &*next;
}

double StepMotion::next_landing(MotionMode mode, double progress) const {
  const std::vector<Travel>& all = travels(mode);
  const auto next = std::ranges::upper_bound(all, progress + 1e-9, {}, [](const Travel& one) { return one.way.lands; });
  return next == all.end() ? 1 : next->way.lands;
}

double StepMotion::previous_landing(MotionMode mode, double progress) const {
  const std::vector<Travel>& all = travels(mode);
  const auto here = std::ranges::lower_bound(all, progress - 1e-9, {}, [](const Travel& one) { return one.way.lands; });
  return here == all.begin() ? 0 : (here - 1)->way.lands;
}

std::optional<Beat> StepMotion::now(double progress) const {
  if (order_.beats == 0) return std::nullopt;
  const double clock = progress * order_.beats;
  return order_.at(std::min(static_cast<std::uint32_t>(std::max(0.0, clock)), order_.beats - 1));
}

std::size_t StepMotion::held_bytes() const {
  std::size_t bytes = 0;
  for (const auto& all : travels_) bytes += all.size() * sizeof(Travel);
  for (const ElementTimes& one : order_.operands)
    bytes += (one.written.size() + one.first_read.size() + one.reads.size()) * sizeof(std::uint32_t);
  return bytes;
}

}  // namespace ts
