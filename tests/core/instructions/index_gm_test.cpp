// MGATHER and MSCATTER against their oracles: an index for each element and for each row, every way for those outside,
// every way to join, tables with gaps, in boxes, and tiles in L1.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kGmOfTables = 512 * 1024;
constexpr DTypeSet kAddedOnA2A3{DType::I8, DType::I16, DType::I32, DType::F16, DType::BF16, DType::F32},
    kAddedOnA5{DType::I32, DType::U32, DType::F16, DType::BF16, DType::F32},
    kPickedOnA5{DType::I32, DType::U32, DType::F32};

int programs_of_each() { return rounds(2, 20, 200); }

// One instruction to be.
struct Draw {
  Random& random;
  Target target;
  DType type;
  bool gathers;
  bool rows = false, mat = false, boxes = false;
  Valid valid = {};

  const char* outside() const {
    return gathers ? random.pick({"undefined", "clamp", "wrap", "zero"})
                   : random.pick({"undefined", "skip", "clamp", "wrap"});
  }
  const char* join() const {
    const bool a5 = target == Target::A5;
    if (random.one_in(2)) return "none";
    if (a5 && kPickedOnA5.contains(type) && random.one_in(2)) return random.pick({"max", "min"});
    return (a5 ? kAddedOnA5 : kAddedOnA2A3).contains(type) ? "add" : "none";
  }
};

TilePlan data_tile(const Draw& draw) {
  if (!draw.mat && !draw.boxes) return random_tile(draw.random, "data", draw.type, draw.valid);
  const std::uint32_t lanes = BLK / size_bytes(draw.type);
  TileType type = boxed(draw.mat ? TileLoc::Mat : TileLoc::Vec, draw.type, rounded_up(draw.valid.rows, 16),
                        rounded_up(draw.valid.cols, lanes), BoxOrder::ColMajor, InnerOrder::RowMajor);
  type.valid_rows = type.valid_cols = kDynamic;
  return {"data", type, draw.valid};
}
TilePlan index_tile(const Draw& draw) {
  const DType type = draw.random.pick({DType::I32, DType::U32});
  if (!draw.rows) return random_tile(draw.random, "indices", type, draw.valid);
  if (draw.target == Target::A2A3 || draw.random.one_in(2))
    return random_tile(draw.random, "indices", type, {1, draw.valid.rows});
  return {"indices",
          col_major(vec_tile(type, rounded_up(draw.valid.rows, 8), 1, kDynamic, kDynamic)),
          {draw.valid.rows, 1}};
}
View table_view(ProgramBuilder& builder, const Draw& draw) {
  View view{.buffer = {}, .rows = draw.random.between(1, 40), .cols = draw.random.between(1, 60)};
  if (draw.rows) view.cols = draw.valid.cols + (draw.target == Target::A2A3 ? draw.random.below(9) : 0);
  if (draw.boxes) {
    view.layout = GlobalLayout::NZ;
    view.cols = std::max(view.cols, draw.valid.cols);
  }
  if (draw.rows && draw.target == Target::A2A3 && !draw.boxes) view.pitch = view.cols + draw.random.below(9);
  view.offset = draw.random.one_in(2) ? draw.random.below(40) : 0;
  const std::uint32_t lanes = BLK / size_bytes(draw.type),
                      whole = draw.boxes ? rounded_up(view.rows, 16) * rounded_up(view.cols, lanes)
                                         : view.rows * std::max(view.pitch, view.cols);
  view.buffer = builder.buffer("table", draw.type, view.offset + whole + draw.random.below(9));
  return view;
}

// Capacity in rows or elements, of views as `table_view` makes them.
std::uint32_t capacity_of_table(const Draw& draw, const View& view) {
  const std::uint32_t lanes = BLK / size_bytes(draw.type);
  const std::uint32_t rows = draw.boxes ? rounded_up(view.rows, 16) : view.rows,
                      cols = draw.boxes ? rounded_up(view.cols, lanes) : view.cols;
  return draw.rows ? rows : rows * cols;
}

void check_one(Stage& stage, Draw draw) {
  Random& random = draw.random;
  ProgramBuilder builder(draw.target, "by index");
  draw.valid = random_valid(random, 4, 512);
  draw.valid = {std::clamp(draw.valid.rows, 1u, 40u), std::max(draw.valid.cols, 1u)};
  draw.rows = draw.valid.cols > 1 && random.one_in(2);
  draw.mat = draw.gathers && random.one_in(5);
  draw.boxes = !draw.mat && draw.target == Target::A2A3 && random.one_in(5);
  const View table = table_view(builder, draw);
  const std::string outside = draw.outside();
  std::vector<BuildAttribute> attributes{{draw.gathers ? "gatherOob" : "scatterOob", outside}};
  if (!draw.gathers) attributes.push_back({"scatterAtomicOp", draw.join()});
  if (random.one_in(3)) attributes.push_back({"coalesce", draw.rows ? "row" : "elem"});
  std::vector<TilePlan> plans{data_tile(draw)};
  if (!draw.mat) plans.push_back(index_tile(draw));
  const auto tiles = add_tiles(builder, random, draw.target, plans);
  if (draw.mat) {
    const Valid shape = draw.rows ? Valid{1, draw.valid.rows} : draw.valid;
    const View indices{.buffer = builder.buffer("indices", DType::I32, shape.rows * shape.cols),
                       .rows = shape.rows,
                       .cols = shape.cols};
    builder.add("mgather", {table, indices}, {tiles[0]}, attributes);
  } else if (draw.gathers) {
    builder.add("mgather", {table, tiles[1]}, {tiles[0]}, attributes);
  } else {
    builder.add("mscatter", {tiles[0], tiles[1]}, {table}, attributes);
  }
  const Program program = build(builder);
  REQUIRE(program.gm_bytes <= kGmOfTables);
  stage.fill(program, random, random.pick({Values::Plain, Values::AnyBits, Values::Special}));
  const std::uint32_t limit = capacity_of_table(draw, table);
  const auto index = [&]() -> std::uint32_t {
    if (outside != "undefined" && random.one_in(4)) return random.pick({limit, limit + 7, 0xFFFFFFFFu, 0x80000000u});
    return random.below(random.one_in(3) ? std::min(limit, 3u) : limit);
  };
  const Bound bound = bound_of(program, 0);
  const Operand& indices = *bound.find("indices");
  if (draw.mat) {
    for (std::uint32_t at = indices.global.address; at < indices.global.buffer_end; at += 4)
      stage.set_bits({Space::Gm, at, 4}, index());
  } else {
    for (std::uint32_t row = 0; row < indices.tile.rows(); ++row)
      for (std::uint32_t col = 0; col < indices.tile.cols(); ++col) stage.set_element(indices.tile, row, col, index());
  }
  stage.check(program, random);
}

