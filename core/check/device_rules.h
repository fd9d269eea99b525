// Where a tile stands, held against what devices are known to take (device_limits.h): with a run, and by the text alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/check/check.h"
#include "core/check/device_limits.h"

namespace ts {

struct DeviceFault {
  std::string text, hint;
};

class DeviceRules {
 public:
  DeviceRules(Target target, const CheckOptions& options);
  // What devices do not take of a tile there; `name` is for the texts.
  std::vector<DeviceFault> faults(const std::string& name, const ByteRange& range) const;

 private:
  Target target_;
  std::uint32_t rooms_[kSpaces] = {};  // 0: nothing is known
};

}  // namespace ts
