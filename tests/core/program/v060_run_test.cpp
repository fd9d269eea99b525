// What front ends write today, run: places and valid sizes as operands, windows, single elements, arrays, several tiles in
// one, empty tiles. The wanted numbers are computed here, by plain loops over the inputs.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/check/check.h"
#include "core/record/inspector.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

template <class T>
std::vector<std::byte> as_bytes(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<float> counted(std::size_t count, float first, float step) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = first + step * static_cast<float>(i);
  return values;
}

std::string corpus(const std::string& name) {
  std::ifstream file("tests/fuzz/corpus/text/" + name + ".pto");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::unique_ptr<Recording> run(std::string_view text, const OpenRequest& request = {}) {
  OpenedText opened = open_text(text, {}, request);
  std::string told;
  for (const Diagnostic& diagnostic : opened.diagnostics) told += diagnostic.format() + "\n";
  CAPTURE(told);
  REQUIRE(opened.opened);
  return Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{16} << 20});
}

template <class T>
T buffer_element(const Recording& recording, std::string_view name, std::size_t at) {
  for (const BufferDecl& buffer : recording.program().buffers) {
    if (buffer.name != name) continue;
    const std::uint64_t bits = recording.final_memory().element(
        Space::Gm, static_cast<std::uint32_t>(buffer.address + at * sizeof(T)), sizeof(T));
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  FAIL("no buffer of that name");
  return {};
}

// A kernel for both targets around statements; %out holds integers.
std::string kernel(const std::string& statements, const char* target = "a2a3") {
  return fmt::format(R"(module attributes {{pto.target_arch = "{}"}} {{
  func.func @k(%in: !pto.ptr<i32>, %out: !pto.ptr<i32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    %five = arith.constant 5 : i32
{}
    return
  }}
}})",
                     target, statements);
}

}  // namespace

TEST_CASE("v060: a column of sums seen as a row, in each block of the launch") {
  const std::vector<float> x = counted(32 * 64, -900.0f, 1.5f);
  OpenRequest request;
  request.blocks = 2;
  request.inputs.data["arg0"] = as_bytes(x);
  request.inputs.size_bytes["arg1"] = 32 * 64 * 4;
  const auto recording = run(corpus("keyed_rows"), request);
  CHECK(recording->stop_reason() == StopReason::End);
  CHECK(recording->program().inputs.size() == 2);  // the launch fills in the others
  for (std::size_t row = 0; row < 32; ++row) {
    float largest = x[row * 64];
    for (std::size_t col = 1; col < 64; ++col) largest = std::max(largest, x[row * 64 + col]);
    const double scale = 1.0 / std::sqrt(std::abs(0.5 * static_cast<double>(largest)));
    for (const std::size_t col : {0u, 17u, 63u}) {
      const double wanted = scale * static_cast<double>(x[row * 64 + col]);
      CHECK(buffer_element<float>(*recording, "arg1", row * 64 + col) == doctest::Approx(wanted).epsilon(1e-4));
    }
  }
}

TEST_CASE("v060: bytes under two names on purpose are nobody's mistake") {
  const auto recording = run(corpus("keyed_rows"));
  for (const Finding& found : check(*recording).findings) CHECK(found.diagnostic.kind != FindingKind::Alias);
}

TEST_CASE("v060: hidden arguments may be given all the same, which is told") {
  OpenRequest request;
  request.blocks = 2;
  request.inputs.numbers["__pypto_spmd_block_idx"] = "1";
  request.inputs.data["arg0"] = as_bytes(counted(32 * 64, 1.0f, 1.0f));
  request.inputs.size_bytes["arg1"] = 32 * 64 * 4;
  OpenedText opened = open_text(corpus("keyed_rows"), {}, request);
  REQUIRE(opened.opened);
  const Diagnostic* note = nullptr;
  for (const Diagnostic& diagnostic : opened.diagnostics)
    if (diagnostic.rule == "V60-06") note = &diagnostic;
  REQUIRE(note != nullptr);
  CHECK(note->severity == Severity::Note);
  CHECK(note->text.find("%__pypto_spmd_block_idx is 1") != std::string::npos);
  const auto recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{16} << 20});
  CHECK(buffer_element<float>(*recording, "arg1", 16 * 64) != 0.0f);
  CHECK(buffer_element<float>(*recording, "arg1", 0) == 0.0f);  // nobody did the first rows
}

