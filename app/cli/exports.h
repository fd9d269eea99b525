// Files that `tilescope run` writes beside its report.
#pragma once

#include "app/cli/record_entry.h"

namespace ts {

// What is asked for of: arrays, a trace, a page. `show` is the step and element that the report shows. The status to
// end with; when it is not kOk, stderr says why.
int write_exports(const std::shared_ptr<const Recording>& recording, const std::vector<InputSource>& inputs,
                  const Request& request, const RunArguments& arguments, const ReportOptions& show);

}  // namespace ts
