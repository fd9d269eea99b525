// Values that are destroyed while they are still needed, against an account of every single byte.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/debug/origins/step_index.h"
#include "core/record/operand_place.h"
#include "tests/support/record/random_program.h"
#include "tests/support/scale.h"
#include "tests/support/text/kernel_text.h"

namespace ts::test {
namespace {

std::uint64_t programs_per_target() { return rounds(5u, 40u, 150u); }

// What is told of a destroyed value: where it was written over, through which element, and which element is lost.
struct Told {
  std::uint32_t step, reader;
  bool scratch;
  int operand;
  std::uint32_t row, col;
  std::string lost;
  auto operator<=>(const Told&) const = default;
};

std::string text_of(const std::multiset<Told>& all) {
  std::string text;
  for (const Told& told : all)
    text += fmt::format("step {} operand {} [{},{}]{} over {}, read by step {}\n", told.step, told.operand, told.row,
                        told.col, told.scratch ? " scratch" : "", told.lost, told.reader);
  return text;
}

std::vector<Finding> sharing(const Recording& recording) {
  return check(recording, only({FindingKind::Alias, FindingKind::Scratch})).findings;
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t from = text.find(before) + before.size();
  return text.substr(from, text.find(after, from) - from);
}

std::multiset<Told> told_by_check(const Recording& recording) {
  std::multiset<Told> out;
  for (const Finding& finding : sharing(recording)) {
    const std::string& text = finding.diagnostic.text;
    REQUIRE(finding.element.has_value());
    out.insert({finding.step, static_cast<std::uint32_t>(std::stoul(between(text, "(step ", ")"))),
                finding.kind() == FindingKind::Scratch, finding.element->operand, finding.element->row,
                finding.element->col, between(text, " stands on ", ", which")});
  }
  return out;
}

// --- byte by byte ---

struct Loss {
  std::uint32_t step;
  int operand;
};

class ByteAccount {
 public:
  explicit ByteAccount(const Recording& recording) : recording_(recording) {
    for (std::uint32_t step = 0; step < recording.count(); ++step) {
      read(step);
      write(step);
    }
  }
  std::multiset<Told> told;

 private:
  // The bytes of ub that an operand's elements stand in, in their order.
  static std::vector<std::uint32_t> read_bytes(const Bound& bound, const Operand& operand) {
    std::vector<std::uint32_t> out;
    const TileRef& tile = operand.tile;
    if (operand.spec->role == Role::Mask) {
      const TileRef& dst = bound.tile("dst");
      for (std::uint32_t row = 0; row < std::min(tile.valid_rows, dst.valid_rows); ++row)
        for (std::uint32_t col = 0; col < dst.valid_cols; col += 8)
          if (col / 8 < tile.valid_cols) out.push_back(tile.address + row * tile.cols() + col / 8);
      return out;
    }
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row)
      for (std::uint32_t col = 0; col < tile.valid_cols; ++col)
        for (std::uint32_t i = 0; i < tile.elem_bytes(); ++i)
          out.push_back(tile.address + (row * tile.cols() + col) * tile.elem_bytes() + i);
    return out;
  }

  std::string element(const Operand& operand, std::uint32_t address) const {
    const std::uint32_t index = (address - operand.tile.address) / operand.tile.elem_bytes();
    return fmt::format("%{}[{},{}]", recording_.program().tiles[operand.id].name, index / operand.tile.cols(),
                       index % operand.tile.cols());
  }

  void read(std::uint32_t step) {
    const Bound& bound = recording_.bound(step);
    for (const Operand& operand : bound.operands) {
      const Role role = operand.spec->role;
      if (operand.spec->kind != OperandKind::Tile || (role != Role::In && role != Role::Mask)) continue;
      for (const std::uint32_t at : read_bytes(bound, operand)) {
        const auto loss = lost_.find({operand.id, at});
        if (loss == lost_.end() || !told_.insert({loss->second.step, operand.id}).second) continue;
        const auto [by, through] = loss->second;
        const Operand& writer = recording_.bound(by).operands[static_cast<std::size_t>(through)];
        const std::uint32_t index = (at - writer.tile.address) / writer.tile.elem_bytes();
        told.insert({by, step, writer.spec->role == Role::Tmp, through, index / writer.tile.cols(),
                     index % writer.tile.cols(), element(operand, at)});
      }
    }
  }

