// The generic form: whole programs in it do what the same programs in their own form do.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "core/compile/has_meaning.h"
#include "core/program/statement.h"
#include "core/record/inspector.h"
#include "core/text/parse/parser.h"
#include "core/text/printer.h"
#include "core/text/same_tree.h"
#include "tests/support/scale.h"
#include "tests/support/text/generic_twin.h"
#include "tests/support/text/open_text.h"
#include "tests/support/text/text_program.h"

namespace ts::test {
namespace {

constexpr int kTwins = kSanitized ? 30 : 300;

// Every arithmetic operation, what it gives stored where it can be looked at; and what moves no data.
constexpr const char* kTwinScalars = R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%p: !pto.ptr<i32>, %q: !pto.ptr<f32>, %n: index) {
    %a = arith.constant 77 : i32
    %b = arith.constant -5 : i32
    %x = arith.constant 2.75 : f32
    %y = arith.constant -0.5 : f32
    %yes = arith.constant true
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
ROWS
    return
  }
})";
constexpr const char* kTwinIntegers[] = {"addi",  "subi",  "muli",      "andi",      "ori",        "xori",  "shli",
                                         "shrsi", "shrui", "divsi",     "divui",     "remsi",      "remui", "maxsi",
                                         "maxui", "minsi", "ceildivsi", "ceildivui", "floordivsi", "minui"};
constexpr const char* kTwinReals[] = {"addf",     "subf",     "mulf",    "divf",   "remf",
                                      "maximumf", "minimumf", "maxnumf", "minnumf"};
constexpr const char* kTwinCasts[] = {"extsi a i32 i64",        "extui a i32 i64",          "trunci a i32 i8",
                                      "index_cast a i32 index", "sitofp a i32 f32",         "uitofp a i32 f32",
                                      "fptosi x f32 i32",       "index_castui a i32 index", "bitcast x f32 i32",
                                      "extf x f32 f64",         "truncf x f32 f16",         "fptoui x f32 i32"};

std::string all_scalars() {
  std::string rows;
  int next = 0;
  const auto store = [&](const std::string& value, bool real) {
    rows += fmt::format("    %i{0} = arith.constant {0} : index\n    pto.store_scalar {1}, {2}[%i{0}] : {3}\n", next,
                        value, real ? "%q" : "%p", real ? "!pto.ptr<f32>, f32" : "!pto.ptr<i32>, i32");
    ++next;
  };
  for (const char* name : kTwinIntegers) {
    rows += fmt::format("    %r{0} = arith.{1} %a, %b : i32\n", next, name);
    store(fmt::format("%r{}", next), false);
  }
  for (const char* name : kTwinReals) {
    rows += fmt::format("    %r{0} = arith.{1} %x, %y : f32\n", next, name);
    store(fmt::format("%r{}", next), true);
  }
  rows += fmt::format("    %neg = arith.negf %x : f32\n");
  store("%neg", true);
  for (const std::string cast : kTwinCasts) {
    std::istringstream words(cast);
    std::string name, from, of, to;
    words >> name >> from >> of >> to;
    rows += fmt::format("    %cast_{0} = arith.{0} %{1} : {2} to {3}\n", name, from, of, to);
    if (to == "i32" || to == "f32") store("%cast_" + name, to == "f32");
  }
  rows += "    %unsigned = builtin.unrealized_conversion_cast %a : i32 to ui32\n";
  for (const char* name : {"addui_extended", "mulsi_extended", "mului_extended"}) {
    rows += fmt::format("    %low{0}, %high{0} = arith.{1} %a, %b : i32\n", next, name);
    store(fmt::format("%low{}", next), false);
  }
  for (const char* word : {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}) {
    rows += fmt::format("    %t{0} = arith.cmpi {1}, %a, %b : i32\n    %s{0} = arith.select %t{0}, %a, %b : i32\n",
                        next, word);
    store(fmt::format("%s{}", next), false);
  }
  for (const char* word : {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
                           "une", "uno", "true"}) {
    rows += fmt::format("    %t{0} = arith.cmpf {1}, %x, %y : f32\n    %s{0} = arith.select %t{0}, %x, %y : f32\n",
                        next, word);
    store(fmt::format("%s{}", next), true);
  }
  std::string text = kTwinScalars;
  return text.replace(text.find("ROWS\n"), 5, rows);
}

