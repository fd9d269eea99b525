// Queues between the cores: what their operations need of each other, told at the operation that lacks it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

constexpr const char* kAcc = "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>";
constexpr const char* kVec = "!pto.tile_buf<vec, 16x16xf32>";

// A cube and a vector function, whose statements stand in lines of their own: those of the cube from line 3 on.
struct Pair {
  std::string cube, vector;
  const char* target = "a5";
  std::string text() const {
    return fmt::format(R"(module attributes {{pto.target_arch = "{}"}} {{
func.func @x_aic() attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{
{}return
}}
func.func @x_aiv() attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
{}return
}}
}}
)",
                       target, cube, vector);
  }
};

std::string init(const char* core, const std::string& attributes, const std::string& buffers) {
  return fmt::format("pto.{}_initialize_pipe {{{}}} ({})\n", core, attributes, buffers);
}
std::string reserve(const std::string& attributes) {
  return fmt::format("%f = pto.reserve_buffer {{name = \"f\", {}}} -> i32\n", attributes);
}
const std::string kImport = "%f = pto.import_reserved_buffer {name = \"f\", peer_func = @x_aiv} -> i32\n";
const std::string kReserve = reserve("size = 8192, location = #pto.address_space<vec>, auto = true");
const std::string kBuffer = "c2v_consumer_buf = %f : i32";
const std::string kAcceptedInit = "dir_mask = 1, slot_size = 1024";
std::string pop(const std::string& attributes) {
  return fmt::format("%t = pto.tpop_from_aic {{{}}} -> {}\n", attributes, kVec);
}
std::string push(const char* type, const std::string& attributes) {
  return fmt::format("%a = pto.alloc_tile : {0}\npto.tpush_to_aiv(%a : {0}) {{{1}}}\n", type, attributes);
}

// Every message of a rule V60-40 to V60-53, of all functions: "V60-41 error 4:1: text".
std::string told(const Pair& pair) {
  std::string out;
  Diagnostics found;
  const auto tree = read_program("pair.pto", pair.text(), found);
  for (const EntryPoint& entry : entry_points(*tree, found)) open_program(tree, entry, {}, found);
  for (const Diagnostic& diagnostic : found)
    if (diagnostic.rule.starts_with("V60-4") || diagnostic.rule.starts_with("V60-5"))
      out += fmt::format("{} {} {}:{}: {}\n", diagnostic.rule, name(diagnostic.severity), diagnostic.pos.line,
                         diagnostic.pos.column, diagnostic.text);
  return out;
}

Pair legal() {
  return {
      .cube = kImport + init("aic", kAcceptedInit, kBuffer) + push(kAcc, "split = 0"),
      .vector = kReserve + init("aiv", kAcceptedInit, kBuffer) + pop("split = 0") + "pto.tfree_from_aic {split = 0}\n"};
}

}  // namespace

TEST_CASE("queues: a pair that agrees is told nothing") {
  CHECK(told(legal()) == "");
  Pair both = legal();
  const std::string attributes = "id = 3, dir_mask = 3, slot_size = 1024, slot_num = 8";
  both.cube = kImport + init("aic", attributes, kBuffer) + push(kAcc, "id = 3, split = 0");
  both.vector = kReserve + init("aiv", attributes, kBuffer) + pop("id = 3, split = 0");
  CHECK(told(both) == "");
}

TEST_CASE("queues: an id is initialised once for each core and direction") {
  Pair pair = legal();
  pair.vector += init("aiv", kAcceptedInit, kBuffer);
  CHECK(told(pair) == "V60-41 error 14:1: pipe id 0 is initialised twice (first at 11:1)\n");
  pair = legal();
  pair.vector += init("aiv", "dir_mask = 2, slot_size = 1024", "v2c_consumer_buf = %f : i32");
  CHECK(told(pair) == "");
}

TEST_CASE("queues: an operation needs a queue of its id and direction") {
  Pair pair = legal();
  pair.vector += pop("id = 1, split = 0");
  CHECK(told(pair) == "V60-42 error 14:6: no pipe id 1 with direction cube to vector in this function\n");
  pair = legal();
  pair.vector += fmt::format("%v = pto.alloc_tile : {0}\npto.tpush_to_aic(%v : {0}) {{split = 0}}\n", kVec);
  CHECK(told(pair) == "V60-42 error 15:1: no pipe id 0 with direction vector to cube in this function\n");
  pair.vector = pop("split = 0");
  CHECK(told(pair).find("V60-42 error 10:6: no pipe id 0") != std::string::npos);
}

TEST_CASE("queues: an operation of the other core is told once, not also as one without a queue") {
  Pair pair = legal();
  pair.vector += fmt::format("%v = pto.alloc_tile : {0}\npto.tpush_to_aiv(%v : {0}) {{split = 0}}\n", kVec);
  CHECK(told(pair).find("V60-43 error 15:1: ") == 0);
  CHECK(told(pair).find("V60-42") == std::string::npos);
}

TEST_CASE("queues: a helper may use what its caller has set up") {
  const OpenedText opened = open_text(fmt::format(R"(module {{
func.func private @take() {{
{}return
}}
func.func @x_aiv() attributes {{pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
{}{}func.call @take() : () -> ()
return
}}
}}
)",
                                                  pop("split = 0"), kReserve, init("aiv", kAcceptedInit, kBuffer)));
  CHECK(std::ranges::find(opened.diagnostics, "V60-42", &Diagnostic::rule) == opened.diagnostics.end());
}

