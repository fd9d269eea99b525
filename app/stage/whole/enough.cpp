// Measuring a picture: which part of its tiles it shows, and how much of the area it draws on.
#include "app/stage/whole/enough.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/look.h"

namespace ts::ui {
namespace {

// Less of the tiles than this in sight is a keyhole, however well it is filled.
constexpr double kKeyhole = 0.15;
// And where something is cut off, no more than a third stays blank.
constexpr double kLeastUsed = 2.0 / 3;
// Tiles of so few elements teach best by their family's picture, also where most of it is beside the pane.
constexpr std::uint32_t kSmall = 512, kSmallSide = 64;
// So many where the family's picture says more than where elements come from: sums that meet, numbers that are rounded, keys
// that are compared, windows that are fetched.
constexpr std::uint32_t kExplained = 4096;

bool explains(Drawing drawing) {
  switch (drawing) {
    case Drawing::Interleave:
    case Drawing::Gather:
    case Drawing::Scatter:
    case Drawing::Reduce:
    case Drawing::Sort:
    case Drawing::Product:
    case Drawing::Quantise:
    case Drawing::Table: return true;
    default: return false;
  }
}

bool none_above(const StageStep& step, std::uint32_t most, std::uint32_t side) {
  return std::ranges::all_of(step.operands, [&](const StageOperand& one) {
    if (one.picture == nullptr) return true;
    const Elements& elements = one.picture->elements;
    return elements.rows * elements.cols <= most && std::max(elements.rows, elements.cols) <= side;
  });
}

bool is_enough(const StageStep& step, const Measured& measured, double used) {
  if (measured.shown >= 1) return true;
  // One window says how all of them are taken.
  if (step.bound.row->draw == Drawing::Windows) return true;
  if (used < kLeastUsed) return false;
  if (none_above(step, kSmall, kSmallSide)) return true;
  if (explains(step.bound.row->draw) && none_above(step, kExplained, kExplained)) return true;
  return measured.shown > kKeyhole;
}

}  // namespace

double share_drawn_on(const ImDrawList& list, int first_index, const Rect& area) {
  constexpr int kBins = 24;
  std::array<bool, std::size_t{kBins} * kBins> used{};
  const auto bin = [&](float at, float from, float length) {
    return std::clamp(static_cast<int>((at - from) / std::max(length, 1.0f) * kBins), 0, kBins - 1);
  };
  std::size_t command = 0;
  int command_end = list.CmdBuffer.empty() ? 0 : static_cast<int>(list.CmdBuffer[0].ElemCount);
  for (int i = 0; i + 2 < list.IdxBuffer.Size; i += 3) {
    while (i >= command_end && command + 1 < static_cast<std::size_t>(list.CmdBuffer.Size))
      command_end += static_cast<int>(list.CmdBuffer[static_cast<int>(++command)].ElemCount);
    if (i < first_index) continue;
    const int offset = static_cast<int>(list.CmdBuffer[static_cast<int>(command)].VtxOffset);
    ImVec2 low{1e9f, 1e9f}, high{-1e9f, -1e9f};
    for (int k = 0; k < 3; ++k) {
      const ImVec2 at = list.VtxBuffer[offset + list.IdxBuffer[i + k]].pos;
      low = {std::min(low.x, at.x), std::min(low.y, at.y)};
      high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    if (high.x < area.min.x || high.y < area.min.y || low.x > area.max.x || low.y > area.max.y) continue;
    for (int y = bin(low.y, area.min.y, area.height()); y <= bin(high.y, area.min.y, area.height()); ++y)
      for (int x = bin(low.x, area.min.x, area.width()); x <= bin(high.x, area.min.x, area.width()); ++x)
        used[static_cast<std::size_t>(y * kBins + x)] = true;
  }
  return static_cast<double>(std::ranges::count(used, true)) / (kBins * kBins);
}

bool shows_enough(StageStep& step, const Rect& area, DrawStep family, std::optional<EnoughAt>& kept) {
  const ImVec2 size{area.width(), area.height()};
  if (kept && kept->size.x == size.x && kept->size.y == size.y && kept->scale == look().scale &&
      kept->made == step.made && kept->slices == step.memory.slices)
    return kept->enough;
  StageMemory& memory = step.memory;
  memory.measured = Measured{.shown = 1, .answered = true};
  ImDrawList& list = canvas();
  const int first_index = list.IdxBuffer.Size;
  // Nothing of it is seen: the part of the screen that may be drawn on is empty.
  ImGui::PushClipRect(area.min, area.min, false);
  ImGui::PushID("measured");
  family(step, area);
  ImGui::PopID();
  ImGui::PopClipRect();
  const Measured measured = *memory.measured;
  memory.measured.reset();
  const double used = share_drawn_on(list, first_index, area);
  const bool enough = is_enough(step, measured, used);
  // What is still being found out was not drawn yet.
  if (measured.answered) kept = EnoughAt{size, look().scale, step.made, enough, memory.slices};
  return enough;
}

}  // namespace ts::ui
