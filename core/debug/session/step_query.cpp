// Asking steps one after the other.
#include "core/debug/session/step_query.h"

#include <algorithm>
#include <chrono>

namespace ts {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

}  // namespace

StepMatcher::StepMatcher(Session& session, StepQuery query)
    : session_(session),
      query_(std::move(query)),
      by_instruction_(session.recording().program().instructions.size(), Answer::Unknown) {}

bool StepMatcher::has_words(std::uint32_t instruction) const {
  if (query_.words.empty()) return true;
  const std::string text = lower(session_.recording().program().short_text(instruction));
  return std::ranges::all_of(query_.words,
                             [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

bool StepMatcher::came_from(SourceLine line, std::uint32_t instruction) const {
  const SourceMap& sources = session_.sources();
  const auto& lines = sources.lines(sources.origin_of(instruction));
  return std::ranges::find(lines, line) != lines.end();
}

bool StepMatcher::fits_instruction(std::uint32_t step) {
  const std::uint32_t instruction = session_.recording().step(step).instruction;
  Answer& answer = by_instruction_[instruction];
  if (answer == Answer::Unknown) {
    const Bound& bound = session_.recording().bound(step);
    const bool fits = (query_.op.empty() || query_.op == bound.row->name) &&
                      (!query_.line || *query_.line == bound.pos.line) &&
                      (!query_.source || came_from(*query_.source, instruction)) &&
                      (query_.pipe.empty() || query_.pipe == name(bound.pipe)) && has_words(instruction);
    answer = fits ? Answer::Yes : Answer::No;
  }
  return answer == Answer::Yes;
}

// Whether f holds of the bytes, or of those of one of the tiles.
template <class F>
bool StepMatcher::any_bytes(const QueryPlace& place, std::uint32_t step, F f) {
  if (place.tiles.empty()) return f(place.bytes);
  return std::ranges::any_of(place.tiles, [&](std::uint32_t id) {
    const TileRef tile = session_.tile_at(id, step);
    if (!place.element) return f(tile.range());
    return f(tile.place_of(place.element->first, place.element->second));
  });
}

bool StepMatcher::fits(std::uint32_t step) {
  looked_inside_ = false;
  const Recording& recording = session_.recording();
  if (!fits_instruction(step)) return false;
  if (query_.block && *query_.block != recording.step(step).block) return false;
  if (query_.core && !query_.core->holds(recording, step)) return false;
  if (query_.finding && session_.findings_of(step).empty()) return false;
  const auto is_written = [&](ByteRange bytes) { return writes_to(recording, step, bytes); };
  if (query_.writes && !any_bytes(*query_.writes, step, is_written)) return false;
  return fits_inside(step);
}

// What only the step's micro-steps or its data know.
bool StepMatcher::fits_inside(std::uint32_t step) {
  looked_inside_ = query_.reads || query_.nan || query_.inf;
  const auto is_read = [&](ByteRange bytes) { return session_.first_read(step, bytes).has_value(); };
  if (query_.reads && !any_bytes(*query_.reads, step, is_read)) return false;
  return (!query_.nan && !query_.inf) || session_.produced(step, query_.nan, query_.inf);
}

StepsFound find_steps(Session& session, const StepQuery& query, std::uint32_t first,
                      const std::function<bool()>& go_on) {
  // Time is asked for now and then only: a look at what is known of a step anyway takes some ten nanoseconds.
  using Clock = std::chrono::steady_clock;
  constexpr auto kPiece = std::chrono::milliseconds(40);
  constexpr std::uint32_t kAskEvery = 1 << 14, kLooksInside = 1 << 10;
  const Clock::time_point end = Clock::now() + kPiece;
  StepMatcher matcher(session, query);
  StepsFound found{.next = first};
  for (std::uint32_t looks = kAskEvery; found.next < session.count(); ++found.next) {
    if (looks >= kAskEvery) {
      if ((go_on && !go_on()) || Clock::now() > end) break;
      looks = 0;
    }
    if (matcher.fits(found.next)) found.steps.push_back(found.next);
    looks += matcher.looked_inside() ? kLooksInside : 1;
  }
  return found;
}

}  // namespace ts
