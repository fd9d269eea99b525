// Copies and signals between devices, on one device: what is copied, who waits for whom, what is taken for given.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "core/record/recording.h"
#include "tests/support/random.h"
#include "tests/support/record/told.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  std::vector<std::byte> out(values.size() * sizeof(float));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

struct Launch {
  std::uint32_t blocks = 1;
  RunOrder order = {};
  bool strict = false;
  std::map<std::string, std::string> numbers = {};
  std::map<std::string, std::vector<std::byte>> data = {};
};

std::unique_ptr<Recording> run_on_one(const std::string& text, const Launch& how = {}) {
  OpenRequest request;
  request.blocks = how.blocks;
  request.inputs.numbers = how.numbers;
  request.inputs.data = how.data;
  OpenedText opened = open_text(text, {}, request);
  for (const Diagnostic& one : opened.diagnostics)
    if (one.severity == Severity::Error) FAIL_CHECK(one.format());
  REQUIRE(opened.opened);
  RecordOptions options;
  options.limits.order = how.order;
  options.limits.strict_signals = how.strict;
  return Recording::run(std::move(opened.opened->program), options);
}

std::string first_error(const std::string& text, const std::map<std::string, std::string>& numbers = {}) {
  OpenRequest request;
  request.inputs.numbers = numbers;
  for (const Diagnostic& one : open_text(text, {}, request).diagnostics)
    if (one.severity == Severity::Error) return one.rule + ": " + one.text;
  return "";
}

const BufferDecl& buffer(const Recording& recording, std::string_view name) {
  const auto& all = recording.program().buffers;
  const auto found = std::ranges::find(all, name, &BufferDecl::name);
  REQUIRE(found != all.end());
  return *found;
}
std::uint64_t word(const Recording& recording, std::string_view name, std::size_t index) {
  return recording.final_memory().element(Space::Gm,
                                          buffer(recording, name).address + static_cast<std::uint32_t>(index * 4), 4);
}
float number(const Recording& recording, std::string_view name, std::size_t index) {
  return static_cast<float>(to_double(DType::F32, word(recording, name, index)));
}

std::vector<float> some_numbers(std::size_t count, std::uint32_t seed) {
  Random random(seed);
  std::vector<float> out(count);
  for (float& value : out) value = static_cast<float>(static_cast<int>(random.below(2001)) - 1000) / 8;
  return out;
}

// Views %dv and %sv of planes x rows x cols, and a tile %t. `open`: their sizes are arguments.
std::string copying(const std::string& statement, std::uint32_t planes, std::uint32_t rows, std::uint32_t cols,
                    std::uint32_t tile_rows, std::uint32_t tile_cols, bool open) {
  const std::string dims = open ? "?x?x?" : fmt::format("{}x{}x{}", planes, rows, cols);
  const auto size = [&](const char* name, std::uint32_t value) {
    return open ? fmt::format("    %{0} = arith.index_cast %n_{0} : i32 to index\n", name)
                : fmt::format("    %{} = arith.constant {} : index\n", name, value);
  };
  std::string text = fmt::format("func.func @k(%dst: !pto.ptr<f32>, %src: !pto.ptr<f32>, %more: !pto.ptr<f32>{}) {{\n",
                                 open ? ", %n_planes: i32, %n_rows: i32, %n_cols: i32" : "");
  text += "    %c1 = arith.constant 1 : index\n" + size("planes", planes) + size("rows", rows) + size("cols", cols) +
          "    %plane = arith.muli %rows, %cols : index\n";
  for (const char* name : {"dst", "src", "more"})
    text += fmt::format(
        "    %{0}_v = pto.make_tensor_view %{0}, shape = [%planes, %rows, %cols], strides = [%plane, %cols, %c1] : "
        "!pto.tensor_view<{1}xf32>\n",
        name, dims);
  const std::string tile = fmt::format("!pto.tile_buf<vec, {}x{}xf32>", tile_rows, tile_cols);
  text += "    %t = pto.alloc_tile : " + tile + "\n    %u = pto.alloc_tile : " + tile + "\n";
  std::string filled = statement;
  const auto put = [&](std::string_view what, const std::string& by) {
    for (std::size_t at = filled.find(what); at != std::string::npos; at = filled.find(what, at + by.size()))
      filled.replace(at, what.size(), by);
  };
  put("VIEW", fmt::format("!pto.tensor_view<{}xf32>", dims));
  put("TILE", tile);
  return text + "    " + filled + "\n    return\n}\n";
}

