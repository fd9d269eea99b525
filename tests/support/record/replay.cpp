// Oracles, one after the other, on memories of their own.
#include "tests/support/record/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/program/inputs.h"
#include "core/record/inspector.h"
#include "tests/oracle/effects.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

constexpr Space kDataSpaces[] = {Space::Ub, Space::L1, Space::Gm};

// Where small programs have their tiles and buffers; the rest of the memories stays fresh, which costs nothing.
constexpr std::uint32_t kNoiseBytes = 64 << 10;

bool moves_data(const Bound& bound) { return bound.row->effect == Effect::None && !bound.operands.empty(); }

class Replay {
 public:
  explicit Replay(const Recording& recording) : recording_(recording), map_(recording.map()), inspector_(recording) {
    const Memory& start = inspector_.at(0);
    bytes_.assign(start.base(), start.base() + map_.end());
  }

  std::string run() {
    for (std::uint32_t step = 0; step < recording_.count(); ++step) {
      const Bound& bound = recording_.bound(step);
      const Memory& after = inspector_.at(step + 1);
      if (moves_data(bound)) apply(oracle::effects_of(bound, now()), after);
      const std::string difference = compare(bound, after);
      if (!difference.empty()) return fmt::format("step {}, {}\n{}", step, label_of(bound), difference);
    }
    return "";
  }

 private:
  oracle::Before now() const { return {.all = bytes_, .map = &map_}; }

  void apply(const oracle::Effects& effects, const Memory& after) {
    for (const oracle::Element& element : effects.written)
      std::memcpy(bytes_.data() + map_.flat(element.place), &element.bits, element.place.size);
    // Nobody promises these: as they were found.
    for (const ByteRange& place : effects.unspecified) {
      const Flat at = map_.flat(place);
      std::memcpy(bytes_.data() + at, after.base() + at, place.size);
    }
  }

  std::string compare(const Bound& bound, const Memory& after) const {
    for (const Space space : kDataSpaces) {
      const Flat begin = map_.origin(space), size = map_.size(space);
      if (std::memcmp(bytes_.data() + begin, after.base() + begin, size) == 0) continue;
      return first_difference(bound, map_, {bytes_.data(), begin + size}, {after.base(), begin + size});
    }
    return "";
  }

  const Recording& recording_;
  const MemoryMap& map_;
  Inspector inspector_;
  std::vector<std::byte> bytes_;
};

}  // namespace

std::unique_ptr<Recording> record_on_noise(const Program& program, std::uint64_t seed) {
  const auto noise = [&](Memory& memory) {
    Random random(seed);
    for (const Space space : {Space::Ub, Space::Gm}) {
      const std::span<std::byte> bytes = memory.bytes(space, 0, std::min(memory.map().size(space), kNoiseBytes));
      for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
        const std::uint64_t bits = random.next();
        std::memcpy(bytes.data() + at, &bits, 8);
      }
      memory.mark(memory.map().origin(space), static_cast<std::uint32_t>(bytes.size()), Definedness::Unspecified);
    }
    load_inputs(program, memory);
  };
  return Recording::run(program, {.budget_bytes = std::size_t{4} << 20, .initial = noise});
}

std::string first_difference_by_oracle(const Recording& recording) { return Replay(recording).run(); }

}  // namespace ts::test
