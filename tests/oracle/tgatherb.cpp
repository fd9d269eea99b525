// TGATHERB: over dst's valid region, by elements dst[r][c] = the element at src + offset[r][c]; by blocks the 32 bytes
// number b of a row = the 32 bytes at src + offset[r][b]. The instruction's attribute decides which of the two, else the
// option tgatherb.granularity, else whether there are as many offsets in a row as elements.
// By blocks two targets store more: A5, when its rows hold more registers than there are rows, to the end of the last
// four bytes that a row begins; A2A3, with quirks.tgatherb on, eight whole blocks at the end of each row.
#include <map>
#include <tuple>

#include "tests/oracle/effects.h"

namespace ts::oracle {
namespace {

constexpr std::uint32_t kBlock = 32, kBlocksAStep = 8, kRegister = 256, kMostRepeats = 255;

class Gather {
 public:
  Gather(const Bound& bound, const Before& before) : bound_(bound), before_(before) {}

  Effects by_elements() {
    for (std::uint32_t row = 0; row < dst_.valid_rows; ++row)
      for (std::uint32_t col = 0; col < dst_.valid_cols; ++col)
        put(place(row, col), element_place(offsets_, row, col), 0);
    return effects();
  }

  Effects by_blocks() {
    const std::uint32_t cols = dst_.valid_cols + granule_rest();
    for (std::uint32_t row = 0; row < dst_.valid_rows && dst_.valid_cols > 0; ++row)
      for (std::uint32_t col = 0; col < cols; ++col)
        put(place(row, col), element_place(offsets_, row, col * size_ / kBlock), col * size_ % kBlock);
    return effects();
  }

  // First the whole registers of all rows; then each row's rest as eight whole blocks, where the offsets of up to 255
  // rows are taken as if they stood one behind the other. The next row, and what is behind the tile, is written over.
  Effects by_repeats() {
    const std::uint32_t whole = dst_.valid_cols / lanes_, rest = dst_.valid_cols % lanes_;
    for (std::uint32_t row = 0; row < dst_.valid_rows; ++row)
      for (std::uint32_t step = 0; step < whole; ++step) eight_blocks(row, step, offset_address(row, step));
    for (std::uint32_t row = 0; row < dst_.valid_rows && rest > 0; ++row) {
      const std::uint32_t first = row / kMostRepeats * kMostRepeats;
      eight_blocks(row, whole, offset_address(first, whole) + (row - first) * kBlocksAStep * 4);
    }
    return effects();
  }

 private:
  ByteRange place(std::uint32_t row, std::uint32_t col) const { return element_place(dst_, row, col); }
  std::uint32_t offset_address(std::uint32_t row, std::uint32_t step) const {
    return element_place(offsets_, row, 0).address + step * kBlocksAStep * 4;
  }

  // Elements behind a row's last valid one that a store by 4-byte lanes takes along.
  std::uint32_t granule_rest() const {
    const bool along_rows = (dst_.type.cols + lanes_ - 1) / lanes_ > dst_.type.rows;
    if (bound_.target != Target::A5 || !along_rows) return 0;
    return (4 - dst_.valid_cols * size_ % 4) % 4 / size_;
  }

  void eight_blocks(std::uint32_t row, std::uint32_t step, std::uint32_t offsets_at) {
    const std::uint32_t to = place(row, 0).address + step * kRegister;
    for (std::uint32_t byte = 0; byte < kRegister; byte += size_)
      put({Space::Ub, to + byte, size_}, {Space::Ub, offsets_at + byte / kBlock * 4, 4}, byte % kBlock);
  }

  // The element at `to` = the one at src + offset + `further`; the last one put somewhere stays.
  void put(const ByteRange& to, const ByteRange& offset, std::uint32_t further) {
    const auto away = static_cast<std::uint32_t>(before_.read(offset)) + further;
    Origin value{Origin::Kind::Element, "src", 0, 0, {Space::Ub, src_.address + away, size_}, 0};
    if (size_bytes(src_.type.dtype) == size_ && away < src_.range().size)
      std::tie(value.row, value.col) = element_at(src_.type, away / size_);
    Origin decider{Origin::Kind::Decider, "offsets", 0, 0, offset, 0};
    if (offset.address - offsets_.address < offsets_.range().size)
      std::tie(decider.row, decider.col) = element_at(offsets_.type, (offset.address - offsets_.address) / 4);
    Element element{.place = to, .bits = before_.read(value.place), .operand = "", .from = {}};
    if (to.address - dst_.address < dst_.range().size) {
      element.operand = "dst";
      std::tie(element.row, element.col) = element_at(dst_.type, (to.address - dst_.address) / size_);
    }
    element.made_of(value);
    element.made_of(decider);
    written_[to.address] = element;
  }

  Effects effects() const {
    Effects effects;
    for (const auto& [address, element] : written_) effects.written.push_back(element);
    return effects;
  }

  const Bound& bound_;
  const Before& before_;
  const TileRef &dst_ = bound_.tile("dst"), &src_ = bound_.tile("src"), &offsets_ = bound_.tile("offsets");
  const std::uint32_t size_ = size_bytes(dst_.type.dtype), lanes_ = kRegister / size_;
  std::map<std::uint32_t, Element> written_;
};

bool goes_by_elements(const Bound& bound) {
  std::uint8_t chosen = bound.attribute("granularity");
  if (chosen == 0) chosen = bound.options->tgatherb_granularity;
  return chosen == 0 ? bound.tile("offsets").valid_cols == bound.tile("dst").valid_cols : chosen == 1;
}

Effects tgatherb(const Bound& bound, const Before& before) {
  Gather gather(bound, before);
  if (goes_by_elements(bound)) return gather.by_elements();
  const bool tail = bound.tile("dst").valid_cols * size_bytes(bound.tile("dst").type.dtype) % 256 != 0;
  return bound.target == Target::A2A3 && bound.options->quirk_tgatherb && tail ? gather.by_repeats()
                                                                               : gather.by_blocks();
}

const Oracles tgatherb_oracles{{"tgatherb", tgatherb}};

}  // namespace
}  // namespace ts::oracle
