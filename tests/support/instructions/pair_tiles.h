// Pairs of tiles of one static shape, for the two instructions that spread two rows over two rows.
#pragma once

#include <string_view>
#include <vector>

#include "tests/support/instructions/stage.h"

namespace ts::test {

// A2A3 has the two by this option.
inline constexpr Options kPairsOnA2A3{.a2a3_interleave = 1};

struct PairShape {
  DType type;
  std::uint32_t rows, cols;
  Valid valid;
};

// The shapes of their page: halves of a row that do not start at a block, halves that do, and rows of several registers.
extern const std::vector<PairShape> kUnalignedHalves, kAlignedHalves, kLongRows;
// One row, one pair, exactly two registers, no row, no column.
std::vector<PairShape> smallest_pairs(DType type);

// plans: dst0, dst1, and the sources.
void add_pairs(ProgramBuilder& builder, Random& random, Target target, std::string_view instruction,
               const std::vector<TilePlan>& plans);
// dst0, dst1, src0, src1 alike; with and without the valid shape in their type.
void check_pairs(Stage& stage, Random& random, Target target, const Options& options, std::string_view instruction,
                 const PairShape& shape);

}  // namespace ts::test
