// The digest of a recording, for as long as somebody waits for it.
#pragma once

#include <string>

#include "core/record/recording.h"

namespace ts {

// Empty where Ctrl+C came before it was there.
std::string digest_of(const Recording& recording);

}  // namespace ts
