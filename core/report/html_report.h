// One step, or one finding, as a page that stands on its own: a file that needs no network, no script and no TileScope.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/data/file.h"
#include "core/debug/session/session.h"

namespace ts {

// An input as it was given to the run, for the lines that repeat it.
struct GivenInput {
  enum class Kind : std::uint8_t { File, Number, Size, MadeUp };
  std::string name;
  Kind kind = Kind::MadeUp;
  std::string value = {};  // path, number, bytes; of MadeUp what was made up, for people
};

// How the recording came about. What nobody knows stays empty, and the page says so.
struct RunOrigin {
  std::string file = {};   // as it was named; empty: the name in the program's text
  std::string entry = {};  // where the file has several
  std::optional<std::uint64_t> seed = {};
  std::vector<GivenInput> inputs = {};
};

struct HtmlReportRequest {
  // The step; else that of the finding; else the session's own place.
  std::optional<std::uint32_t> step = {};
  std::optional<std::size_t> finding = {};  // a number in Session::findings()
  // The element of the step that is explained; else the finding's; else the first element of the first result.
  std::string tile = {};  // a tile or buffer of the step, without %
  std::uint32_t row = 0, col = 0;
  RunOrigin launch = {};
};

// Refused when there is no such step, finding or element.
std::variant<std::string, Refusal> html_report(Session& session, const HtmlReportRequest& request);

// The same as a file. Empty text: it worked.
data::Error write_html_report(Session& session, const HtmlReportRequest& request, const std::string& path,
                              data::Replace replace = data::Replace::Yes);

}  // namespace ts
