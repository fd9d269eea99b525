// `--setup NAME`: what the file beside the program says, under what the command line says.
#pragma once

#include "app/cli/commands.h"

namespace ts {

// Puts the setup that the arguments name below them. False: it cannot be, and stderr says why.
bool take_setup(RunArguments& arguments);

}  // namespace ts