  // Two names of one place, the value of one made of that of the other, are an update in place.
  void follow(const Bound& bound) {
    sources_.clear();
    for (const Operand& operand : bound.operands) {
      if (operand.spec->kind != OperandKind::Tile) continue;
      place_[operand.id] = operand.tile.address;
      const Role role = operand.spec->role;
      if (role != Role::In && role != Role::Mask && role != Role::Offsets && !operand.spec->reads) continue;
      sources_.insert(operand.id);
      sources_.insert(made_of_[operand.id].begin(), made_of_[operand.id].end());
    }
    for (const Operand& operand : bound.operands)
      if (operand.spec->kind == OperandKind::Tile && operand.spec->role == Role::Out) made_of_[operand.id] = sources_;
  }

  void write(std::uint32_t step) {
    const Bound& bound = recording_.bound(step);
    follow(bound);
    const Flat ub = recording_.map().origin(Space::Ub), end = ub + recording_.map().size(Space::Ub);
    for (const WritePattern& pattern : recording_.writes(step))
      for (std::uint32_t run = 0; run < pattern.count; ++run)
        for (std::uint32_t i = 0; i < pattern.size; ++i)
          if (const Flat at = pattern.base + run * pattern.stride + i; at >= ub && at < end)
            write_byte(step, bound, at - ub);
  }

  void write_byte(std::uint32_t step, const Bound& bound, std::uint32_t at) {
    std::vector<int> results, scratch;
    for (int i = 0; i < static_cast<int>(bound.operands.size()); ++i) {
      const Operand& operand = bound.operands[static_cast<std::size_t>(i)];
      if (operand.spec->kind != OperandKind::Tile) continue;
      if (at < operand.tile.address || at >= operand.tile.address + operand.tile.type.size_bytes()) continue;
      if (operand.spec->role == Role::Out) results.push_back(i);
      if (operand.spec->role == Role::Tmp) scratch.push_back(i);
    }
    if (results.empty() && scratch.empty()) FAIL("a byte beside the operands was written");
    const auto tile_of = [&](int i) { return bound.operands[static_cast<std::size_t>(i)].id; };
    const auto goes_on = [&](std::uint32_t tile) {
      return sources_.contains(tile) && std::ranges::any_of(results, [&](int i) {
               return place_[tile] == bound.operands[static_cast<std::size_t>(i)].tile.address;
             });
    };
    const bool stays =
        owner_.contains(at) &&
        (goes_on(owner_[at]) || std::ranges::any_of(results, [&](int i) { return tile_of(i) == owner_[at]; }));
    if (owner_.contains(at) && !stays) lost_[{owner_[at], at}] = {step, results.empty() ? scratch[0] : results[0]};
    owner_.erase(at);
    for (const int i : results) lost_.erase({tile_of(i), at});
    for (const std::uint32_t tile : sources_)
      if (goes_on(tile)) lost_.erase({tile, at});
    if (!results.empty()) owner_[at] = tile_of(results[0]);
  }

  const Recording& recording_;
  std::map<std::uint32_t, std::uint32_t> owner_;                  // tile, by byte
  std::map<std::pair<std::uint32_t, std::uint32_t>, Loss> lost_;  // by tile and byte
  std::set<std::pair<std::uint32_t, std::uint32_t>> told_;        // steps and tiles
  std::map<std::uint32_t, std::uint32_t> place_;                  // address, by tile
  std::map<std::uint32_t, std::set<std::uint32_t>> made_of_;      // tiles, by tile
  std::set<std::uint32_t> sources_;                               // of the step that is looked at
};

}  // namespace

TEST_CASE("check sharing: random programs on overlapping tiles, byte by byte") {
  std::size_t found = 0, scratch = 0;
  for (const Target target : kBothTargets) {
    for (std::uint64_t seed = 0; seed < programs_per_target(); ++seed) {
      CAPTURE(std::string(name(target)));
      CAPTURE(seed);
      const auto recording = record_random(9100 + seed, target, !kSanitized && seed % 10 == 0 ? 200 : 40,
                                           {.budget_bytes = std::size_t{8} << 20});
      const std::multiset<Told> expected = ByteAccount(*recording).told;
      CHECK(text_of(told_by_check(*recording)) == text_of(expected));
      found += expected.size();
      scratch += static_cast<std::size_t>(std::ranges::count(expected, true, &Told::scratch));
    }
  }
  CHECK(found > 4 * programs_per_target());
  CHECK(scratch > programs_per_target() / 5);
}

