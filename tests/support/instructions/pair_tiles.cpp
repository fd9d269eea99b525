// Shapes of pairs, and checks on them.
#include "tests/support/instructions/pair_tiles.h"

#include "tests/support/instructions/random_check.h"

namespace ts::test {

const std::vector<PairShape> kUnalignedHalves{
    {DType::F16, 20, 16, {20, 16}},   {DType::F32, 64, 64, {64, 56}},  {DType::I16, 64, 64, {64, 48}},
    {DType::F16, 16, 256, {16, 200}}, {DType::U8, 32, 256, {32, 200}}, {DType::I8, 32, 256, {32, 200}},
    {DType::F32, 16, 32, {16, 24}},
};
const std::vector<PairShape> kAlignedHalves{{DType::F32, 64, 64, {64, 64}},
                                            {DType::I16, 64, 64, {64, 64}},
                                            {DType::F16, 16, 256, {16, 256}},
                                            {DType::U8, 32, 256, {32, 256}}};
const std::vector<PairShape> kLongRows{{DType::F32, 4, 512, {4, 512}},
                                       {DType::F32, 4, 304, {4, 300}},
                                       {DType::BF16, 2, 1024, {2, 1022}},
                                       {DType::U8, 2, 2048, {2, 1538}}};

std::vector<PairShape> smallest_pairs(DType type) {
  const std::uint32_t block = block_elements(type), two_registers = 2 * VL / size_bytes(type);
  return {{type, 1, block, {1, 2}},
          {type, 3, two_registers, {1, 2}},
          {type, 3, two_registers, {2, two_registers}},
          {type, 3, two_registers, {0, 2}},
          {type, 3, two_registers, {2, 0}}};
}

void add_pairs(ProgramBuilder& builder, Random& random, Target target, std::string_view instruction,
               const std::vector<TilePlan>& plans) {
  const auto tiles = add_tiles(builder, random, target, plans);
  builder.add(instruction, std::vector<BuildOperand>(tiles.begin() + 2, tiles.end()), {tiles[0], tiles[1]});
}

void check_pairs(Stage& stage, Random& random, Target target, const Options& options, std::string_view instruction,
                 const PairShape& shape) {
  for (const bool fixed : {false, true}) {
    const Valid valid = shape.valid;
    const TileType type = fixed ? vec_tile(shape.type, shape.rows, shape.cols, static_cast<std::int32_t>(valid.rows),
                                           static_cast<std::int32_t>(valid.cols))
                                : vec_tile(shape.type, shape.rows, shape.cols, kDynamic, kDynamic);
    ProgramBuilder builder(target, "pairs");
    builder.options() = options;
    add_pairs(builder, random, target, instruction,
              {{"dst0", type, valid}, {"dst1", type, valid}, {"src0", type, valid}, {"src1", type, valid}});
    check_program(stage, random, std::move(builder));
  }
}

}  // namespace ts::test
