// Clauses: the names in them, and their types.
#include <doctest/doctest.h>

#include "tests/support/text/broken_text.h"

namespace ts::test {
namespace {

#define TS_VIEW "!pto.partition_tensor_view<16x64xf32>"
#define TS_TILE "!pto.tile_buf<vec, 16x64xf32>"
#define TS_CELLS "!pto.partition_tensor_view<1x8xi32>"
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
    {"E-TYPE", TS_VIEWS "pto.comm.tput(%v, %v, buf(%v) : " TS_VIEW ", " TS_VIEW ", " TS_VIEW ")", "%v) ", kBehindViews, TS_VIEW ", needs a tile", ""},
    {"E-TYPES", TS_VIEWS "pto.comm.tput(%v, %v, buf(%fixed) : " TS_VIEW ", " TS_VIEW ")", TS_VIEW ", " TS_VIEW ")", kBehindViews, "2 types for 3 operands", "3 types separated by ','"},
    {"E-TYPE", "pto.tmatmul.acc ins(%fixed, %open, %open : " TS_TILE ", " TS_TILE ", " TS_TILE ") outs(%fixed : " TS_TILE ")", TS_TILE ", " TS_TILE ") outs", 0, "%open is " TS_TILE " here", "valid=?x?"},
};
// clang-format on

#undef TS_VIEW
#undef TS_TILE
#undef TS_CELLS
#undef TS_VIEWS
#undef TS_INIT

}  // namespace

TEST_CASE("v060: names and types in clauses are looked up like any other") {
  for (const Broken& broken : kNames) check_broken(broken);
}

}  // namespace ts::test
