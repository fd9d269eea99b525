// Where tiles without an address are put.
#include "core/program/placement.h"

#include <doctest/doctest.h>

#include "tests/support/instructions/shapes.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

// A program that is nothing but tiles.
struct Tiles {
  explicit Tiles(Target target) { program.target = target; }
  TileDecl& add(const TileType& type, int address = -1) {
    program.tiles.push_back({.name = "t" + std::to_string(program.tiles.size()),
                             .type = type,
                             .address = address < 0 ? 0xFFFFFFFF : static_cast<std::uint32_t>(address)});
    placed.push_back(address >= 0);
    scratch.push_back(0);
    return program.tiles.back();
  }
  Diagnostics place() {
    Diagnostics out;
    place_tiles(program, {}, placed, scratch, out);
    return out;
  }
  std::uint32_t address(std::size_t i) const { return program.tiles[i].address; }

  Program program;
  std::vector<char> placed, scratch;
};

TileType bytes(std::uint32_t size) { return vec_tile(DType::U8, 1, size); }
TileType at(TileLoc loc, TileType type) {
  type.loc = loc;
  return type;
}

}  // namespace

TEST_CASE("places: one behind the other, in blocks") {
  Tiles tiles(Target::A2A3);
  tiles.add(bytes(32));
  tiles.add(bytes(33));
  tiles.add(bytes(1));
  tiles.add(bytes(64));
  CHECK(tiles.place().empty());
  CHECK(tiles.address(0) == 0);
  CHECK(tiles.address(1) == 32);
  CHECK(tiles.address(2) == 96);
  CHECK(tiles.address(3) == 128);
}

TEST_CASE("places: around what the author placed, whatever the order in the text") {
  Tiles tiles(Target::A2A3);
  tiles.add(bytes(64));
  tiles.add(bytes(64), 256);
  tiles.add(bytes(128));
  tiles.add(bytes(32));
  tiles.add(bytes(40), 64);
  CHECK(tiles.place().empty());
  CHECK(tiles.address(0) == 0);
  CHECK(tiles.address(2) == 128);  // behind 64 + 40, in blocks; up to 256
  CHECK(tiles.address(3) == 320);
  CHECK(tiles.address(1) == 256);
  CHECK(tiles.address(4) == 64);
}

TEST_CASE("places: every memory has its own, and operands of the cube whole fractals") {
  Tiles tiles(Target::A5);
  tiles.add(bytes(32));
  tiles.add(at(TileLoc::Mat, bytes(32)));
  tiles.add(at(TileLoc::Left, bytes(32)));
  tiles.add(at(TileLoc::Left, bytes(32)));
  tiles.add(at(TileLoc::Mat, bytes(32)));
  CHECK(tiles.place().empty());
  CHECK(tiles.address(0) == 0);
  CHECK(tiles.address(1) == 0);
  CHECK(tiles.address(2) == 0);
  CHECK(tiles.address(3) == 512);
  CHECK(tiles.address(4) == 32);
}

TEST_CASE("places: without room the message names the tile and the largest ones") {
  Tiles tiles(Target::A2A3);
  tiles.add(bytes(100 * 1024));
  tiles.add(bytes(32));
  tiles.add(bytes(100 * 1024));
  const Diagnostics found = tiles.place();
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == "E-PLACE");
  CHECK(found[0].text == "no room for %t2 (102400 bytes) in ub: 102432 of 196608 used");
  CHECK(found[0].hint.ends_with("%t0 102400, %t2 102400, %t1 32"));
}

TEST_CASE("places: a5 keeps the end of ub, but not from who asks for it") {
  Tiles tiles(Target::A5);
  tiles.add(bytes(248 * 1024));
  tiles.add(bytes(32), 255 * 1024);
  CHECK(tiles.place().empty());
  tiles.add(bytes(32));
  CHECK(tiles.place().size() == 1);
}

TEST_CASE("places: scratch that nobody touches comes last, and does without when there is no room") {
  Tiles tiles(Target::A2A3);
  tiles.add(bytes(32 * 1024));
  tiles.scratch[0] = 1;
  tiles.add(bytes(96 * 1024));
  tiles.add(bytes(96 * 1024));
  CHECK(tiles.place().empty());
  CHECK(tiles.address(1) == 0);
  CHECK(tiles.address(2) == 96 * 1024);
  Tiles roomy(Target::A2A3);
  roomy.add(bytes(64));
  roomy.scratch[0] = 1;
  roomy.add(bytes(32));
  CHECK(roomy.place().empty());
  CHECK(roomy.address(1) == 0);
  CHECK(roomy.address(0) == 32);
}

TEST_CASE("places: aliases stand elsewhere and take no room") {
  Tiles tiles(Target::A2A3);
  tiles.add(bytes(190 * 1024)).alias = true;
  tiles.add(bytes(190 * 1024));
  CHECK(tiles.place().empty());
  CHECK(tiles.address(1) == 0);
}

TEST_CASE("places: nothing overlaps, whatever is given") {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    Tiles tiles(random.one_in(2) ? Target::A5 : Target::A2A3);
    std::uint32_t given = 0;
    for (int i = 0; i < 20; ++i) {
      const TileType type = bytes(random.between(1, 3000));
      if (!random.one_in(3)) {
        tiles.add(type);
        continue;
      }
      given += BLK * random.below(200);
      tiles.add(type, static_cast<int>(given));
      given += (static_cast<std::uint32_t>(type.size_bytes()) + BLK - 1) / BLK * BLK;
    }
    CHECK(tiles.place().empty());
    for (std::size_t i = 0; i < 20; ++i) {
      CHECK(tiles.address(i) % BLK == 0);
      for (std::size_t k = 0; k < i; ++k)
        CHECK((tiles.address(i) >= tiles.address(k) + tiles.program.tiles[k].type.size_bytes() ||
               tiles.address(k) >= tiles.address(i) + tiles.program.tiles[i].type.size_bytes()));
    }
  }
}

}  // namespace ts::test
