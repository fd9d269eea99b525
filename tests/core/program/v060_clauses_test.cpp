// Clauses: the names in them, their types, their words, and what must be there.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/text/ops/op_table.h"
#include "core/text/ops/word_list.h"
#include "tests/support/text/broken_text.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

#define TS_VIEW "!pto.partition_tensor_view<16x64xf32>"
#define TS_TILE "!pto.tile_buf<vec, 16x64xf32>"
#define TS_CELLS "!pto.partition_tensor_view<1x8xi32>"
#define TS_ROW "!pto.tile_buf<vec, 1x16xf16>"
// %v is a view, %cells one of signals.
#define TS_VIEWS                                                                                             \
  "%f = pto.castptr %p : !pto.ptr<i32> -> !pto.ptr<f32>\n"                                                   \
  "%w = pto.make_tensor_view %f, shape = [16, 64], strides = [64, 1] : !pto.tensor_view<16x64xf32>\n"        \
  "%v = pto.partition_view %w, offsets = [0, 0], sizes = [16, 64] : !pto.tensor_view<16x64xf32> -> " TS_VIEW \
  "\n"                                                                                                       \
  "%s = pto.make_tensor_view %p, shape = [1, 8], strides = [8, 1] : !pto.tensor_view<1x8xi32>\n"             \
  "%cells = pto.partition_view %s, offsets = [0, 0], sizes = [1, 8] : !pto.tensor_view<1x8xi32> -> " TS_CELLS "\n"
constexpr std::uint32_t kBehindViews = 5;
#define TS_INIT "pto.aiv_initialize_pipe {dir_mask = 1, slot_size = 1024} "
#define TS_SYNCALL(mode, cores) " mode = #pto.sync_all_mode<" mode ">, core_type = #pto.sync_core_type<" cores ">"

// clang-format off
constexpr Broken kNames[] = {
    {"E-NAME", TS_VIEWS "pto.comm.tput(%v, %v, buf(%nope) : " TS_VIEW ", " TS_VIEW ", " TS_TILE ")", "%nope", kBehindViews, "use of undefined value %nope", ""},
    {"E-NAME", TS_VIEWS "pto.comm.tput(%v, %v, buf(%fixd) : " TS_VIEW ", " TS_VIEW ", " TS_TILE ")", "%fixd", kBehindViews, "use of undefined value %fixd", "did you mean %fixed?"},
    {"E-NAME", TS_VIEWS "pto.comm.tbroadcast(%v, recv(%fixed), group(%v, %nope) : " TS_VIEW ", " TS_TILE ", " TS_VIEW ", " TS_VIEW ")", "%nope", kBehindViews, "use of undefined value %nope", ""},
    {"E-NAME", TS_INIT "(c2v_consumer_buf = %nope : i32)", "%nope", 0, "use of undefined value %nope", ""},
    {"E-NAME", "%t = pto.alloc_tile valid_row = %nope valid_col = %c1 : !pto.tile_buf<vec, 16x64xf32, valid=?x?>", "%nope", 0, "use of undefined value %nope", ""},
    {"E-NAME", "pto.mte_gm_ub %p, %p, %far, %far nburst(%nope, %far, %far) : !pto.ptr<i32>, !pto.ptr<i32>, i64, i64, i64, i64, i64", "%nope", 0, "use of undefined value %nope", ""},
    {"E-NAME", "pto.simt_launch @outside<<<%c1, %nope, %c1>>>(%i5) : (i32) -> ()", "%nope", 0, "use of undefined value %nope", ""},
    // What a region makes means nothing behind it.
    {"E-NAME", "scf.for %i = %c0 to %c1 step %c1 {\n%inner = pto.alloc_tile : " TS_TILE "\n}\n" TS_VIEWS "pto.comm.tput(%v, %v, buf(%inner) : " TS_VIEW ", " TS_VIEW ", " TS_TILE ")", "%inner", 3 + kBehindViews, "use of undefined value %inner", ""},
    // Types.
    {"E-TYPE", TS_VIEWS "pto.comm.tput(%v, %v, buf(%fixed) : " TS_VIEW ", " TS_VIEW ", !pto.tile_buf<vec, 8x64xf32>)", "!pto.tile_buf<vec, 8x64xf32>", kBehindViews, "%fixed is !pto.tile_buf<vec, 8x64xf32> here", TS_TILE},
    {"E-TYPE", TS_INIT "(c2v_consumer_buf = %i5 : i64)", "i64)", 0, "%i5 is i64 here", "i32"},
    {"E-TYPE", TS_INIT "(c2v_consumer_buf = %one : f32)", "%one", 0, "%one is f32, needs an integer", ""},
    {"E-TYPE", TS_INIT "(gm_slot_buffer = %i5 : i32, c2v_consumer_buf = %i5 : i32)", "%i5", 0, "%i5 is i32, needs a pointer", "", "a2a3"},
    {"E-TYPE", TS_VIEWS "pto.comm.tput(%v, %v, buf(%v) : " TS_VIEW ", " TS_VIEW ", " TS_VIEW ")", "%v) ", kBehindViews, TS_VIEW ", needs a tile", ""},
    {"E-TYPES", TS_VIEWS "pto.comm.tput(%v, %v, buf(%fixed) : " TS_VIEW ", " TS_VIEW ")", TS_VIEW ", " TS_VIEW ")", kBehindViews, "2 types for 3 operands", "3 types separated by ','"},
    {"E-TYPE", "pto.tmatmul.acc ins(%fixed, %open, %open : " TS_TILE ", " TS_TILE ", " TS_TILE ") outs(%fixed : " TS_TILE ")", TS_TILE ", " TS_TILE ") outs", 0, "%open is " TS_TILE " here", "valid=?x?"},
};

