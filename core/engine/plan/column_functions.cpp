// Columns of a matrix, several at once: it is turned over in pieces, as the host's vectors have room.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/plan/column_functions.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/engine/gather-inl.h"

#include <cstring>

#include "core/engine/plan/column_functions.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

inline constexpr std::uint32_t kLines = 16;  // that are turned over together

template <class T>
void rest_of_columns(std::uint8_t* const* out, const std::uint8_t* const* from, std::uint32_t first,
                     std::uint32_t lanes) {
  constexpr std::uint32_t kColumns = BLK / sizeof(T);
  for (std::uint32_t column = 0; column < kColumns; ++column) {
    for (std::uint32_t lane = first; lane < lanes; ++lane)
      std::memcpy(out[column] + lane * sizeof(T), from[lane] + column * sizeof(T), sizeof(T));
    std::memset(out[column] + lanes * sizeof(T), 0, VL - lanes * sizeof(T));
  }
}
void columns_of_halves(std::uint8_t* const* out, const std::uint8_t* const* from, std::uint32_t lanes) {
  std::uint32_t lane = 0;
  for (; lane + kLines <= lanes; lane += kLines) TurnBlocks16()(out, lane * 2, from + lane, 0);
  rest_of_columns<std::uint16_t>(out, from, lane, lanes);
}
void columns_of_words(std::uint8_t* const* out, const std::uint8_t* const* from, std::uint32_t lanes) {
  std::uint8_t* blocks[kLines];  // of 16 lines of a column: those of the upper half, then those of the lower one
  for (std::uint32_t i = 0; i < kLines; ++i) blocks[i] = out[i / 2] + i % 2 * BLK;
  std::uint32_t lane = 0;
  for (; lane + kLines <= lanes; lane += kLines) TurnBlocks32()(blocks, lane * 4, from + lane, 0);
  rest_of_columns<std::uint32_t>(out, from, lane, lanes);
}
ColumnsFunction columns_function(std::uint32_t size) { return size == 2 ? columns_of_halves : columns_of_words; }

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ts {

HWY_EXPORT(columns_function);
ColumnsFunction best_columns_function(std::uint32_t size) { return HWY_DYNAMIC_DISPATCH(columns_function)(size); }

}  // namespace ts
#endif
