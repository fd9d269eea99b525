// Calls that leave out the scratch that their instruction needs.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/cpp/header.h"
#include "core/record/recording_file.h"
#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

constexpr const char* kSoftmax = R"(#include <pto/pto-inst.hpp>
using namespace pto;
extern "C" __global__ AICORE void softmax(__gm__ float* x, __gm__ float* z) {
  Tile<TileType::Vec, float, 16, 64> a, tmp;
  Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor> largest, sum;
  TASSIGN(a, 0);
  TASSIGN(tmp, 0x4000);
  TASSIGN(largest, 0x8000);
  TASSIGN(sum, PLACE);
  using G = GlobalTensor<float, Shape<1, 1, 1, 16, 64>, Stride<1024, 1024, 1024, 64, 1>>;
  G from(x), to(z);
  TLOAD(a, from);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  TROWMAX(largest, a, tmp);
  TROWEXPANDSUB(a, a, largest);
  TEXP(a, a);
  TROWSUM(sum, a, tmp);
  TROWEXPANDDIV(a, a, sum);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(to, a);
}
)";

KernelRun run_softmax(const TempFolder& folder, const char* place, Target target) {
  const std::string path = folder.path() + "/softmax.cpp";
  put_text(path, kSoftmax);
  cpp::KernelRequest request{.target = target};
  request.build.define = {std::string("PLACE=") + place};
  Diagnostics told;
  const auto tree = compiled(path, request, told);
  return run_entry(tree, "", {.target = target}, std::move(told));
}

// Each call without what may be left out; `column`: its last source is a column.
std::string kernel_without(const FormRow& form, const std::string& name, bool column) {
  const cpp::CppCall call = cpp::read_call(form.cpp);
  std::vector<std::string> arguments;
  std::size_t tiles = 0;
  for (const std::string_view one : call.arguments) {
    const auto spec = std::ranges::find(form.operands, one, &OperandSpec::name);
    if (spec == form.operands.end() || spec->optional) continue;
    if (spec->kind == OperandKind::Scalar) arguments.push_back("2");
    else arguments.push_back(fmt::format("t{}", ++tiles));
  }
  if (column && tiles > 1) std::ranges::replace(arguments, fmt::format("t{}", tiles), std::string("c"));
  return fmt::format(
      "extern \"C\" __global__ AICORE void {}(__gm__ float* x) {{\n  Tiles tiles;\n  auto& [t1, t2, t3, t4, t5, c] = tiles;\n"
      "  {}({});\n}}\n",
      name, call.name, fmt::join(arguments, ", "));
}

}  // namespace

TEST_CASE("cpp scratch: the library takes the end of UB, and what stands there is told") {
  for (const Target target : {Target::A2A3, Target::A5}) {
    CAPTURE(std::string(name(target)));
    const TempFolder folder;
    const KernelRun run = run_softmax(folder, "0x8040", target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    CHECK_MESSAGE(run.recording->findings().empty(), run.words());
    const std::vector<float> z = run.floats("z");
    for (std::size_t row = 0; row < 16; ++row) {
      double sum = 0;
      for (std::size_t col = 0; col < 64; ++col) sum += static_cast<double>(z[row * 64 + col]);
      CHECK(sum == doctest::Approx(1).epsilon(1e-5));
    }
    // The calls are a text that compiles, in which nobody names it either.
    CHECK(run.recording->program().tree->source->text().find("trowexpandsub") != std::string::npos);
    const std::string path = folder.path() + "/softmax.ptorec";
    REQUIRE(save_recording(*run.recording, run.recording->findings(), {}, path).text.empty());
    auto opened = open_recording(path);
    REQUIRE(std::holds_alternative<RecordingFile>(opened));
    CHECK(std::get<RecordingFile>(opened).recording->digest() == run.recording->digest());

    const KernelRun over = run_softmax(folder, "0x2e040", target);
    REQUIRE_MESSAGE(over.recording != nullptr, over.words());
    const Diagnostic* told = over.finding("W-CPP-SCRATCH");
    CHECK((told != nullptr) == (target == Target::A2A3));
    if (told != nullptr)
      CHECK(told->text == "TROWEXPANDSUB without tmp takes ub 0x2e000 to 0x2e200 for itself, where sum stands");
  }
}

// A row whose lowering asks for scratch that is not there would end the process.
TEST_CASE("cpp scratch: every call that may leave it out runs without it, or says why not") {
  std::string text = R"(#include <pto/pto-inst.hpp>
using namespace pto;
struct Tiles {
  Tile<TileType::Vec, float, 16, 64> t1, t2, t3, t4, t5;
  Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor> c;
  Tiles() {
    TASSIGN(t1, 0), TASSIGN(t2, 0x1000), TASSIGN(t3, 0x2000), TASSIGN(t4, 0x3000), TASSIGN(t5, 0x4000);
    TASSIGN(c, 0x5000);
    TEXPANDS(t1, 1.0f), TEXPANDS(t2, 2.0f), TEXPANDS(t3, 3.0f), TEXPANDS(t4, 4.0f), TEXPANDS(t5, 5.0f);
  }
};
)";
  std::vector<std::string> names;
  for (const InstructionRow* row : catalogue())
    for (const FormRow& form : row->forms) {
      const bool may = row->scratch != nullptr && form.cpp != nullptr && form.cpp[0] == 'T' &&
                       std::ranges::any_of(form.operands, [](const OperandSpec& one) { return one.optional; });
      for (const bool column : {false, true}) {
        if (!may) continue;
        names.push_back(fmt::format("kernel_{}", names.size()));
        text += kernel_without(form, names.back(), column);
      }
    }
  REQUIRE(names.size() >= 20);
  const TempFolder folder;
  const std::string path = folder.path() + "/without.cpp";
  put_text(path, text);
  for (const Target target : {Target::A2A3, Target::A5}) {
    Diagnostics told;
    const auto tree = compiled(path, target, told);
    REQUIRE_MESSAGE(!has_error(told), (told.empty() ? "" : told.front().format()));
    int ended = 0;
    for (const std::string& kernel : names) {
      CAPTURE(kernel);
      const KernelRun run = run_entry(tree, kernel, {.target = target}, told);
      REQUIRE(run.recording != nullptr);
      const bool whole = run.recording->stop_reason() == StopReason::End;
      ended += whole ? 1 : 0;
      CHECK((whole || !run.recording->findings().empty()));
    }
    CHECK(ended >= 10);
  }
}

}  // namespace ts::test
