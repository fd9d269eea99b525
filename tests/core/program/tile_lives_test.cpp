// Which tiles share bytes when the compiler places them, and that nothing else changes by it.
#include "core/program/tile_lives.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/check/check.h"
#include "core/debug/origins/lifetimes.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/open_text.h"
#include "tests/support/text/text_program.h"

namespace ts::test {
namespace {

#define TS_T "!pto.tile_buf<vec, 8x8xf32>"

std::string kernel(const std::string& tiles, const std::string& statements) {
  std::string text = R"(func.func @k(%p: !pto.ptr<f32>, %q: !pto.ptr<f32>, %on: i1, %n: index) attributes {pto.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %two = arith.constant 2.0 : f32
  %v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %w = pto.make_tensor_view %q, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
)";
  for (const char tile : tiles) text += fmt::format("  %{} = pto.alloc_tile : " TS_T "\n", tile);
  return text + statements + "  return\n}\n";
}
std::string load(char tile) {
  return fmt::format("  pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%{} : " TS_T ")\n", tile);
}
std::string store(char tile) {
  return fmt::format("  pto.tstore ins(%{} : " TS_T ") outs(%w : !pto.tensor_view<8x8xf32>)\n", tile);
}
std::string twice(char from, char to) {
  return fmt::format("  pto.tmuls ins(%{} , %two : " TS_T ", f32) outs(%{} : " TS_T ")\n", from, to);
}
std::string add(char a, char b, char to) {
  return fmt::format("  pto.tadd ins(%{}, %{} : " TS_T ", " TS_T ") outs(%{} : " TS_T ")\n", a, b, to);
}
std::string loop(const std::string& body) { return "  scf.for %i = %c0 to %n step %c1 {\n" + body + "  }\n"; }

// The tiles' places in units of a tile: "a0 b1 c0".
std::string places(const std::string& text, bool keep = false) {
  OpenRequest request;
  request.options.placement_keep = keep;
  const OpenedText opened = open_text(text, Target::A5, request);
  REQUIRE(opened.opened.has_value());
  std::string out;
  for (const TileDecl& tile : opened.opened->program.tiles) {
    if (tile.alias || tile.implicit) continue;
    out += fmt::format("{}{}{}", out.empty() ? "" : " ", tile.name, tile.address / 256);
  }
  return out;
}

// What it leaves in its buffers, with and without tiles that share.
std::vector<std::uint8_t> left(const std::string& text, bool keep) {
  OpenRequest request;
  request.options.placement_keep = keep;
  const SharedRecording recording = record_text(text, request);
  CHECK(recording->stop_reason() == StopReason::End);
  CheckOptions options;
  for (const Finding& finding : check(*recording, options).findings)
    if (finding.kind() == FindingKind::Alias || finding.kind() == FindingKind::Scratch)
      CHECK_MESSAGE(false, finding.diagnostic.format());
  CHECK(Lifetimes::make(*recording)->overlaps().empty());
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t at = 0; at < recording->program().gm_bytes; ++at)
    bytes.push_back(static_cast<std::uint8_t>(recording->final_memory().element(Space::Gm, at, 1)));
  return bytes;
}

}  // namespace

TEST_CASE("tile lives: the bytes of a tile that nobody reads any more are used again") {
  const std::string chain = load('a') + twice('a', 'b') + twice('b', 'c') + twice('c', 'd') + store('d');
  CHECK(places(kernel("abcd", chain)) == "a0 b1 c0 d1");
  CHECK(places(kernel("abcd", chain), true) == "a0 b1 c2 d3");
  CHECK(places(kernel("abcd", load('a') + twice('a', 'b') + twice('b', 'c') + add('a', 'c', 'd') + store('d'))) ==
        "a0 b1 c2 d1");
}

TEST_CASE("tile lives: what a loop carries on stays for all of it") {
  // a is made before and read in each turn; b and c live within one; d goes from turn to turn.
  const std::string body = twice('a', 'b') + twice('b', 'c') + add('c', 'd', 'd');
  CHECK(places(kernel("abcde", load('a') + load('d') + loop(body) + twice('d', 'e') + store('e'))) == "a0 b1 c2 d3 e0");
}