TEST_CASE("v060: windows share bytes, reach beyond their tile, and may be empty") {
  const std::vector<float> x = counted(16 * 64, 0.25f, 1.0f);
  OpenRequest request;
  request.inputs.data["arg0"] = as_bytes(x);
  request.inputs.numbers["rows"] = "4";
  const auto recording = run(corpus("windows"), request);
  CHECK(recording->stop_reason() == StopReason::End);
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t col = 0; col < 64; ++col) {
      float wanted = 2.0f;
      if (row < 8 && col < 32) wanted = x[(row + 8) * 64 + col + 32];  // assembled
      if (row == 1) wanted = 2.0f * x[5 * 64 + col];                   // the row behind the valid rows of z
      CAPTURE(row);
      CAPTURE(col);
      CHECK(buffer_element<float>(*recording, "arg1", row * 64 + col) == wanted);
    }
}

TEST_CASE("v060: single elements, arrays and records of the scalar unit") {
  std::vector<std::int32_t> table(16);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::int32_t>(100 - 7 * i);
  OpenRequest request;
  request.inputs.data["table"] = as_bytes(table);
  const auto recording = run(corpus("scalar_unit"), request);
  CHECK(recording->stop_reason() == StopReason::End);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(buffer_element<std::int32_t>(*recording, "out", i) == 2 * table[i + 2]);
    CHECK(static_cast<std::int32_t>(
              recording->final_memory().element(Space::Ub, static_cast<std::uint32_t>(4 * i), 4)) == table[i + 2]);
  }
  CHECK(recording->final_memory().element(Space::Ub, 4 * 8, 4) == 7);
  CHECK(buffer_element<std::int32_t>(*recording, "out", 8) == 7 + 5 + 3 + 1);
  CHECK(recording->findings().empty());
}

TEST_CASE("v060: where an element that was set comes from") {
  const auto recording = run(corpus("scalar_unit"));
  Inspector inspector(*recording);
  bool set = false, stored = false;
  for (std::uint32_t step = 0; step < recording->count(); ++step) {
    const std::string_view name = recording->bound(step).row->name;
    if (name != "tsetval" && name != "store_scalar") continue;
    (name == "tsetval" ? set : stored) = true;
    CHECK(recording->bound(step).pipe == Pipe::S);
    REQUIRE(recording->writes(step).size() == 1);
    CHECK(inspector.trace(step).steps.size() == 1);
    const Operand& dst = recording->bound(step).operands.back();
    const bool tile = dst.spec->kind == OperandKind::Tile;
    // All that was written comes from the value, whose operand stands before the last.
    const WritePattern& written = recording->writes(step)[0];
    const auto sources = inspector.flow(step).sources_of_bytes(recording->map().locate(written.base, 4));
    REQUIRE(sources.size() == 1);
    CHECK(sources[0].operand == static_cast<int>(tile ? 1 : 0));
  }
  CHECK(set);
  CHECK(stored);
}

TEST_CASE("v060: several tiles in one, chosen while it runs") {
  const auto recording = run(corpus("multi_tile"));
  CHECK(recording->stop_reason() == StopReason::End);
  REQUIRE(recording->count() == 8);
  for (std::uint32_t turn = 0; turn < 4; ++turn) {
    const TileRef& tile = recording->bound(2 * turn).tile("dst");
    CHECK(tile.address == 1024 + turn % 2 * 4 * 8 * 4);
    for (const std::size_t at : {0u, 31u})
      CHECK(buffer_element<float>(*recording, "out", 32 * turn + at) == static_cast<float>(turn));
  }
}

