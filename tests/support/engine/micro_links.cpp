// Following bits through the micro-steps of a step.
#include "tests/support/engine/micro_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/debug/origins/source_text.h"

namespace ts::test {
namespace {

using Origin = std::uint64_t;  // 8 * flat address + bit, as of the start of the step
constexpr Origin kMade = ~Origin{0};

// Where each bit came from that has been moved and nothing else.
class Followed {
 public:
  Followed(const Trace& trace, const MemoryMap& map) : map_(map), values_(trace.values.size()) {
    for (const MicroStep& step : trace.steps) take(step);
  }
  Origin of(std::uint64_t flat_bit) const {
    const auto known = memory_.find(flat_bit);
    return known == memory_.end() ? flat_bit : known->second;
  }

 private:
  // A repeat at a time: it has read everything before it writes.
  void take(const MicroStep& step) {
    std::vector<TraceRepeat> starts = {{}};
    starts.insert(starts.end(), step.repeats.begin(), step.repeats.end());
    for (std::size_t part = 0; part < starts.size(); ++part) {
      const bool last = part + 1 == starts.size();
      const auto end = [&](std::uint32_t TraceRepeat::*what, std::size_t all) {
        return last ? static_cast<std::uint32_t>(all) : starts[part + 1].*what;
      };
      const std::uint32_t made_end = end(&TraceRepeat::made, step.made.size()),
                          writes_end = end(&TraceRepeat::writes, step.writes.size());
      for (std::uint32_t k = starts[part].made; k < made_end; ++k) values_[step.made[k]].assign(8 * VL, kMade);
      std::vector<std::pair<std::uint64_t, Origin>> written;
      for (std::uint32_t k = starts[part].writes; k < writes_end; ++k)
        for (std::uint32_t bit = 0; bit < 8 * step.writes[k].size; ++bit)
          written.push_back({flat_bit(step.writes[k], bit), kMade});
      each_bit(step, [&](const TracePlace& from, const TracePlace& to) {
        const auto place = to.memory ? made_end : to.of - step.made.front();  // values have numbers in a row
        if (place >= starts[part].made && place < made_end) values_[to.of][to.bit] = origin(step, from);
        if (to.memory && to.of >= starts[part].writes && to.of < writes_end)
          written.push_back({flat_bit(step.writes[to.of], to.bit), origin(step, from)});
      });
      for (const auto& [at, from] : written) memory_[at] = from;
    }
  }
  template <class F>
  static void each_bit(const MicroStep& step, F f) {
    for (const TraceMove& move : step.moves)
      for_pieces(move, [&](TracePlace from, TracePlace to) {
        for (std::uint32_t k = 0; k < move.bits; ++k, ++from.bit, ++to.bit) f(from, to);
      });
  }
  Origin origin(const MicroStep& step, const TracePlace& from) const {
    if (from.memory) return of(flat_bit(step.reads[from.of], from.bit));
    return values_[from.of].empty() ? kMade : values_[from.of][from.bit];
  }
  std::uint64_t flat_bit(const TraceAccess& access, std::uint32_t bit) const {
    return 8 * std::uint64_t{map_.flat(access.place())} + bit;
  }

  const MemoryMap& map_;
  std::vector<std::vector<Origin>> values_;
  std::unordered_map<std::uint64_t, Origin> memory_;
};

// What the tag machine says of a bit: where it was moved from, or that it was made.
struct Said {
  bool anything = false;         // nobody promises it
  std::vector<Origin> may = {};  // one of these
  bool made = false;             // or this
};

class Teller {
 public:
  explicit Teller(const TagMemory& tags) : tags_(tags) {}

  Said bit(Flat at, std::uint32_t bit, bool bits_are_computed) const {
    const Tag tag = tags_.tag(at);
    Said said;
    if (is_node_tag(tag) && tags_.arena.kind(tag) == NodeKind::Unspecified) said.anything = true;
    else if (const Tag first = tags_.arena.first_bit(tag); first != kNoTag)
      said = single(first + bit, bits_are_computed);
    else if (is_byte_tag(tag)) said.may = {8 * std::uint64_t{tag} + bit};
    else if (is_node_tag(tag) && tags_.arena.kind(tag) == NodeKind::Chosen) said = chosen(tag, at, bit);
    else said.made = true;
    return said;
  }

