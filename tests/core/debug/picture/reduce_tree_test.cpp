// The order in which reductions join elements, on both targets: what the drawing shows must be what the
// micro-operations do.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/debug/picture/reduce_tree.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

// One instruction from a source to a result.
std::string reduction(Target target, const std::string& op, const std::string& src, const std::string& dst,
                      const std::string& attributes = "") {
  SmallText text(target);
  text.tile("a", src).tile("d", dst).step(op, {"a"}, {"d"}, attributes);
  return text.text();
}

struct ReducedElement {
  ReducedElement(const std::string& text, std::uint32_t row, std::uint32_t col)
      : recording(record_text(text)), inspector(*recording) {
    StepMap map;
    map.look_at(0);
    const Flow flow = inspector.flow(0);
    const Bound& bound = recording->bound(0);
    tree =
        reduce_tree({*recording, flow, map}, {static_cast<int>(bound.find("dst") - bound.operands.data()), row, col});
  }
  // "((0 1) (2 3))": columns, or with `rows` rows.
  std::string text(bool rows = false) const { return tree.empty() ? "" : text_of(tree.root(), rows); }
  std::string text_of(const ReduceNode& node, bool rows) const {
    if (node.items.empty()) return fmt::format("{}", rows ? node.element.row : node.element.col);
    std::string out = "(";
    for (const std::uint32_t item : node.items) out += (out.size() > 1 ? " " : "") + text_of(tree.nodes[item], rows);
    return out + ")";
  }

  SharedRecording recording;
  Inspector inspector;
  ReduceTree tree;
};

}  // namespace

TEST_CASE("reduce tree: on A5 neighbours join in a register, and registers one after the other") {
  const ReducedElement eight(reduction(Target::A5, "trowsum", "2x8xf32", "2x8xf32, valid=2x1"), 1, 0);
  CHECK(eight.text() == "(((0 1) (2 3)) ((4 5) (6 7)))");
  CHECK(eight.tree.root().level == 3);
  for (const std::uint32_t node : eight.tree.root().items) CHECK(eight.tree.nodes[node].elements == 4);
  CHECK(eight.tree.nodes.front().element.row == 1);

  const ReducedElement wide(reduction(Target::A5, "trowsum", "1x200xf32", "1x8xf32, valid=1x1"), 0, 0);
  CHECK(wide.tree.ordered);
  REQUIRE(wide.tree.root().items.size() == 4);
  CHECK(wide.tree.root().elements == 200);
  CHECK(elements_text(wide.tree, wide.tree.root().items[1], "a") == "a[0,64..127]");
  CHECK(elements_text(wide.tree, wide.tree.root().items[3], "a") == "a[0,192..199]");
}

TEST_CASE("reduce tree: lanes behind the valid region have no part in it") {
  CHECK(ReducedElement(reduction(Target::A5, "trowsum", "1x8xf32, valid=1x5", "1x8xf32, valid=1x1"), 0, 0).text() ==
        "((0 1) (2 3) 4)");
  CHECK(ReducedElement(reduction(Target::A5, "trowsum", "1x8xf32, valid=1x1", "1x8xf32, valid=1x1"), 0, 0).text() ==
        "0");
}

TEST_CASE("reduce tree: on A2A3 repeats join lane by lane before the lanes do") {
  const ReducedElement wide(reduction(Target::A2A3, "trowsum", "1x256xf32", "1x8xf32, valid=1x1"), 0, 0);
  REQUIRE(wide.tree.ordered);
  CHECK(wide.tree.root().elements == 256);
  // Six levels of lanes stand above two of repeats.
  CHECK(wide.tree.root().level == 8);
  CHECK(elements_below(wide.tree, wide.tree.root_number())[3].col == 192);
  const auto lane = std::ranges::find_if(wide.tree.nodes, [](const ReduceNode& node) { return node.elements == 4; });
  CHECK(elements_text(wide.tree, static_cast<std::uint32_t>(lane - wide.tree.nodes.begin()), "a") ==
        "every 64th of a[0,0..192]");
}

TEST_CASE("reduce tree: on A2A3 blocks of integers join, then lane after lane") {
  const ReducedElement sum(reduction(Target::A2A3, "trowsum", "1x16xi32, valid=1x12", "1x8xi32, valid=1x1"), 0, 0);
  CHECK(sum.text() == "((0 8) (1 9) (2 10) (3 11) 4 5 6 7)");
}

