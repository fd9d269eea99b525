// Flags from core to core, meetings of all blocks, orders of turns, and what is told of two cores at the same bytes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/record/recording.h"
#include "tests/support/record/told.h"
#include "tests/support/text/mixed_program.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

std::unique_ptr<Recording> run_blocks(const std::string& text, std::uint32_t blocks, const RunOrder& order = {},
                                      std::map<std::string, std::string> numbers = {}) {
  Diagnostics told;
  const auto tree = read_program("signals.pto", text, told);
  const std::vector<EntryPoint> entries = entry_points(*tree, told);
  OpenRequest request;
  request.blocks = blocks;
  request.inputs.numbers = {numbers.begin(), numbers.end()};
  REQUIRE(!entries.empty());
  auto opened = open_program(tree, entries.front(), request, told);
  for (const Diagnostic& one : told)
    if (one.severity == Severity::Error) FAIL_CHECK(one.format());
  REQUIRE(opened);
  RecordOptions options;
  options.limits.order = order;
  return Recording::run(std::move(opened->program), options);
}

// Both halves with these lines.
std::string halves_of(const char* target, const std::string& cube, const std::string& vector) {
  return fmt::format(R"(module attributes {{pto.target_arch = "{0}"}} {{
  func.func @k_aic(%p: !pto.ptr<f32>) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{
{1}    return
  }}
  func.func @k_aiv(%p: !pto.ptr<f32>, %__pypto_spmd_subblock_idx: i32) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
{2}    return
  }}
}}
)",
                     target, cube, vector);
}

// Every block writes its number, all meet, every block reads the next one's.
std::string reduction(const std::string& meeting, const char* attributes = "") {
  return fmt::format(R"(module attributes {{pto.target_arch = "a2a3"}} {{
  func.func @k(%p: !pto.ptr<f32>, %out: !pto.ptr<f32>, %ws: !pto.ptr<i32>, %n: i32) {1} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %block = pto.get_block_idx -> i64
    %blk = arith.index_cast %block : i64 to index
    %count = pto.get_block_num -> i64
    %all = arith.index_cast %count : i64 to index
    %number = arith.trunci %block : i64 to i32
    %mine = arith.sitofp %number : i32 to f32
    %t = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
    %pv = pto.make_tensor_view %p, shape = [%all, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x64xf32>
    %ov = pto.make_tensor_view %out, shape = [%all, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x64xf32>
    %w = pto.partition_view %pv, offsets = [%blk, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<1x64xf32>
    pto.texpands ins(%mine : f32) outs(%t : !pto.tile_buf<vec, 1x64xf32>)
    pto.tstore ins(%t : !pto.tile_buf<vec, 1x64xf32>) outs(%w : !pto.partition_tensor_view<1x64xf32>)
{0}    %behind = arith.addi %blk, %c1 : index
    %next = arith.remui %behind, %all : index
    %r = pto.partition_view %pv, offsets = [%next, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<1x64xf32>
    %o = pto.partition_view %ov, offsets = [%blk, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<1x64xf32>
    pto.tload ins(%r : !pto.partition_tensor_view<1x64xf32>) outs(%t : !pto.tile_buf<vec, 1x64xf32>)
    pto.tstore ins(%t : !pto.tile_buf<vec, 1x64xf32>) outs(%o : !pto.partition_tensor_view<1x64xf32>)
    return
  }}
}}
)",
                     meeting, attributes);
}
constexpr const char* kHard =
    "    pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<aiv_only>\n";

std::vector<double> outputs(const Recording& recording, std::uint32_t blocks) {
  const auto& buffers = recording.program().buffers;
  const auto out = std::ranges::find(buffers, "out", &BufferDecl::name);
  REQUIRE(out != buffers.end());
  std::vector<double> values;
  for (std::uint32_t block = 0; block < blocks; ++block)
    values.push_back(to_double(DType::F32, recording.final_memory().element(Space::Gm, out->address + block * 256, 4)));
  return values;
}

}  // namespace