 private:
  // A bit among others in a byte.
  Said single(Tag tag, bool may_be_computed) const {
    if (is_node_tag(tag) && tags_.arena.kind(tag) == NodeKind::Combine && tags_.arena.b(tag).first == kNoTag)
      tag = tags_.arena.a(tag).first;
    if (is_bit_tag(tag)) return {.may = {tag - kFirstBitTag}, .made = may_be_computed};
    Said said{.made = true};
    collect_bits(tag, said.may);
    return said;
  }
  void collect_bits(Tag tag, std::vector<Origin>& out) const {
    if (is_bit_tag(tag)) out.push_back(tag - kFirstBitTag);
    if (!is_node_tag(tag) || (tags_.arena.kind(tag) != NodeKind::Combine && tags_.arena.kind(tag) != NodeKind::Chosen))
      return;
    collect_bits(tags_.arena.a(tag).first, out);
    collect_bits(tags_.arena.b(tag).first, out);
  }
  // Byte by byte what the chosen element was; it may have zeros behind it.
  Said chosen(Tag tag, Flat at, std::uint32_t bit) const {
    std::uint32_t place = 0, width = 1;
    while (place < 8 && tags_.tag(at - place - 1) == tag) ++place;
    for (width = place + 1; width <= 8 && tags_.tag(at - place + width) == tag;) ++width;
    TagSpan span{tag, 1};
    while (is_node_tag(span.first) && tags_.arena.kind(span.first) == NodeKind::Chosen)
      span = tags_.arena.a(span.first);
    if (width > 8) {  // the same element again and again
      width = span.count;
      place = at % width;
    }
    Said said;
    if (is_node_tag(span.first)) {  // computed, or joined of several pieces
      said.made = true;
      collect_bytes(span.first, bit, said.may);
    } else if (is_byte_tag(span.first) && place < span.count) {
      said.may = {8 * (std::uint64_t{span.first} + place) + bit};
    } else {
      said.made = true;
    }
    return said;
  }
  void collect_bytes(Tag tag, std::uint32_t bit, std::vector<Origin>& out) const {
    if (is_byte_tag(tag)) out.push_back(8 * std::uint64_t{tag} + bit);
    if (!is_node_tag(tag) || tags_.arena.kind(tag) != NodeKind::Combine) return;
    for (const TagSpan span : {tags_.arena.a(tag), tags_.arena.b(tag)})
      for (std::uint32_t k = 0; k < span.count && span.first != kNoTag; ++k)
        if (span.count == 1) collect_bytes(span.first + k, bit, out);
  }

  const TagMemory& tags_;
};

std::optional<bool> bit_at(const Trace& trace, const std::vector<TraceAccess>& accesses, const TracePlace& place) {
  if (!place.memory) {
    const TraceValue& value = trace.values.at(place.of);
    if (place.bit >= (value.kind == TraceValue::Kind::Register ? 8 * VL : VL)) return {};
    return value.bytes[place.bit / 8] >> (place.bit % 8) & 1;
  }
  const TraceAccess& access = accesses.at(place.of);
  if (place.bit >= 8 * access.size) return {};
  return trace.bytes.at(access.after + place.bit / 8) >> (place.bit % 8) & 1;
}

}  // namespace

std::string first_false_move(const Trace& trace) {
  std::string wrong;
  for (const MicroStep& step : trace.steps)
    for (const TraceMove& move : step.moves)
      for_pieces(move, [&](TracePlace from, TracePlace to) {
        for (std::uint32_t k = 0; k < move.bits && wrong.empty(); ++k, ++from.bit, ++to.bit) {
          const auto a = bit_at(trace, step.reads, from), b = bit_at(trace, step.writes, to);
          if (!a || a != b)
            wrong = fmt::format("{}: bit {} of {} is not bit {} of {}", trace.describe(step), from.bit, from.of, to.bit,
                                to.of);
        }
      });
  return wrong;
}

std::string first_wrong_link(const Trace& trace, const MemoryMap& map, const TagMemory& tags, bool bits_are_computed) {
  const Followed followed(trace, map);
  const Teller teller(tags);
  for (const MicroStep& step : trace.steps)
    for (const TraceAccess& write : step.writes)
      for (std::uint32_t k = 0; k < 8 * write.size; ++k) {
        const Flat at = map.flat(write.place()) + k / 8;
        const Origin from = followed.of(8 * std::uint64_t{at} + k % 8);
        const Said said = teller.bit(at, k % 8, bits_are_computed);
        const bool right = said.anything || (from == kMade ? said.made : std::ranges::count(said.may, from) > 0);
        if (right) continue;
        const auto text = [&](Origin origin) {
          return origin == kMade
                     ? "made here"
                     : fmt::format("{}.{}", place_text(map.locate(static_cast<Flat>(origin / 8))), origin % 8);
        };
        std::string expected = said.made ? "made here" : "";
        for (const Origin origin : said.may) expected += " " + text(origin);
        return fmt::format("{}: bit {} of {}: by its links {}, by its tags {}", trace.describe(step), k % 8,
                           place_text(map.locate(at)), text(from), expected);
      }
  return "";
}

}  // namespace ts::test
