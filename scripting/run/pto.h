// The table `pto`. Its rows stand where what they do stands.
#pragma once

#include "scripting/binding/object_type.h"

namespace ts::scripting {

const ObjectType& pto_type();

}  // namespace ts::scripting