TEST_CASE("reduce tree: columns, by twos on A5, one by one on A2A3, by pairs of pairs where that is asked") {
  const auto column = [](Target target, const std::string& attributes) {
    return ReducedElement(reduction(target, "tcolsum", "7x8xf32", "1x8xf32", attributes), 0, 5).text(true);
  };
  CHECK(column(Target::A5, "") == "(0 (1 2) (3 4) (5 6))");
  CHECK(column(Target::A2A3, "") == "(0 1 2 3 4 5 6)");
  CHECK(column(Target::A5, "{isBinary = true}") == "((0 1) (2 3) (4 5 6))");
  CHECK(column(Target::A2A3, "{isBinary = true}") == "((0 1 6) (2 3) (4 5))");
}

TEST_CASE("reduce tree: elements of 64 bits are one each, although their words travel apart") {
  CHECK(ReducedElement(reduction(Target::A5, "trowsum", "1x4xi64, valid=1x3", "1x4xi64, valid=1x1"), 0, 0).text() ==
        "(0 1 2)");
  CHECK(ReducedElement(reduction(Target::A5, "tcolsum", "3x4xi64", "1x4xi64"), 0, 2).text(true) == "(0 1 2)");
}

TEST_CASE("reduce tree: a search compares all elements, each once") {
  for (const Target target : kBothTargets)
    for (const char* op : {"trowargmax", "tcolargmin"}) {
      CAPTURE(target);
      CAPTURE(std::string(op));
      const bool rows = op[1] == 'r';
      const ReducedElement found(reduction(target, op, "6x8xf32", rows ? "6x8xi32, valid=6x1" : "1x8xi32"), 0, 0);
      REQUIRE_FALSE(found.tree.empty());
      CHECK(found.tree.root().elements == (rows ? 8 : 6));
      CHECK(is_search(found.recording->bound(0)));
      if (!rows) CHECK(found.text(true) == "(0 1 2 3 4 5)");
    }
}

TEST_CASE("reduce tree: what joins give is said only where it is known") {
  SmallText text(Target::A5);
  text.buffer("x", "f32", 1, 8).tile("a", "1x8xf32").tile("d", "1x8xf32, valid=1x1").step("tload", {"x"}, {"a"});
  text.step("trowsum", {"a"}, {"d"});
  const SharedRecording recording = record_text(text.text());
  Inspector inspector(*recording);
  StepMap map;
  map.look_at(1);
  const auto result =
      static_cast<std::uint32_t>(inspector.at(2).element(Space::Ub, recording->bound(1).tile("dst").address, 4));
  const Flow flow = inspector.flow(1);
  const StepFlow asked{*recording, flow, map};
  const int dst = static_cast<int>(recording->bound(1).find("dst") - recording->bound(1).operands.data());
  const ReduceTree tree = reduce_tree(asked, {dst, 0, 0});
  const auto values = values_of(tree, asked, "+", result);
  REQUIRE(values);
  CHECK(values->back() == result);
  const auto number = [&](std::uint32_t node) {
    return std::bit_cast<float>(static_cast<std::uint32_t>((*values)[node]));
  };
  const auto [left, right] = std::pair(tree.root().items[0], tree.root().items[1]);
  CHECK(number(left) + number(right) == std::bit_cast<float>(result));
  // Another operation would not give this result.
  CHECK_FALSE(values_of(tree, asked, "max", result));
  CHECK_FALSE(values_of(tree, asked, "op", result));
}

TEST_CASE("reduce tree: what the step does not write was made of nothing") {
  const ReducedElement nothing(reduction(Target::A5, "trowsum", "2x8xf32", "2x8xf32, valid=2x1"), 1, 3);
  CHECK(nothing.tree.empty());
  CHECK(part_of_tree(nothing.tree, 0, 10).tips.empty());
}

TEST_CASE("reduce tree: as much of it as there is room for") {
  const ReducedElement sum(reduction(Target::A5, "trowsum", "1x1024xf32", "1x8xf32, valid=1x1"), 0, 0);
  // All elements; registers; the first and the last of them.
  CHECK(part_of_tree(sum.tree, sum.tree.root_number(), 1024).tips.size() == 1024);
  const ReducePart registers = part_of_tree(sum.tree, sum.tree.root_number(), 30);
  CHECK(registers.level == 6);
  REQUIRE(registers.tips.size() == 16);
  CHECK(sum.tree.nodes[registers.tips[2].node].elements == 64);
  const ReducePart few = part_of_tree(sum.tree, sum.tree.root_number(), 6);
  REQUIRE(few.tips.size() == 6);
  CHECK(few.tips[3].left_out == 11);
  CHECK(elements_text(sum.tree, few.tips[5].node, "a") == "a[0,960..1023]");
  CHECK(part_of_tree(sum.tree, sum.tree.root_number(), 0).tips.size() == 3);
}

}  // namespace ts::test
