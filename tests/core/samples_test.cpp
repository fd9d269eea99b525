// Every sample runs to its end on its own target, and shows what its row promises.
#include "samples/samples.h"

#include <doctest/doctest.h>

#include <string>

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
