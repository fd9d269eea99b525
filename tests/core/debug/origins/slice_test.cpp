// Makers, sources, readers and slices against sets that the oracles make, byte by byte.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "core/debug/session/session.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/dependence.h"
#include "tests/support/record/flow_program.h"
#include "tests/support/record/recorded.h"
#include "tests/support/record/replay.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr int kPrograms = kSanitized ? 3 : 20;

std::string text_of(const LeafSet& leaves, const MemoryMap& map) {
  std::string text;
  for (const Leaf& leaf : leaves) {
    if (leaf.kind == Leaf::Kind::Byte) {
      const ByteRange place = map.locate(leaf.at);
      text += fmt::format(" {} {:#x}@{}", name(place.space), place.address, leaf.since);
    } else {
      text +=
          fmt::format(" {}@{}:{:x}", leaf.kind == Leaf::Kind::Scalar ? "scalar" : "unspecified", leaf.since, leaf.bits);
    }
  }
  return text;
}

// The dependences of all positions of a short recording.
struct AllDependences {
  explicit AllDependences(const Recording& recording) {
    Dependence one(recording);
    positions.push_back(one);
    while (one.position() < recording.count()) {
      one.step();
      positions.push_back(one);
    }
  }
  const Dependence& at(std::uint32_t position) const { return positions[position]; }
  std::deque<Dependence> positions;
};

// An element that a step works on, at some position.
struct Place {
  ByteRange place;
  std::uint32_t position;
};
Place any_place(const Recording& recording, Random& random) {
  for (;;) {
    const Bound& bound = recording.bound(random.below(recording.count()));
    if (bound.operands.empty()) continue;
    const Operand& operand = bound.operands[random.below(static_cast<std::uint32_t>(bound.operands.size()))];
    Place found{{}, random.below(recording.count() + 1)};
    if (operand.spec->kind == OperandKind::Tile) {
      const TileRef& tile = operand.tile;
      if (tile.valid_rows == 0 || tile.valid_cols == 0) continue;
      const bool valid = !random.one_in(5);
      found.place = {tile.space(),
                     tile.at(random.below(valid ? tile.valid_rows : tile.rows()),
                             random.below(valid ? tile.valid_cols : tile.cols())),
                     tile.elem_bytes()};
    } else if (operand.spec->kind == OperandKind::Global) {
      const GlobalRef& view = operand.global;
      const std::uint32_t size = size_bytes(view.dtype);
      found.place = {Space::Gm, view.buffer_begin + random.below((view.buffer_end - view.buffer_begin) / size) * size,
                     size};
    } else {
      continue;
    }
    return found;
  }
}

// Bytes of a node that no step made, and what it is without bytes.
void add_leaves(const SliceNode& node, const AllDependences& all, const MemoryMap& map, LeafSet& leaves) {
  if (node.kind == Source::Kind::Scalar) {
    leaves.insert({.kind = Leaf::Kind::Scalar, .since = node.position, .bits = node.bits});
  } else if (node.kind == Source::Kind::Unspecified) {
    leaves.insert({.kind = Leaf::Kind::Unspecified, .since = node.position});
  } else {
    const Flat begin = map.flat(node.place);
    for (Flat at = begin; at < begin + node.place.size; ++at)
      if (const auto leaf = all.at(node.position).leaf(at)) leaves.insert(*leaf);
  }
}

// By the shortest way along the edges.
std::vector<std::uint32_t> depths(const Slice& slice) {
  std::vector<std::uint32_t> depth(slice.nodes.size(), ~0u);
  std::deque<std::uint32_t> open{0};
  depth[0] = 0;
  while (!open.empty()) {
    const std::uint32_t node = open.front();
    open.pop_front();
    for (const SliceNode::Edge& edge : slice.nodes[node].from) {
      if (depth[edge.node] != ~0u) continue;
      depth[edge.node] = depth[node] + 1;
      open.push_back(edge.node);
    }
  }
  return depth;
}

std::string identity(const SliceNode& node) {
  return fmt::format("{} {} {} {} {:#x}+{} bit {} value {:x} {} at {} by {} {} depth {} {}",
                     static_cast<int>(node.kind), node.name, node.row, node.col, node.place.address, node.place.size,
                     node.bit, node.bits, static_cast<int>(node.definedness), node.position,
                     static_cast<int>(node.maker), node.step, node.depth, node.why);
}

