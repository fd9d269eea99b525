// Lua's patterns, matched by a matcher that says how much work it does: Lua's own can take for ever and no hook sees it.
#pragma once

#include <array>
#include <cstddef>
#include <lua.hpp>
#include <string_view>

#include "scripting/sandbox/work.h"

namespace ts::scripting {

// One pattern on one subject. Both lie in Lua strings that the caller keeps alive. All of it may raise: errors in the
// pattern, with Lua's messages, and the limit.
class Matcher {
 public:
  static constexpr std::size_t kNoMatch = ~std::size_t{0};

  // Without the anchor: whether a match has to be at the start is the caller's affair.
  Matcher(lua_State* L, std::string_view subject, std::string_view pattern)
      : L_(L), subject_(subject), pattern_(pattern), work_(L) {}

  // Where a match that starts at `start` ends, or kNoMatch.
  std::size_t match(std::size_t start);

  int captures() const { return count_; }
  // Pushes a capture of the last match, which began and ended there. Without captures, number 0 is the whole match.
  void push_capture(int number, std::size_t start, std::size_t end);
  // Pushes all of them; their number.
  int push_captures(std::size_t start, std::size_t end);

 private:
  static constexpr int kMostCaptures = 32;
  static constexpr int kMostDepth = 200;

  enum class State : unsigned char { Open, Closed, Position };
  struct Capture {
    std::size_t start, size;
    State state;
  };

  std::size_t match_from(std::size_t s, std::size_t p);
  std::size_t match_rest(std::size_t s, std::size_t p);
  std::size_t match_item(std::size_t s, std::size_t p, std::size_t item_end, bool& goes_on);
  std::size_t open_capture(std::size_t s, std::size_t p, State state);
  std::size_t close_capture(std::size_t s, std::size_t p);
  std::size_t longest_first(std::size_t s, std::size_t p, std::size_t item_end);
  std::size_t shortest_first(std::size_t s, std::size_t p, std::size_t item_end);
  std::size_t match_balance(std::size_t s, std::size_t p);
  std::size_t match_capture_again(std::size_t s, unsigned char digit);
  bool at_frontier(std::size_t s, std::size_t set, std::size_t set_end);

  std::size_t end_of_item(std::size_t p);
  bool matches_one(std::size_t s, std::size_t p, std::size_t item_end);
  bool in_set(unsigned char c, std::size_t set, std::size_t set_end);

  // As in C, both texts read as zero at their end.
  unsigned char subject_at(std::size_t s) const {
    return s < subject_.size() ? static_cast<unsigned char>(subject_[s]) : 0;
  }
  unsigned char pattern_at(std::size_t p) const {
    return p < pattern_.size() ? static_cast<unsigned char>(pattern_[p]) : 0;
  }

  lua_State* L_;
  std::string_view subject_, pattern_;
  Work work_;
  int depth_ = 0;
  int count_ = 0;
  std::array<Capture, kMostCaptures> captures_;
};

}  // namespace ts::scripting