constexpr const char* kPut = "pto.comm.tput(%dst_v, %src_v, buf(%t) : VIEW, VIEW, TILE)";
constexpr const char* kAdd =
    "pto.comm.tput(%dst_v, %src_v, buf(%t, %u) : VIEW, VIEW, TILE, TILE) {atomicType = #pto<atomic_type atomic_add>}";
constexpr const char* kGet = "pto.comm.tget(%dst_v, %src_v, buf(%t) : VIEW, VIEW, TILE)";

}  // namespace

TEST_CASE("devices: views of any shape are copied through tiles of any size") {
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    const std::uint32_t planes = random.between(1, 3), rows = random.between(1, 9), cols = random.between(1, 40),
                        tile_rows = random.between(1, 6), tile_cols = 8 * random.between(1, 4);
    const std::size_t count = std::size_t{planes} * rows * cols;
    const bool open = round % 2 == 1;
    const char* statement = round % 3 == 0 ? kAdd : round % 3 == 1 ? kPut : kGet;
    CAPTURE(planes);
    CAPTURE(rows);
    CAPTURE(cols);
    CAPTURE(tile_rows);
    CAPTURE(tile_cols);
    const std::vector<float> source = some_numbers(count, random.below(1000)),
                             before = some_numbers(count, random.below(1000));
    Launch how{.data = {{"src", bytes_of(source)}, {"dst", bytes_of(before)}}};
    if (open)
      how.numbers = {
          {"n_planes", std::to_string(planes)}, {"n_rows", std::to_string(rows)}, {"n_cols", std::to_string(cols)}};
    const auto recording = run_on_one(copying(statement, planes, rows, cols, tile_rows, tile_cols, open), how);
    CHECK(recording->stop_reason() == StopReason::End);
    const auto chunks = [](std::uint32_t all, std::uint32_t most) { return (all + most - 1) / most; };
    CHECK(recording->count() == 2 * planes * chunks(rows, tile_rows) * chunks(cols, tile_cols));
    for (std::size_t i = 0; i < count; ++i)
      REQUIRE(number(*recording, "dst", i) == source[i] + (round % 3 == 0 ? before[i] : 0.0f));
  }
}

TEST_CASE("devices: a group's members are views, of which all or one get what it makes") {
  const std::vector<float> a = some_numbers(2 * 5 * 24, 1), b = some_numbers(2 * 5 * 24, 2);
  const Launch how{
      .data = {{"src", bytes_of(a)}, {"more", bytes_of(b)}, {"dst", bytes_of(some_numbers(2 * 5 * 24, 3))}}};
  const auto all =
      run_on_one(copying("pto.comm.tbroadcast(%src_v, recv(%t), group(%dst_v, %more_v) : VIEW, TILE, VIEW, "
                         "VIEW) {root = 0 : i32}",
                         2, 5, 24, 2, 16, false),
                 how);
  for (std::size_t i = 0; i < a.size(); ++i) {
    REQUIRE(number(*all, "dst", i) == a[i]);
    REQUIRE(number(*all, "more", i) == a[i]);
  }
  for (const char* join : {"sum", "max", "min"}) {
    const auto one = run_on_one(
        copying(fmt::format("pto.comm.treduce(%dst_v, %t, recv(%u), group(%src_v, %more_v) : VIEW, TILE, TILE, VIEW, "
                            "VIEW) {{reduceOp = #pto<reduce_op {}>, root = 0 : i32}}",
                            join),
                2, 5, 24, 2, 16, false),
        how);
    for (std::size_t i = 0; i < a.size(); ++i)
      REQUIRE(number(*one, "dst", i) == (*join == 's'                      ? a[i] + b[i]
                                         : std::string_view(join) == "max" ? std::max(a[i], b[i])
                                                                           : std::min(a[i], b[i])));
  }
}

