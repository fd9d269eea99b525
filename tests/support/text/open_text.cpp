// Opening of texts.
#include "tests/support/text/open_text.h"

namespace ts::test {

OpenedText open_text(std::string_view text, std::optional<Target> target, const OpenRequest& request) {
  OpenedText out;
  out.tree = read_program("test.pto", std::string(text), out.diagnostics);
  if (has_error(out.diagnostics)) return out;
  const auto entries = entry_points(*out.tree, out.diagnostics);
  if (entries.empty()) return out;
  OpenRequest one = request;
  if (target) one.target = target;
  out.opened = open_program(out.tree, entries.front(), one, out.diagnostics);
  return out;
}

}  // namespace ts::test
