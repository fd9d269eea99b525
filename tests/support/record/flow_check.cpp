// Comparing data flow with the oracle's origins.
#include "tests/support/record/flow_check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace ts::test {
namespace {

constexpr std::uint32_t kSample = 64;

// Whose steps choose by what they compare: oracles list what a result depends on, not by which way.
bool chooses(const Bound& bound) {
  constexpr std::string_view kNames[] = {"trem",       "trems",      "tpow",       "tpows",
                                         "trowargmax", "trowargmin", "tcolargmax", "tcolargmin"};
  return std::ranges::find(kNames, std::string_view(bound.row->name)) != std::end(kNames);
}

// A source without its value: kind, decided, operand, address, size, bit.
using SourceKey = std::tuple<Source::Kind, bool, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

std::string text_of(const std::vector<SourceKey>& keys) {
  std::string text;
  for (const auto& [kind, decided, operand, address, size, bit] : keys)
    text += fmt::format("[kind {}{} operand {} at 0x{:x}+{} bit {}]", static_cast<int>(kind), decided ? " decided" : "",
                        static_cast<int>(operand), address, size, bit);
  return text;
}

bool inside(const ByteRange& outer, const ByteRange& inner) {
  return outer.space == inner.space && inner.address >= outer.address &&
         inner.address + inner.size <= outer.address + outer.size;
}

class FlowCheck {
 public:
  FlowCheck(const Flow& flow, const Bound& bound, const MemoryMap& map, const oracle::Before& before,
            const std::vector<Definedness>& defined)
      : flow_(flow), bound_(bound), map_(map), before_(before), defined_(defined) {}

  bool element(const oracle::Element& element) const {
    std::vector<SourceKey> expected, got;
    for (const oracle::Origin& origin : element.from) add_keys(origin, expected);
    std::string wrong;
    for (const Source& source : flow_.sources_of_bytes(element.place)) {
      got.push_back(key_of(source));
      if (wrong.empty()) wrong = complaint(source, element);
    }
    if (chooses(bound_))
      for (auto* keys : {&expected, &got})
        for (SourceKey& key : *keys) std::get<bool>(key) = false;
    std::ranges::sort(expected);
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    std::ranges::sort(got);
    got.erase(std::unique(got.begin(), got.end()), got.end());
    if (!flow_.wrote(element.place) && wrong.empty()) wrong = "not reported as written";
    if (expected == got && wrong.empty()) return true;
    FAIL_CHECK(fmt::format("sources of {} [{}, {}] at {} 0x{:x}: expected {}, got {}; {}", element.operand, element.row,
                           element.col, name(element.place.space), element.place.address, text_of(expected),
                           text_of(got), wrong));
    return false;
  }

 private:
  void add_keys(const oracle::Origin& origin, std::vector<SourceKey>& keys) const {
    switch (origin.kind) {
      case oracle::Origin::Kind::Element:
      case oracle::Origin::Kind::Decider:
        for (std::uint32_t at = origin.place.address; at < origin.place.address + origin.place.size; ++at)
          keys.push_back(key_of_byte(origin.kind == oracle::Origin::Kind::Decider,
                                     {origin.place.space, at, 1, origin.place.part}));
        return;
      case oracle::Origin::Kind::MaskBit:
        keys.push_back({Source::Kind::MaskBit, true, operand_of(origin.place), origin.place.address, 1, origin.bit});
        return;
      case oracle::Origin::Kind::Scalar:
      case oracle::Origin::Kind::ScalarDecider:
        keys.push_back({Source::Kind::Scalar, origin.kind == oracle::Origin::Kind::ScalarDecider,
                        static_cast<std::uint32_t>(bound_.find(origin.operand) - bound_.operands.data()), 0, 0, 0});
    }
  }
  // A byte is shown as the element it is part of, in the type of the operand it stands in; else for itself.
  SourceKey key_of_byte(bool decided, const ByteRange& byte) const {
    const std::uint32_t index = operand_of(byte);
    if (index == ~0u) return {Source::Kind::Bytes, decided, index, byte.address, 1, 0};
    if (byte.part != BytePart::Whole) return {Source::Kind::Element, decided, index, byte.address, 1, part_bit(byte)};
    const Operand& operand = bound_.operands[index];
    const bool tile = operand.spec->kind == OperandKind::Tile;
    const std::uint32_t size = tile ? operand.tile.elem_bytes() : size_bytes(operand.global.dtype);
    const std::uint32_t begin = tile ? operand.tile.address : operand.global.buffer_begin;
    return {Source::Kind::Element, decided, index, begin + (byte.address - begin) / size * size, size, 0};
  }
  static SourceKey key_of(const Source& source) {
    const bool scalar = source.kind == Source::Kind::Scalar;
    return {source.kind,
            source.decided,
            static_cast<std::uint32_t>(source.operand),
            scalar ? 0 : source.place.address,
            scalar ? 0 : source.place.size,
            source.bit + part_bit(source.place)};
  }

  // Halves of bytes beside the numbers of bits.
  static std::uint32_t part_bit(const ByteRange& place) { return 8 * static_cast<std::uint32_t>(place.part); }

  // The operand that bytes are attributed to: inputs before results.
  std::uint32_t operand_of(const ByteRange& place) const {
    for (const bool results : {false, true}) {
      for (std::uint32_t i = 0; i < bound_.operands.size(); ++i) {
        const Operand& operand = bound_.operands[i];
        if ((operand.spec->role == Role::Out) != results) continue;
        if (operand.spec->kind == OperandKind::Tile && inside(operand.tile.range(), place)) return i;
        if (operand.spec->kind == OperandKind::Global &&
            inside({Space::Gm, operand.global.buffer_begin, operand.global.buffer_end - operand.global.buffer_begin},
                   place))
          return i;
      }
    }
    return ~0u;
  }