TEST_CASE("signals: blocks meet, and read what others wrote before") {
  for (const char* kind : {"", "attributes {pto.kernel_kind = #pto.kernel_kind<vector>}"})
    for (const RunOrder& order : {RunOrder{}, RunOrder{RunOrder::Kind::Reverse}, RunOrder{RunOrder::Kind::Random, 3}}) {
      const auto recording = run_blocks(reduction(kHard, kind), 4, order);
      CHECK(recording->stop_reason() == StopReason::End);
      CHECK(outputs(*recording, 4) == std::vector<double>{1, 2, 3, 0});
      CHECK(found_of_cores(*recording).empty());
      CHECK(recording->map().cores() == 4);
    }
  // The soft one counts cores in global memory, which nobody else looks at; as many as are said, or all.
  const std::string soft =
      "    pto.syncall(%ws, %n : !pto.ptr<i32>, i32) mode = #pto.sync_all_mode<soft>, core_type = "
      "#pto.sync_core_type<aiv_only>\n";
  const auto all = run_blocks(reduction(soft), 4, {}, {{"n", "4"}});
  CHECK(outputs(*all, 4) == std::vector<double>{1, 2, 3, 0});
  const auto more = run_blocks(reduction(soft), 4, {}, {{"n", "5"}});
  REQUIRE(told_by(*more, "MK-31") != nullptr);
  CHECK(more->waits().size() == 4);
}

TEST_CASE("signals: the workspace of a soft meeting has room, and begins at zero") {
  const std::string soft =
      "    pto.syncall(%ws : !pto.ptr<i32>) mode = #pto.sync_all_mode<soft>, core_type = "
      "#pto.sync_core_type<aiv_only>\n";
  const auto told = [&](std::size_t bytes, std::size_t set) -> std::string {
    OpenRequest request;
    request.blocks = 2;
    request.inputs.data["ws"].assign(bytes, std::byte{0});
    if (set < bytes) request.inputs.data["ws"][set] = std::byte{7};
    OpenedText opened = open_text(reduction(soft), {}, request);
    REQUIRE(opened.opened);
    const auto recording = Recording::run(std::move(opened.opened->program), {});
    CHECK(recording->stop_reason() == StopReason::End);
    const Diagnostic* found = told_by(*recording, "MK-20");
    return found == nullptr ? "" : found->text;
  };
  CHECK(told(64, 64).empty());
  CHECK(told(256, 64).empty());
  CHECK(told(32, 32) == "the workspace of this meeting has 32 bytes");
  CHECK(told(64, 5) == "byte 5 of the workspace of this meeting is 7");
  // Nobody gives it: a launch clears it.
  CHECK(told_by(*run_blocks(reduction(soft), 2), "MK-20") == nullptr);
}

TEST_CASE("signals: without the meeting two blocks are told to be at the same bytes") {
  // A program that meets elsewhere has all its blocks there at once.
  const std::string late = reduction("");
  const std::size_t end = late.find("    return\n");
  const auto recording = run_blocks(late.substr(0, end) + kHard + late.substr(end), 3);
  CHECK(recording->stop_reason() == StopReason::End);
  const auto found = found_of_cores(*recording);
  REQUIRE(!found.empty());
  CHECK(found[0].rule == "MK-33");
  CHECK(found[0].text.find("nothing orders the two") != std::string::npos);
  CHECK(found[0].text.find("block ") != std::string::npos);
  CHECK(found[0].notes.size() == 1);
}

TEST_CASE("signals: a core that does not come to a meeting, and one that must not") {
  const std::string meeting =
      "    pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<mix>\n";
  const auto missing = run_blocks(halves_of("a2a3", meeting, ""), 2);
  REQUIRE(told_by(*missing, "MK-31") != nullptr);
  CHECK(told_by(*missing, "MK-31")->text.find("syncall: 2 of 6 cores are there") != std::string::npos);
  CHECK(told_by(*missing, "MK-31")->hint.find("AIV0 has ended after 0 meetings") != std::string::npos);
  const std::string vectors =
      "    pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<aiv_only>\n";
  const auto wrong = run_blocks(halves_of("a2a3", vectors, vectors), 1);
  REQUIRE(told_by(*wrong, "MK-21") != nullptr);
  CHECK(told_by(*wrong, "MK-21")->text == "AIC comes to a meeting of vector cores");
}

