// A kernel as text and as C++: the same steps on the same bytes, on both targets.
#include <doctest/doctest.h>

#include <map>

#include "core/check/check.h"
#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"

namespace ts::test {
namespace {

KernelRun as_text(const std::string& path, Target target) {
  Diagnostics told;
  const auto tree = read_program(path, get_text(path), told);
  return run_entry(tree, "", {.target = target}, std::move(told));
}

KernelRun as_cpp(const std::string& path, Target target) {
  Diagnostics told;
  const auto tree = compiled(path, target, told);
  return run_entry(tree, "", {.target = target}, std::move(told));
}

// Without what says where tiles stand, which text says elsewhere.
std::vector<std::uint32_t> compared_steps(const Recording& recording) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < recording.count(); ++i)
    if (recording.bound(i).row->effect != Effect::BindsAddress) out.push_back(i);
  return out;
}

std::string described(const Bound& bound) {
  std::string out = std::string(bound.row->name);
  for (const Operand& operand : bound.operands) {
    out += " " + std::string(operand.spec->name);
    if (operand.spec->kind == OperandKind::Tile)
      out += "=" + operand.tile.type.describe() + "/" + std::to_string(operand.tile.valid_rows) + "x" +
             std::to_string(operand.tile.valid_cols);
    if (operand.spec->kind == OperandKind::Global)
      out += "=" + std::to_string(operand.global.address) + "/" + std::to_string(operand.global.rows()) + "x" +
             std::to_string(operand.global.cols());
    if (operand.spec->kind == OperandKind::Scalar) out += "=" + format_value(operand.scalar.dtype, operand.scalar.bits);
  }
  for (const std::uint8_t attribute : bound.attributes) out += " " + std::to_string(attribute);
  return out;
}

using Buffers = std::map<std::string, std::vector<std::byte>>;

Buffers buffers_at_end(const Recording& recording) {
  Buffers out;
  for (const BufferDecl& buffer : recording.program().buffers) {
    const auto bytes = recording.final_memory().bytes(Space::Gm, buffer.address, buffer.size());
    out[buffer.name].assign(bytes.begin(), bytes.end());
  }
  return out;
}

}  // namespace

TEST_CASE("cpp samples: the same steps, operands and results as their text") {
  struct Same {
    const char *text, *kernel;
    bool on_a2a3 = true;
  };
  constexpr Same kAll[] = {{"row_loop", "row_loop"},
                           {"softmax_online", "softmax_online"},
                           {"softmax_three_pass", "softmax_three_pass"},
                           {"masked_scores", "masked_scores"},
                           {"block_lookup", "block_lookup", false},
                           {"gelu", "gelu"},
                           {"rms_norm", "rms_norm"},
                           {"layer_norm", "layer_norm"},
                           {"rope", "rope"},
                           {"transpose_loop", "transpose_loop"},
                           {"argmax", "argmax"},
                           {"cube/convolution", "convolution"}};
  for (const Same& same : kAll)
    for (const Target target : {Target::A2A3, Target::A5}) {
      if (target == Target::A2A3 && !same.on_a2a3) continue;
      CAPTURE(same.text);
      CAPTURE(name(target));
      const KernelRun text = as_text(std::string("samples/") + same.text + ".pto", target);
      const KernelRun cpp = as_cpp(std::string("samples/cpp/") + same.kernel + ".cpp", target);
      REQUIRE(text.recording != nullptr);
      REQUIRE_MESSAGE(cpp.recording != nullptr, (cpp.told.empty() ? "" : cpp.told.front().format()));
      for (const Finding& one : cpp.recording->findings()) CHECK_MESSAGE(false, one.diagnostic.format());
      const std::vector<std::uint32_t> a = compared_steps(*text.recording), b = compared_steps(*cpp.recording);
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        const std::string wanted = described(text.recording->bound(a[i])), got = described(cpp.recording->bound(b[i]));
        REQUIRE(got == wanted);
      }
      CHECK(buffers_at_end(*cpp.recording) == buffers_at_end(*text.recording));
    }
}

// Flags between pipes are the C++ author's; text leaves them to the assembler.
std::vector<std::string> rows_by_core(const Recording& recording) {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < recording.count(); ++i) {
    const Bound& bound = recording.bound(i);
    const std::string_view row = bound.row->name;
    if (bound.row->effect == Effect::BindsAddress || row == "set_flag" || row == "wait_flag") continue;
    out.push_back(name_of_core(recording.program(), bound.core) + " " + std::string(row));
    for (const Operand& operand : bound.operands)
      if (operand.spec->kind == OperandKind::Tile) out.back() += " " + operand.tile.type.describe();
  }
  return out;
}

std::vector<std::byte> buffer_at_end(const Recording& recording, const std::string& name) {
  return buffers_at_end(recording)[name];
}

TEST_CASE("cpp samples: scores go from a cube core to two vector cores as those of the text do") {
  const KernelRun text = as_text("samples/mixed/scores_softmax.pto", Target::A5);
  REQUIRE(text.recording != nullptr);
  for (const Target target : {Target::A2A3, Target::A5}) {
    CAPTURE(name(target));
    const KernelRun cpp = as_cpp("samples/cpp/scores_softmax.cpp", target);
    REQUIRE_MESSAGE(cpp.recording != nullptr, (cpp.told.empty() ? "" : cpp.told.front().format()));
    for (const Finding& one : check(*cpp.recording).findings) CHECK_MESSAGE(false, one.diagnostic.format());
    if (target != Target::A5) continue;
    CHECK(rows_by_core(*cpp.recording) == rows_by_core(*text.recording));
    CHECK(buffer_at_end(*cpp.recording, "result") == buffer_at_end(*text.recording, "result"));
  }
}

TEST_CASE("cpp samples: their bugs are found, at the step that is wrong") {
  const struct {
    const char *sample, *rule;
    std::uint32_t step;
    const char* about;
  } kBugs[] = {
      {"bug_address", "CHK-ALIAS", 16, "4096 bytes of %a_i_2 are lost"},
      {"bug_event", "SYNC-R1", 4, "no set_flag of (PIPE_MTE2, PIPE_V, EVENT_ID1)"},
  };
  for (const auto& bug : kBugs) {
    CAPTURE(bug.sample);
    const KernelRun run = as_cpp(std::string("samples/cpp/") + bug.sample + ".cpp", Target::A2A3);
    REQUIRE(run.recording != nullptr);
    const std::vector<Finding> found = check(*run.recording).findings;
    REQUIRE(found.size() >= 1);
    CHECK(found.front().diagnostic.rule == bug.rule);
    CHECK(found.front().step == bug.step);
    CHECK_MESSAGE(found.front().diagnostic.text.find(bug.about) != std::string::npos, found.front().diagnostic.text);
  }
}

}  // namespace ts::test
