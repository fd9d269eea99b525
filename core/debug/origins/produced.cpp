// Looking for NaN and infinities in what steps wrote.
#include "core/debug/origins/produced.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>

#include "core/isa/element.h"
#include "core/record/operand_place.h"
#include "core/record/tag_fold.h"

namespace ts {
namespace {

bool is_wanted(Specials wanted, DType type, std::uint64_t bits) {
  if (!is_float(type)) return false;
  const FloatFormat& format = element_format(type).fields;
  return (wanted.nan && is_nan(format, bits)) || (wanted.inf && is_infinite(format, bits));
}

bool is_float_result(const Operand& operand) {
  return operand.spec->role == Role::Out && operand.spec->kind != OperandKind::Scalar &&
         is_float(element_type(operand));
}

bool is_valid(const Operand& operand, const Cell& cell) {
  return operand.spec->kind != OperandKind::Tile ||
         (cell.row < operand.tile.valid_rows && cell.col < operand.tile.valid_cols);
}

std::uint64_t element_bits(std::span<const std::byte> bytes, std::size_t at, std::uint32_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + at, size);
  return bits;
}

// Whether one of the elements has the exponent that NaN and infinities have. In blocks, so that the compiler can take
// many elements at once.
template <class Bits>
bool has_exponent(std::span<const std::byte> bytes, Bits exponent) {
  constexpr std::size_t kBlock = 256 / sizeof(Bits);
  for (std::size_t at = 0; at < bytes.size(); at += kBlock * sizeof(Bits)) {
    Bits block[kBlock] = {};
    std::memcpy(block, bytes.data() + at, std::min(sizeof block, bytes.size() - at));
    unsigned found = 0;
    for (const Bits bits : block) found |= static_cast<unsigned>((bits & exponent) == exponent);
    if (found != 0) return true;
  }
  return false;
}

bool may_hold_specials(std::span<const std::byte> bytes, DType type) {
  if (size_bytes(type) == 1) return true;  // as many as there are to look at
  const std::uint64_t exponent = element_format(type).fields.exponent_mask();
  return size_bytes(type) == 2 ? has_exponent(bytes, static_cast<std::uint16_t>(exponent))
                               : has_exponent(bytes, static_cast<std::uint32_t>(exponent));
}

// The elements of a result that the step wrote and that are wanted.
class ResultScan {
 public:
  ResultScan(const Recording& recording, Inspector& inspector, std::uint32_t step, int number, Specials wanted)
      : recording_(recording),
        inspector_(inspector),
        step_(step),
        number_(number),
        operand_(recording.bound(step).operands[static_cast<std::size_t>(number)]),
        type_(element_type(operand_)),
        size_(size_bytes(type_)),
        wanted_(wanted) {
    const ByteRange all = bytes_of(operand_);
    first_ = recording.map().flat(all);
    last_ = first_ + all.size;
  }

  // By address.
  std::vector<Cell> cells() {
    for (const WritePattern& pattern : recording_.writes(step_)) look_at(pattern);
    std::erase_if(cells_, [&](const Cell& cell) { return !is_valid(operand_, cell); });
    std::ranges::sort(cells_, {}, [](const Cell& cell) { return cell.place.address; });
    return std::move(cells_);
  }

 private:
  // Runs that are close are read at once.
  void look_at(const WritePattern& pattern) {
    const bool close = pattern.stride <= 4 * pattern.size;
    if (close && !read(pattern.base, pattern.base + (pattern.count - 1) * pattern.stride + pattern.size)) return;
    for_runs(pattern, [&](Flat base, std::uint32_t count) {
      if (close || read(base, base + count)) list(base, base + count);
    });
  }
  // Whole elements of the operand.
  Flat begin_of(Flat begin) const { return first_ + (std::max(begin, first_) - first_) / size_ * size_; }
  Flat end_of(Flat end) const { return std::min(first_ + (end - first_ + size_ - 1) / size_ * size_, last_); }
  // False: there is none.
  bool read(Flat begin, Flat end) {
    if (end <= first_ || begin >= last_) return false;
    read_from_ = begin_of(begin);
    bytes_.resize(end_of(end) - read_from_);
    inspector_.peek_unedited(step_ + 1, recording_.map().locate(read_from_, static_cast<std::uint32_t>(bytes_.size())),
                             bytes_);
    return may_hold_specials(bytes_, type_);
  }
  void list(Flat begin, Flat end) {
    if (end <= first_ || begin >= last_) return;
    const ByteRange all = bytes_of(operand_);
    for (Flat at = begin_of(begin); at < end_of(end); at += size_) {
      if (!is_wanted(wanted_, type_, element_bits(bytes_, at - read_from_, size_))) continue;
      const auto [row, col, place] = element_of(operand_, all.address + (at - first_));
      cells_.push_back({number_, row, col, place});
    }
  }

