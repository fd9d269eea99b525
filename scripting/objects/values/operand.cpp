// Reading tiles, buffers and arrays in the same way.
#include "scripting/objects/values/operand.h"

#include "scripting/binding/object.h"
#include "scripting/objects/values/array.h"
#include "scripting/objects/values/tile.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {

bool has_elements(lua_State* L, int index) {
  return to_place(L, index) != nullptr || to_object<ArrayObject>(L, index) != nullptr;
}

ElementsArgument check_elements(lua_State* L, int index, const char* name) {
  if (const Place* place = to_place(L, index))
    return {weighed_elements(L, all_elements(L, *place)), place->name, place};
  if (const ArrayObject* array = to_object<ArrayObject>(L, index)) return {array->elements, array->name};
  wrong_argument(L, index, name, "a tile, a buffer or an array");
}

}  // namespace ts::scripting
