// Names that a compiler did not know: which of them are the library's, and what to do.
#pragma once

#include <string_view>

#include "core/isa/diagnostic.h"

namespace ts::cpp {

// The name that a compiler's message says is not declared; "": it says something else.
std::string_view undeclared_name(std::string_view message);
// An error that says so, in our words.
void explain_unknown(Diagnostic& error);

}  // namespace ts::cpp
