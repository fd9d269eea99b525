// Which family draws what.
#include "app/stage/families.h"

namespace ts::ui {

DrawStep drawing_of(Drawing drawing) {
  switch (drawing) {
    case Drawing::Interleave:
      return draw_interleave;
    case Drawing::Select:
      return draw_select;
    case Drawing::Lanes:
      return draw_elementwise;
    case Drawing::Transfer:
      return draw_transfer;
    case Drawing::Fill:
      return draw_fill;
    case Drawing::Transpose:
      return draw_transpose;
    case Drawing::Gather:
      return draw_gather;
    case Drawing::Reduce:
      return draw_reduce;
    case Drawing::Broadcast:
      return draw_broadcast;
    case Drawing::Compare:
      return draw_compare;
    case Drawing::Pad:
      return draw_pad;
    case Drawing::None:
      break;
  }
  return draw_general;
}

}  // namespace ts::ui