TEST_CASE("v060: a function gives several values; siblings of one name are told apart") {
  OpenedText opened = open_text(corpus("modules"));
  REQUIRE(opened.opened);
  Diagnostics found;
  const auto entries = entry_points(*opened.tree, found);
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "kernel");
  CHECK(entries[1].name == "emitc.kernel");
  OpenRequest request;
  request.inputs.size_bytes["out"] = 64;
  auto first = open_program(opened.tree, entries[0], request, found);
  REQUIRE(first);
  const auto recording = Recording::run(std::move(first->program), {.budget_bytes = std::size_t{2} << 20});
  CHECK(buffer_element<float>(*recording, "out", 6) == 1.5f);  // 0 + 3, + 3
  CHECK(buffer_element<float>(*recording, "out", 0) == 0.0f);
}

TEST_CASE("v060: an operation on empty tiles does nothing, whatever the others are") {
  for (const char* target : {"a2a3", "a5"}) {
    CAPTURE(target);
    const std::string text = fmt::format(R"(module attributes {{pto.target_arch = "{}"}} {{
  func.func @k(%a: !pto.ptr<f32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %here = arith.constant 0 : i64
    %v = pto.make_tensor_view %a, shape = [%c4, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
    %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c0, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x64xf32>
    %f = pto.alloc_tile addr = %here valid_row = %c4 valid_col = %c64 : !pto.tile_buf<vec, 4x64xf32, valid=?x?>
    pto.texpands ins(%one : f32) outs(%f : !pto.tile_buf<vec, 4x64xf32, valid=?x?>)
    %e = pto.alloc_tile addr = %here valid_row = %c0 valid_col = %c0 : !pto.tile_buf<vec, 4x64xf32, valid=?x?>
    %s = pto.alloc_tile addr = %here valid_row = %c0 valid_col = %c1 : !pto.tile_buf<vec, 4x8xf32, valid=?x?>
    pto.tload ins(%p : !pto.partition_tensor_view<?x64xf32>) outs(%e : !pto.tile_buf<vec, 4x64xf32, valid=?x?>)
    pto.tadd ins(%f, %f : !pto.tile_buf<vec, 4x64xf32, valid=?x?>, !pto.tile_buf<vec, 4x64xf32, valid=?x?>) outs(%e : !pto.tile_buf<vec, 4x64xf32, valid=?x?>)
    pto.trowsum ins(%e, %f : !pto.tile_buf<vec, 4x64xf32, valid=?x?>, !pto.tile_buf<vec, 4x64xf32, valid=?x?>) outs(%s : !pto.tile_buf<vec, 4x8xf32, valid=?x?>)
    pto.texp ins(%e : !pto.tile_buf<vec, 4x64xf32, valid=?x?>) outs(%f : !pto.tile_buf<vec, 4x64xf32, valid=?x?>)
    pto.tstore ins(%e : !pto.tile_buf<vec, 4x64xf32, valid=?x?>) outs(%p : !pto.partition_tensor_view<?x64xf32>)
    return
  }}
}})",
                                         target);
    const auto recording = run(text);
    CHECK(recording->stop_reason() == StopReason::End);
    REQUIRE(recording->count() == 6);
    for (std::uint32_t step = 1; step < 6; ++step) {
      CAPTURE(step);
      CHECK(recording->writes(step).empty());
    }
    for (const std::uint32_t at : {0u, 255u})
      CHECK(recording->final_memory().element(Space::Ub, 4 * at, 4) == from_double(DType::F32, 1.0));
    for (const Finding& finding : recording->findings()) CHECK(finding.diagnostic.severity != Severity::Error);
    Inspector inspector(*recording);
    for (std::uint32_t step = 1; step < 6; ++step) CHECK(inspector.trace(step).steps.empty());
  }
}

