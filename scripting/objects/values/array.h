// Arrays in scripts: read from files, made of numbers, or copied out of a tile. They can only be read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/debug/elements/elements.h"
#include "scripting/binding/object_type.h"

namespace ts::scripting {

struct ArrayObject {
  std::shared_ptr<const Elements> elements;
  std::vector<std::uint64_t> shape;
  std::string name;  // for messages: the file, or "array"
  static const ObjectType& type();
};

ArrayObject& push_array(lua_State* L, Elements elements, std::vector<std::uint64_t> shape, std::string name);
ArrayObject& push_array(lua_State* L, Elements elements, std::string name);  // rows x cols

}  // namespace ts::scripting
