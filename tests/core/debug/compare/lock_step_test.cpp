// One program on both targets: the same results, but where the pages of the instructions say that they part.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/debug/compare/lock_step.h"
#include "core/debug/session/session.h"
#include "core/record/operand_place.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"
#include "tests/support/text/sample_file.h"
#include "tests/support/text/text_program.h"

namespace ts::test {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::variant<LockStep, Refusal> run_both(const std::string& text, const OpenRequest& request = {},
                                         const CompareRunsOptions& options = {}) {
  Diagnostics diagnostics;
  const auto tree = read_program("test.pto", text, diagnostics);
  const auto entries = entry_points(*tree, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) CAPTURE(diagnostic.format());
  REQUIRE(!has_error(diagnostics));
  REQUIRE(!entries.empty());
  return lock_step(tree, entries.front(), request, {.budget_bytes = kPlentyOfBytes}, options);
}

LockStep locked(const std::string& text, const OpenRequest& request = {}, const CompareRunsOptions& options = {}) {
  auto made = run_both(text, request, options);
  if (const auto* refusal = std::get_if<Refusal>(&made)) FAIL(refusal->text);
  return std::get<LockStep>(std::move(made));
}

std::vector<std::string> samples_of_both() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("samples")) {
    if (entry.path().extension() != ".pto") continue;
    if (std::holds_alternative<LockStep>(run_both(file_text(entry.path().string()))))
      names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

// "tsel out[0,256] 24 elements", of each difference.
std::string shown(const LockStep& made) {
  std::string text;
  for (const ResultDifference& one : made.differences.differences)
    text += fmt::format("{}{} {}[{},{}] {}{}", text.empty() ? "" : "; ", made.a->bound(one.step_a).row->name, one.name,
                        one.comparison.first->row, one.comparison.first->col, one.comparison.count,
                        one.inherited ? " inherited" : "");
  return text;
}

OpenRequest with_option(const char* name, const char* value) {
  OpenRequest request;
  REQUIRE(set_option(request.options, name, value));
  return request;
}

// What differs on samples, and by which rule of the instructions' pages.
struct Predicted {
  const char *sample, *differences;
};
constexpr Predicted kPredicted[] = {
    // TTRANS, domain: a2a3 the valid region of the source (5 x 8), a5 its static shape (8 x 8). The columns that only
    // a5
    // writes are no part of the result's valid region then, and are when it is stored.
    {"bug_transposed_domain", "tstore result[0,5] 24 inherited"},
};

}  // namespace

TEST_CASE(
    "lock step: every sample that runs on both targets leaves the same, or what its instructions' pages predict") {
  const std::vector<std::string> names = samples_of_both();
  CHECK(names.size() >= 13);
  std::set<std::string> met;
  for (const std::string& sample : names)
    for (std::uint64_t seed = 1; seed <= rounds(1u, 3u, 3u); ++seed) {
      CAPTURE(sample);
      CAPTURE(seed);
      OpenRequest request;
      request.inputs.seed = seed;
      const std::string text = file_text(sample_path(sample));
      // The targets add up rows in orders of their own.
      CompareRunsOptions options;
      if (text.find("pto.trowsum") != std::string::npos) options.values = {.abs = 5e-5, .ulp = 4};
      const LockStep made = locked(text, request, options);
      CHECK(made.a->program().target == Target::A2A3);
      CHECK(made.b->program().target == Target::A5);
      CHECK(made.differences.complete);
      if (!made.differences.parted) CHECK(made.differences.compared == made.a->count());
      const auto* predicted = std::ranges::find(kPredicted, sample, &Predicted::sample);
      const bool same = predicted == std::end(kPredicted);
      CHECK(shown(made) == (same ? "" : predicted->differences));
      CHECK(made.differences.same() == same);
      if (!same) met.insert(sample);
    }
  CHECK(met.size() == std::size(kPredicted));
}

TEST_CASE("lock step: by the library's domain, the planted transposition leaves the same") {
  CHECK(locked(file_text("samples/bug_transposed_domain.pto"), with_option("ttrans.a5_domain", "valid"))
            .differences.same());
}

TEST_CASE("lock step: a target that does not take the program says by which rule") {
  const auto made = run_both(file_text("samples/complex_split.pto"));
  REQUIRE(std::holds_alternative<Refusal>(made));
  const Refusal& refusal = std::get<Refusal>(made);
  CAPTURE(refusal.text);
  CHECK(refusal.text.starts_with("a2a3 does not take the program: "));
  CHECK(refusal.text.find("[TDI-R0]") != std::string::npos);
}

