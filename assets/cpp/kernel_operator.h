// Everything is in one header.
#pragma once
#include "pto/pto-inst.hpp"

namespace AscendC {
inline std::int64_t GetBlockIdx() { return ts_block_idx(); }
inline std::int64_t GetBlockNum() { return ts_block_num(); }
}  // namespace AscendC