// Which value it is. Where and by which name it was read depends on who is asked first.
std::string value_of(const SliceNode& node) {
  const bool bytes = node.kind != Source::Kind::Scalar && node.kind != Source::Kind::Unspecified;
  return fmt::format("{} {} {:#x}+{} bit {} value {:x} by {} {} depth {} {}", static_cast<int>(node.kind),
                     name(node.place.space), node.place.address, node.place.size, node.bit, node.bits,
                     static_cast<int>(node.maker), bytes ? node.step : node.position, node.depth, node.why);
}

// What a node says of itself is what is there.
void check_node(const SliceNode& node, const Recording& recording, const AllDependences& all, Inspector& inspector) {
  if (node.kind == Source::Kind::Scalar || node.kind == Source::Kind::Unspecified) {
    CHECK(node.from.empty());
    return;
  }
  INFO(identity(node));
  const Memory& memory = inspector.at(node.position);
  const Flat begin = recording.map().flat(node.place);
  const std::uint64_t bits = memory.element(node.place);
  CHECK(node.bits == (node.kind == Source::Kind::MaskBit ? bits >> node.bit & 1 : bits));
  CHECK(node.definedness == memory.worst_definedness(begin, node.place.size));
  bool by_step = false;
  for (Flat at = begin; at < begin + node.place.size; ++at) by_step = by_step || !all.at(node.position).leaf(at);
  if (!by_step) CHECK(node.from.empty());
  if (node.maker == Maker::Step) CHECK(by_step);
}

void check_slice(Session& session, const AllDependences& all, const Place& at, Inspector& inspector) {
  const Recording& recording = session.recording();
  const MemoryMap& map = recording.map();
  INFO(fmt::format("{} {:#x}+{} at {}", name(at.place.space), at.place.address, at.place.size, at.position));
  const Slice slice = session.flow().slice({.place = at.place, .name = "root", .row = 3, .col = 4}, at.position);
  REQUIRE(!slice.nodes.empty());
  CHECK(slice.complete);
  CHECK(slice.nodes[0].name == "root");
  CHECK(slice.nodes[0].place == at.place);
  CHECK((slice.nodes[0].row == 3 && slice.nodes[0].col == 4));
  const LeafSet expected = all.at(at.position).leaves(map.flat(at.place), at.place.size);
  LeafSet got;
  for (const SliceNode& node : slice.nodes) add_leaves(node, all, map, got);
  if (got != expected) FAIL_CHECK(fmt::format("expected{}\n got{}", text_of(expected, map), text_of(got, map)));
  const std::vector<std::uint32_t> depth = depths(slice);
  for (std::size_t i = 0; i < slice.nodes.size(); ++i) {
    CHECK(slice.nodes[i].depth == depth[i]);
    check_node(slice.nodes[i], recording, all, inspector);
  }
}

// The sources of an element that a step made whole are what the oracle says it was made of, and so are the first edges
// of its slice; what only chose is told from what became part of it.
void check_sources(Session& session, const AllDependences& all, std::uint32_t step, Random& random) {
  const MemoryMap& map = session.recording().map();
  const oracle::Effects& effects = all.at(step + 1).effects();
  if (effects.written.empty()) return;
  const oracle::Element& element = effects.written[random.below(static_cast<std::uint32_t>(effects.written.size()))];
  const Flat begin = map.flat(element.place);
  for (Flat at = begin; at < begin + element.place.size; ++at)
    if (!all.at(step + 1).made_by_last_step(at)) return;
  INFO(fmt::format("step {}, {} {:#x}+{}", step, name(element.place.space), element.place.address, element.place.size));
  const auto text = [&](bool decided, bool scalar, ByteRange place, std::uint32_t bit) {
    return scalar ? std::string("scalar")
                  : fmt::format("{}{} {:#x}+{}.{}", decided ? "decided by " : "", name(place.space), place.address,
                                place.size, bit);
  };
  std::set<std::string> expected, got, edges;
  for (const oracle::Origin& origin : element.from) {
    const bool scalar = origin.kind == oracle::Origin::Kind::Scalar;
    expected.insert(text(!scalar && origin.kind != oracle::Origin::Kind::Element, scalar, origin.place, origin.bit));
  }
  for (const SourceUse& use : session.flow().sources(element.place, step + 1)) {
    CHECK(use.step == step);
    got.insert(text(use.source.decided, use.source.kind == Source::Kind::Scalar, use.source.place, use.source.bit));
  }
  CHECK(got == expected);
  const Slice slice = session.flow().slice({.place = element.place}, step + 1, {.depth = 1});
  for (const SliceNode::Edge& edge : slice.nodes[0].from) {
    const SliceNode& node = slice.nodes[edge.node];
    edges.insert(text(edge.decided, node.kind == Source::Kind::Scalar, node.place, node.bit));
  }
  CHECK(edges == expected);
}

