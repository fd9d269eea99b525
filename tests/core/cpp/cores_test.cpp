// Kernels with parts for a cube core and for vector cores: queues, flags, meetings, and how wrong ones end.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/check/check.h"
#include "core/program/source_map.h"
#include "core/record/recording_file.h"
#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr Target kBoth[] = {Target::A2A3, Target::A5};
constexpr std::size_t kSide = 16;

// Small integers, so that products are exact in every format.
std::vector<float> digits(std::size_t count, unsigned seed) {
  std::vector<float> out(count);
  for (float& one : out) {
    seed = seed * 1103515245u + 12345u;
    one = static_cast<float>(static_cast<int>(seed >> 16 & 7u) - 3);
  }
  return out;
}
std::vector<std::byte> halves(const std::vector<float>& values) {
  std::vector<std::byte> out(values.size() * 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = static_cast<std::uint16_t>(from_double(DType::F16, static_cast<double>(values[i])));
    std::memcpy(out.data() + 2 * i, &bits, 2);
  }
  return out;
}
// Of rows of 16 by a matrix of 16 x 16.
std::vector<float> product_of(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> out(a.size());
  for (std::size_t row = 0; row < a.size() / kSide; ++row)
    for (std::size_t col = 0; col < kSide; ++col)
      for (std::size_t k = 0; k < kSide; ++k) out[row * kSide + col] += a[row * kSide + k] * b[k * kSide + col];
  return out;
}

KernelRun run_cores(const std::string& entry, OpenRequest request, Target target) {
  request.target = target;
  Diagnostics told;
  const auto tree = compiled("tests/support/cpp/cores.cce", target, told);
  return run_entry(tree, entry, request, std::move(told));
}

struct Product {
  std::vector<float> a, b;
  OpenRequest request;
  std::vector<float> expected() const { return product_of(a, b); }
};
Product product_of_blocks(std::size_t blocks) {
  Product out{digits(blocks * kSide * kSide, 1), digits(kSide * kSide, 2), {}};
  out.request.inputs.data["a"] = halves(out.a);
  out.request.inputs.data["b"] = halves(out.b);
  return out;
}

}  // namespace