// What neither random programs nor the samples hold.
constexpr const char* kTwinPrograms[] = {
    R"(module attributes {pto.target_arch = "a2a3"} {
  func.func private @elsewhere(%p: !pto.ptr<f32>) -> i32
  func.func @k(%p: !pto.ptr<f32>, %n: i64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %two = arith.constant 2.0 : f32
    %q = pto.addptr %p, %c8 : !pto.ptr<f32> -> !pto.ptr<f32>
    %number = pto.castptr %q : !pto.ptr<f32> -> i64
    %again = pto.inttoptr %number : i64 -> !pto.ptr<f32>
    %back = pto.ptrtoint %again : !pto.ptr<f32> -> i64
    %v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] {layout = #pto.layout<nd>} : !pto.tensor_view<8x8xf32>
    %extent = pto.get_tensor_view_dim %v, %c0 : !pto.tensor_view<8x8xf32> -> index
    %stride = pto.get_tensor_view_stride %v, %c0 : !pto.tensor_view<8x8xf32> -> index
    %old = pto.subview %v, offsets = [%c0, %c0], sizes = [%c8, %extent] : !pto.tensor_view<8x8xf32> -> !pto.partition_tensor_view<8x8xf32>
    %t = pto.alloc_tile valid_row = %extent valid_col = %c8 : !pto.tile_buf<vec, 8x8xf32, valid=?x?>
    %block = pto.get_block_idx -> i64
    %blocks = pto.get_block_num -> i64
    %sub = pto.get_subblock_idx -> i64
    %subs = pto.get_subblock_num -> i64
    pto.section.vector {
      pto.tload ins(%old : !pto.partition_tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32, valid=?x?>)
    }
    pto.section.cube {
    }
    pto.record_event[#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TVEC>, #pto.event<EVENT_ID0>]
    pto.wait_event[#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TVEC>, #pto.event<EVENT_ID0>]
    pto.set_flag_dyn[#pto.pipe<PIPE_V>, #pto.pipe<PIPE_MTE3>, %c1]
    pto.wait_flag_dyn[#pto.pipe<PIPE_V>, #pto.pipe<PIPE_MTE3>, %c1]
    pto.barrier_sync[#pto.sync_op_type<TVEC>]
    pto.pipe_barrier <PIPE_V>
    pto.fence.barrier_all #pto.fence_scope<gm>
    %rows, %cols = pto.get_validshape %t : !pto.tile_buf<vec, 8x8xf32, valid=?x?> -> index, index
    %vr = pto.tile_valid_rows %t : !pto.tile_buf<vec, 8x8xf32, valid=?x?> -> index
    %vc = pto.tile_valid_cols %t : !pto.tile_buf<vec, 8x8xf32, valid=?x?> -> index
    pto.set_validshape %t, %vr, %vc : !pto.tile_buf<vec, 8x8xf32, valid=?x?>
    pto.tsetval ins(%c1, %two : index, f32) outs(%t : !pto.tile_buf<vec, 8x8xf32, valid=?x?>)
    %got = pto.tgetval ins(%t, %c1 : !pto.tile_buf<vec, 8x8xf32, valid=?x?>, index) outs : f32
    %read = pto.load_scalar %p[%c8] : !pto.ptr<f32> -> f32
    %sum = arith.addf %got, %read : f32
    pto.store_scalar %sum, %q[%c1] : !pto.ptr<f32>, f32
    %old_read = pto.load %p[%c1] : !pto.ptr<f32> -> f32
    pto.store %old_read, %q[%c0] : !pto.ptr<f32>, f32
    pto.print "value %f", %sum : f32
    pto.tprint ins(%t : !pto.tile_buf<vec, 8x8xf32, valid=?x?>)
    pto.cmo.cacheinvalid %p single_cache_line : !pto.ptr<f32>
    %plain = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    %bits = pto.bitcast %plain : !pto.tile_buf<vec, 8x8xf32> -> !pto.tile_buf<vec, 8x8xi32>
    %buffer = memref.alloc() : memref<8x8xf32, #pto.address_space<vec>>
    memref.dealloc %buffer : memref<8x8xf32, #pto.address_space<vec>>
    return
  }
})",
    R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%n: i32) {
    pto.vecscope {
    }
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
    }
    %record = pto.declare_struct -> !pto.struct<i32, f32>
    pto.struct_set %record[0], %n : !pto.struct<i32, f32>, i32
    %field = pto.struct_get %record[0] : !pto.struct<i32, f32> -> i32
    %three = arith.constant 3 : index
    %events = pto.declare_eventid_array -> !pto.eventid_array<4>
    pto.eventid_array_set %events[1], %three : !pto.eventid_array<4>
    %event = pto.eventid_array_get %events[1] : !pto.eventid_array<4>
    return
  }
})",
    R"(module attributes {pto.target_arch = "a5"} {
  func.func @signals_aic(%p: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    %pipe = arith.constant 10 : i64
    %three = arith.constant 3 : i64
    %four = arith.constant 4 : i64
    pto.sync.set <PIPE_FIX>, 2
    pto.set_intra_block %pipe, %three : i64, i64
    pto.wait_intra_core %pipe, %four : i64, i64
    pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<mix>
    return
  }
  func.func @signals_aiv(%p: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %pipe = arith.constant 4 : i64
    %three = arith.constant 3 : i64
    pto.sync.wait <PIPE_MTE2>, 2
    pto.wait_intra_block %pipe, %three : i64, i64
    pto.sync.set <PIPE_MTE3>, 4
    pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<mix>
    return
  }
})",
    R"(module attributes {pto.target_arch = "a5"} {
  func.func @devices(%p: !pto.ptr<f32>, %cells: !pto.ptr<i32>) {
    %a = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
    %v = pto.make_tensor_view %p, shape = [5, 12], strides = [12, 1] : !pto.tensor_view<5x12xf32>
    %c60 = arith.constant 60 : index
    %q = pto.addptr %p, %c60 : !pto.ptr<f32> -> !pto.ptr<f32>
    %w = pto.make_tensor_view %q, shape = [5, 12], strides = [12, 1] : !pto.tensor_view<5x12xf32>
    pto.comm.treduce(%w, %a, recv(%b), group(%v, %w, %v) : !pto.tensor_view<5x12xf32>, !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>, !pto.tensor_view<5x12xf32>, !pto.tensor_view<5x12xf32>, !pto.tensor_view<5x12xf32>) {reduceOp = #pto<reduce_op max>, root = 0 : i32}
    pto.comm.tgather(%w, recv(%a), group(%v) : !pto.tensor_view<5x12xf32>, !pto.tile_buf<vec, 2x8xf32>, !pto.tensor_view<5x12xf32>) {root = 0 : i32}
    pto.comm.tscatter(%w, recv(%b), group(%v) : !pto.tensor_view<5x12xf32>, !pto.tile_buf<vec, 2x8xf32>, !pto.tensor_view<5x12xf32>) {root = 0 : i32}
    %ctx = pto.make_prefetch_async_context(%cells : !pto.ptr<i32>) -> !pto.prefetch_async_context
    %e = pto.tprefetch_async(%v, %ctx : !pto.tensor_view<5x12xf32>, !pto.prefetch_async_context) -> !pto.async_event
    %0 = pto.wait_async_event(%e, %ctx : !pto.async_event, !pto.prefetch_async_context) -> i1
    %1 = pto.comm.wait_async_event(%e, %ctx : !pto.async_event, !pto.prefetch_async_context) -> i1
    %2 = pto.test_async_event(%e, %ctx : !pto.async_event, !pto.prefetch_async_context) -> i1
    %3 = pto.comm.test_async_event(%e, %ctx : !pto.async_event, !pto.prefetch_async_context) -> i1
    return
  }
}
)",
    R"(module attributes {pto.target_arch = "a5"} {
  func.func @numbers_of_buffers() {
    pto.get_buf [#pto.pipe_event_type<TLOAD>, 3]
    pto.rls_buf [#pto.pipe_event_type<TLOAD>, 3]
    pto.get_buf [#pto.pipe_event_type<TVEC>, 3] {mode = 1 : i32}
    pto.rls_buf [#pto.pipe_event_type<TVEC>, 3] {mode = 1 : i32}
    return
  }
})",
    R"(module attributes {pto.target_arch = "a2a3"} {
  func.func @views_aic(%slots: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %slot = pto.make_tensor_view %slots, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<16x16xf32>
    pto.aic_initialize_pipe {id = 0, dir_mask = 2, slot_size = 1024, slot_num = 2} (gm_slot_tensor = %slot : !pto.tensor_view<16x16xf32>)
    %e = pto.tpop_from_aiv {id = 0, split = 0} -> !pto.tensor_view<16x16xf32>
    pto.tfree_from_aiv(%e : !pto.tensor_view<16x16xf32>) {id = 0, split = 0}
    return
  }
  func.func @views_aiv(%slots: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %slot = pto.make_tensor_view %slots, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<16x16xf32>
    pto.aiv_initialize_pipe {id = 0, dir_mask = 2, slot_size = 1024, slot_num = 2} (gm_slot_tensor = %slot : !pto.tensor_view<16x16xf32>)
    %e = pto.talloc_to_aic {id = 0, split = 0} -> !pto.tensor_view<16x16xf32>
    pto.tpush_to_aic(%e : !pto.tensor_view<16x16xf32>) {id = 0, split = 0}
    return
  }
})"};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> twin_programs() {
  std::vector<std::string> texts{all_scalars()};
  for (const char* text : kTwinPrograms) texts.emplace_back(text);
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"samples", "tests/fuzz/corpus/text"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".pto" && entry.path().stem() != "generic") paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const auto& path : paths) texts.push_back(read_file(path));
  return texts;
}