  Definedness worst_of(const ByteRange& place) const {
    Definedness worst = Definedness::Written;
    for (std::uint32_t i = 0; i < place.size; ++i) {
      const Definedness what = defined_[map_.flat(place) + i];
      if (what == Definedness::Never) return what;
      if (what == Definedness::Unspecified) worst = what;
    }
    return worst;
  }

  // What is wrong with a source beyond its place: its bits, its definedness, its row and column.
  std::string complaint(const Source& source, const oracle::Element& element) const {
    if (source.kind == Source::Kind::Scalar) {
      const bool same = source.bits == bound_.operands[static_cast<std::size_t>(source.operand)].scalar.bits;
      return same ? "" : "a scalar source shows other bits";
    }
    const std::uint64_t bits = before_.read(source.place);
    if (source.bits != (source.kind == Source::Kind::MaskBit ? bits >> source.bit & 1 : bits))
      return "a source shows other bits";
    if (source.definedness != worst_of(source.place)) return "a source shows another definedness";
    if (source.operand < 0) return "";
    for (const oracle::Origin& origin : element.from) {
      if (origin.place != source.place || origin.bit != source.bit) continue;
      const OperandSpec& spec = *bound_.operands[static_cast<std::size_t>(source.operand)].spec;
      // Two operands in one place: the source is shown as the first of them, whose pitch may differ.
      if (std::string_view(origin.operand) == spec.name && (source.row != origin.row || source.col != origin.col))
        return fmt::format("a source in {} shows element [{}, {}], not [{}, {}]", spec.name, source.row, source.col,
                           origin.row, origin.col);
    }
    return "";
  }

  const Flow& flow_;
  const Bound& bound_;
  const MemoryMap& map_;
  const oracle::Before& before_;
  const std::vector<Definedness>& defined_;
};

// No byte of [begin, begin + size) outside the sorted, claimed ranges may be reported as written.
void check_unclaimed(const Flow& flow, const std::vector<ByteRange>& claimed, const MemoryMap& map, Space space,
                     std::uint32_t begin, std::uint32_t size) {
  const std::uint32_t end = std::min(begin + size, map.size(space));
  auto next = std::ranges::lower_bound(claimed, std::pair{space, begin}, {}, [](const ByteRange& r) {
    return std::pair{r.space, r.address + r.size - 1};
  });
  for (std::uint32_t at = begin; at < end; ++next) {
    const bool more = next != claimed.end() && next->space == space;
    const std::uint32_t to = more ? std::clamp(next->address, at, end) : end;
    if (to != at && flow.wrote({space, at, to - at})) {
      while (!flow.wrote({space, at, 1})) ++at;
      FAIL_CHECK(fmt::format("{} 0x{:x} is reported as written", name(space), at));
      return;
    }
    if (!more) return;
    at = std::max(to, next->address + next->size);
  }
}

}  // namespace

void check_flow(const Flow& flow, const Bound& bound, const MemoryMap& map, const oracle::Before& before,
                const std::vector<Definedness>& defined, const oracle::Effects& effects, Random& random) {
  const FlowCheck check(flow, bound, map, before, defined);
  const auto count = static_cast<std::uint32_t>(effects.written.size());
  for (std::uint32_t i = 0; i < std::min(count, kSample); ++i)
    if (!check.element(effects.written[count <= kSample ? i : i == 0 ? 0 : i == 1 ? count - 1 : random.below(count)]))
      break;
  if (count != 0) {
    // The row and column addressing of Flow::sources finds the same bytes, where they are an element of the operand.
    const oracle::Element& element = effects.written[random.below(count)];
    const Operand* operand = bound.find(element.operand);
    if (operand != nullptr && operand->spec->kind == OperandKind::Tile &&
        operand->tile.elem_bytes() == element.place.size)
      CHECK((flow.sources(static_cast<int>(operand - bound.operands.data()), element.row, element.col) ==
             flow.sources_of_bytes(element.place)));
  }
  for (const auto* places : {&effects.unspecified, &effects.kept}) {
    if (places->empty()) continue;
    const ByteRange& place = (*places)[random.below(static_cast<std::uint32_t>(places->size()))];
    const std::vector<Source> sources = flow.sources_of_bytes(place);
    CHECK_MESSAGE(std::ranges::any_of(sources,
                                      [](const Source& source) {
                                        return source.kind == Source::Kind::Unspecified && !source.why.empty();
                                      }),
                  std::string(name(place.space)) << " " << place.address << " does not say that it is unspecified");
  }
  // Everything else stands for itself: around the operands, and here and there.
  std::vector<ByteRange> claimed = effects.unspecified;
  claimed.insert(claimed.end(), effects.kept.begin(), effects.kept.end());
  for (const oracle::Element& element : effects.written) claimed.push_back(element.place);
  std::ranges::sort(claimed, {}, [](const ByteRange& range) { return std::pair{range.space, range.address}; });
  for (const Operand& operand : bound.operands) {
    if (operand.spec->kind == OperandKind::Scalar) continue;
    const ByteRange range = operand.spec->kind == OperandKind::Tile
                                ? operand.tile.range()
                                : ByteRange{Space::Gm, operand.global.buffer_begin,
                                            operand.global.buffer_end - operand.global.buffer_begin};
    const std::uint32_t from = range.address > 512 ? range.address - 512 : 0;
    check_unclaimed(flow, claimed, map, range.space, from, range.address - from + range.size + 512);
  }
  for (int i = 0; i < 8; ++i) check_unclaimed(flow, claimed, map, Space::Ub, random.below(map.size(Space::Ub)), 256);
}

}  // namespace ts::test
