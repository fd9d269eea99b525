// Random programs of a cube core and its vector cores on one or more blocks: what each does with the others, in an order
// that lets everybody go on, and the same with something left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/isa/target.h"
#include "tests/support/random.h"

namespace ts::test {

// What a core does that another one sees, with its line in the text.
struct SharedAct {
  enum class Kind : std::uint8_t { Push, Pop, Free, Set, Wait, Meet };
  Kind kind;
  std::uint32_t number = 0;  // of the queue: 0 to the vector cores, 1 to the cube core; of the flag
  std::uint32_t line = 0;
};

enum class LeftOut : std::uint8_t { Nothing, Edge, Partner };

struct RandomMixed {
  Target target = Target::A5;
  std::uint32_t blocks = 1, slots[2] = {1, 1};
  int split[2] = {0, 0};
  bool two_vector_cores = false;
  std::string text, left_out;  // what is missing, in words
  std::vector<SharedAct> cube, vector;
};

// Edge: a flag or a meeting that orders two cores is missing on both sides. Partner: one side's push, free or flag is.
RandomMixed random_mixed(Random& random, Target target, LeftOut left_out);

}  // namespace ts::test
