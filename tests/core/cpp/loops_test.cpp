// Loops found in sources, and the turns of them that calls are in.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "core/cpp/live/loops.h"
#include "tests/support/random.h"

namespace ts::test {

using cpp::CallChain;
using cpp::scan_loops;
using cpp::SourceLoop;
using cpp::StepLoops;

TEST_CASE("cpp loops: where they begin and end") {
  const std::vector<SourceLoop> loops = scan_loops(
      "void k() {\n"
      "  for (int i = 0; i < 3; ++i) {\n"
      "    while (go(i)) TADD(a, a, b);\n"
      "    // for (;;) {\n"
      "  }\n"
      "  do {\n"
      "    TSUB(a, a, b);\n"
      "  } while (x);\n"
      "  for (auto& t : tiles)\n"
      "    if (t) { TMUL(t, t, t); }\n"
      "    else TDIV(t, t, t);\n"
      "}\n");
  REQUIRE(loops.size() == 4);
  CHECK((loops[0].begin == 2 && loops[0].end == 5));
  CHECK((loops[1].begin == 3 && loops[1].end == 3));
  CHECK((loops[2].begin == 6 && loops[2].end == 8));
  CHECK(loops[3].begin == 9);
  // What is not finished ends with the text.
  for (const char* broken : {"for (;;", "for for while ( do {", "do", "while"})
    for (const SourceLoop& loop : scan_loops(broken)) CHECK(loop.end == 1);
}

namespace {

// A random kernel: nested loops, calls, and a helper with a loop of its own, as text and as what it does.
class RandomKernel {
 public:
  explicit RandomKernel(std::uint64_t seed) : random_(seed) {
    line("void helper() {");
    helper_ = body(1, 1);
    line("}");
    line("void k() {");
    main_ = body(1, 3);
    line("}");
  }

  struct Call {
    std::uint32_t instruction;
    std::vector<std::uint32_t> turns;
  };
  const std::vector<CallChain>& chains() const { return chains_; }
  const std::string& text() const { return text_; }
  const std::vector<Call>& run() {
    execute(main_, {}, {});
    return calls_;
  }

 private:
  struct Node {
    enum Kind { Op, Loop, Helper } kind = Op;
    std::uint32_t line = 0;
    std::vector<Node> inside = {};
  };
  void line(const std::string& text) {
    text_ += text + "\n";
    ++lines_;
  }
  // The first of a body is always a call, so that each turn has one.
  std::vector<Node> body(std::size_t depth, std::uint32_t most) {
    std::vector<Node> out;
    const std::uint32_t count = random_.between(1, 4);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t kind = i == 0 ? 0 : random_.below(4);
      const std::string indent(2 * depth, ' ');
      if (kind == 2 && most > 0) {
        line(indent + "for (int i = 0; i < n; ++i) {");
        Node loop{Node::Loop, lines_};
        loop.inside = body(depth + 1, most - 1);
        line(indent + "}");
        out.push_back(std::move(loop));
      } else if (kind == 3 && !helper_.empty()) {
        line(indent + "helper();");
        out.push_back({Node::Helper, lines_});
      } else {
        line(indent + "TADD(a, a, b);");
        out.push_back({Node::Op, lines_});
      }
    }
    return out;
  }
  void execute(const std::vector<Node>& nodes, const CallChain& chain, const std::vector<std::uint32_t>& turns) {
    for (const Node& node : nodes) {
      CallChain here = chain;
      here.push_back({"k.cpp", node.line, 3});
      if (node.kind == Node::Helper) execute(helper_, here, turns);
      if (node.kind == Node::Op) {
        std::uint32_t number = 0;
        const auto same = [&](const CallChain& one) {
          return std::ranges::equal(one, here, [](const auto& a, const auto& b) { return a.line == b.line; });
        };
        while (number < chains_.size() && !same(chains_[number])) ++number;
        if (number == chains_.size()) chains_.push_back(here);
        calls_.push_back({number, turns});
      }
      if (node.kind != Node::Loop) continue;
      std::vector<std::uint32_t> inner = turns;
      inner.push_back(0);
      for (std::uint32_t count = random_.between(1, 3); inner.back() < count; ++inner.back())
        execute(node.inside, chain, inner);
    }
  }

  Random random_;
  std::string text_;
  std::uint32_t lines_ = 0;
  std::vector<Node> helper_, main_;
  std::vector<CallChain> chains_;
  std::vector<Call> calls_;
};

}  // namespace

TEST_CASE("cpp loops: the turns of random kernels") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    RandomKernel kernel(seed);
    const auto calls = kernel.run();
    CAPTURE(kernel.text());
    StepLoops loops(kernel.chains(), [&](const std::string&) { return scan_loops(kernel.text()); });
    for (std::size_t i = 0; i < calls.size(); ++i) {
      std::vector<std::uint32_t> turns;
      for (const LoopTurn& turn : loops.next(calls[i].instruction, 0)) turns.push_back(turn.turn);
      REQUIRE_MESSAGE(turns == calls[i].turns, "call " << i);
    }
  }
}

}  // namespace ts::test
