// Pipes at the same bytes, against a graph of what comes before what.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <functional>
#include <map>
#include <set>

#include "core/program/sync.h"
#include "tests/support/record/random_program.h"
#include "tests/support/scale.h"
#include "tests/support/text/kernel_text.h"

namespace ts::test {
namespace {

std::vector<Finding> sync_findings(const Recording& recording, bool only_with_waits = false) {
  CheckOptions options = only({FindingKind::Sync});
  options.sync_only_with_waits = only_with_waits;
  return check(recording, options).findings;
}

std::set<std::uint32_t> steps_of(const std::vector<Finding>& findings) {
  std::set<std::uint32_t> out;
  for (const Finding& finding : findings) out.insert(finding.step);
  return out;
}

// --- random programs ---

constexpr std::size_t kProgramsPerSort = kSanitized ? 60 : 1000;
constexpr std::size_t kMostNodes = 96;
constexpr const char* kPipeNames[] = {"MTE2", "V", "MTE3", "S"};
constexpr const char* kClasses[] = {"TLOAD", "TVEC", "TSTORE_VEC"};
constexpr std::size_t kScalar = 3;

struct TouchedBytes {
  bool gm;
  std::uint32_t begin, end;
  bool writes;
};

struct Node {
  enum class Kind { Work, Set, Wait, Barrier } kind = Kind::Work;
  std::size_t pipe = 0, other = 0;  // of flags: from, to
  int event = 0;
  bool by_class = false;
  std::vector<TouchedBytes> touched = {};
  std::function<void(KernelText&)> put = {};
};

struct Tile {
  std::string name;
  std::uint32_t address, cols, valid;
};
// Two shapes; they overlap in many ways.
const std::vector<Tile> kTiles{{"t0", 0, 8, 8},   {"t1", 32, 8, 8},   {"t2", 64, 8, 8},    {"t3", 96, 8, 8},
                               {"u0", 0, 16, 11}, {"u1", 32, 16, 11}, {"u2", 128, 16, 11}, {"u3", 192, 16, 11}};

TouchedBytes valid_bytes(const Tile& tile, bool writes) {
  return {false, tile.address, tile.address + tile.valid * 4, writes};
}

// One tile of the shape that `first` has.
const Tile& like(Random& random, const Tile& first) { return kTiles[(first.cols == 8 ? 0 : 4) + random.below(4)]; }

Node random_work(Random& random) {
  const Tile a = kTiles[random.below(8)], b = like(random, a), c = like(random, a);
  const std::uint32_t at = random.below(16);
  // A load fills whole blocks; what is behind the valid columns is not defined, but written.
  const TouchedBytes loaded{false, a.address, a.address + (a.valid * 4 + 31) / 32 * 32, true};
  const TouchedBytes in_gm{true, at * 4, (at + a.valid) * 4, false};
  const std::string col = std::to_string(at);
  switch (random.below(4)) {
    case 0:
      return {.pipe = 0, .touched = {loaded, in_gm}, .put = [=](KernelText& kernel) {
                kernel.load(a.name, "g", "0", col, 1, a.valid);
              }};
    case 1: {
      TouchedBytes stored = in_gm;
      stored.writes = true;
      return {.pipe = 2, .touched = {valid_bytes(a, false), stored}, .put = [=](KernelText& kernel) {
                kernel.store(a.name, "g", "0", col, 1, a.valid);
              }};
    }
    case 2:
      return {.pipe = 1,
              .touched = {valid_bytes(a, false), valid_bytes(b, false), valid_bytes(c, true)},
              .put = [=](KernelText& kernel) {
                kernel.op("tadd", {a.name, b.name}, {c.name});
              }};
    default:
      return {.pipe = 1, .touched = {valid_bytes(a, true)}, .put = [=](KernelText& kernel) {
                kernel.op("texpands", {"1.0 : f32"}, {a.name});
              }};
  }
}

SharedRecording record_nodes(const std::vector<Node>& nodes) {
  KernelText kernel;
  kernel.buffer("g", "f32", 1, 64);
  for (const Tile& tile : kTiles)
    kernel.tile(tile.name, fmt::format("1x{}xf32, valid=1x{}", tile.cols, tile.valid), tile.address);
  for (const Node& node : nodes) {
    const bool raises = node.kind == Node::Kind::Set;
    if (node.kind == Node::Kind::Work) {
      node.put(kernel);
    } else if (node.kind == Node::Kind::Barrier) {
      kernel.barrier("ALL");
    } else if (node.by_class) {
      kernel.line(fmt::format("pto.{} [#pto.pipe_event_type<{}>, #pto.pipe_event_type<{}>, #pto.event<EVENT_ID{}>]",
                              raises ? "record_event" : "wait_event", kClasses[node.pipe], kClasses[node.other],
                              node.event));
    } else if (raises) {
      kernel.set_flag(kPipeNames[node.pipe], kPipeNames[node.other], node.event);
    } else {
      kernel.wait_flag(kPipeNames[node.pipe], kPipeNames[node.other], node.event);
    }
  }
  return kernel.record();
}

using Reached = std::bitset<kMostNodes>;

// By node: those that come before it, whatever the pipes do.
std::vector<Reached> nodes_before(const std::vector<Node>& nodes) {
  std::vector<Reached> before(nodes.size());
  const auto queue = [&](std::size_t i) { return nodes[i].kind == Node::Kind::Wait ? nodes[i].other : nodes[i].pipe; };
  std::vector<char> answered(nodes.size(), 0);
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    const auto edge = [&](std::size_t i) { before[j] |= before[i], before[j].set(i); };
    const bool barrier = nodes[j].kind == Node::Kind::Barrier;
    for (std::size_t i = 0; i < j; ++i) {
      const bool holds_all =
          nodes[i].kind == Node::Kind::Barrier || (nodes[i].kind == Node::Kind::Wait && nodes[i].other == kScalar);
      if (barrier || holds_all || queue(i) == queue(j)) edge(i);
    }
    if (nodes[j].kind != Node::Kind::Wait) continue;
    // The oldest that is still raised.
    for (std::size_t i = 0; i < j; ++i) {
      if (nodes[i].kind != Node::Kind::Set || answered[i] || nodes[i].pipe != nodes[j].pipe ||
          nodes[i].other != nodes[j].other || nodes[i].event != nodes[j].event ||
          nodes[i].by_class != nodes[j].by_class)
        continue;
      edge(i);
      answered[i] = 1;
      break;
    }
  }
  return before;
}

bool conflict(const Node& a, const Node& b) {
  if (a.kind != Node::Kind::Work || b.kind != Node::Kind::Work || a.pipe == b.pipe) return false;
  for (const TouchedBytes& x : a.touched)
    for (const TouchedBytes& y : b.touched)
      if (x.gm == y.gm && (x.writes || y.writes) && x.begin < y.end && y.begin < x.end) return true;
  return false;
}

std::set<std::uint32_t> unordered_steps(const std::vector<Node>& nodes) {
  const std::vector<Reached> before = nodes_before(nodes);
  std::set<std::uint32_t> out;
  for (std::size_t j = 0; j < nodes.size(); ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (conflict(nodes[i], nodes[j]) && !before[j].test(i)) out.insert(static_cast<std::uint32_t>(j));
  return out;
}

// Work with flags anywhere; a wait always has a flag to wait for.
std::vector<Node> random_flags(Random& random) {
  std::vector<Node> nodes;
  std::map<std::tuple<std::size_t, std::size_t, int, bool>, int> raised;
  const std::uint32_t count = random.between(6, 40);
  while (nodes.size() < count) {
    const std::uint32_t what = random.below(10);
    if (what < 4) {
      nodes.push_back(random_work(random));
    } else if (what < 7) {
      const bool by_class = random.one_in(4);
      const std::size_t pipes = by_class ? 3 : 4, from = random.below(static_cast<std::uint32_t>(pipes));
      const std::size_t to = (from + 1 + random.below(static_cast<std::uint32_t>(pipes - 1))) % pipes;
      const int event = static_cast<int>(random.below(2));
      nodes.push_back({.kind = Node::Kind::Set, .pipe = from, .other = to, .event = event, .by_class = by_class});
      ++raised[{from, to, event, by_class}];
    } else if (what < 9) {
      for (auto& [flag, times] : raised) {
        if (times == 0 || random.one_in(3)) continue;
        const auto& [from, to, event, by_class] = flag;
        nodes.push_back({.kind = Node::Kind::Wait, .pipe = from, .other = to, .event = event, .by_class = by_class});
        --times;
        break;
      }
    } else if (random.one_in(4)) {
      nodes.push_back({.kind = Node::Kind::Barrier});
    }
  }
  return nodes;
}

// Work, and for whatever is unordered a flag right behind the first and a wait right before the second.
std::vector<Node> ordered(Random& random) {
  std::vector<Node> nodes;
  for (std::uint32_t i = random.between(4, 14); i > 0; --i) nodes.push_back(random_work(random));
  for (;;) {
    const std::vector<Reached> before = nodes_before(nodes);
    std::optional<std::pair<std::size_t, std::size_t>> open;
    for (std::size_t j = 0; j < nodes.size() && !open; ++j)
      for (std::size_t i = j; i-- > 0 && !open;)
        if (conflict(nodes[i], nodes[j]) && !before[j].test(i)) open = {i, j};
    if (!open) return nodes;
    const std::size_t i = open->first, j = open->second;
    const auto at = [&](std::size_t index) { return nodes.begin() + static_cast<std::ptrdiff_t>(index); };
    // An event that no flag between the two pipes has, so that each wait belongs to one flag.
    int event = 0;
    while (event < 8 && std::ranges::any_of(nodes, [&](const Node& node) {
             return node.kind == Node::Kind::Set && node.pipe == nodes[i].pipe && node.other == nodes[j].pipe &&
                    node.event == event;
           }))
      ++event;
    if (event == 8 || nodes.size() + 2 > kMostNodes) {
      nodes.insert(at(j), {.kind = Node::Kind::Barrier});
      continue;
    }
    const std::size_t from = nodes[i].pipe, to = nodes[j].pipe;
    nodes.insert(at(j), {.kind = Node::Kind::Wait, .pipe = from, .other = to, .event = event});
    nodes.insert(at(i + 1), {.kind = Node::Kind::Set, .pipe = from, .other = to, .event = event});
  }
}

}  // namespace

TEST_CASE("check sync: random flags, against a graph") {
  Random random(411);
  std::size_t found = 0, silent = 0;
  for (std::size_t i = 0; i < kProgramsPerSort; ++i) {
    CAPTURE(i);
    const std::vector<Node> nodes = random_flags(random);
    const std::set<std::uint32_t> expected = unordered_steps(nodes);
    CHECK(steps_of(sync_findings(*record_nodes(nodes))) == expected);
    (expected.empty() ? silent : found) += 1;
  }
  CHECK(found > kProgramsPerSort / 3);
  CHECK(silent > kProgramsPerSort / 40);
}

TEST_CASE("check sync: where all is ordered nothing is told, and every wait that matters is missed") {
  Random random(412);
  std::size_t mattered = 0;
  for (std::size_t i = 0; i < kProgramsPerSort; ++i) {
    CAPTURE(i);
    std::vector<Node> nodes = ordered(random);
    CHECK(sync_findings(*record_nodes(nodes)).empty());
    std::vector<std::size_t> waits;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (nodes[k].kind == Node::Kind::Wait) waits.push_back(k);
    if (waits.empty()) continue;
    nodes.erase(nodes.begin() +
                static_cast<std::ptrdiff_t>(waits[random.below(static_cast<std::uint32_t>(waits.size()))]));
    const std::set<std::uint32_t> expected = unordered_steps(nodes);
    CHECK(steps_of(sync_findings(*record_nodes(nodes))) == expected);
    mattered += expected.empty() ? 0 : 1;
  }
  CHECK(mattered > kProgramsPerSort / 3);
}

// --- single things ---

namespace {

// A loop over rows: load, add, store, with flags; `left_out` of them is not there.
SharedRecording flag_loop(int left_out) {
  KernelText kernel;
  int flag = 0;
  const auto pair = [&](const std::string& from, const std::string& to, auto put) {
    if (flag++ == left_out) return;
    (kernel.*put)(from, to, 0);
  };
  kernel.buffer("x", "f32", 8, 8);
  kernel.buffer("out", "f32", 8, 8);
  kernel.line("%c0 = arith.constant 0 : index");
  kernel.line("%c1 = arith.constant 1 : index");
  kernel.line("%c8 = arith.constant 8 : index");
  kernel.tile("a", "1x8xf32", 0);
  kernel.tile("b", "1x8xf32", 0x40);
  kernel.set_flag("MTE3", "MTE2", 0);
  kernel.line("scf.for %i = %c0 to %c8 step %c1 {");
  pair("MTE3", "MTE2", &KernelText::wait_flag);
  kernel.load("a", "x", "%i", "0", 1, 8);
  kernel.set_flag("MTE2", "V", 0);
  pair("MTE2", "V", &KernelText::wait_flag);
  kernel.op("tadd", {"a", "a"}, {"b"});
  kernel.set_flag("V", "MTE3", 0);
  pair("V", "MTE3", &KernelText::wait_flag);
  kernel.store("b", "out", "%i", "0", 1, 8);
  kernel.set_flag("MTE3", "MTE2", 0);
  kernel.line("}");
  kernel.wait_flag("MTE3", "MTE2", 0);
  return kernel.record();
}

}  // namespace

TEST_CASE("check sync: a loop with flags is in order, and each of its waits matters") {
  CHECK(sync_findings(*flag_loop(-1)).empty());
  for (int left_out = 0; left_out < 3; ++left_out) {
    CAPTURE(left_out);
    CHECK(!sync_findings(*flag_loop(left_out)).empty());
  }
}

TEST_CASE("check sync: what is told names both steps, the missing wait and a free event") {
  KernelText kernel;
  kernel.buffer("x", "f32", 4, 8);
  kernel.buffer("out", "f32", 4, 8);
  kernel.tile("a", "4x8xf32", 0);
  kernel.tile("b", "4x8xf32", 0x80);
  kernel.tile("c", "4x8xf32", 0x100);
  const std::uint32_t first = kernel.load("a", "x", "0", "0", 4, 8);
  kernel.set_flag("MTE2", "V", 0);
  kernel.wait_flag("MTE2", "V", 0);
  kernel.load("b", "x", "0", "0", 4, 8);
  kernel.op("tadd", {"a", "b"}, {"c"});
  const std::uint32_t store = kernel.store("c", "out", "0", "0", 4, 8);
  kernel.load("c", "out", "0", "0", 4, 8);
  const auto found = sync_findings(*kernel.record());
  REQUIRE(found.size() == 3);
  CHECK(found[0].step == 4);
  CHECK(found[0].diagnostic.text ==
        "tadd in V reads %b[0,0] while tload (step 3, MTE2) may still write it: nothing orders the two");
  CHECK(found[0].diagnostic.hint ==
        "set_flag [PIPE_MTE2, PIPE_V, EVENT_ID1] after step 3, and wait_flag with the same before step 4");
  REQUIRE(found[0].diagnostic.notes.size() == 1);
  CHECK(found[0].diagnostic.notes[0].pos.line == first + 4);
  CHECK(found[1].step == 5);
  CHECK(found[1].diagnostic.pos.line == store);
  CHECK(found[1].diagnostic.operand == "src");
  CHECK(found[1].diagnostic.text ==
        "tstore in MTE3 reads %c[0,0] while tadd (step 4, V) may still write it: nothing orders the two");
  // Of a load over what is stored and was made: the view it reads comes first, two more are said to be there.
  CHECK(found[2].step == 6);
  CHECK(found[2].diagnostic.text ==
        "tload in MTE2 reads %out[0,0] while tstore (step 5, MTE3) may still write it: nothing orders the two; so with "
        "1 more earlier step");
  REQUIRE(found[2].element.has_value());
  CHECK(found[2].element->place.space == Space::Gm);
}

TEST_CASE("check sync: lanes beside the valid region do not count") {
  // The vector register that tadd loads reaches over b's bytes, which MTE2 fills; b is nothing to it.
  const auto record = [](std::uint32_t cols) {
    KernelText kernel;
    kernel.buffer("x", "f32", 4, 8);
    kernel.tile("a", "1x16xf32, valid=1x" + std::to_string(cols), 0);
    kernel.tile("b", "1x8xf32", 0x20);
    kernel.tile("c", "1x16xf32, valid=1x" + std::to_string(cols), 0x100);
    kernel.op("texpands", {"1.0 : f32"}, {"a"});
    kernel.load("b", "x", "0", "0", 1, 8);
    kernel.op("tadd", {"a", "a"}, {"c"});
    return kernel.record();
  };
  CHECK(sync_findings(*record(8)).empty());
  CHECK(steps_of(sync_findings(*record(9))) == std::set<std::uint32_t>{1, 2});
}

TEST_CASE("check sync: without flags the assembler puts the waits in, also where a barrier ends the kernel") {
  const auto record = [](int barrier_at) {
    KernelText kernel;
    kernel.buffer("x", "f32", 4, 8);
    kernel.buffer("out", "f32", 4, 8);
    kernel.tile("a", "4x8xf32", 0);
    kernel.tile("b", "4x8xf32", 0x80);
    const auto barrier = [&](int here) {
      if (here == barrier_at) kernel.barrier("ALL");
    };
    kernel.load("a", "x", "0", "0", 4, 8);
    barrier(1);
    kernel.op("tadd", {"a", "a"}, {"b"});
    kernel.store("b", "out", "0", "0", 4, 8);
    barrier(3);
    return kernel.record();
  };
  for (const int barrier_at : {0, 3}) {
    CHECK(sync_findings(*record(barrier_at), true).empty());
    CHECK(steps_of(sync_findings(*record(barrier_at), false)) == std::set<std::uint32_t>{1, 2});
  }
  // A barrier between steps says that the author orders them; it does so for the first two.
  CHECK(steps_of(sync_findings(*record(1), true)) == std::set<std::uint32_t>{3});
}

TEST_CASE("check sync: blocks at the same bytes of global memory") {
  const auto record = [](const std::string& row, const std::string& attributes, std::uint32_t blocks) {
    KernelText kernel;
    kernel.buffer("x", "f32", 4, 8);
    kernel.buffer("out", "f32", 4, 8);
    kernel.line("%block = pto.get_block_idx -> i64");
    kernel.line("%i = arith.index_cast %block : i64 to index");
    kernel.line("%zero = arith.constant 0 : index");
    kernel.tile("a", "1x8xf32", 0);
    kernel.load("a", "x", "0", "0", 1, 8);
    kernel.line("%to = pto.partition_view %out_all, offsets = [" + row +
                ", 0], sizes = [1, 8] : !pto.tensor_view<4x8xf32> -> !pto.partition_tensor_view<1x8xf32>");
    kernel.line("pto.tstore ins(%a : !pto.tile_buf<vec, 1x8xf32>) outs(%to : !pto.partition_tensor_view<1x8xf32>)" +
                attributes);
    return kernel.record({}, blocks);
  };
  CHECK(sync_findings(*record("%i", "", 3), true).empty());  // all read the same row
  CHECK(sync_findings(*record("%zero", "", 1), true).empty());
  const auto found = sync_findings(*record("%zero", "", 3), true);
  REQUIRE(found.size() == 2);
  CHECK(found[0].diagnostic.text.starts_with("tstore of block 1 writes %out[0,0], which tstore (step "));
  CHECK(found[0].diagnostic.text.ends_with(") of block 0 writes: nothing orders blocks"));
  CHECK(found[1].diagnostic.text.starts_with("tstore of block 2 writes"));
  CHECK(found[0].diagnostic.hint.find("pto.get_block_idx") != std::string::npos);
  // Memory adds by itself.
  CHECK(sync_findings(*record("%zero", " {atomicType = #pto<atomic_type atomic_add>}", 3), true).empty());
}

TEST_CASE("check sync: programs whose author leaves the waits to the assembler are silent") {
  std::size_t without = 0;
  for (const Target target : kBothTargets)
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      CAPTURE(seed);
      for (const SharedRecording& recording :
           {record_random_text(7800 + seed, target),
            record_random(7900 + seed, target, 40, {.budget_bytes = std::size_t{8} << 20})}) {
        // The random texts throw flags in that order nothing they do; then it is right to say so.
        if (std::ranges::any_of(recording->program().instructions, [](const Instruction& instruction) {
              return instruction.row == &kSetFlag || instruction.row == &kBarrier;
            }))
          continue;
        ++without;
        for (const Finding& finding : sync_findings(*recording, true))
          CHECK_MESSAGE(false, finding.diagnostic.format());
      }
    }
  CHECK(without > 130);
}

}  // namespace ts::test