// --- where the pages say that the targets part ----------------------------------------------------------------------

namespace {

// Two sources of 2 x `cols` bytes and a mask with a pitch of `pitch` bytes, all from memory.
std::string select_text(const std::string& type, std::uint32_t cols, const std::string& mask_tile,
                        std::uint32_t mask_bytes) {
  const std::string tile = fmt::format("!pto.tile_buf<vec, 2x{}x{}>", cols, type);
  const std::string view = fmt::format("2x{}x{}", cols, type), bits = fmt::format("2x{}xui8", mask_bytes);
  const auto declare = [](const std::string& name, const std::string& shape, const std::string& of) {
    return fmt::format(
        "%{0}_all = pto.make_tensor_view %{0}, shape = [%c2, %{1}], strides = [%{1}, %c1] : !pto.tensor_view<{2}>\n"
        "%{0}_view = pto.partition_view %{0}_all, offsets = [%c0, %c0], sizes = [%c2, %{1}] : "
        "!pto.tensor_view<{2}> -> !pto.partition_tensor_view<{2}>\n",
        name, shape, of);
  };
  const auto load = [](const std::string& from, const std::string& of, const std::string& to, const std::string& as) {
    return fmt::format("pto.tload ins(%{}_view : !pto.partition_tensor_view<{}>) outs(%{} : {})\n", from, of, to, as);
  };
  return fmt::format(
             "module attributes {{pto.target_arch = \"a5\"}} {{\nfunc.func @k(%x: !pto.ptr<{0}>, %y: !pto.ptr<{0}>, "
             "%m: !pto.ptr<ui8>) {{\n"
             "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n"
             "%cols = arith.constant {1} : index\n%bytes = arith.constant {2} : index\n",
             type, cols, mask_bytes) +
         declare("x", "cols", view) + declare("y", "cols", view) + declare("m", "bytes", bits) +
         fmt::format(
             "%a = pto.alloc_tile : {0}\n%b = pto.alloc_tile : {0}\n%out = pto.alloc_tile : {0}\n%at = arith.constant "
             "0x8000 : i64\n"
             "%bytes_tile = pto.alloc_tile addr = %at : !pto.tile_buf<vec, {1}>\n%mask = pto.alloc_tile addr = %at : "
             "{2}\n",
             tile, bits, mask_tile) +
         load("x", view, "a", tile) + load("y", view, "b", tile) +
         load("m", bits, "bytes_tile", "!pto.tile_buf<vec, " + bits + ">") +
         fmt::format("pto.tsel ins(%mask, %a, %b : {1}, {0}, {0}) outs(%out : {0})\nreturn\n}}\n}}", tile, mask_tile);
}

}  // namespace

TEST_CASE("lock step: with quirks.tsel, a5 takes the columns of a wide mask for its pitch") {
  // u16 mask of 16 columns: its rows are 32 bytes apart, and the library's a5 steps by 16. Row 0 is right on both.
  const std::string text = select_text("f32", 64, "!pto.tile_buf<vec, 2x16xi16>", 32);
  OpenRequest request = with_option("quirks.tsel", "on");
  std::vector<std::byte>&mask = request.inputs.data["m"], &x = request.inputs.data["x"], &y = request.inputs.data["y"];
  mask.assign(64, std::byte{0});
  mask[32] = std::byte{0x08};  // of row 1, column 3 is x
  mask[16] = std::byte{0x20};  // where a5 looks for row 1: column 5
  for (auto* data : {&x, &y}) data->resize(2 * 64 * 4);
  for (std::uint32_t i = 0; i < 128; ++i) {
    const float of_x = static_cast<float>(i), of_y = -1000;
    std::memcpy(x.data() + 4 * i, &of_x, 4);
    std::memcpy(y.data() + 4 * i, &of_y, 4);
  }
  const LockStep made = locked(text, request);
  REQUIRE(made.differences.differences.size() == 1);
  const ResultDifference& one = made.differences.differences[0];
  CHECK(shown(made) == "tsel out[1,3] 2");
  CHECK(one.step_a == 3);
  CHECK(to_double(DType::F32, one.comparison.first->a) == 67);  // row 1, column 3 of x
  CHECK(to_double(DType::F32, one.comparison.first->b) == -1000);
  CHECK(made.differences.causes() == 1);
  Session a(made.a), b(made.b);
  const std::string told = difference_text(a, b, one);
  CAPTURE(told);
  CHECK(told.starts_with("step 3 tsel, line "));
  CHECK(told.find("%out[1,3] is 67 (0x42860000) on a2a3 and -1000 (0xc47a0000) on a5") != std::string::npos);
  CHECK(told.find("\n  on a2a3\n    from %a[1,3] = 67") != std::string::npos);
  CHECK(told.find("\n  on a5\n    from %b[1,3] = -1000") != std::string::npos);
  request.options = {};
  CHECK(locked(text, request).differences.same());
}

