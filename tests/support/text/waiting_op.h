// Statements that are legal and that nobody emulates: what these two do is nowhere written.
#pragma once

#include <string>

namespace ts::test {

inline const std::string kWaitingOp = "pto.set_cross_block", kOtherWaitingOp = "pto.wait_cross_block";

inline std::string waiting_line(const std::string& op = kWaitingOp) { return "    " + op + " <PIPE_V>, 3\n"; }

}  // namespace ts::test
