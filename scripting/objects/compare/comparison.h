// Comparing tiles with what they should be: pto.compare, and the tolerances that others take as well.
#pragma once

#include <lua.hpp>
#include <memory>

#include "core/debug/compare/compare.h"
#include "scripting/binding/arguments.h"
#include "scripting/binding/object_type.h"
#include "scripting/objects/values/operand.h"

namespace ts::scripting {

// What a comparison can be asked about afterwards.
struct ComparisonObject {
  std::shared_ptr<const Elements> a, b;
  CompareOptions options;
  Comparison result;
  std::uint64_t next = 0;  // where the next difference is looked for
  static const ObjectType& type();
};

// {abs=, rel=, ulp=} of a table that may have other keys; and with nan= and region= too.
CompareOptions tolerances(const OptionTable& options);
CompareOptions compare_options(const OptionTable& options);

// Arguments 1 and 2 of a call, by these names, compared with the options in 3.
struct Compared {
  ElementsArgument a, b;
  CompareOptions options;
  Comparison result;
};
Compared compare_arguments(lua_State* L, const char* a, const char* b);

}  // namespace ts::scripting