constexpr Broken kWords[] = {
    {"E-ATTRIBUTE", TS_VIEWS "pto.comm.tnotify(%cells, %i5 : " TS_CELLS ", i32) {notifyOp = #pto<notify_op add>}", "add>", kBehindViews, "unknown notification 'add'", "set atomic_add"},
    {"E-ATTRIBUTE", TS_VIEWS "pto.comm.tnotify(%cells, %i5 : " TS_CELLS ", i32) {notifyOp = 7}", "7}", kBehindViews, "unknown notification '7'", "set atomic_add"},
    {"E-ATTRIBUTE", TS_VIEWS "pto.comm.twait(%cells, %i5 : " TS_CELLS ", i32) {cmp = #pto<wait_cmp sometimes>}", "sometimes>", kBehindViews, "unverified: the manual names no compare 'sometimes'", "ge"},
    {"E-ATTRIBUTE", TS_VIEWS "%ok = pto.comm.ttest(%cells, %i5 : " TS_CELLS ", i32) {cmp = #pto<wait_cmp great>} -> i1", "great>", kBehindViews, "unverified: the manual names no compare 'great'", "gt or ge"},
    {"E-ATTRIBUTE", TS_VIEWS "pto.comm.treduce(%v, %fixed, recv(%open), group(%v) : " TS_VIEW ", " TS_TILE ", !pto.tile_buf<vec, 16x64xf32, valid=?x?>, " TS_VIEW ") {reduceOp = #pto<reduce_op mean>, root = 0 : i32}", "mean>", kBehindViews, "unknown reduction 'mean'", "max or min"},
    {"E-ATTRIBUTE", TS_VIEWS "pto.comm.tput(%v, %v, buf(%fixed) : " TS_VIEW ", " TS_VIEW ", " TS_TILE ") {atomicType = #pto<atomic_type atomic_sub>}", "atomic_sub>", kBehindViews, "unknown atomic type 'atomic_sub'", "atomic_none or atomic_add"},
    {"E-ATTRIBUTE", "pto.syncall()" TS_SYNCALL("hart", "mix"), "hart>", 0, "unknown mode 'hart'", "hard"},
    {"E-ATTRIBUTE", "pto.syncall()" TS_SYNCALL("hard", "aiv"), "aiv>", 0, "unknown kind of cores 'aiv'", "aiv_only"},
    {"E-ATTRIBUTE", "pto.syncall() core_type = #pto.sync_core_type<mix>", "()", 0, "unverified: the manual knows no syncall without mode", "mode ="},
    {"E-ATTRIBUTE", "pto.fence.barrier_all #pto.fence_scope<ub>", "ub>", 0, "unknown scope 'ub'", "gm all"},
    {"E-ATTRIBUTE", "pto.cmo.cacheinvalid some #pto.address_space<gm>", "some", 0, "unknown part of a cache 'some'", "all single_cache_line"},
    {"E-SYNC", "pto.set_cross_block <PIPE_Q>, 0", "<PIPE_Q>", 0, "unknown pipe PIPE_Q", "PIPE_S"},
    {"E-SYNC", "pto.sync.set <PIPE_Q>, 0", "<PIPE_Q>", 0, "unknown pipe PIPE_Q", "PIPE_S"},
};