TEST_CASE("check sharing: programs whose tiles the compiler placed are silent") {
  for (const Target target : kBothTargets)
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      CAPTURE(seed);
      for (const Finding& finding : sharing(*record_random_text(7700 + seed, target)))
        CHECK_MESSAGE(false, finding.diagnostic.format());
    }
}

namespace {

// a is loaded at 0, something else is done, and a is stored.
struct Victim {
  KernelText kernel;
  Victim() {
    kernel.buffer("x", "f32", 16, 8);
    kernel.buffer("out", "f32", 16, 8);
    kernel.tile("a", "4x8xf32", 0);
    kernel.load("a", "x", "0", "0", 4, 8);
  }
  std::vector<Finding> finish() {
    kernel.store("a", "out", "0", "0", 4, 8);
    return sharing(*kernel.record());
  }
};

}  // namespace

TEST_CASE("check sharing: buffers that take turns, and results in place, are fine") {
  KernelText kernel;
  kernel.buffer("x", "f32", 16, 8);
  kernel.buffer("out", "f32", 16, 8);
  kernel.tile("a", "4x8xf32", 0);
  kernel.tile("b", "4x8xf32", 0);
  kernel.tile("c", "4x8xf32", 0);
  for (const char* row : {"0", "4"}) {
    kernel.load("a", "x", row, "0", 4, 8);
    kernel.store("a", "out", row, "0", 4, 8);
    kernel.load("b", "x", row, "0", 4, 8);
    kernel.op("tadd", {"b", "b"}, {"c"});
    kernel.store("c", "out", row, "0", 4, 8);
  }
  for (const Finding& finding : sharing(*kernel.record())) CHECK_MESSAGE(false, finding.diagnostic.format());
}

TEST_CASE("check sharing: an update in place may have a name of its own") {
  const auto program = [](const std::string& writer, const std::string& reader) {
    KernelText kernel;
    for (const char* buffer : {"x", "y", "out"}) kernel.buffer(buffer, "f32", 4, 8);
    kernel.tile("a", "4x8xf32", 0);
    kernel.tile("b", "4x8xf32", 0);
    kernel.tile("t", "4x8xf32", 0x100);
    kernel.load("a", "x", "0", "0", 4, 8);
    kernel.op("tmuls", {"a", "2.0 : f32"}, {"t"});
    if (writer == "load") kernel.load("b", "y", "0", "0", 4, 8);
    else kernel.op("tadds", {writer, "2.0 : f32"}, {"b"});
    kernel.store(reader, "out", "0", "0", 4, 8);
    return sharing(*kernel.record());
  };
  CHECK(program("a", "a").empty());         // a is read again under its old name
  CHECK(program("t", "a").empty());         // by way of another tile
  CHECK(program("load", "a").size() == 1);  // something else: a is lost
  CHECK(program("load", "b").empty());
}

TEST_CASE("check sharing: aliases share on purpose, another tile in the same place does not") {
  Victim alias;
  alias.kernel.line("%b = pto.treshape %a : !pto.tile_buf<vec, 4x8xf32> -> !pto.tile_buf<vec, 2x16xf32>");
  alias.kernel.alias("part", "2x8xf32");
  alias.kernel.line("%part = pto.subset %a[0, 0] sizes [2, 8] : !pto.tile_buf<vec, 4x8xf32>");
  alias.kernel.line("pto.texpands ins(2.0 : f32) outs(%part : !pto.tile_buf<vec, 4x8xf32>)");
  CHECK(alias.finish().empty());

  // The very same bytes as integers: nobody can tell that from a mistake.
  Victim other;
  other.kernel.tile("b", "4x8xi32", 0);
  const std::uint32_t line = other.kernel.op("texpands", {"2 : i32"}, {"b"});
  const auto found = other.finish();
  REQUIRE(found.size() == 1);
  CHECK(found[0].diagnostic.pos.line == line);
  CHECK(found[0].diagnostic.text ==
        "%b[0,0] stands on %a[0,0], which tstore (step 2) still reads: 128 bytes of %a are lost");
  CHECK(found[0].diagnostic.hint.find("pto.treshape") != std::string::npos);
  REQUIRE(found[0].diagnostic.notes.size() == 1);
  CHECK(found[0].diagnostic.notes[0].pos.line == line + 2);
}