TEST_CASE("devices: pieces of a group are gathered and scattered along the dimension that fits them") {
  // Members are views of 2x3 pieces of %src; the whole is %dst of 4x3, 2x6, or, for what fits neither, 5x3.
  const auto text = [](const char* operation, const char* whole, std::uint32_t rows, std::uint32_t cols) {
    return fmt::format(R"(func.func @k(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) {{
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %rows = arith.constant {2} : index
    %cols = arith.constant {3} : index
    %next = pto.addptr %src, %c6 : !pto.ptr<f32> -> !pto.ptr<f32>
    %a = pto.make_tensor_view %src, shape = [%c2, %c3], strides = [%c3, %c1] : !pto.tensor_view<2x3xf32>
    %b = pto.make_tensor_view %next, shape = [%c2, %c3], strides = [%c3, %c1] : !pto.tensor_view<2x3xf32>
    %w = pto.make_tensor_view %dst, shape = [%rows, %cols], strides = [%cols, %c1] : !pto.tensor_view<{1}xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    pto.comm.{0}(%w, recv(%t), group(%a, %b) : !pto.tensor_view<{1}xf32>, !pto.tile_buf<vec, 1x8xf32>, !pto.tensor_view<2x3xf32>, !pto.tensor_view<2x3xf32>) {{root = 0 : i32}}
    return
}}
)",
                       operation, whole, rows, cols);
  };
  const std::vector<float> pieces = some_numbers(12, 4), whole = some_numbers(12, 5);
  const Launch how{.data = {{"src", bytes_of(pieces)}, {"dst", bytes_of(whole)}}};
  const auto in_piece = [](std::size_t member, std::size_t row, std::size_t col) { return member * 6 + row * 3 + col; };
  for (const bool side_by_side : {false, true})
    for (const bool gathers : {true, false}) {
      const auto recording = run_on_one(text(gathers ? "tgather" : "tscatter", side_by_side ? "2x6" : "4x3",
                                             side_by_side ? 2 : 4, side_by_side ? 6 : 3),
                                        how);
      CHECK(told_by(*recording, "COMM-N2") == nullptr);  // it is told with the text
      for (std::size_t member = 0; member < 2; ++member)
        for (std::size_t row = 0; row < 2; ++row)
          for (std::size_t col = 0; col < 3; ++col) {
            const std::size_t piece = in_piece(member, row, col),
                              place = side_by_side ? row * 6 + member * 3 + col : (member * 2 + row) * 3 + col;
            REQUIRE(number(*recording, gathers ? "dst" : "src", gathers ? place : piece) ==
                    (gathers ? pieces[piece] : whole[place]));
          }
    }
  CHECK(first_error(text("tgather", "5x3", 5, 3)) ==
        "COMM-R2: the whole is 5x3 of f32, and each of 2 members 2x3 of f32");
}