TEST_CASE("lock step: with quirks.texpands, a2a3 fills a part of a tile without gaps") {
  const std::string text =
      "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @k() {\n%zero = arith.constant 0.0 : f32\n%one = "
      "arith.constant 1.0 : f32\n"
      "%c0 = arith.constant 0x0 : i64\n%all = pto.alloc_tile addr = %c0 : !pto.tile_buf<vec, 2x16xf32>\n"
      "%part = pto.alloc_tile addr = %c0 : !pto.tile_buf<vec, 2x16xf32, valid=2x5>\n"
      "pto.texpands ins(%zero : f32) outs(%all : !pto.tile_buf<vec, 2x16xf32>)\n"
      "pto.texpands ins(%one : f32) outs(%part : !pto.tile_buf<vec, 2x16xf32, valid=2x5>)\nreturn\n}\n}";
  CHECK(locked(text).differences.same());
  const LockStep made = locked(text, with_option("quirks.texpands", "on"));
  // a2a3 has ones in the first ten elements of the tile; row 1 keeps its zeros.
  CHECK(shown(made) == "texpands part[1,0] 5");
  const ResultDifference& one = made.differences.differences[0];
  CHECK(one.step_a == 1);
  CHECK(one.comparison.first->a == 0);
  CHECK(one.comparison.first->b == 0x3F800000);
}

TEST_CASE("lock step: with quirks.tgatherb, the tail of a row on a2a3 spills into the next") {
  // 2 x 72 floats: 64 and a tail of 8, one block. a2a3 stores eight blocks for it, which is all of the rest of the row
  // and the begin of the next, and reads the offsets of the second row's tail right behind those of the first.
  const std::string tile = "!pto.tile_buf<vec, 2x72xf32>", offsets = "!pto.tile_buf<vec, 2x16xui32, valid=2x9>";
  const std::string text =
      "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @k(%t: !pto.ptr<f32>, %w: !pto.ptr<ui32>) {\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n%c9 = "
      "arith.constant 9 : index\n%c72 = arith.constant 72 : index\n"
      "%t_all = pto.make_tensor_view %t, shape = [%c2, %c72], strides = [%c72, %c1] : !pto.tensor_view<2x72xf32>\n"
      "%t_view = pto.partition_view %t_all, offsets = [%c0, %c0], sizes = [%c2, %c72] : !pto.tensor_view<2x72xf32> -> "
      "!pto.partition_tensor_view<2x72xf32>\n"
      "%w_all = pto.make_tensor_view %w, shape = [%c2, %c9], strides = [%c9, %c1] : !pto.tensor_view<2x9xui32>\n"
      "%w_view = pto.partition_view %w_all, offsets = [%c0, %c0], sizes = [%c2, %c9] : !pto.tensor_view<2x9xui32> -> "
      "!pto.partition_tensor_view<2x9xui32>\n"
      "%table = pto.alloc_tile : " +
      tile + "\n%where = pto.alloc_tile : " + offsets + "\n%out = pto.alloc_tile : " + tile +
      "\n"
      "pto.tload ins(%t_view : !pto.partition_tensor_view<2x72xf32>) outs(%table : " +
      tile +
      ")\n"
      "pto.tload ins(%w_view : !pto.partition_tensor_view<2x9xui32>) outs(%where : " +
      offsets +
      ")\n"
      "pto.tgatherb ins(%table, %where : " +
      tile + ", " + offsets + ") outs(%out : " + tile + ")\nreturn\n}\n}";
  OpenRequest request;
  auto &where = request.inputs.data["w"], &table = request.inputs.data["t"];
  where.resize(2 * 9 * 4);
  table.resize(2 * 72 * 4);
  for (std::uint32_t i = 0; i < 18; ++i) {
    const std::uint32_t offset = i * 32;
    std::memcpy(where.data() + 4 * i, &offset, 4);
  }
  for (std::uint32_t i = 0; i < 144; ++i) {
    const auto value = static_cast<float>(i);
    std::memcpy(table.data() + 4 * i, &value, 4);
  }
  CHECK(locked(text, request).differences.same());
  REQUIRE(set_option(request.options, "quirks.tgatherb", "on"));
  const LockStep made = locked(text, request);
  REQUIRE(made.differences.differences.size() == 1);
  const ResultDifference& one = made.differences.differences[0];
  CHECK(made.a->bound(one.step_a).row->name == std::string("tgatherb"));
  CHECK(one.comparison.first->row == 1);
  CHECK(one.comparison.first->col == 0);
  // a5 has what the offsets say, element 72 of the table.
  CHECK(to_double(DType::F32, one.comparison.first->b) == 72);
}