TEST_CASE("signals: flags between the cores of a block") {
  // a2a3: one flag reaches both vector cores, and theirs is there when both have set it.
  const std::string to = "    pto.sync.set <PIPE_FIX>, 2\n", from = "    pto.sync.wait <PIPE_MTE2>, 2\n",
                    back = "    pto.sync.set <PIPE_MTE3>, 3\n", heard = "    pto.sync.wait <PIPE_FIX>, 3\n";
  const auto both = run_blocks(halves_of("a2a3", to + heard, from + back), 2);
  CHECK(both->stop_reason() == StopReason::End);
  CHECK(both->count() == 12);
  // a5: a flag for each vector core; one that is set for the first alone on the way out is mirrored.
  const auto mirrored = run_blocks(halves_of("a5", to, from), 1);
  CHECK(mirrored->stop_reason() == StopReason::End);
  const auto own =
      run_blocks(halves_of("a5",
                           "    pto.set_intra_block <PIPE_FIX>, 2\n    pto.set_intra_block <PIPE_FIX>, 18\n"
                           "    pto.wait_intra_block <PIPE_FIX>, 3\n    pto.wait_intra_block <PIPE_FIX>, 19\n",
                           "    pto.wait_intra_block <PIPE_V>, 2\n    pto.set_intra_block <PIPE_V>, 3\n"),
                 1);
  CHECK(own->stop_reason() == StopReason::End);
  const auto never = run_blocks(halves_of("a2a3", heard, from), 1);
  REQUIRE(told_by(*never, "MK-31") != nullptr);
  CHECK(told_by(*never, "MK-31")
            ->text.find("AIC, line 3: sync.wait of flag 3: nobody has set it; waits for sync.set on "
                        "AIV0 (blocked at line 7); waits for sync.set on AIV1") != std::string::npos);
  CHECK(never->waits().size() == 3);
  std::string many;
  for (int i = 0; i < 16; ++i) many += to;
  const auto over = run_blocks(halves_of("a2a3", many, ""), 1);
  REQUIRE(told_by(*over, "SYNC-R4") != nullptr);
  CHECK(told_by(*over, "SYNC-R4")->text.find("flag 2 of AIV0 is set 16 times more") != std::string::npos);
}

TEST_CASE("signals: a core that does both sides' work waits for no flag") {
  const auto joint = run_blocks(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k() {
    pto.sync.wait <PIPE_V>, 1
    pto.sync.set <PIPE_V>, 1
    return
  }
}
)",
                                2);
  CHECK(joint->stop_reason() == StopReason::End);
}

TEST_CASE("cores: what is popped and used behind its free, or when its slot was given away") {
  const auto run_with = [](MixedProgram mixed, const std::string& what, const std::string& with) {
    std::string text = text_of(mixed);
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    text.replace(at, what.size(), with);
    return run_blocks(text, 1, {}, {{"n", fmt::format("{}", mixed.entries)}});
  };
  const MixedProgram a5{.target = Target::A5, .entries = 5, .slots = 2};
  const std::string vec = "!pto.tile_buf<vec, 16x64xf32>",
                    use = fmt::format("    pto.tadds ins(%x, %one : {0}, f32) outs(%y : {0})\n", vec),
                    free = "    pto.tfree_from_aic {id = 0, split = 0}\n";
  CHECK(found_of_cores(*run_with(a5, use + free, use + free)).empty());
  const auto early = found_of_cores(*run_with(a5, use + free, free + use));
  REQUIRE(!early.empty());
  CHECK(early[0].rule == "MK-17");
  CHECK(early[0].text.find("tadds reads %x, entry 0 of pipe 0, which was freed at line ") != std::string::npos);
  // a2a3: the ring of copies has a slot, and two entries are popped before the first is used.
  const MixedProgram a2a3{.target = Target::A2A3, .entries = 2, .slots = 2};
  const std::string pop = "    %x = pto.tpop_from_aic {id = 0, split = 0} -> " + vec + "\n";
  std::string text = text_of(a2a3);
  text.replace(text.find(pop), pop.size(), pop + "    %x2 = pto.tpop_from_aic {id = 0, split = 0} -> " + vec + "\n");
  const auto replace = [&](const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
      text.replace(at, what.size(), with);
  };
  replace("slot_num = 2}", "slot_num = 2, local_slot_num = 1}");
  const std::string loop = "    scf.for %i = %c0 to %n step %c1 {\n    %first";
  REQUIRE(text.find(loop) != std::string::npos);
  replace(loop, "    scf.for %i = %c0 to %c1 step %c1 {\n    %first");
  const auto refilled = found_of_cores(*run_blocks(text, 1, {}, {{"n", "2"}}));
  REQUIRE(!refilled.empty());
  CHECK(refilled[0].rule == "MK-17");
  CHECK(refilled[0].text.find("whose slot of the local ring was given to entry 1") != std::string::npos);
}