TEST_CASE("check sharing: an alias of a tile that only running tells is nobody's mistake") {
  KernelText kernel;
  kernel.buffer("x", "f32", 16, 8);
  kernel.buffer("out", "f32", 16, 8);
  kernel.line("%c0 = arith.constant 0 : index");
  kernel.line("%c1 = arith.constant 1 : index");
  kernel.line("%c2 = arith.constant 2 : index");
  kernel.tile("a", "4x8xf32", 0);
  kernel.tile("b", "4x8xf32", 0x80);
  kernel.load("a", "x", "0", "0", 4, 8);
  kernel.load("b", "x", "4", "0", 4, 8);
  const std::string type = "!pto.tile_buf<vec, 4x8xf32>";
  kernel.line("%l:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%u = %a, %v = %b) -> (" + type + ", " + type + ") {");
  kernel.line("%w = pto.subset %u[0, 0] sizes [2, 8] : " + type);
  kernel.line("pto.texpands ins(2.0 : f32) outs(%w : " + type + ")");
  kernel.line("scf.yield %v, %u : " + type + ", " + type);
  kernel.line("}");
  kernel.store("a", "out", "0", "0", 4, 8);
  kernel.store("b", "out", "4", "0", 4, 8);
  const auto recording = kernel.record();
  CHECK(recording->count() == 6);
  for (const Finding& finding : sharing(*recording)) CHECK_MESSAGE(false, finding.diagnostic.format());
}

TEST_CASE("check sharing: only bytes that are read later count") {
  // What is read is a part of a; row 3 is written over.
  const auto record = [](std::uint32_t rows) {
    KernelText kernel;
    kernel.buffer("x", "f32", 16, 8);
    kernel.buffer("out", "f32", 16, 8);
    kernel.tile("a", "4x8xf32", 0);
    kernel.tile("b", "1x8xf32", 0x60);
    kernel.alias("part", "4x8xf32");
    kernel.load("a", "x", "0", "0", 4, 8);
    kernel.op("texpands", {"1.0 : f32"}, {"b"});
    kernel.line(fmt::format("%part = pto.subset %a[0, 0] sizes [{}, 8] : !pto.tile_buf<vec, 4x8xf32>", rows));
    kernel.store("part", "out", "0", "0", rows, 8);
    return kernel.record();
  };
  CHECK(sharing(*record(3)).empty());
  const auto found = sharing(*record(4));
  REQUIRE(found.size() == 1);
  CHECK(found[0].diagnostic.text.find("stands on %part[3,0]") != std::string::npos);
}

TEST_CASE("check sharing: padding may be written over, a valid element may not") {
  const auto record = [](const std::string& type, std::uint32_t rows) {
    KernelText kernel;
    kernel.buffer("x", "f32", 16, 8);
    kernel.buffer("out", "f32", 16, 8);
    kernel.tile("a", type, 0);
    kernel.tile("b", "1x8xf32", 0x60);  // row 3 of a
    kernel.load("a", "x", "0", "0", rows, 8);
    kernel.op("texpands", {"1.0 : f32"}, {"b"});
    kernel.store("a", "out", "0", "0", rows, 8);
    return kernel.record();
  };
  CHECK(sharing(*record("4x8xf32, valid=3x8", 3)).empty());
  const auto found = sharing(*record("4x8xf32", 4));
  REQUIRE(found.size() == 1);
  CHECK(found[0].diagnostic.text.find("stands on %a[3,0]") != std::string::npos);
}

TEST_CASE("check sharing: of a mask the bytes with the bits of the result count") {
  const auto record = [](std::uint32_t address) {
    KernelText kernel;
    kernel.buffer("x", "f32", 4, 8);
    kernel.buffer("bits", "ui8", 4, 32);
    kernel.tile("a", "4x8xf32", 0);
    kernel.tile("mask", "4x32xui8", 0x100);
    kernel.tile("b", "1x8xf32, valid=1x1", address);
    kernel.tile("c", "4x8xf32", 0x400);
    kernel.load("a", "x", "0", "0", 4, 8);
    kernel.load("mask", "bits", "0", "0", 4, 32);
    kernel.op("texpands", {"1.0 : f32"}, {"b"});
    kernel.op("tsels", {"mask", "a", "2.0 : f32"}, {"c"});
    return kernel.record();
  };
  const auto found = sharing(*record(0x120));
  REQUIRE(found.size() == 1);
  CHECK(found[0].diagnostic.text.find("stands on %mask[1,0]") != std::string::npos);
  CHECK(found[0].diagnostic.text.find(": 1 bytes of %mask") != std::string::npos);
  CHECK(sharing(*record(0x200)).empty());
}