// Cutting a slice by its depth leaves out what is deeper, and says so.
void check_limits(Session& session, const Place& at, Random& random) {
  const Slice whole = session.flow().slice({.place = at.place}, at.position);
  std::uint32_t deepest = 0;
  for (const SliceNode& node : whole.nodes) deepest = std::max(deepest, node.depth);
  const auto names = [](const Slice& slice, std::uint32_t most) {
    std::multiset<std::string> all;
    for (const SliceNode& node : slice.nodes)
      if (node.depth <= most) all.insert(value_of(node));
    return all;
  };
  const std::uint32_t depth = random.below(deepest + 2);
  const Slice cut = session.flow().slice({.place = at.place}, at.position, {.depth = depth});
  CHECK(names(cut, ~0u) == names(whole, depth));
  bool more = false;
  for (const SliceNode& node : whole.nodes) more = more || (node.depth >= depth && node.maker == Maker::Step);
  CHECK(cut.complete == !more);
  for (const SliceNode& node : cut.nodes) CHECK((node.depth < depth || node.from.empty()));

  const std::uint32_t most = random.between(1, static_cast<std::uint32_t>(whole.nodes.size()) + 1);
  const Slice few = session.flow().slice({.place = at.place}, at.position, {.nodes = most});
  CHECK(few.nodes.size() == std::min<std::size_t>(most, whole.nodes.size()));
  CHECK(few.complete == (most >= whole.nodes.size()));
  for (const SliceNode& node : few.nodes)
    for (const SliceNode::Edge& edge : node.from) CHECK(edge.node < few.nodes.size());

  int asked = 0;
  const Slice stopped = session.flow().slice({.place = at.place}, at.position, {.go_on = [&] { return ++asked < 2; }});
  CHECK(stopped.complete == (asked < 2));
}

// Bytes of elements that later steps made of these bytes, and whether they only decided.
using ReaderBytes = std::map<std::pair<std::uint32_t, Flat>, bool>;
ReaderBytes expected_readers(const Recording& recording, const AllDependences& all, const Place& of) {
  const MemoryMap& map = recording.map();
  std::set<Flat> alive;
  for (std::uint32_t i = 0; i < of.place.size; ++i) alive.insert(map.flat(of.place) + i);
  ReaderBytes readers;
  for (std::uint32_t step = of.position; step < recording.count(); ++step) {
    const oracle::Effects& effects = all.at(step + 1).effects();
    std::map<Flat, bool> of_step;
    for (const oracle::Element& element : effects.written) {
      bool part = false, decided = false;
      for (const oracle::Origin& origin : element.from) {
        if (origin.kind == oracle::Origin::Kind::Scalar) continue;
        const Flat begin = map.flat(origin.place);
        const auto first = alive.lower_bound(begin);
        if (first == alive.end() || *first >= begin + origin.place.size) continue;
        (origin.kind == oracle::Origin::Kind::Element ? part : decided) = true;
      }
      const Flat to = map.flat(element.place);
      for (Flat at = to; at < to + element.place.size; ++at) {
        of_step.erase(at);
        if (part || decided) of_step[at] = !part;
      }
    }
    for (const auto& [at, decided] : of_step) readers[{step, at}] = decided;
    std::erase_if(alive, [&](Flat at) {
      return all.at(step + 1).made_by_last_step(at) || all.at(step + 1).leaf(at) != all.at(step).leaf(at);
    });
  }
  return readers;
}

std::string text_of(const ReaderBytes& readers, const MemoryMap& map) {
  std::string text;
  for (const auto& [where, decided] : readers) {
    const ByteRange place = map.locate(where.second);
    text += fmt::format(" {}: {} {:#x}{}", where.first, name(place.space), place.address, decided ? " decided" : "");
  }
  return text;
}