TEST_CASE("cpp cores: products go to the vector cores through a queue") {
  for (const Target target : kBoth) {
    CAPTURE(std::string(name(target)));
    const Product given = product_of_blocks(4);
    const KernelRun run = run_cores("product", given.request, target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    CHECK_MESSAGE(run.recording->findings().empty(), run.words());
    CHECK(run.recording->stop_reason() == StopReason::End);
    std::vector<float> expected = given.expected();
    for (float& one : expected) one += 1;
    CHECK(run.floats("out") == expected);
    // On a5 nothing is split, so that one vector core takes part.
    const Program& program = run.recording->program();
    CHECK(program.cores.size() == 3);
    CHECK(std::ranges::count(run.steps(), std::string("tpush_to_aiv")) == 4);
    CHECK(std::ranges::count(run.steps(), std::string("tmatmul")) == 4);
  }
}

TEST_CASE("cpp cores: the older spelling of queue operations") {
  for (const Target target : kBoth) {
    CAPTURE(std::string(name(target)));
    const Product given = product_of_blocks(1);
    const KernelRun run = run_cores("older", given.request, target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    CHECK_MESSAGE(run.recording->findings().empty(), run.words());
    CHECK(run.floats("out") == given.expected());
  }
}

TEST_CASE("cpp cores: rows go to the cube core, and products come back") {
  for (const Target target : kBoth) {
    CAPTURE(std::string(name(target)));
    const Product given = product_of_blocks(2);
    const KernelRun run = run_cores("there_and_back", given.request, target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    CHECK_MESSAGE(run.recording->findings().empty(), run.words());
    CHECK(run.floats("out") == given.expected());
  }
}

TEST_CASE("cpp cores: in whichever order cores are asked, results are the same") {
  const Product given = product_of_blocks(4);
  for (const Target target : kBoth)
    for (const char* order : {"usual", "reverse", "seed:1", "seed:2", "seed:3"}) {
      CAPTURE(std::string(name(target)));
      CAPTURE(order);
      OpenRequest request = given.request;
      request.limits.order = *find_order(order);
      const KernelRun run = run_cores("product", request, target);
      REQUIRE_MESSAGE(run.recording != nullptr, run.words());
      CHECK_MESSAGE(run.recording->findings().empty(), run.words());
      std::vector<float> expected = given.expected();
      for (float& one : expected) one += 1;
      CHECK(run.floats("out") == expected);
    }
}

TEST_CASE("cpp cores: flags from core to core") {
  for (const Target target : kBoth) {
    CAPTURE(std::string(name(target)));
    const std::vector<float> x = digits(kSide * kSide, 5), b = digits(kSide * kSide, 6);
    OpenRequest request;
    request.inputs.data["x"] = halves(x);
    request.inputs.data["b"] = halves(b);
    const KernelRun run = run_cores("by_flags", request, target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    CHECK_MESSAGE(run.recording->findings().empty(), run.words());
    std::vector<float> expected = product_of(x, b);
    for (float& one : expected) one *= 2;
    CHECK(run.floats("out") == expected);
    CHECK(check(*run.recording).findings.empty());
  }
}

TEST_CASE("cpp cores: blocks meet") {
  for (const Target target : kBoth) {
    CAPTURE(std::string(name(target)));
    OpenRequest request;
    request.blocks = 4;
    const KernelRun run = run_cores("meeting", request, target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    CHECK_MESSAGE(run.recording->findings().empty(), run.words());
    const std::vector<float> heard = run.floats("heard");
    REQUIRE(heard.size() >= 32);
    for (std::size_t block = 0; block < 4; ++block)
      CHECK(heard[8 * block + 5] == 1.0f + static_cast<float>((block + 1) % 4));
  }
}

// A launch in the source runs the blocks of a kernel that meets, where the run has as many.
TEST_CASE("cpp cores: blocks of a launch meet") {
  const TempFolder folder;
  const std::string path = folder.path() + "/launch.cpp";
  put_text(path, R"(#include <pto/pto-inst.hpp>
using namespace pto;
using Line = GlobalTensor<float, Shape<1, 1, 1, 1, 8>, Stride<8, 8, 8, 8, 1>>;
__global__ AICORE void kernel(__gm__ float* said, __gm__ float* heard) {
  Tile<TileType::Vec, float, 1, 8> mine, next;
  TASSIGN(mine, 0);
  TASSIGN(next, 0x100);
  TEXPANDS(mine, 1.0f + get_block_idx());
  Line there(said + 8 * get_block_idx()), out(heard + 8 * get_block_idx());
  TSTORE(there, mine);
  SYNCALL<SyncCoreType::AIVOnly>();
  TLOAD(next, Line(said + 8 * ((get_block_idx() + 1) % get_block_num())));
  TSTORE(out, next);
}
void launch(float* said, float* heard) { kernel<<<3, nullptr, nullptr>>>(said, heard); }
int main() { return 0; }
)");
  Diagnostics told;
  const auto tree = compiled(path, Target::A2A3, told, "launch");
  OpenRequest request;
  request.blocks = 3;
  const KernelRun run = run_entry(tree, "launch", request, told);
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  CHECK_MESSAGE(run.recording->stop_reason() == StopReason::End, run.words());
  const std::vector<float> heard = run.floats("p1");
  REQUIRE(heard.size() >= 24);
  for (std::size_t block = 0; block < 3; ++block) CHECK(heard[8 * block] == 1.0f + static_cast<float>((block + 1) % 3));
  const KernelRun other = run_entry(tree, "launch", {}, told);
  REQUIRE(other.recording != nullptr);
  REQUIRE_MESSAGE(other.finding("E-CPP-ARG") != nullptr, other.words());
  CHECK(other.finding("E-CPP-ARG")->hint == "--blocks 3");
}

TEST_CASE("cpp cores: one core looks at memory until another has written there") {
  for (const Target target : kBoth) {
    CAPTURE(std::string(name(target)));
    OpenRequest request;
    request.inputs.size_bytes["ready"] = 64;
    request.inputs.size_bytes["out"] = 64;
    const KernelRun run = run_cores("polling", request, target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    CHECK_MESSAGE(run.recording->stop_reason() == StopReason::End, run.words());
    const std::vector<float> out = run.floats("out");
    REQUIRE(out.size() == 16);
    CHECK(out[0] == 7);
    CHECK(out[8] == 7);
    const KernelRun endless = run_cores("polls_for_ever", request, target);
    REQUIRE(endless.recording != nullptr);
    REQUIRE_MESSAGE(endless.finding("MK-31") != nullptr, endless.words());
    CHECK(endless.finding("MK-31")->text.find("cores.cce:") != std::string::npos);
  }
}

TEST_CASE("cpp cores: who waits for whom, at which lines of the source") {
  const Product given = product_of_blocks(1);
  for (const Target target : kBoth) {
    CAPTURE(std::string(name(target)));
    const KernelRun run = run_cores("too_few", given.request, target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    CHECK(run.recording->stop_reason() == StopReason::Error);
    const Diagnostic* found = run.finding("MK-11");
    REQUIRE_MESSAGE(found != nullptr, run.words());
    CHECK_MESSAGE(found->text.find("AIC, cores.cce:") != std::string::npos, found->text);
    CHECK_MESSAGE(found->hint.find("AIV0 has ended") != std::string::npos, found->hint);
    REQUIRE(run.recording->waits().size() == 1);
    const SourceMap map(run.recording->program());
    CHECK(run.recording->waits().front().pos.line != 0);
    Product other = product_of_blocks(1);
    other.request.inputs.data["x"] = other.request.inputs.data["a"];
    other.request.inputs.data.erase("a");
    const KernelRun unset = run_cores("unset_flag", other.request, target);
    REQUIRE_MESSAGE(unset.recording != nullptr, unset.words());
    REQUIRE_MESSAGE(unset.finding("MK-31") != nullptr, unset.words());
    CHECK_MESSAGE(unset.finding("MK-31")->text.find("flag 5") != std::string::npos, unset.words());
  }
}

TEST_CASE("cpp cores: a core that crashes ends the run, and says where") {
  const KernelRun run = run_cores("cube_crashes", {}, Target::A2A3);
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  REQUIRE_MESSAGE(run.finding("E-CPP-CRASH") != nullptr, run.words());
  CHECK_MESSAGE(run.finding("E-CPP-CRASH")->text.find("null pointer") != std::string::npos, run.words());
}

TEST_CASE("cpp cores: slots that the kernel itself fills") {
  const Product given = product_of_blocks(4);
  const KernelRun run = run_cores("slots_as_tensors", given.request, Target::A2A3);
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  CHECK_MESSAGE(run.recording->findings().empty(), run.words());
  CHECK(run.floats("out") == given.expected());
  const KernelRun refused = run_cores("slots_as_tensors", given.request, Target::A5);
  REQUIRE(refused.recording != nullptr);
  CHECK_MESSAGE(refused.finding("E-EMULATE") != nullptr, refused.words());
}

// Whatever it says, the run ends and can be looked at.
TEST_CASE("cpp cores: calls that make no sense are refused") {
  std::set<std::string> told;
  for (const Target target : kBoth)
    for (int seed = 0; seed < (kSanitized ? 20 : 60); ++seed) {
      CAPTURE(seed);
      OpenRequest request;
      request.inputs.numbers["seed"] = std::to_string(seed);
      request.inputs.size_bytes["slots"] = 65536;
      request.blocks = 1 + static_cast<std::uint32_t>(seed) % 2;
      const KernelRun run = run_cores("wild", request, target);
      REQUIRE_MESSAGE(run.recording != nullptr, run.words());
      for (const Finding& one : run.recording->findings()) told.insert(one.diagnostic.rule);
      CHECK(run.recording->digest().size() == 32);
    }
  CHECK(told.size() >= 4);
}

// The calls as a text, by which recordings are opened again: each core's in a section of its own.
TEST_CASE("cpp cores: a recording is the same after it was saved, with lines of the source") {
  TempFolder folder;
  for (const char* entry : {"product", "there_and_back", "by_flags", "slots_as_tensors"})
    for (const Target target : kBoth) {
      if (entry == std::string("slots_as_tensors") && target == Target::A5) continue;
      CAPTURE(entry);
      CAPTURE(std::string(name(target)));
      Product given = product_of_blocks(4);
      given.request.inputs.data["x"] = halves(given.a);
      if (entry == std::string("by_flags")) given.request.inputs.data.erase("a");
      else given.request.inputs.data.erase("x");
      const KernelRun run = run_cores(entry, given.request, target);
      REQUIRE_MESSAGE(run.recording != nullptr, run.words());
      const Program& program = run.recording->program();
      REQUIRE(program.tree != nullptr);
      CHECK(program.tree->source->name() == "cores.cce.calls.pto");
      const SourceMap map(program);
      bool cube = false, vector = false;
      for (std::uint32_t step = 0; step < run.recording->count(); ++step) {
        const std::string told = map.told_of(run.recording->step(step).instruction);
        CHECK_MESSAGE(told.starts_with("cores.cce:"), told);
        const CoreKind kind = program.cores[run.recording->bound(step).core % program.cores.size()].kind;
        cube = cube || kind == CoreKind::Cube;
        vector = vector || kind == CoreKind::Vector;
        for (const Operand& operand : run.recording->bound(step).operands)
          if (operand.spec->kind == OperandKind::Tile) {
            REQUIRE(operand.id < program.tiles.size());
            CHECK(program.tiles[operand.id].type == operand.tile.type);
          }
      }
      CHECK(cube);
      CHECK(vector);
      const std::string path = folder.path() + "/cores.ptorec";
      const data::Error failed = save_recording(*run.recording, run.recording->findings(), {}, path);
      REQUIRE_MESSAGE(failed.text.empty(), failed.text);
      auto opened = open_recording(path);
      const auto* error = std::get_if<data::Error>(&opened);
      REQUIRE_MESSAGE(error == nullptr, error->text);
      CHECK(std::get<RecordingFile>(opened).recording->digest() == run.recording->digest());
    }
}

}  // namespace ts::test
