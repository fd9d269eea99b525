// What people call an operation, and the guide to the language. Pages themselves: instruction_page in files.h.
#pragma once

#include <string_view>

#include "core/text/ops/op_table.h"

namespace ts {

// The operation that people mean by a name: "pto.tadd", "tadd", and "return" for func.return. kUnknownOp: none.
text::OpCode operation_called(std::string_view name);

// The language, line by line.
std::string_view language_guide();

}  // namespace ts