TEST_CASE("devices: scalars that are stored may stand in a cache when somebody else reads them") {
  const auto text = [](const std::string& between) {
    return R"(func.func @k(%p: !pto.ptr<f32>, %out: !pto.ptr<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %f = arith.constant 2.5 : f32
    %v = pto.make_tensor_view %p, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    pto.store_scalar %f, %p[%c3] : !pto.ptr<f32>, f32
)" + between +
           R"(    pto.tload ins(%v : !pto.tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
    return
}
)";
  };
  const std::string forgets = "    pto.cmo.cacheinvalid all #pto.address_space<gm>\n",
                    fence = "    pto.fence.barrier_all #pto.fence_scope<gm>\n";
  const auto found = [&](const std::string& between, const char* level = "cores.caches=on") {
    const auto recording = run_on_one(text(between), {.data = {{"p", bytes_of(some_numbers(8, 1))}}});
    CheckOptions options;
    REQUIRE(!set_check(options, level));
    std::vector<Diagnostic> out;
    for (const Finding& finding : check(*recording, options).findings)
      if (finding.diagnostic.rule == "MK-22") out.push_back(finding.diagnostic);
    return out;
  };
  const auto told = found("");
  REQUIRE(told.size() == 1);
  CHECK(told[0].severity == Severity::Warning);
  CHECK(told[0].text ==
        "tload reads %p[0,3], which this core stored as a scalar (step 0): on a device it may still "
        "stand in a cache");
  CHECK(told[0].hint.find("pto.cmo.cacheinvalid") != std::string::npos);
  CHECK(found(forgets).size() == 1);          // nothing says that it is done
  CHECK(found(fence + forgets).size() == 1);  // the fence comes too early
  CHECK(found(forgets + fence).empty());
  // What is overwritten by a store of a tile is read from memory.
  CHECK(found("    pto.tload ins(%v : !pto.tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)\n"
              "    pto.tstore ins(%t : !pto.tile_buf<vec, 1x8xf32>) outs(%v : !pto.tensor_view<1x8xf32>)\n")
            .size() == 1);  // the first load, not the second
  CHECK(found("", "cores.caches=off").empty());
  CheckOptions options;
  CHECK(set_check(options, "cores.caches=perhaps")->text == "cores.caches: perhaps is neither on nor off");
}

namespace {

constexpr const char* kCells = "!pto.tensor_view<3xi32>";
// A view %s of three cells, and this block's number %b.
std::string signalling(const std::string& statements) {
  return fmt::format(R"(func.func @k(%p: !pto.ptr<f32>, %out: !pto.ptr<f32>, %cells: !pto.ptr<i32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i5 = arith.constant 5 : i32
    %m2 = arith.constant -2 : i32
    %block = pto.get_block_idx -> i64
    %b = arith.index_cast %block : i64 to index
    %s = pto.make_tensor_view %cells, shape = [%c3], strides = [%c1] : {0}
    %t = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
    %pv = pto.make_tensor_view %p, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<1x64xf32>
    %ov = pto.make_tensor_view %out, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<1x64xf32>
{1}    return
}}
)",
                     kCells, statements);
}
std::string on_cells(const char* operation, const char* value, const char* attribute) {
  return fmt::format("    {}(%s, {} : {}, i32) {{{}}}\n", operation, value, kCells, attribute);
}
const std::string kGive = on_cells("pto.comm.tnotify", "%i1", "notifyOp = #pto<notify_op atomic_add>"),
                  kAwait = on_cells("pto.comm.twait", "%i1", "cmp = #pto<wait_cmp ge>");

// Block 0 stores 5 to %p and gives the signal; block 1 waits, and copies %p to %out.
std::string hand_over(const std::string& give, const std::string& await) {
  return signalling(fmt::format(
      "    %first = arith.cmpi eq, %b, %c0 : index\n    scf.if %first {{\n"
      "    %five = arith.constant 5.0 : f32\n"
      "    pto.texpands ins(%five : f32) outs(%t : !pto.tile_buf<vec, 1x64xf32>)\n"
      "    pto.tstore ins(%t : !pto.tile_buf<vec, 1x64xf32>) outs(%pv : !pto.tensor_view<1x64xf32>)\n{}    }} else {{\n{}"
      "    pto.tload ins(%pv : !pto.tensor_view<1x64xf32>) outs(%t : !pto.tile_buf<vec, 1x64xf32>)\n"
      "    pto.tstore ins(%t : !pto.tile_buf<vec, 1x64xf32>) outs(%ov : !pto.tensor_view<1x64xf32>)\n    }}\n",
      give, await));
}

}  // namespace

