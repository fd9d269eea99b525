// The colours.
#include "core/data/palette.h"

#include <algorithm>
#include <array>

namespace ts::data {
namespace {

// Data colours: Okabe and Ito's palette, which stays apart for the common kinds of colour vision. On the light palette
// the same hues, darkened where a thin line has to be seen on white; for high contrast lightened, on black.
const std::array<Palette, 3>& all() {
  static const std::array<Palette, 3> kPalettes = {{
      {.name = "dark",
       .dark = true,
       .window = rgb(0x0F1216),
       .pane = rgb(0x171B21),
       .raised = rgb(0x1F252D),
       .hovered = rgb(0x2A323C),
       .pressed = rgb(0x303A46),
       .line = rgb(0x2C343F),
       .text = rgb(0xE4E8EE),
       .text_quiet = rgb(0x98A3B1),
       .accent = rgb(0x4FA3E0),
       .accent_text = rgb(0x0B0E12),
       .cell = rgb(0x1B2027),
       .grid = rgb(0x2B333D),
       .src0 = rgb(0x2F8FD0),
       .src1 = rgb(0xE69F00),
       .mask = rgb(0xCC79A7),
       .scratch = rgb(0x999999),
       .written = rgb(0x12B886),
       .read = rgb(0x56B4E9),
       .finding = rgb(0xF0692A),
       .difference = rgb(0xF0E442),
       .select = rgb(0xFFFFFF),
       .heat_zero = rgb(0xE8EAED),
       .good = rgb(0x12B886),
       .page_grid = rgb(0x3A444F),
       .hatch = rgb(0x707A86)},
      {.name = "light",
       .dark = false,
       .window = rgb(0xE3E6EA),
       .pane = rgb(0xFBFCFD),
       .raised = rgb(0xEFF1F4),
       .hovered = rgb(0xE1E6EC),
       .pressed = rgb(0xD4DBE4),
       .line = rgb(0xD3D9E0),
       .text = rgb(0x1A2028),
       .text_quiet = rgb(0x56616E),
       .accent = rgb(0x0066A8),
       .accent_text = rgb(0xFFFFFF),
       .cell = rgb(0xFFFFFF),
       .grid = rgb(0xDDE2E8),
       .src0 = rgb(0x0072B2),
       .src1 = rgb(0xAD7700),
       .mask = rgb(0xA8527F),
       .scratch = rgb(0x6E6E6E),
       .written = rgb(0x007652),
       .read = rgb(0x2A86BD),
       .finding = rgb(0xB04300),
       .difference = rgb(0x8C7F00),
       .select = rgb(0x000000),
       .heat_zero = rgb(0xF4F5F6),
       .good = rgb(0x007652),
       .page_grid = rgb(0xC9D0D8),
       .hatch = rgb(0x8A94A0)},
      {.name = "contrast",
       .dark = true,
       .window = rgb(0x000000),
       .pane = rgb(0x000000),
       .raised = rgb(0x141414),
       .hovered = rgb(0x2E2E2E),
       .pressed = rgb(0x3C3C3C),
       .line = rgb(0x9A9A9A),
       .text = rgb(0xFFFFFF),
       .text_quiet = rgb(0xD8D8D8),
       .accent = rgb(0x5CC4FF),
       .accent_text = rgb(0x000000),
       .cell = rgb(0x000000),
       .grid = rgb(0x707070),
       .src0 = rgb(0x3DB5FF),
       .src1 = rgb(0xFFB71A),
       .mask = rgb(0xF59FCD),
       .scratch = rgb(0xC4C4C4),
       .written = rgb(0x2EE6B0),
       .read = rgb(0x8FD3FF),
       .finding = rgb(0xFF8533),
       .difference = rgb(0xFFF04D),
       .select = rgb(0xFFFFFF),
       .heat_zero = rgb(0xFFFFFF),
       .good = rgb(0x2EE6B0),
       .page_grid = rgb(0x9A9A9A),
       .hatch = rgb(0xC4C4C4)},
  }};
  return kPalettes;
}

constexpr PaletteColor kColors[] = {
    {"window", &Palette::window, "between panes"},
    {"pane", &Palette::pane, "behind a pane's contents"},
    {"raised", &Palette::raised, "bars, headers, fields"},
    {"hovered", &Palette::hovered, "under the mouse"},
    {"pressed", &Palette::pressed, "while it is pressed"},
    {"line", &Palette::line, "borders and rules, quiet"},
    {"text", &Palette::text, "sentences"},
    {"text_quiet", &Palette::text_quiet, "what is said beside them"},
    {"accent", &Palette::accent, "what is active: the tab, the current step"},
    {"accent_text", &Palette::accent_text, "on accent"},
    {"cell", &Palette::cell, "behind values"},
    {"grid", &Palette::grid, "between cells"},
    {"src0", &Palette::src0, "the first source"},
    {"src1", &Palette::src1, "the second source"},
    {"mask", &Palette::mask, "masks, offsets, indices"},
    {"scratch", &Palette::scratch, "scratch operands"},
    {"written", &Palette::written, "written in this step"},
    {"read", &Palette::read, "read in this step"},
    {"finding", &Palette::finding, "what is wrong"},
    {"difference", &Palette::difference, "what differs"},
    {"select", &Palette::select, "the ring around the selection"},
    {"heat_zero", &Palette::heat_zero, "the signed heat scale's middle"},
    {"good", &Palette::good, "what is right"},
    {"page_grid", &Palette::page_grid, "between cells on pages and paper"},
    {"hatch", &Palette::hatch, "lines of hatches on pages"},
};

}  // namespace

std::span<const PaletteColor> palette_colors() { return kColors; }

std::span<const Palette> palettes() { return all(); }

const Palette& palette(std::string_view name) { return *std::ranges::find(all(), name, &Palette::name); }

}  // namespace ts::data
