// Gathers from tables in global memory and scatters to them, index by index, on both targets.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/debug/picture/table_picture.h"
#include "tests/support/text/kernel_text.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

// A table of 4 x 8, a tile of `rows` x 8, indices that were loaded before.
struct ByIndex {
  bool gathers;
  Target target = Target::A5;
  bool rows = true;
  std::vector<std::uint32_t> indices;
  std::string attributes = {};

  TablePicture picture() const {
    const auto count = static_cast<std::uint32_t>(indices.size()), lines = rows ? count : 1;
    SmallText text(target);
    text.buffer("table", "f32", 4, 8).buffer("list", "i32", 1, 8);
    text.view("used", "list", 1, count, 8);
    text.tile("i", "1x8xi32, valid=1x" + std::to_string(count), 0x100);
    text.tile("t",
              std::to_string(lines) + "x8xf32, valid=" + std::to_string(lines) + "x" + std::to_string(rows ? 8 : count),
              0x200);
    text.scalar("two", "f32", "2.0");
    text.step("texpands", {"two"}, {"t"});
    text.step("tload", {"used"}, {"i"});
    if (gathers) text.step("mgather", {"table", "i"}, {"t"}, attributes);
    else text.step("mscatter", {"t", "i"}, {"table"}, attributes);
    std::vector<std::uint32_t> all = indices;
    all.resize(8);
    OpenRequest request;
    request.inputs.data["list"] = bytes_of_words(all);
    Questions questions(record_text(text.text(), request));
    return table_picture(questions, 2);
  }
};
using Places = std::vector<std::optional<StepElement>>;
Places places(const TablePicture& picture) {
  Places found;
  for (const TableMove& move : picture.moves) found.push_back(move.place);
  return found;
}
std::optional<StepElement> at(const TablePicture& picture, std::uint32_t row, std::uint32_t col = 0) {
  return StepElement{picture.table, row, col};
}

}  // namespace

TEST_CASE("table picture: rows that are gathered, and what becomes of those outside") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    const std::vector<std::uint32_t> indices{3, 0, 9, 0xFFFFFFFF};
    const auto gathered = [&](const char* way) {
      return ByIndex{.gathers = true,
                     .target = target,
                     .indices = indices,
                     .attributes = std::string(" {gatherOob = #pto<gather_oob ") + way + ">}"}
          .picture();
    };
    const TablePicture clamp = gathered("clamp");
    CHECK(clamp.how.rows);
    CHECK(clamp.how.entries == 4);
    CHECK(clamp.outside == 2);
    CHECK(clamp.disputed == 0);  // two may take one row
    CHECK(places(clamp) == Places{at(clamp, 3), at(clamp, 0), at(clamp, 3), at(clamp, 3)});
    CHECK(clamp.moves[3].bits == 0xFFFFFFFF);
    CHECK(clamp.moves[2].cols == 8);
    const TablePicture wrap = gathered("wrap");
    CHECK(places(wrap) == Places{at(wrap, 3), at(wrap, 0), at(wrap, 1), at(wrap, 3)});
    CHECK(wrap.of_table.at({1, 7}) == 2);
    CHECK(wrap.of_tile.at({2, 7}) == 2);
    const TablePicture zero = gathered("zero");
    CHECK(places(zero) == Places{at(zero, 3), at(zero, 0), {}, {}});
    CHECK(!zero.moves[2].entry.has_value());
    CHECK(zero.moves[2].outside);
  }
}

TEST_CASE("table picture: elements that are gathered") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    const TablePicture picture =
        ByIndex{.gathers = true, .target = target, .rows = false, .indices = {31, 8, 8}}.picture();
    CHECK(!picture.how.rows);
    CHECK(picture.how.entries == 32);
    CHECK(places(picture) == Places{at(picture, 3, 7), at(picture, 1, 0), at(picture, 1, 0)});
    CHECK(picture.of_tile.at({0, 2}) == 2);
    CHECK(picture.of_index.at({0, 1}) == 1);
    CHECK(picture.outside == 0);
  }
}

TEST_CASE("table picture: of rows that are scattered to one place the last one stays, unless they are joined") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    const ByIndex scattered{.gathers = false, .target = target, .indices = {2, 1, 2, 7}};
    const auto with = [&](const std::string& attributes) {
      ByIndex of = scattered;
      of.attributes = " {" + attributes + "}";
      return of.picture();
    };
    const TablePicture clamp = with("scatterOob = #pto<scatter_oob clamp>");
    CHECK(clamp.outside == 1);
    CHECK(clamp.disputed == 1);
    CHECK(places(clamp) == Places{{}, at(clamp, 1), at(clamp, 2), at(clamp, 3)});
    CHECK(clamp.moves[0].lost_to == 2);
    CHECK(clamp.moves[0].rivals == 1);
    CHECK(!clamp.moves[2].lost_to.has_value());
    CHECK(clamp.moves[1].rivals == 0);
    const TablePicture wrap = with("scatterOob = #pto<scatter_oob wrap>");  // 7 is 3
    CHECK(places(wrap) == places(clamp));
    const TablePicture skip = with("scatterOob = #pto<scatter_oob skip>");
    CHECK(places(skip) == Places{{}, at(skip, 1), at(skip, 2), {}});
    CHECK(!skip.moves[3].entry.has_value());
    const TablePicture added =
        with("scatterOob = #pto<scatter_oob skip>, scatterAtomicOp = #pto<scatter_atomic_op add>");
    CHECK(added.joins);
    CHECK(added.disputed == 1);
    CHECK(!added.moves[0].lost_to.has_value());
    CHECK(places(added) == Places{at(added, 2), at(added, 1), at(added, 2), {}});
  }
}

TEST_CASE("table picture: indices that clamp to one element are rivals though they differ") {
  const TablePicture picture = ByIndex{.gathers = false,
                                       .rows = false,
                                       .indices = {40, 31, 50, 3},
                                       .attributes = " {scatterOob = #pto<scatter_oob clamp>}"}
                                   .picture();
  CHECK(picture.disputed == 1);
  CHECK(picture.moves[0].lost_to == 2);
  CHECK(picture.moves[1].lost_to == 2);
  CHECK(picture.moves[2].rivals == 2);
  CHECK(picture.moves[2].place == at(picture, 3, 7));
}

}  // namespace ts::test
