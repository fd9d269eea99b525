// What a script holds outside of Lua, weighed against its memory.
#pragma once

#include <cstddef>
#include <lua.hpp>
#include <memory>
#include <utility>

#include "scripting/sandbox/held_bytes.h"

namespace ts::scripting {

// So many bytes count as the script's for as long as this lives. It stands in what takes the bytes, or with it (`weighed`),
// so that whoever holds the one holds the other; it may outlive the script.
class Weight {
 public:
  Weight() = default;
  // Collects garbage when there is no room, and raises the memory limit's error when there still is none.
  Weight(lua_State* L, std::size_t bytes) : Weight() { set(L, bytes); }
  ~Weight() { release(); }
  Weight(Weight&& other) noexcept : held_(std::move(other.held_)), bytes_(std::exchange(other.bytes_, 0)) {}
  Weight& operator=(Weight&& other) noexcept {
    std::swap(held_, other.held_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  // It has grown, or has become less. Raises as above; what has grown already still counts then.
  void set(lua_State* L, std::size_t bytes);
  void release();
  std::size_t bytes() const { return bytes_; }

 private:
  HeldBytes held_;
  std::size_t bytes_ = 0;
};

// The same thing, which is weighed until nobody has it any more.
template <class T>
std::shared_ptr<T> weighed(lua_State* L, std::shared_ptr<T> thing, std::size_t bytes) {
  struct Both {
    Both(std::shared_ptr<T> its, Weight counts) : thing(std::move(its)), weight(std::move(counts)) {}
    std::shared_ptr<T> thing;
    Weight weight;
  };
  T* const plain = thing.get();
  return {std::make_shared<Both>(std::move(thing), Weight(L, bytes)), plain};
}

}  // namespace ts::scripting
