// Every sample runs to its end on its own target, and shows what its row promises.
#include "samples/samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/record/recording.h"

namespace {

using namespace ts;

std::unique_ptr<Recording> run_sample(const Sample& sample) {
  ProgramBuilder builder(sample.target, sample.name);
  sample.build(builder);
  Diagnostics diagnostics;
  Program program = builder.build(diagnostics);
  CHECK_FALSE(has_error(diagnostics));
  return Recording::run(std::move(program), {.budget_bytes = std::size_t{64} << 20});
}

}  // namespace

TEST_CASE("samples: each runs to its end, and has the step and the tile that its report shows") {
  for (const Sample& sample : samples()) {
    CAPTURE(std::string(sample.name));
    const auto recording = run_sample(sample);
    CHECK(recording->stop_reason() == StopReason::End);
    CHECK(recording->count() == recording->program().instructions.size());
    REQUIRE(sample.step < recording->count());
    bool has_tile = false;
    for (const Operand& operand : recording->bound(sample.step).operands)
      has_tile = has_tile || (operand.spec->role == Role::Out && recording->program().tiles[operand.id].name == sample.tile);
    CHECK(has_tile);
    CHECK(run_sample(sample)->digest() == recording->digest());
  }
}

// Element i of the buffer of that name after the last step.
double stored(const Recording& recording, std::string_view buffer, std::uint32_t i) {
  const auto& buffers = recording.program().buffers;
  const auto decl = std::ranges::find(buffers, buffer, &BufferDecl::name);
  REQUIRE(decl != buffers.end());
  const std::uint32_t size = size_bytes(decl->dtype);
  return to_double(decl->dtype, recording.final_memory().element(Space::Gm, decl->address + i * size, size));
}

TEST_CASE("samples: the others leave in global memory what their first lines say") {
  const auto merged = run_sample(kComplexMerge), selected = run_sample(kMaskedSelect), transposed = run_sample(kTranspose);
  const auto looked_up = run_sample(kTableLookup), filled = run_sample(kFillTails);
  for (std::uint32_t i = 0; i < 48; ++i) {
    CHECK(stored(*merged, "stream", 2 * i) == i);
    CHECK(stored(*merged, "stream", 2 * i + 1) == -0.5 * i);
  }
  for (std::uint32_t i = 0; i < 140; ++i) {
    const std::uint32_t byte = i / 70 * 9 + i % 70 / 8, mask = byte % 2 == 0 ? 0xF0 : 0x3C;
    CHECK(stored(*selected, "result", i) == (mask >> (i % 70 % 8) & 1 ? i : 1000.0 + i));
  }
  for (std::uint32_t i = 0; i < 24; ++i) CHECK(stored(*transposed, "result", i) == 100.0 * (i % 3) + i / 3);
  for (std::uint32_t i = 0; i < 16; ++i) CHECK(stored(*looked_up, "result", i) == (i * 7 % 32) * (i * 7 % 32));
  for (std::uint32_t i = 0; i < 10; ++i) CHECK(stored(*filled, "bytes", i) == 0x7B);
  for (std::uint32_t i = 0; i < 80; ++i) CHECK(stored(*filled, "floats", i) == 1.5);
}

TEST_CASE("samples: masked_sum keeps x + y where its mask has a 1, and -1 elsewhere") {
  const auto recording = run_sample(kMaskedSum);
  const BufferDecl& result = recording->program().buffers.back();
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::uint32_t mask = i < 8 ? 0xB1 : 0x0F;
    const double wanted = mask >> (i % 8) & 1 ? 101.0 * i : -1.0;
    const std::uint64_t bits = recording->final_memory().element(Space::Gm, result.address + 4 * i, 4);
    CHECK(to_double(DType::F32, bits) == wanted);
  }
}
