// The parser: every form of a statement, as the tree that it makes.
#include <doctest/doctest.h>

#include "core/text/parse/parser.h"
#include "core/text/same_tree.h"
#include "tests/support/text/text_outline.h"

namespace ts::test {
namespace {

using namespace ts::text;

std::string tree_of(const std::string& text) {
  const Parsed parsed = parse_text(text);
  CHECK(messages(parsed.diagnostics) == "");
  return outline(parsed.tree);
}

const std::string T = "type:!pto.tile<16x16xf32>";

}  // namespace

TEST_CASE("forms: synchronous (F1)") {
  CHECK(tree_of("%d = tsels %m, %s, %c : !pto.tile<16x16xf32>") ==
        "def:%d bare tsels use:%m, use:%s, use:%c types[ " + T + " ]\n");
  CHECK(tree_of("%d = ttrans %s : !pto.tile<16x16xf32> -> !pto.tile<16x16xf32>") ==
        "def:%d bare ttrans use:%s types[ " + T + " ] arrow[ " + T + " ]\n");
  CHECK(tree_of("%d = texpands %c : f32, !pto.tile<16x16xf32>") ==
        "def:%d bare texpands use:%c types[ type:f32, " + T + " ]\n");
  CHECK(tree_of("%a, %b = tdeinterleave %s : !pto.tile<...>") ==
        "def:%a def:%b bare tdeinterleave use:%s types[ type:!pto.tile<...> ]\n");
}

TEST_CASE("forms: level 1 (F2)") {
  CHECK(tree_of(
            "%d = pto.tsels %m, %s, %c : (!pto.tile<16x16xf32>, !pto.tile<16x16xf32>, f32) -> !pto.tile<16x16xf32>") ==
        "def:%d pto.tsels use:%m, use:%s, use:%c types/2[ " + T + ", " + T + ", type:f32 ] arrow[ " + T + " ]\n");
  CHECK(tree_of("%d = pto.texpands %c : dtype -> !pto.tile<16x16xf32>") ==
        "def:%d pto.texpands use:%c types[ type:dtype ] arrow[ " + T + " ]\n");
  CHECK(tree_of(
            "%a, %b = pto.tdeinterleave %s : (!pto.tile<16x16xf32>) -> (!pto.tile<16x16xf32>, !pto.tile<16x16xf32>)") ==
        "def:%a def:%b pto.tdeinterleave use:%s types/2[ " + T + " ] arrow/1[ " + T + ", " + T + " ]\n");
}

TEST_CASE("forms: level 2 (F3), attributes inside and behind") {
  CHECK(
      tree_of(
          "pto.tsels ins(%m, %s, %c : !pto.tile<16x16xf32>, !pto.tile<16x16xf32>, f32) outs(%d : !pto.tile<16x16xf32>)") ==
      "pto.tsels group:ins[ use:%m, use:%s, use:%c types[ " + T + ", " + T +
          ", type:f32 ] ] group:outs[ use:%d types[ " + T + " ] ]\n");
  CHECK(
      tree_of("pto.tcmp ins(%a, %b {cmpMode = #pto<cmp lt>} : f32, f32) outs(%d : f32) {x}") ==
      "pto.tcmp group:ins[ use:%a, use:%b dict[ named:cmpMode[ enum[ word:cmp word:lt ] ] ] types[ type:f32, type:f32 ] ] "
      "group:outs[ use:%d types[ type:f32 ] ] dict[ named:x[ ] ]\n");
  CHECK(
      tree_of("pto.tgather ins(%a, {maskPattern = #pto.mask_pattern<P0101>} : f32) outs(%d : f32)") ==
      "pto.tgather group:ins[ use:%a, dict[ named:maskPattern[ enum[ word:mask_pattern word:P0101 ] ] ] types[ type:f32 ] ] "
      "group:outs[ use:%d types[ type:f32 ] ]\n");
  CHECK(
      tree_of("pto.tmov ins(%a : f32, %fp : i64) outs(%d : f32)") ==
      "pto.tmov group:ins[ use:%a types[ type:f32 ], use:%fp types[ type:i64 ] ] group:outs[ use:%d types[ type:f32 ] ]\n");
  CHECK(tree_of("%v = pto.tgetval ins(%t, %o : f32, index) outs : f32") ==
        "def:%v pto.tgetval group:ins[ use:%t, use:%o types[ type:f32, type:index ] ] word:outs types[ type:f32 ]\n");
  CHECK(
      tree_of("pto.tload ins(%v : f32) outs(%t : f32) pad_value = %p : f32 {layout = #pto.layout<nd>}") ==
      "pto.tload group:ins[ use:%v types[ type:f32 ] ] group:outs[ use:%t types[ type:f32 ] ] named:pad_value[ use:%p type:f32 ] "
      "dict[ named:layout[ enum[ word:layout word:nd ] ] ]\n");
}

TEST_CASE("forms: manual binding (F5)") {
  CHECK(tree_of("pto.tassign %x, @tile(0x1000)") == "pto.tassign use:%x, address[ int:0x1000 ]\n");
  CHECK(tree_of("pto.tassign %x, @tile( slot )") == "pto.tassign use:%x, address[ word:slot ]\n");
  CHECK(tree_of("pto.tassign %x, %a : f32, i64") == "pto.tassign use:%x, use:%a types[ type:f32, type:i64 ]\n");
}

TEST_CASE("forms: destination first (F8) and directives (F9)") {
  CHECK(tree_of("tadd %d, %a, %b : !pto.tile<f32, 16, 16>") ==
        "destination tadd use:%d, use:%a, use:%b types[ " + T + " ]\n");
  CHECK(tree_of("tcmps %d, %s, 0 #cmp=gt #x=1") ==
        "destination tcmps use:%d, use:%s, int:0 dict[ named:cmp[ word:gt ] ] dict[ named:x[ int:1 ] ]\n");
  CHECK(tree_of("tprint %a : f32") == "bare tprint use:%a types[ type:f32 ]\n");              // makes nothing
  CHECK(tree_of("tstore %a, %v : f32") == "bare tstore use:%a, use:%v types[ type:f32 ]\n");  // makes no tile
  CHECK(tree_of("tassign %a, @tile(0x20)") == "bare tassign use:%a, address[ int:0x20 ]\n");
  CHECK(tree_of(".arg %a : f32;\n.const %c = -1.5 : f32;") ==
        "def:%a directive .arg types[ type:f32 ]\ndef:%c directive .const float:-1.5 types[ type:f32 ]\n");
}

TEST_CASE("forms: generic operations") {
  CHECK(
      tree_of(
          "%r:2 = \"pto.tadd\"(%a, %b) <{x = 1 : i32}> ({\n^bb0(%p: f32 {y}):\n  \"pto.trap\"() : () -> ()\n}, {}) {z} : "
          "(f32, f32) -> (f32, f32)") ==
      "def/2:%r generic pto.tadd group:[ use:%a, use:%b ] dict/1[ named:x[ int:1 type:i32 ] ] group:[ region, region ] dict[ "
      "named:z[ ] ] "
      "types/2[ type:f32, type:f32 ] arrow/1[ type:f32, type:f32 ]\n"
      "  block ^bb0 param[ def:%p type:f32 dict[ named:y[ ] ] ]\n"
      "    generic pto.trap group:[ ] types/2[ ] arrow/1[ ]\n");
}

TEST_CASE("operands: packs, elements, enumerations, symbols, clauses") {
  CHECK(tree_of("%r:2 = call @f() : () -> (f32, f32)\nreturn %r#1, %r#0 : f32, f32") ==
        "def/2:%r call symbol:@f group:[ ] types/2[ ] arrow/1[ type:f32, type:f32 ]\n"
        "return use/2:%r, use/1:%r types[ type:f32, type:f32 ]\n");
  CHECK(
      tree_of("%v = pto.vlds %p[%i, 3] {dist = \"BRC_B32\"} : f32 -> f32") ==
      "def:%v pto.vlds element[ use:%p use:%i, int:3 ] dict[ named:dist[ string:\"BRC_B32\" ] ] types[ type:f32 ] arrow[ type:f32 ]\n");
  CHECK(tree_of("pto.set_flag[<PIPE_MTE2>, \"PIPE_V\", #pto.event<EVENT_ID0>, %i]") ==
        "pto.set_flag list[ enum[ word:PIPE_MTE2 ], string:\"PIPE_V\", enum[ word:event word:EVENT_ID0 ], use:%i ]\n");
  CHECK(tree_of("pto.sync.set <PIPE_FIX>, 1 {ffts_mode = 2 : i32}") ==
        "pto.sync.set enum[ word:PIPE_FIX ], int:1 dict[ named:ffts_mode[ int:2 type:i32 ] ]\n");
  CHECK(
      tree_of(
          "pto.mte_gm_ub %a, %b nburst(%n, %s, %d) pad(%v) : f32, loop i64, i64, nd2nz, src_layout(i64), pad f32") ==
      "pto.mte_gm_ub use:%a, use:%b group:nburst[ use:%n, use:%s, use:%d ] group:pad[ use:%v ] "
      "types[ type:f32, word:loop type:i64, type:i64, word:nd2nz, group:src_layout[ type:i64 ], word:pad type:f32 ]\n");
  CHECK(
      tree_of(
          "pto.mte_l0c_ub %a, dst_mode(split_m), pre_quant(%p, mode = qf322f16_pre_vec), nz2nd, atomic(type = f32, op = add)") ==
      "pto.mte_l0c_ub use:%a, group:dst_mode[ word:split_m ], group:pre_quant[ use:%p, named:mode[ word:qf322f16_pre_vec ] ], "
      "word:nz2nd, "
      "group:atomic[ named:type[ type:f32 ], named:op[ word:add ] ]\n");
  CHECK(
      tree_of(
          "pto.aic_initialize_pipe {dir_mask = 1} (c2v_consumer_buf = %a : i32, gm_slot_buffer = %p : !pto.ptr<f32>)") ==
      "pto.aic_initialize_pipe dict[ named:dir_mask[ int:1 ] ] group:[ named:c2v_consumer_buf[ use:%a type:i32 ], "
      "named:gm_slot_buffer[ use:%p type:!pto.ptr<f32> ] ]\n");
}

TEST_CASE("views: lists and clauses with names") {
  CHECK(
      tree_of("%v = pto.make_tensor_view %p, shape = [%a, 4], strides = [%b, %c] {layout = #pto.layout<nd>} : "
              "!pto.tensor_view<?x4xf32>") ==
      "def:%v pto.make_tensor_view use:%p, named:shape[ list[ use:%a, int:4 ] ], named:strides[ list[ use:%b, use:%c ] ] "
      "dict[ named:layout[ enum[ word:layout word:nd ] ] ] types[ type:!pto.tensor_view<?x4xf32> ]\n");
  CHECK(tree_of(
            "%t = pto.alloc_tile addr = %a valid_row = %r valid_col = %c : !pto.tile_buf<vec, 16x16xf32, valid=?x?>") ==
        "def:%t pto.alloc_tile named:addr[ use:%a ] named:valid_row[ use:%r ] named:valid_col[ use:%c ] "
        "types[ type:!pto.tile_buf<vec, 16x16xf32, valid=?x?> ]\n");
  CHECK(tree_of("%s = pto.subset %t[%i, %j] sizes [8, 16] : f32") ==
        "def:%s pto.subset element[ use:%t use:%i, use:%j ] word:sizes list[ int:8, int:16 ] types[ type:f32 ]\n");
  CHECK(
      tree_of("%v = memref.reinterpret_cast %a to offset: [%i], sizes: [4] : memref<4xf32> to memref<4xf32>") ==
      "def:%v memref.reinterpret_cast use:%a word:to named/1:offset[ list[ use:%i ] ], named/1:sizes[ list[ int:4 ] ] "
      "types/1[ type:memref<4xf32> type:memref<4xf32> ]\n");
}

TEST_CASE("functions and modules") {
  CHECK(
      tree_of("module @m attributes {pto.target_arch = \"a5\", \"pto.device-spec\" = \"x\"} {\n}") ==
      "module symbol:@m dict[ named:pto.target_arch[ string:\"a5\" ], named:pto.device-spec[ string:\"x\" ] ] region\n");
  CHECK(
      tree_of("func.func private @f(%a: f32 {x}, %b: i32) -> i32 attributes {pto.entry} {\nreturn %b : i32\n}") ==
      "func.func word:private symbol:@f group:[ param[ def:%a type:f32 dict[ named:x[ ] ] ], param[ def:%b type:i32 ] ] arrow[ "
      "type:i32 ] "
      "dict[ named:pto.entry[ ] ] region\n  block \n    return use:%b types[ type:i32 ]\n");
  CHECK(tree_of("func.func @f(i32) -> (i32, f32)") ==
        "func.func symbol:@f group:[ param[ type:i32 ] ] arrow/1[ type:i32, type:f32 ]\n");
}

TEST_CASE("control flow") {
  CHECK(tree_of("scf.for unsigned %i = %a to %b step %c : i32 {\n}") ==
        "scf.for word:unsigned def:%i use:%a use:%b use:%c types[ type:i32 ] region\n");
  CHECK(
      tree_of(
          "%r:2 = scf.for %i = %a to %b step %c iter_args(%x = %p, %y = %q#1) -> (f32, i32) {\nscf.yield %x, %y : f32, i32\n}") ==
      "def/2:%r scf.for def:%i use:%a use:%b use:%c group:iter_args[ named:[ def:%x use:%p ], named:[ def:%y use/2:%q ] ] "
      "arrow/1[ type:f32, type:i32 ] region\n  block \n    scf.yield use:%x, use:%y types[ type:f32, type:i32 ]\n");
  CHECK(tree_of("%r = scf.if %c -> f32 {\nscf.yield %a : f32\n} else {\nscf.yield %b : f32\n}") ==
        "def:%r scf.if use:%c arrow[ type:f32 ] region region\n  block \n    scf.yield use:%a types[ type:f32 ]\n"
        "  block \n    scf.yield use:%b types[ type:f32 ]\n");
  CHECK(
      tree_of(
          "%r = scf.while (%a = %x) : (f32) -> f32 {\nscf.condition(%c) %a : f32\n} do {\n^bb0(%p: f32):\nscf.yield %p : f32\n}") ==
      "def:%r scf.while group:[ named:[ def:%a use:%x ] ] types/2[ type:f32 ] arrow[ type:f32 ] region region\n"
      "  block \n    scf.condition group:[ use:%c ] use:%a types[ type:f32 ]\n"
      "  block ^bb0 param[ def:%p type:f32 ]\n    scf.yield use:%p types[ type:f32 ]\n");
  CHECK(tree_of("pto.vecscope { pto.trap } return") == "pto.vecscope region\n  block \n    pto.trap\nreturn\n");
  CHECK(
      tree_of("pto.strict_vecscope(%a) {\n^bb0(%p: f32):\n} : (f32) -> ()") ==
      "pto.strict_vecscope group:[ use:%a ] region types/2[ type:f32 ] arrow/1[ ]\n  block ^bb0 param[ def:%p type:f32 ]\n");
}

TEST_CASE("numbers and casts") {
  CHECK(
      tree_of(
          "%a = arith.constant true\n%b = arith.constant -2.5e-3 : f32\n%c = arith.constant dense<[1, 2]> : vector<2xi16>") ==
      "def:%a arith.constant bool:true\ndef:%b arith.constant float:-2.5e-3 types[ type:f32 ]\n"
      "def:%c arith.constant attr:dense<[1, 2]> types[ type:vector<2xi16> ]\n");
  CHECK(
      tree_of("%a = arith.cmpi slt, %b, %c : i32\n%d = arith.index_cast %a : i32 to index") ==
      "def:%a arith.cmpi word:slt, use:%b, use:%c types[ type:i32 ]\ndef:%d arith.index_cast use:%a types/1[ type:i32 type:index ]\n");
}

TEST_CASE("attributes") {
  CHECK(
      tree_of(
          "pto.trap {a, \"b-c\" = 1, d = [1 : i32, [x]], e = {f = @s}, g = #o<x, y>, h = array<i32: 1>, i = none, j = f32, k "
          "= %v, l = #pto<cmp lt>}") ==
      "pto.trap dict[ named:a[ ], named:b-c[ int:1 ], named:d[ list[ int:1 type:i32, list[ word:x ] ] ], named:e[ dict[ named:f[ "
      "symbol:@s ] ] ], "
      "named:g[ attr:#o<x, y> ], named:h[ attr:array<i32: 1> ], named:i[ word:none ], named:j[ type:f32 ], named:k[ use:%v ], "
      "named:l[ enum[ word:cmp word:lt ] ] ]\n");
}

TEST_CASE("aliases stand for what they name; locations are no items") {
  CHECK(
      tree_of(
          "#l = #pto.layout<nd>\n!t = f32\npto.trap {layout = #l, m = [#l]} : !t loc(\"a)b\":1:2)\npto.trap loc(#loc)\n#loc = "
          "loc(\"f\")")
          .starts_with(
              "pto.trap dict[ named:layout[ enum[ word:layout word:nd ] ], named:m[ list[ enum[ word:layout word:nd ] ] ] ] types[ "
              "type:f32 ]\n"));
}

TEST_CASE("tree: things are found by kind and by name") {
  const Parsed parsed = parse_text("%t = pto.alloc_tile addr = %a {x = 1, y} : f32");
  const Tree& tree = parsed.tree;
  const Op& op = tree.ops[tree.first_op];
  REQUIRE(tree.find(op, "addr") != nullptr);
  CHECK(tree.text(tree.children(*tree.find(op, "addr"))[0]) == "%a");
  REQUIRE(tree.find(op, "y") != nullptr);
  CHECK(tree.find(op, "y")->count == 0);
  CHECK(tree.find(op, "z") == nullptr);
  REQUIRE(tree.find(op, ItemKind::Types) != nullptr);
  CHECK(tree.find(op, ItemKind::Arrow) == nullptr);
  CHECK(tree.text(op.range) == "%t = pto.alloc_tile addr = %a {x = 1, y} : f32");
  CHECK(tree.name_of(op) == "pto.alloc_tile");
  CHECK(op.code == find_op("pto.alloc_tile"));
  CHECK(tree.memory_bytes() > 0);
}

TEST_CASE("tree: operations stand in text order, whatever they contain") {
  const Parsed parsed = parse_text("module {\nfunc.func @f() {\nreturn\n}\nfunc.func @g() {\nreturn\n}\n}\npto.trap");
  std::uint32_t before = 0;
  for (const Op& op : parsed.tree.ops) {
    CHECK(op.range.begin >= before);
    before = op.range.begin;
  }
  CHECK(parsed.tree.ops.size() == 6);
}

TEST_CASE("tree: two texts of one program are the same, other programs are not") {
  const auto same = [](const std::string& a, const std::string& b) {
    return same_tree(parse_text(a).tree, parse_text(b).tree);
  };
  CHECK(same("pto.trap {a = #pto.cmp<lt>}", "pto.trap   {a = #pto<cmp lt>} // x"));
  CHECK(same("%a = pto.subview %b : !pto.tile_view<4xf32>",
             "%a = pto.partition_view %b : !pto.partition_tensor_view<4xf32>"));
  CHECK(same("pto.barrier_sync [#pto.sync_op_type<TVEC>]", "pto.barrier_sync [#pto.pipe_event_type<TVEC>]"));
  CHECK(!same("pto.trap", "pto.trap pto.trap"));
  CHECK(!same("return %a : f32", "return %b : f32"));
  CHECK(!same("return %a : f32", "return %a : f16"));
  CHECK(!same("return %a : f32", "return %a#0 : f32"));
  CHECK(!same("pto.trap {a = #pto<cmp lt>}", "pto.trap {a = #pto<cmp gt>}"));
  CHECK(!same("pto.vecscope {\n}", "pto.vecscope {\nreturn\n}"));
  CHECK(!same("%a = tadd %b, %c", "tadd %a, %b, %c"));
  CHECK(!same("return", ""));
}

}  // namespace ts::test
