// The text of a program with a queue.
#include "tests/support/text/mixed_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/isa/dtype.h"

namespace ts::test {
namespace {

constexpr const char* kArguments =
    "%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %out: !pto.ptr<f32>, %slots: !pto.ptr<f32>, %n: index";

std::string view_of(const char* name, const char* at, std::string_view rows, std::uint32_t cols, const char* type,
                    std::string_view row, std::string_view col, std::uint32_t part_rows, std::uint32_t part_cols) {
  return fmt::format(
      "    %{0}_all = pto.make_tensor_view %{1}, shape = [{2}, %c{3}], strides = [%c{3}, %c1] : !pto.tensor_view<?x{3}x{4}>\n"
      "    %{0}_view = pto.partition_view %{0}_all, offsets = [{5}, {6}], sizes = [%c{7}, %c{8}] : "
      "!pto.tensor_view<?x{3}x{4}> -> !pto.partition_tensor_view<{7}x{8}x{4}>\n",
      name, at, rows, cols, type, row, col, part_rows, part_cols);
}

std::string numbers() {
  std::string text;
  for (const int number : {0, 1, 8, 16, 32, 64})
    text += fmt::format("    %c{0} = arith.constant {0} : index\n", number);
  return text + "    %rows = arith.muli %n, %c16 : index\n";
}

std::string pipe(const MixedProgram& program, const char* core, bool to_vector = true) {
  return fmt::format(
      "    pto.{}_initialize_pipe {{id = 0, dir_mask = {}, slot_size = {}, slot_num = {}}}\n"
      "      (gm_slot_buffer = %slots : !pto.ptr<f32>, {}_consumer_buf = %storage : i32)\n",
      core, to_vector ? 1 : 2, to_vector ? 4096 : 1024, program.slots, to_vector ? "c2v" : "v2c");
}

// On a5 a second vector core would wait for ever for what is not split.
bool has_two_cores(const MixedProgram& program) { return program.target == Target::A2A3 || program.split != 0; }

std::string function(const MixedProgram& program, const char* name, bool vector) {
  const bool asks = vector && has_two_cores(program);
  return fmt::format("  func.func @{}({}{}) attributes {{pto.kernel_kind = #pto.kernel_kind<{}>}} {{\n", name,
                     kArguments, asks ? ", %__pypto_spmd_subblock_idx: i32" : "", vector ? "vector" : "cube") +
         numbers();
}
std::string which(const MixedProgram& program) {
  return has_two_cores(program) ? "    %which = arith.index_cast %__pypto_spmd_subblock_idx : i32 to index\n"
                                : "    %which = arith.constant 0 : index\n";
}

}  // namespace

double mixed_number(std::size_t i, std::uint32_t seed) { return static_cast<double>((i * 7 + seed) % 9) - 4; }
std::vector<std::byte> mixed_halves(std::size_t count, std::uint32_t seed, double times) {
  std::vector<std::byte> bytes(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<std::uint16_t>(from_double(DType::F16, mixed_number(i, seed) * times));
    std::memcpy(bytes.data() + 2 * i, &bits, 2);
  }
  return bytes;
}

std::string text_of(const MixedProgram& program) {
  const std::uint32_t rows = program.split == 1 ? kMixedRows / 2 : kMixedRows,
                      cols = program.split == 2 ? kMixedCols / 2 : kMixedCols;
  const std::string vec = fmt::format("!pto.tile_buf<vec, {}x{}xf32>", rows, cols);
  std::string text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n", name(program.target));
  text += function(program, "sums_aic", false);
  text += "    %storage = pto.import_reserved_buffer {name = \"sums\", peer_func = @sums_aiv} -> i32\n";
  text += pipe(program, "aic");
  text += view_of("b", "b", "%c32", kMixedCols, "f16", "%c0", "%c0", kMixedK, kMixedCols);
  text += fmt::format("    %am = pto.alloc_tile : {}\n    %bm = pto.alloc_tile : {}\n", kMixedMatA, kMixedMatB);
  text += fmt::format("    %l = pto.alloc_tile : {}\n    %r = pto.alloc_tile : {}\n    %acc = pto.alloc_tile : {}\n",
                      kMixedLeft, kMixedRight, kMixedAcc);
  text +=
      fmt::format("    pto.tload ins(%b_view : !pto.partition_tensor_view<32x64xf16>) outs(%bm : {})\n", kMixedMatB);
  text += fmt::format("    pto.tmov ins(%bm : {}) outs(%r : {})\n", kMixedMatB, kMixedRight);
  text += "    scf.for %i = %c0 to %n step %c1 {\n    %row = arith.muli %i, %c16 : index\n";
  text += view_of("a", "a", "%rows", kMixedK, "f16", "%row", "%c0", kMixedRows, kMixedK);
  text +=
      fmt::format("    pto.tload ins(%a_view : !pto.partition_tensor_view<16x32xf16>) outs(%am : {})\n", kMixedMatA);
  text += fmt::format("    pto.tmov ins(%am : {}) outs(%l : {})\n", kMixedMatA, kMixedLeft);
  text += fmt::format("    pto.tmatmul ins(%l, %r : {}, {}) outs(%acc : {})\n", kMixedLeft, kMixedRight, kMixedAcc);
  text += fmt::format("    pto.tpush_to_aiv(%acc : {}) {{id = 0, split = {}}}\n    }}\n    return\n  }}\n", kMixedAcc,
                      program.split);

  text += function(program, "sums_aiv", true);
  text += fmt::format(
      "    %storage = pto.reserve_buffer {{name = \"sums\", size = {}, location = #pto.address_space<vec>, auto = true}} -> "
      "i32\n",
      4096 * program.slots);
  text += pipe(program, "aiv");
  text += which(program);
  text += "    %one = arith.constant 1.0 : f32\n";
  text += fmt::format("    %y = pto.alloc_tile : {}\n", vec);
  const bool other_count = program.pops != 0;
  if (other_count) text += fmt::format("    %pops = arith.constant {} : index\n", program.pops);
  text += fmt::format("    scf.for %i = %c0 to {} step %c1 {{\n    %first = arith.muli %i, %c16 : index\n",
                      other_count ? "%pops" : "%n");
  text += fmt::format("    %down = arith.muli %which, %c{} : index\n", program.split == 1 ? 8 : 0);
  text += fmt::format("    %right = arith.muli %which, %c{} : index\n", program.split == 2 ? 32 : 0);
  text += "    %row = arith.addi %first, %down : index\n";
  text += fmt::format("    %x = pto.tpop_from_aic {{id = 0, split = {}}} -> {}\n", program.split, vec);
  text += fmt::format("    pto.tadds ins(%x, %one : {0}, f32) outs(%y : {0})\n", vec);
  if (program.frees) text += fmt::format("    pto.tfree_from_aic {{id = 0, split = {}}}\n", program.split);
  const bool first_only = program.split == 0;
  if (first_only) text += "    %is_first = arith.cmpi eq, %which, %c0 : index\n    scf.if %is_first {\n";
  text += view_of("o", "out", "%rows", kMixedCols, "f32", "%row", "%right", rows, cols);
  text += fmt::format("    pto.tstore ins(%y : {}) outs(%o_view : !pto.partition_tensor_view<{}x{}xf32>)\n", vec, rows,
                      cols);
  if (first_only) text += "    }\n";
  return text + "    }\n    return\n  }\n}\n";
}

std::string text_of_way_back(const MixedProgram& program) {
  const std::uint32_t rows = program.split == 1 ? kMixedRows / 2 : kMixedRows,
                      cols = program.split == 2 ? kMixedK / 2 : kMixedK;
  const std::string vec = fmt::format("!pto.tile_buf<vec, {}x{}xf16>", rows, cols);
  std::string text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n", name(program.target));
  text += function(program, "sums_aic", false);
  text += fmt::format(
      "    %storage = pto.reserve_buffer {{name = \"rows\", size = {}, location = #pto.address_space<mat>, auto = true}} -> "
      "i32\n",
      1024 * program.slots);
  text += pipe(program, "aic", false);
  text += view_of("b", "b", "%c32", kMixedCols, "f16", "%c0", "%c0", kMixedK, kMixedCols);
  text += fmt::format("    %bm = pto.alloc_tile : {}\n    %l = pto.alloc_tile : {}\n    %r = pto.alloc_tile : {}\n",
                      kMixedMatB, kMixedLeft, kMixedRight);
  text += fmt::format("    %acc = pto.alloc_tile : {}\n", kMixedAcc);
  text +=
      fmt::format("    pto.tload ins(%b_view : !pto.partition_tensor_view<32x64xf16>) outs(%bm : {})\n", kMixedMatB);
  text += fmt::format("    pto.tmov ins(%bm : {}) outs(%r : {})\n", kMixedMatB, kMixedRight);
  text += "    scf.for %i = %c0 to %n step %c1 {\n    %row = arith.muli %i, %c16 : index\n";
  text += fmt::format("    %am = pto.tpop_from_aiv {{id = 0, split = {}}} -> {}\n", program.split, kMixedMatA);
  text += fmt::format("    pto.tmov ins(%am : {}) outs(%l : {})\n", kMixedMatA, kMixedLeft);
  if (program.frees) text += fmt::format("    pto.tfree_from_aiv {{id = 0, split = {}}}\n", program.split);
  text += fmt::format("    pto.tmatmul ins(%l, %r : {}, {}) outs(%acc : {})\n", kMixedLeft, kMixedRight, kMixedAcc);
  text += view_of("o", "out", "%rows", kMixedCols, "f32", "%row", "%c0", kMixedRows, kMixedCols);
  text += fmt::format("    pto.tstore ins(%acc : {}) outs(%o_view : !pto.partition_tensor_view<16x64xf32>)\n    }}\n",
                      kMixedAcc);
  text += "    return\n  }\n" + function(program, "sums_aiv", true);
  text += "    %storage = pto.import_reserved_buffer {name = \"rows\", peer_func = @sums_aic} -> i32\n";
  text += pipe(program, "aiv", false) + which(program);
  // Of what is not split the second core has nothing.
  const std::string open = vec.substr(0, vec.size() - 1) + ", valid=?x?>";
  text += fmt::format("    %part = arith.{} %c1, %{} : index\n", "subi", program.split == 0 ? "which" : "c0");
  text +=
      fmt::format("    %vr = arith.muli %part, %c{} : index\n    %vc = arith.muli %part, %c{} : index\n", rows, cols);
  text += fmt::format("    %x = pto.alloc_tile valid_row = %vr valid_col = %vc : {}\n", open);
  text += "    scf.for %i = %c0 to %n step %c1 {\n    %first = arith.muli %i, %c16 : index\n";
  text += fmt::format("    %down = arith.muli %which, %c{} : index\n", program.split == 1 ? 8 : 0);
  text += fmt::format("    %right = arith.muli %which, %c{} : index\n", program.split == 2 ? 16 : 0);
  text += "    %row = arith.addi %first, %down : index\n";
  text += view_of("a", "a", "%rows", kMixedK, "f16", "%row", "%right", rows, cols);
  text += fmt::format("    pto.tload ins(%a_view : !pto.partition_tensor_view<{}x{}xf16>) outs(%x : {})\n", rows, cols,
                      open);
  text += fmt::format("    pto.tpush_to_aic(%x : {}) {{id = 0, split = {}}}\n    }}\n    return\n  }}\n}}\n", open,
                      program.split);
  return text;
}

}  // namespace ts::test
