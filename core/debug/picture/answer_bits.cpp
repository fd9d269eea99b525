// Bits of answers, by the tags of bytes.
#include "core/debug/picture/answer_bits.h"

#include <algorithm>

namespace ts {
namespace {

class Answers {
 public:
  Answers(const StepFlow& flow, int result, int source)
      : flow_(flow),
        tags_(flow.flow.tags()),
        map_(flow.flow.before().map()),
        result_(flow.bound().operands[static_cast<std::size_t>(result)].tile),
        source_(source) {}

  // The elements of the source and of the other operand that a bit was made of.
  struct Two {
    std::optional<StepElement> element, other;
  };
  Two of_bit(std::uint32_t address, std::uint32_t bit) const {
    Two two;
    std::vector<Tag> open{tag_of_bit(address, bit)};
    while (!open.empty()) {
      const Tag tag = open.back();
      open.pop_back();
      if (is_byte_tag(tag)) add(tag, two);
      if (!is_node_tag(tag)) continue;
      const NodeKind kind = tags_.arena.kind(tag);
      if (kind == NodeKind::Unspecified) continue;
      for (const TagSpan& span : {tags_.arena.a(tag), kind == NodeKind::Combine ? tags_.arena.b(tag) : TagSpan{}})
        open.push_back(span.first);  // the bytes of an element are of one element
    }
    return two;
  }
  bool is_written(std::uint32_t address) const { return flow_.flow.wrote(result_.range().with(address, 1)); }

 private:
  Tag tag_of_bit(std::uint32_t address, std::uint32_t bit) const {
    const Tag first = tags_.arena.first_bit(tags_.tag(map_.flat(result_.space(), address, result_.core)));
    return first == kNoTag ? kNoTag : first + bit;
  }
  void add(Tag tag, Two& two) const {
    const auto element = element_of_source(flow_.recording.program(), flow_.bound(), flow_.flow.source_of(tag, false));
    if (!element) return;
    (element->operand == source_ ? two.element : two.other) = element;
  }

  const StepFlow& flow_;
  const TagMemory& tags_;
  const MemoryMap& map_;
  const TileRef& result_;
  int source_;
};

// Rows follow each other in one stream of bits where the second one does not begin with a row of the result.
bool is_stream(const Answers& answers, const TileRef& result, const TileRef& src) {
  if (src.valid_rows < 2 || result.rows() < 2) return src.valid_rows > result.rows();
  const auto second = answers.of_bit(result.address + result.pitch_bytes(), 0).element;
  return !second || second->row != 1 || second->col != 0;
}

MaskByte byte_at(const TileRef& result, std::uint32_t address, const Memory& after) {
  return {.address = address,
          .offset = address - result.address,
          .bits = static_cast<std::uint32_t>(after.element(result.space(), address, 1, result.core)),
          .worth = after.definedness(after.map().flat(result.space(), address, result.core))};
}

}  // namespace

std::optional<StepElement> first_answered(const StepFlow& flow, ByteRange byte, int source) {
  for (std::size_t i = 0; i < flow.bound().operands.size(); ++i) {
    if (flow.bound().operands[i].spec->role != Role::Out) continue;
    const Answers answers(flow, static_cast<int>(i), source);
    for (std::uint32_t at = byte.address; at < byte.address + byte.size; ++at)
      for (std::uint32_t bit = 0; bit < 8; ++bit)
        if (const auto element = answers.of_bit(at, bit).element) return element;
  }
  return {};
}

AnswerRow answers_of_row(const StepFlow& flow, int result, int source, std::uint32_t row, const Memory& after) {
  AnswerRow out;
  const TileRef &tile = flow.bound().operands[static_cast<std::size_t>(result)].tile,
                &src = flow.bound().operands[static_cast<std::size_t>(source)].tile;
  const Answers answers(flow, result, source);
  const auto size = static_cast<std::uint32_t>(tile.type.size_bytes());
  const bool stream = is_stream(answers, tile, src);
  const std::uint32_t begin = stream ? 0 : std::min(row * tile.pitch_bytes(), size),
                      end = stream ? size : std::min(begin + tile.pitch_bytes(), size);
  std::optional<StepElement> other;
  bool others_differ = false;
  for (std::uint32_t offset = begin; offset < end; ++offset) {
    const std::uint32_t address = tile.address + offset;
    if (!answers.is_written(address)) {
      if (stream && !out.bytes.empty()) break;
      continue;
    }
    MaskByte byte = byte_at(tile, address, after);
    byte.lane_of_bit0 = out.bytes.empty() ? (offset - begin) * 8 : out.bytes.back().lane_of_bit0 + 8;
    std::uint32_t padding = 0;
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
      const Answers::Two two = answers.of_bit(address, bit);
      if (!two.element) continue;
      const StepElement& element = *two.element;
      if (element.row != row || element.col >= src.valid_cols) {
        // Between the rows of a stream stand the answers of other rows.
        if (!stream || element.col >= src.valid_cols) padding |= 1u << bit;
        continue;
      }
      if (byte.read == 0) byte.lane_of_bit0 = static_cast<std::int64_t>(element.col) - bit;
      byte.read |= 1u << bit;
      others_differ = others_differ || (other && two.other != other);
      other = two.other;
    }
    if (stream && byte.read == 0) {
      if (!out.bytes.empty()) break;
      continue;
    }
    out.bytes.push_back(byte);
    out.padding.push_back(padding);
  }
  if (!out.bytes.empty()) out.lanes = static_cast<std::uint32_t>(out.bytes.back().lane_of_bit0 + 8);
  out.one_for_all = !other || (!others_differ && src.valid_cols > 1);
  return out;
}

std::string question_of(const Bound& bound) {
  for (std::size_t i = 0; i < bound.row->attributes.size(); ++i) {
    if (std::string_view(bound.row->attributes[i].values) != "eq|ne|lt|le|gt|ge") continue;
    static constexpr const char* kSigns[] = {"=", "!=", "<", "<=", ">", ">="};
    return kSigns[bound.attributes[i]];
  }
  return "?";
}

}  // namespace ts