TEST_CASE("devices: a signal is set, added to, and compared, cell by cell") {
  const auto recording = run_on_one(signalling(
      on_cells("pto.comm.tnotify", "%i5", "notifyOp = #pto<notify_op set>") +
      on_cells("pto.comm.tnotify", "%m2", "notifyOp = #pto<notify_op atomic_add>") +
      fmt::format("    %one = pto.make_tensor_view %cells, shape = [%c1], strides = [%c1] : !pto.tensor_view<1xi32>\n"
                  "    pto.comm.tnotify(%one, %i1 : !pto.tensor_view<1xi32>, i32) {{notifyOp = #pto<notify_op "
                  "atomic_add>}}\n")));
  CHECK(recording->stop_reason() == StopReason::End);
  CHECK(recording->findings().empty());
  CHECK(word(*recording, "cells", 0) == 4);
  CHECK(word(*recording, "cells", 1) == 3);
  CHECK(word(*recording, "cells", 2) == 3);
  // Cells are 4, 3, 3 now: what holds for all of them.
  struct Row {
    const char *cmp, *value;
    bool holds;
  };
  for (const Row& row : {Row{"ge", "3", true}, Row{"ge", "4", false}, Row{"gt", "2", true}, Row{"gt", "3", false},
                         Row{"lt", "5", true}, Row{"lt", "4", false}, Row{"le", "4", true}, Row{"le", "3", false},
                         Row{"eq", "3", false}, Row{"ne", "3", false}, Row{"ne", "5", true}, Row{"GE", "-7", true}}) {
    CAPTURE(row.cmp);
    CAPTURE(row.value);
    const std::vector<std::int32_t> cells{4, 3, 3};
    std::vector<std::byte> bytes(12);
    std::memcpy(bytes.data(), cells.data(), 12);
    const auto tested = run_on_one(
        signalling(fmt::format("    %v = arith.constant {} : i32\n"
                               "    %ok = pto.comm.ttest(%s, %v : {}, i32) {{cmp = #pto<wait_cmp {}>}} -> i1\n"
                               "    %n = arith.select %ok, %i1, %i0 : i32\n    pto.store_scalar %n, %cells[%c0] : "
                               "!pto.ptr<i32>, i32\n",
                               row.value, kCells, row.cmp)),
        {.data = {{"cells", bytes}}});
    CHECK(word(*tested, "cells", 0) == (row.holds ? 1 : 0));
  }
}

TEST_CASE("devices: a block waits for another one's signal in every order of turns") {
  for (const RunOrder& order : {RunOrder{}, RunOrder{RunOrder::Kind::Reverse}, RunOrder{RunOrder::Kind::Random, 1},
                                RunOrder{RunOrder::Kind::Random, 2}}) {
    const auto recording = run_on_one(hand_over(kGive, kAwait), {.blocks = 2, .order = order});
    CHECK(recording->stop_reason() == StopReason::End);
    CHECK(told_by(*recording, "COMM-N1") == nullptr);
    CHECK(number(*recording, "out", 63) == 5);
    CHECK(found_of_cores(*recording).empty());
  }
  // Without the wait nothing orders the two; a meeting would make them be there at once.
  const auto racing = run_on_one(hand_over(kGive, on_cells("pto.comm.twait", "%i1", "cmp = #pto<wait_cmp le>")),
                                 {.blocks = 2, .order = {RunOrder::Kind::Reverse}});
  CHECK(number(*racing, "out", 63) != 5);
  CHECK(found_of_cores(*racing).size() == 1);
}

TEST_CASE("devices: a signal of another device is taken for given, or waited for") {
  const std::string text = signalling(kAwait + kGive);
  const auto alone = run_on_one(text);
  CHECK(alone->stop_reason() == StopReason::End);
  CHECK(alone->count() == 2);
  const Diagnostic* note = told_by(*alone, "COMM-N1");
  REQUIRE(note != nullptr);
  CHECK(note->severity == Severity::Note);
  CHECK(note->text == "comm.twait >= 1 on %cells[0] assumed: there is no other device");
  const auto strict = run_on_one(text, {.strict = true});
  CHECK(strict->stop_reason() == StopReason::Error);
  const Diagnostic* told = told_by(*strict, "MK-31");
  REQUIRE(told != nullptr);
  CHECK(told->text.find("comm.twait: %cells is not >= 1") != std::string::npos);
  CHECK(told->hint.find("comm.tnotify on %cells") != std::string::npos);
}

