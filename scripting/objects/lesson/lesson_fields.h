// Fields of the nested tables of a lesson: messages name the step and the whole way to the field.
#pragma once

#include <cstdint>
#include <functional>
#include <lua.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ts::scripting {

class Fields {
 public:
  // The table at `index`, which stays there; `path` is how messages call it: "step 3: predict". Keys that are not in
  // `known` are refused; numbers as keys are, where it may be a list as well, passed over.
  Fields(lua_State* L, int index, std::string path, std::vector<const char*> known, bool list = false);

  bool has(const char* key) const;
  // Pushes the value, nil where there is none; gives its Lua type.
  int push(const char* key) const;
  std::optional<std::string> text(const char* key) const;
  std::optional<std::uint32_t> number(const char* key) const;
  bool truth(const char* key) const;
  // A text, or a list of texts.
  std::vector<std::string> texts(const char* key) const;
  std::vector<std::uint32_t> numbers(const char* key) const;
  // Calls `each` with every value of the list, which lies on top of the stack, and with its number from 1.
  void each(const char* key, const std::function<void(lua_Integer)>& each) const;

  // Raises "pto.lesson: step 3: predict.cols: wanted ..., got ...".
  [[noreturn]] void wrong(const char* key, const std::string& wanted) const;
  // Raises "pto.lesson: step 3: predict: text (hint)".
  [[noreturn]] void refuse(const std::string& text, const std::string& hint = "") const;
  std::string path(const char* key) const {
    return path_.empty() ? key : path_ + (path_.ends_with(": ") ? "" : ".") + key;
  }
  int index() const { return index_; }
  lua_State* state() const { return L_; }

 private:
  std::string text_at(int index, const char* key) const;
  std::uint32_t number_at(int index, const char* key) const;

  lua_State* L_;
  int index_;
  std::string path_;
};

}  // namespace ts::scripting
