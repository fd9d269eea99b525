// Lines without their indentation.
#include "app/cli/report/source_line.h"

#include <algorithm>

#include "core/text/tree.h"

namespace ts {

std::string_view without_indent(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

std::string program_line(const Recording& recording, std::uint32_t step) {
  const auto& tree = recording.program().tree;
  return tree == nullptr ? "" : std::string(without_indent(tree->source->line(recording.bound(step).pos.line)));
}

std::optional<std::string> original_line(SourceTexts& sources, const std::string& file, std::uint32_t number) {
  const auto line = sources.line(file, number);
  if (!line) return {};
  return std::string(without_indent(line->text)) + (line->changed_since ? "  (the file changed since)" : "");
}

}  // namespace ts
