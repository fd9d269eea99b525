// The tree of a value: the sources of its sources.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "core/debug/origins/data_flow.h"

namespace ts {

// Nodes are opened from the newest step to the oldest: all that came of a step is then known before the step is looked
// into, so that its data flow is made once, and a node's depth is its last.
struct DataFlow::Slicer {
  struct Task {
    std::uint32_t step, node;
    ByteRange bytes;  // of the node, made by the step
    bool operator<(const Task& other) const {
      return std::tie(step, other.node) < std::tie(other.step, node);  // the newest step first, then the first node
    }
  };
  // The same bytes of the same maker are the same value.
  using Key = std::tuple<Source::Kind, CoreId, Space, std::uint32_t, std::uint32_t, std::uint32_t, Maker, std::uint32_t,
                         std::string>;

  DataFlow& flow;
  const SliceLimits& limits;
  Slice slice = {};
  std::priority_queue<Task> tasks = {};
  std::map<Key, std::uint32_t> known = {};

  void start(const Pointed& what, std::uint32_t position) {
    SliceNode root{.name = what.name, .row = what.row, .col = what.col, .place = what.place, .position = position};
    std::vector<std::byte> bytes(what.place.size);
    root.definedness = flow.inspector_.peek(position, what.place, bytes);
    std::memcpy(&root.bits, bytes.data(), std::min(bytes.size(), sizeof root.bits));
    const std::vector<Made> parts = flow.makers(what.place, position);
    set_maker(root, parts);
    add(std::move(root), parts);
  }

  void run() {
    while (!tasks.empty()) {
      const std::uint32_t step = tasks.top().step;
      if (slice.nodes[tasks.top().node].depth >= limits.depth || (limits.go_on && !limits.go_on())) {
        slice.complete = false;
        tasks.pop();
        continue;
      }
      const Flow made = flow.inspector_.flow(step);
      while (!tasks.empty() && tasks.top().step == step) {
        const Task task = tasks.top();  // opening it adds others
        tasks.pop();
        open(task, made);
      }
    }
  }

  void open(const Task& task, const Flow& made) {
    if (slice.nodes[task.node].depth >= limits.depth) return void(slice.complete = false);
    for (const Source& source : made.sources_of_bytes(task.bytes)) {
      const std::optional<std::uint32_t> to = node_of(source, task.step);
      if (!to) return void(slice.complete = false);
      SliceNode& from = slice.nodes[task.node];
      SliceNode& node = slice.nodes[*to];
      node.depth = std::min(node.depth, from.depth + 1);
      const SliceNode::Edge edge{*to, source.decided};
      if (std::ranges::find(from.from, edge) == from.from.end()) from.from.push_back(edge);
    }
  }

  // The node of a source that `step` read; nothing when there are too many.
  std::optional<std::uint32_t> node_of(const Source& source, std::uint32_t step) {
    SliceNode node{.kind = source.kind,
                   .row = source.row,
                   .col = source.col,
                   .bit = source.bit,
                   .place = source.place,
                   .bits = source.bits,
                   .definedness = source.definedness,
                   .why = source.why,
                   .position = step,
                   .depth = ~0u};
    if (source.operand >= 0) {
      const Operand& operand = flow.recording_.bound(step).operands[static_cast<std::size_t>(source.operand)];
      node.name = flow.recording_.program().operand_name(operand);
      node.in_buffer = operand.spec->kind == OperandKind::Global;
    }
    const bool is_bytes = source.kind != Source::Kind::Scalar && source.kind != Source::Kind::Unspecified;
    std::vector<Made> parts;
    if (is_bytes) parts = flow.makers(node.place, node.position);
    set_maker(node, parts);
    const std::uint32_t bit = node.bit + 8 * static_cast<std::uint32_t>(node.place.part);
    const Key key{node.kind,
                  node.place.core,
                  node.place.space,
                  node.place.address,
                  node.place.size,
                  bit,
                  node.maker,
                  is_bytes ? node.step : step,
                  is_bytes ? "" : node.name + node.why};
    if (const auto it = known.find(key); it != known.end()) return it->second;
    if (slice.nodes.size() >= limits.nodes) return {};
    return known[key] = add(std::move(node), parts);
  }

  // The newest of its makers: bytes that are the same are so since then.
  static void set_maker(SliceNode& node, const std::vector<Made>& parts) {
    const auto since = [](const Made& part) {
      const bool steps = part.maker == Maker::Step || part.maker == Maker::Block;
      return std::pair{part.step + (steps ? 1 : 0), part.maker == Maker::Edit};
    };
    if (parts.empty()) return;
    const Made& newest = *std::ranges::max_element(parts, {}, since);
    node.maker = newest.maker;
    node.step = newest.step;
  }

  std::uint32_t add(SliceNode node, const std::vector<Made>& parts) {
    const auto number = static_cast<std::uint32_t>(slice.nodes.size());
    for (const Made& part : parts)
      if (part.maker == Maker::Step) tasks.push({part.step, number, part.bytes});
    slice.nodes.push_back(std::move(node));
    return number;
  }
};

Slice DataFlow::slice(const Pointed& what, std::uint32_t position, const SliceLimits& limits) {
  Slicer slicer{.flow = *this, .limits = limits};
  slicer.start(what, position);
  slicer.run();
  return std::move(slicer.slice);
}

}  // namespace ts