constexpr Broken kMissing[] = {
    {"E-OPERANDS", TS_VIEWS "pto.comm.tput(%v, %v : " TS_VIEW ", " TS_VIEW ")", "(%v, %v", kBehindViews, "buf(first, second?) is required", "dst, src, buf(first, second?)"},
    {"E-OPERANDS", TS_VIEWS "pto.comm.tput(%v, %v, buff(%fixed) : " TS_VIEW ", " TS_VIEW ", " TS_TILE ")", "buff", kBehindViews, "comm.tput knows no clause buff(...)", "buf(first, second?)"},
    {"E-OPERANDS", TS_VIEWS "pto.comm.tget(%v, %v, buf() : " TS_VIEW ", " TS_VIEW ")", "buf()", kBehindViews, "buf has 0 operands, needs 1", "first, second?"},
    {"E-OPERANDS", TS_VIEWS "pto.comm.tbroadcast(%v, recv(%fixed) : " TS_VIEW ", " TS_TILE ") {root = 0 : i32}", "(%v", kBehindViews, "group(member, more...) is required", "recv(first, second?)"},
    {"E-ATTRIBUTE", TS_VIEWS "pto.comm.tbroadcast(%v, recv(%fixed), group(%v, %v) : " TS_VIEW ", " TS_TILE ", " TS_VIEW ", " TS_VIEW ") {root = 2 : i32}", "root", kBehindViews, "root 2 is none of the 2 members of the group", "0 to 1"},
    {"E-ATTRIBUTE", TS_VIEWS "pto.comm.tbroadcast(%v, recv(%fixed), group(%v) : " TS_VIEW ", " TS_TILE ", " TS_VIEW ") {root = -1 : i32}", "root", kBehindViews, "root -1 is none of the 1 member of the group", "0"},
    {"E-OPERANDS", "pto.syncall()" TS_SYNCALL("soft", "aiv_only"), "()", 0, "a soft syncall needs a workspace", "%workspace"},
    {"E-OPERANDS", "pto.syncall(%p : !pto.ptr<i32>)" TS_SYNCALL("hard", "aiv_only"), "(%p", 0, "unverified: the manual gives a workspace to the soft syncall only", ""},
    {"E-TYPE", "pto.syncall(%i5 : i32)" TS_SYNCALL("soft", "aiv_only"), "%i5", 0, "%i5 is i32, needs a pointer", ""},
    {"E-OPERANDS", "pto.cmo.cacheinvalid %p all : !pto.ptr<i32>", "%p", 0, "all lines are of no one pointer or view", "single_cache_line"},
    {"E-OPERANDS", "pto.cmo.cacheinvalid single_cache_line", "single_cache_line", 0, "a line is that of a pointer or view", "%p single_cache_line"},
    {"E-OPERANDS", TS_INIT "(c2v_buf = %i5 : i32)", "c2v_buf", 0, "a queue has no storage called c2v_buf", "c2v_consumer_buf"},
    {"E-TYPE", "pto.set_quant_scalar(%i5 : i32) {id = 0}", "%i5", 0, "%i5 is i32, needs f32", "f32"},
    {"E-TYPE", "pto.set_quant_scalar(%fixed : " TS_TILE ") {id = 0}", "%fixed", 0, "needs a scalar", ""},
    {"E-TYPE", "pto.set_quant_vector(%one : f32) {id = 0}", "%one", 0, "%one is f32, needs a tile", ""},
    {"E-TYPE", "pto.set_quant_vector(%fixed : " TS_TILE ") {id = 0}", "%fixed", 0, "unverified: %fixed holds f32", ""},
    {"E-TARGET", "%x = pto.talloc_to_aic {split = 0} -> !pto.tensor_view<16x16xf32>", "pto.talloc_to_aic", 0, "pto.talloc_to_aic is only supported on A2A3", "the target is a5"},
    {"E-TARGET", "%x = pto.talloc_to_aiv {split = 0} -> !pto.tensor_view<16x16xf32>", "pto.talloc_to_aiv", 0, "pto.talloc_to_aiv is only supported on A2A3", "the target is a5", "a5", "cube"},
    {"E-TARGET", TS_VIEWS TS_INIT "(gm_slot_tensor = %w : !pto.tensor_view<16x64xf32>)", "gm_slot_tensor", kBehindViews, "gm_slot_tensor is only supported on A2A3", "the target is a5"},
    {"V60-49", TS_INIT "(gm_slot_buffer = %p : !pto.ptr<i32>, c2v_consumer_buf = %i5 : i32)", "gm_slot_buffer", 0, "gm_slot_buffer is not used on a5", ""},
};