std::string told_by(const OpenedText& opened) {
  std::string out;
  for (const Diagnostic& diagnostic : opened.diagnostics) out += diagnostic.format() + "\n";
  return out;
}

std::unique_ptr<Recording> twin_recording(OpenedText& opened) {
  return Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{8} << 20});
}

void compare_steps(const Recording& own, const Recording& generic) {
  REQUIRE(own.stop_reason() == generic.stop_reason());
  REQUIRE(own.count() == generic.count());
  for (std::uint32_t step = 0; step < own.count(); ++step) {
    const Bound &a = own.bound(step), &b = generic.bound(step);
    INFO("step " << step << ", " << a.row->name << " of line " << a.pos.line);
    REQUIRE(a.row == b.row);
    REQUIRE(a.form == b.form);
    REQUIRE(a.attributes == b.attributes);
    REQUIRE(a.operands.size() == b.operands.size());
    for (std::size_t i = 0; i < a.operands.size(); ++i) {
      REQUIRE(a.operands[i].spec == b.operands[i].spec);
      REQUIRE(a.operands[i].scalar == b.operands[i].scalar);
      REQUIRE(a.operands[i].tile.address == b.operands[i].tile.address);
    }
    REQUIRE(own.writes(step).size() == generic.writes(step).size());
  }
  const Memory &expected = own.final_memory(), &got = generic.final_memory();
  for (const Space space : {Space::Ub, Space::Spr, Space::Gm}) {
    const Flat begin = expected.map().origin(space);
    CHECK(std::memcmp(expected.base() + begin, got.base() + begin, expected.map().size(space)) == 0);
  }
}

