// Lists that nobody keeps: each file adds what it has, before main().
#pragma once

#include <algorithm>
#include <vector>

namespace ts::scripting {

// A static object of this type in a file is all that puts `item` into the list of T. `place` orders the list; numbers
// leave room for what comes between.
//
//   const Listed<Library> kHere{30, {"math", open_math}};
template <class T>
class Listed {
 public:
  Listed(int place, T item) {
    std::vector<Entry>& list = entries();
    const auto behind = std::ranges::upper_bound(list, place, {}, &Entry::place);
    list.insert(behind, Entry{place, std::move(item)});
  }

  // In their order.
  static std::vector<T> all() {
    std::vector<T> items;
    for (const Entry& entry : entries()) items.push_back(entry.item);
    return items;
  }
  static bool has_equal_places() { return std::ranges::adjacent_find(entries(), {}, &Entry::place) != entries().end(); }

 private:
  struct Entry {
    int place;
    T item;
  };
  static std::vector<Entry>& entries() {
    static std::vector<Entry> list;
    return list;
  }
};

}  // namespace ts::scripting
