// Slices as trees of text.
#include "core/debug/origins/slice_text.h"

#include <fmt/format.h>

#include <vector>

#include "core/debug/origins/source_text.h"

namespace ts {

const ElementFormat* slice_node_format(Questions& questions, const SliceNode& node) {
  const Program& program = questions.recording().program();
  if (node.kind != Source::Kind::Element || node.name.empty()) return nullptr;
  if (node.in_buffer) {
    const auto buffer = questions.find_buffer(node.name);
    return buffer ? &element_format(program.buffers[*buffer].dtype) : nullptr;
  }
  const auto tile = questions.find_tile(node.name, node.position);
  return tile ? &element_format(program.tiles[*tile].type.dtype) : nullptr;
}

std::pair<std::uint32_t, std::uint32_t> slice_node_place(Questions& questions, const SliceNode& node) {
  const auto buffer = node.in_buffer ? questions.find_buffer(node.name) : std::nullopt;
  if (!buffer) return {node.row, node.col};
  const BufferShape shape = shape_of(questions.recording().program().buffers[*buffer]);
  if (shape.cols == 0) return {0, node.col};
  return {node.col / shape.cols, node.col % shape.cols};
}

std::string slice_node_maker(Questions& questions, const SliceNode& node) {
  switch (node.maker) {
    case Maker::Step: return fmt::format("step {} {}", node.step, questions.recording().bound(node.step).row->name);
    case Maker::Edit: return fmt::format("changed by hand at {}", node.step);
    case Maker::Block: return fmt::format("nothing since the block began at step {}", node.step);
    case Maker::Input: return "input";
    case Maker::Nobody: break;
  }
  return "never written";
}

std::string slice_node_text(Questions& questions, const SliceNode& node) {
  const auto [row, col] = slice_node_place(questions, node);
  switch (node.kind) {
    case Source::Kind::Unspecified: return "unspecified: " + node.why;
    case Source::Kind::Scalar: return fmt::format("{} = 0x{:x}", node.name, node.bits);
    case Source::Kind::Bytes:
      return fmt::format("{} = 0x{:x}  ({})", place_text(node.place), node.bits, slice_node_maker(questions, node));
    case Source::Kind::MaskBit:
      return fmt::format("bit of {}[{},{}] = {}  ({})", node.name, row, col, node.bits,
                         slice_node_maker(questions, node));
    case Source::Kind::Element: break;
  }
  const ElementFormat* format = slice_node_format(questions, node);
  const std::string value = node.definedness == Definedness::Never ? ".."
                            : format == nullptr                    ? fmt::format("0x{:x}", node.bits)
                                                                   : short_text(*format, node.bits);
  return fmt::format("{}[{},{}] = {}  ({})", node.name, row, col, value, slice_node_maker(questions, node));
}

std::string slice_text(Questions& questions, const Slice& slice, std::size_t most_lines) {
  struct Open {
    std::uint32_t node, depth;
    bool decided;
  };
  std::string text;
  std::size_t lines = 0;
  std::vector<bool> shown(slice.nodes.size(), false);
  std::vector<Open> open{{0, 0, false}};
  while (!open.empty() && lines < most_lines) {
    const Open now = open.back();
    open.pop_back();
    const SliceNode& node = slice.nodes[now.node];
    const bool again = shown[now.node] && !node.from.empty();
    text += fmt::format("{:{}}{}{}{}\n", "", 2 * now.depth, now.decided ? "chosen by " : "",
                        slice_node_text(questions, node), again ? "  (as above)" : "");
    ++lines;
    if (shown[now.node]) continue;
    shown[now.node] = true;
    for (auto edge = node.from.rbegin(); edge != node.from.rend(); ++edge)
      open.push_back({edge->node, now.depth + 1, edge->decided});
  }
  if (!open.empty()) text += "...\n";
  if (!slice.complete) text += "(cut short by its limits)\n";
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace ts
