// Which checks run over a script's recordings, and running them when somebody asks what was found.
#pragma once

#include <memory>
#include <vector>

#include "core/check/check.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {

// All that was found in the recording. The checks run when this is asked first, and again after they were chosen anew.
std::shared_ptr<const std::vector<Finding>> findings_of(lua_State* L, const std::shared_ptr<OpenRecording>& recording);

}  // namespace ts::scripting
