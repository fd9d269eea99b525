// manual: what scripts can ask for.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/commands.h"
#include "scripting/docs.h"

namespace ts {

int manual_command(bool stubs) {
  if (stubs) {
    fmt::print("{}", scripting::editor_stubs());
    return kOk;
  }
  const char* gap = "";
  for (const scripting::ManualPage& page : scripting::manual_pages()) {
    fmt::print("{}{}", gap, page.text);
    gap = "\n";
  }
  return kOk;
}

}  // namespace ts
