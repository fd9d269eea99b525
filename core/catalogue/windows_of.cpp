// Numbers of windows.
#include "core/catalogue/windows_of.h"

#include "core/isa/special_registers.h"

namespace ts {

std::uint32_t map_number(const Bound& bound, const char* name, std::uint32_t otherwise) {
  const auto given = bound.has(name) ? static_cast<std::uint32_t>(bound.scalar(name).bits) : 0;
  return given == 0 ? otherwise : given;
}

void read_map_sizes(MapWindows& how, const Bound& bound) {
  how.height = map_number(bound, "fmap_h", how.height);
  how.width = map_number(bound, "fmap_w", how.width);
  how.left = map_number(bound, "pad_left", 0);
  how.right = map_number(bound, "pad_right", 0);
  how.top = map_number(bound, "pad_top", 0);
  how.bottom = map_number(bound, "pad_bottom", 0);
}

bool takes_registers(const Bound& bound) { return bound.attribute("fmatrixMode") >= 2; }
std::uint32_t fmatrix_address(const Bound& bound) {
  return bound.attribute("fmatrixMode") % 2 != 0 ? kFmatrixB : kFmatrix;
}

MapWindows stated_windows(const Bound& bound) {
  MapWindows how = whole_map(bound.tile("src").type).value_or(MapWindows{});
  read_map_sizes(how, bound);
  how.channels = map_number(bound, "channel_size", 0);
  how.filter_height = map_number(bound, "filter_h", 1);
  how.filter_width = map_number(bound, "filter_w", 1);
  how.stride_height = map_number(bound, "stride_h", 1);
  how.stride_width = map_number(bound, "stride_w", 1);
  how.dilation_height = map_number(bound, "dilation_h", 1);
  how.dilation_width = map_number(bound, "dilation_w", 1);
  how.outside = map_number(bound, "pad_value", 0);
  return how;
}

MapWindows windows_of(const Bound& bound, const std::function<std::uint64_t(std::uint32_t address)>& read) {
  MapWindows how = stated_windows(bound);
  if (takes_registers(bound)) {
    const std::uint64_t bits = read(fmatrix_address(bound));
    const auto field = [&](int first, std::uint32_t most) { return static_cast<std::uint32_t>(bits >> first & most); };
    how.width = field(0, 0xFFFF);
    how.height = field(16, 0xFFFF);
    how.left = field(32, 0xFF);
    how.right = field(40, 0xFF);
    how.top = field(48, 0xFF);
    how.bottom = field(56, 0xFF);
    how.outside = read(kImg2colPadding);
  }
  how.outside &= (std::uint64_t{1} << size_bits(bound.tile("src").type.dtype)) - 1;
  return how;
}

}  // namespace ts
