// One element in the hands of a script: its value, its bits, and how both read. It counts as its value.
#pragma once

#include <string>

#include "scripting/binding/object_type.h"
#include "scripting/objects/values/place.h"

namespace ts::scripting {

struct CellObject {
  Place place;
  std::uint32_t row = 0, col = 0;
  Element element = {};
  static const ObjectType& type();

  // "2.5", ".." for what was never written, "2.5?" for what nobody promised.
  std::string text() const;
};

}  // namespace ts::scripting
