// Walking back over the steps that only moved a value, and then down its tree.
#include "core/debug/origins/trace_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/debug/origins/slice_text.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

constexpr std::uint32_t kMostMoves = 10'000;  // of a value from where it was made
constexpr std::uint32_t kMostTracedNodes = 20'000;
constexpr std::size_t kMostOdd = 4;

// The one element that the step only moved there; nothing: it computed the value, or chose it.
std::optional<ByteRange> moved_from(Questions& questions, std::uint32_t step, ByteRange place) {
  const Flow flow = questions.flow_of(step);
  const Flat begin = questions.recording().map().flat(place);
  for (Flat at = begin; at < begin + place.size; ++at)
    if (const Tag tag = flow.tags().arena.half(flow.tags().tag(at), place.part); !is_byte_tag(tag) && !is_half_tag(tag))
      return {};
  const std::vector<Source> sources = flow.sources_of_bytes(place);
  if (sources.size() != 1 || sources.front().kind != Source::Kind::Element) return {};
  if (sources.front().place.size != place.size ||
      (sources.front().place.part == BytePart::Whole) != (place.part == BytePart::Whole))
    return {};
  return sources.front().place;
}

// The place and the step of a value, before it was only moved on.
struct MadeAt {
  ByteRange place;
  std::uint32_t step = 0;
  bool only_moved = false;
};

MadeAt made_at(Questions& questions, ByteRange place, std::uint32_t step) {
  MadeAt made{place, step};
  for (std::uint32_t moves = 0; moves < kMostMoves; ++moves) {
    const auto from = moved_from(questions, made.step, made.place);
    if (!from) return made;
    const auto before = maker_of(questions, *from, made.step);
    made.only_moved = !before;
    if (!before) return made;
    made.place = *from;
    made.step = *before;
  }
  return made;
}

// "%c[6,3]", and what the window selects.
void name_element(Questions& questions, const MadeAt& made, TracedValue& out) {
  const Recording& recording = questions.recording();
  const Bound& bound = recording.bound(made.step);
  const int number = operand_holding(bound, made.place, true);
  if (number < 0) return;
  const Operand& operand = bound.operands[static_cast<std::size_t>(number)];
  const OperandElement element = element_of(operand, made.place.address);
  const std::string name = recording.program().operand_name(operand);
  out.row = element.row;
  out.col = element.col;
  if (operand.spec->kind == OperandKind::Tile) {
    out.tile = name.starts_with('%') ? name.substr(1) : name;
    out.element = fmt::format("{}[{},{}]", name, element.row, element.col);
  } else {
    out.element = fmt::format("{}[{}]", name, element.col);
  }
}

// The leaves of a value's tree, by input.
class InputParts {
 public:
  explicit InputParts(Questions& questions) : questions_(questions) {}

  void add(const Slice& slice) {
    std::vector<char> takes_part(slice.nodes.size(), 0);
    for (const SliceNode& node : slice.nodes)
      for (const SliceNode::Edge& edge : node.from)
        if (!edge.decided) takes_part[edge.node] = 1;
    takes_part[0] = 1;
    for (std::size_t i = 0; i < slice.nodes.size(); ++i) {
      const SliceNode& node = slice.nodes[i];
      if (!node.from.empty()) continue;
      if (node.maker == Maker::Input && node.kind == Source::Kind::Element) add(node, takes_part[i] == 0);
      else if (node.kind == Source::Kind::Unspecified || node.definedness != Definedness::Written) add_odd(node);
    }
  }

  // Of what took part before what only chose; those in the order of the program's inputs.
  std::vector<InputPart> in_order() {
    const auto& inputs = questions_.recording().program().inputs;
    std::ranges::stable_sort(parts_, {}, [&](const InputPart& part) {
      return std::pair(part.decided, std::ranges::find(inputs, part.name, &ProgramInput::name) - inputs.begin());
    });
    return std::move(parts_);
  }

  std::vector<std::string> odd;

 private:
  void add(const SliceNode& node, bool decided) {
    const auto [row, col] = slice_node_place(questions_, node);
    const auto same = [&](const InputPart& part) { return part.name == node.name && part.decided == decided; };
    auto part = std::ranges::find_if(parts_, same);
    if (part == parts_.end()) {
      parts_.push_back({.name = node.name,
                        .first_row = row,
                        .last_row = row,
                        .first_col = col,
                        .last_col = col,
                        .decided = decided});
      part = parts_.end() - 1;
      if (const ElementFormat* format = slice_node_format(questions_, node))
        part->first_value = short_text(*format, node.bits);
    }
    part->first_row = std::min(part->first_row, row);
    part->last_row = std::max(part->last_row, row);
    part->first_col = std::min(part->first_col, col);
    part->last_col = std::max(part->last_col, col);
    ++part->count;
  }
  void add_odd(const SliceNode& node) {
    if (odd.size() < kMostOdd) odd.push_back(slice_node_text(questions_, node));
  }

  Questions& questions_;
  std::vector<InputPart> parts_;
};

}  // namespace

ByteRange NamedElements::place(std::uint32_t row, std::uint32_t col) const {
  if (buffer == nullptr) return tile.place_of(row, col);
  return element_place(Space::Gm, buffer->address, dtype, row * elements.cols + col);
}

bool has_elements(const Program& program, std::string_view name) {
  return std::ranges::any_of(program.tiles, [&](const TileDecl& tile) { return tile.is_called(name); }) ||
         std::ranges::any_of(program.buffers, [&](const BufferDecl& buffer) { return buffer.name == name; });
}

std::optional<NamedElements> elements_called(Questions& questions, const std::string& name, std::uint32_t position) {
  if (const auto number = questions.find_buffer(name)) {
    const BufferDecl& buffer = questions.recording().program().buffers[*number];
    return NamedElements{buffer.dtype, elements_of(questions.memory_at(position), buffer), &buffer, {}};
  }
  const auto number = questions.find_tile(name, position);
  if (!number) return {};
  const TileRef tile = questions.tile_at(*number, position);
  return NamedElements{tile.type.dtype, elements_of(questions.memory_at(position), tile), nullptr, tile};
}

std::optional<std::uint32_t> maker_of(Questions& questions, ByteRange place, std::uint32_t position) {
  std::optional<std::uint32_t> step;
  for (const Made& part : questions.flow().makers(place, position))
    if (part.maker == Maker::Step && (!step || part.step > *step)) step = part.step;
  return step;
}

TracedValue trace_value(Questions& questions, ByteRange place, std::uint32_t position,
                        const std::function<bool()>& go_on) {
  TracedValue out{.place = place};
  const auto step = maker_of(questions, place, position);
  if (!step) return out;
  const MadeAt made = made_at(questions, place, *step);
  out.step = made.step;
  if (made.step != *step) out.stored = *step;
  out.only_moved = made.only_moved;
  out.place = made.place;
  name_element(questions, made, out);
  InputParts parts(questions);
  SliceLimits limits{.nodes = kMostTracedNodes, .go_on = go_on};
  Slice slice = questions.flow().slice({made.place}, made.step + 1, limits);
  for (SliceNode& node : slice.nodes)
    if (node.name.starts_with('%')) node.name.erase(0, 1);
  parts.add(slice);
  out.inputs = parts.in_order();
  out.odd = std::move(parts.odd);
  out.complete = slice.complete;
  return out;
}

}  // namespace ts
