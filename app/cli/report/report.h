// A recording as a readable text: what `tilescope run` prints while there is no window.
#pragma once

#include <cstdio>
#include <string>

#include "app/cli/report/report_options.h"
#include "app/files/source_texts.h"
#include "core/program/inputs.h"
#include "core/record/inspector.h"

namespace ts {

// `told` has been said before the run.
void print_report(std::FILE* out, const Recording& recording, const std::vector<InputSource>& inputs,
                  const Diagnostics& told, SourceTexts& sources, const ReportOptions& options);

}  // namespace ts