TEST_CASE("queues: storage that is too small for the slots is worth a warning") {
  Pair pair = legal();
  pair.vector = reserve("size = 4096, location = #pto.address_space<vec>, auto = true") +
                init("aiv", kAcceptedInit, kBuffer) + pop("split = 0");
  CHECK(told(pair) == "V60-44 warning 10:6: reserve_buffer \"f\": 4096 bytes, pipe needs 8 x 1024 = 8192\n");
  pair.target = "a2a3";
  pair.vector = reserve("size = 4096, location = #pto.address_space<vec>, auto = true") +
                init("aiv", kAcceptedInit + ", local_slot_num = 4", kBuffer) + pop("split = 0");
  CHECK(told(pair) == "");
  pair.vector = reserve("size = 1, location = #pto.address_space<vec>, auto = true") +
                init("aiv", "dir_mask = 1, slot_size = 9223372036854775807, slot_num = 8", kBuffer);
  CHECK(told(pair).find("pipe needs 8 x 9223372036854775807 = more than any memory") != std::string::npos);
}

TEST_CASE("queues: the storage that is imported is reserved by the other function") {
  Pair pair = legal();
  pair.cube = "%f = pto.import_reserved_buffer {name = \"g\", peer_func = @x_aiv} -> i32\n" +
              init("aic", kAcceptedInit, kBuffer) + push(kAcc, "split = 0");
  CHECK(told(pair) == "V60-46 error 3:34: @x_aiv has no reserve_buffer named \"g\"\n");
}

TEST_CASE("queues: both ends say the same") {
  Pair pair = legal();
  pair.cube = kImport + init("aic", "dir_mask = 1, slot_size = 4096", kBuffer) + push(kAcc, "split = 0");
  CHECK(told(pair) == "V60-48 error 4:1: 8 slots of 4096 bytes here, 8 of 1024 on the peer (11:1)\n");
}

TEST_CASE("queues: there are sixteen flags between two cores") {
  Pair pair = legal();
  pair.cube = kImport;
  for (int id = 0; id < 8; ++id) pair.cube += init("aic", fmt::format("id = {}, {}", id, kAcceptedInit), kBuffer);
  CHECK(told(pair) == "");
  pair.cube += init("aic", "id = 8, " + kAcceptedInit, kBuffer);
  CHECK(told(pair) == "V60-50 error 12:1: 18 cross-core flags needed, 16 exist\n");
  pair.cube = kImport;
  for (int id = 0; id < 5; ++id)
    pair.cube += init("aic", fmt::format("id = {}, dir_mask = 3, slot_num = 8, slot_size = 1024", id), kBuffer);
  CHECK(told(pair).find("V60-50 error 8:1: 20 cross-core flags needed, 16 exist") != std::string::npos);
}

TEST_CASE("queues: an epilogue takes whole accumulators, and what it quantises by is set before") {
  const auto with = [](const std::string& quant, const std::string& statements) {
    Pair pair = legal();
    pair.cube = kImport +
                init("aic",
                     kAcceptedInit + ", acc_push_epilogue = #pto.acc_push_epilogue<layout = nz2nd, quant = " + quant +
                         ", relu = no_relu>",
                     kBuffer) +
                statements;
    return told(pair);
  };
  CHECK(with("no_convert", push(kAcc, "split = 0")) == "");
  CHECK(with("no_convert", push(kAcc, "split = 1")) ==
        fmt::format("V60-51 error 6:{}: a pipe with an epilogue is not split; this push has split = 1\n",
                    std::string("pto.tpush_to_aiv(%a : ) {").size() + std::string(kAcc).size() + 1));
  CHECK(with("no_convert", push(kVec, "split = 0")) ==
        "V60-51 error 6:23: a pipe with an epilogue takes acc tiles; this one is in vec\n");
  const std::string vector =
      fmt::format("%q = pto.alloc_tile : {0}\npto.set_quant_vector(%q : {0}) ", "!pto.tile_buf<scaling, 1x16xf16>");
  const std::string missing = "V60-53 error 6:1: push through pipe 0 before set_quant_vector {id = 0}\n";
  CHECK(with("deqf16_vec", push(kAcc, "split = 0")) == missing);
  CHECK(with("deqf16_vec", push(kAcc, "split = 0") + vector + "{id = 0}\n") == missing);
  CHECK(with("deqf16_vec", vector + "{id = 0}\n" + push(kAcc, "split = 0")) == "");
  CHECK(with("deqf16_vec", vector + "{id = 1}\n" + push(kAcc, "split = 0")) ==
        "V60-53 error 8:1: push through pipe 0 before set_quant_vector {id = 0}\n");
  CHECK(with("deqf16_scalar", push(kAcc, "split = 0")) ==
        "V60-53 error 6:1: push through pipe 0 before set_quant_scalar {id = 0}\n");
}

TEST_CASE("queues: tiles in the bytes that the other core pushes into are worth a warning") {
  const auto with = [](const std::string& address) {
    Pair pair = legal();
    pair.vector = reserve("size = 8192, location = #pto.address_space<vec>, auto = false, base = 4096") +
                  init("aiv", kAcceptedInit, kBuffer) + pop("split = 0") +
                  fmt::format("%at = arith.constant {} : i64\n%low = pto.alloc_tile addr = %at : {}\n", address, kVec);
    return told(pair);
  };
  CHECK(with("3072") == "");
  CHECK(with("12288") == "");
  CHECK(with("3104") ==
        "V60-52 warning 10:6: tiles overlap the reserved buffer [4096, 12288) of \"f\": %low [3104, 4128)\n");
}

}  // namespace ts::test
