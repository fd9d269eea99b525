// Program texts, read and opened in one call.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/compile/open.h"

namespace ts::test {

struct OpenedText {
  std::shared_ptr<const text::Tree> tree;
  Diagnostics diagnostics;  // of every stage
  std::optional<Opened> opened;
};

// The first entry point of a text on a target (nothing: the module's own).
OpenedText open_text(std::string_view text, std::optional<Target> target = {}, const OpenRequest& request = {});

}  // namespace ts::test
