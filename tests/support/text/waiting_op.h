// A statement that is legal and that nobody emulates. Communication between devices stays so for long: there is one here.
#pragma once

#include <string>

namespace ts::test {

inline const std::string kWaitingOp = "pto.comm.tbroadcast";
// For a tile %t and a pointer %p to f32; in two lines, of which the second one waits.
inline std::string waiting_lines(const std::string& tile_type) {
  const std::string view = "!pto.tensor_view<8x8xf32>";
  return "    %v = pto.make_tensor_view %p, shape = [8, 8], strides = [8, 1] : " + view + "\n    " + kWaitingOp +
         "(%v, recv(%t), group(%v, %v) : " + view + ", " + tile_type + ", " + view + ", " + view +
         ") {root = 1 : i32}\n";
}

}  // namespace ts::test