void check_readers(Session& session, const AllDependences& all, const Place& of) {
  const MemoryMap& map = session.recording().map();
  INFO(fmt::format("{} {:#x}+{} at {}", name(of.place.space), of.place.address, of.place.size, of.position));
  const std::vector<Reader> readers = session.flow().readers(of.place, of.position, 1'000'000);
  ReaderBytes got;
  for (const Reader& reader : readers) {
    // What a step leaves in special registers is no matter of an oracle.
    if (reader.place.space == Space::Spr) continue;
    const Flat begin = map.flat(reader.place);
    for (Flat at = begin; at < begin + reader.place.size; ++at) {
      CHECK(!got.contains({reader.step, at}));
      got[{reader.step, at}] = reader.decided;
    }
    if (reader.operand < 0) continue;
    const Operand& operand = session.recording().bound(reader.step).operands[static_cast<std::size_t>(reader.operand)];
    if (operand.spec->kind == OperandKind::Tile) CHECK(operand.tile.at(reader.row, reader.col) == reader.place.address);
    else CHECK(operand.global.buffer_begin + reader.col * reader.place.size == reader.place.address);
  }
  const ReaderBytes expected = expected_readers(session.recording(), all, of);
  if (got != expected) FAIL_CHECK(fmt::format("expected{}\n got{}", text_of(expected, map), text_of(got, map)));
  const std::size_t most = readers.size() / 2;
  const std::vector<Reader> some = session.flow().readers(of.place, of.position, most);
  CHECK(some.size() == most);
  for (std::size_t i = 0; i < some.size(); ++i)
    CHECK((some[i].step == readers[i].step && some[i].place == readers[i].place));
}

// Parts by maker: what the brute force says of each byte, and no two neighbours with the same maker.
void check_makers(Session& session, const AllDependences& all, ByteRange range, std::uint32_t position) {
  const MemoryMap& map = session.recording().map();
  const std::vector<Made> parts = session.flow().makers(range, position);
  std::uint32_t next = range.address;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Made& part = parts[i];
    CHECK(part.bytes.space == range.space);
    CHECK(part.bytes.address == next);
    next += part.bytes.size;
    if (i > 0) CHECK((parts[i - 1].maker != part.maker || parts[i - 1].step != part.step));
    const Flat begin = map.flat(part.bytes);
    for (Flat at = begin; at < begin + part.bytes.size; ++at) {
      const auto leaf = all.at(position).leaf(at);
      CHECK(leaf.has_value() == (part.maker != Maker::Step));
      if (!leaf) {
        CHECK(all.at(part.step + 1).made_by_last_step(at));
        for (std::uint32_t later = part.step + 2; later <= position; ++later)
          CHECK(!all.at(later).made_by_last_step(at));
      } else if (part.maker == Maker::Edit || part.maker == Maker::Block) {
        CHECK(leaf->since == part.step + (part.maker == Maker::Block ? 1 : 0));
      } else {
        CHECK(leaf->since == 0);
        const bool never = session.memory_at(0).definedness(at) == Definedness::Never;
        CHECK((part.maker == Maker::Nobody) == never);
      }
    }
  }
  CHECK(next == range.address + range.size);
}

void check_all(const SharedRecording& recording, Random& random, int times) {
  REQUIRE(recording->stop_reason() == StopReason::End);
  const AllDependences all(*recording);
  Session session(recording);
  Inspector inspector(*recording);
  for (int i = 0; i < times; ++i) {
    const Place at = any_place(*recording, random);
    check_slice(session, all, at, inspector);
    check_limits(session, at, random);
    check_readers(session, all, at);
    check_sources(session, all, random.below(recording->count()), random);
    ByteRange range = at.place;
    const std::uint32_t size = recording->map().size(range.space);
    range.address -= std::min(range.address, random.below(40));
    range.size = std::min(random.between(1, 100), size - range.address);
    check_makers(session, all, range, at.position);
  }
}

std::vector<Edit> some_edits(const Recording& recording, Random& random) {
  std::vector<Edit> edits;
  for (int i = 0; i < 8; ++i) {
    const Place at = any_place(recording, random);
    Edit edit{at.position, at.place.space, at.place.address, {}};
    // Parts of elements too.
    for (std::uint32_t k = random.between(1, at.place.size); k > 0; --k)
      edit.bytes.push_back(static_cast<std::byte>(random.next()));
    edits.push_back(edit);
  }
  return edits;
}

