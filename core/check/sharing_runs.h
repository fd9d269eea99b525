// What is known of the bytes of the flat line, kept in runs of bytes that are alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>

#include "core/memory/memory.h"

namespace ts {

template <class T>
class ByteRuns {
 public:
  bool empty() const { return runs_.empty(); }
  std::size_t size() const { return runs_.size(); }
  void clear() { runs_.clear(); }

  // f(begin, end, value) for the bytes of [begin, end) that something is known of, ascending.
  template <class F>
  void visit(Flat begin, Flat end, F f) const {
    auto at = runs_.upper_bound(begin);
    if (at != runs_.begin() && std::prev(at)->second.end > begin) --at;
    for (; at != runs_.end() && at->first < end; ++at)
      f(std::max(begin, at->first), std::min(end, at->second.end), at->second.value);
  }

  // f(begin, end, value) for all bytes of [begin, end); what it makes of the value is kept. Where nothing was known the
  // value starts as T{}.
  template <class F>
  void update(Flat begin, Flat end, F f) {
    cut(begin);
    cut(end);
    auto at = runs_.lower_bound(begin);
    for (Flat next = begin; next < end; next = at->second.end, ++at) {
      if (at == runs_.end() || at->first > next) {
        const Flat gap_end = at == runs_.end() ? end : std::min(end, at->first);
        at = runs_.emplace_hint(at, next, Run{gap_end, T{}});
      }
      f(next, at->second.end, at->second.value);
    }
    join(begin, end);
  }

  void set(Flat begin, Flat end, const T& value) {
    if (begin >= end || is(begin, end, value)) return;
    erase(begin, end);
    runs_.emplace(begin, Run{end, value});
    join(begin, end);
  }

  // Nothing is known of these bytes any more.
  void erase(Flat begin, Flat end) {
    if (runs_.empty() || begin >= end) return;
    cut(begin);
    cut(end);
    runs_.erase(runs_.lower_bound(begin), runs_.lower_bound(end));
  }
  template <class F>
  void erase_if(F f) {
    std::erase_if(runs_, [&](const auto& run) { return f(run.second.value); });
  }

 private:
  struct Run {
    Flat end;
    T value;
  };

  bool is(Flat begin, Flat end, const T& value) const {
    auto at = runs_.upper_bound(begin);
    if (at == runs_.begin()) return false;
    --at;
    return at->second.end >= end && at->second.value == value;
  }

  // Afterwards no run lies on both sides of the border.
  void cut(Flat border) {
    auto at = runs_.lower_bound(border);
    if (at == runs_.begin()) return;
    --at;
    if (at->second.end <= border) return;
    runs_.emplace_hint(std::next(at), border, at->second);
    at->second.end = border;
  }

  // Neighbours from the run before `begin` to the one at `end` that are alike.
  void join(Flat begin, Flat end) {
    auto at = runs_.lower_bound(begin);
    if (at != runs_.begin()) --at;
    while (at != runs_.end()) {
      const auto next = std::next(at);
      if (next == runs_.end() || next->first > end) return;
      if (at->second.end == next->first && at->second.value == next->second.value) {
        at->second.end = next->second.end;
        runs_.erase(next);
      } else {
        at = next;
      }
    }
  }

  std::map<Flat, Run> runs_;
};

}  // namespace ts