TEST_CASE("tile lives: ways of a branch") {
  const std::string text =
      kernel("abcd", load('a') + "  scf.if %on {\n" + twice('a', 'b') + store('b') + "  } else {\n" + twice('a', 'c') +
                         store('c') + "  }\n" + twice('a', 'd') + store('d'));
  CHECK(places(text) == "a0 b1 c1 d1");
}

TEST_CASE("tile lives: what is read before all of it was written has bytes of its own") {
  // b is never written; c is written on one way only.
  CHECK(places(kernel("abd", load('a') + twice('a', 'd') + add('b', 'd', 'd') + store('d'))) == "a0 b1 d2");
  const std::string one_way =
      load('a') + "  scf.if %on {\n" + twice('a', 'c') + "  }\n" + load('d') + add('c', 'd', 'e') + store('e');
  CHECK(places(kernel("acde", one_way)) == "a0 c1 d0 e2");
}

TEST_CASE("tile lives: a result that nobody reads has bytes of its own") {
  CHECK(places(kernel("abcd", load('a') + twice('a', 'b') + load('c') + twice('c', 'd') + store('d'))) ==
        "a0 b1 c0 d2");
}

TEST_CASE("tile lives: another name keeps its tile") {
  const std::string text = kernel(
      "ab", load('a') + "  %r = pto.treshape %a : " TS_T " -> !pto.tile_buf<vec, 4x16xf32>\n" + load('b') + store('b') +
                "  %x = pto.alloc_tile : !pto.tile_buf<vec, 4x16xf32>\n"
                "  pto.texp ins(%r : !pto.tile_buf<vec, 4x16xf32>) outs(%x : !pto.tile_buf<vec, 4x16xf32>)\n");
  CHECK(places(text) == "a0 b1 x2");
}

TEST_CASE("tile lives: a tile with padding shares bytes only where there is no room otherwise") {
  const auto chain = [](const std::string& type) {
    std::string text = kernel("", "");
    const std::size_t end = text.find("  return");
    std::string statements;
    for (const char* tile : {"a", "b", "c"}) statements += fmt::format("  %{} = pto.alloc_tile : {}\n", tile, type);
    statements += fmt::format("  pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%a : {})\n", type);
    for (const auto& [from, to] : {std::pair("a", "b"), std::pair("b", "c")})
      statements += fmt::format("  pto.tmuls ins(%{}, %two : {}, f32) outs(%{} : {})\n", from, type, to, type);
    return text.insert(
        end, statements + fmt::format("  pto.tstore ins(%c : {}) outs(%w : !pto.tensor_view<8x8xf32>)\n", type));
  };
  CHECK(places(chain("!pto.tile_buf<vec, 16x16xf32, valid=8x8>")) == "a0 b4 c8");
  CHECK(places(chain("!pto.tile_buf<vec, 384x64xf32, valid=8x8>")) == "a0 b384 c0");
}

TEST_CASE("tile lives: results are the same with and without, in random programs") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::string statements;
    const std::string tiles = "abcdefgh";
    const auto any = [&] { return tiles[random.below(8)]; };
    const auto some = [&](int count) {
      std::string out;
      for (int i = 0; i < count; ++i) {
        switch (random.below(4)) {
          case 0: out += load(any()); break;
          case 1: out += store(any()); break;
          case 2: out += twice(any(), any()); break;
          default: out += add(any(), any(), any());
        }
      }
      return out;
    };
    for (const char tile : tiles)
      if (!random.one_in(4)) statements += load(tile);
    for (int part = 0; part < 4; ++part) {
      const std::string body = some(static_cast<int>(2 + random.below(5)));
      statements += random.one_in(2)   ? loop(body)
                    : random.one_in(2) ? "  scf.if %on {\n" + body + "  } else {\n" + some(3) + "  }\n"
                                       : body;
    }
    const std::string text = kernel(tiles, statements + store(any()));
    CHECK(left(text, false) == left(text, true));
  }
}

}  // namespace ts::test
