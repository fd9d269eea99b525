// A kernel as text and as C++: the same steps on the same bytes, on both targets.
#include <doctest/doctest.h>

#include <algorithm>

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

std::vector<std::byte> bytes_of_buffer(const Recording& recording, const std::string& name) {
  const auto& buffers = recording.program().buffers;
  const auto buffer = std::ranges::find(buffers, name, &BufferDecl::name);
  REQUIRE(buffer != buffers.end());
  const auto bytes = recording.final_memory().bytes(Space::Gm, buffer->address, buffer->size());
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("cpp samples: the same steps, operands and results as their text") {
  for (const char* sample : {"row_loop", "softmax_online"})
    for (const Target target : {Target::A2A3, Target::A5}) {
      CAPTURE(sample);
      CAPTURE(name(target));
      const KernelRun text = as_text(std::string("samples/") + sample + ".pto", target);
      const KernelRun cpp = as_cpp(std::string("samples/cpp/") + sample + ".cpp", target);
      REQUIRE(text.recording != nullptr);
      REQUIRE_MESSAGE(cpp.recording != nullptr, (cpp.told.empty() ? "" : cpp.told.front().format()));
      for (const Finding& one : cpp.recording->findings()) CHECK_MESSAGE(false, one.diagnostic.format());
      const std::vector<std::uint32_t> a = compared_steps(*text.recording), b = compared_steps(*cpp.recording);
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        const std::string wanted = described(text.recording->bound(a[i])), got = described(cpp.recording->bound(b[i]));
        REQUIRE(got == wanted);
      }
      CHECK(bytes_of_buffer(*cpp.recording, "result") == bytes_of_buffer(*text.recording, "result"));
    }
}

}  // namespace ts::test