void check_gm(bool gathers) {
  for (const Target target : kBothTargets) {
    Stage stage(target, kGmOfTables);
    for (int t = 0; t < kDTypes; ++t) {
      const auto type = static_cast<DType>(t);
      if (!kTypesTo32.contains(type)) continue;
      Random random(9100 + static_cast<std::uint64_t>(t) + (gathers ? 0 : 50));
      for (int i = 0; i < programs_of_each(); ++i) check_one(stage, {random, target, type, gathers});
    }
  }
}

// A table of 6 x 8 f32, a tile of 4 x 8, an index for each row or for each element.
struct SaidTwice {
  bool gathers;
  Target target;
  bool rows;
  const char* outside;

  const char* attribute() const { return gathers ? "gatherOob" : "scatterOob"; }
  Program built() const {
    ProgramBuilder builder(target, "k");
    const TileId data = builder.tile("data", vec_tile(DType::F32, 4, 8), {.address = kData}),
                 indices = builder.tile("i", rows ? vec_tile(DType::I32, 1, 8, 1, 4) : vec_tile(DType::I32, 4, 8),
                                        {.address = kIndices});
    const View table{.buffer = builder.buffer("g", DType::F32, 48), .rows = 6, .cols = 8};
    const std::vector<BuildAttribute> attributes{{attribute(), outside}};
    if (gathers) builder.add("mgather", {table, indices}, {data}, attributes);
    else builder.add("mscatter", {data, indices}, {table}, attributes);
    return build(builder);
  }
  std::string text() const {
    SmallText text(target);
    text.buffer("g", "f32", 6, 8).tile("data", "4x8xf32", kData);
    text.tile("i", rows ? "1x8xi32, valid=1x4" : "4x8xi32", kIndices);
    const std::string attributes =
        std::string(" {") + attribute() + " = #pto<" + (gathers ? "gather_oob " : "scatter_oob ") + outside + ">}";
    if (gathers) text.step("mgather", {"g", "i"}, {"data"}, attributes);
    else text.step("mscatter", {"data", "i"}, {"g"}, attributes);
    return text.text();
  }
  // What the table and the tiles hold at the end.
  std::vector<std::byte> left_by(Program program) const {
    const std::uint32_t limit = rows ? 6 : 48;
    const auto fill = [&](Memory& memory) {
      Random random(17);
      for (const auto& [space, from] : {std::pair{Space::Gm, 0u}, {Space::Ub, kData}})
        for (std::uint32_t at = from; at < from + 48 * 4; at += 4)
          memory.set_element(space, at, 4, random.below(1u << 20));
      const bool inside = std::string_view(outside) == "undefined";
      for (std::uint32_t i = 0; i < 32; ++i)
        memory.set_element(Space::Ub, kIndices + 4 * i, 4, random.below(inside ? limit : 2 * limit));
      memory.mark(memory.map().flat(Space::Ub, 0), kIndices + 0x100, Definedness::Written);
    };
    const auto recording = Recording::run(std::move(program), {.budget_bytes = std::size_t{2} << 20, .initial = fill});
    CHECK(recording->stop_reason() == StopReason::End);
    std::vector<std::byte> out;
    for (const auto& [space, from] : {std::pair{Space::Gm, 0u}, {Space::Ub, kData}}) {
      const auto bytes = recording->final_memory().bytes(space, from, 48 * 4);
      out.insert(out.end(), bytes.begin(), bytes.end());
    }
    return out;
  }
  static constexpr std::uint32_t kData = 0x1000, kIndices = 0x3000;
};

}  // namespace

TEST_CASE("mgather, mscatter: what text says and what the builder makes leave the same") {
  for (const bool gathers : {true, false})
    for (const Target target : kBothTargets)
      for (const bool rows : {true, false})
        for (const char* outside : {"undefined", "clamp", "wrap", gathers ? "zero" : "skip"}) {
          const SaidTwice said{gathers, target, rows, outside};
          CAPTURE(said.text());
          OpenedText opened = open_text(said.text(), target);
          REQUIRE(opened.opened.has_value());
          CHECK(said.left_by(std::move(opened.opened->program)) == said.left_by(said.built()));
        }
}

TEST_CASE("mgather: random tables and tiles agree with the oracle") { check_gm(true); }
TEST_CASE("mscatter: random tables and tiles agree with the oracle") { check_gm(false); }

}  // namespace ts::test
