// The names of the PTO tile library for kernels that TileScope runs. Written for TileScope: every call is handed over and
// executed there, see tilescope/border.h.
#pragma once

#include "../tilescope/types.h"
#include "../tilescope/call.h"
#include "../tilescope/launch.h"
#include "../tilescope/order.h"
#include "../tilescope/queue.h"
#include "../tilescope/special.h"
#include "tilescope/instructions.h"
