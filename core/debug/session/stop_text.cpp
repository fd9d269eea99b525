// Reading and describing stops.
#include "core/debug/session/stop_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/debug/session/condition.h"
#include "core/debug/session/step_filter.h"

namespace ts {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

std::optional<std::uint32_t> number_of(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// What stands behind one of these words, or nothing.
std::optional<std::string> behind(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words)
    if (text.starts_with(word)) return trimmed(std::string_view(text).substr(std::string_view(word).size()));
  return {};
}

std::vector<ByteRange> bytes_of(const QueryPlace& place, Session& session) {
  if (place.tiles.empty()) return {place.bytes};
  const std::uint32_t id = place.tiles.front();
  const TileRef tile = session.tile_at(id, session.moment().position);
  if (!place.element) return {tile.range()};
  return {tile.place_of(place.element->first, place.element->second)};
}

// As the filter's line has it, where a stop can be that.
std::variant<StopRule, Refusal> read_as_filter(const std::string& text, Session& session) {
  auto read = read_filter(text, session.recording());
  if (const auto* wrong = std::get_if<WrongFilter>(&read)) return wrong->refusal;
  const StepQuery& query = std::get<StepQuery>(read);
  if (!query.words.empty() || !query.pipe.empty() || (query.writes && query.reads))
    return Refusal{fmt::format("'{}' is nothing to stop at", text),
                   "a mnemonic, a line's number, step 12, writes:t2, reads:t2, nan, inf, finding or differs"};
  StopRule rule{.line = query.line,
                .op = query.op,
                .core = query.core,
                .nan = query.nan,
                .inf = query.inf,
                .finding = query.finding};
  if (const auto& place = query.writes ? query.writes : query.reads) {
    const std::size_t colon = text.find(query.writes ? "writes:" : "reads:") + (query.writes ? 7 : 6);
    rule.watch = Watched{bytes_of(*place, session), query.writes ? Touch::Write : Touch::Read,
                         text.substr(colon, text.find(' ', colon) - colon)};
  }
  return rule;
}

}  // namespace

std::optional<SourceStop> read_source_line(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || text.substr(0, colon).find('.') == std::string_view::npos) return {};
  const auto line = number_of(text.substr(colon + 1));
  return line ? std::optional(SourceStop{std::string(text.substr(0, colon)), *line}) : std::nullopt;
}

std::string describe(const SourceStop& line) { return fmt::format("{}:{}", line.file, line.line); }

std::string describe(const StopRule& rule) {
  std::vector<std::string> parts;
  if (rule.step) parts.push_back(fmt::format("step {}", *rule.step));
  if (rule.line) parts.push_back(fmt::format("line {}", *rule.line));
  if (rule.source) parts.push_back(describe(*rule.source));
  if (!rule.op.empty()) parts.push_back(rule.op);
  if (rule.core) parts.push_back("on " + rule.core->text);
  if (rule.watch) parts.push_back(fmt::format("{}s {}", name(rule.watch->touch), rule.watch->text));
  if (rule.nan) parts.push_back("makes a NaN");
  if (rule.inf) parts.push_back("makes an infinity");
  if (rule.finding) parts.push_back("something is found");
  if (rule.differs) parts.push_back("differs");
  if (const Condition* condition = condition_of(rule)) parts.push_back("when " + condition->text);
  else if (rule.when) parts.push_back("a condition");
  return parts.empty() ? "every step" : fmt::format("{}", fmt::join(parts, ", "));
}

// A mark may be a stop.
std::string describe(const Mark& mark) {
  if (const auto* stop = std::get_if<StopEntry>(&mark)) return describe(stop->rule);
  if (const auto* bookmark = std::get_if<Bookmark>(&mark)) return "bookmark " + bookmark->name;
  const Note& note = std::get<Note>(mark);
  return fmt::format("note of {}: {}", note_place(note), note.text);
}

namespace {

// All but where it has to be.
std::variant<StopRule, Refusal> read_what(const std::string& text, Session& session) {
  if (text.empty()) return Refusal{"nothing is said to stop at", "a mnemonic, a line's number, or step 12"};
  if (const auto line = number_of(text)) return StopRule{.line = *line};
  if (const auto rest = behind(text, {"@", "step:", "step "})) {
    if (const auto step = number_of(*rest)) return StopRule{.step = *step};
    return Refusal{fmt::format("'{}' is no step", *rest), "a number, as in step 12"};
  }
  if (auto source = read_source_line(text)) return StopRule{.source = std::move(source)};
  if (const auto rest = behind(text, {"line "})) {
    if (const auto line = number_of(*rest)) return StopRule{.line = *line};
    return Refusal{fmt::format("'{}' is no line", *rest), "a number, as in line 40"};
  }
  if (text == "differs") return StopRule{.differs = true};
  const bool plain =
      text.find_first_of(": ") == std::string::npos && text != "nan" && text != "inf" && text != "finding";
  if (!plain) return read_as_filter(text, session);
  const auto op = known_op(text);
  if (const auto* refusal = std::get_if<Refusal>(&op)) return *refusal;
  return StopRule{.op = std::get<std::string>(op)};
}

}  // namespace

std::variant<StopRule, Refusal> read_stop(std::string_view typed, Session& session) {
  const std::string text = trimmed(typed);
  const std::size_t on = text.starts_with("on ") ? 0 : text.rfind(" on ");
  if (on == std::string::npos) return read_what(text, session);
  auto core = read_core(trimmed(text.substr(on + (on == 0 ? 3 : 4))), session.recording());
  if (const auto* refusal = std::get_if<Refusal>(&core)) return *refusal;
  auto read = on == 0 ? StopRule{} : read_what(trimmed(text.substr(0, on)), session);
  if (auto* rule = std::get_if<StopRule>(&read)) rule->core = std::get<CoreChoice>(std::move(core));
  return read;
}

}  // namespace ts
