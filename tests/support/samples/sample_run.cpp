// Samples, run and looked into.
#include "tests/support/samples/sample_run.h"
#include "tests/support/text/sample_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/text/render.h"

namespace ts::test {
namespace {

const BufferDecl& buffer_named(const Program& program, std::string_view name) {
  const auto buffer = std::ranges::find(program.buffers, name, &BufferDecl::name);
  REQUIRE((buffer != program.buffers.end()));
  return *buffer;
}

}  // namespace

std::string sample_text(std::string_view name) {
  std::ifstream file(sample_path(std::string(name)), std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

SampleRun::SampleRun(const std::string& name, Target target, const OpenRequest& request) : target_(target) {
  OpenedText text = open_text(sample_text(name), target, request);
  for (const Diagnostic& diagnostic : text.diagnostics)
    if (diagnostic.severity != Severity::Note) FAIL(text::render(diagnostic, *text.tree->source));
  REQUIRE(text.opened.has_value());
  recording_ = Recording::run(std::move(text.opened->program), {.budget_bytes = std::size_t{8} << 20});
}

double SampleRun::in(std::string_view buffer, std::uint32_t i) const {
  const BufferDecl& decl = buffer_named(recording_->program(), buffer);
  const std::uint32_t size = size_bytes(decl.dtype);
  std::uint64_t bits = 0;
  REQUIRE(decl.data.size() >= (i + 1) * size);
  std::memcpy(&bits, decl.data.data() + i * size, size);
  return to_double(decl.dtype, bits);
}

double SampleRun::left(std::string_view buffer, std::uint32_t i) const {
  const ByteRange place = place_of(buffer, i);
  return to_double(buffer_named(recording_->program(), buffer).dtype,
                   recording_->final_memory().element(Space::Gm, place.address, place.size));
}

bool SampleRun::written(std::string_view buffer, std::uint32_t i) const {
  const ByteRange place = place_of(buffer, i);
  return recording_->final_memory().worst_definedness(recording_->map().flat(Space::Gm, place.address), place.size) ==
         Definedness::Written;
}

bool SampleRun::bit(std::string_view buffer, std::uint32_t first, std::uint32_t i) const {
  return (static_cast<std::uint32_t>(in(buffer, first + i / 8)) >> i % 8 & 1) != 0;
}

std::uint32_t SampleRun::first_step(std::string_view instruction) const {
  for (std::uint32_t step = 0; step < recording_->count(); ++step)
    if (recording_->bound(step).row->name == instruction) return step;
  FAIL("the instruction never ran");
  return 0;
}

bool SampleRun::uses(std::string_view instruction, std::string_view micro_op) const {
  const Trace trace = Inspector(*recording_).trace(first_step(instruction));
  return std::ranges::any_of(trace.steps, [&](const MicroStep& step) { return step.op->name == micro_op; });
}

std::vector<Source> SampleRun::sources(std::string_view instruction, std::uint32_t row, std::uint32_t col) const {
  const std::uint32_t step = first_step(instruction);
  const auto& operands = recording_->bound(step).operands;
  const auto out = std::ranges::find(operands, Role::Out, [](const Operand& operand) { return operand.spec->role; });
  Inspector inspector(*recording_);
  return inspector.flow(step).sources(static_cast<int>(out - operands.begin()), row, col);
}

ByteRange SampleRun::place_of(std::string_view buffer, std::uint32_t i) const {
  const BufferDecl& decl = buffer_named(recording_->program(), buffer);
  REQUIRE(i < decl.elements);
  return {Space::Gm, decl.address + i * size_bytes(decl.dtype), size_bytes(decl.dtype)};
}

}  // namespace ts::test
