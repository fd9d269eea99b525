// Statements that are legal and that nobody emulates. Communication between devices stays so for long: there are two here.
#pragma once

#include <string>

namespace ts::test {

inline const std::string kWaitingOp = "pto.comm.tscatter", kOtherWaitingOp = "pto.comm.tgather";

// Along which dimension pieces lie behind each other is read off the shapes, and these say nothing.
inline const std::string kWaitingView = "!pto.tensor_view<?x?xf32>";
// What they need before them: a view of what the pointer %p to f32 points to.
inline const std::string kWaitingSetup =
    "    %v = pto.make_tensor_view %p, shape = [8, 8], strides = [8, 1] : " + kWaitingView + "\n";
// One of them, with a tile.
inline std::string waiting_statement(const std::string& op, const std::string& tile, const std::string& tile_type) {
  return "    " + op + "(%v, recv(" + tile + "), group(%v, %v) : " + kWaitingView + ", " + tile_type + ", " +
         kWaitingView + ", " + kWaitingView + ") {root = 1 : i32}\n";
}
// Both lines, of which the second one waits, for a tile %t.
inline std::string waiting_lines(const std::string& tile_type) {
  return kWaitingSetup + waiting_statement(kWaitingOp, "%t", tile_type);
}

}  // namespace ts::test