// --- random programs ------------------------------------------------------------------------------------------------

TEST_CASE(
    "lock step: random texts leave the same on both targets, but for what a5 transposes beyond the valid region") {
  constexpr int kTexts = kSanitized ? 10 : 80;
  int on_both = 0;
  for (int i = 0; i < kTexts; ++i) {
    CAPTURE(i);
    Random random(static_cast<std::uint64_t>(1000 + i));
    const TextProgram program = random_text_program(random, Target::A2A3);
    OpenRequest request = with_option("ttrans.a5_domain", "valid");
    request.inputs.data = program.data;
    const auto made = run_both(program.text, request);
    if (std::holds_alternative<Refusal>(made)) continue;
    ++on_both;
    const LockStep& pair = std::get<LockStep>(made);
    CAPTURE(shown(pair));
    CHECK(pair.differences.same());
  }
  CHECK(on_both > kTexts / 4);
}

TEST_CASE("lock step: where only one target stops, the two part") {
  // A scratch tile of 8 x 16 floats is enough for a2a3 while 8 columns are valid, and no matter to a5. How many are, a
  // number in memory says, which nobody knows before the run.
  const std::string wide = "!pto.tile_buf<vec, 16x16xf32, valid=?x?>", tile = "!pto.tile_buf<vec, 16x16xf32>",
                    small = "!pto.tile_buf<vec, 8x16xf32>";
  const std::string text =
      "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @k(%g: !pto.ptr<i32>) {\n%c0 = arith.constant 0 : "
      "index\n"
      "%c16 = arith.constant 16 : index\n%one = arith.constant 1.0 : f32\n%x = pto.load_scalar %g[%c0] : !pto.ptr<i32> "
      "-> i32\n"
      "%n = arith.index_cast %x : i32 to index\n%a = pto.alloc_tile valid_row = %c16 valid_col = %c16 : " +
      wide +
      "\n"
      "%t = pto.alloc_tile : " +
      small + "\n%b = pto.alloc_tile : " + tile +
      "\n"
      "pto.texpands ins(%one : f32) outs(%a : " +
      wide + ")\npto.set_validshape %a, %c16, %n : " + wide +
      "\n"
      "pto.ttrans ins(%a, %t : " +
      wide + ", " + small + ") outs(%b : " + tile +
      ")\n"
      "pto.tadd ins(%b, %b : " +
      tile + ", " + tile + ") outs(%b : " + tile + ")\nreturn\n}\n}";
  OpenRequest request = with_option("ttrans.a5_domain", "valid");
  auto& number = request.inputs.data["g"];
  number.resize(32);
  number[0] = std::byte{16};
  const LockStep made = locked(text, request);
  CHECK(!made.differences.same());
  CHECK(made.differences.differences.empty());
  CHECK(made.a->stop_reason() == StopReason::Error);
  CHECK(made.b->stop_reason() == StopReason::End);
  REQUIRE(made.differences.parted.has_value());
  CHECK(made.differences.parted->step_a == made.a->count());
  CAPTURE(made.differences.parted->text);
  CHECK(made.differences.parted->text.starts_with("a2a3 cannot go on (error): [TTR-R8] "));
  CHECK(made.differences.parted->text.find("; a5 runs ttrans at line 13") != std::string::npos);
}

TEST_CASE("lock step: a program that both targets stop in the same place") {
  // Offsets of block granularity that leave the table: told when they are used, in the same words on both.
  const LockStep made = locked(file_text("samples/bug_offset_units.pto"));
  CHECK(made.differences.same());
  CHECK(made.a->stop_reason() == StopReason::Error);
}

}  // namespace ts::test