TEST_CASE("check sharing: a gather needs what its offsets choose") {
  const auto record = [](const std::vector<std::uint32_t>& offsets) {
    KernelText kernel;
    kernel.buffer("x", "f32", 4, 8);
    kernel.buffer("where", "ui32", 4, 8);
    kernel.tile("a", "4x8xf32", 0);
    kernel.tile("offsets", "4x8xui32, valid=4x1", 0x100);
    kernel.tile("b", "1x8xf32", 0x40);  // row 2 of a
    kernel.tile("c", "4x8xf32", 0x400);
    kernel.load("a", "x", "0", "0", 4, 8);
    kernel.load("offsets", "where", "0", "0", 4, 1);
    kernel.op("texpands", {"1.0 : f32"}, {"b"});
    kernel.op("tgatherb", {"a", "offsets"}, {"c"});
    std::vector<std::uint32_t> words(32, 0);
    for (std::size_t row = 0; row < 4; ++row) words[row * 8] = offsets[row];
    return kernel.record({{"where", bytes_of_words(words)}});
  };
  CHECK(sharing(*record({0, 32, 96, 0})).empty());
  const auto found = sharing(*record({0, 32, 64, 0}));
  REQUIRE(found.size() == 1);
  CHECK(found[0].step == 2);
  CHECK(found[0].diagnostic.text == "%b[0,0] stands on %a[2,0], which tgatherb (step 3) still reads");
}

TEST_CASE("check sharing: every step and victim is told once, and a new value begins a new story") {
  KernelText kernel;
  kernel.buffer("x", "f32", 16, 8);
  kernel.buffer("out", "f32", 16, 8);
  kernel.tile("a", "4x8xf32", 0);
  kernel.tile("b", "4x8xf32", 0x40);
  for (int turn = 0; turn < 2; ++turn) {
    kernel.load("a", "x", "0", "0", 4, 8);
    kernel.load("b", "x", "0", "0", 4, 8);
    kernel.store("a", "out", "0", "0", 4, 8);
    kernel.store("a", "out", "4", "0", 4, 8);
  }
  const auto found = sharing(*kernel.record());
  REQUIRE(found.size() == 2);
  CHECK(found[0].step == 1);
  CHECK(found[1].step == 5);
}

TEST_CASE("check sharing: bytes that were changed by hand are meant") {
  KernelText kernel;
  kernel.buffer("x", "f32", 16, 8);
  kernel.buffer("out", "f32", 16, 8);
  kernel.tile("a", "4x8xf32", 0);
  kernel.tile("b", "1x8xf32", 0x40);
  kernel.load("a", "x", "0", "0", 4, 8);
  kernel.op("texpands", {"1.0 : f32"}, {"b"});
  kernel.store("a", "out", "0", "0", 4, 8);
  const auto plain = kernel.record();
  CHECK(sharing(*plain).size() == 1);
  RecordOptions options{.budget_bytes = std::size_t{4} << 20};
  options.edits.push_back({2, Space::Ub, 0x40, std::vector<std::byte>(32)});
  CHECK(sharing(*Recording::run(plain->program(), options)).empty());
}

TEST_CASE("check sharing: the memories of a block begin anew") {
  KernelText kernel;
  kernel.buffer("x", "f32", 16, 8);
  kernel.buffer("out", "f32", 16, 8);
  kernel.line("%zero = arith.constant 0 : i64");
  kernel.line("%b = pto.get_block_idx -> i64");
  kernel.line("%first = arith.cmpi eq, %b, %zero : i64");
  kernel.tile("a", "4x8xf32", 0);
  kernel.tile("c", "4x8xf32", 0);
  kernel.line("scf.if %first {");
  kernel.load("a", "x", "0", "0", 4, 8);
  kernel.load("c", "x", "0", "0", 4, 8);
  kernel.line("} else {");
  kernel.store("a", "out", "0", "0", 4, 8);
  kernel.line("}");
  for (const Finding& finding : sharing(*kernel.record({}, 2))) CHECK_MESSAGE(false, finding.diagnostic.format());
}

}  // namespace ts::test
