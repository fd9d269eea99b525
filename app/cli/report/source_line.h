// Lines of texts, as reports show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/files/source_texts.h"
#include "core/record/recording.h"

namespace ts {

std::string_view without_indent(std::string_view line);
// The line of the program that a step ran; empty where there is no text.
std::string program_line(const Recording& recording, std::uint32_t step);
// The line of a file that the program came from, and whether it may be another one by now. Nothing: it was not found.
std::optional<std::string> original_line(SourceTexts& sources, const std::string& file, std::uint32_t number);

}  // namespace ts
