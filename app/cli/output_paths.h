// Files that a command writes must not be those that it reads.
#pragma once

#include <string>
#include <vector>

namespace ts {

// False: two of the outputs, or an output and an input, are one file, also by another path or a link; stderr says which.
// Empty paths are none.
bool outputs_are_free(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

}  // namespace ts
