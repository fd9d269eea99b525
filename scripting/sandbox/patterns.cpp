// The matcher: a backtracking walk over the pattern, as the reference manual describes it (6.4.1).
#include "scripting/sandbox/patterns.h"

#include <algorithm>

namespace ts::scripting {

namespace {

// Characters of the C locale, whatever the host's is.
bool is_between(unsigned char c, char low, char high) {
  return c >= static_cast<unsigned char>(low) && c <= static_cast<unsigned char>(high);
}
bool is_lower(unsigned char c) { return is_between(c, 'a', 'z'); }
bool is_upper(unsigned char c) { return is_between(c, 'A', 'Z'); }
bool is_digit(unsigned char c) { return is_between(c, '0', '9'); }
bool is_letter(unsigned char c) { return is_lower(c) || is_upper(c); }
bool is_visible(unsigned char c) { return is_between(c, '!', '~'); }
unsigned char to_lower(unsigned char c) { return is_upper(c) ? static_cast<unsigned char>(c - 'A' + 'a') : c; }

// Whether c is in the class that `name` stands for after a '%'. A capital letter is the opposite; what is no class is itself.
bool in_class(unsigned char c, unsigned char name) {
  bool in = false;
  switch (to_lower(name)) {
    case 'a': in = is_letter(c); break;
    case 'c': in = c < 0x20 || c == 0x7F; break;
    case 'd': in = is_digit(c); break;
    case 'g': in = is_visible(c); break;
    case 'l': in = is_lower(c); break;
    case 'p': in = is_visible(c) && !is_letter(c) && !is_digit(c); break;
    case 's': in = c == ' ' || is_between(c, '\t', '\r'); break;
    case 'u': in = is_upper(c); break;
    case 'w': in = is_letter(c) || is_digit(c); break;
    case 'x': in = is_digit(c) || is_between(to_lower(c), 'a', 'f'); break;
    case 'z': in = c == 0; break;  // from Lua 5.1, and still there
    default: return name == c;
  }
  return is_upper(name) ? !in : in;
}

}  // namespace

std::size_t Matcher::match(std::size_t start) {
  depth_ = 0;
  count_ = 0;
  const std::size_t end = match_from(start, 0);
  work_.settle();
  return end;
}

// --- one place in the subject against the rest of the pattern ---

std::size_t Matcher::match_from(std::size_t s, std::size_t p) {
  if (depth_ == kMostDepth) luaL_error(L_, "pattern too complex");
  ++depth_;
  const std::size_t end = match_rest(s, p);
  --depth_;
  return end;
}

std::size_t Matcher::match_rest(std::size_t s, std::size_t p) {
  while (p != pattern_.size()) {
    work_.add(1);
    const unsigned char c = pattern_at(p), next = pattern_at(p + 1);
    if (c == '(') return next == ')' ? open_capture(s, p + 2, State::Position) : open_capture(s, p + 1, State::Open);
    if (c == ')') return close_capture(s, p + 1);
    if (c == '$' && p + 1 == pattern_.size()) return s == subject_.size() ? s : kNoMatch;
    if (c == '%' && next == 'b') {
      s = match_balance(s, p + 2);
      if (s == kNoMatch) return kNoMatch;
      p += 4;
    } else if (c == '%' && next == 'f') {
      p += 2;
      if (pattern_at(p) != '[') luaL_error(L_, "missing '[' after '%%f' in pattern");
      const std::size_t set_end = end_of_item(p);
      if (!at_frontier(s, p, set_end)) return kNoMatch;
      p = set_end;
    } else if (c == '%' && is_digit(next)) {
      s = match_capture_again(s, next);
      if (s == kNoMatch) return kNoMatch;
      p += 2;
    } else {
      const std::size_t item_end = end_of_item(p);
      bool goes_on = false;
      s = match_item(s, p, item_end, goes_on);
      if (!goes_on) return s;
      const unsigned char suffix = pattern_at(item_end);
      p = suffix == '*' || suffix == '?' || suffix == '-' ? item_end + 1 : item_end;
    }
  }
  return s;
}

// One character class and its suffix. Either this decides the match, or the caller goes on from the place returned.
std::size_t Matcher::match_item(std::size_t s, std::size_t p, std::size_t item_end, bool& goes_on) {
  const unsigned char suffix = pattern_at(item_end);
  if (!matches_one(s, p, item_end)) {
    goes_on = suffix == '*' || suffix == '?' || suffix == '-';  // none will do
    return goes_on ? s : kNoMatch;
  }
  switch (suffix) {
    case '?': {
      const std::size_t end = match_from(s + 1, item_end + 1);
      goes_on = end == kNoMatch;
      return goes_on ? s : end;
    }
    case '+': return longest_first(s + 1, p, item_end);
    case '*': return longest_first(s, p, item_end);
    case '-': return shortest_first(s, p, item_end);
    default: goes_on = true; return s + 1;
  }
}

std::size_t Matcher::longest_first(std::size_t s, std::size_t p, std::size_t item_end) {
  std::size_t last = s;
  while (matches_one(last, p, item_end)) ++last;
  for (;; --last) {
    const std::size_t end = match_from(last, item_end + 1);
    if (end != kNoMatch || last == s) return end;
  }
}

std::size_t Matcher::shortest_first(std::size_t s, std::size_t p, std::size_t item_end) {
  for (;; ++s) {
    const std::size_t end = match_from(s, item_end + 1);
    if (end != kNoMatch) return end;
    if (!matches_one(s, p, item_end)) return kNoMatch;
  }
}

std::size_t Matcher::match_balance(std::size_t s, std::size_t p) {
  if (p + 1 >= pattern_.size()) luaL_error(L_, "malformed pattern (missing arguments to '%%b')");
  const unsigned char opening = pattern_at(p), closing = pattern_at(p + 1);
  if (subject_at(s) != opening) return kNoMatch;
  std::size_t open = 1;
  for (++s; s < subject_.size(); ++s) {
    work_.add(1);
    const unsigned char c = subject_at(s);
    if (c == closing) {
      if (--open == 0) return s + 1;
    } else if (c == opening) {
      ++open;
    }
  }
  return kNoMatch;
}

bool Matcher::at_frontier(std::size_t s, std::size_t set, std::size_t set_end) {
  const unsigned char before = s == 0 ? 0 : subject_at(s - 1);
  return !in_set(before, set, set_end) && in_set(subject_at(s), set, set_end);
}

// --- captures ---

std::size_t Matcher::open_capture(std::size_t s, std::size_t p, State state) {
  if (count_ == kMostCaptures) luaL_error(L_, "too many captures");
  captures_[count_++] = {s, 0, state};
  const std::size_t end = match_from(s, p);
  if (end == kNoMatch) --count_;
  return end;
}

std::size_t Matcher::close_capture(std::size_t s, std::size_t p) {
  int last = count_ - 1;
  while (last >= 0 && captures_[last].state != State::Open) --last;
  if (last < 0) luaL_error(L_, "invalid pattern capture");
  Capture& capture = captures_[last];
  capture.size = s - capture.start;
  capture.state = State::Closed;
  const std::size_t end = match_from(s, p);
  if (end == kNoMatch) capture.state = State::Open;
  return end;
}

std::size_t Matcher::match_capture_again(std::size_t s, unsigned char digit) {
  const int number = digit - '1';
  if (number < 0 || number >= count_ || captures_[number].state == State::Open) {
    luaL_error(L_, "invalid capture index %%%d", number + 1);
  }
  const Capture& capture = captures_[number];
  if (capture.state == State::Position) return kNoMatch;  // it has no text
  work_.add(1 + steps_for_bytes(capture.size));
  const bool same = subject_.size() - s >= capture.size &&
                    subject_.substr(s, capture.size) == subject_.substr(capture.start, capture.size);
  return same ? s + capture.size : kNoMatch;
}

void Matcher::push_capture(int number, std::size_t start, std::size_t end) {
  if (number >= count_) {
    if (number != 0) luaL_error(L_, "invalid capture index %%%d", number + 1);
    lua_pushlstring(L_, subject_.data() + start, end - start);
    return;
  }
  const Capture& capture = captures_[number];
  switch (capture.state) {
    case State::Open: luaL_error(L_, "unfinished capture"); break;
    case State::Position: lua_pushinteger(L_, static_cast<lua_Integer>(capture.start) + 1); break;
    case State::Closed: lua_pushlstring(L_, subject_.data() + capture.start, capture.size); break;
  }
}

int Matcher::push_captures(std::size_t start, std::size_t end) {
  const int count = std::max(count_, 1);
  luaL_checkstack(L_, count, "too many captures");
  for (int i = 0; i < count; ++i) push_capture(i, start, end);
  return count;
}

// --- single characters ---

// The end of the class that begins at p: a character, an escape or a set.
std::size_t Matcher::end_of_item(std::size_t p) {
  const unsigned char c = pattern_at(p++);
  if (c == '%') {
    if (p == pattern_.size()) luaL_error(L_, "malformed pattern (ends with '%%')");
    return p + 1;
  }
  if (c != '[') return p;
  if (pattern_at(p) == '^') ++p;
  do {  // the first character is in the set even if it is a ']'
    work_.add(1);
    if (p == pattern_.size()) luaL_error(L_, "malformed pattern (missing ']')");
    if (pattern_at(p++) == '%' && p < pattern_.size()) ++p;
  } while (pattern_at(p) != ']');
  return p + 1;
}

bool Matcher::matches_one(std::size_t s, std::size_t p, std::size_t item_end) {
  work_.add(1);
  if (s >= subject_.size()) return false;
  const unsigned char c = subject_at(s);
  switch (pattern_at(p)) {
    case '.': return true;
    case '%': return in_class(c, pattern_at(p + 1));
    case '[': return in_set(c, p, item_end);
    default: return pattern_at(p) == c;
  }
}

// `set` is where the '[' is, `set_end` is behind the ']'.
bool Matcher::in_set(unsigned char c, std::size_t set, std::size_t set_end) {
  const std::size_t last = set_end - 1;
  std::size_t p = set + 1;
  const bool inside = pattern_at(p) != '^';
  if (!inside) ++p;
  for (; p < last; ++p) {
    work_.add(1);
    if (pattern_at(p) == '%') {
      ++p;
      if (in_class(c, pattern_at(p))) return inside;
    } else if (pattern_at(p + 1) == '-' && p + 2 < last) {
      if (pattern_at(p) <= c && c <= pattern_at(p + 2)) return inside;
      p += 2;
    } else if (pattern_at(p) == c) {
      return inside;
    }
  }
  return !inside;
}

}  // namespace ts::scripting
