// The lines that bring somebody else to the same step.
#pragma once

#include <string>

#include "core/report/report_subject.h"

namespace ts {

// "tilescope run kernel.pto --target a5 --in x=x.npy --step 5 --cell 'im[1,7]'".
std::string command_line(Session& session, const ReportSubject& subject, const RunOrigin& launch);
// One line that loads and records it: local rec = pto.load("kernel.pto", {target = "a5"}):record()
std::string lua_load_line(const Recording& recording, const RunOrigin& launch);
// Loads, records, seeks, and asserts the bits that stand there.
std::string lua_lines(Session& session, const ReportSubject& subject, const RunOrigin& launch);

}  // namespace ts
