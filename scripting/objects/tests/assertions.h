// Assertions and tests of scripts, and comparing tiles with what they should be.
#pragma once

#include <lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "core/debug/compare/compare.h"
#include "scripting/binding/arguments.h"
#include "scripting/binding/binding.h"

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

const ObjectType& assert_type();        // pto.assert
std::vector<Binding> assertion_rows();  // of `pto`: assert, test, compare

}  // namespace ts::scripting