TEST_CASE("v060: the extents of a view, and what stands in an array that nobody wrote") {
  const auto recording = run(
      kernel(R"(    %v = pto.make_tensor_view %in, shape = [%c3, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xi32>
    %n = pto.get_tensor_view_dim %v, %c0 : !pto.tensor_view<?x?xi32> -> index
    %s = pto.get_tensor_view_stride %v, %c0 : !pto.tensor_view<?x?xi32> -> index
    %n32 = arith.index_cast %n : index to i32
    %s32 = arith.index_cast %s : index to i32
    pto.store_scalar %n32, %out[%c0] : !pto.ptr<i32>, i32
    pto.store_scalar %s32, %out[%c1] : !pto.ptr<i32>, i32
    %a = pto.declare_local_array -> !pto.local_array<4xi32>
    %u = pto.local_array_get %a[%c3] : !pto.local_array<4xi32> -> i32
    pto.store_scalar %u, %out[%c2] : !pto.ptr<i32>, i32)"));
  CHECK(buffer_element<std::int32_t>(*recording, "out", 0) == 3);
  CHECK(buffer_element<std::int32_t>(*recording, "out", 1) == 8);
  CHECK(buffer_element<std::int32_t>(*recording, "out", 2) == 0);
  REQUIRE(recording->findings().size() == 1);
  CHECK(recording->findings()[0].diagnostic.rule == "V60-31");
  CHECK(recording->findings()[0].diagnostic.text == "reads element 3 of %a, which nobody wrote; it is taken for 0");
}

TEST_CASE("v060: views that the host makes take their open extents from outside") {
  constexpr const char* kText = R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%src: !pto.partition_tensor_view<?x2x8xf32>, %dst: !pto.partition_tensor_view<3x?x8xf32>) {
    %t = pto.alloc_tile : !pto.tile_buf<vec, 6x8xf32>
    pto.tload ins(%src : !pto.partition_tensor_view<?x2x8xf32>) outs(%t : !pto.tile_buf<vec, 6x8xf32>)
    pto.tstore ins(%t : !pto.tile_buf<vec, 6x8xf32>) outs(%dst : !pto.partition_tensor_view<3x?x8xf32>)
    return
  }
})";
  const std::vector<float> x = counted(48, 3.0f, 2.0f);
  OpenRequest request;
  request.inputs.data["src"] = as_bytes(x);
  request.inputs.numbers = {{"src.0", "3"}, {"dst.1", "2"}};
  const auto recording = run(kText, request);
  CHECK(recording->stop_reason() == StopReason::End);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(buffer_element<float>(*recording, "dst", i) == x[i]);
  const OpenedText opened = open_text(kText);
  const auto told = std::ranges::find(opened.diagnostics, "V60-09", &Diagnostic::rule);
  REQUIRE(told != opened.diagnostics.end());
  CHECK(told->text == "extent 0 of %src is '?' and runs as 1");
  CHECK(told->hint == "--set src.0=NUMBER");
}

TEST_CASE("v060: the generic form of constants and tile instructions runs as the other one") {
  const auto recording = run(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k() {
    %c = "arith.constant"() <{value = 2.500000e+00 : f32}> : () -> f32
    %t = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
    "pto.texpands"(%c, %t) : (f32, !pto.tile_buf<vec, 4x8xf32>) -> ()
    "pto.tadds"(%t, %c, %t) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!pto.tile_buf<vec, 4x8xf32>, f32, !pto.tile_buf<vec, 4x8xf32>) -> ()
    "func.return"() : () -> ()
  }
})");
  REQUIRE(recording->count() == 2);
  CHECK(recording->final_memory().element(Space::Ub, 31 * 4, 4) == from_double(DType::F32, 5.0));
}

TEST_CASE(
    "v060: a program of the cube core runs, and copies between devices, and what nobody emulates is never illegal") {
  for (const char* name : {"cube", "pipes", "cores"}) {
    CAPTURE(name);
    OpenedText opened = open_text(corpus(name));
    for (const Diagnostic& diagnostic : opened.diagnostics) CAPTURE(diagnostic.format());
    REQUIRE(opened.opened);
    const auto recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{64} << 20});
    const bool runs = name != std::string_view("pipes");
    CHECK(recording->stop_reason() == (runs ? StopReason::End : StopReason::NotEmulated));
  }
}

}  // namespace ts::test
