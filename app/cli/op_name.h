// Names of operations as pages and lists have them.
#pragma once

#include <string_view>

#include "core/text/ops/op_row.h"

namespace ts {

// The name of an operation without its dialect: "tmul".
inline std::string_view bare_name(const text::OpRow& row) { return row.name.substr(row.name.find('.') + 1); }

}  // namespace ts
