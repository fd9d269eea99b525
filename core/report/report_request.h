// What a page is asked to be about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/record/run_origin.h"

namespace ts {

struct HtmlReportRequest {
  // The step; else that of the finding; else the session's own place.
  std::optional<std::uint32_t> step = {};
  std::optional<std::size_t> finding = {};  // a number in Session::findings()
  // The element of the step that is explained; else the finding's; else the first element of the first result.
  std::string tile = {};  // a tile or buffer of the step, without %
  std::uint32_t row = 0, col = 0;
  RunOrigin launch = {};
};

}  // namespace ts