// What both say of each other's text, without places.
std::vector<std::string> twin_findings(const Recording& recording) {
  std::vector<std::string> out;
  for (const Finding& finding : recording.findings())
    out.push_back(finding.diagnostic.rule + ": " +
                  std::regex_replace(finding.diagnostic.text, std::regex("line [0-9]+"), "line"));
  return out;
}

// Both forms of a text, opened and run. False: its own form does not open.
bool check_twin(const std::string& text, const OpenRequest& request, std::optional<Target> target,
                std::set<std::string>& written) {
  CAPTURE(text);
  OpenedText own = open_text(text, target, request);
  const GenericTwin twin = generic_twin(*own.tree);
  CAPTURE(twin.text);
  OpenedText generic = open_text(twin.text, target, request);
  CAPTURE(told_by(own));
  CAPTURE(told_by(generic));
  REQUIRE_MESSAGE(own.opened.has_value() == generic.opened.has_value(), told_by(generic));
  // Old names of operations are printed as they are called now; all else stays as it was.
  Diagnostics said;
  const std::string printed = text::print(*generic.tree);
  const auto again = read_program("again.pto", printed, said);
  CHECK(text::same_tree(*again, *generic.tree));
  CHECK(text::print(*again) == printed);
  written.insert(twin.written.begin(), twin.written.end());
  if (!own.opened) return false;
  const auto a = twin_recording(own), b = twin_recording(generic);
  compare_steps(*a, *b);
  CHECK(twin_findings(*a) == twin_findings(*b));
  return true;
}

}  // namespace