  const Recording& recording_;
  Inspector& inspector_;
  std::uint32_t step_;
  int number_;
  const Operand& operand_;
  DType type_;
  std::uint32_t size_;
  Specials wanted_;
  Flat first_ = 0, last_ = 0;  // the operand's bytes
  Flat read_from_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<Cell> cells_;
};

std::vector<Cell> special_cells(const Recording& recording, Inspector& inspector, std::uint32_t step,
                                std::size_t number, Specials wanted) {
  if (!is_float_result(recording.bound(step).operands[number])) return {};
  return ResultScan(recording, inspector, step, static_cast<int>(number), wanted).cells();
}

// Whether a value has a part that holds what is looked for, and that was not brought in from outside by this very step.
struct HandedOn {
  const Recording& recording;
  const Flow& flow;
  std::uint32_t step;
  Specials wanted;
  const MadeByStep& made;
  mutable std::map<Flat, bool> global = {};  // answers of `made`, by the element's first byte

  bool leaf(Tag tag) const {
    if (!is_byte_tag(tag)) return false;
    const Source source = flow.source_of(tag, false);
    if (source.kind != Source::Kind::Element) return false;
    const Operand& operand = recording.bound(step).operands[static_cast<std::size_t>(source.operand)];
    if (!is_wanted(wanted, element_type(operand), source.bits)) return false;
    if (operand.spec->kind != OperandKind::Global) return true;
    const auto [known, is_new] = global.try_emplace(recording.map().flat(Space::Gm, source.place.address));
    if (is_new) known->second = made(source.place, step);
    return known->second;
  }
  static bool joined(bool a, bool b) { return a || b; }
  // What only chose a value hands nothing on.
  static bool node(NodeKind kind, bool a, bool b) { return kind == NodeKind::Chosen ? a : a || b; }
};

}  // namespace

bool wrote_specials(const Recording& recording, Inspector& inspector, std::uint32_t step, Specials wanted) {
  for (std::size_t i = 0; i < recording.bound(step).operands.size(); ++i)
    if (!special_cells(recording, inspector, step, i, wanted).empty()) return true;
  return false;
}

bool made_by_step(const DataFlow& flow, ByteRange place, std::uint32_t step) {
  const std::vector<Made> makers = flow.makers(place, step);
  return std::ranges::any_of(makers, [](const Made& part) { return part.maker == Maker::Step; });
}

std::optional<Cell> first_special(const Recording& recording, Inspector& inspector, std::uint32_t step, Specials wanted,
                                  const MadeByStep& made) {
  for (std::size_t i = 0; i < recording.bound(step).operands.size(); ++i) {
    const std::vector<Cell> cells = special_cells(recording, inspector, step, i, wanted);
    if (cells.empty()) continue;
    const Flow flow = inspector.flow(step);
    const HandedOn rule{recording, flow, step, wanted, made};
    const TagFold<bool, HandedOn> handed_on(flow.tags().arena, rule);
    for (const Cell& cell : cells) {
      const Flat begin = recording.map().flat(cell.place);
      bool any = false;
      for (Flat at = begin; at < begin + cell.place.size; ++at) any = any || handed_on.of(flow.tags().tag(at));
      if (!any) return cell;
    }
  }
  return {};
}

}  // namespace ts