TEST_CASE("devices: blocks that add to the same floats do so in any order, which is noted") {
  const auto adding = [](const char* type, const char* attribute) {
    std::string text = signalling(
        fmt::format("    pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<aiv_only>\n"
                    "    %n = arith.constant 1.0 : f32\n"
                    "    pto.texpands ins(%n : f32) outs(%t : !pto.tile_buf<vec, 1x64xf32>)\n"
                    "    pto.tstore ins(%t : !pto.tile_buf<vec, 1x64xf32>) outs(%ov : !pto.tensor_view<1x64xf32>) {}\n",
                    attribute));
    if (std::string_view(type) != "f32") {
      for (std::size_t at = text.find("f32"); at != std::string::npos; at = text.find("f32", at))
        text.replace(at, 3, type);
      text.replace(text.find("constant 1.0"), 12, "constant 1");
    }
    const auto recording = run_on_one(text, {.blocks = 3});
    return found_of_cores(*recording);
  };
  constexpr const char* kAdds = "{atomicType = #pto<atomic_type atomic_add>}";
  const auto floats = adding("f32", kAdds);
  REQUIRE(floats.size() == 1);  // once for this place, however many blocks
  CHECK(floats[0].severity == Severity::Note);
  CHECK(floats[0].text.find("both add to %out[0,0]") != std::string::npos);
  CHECK(floats[0].text.find("sums of f32 may differ in their last bits") != std::string::npos);
  CHECK(adding("i32", kAdds).empty());
  const auto replaced = adding("f32", "");
  REQUIRE(!replaced.empty());
  CHECK(replaced[0].rule == "MK-33");
  CHECK(replaced[0].severity == Severity::Warning);
}

TEST_CASE("devices: where a peer's memory is says zero on one device") {
  const char* text = R"(module {
  func.func private @CommRemoteOffset_f32(%ctx: !pto.ptr<i64>, %peer: i32) -> index {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %rank = pto.load_scalar %ctx[%c2] : !pto.ptr<i64> -> i64
    %mine = arith.index_cast %rank : i64 to index
    %to = arith.index_cast %peer : i32 to index
    %a = arith.addi %c4, %mine : index
    %b = arith.addi %c4, %to : index
    %here = pto.load_scalar %ctx[%a] : !pto.ptr<i64> -> i64
    %there = pto.load_scalar %ctx[%b] : !pto.ptr<i64> -> i64
    %bytes = arith.subi %there, %here : i64
    %wide = arith.index_cast %bytes : i64 to index
    %size = arith.constant 4 : index
    %n = arith.divsi %wide, %size : index
    return %n : index
  }
  func.func @k(%dst: !pto.ptr<f32>, %src: !pto.ptr<f32>, %ctx: !pto.ptr<i64>, %peer: i32) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %n = func.call @CommRemoteOffset_f32(%ctx, %peer) : (!pto.ptr<i64>, i32) -> index
    %far = pto.addptr %dst, %n : !pto.ptr<f32> -> !pto.ptr<f32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 4x64xf32>
    %dv = pto.make_tensor_view %far, shape = [%c4, %c64], strides = [%c64, %c1] : !pto.tensor_view<4x64xf32>
    %sv = pto.make_tensor_view %src, shape = [%c4, %c64], strides = [%c64, %c1] : !pto.tensor_view<4x64xf32>
    pto.comm.tput(%dv, %sv, buf(%t) : !pto.tensor_view<4x64xf32>, !pto.tensor_view<4x64xf32>, !pto.tile_buf<vec, 4x64xf32>)
    return
  }
}
)";
  const std::vector<float> source = some_numbers(256, 4);
  const auto recording = run_on_one(text, {.numbers = {{"peer", "1"}}, .data = {{"src", bytes_of(source)}}});
  CHECK(recording->stop_reason() == StopReason::End);
  CHECK(recording->findings().empty());
  for (std::size_t i = 0; i < source.size(); ++i) REQUIRE(number(*recording, "dst", i) == source[i]);
  CHECK(buffer(*recording, "dst").size() == 1024);
}

