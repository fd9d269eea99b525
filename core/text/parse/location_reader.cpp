// Locations stand in few places and have a grammar of their own, so they are read by letters, not by tokens.
#include "core/text/parse/location_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/text/parse/lexer.h"

namespace ts::text {

std::uint32_t end_of_location(std::string_view text, std::uint32_t open) {
  std::uint32_t depth = 0;
  bool quoted = false;
  for (std::size_t at = open; at < text.size() && text[at] != '\n'; ++at) {
    const char c = text[at];
    if (quoted && c == '\\') ++at;
    else if (c == '"') quoted = !quoted;
    else if (quoted) continue;
    else if (c == '(') ++depth;
    else if (c == ')' && --depth == 0) return static_cast<std::uint32_t>(at + 1);
  }
  return 0;
}

std::uint32_t location_behind(std::string_view text, std::uint32_t name_end) {
  std::size_t at = name_end;
  for (const std::string_view part : {"=", "loc", "("}) {
    at = std::min(text.find_first_not_of(" \t", at), text.size());
    if (!text.substr(at).starts_with(part)) return 0;
    at += part.size();
  }
  return static_cast<std::uint32_t>(at - 1);
}

std::uint32_t LocationReader::read(SourceRange range) {
  out_.written.push_back({range, whole(range)});
  return static_cast<std::uint32_t>(out_.written.size() - 1);
}

// loc(...), with nothing behind it.
LocationId LocationReader::whole(SourceRange range) {
  at_ = static_cast<std::uint32_t>(text_.find('(', range.begin)) + 1;
  end_ = range.end - 1;
  too_deep_ = false;
  const LocationId read = location(0);
  skip_blanks();
  if (read != kNoLocation && at_end()) return read;
  if (too_deep_)
    mistakes_.remark("W-LOC", Severity::Warning, range,
                     {.text = fmt::format("a location nests deeper than {}", most_depth_),
                      .hint = "where this operation came from is unknown"});
  else
    mistakes_.remark(
        "W-LOC", Severity::Warning, {at_, std::max(at_, end_)},
        {.text = "a location of a form that is not known",
         .expected = "\"file\":line:column, \"name\"(...), fused[...], callsite(... at ...), #alias or unknown",
         .hint = "where this operation came from is unknown"});
  return add({}, {});
}

LocationId LocationReader::location(std::uint32_t depth) {
  if (depth > most_depth_) {
    too_deep_ = true;
    return kNoLocation;
  }
  skip_blanks();
  if (at_end()) return kNoLocation;
  if (text_[at_] == '"') return quoted(depth);
  if (text_[at_] == '#') return alias();
  if (accept_word("unknown")) return add({}, {});
  if (accept_word("fused")) return fused(depth);
  if (accept_word("callsite")) return call(depth);
  if (!accept_word("loc") || !accept('(')) return kNoLocation;
  const LocationId inner = location(depth + 1);
  return inner != kNoLocation && accept(')') ? inner : kNoLocation;
}

// "attn.py":41:9, "stem"(...), "stem"
LocationId LocationReader::quoted(std::uint32_t depth) {
  const std::uint32_t begin = ++at_;
  for (; !at_end() && text_[at_] != '"'; ++at_)
    if (text_[at_] == '\\') ++at_;
  if (at_end()) return kNoLocation;
  Location now{.kind = LocationKind::Name, .text = {begin, at_++}};
  if (accept(':')) return file_place(now) ? add(now, {}) : kNoLocation;
  if (!accept('(')) return add(now, {});
  const LocationId inner = location(depth + 1);
  if (inner == kNoLocation || !accept(')')) return kNoLocation;
  return add(now, {{inner}});
}

// 41, 41:9, 41:9 to 43:2, 41:9 to :20
bool LocationReader::file_place(Location& file) {
  file.kind = LocationKind::File;
  if (!number(file.line)) return false;
  if (accept(':') && !number(file.column)) return false;
  if (!accept_word("to")) return true;
  std::uint32_t end = 0;
  const bool line = number(end);
  return accept(':') ? number(end) : line;
}

// fused<"pass">[loc, loc]
LocationId LocationReader::fused(std::uint32_t depth) {
  if (!skip_metadata() || !accept('[')) return kNoLocation;
  std::vector<LocationId> parts;
  while (!accept(']')) {
    if (!parts.empty() && !accept(',')) return kNoLocation;
    parts.push_back(location(depth + 1));
    if (parts.back() == kNoLocation) return kNoLocation;
  }
  return add({.kind = LocationKind::Fused}, parts);
}

bool LocationReader::skip_metadata() {
  skip_blanks();
  if (at_end() || text_[at_] != '<') return true;
  const std::uint32_t close = end_of_angles(text_, at_, end_ - at_, Angles::Any);
  if (close == 0) return false;
  at_ = close;
  return true;
}

// callsite(callee at caller)
LocationId LocationReader::call(std::uint32_t depth) {
  if (!accept('(')) return kNoLocation;
  const LocationId callee = location(depth + 1);
  if (callee == kNoLocation || !accept_word("at")) return kNoLocation;
  const LocationId caller = location(depth + 1);
  if (caller == kNoLocation || !accept(')')) return kNoLocation;
  return add({.kind = LocationKind::Call}, {{callee, caller}});
}

LocationId LocationReader::alias() {
  const std::uint32_t begin = at_++;
  while (!at_end() && is_word(text_[at_])) ++at_;
  if (at_ == begin + 1) return kNoLocation;
  const SourceRange name{begin, at_};
  const auto [known, is_new] = aliases_.try_emplace(tree_.text(name), kNoLocation);
  if (is_new) known->second = add({.kind = LocationKind::Alias, .text = name}, {});
  return known->second;
}

LocationId LocationReader::add(const Location& location, std::span<const LocationId> parts) {
  Location& now = out_.all.emplace_back(location);
  now.first = static_cast<std::uint32_t>(out_.parts.size());
  now.count = static_cast<std::uint32_t>(parts.size());
  out_.parts.insert(out_.parts.end(), parts.begin(), parts.end());
  return static_cast<LocationId>(out_.all.size() - 1);
}

// --- aliases ----------------------------------------------------------------------------------------------------------

// To those who read statements, `#loc3 = loc(...)` is a comment.
void LocationReader::finish() {
  for (Comment& comment : tree_.comments) {
    if (!comment.own_line || text_[comment.range.begin] != '#') continue;
    at_ = comment.range.begin + 1;
    end_ = comment.range.end;
    while (!at_end() && is_word(text_[at_])) ++at_;
    const SourceRange name{comment.range.begin, at_};
    const std::uint32_t open = location_behind(text_, name.end);
    if (name.end == name.begin + 1 || open == 0) continue;
    comment.is_location = true;
    define(comment, name, open);
  }
  for (const auto& [name, id] : aliases_) {
    const Location& alias = out_.all[id];
    if (alias.count != 0) continue;
    mistakes_.remark("W-LOC", Severity::Warning, alias.text,
                     {.text = fmt::format("there is no {}", name),
                      .expected = fmt::format("a line `{} = loc(...)`", name),
                      .hint = "where operations with it came from is unknown"});
  }
  break_circles();
}

void LocationReader::define(const Comment& comment, SourceRange name, std::uint32_t open) {
  const std::uint32_t close = end_of_location(text_, open);
  const std::string_view key = tree_.text(name);
  if (close == 0) {
    mistakes_.remark("W-LOC", Severity::Warning, comment.range,
                     {.text = "a location that is not closed", .expected = "loc(...) on one line"});
    return;
  }
  const SourcePos here = tree_.source->position(name.begin);
  const auto [first, is_new] = defined_.try_emplace(key, here);
  if (!is_new) {
    mistakes_.remark("W-LOC", Severity::Warning, name,
                     {.text = fmt::format("{} is made twice; the first one counts", key),
                      .notes = {{first->second, fmt::format("the first {}", key)}}});
    return;
  }
  const LocationId what = whole({open, close});
  at_ = name.begin;
  end_ = name.end;
  const LocationId id = alias();
  out_.all[id].first = static_cast<std::uint32_t>(out_.parts.size());
  out_.all[id].count = 1;
  out_.parts.push_back(what);
}

void LocationReader::tell_circle(Location& alias) {
  mistakes_.remark("W-LOC", Severity::Warning, alias.text,
                   {.text = fmt::format("{} stands for itself", tree_.text(alias.text)),
                    .hint = "where operations with it came from is unknown"});
  alias = {};
}

// An alias that leads back to itself leads nowhere.
void LocationReader::break_circles() {
  enum class State : std::uint8_t { New, Open, Done };
  std::vector<State> states(out_.all.size(), State::New);
  struct Visit {
    LocationId id;
    std::uint32_t next = 0;
  };
  std::vector<Visit> path;
  for (LocationId start = 0; start < out_.all.size(); ++start) {
    if (states[start] != State::New) continue;
    path.push_back({start});
    while (!path.empty()) {
      Visit& now = path.back();
      Location& location = out_.all[now.id];
      states[now.id] = State::Open;
      if (now.next >= location.count) {
        states[now.id] = State::Done;
        path.pop_back();
        continue;
      }
      const LocationId part = out_.parts[location.first + now.next++];
      if (states[part] == State::New) path.push_back({part});
      if (states[part] != State::Open) continue;
      // Only aliases stand for what is read later, so the circle goes through one.
      const auto of_alias = [&](const Visit& visit) { return out_.all[visit.id].kind == LocationKind::Alias; };
      tell_circle(out_.all[std::find_if(path.rbegin(), path.rend(), of_alias)->id]);
    }
  }
}

// --- letters ----------------------------------------------------------------------------------------------------------

void LocationReader::skip_blanks() {
  while (!at_end() && is_char(text_[at_], kSpaceChar)) ++at_;
}

bool LocationReader::accept(char c) {
  skip_blanks();
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool LocationReader::accept_word(std::string_view word) {
  skip_blanks();
  if (!text_.substr(at_, end_ - at_).starts_with(word)) return false;
  const std::size_t behind = at_ + word.size();
  if (behind < end_ && is_word(text_[behind])) return false;
  at_ = static_cast<std::uint32_t>(behind);
  return true;
}

// A line or column beyond what anybody has is no place.
bool LocationReader::number(std::uint32_t& value) {
  skip_blanks();
  const char* const begin = text_.data() + at_;
  const auto read = std::from_chars(begin, text_.data() + end_, value);
  at_ += static_cast<std::uint32_t>(read.ptr - begin);
  return read.ec == std::errc{};
}

}  // namespace ts::text