bool has_offsets(const Recording& recording, const Edit& edit) {
  // An edited offset leads anywhere; that is for other tests.
  for (const TileDecl& tile : recording.program().tiles)
    if (tile.type.dtype == DType::U32 && edit.space == Space::Ub && edit.address >= tile.address &&
        edit.address < tile.address + tile.type.size_bytes())
      return true;
  for (const BufferDecl& buffer : recording.program().buffers)
    if (buffer.dtype == DType::U32 && edit.space == Space::Gm && edit.address >= buffer.address &&
        edit.address < buffer.address + buffer.size())
      return true;
  return false;
}

}  // namespace

TEST_CASE("slice: leaves, limits, readers and makers of random programs are those of the oracles") {
  for (const Target target : kBothTargets) {
    for (int i = 0; i < kPrograms; ++i) {
      CAPTURE(std::string(name(target)));
      CAPTURE(i);
      Random random(600 + static_cast<std::uint64_t>(i));
      const Program program = random_flow_program(random, target, random.between(10, 60));
      const SharedRecording recording = Recording::run(program, {.budget_bytes = kPlentyOfBytes});
      REQUIRE(recording->count() == program.instructions.size());
      check_all(recording, random, kSanitized ? 5 : 12);
    }
  }
}

TEST_CASE("slice: bytes that were edited, also parts of elements, are leaves") {
  for (const Target target : kBothTargets) {
    for (int i = 0; i < kPrograms; ++i) {
      CAPTURE(std::string(name(target)));
      CAPTURE(i);
      Random random(700 + static_cast<std::uint64_t>(i));
      const Program program = random_flow_program(random, target, random.between(10, 40));
      const auto whole = Recording::run(program, {.budget_bytes = kPlentyOfBytes});
      RecordOptions options{.budget_bytes = kPlentyOfBytes};
      options.edits = some_edits(*whole, random);
      std::erase_if(options.edits, [&](const Edit& edit) { return has_offsets(*whole, edit); });
      const SharedRecording recording = Recording::run(program, options);
      REQUIRE(recording->count() == program.instructions.size());
      check_all(recording, random, kSanitized ? 3 : 8);
    }
  }
}

TEST_CASE("slice: a thinned recording gives the same") {
  for (const Target target : kBothTargets) {
    CAPTURE(std::string(name(target)));
    Random random(790);
    const SharedRecording whole =
        Recording::run(random_flow_program(random, target, 200), {.budget_bytes = kPlentyOfBytes});
    Session a(whole), b(thinned(*whole));
    const auto texts = [](const Slice& slice) {
      std::vector<std::string> all;
      for (const SliceNode& node : slice.nodes) all.push_back(identity(node));
      return all;
    };
    for (int i = 0; i < 10; ++i) {
      const Place at = any_place(*whole, random);
      const SliceLimits limits{.nodes = 2000};
      CHECK(texts(a.flow().slice({.place = at.place}, at.position, limits)) ==
            texts(b.flow().slice({.place = at.place}, at.position, limits)));
      const auto mine = a.flow().readers(at.place, at.position, 500),
                 other = b.flow().readers(at.place, at.position, 500);
      const auto same = [](const Reader& x, const Reader& y) {
        return x.step == y.step && x.place == y.place && x.decided == y.decided;
      };
      CHECK(std::ranges::equal(mine, other, same));
    }
  }
}

TEST_CASE("slice: samples with loops, masks and blocks") {
  Random random(800);
  for (const char* sample : {"masked_sum", "masked_select", "complex_merge", "transpose_loop", "block_lookup",
                             "table_lookup", "fill_tails"}) {
    CAPTURE(std::string(sample));
    check_all(record_sample(sample), random, 8);
  }
}

TEST_CASE("slice: random texts") {
  for (const Target target : kBothTargets) {
    for (std::uint64_t seed = 810; seed < (kSanitized ? 812 : 822); ++seed) {
      CAPTURE(std::string(name(target)));
      CAPTURE(seed);
      const SharedRecording recording = record_random_text(seed, target);
      if (recording->count() == 0 || recording->count() > 80) continue;
      Random random(seed);
      check_all(recording, random, 6);
    }
  }
}

}  // namespace ts::test
