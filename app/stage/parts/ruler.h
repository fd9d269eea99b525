// A stretch of memory as a ruler, with windows on it.
#pragma once

#include <optional>
#include <string>

#include "app/draw/rect.h"
#include "app/theme/color.h"
#include "core/memory/memory.h"

namespace ts::ui {

struct Ruler {
  ByteRange span;
  Rect rect;  // of the bar
  float x_of(double address) const {
    return rect.min.x + static_cast<float>((address - span.address) / span.size) * rect.width();
  }
  double address_at(float x) const {
    return span.address + static_cast<double>((x - rect.min.x) / rect.width()) * span.size;
  }
};

// Over the whole blocks that `reach` touches.
Ruler place_ruler(const Rect& rect, const ByteRange& reach);
// The bar, with lines at blocks where there is room and addresses below it; with `from` bytes counted from there.
void draw_ruler(const Ruler& ruler, std::optional<std::uint32_t> from = {});
float ruler_height();        // of the bar
float ruler_label_height();  // of the addresses below it

enum class WindowLook { Ghost, Plain, Strong };
// Bytes on the ruler; at least two pixels wide, so that they are seen. Gives where they are.
Rect draw_window(const Ruler& ruler, const ByteRange& place, Color color, WindowLook how);

}  // namespace ts::ui
