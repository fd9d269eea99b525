// Counting colours, and cutting their cube in the middle.
#include "core/data/film/gif_colors.h"

#include <algorithm>
#include <unordered_map>

namespace ts::data {
namespace {

constexpr std::size_t kMostColors = 255;  // one number is for what did not change
constexpr std::uint32_t kCells = 1u << 15;

std::uint32_t whole(const Rgb& one) { return std::uint32_t{one[0]} << 16 | std::uint32_t{one[1]} << 8 | one[2]; }
// Five bits of each.
std::uint32_t cell_of(const Rgb& one) {
  return std::uint32_t{one[0]} >> 3 << 10 | std::uint32_t{one[1]} >> 3 << 5 | std::uint32_t{one[2]} >> 3;
}

// False: there are too many.
bool exact_colors(std::span<const Rgb> pixels, FewColors& out) {
  std::unordered_map<std::uint32_t, std::uint8_t> numbers;
  std::uint32_t last = ~0u;
  std::uint8_t number = 0;
  for (const Rgb& one : pixels) {
    if (whole(one) != last) {
      const auto [known, is_new] = numbers.try_emplace(whole(one), static_cast<std::uint8_t>(out.colors.size()));
      if (is_new) {
        if (out.colors.size() == kMostColors) return false;
        out.colors.push_back(one);
      }
      last = whole(one);
      number = known->second;
    }
    out.pixels.push_back(number);
  }
  return true;
}

struct CountedCell {
  std::array<std::uint64_t, 3> sum{};
  std::uint64_t count = 0;
  std::uint32_t cell = 0;
  double mean(std::size_t channel) const { return static_cast<double>(sum[channel]) / static_cast<double>(count); }
};

struct ColorBox {
  std::size_t begin, end;  // of the cells
  std::size_t widest = 0;
  double worth = 0;  // of cutting it
};

ColorBox box_of(const std::vector<CountedCell>& cells, std::size_t begin, std::size_t end) {
  ColorBox box{begin, end};
  std::uint64_t count = 0;
  for (std::size_t i = begin; i < end; ++i) count += cells[i].count;
  double extent = 0;
  for (std::size_t channel = 0; channel < 3; ++channel) {
    double low = 255, high = 0;
    for (std::size_t i = begin; i < end; ++i) {
      low = std::min(low, cells[i].mean(channel));
      high = std::max(high, cells[i].mean(channel));
    }
    if (high - low > extent) {
      extent = high - low;
      box.widest = channel;
    }
  }
  box.worth = end - begin < 2 ? 0 : extent * extent * static_cast<double>(count);
  return box;
}

// In the middle of its pixels.
std::size_t cut_at(std::vector<CountedCell>& cells, const ColorBox& box) {
  const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(box.begin),
             end = cells.begin() + static_cast<std::ptrdiff_t>(box.end);
  std::sort(begin, end, [&](const CountedCell& a, const CountedCell& b) {
    return std::pair(a.mean(box.widest), a.cell) < std::pair(b.mean(box.widest), b.cell);
  });
  std::uint64_t all = 0, before = 0;
  for (std::size_t i = box.begin; i < box.end; ++i) all += cells[i].count;
  std::size_t at = box.begin;
  while (at + 2 < box.end && (before + cells[at].count) * 2 <= all) before += cells[at++].count;
  return at + 1;
}

}  // namespace

FewColors few_colors(std::span<const Rgb> pixels) {
  FewColors few;
  few.pixels.reserve(pixels.size());
  if (exact_colors(pixels, few)) return few;
  few = {};
  std::vector<CountedCell> cells(kCells);
  for (const Rgb& one : pixels) {
    CountedCell& cell = cells[cell_of(one)];
    cell.cell = cell_of(one);
    ++cell.count;
    for (std::size_t channel = 0; channel < 3; ++channel) cell.sum[channel] += one[channel];
  }
  std::erase_if(cells, [](const CountedCell& cell) { return cell.count == 0; });
  std::vector<ColorBox> boxes{box_of(cells, 0, cells.size())};
  while (boxes.size() < kMostColors) {
    const auto largest = std::ranges::max_element(boxes, {}, &ColorBox::worth);
    if (largest->worth <= 0) break;
    const ColorBox box = *largest;
    const std::size_t at = cut_at(cells, box);
    *largest = box_of(cells, box.begin, at);
    boxes.push_back(box_of(cells, at, box.end));
  }
  std::vector<std::uint8_t> number(kCells);
  for (const ColorBox& box : boxes) {
    CountedCell all;
    for (std::size_t i = box.begin; i < box.end; ++i) {
      all.count += cells[i].count;
      for (std::size_t channel = 0; channel < 3; ++channel) all.sum[channel] += cells[i].sum[channel];
      number[cells[i].cell] = static_cast<std::uint8_t>(few.colors.size());
    }
    Rgb color;
    for (std::size_t channel = 0; channel < 3; ++channel)
      color[channel] = static_cast<std::uint8_t>(all.mean(channel) + 0.5);
    few.colors.push_back(color);
  }
  for (const Rgb& one : pixels) few.pixels.push_back(number[cell_of(one)]);
  return few;
}

}  // namespace ts::data
