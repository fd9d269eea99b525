// Numbers on the stack.
#include "scripting/objects/values/push.h"

#include "scripting/objects/values/elements.h"

namespace ts::scripting {

void push_scalar(lua_State* L, const Scalar& scalar) {
  push_element(L, element_format(scalar.dtype), scalar.bits);
}

std::uint64_t check_bits(lua_State* L, int index, const std::string& name, DType dtype) {
  return check_element(L, index, name.c_str(), element_format(dtype));
}

}  // namespace ts::scripting
