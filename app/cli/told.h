// Messages for people: folded, so that what is said often does not hide what is said once.
#pragma once

#include <cstdio>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/isa/diagnostic.h"
#include "core/record/recording.h"
#include "core/text/source.h"

namespace ts {

// Warnings and notes of one rule at one place are one message, whatever their numbers: a loop says them in every turn.
using MessageKey = std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>;  // rule, text, line, column
MessageKey message_key(const Diagnostic& diagnostic);

// On stderr. Errors first; twenty messages of a severity at most; of notes of one rule the first, and the lines of the others.
void print_diagnostics(const Diagnostics& diagnostics, const text::Source& source);

// What was found while the program ran, each place once. What `told` holds is not shown in full again.
void print_findings(std::FILE* out, const std::vector<Finding>& findings, const text::Source& source,
                    const Diagnostics& told);

}  // namespace ts