// What the page shows, and what it does not speak of.
constexpr const char* kGood[] = {
    TS_VIEWS "pto.comm.tput(%v, %v, buf(%fixed) : " TS_VIEW ", " TS_VIEW ", " TS_TILE ") {atomicType = #pto<atomic_type atomic_add>}",
    TS_VIEWS "pto.comm.tget(%v, %v, buf(%fixed, %fixed) : " TS_VIEW ", " TS_VIEW ", " TS_TILE ", " TS_TILE ")",
    TS_VIEWS "pto.comm.tnotify(%cells, %i5 : " TS_CELLS ", i32) {notifyOp = #pto<notify_op set>}",
    TS_VIEWS "pto.comm.twait(%cells, %i5 : " TS_CELLS ", i32) {cmp = #pto<wait_cmp ge>}",
    TS_VIEWS "pto.comm.twait(%cells, %i5 : " TS_CELLS ", i32) {cmp = #pto<wait_cmp LT>}",
    TS_VIEWS "%ok = pto.comm.ttest(%cells, %i5 : " TS_CELLS ", i32) {cmp = #pto<wait_cmp ge>} -> i1",
    TS_VIEWS "pto.comm.tbroadcast(%v, recv(%fixed), group(%v, %v) : " TS_VIEW ", " TS_TILE ", " TS_VIEW ", " TS_VIEW ") {root = 1 : i32}",
    "pto.syncall()" TS_SYNCALL("hard", "mix"),
    "pto.syncall(%p : !pto.ptr<i32>)" TS_SYNCALL("soft", "aic_only"),
    "pto.syncall(%p, %i5 : !pto.ptr<i32>, i32)" TS_SYNCALL("soft", "aiv_only"),
    "pto.cmo.cacheinvalid all #pto.address_space<gm>",
    "pto.cmo.cacheinvalid %p single_cache_line : !pto.ptr<i32>",
    TS_VIEWS "pto.cmo.cacheinvalid %v single_cache_line : " TS_VIEW,
    "pto.fence.barrier_all #pto.fence_scope<gm>",
    "pto.fence.barrier_all #pto.fence_scope<all>",
    "pto.set_quant_scalar(%one : f32) {id = 1}",
    "%q = pto.alloc_tile : " TS_ROW "\npto.set_quant_vector(%q : " TS_ROW ") {id = 0}",
    TS_INIT "(c2v_consumer_buf = %i5 : i32, v2c_consumer_buf = %i5 : i32)",
    "pto.set_cross_block <PIPE_MTE3>, 3\npto.wait_cross_block <PIPE_V>, 3",
};
// clang-format on

#undef TS_VIEW
#undef TS_TILE
#undef TS_CELLS
#undef TS_ROW
#undef TS_VIEWS
#undef TS_INIT
#undef TS_SYNCALL

}  // namespace

TEST_CASE("v060: names and types in clauses are looked up like any other") {
  for (const Broken& broken : kNames) check_broken(broken);
}

TEST_CASE("v060: words of clauses are those of the manual") {
  for (const Broken& broken : kWords) check_broken(broken);
}

TEST_CASE("v060: clauses that must be there, and what they take") {
  for (const Broken& broken : kMissing) check_broken(broken);
}

TEST_CASE("v060: nothing is told of clauses that the manual shows") {
  for (const char* statements : kGood) {
    CAPTURE(statements);
    const OpenedText opened = open_text(text_of({"", statements, "", 0, "", ""}));
    std::string told;
    for (const Diagnostic& diagnostic : opened.diagnostics)
      if (diagnostic.rule != "V60-07" && diagnostic.severity != Severity::Note) told += diagnostic.format();  // %n
    CHECK(told == "");
  }
}

TEST_CASE("word lists: families once, words once, and operations name families that there are") {
  std::set<std::string_view> families;
  for (const text::WordList& list : text::word_lists()) {
    CAPTURE(std::string(list.family));
    CHECK(families.insert(list.family).second);
    CHECK(text::knows_word(list, list.words.substr(0, list.words.find(' '))));
    CHECK(!text::knows_word(list, ""));
    CHECK(!text::knows_word(list, list.words.substr(0, 1)));
  }
  for (const text::OpRow& row : text::op_rows()) {
    for (std::string_view rest = row.words; !rest.empty();) {
      const std::string_view first = rest.substr(0, rest.find(' '));
      CHECK(text::find_word_list(first.substr(first.find(':') + 1)) != nullptr);
      rest.remove_prefix(std::min(rest.size(), first.size() + 1));
    }
  }
}

}  // namespace ts::test