TEST_CASE("cores: both vector cores on the same rows, blocks on the same rows and slots") {
  const MixedProgram split{.target = Target::A5, .entries = 2, .slots = 2, .split = 1};
  std::string text = text_of(split);
  const std::string own = "    %down = arith.muli %which, %c8 : index\n";
  REQUIRE(text.find(own) != std::string::npos);
  CHECK(found_of_cores(*run_blocks(text, 1, {}, {{"n", "2"}})).empty());
  text.replace(text.find(own), own.size(), "    %down = arith.muli %which, %c0 : index\n");
  const auto rows = found_of_cores(*run_blocks(text, 1, {}, {{"n", "2"}}));
  REQUIRE(!rows.empty());
  CHECK(rows[0].rule == "MK-33");
  CHECK(rows[0].text.find("tstore of AIV1 writes %out[0,0], which tstore (step ") != std::string::npos);
  CHECK(rows[0].hint.find("pto.get_subblock_idx") != std::string::npos);
  // All blocks of this one store the same rows, and on a2a3 they share slots.
  const auto blocks = found_of_cores(
      *run_blocks(text_of({.target = Target::A2A3, .entries = 2, .slots = 2, .split = 1}), 2, {}, {{"n", "2"}}));
  CHECK(std::ranges::any_of(
      blocks, [](const Diagnostic& one) { return one.hint.find("gm_slot_buffer") != std::string::npos; }));
  CHECK(std::ranges::any_of(
      blocks, [](const Diagnostic& one) { return one.hint.find("pto.get_block_idx") != std::string::npos; }));
}

TEST_CASE("mixed: an entry that stands behind the storage of its queue is refused where it is used") {
  for (const Target target : kBothTargets) {
    std::string text = text_of({.target = target, .entries = 3, .slots = 2});
    const std::string size = "size = 8192";
    REQUIRE(text.find(size) != std::string::npos);
    text.replace(text.find(size), size.size(), "size = 4096");
    const auto recording = run_blocks(text, 1, {}, {{"n", "3"}});
    REQUIRE(told_by(*recording, "V60-44") != nullptr);
    CHECK(told_by(*recording, "V60-44")->text ==
          "entry 1 of pipe 0 stands in bytes [4096, 8192) of its storage, which has 4096");
    CHECK(told_by(*recording, "V60-44")->hint.find("reserve 8192 bytes") != std::string::npos);
    // What is not used is nobody's mistake.
    CHECK(run_blocks(text, 1, {}, {{"n", "1"}})->stop_reason() == StopReason::End);
  }
}

TEST_CASE("mixed: vector cores that do not push as often as each other are told, and so is the deadlock behind it") {
  const MixedProgram mixed{.target = Target::A2A3, .entries = 3, .slots = 2};
  std::string text = text_of_way_back(mixed);
  const std::string loop = "    scf.for %i = %c0 to %n step %c1 {\n    %first";
  const std::size_t at = text.find(loop);
  REQUIRE(at != std::string::npos);
  text.replace(at, loop.size(),
               "    %fewer = arith.subi %n, %which : index\n    scf.for %i = %c0 to %fewer step %c1 {\n    %first");
  const auto recording = run_blocks(text, 1, {}, {{"n", "3"}});
  REQUIRE(told_by(*recording, "MK-18") != nullptr);
  CHECK(told_by(*recording, "MK-18")->text == "pipe 0: AIV0 pushed 3, AIV1 pushed 2");
  CHECK(recording->stop_reason() == StopReason::Error);
  CHECK(recording->findings().back().diagnostic.rule == "MK-10");
}

TEST_CASE("orders: names of them") {
  CHECK(find_order("usual") == RunOrder{});
  CHECK(find_order("reverse") == RunOrder{RunOrder::Kind::Reverse});
  CHECK(find_order("seed:7") == RunOrder{RunOrder::Kind::Random, 7});
  for (const char* wrong : {"", "seed:", "seed:x", "forward", "seed:-1"}) CHECK_FALSE(find_order(wrong));
  for (const char* right : {"usual", "reverse", "seed:18446744073709551615"}) CHECK(name(*find_order(right)) == right);
}

}  // namespace ts::test