TEST_CASE("devices: what is wrong is told with its rule") {
  const std::string put = "pto.comm.tput(%dst_v, %src_v, buf(%t) : VIEW, !pto.tensor_view<2x4x8xf32>, TILE)";
  std::string other = copying(put, 2, 5, 8, 4, 8, false);
  const std::string view = "!pto.tensor_view<2x5x8xf32>", line = "strides = [%plane, %cols, %c1] : ";
  const std::size_t at = other.find("%src_v = "), shape = other.find("%rows", at);
  other.replace(other.find(view, at), view.size(), "!pto.tensor_view<2x4x8xf32>");
  other.replace(shape, 5, "4");
  CHECK(first_error(other) == "COMM-R2: the views are 2x5x8 and 2x4x8");
  // The same where types leave the sizes open.
  std::string open = copying(kPut, 2, 5, 8, 4, 8, true);
  open.replace(open.find("%rows", open.find("%src_v = ")), 5, "4");
  CHECK(first_error(open, {{"n_planes", "2"}, {"n_rows", "5"}, {"n_cols", "8"}}) ==
        "COMM-R2: the views are 2x5x8 and 2x4x8");

  const char* of_floats = "    pto.comm.{}(%pv, %i1 : !pto.tensor_view<1x64xf32>, i32)\n";
  for (const char* name : {"tnotify", "twait"})
    CHECK(first_error(signalling(fmt::format(fmt::runtime(of_floats), name))) ==
          "COMM-R1: signals are cells of i32; these are f32");
  // Cells without end at one place, and so far apart that their number has no room.
  for (const char* strides : {"0", "1099511627775"})
    for (const std::string& statement : {kAwait, kGive}) {
      std::string text = signalling(statement);
      const std::string cells = "shape = [%c3], strides = [%c1] : " + std::string(kCells);
      const std::size_t begin = text.find(cells);
      REQUIRE(begin != std::string::npos);
      text.replace(begin, cells.size(),
                   fmt::format("shape = [1099511627775], strides = [{}] : !pto.tensor_view<?xi32>", strides));
      for (std::size_t type = text.find(kCells); type != std::string::npos; type = text.find(kCells, type))
        text.replace(type, std::string_view(kCells).size(), "!pto.tensor_view<?xi32>");
      OpenedText opened = open_text(text);
      if (!opened.opened) {
        CHECK(!opened.diagnostics.empty());
        continue;
      }
      const auto recording = Recording::run(std::move(opened.opened->program), {});
      CHECK(recording->stop_reason() == StopReason::Error);
    }
  // Cells behind the end of their buffer.
  OpenRequest request;
  request.inputs.size_bytes = {{"cells", 8}};
  OpenedText opened = open_text(signalling(kAwait), {}, request);
  REQUIRE(opened.opened);
  const auto recording = Recording::run(std::move(opened.opened->program), {});
  CHECK(recording->stop_reason() == StopReason::Error);
  REQUIRE(told_by(*recording, "V60-30") != nullptr);
  CHECK(told_by(*recording, "V60-30")->text == "the signal reaches byte 12 of %cells, which has 8");
  const OpenedText given = open_text(signalling(kGive), {}, request);
  CHECK(std::ranges::any_of(given.diagnostics, [](const Diagnostic& one) { return one.rule == "V60-30"; }));
}

TEST_CASE("devices: loads that are announced change nothing, and are done at once") {
  const auto recording = run_on_one(signalling(
      "    %ctx = pto.make_prefetch_async_context(%cells : !pto.ptr<i32>) -> !pto.prefetch_async_context\n"
      "    %e = pto.tprefetch_async(%pv, %ctx : !pto.tensor_view<1x64xf32>, !pto.prefetch_async_context) -> "
      "!pto.async_event\n"
      "    %ok = pto.comm.wait_async_event(%e, %ctx : !pto.async_event, !pto.prefetch_async_context) -> i1\n"
      "    %n = arith.select %ok, %i1, %i0 : i32\n    pto.store_scalar %n, %cells[%c0] : !pto.ptr<i32>, i32\n"));
  CHECK(recording->stop_reason() == StopReason::End);
  CHECK(word(*recording, "cells", 0) == 1);
}

}  // namespace ts::test