TEST_CASE("generic form: random programs do the same in both forms") {
  std::set<std::string> written;
  for (int i = 0; i < kTwins; ++i) {
    CAPTURE(i);
    const Target target = i % 2 == 0 ? Target::A5 : Target::A2A3;
    Random random(static_cast<std::uint64_t>(i) + 300'000);
    const TextProgram program = random_text_program(random, target);
    OpenRequest request;
    request.inputs.data = program.data;
    CHECK(check_twin(program.text, request, target, written));
  }
  CHECK(written.size() > 40);
}

TEST_CASE("generic form: every operation that has a meaning has it in this form") {
  std::set<std::string> written;
  int run = 0;
  for (const std::string& text : twin_programs()) run += check_twin(text, {}, {}, written) ? 1 : 0;
  CHECK(run > 30);
  for (std::size_t code = 0; code < text::op_rows().size(); ++code) {
    const text::OpRow& row = text::op_rows()[code];
    // Micro-instructions with words have no form of this kind that anybody has seen.
    if (row.group == text::OpGroup::Micro) continue;
    if (row.instruction != nullptr || !has_meaning(static_cast<text::OpCode>(code))) continue;
    const std::string name(row.name);
    CHECK_MESSAGE(written.contains(name), name << " stands in no program that was run in both forms");
  }
}

TEST_CASE("generic form: a file as front ends print it runs, and prints as it stands") {
  const std::string text = read_file("tests/fuzz/corpus/text/generic.pto");
  OpenedText opened = open_text(text);
  CAPTURE(told_by(opened));
  REQUIRE(opened.opened);
  CHECK(opened.tree->ops.size() > 30);
  for (const text::Op& op : opened.tree->ops) CHECK(op.form == text::OpForm::Generic);
  CHECK(text::print(*opened.tree) == text);
  CHECK(opened.opened->program.name == "kernel");
  const auto recording = twin_recording(opened);
  CHECK(recording->stop_reason() == StopReason::End);
  CHECK(recording->findings().empty());
  CHECK(recording->count() > 20);
}

// Forms of instructions, by their operands' kinds alone.
TEST_CASE("generic form: instructions take the same operands in both forms") {
  // Where an operand may be scratch or a second result, results are alike and unlike the source.
  const auto type_of = [](const OperandSpec& spec) -> std::string {
    switch (spec.kind) {
      case OperandKind::Tile:
        return spec.role == Role::Out ? "!pto.tile_buf<vec, 8x8xf32>" : "!pto.tile_buf<vec, 16x16xf32>";
      case OperandKind::Global: return "!pto.partition_tensor_view<16x16xf32>";
      case OperandKind::Scalar: return "f32";
    }
    return "";
  };
  for (const text::OpRow& op : text::op_rows()) {
    if (op.instruction == nullptr || op.instruction->effect == Effect::BindsAddress) continue;
    for (const FormRow& form : op.instruction->forms)
      for (const bool with_optional : {false, true}) {
        std::string names[2], types[2];
        for (const OperandSpec& spec : form.operands) {
          if (spec.by_attribute || (spec.role != Role::Out && spec.optional && !with_optional)) continue;
          const std::size_t side = spec.role == Role::Out ? 1 : 0;
          names[side] += fmt::format("{}%{}", names[side].empty() ? "" : ", ", spec.name);
          types[side] += fmt::format("{}{}", types[side].empty() ? "" : ", ", type_of(spec));
        }
        const auto joined = [](const std::string& a, const std::string& b) {
          return a.empty() ? b : b.empty() ? a : a + ", " + b;
        };
        const std::string own =
            fmt::format("{} {}{}\n", op.name, names[0].empty() ? "" : fmt::format("ins({} : {}) ", names[0], types[0]),
                        names[1].empty() ? "" : fmt::format("outs({} : {})", names[1], types[1]));
        const std::string generic =
            fmt::format("\"{}\"({}) : ({}) -> ()\n", op.name, joined(names[0], names[1]), joined(types[0], types[1]));
        CAPTURE(own);
        CAPTURE(generic);
        Diagnostics said;
        const auto a = read_program("own.pto", own, said), b = read_program("generic.pto", generic, said);
        REQUIRE(said.empty());
        TypeMismatch mismatch;
        const Statement first = read_statement(*a, a->ops[0], {}, mismatch),
                        second = read_statement(*b, b->ops[0], {}, mismatch);
        REQUIRE(!mismatch);
        const auto same = [&](const std::vector<StatementOperand>& left, const std::vector<StatementOperand>& right) {
          return std::ranges::equal(left, right, [&](const StatementOperand& x, const StatementOperand& y) {
            return a->text(*x.item) == b->text(*y.item) && a->types.print(x.type) == b->types.print(y.type);
          });
        };
        CHECK(same(first.ins, second.ins));
        CHECK(same(first.outs, second.outs));
      }
  }
}

}  // namespace ts::test
