// `tilescope run --profile`: where the time of the emulation went, by line.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

#include "core/record/profile.h"

namespace ts {

void print_profile(std::FILE* out, const Recording& recording, const Profile& profile);
nlohmann::ordered_json profile_json(const Recording& recording, const Profile& profile);

}  // namespace ts
